import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { CONEXOES_AGREGADAS } from '../../src/domain/eventos/eventos.types.ts';
import { createPublicacaoService } from '../../src/domain/eventos/publicacao.service.ts';
import { relogioDoSistema } from '../../src/platform/timing/relogio.ts';
import { repeat } from '../../src/platform/timing/repeater.ts';
import { createEscrita } from '../../src/domain/escrita.ts';
import { AUTOR } from '../support/autor.ts';
import { criarBanco, redisUrl } from '../support/banco.ts';
import type { Banco } from '../support/banco.ts';
import { criarFabrica } from '../support/fabrica.ts';
import { criarGate } from '../support/gate.ts';
import { INTEIRA, quanto } from '../support/prova.ts';

/** The whole million also judges the times. */
const ETIQUETAS = quanto(40_000, 1_000_000);

/** Leaves distinct tags waiting, in so many events. */
async function deixar({ db }: Banco, provedorId: number, tipo: string, eventos: number): Promise<void> {
  const porEvento = ETIQUETAS / eventos;
  const porComando = Math.min(eventos, Math.max(1, Math.floor(5000 / porEvento)));
  for (let feitos = 0; feitos < eventos; feitos += porComando) {
    await db('eventos').insert(
      Array.from({ length: Math.min(porComando, eventos - feitos) }, (_, n) => ({
        provedor_id: provedorId,
        tipo,
        etiquetas: JSON.stringify(
          Array.from({ length: porEvento }, (__, m) => `fatura:${(feitos + n) * porEvento + m}`),
        ),
      })),
    );
  }
}

const FORMAS: Readonly<Record<string, { tipo: string; eventos: number }>> = {
  'em 500 eventos': { tipo: 'alteracao', eventos: 500 },
  'uma por evento': { tipo: 'alteracao', eventos: ETIQUETAS },
  'uma por evento que se apaga': { tipo: CONEXOES_AGREGADAS, eventos: ETIQUETAS },
};
for (const [nome, { tipo, eventos }] of Object.entries(FORMAS)) {
  test.serial(
    `${ETIQUETAS} etiquetas de um provedor à espera, ${nome}, não retêm as de outro, e o Redis não é posto em dúvida`,
    async (t) => {
      t.timeout(600_000);
      const banco = await criarBanco();
      t.teardown(() => banco.fechar());
      const url = await redisUrl();
      const [trabalhador, leitor] = [await criarGate(t, url), await criarGate(t, url)];
      const fabrica = criarFabrica(banco.db);
      const [muito, outro] = [await fabrica.provedor(), await fabrica.provedor()];
      await deixar(banco, muito, tipo, eventos);
      const esperam = async (provedorId: number): Promise<boolean> =>
        (await banco.db('eventos').where({ provedor_id: provedorId }).whereNull('publicado_em').first('id')) !==
        undefined;

      const publicacao = createPublicacaoService({ db: banco.db, gate: trabalhador.gate, relogio: relogioDoSistema });
      const erros: unknown[] = [];
      const inicio = performance.now();
      const relay = repeat(async () => ({ more: (await publicacao.publicar()) > 0 }), {
        intervalMs: 250,
        onError: (error) => erros.push(error),
      });
      t.teardown(() => relay.stop());
      // As a process that dies between its commit and its bump.
      const semMarca = createEscrita({ db: banco.db, gate: { bump: async () => {} }, onUnconfirmed: () => {} });
      const demoras: number[] = [];
      let durante = 0;
      while (await esperam(muito)) {
        await semMarca(AUTOR, outro, async (w) => w.touch(`fatura:${demoras.length}`));
        const escrito = performance.now();
        while (await esperam(outro)) await sleep(5);
        demoras.push(performance.now() - escrito);
        if (await esperam(muito)) durante += 1;
        await sleep(20);
      }
      const total = performance.now() - inicio;
      // What waits in few events is published in one turn.
      t.true(durante > 0 || eventos <= 500, 'o outro foi publicado enquanto o de muitas ainda esperava');
      t.deepEqual(erros, []);
      t.deepEqual([...trabalhador.motivos, ...leitor.motivos], []);
      if (INTEIRA) {
        const porSegundo = Math.round((1000 * eventos) / total);
        const pior = Math.round(Math.max(...demoras));
        process.stderr.write(
          `${nome}: ${(total / 1000).toFixed(1)} s, ${porSegundo} eventos/s; do outro ${demoras.length}, até ${pior} ms\n`,
        );
        t.true(total < 60_000);
        t.true(pior < 1000);
      }
    },
  );
}
