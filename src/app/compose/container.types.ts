import type { RetornosService } from '../../domain/boletos/retornos/recebimento.service.ts';
import type { Logger } from 'pino';
import type { ChangeTenant, ReadTenant, WriteTenant } from '../../access/contracts.ts';
import type { PedidosDeAcessoService } from '../../domain/acessos/codigos/pedidos.service.ts';
import type { EntradaNoAppService } from '../../domain/acessos/entrada/entrada.service.ts';
import type { EscolhaDeSenhaService } from '../../domain/acessos/entrada/escolha-de-senha.service.ts';
import type { RodizioService } from '../../domain/acessos/sessoes/rodizio.service.ts';
import type { SessoesDoAppService } from '../../domain/acessos/sessoes/sessoes.service.ts';
import type { ChavesService } from '../../domain/chaves/chaves.service.ts';
import type { ContagemDeUso } from '../../domain/chaves/uso/contagem.ts';
import type { EsquecimentoService } from '../../domain/eventos/esquecimento.service.ts';
import type { PublicacaoService } from '../../domain/eventos/publicacao.service.ts';
import type { ExpiracaoDeExtratosService } from '../../domain/extratos/expiracao.service.ts';
import type { AcompanhamentoService } from '../../domain/planos/acompanhamento.service.ts';
import type { ConferenciaService } from '../../domain/faturas/conferencia.service.ts';
import type { ConfiguracaoService } from '../../domain/provedores/configuracao/configuracao.service.ts';
import type { FormasDaConfiguracaoService } from '../../domain/provedores/configuracao/formas.service.ts';
import type { FeriadosService } from '../../domain/provedores/feriados/feriados.service.ts';
import type { ReconstrucaoDePalavrasService } from '../../domain/clientes/palavras/reconstrucao.service.ts';
import type { ExecucaoDoFaturamentoService } from '../../domain/faturamento/pedidos/execucao.service.ts';
import type { ExecucaoDeImportacoesService } from '../../domain/importacoes/execucao/execucao.service.ts';
import type { ImportacoesService } from '../../domain/importacoes/importacoes.service.ts';
import type { ProvedoresService } from '../../domain/provedores/provedores.service.ts';
import type { IdentificacaoService } from '../../domain/recebimentos/identificacao/identificacao.service.ts';
import type { RejulgamentoService } from '../../domain/recebimentos/rejulgamento.service.ts';
import type { ReceptoresService } from '../../domain/receptores/receptores.service.ts';
import type { RedeService } from '../../domain/rede/configuracao/rede.service.ts';
import type { NasService } from '../../domain/rede/nas.service.ts';
import type { TarefasService } from '../../domain/tarefas/tarefas.service.ts';
import type { EntregasService } from '../../domain/webhooks/entregas/entregas.service.ts';
import type { MensagensService } from '../../domain/webhooks/mensagens/mensagens.service.ts';
import type { EntregasDePushService } from '../../domain/push/entregas/entregas.service.ts';
import type { AvisosDeCertificadoService } from '../../domain/nfcom/certificado/avisos.service.ts';
import type { LeitorDePfx } from '../../domain/nfcom/certificado/leitor.ts';
import type { AcompanhamentoDeCobrancasService } from '../../domain/psp/cobrancas/acompanhamento.service.ts';
import type { AvisosDoPspService } from '../../domain/psp/convenios/avisos.service.ts';
import type { ConexaoPspService } from '../../domain/psp/convenios/conexao.service.ts';
import type { ConveniosPspService } from '../../domain/psp/convenios/convenios.service.ts';
import type { DevolucoesAoPspService } from '../../domain/psp/devolucoes/devolucoes.service.ts';
import type { EnvioAoPspService } from '../../domain/psp/envio/envio.service.ts';
import type { RecebimentosService } from '../../domain/recebimentos/recebimentos.service.ts';
import type { EnvioNfcomService } from '../../domain/nfcom/envio/envio.service.ts';
import type { LembretesService } from '../../domain/push/lembretes/lembretes.service.ts';
import type { ConsumoDePushService } from '../../domain/push/mensagens/consumo.service.ts';
import type { PushService } from '../../domain/push/push.service.ts';
import type { ReenvioService } from '../../domain/webhooks/registro/reenvio.service.ts';
import type { RegistroDeWebhooksService } from '../../domain/webhooks/registro/registro.service.ts';
import type { TesteDeWebhooksService } from '../../domain/webhooks/registro/teste.service.ts';
import type { WebhooksService } from '../../domain/webhooks/webhooks.service.ts';
import type { PoliticaService } from '../../domain/provedores/configuracao/politica.service.ts';
import type { EntradaDaEquipeService } from '../../domain/usuarios/app/entrada-no-app.service.ts';
import type { FatoresService } from '../../domain/usuarios/fatores/fatores.service.ts';
import type { PerfisService } from '../../domain/usuarios/perfis/perfis.service.ts';
import type { SenhasService } from '../../domain/usuarios/senha/senhas.service.ts';
import type { EntradaService } from '../../domain/usuarios/sessoes/entrada.service.ts';
import type { SessoesService } from '../../domain/usuarios/sessoes/sessoes.service.ts';
import type { UsuariosService } from '../../domain/usuarios/usuarios.service.ts';
import type { EntregasDeCorreioService } from '../../domain/correio/entregas.service.ts';
import type { Db } from '../../platform/mysql/database.ts';
import type { Consumer } from '../../platform/mysql/outbox-consumer.ts';
import type { Streams } from '../../kit/live/sse.ts';
import type { LiveHub } from '../../platform/live/hub.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { Readiness } from '../../platform/process/readiness.ts';
import type { ResponseCache } from '../../platform/cache/response-cache.ts';
import type { WriteFor } from '../../domain/escrita.ts';
import type { PlatformDeps } from './platform.ts';
import type { WorkerDeps } from './worker.ts';
import type { createSurfaceServer } from './surface-server.ts';
import type { ConfiguracaoDoAppService } from '../../domain/provedores/app/app.service.ts';
import type { Rota as RotaDoApp } from '../../surfaces/app-api/rota.ts';
import type { Rota } from '../../surfaces/public-api/rota.ts';

export interface ContainerDeps extends PlatformDeps {
  /** Replaces the routes of the API, in tests of the kit. */
  readonly routes?: readonly Rota[];
  /** The same of `/v1`. */
  readonly appRoutes?: readonly RotaDoApp[];
}

export interface Container {
  readonly logger: Logger;
  readonly db: Db;
  readonly chaves: ChavesService;
  readonly usuarios: UsuariosService & SenhasService;
  /** Signing in to the app, and what keeps one signed in. */
  readonly app: EntradaNoAppService &
    EscolhaDeSenhaService &
    EntradaDaEquipeService &
    PedidosDeAcessoService &
    RodizioService &
    SessoesDoAppService;
  readonly perfis: PerfisService;
  readonly sessoes: SessoesService & EntradaService;
  readonly fatores: FatoresService;
  /** Requests of each key that are not stored yet. */
  readonly usoDasChaves: ContagemDeUso;
  readonly configuracaoDoApp: ConfiguracaoDoAppService;
  readonly politica: PoliticaService;
  readonly provedores: ProvedoresService;
  readonly configuracao: ConfiguracaoService & FormasDaConfiguracaoService;
  readonly feriados: FeriadosService;
  readonly conferencia: ConferenciaService;
  readonly acompanhamento: AcompanhamentoService;
  readonly receptores: ReceptoresService;
  readonly identificacao: IdentificacaoService;
  readonly rejulgamento: RejulgamentoService;
  readonly nas: NasService;
  readonly rede: RedeService;
  readonly readTenant: ReadTenant;
  readonly writeTenant: WriteTenant;
  readonly changeTenant: ChangeTenant;
  readonly write: WriteFor;
  readonly cache: ResponseCache<Rota | RotaDoApp>;
  readonly publicacao: PublicacaoService;
  readonly esquecimento: EsquecimentoService;
  readonly mensagens: MensagensService;
  readonly webhooks: WebhooksService & RegistroDeWebhooksService & ReenvioService & TesteDeWebhooksService;
  readonly entregas: EntregasService;
  readonly push: PushService;
  readonly consumoDePush: ConsumoDePushService;
  readonly entregasDePush: EntregasDePushService;
  /** Asks for the ladder's e-mails, and sends all that were asked for. */
  readonly correioDaRegua: Consumer;
  readonly entregasDeCorreio: EntregasDeCorreioService;
  readonly lembretes: LembretesService;
  readonly envioNfcom: EnvioNfcomService;
  /** Agreements with PSPs. */
  readonly psp: ConveniosPspService & ConexaoPspService;
  readonly cobrancasPix: AcompanhamentoDeCobrancasService;
  readonly avisosDoPsp: AvisosDoPspService;
  readonly devolucoesAoPsp: DevolucoesAoPspService;
  readonly envioAoPsp: EnvioAoPspService;
  readonly recebimentos: RecebimentosService;
  readonly avisosDeCertificado: AvisosDeCertificadoService;
  /** Lets the way out call one server beside this program. */
  permitOutbound(server: { readonly address: string; readonly port: number }): void;
  /** Reads an A1 certificate in a thread. */
  readonly lerPfx: LeitorDePfx;
  readonly tarefas: TarefasService;
  readonly extratos: ExpiracaoDeExtratosService;
  readonly palavras: ReconstrucaoDePalavrasService;
  /** Files of banks. */
  readonly arquivosDeRetorno: RetornosService;
  readonly importacoes: ImportacoesService;
  readonly execucaoDoFaturamento: ExecucaoDoFaturamentoService;
  readonly execucaoDeImportacoes: ExecucaoDeImportacoesService;
  readonly metrics: Metrics;
  /** Hears what is published to the open panels of a provider. */
  readonly live: LiveHub;
  /** The open panels of this process; whoever drains its server ends them first. */
  readonly streams: Streams;
  readonly readiness: () => Promise<Readiness>;
  /** An HTTP server with every surface on it; it does not listen yet. */
  createHttp(): ReturnType<typeof createSurfaceServer>;
  /** Starts the background work on the Redis of the queues. `stop` waits for jobs that are running. */
  startWorker(options: Pick<WorkerDeps, 'redisUrl' | 'onJob'>): Promise<{ stop(): Promise<void> }>;
  /** Publishes the outbox in small parts, in a process that also answers requests; see relay.ts. */
  startRelay(): { stop(): Promise<void> };
  /** Resolves when Redis answers; rejects as `whenReady` of redis.ts does. */
  redisReady(): Promise<void>;
  close(): Promise<void>;
}
