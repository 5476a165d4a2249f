import type { Knex } from 'knex';

/** What came this much later than it happened is a table that was restored or a spool, and its bytes are of no known hour. */
const MAIOR_ATRASO_SEGUNDOS = 3600;
/** Two of the shortest intervals that a NAS may have: after less silence than this, no session has gone. */
const MENOR_ESPERA_SEGUNDOS = 120;

const DITA = `GREATEST(COALESCE(NEW.acctupdatetime, NEW.acctstarttime), COALESCE(NEW.acctstarttime, NEW.acctupdatetime))`;
const OUVIDA = `GREATEST(COALESCE(OLD.acctupdatetime, OLD.acctstarttime), COALESCE(OLD.acctstarttime, OLD.acctupdatetime))`;

/** A Start with a session id that was used before: the row is another session's from now on. See also 20261121000015. */
const REABERTA = `NOT NEW.acctstarttime <=> OLD.acctstarttime AND IF(
  OLD.acctstoptime IS NOT NULL AND (OLD.acctstarttime IS NULL OR OLD.acctstarttime <= OLD.acctstoptime),
  NEW.acctstoptime IS NULL OR NEW.acctstarttime >= OLD.acctstoptime,
  COALESCE(TO_SECONDS(NEW.acctstarttime) > TO_SECONDS(${OUVIDA}) + ${MENOR_ESPERA_SEGUNDOS}, FALSE))`;

const desde = (contador: string, base: string): string =>
  `IF(${contador} >= ${base}, ${contador} - ${base}, ${contador})`;

/** IGNORE, because FreeRADIUS's write must never fail for what is ours. */
const anotar = (entrada: string, saida: string): string => `
  IF ${entrada} > 0 OR ${saida} > 0 THEN
    INSERT IGNORE INTO trafego_mudancas (username, nasipaddress, em, entrada, saida)
    VALUES (NEW.username, NEW.nasipaddress, UTC_TIMESTAMP(), ${entrada}, ${saida});
  END IF;`;

/**
 * How many bytes subscribers received and sent, by contract and local day and by server and hour. Triggers of their own write down by how much
 * each update of `radacct` moved a session's counters: there alone the counters before and after are known together, whatever is lost later.
 */
export async function up(knex: Knex): Promise<void> {
  // em: when it was told, in UTC. entrada, saida: acctinputoctets and acctoutputoctets, what subscribers sent and received.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS trafego_mudancas (
      id            BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      username      VARCHAR(64) NOT NULL,
      nasipaddress  VARCHAR(15) NOT NULL,
      em            DATETIME NOT NULL,
      entrada       BIGINT UNSIGNED NOT NULL,
      saida         BIGINT UNSIGNED NOT NULL,
      PRIMARY KEY (id)
    ) ENGINE=InnoDB`);
  // From which values the counters of a session count on, where these are not those that its row has: 0 of a session that took another's
  // row, and what had been told by dita_em of one whose updates overtook each other.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS trafego_sessoes (
      radacctid  BIGINT NOT NULL,
      entrada    BIGINT NOT NULL,
      saida      BIGINT NOT NULL,
      dita_em    DATETIME NULL,
      criado_em  DATETIME NOT NULL,
      PRIMARY KEY (radacctid),
      KEY trafego_sessoes_idade (criado_em)
    ) ENGINE=InnoDB`);
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS trafego_diario (
      provedor_id     BIGINT UNSIGNED NOT NULL,
      contrato_id     BIGINT UNSIGNED NOT NULL,
      dia             DATE NOT NULL,
      download_bytes  BIGINT UNSIGNED NOT NULL,
      upload_bytes    BIGINT UNSIGNED NOT NULL,
      PRIMARY KEY (provedor_id, contrato_id, dia),
      KEY trafego_diario_idade (dia),
      CONSTRAINT trafego_diario_contrato FOREIGN KEY (provedor_id, contrato_id) REFERENCES contratos (provedor_id, id)
    ) ENGINE=InnoDB`);
  // hora: UTC. No foreign key, as in rede_horas.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS trafego_horario (
      provedor_id     BIGINT UNSIGNED NOT NULL,
      hora            DATETIME NOT NULL,
      nas             VARCHAR(15) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      download_bytes  BIGINT UNSIGNED NOT NULL,
      upload_bytes    BIGINT UNSIGNED NOT NULL,
      PRIMARY KEY (provedor_id, hora, nas),
      KEY trafego_horario_nas (provedor_id, nas, hora),
      KEY trafego_horario_idade (hora)
    ) ENGINE=InnoDB`);
  // What the release before counted of each hour. Its processes go on counting there while they run.
  await knex.raw(`
    INSERT IGNORE INTO trafego_horario (provedor_id, hora, nas, download_bytes, upload_bytes)
    SELECT provedor_id, hora, nas, download_bytes, upload_bytes FROM rede_horas WHERE download_bytes > 0 OR upload_bytes > 0`);

  await knex.raw('DROP TRIGGER IF EXISTS trafego_insert');
  // FreeRADIUS inserts a session that it has not heard of with what the NAS has counted by then.
  await knex.raw(`
    CREATE TRIGGER trafego_insert AFTER INSERT ON radacct FOR EACH ROW BEGIN
      IF TO_SECONDS(${DITA}) >= TO_SECONDS(UTC_TIMESTAMP()) - ${MAIOR_ATRASO_SEGUNDOS} THEN
        ${anotar('GREATEST(COALESCE(NEW.acctinputoctets, 0), 0)', 'GREATEST(COALESCE(NEW.acctoutputoctets, 0), 0)')}
      END IF;
    END`);
  await knex.raw('DROP TRIGGER IF EXISTS trafego_update');
  const marcar = (entrada: string, saida: string, dita: string): string => `
    INSERT IGNORE INTO trafego_sessoes (radacctid, entrada, saida, dita_em, criado_em)
    VALUES (NEW.radacctid, ${entrada}, ${saida}, ${dita}, UTC_TIMESTAMP());`;
  const desmarcar = 'DELETE IGNORE FROM trafego_sessoes WHERE radacctid = NEW.radacctid;';
  const mesmosContadores =
    'NEW.acctinputoctets <=> OLD.acctinputoctets AND NEW.acctoutputoctets <=> OLD.acctoutputoctets';
  // The session time moves with each update that tells counters, also where these stay as they were. An update that a later one overtook
  // tells what has been counted.
  await knex.raw(`
    CREATE TRIGGER trafego_update AFTER UPDATE ON radacct FOR EACH ROW BEGIN
      DECLARE entrada, saida, base_entrada, base_saida BIGINT DEFAULT 0;
      DECLARE dita DATETIME DEFAULT NULL;
      DECLARE marcada, conta INT DEFAULT 0;
      SET entrada = GREATEST(COALESCE(NEW.acctinputoctets, 0), 0), saida = GREATEST(COALESCE(NEW.acctoutputoctets, 0), 0);
      IF ${REABERTA} THEN
        ${desmarcar}
        SET conta = NOT (${mesmosContadores});
        IF NOT conta THEN ${marcar('0', '0', 'NULL')} END IF;
      ELSEIF NOT (NEW.acctsessiontime <=> OLD.acctsessiontime AND ${mesmosContadores}) THEN
        SET marcada = (SELECT COUNT(*) FROM trafego_sessoes t WHERE t.radacctid = NEW.radacctid);
        IF marcada THEN
          SET base_entrada = (SELECT t.entrada FROM trafego_sessoes t WHERE t.radacctid = NEW.radacctid),
              base_saida = (SELECT t.saida FROM trafego_sessoes t WHERE t.radacctid = NEW.radacctid),
              dita = (SELECT t.dita_em FROM trafego_sessoes t WHERE t.radacctid = NEW.radacctid);
        ELSE
          SET base_entrada = COALESCE(OLD.acctinputoctets, 0), base_saida = COALESCE(OLD.acctoutputoctets, 0), dita = OLD.acctupdatetime;
        END IF;
        SET conta = NOT (COALESCE(TO_SECONDS(NEW.acctupdatetime) < TO_SECONDS(dita), 0) AND (entrada < base_entrada OR saida < base_saida));
        IF conta AND marcada THEN ${desmarcar}
        ELSEIF NOT conta AND NOT marcada THEN ${marcar('base_entrada', 'base_saida', 'dita')}
        END IF;
      END IF;
      IF conta THEN
        SET entrada = ${desde('entrada', 'base_entrada')}, saida = ${desde('saida', 'base_saida')};
        ${anotar('entrada', 'saida')}
      END IF;
    END`);
}

export async function down(knex: Knex): Promise<void> {
  for (const momento of ['insert', 'update']) await knex.raw(`DROP TRIGGER IF EXISTS trafego_${momento}`);
  for (const tabela of ['trafego_horario', 'trafego_diario', 'trafego_sessoes', 'trafego_mudancas']) {
    await knex.schema.dropTableIfExists(tabela);
  }
}
