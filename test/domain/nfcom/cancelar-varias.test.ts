import test from 'ava';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { CamposInvalidos } from '../../../src/domain/erros.ts';
import type {
  FiltroDeCancelaveis,
  LugarDeCancelavel,
  ParteCancelada,
} from '../../../src/domain/nfcom/lista/cancelaveis.queries.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { escrever, provedorFiscal } from '../../support/fiscal.ts';
import type { ProvedorFiscal } from '../../support/fiscal.ts';
import { relogioEm } from '../../support/relogio.ts';

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
const JUSTIFICATIVA = 'emitidas com a alíquota errada';
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(async () => api.fechar());

/** Authorised notes of one invoice, as many as asked for; resolves to their client and the id of the first. */
async function autorizar(p: ProvedorFiscal, quantas: number, mudar: object = {}) {
  const { fatura, cliente } = await p.fatura();
  const linha = {
    provedor_id: p.provedor,
    fatura_id: fatura,
    cliente_id: cliente,
    ambiente: 'homologacao',
    situacao: 'autorizada',
    valor: '99.90',
    pedida_em: '2026-11-19 12:00:00.000',
    emitida_em: '2026-11-19 12:00:00.000',
    autorizada_em: '2026-11-19 12:00:00.000',
    ...mudar,
  };
  const [id = 0] = await api.dono('nfcom').insert(Array.from({ length: quantas }, () => linha));
  return { id, cliente, fatura };
}

const contar = async (p: ProvedorFiscal, filtro: FiltroDeCancelaveis) => {
  const provedor = await api.container.provedores.exigirPorId(p.provedor);
  return api.container.changeTenant(TERMINAL, provedor, async ({ notas }) => notas.aCancelar(filtro, relogio.agora()));
};

/** Of how many notes of each part it was asked. */
async function cancelar(p: ProvedorFiscal, filtro: FiltroDeCancelaveis, ate: number): Promise<number[]> {
  const partes: number[] = [];
  let lugar: LugarDeCancelavel | null = null;
  do {
    const daqui: LugarDeCancelavel | null = lugar;
    const { notas, proxima }: ParteCancelada = await escrever(api.container, p.provedor, async ({ nfcom }) =>
      nfcom.cancelarVarias(filtro, { justificativa: JUSTIFICATIVA }, ate, daqui),
    );
    partes.push(notas);
    lugar = proxima;
  } while (lugar !== null);
  return partes;
}

const pedidas = async (p: ProvedorFiscal): Promise<number[]> =>
  api.dono('nfcom').where({ provedor_id: p.provedor, etapa: 'cancelar' }).orderBy('id').pluck('id');

test('cancelam-se todas as do filtro, em partes, cada uma com o seu evento; as de depois da contagem ficam', async (t) => {
  const p = await provedorFiscal(api, null);
  await autorizar(p, 600);
  const { ultima, ...contadas } = await contar(p, {});
  t.like(contadas, { notas: 600, ambiente: 'homologacao' });
  t.is(contadas.desde.toISOString(), '2026-11-01T03:00:00.000Z');
  await autorizar(p, 1);
  await t.throwsAsync(
    escrever(api.container, p.provedor, async ({ nfcom }) =>
      nfcom.cancelarVarias({}, { justificativa: 'curta' }, ultima),
    ),
    { instanceOf: CamposInvalidos },
  );
  t.deepEqual(await cancelar(p, {}, ultima), [250, 250, 100]);
  t.is((await pedidas(p)).length, 600);
  const eventos = await api.dono('nfcom_eventos').where({ provedor_id: p.provedor, justificativa: JUSTIFICATIVA });
  t.is(new Set(eventos.map(({ nfcom_id }) => nfcom_id)).size, 600);
  t.is((await contar(p, {})).notas, 1);
});

test('só as do cliente e do período do filtro, do ambiente de agora, dentro do prazo, e que nada corrige', async (t) => {
  const p = await provedorFiscal(api, null);
  const deles = await autorizar(p, 1);
  const corrigida = await autorizar(p, 1);
  const comRejeitada = await autorizar(p, 1);
  const doPedido = async ({ id, fatura, cliente }: typeof corrigida, situacao: string) =>
    api.dono('nfcom').insert({
      provedor_id: p.provedor,
      fatura_id: fatura,
      cliente_id: cliente,
      ambiente: 'homologacao',
      situacao,
      finalidade: 'ajuste',
      substitui_id: id,
      autorizada_em: situacao === 'autorizada' ? '2026-10-31 12:00:00.000' : null,
      valor: '1.00',
    });
  await doPedido(corrigida, 'autorizada');
  await doPedido(comRejeitada, 'rejeitada');
  for (const mudar of [
    { ambiente: 'producao' },
    // Of October: five days after its end that was over.
    { autorizada_em: '2026-11-01 02:59:59.000' },
    { finalidade: 'substituicao', substitui_id: deles.id },
    { etapa: 'cancelar', proxima_em: '2026-11-20 12:00:00.000' },
    { situacao: 'cancelada' },
  ]) {
    await autorizar(p, 1, mudar);
  }
  const antes = await pedidas(p);
  const { notas, ultima } = await contar(p, {});
  t.is(notas, 2);
  t.is((await contar(p, { clienteId: deles.cliente })).notas, 1);
  t.is((await contar(p, { de: '2026-11-20' as Data })).notas, 0);
  t.deepEqual(await cancelar(p, { clienteId: deles.cliente }, ultima), [1]);
  t.deepEqual(await cancelar(p, {}, ultima), [1]);
  t.deepEqual(
    (await pedidas(p)).filter((id) => !antes.includes(id)),
    [deles.id, comRejeitada.id],
  );
});
