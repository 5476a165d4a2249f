import { enviar } from './api.ts';
import type { Api, Recebido } from './api.ts';

/** A registration that is right in every field, as a browser would send it. */
export const CADASTRO_CERTO: Readonly<Record<string, string>> = {
  nome: 'Maria José da Silva',
  documento: '529.982.247-25',
  nascimento: '31/12/1990',
  telefone: '(35) 99999-0001',
  telefone2: '',
  email: 'maria@exemplo.com.br',
  cep: '37130-001',
  logradouro: 'Rua das Acácias',
  numero: '120',
  complemento: '',
  bairro: 'Centro',
  cidade: 'Alfenas',
  uf: 'MG',
  consentimento: 'sim',
};

export interface EnvioDaPagina {
  readonly metodo?: string;
  readonly headers?: Record<string, string>;
  readonly corpo?: string | Buffer;
  readonly processo?: number;
}

/** The form as a browser has it: its mark, and the cookie that came with it. */
export interface FormularioAberto {
  readonly caminho: string;
  readonly marca: string;
  readonly cookie: string;
  readonly resposta: Recebido;
}

/** Speaks with the registration page as a browser without JavaScript does. */
export function criarPagina(api: Api) {
  async function pedir(caminho: string, envio: EnvioDaPagina = {}): Promise<Recebido> {
    return enviar(
      {
        host: '127.0.0.1',
        port: api.portas[envio.processo ?? 0]!,
        method: envio.metodo ?? 'GET',
        path: caminho,
        headers: envio.headers ?? {},
        agent: false,
      },
      envio.corpo,
    );
  }

  async function abrir(caminho: string, envio: EnvioDaPagina = {}): Promise<FormularioAberto> {
    const resposta = await pedir(caminho, envio);
    const marca = marcaDe(resposta.texto);
    const cookie = String(resposta.headers['set-cookie']?.[0]).split(';')[0]!;
    return { caminho, marca, cookie, resposta };
  }

  async function postar(
    { caminho, marca, cookie }: FormularioAberto,
    campos: Readonly<Record<string, string>>,
    envio: EnvioDaPagina = {},
  ): Promise<Recebido> {
    return pedir(caminho, {
      ...envio,
      metodo: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie, ...envio.headers },
      corpo: new URLSearchParams({ marca, pagina_pessoal: '', ...campos }).toString(),
    });
  }

  /** The path of a new invite's page. */
  async function convidar(chave: string, corpo: object = {}): Promise<string> {
    const resposta = await api.pedir('POST', '/pre-cadastros/convites', {
      chave,
      headers: { 'content-type': 'application/json' },
      corpo: JSON.stringify(corpo),
    });
    if (resposta.status !== 201) throw new Error(resposta.texto);
    return new URL(resposta.corpo.dados.link as string).pathname;
  }

  return { pedir, abrir, postar, convidar };
}

export function marcaDe(texto: string): string {
  return /name="marca" value="([^"]*)"/.exec(texto)?.[1] ?? '';
}

/** What is wrong with each field, by its id. */
export function faltasDe(texto: string): Record<string, string> {
  const achadas = texto.matchAll(/<p class="falta" id="(\w+)-falta">([^<]*)<\/p>/g);
  return Object.fromEntries([...achadas].map(([, campo, mensagem]) => [campo!, mensagem!]));
}
