import test from 'ava';
import { centavos, escreverDinheiro, lerDinheiro, somarDinheiro } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

let api: Api;
let fabrica: Fabrica;

test.before(async () => {
  api = await criarApi({ relogio: relogioEm('2026-11-20T15:00:00Z') });
  fabrica = criarFabrica(api.dono);
});
test.after.always(() => api.fechar());

const QUANTIAS = [
  ['0.10 + 0.20', somarDinheiro(lerDinheiro('0.10'), lerDinheiro('0.20')), '0.30'],
  ['1.005', lerDinheiro('1.005'), '1.01'],
  ['99.90', lerDinheiro('99.90'), '99.90'],
  ['9999999999.99', lerDinheiro('9999999999.99'), '9999999999.99'],
  ['100', lerDinheiro('100'), '100.00'],
  ['zero', centavos(0), '0.00'],
  ['um centavo', centavos(1), '0.01'],
] as const;

/** Every amount that a body prints under a name, digit for digit. */
function escritos(texto: string, campo: string): string[] {
  return [...texto.matchAll(new RegExp(`"${campo}":([^,}\\]]+)`, 'g'))].map(([, valor = '']) => valor);
}

for (const [nome, quantia, escrito] of QUANTIAS) {
  test(`dinheiro: ${nome} sai como ${escrito}, número com duas casas, em contratos, clientes, faturas e planos`, async (t) => {
    const provedor = await fabrica.provedor();
    const valor = escreverDinheiro(quantia);
    const plano_id = await fabrica.plano(provedor, { valor });
    const cliente_id = await fabrica.cliente(provedor);
    const contrato = await fabrica.contrato(provedor, { cliente_id, plano_id, valor });
    const fatura = await fabrica.fatura(provedor, {
      cliente_id,
      situacao: 'paga',
      valor,
      valor_pago: valor,
      vencimento: '2026-11-19',
    });
    const { texto: chave } = await api.criarChave(provedor);
    for (const caminho of [
      '/clientes',
      `/clientes/${cliente_id}`,
      `/contratos/${contrato}`,
      '/faturas',
      `/faturas/${fatura}`,
      '/planos',
    ]) {
      const { texto, corpo } = await api.get(caminho, { chave });
      t.deepEqual(escritos(texto, 'valor'), [escrito], caminho);
      if (caminho.startsWith('/faturas')) t.deepEqual(escritos(texto, 'valor_pago'), [escrito], caminho);
      // The same number for whoever parses it, and a number, not a string.
      t.true(texto.includes(`"valor":${escrito},`) || texto.includes(`"valor":${escrito}}`), caminho);
      t.is(typeof [corpo.dados].flat().map((dado) => dado.valor ?? dado.contratos[0].valor)[0], 'number', caminho);
    }
  });
}

for (const [valor, atualizado] of [
  ['0.50', '0.51'],
  ['1.01', '1.03'],
  ['99.90', '102.23'],
  ['1000.00', '1023.33'],
  ['9999999999.99', '10233333333.32'],
]) {
  test(`dinheiro: ${valor}, dez dias vencida, sai com valor_atualizado ${atualizado}, sem erro de ponto flutuante`, async (t) => {
    const provedor = await fabrica.provedor();
    const cliente_id = await fabrica.cliente(provedor);
    const id = await fabrica.fatura(provedor, { cliente_id, valor, vencimento: '2026-11-10' });
    const { texto: chave } = await api.criarChave(provedor);
    for (const caminho of ['/faturas', `/faturas/${id}`]) {
      const { texto } = await api.get(caminho, { chave });
      t.deepEqual(escritos(texto, 'valor'), [valor], caminho);
      t.deepEqual(escritos(texto, 'valor_atualizado'), [atualizado], caminho);
      t.deepEqual(escritos(texto, 'valor_pago'), ['0.00'], caminho);
    }
  });
}

test('dinheiro: um texto com forma de dinheiro continua texto', async (t) => {
  const provedor = await fabrica.provedor();
  await fabrica.plano(provedor, { nome: '99.90', descricao: '"valor":1.5', valor: '10.00' });
  const { texto: chave } = await api.criarChave(provedor);
  const { corpo } = await api.get('/planos', { chave });
  t.is(corpo.dados[0].nome, '99.90');
  t.is(corpo.dados[0].descricao, '"valor":1.5');
});
