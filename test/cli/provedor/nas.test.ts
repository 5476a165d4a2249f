import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { jsonColumn } from '../../../src/platform/mysql/database.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { criarTerminal, recusado } from '../../support/terminal.ts';
import type { Terminal } from '../../support/terminal.ts';

const SEGREDO = 'Xq7-nao-deve-aparecer';

let api: Api;
let fabrica: Fabrica;
let terminal: Terminal;
let arquivo: string;
test.before(async () => {
  api = await criarApi();
  fabrica = criarFabrica(api.dono);
  terminal = criarTerminal(api);
  arquivo = join(terminal.pasta, 'segredo');
  writeFileSync(arquivo, `${SEGREDO}\n`);
});
test.after.always(async () => {
  await api.fechar();
  terminal.fechar();
});

const nas = (...args: (string | number)[]) => terminal.malha(['provedor', 'nas', ...args.map(String)]);

test('um NAS acrescentado é do provedor e do FreeRADIUS, fica na auditoria, e o segredo não aparece mais', async (t) => {
  const id = await fabrica.provedor();
  const { codigo, stdout, stderr } = await nas('adicionar', id, '10.1.0.1', '--segredo', arquivo, '--nome', 'bng-1');
  t.is(codigo, 0, stderr);
  t.is(stdout, `NAS 10.1.0.1 acrescentado ao provedor ${id}. Reinicie o FreeRADIUS para que ele saiba.\n`);
  t.like(await api.dono('provedores_nas').where('provedor_id', id), [{ nasipaddress: '10.1.0.1', porta_coa: 3799 }]);
  t.like(await api.dono('nas').where('nasname', '10.1.0.1'), [{ secret: SEGREDO, shortname: 'bng-1' }]);

  const outra = await nas('adicionar', id, '10.1.0.1', '--segredo', arquivo, '--porta-coa', 1700);
  t.regex(outra.stdout, /alterado/);
  const lista = await nas('listar', id);
  t.is(lista.stdout, '10.1.0.1  1700  bng-1  com segredo  CoA: nao  bloqueio: do provedor\n');
  t.deepEqual(await terminal.json(['provedor', 'nas', 'listar', String(id)]), [
    {
      endereco: '10.1.0.1',
      porta_coa: 1700,
      coa: 'nao',
      bloqueio: null,
      nome: 'bng-1',
      porta_ate: null,
      tem_segredo: true,
    },
  ]);
  const removido = await nas('remover', id, '10.1.0.1');
  t.is(removido.codigo, 0);
  t.is((await nas('listar', id)).stdout, '');
  t.deepEqual(await api.dono('nas').where('nasname', '10.1.0.1'), []);

  const auditoria = await api.dono('auditoria').where({ provedor_id: id, recurso: 'nas' }).orderBy('id');
  t.deepEqual(
    auditoria.map(({ acao, autor }) => [acao, autor]),
    ['nas.adicionado', 'nas.alterado', 'nas.removido'].map((acao) => [acao, 'linha de comando']),
  );
  t.false(JSON.stringify([auditoria, await api.dono('eventos'), outra, lista, removido]).includes(SEGREDO));
});

test('a porta que não se diz de novo fica, e o evento e a resposta a dizem', async (t) => {
  const id = await fabrica.provedor();
  const adicionar = async (...args: string[]) =>
    terminal.json<object>(['provedor', 'nas', 'adicionar', String(id), '10.1.0.6', '--segredo', arquivo, ...args]);
  t.like(await adicionar('--porta-coa', '1700'), { porta_coa: 1700, novo: true });
  t.like(await adicionar('--coa', 'tudo', '--bloqueio', 'lista:inadimplentes'), { porta_coa: 1700, novo: false });
  // The secret alone.
  t.like(await adicionar(), { porta_coa: 1700, novo: false });
  t.like(await terminal.json(['provedor', 'nas', 'listar', String(id)]), [
    { porta_coa: 1700, coa: 'tudo', bloqueio: 'lista:inadimplentes' },
  ]);
  const ditos = await api.dono('auditoria').where({ provedor_id: id, recurso: 'nas' }).orderBy('id');
  t.deepEqual(
    ditos.map(({ dados }) => jsonColumn<{ porta_coa: number }>(dados).porta_coa),
    [1700, 1700, 1700],
  );
});

test('sem arquivo, o segredo vem pela entrada padrão', async (t) => {
  const id = await fabrica.provedor();
  const args = ['provedor', 'nas', 'adicionar', String(id), '10.1.0.5'];
  const { codigo, stderr } = await terminal.processo(args, {}, `${SEGREDO}\n`);
  t.is(codigo, 0, stderr);
  t.like(await api.dono('nas').where('nasname', '10.1.0.5'), [{ secret: SEGREDO }]);
});

test('as sessões que o NAS já tinha aparecem quando o comando responde, e somem com ele', async (t) => {
  const id = await fabrica.provedor();
  const { texto: chave } = await api.criarChave(id);
  const plano_id = await fabrica.plano(id);
  const cliente_id = await fabrica.cliente(id);
  const contrato = await fabrica.contrato(id, { cliente_id, plano_id, login: 'veio-antes' });
  const agora = new Date().toISOString().slice(0, 19).replace('T', ' ');
  await fabrica.sessao({ username: 'veio-antes', nasipaddress: '10.1.0.2', acctstarttime: agora });
  const conexao = async () => (await api.get(`/contratos/${contrato}/conexao`, { chave })).corpo.dados.conexao;
  t.is(await conexao(), 'desconhecido');
  t.is((await nas('adicionar', id, '10.1.0.2', '--segredo', arquivo)).codigo, 0);
  await api.container.publicacao.publicar();
  t.is(await conexao(), 'online');
  t.is((await nas('remover', id, '10.1.0.2')).codigo, 0);
  await api.container.publicacao.publicar();
  t.is(await conexao(), 'offline');
});

test('um NAS que sai leva as suas sessões encerradas da resposta guardada, embora a conexão não mude', async (t) => {
  const id = await fabrica.provedor();
  const { texto: chave } = await api.criarChave(id);
  const cliente_id = await fabrica.cliente(id);
  const contrato = await fabrica.contrato(id, { cliente_id, plano_id: await fabrica.plano(id), login: 'ja-saiu' });
  t.is((await nas('adicionar', id, '10.1.0.7', '--segredo', arquivo)).codigo, 0);
  const ha = (minutos: number) => new Date(Date.now() - minutos * 60_000).toISOString().slice(0, 19).replace('T', ' ');
  await fabrica.sessao({
    username: 'ja-saiu',
    nasipaddress: '10.1.0.7',
    acctstarttime: ha(60),
    acctstoptime: ha(30),
    acctterminatecause: 'User-Request',
  });
  const sessoes = async () => (await api.get(`/contratos/${contrato}/conexao`, { chave })).corpo.dados.sessoes.length;
  t.is(await sessoes(), 1);
  t.is((await nas('remover', id, '10.1.0.7')).codigo, 0);
  t.is(await sessoes(), 0);
});

test('quem está bloqueado em cada NAS do provedor fica bloqueado também no novo, e o que sai leva o seu grupo', async (t) => {
  const id = await fabrica.provedor();
  for (const onde of ['10.1.0.3', '10.1.0.4']) {
    t.is((await nas('adicionar', id, onde, '--segredo', arquivo)).codigo, 0);
    if (onde === '10.1.0.3') {
      await api
        .dono('radgroupcheck')
        .insert({ groupname: 'bloqueado', attribute: 'Auth-Type', op: ':=', value: 'Reject' });
      await api.dono('radusergroup').insert({ username: 'zeca', groupname: 'bloqueado-10.1.0.3', priority: 0 });
    }
  }
  const membros = async () =>
    (await api.dono('radusergroup').where('username', 'zeca')).map(({ groupname }) => groupname);
  t.deepEqual(await membros(), ['bloqueado-10.1.0.3', 'bloqueado-10.1.0.4']);
  t.like(await api.dono('radgroupcheck').where('groupname', 'bloqueado-10.1.0.4').orderBy('id'), [
    { attribute: 'NAS-IP-Address', value: '10.1.0.4' },
    { attribute: 'Auth-Type', value: 'Reject' },
  ]);
  await nas('remover', id, '10.1.0.3');
  t.deepEqual(await membros(), ['bloqueado-10.1.0.4']);
});

test('o NAS de um provedor não se acrescenta nem se remove por outro', async (t) => {
  const [um, outro] = [await fabrica.provedor(), await fabrica.provedor()];
  t.is((await nas('adicionar', um, '10.1.0.9', '--segredo', arquivo)).codigo, 0);
  t.is(
    (await nas('adicionar', outro, '10.1.0.9', '--segredo', arquivo)).stderr,
    `erro: o NAS 10.1.0.9 é do provedor ${um}\n`,
  );
  t.is((await nas('remover', outro, '10.1.0.9')).stderr, `erro: o provedor ${outro} não tem o NAS 10.1.0.9\n`);
});

const ERRADOS: readonly (readonly [args: string[], dito: RegExp])[] = [
  [['PROVEDOR'], /falta o argumento 'endereço'/],
  [['PROVEDOR', '10.1.0'], /endereço: 10\.1\.0 não é IPv4/],
  [['PROVEDOR', '2001:db8::1'], /não é IPv4/],
  [['PROVEDOR', '10.1.0.8', '--porta-coa', '70000'], /porta-coa: de 1 a 65535/],
  [['PROVEDOR', '10.1.0.8', '--nome', 'x'.repeat(33)], /nome: de 1 a 32 caracteres/],
  [['PROVEDOR', '10.1.0.8', '--nome', '\u200b\u3164'], /nome: de 1 a 32 caracteres/],
  [['PROVEDOR', '10.1.0.8', '--segredo', '/nao/existe'], /segredo: não foi possível ler \/nao\/existe/],
  [['PROVEDOR', '10.1.0.8', '--segredo', '/dev/null'], /segredo: de 1 a 60 letras/],
  [['999999', '10.1.0.8'], /provedor 999999 não existe/],
];
for (const [args, dito] of ERRADOS) {
  test(`é recusado em uma linha, e nada é gravado: malha provedor nas adicionar ${args.join(' ')}`, async (t) => {
    const id = await fabrica.provedor();
    const todos = args.map((arg) => (arg === 'PROVEDOR' ? String(id) : arg));
    recusado(t, await nas('adicionar', '--segredo', arquivo, ...todos), dito);
    t.deepEqual(await api.container.nas.listar(id), []);
  });
}

test('POPs se criam, mudam e listam no terminal, e dizem que NAS fica onde', async (t) => {
  const id = await fabrica.provedor();
  await fabrica.nas(id, '10.1.9.1');
  const pop = async (...args: (string | number)[]) =>
    terminal.json<any>(['pop', ...args.map(String), '--provedor', String(id)]);
  const criado = await pop(
    'criar',
    '--nome',
    'Centro',
    '--cidade',
    'Alfenas',
    '--uf',
    'mg',
    '--latitude',
    '-21.42',
    '--longitude',
    '-45.94',
  );
  t.deepEqual(await pop('alterar', criado.id, '--endereco', 'Rua 1, 10'), {
    id: criado.id,
    provedor_id: id,
    mudados: ['endereco'],
  });
  t.like(await pop('nas', '10.1.9.1', '--pop', criado.id), { pop_id: criado.id, mudou: true });
  t.like(await pop('listar'), [
    { nome: 'Centro', uf: 'MG', endereco: 'Rua 1, 10', latitude: -21.42, nas: ['10.1.9.1'] },
  ]);
  recusado(t, await terminal.malha(['pop', 'remover', String(criado.id), '--provedor', String(id)]), /há servidor/);
  t.like(await pop('nas', '10.1.9.1'), { pop_id: null, mudou: true });
  t.like(await pop('remover', criado.id), { removido: true });
  t.deepEqual(await pop('listar'), []);
  const outro = await fabrica.provedor();
  recusado(t, await terminal.malha(['pop', 'nas', '10.1.9.1', '--provedor', String(outro)]), /não existe/);
});

test('avisos se abrem, listam e encerram no terminal; um detectado se confirma', async (t) => {
  const id = await fabrica.provedor();
  await fabrica.nas(id, '10.1.9.2');
  const aviso = async (...args: (string | number)[]) =>
    terminal.json<any>(['aviso', ...args.map(String), '--provedor', String(id)]);
  const palavras = ['--tipo', 'interrupcao', '--titulo', 'Fibra rompida', '--texto', 'Volta às 18 h.'];
  const aberto = await aviso('abrir', ...palavras, '--nas', '10.1.9.2', '--bairro', 'Alfenas/Centro');
  const porta = await aviso('abrir', ...palavras, '--nas', '10.1.9.2/slot=0;port=1');
  t.like(await aviso('listar'), [
    { id: porta.id, alvos: [{ tipo: 'nas', nas: '10.1.9.2', porta: 'slot=0;port=1' }] },
    {
      id: aberto.id,
      origem: 'equipe',
      situacao: 'aberto',
      alvos: [
        { tipo: 'nas', nas: '10.1.9.2' },
        { tipo: 'bairro', cidade: 'Alfenas', bairro: 'Centro' },
      ],
    },
  ]);
  await aviso('encerrar', aberto.id);
  t.like(await aviso('listar', '--situacao', 'encerrados'), [{ id: aberto.id, situacao: 'encerrado' }]);
  const confirmar = ['aviso', 'confirmar', String(porta.id), '--provedor', String(id)];
  recusado(t, await terminal.malha(confirmar), /equipe/);
  await api.dono('avisos_de_rede').where('id', porta.id).update({ origem: 'detectado' });
  t.is((await terminal.malha(confirmar)).codigo, 0);
  t.truthy((await aviso('listar'))[0].confirmado_em);
  const semAlvo = await terminal.malha(['aviso', 'abrir', ...palavras, '--provedor', String(id)]);
  recusado(t, semAlvo, /alvos/);
  const deOutro = await terminal.malha([
    'aviso',
    'encerrar',
    String(porta.id),
    '--provedor',
    String(await fabrica.provedor()),
  ]);
  recusado(t, deOutro, /não existe/);
});

test('a porta e os limites das quedas em massa se dizem no terminal', async (t) => {
  const id = await fabrica.provedor();
  const args = ['adicionar', id, '10.1.9.3', '--segredo', arquivo, '--porta-ate', ';vlan'];
  t.is((await nas(...args)).codigo, 0);
  t.like(await terminal.json(['provedor', 'nas', 'listar', String(id)]), [{ porta_ate: ';vlan' }]);
  t.is((await nas('adicionar', id, '10.1.9.3', '--segredo', arquivo, '--porta-ate', '')).codigo, 0);
  t.like(await terminal.json(['provedor', 'nas', 'listar', String(id)]), [{ porta_ate: null }]);
  const rede = async (...mais: string[]) => terminal.json(['provedor', 'rede', ...mais]);
  t.like(await rede('mostrar', String(id)), { queda_minimo: 20, queda_percentual: 30 });
  t.like(await rede('configurar', String(id), '--queda-minimo', '8', '--queda-percentual', '15'), {
    mudados: ['queda_minimo', 'queda_percentual'],
  });
  t.like(await rede('mostrar', String(id)), { queda_minimo: 8, queda_percentual: 15 });
});
