import type { Knex } from 'knex';
import type { Caso, Feito, Parte } from '../apagamento.types.ts';

/** Free texts about a person's rows, which staff typed and no law asks for. No kept answer is made of them. */
interface Textos {
  readonly tabela: string;
  /** The column that leads to the person's. */
  readonly por: 'cliente_id' | 'contrato_id' | 'fatura_id';
  readonly colunas: readonly string[];
  /** How they are named when they went. */
  readonly dado: string;
}

const TEXTOS: readonly Textos[] = [
  { tabela: 'contratos_historico', por: 'contrato_id', colunas: ['descricao'], dado: 'contratos.historico' },
  { tabela: 'contratos_itens', por: 'contrato_id', colunas: ['descricao'], dado: 'contratos.itens' },
  { tabela: 'desbloqueios_confianca', por: 'contrato_id', colunas: ['motivo'], dado: 'desbloqueios.motivo' },
  {
    tabela: 'recebimentos_manuais',
    por: 'fatura_id',
    colunas: ['observacao', 'desfeito_motivo'],
    dado: 'pagamentos.observacao',
  },
  { tabela: 'devolucoes_pedidas', por: 'fatura_id', colunas: ['motivo'], dado: 'devolucoes.motivo' },
  { tabela: 'faturas_ajustes', por: 'fatura_id', colunas: ['motivo', 'desfeito_motivo'], dado: 'ajustes.motivo' },
  { tabela: 'correio_pedidos', por: 'cliente_id', colunas: ['para', 'assunto', 'texto'], dado: 'correio.mensagens' },
  { tabela: 'regua_passos', por: 'cliente_id', colunas: ['titulo', 'texto', 'entrega_como'], dado: 'regua.textos' },
  { tabela: 'regua_pausas', por: 'cliente_id', colunas: ['motivo'], dado: 'regua.pausas' },
  {
    tabela: 'renegociacoes',
    por: 'cliente_id',
    colunas: ['motivo', 'quebrada_motivo'],
    dado: 'renegociacoes.motivo',
  },
];

/** One statement a table. */
async function apagar({ w, titular, contratos }: Caso): Promise<Feito> {
  const dele: Readonly<Record<Textos['por'], (q: Knex.QueryBuilder) => void>> = {
    cliente_id: (q) => void q.where('cliente_id', titular.id),
    contrato_id(q) {
      q.whereIn(
        'contrato_id',
        contratos.map(({ id }) => id),
      );
    },
    fatura_id: (q) => void q.whereIn('fatura_id', w.from('faturas').where('cliente_id', titular.id).select('id')),
  };
  const apagados: string[] = [];
  for (const { tabela, por, colunas, dado } of TEXTOS) {
    const comTexto = (q: Knex.QueryBuilder): void => {
      dele[por](q);
      q.where((um) => {
        for (const coluna of colunas) um.orWhereNotNull(coluna);
      });
    };
    const nada = Object.fromEntries(colunas.map((coluna) => [coluna, null]));
    if ((await w.update(tabela, comTexto, nada)) > 0) apagados.push(dado);
  }
  return { apagados, guardados: [] };
}

export const DOS_TEXTOS: Parte = { tabelas: TEXTOS.map(({ tabela }) => tabela), apagar };
