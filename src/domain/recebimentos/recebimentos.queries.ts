import type { Knex } from 'knex';
import { escreverDinheiro } from '../../brazil/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro.ts';
import { toDatabaseTime } from '../../platform/database.ts';
import { sameTenant } from '../../platform/tenant.ts';
import type { TenantDb } from '../../platform/tenant.ts';
import type { Write } from '../../platform/writes.ts';
import type { ContratoALiberar } from '../contratos/liberacao.service.ts';
import type { Devolucao, FaturaTravadaRow, PixRecebido, RecebidoRow } from './recebimentos.types.ts';

/** The invoice that a PIX is for, without a lock: by its txid, or by what is known of it where that leads nowhere. */
export async function buscarFaturaDoPix(
  tenant: TenantDb,
  { txid, endToEndId }: PixRecebido,
): Promise<{ id: number; cliente_id: number; contrato_id: number | null } | undefined> {
  const buscar = (query: (faturas: Knex.QueryBuilder) => void) =>
    tenant
      .from('faturas')
      .modify(query)
      .first<{ id: number; cliente_id: number; contrato_id: number | null } | undefined>(
        'faturas.id',
        'faturas.cliente_id',
        'faturas.contrato_id',
      );
  const porTxid = txid === null ? undefined : await buscar((faturas) => void faturas.where('pix_txid', txid));
  return (
    porTxid ??
    buscar((faturas) => {
      faturas
        .join('pix_recebidos', sameTenant('faturas', 'id', 'pix_recebidos', 'fatura_id'))
        .where('end_to_end_id', endToEndId);
    })
  );
}

interface ContratoTravadoRow extends ContratoALiberar {
  situacao: string;
  bloqueio_origem: string | null;
}

export function createRecebimentosQueries(w: Write) {
  return {
    /**
     * What a payment of an invoice may release: contracts that billing has blocked, its own and its client's. Locked are also those that are not
     * blocked: the end of a trust unblock could block one before the invoice is locked, by a debt that is being paid.
     */
    async travarBloqueados(fatura: { cliente_id: number; contrato_id: number | null }): Promise<ContratoALiberar[]> {
      const travar = async (quais: { cliente_id: number } | { id: number }): Promise<ContratoTravadoRow[]> =>
        w
          .from('contratos')
          .where(quais)
          .orderBy('id')
          .forUpdate()
          .select<ContratoTravadoRow[]>('id', 'cliente_id', 'situacao', 'bloqueio_origem');
      const contratos = await travar({ cliente_id: fatura.cliente_id });
      const { contrato_id: id } = fatura;
      // Nothing keeps an invoice from being of another client's contract.
      if (id !== null && !contratos.some((contrato) => contrato.id === id)) contratos.push(...(await travar({ id })));
      return contratos.filter(
        ({ situacao, bloqueio_origem }) => situacao === 'bloqueado' && bloqueio_origem === 'financeiro',
      );
    },

    /** The invoice, locked until the transaction ends. */
    async travarFatura(id: number): Promise<FaturaTravadaRow | undefined> {
      const [row] = await w
        .from('faturas')
        .where('id', id)
        .forUpdate()
        .select<FaturaTravadaRow[]>(
          'id',
          'cliente_id',
          'contrato_id',
          'situacao',
          'valor',
          'valor_pago',
          'vencimento',
          'pago_em',
        );
      return row;
    },

    async buscarRecebido(endToEndId: string): Promise<RecebidoRow | undefined> {
      const [row] = await w
        .from('pix_recebidos')
        .where('end_to_end_id', endToEndId)
        .select<RecebidoRow[]>('id', 'fatura_id', 'valor', 'devolvido');
      return row;
    },

    async inserirRecebido(faturaId: number, pix: PixRecebido, agora: Date): Promise<number> {
      return w.insert('pix_recebidos', {
        fatura_id: faturaId,
        end_to_end_id: pix.endToEndId,
        valor: escreverDinheiro(pix.valor),
        pago_em: toDatabaseTime(pix.horario),
        criado_em: toDatabaseTime(agora),
      });
    },

    async devolucoesConhecidas(recebidoId: number): Promise<string[]> {
      const rows = await w
        .from('pix_devolucoes')
        .where('recebido_id', recebidoId)
        .select<{ devolucao: string }[]>('devolucao');
      return rows.map(({ devolucao }) => devolucao);
    },

    async inserirDevolucoes(recebidoId: number, devolucoes: readonly Devolucao[], devolvido: Centavos, agora: Date) {
      await w.insert(
        'pix_devolucoes',
        devolucoes.map(({ id, valor }) => ({
          recebido_id: recebidoId,
          devolucao: id,
          valor: escreverDinheiro(valor),
          criado_em: toDatabaseTime(agora),
        })),
      );
      await w.update('pix_recebidos', (q) => void q.where('id', recebidoId), {
        devolvido: escreverDinheiro(devolvido),
      });
    },

    async notificarEquipe(tipo: string, faturaId: number, agora: Date): Promise<void> {
      await w.insert('notificacoes', {
        tipo,
        origem: 'pix',
        recurso: 'fatura',
        recurso_id: faturaId,
        criado_em: toDatabaseTime(agora),
      });
    },
  };
}
