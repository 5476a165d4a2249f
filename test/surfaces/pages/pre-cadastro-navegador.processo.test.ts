import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import type { Browser, Page } from 'playwright-core';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { abrirNavegador } from '../../support/navegador.ts';
import { CADASTRO_CERTO, criarPagina } from '../../support/pre-cadastro.ts';
import { relogioEm } from '../../support/relogio.ts';
import { abrirNoTelefone, medir, semRolagemAoLado } from '../../support/telefone.ts';

const relogio = relogioEm('2026-11-20T15:00:00Z');
let api: Api;
let provedor: number;
let plano: number;
let chave: string;
let navegador: Browser;

test.before(async () => {
  api = await criarApi({ relogio });
  const fabrica = criarFabrica(api.dono);
  provedor = await fabrica.provedor({ nome: 'Serra Azul Telecom' });
  await fabrica.plano(provedor, { nome: 'Fibra 300', download_mbps: 300, upload_mbps: 150, valor: '79.90' });
  plano = await fabrica.plano(provedor, { nome: 'Fibra 500', valor: '1299.90' });
  ({ texto: chave } = await api.criarChave(provedor));
  navegador = await abrirNavegador();
});
test.after.always(async () => {
  await navegador.close();
  await api.fechar();
});

const abrir = (caminho: string, javaScript: boolean) => abrirNoTelefone(navegador, api.porta, caminho, { javaScript });

async function preencher(pagina: Page, campos: Readonly<Record<string, string>>): Promise<void> {
  for (const [campo, valor] of Object.entries(campos)) {
    if (campo === 'uf' || campo === 'vencimento') await pagina.selectOption(`#${campo}`, valor);
    else if (campo === 'consentimento') await pagina.check('#consentimento');
    else await pagina.fill(`#${campo}`, valor);
  }
}

for (const comJavaScript of [true, false]) {
  const como = comJavaScript ? 'com' : 'sem';
  test(`${como} JavaScript, num telefone: erra, lê o que está errado, corrige, envia e é recebido`, async (t) => {
    const convite = await criarPagina(api).convidar(chave);
    const { pagina, contexto, pedidos, queixas } = await abrir(convite, comJavaScript);
    t.is(await pagina.title(), 'Pré-cadastro · Serra Azul Telecom');
    t.is(await pagina.locator('header').innerText(), 'Serra Azul Telecom');
    t.is(await pagina.locator('html').getAttribute('lang'), 'pt-BR');
    await semRolagemAoLado(t, pagina, 'formulário');
    const sobra = pagina.locator('.sobra');
    t.is(await sobra.getAttribute('aria-hidden'), 'true');
    t.true((await sobra.boundingBox())!.width <= 1, 'o campo dos robôs não aparece');
    relogio.avancar(60_000);

    await preencher(pagina, { ...CADASTRO_CERTO, documento: '529.982.247-26', cep: '3713', vencimento: '10' });
    await pagina.getByRole('button', { name: 'Enviar cadastro' }).tap();
    await pagina.getByRole('alert').waitFor();
    t.is(await pagina.title(), 'Erro: Pré-cadastro · Serra Azul Telecom');
    await semRolagemAoLado(t, pagina, 'formulário com erros');
    const erros = await pagina.getByRole('alert').getByRole('link').allInnerTexts();
    t.is(erros.length, 3, erros.join('\n'));
    t.regex(erros[0]!, /^CPF ou CNPJ: .*dígitos verificadores/);
    t.regex(erros[1]!, /^CEP: /);
    t.regex(erros[2]!, /^Plano: /);
    t.is(await pagina.locator('[aria-invalid=true]').count(), 3);
    t.is(await pagina.locator('#documento').getAttribute('aria-describedby'), 'documento-falta documento-dica');
    for (const [campo, valor] of Object.entries(CADASTRO_CERTO)) {
      if (['documento', 'cep', 'consentimento'].includes(campo)) continue;
      t.is(await pagina.locator(`#${campo}`).inputValue(), valor, campo);
    }
    t.is(await pagina.locator('#cep').inputValue(), '3713');
    t.is(await pagina.locator('#vencimento').inputValue(), '10');
    t.true(await pagina.locator('#consentimento').isChecked());
    await pagina.getByRole('alert').getByRole('link', { name: /^CEP/ }).tap();
    t.true(await pagina.locator('#cep').evaluate((campo) => campo.matches(':focus, :target')));

    await preencher(pagina, { documento: CADASTRO_CERTO['documento']!, cep: CADASTRO_CERTO['cep']! });
    await pagina.getByText('Fibra 500').tap();
    await pagina.getByRole('button', { name: 'Enviar cadastro' }).tap();
    await pagina.getByRole('heading', { name: 'Cadastro recebido' }).waitFor();
    await semRolagemAoLado(t, pagina, 'recebido');
    t.is(new URL(pagina.url()).pathname, convite);
    t.false((await pagina.content()).includes('Maria'));
    await pagina.reload();
    t.is(await pagina.locator('h1').innerText(), 'Cadastro recebido');

    const daqui = `http://127.0.0.1:${api.porta}${convite}`;
    for (const pedido of pedidos.filter((texto) => !texto.endsWith(' data:,')))
      t.regex(pedido, new RegExp(` ${daqui}`));
    t.is(pedidos.filter((pedido) => pedido.startsWith('POST')).length, 2);
    t.deepEqual(queixas, []);
    await contexto.close();
  });
}

test('com JavaScript, os números ganham pontuação enquanto são digitados, e o segundo toque não envia de novo', async (t) => {
  const { pagina, contexto, pedidos } = await abrir(await criarPagina(api).convidar(chave), true);
  const digitar = async (campo: string, texto: string): Promise<string> => {
    await pagina.locator(`#${campo}`).fill('');
    await pagina.locator(`#${campo}`).pressSequentially(texto);
    return pagina.locator(`#${campo}`).inputValue();
  };
  t.is(await digitar('documento', '52998224725'), '529.982.247-25');
  t.is(await digitar('documento', '12abc34501de35'), '12.ABC.345/01DE-35');
  t.is(await digitar('documento', '11222333000181'), '11.222.333/0001-81');
  t.is(await digitar('telefone', '35999990001'), '(35) 99999-0001');
  t.is(await digitar('telefone2', '3532990001'), '(35) 3299-0001');
  t.is(await digitar('telefone', '+5535999990001'), '+5535999990001');
  t.is(await digitar('cep', '37130001'), '37130-001');
  t.is(await digitar('nascimento', '31121990'), '31/12/1990');
  await pagina.locator('#cep').press('End');
  await pagina.locator('#cep').press('Backspace');
  t.is(await pagina.locator('#cep').inputValue(), '37130-00');

  await pagina.evaluate(`document.querySelector('form').addEventListener('submit', (e) => {
    window.envios = (window.envios ?? 0) + (e.defaultPrevented ? 0 : 1);
    e.preventDefault();
  })`);
  const botao = pagina.locator('button');
  await botao.tap();
  t.is(await botao.innerText(), 'Enviando…');
  // It says that it is disabled, which playwright would wait for.
  await botao.tap({ force: true });
  t.is(await pagina.evaluate('window.envios'), 1);
  t.is(pedidos.filter((pedido) => pedido.startsWith('POST')).length, 0);
  await contexto.close();
});

test('o plano e o dia que o convite leva são mostrados e não se escolhem', async (t) => {
  const convite = await criarPagina(api).convidar(chave, { plano_id: plano, dia_vencimento: 30 });
  const { pagina, contexto } = await abrir(convite, false);
  t.true((await pagina.locator('main').innerText()).includes('R$ 1.299,90 por mês'.replace(' ', '\u00A0')));
  t.true((await pagina.locator('main').innerText()).includes('Vencimento todo dia 30.'));
  t.is(await pagina.locator('[name=plano], [name=vencimento]').count(), 0);
  await contexto.close();
});

test('todo alvo de toque tem 44 px, todo texto 16 px, todo campo nome, e o contraste é de 4,5:1 ou mais', async (t) => {
  const { pagina, contexto } = await abrir(await criarPagina(api).convidar(chave), true);
  relogio.avancar(60_000);
  await pagina.locator('button').tap();
  await pagina.getByRole('alert').waitFor();
  t.deepEqual(await medir(pagina), { pequenos: [], miudos: [], apagados: [], semNome: [] });
  await contexto.close();
});

test('o que foi digitado como HTML volta como texto, e não se executa', async (t) => {
  const { pagina, contexto, queixas } = await abrir(await criarPagina(api).convidar(chave), true);
  const ataque = `"><img src=x onerror=alert(1)><script>alert(1)</script>' autofocus onfocus='alert(1)`;
  pagina.on('dialog', (dialogo) => {
    queixas.push(`abriu: ${dialogo.message()}`);
    void dialogo.dismiss();
  });
  await preencher(pagina, { nome: ataque, logradouro: ataque, complemento: ataque });
  await pagina.locator('button').tap();
  await pagina.getByRole('alert').waitFor();
  t.is(await pagina.locator('#nome').inputValue(), ataque);
  t.is(await pagina.locator('img').count(), 0);
  await pagina.locator('#logradouro').focus();
  t.deepEqual(queixas, []);
  await contexto.close();
});

// The image in the README: MALHA_FOTOS=sim npm test -- test/surfaces/pages/pre-cadastro-navegador.processo.test.ts --match='*README*'
if (process.env['MALHA_FOTOS'] === 'sim') {
  test('a imagem do README', async (t) => {
    const { pagina, contexto } = await abrir(await criarPagina(api).convidar(chave), true);
    relogio.avancar(60_000);
    await preencher(pagina, { ...CADASTRO_CERTO, documento: '529.982.247-26', vencimento: '10' });
    await pagina.getByText('Fibra 500').tap();
    await pagina.locator('button').tap();
    await pagina.getByRole('alert').waitFor();
    const destino = fileURLToPath(new URL('../../../../docs/imagens/pre-cadastro.png', import.meta.url));
    await pagina.screenshot({ path: destino, scale: 'css' });
    t.true(statSync(destino).size < 150_000);
    await contexto.close();
  });
}
