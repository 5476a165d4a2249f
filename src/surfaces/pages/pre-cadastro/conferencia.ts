import { cpfCnpjValido, normalizarCpfCnpj } from '../../../brazil/pessoa/cpf-cnpj.ts';
import { lerData } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { emailValido, limparDigitado, temCaractereProibido } from '../../../brazil/pessoa/digitado.ts';
import { UFS, normalizarCep } from '../../../brazil/pessoa/endereco.ts';
import { lerTelefone } from '../../../brazil/pessoa/telefone.ts';
import type { Cadastro, ConviteValido } from '../../../domain/convites/convites.types.ts';
import { DIAS_DE_VENCIMENTO, SIM, TAMANHOS } from './campos.ts';
import type { Campo, Digitado } from './campos.ts';

/** What is wrong, by field, in words for who typed it. */
export type Faltas = ReadonlyMap<Campo, string>;

const IDADE_MAXIMA = 130;

/** Judges a form by what the invite leaves to choose; `hoje` is the provider's date. */
export function conferir(
  digitado: Digitado,
  { plano, planos, diaVencimento }: ConviteValido,
  hoje: Data,
): { readonly cadastro: Cadastro; readonly faltas: null } | { readonly cadastro: null; readonly faltas: Faltas } {
  const faltas = new Map<Campo, string>();

  /** The field without what cannot be seen, or '' once what is wrong has been noted. */
  function texto(campo: keyof typeof TAMANHOS, pedido: string | null, minimo = 1): string {
    const limpo = limparDigitado(digitado[campo]);
    const tamanho = Array.from(limpo).length;
    if (limpo === '' && pedido !== null) faltas.set(campo, pedido);
    else if (temCaractereProibido(limpo)) faltas.set(campo, 'Há caracteres que não podem ser usados.');
    else if (tamanho > TAMANHOS[campo]) faltas.set(campo, `Use no máximo ${TAMANHOS[campo]} caracteres.`);
    else if (limpo !== '' && tamanho < minimo) faltas.set(campo, `Use ao menos ${minimo} caracteres.`);
    else return limpo;
    return '';
  }
  /** What a reader makes of the field; null once what is wrong has been noted, and for an optional field left empty. */
  function lido<T>(campo: Campo, pedido: string | null, ler: (limpo: string) => T | null, errado: string): T | null {
    const limpo = limparDigitado(digitado[campo]);
    const valor = limpo === '' ? null : ler(limpo);
    if (limpo === '' && pedido !== null) faltas.set(campo, pedido);
    if (limpo !== '' && valor === null) faltas.set(campo, errado);
    return valor;
  }

  const nome = texto('nome', 'Informe o nome completo, ou a razão social.', 3);
  if (nome !== '' && !/\p{L}/u.test(nome)) faltas.set('nome', 'O nome precisa ter letras.');
  const cpfCnpj = lido(
    'documento',
    'Informe o CPF ou o CNPJ.',
    normalizarCpfCnpj,
    'O CPF tem 11 dígitos, e o CNPJ tem 14 letras e dígitos.',
  );
  if (cpfCnpj !== null && !cpfCnpjValido(cpfCnpj)) {
    const qual = cpfCnpj.length === 11 ? 'CPF' : 'CNPJ';
    faltas.set('documento', `Confira o número: os dígitos verificadores deste ${qual} não conferem.`);
  }
  // A company was not born: what stands there is nobody's.
  const dataNascimento =
    cpfCnpj !== null && cpfCnpj.length > 11
      ? null
      : lido(
          'nascimento',
          null,
          (limpo) => lerNascimento(limpo, hoje),
          'Informe uma data que já passou, como 31/12/1990.',
        );
  const telefone = lido('telefone', 'Informe um telefone com DDD.', lerTelefone, TELEFONE_ERRADO);
  const telefone2 = lido('telefone2', null, lerTelefone, TELEFONE_ERRADO);
  const email = texto('email', null);
  if (email !== '' && !emailValido(email)) faltas.set('email', 'Informe um e-mail como nome@exemplo.com.br.');

  const cep = lido('cep', 'Informe o CEP.', normalizarCep, 'O CEP tem 8 dígitos, como 37130-001.');
  const logradouro = texto('logradouro', 'Informe a rua ou a avenida.');
  const numero = texto('numero', 'Informe o número, ou S/N.');
  const complemento = texto('complemento', null);
  const bairro = texto('bairro', 'Informe o bairro.');
  const cidade = texto('cidade', 'Informe a cidade.');
  const uf = lido('uf', 'Escolha o estado.', um(UFS), 'Escolha um estado da lista.');

  const planoId =
    plano === null
      ? lido('plano', 'Escolha um plano.', umNumero(planos.map(({ id }) => id)), 'Escolha um dos planos da lista.')
      : null;
  const dia =
    diaVencimento === null
      ? lido('vencimento', 'Escolha o dia de vencimento.', umNumero(DIAS_DE_VENCIMENTO), 'Escolha um dia da lista.')
      : null;
  if (digitado.consentimento !== SIM) faltas.set('consentimento', 'Para se cadastrar, é preciso concordar.');

  if (faltas.size > 0) return { cadastro: null, faltas };
  const telefones = [...new Set([telefone, telefone2])].filter((numeroDito) => numeroDito !== null);
  const endereco = { cep, logradouro, numero, complemento: ouNulo(complemento), bairro, cidade, uf };
  return {
    cadastro: {
      nome,
      cpfCnpj: cpfCnpj ?? '',
      dataNascimento,
      email: ouNulo(email),
      telefones,
      endereco,
      planoId,
      diaVencimento: dia,
    },
    faltas: null,
  };
}

const TELEFONE_ERRADO = 'Informe DDD e número, como (35) 99999-0001 ou (35) 3299-0001.';

const ouNulo = (texto: string): string | null => (texto === '' ? null : texto);

/** `31/12/1990`, `31-12-1990`, `31121990`, or as browsers fill it in by themselves: `1990-12-31`. */
function lerNascimento(texto: string, hoje: Data): Data | null {
  const [, dia = '', mes = '', ano = ''] =
    /^(\d{1,2})[/. -](\d{1,2})[/. -](\d{4})$/.exec(texto) ?? /^(\d\d)(\d\d)(\d{4})$/.exec(texto) ?? [];
  const data = lerData(ano === '' ? texto : `${ano}-${mes.padStart(2, '0')}-${dia.padStart(2, '0')}`);
  const velha = String(Number(hoje.slice(0, 4)) - IDADE_MAXIMA);
  return data !== null && data < hoje && data >= velha ? data : null;
}

const um =
  (lista: readonly string[]) =>
  (texto: string): string | null =>
    lista.includes(texto) ? texto : null;

const umNumero =
  (lista: readonly number[]) =>
  (texto: string): number | null =>
    lista.find((numero) => String(numero) === texto) ?? null;
