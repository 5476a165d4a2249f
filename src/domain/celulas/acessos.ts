import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { createTenantDb } from '../../platform/mysql/tenant.ts';
import { SEM_DESTINO, destinoDe, gravarEm } from './situacao.ts';
import type { Lado } from './situacao.ts';

const TABELA = 'acessos_a_dados';
/** What began before the provider was only read may have been noted after the last copy. */
const FOLGA_MS = 60_000;
const POR_VEZ = 1000;

interface AcessoRow {
  provedor_id: number;
  id: number;
  usuario_id: number;
  cliente_id: number | null;
  o_que: string;
  ocorrido_em: string;
}

const DO_ACESSO = columns<AcessoRow>(TABELA, {
  provedor_id: true,
  id: true,
  usuario_id: true,
  cliente_id: true,
  o_que: true,
  ocorrido_em: true,
});

/**
 * Takes along who saw whose data while a provider was only read, to the cell that it went to: look-ups are answered and noted in the old one
 * until it lets go. The new one has rows of its own by then, which stay, and so do those of others. The old cell knows since when until this is
 * done, so whoever died in it, or was told by `dizer` that it failed, gives the same command again, and nothing is taken twice.
 */
export async function levarOQueFicou(
  daqui: Lado,
  para: Lado,
  provedorId: number,
  dizer: (linha: string) => void,
): Promise<void> {
  const { desde } = await destinoDe(daqui.db, provedorId);
  if (desde === null) return;
  try {
    await levarAcessos(daqui.db, para, provedorId, new Date(desde.getTime() - FOLGA_MS));
    const { mudanca_desde } = SEM_DESTINO;
    await gravarEm(daqui, async (trx) => {
      await trx('provedores').where({ id: provedorId, mudanca: 'foi' }).update({ mudanca_desde });
    });
  } catch {
    dizer('Quem viu os dados de quem enquanto só se lia está só na célula antiga: dê o mesmo comando de novo.');
  }
}

async function levarAcessos(origem: Db, para: Lado, provedorId: number, desde: Date): Promise<void> {
  let depoisDe = 0;
  for (;;) {
    const novos = createTenantDb(origem, provedorId).from(TABELA, 'PRIMARY').where('id', '>', depoisDe);
    const rows = await rowsOf(
      novos.where('ocorrido_em', '>=', toDatabaseTime(desde)).orderBy('id').limit(POR_VEZ),
      DO_ACESSO,
    );
    const ultima = rows.at(-1);
    if (ultima === undefined) return;
    await gravarEm(para, async (trx) => gravarOsQueFaltam(trx, provedorId, rows));
    depoisDe = ultima.id;
  }
}

/**
 * Under their own numbers; where a cell that numbers as this one does has given one of them to another row, under a new one. A number that
 * is taken meanwhile makes all of it go back: nothing is written over.
 */
async function gravarOsQueFaltam(trx: Db, provedorId: number, rows: readonly AcessoRow[]): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const horas = [...new Set(rows.map(({ ocorrido_em }) => ocorrido_em))];
  const [comNumero, daHora] = [
    await rowsOf(trx(TABELA).whereIn('id', ids), DO_ACESSO),
    await rowsOf(createTenantDb(trx, provedorId).from(TABELA).whereIn('ocorrido_em', horas), DO_ACESSO),
  ];
  const porNumero = new Map(comNumero.map((row) => [row.id, row]));
  const ditos = new Set(daHora.map(ditoPor));
  const livres = rows.filter(({ id }) => !porNumero.has(id));
  const semNumero = rows.filter((row) => porNumero.has(row.id) && !ditos.has(ditoPor(row)));
  for (const [novas, com] of [
    [livres, true],
    [semNumero, false],
  ] as const) {
    if (novas.length > 0) await trx(TABELA).insert(novas.map(({ id, ...resto }) => (com ? { id, ...resto } : resto)));
  }
}

/** What a row says, whatever its number. */
const ditoPor = ({ provedor_id, usuario_id, cliente_id, o_que, ocorrido_em }: AcessoRow): string =>
  [provedor_id, usuario_id, cliente_id, o_que, ocorrido_em].join(' ');
