import test from 'ava';
import { abrirAutoridade } from '../../../seeds/autoridade/autoridade.ts';
import type { Autoridade, Humor, Operacao } from '../../../seeds/autoridade/autoridade.ts';
import { situacaoDasFilas } from '../../../src/domain/nfcom/envio/fila.queries.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { ate } from '../../support/espera.ts';
import { cartorio, enviarTudo, escrever, passarTempo, provedorFiscal } from '../../support/fiscal.ts';
import type { ProvedorFiscal } from '../../support/fiscal.ts';
import { relogioEm } from '../../support/relogio.ts';

// A provider goes over from trials to real notes, or back: what is left of one environment, and what its authority says.

const AGORA = '2026-11-20T15:00:00.000Z';
const MINUTO = 60_000;
const relogio = relogioEm(AGORA);
type Como = (operacao: Operacao, chave: string | null) => Humor;
const BEM: Como = () => ({});

let api: Api;
let ensaios: Autoridade;
let deVerdade: Autoridade;
let nosEnsaios = BEM;
let naProducao = BEM;
/** What each trial note waits for before it is judged. */
let aoReceber = async (): Promise<void> => Promise.resolve();

test.before(async () => {
  api = await criarApi({ relogio, env: { MALHA_REDES_PERMITIDAS: '127.0.0.1/32' } });
  const agora = (): Date => relogio.agora();
  ensaios = await abrirAutoridade({
    cartorio,
    agora,
    humor: (...pedido) => nosEnsaios(...pedido),
    esquema: async () => aoReceber().then(() => null),
  });
  deVerdade = await abrirAutoridade({
    cartorio,
    agora,
    ambiente: '1',
    humor: (...pedido) => naProducao(...pedido),
    esquema: async () => Promise.resolve(null),
  });
});
test.after.always(async () => {
  await ensaios.fechar();
  await deVerdade.fechar();
  await api.fechar();
});
test.beforeEach(() => {
  relogio.definir(AGORA);
  [nosEnsaios, naProducao] = [BEM, BEM];
  aoReceber = async () => Promise.resolve();
});

const um = async (id: number) => api.dono('nfcom').where('id', id).first();
const enviar = async () => enviarTudo(api.container);
const daFila = (p: ProvedorFiscal) => api.dono('nfcom_filas').where('provedor_id', p.provedor);
const fila = async (p: ProvedorFiscal) => daFila(p).first();
const tentativas = async (p: ProvedorFiscal, quais: object) =>
  api.dono('nfcom_tentativas').where({ provedor_id: p.provedor, ...quais });

async function pedirNotas(p: ProvedorFiscal, quantas: number): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < quantas; n += 1) ids.push(await p.pedir((await p.fatura()).fatura));
  return ids;
}
async function pedirNota(p: ProvedorFiscal): Promise<number> {
  const [id = 0] = await pedirNotas(p, 1);
  return id;
}

const abrir = async (configuracao: object = {}): Promise<ProvedorFiscal> =>
  provedorFiscal(
    api,
    { autorizador: { ...ensaios.autorizador, producao: deVerdade.autorizador.producao } },
    { configuracao },
  );
const passarA = async (p: ProvedorFiscal, ambiente: 'producao' | 'homologacao') =>
  escrever(api.container, p.provedor, async (e) => e.configuracaoNfcom.configurar({ ambiente }));

const passar = async (quanto: number, passo: number) =>
  passarTempo({ container: api.container, relogio }, quanto, passo);

/** Trial notes that are signed and wait to be sent. */
async function assinarEnsaios(p: ProvedorFiscal, quantas: number): Promise<number[]> {
  const ids = await pedirNotas(p, quantas);
  nosEnsaios = (operacao) => (operacao === 'recepcao' ? { cStat: '678' } : {});
  await enviar();
  const presas = await api.dono('nfcom').whereIn('id', ids).where('etapa', 'enviar');
  if (presas.length < quantas) throw new Error('há ensaios que não esperam por ser enviados');
  nosEnsaios = BEM;
  await daFila(p).update({ ...NADA_PARADO, motivo: null });
  // Until the one that was refused is sent again.
  relogio.avancar(MINUTO);
  return ids;
}

const NADA_PARADO = {
  parada_ate: null,
  codigo: null,
  falhas: 0,
  rejeicao: null,
  rejeicoes: 0,
  sem_perguntar_ate: null,
};

test.serial('rejeições iguais de ensaios que sobraram não param as notas de verdade', async (t) => {
  const p = await abrir({ simultaneas: 16 });
  const sobraram = await assinarEnsaios(p, 20);
  await passarA(p, 'producao');
  nosEnsaios = (operacao) => (operacao === 'recepcao' ? { cStat: '427' } : {});
  const primeira = await pedirNota(p);
  await enviar();
  t.like(await um(primeira), { situacao: 'autorizada', ambiente: 'producao' });
  t.is((await tentativas(p, { codigo: '427' })).length, sobraram.length);
  t.like(await fila(p), { ...NADA_PARADO, outra_codigo: 'rejeicoes_iguais', outra_rejeicoes: 19 });
  // The trials' authority does not answer more of them alike either, also of those that are asked for in trials again.
  await passarA(p, 'homologacao');
  t.like(await fila(p), { codigo: 'rejeicoes_iguais', rejeicoes: 19, outra_codigo: null, outra_rejeicoes: 0 });
  const ensaio = await pedirNota(p);
  await enviar();
  t.is((await um(ensaio)).situacao, 'pendente');
});

test.serial(
  'uma nota de ensaio autorizada não apaga as rejeições iguais que se contaram de notas de verdade',
  async (t) => {
    const p = await abrir({ simultaneas: 1 });
    const [ensaio = 0] = await assinarEnsaios(p, 1);
    await passarA(p, 'producao');
    naProducao = (operacao) => (operacao === 'recepcao' ? { cStat: '427' } : {});
    await pedirNotas(p, 5);
    await enviar();
    t.like(await um(ensaio), { situacao: 'autorizada', ambiente: 'homologacao' });
    t.like(await fila(p), { rejeicao: '427', rejeicoes: 5 });
  },
);

const DITO_POR_OUTRA = {
  parada_ate: '2026-11-20 16:00:00.000',
  motivo: 'disse a outra',
  falhas: 3,
  rejeicao: '427',
  rejeicoes: 19,
  sem_perguntar_ate: '2026-11-20 16:00:00.000',
  status_codigo: '108',
};

for (const codigo of ['108', '678', '999', 'sem_resposta', '280', 'rejeicoes_iguais', 'numeros_de_outro']) {
  test.serial(`o que parou os ensaios (${codigo}) não para as notas de verdade, e ao voltar vale ainda`, async (t) => {
    const p = await abrir();
    await pedirNota(p);
    await enviar();
    await daFila(p).update({ ...DITO_POR_OUTRA, codigo });
    await passarA(p, 'homologacao');
    t.like(await fila(p), { ...DITO_POR_OUTRA, codigo });
    await passarA(p, 'producao');
    t.like(await fila(p), { ...NADA_PARADO, motivo: null, status_codigo: null });
    const id = await pedirNota(p);
    await enviar();
    t.like(await um(id), { situacao: 'autorizada', ambiente: 'producao' });
    await passarA(p, 'homologacao');
    t.like(await fila(p), { ...DITO_POR_OUTRA, codigo });
    const ensaio = await pedirNota(p);
    await enviar();
    t.is((await um(ensaio)).situacao, 'pendente');
  });
}

test.serial('quem passa a produção continua pausado', async (t) => {
  const p = await abrir();
  const pausada = { pausada_em: '2026-11-20 14:00:00.000', pausada_porque: 'alíquota errada' };
  await pedirNota(p);
  await enviar();
  await daFila(p).update({ ...DITO_POR_OUTRA, ...pausada, codigo: '678' });
  await passarA(p, 'producao');
  t.like(await fila(p), { ...NADA_PARADO, ...pausada });
});

test.serial('a autoridade dos ensaios fora do ar não para as notas de verdade', async (t) => {
  const p = await abrir({ simultaneas: 1 });
  const ensaio = await pedirNota(p);
  nosEnsaios = () => ({ perder: 'depois' });
  await enviar();
  t.is((await um(ensaio)).etapa, 'consultar');
  await passarA(p, 'producao');
  for (const como of [{ cStat: '108' }, { cStat: '678' }, { perder: 'antes' }] as const) {
    nosEnsaios = () => como;
    relogio.avancar(61 * MINUTO);
    await enviar();
    const nota = await pedirNota(p);
    await enviar();
    t.like(await um(nota), { situacao: 'autorizada', ambiente: 'producao' });
    t.is((await um(ensaio)).etapa, 'consultar');
    t.like(await fila(p), NADA_PARADO);
  }
  t.is((await tentativas(p, { nfcom_id: ensaio, operacao: 'consulta' })).length, 3);
  nosEnsaios = BEM;
  relogio.avancar(61 * MINUTO);
  await enviar();
  t.like(await um(ensaio), { situacao: 'autorizada', ambiente: 'homologacao' });
});

test.serial('as recusas do que sobrou de ensaios não seguram as perguntas das notas de verdade', async (t) => {
  const p = await abrir({ simultaneas: 4 });
  const sobraram = await pedirNotas(p, 3);
  nosEnsaios = () => ({ perder: 'depois' });
  await enviar();
  for (const id of sobraram) t.is((await um(id)).etapa, 'consultar');
  await passarA(p, 'producao');
  nosEnsaios = (operacao) => (operacao === 'consulta' ? { cStat: '252' } : {});
  await passar(4 * 60 * MINUTO, 10 * MINUTO);
  // Twenty alike hold the questions of their own authority: then one an hour.
  t.is((await tentativas(p, { codigo: '252' })).length, 22);
  t.is((await fila(p)).sem_perguntar_ate, null);
  t.truthy((await fila(p)).outra_sem_perguntar_ate);

  naProducao = (operacao) => (operacao === 'recepcao' ? { perder: 'depois' } : {});
  const perdida = await pedirNota(p);
  await enviar();
  t.like(await um(perdida), { etapa: 'consultar', ambiente: 'producao' });
  naProducao = BEM;
  await passar(15 * MINUTO, MINUTO);
  t.like(await um(perdida), { situacao: 'autorizada', ambiente: 'producao' });

  nosEnsaios = BEM;
  await daFila(p).update({ outra_sem_perguntar_ate: null });
  const vem = { situacao: 'processando', etapa: 'consultar', motivo_codigo: null, tentativas: 1 };
  const antes = { ...vem, proxima_em: '2026-11-20 15:00:00.000' };
  await api.dono('nfcom').whereIn('id', sobraram).update(antes);
  await api
    .dono('nfcom')
    .where('id', perdida)
    .update({ ...vem, proxima_em: '2026-11-20 16:00:00.000' });
  const { id: ultima } = await api.dono('nfcom_tentativas').orderBy('id', 'desc').first();
  relogio.avancar(60 * MINUTO);
  await enviar();
  const depois = (await tentativas(p, {})).filter(({ id }) => id > ultima);
  t.deepEqual(
    depois.map(({ nfcom_id: dela }) => Number(dela)).toSorted((a, b) => a - b),
    [...sobraram, perdida],
  );
  for (const id of [perdida, ...sobraram]) t.is((await um(id)).situacao, 'autorizada');

  // Where the authority of real notes refuses, questions are held, and the other's answer says nothing of that.
  naProducao = (operacao) => (operacao === 'consulta' ? { cStat: '252' } : {});
  await daFila(p).update({ sem_perguntar_ate: '2026-11-20 15:00:00.000' });
  await api
    .dono('nfcom')
    .whereIn('id', [perdida, ...sobraram])
    .update(antes);
  await enviar();
  t.is((await um(perdida)).etapa, 'consultar');
  t.true((await fila(p)).sem_perguntar_ate > relogio.agora().toISOString().replace('T', ' '));
  const { semPerguntarAte } = await p.ler(async ({ configuracaoNfcom }) => configuracaoNfcom.fila());
  t.truthy(semPerguntarAte);
});

test.serial('enquanto uma nota de ensaio espera pela sua autoridade, as de verdade são montadas e saem', async (t) => {
  const p = await abrir({ simultaneas: 1 });
  const [primeira = 0, segunda = 0] = await assinarEnsaios(p, 2);
  await passarA(p, 'producao');
  let soltar = (): void => {};
  const solta = new Promise<void>((pronto) => (soltar = pronto));
  let recebidas = 0;
  aoReceber = async () => {
    recebidas += 1;
    await solta;
  };
  await api.container.envioNfcom.entregar();
  await ate(() => recebidas === 1);
  const ids = await pedirNotas(p, 3);
  await ate(async () => (await um(ids[2] ?? 0)).situacao === 'autorizada');
  t.is(recebidas, 1);
  soltar();
  await api.container.envioNfcom.terminar();
  await enviar();
  for (const id of [primeira, segunda]) t.like(await um(id), { situacao: 'autorizada', ambiente: 'homologacao' });
});

test.serial(
  'de volta aos ensaios, pergunta-se à autoridade de verdade pelo que ela tem, e o que ela diz não para os ensaios',
  async (t) => {
    const p = await abrir({ ambiente: 'producao', simultaneas: 2 });
    naProducao = () => ({ perder: 'depois' });
    const perdidas = await pedirNotas(p, 2);
    await enviar();
    for (const id of perdidas) t.like(await um(id), { etapa: 'consultar', ambiente: 'producao' });
    t.like(await fila(p), { codigo: 'sem_resposta', falhas: 1 });

    await passarA(p, 'homologacao');
    naProducao = () => ({ cStat: '678' });
    await passar(59 * MINUTO, MINUTO);
    const feitas = async () => tentativas(p, { ambiente: 'producao', operacao: 'consulta' });
    t.is((await feitas()).length, 1);
    t.like(await fila(p), NADA_PARADO);
    const ensaio = await pedirNota(p);
    await enviar();
    t.like(await um(ensaio), { situacao: 'autorizada', ambiente: 'homologacao' });

    naProducao = BEM;
    nosEnsaios = () => ({ cStat: '678' });
    relogio.avancar(10 * MINUTO);
    await enviar();
    for (const id of perdidas) t.like(await um(id), { situacao: 'autorizada', ambiente: 'producao' });
    // The stop is of those who are asked now.
    const outra = await pedirNota(p);
    await enviar();
    t.like(await um(outra), { etapa: 'enviar', ambiente: 'homologacao' });
    t.like(await fila(p), { codigo: '678' });
  },
);

test.serial('do que sobrou, uma de que a autoridade nunca diz nada não deixa as outras à espera', async (t) => {
  const p = await abrir({ simultaneas: 4 });
  const ids = await pedirNotas(p, 3);
  nosEnsaios = () => ({ perder: 'depois' });
  await enviar();
  await passarA(p, 'producao');
  const { chave: calada } = await um(ids[0] ?? 0);
  nosEnsaios = (_operacao, chave) => (chave === calada ? { cStat: '999' } : {});
  await passar(3 * 60 * MINUTO, 10 * MINUTO);
  t.is((await um(ids[0] ?? 0)).etapa, 'consultar');
  for (const id of ids.slice(1)) t.is((await um(id)).situacao, 'autorizada');
});

test.serial('ir e voltar logo não atrasa as notas que são de agora, nem acaba com um 678', async (t) => {
  const p = await abrir({ ambiente: 'producao', simultaneas: 4 });
  naProducao = () => ({ perder: 'depois' });
  const ids = await pedirNotas(p, 4);
  await enviar();
  await passarA(p, 'homologacao');
  await passar(MINUTO, MINUTO);
  await passarA(p, 'producao');
  naProducao = BEM;
  await passar(11 * MINUTO, MINUTO);
  for (const id of ids) t.is((await um(id)).situacao, 'autorizada');

  naProducao = () => ({ cStat: '678' });
  const recusada = await pedirNota(p);
  await enviar();
  await passarA(p, 'homologacao');
  await passarA(p, 'producao');
  naProducao = BEM;
  await passar(58 * MINUTO, MINUTO);
  t.like(await um(recusada), { etapa: 'enviar', tentativas: 1 });
  await passar(5 * MINUTO, MINUTO);
  t.is((await um(recusada)).situacao, 'autorizada');
});

test.serial(
  'a fatura cujo ensaio espera por uma autoridade calada tem já a sua nota de verdade, e uma só',
  async (t) => {
    const p = await abrir();
    const { fatura } = await p.fatura();
    const ensaio = await p.pedir(fatura);
    nosEnsaios = () => ({ perder: 'depois' });
    await enviar();
    t.like(await um(ensaio), { situacao: 'processando', etapa: 'consultar' });
    await t.throwsAsync(p.pedir(fatura), { message: /já tem nota/ });
    await passarA(p, 'producao');
    const nota = await p.pedir(fatura);
    await enviar();
    t.like(await um(nota), { situacao: 'autorizada', ambiente: 'producao' });
    await t.throwsAsync(p.pedir(fatura), { message: /já tem nota/ });
    nosEnsaios = BEM;
    await passar(30 * MINUTO, 10 * MINUTO);
    t.like(await um(ensaio), { situacao: 'autorizada', ambiente: 'homologacao' });
    await passarA(p, 'homologacao');
    await t.throwsAsync(p.pedir(fatura), { message: /já tem nota/ });
  },
);

test.serial('o que ficou de ensaios não conta uma fila por parada senão pela sua autoridade', async (t) => {
  const ver = async () => situacaoDasFilas(api.dono, relogio.agora());
  const { paradas } = await ver();
  const p = await abrir();
  const id = await pedirNota(p);
  nosEnsaios = () => ({ perder: 'depois' });
  await enviar();
  t.is((await um(id)).etapa, 'consultar');
  await daFila(p).update(NADA_PARADO);
  await passarA(p, 'producao');
  const parada = { parada_ate: '2026-11-20 16:00:00.000', codigo: '678' };
  await daFila(p).update({ ...NADA_PARADO, ...parada });
  t.is((await ver()).paradas, paradas);
  await daFila(p).update({ ...NADA_PARADO, outra_parada_ate: parada.parada_ate, outra_codigo: '678' });
  t.is((await ver()).paradas, paradas + 1);
  await daFila(p).update({ outra_parada_ate: null, outra_codigo: null, outra_sem_perguntar_ate: parada.parada_ate });
  t.is((await ver()).paradas, paradas + 1);
});
