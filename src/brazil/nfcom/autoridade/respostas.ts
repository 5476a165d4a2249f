import { XMLParser } from 'fast-xml-parser';

/** What the authority says: its code (three or four digits) and its reason, in Portuguese. */
export interface Situacao {
  readonly cStat: string;
  readonly motivo: string;
}

/** A protocol of authorisation or of rejection (protNFCom). */
export interface Protocolo extends Situacao {
  readonly chave: string;
  readonly ambiente: string;
  readonly aplicativo: string;
  /** As it was written: a date and time with its offset. */
  readonly recebidaEm: string;
  /** 16 digits by the schema, and up to 20 are taken; null of a rejection, and where what was said is no such number. */
  readonly numero: string | null;
  /** DigestValue of the note that the authority has; null where it does not say. */
  readonly digest: string | null;
  /** What the tax office has to say besides (infFisco), which the DANFE-COM prints; null when nothing. */
  readonly fisco: { readonly codigo: string; readonly mensagem: string } | null;
}

export interface RespostaDaNota extends Situacao {
  readonly protocolo: Protocolo | null;
}

export interface RespostaDaConsulta extends RespostaDaNota {
  readonly eventos: readonly RespostaDoEvento[];
}

export interface RespostaDoEvento extends Situacao {
  readonly chave: string | null;
  readonly tipo: string | null;
  readonly sequencia: number | null;
  readonly protocolo: string | null;
  readonly registradoEm: string | null;
}

/** How an authority registered an event, as a document of it says so. */
export interface RegistroDeEvento extends RespostaDoEvento {
  readonly ambiente: string;
  readonly aplicativo: string;
  readonly orgao: string;
  /** What kind of event it is, in words (xEvento). */
  readonly nome: string | null;
}

// Prefixes differ from authority to authority, and a key of 44 digits is no number.
const leitor = new XMLParser({
  removeNSPrefix: true,
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: true,
  isArray: (nome) => nome === 'procEventoNFCom',
});

/** The answer of NFComRecepcao; null when the text is none, as of a proxy's page of error. */
export function lerRecepcao(xml: string): RespostaDaNota | null {
  const retorno = acharRetorno(xml, 'retNFCom');
  const situacao = lerSituacao(retorno);
  return situacao === null ? null : { ...situacao, protocolo: lerProtocolo(filho(retorno, 'protNFCom')) };
}

/** The answer of NFComConsulta: the protocol of the note, and its events. */
export function lerConsulta(xml: string): RespostaDaConsulta | null {
  const retorno = acharRetorno(xml, 'retConsSitNFCom');
  const situacao = lerSituacao(retorno);
  if (retorno === null || situacao === null) return null;
  const processados: unknown = retorno['procEventoNFCom'] ?? [];
  const eventos = Array.isArray(processados) ? processados : [];
  return {
    ...situacao,
    protocolo: lerProtocolo(filho(retorno, 'protNFCom')),
    eventos: eventos.flatMap((um: unknown) => lerEvento(procurar(elemento(um), 'retEventoNFCom', 2)) ?? []),
  };
}

/** The answer of NFComStatusServico: 107 up, 108 paused, 109 down. */
export const lerStatus = (xml: string): Situacao | null => lerSituacao(acharRetorno(xml, 'retConsStatServNFCom'));

/** The answer of NFComRecepcaoEvento. */
export const lerRecepcaoDeEvento = (xml: string): RespostaDoEvento | null =>
  lerEvento(acharRetorno(xml, 'retEventoNFCom'));

const REGISTRADO = new Set(['135', '136']);

/** The registration of an event of a kind, in the answer to that event or to a query of its note; null where there is none. */
export function lerRegistroDeEvento(xml: string, tipo: string): RegistroDeEvento | null {
  const doEvento = acharRetorno(xml, 'retEventoNFCom');
  const processados: unknown = acharRetorno(xml, 'retConsSitNFCom')?.['procEventoNFCom'] ?? [];
  const daNota = (Array.isArray(processados) ? processados : []).map((um: unknown) =>
    procurar(elemento(um), 'retEventoNFCom', 2),
  );
  for (const retorno of doEvento === null ? daNota : [doEvento]) {
    const lido = lerEvento(retorno);
    const inf = filho(retorno, 'infEvento');
    if (lido === null || lido.tipo !== tipo || !REGISTRADO.has(lido.cStat)) continue;
    return {
      ...lido,
      ambiente: texto(inf, 'tpAmb') ?? '',
      aplicativo: texto(inf, 'verAplic') ?? '',
      orgao: texto(inf, 'cOrgao') ?? '',
      nome: texto(inf, 'xEvento'),
    };
  }
  return null;
}

type Elemento = Readonly<Record<string, unknown>>;

/** The element of this name, wherever in the envelope it stands. */
function acharRetorno(xml: string, nome: string): Elemento | null {
  // Answers have no DTD, and one could make a small text large.
  if (xml.includes('<!DOCTYPE')) return null;
  let lido: unknown;
  try {
    lido = leitor.parse(xml);
  } catch {
    return null;
  }
  return procurar(elemento(lido), nome, 4);
}

/** The element of this name, at most so many levels below; the schema of a query's answer leaves some open. */
function procurar(onde: Elemento | null, nome: string, fundo: number): Elemento | null {
  const achado = filho(onde, nome);
  if (onde === null || achado !== null || fundo === 0) return achado;
  for (const um of Object.values(onde)) {
    const ali = procurar(elemento(um), nome, fundo - 1);
    if (ali !== null) return ali;
  }
  return null;
}

function elemento(valor: unknown): Elemento | null {
  return typeof valor === 'object' && valor !== null && !Array.isArray(valor) ? { ...valor } : null;
}

const filho = (de: Elemento | null, nome: string): Elemento | null => elemento(de?.[nome]);

function texto(de: Elemento | null, nome: string): string | null {
  const valor = de?.[nome];
  return typeof valor === 'string' && valor !== '' ? valor : null;
}

function lerSituacao(de: Elemento | null): Situacao | null {
  const cStat = texto(de, 'cStat');
  return cStat === null || !/^\d{3,4}$/.test(cStat) ? null : { cStat, motivo: texto(de, 'xMotivo') ?? '' };
}

function lerProtocolo(prot: Elemento | null): Protocolo | null {
  const inf = procurar(prot, 'infProt', 1);
  const situacao = lerSituacao(inf);
  const chave = texto(inf, 'chNFCom');
  if (situacao === null || chave === null) return null;
  const fisco = procurar(prot, 'infFisco', 1);
  return {
    ...situacao,
    chave,
    ambiente: texto(inf, 'tpAmb') ?? '',
    aplicativo: texto(inf, 'verAplic') ?? '',
    recebidaEm: texto(inf, 'dhRecbto') ?? '',
    numero: lerNumero(texto(inf, 'nProt')),
    digest: texto(inf, 'digVal'),
    fisco: fisco === null ? null : { codigo: texto(fisco, 'cMsg') ?? '', mensagem: texto(fisco, 'xMsg') ?? '' },
  };
}

const lerNumero = (dito: string | null): string | null => (dito !== null && /^\d{1,20}$/.test(dito) ? dito : null);

function lerEvento(retorno: Elemento | null): RespostaDoEvento | null {
  const inf = filho(retorno, 'infEvento');
  const situacao = lerSituacao(inf);
  if (situacao === null) return null;
  const sequencia = texto(inf, 'nSeqEvento');
  return {
    ...situacao,
    chave: texto(inf, 'chNFCom'),
    tipo: texto(inf, 'tpEvento'),
    sequencia: sequencia === null ? null : Number(sequencia),
    protocolo: texto(inf, 'nProt'),
    registradoEm: texto(inf, 'dhRegEvento'),
  };
}
