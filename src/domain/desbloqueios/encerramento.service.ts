import type { Db } from '../../platform/mysql/database.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Actor } from '../actor.ts';
import { devemEmAtraso } from '../contratos/divida.service.ts';
import { mover } from '../contratos/movimentos/movimentos.service.ts';
import { travarContratos } from '../contratos/movimentos/travas.service.ts';
import type { Write, WriteFor } from '../escrita.ts';
import { bloqueiamDeNovo, semEsperaDeRetorno } from '../regua/ativa.service.ts';
import type { ProvedoresService } from '../provedores/provedores.service.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { CLIENTES_TAG, clienteTag, contratoTag } from '../tags.ts';
import { createEncerramentoQueries } from './encerramento.queries.ts';
import { provedoresComVencidos } from './vencidos.queries.ts';

export type EncerramentoService = ReturnType<typeof createEncerramentoService>;

export interface EncerramentoDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly provedores: Pick<ProvedoresService, 'buscarPorId'>;
}

/** Ends trust unblocks when their time is over; see `decisions.md`, "Trust unblock". */
export function createEncerramentoService({ db, relogio, write, provedores }: EncerramentoDeps) {
  return {
    /** Providers that have an unblock to be ended. */
    provedores: async (): Promise<number[]> => provedoresComVencidos(db, relogio.agora()),

    /**
     * Ends up to `limite` unblocks of a provider, in one transaction: a contract that owes something late is blocked
     * for billing again; one that was suspended meanwhile comes back blocked. Any other that is not `ativo` any more
     * (cancelled, blocked by hand) stays as it is. Who may be paid by a boleto of which the bank has yet to tell waits
     * for its file. Each is ended once, however many run at a time, and the number of statements does not depend on how
     * many they are.
     *
     * @returns whether more may be waiting.
     */
    async encerrar(actor: Actor, provedorId: number, limite = 100): Promise<{ mais: boolean }> {
      const provedor = await provedores.buscarPorId(provedorId);
      if (provedor === null) return { mais: false };
      return write(actor, provedorId, async (w) => encerrarEm(w, provedor, relogio.agora(), limite));
    },
  };
}

async function encerrarEm(w: Write, provedor: Provedor, agora: Date, limite: number): Promise<{ mais: boolean }> {
  const queries = createEncerramentoQueries(w, await semEsperaDeRetorno(w, provedor, agora));
  const ids = await queries.contratos(agora, limite);
  const { contratos: travados } = await travarContratos(w, ids, { pular: true });
  if (travados.length === 0) return { mais: false };
  const desbloqueios = await queries.desbloqueios(
    travados.map(({ id }) => id),
    agora,
  );
  const contratos = travados.filter(({ id }) => desbloqueios.has(id));
  if (contratos.length === 0) return { mais: false };

  const seguem = contratos.filter(({ situacao }) => situacao === 'ativo' || situacao === 'inativo');
  const devedoresDeAlgo = await devemEmAtraso(w, seguem, provedor, { agora, esperar: true });
  // With a ladder, only what was blocked before is blocked again: of anything else the client has yet to be told.
  const devem = new Set(await bloqueiamDeNovo(w, devedoresDeAlgo, [...desbloqueios.values()]));
  const [devedores, suspensos] = (['ativo', 'inativo'] as const).map((qual) =>
    seguem.filter((contrato) => contrato.situacao === qual && devem.has(contrato)),
  ) as [typeof seguem, typeof seguem];
  await queries.encerrar([...desbloqueios.values()]);
  await queries.lembrarDebito(suspensos.map(({ id }) => id));
  await queries.historico(
    contratos.filter((contrato) => contrato.situacao === 'ativo' && !devem.has(contrato)).map(({ id }) => id),
    'Fim do desbloqueio de confiança, sem fatura em atraso.',
    agora,
  );
  await mover(w, 'bloquear_por_debito', devedores, {
    descricao: 'Bloqueado no fim do desbloqueio de confiança: há fatura em atraso.',
    agora,
    dados: ({ id }) => ({ origem: 'financeiro' as const, fatura: null, ...desbloqueioDe(desbloqueios.get(id)) }),
  });
  for (const contrato of contratos) {
    const { id, cliente_id } = contrato;
    const desbloqueio = desbloqueios.get(id);
    if (desbloqueio === undefined || devedores.includes(contrato)) continue;
    w.touch(CLIENTES_TAG, contratoTag(id), clienteTag(cliente_id));
    w.emit('contrato.desbloqueio_encerrado', id, { cliente: cliente_id, desbloqueio });
  }
  return { mais: ids.length === limite };
}

const desbloqueioDe = (desbloqueio: number | undefined) => (desbloqueio === undefined ? {} : { desbloqueio });
