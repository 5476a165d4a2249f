import type { Ajustes, BancoComCnab, Convenio, Formato } from '../../../brazil/cnab/convenio.types.ts';
import { columns } from '../../../platform/mysql/columns.ts';
import type { MotivoDeRecusa } from '../../erros.ts';
import { jsonColumn } from '../../../platform/mysql/database.ts';

/** An agreement of a bank as it is stored, with whose account it is. */
export interface ConvenioRow {
  id: number;
  cobrador_id: number;
  nome: string;
  banco: BancoComCnab;
  formato: Formato;
  agencia: string;
  agencia_dv: string;
  conta: string;
  conta_dv: string;
  carteira: string;
  variacao: string;
  codigo: string;
  codigo_transmissao: string;
  posto: string;
  teste: number;
  juros_ao_mes: number;
  multa: number;
  baixa_em_dias: number | null;
  ajustes: string | Partial<Ajustes> | null;
  emite: number;
  proximo_nsa: number;
  /** Why the file of a day could not be made, and of which day. */
  recusa: MotivoDeRecusa | null;
  recusada_em: string | null;
  criado_em: string;
  atualizado_em: string;
}

export const COLUNAS_DO_CONVENIO = columns<ConvenioRow>('convenios_bancarios', {
  id: true,
  cobrador_id: true,
  nome: true,
  banco: true,
  formato: true,
  agencia: true,
  agencia_dv: true,
  conta: true,
  conta_dv: true,
  carteira: true,
  variacao: true,
  codigo: true,
  codigo_transmissao: true,
  posto: true,
  teste: true,
  juros_ao_mes: true,
  multa: true,
  baixa_em_dias: true,
  ajustes: true,
  emite: true,
  proximo_nsa: true,
  recusa: true,
  recusada_em: true,
  criado_em: true,
  atualizado_em: true,
});

/** What people change of an agreement. */
export const CAMPOS_QUE_MUDAM = [
  'nome',
  'agencia',
  'agencia_dv',
  'conta',
  'conta_dv',
  'carteira',
  'variacao',
  'codigo',
  'codigo_transmissao',
  'posto',
  'teste',
  'juros_ao_mes',
  'multa',
  'baixa_em_dias',
  'ajustes',
  'proximo_nsa',
] as const satisfies ReadonlyArray<keyof ConvenioRow>;

/** The fields by which the version of an agreement is counted. */
export const camposDoConvenio = (row: ConvenioRow): Readonly<Record<string, string>> =>
  Object.fromEntries(CAMPOS_QUE_MUDAM.map((campo) => [campo, JSON.stringify(row[campo])]));

/** Who the bank knows as the beneficiary: the account's own, else the provider. */
export interface Beneficiario {
  readonly cnpj: string | null;
  readonly nome: string;
}

/** An agreement as the files of its bank want it. */
export function convenioDoBanco(row: ConvenioRow, { cnpj, nome }: Beneficiario): Convenio {
  return {
    banco: row.banco,
    formato: row.formato,
    agencia: row.agencia,
    agenciaDv: row.agencia_dv,
    conta: row.conta,
    contaDv: row.conta_dv,
    carteira: row.carteira,
    variacao: row.variacao,
    convenio: row.codigo,
    codigoTransmissao: row.codigo_transmissao,
    posto: row.posto,
    cnpj: cnpj ?? '',
    nome,
    teste: row.teste === 1,
    jurosAoMes: row.juros_ao_mes,
    multa: row.multa,
    baixaEmDias: row.baixa_em_dias,
    ajustes: jsonColumn<Partial<Ajustes>>(row.ajustes ?? {}),
  };
}

/** Whom an agreement belongs to at its bank. */
export function beneficiarioDe(
  { nome, cnpj, contas }: ProvedorComContas,
  { cobrador_id: cobradorId }: Pick<ConvenioRow, 'cobrador_id'>,
): Beneficiario {
  const conta = contas.find(({ id }) => id === cobradorId);
  const doProvedor = { cnpj, nome };
  return conta === undefined || conta.cnpj === null || conta.cnpj === cnpj ? doProvedor : conta;
}

interface ProvedorComContas extends Beneficiario {
  readonly contas: readonly (Beneficiario & { readonly id: number })[];
}

/** What the banks are called. */
export const NOMES_DOS_BANCOS: Readonly<Record<BancoComCnab, string>> = {
  '001': 'Banco do Brasil',
  '033': 'Santander',
  '077': 'Inter',
  '104': 'Caixa',
  '237': 'Bradesco',
  '341': 'Itaú',
  '748': 'Sicredi',
  '756': 'Sicoob',
};
