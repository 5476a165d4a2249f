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
const ESCRITAS = ROTAS.filter((rota) => rota.kind === 'write');

let api: Api;
let provedor: number;
const chaves: string[] = [];
/** Ids that stand for something, by field or route. */
const ids: number[] = [];
test.before(async () => {
  api = await criarApi();
  const fabrica = criarFabrica(api.dono);
  provedor = await fabrica.provedor({}, { desbloqueio_habilitado: 1 });
  const alheio = await fabrica.provedor();
  for (const dono of [provedor, alheio]) {
    const plano_id = await fabrica.plano(dono);
    const cliente_id = await fabrica.cliente(dono);
    const bloqueado = { situacao: 'bloqueado', bloqueio_origem: 'financeiro' };
    const contrato_id = await fabrica.contrato(dono, { cliente_id, plano_id, ...bloqueado });
    ids.push(plano_id, cliente_id, contrato_id, await fabrica.chamado(dono, { cliente_id }));
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
function valorDe({ type, enum: opcoes, minLength = 0 }: Schema): fc.Arbitrary<unknown> {
  const tipos = [type].flat();
  const certo = opcoes
    ? fc.constantFrom<unknown>(...opcoes)
    : tipos.includes('integer')
      ? fc.oneof(
          fc.integer({ min: 1, max: 40 }),
          fc.integer({ min: 0, max: 7 }).map((i) => ids[i]),
        )
      : fc.string({ unit: 'grapheme', minLength, maxLength: minLength + 20 });
  return fc.oneof({ weight: 4, arbitrary: certo }, { weight: 1, arbitrary: estranho });
}

const requisicao = fc.constantFrom(...ESCRITAS).chain((rota) => {
  const { properties, required = [] } = rota.body!.schema;
  const campos = Object.fromEntries(Object.entries(properties).map(([nome, esquema]) => [nome, valorDe(esquema)]));
  const corpo = fc.record(campos, { requiredKeys: [...required] });
  return fc.record({
    rota: fc.constant(rota),
    id: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 0, max: 7 }) }, { weight: 1, arbitrary: fc.constant(-1) }),
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
      if (resposta.status === 201) {
        const nome = rota.path;
        feitas.set(nome, (feitas.get(nome) ?? new Set()).add(JSON.stringify(resposta.corpo.dados)));
      }
    }
  }
  await Promise.all(Array.from({ length: EM_VOO }, trabalhar));

  // Each answer is another row, a repeated one under its Idempotency-Key excepted.
  t.is((await contar('chamados')) - chamadosAntes, feitas.get('/chamados')?.size ?? 0);
  t.is(await contar('convites'), feitas.get('/pre-cadastros/convites')?.size ?? 0);
  t.is(await contar('desbloqueios_confianca'), feitas.get('/contratos/{id}/desbloqueio-confianca')?.size ?? 0);
  t.is(await contar('chamados_historico', { acao: 'aberto' }), feitas.get('/chamados')?.size ?? 0);
  t.is(await contar('notificacoes'), feitas.get('/chamados')?.size ?? 0);
  const comProtocolo = ['/chamados', '/contratos/{id}/desbloqueio-confianca', '/atendimentos'];
  const protocolos = comProtocolo.map((nome) => feitas.get(nome)?.size ?? 0);
  t.is(
    await contar('atendimentos'),
    protocolos.reduce((soma, um) => soma + um),
  );
  t.is(await contar('promessas_pagamento'), feitas.get('/contratos/{id}/promessa-pagamento')?.size ?? 0);
  t.is(await contar('auditoria'), await contar('eventos'));
  for (const status of [200, 201, 400, 404, 422])
    t.true((estados.get(status) ?? 0) > REQUISICOES / 200, `quase nenhum ${status}`);
});
