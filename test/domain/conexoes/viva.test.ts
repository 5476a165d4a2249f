import test from 'ava';
import { estadoDaConexao } from '../../../src/domain/conexoes/estado.regras.ts';
import { condicoesDaLinha } from '../../../src/domain/conexoes/viva.regras.ts';
import { fromDatabaseTime } from '../../../src/platform/mysql/database.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';

const AGORA = new Date('2026-11-20T15:00:00.000Z');
let api: Api;
test.before(async () => {
  api = await criarApi();
});
test.after.always(async () => api.fechar());

test('o SQL diz de cada registro o mesmo que a regra, também onde falta o intervalo ou é longo demais', async (t) => {
  const fabrica = criarFabrica(api.dono);
  const provedor = await fabrica.provedor();
  const plano = await fabrica.plano(provedor);
  const cliente = await fabrica.cliente(provedor);
  const [online, offline] = [condicoesDaLinha(AGORA, 300).online, condicoesDaLinha(AGORA, 300).offline];
  for (const intervalo of [null, 60, 300, 1800, 7200]) {
    for (const segundos of [null, 0, 119, 120, 121, 600, 601, 3600, 3601, 10_000]) {
      const contrato = await fabrica.contrato(provedor, { cliente_id: cliente, plano_id: plano });
      const ouvida =
        segundos === null
          ? null
          : new Date(AGORA.getTime() - segundos * 1000).toISOString().slice(0, 23).replace('T', ' ');
      await fabrica.conexao(provedor, { contrato_id: contrato, ouvida_em: ouvida, intervalo_segundos: intervalo });
      const estado = estadoDaConexao({
        login: 'linha',
        temRegistro: true,
        ouvidaEm: ouvida === null ? null : fromDatabaseTime(ouvida),
        intervaloSegundos: intervalo,
        intervaloPadraoSegundos: 300,
        agora: AGORA,
      });
      const dito = async ([sql, valores]: typeof online) =>
        (await api.dono('conexoes as x').where('x.contrato_id', contrato).whereRaw(sql, valores)).length === 1;
      t.deepEqual(
        [await dito(online), await dito(offline)],
        [estado === 'online', estado === 'offline'],
        `${intervalo} s, ouvida há ${segundos} s`,
      );
    }
  }
});
