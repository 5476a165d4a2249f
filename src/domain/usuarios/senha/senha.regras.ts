import { PALAVRAS_COMUNS } from './comuns.ts';

const MAIOR_SENHA = 128;

/** Whose passwords they are: a subscriber opens what is his, staff what is everybody's. */
const EXIGENCIAS = {
  equipe: { menor: 12, digitosContam: false, propria: 'é feita do seu nome, do seu e-mail ou do nome do provedor' },
  assinante: { menor: 8, digitosContam: true, propria: 'é feita de dados seus ou do nome do provedor' },
} as const;
export type TipoDeSenha = keyof typeof EXIGENCIAS;

/** What a password is compared with: whoever knows somebody tries these first. */
export interface DeQuem {
  readonly nome: string;
  readonly email: string;
  readonly provedor: string;
  /** Digits of a document, of phones, and of a date of birth (`AAAA-MM-DD`). */
  readonly numeros?: readonly string[];
}

/** What has to be left of a password once everything was taken away that many would try. */
const MENOR_RESTO = 5;
/** Shorter parts of a number stand in any other. */
const MENOR_NUMERO = 4;
/** Shorter parts of a name stand in any word. */
const MENOR_PARTE = 3;
const MENOR_SEQUENCIA = 3;

/** Rows of keyboards, and what is counted or spelled; each is also looked for backwards. */
const FILEIRAS = ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'abcdefghijklmnopqrstuvwxyz', '0123456789'];
const COLUNAS = [
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '1qaz',
  '2wsx',
  '3edc',
  '4rfv',
  '5tgb',
  '6yhn',
  '7ujm',
];
const SEQUENCIAS = [...FILEIRAS, ...COLUNAS].flatMap((fileira) => [fileira, Array.from(fileira).toReversed().join('')]);

const TROCAS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

export const DAS_PRIMEIRAS = 'é das que todos tentam primeiro; junte palavras que nada tenham umas com as outras';

/** One form of what can be typed in several: the one that is hashed. */
export const normalizarSenha = (senha: string): string => senha.normalize('NFC');

const dobrar = (texto: string): string => texto.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const trocado = (texto: string): string => texto.replace(/[013457@$!]/g, (sinal) => TROCAS[sinal] ?? sinal);

const soLetras = (texto: string): string => texto.replace(/[^\p{L}\p{N}]/gu, '');

/** Why a password is refused, in words that follow the field's name; null where it is good. */
export function julgarSenha(senha: string, deQuem: DeQuem, tipo: TipoDeSenha = 'equipe'): string | null {
  const { nome, email, provedor, numeros = [] } = deQuem;
  const { menor, digitosContam, propria } = EXIGENCIAS[tipo];
  const tamanho = Array.from(senha.normalize('NFC')).length;
  if (tamanho < menor) return `deve ter no mínimo ${menor} caracteres`;
  if (tamanho > MAIOR_SENHA) return `deve ter no máximo ${MAIOR_SENHA} caracteres`;
  const dobrada = dobrar(senha);
  if (semRepeticoes(dobrada).length < MENOR_RESTO) return 'repete sempre o mesmo';
  if (semSequencias(dobrada).length < MENOR_RESTO) return 'segue a ordem das teclas ou do alfabeto';
  const proprias = [...partesDe(`${nome} ${email} ${provedor}`), ...numeros.flatMap(partesDoNumero)];
  if (resto(dobrada, proprias, digitosContam).length < MENOR_RESTO) return propria;
  if (resto(dobrada, [...proprias, ...PALAVRAS_COMUNS], digitosContam).length < MENOR_RESTO) return DAS_PRIMEIRAS;
  return null;
}

/** Every part of a number that is long enough to be known by, and the ways in which a date is written. */
function partesDoNumero(numero: string): string[] {
  const data = /^(\d{2}(\d{2}))-(\d{2})-(\d{2})$/.exec(numero);
  if (data !== null) {
    const [, ano = '', curto = '', mes = '', dia = ''] = data;
    return [`${dia}${mes}${ano}`, `${ano}${mes}${dia}`, `${dia}${mes}${curto}`, `${dia}${mes}`, ano];
  }
  const digitos = dobrar(numero).replace(/[^a-z\d]/g, '');
  const partes: string[] = [];
  for (let de = 0; de + MENOR_NUMERO <= digitos.length; de += 1) {
    for (let ate = de + MENOR_NUMERO; ate <= digitos.length; ate += 1) partes.push(digitos.slice(de, ate));
  }
  return partes;
}

function partesDe(texto: string): string[] {
  const partes = dobrar(texto).split(/[^\p{L}\p{N}]+/u);
  return partes.filter(({ length }) => length >= MENOR_PARTE);
}

/** The shorter of two readings: digits as they are, and as letters that they look like. */
function resto(dobrada: string, palavras: readonly string[], digitosContam: boolean): string {
  const lidas = [dobrada, trocado(dobrada)].map((texto) => {
    const ordem = palavras.toSorted((a, b) => b.length - a.length);
    let sobra = soLetras(texto);
    // A space in its place: the ends of what goes must not become a word together.
    for (const palavra of ordem) sobra = sobra.replaceAll(palavra, ' ');
    const inteira = semSequencias(sobra);
    return semRepeticoes(digitosContam ? inteira : inteira.replace(/\d+/g, ''));
  });
  return lidas.toSorted((a, b) => a.length - b.length)[0] ?? '';
}

function semSequencias(texto: string): string {
  let sobra = soLetras(texto);
  for (const sequencia of SEQUENCIAS) {
    for (let tamanho = sequencia.length; tamanho >= MENOR_SEQUENCIA; tamanho -= 1) {
      for (let i = 0; i + tamanho <= sequencia.length; i += 1) {
        sobra = sobra.replaceAll(sequencia.slice(i, i + tamanho), ' ');
      }
    }
  }
  return sobra.replaceAll(' ', '');
}

/** Of a block that comes again and again, once; of a password of few characters, these. */
function semRepeticoes(texto: string): string {
  const junto = texto.replaceAll(' ', '').replace(/(.+?)\1+/gsu, '$1');
  return new Set(junto).size < MENOR_RESTO ? [...new Set(junto)].join('') : junto;
}
