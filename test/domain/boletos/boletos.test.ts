import { gunzipSync } from 'node:zlib';
import test from 'ava';
import { BANCOS_COM_CNAB } from '../../../src/brazil/cnab/convenio.types.ts';
import { centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { comporPixDinamico } from '../../../src/brazil/pix/cobranca/codigo.ts';
import { digitoDoNossoNumero } from '../../../src/brazil/cnab/nosso-numero.ts';
import { crc16, lerPix } from '../../../src/brazil/pix/pix.ts';
import { convenioDe } from '../../brazil/cnab/_convenios.ts';
import { escreverCampo } from '../../../src/brazil/pix/tlv.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';
import { AGORA, HOJE, criarBanco } from './apoio.ts';
import { retornoDe } from './banco.ts';

const relogio = relogioEm(AGORA);
let api: Api;
let fabrica: Fabrica;
const { boletoDe, cena, clienteCompleto, faturaDe, faturar, gerar, mudar, receber, resposta, resultados } = criarBanco(
  () => api,
);

test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
  fabrica = criarFabrica(api.dono);
});
test.after.always(async () => api.fechar());

for (const banco of BANCOS_COM_CNAB) {
  test(`do ${banco}: a fatura vai na remessa, o banco a registra e a liquida, e o contrato é liberado`, async (t) => {
    const c = await cena(banco);
    const cliente = await clienteCompleto(c.provedor);
    const contrato = await fabrica.contrato(c.provedor, {
      cliente_id: cliente,
      plano_id: await fabrica.plano(c.provedor),
      situacao: 'bloqueado',
      bloqueio_origem: 'financeiro',
    });
    const fatura = await faturar(c, { cliente_id: cliente, contrato_id: contrato });
    t.is((await faturaDe(fatura)).boleto_situacao, 'a_registrar');

    const { id, entradas, recusadas } = await gerar(c);
    t.deepEqual([entradas, recusadas], [1, []]);
    t.is((await faturaDe(fatura)).boleto_situacao, 'enviado');
    t.is((await faturaDe(fatura)).linha_digitavel, null);
    const { conteudo } = await api.dono('arquivos_bancarios').where('remessa_id', Number(id)).first();
    const [primeira = ''] = gunzipSync(conteudo).toString('latin1').split('\r\n');
    t.true(primeira.length === 240 || primeira.length === 400);

    const entrada = await receber(c.provedor, retornoDe(banco, [await resposta(fatura, { movimento: '02' })]));
    t.deepEqual(await resultados(entrada.id), ['registrado']);
    const registrada = await faturaDe(fatura);
    t.is(registrada.boleto_situacao, 'registrado');
    t.true(String(registrada.linha_digitavel).startsWith(banco));
    const vista = await mudar(c.provedor, async (_, { faturas }) => faturas.buscarPorId(fatura));
    t.is(vista?.segundaVia?.boleto?.linhaDigitavel, registrada.linha_digitavel);

    const paga = await receber(c.provedor, retornoDe(banco, [await resposta(fatura, { movimento: '06', pago: 9990 })]));
    t.deepEqual(await resultados(paga.id), ['quitada']);
    t.is((await faturaDe(fatura)).situacao, 'paga');
    t.is((await api.dono('contratos').where('id', contrato).first()).situacao, 'ativo');
  });
}

test('até o banco registrar, a fatura diz em que pé está o boleto e não o mostra', async (t) => {
  const c = await cena('756');
  const { texto: chave } = await api.criarChave(c.provedor);
  const fatura = await faturar(c);
  const ver = async () => (await api.get(`/faturas/${fatura}`, { chave })).corpo.dados;
  const vista = await ver();
  t.is(vista.boleto_situacao, 'a_registrar');
  t.deepEqual(
    [vista.segunda_via.linha_digitavel, vista.segunda_via.codigo_barras, vista.segunda_via.pdf],
    [null, null, null],
  );
  await gerar(c);
  t.is((await ver()).boleto_situacao, 'enviado');
  await receber(c.provedor, retornoDe('756', [await resposta(fatura, { movimento: '02' })]));
  const registrada = await ver();
  t.is(registrada.boleto_situacao, 'registrado');
  t.is(registrada.segunda_via.linha_digitavel.length, 47);
});

test('o nosso número não tem falhas nem repetições com oito a gerar ao mesmo tempo', async (t) => {
  const c = await cena('756');
  const ids = await Promise.all(Array.from({ length: 24 }, async () => faturar(c)));
  const feitas = await Promise.all(Array.from({ length: 8 }, async (_, n) => gerar(c, n % 2)));
  const mais = await Promise.all(Array.from({ length: 8 }, async () => faturar(c)));
  await Promise.all(Array.from({ length: 8 }, async (_, n) => gerar(c, n % 2)));
  t.is(
    feitas.reduce((soma, { entradas }) => soma + entradas, 0),
    ids.length,
  );
  const numeros = (await api.dono('boletos').where('convenio_id', c.convenio)).map(({ numero }) => Number(numero));
  t.deepEqual(
    numeros.toSorted((a, b) => a - b),
    Array.from({ length: ids.length + mais.length }, (_, n) => n + 1),
  );
  const nsas = (await api.dono('remessas').where('convenio_id', c.convenio).orderBy('nsa')).map(({ nsa }) => nsa);
  t.deepEqual(
    nsas,
    nsas.map((_, n) => n + 1),
  );
});

test('o retorno recebido duas vezes, também ao mesmo tempo e noutro arquivo, quita uma vez', async (t) => {
  const c = await cena('756');
  const fatura = await faturar(c);
  await gerar(c);
  const pagamento = await resposta(fatura, { movimento: '06', pago: 9990 });
  const arquivo = retornoDe('756', [await resposta(fatura, { movimento: '02' }), pagamento]);
  const feitos = await Promise.all([0, 1, 0, 1].map(async (n) => receber(c.provedor, arquivo, n)));
  t.is(new Set(feitos.map(({ id }) => id)).size, 1);
  const outro = await receber(c.provedor, retornoDe('756', [pagamento]));
  t.deepEqual(await resultados(outro.id), ['repetida']);
  t.is((await api.dono('boletos_recebidos').where('provedor_id', c.provedor)).length, 1);
  t.is((await faturaDe(fatura)).valor_pago, '99.90');
});

test('um arquivo partido, ou de outro beneficiário, é recusado inteiro com a linha', async (t) => {
  const c = await cena('756');
  const fatura = await faturar(c);
  await gerar(c);
  const arquivo = retornoDe('756', [await resposta(fatura, { movimento: '06', pago: 9990 })]);
  const linhas = arquivo.split('\r\n');
  const semFim = `${linhas.slice(0, -2).join('\r\n')}\r\n`;
  await t.throwsAsync(receber(c.provedor, semFim), { message: /arquivo: linha 5: / });
  const deOutro = retornoDe('756', [await resposta(fatura, { movimento: '06', pago: 9990 })], '60701190000104');
  await t.throwsAsync(receber(c.provedor, deOutro), { message: /linha 1: o CNPJ não é o do convênio/ });
  t.is((await api.dono('retornos').where('provedor_id', c.provedor)).length, 0);
  t.is((await faturaDe(fatura)).situacao, 'pendente');
});

test('outro provedor com o mesmo convênio não mexe nos títulos deste, e o que não conhece só se lista', async (t) => {
  const [c, outro] = [await cena('756'), await cena('756', '60701190000104')];
  const fatura = await faturar(c);
  await gerar(c);
  const arquivo = retornoDe(
    '756',
    [await resposta(fatura, { movimento: '02' }), await resposta(fatura, { movimento: '06', pago: 9990 })],
    '60701190000104',
  );
  const feito = await receber(outro.provedor, arquivo);
  t.deepEqual(await resultados(feito.id), ['desconhecido', 'nao_identificada']);
  t.is((await faturaDe(fatura)).situacao, 'pendente');
});

test('o rejeitado diz por quê, volta com outro número, e se o número rejeitado for pago o dinheiro é da fatura', async (t) => {
  const c = await cena('756');
  const fatura = await faturar(c);
  await gerar(c);
  const rejeitado = await boletoDe(fatura);
  await receber(c.provedor, retornoDe('756', [await resposta(fatura, { movimento: '03', motivos: '46' })]));
  t.is((await faturaDe(fatura)).boleto_situacao, 'rejeitado');
  const [dito] = (await mudar(c.provedor, async (_, { boletos }) => boletos.rejeitados())).boletos;
  t.deepEqual(
    dito?.motivos.map(({ codigo }) => codigo),
    ['46'],
  );
  t.not(dito?.motivos[0]?.texto, '');
  await mudar(c.provedor, async ({ remessas }) => remessas.reenviar(fatura));
  await gerar(c);
  const novo = await boletoDe(fatura);
  t.not(novo.numero, rejeitado.numero);
  const pago = { movimento: '06', numero: rejeitado.numero, dv: rejeitado.dv, pago: 9990, em: HOJE };
  t.deepEqual(await resultados((await receber(c.provedor, retornoDe('756', [pago]))).id), ['quitada']);
  t.is((await faturaDe(fatura)).situacao, 'paga');
});

test('o vencimento novo é pedido ao banco, e até a resposta o boleto não é mostrado', async (t) => {
  const c = await cena('756');
  const fatura = await faturar(c);
  await gerar(c);
  await receber(c.provedor, retornoDe('756', [await resposta(fatura, { movimento: '02' })]));
  const antes = (await faturaDe(fatura)).linha_digitavel;
  await mudar(c.provedor, async ({ faturas }) => faturas.alterar(fatura, { vencimento: '2026-12-20' }));
  const { texto: chave } = await api.criarChave(c.provedor);
  const linha = async () => (await api.get(`/faturas/${fatura}`, { chave })).corpo.dados.segunda_via.linha_digitavel;
  t.is(await linha(), null);
  t.is((await gerar(c)).instrucoes, 1);
  t.is((await gerar(c)).id, null, 'o que já se pediu não se pede de novo');
  await receber(c.provedor, retornoDe('756', [await resposta(fatura, { movimento: '14', vencimento: '2026-12-20' })]));
  t.not(await linha(), null);
  t.not(await linha(), antes);
});

test('a fatura cancelada pede a baixa, e o pagamento que cruza com ela vale', async (t) => {
  const c = await cena('756');
  const [cancelada, cruzada] = [await faturar(c), await faturar(c)];
  await gerar(c);
  await receber(
    c.provedor,
    retornoDe('756', [await resposta(cancelada, { movimento: '02' }), await resposta(cruzada, { movimento: '02' })]),
  );
  for (const id of [cancelada, cruzada]) {
    await mudar(c.provedor, async ({ faturas }) => faturas.cancelar(id, { motivo: 'engano' }));
  }
  t.is((await gerar(c)).instrucoes, 2);
  const feito = await receber(
    c.provedor,
    retornoDe('756', [
      await resposta(cancelada, { movimento: '09' }),
      await resposta(cruzada, { movimento: '06', pago: 9990 }),
    ]),
  );
  t.deepEqual(await resultados(feito.id), ['baixado', 'excedente']);
  t.is((await faturaDe(cancelada)).boleto_situacao, 'baixado');
  t.is((await boletoDe(cruzada)).situacao, 'liquidado');
});

test('só a remessa que ninguém baixou se desfaz, e os números dela não voltam', async (t) => {
  const c = await cena('756');
  const fatura = await faturar(c);
  const { id } = await gerar(c);
  await mudar(c.provedor, async ({ remessas }) => remessas.desfazer(Number(id)));
  t.is((await faturaDe(fatura)).boleto_situacao, 'a_registrar');
  const nova = await gerar(c);
  t.is(nova.nsa, 2);
  t.is(Number((await boletoDe(fatura)).numero), 2);
  await mudar(c.provedor, async ({ remessas }) => remessas.baixar(Number(nova.id)));
  await t.throwsAsync(
    mudar(c.provedor, async ({ remessas }) => remessas.desfazer(Number(nova.id))),
    {
      message: /já foi baixada/,
    },
  );
  const outro = await cena('756');
  await t.throwsAsync(
    mudar(outro.provedor, async ({ remessas }) => remessas.baixar(Number(nova.id))),
    {
      message: /não existe/,
    },
  );
});

test('a prévia diz o que iria e o que não vai, e por quê', async (t) => {
  const c = await cena('756');
  await faturar(c);
  const semEndereco = await fabrica.cliente(c.provedor);
  const recusada = await faturar(c, { cliente_id: semEndereco });
  const previa = await mudar(c.provedor, async (_, { boletos }) => boletos.previa(c.convenio));
  t.is(previa.entradas, 1);
  t.is(Number(previa.total), 9990);
  t.deepEqual(
    previa.recusadas.map(({ faturaId, campo }) => [faturaId, campo]),
    [[recusada, 'logradouro']],
  );
});

test('a tarifa é custo do provedor, contada uma vez, e não sai da dívida', async (t) => {
  const c = await cena('748');
  const fatura = await faturar(c);
  await gerar(c);
  const tarifa = await resposta(fatura, { movimento: '28', tarifa: 250 });
  const pago = await resposta(fatura, { movimento: '06', pago: 9990 });
  const feito = await receber(
    c.provedor,
    retornoDe('748', [await resposta(fatura, { movimento: '02' }), tarifa, pago]),
  );
  t.deepEqual(await resultados(feito.id), ['registrado', 'tarifa', 'quitada']);
  const outro = await receber(c.provedor, retornoDe('748', [tarifa]));
  t.deepEqual(await resultados(outro.id), ['repetida']);
  t.deepEqual(
    (await api.dono('boletos_tarifas').where('provedor_id', c.provedor)).map(({ valor }) => valor),
    ['2.50'],
  );
  t.is((await faturaDe(fatura)).valor_pago, '99.90');
});

test('a nota fiscal espera que o banco registre o boleto', async (t) => {
  const c = await cena('756');
  const fatura = await faturar(c);
  await t.throwsAsync(
    mudar(c.provedor, async ({ nfcom }) => nfcom.pedir(fatura)),
    { message: /espera que o banco registre/ },
  );
  const previa = await mudar(c.provedor, async (_, { previaNfcom }) => previaNfcom.previa({}));
  t.deepEqual([previa.notas + previa.recusadasAoTodo, previa.esperam], [0, 1]);
});

test('a linha de um boleto nosso não se escreve à mão', async (t) => {
  const c = await cena('756');
  const fatura = await faturar(c);
  const linha = '75691306980108281900205120200018716870000009990';
  await t.throwsAsync(
    mudar(c.provedor, async ({ faturas }) => faturas.alterar(fatura, { linha_digitavel: linha })),
    { message: /registrado no banco/ },
  );
});

test('pago a menos, o resto continua devido por outros meios; pago duas vezes, a sobra é do cliente', async (t) => {
  const c = await cena('756');
  const [aMenos, duasVezes] = [await faturar(c), await faturar(c)];
  await gerar(c);
  await receber(
    c.provedor,
    retornoDe('756', [await resposta(aMenos, { movimento: '02' }), await resposta(duasVezes, { movimento: '02' })]),
  );
  await mudar(c.provedor, async ({ baixas }) =>
    baixas.registrar(duasVezes, { forma: 'dinheiro', valor: '99.90', pago_em: '2026-12-01' }),
  );
  t.is((await gerar(c)).instrucoes, 1, 'o que se pagou por outro meio pede a baixa');
  const feito = await receber(
    c.provedor,
    retornoDe('756', [
      await resposta(aMenos, { movimento: '06', pago: 5000 }),
      await resposta(duasVezes, { movimento: '06', pago: 9990 }),
    ]),
  );
  t.deepEqual(await resultados(feito.id), ['parcial', 'excedente']);
  const emParte = await faturaDe(aMenos);
  t.deepEqual([emParte.situacao, emParte.boleto_situacao, emParte.linha_digitavel], ['pendente', 'baixado', null]);
});

test('o número que não é nosso não se põe à fatura do boleto que tem o id que outro programa escreveu', async (t) => {
  const c = await cena('756');
  const fatura = await faturar(c);
  await gerar(c);
  const { id } = await boletoDe(fatura);
  const alheio = { movimento: '06', numero: '9000001', dv: '0', uso: Number(id), pago: 4500, em: HOJE };
  const arquivo = retornoDe('756', [await resposta(fatura, { movimento: '02' }), alheio]);
  t.deepEqual(await resultados((await receber(c.provedor, arquivo)).id), ['registrado', 'nao_identificada']);
  const { situacao, valor_pago, boleto_situacao } = await faturaDe(fatura);
  t.deepEqual([situacao, valor_pago, boleto_situacao], ['pendente', '0.00', 'registrado']);
});

test('desfeito o que se pagou em parte, o boleto volta a ser o da fatura, e outro não se manda', async (t) => {
  const c = await cena('104');
  const fatura = await faturar(c);
  await gerar(c);
  const dela = async (mais: Parameters<typeof resposta>[1]) => resposta(fatura, mais);
  await receber(
    c.provedor,
    retornoDe('104', [await dela({ movimento: '02' }), await dela({ movimento: '06', pago: 5000 })]),
  );
  t.is((await faturaDe(fatura)).boleto_situacao, 'baixado');
  const estorno = await dela({ movimento: '44', pago: 5000 });
  t.deepEqual(await resultados((await receber(c.provedor, retornoDe('104', [estorno]))).id), ['desfeita']);
  const { boleto_situacao, linha_digitavel } = await faturaDe(fatura);
  t.deepEqual([boleto_situacao, linha_digitavel], ['registrado', (await boletoDe(fatura)).linha]);
  await t.throwsAsync(mudar(c.provedor, async ({ remessas }) => remessas.reenviar(fatura)));

  const pago = await dela({ movimento: '06', pago: 9990, em: '2026-12-02' });
  t.deepEqual(await resultados((await receber(c.provedor, retornoDe('104', [pago]))).id), ['quitada']);
  const deNovo = retornoDe('104', [estorno, await dela({ movimento: '28', tarifa: 250 })]);
  t.deepEqual(await resultados((await receber(c.provedor, deNovo)).id), ['repetida', 'tarifa']);
  t.is((await faturaDe(fatura)).situacao, 'paga', 'o estorno dito outra vez não desfaz o que se pagou depois');

  const trocado = [
    await dela({ movimento: '44', pago: 9990, em: '2026-12-02' }),
    await dela({ movimento: '06', pago: 9991, em: '2026-12-02' }),
  ];
  t.deepEqual(await resultados((await receber(c.provedor, retornoDe('104', trocado))).id), ['desfeita', 'excedente']);
  t.deepEqual([(await faturaDe(fatura)).valor_pago, (await boletoDe(fatura)).situacao], ['99.91', 'liquidado']);
});

test('o que não pode ser tira da conta a sua linha, com o porquê, e as outras contam', async (t) => {
  const c = await cena('756');
  const ids = await Promise.all(Array.from({ length: 5 }, async () => faturar(c)));
  const [nove, zero, futuro, vencida, boa] = ids as [number, number, number, number, number];
  await gerar(c);
  const arquivo = retornoDe('756', [
    await resposta(nove, { movimento: '06', pago: 999_999_999_999_999 }),
    await resposta(zero, { movimento: '06', pago: 0 }),
    await resposta(futuro, { movimento: '06', pago: 9990, em: '2099-12-31' }),
    await resposta(vencida, { movimento: '02', vencimento: '1900-01-01' }),
    await resposta(boa, { movimento: '06', pago: 9990 }),
  ]);
  const { id } = await receber(c.provedor, arquivo);
  t.deepEqual(await resultados(id), ['ilegivel', 'ilegivel', 'ilegivel', 'ilegivel', 'quitada']);
  for (const fatura of [nove, zero, futuro, vencida]) t.is((await faturaDe(fatura)).situacao, 'pendente');
  t.is((await boletoDe(vencida)).situacao, 'enviado');
  const { linhas } = await mudar(c.provedor, async (_, { retornos }) => retornos.linhas(id, 'ilegivel', 0));
  t.deepEqual(
    linhas.map(({ motivos }) => motivos[0]?.texto !== ''),
    [true, true, true, true],
  );
  const avisos = await api.dono('notificacoes').where({ provedor_id: c.provedor, tipo: 'retorno.linhas_ilegiveis' });
  t.deepEqual(
    avisos.map(({ recurso, recurso_id }) => [recurso, recurso_id]),
    [['retorno', id]],
  );
});

test('dois pagamentos iguais de um boleto no mesmo dia contam os dois, e ditos noutro arquivo nenhum conta outra vez', async (t) => {
  const c = await cena('756');
  const fatura = await faturar(c);
  await gerar(c);
  const pago = await resposta(fatura, { movimento: '06', pago: 9990 });
  const primeiro = await receber(c.provedor, retornoDe('756', [pago, pago]));
  t.false((await resultados(primeiro.id)).includes('repetida'));
  t.is((await faturaDe(fatura)).valor_pago, '199.80');
  const outro = retornoDe('756', [pago, pago, await resposta(fatura, { movimento: '28', tarifa: 100 })]);
  t.deepEqual(await resultados((await receber(c.provedor, outro)).id), ['repetida', 'repetida', 'tarifa']);
  t.is((await faturaDe(fatura)).valor_pago, '199.80');
});

test('na Caixa, 46 e 06 contam um pagamento, e 44 e 47 um estorno, no mesmo arquivo e em arquivos diferentes', async (t) => {
  const c = await cena('104');
  const [num, emDois] = [await faturar(c), await faturar(c)];
  await gerar(c);
  const de = async (fatura: number, movimento: string) => resposta(fatura, { movimento, pago: 9990 });
  const juntos = retornoDe('104', [await de(num, '46'), await de(num, '06'), await de(emDois, '46')]);
  t.deepEqual(await resultados((await receber(c.provedor, juntos)).id), ['quitada', 'repetida', 'quitada']);
  const depois = await receber(c.provedor, retornoDe('104', [await de(emDois, '06'), await de(emDois, '06')]));
  t.deepEqual(await resultados(depois.id), ['repetida', 'excedente'], 'o segundo 06 é outro pagamento');
  t.deepEqual([(await faturaDe(num)).valor_pago, (await faturaDe(emDois)).valor_pago], ['99.90', '199.80']);

  const estornos = retornoDe('104', [await de(num, '44'), await de(num, '47'), await de(emDois, '47')]);
  t.deepEqual(await resultados((await receber(c.provedor, estornos)).id), ['desfeita', 'repetida', 'desfeita']);
  const outra = await receber(c.provedor, retornoDe('104', [await de(emDois, '44')]));
  t.deepEqual(await resultados(outra.id), ['repetida'], 'o 44 do que o 47 já desfez não desfaz o outro pagamento');
  t.deepEqual([(await faturaDe(num)).valor_pago, (await faturaDe(emDois)).valor_pago], ['0.00', '99.90']);
});

/** The code of a hybrid boleto that says its txid. */
function codigoHibrido(txid: string): string {
  const composto = comporPixDinamico('pix.example/qr/v2/abc', { nome: 'Serra Azul', cidade: 'Alfenas' });
  const antes = `${composto.slice(0, composto.lastIndexOf('6207'))}${escreverCampo('62', escreverCampo('05', txid))}6304`;
  return antes + crc16(antes);
}

test('o boleto híbrido pago pelo QR, que o PSP e o banco contam, conta uma vez; e um txid dito de dois não para o arquivo', async (t) => {
  const c = await cena('341');
  const [paga, outra] = [await faturar(c), await faturar(c)];
  await gerar(c);
  const txid = 'bolecode00000000000000000000001';
  const pix = codigoHibrido(txid);
  const registro = await receber(
    c.provedor,
    retornoDe('341', [await resposta(paga, { movimento: '02', pix }), await resposta(outra, { movimento: '02', pix })]),
  );
  t.deepEqual(await resultados(registro.id), ['registrado', 'registrado']);
  t.deepEqual([(await faturaDe(paga)).pix_txid, (await faturaDe(outra)).pix_txid], [txid, null]);

  const { recebimentos, provedores } = api.container;
  const chegou = {
    endToEndId: 'E12345678202612011200abcdefghijk',
    txid,
    valor: centavos(9990),
    horario: new Date(AGORA),
    devolucoes: [],
  };
  const quem = { tipo: 'tarefa', nome: 'pix.acompanhar' } as const;
  t.is(await recebimentos.registrar(quem as never, await provedores.exigirPorId(c.provedor), chegou), 'quitada');
  const retorno = await receber(c.provedor, retornoDe('341', [await resposta(paga, { movimento: '06', pago: 9990 })]));
  t.deepEqual(await resultados(retorno.id), ['repetida']);
  t.deepEqual([(await faturaDe(paga)).valor_pago, (await boletoDe(paga)).situacao], ['99.90', 'liquidado']);
});

test('o híbrido de que o banco só diz o endereço tem o código composto em volta dele, e o PIX acha a fatura', async (t) => {
  for (const banco of ['033', '237'] as const) {
    const c = await cena(banco);
    const [fatura, semEndereco, semTxid] = [await faturar(c), await faturar(c), await faturar(c)];
    await gerar(c);
    const txid = `hibrido${banco}000000000000000000001`;
    const registrada = { movimento: '02', vencimento: '2026-12-10' };
    await receber(
      c.provedor,
      retornoDe(banco, [
        await resposta(fatura, { ...registrada, location: 'pix.banco.example/qr/v2/cobv/abc-1', txid }),
        await resposta(semEndereco, { ...registrada, location: '39a1178e-db6b-4407', txid: txid.replace(/1$/, '2') }),
        await resposta(semTxid, { ...registrada, location: 'pix.banco.example/qr/v2/cobv/abc-3' }),
      ]),
    );
    const { pix_txid, pix_copia_cola, boleto_situacao } = await faturaDe(fatura);
    t.deepEqual([boleto_situacao, pix_txid], ['registrado', txid]);
    const lido = lerPix(pix_copia_cola);
    t.deepEqual([lido?.url, lido?.txid, lido?.valor], ['pix.banco.example/qr/v2/cobv/abc-1', null, null]);
    const vista = await mudar(c.provedor, async (_, { faturas }) => faturas.buscarPorId(fatura));
    t.is(vista?.segundaVia?.pix?.codigo, pix_copia_cola);
    for (const outra of [semEndereco, semTxid]) {
      const { pix_txid: nenhum, boleto_situacao: situacao } = await faturaDe(outra);
      t.deepEqual([nenhum, situacao], [null, 'registrado'], 'o boleto vale, e o código não se inventa');
    }
    const { recebimentos, provedores } = api.container;
    const chegou = {
      endToEndId: `E1234567820261201120${banco}cdefghijkl`.padEnd(32, 'x').slice(0, 32),
      txid,
      valor: centavos(9990),
      horario: new Date(AGORA),
      devolucoes: [],
    };
    const quem = { tipo: 'tarefa', nome: 'pix.acompanhar' } as const;
    t.is(await recebimentos.registrar(quem as never, await provedores.exigirPorId(c.provedor), chegou), 'quitada');
    const pago = await resposta(fatura, { movimento: '06', pago: 9990 });
    for (const arquivo of [retornoDe(banco, [pago]), retornoDe(banco, [pago, pago])]) {
      const [primeira] = await resultados((await receber(c.provedor, arquivo)).id);
      t.is(primeira, 'repetida', 'também noutro arquivo');
    }
  }
});

test('o que o banco registrou de outro modo não se mostra, a equipe o sabe, e ele é baixado uma vez', async (t) => {
  for (const banco of ['756', '077'] as const) {
    const c = await cena(banco);
    const [outroValor, outroDia] = [await faturar(c), await faturar(c)];
    await gerar(c);
    const entrada = retornoDe(banco, [
      await resposta(outroValor, { movimento: '02', valor: 8990, vencimento: '2026-12-10' }),
      await resposta(outroDia, { movimento: '02', vencimento: '2026-12-11' }),
    ]);
    t.deepEqual(await resultados((await receber(c.provedor, entrada)).id), ['registrado', 'registrado']);
    for (const fatura of [outroValor, outroDia]) {
      const vista = await mudar(c.provedor, async (_, { faturas }) => faturas.buscarPorId(fatura));
      t.is(vista?.segundaVia?.boleto, null);
      t.not(await boletoDe(fatura).then(({ linha }) => linha), null, 'o que o banco tem fica anotado');
    }
    const avisos = await api.dono('notificacoes').where({ provedor_id: c.provedor, tipo: 'boleto.divergente' });
    t.deepEqual(new Set(avisos.map(({ recurso_id }) => recurso_id)), new Set([outroValor, outroDia]));
    // Inter takes no instructions by its file.
    t.is((await gerar(c)).instrucoes, banco === '077' ? 0 : 2, 'um pede a baixa, o outro o vencimento da fatura');
    const baixa = banco === '077' ? '07' : '09';
    await receber(c.provedor, retornoDe(banco, [await resposta(outroValor, { movimento: baixa })]));
    t.is((await faturaDe(outroValor)).boleto_situacao, 'baixado', 'de novo, só por uma pessoa');
  }
});

const digitoDe = (numero: string): string => digitoDoNossoNumero(convenioDe('077'), numero);

test('do que o banco numera, a linha de outro programa com o mesmo id não é do nosso boleto', async (t) => {
  const c = await cena('077');
  const fatura = await faturar(c);
  await gerar(c);
  const alheia = { ...(await resposta(fatura, { movimento: '02', vencimento: '2026-12-10' })), numero: '0000004321' };
  const arquivo = retornoDe('077', [{ ...alheia, dv: digitoDe('0000004321'), documento: '900001' }]);
  t.deepEqual(await resultados((await receber(c.provedor, arquivo)).id), ['desconhecido']);
  t.is((await boletoDe(fatura)).situacao, 'enviado');
  const nossa = { ...alheia, dv: digitoDe('0000004321'), documento: String(fatura) };
  t.deepEqual(await resultados((await receber(c.provedor, retornoDe('077', [nossa]))).id), ['registrado']);
  t.is((await boletoDe(fatura)).numero, '0000004321');
});

test('o híbrido que o banco contou antes do PSP conta uma vez, como PIX, e ninguém tem excedente', async (t) => {
  const c = await cena('033');
  const fatura = await faturar(c);
  await gerar(c);
  const txid = 'hibridoaocontrario00000000000001';
  const doBanco = await resposta(fatura, { movimento: '02', vencimento: '2026-12-10' });
  const pago = await resposta(fatura, { movimento: '06', pago: 9990 });
  const arquivo = retornoDe('033', [{ ...doBanco, location: 'pix.banco.example/qr/v2/9', txid }, pago]);
  t.deepEqual(await resultados((await receber(c.provedor, arquivo)).id), ['registrado', 'quitada']);
  const { recebimentos, provedores } = api.container;
  const chegou = (endToEndId: string) => ({
    endToEndId,
    txid,
    valor: centavos(9990),
    horario: new Date(AGORA),
    devolucoes: [],
  });
  const quem = { tipo: 'tarefa', nome: 'pix.acompanhar' } as never;
  const provedor = await provedores.exigirPorId(c.provedor);
  t.is(await recebimentos.registrar(quem, provedor, chegou('E00000000202612011200contrario01')), 'repetida');
  const { situacao, valor_pago: valor } = await faturaDe(fatura);
  t.deepEqual([situacao, valor], ['paga', '99.90']);
  t.deepEqual(await resultados((await receber(c.provedor, retornoDe('033', [pago]))).id), ['repetida']);
  t.is((await faturaDe(fatura)).valor_pago, '99.90');
  t.is(await recebimentos.registrar(quem, provedor, chegou('E00000000202612011200contrario02')), 'excedente');
  t.is((await faturaDe(fatura)).valor_pago, '199.80', 'outro PIX é outro dinheiro');
});
