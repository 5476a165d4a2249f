import { randomBytes } from 'node:crypto';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Write } from '../../escrita.ts';
import { resumoDoSegredo } from '../../segredo.ts';

export interface FatorRow {
  id: number;
  usuario_id: number;
  tipo: 'totp' | 'passkey';
  nome: string;
  segredo: Buffer | null;
  credencial: string | null;
  chave_publica: Buffer | null;
  contador: number;
  ultimo_passo: number;
  confirmado_em: string | null;
}

const COLUNAS_DE_FATOR = columns<FatorRow>('usuarios_fatores', {
  id: true,
  usuario_id: true,
  tipo: true,
  nome: true,
  segredo: true,
  credencial: true,
  chave_publica: true,
  contador: true,
  ultimo_passo: true,
  confirmado_em: true,
});

/** The factors of a user, by id; inside a write they are locked until it ends, so that what is used once is used once. */
export async function lerFatores(de: Pick<TenantDb, 'from'>, usuarioId: number, travar = false): Promise<FatorRow[]> {
  const deles = de.from('usuarios_fatores').where('usuario_id', usuarioId).orderBy('id');
  return rowsOf(travar ? deles.forUpdate() : deles, COLUNAS_DE_FATOR);
}

/** A passkey by what its device calls it. */
export async function buscarCredencial(de: Pick<TenantDb, 'from'>, credencial: string): Promise<FatorRow | null> {
  const desta = de.from('usuarios_fatores').where('credencial_hash', resumoDoSegredo(credencial));
  const [row] = await rowsOf(desta.whereNotNull('confirmado_em'), COLUNAS_DE_FATOR);
  return row ?? null;
}

const CODIGOS = 10;
/** 80 bits: a hash without salt holds against any guessing. */
const BYTES_DO_CODIGO = 10;
const SINAIS = '0123456789abcdefghjkmnpqrstvwxyz';

/** New recovery codes in the place of those there are; the texts are nowhere else. */
export async function trocarCodigos(w: Write, usuarioId: number): Promise<string[]> {
  const codigos = Array.from({ length: CODIGOS }, gerarCodigo);
  await w.delete('usuarios_codigos', (query) => void query.where({ usuario_id: usuarioId }));
  await w.insert(
    'usuarios_codigos',
    codigos.map((codigo) => ({ usuario_id: usuarioId, hash: resumoDoSegredo(limparCodigo(codigo)) })),
  );
  return codigos;
}

/** Uses a recovery code up; false where it is none of the user's, or was used. */
export async function gastarCodigo(w: Write, usuarioId: number, codigo: string, agora: Date): Promise<boolean> {
  const hash = resumoDoSegredo(limparCodigo(codigo));
  const gastos = await w.update(
    'usuarios_codigos',
    (query) => void query.where({ usuario_id: usuarioId, hash }).whereNull('usado_em'),
    { usado_em: toDatabaseTime(agora) },
  );
  return gastos === 1;
}

/** Four groups of four of Crockford's base 32. */
function gerarCodigo(): string {
  const bits = [...randomBytes(BYTES_DO_CODIGO)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const sinais = (bits.match(/.{5}/g) ?? []).map((cinco) => SINAIS[Number.parseInt(cinco, 2)]).join('');
  return (sinais.match(/.{4}/g) ?? []).join('-');
}

const limparCodigo = (codigo: string): string =>
  codigo.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');

/** Takes all factors and codes from a user; resolves to how many factors. */
export async function tirarFatores(w: Write, usuarioId: number): Promise<number> {
  await w.delete('usuarios_codigos', (query) => void query.where({ usuario_id: usuarioId }));
  return w.delete('usuarios_fatores', (query) => void query.where({ usuario_id: usuarioId }));
}
