import type { ChangeTenant, OnceForTenant, ReadTenant, WriteTenant } from '../../access/contracts.ts';
import { createAcessosAoAppService } from '../../domain/acessos/acessos.service.ts';
import { createAlcanceService } from '../../domain/acessos/alcance.service.ts';
import { createAssinantesService } from '../../domain/acessos/assinante.service.ts';
import { createCodigosDaEquipeService } from '../../domain/acessos/codigos/equipe.service.ts';
import { createBuscaService } from '../../domain/busca/busca.service.ts';
import { createLeituraDoAppService } from '../../domain/chamados/app/leitura.service.ts';
import { createChamadosService } from '../../domain/chamados/chamados.service.ts';
import { createFilaService } from '../../domain/chamados/fila/fila.service.ts';
import { createLeituraDeChavesService } from '../../domain/chaves/uso/leitura.service.ts';
import { createCadastroDeClientesService } from '../../domain/clientes/cadastro/cadastro.service.ts';
import { createClientesService } from '../../domain/clientes/clientes.service.ts';
import { createCadastroDeCobradoresService } from '../../domain/cobradores/cobradores.service.ts';
import { createCobradoresService } from '../../domain/cobradores/leitura.service.ts';
import { createConexoesService } from '../../domain/conexoes/conexoes.service.ts';
import { createCadastroDeContratosService } from '../../domain/contratos/cadastro/cadastro.service.ts';
import { createConferenciaService } from '../../domain/conhecidos/conferencia.service.ts';
import { createConhecidosService } from '../../domain/conhecidos/conhecidos.service.ts';
import { createContratosService } from '../../domain/contratos/contratos.service.ts';
import { createFichasService } from '../../domain/contratos/ficha/ficha.service.ts';
import { createMovimentosService } from '../../domain/contratos/movimentos/equipe.service.ts';
import { createConvitesService } from '../../domain/convites/convites.service.ts';
import { createLeituraDeConvitesService } from '../../domain/convites/leitura.service.ts';
import { createDesbloqueiosService } from '../../domain/desbloqueios/desbloqueios.service.ts';
import { createLeituraDeDesbloqueiosService } from '../../domain/desbloqueios/leitura.service.ts';
import { createAvisosDosContratosService } from '../../domain/rede/avisos/cobertos.service.ts';
import { createConsultaDeAvisosService } from '../../domain/rede/avisos/consulta.service.ts';
import { createLinhasDoAssinanteService } from '../../domain/rede/assinante/linhas.service.ts';
import { createLinhasService } from '../../domain/rede/linha/linha.service.ts';
import { createPanoramaDaRedeService } from '../../domain/rede/panorama/panorama.service.ts';
import { createVisaoDaRedeService } from '../../domain/rede/visao/visao.service.ts';
import type { Dominio, Escritas } from '../../domain/dominio.ts';
import type { Write, WriteFor } from '../../domain/escrita.ts';
import { createExtratosService } from '../../domain/extratos/extratos.service.ts';
import { createAjustesService } from '../../domain/faturas/ajustes/ajustes.service.ts';
import { createExcedentesService } from '../../domain/faturas/ajustes/excedentes.service.ts';
import { createComposicaoService } from '../../domain/faturas/composicao/composicao.service.ts';
import { createEmissaoService } from '../../domain/faturas/emissao/emissao.service.ts';
import { createFaturasService } from '../../domain/faturas/faturas.service.ts';
import { createPedidosUnicos, umaVezSo } from '../../domain/idempotencia/idempotencia.service.ts';
import type { LeitorDe } from '../../domain/leituras.ts';
import { createLeituraDeNotificacoesService } from '../../domain/notificacoes/leitura.service.ts';
import { createSinoService } from '../../domain/notificacoes/sino.service.ts';
import { createDispositivosService } from '../../domain/push/dispositivos/dispositivos.service.ts';
import { createListaDeDispositivosService } from '../../domain/push/dispositivos/lista.service.ts';
import { createMensagensDePushService } from '../../domain/push/mensagens/mensagens.service.ts';
import type { PushService } from '../../domain/push/push.service.ts';
import { createCadastroDePlanosService } from '../../domain/planos/cadastro.service.ts';
import { createPlanosService } from '../../domain/planos/planos.service.ts';
import { createPrivacidadeService } from '../../domain/privacidade/privacidade.service.ts';
import type { Provedor } from '../../domain/provedores/provedores.types.ts';
import { createNumeracao } from '../../domain/protocolos/numeracao.service.ts';
import { createProtocolosService } from '../../domain/protocolos/protocolos.service.ts';
import { createDevolucoesService } from '../../domain/recebimentos/devolucoes/devolucoes.service.ts';
import { createVinculosService } from '../../domain/recebimentos/identificacao/vinculo.service.ts';
import { createManuaisService } from '../../domain/recebimentos/manuais/manuais.service.ts';
import { createRegistrosService } from '../../domain/registros/registros.service.ts';
import { createRemovidosService } from '../../domain/removidos/removidos.service.ts';
import { createConsultaDeRenegociacoesService } from '../../domain/renegociacoes/consulta.service.ts';
import { createQuebraService } from '../../domain/renegociacoes/quebra.service.ts';
import { createRenegociacoesService } from '../../domain/renegociacoes/renegociacoes.service.ts';
import { createExportacoesService } from '../../domain/listas/exportacao.service.ts';
import { createListasService } from '../../domain/listas/listas.service.ts';
import { createIndicadoresService } from '../../domain/indicadores/indicadores.service.ts';
import { createMemoria } from '../../domain/indicadores/memoria.service.ts';
import { createListaDeFaturasService } from '../../domain/faturas/lista/lista.service.ts';
import { createResumoFinanceiroService } from '../../domain/faturas/lista/resumo.service.ts';
import { createConsultaDeTrafegoService } from '../../domain/trafego/consulta.service.ts';
import { createTrafegoService } from '../../domain/trafego/trafego.service.ts';
import { createAuditoriaService } from '../../domain/auditoria/auditoria.service.ts';
import { createAcessosService } from '../../domain/auditoria/acessos.service.ts';
import { createEfeitosService } from '../../domain/provedores/efeitos/efeitos.service.ts';
import { createTarefasDoPainelService } from '../../domain/tarefas/painel.service.ts';
import { createReaberturaService } from '../../domain/tarefas/reabertura.service.ts';
import { createRegistroDeWebhooksService } from '../../domain/webhooks/registro/registro.service.ts';
import { createWebhooksService } from '../../domain/webhooks/webhooks.service.ts';
import { untracked } from '../../platform/cache/trail.ts';
import type { Trail } from '../../platform/cache/trail.ts';
import { tenantSlot } from '../../platform/gate/keys.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { createTenantDb } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { WALK_MS } from '../../platform/paging/page-walks.ts';
import { alone, createTogether } from '../../platform/timing/together.ts';
import type { Together } from '../../platform/timing/together.ts';
import { composeBillingReads, composeBillingWrites } from './subjects/billing.ts';
import { composeBoletoReads, composeBoletoWrites } from './subjects/boletos.ts';
import { composeCallReads, composeCallWrites } from './subjects/calls.ts';
import { composeLadderReads, composeLadderWrites } from './subjects/ladder.ts';
import { composeNetworkWrites } from './subjects/network.ts';
import { composeTicketWrites } from './subjects/tickets.ts';
import { composeMoneyReads } from './subjects/money.ts';
import { composeNoteReads, composeNoteWrites } from './subjects/notes.ts';
import type { DomainDeps } from './domain.ts';

/** How the reads of a request are done. */
interface HowToRead {
  readonly trail: Trail;
  readonly leitorDe: LeitorDe;
  readonly together: Together;
}

/** Its rows are seen by nobody else. */
const INSIDE_A_WRITE: HowToRead = { trail: untracked, leitorDe: () => null, together: alone };

/**
 * Builds the two ways in which requests reach the services of one provider. These services are built for each request.
 */
export function composeTenants(platform: DomainDeps, { canaisDe }: Pick<PushService, 'canaisDe'>) {
  const {
    config,
    db,
    replica,
    relogio,
    write,
    deadline,
    listDeadline,
    writeDeadline,
    walks,
    store,
    secrets,
    outbound,
    documents,
    cnab,
    numbering,
    correio: { ativo: temCorreio },
  } = platform;
  const intervaloPadraoSegundos = config.MALHA_INTERVALO_RADIUS;

  const destinos = {
    conferirUrl: (url: string) => outbound.check(url),
    hosts: (config.MALHA_PUSH_HOSTS ?? '').split(',').flatMap((host) => host.trim() || []),
  };
  const memoria = createMemoria(relogio);
  const ofThisProcess = createTogether();
  const numeracao = createNumeracao(numbering);

  function domainOn(tenant: TenantDb, provedor: Provedor, { trail, leitorDe, together }: HowToRead): Dominio {
    const avisos = createAvisosDosContratosService({ tenant, relogio, trail });
    const contratos = createContratosService({ tenant, relogio, trail, intervaloPadraoSegundos, avisos });
    const avisosDeRede = createConsultaDeAvisosService({ tenant, relogio, trail });
    const trafego = createTrafegoService(tenant);
    const clientes = createClientesService({ tenant, contratos, relogio, trail, leitorDe });
    const desbloqueios = createLeituraDeDesbloqueiosService({ tenant, provedor, relogio, trail });
    const conexoes = createConexoesService({ tenant, provedor, relogio, trail, intervaloPadraoSegundos, avisos });
    const faturas = createFaturasService({ tenant, provedor, relogio, trail, leitorDe });
    const chamados = createChamadosService({ tenant, relogio, trail, leitorDe });
    const indicadores = createIndicadoresService({ tenant, provedor, relogio, memoria, intervaloPadraoSegundos });
    const rede = createPanoramaDaRedeService({
      tenant,
      provedor,
      relogio,
      memoria,
      intervaloPadraoSegundos,
      avisos: avisosDeRede,
      trafego,
    });
    return {
      acessosAoApp: createAcessosAoAppService({ tenant, relogio }),
      alcance: createAlcanceService({ tenant, trail }),
      assinantes: createAssinantesService({ tenant, trail, clientes }),
      busca: createBuscaService(tenant),
      listas: createListasService({ tenant, provedor, relogio, memoria, intervaloPadraoSegundos }),
      contratos,
      fichas: createFichasService({ tenant, provedor, relogio }),
      desbloqueios,
      clientes,
      conexoes,
      conhecidos: createConhecidosService({ tenant, trail }),
      faturas,
      ...composeMoneyReads(tenant, provedor),
      ...composeNoteReads({ tenant, provedor, relogio, trail, impressos: documents }),
      ...composeBillingReads({ tenant, provedor, relogio }),
      ...composeBoletoReads({ tenant, provedor, relogio, cnab }),
      composicao: createComposicaoService(tenant),
      renegociacoes: createConsultaDeRenegociacoesService({ tenant, provedor, relogio }),
      chamados,
      ...composeLadderReads({ tenant, provedor, relogio }),
      ...composeCallReads(tenant, trail, { temCorreio, relogio, clientes, conexoes, desbloqueios, faturas, chamados }),
      chamadosDoApp: createLeituraDoAppService({ tenant, trail, leitorDe }),
      filaDeChamados: createFilaService({ tenant, provedor, relogio, intervaloPadraoSegundos, together }),
      sino: createSinoService(tenant),
      dispositivos: createListaDeDispositivosService(tenant),
      planos: createPlanosService({ tenant, trail }),
      removidos: createRemovidosService(tenant),
      extratos: createExtratosService({ tenant, trail, armazem: store }),
      cobradores: createCobradoresService({ tenant, trail }),
      rede,
      avisosDeRede,
      linhas: createLinhasService({ tenant, provedor, relogio, intervaloPadraoSegundos, trafego }),
      linhasDoAssinante: createLinhasDoAssinanteService({ tenant, provedor, relogio, trail, avisos: avisosDeRede }),
      visaoDaRede: createVisaoDaRedeService({
        tenant,
        provedor,
        relogio,
        memoria,
        trail,
        panorama: rede,
        indicadores,
        avisos: avisosDeRede,
        trafego,
      }),
      trafego: createConsultaDeTrafegoService({ provedor, relogio, trail, trafego }),
      indicadores,
      listaDeFaturas: createListaDeFaturasService({ tenant, provedor, relogio, memoria }),
      excedentes: createExcedentesService(tenant),
      resumoFinanceiro: createResumoFinanceiroService({ tenant, provedor, relogio }),
      efeitos: createEfeitosService({ tenant, provedor, relogio, memoria }),
      auditoria: createAuditoriaService({ tenant }),
      acessos: createAcessosService({ tenant, relogio }),
      chaves: createLeituraDeChavesService({ tenant, provedor, relogio }),
      convites: createLeituraDeConvitesService({ tenant, relogio }),
      tarefas: createTarefasDoPainelService({ tenant, provedor, relogio }),
    };
  }
  const readTenant: ReadTenant = async (provedor, trail, { reader, whole }, work) => {
    const readOn = async (server: Db, isReplica: boolean) => {
      // A replica may lack writes whose tags are bumped already, so its answers must not be kept.
      if (isReplica) trail.changesAt(relogio.agora());
      const leitorDe: LeitorDe = (tags) => {
        const holds = (ms: number): void => trail.changesAt(new Date(relogio.agora().getTime() + ms));
        // The answer must not be kept longer than the reader's place in the list: the next page would begin elsewhere.
        holds(WALK_MS / 2);
        return walks.readerOf({ slot: tenantSlot(provedor.id), name: reader, onReplica: isReplica, tags, holds });
      };
      const how = { trail, leitorDe, together: isReplica ? alone : ofThisProcess };
      const domain = domainOn(createTenantDb(server, provedor.id), provedor, how);
      return work(domain);
    };
    return whole ? listDeadline.watch(replica.read(readOn)) : deadline.watch(readOn(db, false));
  };

  /** The services that begin their own write elsewhere, inside the one that is under way. */
  function webhooksIn(w: Write): Escritas['webhooks'] {
    const { db: inside } = w.tenant;
    const ofThis: WriteFor = async (_actor, _provedorId, work) => work(w);
    return {
      ...createWebhooksService({ db: inside, relogio, write: ofThis, segredos: secrets, saida: outbound }),
      ...createRegistroDeWebhooksService({ db: inside }),
    };
  }

  const writesOf = (w: Write, provedor: Provedor): [Dominio, Escritas] => {
    const domain = domainOn(w.tenant, provedor, INSIDE_A_WRITE);
    const protocolos = createProtocolosService({ w, provedor, relogio, numeracao });
    return [
      domain,
      {
        codigosDoApp: createCodigosDaEquipeService({ w, relogio, segredos: secrets }),
        dispositivos: createDispositivosService({ w, relogio, segredos: secrets, regras: destinos }),
        mensagensDePush: createMensagensDePushService({ w, provedor, relogio, canaisDe }),
        clientes: createCadastroDeClientesService({ w, provedor, relogio }),
        desbloqueios: createDesbloqueiosService({ w, provedor, relogio, protocolos }),
        ...composeTicketWrites({ w, provedor, relogio, protocolos }),
        notificacoes: createLeituraDeNotificacoesService(w),
        privacidade: createPrivacidadeService({ w, provedor, relogio }),
        convites: createConvitesService({ w, provedor, planos: domain.planos, relogio }),
        contratos: createCadastroDeContratosService({ w, provedor, relogio }),
        movimentos: createMovimentosService({ w, provedor, relogio }),
        planos: createCadastroDePlanosService({ w, relogio }),
        faturas: createEmissaoService({ w, provedor, relogio }),
        ajustes: createAjustesService({ w, provedor, relogio }),
        baixas: createManuaisService({ w, provedor, relogio }),
        devolucoes: createDevolucoesService({ w, provedor, relogio }),
        vinculos: createVinculosService({ w, provedor, relogio }),
        conferencias: createConferenciaService({ w, conhecidos: domain.conhecidos }),
        ...composeLadderWrites({ w, provedor, relogio }),
        ...composeCallWrites({ w, provedor, relogio, protocolos, temCorreio }),
        renegociacoes: {
          ...createRenegociacoesService({ w, provedor, relogio }),
          ...createQuebraService({ w, provedor, relogio }),
        },
        ...composeNoteWrites({ w, provedor, relogio, segredos: secrets }),
        ...composeBillingWrites({ w, provedor, relogio }),
        ...composeBoletoWrites({ w, provedor, relogio, cnab }),
        exportacoes: createExportacoesService({ w }),
        cobradores: createCadastroDeCobradoresService({ w }),
        ...composeNetworkWrites({ w, relogio, protocolos }),
        tarefas: createReaberturaService({ w, provedor, relogio }),
        registros: createRegistrosService({ w }),
        webhooks: webhooksIn(w),
      },
    ];
  };
  const writeTenant: WriteTenant = async (actor, provedor, repeatable, work) =>
    writeDeadline.watch(
      write(actor, provedor.id, async (w) => {
        const run = async () => work(...writesOf(w, provedor));
        return repeatable === null ? run() : umaVezSo(w, { relogio, segredos: secrets }, repeatable, run);
      }),
    );
  const changeTenant: ChangeTenant = async (actor, provedor, work) =>
    writeDeadline.watch(write(actor, provedor.id, async (w) => work(...writesOf(w, provedor))));
  const pedidosUnicos = createPedidosUnicos({ write, relogio, segredos: secrets });
  const onceForTenant: OnceForTenant = async (actor, provedor, repeatable, work) =>
    pedidosUnicos(actor, provedor.id, repeatable, work);

  return { readTenant, writeTenant, changeTenant, onceForTenant };
}
