import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { jsonColumn, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { READ_TIMEOUT_MS, createTenantDb, sameTenant } from '../../../platform/mysql/tenant.ts';
import type { Write } from '../../escrita.ts';
import { COLUNAS_DE_PROVEDOR, comProvedor, paraProvedor } from '../../provedores/provedores.types.ts';
import { COLUNAS_DE_PERFIL, paraPerfil } from '../perfis/perfis.types.ts';
import { COLUNAS_DE_USUARIO } from '../usuarios.types.ts';
import { encerrarSessoesDoApp, tocarSessoesDoApp } from '../../acessos/sessoes/encerramento.service.ts';
import { nomeDaSessao } from './sessao.ts';
import { COLUNAS_DE_POLITICA, COLUNAS_DE_SESSAO, paraPolitica, paraSessao } from './sessoes.types.ts';
import type { Preferencias, Sessao, SessaoDoPainel } from './sessoes.types.ts';

const DO_USUARIO = columns<{ preferencias: string | Preferencias | null }>('usuarios', { preferencias: true });

/** The look-up that comes before any tenant is known to be right: a session's hash leads to its user, his profile and his provider. */
export async function buscarSessaoPorHash(db: Db, hash: string): Promise<SessaoDoPainel | null> {
  const achada = db('painel_sessoes')
    .join('usuarios', sameTenant('painel_sessoes', 'usuario_id', 'usuarios', 'id'))
    .join('perfis', sameTenant('usuarios', 'perfil_id', 'perfis', 'id'))
    .join('provedores', 'provedores.id', 'painel_sessoes.provedor_id')
    .where('painel_sessoes.hash', Buffer.from(hash, 'hex'))
    .timeout(READ_TIMEOUT_MS)
    .modify(comProvedor);
  const [row] = await rowsOf(
    achada,
    COLUNAS_DE_SESSAO,
    COLUNAS_DE_USUARIO,
    DO_USUARIO,
    COLUNAS_DE_PERFIL,
    COLUNAS_DE_PROVEDOR,
    COLUNAS_DE_POLITICA,
  );
  if (row === undefined) return null;
  const { id, nome, permissoes } = paraPerfil(row);
  return {
    sessao: paraSessao(row),
    usuario: {
      id: row.usuario_id,
      nome: row.usuario_nome,
      email: row.email,
      ativo: row.ativo === 1,
      temFator: row.tem_fator === 1,
      preferencias: jsonColumn<Preferencias>(row.preferencias ?? {}),
    },
    perfil: { id, nome, permissoes },
    provedor: paraProvedor(row),
    politica: paraPolitica(row),
  };
}

/** Sessions of a user that were not ended, the last seen first. Some may be too old to be of use. */
export async function listarSessoes(db: Db, provedorId: number, usuarioId: number): Promise<Sessao[]> {
  const abertas = createTenantDb(db, provedorId)
    .from('painel_sessoes', 'painel_sessoes_usuario')
    .where('usuario_id', usuarioId)
    .whereNull('encerrada_em')
    .orderBy('vista_em', 'desc')
    .limit(100);
  return (await rowsOf(abertas, COLUNAS_DE_SESSAO)).map(paraSessao);
}

const DA_ABERTA = columns<{ id: number; hash: Buffer }>('painel_sessoes', { id: true, hash: true });

const CONTAGEM = columns<{ usuario_id: number; quantas: number }>('painel_sessoes', {
  usuario_id: true,
  quantas: 'COUNT(*)',
});

/** How many sessions each of some users has that began after one moment, were seen after another, and were not ended. */
export async function contarSessoes(
  db: Db,
  provedorId: number,
  usuarioIds: readonly number[],
  { criadasDepois, vistasDepois }: { readonly criadasDepois: Date; readonly vistasDepois: Date },
): Promise<ReadonlyMap<number, number>> {
  const abertas = createTenantDb(db, provedorId)
    .from('painel_sessoes', 'painel_sessoes_usuario')
    .whereIn('usuario_id', usuarioIds)
    .whereNull('encerrada_em')
    .where('criada_em', '>', toDatabaseTime(criadasDepois))
    .where('vista_em', '>', toDatabaseTime(vistasDepois))
    .groupBy('usuario_id');
  return new Map((await rowsOf(abertas, CONTAGEM)).map(({ usuario_id: id, quantas }) => [id, quantas]));
}

/** Makes every process read a user's sessions again, which say what he is called and how he has the panel. */
export async function tocarSessoes(w: Write, usuarioId: number): Promise<void> {
  const abertas = w.from('painel_sessoes').where('usuario_id', usuarioId).whereNull('encerrada_em');
  w.touch(...(await rowsOf(abertas, DA_ABERTA)).map(({ hash }) => nomeDaSessao(hash.toString('hex'))));
  await tocarSessoesDoApp(w, { usuarioIds: [usuarioId] });
}

export interface NovaSessao {
  readonly usuarioId: number;
  readonly hash: string;
  readonly agora: Date;
  readonly comFator: boolean;
  readonly ip: string;
  readonly agente: string;
}

export async function gravarSessao(w: Write, nova: NovaSessao): Promise<number> {
  const agora = toDatabaseTime(nova.agora);
  return w.insert('painel_sessoes', {
    usuario_id: nova.usuarioId,
    hash: Buffer.from(nova.hash, 'hex'),
    criada_em: agora,
    vista_em: agora,
    fator_em: nova.comFator ? agora : null,
    provada_em: agora,
    ip: nova.ip,
    agente: nova.agente,
  });
}

/**
 * Ends sessions of users, all or some, those of the app with them, and touches their tags; resolves to how many. The caller says so to the audit log where nothing else
 * that it says tells of it.
 */
export async function encerrarSessoes(
  w: Write,
  usuarioIds: readonly number[],
  agora: Date,
  quais: { readonly menos?: number; readonly so?: number } = {},
): Promise<number> {
  const { menos, so } = quais;
  // Those of the app are other ones than any that is named here.
  const noApp = so === undefined ? await encerrarSessoesDoApp(w, { usuarioIds }, 'equipe', agora) : 0;
  const abertas = w.from('painel_sessoes').whereIn('usuario_id', usuarioIds).whereNull('encerrada_em');
  if (menos !== undefined) abertas.whereNot('id', menos);
  if (so !== undefined) abertas.where({ id: so });
  const rows = await rowsOf(abertas.forUpdate(), DA_ABERTA);
  if (rows.length === 0) return noApp;
  const ids = rows.map(({ id }) => id);
  await w.update('painel_sessoes', (query) => void query.whereIn('id', ids), { encerrada_em: toDatabaseTime(agora) });
  w.touch(...rows.map(({ hash }) => nomeDaSessao(hash.toString('hex'))));
  return rows.length + noApp;
}

/** Changes an open session; false where it was ended meanwhile. Its tag, of before, is touched. */
export async function mudarSessao(
  w: Write,
  { id, hash }: Pick<Sessao, 'id' | 'hash'>,
  mudancas: { readonly hash?: string; readonly provadaEm?: Date; readonly fatorEm?: Date },
): Promise<boolean> {
  const { provadaEm, fatorEm } = mudancas;
  const colunas = {
    ...(mudancas.hash === undefined ? {} : { hash: Buffer.from(mudancas.hash, 'hex') }),
    ...(provadaEm === undefined ? {} : { provada_em: toDatabaseTime(provadaEm) }),
    ...(fatorEm === undefined ? {} : { fator_em: toDatabaseTime(fatorEm) }),
  };
  // By its hash, too: of two that give it another name at the same time only one does.
  const esta = { id, hash: Buffer.from(hash, 'hex') };
  const mudadas = await w.update(
    'painel_sessoes',
    (query) => void query.where(esta).whereNull('encerrada_em'),
    colunas,
  );
  w.touch(nomeDaSessao(hash));
  return mudadas === 1;
}
