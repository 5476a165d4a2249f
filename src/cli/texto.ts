/** Milliseconds as people say them: `0,3 s`, `12 s`, `4 min 05 s`, `2 h 10 min`, `3 d 4 h`. */
export function duracao(ms: number): string {
  const segundos = Math.max(0, ms) / 1000;
  if (segundos < 9.95) return `${numero(Math.round(segundos * 10) / 10)} s`;
  const inteiros = Math.round(segundos);
  if (inteiros < 60) return `${inteiros} s`;
  if (inteiros < 3600) return `${Math.floor(inteiros / 60)} min ${dois(inteiros % 60)} s`;
  const minutos = Math.floor(inteiros / 60);
  if (minutos < 24 * 60) return `${Math.floor(minutos / 60)} h ${dois(minutos % 60)} min`;
  return `${Math.floor(minutos / 1440)} d ${Math.floor((minutos % 1440) / 60)} h`;
}

const dois = (n: number): string => String(n).padStart(2, '0');

/** As it is written in Brazil: `1.234,5`. */
export const numero = (n: number): string => n.toLocaleString('pt-BR', { maximumFractionDigits: 1 });

export const contar = (n: number, um: string, muitos: string): string => `${numero(n)} ${n === 1 ? um : muitos}`;

/** What was changed, by the names of the fields that really were. */
export const oQueMudou = (campos: readonly string[]): string =>
  campos.length === 0 ? 'Nada mudou.' : `Mudou: ${campos.join(', ')}.`;

/** Lines whose columns begin below one another; the last one is as long as it likes. */
export function colunas(linhas: readonly (readonly string[])[]): string[] {
  const larguras = (linhas[0] ?? []).map((_, n) => Math.max(...linhas.map((linha) => linha[n]?.length ?? 0)));
  return linhas.map((linha) =>
    linha
      .map((celula, n) => celula.padEnd(larguras[n] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** What a job did, in its own words: `desfecho` and counts. */
export function resultado(feito: Readonly<Record<string, number | string>>): string {
  return Object.entries(feito)
    .map(([nome, valor]) => (typeof valor === 'number' ? `${nome} ${numero(valor)}` : `${nome} ${valor}`))
    .join(', ');
}
