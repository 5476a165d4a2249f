import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { TABELAS } from '../../../src/domain/extratos/extratos.types.ts';
import type { Manifesto } from '../../../src/domain/extratos/extratos.types.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { abrirDuckdb, extratosDe, lerNdjson, pastaDe, povoar, sha256 } from './apoio.ts';

const HOJE = '2026-11-20' as Data;
const AGORA = '2026-11-20T15:00:00.000Z';
const SEM_PARAR = { signal: new AbortController().signal, aoAvancar: () => {} };
const relogio = relogioEm(AGORA);

let api: Api;
let duckdb: Awaited<ReturnType<typeof abrirDuckdb>>;
let provedor: number;
test.before(async () => {
  api = await criarApi({ relogio });
  duckdb = await abrirDuckdb();
  provedor = await povoar(api);
  await povoar(api, 3);
  await gerar(provedor);
});
test.after.always(async () => {
  duckdb.fechar();
  await api.fechar();
});

const gerar = async (provedorId: number, dia = HOJE) =>
  api.container.tarefas.executar(AUTOR, { tarefa: 'extratos.gerar', provedorId, dia }, SEM_PARAR);

test('o DuckDB lê cada Parquet, e contagens e somas são as do SQL, ao centavo', async (t) => {
  const { pasta } = await pastaDe(api, provedor);
  const doBanco = async (sql: string) =>
    ((await api.dono.raw(sql.replaceAll('$', String(provedor)))) as Record<string, any>[][])[0]![0]!;
  const tabelas = { clientes: 30, contratos: 30, faturas: 30, chamados: 30, planos: 2, quedas: 60, nfcom: 30 };
  for (const [tabela, quantas] of Object.entries(tabelas)) {
    const [{ n } = { n: 0 }] = await duckdb.consultar(`SELECT count(*) AS n FROM '${pasta}/${tabela}.parquet'`);
    t.is(Number(n), quantas, tabela);
  }
  const [somas] = await duckdb.consultar(
    `SELECT (SELECT sum(valor) FROM '${pasta}/contratos.parquet')::VARCHAR AS contratos,
            (SELECT sum(valor) FROM '${pasta}/faturas.parquet')::VARCHAR AS faturas,
            (SELECT sum(valor_pago) FROM '${pasta}/faturas.parquet')::VARCHAR AS pago,
            (SELECT sum(valor) FROM '${pasta}/planos.parquet')::VARCHAR AS planos,
            (SELECT sum(quedas) FROM '${pasta}/quedas.parquet')::VARCHAR AS quedas,
            (SELECT sum(valor) FROM '${pasta}/nfcom.parquet')::VARCHAR AS notas`,
  );
  const sql = await doBanco(
    `SELECT (SELECT SUM(valor) FROM contratos WHERE provedor_id = $) AS contratos,
            (SELECT SUM(valor) FROM faturas WHERE provedor_id = $) AS faturas,
            (SELECT SUM(valor_pago) FROM faturas WHERE provedor_id = $) AS pago,
            (SELECT SUM(valor) FROM planos WHERE provedor_id = $) AS planos,
            (SELECT SUM(quedas) FROM quedas_diarias WHERE provedor_id = $) AS quedas,
            (SELECT SUM(valor) FROM nfcom WHERE provedor_id = $) AS notas`,
  );
  t.deepEqual({ ...somas }, { ...sql });
});

test('os tipos do Parquet são os que um BI espera', async (t) => {
  const { pasta } = await pastaDe(api, provedor);
  const tiposDe = async (tabela: string) =>
    Object.fromEntries(
      (await duckdb.consultar(`DESCRIBE SELECT * FROM '${pasta}/${tabela}.parquet'`)).map((c) => [
        c['column_name'],
        c['column_type'],
      ]),
    );
  t.like(await tiposDe('faturas'), {
    id: 'BIGINT',
    contrato_id: 'BIGINT',
    valor: 'DECIMAL(12,2)',
    valor_atualizado: 'DECIMAL(15,2)',
    vencimento: 'DATE',
    emitida_em: 'TIMESTAMP WITH TIME ZONE',
    situacao: 'VARCHAR',
  });
  t.like(await tiposDe('clientes'), { telefones: 'VARCHAR[]', data_nascimento: 'DATE', endereco_cep: 'VARCHAR' });
  t.like(await tiposDe('planos'), { ativo: 'BOOLEAN' });
  t.like(await tiposDe('nfcom'), { numero: 'BIGINT', chave: 'VARCHAR', autorizada_em: 'TIMESTAMP WITH TIME ZONE' });
});

test('o NDJSON diz o mesmo que o Parquet, linha a linha', async (t) => {
  const { pasta } = await pastaDe(api, provedor);
  for (const tabela of TABELAS) {
    const doParquet = await duckdb.consultar(`SELECT * FROM '${pasta}/${tabela}.parquet' ORDER BY ALL`);
    const doNdjson = await duckdb.consultar(
      `SELECT * FROM read_json('${pasta}/${tabela}.ndjson.gz', format = 'newline_delimited',
         columns = {${(await duckdb.consultar(`DESCRIBE SELECT * FROM '${pasta}/${tabela}.parquet'`))
           .map((c) => `'${c['column_name']}': '${c['column_type']}'`)
           .join(', ')}}) ORDER BY ALL`,
    );
    t.true(doParquet.length > 0, tabela);
    t.deepEqual(doNdjson, doParquet, tabela);
  }
});

test('cada registro diz o que a API diz dele no mesmo instante', async (t) => {
  const { pasta } = await pastaDe(api, provedor);
  const { texto: chave } = await api.criarChave(provedor);
  const lista = async (caminho: string) =>
    (await api.get(`${caminho}?por_pagina=100`, { chave })).corpo.dados as Record<string, any>[];
  const daApi = {
    clientes: (await lista('/clientes')).map(({ endereco, ...resto }) => ({
      ...sem(resto, 'contratos'),
      ...Object.fromEntries(Object.entries(endereco).map(([nome, valor]) => [`endereco_${nome}`, valor])),
    })),
    contratos: (await lista('/clientes')).flatMap(({ contratos }) =>
      (contratos as Record<string, any>[]).map(
        ({ plano, desbloqueio_confianca, endereco_instalacao, avisos: _avisos, ...resto }) => ({
          ...resto,
          plano_id: plano.id,
          desbloqueio_confianca_ate: desbloqueio_confianca.ate,
          ...Object.fromEntries(
            Object.entries(endereco_instalacao).map(([nome, valor]) => [`endereco_instalacao_${nome}`, valor]),
          ),
        }),
      ),
    ),
    faturas: (await lista('/faturas')).map((fatura) =>
      // What is owed today is of the day on which it is asked.
      ['segunda_via', 'valor_a_pagar', 'multa', 'juros', 'dias_atraso', 'pago_parcialmente'].reduce(sem, fatura),
    ),
    chamados: (await lista('/chamados')).map((chamado) => sem(chamado, 'protocolo')),
  };
  for (const [tabela, registros] of Object.entries(daApi as Record<string, Record<string, any>[]>)) {
    const linhas = new Map((await lerNdjson(`${pasta}/${tabela}.ndjson.gz`)).map((linha) => [linha['id'], linha]));
    t.is(registros.length, 30, tabela);
    for (const registro of registros) t.like(linhas.get(registro['id']), registro, `${tabela} ${registro['id']}`);
  }
  const situacoes = new Set(daApi.faturas.map(({ situacao }) => situacao as string));
  t.deepEqual([...situacoes].toSorted(), ['cancelada', 'estornada', 'paga', 'pendente', 'processando', 'vencida']);
  t.true(daApi.faturas.some(({ valor_pago, valor_atualizado }) => valor_pago > 0 && valor_atualizado !== null));
  t.deepEqual([...new Set(daApi.contratos.map((contrato) => (contrato as any).conexao as string))].toSorted(), [
    'desconhecido',
    'offline',
    'online',
  ]);
  // By whichever interval: nobody who was silent for five hours is there.
  t.is(daApi.contratos.filter((contrato) => (contrato as any).conexao === 'online').length, 8);
});

test('nenhum segredo sai: nem token de link, nem código de pagamento', async (t) => {
  const { pasta } = await pastaDe(api, provedor);
  const tokens = (await api.dono('faturas').where('provedor_id', provedor).pluck('token')) as string[];
  for (const nome of await readdir(pasta)) {
    const bytes = await readFile(path.join(pasta, nome), 'latin1');
    for (const token of tokens) t.false(bytes.includes(token), nome);
  }
  for (const tabela of TABELAS) {
    const [linha = {}] = await lerNdjson(`${pasta}/${tabela}.ndjson.gz`);
    for (const campo of Object.keys(linha)) t.notRegex(campo, /token|pix|linha_digitavel|codigo_barras|senha|hash/);
  }
});

test('o manifesto diz contagens, tamanhos e somas de cada arquivo, a versão e o instante', async (t) => {
  const { pasta, arquivos } = await pastaDe(api, provedor);
  const manifesto = JSON.parse(await readFile(path.join(pasta, 'manifesto.json'), 'utf8')) as Manifesto;
  t.like(manifesto, { provedor_id: provedor, dia: HOJE, versao_do_esquema: 1, consistente_em: AGORA });
  t.deepEqual(
    (await readdir(pasta)).toSorted(),
    [...manifesto.arquivos.map(({ nome }) => nome), 'manifesto.json'].toSorted(),
  );
  t.is(manifesto.arquivos.length, 14);
  t.deepEqual(
    arquivos.filter(({ nome }) => nome !== 'manifesto.json'),
    [...manifesto.arquivos],
  );
  for (const { nome, bytes, sha256: soma } of arquivos) {
    const lido = await readFile(path.join(pasta, nome));
    t.is(lido.length, bytes, nome);
    t.is(sha256(lido), soma, nome);
  }
  const { itens } = await extratosDe(api, provedor);
  t.is(itens[0]!.consistenteEm?.toISOString(), AGORA);
  t.like(itens[0], { dia: HOJE, situacao: 'pronto' });
});

function sem(registro: Record<string, any>, campo: string): Record<string, any> {
  return Object.fromEntries(Object.entries(registro).filter(([nome]) => nome !== campo));
}
