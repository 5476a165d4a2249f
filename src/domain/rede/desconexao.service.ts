import { isIPv4 } from 'node:net';
import type { Db } from '../../platform/mysql/database.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { DisconnectSession, NasAddress } from '../../platform/radius/client.ts';
import type { NasSession } from '../../platform/radius/disconnect.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Actor } from '../actor.ts';
import type { Write, WriteFor } from '../escrita.ts';
import { ESPERAS_SEGUNDOS, SESSAO_INEXISTENTE, clienteDoEndereco, proximaTentativa } from './desconexao.regras.ts';
import { createDesconexoesQueries } from './desconexoes.queries.ts';
import type { ClienteRadiusRow, DesconexaoRow } from './desconexoes.queries.ts';
import { createFilaQueries } from './fila.queries.ts';
import type { AvisoDeRede, EstadoDaDesconexao } from './rede.types.ts';

/** Requests under way at a time, to one NAS and in all of a provider. */
const POR_NAS = 32;
const POR_PROVEDOR = 512;

export type DesconexaoService = ReturnType<typeof createDesconexaoService>;

export interface DesconexaoDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly desconectar: DisconnectSession;
  readonly avisar: (aviso: AvisoDeRede) => void;
}

/** What a session's end has come to. `pendente` is one that waits for its next try. */
interface Desfecho {
  readonly id: number;
  readonly estado: EstadoDaDesconexao;
  readonly causa: number | null;
}

interface Tentativa {
  readonly id: number;
  readonly ultima: boolean;
  readonly nas: NasAddress;
  readonly sessao: NasSession;
}

/**
 * Ends sessions at their NASes, at least once each. A try is counted before it is made and its outcome written after, so a
 * process that dies in between leaves one that is made again. No transaction is open while a NAS is waited for, and none is
 * waited for by the others: of a NAS that this process is waiting for, nothing more is begun.
 */
export function createDesconexaoService({ db, relogio, write, desconectar, avisar }: DesconexaoDeps) {
  const ocupados = new Set<string>();

  async function tomar(w: Write): Promise<{ tentativas: Tentativa[]; desfechos: Desfecho[] }> {
    const queries = createDesconexoesQueries(w);
    const agora = relogio.agora();
    const devidas = await queries.devidas(agora, [...ocupados], POR_NAS, POR_PROVEDOR);
    const ids = devidas.length === 0 ? [] : await queries.travar(devidas, agora);
    if (ids.length === 0) return { tentativas: [], desfechos: [] };
    const rows = await queries.ler(ids);
    const clientes = await queries.clientesRadius([...new Set(rows.map(({ nasipaddress }) => nasipaddress))]);

    const tentativas: Tentativa[] = [];
    const desfechos: Desfecho[] = [];
    const contadas = new Map<number, number[]>();
    for (const row of rows) {
      const { id } = row;
      const preparada = preparar(row, clientes);
      if (typeof preparada === 'string') {
        desfechos.push({ id, estado: preparada, causa: null });
      } else {
        const vez = row.tentativas + 1;
        contadas.set(vez, [...(contadas.get(vez) ?? []), id]);
        tentativas.push({ id, ultima: vez >= ESPERAS_SEGUNDOS.length, ...preparada });
      }
    }
    for (const [vez, daVez] of contadas) await queries.contarTentativa(daVez, vez, proximaTentativa(vez, agora));
    await concluir(w, desfechos);
    return { tentativas, desfechos };
  }

  async function concluir(w: Write, desfechos: readonly Desfecho[]): Promise<void> {
    const queries = createDesconexoesQueries(w);
    const finais = desfechos.filter(({ estado }) => estado !== 'pendente');
    for (const iguais of groupBy(finais, ({ estado, causa }) => `${estado} ${causa}`).values()) {
      const [{ estado, causa }] = iguais as [Desfecho];
      await queries.concluir(
        iguais.map(({ id }) => id),
        estado,
        causa,
        relogio.agora(),
      );
    }
  }

  async function tentar({ id, ultima, nas, sessao }: Tentativa): Promise<Desfecho> {
    // What cannot even be asked, as by a login longer than a request holds, must not keep the others' outcomes from being written.
    const resposta = await desconectar(nas, sessao).catch(() => null);
    if (resposta === null) return { id, estado: ultima ? 'sem_resposta' : 'pendente', causa: null };
    if (resposta.accepted) return { id, estado: 'aceita', causa: null };
    const causa = resposta.errorCause;
    return { id, estado: causa === SESSAO_INEXISTENTE ? 'encerrada' : 'recusada', causa };
  }

  return {
    /** Providers that have sessions to be ended now. */
    async provedores(): Promise<number[]> {
      return createFilaQueries(db).provedoresComDesconexoes(relogio.agora());
    },

    /** Makes one try at each session of a provider whose time has come; resolves to how many were dealt with. */
    async desconectar(actor: Actor, provedorId: number): Promise<number> {
      const { tentativas, desfechos } = await write(actor, provedorId, tomar);
      const enderecos = new Set(tentativas.map(({ nas }) => nas.host));
      for (const endereco of enderecos) ocupados.add(endereco);
      try {
        const respostas = await Promise.all(tentativas.map(tentar));
        if (respostas.length > 0) await write(actor, provedorId, async (w) => concluir(w, respostas));
        avisarDe(provedorId, [...desfechos, ...respostas], avisar);
        return desfechos.length + respostas.length;
      } finally {
        for (const endereco of enderecos) ocupados.delete(endereco);
      }
    },
  };
}

/** Where to send what, or what is to be said instead. */
function preparar(
  { username, acctsessionid, framedipaddress, porta_coa, nasipaddress, tentativas }: DesconexaoRow,
  clientes: readonly ClienteRadiusRow[],
): { nas: NasAddress; sessao: NasSession } | EstadoDaDesconexao {
  if (username === null || acctsessionid === null || username === '' || acctsessionid === '') return 'encerrada';
  if (porta_coa === null || !isIPv4(nasipaddress)) return 'sem_nas';
  // The process that made the last try died before it could say so.
  if (tentativas >= ESPERAS_SEGUNDOS.length) return 'sem_resposta';
  const cliente = clienteDoEndereco(nasipaddress, clientes);
  if (cliente === undefined) return 'sem_segredo';
  return {
    nas: { host: nasipaddress, port: porta_coa, secret: cliente.secret },
    sessao: {
      userName: username,
      acctSessionId: acctsessionid,
      nasIpAddress: nasipaddress,
      framedIpAddress: framedipaddress !== null && isIPv4(framedipaddress) ? framedipaddress : null,
    },
  };
}

const BONS: readonly EstadoDaDesconexao[] = ['pendente', 'aceita', 'encerrada'];

/** One notice for all of a kind. */
function avisarDe(provedorId: number, desfechos: readonly Desfecho[], avisar: (aviso: AvisoDeRede) => void): void {
  const ruins = desfechos.filter(({ estado }) => !BONS.includes(estado));
  for (const iguais of groupBy(ruins, ({ estado, causa }) => `${estado} ${causa}`).values()) {
    const [{ id, estado, causa }] = iguais as [Desfecho];
    avisar({ provedorId, estado, total: iguais.length, exemplo: id, causa });
  }
}
