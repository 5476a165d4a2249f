import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { reabrirTarefa } from '../../../src/domain/tarefas/operacao.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';
import { extratosDe, lerNdjson, pastaDe, povoar } from './apoio.ts';

const HOJE = '2026-11-20' as Data;
const AGORA = '2026-11-20T15:00:00.000Z';
const NUNCA = new AbortController().signal;
const relogio = relogioEm(AGORA);

let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

const gerar = async (provedorId: number, { signal = NUNCA, dia = HOJE, aoAvancar = () => {} }: Partial<Opcoes> = {}) =>
  api.container.tarefas.executar(AUTOR, { tarefa: 'extratos.gerar', provedorId, dia }, { signal, aoAvancar });

interface Opcoes {
  readonly signal: AbortSignal;
  readonly dia: Data;
  readonly aoAvancar: (progresso: { feitas: number }) => void;
}

/** Every file that the directory holds of a provider. */
async function arquivosDe(provedorId: number): Promise<string[]> {
  const pasta = path.join(api.extratos, String(provedorId));
  if (!existsSync(pasta)) return [];
  const achados = await readdir(pasta, { recursive: true, withFileTypes: true });
  return achados.filter((um) => um.isFile()).map((um) => path.join(um.parentPath, um.name));
}

test.serial('tudo é de um só instante, por mais que se escreva enquanto se lê', async (t) => {
  const provedor = await povoar(api, 40);
  const parar = new AbortController();
  const feitas: number[] = [];
  // Moves money from an invoice to another, and adds a client with an invoice of its own: sums and references stay whole.
  const [de, para] = await api.dono('faturas').where('provedor_id', provedor).limit(2).pluck<number[]>('id');
  const escritor = (async () => {
    while (!parar.signal.aborted) {
      await api.dono.transaction(async (trx) => {
        await trx('faturas').where('id', de!).decrement('valor', 1);
        await trx('faturas').where('id', para!).increment('valor', 1);
        const cliente = await criarFabrica(trx).cliente(provedor);
        await criarFabrica(trx).fatura(provedor, { cliente_id: cliente, valor: '0.00' });
      });
      feitas.push(feitas.length);
    }
  })();
  const [{ soma }] = (await api.dono('faturas').where('provedor_id', provedor).sum({ soma: 'valor' })) as [
    { soma: string },
  ];
  while (feitas.length < 5) await sleep(5);
  const antes = feitas.length;
  await gerar(provedor);
  parar.abort();
  await escritor;
  t.true(feitas.length > antes + 5, `${feitas.length - antes} escritas durante o extrato`);
  const { pasta } = await pastaDe(api, provedor);
  const clientes = new Set((await lerNdjson(`${pasta}/clientes.ndjson.gz`)).map(({ id }) => id as number));
  const faturas = await lerNdjson(`${pasta}/faturas.ndjson.gz`);
  t.is(faturas.length, clientes.size);
  for (const { cliente_id } of faturas) t.true(clientes.has(cliente_id as number));
  const centavos = faturas.reduce((total, { valor }) => total + Math.round((valor as number) * 100), 0);
  t.is((centavos / 100).toFixed(2), soma);
  t.true(clientes.size > 40 + 4);
});

for (const tabela of [1, 3, 5]) {
  test.serial(
    `cortado depois de ${tabela} tabelas, nada parece inteiro; a vez seguinte faz tudo e limpa`,
    async (t) => {
      const provedor = await povoar(api, 5);
      const corte = new AbortController();
      await t.throwsAsync(
        gerar(provedor, {
          signal: corte.signal,
          aoAvancar: ({ feitas }) => {
            if (feitas === tabela) corte.abort(new Error('parou'));
          },
        }),
        { message: 'parou' },
      );
      t.deepEqual(await arquivosDe(provedor), []);
      t.like((await extratosDe(api, provedor)).itens[0], { situacao: 'falhou', arquivos: [] });
      t.is((await gerar(provedor)).desfecho, 'concluida');
      t.is((await arquivosDe(provedor)).length, 15);
      t.is((await gerar(provedor)).desfecho, 'ja_feita');
    },
  );
}

test.serial('o que um processo morto deixou não se serve, e a vez seguinte o apaga', async (t) => {
  const provedor = await povoar(api, 3);
  await gerar(provedor);
  const { id, pasta } = await pastaDe(api, provedor);
  // As if the row were of a try that began and ended there: its files are of a number that nothing names.
  await api.dono('extratos').where({ id }).update({ tentativa: null, arquivos: null, situacao: 'gerando' });
  t.true(existsSync(path.join(pasta, 'manifesto.json')));
  const { texto: chave } = await api.criarChave(provedor);
  t.is((await api.get(`/extratos/${id}/clientes.parquet`, { chave })).status, 404);
  await reabrirTarefa(TERMINAL, api.container.write, { tarefa: 'extratos.gerar', provedorId: provedor, dia: HOJE });
  await gerar(provedor);
  t.false(existsSync(pasta));
  t.is((await arquivosDe(provedor)).length, 15);
  t.is((await pastaDe(api, provedor)).id, id);
});

test.serial('feito de novo, o dia serve o de antes até que o novo esteja inteiro', async (t) => {
  const provedor = await povoar(api, 3);
  await gerar(provedor);
  const { pasta } = await pastaDe(api, provedor);
  await reabrirTarefa(TERMINAL, api.container.write, { tarefa: 'extratos.gerar', provedorId: provedor, dia: HOJE });
  const corte = new AbortController();
  let servido = true;
  const aoAvancar = ({ feitas }: { feitas: number }): void => {
    servido &&= existsSync(path.join(pasta, 'manifesto.json'));
    if (feitas === 4) corte.abort(new Error('parou'));
  };
  await t.throwsAsync(gerar(provedor, { signal: corte.signal, aoAvancar }), { message: 'parou' });
  t.true(servido);
  t.like((await extratosDe(api, provedor)).itens[0], { situacao: 'pronto' });
  t.is((await pastaDe(api, provedor)).pasta, pasta);
  await gerar(provedor);
  t.not((await pastaDe(api, provedor)).pasta, pasta);
  t.is((await arquivosDe(provedor)).length, 15);
});

test.serial('de dois ao mesmo tempo, vale um só, e o outro não deixa nada', async (t) => {
  const provedor = await povoar(api, 3);
  const desfechos = await Promise.all([gerar(provedor), gerar(provedor)]);
  t.deepEqual(desfechos.map(({ desfecho }) => desfecho).toSorted(), ['concluida', 'de_outro']);
  t.is((await arquivosDe(provedor)).length, 15);
  t.like((await extratosDe(api, provedor)).itens[0], { situacao: 'pronto' });
});

test.serial('guardam-se os dias da configuração; os arquivos dos outros saem, e a API o diz', async (t) => {
  const provedor = await povoar(api, 2);
  for (let dia = 10; dia <= 20; dia += 1) {
    relogio.definir(`2026-11-${dia}T15:00:00.000Z`);
    await gerar(provedor, { dia: `2026-11-${dia}` as Data });
  }
  t.is(await api.container.extratos.expirar(AUTOR, NUNCA), 4);
  const { itens } = await extratosDe(api, provedor);
  t.deepEqual(
    itens.map(({ dia, situacao, arquivos }) => [dia, situacao, arquivos.length]),
    [20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10].map((dia) => [
      `2026-11-${dia}` as Data,
      dia > 13 ? 'pronto' : 'removido',
      dia > 13 ? 15 : 0,
    ]),
  );
  t.is((await arquivosDe(provedor)).length, 7 * 15);
  t.is(await api.container.extratos.expirar(AUTOR, NUNCA), 0);
});
