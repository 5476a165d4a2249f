import { columns } from '../../platform/mysql/columns.ts';
import type { SituacaoCliente } from '../clientes/clientes.types.ts';
import type { SituacaoContrato } from '../contratos/contratos.types.ts';

export const TIPOS_DA_BUSCA = ['clientes', 'contratos', 'faturas', 'chamados'] as const;
export type TipoDaBusca = (typeof TIPOS_DA_BUSCA)[number];

/** How something was found. */
export type PorQue = 'protocolo' | 'numero' | 'documento' | 'telefone' | 'nome' | 'login' | 'mac' | 'ip';

interface ClienteAchadoRow {
  id: number;
  nome: string;
  nome_fantasia: string | null;
  cpf_cnpj: string;
  situacao: SituacaoCliente;
  cidade: string | null;
}

export const DO_CLIENTE_ACHADO = columns<ClienteAchadoRow>('clientes', {
  id: true,
  nome: true,
  nome_fantasia: true,
  cpf_cnpj: true,
  situacao: true,
  cidade: true,
});

/** `cpf_cnpj` is whole: who may not see it is shown less by the surface. */
export interface ClienteAchado extends Readonly<ClienteAchadoRow> {
  readonly por: PorQue;
  readonly telefones: readonly string[];
}

export interface ContratoAchadoRow {
  id: number;
  cliente_id: number;
  cliente_nome: string;
  plano_nome: string;
  situacao: SituacaoContrato;
  login: string | null;
  mac: string | null;
  ip: string | null;
}

export const DO_CONTRATO_ACHADO = columns<ContratoAchadoRow>('contratos', {
  id: true,
  cliente_id: true,
  cliente_nome: 'clientes.nome',
  plano_nome: 'planos.nome',
  situacao: true,
  login: true,
  mac: true,
  ip: true,
});

export interface ContratoAchado extends Readonly<ContratoAchadoRow> {
  readonly por: PorQue;
}

/** Money is decimal text; days are calendar dates. `situacao` is as it is stored: whether it is overdue follows from `vencimento`. */
export interface FaturaAchadaRow {
  id: number;
  cliente_id: number;
  cliente_nome: string;
  situacao: string;
  valor: string;
  vencimento: string;
}

export const DA_FATURA_ACHADA = columns<FaturaAchadaRow>('faturas', {
  id: true,
  cliente_id: true,
  cliente_nome: 'clientes.nome',
  situacao: true,
  valor: true,
  vencimento: true,
});

export interface ChamadoAchadoRow {
  id: number;
  cliente_id: number;
  cliente_nome: string;
  situacao: string;
  assunto: string;
}

export const DO_CHAMADO_ACHADO = columns<ChamadoAchadoRow>('chamados', {
  id: true,
  cliente_id: true,
  cliente_nome: 'clientes.nome',
  situacao: true,
  assunto: true,
});

export interface OpcoesDaBusca {
  /** What who searches may see; the rest is not looked for. Of everything where it is absent. */
  readonly tipos?: readonly TipoDaBusca[];
  /** Whether a tax id is found by its beginning too, by the whole of a valid one alone, or not at all. `partes` where it is absent. */
  readonly documentos?: 'partes' | 'inteiros' | 'nenhum';
}

export interface ResultadoDaBusca {
  readonly clientes: readonly ClienteAchado[];
  readonly contratos: readonly ContratoAchado[];
  readonly faturas: readonly Readonly<FaturaAchadaRow>[];
  readonly chamados: readonly Readonly<ChamadoAchadoRow>[];
  /** The one thing that was meant, to be opened at once; null where several may be. */
  readonly exato: { readonly tipo: TipoDaBusca; readonly id: number } | null;
  /** There are more than these, or words so common that not all were looked through: a longer text finds more. */
  readonly incompleto: boolean;
}
