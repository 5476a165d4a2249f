import test from 'ava';
import { abrirAutoridade } from '../../../seeds/autoridade/autoridade.ts';
import type { Autoridade } from '../../../seeds/autoridade/autoridade.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { cartorio, enviarTudo, escrever, provedorFiscal } from '../../support/fiscal.ts';
import type { ProvedorFiscal } from '../../support/fiscal.ts';
import { relogioEm } from '../../support/relogio.ts';

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
let autoridade: Autoridade;
test.before(async () => {
  api = await criarApi({ relogio, env: { MALHA_REDES_PERMITIDAS: '127.0.0.1/32' } });
  autoridade = await abrirAutoridade({ cartorio, agora: () => relogio.agora() });
});
test.after.always(async () => {
  await autoridade.fechar();
  await api.fechar();
});

/** One invoice of 199.90 for December, of a contract of 99.90 and one of 100.00. */
async function faturaDeDois(p: ProvedorFiscal) {
  const { fatura, cliente, contrato } = await p.fatura({ fatura: { valor: '199.90', competencia: '2026-12-01' } });
  const outro = await p.fabrica.contrato(p.provedor, {
    cliente_id: cliente,
    plano_id: p.plano,
    ativado_em: '2026-02-01',
    cidade: 'Varginha',
    uf: 'MG',
  });
  await api.dono('faturas').where('id', fatura).update({ contrato_id: null });
  const dela = { provedor_id: p.provedor, competencia: '2026-12-01', vencimento: '2026-12-10' };
  const [vez = 0] = await api.dono('faturamentos').insert({
    provedor_id: p.provedor,
    dia: `2026-11-${String((dia += 1)).padStart(2, '0')}`,
    origem: 'pedido',
    iniciado_em: '2026-11-20 12:00:00.000',
  });
  const cobranca = { ...dela, tipo: 'mensalidade', faturamento_id: vez, fatura_id: fatura, dias: 31, itens: '[]' };
  await api.dono('faturamento_cobrancas').insert([
    { ...cobranca, contrato_id: outro, valor: '100.00' },
    { ...cobranca, contrato_id: contrato, valor: '99.90' },
  ]);
  return { fatura, cliente, contrato, outro };
}
let dia = 0;
const EM = '2026-11-20 12:00:00.000';

const emOrdem = (ids: readonly number[]) => ids.toSorted((a, b) => a - b);
const tag = (nota: { xml_autorizado: Buffer }, nome: string) =>
  new RegExp(`<${nome}>([^<]*)</${nome}>`).exec(nota.xml_autorizado.toString())?.[1];

test.serial(
  'a fatura de vários contratos tem uma nota de cada um, que somam a fatura e levam a linha dela',
  async (t) => {
    const p = await provedorFiscal(api, autoridade);
    const { fatura, contrato, outro } = await faturaDeDois(p);
    const desconto = { provedor_id: p.provedor, fatura_id: fatura, tipo: 'desconto', valor: '10.01' };
    await api.dono('faturas_ajustes').insert({ ...desconto, autor: 'teste', dado_em: EM, criado_em: EM });
    const previa = await p.ler(async ({ previaNfcom }) => previaNfcom.previa({}));
    t.like(previa, { notas: 2, recusadasAoTodo: 0 });
    t.like(previa.totais, { nota: 18_989, desconto: 1001 });

    await p.pedir(fatura);
    await t.throwsAsync(p.pedir(fatura), { message: /já tem nota/ });
    t.deepEqual(
      (await p.notas()).map((nota) => [nota.contrato_id, nota.valor]),
      [
        [contrato, '99.90'],
        [outro, '100.00'],
      ],
    );
    await enviarTudo(api.container);
    const notas = await p.notas();
    t.deepEqual(
      notas.map((nota) => [nota.situacao, nota.numero, tag(nota, 'nContrato'), tag(nota, 'dContratoIni'), nota.valor]),
      [
        ['autorizada', 1, String(contrato), '2025-01-10', '94.89'],
        ['autorizada', 2, String(outro), '2026-02-01', '95.00'],
      ],
    );
    // Each is of where its service is, and paid by the one boleto.
    t.deepEqual(
      notas.map((nota) => tag(nota, 'cMunFG')),
      ['3101607', '3170701'],
    );
    const linhas = new Set(notas.map((nota) => tag(nota, 'codBarras')));
    t.deepEqual([...linhas], [(await api.dono('faturas').where('id', fatura).first()).linha_digitavel]);
    t.regex(
      String(tag(notas[0], 'infCpl')) + notas[0].xml_autorizado.toString(),
      new RegExp(`Cobrada na fatura ${fatura}, de R\\$ 199,90, junto com o contrato ${outro}`),
    );
    // Month and period are those that were billed, and not those of the day on which that was done.
    t.deepEqual(
      ['CompetFat', 'dPerUsoIni', 'dPerUsoFim'].map((nome) => tag(notas[1], nome)),
      ['202612', '2026-12-01', '2026-12-31'],
    );
  },
);

test.serial(
  'de uma que se descartou, pede-se outra do mesmo contrato; a substituta é do contrato da substituída',
  async (t) => {
    const p = await provedorFiscal(api, autoridade);
    const { fatura, contrato, outro } = await faturaDeDois(p);
    const primeira = await p.pedir(fatura);
    await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.descartar(primeira));
    await enviarTudo(api.container);
    await p.pedir(fatura);
    await enviarTudo(api.container);
    const vivas = (await p.notas()).filter(({ situacao }) => situacao === 'autorizada');
    t.deepEqual(emOrdem(vivas.map((nota) => nota.contrato_id)), [contrato, outro]);
    t.is(vivas.length, 2);

    const doOutro = vivas.find((nota) => nota.contrato_id === outro);
    const nova = await escrever(api.container, p.provedor, async ({ nfcom }) =>
      nfcom.substituir(doOutro.id, { motivo: '02' }),
    );
    await enviarTudo(api.container);
    const substituta = await api.dono('nfcom').where('id', nova).first();
    t.like(substituta, { situacao: 'autorizada', contrato_id: outro, valor: '100.00' });
    t.is(tag(substituta, 'nContrato'), String(outro));

    // Who asks for a contract's note is given that one, and who asks for none the one that counts.
    t.deepEqual(
      await Promise.all(
        [contrato, outro, null].map(async (qual) =>
          p.ler(async ({ nfcom }) => (await nfcom.daFatura(fatura, qual))?.id),
        ),
      ),
      [vivas.find((nota) => nota.contrato_id === contrato).id, nova, nova],
    );
    t.deepEqual(
      emOrdem(
        (await p.ler(async ({ nfcom }) => nfcom.dosContratos(fatura))).map(({ contratoId }) => Number(contratoId)),
      ),
      [contrato, outro],
    );
  },
);

test.serial('o filtro por plano acha também a fatura de vários contratos, e a que não diz de qual é', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const { fatura, outro } = await faturaDeDois(p);
  const [doOutro, deNinguem] = [await p.fabrica.plano(p.provedor), await p.fabrica.plano(p.provedor)];
  await api.dono('contratos').where('id', outro).update({ plano_id: doOutro });
  const comContrato = await p.fatura();
  // Its note is of its client's only contract that goes on, and not of the one that has ended.
  const semContrato = await p.fatura();
  await api.dono('faturas').where('id', semContrato.fatura).update({ contrato_id: null });
  await p.fabrica.contrato(p.provedor, { cliente_id: semContrato.cliente, plano_id: doOutro, situacao: 'cancelado' });
  const previa = async (planoId: number) =>
    (await p.ler(async ({ previaNfcom }) => previaNfcom.previa({ planoId }))).notas;
  t.deepEqual(await Promise.all([p.plano, doOutro, deNinguem].map(previa)), [4, 2, 0]);
  const pedir = async (planoId: number) =>
    (await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.pedirLote({ planoId }))).notas;
  t.is(await pedir(doOutro), 2);
  t.deepEqual([...new Set((await p.notas()).map(({ fatura_id }) => Number(fatura_id)))], [fatura]);
  t.is(await pedir(p.plano), 2);
  t.deepEqual(
    emOrdem([...new Set((await p.notas()).map(({ fatura_id }) => Number(fatura_id)))]),
    emOrdem([fatura, comContrato.fatura, semContrato.fatura]),
  );
});

test.serial(
  'em lote, cada contrato de cada fatura; e a soma é a da fatura, também se o valor dela mudou',
  async (t) => {
    const p = await provedorFiscal(api, autoridade);
    const { fatura } = await faturaDeDois(p);
    await p.fatura();
    await api.dono('faturas').where('id', fatura).update({ valor: '100.01' });
    const feito = await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.pedirLote({}));
    t.deepEqual(feito, { notas: 3, proxima: null });
    t.deepEqual(
      (await p.notas()).map(({ fatura_id, valor }) => [fatura_id === fatura, valor]),
      [
        [true, '49.97'],
        [true, '50.04'],
        [false, '99.90'],
      ],
    );
  },
);

test.serial('de uma fatura de vários contratos pede-se de novo só a nota de que se desistiu junto', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const { fatura, contrato } = await faturaDeDois(p);
  await p.pedir(fatura);
  const [junto, sozinha] = await p.notas();
  t.is(junto.contrato_id, contrato);
  await escrever(api.container, p.provedor, async ({ nfcom }) => {
    await nfcom.descartar(sozinha.id);
    await nfcom.pausar({});
    const contada = { ultima: sozinha.id, notas: 1, soma: junto.id };
    await nfcom.descartarQueEsperam({}, { ...contada, em: relogio.agora() });
  });
  const contada = await p.ler(async ({ notas }) => notas.desistidas({}));
  t.like(contada, { notas: 1, ultima: junto.id });
  const pedir = async () =>
    escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.pedirDesistidas([junto.id], contada.ambiente));
  t.is(await pedir(), 1);
  t.is(await pedir(), 0);
  const ultima = (await p.notas()).at(-1);
  t.like(ultima, { contrato_id: contrato, situacao: 'pendente' });
  t.true(ultima.id > sozinha.id);
});
