import { isIPv4 } from 'node:net';
import type { Db } from '../../../platform/mysql/database.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { isChangeable } from '../../../platform/radius/attributes.ts';
import type { AskNas, NasAddress } from '../../../platform/radius/client.ts';
import type { NasRequest } from '../../../platform/radius/dynamic-authorization.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import type { Write, WriteFor } from '../../escrita.ts';
import { createConteudoQueries } from '../radius/conteudo.queries.ts';
import type { Conteudo } from '../radius/conteudo.regras.ts';
import {
  ESPERAS_SEGUNDOS,
  SESSAO_INEXISTENTE,
  TENTATIVAS_DE_ALTERAR,
  clienteDoEndereco,
  proximaTentativa,
} from './desconexao.regras.ts';
import { createDesconexoesQueries } from './desconexoes.queries.ts';
import type { ClienteRadiusRow, DesconexaoRow } from './desconexoes.queries.ts';
import { createFilaQueries } from '../fila.queries.ts';
import type { AvisoDeRede, EstadoDaDesconexao } from '../rede.types.ts';

/** Requests under way at a time, to one NAS and in all of a provider. */
const POR_NAS = 32;
const POR_PROVEDOR = 512;

export type DesconexaoService = ReturnType<typeof createDesconexaoService>;

export interface DesconexaoDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly perguntar: AskNas;
  readonly avisar: (aviso: AvisoDeRede) => void;
}

/** What a session's change or end has come to. `pendente` waits for its next try; `encerrar` could not be changed, and is ended next. */
interface Desfecho {
  readonly id: number;
  readonly estado: EstadoDaDesconexao | 'encerrar';
  readonly causa: number | null;
}

interface Tentativa {
  readonly id: number;
  readonly ultima: boolean;
  readonly nas: NasAddress;
  readonly pedido: NasRequest;
}

/**
 * Changes or ends sessions at their NASes, at least once each; one that cannot be changed is ended. A try is counted before it is made and its outcome written after, so a
 * process that dies in between leaves one that is made again. No transaction is open while a NAS is waited for, and none is
 * waited for by the others: of a NAS that this process is waiting for, nothing more is begun.
 */
export function createDesconexaoService({ db, relogio, write, perguntar, avisar }: DesconexaoDeps) {
  const ocupados = new Set<string>();

  async function tomar(w: Write): Promise<{ tentativas: Tentativa[]; desfechos: Desfecho[] }> {
    const queries = createDesconexoesQueries(w);
    const agora = relogio.agora();
    const devidas = await queries.devidas(agora, [...ocupados], POR_NAS, POR_PROVEDOR);
    const ids = devidas.length === 0 ? [] : await queries.travar(devidas, agora);
    if (ids.length === 0) return { tentativas: [], desfechos: [] };
    const rows = await queries.ler(ids);
    const clientes = await queries.clientesRadius([...new Set(rows.map(({ nasipaddress }) => nasipaddress))]);
    const grupos = new Set(rows.flatMap(({ alterar_para }) => alterar_para ?? []));
    const conteudos = await createConteudoQueries(w).conteudos([...grupos]);

    const tentativas: Tentativa[] = [];
    const desfechos: Desfecho[] = [];
    const contadas = new Map<number, number[]>();
    for (const row of rows) {
      const { id } = row;
      const preparada = preparar(row, clientes, conteudos);
      if (typeof preparada === 'string') {
        desfechos.push({ id, estado: preparada, causa: null });
      } else {
        const vez = row.tentativas + 1;
        contadas.set(vez, [...(contadas.get(vez) ?? []), id]);
        const ate = preparada.pedido.changes.length > 0 ? TENTATIVAS_DE_ALTERAR : ESPERAS_SEGUNDOS.length;
        tentativas.push({ id, ultima: vez >= ate, ...preparada });
      }
    }
    for (const [vez, daVez] of contadas) await queries.contarTentativa(daVez, vez, proximaTentativa(vez, agora));
    await concluir(w, desfechos);
    return { tentativas, desfechos };
  }

  async function concluir(w: Write, desfechos: readonly Desfecho[]): Promise<void> {
    const queries = createDesconexoesQueries(w);
    const aEncerrar = desfechos.filter(({ estado }) => estado === 'encerrar');
    if (aEncerrar.length > 0) {
      await queries.encerrarEmVez(
        aEncerrar.map(({ id }) => id),
        relogio.agora(),
      );
    }
    const finais = desfechos.filter(({ estado }) => estado !== 'pendente' && estado !== 'encerrar');
    for (const iguais of groupBy(finais, ({ estado, causa }) => `${estado} ${causa}`).values()) {
      const [{ estado, causa }] = iguais as [Desfecho & { readonly estado: EstadoDaDesconexao }];
      await queries.concluir(
        iguais.map(({ id }) => id),
        estado,
        causa,
        relogio.agora(),
      );
    }
  }

  async function tentar({ id, ultima, nas, pedido }: Tentativa): Promise<Desfecho> {
    const altera = pedido.changes.length > 0;
    // What cannot even be asked, as by a login longer than a request holds, must not keep the others' outcomes from being written.
    const resposta = await perguntar(nas, pedido).catch(() => null);
    if (resposta?.accepted === true) return { id, estado: 'aceita', causa: null };
    if (altera && (ultima || resposta !== null)) return { id, estado: 'encerrar', causa: null };
    if (resposta === null) return { id, estado: ultima ? 'sem_resposta' : 'pendente', causa: null };
    const causa = resposta.errorCause;
    return { id, estado: causa === SESSAO_INEXISTENTE ? 'encerrada' : 'recusada', causa };
  }

  return {
    /** Providers that have sessions to be changed or ended now. */
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
  row: DesconexaoRow,
  clientes: readonly ClienteRadiusRow[],
  conteudos: ReadonlyMap<string, Conteudo>,
): { nas: NasAddress; pedido: NasRequest } | EstadoDaDesconexao | 'encerrar' {
  const { username, acctsessionid, framedipaddress, porta_coa, nasipaddress, tentativas, alterar_para } = row;
  if (username === null || acctsessionid === null || username === '' || acctsessionid === '') return 'encerrada';
  if (porta_coa === null || !isIPv4(nasipaddress)) return 'sem_nas';
  const changes = alterar_para === null ? [] : (conteudos.get(alterar_para.toLowerCase())?.reply ?? []);
  // What the NAS does, or the group, is another by now; or the process that made the last try died before it could say so.
  if (
    alterar_para !== null &&
    (tentativas >= TENTATIVAS_DE_ALTERAR ||
      row.coa === 0 ||
      changes.length === 0 ||
      !changes.every(({ attribute, value }) => isChangeable(attribute, value)))
  ) {
    return 'encerrar';
  }
  // The process that made the last try died before it could say so.
  if (tentativas >= ESPERAS_SEGUNDOS.length) return 'sem_resposta';
  const cliente = clienteDoEndereco(nasipaddress, clientes);
  if (cliente === undefined) return 'sem_segredo';
  return {
    nas: { host: nasipaddress, port: porta_coa, secret: cliente.secret },
    pedido: {
      session: {
        userName: username,
        acctSessionId: acctsessionid,
        nasIpAddress: nasipaddress,
        framedIpAddress: framedipaddress !== null && isIPv4(framedipaddress) ? framedipaddress : null,
      },
      changes,
    },
  };
}

const BONS: readonly Desfecho['estado'][] = ['pendente', 'aceita', 'encerrada', 'encerrar'];

/** One notice for all of a kind. */
function avisarDe(provedorId: number, desfechos: readonly Desfecho[], avisar: (aviso: AvisoDeRede) => void): void {
  const ruins = desfechos.filter(({ estado }) => !BONS.includes(estado));
  for (const iguais of groupBy(ruins, ({ estado, causa }) => `${estado} ${causa}`).values()) {
    const [{ id, estado, causa }] = iguais as [Desfecho & { readonly estado: EstadoDaDesconexao }];
    avisar({ provedorId, estado, total: iguais.length, exemplo: id, causa });
  }
}
