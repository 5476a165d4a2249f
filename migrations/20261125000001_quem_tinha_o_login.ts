import type { Knex } from 'knex';

/** Days of what was in `radacct` before a NAS was registered; see GUARDAS. */
const DIAS = 366;
/** Two of the shortest intervals that a NAS may have: a Start that comes sooner after a sign of life is told again; see 20261121000015. */
const MENOR_ESPERA_SEGUNDOS = 120;
/** An address that comes so soon after the Start, such as by DHCP after PPP, was the session's from its beginning. */
const ENDERECO_DO_START_SEGUNDOS = 300;
/** A session may begin, by its NAS's clock, so much before its login was given out; as TOLERANCIA_SEGUNDOS of the registros service. */
const ANTES_DO_LOGIN_SEGUNDOS = 60;
/** Less than what the silence job waits (silencio.service.ts), for its clock is another: of whom was silent for less, it has ended nothing. */
const SILENCIO_DIAS = 6;

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
 * contract is that which had the login when the record begins, and none where nobody knows that: what comes hours late must not name who
 * was given the login meanwhile. By an index that holds all of it, so that FreeRADIUS waits for nobody who has locked the contract.
 */
const anotar = (linha: Linha, coluna: (typeof ENDERECOS)[number], inicio: string, de: string, onde: string): string => `
  INSERT IGNORE INTO registros_conexao (provedor_id, radacctid, contrato_id, login, nas, mac, rede, bits, inicio, fim)
  SELECT n.provedor_id, ${linha}.radacctid,
         (SELECT c.id FROM contratos c FORCE INDEX (contratos_login_desde)
           WHERE c.provedor_id = n.provedor_id AND c.login = ${linha}.username
             AND (c.login_desde IS NULL OR c.login_desde <= ${inicio} + INTERVAL ${ANTES_DO_LOGIN_SEGUNDOS} SECOND) LIMIT 1),
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

/**
 * The silence job has ended what is open of a session with its last sign, and the session lives: it is open again, until what comes now
 * ends it. But not where the address was another session's since, of the same NAS: then it was gone, and whoever ends it says so late, as a
 * NAS that starts again does of all that it had. Ports follow the address. Where they were told anew, those go on.
 */
const RETOMAR = `
  IF ${aberta('OLD')}
     AND NOT (NEW.acctstarttime <=> OLD.acctstarttime AND NEW.acctupdatetime <=> OLD.acctupdatetime AND NEW.acctstoptime <=> OLD.acctstoptime)
     AND TO_SECONDS(${ultimoSinal('OLD')}) + ${SILENCIO_DIAS * 86_400} < GREATEST(TO_SECONDS(UTC_TIMESTAMP()),
           COALESCE(TO_SECONDS(NEW.acctupdatetime), 0), COALESCE(TO_SECONDS(NEW.acctstoptime), 0)) THEN
    UPDATE IGNORE registros_conexao t
      LEFT JOIN registros_conexao k ON k.provedor_id = t.provedor_id AND k.rede = t.rede AND k.inicio > t.inicio AND k.nas = t.nas
       SET t.fim = NULL
     WHERE t.radacctid = OLD.radacctid AND t.rede IN (${ENDERECOS.map((coluna) => rede('OLD', coluna)).join(', ')})
       AND t.fim = GREATEST(t.inicio, ${ultimoSinal('OLD')}) AND k.id IS NULL;
    IF ROW_COUNT() > 0 THEN
      UPDATE IGNORE registros_portas t
        LEFT JOIN registros_portas k ON k.sessao = t.sessao AND k.ip_publico = t.ip_publico AND k.porta_inicial = t.porta_inicial
              AND k.aberta = 1
         SET t.fim = GREATEST(t.inicio, k.inicio)
       WHERE t.sessao = OLD.acctuniqueid AND t.fim = GREATEST(t.inicio, ${ultimoSinal('OLD')});
    END IF;
  END IF;`;

const GATILHOS: readonly (readonly [nome: string, quando: string, corpo: string])[] = [
  ['registros_de_sessao_insert', 'AFTER INSERT ON radacct', `IF ${comecou('NEW')} THEN ${anotarTodos()} END IF;`],
  [
    'registros_de_sessao_update',
    'AFTER UPDATE ON radacct',
    // An interim update that says nothing new, as nearly all do, writes nothing and looks at nothing.
    `IF ${OUTRA_SESSAO} THEN
       IF ${comecou('OLD')} THEN ${fechar(ateQuando('OLD'))} ${fecharPortas(ateQuando('OLD'))} END IF;
       IF ${comecou('NEW')} THEN ${anotarTodos()} END IF;
     ELSEIF ${comecou('NEW')} THEN
       ${RETOMAR}
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
  // What a NAS told before it was registered: little, for FreeRADIUS answers it from then on.
  [
    'registros_de_sessao_nas',
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
];

/** What these do instead; that of deleted rows stays. */
const ANTERIORES = ['registros_conexao_insert', 'registros_conexao_update', 'registros_conexao_nas'] as const;

/**
 * Since when a contract has its login, where that is known: null is always, as of contracts that were there and of what is imported. And
 * connection records of sessions that were taken for gone are open again when they are heard of.
 */
export async function up(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('contratos', 'login_desde'))) {
    await knex.raw('ALTER TABLE contratos ADD COLUMN login_desde DATETIME(3) NULL');
  }
  const [indice = []] = await knex.raw<object[][]>(
    `SHOW INDEX FROM contratos WHERE Key_name = 'contratos_login_desde'`,
  );
  if (indice.length === 0) {
    await knex.raw('ALTER TABLE contratos ADD KEY contratos_login_desde (provedor_id, login, login_desde)');
  }
  // New ones first: between the two nothing that FreeRADIUS writes is lost, and what both write down is one row.
  for (const [nome, quando, corpo] of GATILHOS) {
    const [ha = []] = await knex.raw<object[][]>('SHOW TRIGGERS WHERE `Trigger` = ?', [nome]);
    if (ha.length === 0) await knex.raw(`CREATE TRIGGER ${nome} ${quando} FOR EACH ROW BEGIN ${corpo} END`);
  }
  for (const nome of ANTERIORES) await knex.raw(`DROP TRIGGER IF EXISTS ${nome}`);
}

export async function down(knex: Knex): Promise<void> {
  for (const [nome] of GATILHOS) await knex.raw(`DROP TRIGGER IF EXISTS ${nome}`);
  await knex.raw('ALTER TABLE contratos DROP KEY contratos_login_desde');
  await knex.raw('ALTER TABLE contratos DROP COLUMN login_desde');
}
