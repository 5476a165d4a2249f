import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { AUTOR } from '../../support/autor.ts';
import { ate } from '../../support/espera.ts';
import { relogioEm } from '../../support/relogio.ts';
import { AGORA, criarBanco } from './apoio.ts';
import { retornoDe } from './banco.ts';

const relogio = relogioEm(AGORA);
let api: Api;
const { cena, faturaDe, faturar, gerar, receber, resposta, resultados } = criarBanco(() => api);

test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
});
test.after.always(async () => api.fechar());

const quem = { tipo: 'tarefa', nome: 'pix.acompanhar' } as never;

const pixDe = (txid: string) => ({
  endToEndId: `E00000000202612011200${txid.slice(-11)}`,
  txid,
  valor: centavos(9990),
  horario: new Date(AGORA),
  devolucoes: [],
});

/** How many statements on these tests' database wait for another's lock. */
async function esperando(): Promise<number> {
  // InnoDB keeps showing the same picture while it is looked at more often than every 100 ms.
  await sleep(150);
  const [esperas] = await api.dono.raw<[unknown[]]>(
    `SELECT p.id FROM information_schema.innodb_trx t JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
      WHERE t.trx_state = 'LOCK WAIT' AND p.db = DATABASE()`,
  );
  return (esperas ?? []).length;
}

test.serial('o híbrido pago pelo QR conta uma vez também quando o PSP e o banco o contam ao mesmo tempo', async (t) => {
  const c = await cena('033');
  const fatura = await faturar(c);
  await gerar(c);
  const txid = 'hibridoaomesmotempo0000000000001';
  const registro = await resposta(fatura, { movimento: '02', vencimento: '2026-12-10' });
  await receber(c.provedor, retornoDe('033', [{ ...registro, location: 'pix.banco.example/qr/v2/1', txid }]));
  const { provedores, recebimentos } = api.container;
  const provedor = await provedores.exigirPorId(c.provedor);
  const pago = retornoDe('033', [await resposta(fatura, { movimento: '06', pago: 9990 })]);
  const { cliente_id: cliente } = await faturaDe(fatura);

  const trx = await api.dono.transaction();
  await trx('clientes').where({ provedor_id: c.provedor, id: cliente }).forUpdate().first();
  const doPsp = recebimentos.registrar(quem, provedor, pixDe(txid));
  await ate(async () => (await esperando()) === 1);
  const doBanco = receber(c.provedor, pago, 1);
  await ate(async () => (await esperando()) === 2);
  await trx.commit();
  // Whoever comes first has it.
  const [doBoleto] = await resultados((await doBanco).id);
  t.deepEqual(new Set<string | undefined>([await doPsp, doBoleto]), new Set(['quitada', 'repetida']));
  t.is((await faturaDe(fatura)).valor_pago, '99.90');
});

test.serial(
  'o PIX de um híbrido que chega antes do registro do boleto conta uma vez, venha o 06 quando vier',
  async (t) => {
    const { identificacao, provedores, recebimentos } = api.container;
    for (const [n, juntos] of [true, false].entries()) {
      const c = await cena('033');
      const fatura = await faturar(c);
      await gerar(c);
      const txid = `hibridoantesdoregistro00000000${n}1`;
      const provedor = await provedores.exigirPorId(c.provedor);
      t.is(await recebimentos.registrar(quem, provedor, pixDe(txid)), 'nao_identificada');
      const registro = await resposta(fatura, { movimento: '02', vencimento: '2026-12-10' });
      const entrada = { ...registro, location: `pix.banco.example/qr/v2/${n}`, txid };
      const pago = await resposta(fatura, { movimento: '06', pago: 9990 });
      for (const linhas of juntos ? [[entrada, pago]] : [[entrada], [pago]])
        await receber(c.provedor, retornoDe('033', linhas));
      // Told again, or found by the job: whichever comes first.
      if (juntos) await identificacao.identificar(AUTOR, c.provedor);
      else t.is(await recebimentos.registrar(quem, provedor, pixDe(txid)), 'repetida');
      const { situacao, valor_pago: valor } = await faturaDe(fatura);
      t.deepEqual([situacao, valor], ['paga', '99.90']);
      const contado = await api.dono('faturas_lancamentos').where({ fatura_id: fatura, tipo: 'excedente' });
      t.deepEqual(
        contado.filter(({ valor: sobra }) => Number(sobra) > 0),
        [],
      );
      t.is(Number((await identificacao.conferir(c.provedor)).diferenca), 0);
      const deNovo = await receber(c.provedor, retornoDe('033', [pago, await resposta(fatura, { movimento: '28' })]));
      t.is((await resultados(deNovo.id))[0], 'repetida');
    }
  },
);
