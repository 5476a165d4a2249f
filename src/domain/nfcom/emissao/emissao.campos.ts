import { exigido, grupo, lerCampos, opcional } from '../../campos/campos.ts';
import { bem, mal } from '../../campos/campos.ts';
import type { Leitor } from '../../campos/campos.ts';
import { data, dinheiro, escolha, id, inteiro, lista, simOuNao, texto, uf } from '../../campos/leitores.ts';
import { faltaEm } from '../../erros.ts';
import type { FiltroDeEmissao } from './emissao.types.ts';

/** The most invoices that are named one by one. */
const MAIS_FATURAS = 1000;

const CAMPOS_DO_FILTRO = {
  emitidas_de: opcional(data),
  emitidas_ate: opcional(data),
  vencimento_de: opcional(data),
  vencimento_ate: opcional(data),
  plano_id: opcional(id),
  cliente_id: opcional(id),
  uf: opcional(uf),
  abertas: opcional(simOuNao),
  faturas: opcional(lista(id, 1, MAIS_FATURAS)),
} as const;

/** Why a filter is refused that would read all invoices. */
const SEM_RECORTE = 'diga desde que dia de emissão, ou de vencimento, são as faturas, ou de que cliente';

export const CAMPOS_DO_CANCELAMENTO = { justificativa: exigido(texto(15, 255)) } as const;

/** Why the sending is paused, for those who see it. */
export const CAMPOS_DA_PAUSA = { porque: opcional(texto(1, 200)) } as const;

/** 01 preço, 02 cadastral, 03 decisão judicial, 04 tributação, 05 descontinuidade. */
export const CAMPOS_DA_SUBSTITUICAO = { motivo: exigido(escolha(['01', '02', '03', '04', '05'])) } as const;

const item = grupo({ item: exigido(inteiro(1, 990)), valor: exigido(dinheiro()) });

const itens: Leitor<readonly { item: number; valor: number }[]> = (valor) => {
  if (!Array.isArray(valor) || valor.length === 0 || valor.length > 990) return mal('deve ser uma lista de itens');
  const lidos = [];
  for (const dado of valor) {
    const lido = item(dado);
    if ('faltas' in lido) return lido;
    lidos.push(lido.valor);
  }
  return bem(lidos);
};

export const CAMPOS_DO_AJUSTE = { itens: exigido(itens), motivo: exigido(texto(1, 200)) } as const;

/**
 * As a filter's form says it. It has to say from when on, of whom, or which invoices: otherwise every invoice there ever was would be read, and
 * asked a note for.
 *
 * @throws CamposInvalidos
 */
export function lerFiltro(dados: unknown): FiltroDeEmissao {
  const lido = lerCampos(CAMPOS_DO_FILTRO, dados);
  const { emitidas_de, vencimento_de, cliente_id, faturas } = lido;
  if ((emitidas_de ?? vencimento_de ?? cliente_id ?? faturas) === undefined) faltaEm('emitidas_de', SEM_RECORTE);
  return {
    emitidasDe: lido.emitidas_de,
    emitidasAte: lido.emitidas_ate,
    vencimentoDe: lido.vencimento_de,
    vencimentoAte: lido.vencimento_ate,
    planoId: lido.plano_id,
    clienteId: lido.cliente_id,
    uf: lido.uf,
    abertas: lido.abertas,
    faturaIds: lido.faturas,
  };
}
