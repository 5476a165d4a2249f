import type { Knex } from 'knex';

/** As in 20261127000801, whose trigger of updates this replaces. */
const MENOR_ESPERA_SEGUNDOS = 120;

const OUVIDA = `GREATEST(COALESCE(OLD.acctupdatetime, OLD.acctstarttime), COALESCE(OLD.acctstarttime, OLD.acctupdatetime))`;

/** A Start with a session id that was used before: the row is another session's from now on. */
const REABERTA = `NOT NEW.acctstarttime <=> OLD.acctstarttime AND IF(
  OLD.acctstoptime IS NOT NULL AND (OLD.acctstarttime IS NULL OR OLD.acctstarttime <= OLD.acctstoptime),
  NEW.acctstoptime IS NULL OR NEW.acctstarttime >= OLD.acctstoptime,
  COALESCE(TO_SECONDS(NEW.acctstarttime) > TO_SECONDS(${OUVIDA}) + ${MENOR_ESPERA_SEGUNDOS}, FALSE))`;

const MESMOS_CONTADORES =
  'NEW.acctinputoctets <=> OLD.acctinputoctets AND NEW.acctoutputoctets <=> OLD.acctoutputoctets';

const DESMARCAR = 'DELETE IGNORE FROM trafego_sessoes WHERE radacctid = NEW.radacctid;';

const desde = (contador: string, base: string): string =>
  `IF(${contador} >= ${base}, ${contador} - ${base}, ${contador})`;

const lida = (coluna: string): string =>
  `(SELECT t.${coluna} FROM trafego_sessoes t WHERE t.radacctid = NEW.radacctid)`;

/**
 * Writes what a session counts on from in one statement. To delete first what may not be there locks the gap where it would be, in which the sessions
 * that a server begins anew all write: of two, the database would end one, and FreeRADIUS's write with it.
 */
const marcar = (entrada: string, saida: string, dita: string): string => `
  INSERT IGNORE INTO trafego_sessoes (radacctid, entrada, saida, dita_em, criado_em)
  VALUES (NEW.radacctid, ${entrada}, ${saida}, ${dita}, UTC_TIMESTAMP())
  ON DUPLICATE KEY UPDATE entrada = VALUES(entrada), saida = VALUES(saida), dita_em = VALUES(dita_em), criado_em = VALUES(criado_em);`;

/** Keeps FreeRADIUS's writes out of each other's way. An update that comes between the statements is not counted. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('DROP TRIGGER IF EXISTS trafego_update');
  await knex.raw('DROP TRIGGER IF EXISTS trafego_contado_update');
  // TO_SECONDS has no value for old schemas' 0000-00-00, which a variable does not take where the server forbids it.
  await knex.raw(`
    CREATE TRIGGER trafego_contado_update AFTER UPDATE ON radacct FOR EACH ROW BEGIN
      DECLARE entrada, saida, base_entrada, base_saida BIGINT DEFAULT 0;
      DECLARE dita DATETIME DEFAULT NULL;
      DECLARE marcada, conta INT DEFAULT 0;
      SET entrada = GREATEST(COALESCE(NEW.acctinputoctets, 0), 0), saida = GREATEST(COALESCE(NEW.acctoutputoctets, 0), 0);
      IF ${REABERTA} THEN
        SET conta = NOT (${MESMOS_CONTADORES});
        IF conta THEN ${DESMARCAR} ELSE ${marcar('0', '0', 'NULL')} END IF;
      ELSEIF NOT (NEW.acctsessiontime <=> OLD.acctsessiontime AND ${MESMOS_CONTADORES}) THEN
        SET marcada = (SELECT COUNT(*) FROM trafego_sessoes t WHERE t.radacctid = NEW.radacctid);
        IF marcada THEN
          SET base_entrada = ${lida('entrada')}, base_saida = ${lida('saida')}, dita = ${lida('dita_em')};
        ELSE
          SET base_entrada = GREATEST(COALESCE(OLD.acctinputoctets, 0), 0), base_saida = GREATEST(COALESCE(OLD.acctoutputoctets, 0), 0),
              dita = IF(TO_SECONDS(OLD.acctupdatetime) IS NULL, NULL, OLD.acctupdatetime);
        END IF;
        SET conta = NOT (COALESCE(TO_SECONDS(NEW.acctupdatetime) < TO_SECONDS(dita), 0) AND (entrada < base_entrada OR saida < base_saida));
        IF conta AND marcada THEN ${DESMARCAR}
        ELSEIF NOT conta AND NOT marcada THEN ${marcar('base_entrada', 'base_saida', 'dita')}
        END IF;
      END IF;
      IF conta THEN
        SET entrada = ${desde('entrada', 'base_entrada')}, saida = ${desde('saida', 'base_saida')};
        IF entrada > 0 OR saida > 0 THEN
          INSERT IGNORE INTO trafego_mudancas (username, nasipaddress, em, entrada, saida)
          VALUES (NEW.username, NEW.nasipaddress, UTC_TIMESTAMP(), entrada, saida);
        END IF;
      END IF;
    END`);
}

/** Without it nothing is counted until the tables go as well. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TRIGGER IF EXISTS trafego_contado_update');
}
