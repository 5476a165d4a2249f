import { lerRecebedor } from '../../brazil/pix/pix.ts';
import type { RecebedorPix } from '../../brazil/pix/pix.ts';
import { columns } from '../../platform/mysql/columns.ts';
import { jsonColumn } from '../../platform/mysql/database.ts';

/** What the paper of a boleto says of the bank, as the bank writes it. Null where the provider has not said. */
export interface DadosDoBoleto {
  /** Three digits: the bank whose agency and portfolio these are. */
  readonly banco: string | null;
  readonly agenciaCodigo: string | null;
  readonly carteira: string | null;
}

/** A charging account, as far as an invoice is paid by it. */
export interface Conta {
  readonly id: number;
  readonly nome: string;
  /** Of whom it is; null: the provider's own. */
  readonly cnpj: string | null;
  readonly padrao: boolean;
  /** Who receives a static PIX; null while the provider has not said, or what it said makes no code. */
  readonly recebedor: RecebedorPix | null;
  /** As set, whether or not it makes a recipient. */
  readonly pix: { readonly chave: string | null; readonly nome: string | null; readonly cidade: string | null };
  readonly boleto: DadosDoBoleto;
}

/** An account as its provider's row holds it, among the others. */
interface ContaEmJson {
  readonly id: number;
  readonly nome: string;
  readonly cnpj: string | null;
  readonly padrao: number;
  readonly chave: string | null;
  readonly recebe: string | null;
  readonly cidade: string | null;
  readonly banco: string | null;
  readonly agencia: string | null;
  readonly carteira: string | null;
}

/** A column of a query of `provedores`: all accounts of the provider. In its own statement they would be of another moment. */
export const CONTAS_DO_PROVEDOR = `(SELECT JSON_ARRAYAGG(JSON_OBJECT(
    'id', contas.id, 'nome', contas.nome, 'cnpj', contas.cnpj, 'padrao', contas.padrao,
    'chave', contas.pix_chave, 'recebe', contas.pix_nome, 'cidade', contas.pix_cidade,
    'banco', contas.boleto_banco, 'agencia', contas.boleto_agencia_codigo, 'carteira', contas.boleto_carteira))
  FROM cobradores AS contas WHERE provedores.id = contas.provedor_id)`;

export type ContasDoProvedor = string | readonly ContaEmJson[] | null;

/** The accounts of a provider, the first one first. */
export function lerContas(coluna: ContasDoProvedor): Conta[] {
  const contas = jsonColumn<readonly ContaEmJson[]>(coluna ?? []).map((conta) => ({
    id: conta.id,
    nome: conta.nome,
    cnpj: conta.cnpj,
    padrao: conta.padrao === 1,
    recebedor: lerRecebedor(conta.chave, conta.recebe, conta.cidade),
    pix: { chave: conta.chave, nome: conta.recebe, cidade: conta.cidade },
    boleto: { banco: conta.banco, agenciaCodigo: conta.agencia, carteira: conta.carteira },
  }));
  return contas.toSorted((a, b) => a.id - b.id);
}

/** By which nothing is paid. */
const NENHUMA: Conta = {
  id: 0,
  nome: '',
  cnpj: null,
  padrao: false,
  recebedor: null,
  pix: { chave: null, nome: null, cidade: null },
  boleto: { banco: null, agenciaCodigo: null, carteira: null },
};

/** The account that contracts have which chose none. */
export function contaPadrao(contas: readonly Conta[]): Conta {
  return contas.find(({ padrao }) => padrao) ?? contas[0] ?? NENHUMA;
}

/** The account that an invoice of a contract is issued by; null: the contract chose none, or the invoice is of none. */
export function contaDeQuemEmite(contas: readonly Conta[], cobradorId: number | null): Conta {
  return contas.find(({ id }) => id === cobradorId) ?? contaPadrao(contas);
}

/**
 * The account that an invoice was issued by, and is paid to whatever its contract or provider chose since. Null was written before there
 * were several: by the first. Of one that is not known yet nothing is given out.
 */
export function contaDaFatura(contas: readonly Conta[], cobradorId: number | null): Conta {
  return (cobradorId === null ? contas[0] : contas.find(({ id }) => id === cobradorId)) ?? NENHUMA;
}

/** What an invoice that it issues holds of it. */
export const idDaConta = (conta: Conta): number | null => (conta === NENHUMA ? null : conta.id);

/** All that is registered of an account. */
export interface CobradorRow {
  id: number;
  nome: string;
  cnpj: string | null;
  pix_chave: string | null;
  pix_nome: string | null;
  pix_cidade: string | null;
  boleto_banco: string | null;
  boleto_agencia_codigo: string | null;
  boleto_carteira: string | null;
  padrao: number;
  ativo: number;
  codigo_externo: string | null;
  criado_em: string;
  atualizado_em: string;
}

export const COLUNAS_DE_COBRADOR = columns<CobradorRow>('cobradores', {
  id: true,
  nome: true,
  cnpj: true,
  pix_chave: true,
  pix_nome: true,
  pix_cidade: true,
  boleto_banco: true,
  boleto_agencia_codigo: true,
  boleto_carteira: true,
  padrao: true,
  ativo: true,
  codigo_externo: true,
  criado_em: true,
  atualizado_em: true,
});
