import { columns, expressions, rowsOf } from '../../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../../platform/mysql/database.ts';
import type { Write } from '../../../escrita.ts';
import type { AmbienteNfcom } from '../../nfcom.types.ts';
import { REJEICOES_IGUAIS, dizDaFila } from '../desfecho.regras.ts';

/** What was asked of the authority once: `codigo` is what it answered, `erro` why it did not or what was wrong with the answer. */
export interface TentativaRow {
  id: number;
  operacao: 'envio' | 'consulta' | 'cancelamento';
  codigo: string | null;
  erro: string | null;
  em: string;
}

/** The last that was asked of one authority, the newest first. */
export interface Ultimas {
  readonly envio: TentativaRow | undefined;
  readonly consulta: TentativaRow | undefined;
  /** Questions that it answered, of the note that was asked about: as many as may be refused alike. */
  readonly respondidas: readonly TentativaRow[];
}

const TENTATIVA = columns<TentativaRow>('nfcom_tentativas', {
  id: true,
  operacao: true,
  codigo: true,
  erro: true,
  em: true,
});
const DA_HORA = expressions<{ nfcom_id: number; em: string }>({
  nfcom_id: 'nfcom_tentativas.nfcom_id',
  em: 'nfcom_tentativas.em',
});

/** Questions of an authority that are looked at. */
const PERGUNTAS_VISTAS = 200;
/** As many as are looked at: of a note, more than are refused before a person has it. */
const DA_NOTA = 40;

export function createTentativasQueries({ tenant }: Pick<Write, 'tenant'>) {
  return {
    /** However much was sent since the last questions, or asked of the other authority. */
    async ultimas(ambiente: AmbienteNfcom): Promise<Ultimas> {
      const delas = async (operacao: TentativaRow['operacao'], quantas: number) =>
        rowsOf(
          tenant
            .from('nfcom_tentativas', 'nfcom_tentativas_ambiente')
            .where({ ambiente, operacao })
            .orderBy('nfcom_tentativas.id', 'desc')
            .limit(quantas),
          TENTATIVA,
        );
      const [envio] = await delas('envio', 1);
      // While Consulta is away many in a row are not answered: what is older than these says nothing of now.
      const consultas = await delas('consulta', PERGUNTAS_VISTAS);
      const respondidas = consultas.filter(({ codigo }) => codigo !== null && !dizDaFila(codigo));
      return { envio, consulta: consultas[0], respondidas: respondidas.slice(0, REJEICOES_IGUAIS) };
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
