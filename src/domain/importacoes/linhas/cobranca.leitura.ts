import type { Data } from '../../../brazil/calendario/datas.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { lerPix, txidEstaticoValido } from '../../../brazil/pix/pix.ts';
import { CamposInvalidos } from '../../erros.ts';
import { lerLinha } from '../../faturas/emissao/linha.regras.ts';
import type { FaturaRow } from '../../faturas/faturas.types.ts';
import type { Registro } from './registro.ts';

/** By what an open invoice was to be paid where it comes from, as far as it can still be: nothing more is known of it here. */
export interface CobrancaLida {
  /** Null: there is none, or it is of another amount or due date, and so what is paid by it would be. */
  readonly boleto: Pick<FaturaRow, 'linha_digitavel' | 'codigo_barras' | 'nosso_numero'> | null;
  /** `copiaECola` null: the code is static, and made anew each time. */
  readonly pix: { readonly txid: string; readonly copiaECola: string | null } | null;
  /** Whether a boleto was there, and is not any more. */
  readonly boletoFora: boolean;
}

type DaFatura = { readonly valor: Centavos; readonly vencimento: Data };

const SEM_CONTA = { banco: null, agenciaCodigo: null, carteira: null };
const MAIOR_NOSSO_NUMERO = 20;
const MAIOR_COPIA_E_COLA = 512;

export function lerCobranca(registro: Registro, fatura: DaFatura): CobrancaLida {
  const linha = registro.texto('linha_digitavel');
  const boleto = linha === undefined ? null : lerBoleto(registro, linha, fatura);
  return { boleto, pix: lerPixDaFatura(registro, fatura), boletoFora: linha !== undefined && boleto === null };
}

function lerBoleto(registro: Registro, linha: string, fatura: DaFatura): CobrancaLida['boleto'] {
  const nossoNumero = registro.texto('nosso_numero') ?? null;
  try {
    if (nossoNumero !== null && !new RegExp(`^[\\x21-\\x7e]{1,${MAIOR_NOSSO_NUMERO}}$`).test(nossoNumero)) {
      registro.deixar('nosso_numero', 'não se lê; o boleto fica de fora');
      return null;
    }
    return lerLinha({ linha, nossoNumero }, fatura, SEM_CONTA);
  } catch (error) {
    if (!(error instanceof CamposInvalidos)) throw error;
    const [falta] = error.faltas;
    registro.deixar(falta?.campo ?? 'linha_digitavel', `${falta?.mensagem ?? 'não se lê'}; o boleto fica de fora`);
    return null;
  }
}

function lerPixDaFatura(registro: Registro, { valor }: DaFatura): CobrancaLida['pix'] {
  const codigo = registro.texto('pix_copia_cola');
  const lido = codigo === undefined || codigo.length > MAIOR_COPIA_E_COLA ? null : lerPix(codigo);
  const txid = registro.texto('pix_txid') ?? lido?.txid ?? null;
  const deixar = (campo: string, motivo: string): null => {
    registro.deixar(campo, `${motivo}; o PIX fica de fora`);
    return null;
  };
  if (codigo !== undefined && lido === null) return deixar('pix_copia_cola', 'não é um PIX');
  if (txid === null) return codigo === undefined ? null : deixar('pix_copia_cola', 'não diz o txid');
  if (!/^[A-Za-z\d]{1,35}$/.test(txid)) return deixar('pix_txid', 'não é um txid');
  if (lido !== null && lido.txid !== null && lido.txid !== txid) return deixar('pix_copia_cola', 'é de outro txid');
  if (lido !== null && lido.valor !== null && lido.valor !== valor) return deixar('pix_copia_cola', 'é de outro valor');
  if (txidEstaticoValido(txid)) return { txid, copiaECola: null };
  // A PSP's own: only it can make the code.
  if (codigo === undefined || lido === null || lido.url === null)
    return deixar('pix_txid', 'é de um PSP, e falta o seu código');
  return { txid, copiaECola: codigo };
}
