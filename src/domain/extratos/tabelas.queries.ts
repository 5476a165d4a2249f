import type { Knex } from 'knex';
import type { ColunaDoExtrato, TipoDeColuna } from '../../brazil/extrato.ts';
import { toDatabaseTime } from '../../platform/database.ts';
import { READ_TIMEOUT_MS, sameTenant } from '../../platform/tenant.ts';
import type { TenantDb } from '../../platform/tenant.ts';
import { COLUNAS_DE_ENDERECO } from '../enderecos/enderecos.types.ts';
import type { TabelaExtraida } from './extratos.types.ts';

/** What an extract is taken by. */
export interface Retrato {
  /** The one transaction in which everything is read. */
  readonly tenant: TenantDb;
  readonly agora: Date;
  readonly intervaloPadraoSegundos: number;
}

type Expressao = string | ((retrato: Retrato) => Knex.Raw | Knex.QueryBuilder);

/** A column as it is written, and the SQL of what it holds. */
interface Coluna extends ColunaDoExtrato {
  readonly sql: Expressao;
}

export interface Tabela {
  readonly colunas: readonly Coluna[];
  /** Column whose ranges are read one after the other: the primary key's, after the tenant. */
  readonly chave: string;
  /** Rows to a statement; of few where a row may be long. */
  readonly lote: number;
  readonly juntar?: (query: Knex.QueryBuilder) => void;
}

const coluna = (nome: string, tipo: TipoDeColuna, nulo: boolean, sql: Expressao): Coluna => ({ nome, tipo, nulo, sql });

/** Columns that hold what a column of the table does, by name: with `?` after its type where it may be null. */
function daTabela(tabela: string, tipos: Readonly<Record<string, TipoDeColuna | `${TipoDeColuna}?`>>): Coluna[] {
  return Object.entries(tipos).map(([nome, tipo]) => {
    const nulo = tipo.endsWith('?');
    const base = tipo.replace('?', '') as TipoDeColuna;
    const onde = `${tabela}.${nome}`;
    // Whole centavos, exactly: JSON would have them pass through floating point.
    return coluna(nome, base, nulo, base === 'dinheiro' ? `CAST(${onde} * 100 AS SIGNED)` : onde);
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
  tenant
    .from('desbloqueios_confianca as d')
    .whereRaw('d.contrato_id = contratos.id')
    .whereNull('d.encerrado_em')
    .where('d.ate', '>=', toDatabaseTime(agora))
    .max('d.ate');

const telefones: Expressao = ({ tenant }) =>
  tenant
    .from('clientes_telefones as t')
    .whereRaw('t.cliente_id = clientes.id')
    .select(tenant.db.raw('GROUP_CONCAT(t.numero ORDER BY t.id)'));

/** What is extracted, by file. Nothing here is a secret: no token of a link, no code of a payment, no password. */
export const ESQUEMA: Readonly<Record<TabelaExtraida, Tabela>> = {
  clientes: {
    chave: 'id',
    lote: 2000,
    colunas: [
      ...daTabela('clientes', {
        id: 'inteiro',
        nome: 'texto',
        nome_fantasia: 'texto?',
        tipo: 'texto',
        cpf_cnpj: 'texto',
        email: 'texto?',
      }),
      coluna('telefones', 'textos', false, telefones),
      ...daTabela('clientes', { situacao: 'texto', data_nascimento: 'data?' }),
      ...enderecoDe('clientes', 'endereco'),
      ...daTabela('clientes', { criado_em: 'instante', atualizado_em: 'instante' }),
    ],
  },
  contratos: {
    chave: 'id',
    lote: 2000,
    juntar: (query) => void query.leftJoin('conexoes', sameTenant('contratos', 'id', 'conexoes', 'contrato_id')),
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
    chave: 'id',
    lote: 2000,
    colunas: [
      ...daTabela('faturas', {
        id: 'inteiro',
        cliente_id: 'inteiro',
        contrato_id: 'inteiro?',
        descricao: 'texto?',
        situacao: 'texto',
        tipo: 'texto?',
        valor: 'dinheiro',
      }),
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
    chave: 'id',
    lote: 500,
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
    chave: 'id',
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
    chave: 'contrato_id',
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

/** Less than the least packet that MySQL and MariaDB take by default; a text that reaches it may have been cut. */
export const MAIOR_LOTE_BYTES = 8 * 2 ** 20;

/** Of a few bytes, where the cut would have gone through a character. */
const FOLGA_BYTES = 16;

export interface Lote {
  readonly quantas: number;
  /** Key of the last row. */
  readonly ate: number;
  /** JSON arrays with commas between; of its own memory. */
  readonly linhas: Uint8Array<ArrayBuffer>;
}

interface LoteRow {
  quantas: number;
  ate: number | null;
  linhas: Buffer | null;
}

/** Reads one table, range after range of its key. */
export function createLeituraDeTabela(retrato: Retrato, nome: TabelaExtraida) {
  const { tenant } = retrato;
  const { colunas, chave, juntar = () => {} } = ESQUEMA[nome];
  const tabela = NO_BANCO[nome];
  const valores = colunas.map(({ sql }) => (typeof sql === 'string' ? tenant.db.raw(sql) : sql(retrato)));
  // The server writes the text, so that a process which answers requests meanwhile has one value to take, and not millions.
  const texto = `CAST(GROUP_CONCAT(JSON_ARRAY(${valores.map(() => '?').join(', ')}) SEPARATOR ',') AS BINARY)`;

  /** The key that ends the next `quantas` rows; undefined where there are fewer. */
  async function limite(depoisDe: number, quantas: number): Promise<number | undefined> {
    const [row] = await tenant
      .from(tabela)
      .where(`${tabela}.${chave}`, '>', depoisDe)
      .orderBy(`${tabela}.${chave}`)
      .offset(quantas - 1)
      .limit(1)
      .select<{ chave: number }[]>({ chave: `${tabela}.${chave}` });
    return row?.chave;
  }

  return {
    /** The rows after a key, about `quantas` of them; null where there are none. */
    async proximas(depoisDe: number, quantas: number): Promise<Lote | null> {
      for (let pedidas = quantas; ; pedidas = Math.ceil(pedidas / 2)) {
        const ate = await limite(depoisDe, pedidas);
        const query = tenant.from(tabela).modify(juntar).where(`${tabela}.${chave}`, '>', depoisDe);
        if (ate !== undefined) query.where(`${tabela}.${chave}`, '<=', ate);
        const [row] = await query
          .timeout(4 * READ_TIMEOUT_MS)
          .select<LoteRow[]>(
            tenant.db.raw(`COUNT(*) AS quantas, MAX(${tabela}.${chave}) AS ate, ${texto} AS linhas`, [...valores]),
          );
        if (row === undefined || row.quantas === 0 || row.ate === null) return null;
        const { linhas } = row;
        if (linhas !== null && linhas.length < MAIOR_LOTE_BYTES - FOLGA_BYTES) {
          return { quantas: row.quantas, ate: row.ate, linhas: new Uint8Array(linhas) };
        }
        if (pedidas === 1) throw new Error(`a row of ${tabela} is too long to be read`);
      }
    },
  };
}
