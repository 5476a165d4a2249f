import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { createAppSessions } from '../../src/access/app-sessions.ts';
import { createDoor } from '../../src/access/door.ts';
import { rememberHosts } from '../../src/access/hosts.ts';
import { createNetworkLimit } from '../../src/access/limits.ts';
import { atorDoAssinante } from '../../src/domain/actor.ts';
import { sortearTokens } from '../../src/domain/acessos/sessoes/token.regras.ts';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { vindoDe } from '../support/autor.ts';
import { criarGate } from '../support/gate.ts';
import { relogioEm } from '../support/relogio.ts';
import { SENHA, criarAssinante } from '../domain/acessos/apoio.ts';

const AGORA = '2026-11-23T12:00:00.000Z';
const IP = '203.0.113.9';
const relogio = relogioEm(AGORA);
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
});
test.after.always(async () => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

/** The door of one process, as a surface of the app has it. */
async function porta(t: ExecutionContext, processo = 0) {
  const { gate } = await criarGate(t, api.redisUrl);
  const { app, provedores } = api.containers[processo]!;
  const door = createDoor({
    kind: createAppSessions({ buscarPorHash: async (hash) => app.buscarPorHash(hash) }),
    gate,
    hosts: rememberHosts(provedores),
    countNetwork: createNetworkLimit({ gate, name: `teste${processo}`, most: 120, onRefusal: () => {} }),
    relogio,
    toldUntil: () => relogio.agora().getTime(),
    onRefusal: () => {},
  });
  return async (authorization: string | undefined, host = 'app.malha.test') => {
    const request = new IncomingMessage(new Socket());
    request.headers = { host, 'x-request-id': 'pedido-1', ...(authorization === undefined ? {} : { authorization }) };
    return door.enter(request, IP, () => undefined);
  };
}
const codigo = (entrada: Awaited<ReturnType<Awaited<ReturnType<typeof porta>>>>): string =>
  entrada.admitted ? 'entrou' : entrada.refusal;

test.serial('um token de acesso entra pelo seu provedor, e diz de quem é; do resto se diz por que não', async (t) => {
  const c = await criarAssinante(api);
  const outro = await criarAssinante(api);
  const pedir = await porta(t);
  const tokens = await c.entrar();
  const entrada = await pedir(`Bearer ${tokens.access}`, c.provedor.panelHost);
  t.true(entrada.admitted);
  if (!entrada.admitted) return;
  t.like(entrada.session, { ip: IP, requestId: 'pedido-1', reader: `app:${tokens.sessaoId}` });
  t.like(entrada.session.quem, { tipo: 'cliente', cpfCnpj: '52998224725' });
  t.is(entrada.limit.most, 120);
  t.is(codigo(await pedir(undefined)), 'credencial_ausente');
  t.is(codigo(await pedir('Basic abc')), 'credencial_ausente');
  t.is(codigo(await pedir(`Bearer ${tokens.refresh}`)), 'token_invalido');
  t.is(codigo(await pedir(`Bearer ${sortearTokens(c.provedor.id, tokens.sessaoId).access}`)), 'token_invalido');
  t.is(codigo(await pedir(`Bearer ${tokens.access}`, outro.provedor.panelHost)), 'token_invalido');
  relogio.avancar(15 * 60_000);
  t.is(codigo(await pedir(`Bearer ${tokens.access}`)), 'token_expirado');
});

test.serial('mostrar o token confirma a geração, sem que se escreva nada nos pedidos que vêm depois', async (t) => {
  const c = await criarAssinante(api);
  const pedir = await porta(t);
  const tokens = await c.renovar((await c.entrar()).refresh);
  const confirmado = async (): Promise<unknown> =>
    (await api.dono('app_tokens').where({ sessao_id: tokens.sessaoId, geracao: 2 }).first()).confirmado_em;
  t.is(await confirmado(), null);
  t.is(codigo(await pedir(`Bearer ${tokens.access}`)), 'entrou');
  t.is(await confirmado(), '2026-11-23 12:00:00.000');
  const comandos: string[] = [];
  const ouvir = ({ sql }: { sql: string }): void => void comandos.push(sql);
  api.container.db.on('query', ouvir);
  for (let n = 0; n < 20; n += 1) t.is(codigo(await pedir(`Bearer ${tokens.access}`)), 'entrou');
  api.container.db.off('query', ouvir);
  t.deepEqual(comandos, []);
});

for (const [como, encerrar] of [
  [
    'ao sair',
    async (c: Awaited<ReturnType<typeof criarAssinante>>, access: string) =>
      api.container.app.encerrar(atorDoAssinante({ id: c.cliente }, vindoDe(IP)), await c.registro({ access })),
  ],
  ['ao escolher outra senha', async (c) => c.definir((await c.gerar()).codigo, 'outra qualquer 88')],
  [
    'com o reuso de um token',
    async (c: Awaited<ReturnType<typeof criarAssinante>>, _access: string, velho: string) => {
      relogio.avancar(31_000);
      return rejeitado(c.renovar(velho));
    },
  ],
] as readonly (readonly [
  string,
  (c: Awaited<ReturnType<typeof criarAssinante>>, access: string, velho: string) => Promise<unknown>,
])[]) {
  test.serial(`${como}, a sessão termina no mesmo instante em outro processo, que a guardava`, async (t) => {
    const c = await criarAssinante(api);
    const [um, outro] = [await porta(t), await porta(t, 1)];
    const primeira = await c.entrar();
    const { access } = await c.renovar(primeira.refresh);
    for (const pedir of [um, outro]) t.is(codigo(await pedir(`Bearer ${access}`)), 'entrou');
    await encerrar(c, access, primeira.refresh);
    for (const pedir of [outro, um]) t.is(codigo(await pedir(`Bearer ${access}`)), 'sessao_encerrada');
  });
}

async function rejeitado(feito: Promise<unknown>): Promise<void> {
  await feito.then(
    () => {
      throw new Error('não foi recusado');
    },
    () => {},
  );
}

test.serial('120 pedidos por minuto de uma sessão, por mais que renove', async (t) => {
  const c = await criarAssinante(api);
  const pedir = await porta(t);
  let tokens = await c.entrar();
  for (let n = 0; n < 120; n += 1) {
    if (n === 60) tokens = { ...tokens, ...(await c.renovar(tokens.refresh)) };
    t.is(codigo(await pedir(`Bearer ${tokens.access}`)), 'entrou');
  }
  t.is(codigo(await pedir(`Bearer ${tokens.access}`)), 'limite_excedido');
  t.is(codigo(await pedir(`Bearer ${(await c.entrar(SENHA)).access}`)), 'entrou');
});
