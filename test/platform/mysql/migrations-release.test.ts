import { readFileSync } from 'node:fs';
import test from 'ava';
import { createAgregacao } from '../../../src/domain/conexoes/agregacao.ts';
import { DIREITOS } from '../../../src/domain/direitos.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import { grantApplication } from '../../../src/platform/mysql/grants.ts';
import { migrate } from '../../../src/platform/mysql/schema/migrations.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import { urlDoBanco } from '../../support/banco.ts';
import { pedirPagina } from '../../support/cobrancas.ts';
import { NO_DIA_SEGUINTE, criarBancosSemTabelas, encher, migrarAte } from '../../support/lancamento.ts';
import type { BancoSemTabelas } from '../../support/lancamento.ts';
import { contracoes, faltasDosPassos } from '../../support/passos.ts';
import { relogioEm } from '../../support/relogio.ts';

// A filled database of the last release meets every migration after it: whatever is added to the folder is tried here, unasked.

const ULTIMA_DO_LANCAMENTO = '20261121000019_replica.js';

const bancos = criarBancosSemTabelas();
test.after.always(async () => bancos.fechar());

interface Coluna {
  readonly tabela: string;
  readonly coluna: string;
  readonly tipo: string;
  readonly definicao: string;
  readonly nula: string;
  readonly letras: number | null;
  readonly digitos: number | null;
  readonly extra: string;
}

async function colunasDe(db: Db): Promise<Coluna[]> {
  const [linhas] = await db.raw<Coluna[][]>(`
    SELECT table_name AS tabela, column_name AS coluna, data_type AS tipo, column_type AS definicao, is_nullable AS nula,
           character_maximum_length AS letras, numeric_precision AS digitos, extra AS extra
      FROM information_schema.columns
     WHERE table_schema = DATABASE() AND table_name NOT LIKE 'migracoes%'
     ORDER BY table_name, ordinal_position`);
  return linhas ?? [];
}

function porTabela(colunas: readonly Coluna[]): Map<string, Coluna[]> {
  const tabelas = new Map<string, Coluna[]>();
  for (const coluna of colunas) tabelas.set(coluna.tabela, [...(tabelas.get(coluna.tabela) ?? []), coluna]);
  return tabelas;
}

/** They only say when a row was written, which a migration may do. */
const INSTANTES_DE_ESCRITA = ['atualizado_em', 'alterado_em'];

/** Every row of every table as text, by the columns that these tables had. */
async function linhasDe(db: Db, tabelas: ReadonlyMap<string, readonly Coluna[]>): Promise<Map<string, string[]>> {
  const todas = new Map<string, string[]>();
  for (const [tabela, colunas] of tabelas) {
    const linhas: Record<string, unknown>[] = await db(tabela).select(
      colunas.map(({ coluna }) => coluna).filter((coluna) => !INSTANTES_DE_ESCRITA.includes(coluna)),
    );
    todas.set(tabela, linhas.map((linha) => JSON.stringify(Object.values(linha))).toSorted());
  }
  return todas;
}

let antigas: Map<string, Coluna[]>;
let guardadas: Map<string, string[]>;
let cheio: BancoSemTabelas;

test.before(async () => {
  cheio = await bancos.criar();
  await migrarAte(cheio.db, ULTIMA_DO_LANCAMENTO);
  await encher(cheio.db);
  antigas = porTabela(await colunasDe(cheio.db));
  guardadas = await linhasDe(cheio.db, antigas);
  await migrate(cheio.db);
});

test.serial('o banco da 1.0 tem linhas em todas as tabelas que ela tinha', (t) => {
  t.true(antigas.size >= 40);
  for (const [tabela, linhas] of guardadas) t.true(linhas.length > 0, tabela);
});

test.serial('as migrações seguintes não perdem nem mudam nenhuma linha', async (t) => {
  const agora = await linhasDe(cheio.db, antigas);
  for (const [tabela, linhas] of guardadas) {
    const estas = new Set(agora.get(tabela));
    t.deepEqual(
      linhas.filter((linha) => !estas.has(linha)),
      [],
      tabela,
    );
  }
});

/** Columns that are gone, or hold less than they did, and why. */
function perdidasDe(novas: readonly Coluna[]): Map<string, string> {
  const porNome = new Map(novas.map((coluna) => [`${coluna.tabela}.${coluna.coluna}`, coluna]));
  const perdidas = new Map<string, string>();
  for (const antiga of [...antigas.values()].flat()) {
    const nome = `${antiga.tabela}.${antiga.coluna}`;
    const nova = porNome.get(nome);
    if (nova === undefined) {
      perdidas.set(nome, 'não existe mais');
      continue;
    }
    if (antiga.nula === 'YES' && nova.nula === 'NO') perdidas.set(nome, 'não aceita mais nulos');
    if ((nova.letras ?? 0) < (antiga.letras ?? 0) && antiga.tipo !== 'enum') perdidas.set(nome, 'encolheu');
    if ((nova.digitos ?? 0) < (antiga.digitos ?? 0)) perdidas.set(nome, 'encolheu');
    for (const valor of antiga.tipo === 'enum' ? (antiga.definicao.match(/'[^']*'/g) ?? []) : []) {
      if (!nova.definicao.includes(valor)) perdidas.set(nome, `não aceita mais ${valor}`);
    }
  }
  return perdidas;
}

const VERSAO = (
  JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

test.serial(
  'as migrações só acrescentam, a não ser as que dizem que contraem, e só o que a versão anterior já não usa',
  async (t) => {
    const perdidas = perdidasDe(await colunasDe(cheio.db));
    t.deepEqual(faltasDosPassos(await contracoes(), [...perdidas.keys()], VERSAO), [], JSON.stringify([...perdidas]));
  },
);

test('uma migração que tira calada, que tira o que não tirou, ou cedo demais, é apontada', (t) => {
  const dita = (semUsoDesde: string) => new Map([['a.js', { tira: ['faturas.antiga'], semUsoDesde }]]);
  t.deepEqual(faltasDosPassos(new Map(), [], '1.0.0'), []);
  t.deepEqual(faltasDosPassos(dita('1.1.0'), ['faturas.antiga'], '1.2.0'), []);
  t.regex(faltasDosPassos(new Map(), ['faturas.antiga'], '1.2.0').join(), /faturas\.antiga se perdeu/);
  t.regex(faltasDosPassos(dita('1.1.0'), [], '1.2.0').join(), /que ainda está lá/);
  t.regex(faltasDosPassos(dita('1.2.0'), ['faturas.antiga'], '1.2.0').join(), /ainda pode usar/);
  t.regex(faltasDosPassos(dita('1.10.0'), ['faturas.antiga'], '1.9.0').join(), /ainda pode usar/);
});

test.serial(
  'o PIX e a carteira que um provedor tinha são o seu primeiro cobrador, que é o de tudo o que já se emitira',
  async (t) => {
    const { db } = cheio;
    const antes: Record<string, unknown>[] = await db('provedores')
      .leftJoin('provedores_identidade', 'provedores_identidade.provedor_id', 'provedores.id')
      .orderBy('provedores.id')
      .select('provedores.id as provedor_id', 'pix_chave', 'pix_nome', 'pix_cidade')
      .select('boleto_banco', 'boleto_agencia_codigo', 'boleto_carteira');
    const contas: Record<string, unknown>[] = await db('cobradores')
      .orderBy('provedor_id')
      .select('provedor_id', 'pix_chave', 'pix_nome', 'pix_cidade')
      .select('boleto_banco', 'boleto_agencia_codigo', 'boleto_carteira', 'padrao', 'ativo', 'cnpj');
    t.true(antes.length >= 2 && antes.every(({ pix_chave }) => pix_chave !== null));
    t.deepEqual(
      contas,
      antes.map((linha) => ({ ...linha, padrao: 1, ativo: 1, cnpj: null })),
    );
    t.deepEqual(await db('faturas').whereNotNull('cobrador_id'), []);
  },
);

test.serial('do que estava em radacct ficam registros de conexão, de cada NAS ao seu provedor', async (t) => {
  const { db } = cheio;
  const nasDe = await db('provedores_nas').select('provedor_id', db.raw('INET_ATON(nasipaddress) AS nas'));
  const registros: { provedor_id: number; nas: number; login: string; contrato_id: number | null }[] =
    await db('registros_conexao');
  const abertas = await db('radacct')
    .join('provedores_nas', 'provedores_nas.nasipaddress', 'radacct.nasipaddress')
    .whereNull('acctstoptime')
    .whereNot('framedipaddress', '');
  t.true(registros.length >= abertas.length);
  for (const { provedor_id, nas } of registros) {
    t.true(nasDe.some((dele: (typeof registros)[number]) => dele.provedor_id === provedor_id && dele.nas === nas));
  }
});

test.serial('cada conexão de antes está marcada, e depois de recalculada diz o seu servidor', async (t) => {
  const { db } = cheio;
  const sem = await db('conexoes').whereNull('nas').select('provedor_id', 'contrato_id');
  const marcadas = await db('conexoes_pendentes').select('provedor_id', 'contrato_id');
  t.true(sem.length > 0);
  const chave = (linha: { provedor_id: number; contrato_id: number }) => `${linha.provedor_id} ${linha.contrato_id}`;
  t.deepEqual(sem.map(chave).toSorted(), marcadas.map(chave).toSorted());
  const agregacao = createAgregacao({ db, relogio: relogioEm(NO_DIA_SEGUINTE), intervaloPadraoSegundos: 300 });
  await agregacao.agregarMudancas();
  t.deepEqual(await db('conexoes_pendentes'), []);
  const abertas: { nas: string | null; nasipaddress: string }[] = await db('radacct as r')
    .join('provedores_nas as n', 'n.nasipaddress', 'r.nasipaddress')
    .join('contratos as c', (on) => void on.on('c.provedor_id', 'n.provedor_id').andOn('c.login', 'r.username'))
    .join('conexoes as x', (on) => void on.on('x.provedor_id', 'c.provedor_id').andOn('x.contrato_id', 'c.id'))
    .whereNull('r.acctstoptime')
    .select('x.nas', 'r.nasipaddress');
  t.true(abertas.length > 0);
  for (const { nas, nasipaddress } of abertas) t.is(nas, nasipaddress);
});

test.serial('um processo da 1.0 ainda grava tudo o que gravava no esquema de agora', async (t) => {
  const { db } = await bancos.criar();
  await migrate(db);
  await t.notThrowsAsync(encher(db));
  // Triggers of now may add to what it writes.
  const agora = await linhasDe(db, antigas);
  for (const [tabela, linhas] of guardadas) t.true((agora.get(tabela)?.length ?? 0) >= linhas.length, tabela);
  // Each row is written once more, and with another value wherever one is an instant.
  for (const [tabela, colunas] of antigas) {
    const instantes = colunas.filter(({ tipo, extra }) => tipo === 'datetime' && !extra.includes('GENERATED'));
    if (instantes.length === 0) continue;
    const mudadas = Object.fromEntries(
      instantes.map(({ coluna }) => [coluna, db.raw('DATE_ADD(??, INTERVAL 1 SECOND)', [coluna])]),
    );
    await t.notThrowsAsync(db(tabela).update(mudadas), tabela);
  }
});

test.serial('a API, as páginas e as tarefas do dia leem as linhas da 1.0', async (t) => {
  const databaseUrl = urlDoBanco(cheio.nome, 'aplicacao');
  await grantApplication(cheio.db, databaseUrl, DIREITOS);
  const api = await criarApi({ bancoDe: { databaseUrl, dono: cheio.db }, relogio: relogioEm(NO_DIA_SEGUINTE) });
  t.teardown(() => api.fechar());
  const execucao = { signal: new AbortController().signal, aoAvancar: () => {} };
  for (const provedorId of [1, 2]) {
    for (const tarefa of ['faturas.vencer', 'pix.recalcular'] as const) {
      const { desfecho } = await api.container.tarefas.executar(
        AUTOR,
        { tarefa, provedorId, dia: '2026-11-23' },
        execucao,
      );
      t.is(desfecho, 'concluida', tarefa);
    }
    const { texto: chave } = await api.criarChave(provedorId);
    for (const lista of ['clientes', 'faturas', 'chamados'] as const) {
      const { corpo } = await api.get(`/${lista}?por_pagina=100`, { chave });
      const linhas: { id: number }[] = await cheio.db(lista).where({ provedor_id: provedorId }).select('id');
      t.true(linhas.length > 0 && linhas.length <= 100, lista);
      t.deepEqual(emOrdem(corpo.dados), emOrdem(linhas), lista);
      for (const { id } of linhas) t.is((await api.get(`/${lista}/${id}`, { chave })).status, 200, `${lista}/${id}`);
    }
    const contratos: { id: number }[] = await cheio.db('contratos').where({ provedor_id: provedorId }).select('id');
    for (const { id } of contratos) {
      for (const caminho of ['', '/conexao']) {
        t.is((await api.get(`/contratos/${id}${caminho}`, { chave })).status, 200, `${id}${caminho}`);
      }
    }
    const abertas: { token: string }[] = await cheio
      .db('faturas')
      .where({ provedor_id: provedorId, grupo: 'aberta' })
      .select('token');
    for (const { token } of abertas) t.is((await pedirPagina(api, `/pagar/${token}`)).status, 200);
  }
});

const emOrdem = (linhas: readonly { id: number }[]): number[] => linhas.map(({ id }) => id).toSorted((a, b) => a - b);
