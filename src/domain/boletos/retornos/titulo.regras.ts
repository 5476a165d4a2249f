import { diasEntre } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { gerarCodigoBarras, linhaDigitavel } from '../../../brazil/boleto/boleto.ts';
import type { Convenio, Ocorrencia } from '../../../brazil/cnab/convenio.types.ts';
import { campoLivre } from '../../../brazil/cnab/nosso-numero.ts';
import { movimentoQueConta } from '../../../brazil/cnab/retorno/classes.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { comporPixDinamico } from '../../../brazil/pix/cobranca/codigo.ts';
import { lerPix } from '../../../brazil/pix/pix.ts';

/** Whom a PIX goes to, as its code says. */
export interface RecebedorDoPix {
  readonly nome: string;
  readonly cidade: string;
}

/** The bar code of a title and its line, as the bank has registered it. */
export function codigosDoTitulo(
  convenio: Convenio,
  { numero, valor, vencimento }: { readonly numero: string; readonly valor: Centavos; readonly vencimento: Data },
): { readonly barras: string; readonly linha: string } {
  const livre = campoLivre(convenio, numero);
  const barras = gerarCodigoBarras({ banco: convenio.banco, vencimento, valor, campoLivre: livre });
  return { barras, linha: linhaDigitavel(barras) };
}

/**
 * What identifies a telling of a bank, whichever file it comes in: bank, agreement, number, movement, day and amount, and which it is of
 * those that say the same in its file. Ours of the agreement, since two of a provider's may share a code at different banks.
 */
export function chaveDe(
  convenioId: number,
  { banco }: Pick<Convenio, 'banco'>,
  { nossoNumero, movimento, vez }: Pick<Ocorrencia, 'nossoNumero' | 'movimento' | 'vez'>,
  dia: Data,
  valor: Centavos,
): string {
  const chave = `${banco}.${convenioId}.${nossoNumero}.${movimentoQueConta(banco, movimento)}.${dia}.${valor}`;
  return vez === 1 ? chave : `${chave}.${vez}`;
}

/**
 * Whether a line is of a title, by what was sent with it and comes back: its id and what its invoice is called. True where one of them is the
 * title's; false where both are another's, as in a file of an agreement that begins its numbers at one, too; else null: the line does not say.
 */
export function falaDoTitulo(
  { usoEmpresa, numeroDocumento }: Pick<Ocorrencia, 'usoEmpresa' | 'numeroDocumento'>,
  { id, documento }: { readonly id: number; readonly documento: string },
): boolean | null {
  const ditos = [mesmoNumero(usoEmpresa, String(id)), mesmoNumero(numeroDocumento, documento)];
  if (ditos.includes(true)) return true;
  return ditos.includes(null) ? null : false;
}

/** Null where nothing is said, or something that is no number. */
function mesmoNumero(dito: string, nosso: string): boolean | null {
  const texto = dito.trim();
  return /^\d*[1-9]\d*$/.test(texto) ? Number(texto) === Number(nosso) : null;
}

/** How far ahead of our calendar a bank's may be. */
const DIAS_ADIANTE = 7;

/** A line of a day that has not come yet cannot be true: it counts as unreadable. */
export function semFuturo(ocorrencia: Ocorrencia, hoje: Data): Ocorrencia {
  const { pagoEm } = ocorrencia;
  if (pagoEm === null || diasEntre(hoje, pagoEm) <= DIAS_ADIANTE) return ocorrencia;
  return { ...ocorrencia, classe: 'ilegivel', motivos: [{ codigo: '', texto: 'o dia ainda não chegou' }] };
}

/** The address of a payload: a host and a path, without scheme. */
const LOCATION = /^[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)+(?::\d+)?\/[a-zA-Z0-9._~/-]+$/;
const TXID = /^[A-Za-z0-9]{26,35}$/;

/**
 * The copy-and-paste of a hybrid boleto with its txid: the bank's own, where it can be read as a dynamic code, else one around the address
 * that the bank has told. Of one whose txid nobody says, nobody would know whose its payment is: there is none.
 */
export function pixDoTitulo(
  { pix }: Pick<Ocorrencia, 'pix'>,
  recebedor: RecebedorDoPix,
): { readonly txid: string; readonly codigo: string } | null {
  if (pix === null) return null;
  const lido = pix.copiaECola === '' ? null : lerPix(pix.copiaECola);
  const proprio = lido !== null && lido.url !== null;
  const txid = pix.txid !== '' ? pix.txid : proprio ? (lido.txid ?? '') : '';
  if (!TXID.test(txid)) return null;
  if (proprio) return { txid, codigo: pix.copiaECola };
  const onde = pix.location.replace(/^https:\/\//, '');
  return LOCATION.test(onde) ? { txid, codigo: comporPixDinamico(onde, recebedor) } : null;
}
