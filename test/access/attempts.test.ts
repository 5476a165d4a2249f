import test from 'ava';
import type { ExecutionContext } from 'ava';
import { TooManyAttempts, createAttempts } from '../../src/access/attempts.ts';
import type { Actor } from '../../src/domain/actor.ts';
import { Recusa } from '../../src/domain/erros.ts';
import { networkSlot, tenantSlot, windowKey } from '../../src/platform/gate/keys.ts';
import { createTries } from '../../src/platform/gate/tries.ts';
import { janelasDaEntrada } from '../../src/domain/usuarios/sessoes/sessoes.regras.ts';
import { redisUrl } from '../support/banco.ts';
import { criarGate } from '../support/gate.ts';
import { criarRedisProprio } from '../support/redis-proprio.ts';
import { vindoDe } from '../support/autor.ts';

let provedores = 0;
const outroProvedor = (): number => 900_000 + (provedores += 1);
let redes = 0;
const outraRede = (): string => `198.51.${Math.floor((redes += 1) / 250)}.${redes % 250}`;

const certa = async (): Promise<string> => Promise.resolve('entrou');
const errada = async (): Promise<never> => Promise.reject(new Recusa('credenciais_incorretas'));
const ocupado = async (): Promise<never> => Promise.reject(new Recusa('ocupado'));

async function abrir(t: ExecutionContext, url: string, aoFalharMuito: (provedorId: number) => void = () => {}) {
  const { redis, gate } = await criarGate(t, url);
  const tries = createTries({ redis, gate });
  t.teardown(() => tries.close());
  const onManyFailures = (_actor: Actor, provedorId: number): void => aoFalharMuito(provedorId);
  return { redis, gate, tentativas: createAttempts({ gate, tries, onRefusal: () => {}, onManyFailures }) };
}

const chaveDa = (provedor: number, email: string): string =>
  windowKey(tenantSlot(provedor), janelasDaEntrada(email, '').daConta);

async function espera(t: ExecutionContext, feito: Promise<unknown>): Promise<number> {
  return (await t.throwsAsync(feito, { instanceOf: TooManyAttempts })).waitSeconds;
}

test('cinco falhas de uma conta em dois processos, e também a senha certa espera 1, 2, 4, 8, 15 e 15 min', async (t) => {
  const url = await redisUrl();
  const processos = [await abrir(t, url), await abrir(t, url)];
  const id = outroProvedor();
  const email = 'ninguem@malha.test';
  const tentar = async (n: number, work: () => Promise<string>): Promise<string> =>
    processos[n % 2]!.tentativas.signIn(id, email, outraRede(), work);
  for (let n = 0; n < 4; n += 1) await t.throwsAsync(tentar(n, errada), { instanceOf: Recusa });
  for (const minutos of [1, 2, 4, 8, 15, 15]) {
    await t.throwsAsync(tentar(0, errada), { instanceOf: Recusa });
    t.is(await espera(t, tentar(1, certa)), minutos * 60);
    t.is(await espera(t, tentar(0, errada)), minutos * 60);
    await processos[0]!.redis.unlink(`${chaveDa(id, email)}:espera`);
  }
  t.is(await tentar(1, certa), 'entrou');
  for (let n = 0; n < 4; n += 1) await t.throwsAsync(tentar(n, errada), { instanceOf: Recusa });
  t.is(await tentar(0, certa), 'entrou');
});

test('cinco falhas em mais de um quarto de hora não fazem esperar, e cada conta e cada provedor conta por si', async (t) => {
  const { redis, tentativas } = await abrir(t, await redisUrl());
  const id = outroProvedor();
  for (let n = 0; n < 4; n += 1) {
    await t.throwsAsync(tentativas.signIn(id, 'Ana@malha.test', outraRede(), errada), { instanceOf: Recusa });
  }
  const chave = chaveDa(id, 'ana@malha.test');
  t.true((await redis.pttl(chave)) <= 15 * 60_000);
  t.false(chave.includes('ana'));
  await redis.unlink(chave);
  await t.throwsAsync(tentativas.signIn(id, ' ana@malha.test', outraRede(), errada), { instanceOf: Recusa });
  t.is(await tentativas.signIn(id, 'ana@malha.test', outraRede(), certa), 'entrou');
  for (let n = 0; n < 5; n += 1) {
    await t.throwsAsync(tentativas.signIn(id, 'bia@malha.test', outraRede(), errada), { instanceOf: Recusa });
  }
  await espera(t, tentativas.signIn(id, 'bia@malha.test', outraRede(), certa));
  t.is(await tentativas.signIn(id, 'ana@malha.test', outraRede(), certa), 'entrou');
  t.is(await tentativas.signIn(outroProvedor(), 'bia@malha.test', outraRede(), certa), 'entrou');
});

test('vinte palpites ao mesmo tempo: só cinco são conferidos', async (t) => {
  const { tentativas } = await abrir(t, await redisUrl());
  const id = outroProvedor();
  let conferidos = 0;
  await Promise.allSettled(
    Array.from({ length: 20 }, async () =>
      tentativas.signIn(id, 'a@malha.test', outraRede(), async () => {
        conferidos += 1;
        return errada();
      }),
    ),
  );
  t.is(conferidos, 5);
});

test('o que não disse nada da senha não conta como falha', async (t) => {
  const { tentativas } = await abrir(t, await redisUrl());
  const id = outroProvedor();
  for (let n = 0; n < 12; n += 1) {
    await t.throwsAsync(tentativas.signIn(id, 'a@malha.test', outraRede(), ocupado), { message: /pedidos demais/ });
  }
  t.is(await tentativas.signIn(id, 'a@malha.test', outraRede(), certa), 'entrou');
});

test('uma rede tenta trinta vezes por minuto, e falha cem vezes em dez minutos', async (t) => {
  const { redis, tentativas } = await abrir(t, await redisUrl());
  const id = outroProvedor();
  const rede = '2001:db8:7:1';
  let n = 0;
  const tentar = async (work: () => Promise<string>): Promise<string> =>
    tentativas.signIn(id, `pessoa${(n += 1)}@malha.test`, `${rede}::${(n % 9) + 1}`, work);
  const { daRede } = janelasDaEntrada('', `${rede}::`);
  const janela = windowKey(networkSlot(`${rede}::`), daRede);
  for (let i = 0; i < 30; i += 1) t.is(await tentar(certa), 'entrou');
  t.true((await espera(t, tentar(certa))) <= 60);
  await redis.unlink(janela);
  for (let i = 0; i < 100; i += 1) {
    if (i % 25 === 0) await redis.unlink(janela);
    await t.throwsAsync(tentar(errada), { instanceOf: Recusa });
  }
  await redis.unlink(janela);
  const segundos = await espera(t, tentar(certa));
  t.true(segundos > 60 && segundos <= 600);
  t.is(await tentativas.signIn(id, 'x@malha.test', '2001:db8:7:2::1', certa), 'entrou');
});

test('o segundo fator e a prova contam por usuário; um link por e-mail conta sempre', async (t) => {
  const { tentativas } = await abrir(t, await redisUrl());
  const id = outroProvedor();
  const fator = async (): Promise<never> => Promise.reject(new Recusa('codigo_incorreto', { campo: 'codigo' }));
  for (let n = 0; n < 5; n += 1) await t.throwsAsync(tentativas.prove(id, 7, fator), { instanceOf: Recusa });
  t.is(await espera(t, tentativas.prove(id, 7, certa)), 60);
  t.is(await tentativas.prove(id, 8, certa), 'entrou');
  for (let n = 0; n < 5; n += 1) await tentativas.askForMail(id, 'a@malha.test', outraRede());
  t.is(await espera(t, tentativas.askForMail(id, 'a@malha.test', outraRede())), 60);
});

test('da segunda via se enviam cinco por fatura e dez por cliente em uma hora, e a que o cliente não recebe não conta', async (t) => {
  const { tentativas } = await abrir(t, await redisUrl());
  const provedor = outroProvedor();
  const enviar = async (fatura: number, clienteId = 7): Promise<void> =>
    tentativas.sendCopy(provedor, { id: fatura, clienteId });
  for (let n = 0; n < 5; n += 1) await enviar(1);
  const demais = await t.throwsAsync(enviar(1), { instanceOf: TooManyAttempts });
  t.is(demais.of, 'envio');
  // What one invoice refuses is not taken from the client's other ones.
  for (let n = 0; n < 5; n += 1) await enviar(2);
  for (let n = 0; n < 6; n += 1) t.true((await espera(t, enviar(3))) > 3500);
  // Those that fail are sent to nobody.
  const falhar = async (): Promise<never> => Promise.reject(new Recusa('cliente_sem_email'));
  for (let n = 0; n < 11; n += 1) {
    await t.throwsAsync(tentativas.sendCopy(provedor, { id: 4, clienteId: 9 }, falhar), { instanceOf: Recusa });
  }
  for (let n = 0; n < 5; n += 1) await enviar(4, 9);
  // The same invoice of another client, as after it changed hands.
  for (let n = 0; n < 5; n += 1) await enviar(3, 8);
});

test('sem Redis cada processo conta por si, a começar do que o Redis disse por último', async (t) => {
  const proprio = await criarRedisProprio();
  t.teardown(async () => proprio.fechar());
  const { tentativas } = await abrir(t, proprio.url);
  const id = outroProvedor();
  const tentar = async (work: () => Promise<string>): Promise<string> =>
    tentativas.signIn(id, 'a@malha.test', outraRede(), work);
  for (let n = 0; n < 3; n += 1) await t.throwsAsync(tentar(errada), { instanceOf: Recusa });
  await proprio.matar();
  for (let n = 0; n < 2; n += 1) await t.throwsAsync(tentar(errada), { instanceOf: Recusa });
  t.is(await espera(t, tentar(certa)), 60);
});

test('no app a sexta falha de um CPF espera em todos os processos; o aparelho conhecido, e o painel, não', async (t) => {
  const url = await redisUrl();
  const processos = [await abrir(t, url), await abrir(t, url)];
  const id = outroProvedor();
  const tentar = async (n: number, conta: string, work: () => Promise<string>): Promise<string> =>
    processos[n % 2]!.tentativas.signInToApp(id, conta, vindoDe(outraRede()), work);
  for (let n = 0; n < 5; n += 1) await t.throwsAsync(tentar(n, 'cliente 1', errada), { instanceOf: Recusa });
  for (const n of [0, 1]) t.is(await espera(t, tentar(n, 'cliente 1', certa)), 60);
  t.is(await tentar(0, 'aparelho a', certa), 'entrou');
  t.is(await tentar(0, 'cliente 2', certa), 'entrou');
  t.is(await processos[0]!.tentativas.signIn(id, 'cliente 1', outraRede(), certa), 'entrou');
});

test('30 renovações por minuto de uma sessão, e 20 códigos por hora de uma rede', async (t) => {
  const { tentativas } = await abrir(t, await redisUrl());
  const id = outroProvedor();
  const renovar = async (sessao: string, eDela = true): Promise<void> =>
    tentativas.refresh(id, outraRede(), sessao, async () => Promise.resolve(eDela));
  for (let n = 0; n < 31; n += 1) await renovar('app:1', false);
  for (let n = 0; n < 30; n += 1) await renovar('app:1');
  t.true((await espera(t, renovar('app:1'))) <= 60);
  await renovar('app:2');
  const rede = outraRede();
  for (let n = 0; n < 20; n += 1) await tentativas.askForCode(rede);
  t.true((await espera(t, tentativas.askForCode(rede))) > 60);
  await tentativas.askForCode(outraRede());
});

test('de mais de 300 falhas num minuto, de quem quer que sejam, se avisa uma vez', async (t) => {
  const avisados: number[] = [];
  const { gate, tentativas } = await abrir(t, await redisUrl(), (provedorId) => void avisados.push(provedorId));
  const id = outroProvedor();
  await Promise.all(Array.from({ length: 298 }, async () => gate.admit(tenantSlot(id), 'app:falhas', [])));
  for (const esperados of [[], [], [id], [id], [id]]) {
    const conta = `cliente ${(redes += 1)}`;
    await t.throwsAsync(tentativas.signInToApp(id, conta, vindoDe(outraRede()), errada), { instanceOf: Recusa });
    t.deepEqual(avisados, esperados);
  }
});
