import type { Knex } from 'knex';
import type { Data } from '../../brazil/calendario/datas.ts';
import type { ColunaDoExtrato, TipoDeColuna } from '../../../workers/threads/extrato/contract.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { maiorIntervalo } from '../conexoes/estado.regras.ts';
import { DO_ENDERECO } from '../enderecos/enderecos.types.ts';
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

/** What the columns of the key hold in the last row that was read. */
export type Ultima = readonly string[];

/** Rows of another table by the key of those they belong to, in order. */
export type AoLado = (tenant: TenantDb, depoisDe: Ultima | null, ate: Ultima) => Promise<TextoAoLado[]>;

interface TextoAoLado {
  readonly chave: number;
  readonly texto: Buffer;
}

interface Tabela {
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
  Object.keys(DO_ENDERECO).map((nome) => coluna(`${prefixo}_${nome}`, 'texto', true, `${tabela}.${nome}`));

/** `estadoDaConexao`, in SQL. */
const conexao: Expressao = ({ tenant, agora, intervaloPadraoSegundos }) =>
  tenant.db.raw(
    `CASE WHEN contratos.login IS NULL OR contratos.login = '' OR conexoes.contrato_id IS NULL THEN 'desconhecido'
          WHEN CAST(? AS DATETIME(3)) <= conexoes.ouvida_em
               + INTERVAL 2 * LEAST(COALESCE(conexoes.intervalo_segundos, ?), ?) SECOND THEN 'online'
          ELSE 'offline' END`,
    [toDatabaseTime(agora), intervaloPadraoSegundos, maiorIntervalo(intervaloPadraoSegundos)],
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

/** As bytes, for they are kept in ASCII. */
const DO_TELEFONE = columns<TextoAoLado>('clientes_telefones', {
  chave: 'clientes_telefones.cliente_id',
  texto: 'CAST(numero AS BINARY)',
});

/** Once a batch: as a subquery of each client it takes twice the time of all the other columns. */
const telefones: AoLado = async (tenant, depoisDe, ate) => {
  const deles = tenant
    .from('clientes_telefones', 'clientes_telefones_cliente')
    .where('cliente_id', '>', depoisDe?.[0] ?? 0)
    .where('cliente_id', '<=', ate[0] ?? 0)
    .orderBy(['cliente_id', 'id']);
  return rowsOf(deles, DO_TELEFONE);
};

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
        boleto_situacao: 'texto?',
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
  // Without their documents: those are downloaded one by one, or by month.
  nfcom: {
    chaves: 1,
    lote: 5000,
    colunas: daTabela('nfcom', {
      id: 'inteiro',
      fatura_id: 'inteiro',
      contrato_id: 'inteiro?',
      cliente_id: 'inteiro',
      serie: 'inteiro?',
      numero: 'inteiro?',
      chave: 'texto?',
      ambiente: 'texto',
      situacao: 'texto',
      finalidade: 'texto',
      protocolo: 'texto?',
      valor: 'dinheiro',
      emitida_em: 'instante?',
      autorizada_em: 'instante?',
      cancelada_em: 'instante?',
      motivo_codigo: 'texto?',
      motivo: 'texto?',
    }),
  },
};
