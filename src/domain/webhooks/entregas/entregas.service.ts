import type { Db } from '../../../platform/mysql/database.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Outbound } from '../../../platform/http/outbound/outbound.ts';
import { isHere } from '../../../platform/mysql/moving.ts';
import { createTenantWriter } from '../../../platform/mysql/tenant.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { createServing } from '../../../platform/timing/serving.ts';
import type { Round } from '../../../platform/timing/serving.ts';
import type { Actor } from '../../actor.ts';
import { segredosQueAssinam } from '../segredos.ts';
import { createDesativacao } from './desativacao.ts';
import type { DesativacaoDeps } from './desativacao.ts';
import { acabou, comDevidas, createEntregasQueries } from './entregas.queries.ts';
import type { Alvo, AlvoRow, DevidaRow, Feita } from './entregas.queries.ts';
import { esperaDepois } from './horario.regras.ts';
import { AVISA_DEPOIS_MS, DESATIVA_COM_FALHAS, DESATIVA_DEPOIS_MS, saudeDepois, simultaneas } from './saude.regras.ts';
import { createTentativa } from './tentativa.ts';
import type { Envio } from './tentativa.ts';

export type EntregasService = ReturnType<typeof createEntregasService>;

export interface EntregasDeps extends DesativacaoDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly segredos: Secrets;
  readonly saida: Pick<Outbound, 'send'>;
  /** In whose name a webhook is disabled, and its failing told of. */
  readonly autor: Actor;
  /** Told of a webhook whose deliveries could not be read or written; they are tried again. */
  readonly aoFalhar: (alvo: Alvo, error: unknown) => void;
}

/**
 * Until when whoever makes an attempt must have said what came of it: the 16 s that it may take, and time to write it. After a kill -9 the
 * webhook's attempts count as under way for as long.
 */
const PRAZO_MS = 20_000;

/** What is to be done next of one webhook. */
interface Rodada extends Round<DevidaRow & Envio> {
  readonly depois: 'nada' | 'avisar' | 'falhas';
}

const NADA: Rodada = { tasks: [], room: false, depois: 'nada' };

/**
 * Delivers, of every provider, what is due. Each webhook is served apart from the others: what is slow or hangs holds up nobody else. An
 * attempt is counted before it is made, and no transaction is open meanwhile; if its process dies, another makes it again. Several processes
 * share what one webhook may have under way, through the lock of its row.
 */
export function createEntregasService(deps: EntregasDeps) {
  const { db, relogio, segredos, saida, autor, aoFalhar } = deps;
  const tentar = createTentativa({ saida, relogio });
  const desativacao = createDesativacao(deps);

  /** Writes what came of attempts, and takes what may be attempted next, in one short transaction. */
  async function rodada({ provedorId, webhookId }: Alvo, feitas: readonly Feita[], parando: boolean): Promise<Rodada> {
    return db.transaction(
      async (trx) => {
        const aqui = await isHere(trx, provedorId);
        const queries = createEntregasQueries(createTenantWriter(trx, provedorId), trx, webhookId);
        const alvo = await queries.travar();
        if (alvo === undefined) return NADA;
        await queries.anotar(feitas);
        const agora = relogio.agora();
        const saude = saudeDepois(alvo, feitas);
        if (feitas.length > 0) {
          await queries.anotarNoWebhook({ ...saude, ultima_entrega_em: toDatabaseTime(agora) });
        }
        if (parando || !aqui || alvo.situacao !== 'ativo' || alvo.removido_em !== null) return NADA;
        const depois = await oQueDizer(queries, { ...alvo, ...saude }, agora);
        const { sao, abandonadas } = await queries.emAndamento(agora);
        const livres = simultaneas(saude.falhas_seguidas) - sao;
        // First the ones whose process died while it attempted them.
        const retomadas = abandonadas.slice(0, Math.max(0, livres));
        const devidas = [...retomadas, ...(await queries.devidas(agora, livres - retomadas.length))];
        await queries.esgotar(devidas.filter(acabou).map(({ id }) => id));
        const contadas = devidas.filter((uma) => !acabou(uma));
        if (contadas.length > 0) {
          const ids = contadas.map(({ id }) => id);
          await queries.contar(ids, new Date(agora.getTime() + PRAZO_MS));
        }
        const assinam = contadas.length === 0 ? [] : segredosQueAssinam(segredos, provedorId, alvo, agora);
        return {
          tasks: contadas.map(({ id, tentativas, vez, corpo, msg_id: msgId }) => ({
            id,
            tentativas: tentativas + 1,
            vez: vez + 1,
            corpo,
            msgId,
            url: alvo.url,
            segredos: assinam,
          })),
          room: livres > devidas.length,
          depois,
        };
      },
      { isolationLevel: 'read committed' },
    );
  }

  /** Makes one attempt; resolves to what is to be written of it. */
  async function fazer({ id, tentativas, vez, ...envio }: DevidaRow & Envio): Promise<Feita> {
    const resultado = await tentar(envio);
    const espera = esperaDepois(vez, Math.random(), resultado.esperaMs);
    const proximaEm = espera === null ? null : new Date(relogio.agora().getTime() + espera);
    return { id, tentativas, vez, resultado, proximaEm };
  }

  async function dizer(alvo: Alvo, feitas: readonly Feita[], { depois }: Rodada): Promise<void> {
    if (feitas.some(({ resultado }) => resultado.status === GONE)) await desativacao.desativar(autor, alvo, 'gone');
    else if (depois === 'falhas') await desativacao.desativar(autor, alvo, 'falhas');
    else if (depois === 'avisar') await desativacao.avisar(autor, alvo);
  }

  const servico = createServing<Alvo, DevidaRow & Envio, Feita, Rodada>({
    nameOf: ({ provedorId, webhookId }) => `${provedorId}:${webhookId}`,
    round: rodada,
    perform: async (_alvo, uma) => fazer(uma),
    after: dizer,
    onError: aoFalhar,
  });

  return {
    /** Begins to serve every webhook that something is due to and that this process does not serve already; resolves to how many. */
    entregar: async (): Promise<number> =>
      servico.isStopping() ? 0 : servico.begin(await comDevidas(db, relogio.agora())),

    /** Resolves once nothing is under way, with what came of it written. */
    terminar: async (): Promise<void> => servico.finish(),

    /** Takes nothing more, and waits for what is under way. */
    parar: async (): Promise<void> => servico.stop(),
  };
}

/** What a receiver answers that wants nothing more, ever (RFC 9110, 15.5.11). */
const GONE = 410;

/** Whether it is time to say that a webhook fails, or to disable it. */
async function oQueDizer(
  queries: ReturnType<typeof createEntregasQueries>,
  { falhando_desde, avisado_em }: Pick<AlvoRow, 'falhando_desde' | 'avisado_em'>,
  agora: Date,
): Promise<Rodada['depois']> {
  if (falhando_desde === null) return 'nada';
  const haMs = agora.getTime() - fromDatabaseTime(falhando_desde).getTime();
  if (haMs >= DESATIVA_DEPOIS_MS) {
    const falhas = await queries.falhasDesde(falhando_desde, DESATIVA_COM_FALHAS);
    if (falhas >= DESATIVA_COM_FALHAS) return 'falhas';
  }
  return haMs >= AVISA_DEPOIS_MS && avisado_em === null ? 'avisar' : 'nada';
}
