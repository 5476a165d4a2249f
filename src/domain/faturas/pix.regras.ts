import { lerDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { gerarPixEstatico, lerPix, PIX_MAXIMO, txidEstaticoValido } from '../../brazil/pix/pix.ts';
import type { Conta } from '../cobradores/cobradores.types.ts';
import type { FaturaRow, MotivoDoPix, PixDaFatura } from './faturas.types.ts';

/** The least that a PIX can carry. */
const PIX_MINIMO = 1;

/** An invoice's PIX as far as it may be given out; `retirado` says why a stored code may not. */
interface Conferido {
  readonly pix: PixDaFatura | null;
  readonly retirado: MotivoDoPix | null;
}

/**
 * The PIX code of an open invoice, of which `aPagar` is owed today. It is made anew, since a static code cannot carry fine or interest; but
 * where the txid is a PSP's own (26 to 35 characters) the code is the PSP's to make, and the stored one is checked instead.
 */
export function conferirPix(row: FaturaRow, { recebedor }: Conta, aPagar: Centavos): Conferido {
  const { pix_txid: txid } = row;
  const guardado = row.pix_copia_cola ?? '';
  const nenhum = { pix: null, retirado: null };
  if (txid === null || aPagar < PIX_MINIMO) return nenhum;
  if (!txidEstaticoValido(txid)) return guardado === '' ? nenhum : conferirDoPsp(row, txid, guardado, aPagar);
  if (recebedor === null || aPagar > PIX_MAXIMO) return nenhum;
  const codigo = gerarPixEstatico({ ...recebedor, valor: aPagar, txid });
  return { pix: { codigo, valor: aPagar, recebedor: recebedor.nome }, retirado: null };
}

/**
 * A PSP's code most often carries no amount: the payer's bank asks the PSP for it, which reckons the day's charges itself. What it carries
 * must be what is owed, and one of before a part was paid or forgiven asks for that part again.
 */
function conferirDoPsp(row: FaturaRow, txid: string, codigo: string, aPagar: Centavos): Conferido {
  const lido = lerPix(codigo);
  const retirar = (retirado: MotivoDoPix): Conferido => ({ pix: null, retirado });
  if (lido === null) return retirar('codigo_ilegivel');
  // A static code holds no txid of this length: what it brings in could not be known as this invoice's.
  if (lido.url === null) return retirar('codigo_estatico');
  if (lido.txid !== null && lido.txid !== txid) return retirar('outro_txid');
  if (lido.valor !== null && lido.valor !== aPagar) return retirar('outro_valor');
  const emParte = lerDinheiro(row.valor_pago) > 0 || lerDinheiro(row.abatido) > 0;
  if (lido.valor === null && emParte) return retirar('paga_em_parte');
  return { pix: { codigo, valor: lido.valor, recebedor: lido.nome }, retirado: null };
}
