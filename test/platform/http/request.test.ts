import type { IncomingMessage } from 'node:http';
import test from 'ava';
import { isHttps } from '../../../src/platform/http/request.ts';

const com = (proto?: string): IncomingMessage => ({ headers: { 'x-forwarded-proto': proto } }) as never;

test('sem proxies confiáveis, X-Forwarded-Proto não é lido', (t) => {
  t.false(isHttps(com('https'), 0));
});

test('com proxies, vale o que o mais distante dos confiáveis disse', (t) => {
  t.true(isHttps(com('https'), 1));
  t.true(isHttps(com('HTTPS'), 2));
  t.true(isHttps(com('http, https'), 1));
  t.false(isHttps(com('https, http'), 1));
  t.true(isHttps(com('https, http'), 2));
  for (const outro of [undefined, '', 'http', 'httpsx', ',']) t.false(isHttps(com(outro), 1), outro);
});
