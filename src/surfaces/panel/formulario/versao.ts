import { versaoDe } from '../../../domain/campos/versao.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { aviso } from '../componentes/cartao.ts';
import { preenchido, valorDe } from './estado.ts';
import type { EstadoDoFormulario } from './estado.ts';
import { escondido } from './formulario.ts';

type Campos = Parameters<typeof versaoDe>[0];

interface DoQueSeLeu {
  readonly estado: EstadoDoFormulario;
  /** How the fields stand, by the names that the domain counts their version by. */
  readonly campos: Campos;
  /** Those whose two values are shown where they differ, with their labels. */
  readonly rotulos: Readonly<Record<string, string>>;
  /** Values in words, for fields that hold the number of something. */
  readonly dito?: (nome: string, valor: string) => string;
}

/**
 * The version that a form goes by (`versao`). Where somebody has changed the fields meanwhile, it shows both what stands and what was
 * typed, and goes by what stands: nothing is overwritten that was not seen.
 */
export function versaoLida({ estado, campos, rotulos, dito = (_nome, valor) => valor }: DoQueSeLeu): Html {
  const atual = versaoDe(campos);
  const lida = valorDe(estado, 'versao');
  const campo = escondido('versao', atual);
  if (lida === '' || lida === atual) return campo;
  const agora = preenchido(campos);
  const emTexto = ({ digitado }: EstadoDoFormulario, nome: string): string =>
    (digitado.get(nome) ?? [''])
      .map((valor) => dito(nome, valor.trim()))
      .toSorted()
      .join(', ');
  const mudados = Object.entries(rotulos)
    .map(([nome, rotulo]) => ({ rotulo, gravado: emTexto(agora, nome), digitado: emTexto(estado, nome) }))
    .filter(({ gravado, digitado }) => gravado !== digitado);
  return html`${campo}
  ${aviso(
    'warning',
    html`<p>
        Outra pessoa mudou isto enquanto você o via. Nada do que você digitou foi gravado. Enviar de novo grava o que
        está nos campos abaixo.
      </p>
      <ul class="mb-0">
        ${mudados.map(({ rotulo, gravado, digitado }) => html`<li>${rotulo}: está gravado “${gravado}”, você digitou “${digitado}”.</li>`)}
      </ul>`,
  )}`;
}

/** The version that a form goes by, where the two values are not shown: what stands now, and a word where somebody changed it meanwhile. */
export function versaoAtual(estado: EstadoDoFormulario, atual: string): Html {
  const lida = valorDe(estado, 'versao');
  return html`${escondido('versao', atual)}
  ${
    lida === '' || lida === atual
      ? null
      : aviso('warning', 'Outra pessoa mudou isto enquanto você o via. Enviar de novo grava o que está abaixo.')
  }`;
}

/** What came with a form, and the version that it was read with. */
export function comVersao({ versao, ...dados }: Readonly<Record<string, unknown>>): {
  readonly dados: Readonly<Record<string, unknown>>;
  readonly lida: { readonly versao: string | undefined };
} {
  return { dados, lida: { versao: typeof versao === 'string' ? versao : undefined } };
}
