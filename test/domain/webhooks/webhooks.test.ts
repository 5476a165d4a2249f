import test from 'ava';
import { Webhook as Verificador } from 'standardwebhooks';
import { CamposInvalidos, Recusa } from '../../../src/domain/erros.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { AUTOR } from '../../support/autor.ts';
import { ate } from '../../support/espera.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { WEBHOOKS_AQUI, criarReceptorDeWebhooks } from '../../support/receptor.ts';
import type { ReceptorDeWebhooks } from '../../support/receptor.ts';
import { relogioEm } from '../../support/relogio.ts';
import { entregador } from './apoio.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const SEGUNDO = 1000;
const MINUTO = 60 * SEGUNDO;
const HORA = 60 * MINUTO;
const DIA = 24 * HORA;

const relogio = relogioEm(AGORA);
let api: Api;
let fabrica: Fabrica;
let receptor: ReceptorDeWebhooks;
let worker: ReturnType<typeof entregador>;

test.before(async () => {
  api = await criarApi({ relogio, env: WEBHOOKS_AQUI });
  fabrica = criarFabrica(api.dono);
  worker = entregador(api.container);
});
test.after.always(async () => api.fechar());
test.beforeEach(async () => {
  relogio.definir(AGORA);
  receptor = await criarReceptorDeWebhooks();
});
test.afterEach.always(() => receptor.fechar());

async function cenario(eventos: readonly string[] = ['*']) {
  const provedor = await fabrica.provedor();
  const { id, segredo } = await api.container.webhooks.criar(AUTOR, provedor, { url: receptor.url, eventos });
  const cliente = await fabrica.cliente(provedor);
  return { provedor, id, segredo, cliente };
}

/** Something happens to each of some clients, one after the other. */
async function acontecer(provedor: number, cliente: number, vezes = 1): Promise<void> {
  for (let vez = 0; vez < vezes; vez += 1) {
    await api.container.write(AUTOR, provedor, async (w) => {
      w.emit('cliente.atualizado', cliente, { cliente, campos: ['email'] });
    });
  }
}

const entregas = async (provedor: number, id: number) => api.container.webhooks.entregas(provedor, id, {}, 100);
const buscar = async (provedor: number, id: number) => (await api.container.webhooks.buscar(provedor, id))!;

/** Moves on to the next attempt, whenever it is, and makes it. */
async function proxima(provedor: number, id: number): Promise<number> {
  const [entrega] = await entregas(provedor, id);
  const espera = entrega!.proximaEm!.getTime() - relogio.agora().getTime();
  relogio.avancar(espera);
  await worker.entregar();
  return espera;
}

test.serial('o que acontece chega uma vez, assinado como diz a norma, e o corpo não leva dado pessoal', async (t) => {
  const { provedor, id, segredo, cliente } = await cenario();
  relogio.definir(new Date().toISOString());
  await acontecer(provedor, cliente);
  await worker.tudo();
  await worker.tudo();
  t.is(receptor.recebidos.length, 1);
  const [{ headers, corpo }] = receptor.recebidos as [ReceptorDeWebhooks['recebidos'][number]];
  t.notThrows(() => new Verificador(segredo).verify(corpo, headers as Record<string, string>));
  t.throws(() => new Verificador(segredo).verify(`${corpo} `, headers as Record<string, string>));
  t.regex(String(headers['webhook-id']), /^msg_[0-9A-HJKMNP-TV-Z]{26}$/);
  t.is(headers['user-agent'], 'Malha-Webhooks/1');
  t.is(headers['content-type'], 'application/json');
  const dito = JSON.parse(corpo) as Record<string, unknown>;
  t.deepEqual(Object.keys(dito), ['type', 'timestamp', 'provedor', 'data']);
  t.is(dito['type'], 'cliente.atualizado');
  t.deepEqual(dito['data'], { cliente_id: cliente, campos: ['email'] });
  const [entrega] = await entregas(provedor, id);
  t.like(entrega, { situacao: 'entregue', tentativas: 1, proximaEm: null, tipo: 'cliente.atualizado' });
  t.is(headers['webhook-id'], entrega!.mensagemId);
  const aberta = await api.container.webhooks.entrega(provedor, id, entrega!.id);
  t.is(aberta!.corpo, corpo);
  t.like(aberta!.feitas[0], { numero: 1, status: 200, erro: null, resposta: '' });
});

test.serial('só chega o que se assinou, e a quem é do provedor', async (t) => {
  const { provedor, cliente } = await cenario(['fatura.*', 'chamado.aberto']);
  const outro = await cenario(['*']);
  await acontecer(provedor, cliente);
  const fatura = await fabrica.fatura(provedor, { cliente_id: cliente });
  await api.container.write(AUTOR, provedor, async (w) => {
    w.emit('fatura.criada', fatura, { cliente, contrato: null, valor: '99.90' });
  });
  await worker.tudo();
  t.deepEqual(
    receptor.recebidos.map(({ corpo }) => (JSON.parse(corpo) as { type: string }).type),
    ['fatura.criada'],
  );
  t.regex(receptor.recebidos[0]!.corpo, /"valor":99\.90,/);
  t.deepEqual(await entregas(outro.provedor, outro.id), []);
});

test.serial('o que se desfez não chega', async (t) => {
  const { provedor, cliente } = await cenario();
  await t.throwsAsync(
    api.container.write(AUTOR, provedor, async (w) => {
      w.emit('cliente.atualizado', cliente, { cliente, campos: ['email'] });
      await Promise.reject(new Error('desfeita'));
    }),
    { message: 'desfeita' },
  );
  await worker.tudo();
  t.deepEqual(receptor.recebidos, []);
});

test.serial('dez tentativas, nos intervalos da norma, com o mesmo id, e depois esgotada', async (t) => {
  const { provedor, id, cliente } = await cenario();
  receptor.responder = (_pedido, resposta) => void resposta.writeHead(500).end('quebrou');
  await acontecer(provedor, cliente);
  await worker.tudo();
  const esperas: number[] = [];
  for (let vez = 2; vez <= 10; vez += 1) esperas.push(await proxima(provedor, id));
  const ditas = [5 * SEGUNDO, 5 * MINUTO, 30 * MINUTO, 2 * HORA, 5 * HORA, 10 * HORA, 14 * HORA, 20 * HORA, 24 * HORA];
  for (const [n, dita] of ditas.entries()) {
    t.true(esperas[n]! >= dita * 0.8 && esperas[n]! <= dita * 1.2, `${n}: ${esperas[n]}`);
  }
  const [entrega] = await entregas(provedor, id);
  t.like(entrega, { situacao: 'esgotada', tentativas: 10, proximaEm: null });
  t.like(entrega!.ultima, { status: 500, erro: 'resposta_500' });
  t.is(new Set(receptor.recebidos.map(({ headers }) => headers['webhook-id'])).size, 1);
  t.true(new Set(receptor.recebidos.map(({ headers }) => headers['webhook-timestamp'])).size > 5);
  const aberta = await api.container.webhooks.entrega(provedor, id, entrega!.id);
  t.is(aberta!.feitas.length, 10);
  t.is(aberta!.feitas[0]!.resposta, 'quebrou');
  relogio.avancar(10 * DIA);
  await worker.entregar();
  t.is(receptor.recebidos.length, 10);
});

test.serial('Retry-After de quem está ocupado vale, até um dia; um redirecionamento é falha', async (t) => {
  const { provedor, id, cliente } = await cenario();
  let dito = '120';
  receptor.responder = (_pedido, resposta) => void resposta.writeHead(503, { 'retry-after': dito }).end();
  await acontecer(provedor, cliente);
  await worker.tudo();
  t.is(await proxima(provedor, id), 120 * SEGUNDO);
  // The attempt that hears this is made in 120 s.
  dito = new Date(relogio.agora().getTime() + 180 * SEGUNDO).toUTCString();
  t.is(await proxima(provedor, id), 120 * SEGUNDO);
  dito = '999999';
  t.is(await proxima(provedor, id), 60 * SEGUNDO);
  receptor.responder = (_pedido, resposta) => void resposta.writeHead(302, { location: receptor.url }).end();
  t.is(await proxima(provedor, id), DIA);
  t.like((await entregas(provedor, id))[0]!.ultima, { status: 302, erro: 'redirecionamento' });
});

test.serial('uma conexão que quebrou logo é tentada de novo na hora, sem contar', async (t) => {
  const { provedor, id, cliente } = await cenario();
  let vez = 0;
  receptor.responder = (pedido, resposta) => {
    vez += 1;
    if (vez === 1) pedido.socket.destroy();
    else resposta.end();
  };
  await acontecer(provedor, cliente);
  await worker.tudo();
  t.like((await entregas(provedor, id))[0], { situacao: 'entregue', tentativas: 1 });
  t.is(receptor.recebidos.length, 2);
});

test.serial('dez de cada vez, na ordem do que aconteceu; depois de dez falhas seguidas, uma', async (t) => {
  const { provedor, id, cliente } = await cenario();
  await acontecer(provedor, cliente, 40);
  const esperam: (() => void)[] = [];
  receptor.responder = (_pedido, resposta) => {
    esperam.push(() => resposta.end());
    if (esperam.length === 10) for (const soltar of esperam.splice(0)) soltar();
  };
  await worker.tudo();
  t.is(receptor.maximo(), 10);
  const emOrdem = (await entregas(provedor, id)).toReversed().map(({ mensagemId }) => mensagemId);
  const chegados = receptor.recebidos.map(({ headers }) => String(headers['webhook-id']));
  t.is(new Set(chegados).size, 40);
  // Ten are under way at a time: none is further from its place than that.
  for (const [n, chegado] of chegados.entries()) t.true(Math.abs(emOrdem.indexOf(chegado) - n) < 10, chegado);

  receptor.responder = (_pedido, resposta) => void resposta.writeHead(500).end();
  await acontecer(provedor, cliente, 10);
  await worker.tudo();
  const outro = await criarReceptorDeWebhooks();
  t.teardown(() => outro.fechar());
  await api.container.webhooks.alterar(AUTOR, provedor, id, { url: outro.url });
  outro.responder = (_pedido, resposta) => void setTimeout(() => resposta.writeHead(500).end(), 20);
  await acontecer(provedor, cliente, 5);
  await worker.tudo();
  t.is(outro.recebidos.length, 5);
  t.is(outro.maximo(), 1);
  // One succeeds alone, and the next ten come together.
  outro.responder = (_pedido, resposta) => {
    if (outro.recebidos.length === 6) {
      resposta.end();
      return;
    }
    esperam.push(() => resposta.end());
    if (esperam.length === 10) for (const soltar of esperam.splice(0)) soltar();
  };
  await acontecer(provedor, cliente, 11);
  await worker.tudo();
  t.is(outro.maximo(), 10);
});

test.serial('um receptor que não responde não atrasa os outros', async (t) => {
  const { provedor, cliente } = await cenario();
  const bom = await criarReceptorDeWebhooks();
  t.teardown(() => bom.fechar());
  await api.container.webhooks.criar(AUTOR, provedor, { url: bom.url, eventos: ['*'] });
  const soltos: (() => void)[] = [];
  receptor.responder = (_pedido, resposta) => void soltos.push(() => resposta.end());
  await acontecer(provedor, cliente, 30);
  await worker.consumir();
  await api.container.entregas.entregar();
  await ate(() => bom.recebidos.length === 30);
  t.is(receptor.recebidos.length, 10);
  receptor.responder = (_pedido, resposta) => void resposta.end();
  for (const soltar of soltos) soltar();
  await api.container.entregas.terminar();
  t.is(receptor.recebidos.length, 30);
});

test.serial('o que acontece enquanto um envio não responde não espera por ele', async (t) => {
  const { provedor, cliente } = await cenario();
  const soltos: (() => void)[] = [];
  receptor.responder = (_pedido, resposta) => void soltos.push(() => resposta.end());
  await acontecer(provedor, cliente);
  await worker.consumir();
  await api.container.entregas.entregar();
  await ate(() => receptor.recebidos.length === 1);
  await acontecer(provedor, cliente, 2);
  await worker.consumir();
  await ate(() => receptor.recebidos.length === 3);
  t.is(soltos.length, 3);
  receptor.responder = (_pedido, resposta) => void resposta.end();
  for (const soltar of soltos) soltar();
  await api.container.entregas.terminar();
});

test.serial('um processo que morreu a meio de uma tentativa não a perde', async (t) => {
  const { provedor, id, cliente } = await cenario();
  await acontecer(provedor, cliente);
  await worker.consumir();
  // As it stands after kill -9: counted, and nobody says what came of it.
  await api.dono('webhook_entregas').where({ webhook_id: id }).update({
    estado: 'em_andamento',
    tentativas: 1,
    vez: 1,
    proxima_em: '2026-11-20 15:00:35.000',
  });
  await worker.entregar();
  t.deepEqual(receptor.recebidos, []);
  t.like((await entregas(provedor, id))[0], { situacao: 'pendente', tentativas: 1 });
  relogio.avancar(36 * SEGUNDO);
  await worker.entregar();
  t.is(receptor.recebidos.length, 1);
  t.like((await entregas(provedor, id))[0], { situacao: 'entregue', tentativas: 2 });
});

test.serial('410 desativa na hora; a equipe ouve, o que esperava é cancelado, e nada mais entra na fila', async (t) => {
  const { provedor, id, cliente } = await cenario();
  // Of long ago: more than what is read through to find where a time begins.
  const antigos = {
    provedor_id: provedor,
    tipo: 'cliente.atualizado',
    dados: JSON.stringify({ cliente, campos: ['email'] }),
    recurso_id: cliente,
    etiquetas: '[]',
    criado_em: '2026-10-01 00:00:00',
  };
  await api.dono.batchInsert(
    'eventos',
    Array.from({ length: 3000 }, () => ({ ...antigos, publicado_em: antigos.criado_em })),
    500,
  );
  receptor.responder = (_pedido, resposta) => void resposta.writeHead(500).end();
  await acontecer(provedor, cliente, 2);
  await worker.tudo();
  receptor.responder = (_pedido, resposta) => void resposta.writeHead(410).end();
  await acontecer(provedor, cliente);
  await worker.tudo();
  t.like(await buscar(provedor, id), { situacao: 'desativado', motivo: 'gone' });
  t.deepEqual(
    (await entregas(provedor, id)).map(({ situacao }) => situacao),
    ['cancelada', 'cancelada', 'cancelada'],
  );
  await acontecer(provedor, cliente);
  await worker.tudo();
  t.is((await entregas(provedor, id)).length, 3);
  const avisos = await api.dono('notificacoes').where({ provedor_id: provedor, recurso: 'webhook' });
  t.deepEqual(
    avisos.map(({ tipo, recurso_id }) => [tipo, recurso_id]),
    [['webhook.desativado', id]],
  );

  // Brought back, what happened meanwhile can be fetched.
  receptor.responder = (_pedido, resposta) => void resposta.end();
  await api.container.webhooks.alterar(AUTOR, provedor, id, { situacao: 'ativo' });
  t.like(await buscar(provedor, id), { situacao: 'ativo', motivo: null, falhandoDesde: null });
  const desde = { de: new Date(relogio.agora().getTime() - DIA), ate: new Date(Date.now() + HORA) };
  t.is(await api.container.webhooks.reenviarDesde(AUTOR, provedor, id, desde), 3);
  receptor.recebidos.length = 0;
  await worker.entregar();
  t.is(receptor.recebidos.length, 3);
  t.is(await api.container.webhooks.reenviarDesde(AUTOR, provedor, id, { ...desde, so_falhas: false }), 1);
  await worker.entregar();
  t.is(receptor.recebidos.length, 4);
  t.is(await api.container.webhooks.reenviarDesde(AUTOR, provedor, id, { ...desde, so_falhas: false }), 0);
});

test.serial(
  'reenviar tudo, com eventos que ainda esperam, não entrega nenhum duas vezes e não para os seguintes',
  async (t) => {
    const { provedor, id, cliente } = await cenario();
    const outro = await api.container.webhooks.criar(AUTOR, provedor, { url: receptor.url, eventos: ['*'] });
    const tudo = { de: new Date(AGORA), ate: new Date(Date.now() + HORA), so_falhas: false };
    const reenviar = async (qual: number) => api.container.webhooks.reenviarDesde(AUTOR, provedor, qual, tudo);
    await acontecer(provedor, cliente, 2);
    t.is(await reenviar(id), 0);
    // The consumer is about to take one that somebody has made a delivery of already: its row was put back.
    await worker.consumir();
    const [{ evento_id }] = await api.dono('webhook_mensagens').where({ provedor_id: provedor }).orderBy('id');
    await api.dono('webhook_entregas').where({ provedor_id: provedor, webhook_id: outro.id }).delete();
    await api.dono('eventos_pendentes').insert({ provedor_id: provedor, consumidor: 'webhooks', evento_id });
    await acontecer(provedor, cliente);
    await worker.tudo();
    t.is((await entregas(provedor, id)).length, 3);
    t.is((await entregas(provedor, outro.id)).length, 2);
    t.is(await reenviar(outro.id), 1);
    await worker.tudo();
    t.is((await entregas(provedor, outro.id)).length, 3);
    t.is(receptor.recebidos.length, 6);
  },
);

test.serial('um dia sem sucesso é avisado uma vez; cinco, com dez falhas, desativam', async (t) => {
  const { provedor, id, cliente } = await cenario();
  receptor.responder = (_pedido, resposta) => void resposta.writeHead(500).end();
  await acontecer(provedor, cliente, 9);
  await worker.tudo();
  const avisos = async () =>
    (await api.dono('notificacoes').where({ provedor_id: provedor, recurso: 'webhook' })).map(({ tipo }) => tipo);
  t.deepEqual(await avisos(), []);
  t.is((await buscar(provedor, id)).falhandoDesde?.toISOString(), AGORA);
  relogio.avancar(DIA + MINUTO);
  await worker.entregar();
  await worker.entregar();
  t.deepEqual(await avisos(), ['webhook.falhando']);
  relogio.avancar(4 * DIA);
  await worker.entregar();
  t.is((await buscar(provedor, id)).situacao, 'ativo');
  await acontecer(provedor, cliente);
  await worker.tudo();
  relogio.avancar(DIA);
  await worker.entregar();
  await worker.entregar();
  t.like(await buscar(provedor, id), { situacao: 'desativado', motivo: 'falhas' });
  t.deepEqual(await avisos(), ['webhook.falhando', 'webhook.desativado']);
});

test.serial('pausado, nada entra na fila, e o que espera continua a esperar', async (t) => {
  const { provedor, id, cliente } = await cenario();
  await acontecer(provedor, cliente);
  await worker.consumir();
  await api.container.webhooks.alterar(AUTOR, provedor, id, { situacao: 'pausado' });
  await acontecer(provedor, cliente);
  await worker.tudo();
  t.deepEqual(receptor.recebidos, []);
  await api.container.webhooks.alterar(AUTOR, provedor, id, { situacao: 'ativo' });
  await worker.tudo();
  t.is(receptor.recebidos.length, 1);
});

test.serial('trocar o segredo: os dois assinam enquanto dura, e uma terceira troca larga o mais antigo', async (t) => {
  const { provedor, id, segredo: primeiro, cliente } = await cenario();
  relogio.definir(new Date().toISOString());
  const enviar = async () => {
    receptor.recebidos.length = 0;
    await acontecer(provedor, cliente);
    await worker.tudo();
    return receptor.recebidos[0]!;
  };
  const verifica = (segredo: string, { corpo, headers }: { corpo: string; headers: object }): boolean => {
    try {
      new Verificador(segredo).verify(corpo, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };
  const { segredo: segundo, anteriorAte } = await api.container.webhooks.trocarSegredo(AUTOR, provedor, id, {});
  t.is(anteriorAte.getTime(), relogio.agora().getTime() + DIA);
  t.is((await buscar(provedor, id)).segredoFim, segundo.replace(/=+$/, '').slice(-4));
  const juntos = await enviar();
  t.is(String(juntos.headers['webhook-signature']).split(' ').length, 2);
  t.true(verifica(primeiro, juntos) && verifica(segundo, juntos));
  const { segredo: terceiro } = await api.container.webhooks.trocarSegredo(AUTOR, provedor, id, { manter_horas: 1 });
  const depois = await enviar();
  t.false(verifica(primeiro, depois));
  t.true(verifica(segundo, depois) && verifica(terceiro, depois));
  await api.container.webhooks.trocarSegredo(AUTOR, provedor, id, { manter_horas: 0 });
  t.is(String((await enviar()).headers['webhook-signature']).split(' ').length, 1);
  // Nowhere in the clear.
  const [guardado] = await api.dono('webhooks').where({ id });
  t.false(
    Buffer.from(guardado.segredo as Buffer)
      .toString('latin1')
      .includes('whsec_'),
  );
});

test.serial('um teste sai na hora, fica no registro, não se repete, e são seis por minuto', async (t) => {
  const { provedor, id, segredo } = await cenario();
  relogio.definir(new Date().toISOString());
  const casa = { id: provedor, panelHost: 'painel.teste' };
  const { webhooks } = api.container;
  const feito = await webhooks.testar(AUTOR, casa, id, {});
  t.like(feito, { status: 200, erro: null, numero: 1 });
  const [{ corpo, headers }] = receptor.recebidos as [ReceptorDeWebhooks['recebidos'][number]];
  t.notThrows(() => new Verificador(segredo).verify(corpo, headers as Record<string, string>));
  t.like(JSON.parse(corpo), { type: 'teste.ping', test: true, data: { cliente_id: null } });
  receptor.responder = (_pedido, resposta) => void resposta.writeHead(500).end('não');
  t.like(await webhooks.testar(AUTOR, casa, id, { tipo: 'fatura.paga' }), { status: 500, resposta: 'não' });
  t.like((await entregas(provedor, id))[0], { tipo: 'fatura.paga', situacao: 'esgotada', tentativas: 1 });
  t.is((await buscar(provedor, id)).falhandoDesde, null);
  await t.throwsAsync(webhooks.testar(AUTOR, casa, id, { tipo: 'nada.disto' }), {
    instanceOf: Recusa,
    message: /não há evento/,
  });
  for (let vez = 3; vez <= 6; vez += 1) await webhooks.testar(AUTOR, casa, id, {});
  await t.throwsAsync(webhooks.testar(AUTOR, casa, id, {}), { message: /seis testes/ });
  relogio.avancar(MINUTO + 1);
  await webhooks.testar(AUTOR, casa, id, {});
  relogio.avancar(10 * DIA);
  await worker.entregar();
  t.is(receptor.recebidos.length, 7);
  // Nor by a replay of what failed; and it counts towards no disabling.
  const desde = { de: new Date(relogio.agora().getTime() - 20 * DIA), ate: relogio.agora() };
  t.is(await webhooks.reenviarDesde(AUTOR, provedor, id, desde), 0);
  await worker.entregar();
  t.is(receptor.recebidos.length, 7);
});

test.serial('reenviar faz uma tentativa, com o mesmo id, e o que tinha chegado continua entregue', async (t) => {
  const { provedor, id, cliente } = await cenario();
  const { webhooks } = api.container;
  await acontecer(provedor, cliente);
  await worker.tudo();
  const entrega = (await entregas(provedor, id))[0]!.id;
  receptor.responder = (_pedido, resposta) => void resposta.writeHead(500).end();
  await webhooks.reenviar(AUTOR, provedor, id, entrega);
  await worker.entregar();
  t.is(receptor.recebidos.length, 2);
  t.is(receptor.recebidos[0]!.headers['webhook-id'], receptor.recebidos[1]!.headers['webhook-id']);
  t.like((await entregas(provedor, id))[0], { situacao: 'entregue', tentativas: 2, proximaEm: null });
  relogio.avancar(DIA);
  await worker.entregar();
  t.is(receptor.recebidos.length, 2);
  await t.throwsAsync(webhooks.reenviar(AUTOR, provedor, id, entrega + 1000), { message: /não existe/ });
  await webhooks.alterar(AUTOR, provedor, id, { situacao: 'pausado' });
  await t.throwsAsync(webhooks.reenviar(AUTOR, provedor, id, entrega), { message: /pausado/ });
  const longe = { de: new Date(relogio.agora().getTime() - 31 * DIA) };
  await t.throwsAsync(webhooks.reenviarDesde(AUTOR, provedor, id, longe), { instanceOf: CamposInvalidos });
});

test.serial('o que se diz de um webhook é conferido: endereço, eventos, e quantos são', async (t) => {
  const { provedor, id } = await cenario();
  const { webhooks } = api.container;
  const outro = await fabrica.provedor();
  for (const [dados, falta] of [
    [{ url: 'http://10.0.0.1/', eventos: ['*'] }, /não é público/],
    [{ url: 'http://169.254.169.254/latest', eventos: ['*'] }, /não é público/],
    [{ url: 'ftp://crm.exemplo.com.br/', eventos: ['*'] }, /https/],
    [{ url: 'https://a:b@crm.exemplo.com.br/', eventos: ['*'] }, /usuário/],
    [{ url: receptor.url, eventos: ['fatura.pagas'] }, /fatura\.pagas/],
    [{ url: receptor.url, eventos: ['nada.*'] }, /nada\.\*/],
    [{ url: receptor.url, eventos: ['chave.criada'] }, /chave\.criada/],
    [{ url: receptor.url, eventos: [] }, /eventos/],
    [{ url: receptor.url }, /eventos/],
    [{ url: receptor.url, eventos: ['*'], situacao: 'desativado' }, /situacao/],
    [{ url: receptor.url, eventos: ['*'], extra: 1 }, /extra/],
  ] as const) {
    await t.throwsAsync(webhooks.criar(AUTOR, provedor, dados), { message: falta }, JSON.stringify(dados));
  }
  for (let n = 2; n <= 20; n += 1) await webhooks.criar(AUTOR, provedor, { url: receptor.url, eventos: ['fatura.*'] });
  await t.throwsAsync(webhooks.criar(AUTOR, provedor, { url: receptor.url, eventos: ['*'] }), { message: /20/ });
  for (const mudanca of [
    webhooks.alterar(AUTOR, outro, id, { descricao: 'x' }),
    webhooks.remover(AUTOR, outro, id),
    webhooks.trocarSegredo(AUTOR, outro, id, {}),
    webhooks.testar(AUTOR, { id: outro, panelHost: 'x' }, id, {}),
    webhooks.entregas(outro, id, {}, 10),
  ]) {
    await t.throwsAsync(mudanca, { message: /não existe/ });
  }
  t.is(await webhooks.buscar(outro, id), null);
});

test.serial('removido, nada mais se entrega, e o que se mandou fica no registro pelo seu tempo', async (t) => {
  const { provedor, id, cliente } = await cenario();
  receptor.responder = (_pedido, resposta) => void resposta.writeHead(500).end();
  await acontecer(provedor, cliente);
  await worker.tudo();
  await api.container.webhooks.remover(AUTOR, provedor, id);
  t.is(await api.container.webhooks.buscar(provedor, id), null);
  relogio.avancar(DIA);
  await worker.entregar();
  t.is(receptor.recebidos.length, 1);
  const [linha] = await api.dono('webhook_entregas').where({ webhook_id: id });
  t.is(linha.estado, 'cancelada');
  const [guardado] = await api.dono('webhooks').where({ id });
  t.is(Buffer.from(guardado.segredo as Buffer).length, 0);
});

test.serial('a saúde conta o que foi e o que espera, e o registro se filtra', async (t) => {
  const { provedor, id, cliente } = await cenario();
  const { webhooks } = api.container;
  await acontecer(provedor, cliente, 3);
  await worker.tudo();
  receptor.responder = (_pedido, resposta) => void resposta.writeHead(500).end();
  relogio.avancar(DIA);
  await acontecer(provedor, cliente, 2);
  const esperaDesde = relogio.agora();
  await worker.tudo();
  const dita = { entregues: 3, terminadas: 3, pendentes: 2, esperaDesde };
  t.deepEqual((await webhooks.saude(provedor)).get(id), dita);
  t.deepEqual((await webhooks.saude(provedor, id)).get(id), dita);
  t.true(((await webhooks.mediana(provedor, id)) ?? -1) >= 0);
  const filtradas = async (filtro: Parameters<typeof webhooks.entregas>[2]) =>
    (await webhooks.entregas(provedor, id, filtro, 100)).length;
  t.is(await filtradas({ situacao: 'pendente' }), 2);
  t.is(await filtradas({ situacao: 'entregue' }), 3);
  t.is(await filtradas({ tipo: 'fatura.paga' }), 0);
  t.is(await filtradas({ tipo: 'cliente.atualizado', de: new Date(AGORA) }), 5);
  t.is(await filtradas({ ate: new Date('2026-11-19T00:00:00Z') }), 0);
  const todas = await webhooks.entregas(provedor, id, {}, 2);
  t.is((await webhooks.entregas(provedor, id, { antesDe: todas[1]!.id }, 100)).length, 3);
  t.is(await webhooks.contar(provedor, id, { situacao: 'entregue' }), 3);
});
