import test from 'ava';
import { createAgregacao } from '../../../src/domain/conexoes/agregacao.ts';
import { abaDaRede } from '../../../src/surfaces/panel/rede/aba.ts';
import { toText } from '../../../src/kit/html/html.ts';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { trafegoPorHora } from '../../../src/surfaces/panel/rede/panorama/graficos.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { criarNas } from '../../support/nas-coa.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import { relogioEm } from '../../support/relogio.ts';

/** Half past noon in São Paulo. */
const relogio = relogioEm('2026-11-20T15:30:00.000Z');
let api: Api;
let fabrica: Fabrica;
test.before(async () => {
  api = await criarApi({ relogio });
  fabrica = criarFabrica(api.dono);
});
test.after.always(() => api.fechar());

let serie = 0;

/** A provider of one server, at which two of three lines are online, one of them in another city; the third has dropped. */
async function cenario() {
  const n = (serie += 1);
  const servidor = `10.88.${n}.1`;
  const provedor = await fabrica.provedor();
  await fabrica.nas(provedor, servidor);
  await api.dono('nas').insert({ nasname: servidor, shortname: `bng-${n}`, secret: 'segredo-de-antes' });
  const plano = await fabrica.plano(provedor);
  const cliente = await fabrica.cliente(provedor, { nome: `Maria ${n}` });
  const contratos: number[] = [];
  for (const [i, cidade] of ['Alfenas', 'Serrania', 'Alfenas'].entries()) {
    const login = `rede-${n}-${i}`;
    contratos.push(
      await fabrica.contrato(provedor, { cliente_id: cliente, plano_id: plano, login, cidade, bairro: 'Centro' }),
    );
    await fabrica.sessao({
      username: login,
      nasipaddress: servidor,
      acctstarttime: '2026-11-20 15:00:00',
      acctupdatetime: '2026-11-20 15:28:00',
      acctoutputoctets: 3_000_000,
      acctinputoctets: 1_000_000,
      framedipaddress: `100.64.${n}.${i}`,
      ...(i === 2 ? { acctstoptime: '2026-11-20 15:20:00', acctterminatecause: 'Lost-Carrier' } : {}),
    });
  }
  await api.dono('trafego_horario').insert({
    provedor_id: provedor,
    hora: '2026-11-20 15:00:00',
    nas: servidor,
    download_bytes: 6_000_000,
    upload_bytes: 2_000_000,
  });
  const agregacao = createAgregacao({ db: api.dono, relogio, intervaloPadraoSegundos: 300 });
  await agregacao.agregarMudancas();
  await agregacao.medirOnline();
  const gente = await entrarNoPainel(api, provedor);
  return {
    provedor,
    servidor,
    nome: `bng-${n}`,
    plano,
    cliente,
    contratos,
    gente,
    login: (i: number) => `rede-${n}-${i}`,
  };
}

const linhaDe = (texto: string, nome: string): string =>
  texto.split('<tr').find((linha) => linha.includes(nome)) ?? 'não há';

const limpo = (texto: string): string => texto.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

const audita = async (provedor: number): Promise<string[]> =>
  (await api.dono('auditoria').where('provedor_id', provedor).orderBy('id').select('acao')).map(({ acao }) => acao);

test('o panorama diz quem está online em cada servidor, as quedas, o tráfego e de que instante é', async (t) => {
  const c = await cenario();
  const { status, texto } = await c.gente.get('/rede');
  t.is(status, 200);
  t.regex(limpo(texto), /de 12:30:00 2 online 1 offline, dos que já se ligaram 1 queda na última hora/);
  t.regex(texto, /hx-get="\/painel\/rede\/agora"\s+hx-trigger="conexao from:body/);
  t.regex(limpo(linhaDe(texto, c.nome)), new RegExp(`${c.nome} ${c.servidor} – ativo 2 1 ↓ `));
  t.true(texto.includes(`href="/painel/rede/online?nas=${c.servidor}">2</a>`));
  t.regex(limpo(texto), /1 queda em 24 h; a pior hora foi 12:00, com 1\./);
  t.regex(limpo(texto), /6 MB baixados e 2 MB enviados em 24 h/);
  // What is asked for again and again has no charts.
  const denovo = await c.gente.get('/rede/agora', { 'HX-Request': 'true' });
  t.true(denovo.texto.includes('id="panorama"'));
  t.false(denovo.texto.includes('<figure'));
  for (const periodo of ['7d', '31d']) {
    const outro = await c.gente.get(`/rede?periodo=${periodo}`);
    t.regex(limpo(outro.texto), /1 queda em (?:7|31) dias/);
  }
});

test('a hora que mal começou não passa por pico, por lhe chegar o tráfego da hora de antes', (t) => {
  const ponto = (inicio: string, download: number) => ({
    inicio: new Date(inicio),
    quedas: 0,
    online: null,
    download,
    upload: 1,
  });
  // Ten minutes of a gigabit a second, that all sessions tell of at 15:00.
  const pontos = [ponto('2026-11-20T14:00:00Z', 480_000_000_000), ponto('2026-11-20T15:00:00Z', 75_000_000_000)];
  const desenho = trafegoPorHora({
    serie: { periodo: '24h', passo: 'hora', pontos, porServidor: [] },
    fuso: 'America/Sao_Paulo',
    agora: new Date('2026-11-20T15:01:00Z'),
  });
  t.regex(toText(desenho), /maior média de 1,1 Gb\/s, em 11:00/);
});

test('quem está online se filtra por servidor, plano e cidade', async (t) => {
  const c = await cenario();
  const todos = await c.gente.get('/rede/online');
  t.true(todos.texto.includes(c.login(0)) && todos.texto.includes(c.login(1)));
  t.false(todos.texto.includes(c.login(2)));
  const daCidade = await c.gente.get(`/rede/online?cidade=Serrania&nas=${c.servidor}&plano=${c.plano}`);
  t.false(daCidade.texto.includes(c.login(0)));
  t.true(daCidade.texto.includes(c.login(1)));
  const [viva = ''] = /<div data-lista id="online" data-vive="conexao"[^>]*>/.exec(daCidade.texto) ?? [];
  t.regex(viva, /hx-get="\/painel\/rede\/online\?nas=[\d.]+&amp;plano=\d+&amp;cidade=Serrania"/);
  t.regex((await c.gente.get('/rede/online?nas=10.9.9.9')).texto, /Ninguém online aqui/);
  t.is((await c.gente.get('/rede/online?nas=bng')).status, 400);
});

test('um servidor se cadastra com segredo que ninguém mais vê, muda, e é removido depois de se dizer o que acontece', async (t) => {
  const c = await cenario();
  const deOutro = await cenario();
  const recusado = await c.gente.post('/rede/servidores/novo', {
    endereco: 'bng-9',
    nome: 'bng-nove',
    segredo: 'com espaço',
    porta_coa: '70000',
    coa: 'nao',
    pop_id: '',
  });
  t.is(recusado.status, 422);
  t.regex(recusado.texto, /Endereço IPv4: deve ser um IPv4/);
  t.regex(recusado.texto, /Porta de CoA: deve ser de 1 a 65535/);
  t.regex(recusado.texto, /Segredo RADIUS: deve ter de 1 a 60/);
  t.true(recusado.texto.includes('value="bng-nove"'));
  t.false(recusado.texto.includes('com espaço'));
  const emUso = await c.gente.post('/rede/servidores/novo', { endereco: deOutro.servidor, segredo: 'umsegredo' });
  t.is(emUso.status, 422);
  t.regex(emUso.texto, /Endereço IPv4: está em uso fora deste provedor/);
  t.false(emUso.texto.includes(`provedor ${deOutro.provedor}`));

  await c.gente.post('/rede/pops/novo', {
    nome: 'Serra',
    cidade: 'Alfenas',
    uf: 'MG',
    latitude: '-21,42',
    longitude: '-45,94',
  });
  const [pop] = await api.dono('pops').where('provedor_id', c.provedor);
  t.is(Number(pop.latitude), -21.42);
  const novo = `10.99.${serie}.7`;
  const feito = await c.gente.post('/rede/servidores/novo', {
    endereco: novo,
    nome: 'bng-sete',
    segredo: 'umsegredo',
    porta_coa: '1700',
    coa: 'velocidade',
    pop_id: String(pop.id),
  });
  t.is(feito.status, 303, feito.texto);
  t.like(await api.dono('provedores_nas').where('nasipaddress', novo).first(), {
    porta_coa: 1700,
    coa: 1,
    pop_id: pop.id,
  });
  t.is((await c.gente.post('/rede/servidores/novo', { endereco: novo, segredo: 'x' })).status, 422);

  const tela = await c.gente.get(`/rede/servidores/${novo}`);
  t.regex(limpo(tela.texto), /bng-sete .*POP Serra, Alfenas\/MG/);
  const forma = await c.gente.get(`/rede/servidores/${novo}/editar`);
  t.true(forma.texto.includes('value="1700"'));
  t.false(`${tela.texto}${forma.texto}`.includes('umsegredo'));
  // Without a secret the old one stays; without a POP it stands nowhere.
  const mudado = await c.gente.post(`/rede/servidores/${novo}/editar`, {
    nome: 'bng-8',
    segredo: '',
    porta_coa: '3799',
    coa: 'tudo',
    pop_id: '',
  });
  t.is(mudado.status, 303, mudado.texto);
  t.like(await api.dono('nas').where('nasname', novo).first(), { shortname: 'bng-8', secret: 'umsegredo' });
  t.like(await api.dono('provedores_nas').where('nasipaddress', novo).first(), {
    porta_coa: 3799,
    coa: 2,
    pop_id: null,
  });

  t.regex(
    limpo((await c.gente.get(`/rede/servidores/${c.servidor}/remover`)).texto),
    /2 sessões que estão abertas nele/,
  );
  t.is((await c.gente.post(`/rede/servidores/${novo}/remover`)).status, 303);
  t.is(await api.dono('nas').where('nasname', novo).first(), undefined);
  t.is((await c.gente.get(`/rede/servidores/${novo}`)).status, 404);
  const feitos = await audita(c.provedor);
  for (const acao of ['pop.criado', 'nas.adicionado', 'nas.alterado', 'nas.removido'])
    t.true(feitos.includes(acao), acao);
});

test('o teste da porta de CoA diz em palavras o que o servidor respondeu', async (t) => {
  const c = await cenario();
  const sem = await c.gente.post(`/rede/servidores/${c.servidor}/testar`);
  t.is(sem.status, 200);
  const endereco = '127.0.0.1';
  const nas = await criarNas(endereco, 'segredo-do-teste', { nak: 503 });
  await c.gente.post('/rede/servidores/novo', {
    endereco,
    segredo: 'segredo-do-teste',
    porta_coa: String(nas.porta),
    coa: 'nao',
  });
  const bom = await c.gente.post(`/rede/servidores/${endereco}/testar`);
  t.regex(limpo(bom.texto), /respondeu na porta \d+ e conhece o segredo/);
  await nas.fechar();
  const mudo = await c.gente.post(`/rede/servidores/${endereco}/testar`);
  t.regex(limpo(mudo.texto), /não respondeu na porta/);
  t.is((await c.gente.post('/rede/servidores/10.1.2.3/testar')).status, 404);
});

test('um POP com servidor não se remove, e a recusa diz por quê', async (t) => {
  const c = await cenario();
  await c.gente.post('/rede/pops/novo', { nome: 'Centro', cidade: 'Alfenas', uf: 'MG' });
  const [{ id }] = await api.dono('pops').where('provedor_id', c.provedor);
  const repetido = await c.gente.post('/rede/pops/novo', { nome: 'centro', cidade: 'Serrania', uf: 'MG' });
  t.regex(repetido.texto, /Nome: outro POP tem este nome/);
  t.true(repetido.texto.includes('value="Serrania"'));
  await c.gente.post(`/rede/servidores/${c.servidor}/editar`, { pop_id: String(id) });
  t.regex(limpo(linhaDe((await c.gente.get('/rede/pops')).texto, 'Centro')), new RegExp(c.nome));
  const recusado = await c.gente.post(`/rede/pops/${id}/remover`);
  t.is(recusado.status, 422);
  t.regex(recusado.texto, /servidor ou aviso aberto neste POP/);
  await c.gente.post(`/rede/servidores/${c.servidor}/editar`, { pop_id: '' });
  t.is((await c.gente.post(`/rede/pops/${id}/remover`)).status, 303);
  t.is(await api.dono('pops').where({ id }).first(), undefined);
});

// It moves the clock that all share: by itself, before the others.
test.serial('antes de um aviso abrir, diz-se quem é atingido; e de novo, se isso mudou', async (t) => {
  const c = await cenario();
  const aviso = {
    tipo: 'interrupcao',
    titulo: 'Fibra rompida',
    texto: 'Estamos consertando a fibra.',
    inicio: '2026-11-20T12:00',
    previsao: '2026-11-20T18:00',
  };
  const guardados = () => api.dono('avisos_de_rede').where('provedor_id', c.provedor);
  const ninguem = await c.gente.post('/rede/avisos/novo', aviso);
  t.is(ninguem.status, 422);
  t.regex(ninguem.texto, /Quem é atingido: diga ao menos um/);
  t.true(ninguem.texto.includes('Estamos consertando a fibra.'));

  const visto = (texto: string): string =>
    (/name="visto" value="([^"]*)"/.exec(texto)?.[1] ?? '').replaceAll('&quot;', '"').replaceAll('&#34;', '"');
  const antes = await c.gente.post('/rede/avisos/novo', { ...aviso, cidades: ['Serrania'] });
  t.is(antes.status, 200);
  t.regex(limpo(antes.texto), /1 contrato de 1 cliente\./);
  t.true(antes.texto.includes('value="Fibra rompida"'));
  t.is((await guardados()).length, 0);
  const outros = await c.gente.post('/rede/avisos/novo', {
    ...aviso,
    cidades: ['Serrania'],
    nas: [c.servidor],
    visto: visto(antes.texto),
  });
  t.is(outros.status, 200);
  t.regex(limpo(outros.texto), /3 contratos de 1 cliente\./);
  t.is((await guardados()).length, 0);
  const semTitulo = await c.gente.post('/rede/avisos/novo', {
    ...aviso,
    titulo: '',
    cidades: ['Serrania'],
    nas: [c.servidor],
    visto: visto(outros.texto),
  });
  t.is(semTitulo.status, 422);
  t.regex(semTitulo.texto, /Título: é obrigatório/);
  const feito = await c.gente.post('/rede/avisos/novo', {
    ...aviso,
    cidades: ['Serrania'],
    nas: [c.servidor],
    visto: visto(outros.texto),
  });
  t.is(feito.status, 303, feito.texto);
  const [gravado] = await guardados();
  // Noon and six in São Paulo.
  t.regex(String(gravado.inicio), /2026-11-20 15:00:00/);
  t.regex(String(gravado.previsao), /2026-11-20 21:00:00/);
  t.regex(limpo((await c.gente.get('/rede')).texto), /1 aviso aberto/);

  const forma = await c.gente.get(`/rede/avisos/${gravado.id}/editar`);
  t.true(forma.texto.includes('value="2026-11-20T18:00"'));
  const versao = /name="atualizado_em" value="([^"]*)"/.exec(forma.texto)?.[1] ?? '';
  const { inicio: _, ...mudanca } = { ...aviso, titulo: 'Fibra cortada', previsao: '', atualizado_em: versao };
  relogio.definir('2026-11-20T15:31:00.000Z');
  t.is((await c.gente.post(`/rede/avisos/${gravado.id}/editar`, mudanca)).status, 303);
  const velha = await c.gente.post(`/rede/avisos/${gravado.id}/editar`, { ...mudanca, titulo: 'Outro' });
  t.is(velha.status, 409);
  const tela = await c.gente.get(`/rede/avisos/${gravado.id}`);
  t.regex(limpo(tela.texto), new RegExp(`Fibra cortada.*Atinge servidor ${c.nome}, Serrania.*sem previsão`));

  const futuro = await c.gente.post(`/rede/avisos/${gravado.id}/encerrar`, { fim: '2030-01-01T00:00' });
  t.regex(futuro.texto, /Fim: não pode ser no futuro/);
  t.is((await c.gente.post(`/rede/avisos/${gravado.id}/encerrar`, { fim: '' })).status, 303);
  t.regex((await c.gente.get('/rede/avisos?situacao=encerrados')).texto, /Fibra cortada/);
  t.notRegex((await c.gente.get('/rede/avisos')).texto, /Fibra cortada/);
  relogio.definir('2026-11-20T15:30:00.000Z');
});

test('quem só vê a rede não vê botões que a mudam, e o que é de outro provedor não existe', async (t) => {
  const c = await cenario();
  const outro = await cenario();
  const atende = await entrarNoPainel(api, c.provedor, 'atendimento');
  for (const caminho of ['/rede', `/rede/servidores/${c.servidor}`, '/rede/pops', '/rede/avisos', '/rede/online']) {
    const { status, texto } = await atende.get(caminho);
    t.is(status, 200, caminho);
    t.notRegex(texto, /\/(?:novo|editar|remover|testar)["?]/, caminho);
  }
  t.is((await atende.get('/rede/servidores/novo')).status, 403);
  t.is((await c.gente.get(`/rede/servidores/${outro.servidor}`)).status, 404);
  t.is((await c.gente.post(`/rede/servidores/${outro.servidor}/remover`)).status, 404);
  t.is((await api.dono('nas').where('nasname', outro.servidor)).length, 1);
});

test('a aba da rede na primeira página mostra os contratos que mais caem, os piores primeiro', async (t) => {
  const c = await cenario();
  const escrita = createTenantWriter(api.dono, c.provedor);
  for (const [i, quedas] of [7, 12].entries()) {
    await escrita.insert('quedas_diarias', { contrato_id: c.contratos[i], dia: '2026-11-18', quedas });
  }
  await escrita.insert('quedas_diarias', { contrato_id: c.contratos[0], dia: '2026-11-01', quedas: 90 });
  const provedor = await api.container.provedores.exigirPorId(c.provedor);
  const sessao = { provedor, perfil: { permissoes: ['clientes.ver', 'rede.ver'] } } as unknown as Parameters<
    typeof abaDaRede
  >[0]['sessao'];
  const aba = await api.container.changeTenant(TERMINAL, provedor, async (dominio) =>
    abaDaRede({ dominio, sessao, agora: relogio.agora() }),
  );
  t.regex(
    limpo(toText(aba)),
    new RegExp(`${c.contratos[1]} · .* 12 .*${c.contratos[0]} · .* 7 .*${c.contratos[2]} · .* 1 `),
  );
  t.regex(limpo(toText(aba)), new RegExp(`Servidores com mais quedas em 24 h.*${c.nome}`));
  t.true(toText(aba).includes(`href="/painel/rede/online?nas=${c.servidor}">2</a>`));
  t.true(toText(aba).includes(`href="/painel/rede/servidores/${c.servidor}">1</a>`));
});
