import { bem, exigido, grupo, lerAlteracao, lerCampos, mal, opcional } from '../../campos/campos.ts';
import type { Leitor } from '../../campos/campos.ts';
import { escolha, lista, ouNulo, texto } from '../../campos/leitores.ts';
import { CamposInvalidos } from '../../erros.ts';
import { ehPonto } from '../canais/aes128gcm.ts';
import type { Inscricao } from '../canais/webpush.ts';
import { PLATAFORMAS } from '../push.types.ts';
import type { TipoDeCanal } from '../push.types.ts';
import { SILENCIAVEIS } from '../tipos.regras.ts';
import { hostServe } from './hosts.regras.ts';

const MAIOR_ENDPOINT = 2000;

/** What a push service is reached by, as it is kept: a token of FCM's, or a subscription. */
export type Destino =
  { readonly tipo: 'fcm'; readonly token: string } | { readonly tipo: 'webpush'; readonly inscricao: Inscricao };

/** Judges an endpoint's address. @throws UrlRefused */
type ConferirUrl = (url: string) => URL;

export interface RegrasDoDestino {
  readonly conferirUrl: ConferirUrl;
  /** Push services that are allowed besides those of the browsers; null allows every one. */
  readonly hosts: readonly string[] | null;
}

/**
 * Takes any address. By these rules a body is only checked for mistakes; what they read is never kept. Before a device is written, its body is
 * read again by the rules of this installation, which say what addresses the service may call.
 */
export const SO_A_FORMA: RegrasDoDestino = { conferirUrl: (url) => new URL(url), hosts: null };

const tokenFcm: Leitor<string> = (valor) =>
  typeof valor === 'string' && /^[\x21-\x7e]{20,4096}$/.test(valor) ? bem(valor) : mal('não é um token do FCM');

const chave =
  (bytes: number, serve: (lida: Buffer) => boolean = () => true): Leitor<string> =>
  (valor) => {
    const lida = typeof valor === 'string' ? Buffer.from(valor.replace(/=+$/, ''), 'base64url') : Buffer.alloc(0);
    return lida.length === bytes && serve(lida) ? bem(lida.toString('base64url')) : mal('não é a chave do navegador');
  };

const endpoint =
  ({ conferirUrl, hosts }: RegrasDoDestino): Leitor<string> =>
  (valor) => {
    const errado = mal('não é de um serviço de push de navegador');
    if (typeof valor !== 'string' || valor.length > MAIOR_ENDPOINT) return errado;
    try {
      const { hostname, href } = conferirUrl(valor);
      return hosts === null || hostServe(hostname, hosts) ? bem(href) : errado;
    } catch {
      return errado;
    }
  };

const CHAVES = grupo({ p256dh: exigido(chave(65, ehPonto)), auth: exigido(chave(16)) });

const AJUSTES = {
  versao: opcional(ouNulo(texto(1, 40))),
  silenciados: opcional(lista(escolha(SILENCIAVEIS), 0, SILENCIAVEIS.length)),
} as const;

const destinoDe = (regras: RegrasDoDestino) =>
  ({
    fcm: { token: tokenFcm },
    webpush: { endpoint: endpoint(regras), chaves: CHAVES },
  }) as const;

/** Fields that only one of the kinds has, and has to have. */
function formaDoDestino(tipo: unknown, regras: RegrasDoDestino, deve: boolean) {
  const campo = deve ? exigido : opcional;
  const { fcm, webpush } = destinoDe(regras);
  const nenhum = opcional<never>(() => mal(tipo === 'fcm' ? 'é só de webpush' : 'é só de fcm'));
  return tipo === 'webpush'
    ? { token: nenhum, endpoint: campo(webpush.endpoint), chaves: campo(webpush.chaves) }
    : { token: campo(fcm.token), endpoint: nenhum, chaves: nenhum };
}

interface Ditos {
  readonly token?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly chaves?: { readonly p256dh: string; readonly auth: string } | undefined;
}

function destino({ token, endpoint: onde, chaves }: Ditos): Destino | undefined {
  if (token !== undefined) return { tipo: 'fcm', token };
  if (onde === undefined || chaves === undefined) return undefined;
  return { tipo: 'webpush', inscricao: { endpoint: onde, ...chaves } };
}

const tipoDito = (dados: unknown): unknown =>
  typeof dados === 'object' && dados !== null && 'tipo' in dados ? dados.tipo : undefined;

/** A device as an app registers it. @throws CamposInvalidos */
export function lerDispositivo(dados: unknown, regras: RegrasDoDestino) {
  const { tipo, plataforma, versao, silenciados, ...ditos } = lerCampos(
    {
      tipo: exigido(escolha(['fcm', 'webpush'])),
      plataforma: exigido(escolha(PLATAFORMAS)),
      ...AJUSTES,
      ...formaDoDestino(tipoDito(dados), regras, true),
    },
    dados,
  );
  const onde = destino(ditos);
  // The form requires what its kind is reached by.
  if (onde === undefined) throw new Error(`um dispositivo ${tipo} sem destino`);
  return { plataforma, versao, silenciados, destino: onde };
}

/** What changes of a device; a subscription changes whole. @throws CamposInvalidos */
export function lerMudanca(dados: unknown, tipo: TipoDeCanal, regras: RegrasDoDestino) {
  const { versao, silenciados, ...ditos } = lerAlteracao({ ...AJUSTES, ...formaDoDestino(tipo, regras, false) }, dados);
  const onde = destino(ditos);
  if (onde === undefined && (ditos.endpoint !== undefined || ditos.chaves !== undefined)) {
    const falta = ditos.endpoint === undefined ? 'endpoint' : 'chaves';
    throw new CamposInvalidos([{ campo: falta, codigo: 'parametro_invalido', mensagem: 'é obrigatório' }]);
  }
  return { versao, silenciados, destino: onde };
}
