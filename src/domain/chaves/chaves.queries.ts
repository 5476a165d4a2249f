import type { Knex } from 'knex';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { fromDatabaseTime, jsonColumn, toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { READ_TIMEOUT_MS, createTenantDb } from '../../platform/mysql/tenant.ts';
import type { Write } from '../escrita.ts';
import { COLUNAS_DE_PROVEDOR, comProvedor, paraProvedor } from '../provedores/provedores.types.ts';
import { RESTRICOES } from './chaves.types.ts';
import type { AjustesDaChave, Chave, ChaveComProvedor, Permissao, Restricao } from './chaves.types.ts';

export interface ChaveRow {
  id: number;
  nome: string;
  inicio: string;
  hash: Buffer;
  permissoes: string | Permissao[];
  restricoes: string | Restricao[] | null;
  permissoes_restritas: string | Permissao[] | null;
  ips_permitidos: string | string[] | null;
  limite_por_minuto: number;
  expira_em: string | null;
  revogada_em: string | null;
  criado_em: string;
}

export const DA_CHAVE = columns<ChaveRow>('chaves_api', {
  id: true,
  nome: true,
  inicio: true,
  hash: true,
  permissoes: true,
  restricoes: true,
  permissoes_restritas: true,
  ips_permitidos: true,
  limite_por_minuto: true,
  expira_em: true,
  revogada_em: true,
  criado_em: true,
});

const DA_GUARDADA = columns<{ atualizado_em: string; renovada_por: number | null }>('chaves_api', {
  atualizado_em: true,
  renovada_por: true,
});

/** Keys of one tenant. */
export function createChavesQueries(db: Db, provedorId: number) {
  const tenant = createTenantDb(db, provedorId);
  return {
    async listar(): Promise<Chave[]> {
      return (await rowsOf(tenant.from('chaves_api').orderBy('id'), DA_CHAVE)).map(paraChave);
    },

    async feitasPor(usuarioId: number): Promise<Chave[]> {
      const dele = tenant.from('chaves_api').where('criada_por', usuarioId).orderBy('id');
      return (await rowsOf(dele, DA_CHAVE)).map(paraChave);
    },

    /** The key's hash (hexadecimal) and record, or undefined. */
    async buscarPorId(id: number): Promise<{ hash: string; chave: Chave } | undefined> {
      const [row] = await rowsOf(tenant.from('chaves_api').where('chaves_api.id', id), DA_CHAVE);
      return row === undefined ? undefined : { hash: row.hash.toString('hex'), chave: paraChave(row) };
    },
  };
}

/** A key, locked, with what only its changes ask for. */
export interface Guardada {
  readonly chave: Chave;
  readonly atualizadoEm: string;
  /** The key that took its place. */
  readonly renovadaPor: number | null;
}

/** Writes keys of the tenant that is written. */
export function createGravacaoDeChaves(w: Write) {
  const daChave = (id: number) => (query: Knex.QueryBuilder) => void query.where({ id });
  return {
    async travar(id: number): Promise<Guardada | undefined> {
      const [row] = await rowsOf(w.from('chaves_api').where({ id }).forUpdate(), DA_CHAVE, DA_GUARDADA);
      if (row === undefined) return undefined;
      return { chave: paraChave(row), atualizadoEm: row.atualizado_em, renovadaPor: row.renovada_por };
    },

    /** Resolves to its id. Who made it is the one who writes. */
    async inserir(
      nova: AjustesDaChave & Pick<Chave, 'inicio' | 'criadaEm'> & { readonly hash: string },
    ): Promise<number> {
      return w.insert('chaves_api', {
        ...emColunas(nova),
        inicio: nova.inicio,
        hash: Buffer.from(nova.hash, 'hex'),
        criada_por: w.author.usuarioId,
        criado_em: toDatabaseTime(nova.criadaEm),
      });
    },

    async alterar(id: number, ajustes: Partial<DemaisAjustes> & (DoPoder | SemPoder)): Promise<void> {
      await w.update('chaves_api', daChave(id), emColunas(ajustes));
    },

    async renovar(id: number, { por, ate }: { readonly por: number; readonly ate: Date }): Promise<void> {
      await w.update('chaves_api', daChave(id), { renovada_por: por, expira_em: toDatabaseTime(ate) });
    },

    /** Marks a key revoked; the first revocation's instant stays. */
    async revogar(id: number, instante: Date): Promise<void> {
      await w.update('chaves_api', (query) => void query.where({ id }).whereNull('revogada_em'), {
        revogada_em: toDatabaseTime(instante),
      });
    },
  };
}

type DoPoder = Pick<AjustesDaChave, 'permissoes' | 'restricoes'>;
type DemaisAjustes = Omit<AjustesDaChave, keyof DoPoder>;
interface SemPoder {
  readonly permissoes?: never;
  readonly restricoes?: never;
}

/** The columns of the settings that are named, and no others. What a key may do is named with what it is kept from. */
function emColunas({
  nome,
  permissoes,
  restricoes,
  ipsPermitidos,
  limitePorMinuto,
  expiraEm,
}: Partial<DemaisAjustes> & (DoPoder | SemPoder)): object {
  return {
    ...(nome === undefined ? {} : { nome }),
    ...(permissoes === undefined ? {} : doPoder({ permissoes, restricoes })),
    ...(ipsPermitidos === undefined
      ? {}
      : { ips_permitidos: ipsPermitidos === null ? null : JSON.stringify(ipsPermitidos) }),
    ...(limitePorMinuto === undefined ? {} : { limite_por_minuto: limitePorMinuto }),
    ...(expiraEm === undefined ? {} : { expira_em: expiraEm === null ? null : toDatabaseTime(expiraEm) }),
  };
}

/** Of a key that is kept from something, whoever knows of no restriction reads that it may do nothing. */
function doPoder({ permissoes, restricoes }: DoPoder): object {
  const pode = JSON.stringify(permissoes);
  return restricoes.length === 0
    ? { permissoes: pode, restricoes: null, permissoes_restritas: null }
    : { permissoes: '[]', restricoes: JSON.stringify(restricoes), permissoes_restritas: pode };
}

/** The one look-up that comes before any tenant is known: a key's hash leads to its tenant. */
export async function buscarChavePorHash(db: Db, hash: string): Promise<ChaveComProvedor | null> {
  const achada = db('chaves_api')
    .join('provedores', 'provedores.id', 'chaves_api.provedor_id')
    .where('chaves_api.hash', Buffer.from(hash, 'hex'))
    .timeout(READ_TIMEOUT_MS)
    .modify(comProvedor);
  const [row] = await rowsOf(achada, COLUNAS_DE_PROVEDOR, DA_CHAVE);
  return row === undefined ? null : { chave: paraChave(row), provedor: paraProvedor(row) };
}

export function paraChave(row: ChaveRow): Chave {
  const ditas = row.restricoes === null ? [] : jsonColumn<Restricao[]>(row.restricoes);
  return {
    id: row.id,
    nome: row.nome,
    inicio: row.inicio,
    permissoes: jsonColumn<Permissao[]>((ditas.length > 0 ? row.permissoes_restritas : null) ?? row.permissoes),
    restricoes: RESTRICOES.filter((restricao) => ditas.includes(restricao)),
    ipsPermitidos: row.ips_permitidos === null ? null : jsonColumn<string[]>(row.ips_permitidos),
    limitePorMinuto: row.limite_por_minuto,
    expiraEm: row.expira_em === null ? null : fromDatabaseTime(row.expira_em),
    revogadaEm: row.revogada_em === null ? null : fromDatabaseTime(row.revogada_em),
    criadaEm: fromDatabaseTime(row.criado_em),
  };
}
