import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import test from 'ava';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { hojeEm } from '../../../src/brazil/calendario/datas.ts';
import { toDatabaseTime } from '../../../src/platform/mysql/database.ts';
import type { Rota } from '../../../src/surfaces/panel/rota.ts';
import { ROTAS } from '../../../src/surfaces/panel/rotas.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { abrirNavegador } from '../../support/navegador.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import { INTEIRA } from '../../support/prova.ts';
import { enderecoDe, existe, povoar } from './povoado.ts';
import type { Povoado } from './povoado.ts';

/** Streams and files are no screens. */
const SEM_TELA =
  /^\/(?:eventos|manifesto|entrar|esqueci|senha\/|convite\/)|csv|\/arquivo|\/baixar|\/erros|\/recusadas$|\/detalhes$|\/efeito$|\/agora$|\/contadores$|\/previa$|\/relatorio$|extratos/;

/** Where screenshots of every screen are put, for people to look at; nowhere otherwise. */
const FOTOS = process.env['MALHA_TEST_FOTOS'];

/** What axe-core finds, as far as it is read here. */
interface Achados {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** What has too little room to be read: words cut off at their edge, or broken letter by letter. */
const ESPREMIDOS = `[...document.querySelectorAll('.ficha dd, .badge, .numero strong')]
  .filter((um) => um.getClientRects().length > 0)
  .filter((um) => um.scrollWidth > um.clientWidth + 1 || (um.clientWidth < 48 && um.textContent.trim().length > 12))
  .map((um) => um.textContent.trim().slice(0, 40))`;

/** Menus that open beyond the edges of the screen. */
const FORA_DA_TELA = `[...document.querySelectorAll('.topo details, details.suspensa, details.mais-acoes')]
  .filter((um) => um.getClientRects().length > 0)
  .filter((um) => {
    um.open = true;
    const { left, right } = um.lastElementChild.getBoundingClientRect();
    um.open = false;
    return left < 0 || right > innerWidth;
  })
  .map((um) => um.firstElementChild.textContent.trim())`;

/** How a page without script lies on the screen, and in which theme. */
const SEM_SCRIPT = `({
  sobra: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  escura: document.documentElement.dataset.bsTheme === 'dark',
})`;

type Tema = 'light' | 'dark';

/** Widths and themes. CI opens the first two, which have every width and theme between them. */
const AS_QUATRO: readonly (readonly [largura: number, tema: Tema])[] = [
  [1280, 'light'],
  [390, 'dark'],
  [1280, 'dark'],
  [390, 'light'],
];
const VISTAS = INTEIRA ? AS_QUATRO : AS_QUATRO.slice(0, 2);

const comTela = ROTAS.filter(({ metodo, caminho }) => metodo === 'GET' && !SEM_TELA.test(caminho));

let api: Api;
let povoado: Povoado;
let navegador: Browser;
let axe: string;
test.before(async () => {
  api = await criarApi();
  povoado = await povoar(api, { panel_host: 'povoado.localhost' });
  navegador = await abrirNavegador();
  const { resolve } = createRequire(import.meta.url);
  axe = await readFile(path.join(path.dirname(resolve('axe-core/package.json')), 'axe.min.js'), 'utf8');
});
test.after.always(async () => {
  await navegador?.close();
  await api.fechar();
});

/** Screens that are about something that their query names. */
const CONSULTAS: Readonly<Record<string, (ids: Povoado['ids']) => string>> = {
  '/renegociacoes/nova': ({ clientes }) => `?cliente=${clientes ?? ''}`,
  '/tarefas/rodar': () => '?tarefa=pix.recalcular',
};

const enderecoDaTela = (rota: Rota): string =>
  `/painel${enderecoDe(rota, povoado)}${CONSULTAS[rota.caminho]?.(povoado.ids) ?? ''}`;

const base = (): string => `http://${povoado.host}:${api.porta}`;

async function abrir(
  width: number,
  colorScheme: Tema,
  javaScriptEnabled: boolean,
  timezoneId?: string,
): Promise<BrowserContext> {
  const contexto = await navegador.newContext({
    ...(timezoneId === undefined ? {} : { timezoneId }),
    viewport: { width, height: width === 390 ? 844 : 800 },
    colorScheme,
    javaScriptEnabled,
  });
  // A session may ask for 600 things a minute: fewer than the screens of two views together.
  const quem = await entrarNoPainel(api, povoado.provedorId);
  const { cookie, usuarioId } = quem;
  // The system's theme is known by script; without it, a page has the theme that its user has chosen.
  if (!javaScriptEnabled) await quem.post('/conta/tema', { tema: colorScheme === 'dark' ? 'escuro' : 'claro' });
  // The factor that a screen is about is of whose browser this is, who has shown it.
  await api
    .dono('painel_sessoes')
    .where({ usuario_id: usuarioId })
    .update({ fator_em: toDatabaseTime(new Date()) });
  await api.dono('usuarios_fatores').where({ id: povoado.ids['conta/fatores'] }).update({ usuario_id: usuarioId });
  const [name = '', value = ''] = (cookie ?? '').split('=');
  await contexto.addCookies([{ name, value, url: base() }]);
  return contexto;
}

/** What a page complains of while it is open. */
function ouvir(pagina: Page): string[] {
  const queixas: string[] = [];
  pagina.on('console', (dito) => {
    if (dito.type() === 'error' || dito.type() === 'warning') queixas.push(dito.text());
  });
  pagina.on('pageerror', ({ message }) => void queixas.push(message));
  pagina.on('request', (pedido) => {
    const { protocol, host } = new URL(pedido.url());
    if (protocol !== 'data:' && host !== `${povoado.host}:${api.porta}`) queixas.push(`pediu a ${host}`);
  });
  return queixas;
}

/** What is wrong with the screen that a page shows. */
async function faltasDa(pagina: Page, comAxe: boolean): Promise<readonly string[]> {
  const titulos = await pagina.locator('h1').count();
  const sobra = await pagina.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  const espremidos = await pagina.evaluate<readonly string[]>(ESPREMIDOS);
  const fora = await pagina.evaluate<readonly string[]>(FORA_DA_TELA);
  if (comAxe) await pagina.evaluate(axe);
  const { violations } = comAxe ? await pagina.evaluate<Achados>('axe.run()') : { violations: [] };
  return [
    ...(titulos === 1 ? [] : ['não tem um título']),
    ...(sobra > 0 ? [`${sobra} pontos além da tela`] : []),
    ...espremidos.map((dito) => `sem lugar para “${dito}”`),
    ...fora.map((dito) => `o menu “${dito}” abre fora da tela`),
    ...violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`),
  ];
}

async function fotografar(pagina: Page, endereco: string, largura: number, tema: Tema): Promise<void> {
  if (FOTOS === undefined) return;
  const nome = endereco.replaceAll(/[/?=&]/g, '_').slice('_painel'.length) || '_inicio';
  await pagina.screenshot({ path: path.join(FOTOS, `${nome}-${largura}-${tema}.png`), fullPage: true });
}

for (const [largura, tema] of VISTAS) {
  test.serial(`cada tela abre sem queixa do navegador nem do axe, a ${largura} pontos, no tema ${tema}`, async (t) => {
    const contexto = await abrir(largura, tema, true);
    const pagina = await contexto.newPage();
    const queixas = ouvir(pagina);
    const faltas: string[] = [];
    for (const rota of comTela.filter((uma) => existe(uma, povoado))) {
      const endereco = enderecoDaTela(rota);
      await pagina.goto(base() + endereco, { waitUntil: 'load' });
      // A minute of each theme: CI asks axe of one, and looks at the other for what the browser itself says.
      const dela = await faltasDa(pagina, INTEIRA || tema === 'light');
      faltas.push(...[...dela, ...queixas.splice(0)].map((falta) => `${endereco}: ${falta}`));
      await fotografar(pagina, endereco, largura, tema);
    }
    t.deepEqual(faltas, []);
    await contexto.close();
  });

  test.serial(`a entrada, e o que um link abre, também, a ${largura} pontos, no tema ${tema}`, async (t) => {
    const { usuarios, provedores } = api.container;
    const provedor = await provedores.exigirPorId(povoado.provedorId);
    const { id: perfil_id } = await api.dono('perfis').where('provedor_id', provedor.id).first('id');
    const convidado = { email: `${largura}${tema}@malha.test`, nome: 'Rita', perfil_id };
    const convite = await usuarios.convidar(TERMINAL, provedor, convidado);
    const { usuarioId } = await entrarNoPainel(api, provedor.id);
    const senha = await usuarios.redefinirSenha(TERMINAL, provedor, usuarioId);
    const contexto = await navegador.newContext({
      viewport: { width: largura, height: largura === 390 ? 844 : 800 },
      colorScheme: tema,
    });
    const pagina = await contexto.newPage();
    const queixas = ouvir(pagina);
    const faltas: string[] = [];
    for (const [nome, endereco] of [
      ['entrar', '/entrar'],
      ['esqueci', '/esqueci'],
      ['convite', `/convite/${convite.token}`],
      ['senha', `/senha/${senha.token}`],
    ] as const) {
      const resposta = await pagina.goto(`${base()}/painel${endereco}`, { waitUntil: 'load' });
      const dela = await faltasDa(pagina, true);
      const status = resposta?.status() === 200 ? [] : [`${resposta?.status()}`];
      faltas.push(...[...status, ...dela, ...queixas.splice(0)].map((falta) => `${nome}: ${falta}`));
      await fotografar(pagina, `/painel/${nome}`, largura, tema);
    }
    t.deepEqual(faltas, []);
    await contexto.close();
  });
}

test.serial('uma figura no tempo mostra os dias do provedor, onde quer que esteja o navegador', async (t) => {
  const { provedorId, ids } = povoado;
  const { clientes: cliente = 0, contratos: contrato = 0 }: { clientes?: number; contratos?: number } = ids;
  const { fuso_horario: timeZone } = await api.dono('provedores').where('id', provedorId).first('fuso_horario');
  const hoje = hojeEm(timeZone, new Date());
  await api
    .dono('trafego_diario')
    .insert({ provedor_id: provedorId, contrato_id: contrato, dia: hoje, download_bytes: 5e9, upload_bytes: 1e9 });
  // Where it is still the day before when the provider's day begins.
  const contexto = await abrir(1280, 'light', true, 'Pacific/Honolulu');
  const pagina = await contexto.newPage();
  await pagina.goto(`${base()}/painel/clientes/${cliente}?aba=conexao&contrato=${contrato}`);
  const desenho = pagina.locator('figure[data-serie] .u-over');
  const { width, height } = (await desenho.boundingBox()) ?? { width: 0, height: 0 };
  await desenho.hover({ position: { x: width - 2, y: height / 2 } });
  const [, mes, dia] = hoje.split('-');
  t.regex(await pagina.locator('figure[data-serie] .u-legend').innerText(), new RegExp(`${dia}/${mes}`));
  await contexto.close();
});

for (const [largura, tema] of VISTAS) {
  test.serial(`cada tela abre também sem script, a ${largura} pontos, no tema ${tema}`, async (t) => {
    const contexto = await abrir(largura, tema, false);
    const pagina = await contexto.newPage();
    const queixas = ouvir(pagina);
    const faltas: string[] = [];
    for (const rota of comTela.filter((uma) => existe(uma, povoado))) {
      const resposta = await pagina.goto(base() + enderecoDaTela(rota));
      const titulos = await pagina.locator('h1').count();
      const { sobra, escura } = await pagina.evaluate<{ sobra: number; escura: boolean }>(SEM_SCRIPT);
      if (resposta?.status() !== 200 || titulos !== 1) faltas.push(`${rota.caminho}: ${resposta?.status()}`);
      if (sobra > 0) faltas.push(`${rota.caminho}: ${sobra} pontos além da tela`);
      if (escura !== (tema === 'dark')) faltas.push(`${rota.caminho}: em outro tema`);
    }
    t.deepEqual([...faltas, ...queixas], []);
    await contexto.close();
  });
}
