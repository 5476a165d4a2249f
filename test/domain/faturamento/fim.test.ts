import test from 'ava';
import { somarDias } from '../../../src/brazil/calendario/datas.ts';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { mesDe, somarMeses } from '../../../src/domain/faturamento/calculo/meses.regras.ts';
import { NO_TERMINAL, SEM_RASTRO } from '../../../src/cli/leitura.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import type { Casa } from '../contratos/apoio.ts';
import { criarApoio, novoContrato, recusa } from './apoio.ts';

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());

const { em, casaQueFatura, noDia } = criarApoio(() => api, relogio);

const visita = (de: Data) => ({
  tipo: 'unico',
  descricao: 'Equipamento não devolvido',
  valor: '30.00',
  de: de.slice(0, 7),
});
const adicionar = async (casa: Casa, id: number, de: Data): Promise<string> =>
  recusa(casa.mudar(async ({ faturamento }) => faturamento.itens.adicionar(id, visita(de))));
const cancelar = async (casa: Casa, id: number): Promise<unknown> =>
  casa.mudar(async ({ movimentos }) => movimentos.cancelar(id, { motivo: 'mudou', faturas_futuras: 'manter' }));

test.serial('de um contrato que acabou, aceita-se o que ainda se cobra uma vez, e só isso', async (t) => {
  const casa = await casaQueFatura({ antecedencia: 10 });
  const ids = [
    await novoContrato(casa, { ativado_em: '2026-01-10', tipo_cobranca: 'pos_pago', dia_vencimento: 31 }),
    await novoContrato(casa, { ativado_em: '2026-01-10', tipo_cobranca: 'pos_pago', dia_vencimento: 5 }),
    await novoContrato(casa, { ativado_em: '2026-01-10', tipo_cobranca: 'pre_pago', dia_vencimento: 10 }),
  ];
  const [isento] = [await novoContrato(casa, { ativado_em: '2026-01-10', tipo_cobranca: 'isento' })];
  const recusados: number[] = [];
  let aceitos = 0;
  for (let hoje = '2026-12-14' as Data, n = 0; hoje < '2027-05-20'; hoje = somarDias(hoje, 1), n += 1) {
    await noDia(casa, hoje);
    em(`${hoje}T15:00:00.000Z`);
    if (hoje === '2026-12-15') for (const id of [...ids, isento]) await cancelar(casa, id);
    if (hoje <= '2026-12-15' || n % 5 !== 0 || hoje > '2027-03-20') continue;
    for (const id of ids) {
      const de = somarMeses(mesDe(hoje), (n / 5) % 3);
      const porque = await adicionar(casa, id, de);
      if (porque === 'feito') aceitos += 1;
      else {
        t.regex(porque, /^tipo: o contrato acabou/);
        const linha = {
          contrato_id: id,
          provedor_id: casa.provedor,
          tipo: 'unico',
          descricao: 'Recusado',
          valor: '30.00',
        };
        const [novo] = await api.dono('contratos_itens').insert({ ...linha, de, criado_em: `${hoje} 15:00:00.000` });
        recusados.push(novo!);
      }
    }
  }
  const itens = await casa.linhas('contratos_itens');
  const cobrados = itens.filter(({ faturamento_id }) => faturamento_id !== null).map(({ id }) => Number(id));
  t.deepEqual(
    cobrados.filter((id) => recusados.includes(id)),
    [],
  );
  t.is(cobrados.length, aceitos);
  t.true(aceitos > 9 && recusados.length > 9);
  em('2026-12-16T15:00:00.000Z');
  t.regex(await adicionar(casa, isento, '2026-12-01' as Data), /^tipo: o contrato acabou/);
});

test.serial('quem desiste antes da ativação não paga nem o que se cobra uma vez; se volta, paga', async (t) => {
  const casa = await casaQueFatura({ antecedencia: 10 });
  em('2026-12-05T15:00:00.000Z');
  const id = await casa.contrato({
    situacao: 'pendente',
    ativado_em: null,
    tipo_cobranca: 'pre_pago',
    dia_vencimento: 10,
  });
  t.is(await adicionar(casa, id, '2026-12-01' as Data), 'feito');
  await cancelar(casa, id);
  t.regex(await adicionar(casa, id, '2026-12-01' as Data), /^tipo: o contrato acabou/);
  await noDia(casa, '2026-12-31');
  t.deepEqual(await casa.linhas('faturas'), []);
  em('2027-01-10T15:00:00.000Z');
  await casa.mudar(async ({ movimentos }) => movimentos.reativar(id, {}));
  await noDia(casa, '2027-01-31');
  t.true((await casa.linhas('contratos_itens')).every(({ faturamento_id }) => faturamento_id !== null));
});

/** One who paid December beforehand, and left in its middle: half of it is his. */
async function comCredito(casa: Casa): Promise<number> {
  const id = await novoContrato(casa, {
    ativado_em: '2026-01-10',
    valor: '31.00',
    tipo_cobranca: 'pre_pago',
    dia_vencimento: 10,
  });
  await noDia(casa, '2026-12-01');
  em('2026-12-15T15:00:00.000Z');
  await cancelar(casa, id);
  await noDia(casa, '2026-12-31');
  em('2027-01-03T15:00:00.000Z');
  return id;
}

async function lerCreditos(casa: Casa) {
  const provedor = await api.container.provedores.exigirPorId(casa.provedor);
  return api.container.readTenant(provedor, SEM_RASTRO, NO_TERMINAL, async ({ creditosDeContratos }) => {
    const { itens } = await creditosDeContratos.listar();
    const doPrimeiro = itens[0] === undefined ? null : await creditosDeContratos.doContrato(itens[0].contratoId);
    return { lista: itens.map(({ contratoId, valor }) => [contratoId, valor]), doPrimeiro: doPrimeiro?.valor ?? null };
  });
}

const acertar = async (casa: Casa, id: number, como: string, valor = '17.00'): Promise<string> =>
  recusa(casa.mudar(async ({ faturamento }) => faturamento.creditos.acertar(id, { como, valor })));
const daReferencia = async (casa: Casa) =>
  (await api.dono('faturamento_cobrancas').where({ provedor_id: casa.provedor }).orderBy('competencia')).map(
    ({ competencia, valor }: { competencia: string; valor: string }) => [competencia, valor],
  );

test.serial(
  'o crédito de um contrato que acabou aparece até que se acerte, e volta com o contrato se não',
  async (t) => {
    const casa = await casaQueFatura({ antecedencia: 10 });
    const [um, outro] = [await comCredito(casa), await novoContrato(casa, { ativado_em: '2026-01-10' })];
    t.deepEqual(await lerCreditos(casa), { lista: [[um, 1700]], doPrimeiro: 1700 });
    t.is(await acertar(casa, um, 'perdoado'), 'como: deve ser um de: devolvido, descontado');
    t.is(await acertar(casa, outro, 'devolvido'), 'transicao_invalida');
    t.is(await acertar(casa, um + 1000, 'devolvido'), 'nao_encontrado');

    // He comes back: his next charge takes it off.
    await casa.mudar(async ({ movimentos }) => movimentos.reativar(um, {}));
    t.deepEqual(await lerCreditos(casa), { lista: [], doPrimeiro: null });
    t.is(await acertar(casa, um, 'devolvido'), 'transicao_invalida');
    await noDia(casa, '2027-01-31');
    const [fatura] = (await casa.linhas('faturas', { contrato_id: um })).slice(-1);
    // February, 29 days of January, and 17.00 less.
    t.is(fatura!['valor'], '43.00');
  },
);

test.serial('o que se acertou não se desconta de novo, nem depois de desfeito o faturamento', async (t) => {
  const casa = await casaQueFatura({ antecedencia: 10 });
  const id = await comCredito(casa);
  // A charge that was made since somebody looked has made it another.
  t.is(await acertar(casa, id, 'devolvido', '16.00'), 'valor: o crédito é agora de R$\u00a017,00: confira');
  t.is(await acertar(casa, id, 'devolvido', ''), 'valor: deve ser um valor em reais, como 99.90');
  t.is(await acertar(casa, id, 'devolvido'), 'feito');
  t.is(await acertar(casa, id, 'devolvido'), 'transicao_invalida');
  t.deepEqual(await lerCreditos(casa), { lista: [], doPrimeiro: null });
  t.deepEqual(
    (await casa.linhas('contratos_historico')).at(-1)!['descricao'],
    'Crédito de R$\u00a017,00 devolvido ao cliente',
  );
  t.true((await casa.auditoria()).includes('contrato.credito_acertado'));
  const vez = (await casa.linhas('faturamentos')).at(-1)!['id'] as number;
  await casa.mudar(async ({ faturamento }) => faturamento.desfazer(vez));
  t.deepEqual(await daReferencia(casa), [
    ['2026-12-01', '31.00'],
    ['2027-01-01', '0.00'],
  ]);
  await casa.mudar(async ({ movimentos }) => movimentos.reativar(id, {}));
  await noDia(casa, '2027-01-31');
  const [fatura] = (await casa.linhas('faturas', { contrato_id: id })).slice(-1);
  t.is(fatura!['valor'], '60.00');
  // When that is taken back, too, what was settled still stays.
  await casa.mudar(async ({ faturamento }) =>
    faturamento.desfazer((await casa.linhas('faturamentos')).at(-1)!['id'] as number),
  );
  t.deepEqual(await daReferencia(casa), [
    ['2026-12-01', '31.00'],
    ['2027-01-01', '0.00'],
  ]);
});
