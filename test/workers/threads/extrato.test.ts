import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { FIM_DO_CAMPO, NULO } from '../../../workers/threads/extrato/contract.ts';
import type { ColunaDoExtrato, TabelaDoExtrato } from '../../../workers/threads/extrato/contract.ts';
import { fieldsOf } from '../../../workers/threads/extrato/fields.ts';
import { createDictionary } from '../../../workers/threads/extrato/dictionary.ts';
import { readRows } from '../../../workers/threads/extrato/rows.ts';
import { createNdjson } from '../../../workers/threads/extrato/ndjson.ts';
import { createParquet } from '../../../workers/threads/extrato/parquet.ts';
import { abrirDuckdb, lerNdjson } from '../../domain/extratos/apoio.ts';

const coluna = (nome: string, tipo: ColunaDoExtrato['tipo'], nulo = true): ColunaDoExtrato => ({ nome, tipo, nulo });
const COLUNAS = [
  coluna('id', 'inteiro', false),
  coluna('repetido', 'texto'),
  coluna('unico', 'texto', false),
  coluna('tarde', 'texto', false),
  coluna('valor', 'dinheiro'),
  coluna('ativo', 'booleano', false),
  coluna('dia', 'data'),
  coluna('em', 'instante', false),
  coluna('textos', 'textos', false),
  coluna('fim', 'instante'),
];
const TEXTOS = ['', 'José "D\'Ávila"', 'C:\\pasta\n\t\u0001', '😀 þÿ ', ',', '\u007F'];
const INSTANTES = [
  '2026-11-20 23:59:59',
  '1969-12-31 23:59:59.999',
  '2024-02-29 00:00:00.000',
  '0050-03-01 01:02:03.004',
];
const LISTAS = [null, '35999990001', '35999990001,35999990002', '', 'a"b,c\\d'];

const LINHAS = 23_000;
/** The fields of one row, as MySQL writes them; values that repeat do so before and after many that do not. */
function linhaDe(n: number): (string | null)[] {
  return [
    String(n * 3_000_000_019),
    n % 11 === 0 ? null : TEXTOS[n % TEXTOS.length]!,
    `pessoa ${n} ${TEXTOS[n % 5]}`,
    n % 10_000 < 700 ? `só uma vez ${n}` : `muitas ${n % 3}`,
    n % 7 === 0 ? null : `${n % 2 === 0 ? '-' : ''}${n * 40_009}.${String(n % 100).padStart(2, '0')}`,
    String(n % 2),
    n % 5 === 0 ? null : `${1900 + (n % 130)}-0${1 + (n % 9)}-${10 + (n % 18)}`,
    INSTANTES[n % INSTANTES.length]!,
    LISTAS[n % LISTAS.length]!,
    // Nothing comes after the last one; in the second of the groups there is none.
    n >= 10_000 && n < 22_500 ? null : new Date(n * 1000).toISOString().slice(0, 19).replace('T', ' '),
  ];
}

/** What the row says in JSON. */
function objetoDe([id, repetido, unico, tarde, valor, ativo, dia, em, textos, fim]: (string | null)[]) {
  return {
    id: Number(id),
    repetido,
    unico,
    tarde,
    valor: valor === null ? null : Number(valor),
    ativo: ativo === '1',
    dia,
    em: `${em!.replace(' ', 'T')}${em!.includes('.') ? '' : '.000'}Z`,
    textos: textos === null ? [] : textos!.split(','),
    fim: fim === null ? null : `${fim!.replace(' ', 'T')}.000Z`,
  };
}

function emBytes(linhas: (string | null)[][]): Uint8Array {
  const fim = Buffer.of(FIM_DO_CAMPO);
  return Buffer.concat(
    linhas.flatMap((campos) => campos.flatMap((campo) => [campo === null ? Buffer.of(NULO) : Buffer.from(campo), fim])),
  );
}

test('o que se lê dos dois formatos é o que se escreveu, em lotes de tamanhos quaisquer', async (t) => {
  const tabela = { nome: 'tudo', colunas: COLUNAS, versaoDoEsquema: 1, consistenteEm: 'agora', apuracao: null };
  const parquet = createParquet(tabela);
  const ndjson = createNdjson(tabela);
  const pedacos = { parquet: [] as Uint8Array[], ndjson: [] as Uint8Array[] };
  const modelo = Array.from({ length: LINHAS }, (_, n) => linhaDe(n));
  for (let n = 0, tamanho = 1; n < LINHAS; n += tamanho, tamanho = (tamanho * 7) % 997) {
    const doLote = modelo.slice(n, n + tamanho);
    const ordem = { tipo: 'lote', quantas: doLote.length, linhas: emBytes(doLote), sabidos: new Map() } as const;
    const linhas = readRows(tabela, ordem);
    pedacos.parquet.push(parquet.write(linhas) ?? new Uint8Array());
    pedacos.ndjson.push(ndjson.write(linhas));
  }
  pedacos.parquet.push(parquet.finish() ?? new Uint8Array());
  pedacos.ndjson.push(ndjson.finish());

  const pasta = await mkdtemp(path.join(tmpdir(), 'malha-extrato-'));
  const duckdb = await abrirDuckdb();
  t.teardown(async () => {
    duckdb.fechar();
    await rm(pasta, { recursive: true });
  });
  const [emParquet, emNdjson] = [path.join(pasta, 'tudo.parquet'), path.join(pasta, 'tudo.ndjson.gz')];
  await writeFile(emParquet, Buffer.concat(pedacos.parquet));
  await writeFile(emNdjson, Buffer.concat(pedacos.ndjson));

  t.deepEqual(
    await lerNdjson(emNdjson),
    modelo.map((linha) => objetoDe(linha)),
  );
  const doParquet = `SELECT * REPLACE (epoch_ms(em) AS em, epoch_ms(fim) AS fim) FROM '${emParquet}'`;
  const doNdjson = `SELECT * REPLACE (epoch_ms(CAST(rtrim(em, 'Z') AS TIMESTAMP)) AS em, epoch_ms(CAST(rtrim(fim, 'Z') AS TIMESTAMP)) AS fim) FROM read_json('${emNdjson}', columns = {
    id: 'BIGINT', repetido: 'VARCHAR', unico: 'VARCHAR', tarde: 'VARCHAR', valor: 'DECIMAL(12,2)', ativo: 'BOOLEAN', dia: 'DATE', em: 'VARCHAR', textos: 'VARCHAR[]', fim: 'VARCHAR'})`;
  for (const [a, b] of [
    [doParquet, doNdjson],
    [doNdjson, doParquet],
  ]) {
    t.deepEqual(await duckdb.consultar(`(${a}) EXCEPT ALL (${b}) LIMIT 3`), []);
  }
  const [{ n }] = (await duckdb.consultar(`SELECT count(*) AS n FROM '${emParquet}'`)) as [{ n: string }];
  t.is(Number(n), LINHAS);

  // What a reader goes by that skips groups of rows: where it is wrong, rows are missing from what it finds.
  for (const [nome, tipo] of Object.entries({
    id: 'BIGINT',
    valor: 'DECIMAL(12,2)',
    dia: 'DATE',
    em: 'TIMESTAMPTZ',
    fim: 'TIMESTAMPTZ',
  })) {
    const grupos = await duckdb.consultar(
      `WITH grupos AS (
         SELECT row_group_id AS grupo, row_group_num_rows AS linhas, sum(linhas) OVER (ORDER BY row_group_id) AS ate,
                CAST(stats_min_value AS ${tipo}) AS menor, CAST(stats_max_value AS ${tipo}) AS maior, stats_null_count AS nulos
         FROM parquet_metadata('${emParquet}') WHERE path_in_schema = '${nome}')
       SELECT min(${nome}) IS NOT DISTINCT FROM menor AND max(${nome}) IS NOT DISTINCT FROM maior
              AND count(*) - count(${nome}) = nulos AS certo
       FROM grupos JOIN read_parquet('${emParquet}', file_row_number = true) AS r
         ON r.file_row_number >= ate - linhas AND r.file_row_number < ate
       GROUP BY grupo, menor, maior, nulos`,
    );
    t.deepEqual(
      grupos,
      Array.from({ length: 3 }, () => ({ certo: true })),
      nome,
    );
  }
});

const umaColuna = (tipo: ColunaDoExtrato['tipo'], nulo: boolean) => {
  const colunas = [coluna('um', tipo, nulo)];
  return { nome: 'uma', colunas, versaoDoEsquema: 1, consistenteEm: 'agora', apuracao: null };
};
function lerColuna(tabela: TabelaDoExtrato, campos: (string | null)[]) {
  const linhas = emBytes(campos.map((campo) => [campo]));
  return readRows(tabela, { tipo: 'lote', quantas: campos.length, linhas, sabidos: new Map() });
}

test('uma falta onde não pode haver nenhuma é um erro, e não um arquivo que ninguém lê', (t) => {
  const tabela = umaColuna('inteiro', false);
  const parquet = createParquet(tabela);
  parquet.write(lerColuna(tabela, ['1', null, '3']));
  t.throws(() => parquet.finish(), { instanceOf: RangeError, message: '1 nulos em um' });
});

test('campos a mais ou a menos do que se anuncia são um erro', (t) => {
  const tabela = umaColuna('texto', false);
  for (const linhas of [['a'], ['a', 'b', 'c']]) {
    const ordem = {
      tipo: 'lote',
      quantas: 2,
      linhas: emBytes(linhas.map((campo) => [campo])),
      sabidos: new Map(),
    } as const;
    t.throws(() => readRows(tabela, ordem), { instanceOf: RangeError });
  }
});

test('um dicionário há de quem se repete, ainda que os primeiros pouco se repitam', (t) => {
  const tabela = umaColuna('texto', false);
  const dicionarioDe = (distintos: number) => {
    // As many steps as are prime to all of them: in no order that repeats.
    const campos = Array.from({ length: 10_000 }, (_, n) => `Rua ${(n * 7919) % distintos}`);
    return createDictionary(fieldsOf(lerColuna(tabela, campos), 0, 1));
  };
  for (const distintos of [1, 2, 400, 999]) t.is(dicionarioDe(distintos)?.distinct.starts.length, distintos);
  for (const distintos of [5000, 10_000]) t.is(dicionarioDe(distintos), null);
});
