import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { html } from '../../../kit/html/html.ts';
import { aviso } from '../componentes/cartao.ts';
import { area, entrada, escolha } from '../formulario/campos.ts';
import { EM_BRANCO, preenchido } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { formulario } from '../formulario/formulario.ts';
import { comVersao } from '../formulario/versao.ts';
import { acao, pagina } from '../rota.ts';
import type { Chamada, Rota, Tela } from '../rota.ts';
import { exigirFatura, telaSobreFatura, versaoDaFatura } from './apoio.ts';
import { MOTIVOS } from './termos.ts';

type DaFatura = Chamada<{ readonly id: number }>;

const DO_CANCELAMENTO = { motivo_codigo: 'Por quê', motivo: 'Motivo' };
const DO_VENCIMENTO = {
  vencimento: 'Novo vencimento',
  linha_digitavel: 'Nova linha digitável',
  nosso_numero: 'Nosso número',
};

async function telaDoCancelamento(chamada: DaFatura, estado: EstadoDoFormulario): Promise<Tela> {
  const fatura = await exigirFatura(chamada);
  return telaSobreFatura(
    chamada,
    fatura,
    'Cancelar fatura',
    html`${aviso('warning', 'O cliente deixa de dever esta fatura, e o PIX e o boleto dela deixam de ser oferecidos. Um contrato bloqueado só por ela é liberado. Não dá para desfazer.')}
    ${formulario({
      para: `/faturas/${fatura.id}/cancelar`,
      estado,
      rotulos: DO_CANCELAMENTO,
      enviar: 'Cancelar fatura',
      volta: `/faturas/${fatura.id}`,
      perigoso: true,
      corpo: html`${versaoDaFatura(fatura, estado)}
      ${escolha(estado, {
        nome: 'motivo_codigo',
        rotulo: DO_CANCELAMENTO.motivo_codigo,
        obrigatorio: true,
        opcoes: ['a_pedido', 'erro', 'cancelamento', 'outro'].map((valor) => ({
          valor,
          texto: MOTIVOS[valor] ?? valor,
        })),
      })}
      ${area(estado, { nome: 'motivo', rotulo: DO_CANCELAMENTO.motivo, obrigatorio: true, maximo: 500, linhas: 2, dica: 'Fica no histórico da fatura.' })}`,
    })}`,
  );
}

async function telaDoVencimento(chamada: DaFatura, estado: EstadoDoFormulario): Promise<Tela> {
  const fatura = await exigirFatura(chamada);
  const hoje = hojeEm(chamada.sessao.provedor.fusoHorario, chamada.agora);
  const boleto = fatura.tipo === 'boleto';
  return telaSobreFatura(
    chamada,
    fatura,
    'Mudar vencimento',
    html`<p>
        Multa e juros passam a contar do novo
        dia.${boleto ? ' O boleto de antes deixa de valer: cole a linha do novo, ou fique sem boleto.' : ''}
      </p>
      ${formulario({
        para: `/faturas/${fatura.id}/vencimento`,
        estado,
        rotulos: DO_VENCIMENTO,
        enviar: 'Mudar vencimento',
        volta: `/faturas/${fatura.id}`,
        corpo: html`${versaoDaFatura(fatura, estado)}
        ${entrada(estado, { nome: 'vencimento', rotulo: DO_VENCIMENTO.vencimento, tipo: 'date', obrigatorio: true, mais: html`min="${hoje}"` })}
        ${
          boleto
            ? html`${entrada(estado, { nome: 'linha_digitavel', rotulo: DO_VENCIMENTO.linha_digitavel, teclado: 'numeric', maximo: 80 })}
              ${entrada(estado, { nome: 'nosso_numero', rotulo: DO_VENCIMENTO.nosso_numero, maximo: 20 })}`
            : null
        }`,
      })}`,
  );
}

/** What changes an open invoice, or ends it. */
export const MUDANCAS_DA_FATURA: readonly Rota[] = [
  pagina('/faturas/{id}/cancelar', {
    permissao: 'faturas.cancelar',
    mostrar: async (chamada) => ({ tela: await telaDoCancelamento(chamada, EM_BRANCO) }),
  }),
  acao('/faturas/{id}/cancelar', {
    permissao: 'faturas.cancelar',
    campos: { motivo_codigo: 'texto', motivo: 'texto', versao: 'texto' },
    formulario: telaDoCancelamento,
    async fazer({ parametros: { id }, dados: digitados, mudar }) {
      const { dados, lida } = comVersao(digitados);
      await mudar(async (_dominio, { faturas }) => faturas.cancelar(id, dados, lida));
      return { ir: `/faturas/${id}`, feito: 'cancelado' };
    },
  }),
  pagina('/faturas/{id}/vencimento', {
    permissao: 'faturas.criar',
    mostrar: async (chamada) => {
      const { vencimento } = await exigirFatura(chamada);
      return { tela: await telaDoVencimento(chamada, preenchido({ vencimento })) };
    },
  }),
  acao('/faturas/{id}/vencimento', {
    permissao: 'faturas.criar',
    campos: { vencimento: 'data', linha_digitavel: 'texto', nosso_numero: 'texto', versao: 'texto' },
    formulario: telaDoVencimento,
    async fazer({ parametros: { id }, dados: digitados, mudar }) {
      const { dados, lida } = comVersao(digitados);
      await mudar(async (_dominio, { faturas }) => faturas.alterar(id, dados, lida));
      return { ir: `/faturas/${id}`, feito: 'salvo' };
    },
  }),
];
