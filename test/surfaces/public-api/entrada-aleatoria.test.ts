import test from 'ava';
import * as fc from 'fast-check';
import { ROTAS } from '../../../src/surfaces/public-api/rotas.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { CARACTERE } from '../../support/caracteres.ts';
import { criarContrato } from '../../support/contrato-openapi.ts';
import { enviarCru } from '../../support/cru.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { quanto } from '../../support/prova.ts';

/** Requests generated; each key lives through its limit of 1200 a minute and is then replaced. */
const REQUISICOES = quanto(1200, 10_500);
const POR_CHAVE = 1000;
const EM_VOO = 16;

let api: Api;
const chaves: string[] = [];
let semPermissao: string;

test.before(async () => {
  api = await criarApi();
  const fabrica = criarFabrica(api.dono);
  const provedor = await fabrica.provedor();
  const plano = await fabrica.plano(provedor);
  const cliente = await fabrica.cliente(provedor);
  const contrato = await fabrica.contrato(provedor, { cliente_id: cliente, plano_id: plano });
  await fabrica.fatura(provedor, { cliente_id: cliente, contrato_id: contrato });
  await fabrica.chamado(provedor, { cliente_id: cliente });
  ({ texto: semPermissao } = await api.criarChave(provedor, { permissoes: ['pre_cadastro:escrita'] }));
  for (let i = 0; i < REQUISICOES / POR_CHAVE + 1; i += 1) chaves.push((await api.criarChave(provedor)).texto);
});
test.after.always(() => api.fechar());

const nomes = [...new Set(ROTAS.flatMap(({ query }) => Object.keys(query?.properties ?? {})))];
const estranhos = [
  '0',
  '-0',
  '1e309',
  'NaN',
  '9007199254740993',
  '0x1',
  '%00',
  '%FF%FE',
  '%ZZ',
  '%',
  '../..',
  "' OR 1=1 -- ",
  '{"$gt":""}',
  '[object Object]',
  '\u202e',
  '😀',
  '٣',
  '%C0%AF',
  'undefined',
  'true',
  '2026-02-30',
  '0000-00-00',
  '52998224725',
  'a'.repeat(3000),
];

const texto = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...estranhos) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: CARACTERE, maxLength: 40 }) },
  { weight: 2, arbitrary: fc.integer().map(String) },
  { weight: 1, arbitrary: fc.double().map(String) },
);
/** Mostly escaped, sometimes as it is. */
const escrito = fc.tuple(texto, fc.integer({ min: 0, max: 15 })).map(([t, cru]) => (cru === 0 ? t : escapar(t)));
const consulta = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom(...nomes), escrito), escrito), { maxLength: 4 })
  .map((pares) => pares.map(([nome, valor]) => `${nome}=${valor}`).join('&'));
const caminho = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom(...ROTAS.map((rota) => rota.path)), escrito)
      .map(([c, id]) => c.replace('{id}', () => id)),
  },
  { weight: 2, arbitrary: fc.constantFrom(...ROTAS.map((rota) => rota.path.replace('{id}', '1'))) },
  { weight: 1, arbitrary: escrito.map((t) => `/${t}`) },
);
const cabecalho = fc.oneof(
  fc.constantFrom(
    'Host: outro.exemplo.com',
    'Host: [::1]:99999',
    'Host: a b',
    'X-Forwarded-For: 1.1.1.1, , x',
    'X-Forwarded-Host: painel.x',
    'X-HTTP-Method-Override: DELETE',
    'Accept: text/html',
    'Accept-Encoding: gzip, br;q=0.5, *;q=0',
    'Content-Type: application/json; charset=utf-16',
    'Content-Length: -1',
    'Content-Length: 99999999999999999999',
    'Transfer-Encoding: gzip, chunked',
    'Transfer-Encoding: chunked',
    'Expect: 100-continue',
    'Expect: 200-ok',
    'Upgrade: websocket\r\nConnection: Upgrade',
    'If-None-Match: *',
    'Range: bytes=0-1',
    'Cookie: a=b; c="',
    'X-API-Key: malha_outra',
    'Authorization: Bearer a b',
    'Authorization: Digest x',
    'X-Request-Id: \u00e9\u00e9',
    'Connection: close, x',
    'TE: trailers',
  ),
  texto.map((t) => `X-Teste: ${t.replaceAll(/[\r\n]/g, '')}`),
);
const corpo = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '{',
      '{"a":',
      'null',
      '[]',
      '"\ud800"',
      '{"__proto__":{}}',
      'a=b',
      '\u0000',
      '['.repeat(5000),
    ),
  },
  { weight: 1, arbitrary: fc.json() },
);
const requisicao = fc.record({
  metodo: fc.oneof(
    { weight: 8, arbitrary: fc.constant('GET') },
    {
      weight: 2,
      arbitrary: fc.constantFrom('POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'get', 'XYZ'),
    },
  ),
  base: fc.oneof(
    { weight: 20, arbitrary: fc.constant('/api/v1') },
    { weight: 1, arbitrary: fc.constantFrom('', '/api', '/api/v2', '//api/v1', 'http://x/api/v1', '/api/v1/..') },
  ),
  caminho,
  consulta,
  cabecalhos: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(cabecalho, { maxLength: 3 }) },
  ),
  restrita: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  corpo,
  versao: fc.oneof(
    { weight: 20, arbitrary: fc.constant('1.1') },
    { weight: 1, arbitrary: fc.constantFrom('1.0', '0.9', '2.0') },
  ),
});

test('dez mil requisições estranhas recebem só respostas documentadas, e nunca 500', async (t) => {
  const casos = fc.sample(requisicao, { numRuns: REQUISICOES, seed: 20_261_121 });
  const estados = new Map<number, number>();
  // Of all paths: what is of no route is answered by this surface, too.
  const conferir = criarContrato(ROTAS);
  let semResposta = 0;
  let proximo = 0;

  async function trabalhar(): Promise<void> {
    for (let i = proximo++; i < casos.length; i = proximo++) {
      const { metodo, base, caminho: c, consulta: q, cabecalhos, corpo: b, versao, restrita } = casos[i]!;
      const alvo = `${base}${c}${q === '' ? '' : `?${q}`}`;
      const enviado = Buffer.from(b);
      const linhas = [
        `${metodo} ${alvo} HTTP/${versao}`,
        'Host: localhost',
        `X-API-Key: ${restrita ? semPermissao : chaves[Math.floor(i / POR_CHAVE)]!}`,
        ...cabecalhos,
        ...(b === '' ? [] : [`Content-Length: ${enviado.length}`]),
      ];
      const resposta = await enviarCru(
        api.porta,
        Buffer.concat([Buffer.from(`${linhas.join('\r\n')}\r\n\r\n`), enviado]),
        { conferir },
      );
      if (resposta === null) {
        semResposta += 1;
        continue;
      }
      estados.set(resposta.status, (estados.get(resposta.status) ?? 0) + 1);
      if (resposta.status >= 500) t.fail(`${linhas.join('\n')}\n→ ${resposta.texto}`);
    }
  }

  await Promise.all(Array.from({ length: EM_VOO }, trabalhar));
  t.log(Object.fromEntries(estados), { semResposta });
  t.is(semResposta, 0);
  for (const status of [200, 400, 403, 404])
    t.true((estados.get(status) ?? 0) > REQUISICOES / 200, `quase nenhum ${status}`);
});

function escapar(t: string): string {
  return t.replaceAll(/[^\w.%-]/gu, (c) =>
    [...Buffer.from(c)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );
}
