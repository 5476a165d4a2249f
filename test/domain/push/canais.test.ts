import test from 'ava';
import { cifrarParaNavegador, ehPonto } from '../../../src/domain/push/canais/aes128gcm.ts';
import { hostServe } from '../../../src/domain/push/dispositivos/hosts.regras.ts';
import { esperaDepois } from '../../../src/domain/push/entregas/horario.regras.ts';
import { foraDaNoite } from '../../../src/domain/push/mensagens/horario.regras.ts';
import { criarNavegador } from './apoio.ts';

const b64 = (texto: string): Buffer => Buffer.from(texto, 'base64url');

// RFC 8291, appendix A.
const RFC = {
  p256dh: b64('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
  auth: b64('BTBZMqHH6r4Tts7J_aSIgg'),
  privada: b64('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
  sal: b64('DGv6ra1nlYgDCS1FRnbzlw'),
  cifrado:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

test('o exemplo da RFC 8291 sai como ela o escreve', (t) => {
  const claro = Buffer.from('When I grow up, I want to be a watermelon');
  t.is(cifrarParaNavegador(claro, RFC, RFC).toString('base64url'), RFC.cifrado);
});

test('outra implementação lê o que se cifra, que é outro a cada vez', (t) => {
  const { dispositivo, ler } = criarNavegador('https://push.malha.test/1');
  const chaves = { p256dh: b64(dispositivo.chaves.p256dh), auth: b64(dispositivo.chaves.auth) };
  const claro = Buffer.from(JSON.stringify({ texto: 'ã'.repeat(1500) }));
  const [um, dois] = [cifrarParaNavegador(claro, chaves), cifrarParaNavegador(claro, chaves)];
  t.notDeepEqual(um, dois);
  t.deepEqual(ler(um), JSON.parse(claro.toString()));
  t.deepEqual(ler(dois), JSON.parse(claro.toString()));
});

test('só um ponto da curva serve de chave', (t) => {
  t.true(ehPonto(RFC.p256dh));
  t.false(ehPonto(Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)])));
  t.false(ehPonto(RFC.p256dh.subarray(1)));
});

test('só servem os hosts dos navegadores e os que o operador disser', (t) => {
  for (const host of [
    'fcm.googleapis.com',
    'updates.push.services.mozilla.com',
    'web.push.apple.com',
    'a.b.notify.windows.com',
  ]) {
    t.true(hostServe(host, []), host);
  }
  for (const host of [
    'push.services.mozilla.com',
    'xpush.apple.com',
    'fcm.googleapis.com.exemplo.com',
    '127.0.0.1',
    'a.fcm.googleapis.com',
  ]) {
    t.false(hostServe(host, []), host);
  }
  t.true(hostServe('127.0.0.1', ['127.0.0.1']));
});

test('de noite espera-se pelas 8 horas do lugar', (t) => {
  const fuso = 'America/Sao_Paulo';
  const quando = (texto: string): [string, string] => {
    const { em, dia } = foraDaNoite(fuso, new Date(texto));
    return [em.toISOString(), dia];
  };
  t.deepEqual(quando('2026-11-21T23:59:59.000Z'), ['2026-11-21T23:59:59.000Z', '2026-11-21']);
  t.deepEqual(quando('2026-11-22T00:00:00.000Z'), ['2026-11-22T11:00:00.000Z', '2026-11-22']);
  t.deepEqual(quando('2026-11-22T10:59:00.000Z'), ['2026-11-22T11:00:00.000Z', '2026-11-22']);
  t.deepEqual(quando('2026-11-22T11:00:00.000Z'), ['2026-11-22T11:00:00.000Z', '2026-11-22']);
});

test('as esperas dobram até uma hora, salvo o que se pede', (t) => {
  t.deepEqual(
    [1, 2, 3, 7, 8, 40].map((vez) => esperaDepois(vez, null) / 60_000),
    [1, 2, 4, 60, 60, 60],
  );
  t.is(esperaDepois(1, 7000), 7000);
});
