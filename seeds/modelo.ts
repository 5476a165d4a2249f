import type { Data } from '../src/brazil/calendario/datas.ts';
import type { Centavos } from '../src/brazil/dinheiro/dinheiro.ts';
import type { Canal } from '../src/domain/protocolos/protocolos.types.ts';
import type { CategoriaChamado, PrioridadeChamado, SituacaoChamado } from '../src/domain/chamados/chamados.types.ts';
import type { SituacaoCliente } from '../src/domain/clientes/clientes.types.ts';
import type { SituacaoContrato, TipoCobranca } from '../src/domain/contratos/contratos.types.ts';
import type { SituacaoFatura, TipoFatura } from '../src/domain/faturas/faturas.types.ts';

// Rows as they go to the database, save two things: provedor_id is missing, and foreign keys are positions in the other
// table's list, because ids exist only after writing. They are `type` and not `interface` so as to fit `Linha`.

export type Valor = string | number | Buffer | null;
export type Linha = Readonly<Record<string, Valor>>;

export type LinhaEndereco = {
  cep: string | null;
  logradouro: string | null;
  numero: string | null;
  complemento: string | null;
  bairro: string | null;
  cidade: string | null;
  uf: string | null;
};

export type LinhaCliente = LinhaEndereco & {
  nome: string;
  nome_fantasia: string | null;
  tipo: 'pf' | 'pj';
  cpf_cnpj: string;
  email: string | null;
  situacao: SituacaoCliente;
  data_nascimento: string | null;
  criado_em: string;
  atualizado_em: string;
};

export type LinhaTelefone = { cliente_id: number; numero: string };

type LinhaContrato = LinhaEndereco & {
  cliente_id: number;
  plano_id: number;
  situacao: SituacaoContrato;
  tipo_conexao: string;
  login: string | null;
  mac: string | null;
  ip: string | null;
  tipo_cobranca: TipoCobranca;
  dia_vencimento: number;
  valor: string;
  ativado_em: string | null;
  bloqueado_em: string | null;
  bloqueio_origem: 'financeiro' | 'manual' | null;
  criado_em: string;
  atualizado_em: string;
};

/** What became of a contract's charges, from which invoices, blocks and unblocks follow. */
export type CasoDeCobranca = 'em_dia' | 'bloqueado' | 'fatura_anterior' | 'desbloqueado' | 'manual' | 'encerrado';

export interface ContratoGerado {
  readonly linha: LinhaContrato;
  readonly caso: CasoDeCobranca;
  readonly vencimentos: readonly Data[];
  /** From this due date on nothing was paid; null where nothing is owed. */
  readonly emAbertoDesde: Data | null;
  readonly bloqueadoEm: Date | null;
  readonly valor: Centavos;
}

export type LinhaHistorico = {
  contrato_id: number;
  acao: string;
  descricao: string | null;
  autor: string | null;
  ocorrido_em: string;
};

type LinhaFatura = {
  cliente_id: number;
  contrato_id: number | null;
  descricao: string | null;
  situacao: SituacaoFatura;
  tipo: TipoFatura | null;
  valor: string;
  valor_pago: string;
  vencimento: Data;
  emitida_em: string;
  pago_em: string | null;
  token: string;
  pix_txid: string | null;
  nosso_numero: string | null;
  carne_id: number | null;
  parcela: number | null;
  atualizado_em: string;
};

export type LinhaCarne = { cliente_id: number; parcelas: number; emitido_em: string };

export interface FaturaGerada {
  readonly linha: LinhaFatura;
  readonly valor: Centavos;
  /** Free field of the bar code; null where there is no boleto. */
  readonly campoLivre: string | null;
}

export type LinhaDesbloqueio = {
  contrato_id: number;
  fatura_causa_id: number;
  dias: number;
  motivo: string | null;
  aplicado_em: string;
  ate: string;
  encerrado_em: string | null;
};

export type LinhaAtendimento = {
  protocolo: string;
  tipo: 'contato' | 'chamado';
  canal: Canal | null;
  cliente_id: number;
  contrato_id: number | null;
  chamado_id: number | null;
  assunto: string | null;
  resumo: string | null;
  autor: string | null;
  aberto_em: string;
};

export type LinhaDeProtocolos = {
  dia: string;
  ultimo: number;
};

export type LinhaPromessa = {
  cliente_id: number;
  contrato_id: number;
  data: Data;
  autor: string;
  registrada_em: string;
};

export type LinhaChamado = {
  protocolo: string;
  cliente_id: number;
  contrato_id: number | null;
  situacao: SituacaoChamado;
  prioridade: PrioridadeChamado;
  categoria: CategoriaChamado | null;
  origem: 'api' | 'painel' | 'app';
  assunto: string;
  descricao: string;
  solucao: string | null;
  aberto_em: string;
  fechado_em: string | null;
  agendado_para: string | null;
  atualizado_em: string;
};

export type LinhaHistoricoChamado = {
  chamado_id: number;
  acao: string;
  descricao: string | null;
  autor: string | null;
  ocorrido_em: string;
};
