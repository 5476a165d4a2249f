import type { Pagador } from '../../../brazil/cnab/convenio.types.ts';
import { cpfCnpjValido } from '../../../brazil/pessoa/cpf-cnpj.ts';
import type { ARegistrarRow } from './titulos.queries.ts';

/** Why an invoice's boleto is in no file: what its client's registration lacks, or the invoice itself. */
export interface Recusada {
  readonly faturaId: number;
  readonly clienteId: number;
  /** The field to be mended. */
  readonly campo: string;
  /** In Portuguese, without personal data. */
  readonly motivo: string;
}

type PagadorJulgado = { readonly pagador: Pagador } | { readonly campo: string; readonly motivo: string };

/** Who pays, as a bank asks for it (name, document and address, facts of registration since 2018), or what is missing. */
export function pagadorDe(row: ARegistrarRow): PagadorJulgado {
  const { nome, cpf_cnpj: documento, logradouro, numero, complemento, bairro, cidade, cep, uf } = row;
  if (nome.trim() === '') return { campo: 'nome', motivo: 'o cliente está sem nome' };
  if (!cpfCnpjValido(documento)) return { campo: 'documento', motivo: 'o cliente está sem CPF ou CNPJ válido' };
  if (!/^\d+$/.test(documento)) {
    return { campo: 'documento', motivo: 'os bancos ainda não dizem como recebem CNPJ com letras' };
  }
  if (logradouro === null || logradouro.trim() === '')
    return { campo: 'logradouro', motivo: 'o endereço está sem rua' };
  if (cep === null || !/^\d{8}$/.test(cep)) return { campo: 'cep', motivo: 'o endereço está sem CEP' };
  if (cidade === null || uf === null) return { campo: 'cidade', motivo: 'o endereço está sem cidade ou UF' };
  const rua = [logradouro, numero, complemento].filter((parte) => parte !== null && parte !== '').join(', ');
  return { pagador: { nome, documento, logradouro: rua, bairro: bairro ?? '', cep, cidade, uf } };
}
