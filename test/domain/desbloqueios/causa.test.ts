import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { criarCasa } from '../contratos/apoio.ts';

// Of which invoice a trust unblock is.

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(async () => api.fechar());

test('um contrato sem fatura própria se desbloqueia pela conjunta, e não pela de outro contrato do cliente', async (t) => {
  const casa = await criarCasa(api, { regras: { desbloqueio_habilitado: 1, desbloqueio_dias: 3 } });
  const bloqueado = { situacao: 'bloqueado', bloqueio_origem: 'financeiro', bloqueado_em: '2026-11-15 08:00:00' };
  const [contrato, outro] = [await casa.contrato(bloqueado), await casa.contrato(bloqueado)];
  const dever = async (contrato_id: number | null, vencimento: string): Promise<number> => {
    const fatura = { cliente_id: casa.cliente, contrato_id, vencimento, situacao: 'vencida' };
    return casa.fabrica.fatura(casa.provedor, fatura);
  };
  const doOutro = await dever(outro, '2026-10-05');
  const conjunta = await dever(null, '2026-10-20');
  for (const id of [contrato, outro]) await casa.mudar(async ({ desbloqueios }) => desbloqueios.aplicar(id, null));
  const causas = (await casa.linhas('desbloqueios_confianca')).map((um) => [um['contrato_id'], um['fatura_causa_id']]);
  t.deepEqual(causas, [
    [contrato, conjunta],
    [outro, doOutro],
  ]);
});
