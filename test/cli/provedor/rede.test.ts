import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { INGLES, criarTerminal, recusado } from '../../support/terminal.ts';
import type { Terminal } from '../../support/terminal.ts';

let api: Api;
let fabrica: Fabrica;
let terminal: Terminal;
let arquivo: string;
test.before(async () => {
  api = await criarApi();
  fabrica = criarFabrica(api.dono);
  terminal = criarTerminal(api);
  arquivo = join(terminal.pasta, 'segredo');
  writeFileSync(arquivo, 'so-o-nas-sabe\n');
});
test.after.always(async () => {
  await api.fechar();
  terminal.fechar();
});

const rede = (...args: (string | number)[]) => terminal.malha(['provedor', 'rede', ...args.map(String)]);
const mostrar = async (id: number) => terminal.json<object>(['provedor', 'rede', 'mostrar', String(id)]);

const PADRAO = [
  'Mikrotik-Rate-Limit := {upload_mbps}M/{download_mbps}M',
  'WISPr-Bandwidth-Max-Down := {download_bps}',
  'WISPr-Bandwidth-Max-Up := {upload_bps}',
  'Acct-Interim-Interval := 300',
];

test('um provedor novo manda velocidades e endereços; o que se muda se vê, e fica na auditoria só pelo nome', async (t) => {
  const id = await fabrica.provedor();
  const plano = await fabrica.plano(id, { download_mbps: 300, upload_mbps: 150 });
  const quedas = { queda_minimo: 20, queda_percentual: 30 };
  const comuns = { provedor_id: id, bloqueio: 'grupo', enderecos: true, prender_mac: false, ...quedas };
  t.deepEqual(await mostrar(id), { ...comuns, atributos: PADRAO });

  const mudado = await rede(
    'configurar',
    id,
    '--bloqueio',
    'lista:inadimplentes',
    '--atributo',
    'Filter-Id := {download_mbps}',
  );
  t.is(mudado.stderr, '');
  t.is(mudado.stdout, `Rede do provedor ${id} configurada: bloqueio, bloqueio_nome, atributos.\n`);
  const grupo = await api
    .dono('radgroupreply')
    .whereIn('groupname', [`plano-${plano}`, `bloqueado-p${id}`])
    .orderBy('id');
  t.like(grupo, [
    { groupname: `plano-${plano}`, attribute: 'Filter-Id', value: '300' },
    { groupname: `bloqueado-p${id}`, attribute: 'Mikrotik-Address-List', value: 'inadimplentes' },
  ]);
  const outro = await rede('configurar', id, '--enderecos', 'nao', '--prender-mac', 'sim', '--sem-atributos');
  t.is(outro.stdout, `Rede do provedor ${id} configurada: atributos, enderecos, prender_mac.\n`);
  t.deepEqual(await mostrar(id), {
    ...comuns,
    bloqueio: 'lista:inadimplentes',
    enderecos: false,
    prender_mac: true,
    atributos: [],
  });
  t.is((await rede('configurar', id, '--prender-mac', 'sim')).stdout, `Provedor ${id}: nada mudou.\n`);
  await rede('configurar', id, '--atributos-padrao', '--bloqueio', 'grupo');
  t.like(await mostrar(id), { bloqueio: 'grupo', atributos: PADRAO });
  t.regex((await rede('mostrar', id)).stdout, /^bloqueio {2}grupo$/m);

  const linhas = await api.dono('auditoria').where({ provedor_id: id, acao: 'provedor.rede_configurada' });
  t.is(linhas.length, 3);
  t.false(JSON.stringify(linhas).includes('inadimplentes'));
});

test('ligar MACs e endereços de quem já tem base diz antes a quantos toca, e só com --sim o faz', async (t) => {
  const [id, nas] = [await fabrica.provedor(), '10.7.9.1'];
  await fabrica.nas(id, nas);
  const desligado = await rede('configurar', id, '--enderecos', 'nao');
  t.is(desligado.stderr, '');
  const comum = { cliente_id: await fabrica.cliente(id), plano_id: await fabrica.plano(id), tipo_conexao: 'pppoe' };
  const recente = new Date(Date.now() - 60_000).toISOString().slice(0, 19).replace('T', ' ');
  for (const [n, mac] of ['AA-BB-CC-00-00-00', 'aa:bb:cc:ff:ff:ff', 'aabb.cc00.0002'].entries()) {
    const login = `mac${n}-${id}`;
    await fabrica.contrato(id, { ...comum, login, mac: `AA:BB:CC:00:00:0${n}`, ip: `100.70.0.${n + 1}` });
    await fabrica.sessao({
      username: login,
      nasipaddress: nas,
      callingstationid: mac,
      framedipaddress: '100.70.0.1',
      acctstarttime: recente,
    });
  }
  const dita = await rede('configurar', id, '--prender-mac', 'sim', '--enderecos', 'sim');
  t.is(dita.codigo, 0);
  t.regex(dita.stdout, /Logins que passariam a ter linhas: 3, com 3 sessões abertas\./);
  t.regex(dita.stdout, /outro endereço, que cairiam: 2\./);
  t.regex(dita.stdout, /outro MAC, que cairiam e não voltariam: 1\./);
  t.like(await mostrar(id), { enderecos: false, prender_mac: false });
  t.deepEqual(await api.dono('rede_pedidos').where('provedor_id', id), []);
  t.like(await terminal.json(['provedor', 'rede', 'configurar', String(id), '--prender-mac', 'sim']), {
    mudados: [],
    efeito: { linhas: 3, sessoes: 3, enderecos_diferentes: 0, macs_diferentes: 1 },
  });
  t.regex((await rede('configurar', id, '--prender-mac', 'sim', '--sim')).stdout, /configurada: prender_mac\./);
  t.like(await mostrar(id), { prender_mac: true });
});

test('aplicar pede à rede todos os logins que têm lugar nela', async (t) => {
  const id = await fabrica.provedor();
  const comum = { cliente_id: await fabrica.cliente(id), plano_id: await fabrica.plano(id) };
  for (const situacao of ['ativo', 'bloqueado', 'cancelado']) await fabrica.contrato(id, { ...comum, situacao });
  await fabrica.contrato(id, { ...comum, situacao: 'cancelado_definitivo', login: null });
  t.is((await rede('aplicar', id)).stdout, `3 logins do provedor ${id} pedidos à rede.\n`);
  t.is((await api.dono('rede_pedidos').where({ provedor_id: id, sessoes: 'se_mudar' })).length, 3);
});

test('um NAS guarda o seu CoA e o seu modo de bloquear, e o que não se diz de novo fica', async (t) => {
  const id = await fabrica.provedor();
  const nas = (...args: string[]) =>
    terminal.malha(['provedor', 'nas', 'adicionar', String(id), '10.7.0.1', '--segredo', arquivo, ...args]);
  const visto = async () => terminal.json<object[]>(['provedor', 'nas', 'listar', String(id)]);
  t.is((await nas('--coa', 'tudo', '--bloqueio', 'pool:bloqueados')).stderr, '');
  t.like(await visto(), [{ coa: 'tudo', bloqueio: 'pool:bloqueados' }]);
  t.is((await nas('--porta-coa', '1700')).stderr, '');
  t.like(await visto(), [{ coa: 'tudo', bloqueio: 'pool:bloqueados', porta_coa: 1700 }]);
  t.is((await nas('--coa', 'velocidade', '--bloqueio', 'provedor')).stderr, '');
  t.like(await visto(), [{ coa: 'velocidade', bloqueio: null }]);
});

for (const [args, dito] of [
  [['--bloqueio', 'pool'], /pool pede o seu nome no NAS/],
  [['--bloqueio', 'jardim'], /deve ser grupo, recusa/],
  [['--prender-mac', 'talvez'], /deve ser sim ou nao/],
] as const) {
  test(`configurar ${args.join(' ')} é recusado em português`, async (t) => {
    const id = await fabrica.provedor();
    const { codigo, stdout, stderr } = await rede('configurar', id, ...args);
    t.is(codigo, 1);
    t.is(stdout, '');
    t.regex(stderr, dito);
    t.notRegex(stderr, INGLES);
  });
}

test('uma linha que não é resposta é recusada pelo nome do campo', async (t) => {
  const id = await fabrica.provedor();
  recusado(t, await rede('configurar', id, '--atributo', 'Auth-Type := Accept'), /atributos: Auth-Type/);
  recusado(t, await rede('configurar', id), /ao menos um de/);
  recusado(t, await rede('mostrar', 99_999), /provedor 99999 não existe/);
});
