import test from 'ava';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import type { FiltroDeRejeitadas } from '../../../src/domain/nfcom/lista/rejeitadas.queries.ts';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { escrever, provedorFiscal } from '../../support/fiscal.ts';
import type { ProvedorFiscal } from '../../support/fiscal.ts';
import { relogioEm } from '../../support/relogio.ts';

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(async () => api.fechar());

/** Rejected notes of one invoice, as many as asked for; resolves to its client. */
async function rejeitar(p: ProvedorFiscal, quantas: number, mudar: object = {}): Promise<number> {
  const { fatura, cliente } = await p.fatura();
  const linha = {
    provedor_id: p.provedor,
    fatura_id: fatura,
    cliente_id: cliente,
    ambiente: 'homologacao',
    situacao: 'rejeitada',
    motivo_codigo: '427',
    valor: '99.90',
    pedida_em: '2026-11-20 12:00:00.000',
    ...mudar,
  };
  await api.dono('nfcom').insert(Array.from({ length: quantas }, () => linha));
  return cliente;
}

/** How many of each part were put into the queue. */
async function reemitir(p: ProvedorFiscal, filtro: FiltroDeRejeitadas): Promise<number[]> {
  const partes: number[] = [];
  for (let depoisDe: number | null = 0; depoisDe !== null;) {
    const ultima: number = depoisDe;
    const feita = await escrever(api.container, p.provedor, async ({ nfcom }) =>
      nfcom.reemitirRejeitadas(filtro, ultima),
    );
    partes.push(feita.notas);
    depoisDe = feita.proxima;
  }
  return partes;
}

const contar = async (p: ProvedorFiscal, filtro: FiltroDeRejeitadas) =>
  p.ler(async ({ notas }) => notas.aReemitir(filtro));

const naFila = async (p: ProvedorFiscal, onde: object = {}): Promise<number> =>
  (await api.dono('nfcom').where({ provedor_id: p.provedor, situacao: 'pendente', ...onde })).length;

test('reemitem-se todas as do filtro, em partes, e diz-se quantas', async (t) => {
  const p = await provedorFiscal(api, null);
  await rejeitar(p, 2300);
  t.deepEqual(await contar(p, {}), { ambiente: 'homologacao', quantas: 2300, deOutroAmbiente: 0 });
  t.deepEqual(await reemitir(p, {}), [1000, 1000, 300]);
  t.is(await naFila(p, { etapa: 'montar', tentativas: 0, motivo_codigo: null }), 2300);
  t.deepEqual(await contar(p, {}), { ambiente: 'homologacao', quantas: 0, deOutroAmbiente: 0 });
  t.deepEqual(await reemitir(p, {}), [0]);
});

test('só as do período e do cliente do filtro, que não foram deixadas de lado; e da tentada pergunta-se antes', async (t) => {
  const p = await provedorFiscal(api, null);
  const deles = await rejeitar(p, 2, { pedida_em: '2026-10-05 12:00:00.000' });
  const outro = await rejeitar(p, 3);
  await rejeitar(p, 4, { motivo_codigo: 'descartada' });
  await rejeitar(p, 1, { chave: '4'.repeat(44), numero: 4, serie: 1, emitida_em: '2026-11-19 12:00:00.000' });
  const outubro = { de: '2026-10-01' as Data, ate: '2026-10-31' as Data };
  t.is((await contar(p, outubro)).quantas, 2);
  t.is((await contar(p, { ...outubro, clienteId: outro })).quantas, 0);
  t.deepEqual(await reemitir(p, { ...outubro, clienteId: outro }), [0]);
  t.deepEqual(await reemitir(p, outubro), [2]);
  t.is(await naFila(p, { cliente_id: deles }), 2);
  t.deepEqual(await reemitir(p, { clienteId: outro }), [3]);
  t.deepEqual(await reemitir(p, {}), [1]);
  t.is(await naFila(p, { etapa: 'conferir', chave: '4'.repeat(44) }), 1);
  t.is(await naFila(p), 6);
});

test('do ensaio para a produção: as rejeitadas do ensaio não viram notas de verdade, nem juntas nem uma a uma', async (t) => {
  const p = await provedorFiscal(api, null);
  await rejeitar(p, 2);
  const [ensaio] = await p.notas();
  const pedida = await p.pedir((await p.fatura()).fatura);
  await api.dono('nfcom_configuracoes').where('provedor_id', p.provedor).update({ ambiente: 'producao' });
  await rejeitar(p, 1, { ambiente: 'producao' });
  t.deepEqual(await contar(p, {}), { ambiente: 'producao', quantas: 1, deOutroAmbiente: 2 });
  t.deepEqual(await reemitir(p, {}), [1]);
  t.is(await naFila(p, { ambiente: 'homologacao' }), 1);
  await t.throwsAsync(
    escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.reemitir(ensaio.id)),
    { message: /a nota é de homologação, e o provedor emite em produção/ },
  );
  // One that waited since the trial is refused when its turn comes, and its invoice may have a real one.
  await api.container.envioNfcom.entregar();
  await api.container.envioNfcom.terminar();
  const recusada = await api.dono('nfcom').where('id', pedida).first();
  t.like(recusada, { situacao: 'rejeitada', motivo_codigo: 'pedida_em_outro_ambiente', ambiente: 'homologacao' });
  const aValer = await p.pedir(recusada.fatura_id);
  t.like(await api.dono('nfcom').where('id', aValer).first(), { ambiente: 'producao', situacao: 'pendente' });
});

test('da rejeitada do ensaio cuja fatura se cancelou ninguém pergunta enquanto se emite de verdade', async (t) => {
  const p = await provedorFiscal(api, null);
  await rejeitar(p, 1, { chave: '31'.padEnd(44, '0'), serie: 1, numero: 1, xml_assinado: Buffer.from('<x/>') });
  await api.dono('faturas').where('provedor_id', p.provedor).update({ situacao: 'cancelada' });
  const ambiente = async (qual: string) =>
    api.dono('nfcom_configuracoes').where('provedor_id', p.provedor).update({ ambiente: qual });
  const doDia = async (dia: Data) => {
    const tarefa = { tarefa: 'notas.pedir', provedorId: p.provedor, dia } as const;
    await api.container.tarefas.executar(TERMINAL, tarefa, {
      signal: new AbortController().signal,
      aoAvancar: () => {},
    });
    return (await p.notas())[0].etapa;
  };
  await ambiente('producao');
  t.is(await doDia('2026-11-19' as Data), null);
  await ambiente('homologacao');
  t.is(await doDia('2026-11-20' as Data), 'conferir');
});
