import { LRUCache } from 'lru-cache';
import type { ChavesService } from '../../domain/chaves/chaves.service.ts';
import { lerChave } from '../../domain/chaves/chave.ts';
import type { ChaveLida } from '../../domain/chaves/chave.ts';
import { LIMITE_PADRAO } from '../../domain/chaves/chaves.types.ts';
import type { Chave, ChaveComProvedor } from '../../domain/chaves/chaves.types.ts';
import { PROVEDOR_TAG } from '../../domain/tags.ts';
import type { ProvedoresService } from '../../domain/provedores/provedores.service.ts';
import type { Provedor } from '../../domain/provedores/provedores.types.ts';
import { unchanged } from '../../platform/gate/gate.ts';
import type { Admission, Gate, Moment, Reading } from '../../platform/gate/gate.ts';
import { networkSlot, tenantSlot } from '../../platform/gate/keys.ts';
import { countedNetwork, createIpList } from '../../platform/ip.ts';
import type { IpList } from '../../platform/ip.ts';
import type { RefusalReason } from '../../platform/metrics/metrics.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { CodigoErro } from './erros.ts';

/** Who asks: an admitted key, its tenant, and where the request came from. */
export interface Sessao {
  readonly chave: Chave;
  readonly provedor: Provedor;
  readonly ip: string;
  /** Tells the key apart from the provider's others, without saying anything of it. */
  readonly leitor: string;
}

/** State of the window that the request was counted in. */
export interface Limite {
  readonly limite: number;
  readonly restantes: number;
  /** Whole seconds until the window restarts. */
  readonly reinicioSegundos: number;
}

/**
 * The outcome of a request at the door: admitted with a session, or refused with a code. `leitura` begins with the tags
 * asked for, in their order; null when Redis could not say.
 */
export type Entrada =
  | { readonly limite: Limite; readonly sessao: Sessao; readonly leitura: Reading | null }
  | { readonly limite: Limite; readonly sessao: null; readonly recusa: CodigoErro };

/** What the door looks at. */
export interface Apresentacao {
  readonly authorization: string | undefined;
  readonly apiKey: string | undefined;
  /** Lower case, without port. */
  readonly host: string;
  readonly ip: string;
  /** Tags of the key's provider that the same round trip shall read, known once the provider is. */
  readonly tags: (provedorId: number, leitor: string) => readonly string[];
}

export interface PortaDeps {
  readonly gate: Gate;
  readonly chaves: Pick<ChavesService, 'buscarPorHash'>;
  readonly provedores: Pick<ProvedoresService, 'idPorHost'>;
  readonly relogio: Relogio;
  /** Told of each request refused by a limit, and of whose window was full. */
  readonly onRefusal: (janela: RefusalReason) => void;
}

interface Registro extends ChaveComProvedor {
  readonly ips: IpList | null;
}

/** A key whose shape is right, and its record as of a moment, once it was looked up. */
interface Conhecida {
  readonly texto: string;
  readonly lida: ChaveLida;
  guardado: Guardado | null;
}

interface Guardado {
  readonly registro: Registro;
  readonly desde: Moment;
  /** When it was last read, or tried to be; milliseconds since the epoch. */
  conferidoEm: number;
}

/**
 * A record is read again after this long though nobody said that it changed: who revokes a key by SQL while no worker runs is
 * heard by nobody. One statement a key, process and turn.
 */
const CONFERIR_MS = 10_000;

/** How long a process remembers whose host a name is; a provider's host changes about never. */
const HOSTS_TTL_MS = 30_000;

/**
 * The door of the public API: in one round trip to Redis a request is counted and its key's record, kept in process,
 * is confirmed or found out of date. Order of the checks: `decisions.md`, "Order of checks on the public API".
 */
export function createPorta({ gate, chaves, provedores, relogio, onRefusal }: PortaDeps) {
  // The text of a valid key stays in memory while it is used: to judge it each time costs more than all else here.
  const conhecidas = new LRUCache<string, Conhecida>({ max: 20_000 });
  const cargas = new Map<string, Promise<Registro | null>>();
  const hosts = new LRUCache<string, { provedorId: number | null }>({
    max: 10_000,
    ttl: HOSTS_TTL_MS,
    // One look-up for all that ask at the same time.
    fetchMethod: async (host) => ({ provedorId: await provedores.idPorHost(host) }),
  });
  /** By their hash, keys that exist, and they do from then on: Redis shall hold nothing of those that are invented. */
  const existentes = new LRUCache<string, true>({
    max: 100_000,
    // What is undefined is not kept.
    fetchMethod: async (hash) => ((await chaves.buscarPorHash(hash)) === null ? undefined : true),
  });

  /** Counts a request that no valid key answers for, in its network's window at the default limit; past it, it is to be refused. */
  async function contarRede(ip: string): Promise<{ limite: Limite; excedido: boolean }> {
    const admissao = await gate.admit(networkSlot(countedNetwork(ip)), 'rede', []);
    const excedido = admissao.count > LIMITE_PADRAO;
    if (excedido) onRefusal('rede');
    return { limite: paraLimite(admissao, LIMITE_PADRAO), excedido };
  }

  async function semChave(ip: string, recusa: CodigoErro): Promise<Entrada> {
    const { limite, excedido } = await contarRede(ip);
    return { limite, sessao: null, recusa: excedido ? 'limite_excedido' : recusa };
  }

  function conhecer(texto: string): Conhecida | null {
    const conhecida = conhecidas.get(texto);
    if (conhecida !== undefined) return conhecida;
    const lida = lerChave(texto);
    if (lida === null) return null;
    return { texto, lida, guardado: null };
  }

  /**
   * The key's record, read after `leitura`. Concurrent loads are shared only where their readings say the same of the
   * key and its provider, whose tags are the reading's last two: a request that saw a newer write must not be served by
   * a load that began before it.
   */
  async function carregar(conhecida: Conhecida, leitura: Reading | null): Promise<Registro | null> {
    const { hash } = conhecida.lida;
    if (leitura === null) return montarRegistro(await chaves.buscarPorHash(hash));
    const carga = `${hash} ${leitura.era} ${leitura.touched.slice(-2).join(' ')}`;
    const emCurso = cargas.get(carga);
    if (emCurso !== undefined) return emCurso;
    const conferidoEm = relogio.agora().getTime();
    const nova = chaves
      .buscarPorHash(hash)
      .then((encontrada) => {
        const registro = montarRegistro(encontrada);
        conhecida.guardado = registro === null ? null : { registro, desde: leitura, conferidoEm };
        // Only keys that exist are kept: invented ones must not push them out.
        if (registro !== null) conhecidas.set(conhecida.texto, conhecida);
        return registro;
      })
      .finally(() => cargas.delete(carga));
    cargas.set(carga, nova);
    return nova;
  }

  /** The record kept for a key when neither it nor its provider, the reading's last two tags, has been written since. */
  function registroBom({ guardado }: Conhecida, leitura: Reading | null): Guardado | null {
    if (guardado === null || leitura === null) return null;
    return unchanged(guardado.desde, leitura, leitura.touched.length - 2) ? guardado : null;
  }

  function registroDe(conhecida: Conhecida, leitura: Reading | null): Registro | null | Promise<Registro | null> {
    const bom = registroBom(conhecida, leitura);
    if (bom === null) return carregar(conhecida, leitura);
    const agora = relogio.agora().getTime();
    const idade = agora - bom.conferidoEm;
    if (idade >= 0 && idade < CONFERIR_MS) return bom.registro;
    // One request waits for it, and the others go on meanwhile. Without the database, what Redis confirms still counts.
    bom.conferidoEm = agora;
    return carregar(conhecida, leitura).catch(() => bom.registro);
  }

  return {
    /** Decides whether a request may go on. Counts it exactly once where it counts: in its key's window or its network's. */
    async entrar({ authorization, apiKey, host, ip, tags }: Apresentacao): Promise<Entrada> {
      const texto = textoDaChave(authorization, apiKey);
      if (texto === null) return semChave(ip, 'chave_ausente');
      const conhecida = conhecer(texto);
      if (conhecida === null) return semChave(ip, 'chave_invalida');

      const { provedorId, nome, hash } = conhecida.lida;
      if (conhecida.guardado === null && (existentes.get(hash) ?? (await existentes.fetch(hash))) !== true) {
        return semChave(ip, 'chave_invalida');
      }
      const admissao = await gate.admit(tenantSlot(provedorId), nome, [...tags(provedorId, nome), nome, PROVEDOR_TAG]);
      const leitura = admissao.reading;
      // What is in memory is not awaited: on a hit, each turn of the microtask queue would count.
      const achado = registroDe(conhecida, leitura);
      const registro = achado instanceof Promise ? await achado : achado;
      if (registro === null || registro.provedor.id !== provedorId) return semChave(ip, 'chave_invalida');
      if (host !== registro.provedor.panelHost) {
        const dono = (hosts.get(host) ?? (await hosts.fetch(host)))?.provedorId ?? null;
        if (dono !== null && dono !== registro.provedor.id) return semChave(ip, 'chave_invalida');
      }
      const { chave, provedor, ips } = registro;
      if (chave.revogadaEm !== null) return semChave(ip, 'chave_revogada');
      if (chave.expiraEm !== null && chave.expiraEm <= relogio.agora()) return semChave(ip, 'chave_expirada');

      const limite = paraLimite(admissao, chave.limitePorMinuto);
      if (ips !== null && !ips.has(ip)) return { limite, sessao: null, recusa: 'ip_nao_autorizado' };
      if (admissao.count > chave.limitePorMinuto) {
        onRefusal('chave');
        return { limite, sessao: null, recusa: 'limite_excedido' };
      }
      return { limite, sessao: { chave, provedor, ip, leitor: nome }, leitura };
    },

    contarRede,
  };
}

export type Porta = ReturnType<typeof createPorta>;

/** The key a request carries, or null. Two different keys in the two headers are no key that anyone knows. */
function textoDaChave(authorization: string | undefined, apiKey: string | undefined): string | null {
  const bearer = authorization === undefined ? null : (/^bearer +(\S.*)$/i.exec(authorization.trim())?.[1] ?? null);
  const outra = apiKey === undefined || apiKey.trim() === '' ? null : apiKey.trim();
  if (bearer !== null && outra !== null && bearer !== outra) return '';
  return bearer ?? outra;
}

function montarRegistro(encontrada: ChaveComProvedor | null): Registro | null {
  if (encontrada === null) return null;
  const { ipsPermitidos } = encontrada.chave;
  return { ...encontrada, ips: ipsPermitidos === null ? null : createIpList(ipsPermitidos) };
}

function paraLimite({ count, resetMs }: Admission, limite: number): Limite {
  return { limite, restantes: Math.max(0, limite - count), reinicioSegundos: Math.max(1, Math.ceil(resetMs / 1000)) };
}
