import type { Logger } from 'pino';
import { createAgregacao } from '../../domain/conexoes/agregacao.ts';
import type { AgregacaoDeps } from '../../domain/conexoes/agregacao.ts';
import { avisarMudancas } from '../../domain/conexoes/avisar-mudancas.ts';
import { createAcompanhamentoDePalavrasService } from '../../domain/clientes/palavras/acompanhamento.service.ts';
import type { ReconstrucaoDePalavrasService } from '../../domain/clientes/palavras/reconstrucao.service.ts';
import { createEncerramentoDeContratosService } from '../../domain/contratos/encerramento/encerramento.service.ts';
import { createExpiracaoService } from '../../domain/convites/expiracao.service.ts';
import { createEncerramentoService } from '../../domain/desbloqueios/encerramento.service.ts';
import type { WriteFor } from '../../domain/escrita.ts';
import type { PublicacaoService } from '../../domain/eventos/publicacao.service.ts';
import type { ExpiracaoDeExtratosService } from '../../domain/extratos/expiracao.service.ts';
import { createAcompanhamentoService } from '../../domain/planos/acompanhamento.service.ts';
import { createRetomadaDoFaturamentoService } from '../../domain/faturamento/pedidos/retomada.service.ts';
import type { ExecucaoDoFaturamentoService } from '../../domain/faturamento/pedidos/execucao.service.ts';
import type { ExecucaoDeImportacoesService } from '../../domain/importacoes/execucao/execucao.service.ts';
import { createProvedoresService } from '../../domain/provedores/provedores.service.ts';
import { createIdentificacaoService } from '../../domain/recebimentos/identificacao/identificacao.service.ts';
import { createAplicacaoService } from '../../domain/rede/aplicacao/aplicacao.service.ts';
import { createDesconexaoService } from '../../domain/rede/sessoes/desconexao.service.ts';
import { createDeteccaoService } from '../../domain/rede/deteccao/deteccao.service.ts';
import type { AvisoDeRede } from '../../domain/rede/rede.types.ts';
import { createConclusaoDeApagamentosService } from '../../domain/privacidade/apagamento/conclusao.service.ts';
import { createRetencaoService } from '../../domain/retencao/retencao.service.ts';
import type { EntregasDePushService } from '../../domain/push/entregas/entregas.service.ts';
import type { EntregasDeCorreioService } from '../../domain/correio/entregas.service.ts';
import type { AvisosDeCertificadoService } from '../../domain/nfcom/certificado/avisos.service.ts';
import type { AcompanhamentoDeCobrancasService } from '../../domain/psp/cobrancas/acompanhamento.service.ts';
import type { AvisosDoPspService } from '../../domain/psp/convenios/avisos.service.ts';
import type { DevolucoesAoPspService } from '../../domain/psp/devolucoes/devolucoes.service.ts';
import type { EnvioAoPspService } from '../../domain/psp/envio/envio.service.ts';
import type { EnvioNfcomService } from '../../domain/nfcom/envio/envio.service.ts';
import { createConsultaDeAvisosService } from '../../domain/rede/avisos/consulta.service.ts';
import { createSilencioService } from '../../domain/rede/deteccao/silencio.service.ts';
import type { LembretesService } from '../../domain/push/lembretes/lembretes.service.ts';
import type { EntregasService } from '../../domain/webhooks/entregas/entregas.service.ts';
import type { TarefasService } from '../../domain/tarefas/tarefas.service.ts';
import type { JobOutcome } from '../../platform/metrics/queues.ts';
import { createQueue } from '../../platform/queues/queue.ts';
import { UPHOLD_EVERY_MS } from '../../platform/queues/schedules.ts';
import { createJobWorker } from '../../platform/queues/worker.ts';
import { createNasClient } from '../../platform/radius/client.ts';
import type { Tracing } from '../../platform/tracing/tracing.types.ts';
import { withLogFields } from '../../platform/log-fields.ts';
import { createRedis, endRedis } from '../../platform/redis/redis.ts';
import { createSomaDeTrafego } from '../../domain/trafego/soma.ts';
import { createConexoesAgregarJob } from '../../../workers/jobs/conexoes-agregar.job.ts';
import { createConexoesParadasJob } from '../../../workers/jobs/conexoes-paradas.job.ts';
import { createConexoesRecalcularJob } from '../../../workers/jobs/conexoes-recalcular.job.ts';
import { createDesbloqueiosEncerrarJob } from '../../../workers/jobs/desbloqueios-encerrar.job.ts';
import { createRedeAplicarJob } from '../../../workers/jobs/rede-aplicar.job.ts';
import { createRedeMedirJob } from '../../../workers/jobs/rede-medir.job.ts';
import { createRedeDetectarJob } from '../../../workers/jobs/rede-detectar.job.ts';
import { createContratosEncerrarJob } from '../../../workers/jobs/contratos-encerrar.job.ts';
import { createPlanosAcompanharJob } from '../../../workers/jobs/planos-acompanhar.job.ts';
import { createPalavrasAcompanharJob } from '../../../workers/jobs/palavras-acompanhar.job.ts';
import { createConvitesExpirarJob } from '../../../workers/jobs/convites-expirar.job.ts';
import { createPixDevolverJob } from '../../../workers/jobs/pix-devolver.job.ts';
import { createPixAcompanharJob } from '../../../workers/jobs/pix-acompanhar.job.ts';
import { createPushLembrarJob } from '../../../workers/jobs/push-lembrar.job.ts';
import { createFaturamentoExecutarJob } from '../../../workers/jobs/faturamento-executar.job.ts';
import { createImportacaoExecutarJob } from '../../../workers/jobs/importacao-executar.job.ts';
import { createOutboxPublicarJob } from '../../../workers/jobs/outbox-publicar.job.ts';
import { createRecebimentosIdentificarJob } from '../../../workers/jobs/recebimentos-identificar.job.ts';
import { createRetencaoLimparJob } from '../../../workers/jobs/retencao-limpar.job.ts';
import { createRetornosProcessarJob } from '../../../workers/jobs/retornos-processar.job.ts';
import type { RetornosService } from '../../domain/boletos/retornos/recebimento.service.ts';
import { atorDaTarefa } from '../../domain/actor.ts';
import { ehTarefaDiaria } from '../../domain/tarefas/operacao.ts';
import { createTarefaDiariaJob } from '../../../workers/jobs/tarefa-diaria.job.ts';
import { createTarefasPlanejarJob } from '../../../workers/jobs/tarefas-planejar.job.ts';
import { jobDefinitions } from '../../../workers/jobs/catalogue.ts';
import { untracked } from '../../platform/cache/trail.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Consumer } from '../../platform/mysql/outbox-consumer.ts';
import { createAskedForConsumers } from './asked-for.ts';
import { startDeliveries } from './deliveries.ts';
import { startConsumer, startRelay } from './relay.ts';
import type { JobHandlers } from '../../../workers/jobs/catalogue.ts';

export interface WorkerDeps extends AgregacaoDeps {
  readonly logger: Logger;
  /** Redis of the queues, with `noeviction`. */
  readonly redisUrl: string;
  readonly queuePrefix?: string;
  readonly write: WriteFor;
  /** Publishes the outbox. */
  readonly publicacao: Pick<PublicacaoService, 'publicar'>;
  /** The consumers of the outbox, in addition to the cache. */
  readonly consumers: readonly Consumer[];
  /** Delivers to webhooks. */
  readonly entregas: Pick<EntregasService, 'entregar' | 'parar'>;
  /** Sends to devices. */
  readonly entregasDePush: Pick<EntregasDePushService, 'entregar' | 'parar'>;
  /** Sends e-mails. */
  readonly entregasDeCorreio: Pick<EntregasDeCorreioService, 'entregar' | 'parar'>;
  /** Builds and sends fiscal notes. */
  readonly envioNfcom: Pick<EnvioNfcomService, 'entregar' | 'parar'>;
  /** Charges at PSPs, and what these received. */
  readonly envioAoPsp: Pick<EnvioAoPspService, 'entregar' | 'parar'>;
  readonly cobrancasPix: AcompanhamentoDeCobrancasService;
  readonly avisosDoPsp: AvisosDoPspService;
  readonly devolucoesAoPsp: DevolucoesAoPspService;
  readonly lembretes: LembretesService;
  readonly avisosDeCertificado: AvisosDeCertificadoService;
  readonly tarefas: TarefasService;
  /** Files of banks. */
  readonly arquivosDeRetorno: Pick<RetornosService, 'comPendentes' | 'proximoPendente' | 'processar' | 'anotarFalha'>;
  readonly extratos: ExpiracaoDeExtratosService;
  readonly palavras: Pick<ReconstrucaoDePalavrasService, 'refazerDesde'>;
  readonly execucaoDoFaturamento: Pick<ExecucaoDoFaturamentoService, 'executarPedidos'>;
  readonly execucaoDeImportacoes: Pick<ExecucaoDeImportacoesService, 'executarPedidas'>;
  readonly tracing?: Tracing | null;
  /** Called for each job that ended, with its outcome. */
  readonly onJob?: (job: string, outcome: JobOutcome, ms: number) => void;
}

/** How long one try waits for the answer of a NAS. The next try comes after at least twice this time. */
const NAS_TIMEOUT_MS = 1000;

/**
 * Starts the worker. It publishes the outbox at once, and takes jobs whenever the Redis of the queues is there. `stop`
 * waits for running jobs. The database belongs to the caller and stays open.
 */
export function startWorker(deps: WorkerDeps): { stop(): Promise<void> } {
  const { logger, redisUrl, queuePrefix, publicacao, consumers, tarefas, tracing = null, onJob } = deps;
  const onError = (error: Error): void => logger.warn({ motivo: error.message }, 'Redis das filas inacessível');
  const prefix = queuePrefix === undefined ? {} : { prefix: queuePrefix };
  let stopping = false;

  const connection = createRedis(redisUrl, 'worker', onError);
  const queue = createQueue({ connection, definitions: jobDefinitions, ...prefix, onError });
  const warn = (notice: AvisoDeRede): void => logger.warn(notice, 'rede: pedido sem efeito ou sessão não encerrada');
  const agregacao = createAgregacao({ ...deps, aoMudar: avisarMudancas });
  const provedores = createProvedoresService(deps);
  const encerramento = createEncerramentoService({ ...deps, provedores });
  const identificacao = createIdentificacaoService({ ...deps, provedores });
  const aplicacao = createAplicacaoService({ ...deps, avisar: warn });
  const perguntar = createNasClient({ timeoutMs: NAS_TIMEOUT_MS });
  const desconexao = createDesconexaoService({ ...deps, avisar: warn, perguntar });
  const apagamentos = createConclusaoDeApagamentosService({ ...deps, provedores });
  const avisosDe = (tenant: TenantDb) =>
    createConsultaDeAvisosService({ tenant, relogio: deps.relogio, trail: untracked });
  const silencio = createSilencioService({ ...deps, avisosDe });
  const handlers: JobHandlers = {
    'conexoes.agregar': createConexoesAgregarJob(agregacao, createSomaDeTrafego({ db: deps.db })),
    'conexoes.paradas': createConexoesParadasJob(agregacao),
    'conexoes.recalcular': createConexoesRecalcularJob(agregacao),
    'rede.medir': createRedeMedirJob(agregacao, silencio),
    'rede.detectar': createRedeDetectarJob(createDeteccaoService(deps)),
    'tarefas.planejar': createTarefasPlanejarJob(tarefas, createRetomadaDoFaturamentoService(deps), queue),
    'faturas.gerar': createTarefaDiariaJob(deps, 'faturas.gerar'),
    'faturas.vencer': createTarefaDiariaJob(deps, 'faturas.vencer'),
    'promessas.conferir': createTarefaDiariaJob(deps, 'promessas.conferir'),
    'excedentes.creditar': createTarefaDiariaJob(deps, 'excedentes.creditar'),
    'pix.recalcular': createTarefaDiariaJob(deps, 'pix.recalcular'),
    'remessas.gerar': createTarefaDiariaJob(deps, 'remessas.gerar'),
    'retornos.processar': createRetornosProcessarJob(deps.arquivosDeRetorno),
    'pix.cobrar': createTarefaDiariaJob(deps, 'pix.cobrar'),
    'notas.pedir': createTarefaDiariaJob(deps, 'notas.pedir'),
    'regua.aplicar': createTarefaDiariaJob(deps, 'regua.aplicar'),
    'somas.fechar': createTarefaDiariaJob(deps, 'somas.fechar'),
    'extratos.gerar': createTarefaDiariaJob(deps, 'extratos.gerar'),
    'rede.aplicar': createRedeAplicarJob(aplicacao, desconexao),
    'desbloqueios.encerrar': createDesbloqueiosEncerrarJob(encerramento),
    'contratos.encerrar': createContratosEncerrarJob(createEncerramentoDeContratosService(deps)),
    'planos.acompanhar': createPlanosAcompanharJob(createAcompanhamentoService(deps)),
    'palavras.acompanhar': createPalavrasAcompanharJob(createAcompanhamentoDePalavrasService({ ...deps, provedores })),
    'push.lembrar': createPushLembrarJob(deps.lembretes, deps.avisosDeCertificado),
    'pix.acompanhar': createPixAcompanharJob(deps.cobrancasPix, deps.avisosDoPsp),
    'pix.devolver': createPixDevolverJob(deps.devolucoesAoPsp),
    'convites.expirar': createConvitesExpirarJob(createExpiracaoService(deps)),
    'recebimentos.identificar': createRecebimentosIdentificarJob(identificacao),
    'importacao.executar': createImportacaoExecutarJob(deps.execucaoDeImportacoes),
    'faturamento.executar': createFaturamentoExecutarJob(deps.execucaoDoFaturamento),
    'retencao.limpar': createRetencaoLimparJob(createRetencaoService({ ...deps, apagamentos })),
    'outbox.publicar': createOutboxPublicarJob(publicacao),
  };

  // Only one at a time: while Redis is away, all of them would wait for it.
  let upholding: Promise<void> | undefined;
  const uphold = (): void => {
    upholding ??= queue
      .schedule()
      .catch((error: Error) => {
        if (!stopping) onError(error);
      })
      .finally(() => {
        upholding = undefined;
      });
  };
  uphold();
  // A Redis that comes back empty has lost the schedulers. A flushed one has lost them too, without closing the
  // connection, so they are also written again from time to time.
  connection.on('ready', uphold);
  const upholdingAgain = setInterval(uphold, UPHOLD_EVERY_MS).unref();
  const worker = createJobWorker({
    connection,
    ...prefix,
    handlers,
    within: async (job, work) =>
      withLogFields(job, async () => (tracing === null ? work() : tracing.job(job.job, job.jobId, work))),
    onCompleted(report) {
      onJob?.(report.job, 'concluida', report.durationMs);
      logger[report.repeating ? 'debug' : 'info'](report, 'tarefa concluída');
    },
    onFailed(report, reason) {
      if (report.over) {
        onJob?.(report.job, 'falhou', report.durationMs);
        logger.error({ ...report, motivo: reason }, 'tarefa falhou');
      } else logger.warn({ ...report, motivo: reason }, 'tarefa falhou e será tentada de novo');
    },
    onGivenUp(tarefa, payload) {
      if (!ehTarefaDiaria(tarefa) || !('dia' in payload)) return;
      const qual = { tarefa, provedorId: payload.provedorId, dia: payload.dia };
      void tarefas.dizerQueFalhou(atorDaTarefa(tarefa), qual).catch((err: unknown) => {
        logger.warn({ err, ...qual }, 'a equipe não soube que a tarefa falhou');
      });
    },
    onError,
  });

  const relays = [
    startRelay({ publicacao, logger }),
    ...[...consumers, ...createAskedForConsumers(queue, () => connection.status === 'ready')].map((consumer) =>
      startConsumer({ db: deps.db, consumer, logger }),
    ),
    startDeliveries(deps.entregas, 'webhooks', logger),
    startDeliveries(deps.entregasDePush, 'push', logger),
    startDeliveries(deps.entregasDeCorreio, 'e-mails', logger),
    startDeliveries(deps.envioNfcom, 'notas', logger),
    startDeliveries(deps.envioAoPsp, 'PSP', logger),
  ];

  return {
    async stop() {
      stopping = true;
      clearInterval(upholdingAgain);
      await Promise.all([worker, ...relays].map(async (running) => running.stop()));
      // Ending the connection also ends the commands that still wait for Redis.
      await queue.close();
      endRedis(connection);
    },
  };
}
