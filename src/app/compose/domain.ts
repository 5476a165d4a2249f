import type { ChangeTenant, ReadTenant, WriteTenant } from '../../access/contracts.ts';
import { createBuscaService } from '../../domain/busca/busca.service.ts';
import { createAtendimentoService } from '../../domain/chamados/atendimento.service.ts';
import { createChamadosService } from '../../domain/chamados/chamados.service.ts';
import { createEquipeService } from '../../domain/chamados/equipe/equipe.service.ts';
import { createFilaService } from '../../domain/chamados/fila/fila.service.ts';
import { createChavesService } from '../../domain/chaves/chaves.service.ts';
import { createContagemDeUso } from '../../domain/chaves/uso/contagem.ts';
import { createLeituraDeChavesService } from '../../domain/chaves/uso/leitura.service.ts';
import { somarUso } from '../../domain/chaves/uso/uso.queries.ts';
import { createCadastroDeClientesService } from '../../domain/clientes/cadastro/cadastro.service.ts';
import { createReconstrucaoDePalavrasService } from '../../domain/clientes/palavras/reconstrucao.service.ts';
import { createClientesService } from '../../domain/clientes/clientes.service.ts';
import { createCadastroDeCobradoresService } from '../../domain/cobradores/cobradores.service.ts';
import { createCobradoresService } from '../../domain/cobradores/leitura.service.ts';
import { createCobrancasService } from '../../domain/cobrancas/cobrancas.service.ts';
import { createAgregacao } from '../../domain/conexoes/agregacao.ts';
import { avisarMudancas } from '../../domain/conexoes/avisar-mudancas.ts';
import { createConexoesService } from '../../domain/conexoes/conexoes.service.ts';
import { createCadastroDeContratosService } from '../../domain/contratos/cadastro/cadastro.service.ts';
import { createContratosService } from '../../domain/contratos/contratos.service.ts';
import { createFichasService } from '../../domain/contratos/ficha/ficha.service.ts';
import { createMovimentosService } from '../../domain/contratos/movimentos/equipe.service.ts';
import { createConvitesService } from '../../domain/convites/convites.service.ts';
import { createLeituraDeConvitesService } from '../../domain/convites/leitura.service.ts';
import { createPreCadastroService } from '../../domain/convites/pre-cadastro.service.ts';
import { createDesbloqueiosService } from '../../domain/desbloqueios/desbloqueios.service.ts';
import { createLeituraDeDesbloqueiosService } from '../../domain/desbloqueios/leitura.service.ts';
import { createAvisosService } from '../../domain/rede/avisos/avisos.service.ts';
import { createConsultaDeAvisosService } from '../../domain/rede/avisos/consulta.service.ts';
import { createLinhasService } from '../../domain/rede/linha/linha.service.ts';
import { createPanoramaDaRedeService } from '../../domain/rede/panorama/panorama.service.ts';
import { createPopsService } from '../../domain/rede/pops/pops.service.ts';
import { createDesconexoesService } from '../../domain/rede/sessoes/a-pedido.service.ts';
import { createTesteDeCoaService } from '../../domain/rede/sessoes/teste-de-coa.service.ts';
import { createNasClient } from '../../platform/radius/client.ts';
import type { Dominio, Escritas } from '../../domain/dominio.ts';
import type { Write } from '../../domain/escrita.ts';
import { createEsquecimentoService } from '../../domain/eventos/esquecimento.service.ts';
import { createPublicacaoService } from '../../domain/eventos/publicacao.service.ts';
import { createExpiracaoDeExtratosService } from '../../domain/extratos/expiracao.service.ts';
import { createExtratosService } from '../../domain/extratos/extratos.service.ts';
import { createGeracao } from '../../domain/extratos/gerar.ts';
import { ritmoDoExtrato } from '../../domain/extratos/ritmo.regras.ts';
import { createAjustesService } from '../../domain/faturas/ajustes/ajustes.service.ts';
import { createComposicaoService } from '../../domain/faturas/composicao/composicao.service.ts';
import { createConferenciaService } from '../../domain/faturas/conferencia.service.ts';
import { createEmissaoService } from '../../domain/faturas/emissao/emissao.service.ts';
import { createFaturasService } from '../../domain/faturas/faturas.service.ts';
import { createValorDoDia } from '../../domain/faturas/valor-do-dia.ts';
import { vencimento } from '../../domain/faturas/vencimento.ts';
import { umaVezSo } from '../../domain/idempotencia/idempotencia.service.ts';
import { createExecucaoDeImportacoesService } from '../../domain/importacoes/execucao/execucao.service.ts';
import { createImportacoesService } from '../../domain/importacoes/importacoes.service.ts';
import type { LeitorDe } from '../../domain/leituras.ts';
import { createLeituraDeNotificacoesService } from '../../domain/notificacoes/leitura.service.ts';
import { createSinoService } from '../../domain/notificacoes/sino.service.ts';
import { createAcompanhamentoService } from '../../domain/planos/acompanhamento.service.ts';
import { createCadastroDePlanosService } from '../../domain/planos/cadastro.service.ts';
import { createPlanosService } from '../../domain/planos/planos.service.ts';
import { createPrivacidadeService } from '../../domain/privacidade/privacidade.service.ts';
import { createConfiguracaoService } from '../../domain/provedores/configuracao/configuracao.service.ts';
import { createFormasDaConfiguracaoService } from '../../domain/provedores/configuracao/formas.service.ts';
import { createFeriadosService } from '../../domain/provedores/feriados/feriados.service.ts';
import { createProvedoresService } from '../../domain/provedores/provedores.service.ts';
import type { Provedor } from '../../domain/provedores/provedores.types.ts';
import { createIdentificacaoService } from '../../domain/recebimentos/identificacao/identificacao.service.ts';
import { createManuaisService } from '../../domain/recebimentos/manuais/manuais.service.ts';
import { createRecebimentosService } from '../../domain/recebimentos/recebimentos.service.ts';
import { createRejulgamentoService } from '../../domain/recebimentos/rejulgamento.service.ts';
import { createReceptoresService } from '../../domain/receptores/receptores.service.ts';
import { createRedeService } from '../../domain/rede/configuracao/rede.service.ts';
import { createNasService } from '../../domain/rede/nas.service.ts';
import { createServidoresService } from '../../domain/rede/servidores.service.ts';
import { createRegistrosService } from '../../domain/registros/registros.service.ts';
import { createRemovidosService } from '../../domain/removidos/removidos.service.ts';
import { createConsultaDeRenegociacoesService } from '../../domain/renegociacoes/consulta.service.ts';
import { createQuebraService } from '../../domain/renegociacoes/quebra.service.ts';
import { createRenegociacoesService } from '../../domain/renegociacoes/renegociacoes.service.ts';
import { createExportacoesService } from '../../domain/listas/exportacao.service.ts';
import { createListasService } from '../../domain/listas/listas.service.ts';
import { createFechoDoDia } from '../../domain/indicadores/fecho.service.ts';
import { createIndicadoresService } from '../../domain/indicadores/indicadores.service.ts';
import { createMemoria } from '../../domain/indicadores/memoria.service.ts';
import { createListaDeFaturasService } from '../../domain/faturas/lista/lista.service.ts';
import { createResumoFinanceiroService } from '../../domain/faturas/lista/resumo.service.ts';
import { createAuditoriaService } from '../../domain/auditoria/auditoria.service.ts';
import { createAcessosService } from '../../domain/auditoria/acessos.service.ts';
import { createEfeitosService } from '../../domain/provedores/efeitos/efeitos.service.ts';
import { createTarefasDoPainelService } from '../../domain/tarefas/painel.service.ts';
import { createReaberturaService } from '../../domain/tarefas/reabertura.service.ts';
import { ritmoDe } from '../../domain/tarefas/ritmo.regras.ts';
import { createTarefasService } from '../../domain/tarefas/tarefas.service.ts';
import { createPoliticaService } from '../../domain/provedores/configuracao/politica.service.ts';
import { createFatoresService } from '../../domain/usuarios/fatores/fatores.service.ts';
import { createPerfisService } from '../../domain/usuarios/perfis/perfis.service.ts';
import { createResumos } from '../../domain/usuarios/senha/resumos.ts';
import { createSenhasService } from '../../domain/usuarios/senha/senhas.service.ts';
import { createEntradaService } from '../../domain/usuarios/sessoes/entrada.service.ts';
import { createSessoesService } from '../../domain/usuarios/sessoes/sessoes.service.ts';
import { createUsuariosService } from '../../domain/usuarios/usuarios.service.ts';
import { untracked } from '../../platform/cache/trail.ts';
import type { Trail } from '../../platform/cache/trail.ts';
import { tenantSlot } from '../../platform/gate/keys.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { createTenantDb } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { WALK_MS } from '../../platform/paging/page-walks.ts';
import type { Platform } from './platform.ts';

/** How long somebody who tests a NAS waits for its answer. */
const TESTE_DE_COA_MS = 3000;

type DomainDeps = Omit<Platform<unknown>, 'cache'>;

/** Builds the services that are not bound to one provider: requests, jobs and commands share them. */
export function composeServices(platform: DomainDeps) {
  const { config, db, relogio, write, gate, logger, replica, store, secrets, threads, extractThreads, traffic } =
    platform;
  const { correio } = platform;
  const resumos = createResumos();
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

  return {
    provedores,
    chaves: createChavesService({ db, relogio, write }),
    usuarios: {
      ...createUsuariosService({ db, relogio, write, correio }),
      ...createSenhasService({ db, relogio, write, resumos, correio, logger }),
    },
    perfis: createPerfisService({ db, relogio, write }),
    sessoes: {
      ...createSessoesService({ db, relogio, write, gate }),
      ...createEntradaService({ db, relogio, write, segredos: secrets, resumos }),
    },
    fatores: createFatoresService({ db, relogio, write, segredos: secrets }),
    usoDasChaves: createContagemDeUso({ relogio, somar: async (usos) => somarUso(db, usos) }),
    configuracao: { ...configuracao, ...createFormasDaConfiguracaoService({ db, configuracao }) },
    politica: createPoliticaService({ write }),
    feriados: createFeriadosService({ db, write, relogio }),
    conferencia: createConferenciaService({ db, relogio }),
    acompanhamento: createAcompanhamentoService({ db, relogio, write }),
    receptores: createReceptoresService({ db, relogio, write }),
    recebimentos: createRecebimentosService({ relogio, write }),
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
        'faturas.vencer': vencimento,
        'pix.recalcular': createValorDoDia({ threads }),
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
      ritmo: () => ritmoDe(traffic.quiet()),
    }),
    palavras: createReconstrucaoDePalavrasService({ db, write, descansoMs: () => ritmoDe(traffic.quiet()).descansoMs }),
    importacoes: createImportacoesService({ db, write, relogio, segredos: secrets, provedores }),
    execucaoDeImportacoes: createExecucaoDeImportacoesService({
      db,
      write,
      relogio,
      segredos: secrets,
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

/**
 * Builds the two ways in which requests reach the services of one provider. These services are built for each request.
 */
export function composeTenants(platform: DomainDeps) {
  const { config, db, replica, relogio, write, deadline, listDeadline, writeDeadline, walks, store } = platform;
  const intervaloPadraoSegundos = config.MALHA_INTERVALO_RADIUS;

  const memoria = createMemoria(relogio);

  function domainOn(tenant: TenantDb, provedor: Provedor, trail: Trail, leitorDe: LeitorDe): Dominio {
    const contratos = createContratosService({ tenant, relogio, trail, intervaloPadraoSegundos });
    const avisosDeRede = createConsultaDeAvisosService({ tenant, relogio });
    return {
      busca: createBuscaService(tenant),
      listas: createListasService({ tenant, provedor, relogio, intervaloPadraoSegundos }),
      contratos,
      fichas: createFichasService({ tenant, provedor, relogio }),
      desbloqueios: createLeituraDeDesbloqueiosService({ tenant, provedor, relogio }),
      clientes: createClientesService({ tenant, contratos, relogio, trail, leitorDe }),
      conexoes: createConexoesService({ db: tenant.db, provedor, relogio, trail, intervaloPadraoSegundos }),
      faturas: createFaturasService({ tenant, provedor, relogio, trail, leitorDe }),
      composicao: createComposicaoService(tenant),
      renegociacoes: createConsultaDeRenegociacoesService({ tenant, provedor, relogio }),
      chamados: createChamadosService({ tenant, relogio, trail, leitorDe }),
      filaDeChamados: createFilaService({ tenant, provedor, relogio, intervaloPadraoSegundos }),
      sino: createSinoService(tenant),
      planos: createPlanosService({ tenant, trail }),
      removidos: createRemovidosService(tenant),
      extratos: createExtratosService({ tenant, trail, armazem: store }),
      cobradores: createCobradoresService({ tenant, trail }),
      rede: createPanoramaDaRedeService({ tenant, provedor, relogio, intervaloPadraoSegundos, avisos: avisosDeRede }),
      avisosDeRede,
      linhas: createLinhasService({ tenant, provedor, relogio, intervaloPadraoSegundos }),
      indicadores: createIndicadoresService({ tenant, provedor, relogio, memoria, intervaloPadraoSegundos }),
      listaDeFaturas: createListaDeFaturasService({ tenant, provedor, relogio, memoria }),
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
      const domain = domainOn(createTenantDb(server, provedor.id), provedor, trail, (tags) => {
        const holds = (ms: number): void => trail.changesAt(new Date(relogio.agora().getTime() + ms));
        // The answer must not be kept longer than the reader's place in the list: the next page would begin elsewhere.
        holds(WALK_MS / 2);
        return walks.readerOf({ slot: tenantSlot(provedor.id), name: reader, onReplica: isReplica, tags, holds });
      });
      return work(domain);
    };
    return whole ? listDeadline.watch(replica.read(readOn)) : deadline.watch(readOn(db, false));
  };

  const writesOf = (w: Write, provedor: Provedor): [Dominio, Escritas] => {
    const domain = domainOn(w.tenant, provedor, untracked, () => null);
    return [
      domain,
      {
        clientes: createCadastroDeClientesService({ w, provedor, relogio }),
        desbloqueios: createDesbloqueiosService({ w, provedor, relogio }),
        chamados: createAtendimentoService({ w, relogio }),
        atendimento: createEquipeService({ w, provedor, relogio }),
        notificacoes: createLeituraDeNotificacoesService(w),
        privacidade: createPrivacidadeService({ w, provedor, relogio }),
        convites: createConvitesService({ w, provedor, planos: domain.planos, relogio }),
        contratos: createCadastroDeContratosService({ w, provedor, relogio }),
        movimentos: createMovimentosService({ w, provedor, relogio }),
        planos: createCadastroDePlanosService({ w, relogio }),
        faturas: createEmissaoService({ w, provedor, relogio }),
        ajustes: createAjustesService({ w, provedor, relogio }),
        baixas: createManuaisService({ w, provedor, relogio }),
        renegociacoes: {
          ...createRenegociacoesService({ w, provedor, relogio }),
          ...createQuebraService({ w, provedor, relogio }),
        },
        exportacoes: createExportacoesService({ w }),
        cobradores: createCadastroDeCobradoresService({ w }),
        pops: createPopsService({ w }),
        avisosDeRede: createAvisosService({ w, relogio }),
        desconexoes: createDesconexoesService({ w, relogio }),
        tarefas: createReaberturaService({ w, provedor, relogio }),
        registros: createRegistrosService({ w }),
      },
    ];
  };
  const writeTenant: WriteTenant = async (actor, provedor, repeatable, work) =>
    writeDeadline.watch(
      write(actor, provedor.id, async (w) => {
        const run = async () => work(...writesOf(w, provedor));
        return repeatable === null ? run() : umaVezSo(w, relogio, repeatable, run);
      }),
    );
  const changeTenant: ChangeTenant = async (actor, provedor, work) =>
    writeDeadline.watch(write(actor, provedor.id, async (w) => work(...writesOf(w, provedor))));

  return { readTenant, writeTenant, changeTenant };
}
