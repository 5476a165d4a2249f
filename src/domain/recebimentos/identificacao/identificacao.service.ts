import { centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { Actor } from '../../actor.ts';
import { EntradaInvalida, Recusa } from '../../erros.ts';
import type { WriteFor } from '../../escrita.ts';
import type { ProvedoresService } from '../../provedores/provedores.service.ts';
import { createIdentificacaoQueries } from './identificacao.queries.ts';
import type { BalancoDoPix } from './identificacao.types.ts';
import { provedoresComIdentificaveis } from './pendentes.queries.ts';
import type { ResultadoDoBoleto } from '../boletos/boletos.types.ts';
import { desvincular, vincularBoleto, vincularPix } from './vinculo.service.ts';
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

  return {
    naoIdentificados: async (provedorId: number, limite: number) => queriesDe(provedorId).naoIdentificados(limite),
    comExcedente: async (provedorId: number, limite: number) => queriesDe(provedorId).comExcedente(limite),
    recusados: async (provedorId: number, limite: number) => queriesDe(provedorId).recusados(limite),

    /** Where all that PSPs ever told the provider of, and people registered, is, at one instant. */
    async conferir(provedorId: number): Promise<BalancoDoPix> {
      const { avisado, boletos, baixado, devolvido, naoIdentificado, nasFaturas, excedente } = await db.transaction(
        async (trx) => createIdentificacaoQueries(createTenantDb(trx, provedorId)).somas(),
        { isolationLevel: 'repeatable read' },
      );
      const aplicado = centavos(nasFaturas - excedente);
      const diferenca = centavos(avisado + boletos + baixado - devolvido - naoIdentificado - nasFaturas);
      return { avisado, boletos, baixado, aplicado, excedente, naoIdentificado, devolvido, diferenca };
    },

    /**
     * Puts a PIX to an invoice, which it settles by the day on which it was paid.
     *
     * @throws EntradaInvalida when the provider has no such PIX or invoice, or the PIX is of an invoice; else Recusa as {@link vincularPix}.
     */
    async vincular(actor: Actor, provedorId: number, recebidoId: number, faturaId: number): Promise<ResultadoDoPix> {
      const provedor = await provedores.exigirPorId(provedorId);
      const agora = relogio.agora();
      return comNomes({ provedorId, faturaId, oQue: `o PIX ${recebidoId}` }, async () =>
        write(actor, provedorId, async (w) => vincularPix(w, provedor, recebidoId, faturaId, { aMao: true, agora })),
      );
    },

    /** The same of a boleto. @throws as for a PIX */
    async vincularBoleto(
      actor: Actor,
      provedorId: number,
      recebidoId: number,
      faturaId: number,
    ): Promise<ResultadoDoBoleto> {
      const provedor = await provedores.exigirPorId(provedorId);
      return comNomes({ provedorId, faturaId, oQue: `o boleto ${recebidoId}` }, async () =>
        write(actor, provedorId, async (w) => vincularBoleto(w, provedor, recebidoId, faturaId, relogio.agora())),
      );
    },

    /**
     * Takes a PIX or the money of a boleto from the invoice that a person had put it to, as if it had never been there; blocks nobody.
     *
     * @throws EntradaInvalida when no person had; else Recusa as {@link desvincular}.
     */
    async desvincular(
      actor: Actor,
      provedorId: number,
      recebidoId: number,
      meio: 'pix' | 'boleto' = 'pix',
    ): Promise<void> {
      const provedor = await provedores.exigirPorId(provedorId);
      const oQue = `o ${meio === 'pix' ? 'PIX' : 'boleto'} ${recebidoId}`;
      await comNomes({ provedorId, faturaId: null, oQue }, async () =>
        write(actor, provedorId, async (w) => desvincular(w, provedor, meio, recebidoId, relogio.agora())),
      );
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
          const agora = relogio.agora();
          await write(actor, provedorId, async (w) => vincularPix(w, provedor, id, faturaId, { aMao: false, agora }));
        } catch (error) {
          // Somebody has put it to an invoice meanwhile, or the bank is giving it back: it waits.
          if (error instanceof Recusa) continue;
          // It keeps no other from its invoice, and is tried again in a minute.
          falha ??= { error };
        }
      }
      if (falha !== undefined) throw falha.error;
      return { mais: achados.length === POR_LOTE };
    },
  };
}

/** Refusals in words that name what was typed at a terminal. */
async function comNomes<T>(
  {
    provedorId,
    faturaId,
    oQue,
  }: { readonly provedorId: number; readonly faturaId: number | null; readonly oQue: string },
  fazer: () => Promise<T>,
): Promise<T> {
  try {
    return await fazer();
  } catch (error) {
    if (!(error instanceof Recusa)) throw error;
    const { motivo, detalhe } = error;
    if (motivo === 'recebimento_vinculado') throw new EntradaInvalida(`${oQue} já é de uma fatura`);
    if (faturaId === null && (motivo === 'nao_encontrado' || motivo === 'recebimento_nao_vinculado')) {
      throw new EntradaInvalida(`${oQue} do provedor ${provedorId} não foi vinculado à mão`);
    }
    if (motivo !== 'nao_encontrado') throw error;
    const falta = detalhe.campo === 'fatura' ? `a fatura ${faturaId}` : oQue;
    throw new EntradaInvalida(`o provedor ${provedorId} não tem ${falta}`);
  }
}
