import test from 'ava';
import { createEncerramentoDeContratosService } from '../../../src/domain/contratos/encerramento/encerramento.service.ts';
import { createContratosEncerrarJob } from '../../../workers/jobs/contratos-encerrar.job.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { contextoDeTarefa } from '../../support/trabalhador.ts';
import { EM, criarCasa } from './apoio.ts';

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());

const servico = () => {
  const { db, write } = api.container;
  return createEncerramentoDeContratosService({ db, write, relogio });
};
/** The job. */
const rodar = async (): Promise<unknown> => createContratosEncerrarJob(servico())({}, contextoDeTarefa());

test.serial('noventa dias depois de cancelado um contrato se encerra, e o login fica livre; antes, não', async (t) => {
  const [casa, outra] = [await criarCasa(api), await criarCasa(api)];
  const velhos: number[] = [];
  for (let n = 0; n < 3; n += 1) {
    velhos.push(await casa.contrato({ ...EM.cancelado, cancelado_em: '2026-08-22 14:59:59.999', motivo: 'mudou' }));
  }
  const semData = await outra.contrato({
    ...EM.cancelado,
    cancelado_em: null,
    atualizado_em: '2026-08-01 00:00:00.000',
  });
  const novo = await casa.contrato({ ...EM.cancelado, cancelado_em: '2026-08-22 15:00:00.000' });
  const { login } = await casa.ler(velhos[0]!);
  await api.dono('radcheck').insert({ username: login, attribute: 'Cleartext-Password', op: ':=', value: 'x' });
  t.deepEqual(new Set(await servico().provedores()), new Set([casa.provedor, outra.provedor]));
  await rodar();
  for (const id of velhos) {
    t.like(await casa.ler(id), { situacao: 'cancelado_definitivo', login: null, motivo: 'mudou' });
    t.like(await casa.historico(id), [{ acao: 'encerramento', autor: 'tarefa' }]);
  }
  t.is((await outra.ler(semData))['situacao'], 'cancelado_definitivo');
  t.like(await casa.ler(novo), { situacao: 'cancelado' });
  t.deepEqual(await api.dono('radcheck').where({ username: login }), []);
  t.deepEqual((await casa.eventos())[0], {
    tipo: 'contrato.cancelado',
    recurso_id: velhos[0]!,
    dados: { cliente: casa.cliente, definitivo: true },
  });
  t.deepEqual(await servico().provedores(), []);
  await rodar();
  t.is((await casa.historico(velhos[0]!)).length, 1);
});

test.serial('o que outro segura fica para a próxima vez', async (t) => {
  const casa = await criarCasa(api);
  const [preso, solto] = [
    await casa.contrato({
      ...EM.cancelado,
      cancelado_em: '2026-01-01',
      cliente_id: await casa.fabrica.cliente(casa.provedor),
    }),
    await casa.contrato({ ...EM.cancelado, cancelado_em: '2026-01-01' }),
  ];
  const trx = await api.dono.transaction();
  await trx('contratos').where('id', preso).forUpdate().select('id');
  await rodar();
  t.is((await casa.ler(solto))['situacao'], 'cancelado_definitivo');
  await trx.commit();
  t.is((await casa.ler(preso))['situacao'], 'cancelado');
  await rodar();
  t.is((await casa.ler(preso))['situacao'], 'cancelado_definitivo');
});
