import { inicioDoDiaEm } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { expressions, rowsOf } from '../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { ditosDesde } from '../push/lembretes/uma-vez.service.ts';
import { diaDaTarefa } from './dia.regras.ts';
import { COLUNAS_DO_DIA, TAREFAS_DIARIAS, falhaDe } from './tarefas.types.ts';
import type { DiaRow, TarefaDiaria } from './tarefas.types.ts';

export type TarefasDoPainelService = ReturnType<typeof createTarefasDoPainelService>;

/** A task of a provider's day. */
export interface TarefaDoPainel {
  readonly tarefa: TarefaDiaria;
  readonly dia: Data;
  /** `pendente`: nobody has begun it. `falhou`: its tries were used up once, of which staff were told, and it has not been done since. */
  readonly estado: 'pendente' | 'em_andamento' | 'concluida' | 'falhou';
  /** Rows that changed so far. */
  readonly linhas: number;
  readonly iniciadaEm: Date | null;
  readonly concluidaEm: Date | null;
  /** From its first beginning to its end, or to now. One that was reopened counts from when it was first begun. */
  readonly duracaoMs: number | null;
}

/** What the network has been asked for. */
export interface FilaDaRede {
  /** Requests that wait for the network. */
  readonly esperando: number;
  /** When the oldest of them was made. */
  readonly desde: Date | null;
  /** Sessions that have yet to be ended. */
  readonly desconexoesPendentes: number;
  /** Of the last 90 days: sessions that their NAS would not end, or never answered for. */
  readonly desconexoesFalhas: number;
  /** Of the last 90 days: requests that came to nothing, because the contract had no login or the provider no NAS. */
  readonly semEfeito: number;
}

const DA_FILA = expressions<{ quantos: number; desde: string | null }>({
  quantos: 'COUNT(*)',
  desde: 'MIN(pedido_em)',
});
const CONTAGEM = expressions<{ quantos: number }>({ quantos: 'COUNT(*)' });

const FALHAS = ['recusada', 'sem_resposta', 'sem_segredo', 'sem_nas'] as const;
const SEM_EFEITO = ['sem_login', 'sem_nas'] as const;

/** The work of a provider's days and of its network, for staff. Extracts and imports have lists of their own. */
export function createTarefasDoPainelService({
  tenant,
  provedor,
  relogio,
}: {
  tenant: TenantDb;
  provedor: Provedor;
  relogio: Relogio;
}) {
  return {
    /** The newest day whose work is due. */
    hoje: (): Data => diaDaTarefa(provedor.fusoHorario, relogio.agora()),

    /** All tasks of a day of the provider, in the order in which they are done, those nobody has begun among them. */
    async tarefasDoDia(dia: Data): Promise<TarefaDoPainel[]> {
      const daqueleDia = tenant
        .from('tarefas_diarias')
        .whereIn('tarefa', [...TAREFAS_DIARIAS])
        .where({ dia });
      const rows = new Map((await rowsOf(daqueleDia, COLUNAS_DO_DIA)).map((row) => [row.tarefa, row]));
      const tipos = TAREFAS_DIARIAS.map((tarefa) => falhaDe(tarefa, dia).tipo);
      const ditas = await ditosDesde(tenant, tipos, inicioDoDiaEm(provedor.fusoHorario, dia));
      return TAREFAS_DIARIAS.map((tarefa) => {
        const lida = paraTarefa(tarefa, dia, rows.get(tarefa), relogio.agora());
        const { tipo, quando } = falhaDe(tarefa, dia);
        const falhou = ditas.some((dita) => dita.tipo === tipo && dita.quando === quando);
        return falhou && lida.estado !== 'concluida' ? { ...lida, estado: 'falhou' } : lida;
      });
    },

    /** How far the network is with what it was asked for. */
    async filaDaRede(): Promise<FilaDaRede> {
      const pedidos = () => tenant.from('rede_pedidos', 'rede_pedidos_fila');
      const desconexoes = () => tenant.from('rede_desconexoes', 'rede_desconexoes_fila');
      const [fila] = await rowsOf(pedidos().whereNull('aplicado_em'), DA_FILA);
      const [pendentes] = await rowsOf(desconexoes().where('estado', 'pendente'), CONTAGEM);
      const [falhas] = await rowsOf(desconexoes().whereIn('estado', [...FALHAS]), CONTAGEM);
      const semEfeito = tenant.from('rede_pedidos', 'rede_pedidos_resultado').whereIn('resultado', [...SEM_EFEITO]);
      const [sem] = await rowsOf(semEfeito, CONTAGEM);
      return {
        esperando: fila?.quantos ?? 0,
        desde: fila === undefined || fila.desde === null ? null : fromDatabaseTime(fila.desde),
        desconexoesPendentes: pendentes?.quantos ?? 0,
        desconexoesFalhas: falhas?.quantos ?? 0,
        semEfeito: sem?.quantos ?? 0,
      };
    },
  };
}

function paraTarefa(tarefa: TarefaDiaria, dia: Data, row: DiaRow | undefined, agora: Date): TarefaDoPainel {
  if (row === undefined) {
    return { tarefa, dia, estado: 'pendente', linhas: 0, iniciadaEm: null, concluidaEm: null, duracaoMs: null };
  }
  const iniciadaEm = fromDatabaseTime(row.iniciada_em);
  const concluidaEm = row.concluida_em === null ? null : fromDatabaseTime(row.concluida_em);
  const duracaoMs = Math.max(0, (concluidaEm ?? agora).getTime() - iniciadaEm.getTime());
  const estado = concluidaEm === null ? 'em_andamento' : 'concluida';
  return { tarefa, dia, estado, linhas: row.linhas, iniciadaEm, concluidaEm, duracaoMs };
}
