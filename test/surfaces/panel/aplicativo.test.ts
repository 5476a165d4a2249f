import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { createConfiguracaoDoAppService } from '../../../src/domain/provedores/app/app.service.ts';
import { contaDoGoogle } from '../../domain/push/apoio.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { SENHA_DO_PAINEL, entrarNoPainel } from '../../support/painel.ts';
import { relogioEm } from '../../support/relogio.ts';

const EM = '/configuracoes/app';

const relogio = relogioEm('2026-11-23T12:00:00Z');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(async () => api.fechar());

async function cenario() {
  const provedor = await criarFabrica(api.dono).provedor();
  const pessoa = await entrarNoPainel(api, provedor);
  const linha = async () => api.dono('provedores').where('id', provedor).first();
  const versao = async (em = EM) => /name="versao" value="([^"]+)"/.exec((await pessoa.get(em)).texto)?.[1] ?? '';
  return { provedor, pessoa, linha, versao };
}

test('os endereços do app e o que o assinante muda se salvam; o que não é endereço é dito ao lado do campo', async (t) => {
  const { provedor, pessoa, linha, versao } = await cenario();
  const tela = (await pessoa.get(EM)).texto;
  t.regex(tela, /name="edita_cadastro"[^>]*checked/);
  t.regex(tela, /Das 21:00 às 8:00/);
  const origens = 'https://app.serra.example\n https://APP2.serra.example:8443/ \n';
  const lida = await versao();
  t.is((await pessoa.post(EM, { origens, versao: lida })).status, 303);
  t.deepEqual(await api.container.configuracaoDoApp.buscar(provedor), {
    origens: ['https://app.serra.example', 'https://app2.serra.example:8443'],
    editaCadastro: false,
  });
  // Who has read what was before writes nothing, and is shown both.
  const outra = await pessoa.post(EM, { origens: 'https://outra.example', edita_cadastro: 'sim', versao: lida });
  t.is(outra.status, 409);
  t.regex(outra.texto, /está gravado “https:\/\/app\.serra\.example, https:\/\/app2/);
  t.is((await linha()).app_edita_cadastro, 0);
  for (const errada of ['http://app.serra.example', 'https://app.serra.example/caminho', 'https://*.example', 'app']) {
    const recusada = await pessoa.post(EM, { origens: `https://boa.example\n${errada}`, versao: await versao() });
    t.is(recusada.status, 422, errada);
    t.regex(recusada.texto, /id="campo-origens-falta"/);
    t.true(recusada.texto.includes(errada), 'o que se digitou continua lá');
  }
  const onze = Array.from({ length: 11 }, (_, n) => `https://a${n}.example`).join('\n');
  t.is((await pessoa.post(EM, { origens: onze })).status, 422);
  t.is((await pessoa.post(EM, { origens: '', edita_cadastro: 'sim' })).status, 303);
  t.deepEqual((await api.container.configuracaoDoApp.buscar(provedor))?.origens, []);
});

test('fora da produção, quem faz um app o chama de localhost; em produção, só de https', async (t) => {
  const { provedor, pessoa, versao } = await cenario();
  const origens = ['http://localhost:5173', 'http://app.localhost'];
  const falsas = ['http://localhost.exemplo.com.br', 'http://127.0.0.1:5173', 'ftp://localhost'];
  for (const falsa of falsas) {
    t.is((await pessoa.post(EM, { origens: falsa, versao: await versao() })).status, 422, falsa);
  }
  t.is((await pessoa.post(EM, { origens: origens.join('\n'), versao: await versao() })).status, 303);
  t.deepEqual((await api.container.configuracaoDoApp.buscar(provedor))?.origens, origens);
  const { db, write } = api.container;
  const emProducao = createConfiguracaoDoAppService({ db, write, emProducao: true });
  for (const origem of origens) {
    await t.throwsAsync(emProducao.configurar(TERMINAL, provedor, { origens: [origem] }), { message: /https/ });
  }
});

test('a tela mostra o que o assinante recebe de cada assunto', async (t) => {
  const { pessoa } = await cenario();
  const tela = (await pessoa.get(EM)).texto.replaceAll('\u00A0', ' ');
  for (const [dito, titulo, texto] of [
    ['fatura que vence em poucos dias', 'Fatura a vencer', 'R$ 99,90, com vencimento em 26/11/2026.'],
    ['fatura vencida', 'Fatura vencida', 'Venceu em 20/11/2026. Hoje são R$ 99,90.'],
    ['pagamento confirmado', 'Pagamento confirmado', 'Recebemos R$ 99,90. Obrigado.'],
    ['visita marcada', 'Visita marcada', 'Visita do chamado 1: 24/11 às 14:00.'],
    ['segurança do acesso', 'Segurança do seu acesso', 'Se não foi você, fale com o provedor.'],
  ] as const) {
    t.regex(tela, new RegExp(`<dt>${dito}</dt>\\s*<dd><strong>${titulo}</strong>`));
    t.true(tela.includes(texto), texto);
  }
  // One of each kind but messages, which are staff's own words.
  t.is(tela.match(/<dd><strong>/g)?.length, 13);
});

test.serial(
  'a conta do FCM pede prova antes de ser colada, e o que se colou não aparece em página nenhuma',
  async (t) => {
    const { pessoa, linha, versao } = await cenario();
    relogio.avancar(11 * 60_000);
    const pergunta = await pessoa.post(`${EM}/fcm/nova`);
    t.regex(pergunta.texto, /Confirme que é você/);
    const tela = await pessoa.post(`${EM}/fcm/nova`, { _senha: SENHA_DO_PAINEL });
    t.regex(tela.texto, /name="conta"/);
    const [, lida = ''] = /name="versao" value="([^"]+)"/.exec(tela.texto) ?? [];
    const torta = await pessoa.post(`${EM}/fcm`, { conta: '{"private_key":"coisa secreta"}', versao: lida });
    t.is(torta.status, 422);
    t.regex(torta.texto, /id="campo-conta-falta"/);
    t.false(torta.texto.includes('coisa secreta'));
    const conta = contaDoGoogle();
    relogio.avancar(11 * 60_000);
    const semSegredo = await pessoa.post(`${EM}/fcm`, { conta, versao: lida });
    t.regex(semSegredo.texto, /Confirme que é você/);
    t.false(semSegredo.texto.includes('PRIVATE KEY'));
    const salva = await pessoa.post(`${EM}/fcm`, { conta, versao: lida, _senha: SENHA_DO_PAINEL });
    t.is(salva.status, 303);
    t.is((await linha()).fcm_projeto, 'serra-azul');
    const pagina = await pessoa.get(EM);
    t.regex(pagina.texto, /serra-azul/);
    t.false(pagina.texto.includes('PRIVATE KEY'));
    t.is((await pessoa.post(`${EM}/fcm`, { conta, versao: lida })).status, 409, 'outra já foi definida');
    t.is((await pessoa.post(`${EM}/fcm/remover`)).status, 303);
    t.is((await linha()).fcm_conta, null);
    t.is(typeof (await versao()), 'string');
    const linhas = await api.dono('auditoria').where({ usuario_id: pessoa.usuarioId, acao: 'provedor.configurado' });
    t.is(linhas.length, 2);
    t.false(JSON.stringify(linhas).includes('PRIVATE'));
  },
);

test('só quem muda as configurações abre esta tela', async (t) => {
  const { provedor } = await cenario();
  const outro = await entrarNoPainel(api, provedor, 'financeiro');
  t.is((await outro.get(EM)).status, 403);
  for (const resto of ['', '/fcm', '/fcm/nova', '/fcm/remover']) t.is((await outro.post(EM + resto)).status, 403);
});
