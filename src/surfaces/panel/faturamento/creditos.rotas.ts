import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { opcional } from '../../../domain/campos/campos.ts';
import type { ValoresDe } from '../../../domain/campos/campos.ts';
import { id as umId } from '../../../domain/campos/leitores.ts';
import { mesEscrito } from '../../../domain/faturamento/calculo/cobranca.regras.ts';
import type { CreditoDeContrato } from '../../../domain/faturamento/creditos/creditos.queries.ts';
import type { ComoSeAcerta } from '../../../domain/faturamento/faturamento.types.ts';
import { html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao } from '../componentes/cartao.ts';
import { escreverReais, instante } from '../componentes/escrita.ts';
import { comConsulta, paginas, tabela, vazio } from '../componentes/tabela.ts';
import { exigirContrato, naoCabe, telaSobreContrato } from '../contratos/apoio.ts';
import type { DoContrato } from '../contratos/apoio.ts';
import { escolha } from '../formulario/campos.ts';
import { EM_BRANCO, valorDe } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { escondido, formulario } from '../formulario/formulario.ts';
import { acao, pagina } from '../rota.ts';
import type { Chamada, Rota, Tela } from '../rota.ts';

const permissao = 'cobranca.faturar';
const CONSULTA = { antes: opcional(umId) } as const;

const COMO: Readonly<Record<ComoSeAcerta, string>> = {
  devolvido: 'Devolvido ao cliente',
  descontado: 'Descontado do que ele devia',
};
const ROTULOS = { como: 'Como se acertou', valor: 'Crédito' };

/** What contracts that are over have left to their clients, whom no next charge gives it back. */
async function telaDosCreditos({
  consulta: { antes },
  dominio,
  sessao,
}: Chamada<unknown, ValoresDe<typeof CONSULTA>>): Promise<Tela> {
  const { itens, proxima } = await dominio.creditosDeContratos.listar({ antesDe: antes });
  const endereco = '/faturamento/creditos';
  return {
    titulo: 'Créditos a acertar',
    menu: 'faturamento',
    migalhas: [['Faturamento', '/faturamento']],
    corpo: html`<p class="text-secondary">
        Contratos que acabaram depois de cobrados por dias que não tiveram: nenhuma cobrança devolve isto ao cliente.
        Devolva, ou desconte do que ele ainda deve, e anote aqui. Mostram-se os dos últimos doze meses.
      </p>
      ${cartao(
        null,
        tabela<CreditoDeContrato>({
          legenda: 'Créditos de contratos que acabaram',
          linhas: itens,
          vazia: vazio('receipt', 'Nenhum crédito', 'Nenhum contrato acabou com crédito por acertar.'),
          colunas: [
            {
              titulo: 'Contrato',
              principal: true,
              celula: ({ contratoId }) => html`<a href="${BASE}/contratos/${contratoId}">Contrato ${contratoId}</a>`,
            },
            {
              titulo: 'Cliente',
              celula: ({ clienteId, cliente }) => html`<a href="${BASE}/clientes/${clienteId}">${cliente}</a>`,
            },
            { titulo: 'Acabou', celula: ({ canceladoEm }) => instante(sessao.provedor.fusoHorario, canceladoEm) },
            { titulo: 'Na cobrança de', celula: ({ competencia }) => mesEscrito(competencia) },
            { titulo: 'Crédito', direita: true, celula: ({ valor }) => escreverReais(valor) },
            {
              titulo: 'Ação',
              celula: ({ contratoId }) =>
                html`<a class="btn btn-sm" href="${BASE}/contratos/${contratoId}/credito">Acertar</a>`,
            },
          ],
        }),
        { rente: true },
      )}
      ${paginas({
        total: null,
        anterior: antes === undefined ? null : endereco,
        proxima: proxima === null ? null : comConsulta(endereco, { antes: proxima }),
      })}`,
  };
}

/** The credit that the form was opened with; once somebody was told that it is another, he has seen that one. */
function valorVisto({ valor }: CreditoDeContrato, estado: EstadoDoFormulario): string {
  const mudou = estado.faltas.some(({ campo }) => campo === 'valor');
  const deAntes = mudou ? '' : valorDe(estado, 'valor');
  return deAntes === '' ? escreverDinheiro(valor) : deAntes;
}

async function telaDoCredito(chamada: DoContrato, estado: EstadoDoFormulario): Promise<Tela> {
  const contrato = await exigirContrato(chamada);
  const { id, cliente_id: cliente } = contrato;
  const credito = await chamada.dominio.creditosDeContratos.doContrato(id);
  const titulo = 'Acertar o crédito';
  if (credito === null)
    return telaSobreContrato(contrato, titulo, naoCabe(id, 'O contrato não tem crédito a acertar.'));
  return telaSobreContrato(
    contrato,
    titulo,
    html`${aviso(
      'info',
      html`O contrato acabou com ${escreverReais(credito.valor)} de crédito do cliente. Aqui só se anota o que foi
        feito: nenhum dinheiro sai por isto, e nenhuma fatura muda.
        <a href="${BASE}/clientes/${cliente}">Veja o que ele ainda deve</a>. Se o contrato voltar, o que se anotou como
        acertado já não se desconta da próxima cobrança.`,
    )}
    ${formulario({
      para: `/contratos/${id}/credito`,
      estado,
      rotulos: ROTULOS,
      enviar: 'Anotar como acertado',
      volta: `/contratos/${id}`,
      corpo: html`${escondido('valor', valorVisto(credito, estado))}
      ${escolha(estado, {
        nome: 'como',
        rotulo: ROTULOS.como,
        obrigatorio: true,
        vazia: 'Escolha',
        opcoes: Object.entries(COMO).map(([valor, texto]) => ({ valor, texto })),
      })}`,
    })}`,
  );
}

export const CREDITOS: readonly Rota[] = [
  pagina('/faturamento/creditos', {
    permissao,
    consulta: CONSULTA,
    mostrar: async (chamada) => ({ tela: await telaDosCreditos(chamada) }),
  }),
  pagina('/contratos/{id}/credito', {
    permissao,
    mostrar: async (chamada) => ({ tela: await telaDoCredito(chamada, EM_BRANCO) }),
  }),
  acao('/contratos/{id}/credito', {
    permissao,
    campos: { como: 'texto', valor: 'texto' },
    formulario: telaDoCredito,
    async fazer({ parametros: { id }, dados, mudar }) {
      await mudar(async (_dominio, { faturamento }) => faturamento.creditos.acertar(id, dados));
      return { ir: `/contratos/${id}`, feito: 'acertado' };
    },
  }),
];
