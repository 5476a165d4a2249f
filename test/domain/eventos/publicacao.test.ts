import test from 'ava';
import { avisarMudancas } from '../../../src/domain/conexoes/avisar-mudancas.ts';
import { createPublicacaoService } from '../../../src/domain/eventos/publicacao.service.ts';
import { tenantSlot } from '../../../src/platform/gate/keys.ts';
import { createWrites } from '../../../src/platform/writes.ts';
import type { Gate } from '../../../src/platform/gate/gate.ts';
import { criarBanco } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { AUTOR } from '../../support/autor.ts';

let banco: Banco;
test.beforeEach(async () => {
  banco = await criarBanco();
});
test.afterEach.always(() => banco.fechar());

/** Notes what is bumped; `antes` may make it wait or fail. */
function anotador(antes: () => Promise<void> = async () => {}) {
  const marcadas: Record<string, string[]> = {};
  const gate: Pick<Gate, 'bump'> = {
    async bump(slot, nomes) {
      await antes();
      (marcadas[slot] ??= []).push(...nomes);
    },
  };
  return { gate, marcadas };
}

/** Writes that never reached their bump, as after a crash. */
async function escrever(provedorId: number, ...etiquetas: string[]): Promise<void> {
  const { gate } = anotador();
  await createWrites({ db: banco.db, gate, onUnconfirmed: () => {} })(provedorId, AUTOR, async (w) =>
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
  const publicacao = createPublicacaoService({ db: banco.db, gate });
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
  t.is(await createPublicacaoService({ db: banco.db, gate }).publicar(), 2);
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
  await t.throwsAsync(createPublicacaoService({ db: banco.db, gate: fora.gate }).publicar());
  t.is(await pendentes(), 1);
  const { gate, marcadas } = anotador();
  t.is(await createPublicacaoService({ db: banco.db, gate }).publicar(), 1);
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
    const primeiro = createPublicacaoService({ db: banco.db, gate: lento.gate }).publicar(2);
    await chegado;
    // The first holds its rows; a writer and the second go on meanwhile, or this never ends.
    await escrever(provedor, 'd');
    const { gate, marcadas } = anotador();
    t.is(await createPublicacaoService({ db: banco.db, gate }).publicar(), 2);
    t.deepEqual(marcadas, { [tenantSlot(provedor)]: ['c', 'd'] });
    soltar();
    t.is(await primeiro, 2);
    t.deepEqual(lento.marcadas, { [tenantSlot(provedor)]: ['a', 'b'] });
    t.is(await pendentes(), 0);
  },
);
