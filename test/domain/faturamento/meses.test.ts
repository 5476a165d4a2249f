import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { criarCasa } from '../contratos/apoio.ts';
import type { Casa } from '../contratos/apoio.ts';
import { criarApoio, novoContrato, recusa } from './apoio.ts';

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());

const { em, casaQueFatura, noDia, pedir, previa } = criarApoio(() => api, relogio);

const cobrancas = async (casa: Casa, contrato_id: number, tipo = 'mensalidade'): Promise<any[]> =>
  api.dono('faturamento_cobrancas').where({ provedor_id: casa.provedor, contrato_id, tipo }).orderBy('competencia');
const valores = async (casa: Casa, contrato: number, tipo = 'mensalidade'): Promise<string[]> =>
  (await cobrancas(casa, contrato, tipo)).map(({ valor }) => valor);
const porItem = async (casa: Casa, contrato: number, dados: object): Promise<number> =>
  casa.mudar(async ({ faturamento }) => faturamento.itens.adicionar(contrato, dados));

test.serial('mudar se os bloqueados são cobrados vale só para os meses que ainda não o foram', async (t) => {
  const casa = await casaQueFatura();
  const id = await novoContrato(casa, { ativado_em: '2026-01-10', valor: '93.00' });
  em('2026-12-11T15:00:00.000Z');
  await casa.mudar(async ({ movimentos }) => movimentos.bloquear(id, { motivo: 'débito' }));
  const cobrarBloqueado = async (cobrar_bloqueado: boolean) =>
    casa.mudar(async ({ faturamento }) => faturamento.configurar({ cobrar_bloqueado }));
  await noDia(casa, '2026-12-31');
  em('2027-01-05T15:00:00.000Z');
  await cobrarBloqueado(true);
  await noDia(casa, '2027-01-31');
  em('2027-02-02T15:00:00.000Z');
  await cobrarBloqueado(false);
  await noDia(casa, '2027-02-28');
  // Ten days of December at 3.00; the whole of January; nothing of February, and nothing given back.
  t.deepEqual(
    (await cobrancas(casa, id)).map(({ valor, bloqueado }) => [valor, bloqueado]),
    [
      ['30.00', 0],
      ['93.00', 1],
      ['0.00', 0],
    ],
  );
});

test.serial('o que se põe todo mês depois de feita a cobrança do mês entra na próxima, uma vez', async (t) => {
  const casa = await casaQueFatura();
  const id = await novoContrato(casa, { ativado_em: '2026-01-10', valor: '100.00' });
  await noDia(casa, '2026-12-31');
  em('2026-12-31T15:00:00.000Z');
  await porItem(casa, id, { tipo: 'recorrente', descricao: 'IP fixo', valor: '20.00' });
  await noDia(casa, '2027-01-31');
  await noDia(casa, '2027-02-28');
  t.deepEqual(await valores(casa, id), ['100.00', '140.00', '120.00']);
});

test.serial('o que acaba, e o mês sem serviço, devolvem o que já se cobrou a mais do que vem todo mês', async (t) => {
  const casa = await casaQueFatura({ antecedencia: 28 });
  const dados = { ativado_em: '2026-01-10', valor: '62.00', tipo_cobranca: 'pre_pago' };
  const [acaba, para] = [await novoContrato(casa, dados), await novoContrato(casa, dados)];
  em('2026-12-01T15:00:00.000Z');
  const item = await porItem(casa, acaba, { tipo: 'recorrente', descricao: 'IP fixo', valor: '20.00' });
  await porItem(casa, para, { tipo: 'recorrente', descricao: 'IP fixo', valor: '20.00', de: '2027-01' });
  await noDia(casa, '2026-12-13');
  em('2026-12-20T15:00:00.000Z');
  await casa.mudar(async ({ faturamento }) => faturamento.itens.encerrar(acaba, item));
  await casa.mudar(async ({ movimentos }) => movimentos.suspender(para, { motivo: 'viagem' }));
  await noDia(casa, '2027-01-13');
  // December came with January's charge, and goes by what is known of it a month later.
  t.deepEqual(await valores(casa, acaba), ['164.00', '42.00']);
  t.deepEqual(await valores(casa, para), ['144.00', '-106.00']);
});

test.serial('um item posto por engano tira-se enquanto nenhuma cobrança o contou; depois só se encerra', async (t) => {
  const casa = await casaQueFatura();
  const id = await novoContrato(casa, { ativado_em: '2026-01-10', valor: '100.00' });
  em('2026-12-05T15:00:00.000Z');
  const remover = async (item: number) => casa.mudar(async ({ faturamento }) => faturamento.itens.remover(id, item));
  const engano = await porItem(casa, id, { tipo: 'recorrente', descricao: 'Errado', valor: '70.00' });
  await remover(engano);
  t.is(await recusa(remover(engano)), 'nao_encontrado');
  t.true((await casa.auditoria()).includes('contrato.item_removido'));
  const ip = await porItem(casa, id, { tipo: 'recorrente', descricao: 'IP fixo', valor: '20.00' });
  const desconto = await porItem(casa, id, { tipo: 'desconto', descricao: 'Amigo', valor: '5.00' });
  const futuro = await porItem(casa, id, { tipo: 'desconto', descricao: 'Natal', valor: '9.00', de: '2027-12' });
  await noDia(casa, '2026-12-31');
  t.deepEqual(await valores(casa, id), ['115.00']);
  t.is(await recusa(remover(ip)), 'transicao_invalida');
  t.is(await recusa(remover(desconto)), 'transicao_invalida');
  await remover(futuro);
  t.deepEqual(
    (await casa.linhas('contratos_itens', { removido_em: null })).map((um) => um['id']),
    [ip, desconto],
  );
});

test.serial('valores têm um máximo, e o que já acabou não se encerra de novo', async (t) => {
  const casa = await casaQueFatura();
  const id = await novoContrato(casa, { ativado_em: '2026-01-10', valor: '100.00' });
  const item = { tipo: 'recorrente', descricao: 'IP fixo', valor: '1000000.01' };
  t.regex(await recusa(porItem(casa, id, item)), /^valor: deve ser no máximo 1000000.00/);
  t.regex(
    await recusa(casa.mudar(async ({ contratos }) => contratos.alterar(id, { valor: '1000000.01' }))),
    /^valor: /,
  );
  t.is(await recusa(casa.mudar(async ({ contratos }) => contratos.alterar(id, { valor: '1000000.00' }))), 'feito');
  em('2026-12-05T15:00:00.000Z');
  const promocao = await porItem(casa, id, { tipo: 'desconto', descricao: 'Promoção', valor: '5.00', ate: '2026-12' });
  em('2027-02-05T15:00:00.000Z');
  t.is(
    await recusa(casa.mudar(async ({ faturamento }) => faturamento.itens.encerrar(id, promocao))),
    'transicao_invalida',
  );
  t.is((await casa.linhas('contratos_itens', { id: promocao }))[0]!['ate'], '2026-12-01');
});

test.serial(
  'o que se cobra uma vez numa fatura que se cancelou fica cobrado, também quando se desfaz o resto',
  async (t) => {
    const casa = await casaQueFatura();
    const [a, b] = [await novoContrato(casa, { valor: '100.00' }), await novoContrato(casa, { valor: '50.00' })];
    em('2026-12-05T15:00:00.000Z');
    for (const id of [a, b]) await porItem(casa, id, { tipo: 'unico', descricao: 'Visita', valor: '30.00' });
    await noDia(casa, '2026-12-31');
    const [fatura] = await casa.linhas('faturas', { contrato_id: a });
    await casa.mudar(async ({ faturas }) => faturas.cancelar(fatura!['id'], { motivo: 'cortesia' }));
    const [vez] = await casa.linhas('faturamentos');
    t.deepEqual(await casa.mudar(async ({ faturamento }) => faturamento.desfazer(vez!['id'])), {
      faturas: 1,
      pedido: null,
    });
    await noDia(casa, '2027-01-01');
    await noDia(casa, '2027-01-31');
    t.deepEqual(await valores(casa, a), ['130.00', '100.00']);
    t.deepEqual(await valores(casa, b), ['80.00', '50.00']);
  },
);

test.serial(
  'na troca de titular vai junto o que se cobra e desconta; o mês da troca paga o de todo mês uma vez',
  async (t) => {
    const casa = await casaQueFatura();
    const id = await novoContrato(casa, { ativado_em: '2026-01-10', valor: '100.00' });
    em('2026-12-05T15:00:00.000Z');
    await porItem(casa, id, { tipo: 'recorrente', descricao: 'IP fixo', valor: '20.00' });
    await porItem(casa, id, { tipo: 'unico', descricao: 'Visita', valor: '30.00' });
    await porItem(casa, id, { tipo: 'desconto', descricao: 'Fidelidade', valor: '10.00' });
    await porItem(casa, id, { tipo: 'recorrente', descricao: 'Só dezembro', valor: '1.00', ate: '2026-12' });
    const outro = await casa.fabrica.cliente(casa.provedor);
    em('2026-12-16T15:00:00.000Z');
    const troca = { cliente_id: outro, faturas_futuras: 'manter' };
    const novo = await casa.mudar(async ({ contratos }) => contratos.trocarTitular(id, troca));
    await noDia(casa, '2026-12-31');
    await noDia(casa, '2027-01-31');
    // Of December 15 and 16 days at 90.00 a month; in January the former has nothing left.
    t.deepEqual(await valores(casa, id), ['64.55', '0.00']);
    t.deepEqual(await valores(casa, novo.id), ['76.45', '110.00']);
  },
);

test.serial('um contrato de valor absurdo não para os outros: fica de fora, e a prévia diz por quê', async (t) => {
  const casa = await casaQueFatura({ fatura_unica: true });
  const absurdo = await novoContrato(casa, { valor: '9999999999.99' });
  const [a, b] = [await novoContrato(casa, { valor: '99999999.00' }), await novoContrato(casa, { valor: '50.00' })];
  em('2026-12-05T15:00:00.000Z');
  await porItem(casa, absurdo, { tipo: 'unico', descricao: 'Visita', valor: '30.00' });
  em('2026-12-31T03:05:00.000Z');
  const { estranhas, faturas } = await previa(casa, '2027-01');
  t.deepEqual(estranhas.find(({ contratoId }) => contratoId === absurdo)?.porque, ['fora']);
  t.is(faturas, 2);
  t.is((await noDia(casa, '2026-12-31')).linhas, 2);
  t.deepEqual(await valores(casa, absurdo), []);
  // Together they would be more than a boleto can ask for.
  t.deepEqual(
    (await casa.linhas('faturas')).map(({ contrato_id, valor }) => [contrato_id, valor]),
    [
      [a, '99999999.00'],
      [b, '50.00'],
    ],
  );
});

test.serial('faturar desde um mês que passou cobra-o na próxima, e pede que se confirme', async (t) => {
  const casa = await casaQueFatura();
  const id = await novoContrato(casa, { ativado_em: '2026-01-10', valor: '100.00' });
  await noDia(casa, '2026-12-31');
  em('2027-01-05T15:00:00.000Z');
  const configurar = async (dados: object) => casa.mudar(async ({ faturamento }) => faturamento.configurar(dados));
  t.regex(await recusa(configurar({ desde: '2026-11' })), /^confirmado: /);
  t.like(await previa(casa, '2027-02'), { faturas: 1, total: 10_000, anteriores: { cobrancas: 0, total: 0 } });
  t.like(await previa(casa, '2027-02', { desde: '2026-11' }), {
    faturas: 1,
    total: 20_000,
    anteriores: { cobrancas: 1, total: 10_000 },
  });
  t.deepEqual(await configurar({ desde: '2026-11', confirmado: true }), ['desde']);
  await noDia(casa, '2027-01-31');
  t.deepEqual(await valores(casa, id), ['100.00', '200.00']);
  const outra = await criarCasa(api);
  const desta = async (dados: object) => outra.mudar(async ({ faturamento }) => faturamento.configurar(dados));
  t.regex(await recusa(desta({ desde: '2026-12' })), /^confirmado: /);
  t.deepEqual(await desta({ desde: '2027-01' }), ['desde']);
});

test.serial('a prévia do próximo mês diz o que se faz, também com este mês por fazer, carnês e créditos', async (t) => {
  const casa = await casaQueFatura();
  const pre = { tipo_cobranca: 'pre_pago', dia_vencimento: 28, valor: '93.00', ativado_em: '2026-01-10' };
  const um = await novoContrato(casa, pre);
  const parado = await novoContrato(casa, pre);
  const doCarne = await novoContrato(casa, { valor: '60.00', ativado_em: '2026-01-10' });
  em('2026-12-02T15:00:00.000Z');
  await porItem(casa, um, { tipo: 'unico', descricao: 'Visita', valor: '30.00' });
  await casa.mudar(async ({ faturamento }) => faturamento.carnes.gerar({ contrato_id: doCarne, parcelas: 3 }));
  em('2026-12-05T15:00:00.000Z');
  await casa.mudar(async ({ contratos }) => contratos.alterar(doCarne, { valor: '91.00' }));
  await casa.mudar(async ({ movimentos }) => movimentos.suspender(parado, { motivo: 'viagem' }));
  const mostrada = await previa(casa, '2027-01');
  const antes = new Set((await casa.linhas('faturas')).map(({ id }) => id));
  t.is(await pedir(casa, '2027-01'), mostrada.faturas);
  const feitas = (await casa.linhas('faturas')).filter(({ id }) => !antes.has(id));
  t.is(
    feitas.reduce((soma, { valor }) => soma + Math.round(Number(valor) * 100), 0),
    Number(mostrada.total),
  );
  t.deepEqual(await valores(casa, um), ['123.00', '93.00']);
  t.deepEqual(await valores(casa, parado), ['12.00', '0.00']);
  // From the fifth on, 27 of 31 days at 31.00 more.
  t.deepEqual(await valores(casa, doCarne), ['27.00']);
  t.like(await previa(casa, '2027-01'), { faturas: 0, total: 0 });
});

test.serial(
  'o carnê traz o que vem todo mês, e recusa um mês que não dá nada; cancelado, o mês cobra o que serviu',
  async (t) => {
    const casa = await casaQueFatura();
    const novo = async () => novoContrato(casa, { valor: '62.00', ativado_em: '2026-01-10' });
    const [volta, acaba, gratis] = [await novo(), await novo(), await novo()];
    em('2026-12-02T15:00:00.000Z');
    const carne = async (contrato_id: number, parcelas = 3) =>
      casa.mudar(async ({ faturamento }) => faturamento.carnes.gerar({ contrato_id, parcelas }));
    await porItem(casa, gratis, { tipo: 'desconto_percentual', descricao: 'Cortesia', valor: '100', de: '2027-01' });
    await t.throwsAsync(carne(gratis), { message: /01\/2027/ });
    t.is(await recusa(carne(gratis)), 'transicao_invalida');
    t.deepEqual(await casa.linhas('faturas'), []);
    t.deepEqual(await casa.linhas('carnes'), []);
    const ip = await porItem(casa, acaba, { tipo: 'recorrente', descricao: 'IP fixo', valor: '20.00' });
    await carne(volta);
    await carne(acaba);
    t.deepEqual(await valores(casa, acaba, 'carne'), ['82.00', '82.00', '82.00']);
    em('2026-12-10T15:00:00.000Z');
    await casa.mudar(async ({ faturamento }) => faturamento.itens.encerrar(acaba, ip));
    await noDia(casa, '2026-12-31');
    em('2027-01-15T15:00:00.000Z');
    const fim = { motivo: 'mudou', faturas_futuras: 'cancelar' };
    await casa.mudar(async ({ movimentos }) => movimentos.cancelar(volta, fim));
    em('2027-01-20T15:00:00.000Z');
    await casa.mudar(async ({ movimentos }) => movimentos.reativar(volta, {}));
    await noDia(casa, '2027-01-31');
    await noDia(casa, '2027-02-28');
    // The slip of December was due already; of January five days were not served.
    t.deepEqual(await valores(casa, volta), ['0.00', '52.00', '62.00']);
    t.deepEqual(await valores(casa, acaba), ['0.00', '-20.00', '-40.00']);
  },
);

test.serial(
  'o crédito de um contrato que fica isento, ou de quem não fatura, por meses é descontado depois',
  async (t) => {
    const casa = await casaQueFatura();
    const pre = { tipo_cobranca: 'pre_pago', valor: '31.00', ativado_em: '2026-01-10' };
    const [isento, esquecido] = [await novoContrato(casa, pre), await novoContrato(casa, pre)];
    await noDia(casa, '2026-12-01');
    em('2026-12-12T15:00:00.000Z');
    for (const id of [isento, esquecido])
      await casa.mudar(async ({ movimentos }) => movimentos.suspender(id, { motivo: 'x' }));
    await noDia(casa, '2027-01-01');
    for (const id of [isento, esquecido]) t.deepEqual(await valores(casa, id), ['31.00', '-20.00']);
    const mudar = async (id: number, colunas: object) =>
      api.dono('contratos').where({ provedor_id: casa.provedor, id }).update(colunas);
    await mudar(isento, { tipo_cobranca: 'isento' });
    for (let mes = 2; mes <= 8; mes += 1) {
      // Nobody bills the other one meanwhile: it waits for its activation.
      await mudar(esquecido, { situacao: 'pendente' });
      await noDia(casa, `2027-0${mes}-01`);
    }
    await mudar(isento, { tipo_cobranca: 'pre_pago' });
    await mudar(esquecido, { situacao: 'inativo' });
    em('2027-08-20T15:00:00.000Z');
    for (const id of [isento, esquecido]) await casa.mudar(async ({ movimentos }) => movimentos.reativar(id, {}));
    await noDia(casa, '2027-09-01');
    for (const id of [isento, esquecido]) {
      const saldos = (await cobrancas(casa, id)).at(-1).itens.filter(({ tipo }: { tipo: string }) => tipo === 'saldo');
      t.deepEqual(
        saldos.map(({ ref, valor }: { ref: string; valor: number }) => [ref, valor]),
        [['2027-01-01', -2000]],
      );
    }
  },
);

test.serial('a fatura única de quem paga antes e depois diz os meses de todos os contratos que cobra', async (t) => {
  const casa = await casaQueFatura({ fatura_unica: true });
  const linha = { ativado_em: '2026-01-10', valor: '31.00' };
  for (const tipo_cobranca of ['pre_pago', 'pos_pago']) await novoContrato(casa, { ...linha, tipo_cobranca });
  await noDia(casa, '2026-12-01');
  await noDia(casa, '2026-12-31');
  const ditas = (await casa.linhas('faturas')).map(({ descricao, valor }) => [descricao, valor]);
  t.deepEqual(ditas, [
    ['Mensalidade 12/2026', '31.00'],
    ['Mensalidades de 2 contratos, 12/2026 e 01/2027', '62.00'],
  ]);
});
