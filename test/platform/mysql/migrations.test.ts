import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import { DIREITOS } from '../../../src/domain/direitos.ts';
import { updateSchema } from '../../../src/app/servers.ts';
import { grantApplication } from '../../../src/platform/mysql/grants.ts';
import { migrate } from '../../../src/platform/mysql/schema/migrations.ts';
import { criarBanco, largarBanco, urlDoBanco } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { criarFabrica } from '../../support/fabrica.ts';

const vazios: { dbs: Db[]; nome: string }[] = [];
let banco: Banco;
test.before(async () => {
  banco = await criarBanco();
});
test.after.always(async () => {
  for (const { dbs, nome } of vazios) {
    for (const db of dbs) await db.destroy();
    await largarBanco(banco.db, nome);
  }
  await banco.fechar();
});

/** A database without a single table, and pools on it: the first one for migrations. */
async function bancoVazio(pools = 1): Promise<Db[]> {
  const nome = `malha_teste_${randomBytes(6).toString('hex')}`;
  await banco.db.raw('CREATE DATABASE ?? CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci', [nome]);
  const dbs = Array.from({ length: pools }, (_, n) =>
    createDatabase({ url: urlDoBanco(nome, 'dono'), pool: 3, migrates: n === 0 }),
  );
  vazios.push({ dbs, nome });
  return dbs;
}

/** Every table, trigger and constraint, as the server writes them. */
async function esquema(db: Db): Promise<Record<string, string>> {
  const [tabelas] = await db.raw<Record<string, string>[][]>('SHOW TABLES');
  const criados: Record<string, string> = {};
  for (const linha of tabelas ?? []) {
    const [tabela = ''] = Object.values(linha);
    const [[criada = {}] = []] = await db.raw<Record<string, string>[][]>('SHOW CREATE TABLE ??', [tabela]);
    criados[tabela] = (criada['Create Table'] ?? '').replace(/ AUTO_INCREMENT=\d+/, '');
  }
  const [gatilhos] = await db.raw<Record<string, string>[][]>('SHOW TRIGGERS');
  for (const gatilho of gatilhos ?? []) criados[`gatilho ${gatilho['Trigger']}`] = gatilho['Statement'] ?? '';
  return criados;
}

test('um banco vazio recebe todas as migrações, e de novo nenhuma', async (t) => {
  const [db] = (await bancoVazio()) as [Db];
  const gatilhos: string[] = [];
  db.on('query', ({ sql }: { sql: string }) => {
    const [, nome] = /^\s*CREATE TRIGGER (\S+)/.exec(sql) ?? [];
    if (nome !== undefined) gatilhos.push(nome);
  });
  const feitas = await migrate(db);
  // One migration that makes a trigger of another's name has dropped the other's before, and nobody notices.
  t.true(gatilhos.length > 20);
  t.deepEqual(gatilhos.toSorted(), [...new Set(gatilhos)].toSorted());
  t.true(feitas.length >= 7);
  t.true(feitas.every((nome) => /^\d{14}_\w+\.js$/.test(nome)));
  t.deepEqual(feitas, feitas.toSorted());
  const antes = await esquema(db);
  t.deepEqual(await migrate(db), []);
  t.deepEqual(await esquema(db), antes);
});

test('dois processos que migram ao mesmo tempo fazem cada migração uma vez', async (t) => {
  const dbs = await bancoVazio(3);
  const feitas = await Promise.all(dbs.map((db) => migrate(db)));
  t.is(feitas.filter((nomes) => nomes.length > 0).length, 1);
  const registradas = await dbs[0]!('migracoes').select<{ name: string }[]>('name').orderBy('id');
  t.deepEqual(
    registradas.map(({ name }) => name),
    feitas.flat(),
  );
});

test('a trava que um processo morto deixou não impede o início seguinte', async (t) => {
  const [db] = (await bancoVazio()) as [Db];
  await migrate(db);
  await db('migracoes_lock').update({ is_locked: 1 });
  const ultima = await db('migracoes').orderBy('id', 'desc').first<{ id: number; name: string }>('id', 'name');
  await db('migracoes').where('id', ultima.id).delete();
  t.deepEqual(await migrate(db), [ultima.name]);
  t.deepEqual(await db('migracoes_lock').select('is_locked'), [{ is_locked: 0 }]);
});

test('uma migração interrompida no meio é completada pela seguinte', async (t) => {
  const [db] = (await bancoVazio()) as [Db];
  await migrate(db);
  const inteiro = await esquema(db);
  // What a process that died between its CREATE TABLEs leaves: some tables, no record.
  await db.raw('DROP TABLE conexoes');
  await db.raw('DROP TRIGGER radacct_mudancas_delete');
  const { name } = await db('migracoes').where('name', 'like', '%_conexoes.js').first('name');
  // Those after it have not run; what they would do is there already, and they do not mind.
  const faltam = await db('migracoes').where('name', '>=', name).delete();
  t.is((await migrate(db)).length, faltam);
  t.deepEqual(await esquema(db), inteiro);
});

test('quem subiu antes de os intervalos terem limite é refeito depois, e as sessões abertas ficam como estavam', async (t) => {
  const [db] = (await bancoVazio()) as [Db];
  await migrate(db);
  const { name } = await db('migracoes').where('name', 'like', '%_sessoes_ouvidas.js').first('name');
  for (const momento of ['insert', 'update']) await db.raw('DROP TRIGGER ??', [`sessoes_ouvidas_${momento}`]);
  await db.raw('DROP TABLE sessoes_ouvidas');
  await db('migracoes').where('name', '>=', name).delete();
  const fabrica = criarFabrica(db);
  const provedor = await fabrica.provedor();
  const base = { cliente_id: await fabrica.cliente(provedor), plano_id: await fabrica.plano(provedor) };
  const contratos: number[] = [];
  for (const intervalo_segundos of [300, 1800, 10_800]) {
    const contrato_id = await fabrica.contrato(provedor, base);
    // Its server is known: one of which it is not is marked by a later migration.
    const nas = '10.0.0.1';
    await fabrica.conexao(provedor, { contrato_id, ouvida_em: '2026-11-20 15:00:00', intervalo_segundos, nas });
    contratos.push(contrato_id);
  }
  await fabrica.sessao({ username: 'joao', acctstarttime: '2026-11-20 14:00:00' });
  await migrate(db);
  t.deepEqual(await db('conexoes_pendentes'), [{ provedor_id: provedor, contrato_id: contratos[2] }]);
  t.deepEqual(await db('sessoes_ouvidas'), []);
  await db('radacct').update({ acctupdatetime: '2026-11-20 14:05:00' });
  t.is((await db('sessoes_ouvidas')).length, 1);
});

test('um índice de faturas se faz sem que ninguém espere por quem a migração espera', async (t) => {
  const [db, outro] = (await bancoVazio(2)) as [Db, Db];
  await migrate(db);
  const inteiro = await esquema(db);
  await db.raw('ALTER TABLE faturas DROP KEY faturas_a_vencer');
  await db('migracoes').where('name', 'like', '%_vencidos.js').delete();

  // As an extract does for minutes.
  const extrato = await outro.transaction();
  await extrato('faturas').select('id');
  const migrando = migrate(db);
  const [situacao] = await Promise.all([
    Promise.race([migrando.then(() => 'feita'), sleep(4000, 'espera')]),
    (async () => {
      // One after the other, so that one of them waits from the moment on at which the migration begins to.
      const fim = performance.now() + 2500;
      while (performance.now() < fim) await outro('faturas').select('id');
    })(),
  ]);
  t.is(situacao, 'espera');
  await extrato.commit();
  t.is((await migrando).length, 1);
  // The index is the newest now, and stands last.
  t.deepEqual(semOrdem(await esquema(db)), semOrdem(inteiro));
});

/** Each table's lines, whatever came first. */
const semOrdem = (tabelas: Readonly<Record<string, string>>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(tabelas).map(([tabela, criada]) => [tabela, criada.replaceAll(/,$/gm, '').split('\n').toSorted()]),
  );

test('desfeitas todas, as migrações não deixam tabela alguma, e refeitas dão o mesmo esquema', async (t) => {
  const [db] = (await bancoVazio()) as [Db];
  await migrate(db);
  const antes = await esquema(db);
  await db.migrate.rollback(undefined, true);
  t.deepEqual(Object.keys(await esquema(db)).toSorted(), ['migracoes', 'migracoes_lock']);
  await migrate(db);
  t.deepEqual(await esquema(db), antes);
});

interface Coluna {
  readonly tabela: string;
  readonly coluna: string;
  readonly tipo: string;
  readonly definicao: string;
  readonly obrigatoria: number;
}
interface Referencia {
  readonly nome: string;
  readonly tabela: string;
  readonly colunas: string[];
  readonly alvo: string;
  readonly colunasDoAlvo: string[];
}

async function lerReferencias(db: Db): Promise<Referencia[]> {
  const [linhas] = await db.raw<Record<string, string>[][]>(`
    SELECT constraint_name AS nome, table_name AS tabela, GROUP_CONCAT(column_name ORDER BY ordinal_position) AS colunas,
           referenced_table_name AS alvo, GROUP_CONCAT(referenced_column_name ORDER BY ordinal_position) AS colunas_do_alvo
      FROM information_schema.key_column_usage
     WHERE table_schema = DATABASE() AND referenced_table_name IS NOT NULL
     GROUP BY constraint_name, table_name, referenced_table_name`);
  return (linhas ?? []).map((linha) => ({
    nome: linha['nome']!,
    tabela: linha['tabela']!,
    colunas: linha['colunas']!.split(','),
    alvo: linha['alvo']!,
    colunasDoAlvo: linha['colunas_do_alvo']!.split(','),
  }));
}

async function lerColunas(db: Db): Promise<Coluna[]> {
  const [linhas] = await db.raw<Coluna[][]>(`
    SELECT table_name AS tabela, column_name AS coluna, data_type AS tipo, column_type AS definicao,
           is_nullable = 'NO' AND column_default IS NULL AND extra = '' AS obrigatoria
      FROM information_schema.columns WHERE table_schema = DATABASE()`);
  return linhas ?? [];
}

const tabelasDeInquilino = (colunas: readonly Coluna[]): string[] =>
  colunas.filter(({ coluna }) => coluna === 'provedor_id').map(({ tabela }) => tabela);

test('a chave primária de toda tabela de inquilino começa por provedor_id', async (t) => {
  const { db } = banco;
  const tabelas = tabelasDeInquilino(await lerColunas(db));
  t.true(tabelas.length >= 15);
  for (const tabela of tabelas) {
    const [indices] = await db.raw<Record<string, unknown>[][]>(`SHOW INDEX FROM ?? WHERE Key_name = 'PRIMARY'`, [
      tabela,
    ]);
    const colunas = (indices ?? []).map((indice) => indice['Column_name']);
    t.is(colunas[0], 'provedor_id', tabela);
  }
});

test('toda chave estrangeira é composta e começa por provedor_id, ou é o próprio provedor', async (t) => {
  const { db } = banco;
  const referencias = await lerReferencias(db);
  t.true(referencias.length >= 20);
  for (const { nome, colunas, alvo, colunasDoAlvo } of referencias) {
    t.is(colunas[0], 'provedor_id', nome);
    t.is(colunasDoAlvo[0], alvo === 'provedores' ? 'id' : 'provedor_id', nome);
    t.is(colunas.length, alvo === 'provedores' ? 1 : 2, nome);
  }
  const comReferencia = new Set(referencias.map(({ tabela }) => tabela));
  const semReferencia = tabelasDeInquilino(await lerColunas(db)).filter((tabela) => !comReferencia.has(tabela));
  // Notes that triggers and jobs take of other rows: what they name is sought by tenant, and a check would hold the row, or refuse
  // to name what is gone.
  t.deepEqual(semReferencia.toSorted(), [
    'clientes_alteracoes',
    'conexoes_pendentes',
    'protocolos_dias',
    'rede_horas',
    'rede_quedas',
    'registros_conexao',
    'registros_portas',
    'registros_removidos',
    'trafego_horario',
  ]);
});

test('o banco recusa, em cada tabela, uma linha que aponte para outro inquilino', async (t) => {
  const { db } = banco;
  const colunas = await lerColunas(db);
  const referencias = await lerReferencias(db);
  const fabrica = criarFabrica(db);
  const inquilinos = [await fabrica.provedor(), await fabrica.provedor()] as const;
  const linhas = new Map<string, Record<string, unknown>>();
  const da = (tabela: string, provedor: number) => linhas.get(`${tabela} ${provedor}`);

  /** A row that the table takes: what must be there has some value, and what points points to the same tenant. */
  function montar(tabela: string, provedor_id: number): Record<string, unknown> {
    const linha: Record<string, unknown> = { provedor_id };
    for (const { coluna, tipo, definicao } of colunas.filter((c) => c.tabela === tabela && c.obrigatoria === 1)) {
      linha[coluna] ??= valorQualquer(tipo, definicao);
    }
    for (const {
      colunas: [, coluna],
      alvo,
    } of referencias.filter((r) => r.tabela === tabela && r.alvo !== 'provedores' && r.alvo !== tabela)) {
      linha[coluna!] = da(alvo, provedor_id)?.['id'];
    }
    if (linha['carne_id'] !== undefined) linha['parcela'] = 1;
    if (tabela === 'regua_passos') linha['alvo_id'] = provedor_id;
    if (tabela === 'provedores_feriados') linha['dia'] = '03-19';
    return linha;
  }

  // Parents first: a table is ready when all that it points to is there.
  const faltam = new Set(referencias.map(({ tabela }) => tabela).filter((tabela) => tabela !== 'regras_cobranca'));
  let tentadas = 0;
  while (faltam.size > 0) {
    const tabela = [...faltam].find((nome) =>
      referencias.every((r) => r.tabela !== nome || r.alvo === nome || !faltam.has(r.alvo)),
    );
    if (tabela === undefined) throw new Error(`referências em círculo: ${[...faltam].join(', ')}`);
    faltam.delete(tabela);
    for (const {
      nome,
      colunas: [, coluna],
      alvo,
    } of referencias.filter((r) => r.tabela === tabela && r.alvo !== 'provedores' && r.alvo !== tabela)) {
      for (const [meu, alheio] of [inquilinos, inquilinos.toReversed()] as [number, number][]) {
        const invasora = { ...montar(tabela, meu), [coluna!]: da(alvo, alheio)?.['id'] };
        const erro = await t.throwsAsync(db(tabela).insert(invasora), undefined, nome);
        t.is((erro as { errno?: number }).errno, 1452, `${nome}: ${erro.message}`);
        t.true(erro.message.includes(`\`${nome}\``), erro.message);
        tentadas += 1;
      }
    }
    // The same rows within one tenant are taken, and then cannot be moved to another.
    for (const provedor of inquilinos) {
      const linha = montar(tabela, provedor);
      const [id] = await db(tabela).insert(linha);
      linhas.set(`${tabela} ${provedor}`, { ...linha, id });
    }
    // A table that points to itself has nothing to point to before.
    for (const {
      nome,
      colunas: [, coluna],
    } of referencias.filter((r) => r.tabela === tabela && r.alvo === tabela)) {
      for (const [meu, alheio] of [inquilinos, inquilinos.toReversed()] as [number, number][]) {
        const dela = { [coluna!]: da(tabela, alheio)?.['id'] };
        const erro = await t.throwsAsync(db(tabela).where({ provedor_id: meu }).update(dela), undefined, nome);
        t.is((erro as { errno?: number }).errno, 1452, `${nome}: ${erro.message}`);
        tentadas += 1;
      }
    }
    const [meu, alheio] = inquilinos;
    const daqui = referencias.filter((r) => r.tabela === tabela && r.alvo !== 'provedores');
    if (daqui.length > 0) {
      const mudar = db(tabela).where({ provedor_id: meu }).update({ provedor_id: alheio });
      const erro = await t.throwsAsync(mudar, undefined, tabela);
      t.true([1451, 1452].includes((erro as { errno?: number }).errno ?? 0), `${tabela}: ${erro.message}`);
    }
  }
  t.true(tentadas >= 2 * referencias.filter(({ alvo }) => alvo !== 'provedores').length);
  t.true(tentadas >= 30, String(tentadas));
});

test('toda chave estrangeira é servida, por um índice único sem nulos, ou só por índices cujas outras colunas não são nulas', async (t) => {
  const { db } = banco;
  const [indices = []] = await db.raw<{ tabela: string; unico: number; colunas: string; nulas: string | null }[][]>(`
    SELECT i.table_name AS tabela, MAX(i.non_unique = 0) AS unico,
           GROUP_CONCAT(i.column_name ORDER BY i.seq_in_index) AS colunas,
           GROUP_CONCAT(IF(i.nullable = 'YES', i.column_name, NULL)) AS nulas
      FROM information_schema.statistics i WHERE i.table_schema = DATABASE()
     GROUP BY i.table_name, i.index_name`);
  // They are null only where the foreign key's own column is, or come of what never is.
  const nuncaNulas = new Set(['em_aberto', 'grupo', 'parcela']);
  const mal: string[] = [];
  for (const { nome, tabela, colunas } of await lerReferencias(db)) {
    const servem = indices.filter((um) => um.tabela === tabela && `${um.colunas},`.startsWith(`${colunas.join(',')},`));
    const podeNula = (um: (typeof servem)[number]): boolean =>
      (um.nulas ?? '')
        .split(',')
        .some((coluna) => coluna !== '' && !colunas.includes(coluna) && !nuncaNulas.has(coluna));
    const semNulas = servem.filter((um) => !podeNula(um));
    if (!semNulas.some(({ unico }) => unico === 1) && semNulas.length !== servem.length) mal.push(nome);
  }
  t.deepEqual(mal, []);
});

test('uma fatura de carnê tem o número da sua parcela', async (t) => {
  const { db } = banco;
  const fabrica = criarFabrica(db);
  const provedor = await fabrica.provedor();
  const cliente = await fabrica.cliente(provedor);
  const carne = { provedor_id: provedor, cliente_id: cliente, parcelas: 1, emitido_em: '2026-11-20 12:00:00.000' };
  const [carne_id] = await db('carnes').insert(carne);
  const erro = await t.throwsAsync(fabrica.fatura(provedor, { cliente_id: cliente, carne_id }));
  t.true(erro.message.includes('faturas_parcela_do_carne'), erro.message);
  await fabrica.fatura(provedor, { cliente_id: cliente, carne_id, parcela: 1 });
});

let serie = 0;
function valorQualquer(tipo: string, definicao: string): unknown {
  serie += 1;
  if (tipo === 'enum') return /'([^']+)'/.exec(definicao)?.[1];
  if (tipo === 'json' || tipo === 'longtext') return '[]';
  if (tipo === 'date') return '2026-11-10';
  if (tipo === 'datetime') return '2026-11-10 00:00:00.000';
  if (tipo === 'binary') return randomBytes(Number(/\d+/.exec(definicao)?.[0] ?? 1));
  if (/int$|decimal/.test(tipo)) return 1;
  return String(serie).slice(0, Number(/\((\d+)\)/.exec(definicao)?.[1] ?? 20));
}

test('um processo de antes começa no esquema de uma versão mais nova, e não lhe tira tabelas nem direitos', async (t) => {
  const { db, url } = await criarBanco();
  t.teardown(async () => db.destroy());
  const nome = new URL(url).pathname.slice(1);
  vazios.push({ dbs: [db], nome });
  await db('migracoes').insert({ name: '20991231000000_de_amanha.js', batch: 99, migration_time: new Date() });
  await db.raw('CREATE TABLE de_amanha (id INT PRIMARY KEY)');
  await grantApplication(db, url, { ...DIREITOS, de_amanha: ['SELECT'] });
  const ditas: string[] = [];
  t.deepEqual(
    await updateSchema({ databaseUrl: url, ownerUrl: urlDoBanco(nome, 'dono') }, (linha) => ditas.push(linha)),
    [],
  );
  t.is(ditas.length, 1);
  t.regex(ditas[0] ?? '', /de uma versão mais nova/u);
  const servico = createDatabase({ url, pool: 1 });
  t.teardown(async () => servico.destroy());
  t.deepEqual(await servico('de_amanha').select('id'), []);

  // One that is ahead in some and behind in others is of another line of releases.
  const [ultima] = await db('migracoes').orderBy('name', 'desc').offset(1).limit(1).select<{ name: string }[]>('name');
  await db('migracoes').where({ name: ultima!.name }).delete();
  await t.throwsAsync(migrate(db), { message: /de_amanha/ });
});
