import { createRemessasDoDia } from '../../domain/boletos/do-dia.ts';
import { createRetornosService } from '../../domain/boletos/retornos/recebimento.service.ts';
import { createAlertasDeAcessoService } from '../../domain/acessos/avisos/alertas.service.ts';
import { createAvisosDeSegurancaService } from '../../domain/acessos/avisos/seguranca.service.ts';
import { createPedidosDeAcessoService } from '../../domain/acessos/codigos/pedidos.service.ts';
import { createEntradaNoAppService } from '../../domain/acessos/entrada/entrada.service.ts';
import { createEscolhaDeSenhaService } from '../../domain/acessos/entrada/escolha-de-senha.service.ts';
import { createRodizioService } from '../../domain/acessos/sessoes/rodizio.service.ts';
import { createSessoesDoAppService } from '../../domain/acessos/sessoes/sessoes.service.ts';
import { createChavesService } from '../../domain/chaves/chaves.service.ts';
import { createContagemDeUso } from '../../domain/chaves/uso/contagem.ts';
import { somarUso } from '../../domain/chaves/uso/uso.queries.ts';
import { createReconstrucaoDePalavrasService } from '../../domain/clientes/palavras/reconstrucao.service.ts';
import { createCobrancasService } from '../../domain/cobrancas/cobrancas.service.ts';
import { createAgregacao } from '../../domain/conexoes/agregacao.ts';
import { avisarMudancas } from '../../domain/conexoes/avisar-mudancas.ts';
import { createPreCadastroService } from '../../domain/convites/pre-cadastro.service.ts';
import { createTesteDeCoaService } from '../../domain/rede/sessoes/teste-de-coa.service.ts';
import { createNasClient } from '../../platform/radius/client.ts';
import { createEsquecimentoService } from '../../domain/eventos/esquecimento.service.ts';
import { createPublicacaoService } from '../../domain/eventos/publicacao.service.ts';
import { createExpiracaoDeExtratosService } from '../../domain/extratos/expiracao.service.ts';
import { createGeracao } from '../../domain/extratos/gerar.ts';
import { ritmoDoExtrato } from '../../domain/extratos/ritmo.regras.ts';
import { createConferenciaService } from '../../domain/faturas/conferencia.service.ts';
import { createValorDoDia } from '../../domain/faturas/valor-do-dia.ts';
import { createCorreioDeFaturasService } from '../../domain/faturas/envio/correio.service.ts';
import { createExecucaoDoFaturamentoService } from '../../domain/faturamento/pedidos/execucao.service.ts';
import { createLeituraDoFaturamentoService } from '../../domain/faturamento/execucao/leitura.service.ts';
import { createFaturamentoDoDia } from '../../domain/faturamento/execucao/gerar.ts';
import { createCreditosDoDia } from '../../domain/recebimentos/creditos/creditos.service.ts';
import { createConferenciaDePromessas } from '../../domain/promessas/conferencia.ts';
import { createReguaDoDia } from '../../domain/regua/dia/aplicacao.ts';
import { createEntregasDeCorreioService } from '../../domain/correio/entregas.service.ts';
import { CARTAS_DA_REGUA } from '../../domain/regua/cartas.ts';
import { createCorreioDaReguaService } from '../../domain/regua/correio.service.ts';
import { vencimento } from '../../domain/faturas/vencimento.ts';
import { createExecucaoDeImportacoesService } from '../../domain/importacoes/execucao/execucao.service.ts';
import { createImportacoesService } from '../../domain/importacoes/importacoes.service.ts';
import { createAcompanhamentoService } from '../../domain/planos/acompanhamento.service.ts';
import { createPlanosService } from '../../domain/planos/planos.service.ts';
import { createConfiguracaoDoAppService } from '../../domain/provedores/app/app.service.ts';
import { createConfiguracaoService } from '../../domain/provedores/configuracao/configuracao.service.ts';
import { createFormasDaConfiguracaoService } from '../../domain/provedores/configuracao/formas.service.ts';
import { createFeriadosService } from '../../domain/provedores/feriados/feriados.service.ts';
import { createProvedoresService } from '../../domain/provedores/provedores.service.ts';
import { createIdentificacaoService } from '../../domain/recebimentos/identificacao/identificacao.service.ts';
import { createRecebimentosService } from '../../domain/recebimentos/recebimentos.service.ts';
import { createRejulgamentoService } from '../../domain/recebimentos/rejulgamento.service.ts';
import { createReceptoresService } from '../../domain/receptores/receptores.service.ts';
import { createRedeService } from '../../domain/rede/configuracao/rede.service.ts';
import { createNasService } from '../../domain/rede/nas.service.ts';
import { createServidoresService } from '../../domain/rede/servidores.service.ts';
import { createFechoDoDia } from '../../domain/indicadores/fecho.service.ts';
import { createMemoria } from '../../domain/indicadores/memoria.service.ts';
import { ritmoDe, ritmoDoQueEsfria } from '../../domain/tarefas/ritmo.regras.ts';
import type { Ritmo } from '../../domain/tarefas/ritmo.regras.ts';
import { createTarefasService } from '../../domain/tarefas/tarefas.service.ts';
import { createConsultaDeAvisosService } from '../../domain/rede/avisos/consulta.service.ts';
import { atorDaTarefa } from '../../domain/actor.ts';
import { createMensagensService } from '../../domain/webhooks/mensagens/mensagens.service.ts';
import { createVapid } from '../../domain/push/canais/vapid.ts';
import { enderecosDoGoogle } from '../../domain/push/canais/fcm.ts';
import { createEntregasDePushService } from '../../domain/push/entregas/entregas.service.ts';
import { createConsumoDePushService } from '../../domain/push/mensagens/consumo.service.ts';
import { createAvisosDeCertificadoService } from '../../domain/nfcom/certificado/avisos.service.ts';
import { createLeitorDePfx } from '../../domain/nfcom/certificado/leitor.ts';
import { createNotasDoDia } from '../../domain/nfcom/emissao/do-dia.ts';
import { createPedidosNfcomService } from '../../domain/nfcom/emissao/pedidos.service.ts';
import { createEnvioNfcomService } from '../../domain/nfcom/envio/envio.service.ts';
import { createIdentidades } from '../../domain/nfcom/envio/identidade.ts';
import { createLembretesService } from '../../domain/push/lembretes/lembretes.service.ts';
import { createPushService } from '../../domain/push/push.service.ts';
import { createCobrancasDoDia } from '../../domain/psp/cobrancas/do-dia.ts';
import { composePsp } from './subjects/psp.ts';
import { composeWebhooks } from './subjects/webhooks.ts';
import { createPoliticaService } from '../../domain/provedores/configuracao/politica.service.ts';
import { createEntradaDaEquipeService } from '../../domain/usuarios/app/entrada-no-app.service.ts';
import { createFatoresService } from '../../domain/usuarios/fatores/fatores.service.ts';
import { createPerfisService } from '../../domain/usuarios/perfis/perfis.service.ts';
import { createResumos } from '../../domain/usuarios/senha/resumos.service.ts';
import { createSenhasService } from '../../domain/usuarios/senha/senhas.service.ts';
import { createEntradaService } from '../../domain/usuarios/sessoes/entrada.service.ts';
import { createSessoesService } from '../../domain/usuarios/sessoes/sessoes.service.ts';
import { createUsuariosService } from '../../domain/usuarios/usuarios.service.ts';
import { untracked } from '../../platform/cache/trail.ts';
import { tenantSlot } from '../../platform/gate/keys.ts';
import { createTenantDb } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Platform } from './platform.ts';

/** How long somebody who tests a NAS waits for its answer. */
const TESTE_DE_COA_MS = 3000;

export type DomainDeps = Omit<Platform<unknown>, 'cache'>;

/** Builds the services that are not bound to one provider: requests, jobs and commands share them. */
export function composeServices(platform: DomainDeps) {
  const { config, db, relogio, write, gate, logger, replica, store, secrets, threads, extractThreads } = platform;
  const { correio, outbound, traffic, demand } = platform;
  const resumos = createResumos({ threads: platform.passwordThreads });
  const intervaloPadraoSegundos = config.MALHA_INTERVALO_RADIUS;
  const provedores = createProvedoresService({ db });
  const configuracao = createConfiguracaoService({ db, write });
  const agregacao = createAgregacao({ db, relogio, intervaloPadraoSegundos, aoMudar: avisarMudancas });

  const nas = createNasService({
    db,
    write,
    relogio,
    recalcular: async (provedorId) => agregacao.agregarTudo(provedorId),
  });

  const avisosDe = (tenant: TenantDb) => createConsultaDeAvisosService({ tenant, relogio, trail: untracked });
  const mensagens = createMensagensService({ relogio, provedores, avisosDe });
  const deWebhooks = { db, relogio, write, segredos: secrets, saida: outbound };
  const vapid = createVapid({ db, relogio, segredos: secrets });
  const lerPfx = createLeitorDePfx(threads);
  const push = createPushService({ ...deWebhooks, vapid });
  const receptores = createReceptoresService({ db, relogio, write });
  const recebimentos = createRecebimentosService({ relogio, write });
  const ritmoDoFaturamento = async (provedorId: number): Promise<Ritmo> =>
    ritmoDoQueEsfria(traffic.quiet(), await demand.isMuch(tenantSlot(provedorId)));

  return {
    provedores,
    mensagens,
    ...composeWebhooks({ ...platform, deWebhooks, mensagens, provedores }),
    push,
    consumoDePush: createConsumoDePushService({ relogio, provedores, avisosDe, canaisDe: push.canaisDe }),
    lembretes: createLembretesService({ db, relogio, write, provedores }),
    lerPfx,
    envioNfcom: createEnvioNfcomService({
      ...deWebhooks,
      threads,
      provedores,
      identidadeDe: createIdentidades({ segredos: secrets, lerPfx }),
      autor: atorDaTarefa('notas.enviar'),
      aoFalhar: (alvo, error) => logger.warn({ ...alvo, err: error }, 'notas por enviar'),
    }),
    avisosDeCertificado: createAvisosDeCertificadoService({ db, relogio, write, provedores }),
    entregasDePush: createEntregasDePushService({
      ...deWebhooks,
      provedores,
      vapid,
      google: enderecosDoGoogle(config.MALHA_GOOGLE_URL),
      aoFalhar: (alvo, error) => logger.warn({ ...alvo, err: error }, 'push por entregar'),
    }),
    chaves: createChavesService({ db, relogio, write }),
    usuarios: {
      ...createUsuariosService({ db, relogio, write, correio }),
      ...createSenhasService({ db, relogio, write, resumos, correio, logger }),
    },
    correioDaRegua: createCorreioDaReguaService({ relogio, correio, provedores }),
    correioDeFaturas: createCorreioDeFaturasService({ relogio, correio, provedores }),
    entregasDeCorreio: createEntregasDeCorreioService({
      db,
      relogio,
      correio,
      provedores,
      quemPediu: { regua: CARTAS_DA_REGUA, segunda_via: { soDeDia: false }, seguranca: { soDeDia: false } },
      aoFalhar: (alvo, error) => logger.warn({ ...alvo, err: error }, 'e-mail por enviar'),
    }),
    avisosDeSeguranca: createAvisosDeSegurancaService({ relogio, correio, provedores }),
    /** Of the app's door. */
    alertas: createAlertasDeAcessoService({ relogio, write, logger }),
    app: {
      ...createEntradaNoAppService({ db, relogio, write, segredos: secrets, resumos }),
      ...createEscolhaDeSenhaService({ db, relogio, write, segredos: secrets, resumos }),
      ...createEntradaDaEquipeService({ db, relogio, write, segredos: secrets, resumos }),
      ...createPedidosDeAcessoService({ db, relogio, write, segredos: secrets, correio, logger }),
      ...createRodizioService({ db, relogio, write }),
      ...createSessoesDoAppService({ db, relogio, write }),
    },
    perfis: createPerfisService({ db, relogio, write }),
    sessoes: {
      ...createSessoesService({ db, relogio, write, gate }),
      ...createEntradaService({ db, relogio, write, segredos: secrets, resumos }),
    },
    fatores: createFatoresService({ db, relogio, write, segredos: secrets }),
    usoDasChaves: createContagemDeUso({ relogio, somar: async (usos) => somarUso(db, usos) }),
    configuracao: { ...configuracao, ...createFormasDaConfiguracaoService({ db, configuracao }) },
    /** What is set of the provider's app. */
    configuracaoDoApp: createConfiguracaoDoAppService({
      db,
      write,
      emProducao: config.NODE_ENV === 'production',
    }),
    politica: createPoliticaService({ write }),
    feriados: createFeriadosService({ db, write, relogio }),
    conferencia: createConferenciaService({ db, relogio }),
    acompanhamento: createAcompanhamentoService({ db, relogio, write }),
    receptores,
    recebimentos,
    ...composePsp({ ...platform, provedores, receptores, recebimentos }),
    cobrancas: createCobrancasService({ db, relogio }),
    preCadastro: createPreCadastroService({
      db,
      relogio,
      write,
      planosDe: (tenant) => createPlanosService({ tenant, trail: untracked }),
    }),
    identificacao: createIdentificacaoService({ db, relogio, write, provedores }),
    rejulgamento: createRejulgamentoService({ db, relogio, write, provedores }),
    nas,
    servidores: createServidoresService({ db, nas }),
    rede: createRedeService({ db, write, relogio }),
    testeDeCoa: createTesteDeCoaService({ db, write, perguntar: createNasClient({ timeoutMs: TESTE_DE_COA_MS }) }),
    esquecimento: createEsquecimentoService({ write, provedores }),
    publicacao: createPublicacaoService({
      db,
      gate,
      relogio,
      painel: platform.livePublisher,
      aoFalhar: (provedorId, error) => logger.warn({ provedorId, err: error }, 'eventos por publicar'),
    }),
    tarefas: createTarefasService({
      db,
      write,
      relogio,
      provedores,
      trabalhos: {
        'faturas.gerar': createFaturamentoDoDia({ relogio }),
        'faturas.vencer': vencimento,
        'promessas.conferir': createConferenciaDePromessas({ relogio }),
        'excedentes.creditar': createCreditosDoDia({ relogio }),
        'pix.recalcular': createValorDoDia({ threads }),
        'remessas.gerar': createRemessasDoDia({
          relogio,
          cnab: platform.cnab,
          provedorDe: async (id) => provedores.exigirPorId(id),
        }),
        'pix.cobrar': createCobrancasDoDia({ relogio }),
        'notas.pedir': createNotasDoDia({
          pedidosDe: (w, provedor) => createPedidosNfcomService({ w, provedor, relogio }),
          fusoDe: async (id) => (await provedores.exigirPorId(id)).fusoHorario,
        }),
        'regua.aplicar': createReguaDoDia({ relogio, provedorDe: async (id) => provedores.exigirPorId(id) }),
        'somas.fechar': createFechoDoDia({ relogio, memoria: createMemoria(relogio), intervaloPadraoSegundos }),
        'extratos.gerar': createGeracao({
          fonte: () => replica.snapshots(),
          write,
          relogio,
          armazem: store,
          threads: extractThreads,
          intervaloPadraoSegundos,
          ritmo: () => ritmoDoExtrato(traffic.quiet()),
        }),
      },
      ritmo: async (provedorId, esfria) => (esfria ? ritmoDoFaturamento(provedorId) : ritmoDe(traffic.quiet())),
    }),
    palavras: createReconstrucaoDePalavrasService({ db, write, descansoMs: () => ritmoDe(traffic.quiet()).descansoMs }),
    arquivosDeRetorno: createRetornosService({
      db,
      write,
      relogio,
      provedores,
      cnab: platform.cnab,
      descansoMs: () => ritmoDe(traffic.quiet()).descansoMs,
    }),
    importacoes: createImportacoesService({ db, write, relogio, segredos: secrets, provedores }),
    execucaoDoFaturamento: createExecucaoDoFaturamentoService({
      db,
      write,
      relogio,
      provedores,
      leituraDe: (provedor) =>
        createLeituraDoFaturamentoService({ tenant: createTenantDb(db, provedor.id), provedor, relogio }),
      ritmo: ritmoDoFaturamento,
      descansoMs: () => ritmoDe(traffic.quiet()).descansoMs,
    }),
    execucaoDeImportacoes: createExecucaoDeImportacoesService({
      db,
      write,
      relogio,
      segredos: secrets,
      resumos,
      provedores,
      descansoMs: () => ritmoDe(traffic.quiet()).descansoMs,
    }),
    extratos: createExpiracaoDeExtratosService({
      db,
      write,
      relogio,
      provedores,
      armazem: store,
      dias: config.MALHA_EXTRATOS_DIAS,
    }),
  };
}
