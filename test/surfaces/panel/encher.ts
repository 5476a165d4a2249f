import { createHash } from 'node:crypto';
import type { Db } from '../../../src/platform/mysql/database.ts';

type Linha = Record<string, unknown>;

/** What the database fills in by itself. */
const GERADA = /auto_increment|GENERATED/i;

interface Coluna {
  readonly nome: string;
  readonly tipo: string;
  readonly tipoInteiro: string;
  readonly nula: boolean;
  readonly temPadrao: boolean;
  readonly extra: string;
  readonly maximo: number;
  readonly unica: boolean;
  /** The table whose row it names. */
  readonly de: string | null;
}

/** Of these a provider has one row, or as many as it has people, banks or settings. */
export const PEQUENAS =
  'nas app_documentos cobradores convenios_bancarios convenios_sequencias faturamento_configuracoes nfcom_certificados nfcom_configuracoes nfcom_filas nfcom_grupos nfcom_municipios nfcom_numeracao nfcom_partes nfcom_servicos nfcom_clientes perfis painel_sessoes provedores_feriados provedores_identidade provedores_rede psp_convenios receptores_pix regras_cobranca reguas usuarios usuarios_convites usuarios_fatores usuarios_codigos webhooks chaves_api importacao_senhas importacao_arquivos arquivos_bancarios push_dispositivos push_envios extratos importacoes remessas retornos faturamentos tarefas_diarias protocolos_dias somas_diarias planos pops provedores_nas convites avisos_de_rede avisos_de_rede_alvos chaves_uso'.split(
    ' ',
  );

/** Of what is over in time, one of so many is still open. */
const EM_ABERTO = 6;
const ENCERRADAS: Readonly<Record<string, string>> = { faturas: 'paga', chamados: 'solucionado' };

/** Of each row another, though nothing has it so. */
const DISTINTAS = ['cpf_cnpj'];

/** What only the network's servers write, by way of triggers; no screen reads it. */
const DA_REDE = ['registros_portas', 'registros_conexao'];

/** What a row that no screen made has to be, where any value of the column's type will not do. */
const COMO_SAO: Readonly<Record<string, Linha>> = {
  auditoria: { acao: 'cliente.alterado', recurso: 'cliente', dados: '{}' },
  provedores_feriados: { dia: '12-24' },
  faturamento_cobrancas: { itens: '[]' },
  push_dispositivos: { silenciados: '[]' },
  conexoes: { ouvida_em: '2026-11-20 14:59:00', intervalo_segundos: 300, nas: '192.0.2.1' },
  eventos: { tipo: 'cliente.atualizado', dados: '{"cliente":1,"campos":["email"]}' },
};

const HOJE = Date.parse('2026-11-20T12:00:00Z');
const instante = (ms: number): string => new Date(ms).toISOString().slice(0, 23).replace('T', ' ');

type Valor = string | number | Buffer | null;

/** JSON is read as what it says. */
const gravavel = (valor: unknown): Valor =>
  typeof valor === 'object' && valor !== null && !Buffer.isBuffer(valor) ? JSON.stringify(valor) : (valor as Valor);

const bytes = (de: string, quantos: number): Buffer => createHash('sha256').update(de).digest().subarray(0, quantos);

/** What a column holds of the row number `n`, which differs from that of every other. */
function outro(valor: Valor, { tipo, maximo }: Coluna, provedorId: number, n: number): Valor {
  if (valor === null || n === 0) return valor;
  if (tipo === 'binary' || tipo === 'varbinary') return bytes(`${provedorId} ${n}`, maximo);
  const texto = valor.toString();
  if (tipo === 'date') return instante(Date.parse(`${texto}Z`) - n * 86_400_000).slice(0, 10);
  if (tipo === 'datetime' || tipo === 'timestamp') {
    return instante(Date.parse(`${texto}Z`.replace(' ', 'T')) - n * 6 * 3_600_000);
  }
  if (tipo.endsWith('int')) return tipo === 'tinyint' ? valor : Number(texto) + n;
  return tipo.endsWith('char') ? texto.slice(0, maximo - 4) + String(n).padStart(4, '0') : valor;
}

/** A row of a table of which nothing is known but its columns. */
function primeira(tabela: string, colunas: readonly Coluna[], provedorId: number, ids: Ids): Linha {
  const linha: Linha = {};
  for (const coluna of colunas) {
    const { nome, tipo, tipoInteiro, nula, temPadrao, de } = coluna;
    const [pai] = de === null ? [] : (ids.get(de) ?? []);
    if (nome === 'provedor_id') linha[nome] = provedorId;
    else if (pai !== undefined) linha[nome] = pai;
    else if (nula || temPadrao) continue;
    else if (tipo === 'enum') linha[nome] = /^enum\('([^']+)'/.exec(tipoInteiro)?.[1];
    else if (tipo === 'date') linha[nome] = instante(HOJE).slice(0, 10);
    else if (tipo === 'datetime') linha[nome] = instante(HOJE);
    else if (/text|json/.test(tipo)) linha[nome] = '{}';
    else if (/binary|blob/.test(tipo)) linha[nome] = bytes(`${provedorId}`, Math.min(coluna.maximo || 32, 32));
    else linha[nome] = /char/.test(tipo) ? String(provedorId) : 1;
  }
  return { ...linha, ...COMO_SAO[tabela] };
}

type Ids = ReadonlyMap<string, readonly number[]>;

async function lerEsquema(db: Db, sql: string): Promise<Record<string, unknown>[]> {
  const [linhas = []] = await db.raw<Record<string, unknown>[][]>(`${sql} WHERE TABLE_SCHEMA = DATABASE()`);
  return linhas;
}

/** The tables of a provider's data, with their columns. */
async function colunasDe(db: Db): Promise<Map<string, Coluna[]>> {
  const linhas = await lerEsquema(
    db,
    `SELECT TABLE_NAME AS tabela, COLUMN_NAME AS nome, DATA_TYPE AS tipo, COLUMN_TYPE AS inteiro, IS_NULLABLE AS nula, COLUMN_DEFAULT AS padrao,
      EXTRA AS extra, CHARACTER_MAXIMUM_LENGTH AS maximo FROM information_schema.COLUMNS`,
  );
  const indices = await lerEsquema(
    db,
    'SELECT TABLE_NAME AS tabela, COLUMN_NAME AS nome, NON_UNIQUE AS varias FROM information_schema.STATISTICS',
  );
  const chaves = await lerEsquema(
    db,
    `SELECT TABLE_NAME AS tabela, COLUMN_NAME AS nome, REFERENCED_TABLE_NAME AS de, REFERENCED_COLUMN_NAME AS coluna
      FROM information_schema.KEY_COLUMN_USAGE`,
  );
  const de = ({ tabela, nome }: Record<string, unknown>): string => `${String(tabela)}.${String(nome)}`;
  const unicas = new Set(indices.filter(({ varias }) => Number(varias) === 0).map(de));
  const pais = new Map(chaves.filter(({ coluna }) => coluna === 'id').map((chave) => [de(chave), String(chave['de'])]));
  const tabelas = new Map<string, Coluna[]>();
  for (const linha of linhas) {
    const { tabela, nome, tipo, inteiro, nula, padrao, extra, maximo } = linha;
    const coluna: Coluna = {
      nome: String(nome),
      tipo: String(tipo),
      tipoInteiro: String(inteiro),
      nula: nula === 'YES',
      temPadrao: padrao !== null || GERADA.test(String(extra)),
      extra: String(extra),
      maximo: Number(maximo ?? 0),
      unica: unicas.has(de(linha)),
      de: pais.get(de(linha)) ?? null,
    };
    tabelas.set(String(tabela), [...(tabelas.get(String(tabela)) ?? []), coluna]);
  }
  return new Map([...tabelas].filter(([, colunas]) => colunas.some(({ nome }) => nome === 'provedor_id')));
}

/** The tables, each after those whose rows it names. */
function emOrdem(tabelas: ReadonlyMap<string, readonly Coluna[]>): string[] {
  const ordem = new Set<string>();
  const visitar = (tabela: string, acima: readonly string[]): void => {
    if (ordem.has(tabela) || acima.includes(tabela)) return;
    for (const { de } of tabelas.get(tabela) ?? []) if (de !== null && tabelas.has(de)) visitar(de, [...acima, tabela]);
    ordem.add(tabela);
  };
  for (const tabela of tabelas.keys()) visitar(tabela, []);
  return [...ordem];
}

/**
 * Gives a provider at least one row of every table, and of each that grows with the provider `quantas` more: copies of its first, each of a
 * client, a contract and an invoice of its own, except `doPrimeiro` of them, which are the first one's. What a copy has to differ in,
 * differs. New tables are filled as well.
 */
export async function encher(db: Db, provedorId: number, quantas: number, doPrimeiro: number): Promise<void> {
  const tabelas = await colunasDe(db);
  const ids = new Map<string, readonly number[]>();
  for (const tabela of emOrdem(tabelas).filter((uma) => !DA_REDE.includes(uma))) {
    const colunas = tabelas.get(tabela) ?? [];
    const temId = colunas.some(({ nome, extra }) => nome === 'id' && extra.includes('auto_increment'));
    const lerIds = async (): Promise<number[]> =>
      temId ? db(tabela).where({ provedor_id: provedorId }).orderBy('id').pluck('id') : [];
    const primeiro: Linha =
      (await db(tabela)
        .where({ provedor_id: provedorId })
        .orderBy(temId ? 'id' : 'provedor_id')
        .first()) ??
      (await (async () => {
        await db(tabela).insert(primeira(tabela, colunas, provedorId, ids));
        return db(tabela).where({ provedor_id: provedorId }).first() as Promise<Linha>;
      })());
    if (!PEQUENAS.includes(tabela)) {
      const gravadas = colunas.filter(({ extra }) => !GERADA.test(extra));
      const [, ...copias] = Array.from({ length: quantas + 1 }, (_, n) =>
        Object.fromEntries(
          gravadas.map((coluna): [string, unknown] => {
            const { nome, de, tipo, unica } = coluna;
            const valor = gravavel(primeiro[nome]);
            if (nome === 'provedor_id') return [nome, valor];
            if (de !== null && valor !== null) {
              const pais = ids.get(de) ?? [];
              return [nome, unica || n > doPrimeiro ? (pais[n % pais.length] ?? valor) : valor];
            }
            if (nome === 'situacao' && n % EM_ABERTO !== 0) return [nome, ENCERRADAS[tabela] ?? valor];
            const muda = unica || DISTINTAS.includes(nome) || /^(?:date|datetime|timestamp)$/.test(tipo);
            return [nome, muda ? outro(valor, coluna, provedorId, n) : valor];
          }),
        ),
      );
      for (let i = 0; i < copias.length; i += 500)
        await db(tabela)
          .insert(copias.slice(i, i + 500))
          .onConflict()
          .ignore();
    }
    ids.set(tabela, await lerIds());
  }
  await comSessoes(db, provedorId);
}

/** A session of the network for each contract, which is heard of, and its password. */
async function comSessoes(db: Db, provedorId: number): Promise<void> {
  await db.raw(
    `INSERT INTO radacct (acctsessionid, acctuniqueid, username, nasipaddress, acctstarttime, acctupdatetime)
     SELECT CONCAT('p', c.id), CONCAT('p', c.id), c.login, COALESCE(x.nas, '192.0.2.1'), '2026-11-20 08:00:00', '2026-11-20 11:59:00'
       FROM contratos c LEFT JOIN conexoes x ON x.provedor_id = c.provedor_id AND x.contrato_id = c.id
      WHERE c.provedor_id = ? AND c.login IS NOT NULL`,
    [provedorId],
  );
  await db.raw(
    `INSERT INTO radcheck (username, attribute, op, value)
     SELECT login, 'Cleartext-Password', ':=', 'x' FROM contratos WHERE provedor_id = ? AND login IS NOT NULL`,
    [provedorId],
  );
  await db.raw(
    `INSERT IGNORE INTO sessoes_ouvidas (radacctid, dita_em, recebida_em, ouvida_em)
     SELECT r.radacctid, r.acctupdatetime, r.acctupdatetime, r.acctupdatetime FROM contratos c JOIN radacct r ON r.acctuniqueid = CONCAT('p', c.id) WHERE c.provedor_id = ?`,
    [provedorId],
  );
}

/** Tells the optimizer what is in the tables. */
export async function analisar(db: Db): Promise<void> {
  for (const tabela of [...(await colunasDe(db)).keys(), 'radacct', 'radcheck', 'sessoes_ouvidas'])
    await db.raw('ANALYZE TABLE ??', [tabela]);
}
