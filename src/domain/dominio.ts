import type { AcessosAoAppService } from './acessos/acessos.service.ts';
import type { AlcanceService } from './acessos/alcance.service.ts';
import type { AssinantesService } from './acessos/assinante.service.ts';
import type { CodigosDaEquipeService } from './acessos/codigos/equipe.service.ts';
import type { LeituraDeAtendimentosService } from './atendimentos/leitura.service.ts';
import type { RegistroDeAtendimentosService } from './atendimentos/registro.service.ts';
import type { EnvioDeFaturasService, LeituraDeEnviosService } from './faturas/envio/envio.service.ts';
import type { FaturamentoService } from './faturamento/faturamento.service.ts';
import type { LeituraDoFaturamentoService } from './faturamento/execucao/leitura.service.ts';
import type { LeituraDeCreditosService } from './faturamento/creditos/creditos.service.ts';
import type { LeituraDeItensService } from './faturamento/itens/itens.service.ts';
import type { LeituraDePromessasService } from './promessas/leitura.service.ts';
import type { PromessasService } from './promessas/promessas.service.ts';
import type { CadastroDeConveniosService } from './boletos/convenios/convenios.service.ts';
import type { LeituraDeBoletosService } from './boletos/remessas/leitura.service.ts';
import type { RemessasService } from './boletos/remessas/remessas.service.ts';
import type { TentativasDeRetornoService } from './boletos/retornos/tentativas.service.ts';
import type { LeituraDeRetornosService } from './boletos/retornos/leitura.service.ts';
import type { BuscaService } from './busca/busca.service.ts';
import type { ChamadosDoAppService } from './chamados/app/app.service.ts';
import type { LeituraDoAppService } from './chamados/app/leitura.service.ts';
import type { AtendimentoService } from './chamados/atendimento.service.ts';
import type { ChamadosService } from './chamados/chamados.service.ts';
import type { RespostaAVariosService } from './chamados/equipe/varios.service.ts';
import type { EquipeService } from './chamados/equipe/equipe.service.ts';
import type { FilaService } from './chamados/fila/fila.service.ts';
import type { LeituraDeChavesService } from './chaves/uso/leitura.service.ts';
import type { CadastroDeClientesService } from './clientes/cadastro/cadastro.service.ts';
import type { AcessosService } from './auditoria/acessos.service.ts';
import type { AuditoriaService } from './auditoria/auditoria.service.ts';
import type { ClientesService } from './clientes/clientes.service.ts';
import type { CadastroDeCobradoresService } from './cobradores/cobradores.service.ts';
import type { CobradoresService } from './cobradores/leitura.service.ts';
import type { ConexoesService } from './conexoes/conexoes.service.ts';
import type { ConferenciaService } from './conhecidos/conferencia.service.ts';
import type { ConhecidosService } from './conhecidos/conhecidos.service.ts';
import type { CadastroDeContratosService } from './contratos/cadastro/cadastro.service.ts';
import type { ContratosService } from './contratos/contratos.service.ts';
import type { FichasService } from './contratos/ficha/ficha.service.ts';
import type { MovimentosService } from './contratos/movimentos/equipe.service.ts';
import type { ConvitesService } from './convites/convites.service.ts';
import type { LeituraDeConvitesService } from './convites/leitura.service.ts';
import type { DesbloqueiosService } from './desbloqueios/desbloqueios.service.ts';
import type { LeituraDeDesbloqueiosService } from './desbloqueios/leitura.service.ts';
import type { ExtratosService } from './extratos/extratos.service.ts';
import type { AjustesService } from './faturas/ajustes/ajustes.service.ts';
import type { ExcedentesService } from './faturas/ajustes/excedentes.service.ts';
import type { ComposicaoService } from './faturas/composicao/composicao.service.ts';
import type { EmissaoService } from './faturas/emissao/emissao.service.ts';
import type { FaturasService } from './faturas/faturas.service.ts';
import type { LeituraDeNotificacoesService } from './notificacoes/leitura.service.ts';
import type { SinoService } from './notificacoes/sino.service.ts';
import type { DanfeService } from './nfcom/danfe/danfe.service.ts';
import type { CertificadoNfcomService } from './nfcom/certificado/certificado.service.ts';
import type { LeituraDoCertificadoNfcomService } from './nfcom/certificado/leitura.service.ts';
import type { ConfiguracaoNfcomService } from './nfcom/configuracao/configuracao.service.ts';
import type { LeituraDaConfiguracaoNfcomService } from './nfcom/configuracao/leitura.service.ts';
import type { PedidosNfcomService } from './nfcom/emissao/pedidos.service.ts';
import type { PreviaNfcomService } from './nfcom/emissao/previa.service.ts';
import type { LeituraDeServicosNfcomService } from './nfcom/servicos/leitura.service.ts';
import type { ServicosNfcomService } from './nfcom/servicos/servicos.service.ts';
import type { ListaDeNotasService } from './nfcom/lista/lista.service.ts';
import type { LeituraDoPspService } from './psp/convenios/leitura.service.ts';
import type { NfcomService } from './nfcom/nfcom.service.ts';
import type { ListaDeFaturasService } from './faturas/lista/lista.service.ts';
import type { ResumoFinanceiroService } from './faturas/lista/resumo.service.ts';
import type { IndicadoresService } from './indicadores/indicadores.service.ts';
import type { CadastroDePlanosService } from './planos/cadastro.service.ts';
import type { DispositivosService } from './push/dispositivos/dispositivos.service.ts';
import type { ListaDeDispositivosService } from './push/dispositivos/lista.service.ts';
import type { MensagensDePushService } from './push/mensagens/mensagens.service.ts';
import type { PlanosService } from './planos/planos.service.ts';
import type { ExportacoesService } from './listas/exportacao.service.ts';
import type { ListasService } from './listas/listas.service.ts';
import type { LivroService } from './recebimentos/conciliacao/livro.service.ts';
import type { DevolucoesService } from './recebimentos/devolucoes/devolucoes.service.ts';
import type { VinculosService } from './recebimentos/identificacao/vinculo.service.ts';
import type { ManuaisService } from './recebimentos/manuais/manuais.service.ts';
import type { EfeitosService } from './provedores/efeitos/efeitos.service.ts';
import type { PrivacidadeService } from './privacidade/privacidade.service.ts';
import type { RegistrosService } from './registros/registros.service.ts';
import type { AvisosService } from './rede/avisos/avisos.service.ts';
import type { ConsultaDeAvisosService } from './rede/avisos/consulta.service.ts';
import type { LinhasDoAssinanteService } from './rede/assinante/linhas.service.ts';
import type { LinhasService } from './rede/linha/linha.service.ts';
import type { PanoramaDaRedeService } from './rede/panorama/panorama.service.ts';
import type { PopsService } from './rede/pops/pops.service.ts';
import type { DesconexoesService } from './rede/sessoes/a-pedido.service.ts';
import type { VisaoDaRedeService } from './rede/visao/visao.service.ts';
import type { AvisosDaReguaService } from './regua/avisos.service.ts';
import type { ConfiguracaoDaReguaService } from './regua/configuracao.service.ts';
import type { LeituraDaReguaService } from './regua/leitura.service.ts';
import type { PausasDaReguaService } from './regua/pausas.service.ts';
import type { PrevisaoDaReguaService } from './regua/previsao.service.ts';
import type { ResumoService } from './resumo/resumo.service.ts';
import type { RemovidosService } from './removidos/removidos.service.ts';
import type { ConsultaDeRenegociacoesService } from './renegociacoes/consulta.service.ts';
import type { QuebraService } from './renegociacoes/quebra.service.ts';
import type { RenegociacoesService } from './renegociacoes/renegociacoes.service.ts';
import type { TarefasDoPainelService } from './tarefas/painel.service.ts';
import type { ReaberturaService } from './tarefas/reabertura.service.ts';
import type { RegistroDeWebhooksService } from './webhooks/registro/registro.service.ts';
import type { WebhooksService } from './webhooks/webhooks.service.ts';
import type { ConsultaDeTrafegoService } from './trafego/consulta.service.ts';

/** Everything that can be changed of one provider, inside one write. */
export interface Escritas {
  /** Devices of whoever is in a session. */
  readonly dispositivos: DispositivosService;
  readonly mensagensDePush: MensagensDePushService;
  readonly codigosDoApp: CodigosDaEquipeService;
  readonly clientes: CadastroDeClientesService;
  readonly desbloqueios: DesbloqueiosService;
  readonly chamados: AtendimentoService;
  /** What is done about tickets in the app, by subscribers and the staff. */
  readonly chamadosDoApp: ChamadosDoAppService;
  /** What the staff does about tickets. */
  readonly atendimento: EquipeService;
  readonly respostas: RespostaAVariosService;
  /** Contacts that somebody notes. */
  readonly atendimentos: RegistroDeAtendimentosService;
  /** Comparing is written down. */
  readonly conferencias: ConferenciaService;
  readonly promessas: PromessasService;
  readonly faturamento: FaturamentoService;
  /** Second copies that are sent. */
  readonly envios: EnvioDeFaturasService;
  readonly notificacoes: LeituraDeNotificacoesService;
  readonly convites: ConvitesService;
  readonly contratos: CadastroDeContratosService;
  readonly movimentos: MovimentosService;
  readonly planos: CadastroDePlanosService;
  readonly faturas: EmissaoService;
  readonly ajustes: AjustesService;
  readonly baixas: ManuaisService;
  /** Money that is given back. */
  readonly devolucoes: DevolucoesService;
  /** Money that came without an invoice, and people know whose it is. */
  readonly vinculos: VinculosService;
  readonly renegociacoes: RenegociacoesService & QuebraService;
  readonly privacidade: PrivacidadeService;
  /** What is asked of fiscal notes, and how they are issued. */
  readonly nfcom: PedidosNfcomService;
  readonly configuracaoNfcom: ConfiguracaoNfcomService;
  readonly certificadoNfcom: CertificadoNfcomService;
  readonly servicosNfcom: ServicosNfcomService;
  /** How a provider asks for what it is owed, and whom it leaves alone. */
  readonly regua: AvisosDaReguaService & ConfiguracaoDaReguaService & PausasDaReguaService;
  readonly exportacoes: ExportacoesService;
  readonly cobradores: CadastroDeCobradoresService;
  /** Agreements with banks, and the files that are made for them. */
  readonly convenios: CadastroDeConveniosService;
  readonly remessas: RemessasService;
  /** Files of banks that could not be done. */
  readonly tentativasDeRetorno: TentativasDeRetornoService;
  readonly pops: PopsService;
  readonly avisosDeRede: AvisosService;
  readonly desconexoes: DesconexoesService;
  readonly tarefas: ReaberturaService;
  /** They see what the write has changed already. */
  readonly webhooks: WebhooksService & RegistroDeWebhooksService;
  /** Asking is written down. */
  readonly registros: RegistrosService;
}

/** Everything that can be asked of one provider. */
export interface Dominio {
  readonly acessosAoApp: AcessosAoAppService;
  readonly alcance: AlcanceService;
  /** What a tax id reaches. */
  readonly assinantes: AssinantesService;
  readonly busca: BuscaService;
  /** What staff see of many clients or contracts. */
  readonly listas: ListasService;
  readonly clientes: ClientesService;
  readonly contratos: ContratosService;
  readonly fichas: FichasService;
  readonly desbloqueios: LeituraDeDesbloqueiosService;
  readonly conexoes: ConexoesService;
  /** By what clients are recognized, and whose a record is. */
  readonly conhecidos: ConhecidosService;
  readonly faturas: FaturasService;
  readonly nfcom: NfcomService;
  /** Charges at PSPs. */
  readonly psp: LeituraDoPspService;
  /** Notes as the staff sees them. */
  readonly notas: ListaDeNotasService;
  /** The documents of notes, as files. */
  readonly danfe: DanfeService;
  /** How notes are issued. */
  readonly configuracaoNfcom: LeituraDaConfiguracaoNfcomService;
  readonly certificadoNfcom: LeituraDoCertificadoNfcomService;
  readonly servicosNfcom: LeituraDeServicosNfcomService;
  readonly previaNfcom: PreviaNfcomService;
  readonly composicao: ComposicaoService;
  /** The one ledger of money received. */
  readonly livro: LivroService;
  readonly renegociacoes: ConsultaDeRenegociacoesService;
  readonly chamados: ChamadosService;
  readonly atendimentos: LeituraDeAtendimentosService;
  readonly promessas: LeituraDePromessasService;
  /** Second copies that may be sent. */
  readonly envios: LeituraDeEnviosService;
  readonly regua: LeituraDaReguaService & PrevisaoDaReguaService;
  readonly faturamento: LeituraDoFaturamentoService;
  /** What contracts have beside their price. */
  readonly itensDeContratos: LeituraDeItensService;
  /** What contracts that are over have left to their clients. */
  readonly creditosDeContratos: LeituraDeCreditosService;
  /** What there is to say to whoever calls. */
  readonly resumo: ResumoService;
  /** Tickets in the app. */
  readonly chamadosDoApp: LeituraDoAppService;
  /** Tickets as the staff alone sees them. */
  readonly filaDeChamados: FilaService;
  readonly sino: SinoService;
  readonly dispositivos: ListaDeDispositivosService;
  readonly planos: PlanosService;
  readonly removidos: RemovidosService;
  readonly extratos: ExtratosService;
  readonly cobradores: CobradoresService;
  readonly boletos: LeituraDeBoletosService;
  readonly retornos: LeituraDeRetornosService;
  readonly rede: PanoramaDaRedeService;
  readonly avisosDeRede: ConsultaDeAvisosService;
  readonly linhas: LinhasService;
  /** Lines as their subscribers see them. */
  readonly linhasDoAssinante: LinhasDoAssinanteService;
  /** The network as programs see it. */
  readonly visaoDaRede: VisaoDaRedeService;
  readonly trafego: ConsultaDeTrafegoService;
  readonly indicadores: IndicadoresService;
  readonly listaDeFaturas: ListaDeFaturasService;
  readonly excedentes: ExcedentesService;
  readonly resumoFinanceiro: ResumoFinanceiroService;
  readonly efeitos: EfeitosService;
  readonly auditoria: AuditoriaService;
  readonly acessos: AcessosService;
  /** The keys of the API and their use, for staff. */
  readonly chaves: LeituraDeChavesService;
  readonly convites: LeituraDeConvitesService;
  readonly tarefas: TarefasDoPainelService;
}
