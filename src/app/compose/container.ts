import { hojeEm } from '../../brazil/calendario/datas.ts';
import { feriadoBancario } from '../../brazil/calendario/feriados.ts';
import { createChavesService } from '../../domain/chaves/chaves.service.ts';
import type { Container, ContainerDeps } from './container.types.ts';
import { createCobrancasService } from '../../domain/cobrancas/cobrancas.service.ts';
import { createAgregacao } from '../../domain/conexoes/agregacao.ts';
import { avisarMudancas } from '../../domain/conexoes/avisar-mudancas.ts';
import { createPreCadastroService } from '../../domain/convites/pre-cadastro.service.ts';
import { createEsquecimentoService } from '../../domain/eventos/esquecimento.service.ts';
import { createPublicacaoService } from '../../domain/eventos/publicacao.service.ts';
import { createExpiracaoDeExtratosService } from '../../domain/extratos/expiracao.service.ts';
import { createGeracao } from '../../domain/extratos/gerar.ts';
import { ritmoDoExtrato } from '../../domain/extratos/ritmo.regras.ts';
import { createRecalculo } from '../../domain/faturas/valor-do-dia.ts';
import { vencimento } from '../../domain/faturas/vencimento.ts';
import { createPlanosService } from '../../domain/planos/planos.service.ts';
import { createConferenciaService } from '../../domain/faturas/conferencia.service.ts';
import { createConfiguracaoService } from '../../domain/provedores/configuracao/configuracao.service.ts';
import { createFeriadosService } from '../../domain/provedores/feriados/feriados.service.ts';
import { createProvedoresService } from '../../domain/provedores/provedores.service.ts';
import { createIdentificacaoService } from '../../domain/recebimentos/identificacao/identificacao.service.ts';
import { createRecebimentosService } from '../../domain/recebimentos/recebimentos.service.ts';
import { createRejulgamentoService } from '../../domain/recebimentos/rejulgamento.service.ts';
import { createReceptoresService } from '../../domain/receptores/receptores.service.ts';
import { createNasService } from '../../domain/rede/nas.service.ts';
import { ritmoDe } from '../../domain/tarefas/ritmo.regras.ts';
import { createTarefasService } from '../../domain/tarefas/tarefas.service.ts';
import { createDatabase } from '../../platform/mysql/database.ts';
import { createDeadline } from '../../platform/timing/deadline.ts';
import { createGate } from '../../platform/gate/gate.ts';
import type { GateMode } from '../../platform/gate/gate.ts';
import { guardHeap } from '../../platform/process/heap.ts';
import { createLogger } from '../../platform/logger.ts';
import { createMetrics } from '../../platform/metrics/metrics.ts';
import { createPageWalks } from '../../platform/paging/page-walks.ts';
import { openExtractStore } from '../../platform/storage/open.ts';
import { createReadiness } from '../../platform/process/readiness.ts';
import { createRedis } from '../../platform/redis/redis.ts';
import { createReplica } from '../../platform/mysql/replica.ts';
import { createRenderings } from '../../platform/threads/renderings.ts';
import { createResponseCache } from '../../platform/cache/response-cache.ts';
import { untracked } from '../../platform/cache/trail.ts';
import { createThreads } from '../../platform/threads/threads.ts';
import { createTraffic } from '../../platform/process/traffic.ts';
import { createWrites } from '../../platform/mysql/writes.ts';
import { montarDominio } from './domain.ts';
import { createServico } from './surface-server.ts';
import { createPaginas } from '../../surfaces/pages/paginas.ts';
import { createPsp } from '../../surfaces/psp/psp.ts';
import { criarObservacao } from '../../surfaces/public-api/observacao.ts';
import { createPorta } from '../../surfaces/public-api/porta.ts';
import { createPublicApi } from '../../surfaces/public-api/public-api.ts';
import type { Rota } from '../../surfaces/public-api/rota.ts';

/** A read that MySQL does not answer within this long has failed: better an error than a caller who waits for ever. */
const READ_DEADLINE_MS = 3000;

/** Of a list that a program reads whole: to count millions of rows that are not in memory takes seconds. */
const LIST_DEADLINE_MS = 14_000;

/** The same for a write, which may wait for others' locks. What is given up may yet be committed: its caller was not told. */
const WRITE_DEADLINE_MS = 10_000;

/** Of documents kept, and of the making of one, which takes some 10 ms. */
const DOCUMENTS = { maxBytes: 8 * 2 ** 20, maxMs: 15_000 };

export type { Container, ContainerDeps } from './container.types.ts';

/** Builds everything out of the settings. Nothing else builds. */
export function createContainer(deps: ContainerDeps): Container {
  const { config, databaseUrl, redisUrl, relogio, rotas, destinoDoLog, pastaDeThreads } = deps;
  const logger = createLogger(config, destinoDoLog);
  const db = createDatabase({ url: databaseUrl, pool: config.MALHA_POOL, announces: true });
  const redis = createRedis(redisUrl, 'gate', (error) => logger.debug({ err: error }, 'redis'));
  const metrics = createMetrics({ db, cacheSize: () => cache.size });
  let modoAtual: GateMode = 'redis';
  const readiness = createReadiness({ db, mode: () => modoAtual });
  const gate = createGate({
    redis,
    onAnswer: metrics.redis,
    onMode(modo, error) {
      modoAtual = modo;
      metrics.mode(modo);
      if (modo === 'local') logger.warn({ err: error }, 'Redis fora: limites por processo, leituras direto do banco');
      else logger.info('Redis de volta');
    },
  });
  const write = createWrites({
    db,
    gate,
    onUnconfirmed: (provedorId) => logger.warn({ provedorId }, 'escrita respondida sem confirmação do Redis'),
  });
  const intervaloPadraoSegundos = config.MALHA_INTERVALO_RADIUS;
  const provedores = createProvedoresService({ db });
  const receptores = createReceptoresService({ db, relogio, write });
  const agregacao = createAgregacao({ db, relogio, intervaloPadraoSegundos, aoMudar: avisarMudancas });
  const recebimentos = createRecebimentosService({ relogio, write });
  const cobrancas = createCobrancasService({ db, relogio });
  const traffic = createTraffic();
  const threads = createThreads({ maxThreads: 1, ...(pastaDeThreads === undefined ? {} : { folder: pastaDeThreads }) });
  // A table of an extract holds its thread for as long as it takes, and nobody shall wait for a boleto meanwhile.
  const threadsDeExtratos = createThreads({ maxThreads: 1 });
  const armazem = openExtractStore(config);
  const chaves = createChavesService({ db, relogio, write });
  const deadline = createDeadline(READ_DEADLINE_MS);
  const writeDeadline = createDeadline(WRITE_DEADLINE_MS);
  const listDeadline = createDeadline(LIST_DEADLINE_MS);
  const walks = createPageWalks({ redis, gate });
  const { DATABASE_REPLICA_URL: replicaUrl } = config;
  const replica = createReplica({
    primary: db,
    replica: replicaUrl === undefined ? null : createDatabase({ url: replicaUrl, pool: config.MALHA_POOL }),
    maxLagMs: config.MALHA_ATRASO_REPLICA * 1000,
    onState(estado, atrasoMs, error) {
      if (estado === 'used') logger.info({ atrasoMs }, 'réplica em uso');
      else logger.warn({ atrasoMs, err: error }, 'réplica fora de uso: não responde ou está atrasada');
    },
    onFailure: (error) => logger.warn({ err: error }, 'a réplica falhou numa lista, que é lida no banco'),
  });
  const cache = createResponseCache<Rota>({
    gate,
    relogio,
    maxBytes: config.MALHA_CACHE_MB * 2 ** 20,
    deadline,
    longDeadline: listDeadline,
    onEvent: metrics.cache,
  });

  const { ler, escrever } = montarDominio({
    db,
    replica,
    relogio,
    write,
    writeDeadline,
    walks,
    armazem,
    intervaloPadraoSegundos,
  });

  let heapGuard: ReturnType<typeof guardHeap> | undefined;

  const preCadastro = createPreCadastroService({
    db,
    relogio,
    write,
    planosDe: (tenant) => createPlanosService({ tenant, trail: untracked }),
  });

  return {
    logger,
    db,
    chaves,
    provedores,
    configuracao: createConfiguracaoService({ db, write }),
    feriados: createFeriadosService({ db, write, relogio }),
    conferencia: createConferenciaService({ db, relogio }),
    receptores,
    identificacao: createIdentificacaoService({ db, relogio, write, provedores }),
    rejulgamento: createRejulgamentoService({ db, relogio, write, provedores }),
    nas: createNasService({ db, write, recalcular: async (provedorId) => agregacao.agregarTudo(provedorId) }),
    ler,
    escrever,
    write,
    cache,
    esquecimento: createEsquecimentoService({ write, provedores }),
    publicacao: createPublicacaoService({
      db,
      gate,
      aoFalhar: (provedorId, error) => logger.warn({ provedorId, err: error }, 'eventos por publicar'),
    }),
    tarefas: createTarefasService({
      db,
      write,
      relogio,
      provedores,
      trabalhos: {
        'faturas.vencer': vencimento,
        'pix.recalcular': createRecalculo({ threads }),
        'extratos.gerar': createGeracao({
          fonte: () => replica.snapshots(),
          write,
          relogio,
          armazem,
          threads: threadsDeExtratos,
          intervaloPadraoSegundos,
          ritmo: () => ritmoDoExtrato(traffic.quiet()),
        }),
      },
      ritmo: () => ritmoDe(traffic.quiet()),
    }),
    extratos: createExpiracaoDeExtratosService({
      db,
      write,
      relogio,
      provedores,
      armazem,
      dias: config.MALHA_EXTRATOS_DIAS,
    }),
    metrics,
    readiness,

    createHttp() {
      // Holidays and time zones are loaded at their first use, and would hold up everyone who asks then.
      feriadoBancario(hojeEm('America/Sao_Paulo', relogio.agora()));
      heapGuard ??= guardHeap(config.MALHA_CACHE_MB * 2 ** 20);
      const registrar = config.MALHA_LOG_REQUISICOES === 'sim';
      const hosts = { idPorHost: async (host: string) => deadline.watch(provedores.idPorHost(host)) };
      const paginas = createPaginas({
        preCadastro: {
          abrir: async (token) => deadline.watch(preCadastro.abrir(token)),
          registrar: async (...cadastro) => writeDeadline.watch(preCadastro.registrar(...cadastro)),
        },
        cobrancas: {
          abrir: async (token) => deadline.watch(cobrancas.abrir(token)),
          imprimir: async (token) => deadline.watch(cobrancas.imprimir(token)),
        },
        impressos: createRenderings({ threads, ...DOCUMENTS }),
        provedores: hosts,
        gate,
        relogio,
        logger,
        metrics,
        registrar,
        proxies: config.MALHA_PROXIES,
      });
      const psp = createPsp({
        receptores: { buscarPorSegredo: async (segredo) => deadline.watch(receptores.buscarPorSegredo(segredo)) },
        recebimentos: {
          registrar: async (...pix) => writeDeadline.watch(recebimentos.registrar(...pix)),
          recusar: async (...pix) => writeDeadline.watch(recebimentos.recusar(...pix)),
        },
        provedores: hosts,
        gate,
        logger,
        metrics,
        registrar,
        proxies: config.MALHA_PROXIES,
      });
      // Not before there is a server: it has room for all the keys that it may come to know.
      const porta = createPorta({
        gate,
        chaves: { buscarPorHash: async (hash) => deadline.watch(chaves.buscarPorHash(hash)) },
        provedores: hosts,
        relogio,
        onRefusal: metrics.refusal,
      });
      const publicApi = createPublicApi({
        porta,
        ler,
        escrever,
        cache,
        prazo: async (leitura) => deadline.watch(leitura),
        logger,
        observar: criarObservacao({ metrics, logger, registrar }),
        proxies: config.MALHA_PROXIES,
        ...(rotas === undefined ? {} : { rotas }),
      });
      return createServico({
        paginas,
        psp,
        publicApi,
        readiness,
        logger,
        onRequest: traffic.note,
        maxConnections: config.MALHA_CONEXOES,
        onConnection: metrics.connection,
      });
    },

    async redisReady() {
      if (redis.status === 'ready') return;
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('O Redis não respondeu em 2 s.')), 2000);
        redis.once('ready', () => {
          clearTimeout(timer);
          resolve();
        });
      });
    },

    async close() {
      heapGuard?.close();
      metrics.close();
      gate.close();
      deadline.close();
      walks.close();
      writeDeadline.close();
      listDeadline.close();
      redis.disconnect();
      await Promise.all([threads.close(), threadsDeExtratos.close()]);
      await replica.close();
      await db.destroy();
    },
  };
}
