import { randomBytes } from 'node:crypto';
import test from 'ava';
import { createExpiracaoService } from '../../../src/domain/convites/expiracao.service.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const NUNCA = new AbortController().signal;
const relogio = relogioEm(AGORA);

let api: Api;
let fabrica: Fabrica;
test.before(async () => {
  api = await criarApi({ relogio });
  fabrica = criarFabrica(api.dono);
});
test.after.always(() => api.fechar());

const expiracao = () => createExpiracaoService({ db: api.container.db, write: api.container.write, relogio });

/** Invites of a provider; resolves to their ids. */
async function convites(provedor: number, ...linhas: object[]): Promise<number[]> {
  const ids: number[] = [];
  for (const linha of linhas) {
    const [id] = await api.dono('convites').insert({
      provedor_id: provedor,
      token_hash: randomBytes(32),
      ...linha,
    });
    ids.push(Number(id));
  }
  return ids;
}
const situacoes = async (provedor: number): Promise<string[]> =>
  (await api.dono('convites').where('provedor_id', provedor).orderBy('id')).map(({ situacao }) => situacao);
const eventos = async (provedor: number): Promise<number[]> =>
  (await api.dono('eventos').where({ provedor_id: provedor, tipo: 'convite.expirado' }).orderBy('id')).map(
    ({ recurso_id }) => recurso_id,
  );

test.serial(
  'um convite cujo prazo passou é dado por expirado, com um evento e uma linha de auditoria, uma vez',
  async (t) => {
    const [um, outro] = [await fabrica.provedor(), await fabrica.provedor()];
    const ids = await convites(
      um,
      { expira_em: '2026-11-20 14:59:59.999' },
      { expira_em: '2026-11-20 15:00:00.000' },
      { expira_em: '2026-11-20 15:00:00.001' },
      { expira_em: null },
      { expira_em: '2026-11-01 00:00:00.000', situacao: 'usado' },
      { expira_em: '2026-11-01 00:00:00.000', situacao: 'expirado' },
    );
    const [doOutro] = await convites(outro, { expira_em: '2026-11-19 00:00:00.000' });
    t.is(await expiracao().expirar(AUTOR, NUNCA), 3);
    t.deepEqual(await situacoes(um), ['expirado', 'expirado', 'aberto', 'aberto', 'usado', 'expirado']);
    t.deepEqual(await eventos(um), ids.slice(0, 2));
    t.deepEqual(await eventos(outro), [doOutro]);
    const auditadas = await api.dono('auditoria').where({ provedor_id: um, acao: 'convite.expirado' });
    t.is(auditadas.length, 2);
    t.like(auditadas[0], { autor: 'tarefa', recurso: 'convite' });

    t.is(await expiracao().expirar(AUTOR, NUNCA), 0);
    t.is((await eventos(um)).length, 2);
  },
);

test.serial(
  'muitos convites são dados por expirados em lotes, e duas execuções juntas não repetem evento',
  async (t) => {
    const provedor = await fabrica.provedor();
    await api.dono('convites').insert(
      Array.from({ length: 450 }, () => ({
        provedor_id: provedor,
        token_hash: randomBytes(32),
        expira_em: '2026-11-20 10:00:00.000',
      })),
    );
    await Promise.all([expiracao().expirar(AUTOR, NUNCA), expiracao().expirar(AUTOR, NUNCA)]);
    await expiracao().expirar(AUTOR, NUNCA);
    t.true((await situacoes(provedor)).every((situacao) => situacao === 'expirado'));
    const ditos = await eventos(provedor);
    t.is(ditos.length, 450);
    t.is(new Set(ditos).size, 450);
  },
);

test.serial('quem está sendo usado neste momento não é esperado, nem dado por expirado', async (t) => {
  const provedor = await fabrica.provedor();
  const [id] = await convites(
    provedor,
    { expira_em: '2026-11-20 10:00:00.000' },
    { expira_em: '2026-11-20 10:00:00.000' },
  );
  await api.dono.transaction(async (trx) => {
    await trx('convites').where({ provedor_id: provedor, id }).update({ situacao: 'usado' });
    t.is(await expiracao().expirar(AUTOR, NUNCA), 1);
  });
  t.deepEqual(await situacoes(provedor), ['usado', 'expirado']);
});

test.serial('a busca usa o índice do prazo', async (t) => {
  const [plano] = await api.dono.raw(
    `EXPLAIN FORMAT=TRADITIONAL SELECT provedor_id, id FROM convites FORCE INDEX (convites_expiracao)
      WHERE situacao = 'aberto' AND expira_em <= '2026-11-20' ORDER BY expira_em LIMIT 200`,
  );
  t.is(plano[0].key, 'convites_expiracao');
  t.notRegex(String(plano[0].Extra), /filesort/);
});
