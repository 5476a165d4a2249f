import type { Page } from 'playwright-core';

/** A control of a form, as a browser has it. */
export interface Controle {
  readonly nome: string;
  /** `text`, `checkbox`, `hidden`, `select-one`, `textarea`… */
  readonly tipo: string;
  /** Which keys a phone shows for it. */
  readonly teclado: string;
  /** What the browser would send of it; null where that is nothing. */
  readonly enviado: string | null;
  /** What can be chosen. */
  readonly opcoes: readonly string[];
  readonly fixo: boolean;
  /** Whether what describes it, or the group that it is of, is there and says something wrong. */
  readonly falta: boolean;
}

/** What a page says of one form. */
export interface Lida {
  readonly controles: readonly Controle[];
  /** Fields that the summary of faults leads to, by their names. */
  readonly acusados: readonly string[];
  /** Where the summary leads to that is not on the page. */
  readonly perdidos: readonly string[];
  /** What the summary says in other words than the field does. */
  readonly trocados: readonly string[];
  readonly recusa: string | null;
}

/** Reads the form of an address out of a page, as a browser has it; null where the page has none. */
const LER = `(([pagina, action]) => {
  const doc = new DOMParser().parseFromString(pagina, 'text/html');
  const formas = [...doc.querySelectorAll('form[method=post]')].filter((um) => (um.getAttribute('action') ?? '').split('?')[0] === action);
  if (formas.length === 0) return null;
  const dos = formas.flatMap((forma) => [...forma.elements]).filter((um) => um.name && um.tagName !== 'BUTTON');
  const describe = (um) => um.getAttribute('aria-describedby')?.split(' ').map((id) => doc.getElementById(id)) ?? [];
  const dita = (um) => describe(um).some((dito) => dito?.classList.contains('invalid-feedback') && dito.textContent.trim() !== '');
  const links = [...doc.querySelectorAll('[data-faltas] a')].map((um) => um.getAttribute('href').slice(1));
  const grupos = (um) => {
    const acima = um.parentElement?.closest('fieldset') ?? null;
    return acima === null ? [] : [acima, ...grupos(acima)];
  };
  // Of a group, all that it has.
  const nomesDe = (id) => {
    const alvo = doc.getElementById(id);
    return alvo === null ? [] : [alvo, ...alvo.querySelectorAll('[name]')].map(({ name }) => name).filter(Boolean);
  };
  return {
    controles: dos.map((um) => ({
      nome: um.name,
      tipo: um.type,
      teclado: um.getAttribute('inputmode') ?? '',
      enviado: um.type === 'checkbox' || um.type === 'radio' ? (um.checked ? um.value : null) : um.value,
      opcoes: um.tagName === 'SELECT' ? [...um.options].map(({ value }) => value) : um.type === 'checkbox' || um.type === 'radio' ? [um.value] : [],
      fixo: um.disabled || um.readOnly === true,
      falta: dita(um) || grupos(um).some(dita),
    })),
    acusados: links.flatMap(nomesDe),
    // The summary says of a field what is said beside it, after the group that it is of.
    trocados: [...doc.querySelectorAll('[data-faltas] a')].flatMap((link) => {
      const alvo = doc.getElementById(link.getAttribute('href').slice(1));
      const ditos = alvo === null ? [] : describe(alvo).filter((dito) => dito?.classList.contains('invalid-feedback'));
      return ditos.length === 0 || ditos.some((dito) => link.textContent.trim().endsWith(dito.textContent.trim())) ? [] : [link.textContent + ' / ' + ditos[0].textContent];
    }),
    perdidos: links.filter((id) => doc.getElementById(id) === null),
    recusa: doc.querySelector('[data-faltas] p')?.textContent.trim() ?? null,
  };
})`;

/** The form of an address in a page, read by any page of a browser; null where it has none. */
export const lerFormulario = async (leitor: Page, pagina: string, action: string): Promise<Lida | null> =>
  leitor.evaluate<Lida | null>(`${LER}(${JSON.stringify([pagina, action])})`);
