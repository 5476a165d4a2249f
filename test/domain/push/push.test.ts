import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { donoDe } from '../../../src/domain/acessos/sessoes/sessoes.regras.ts';
import type { DonoDoDispositivo } from '../../../src/domain/push/push.types.ts';
import { CamposInvalidos } from '../../../src/domain/erros.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { AUTOR } from '../../support/autor.ts';
import { WEBHOOKS_AQUI, criarReceptorDeWebhooks } from '../../support/receptor.ts';
import type { ReceptorDeWebhooks } from '../../support/receptor.ts';
import { relogioEm } from '../../support/relogio.ts';
import { CPF, DE_ONDE, SENHA, criarAssinante } from '../acessos/apoio.ts';
import { SENHA as SENHA_DA_EQUIPE, criarEquipe } from '../usuarios/apoio.ts';
import { CHAVE_DA_CONTA, carteiro, contaDoGoogle, criarNavegador, lerJwt } from './apoio.ts';

/** Noon in São Paulo. */
const AGORA = '2026-11-20T15:00:00.000Z';
const MINUTO = 60_000;
const HORA = 60 * MINUTO;

const relogio = relogioEm(AGORA);
let api: Api;
let google: ReceptorDeWebhooks;
let receptor: ReceptorDeWebhooks;
let correio: ReturnType<typeof carteiro>;
let serie = 0;

test.before(async () => {
  google = await criarReceptorDeWebhooks();
  const env = { ...WEBHOOKS_AQUI, MALHA_PUSH_HOSTS: '127.0.0.1', MALHA_GOOGLE_URL: new URL(google.url).origin };
  api = await criarApi({ relogio, env, processos: 2 });
  correio = carteiro(api.container);
});
test.after.always(async () => {
  google.fechar();
  await api.fechar();
});
test.beforeEach(async () => {
  relogio.definir(AGORA);
  receptor = await criarReceptorDeWebhooks();
  google.recebidos.length = 0;
  google.responder = ({ url }, resposta) =>
    void resposta.end(url === '/token' ? JSON.stringify({ access_token: `t${(serie += 1)}`, expires_in: 3599 }) : '{}');
});
test.afterEach.always(() => receptor.fechar());

type Casa = Awaited<ReturnType<typeof criarAssinante>>['provedor'];

const registrar = async (provedor: Casa, dono: DonoDoDispositivo, dados: object) =>
  api.container.changeTenant(TERMINAL, provedor, async (_d, { dispositivos }) => dispositivos.registrar(dono, dados));

/** A subscriber with a browser. */
async function cenario() {
  const casa = await criarAssinante(api);
  const sessao = await casa.registro(await casa.entrar());
  const dono = { ...donoDe(sessao), sessaoId: sessao.sessao.id };
  serie += 1;
  const navegador = criarNavegador(`${receptor.url}/${serie}`);
  // Before there is a device: it would be told of the password that was set.
  await correio.consumir();
  const { id } = await registrar(casa.provedor, dono, navegador.dispositivo);
  const fatura = (linha: object = {}) =>
    casa.fabrica.fatura(casa.provedor.id, { cliente_id: casa.cliente, vencimento: '2026-12-10', ...linha });
  return { ...casa, sessao, dono, navegador, aparelho: id, fatura };
}
type Cena = Awaited<ReturnType<typeof cenario>>;

const emitir = async (
  provedor: number,
  ...[tipo, id, dados]: Parameters<Parameters<Parameters<Api['container']['write']>[2]>[0]['emit']>
) => api.container.write(AUTOR, provedor, async (w) => w.emit(tipo, id, dados as never));

const vencer = async ({ provedor, cliente, fatura }: Cena, vezes = 1): Promise<void> => {
  for (let vez = 0; vez < vezes; vez += 1) {
    await emitir(provedor.id, 'fatura.a_vencer', await fatura(), { cliente, vencimento: '2026-12-10' });
  }
};
const pagar = async ({ provedor, cliente, fatura }: Cena): Promise<number> => {
  const id = await fatura({ situacao: 'paga', valor_pago: '102.23', pago_em: '2026-11-20' });
  await emitir(provedor.id, 'fatura.paga', id, { cliente });
  return id;
};
const envios = async (provedor: number): Promise<any[]> =>
  api.dono('push_envios').where('provedor_id', provedor).orderBy('id');
const lidos = ({ navegador }: Pick<Cena, 'navegador'>) => receptor.recebidos.map(({ bytes }) => navegador.ler(bytes));
const especies = (c: Pick<Cena, 'navegador'>): string[] => lidos(c).map(({ dados }) => dados.kind);

test.serial('o que acontece chega cifrado ao navegador, com VAPID, sem documento nem nome', async (t) => {
  const c = await cenario();
  const fatura = await pagar(c);
  await correio.tudo();
  await correio.tudo();
  t.is(receptor.recebidos.length, 1);
  const [{ headers, bytes }] = receptor.recebidos as [ReceptorDeWebhooks['recebidos'][number]];
  t.deepEqual(c.navegador.ler(bytes), {
    titulo: 'Pagamento confirmado',
    texto: 'Recebemos R$ 102,23. Obrigado.',
    dados: { kind: 'pagamento_confirmado', invoice_id: fatura, path: `/invoices/${fatura}` },
    topico: headers['topic'],
  });
  t.like(headers, { ttl: '86400', 'content-encoding': 'aes128gcm' });
  t.regex(String(headers['topic']), /^[\w-]{32}$/);
  const { chavePublica } = await api.container.push.configuracao(c.provedor.id);
  const [, token = '', k] = /^vapid t=(\S+), k=(\S+)$/.exec(String(headers.authorization)) ?? [];
  t.is(k, chavePublica!);
  const ponto = Buffer.from(chavePublica!, 'base64url');
  const [x, y] = [ponto.subarray(1, 33), ponto.subarray(33)].map((parte) => parte.toString('base64url'));
  const publica = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x!, y: y! } });
  const [, claims] = lerJwt(token, publica);
  const agora = new Date(AGORA).getTime() / 1000;
  t.deepEqual(claims, {
    aud: new URL(receptor.url).origin,
    exp: agora + 12 * 3600,
    sub: `https://${c.provedor.panelHost}`,
  });
  t.like((await envios(c.provedor.id))[0], { estado: 'entregue', tentativas: 1, erro: null });
  const { token: guardado } = await api.dono('push_dispositivos').where('id', c.aparelho).first('token');
  t.false(guardado.toString('latin1').includes('127.0.0.1'));
});

test.serial('a chave pública é uma só em todos os processos', async (t) => {
  const chaves = await Promise.all(api.containers.map(async ({ push }) => (await push.configuracao(1)).chavePublica));
  t.is(chaves[0], chaves[1]);
  t.is((await api.dono('push_vapid')).length, 1);
});

test.serial('pelo FCM: o token de uma asserção assinada, guardado 55 minutos, e a mensagem na sua forma', async (t) => {
  const c = await cenario();
  await api.dono('push_dispositivos').where('id', c.aparelho).delete();
  const token = 'dQw4w9WgXcQ:APA91bHPRgkF3JUikC4';
  await registrar(c.provedor, c.dono, { tipo: 'fcm', token, plataforma: 'android' });
  await vencer(c);
  await correio.tudo();
  t.deepEqual(await envios(c.provedor.id), [], 'sem conta, nada se envia');

  await api.container.push.definirContaFcm(AUTOR, c.provedor.id, contaDoGoogle());
  const fatura = await pagar(c);
  await correio.tudo();
  const [pedido, mensagem] = google.recebidos as [
    ReceptorDeWebhooks['recebidos'][number],
    ReceptorDeWebhooks['recebidos'][number],
  ];
  t.is(pedido.caminho, '/token');
  const dito = new URLSearchParams(pedido.corpo);
  t.is(dito.get('grant_type'), 'urn:ietf:params:oauth:grant-type:jwt-bearer');
  const [cabecalho, claims] = lerJwt(dito.get('assertion') ?? '', CHAVE_DA_CONTA);
  const iat = new Date(AGORA).getTime() / 1000;
  t.deepEqual(cabecalho, { typ: 'JWT', alg: 'RS256', kid: 'abcdef0123456789' });
  t.deepEqual(claims, {
    iss: 'push@serra-azul.iam.gserviceaccount.com',
    scope: 'https://www.googleapis.com/auth/firebase.messaging',
    aud: 'https://oauth2.googleapis.com/token',
    iat,
    exp: iat + 3600,
  });
  t.is(mensagem.caminho, '/v1/projects/serra-azul/messages:send');
  t.is(mensagem.headers.authorization, `Bearer t${serie}`);
  const { message } = JSON.parse(mensagem.corpo);
  t.like(message, {
    token,
    notification: { title: 'Pagamento confirmado', body: 'Recebemos R$ 102,23. Obrigado.' },
    data: { kind: 'pagamento_confirmado', invoice_id: String(fatura), path: `/invoices/${fatura}` },
  });
  t.is(message.android.ttl, '86400s');
  t.is(message.android.collapse_key, message.apns.headers['apns-collapse-id']);

  const pedidos = (): number => google.recebidos.filter(({ caminho }) => caminho === '/token').length;
  relogio.avancar(54 * MINUTO);
  await pagar(c);
  await correio.tudo();
  t.is(pedidos(), 1);
  relogio.avancar(2 * MINUTO);
  await pagar(c);
  await correio.tudo();
  t.is(pedidos(), 2);
});

test.serial('quem cola a conta de outro provedor sem a sua chave não envia pelo token dele', async (t) => {
  const [um, outro] = [await cenario(), await cenario()];
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const client_email = 'outra@serra-azul.iam.gserviceaccount.com';
  const falsa = contaDoGoogle({ client_email, private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }) });
  for (const [c, conta] of [
    [um, contaDoGoogle({ client_email })],
    [outro, falsa],
  ] as const) {
    const token = 'x'.repeat(40);
    await registrar(c.provedor, c.dono, { tipo: 'fcm', token, plataforma: 'android' });
    await api.container.push.definirContaFcm(AUTOR, c.provedor.id, conta);
    await pagar(c);
    await correio.tudo();
  }
  t.deepEqual(
    google.recebidos.map(({ caminho }) => caminho),
    ['/token', '/v1/projects/serra-azul/messages:send', '/token', '/v1/projects/serra-azul/messages:send'],
  );
});

for (const [nome, status, detalhes] of [
  ['UNREGISTERED', 404, [{ errorCode: 'UNREGISTERED' }]],
  [
    'um token que não vale',
    400,
    [{ errorCode: 'INVALID_ARGUMENT' }, { fieldViolations: [{ field: 'message.token' }] }],
  ],
] as const) {
  test.serial(`ao que o FCM responde ${nome}, o aparelho some`, async (t) => {
    const c = await cenario();
    await api.dono('push_dispositivos').where('id', c.aparelho).delete();
    await api.container.push.definirContaFcm(AUTOR, c.provedor.id, contaDoGoogle());
    await registrar(c.provedor, c.dono, { tipo: 'fcm', token: 'x'.repeat(40), plataforma: 'ios' });
    google.responder = ({ url }, resposta) => {
      if (url === '/token') resposta.end(JSON.stringify({ access_token: 'a' }));
      else resposta.writeHead(status).end(JSON.stringify({ error: { code: status, details: detalhes } }));
    };
    await pagar(c);
    await correio.tudo();
    t.deepEqual(await api.dono('push_dispositivos').where('provedor_id', c.provedor.id), []);
    t.deepEqual(await envios(c.provedor.id), []);
  });
}

test.serial('ao 410 do navegador o aparelho some; a 429 e 5xx se espera, até o fim do prazo', async (t) => {
  const c = await cenario();
  receptor.responder = (_p, resposta) => void resposta.writeHead(429, { 'retry-after': '300' }).end();
  await pagar(c);
  await correio.tudo();
  const proxima = async (): Promise<number> => {
    const [{ proxima_em: em }] = await envios(c.provedor.id);
    return Date.parse(`${em.replace(' ', 'T')}Z`) - relogio.agora().getTime();
  };
  t.is(await proxima(), 5 * MINUTO);
  receptor.responder = (_p, resposta) => void resposta.writeHead(503).end();
  const esperas: number[] = [];
  for (;;) {
    const [{ estado }] = await envios(c.provedor.id);
    if (estado !== 'pendente') break;
    relogio.avancar(await proxima());
    await correio.entregar();
    esperas.push(Math.round((await proxima()) / MINUTO));
  }
  t.deepEqual(esperas.slice(0, 6), [2, 4, 8, 16, 32, 60]);
  t.like((await envios(c.provedor.id))[0], { estado: 'esgotada', erro: 'resposta_503' });
  t.true(relogio.agora().getTime() - new Date(AGORA).getTime() <= 24 * HORA);

  relogio.definir(AGORA);
  receptor.responder = (_p, resposta) => void resposta.writeHead(410).end();
  await pagar(c);
  await correio.tudo();
  t.deepEqual(await api.dono('push_dispositivos').where('provedor_id', c.provedor.id), []);
});

test.serial('de noite espera-se, salvo o que não espera; são cinco num dia, além desses', async (t) => {
  const c = await cenario();
  relogio.definir('2026-11-21T01:00:00.000Z');
  await vencer(c, 7);
  await pagar(c);
  await emitir(c.provedor.id, 'contrato.liberado', 7, { cliente: c.cliente, por: 'manual', fatura: null });
  await correio.tudo();
  t.deepEqual(especies(c).toSorted(), ['contrato_liberado', 'pagamento_confirmado']);
  relogio.definir('2026-11-21T11:00:00.000Z');
  await correio.entregar();
  t.is(especies(c).filter((um) => um === 'fatura_a_vencer').length, 5);
  await vencer(c);
  await correio.tudo();
  t.is(receptor.recebidos.length, 7);
  relogio.definir('2026-11-22T12:00:00.000Z');
  await vencer(c);
  await correio.tudo();
  t.is(receptor.recebidos.length, 8);
});

test.serial('o que se silenciou não chega, e segurança não se silencia', async (t) => {
  const c = await cenario();
  await registrar(c.provedor, c.dono, { ...c.navegador.dispositivo, silenciados: ['pagamento_confirmado'] });
  await t.throwsAsync(registrar(c.provedor, c.dono, { ...c.navegador.dispositivo, silenciados: ['seguranca'] }), {
    instanceOf: CamposInvalidos,
  });
  await pagar(c);
  await emitir(c.provedor.id, 'acesso.senha_trocada', null, { cliente: c.cliente, sessoes: 0 });
  await emitir(c.provedor.id, 'cliente.atualizado', c.cliente, { cliente: c.cliente, campos: ['email'] });
  await emitir(c.provedor.id, 'cliente.atualizado', c.cliente, { cliente: c.cliente, campos: ['nome'] });
  await correio.tudo();
  t.deepEqual(especies(c), ['seguranca', 'seguranca']);
});

test.serial('quem entra de um aparelho novo é dito nos outros do mesmo dono, e não no próprio', async (t) => {
  const c = await cenario();
  const nova = await c.registro(await c.entrar());
  await registrar(
    c.provedor,
    { ...donoDe(nova), sessaoId: nova.sessao.id },
    criarNavegador(`${receptor.url}/nova`).dispositivo,
  );
  await correio.tudo();
  t.deepEqual(especies(c), ['seguranca']);
  t.regex(String(lidos(c)[0]!['texto']), /aparelho novo/);
  // Where it has been signed in on before, nobody is told.
  const { app } = api.container;
  const credenciais = { cpfCnpj: CPF, senha: SENHA, ...DE_ONDE, aparelho: null };
  const { aparelhoConhecido } = await app.entrar(c.provedor, credenciais);
  await correio.tudo();
  const ate = receptor.recebidos.length;
  await app.entrar(c.provedor, { ...credenciais, aparelhoConhecido });
  await correio.tudo();
  t.is(receptor.recebidos.length, ate);

  const equipe = await criarEquipe(api);
  const tecnico = await equipe.usuario('tecnico');
  await api.container.usuarios.alterar(TERMINAL, equipe.provedor.id, tecnico.id, { cpf: CPF });
  const daEquipe = { cpf: CPF, senha: SENHA_DA_EQUIPE, ...DE_ONDE, aparelho: null };
  const { sessaoId } = await app.entrarNoApp(equipe.provedor, daEquipe);
  await correio.consumir();
  const celular = criarNavegador(`${receptor.url}/celular`);
  await registrar(equipe.provedor, { usuarioId: tecnico.id, sessaoId }, celular.dispositivo);
  receptor.recebidos.length = 0;
  await app.entrarNoApp(equipe.provedor, daEquipe);
  await correio.tudo();
  t.is(receptor.recebidos.length, 1);
  t.regex(String(celular.ler(receptor.recebidos[0]!.bytes)['texto']), /aparelho novo/);
});

test.serial('o aparelho sai com a sua sessão, e passa a quem o registra por último', async (t) => {
  const c = await cenario();
  const outro = await cenario();
  const doOutro = { ...outro.dono, sessaoId: outro.dono.sessaoId };
  await vencer(c);
  await correio.consumir();
  // Another provider's device of the same token is another.
  t.false((await registrar(outro.provedor, doOutro, c.navegador.dispositivo)).existia);
  const segunda = await c.registro(await c.entrar());
  const { id, existia } = await registrar(
    c.provedor,
    { ...donoDe(segunda), sessaoId: segunda.sessao.id },
    c.navegador.dispositivo,
  );
  t.true(existia);
  t.is(id, c.aparelho);
  t.is((await envios(c.provedor.id)).length, 1, 'continua de quem era');
  await api.container.app.encerrar(TERMINAL, c.sessao, { so: c.sessao.sessao.id });
  t.is((await api.dono('push_dispositivos').where('id', id)).length, 1);
  await api.container.app.encerrar(TERMINAL, segunda, { so: segunda.sessao.id });
  t.is((await api.dono('push_dispositivos').where('id', id)).length, 0);
  await correio.tudo();
  t.deepEqual(receptor.recebidos, []);
});

test.serial('a quem cancelou só se fala das faturas; a quem se pré-cadastrou, de nada', async (t) => {
  const c = await cenario();
  await api.dono('clientes').where('id', c.cliente).update({ situacao: 'cancelado' });
  await vencer(c);
  await emitir(c.provedor.id, 'contrato.liberado', 7, { cliente: c.cliente, por: 'manual', fatura: null });
  await correio.tudo();
  t.deepEqual(especies(c), ['fatura_a_vencer']);
  await api.dono('clientes').where('id', c.cliente).update({ situacao: 'pre_cadastro' });
  await pagar(c);
  await correio.tudo();
  t.is(receptor.recebidos.length, 1);
});

test.serial('de um carnê ou de um acordo, que fazem várias faturas, diz-se de uma vez', async (t) => {
  const c = await cenario();
  const { fabrica, provedor, cliente } = c;
  const plano = await fabrica.plano(provedor.id);
  const contrato = await fabrica.contrato(provedor.id, {
    cliente_id: cliente,
    plano_id: plano,
    situacao: 'ativo',
    ativado_em: '2026-01-10',
    dia_vencimento: 10,
    valor: '60.00',
  });
  await api.container.changeTenant(AUTOR, provedor, async (_d, { faturamento }) =>
    faturamento.configurar({ desde: '2026-11' }),
  );
  await api.container.changeTenant(AUTOR, provedor, async (_d, { faturamento }) =>
    faturamento.carnes.gerar({ contrato_id: contrato }),
  );
  await correio.tudo();
  const doCarne = await api.dono('faturas').where({ provedor_id: provedor.id }).orderBy('id');
  t.is(doCarne.length, 12);
  const [primeira] = doCarne;
  t.deepEqual(
    lidos(c).map(({ titulo, texto, dados }) => [titulo, texto, dados]),
    [
      [
        '12 faturas disponíveis',
        'A primeira: R$ 60,00, com vencimento em 10/01/2027.',
        { kind: 'fatura_disponivel', invoice_id: primeira.id, path: `/invoices/${primeira.id}` },
      ],
    ],
  );
  // Each is told by itself to webhooks.
  const criadas = await api.dono('eventos').where({ provedor_id: provedor.id, tipo: 'fatura.criada' });
  t.is(criadas.length, 12);

  receptor.recebidos.length = 0;
  const acordar = async (vencimento: string) => {
    const faturas = [await c.fatura({ vencimento, situacao: 'vencida' })];
    await api.container.changeTenant(AUTOR, provedor, async (_d, { renegociacoes }) =>
      renegociacoes.criar({
        cliente_id: cliente,
        faturas,
        parcelas: 3,
        primeiro_vencimento: '2026-12-01',
        tipo: 'carteira',
      }),
    );
  };
  await acordar('2026-11-01');
  await correio.tudo();
  t.deepEqual(
    lidos(c).map(({ titulo }) => titulo),
    ['3 faturas disponíveis'],
  );

  // The first instalment is paid at the counter before anybody is told.
  receptor.recebidos.length = 0;
  await acordar('2026-11-02');
  const [paga] = await api.dono('faturas').where({ provedor_id: provedor.id }).orderBy('id', 'desc').offset(2).limit(1);
  await api.dono('faturas').where('id', paga.id).update({ situacao: 'paga', pago_em: '2026-11-20 15:00:00' });
  await correio.tudo();
  t.deepEqual(
    lidos(c).map(({ titulo, texto }) => [titulo, texto]),
    [['2 faturas disponíveis', 'Além da primeira, que já está paga.']],
  );
});

test.serial('da nota fiscal autorizada diz-se a de verdade: nem a de um ensaio, nem um ajuste', async (t) => {
  const c = await cenario();
  for (const [n, [ambiente, finalidade]] of (
    [
      ['homologacao', 'normal'],
      ['producao', 'ajuste'],
      ['producao', 'normal'],
      ['producao', 'substituicao'],
    ] as const
  ).entries()) {
    const fatura = await c.fatura();
    const dita = { contrato: null, numero: n + 1, serie: 1, chave: null, valor: `${n + 1}.00`, ambiente, finalidade };
    await emitir(c.provedor.id, 'nfcom.autorizada', n + 1, { cliente: c.cliente, fatura, ...dita });
  }
  await correio.tudo();
  t.deepEqual(especies(c), ['nfcom_disponivel', 'nfcom_disponivel']);
  t.deepEqual(
    lidos(c)
      .map(({ texto }) => String(texto))
      .toSorted(),
    ['A nota fiscal de R$ 3,00 está disponível.', 'A nota fiscal de R$ 4,00 está disponível.'],
  );
});

test.serial('do que uma versão de antes escreveu da nota, que não diz o ambiente, pergunta-se à nota', async (t) => {
  const c = await cenario();
  const { id: provedor_id } = c.provedor;
  const daqui = () => api.dono('eventos').where({ provedor_id, tipo: 'nfcom.autorizada' });
  for (const [n, [ambiente, finalidade]] of (
    [
      ['homologacao', 'normal'],
      ['producao', 'ajuste'],
      ['producao', 'normal'],
      // Whose note is gone.
      [null, 'normal'],
    ] as const
  ).entries()) {
    const fatura = await c.fatura();
    const valor = `${n + 1}.00`;
    const deQue = { provedor_id, fatura_id: fatura, cliente_id: c.cliente, valor, finalidade };
    const [id = 0] = ambiente === null ? [987_654] : await api.dono('nfcom').insert({ ...deQue, ambiente });
    const dita = { contrato: null, numero: n + 1, serie: 1, chave: null, valor };
    const todas = { ...dita, ambiente: 'producao', finalidade: 'normal' } as const;
    await emitir(provedor_id, 'nfcom.autorizada', id, { cliente: c.cliente, fatura, ...todas });
  }
  await daqui().update({ dados: api.dono.raw("JSON_REMOVE(dados, '$.ambiente', '$.finalidade')") });
  await correio.tudo();
  t.deepEqual(
    lidos(c).map(({ texto }) => String(texto)),
    ['A nota fiscal de R$ 3,00 está disponível.'],
  );
  // As the catalogue of today has it.
  const inteiro = api.dono.raw("JSON_SET(dados, '$.ambiente', 'producao', '$.finalidade', 'normal')");
  await daqui().whereRaw("JSON_EXTRACT(dados, '$.ambiente') IS NULL").update({ dados: inteiro });
});

test.serial('o chamado diz ao cliente o que mudou, e a quem atende o que é seu', async (t) => {
  const c = await cenario();
  const casa = c.provedor;
  const chamado = await c.fabrica.chamado(casa.id, { cliente_id: c.cliente, situacao: 'em_andamento' });
  const mudar = async (dados: object) =>
    emitir(casa.id, 'chamado.atualizado', chamado, {
      cliente: c.cliente,
      contrato: null,
      de: 'em_andamento',
      para: 'em_andamento',
      ...dados,
    } as never);
  await mudar({ campos: ['comentario'], entrada: 1, por: 'equipe' });
  await mudar({ campos: ['comentario'], entrada: 2, por: 'cliente' });
  await mudar({ campos: ['situacao', 'comentario'], para: 'solucionado' });
  await mudar({ campos: ['prioridade'] });
  await correio.tudo();
  t.deepEqual(especies(c).toSorted(), ['chamado_respondido', 'chamado_solucionado']);
  t.is(receptor.recebidos[0]!.headers['ttl'], String(4 * 3600));
});

test.serial('à equipe, a quem pode o assunto; e a cada um o que é dele', async (t) => {
  const equipe = await criarEquipe(api);
  const { provedor } = equipe;
  const pessoas: Record<string, { id: number; navegador: ReturnType<typeof criarNavegador> }> = {};
  for (const qual of ['tecnico', 'financeiro', 'administrador'] as const) {
    const { id } = await equipe.usuario(qual);
    serie += 1;
    const navegador = criarNavegador(`${receptor.url}/${qual}`);
    await registrar(provedor, { usuarioId: id, sessaoId: null }, navegador.dispositivo);
    pessoas[qual] = { id, navegador };
  }
  const { fabrica } = await criarAssinante(api);
  const cliente = await fabrica.cliente(provedor.id);
  const chamado = await fabrica.chamado(provedor.id, { cliente_id: cliente, prioridade: 'urgente', origem: 'api' });
  const fatura = await fabrica.fatura(provedor.id, { cliente_id: cliente });
  const aberto = { cliente, contrato: null, prioridade: 'urgente', categoria: null } as const;
  await emitir(provedor.id, 'chamado.aberto', chamado, aberto);
  await emitir(provedor.id, 'chamado.atribuido', chamado, { cliente, de: null, para: pessoas['tecnico']!.id });
  await emitir(provedor.id, 'fatura.paga_a_mais', fatura, { cliente, valor: '99.90' });
  await emitir(provedor.id, 'webhook.desativado', 3, { motivo: 'gone', canceladas: 0 });
  await correio.tudo();
  const ditos = (qual: string): string[] =>
    receptor.recebidos
      .filter(({ caminho }) => caminho.endsWith(`/${qual}`))
      .map(({ bytes }) => pessoas[qual]!.navegador.ler(bytes)['dados'].kind as string)
      .toSorted((a, b) => a.localeCompare(b));
  t.deepEqual(ditos('tecnico'), ['chamado_atribuido', 'chamado_urgente']);
  t.deepEqual(ditos('financeiro'), ['chamado_urgente', 'pagamento_a_mais']);
  t.deepEqual(ditos('administrador'), ['chamado_novo', 'chamado_urgente', 'pagamento_a_mais', 'webhook_desativado']);
  const [um] = receptor.recebidos.filter(({ caminho }) => caminho.endsWith('/tecnico'));
  t.is(pessoas['tecnico']!.navegador.ler(um!.bytes)['dados'].path, `/painel/chamados/${chamado}`);

  const permissoes = JSON.stringify(['rede.ver']);
  const [perfil_id = 0] = await api.dono('perfis').insert({ provedor_id: provedor.id, nome: 'Só a rede', permissoes });
  await api.dono('usuarios').where('id', pessoas['tecnico']!.id).update({ perfil_id });
  receptor.recebidos.length = 0;
  await emitir(provedor.id, 'chamado.atribuido', chamado, { cliente, de: null, para: pessoas['tecnico']!.id });
  await correio.tudo();
  t.deepEqual(ditos('tecnico'), [], 'o chamado é dele, que já não o vê');

  await api.dono('usuarios').where('id', pessoas['tecnico']!.id).update({ ativo: 0 });
  receptor.recebidos.length = 0;
  await emitir(provedor.id, 'chamado.aberto', chamado, aberto);
  await correio.tudo();
  t.deepEqual(ditos('tecnico'), []);
});

test.serial('um aviso da rede vai a quem ele cobre', async (t) => {
  const c = await cenario();
  const plano = await c.fabrica.plano(c.provedor.id);
  const outro = await c.fabrica.plano(c.provedor.id);
  await c.fabrica.contrato(c.provedor.id, { cliente_id: c.cliente, plano_id: plano });
  const abrir = async (id: number) =>
    api.container.changeTenant(AUTOR, c.provedor, async (_d, { avisosDeRede }) =>
      avisosDeRede.abrir({
        tipo: 'manutencao',
        titulo: 'Manutenção no centro',
        texto: 'Das 2h às 4h.',
        alvos: [{ tipo: 'plano', id }],
      }),
    );
  await abrir(outro);
  await abrir(plano);
  await correio.tudo();
  t.deepEqual(
    lidos(c).map(({ titulo, texto, dados }) => [titulo, texto, dados.path]),
    [['Manutenção no centro', 'Das 2h às 4h.', '/notices']],
  );
});

test.serial('da interrupção que vai e volta se é avisado uma vez por hora, e de outra porta logo', async (t) => {
  const c = await cenario();
  const provedor = c.provedor.id;
  const nas = '10.77.0.1';
  await c.fabrica.nas(provedor, nas);
  const plano = await c.fabrica.plano(provedor);
  const contrato = await c.fabrica.contrato(provedor, { cliente_id: c.cliente, plano_id: plano });
  await c.fabrica.conexao(provedor, { contrato_id: contrato, nas, porta: 'olt-1' });
  const ditos: string[] = [];
  const cair = async (titulo: string, agora: string, porta: string | null = null) => {
    relogio.definir(agora);
    const instante = agora.slice(0, 23).replace('T', ' ');
    const [id = 0] = await api.dono('avisos_de_rede').insert({
      provedor_id: provedor,
      tipo: 'interrupcao',
      titulo,
      texto: 'Parte dos clientes está sem conexão.',
      inicio: instante,
      origem: 'detectado',
      criado_em: instante,
      atualizado_em: instante,
      detectado_nas: nas,
      detectado_porta: porta,
      detectado_de: instante,
      detectado_quedas: 20,
    });
    await api
      .dono('avisos_de_rede_alvos')
      .insert({ provedor_id: provedor, aviso_id: id, tipo: 'nas', texto: nas, porta });
    await emitir(provedor, 'rede.aviso_aberto', id, { tipo: 'interrupcao', origem: 'detectado', alvos: ['nas'] });
    await correio.tudo();
    // It came back.
    await api.dono('avisos_de_rede').where({ provedor_id: provedor, id }).update({ fim: instante });
    ditos.push(...lidos(c).map((um) => um['titulo']));
    receptor.recebidos.length = 0;
  };
  await cair('Primeira', '2026-11-20T15:00:00.000Z');
  await cair('Voltou e caiu', '2026-11-20T15:20:00.000Z');
  await cair('De uma porta', '2026-11-20T15:30:00.000Z', 'olt-1');
  await cair('De novo', '2026-11-20T15:59:00.000Z');
  await cair('Uma hora depois', '2026-11-20T16:01:00.000Z');
  t.deepEqual(ditos, ['Primeira', 'De uma porta', 'Uma hora depois']);
});

test.serial('o que tem hora é dito quando ela chega, e uma vez', async (t) => {
  const c = await cenario();
  const { id: provedor } = c.provedor;
  const plano_id = await c.fabrica.plano(provedor);
  const contrato_id = await c.fabrica.contrato(provedor, { cliente_id: c.cliente, plano_id });
  const [responsavel_id] = await api
    .dono('usuarios')
    .insert({ provedor_id: provedor, nome: 'T', email: 't@malha.test' });
  const agendado_para = '2026-11-21 17:00:00.000';
  await c.fabrica.chamado(provedor, { cliente_id: c.cliente, responsavel_id, agendado_para });
  await c.fabrica.desbloqueio(provedor, { contrato_id, ate: '2026-11-22 02:59:59.999' });
  await api.criarChave(provedor, { expiraEm: new Date('2026-11-28T12:30:00.000Z') });
  const ditos = async (quando: string): Promise<string[]> => {
    relogio.definir(quando);
    const antes = await api.dono('eventos').where({ provedor_id: provedor });
    // Two processes at the same time say it once.
    await Promise.all(
      api.containers.map(async ({ lembretes }) => {
        if ((await lembretes.provedores()).includes(provedor)) await lembretes.lembrar(TERMINAL, provedor);
      }),
    );
    const depois = await api.dono('eventos').where({ provedor_id: provedor }).orderBy('id');
    return depois.slice(antes.length).map(({ tipo }: { tipo: string }) => tipo);
  };
  t.deepEqual(await ditos('2026-11-21T11:59:00.000Z'), []);
  t.deepEqual(await ditos('2026-11-21T12:00:00.000Z'), ['contrato.desbloqueio_terminando']);
  t.deepEqual(await ditos('2026-11-21T12:31:00.000Z'), ['chave.expirando']);
  t.deepEqual(await ditos('2026-11-21T15:59:00.000Z'), []);
  t.deepEqual(await ditos('2026-11-21T16:00:00.000Z'), ['chamado.proximo']);
  t.deepEqual(await ditos('2026-11-21T16:01:00.000Z'), []);
  t.is((await api.dono('notificacoes').where({ provedor_id: provedor, tipo: 'chave.expirando' })).length, 1);
  relogio.definir('2026-11-21T12:05:00.000Z');
  await correio.tudo();
  t.deepEqual(especies(c), ['desbloqueio_terminando']);
});

test.serial('o que um processo morto enviava, outro envia; dois ao mesmo tempo enviam uma vez', async (t) => {
  const c = await cenario();
  await vencer(c, 5);
  await correio.consumir();
  await Promise.all(api.containers.map(async ({ entregasDePush }) => entregasDePush.entregar()));
  await Promise.all(api.containers.map(async ({ entregasDePush }) => entregasDePush.terminar()));
  t.is(receptor.recebidos.length, 5);
  await api.dono('push_envios').where('provedor_id', c.provedor.id).limit(1).update({
    estado: 'em_andamento',
    proxima_em: '2026-11-20 15:00:40.000',
  });
  await correio.entregar();
  t.is(receptor.recebidos.length, 5);
  relogio.avancar(40_000);
  await correio.entregar();
  t.is(receptor.recebidos.length, 6);
});

test.serial('o que esperou demais por um worker não é dito', async (t) => {
  const c = await cenario();
  await pagar(c);
  await api.dono('eventos').where('provedor_id', c.provedor.id).update({ criado_em: '2026-11-19 14:00:00.000' });
  await correio.tudo();
  t.deepEqual(await envios(c.provedor.id), []);
});
