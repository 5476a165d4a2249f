import test from 'ava';
import * as fc from 'fast-check';
import { digitosCpf } from '../../../src/brazil/pessoa/cpf-cnpj.ts';
import { SITUACOES_DE_CLIENTE } from '../../../src/domain/clientes/clientes.types.ts';
import { EntradaInvalida, Recusa } from '../../../src/domain/erros.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { CARACTERE } from '../../support/caracteres.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { quanto } from '../../support/prova.ts';
import { criarMudar } from './apoio.ts';

let api: Api;
test.before(async () => {
  api = await criarApi();
});
test.after.always(() => api.fechar());
const mudar = criarMudar(() => api);

const lixo = fc.oneof(
  fc.string({ unit: CARACTERE, maxLength: 300 }),
  fc.constantFrom(null, '', ' ', '\u0000', 'ㅤ', '0', 'null', '2026-02-30', '\ud83d', 1e308, -0, Number.NaN, true, 2n),
  fc.double(),
  fc.array(fc.string({ maxLength: 20 }), { maxLength: 8 }),
  fc.dictionary(fc.constantFrom('cep', 'uf', '__proto__', 'constructor', 'numero', 'x'), fc.string({ maxLength: 30 })),
);
const cpf = fc
  .integer({ min: 0, max: 40 })
  .map((n) => String(100_200_300 + n))
  .map((base) => base + digitosCpf(base));

/** Mostly what is right, so that much of it is written, and each field wrong now and then. */
const ou = <T>(bom: fc.Arbitrary<T>) => fc.oneof({ weight: 9, arbitrary: bom }, { weight: 1, arbitrary: lixo });
const telefone = fc.integer({ min: 35_999_990_000, max: 35_999_990_009 }).map(String);
const campos = {
  nome: ou(fc.constantFrom('Ana', 'João da Silva', 'Ñandú')),
  cpf_cnpj: ou(fc.oneof(cpf, fc.constantFrom('11222333000181', '12ABC34501DE35'))),
  tipo: ou(fc.constantFrom('pf', 'pj')),
  nome_fantasia: ou(fc.constantFrom('Bazar', null, '')),
  email: ou(fc.constantFrom('a@example.com', null, '')),
  telefones: ou(fc.array(telefone, { maxLength: 6 })),
  data_nascimento: ou(fc.constantFrom('1990-01-31', null)),
  situacao: ou(fc.constantFrom(...SITUACOES_DE_CLIENTE)),
  endereco: ou(fc.record({ cep: ou(fc.constant('37130001')), uf: ou(fc.constant('MG')) }, { requiredKeys: [] })),
  codigo_externo: ou(fc.constantFrom(null, 'ixc:1', 'ixc:2', 'ixc:3')),
};
const pedido = fc.record({
  criar: fc.boolean(),
  dados: ou(fc.record(campos, { requiredKeys: ['nome', 'cpf_cnpj'] })),
  mudanca: ou(fc.record(campos, { requiredKeys: [] })),
  cancelamento: ou(
    fc.record({ motivo: ou(fc.string()), faturas_futuras: ou(fc.constant('cancelar')) }, { requiredKeys: [] }),
  ),
  qual: fc.nat(30),
  confirmado: fc.boolean(),
  ato: fc.constantFrom('criar', 'criar', 'alterar', 'alterar', 'reativar', 'cancelar', 'apagar', 'exportar'),
});

test('seja o que for que se peça, dá certo ou é recusado com clareza, e nada fica pela metade', async (t) => {
  const fabrica = criarFabrica(api.dono);
  const provedor = await fabrica.provedor();
  const ids = [await fabrica.cliente(provedor)];
  let feitos = 0;
  const contar = async (tabela: string) => (await api.dono(tabela).where('provedor_id', provedor)).length;
  await fc.assert(
    fc.asyncProperty(pedido, async ({ ato, dados, mudanca, cancelamento, qual, confirmado }) => {
      const id = ids[qual % ids.length]!;
      const antes = await Promise.all([contar('clientes'), contar('auditoria')]);
      try {
        await mudar(provedor, async ({ clientes, privacidade }) => {
          if (ato === 'criar') ids.push(await clientes.criar(dados));
          else if (ato === 'alterar') await clientes.alterar(id, mudanca, { confirmado });
          else if (ato === 'reativar') await clientes.reativar(id, { confirmado });
          else if (ato === 'cancelar') await clientes.cancelar(id, cancelamento);
          else if (ato === 'apagar') await privacidade.apagar(id);
          else JSON.stringify(await privacidade.exportar(id));
        });
        feitos += 1;
      } catch (erro) {
        if (!(erro instanceof EntradaInvalida || erro instanceof Recusa)) throw erro;
        t.deepEqual(await Promise.all([contar('clientes'), contar('auditoria')]), antes);
      }
    }),
    { numRuns: quanto(150, 2000) },
  );
  t.true(feitos > 40, `só ${feitos} deram certo`);

  // Of each tax id one registration that is not cancelled: nobody here came by an invite.
  const linhas: { cpf_cnpj: string; tipo: string; data_nascimento: string | null; nome_fantasia: string | null }[] =
    await api.dono('clientes').where('provedor_id', provedor).select();
  for (const linha of linhas.filter(({ cpf_cnpj }) => cpf_cnpj !== '')) {
    t.is(linha.tipo, linha.cpf_cnpj.length === 11 ? 'pf' : 'pj');
    t.true(linha.tipo === 'pf' ? linha.nome_fantasia === null : linha.data_nascimento === null);
  }
  const [repetidos = []] = await api.dono.raw<object[][]>(
    `SELECT cpf_cnpj FROM clientes WHERE provedor_id = ? AND situacao <> 'cancelado' GROUP BY cpf_cnpj HAVING COUNT(*) > 1`,
    [provedor],
  );
  t.deepEqual(repetidos, []);
});
