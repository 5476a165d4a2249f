import { emCsv, emWindows1252, faturaDoIxc, linhaDoIxc, numeros } from '../../test/support/importacao.ts';

/** Exports of so many subscribers, as IXC writes them: a contract and an open invoice each. Logins are of nobody else's. */
export function exportsOf(count: number, round: number): { clients: Buffer; invoices: Buffer } {
  const login = (n: number): { login: string } => ({ login: `a${round}.${n}@bancada` });
  return {
    clients: emWindows1252(emCsv(numeros(count).map((n) => linhaDoIxc(n, login(n))))),
    invoices: emWindows1252(emCsv(numeros(count).map((n) => faturaDoIxc(n)))),
  };
}
