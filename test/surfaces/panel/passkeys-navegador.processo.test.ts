import test from 'ava';
import type { Browser, Page } from 'playwright-core';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { abrirNavegador } from '../../support/navegador.ts';
import { SENHA_DO_PAINEL as SENHA } from '../../support/painel.ts';

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

/** Browsers trust `*.localhost` as they trust https; passkeys want that. */
const HOST = 'serra.localhost';

/** A device that confirms at once, as if somebody had put his finger on it. */
async function comAparelho(pagina: Page): Promise<void> {
  const cdp = await pagina.context().newCDPSession(pagina);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test('por convite, com uma chave de acesso: cadastra, entra só com ela, e a dá como segundo fator', async (t) => {
  const id = await criarFabrica(api.dono).provedor({ nome: 'Serra Azul Telecom' });
  await api.dono('provedores').where({ id }).update({ panel_host: HOST });
  const { usuarios, perfis, provedores } = api.container;
  const provedor = await provedores.exigirPorId(id);
  const perfil_id = (await perfis.listar(id)).find(({ deFabrica }) => deFabrica === 'administrador')?.id ?? 0;
  const email = 'ana@malha.test';
  const { token } = await usuarios.convidar(TERMINAL, provedor, { email, nome: 'Ana', perfil_id });

  const contexto = await navegador.newContext({ viewport: { width: 1280, height: 900 } });
  const pagina = await contexto.newPage();
  const queixas: string[] = [];
  pagina.on('console', (linha) => {
    // Chromium itself writes a line for each 4xx.
    if (linha.type() === 'error' && !linha.text().includes('status of 4')) queixas.push(linha.text());
  });
  pagina.on('pageerror', (error) => queixas.push(error.message));
  await comAparelho(pagina);
  const em = (caminho: string): string => `http://${HOST}:${api.porta}/painel${caminho}`;
  const retrato = async (nome: string): Promise<void> => {
    const pasta = process.env['MALHA_RETRATOS'];
    if (pasta !== undefined) await pagina.screenshot({ path: `${pasta}/${nome}.png`, fullPage: true });
  };
  const titulo = async (texto: string): Promise<void> =>
    pagina.getByRole('heading', { level: 1, name: texto }).waitFor();

  await pagina.goto(em(`/convite/${token}`));
  await retrato('convite');
  await pagina.getByLabel('Senha').fill('curta');
  await pagina.getByRole('button', { name: 'Aceitar o convite' }).click();
  await pagina.getByText('Senha: deve ter no mínimo 12 caracteres.').first().waitFor();
  await pagina.getByLabel('Senha').fill(SENHA);
  await pagina.getByRole('button', { name: 'Aceitar o convite' }).click();
  await titulo('Entrar');
  await retrato('entrar');
  await pagina.getByLabel('E-mail').fill(email);
  await pagina.getByLabel('Senha').fill(SENHA);
  await pagina.getByRole('button', { name: 'Entrar', exact: true }).click();
  await titulo('Cadastre um segundo fator');
  await retrato('novo-fator');
  await pagina.getByRole('button', { name: 'Criar chave de acesso' }).click();
  await titulo('Códigos de recuperação');
  await retrato('codigos');
  t.is(await pagina.locator('#codigos-de-recuperacao li').count(), 10);
  await pagina.getByRole('link', { name: 'Guardei: continuar' }).click();
  await titulo('Início');

  const sair = async (): Promise<void> => {
    await pagina.locator('.topo details summary').last().click();
    await pagina.getByRole('button', { name: 'Sair' }).click();
    await titulo('Entrar');
  };
  await sair();
  await pagina.getByRole('button', { name: 'Entrar com chave de acesso' }).click();
  await titulo('Início');

  await pagina.goto(em('/conta'));
  await titulo('Minha conta');
  await pagina.getByText('Este aparelho', { exact: true }).waitFor();
  await retrato('conta');
  for (const caminho of ['usuarios', 'usuarios/novo', 'perfis', 'perfis/novo']) {
    await pagina.goto(em(`/configuracoes/${caminho}`));
    await retrato(caminho.replace('/', '-'));
  }
  await pagina.getByLabel('Nome').fill('Plantão');
  await pagina.getByLabel('Começa como').selectOption({ label: 'Técnico' });
  // The proof is too old: the passkey gives another.
  await api.dono('painel_sessoes').where({ provedor_id: id }).update({ provada_em: '2020-01-01 00:00:00.000' });
  await usuarios.alterar(TERMINAL, id, (await usuarios.listar(id))[0]?.id ?? 0, { nome: 'Ana Lima' });
  await pagina.getByRole('button', { name: 'Criar' }).click();
  await titulo('Confirme que é você');
  await retrato('prova');
  await pagina.getByRole('button', { name: 'Usar chave de acesso' }).click();
  await titulo('Plantão');
  await retrato('perfil');

  await pagina.setViewportSize({ width: 390, height: 844 });
  await pagina.emulateMedia({ colorScheme: 'dark' });
  for (const caminho of ['conta', 'configuracoes/usuarios', 'configuracoes/perfis']) {
    await pagina.goto(em(`/${caminho}`));
    await retrato(`fone-${caminho.replace('/', '-')}`);
    t.true(await pagina.evaluate('document.documentElement.scrollWidth <= innerWidth'), caminho);
  }
  await pagina.setViewportSize({ width: 1280, height: 900 });
  await sair();
  await pagina.getByLabel('E-mail').fill(email);
  await pagina.getByLabel('Senha').fill(SENHA);
  await pagina.getByRole('button', { name: 'Entrar', exact: true }).click();
  await titulo('Segundo fator');
  await retrato('fator');
  await pagina.getByRole('button', { name: 'Usar chave de acesso' }).click();
  await titulo('Início');
  t.deepEqual(queixas, []);
  await contexto.close();
});
