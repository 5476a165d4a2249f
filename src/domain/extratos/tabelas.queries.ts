import type { Knex } from 'knex';
import type { Data } from '../../brazil/datas.ts';
import { emMemoriaPropria, FIM_DO_CAMPO, NULO } from '../../brazil/extrato.ts';
import type { ColunaDoExtrato, TipoDeColuna } from '../../brazil/extrato.ts';
import { toDatabaseTime } from '../../platform/database.ts';
import { sameTenant } from '../../platform/tenant.ts';
import type { TenantDb } from '../../platform/tenant.ts';
import { COLUNAS_DE_ENDERECO } from '../enderecos/enderecos.types.ts';
import type { TabelaExtraida } from './extratos.types.ts';

/** What an extract is taken by. */
export interface Retrato {
  /** The one transaction in which everything is read. */
  readonly tenant: TenantDb;
  readonly agora: Date;
  /** At the provider, then. */
  readonly hoje: Data;
  readonly intervaloPadraoSegundos: number;
  /** `table.column` of the texts that this database keeps in another encoding than UTF-8. */
  readonly foraDeUtf8: ReadonlySet<string>;
}

type Expressao = string | ((retrato: Retrato) => Knex.Raw | Knex.QueryBuilder);

/** A column as it is written, and the SQL of what it holds; null where another table is read for it. */
interface Coluna extends ColunaDoExtrato {
  readonly sql: Expressao | null;
}

/** Rows of another table by the key of those they belong to, in order. */
type AoLado = (tenant: TenantDb, depoisDe: Ultima | null, ate: Ultima) => Promise<{ chave: number; texto: Buffer }[]>;

export interface Tabela {
  readonly colunas: readonly Coluna[];
  /** How many of the columns, from the first, are the primary key's after the tenant. */
  readonly chaves: 1 | 2;
  /** Rows to a batch: so many that what a statement costs by itself does not tell; fewer where a row may be long, for memory's sake. */
  readonly lote: number;
  readonly juntar?: (query: Knex.QueryBuilder) => void;
  /** Fills the last column, with commas between. */
  readonly aoLado?: AoLado;
}

const coluna = (nome: string, tipo: TipoDeColuna, nulo: boolean, sql: Expressao | null): Coluna => ({
  nome,
  tipo,
  nulo,
  sql,
});

/** Columns that hold what a column of the table does, by name: with `?` after its type where it may be null. */
function daTabela(tabela: string, tipos: Readonly<Record<string, TipoDeColuna | `${TipoDeColuna}?`>>): Coluna[] {
  return Object.entries(tipos).map(([nome, tipo]) => {
    const nulo = tipo.endsWith('?');
    const base = tipo.replace('?', '') as TipoDeColuna;
    return coluna(nome, base, nulo, `${tabela}.${nome}`);
  });
}

const enderecoDe = (tabela: string, prefixo: string): Coluna[] =>
  COLUNAS_DE_ENDERECO.map((nome) => coluna(`${prefixo}_${nome}`, 'texto', true, `${tabela}.${nome}`));

/** `estadoDaConexao`, in SQL. */
const conexao: Expressao = ({ tenant, agora, intervaloPadraoSegundos }) =>
  tenant.db.raw(
    `CASE WHEN contratos.login IS NULL OR contratos.login = '' OR conexoes.contrato_id IS NULL THEN 'desconhecido'
          WHEN CAST(? AS DATETIME(3)) <= conexoes.ouvida_em
               + INTERVAL 2 * COALESCE(conexoes.intervalo_segundos, ?) SECOND THEN 'online'
          ELSE 'offline' END`,
    [toDatabaseTime(agora), intervaloPadraoSegundos],
  );

const desbloqueadoAte: Expressao = ({ tenant, agora }) =>
  tenant.db.raw('IF(d.ate >= CAST(? AS DATETIME(3)), d.ate, NULL)', [toDatabaseTime(agora)]);

/** Of a contract, its connection and its trust unblock that was not ended; of neither is there more than one. */
function juntarAContratos(query: Knex.QueryBuilder): void {
  query
    .leftJoin('conexoes', sameTenant('contratos', 'id', 'conexoes', 'contrato_id'))
    .leftJoin('desbloqueios_confianca as d', function on() {
      sameTenant('contratos', 'id', 'd', 'contrato_id').call(this);
      this.andOnVal('d.por_encerrar', 1);
    });
}

/** Once a batch: as a subquery of each client it takes twice the time of all the other columns. */
const telefones: AoLado = async (tenant, depoisDe, ate) =>
  tenant
    .from('clientes_telefones', 'clientes_telefones_cliente')
    .where('cliente_id', '>', depoisDe?.[0] ?? 0)
    .where('cliente_id', '<=', ate[0] ?? 0)
    .orderBy(['cliente_id', 'id'])
    .select({ chave: 'cliente_id', texto: tenant.db.raw('CAST(numero AS BINARY)') });

/** Which of the two an open invoice is depends on the day; see apuracao.regras.ts. */
const situacaoDaFatura: Expressao = ({ tenant, hoje }) =>
  tenant.db.raw("IF(faturas.grupo = 'aberta', IF(faturas.vencimento < ?, 'vencida', 'pendente'), faturas.situacao)", [
    hoje,
  ]);

/** What is extracted, by file. Nothing here is a secret: no token of a link, no code of a payment, no password. */
export const ESQUEMA: Readonly<Record<TabelaExtraida, Tabela>> = {
  clientes: {
    chaves: 1,
    lote: 5000,
    colunas: [
      ...daTabela('clientes', {
        id: 'inteiro',
        nome: 'texto',
        nome_fantasia: 'texto?',
        tipo: 'texto',
        cpf_cnpj: 'texto',
        email: 'texto?',
        situacao: 'texto',
        data_nascimento: 'data?',
      }),
      ...enderecoDe('clientes', 'endereco'),
      ...daTabela('clientes', { criado_em: 'instante', atualizado_em: 'instante' }),
      coluna('telefones', 'textos', false, null),
    ],
    aoLado: telefones,
  },
  contratos: {
    chaves: 1,
    lote: 5000,
    juntar: juntarAContratos,
    colunas: [
      ...daTabela('contratos', { id: 'inteiro', cliente_id: 'inteiro', plano_id: 'inteiro', situacao: 'texto' }),
      coluna('conexao', 'texto', false, conexao),
      ...daTabela('contratos', {
        tipo_conexao: 'texto',
        login: 'texto?',
        mac: 'texto?',
        ip: 'texto?',
        tipo_cobranca: 'texto',
        dia_vencimento: 'inteiro',
        valor: 'dinheiro',
        ativado_em: 'data?',
        bloqueado_em: 'instante?',
      }),
      coluna('desbloqueio_confianca_ate', 'instante', true, desbloqueadoAte),
      ...enderecoDe('contratos', 'endereco_instalacao'),
      ...daTabela('contratos', { criado_em: 'instante', atualizado_em: 'instante' }),
    ],
  },
  faturas: {
    chaves: 1,
    lote: 5000,
    colunas: [
      ...daTabela('faturas', {
        id: 'inteiro',
        cliente_id: 'inteiro',
        contrato_id: 'inteiro?',
        descricao: 'texto?',
      }),
      coluna('situacao', 'texto', false, situacaoDaFatura),
      ...daTabela('faturas', { tipo: 'texto?', valor: 'dinheiro' }),
      // The stored one may be of another day: the thread works it out.
      coluna('valor_atualizado', 'apurado', true, 'NULL'),
      ...daTabela('faturas', {
        valor_pago: 'dinheiro',
        vencimento: 'data',
        emitida_em: 'instante',
        pago_em: 'instante?',
        atualizado_em: 'instante',
      }),
    ],
  },
  chamados: {
    chaves: 1,
    lote: 100,
    colunas: daTabela('chamados', {
      id: 'inteiro',
      cliente_id: 'inteiro',
      contrato_id: 'inteiro?',
      situacao: 'texto',
      prioridade: 'texto',
      categoria: 'texto?',
      assunto: 'texto',
      descricao: 'texto',
      solucao: 'texto?',
      aberto_em: 'instante',
      fechado_em: 'instante?',
      agendado_para: 'instante?',
      atualizado_em: 'instante',
    }),
  },
  planos: {
    chaves: 1,
    lote: 1000,
    colunas: daTabela('planos', {
      id: 'inteiro',
      nome: 'texto',
      download_mbps: 'inteiro',
      upload_mbps: 'inteiro',
      valor: 'dinheiro',
      tecnologia: 'texto?',
      descricao: 'texto?',
      ativo: 'booleano',
      criado_em: 'instante',
    }),
  },
  quedas: {
    chaves: 2,
    lote: 5000,
    colunas: daTabela('quedas_diarias', { contrato_id: 'inteiro', dia: 'data', quedas: 'inteiro' }),
  },
};

const NO_BANCO: Readonly<Record<TabelaExtraida, string>> = {
  clientes: 'clientes',
  contratos: 'contratos',
  faturas: 'faturas',
  chamados: 'chamados',
  planos: 'planos',
  quedas: 'quedas_diarias',
};

const emSql = (byte: number): string => `_binary x'${byte.toString(16)}'`;
const FIM_EM_BYTES = Buffer.of(FIM_DO_CAMPO);
const NULO_EM_BYTES = Buffer.of(NULO);
const VIRGULA_EM_BYTES = Buffer.from(',');

/** What the columns of the key hold in the last row that was read. */
export type Ultima = readonly string[];

export interface Lote {
  readonly quantas: number;
  readonly ultima: Ultima;
  /** As `OrdemDoExtrato` has them; of its own memory. */
  readonly linhas: Uint8Array<ArrayBuffer>;
}

/** Reads one table in the order of its key. */
export function createLeituraDeTabela(retrato: Retrato, nome: TabelaExtraida) {
  const { tenant } = retrato;
  const { colunas, chaves, juntar = () => {}, aoLado } = ESQUEMA[nome];
  const tabela = NO_BANCO[nome];
  const ordem = colunas.slice(0, chaves).map((chave) => `${tabela}.${chave.nome}`);
  const campos = colunas.flatMap(({ sql, nulo }) => {
    if (sql === null) return [];
    const emUtf8 = typeof sql === 'string' && retrato.foraDeUtf8.has(sql) ? `CONVERT(${sql} USING utf8mb4)` : sql;
    const valor = typeof emUtf8 === 'string' ? tenant.db.raw(emUtf8) : emUtf8(retrato);
    const bytes = tenant.db.raw('CAST(? AS BINARY)', [valor]);
    return [nulo ? tenant.db.raw(`COALESCE(?, ${emSql(NULO)})`, [bytes]) : bytes];
  });
  // One value a row, which nobody parses on the event loop; the empty text ends its last field. As bytes, for no text has those two.
  const linha = tenant.db.raw(
    `CONCAT_WS(${emSql(FIM_DO_CAMPO)}, ${campos.map(() => '?').join(', ')}, '') AS linha`,
    campos,
  );

  return {
    /** The `quantas` rows after one, or from the first; null where there are none. */
    async proximas(depoisDe: Ultima | null, quantas: number): Promise<Lote | null> {
      const query = tenant.from(tabela, 'PRIMARY').modify(juntar).orderBy(ordem).limit(quantas);
      if (depoisDe !== null) query.where((onde) => depois(onde, ordem, depoisDe));
      const rows = await query.select<{ linha: Buffer }[]>(linha);
      const last = rows.at(-1);
      if (last === undefined) return null;
      const ultima = camposDe(last.linha, chaves);
      const linhas = rows.map((row) => row.linha);
      const juntas = aoLado === undefined ? linhas : comTextos(linhas, await aoLado(tenant, depoisDe, ultima));
      return { quantas: rows.length, ultima, linhas: emMemoriaPropria(juntas) };
    },
  };
}

/** Rows that come after a place, in the order of up to two columns. */
function depois(onde: Knex.QueryBuilder, [a = '', b]: readonly string[], [x = '', y = '']: Ultima): void {
  onde.where(a, '>', x);
  if (b !== undefined) onde.orWhere((nele) => void nele.where(a, x).where(b, '>', y));
}

function camposDe(linha: Buffer, quantos: number): string[] {
  const campos: string[] = [];
  for (let inicio = 0; campos.length < quantos;) {
    const fim = linha.indexOf(FIM_DO_CAMPO, inicio);
    campos.push(linha.toString('latin1', inicio, fim));
    inicio = fim + 1;
  }
  return campos;
}

/** Each row, and after it the field of the texts that are its own; both are in the order of the key. */
function comTextos(linhas: readonly Buffer[], textos: Awaited<ReturnType<AoLado>>): Buffer[] {
  const partes: Buffer[] = [];
  let n = 0;
  for (const linha of linhas) {
    const chave = Number(camposDe(linha, 1)[0]);
    while ((textos[n]?.chave ?? chave) < chave) n += 1;
    partes.push(linha);
    const primeiro = n;
    for (let texto = textos[n]; texto?.chave === chave; texto = textos[n]) {
      if (n > primeiro) partes.push(VIRGULA_EM_BYTES);
      partes.push(texto.texto);
      n += 1;
    }
    if (n === primeiro) partes.push(NULO_EM_BYTES);
    partes.push(FIM_EM_BYTES);
  }
  return partes;
}
