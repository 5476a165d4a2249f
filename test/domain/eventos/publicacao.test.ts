import test from 'ava';
import { avisarMudancas } from '../../../src/domain/conexoes/avisar-mudancas.ts';
import { createPublicacaoService } from '../../../src/domain/eventos/publicacao.service.ts';
import { unchanged } from '../../../src/platform/gate/moment.ts';
import { tenantSlot } from '../../../src/platform/gate/keys.ts';
import { createEscrita } from '../../../src/domain/escrita.ts';
import type { Gate } from '../../../src/platform/gate/gate.ts';
import { criarBanco, redisUrl } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarGate } from '../../support/gate.ts';

const relogio = relogioEm('2026-11-20T12:00:00Z');
let banco: Banco;
test.beforeEach(async () => {
  banco = await criarBanco();
});
test.afterEach.always(() => banco.fechar());

type Marcador = Pick<Gate, 'bump'>;

/** Stands for a new era among what was bumped. */
const TUDO = '*';

/** Notes what is bumped; `antes` may make it wait or fail. */
function anotador(antes: () => Promise<void> = async () => {}) {
  const marcadas: Record<string, string[]> = {};
  const gate: Marcador = {
    async bump(slot, nomes) {
      await antes();
      (marcadas[slot] ??= []).push(...(nomes ?? [TUDO]));
    },
  };
  return { gate, marcadas };
}

function publicador(gate: Marcador, falhas: number[] = []) {
  const aoFalhar = (provedorId: number) => falhas.push(provedorId);
  return createPublicacaoService({ db: banco.db, gate, relogio, aoFalhar });
}

/** Writes that never reached their bump, as after a crash. */
async function escrever(provedorId: number, ...etiquetas: string[]): Promise<void> {
  const { gate } = anotador();
  await createEscrita({ db: banco.db, gate, onUnconfirmed: () => {} })(AUTOR, provedorId, async (w) =>
    w.touch(...etiquetas),
  );
}

const pendentes = async (): Promise<number> =>
  (await banco.db('eventos').whereNull('publicado_em').select('id')).length;

test.serial('publica uma vez cada evento, com as etiquetas de cada provedor', async (t) => {
  const fabrica = criarFabrica(banco.db);
  const [um, outro] = [await fabrica.provedor(), await fabrica.provedor()];
  await escrever(um, 'a', 'b');
  await escrever(outro, 'c');
  await escrever(um, 'b', 'd');
  const { gate, marcadas } = anotador();
  const publicacao = publicador(gate);
  t.is(await publicacao.publicar(), 3);
  t.deepEqual(marcadas, { [tenantSlot(um)]: ['a', 'b', 'd'], [tenantSlot(outro)]: ['c'] });
  t.is(await publicacao.publicar(), 0);
  t.is(await pendentes(), 0);
});

test.serial('o que só leva etiquetas não fica depois de publicado; o que diz o que houve, fica', async (t) => {
  const provedor = await criarFabrica(banco.db).provedor();
  await avisarMudancas(banco.db, [{ provedorId: provedor, contratoId: 7, clienteId: 8 }]);
  await escrever(provedor, 'a');
  const { gate, marcadas } = anotador();
  t.is(await publicador(gate).publicar(), 2);
  t.deepEqual(marcadas, { [tenantSlot(provedor)]: ['clientes', 'contrato:7', 'cliente:8', 'a'] });
  const guardados = await banco.db('eventos').select<{ tipo: string; publicado_em: string | null }[]>();
  t.deepEqual(
    guardados.map(({ tipo, publicado_em }) => [tipo, publicado_em !== null]),
    [['alteracao', true]],
  );
});

test.serial('com o Redis fora nada é dado por publicado', async (t) => {
  const provedor = await criarFabrica(banco.db).provedor();
  await escrever(provedor, 'a');
  const fora = anotador(async () => Promise.reject(new Error('Redis fora')));
  await t.throwsAsync(publicador(fora.gate).publicar());
  t.is(await pendentes(), 1);
  const { gate, marcadas } = anotador();
  t.is(await publicador(gate).publicar(), 1);
  t.deepEqual(marcadas, { [tenantSlot(provedor)]: ['a'] });
});

test.serial(
  'dois retransmissores ao mesmo tempo levam eventos diferentes, e nenhum faz esperar quem escreve',
  async (t) => {
    const provedor = await criarFabrica(banco.db).provedor();
    for (const etiqueta of ['a', 'b', 'c']) await escrever(provedor, etiqueta);
    let soltar = (): void => {};
    const solto = new Promise<void>((resolve) => (soltar = resolve));
    let chegou = (): void => {};
    const chegado = new Promise<void>((resolve) => (chegou = resolve));
    const lento = anotador(async () => {
      chegou();
      await solto;
    });
    const primeiro = publicador(lento.gate).publicar(2);
    await chegado;
    // The first holds its rows; a writer and the second go on meanwhile, or this never ends.
    await escrever(provedor, 'd');
    const { gate, marcadas } = anotador();
    t.is(await publicador(gate).publicar(), 2);
    t.deepEqual(marcadas, { [tenantSlot(provedor)]: ['c', 'd'] });
    soltar();
    t.is(await primeiro, 2);
    t.deepEqual(lento.marcadas, { [tenantSlot(provedor)]: ['a', 'b'] });
    t.is(await pendentes(), 0);
  },
);

/** Events as writes leave them that never reached their bump. */
async function deixar(provedorId: number, eventos: readonly (readonly string[])[]): Promise<void> {
  const linhas = eventos.map((nomes) => ({
    provedor_id: provedorId,
    tipo: 'alteracao',
    etiquetas: JSON.stringify(nomes),
  }));
  for (let n = 0; n < linhas.length; n += 1000) await banco.db('eventos').insert(linhas.slice(n, n + 1000));
}

const pendentesDe = async (provedorId: number): Promise<number> =>
  (await banco.db('eventos').where({ provedor_id: provedorId }).whereNull('publicado_em').select('id')).length;

/** The real gate, as a worker has it. */
for (const [nome, eventos] of Object.entries({
  'muitas em cada um': { quantos: 500, etiquetas: 120 },
  'uma em cada um': { quantos: 20_000, etiquetas: 1 },
  'todas num só': { quantos: 1, etiquetas: 250_000 },
})) {
  test.serial(`o que espera é publicado por mais que seja, e o Redis não é posto em dúvida: ${nome}`, async (t) => {
    const fabrica = criarFabrica(banco.db);
    const [um, outro] = [await fabrica.provedor(), await fabrica.provedor()];
    const { quantos, etiquetas } = eventos;
    await deixar(
      um,
      Array.from({ length: quantos }, (_, n) => Array.from({ length: etiquetas }, (__, m) => `fatura:${n}:${m}`)),
    );
    await deixar(outro, [['a']]);
    const { gate, modos } = await criarGate(t, await redisUrl());
    const ultima = `fatura:${quantos - 1}:${etiquetas - 1}`;
    const antes = [await gate.read(tenantSlot(um), [ultima]), await gate.read(tenantSlot(outro), ['a'])];
    const publicacao = publicador(gate);

    await publicacao.publicar();
    t.is(await pendentesDe(outro), 0, 'o outro não espera por quem tem muito');
    while ((await publicacao.publicar()) > 0);
    t.is(await pendentes(), 0);
    t.false(unchanged(antes[0]!, (await gate.read(tenantSlot(um), [ultima]))!));
    t.false(unchanged(antes[1]!, (await gate.read(tenantSlot(outro), ['a']))!));
    t.deepEqual(modos, []);
  });
}

test.serial('quem deixa mais do que se nomeia tem uma era nova; pouco, cada etiqueta', async (t) => {
  const fabrica = criarFabrica(banco.db);
  const [um, outro] = [await fabrica.provedor(), await fabrica.provedor()];
  await deixar(
    um,
    Array.from({ length: 901 }, (_, n) => [`fatura:${n}`]),
  );
  await deixar(
    outro,
    Array.from({ length: 900 }, (_, n) => [`fatura:${n}`, 'faturas']),
  );
  const { gate, marcadas } = anotador();
  await publicador(gate).publicar();
  t.deepEqual(marcadas[tenantSlot(um)], [TUDO]);
  t.is(marcadas[tenantSlot(outro)]!.length, 901);
});

test.serial('o que um provedor tem de impublicável não retém os outros, e tenta-se de novo', async (t) => {
  const fabrica = criarFabrica(banco.db);
  const provedores = [await fabrica.provedor(), await fabrica.provedor(), await fabrica.provedor()];
  for (const provedor of provedores) await escrever(provedor, `p${provedor}`);
  const { gate, marcadas } = anotador();
  let doente = true;
  const falhas: number[] = [];
  const publicacao = publicador(
    {
      bump: async (slot, nomes) =>
        doente && slot === tenantSlot(provedores[0]!) ? Promise.reject(new Error('WRONGTYPE')) : gate.bump(slot, nomes),
    },
    falhas,
  );
  t.is(await publicacao.publicar(), 2);
  t.deepEqual(falhas, [provedores[0]]);
  // Two are published at a time, so the order is nobody's.
  t.deepEqual(Object.keys(marcadas).toSorted(), provedores.slice(1).map(tenantSlot).toSorted());
  t.is(await pendentes(), 1);
  await t.throwsAsync(publicacao.publicar(), { message: /WRONGTYPE/ }, 'quando nada mais há, a falha é dita');
  doente = false;
  t.is(await publicacao.publicar(), 1);
});

test.serial('etiquetas que não se leem não impedem nada: tudo do provedor fica velho', async (t) => {
  const provedor = await criarFabrica(banco.db).provedor();
  for (const etiquetas of ['{"a":1}', '"a"', '[1]', 'null', '["b"]']) {
    await banco.db('eventos').insert({ provedor_id: provedor, tipo: 'alteracao', etiquetas });
  }
  const { gate, marcadas } = anotador();
  t.is(await publicador(gate).publicar(), 5);
  t.deepEqual(marcadas, { [tenantSlot(provedor)]: [TUDO] });
});

test.serial(
  'os provedores vão por vez: o de muito atraso publica um pouco de cada vez, e os outros entre isso',
  async (t) => {
    const fabrica = criarFabrica(banco.db);
    const muitos = [await fabrica.provedor(), await fabrica.provedor(), await fabrica.provedor()];
    for (const provedor of muitos) {
      await deixar(
        provedor,
        Array.from({ length: 30 }, (_, n) => [`f${n}`]),
      );
    }
    const { gate } = anotador();
    const publicacao = publicador(gate);
    for (let vez = 1; vez <= 3; vez += 1) {
      const novo = await fabrica.provedor();
      await escrever(novo, 'a');
      t.is(await publicacao.publicar(10), 31);
      t.is(await pendentesDe(novo), 0);
      for (const provedor of muitos) t.is(await pendentesDe(provedor), 30 - 10 * vez);
    }
    t.is(await publicacao.publicar(10), 0);
  },
);

test.serial('sabe até quando está tudo publicado: até a conferência anterior, e não além do que espera', async (t) => {
  const provedor = await criarFabrica(banco.db).provedor();
  const publicacao = publicador(anotador().gate);
  const conferirEm = async (iso: string): Promise<number> => {
    relogio.definir(iso);
    await publicacao.conferir();
    return publicacao.publicadoAte;
  };
  const em = (iso: string): number => new Date(iso).getTime();
  t.is(await conferirEm('2026-11-20T12:00:00Z'), -Infinity);
  t.is(await conferirEm('2026-11-20T12:00:02Z'), em('2026-11-20T12:00:00Z'));
  await escrever(provedor, 'a');
  t.is(await conferirEm('2026-11-20T12:00:04Z'), em('2026-11-20T12:00:02Z'));
  t.is(await conferirEm('2026-11-20T12:00:06Z'), em('2026-11-20T12:00:02Z'));
  await publicacao.publicar();
  await escrever(provedor, 'b');
  // What came after the last check does not matter.
  t.is(await conferirEm('2026-11-20T12:00:08Z'), em('2026-11-20T12:00:06Z'));
  await publicacao.publicar();
});
