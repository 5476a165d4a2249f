import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { faltaDe, valorDe } from './estado.ts';
import type { EstadoDoFormulario } from './estado.ts';

interface DoCampo {
  readonly nome: string;
  readonly rotulo: string;
  readonly dica?: string;
  readonly obrigatorio?: boolean;
}

export interface DaEntrada extends DoCampo {
  readonly tipo?:
    'text' | 'email' | 'password' | 'date' | 'datetime-local' | 'number' | 'tel' | 'url' | 'color' | 'time';
  readonly autocomplete?: string;
  readonly teclado?: 'numeric' | 'decimal' | 'tel' | 'email';
  readonly maximo?: number;
  /** Further attributes, such as htmx's. */
  readonly mais?: Html;
}

/** The id of a field's control; the summary of faults leads there. */
export const idDe = (nome: string): string => `campo-${nome.replaceAll('.', '-')}`;

/** The attributes that say what a control is described by and whether it is at fault. */
function ligacoes(estado: EstadoDoFormulario, { nome, dica, obrigatorio }: DoCampo): Html {
  const falta = faltaDe(estado, nome);
  const descrita = [dica === undefined ? '' : `${idDe(nome)}-dica`, falta === null ? '' : `${idDe(nome)}-falta`]
    .join(' ')
    .trim();
  return html`id="${idDe(nome)}" name="${nome}" ${descrita === '' ? null : html`aria-describedby="${descrita}"`}
  ${falta === null ? null : html`aria-invalid="true"`} ${obrigatorio === true ? html`required` : null}`;
}

const classe = (estado: EstadoDoFormulario, nome: string, base: string): string =>
  faltaDe(estado, nome) === null ? base : `${base} is-invalid`;

/** A control with its label, hint and fault. */
function emCampo(estado: EstadoDoFormulario, { nome, rotulo, dica, obrigatorio }: DoCampo, controle: Html): Html {
  const falta = faltaDe(estado, nome);
  return html`<div class="campo">
    <label class="form-label" for="${idDe(nome)}"
      >${rotulo}${obrigatorio === true ? null : html` <span class="text-secondary fw-normal">(opcional)</span>`}</label
    >
    ${controle} ${dica === undefined ? null : html`<div class="form-hint" id="${idDe(nome)}-dica">${dica}</div>`}
    ${falta === null ? null : html`<div class="invalid-feedback" id="${idDe(nome)}-falta">${rotulo}: ${falta}.</div>`}
  </div>`;
}

/** One line of text, a date, a password. What was typed as a password is not shown again. */
export function entrada(estado: EstadoDoFormulario, campo: DaEntrada): Html {
  const { nome, tipo = 'text', autocomplete = 'off', teclado, maximo, mais } = campo;
  const valor = tipo === 'password' ? '' : valorDe(estado, nome);
  return emCampo(
    estado,
    campo,
    html`<input
      class="${classe(estado, nome, 'form-control')}"
      type="${tipo}"
      value="${valor}"
      autocomplete="${autocomplete}"
      ${teclado === undefined ? null : html`inputmode="${teclado}"`}
      ${maximo === undefined ? null : html`maxlength="${maximo}"`}
      ${ligacoes(estado, campo)}
      ${mais ?? null}
    />`,
  );
}

/** Several lines of text. */
export function area(
  estado: EstadoDoFormulario,
  campo: DoCampo & { readonly linhas?: number; readonly maximo?: number },
): Html {
  const { nome, linhas = 4, maximo } = campo;
  // The first line break after the tag is not part of the value.
  return emCampo(
    estado,
    campo,
    html`<textarea
      class="${classe(estado, nome, 'form-control')}"
      rows="${linhas}"
      ${maximo === undefined ? null : html`maxlength="${maximo}"`}
      ${ligacoes(estado, campo)}
    >
${valorDe(estado, nome)}</textarea>`,
  );
}

export interface Opcao {
  readonly valor: string;
  readonly texto: string;
}

/** One of several. Without a value yet, `vazia` says what no choice means. */
export function escolha(
  estado: EstadoDoFormulario,
  campo: DoCampo & { readonly opcoes: readonly Opcao[]; readonly vazia?: string; readonly mais?: Html },
): Html {
  const { nome, opcoes, vazia, mais } = campo;
  const atual = valorDe(estado, nome);
  return emCampo(
    estado,
    campo,
    html`<select class="${classe(estado, nome, 'form-select')}" ${ligacoes(estado, campo)} ${mais ?? null}>
      ${vazia === undefined ? null : html`<option value="">${vazia}</option>`} ${opcoes.map((uma) => opcao(uma, atual))}
    </select>`,
  );
}

export const opcao = ({ valor, texto }: Opcao, atual: string): Html =>
  html`<option value="${valor}" ${valor === atual ? html`selected` : null}>${texto}</option>`;

/** A box that is ticked or not. */
export function caixa(estado: EstadoDoFormulario, campo: DoCampo): Html {
  const { nome, rotulo, dica } = campo;
  const falta = faltaDe(estado, nome);
  return html`<div class="campo">
    <label class="form-check"
      ><input
        class="form-check-input"
        type="checkbox"
        value="sim"
        ${ligacoes(estado, { ...campo, obrigatorio: false })}
        ${estado.digitado.has(nome) ? html`checked` : null}
      />
      <span class="form-check-label">${rotulo}</span></label
    >
    ${dica === undefined ? null : html`<div class="form-hint" id="${idDe(nome)}-dica">${dica}</div>`}
    ${falta === null ? null : html`<div class="invalid-feedback" id="${idDe(nome)}-falta">${rotulo}: ${falta}.</div>`}
  </div>`;
}

/** A file of the reader's own. */
export function arquivo(estado: EstadoDoFormulario, campo: DoCampo & { readonly aceita: string }): Html {
  const controle = html`<input
    class="${classe(estado, campo.nome, 'form-control')}"
    type="file"
    accept="${campo.aceita}"
    ${ligacoes(estado, campo)}
  />`;
  return emCampo(estado, campo, controle);
}

/** What is chosen together, under one name: what is wrong with the choice stands below it, and is read with it. */
export function conjunto(
  estado: EstadoDoFormulario,
  { nome, rotulo, dica }: Pick<DoCampo, 'nome' | 'rotulo'> & { readonly dica?: Html | string },
  corpo: Html,
): Html {
  const falta = faltaDe(estado, nome);
  const daFalta = `${idDe(nome)}-falta`;
  return html`<fieldset id="${idDe(nome)}" tabindex="-1" ${falta === null ? null : html`aria-describedby="${daFalta}"`}>
    <legend>${rotulo}</legend>
    ${dica === undefined ? null : html`<div class="form-hint mb-2">${dica}</div>`} ${corpo}
    ${falta === null ? null : html`<div class="invalid-feedback d-block" id="${daFalta}">${rotulo}: ${falta}.</div>`}
  </fieldset>`;
}

/** Any of several. */
export function caixas(
  estado: EstadoDoFormulario,
  campo: DoCampo & {
    readonly opcoes: readonly (Opcao & { readonly dica?: Html | string; readonly fixa?: boolean })[];
    /** Whether one button marks all of them. */
    readonly todas?: boolean;
  },
): Html {
  const { nome, opcoes, todas } = campo;
  const marcadas = estado.digitado.get(nome) ?? [];
  return conjunto(
    estado,
    campo,
    html`${
        todas === true
          ? html`<button class="btn btn-sm mb-2 com-script" type="button" data-marca="${idDe(nome)}">
              Marcar ou desmarcar todos
            </button>`
          : null
      }
      <div class="caixas">
        ${opcoes.map(
          ({ valor, texto, dica: daOpcao, fixa }) =>
            html`<label class="form-check"
              ><input
                class="form-check-input"
                type="checkbox"
                name="${nome}"
                value="${valor}"
                ${marcadas.includes(valor) ? html`checked` : null}
                ${fixa === true ? html`disabled` : null}
              />
              <span class="form-check-label">${texto}</span
              >${daOpcao === undefined ? null : html`<span class="form-check-description">${daOpcao}</span>`}</label
            >`,
        )}
      </div>`,
  );
}
