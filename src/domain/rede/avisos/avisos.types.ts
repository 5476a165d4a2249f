import { columns } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';

export const TIPOS_DE_AVISO = ['interrupcao', 'degradacao', 'manutencao', 'informativo'] as const;
type TipoDeAviso = (typeof TIPOS_DE_AVISO)[number];
/** Who opened it: staff, or the program, by sessions that ended together. */
type OrigemDeAviso = 'equipe' | 'detectado';

/** Which notices are asked for. `abertos`: those without an end, planned ones included. */
export const SITUACOES_PEDIDAS = ['abertos', 'encerrados', 'todos'] as const;
export type SituacaoPedida = (typeof SITUACOES_PEDIDAS)[number];

/** What a notice covers. A district is one of a city: the same name stands in many. */
export type AlvoDeAviso =
  | { readonly tipo: 'nas'; readonly nas: string }
  | { readonly tipo: 'pop' | 'plano'; readonly id: number }
  | { readonly tipo: 'cidade'; readonly cidade: string }
  | { readonly tipo: 'bairro'; readonly cidade: string; readonly bairro: string }
  | { readonly tipo: 'todos' };

export interface AvisoRow {
  id: number;
  tipo: TipoDeAviso;
  titulo: string;
  texto: string;
  inicio: string;
  previsao: string | null;
  fim: string | null;
  origem: OrigemDeAviso;
  aberto_por: number | null;
  autor: string | null;
  criado_em: string;
  atualizado_em: string;
}

export const COLUNAS_DO_AVISO = columns<AvisoRow>('avisos_de_rede', {
  id: true,
  tipo: true,
  titulo: true,
  texto: true,
  inicio: true,
  previsao: true,
  fim: true,
  origem: true,
  aberto_por: true,
  autor: true,
  criado_em: true,
  atualizado_em: true,
});

export interface AlvoRow {
  aviso_id: number;
  tipo: AlvoDeAviso['tipo'];
  alvo_id: number | null;
  texto: string | null;
  cidade: string | null;
}

export const COLUNAS_DO_ALVO = columns<AlvoRow>('avisos_de_rede_alvos', {
  aviso_id: true,
  tipo: true,
  alvo_id: true,
  texto: true,
  cidade: true,
});

/** A notice, without what it covers. */
export interface Aviso {
  readonly id: number;
  readonly tipo: TipoDeAviso;
  readonly titulo: string;
  /** What to tell the subscriber. */
  readonly texto: string;
  readonly inicio: Date;
  readonly previsao: Date | null;
  /** Null while it is open. */
  readonly fim: Date | null;
  /** `agendado`: open, and its beginning is to come. */
  readonly situacao: 'agendado' | 'aberto' | 'encerrado';
  readonly origem: OrigemDeAviso;
  /** The user who opened it; null where it was detected. */
  readonly abertoPor: number | null;
  readonly autor: string | null;
  readonly criadoEm: Date;
  /** Its version. */
  readonly atualizadoEm: Date;
}

/** One with what it covers. */
export interface AvisoComAlvos extends Aviso {
  readonly alvos: readonly AlvoDeAviso[];
}

/** How many a notice covers: contracts that have a line, and their clients. */
export interface Cobertura {
  readonly contratos: number;
  readonly clientes: number;
  /** Both are at least so many. */
  readonly mais: boolean;
}

export function paraAviso(row: AvisoRow, agora: Date): Aviso {
  const inicio = fromDatabaseTime(row.inicio);
  return {
    id: row.id,
    tipo: row.tipo,
    titulo: row.titulo,
    texto: row.texto,
    inicio,
    previsao: row.previsao === null ? null : fromDatabaseTime(row.previsao),
    fim: row.fim === null ? null : fromDatabaseTime(row.fim),
    situacao: row.fim !== null ? 'encerrado' : inicio > agora ? 'agendado' : 'aberto',
    origem: row.origem,
    abertoPor: row.aberto_por,
    autor: row.autor,
    criadoEm: fromDatabaseTime(row.criado_em),
    atualizadoEm: fromDatabaseTime(row.atualizado_em),
  };
}

export function paraAlvo({ tipo, alvo_id, texto, cidade }: AlvoRow): AlvoDeAviso {
  switch (tipo) {
    case 'nas':
      return { tipo, nas: texto ?? '' };
    case 'pop':
    case 'plano':
      return { tipo, id: alvo_id ?? 0 };
    case 'cidade':
      return { tipo, cidade: texto ?? '' };
    case 'bairro':
      return { tipo, cidade: cidade ?? '', bairro: texto ?? '' };
    case 'todos':
      break;
  }
  return { tipo: 'todos' };
}

/** The columns of a target. */
export function colunasDoAlvo(alvo: AlvoDeAviso): Omit<AlvoRow, 'aviso_id'> {
  const vazio = { alvo_id: null, texto: null, cidade: null };
  switch (alvo.tipo) {
    case 'nas':
      return { ...vazio, tipo: alvo.tipo, texto: alvo.nas };
    case 'pop':
    case 'plano':
      return { ...vazio, tipo: alvo.tipo, alvo_id: alvo.id };
    case 'cidade':
      return { ...vazio, tipo: alvo.tipo, texto: alvo.cidade };
    case 'bairro':
      return { ...vazio, tipo: alvo.tipo, texto: alvo.bairro, cidade: alvo.cidade };
    case 'todos':
      break;
  }
  return { ...vazio, tipo: 'todos' };
}
