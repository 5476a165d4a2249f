import { diasEntre, somarDias, type Data } from '../calendario/datas.ts';
import { centavos, type Centavos } from '../dinheiro/dinheiro.ts';
import { digito11, modulo10, modulo11 } from './modulos.ts';

// Escrito à mão: a biblioteca confere linhas, mas não as converte em código de barras nem gera um com campo livre dado.

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- literal que é uma data
const DATA_BASE = '1997-10-07' as Data;
const CICLO = 9000;

/**
 * Fator de vencimento FEBRABAN: dias desde 1997-10-07 até 9999 (2025-02-21), e então de 1000 a 9999 em ciclos de 9000
 * dias (o primeiro, de 2025-02-22 a 2049-10-13).
 * @throws {RangeError} até 1997-10-07: o fator 0 quer dizer "sem vencimento".
 */
export function fatorVencimento(d: Data): number {
  const dias = diasEntre(DATA_BASE, d);
  if (dias < 1) throw new RangeError('não há fator de vencimento até 1997-10-07');
  return dias <= 9999 ? dias : 1000 + ((dias - 1000) % CICLO);
}

/**
 * Código de barras de cobrança, 44 dígitos: banco 3, moeda 9, dígito verificador, fator 4, valor 10, campo livre 25
 * (Carta-Circular BCB 2.926/2000).
 * @throws {RangeError} se o banco não for 3 dígitos (o primeiro não 8, que é arrecadação), o campo livre não for 25, ou
 * o valor não estiver entre 0.00 e 99999999.99.
 */
export function gerarCodigoBarras(entrada: {
  banco: string;
  vencimento: Data;
  valor: Centavos;
  campoLivre: string;
}): string {
  const { banco, vencimento, valor, campoLivre } = entrada;
  if (!/^(?!8)\d{3}$/.test(banco)) throw new RangeError('banco tem 3 dígitos e não começa por 8');
  if (!/^\d{25}$/.test(campoLivre)) throw new RangeError('campo livre tem 25 dígitos');
  if (!Number.isSafeInteger(valor) || valor < 0 || valor > 9_999_999_999) {
    throw new RangeError(`valor fora do que o boleto leva: ${valor} centavos`);
  }
  const fator = String(fatorVencimento(vencimento)).padStart(4, '0');
  const resto = fator + String(valor).padStart(10, '0') + campoLivre;
  return `${banco}9${digitoCobranca(`${banco}9${resto}`)}${resto}`;
}

/**
 * A linha digitável de um código de barras: 47 dígitos na cobrança, 48 na arrecadação (que começa por 8).
 * @throws {RangeError} se o código não tiver 44 dígitos ou o dígito verificador geral estiver errado.
 */
export function linhaDigitavel(codigo: string): string {
  if (!codigoValido(codigo)) throw new RangeError('código de barras inválido');
  if (codigo.startsWith('8')) {
    const digito = digitoArrecadacao(codigo);
    return blocos(codigo, 11)
      .map((bloco) => bloco + digito(bloco))
      .join('');
  }
  const campos = [codigo.slice(0, 4) + codigo.slice(19, 24), codigo.slice(24, 34), codigo.slice(34, 44)];
  const comDigitos = campos.map((campo) => campo + modulo10(campo)).join('');
  return comDigitos + codigo.charAt(4) + codigo.slice(5, 19);
}

/**
 * O código de barras, 44 dígitos, de uma linha digitável de 47 ou 48; pontos, hífens e espaços são ignorados. Null se a
 * linha tiver outra forma ou qualquer dígito verificador, de campo ou geral, estiver errado.
 */
export function codigoBarras(linha: string): string | null {
  const digitos = linha.replace(/[-. ]/g, '');
  let codigo: string;
  if (/^8\d{47}$/.test(digitos)) {
    codigo = blocos(digitos, 12)
      .map((bloco) => bloco.slice(0, 11))
      .join('');
  } else if (/^\d{47}$/.test(digitos)) {
    codigo =
      digitos.slice(0, 4) + digitos.slice(32) + digitos.slice(4, 9) + digitos.slice(10, 20) + digitos.slice(21, 31);
  } else {
    return null;
  }
  // Refazer a linha confere todos os dígitos de uma vez, com as mesmas contas que os escrevem.
  return codigoValido(codigo) && linhaDigitavel(codigo) === digitos ? codigo : null;
}

/**
 * Lê um boleto de cobrança, da linha digitável ou do código de barras. O fator se repete a cada 9000 dias: dos
 * vencimentos possíveis vale o mais próximo de `referencia`. `vencimento` é null no fator 0 (sem vencimento). Null se
 * algum dígito verificador estiver errado ou se for arrecadação, que não tem banco.
 */
export function lerBoleto(
  codigo: string,
  referencia: Data,
): { banco: string; vencimento: Data | null; valor: Centavos } | null {
  const barras = codigoValido(codigo) ? codigo : codigoBarras(codigo);
  if (barras === null || barras.startsWith('8')) return null;
  return {
    banco: barras.slice(0, 3),
    vencimento: vencimentoDe(Number(barras.slice(5, 9)), referencia),
    valor: centavos(Number(barras.slice(9, 19))),
  };
}

/**
 * Em que um boleto, pelo seu código de barras, contradiz a fatura de que seria. Nada diz do valor quem leva zero, nem do vencimento
 * o fator 0000; uma conta de arrecadação só diz o valor, e só onde a terceira posição é 6 ou 8 (valor efetivo, em reais), e não 7 ou 9
 * (FEBRABAN, layout de arrecadação, campo identificador de valor).
 */
export function contradicaoDoBoleto(
  barras: string,
  { valor, vencimento }: { readonly valor: Centavos; readonly vencimento: Data },
): 'valor' | 'vencimento' | null {
  const outroValor = (dito: string): boolean => Number(dito) !== 0 && Number(dito) !== valor;
  if (barras.startsWith('8')) return /^8\d[68]/.test(barras) && outroValor(barras.slice(4, 15)) ? 'valor' : null;
  if (outroValor(barras.slice(9, 19))) return 'valor';
  const fator = Number(barras.slice(5, 9));
  if (fator === 0 || (diasEntre(DATA_BASE, vencimento) >= 1 && fatorVencimento(vencimento) === fator)) return null;
  return 'vencimento';
}

function vencimentoDe(fator: number, referencia: Data): Data | null {
  if (fator === 0) return null;
  // Fatores abaixo de 1000 só existiram antes de 2000-07-03.
  const ciclos = fator < 1000 ? 0 : Math.round((diasEntre(DATA_BASE, referencia) - fator) / CICLO);
  return somarDias(DATA_BASE, fator + Math.max(0, ciclos) * CICLO);
}

function codigoValido(codigo: string): boolean {
  if (!/^\d{44}$/.test(codigo)) return false;
  if (codigo.startsWith('8')) {
    return /^8\d[6-9]/.test(codigo) && digitoArrecadacao(codigo)(semDigito(codigo, 3)) === codigo.charAt(3);
  }
  return codigo.charAt(3) === '9' && digitoCobranca(semDigito(codigo, 4)) === codigo.charAt(4);
}

function semDigito(codigo: string, posicao: number): string {
  return codigo.slice(0, posicao) + codigo.slice(posicao + 1);
}

function blocos(texto: string, tamanho: number): string[] {
  return [0, 1, 2, 3].map((i) => texto.slice(i * tamanho, (i + 1) * tamanho));
}

/** Na cobrança, os resultados 0, 10 e 11 viram 1 (Carta-Circular BCB 2.926/2000). */
function digitoCobranca(digitos: string): string {
  const resultado = modulo11(digitos);
  return String(resultado > 9 ? 1 : resultado);
}

/** Na arrecadação o terceiro dígito escolhe o módulo, 6 e 7 o 10, 8 e 9 o 11, e os resultados 10 e 11 viram 0. */
function digitoArrecadacao(codigo: string): (digitos: string) => string {
  return codigo.charAt(2) < '8' ? modulo10 : digito11;
}
