import { columns, expressions, rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { publicado } from './pendencias.ts';
import { SEM_DESTINO, destinoDe, gravarEm } from './situacao.ts';
import type { Lado } from './situacao.ts';

const TABELA = 'acessos_a_dados';
const POR_HORA = 'acessos_a_dados_idade';
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
const PRIMEIRO = expressions<{ id: number | null }>({ id: 'MIN(id)' });

/**
 * Takes along who saw whose data while a provider was only read, to the cell that it went to: look-ups are answered and noted in the old one
 * until it lets go. The new one has rows of its own by then, which stay, and so do those of others. The old cell knows since when until this is
 * done, so whoever died in it, or was told by `dizer` that it failed, gives the same command again, and nothing is taken twice.
 *
 * @param prazoMs for the old cell's processes to know that it lives there no more: until then they answer, and note it.
 * @returns whether nothing is left to be taken along
 */
export async function levarOQueFicou(
  daqui: Lado,
  para: Lado,
  provedorId: number,
  dizer: (linha: string) => void,
  prazoMs: number,
): Promise<boolean> {
  const { desde } = await destinoDe(daqui.db, provedorId);
  if (desde === null) return true;
  try {
    if (!(await publicado(daqui.db, provedorId, prazoMs))) {
      dizer(`Os processos desta célula podem responder ainda por ele; há worker em execução? ${FICARAM}`);
      return false;
    }
    await levarAcessos(daqui.db, para, provedorId, new Date(desde.getTime() - FOLGA_MS));
    const { mudanca_desde } = SEM_DESTINO;
    await gravarEm(daqui, async (trx) => {
      await trx('provedores').where({ id: provedorId, mudanca: 'foi' }).update({ mudanca_desde });
    });
    return true;
  } catch {
    dizer(FICARAM);
    return false;
  }
}
const FICARAM = 'Quem viu os dados de quem enquanto só se lia está só na célula antiga: dê o mesmo comando de novo.';

/** Without the deadline of those who read for a caller: nobody waits for it. */
const acessosDe = (db: Db, provedorId: number, indice: string) =>
  db(db.raw('?? FORCE INDEX (??)', [TABELA, indice])).where({ provedor_id: provedorId });

/** A provider has millions of them from before, so the first one is found by the hour, and the others from there on by their numbers. */
async function levarAcessos(origem: Db, para: Lado, provedorId: number, desde: Date): Promise<void> {
  const hora = toDatabaseTime(desde);
  const [primeiro] = await rowsOf(acessosDe(origem, provedorId, POR_HORA).where('ocorrido_em', '>=', hora), PRIMEIRO);
  if (primeiro === undefined || primeiro.id === null) return;
  let depoisDe = primeiro.id - 1;
  for (;;) {
    const novos = acessosDe(origem, provedorId, 'PRIMARY').where('id', '>', depoisDe);
    const rows = await rowsOf(novos.where('ocorrido_em', '>=', hora).orderBy('id').limit(POR_VEZ), DO_ACESSO);
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
    await rowsOf(acessosDe(trx, provedorId, POR_HORA).whereIn('ocorrido_em', horas), DO_ACESSO),
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
