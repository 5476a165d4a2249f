import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import type { Browser, Page } from 'playwright-core';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { criarAssinante, SENHA } from '../../domain/acessos/apoio.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { ate } from '../../support/espera.ts';
import { abrirNavegador } from '../../support/navegador.ts';
import { relogioEm } from '../../support/relogio.ts';

// An app as somebody who knows only the documentation writes it: plain HTML and JavaScript, of another origin.

const PAGINA = readFileSync(new URL('../../../../test/support/app-de-fora/index.html', import.meta.url));
const QUINZE_MINUTOS = 15 * 60_000;

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
let navegador: Browser;
let servidor: Server;
let origem: string;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
  navegador = await abrirNavegador();
  servidor = createServer((_pedido, resposta) => {
    resposta.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGINA);
  });
  await new Promise<void>((pronto) => {
    servidor.listen(0, '127.0.0.1', pronto);
  });
  origem = `http://app.localhost:${(servidor.address() as AddressInfo).port}`;
});
test.after.always(async () => {
  await navegador.close();
  servidor.close();
  await api.fechar();
});

/** A subscriber with five invoices, at a provider whose panel has a name of its own. */
async function cenario(origens: readonly string[]) {
  const c = await criarAssinante(api);
  const painel = `painel${c.provedor.id}.localhost`;
  await api.dono('provedores').where('id', c.provedor.id).update({ panel_host: painel });
  await api.container.configuracaoDoApp.configurar(TERMINAL, c.provedor.id, { origens });
  const contrato_id = await c.fabrica.contrato(c.provedor.id, {
    cliente_id: c.cliente,
    plano_id: await c.fabrica.plano(c.provedor.id),
  });
  for (let n = 1; n <= 5; n += 1) {
    const emitida_em = `2026-11-0${n} 09:00:00.000`;
    const fatura = { cliente_id: c.cliente, contrato_id, descricao: `Mensalidade ${n}`, emitida_em };
    await c.fabrica.fatura(c.provedor.id, { ...fatura, vencimento: '2026-12-10' });
  }
  const [porta, outra] = api.portas;
  return { ...c, api: `http://${painel}:${porta}`, naOutra: `http://${painel}:${outra}` };
}

async function abrir(enderecoDaApi: string): Promise<{ tela: Page; gravacoes: string[] }> {
  const tela = await navegador.newPage();
  const gravacoes: string[] = [];
  tela.on('request', (pedido) => {
    if (!['GET', 'OPTIONS'].includes(pedido.method())) gravacoes.push(new URL(pedido.url()).pathname);
  });
  await tela.goto(`${origem}/?api=${encodeURIComponent(enderecoDaApi)}`);
  await tela.getByLabel('CPF').fill('529.982.247-25');
  await tela.getByLabel('Senha').fill(SENHA);
  await tela.getByRole('button', { name: 'Entrar' }).click();
  return { tela, gravacoes };
}

const aviso = async (tela: Page): Promise<string> => (await tela.locator('#aviso').textContent()) ?? '';

test.serial('de uma origem listada, entra, vê as faturas, renova o que venceu, sai, e não paga nada', async (t) => {
  const c = await cenario([origem]);
  const { tela, gravacoes } = await abrir(c.api);
  await ate(async () => (await aviso(tela)) === '5 de 5 faturas');
  const itens = await tela.locator('li').allTextContents();
  t.is(itens.length, 5);
  t.regex(itens[0]!, /^Mensalidade 5: R\$\s99,90, pendente/);
  relogio.avancar(QUINZE_MINUTOS + 1000);
  await tela.getByRole('button', { name: 'Atualizar' }).click();
  await ate(() => gravacoes.includes('/v1/auth/refresh'));
  await ate(async () => (await aviso(tela)) === '5 de 5 faturas' && (await tela.locator('li').count()) === 5);
  await tela.getByRole('button', { name: 'Sair' }).click();
  await ate(async () => (await aviso(tela)) === 'sessao_encerrada');
  t.deepEqual(gravacoes, ['/v1/auth/login', '/v1/auth/refresh', '/v1/auth/logout']);
  await tela.context().close();
});

const semResposta = async (tela: Page): Promise<void> =>
  ate(async () => (await aviso(tela)).startsWith('Sem resposta'));

test.serial('a mesma página, do mesmo provedor: ligado, entra; desligado, o navegador lhe nega tudo', async (t) => {
  const c = await cenario([origem]);
  const sessoes = async (): Promise<number> =>
    (await api.dono('app_sessoes').where('provedor_id', c.provedor.id)).length;
  const antes = await sessoes();
  const ligado = await abrir(c.api);
  await ate(async () => (await aviso(ligado.tela)) === '5 de 5 faturas');
  t.is(await sessoes(), antes + 1);

  await api.container.configuracaoDoApp.configurar(TERMINAL, c.provedor.id, { origens: [] });
  // At the other process, which has not asked yet: this one goes by what it knows for a few seconds.
  const desligado = await abrir(c.naOutra);
  await semResposta(desligado.tela);
  // The preflight was refused, so the login itself was never asked for.
  t.is(await sessoes(), antes + 1);
  await ligado.tela.context().close();
  await desligado.tela.context().close();
});

test.serial('de uma origem que o provedor não lista, o navegador não entrega resposta nenhuma', async (t) => {
  const c = await cenario(['https://outra.example']);
  const { tela } = await abrir(c.api);
  await semResposta(tela);
  t.is((await api.dono('app_sessoes').where('provedor_id', c.provedor.id)).length, 1);
  await tela.context().close();
});
