import { gerarCodigoBarras, linhaDigitavel } from '../../src/brazil/boleto.ts';
import { centavos, escreverDinheiro } from '../../src/brazil/dinheiro.ts';
import { somarDias } from '../../src/brazil/datas.ts';
import type { Data } from '../../src/brazil/datas.ts';
import type { Db } from '../../src/platform/database.ts';
import type { BenchContext } from '../support/bench.ts';
import { PANEL_HOST, PROVIDER_ID, insertRows, openGenerated } from './dataset.ts';
import type { Dataset } from './dataset.ts';
import { PLANOS, ROWS_VERSION, TABLES } from './rows.ts';
import type { Row } from './rows.ts';

/** Providers beside the big one; of five clients in a row, four are the big one's and one is one of theirs. */
const OTHERS = 4;
const A_GROUP = 5;
const LAST_DUE = '2026-11-10' as Data;
const DAYS_A_MONTH = 30;

/**
 * A big provider's `clients` clients with so many invoices each, in ids that alternate with those of smaller providers, as the years make
 * them. Invoices are emitted month by month for everyone; the last month's are open, with boleto and PIX, the rest are paid.
 */
export async function openProviders(context: BenchContext, clients: number, invoicesEach: number): Promise<Dataset> {
  return openGenerated(context, `bench_provedores_${clients}_${invoicesEach}_v${ROWS_VERSION}`, async (db) => {
    const all = Math.floor((clients * A_GROUP) / (A_GROUP - 1));
    await insertProviders(db);
    for (const { table, rowsOf } of TABLES) {
      context.log(`${table} de ${all} clientes…`);
      await insertRows(db, table, all, (i) => rowsOf(i).map((row) => ofProvider(i, row)));
    }
    context.log(`${all * invoicesEach} faturas…`);
    await insertRows(db, 'faturas', all * invoicesEach, (id) => [invoice(id, all, invoicesEach)]);
    for (const table of [...TABLES.map((each) => each.table), 'faturas']) await db.raw('ANALYZE TABLE ??', [table]);
  });
}

const providerOf = (client: number): number =>
  client % A_GROUP === 0 ? PROVIDER_ID + 1 + ((client / A_GROUP) % OTHERS) : PROVIDER_ID;

/** Ids are unique over all providers, so each has plans of its own. */
const firstPlan = (provider: number): number => (provider - PROVIDER_ID) * PLANOS.length;

function ofProvider(client: number, row: Row): Row {
  const provider = providerOf(client);
  const plan = row['plano_id'];
  const plano = typeof plan === 'number' ? { plano_id: firstPlan(provider) + plan } : {};
  return { provedor_id: provider, ...row, ...plano };
}

async function insertProviders(db: Db): Promise<void> {
  await db.transaction(async (trx) => {
    for (let provider = PROVIDER_ID; provider <= PROVIDER_ID + OTHERS; provider += 1) {
      const big = provider === PROVIDER_ID;
      await trx('provedores').insert({
        id: provider,
        nome: `Bancada ${provider}`,
        panel_host: big ? PANEL_HOST : `${provider}.${PANEL_HOST}`,
        pix_chave: 'bancada@malha.test',
        pix_nome: 'BANCADA',
        pix_cidade: 'VARGINHA',
      });
      await trx('regras_cobranca').insert({ provedor_id: provider });
      const plans = PLANOS.map((plano) => ({ ...plano, provedor_id: provider, id: firstPlan(provider) + plano.id }));
      await trx('planos').insert(plans);
    }
  });
}

function invoice(id: number, clients: number, invoicesEach: number): Row {
  const client = 1 + ((id - 1) % clients);
  const monthsAgo = invoicesEach - 1 - Math.floor((id - 1) / clients);
  const valor = centavos(5000 + (id % 20_000));
  const vencimento = somarDias(LAST_DUE, -DAYS_A_MONTH * monthsAgo + (client % 28));
  const emitida = `${somarDias(vencimento, -20)} 12:00:00.000`;
  const open = monthsAgo === 0;
  const codigo = open
    ? gerarCodigoBarras({ banco: '756', vencimento, valor, campoLivre: String(id).padStart(25, '0') })
    : null;
  return {
    provedor_id: providerOf(client),
    id,
    cliente_id: client,
    contrato_id: client,
    descricao: 'Mensalidade',
    situacao: open ? 'pendente' : 'paga',
    tipo: 'boleto',
    valor: escreverDinheiro(valor),
    valor_pago: open ? '0.00' : escreverDinheiro(valor),
    vencimento,
    emitida_em: emitida,
    pago_em: open ? null : `${vencimento} 15:00:00.000`,
    token: String(id).padStart(11, '0').padEnd(22, 'x'),
    pix_txid: `BANCADA${id}`,
    codigo_barras: codigo,
    linha_digitavel: codigo === null ? null : linhaDigitavel(codigo),
  };
}
