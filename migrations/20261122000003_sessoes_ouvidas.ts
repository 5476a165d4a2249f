import type { Knex } from 'knex';

/** A sign of life that a NAS dates back further than this was told late, or the NAS's clock is wrong by more than that. */
const MAIOR_ATRASO_SEGUNDOS = 3600;
/** Two signs of a session that are told as they happen are as far apart by the NAS's clock as by ours, but for this. */
const FOLGA_SEGUNDOS = 30;
/** Signs that come closer than this say nothing of it: a spool tells them one right after the other. */
const MENOR_INTERVALO_SEGUNDOS = 60;
/** What the version before knew no bound for; see the constant of that name in src/domain/conexoes/estado.regras.ts. */
const MAIOR_INTERVALO_SEGUNDOS = 1800;

/** The moment that FreeRADIUS wrote down for a row's last sign of life: of the NAS's clock, where the NAS tells one. */
const DITA = `GREATEST(COALESCE(NEW.acctupdatetime, NEW.acctstarttime), COALESCE(NEW.acctstarttime, NEW.acctupdatetime))`;
/** TO_SECONDS has no value for what is no time, such as old schemas' 0000-00-00: of such a row nothing is written down. */
const ABERTA = `(NEW.acctstoptime IS NULL OR NEW.acctstarttime > NEW.acctstoptime) AND TO_SECONDS(${DITA}) IS NOT NULL`;
const RECENTE = `TO_SECONDS(${DITA}) >= TO_SECONDS(UTC_TIMESTAMP()) - ${MAIOR_ATRASO_SEGUNDOS}`;

/**
 * When each session of `radacct` was last heard of, by the database's clock: `radacct` itself has the NAS's moments alone.
 *
 * Triggers of their own, beside those that write down changes: to replace these would lose what comes in between. Processes of the
 * version before go on judging by `radacct`.
 */
export async function up(knex: Knex): Promise<void> {
  // dita_em: what the row said of its last sign. recebida_em: when it came. ouvida_em: when the session is taken to have been
  // alive for the last time, by our clock. intervalo_anterior: acctinterval before that sign. No foreign key, and no trigger on
  // deletions, for the reasons that sessoes_encerradas has none.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS sessoes_ouvidas (
      radacctid           BIGINT NOT NULL,
      dita_em             DATETIME NOT NULL,
      recebida_em         DATETIME NOT NULL,
      ouvida_em           DATETIME NOT NULL,
      intervalo_anterior  INT NULL,
      PRIMARY KEY (radacctid),
      KEY sessoes_ouvidas_idade (ouvida_em)
    ) ENGINE=InnoDB`);

  const gravar = (anterior: string, ouvida: string) => `
    INSERT IGNORE INTO sessoes_ouvidas (radacctid, dita_em, recebida_em, ouvida_em, intervalo_anterior)
    VALUES (NEW.radacctid, ${DITA}, UTC_TIMESTAMP(), IF(${RECENTE}, UTC_TIMESTAMP(), ${DITA}), ${anterior})
    ON DUPLICATE KEY UPDATE ouvida_em = ${ouvida}, dita_em = ${DITA}, recebida_em = UTC_TIMESTAMP(),
                            intervalo_anterior = ${anterior};`;
  await knex.raw('DROP TRIGGER IF EXISTS sessoes_ouvidas_insert');
  // A row under this id is another session's, from before a TRUNCATE. FreeRADIUS inserts no interval: whose row has one knows it.
  await knex.raw(`
    CREATE TRIGGER sessoes_ouvidas_insert AFTER INSERT ON radacct FOR EACH ROW BEGIN
      IF ${ABERTA} THEN ${gravar('NEW.acctinterval', `IF(${RECENTE}, UTC_TIMESTAMP(), ${DITA})`)} END IF;
    END`);
  // A change that leaves both moments as they were is no sign of life, whoever makes it. The assignments are made from left to
  // right: the first one still sees the sign before.
  const passou = `(TO_SECONDS(UTC_TIMESTAMP()) - TO_SECONDS(recebida_em))`;
  const noCompasso = `(${passou} >= ${MENOR_INTERVALO_SEGUNDOS}
                      AND ABS(TO_SECONDS(${DITA}) - TO_SECONDS(dita_em) - ${passou}) <= ${FOLGA_SEGUNDOS})`;
  await knex.raw('DROP TRIGGER IF EXISTS sessoes_ouvidas_update');
  await knex.raw(`
    CREATE TRIGGER sessoes_ouvidas_update AFTER UPDATE ON radacct FOR EACH ROW BEGIN
      IF NOT (NEW.acctstarttime <=> OLD.acctstarttime AND NEW.acctupdatetime <=> OLD.acctupdatetime) AND ${ABERTA} THEN
        ${gravar('OLD.acctinterval', `IF(${RECENTE} OR ${noCompasso}, UTC_TIMESTAMP(), GREATEST(ouvida_em, ${DITA}))`)}
      END IF;
    END`);

  // Records by an interval that no longer counts: the next aggregation makes them anew.
  await knex.raw(
    `INSERT IGNORE INTO conexoes_pendentes (provedor_id, contrato_id)
     SELECT provedor_id, contrato_id FROM conexoes WHERE ouvida_em IS NOT NULL AND intervalo_segundos > ?`,
    [MAIOR_INTERVALO_SEGUNDOS],
  );
}

export async function down(knex: Knex): Promise<void> {
  for (const momento of ['insert', 'update']) await knex.raw(`DROP TRIGGER IF EXISTS sessoes_ouvidas_${momento}`);
  await knex.schema.dropTableIfExists('sessoes_ouvidas');
}
