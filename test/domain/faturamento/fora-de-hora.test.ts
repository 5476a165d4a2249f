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

const { em, casaQueFatura, noDia, pedir } = criarApoio(() => api, relogio);

/** A contract due on the last day of the month, cancelled at an instant of May, and billed up to July. */
async function casaQueCancelou(quando: string) {
  const casa = await casaQueFatura();
  const id = await novoContrato(casa, { ativado_em: '2026-01-10', valor: '31.00', dia_vencimento: 31 });
  await noDia(casa, '2027-04-20');
  em(quando);
  await casa.mudar(async ({ movimentos }) => movimentos.cancelar(id, { motivo: 'mudou', faturas_futuras: 'manter' }));
  for (const dia of ['2027-05-21', '2027-06-20', '2027-07-21']) await noDia(casa, dia);
  const equipamento = { tipo: 'unico', descricao: 'Roteador não devolvido', valor: '400.00' };
  const acrescentar = async () => casa.mudar(async ({ faturamento }) => faturamento.itens.adicionar(id, equipamento));
  return { casa, acrescentar };
}

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

test.serial(
  'o que se cobra de um contrato cancelado, enquanto pode voltar, cobra-se qualquer que seja o vencimento',
  async (t) => {
    const { casa, acrescentar } = await casaQueCancelou('2027-05-02T15:00:00.000Z');
    // Two months later; its day of May was charged long before.
    em('2027-07-28T12:00:00.000Z');
    await acrescentar();
    for (const dia of ['2027-08-21', '2027-09-20', '2027-10-21']) await noDia(casa, dia);
    t.deepEqual(
      (await casa.linhas('faturas')).slice(-2).map(({ vencimento, valor }) => [vencimento, valor]),
      [
        ['2027-06-30', '1.00'],
        ['2027-08-31', '400.00'],
      ],
    );
  },
);

test.serial(
  'nem o fim do prazo de voltar, nem o mês que vem já pedido, fazem perder o que se acrescentou',
  async (t) => {
    const { casa, acrescentar } = await casaQueCancelou('2027-05-04T15:00:00.000Z');
    em('2027-08-01T12:00:00.000Z');
    await pedir(casa, '2027-09');
    await acrescentar();
    for (const dia of ['2027-08-21', '2027-09-20', '2027-10-21', '2027-11-20']) await noDia(casa, dia);
    t.deepEqual(
      (await casa.linhas('faturas')).slice(-1).map(({ vencimento, valor }) => [vencimento, valor]),
      [['2027-10-31', '400.00']],
    );
  },
);
