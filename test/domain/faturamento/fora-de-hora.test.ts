import test from 'ava';
import { AUTOR } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { criarApoio, execucao, novoContrato } from './apoio.ts';

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());

const { em, casaQueFatura } = criarApoio(() => api, relogio);

test.serial('um dia que se faz dias depois não faz nada já vencido, e é o faturamento dele', async (t) => {
  const casa = await casaQueFatura({ antecedencia: 0 });
  await novoContrato(casa, { ativado_em: '2026-01-10', valor: '100.00', tipo_cobranca: 'pre_pago' });
  em('2026-12-20T15:00:00.000Z');
  const tarefa = { tarefa: 'faturas.gerar' as const, provedorId: casa.provedor, dia: '2026-12-10' };
  await api.container.tarefas.executar(AUTOR, tarefa, execucao);
  t.deepEqual(
    (await casa.linhas('faturas')).map(({ vencimento, valor }) => [vencimento, valor]),
    [['2026-12-20', '100.00']],
  );
  t.deepEqual(
    (await casa.linhas('faturamentos')).map(({ dia }) => dia),
    ['2026-12-10'],
  );
});
