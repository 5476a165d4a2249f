import { digitoDoSicoob } from '../src/brazil/campo-livre.ts';
import { modulo10 } from '../src/brazil/modulos.ts';

/** O boleto de número dado, como o banco o escreve. */
interface TituloDemo {
  /** Vinte e cinco dígitos. */
  readonly campoLivre: string;
  readonly nossoNumero: string;
}

/** Um beneficiário num banco. */
export type BeneficiarioDemo = (numero: number) => TituloDemo;

/** `cooperativa` tem 4 dígitos, `cliente` 7. */
export const noSicoob =
  (cooperativa: string, cliente: string): BeneficiarioDemo =>
  (numero) => {
    const titulo = String(numero).padStart(7, '0');
    const dv = digitoDoSicoob(cooperativa, cliente, titulo);
    return { campoLivre: `1${cooperativa}01${cliente}${titulo}${dv}001`, nossoNumero: `${titulo}-${dv}` };
  };

/** `agencia` tem 4 dígitos, `conta` 5, `carteira` 3. */
export const noItau =
  (agencia: string, conta: string, carteira: string): BeneficiarioDemo =>
  (numero) => {
    const titulo = String(numero).padStart(8, '0');
    const dac = modulo10(agencia + conta + carteira + titulo);
    return {
      campoLivre: carteira + titulo + dac + agencia + conta + modulo10(agencia + conta) + '000',
      nossoNumero: `${carteira}/${titulo}-${dac}`,
    };
  };
