import { columns } from '../../platform/mysql/columns.ts';

/** The systems whose exports are known, and our own columns. */
export const FORMATOS = ['malha', 'ixc', 'mkauth', 'sgp'] as const;
export type Formato = (typeof FORMATOS)[number];

/** What the lines of a file are. Of invoices those open, paid and cancelled alike, by their state. */
export const TIPOS = ['planos', 'clientes', 'faturas'] as const;
export type Tipo = (typeof TIPOS)[number];

export const CODIFICACOES = ['utf-8', 'windows-1252', 'utf-16le'] as const;
export type Codificacao = (typeof CODIFICACOES)[number];

/** How the bytes of a file become lines of cells. */
export interface Leitura {
  readonly codificacao: Codificacao;
  readonly separador: string;
  /** Whether the first line names the columns. */
  readonly cabecalho: boolean;
  /** Whether a `"` at the beginning of a cell holds separators and line breaks together. */
  readonly aspas: boolean;
  /** Names of the columns, none twice, in their order. */
  readonly colunas: readonly string[];
}

/** Which column is what, and what is decided for all lines. */
export interface Mapa {
  /** The field that each column gives; null: none. */
  readonly colunas: Readonly<Record<string, string | null>>;
  /** Plans by the name that the file has for them. */
  readonly planos?: Readonly<Record<string, number>> | undefined;
  /** Plan of the lines whose own does not exist. */
  readonly plano_padrao?: number | null | undefined;
  /** Charging account of the lines that name none. */
  readonly cobrador?: number | null | undefined;
  /** Whether plans that do not exist are made, by their name and the value of the first line that has it. */
  readonly criar_planos?: boolean | undefined;
  /** Names of cities, by the number that the other system has for them. */
  readonly cidades?: Readonly<Record<string, string>> | undefined;
  /** Fields that are left out where they cannot be read, instead of refusing the line. */
  readonly tolerar?: readonly string[] | undefined;
}

export type SituacaoDaImportacao = 'recebendo' | 'nova' | 'simulada' | 'em_execucao' | 'executada' | 'desfeita';
export type Acao = 'simular' | 'executar' | 'desfazer' | 'aplicar_rede';

/** What became of lines, and what they made. Counts of an action that is under way, or of the last one. */
export interface Contagens {
  readonly lidas: number;
  readonly gravadas: number;
  readonly ja_estavam: number;
  /** Of those, lines that say something else than what is here: an import changes nothing that is there. */
  readonly difere: number;
  readonly recusadas: number;
  /** Lines of which something was changed in reading: a date, a phone, an amount. */
  readonly alteradas: number;
  readonly clientes: number;
  readonly telefones: number;
  readonly contratos: number;
  readonly senhas: number;
  readonly faturas: number;
  /** Sum of the invoices in reais. */
  readonly valor: string;
  readonly planos: number;
  readonly desbloqueios: number;
  /** Lines of which what they made was deleted, and those of which it stayed. */
  readonly desfeitas: number;
  readonly ficaram: number;
  /** Logins that were handed to the network. */
  readonly acessos: number;
}

export const SEM_CONTAGENS: Contagens = {
  lidas: 0,
  gravadas: 0,
  ja_estavam: 0,
  difere: 0,
  recusadas: 0,
  alteradas: 0,
  clientes: 0,
  telefones: 0,
  contratos: 0,
  senhas: 0,
  faturas: 0,
  valor: '0.00',
  planos: 0,
  desbloqueios: 0,
  desfeitas: 0,
  ficaram: 0,
  acessos: 0,
};

export interface ImportacaoRow {
  id: number;
  arquivo: string;
  formato: Formato;
  tipo: Tipo;
  leitura: unknown;
  mapa: unknown;
  bytes: number;
  linhas: number;
  situacao: SituacaoDaImportacao;
  acao: Acao | null;
  avisar: number;
  proxima_linha: number;
  contagens: unknown;
  simulacao: unknown;
  motivo: string | null;
  autor: string;
  criado_em: string;
  iniciada_em: string | null;
  terminada_em: string | null;
}

export const COLUNAS_DA_IMPORTACAO = columns<ImportacaoRow>('importacoes', {
  id: true,
  arquivo: true,
  formato: true,
  tipo: true,
  leitura: true,
  mapa: true,
  bytes: true,
  linhas: true,
  situacao: true,
  acao: true,
  avisar: true,
  proxima_linha: true,
  contagens: true,
  simulacao: true,
  motivo: true,
  autor: true,
  criado_em: true,
  iniciada_em: true,
  terminada_em: true,
});

/** A plan by the name that the file has for it, and how many lines have it. */
export interface PlanoSemPar {
  readonly nome: string;
  readonly linhas: number;
}

/** What a dry run keeps: its counts, and beside them what is still to be decided. */
export interface SimulacaoGuardada extends Contagens {
  readonly planos_sem_par?: readonly PlanoSemPar[];
}

/** A file that was taken in, and how far it has come. */
export interface Importacao {
  readonly id: number;
  readonly arquivo: string;
  readonly formato: Formato;
  readonly tipo: Tipo;
  readonly leitura: Leitura;
  readonly mapa: Mapa;
  readonly bytes: number;
  /** Counted by line breaks until the whole was read once. */
  readonly linhas: number;
  readonly situacao: SituacaoDaImportacao;
  /** What was asked for and is not over. */
  readonly acao: Acao | null;
  readonly avisar: boolean;
  /** The first line that the action under way has not come to. */
  readonly proximaLinha: number;
  readonly contagens: Contagens;
  /** Of the last dry run. */
  readonly simulacao: Contagens | null;
  /** Plans that its lines name and the provider does not have, by the map of then; those of most lines first, 100 at most. */
  readonly planosSemPar: readonly PlanoSemPar[];
  /** Why the last action ended before its end. */
  readonly motivo: string | null;
  readonly autor: string;
  readonly criadoEm: Date;
  /** When its first line was written. */
  readonly iniciadaEm: Date | null;
  readonly terminadaEm: Date | null;
}

/** What is wrong with a line, where. */
export interface Erro {
  /** As the file has it; null where it is the line's. */
  readonly coluna: string | null;
  readonly campo: string | null;
  /** In Portuguese, without the value: passwords and documents are values. */
  readonly mensagem: string;
}

/** What was made of a value in reading. */
export interface Nota {
  readonly coluna: string;
  readonly campo: string;
  readonly de: string;
  readonly para: string;
  /** Where nothing was changed: what there is to be said of it. */
  readonly aviso?: string;
}
