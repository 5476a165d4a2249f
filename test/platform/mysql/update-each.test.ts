import test from 'ava';
import { createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import { criarBanco } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { criarFabrica } from '../../support/fabrica.ts';

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

test('cada linha recebe os seus valores', async (t) => {
  const { ids, ler, w } = await planos(8);
  const descricoes = ['curta', null, "d'agua", 'com  espacos', '0', '~', '  antes', '\\0'];
  const codigos = ['A', 'BB', null, 'C C', "D'D", 'E"E', '?F', '\\'];
  const mudadas = await w.updateEach('faturas', ids.toReversed(), {
    descricao: descricoes.toReversed(),
    pix_copia_cola: codigos.toReversed(),
    valor: ids.map((_, n) => `${100 + n}.${10 + n}`),
    vencimento: ids.map((_, n) => `2026-12-0${8 - n}`),
    situacao: 'vencida',
  });
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

test('um valor que um registro não leva é recusado, e nada é escrito; um que é de todas as linhas pode ser qualquer um', async (t) => {
  const { ids, ler, w } = await planos(2);
  for (const descricao of ['', 'no fim ', 'São João', 'duas\nlinhas', '\u0000']) {
    await t.throwsAsync(w.updateEach('faturas', ids, { descricao: ['uma', descricao] }), { instanceOf: RangeError });
  }
  t.deepEqual(
    (await ler()).map(({ descricao }) => descricao),
    [null, null],
  );
  await w.updateEach('faturas', ids, { descricao: 'São João ' });
  t.deepEqual(
    (await ler()).map(({ descricao }) => descricao),
    ['São João ', 'São João '],
  );
});

test('só as linhas que ainda são como se leu, e só as do inquilino', async (t) => {
  const meu = await planos(4);
  const alheio = await planos(2);
  const ids = [...meu.ids, ...alheio.ids, 999_999_999];
  const novos = { descricao: ids.map((_, n) => `nova ${n}`), valor: ids.map((_, n) => (n === 1 ? '11.00' : '10.00')) };
  await banco.db('faturas').where({ id: meu.ids[2] }).update({ situacao: 'paga' });
  t.is(await meu.w.updateEach('faturas', ids, novos, { matching: ['valor'], where: { situacao: 'pendente' } }), 2);
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
  t.is(await meu.w.updateEach('faturas', [], {}), 0);
});

test('um texto se compõe do que é de todas, de uma coluna da linha e do que é só dela', async (t) => {
  const { ids, ler, w } = await planos(4);
  await banco
    .db('faturas')
    .whereIn('id', ids.slice(1))
    .update({ pix_txid: banco.db.raw("CONCAT('T', id)") });
  const proprios = ['1', '22', null, '4'];
  await w.updateEach(
    'faturas',
    ids,
    { proprio: proprios, linha_digitavel: ids.map((id) => `L${id}`) },
    {
      composed: {
        pix_copia_cola: ["d'São\\", { value: 'proprio' }, '-', { column: 'pix_txid' }, '!'],
        descricao: [{ value: 'proprio' }],
      },
    },
  );
  const rows = await ler();
  t.deepEqual(
    rows.map(({ pix_copia_cola, descricao, linha_digitavel }) => [pix_copia_cola, descricao, linha_digitavel]),
    ids.map((id, n) => [n === 0 || n === 2 ? null : `d'São\\${proprios[n]}-T${id}!`, proprios[n], `L${id}`]),
  );
});

test('uma coluna que se guarda fica como está, embora a tabela a mude com as outras', async (t) => {
  const { ids, ler, w } = await planos(2);
  const atualizado_em = '2026-01-01 00:00:00.000';
  await banco.db('faturas').whereIn('id', ids).update({ atualizado_em });
  await w.updateEach('faturas', [ids[0]!], { descricao: 'guardada' }, { keeping: ['atualizado_em'] });
  await w.updateEach('faturas', [ids[1]!], { descricao: 'mudada' });
  const [guardada, mudada] = await ler();
  t.is(guardada.atualizado_em, atualizado_em);
  t.true(mudada.atualizado_em > atualizado_em);
});

test('mais linhas do que cabem em um comando', async (t) => {
  const { provedorId, w } = await planos(0);
  const cliente_id = (await banco.db('clientes').where('provedor_id', provedorId).first()).id;
  const novas = Array.from({ length: 6000 }, (_, n) => ({
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
  // All of them; every other one, whose gaps are more than a list holds; and so few that each is sought.
  for (const passo of [1, 2, 7]) {
    const algumas = ids.map(({ id }) => id).filter((_, n) => n % passo === 0);
    const descricao = algumas.map((id) => `${passo} n${id}`);
    t.is(await w.updateEach('faturas', algumas.toReversed(), { descricao: descricao.toReversed() }), algumas.length);
    const rows: { id: number; descricao: string }[] = await banco.db('faturas').where('provedor_id', provedorId);
    const escolhidas = new Set(algumas);
    for (const { id, descricao: gravada } of rows) {
      t.is(gravada.startsWith(`${passo} `), escolhidas.has(id));
      t.is(gravada.split(' ')[1], `n${id}`);
    }
  }
});

test('nenhuma linha fora da lista, de quem for, é esperada nem segurada', async (t) => {
  const [meu, alheio] = [await planos(0), await planos(0)];
  const donoDe = (n: number): number => (n % 3 === 1 ? alheio.provedorId : meu.provedorId);
  const clientes = new Map<number, number>();
  for (const { provedorId } of [meu, alheio]) {
    clientes.set(provedorId, (await banco.db('clientes').where('provedor_id', provedorId).first()).id);
  }
  // In one statement, so that their ids follow one another.
  await banco.db('faturas').insert(
    Array.from({ length: 60 }, (_, n) => ({
      provedor_id: donoDe(n),
      cliente_id: clientes.get(donoDe(n)),
      situacao: 'pendente',
      valor: '1.00',
      vencimento: '2026-11-10',
      emitida_em: '2026-11-01 09:00:00',
      token: `l${alheio.provedorId}-${n}`.padEnd(22, '-'),
    })),
  );
  const idsDe = async ({ provedorId }: typeof meu): Promise<number[]> =>
    (await banco.db('faturas').where('provedor_id', provedorId).orderBy('id').select<{ id: number }[]>('id')).map(
      ({ id }) => id,
    );
  const minhas = await idsDe(meu);
  const fora = [minhas[7]!, minhas[8]!, minhas.at(-1)!];
  const lista = minhas.filter((id) => !fora.includes(id));
  const outras = [...(await idsDe(alheio)), ...fora];
  t.true(lista.at(-1)! - lista[0]! < 2 * lista.length);

  const READ_COMMITTED = { isolationLevel: 'read committed' } as const;
  await banco.db.transaction(async (outro) => {
    await outro('faturas').whereIn('id', outras).forUpdate().select('id');
    await banco.db.transaction(async (trx) => {
      t.is(
        await createTenantWriter(trx, meu.provedorId).updateEach('faturas', lista, {
          descricao: lista.map((id) => `n${id}`),
        }),
        lista.length,
      );
    }, READ_COMMITTED);
  }, READ_COMMITTED);
  await banco.db.transaction(async (trx) => {
    await createTenantWriter(trx, meu.provedorId).updateEach('faturas', lista, {
      descricao: lista.map((id) => `m${id}`),
    });
    await banco.db.transaction(async (outro) => {
      t.is(await outro('faturas').whereIn('id', outras).update({ descricao: 'de outro' }), outras.length);
    }, READ_COMMITTED);
  }, READ_COMMITTED);
});
