import test from 'ava';
import * as fc from 'fast-check';
import type { Escritas } from '../../../src/domain/dominio.ts';
import { CamposInvalidos, Conflito, EntradaInvalida, Recusa } from '../../../src/domain/erros.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { CARACTERE } from '../../support/caracteres.ts';
import { quanto } from '../../support/prova.ts';
import { relogioEm } from '../../support/relogio.ts';
import { EM, SITUACOES, criarCasa } from './apoio.ts';
import type { Casa } from './apoio.ts';

const VEZES = quanto(250, 4000);
const EM_VOO = 8;

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
let casa: Casa;
const ids: number[] = [];
test.before(async () => {
  api = await criarApi({ relogio });
  casa = await criarCasa(api);
  for (const situacao of SITUACOES) ids.push(await casa.contrato(EM[situacao]));
  ids.push(casa.cliente, casa.plano, await casa.fabrica.plano(casa.provedor));
});
test.after.always(() => api.fechar());

type Servico = 'contratos' | 'movimentos' | 'planos';

/** What each method of staff takes, and the fields of its form. */
const METODOS: readonly (readonly [servico: Servico, metodo: string, comId: boolean, campos: readonly string[]])[] = [
  [
    'contratos',
    'criar',
    false,
    ['cliente_id', 'plano_id', 'dia_vencimento', 'login', 'senha', 'valor', 'tipo_conexao', 'mac'],
  ],
  [
    'contratos',
    'alterar',
    true,
    ['dia_vencimento', 'login', 'senha', 'ip', 'ipv6_prefixo', 'endereco_instalacao', 'valor'],
  ],
  ['contratos', 'trocarPlano', true, ['plano_id', 'valor']],
  ['contratos', 'trocarTitular', true, ['cliente_id', 'faturas_futuras', 'motivo', 'confirmado']],
  ['movimentos', 'ativar', true, ['confirmado']],
  ['movimentos', 'bloquear', true, ['motivo']],
  ['movimentos', 'liberar', true, ['motivo']],
  ['movimentos', 'suspender', true, ['motivo']],
  ['movimentos', 'reativar', true, ['motivo', 'confirmado']],
  ['movimentos', 'cancelar', true, ['motivo', 'faturas_futuras']],
  ['movimentos', 'encerrar', true, []],
  ['planos', 'criar', false, ['nome', 'download_mbps', 'upload_mbps', 'valor', 'grupo_radius', 'descricao']],
  ['planos', 'alterar', true, ['nome', 'valor', 'contratos', 'grupo_radius', 'codigo_externo']],
  ['planos', 'retirar', true, []],
  ['planos', 'repor', true, []],
];

const texto = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: CARACTERE, maxLength: 30 }),
  fc.constantFrom('', '  ', '\u0000', '\ud800ab', "' OR 1=1 -- ", 'x'.repeat(6000), '😀😀😀', 'ß'.repeat(64)),
);
const certo = fc.oneof(
  fc.integer({ min: 0, max: 8 }).map((n) => ids[n]),
  fc.integer({ min: 1, max: 40 }),
  fc.constantFrom('99.90', 'manter', 'cancelar', 'acompanhar', 'pppoe', 'ipoe', 'joao@serra.net', '02:00:00:00:00:01'),
  fc.constantFrom('100.64.0.1', '2001:db8::/56', 'por acordo', { cidade: 'Lavras' }, { cep: '1' }),
);
const estranho = fc.oneof(
  texto,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom<unknown>(null, [], {}, [1], 1e21, -1, 0, 2 ** 53, new Date(NaN), new Date(0), { __proto__: null }),
);
const pedido = fc.constantFrom(...METODOS).chain(([servico, metodo, comId, campos]) => {
  const valor = fc.oneof({ weight: 3, arbitrary: certo }, { weight: 1, arbitrary: estranho });
  const corpo = fc.record(Object.fromEntries([...campos, 'atualizado_em'].map((nome) => [nome, valor])), {
    requiredKeys: [],
  });
  return fc.record({
    servico: fc.constant(servico),
    metodo: fc.constant(metodo),
    comId: fc.constant(comId),
    id: fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 0, max: 8 }) }, { weight: 1, arbitrary: fc.constant(-1) }),
    dados: fc.oneof(
      { weight: 10, arbitrary: corpo },
      {
        weight: 2,
        arbitrary: fc.tuple(corpo, texto, estranho).map(([certos, nome, algo]) => ({ ...certos, [nome]: algo })),
      },
      { weight: 1, arbitrary: estranho },
    ),
  });
});

const CLAROS = [CamposInvalidos, EntradaInvalida, Recusa, Conflito];

test('o que quer que se digite em contratos e planos dá certo ou é um erro claro, e nunca fica pela metade', async (t) => {
  const casos = fc.sample(pedido, { numRuns: VEZES, seed: 20_261_124 });
  let [feitos, vez] = [0, 0];
  async function seguir(): Promise<void> {
    for (let n = vez++; n < casos.length; n = vez++) {
      const { servico, metodo, comId, id, dados } = casos[n]!;
      const fazer = async (escritas: Escritas): Promise<unknown> => {
        const metodos = escritas[servico] as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
        return comId ? metodos[metodo]!(ids[id] ?? id, dados) : metodos[metodo]!(dados);
      };
      await casa.mudar(fazer).then(
        () => (feitos += 1),
        (erro: unknown) => {
          const claro = CLAROS.some((tipo) => erro instanceof tipo);
          if (!claro) t.log(servico, metodo, dados, erro);
          t.true(claro, `${servico}.${metodo}: ${String(erro)}`);
        },
      );
    }
  }
  await Promise.all(Array.from({ length: EM_VOO }, seguir));
  t.true(feitos > VEZES / 100, String(feitos));
  // Whatever was done left a line of the audit log; what was refused left nothing half-written.
  const contratos = await casa.linhas('contratos');
  const criados = contratos.length - SITUACOES.length;
  t.is((await casa.auditoria()).filter((acao) => acao === 'contrato.criado').length, criados);
  for (const { id, login, situacao } of contratos.slice(SITUACOES.length)) {
    t.true((await casa.historico(id)).length > 0);
    if (login !== null) t.is((await api.dono('radcheck').where({ username: login })).length, 1, `${id} ${situacao}`);
  }
});
