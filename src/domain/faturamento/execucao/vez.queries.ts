import type { Data } from '../../../brazil/calendario/datas.ts';
import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { ID, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import type { OrigemDaVez, TipoDeCobranca } from '../faturamento.types.ts';
import type { CobrancaDoContrato } from './faturas.regras.ts';

const DE_TODAS = expressions<{ cobrancas: string | null }>({ cobrancas: 'SUM(cobrancas)' });

/**
 * How many charges a provider's runs of a day and of all days after it have made, those that were undone too: it grows with each that is
 * written.
 */
export async function cobrancasFeitas(tenant: Write['tenant'], desde: Data): Promise<number> {
  const [row] = await rowsOf(tenant.from('faturamentos', 'faturamentos_um').where('dia', '>=', desde), DE_TODAS);
  return Number(row?.cobrancas ?? 0);
}

export function createVezQueries(w: Write) {
  return {
    /** The run of a day, locked: what is left of the day belongs to it, until it is undone. */
    async abrir(dia: Data, origem: OrigemDaVez, agora: Date): Promise<number> {
      if (origem !== 'carne') {
        const daVez = w.from('faturamentos').where({ dia, origem }).whereNull('desfeito_em').forUpdate();
        const [row] = await rowsOf(daVez, ID);
        if (row !== undefined) return row.id;
      }
      const nova = { dia, origem, autor: w.author.name, iniciado_em: toDatabaseTime(agora) };
      return w.insert('faturamentos', nova, { soughtBefore: true });
    },

    async gravarCobrancas(
      { faturamento_id, tipo, bloqueado }: { faturamento_id: number; tipo: TipoDeCobranca; bloqueado: boolean },
      cobrancas: readonly (CobrancaDoContrato & { readonly faturaId: number | null })[],
    ): Promise<void> {
      const linhas = cobrancas.map(({ cobranca, faturaId }) => ({
        contrato_id: cobranca.contratoId,
        competencia: cobranca.competencia,
        tipo,
        faturamento_id,
        fatura_id: faturaId,
        vencimento: cobranca.vencimento,
        valor: escreverDinheiro(cobranca.valor),
        dias: cobranca.dias,
        isenta: cobranca.isenta ? 1 : 0,
        bloqueado: bloqueado ? 1 : 0,
        itens: JSON.stringify(cobranca.itens),
      }));
      if (linhas.length > 0) await w.insert('faturamento_cobrancas', linhas);
    },

    /** What is charged once was taken by the run. */
    async tomarUnicos(faturamento_id: number, ids: readonly number[]): Promise<void> {
      if (ids.length === 0) return;
      const unicos = (q: ReturnType<Write['from']>) => void q.whereIn('id', ids).where('tipo', 'unico');
      await w.update('contratos_itens', unicos, { faturamento_id });
    },

    async somar(id: number, feito: { cobrancas: number; faturas: number; total: Centavos }): Promise<void> {
      const { db } = w.tenant;
      await w.update('faturamentos', (q) => void q.where({ id }), {
        cobrancas: db.raw('cobrancas + ?', [feito.cobrancas]),
        faturas: db.raw('faturas + ?', [feito.faturas]),
        total: db.raw('total + ?', [escreverDinheiro(feito.total)]),
      });
    },
  };
}
