import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Write } from '../../escrita.ts';
import { gerarSegredo, pareceSegredo, resumoDoSegredo } from '../../segredo.ts';

const HORA_MS = 3_600_000;

/** What a link is for, and how long it holds. */
const VALIDADE_MS = { convite: 72 * HORA_MS, senha: HORA_MS / 2 } as const;
export type TipoDeLink = keyof typeof VALIDADE_MS;

/** A link to set a password by; its token is nowhere else. */
export interface Link {
  readonly token: string;
  readonly url: string;
  readonly expiraEm: Date;
}

export interface LinkLido {
  readonly id: number;
  readonly tipo: TipoDeLink;
  readonly usuarioId: number;
}

interface LinkRow {
  id: number;
  tipo: TipoDeLink;
  usuario_id: number;
  expira_em: string;
}

const COLUNAS_DE_LINK = columns<LinkRow>('usuarios_convites', {
  id: true,
  tipo: true,
  usuario_id: true,
  expira_em: true,
});

/** The path of the page that a token opens, on the provider's host. */
const caminhoDoLink = (tipo: TipoDeLink, token: string): string =>
  tipo === 'convite' ? `/painel/convite/${token}` : `/painel/senha/${token}`;

/** Makes a link; those of the user's from before, of whatever kind, hold no more. */
export async function fazerLink(
  w: Write,
  host: string,
  usuarioId: number,
  tipo: TipoDeLink,
  agora: Date,
): Promise<Link> {
  await anularLinks(w, usuarioId, agora);
  const token = gerarSegredo();
  const expiraEm = new Date(agora.getTime() + VALIDADE_MS[tipo]);
  await w.insert('usuarios_convites', {
    usuario_id: usuarioId,
    tipo,
    token_hash: resumoDoSegredo(token),
    expira_em: toDatabaseTime(expiraEm),
  });
  return { token, url: `https://${host}${caminhoDoLink(tipo, token)}`, expiraEm };
}

export async function anularLinks(w: Write, usuarioId: number, agora: Date): Promise<void> {
  const abertos = { usuario_id: usuarioId, usado_em: null };
  await w.update('usuarios_convites', (query) => void query.where(abertos), { usado_em: toDatabaseTime(agora) });
}

/** A link that still holds, by its token; null where there is none. `travar`: until the write ends. */
export async function lerLink(
  de: Pick<TenantDb, 'from'>,
  token: string,
  agora: Date,
  travar = false,
): Promise<LinkLido | null> {
  if (!pareceSegredo(token)) return null;
  const deste = de.from('usuarios_convites').where('token_hash', resumoDoSegredo(token)).whereNull('usado_em');
  const [row] = await rowsOf(travar ? deste.forUpdate() : deste, COLUNAS_DE_LINK);
  if (row === undefined || fromDatabaseTime(row.expira_em) <= agora) return null;
  return { id: row.id, tipo: row.tipo, usuarioId: row.usuario_id };
}
