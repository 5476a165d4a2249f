import type { LeitorDePfx } from '../../domain/nfcom/certificado/leitor.ts';
import type { ConfiguracaoService } from '../../domain/provedores/configuracao/configuracao.service.ts';
import type { FormasDaConfiguracaoService } from '../../domain/provedores/configuracao/formas.service.ts';
import type { FeriadosService } from '../../domain/provedores/feriados/feriados.service.ts';
import type { SessoesDoAppService } from '../../domain/acessos/sessoes/sessoes.service.ts';
import type { ConfiguracaoDoAppService } from '../../domain/provedores/app/app.service.ts';
import type { ConexaoPspService } from '../../domain/psp/convenios/conexao.service.ts';
import type { ConveniosPspService } from '../../domain/psp/convenios/convenios.service.ts';
import type { PushService } from '../../domain/push/push.service.ts';
import type { Attempts } from '../../access/attempts.ts';
import type { PoliticaService } from '../../domain/provedores/configuracao/politica.service.ts';
import type { RetornosService } from '../../domain/boletos/retornos/recebimento.service.ts';
import type { ImportacoesService } from '../../domain/importacoes/importacoes.service.ts';
import type { RedeService } from '../../domain/rede/configuracao/rede.service.ts';
import type { ServidoresService } from '../../domain/rede/servidores.service.ts';
import type { TesteDeCoaService } from '../../domain/rede/sessoes/teste-de-coa.service.ts';
import type { ChavesService } from '../../domain/chaves/chaves.service.ts';
import type { FatoresService } from '../../domain/usuarios/fatores/fatores.service.ts';
import type { PerfisService } from '../../domain/usuarios/perfis/perfis.service.ts';
import type { SenhasService } from '../../domain/usuarios/senha/senhas.service.ts';
import type { EntradaService } from '../../domain/usuarios/sessoes/entrada.service.ts';
import type { SessoesService } from '../../domain/usuarios/sessoes/sessoes.service.ts';
import type { UsuariosService } from '../../domain/usuarios/usuarios.service.ts';
import type { ReenvioService } from '../../domain/webhooks/registro/reenvio.service.ts';
import type { RegistroDeWebhooksService } from '../../domain/webhooks/registro/registro.service.ts';
import type { TesteDeWebhooksService } from '../../domain/webhooks/registro/teste.service.ts';
import type { WebhooksService } from '../../domain/webhooks/webhooks.service.ts';
import type { Streams } from '../../kit/live/sse.ts';

/** Services that are bound to no provider: each of their methods is told whose panel it works for. */
export interface Servicos {
  /** Reads a certificate file with its key, in a thread. */
  readonly lerPfx: LeitorDePfx;
  /** Sessions of the app. */
  readonly app: Pick<SessoesDoAppService, 'encerrarDoAcesso' | 'encerrarDoUsuario'>;
  readonly configuracaoDoApp: ConfiguracaoDoAppService;
  readonly configuracao: ConfiguracaoService & FormasDaConfiguracaoService;
  readonly feriados: FeriadosService;
  /** The open pages of this process. */
  readonly streams: Streams;
  readonly chaves: ChavesService;
  /** Files of banks. */
  readonly arquivosDeRetorno: Pick<RetornosService, 'receber'>;
  readonly importacoes: ImportacoesService;
  readonly fatores: FatoresService;
  readonly politica: PoliticaService;
  /** Slows down whoever guesses passwords and codes. */
  readonly tentativas: Attempts;
  readonly perfis: PerfisService;
  /** Agreements with PSPs. */
  readonly psp: ConveniosPspService & ConexaoPspService;
  /** By what a provider sends. */
  readonly push: Pick<PushService, 'configuracao' | 'contaFcm' | 'definirContaFcm'>;
  /** What a provider has its network told, and from when on drops are an outage. */
  readonly rede: Pick<RedeService, 'buscar' | 'configurar'>;
  readonly servidores: ServidoresService;
  readonly sessoes: SessoesService & EntradaService;
  readonly testeDeCoa: TesteDeCoaService;
  readonly usuarios: UsuariosService & SenhasService;
  readonly webhooks: WebhooksService & RegistroDeWebhooksService & ReenvioService & TesteDeWebhooksService;
}
