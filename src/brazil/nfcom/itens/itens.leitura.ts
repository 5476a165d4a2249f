import { XMLParser } from 'fast-xml-parser';
import { lerDinheiro } from '../../dinheiro/dinheiro.ts';
import type { Centavos } from '../../dinheiro/dinheiro.ts';

/** What an item of a note was, as its document says it. */
export interface ItemLido {
  /** From 1. */
  readonly item: number;
  readonly codigo: string;
  readonly descricao: string;
  /** cClass, of 7 digits. */
  readonly classe: string;
  readonly cfop: string | null;
  readonly unidade: string;
  readonly valor: Centavos;
}

// Codes with zeros before them are no numbers.
const leitor = new XMLParser({
  removeNSPrefix: true,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  isArray: (nome) => nome === 'det',
});

/** The items of a note's document, signed or authorised; none of what is no NFCom, or is not whole. */
export function lerItensDaNota(xml: string): ItemLido[] {
  let lido: unknown;
  try {
    lido = leitor.parse(xml);
  } catch {
    return [];
  }
  const nota = filho(filho(lido, 'nfcomProc') ?? lido, 'NFCom');
  const itens = filho(filho(nota, 'infNFCom'), 'det');
  return (Array.isArray(itens) ? itens : []).flatMap((det: unknown): ItemLido[] => {
    const prod = filho(det, 'prod');
    const [item, codigo, descricao] = [texto(det, '@nItem'), texto(prod, 'cProd'), texto(prod, 'xProd')];
    const [classe, unidade, valor] = [texto(prod, 'cClass'), texto(prod, 'uMed'), texto(prod, 'vProd')];
    if (item === null || codigo === null || descricao === null) return [];
    if (classe === null || unidade === null || valor === null || !/^\d{1,13}\.\d{2,8}$/.test(valor)) return [];
    const emCentavos = lerDinheiro(Number(valor).toFixed(2));
    return [{ item: Number(item), codigo, descricao, classe, cfop: texto(prod, 'CFOP'), unidade, valor: emCentavos }];
  });
}

const filho = (pai: unknown, nome: string): unknown =>
  typeof pai === 'object' && pai !== null ? Object.entries(pai).find(([um]) => um === nome)?.[1] : undefined;

function texto(pai: unknown, nome: string): string | null {
  const achado = filho(pai, nome);
  return typeof achado === 'string' && achado !== '' ? achado : null;
}
