import type { Knex } from 'knex';

/** Of which bank a provider's agency and portfolio are: a boleto of another must not be printed with them. */
export async function up(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('provedores_identidade', 'boleto_banco'))) {
    await knex.raw(`
      ALTER TABLE provedores_identidade
        ADD COLUMN boleto_banco CHAR(3) CHARACTER SET ascii COLLATE ascii_bin NULL AFTER site`);
  }
  // Whether an invoice's boleto can be printed stands in its answer, and follows from these: incremental readers have to hear of it.
  await criarGatilho(
    knex,
    'INSERT',
    'NEW.boleto_banco IS NOT NULL OR NEW.boleto_agencia_codigo IS NOT NULL OR NEW.boleto_carteira IS NOT NULL',
  );
  await criarGatilho(
    knex,
    'UPDATE',
    `NOT (NEW.boleto_banco <=> OLD.boleto_banco AND NEW.boleto_agencia_codigo <=> OLD.boleto_agencia_codigo
          AND NEW.boleto_carteira <=> OLD.boleto_carteira)`,
  );
}

export async function down(knex: Knex): Promise<void> {
  for (const momento of ['insert', 'update']) await knex.raw(`DROP TRIGGER IF EXISTS ${GATILHO}_${momento}`);
  await knex.raw('ALTER TABLE provedores_identidade DROP COLUMN boleto_banco');
}

const GATILHO = 'leituras_banco_do_boleto';

async function criarGatilho(knex: Knex, momento: 'INSERT' | 'UPDATE', quando: string): Promise<void> {
  const nome = `${GATILHO}_${momento.toLowerCase()}`;
  await knex.raw(`DROP TRIGGER IF EXISTS ${nome}`);
  await knex.raw(`
    CREATE TRIGGER ${nome} AFTER ${momento} ON provedores_identidade FOR EACH ROW
    IF ${quando} THEN
      UPDATE regras_cobranca SET atualizado_em = UTC_TIMESTAMP(3) WHERE provedor_id = NEW.provedor_id;
    END IF`);
}
