import test from 'ava';
import { createEmissaoNfcomQueries } from '../../../src/domain/nfcom/emissao/emissao.queries.ts';
import type { FiltroDeEmissao } from '../../../src/domain/nfcom/emissao/emissao.types.ts';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import { createTenantDb } from '../../../src/platform/mysql/tenant.ts';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { criarBanco } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { lidas } from '../../support/leituras.ts';

const DO_MES = 400;
const DE_ANTES = 300;
const POR_PARTE = 50;
let banco: Banco;
test.before(async () => {
  banco = await criarBanco();
});
test.after.always(() => banco.fechar());

/** Invoices of last year, and then those of this month. */
async function muitas() {
  const f = criarFabrica(banco.db);
  const provedor = await f.provedor();
  const cliente = await f.cliente(provedor);
  const plano = await f.plano(provedor);
  await f.contrato(provedor, { cliente_id: cliente, plano_id: plano });
  const base = { provedor_id: provedor, cliente_id: cliente, valor: '99.90', situacao: 'pendente' };
  const token = (n: number) => `${provedor}-${n}`.padEnd(22, 'x');
  await banco.db('faturas').insert(
    Array.from({ length: DE_ANTES + DO_MES }, (_, n) => ({
      ...base,
      token: token(n),
      ...(n < DE_ANTES
        ? { emitida_em: '2025-10-20 12:00:00.000', vencimento: '2025-11-10' }
        : { emitida_em: '2026-11-02 12:00:00.000', vencimento: '2026-11-20' }),
    })),
  );
  await banco.db.raw('ANALYZE TABLE faturas, nfcom');
  const ids = await banco.db('faturas').where('provedor_id', provedor).orderBy('id').pluck<number[]>('id');
  return { provedor, plano, ids };
}

for (const [nome, filtroDe] of Object.entries<(plano: number) => FiltroDeEmissao>({
  emissão: () => ({ emitidasDe: '2026-11-01' as Data }),
  vencimento: () => ({ vencimentoDe: '2026-11-01' as Data, vencimentoAte: '2026-11-30' as Data }),
  'emissão e plano': (planoId) => ({ emitidasDe: '2026-11-01' as Data, planoId }),
})) {
  test(`uma parte das faturas de um período, por ${nome}, não passa outra vez por todas as outras`, async (t) => {
    const { provedor, plano, ids } = await muitas();
    const filtro = filtroDe(plano);
    const um = createDatabase({ url: banco.url, pool: 1 });
    try {
      const queries = createEmissaoNfcomQueries(createTenantDb(um, provedor), 'America/Sao_Paulo');
      const achadas: number[] = [];
      for (let depoisDe = 0; ;) {
        const parte = await queries.candidatas(filtro, depoisDe, POR_PARTE);
        achadas.push(...parte.map(({ id }) => id));
        const ultima = parte.at(-1);
        if (ultima === undefined) break;
        depoisDe = ultima.id;
      }
      t.deepEqual(achadas, ids.slice(DE_ANTES));
      const passadas = await lidas(um, async () => queries.candidatas(filtro, ids.at(-1 - POR_PARTE) ?? 0, POR_PARTE));
      // The entries of the period in its index, and for each row of the part what says that it has no note, and whose it is.
      t.true(passadas < DO_MES + 12 * POR_PARTE, `${passadas}`);
    } finally {
      await um.destroy();
    }
  });
}
