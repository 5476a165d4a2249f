import test from 'ava';
import type { Db } from '../../../src/platform/mysql/database.ts';
import { ate } from '../../support/espera.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { criarCelula, estados, moverComoProcesso } from './apoio.ts';
import type { Celula } from './apoio.ts';

// The command itself is killed where it has come to, and given again; in between the provider is read and written where that is answered.

interface Passo {
  readonly nome: string;
  /** The statement that the command does not live to see the end of, and in which cell; or how it ends itself. */
  readonly em: (id: number) => { onde: Celula; gatilho: string; quando: string } | null;
  readonly deixa: readonly [string | null, string | null | undefined];
}

let a: Celula;
let b: Celula;

test.before(async () => {
  [a, b] = [await criarCelula(0), await criarCelula(5_000_000)];
});
test.after.always(async () => {
  await a?.fechar();
  await b?.fechar();
});

const PROVEDORES = 'BEFORE UPDATE ON provedores';
const PASSOS: readonly Passo[] = [
  {
    nome: 'antes da primeira linha',
    em: (id) => ({ onde: b, gatilho: 'BEFORE INSERT ON provedores', quando: `NEW.id = ${id}` }),
    deixa: [null, undefined],
  },
  {
    nome: 'no meio da cópia',
    em: (id) => ({ onde: b, gatilho: 'BEFORE INSERT ON clientes', quando: `NEW.provedor_id = ${id}` }),
    deixa: [null, 'chegando'],
  },
  {
    nome: 'antes de só se ler',
    em: (id) => ({ onde: a, gatilho: PROVEDORES, quando: `NEW.id = ${id} AND NEW.mudanca = 'saindo'` }),
    deixa: [null, 'chegando'],
  },
  {
    nome: 'quando só se lê',
    em: (id) => ({ onde: b, gatilho: PROVEDORES, quando: `NEW.id = ${id} AND NEW.mudanca = 'chegou'` }),
    deixa: ['saindo', 'chegando'],
  },
  { nome: 'ao levar os pedidos', em: () => null, deixa: ['saindo', 'chegou'] },
  {
    nome: 'depois de levar os pedidos',
    em: (id) => ({ onde: a, gatilho: PROVEDORES, quando: `NEW.id = ${id} AND NEW.mudanca = 'foi'` }),
    deixa: ['saindo', 'chegou'],
  },
  {
    nome: 'antes de se gravar na outra',
    em: (id) => ({
      onde: b,
      gatilho: PROVEDORES,
      quando: `NEW.id = ${id} AND OLD.mudanca = 'chegou' AND NEW.mudanca IS NULL`,
    }),
    deixa: ['foi', 'chegou'],
  },
  {
    nome: 'ao levar quem viu os dados de quem',
    em: (id) => ({
      onde: b,
      gatilho: 'BEFORE INSERT ON acessos_a_dados',
      quando: `NEW.provedor_id = ${id} AND (SELECT mudanca FROM provedores WHERE id = ${id}) IS NULL`,
    }),
    deixa: ['foi', null],
  },
];

async function criarProvedor() {
  const fabrica = criarFabrica(a.api.dono);
  const id = await fabrica.provedor();
  const nas = `10.91.0.${id}`;
  await fabrica.nas(id, nas);
  const plano_id = await fabrica.plano(id, { grupo_radius: `mortes-${id}` });
  const cliente_id = await fabrica.cliente(id);
  const contrato_id = await fabrica.contrato(id, { cliente_id, plano_id, login: `m${id}` });
  await fabrica.fatura(id, { cliente_id, contrato_id });
  await fabrica.sessao({
    username: `m${id}`,
    nasipaddress: nas,
    acctuniqueid: `m${id}`,
    acctstarttime: '2026-11-20 10:00:00',
  });
  await a.db('radcheck').insert({ username: `m${id}`, attribute: 'Cleartext-Password', op: ':=', value: 's' });
  await a.db('radgroupreply').insert({ groupname: `mortes-${id}`, attribute: 'x', op: ':=', value: '1M/1M' });
  const [usuario_id = 0] = await a.db('usuarios').insert({ provedor_id: id, email: `m${id}@malha.test`, nome: 'M' });
  const { texto: chave } = await a.api.criarChave(id);
  return { id, nas, cliente_id, usuario_id, chave };
}

const DO_PROVEDOR = [
  'acessos_a_dados',
  'auditoria',
  'chamados',
  'chaves_api',
  'clientes',
  'contratos',
  'faturas',
  'planos',
  'provedores_nas',
];
async function tudoDe(db: Db, id: number, nas: string) {
  const tabelas = DO_PROVEDOR.map((tabela) => db(tabela).where({ provedor_id: id }).orderByRaw('1, 2'));
  const grupo = db('radgroupreply').where({ groupname: `mortes-${id}` });
  return Promise.all([
    ...tabelas,
    db('radcheck').where({ username: `m${id}` }),
    grupo.select('attribute', 'op', 'value'),
    db('radacct').where({ nasipaddress: nas }),
  ]);
}

const esperam = async (db: Db): Promise<number> => {
  const [linhas = []] = await db.raw<{ n: number }[][]>(
    "SELECT COUNT(*) AS n FROM information_schema.processlist WHERE db = DATABASE() AND state = 'User lock'",
  );
  return Number(linhas[0]?.n);
};

/** Kills the command in the statement that a step names, which has not ended by then, and which nobody commits. */
async function matarEm(passo: Passo, id: number): Promise<string | null> {
  const em = passo.em(id);
  if (em === null) return (await moverComoProcesso(a, b, id, 'kill -9 $PPID').saiu)[1];
  const { onde, gatilho, quando } = em;
  const pausa = `malha_mortes_${id}`;
  const quem = await onde.db.transaction();
  try {
    await quem.raw('SELECT GET_LOCK(?, 0)', [pausa]);
    await onde.db.raw(
      `CREATE TRIGGER mortes_teste ${gatilho} FOR EACH ROW IF ${quando} THEN DO GET_LOCK('${pausa}', 120); END IF`,
    );
    const { processo, saiu } = moverComoProcesso(a, b, id, 'true');
    await ate(async () => (await esperam(onde.db)) > 0 || processo.exitCode !== null);
    processo.kill('SIGKILL');
    return (await saiu)[1];
  } finally {
    await quem.raw('DO RELEASE_LOCK(?)', [pausa]);
    await quem.rollback();
    await ate(async () => (await esperam(onde.db)) === 0);
    await onde.db.raw('DROP TRIGGER IF EXISTS mortes_teste');
  }
}

for (const passo of PASSOS) {
  test.serial(
    `kill -9 no comando ${passo.nome}: repetido, termina, e nada se perde nem se faz duas vezes`,
    async (t) => {
      t.timeout(240_000);
      const { id, nas, cliente_id, usuario_id, chave } = await criarProvedor();
      const abrir = async ({ api }: Celula, assunto: string) =>
        api.pedir('POST', '/chamados', {
          chave,
          headers: { 'content-type': 'application/json' },
          corpo: JSON.stringify({ cliente_id, assunto, descricao: 'Sem sinal' }),
        });
      t.is((await abrir(a, 'Chamado antes')).status, 201);
      // Somebody is answered while it is only read, to the last moment.
      await a.db.raw(
        `CREATE TRIGGER mortes_visto ${PROVEDORES} FOR EACH ROW IF NEW.id = ${id} AND OLD.mudanca = 'saindo' AND NEW.mudanca = 'foi' THEN
       INSERT INTO acessos_a_dados (provedor_id, usuario_id, cliente_id, o_que, ocorrido_em)
       VALUES (${id}, ${usuario_id}, ${cliente_id}, 'cliente', UTC_TIMESTAMP(3)); END IF`,
      );
      t.teardown(async () => a.db.raw('DROP TRIGGER IF EXISTS mortes_visto'));
      t.is(await matarEm(passo, id), 'SIGKILL');
      t.deepEqual(await estados(id, a, b), [...passo.deixa]);

      const [aqui, la] = passo.deixa;
      const lidos = async ({ api }: Celula) => api.get(`/chamados?cliente_id=${cliente_id}`, { chave });
      for (const [celula, le] of [
        [a, aqui !== 'foi'],
        [b, la === 'chegou' || la === null],
      ] as const) {
        // What the old cell has let go of is told to its processes by the relay.
        await ate(async () => (await lidos(celula)).status === (le ? 200 : 401));
      }
      const ditos = ['Chamado antes'];
      if (aqui === null || la === null) {
        t.is((await abrir(aqui === null ? a : b, 'Chamado depois')).status, 201);
        ditos.push('Chamado depois');
      } else {
        for (const celula of [a, b]) {
          const { status } = await abrir(celula, 'Chamado recusado');
          t.true(status === 503 || status === 401, String(status));
        }
      }
      // Its place is given up by nobody else than time.
      const vencido = { vence_em: '2026-01-01 00:00:00' };
      for (const { db } of [a, b])
        await db('arrendamentos')
          .where({ nome: `mudanca_${id}` })
          .update(vencido);

      const [codigo] = await moverComoProcesso(a, b, id, 'true').saiu;
      t.is(codigo, 0);
      t.deepEqual(await estados(id, a, b), ['foi', null]);
      const chamados = await b.db('chamados').where({ provedor_id: id }).orderBy('id').pluck('assunto');
      t.deepEqual(chamados, ditos);
      const [daqui, dela] = [await tudoDe(a.db, id, nas), await tudoDe(b.db, id, nas)];
      // What the new cell has written since is its own.
      if (la !== null) t.deepEqual(dela, daqui);
      t.is((await b.db('acessos_a_dados').where({ provedor_id: id })).length, 1);
      t.is((await a.db('provedores').where({ id }).first('mudanca_desde')).mudanca_desde, null);
      await ate(async () => (await lidos(a)).status === 401);
      t.is((await lidos(b)).status, 200);
      t.is((await abrir(b, 'Chamado lá')).status, 201);
    },
  );
}
