import test from 'ava';
import { createRedeDetectarJob } from '../../../workers/jobs/rede-detectar.job.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { createSuspeitasQueries } from '../../../src/domain/rede/deteccao/deteccao.queries.ts';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import { lidas } from '../../support/leituras.ts';
import { TAREFA, criarQuedas } from './apoio.ts';

// What notices that are open already make of drops.

const AGORA = '2026-11-20T15:30:00.000Z';
const relogio = relogioEm(AGORA);
let api: Api;
let quedas: ReturnType<typeof criarQuedas>;
test.before(async () => {
  api = await criarApi({ relogio });
  quedas = criarQuedas(api, relogio);
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

const avisar = async (provedor: number, tipo: string, mais: object = {}) =>
  quedas.mudar(provedor, async ({ avisosDeRede }) =>
    avisosDeRede.abrir({ tipo, titulo: 'Da equipe', texto: 'O que se diz.', alvos: [{ tipo: 'todos' }], ...mais }),
  );

for (const [tipo, abertos] of [
  ['informativo', 1],
  ['interrupcao', 0],
  ['degradacao', 0],
  ['manutencao', 0],
] as const) {
  test.serial(`com um aviso aberto de tipo ${tipo}, linhas que caem juntas abrem ${abertos}`, async (t) => {
    const c = await quedas.cenario({ linhas: 40 });
    await avisar(c.provedor, tipo);
    await c.cair(c.ate(40));
    t.is((await quedas.rodar()).abertos, abertos);
  });
}

test.serial('o aviso que passou da previsão há mais de uma hora não explica mais queda nenhuma', async (t) => {
  const deUmaHora = await quedas.cenario({ linhas: 40 });
  const deMais = await quedas.cenario({ linhas: 40 });
  relogio.definir('2026-11-20T14:00:00.000Z');
  await avisar(deUmaHora.provedor, 'manutencao', { previsao: '2026-11-20T14:31:00.000Z' });
  await avisar(deMais.provedor, 'manutencao', { previsao: '2026-11-20T14:29:00.000Z' });
  relogio.definir(AGORA);
  await deUmaHora.cair(deUmaHora.ate(40));
  await deMais.cair(deMais.ate(40));
  t.is((await quedas.rodar()).abertos, 1);
  t.is((await quedas.avisosDe(deMais.provedor)).length, 2);
});

test.serial('linhas que caem uma a uma, depois, não são da interrupção: ela acaba quando as dela voltam', async (t) => {
  const c = await quedas.cenario({ linhas: 100 });
  const dela = c.ate(40);
  await c.cair(dela);
  t.is((await quedas.rodar()).abertos, 1);
  for (let n = 0; n < 12; n += 1) {
    relogio.definir(`2026-11-20T15:${32 + n * 2}:00.000Z`);
    await c.cair([60 + n], `2026-11-20 15:${31 + n * 2}:50`);
    await quedas.rodar();
  }
  t.like((await quedas.avisosDe(c.provedor))[0], { fim: null, detectado_quedas: 40 });
  await c.conectar(dela.slice(0, 36), '2026-11-20 15:55:00');
  t.deepEqual(await quedas.rodar(), { abertos: 0, encerrados: 1 });
});

test.serial('ela cresce com o que cai até um minuto depois da última das suas, e não por mais de dez', async (t) => {
  const c = await quedas.cenario({ linhas: 100 });
  await c.cair(c.ate(40), '2026-11-20 15:29:30');
  t.is((await quedas.rodar()).abertos, 1);
  for (let n = 0; n < 20; n += 1) {
    const quando = new Date(Date.parse('2026-11-20T15:30:20.000Z') + n * 50_000);
    relogio.definir(quando.toISOString());
    await c.cair([40 + n], quando.toISOString().slice(0, 19).replace('T', ' '));
    await quedas.rodar();
  }
  // The last drop by which it grows is of ten minutes after the first; a minute later nothing is a part of it.
  t.like((await quedas.avisosDe(c.provedor))[0], {
    fim: null,
    detectado_quedas: 40 + 13,
    detectado_ate: '2026-11-20 15:39:30.000',
  });
});

test.serial(
  'outra queda em massa onde um detectado está aberto é mais dele, e ele espera também por ela',
  async (t) => {
    const c = await quedas.cenario({ linhas: 100 });
    await c.cair(c.ate(40));
    t.is((await quedas.rodar()).abertos, 1);
    relogio.definir('2026-11-20T15:40:00.000Z');
    // The first are back; before anybody looks, as many of the others are down.
    await c.conectar(c.ate(40), '2026-11-20 15:39:00');
    const depois = c.ate(100).filter((i) => i >= 50);
    await c.cair(depois, '2026-11-20 15:39:40');
    t.deepEqual(await quedas.rodar(), { abertos: 0, encerrados: 0 });
    t.like(await quedas.avisosDe(c.provedor), [{ fim: null, detectado_quedas: 50 }]);
    await c.conectar(depois, '2026-11-20 15:39:55');
    t.deepEqual(await quedas.rodar(), { abertos: 0, encerrados: 1 });
  },
);

test.serial('outra queda em massa, horas depois, é outra interrupção: dela se avisa', async (t) => {
  const c = await quedas.cenario({ linhas: 100 });
  await c.cair(c.ate(40));
  t.is((await quedas.rodar()).abertos, 1);
  relogio.definir('2026-11-20T17:30:00.000Z');
  await c.cair(
    c.ate(100).filter((i) => i >= 50),
    '2026-11-20 17:29:40',
  );
  t.deepEqual(await quedas.rodar(), { abertos: 1, encerrados: 0 });
  t.like(await quedas.avisosDe(c.provedor), [{ fim: null, detectado_quedas: 40 }, { fim: null }]);
});

test.serial(
  'cada servidor de um POP que cai tem o seu aviso, que diz qual é e se encerra com as linhas dele',
  async (t) => {
    const c = await quedas.cenario({ linhas: 40, servidores: 2 });
    const [pop] = await api
      .dono('pops')
      .insert({ provedor_id: c.provedor, nome: 'Centro', cidade: 'Alfenas', uf: 'MG' });
    await api.dono('provedores_nas').where('provedor_id', c.provedor).update({ provedor_id: c.provedor, pop_id: pop });
    const nomeados = c.enderecos.map((nasname, n) => ({ nasname, shortname: `bras-${n + 1}`, secret: 'segredo' }));
    await api.dono('nas').insert(nomeados);
    const [dele, doOutro] = [c.ate(40), c.ate(80).slice(40)];
    await c.cair([...dele, ...doOutro]);
    t.is((await quedas.rodar()).abertos, 2);
    const { texto } = await api.criarChave(c.provedor);
    const ditos = async (i: number) =>
      (await api.get(`/contratos/${c.contratos[i]}`, { chave: texto })).corpo.dados.avisos.map((um: any) => um.titulo);
    const [deUm, deOutro] = [1, 2].map((n) => [`Interrupção identificada: Centro, servidor bras-${n}`]);
    t.deepEqual([await ditos(0), await ditos(40)], [deUm, deOutro]);

    await c.conectar(dele, '2026-11-20 15:29:50');
    t.is((await quedas.rodar()).encerrados, 1);
    // Whoever is back is told of no outage, though the other half of the POP is down; of others, as nothing here tells the cache.
    t.deepEqual([await ditos(1), await ditos(41)], [[], deOutro]);
    await c.conectar(doOutro, '2026-11-20 15:29:55');
    t.is((await quedas.rodar()).encerrados, 1);
  },
);

test.serial('a porta que cai quando o servidor já voltou não se perde no aviso dele, que se encerra', async (t) => {
  const c = await quedas.cenario({ linhas: 120, nas: { porta_ate: ';vlan' } });
  await c.cair(c.ate(120));
  t.is((await quedas.rodar()).abertos, 1);
  relogio.definir('2026-11-20T15:40:00.000Z');
  await c.conectar(c.ate(120), '2026-11-20 15:39:00');
  await quedas.agregar();
  const daPorta = c.ate(96).filter((i) => i % 4 === 1);
  await c.cair(daPorta, '2026-11-20 15:39:40');
  t.deepEqual(await quedas.rodar(), { abertos: 1, encerrados: 1 });
  t.like(await quedas.avisosDe(c.provedor), [
    { detectado_porta: null },
    { fim: null, detectado_porta: 'slot=0;port=1', detectado_quedas: 24 },
  ]);
});

test.serial(
  'o que falha de um provedor não detém os outros, nem o fim dos avisos; o trabalho diz que falhou',
  async (t) => {
    const acabou = await quedas.cenario({ linhas: 40 });
    await acabou.cair(acabou.ate(40));
    t.is((await quedas.rodar()).abertos, 1);
    await acabou.conectar(acabou.ate(40), '2026-11-20 15:29:50');
    const ruim = await quedas.cenario({ linhas: 40 });
    const bom = await quedas.cenario({ linhas: 40 });
    await ruim.cair(ruim.ate(40));
    await bom.cair(bom.ate(40));
    await quedas.agregar();
    await api.dono.raw(`
    CREATE TRIGGER falha_de_teste BEFORE INSERT ON avisos_de_rede FOR EACH ROW
    IF NEW.provedor_id = ${ruim.provedor} THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'falha de teste'; END IF`);
    const trabalho = createRedeDetectarJob(quedas.deteccao());
    const rodar = async () =>
      trabalho({}, { signal: new AbortController().signal, lastTry: false, progress: () => {} } as never);
    try {
      const erro = await t.throwsAsync(async () => rodar(), { instanceOf: AggregateError });
      t.regex(erro.message, new RegExp(`provedor ${ruim.provedor}, servidor ${ruim.enderecos[0]}: .*falha de teste`));
    } finally {
      await api.dono.raw('DROP TRIGGER falha_de_teste');
    }
    t.is((await quedas.avisosDe(bom.provedor)).length, 1);
    t.not((await quedas.avisosDe(acabou.provedor))[0].fim, null);
    t.deepEqual(await quedas.avisosDe(ruim.provedor), []);
    await rodar();
    t.is((await quedas.avisosDe(ruim.provedor)).length, 1);
  },
);

test.serial('o servidor de que não se consegue abrir aviso não detém os outros do mesmo provedor', async (t) => {
  const c = await quedas.cenario({ linhas: 40, servidores: 5 });
  await c.cair(c.ate(200));
  await quedas.agregar();
  const falhando = async (quais: readonly string[]) => {
    await api.dono.raw(`
      CREATE TRIGGER falha_de_teste BEFORE INSERT ON avisos_de_rede FOR EACH ROW
      IF NEW.detectado_nas IN (${quais.map((nas) => `'${nas}'`).join(', ')})
      THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'falha de teste'; END IF`);
    try {
      await t.throwsAsync(async () => quedas.deteccao().detectar(TAREFA), { instanceOf: AggregateError });
    } finally {
      await api.dono.raw('DROP TRIGGER falha_de_teste');
    }
  };
  const porOlhar = async () =>
    api.dono('rede_quedas').where({ provedor_id: c.provedor, por_avaliar: 1 }).orderBy('nas').pluck('nas');
  const [um = '', dois = '', tres = '', quatro = '', cinco = ''] = c.enderecos;

  // Of a provider for which nothing works the others need not wait for each server.
  await falhando([um, dois, tres]);
  t.deepEqual(await quedas.avisosDe(c.provedor), []);
  t.deepEqual(await porOlhar(), [um, dois, tres, quatro, cinco]);

  // The next run begins at another one: those that always fail are not always the first.
  relogio.avancar(5000);
  await falhando([um, dois, tres]);
  t.deepEqual(await porOlhar(), [um, dois, tres]);

  await falhando([um, tres]);
  t.deepEqual(
    (await quedas.avisosDe(c.provedor)).map(({ detectado_nas }) => detectado_nas),
    [quatro, cinco, dois],
  );
  t.deepEqual(await porOlhar(), [um, tres]);
  t.is((await quedas.rodar()).abertos, 2);
  t.deepEqual(await porOlhar(), []);
});

type Cenario = Awaited<ReturnType<typeof quedas.cenario>>;

/** Drops of one line in each of some minutes of each server of a provider that nobody has looked at. */
const deixar = async ({ provedor, enderecos }: Cenario, minutos: readonly string[]) =>
  api
    .dono('rede_quedas')
    .insert(
      minutos.flatMap((minuto) =>
        enderecos.map((nas) => ({ provedor_id: provedor, nas, minuto, quedas: 1, vista_em: '2026-11-20 15:29:00' })),
      ),
    );

/** Minutes, so many in all, one after the other until one of them. */
const minutosAte = (ultimo: string, quantos: number): string[] =>
  Array.from({ length: quantos }, (_, n) =>
    new Date(Date.parse(`${ultimo.replace(' ', 'T')}Z`) - n * 60_000).toISOString().slice(0, 19).replace('T', ' '),
  );

test.serial('o muito que há por olhar de um provedor não deixa esperando o pouco de outro', async (t) => {
  await quedas.rodar();
  const muito = await quedas.cenario({ linhas: 1, servidores: 3 });
  const pouco = await quedas.cenario({ linhas: 1 });
  await deixar(muito, ['2026-11-20 15:01:00', '2026-11-20 15:02:00']);
  await deixar(pouco, ['2026-11-20 14:06:00']);
  const olhados = await createSuspeitasQueries(api.dono).porAvaliar(2);
  t.deepEqual(
    olhados.map(({ provedor_id, nas, minuto }) => [provedor_id, nas, minuto.slice(11, 16)]),
    [
      [muito.provedor, muito.enderecos[0], '15:01'],
      [muito.provedor, muito.enderecos[0], '15:02'],
      [pouco.provedor, pouco.enderecos[0], '14:06'],
    ],
  );
  await quedas.rodar();
});

test.serial('do que um dia deixou por olhar se olham os minutos das duas pontas, e o resto não se lê', async (t) => {
  await quedas.rodar();
  const c = await quedas.cenario({ linhas: 1, servidores: 2 });
  await deixar(c, minutosAte('2026-11-20 15:28:00', 1000));
  await api.dono.raw('ANALYZE TABLE rede_quedas');
  const so = createDatabase({ url: api.databaseUrl, pool: 1 });
  t.teardown(async () => so.destroy());
  const suspeitas = createSuspeitasQueries(so);
  let olhados: Awaited<ReturnType<typeof suspeitas.porAvaliar>> = [];
  const passados = await lidas(so, async () => (olhados = await suspeitas.porAvaliar()));
  t.is(olhados.length, 2 * 10);
  t.deepEqual(
    olhados.filter(({ nas }) => nas === c.enderecos[1]).map(({ minuto }) => minuto),
    [...minutosAte('2026-11-20 15:28:00', 5), ...minutosAte('2026-11-19 22:53:00', 5)].toSorted(),
  );
  t.true(passados < 1000, String(passados));

  // Run after run, until nothing is left.
  const restam = async () => api.dono('rede_quedas').where({ provedor_id: c.provedor, por_avaliar: 1 }).pluck('nas');
  await quedas.rodar();
  t.is((await restam()).length, 2 * 990);
  while ((await restam()).length > 0) await quedas.deteccao().detectar(TAREFA);
});
