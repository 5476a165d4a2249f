import test from 'ava';
import { Visitor } from 'oxc-parser';
import type { ImportSpecifier } from 'oxc-parser';
import { conferirResposta } from './contrato-openapi.ts';
import type { Recebida } from './contrato-openapi.ts';
import { lerFontes, nomeFinal } from './fontes.ts';
import type { Fonte } from './fontes.ts';

// What speaks HTTP in the tests: `enviar` holds each response of the public API against the OpenAPI document, and these speak
// with something else, or do so themselves.
const FALAM_HTTP = [
  'test/support/api.ts',
  // It reads a part of a file, and then holds it against the document.
  'test/surfaces/public-api/extratos.test.ts',
  // Pages, of which the document says nothing.
  'test/surfaces/panel/seguranca.test.ts',
  'test/surfaces/pages/boletos.processo.test.ts',
  'test/surfaces/pages/pagamento.processo.test.ts',
  'test/surfaces/pages/pagamento-navegador.processo.test.ts',
  // Asks a service that was started as people start it, whose day is not that of the tests.
  'test/surfaces/panel/caminho-navegador.processo.test.ts',
  // The panel's, too, and streams of events.
  'test/support/painel.ts',
  'test/surfaces/panel/ativos.test.ts',
  'test/surfaces/panel/chamados.test.ts',
  'test/kit/live/sse.test.ts',
  // /readyz is no route of a surface.
  'test/faults/so-leitura.test.ts',
  // A surface of its own.
  'test/kit/second-surface.test.ts',
];

/** Whether a source makes HTTP requests. */
function falaHttp({ programa }: Fonte): boolean {
  let fala = false;
  new Visitor({
    ImportDeclaration({ source, specifiers }) {
      if (!/^(?:node:https?|undici)$/.test(source.value)) return;
      fala ||= specifiers.some((no) => no.type === 'ImportSpecifier' && /^(?:request|get)$/.test(nomeDoImportado(no)));
    },
    CallExpression({ callee }) {
      fala ||= nomeFinal(callee) === 'fetch';
    },
  }).visit(programa);
  return fala;
}

const nomeDoImportado = ({ imported }: ImportSpecifier): string =>
  imported.type === 'Literal' ? imported.value : imported.name;

test('toda resposta chega aos testes por quem a confere com o documento OpenAPI', (t) => {
  const falam = [...lerFontes(['test']).values()].filter(falaHttp).map(({ nome }) => nome);
  t.deepEqual(falam.toSorted(), FALAM_HTTP.toSorted());
});

const RECEBIDA: Recebida = {
  metodo: 'GET',
  alvo: '/api/v1/status',
  status: 401,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'x-ratelimit-limit': '120',
    'x-ratelimit-remaining': '119',
    'x-ratelimit-reset': '60',
    ratelimit: '"rede";r=119;t=60',
    'ratelimit-policy': '"rede";q=120;w=60',
    'x-request-id': 'a',
  },
  texto: '{"sucesso":false,"erro":{"codigo":"chave_ausente","mensagem":"Falta a chave."}}',
};
const ERRADAS: Readonly<Record<string, [Partial<Recebida>, RegExp]>> = {
  'um código que o documento não tem': [
    { texto: RECEBIDA.texto.replace('chave_ausente', 'nada_disso') },
    /must be equal to (?:one of the allowed values|constant)/,
  ],
  'um campo a mais': [
    { texto: RECEBIDA.texto.replace('"erro":', '"dados":null,"erro":') },
    /must NOT have additional properties/,
  ],
  'um estado que a rota não dá': [{ status: 418 }, /estado não documentado nesta rota/],
  'um estado que nenhuma rota dá': [{ alvo: '/api/v1/nada', status: 200 }, /estado inesperado fora das rotas/],
  'um cabeçalho a menos': [
    { headers: { ...RECEBIDA.headers, 'x-request-id': undefined } },
    /falta o cabeçalho x-request-id/,
  ],
};

test('uma resposta do documento passa, e o que é de outra superfície não é julgado', (t) => {
  t.notThrows(() => conferirResposta(RECEBIDA));
  t.notThrows(() => conferirResposta({ ...RECEBIDA, alvo: '/pix/x', status: 418, headers: {}, texto: '<p>' }));
});

for (const [oque, [mudanca, motivo]] of Object.entries(ERRADAS)) {
  test(`uma resposta com ${oque} não passa`, (t) => {
    t.throws(() => conferirResposta({ ...RECEBIDA, ...mudanca }), { message: motivo });
  });
}
