import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { boletoDe, criarCobrado, TXID_DO_PSP } from '../../support/cobrancas.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { INGLES, criarTerminal } from '../../support/terminal.ts';
import type { Terminal } from '../../support/terminal.ts';

let api: Api;
let terminal: Terminal;
let fabrica: Fabrica;
test.before(async () => {
  api = await criarApi();
  terminal = criarTerminal(api);
  fabrica = criarFabrica(api.dono);
});
test.after.always(async () => {
  await api.fechar();
  terminal.fechar();
});

const conferir = (id: number, ...args: string[]) => terminal.malha(['provedor', 'conferir', String(id), ...args]);

test('malha provedor conferir diz que faturas em aberto têm algo retirado, e por quê, e nada de pessoas', async (t) => {
  const vencimento = '2048-01-10';
  const certo = boletoDe({ vencimento });
  const a = await criarCobrado(api, fabrica);
  const nova = async (linha: Record<string, unknown>) => (await a.fatura({ vencimento, ...certo, ...linha })).id;
  await nova({});
  await nova({ valor: '109.90', situacao: 'paga' });
  const outroValor = await nova({ valor: '109.90' });
  const ambos = await nova({ vencimento: '2048-01-11', pix_txid: TXID_DO_PSP, pix_copia_cola: 'quebrado' });

  t.deepEqual(await terminal.json(['provedor', 'conferir', String(a.provedor)]), [
    { fatura_id: outroValor, boleto: 'outro_valor', pix: null },
    { fatura_id: ambos, boleto: 'outro_vencimento', pix: 'codigo_ilegivel' },
  ]);
  const { codigo, stdout, stderr } = await conferir(a.provedor);
  t.deepEqual([codigo, stderr], [0, '']);
  t.is(
    stdout,
    `${outroValor}  boleto  o boleto é de outro valor\n` +
      `${ambos}  boleto  o boleto é de outro vencimento\n` +
      `${ambos}  PIX     o código não se lê, ou o CRC está errado\n` +
      'Faturas com algo retirado: 2.\n',
  );
  t.notRegex(stdout, INGLES);
});

test('malha provedor conferir lê todas as faturas em aberto, também as que são muitas', async (t) => {
  const a = await criarCobrado(api, fabrica);
  t.is((await conferir(a.provedor)).stdout, 'Tudo confere.\n');
  const { linha_digitavel, codigo_barras } = boletoDe({ vencimento: '2048-01-10', valor: 1 });
  const linhas = Array.from({ length: 2500 }, (_, n) => ({
    provedor_id: a.provedor,
    cliente_id: a.cliente,
    situacao: 'pendente',
    valor: '99.90',
    vencimento: '2048-01-10',
    // Many have the instant of another.
    emitida_em: `2026-11-01 09:00:00.${String(n % 7).padStart(3, '0')}`,
    token: `confere${n}`.padEnd(22, '-'),
    linha_digitavel,
    codigo_barras,
  }));
  await api.dono.batchInsert('faturas', linhas, 500);
  const vistas = await terminal.json<{ fatura_id: number }[]>(['provedor', 'conferir', String(a.provedor)]);
  t.is(new Set(vistas.map(({ fatura_id }) => fatura_id)).size, 2500);
  t.is(vistas.length, 2500);
});

test('um provedor que não existe não se confere', async (t) => {
  const { codigo, stderr } = await conferir(999_999);
  t.deepEqual([codigo, stderr], [1, 'erro: provedor 999999 não existe\n']);
});
