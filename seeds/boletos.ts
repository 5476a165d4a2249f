import { digitoDoSicoob } from '../src/brazil/boleto/campo-livre.ts';
import { modulo10 } from '../src/brazil/boleto/modulos.ts';

/** The boleto of a number, as the bank writes it. */
interface TituloDemo {
  /** 25 digits. */
  readonly campoLivre: string;
  readonly nossoNumero: string;
}

/** A beneficiary at a bank. */
export type BeneficiarioDemo = (numero: number) => TituloDemo;

/** `cooperativa` has 4 digits, `cliente` 7. */
export const noSicoob =
  (cooperativa: string, cliente: string): BeneficiarioDemo =>
  (numero) => {
    const titulo = String(numero).padStart(7, '0');
    const dv = digitoDoSicoob(cooperativa, cliente, titulo);
    return { campoLivre: `1${cooperativa}01${cliente}${titulo}${dv}001`, nossoNumero: `${titulo}-${dv}` };
  };

/** `agencia` has 4 digits, `conta` 5, `carteira` 3. */
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
