import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import { lerData } from '../../../src/brazil/calendario/datas.ts';
import { normalizarCpfCnpj } from '../../../src/brazil/pessoa/cpf-cnpj.ts';
import { normalizarTelefone } from '../../../src/brazil/pessoa/telefone.ts';
import { OWN_KEYWORDS } from '../../../src/platform/schema-type.ts';
import type { ObjectSchema, Schema } from '../../../src/platform/schema-type.ts';
import { ROTAS } from '../../../src/surfaces/public-api/rotas.ts';

// Rules over the schemas of every route.

const ajv = new Ajv2020({
  keywords: [...OWN_KEYWORDS],
  strict: true,
  allowUnionTypes: true,
  formats: {
    date: (texto: string) => lerData(texto) !== null,
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    cpf_cnpj: (texto: string) => normalizarCpfCnpj(texto) !== null,
    telefone: (texto: string) => normalizarTelefone(texto) !== null,
    dinheiro: true,
  },
});

/** A schema and every schema inside it, with the path to each. */
function* todos(esquema: Schema, caminho: string): Generator<[caminho: string, esquema: Schema]> {
  yield [caminho, esquema];
  for (const [nome, dentro] of Object.entries(esquema.properties ?? {})) yield* todos(dentro, `${caminho}.${nome}`);
  for (const [n, ramo] of (esquema.anyOf ?? []).entries()) yield* todos(ramo, `${caminho}|${n}`);
  if (esquema.items !== undefined) yield* todos(esquema.items, `${caminho}[]`);
}

const nomeDa = ({ method, path }: (typeof ROTAS)[number]): string => `${method} ${path}`;

/** Schema of the body that a route takes. */
const corpoDe = (rota: (typeof ROTAS)[number]): ObjectSchema | undefined =>
  rota.kind === 'write' ? rota.body?.schema : undefined;

/** Those that answer with data. */
const DE_DADOS = ROTAS.filter((rota) => rota.kind !== 'file');

test('cada rota diz o que faz, em que grupo, e dá um exemplo que obedece ao seu esquema', (t) => {
  t.is(new Set(ROTAS.map(nomeDa)).size, ROTAS.length);
  for (const rota of ROTAS) {
    t.regex(rota.summary, /^\p{Lu}.{5,}[^.]$/u, nomeDa(rota));
    t.regex(rota.group, /^\p{Lu}\p{Ll}/u, nomeDa(rota));
  }
  for (const rota of DE_DADOS) {
    t.not(rota.example, undefined, nomeDa(rota));
    t.true(ajv.validate(rota.data, rota.example), `${nomeDa(rota)}: ${ajv.errorsText()}`);
    if (Array.isArray(rota.example)) t.not(rota.example.length, 0, nomeDa(rota));
  }
});

test('cada parâmetro e campo que se envia tem tipo, descrição e exemplo que obedece ao seu esquema', (t) => {
  for (const rota of ROTAS) {
    for (const entrada of [rota.query, corpoDe(rota) ?? null]) {
      if (entrada === null) continue;
      t.false(entrada.additionalProperties ?? true, nomeDa(rota));
      for (const [nome, esquema] of Object.entries(entrada.properties)) {
        const onde = `${nomeDa(rota)} ${nome}`;
        t.regex(esquema.description ?? '', /^.{5,}\.$/u, onde);
        t.true((esquema.examples ?? []).length > 0, onde);
        t.true(esquema.type !== undefined || esquema.anyOf !== undefined, onde);
      }
    }
  }
});

test('cada esquema é fechado, tem tipo, e os seus exemplos e padrões obedecem a ele', (t) => {
  const porTitulo = new Map<string, Schema>();
  for (const rota of ROTAS) {
    const dados = rota.kind === 'file' ? [] : rota.data;
    const inteiros = [dados, rota.query ?? [], corpoDe(rota) ?? []].flat();
    for (const [onde, esquema] of inteiros.flatMap((inteiro) => [...todos(inteiro, nomeDa(rota))])) {
      t.true(esquema.type !== undefined || esquema.anyOf !== undefined, `${onde} não tem tipo`);
      if (esquema.type === 'object') t.false(esquema.additionalProperties ?? true, `${onde} aceita qualquer campo`);
      if (esquema.type === 'array') t.not(esquema.items, undefined, `${onde} não diz os itens`);
      for (const exemplo of [
        ...(esquema.examples ?? []),
        ...(esquema.default === undefined ? [] : [esquema.default]),
      ]) {
        t.true(ajv.validate(esquema, exemplo), `${onde}: ${ajv.errorsText()}`);
      }
      if (esquema.title !== undefined) {
        t.is(porTitulo.get(esquema.title) ?? esquema, esquema, `${onde}: há dois esquemas ${esquema.title}`);
        porTitulo.set(esquema.title, esquema);
      }
    }
  }
});

test('uma resposta nunca omite um campo: todo objeto de dados exige todas as suas propriedades', (t) => {
  for (const rota of DE_DADOS) {
    for (const [onde, esquema] of todos(rota.data, nomeDa(rota))) {
      if (esquema.type !== 'object') continue;
      t.deepEqual([...(esquema.required ?? [])].toSorted(), Object.keys(esquema.properties ?? {}).toSorted(), onde);
    }
  }
});
