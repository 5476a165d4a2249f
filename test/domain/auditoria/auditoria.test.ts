import test from 'ava';
import { createAcessosService } from '../../../src/domain/auditoria/acessos.service.ts';
import { createAuditoriaService } from '../../../src/domain/auditoria/auditoria.service.ts';
import { createTenantDb, createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
test.before(async () => void (api = await criarApi({ relogio })));
test.after.always(async () => api.fechar());

test('a auditoria se lê por quem, pelo quê e por quando, página a página', async (t) => {
  const id = await criarFabrica(api.dono).provedor();
  const w = createTenantWriter(api.dono, id);
  for (let n = 0; n < 60; n += 1) {
    await w.insert('auditoria', {
      acao: n % 2 === 0 ? 'fatura.paga' : 'cliente.atualizado',
      recurso: n % 2 === 0 ? 'fatura' : 'cliente',
      recurso_id: n,
      autor: 'tarefa',
      ator_tipo: 'tarefa',
      ator_tarefa: n % 3 === 0 ? 'faturas.vencer' : 'outra',
      dados: JSON.stringify({ campos: ['email'] }),
      ocorrido_em: `2026-11-20 12:${String(n).padStart(2, '0')}:00.000`,
    });
  }
  const auditoria = createAuditoriaService({ tenant: createTenantDb(api.container.db, id) });
  const primeira = await auditoria.listar({});
  t.is(primeira.itens.length, 50);
  t.deepEqual(primeira.itens[0]?.campos, ['email']);
  const segunda = await auditoria.listar({}, primeira.proxima);
  t.deepEqual([segunda.itens.length, segunda.proxima], [10, null]);
  const quantas = async (filtro: object) => {
    let n = 0;
    for await (const _ of auditoria.todas(filtro)) n += 1;
    return n;
  };
  t.is(await quantas({ acao: 'fatura' }), 30);
  t.is(await quantas({ acao: 'cliente.atualizado' }), 30);
  t.is(await quantas({ tarefa: 'faturas.vencer' }), 20);
  const de = new Date('2026-11-20T12:10:00Z');
  t.is(await quantas({ de, antesDe: new Date('2026-11-20T12:20:00Z') }), 10);
  t.is((await auditoria.auditoriaDe('fatura', 4)).itens.length, 1);
});

test('quem viu os dados de um cliente fica anotado, sem evento nem auditoria', async (t) => {
  const fabrica = criarFabrica(api.dono);
  const id = await fabrica.provedor();
  const cliente = await fabrica.cliente(id);
  const usuarioId = await createTenantWriter(api.dono, id).insert('usuarios', {
    nome: 'Ana',
    email: 'ana@malha.test',
    perfil: 'administrador',
  });
  const acessos = createAcessosService({ tenant: createTenantDb(api.container.db, id), relogio });
  await acessos.anotarAcesso({ usuarioId, clienteId: cliente, oQue: 'cliente' });
  const { itens, proxima } = await acessos.quemViu(cliente);
  t.deepEqual(
    itens.map(({ usuarioId: quem, oQue }) => [quem, oQue]),
    [[usuarioId, 'cliente']],
  );
  t.is(proxima, null);
  // Who took lists of many may have seen him in them; pages go through both in one order.
  for (let n = 0; n < 60; n += 1) {
    await acessos.anotarAcesso({ usuarioId, clienteId: n % 2 === 0 ? null : cliente, oQue: 'csv' });
  }
  const primeira = await acessos.quemViu(cliente);
  const segunda = await acessos.quemViu(cliente, primeira.proxima);
  t.deepEqual([primeira.itens.length, segunda.itens.length, segunda.proxima], [50, 11, null]);
  const ids = [...primeira.itens, ...segunda.itens].map((um) => um.id);
  t.deepEqual(
    ids,
    [...new Set(ids)].toSorted((a, b) => b - a),
  );
  t.is((await acessos.quemViu(null)).itens.length, 30);
  t.deepEqual(await api.dono('eventos').where({ provedor_id: id }), []);
});
