import { centavos, escreverDinheiro, lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import { COLUNAS_DA_DEVOLUCAO, EM_CURSO } from './devolucoes.types.ts';
import type { DevolucaoRow, MeioDevolvido, SituacaoDaDevolucao } from './devolucoes.types.ts';

const SOMA = expressions<{ valor: string | null }>({ valor: 'SUM(valor)' });

const COLUNA = { pix: 'pix_id', boleto: 'boleto_id', manual: 'manual_id' } as const;

/** Returns that people ask for. */
export function createDevolucoesQueries(w: Write) {
  const dele = () => w.from('devolucoes_pedidas');
  return {
    async buscar(quem: { id: number } | { chave: string }): Promise<DevolucaoRow | undefined> {
      const [row] = await rowsOf(dele().where(quem), COLUNAS_DA_DEVOLUCAO);
      return row;
    },

    /** The same, locked until the transaction ends. */
    async travar(id: number): Promise<DevolucaoRow | undefined> {
      const [row] = await rowsOf(dele().where('id', id).forUpdate(), COLUNAS_DA_DEVOLUCAO);
      return row;
    },

    /** Returns of a PIX by their own ids, locked. */
    async doPix(pixId: number, devolucoes: readonly string[]): Promise<DevolucaoRow[]> {
      const deles = dele().where('pix_id', pixId).whereIn('devolucao', devolucoes).orderBy('id').forUpdate();
      return rowsOf(deles, COLUNAS_DA_DEVOLUCAO);
    },

    /** What of something that came in was asked to be given back and is not answered. Who asks holds the lock of what came in. */
    async emCurso(meio: MeioDevolvido, id: number): Promise<Centavos> {
      const [row] = await rowsOf(dele().where(COLUNA[meio], id).whereIn('situacao', EM_CURSO), SOMA);
      return lerDinheiro(row?.valor ?? '0.00');
    },

    async inserir(
      nova: Pick<DevolucaoRow, 'meio' | 'fatura_id' | 'devolucao' | 'chave' | 'situacao' | 'motivo' | 'forma'> & {
        readonly de: number;
        readonly valor: Centavos;
      },
      agora: Date,
    ): Promise<number> {
      const { de, valor, ...colunas } = nova;
      const instante = toDatabaseTime(agora);
      return w.insert(
        'devolucoes_pedidas',
        {
          ...colunas,
          [COLUNA[nova.meio]]: de,
          valor: escreverDinheiro(valor),
          autor: w.author.name,
          pedida_em: instante,
          respondida_em: nova.situacao === 'devolvida' ? instante : null,
        },
        { soughtBefore: true },
      );
    },

    async mudar(
      ids: readonly number[],
      situacao: SituacaoDaDevolucao,
      recusa: string | null,
      agora: Date,
    ): Promise<void> {
      const instante = toDatabaseTime(agora);
      await w.update('devolucoes_pedidas', (q) => void q.whereIn('id', ids), {
        situacao,
        recusa,
        ...(situacao === 'enviada' ? { enviada_em: instante } : { respondida_em: instante }),
      });
    },

    /** Raises what was given back of a boleto or of a payment by hand. */
    async somarDevolvido(meio: 'boleto' | 'manual', id: number, valor: Centavos): Promise<void> {
      const tabela = meio === 'boleto' ? 'boletos_recebidos' : 'recebimentos_manuais';
      const somado = w.tenant.db.raw('devolvido + ?', [escreverDinheiro(valor)]);
      await w.update(tabela, (q) => void q.where('id', id), { devolvido: somado });
    },

    /** Whose the returns of something are once a person says which invoice it is of. */
    async acompanhar(meio: 'pix' | 'boleto', id: number, faturaId: number | null): Promise<void> {
      await w.update('devolucoes_pedidas', (q) => void q.where(COLUNA[meio], id), { fatura_id: faturaId });
    },
  };
}

/** What is left of something that came in: neither given back nor asked to be. */
export const restaDe = (
  { valor, devolvido }: { readonly valor: string; readonly devolvido: string },
  emCurso: Centavos,
): Centavos => centavos(Math.max(0, lerDinheiro(valor) - lerDinheiro(devolvido) - emCurso));
