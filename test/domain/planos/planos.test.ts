import test from 'ava';
import { createAcompanhamentoService } from '../../../src/domain/planos/acompanhamento.service.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { EM, SITUACOES, criarCasa } from '../contratos/apoio.ts';
import type { Casa } from '../contratos/apoio.ts';

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());

const PLANO = { nome: 'Fibra 300', download_mbps: 300, upload_mbps: 150, valor: '89.90' };
const servico = () => {
  const { db, write } = api.container;
  return createAcompanhamentoService({ db, write, relogio });
};
/** The job. */
async function acompanhar(casa: Casa, limite?: number): Promise<void> {
  while ((await servico().acompanhar(AUTOR, casa.provedor, limite)).mais);
}
const alterar = async (casa: Casa, dados: object, plano = casa.plano) =>
  casa.mudar(async ({ planos }) => planos.alterar(plano, dados));

test('um plano se cria, sai da venda e volta, com auditoria de cada', async (t) => {
  const casa = await criarCasa(api);
  const { id } = await casa.mudar(async ({ planos }) => planos.criar({ ...PLANO, codigo_externo: 'sgp:9' }));
  t.like((await casa.linhas('planos', { id }))[0]!, { ...PLANO, ativo: 1, codigo_externo: 'sgp:9' });
  await casa.mudar(async ({ planos }) => planos.retirar(id));
  // Again nothing happens.
  await casa.mudar(async ({ planos }) => planos.retirar(id));
  t.is((await casa.linhas('planos', { id }))[0]!['ativo'], 0);
  await casa.mudar(async ({ planos }) => planos.repor(id));
  t.deepEqual(await casa.auditoria(), ['plano.criado', 'plano.retirado', 'plano.reposto']);
  await t.throwsAsync(
    casa.mudar(async ({ planos }) => planos.criar({ ...PLANO, codigo_externo: 'sgp:9' })),
    { message: /^codigo_externo: outro registro/ },
  );
});

test('o que falta ou não serve num plano se diz, campo por campo', async (t) => {
  const casa = await criarCasa(api);
  const criar = async (dados: unknown) => casa.mudar(async ({ planos }) => planos.criar(dados));
  await t.throwsAsync(
    criar({ nome: 'x', download_mbps: 0, upload_mbps: 1_000_001, valor: '9,90', grupo_radius: 'ação' }),
    {
      message: /nome: .+; download_mbps: deve ser de 1 a 1000000; upload_mbps: .+; valor: .+; grupo_radius: /,
    },
  );
  for (const grupo_radius of ['bloqueado', 'Bloqueado-10.0.0.1', 'retirado']) {
    await t.throwsAsync(criar({ ...PLANO, grupo_radius }), { message: /^grupo_radius: é o grupo de quem/ });
  }
  await t.throwsAsync(alterar(casa, { nome: 'Outro' }, 999_999), { message: /não existe/ });
});

test('um valor novo pede que se diga dos contratos; quem mantém nada muda', async (t) => {
  const casa = await criarCasa(api);
  const id = await casa.contrato();
  await t.throwsAsync(alterar(casa, { valor: '109.90' }), { message: /^contratos: diga se/ });
  await alterar(casa, { valor: '109.90', contratos: 'manter' });
  await acompanhar(casa);
  t.is((await casa.ler(id))['valor'], '99.90');
  t.deepEqual(await casa.historico(id), []);
  t.deepEqual(await casa.linhas('planos_alteracoes'), []);
});

test('acompanham o valor os contratos que tinham o de antes, em lotes, com história de quem mudou o plano', async (t) => {
  const casa = await criarCasa(api);
  const iguais: number[] = [];
  for (const situacao of SITUACOES) {
    const id = await casa.contrato(EM[situacao]);
    if (situacao !== 'cancelado_definitivo') iguais.push(id);
  }
  const [outro, deOutroPlano] = [
    await casa.contrato({ valor: '79.90' }),
    await casa.contrato({ plano_id: await casa.fabrica.plano(casa.provedor) }),
  ];
  await alterar(casa, { valor: '109.90', contratos: 'acompanhar' });
  // Made after it, at the price of before, on purpose.
  const depois = await casa.contrato({ valor: '99.90' });
  await acompanhar(casa, 2);
  for (const id of iguais) {
    t.is((await casa.ler(id))['valor'], '109.90');
    t.like(await casa.historico(id), [{ acao: 'alteracao', autor: 'linha de comando' }]);
  }
  t.is((await casa.ler(outro))['valor'], '79.90');
  t.is((await casa.ler(deOutroPlano))['valor'], '99.90');
  t.is((await casa.ler(depois))['valor'], '99.90');
  t.deepEqual(await casa.linhas('rede_pedidos'), []);
  t.deepEqual(await casa.linhas('planos_alteracoes'), []);
});

test('velocidade e grupo novos pedem à rede que altere as sessões dos ativos, e não encerre nenhuma', async (t) => {
  const casa = await criarCasa(api);
  const ids = new Map<string, number>();
  for (const situacao of SITUACOES) ids.set(situacao, await casa.contrato(EM[situacao]));
  await alterar(casa, { download_mbps: 700 });
  await acompanhar(casa);
  const pedidos = await casa.linhas('rede_pedidos');
  t.like(pedidos, [{ contrato_id: ids.get('ativo'), sessoes: 'alterar' }]);
  t.is(pedidos.length, 1);

  const { login } = await casa.ler(ids.get('ativo')!);
  await api.dono('radusergroup').insert({ username: login, groupname: `plano-${casa.plano}`, priority: 1 });
  await alterar(casa, { grupo_radius: 'fibra-700' });
  await acompanhar(casa);
  const grupos = await api.dono('radusergroup').where({ username: login });
  t.deepEqual(
    grupos.map(({ groupname }: { groupname: string }) => groupname),
    ['fibra-700'],
  );
  t.is((await casa.linhas('rede_pedidos')).length, 2);
  // What is in an operator's group is not Malha's to say.
  await alterar(casa, { download_mbps: 800 });
  await acompanhar(casa);
  t.is((await casa.linhas('rede_pedidos')).length, 2);
});

test('quem deixa o plano, ou passa a outro titular, antes de ouvir do grupo novo não fica no velho', async (t) => {
  const casa = await criarCasa(api);
  const [fica, sai, passa] = [await casa.contrato(), await casa.contrato(), await casa.contrato()];
  const gruposDe = async (id: number): Promise<string[]> => {
    const { login } = await casa.ler(id);
    const linhas: { groupname: string }[] = await api.dono('radusergroup').where({ username: login });
    return linhas.map(({ groupname }) => groupname);
  };
  for (const id of [fica, sai, passa]) {
    const { login } = await casa.ler(id);
    await api.dono('radusergroup').insert({ username: login, groupname: `plano-${casa.plano}`, priority: 1 });
  }
  await alterar(casa, { grupo_radius: 'fibra-700' });
  const plano_id = await casa.fabrica.plano(casa.provedor);
  await casa.mudar(async ({ contratos }) => contratos.trocarPlano(sai, { plano_id }));
  t.deepEqual([await gruposDe(fica), await gruposDe(sai)], [[`plano-${casa.plano}`], ['fibra-700']]);
  const cliente_id = await casa.fabrica.cliente(casa.provedor);
  const { id: novo } = await casa.mudar(async ({ contratos }) =>
    contratos.trocarTitular(passa, { cliente_id, faturas_futuras: 'cancelar' }),
  );
  await acompanhar(casa);
  t.deepEqual([await gruposDe(fica), await gruposDe(novo)], [['fibra-700'], ['fibra-700']]);
});

test('o grupo novo de um plano não leva um login que outro provedor também tem', async (t) => {
  const [casa, outra] = [await criarCasa(api), await criarCasa(api)];
  await alterar(casa, { grupo_radius: '100M' });
  await acompanhar(casa);
  const [so, fica, sai, passa, deQuemSaiu] = await Promise.all(
    ['so', 'fica', 'sai', 'passa', 'saiu'].map(async (nome) => {
      const login = `${nome}-${casa.provedor}`;
      const id = await casa.contrato({ ...EM.ativo, login });
      if (nome !== 'so') await outra.contrato({ ...EM[nome === 'saiu' ? 'cancelado' : 'ativo'], login });
      await api.dono('radusergroup').insert({ username: login, groupname: '100M', priority: 1 });
      return { id, login };
    }),
  );
  await alterar(casa, { grupo_radius: '200M' });
  const plano_id = await casa.fabrica.plano(casa.provedor);
  const cliente_id = await casa.fabrica.cliente(casa.provedor);
  await casa.mudar(async ({ contratos }) => {
    await contratos.trocarPlano(sai!.id, { plano_id });
    await contratos.trocarTitular(passa!.id, { cliente_id, faturas_futuras: 'cancelar' });
  });
  await acompanhar(casa);
  const grupos = async (um: { login: string } | undefined): Promise<string[]> =>
    (await api.dono('radusergroup').where('username', um!.login)).map(({ groupname }) => groupname);
  for (const um of [fica, sai, passa]) t.deepEqual(await grupos(um), ['100M'], um!.login);
  for (const um of [so, deQuemSaiu]) t.deepEqual(await grupos(um), ['200M'], um!.login);
});

test('mudanças seguidas chegam na ordem em que se fizeram', async (t) => {
  const casa = await criarCasa(api);
  const id = await casa.contrato();
  await alterar(casa, { valor: '109.90', contratos: 'acompanhar' });
  await alterar(casa, { valor: '119.90', contratos: 'acompanhar' });
  await alterar(casa, { valor: '129.90', contratos: 'manter' });
  t.true((await servico().provedores()).includes(casa.provedor));
  await acompanhar(casa);
  t.is((await casa.ler(id))['valor'], '119.90');
  t.false((await servico().provedores()).includes(casa.provedor));
});

test('vários a levar o mesmo aos contratos o levam uma vez', async (t) => {
  const casa = await criarCasa(api);
  const ids: number[] = [];
  for (let n = 0; n < 12; n += 1) ids.push(await casa.contrato());
  await alterar(casa, { valor: '109.90', download_mbps: 900, contratos: 'acompanhar' });
  await Promise.all([acompanhar(casa, 5), acompanhar(casa, 3), acompanhar(casa, 4)]);
  for (const id of ids) {
    t.is((await casa.historico(id)).length, 1);
    t.is((await casa.pedidos(id)).length, 1);
  }
});

test('quem leu outra versão do plano não o muda', async (t) => {
  const casa = await criarCasa(api);
  await alterar(casa, { nome: 'Primeira' });
  const mudar = async (atualizado_em: string) => alterar(casa, { nome: 'Segunda', atualizado_em });
  await t.throwsAsync(mudar('2020-01-01T00:00:00Z'), { message: /alguém o alterou/ });
  const [{ atualizado_em }] = (await casa.linhas('planos', { id: casa.plano })) as [Record<string, string>];
  await mudar(`${atualizado_em!.replace(' ', 'T')}Z`);
  t.is((await casa.linhas('planos', { id: casa.plano }))[0]!['nome'], 'Segunda');
});
