import type { Knex } from 'knex';

const MOMENTOS = ['INSERT', 'UPDATE', 'DELETE'] as const;

/** Connection state and daily drops of each contract, and the capture of what FreeRADIUS changes in `radacct`. */
export async function up(knex: Knex): Promise<void> {
  // A NAS address belongs to one tenant: it is how a session in FreeRADIUS's tenant-less table finds its provider.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS provedores_nas (
      provedor_id   BIGINT UNSIGNED NOT NULL,
      nasipaddress  VARCHAR(15) NOT NULL,
      PRIMARY KEY (provedor_id, nasipaddress),
      UNIQUE KEY provedores_nas_endereco (nasipaddress),
      CONSTRAINT provedores_nas_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)
    ) ENGINE=InnoDB`);

  // ouvida_em: when the open session was last heard of (its last update, else its start); null when none is open.
  // parada_em: when it will have been silent for two interim intervals, and counts as gone.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS conexoes (
      provedor_id         BIGINT UNSIGNED NOT NULL,
      contrato_id         BIGINT UNSIGNED NOT NULL,
      ouvida_em           DATETIME(3) NULL,
      intervalo_segundos  INT UNSIGNED NULL,
      parada_em           DATETIME(3) GENERATED ALWAYS AS (ouvida_em + INTERVAL (2 * intervalo_segundos) SECOND) STORED,
      atualizado_em       DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3),
      PRIMARY KEY (provedor_id, contrato_id),
      KEY conexoes_parada (parada_em),
      CONSTRAINT conexoes_contrato FOREIGN KEY (provedor_id, contrato_id) REFERENCES contratos (provedor_id, id)
    ) ENGINE=InnoDB`);

  await knex.raw(`
    CREATE TABLE IF NOT EXISTS quedas_diarias (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      contrato_id  BIGINT UNSIGNED NOT NULL,
      dia          DATE NOT NULL,
      quedas       INT UNSIGNED NOT NULL,
      PRIMARY KEY (provedor_id, contrato_id, dia),
      CONSTRAINT quedas_diarias_contrato FOREIGN KEY (provedor_id, contrato_id) REFERENCES contratos (provedor_id, id)
    ) ENGINE=InnoDB`);

  // radacct has no column that every change moves (Stop and Accounting-On/Off leave acctupdatetime alone), so row
  // triggers write down whose sessions changed. FreeRADIUS's own tables keep their stock definition.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS radacct_mudancas (
      id            BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      username      VARCHAR(64) NOT NULL,
      nasipaddress  VARCHAR(15) NOT NULL,
      PRIMARY KEY (id)
    ) ENGINE=InnoDB`);
  const anotar = (linha: string) =>
    `INSERT INTO radacct_mudancas (username, nasipaddress) VALUES (${linha}.username, ${linha}.nasipaddress);`;
  // A session that moves to another login or NAS changes what it leaves, too.
  const mudouDeDono = `IF OLD.username <> NEW.username OR OLD.nasipaddress <> NEW.nasipaddress THEN ${anotar('OLD')} END IF;`;
  const corpos = { INSERT: anotar('NEW'), UPDATE: `${anotar('NEW')} ${mudouDeDono}`, DELETE: anotar('OLD') };
  for (const momento of MOMENTOS) {
    const nome = `radacct_mudancas_${momento.toLowerCase()}`;
    await knex.raw(`DROP TRIGGER IF EXISTS ${nome}`);
    await knex.raw(`CREATE TRIGGER ${nome} AFTER ${momento} ON radacct FOR EACH ROW BEGIN ${corpos[momento]} END`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const momento of MOMENTOS) await knex.raw(`DROP TRIGGER IF EXISTS radacct_mudancas_${momento.toLowerCase()}`);
  for (const tabela of ['radacct_mudancas', 'quedas_diarias', 'conexoes', 'provedores_nas']) {
    await knex.schema.dropTableIfExists(tabela);
  }
}
