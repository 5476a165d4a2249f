import { XMLParser } from 'fast-xml-parser';
import type { DadosDaNota, ItemDaNota } from '../../../src/brazil/nfcom/base/nota.types.ts';

// A second calculation of a note, with fractions of BigInt and by the tags of the layout, written apart from the code's.

const leitor = new XMLParser({ parseTagValue: false, isArray: (nome) => nome === 'det' });

/** Half up, of `numerador / denominador`, neither of them negative. */
const arredondar = (numerador: bigint, denominador: bigint): bigint =>
  (2n * numerador + denominador) / (2n * denominador);

const porcento = (base: bigint, taxa: number): bigint => arredondar(base * BigInt(taxa), 1_000_000n);

/** Centavos of a text of the XML; undefined where the tag is missing. */
function lido(texto: unknown): bigint | undefined {
  if (texto === undefined) return undefined;
  const partes = typeof texto === 'string' ? /^(\d+)\.(\d\d)$/.exec(texto) : null;
  if (partes === null) throw new Error(`não é dinheiro da nota: ${JSON.stringify(texto)}`);
  return BigInt(partes[1]! + partes[2]!);
}

type Contas = Record<string, bigint | undefined>;

function contasDoItem(item: ItemDaNota, dados: DadosDaNota, data: string): Contas {
  const { icms, pis, cofins, fust, funttel, icmsForaDaBase } = item.tributos;
  const bruto = arredondar(BigInt(item.valorUnitario) * BigInt(item.quantidade), 10_000n);
  const vProd = bruto - BigInt(item.desconto) + BigInt(item.acrescimo);
  const contas: Contas = { vProd };
  let deIcms = 0n;
  if ('aliquota' in icms && icms.aliquota !== null) {
    contas['icms.vBC'] = icms.cst === '20' ? vProd - porcento(vProd, icms.reducao) : vProd;
    contas['icms.vICMS'] = porcento(contas['icms.vBC'], icms.aliquota);
    deIcms += contas['icms.vICMS'];
  }
  if ('fcp' in icms && icms.fcp !== null) {
    contas['icms.vFCP'] = porcento(contas['icms.vBC'] ?? vProd, icms.fcp);
    deIcms += contas['icms.vFCP'];
  }
  if ('beneficio' in icms && icms.beneficio !== null) {
    const cheio = porcento(vProd, icms.beneficio.aliquotaCheia);
    const pago = contas['icms.vICMS'] ?? 0n;
    contas['icms.vICMSDeson'] = cheio > pago ? cheio - pago : 0n;
  }
  const base = icmsForaDaBase ? vProd - deIcms : vProd;
  let resto = vProd - deIcms;
  for (const [nome, um] of [
    ['PIS', pis],
    ['COFINS', cofins],
  ] as const) {
    if (um === null) continue;
    const taxado = um.cst === '01' || um.cst === '02';
    contas[`${nome}.vBC`] = taxado ? base : 0n;
    const valor = taxado ? porcento(base, um.aliquota) : 0n;
    contas[`${nome}.v${nome}`] = valor;
    resto -= valor;
  }
  if (resto < 0n) resto = 0n;
  for (const [nome, taxa] of [
    ['FUST', fust],
    ['FUNTTEL', funttel],
  ] as const) {
    if (taxa === null) continue;
    contas[`${nome}.vBC`] = resto;
    contas[`${nome}.v${nome}`] = porcento(resto, taxa);
  }
  if (dados.retencoes !== null) {
    contas['retTrib.vRetPIS'] = porcento(vProd, dados.retencoes.pis);
    contas['retTrib.vRetCofins'] = porcento(vProd, dados.retencoes.cofins);
    contas['retTrib.vRetCSLL'] = porcento(vProd, dados.retencoes.csll);
    contas['retTrib.vIRRF'] = porcento(vProd, dados.retencoes.irrf);
  }
  const regime = dados.emitente.crt === 3 ? 'normal' : 'simples';
  const valem = dados.ibsCbs.aliquotas.filter(({ desde }) => desde <= data).at(-1);
  if (data >= dados.ibsCbs.desde[regime] && valem !== undefined && item.ibsCbs !== null) {
    contas['classificado'] = 1n;
    if (item.ibsCbs.tributado) {
      contas['IBSCBS.vBC'] = resto;
      contas['IBSCBS.vIBSUF'] = porcento(resto, valem.ibsUf);
      contas['IBSCBS.vIBSMun'] = porcento(resto, valem.ibsMunicipio);
      contas['IBSCBS.vIBS'] = contas['IBSCBS.vIBSUF'] + contas['IBSCBS.vIBSMun'];
      contas['IBSCBS.vCBS'] = porcento(resto, valem.cbs);
    }
  }
  return contas;
}

function contasDoXml(det: any): Contas {
  const { prod, imposto } = det;
  const grupo = Object.keys(imposto).find((nome) => nome.startsWith('ICMS'));
  const icms = grupo === undefined ? {} : imposto[grupo];
  const ibs = imposto.IBSCBS?.gIBSCBS;
  return {
    vProd: lido(prod.vProd),
    ...de('icms', icms, ['vBC', 'vICMS', 'vFCP', 'vICMSDeson']),
    ...de('PIS', imposto.PIS, ['vBC', 'vPIS']),
    ...de('COFINS', imposto.COFINS, ['vBC', 'vCOFINS']),
    ...de('FUST', imposto.FUST, ['vBC', 'vFUST']),
    ...de('FUNTTEL', imposto.FUNTTEL, ['vBC', 'vFUNTTEL']),
    ...de('retTrib', imposto.retTrib, ['vRetPIS', 'vRetCofins', 'vRetCSLL', 'vIRRF']),
    ...(imposto.IBSCBS === undefined ? {} : { classificado: 1n }),
    ...de('IBSCBS', ibs, ['vBC', 'vIBS']),
    ...de('IBSCBS', ibs?.gIBSUF, ['vIBSUF']),
    ...de('IBSCBS', ibs?.gIBSMun, ['vIBSMun']),
    ...de('IBSCBS', ibs?.gCBS, ['vCBS']),
  };
}

function de(prefixo: string, grupo: any, tags: readonly string[]): Contas {
  const contas: Contas = {};
  for (const tag of tags) {
    const valor = lido(grupo?.[tag]);
    if (valor !== undefined) contas[`${prefixo}.${tag}`] = valor;
  }
  return contas;
}

/** Where each total of the layout stands, and of what it is the sum. */
const TOTAIS: readonly (readonly [tag: string, soma: string])[] = [
  ['vProd', 'vProd'],
  ['ICMSTot.vBC', 'icms.vBC'],
  ['ICMSTot.vICMS', 'icms.vICMS'],
  ['ICMSTot.vICMSDeson', 'icms.vICMSDeson'],
  ['ICMSTot.vFCP', 'icms.vFCP'],
  ['vCOFINS', 'COFINS.vCOFINS'],
  ['vPIS', 'PIS.vPIS'],
  ['vFUNTTEL', 'FUNTTEL.vFUNTTEL'],
  ['vFUST', 'FUST.vFUST'],
  ['vRetTribTot.vRetPIS', 'retTrib.vRetPIS'],
  ['vRetTribTot.vRetCofins', 'retTrib.vRetCofins'],
  ['vRetTribTot.vRetCSLL', 'retTrib.vRetCSLL'],
  ['vRetTribTot.vIRRF', 'retTrib.vIRRF'],
  ['IBSCBSTot.vBCIBSCBS', 'IBSCBS.vBC'],
  ['IBSCBSTot.gIBS.gIBSUF.vIBSUF', 'IBSCBS.vIBSUF'],
  ['IBSCBSTot.gIBS.gIBSMun.vIBSMun', 'IBSCBS.vIBSMun'],
  ['IBSCBSTot.gIBS.vIBS', 'IBSCBS.vIBS'],
  ['IBSCBSTot.gCBS.vCBS', 'IBSCBS.vCBS'],
];

const noCaminho = (onde: any, caminho: string): unknown =>
  caminho.split('.').reduce((dentro, parte) => dentro?.[parte], onde);

/** What in the XML of a note differs from the second calculation of its data; nothing when all agrees. */
export function diferencas(dados: DadosDaNota, xml: string): string[] {
  const inf = leitor.parse(xml).NFCom.infNFCom;
  const data = dados.emissao.slice(0, 10);
  const erradas: string[] = [];
  const comparar = (onde: string, noXml: bigint | undefined, certo: bigint | undefined): void => {
    if (noXml !== certo) erradas.push(`${onde}: ${noXml} na nota, ${certo} na conta`);
  };
  const itens = dados.itens.map((item) => contasDoItem(item, dados, data));
  if (inf.det.length !== itens.length) erradas.push('o número de itens');
  for (const [n, contas] of itens.entries()) {
    const noXml = contasDoXml(inf.det[n]);
    for (const tag of new Set([...Object.keys(contas), ...Object.keys(noXml)])) {
      comparar(`item ${n + 1} ${tag}`, noXml[tag], contas[tag]);
    }
  }
  const soma = (tag: string): bigint => {
    let total = 0n;
    for (const [n, contas] of itens.entries()) {
      const { classe, devolucao } = dados.itens[n]!;
      const valor = contas[tag] ?? 0n;
      total += devolucao || classe.startsWith('5') ? -valor : valor;
    }
    return total;
  };
  const temIbs = itens.some((contas) => contas['classificado'] === 1n);
  for (const [tag, somado] of TOTAIS) {
    if (!temIbs && tag.startsWith('IBSCBSTot')) comparar(tag, lido(noCaminho(inf.total, tag)), undefined);
    else comparar(tag, lido(noCaminho(inf.total, tag)), soma(somado));
  }
  const sinal = ({ classe, devolucao }: ItemDaNota): bigint => (devolucao || classe.startsWith('5') ? -1n : 1n);
  const doItem = (campo: 'desconto' | 'acrescimo'): bigint =>
    dados.itens.reduce((total, item) => total + sinal(item) * BigInt(item[campo]), 0n);
  comparar('vDesc', lido(inf.total.vDesc), doItem('desconto'));
  comparar('vOutro', lido(inf.total.vOutro), doItem('acrescimo'));
  const retido = ['vRetPIS', 'vRetCofins', 'vRetCSLL', 'vIRRF'].reduce(
    (total, tag) => total + soma(`retTrib.${tag}`),
    0n,
  );
  const vNF = soma('vProd') - retido;
  comparar('vNF', lido(inf.total.vNF), vNF);
  const soma2027 = data >= dados.ibsCbs.somadoDesde ? soma('IBSCBS.vIBS') + soma('IBSCBS.vCBS') : 0n;
  comparar('vTotDFe', lido(inf.total.vTotDFe), temIbs ? vNF + soma2027 : undefined);
  return erradas;
}
