import { escreverDinheiro, type Centavos } from '../../dinheiro/dinheiro.ts';
import type { ItemCalculado, ItemIbsCbs } from './calculo.ts';
import type { Conferencia } from '../base/conferencia.ts';
import { escreverQuantidade, escreverTaxa2, escreverTaxa2a4, escreverTaxa4 } from './decimais.ts';
import type { ItemDaNota } from '../base/nota.types.ts';
import type { Calculado, Contribuicao, IbsCbsDoItem } from '../base/tributos.types.ts';
import { escapar, tag, tagOpcional } from '../base/xml.ts';

/** The texts of an item, as they are written. */
export interface TextosDoItem {
  readonly codigo: string;
  readonly descricao: string;
  /** Of its fiscal benefit; '' where there is none. */
  readonly beneficio: string;
  readonly informacoes: string | null;
}

/** Reads the texts of the item with this index, which are refused or not whatever its values are. */
export function lerTextosDoItem(c: Conferencia, item: ItemDaNota, indice: number): TextosDoItem {
  const campo = `itens[${indice}]`;
  const de = `do item ${indice + 1}`;
  const { icms } = item.tributos;
  const beneficio = 'beneficio' in icms ? icms.beneficio : null;
  const classe = /^\d{7}$/.test(item.classe);
  c.conferir(classe, 'tributacao_incoerente', `${campo}.classe`, `A classe ${de} precisa de 7 algarismos.`);
  const codigo = { campo: `${campo}.codigo`, rotulo: `O código ${de}`, minimo: 1, maximo: 60, inteiro: true };
  const descricao = { campo: `${campo}.descricao`, rotulo: `A descrição ${de}`, minimo: 1, maximo: 120 };
  const informacoes = { campo: `${campo}.informacoes`, rotulo: `A informação ${de}`, maximo: 500, inteiro: true };
  const doBeneficio = {
    campo: `${campo}.tributos.icms.beneficio.codigo`,
    rotulo: `O código de benefício ${de}`,
    minimo: 1,
    maximo: 10,
    inteiro: true,
  };
  return {
    codigo: c.texto(item.codigo, codigo),
    descricao: c.texto(item.descricao, descricao),
    beneficio: beneficio === null ? '' : c.texto(beneficio.codigo, doBeneficio),
    informacoes: c.textoOpcional(item.informacoes, informacoes),
  };
}

/** det: an item, with its number in the note, from 1 on. Attributes are in the order of canonical XML. */
export function escreverItem(calculado: ItemCalculado, textos: TextosDoItem, numero: number): string {
  const { anterior } = calculado.item;
  const nota = anterior === null ? '' : ` chNFComAnt="${anterior.chave}"`;
  const item = anterior === null ? '' : ` nItemAnt="${anterior.item}"`;
  return (
    `<det${nota} nItem="${numero}"${item}>` +
    escreverProduto(calculado, textos) +
    tag('imposto', escreverImposto(calculado, textos)) +
    tagOpcional('infAdProd', textos.informacoes) +
    '</det>'
  );
}

function escreverProduto({ item, valor }: ItemCalculado, { codigo, descricao }: TextosDoItem): string {
  return tag(
    'prod',
    tag('cProd', escapar(codigo)) +
      tag('xProd', escapar(descricao)) +
      tag('cClass', item.classe) +
      tagOpcional('CFOP', item.cfop) +
      tag('uMed', item.unidade) +
      tag('qFaturada', escreverQuantidade(item.quantidade)) +
      dinheiro('vItem', item.valorUnitario) +
      (item.desconto === 0 ? '' : dinheiro('vDesc', item.desconto)) +
      (item.acrescimo === 0 ? '' : dinheiro('vOutro', item.acrescimo)) +
      dinheiro('vProd', valor) +
      (item.devolucao ? tag('indDevolucao', 1) : ''),
  );
}

function escreverImposto(calculado: ItemCalculado, textos: TextosDoItem): string {
  const { item, pis, cofins, fust, funttel, retido, classificado, ibsCbs } = calculado;
  const { tributos } = item;
  return (
    escreverIcms(calculado, textos) +
    escreverContribuicao('PIS', tributos.pis, pis) +
    escreverContribuicao('COFINS', tributos.cofins, cofins) +
    escreverFundo('FUST', fust) +
    escreverFundo('FUNTTEL', funttel) +
    (retido === null
      ? ''
      : tag(
          'retTrib',
          dinheiro('vRetPIS', retido.pis) +
            dinheiro('vRetCofins', retido.cofins) +
            dinheiro('vRetCSLL', retido.csll) +
            dinheiro('vBCIRRF', retido.baseDoIrrf) +
            dinheiro('vIRRF', retido.irrf),
        )) +
    (classificado && item.ibsCbs !== null ? escreverIbsCbs(item.ibsCbs, ibsCbs) : '')
  );
}

function escreverIcms(calculado: ItemCalculado, textos: TextosDoItem): string {
  const { icms: grupo } = calculado.item.tributos;
  const { icms, fcp, desonerado } = calculado;
  const devido =
    icms === null
      ? ''
      : dinheiro('vBC', icms.base) + tag('pICMS', escreverTaxa2(icms.aliquota)) + dinheiro('vICMS', icms.valor);
  const pobreza = fcp === null ? '' : tag('pFCP', escreverTaxa2a4(fcp.aliquota)) + dinheiro('vFCP', fcp.valor);
  const beneficiado =
    desonerado === null ? '' : dinheiro('vICMSDeson', desonerado) + tag('cBenef', escapar(textos.beneficio));
  switch (grupo.cst) {
    case 'fora':
      return tag('indSemCST', 1);
    case 'simples':
      return tag('ICMSSN', tag('CST', '90') + tag('indSN', 1));
    case '00':
      return tag('ICMS00', tag('CST', '00') + devido + pobreza);
    case '20':
      return tag(
        'ICMS20',
        tag('CST', '20') + tag('pRedBC', escreverTaxa2(grupo.reducao)) + devido + beneficiado + pobreza,
      );
    case '40':
    case '41':
      return tag('ICMS40', tag('CST', grupo.cst) + beneficiado);
    case '51':
      return tag('ICMS51', tag('CST', '51') + beneficiado);
    case '90':
      break;
  }
  return tag('ICMS90', tag('CST', '90') + devido + beneficiado + pobreza);
}

const escreverContribuicao = (nome: 'PIS' | 'COFINS', de: Contribuicao | null, calculada: Calculado | null): string =>
  de === null || calculada === null
    ? ''
    : tag(
        nome,
        tag('CST', de.cst) +
          dinheiro('vBC', calculada.base) +
          tag(`p${nome}`, escreverTaxa2a4(calculada.aliquota)) +
          dinheiro(`v${nome}`, calculada.valor),
      );

const escreverFundo = (nome: 'FUST' | 'FUNTTEL', calculado: Calculado | null): string =>
  calculado === null
    ? ''
    : tag(
        nome,
        dinheiro('vBC', calculado.base) +
          tag(`p${nome}`, escreverTaxa2a4(calculado.aliquota)) +
          dinheiro(`v${nome}`, calculado.valor),
      );

function escreverIbsCbs({ cst, classe }: IbsCbsDoItem, valores: ItemIbsCbs | null): string {
  const parte = (grupo: string, nome: string, { aliquota, valor }: Calculado): string =>
    tag(grupo, tag(`p${nome}`, escreverTaxa4(aliquota)) + dinheiro(`v${nome}`, valor));
  return tag(
    'IBSCBS',
    tag('CST', cst) +
      tag('cClassTrib', classe) +
      (valores === null
        ? ''
        : tag(
            'gIBSCBS',
            dinheiro('vBC', valores.cbs.base) +
              parte('gIBSUF', 'IBSUF', valores.ibsUf) +
              parte('gIBSMun', 'IBSMun', valores.ibsMunicipio) +
              dinheiro('vIBS', valores.ibs) +
              parte('gCBS', 'CBS', valores.cbs),
          )),
  );
}

const dinheiro = (nome: string, valor: Centavos): string => tag(nome, escreverDinheiro(valor));
