import test from 'ava';
import { createRemessasService } from '../../../src/domain/boletos/remessas/remessas.service.ts';
import type { Cnab } from '../../../src/domain/boletos/cnab.ts';
import { TERMINAL } from '../../../src/domain/actor.ts';
import lerEEscrever from '../../../workers/threads/cnab.ts';
import type { Conferidos, Escrita, Lida } from '../../../workers/threads/cnab/contract.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { AGORA, criarBanco } from './apoio.ts';
import { retornoDe } from './banco.ts';

const relogio = relogioEm(AGORA);
let api: Api;
const { cena, faturaDe, faturar, gerar, mudar, receber, resposta } = criarBanco(() => api);

test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(async () => api.fechar());

const situacaoDe = async (fatura: number): Promise<string | null> => (await faturaDe(fatura)).boleto_situacao;

test('sem convênio que emita, nada volta a esperar um boleto que ninguém registraria', async (t) => {
  const c = await cena('756');
  const [desfeita, outroValor, rejeitada] = [await faturar(c), await faturar(c), await faturar(c)];
  // Each in a file of its own, the first one last.
  await api.dono('faturas').where('id', desfeita).update({ boleto_situacao: null });
  await gerar(c);
  await receber(
    c.provedor,
    retornoDe('756', [
      await resposta(outroValor, { movimento: '02' }),
      await resposta(rejeitada, { movimento: '03', motivos: '46' }),
    ]),
  );
  await api.dono('faturas').where('id', outroValor).update({ valor: '89.90' });
  t.is((await gerar(c)).instrucoes, 1);
  await api.dono('faturas').where('id', desfeita).update({ boleto_situacao: 'a_registrar' });
  const { id } = await gerar(c);
  await mudar(c.provedor, async ({ convenios }) => convenios.desativar(c.convenio));

  await mudar(c.provedor, async ({ remessas }) => remessas.desfazer(Number(id)));
  t.is(await situacaoDe(desfeita), null);
  await receber(c.provedor, retornoDe('756', [await resposta(outroValor, { movimento: '09' })]));
  t.is(await situacaoDe(outroValor), null);
  await t.throwsAsync(
    mudar(c.provedor, async ({ remessas }) => remessas.reenviar(rejeitada)),
    { message: /nenhum convênio bancário registra/ },
  );
  await mudar(c.provedor, async ({ convenios }) => convenios.ativar(c.convenio));
  await mudar(c.provedor, async ({ remessas }) => remessas.reenviar(rejeitada));
  t.is(await situacaoDe(rejeitada), 'a_registrar');
});

test('o que se paga em parte enquanto a remessa se prepara não vai nela pelo valor todo', async (t) => {
  const c = await cena('756');
  const [emParte, inteira] = [await faturar(c), await faturar(c)];
  let pagar = true;
  const cnab: Cnab = {
    async conferir(pedido) {
      const baixa = { forma: 'dinheiro', valor: '10.00', pago_em: '2026-12-01' };
      if (pagar) await mudar(c.provedor, async ({ baixas }) => baixas.registrar(emParte, baixa));
      pagar = false;
      return lerEEscrever({ o: 'conferir', ...pedido }) as Conferidos;
    },
    escrever: async (pedido) => lerEEscrever({ o: 'escrever', ...pedido }) as Escrita,
    ler: async (pedido) => lerEEscrever({ o: 'ler', ...pedido }) as Lida,
  };
  const provedor = await api.container.provedores.exigirPorId(c.provedor);
  const feita = await api.container.write(TERMINAL, c.provedor, async (w) =>
    createRemessasService({ w, provedor, relogio, cnab }).gerar(c.convenio),
  );
  t.is(feita.entradas, 1);
  t.deepEqual([await situacaoDe(emParte), await situacaoDe(inteira)], ['a_registrar', 'enviado']);
});
