import { hojeEm } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { mesEscrito } from '../../../domain/faturamento/calculo/cobranca.regras.ts';
import { mesDe } from '../../../domain/faturamento/calculo/meses.regras.ts';
import type { TipoDeItem } from '../../../domain/faturamento/faturamento.types.ts';
import { acabou } from '../../../domain/faturamento/itens/itens.service.ts';
import type { ItemGuardado } from '../../../domain/faturamento/itens/itens.service.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { escreverReais } from '../componentes/escrita.ts';
import { tabela, vazio } from '../componentes/tabela.ts';
import { exigirContrato, telaSobreContrato } from '../contratos/apoio.ts';
import type { DoContrato } from '../contratos/apoio.ts';
import { entrada, escolha } from '../formulario/campos.ts';
import { EM_BRANCO } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { botao, formulario } from '../formulario/formulario.ts';
import { Recusado } from '../recusas.ts';
import { acao, pagina } from '../rota.ts';
import type { Rota, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';

const permissao = 'cobranca.faturar';

const TIPOS: Readonly<Record<TipoDeItem, string>> = {
  unico: 'Adicional, uma vez',
  recorrente: 'Adicional, todo mês',
  desconto: 'Desconto, em R$ por mês',
  desconto_percentual: 'Desconto, em % por mês',
};

const ROTULOS = { tipo: 'O que é', descricao: 'Descrição', valor: 'Valor', de: 'Primeiro mês', ate: 'Último mês' };

const valorDo = ({ tipo, valor }: ItemGuardado): string =>
  tipo === 'desconto_percentual' ? `${(valor / 100).toLocaleString('pt-BR')} %` : escreverReais(valor);

function periodo({ de, ate, tipo, faturamentoId }: ItemGuardado): string {
  if (tipo === 'unico') return faturamentoId === null ? `na cobrança de ${mesEscrito(de)} ou na próxima` : 'já cobrado';
  if (ate !== null && ate < de) return `acabou antes de ${mesEscrito(de)}`;
  return ate === null ? `desde ${mesEscrito(de)}` : `de ${mesEscrito(de)} a ${mesEscrito(ate)}`;
}

async function tela(chamada: DoContrato, estado: EstadoDoFormulario): Promise<Tela> {
  const contrato = await exigirContrato(chamada);
  const itens = await chamada.dominio.itensDeContratos.doContrato(contrato.id);
  const primeiro = await chamada.dominio.faturamento.primeiroDoCarne(contrato.id);
  const para = `/contratos/${contrato.id}/itens`;
  return telaSobreContrato(
    contrato,
    'Adicionais e descontos',
    html`${tabelaDosItens(itens, para, mesDe(hojeEm(chamada.sessao.provedor.fusoHorario, chamada.agora)))}
      <h2 class="card-title mt-4 mb-3">Novo adicional ou desconto</h2>
      ${formulario({
        para,
        estado,
        rotulos: ROTULOS,
        enviar: 'Adicionar',
        volta: `/contratos/${contrato.id}`,
        corpo: html`${escolha(estado, {
          nome: 'tipo',
          rotulo: ROTULOS.tipo,
          obrigatorio: true,
          vazia: 'Escolha',
          opcoes: Object.entries(TIPOS).map(([valor, texto]) => ({ valor, texto })),
        })}
        ${entrada(estado, { nome: 'descricao', rotulo: ROTULOS.descricao, obrigatorio: true, maximo: 120 })}
        ${entrada(estado, {
          nome: 'valor',
          rotulo: ROTULOS.valor,
          obrigatorio: true,
          teclado: 'decimal',
          dica: 'Em reais, como 29,90; de um desconto em %, quantos por cento, como 10.',
        })}
        ${entrada(estado, { nome: 'de', rotulo: ROTULOS.de, maximo: 7, dica: 'Como 2026-12. Vazio: este mês.' })}
        ${entrada(estado, { nome: 'ate', rotulo: ROTULOS.ate, maximo: 7, dica: 'Vazio: enquanto o contrato durar.' })}`,
      })}
      <h2 class="card-title mt-4 mb-2">Carnê</h2>
      <p>
        As faturas dos próximos 12 meses, feitas já e de uma vez. O que mudar depois no contrato é acertado mês a mês.
        Um carnê se desfaz inteiro, em <a href="${BASE}/faturamento?carnes=sim">Faturamento</a>.
      </p>
      <div class="acoes">
        ${botao({
          para: `/contratos/${contrato.id}/carne`,
          texto: `Fazer carnê de 12 meses${primeiro === null ? '' : `, a partir de ${mesEscrito(primeiro)}`}`,
          valores: primeiro === null ? {} : { primeiro: primeiro.slice(0, 7) },
        })}
      </div>`,
  );
}

const tabelaDosItens = (itens: readonly ItemGuardado[], para: string, mes: Data): Html =>
  tabela<ItemGuardado>({
    legenda: 'Adicionais e descontos do contrato',
    linhas: itens,
    vazia: vazio('receipt', 'Só a mensalidade', 'O que se cobra ou desconta além dela aparece aqui.'),
    colunas: [
      { titulo: 'Descrição', principal: true, celula: ({ descricao }) => descricao },
      { titulo: 'O que é', celula: ({ tipo }) => TIPOS[tipo] },
      { titulo: 'Valor', direita: true, celula: valorDo },
      { titulo: 'Quando', celula: periodo },
      {
        titulo: 'Ação',
        celula: (item) =>
          html`<div class="acoes">
            ${
              item.tipo === 'unico' || acabou(item, mes)
                ? null
                : botao({ para: `${para}/${item.id}/encerrar`, texto: 'Encerrar' })
            }
            ${item.cobrado ? null : botao({ para: `${para}/${item.id}/remover`, texto: 'Remover' })}
          </div>`,
      },
    ],
  });

/** What a contract is charged beside its price. */
export const ITENS: readonly Rota[] = [
  pagina('/contratos/{id}/itens', {
    permissao,
    mostrar: async (chamada) => ({ tela: await tela(chamada, EM_BRANCO) }),
  }),
  acao('/contratos/{id}/itens', {
    permissao,
    campos: { tipo: 'texto', descricao: 'texto', valor: 'decimal', de: 'apagavel', ate: 'apagavel' },
    formulario: tela,
    async fazer({ parametros: { id }, dados, mudar, sessao }) {
      const { tipo } = dados;
      const ehDesconto = tipo === 'desconto' || tipo === 'desconto_percentual';
      if (ehDesconto && !pode(sessao, 'faturas.desconto')) {
        throw new Recusado(403, 'Seu perfil não permite isto', 'Um desconto pede a permissão de dar desconto.');
      }
      await mudar(async (_dominio, { faturamento }) => faturamento.itens.adicionar(id, dados));
      return { ir: `/contratos/${id}/itens`, feito: 'salvo' };
    },
  }),
  acao('/contratos/{id}/itens/{item}/encerrar', {
    permissao,
    async fazer({ parametros: { id, item }, mudar }) {
      await mudar(async (_dominio, { faturamento }) => faturamento.itens.encerrar(id, item));
      return { ir: `/contratos/${id}/itens`, feito: 'encerrado' };
    },
  }),
  acao('/contratos/{id}/itens/{item}/remover', {
    permissao,
    async fazer({ parametros: { id, item }, mudar }) {
      await mudar(async (_dominio, { faturamento }) => faturamento.itens.remover(id, item));
      return { ir: `/contratos/${id}/itens`, feito: 'removido' };
    },
  }),
  acao('/contratos/{id}/carne', {
    permissao,
    campos: { primeiro: 'texto' },
    async fazer({ parametros: { id }, dados: { primeiro }, mudar }) {
      // A second press of the button means the same months, and not the twelve after them.
      const dados = { contrato_id: id, ...(primeiro === undefined || primeiro === '' ? {} : { primeiro }) };
      await mudar(async (_dominio, { faturamento }) => faturamento.carnes.gerar(dados));
      return { ir: `/faturas?contrato=${id}&situacao=aberta`, feito: 'salvo' };
    },
  }),
];
