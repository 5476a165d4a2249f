import test from 'ava';
import { hojeEm } from '../../../src/brazil/calendario/datas.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarBanco } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { ate } from '../../support/espera.ts';
import { criarFabrica } from '../../support/fabrica.ts';

// Two databases that nothing copies between: what differs says which one answered, and the test says how far behind the replica is.
let replica: Banco;
let api: Api;
const linhas: string[] = [];
const falhas = (): number => linhas.filter((linha) => linha.includes('a réplica falhou numa lista')).length;
test.before(async () => {
  replica = await criarBanco();
  api = await criarApi({
    env: { DATABASE_REPLICA_URL: replica.url, MALHA_ATRASO_REPLICA: '120', MALHA_LOG: 'warn' },
    destinoDoLog: { write: (linha) => void linhas.push(linha) },
  });
});
test.after.always(async () => {
  await api.fechar();
  await replica.fechar();
});

async function bate(segundosAtras: number): Promise<void> {
  await replica.db.raw(
    `INSERT INTO replica_batimento (id, em) VALUES (1, UTC_TIMESTAMP(3) - INTERVAL ? SECOND)
     ON DUPLICATE KEY UPDATE em = VALUES(em)`,
    [segundosAtras],
  );
}

test.serial('listas inteiras vão à réplica enquanto ela acompanha; o resto, nunca', async (t) => {
  const [daqui, dela] = [criarFabrica(api.dono), criarFabrica(replica.db)];
  const provedor = await daqui.provedor();
  await dela.provedor({ id: provedor });
  const cliente = await daqui.cliente(provedor, { nome: 'No banco' });
  await dela.cliente(provedor, { id: cliente, nome: 'Na réplica' });
  const { texto: chave } = await api.criarChave(provedor);
  const nomes = async (caminho: string): Promise<string[]> =>
    (await api.get(caminho, { chave })).corpo.dados.map(({ nome }: { nome: string }) => nome);
  const todos = async (): Promise<string> => (await nomes('/clientes'))[0]!;

  t.is(await todos(), 'No banco');
  const beating = setInterval(() => void bate(0), 500);
  t.teardown(() => clearInterval(beating));
  // Each time under another name, or what was kept of the database would be answered.
  let vezes = 0;
  await ate(async () => (await nomes(`/clientes?${'&'.repeat((vezes += 1))}`))[0] === 'Na réplica');
  t.deepEqual(await nomes('/clientes?cpf_cnpj=52998224725'), ['No banco']);
  t.deepEqual(await nomes('/clientes?cpf%5Fcnpj=52998224725'), ['No banco'], 'como quer que se escreva o nome');
  t.is((await api.get(`/clientes/${cliente}`, { chave })).corpo.dados.nome, 'No banco');
  await replica.db('registros_removidos').insert({
    provedor_id: provedor,
    lista: 'clientes',
    registro_id: 77,
    removido_em: '2026-01-01 00:00:00.000',
  });
  const removidos = await api.get('/clientes/removidos', { chave });
  t.deepEqual(
    removidos.corpo.dados.map(({ id }: { id: number }) => id),
    [77],
  );
  t.deepEqual(await nomes('/clientes?situacao=ativo'), ['Na réplica']);

  // What it answers is not kept: the next answer says what it has heard meanwhile.
  await replica.db('clientes').where('id', cliente).update({ nome: 'Na réplica, depois' });
  t.deepEqual(await nomes('/clientes?situacao=ativo'), ['Na réplica, depois']);

  // What is refused is refused, and is no failure of it.
  const antes = falhas();
  const ateAntesDe = await api.get('/faturas?vencimento_de=2026-02-01&vencimento_ate=2026-01-01', { chave });
  t.is(ateAntesDe.status, 400);
  t.is(falhas(), antes);

  // What it fails at, as when it has not heard of a migration, the database is asked for.
  await replica.db.schema.renameTable('contratos', 'contratos_de_antes');
  t.deepEqual(await nomes('/clientes?situacao=ativo'), ['No banco']);
  t.is(falhas(), antes + 1);
  await replica.db.schema.renameTable('contratos_de_antes', 'contratos');
  t.deepEqual(await nomes('/clientes?situacao=ativo'), ['Na réplica, depois']);

  // An extract says of which instant its snapshot is: all that it knows is when the primary last was heard of there.
  clearInterval(beating);
  await bate(20);
  const [batimento] = await replica.db('replica_batimento').pluck<string[]>('em');
  const hoje = hojeEm('America/Sao_Paulo', new Date());
  await api.container.tarefas.executar(
    AUTOR,
    { tarefa: 'extratos.gerar', provedorId: provedor, dia: hoje },
    { signal: new AbortController().signal, aoAvancar: () => {} },
  );
  const [extrato] = await api.dono('extratos').where('provedor_id', provedor).select<{ consistente_em: string }[]>();
  t.is(extrato!.consistente_em, batimento!);

  await bate(600);
  await ate(async () => (await nomes(`/clientes?${'&'.repeat((vezes += 1))}`))[0] === 'No banco');
});
