import type { Element } from './xml.ts';
import { readXml } from './xml.ts';
import { sum } from './writing.ts';

export interface Note {
  readonly ide: Element;
  readonly emit: Element;
  readonly dest: Element;
  readonly assinante: Element;
  readonly items: readonly Item[];
  readonly total: Element;
  /** Empty for a note without a bill, such as one of adjustment. */
  readonly fat: Element;
  /** The key of the note, or the number of the older paper, which this one replaces; '' when it replaces none. */
  readonly replaces: string;
  readonly toFisco: readonly string[];
  /** What the provider says on it, in its order. */
  readonly messages: readonly string[];
  readonly key: string;
  readonly qrCode: string;
  /** What the authority answered. */
  readonly protocol: Element;
}

export interface Item {
  readonly product: Element;
  /** PIS and COFINS together. */
  readonly pisCofins: string;
  /** Of the ICMS: '' where the item says nothing of it. */
  readonly base: string;
  readonly rate: string;
  readonly icms: string;
  readonly fcp: { readonly rate: string; readonly amount: string } | null;
  /** '' when the item is outside of the ICMS. */
  readonly cst: string;
  readonly taxes: Element;
  readonly additional: string;
}

const ICMS = ['ICMS00', 'ICMS20', 'ICMS40', 'ICMS51', 'ICMS90', 'ICMSSN'];

/**
 * What a DANFE-COM shows of a note, by the layout of the NFCom 1.00 (MOC 1.00a, Anexo I).
 * @throws Error when the document is no NFCom.
 */
export function readNote(xml: Uint8Array): Note {
  const root = readXml(Buffer.from(xml).toString('utf8'));
  const proc = root.child('nfcomProc');
  const nfcom = root.has('nfcomProc') ? proc.child('NFCom') : root.child('NFCom');
  const inf = nfcom.child('infNFCom');
  if (!inf.has('ide')) throw new Error('o XML não é de uma NFCom');
  const protocol = proc.child('protNFCom', 'infProt');
  const sub = inf.child('gSub');
  const fisco = [inf.text('infAdic', 'infAdFisco'), proc.text('protNFCom', 'infFisco', 'xMsg')];
  return {
    ide: inf.child('ide'),
    emit: inf.child('emit'),
    dest: inf.child('dest'),
    assinante: inf.child('assinante'),
    items: inf.children('det').map(readItem),
    total: inf.child('total'),
    fat: inf.child('gFat'),
    replaces: sub.text('chNFCom') || sub.text('gNF', 'nNF'),
    toFisco: fisco.filter((text) => text !== ''),
    messages: inf
      .child('infAdic')
      .children('infCpl')
      .map((text) => text.text()),
    key: inf.text('@Id').replace(/^NFCom/, ''),
    qrCode: nfcom.text('infNFComSupl', 'qrCodNFCom'),
    protocol,
  };
}

function readItem(det: Element): Item {
  const taxes = det.child('imposto');
  const icms = taxes.child(ICMS.find((group) => taxes.has(group)) ?? '');
  return {
    product: det.child('prod'),
    pisCofins: sum([taxes.text('PIS', 'vPIS') || '0', taxes.text('COFINS', 'vCOFINS') || '0']),
    base: icms.text('vBC'),
    rate: icms.text('pICMS'),
    icms: icms.text('vICMS'),
    fcp: icms.has('vFCP') ? { rate: icms.text('pFCP'), amount: icms.text('vFCP') } : null,
    cst: icms.text('CST'),
    taxes,
    additional: det.text('infAdProd'),
  };
}
