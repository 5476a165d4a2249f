import { cpfCnpjValido } from './cpf-cnpj.ts';

const PARTICULAS = new Set(['da', 'de', 'do', 'das', 'dos', 'e']);

/** The first name and the initials of the others: `Maria S. S.`. A name of one word stays. */
export function mascararNome(nome: string): string {
  const [primeiro = '', ...demais] = nome.trim().split(/\s+/);
  const iniciais = demais
    .filter((palavra) => !PARTICULAS.has(dobrado(palavra)))
    .map((palavra) => `${inicial(palavra)}.`);
  return [primeiro, ...iniciais].join(' ');
}

/** Of a CPF or CNPJ the seventh to ninth character alone: `******247**`. */
export const mascararDocumento = (documento: string): string =>
  documento.replace(/./gsu, (c, n: number) => (n >= 6 && n <= 8 ? c : '*'));

/** The last four digits alone: `*******0001`. */
export const mascararTelefone = (telefone: string): string => telefone.replace(/.(?=.{4})/gsu, '*');

/** `m***@d***.com` */
export function mascararEmail(email: string): string {
  const [, usuario = '', dominio = '', fim = ''] = /^(.).*@(.).*?(?:\.([^.@]*))?$/su.exec(email) ?? [];
  return usuario === '' ? '***' : `${usuario}***@${dominio}***${fim === '' ? '' : `.${fim}`}`;
}

/** What is known of a person, and must not be read in free text. */
export interface Conhecido {
  readonly nomes: readonly string[];
  /** CPF, CNPJ, phones and CEPs: whatever stands between their digits. */
  readonly documentos: readonly string[];
  readonly telefones: readonly string[];
  readonly ceps: readonly string[];
  readonly emails: readonly string[];
  readonly logradouros: readonly string[];
  readonly logins: readonly string[];
  readonly enderecosDeRede: readonly string[];
  /** Calendar dates. */
  readonly nascimentos: readonly string[];
}

const EMAIL = /[^\s@<>()[\]"',;:]+@[^\s@<>()[\]"',;:]+\.[\p{L}]{2,}/gu;
/** What people, phones and word processors put between the digits of a number: whatever dash, and what cannot be seen, too. */
const ENTRE = String.raw`[\s./\p{Pd}\u2212\p{Cf}]{0,3}`;
const NO_TELEFONE = String.raw`[\s.\p{Pd}\u2212\p{Cf}]`;
const CNPJ = new RegExp(
  String.raw`(?<![0-9a-z])${['[0-9a-z]{2}', '[0-9a-z]{3}', '[0-9a-z]{3}', '[0-9a-z]{4}', String.raw`\d{2}`].join(ENTRE)}(?![0-9a-z])`,
  'giu',
);
const CPF = new RegExp(String.raw`(?<!\d)\d{3}${ENTRE}\d{3}${ENTRE}\d{3}${ENTRE}\d{2}(?!\d)`, 'gu');
const DDI = String.raw`(?:\+?55${NO_TELEFONE}*)?`;
const DDD = String.raw`\(?0?\d{2}\)?${NO_TELEFONE}*`;
const TELEFONE = new RegExp(
  String.raw`(?<!\d)${DDI}(?:(?:${DDD})?(?:9${NO_TELEFONE}?)?\d{4}${NO_TELEFONE}{0,3}\d{4}|${DDD}9${NO_TELEFONE}?\d{4}${NO_TELEFONE}{0,3}\d{2}${NO_TELEFONE}{1,3}\d{2})(?!\d)`,
  'gu',
);
/** Ours; see `POST /atendimentos`. */
const PROTOCOLO = /^20\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{6}$/;
const TIPO_DE_LOGRADOURO =
  '(?:rua|r|avenida|av|aven|travessa|trav|tv|alameda|al|estrada|estr|est|rodovia|rod|praca|pca|largo|lgo|beco|vila|via)';

/**
 * A function that takes out of a text what is known of a person, whatever its case and accents, and everything that has the form of a
 * document, a phone or an e-mail address, whoever's it is. What stands in place of it says what kind it was.
 */
export function ocultador(conhecido: Conhecido | null): (texto: string) => string {
  const regras = conhecido === null ? [] : regrasDe(conhecido);
  const nomes = (conhecido?.nomes ?? []).map((nome) => partesDoNome(nome)).filter(({ palavras }) => palavras.size > 1);
  return (texto) => {
    let dito = lido(comuns(texto).replace(EMAIL, '[e-mail]'));
    for (const [regra, troca] of regras) dito = trocar(dito, regra, troca);
    for (const nome of nomes) dito = ocultarNome(dito, nome);
    const semCnpj = trocarOQueE(dito.texto, CNPJ, pareceCnpj);
    return trocarOQueE(semCnpj, CPF, pareceCpf).replace(TELEFONE, '[telefone]');
  };
}

/** Digits and signs of full width, and digits of other letterings, as everybody writes them. */
const comuns = (texto: string): string =>
  texto.normalize('NFC').replace(/[\uFF01-\uFF5E\p{Nd}]/gu, (c) => c.normalize('NFKC'));

/** Takes out what has the form of a document and is one; what is none may have the beginning of one in it. */
function trocarOQueE(texto: string, forma: RegExp, parece: (achado: string) => boolean): string {
  let dito = '';
  let ate = 0;
  forma.lastIndex = 0;
  for (let achado = forma.exec(texto); achado !== null; achado = forma.exec(texto)) {
    if (!parece(achado[0])) {
      forma.lastIndex = achado.index + 1;
      continue;
    }
    dito += `${texto.slice(ate, achado.index)}[documento]`;
    ate = forma.lastIndex;
  }
  return dito + texto.slice(ate);
}

/** An address of a network has the form, too. */
function pareceCpf(achado: string): boolean {
  const partes = achado.split('.');
  const deRede = partes.length === 4 && partes.every((parte) => /^\d{1,3}$/.test(parte) && Number(parte) <= 255);
  return !deRede || cpfCnpjValido(partes.join(''));
}

/** A word of fourteen letters is no document, and neither is one of our protocols, unless its check digits say so. */
function pareceCnpj(achado: string): boolean {
  const limpo = achado.replace(/[^0-9a-z]/gi, '').toUpperCase();
  if (achado === limpo && PROTOCOLO.test(limpo)) return cpfCnpjValido(limpo);
  return (limpo.match(/\d/g) ?? []).length >= 8 || cpfCnpjValido(limpo);
}

/** In lower case and without accents, of the same length: what is found in it is found there in the text. */
const dobrado = (texto: string): string =>
  texto
    .replace(/[^\0-\x7F]/g, (c) => c.normalize('NFD').charAt(0).toLowerCase().charAt(0) || c)
    .replace(/[A-Z]+/g, (letras) => letras.toLowerCase());

const inicial = (palavra: string): string => (palavra.match(/[\p{L}\p{N}]/u)?.[0] ?? palavra).toUpperCase();
const literal = (texto: string): string => texto.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
const palavrasDe = (texto: string): string[] => dobrado(texto.normalize('NFC')).match(/[\p{L}\p{N}]+/gu) ?? [];
const SOLTO = String.raw`[^\p{L}\p{N}]{0,3}`;
const inteiro = (padrao: string): RegExp => new RegExp(String.raw`(?<![\p{L}\p{N}])${padrao}(?![\p{L}\p{N}])`, 'gu');

/** The characters of a value in their order, with little between them. */
const espalhado = (valor: string): string => Array.from(dobrado(valor), literal).join(SOLTO);

type Regra = readonly [padrao: RegExp, troca: string];

/** Patterns for the folded text. */
function regrasDe(conhecido: Conhecido): Regra[] {
  const { documentos, telefones, ceps, emails, logradouros, logins, enderecosDeRede, nascimentos } = conhecido;
  const com = (valores: readonly string[], troca: string, padrao: (valor: string) => string): Regra[] =>
    [...new Set(valores)].filter((valor) => valor.length > 2).map((valor) => [inteiro(padrao(valor)), troca]);
  return [
    ...com(emails, '[e-mail]', (valor) => literal(dobrado(valor))),
    ...com(logins, '[login]', (valor) => literal(dobrado(valor))),
    ...com(enderecosDeRede, '[rede]', (valor) =>
      /^[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}$/i.test(valor)
        ? espalhado(valor.replace(/[:-]/g, ''))
        : literal(dobrado(valor)),
    ),
    ...com(logradouros, '[endereço]', (valor) => padraoDoLogradouro(palavrasDe(valor))),
    ...com(documentos, '[documento]', espalhado),
    ...com(
      telefones,
      '[telefone]',
      (valor) => String.raw`(?:[+(]?\d{1,3}[)\s.-]{0,3}){0,3}${espalhado(valor.slice(-8))}`,
    ),
    ...com(ceps, '[CEP]', espalhado),
    ...com(nascimentos, '[nascimento]', padraoDaData),
  ];
}

/** A street by its words, with the number behind it; without what kind of street it is where another kind stands before it. */
function padraoDoLogradouro(palavras: readonly string[]): string {
  const entre = String.raw`[^\p{L}\p{N}]+`;
  const [primeira = '', ...resto] = palavras;
  const inteira = palavras.map(literal).join(entre);
  const comTipo = new RegExp(`^${TIPO_DE_LOGRADOURO}$`).test(primeira) && resto.length > 0;
  const nome = comTipo
    ? String.raw`(?:${inteira}|${TIPO_DE_LOGRADOURO}\.?${entre}${resto.map(literal).join(entre)})`
    : inteira;
  const semTipo = comTipo && resto.join('').length >= 8 ? `(?:${nome}|${resto.map(literal).join(entre)})` : nome;
  return String.raw`${semTipo}(?:[\s,.-]*(?:n[º°o.]{0,2}|numero)?\s*\d{1,6})?`;
}

function padraoDaData(data: string): string {
  const [ano = '', mes = '', dia = ''] = data.split('-');
  const entre = String.raw`[\s/.\p{Pd}]{1,3}`;
  const solto = (parte: string): string => parte.replace(/^0/, '0?');
  return `(?:${ano}${entre}${mes}${entre}${dia}|${solto(dia)}${entre}${solto(mes)}${entre}(?:${ano}|${ano.slice(2)})|${dia}${mes}${ano})`;
}

/** A text, and beside it its folded form, of the same length. */
interface Lido {
  readonly texto: string;
  readonly baixo: string;
}

const lido = (texto: string): Lido => ({ texto, baixo: dobrado(texto) });

/** Replaces in a text what a pattern finds in its folded form. */
function trocar({ texto, baixo }: Lido, padrao: RegExp, troca: string): Lido {
  let dito = '';
  let ate = 0;
  for (const { 0: achado, index } of baixo.matchAll(padrao)) {
    dito += texto.slice(ate, index) + troca;
    ate = index + achado.length;
  }
  return ate === 0 ? { texto, baixo } : lido(dito + texto.slice(ate));
}

/** More words than a name with its particles has, said once. */
const MAIS_PALAVRAS = 40;

interface PartesDoNome {
  readonly primeiro: string;
  /** Without particles. */
  readonly palavras: ReadonlySet<string>;
}

function partesDoNome(nome: string): PartesDoNome {
  const palavras = palavrasDe(nome).filter((palavra) => !PARTICULAS.has(palavra));
  return { primeiro: palavras[0] ?? '', palavras: new Set(palavras) };
}

/** Two words of a name that follow each other are the person; one alone may be anybody, or a word. */
function ocultarNome({ texto, baixo }: Lido, { primeiro, palavras }: PartesDoNome): Lido {
  const achadas = [...baixo.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: palavra, index }) => ({
    palavra,
    index,
    fim: index + palavra.length,
  }));
  let dito = '';
  let ate = 0;
  for (let n = 0; n < achadas.length; n += 1) {
    const partes: typeof achadas = [];
    let anterior = achadas[n]?.index ?? 0;
    for (const uma of achadas.slice(n, n + MAIS_PALAVRAS)) {
      if (uma.index - anterior > 3) break;
      if (palavras.has(uma.palavra)) partes.push(uma);
      else if (partes.length === 0 || !PARTICULAS.has(uma.palavra)) break;
      anterior = uma.fim;
    }
    const [primeira] = partes;
    const ultima = partes.at(-1);
    if (primeira === undefined || ultima === undefined || partes.length < 2) continue;
    const trocas = partes.map(({ palavra, index, fim }) =>
      palavra === primeiro ? texto.slice(index, fim) : `${inicial(palavra)}.`,
    );
    dito += texto.slice(ate, primeira.index) + trocas.join(' ');
    ate = ultima.fim;
    n = achadas.indexOf(ultima);
  }
  return ate === 0 ? { texto, baixo } : lido(dito + texto.slice(ate));
}
