import type { Knex } from 'knex';

const MOMENTOS = ['INSERT', 'UPDATE', 'DELETE'] as const;
type Momento = (typeof MOMENTOS)[number];

/** SQL of the tags of a row, a JSON list, by the table; and the columns that the tags are made of. */
const TABELAS: readonly (readonly [
  tabela: string,
  etiquetas: (linha: 'NEW' | 'OLD') => string,
  donos: readonly string[],
])[] = [
  ['avisos_de_rede', () => `'["avisos"]'`, ['provedor_id']],
  ['avisos_de_rede_alvos', () => `'["avisos"]'`, ['provedor_id']],
];

/** Tells the cache of notices of the network that are written past Malha; the same as of other tables in 20261122000002. */
export async function up(knex: Knex): Promise<void> {
  for (const [tabela, etiquetas, donos] of TABELAS) {
    for (const momento of MOMENTOS) {
      const nome = gatilho(tabela, momento);
      await knex.raw(`DROP TRIGGER IF EXISTS ${nome}`);
      await knex.raw(
        `CREATE TRIGGER ${nome} AFTER ${momento} ON ${tabela} FOR EACH ROW ${corpo(momento, etiquetas, donos)}`,
      );
    }
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const [tabela] of TABELAS) {
    for (const momento of MOMENTOS) await knex.raw(`DROP TRIGGER IF EXISTS ${gatilho(tabela, momento)}`);
  }
}

const gatilho = (tabela: string, momento: Momento): string => `por_fora_${tabela}_${momento.toLowerCase()}`;

/** Rows of one provider in one statement whose tags are named; at the next one, all of the provider's are, once. */
const LINHAS_COM_NOME = 200;
const TUDO = `'["provedor","clientes","clientes:busca","faturas","chamados","extratos"]'`;

function corpo(momento: Momento, etiquetas: (linha: 'NEW' | 'OLD') => string, donos: readonly string[]): string {
  const anotar = (linha: 'NEW' | 'OLD', json = etiquetas(linha)): string =>
    `INSERT INTO eventos (provedor_id, tipo, etiquetas) VALUES (${linha}.provedor_id, 'linhas.alteradas', ${json});`;
  const linha = momento === 'DELETE' ? 'OLD' : 'NEW';
  const mudou = donos.map((coluna) => `NOT OLD.${coluna} <=> NEW.${coluna}`).join(' OR ');
  return `
    IF @malha_avisa IS NULL THEN
      IF @malha_instrucao = UTC_TIMESTAMP(6) + 0 AND @malha_provedor = ${linha}.provedor_id THEN
        SET @malha_linhas = @malha_linhas + 1;
      ELSE
        SET @malha_instrucao = UTC_TIMESTAMP(6) + 0, @malha_provedor = ${linha}.provedor_id, @malha_linhas = 1;
      END IF;
      IF @malha_linhas <= ${LINHAS_COM_NOME} THEN
        ${anotar(linha)}
        ${momento === 'UPDATE' ? `IF ${mudou} THEN ${anotar('OLD')} END IF;` : ''}
      ELSEIF @malha_linhas = ${LINHAS_COM_NOME + 1} THEN
        ${anotar(linha, TUDO)}
      END IF;
    END IF`;
}
