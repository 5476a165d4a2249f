import type { Knex } from 'knex';

/** Two of the shortest intervals that a NAS may have: after less silence than this, no session has gone. */
const MENOR_ESPERA_SEGUNDOS = 120;

/**
 * What a Start with a session id that was used before takes from its row of `radacct`: the session that had ended, whose drop would be
 * forgotten with it.
 *
 * No foreign key to `radacct`, and no trigger on its deletions: whoever deletes many rows would hold gaps of this table, for which
 * FreeRADIUS's own writes would have to wait. Rows whose session is gone from there are not read, and go once they are old.
 */
export async function up(knex: Knex): Promise<void> {
  // The columns of radacct as they were, as wide as there. acctstoptime is null when the session had gone silent; reaberta_em is the
  // start that was written over its own. Times of the trigger are UTC whatever zone FreeRADIUS's connection has.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS sessoes_encerradas (
      id                  BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      radacctid           BIGINT NOT NULL,
      username            VARCHAR(64) NOT NULL,
      acctstarttime       DATETIME NULL,
      acctupdatetime      DATETIME NULL,
      acctstoptime        DATETIME NULL,
      acctinterval        INT NULL,
      acctterminatecause  VARCHAR(32) NOT NULL,
      reaberta_em         DATETIME NULL,
      criado_em           DATETIME NOT NULL,
      PRIMARY KEY (id),
      KEY sessoes_encerradas_login (username, radacctid),
      KEY sessoes_encerradas_idade (criado_em)
    ) ENGINE=InnoDB`);

  const guardar = (fim: string) => `
    INSERT IGNORE INTO sessoes_encerradas (radacctid, username, acctstarttime, acctupdatetime, acctstoptime, acctinterval,
                                           acctterminatecause, reaberta_em, criado_em)
    VALUES (NEW.radacctid, NEW.username, OLD.acctstarttime, OLD.acctupdatetime, ${fim}, OLD.acctinterval,
            OLD.acctterminatecause, NEW.acctstarttime, UTC_TIMESTAMP());`;
  // TO_SECONDS has no value for what is no time, such as old schemas' 0000-00-00: then nothing is kept.
  const ouvidaEm = `GREATEST(COALESCE(OLD.acctupdatetime, OLD.acctstarttime), COALESCE(OLD.acctstarttime, OLD.acctupdatetime))`;
  await knex.raw('DROP TRIGGER IF EXISTS sessoes_encerradas_update');
  // A trigger of its own: to replace the one that writes down changes would lose those that come in between. IGNORE, because
  // FreeRADIUS's write must never fail for what is ours. A stop that is only corrected reopens nothing; a start in the second of the stop is another session's.
  await knex.raw(`
    CREATE TRIGGER sessoes_encerradas_update AFTER UPDATE ON radacct FOR EACH ROW BEGIN
      IF OLD.username <> NEW.username THEN
        UPDATE IGNORE sessoes_encerradas SET username = NEW.username
         WHERE username = OLD.username AND radacctid = OLD.radacctid;
      END IF;
      IF OLD.acctstoptime IS NOT NULL AND (OLD.acctstarttime IS NULL OR OLD.acctstarttime <= OLD.acctstoptime) THEN
        IF NEW.acctstoptime IS NULL
           OR (NEW.acctstarttime >= OLD.acctstoptime AND NOT NEW.acctstarttime <=> OLD.acctstarttime)
        THEN ${guardar('OLD.acctstoptime')} END IF;
      ELSEIF TO_SECONDS(NEW.acctstarttime) > TO_SECONDS(${ouvidaEm}) + ${MENOR_ESPERA_SEGUNDOS} THEN ${guardar('NULL')}
      END IF;
    END`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TRIGGER IF EXISTS sessoes_encerradas_update');
  await knex.schema.dropTableIfExists('sessoes_encerradas');
}
