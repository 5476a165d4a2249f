import { request } from 'node:http';
import { TERMINAL } from '../../src/domain/actor.ts';
import type { PerfilDeFabrica } from '../../src/domain/usuarios/permissoes.regras.ts';
import type { Api } from './api.ts';
import { vindoDe } from './autor.ts';

/** An answer of the panel. */
export interface RespostaDoPainel {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly texto: string;
  readonly bytes: Buffer;
}

/** A browser without script: it keeps the session's cookie, and says that its posts come from the panel. */
export interface NavegadorSimples {
  get(caminho: string, headers?: Record<string, string>): Promise<RespostaDoPainel>;
  /** A list is sent as a field that comes several times. */
  post(
    caminho: string,
    campos?: Readonly<Record<string, string | readonly string[]>>,
    headers?: Record<string, string>,
  ): Promise<RespostaDoPainel>;
  /** Sends a form with a file. */
  enviar(
    caminho: string,
    arquivo: { readonly campo: string; readonly nome: string; readonly conteudo: Buffer } | null,
    campos?: Readonly<Record<string, string>>,
    headers?: Record<string, string>,
  ): Promise<RespostaDoPainel>;
  /** The session's cookie as it is now; null without one. */
  readonly cookie: string | null;
  fechar(): void;
}

let enderecos = 0;

/** Each browser has an address of its own, so that no network signs in too often. */
const outroEndereco = (): string => {
  enderecos += 1;
  return `127.${1 + Math.floor(enderecos / 62_500)}.${Math.floor(enderecos / 250) % 250}.${1 + (enderecos % 250)}`;
};

/** Opens the panel of a host, whose addresses are below `/painel`. */
export function abrirPainel(api: Pick<Api, 'porta' | 'portas'>, host: string, processo = 0): NavegadorSimples {
  let cookie: string | null = null;
  const deOnde = outroEndereco();

  async function pedir(
    method: string,
    caminho: string,
    headers: Record<string, string>,
    corpo?: string | Buffer,
  ): Promise<RespostaDoPainel> {
    const porta = api.portas[processo] ?? api.porta;
    return new Promise((resolve, reject) => {
      const req = request(
        {
          host: '127.0.0.1',
          localAddress: deOnde,
          port: porta,
          method,
          path: `/painel${caminho}`,
          headers: { host, ...(cookie === null ? {} : { cookie }), ...headers },
        },
        (res) => {
          const partes: Buffer[] = [];
          res.on('data', (parte: Buffer) => partes.push(parte));
          res.on('error', reject);
          res.on('end', () => {
            const [dado] = res.headers['set-cookie'] ?? [];
            if (dado !== undefined) cookie = /Max-Age=0/.test(dado) ? null : (dado.split(';')[0] ?? null);
            const bytes = Buffer.concat(partes);
            resolve({ status: res.statusCode ?? 0, headers: res.headers, texto: bytes.toString(), bytes });
          });
        },
      );
      req.on('error', reject);
      req.end(corpo);
    });
  }

  return {
    get: async (caminho, headers = {}) => pedir('GET', caminho, headers),
    async post(caminho, campos = {}, headers = {}) {
      const corpo = new URLSearchParams(
        Object.entries(campos).flatMap(([nome, valor]) => [valor].flat().map((um): [string, string] => [nome, um])),
      ).toString();
      const deSempre = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
      return pedir('POST', caminho, { ...deSempre, ...headers }, corpo);
    },
    async enviar(caminho, arquivo, campos = {}, headers = {}) {
      const limite = 'limite-que-nao-esta-em-lugar-nenhum';
      const partes: Uint8Array[] = Object.entries(campos).map(([nome, valor]) =>
        Buffer.from(`--${limite}\r\nContent-Disposition: form-data; name="${nome}"\r\n\r\n${valor}\r\n`),
      );
      if (arquivo !== null) {
        const { campo, nome, conteudo } = arquivo;
        const cabeca = `--${limite}\r\nContent-Disposition: form-data; name="${campo}"; filename="${nome}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
        partes.push(Buffer.from(cabeca), conteudo, Buffer.from('\r\n'));
      }
      const corpo = Buffer.concat([...partes, Buffer.from(`--${limite}--\r\n`)]);
      const deSempre = {
        'content-type': `multipart/form-data; boundary=${limite}`,
        'content-length': String(corpo.length),
        'sec-fetch-site': 'same-origin',
      };
      return pedir('POST', caminho, { ...deSempre, ...headers }, corpo);
    },
    get cookie() {
      return cookie;
    },
    fechar() {
      cookie = null;
    },
  };
}

/** Somebody of a provider, signed in. */
export interface PessoaNoPainel extends NavegadorSimples {
  readonly usuarioId: number;
  readonly email: string;
}

/** Sends what asks for proof first, and proves it. */
export async function comProva(
  quem: Pick<NavegadorSimples, 'post'>,
  caminho: string,
  campos: Readonly<Record<string, string | readonly string[]>> = {},
): Promise<RespostaDoPainel> {
  return quem.post(caminho, { ...campos, _senha: SENHA_DO_PAINEL });
}

export const SENHA_DO_PAINEL = 'jabuti roxo na varanda';

let pessoas = 0;

/**
 * Signs somebody in, of one of the profiles that come made, at a provider whose host the factory made. Of a demonstration's people no
 * second factor is asked, so the provider becomes one, unless `comFator`.
 */
export async function entrarNoPainel(
  api: Api,
  provedorId: number,
  perfil: PerfilDeFabrica = 'administrador',
  processo = 0,
): Promise<PessoaNoPainel> {
  const { usuarios, perfis, provedores } = api.container;
  await api.dono('provedores').where({ id: provedorId }).update({ demonstracao: 1 });
  const provedor = await provedores.exigirPorId(provedorId);
  const perfil_id = (await perfis.listar(provedorId)).find(({ deFabrica }) => deFabrica === perfil)?.id ?? 0;
  const email = `gente${(pessoas += 1)}@malha.test`;
  const { token } = await usuarios.convidar(TERMINAL, provedor, { email, nome: `Gente ${pessoas}`, perfil_id });
  const { usuarioId } = await usuarios.aceitar(provedor, token, { senha: SENHA_DO_PAINEL }, vindoDe());
  const navegador = abrirPainel(api, provedor.panelHost, processo);
  const resposta = await navegador.post('/entrar', { email, senha: SENHA_DO_PAINEL });
  if (resposta.status !== 303) throw new Error(`${resposta.status}: ${resposta.texto}`);
  // Its cookie is a property that changes: it is not copied.
  return Object.assign(Object.create(navegador) as NavegadorSimples, { usuarioId, email });
}
