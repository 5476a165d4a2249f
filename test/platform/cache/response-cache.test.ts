import { randomUUID } from 'node:crypto';
import test from 'ava';
import { createDeadline, DeadlineError } from '../../../src/platform/timing/deadline.ts';
import { createGate } from '../../../src/platform/gate/gate.ts';
import type { Gate } from '../../../src/platform/gate/gate.ts';
import type { Moment, TagState } from '../../../src/platform/gate/moment.ts';
import { bumpsKey } from '../../../src/platform/gate/keys.ts';
import { createRedis } from '../../../src/platform/redis/redis.ts';
import type { RedisConnection } from '../../../src/platform/redis/redis.ts';
import { createResponseCache } from '../../../src/platform/cache/response-cache.ts';
import type { CacheEvent } from '../../../src/platform/cache/response-cache.ts';
import type { Trail } from '../../../src/platform/cache/trail.ts';
import { redisUrl } from '../../support/banco.ts';
import { relogioEm } from '../../support/relogio.ts';

let redis: RedisConnection;
let gate: Gate;
const deadline = createDeadline(1000);
test.before(async () => {
  redis = createRedis(await redisUrl(), 'gate', () => {});
  await new Promise((resolve) => redis.once('ready', resolve));
  gate = createGate({ redis, onMode: () => {} });
});
test.after.always(() => {
  gate.close();
  deadline.close();
  redis.disconnect();
});

type Produzir = (trail: Trail) => Promise<string>;

/** A cache over the real Redis, asked as the surface asks: what is kept, its versions, and a load when it is not good. */
function montar({ maxBytes = 2 ** 20 } = {}) {
  const slot = `teste:{${randomUUID()}}`;
  const relogio = relogioEm('2026-11-20T12:00:00Z');
  const eventos: CacheEvent[] = [];
  const cache = createResponseCache<string>({
    gate,
    relogio,
    maxBytes,
    onEvent: (evento) => eventos.push(evento),
  });

  const agora = async (tags: readonly string[] = []): Promise<TagState> => (await gate.read(slot, [...tags, 'comum']))!;

  async function carregar(key: string, produce: Produzir, since: Moment | null) {
    const { body } = await cache.load({ key, slot, since, implied: ['comum'], meta: key, produce });
    return body.toString();
  }

  async function pedir(key: string, produce: Produzir): Promise<string> {
    const guardada = cache.peek(key);
    const leitura = await agora(guardada?.tags);
    if (guardada !== undefined && cache.isGood(guardada, leitura)) return guardada.body.toString();
    return carregar(key, produce, leitura);
  }
  return { slot, relogio, eventos, cache, agora, carregar, pedir };
}

/** Answers with the next number, after naming what it depends on. */
function contador(...tags: string[]) {
  let vezes = 0;
  const produzir: Produzir = async (trail) => {
    trail.dependsOn(...tags);
    vezes += 1;
    return String(vezes);
  };
  return { produzir, vezes: () => vezes };
}

/** Holds whoever waits for it until it is opened. */
function portao() {
  let abrir = (): void => {};
  const aberto = new Promise<void>((resolve) => (abrir = resolve));
  return { aberto, abrir };
}

test('o que foi guardado serve até que uma das suas etiquetas mude, e só então é feito de novo', async (t) => {
  const { slot, pedir } = montar();
  const { produzir } = contador('a', 'b');
  t.is(await pedir('x', produzir), '1');
  t.is(await pedir('x', produzir), '1');
  await gate.bump(slot, ['outra']);
  t.is(await pedir('x', produzir), '1');
  await gate.bump(slot, ['b']);
  t.is(await pedir('x', produzir), '2');
  await gate.bump(slot, ['comum']);
  t.is(await pedir('x', produzir), '3');
});

test('pedidos simultâneos do mesmo endereço fazem uma carga só', async (t) => {
  const { eventos, pedir } = montar();
  const { produzir, vezes } = contador('a');
  const respostas = await Promise.all(Array.from({ length: 200 }, () => pedir('x', produzir)));
  t.deepEqual(new Set(respostas), new Set(['1']));
  t.is(vezes(), 1);
  t.is(eventos.filter((evento) => evento === 'miss').length, 1);
});

test('o que uma escrita durante a carga tornou velho não fica guardado', async (t) => {
  const { slot, cache, agora, pedir } = montar();
  let valor = 'antes';
  const lento: Produzir = async (trail) => {
    trail.dependsOn('a');
    const lido = valor;
    valor = 'depois';
    await gate.bump(slot, ['a']);
    return lido;
  };
  t.is(await pedir('x', lento), 'antes');
  for (const _ of [1, 2]) await agora();
  t.is(cache.peek('x'), undefined);
  t.is(await pedir('x', contador('a').produzir), '1');
});

test('de muitas respostas, só ficam guardadas as que ainda podem servir', async (t) => {
  const { slot, relogio, cache, agora, carregar } = montar();
  const fazer = async (n: number): Promise<void> => {
    const produzir: Produzir = async (trail) => {
      trail.dependsOn(`e${n}`);
      if (n % 4 === 1) await gate.bump(slot, [`e${n}`]);
      if (n % 4 === 2) trail.changesAt(relogio.agora());
      if (n % 4 === 3) trail.dependsOn(...Array.from({ length: 1000 }, (_, m) => `e${n} ${m}`));
      return String(n);
    };
    t.is(await carregar(`k${n}`, produzir, await agora()), String(n));
  };
  for (let n = 0; n < 60; n += 1) await fazer(n);
  // What was looked up after the answers is told by then.
  for (const _ of [1, 2]) await agora();
  t.is(cache.size.entries, 15);
  for (let n = 0; n < 60; n += 4) t.not(cache.peek(`k${n}`), undefined);
});

test('quem se junta a uma carga que começou antes de uma escrita não recebe o que ela leu', async (t) => {
  const { slot, agora, carregar } = montar();
  const leu = portao();
  const seguir = portao();
  let valor = 'antes';
  const produzir: Produzir = async (trail) => {
    trail.dependsOn('a');
    const lido = valor;
    leu.abrir();
    await seguir.aberto;
    return lido;
  };
  const known = await agora();
  const primeira = carregar('x', produzir, known);
  await leu.aberto;
  valor = 'depois';
  await gate.bump(slot, ['a']);
  // The write is answered; this one begins after it, under the same version of what it already knows.
  const segunda = carregar('x', produzir, await agora());
  seguir.abrir();
  t.is(await primeira, 'antes');
  t.is(await segunda, 'depois');
});

test('quem se junta a uma carga sem que nada tenha mudado recebe o mesmo, também o mesmo erro', async (t) => {
  const { agora, carregar } = montar();
  const seguir = portao();
  let vezes = 0;
  const falha: Produzir = async (trail) => {
    trail.dependsOn('a');
    vezes += 1;
    await seguir.aberto;
    throw new RangeError('não há');
  };
  const pedidos = [carregar('x', falha, await agora()), carregar('x', falha, await agora())];
  seguir.abrir();
  for (const pedido of pedidos) await t.throwsAsync(pedido, { instanceOf: RangeError });
  t.is(vezes, 1);
});

test('um erro não é guardado', async (t) => {
  const { cache, pedir } = montar();
  await t.throwsAsync(
    pedir('x', async (trail) => {
      trail.dependsOn('a');
      throw new RangeError('não há');
    }),
  );
  t.is(cache.peek('x'), undefined);
  t.is(await pedir('x', contador('a').produzir), '1');
});

test('a partir do instante em que a resposta muda por si, ela é feita de novo', async (t) => {
  const { relogio, pedir } = montar();
  let vezes = 0;
  const produzir: Produzir = async (trail) => {
    trail.dependsOn('a');
    vezes += 1;
    trail.changesAt(new Date('2026-11-21T03:00:00Z'));
    trail.changesAt(new Date('2026-11-22T03:00:00Z'));
    return String(vezes);
  };
  relogio.definir('2026-11-21T02:59:30Z');
  t.is(await pedir('x', produzir), '1');
  relogio.definir('2026-11-21T02:59:59.999Z');
  t.is(await pedir('x', produzir), '1');
  relogio.definir('2026-11-21T03:00:00Z');
  t.is(await pedir('x', produzir), '2');
});

test('nada se guarda por mais de dez minutos, contados de antes da leitura', async (t) => {
  const { relogio, pedir } = montar();
  let vezes = 0;
  const produzir: Produzir = async (trail) => {
    trail.dependsOn('a');
    relogio.avancar(1000);
    return String((vezes += 1));
  };
  t.is(await pedir('x', produzir), '1');
  relogio.avancar(598_999);
  t.is(await pedir('x', produzir), '1');
  relogio.avancar(1);
  t.is(await pedir('x', produzir), '2');
});

test('uma carga que termina depois do instante em que mudaria não serve a quem se juntou a ela', async (t) => {
  const { relogio, agora, carregar } = montar();
  const leu = portao();
  const seguir = portao();
  let vezes = 0;
  const produzir: Produzir = async (trail) => {
    trail.dependsOn('a');
    vezes += 1;
    const esta = String(vezes);
    trail.changesAt(new Date(vezes === 1 ? '2026-11-20T12:00:01Z' : '2026-11-21T03:00:00Z'));
    leu.abrir();
    await seguir.aberto;
    return esta;
  };
  const primeira = carregar('x', produzir, await agora());
  await leu.aberto;
  relogio.avancar(2000);
  const segunda = carregar('x', produzir, await agora());
  seguir.abrir();
  t.deepEqual([await primeira, await segunda], ['1', '2']);
});

test('os bytes guardados não passam do limite, e o que sai é o menos usado', async (t) => {
  const maxBytes = 20_000;
  const { cache, eventos, pedir } = montar({ maxBytes });
  const grande: Produzir = async (trail) => {
    trail.dependsOn('a');
    return 'x'.repeat(3000);
  };
  for (let i = 0; i < 20; i += 1) {
    await pedir(`k${i}`, grande);
    t.true(cache.size.bytes <= maxBytes);
    t.not(cache.peek(`k${i}`), undefined);
    await pedir('k0', grande);
  }
  t.not(cache.peek('k0'), undefined);
  t.is(cache.peek('k1'), undefined);
  t.is(eventos.filter((evento) => evento === 'eviction').length, 20 - cache.size.entries);
  await pedir('enorme', async (trail) => {
    trail.dependsOn('a');
    return 'x'.repeat(maxBytes);
  });
  t.is(cache.peek('enorme'), undefined);
});

test('sem as versões, nada é guardado nem partilhado', async (t) => {
  const { cache, eventos, carregar } = montar();
  const { produzir, vezes } = contador('a');
  await Promise.all([carregar('x', produzir, null), carregar('x', produzir, null)]);
  t.is(vezes(), 2);
  t.is(cache.peek('x'), undefined);
  t.deepEqual(eventos, ['bypass', 'bypass']);
});

test('a resposta que não disse de que depende não é guardada', async (t) => {
  const { cache, pedir } = montar();
  t.is(await pedir('x', contador().produzir), '1');
  t.is(cache.peek('x'), undefined);
});

test('as etiquetas podem ser ditas depois de lidas as linhas: o que valeu foi a ordem da escrita', async (t) => {
  const { slot, pedir } = montar();
  let vezes = 0;
  const produzir: Produzir = async (trail) => {
    vezes += 1;
    if (vezes === 1) await gate.bump(slot, ['a']);
    trail.dependsOn('a');
    return String(vezes);
  };
  t.is(await pedir('x', produzir), '1');
  t.is(await pedir('x', produzir), '2');
  t.is(await pedir('x', produzir), '2');
});

test('quando o Redis perde o que sabia, nada do que se guardou vale', async (t) => {
  const { slot, pedir } = montar();
  const { produzir } = contador('a');
  await pedir('x', produzir);
  await redis.del(bumpsKey(slot));
  t.is(await pedir('x', produzir), '2');
  t.is(await pedir('x', produzir), '2');
});

test('quem não achou nada guardado e chega depois de outro ter feito a resposta recebe a dele, se nada mudou', async (t) => {
  const { slot, agora, carregar } = montar();
  const { produzir, vezes } = contador('a');
  const [um, dois] = [await agora(), await agora()];
  t.is(await carregar('x', produzir, um), '1');
  t.is(await carregar('x', produzir, dois), '1');
  await gate.bump(slot, ['outra']);
  t.is(await carregar('x', produzir, await agora()), '1');
  await gate.bump(slot, ['a']);
  t.is(await carregar('x', produzir, await agora()), '2');
  t.is(vezes(), 2);
});

test('de muitos que esperavam uma carga que uma escrita ultrapassou, um só carrega de novo', async (t) => {
  const { slot, agora, carregar } = montar();
  const leu = portao();
  const seguir = portao();
  let vezes = 0;
  const produzir: Produzir = async (trail) => {
    trail.dependsOn('a');
    vezes += 1;
    const esta = String(vezes);
    leu.abrir();
    await seguir.aberto;
    // The second load takes its time, so that the others come while it is under way.
    await gate.read(slot, ['a']);
    return esta;
  };
  const primeira = carregar('x', produzir, await agora());
  await leu.aberto;
  await gate.bump(slot, ['a']);
  const known = await agora();
  const outras = Promise.all(Array.from({ length: 50 }, () => carregar('x', produzir, known)));
  seguir.abrir();
  t.is(await primeira, '1');
  t.deepEqual(new Set(await outras), new Set(['2']));
  t.is(vezes, 2);
});

test('uma carga que não termina acaba em erro para todos os que a esperavam, e a seguinte começa de novo', async (t) => {
  const { agora, carregar, pedir } = montar();
  const nunca: Produzir = async (trail) => {
    trail.dependsOn('a');
    return deadline.watch(new Promise<string>(() => {}));
  };
  const pedidos = [carregar('x', nunca, await agora()), carregar('x', nunca, await agora())];
  for (const pedido of pedidos) await t.throwsAsync(pedido, { instanceOf: DeadlineError });
  t.is(await pedir('x', contador('a').produzir), '1');
});
