import type { Lugar, RespostaDePasskey } from '../../../domain/usuarios/fatores/passkeys.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { icone } from '../componentes/icone.ts';
import { escondido } from '../formulario/formulario.ts';

/** Where passkeys of a request are used. */
export const lugarDe = ({ origem }: { readonly origem: string }): Lugar => ({ host: new URL(origem).hostname, origem });

/** What the script put into the form's fields: the challenge that was asked, and the device's answer. Whatever else was sent is no answer. */
export function lerPasskey(dados: Readonly<Record<string, unknown>>): RespostaDePasskey {
  const { desafio, resposta } = dados;
  return { desafio: typeof desafio === 'string' ? desafio : '', resposta: lerJson(resposta) };
}

function lerJson(texto: unknown): unknown {
  if (typeof texto !== 'string') return null;
  try {
    return JSON.parse(texto);
  } catch {
    return null;
  }
}

interface DaPasskey {
  readonly modo: 'usar' | 'criar';
  readonly pedido: { readonly opcoes: object; readonly desafio: string };
  readonly texto: string;
  /** Names of the fields that carry challenge and answer. */
  readonly campos?: { readonly desafio: string; readonly resposta: string };
}

/** The button that asks the device, with the fields of its answer. It is shown only where the browser knows how. */
export function botaoDePasskey({ modo, pedido, texto, campos }: DaPasskey): Html {
  const { desafio, resposta } = campos ?? { desafio: 'desafio', resposta: 'resposta' };
  return html`${escondido(desafio, pedido.desafio)} ${escondido(resposta, '')}
    <button
      type="button"
      class="btn com-passkeys"
      data-passkey="${modo}"
      data-campo="${resposta}"
      data-opcoes="${JSON.stringify(pedido.opcoes)}"
    >
      ${icone('fingerprint')} ${texto}
    </button>`;
}

/** The same as a form of its own. `alvo`: what the answer takes the place of. */
export function formularioDePasskey(
  para: string,
  botao: DaPasskey,
  antes: Html | null = null,
  alvo: '#conteudo' | '#entrar-de-novo' = '#conteudo',
): Html {
  return html`<form
    class="com-passkeys"
    method="post"
    action="${BASE}${para}"
    hx-post="${BASE}${para}"
    hx-target="${alvo}"
    hx-swap="${alvo === '#conteudo' ? 'innerMorph' : 'innerHTML'}"
  >
    ${antes} ${botaoDePasskey(botao)}
  </form>`;
}
