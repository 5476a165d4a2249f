import test from 'ava';
import { createTenantWriter } from '../../src/platform/tenant.ts';
import { criarBanco } from '../support/banco.ts';
import type { Banco } from '../support/banco.ts';
import { criarFabrica } from '../support/fabrica.ts';

let banco: Banco;
test.before(async () => {
  banco = await criarBanco();
});
test.after.always(async () => {
  await banco.fechar();
});

/** A tenant with some plans; what is written into them is read back by id. */
async function planos(quantos: number) {
  const fabrica = criarFabrica(banco.db);
  const provedorId = await fabrica.provedor();
  const cliente_id = await fabrica.cliente(provedorId);
  const ids: number[] = [];
  for (let n = 0; n < quantos; n += 1) ids.push(await fabrica.fatura(provedorId, { cliente_id, valor: '10.00' }));
  const ler = async (): Promise<any[]> => banco.db('faturas').whereIn('id', ids).orderBy('id');
  return { provedorId, ids, ler, w: createTenantWriter(banco.db, provedorId) };
}

test('cada linha recebe os seus valores, de qualquer forma que sejam', async (t) => {
  const { ids, ler, w } = await planos(8);
  const descricoes = ['curta', null, "d'água", 'com espaço no fim ', '', 'São João', '  antes', '\\0'];
  const codigos = ['A', 'BB', null, 'C C', "D'D", 'E"E', '?F', '\\'];
  const mudadas = await w.updateEach(
    'faturas',
    ids.toReversed().map((id, n) => ({
      id,
      descricao: descricoes[7 - n]!,
      pix_copia_cola: codigos[7 - n]!,
      valor: `${100 + n}.${10 + n}`,
      vencimento: `2026-12-0${8 - n}`,
      situacao: 'vencida',
    })),
  );
  t.is(mudadas, 8);
  const rows = await ler();
  t.deepEqual(
    rows.map(({ descricao, pix_copia_cola }) => [descricao, pix_copia_cola]),
    descricoes.map((descricao, n) => [descricao, codigos[n]]),
  );
  t.deepEqual(
    rows.map(({ valor, vencimento, situacao }) => `${valor} ${vencimento} ${situacao}`),
    ids.map((_, n) => `${107 - n}.${17 - n} 2026-12-0${1 + n} vencida`),
  );
});

test('só as linhas que ainda são como se leu, e só as do inquilino', async (t) => {
  const meu = await planos(4);
  const alheio = await planos(2);
  const linhas = [...meu.ids, ...alheio.ids, 999_999_999].map((id, n) => ({
    id,
    descricao: `nova ${n}`,
    valor: n === 1 ? '11.00' : '10.00',
  }));
  await banco.db('faturas').where({ id: meu.ids[2] }).update({ situacao: 'paga' });
  t.is(await meu.w.updateEach('faturas', linhas, { matching: ['valor'], where: { situacao: 'pendente' } }), 2);
  t.deepEqual(
    (await meu.ler()).map(({ descricao, valor }) => [descricao, valor]),
    [
      ['nova 0', '10.00'],
      [null, '10.00'],
      [null, '10.00'],
      ['nova 3', '10.00'],
    ],
  );
  t.true((await alheio.ler()).every(({ descricao }) => descricao === null));
  t.is(await meu.w.updateEach('faturas', []), 0);
});

test('mais linhas do que cabem em um comando', async (t) => {
  const { provedorId, w } = await planos(0);
  const cliente_id = (await banco.db('clientes').where('provedor_id', provedorId).first()).id;
  const novas = Array.from({ length: 2000 }, (_, n) => ({
    provedor_id: provedorId,
    cliente_id,
    situacao: 'pendente',
    valor: '1.00',
    vencimento: '2026-11-10',
    emitida_em: '2026-11-01 09:00:00',
    token: `${provedorId}-${n}`.padEnd(22, '-'),
  }));
  await banco.db.batchInsert('faturas', novas, 500);
  const ids: { id: number }[] = await banco.db('faturas').where('provedor_id', provedorId).select('id');
  t.is(
    await w.updateEach(
      'faturas',
      ids.map(({ id }) => ({ id, descricao: `n${id}` })),
    ),
    2000,
  );
  const erradas = await banco.db('faturas').where('provedor_id', provedorId).whereRaw("descricao <> CONCAT('n', id)");
  t.is(erradas.length, 0);
});
