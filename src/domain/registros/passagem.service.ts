import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Write } from '../escrita.ts';
import { SILENCIO_SEGUNDOS } from './registros.service.ts';

interface AbertoRow {
  id: number;
  radacctid: number;
  login: string;
  nas: number;
  mac: string;
  rede: Buffer;
  bits: number;
  inicio: string;
}

const DO_ABERTO = columns<AbertoRow>('registros_conexao', {
  id: true,
  radacctid: true,
  login: true,
  nas: true,
  mac: true,
  rede: true,
  bits: true,
  inicio: true,
});
const DE_OUVIDA = columns<{ radacctid: number; dita_em: string }>('sessoes_ouvidas', {
  radacctid: true,
  dita_em: true,
});

/**
 * Has what is open of one contract be another's from now on: its sessions stay up with the login that the other takes over. A record ends and
 * one of the same session begins; whatever ends the session ends the new one. Of a session that was silent for long, nobody knows whether
 * it was still there: what is the former's ends with the last sign of life.
 *
 * The caller holds the contracts' locks; FreeRADIUS, which ends records, waits for this transaction.
 */
export async function passarRegistros(w: Write, de: number, para: number, agora: Date): Promise<void> {
  // Records are by the second.
  const instante = toDatabaseTime(new Date(Math.floor(agora.getTime() / 1000) * 1000));
  const segundo = instante.slice(0, 19);
  const limite = toDatabaseTime(new Date(agora.getTime() - SILENCIO_SEGUNDOS * 1000)).slice(0, 19);
  const deles = w.from('registros_conexao').where('contrato_id', de).whereNull('fim').orderBy('id').forUpdate();
  const abertos = await rowsOf(deles, DO_ABERTO);
  const antes = abertos.filter(({ inicio }) => inicio < segundo);
  // By a NAS's clock that is ahead.
  const depois = abertos.filter(({ inicio }) => inicio >= segundo);
  if (depois.length > 0) {
    const ids = depois.map(({ id }) => id);
    await w.update('registros_conexao', (q) => void q.whereIn('id', ids), { contrato_id: para });
  }
  if (antes.length === 0) return;
  // Without a lock: FreeRADIUS writes here first, and to the records after.
  const ouvidas = w.tenant.db('sessoes_ouvidas').whereIn(
    'radacctid',
    antes.map(({ radacctid }) => radacctid),
  );
  const ditas = new Map((await rowsOf(ouvidas, DE_OUVIDA)).map(({ radacctid, dita_em }) => [radacctid, dita_em]));
  const fimDe = ({ radacctid, inicio }: AbertoRow): string => {
    const dita = ditas.get(radacctid) ?? inicio;
    const visto = dita > inicio ? dita : inicio;
    return visto < limite ? visto : segundo;
  };
  await w.updateEach(
    'registros_conexao',
    antes.map(({ id }) => id),
    { fim: antes.map(fimDe) },
  );
  await w.insert(
    'registros_conexao',
    antes.map(({ id: _id, inicio: _inicio, ...sessao }) => ({ ...sessao, contrato_id: para, inicio: segundo })),
  );
}
