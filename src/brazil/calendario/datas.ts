// Escrito à mão: a biblioteca soma dias em Date, no fuso do processo; aqui uma data não tem fuso.

declare const marca: unique symbol;

/** Data de calendário sem hora nem fuso, 'AAAA-MM-DD', anos 1000 a 9999. A ordem do texto é a ordem das datas. */
export type Data = string & { readonly [marca]: 'Data' };

const DIA_MS = 86_400_000;

/** Lê 'AAAA-MM-DD'; null se o texto tiver outra forma ou a data não existir no calendário (2026-02-30). */
export function lerData(texto: string): Data | null {
  return existe(texto) ? texto : null;
}

/**
 * A data `n` dias depois de `d` (antes, se negativo).
 * @throws {RangeError} se `n` não for inteiro ou o resultado sair dos anos 1000 a 9999.
 */
export function somarDias(d: Data, n: number): Data {
  if (!Number.isSafeInteger(n)) throw new RangeError(`dias precisam ser inteiros: ${n}`);
  const soma = deMs(emMs(d) + n * DIA_MS);
  if (!anoDeQuatroDigitos(soma)) throw new RangeError('data fora dos anos 1000 a 9999');
  return soma;
}

/** Dias corridos de `de` até `ate`; negativo se `ate` vier antes. */
export function diasEntre(de: Data, ate: Data): number {
  return (emMs(ate) - emMs(de)) / DIA_MS;
}

/** Dia da semana, 0 (domingo) a 6 (sábado). */
export function diaDaSemana(d: Data): number {
  return new Date(emMs(d)).getUTCDay();
}

/**
 * A data local em um fuso IANA no instante dado.
 * @throws {RangeError} se o fuso não existir, o instante for inválido ou o ano local sair de 1000 a 9999.
 */
export function hojeEm(fuso: string, instante: Date): Data {
  const texto = formatadorDe(fuso).format(instante);
  if (!anoDeQuatroDigitos(texto)) throw new RangeError('data fora dos anos 1000 a 9999');
  return texto;
}

/**
 * O primeiro instante do dia local. É 00:00, ou 01:00 onde o horário de verão pulou a meia-noite.
 * @throws {RangeError} se o fuso não existir, ou nos extremos 1000-01-01 e 9999-12-31.
 */
export function inicioDoDiaEm(fuso: string, d: Data): Date {
  return primeiroInstante(d, (local) => local >= d, fuso);
}

/**
 * O último instante do dia local, 23:59:59.999; onde o relógio voltou e essa hora ocorre duas vezes, a segunda.
 * @throws {RangeError} se o fuso não existir, ou nos extremos 1000-01-01 e 9999-12-31.
 */
export function fimDoDiaEm(fuso: string, d: Data): Date {
  return new Date(primeiroInstante(d, (local) => local > d, fuso).getTime() - 1);
}

/** Diz se o texto é um fuso IANA que este Node conhece ('America/Manaus'); deslocamentos como '-03:00' não são. */
export function fusoValido(fuso: string): boolean {
  // Node 22 aceita deslocamentos como fuso e Node 20 não: recusar nos dois.
  if (!/^[A-Za-z]/.test(fuso)) return false;
  try {
    formatadorDe(fuso);
    return true;
  } catch {
    return false;
  }
}

/**
 * Busca binária pelo primeiro instante cuja data local satisfaz `chegou`. A data local nunca retrocede nos fusos do
 * Brasil, e assim não é preciso conhecer as regras de horário de verão nem corrigir deslocamentos.
 */
function primeiroInstante(d: Data, chegou: (local: Data) => boolean, fuso: string): Date {
  // Nenhum fuso passou de 16 h de distância do UTC; o fim do dia fica mais 24 h adiante.
  let antes = emMs(d) - 16 * 3_600_000;
  let depois = emMs(d) + 40 * 3_600_000;
  while (depois - antes > 1) {
    const meio = Math.floor((antes + depois) / 2);
    if (chegou(hojeEm(fuso, new Date(meio)))) depois = meio;
    else antes = meio;
  }
  return new Date(depois);
}

const formatadores = new Map<string, Intl.DateTimeFormat>();

/** Construir um DateTimeFormat custa dezenas de microssegundos; formatar, menos de um. */
function formatadorDe(fuso: string): Intl.DateTimeFormat {
  const guardado = formatadores.get(fuso);
  if (guardado) return guardado;
  // O sueco escreve datas como AAAA-MM-DD.
  const novo = new Intl.DateTimeFormat('sv-SE', { timeZone: fuso, year: 'numeric', month: '2-digit', day: '2-digit' });
  formatadores.set(fuso, novo);
  return novo;
}

function existe(texto: string): texto is Data {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(texto)) return false;
  const ms = Date.parse(`${texto}T00:00:00Z`);
  // Ida e volta: o V8 lê 2026-02-30 como 2 de março.
  return !Number.isNaN(ms) && deMs(ms) === texto;
}

/** Um formatador e um Date só escrevem datas reais: basta o ano. `hojeEm` é chamado a cada requisição, `somarDias` a cada parcela. */
function anoDeQuatroDigitos(texto: string): texto is Data {
  return /^[1-9]\d{3}-/.test(texto);
}

function emMs(d: Data): number {
  return Date.parse(`${d}T00:00:00Z`);
}

function deMs(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
