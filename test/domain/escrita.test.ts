import test from 'ava';
import { Conflito } from '../../src/domain/erros.ts';
import { createEscrita } from '../../src/domain/escrita.ts';
import { createProvedoresService } from '../../src/domain/provedores/provedores.service.ts';
import { AUTOR } from '../support/autor.ts';
import { criarBanco } from '../support/banco.ts';
import type { Banco } from '../support/banco.ts';
import { criarFabrica } from '../support/fabrica.ts';

let banco: Banco;
test.before(async () => {
  banco = await criarBanco();
});
test.after.always(() => banco.fechar());

test('o que outro já gravou é um conflito, dito em palavras do domínio', async (t) => {
  const provedor = await criarFabrica(banco.db).provedor();
  const write = createEscrita({ db: banco.db, gate: { bump: async () => {} }, onUnconfirmed: () => {} });
  const gravar = async () =>
    write(AUTOR, provedor, async (w) =>
      w.insert('provedores_feriados', { dia: '2027-03-19', nome: 'Padroeiro', dia_util: 0 }),
    );
  await gravar();
  const conflito = await t.throwsAsync(gravar(), { instanceOf: Conflito });
  t.regex(conflito?.message ?? '', /provedores_feriados: outro gravou o mesmo/);
  t.notRegex(conflito?.message ?? '', /Padroeiro/);
});

test('de dois provedores criados ao mesmo tempo com o mesmo host, um ouve que ele é de outro', async (t) => {
  const provedores = createProvedoresService({ db: banco.db });
  const novo = { nome: 'Serra', panelHost: 'serra.escrita.test', fusoHorario: 'America/Sao_Paulo' };
  const feitos = await Promise.allSettled(Array.from({ length: 4 }, async () => provedores.criar(novo)));
  const recusados = feitos.filter((feito) => feito.status === 'rejected');
  t.is(recusados.length, 3);
  for (const { reason } of recusados) {
    t.is((reason as Error).message, 'host: serra.escrita.test já é de outro provedor');
  }
});
