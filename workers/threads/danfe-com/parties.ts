import type { Element } from './xml.ts';
import { cep, document, phone } from './writing.ts';

/** The lines of an address: street, then district, city and CEP. The country is not printed (MOC, Anexo II). */
export function addressLines(address: Element): string[] {
  const part = (name: string): string => address.text(name);
  const street = join(', ', part('xLgr'), part('nro'), part('xCpl'));
  const code = part('CEP') === '' ? '' : `CEP ${cep(part('CEP'))}`;
  const city = join(' - ', join('/', part('xMun'), part('UF')), code);
  return [street, join(' - ', part('xBairro'), city)].filter((line) => line !== '');
}

/** What names a party before the tax authority, with its kind in front. */
export function documents(party: Element): string[] {
  const named: readonly (readonly [tag: string, label: string])[] = [
    ['CNPJ', 'CNPJ'],
    ['CPF', 'CPF'],
    ['idOutros', 'DOCUMENTO'],
    ['IE', 'IE'],
    ['IM', 'IM'],
  ];
  return named.flatMap(([tag, label]) => {
    const value = party.text(tag);
    return value === '' ? [] : [`${label} ${tag === 'IE' || tag === 'IM' ? value : document(value)}`];
  });
}

/** How to reach a party, in one line. */
export function contacts(address: Element): string {
  const fone = address.text('fone');
  return join('  ·  ', fone === '' ? '' : `Fone ${phone(fone)}`, address.text('email'));
}

export const join = (separator: string, ...parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join(separator);
