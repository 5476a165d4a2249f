import type { Context } from 'koa';
import { isAnothersHost } from '../../../access/hosts.ts';
import type { Hosts } from '../../../access/hosts.ts';
import type { Logger } from 'pino';
import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { atorDoPreCadastro } from '../../../domain/actor.ts';
import type { ConviteAberto, ConviteValido } from '../../../domain/convites/convites.types.ts';
import type { PreCadastroService } from '../../../domain/convites/pre-cadastro.service.ts';
import { isHttps, requestHost, sourceIp } from '../../../platform/http/request.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { readForm } from '../../../kit/html/form.ts';
import type { Anfitriao } from '../documento.ts';
import type { PageReply } from '../../../kit/html/reply.ts';
import { CAMPO_DA_MARCA, CAMPO_DE_ROBOS, NADA_DIGITADO, lerDigitado } from './campos.ts';
import { conferir } from './conferencia.ts';
import type { Faltas } from './conferencia.ts';
import { biscoitoDe, conferirMarca, marcar } from './marca.ts';
import { veioDeFora } from './origem.ts';
import {
  telaDeDesconhecido,
  telaDeEnvioRecusado,
  telaDeExpirado,
  telaDeUsado,
  telaDoFormulario,
  telaSemPlanos,
} from './telas.ts';
import type { Formulario } from './telas.ts';

export interface PreCadastroDeps {
  readonly preCadastro: PreCadastroService;
  readonly hosts: Hosts;
  readonly relogio: Relogio;
  readonly logger: Logger;
  /** Trusted proxies in front. */
  readonly proxies: number;
}

const SEM_FALTAS: Faltas = new Map();

const AVISO_DE_ALHEIA =
  'Não foi possível confirmar que o envio veio desta página. Confira os dados e envie de novo. Se isto se repetir, permita cookies neste navegador.';
const AVISO_DE_ROBOS =
  'Um campo que deve ficar em branco veio preenchido, talvez pelo preenchimento automático. Ele já foi limpo: confira os dados e envie de novo.';
const AVISO_DE_PRESSA = 'O envio chegou depressa demais. Confira os dados e envie de novo em alguns segundos.';
const AVISO_DE_FALHA =
  'Tivemos um problema ao gravar o cadastro. O que você digitou está aqui: envie de novo em instantes.';

/** The page behind an invite's link: shows the form, and takes it. */
export function criarPreCadastro({ preCadastro, hosts, relogio, logger, proxies }: PreCadastroDeps) {
  /** The invite, unless the link was opened on another provider's host. */
  async function abrir(ctx: Context, token: string): Promise<ConviteAberto | null> {
    const convite = await preCadastro.abrir(token);
    return convite === null || (await isAnothersHost(requestHost(ctx.req), convite.provedor, hosts)) ? null : convite;
  }

  /** Shows the form. What was posted with a mark of this browser keeps its mark, and so the time since it was given out. */
  function mostrar(
    ctx: Context,
    token: string,
    convite: ConviteValido,
    status: number,
    enviado: Partial<Pick<Formulario, 'marca' | 'digitado' | 'faltas' | 'aviso'>> = {},
  ): PageReply {
    const { digitado = NADA_DIGITADO, faltas = SEM_FALTAS, aviso = null } = enviado;
    const seguro = isHttps(ctx.req, proxies);
    const biscoito = biscoitoDe(ctx.cookies.get(nomeDoBiscoito(seguro)));
    const marca = enviado.marca ?? marcar(token, biscoito, relogio.agora());
    const cookie = `${nomeDoBiscoito(seguro)}=${biscoito}; Path=/; HttpOnly; SameSite=Strict${seguro ? '; Secure' : ''}`;
    return {
      status,
      page: telaDoFormulario({ convite, caminho: caminhoDe(token), marca, digitado, faltas, aviso }),
      headers: { 'Set-Cookie': cookie },
    };
  }

  async function receber(ctx: Context, token: string, convite: ConviteValido, requestId: string): Promise<PageReply> {
    const { provedor } = convite;
    const recusar = (status: number, motivo: string): PageReply => ({
      status,
      page: telaDeEnvioRecusado(convite, caminhoDe(token), motivo),
    });
    if (veioDeFora(ctx.req))
      return recusar(403, 'O envio veio de outro site. Preencha o formulário na própria página.');
    const enviados = await readForm(ctx);
    if (enviados === null) return recusar(400, 'Não entendemos o que foi enviado. Preencha o formulário de novo.');

    const digitado = lerDigitado(enviados);
    const marca = enviados.get(CAMPO_DA_MARCA) ?? '';
    const biscoito = ctx.cookies.get(nomeDoBiscoito(isHttps(ctx.req, proxies)));
    const agora = relogio.agora();
    const julgada = conferirMarca(token, biscoito, marca, agora);
    const devolver = (status: number, com: { aviso?: string; faltas?: Faltas }): PageReply =>
      mostrar(ctx, token, convite, status, { digitado, ...(julgada === 'alheia' ? {} : { marca }), ...com });
    if (julgada === 'alheia') return devolver(403, { aviso: AVISO_DE_ALHEIA });
    if ((enviados.get(CAMPO_DE_ROBOS) ?? '') !== '') return devolver(422, { aviso: AVISO_DE_ROBOS });
    const { cadastro, faltas } = conferir(digitado, convite, hojeEm(provedor.fusoHorario, agora));
    if (cadastro === null) return devolver(422, { faltas });
    if (julgada === 'cedo') return devolver(422, { aviso: AVISO_DE_PRESSA });

    const ator = atorDoPreCadastro({ ip: sourceIp(ctx.req, proxies), requestId });
    const resultado = await preCadastro.registrar(ator, token, cadastro).catch((error: unknown) => {
      logger.error({ err: error, requestId, provedorId: provedor.id }, 'pré-cadastro não gravado');
      return 'falhou' as const;
    });
    if (resultado === 'registrado') return { status: 303, page: null, headers: { Location: caminhoDe(token) } };
    if (resultado === 'falhou') return devolver(500, { aviso: AVISO_DE_FALHA });
    if (resultado === 'plano_indisponivel') {
      return devolver(422, { faltas: new Map([['plano', 'Este plano deixou de ser oferecido: escolha outro.']]) });
    }
    return resultado === null ? desconhecido() : encerrado(resultado, convite, true);
  }

  return async (ctx: Context, token: string, requestId: string): Promise<PageReply> => {
    const convite = await abrir(ctx, token);
    if (convite === null) return desconhecido();
    const envio = ctx.method === 'POST';
    if (convite.estado !== 'valido') return encerrado(convite.estado, convite, envio);
    if (convite.plano === null && convite.planos.length === 0) {
      return { status: envio ? 409 : 200, page: telaSemPlanos(convite) };
    }
    return envio ? receber(ctx, token, convite, requestId) : mostrar(ctx, token, convite, 200);
  };
}

const desconhecido = (): PageReply => ({ status: 404, page: telaDeDesconhecido() });

/** An invite that is no longer open: to look at it after use is what follows a registration, to post to it again is not. */
function encerrado(estado: 'usado' | 'expirado', de: Anfitriao, envio: boolean): PageReply {
  if (estado === 'expirado') return { status: 410, page: telaDeExpirado(de) };
  return { status: envio ? 409 : 200, page: telaDeUsado(de, envio) };
}

const caminhoDe = (token: string): string => `/pre-cadastro/${token}`;

/** Over TLS the prefix keeps other hosts of the domain from setting it (RFC 6265bis, section 4.1.3.2). */
const nomeDoBiscoito = (seguro: boolean): string => (seguro ? '__Host-malha-formulario' : 'malha-formulario');
