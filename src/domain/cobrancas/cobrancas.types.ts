import type { Data } from '../../brazil/calendario/datas.ts';
import type { BoletosParaImprimir } from '../../../workers/threads/boletos-pdf/contract.ts';
import { columns } from '../../platform/mysql/columns.ts';
import type { EnderecoRow } from '../enderecos/enderecos.types.ts';
import { COLUNAS_DA_FATURA } from '../faturas/faturas.types.ts';
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

export const COLUNAS_DE_COBRANCA = columns<CobrancaRow>('faturas', {
  ...COLUNAS_DA_FATURA.of,
  carne_id: true,
  parcela: true,
});

/** Who owes; known where paper is printed, and shown on no page. */
export interface Pagador {
  readonly nome: string;
  readonly cpfCnpj: string;
  readonly endereco: EnderecoRow;
}

interface PagadorRow {
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

export const COLUNAS_DE_PAGADOR = columns<PagadorRow>('clientes', {
  pagador_nome: 'clientes.nome',
  pagador_cpf_cnpj: 'clientes.cpf_cnpj',
  pagador_cep: 'clientes.cep',
  pagador_logradouro: 'clientes.logradouro',
  pagador_numero: 'clientes.numero',
  pagador_complemento: 'clientes.complemento',
  pagador_bairro: 'clientes.bairro',
  pagador_cidade: 'clientes.cidade',
  pagador_uf: 'clientes.uf',
});

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
