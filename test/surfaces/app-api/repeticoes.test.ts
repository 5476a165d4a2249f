import test from 'ava';
import { hash } from 'node:crypto';
import { CPF, DE_ONDE, SENHA, criarAssinante } from '../../domain/acessos/apoio.ts';
import { criarApi } from '../../support/api.ts';
import type { Api, Resposta } from '../../support/api.ts';
import { pedirAoApp } from '../../support/app-api.ts';
import type { PedirAoApp } from '../../support/app-api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { WEBHOOKS_AQUI, criarReceptorDeWebhooks } from '../../support/receptor.ts';
import type { ReceptorDeWebhooks } from '../../support/receptor.ts';

let api: Api;
let pedir: PedirAoApp;
let receptor: ReceptorDeWebhooks;
test.before(async () => {
  api = await criarApi({ env: WEBHOOKS_AQUI, processos: 2 });
  pedir = pedirAoApp(api);
  receptor = await criarReceptorDeWebhooks();
});
test.after.always(async () => {
  receptor.fechar();
  await api.fechar();
});

const marca = (qual: string) => ({ headers: { 'idempotency-key': qual } });
const codigo = ({ status, corpo }: Resposta): [number, string] => [status, corpo.errors?.[0]?.code];
const guardadas = async (provedor: number): Promise<any[]> =>
  api.dono('requisicoes_idempotentes').where('provedor_id', provedor).orderBy('id');

async function integracao() {
  const fabrica = criarFabrica(api.dono);
  const provedor = await fabrica.provedor();
  const { texto: chave } = await api.criarChave(provedor);
  return { fabrica, provedor, chave };
}

test.serial('o que traz um segredo, repetido, traz o mesmo, e em nenhum lugar ele está em claro', async (t) => {
  const { fabrica, provedor, chave } = await integracao();
  const cliente = await fabrica.cliente(provedor);
  const corpo = { url: receptor.url, events: ['*'] };
  const criar = async (processo = 0) => pedir('POST', '/webhooks', { chave, corpo, processo, ...marca('w') });
  const criado = await criar();
  t.is(criado.status, 201, criado.texto);
  t.is((await criar(1)).texto, criado.texto);
  t.is((await api.dono('webhooks').where('provedor_id', provedor)).length, 1);
  const { id, secret } = criado.corpo.data;
  const trocar = async () => pedir('POST', `/webhooks/${id}/secret`, { chave, ...marca('s') });
  const trocado = await trocar();
  t.is((await trocar()).texto, trocado.texto);
  t.not(trocado.corpo.data.secret, secret);
  const gerar = async () => pedir('POST', `/clientes/${cliente}/acesso`, { chave, ...marca('a') });
  const gerado = await gerar();
  t.is(gerado.status, 201, gerado.texto);
  t.is((await gerar()).texto, gerado.texto);

  const linhas = await guardadas(provedor);
  t.is(linhas.length, 3);
  for (const linha of linhas) {
    t.is(linha.corpo, null);
    for (const segredo of ['whsec_', gerado.corpo.data.codigo as string])
      t.false((linha.corpo_cifrado as Buffer).includes(segredo));
  }
  // Sealed for its place: what stands in another row opens nowhere.
  await api
    .dono('requisicoes_idempotentes')
    .where({ provedor_id: provedor, id: linhas[0].id })
    .update({ corpo_cifrado: linhas[1].corpo_cifrado });
  t.is((await criar()).status, 500);
});

test.serial('webhooks: mudar, remover e reenviar outra vez é a mesma resposta, e nada se faz de novo', async (t) => {
  const { provedor, chave } = await integracao();
  const { corpo } = await pedir('POST', '/webhooks', { chave, corpo: { url: receptor.url, events: ['*'] } });
  const { id } = corpo.data;
  const from = new Date(Date.now() - 60_000).toISOString();
  for (const [metodo, caminho, enviado] of [
    ['PUT', `/webhooks/${id}`, { description: 'CRM' }],
    ['POST', `/webhooks/${id}/replay`, { from, only_failed: false }],
    ['DELETE', `/webhooks/${id}`, undefined],
  ] as const) {
    const fazer = async () =>
      pedir(metodo, caminho, { chave, corpo: enviado, ...marca(`m ${metodo}`.replace(' ', '')) });
    const primeira = await fazer();
    t.true(primeira.status < 300, primeira.texto);
    const outra = await fazer();
    t.deepEqual([outra.status, outra.texto], [primeira.status, primeira.texto]);
  }
  t.is((await api.dono('auditoria').where({ provedor_id: provedor, acao: 'webhook.removido' })).length, 1);
});

test.serial(
  'o que escreve por si: em curso é 409, feito é a mesma resposta, recusado não se guarda, abandonado se refaz',
  async (t) => {
    const { provedor, chave } = await integracao();
    const { corpo } = await pedir('POST', '/webhooks', { chave, corpo: { url: receptor.url, events: ['*'] } });
    const testar = async (processo = 0, id = corpo.data.id) =>
      pedir('POST', `/webhooks/${id}/test`, { chave, processo, ...marca('t') });
    let responder = (): void => undefined;
    const chegou = new Promise<void>((resolve) => {
      receptor.responder = (_pedido, resposta) => {
        responder = () => void resposta.end('ok');
        resolve();
      };
    });
    const primeira = testar();
    await chegou;
    for (const processo of [0, 1]) t.deepEqual(codigo(await testar(processo)), [409, 'requisicao_em_andamento']);
    responder();
    const feita = await primeira;
    t.is(feita.status, 200, feita.texto);
    t.is((await testar(1)).texto, feita.texto);
    t.deepEqual(codigo(await testar(0, 999_999)), [422, 'chave_idempotencia_reutilizada']);

    receptor.responder = (_pedido, resposta) => void resposta.end('ok');
    // As a process leaves it that died three minutes ago, before it could keep the answer.
    await api
      .dono('requisicoes_idempotentes')
      .where('provedor_id', provedor)
      .update({ status: null, corpo: null, criado_em: new Date(Date.now() - 180_000) });
    const refeita = await testar();
    t.deepEqual([refeita.status, refeita.texto === feita.texto], [200, false]);
    t.is((await testar()).texto, refeita.texto);

    const ausente = async () => pedir('POST', '/webhooks/999999/test', { chave, ...marca('n') });
    for (let vez = 0; vez < 2; vez += 1) t.deepEqual(codigo(await ausente()), [404, 'nao_encontrado']);
    t.is((await guardadas(provedor)).length, 1);
  },
);

test.serial(
  'o assinante: a chave é do documento, em todos os seus aparelhos, e a senha não se adivinha por ela',
  async (t) => {
    const c = await criarAssinante(api);
    const [um, outro] = [await c.entrar(), await c.entrar()];
    const trocar = async ({ access }: { access: string }, senha_nova = 'outra de galocha 7') =>
      pedir('PUT', '/auth/password', {
        corpo: { senha_atual: SENHA, senha_nova },
        headers: { authorization: `Bearer ${access}`, ...marca('p').headers },
      });
    const trocada = await trocar(um);
    t.is(trocada.status, 200, trocada.texto);
    t.deepEqual(trocada.corpo.data, { ended: 2 });
    // The other device was signed out by it, and signs in again.
    t.deepEqual(codigo(await trocar(outro)), [401, 'sessao_encerrada']);
    const deNovo = await c.entrar('outra de galocha 7');
    for (const sessao of [um, deNovo]) t.is((await trocar(sessao)).texto, trocada.texto);
    t.deepEqual(codigo(await trocar(um, 'uma terceira 77')), [422, 'chave_idempotencia_reutilizada']);
    const [linha] = await guardadas(c.provedor.id);
    t.like(linha, { chave_id: null, usuario_id: null, status: 200 });
    const pedido = JSON.stringify([
      'PUT',
      '/v1/auth/password',
      [
        ['senha_atual', SENHA],
        ['senha_nova', 'outra de galocha 7'],
      ],
    ]);
    t.false((linha.pedido as Buffer).equals(hash('sha256', pedido, 'buffer')));
    // Another tax id has keys of its own.
    const vizinho = await criarAssinante(api);
    t.is((await trocar(await vizinho.entrar())).status, 200);
    t.is((await c.entrar('outra de galocha 7', CPF, DE_ONDE)).trocarSenha, false);
  },
);
