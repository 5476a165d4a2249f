import { pino } from 'pino';
import type { Db } from '../../src/platform/mysql/database.ts';
import { createEscrita } from '../../src/domain/escrita.ts';
import type { WorkerDeps } from '../../src/app/compose/worker.ts';
import { relogioEm } from './relogio.ts';

const nada = { entregar: async () => 0, parar: async () => {} };

/** Nothing is due to any webhook or device. */
export const SEM_ENTREGAS: Pick<
  WorkerDeps,
  | 'entregas'
  | 'entregasDePush'
  | 'entregasDeCorreio'
  | 'envioNfcom'
  | 'envioAoPsp'
  | 'cobrancasPix'
  | 'avisosDoPsp'
  | 'devolucoesAoPsp'
  | 'lembretes'
  | 'avisosDeCertificado'
  | 'execucaoDoFaturamento'
> = {
  execucaoDoFaturamento: { executarPedidos: async () => ({ pedidos: 0 }) },
  entregas: nada,
  entregasDePush: nada,
  entregasDeCorreio: nada,
  envioNfcom: nada,
  envioAoPsp: nada,
  cobrancasPix: { provedores: async () => [], acompanhar: async () => 0 },
  devolucoesAoPsp: { devolver: async () => {} },
  avisosDoPsp: { provedores: async () => [], avisar: async () => ({ mais: false }) },
  avisosDeCertificado: { provedores: async () => [], avisar: async () => ({ mais: false }) },
  lembretes: { provedores: async () => [], lembrar: async () => ({ mais: false }) },
};

/** What a worker stands on that has nothing to publish, no daily work and nobody to tell of its writes, but for what `mais` says. */
export const depsDoTrabalhador = (db: Db, redisUrl: string, mais: Partial<WorkerDeps> = {}): WorkerDeps => ({
  db,
  redisUrl,
  logger: pino({ level: 'silent' }),
  relogio: relogioEm('2026-11-20T15:00:00Z'),
  intervaloPadraoSegundos: 300,
  publicacao: { publicar: async () => 0 },
  consumers: [],
  ...SEM_ENTREGAS,
  extratos: { expirar: async () => 0 },
  palavras: { refazerDesde: async () => ({ vistos: 0, mudados: 0 }) },
  arquivosDeRetorno: {
    comPendentes: async () => [],
    proximoPendente: async () => null,
    processar: async () => {},
    anotarFalha: async () => {},
  },
  execucaoDeImportacoes: { executarPedidas: async () => ({ importacoes: 0, linhas: 0 }) },
  tarefas: {
    pendentes: async () => [],
    executar: () => Promise.reject(new Error('nenhuma')),
    dizerQueFalhou: async () => {},
  },
  write: createEscrita({ db, gate: { bump: async () => {} }, onUnconfirmed: () => {} }),
  ...mais,
});

/** What a job is given beside its payload when it is run without a queue. */
export const contextoDeTarefa = (signal: AbortSignal = new AbortController().signal) => ({
  jobId: '1',
  signal,
  resumeWith: async (): Promise<void> => {},
  lastTry: false,
  progress: (): void => {},
});
