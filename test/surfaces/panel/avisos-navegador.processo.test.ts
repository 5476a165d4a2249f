import test from 'ava';
import type { Browser, Page } from 'playwright-core';
import { criarNavegador } from '../../domain/push/apoio.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { abrirNavegador } from '../../support/navegador.ts';
import { SENHA_DO_PAINEL, entrarNoPainel } from '../../support/painel.ts';

/** Browsers trust `*.localhost` as they trust https; notices want that. */
const HOST = 'serra.localhost';
const CARTAO = '#avisos-neste-aparelho';

let api: Api;
let navegador: Browser;
test.before(async () => {
  api = await criarApi();
  navegador = await abrirNavegador();
});
test.after.always(async () => {
  await navegador.close();
  await api.fechar();
});

/** The browser's own push service is far away: what it would answer to a subscription is said here. */
const INSCREVER = (inscricao: object): string => `
  const inscricao = {
    ...${JSON.stringify(inscricao)},
    toJSON() { return this; },
    async unsubscribe() { delete sessionStorage.inscrita; return true; },
  };
  PushManager.prototype.getSubscription = async () => (sessionStorage.inscrita ? inscricao : null);
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    if (!userVisibleOnly || applicationServerKey.length !== 65) throw new Error('not so');
    sessionStorage.inscrita = 'true';
    return inscricao;
  };`;

test('liga, recebe um aviso que abre a sua página, desliga, e diz quando o navegador não deixa', async (t) => {
  const id = await criarFabrica(api.dono).provedor();
  await api.dono('provedores').where({ id }).update({ panel_host: HOST });
  const { email, usuarioId } = await entrarNoPainel(api, id);
  const contexto = await navegador.newContext();
  const pagina = await contexto.newPage();
  const queixas: string[] = [];
  pagina.on('console', (linha) => linha.type() === 'error' && queixas.push(linha.text()));
  pagina.on('pageerror', (error) => queixas.push(error.message));
  const origem = `http://${HOST}:${api.porta}`;
  const abrir = async (onde: Page, caminho: string): Promise<void> =>
    void (await onde.goto(`${origem}/painel${caminho}`));
  const aparelhos = async (): Promise<any[]> => api.dono('push_dispositivos').where({ usuario_id: usuarioId });
  const { inscricao } = criarNavegador('https://fcm.googleapis.com/fcm/send/um-navegador');
  await contexto.addInitScript(INSCREVER(inscricao));
  const entrar = async (): Promise<void> => {
    await pagina.getByLabel('E-mail').fill(email);
    await pagina.getByLabel('Senha').fill(SENHA_DO_PAINEL);
    await pagina.getByRole('button', { name: 'Entrar', exact: true }).click();
    await pagina.getByRole('heading', { level: 1, name: 'Minha conta' }).waitFor();
  };
  await abrir(pagina, '/conta');
  await entrar();
  await contexto.grantPermissions(['notifications'], { origin: origem });
  await abrir(pagina, '/conta');

  const cartao = pagina.locator(CARTAO);
  await cartao.getByText('Desligados neste aparelho.', { exact: true }).waitFor();
  await cartao.getByRole('button', { name: 'Ligar neste aparelho', exact: true }).click();
  await cartao.getByText('Ligados neste aparelho.', { exact: true }).waitFor();
  await cartao.getByText('este aparelho', { exact: true }).waitFor();
  t.false(await cartao.getByRole('button', { name: 'Ligar neste aparelho', exact: true }).isVisible());
  t.is((await aparelhos()).length, 1);
  const pasta = process.env['MALHA_RETRATOS'];
  if (pasta !== undefined) await cartao.screenshot({ path: `${pasta}/avisos.png` });

  // What the browser's push service would bring.
  const [servico] = contexto.serviceWorkers();
  t.is(servico?.url(), `${origem}/painel/servico.js`);
  const avisar = async (path: string): Promise<unknown> =>
    servico?.evaluate(async (dita) => {
      const aqui = globalThis as any;
      const mostrados: unknown[] = [];
      const abertos: string[] = [];
      aqui.registration.showNotification = async (titulo: string, com: object) => mostrados.push({ titulo, ...com });
      aqui.clients.openWindow = async (caminho: string) => abertos.push(caminho);
      const ouvir = async (evento: Event): Promise<void> => {
        const esperas: unknown[] = [];
        evento.constructor.prototype.waitUntil = (espera: unknown) => void esperas.push(espera);
        aqui.dispatchEvent(evento);
        await Promise.all(esperas);
      };
      const data = JSON.stringify({ titulo: 'Chamado urgente', texto: 'Nº 7', topico: 'x', dados: { path: dita } });
      await ouvir(new aqui.PushEvent('push', { data }));
      const [{ data: guardada }] = mostrados as [{ data: unknown }];
      const clique = new Event('notificationclick');
      await ouvir(Object.assign(clique, { notification: { data: guardada, close() {} } }));
      return { mostrados, abertos };
    }, path);
  t.deepEqual(await avisar('/painel/chamados/7'), {
    mostrados: [
      { titulo: 'Chamado urgente', body: 'Nº 7', tag: 'x', lang: 'pt-BR', data: { caminho: '/painel/chamados/7' } },
    ],
    abertos: ['/painel/chamados/7'],
  });
  for (const torto of ['https://mau.example/painel/x', '//mau.example/painel', '/painel/../sair', '/painelx', '']) {
    t.like(await avisar(torto), { abertos: ['/painel'] }, torto);
  }

  await cartao.getByRole('button', { name: 'Desligar neste aparelho' }).click();
  await cartao.getByText('Desligados neste aparelho.', { exact: true }).waitFor();
  t.deepEqual(await aparelhos(), []);

  await cartao.getByRole('button', { name: 'Ligar neste aparelho', exact: true }).click();
  await cartao.getByText('Ligados neste aparelho.', { exact: true }).waitFor();
  await pagina.locator('.topo details summary').last().click();
  await pagina.getByRole('button', { name: 'Sair' }).click();
  await pagina.getByRole('heading', { level: 1, name: 'Entrar' }).waitFor();
  await abrir(pagina, '/conta');
  await entrar();
  await cartao.getByText('Desligados neste aparelho.', { exact: true }).waitFor();

  await pagina.addInitScript(`Object.defineProperty(Notification, 'permission', { get: () => 'denied' })`);
  await abrir(pagina, '/conta');
  await cartao.getByText('O navegador não deixa este endereço mostrar avisos.').waitFor();
  t.false(await cartao.getByRole('button', { name: 'Ligar neste aparelho', exact: true }).isVisible());
  t.deepEqual(queixas, []);
  await contexto.close();
});
