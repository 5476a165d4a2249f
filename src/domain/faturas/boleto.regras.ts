import { codigoBarras, contradicaoDoBoleto, linhaDigitavel } from '../../brazil/boleto/boleto.ts';
import { contradiz, lerCampoLivre } from '../../brazil/boleto/campo-livre.ts';
import type { CampoLivre } from '../../brazil/boleto/campo-livre.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { lerDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { DadosDoBoleto } from '../cobradores/cobradores.types.ts';
import type { BoletoDaFatura, FaturaRow, MotivoDoBoleto, MotivoDoPapel } from './faturas.types.ts';

/** Of a bank's slip; 48 are of a utility's or a tax's (arrecadação), which whoever issued it prints, and otherwise. */
const DIGITOS_DE_COBRANCA = 47;

/** What of an invoice decides about its boleto. */
type BoletoRow = Pick<
  FaturaRow,
  | 'valor'
  | 'valor_pago'
  | 'abatido'
  | 'vencimento'
  | 'linha_digitavel'
  | 'codigo_barras'
  | 'nosso_numero'
  | 'boleto_situacao'
>;

/** An invoice's boleto as far as it may be given out; `retirado` says why all of it, or its paper, may not. */
interface Conferido {
  readonly boleto: BoletoDaFatura | null;
  readonly retirado: MotivoDoBoleto | MotivoDoPapel | null;
}

/**
 * The boleto of an open invoice, checked against its own line: whoever pays would pay what the bank has registered, whatever the invoice
 * says by now. A boleto is of the whole amount and a bank takes no other: once part of it was paid or forgiven it would be paid twice, so
 * it is offered no more, without there being anything wrong with it.
 */
export function conferirBoleto(row: BoletoRow, daConta: DadosDoBoleto): Conferido {
  const guardada = row.linha_digitavel ?? '';
  // One that is ours to register can be paid only when its bank has it.
  if (row.boleto_situacao !== null && row.boleto_situacao !== 'registrado') return { boleto: null, retirado: null };
  if (guardada === '' || lerDinheiro(row.valor_pago) > 0 || lerDinheiro(row.abatido) > 0)
    return { boleto: null, retirado: null };
  const barras = codigoBarras(guardada);
  if (barras === null) return { boleto: null, retirado: 'linha_ilegivel' };
  const campo = lerCampoLivre(barras);
  const motivo = contradicao(row, barras, campo);
  if (motivo !== null) return { boleto: null, retirado: motivo };
  const linha = linhaDigitavel(barras);
  const boleto = { linhaDigitavel: linha, codigoBarras: barras, papel: null };
  if (linha.length !== DIGITOS_DE_COBRANCA) return { boleto, retirado: null };
  const doPapel = contradicaoNoPapel(barras, campo, daConta);
  if (doPapel !== null) return { boleto, retirado: doPapel };
  // Only what is certain is printed: the account says of which bank it speaks, or the line bears it out.
  const certo = daConta.banco !== null || campo !== null;
  const { agenciaCodigo, carteira } = certo ? daConta : { agenciaCodigo: null, carteira: null };
  return { boleto: { ...boleto, papel: { agenciaCodigo, carteira } }, retirado: null };
}

/** In what a boleto is another than its invoice's. */
function contradicao(row: BoletoRow, barras: string, campo: CampoLivre | null): MotivoDoBoleto | null {
  const guardado = row.codigo_barras ?? '';
  if (/^\d{44}$/.test(guardado) && guardado !== barras) return 'outras_barras';
  const daFatura = { valor: lerDinheiro(row.valor), vencimento: row.vencimento as Data };
  const outro = contradicaoDoBoleto(barras, daFatura);
  if (outro !== null) return `outro_${outro}`;
  const impresso = { nossoNumero: row.nosso_numero, agenciaCodigo: null, carteira: null };
  return campo !== null && contradiz(campo, impresso) !== null ? 'outro_nosso_numero' : null;
}

/** In what the paper, which says of the bank what the account says, would contradict the line on it. */
function contradicaoNoPapel(
  barras: string,
  campo: CampoLivre | null,
  { banco, agenciaCodigo, carteira }: DadosDoBoleto,
): MotivoDoPapel | null {
  if (agenciaCodigo === null && carteira === null) return null;
  if (banco !== null && !barras.startsWith(banco)) return 'outro_banco';
  const outro = campo === null ? null : contradiz(campo, { nossoNumero: null, agenciaCodigo, carteira });
  if (outro === null) return null;
  return outro === 'carteira' ? 'outra_carteira' : 'outra_agencia';
}
