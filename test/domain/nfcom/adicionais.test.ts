import test from 'ava';
import { abrirAutoridade } from '../../../seeds/autoridade/autoridade.ts';
import type { Autoridade } from '../../../seeds/autoridade/autoridade.ts';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { centavos, escreverDinheiro } from '../../../src/brazil/dinheiro/dinheiro.ts';
import type { ItemDaCobranca } from '../../../src/domain/faturamento/faturamento.types.ts';
import { linhasDe } from '../../../src/domain/nfcom/nota/linhas.regras.ts';
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

const MES = '2026-11-01' as Data;
const parte = (tipo: ItemDaCobranca['tipo'], valor: number, descricao: string, item?: number): ItemDaCobranca => ({
  tipo,
  ref: MES,
  valor,
  descricao,
  ...(item === undefined ? {} : { item }),
});

let dia = 0;
/** An invoice as a run makes it of half a month of 99.90, an installation and a rented router. */
async function faturaDoMes(p: ProvedorFiscal, doRoteador = 2000) {
  const total = escreverDinheiro(centavos(16_995 + doRoteador));
  const { fatura, contrato } = await p.fatura({ fatura: { valor: total, competencia: MES } });
  const novo = async (tipo: string, descricao: string, valor: string): Promise<number> => {
    const linha = { provedor_id: p.provedor, contrato_id: contrato, tipo, descricao, valor, de: MES };
    const [id = 0] = await api.dono('contratos_itens').insert({ ...linha, criado_em: EM });
    return id;
  };
  const instalacao = await novo('unico', 'Instalação', '120.00');
  const roteador = await novo('recorrente', 'Roteador', '20.00');
  const [vez = 0] = await api.dono('faturamentos').insert({
    provedor_id: p.provedor,
    dia: `2026-11-${String((dia += 1)).padStart(2, '0')}`,
    origem: 'pedido',
    iniciado_em: EM,
  });
  const itens = [
    parte('mensalidade', 4995, 'Plano 11/2026'),
    parte('adicional', doRoteador, 'Roteador', roteador),
    parte('adicional', 12_000, 'Instalação', instalacao),
  ];
  await api.dono('faturamento_cobrancas').insert({
    provedor_id: p.provedor,
    competencia: MES,
    vencimento: '2026-12-10',
    tipo: 'mensalidade',
    faturamento_id: vez,
    fatura_id: fatura,
    contrato_id: contrato,
    dias: 15,
    valor: total,
    itens: JSON.stringify(itens),
  });
  return fatura;
}
const EM = '2026-11-20 12:00:00.000';

/** Of each item of the newest note: class, name, price, and what ICMS is reckoned on. */
async function itensDaNota(p: ProvedorFiscal): Promise<(string | undefined)[][]> {
  const xml = String((await p.notas()).at(-1)?.xml_autorizado);
  return [...xml.matchAll(/<det [^>]*>(.*?)<\/det>/gs)].map(([, det = '']) =>
    [/<cClass>([^<]*)/, /<xProd>([^<]*)/, /<vProd>([^<]*)/, /<ICMS00>.*?<vBC>([^<]*)/].map(
      (qual) => qual.exec(det)?.[1],
    ),
  );
}

async function emitir(p: ProvedorFiscal, fatura: number) {
  await p.pedir(fatura);
  await enviarTudo(api.container);
  return itensDaNota(p);
}

// One after the other: what one test sends are the notes of all.
test.serial(
  'itens adicionais têm na nota o serviço que o provedor disse, e o preço do plano fica em parte como o mês',
  async (t) => {
    const p = await provedorFiscal(api, autoridade, { crt: 3 });
    const servicos = await escrever(api.container, p.provedor, async ({ servicosNfcom: s }) => {
      const fora = await s.criarGrupo({ nome: 'Fora', icms: 'fora', ibs_cbs_cst: '000', ibs_cbs_classe: '000001' });
      const servico = async (codigo: string, descricao: string, classe: string) =>
        s.criarServico({ codigo, descricao, classe, grupo_id: fora });
      const aplicativos = await servico('SVA', 'Aplicativos', '0600601');
      const roteador = await servico('ROT', 'Locação de roteador', '0800601');
      const [internet] = await api.dono('nfcom_servicos').where({ provedor_id: p.provedor, codigo: 'INTERNET' });
      await s.compor(
        { de: 'provedor' },
        { partes: [{ servico_id: internet.id }, { servico_id: aplicativos, valor: '19.90' }] },
      );
      return { roteador, aplicativos };
    });
    // Nothing is said of them: they are split and taxed as the plan's price.
    t.deepEqual(await emitir(p, await faturaDoMes(p)), [
      ['0400401', 'Acesso à internet', '170.05', '170.05'],
      ['0600601', 'Aplicativos', '19.90', undefined],
    ]);

    await escrever(api.container, p.provedor, async ({ servicosNfcom: s }) => {
      await s.compor({ de: 'recorrente' }, { partes: [{ servico_id: servicos.roteador }] });
    });
    t.deepEqual(await emitir(p, await faturaDoMes(p)), [
      ['0400401', 'Acesso à internet', '150.05', '150.05'],
      ['0600601', 'Aplicativos', '19.90', undefined],
      ['0800601', 'Roteador', '20.00', undefined],
    ]);

    await escrever(api.container, p.provedor, async ({ servicosNfcom: s }) => {
      await s.compor(
        { de: 'unico' },
        { partes: [{ servico_id: servicos.aplicativos, descricao: 'Taxa de instalação' }] },
      );
    });
    t.deepEqual(await emitir(p, await faturaDoMes(p)), [
      ['0400401', 'Acesso à internet', '40.00', '40.00'],
      ['0600601', 'Aplicativos', '9.95', undefined],
      ['0800601', 'Roteador', '20.00', undefined],
      ['0600601', 'Taxa de instalação', '120.00', undefined],
    ]);
  },
);

test.serial('do mês em parte um item adicional tem em parte também o que do preço dele é fixo', async (t) => {
  const p = await provedorFiscal(api, autoridade, { crt: 3 });
  await escrever(api.container, p.provedor, async ({ servicosNfcom: s }) => {
    const fora = await s.criarGrupo({ nome: 'Fora', icms: 'fora', ibs_cbs_cst: '000', ibs_cbs_classe: '000001' });
    const servico = async (codigo: string, descricao: string, classe: string) =>
      s.criarServico({ codigo, descricao, classe, grupo_id: fora });
    const suporte = await servico('SUP', 'Suporte', '0600601');
    const roteador = await servico('ROT', 'Locação de roteador', '0800601');
    await s.compor(
      { de: 'recorrente' },
      { partes: [{ servico_id: roteador }, { servico_id: suporte, valor: '12.00', descricao: 'Suporte' }] },
    );
  });
  const doItem = async (valor: number) => (await emitir(p, await faturaDoMes(p, valor))).slice(1).map((um) => um[2]);
  t.deepEqual(await doItem(2000), ['8.00', '12.00']);
  // Half of it, which is less than the fixed part of the whole.
  t.deepEqual(await doItem(1000), ['4.00', '6.00']);
  // Of more than its price, as of two months in one, nobody knows more of the fixed part.
  t.deepEqual(await doItem(4000), ['28.00', '12.00']);
});

test('as linhas de uma nota somam o valor da fatura, também depois de um crédito ou de outro valor', (t) => {
  const kinds = new Map([
    [1, 'recorrente'],
    [2, 'unico'],
  ] as const);
  const linhas = (valor: number, ...itens: ItemDaCobranca[]) =>
    linhasDe(centavos(valor), itens, (id) => kinds.get(id as 1 | 2) ?? null).map((uma) => [uma.de, uma.valor]);
  const [plano, roteador] = [parte('mensalidade', 9990, 'Plano'), parte('adicional', 2010, 'Roteador', 1)];
  t.deepEqual(linhas(9990), [[null, 9990]]);
  t.deepEqual(linhas(12_000, plano, roteador), [
    [null, 9990],
    ['recorrente', 2010],
  ]);
  t.deepEqual(linhas(6000, plano, roteador, parte('saldo', -6000, 'Crédito')), [
    [null, 4995],
    ['recorrente', 1005],
  ]);
  t.deepEqual(linhas(24_000, plano, roteador), [
    [null, 19_980],
    ['recorrente', 4020],
  ]);
  // Of an item's corrections what is left of it is its line; what is given back alone is taken off the plan's.
  const acerto = parte('adicional', -1000, 'Acerto de Roteador', 1);
  t.deepEqual(linhas(11_000, plano, roteador, acerto), [
    [null, 9990],
    ['recorrente', 1010],
  ]);
  t.deepEqual(linhas(8990, plano, acerto), [[null, 8990]]);
  // An item of no kind that has services is the plan's.
  t.deepEqual(linhas(12_010, plano, roteador, parte('adicional', 10, 'Outro', 3)), [
    [null, 10_000],
    ['recorrente', 2010],
  ]);
  t.deepEqual(linhas(5000, parte('adicional', 5000, 'Instalação', 2)), [['unico', 5000]]);
});
