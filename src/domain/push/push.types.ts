import { columns } from '../../platform/mysql/columns.ts';
import { fromDatabaseTime, jsonColumn } from '../../platform/mysql/database.ts';
import type { NomeDePush } from './tipos.regras.ts';

export type TipoDeCanal = 'fcm' | 'webpush';
export const PLATAFORMAS = ['android', 'ios', 'web'] as const;
type Plataforma = (typeof PLATAFORMAS)[number];

export interface DispositivoRow {
  id: number;
  sessao_id: number | null;
  token_hash: Buffer;
  tipo: TipoDeCanal;
  plataforma: Plataforma;
  versao: string | null;
  silenciados: string | NomeDePush[];
  visto_em: string;
  criado_em: string;
}

export const DO_DISPOSITIVO = columns<DispositivoRow>('push_dispositivos', {
  id: true,
  sessao_id: true,
  token_hash: true,
  tipo: true,
  plataforma: true,
  versao: true,
  silenciados: true,
  visto_em: true,
  criado_em: true,
});

/** A device on which somebody is told things. */
export interface Dispositivo {
  readonly id: number;
  /** Of the app; null of a browser at the panel. */
  readonly sessaoId: number | null;
  /** SHA-256 of its token, or of its subscription's address, in hex: by it a browser finds itself among them. */
  readonly resumo: string;
  readonly tipo: TipoDeCanal;
  readonly plataforma: Plataforma;
  readonly versao: string | null;
  readonly silenciados: readonly NomeDePush[];
  /** When the app last said that it is there. */
  readonly vistoEm: Date;
  readonly criadoEm: Date;
}

export const paraDispositivo = (row: DispositivoRow): Dispositivo => ({
  id: row.id,
  sessaoId: row.sessao_id,
  resumo: row.token_hash.toString('hex'),
  tipo: row.tipo,
  plataforma: row.plataforma,
  versao: row.versao,
  silenciados: jsonColumn<NomeDePush[]>(row.silenciados),
  vistoEm: fromDatabaseTime(row.visto_em),
  criadoEm: fromDatabaseTime(row.criado_em),
});

/** Whose a device is: a subscriber's or somebody's of the staff, in a session of the app, or at the panel (`sessaoId` null). */
export type DonoDoDispositivo = ({ readonly acessoId: number } | { readonly usuarioId: number }) & {
  readonly sessaoId: number | null;
};
