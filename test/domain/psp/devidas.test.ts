import { randomBytes } from 'node:crypto';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { criarApi } from '../../support/api.ts';
import { enviar, provedorComPsp } from '../../support/psp/conta.ts';
import { criarPsp, novoFimAFim } from '../../support/recebimentos.ts';
import { relogioEm } from '../../support/relogio.ts';
import type { HumorDoPsp } from '../../../seeds/psp/pedidos.ts';

const env = { MALHA_CHAVE_MESTRA: randomBytes(32).toString('hex'), MALHA_REDES_PERMITIDAS: '127.0.0.1/32' };
const AGORA = '2026-11-20T15:00:00Z';
const ESTATICO = 'ABCDEFGHIJKLMNOPQRSTUVWXY';

async function abrir(t: ExecutionContext, humor?: (operacao: string) => HumorDoPsp) {
  const relogio = relogioEm(AGORA);
  const api = await criarApi({ env, relogio });
  t.teardown(() => api.fechar());
  const p = await provedorComPsp(api, () => relogio.agora(), humor);
  t.teardown(async () => p.psp.fechar());
  const convenio = async () => api.dono('psp_convenios').where('provedor_id', p.provedor).first();
  const ler = async (): Promise<void> => {
    await api.dono('psp_convenios').where('provedor_id', p.provedor).update({ leitura_em: null });
    await enviar(api);
  };
  return { relogio, api, p, convenio, ler };
}

type Cena = Awaited<ReturnType<typeof abrir>>;

/** An invoice that was paid by its charge, and read. */
async function paga({ p, ler }: Pick<Cena, 'p' | 'ler'>, mudar: object = {}) {
  const fatura = await p.fatura(mudar);
  await p.acompanhar();
  const cobranca = (await p.cobrancas()).at(-1);
  const { endToEndId } = p.psp.pagar(cobranca.txid)!;
  await ler();
  await p.acompanhar();
  return { fatura, cobranca, endToEndId };
}

const situacaoDe = async (p: Cena['p'], fatura: number): Promise<string> => (await p.linha(fatura)).situacao;

test.serial('o que se pagou enquanto ninguém lia por mais de cinco dias se lê inteiro depois', async (t) => {
  const { relogio, api, p, ler } = await abrir(t);
  const [umaDeFora, outraDeFora] = [await p.fatura(), await p.fatura()];
  await p.acompanhar();
  const [uma, outra] = await p.cobrancas();
  // Nobody tells of these.
  relogio.avancar(3_600_000);
  p.psp.pagar(uma.txid);
  relogio.avancar(8 * 86_400_000);
  await enviar(api);
  t.is(await situacaoDe(p, umaDeFora), 'paga', 'parado o worker');

  await api.container.psp.ativar(TERMINAL, p.provedor, p.cobrador, false);
  relogio.avancar(3_600_000);
  p.psp.pagar(outra.txid);
  relogio.avancar(10 * 86_400_000);
  await api.container.psp.ativar(TERMINAL, p.provedor, p.cobrador, true);
  await ler();
  t.is(await situacaoDe(p, outraDeFora), 'paga', 'desativado o convênio');
});

test.serial(
  'a fatura que o MED deixa outra vez devida ganha outra cobrança; devida em parte, volta ao código estático',
  async (t) => {
    const cena = await abrir(t);
    const { p, ler } = cena;
    const inteira = await paga(cena, { pix_txid: ESTATICO, tipo: 'pix' });
    t.is(await situacaoDe(p, inteira.fatura), 'paga');
    p.psp.tomar(inteira.endToEndId, '99.90');
    await ler();
    t.is(await situacaoDe(p, inteira.fatura), 'pendente');
    await p.acompanhar();
    const [velha, nova] = await p.cobrancas();
    const { pix_txid: txid, pix_copia_cola: codigo } = await p.linha(inteira.fatura);
    t.deepEqual([txid, codigo, nova.txid_anterior], [nova.txid, nova.copia_cola, ESTATICO]);
    t.not(nova.txid, velha.txid);
    p.psp.pagar(nova.txid);
    await ler();
    t.is(await situacaoDe(p, inteira.fatura), 'paga');

    const estatico = 'ZYXWVUTSRQPONMLKJIHGFEDCB';
    const parte = await paga(cena, { pix_txid: estatico, tipo: 'pix' });
    p.psp.tomar(parte.endToEndId, '40.00');
    await ler();
    await p.acompanhar();
    const emParte = await p.linha(parte.fatura);
    t.deepEqual([emParte.situacao, emParte.valor_pago], ['pendente', '59.90']);
    t.deepEqual([emParte.pix_txid, emParte.pix_copia_cola], [estatico, null]);
    t.is((await p.cobrancas()).length, 3);
    t.deepEqual(p.psp.foraDoEsquema, []);
  },
);

test.serial('o PIX que alguém avisou e o PSP não tem é dito à equipe, uma vez', async (t) => {
  const { relogio, api, p } = await abrir(t);
  await p.fatura();
  const outra = await p.fatura();
  await p.acompanhar();
  const [daPaga, daOutra] = await p.cobrancas();
  const { segredo } = await api.container.receptores.criar(TERMINAL, p.provedor, { nome: 'PSP', ipsPermitidos: null });
  const dito = criarPsp(api);
  relogio.avancar(60_000);
  const verdadeiro = p.psp.pagar(daPaga.txid)!;
  // An hour of long ago would be in no window of the list.
  const falso = { endToEndId: novoFimAFim(), txid: daOutra.txid, valor: '99.90', horario: '2026-11-01T12:00:00.000Z' };
  await dito.avisar(segredo, [verdadeiro as never, falso]);
  t.is(await situacaoDe(p, outra), 'paga');
  const avisos = async () =>
    api.dono('notificacoes').where({ provedor_id: p.provedor, tipo: 'recebimento.fora_da_lista' });
  relogio.avancar(3_600_000);
  await enviar(api);
  t.is((await avisos()).length, 0, 'a lista ainda pode trazê-lo');
  for (const ms of [2 * 3_600_000, 600_000, 24 * 3_600_000]) {
    relogio.avancar(ms);
    await enviar(api);
  }
  const { id } = await api.dono('pix_recebidos').where('end_to_end_id', falso.endToEndId).first();
  t.deepEqual(
    (await avisos()).map(({ recurso, recurso_id }) => [recurso, recurso_id]),
    [['recebimento', id]],
  );
});

test.serial('a cobrança que o PSP não deixa remover não para a leitura; a que expirou sai da fila', async (t) => {
  let recusar = false;
  const { relogio, api, p, convenio } = await abrir(t, (operacao) =>
    recusar && operacao.startsWith('PATCH') ? { status: 400 } : {},
  );
  const fatura = await p.fatura();
  await p.acompanhar();
  recusar = true;
  // Its sixty days after the due date are over.
  relogio.definir('2027-02-20T15:00:00Z');
  await p.acompanhar();
  const [velha, nova] = await p.cobrancas();
  t.deepEqual([velha.estado, velha.etapa], ['removida', null]);
  t.is((await p.linha(fatura)).pix_txid, nova.txid);
  const { falhas, parada_ate: parada } = await convenio();
  t.deepEqual([falhas, parada], [0, null]);

  await api.dono('faturas').where('id', fatura).update({
    valor_pago: '10.00',
    atualizado_em: '2027-02-20 15:00:00.000',
  });
  await p.acompanhar();
  const [, viva] = await p.cobrancas();
  t.deepEqual([viva.estado, viva.etapa, viva.tentativas], ['ativa', 'remover', 1]);
  t.is((await convenio()).parada_ate, null);
  p.psp.pagar(viva.txid);
  relogio.avancar(6 * 60_000);
  await enviar(api);
  t.is((await p.cobrancas())[1].estado, 'concluida', 'foi paga antes de se remover');
  t.is((await api.dono('pix_recebidos').where('provedor_id', p.provedor)).length, 1);
});
