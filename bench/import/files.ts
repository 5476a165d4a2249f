import { emCsv, emWindows1252, faturaDoIxc, linhaDoIxc, numeros } from '../../test/support/importacao.ts';

/** Exports of so many subscribers, as IXC writes them: a contract and an open invoice each. Logins are those of no other provider. */
export function exportsOf(count: number, provider: number): { clients: Buffer; invoices: Buffer } {
  const login = (n: number): { login: string } => ({ login: `p${provider}.${n}@bancada` });
  return {
    clients: emWindows1252(emCsv(numeros(count).map((n) => linhaDoIxc(n, login(n))))),
    invoices: emWindows1252(emCsv(numeros(count).map((n) => faturaDoIxc(n)))),
  };
}
