import { isIPv4, isIPv6 } from 'node:net';
import { lerData } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { centavos, escreverDinheiro, lerDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { cpfCnpjValido, normalizarCpfCnpj } from '../../brazil/pessoa/cpf-cnpj.ts';
import { emailValido, limparDigitado, temCaractereProibido } from '../../brazil/pessoa/digitado.ts';
import { UFS, normalizarCep } from '../../brazil/pessoa/endereco.ts';
import { lerTelefone } from '../../brazil/pessoa/telefone.ts';
import { bem, mal, malEm } from './campos.ts';
import type { Leitor } from './campos.ts';

/** Half of a surrogate pair is no character, and cannot be stored. */
const PAR_PARTIDO = /\p{Surrogate}/u;

const MAIOR_ID = Number.MAX_SAFE_INTEGER;

/** One line of text, without what nobody sees at its ends; its length is counted in code points. */
export function texto(minimo: number, maximo: number): Leitor<string> {
  return (valor) => {
    if (typeof valor !== 'string') return mal('deve ser um texto');
    if (PAR_PARTIDO.test(valor)) return mal('tem caracteres que não podem ser usados');
    const limpo = limparDigitado(valor);
    const tamanho = Array.from(limpo).length;
    if (temCaractereProibido(limpo)) return mal('tem caracteres que não podem ser usados');
    if (tamanho < minimo) {
      return mal(minimo === 1 ? 'não pode ser vazio' : `deve ter no mínimo ${minimo} caracteres`);
    }
    return tamanho > maximo ? mal(`deve ter no máximo ${maximo} caracteres`) : bem(limpo);
  };
}

/** Null, or what another reader reads; an empty text is null, as forms send it. */
export const ouNulo =
  <T>(ler: Leitor<T>): Leitor<T | null> =>
  (valor) =>
    valor === null || (typeof valor === 'string' && limparDigitado(valor) === '') ? bem(null) : ler(valor);

/** A text that another program makes a value of, null where it cannot. */
function lido<T>(ler: (limpo: string) => T | null, errado: string): Leitor<T> {
  return (valor) => {
    if (typeof valor !== 'string') return mal('deve ser um texto');
    const feito = ler(limparDigitado(valor));
    return feito === null ? mal(errado) : bem(feito);
  };
}

/** A CPF or CNPJ without punctuation, whose check digits are right. */
export const documento: Leitor<string> = (valor) => {
  if (typeof valor !== 'string') return mal('deve ser um texto', 'cpf_cnpj_invalido');
  const normalizado = normalizarCpfCnpj(limparDigitado(valor));
  if (normalizado === null) return mal('informe um CPF (11 dígitos) ou CNPJ (14 posições)', 'cpf_cnpj_invalido');
  if (cpfCnpjValido(normalizado)) return bem(normalizado);
  return mal('os dígitos verificadores não conferem', 'cpf_cnpj_invalido');
};

/** The same of a person alone. */
export const cpf: Leitor<string> = (valor) => {
  const achado = documento(valor);
  return 'valor' in achado && achado.valor.length !== 11
    ? mal('informe um CPF, de 11 dígitos', 'cpf_cnpj_invalido')
    : achado;
};

/** Digits with area code, without the country's 55. */
export const telefone: Leitor<string> = (valor) => {
  const numero = typeof valor === 'string' ? lerTelefone(limparDigitado(valor)) : null;
  return numero === null ? mal('informe DDD e número, como 35999990001', 'telefone_invalido') : bem(numero);
};

/** A list of up to so many; what comes twice is there once. */
export function lista<T extends string | number>(ler: Leitor<T>, minimo: number, maximo: number): Leitor<readonly T[]> {
  return (valor) => {
    if (!Array.isArray(valor)) return mal('deve ser uma lista');
    const itens: T[] = [];
    for (const [n, dado] of valor.entries()) {
      const item = ler(dado);
      if ('faltas' in item) return malEm(String(n), item.faltas);
      if (!itens.includes(item.valor)) itens.push(item.valor);
      if (itens.length > maximo) return mal(`deve ter no máximo ${maximo}`);
    }
    return itens.length < minimo ? mal(`deve ter no mínimo ${minimo}`) : bem(itens);
  };
}

export const email: Leitor<string> = (valor) => {
  const limpo = texto(3, 254)(valor);
  if ('faltas' in limpo) return limpo;
  return emailValido(limpo.valor) ? limpo : mal('deve ser um e-mail como nome@exemplo.com.br');
};

/** A calendar date, `AAAA-MM-DD`. */
export const data: Leitor<Data> = lido(lerData, 'deve ser uma data que exista, na forma AAAA-MM-DD');

/** The most that a plan, a contract or an item of one costs in a month, in centavos: whoever types more has mistyped it. */
export const MAIOR_PRECO = 100_000_000;

/** Reais above nothing, as a decimal text or a number of at most two places; `zero`: nothing, too. `maximo`: in centavos. */
export function dinheiro({
  zero = false,
  maximo = Infinity,
}: { readonly zero?: boolean; readonly maximo?: number } = {}): Leitor<Centavos> {
  return (valor) => {
    const escrito = typeof valor === 'number' ? String(valor) : valor;
    if (typeof escrito !== 'string' || !/^\d{1,10}(?:\.\d{1,2})?$/.test(escrito)) {
      return mal('deve ser um valor em reais, como 99.90');
    }
    const lidos = lerDinheiro(escrito);
    if (lidos > maximo) return mal(`deve ser no máximo ${escreverDinheiro(centavos(maximo))}`);
    return lidos > 0 || zero ? bem(lidos) : mal('deve ser maior que zero');
  };
}

/** What a plan or a contract costs in a month; nothing, too. */
export const preco: Leitor<Centavos> = dinheiro({ zero: true, maximo: MAIOR_PRECO });

/** A whole number, as a number or a decimal text. */
export function inteiro(minimo: number, maximo: number): Leitor<number> {
  return (valor) => {
    const numero = typeof valor === 'string' && /^\d{1,16}$/.test(valor) ? Number(valor) : valor;
    if (typeof numero !== 'number' || !Number.isSafeInteger(numero)) return mal('deve ser um número inteiro');
    return numero < minimo || numero > maximo ? mal(`deve ser de ${minimo} a ${maximo}`) : bem(numero);
  };
}

export const id: Leitor<number> = inteiro(1, MAIOR_ID);

export const simOuNao: Leitor<boolean> = (valor) =>
  typeof valor === 'boolean' ? bem(valor) : mal('deve ser verdadeiro ou falso');

/** One of some words. */
export function escolha<const Palavra extends string>(palavras: readonly Palavra[]): Leitor<Palavra> {
  return (valor) => {
    const palavra = palavras.find((uma) => uma === valor);
    return palavra === undefined ? mal(`deve ser um de: ${palavras.join(', ')}`) : bem(palavra);
  };
}

export const cep: Leitor<string> = lido(normalizarCep, 'deve ter 8 dígitos, como 37130001');

export const uf: Leitor<string> = lido((limpo) => {
  const maiuscula = limpo.toUpperCase();
  return UFS.includes(maiuscula) ? maiuscula : null;
}, 'deve ser uma unidade da federação, como MG');

/** Six bytes in lower case, with colons, however they were separated. */
export const mac: Leitor<string> = lido((limpo) => {
  const digitos = limpo.replace(/[-:. ]/g, '').toLowerCase();
  return /^[\da-f]{12}$/.test(digitos) ? (digitos.match(/../g) ?? []).join(':') : null;
}, 'deve ser um MAC, como 00:1a:2b:3c:4d:5e');

export const ipv4: Leitor<string> = lido(
  (limpo) => (isIPv4(limpo) ? limpo : null),
  'deve ser um IPv4, como 100.64.3.9',
);

/** Eight groups of four digits, and the bits. */
const MAIOR_PREFIXO = '0000:0000:0000:0000:0000:0000:0000:0000/128'.length;

/** A delegated prefix: its address and how many of its bits. */
export const prefixoIpv6: Leitor<string> = lido((limpo) => {
  const [endereco = '', bits = '', resto] = limpo.toLowerCase().split('/');
  const tamanho = /^\d{1,3}$/.test(bits) ? Number(bits) : NaN;
  const prefixo = `${endereco}/${tamanho}`;
  // An address that ends in an IPv4 is longer than the column.
  const cabe = prefixo.length <= MAIOR_PREFIXO && tamanho >= 1 && tamanho <= 128;
  return resto === undefined && isIPv6(endereco) && !endereco.includes('%') && cabe ? prefixo : null;
}, 'deve ser um prefixo IPv6, como 2001:db8:100::/56');

/** What a NAS sends as User-Name: without spaces, accents or quotes, which FreeRADIUS writes otherwise. */
export const loginExistente: Leitor<string> = lido(
  (limpo) => (/^[\w.@+:/#-]{1,64}$/.test(limpo) ? limpo : null),
  'deve ter de 1 a 64 letras sem acento, números e . _ - @ + : / #',
);

/**
 * What stock FreeRADIUS puts into its queries as it is (`safe_characters` in its `queries.conf`), but for spaces; by whatever has more it
 * finds nobody: `olt1#3` is looked up as `olt1=233`.
 */
const loginSemEscape: Leitor<string> = lido(
  (limpo) => (/^[\w.@:/-]{1,64}$/.test(limpo) ? limpo : null),
  'deve ter de 1 a 64 letras sem acento, números e . _ - @ : /',
);

/** One that is given out: stock FreeRADIUS looks it up as it is written, and refuses nothing of it before. */
export const login: Leitor<string> = (valor) => {
  const escrito = loginSemEscape(valor);
  if ('faltas' in escrito || passaPeloFiltro(escrito.valor)) return escrito;
  return mal('o FreeRADIUS recusa este: um só @, com um domínio que tenha ponto; nem dois pontos seguidos, nem no fim');
};

/** Whether stock FreeRADIUS looks up anybody of the name at all (`filter_username` in `policy.d/filter`, which wants no white space either). */
export const passaPeloFiltro = (nome: string): boolean =>
  !/@[^@]*@|\.\.|\.$|@\./.test(nome) && (!nome.includes('@') || /@.+\..+$/.test(nome));

/**
 * Whether FreeRADIUS compares a password as it is. Of a value wholly between quotes it takes these off, and what is between backticks it
 * executes (`sql_fr_pair_list_afrom_str` of rlm_sql); a backslash at the end it takes for the escape of what would follow.
 */
export const valeComoEsta = (senha: string): boolean => !/^(['"`]).*\1$/su.test(senha) && !senha.endsWith('\\');

export const NAO_VALE_COMO_ESTA =
  'não pode ir de aspas a aspas, nem acabar em barra invertida: o FreeRADIUS a leria de outro modo';

/** A password of a line, in what every NAS can send. */
export const senhaDaLinha: Leitor<string> = (valor) => {
  if (typeof valor !== 'string' || !/^[\x21-\x7e]{4,64}$/.test(valor)) {
    return mal('deve ter de 4 a 64 letras sem acento, números e sinais, sem espaços');
  }
  return valeComoEsta(valor) ? bem(valor) : mal(NAO_VALE_COMO_ESTA);
};

/** A name in another system, as `ixc:123`. */
export const codigoExterno: Leitor<string> = lido(
  (limpo) => (/^[\x21-\x7e]{1,80}$/.test(limpo) ? limpo : null),
  'deve ter de 1 a 80 letras sem acento, números e sinais, sem espaços',
);

/** What another reader takes, or the JSON of it, as the terminal and the panel send it. */
export const deJson =
  <T>(ler: Leitor<T>): Leitor<T> =>
  (valor) => {
    if (typeof valor !== 'string') return ler(valor);
    try {
      return ler(JSON.parse(valor));
    } catch {
      return mal('não é JSON');
    }
  };
