import type { Knex } from 'knex';

/** Rows of one provider in one statement whose tags are named; at the next one, all of the provider's are, once. */
const LINHAS_COM_NOME = 200;

/** What all that is kept of a provider depends on, and what its lists are counted by. */
const TUDO = `'["provedor","clientes","clientes:busca","faturas","chamados","extratos"]'`;

type Momento = 'INSERT' | 'UPDATE' | 'DELETE';
type Linha = 'NEW' | 'OLD';

/** What a row of a table makes stale. */
interface Aviso {
  readonly tabela: string;
  /** SQL of its tags, a JSON list, by the row. */
  readonly etiquetas: (linha: Linha, momento: Momento) => string;
  /** Columns that the tags are made of: where one changes, those of what it was are named as well. */
  readonly donos?: readonly string[];
  readonly momentos?: readonly Momento[];
  /** The column that says whose it is. */
  readonly provedor?: string;
}

const MOMENTOS: readonly Momento[] = ['INSERT', 'UPDATE', 'DELETE'];

/** SQL of a JSON list: a text is a tag, a pair is one that ends in a number, given as SQL. Never null: the writer's row must not fail. */
function lista(...etiquetas: readonly (string | readonly [nome: string, numero: string])[]): string {
  const escritas = etiquetas.map((etiqueta) =>
    typeof etiqueta === 'string' ? `'"${etiqueta}"'` : `'"${etiqueta[0]}:', COALESCE(${etiqueta[1]}, 0), '"'`,
  );
  return `CONCAT('[', ${escritas.join(`, ',', `)}, ']')`;
}

/** The client of a contract or an invoice that a row points to. */
const clienteDe = (tabela: string, linha: Linha, id: string): string =>
  `(SELECT cliente_id FROM ${tabela} WHERE provedor_id = ${linha}.provedor_id AND id = ${linha}.${id})`;

const doProvedor = (): string => lista('provedor');

/** The tags are those that Malha's own writes of the same rows touch. */
const AVISOS: readonly Aviso[] = [
  // Of a provider that is new, or has no rules yet, nothing is kept.
  { tabela: 'provedores', etiquetas: doProvedor, momentos: ['UPDATE'], provedor: 'id' },
  { tabela: 'regras_cobranca', etiquetas: doProvedor, momentos: ['UPDATE', 'DELETE'] },
  { tabela: 'provedores_identidade', etiquetas: doProvedor },
  { tabela: 'provedores_nas', etiquetas: doProvedor },
  { tabela: 'planos', etiquetas: doProvedor },
  {
    tabela: 'chaves_api',
    etiquetas: (linha) => `CONCAT('["chave:', LOWER(LEFT(HEX(${linha}.hash), 32)), '"]')`,
    donos: ['hash'],
    // That a key is not there is not remembered.
    momentos: ['UPDATE', 'DELETE'],
  },
  {
    tabela: 'clientes',
    etiquetas(linha, momento) {
      const cliente = ['cliente', `${linha}.id`] as const;
      const comBusca = lista(cliente, 'clientes', 'clientes:busca');
      return momento === 'UPDATE'
        ? `IF(OLD.cpf_cnpj = NEW.cpf_cnpj, ${lista(cliente, 'clientes')}, ${comBusca})`
        : comBusca;
    },
    donos: ['id'],
  },
  {
    tabela: 'clientes_telefones',
    etiquetas: (linha) => lista(['cliente', `${linha}.cliente_id`], 'clientes', 'clientes:busca'),
    donos: ['cliente_id'],
  },
  {
    tabela: 'contratos',
    etiquetas: (linha) => lista(['contrato', `${linha}.id`], ['cliente', `${linha}.cliente_id`], 'clientes'),
    donos: ['id', 'cliente_id'],
  },
  {
    tabela: 'desbloqueios_confianca',
    etiquetas: (linha) =>
      lista(
        ['contrato', `${linha}.contrato_id`],
        ['cliente', clienteDe('contratos', linha, 'contrato_id')],
        'clientes',
      ),
    donos: ['contrato_id'],
  },
  {
    tabela: 'faturas',
    etiquetas: (linha) => lista(['fatura', `${linha}.id`], ['cliente', `${linha}.cliente_id`], 'faturas'),
    donos: ['id', 'cliente_id'],
  },
  {
    tabela: 'pix_recebidos',
    etiquetas: (linha) =>
      lista(['fatura', `${linha}.fatura_id`], ['cliente', clienteDe('faturas', linha, 'fatura_id')], 'faturas'),
    donos: ['fatura_id'],
  },
  {
    tabela: 'chamados',
    etiquetas: (linha) => lista(['chamado', `${linha}.id`], ['cliente', `${linha}.cliente_id`], 'chamados'),
    donos: ['id', 'cliente_id'],
  },
  {
    tabela: 'chamados_historico',
    etiquetas: (linha) => lista(['chamado', `${linha}.chamado_id`]),
    donos: ['chamado_id'],
  },
  { tabela: 'extratos', etiquetas: () => lista('extratos') },
];

/**
 * Tells the cache of rows that are written past Malha: by an operator's SQL, a cashier's program, a data migration. Each puts its tags
 * into the outbox, in the writer's own transaction. Malha's own connections set `@malha_avisa`, and are left alone.
 */
export async function up(knex: Knex): Promise<void> {
  for (const { nome, momento, aviso } of gatilhos()) {
    await knex.raw(`DROP TRIGGER IF EXISTS ${nome}`);
    await knex.raw(`CREATE TRIGGER ${nome} AFTER ${momento} ON ${aviso.tabela} FOR EACH ROW ${corpo(aviso, momento)}`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const { nome } of gatilhos()) await knex.raw(`DROP TRIGGER IF EXISTS ${nome}`);
}

function gatilhos(): { nome: string; momento: Momento; aviso: Aviso }[] {
  return AVISOS.flatMap((aviso) =>
    (aviso.momentos ?? MOMENTOS).map((momento) => ({
      nome: `por_fora_${aviso.tabela}_${momento.toLowerCase()}`,
      momento,
      aviso,
    })),
  );
}

/**
 * A statement is known by its instant, and that only so as not to name a million rows, which the relay would have to go through and
 * Redis to hold. To a session whose clock stands still (`SET timestamp`) all its statements are one.
 */
function corpo({ etiquetas, donos = [], provedor = 'provedor_id' }: Aviso, momento: Momento): string {
  const linha = momento === 'DELETE' ? 'OLD' : 'NEW';
  const anotar = (de: Linha, json: string): string =>
    `INSERT INTO eventos (provedor_id, tipo, etiquetas) VALUES (${de}.${provedor}, 'linhas.alteradas', ${json});`;
  const mudou = [provedor, ...donos].map((coluna) => `NOT OLD.${coluna} <=> NEW.${coluna}`).join(' OR ');
  const antes = momento === 'UPDATE' ? `IF ${mudou} THEN ${anotar('OLD', etiquetas('OLD', momento))} END IF;` : '';
  return `
    IF @malha_avisa IS NULL THEN
      IF @malha_instrucao = UTC_TIMESTAMP(6) + 0 AND @malha_provedor = ${linha}.${provedor} THEN
        SET @malha_linhas = @malha_linhas + 1;
      ELSE
        SET @malha_instrucao = UTC_TIMESTAMP(6) + 0, @malha_provedor = ${linha}.${provedor}, @malha_linhas = 1;
      END IF;
      IF @malha_linhas <= ${LINHAS_COM_NOME} THEN
        ${anotar(linha, etiquetas(linha, momento))}
        ${antes}
      ELSEIF @malha_linhas = ${LINHAS_COM_NOME + 1} THEN
        ${anotar(linha, TUDO)}
      END IF;
    END IF`;
}
