import test from 'ava';
import * as fc from 'fast-check';
import type { Schema } from '../../../src/platform/schema-type.ts';
import { ROTAS } from '../../../src/surfaces/public-api/rotas.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { CARACTERE } from '../../support/caracteres.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { quanto } from '../../support/prova.ts';

const REQUISICOES = quanto(600, 4000);
const POR_CHAVE = 1000;
const EM_VOO = 16;
const DIA_MS = 86_400_000;
const ESCRITAS = ROTAS.filter((rota) => rota.kind === 'write');

let api: Api;
let provedor: number;
const chaves: string[] = [];
/** Ids that stand for something, by field or route: those of the provider, and as many of another. */
const ids: number[] = [];
const QUANTOS = 12;
/** Where among them are those of a route's own kind, by the first part of its path. */
const DA_ROTA: Readonly<Record<string, readonly number[]>> = {
  clientes: [1],
  contratos: [2, 3],
  chamados: [4],
  faturas: [5],
};
const HOJE = new Date();
test.before(async () => {
  api = await criarApi();
  const fabrica = criarFabrica(api.dono);
  provedor = await fabrica.provedor({}, { desbloqueio_habilitado: 1 });
  const alheio = await fabrica.provedor();
  for (const [n, dono] of [provedor, alheio].entries()) {
    const plano_id = await fabrica.plano(dono);
    const cliente_id = await fabrica.cliente(dono);
    const bloqueado = { situacao: 'bloqueado', bloqueio_origem: 'financeiro' };
    const contrato_id = await fabrica.contrato(dono, { cliente_id, plano_id, ...bloqueado });
    const online = await fabrica.contrato(dono, { cliente_id, plano_id, login: `online${n}` });
    await fabrica.nas(dono, `10.9.0.${n + 1}`);
    const acctstarttime = HOJE.toISOString().slice(0, 19).replace('T', ' ');
    await fabrica.sessao({ username: `online${n}`, nasipaddress: `10.9.0.${n + 1}`, acctstarttime });
    const chamado = await fabrica.chamado(dono, { cliente_id });
    const fatura = await fabrica.fatura(dono, { cliente_id, contrato_id });
    ids.push(plano_id, cliente_id, contrato_id, online, chamado, fatura);
  }
  for (let n = 0; n <= REQUISICOES / POR_CHAVE; n += 1) chaves.push((await api.criarChave(provedor)).texto);
});
test.after.always(() => api.fechar());

const texto = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: CARACTERE, maxLength: 30 }),
  fc.constantFrom('', '  ', '\u0000\u0000\u0000', '\ud800ab', '😀😀😀', "' OR 1=1 -- ", '<script>', 'x'.repeat(6000)),
);
const estranho = fc.oneof(
  texto,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, [], {}, [1], 1e21, -1, 0, 2 ** 53, '1', { __proto__: null }),
);

/** What a field may be sent as: mostly as its schema wants it, else anything. */
function valorDe(nome: string, esquema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 4, arbitrary: certoDe(nome, esquema) }, { weight: 1, arbitrary: estranho });
}

function certoDe(
  nome: string,
  { type, enum: opcoes, format, minLength = 0, examples = [] }: Schema,
): fc.Arbitrary<unknown> {
  if (opcoes) return fc.constantFrom<unknown>(...opcoes);
  if ([type].flat().includes('integer')) {
    const proprio = DA_ROTA[nome.replace(/_id$/, 's')] ?? [0];
    return fc.oneof(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 0, max: QUANTOS - 1 }).map((i) => ids[i]),
      fc.constantFrom(...proprio).map((i) => ids[i]),
    );
  }
  if (format === 'date') {
    const dia = (dias: number): string => new Date(HOJE.getTime() + dias * DIA_MS).toISOString().slice(0, 10);
    return fc.integer({ min: -1, max: 8 }).map(dia);
  }
  const qualquer = fc.string({ unit: 'grapheme', minLength, maxLength: minLength + 20 });
  return examples.length === 0 ? qualquer : fc.oneof(qualquer, fc.constantFrom<unknown>(...examples));
}

const requisicao = fc.constantFrom(...ESCRITAS).chain((rota) => {
  const { properties, required = [] } = rota.body!.schema;
  const campos = Object.fromEntries(
    Object.entries(properties).map(([nome, esquema]) => [nome, valorDe(nome, esquema)]),
  );
  const corpo = fc.record(campos, { requiredKeys: [...required] });
  return fc.record({
    rota: fc.constant(rota),
    id: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...(DA_ROTA[rota.path.split('/')[1] ?? ''] ?? [0])) },
      { weight: 3, arbitrary: fc.integer({ min: 0, max: QUANTOS - 1 }) },
      { weight: 1, arbitrary: fc.constant(-1) },
    ),
    corpo: fc.oneof(
      { weight: 12, arbitrary: corpo },
      {
        weight: 2,
        arbitrary: fc.tuple(corpo, texto, estranho).map(([certo, nome, valor]) => ({ ...certo, [nome]: valor })),
      },
      { weight: 1, arbitrary: estranho },
    ),
    marca: fc.oneof(
      { weight: 4, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.constantFrom('a', 'b', 'c') },
      { weight: 1, arbitrary: fc.constantFrom('com espaço', 'x'.repeat(256), '') },
    ),
    tipo: fc.oneof(
      { weight: 20, arbitrary: fc.constant('application/json') },
      {
        weight: 1,
        arbitrary: fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'multipart/form-data'),
      },
    ),
  });
});

test('corpos estranhos nas rotas que escrevem recebem só respostas documentadas, e só o que deu certo deixa rastro', async (t) => {
  const casos = fc.sample(requisicao, { numRuns: REQUISICOES, seed: 20_261_121 });
  const { db } = api.container;
  const contar = async (tabela: string, onde: object = {}): Promise<number> =>
    Number(
      (
        await db(tabela)
          .where({ provedor_id: provedor, ...onde })
          .count({ n: '*' })
      )[0]!['n'],
    );
  const chamadosAntes = await contar('chamados');
  const feitas = new Map<string, Set<string>>();
  const estados = new Map<number, number>();
  let proximo = 0;

  async function trabalhar(): Promise<void> {
    for (let i = proximo++; i < casos.length; i = proximo++) {
      const { rota, id, corpo, marca, tipo } = casos[i]!;
      const caminho = rota.path.replace('{id}', id < 0 ? '0x1' : String(ids[id]));
      const headers = {
        'content-type': tipo,
        ...(marca === null ? {} : { 'idempotency-key': Buffer.from(marca).toString('latin1') }),
      };
      const chave = chaves[Math.floor(i / POR_CHAVE)]!;
      const resposta = await api.pedir(rota.method, caminho, { chave, headers, corpo: JSON.stringify(corpo) ?? '' });
      estados.set(resposta.status, (estados.get(resposta.status) ?? 0) + 1);
      if (resposta.status >= 500) t.fail(`${rota.method} ${caminho} ${JSON.stringify(corpo)} → ${resposta.texto}`);
      if (resposta.status >= 200 && resposta.status < 300) {
        const nome = `${rota.method} ${rota.path}`;
        feitas.set(nome, (feitas.get(nome) ?? new Set()).add(JSON.stringify(resposta.corpo.dados)));
      }
    }
  }
  await Promise.all(Array.from({ length: EM_VOO }, trabalhar));

  // Each answer is another row, a repeated one under its Idempotency-Key excepted.
  t.is((await contar('chamados')) - chamadosAntes, feitas.get('POST /chamados')?.size ?? 0);
  t.is(await contar('convites'), feitas.get('POST /pre-cadastros/convites')?.size ?? 0);
  t.is(await contar('desbloqueios_confianca'), feitas.get('POST /contratos/{id}/desbloqueio-confianca')?.size ?? 0);
  t.is(await contar('chamados_historico', { acao: 'aberto' }), feitas.get('POST /chamados')?.size ?? 0);
  t.is(await contar('notificacoes'), feitas.get('POST /chamados')?.size ?? 0);
  const comProtocolo = [
    '/chamados',
    '/contratos/{id}/desbloqueio-confianca',
    '/contratos/{id}/desconectar',
    '/atendimentos',
  ];
  const protocolos = comProtocolo.map((nome) => feitas.get(`POST ${nome}`)?.size ?? 0);
  t.is(
    await contar('atendimentos'),
    protocolos.reduce((soma, um) => soma + um),
  );
  t.is(await contar('promessas_pagamento'), feitas.get('POST /contratos/{id}/promessa-pagamento')?.size ?? 0);
  t.is(await contar('auditoria'), await contar('eventos'));
  t.deepEqual(
    ESCRITAS.map(({ method, path }) => `${method} ${path}`).filter((nome) => !feitas.has(nome)),
    [],
    'toda rota que escreve deu certo ao menos uma vez',
  );
  for (const status of [200, 201, 400, 404, 422])
    t.true((estados.get(status) ?? 0) > REQUISICOES / 200, `quase nenhum ${status}`);
});
