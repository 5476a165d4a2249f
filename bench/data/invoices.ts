import { gerarCodigoBarras, linhaDigitavel } from '../../src/brazil/boleto/boleto.ts';
import { somarDias } from '../../src/brazil/calendario/datas.ts';
import type { Data } from '../../src/brazil/calendario/datas.ts';
import { centavos, escreverDinheiro } from '../../src/brazil/dinheiro/dinheiro.ts';
import { PROVIDER_ID } from './dataset.ts';
import type { Dataset } from './dataset.ts';

const TODAY = new Date().toISOString().slice(0, 10) as Data;

/** New open invoices with boleto and PIX, in place of those of the run before; resolves to the tokens of their links. */
export async function createInvoices(dataset: Dataset, clients: number, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, i) => {
    const valor = centavos(5000 + (i % 20_000));
    const vencimento = somarDias(TODAY, (i % 60) - 30);
    const codigo = gerarCodigoBarras({ banco: '756', vencimento, valor, campoLivre: String(i).padStart(25, '0') });
    return {
      provedor_id: PROVIDER_ID,
      cliente_id: 1 + (i % clients),
      contrato_id: 1 + (i % clients),
      descricao: 'Mensalidade',
      situacao: 'pendente',
      tipo: 'boleto',
      valor: escreverDinheiro(valor),
      vencimento,
      emitida_em: '2026-01-01 12:00:00.000',
      // Its first half is what a link is looked up by.
      token: String(i).padStart(11, '0').padEnd(22, 'x'),
      pix_txid: `BANCADA${i}`,
      codigo_barras: codigo,
      linha_digitavel: linhaDigitavel(codigo),
    };
  });
  const db = dataset.open(1);
  try {
    await db('provedores')
      .where('id', PROVIDER_ID)
      .update({ pix_chave: 'bancada@malha.test', pix_nome: 'BANCADA', pix_cidade: 'VARGINHA' });
    await db('faturas').delete();
    await db.batchInsert('faturas', rows, 500);
  } finally {
    await db.destroy();
  }
  return rows.map(({ token }) => token);
}
