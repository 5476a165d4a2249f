import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { TERMINAL } from '../../src/domain/actor.ts';
import { createQueue } from '../../src/platform/queues/queue.ts';
import { createRedis } from '../../src/platform/redis/redis.ts';
import { jobDefinitions } from '../../workers/jobs/catalogue.ts';
import { CHAVE_MESTRA, contar, criarCenario } from '../domain/importacoes/apoio.ts';
import type { Cenario } from '../domain/importacoes/apoio.ts';
import { ate } from '../support/espera.ts';
import { emCsv, linhaDoIxc, numeros } from '../support/importacao.ts';
import { executar } from '../support/processo.ts';
import type { Processo } from '../support/processo.ts';
import { quanto } from '../support/prova.ts';

const MORTES = quanto(3, 25);
/** A lot is 500: of so many lines there are enough for each death to meet one. */
const LINHAS = quanto(12_000, 100_000);
/** How long at most a lot has been under way when its worker dies. */
const MAIS_TARDE_MS = 150;
/** In which an action without deaths ends, however busy the machine is. */
const PRAZO_MS = quanto(5, 30) * 60_000;

let c: Cenario;
test.before(async () => {
  c = await criarCenario();
});
test.after.always(() => c.api.fechar());

/** What an import writes, and undoing it takes away. */
const GRAVADAS = [
  'contratos',
  'clientes',
  'clientes_telefones',
  'clientes_palavras',
  'contratos_historico',
  'importacao_senhas',
  'app_documentos',
  'planos',
] as const;

test(`simular não grava nada; kill -9 do worker a meio de importar e de desfazer, ${MORTES} vezes cada: cada linha entra uma vez, e nenhuma fica`, async (t) => {
  t.timeout(4 * PRAZO_MS);
  const { api, importacoes } = c;
  const provedor = await c.fabrica.provedor();
  const linhas = numeros(LINHAS).map((n) =>
    linhaDoIxc(n, { id_cliente: String(Math.ceil(n / 2)), cnpj_cpf: linhaDoIxc(Math.ceil(n / 2))['cnpj_cpf']! }),
  );
  const { id } = await c.receber(provedor, emCsv(linhas));
  await importacoes.mapear(TERMINAL, provedor, id, { criar_planos: true });
  const connection = createRedis(api.redisUrl, 'queue', () => {});
  const fila = createQueue({ connection, definitions: jobDefinitions, onError: () => {} });
  t.teardown(async () => {
    await fila.close();
    connection.disconnect();
  });
  const ambiente = { DATABASE_URL: api.databaseUrl, REDIS_URL: api.redisUrl, MALHA_CHAVE_MESTRA: CHAVE_MESTRA };
  let worker: Processo | undefined;
  t.teardown(async () => worker?.parar('SIGKILL'));

  /** Asks for an action and kills whoever does it, so often; then lets it be done. */
  async function comMortes(acao: 'executar' | 'desfazer', feitas: () => Promise<number>): Promise<void> {
    await importacoes.pedir(TERMINAL, provedor, id, acao);
    await fila.add('importacao.executar', { provedorId: provedor });
    let mortas = 0;
    for (let morte = 0; morte < MORTES; morte += 1) {
      const antes = await feitas();
      worker ??= await executar('worker', ambiente, /Worker do Malha em execução/);
      await ate(async () => (await feitas()) > antes || (await importacoes.exigir(provedor, id)).acao === null, 60_000);
      await sleep(Math.random() * MAIS_TARDE_MS);
      await worker.parar('SIGKILL');
      worker = undefined;
      if ((await importacoes.exigir(provedor, id)).acao === acao) mortas += 1;
    }
    t.true(mortas >= Math.min(MORTES, 2), `${mortas} mortes a meio`);
    worker = await executar('worker', ambiente, /Worker do Malha em execução/);
    await ate(async () => (await importacoes.exigir(provedor, id)).acao === null, PRAZO_MS);
  }

  const nada = async (): Promise<void> => {
    for (const tabela of GRAVADAS) t.is(await contar(api, tabela, { provedor_id: provedor }), 0, tabela);
  };
  const comecou = Date.now();
  await importacoes.pedir(TERMINAL, provedor, id, 'simular');
  await fila.add('importacao.executar', { provedorId: provedor });
  worker = await executar('worker', ambiente, /Worker do Malha em execução/);
  await ate(async () => (await importacoes.exigir(provedor, id)).acao === null, PRAZO_MS);
  await worker.parar('SIGKILL');
  worker = undefined;
  t.like((await importacoes.exigir(provedor, id)).contagens, { lidas: LINHAS, recusadas: 0 });
  await nada();
  const simulou = Date.now();

  await comMortes('executar', async () => (await importacoes.exigir(provedor, id)).contagens.lidas);
  const executada = await importacoes.exigir(provedor, id);
  t.is(executada.motivo, null);
  t.like(executada.contagens, {
    lidas: LINHAS,
    gravadas: LINHAS,
    ja_estavam: 0,
    recusadas: 0,
    contratos: LINHAS,
    clientes: LINHAS / 2,
  });
  t.is(await contar(api, 'contratos', { provedor_id: provedor }), LINHAS);
  t.is(await contar(api, 'clientes', { provedor_id: provedor }), LINHAS / 2);
  t.is(await contar(api, 'contratos_historico', { provedor_id: provedor }), LINHAS);
  t.is(await contar(api, 'importacao_linhas', { provedor_id: provedor, situacao: 'gravada' }), LINHAS);
  t.is(await contar(api, 'importacao_senhas', { provedor_id: provedor }), LINHAS);
  const [[codigos] = []] = await api.dono.raw<{ n: number }[][]>(
    'SELECT COUNT(DISTINCT codigo_externo) AS n FROM contratos WHERE provedor_id = ?',
    [provedor],
  );
  t.is(codigos!.n, LINHAS);
  // The audit log tells of each line once, too.
  const lotes: { dados: string | { contratos: number } }[] = await api
    .dono('auditoria')
    .where({ provedor_id: provedor, acao: 'importacao.lote_gravado' })
    .select('dados');
  const ditos = lotes.map(
    ({ dados }) => (typeof dados === 'string' ? (JSON.parse(dados) as { contratos: number }) : dados).contratos,
  );
  t.is(
    ditos.reduce((soma, n) => soma + n, 0),
    LINHAS,
  );

  const executou = Date.now();
  await comMortes('desfazer', async () => {
    const { desfeitas, ficaram } = (await importacoes.exigir(provedor, id)).contagens;
    return desfeitas + ficaram;
  });
  t.like((await importacoes.exigir(provedor, id)).contagens, { desfeitas: LINHAS, ficaram: 0 });
  await nada();
  const segundos = (de: number, a: number): number => Math.round((a - de) / 1000);
  t.log(
    `${LINHAS} linhas: simuladas em ${segundos(comecou, simulou)} s, executadas com ${MORTES} mortes em ${segundos(simulou, executou)} s, ` +
      `desfeitas com ${MORTES} mortes em ${segundos(executou, Date.now())} s`,
  );
});
