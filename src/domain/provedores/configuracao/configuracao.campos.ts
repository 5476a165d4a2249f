import { bem, mal, opcional } from '../../campos/campos.ts';
import type { Campo as CampoDaForma, Leitor } from '../../campos/campos.ts';
import { ouNulo, simOuNao } from '../../campos/leitores.ts';
import { EntradaInvalida } from '../../erros.ts';
import { LEITURAS, lerTexto } from './configuracao.regras.ts';
import type { Campo, CampoDigitado, Mudancas } from './configuracao.regras.ts';
import { lerLogo } from './logo.regras.ts';

/** What the provider is, and how it shows itself. */
const DA_IDENTIDADE = [
  'nome',
  'fuso',
  'cnpj',
  'razaoSocial',
  'cep',
  'logradouro',
  'numero',
  'complemento',
  'bairro',
  'cidade',
  'uf',
  'cor',
  'telefone',
  'whatsapp',
  'email',
  'site',
] as const satisfies readonly CampoDigitado[];

/** How it charges, and who receives: its default account. */
const DA_COBRANCA = [
  'multa',
  'juros',
  'carencia',
  'toleranciaPix',
  'excedenteCredito',
  'avisoDias',
  'desbloqueio',
  'desbloqueioDias',
  'promessaDias',
  'pixChave',
  'pixNome',
  'pixCidade',
  'banco',
  'agenciaCodigo',
  'carteira',
] as const satisfies readonly CampoDigitado[];

/** How much a key with restrictions may find out. */
const DAS_BUSCAS = ['buscasEmVaoPorHora', 'clientesPorHora'] as const satisfies readonly CampoDigitado[];

/** The name of a field in a form: `pixChave` is `pix_chave`. */
export const nomeNaForma = (campo: Campo): string => campo.replaceAll(/[A-Z]/g, (letra) => `_${letra.toLowerCase()}`);

/** In words of a page, which has a box to tick instead of an option. */
const PEDE: Readonly<Partial<Record<CampoDigitado, string>>> = {
  juros: 'um percentual ao mês de 0 a 1,00, ou até 2,00 se for confirmado, com até duas casas',
};

/** Judges a value as the terminal does, and gives it as it was written; a form may send a number, or a tick. */
function digitado(campo: CampoDigitado): Leitor<string> {
  return (valor) => {
    const escrito =
      typeof valor === 'boolean' ? (valor ? 'sim' : 'nao') : typeof valor === 'number' ? String(valor) : valor;
    if (typeof escrito !== 'string') return escrito === null ? digitado(campo)('') : mal('deve ser um texto');
    return lerTexto(campo, escrito) === undefined
      ? mal(`deve ser ${PEDE[campo] ?? LEITURAS[campo].pede}`)
      : bem(escrito);
  };
}

const logo: Leitor<Buffer> = (valor) => {
  if (!Buffer.isBuffer(valor)) return mal('deve ser um arquivo PNG ou JPEG');
  try {
    lerLogo(valor);
    return bem(valor);
  } catch (error) {
    if (!(error instanceof EntradaInvalida)) throw error;
    return mal(error.message.replace(/^logo: /, ''));
  }
};

const forma = (campos: readonly CampoDigitado[]): Readonly<Record<string, CampoDaForma<string, undefined>>> =>
  Object.fromEntries(campos.map((campo) => [nomeNaForma(campo), opcional(digitado(campo))]));

/** The forms of the panel. Each field may be missing, and stays as it is then; an empty text clears what may be missing. */
export const FORMA_DA_IDENTIDADE = { ...forma(DA_IDENTIDADE), logo: opcional(ouNulo(logo)) };
export const FORMA_DA_COBRANCA = { ...forma(DA_COBRANCA), confirmar_juros: opcional(simOuNao) };
export const FORMA_DAS_BUSCAS = forma(DAS_BUSCAS);

const DO_NOME = new Map<string, string>([
  ...[...DA_IDENTIDADE, ...DA_COBRANCA, ...DAS_BUSCAS].map((campo) => [nomeNaForma(campo), campo] as const),
  ['logo', 'logo'],
  ['confirmar_juros', 'confirmarJuros'],
]);

/** What a form said, by the names that the configuration has for it. */
export function emMudancas(lidos: Readonly<Record<string, unknown>>): Mudancas {
  const ditos = Object.entries(lidos).filter(([, valor]) => valor !== undefined);
  return Object.fromEntries(ditos.map(([nome, valor]) => [DO_NOME.get(nome) ?? nome, valor]));
}
