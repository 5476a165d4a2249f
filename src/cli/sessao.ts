import type { ChangeTenant, ReadTenant } from '../access/contracts.ts';
import type { Encerrados } from '../domain/tarefas/por-enviar.ts';
import type { ReconstrucaoDePalavrasService } from '../domain/clientes/palavras/reconstrucao.service.ts';
import type { ChavesService } from '../domain/chaves/chaves.service.ts';
import type { EsquecimentoService } from '../domain/eventos/esquecimento.service.ts';
import type { ConferenciaService } from '../domain/faturas/conferencia.service.ts';
import type { ConfiguracaoService } from '../domain/provedores/configuracao/configuracao.service.ts';
import type { FeriadosService } from '../domain/provedores/feriados/feriados.service.ts';
import type { AcompanhamentoService } from '../domain/planos/acompanhamento.service.ts';
import type { LeitorDePfx } from '../domain/nfcom/certificado/leitor.ts';
import type { ProvedoresService } from '../domain/provedores/provedores.service.ts';
import type { RetornosService } from '../domain/boletos/retornos/recebimento.service.ts';
import type { ImportacoesService } from '../domain/importacoes/importacoes.service.ts';
import type { IdentificacaoService } from '../domain/recebimentos/identificacao/identificacao.service.ts';
import type { RejulgamentoService } from '../domain/recebimentos/rejulgamento.service.ts';
import type { ReceptoresService } from '../domain/receptores/receptores.service.ts';
import type { WriteFor } from '../domain/escrita.ts';
import type { RedeService } from '../domain/rede/configuracao/rede.service.ts';
import type { NasService } from '../domain/rede/nas.service.ts';
import type { PerfisService } from '../domain/usuarios/perfis/perfis.service.ts';
import type { UsuariosService } from '../domain/usuarios/usuarios.service.ts';
import type { Db } from '../platform/mysql/database.ts';
import type { QueueName } from '../platform/queues/jobs.ts';
import type { QueueMonitor } from '../platform/queues/monitor.ts';
import type { JobQueue } from '../platform/queues/queue.ts';
import type { ConexaoPspService } from '../domain/psp/convenios/conexao.service.ts';
import type { ConveniosPspService } from '../domain/psp/convenios/convenios.service.ts';
import type { Relogio } from '../platform/timing/relogio.ts';

/** What the commands ask of the domain. */
export interface Servicos {
  readonly db: Db;
  /**
   * A database by its schema's owner: this one, or that of another cell. What is written through it is told to processes by whoever writes.
   * Whoever opens it destroys it.
   */
  readonly comoDono: (url?: string) => Db;
  /** How operators name this cell: its database as its schema's owner reaches it, without a login. */
  readonly estaCelula: () => string;
  /** Names of the master keys of the settings, the current one first; none where there is none. */
  readonly chavesMestras: () => readonly string[];
  readonly write: WriteFor;
  readonly readTenant: ReadTenant;
  readonly changeTenant: ChangeTenant;
  readonly chaves: ChavesService;
  readonly usuarios: UsuariosService;
  readonly perfis: PerfisService;
  readonly provedores: ProvedoresService;
  readonly configuracao: ConfiguracaoService;
  readonly feriados: FeriadosService;
  readonly conferencia: ConferenciaService;
  readonly acompanhamento: AcompanhamentoService;
  readonly receptores: ReceptoresService;
  readonly identificacao: IdentificacaoService;
  readonly rejulgamento: RejulgamentoService;
  readonly nas: NasService;
  readonly rede: RedeService;
  readonly esquecimento: EsquecimentoService;
  /** Files of banks. */
  readonly arquivosDeRetorno: RetornosService;
  readonly importacoes: ImportacoesService;
  readonly palavras: ReconstrucaoDePalavrasService;
  readonly lerPfx: LeitorDePfx;
  readonly psp: ConveniosPspService & ConexaoPspService;
}

/** A job of the catalogue, as far as its commands tell of it. */
export interface Tarefa {
  readonly nome: string;
  readonly descricao: string;
  readonly queue: QueueName;
  readonly everyMs?: number;
  /** Whose work one is, where it is not everybody's. */
  readonly por?: 'dia' | 'provedor';
}

/** The queues of the settings, or of the running service. Their jobs have the names of the tasks that the program hands out. */
export interface Filas {
  readonly fila: Pick<JobQueue<Record<string, object>>, 'add'>;
  readonly monitor: QueueMonitor<Record<string, object>>;
  readonly relogio: Relogio;
}

/** What a backup was found to be. */
export interface Copia {
  readonly pasta: string;
  readonly feito_em: string;
  readonly bytes: number;
  /** Where the binary log stood, null where the server keeps none. */
  readonly log_binario: { readonly arquivo: string; readonly posicao: number } | null;
  readonly chaves_mestras: { readonly ids: readonly string[]; readonly incluidas: boolean };
}

export interface ComoRestaurar {
  /** A folder with binary logs, and the instant at which they are left. */
  readonly logs?: string;
  readonly ate?: Date;
  /** Leaves what waited to be sent at that moment for the worker, which sends it. */
  readonly enviarPendentes?: boolean;
}

export interface CopiaRestaurada extends Copia {
  /** The time of the last event that the binary logs have; null without them. */
  readonly logs_ate: string | null;
  /** What waited to be sent and was ended without that; null where it was left. */
  readonly encerrados: Encerrados | null;
  /** Migrations of this version that the backup did not have yet. */
  readonly migradas: number;
  /** Providers of which all processes have forgotten what they kept; null where Redis did not answer. */
  readonly esquecidos: number | null;
  /** Tables with secrets that none of the keys of the settings opens. */
  readonly segredos_fechados: readonly string[];
}

/** Backups of the settings' database. */
interface Copias {
  fazer(pasta: string, comChaves: boolean): Promise<Copia>;
  restaurar(pasta: string, como: ComoRestaurar): Promise<CopiaRestaurada>;
}

/** Where the person sees what goes on: stderr, so that stdout holds what was found and nothing else. */
export interface Tela {
  /** It can be drawn over. */
  readonly interativa: boolean;
  /** Columns. */
  largura(): number;
  escrever(texto: string): void;
}

/** Standard input; a person types where it is a terminal. */
export type Entrada = NodeJS.ReadableStream & { readonly isTTY?: boolean };

/** What the program gives to its commands: only it reads the settings, opens connections and writes to the terminal. */
export interface Sessao {
  /** Runs one short command on the servers of the settings, of the running service, or of its own. */
  comContainer(tarefa: (servicos: Servicos) => Promise<void>): Promise<void>;
  /** The same with the queues, whose Redis may be another. */
  comFilas(tarefa: (filas: Filas, servicos: Servicos) => Promise<void>): Promise<void>;
  readonly copias: Copias;
  readonly entrada: () => Entrada;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Prints what a command found: JSON for programs, else lines for people. */
  mostrar(json: boolean | undefined, valor: unknown, linhas: readonly string[]): void;
  readonly tela: Tela;
  /** While `tarefa` runs, a Ctrl-C aborts its signal instead of ending the program. */
  comCtrlC<T>(tarefa: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** While `tarefa` runs, no signal ends the program. */
  ateOFim<T>(tarefa: () => Promise<T>): Promise<T>;
  /** How the program shall end when it does. */
  terminarCom(codigo: number): void;
}

/** How a program ends that a Ctrl-C has ended. */
export const INTERROMPIDO = 130;
