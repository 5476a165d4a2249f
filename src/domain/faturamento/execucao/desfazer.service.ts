import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { jsonColumn, toDatabaseTime } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { txidEstaticoValido } from '../../../brazil/pix/pix.ts';
import type { BoletoSituacao } from '../../boletos/boletos.types.ts';
import { Recusa, recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import { cancelarFaturas } from '../../faturas/cancelamento/cancelamento.service.ts';
import type { FaturaACancelar } from '../../faturas/cancelamento/cancelamento.service.ts';
import type { ItemDaCobranca } from '../faturamento.types.ts';

interface VezRow {
  id: number;
  desfeito_em: string | null;
}

const DA_VEZ = columns<VezRow>('faturamentos', { id: true, desfeito_em: true });

interface FaturaDaVez extends FaturaACancelar {
  situacao: string;
  grupo: string;
  valor_pago: string;
  pix_txid: string | null;
  linha_digitavel: string | null;
  boleto_situacao: BoletoSituacao | null;
}

const DA_FATURA = columns<FaturaDaVez>('faturas', {
  id: true,
  cliente_id: true,
  contrato_id: true,
  situacao: true,
  grupo: true,
  valor_pago: true,
  pix_txid: true,
  linha_digitavel: true,
  boleto_situacao: true,
});
const DE_FATURA = columns<{ fatura_id: number }>('n', { fatura_id: true });
const ITENS = columns<{ itens: string | readonly ItemDaCobranca[] }>('faturamento_cobrancas', { itens: true });
const DE_CONTRATO = columns<{ contrato_id: number }>('g', { contrato_id: true });

/** What of the invoice stands in the way, in words. */
function impedimento({ grupo, valor_pago, pix_txid, linha_digitavel, boleto_situacao }: FaturaDaVez): string | null {
  if (grupo !== 'aberta') return 'não está mais em aberto';
  if (Number(valor_pago) > 0) return 'já recebeu um pagamento';
  if (boleto_situacao !== null && boleto_situacao !== 'a_registrar') return 'tem boleto numa remessa ao banco';
  if (linha_digitavel !== null) return 'tem boleto de um banco';
  if (pix_txid !== null && !txidEstaticoValido(pix_txid)) return 'tem cobrança num PSP';
  return null;
}

/** Takes a billing run back. */
export function createDesfazerFaturamento({ w, relogio }: { readonly w: Write; readonly relogio: Relogio }) {
  /** Of some invoices, the first one that another table knows. */
  async function primeiraEm(tabela: string, ids: readonly number[], so: (q: ReturnType<Write['from']>) => void) {
    const achadas = w.from(`${tabela} as n`).whereIn('n.fatura_id', ids).modify(so).orderBy('n.id').limit(1);
    return (await rowsOf(achadas, DE_FATURA))[0]?.fatura_id;
  }

  const recusar = (fatura: number, porque: string): never => {
    throw new Recusa('faturamento_em_uso', { registroId: fatura, dito: `a fatura ${fatura} ${porque}` });
  };

  return {
    /**
     * Undoes a run: its invoices are cancelled, its charges can be made again, and what is charged once is again to be. All of it or
     * nothing. An invoice that people cancelled stays so, and its month and what it charged once stay charged.
     *
     * @returns how many invoices were cancelled
     * @throws Recusa `nao_encontrado`, `transicao_invalida` where it was undone before, `faturamento_em_uso`
     */
    async desfazer(id: number): Promise<number> {
      const agora = relogio.agora();
      const [vez] = await rowsOf(w.from('faturamentos').where({ id }).forUpdate(), DA_VEZ);
      recusarSeNao(vez, 'nao_encontrado');
      recusarSeNao(vez.desfeito_em === null, 'transicao_invalida', { dito: 'o faturamento já foi desfeito' });
      await recusarComPosterior(w, id);

      const deles = w
        .from('faturamento_cobrancas')
        .where({ faturamento_id: id })
        .whereNotNull('fatura_id')
        .select('fatura_id');
      const todas = await rowsOf(w.from('faturas').whereIn('id', deles).orderBy('id').forUpdate(), DA_FATURA);
      const canceladas = todas.filter(({ situacao }) => situacao === 'cancelada').map((fatura) => fatura.id);
      const faturas = todas.filter(({ situacao }) => situacao !== 'cancelada');
      for (const fatura of faturas) {
        const porque = impedimento(fatura);
        if (porque !== null) recusar(fatura.id, porque);
      }
      const ids = faturas.map((fatura) => fatura.id);
      const comNota = await primeiraEm('nfcom', ids, naoDescartadas);
      if (comNota !== undefined) recusar(comNota, 'já tem nota fiscal, ou um número reservado para ela');
      const emAcordo = await primeiraEm('renegociacoes_faturas', ids, () => {});
      if (emAcordo !== undefined) recusar(emAcordo, 'entrou numa renegociação');

      await cancelarFaturas(w, faturas, { motivo: `Faturamento ${id} desfeito.`, motivoCodigo: 'erro', agora });
      await w.delete('faturamento_cobrancas', (q) => {
        void q.where({ faturamento_id: id });
        if (canceladas.length > 0) {
          void q.where((outras) => void outras.whereNull('fatura_id').orWhereNotIn('fatura_id', canceladas));
        }
      });
      // What stays charged keeps what it took.
      const ficam = await rowsOf(w.from('faturamento_cobrancas').where({ faturamento_id: id }), ITENS);
      const tomados = ficam.flatMap(({ itens }) =>
        jsonColumn<readonly ItemDaCobranca[]>(itens).flatMap(({ item }) => item ?? []),
      );
      await w.update(
        'contratos_itens',
        (q) => {
          void q.where({ faturamento_id: id });
          if (tomados.length > 0) void q.whereNotIn('id', tomados);
        },
        { faturamento_id: null },
      );
      await w.update('faturamentos', (q) => void q.where({ id }), {
        desfeito_em: toDatabaseTime(agora),
        desfeito_por: w.author.name,
      });
      w.emit('faturamento.desfeito', id, { faturas: ids.length });
      return ids.length;
    },
  };
}

/** A note that was given up counts as if it had never been. */
const naoDescartadas = (q: ReturnType<Write['from']>): void =>
  void q.where((uma) => void uma.whereNull('n.motivo_codigo').orWhere('n.motivo_codigo', '<>', 'descartada'));

/** A later charge was computed from this one: if this one went, what the later one corrected would be charged twice. */
async function recusarComPosterior(w: Write, id: number): Promise<void> {
  const posteriores = w
    .from('faturamento_cobrancas as f')
    .join('faturamento_cobrancas as g', sameTenant('f', 'contrato_id', 'g', 'contrato_id'))
    .where('f.faturamento_id', id)
    .whereRaw("(g.competencia > f.competencia OR (f.tipo = 'carne' AND g.competencia = f.competencia))")
    .whereNot('g.faturamento_id', id)
    .where('g.tipo', 'mensalidade')
    .limit(1);
  const [uma] = await rowsOf(posteriores, DE_CONTRATO);
  if (uma === undefined) return;
  const dito = `o contrato ${uma.contrato_id} já tem cobrança de um mês posterior`;
  throw new Recusa('faturamento_em_uso', { dito });
}
