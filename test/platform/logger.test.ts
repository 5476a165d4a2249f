import { Writable } from 'node:stream';
import test from 'ava';
import { createDatabase } from '../../src/platform/mysql/database.ts';
import { createLogger, describeError, errorText, maskPersonalData } from '../../src/platform/logger.ts';
import { criarBanco } from '../support/banco.ts';

const CPF = '529.982.247-25';
const TELEFONE = '(35) 99999-0001';
const CHAVE = 'malha_1_6YkLmNoPqRsTuVwXyZaBcDeFgHiJkLmN0aB1cD';
const PIX =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000' +
  '5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D';
const PESSOAIS = [CPF, '52998224725', TELEFONE, '35999990001', '99999-0001', CHAVE, PIX, 'maria@ex.com'];

/** What a logger wrote. */
function gravador() {
  const partes: string[] = [];
  const destino = new Writable({
    write(parte: Buffer, _codificacao, feito) {
      partes.push(parte.toString());
      feito();
    },
  });
  return { destino, texto: () => partes.join('') };
}

test('um erro do banco é registrado sem o SQL, os valores e a linha que o servidor cita', async (t) => {
  const banco = await criarBanco();
  const { destino, texto } = gravador();
  try {
    const error: Error = await t.throwsAsync(
      banco.db('tabela_que_nao_existe').insert({ cpf: CPF, telefone: TELEFONE, chave: CHAVE, pix: PIX }),
    );
    t.true(error.message.includes(CPF));
    createLogger({ MALHA_LOG: 'info' }, destino).error({ err: error }, 'falha');
    const linha = JSON.parse(texto()) as { err: Record<string, unknown>; msg: string };
    t.like(linha, { msg: 'falha', err: { type: 'Error', code: 'ER_NO_SUCH_TABLE', errno: 1146 } });
    t.false('message' in linha.err);
    t.false(texto().includes('insert'));
    for (const dado of PESSOAIS) t.false(texto().includes(dado), dado);
    t.false(errorText(error).includes(CPF));
  } finally {
    await banco.fechar();
  }
});

test('também o erro que causou outro, e o de quem não chegou ao banco', async (t) => {
  const db = createDatabase({ url: 'mysql://malha:senha@127.0.0.1:1/malha', pool: 1 });
  try {
    const error: Error = await t.throwsAsync(async () => db.raw('SELECT ?', [CPF]));
    const externo = new Error('não foi possível', { cause: error });
    const dito = JSON.stringify(describeError(externo));
    t.true(dito.includes('ECONNREFUSED'));
    t.false(dito.includes(CPF));
    t.false(dito.includes('senha'));
  } finally {
    await db.destroy();
  }
});

test('o texto de qualquer outro erro perde documentos, telefones, chaves, códigos PIX e o que o V8 cita', (t) => {
  for (const dado of PESSOAIS) {
    const dito = JSON.stringify(describeError(new Error(`valor ${dado} recusado: ${dado}, "${dado}"`)));
    for (const outro of PESSOAIS) t.false(dito.includes(outro), dito);
    t.true(dito.includes('recusado'), dito);
    t.false(dito.includes('br.gov.bcb.pix') || dito.includes('BRASILIA'), dito);
  }
  const error = t.throws(() => JSON.parse('{"nome": Maria da Silva}') as unknown);
  t.false(JSON.stringify(describeError(error)).includes('Maria da Silva'));
  t.is(maskPersonalData('connect ECONNREFUSED 127.0.0.1:6379'), 'connect ECONNREFUSED …');
  t.is(
    maskPersonalData("Cannot read properties of undefined (reading 'id')"),
    "Cannot read properties of undefined (reading 'id')",
  );
});

test('da pilha ficam só os nossos quadros, e uma mensagem que se parece com um quadro não passa por um', (t) => {
  const { stack } = describeError(new Error(`x\n    at ${CPF} (file:///${CPF}:1:1)`));
  t.regex(stack[0] ?? '', /^test\/platform\/logger\.test\.[jt]s:\d+:\d+$/);
  t.false(stack.join('\n').includes(CPF));
  t.false(stack.join('\n').includes('node_modules'));
});
