import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';
import { criarApoio, execucao, novoContrato } from './apoio.ts';
import { perguntarMuito } from './aos-poucos.ts';
import { criarCasaDoWorker } from './casa-do-worker.ts';

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());

const { em, casaQueFatura } = criarApoio(() => api, relogio);

test.serial(
  'enquanto se pergunta muito por um provedor, o seu dia se fatura aos poucos, sem partir a fatura de um cliente',
  async (t) => {
    const casa = await casaQueFatura({ fatura_unica: true });
    for (let n = 0; n < 60; n += 1) await novoContrato(casa, { valor: '50.00' });
    const cliente_id = await criarFabrica(api.dono).cliente(casa.provedor);
    for (let n = 0; n < 45; n += 1) await novoContrato(casa, { cliente_id, valor: '10.00' });
    await perguntarMuito(api, casa.provedor);
    em('2027-01-01T03:05:00.000Z');
    const partes: number[] = [];
    const aoAvancar = ({ feitas }: { readonly feitas: number }): void => void partes.push(feitas);
    const tarefa = { tarefa: 'faturas.gerar' as const, provedorId: casa.provedor, dia: '2027-01-01' };
    const { linhas } = await api.container.tarefas.executar(AUTOR, tarefa, { ...execucao, aoAvancar });
    t.is(linhas, 2);
    t.deepEqual(partes, [60, 105]);
    t.deepEqual(
      (await casa.linhas('faturas')).map(({ valor }) => valor),
      ['3000.00', '450.00'],
    );
  },
);

test.serial('o mês que se pede também se faz aos poucos, e de quem não se pergunta, depressa', async (t) => {
  em('2027-03-02T12:00:00.000Z');
  const outros = [await criarCasaDoWorker(api, 1), await criarCasaDoWorker(api, 1)] as const;
  const fabrica = criarFabrica(api.dono);
  for (const { id } of outros) {
    const plano_id = await fabrica.plano(id);
    for (let n = 0; n < 119; n += 1) {
      const cliente_id = await fabrica.cliente(id);
      const linha = { tipo_cobranca: 'pre_pago', dia_vencimento: 10, valor: '99.90', ativado_em: '2026-06-01' };
      await fabrica.contrato(id, { cliente_id, plano_id, criado_em: '2026-06-01 12:00:00', ...linha });
    }
  }
  const [muito, pouco] = outros;
  await perguntarMuito(api, muito.id);
  for (const casa of outros) await casa.pedir('faturas');
  t.deepEqual((await muito.executar()).andou, [49, 98, 120, 120]);
  t.deepEqual((await pouco.executar()).andou, [120, 120]);
  t.is(await muito.contar('faturas'), 120);
});
