import test from 'ava';
import { provedoresComVencidos } from '../../../src/domain/desbloqueios/vencidos.queries.ts';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import { criarBanco } from '../../support/banco.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { lidas } from '../../support/leituras.ts';

test('quem tem desbloqueios por encerrar se acha sem passar pelos que estão em vigor', async (t) => {
  const banco = await criarBanco();
  t.teardown(async () => banco.fechar());
  const { db, url } = banco;
  const fabrica = criarFabrica(db);
  /** A provider with this many unblocks in force, and the same number of others, as it is said. */
  async function provedor(emVigor: number, outros: Record<string, unknown>[] = []): Promise<number> {
    const provedor_id = await fabrica.provedor();
    const plano_id = await fabrica.plano(provedor_id);
    const cliente_id = await fabrica.cliente(provedor_id);
    const contrato_id = await fabrica.contrato(provedor_id, { cliente_id, plano_id });
    const [modelo] = await db('contratos').where({ id: contrato_id }).select();
    const { id: _, ...dados } = { ...modelo };
    const contratos = Array.from({ length: emVigor + outros.length }, (__, n) => ({ ...dados, login: `l${n}` }));
    await db.batchInsert('contratos', contratos, 500);
    const ids = await db('contratos').where({ provedor_id, plano_id }).whereNotNull('login').pluck<number[]>('id');
    const vigente = { provedor_id, dias: 3, aplicado_em: '2026-11-01', ate: '2026-11-30' };
    await db.batchInsert(
      'desbloqueios_confianca',
      ids.slice(0, contratos.length).map((id, n) => ({ ...vigente, contrato_id: id, ...outros[n - emVigor] })),
      500,
    );
    return provedor_id;
  }
  const passado = { ate: '2026-11-04' };
  await provedor(2000, [{ ...passado, encerrado_em: '2026-11-04' }]);
  const comUm = await provedor(100, [passado]);
  await provedor(0);

  const uma = createDatabase({ url, pool: 1 });
  t.teardown(() => uma.destroy());
  await db.raw('ANALYZE TABLE desbloqueios_confianca');
  const agora = new Date('2026-11-20T15:00:00Z');
  t.deepEqual(await provedoresComVencidos(uma, agora), [comUm]);
  const passadas = await lidas(uma, async () => provedoresComVencidos(uma, agora));
  t.true(passadas < 50, `passou por ${passadas}`);
});
