import type { Data } from '../../calendario/datas.ts';
import { regimeDe, valorDoItem } from './calculo.ts';
import { chaveValida } from '../base/chave.ts';
import type { Conferencia } from '../base/conferencia.ts';
import { VALOR_MAXIMO } from './decimais.ts';
import type { DadosDaNota, ItemDaNota } from '../base/nota.types.ts';
import type { Icms, Taxa } from '../base/tributos.types.ts';

const MAXIMO_DE_ITENS = 990;
const QUANTIDADE_MAXIMA = 999_999_999_999_999;
const CEM_POR_CENTO = 1_000_000;

/** The CFOPs of communication services (MOC 1.00a, 7.6; rejection 433). */
const CFOPS = /^(?:1205|[56]30[1-7]|[56]933|7301)$/;

/** Refuses what of the items cannot be calculated or written; each is checked by itself. */
export function conferirItens(c: Conferencia, dados: DadosDaNota, emissao: Data | null): void {
  const { itens } = dados;
  c.conferir(
    itens.length > 0 && itens.length <= MAXIMO_DE_ITENS,
    'quantidade_de_itens',
    'itens',
    itens.length === 0 ? 'A nota não tem itens.' : `Uma nota tem até ${MAXIMO_DE_ITENS} itens.`,
  );
  const { crt } = dados.emitente;
  const exigeIbsCbs = emissao !== null && emissao >= dados.ibsCbs.exigidoDesde[regimeDe(crt)];
  for (const [n, item] of itens.entries()) {
    const campo = `itens[${n}]`;
    const rotulo = `O item ${n + 1}`;
    conferirValores(c, item, campo, rotulo);
    conferirTaxas(c, item, campo, rotulo);
    conferirRegime(c, item, crt, campo, rotulo);
    conferirAnterior(c, item, dados.finalidade.tipo === 'ajuste', campo, rotulo);
    conferirIbsCbs(c, item, exigeIbsCbs, campo, rotulo);
  }
  for (const [nome, taxa] of Object.entries<Taxa>({ ...dados.retencoes })) {
    const certa = taxaValida(taxa, 1);
    c.conferir(certa, 'valor_invalido', `retencoes.${nome}`, 'As retenções são percentuais de 0 a 100.');
  }
}

function conferirValores(c: Conferencia, item: ItemDaNota, campo: string, rotulo: string): void {
  const { quantidade, valorUnitario, desconto, acrescimo } = item;
  const inteiro = (n: number, maior: number): boolean => Number.isSafeInteger(n) && n >= 0 && n <= maior;
  const certos = [
    c.conferir(
      inteiro(quantidade, QUANTIDADE_MAXIMA) && quantidade > 0,
      'valor_invalido',
      `${campo}.quantidade`,
      `${rotulo} precisa de uma quantidade.`,
    ),
    c.conferir(
      inteiro(valorUnitario, VALOR_MAXIMO),
      'valor_invalido',
      `${campo}.valorUnitario`,
      `${rotulo} tem um valor que a nota não aceita.`,
    ),
    c.conferir(
      inteiro(desconto, VALOR_MAXIMO) && inteiro(acrescimo, VALOR_MAXIMO),
      'valor_invalido',
      `${campo}.desconto`,
      `${rotulo} tem um desconto ou acréscimo que a nota não aceita.`,
    ),
  ].every(Boolean);
  if (!certos) return;
  if (!c.conferir(valorUnitario > 0, 'valor_zero', `${campo}.valorUnitario`, `${rotulo} não tem valor.`)) return;
  // A price and a quantity may each be right, and their product larger than any amount.
  const grande = (BigInt(valorUnitario) * BigInt(quantidade)) / 10_000n > BigInt(VALOR_MAXIMO);
  const valor = grande ? VALOR_MAXIMO + 1 : valorDoItem(item);
  const dito = valor < 0 ? 'tem um desconto maior do que o seu valor' : 'passa do valor que a nota aceita';
  c.conferir(inteiro(valor, VALOR_MAXIMO), 'valor_invalido', campo, `${rotulo} ${dito}.`);
}

const taxaValida = (taxa: Taxa, multiploDe: number): boolean =>
  Number.isSafeInteger(taxa) && taxa >= 0 && taxa <= CEM_POR_CENTO && taxa % multiploDe === 0;

/** Rates of ICMS have two places in the schema, the others four. */
function conferirTaxas(c: Conferencia, { tributos }: ItemDaNota, campo: string, rotulo: string): void {
  const { icms, pis, cofins, fust, funttel } = tributos;
  const [deIcms, fcp, cheia] = taxasDoIcms(icms);
  const certas =
    deIcms.every((taxa) => taxaValida(taxa, 100)) &&
    [fcp, cheia, pis?.aliquota ?? 0, cofins?.aliquota ?? 0, fust ?? 0, funttel ?? 0].every((taxa) =>
      taxaValida(taxa, 1),
    );
  const soma = (deIcms[0] ?? 0) + fcp;
  c.conferir(
    certas && soma <= CEM_POR_CENTO,
    'valor_invalido',
    `${campo}.tributos`,
    `${rotulo} tem uma alíquota que a nota não aceita.`,
  );
}

function taxasDoIcms(icms: Icms): [deIcms: readonly Taxa[], fcp: Taxa, cheia: Taxa] {
  switch (icms.cst) {
    case 'fora':
    case 'simples':
      return [[], 0, 0];
    case '00':
      return [[icms.aliquota], icms.fcp ?? 0, 0];
    case '20':
      return [[icms.aliquota, icms.reducao], icms.fcp ?? 0, icms.beneficio?.aliquotaCheia ?? 0];
    case '40':
    case '41':
    case '51':
      return [[], 0, icms.beneficio?.aliquotaCheia ?? 0];
    case '90':
      break;
  }
  return [icms.aliquota === null ? [] : [icms.aliquota], icms.fcp ?? 0, icms.beneficio?.aliquotaCheia ?? 0];
}

function conferirRegime(c: Conferencia, item: ItemDaNota, crt: 1 | 2 | 3, campo: string, rotulo: string): void {
  const { cst } = item.tributos.icms;
  const { cfop } = item;
  const errado = (certo: boolean, onde: string, mensagem: string): boolean =>
    c.conferir(certo, 'tributacao_incoerente', `${campo}.${onde}`, `${rotulo} ${mensagem}`);
  if (cst === 'fora') errado(cfop === null, 'cfop', 'está fora do ICMS e por isso não tem CFOP.');
  else errado(cfop !== null && CFOPS.test(cfop), 'cfop', 'precisa de um CFOP de serviço de comunicação.');
  if (crt === 1) {
    errado(
      cst === 'simples' || cst === 'fora',
      'tributos.icms',
      'tem ICMS do regime normal, e o emitente é do Simples.',
    );
  } else {
    errado(cst !== 'simples', 'tributos.icms', 'tem o ICMS do Simples, e o emitente o recolhe pelo regime normal.');
  }
  if (crt === 3) return;
  const { pis, cofins } = item.tributos;
  const semContribuicao = [pis, cofins].every((um) => um === null || (um.cst !== '01' && um.cst !== '02'));
  errado(semContribuicao, 'tributos.pis', 'tem PIS ou COFINS, que o Simples recolhe à parte.');
}

function conferirAnterior(c: Conferencia, item: ItemDaNota, ajuste: boolean, campo: string, rotulo: string): void {
  const { anterior } = item;
  const onde = `${campo}.anterior`;
  if (!ajuste) {
    c.conferir(anterior === null, 'finalidade_incoerente', onde, `${rotulo} só aponta outra nota em um ajuste.`);
    return;
  }
  const certo =
    anterior !== null &&
    chaveValida(anterior.chave) &&
    Number.isSafeInteger(anterior.item) &&
    anterior.item >= 1 &&
    anterior.item <= 9999;
  c.conferir(certo, 'finalidade_incoerente', onde, `${rotulo} precisa apontar a nota e o item que ajusta.`);
}

function conferirIbsCbs(c: Conferencia, { ibsCbs }: ItemDaNota, exige: boolean, campo: string, rotulo: string): void {
  const onde = `${campo}.ibsCbs`;
  if (ibsCbs === null) {
    c.conferir(!exige, 'ibs_cbs_ausente', onde, `${rotulo} precisa da classificação de IBS e CBS.`);
    return;
  }
  const certa = /^\d{3}$/.test(ibsCbs.cst) && /^\d{6}$/.test(ibsCbs.classe);
  c.conferir(certa, 'tributacao_incoerente', onde, `${rotulo} tem uma classificação de IBS e CBS que não existe.`);
}
