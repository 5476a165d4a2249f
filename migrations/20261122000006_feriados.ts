import type { Knex } from 'knex';

/** What an open invoice of the provider asks for may be another by now: incremental readers hear of it by its rules, see 20261121000016. */
const mudaramAsRegras = (linha: 'NEW' | 'OLD'): string =>
  `UPDATE regras_cobranca SET atualizado_em = UTC_TIMESTAMP(3) WHERE provedor_id = ${linha}.provedor_id;`;

const GATILHOS: readonly (readonly [tabela: string, momento: string, corpo: string])[] = [
  ['provedores_feriados', 'INSERT', mudaramAsRegras('NEW')],
  ['provedores_feriados', 'UPDATE', mudaramAsRegras('NEW')],
  ['provedores_feriados', 'DELETE', mudaramAsRegras('OLD')],
  ['provedores_identidade', 'INSERT', `IF NEW.uf IS NOT NULL THEN ${mudaramAsRegras('NEW')} END IF;`],
  ['provedores_identidade', 'UPDATE', `IF NOT (NEW.uf <=> OLD.uf) THEN ${mudaramAsRegras('NEW')} END IF;`],
];

/** Holidays of a provider's own: of its cities, and whatever the list of its state lacks or has too many of. */
export async function up(knex: Knex): Promise<void> {
  // A day of one year, or of every year: a DATE cannot say the second. `dia_util`: banks open, though the state's list says otherwise.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS provedores_feriados (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      dia          VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      nome         VARCHAR(120) NOT NULL,
      dia_util     TINYINT(1) NOT NULL DEFAULT 0,
      criado_em    DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
      PRIMARY KEY (provedor_id, dia),
      CONSTRAINT provedores_feriados_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id),
      CONSTRAINT provedores_feriados_dia CHECK (dia REGEXP '^([0-9]{4}-)?[0-9]{2}-[0-9]{2}$')
    ) ENGINE=InnoDB`);
  for (const [tabela, momento, corpo] of GATILHOS) {
    const nome = gatilho(tabela, momento);
    await knex.raw(`DROP TRIGGER IF EXISTS ${nome}`);
    await knex.raw(`CREATE TRIGGER ${nome} AFTER ${momento} ON ${tabela} FOR EACH ROW BEGIN ${corpo} END`);
  }
  // From now on states have holidays, and the last business day of a year is one.
  await knex.raw('UPDATE regras_cobranca SET atualizado_em = UTC_TIMESTAMP(3)');
}

export async function down(knex: Knex): Promise<void> {
  for (const [tabela, momento] of GATILHOS) await knex.raw(`DROP TRIGGER IF EXISTS ${gatilho(tabela, momento)}`);
  await knex.schema.dropTableIfExists('provedores_feriados');
}

function gatilho(tabela: string, momento: string): string {
  return `leituras_${tabela}_${momento.toLowerCase()}`;
}
