import type { Knex } from 'knex';

const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';

/** Days of what was in `radacct` before this; see GUARDAS. */
const DIAS = 366;
/** Two of the shortest intervals that a NAS may have: a Start that comes sooner after a sign of life is told again; see 20261121000015. */
const MENOR_ESPERA_SEGUNDOS = 120;
/** An address that comes so soon after the Start, such as by DHCP after PPP, was the session's from its beginning. */
const ENDERECO_DO_START_SEGUNDOS = 300;
/** Rows of `radacct` copied in one statement, whose locks FreeRADIUS's own writes wait for. */
const LOTE = 2000;

/** Each statement is committed by itself: FreeRADIUS goes on writing meanwhile. */
export const config = { transaction: false };

/** Addresses of a session in `radacct`, of which each may come, change or be missing by itself. */
const ENDERECOS = ['framedipaddress', 'framedipv6address', 'framedipv6prefix', 'delegatedipv6prefix'] as const;

type Linha = 'NEW' | 'OLD' | 'r';

/** SQL of an address as bytes, 4 or 16; null of what is none. Asked only of what is one: in strict mode anything else would be an error. */
function rede(linha: Linha, coluna: (typeof ENDERECOS)[number]): string {
  const texto = `SUBSTRING_INDEX(${linha}.${coluna}, '/', 1)`;
  return coluna === 'framedipaddress'
    ? `IF(IS_IPV4(${linha}.${coluna}) AND ${linha}.${coluna} <> '0.0.0.0', INET6_ATON(${linha}.${coluna}), NULL)`
    : `IF(IS_IPV6(${texto}), INET6_ATON(${texto}), NULL)`;
}

/** SQL of how many of its bits count. */
function bits(linha: Linha, coluna: (typeof ENDERECOS)[number]): string {
  if (coluna === 'framedipaddress') return '32';
  const escritos = `SUBSTRING_INDEX(${linha}.${coluna}, '/', -1)`;
  return `IF(${escritos} REGEXP '^[0-9]{1,3}$', LEAST(CAST(${escritos} AS UNSIGNED), 128), 128)`;
}

/** TO_SECONDS has no value for what is no time, such as old schemas' 0000-00-00. */
const aberta = (linha: Linha): string =>
  `(${linha}.acctstoptime IS NULL OR ${linha}.acctstarttime > ${linha}.acctstoptime OR TO_SECONDS(${linha}.acctstoptime) IS NULL)`;
const fim = (linha: Linha): string => `IF(${aberta(linha)}, NULL, ${linha}.acctstoptime)`;
const ultimoSinal = (linha: Linha): string =>
  `GREATEST(COALESCE(${linha}.acctupdatetime, ${linha}.acctstarttime), COALESCE(${linha}.acctstarttime, ${linha}.acctupdatetime))`;
/** When it ended, or was last heard of. */
const ateQuando = (linha: Linha): string => `IF(${aberta(linha)}, ${ultimoSinal(linha)}, ${linha}.acctstoptime)`;
const comecou = (linha: Linha): string => `TO_SECONDS(${linha}.acctstarttime) IS NOT NULL`;

/**
 * SQL that writes down one address of sessions of registered NASes; IGNORE, because FreeRADIUS's write must never fail for what is ours. The
 * contract is that which has the login then: it may go to another later.
 */
const anotar = (linha: Linha, coluna: (typeof ENDERECOS)[number], inicio: string, de: string, onde: string): string => `
  INSERT IGNORE INTO registros_conexao (provedor_id, radacctid, contrato_id, login, nas, mac, rede, bits, inicio, fim)
  SELECT n.provedor_id, ${linha}.radacctid,
         (SELECT c.id FROM contratos c WHERE c.provedor_id = n.provedor_id AND c.login = ${linha}.username LIMIT 1),
         ${linha}.username, INET_ATON(n.nasipaddress), LEFT(${linha}.callingstationid, 50), ${rede(linha, coluna)},
         ${bits(linha, coluna)}, ${inicio}, ${fim(linha)}
    FROM ${de} WHERE ${onde} AND ${rede(linha, coluna)} IS NOT NULL`;

const doNas = (linha: 'NEW'): readonly [string, string] => [
  'provedores_nas n',
  `n.nasipaddress = ${linha}.nasipaddress`,
];

const anotarTodos = (): string =>
  ENDERECOS.map((coluna) => `${anotar('NEW', coluna, 'NEW.acctstarttime', ...doNas('NEW'))};`).join('');

const fechar = (quando: string, mais = ''): string =>
  `UPDATE IGNORE registros_conexao SET fim = GREATEST(inicio, ${quando}) WHERE radacctid = OLD.radacctid AND fim IS NULL ${mais};`;
const fecharPortas = (quando: string): string =>
  `UPDATE IGNORE registros_portas SET fim = GREATEST(inicio, ${quando}) WHERE sessao = OLD.acctuniqueid AND fim IS NULL;`;

/** The row has become another session's. What was told a moment after a sign of life is the same one, told again. */
const OUTRA_SESSAO = `(NOT (NEW.username <=> OLD.username AND NEW.nasipaddress <=> OLD.nasipaddress)
  OR (NOT NEW.acctstarttime <=> OLD.acctstarttime
      AND NOT (${aberta('OLD')} AND TO_SECONDS(NEW.acctstarttime) <= TO_SECONDS(${ultimoSinal('OLD')}) + ${MENOR_ESPERA_SEGUNDOS})))`;

/** When a change came: as the NAS dates it, like all that is written down here, where it says so; of a Stop, its own moment. */
const MOMENTO = `IF(NOT ${aberta('NEW')}, NEW.acctstoptime,
  IF(TO_SECONDS(NEW.acctupdatetime) > COALESCE(TO_SECONDS(OLD.acctupdatetime), 0), NEW.acctupdatetime, UTC_TIMESTAMP()))`;

/**
 * An address that comes right after the Start is of the whole session, unless the session had it and lost it; a later one, or one in the
 * place of another, from the change on. Until then somebody else may have had it. One that is taken away ends there, too.
 */
const mudouEndereco = (coluna: (typeof ENDERECOS)[number]): string => `
  IF NEW.${coluna} <> OLD.${coluna} THEN BEGIN
    DECLARE desde DATETIME DEFAULT ${MOMENTO};
    IF ${rede('OLD', coluna)} IS NOT NULL THEN
      ${fechar('desde', `AND rede = ${rede('OLD', coluna)}`)}
    ELSEIF TO_SECONDS(desde) <= TO_SECONDS(NEW.acctstarttime) + ${ENDERECO_DO_START_SEGUNDOS}
       AND NOT EXISTS (SELECT 1 FROM registros_conexao k WHERE k.radacctid = NEW.radacctid
                          AND k.rede = ${rede('NEW', coluna)} AND k.inicio >= NEW.acctstarttime) THEN
      SET desde = NEW.acctstarttime;
    END IF;
    ${anotar('NEW', coluna, 'desde', ...doNas('NEW'))};
  END; END IF;`;

const GATILHOS: readonly (readonly [nome: string, quando: string, corpo: string])[] = [
  ['registros_conexao_insert', 'AFTER INSERT ON radacct', `IF ${comecou('NEW')} THEN ${anotarTodos()} END IF;`],
  [
    'registros_conexao_update',
    'AFTER UPDATE ON radacct',
    // An interim update that says nothing new, as nearly all do, writes nothing.
    `IF ${OUTRA_SESSAO} THEN
       IF ${comecou('OLD')} THEN ${fechar(ateQuando('OLD'))} ${fecharPortas(ateQuando('OLD'))} END IF;
       IF ${comecou('NEW')} THEN ${anotarTodos()} END IF;
     ELSEIF ${comecou('NEW')} THEN
       ${ENDERECOS.map(mudouEndereco).join('')}
       IF NOT NEW.acctstoptime <=> OLD.acctstoptime THEN
         IF ${aberta('NEW')} THEN
           UPDATE IGNORE registros_conexao SET fim = NULL WHERE radacctid = NEW.radacctid AND fim = OLD.acctstoptime AND inicio >= NEW.acctstarttime;
         ELSE
           ${fechar('NEW.acctstoptime')}
           ${fecharPortas('NEW.acctstoptime')}
           UPDATE IGNORE registros_conexao SET fim = GREATEST(inicio, NEW.acctstoptime)
            WHERE radacctid = NEW.radacctid AND fim = OLD.acctstoptime AND inicio >= NEW.acctstarttime;
         END IF;
       END IF;
     END IF;`,
  ],
  [
    'registros_conexao_delete',
    'AFTER DELETE ON radacct',
    // Of one that ended all is written down.
    `IF ${aberta('OLD')} AND ${comecou('OLD')} THEN ${fechar(ultimoSinal('OLD'))} ${fecharPortas(ultimoSinal('OLD'))} END IF;`,
  ],
  // What a NAS told before it was registered: little, for FreeRADIUS answers it from then on.
  [
    'registros_conexao_nas',
    'AFTER INSERT ON provedores_nas',
    ENDERECOS.map(
      (coluna) =>
        `${anotar(
          'r',
          coluna,
          'r.acctstarttime',
          'provedores_nas n STRAIGHT_JOIN radacct r ON r.nasipaddress = n.nasipaddress',
          `n.nasipaddress = NEW.nasipaddress AND ${comecou('r')} AND r.acctstarttime > UTC_TIMESTAMP() - INTERVAL ${DIAS} DAY`,
        )};`,
    ).join(''),
  ],
  // FreeRADIUS knows the NAS and no provider. Of a NAS that is nobody's there is none, and so no row.
  [
    'registros_portas_provedor',
    'BEFORE INSERT ON registros_portas',
    `SET NEW.provedor_id = (SELECT provedor_id FROM provedores_nas WHERE nasipaddress = NEW.nasipaddress);`,
  ],
];

/**
 * Who had an address, and ports of it, when: the connection records that the Marco Civil da Internet (Lei 12.965/2014, art. 13) has
 * providers keep for a year. Apart from `radacct`, whose rows become other sessions' and are deleted as FreeRADIUS's operator likes.
 *
 * No foreign keys: FreeRADIUS's writes would wait for whoever holds a contract, and what is kept by law outlives what it names.
 */
export async function up(knex: Knex): Promise<void> {
  // A row is one address of one session: `rede` has 4 or 16 bytes, of which the first `bits` count. `fim` is null while it is open. The
  // index by address holds all that decides who had it: a question reads a range of it.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS registros_conexao (
      provedor_id  BIGINT UNSIGNED NOT NULL,
      id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      radacctid    BIGINT NOT NULL,
      contrato_id  BIGINT UNSIGNED NULL,
      login        VARCHAR(64) NOT NULL,
      nas          INT UNSIGNED NOT NULL,
      mac          VARCHAR(50) NOT NULL,
      rede         VARBINARY(16) NOT NULL,
      bits         TINYINT UNSIGNED NOT NULL,
      inicio       DATETIME NOT NULL,
      fim          DATETIME NULL,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY registros_conexao_id (id),
      UNIQUE KEY registros_conexao_sessao (radacctid, rede, inicio),
      KEY registros_conexao_endereco (provedor_id, rede, inicio, fim, bits),
      KEY registros_conexao_contrato (provedor_id, contrato_id, inicio),
      KEY registros_conexao_idade (fim, inicio)
    ) ENGINE=InnoDB`);
  // Written by FreeRADIUS, see docs/freeradius.md. Of a session a range of ports is open once.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS registros_portas (
      provedor_id    BIGINT UNSIGNED NOT NULL DEFAULT 0,
      id             BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      nasipaddress   VARCHAR(15) ${ASCII} NOT NULL,
      sessao         VARCHAR(32) ${ASCII} NOT NULL,
      login          VARCHAR(64) NOT NULL,
      ip_publico     INT UNSIGNED NOT NULL,
      porta_inicial  SMALLINT UNSIGNED NOT NULL,
      porta_final    SMALLINT UNSIGNED NOT NULL,
      ip_privado     INT UNSIGNED NULL,
      inicio         DATETIME NOT NULL,
      fim            DATETIME NULL,
      aberta         TINYINT(1) GENERATED ALWAYS AS (IF(fim IS NULL, 1, NULL)) STORED,
      PRIMARY KEY (provedor_id, id),
      UNIQUE KEY registros_portas_id (id),
      UNIQUE KEY registros_portas_sessao (sessao, ip_publico, porta_inicial, aberta),
      KEY registros_portas_endereco (provedor_id, ip_publico, inicio, fim, porta_inicial, porta_final),
      KEY registros_portas_login (provedor_id, login, inicio),
      KEY registros_portas_idade (fim, inicio),
      CONSTRAINT registros_portas_provedor CHECK (provedor_id > 0)
    ) ENGINE=InnoDB`);
  for (const [nome, quando, corpo] of GATILHOS) {
    await knex.raw(`DROP TRIGGER IF EXISTS ${nome}`);
    await knex.raw(`CREATE TRIGGER ${nome} ${quando} FOR EACH ROW BEGIN ${corpo} END`);
  }
  // What is there already; what comes meanwhile the triggers write down.
  const [[ultima] = []] = await knex.raw<{ id: number | null }[][]>('SELECT MAX(radacctid) AS id FROM radacct');
  for (let depoisDe = 0; depoisDe < (ultima?.id ?? 0); depoisDe += LOTE) {
    for (const coluna of ENDERECOS) {
      await knex.raw(
        anotar(
          'r',
          coluna,
          'r.acctstarttime',
          'radacct r JOIN provedores_nas n ON n.nasipaddress = r.nasipaddress',
          `r.radacctid > ${depoisDe} AND r.radacctid <= ${depoisDe + LOTE} AND ${comecou('r')}
           AND (r.acctstoptime IS NULL OR r.acctstoptime > UTC_TIMESTAMP() - INTERVAL ${DIAS} DAY)`,
        ).replaceAll('?', '\\?'),
      );
    }
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const [nome] of GATILHOS) await knex.raw(`DROP TRIGGER IF EXISTS ${nome}`);
  for (const tabela of ['registros_portas', 'registros_conexao']) await knex.schema.dropTableIfExists(tabela);
}
