import type { Knex } from 'knex';
import { columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { Write } from '../../escrita.ts';
import { tocarSino } from '../../notificacoes/toque.service.ts';

export type TipoDeLembrete = 'chamado_proximo' | 'desbloqueio_terminando' | 'chave_expirando' | 'envio_pausado';

interface DevidoRow {
  recurso_id: number;
  quando: string;
  cliente_id: number;
}

interface PausaRow {
  recurso_id: number;
  quando: string;
  notas: number;
}

const DO_CHAMADO = columns<DevidoRow>('t', { recurso_id: 't.id', quando: 't.agendado_para', cliente_id: true });
const DO_DESBLOQUEIO = columns<DevidoRow>('t', {
  recurso_id: 't.contrato_id',
  quando: 't.ate',
  cliente_id: 'c.cliente_id',
});
const DA_PAUSA = columns<Omit<PausaRow, 'notas'>>('t', { recurso_id: 't.provedor_id', quando: 't.pausada_em' });
const NOTAS = expressions<{ notas: number }>({ notas: 'COUNT(*)' });
const DA_CHAVE = columns<Omit<DevidoRow, 'cliente_id'>>('t', { recurso_id: 't.id', quando: 't.expira_em' });

const POR_VEZ = 200;

/** A moment in which something happens that is to be told before. */
export interface Janela {
  readonly de: Date;
  readonly ate: Date;
}

const naJanela =
  (coluna: string, { de, ate }: Janela) =>
  (q: Knex.QueryBuilder): void =>
    void q.where(coluna, '>', toDatabaseTime(de)).where(coluna, '<=', toDatabaseTime(ate));

/** Rows of which nobody was told yet: `l` is what was said of them. */
const semLembrete =
  (db: Db, tipo: TipoDeLembrete, id: string, quando: string) =>
  (q: Knex.QueryBuilder): void =>
    void q
      .leftJoin('push_lembretes as l', (on) =>
        on
          .on('l.provedor_id', 't.provedor_id')
          .andOn('l.recurso_id', id)
          .andOn('l.quando', quando)
          .andOn('l.tipo', db.raw('?', [tipo])),
      )
      .whereNull('l.id');

/** Keys that were not replaced by others. */
export const daChave =
  (db: Db, janela: Janela) =>
  (q: Knex.QueryBuilder): void =>
    void q
      .whereNull('t.revogada_em')
      .whereNull('t.renovada_por')
      .modify(naJanela('t.expira_em', janela))
      .modify(semLembrete(db, 'chave_expirando', 't.id', 't.expira_em'));

/** Fiscal notes that are not sent yet, and would have been since a moment, or longer. */
export const seguradas = (q: Knex.QueryBuilder, desde: Date): void =>
  void q.whereIn('nfcom.etapa', ['montar', 'enviar']).where('nfcom.proxima_em', '<=', toDatabaseTime(desde));

/** Queues of fiscal notes that have been paused since a moment, or longer, of which nobody was told yet. @param desde the moment */
export const daPausa =
  (db: Db, desde: Date) =>
  (q: Knex.QueryBuilder): void =>
    void q
      .where('t.pausada_em', '<=', toDatabaseTime(desde))
      .modify(semLembrete(db, 'envio_pausado', 't.provedor_id', 't.pausada_em'));

export function createLembretesQueries(w: Write) {
  const { db } = w.tenant;
  return {
    /** Visits of open tickets that somebody is to make. */
    async chamados(janela: Janela): Promise<DevidoRow[]> {
      const deles = w
        .from('chamados as t')
        .whereNotIn('t.situacao', ['solucionado', 'cancelado'])
        .whereNotNull('t.responsavel_id')
        .modify(naJanela('t.agendado_para', janela))
        .modify(semLembrete(db, 'chamado_proximo', 't.id', 't.agendado_para'));
      return rowsOf(deles.limit(POR_VEZ), DO_CHAMADO);
    },

    /** Trust unblocks in force, of contracts that they keep open. */
    async desbloqueios(janela: Janela): Promise<DevidoRow[]> {
      const deles = w
        .from('desbloqueios_confianca as t')
        .join('contratos as c', sameTenant('t', 'contrato_id', 'c', 'id'))
        .where('c.situacao', 'ativo')
        .whereNull('t.encerrado_em')
        .modify(naJanela('t.ate', janela))
        .modify(semLembrete(db, 'desbloqueio_terminando', 't.contrato_id', 't.ate'));
      return rowsOf(deles.limit(POR_VEZ), DO_DESBLOQUEIO);
    },

    async chaves(janela: Janela): Promise<Omit<DevidoRow, 'cliente_id'>[]> {
      return rowsOf(w.from('chaves_api as t').modify(daChave(db, janela)).limit(POR_VEZ), DA_CHAVE);
    },

    /** How many fiscal notes the provider's pause holds back longer than since a moment; undefined where it does not, or where that was told. */
    async pausa(desde: Date): Promise<PausaRow | undefined> {
      const [row] = await rowsOf(w.from('nfcom_filas as t').modify(daPausa(db, desde)), DA_PAUSA);
      if (row === undefined) return undefined;
      const [{ notas } = { notas: 0 }] = await rowsOf(w.from('nfcom').modify(seguradas, desde), NOTAS);
      return notas === 0 ? undefined : { ...row, notas };
    },

    /** Says that something was told; another process that tells it at the same time finds it told. */
    async lembrar(
      tipo: TipoDeLembrete,
      { recurso_id, quando }: Omit<DevidoRow, 'cliente_id'>,
      agora: Date,
    ): Promise<void> {
      const linha = { tipo, recurso_id, quando, criado_em: toDatabaseTime(agora) };
      await w.insert('push_lembretes', linha, { soughtBefore: true });
    },

    async tocarSino(chaveId: number, agora: Date): Promise<void> {
      await tocarSino(w, [{ tipo: 'chave.expirando', origem: 'API', recurso: 'chave', recursoId: chaveId }], agora);
    },

    async tocarSinoDaPausa({ recurso_id: recursoId }: PausaRow, agora: Date): Promise<void> {
      const tipo = 'nfcom.fila_esquecida';
      await tocarSino(w, [{ tipo, origem: 'NFCom', recurso: 'envio_nfcom', recursoId }], agora);
    },
  };
}
