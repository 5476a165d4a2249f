import { BANCOS_COM_CNAB } from '../../../brazil/cnab/convenio.types.ts';
import { bem, exigido, mal, opcional } from '../../campos/campos.ts';
import type { Leitor } from '../../campos/campos.ts';
import { deJson, escolha, id, inteiro, ouNulo, simOuNao, texto } from '../../campos/leitores.ts';

/** Digits and, of some check digits, a letter; points and hyphens that people type are left out. */
const digitos = (maximo: number): Leitor<string> => {
  const ler = texto(0, maximo * 2);
  return (valor) => {
    const lido = ler(valor ?? '');
    if ('faltas' in lido) return lido;
    const limpo = lido.valor.replaceAll(/[\s./-]/g, '').toUpperCase();
    return /^[0-9A-Z]*$/.test(limpo) && limpo.length <= maximo ? bem(limpo) : mal(`deve ter até ${maximo} dígitos`);
  };
};

/** Percent with up to two places, in hundredths: 1.5 is 150. */
const centesimos = (maximo: number): Leitor<number> => {
  return (valor) => {
    const escrito = (typeof valor === 'number' ? String(valor) : valor) ?? '0';
    const limpo = typeof escrito === 'string' ? escrito.trim().replace(',', '.') : '';
    if (!/^\d{1,2}(?:\.\d{1,2})?$/.test(limpo)) return mal('deve ser por cento, como 1 ou 0,5');
    const lido = Math.round(Number(limpo) * 100);
    return lido > maximo ? mal(`deve ser até ${maximo / 100} %`) : bem(lido);
  };
};

const objeto: Leitor<Readonly<Record<string, unknown>>> = (valor) =>
  typeof valor === 'object' && valor !== null && !Array.isArray(valor)
    ? bem({ ...valor })
    : mal('deve ser um objeto JSON');

/** What the bank wants otherwise than public programs write it. */
const ajustes: Leitor<Readonly<Record<string, unknown>>> = (valor) =>
  typeof valor === 'string' && valor.trim() === '' ? bem({}) : deJson(objeto)(valor);

/** What may change of an agreement: its bank and account stay, because titles were issued by them. Sequences go forward only. */
export const CAMPOS_DA_ALTERACAO = {
  nome: exigido(texto(1, 120)),
  agencia: opcional(digitos(8)),
  agencia_dv: opcional(digitos(2)),
  conta: opcional(digitos(20)),
  conta_dv: opcional(digitos(2)),
  carteira: opcional(digitos(8)),
  variacao: opcional(digitos(8)),
  codigo: opcional(digitos(20)),
  codigo_transmissao: opcional(digitos(20)),
  posto: opcional(digitos(8)),
  teste: opcional(simOuNao),
  juros_ao_mes: opcional(centesimos(9999)),
  multa: opcional(centesimos(200)),
  baixa_em_dias: opcional(ouNulo(inteiro(1, 999))),
  ajustes: opcional(ajustes),
  proximo_nsa: opcional(inteiro(1, 999_999)),
  proximo_numero: opcional(inteiro(1, 99_999_999_999)),
} as const;

/** An agreement with a bank as it is typed. */
export const CAMPOS_DO_CONVENIO = {
  cobrador_id: exigido(id),
  banco: exigido(escolha([...BANCOS_COM_CNAB])),
  ...CAMPOS_DA_ALTERACAO,
} as const;
