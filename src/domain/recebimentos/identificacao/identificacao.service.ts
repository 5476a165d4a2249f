import { centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { Actor } from '../../actor.ts';
import { EntradaInvalida } from '../../erros.ts';
import type { Write, WriteFor } from '../../escrita.ts';
import type { ProvedoresService } from '../../provedores/provedores.service.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { createIdentificacaoQueries } from './identificacao.queries.ts';
import type { BalancoDoPix } from './identificacao.types.ts';
import { provedoresComIdentificaveis } from './pendentes.queries.ts';
import { julgarDeNovo, quitar, travarFatura, valoresDe } from '../quitacao.service.ts';
import { createRecebimentosQueries } from '../recebimentos.queries.ts';
import type { ResultadoDoPix } from '../recebimentos.types.ts';

export type IdentificacaoService = ReturnType<typeof createIdentificacaoService>;

export interface IdentificacaoDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly provedores: Pick<ProvedoresService, 'buscarPorId' | 'exigirPorId'>;
}

/** Of one provider, in one turn of the job. */
const POR_LOTE = 100;

/** Finds the invoices of PIX that came without one: by their txid once an invoice has it, or by a person's word. */
export function createIdentificacaoService({ db, relogio, write, provedores }: IdentificacaoDeps) {
  const queriesDe = (provedorId: number) => createIdentificacaoQueries(createTenantDb(db, provedorId));

  /** Null where it has an invoice by now. @throws EntradaInvalida when the provider has no such PIX or invoice. */
  async function vincularEm(
    w: Write,
    provedor: Provedor,
    recebidoId: number,
    faturaId: number,
    aMao: boolean,
  ): Promise<ResultadoDoPix | null> {
    const queries = createRecebimentosQueries(w);
    const agora = relogio.agora();
    const alvo = await queries.buscarFatura(faturaId);
    if (alvo === undefined) throw new EntradaInvalida(`o provedor ${provedor.id} não tem a fatura ${faturaId}`);
    const travada = await travarFatura(w, alvo);
    const recebido = await queries.travarRecebido({ id: recebidoId });
    if (recebido === undefined) throw new EntradaInvalida(`o provedor ${provedor.id} não tem o PIX ${recebidoId}`);
    if (recebido.fatura_id !== null) return null;
    await queries.identificar(recebidoId, faturaId, recebido.txid, aMao ? agora : null);
    if (aMao) w.emit('recebimento.vinculado', recebidoId, { fatura: faturaId });
    return quitar(w, provedor, travada, recebido, [], agora);
  }

  return {
    naoIdentificados: async (provedorId: number, limite: number) => queriesDe(provedorId).naoIdentificados(limite),
    comExcedente: async (provedorId: number, limite: number) => queriesDe(provedorId).comExcedente(limite),
    recusados: async (provedorId: number, limite: number) => queriesDe(provedorId).recusados(limite),

    /** Where all that PSPs ever told the provider of, and people registered, is, at one instant. */
    async conferir(provedorId: number): Promise<BalancoDoPix> {
      const { avisado, baixado, devolvido, naoIdentificado, nasFaturas, excedente } = await db.transaction(
        async (trx) => createIdentificacaoQueries(createTenantDb(trx, provedorId)).somas(),
        { isolationLevel: 'repeatable read' },
      );
      const aplicado = centavos(nasFaturas - excedente);
      const diferenca = centavos(avisado + baixado - devolvido - naoIdentificado - nasFaturas);
      return { avisado, baixado, aplicado, excedente, naoIdentificado, devolvido, diferenca };
    },

    /**
     * Puts a PIX to an invoice, which it settles by the day on which it was paid.
     *
     * @throws EntradaInvalida when the provider has no such PIX or invoice, or the PIX is of an invoice already.
     */
    async vincular(actor: Actor, provedorId: number, recebidoId: number, faturaId: number): Promise<ResultadoDoPix> {
      const provedor = await provedores.exigirPorId(provedorId);
      const resultado = await write(actor, provedorId, async (w) =>
        vincularEm(w, provedor, recebidoId, faturaId, true),
      );
      if (resultado === null) throw new EntradaInvalida(`o PIX ${recebidoId} já é de uma fatura`);
      return resultado;
    },

    /**
     * Takes a PIX from the invoice that a person had put it to, as if it had never been there; blocks nobody.
     *
     * @throws EntradaInvalida when no person had; Recusa `excedente_usado`, of what became credit of another invoice.
     */
    async desvincular(actor: Actor, provedorId: number, recebidoId: number): Promise<void> {
      const provedor = await provedores.exigirPorId(provedorId);
      await write(actor, provedorId, async (w) => {
        const queries = createRecebimentosQueries(w);
        const agora = relogio.agora();
        const visto = await queries.buscarRecebido({ id: recebidoId });
        const faturaId = visto?.fatura_id ?? null;
        const alvo = faturaId === null ? undefined : await queries.buscarFatura(faturaId);
        const travada = alvo === undefined ? null : await travarFatura(w, alvo);
        const recebido = await queries.travarRecebido({ id: recebidoId });
        if (travada === null || recebido?.fatura_id !== travada.fatura.id || recebido.vinculado_em === null) {
          throw new EntradaInvalida(`o PIX ${recebidoId} do provedor ${provedorId} não foi vinculado à mão`);
        }
        await queries.identificar(recebidoId, null, recebido.txid, null);
        const juizo = await julgarDeNovo(w, provedor, travada, agora, { desfaz: true });
        w.emit('recebimento.desvinculado', recebidoId, { fatura: travada.fatura.id });
        if (travada.fatura.situacao === 'paga' && juizo.situacao !== 'paga') {
          const { id, cliente_id: cliente } = travada.fatura;
          w.emit('fatura.reaberta', id, { cliente, ...valoresDe(juizo) });
        }
      });
    },

    /** Providers that have a PIX whose invoice came after it. */
    provedores: async (): Promise<number[]> => provedoresComIdentificaveis(db, relogio.agora()),

    /** Puts up to a hundred PIX to the invoices that have their txid by now, each in a transaction of its own. */
    async identificar(actor: Actor, provedorId: number): Promise<{ mais: boolean }> {
      const provedor = await provedores.buscarPorId(provedorId);
      if (provedor === null) return { mais: false };
      const achados = await queriesDe(provedorId).identificaveis(relogio.agora(), POR_LOTE);
      let falha: { readonly error: unknown } | undefined;
      for (const { id, faturaId } of achados) {
        try {
          await write(actor, provedorId, async (w) => vincularEm(w, provedor, id, faturaId, false));
        } catch (error) {
          // It keeps no other from its invoice, and is tried again in a minute.
          falha ??= { error };
        }
      }
      if (falha !== undefined) throw falha.error;
      return { mais: achados.length === POR_LOTE };
    },
  };
}
