import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import { DIA_MS, MAIS_TENTATIVAS } from './codigo.regras.ts';
import type { Canal } from './codigo.regras.ts';

interface CodigoRow {
  id: number;
  codigo_hmac: Buffer;
}

const DO_CODIGO = columns<CodigoRow>('app_codigos', { id: true, codigo_hmac: true });
const TENTADO = columns<{ tentativas: number }>('app_codigos', { tentativas: true });
const FEITO = columns<{ criado_em: string }>('app_codigos', { criado_em: true });

export interface NovoCodigo {
  readonly acessoId: number;
  readonly canal: Canal;
  readonly resumo: Buffer;
  readonly expiraEm: Date;
  readonly agora: Date;
  /** Whether it is only noted that somebody asked: nobody is told a code. */
  readonly semUso: boolean;
}

/** Codes of accesses of the tenant that is written; whoever asks holds the access's lock. */
export function createCodigosQueries(w: Write) {
  return {
    /** When codes of these ways were made within a day. */
    async feitosEm(acessoId: number, canais: readonly Canal[], agora: Date): Promise<Date[]> {
      const destes = w
        .from('app_codigos')
        .where('acesso_id', acessoId)
        .whereIn('canal', canais)
        .where('criado_em', '>', toDatabaseTime(new Date(agora.getTime() - DIA_MS)));
      return (await rowsOf(destes, FEITO)).map(({ criado_em }) => fromDatabaseTime(criado_em));
    },

    async inserir({ acessoId, canal, resumo, expiraEm, agora, semUso }: NovoCodigo): Promise<number> {
      return w.insert('app_codigos', {
        acesso_id: acessoId,
        canal,
        codigo_hmac: resumo,
        expira_em: toDatabaseTime(expiraEm),
        usado_em: semUso ? toDatabaseTime(agora) : null,
        criado_por: w.author.id,
        criado_em: toDatabaseTime(agora),
      });
    },

    /** Voids what was made before. */
    async anular(acessoId: number, agora: Date): Promise<void> {
      await w.update('app_codigos', (q) => void q.where('acesso_id', acessoId).whereNull('usado_em'), {
        usado_em: toDatabaseTime(agora),
      });
    },

    /** The code that holds now; undefined where there is none. */
    async vigente(acessoId: number, agora: Date): Promise<CodigoRow | undefined> {
      const deste = w
        .from('app_codigos')
        .where('acesso_id', acessoId)
        .whereNull('usado_em')
        .where('expira_em', '>', toDatabaseTime(agora))
        .where('tentativas', '<', MAIS_TENTATIVAS);
      const [row] = await rowsOf(deste.orderBy('id', 'desc').limit(1).forUpdate(), DO_CODIGO);
      return row;
    },

    /** A wrong try. */
    async contar(id: number): Promise<void> {
      const [row] = await rowsOf(w.from('app_codigos').where({ id }), TENTADO);
      await w.update('app_codigos', (q) => void q.where({ id }), { tentativas: (row?.tentativas ?? 0) + 1 });
    },

    async usar(id: number, agora: Date): Promise<void> {
      await w.update('app_codigos', (q) => void q.where({ id }), { usado_em: toDatabaseTime(agora) });
    },
  };
}
