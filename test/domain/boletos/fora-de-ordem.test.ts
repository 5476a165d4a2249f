import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { AGORA, criarBanco } from './apoio.ts';
import { retornoDe } from './banco.ts';

// One after the other: the clock is everybody's.
const relogio = relogioEm(AGORA);
let api: Api;
const { boletoDe, cena, faturaDe, faturar, gerar, mudar, receber, resposta, resultados } = criarBanco(() => api);

test.before(async () => {
  api = await criarApi({ relogio });
});
test.beforeEach(() => relogio.definir(AGORA));
test.after.always(async () => api.fechar());

type Cena = Awaited<ReturnType<typeof cena>>;
type Linha = Parameters<typeof resposta>[1];

async function dizer(c: Cena, fatura: number, ...linhas: Linha[]): Promise<string[]> {
  const ditas = await Promise.all(linhas.map(async (linha) => resposta(fatura, linha)));
  return resultados((await receber(c.provedor, retornoDe(c.banco, ditas))).id);
}

/** An invoice whose boleto its bank has. */
async function registrada(c: Cena): Promise<number> {
  const fatura = await faturar(c);
  await gerar(c);
  await dizer(c, fatura, { movimento: '02' });
  return fatura;
}

const vencer = async (c: Cena, fatura: number, vencimento: string) =>
  mudar(c.provedor, async ({ faturas }) => faturas.alterar(fatura, { vencimento }));
const cancelar = async (c: Cena, fatura: number) =>
  mudar(c.provedor, async ({ faturas }) => faturas.cancelar(fatura, { motivo: 'engano' }));
const pedidos = async ({ provedor }: Cena): Promise<string[]> =>
  (await api.dono('boletos_instrucoes').where('provedor_id', provedor).orderBy('id')).map(
    ({ movimento, situacao }) => `${movimento} ${situacao}`,
  );

test.serial('o vencimento que o banco recusou não impede a baixa, nem a baixa recusada outro vencimento', async (t) => {
  const c = await cena('756');
  const fatura = await registrada(c);
  await vencer(c, fatura, '2026-12-20');
  t.is((await gerar(c)).instrucoes, 1);
  t.deepEqual(await dizer(c, fatura, { movimento: '26' }), ['recusada']);
  t.is((await gerar(c)).instrucoes, 0, 'com os mesmos termos não se pede de novo');
  await api.dono('faturas').where('id', fatura).update({ valor_pago: '10.00' });
  t.is((await gerar(c)).instrucoes, 1, 'pago em parte, pede-se a baixa');
  t.deepEqual(await dizer(c, fatura, { movimento: '26', em: '2026-12-02' }), ['recusada']);
  t.is((await gerar(c)).instrucoes, 0);
  await api.dono('faturas').where('id', fatura).update({ valor_pago: '0.00' });
  await vencer(c, fatura, '2026-12-21');
  t.is((await gerar(c)).instrucoes, 1);
  t.deepEqual(await pedidos(c), ['vencimento recusada', 'baixa recusada', 'vencimento pedida']);
});

test.serial('desfeito o pagamento que cruzou com a baixa, ela se pede de novo, num arquivo ou em dois', async (t) => {
  for (const emDois of [true, false]) {
    const c = await cena('104');
    const fatura = await registrada(c);
    await cancelar(c, fatura);
    t.is((await gerar(c)).instrucoes, 1);
    const [pago, desfeito] = [
      { movimento: '06', pago: 9990 },
      { movimento: '44', pago: 9990 },
    ];
    if (emDois) {
      await dizer(c, fatura, pago);
      await dizer(c, fatura, desfeito);
    } else t.deepEqual(await dizer(c, fatura, pago, desfeito), ['excedente', 'desfeita']);
    t.is((await boletoDe(fatura)).situacao, 'registrado');
    t.is((await gerar(c)).instrucoes, 1);
    t.deepEqual(await pedidos(c), ['baixa desfeita', 'baixa pedida']);
  }
});

test.serial('o estorno que se recebe antes do pagamento o espera, e desfaz só a ele', async (t) => {
  for (const [banco, estorno] of [
    ['104', '44'],
    ['237', '40'],
  ] as const) {
    const c = await cena(banco);
    const fatura = await registrada(c);
    const desfeito = { movimento: estorno, pago: 9990, em: '2026-12-01' };
    t.deepEqual(await dizer(c, fatura, desfeito), ['a_desfazer']);
    t.deepEqual(await dizer(c, fatura, desfeito, { movimento: '28', tarifa: 100 }), ['a_desfazer', 'tarifa']);
    t.deepEqual(await dizer(c, fatura, { movimento: '06', pago: 9990, em: '2026-11-30' }), ['desfeita']);
    const { situacao, valor_pago: valor } = await faturaDe(fatura);
    t.deepEqual([situacao, valor, (await boletoDe(fatura)).situacao], ['pendente', '0.00', 'registrado']);
    t.deepEqual(
      await dizer(c, fatura, { movimento: '06', pago: 9990, em: '2026-12-01' }),
      ['quitada'],
      'dito duas vezes, é um',
    );
    t.deepEqual(await dizer(c, fatura, desfeito, { movimento: '28', tarifa: 200 }), ['repetida', 'tarifa']);
    t.is((await faturaDe(fatura)).situacao, 'paga');
  }
});

test.serial(
  'o estorno que o banco diz de novo, por outro movimento e outro dia, não espera outro pagamento',
  async (t) => {
    const c = await cena('237');
    const fatura = await registrada(c);
    const paga = { movimento: '06', pago: 9990, em: '2026-11-30' };
    await dizer(c, fatura, paga);
    t.deepEqual(await dizer(c, fatura, { movimento: '22', pago: 9990, em: '2026-12-01' }), ['desfeita']);
    t.notDeepEqual(await dizer(c, fatura, { movimento: '40', pago: 9990, em: '2026-12-02' }), ['a_desfazer']);
    await dizer(c, fatura, { ...paga, em: '2026-12-01' });
    t.is((await faturaDe(fatura)).situacao, 'paga');
  },
);

test.serial('o estorno não desfaz o que se pagou depois dele, nem outro valor', async (t) => {
  const c = await cena('104');
  const fatura = await registrada(c);
  t.deepEqual(await dizer(c, fatura, { movimento: '44', pago: 5000, em: '2026-11-30' }), ['a_desfazer']);
  t.deepEqual(await dizer(c, fatura, { movimento: '06', pago: 5000, em: '2026-12-01' }), ['parcial']);
  t.deepEqual(await dizer(c, fatura, { movimento: '06', pago: 4990, em: '2026-11-30' }), ['quitada']);
});

test.serial('o que se paga outra vez depois do estorno, no mesmo arquivo, conta, por longo que ele seja', async (t) => {
  for (const tarifas of [1, 1200]) {
    const c = await cena('104');
    const fatura = await registrada(c);
    const desfeito = { movimento: '44', pago: 9990, em: '2026-12-01' };
    const entre = Array.from({ length: tarifas }, (_, n) => ({ movimento: '28', tarifa: n + 1 }));
    const feitas = await dizer(c, fatura, desfeito, ...entre, { movimento: '06', pago: 9990, em: '2026-12-01' });
    t.deepEqual([feitas[0], feitas.at(-1)], ['a_desfazer', 'quitada']);
    t.is((await faturaDe(fatura)).situacao, 'paga');
  }
});

test.serial('o pedido a que o banco não responde se faz de novo dias depois', async (t) => {
  const c = await cena('033');
  const fatura = await registrada(c);
  await vencer(c, fatura, '2026-12-20');
  const { id } = await gerar(c);
  await mudar(c.provedor, async ({ remessas }) => remessas.marcarEnviada(Number(id)));
  // Santander has no word of its own for a change that it refuses.
  t.deepEqual(await dizer(c, fatura, { movimento: '03' }), ['sem_efeito']);
  await cancelar(c, fatura);
  t.is((await gerar(c)).instrucoes, 0, 'um pedido de cada vez');
  relogio.avancar(11 * 86_400_000);
  t.is((await gerar(c)).instrucoes, 1);
  t.deepEqual(await pedidos(c), ['vencimento desfeita', 'baixa pedida']);
  const semResposta = await mudar(c.provedor, async (_, { boletos }) => boletos.semResposta());
  t.deepEqual(
    semResposta.map((remessa) => remessa.id),
    [id],
    'e o arquivo continua sem resposta',
  );
  t.deepEqual(await dizer(c, fatura, { movimento: '10' }), ['baixado']);
  t.deepEqual(await pedidos(c), ['vencimento desfeita', 'baixa confirmada']);
});

test.serial(
  'o valor que se pediu é o do boleto quando o banco o confirma, e não quando confirma outra coisa',
  async (t) => {
    const c = await cena('104');
    await mudar(c.provedor, async ({ convenios }) =>
      convenios.alterar(c.convenio, { ajustes: { movimentoDeValor: '47' } }),
    );
    const fatura = await registrada(c);
    await api.dono('faturas').where('id', fatura).update({ valor: '89.90' });
    t.is((await gerar(c)).instrucoes, 1);
    t.deepEqual(await dizer(c, fatura, { movimento: '14', vencimento: '2026-12-10' }), ['confirmada']);
    t.deepEqual([(await boletoDe(fatura)).valor, await pedidos(c)], ['99.90', ['valor pedida']]);
    t.deepEqual(await dizer(c, fatura, { movimento: '61' }), ['confirmada']);
    t.deepEqual([(await boletoDe(fatura)).valor, await pedidos(c)], ['89.90', ['valor confirmada']]);
    const vista = await mudar(c.provedor, async (_, { faturas }) => faturas.buscarPorId(fatura));
    t.not(vista?.segundaVia?.boleto ?? null, null);
    t.deepEqual(await dizer(c, fatura, { movimento: '27', em: '2026-12-02' }), ['sem_efeito'], 'de outros dados');
  },
);

test.serial(
  'a remessa que chegou ao banco duas vezes vale, venha antes a recusa da segunda ou a entrada da primeira',
  async (t) => {
    const c = await cena('756');
    const [num, emDois, reenviada] = [await faturar(c), await faturar(c), await faturar(c)];
    await gerar(c);
    const [recusa, entrada] = [{ movimento: '03', motivos: '63' }, { movimento: '02' }];
    t.deepEqual(await dizer(c, num, recusa, entrada), ['rejeitado', 'registrado']);
    t.deepEqual(await dizer(c, emDois, recusa), ['rejeitado']);
    t.deepEqual(await dizer(c, emDois, entrada), ['registrado']);
    for (const fatura of [num, emDois]) {
      const { boleto_situacao: situacao, linha_digitavel: linha } = await faturaDe(fatura);
      t.deepEqual([situacao, linha === null], ['registrado', false]);
      const { situacao: doBoleto, motivos, encerrado_em: fim } = await boletoDe(fatura);
      t.deepEqual([doBoleto, motivos, fim], ['registrado', null, null]);
    }
    // One that was paid in part in the same file is used up, as any other.
    const emParte = await faturar(c);
    await gerar(c);
    await dizer(c, emParte, recusa);
    const pago = { movimento: '06', pago: 5000, em: '2026-11-20' };
    t.deepEqual(await dizer(c, emParte, entrada, pago), ['registrado', 'parcial']);
    t.is((await faturaDe(emParte)).boleto_situacao, 'baixado');
    // Where another was sent meanwhile, that one is the invoice's.
    const primeiro = await resposta(reenviada, entrada);
    await dizer(c, reenviada, recusa);
    await mudar(c.provedor, async ({ remessas }) => remessas.reenviar(reenviada));
    await gerar(c);
    t.deepEqual(await resultados((await receber(c.provedor, retornoDe('756', [primeiro]))).id), ['sem_efeito']);
    t.is((await boletoDe(reenviada)).situacao, 'enviado');
    // Both were refused, and one file has both after all: the invoice has one boleto.
    const segundo = await resposta(reenviada, entrada);
    t.deepEqual(await dizer(c, reenviada, recusa), ['rejeitado']);
    t.deepEqual(await resultados((await receber(c.provedor, retornoDe('756', [primeiro, segundo]))).id), [
      'sem_efeito',
      'registrado',
    ]);
  },
);
