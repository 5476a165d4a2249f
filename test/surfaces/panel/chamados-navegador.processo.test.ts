import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { ate } from '../../support/espera.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { abrirNavegador } from '../../support/navegador.ts';
import { SENHA_DO_PAINEL, entrarNoPainel } from '../../support/painel.ts';
import type { PessoaNoPainel } from '../../support/painel.ts';
import { criarRedisProprio } from '../../support/redis-proprio.ts';

/** How long an open page may be behind without Redis, or once the server is back. */
const ATE_VOLTAR_MS = 15_000;

let api: Api;
let navegador: Browser;
let relay: { stop(): Promise<void> };
test.before(async () => {
  api = await criarApi();
  relay = api.container.startRelay();
  navegador = await abrirNavegador();
});
test.after.always(async () => {
  await navegador.close();
  await relay.stop();
  api.container.streams.drain();
  await api.fechar();
});

async function cenario() {
  const fabrica = criarFabrica(api.dono);
  // The browser takes every name below localhost for this machine.
  const panel_host = `painel${Date.now()}.localhost`;
  const provedor = await fabrica.provedor({ nome: 'Serra Azul', panel_host });
  const plano_id = await fabrica.plano(provedor);
  const cliente = await fabrica.cliente(provedor);
  await fabrica.telefone(provedor, { cliente_id: cliente });
  await fabrica.contrato(provedor, { cliente_id: cliente, plano_id });
  const { texto: chave } = await api.criarChave(provedor);
  const abrir = async (assunto: string) => {
    const corpo = JSON.stringify({ cliente_id: cliente, assunto, descricao: 'Caiu agora há pouco.' });
    const headers = { 'content-type': 'application/json' };
    return Number((await api.pedir('POST', '/chamados', { chave, corpo, headers })).corpo.dados.id);
  };
  return { fabrica, provedor, cliente, abrir, panel_host };
}

interface Como extends BrowserContextOptions {
  readonly porta?: number;
  /** How long the n-th script of the page takes to come. */
  readonly esperar?: (n: number) => number;
}

async function pagina(host: string, { cookie }: PessoaNoPainel, caminho: string, opcoes: Como = {}) {
  const { porta = api.porta, esperar, ...como } = opcoes;
  const url = `http://${host}:${porta}`;
  const contexto = await navegador.newContext({ locale: 'pt-BR', timezoneId: 'America/Sao_Paulo', ...como });
  const [name = '', value = ''] = (cookie ?? '').split('=');
  await contexto.addCookies([{ name, value, url }]);
  const aberta = await contexto.newPage();
  const queixas: string[] = [];
  aberta.on('pageerror', (erro) => queixas.push(erro.message));
  aberta.on('console', (dito) => void (dito.text().includes('Content Security Policy') && queixas.push(dito.text())));
  if (esperar !== undefined) {
    let n = 0;
    await aberta.route('**/*.js', async (rota) => {
      n += 1;
      await sleep(esperar(n));
      await rota.continue();
    });
  }
  await aberta.goto(`${url}/painel${caminho}`);
  return { aberta, contexto, queixas };
}

const foto = async (tela: Page, nome: string): Promise<void> => {
  const pasta = process.env['MALHA_FOTOS'];
  if (pasta !== undefined) await tela.screenshot({ path: `${pasta}/${nome}.png`, fullPage: true });
};

test.serial('duas telas veem sem recarregar o chamado que veio pela v1, com o selo da API', async (t) => {
  const { provedor, abrir, panel_host, fabrica, cliente } = await cenario();
  for (const prioridade of ['urgente', 'alta', 'baixa']) {
    await fabrica.chamado(provedor, {
      cliente_id: cliente,
      prioridade,
      categoria: 'TECNICO',
      assunto: 'Lentidão à noite',
    });
  }
  const ana = await entrarNoPainel(api, provedor, 'atendimento');
  const leo = await entrarNoPainel(api, provedor, 'tecnico');
  const uma = await pagina(panel_host, ana, '/chamados', { viewport: { width: 1280, height: 800 } });
  const outra = await pagina(panel_host, leo, '/chamados', {
    viewport: { width: 390, height: 800 },
    colorScheme: 'dark',
  });
  const telas = [uma, outra];
  for (const { aberta } of telas) await aberta.locator('#ao-vivo[data-vivo=sim]').waitFor({ state: 'attached' });
  const inicio = Date.now();
  const id = await abrir('Sem sinal na sala');
  const respondido = Date.now();
  await Promise.all(telas.map(async ({ aberta }) => aberta.locator(`#chamado-${id}`).waitFor()));
  t.log(`da v1 às duas filas: ${Date.now() - inicio} ms, ${Date.now() - respondido} ms depois da resposta`);
  for (const { aberta, queixas } of telas) {
    const linha = aberta.locator(`#chamado-${id}`);
    t.true((await linha.innerText()).includes('API'));
    await aberta.locator('[data-conta=nao-lidas]').getByText('1', { exact: true }).waitFor();
    await ate(async () => (await aberta.title()).startsWith('(4) '));
    t.deepEqual(queixas, []);
    t.true(await aberta.evaluate('document.documentElement.scrollWidth <= innerWidth'));
  }
  await foto(uma.aberta, 'fila-1280');
  await foto(outra.aberta, 'fila-390');

  // With the pointer over the list nothing moves: a bar says what waits.
  await uma.aberta.locator('tbody tr').first().hover();
  const segundo = await abrir('Outro sem sinal');
  const barra = uma.aberta.getByRole('button', { name: '1 novo chamado: mostrar' });
  await barra.waitFor();
  t.is(await uma.aberta.locator(`#chamado-${segundo}`).count(), 0);
  await barra.click();
  await uma.aberta.mouse.move(0, 0);
  await uma.aberta.locator(`#chamado-${segundo}`).waitFor();
  t.false(await barra.isVisible());

  // By the keyboard: down, down, take it.
  await uma.aberta.locator('h1').click();
  await uma.aberta.keyboard.press('j');
  const alvo = await uma.aberta.evaluate('document.activeElement.closest("tr").id');
  const posts: string[] = [];
  uma.aberta.on('request', (pedido) => void (pedido.method() === 'POST' && posts.push(new URL(pedido.url()).pathname)));
  await uma.aberta.keyboard.press('a');
  await uma.aberta
    .locator(`#${String(alvo)}`)
    .getByText('Gente')
    .waitFor();
  await uma.aberta.locator(`#${String(alvo)} [data-tecla=a]`).waitFor({ state: 'detached' });
  t.deepEqual(posts, [`/painel/chamados/${String(alvo).slice('chamado-'.length)}/assumir`]);
  await foto(uma.aberta, 'fila-assumida');

  await uma.aberta.goto(`http://${panel_host}:${api.porta}/painel/chamados/${id}?fazer=anotar`);
  await uma.aberta.getByLabel('Nota interna').fill('Levar ONU nova.');
  await uma.aberta.getByRole('button', { name: 'Guardar a nota' }).click();
  await uma.aberta.locator('.fala.interna').getByText('Levar ONU nova.').waitFor();
  await foto(uma.aberta, 'chamado-1280');
  await outra.aberta.goto(`http://${panel_host}:${api.porta}/painel/chamados/${id}`);
  await api
    .dono('chamados')
    .where({ id })
    .update({ responsavel_id: leo.usuarioId, agendado_para: new Date(), agendado_minutos: 60 });
  await api
    .dono('contratos')
    .where({ provedor_id: provedor })
    .update({ logradouro: 'Rua das Acácias', numero: '12', cidade: 'Itajubá', uf: 'MG' });
  await api
    .dono('chamados')
    .where({ id })
    .update({ contrato_id: api.dono('contratos').where({ provedor_id: provedor }).select('id').limit(1) });
  await foto(outra.aberta, 'chamado-390');
  for (const [nome, caminho] of [
    ['meus', 'chamados?visao=meus'],
    ['agenda', 'chamados/agenda'],
    ['novo', `chamados/novo?cliente=${cliente}`],
    ['sino', 'notificacoes'],
  ] as const) {
    for (const [{ aberta }, largura] of [
      [uma, 1280],
      [outra, 390],
    ] as const) {
      await aberta.goto(`http://${panel_host}:${api.porta}/painel/${caminho}`);
      t.true(await aberta.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${nome} ${largura}`);
      await foto(aberta, `${nome}-${largura}`);
    }
  }
  for (const { contexto } of telas) await contexto.close();
});

test.serial('quem perde a sessão entra num diálogo, e o comentário que escrevia é enviado', async (t) => {
  const { provedor, abrir, panel_host } = await cenario();
  const ana = await entrarNoPainel(api, provedor, 'atendimento');
  const id = await abrir('Sem sinal na sala');
  const { aberta, contexto } = await pagina(panel_host, ana, `/chamados/${id}`);
  await aberta.locator('#ao-vivo[data-vivo=sim]').waitFor();
  await aberta.getByLabel('Comentário').fill('Estamos a caminho.');
  await ana.post('/sair');
  await aberta
    .getByRole('button', { name: 'Comentar', exact: true })
    .click({ force: true })
    .catch(() => {});
  const dialogo = aberta.locator('#entrar-de-novo');
  await dialogo.getByLabel('E-mail').fill(ana.email);
  await dialogo.getByLabel('Senha').fill(SENHA_DO_PAINEL);
  await foto(aberta, 'dialogo');
  await dialogo.getByRole('button', { name: 'Entrar' }).click();
  await dialogo.waitFor({ state: 'hidden' });
  const enviado = aberta.locator('.fala').getByText('Estamos a caminho.');
  const botao = aberta.getByRole('button', { name: 'Comentar', exact: true });
  // The dialog may have opened before the button was pressed: what was typed is still there.
  if ((await enviado.count()) === 0 && (await aberta.getByLabel('Comentário').inputValue()) !== '') {
    await botao.click().catch(() => {});
  }
  await enviado.waitFor();
  t.is(await enviado.count(), 1);
  await aberta.locator('#ao-vivo[data-vivo=sim]').waitFor();
  await contexto.close();
});

test.serial('a página fica ao vivo também quando seus programas chegam devagar, cada um a seu tempo', async (t) => {
  const { provedor, abrir, panel_host } = await cenario();
  const ana = await entrarNoPainel(api, provedor, 'atendimento');
  const { aberta, contexto } = await pagina(panel_host, ana, '/chamados', { esperar: (n) => n * 400 });
  await aberta.locator('#ao-vivo[data-vivo=sim]').waitFor();
  const id = await abrir('Sem sinal na sala');
  await aberta.locator(`#chamado-${id}`).waitFor();
  t.pass();
  await contexto.close();
});

test.serial('o servidor reinicia: a tela diz que não está ao vivo, volta sozinha e mostra o que perdeu', async (t) => {
  const { provedor, abrir, panel_host } = await cenario();
  const ana = await entrarNoPainel(api, provedor, 'atendimento');
  const antes = await criarApi({ bancoDe: api });
  const { porta } = antes;
  const { aberta, contexto } = await pagina(panel_host, ana, '/chamados', { porta });
  const estado = aberta.locator('#ao-vivo');
  await aberta.locator('#ao-vivo[data-vivo=sim]').waitFor();
  await aberta.evaluate('window.mesmaPagina = true');
  antes.container.streams.drain();
  await antes.fechar();
  await aberta.locator('#ao-vivo[data-vivo=nao]').waitFor();
  t.is(await estado.innerText(), 'sem conexão ao vivo');
  await foto(aberta, 'sem-conexao');
  const perdido = await abrir('Enquanto isso');

  const depois = await criarApi({ bancoDe: api, porta });
  const voltou = Date.now();
  await aberta.locator('#ao-vivo[data-vivo=sim]').waitFor();
  await aberta.locator(`#chamado-${perdido}`).waitFor();
  const viu = Date.now() - voltou;
  t.log(`do servidor de volta ao chamado perdido na tela: ${viu} ms`);
  t.true(viu <= ATE_VOLTAR_MS, `${viu} ms`);
  const id = await abrir('Depois disso');
  await aberta.locator(`#chamado-${id}`).waitFor();
  t.true(await aberta.evaluate('window.mesmaPagina'));
  await contexto.close();
  depois.container.streams.drain();
  await depois.fechar();
});

test.serial('sem o Redis, a tela aberta mostra o chamado novo assim mesmo', async (t) => {
  const redis = await criarRedisProprio();
  const semRedis = await criarApi({ bancoDe: api, redis: redis.url });
  await semRedis.container.redisReady();
  const { provedor, panel_host, fabrica, cliente } = await cenario();
  const ana = await entrarNoPainel(api, provedor, 'atendimento');
  const { aberta, contexto } = await pagina(panel_host, ana, '/chamados', { porta: semRedis.porta });
  await aberta.locator('#ao-vivo[data-vivo=sim]').waitFor();
  await aberta.evaluate('window.mesmaPagina = true');
  await redis.matar();
  const inicio = Date.now();
  const id = await fabrica.chamado(provedor, { cliente_id: cliente, assunto: 'Sem notícia' });
  await aberta.locator(`#chamado-${id}`).waitFor();
  const levou = Date.now() - inicio;
  t.log(`sem Redis: ${levou} ms`);
  t.true(levou <= ATE_VOLTAR_MS, `${levou} ms`);
  t.true(await aberta.evaluate('window.mesmaPagina'));
  await contexto.close();
  semRedis.container.streams.drain();
  await semRedis.fechar();
  await redis.fechar();
});
