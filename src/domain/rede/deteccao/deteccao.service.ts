import { groupBy } from '../../../platform/group-by.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import { NOME_DO_SERVIDOR } from '../../conexoes/radacct.regras.ts';
import { emMudanca } from '../../erros.ts';
import type { Write, WriteFor } from '../../escrita.ts';
import { createTentativas } from '../../por-provedor.ts';
import { AVISOS_TAG } from '../../tags.ts';
import { colunasDoAlvo } from '../avisos/avisos.types.ts';
import { createDeteccaoQueries, createSuspeitasQueries } from './deteccao.queries.ts';
import type { MinutoRow } from './deteccao.queries.ts';
import { acabou, continua, crescida, interrupcoes, palavrasDaInterrupcao, pertenceAte } from './deteccao.regras.ts';
import type { Interrupcao, Trecho } from './deteccao.regras.ts';

const MINUTO_MS = 60_000;
/** A server's clock that is wrong by more than this does not say when an outage began. */
const MAIOR_ENGANO_MS = 10 * MINUTO_MS;
/** A run begins with the server after the one with which the last run began: as often as `rede.detectar` runs. */
const INTERVALO_MS = 5000;
/** Servers of one provider that may fail in a run, before the others of it wait for the next one. */
const MAIS_FALHAS = 3;
/** `TO_SECONDS('1970-01-01')`. */
const SEGUNDOS_ATE_1970 = 62_167_219_200;

export type DeteccaoService = ReturnType<typeof createDeteccaoService>;

export interface DeteccaoDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
}

const DO_SERVIDOR = columns<{ nome: string | null; pop_id: number | null; pop: string | null }>('provedores_nas', {
  nome: NOME_DO_SERVIDOR,
  pop_id: true,
  pop: 'pops.nome',
});
const ID_DO_NAS = columns<{ nasipaddress: string }>('provedores_nas', { nasipaddress: true });

interface Rodada {
  readonly actor: Actor;
  readonly tentativas: ReturnType<typeof createTentativas>;
  readonly signal: AbortSignal | undefined;
}

interface VigiadoRow {
  id: number;
  tipo: 'interrupcao' | 'degradacao' | 'manutencao' | 'informativo';
  detectado_nas: string;
  detectado_porta: string | null;
  detectado_de: string;
  /** Null of none that is open and of this version. */
  detectado_ate: string | null;
  detectado_quedas: number;
}

const DO_VIGIADO = columns<VigiadoRow>('avisos_de_rede', {
  id: true,
  tipo: true,
  detectado_nas: true,
  detectado_porta: true,
  detectado_de: true,
  detectado_ate: true,
  detectado_quedas: true,
});

/** Opens notices of outages by themselves, and closes them as the lines come back; see docs/adr/0048. */
export function createDeteccaoService({ db, relogio, write }: DeteccaoDeps) {
  const suspeitas = createSuspeitasQueries(db);

  async function avaliar(tenant: TenantDb, { nas, minuto, minimo, percentual }: MinutoRow): Promise<Interrupcao[]> {
    const queries = createDeteccaoQueries(tenant);
    const inicio = fromDatabaseTime(minuto).getTime();
    const perto = { de: new Date(inicio - MINUTO_MS), ate: new Date(inicio + 2 * MINUTO_MS) };
    const quedas = await queries.quedas(nas, perto, relogio.agora());
    if (quedas.reduce((soma, uma) => soma + uma.quedas, 0) < minimo) return [];
    return interrupcoes(quedas, await queries.online(nas), { minimo, percentual });
  }

  /** Looked at again under the server's lock: of two workers the second one finds what the first one opened. */
  async function abrir(actor: Actor, minuto: MinutoRow): Promise<number> {
    return write(actor, minuto.provedor_id, async (w) => {
      const travado = w.from('provedores_nas').where('nasipaddress', minuto.nas).forUpdate();
      if ((await rowsOf(travado, ID_DO_NAS)).length === 0) return 0;
      const achadas = await avaliar(w.tenant, minuto);
      let abertos = 0;
      for (const uma of achadas) {
        if (await juntar(w, minuto.nas, uma)) continue;
        await abrirUm(w, minuto.nas, uma, relogio.agora());
        abertos += 1;
      }
      return abertos;
    });
  }

  /**
   * The minutes of one provider. Those of a server for which it fails, or that were looked at before a stop, are looked at again by the next
   * run; the other servers have their turn, until it has failed for several: the next provider waits for each. Each run begins at another
   * server, so that none waits behind some that always fail.
   */
  async function detectarDe(
    { actor, tentativas, signal }: Rodada,
    provedorId: number,
    minutos: readonly MinutoRow[],
  ): Promise<number> {
    const tenant = createTenantDb(db, provedorId);
    const feitos = new Set<string>();
    async function noServidor(nas: string, dele: readonly MinutoRow[]): Promise<number> {
      let abertos = 0;
      for (const minuto of dele.filter(({ perto, minimo }) => perto >= minimo)) {
        if (signal?.aborted === true) return abertos;
        if ((await avaliar(tenant, minuto)).length > 0) abertos += await abrir(actor, minuto);
      }
      feitos.add(nas);
      return abertos;
    }
    let abertos = 0;
    let porFazer = 0;
    const servidores = [...groupBy(minutos, (minuto) => minuto.nas)];
    const primeiro = Math.floor(relogio.agora().getTime() / INTERVALO_MS) % servidores.length;
    for (const [nas, dele] of [...servidores.slice(primeiro), ...servidores.slice(0, primeiro)]) {
      if (signal?.aborted === true || porFazer === MAIS_FALHAS) break;
      const deste = async (): Promise<number> => ouNenhum(async () => noServidor(nas, dele));
      abertos += await tentativas.tentar(`provedor ${provedorId}, servidor ${nas}`, deste, 0);
      if (!feitos.has(nas)) porFazer += 1;
    }
    await suspeitas.avaliadas(minutos.filter(({ nas }) => feitos.has(nas)));
    return abertos;
  }

  return {
    /**
     * Looks at the drops that were counted since the last time, of all providers. Those of a server for which it fails wait for the next run,
     * and keep no others waiting.
     *
     * @returns how many notices were opened.
     * @throws AggregateError in the end, where it failed for some servers
     */
    async detectar(actor: Actor, signal?: AbortSignal): Promise<number> {
      const tentativas = createTentativas();
      let abertos = 0;
      for (const [provedorId, minutos] of groupBy(await suspeitas.porAvaliar(), ({ provedor_id }) => provedor_id)) {
        if (signal?.aborted === true) break;
        const dele = async (): Promise<number> => detectarDe({ actor, tentativas, signal }, provedorId, minutos);
        abertos += await tentativas.tentar(`provedor ${provedorId}`, dele, 0);
      }
      tentativas.terminar();
      return abertos;
    },

    /**
     * Closes the detected notices of which 80 % of the lines are back, but for those that are the staff's by now.
     *
     * @returns how many were closed.
     * @throws AggregateError in the end, where it failed for some of them
     */
    async vigiar(actor: Actor, signal?: AbortSignal): Promise<number> {
      const tentativas = createTentativas();
      let encerrados = 0;
      for (const { provedor_id, id } of await suspeitas.vigiados()) {
        if (signal?.aborted === true) break;
        const deste = async (): Promise<number> =>
          ouNenhum(async () => write(actor, provedor_id, async (w) => vigiarUm(w, id, relogio.agora())));
        encerrados += await tentativas.tentar(`provedor ${provedor_id}`, deste, 0);
      }
      tentativas.terminar();
      return encerrados;
    },
  };
}

/** None of a provider that moves to another cell: it is looked at there. */
async function ouNenhum(fazer: () => Promise<number>): Promise<number> {
  try {
    return await fazer();
  } catch (error) {
    if (emMudanca(error)) return 0;
    throw error;
  }
}

/**
 * Whether a detected notice is open at the place that nobody has confirmed, and that dropped its last line less than an hour before: then
 * this is more of it, and nobody is told of two. Not of one that would be over all the same, as a server's that is back but for a port.
 */
async function juntar(w: Write, nas: string, { porta, de, ate }: Interrupcao): Promise<boolean> {
  const abertos = w
    .from('avisos_de_rede')
    .where({ origem: 'detectado', detectado_nas: nas })
    .whereNull('fim')
    .whereNull('confirmado_em')
    .where((q) => {
      void q.whereNull('detectado_porta');
      if (porta !== null) void q.orWhere('detectado_porta', porta);
    });
  for (const aviso of await rowsOf(abertos.orderBy('id').forUpdate(), DO_VIGIADO)) {
    const antes = trechoDe(aviso);
    if (!continua(antes, new Date(msDe(de)))) continue;
    const trecho = {
      de: new Date(Math.min(msDe(de), antes.de.getTime())),
      ate: new Date(Math.max(msDe(ate), antes.ate.getTime())),
    };
    if (acabou(aviso.detectado_quedas, (await foraDe(w, aviso, trecho)).quantas)) continue;
    await w.update('avisos_de_rede', (q) => void q.where({ id: aviso.id }), {
      detectado_de: toDatabaseTime(trecho.de),
      detectado_ate: toDatabaseTime(trecho.ate),
    });
    return true;
  }
  return false;
}

/** Lines that are down of a notice, if its drops were those of a time. */
const foraDe = async (w: Write, { detectado_nas: nas, detectado_porta: porta }: VigiadoRow, trecho: Trecho) =>
  createDeteccaoQueries(w.tenant).fora({ nas, porta }, { de: trecho.de, ate: pertenceAte(trecho) });

function trechoDe({ detectado_de, detectado_ate }: VigiadoRow): Trecho {
  const de = fromDatabaseTime(detectado_de);
  return { de, ate: detectado_ate === null ? de : fromDatabaseTime(detectado_ate) };
}

async function abrirUm(w: Write, nas: string, { porta, de, ate, quedas }: Interrupcao, agora: Date): Promise<void> {
  const servidor = w
    .from('provedores_nas')
    .leftJoin('nas', 'nas.nasname', 'provedores_nas.nasipaddress')
    .leftJoin(
      'pops',
      (on) => void on.on('pops.provedor_id', 'provedores_nas.provedor_id').andOn('pops.id', 'provedores_nas.pop_id'),
    )
    .where('provedores_nas.nasipaddress', nas);
  const [onde = { nome: null, pop_id: null, pop: null }] = await rowsOf(servidor, DO_SERVIDOR);
  const { nome, pop_id, pop } = onde;
  const doPop = pop_id === null ? [] : await rowsOf(w.from('provedores_nas').where({ pop_id }).limit(2), ID_DO_NAS);
  const instante = toDatabaseTime(agora);
  const id = await w.insert('avisos_de_rede', {
    tipo: 'interrupcao',
    ...palavrasDaInterrupcao(pop, nome, doPop.length > 1),
    inicio: toDatabaseTime(inicioDa(de, agora)),
    origem: 'detectado',
    autor: w.author.name,
    criado_em: instante,
    atualizado_em: instante,
    detectado_nas: nas,
    detectado_porta: porta,
    detectado_de: doSegundo(de),
    detectado_ate: doSegundo(ate),
    detectado_quedas: quedas,
  });
  await w.insert('avisos_de_rede_alvos', {
    aviso_id: id,
    ...colunasDoAlvo({ tipo: 'nas', nas, ...(porta === null ? {} : { porta }) }),
  });
  w.touch(AVISOS_TAG);
  w.emit('rede.aviso_aberto', id, { tipo: 'interrupcao', origem: 'detectado', alvos: ['nas'] });
}

async function vigiarUm(w: Write, id: number, agora: Date): Promise<number> {
  const aberto = w.from('avisos_de_rede').where({ id }).whereNull('fim').whereNull('confirmado_em');
  const [aviso] = await rowsOf(aberto.forUpdate(), DO_VIGIADO);
  if (aviso === undefined) return 0;
  const { detectado_quedas: quedas } = aviso;
  const trecho = trechoDe(aviso);
  const fora = await foraDe(w, aviso, trecho);
  const este = (q: Parameters<Parameters<Write['update']>[1]>[0]): void => void q.where({ id });
  if (!acabou(quedas, fora.quantas)) {
    const ate = fora.ultima === null ? trecho.ate : crescida(trecho, fora.ultima);
    // What drops while it grows is a part of it.
    if (fora.quantas > quedas || ate > trecho.ate) {
      const detectado_quedas = Math.max(quedas, fora.quantas);
      await w.update('avisos_de_rede', este, { detectado_quedas, detectado_ate: toDatabaseTime(ate) });
    }
    return 0;
  }
  const instante = toDatabaseTime(agora);
  // Nobody said that it was nothing: whether its lines are down again is judged by the lines.
  await w.update('avisos_de_rede', este, { fim: instante, atualizado_em: instante, detectado_ate: null });
  w.touch(AVISOS_TAG);
  w.emit('rede.aviso_encerrado', id, { tipo: aviso.tipo, origem: 'detectado' });
  return 1;
}

const msDe = (segundo: number): number => (segundo - SEGUNDOS_ATE_1970) * 1000;
const doSegundo = (segundo: number): string => toDatabaseTime(new Date(msDe(segundo)));

function inicioDa(segundo: number, agora: Date): Date {
  const dito = msDe(segundo);
  return Math.abs(dito - agora.getTime()) > MAIOR_ENGANO_MS ? agora : new Date(Math.min(dito, agora.getTime()));
}
