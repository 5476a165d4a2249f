import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { gerarPixEstatico } from '../../../src/brazil/pix/pix.ts';
import { centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { boletoDe, criarCobrado, pixDoPsp, TXID_DO_PSP } from '../../support/cobrancas.ts';
import { RECEBEDOR, criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

// What is stored to pay an invoice with, and is not the invoice's. All are of 99.90; overdue, 102.23 today.

let api: Api;
let fabrica: Fabrica;
test.before(async () => {
  api = await criarApi({ relogio: relogioEm('2026-11-20T15:00:00.000Z') });
  fabrica = criarFabrica(api.dono);
});
test.after.always(() => api.fechar());

async function segundaVia(linha: Record<string, unknown>) {
  const a = await criarCobrado(api, fabrica);
  const { id } = await a.fatura({ tipo: 'boleto', vencimento: '2026-12-10', ...linha });
  return (await a.ler(id)).segunda_via;
}

const emDia = { vencimento: '2026-12-10' };
const certo = boletoDe(emDia);
/** Of Itaú, which writes nosso número 98712345 in its free field. */
const itau = boletoDe({ ...emDia, banco: '341', campoLivre: '1099871234500057123457000' });
/** Of a utility: 836 carries the amount to be paid, 837 a number that is none. */
const conta = (linha_digitavel: string) => ({ linha_digitavel, codigo_barras: null });
const CONTA_DE_99_90 = conta('836600000001999004810019809756573105015896360805');
const CONTA_DE_667_80 = conta('836200000005667800481000180975657313001589636081');
const CONTA_SEM_VALOR = conta('837800000064678004810019809756573105015896360805');
const SEM_VALOR_NEM_DATA = conta('23793381286008301352885600006333900000000000000');

for (const [oque, linha] of [
  ['o valor mudou', { ...certo, valor: '109.90' }],
  ['o valor mudou de um centavo', { ...certo, valor: '99.91' }],
  ['o vencimento mudou', { ...certo, vencimento: '2026-12-11' }],
  [
    'o vencimento é de outro ciclo de fatores, um dia depois',
    { ...boletoDe({ vencimento: '2025-02-21' }), vencimento: '2025-02-22' },
  ],
  ['o vencimento é de antes de haver fator', { ...certo, vencimento: '1997-10-07' }],
  ['a linha não se lê', { ...certo, linha_digitavel: certo.linha_digitavel.replace('3793', '3783') }],
  ['a linha tem um dígito a menos', { ...certo, linha_digitavel: certo.linha_digitavel.slice(0, 46) }],
  ['as barras são de outro boleto', { ...certo, codigo_barras: boletoDe({ ...emDia, valor: 19_990 }).codigo_barras }],
  ['o nosso número é de outro título', { ...itau, nosso_numero: '109/98712346-8' }],
  ['a conta é de outro valor', CONTA_DE_667_80],
] as const) {
  test(`Fatura.segunda_via: um boleto em que ${oque} é retirado, e o PIX fica`, async (t) => {
    const { pix_copia_cola: pix, ...resto } = await segundaVia(linha);
    t.like(resto, { linha_digitavel: null, codigo_barras: null, pdf: null });
    t.truthy(pix);
    t.truthy(resto.link_pagamento);
    const { link_pagamento } = await segundaVia({ ...linha, pix_txid: null });
    t.is(link_pagamento, null);
  });
}

for (const [oque, linha, comPdf] of [
  ['de valor e vencimento iguais aos da fatura', certo, true],
  ['com uma linha com pontos e espaços', { ...certo, linha_digitavel: ` ${certo.linha_digitavel}` }, true],
  [
    'do último dia do primeiro ciclo de fatores',
    { ...boletoDe({ vencimento: '2025-02-21' }), vencimento: '2025-02-21' },
    true,
  ],
  [
    'do primeiro dia do segundo ciclo de fatores',
    { ...boletoDe({ vencimento: '2025-02-22' }), vencimento: '2025-02-22' },
    true,
  ],
  ['que vence num sábado', { ...boletoDe({ vencimento: '2026-12-12' }), vencimento: '2026-12-12' }, true],
  ['que não diz valor nem vencimento', SEM_VALOR_NEM_DATA, true],
  ['com o nosso número que está na linha', { ...itau, nosso_numero: '109/98712345-0' }, true],
  ['de um banco cujo campo livre não se conhece, com qualquer nosso número', { ...certo, nosso_numero: '42' }, true],
  ['de arrecadação, do valor da fatura', CONTA_DE_99_90, false],
  ['de arrecadação, cujo número não é o valor a pagar', CONTA_SEM_VALOR, false],
] as const) {
  test(`Fatura.segunda_via: um boleto ${oque} fica`, async (t) => {
    const via = await segundaVia(linha);
    t.is(via.linha_digitavel, linha.linha_digitavel.trim());
    t.is(via.codigo_barras?.length, 44);
    t.is(via.pdf !== null, comPdf);
  });
}

// What the paper would say of the bank

async function comBanco(boleto: Record<string, string>, linha: Record<string, unknown>) {
  const a = await criarCobrado(api, fabrica);
  await api.container.configuracao.configurar(TERMINAL, a.provedor, boleto);
  const { id } = await a.fatura({ tipo: 'boleto', ...emDia, ...linha });
  return { ...a, id, via: (await a.ler(id)).segunda_via };
}

const sicoob = boletoDe({ ...emDia, banco: '756', campoLivre: '1306901082819000512020001' });
for (const [oque, boleto] of [
  ['a agência é de outro banco', { agenciaCodigo: '3069/828190' }],
  ['a carteira é de outro banco', { carteira: '1' }],
  ['o provedor diz que são de outro banco', { agenciaCodigo: '0057/12345-7', banco: '756' }],
] as const) {
  test(`Fatura.segunda_via: onde ${oque}, não há papel, e a linha, que se paga, fica`, async (t) => {
    const { via } = await comBanco(boleto, itau);
    t.is(via.pdf, null);
    t.is(via.linha_digitavel, itau.linha_digitavel);
    t.is(via.codigo_barras, itau.codigo_barras);
  });
}

for (const [oque, boleto, linha] of [
  ['a agência e a carteira da linha', { agenciaCodigo: '3069 / 828190', carteira: '1/01' }, sicoob],
  ['o banco da linha', { agenciaCodigo: '3069 / 828190', carteira: '1', banco: '756' }, sicoob],
  ['outro banco, mas nenhuma agência', { banco: '341' }, sicoob],
  ['a agência de um banco cujo campo livre não se conhece', { agenciaCodigo: '3069 / 828190' }, certo],
] as const) {
  test(`Fatura.segunda_via: onde o provedor diz ${oque}, há papel`, async (t) => {
    t.truthy((await comBanco(boleto, linha)).via.pdf);
  });
}

test('quem lê só o que mudou sabe que o papel dos boletos mudou com os dados do banco', async (t) => {
  const { chave, provedor, id } = await comBanco({ agenciaCodigo: '0057/12345-7' }, itau);
  const uma = async () => {
    const { dados } = (await api.get('/faturas?atualizado_desde=2026-11-20T15:00:00Z', { chave })).corpo;
    return dados.find((fatura: { id: number }) => fatura.id === id)?.segunda_via.pdf;
  };
  const antes = '2026-11-19 00:00:00.000';
  await api.dono('regras_cobranca').where('provedor_id', provedor).update({ atualizado_em: antes });
  await api.dono('faturas').where({ provedor_id: provedor }).update({ atualizado_em: antes });
  t.is(await uma(), undefined);
  // What the rules carry is the database's own time, which is no earlier than when this test was written.
  await api.container.configuracao.configurar(TERMINAL, provedor, { agenciaCodigo: '3069/828190' });
  t.is(await uma(), null);
});

// Codes that a PSP made

const deOntem = { vencimento: '2026-11-10', pix_txid: TXID_DO_PSP };
const emDiaDoPsp = { ...emDia, pix_txid: TXID_DO_PSP };
const alheio = gerarPixEstatico({ ...RECEBEDOR, chave: '11222333000181', valor: centavos(9990) });

for (const [oque, linha] of [
  ['de outro valor', { ...emDiaDoPsp, pix_copia_cola: pixDoPsp({ valor: '89.90' }) }],
  ['do valor sem os encargos de hoje', { ...deOntem, pix_copia_cola: pixDoPsp({ valor: '99.90' }) }],
  [
    'do valor inteiro, do que já se pagou em parte',
    { ...emDiaDoPsp, valor_pago: '60.00', pix_copia_cola: pixDoPsp({ valor: '99.90' }) },
  ],
  ['sem valor, do que já se pagou em parte', { ...emDiaDoPsp, valor_pago: '60.00', pix_copia_cola: pixDoPsp() }],
  ['de outro txid', { ...emDiaDoPsp, pix_copia_cola: pixDoPsp({ txid: '7978c0c97ea847e78e8849634' }) }],
  ['de CRC errado', { ...emDiaDoPsp, pix_copia_cola: pixDoPsp().replace(/.{4}$/, '0000') }],
  ['cortado', { ...emDiaDoPsp, pix_copia_cola: pixDoPsp().slice(0, 100) }],
  ['que é outro texto', { ...emDiaDoPsp, pix_copia_cola: 'https://banco.test/pix' }],
  ['estático, de quem quer que seja', { ...emDiaDoPsp, pix_copia_cola: alheio }],
] as const) {
  test(`Fatura.segunda_via: o código do PSP ${oque} é retirado, e o boleto fica`, async (t) => {
    const via = await segundaVia({ ...boletoDe({ vencimento: linha.vencimento }), ...linha });
    t.like(via, { pix_copia_cola: null, pagina_pix: null });
    t.is(via.linha_digitavel === null, 'valor_pago' in linha);
  });
}

for (const [oque, linha] of [
  ['sem valor', { ...emDiaDoPsp, pix_copia_cola: pixDoPsp() }],
  ['sem valor, de uma vencida', { ...deOntem, pix_copia_cola: pixDoPsp() }],
  ['do valor a pagar', { ...emDiaDoPsp, pix_copia_cola: pixDoPsp({ valor: '99.90' }) }],
  ['do valor a pagar hoje, com os encargos', { ...deOntem, pix_copia_cola: pixDoPsp({ valor: '102.23' }) }],
  ['do que falta pagar', { ...emDiaDoPsp, valor_pago: '60.00', pix_copia_cola: pixDoPsp({ valor: '39.90' }) }],
  ['com o txid da fatura', { ...emDiaDoPsp, pix_copia_cola: pixDoPsp({ txid: TXID_DO_PSP }) }],
] as const) {
  test(`Fatura.segunda_via: o código do PSP ${oque} é o guardado`, async (t) => {
    const via = await segundaVia(linha);
    t.is(via.pix_copia_cola, linha.pix_copia_cola);
    t.truthy(via.pagina_pix);
  });
}
