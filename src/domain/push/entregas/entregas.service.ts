import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Outbound } from '../../../platform/http/outbound/outbound.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { isHere } from '../../../platform/mysql/moving.ts';
import { createTenantWriter } from '../../../platform/mysql/tenant.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { createServing } from '../../../platform/timing/serving.ts';
import type { Round } from '../../../platform/timing/serving.ts';
import type { ProvedoresService } from '../../provedores/provedores.service.ts';
import type { Desfecho } from '../canais/canal.types.ts';
import { createFcm } from '../canais/fcm.ts';
import type { EnderecosDoGoogle } from '../canais/fcm.ts';
import { desfechoDaFalha } from '../canais/resposta.regras.ts';
import type { Vapid } from '../canais/vapid.ts';
import { createWebPush } from '../canais/webpush.ts';
import { abrirConta } from '../conta/conta.queries.ts';
import { abrirDestino } from '../dispositivos/segredo.ts';
import { createEntregasQueries, provedoresComEnvios } from './entregas.queries.ts';
import type { EnvioAFazer, Feito } from './entregas.queries.ts';
import { esperaDepois } from './horario.regras.ts';

export type EntregasDePushService = ReturnType<typeof createEntregasDePushService>;

interface Alvo {
  readonly provedorId: number;
}

export interface EntregasDePushDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly segredos: Secrets;
  readonly saida: Pick<Outbound, 'send'>;
  readonly provedores: Pick<ProvedoresService, 'exigirPorId'>;
  readonly vapid: () => Promise<Vapid>;
  readonly google: EnderecosDoGoogle;
  readonly aoFalhar: (alvo: Alvo, error: unknown) => void;
}

/** Until when whoever makes an attempt must have said what came of it: a token and a message, 15 s each, and time to write it. */
const PRAZO_MS = 40_000;
/** Attempts of one provider that are under way at a time, in all processes. */
const AO_MESMO_TEMPO = 20;
const HOSTS_GUARDADOS = 1000;
const HOSTS_GUARDADOS_MS = 60_000;

const NADA: Round<EnvioAFazer> = { tasks: [], room: false };

/**
 * Sends, of every provider, what is due to devices. An attempt is counted before it is made, and no transaction is open meanwhile; if its
 * process dies, another makes it again.
 */
export function createEntregasDePushService(deps: EntregasDePushDeps) {
  const { db, relogio, segredos, provedores, aoFalhar } = deps;
  const porWebPush = createWebPush(deps);
  const porFcm = createFcm({ saida: deps.saida, enderecos: deps.google });
  const hosts = new LRUCache<number, string>({ max: HOSTS_GUARDADOS, ttl: HOSTS_GUARDADOS_MS });

  async function rodada({ provedorId }: Alvo, feitos: readonly Feito[], parando: boolean): Promise<Round<EnvioAFazer>> {
    return db.transaction(
      async (trx) => {
        const aqui = await isHere(trx, provedorId);
        const queries = createEntregasQueries(createTenantWriter(trx, provedorId), trx);
        await queries.anotar(feitos);
        if (parando || !aqui) return NADA;
        const agora = relogio.agora();
        const livres = AO_MESMO_TEMPO - (await queries.emAndamento(agora));
        if (livres <= 0) return NADA;
        const ids = await queries.tomar(agora, livres);
        if (ids.length === 0) return { tasks: [], room: true };
        const velhos = await queries.expirar(ids, agora);
        const tasks =
          velhos === ids.length ? [] : await queries.contar(ids, agora, new Date(agora.getTime() + PRAZO_MS));
        return { tasks, room: tasks.length < livres };
      },
      { isolationLevel: 'read committed' },
    );
  }

  /** Whom a push service may ask about what is sent. */
  async function assuntoDe(provedorId: number): Promise<string> {
    let host = hosts.get(provedorId);
    if (host === undefined) {
      host = (await provedores.exigirPorId(provedorId)).panelHost;
      hosts.set(provedorId, host);
    }
    return `https://${host}`;
  }

  async function enviar({ provedorId }: Alvo, envio: EnvioAFazer, agora: Date): Promise<Desfecho> {
    const { canal: tipo, token_hash: hash, token } = envio;
    const destino = abrirDestino(segredos, provedorId, { tipo, hash, token });
    const nota = {
      topico: createHash('sha256').update(envio.chave).digest('base64url').slice(0, 32),
      titulo: envio.titulo,
      texto: envio.texto,
      dados: envio.dados,
      ttl: Math.max(0, Math.floor((fromDatabaseTime(envio.expira_em).getTime() - agora.getTime()) / 1000)),
    };
    if (destino.tipo === 'webpush') return porWebPush(destino.inscricao, nota, await assuntoDe(provedorId), agora);
    const conta = await abrirConta(db, segredos, provedorId);
    // It was taken away after this was written.
    if (conta === null) return { tipo: 'recusado', erro: 'fcm_sem_conta' };
    return porFcm(conta, destino.token, nota, agora);
  }

  async function fazer(alvo: Alvo, envio: EnvioAFazer): Promise<Feito> {
    const agora = relogio.agora();
    const deste = { id: envio.id, dispositivoId: envio.dispositivo_id };
    const desfecho = await enviar(alvo, envio, agora).catch((error: unknown) => {
      const feito = desfechoDaFalha(error);
      if (feito.tipo === 'repetir' && feito.erro === 'falha_interna') aoFalhar(alvo, error);
      return feito;
    });
    if (desfecho.tipo === 'entregue') return { ...deste, estado: 'entregue', em: relogio.agora() };
    const { erro } = desfecho;
    if (desfecho.tipo !== 'repetir') return { ...deste, estado: 'esgotada', erro, sumiu: desfecho.tipo === 'sumiu' };
    const proximaEm = new Date(relogio.agora().getTime() + esperaDepois(envio.tentativas, desfecho.esperaMs));
    const cabe = proximaEm < fromDatabaseTime(envio.expira_em);
    return cabe
      ? { ...deste, estado: 'pendente', erro, proximaEm }
      : { ...deste, estado: 'esgotada', erro, sumiu: false };
  }

  const servico = createServing<Alvo, EnvioAFazer, Feito, Round<EnvioAFazer>>({
    nameOf: ({ provedorId }) => String(provedorId),
    round: rodada,
    perform: fazer,
    onError: aoFalhar,
  });

  return {
    /** Begins to serve every provider of which something is due and that this process does not serve already; resolves to how many. */
    entregar: async (): Promise<number> =>
      servico.isStopping()
        ? 0
        : servico.begin((await provedoresComEnvios(db, relogio.agora())).map((provedorId) => ({ provedorId }))),

    /** Resolves once nothing is under way, with what came of it written. */
    terminar: async (): Promise<void> => servico.finish(),

    /** Takes nothing more, and waits for what is under way. */
    parar: async (): Promise<void> => servico.stop(),
  };
}
