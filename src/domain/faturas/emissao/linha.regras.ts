import { codigoBarras, linhaDigitavel } from '../../../brazil/boleto/boleto.ts';
import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { faltaEm } from '../../erros.ts';
import type { DadosDoBoleto } from '../../cobradores/cobradores.types.ts';
import { conferirBoleto } from '../boleto.regras.ts';
import type { FaturaRow, MotivoDoBoleto, MotivoDoPapel } from '../faturas.types.ts';

/** What is wrong with a line, at which field. Of the paper nothing is said: the line is right, and is what most people pay by. */
const FALTAS: Readonly<Partial<Record<MotivoDoBoleto | MotivoDoPapel, readonly [campo: string, mensagem: string]>>> = {
  linha_ilegivel: ['linha_digitavel', 'não é uma linha digitável: confira os dígitos'],
  outro_valor: ['linha_digitavel', 'é de um boleto de outro valor'],
  outro_vencimento: ['linha_digitavel', 'é de um boleto de outro vencimento'],
  outro_nosso_numero: ['nosso_numero', 'não é o que a linha digitável traz'],
};

/**
 * The boleto of an invoice by the line that somebody pasted, held against the invoice's amount and due date as it will be each time it is
 * given out (ADR 20).
 *
 * @throws CamposInvalidos that names the field.
 */
export function lerLinha(
  { linha, nossoNumero }: { readonly linha: string; readonly nossoNumero: string | null },
  { valor, vencimento }: { readonly valor: Centavos; readonly vencimento: Data },
  daConta: DadosDoBoleto,
): Pick<FaturaRow, 'linha_digitavel' | 'codigo_barras' | 'nosso_numero'> {
  const barras = codigoBarras(linha);
  const boleto = { linha_digitavel: linha, codigo_barras: barras, nosso_numero: nossoNumero };
  const { retirado } = conferirBoleto(
    {
      ...boleto,
      valor: escreverDinheiro(valor),
      valor_pago: '0.00',
      abatido: '0.00',
      vencimento,
      boleto_situacao: null,
    },
    daConta,
  );
  const falta = retirado === null ? undefined : FALTAS[retirado];
  if (falta !== undefined) faltaEm(...falta);
  return { ...boleto, linha_digitavel: barras === null ? linha : linhaDigitavel(barras) };
}
