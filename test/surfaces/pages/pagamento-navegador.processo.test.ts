import { statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { getPixPayloadInfo, isValidPixPayload } from '@brazilian-utils/brazilian-utils';
import test from 'ava';
import type { Browser } from 'playwright-core';
import { createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { BOLETO, criarCobrado } from '../../support/cobrancas.ts';
import { RECEBEDOR, criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { codigosDaImagem, imagensDoPdf } from '../../support/leitores.ts';
import { abrirNavegador } from '../../support/navegador.ts';
import { criarPsp, novoFimAFim } from '../../support/recebimentos.ts';
import { relogioEm } from '../../support/relogio.ts';
import { abrirNoTelefone, medir, semRolagemAoLado } from '../../support/telefone.ts';

/** Friday, a bank holiday; noon in São Paulo. */
const AGORA = '2026-11-20T15:00:00.000Z';

const relogio = relogioEm(AGORA);
let api: Api;
let fabrica: Fabrica;
let navegador: Browser;

test.before(async () => {
  api = await criarApi({ relogio });
  fabrica = criarFabrica(api.dono);
  navegador = await abrirNavegador();
});
test.after.always(async () => {
  await navegador.close();
  await api.fechar();
});

// One after the other: they share the clock and the clipboard.
const abrir = (caminho: string, como: { javaScript?: boolean; permissions?: string[] } = {}) =>
  abrirNoTelefone(navegador, api.porta, caminho, como);

async function cobrado(cor = '#164a8a') {
  const a = await criarCobrado(api, fabrica, { nome: 'Serra Azul Telecom' });
  await createTenantWriter(api.dono, a.provedor).insert('provedores_identidade', {
    razao_social: 'Serra Azul Telecomunicações Ltda',
    cor,
    telefone: '3534210199',
    whatsapp: '35999990199',
    email: 'atendimento@serraazul.test',
    site: 'serraazul.test',
  });
  return a;
}

for (const javaScript of [true, false]) {
  const como = javaScript ? 'com' : 'sem';
  test.serial(
    `${como} JavaScript, num telefone: um leitor de outros lê no QR code da tela quem recebe e o valor de hoje`,
    async (t) => {
      const a = await cobrado();
      const { id, token, txid } = await a.fatura();
      const { pagina, contexto, pedidos, queixas } = await abrir(`/pix/${token}`, { javaScript });
      t.is(await pagina.title(), 'Pagar com PIX · Serra Azul Telecom');
      await semRolagemAoLado(t, pagina, 'página do PIX');
      await pagina.locator('figure svg').scrollIntoViewIfNeeded();
      const [codigo = ''] = await codigosDaImagem(await pagina.screenshot());
      // The CRC is in what the library calls valid.
      t.true(isValidPixPayload(codigo));
      t.like(getPixPayloadInfo(codigo), {
        key: RECEBEDOR.chave,
        merchantName: RECEBEDOR.nome,
        merchantCity: RECEBEDOR.cidade,
        amount: 102.23,
        txid,
      });
      t.is(codigo, (await a.ler(id)).segunda_via.pix_copia_cola);
      t.is(await pagina.getByLabel('PIX copia e cola').inputValue(), codigo);
      t.true(pedidos.every((pedido) => pedido.includes(`//127.0.0.1:${api.porta}/`) || pedido.endsWith(' data:,')));
      t.deepEqual(queixas, []);
      await contexto.close();
    },
  );
}

test.serial('o QR code é refeito a cada abertura: no dia seguinte leva o valor do dia', async (t) => {
  t.teardown(() => relogio.definir(AGORA));
  const { token } = await (await cobrado()).fatura();
  const { pagina, contexto } = await abrir(`/pix/${token}`, { javaScript: false });
  const valor = async () => {
    await pagina.locator('figure svg').scrollIntoViewIfNeeded();
    const [codigo = ''] = await codigosDaImagem(await pagina.screenshot());
    return getPixPayloadInfo(codigo)?.amount;
  };
  t.is(await valor(), 102.23);
  relogio.definir('2026-11-21T03:00:00Z');
  await pagina.reload();
  t.is(await valor(), 102.27);
  await contexto.close();
});

test.serial('o botão copia o código, e diz que copiou', async (t) => {
  const a = await cobrado();
  const { id, token } = await a.fatura({ tipo: 'boleto', ...BOLETO });
  const { pagina, contexto, queixas } = await abrir(`/pagar/${token}`, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const copiado = () => pagina.evaluate<string>('navigator.clipboard.readText()');
  await pagina.getByRole('button', { name: 'Copiar código PIX' }).tap();
  await pagina.getByRole('status').getByText('Código copiado.').first().waitFor();
  t.is(await copiado(), (await a.ler(id)).segunda_via.pix_copia_cola);
  await pagina.getByRole('button', { name: 'Copiar linha digitável' }).tap();
  await pagina.locator('#linha-dito').getByText('Código copiado.').waitFor();
  t.is((await copiado()).replaceAll(/\D/g, ''), BOLETO.linha_digitavel);
  t.deepEqual(queixas, []);
  await contexto.close();
});

test.serial('sem a área de transferência do navegador, o botão copia do campo', async (t) => {
  const { token } = await (await cobrado()).fatura();
  const { pagina, contexto } = await abrir(`/pix/${token}`);
  await pagina.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
  await pagina.evaluate(
    `document.addEventListener('copy', () => { window.copiado = String(getSelection()) || document.activeElement.value; })`,
  );
  await pagina.getByRole('button', { name: 'Copiar código PIX' }).tap();
  await pagina.locator('#pix-dito').getByText('Código copiado.').waitFor();
  t.regex(await pagina.evaluate<string>('window.copiado'), /^000201/);
  await contexto.close();
});

test.serial('a página aberta percebe o pagamento sozinha', async (t) => {
  const a = await cobrado();
  const { token, txid } = await a.fatura();
  const { pagina, contexto, queixas } = await abrir(`/pix/${token}`);
  await criarPsp(api).avisar(a.segredo, [{ endToEndId: novoFimAFim(), txid, valor: '102.23', horario: AGORA }]);
  await pagina.getByRole('heading', { name: 'Fatura paga' }).waitFor();
  t.true((await pagina.locator('main').innerText()).includes('Obrigado!'));
  t.is(await pagina.locator('textarea, svg, [data-estado]').count(), 0);
  t.deepEqual(queixas, []);
  await contexto.close();
});

test.serial('de uma página à outra chega-se ao QR code e de volta', async (t) => {
  const a = await cobrado();
  const { token } = await a.fatura({ tipo: 'boleto', ...BOLETO });
  const { pagina, contexto } = await abrir(`/pagar/${token}`);
  await semRolagemAoLado(t, pagina, 'página de pagamento');
  await pagina.getByRole('link', { name: 'Ver o QR code' }).tap();
  await pagina.getByRole('heading', { name: 'Pagar com PIX' }).waitFor();
  await pagina.getByRole('link', { name: 'Outras formas de pagar' }).tap();
  await pagina.getByRole('heading', { name: 'Pagar a fatura' }).waitFor();
  t.is(await pagina.getByRole('link', { name: 'Abrir o PDF' }).getAttribute('href'), `/boleto/${token}`);
  await contexto.close();
});

for (const cor of ['#164a8a', '#f2b705', '#ffffff', '#000000', '#777777']) {
  test.serial(`com a cor ${cor}, tudo se lê, se toca e se alcança pelo teclado`, async (t) => {
    const a = await cobrado(cor);
    const { token } = await a.fatura({ tipo: 'boleto', ...BOLETO });
    for (const caminho of [`/pix/${token}`, `/pagar/${token}`]) {
      const { pagina, contexto } = await abrir(caminho);
      t.deepEqual(await medir(pagina), { pequenos: [], miudos: [], apagados: [], semNome: [] }, caminho);
      const alvos = await pagina.locator('a, button, textarea').count();
      const focados = new Set<string>();
      for (let i = 0; i < alvos; i += 1) {
        await pagina.keyboard.press('Tab');
        focados.add(await pagina.evaluate<string>('document.activeElement.outerHTML.slice(0, 80)'));
      }
      t.is(focados.size, alvos, caminho);
      await contexto.close();
    }
  });
}

// The images in the README: MALHA_FOTOS=sim npm test -- test/surfaces/pages/pagamento-navegador.processo.test.ts --match='*README*'
if (process.env['MALHA_FOTOS'] === 'sim') {
  test('as imagens do README', async (t) => {
    const { LOGO_SERRA_AZUL } = await import('../../../seeds/logos.ts');
    const a = await cobrado();
    await api.container
      .db('provedores_identidade')
      .where({ provedor_id: a.provedor })
      .update({
        logo: Buffer.from(LOGO_SERRA_AZUL, 'base64'),
        logo_tipo: 'image/png',
      });
    const { token } = await a.fatura({ tipo: 'boleto', ...BOLETO });
    for (const [nome, caminho] of [
      ['pix', `/pix/${token}`],
      ['pagar', `/pagar/${token}`],
    ]) {
      const { pagina, contexto } = await abrir(caminho!);
      const destino = fileURLToPath(new URL(`../../../../docs/imagens/${nome}.png`, import.meta.url));
      await pagina.screenshot({ path: destino, scale: 'css' });
      t.true(statSync(destino).size < 150_000);
      await contexto.close();
    }
    const boleto = await fetch(`http://127.0.0.1:${api.porta}/boleto/${token}`);
    const [imagem] = await imagensDoPdf(new Uint8Array(await boleto.arrayBuffer()), 72);
    writeFileSync(fileURLToPath(new URL('../../../../docs/imagens/boleto.png', import.meta.url)), imagem!);
  });
}
