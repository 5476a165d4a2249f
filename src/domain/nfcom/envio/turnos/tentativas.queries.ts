import { columns, expressions, rowsOf } from '../../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../../platform/mysql/database.ts';
import { sameTenant } from '../../../../platform/mysql/tenant.ts';
import type { Write } from '../../../escrita.ts';
import type { AmbienteNfcom } from '../../nfcom.types.ts';

/** What was asked of the authority once: `codigo` is what it answered, `erro` why it did not or what was wrong with the answer. */
export interface TentativaRow {
  nfcom_id: number;
  operacao: 'envio' | 'consulta' | 'cancelamento';
  codigo: string | null;
  erro: string | null;
  em: string;
}

/** And of whose authority its note is. */
export interface DoProvedorRow extends TentativaRow {
  ambiente: AmbienteNfcom;
}

const TENTATIVA = columns<TentativaRow>('nfcom_tentativas', {
  nfcom_id: true,
  operacao: true,
  codigo: true,
  erro: true,
  em: true,
});
const AMBIENTE = columns<Pick<DoProvedorRow, 'ambiente'>>('nfcom', { ambiente: true });
const DA_HORA = expressions<{ nfcom_id: number; em: string }>({
  nfcom_id: 'nfcom_tentativas.nfcom_id',
  em: 'nfcom_tentativas.em',
});

/** As many as are looked at: of a note, more than are refused before a person has it. */
const DA_NOTA = 40;
/** Of a provider, where one is asked about after the other while nothing is sent. */
const DO_PROVEDOR = 400;

export function createTentativasQueries({ tenant }: Pick<Write, 'tenant'>) {
  return {
    /** The newest of all notes of the provider, the newest first. */
    async ultimas(): Promise<DoProvedorRow[]> {
      // Left, so that the server cannot begin with all notes.
      const todas = tenant
        .from('nfcom_tentativas', 'PRIMARY')
        .leftJoin('nfcom', sameTenant('nfcom_tentativas', 'nfcom_id', 'nfcom', 'id'));
      return rowsOf(todas.orderBy('nfcom_tentativas.id', 'desc').limit(DO_PROVEDOR), TENTATIVA, AMBIENTE);
    },

    /** The newest of a note, the newest first. */
    async daNota(id: number): Promise<TentativaRow[]> {
      const dela = tenant.from('nfcom_tentativas', 'nfcom_tentativas_nota').where('nfcom_id', id);
      return rowsOf(dela.orderBy('nfcom_tentativas.id', 'desc').limit(DA_NOTA), TENTATIVA);
    },

    /** When each of some notes was asked about since a time, the newest first, as MySQL writes times. */
    async consultas(ids: readonly number[], desde: Date): Promise<ReadonlyMap<number, readonly string[]>> {
      const porNota = new Map<number, string[]>();
      if (ids.length === 0) return porNota;
      const delas = tenant
        .from('nfcom_tentativas', 'nfcom_tentativas_nota')
        .whereIn('nfcom_id', [...ids])
        .where('operacao', 'consulta')
        .where('em', '>', toDatabaseTime(desde));
      const rows = await rowsOf(delas.orderBy('nfcom_tentativas.id', 'desc'), DA_HORA);
      for (const { nfcom_id: id, em } of rows) porNota.set(id, [...(porNota.get(id) ?? []), em]);
      return porNota;
    },
  };
}
