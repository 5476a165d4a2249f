import test from 'ava';
import * as fc from 'fast-check';
import type { Escritas } from '../../../src/domain/dominio.ts';
import { EntradaInvalida, Recusa } from '../../../src/domain/erros.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { quanto } from '../../support/prova.ts';
import { relogioEm } from '../../support/relogio.ts';
import { criarDevedor } from './apoio.ts';

let api: Api;
test.before(async () => {
  api = await criarApi({ relogio: relogioEm('2026-11-20T15:00:00.000Z') });
});
test.after.always(() => api.fechar());

/** What forms are sent by mistake or on purpose: right values are among them, so that the rest is reached too. */
const valor = fc.oneof(
  fc.constantFrom<unknown>(
    '1.00',
    '150.00',
    '0.01',
    '9999999999.99',
    '-1',
    '1e3',
    ' ',
    '',
    '2026-11-20',
    '2026-12-01',
    '9999-12-31',
    '0000-00-00',
    'pix',
    'boleto',
    'dinheiro',
    'x'.repeat(600),
    '\u0000',
    '\uD800',
    "'; DROP TABLE faturas",
    '٣',
    '🙂',
    '23793381286000782713695000063305975520000015000',
    'a_pedido',
    'renegociacao',
    null,
    undefined,
    true,
    false,
    0,
    1,
    2,
    60,
    -1,
    1.5,
    NaN,
    Infinity,
    2 ** 53,
    {},
    [],
    [1],
    [1, 1],
    ['x'],
    () => 1,
  ),
  fc.anything({ maxDepth: 2 }),
);
const CAMPOS = [
  'cliente_id',
  'contrato_id',
  'descricao',
  'valor',
  'vencimento',
  'tipo',
  'linha_digitavel',
  'nosso_numero',
  'codigo_externo',
  'motivo',
  'motivo_codigo',
  'forma',
  'pago_em',
  'observacao',
  'chave',
  'origem',
  'faturas',
  'parcelas',
  'primeiro_vencimento',
  'entrada',
  'desconto',
  'liberar',
  '__proto__',
  'constructor',
  'provedor_id',
] as const;
const dados = fc.oneof(
  { weight: 9, arbitrary: fc.dictionary(fc.constantFrom(...CAMPOS), valor, { maxKeys: 12 }) },
  { weight: 1, arbitrary: valor },
);

const SERVICOS: Readonly<
  Record<string, readonly [certo: object, (e: Escritas, id: number, dito: unknown) => Promise<unknown>]>
> = {
  criar: [
    { descricao: 'x', valor: '10.00', vencimento: '2026-12-01' },
    async ({ faturas }, _, dito) => faturas.criar(dito),
  ],
  alterar: [{ vencimento: '2026-12-01' }, async ({ faturas }, id, dito) => faturas.alterar(id, dito)],
  cancelar: [{ motivo: 'x' }, async ({ faturas }, id, dito) => faturas.cancelar(id, dito)],
  baixar: [{ forma: 'outro', valor: '1.00' }, async ({ baixas }, id, dito) => baixas.registrar(id, dito)],
  desconto: [{ valor: '1.00', motivo: 'x' }, async ({ ajustes }, id, dito) => ajustes.darDesconto(id, dito)],
  credito: [{ valor: '1.00', motivo: 'x' }, async ({ ajustes }, id, dito) => ajustes.aplicarCredito(id, dito)],
  'desfazer baixa': [{ motivo: 'x' }, async ({ baixas }, id, dito) => baixas.desfazer(id, dito)],
  'desfazer ajuste': [{ motivo: 'x' }, async ({ ajustes }, id, dito) => ajustes.desfazer(id, dito)],
  renegociar: [
    { parcelas: 2, primeiro_vencimento: '2026-12-01' },
    async ({ renegociacoes }, _, dito) => renegociacoes.criar(dito),
  ],
  quebrar: [{ motivo: 'x' }, async ({ renegociacoes }, id, dito) => renegociacoes.quebrar(id, dito)],
};

for (const [nome, [certo, pedir]] of Object.entries(SERVICOS)) {
  test(`o que quer que se mande a ${nome} é feito, ou recusado com palavras, e nada fica pela metade`, async (t) => {
    const a = await criarDevedor(api);
    const vistos: Record<string, number> = {};
    await fc.assert(
      fc.asyncProperty(dados, fc.boolean(), async (dito, sobreOCerto) => {
        const { id } = await a.fatura();
        const base = { ...certo, ...(nome === 'criar' || nome === 'renegociar' ? { cliente_id: a.cliente } : {}) };
        const enviado = sobreOCerto && typeof dito === 'object' ? { ...base, ...dito } : dito;
        const antes = (await a.linhas('auditoria')).length;
        try {
          await a.escrever(async (escritas) => pedir(escritas, id, enviado));
          vistos['feito'] = (vistos['feito'] ?? 0) + 1;
        } catch (error) {
          if (!(error instanceof EntradaInvalida || error instanceof Recusa)) throw error;
          t.false(error.message.includes('undefined'), error.message);
          vistos[error.constructor.name] = (vistos[error.constructor.name] ?? 0) + 1;
          t.is((await a.linhas('auditoria')).length, antes);
        }
        t.is((await a.conferir()).diferenca + 0, 0);
      }),
      { numRuns: quanto(20, 1000) },
    );
    t.log(vistos);
    t.true((vistos['CamposInvalidos'] ?? 0) > 0);
  });
}
