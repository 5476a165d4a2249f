import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { appApi, MalhaError, verifyWebhook } from '../../client/src/index.ts';
import { criarAssinante } from '../domain/acessos/apoio.ts';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { AUTOR } from '../support/autor.ts';
import { ate } from '../support/espera.ts';
import { executar, servir } from '../support/processo.ts';
import { quanto } from '../support/prova.ts';
import { criarReceptorDeWebhooks, WEBHOOKS_AQUI } from '../support/receptor.ts';

// API and worker are killed in turn under writes by keys, under sessions that are refreshed, and under deliveries.

const MORTES = quanto(4, 50);
const MAOS = 4;
/** Of each hand: a key may ask 1,200 times a minute, and one hand asks oftener. */
const CHAVES_POR_MAO = 12;
const APARELHOS = 8;
/** A session may be refreshed 30 times a minute. */
const ENTRE_RENOVACOES_MS = 2_100;
/** How long at most a process lives after all of it is under way. */
const MAIS_TARDE_MS = 800;

/** What goes on for as long as it may, and leaves out what was asked of a service that died. */
interface Carga {
  segue: boolean;
}

/** Asks until there is an answer; a refusal is one. */
async function insistir<T>(pedir: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await pedir();
    } catch (error) {
      if (error instanceof MalhaError) throw error;
      await sleep(30);
    }
  }
}

/** A CPF with right check digits, one for each number. */
function cpfDe(n: number): string {
  const digito = (texto: string): string => {
    const soma = Array.from(texto).reduce((total, d, i) => total + Number(d) * (texto.length + 1 - i), 0);
    return String(((soma * 10) % 11) % 10);
  };
  const base = String(200_000_000 + n);
  const com = base + digito(base);
  return com + digito(com);
}

/**
 * Registers one client after the other by the keys in turn, each asked for with one Idempotency-Key until it is answered. Returns
 * their ids.
 */
async function cadastrar(carga: Carga, url: string, chaves: readonly string[], mao: number): Promise<number[]> {
  const porChave = chaves.map((credential) => appApi({ url, credential, tries: 1 }));
  const ids: number[] = [];
  for (let n = 0; carga.segue; n += 1) {
    const malha = porChave[n % porChave.length]!;
    const pedido = {
      body: { nome: `Cliente ${mao}-${n}`, cpf_cnpj: cpfDe(mao * 100_000 + n) },
      idempotencyKey: `${mao}-${n}`,
    };
    const { id } = await insistir(async () => {
      try {
        return await malha.call('POST /clientes', pedido);
      } catch (error) {
        // The request before it, whose process died, is not known to have ended yet.
        if (error instanceof MalhaError && error.code === 'requisicao_em_andamento') {
          throw new Error(error.code, { cause: error });
        }
        throw error;
      }
    });
    ids.push(id);
  }
  return ids;
}

interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

/** Refreshes a session again and again, and returns the last tokens. */
async function renovar(carga: Carga, url: string, primeiros: Tokens): Promise<{ tokens: Tokens; vezes: number }> {
  let tokens = primeiros;
  let vezes = 0;
  const malha = appApi({ url, credential: () => tokens.access, tries: 1 });
  while (carga.segue) {
    await insistir(async () => malha.call('GET /auth/check'));
    const novos = await insistir(async () =>
      malha.call('POST /auth/refresh', { body: { refresh_token: tokens.refresh } }),
    );
    tokens = { access: novos.access_token, refresh: novos.refresh_token };
    vezes += 1;
    await sleep(ENTRE_RENOVACOES_MS);
  }
  return { tokens, vezes };
}

/** Lets API and worker live together, and kills one of them, in turn, until none is left to die. */
async function matar(
  t: ExecutionContext,
  api: Api,
  porta: string,
  mais: Record<string, string>,
  entregues: () => number,
) {
  const env = { ...mais, DATABASE_URL: api.databaseUrl, REDIS_URL: api.redisUrl };
  const naPorta = async () => servir({ ...env, PORT: porta });
  const trabalhar = async () => executar('worker', env, /Worker do Malha em execução/);
  let [servico, worker] = await Promise.all([naPorta(), trabalhar()]);
  t.teardown(async () => Promise.all([servico.parar('SIGKILL'), worker.parar('SIGKILL')]));
  for (let morte = 0; morte < MORTES; morte += 1) {
    const antes = entregues();
    await ate(() => entregues() > antes + 5, 60_000);
    await sleep(Math.random() * MAIS_TARDE_MS);
    if (morte % 2 === 0) {
      await servico.parar('SIGKILL');
      servico = await naPorta();
    } else {
      await worker.parar('SIGKILL');
      worker = await trabalhar();
    }
  }
  return { parar: async () => Promise.all([servico.parar(), worker.parar()]) };
}

test(`com ${MORTES} kill -9 de API e worker: tudo que se gravou é contado, nada mais, e nenhuma sessão se perde ou dobra`, async (t) => {
  t.timeout(quanto(400_000, 3_600_000));
  const env = { ...WEBHOOKS_AQUI, MALHA_CHAVE_MESTRA: randomBytes(32).toString('hex') };
  const api = await criarApi({ env });
  t.teardown(() => api.fechar());
  const c = await criarAssinante(api);
  const provedor = c.provedor.id;
  await api.dono('provedores').where('id', provedor).update({ panel_host: 'localhost' });
  const maos = await Promise.all(
    Array.from({ length: MAOS }, async () =>
      Promise.all(Array.from({ length: CHAVES_POR_MAO }, async () => (await api.criarChave(provedor)).texto)),
    ),
  );
  const sessoes = await Promise.all(Array.from({ length: APARELHOS }, async () => c.entrar()));

  const todasAsSessoes = async () =>
    api.dono('app_sessoes').where({ provedor_id: provedor }).orderBy('id').select('id', 'encerrada_em');
  const antes = await todasAsSessoes();

  const receptor = await criarReceptorDeWebhooks();
  t.teardown(() => receptor.fechar());
  const { segredo } = await api.container.webhooks.criar(AUTOR, provedor, {
    url: receptor.url,
    eventos: ['cliente.criado'],
  });
  const contados = new Set<number>();
  const falsos: string[] = [];
  receptor.responder = (pedido, resposta) => {
    const { corpo } = receptor.recebidos.at(-1)!;
    verifyWebhook({ body: corpo, headers: pedido.headers, secret: segredo }).then(
      ({ data }) => {
        contados.add(data.cliente_id ?? 0);
        setTimeout(() => resposta.end(), 10);
      },
      () => falsos.push(corpo),
    );
  };

  // A port that nobody has: what the service of this process listens on is its own.
  const livre = await servir({ ...env, DATABASE_URL: api.databaseUrl, REDIS_URL: api.redisUrl });
  const { porta } = livre;
  await livre.parar();
  const url = `http://localhost:${porta}`;
  const carga = { segue: true };
  const cadastros = maos.map(async (chaves, mao) => cadastrar(carga, url, chaves, mao));
  const renovacoes = sessoes.map(async (tokens) => renovar(carga, url, tokens));
  const vivos = await matar(t, api, String(porta), env, () => receptor.recebidos.length);
  carga.segue = false;
  const ids = (await Promise.all(cadastros)).flat();
  const finais = await Promise.all(renovacoes);

  const gravados = await api
    .dono('clientes')
    .where({ provedor_id: provedor })
    .whereNot('id', c.cliente)
    .pluck<number[]>('id');
  t.deepEqual(
    ids.toSorted((a, b) => a - b),
    gravados.toSorted((a, b) => a - b),
  );
  // What waits is as much as the machine could register meanwhile: only what does not go on hangs.
  const faltam = (): number => gravados.filter((id) => !contados.has(id)).length;
  for (let vistos = faltam(); vistos > 0; vistos = faltam()) await ate(() => faltam() < vistos);
  t.is(contados.size, gravados.length);
  t.deepEqual(falsos, []);
  for (const { tokens } of finais) {
    t.is((await appApi({ url, credential: tokens.access }).call('GET /auth/check')).valid, true);
  }
  t.deepEqual(await todasAsSessoes(), antes);
  t.deepEqual(await vivos.parar(), [0, 0]);
  const renovadas = finais.reduce((soma, { vezes }) => soma + vezes, 0);
  t.log(`${gravados.length} cadastros, ${receptor.recebidos.length} envios, ${renovadas} renovações`);
});
