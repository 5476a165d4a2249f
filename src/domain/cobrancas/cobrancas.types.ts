import type { Data } from '../../brazil/calendario/datas.ts';
import type { BoletosParaImprimir } from '../../../workers/threads/boletos-pdf/contract.ts';
import { COLUNAS_DE_ENDERECO } from '../enderecos/enderecos.types.ts';
import type { EnderecoRow } from '../enderecos/enderecos.types.ts';
import type { Fatura, FaturaRow } from '../faturas/faturas.types.ts';
import type { Identidade } from '../provedores/identidade.types.ts';
import type { Provedor } from '../provedores/provedores.types.ts';

/** An invoice as whoever has its link sees it. */
export interface Cobranca {
  readonly fatura: Fatura;
  readonly provedor: Provedor;
  readonly identidade: Identidade;
  /** The provider's date that the invoice was judged by. */
  readonly hoje: Data;
}

/** The same with what goes on paper; null unless the invoice is open and has a boleto. */
export interface CobrancaImpressa extends Cobranca {
  readonly boletos: BoletosParaImprimir | null;
}

export interface CobrancaRow extends FaturaRow {
  carne_id: number | null;
  parcela: number | null;
}

/** Who owes; known where paper is printed, and shown on no page. */
export interface Pagador {
  readonly nome: string;
  readonly cpfCnpj: string;
  readonly endereco: EnderecoRow;
}

export const COLUNAS_DE_COBRANCA = [
  'id',
  'cliente_id',
  'contrato_id',
  'descricao',
  'situacao',
  'tipo',
  'valor',
  'valor_pago',
  'vencimento',
  'emitida_em',
  'pago_em',
  'token',
  'pix_txid',
  'pix_copia_cola',
  'linha_digitavel',
  'codigo_barras',
  'nosso_numero',
  'carne_id',
  'parcela',
].map((coluna) => `faturas.${coluna}`);

export interface PagadorRow {
  pagador_nome: string;
  pagador_cpf_cnpj: string;
  pagador_cep: string | null;
  pagador_logradouro: string | null;
  pagador_numero: string | null;
  pagador_complemento: string | null;
  pagador_bairro: string | null;
  pagador_cidade: string | null;
  pagador_uf: string | null;
}

export const COLUNAS_DE_PAGADOR = Object.fromEntries(
  ['nome', 'cpf_cnpj', ...COLUNAS_DE_ENDERECO].map((coluna) => [`pagador_${coluna}`, `clientes.${coluna}`]),
);

export function paraPagador(row: PagadorRow): Pagador {
  return {
    nome: row.pagador_nome,
    cpfCnpj: row.pagador_cpf_cnpj,
    endereco: {
      cep: row.pagador_cep,
      logradouro: row.pagador_logradouro,
      numero: row.pagador_numero,
      complemento: row.pagador_complemento,
      bairro: row.pagador_bairro,
      cidade: row.pagador_cidade,
      uf: row.pagador_uf,
    },
  };
}
