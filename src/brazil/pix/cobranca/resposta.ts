import { lerDinheiro } from '../../dinheiro/dinheiro.ts';
import type { Centavos } from '../../dinheiro/dinheiro.ts';

/** What a PSP says of a charge. */
export interface CobrancaLida {
  readonly txid: string;
  readonly status: string;
  readonly chave: string;
  readonly valor: Centavos;
  /** Null of a charge without a due date. */
  readonly vencimento: string | null;
  readonly location: string | null;
  readonly copiaECola: string | null;
}

/** One page of `GET /pix`. */
export interface PaginaLida {
  /** As they came: each is judged by itself. */
  readonly pix: readonly unknown[];
  /** How many there are; null: it does not say. */
  readonly paginas: number | null;
}

/** Why a PSP refused (RFC 7807), without values, which may be a person's. */
export interface ProblemaLido {
  readonly codigo: string;
  readonly motivo: string;
}

type Objeto = Readonly<Record<string, unknown>>;

const objeto = (valor: unknown): Objeto | null =>
  typeof valor === 'object' && valor !== null && !Array.isArray(valor) ? (valor as Objeto) : null;
const texto = (valor: unknown): string | null => (typeof valor === 'string' ? valor : null);

const TXID = /^[a-zA-Z0-9]{26,35}$/;
const VALOR = /^\d{1,10}\.\d{2}$/;
const DATA = /^\d{4}-\d{2}-\d{2}$/;
/** A host and a path, without scheme: what field 26-25 of a BR Code takes. */
const LOCATION = /^[a-zA-Z0-9.-]+(?::\d+)?(?:\/[a-zA-Z0-9._~/-]*)?$/;
const LIMITE_DA_LOCATION = 77;
const LIMITE_DO_CODIGO = 512;

/** Null where it is no charge of the API Pix's form. What is not asked for is passed over: the API Pix grows without notice. */
export function lerCobranca(json: unknown): CobrancaLida | null {
  const corpo = objeto(json);
  if (corpo === null) return null;
  const txid = texto(corpo['txid']);
  const status = texto(corpo['status']);
  const chave = texto(corpo['chave']);
  const original = texto(objeto(corpo['valor'])?.['original']);
  if (txid === null || !TXID.test(txid) || status === null || chave === null) return null;
  if (original === null || !VALOR.test(original)) return null;
  const vencimento = texto(objeto(corpo['calendario'])?.['dataDeVencimento']);
  if (vencimento !== null && !DATA.test(vencimento)) return null;
  // Some answer the address of the payload beside `loc`, and some with its scheme.
  const onde =
    (texto(objeto(corpo['loc'])?.['location']) ?? texto(corpo['location']))?.replace(/^https?:\/\//, '') ?? null;
  const codigo = texto(corpo['pixCopiaECola']);
  return {
    txid,
    status,
    chave,
    valor: lerDinheiro(original),
    vencimento,
    location: onde !== null && onde.length <= LIMITE_DA_LOCATION && LOCATION.test(onde) ? onde : null,
    copiaECola: codigo !== null && codigo.length <= LIMITE_DO_CODIGO ? codigo : null,
  };
}

/** Null where it is no page. One without the count of pages is taken for the only one. */
export function lerPagina(json: unknown): PaginaLida | null {
  const corpo = objeto(json);
  if (corpo === null) return null;
  const pix = corpo['pix'] ?? [];
  if (!Array.isArray(pix)) return null;
  const paginacao = objeto(objeto(corpo['parametros'])?.['paginacao']);
  const paginas = paginacao?.['quantidadeDePaginas'];
  return {
    pix,
    paginas: typeof paginas === 'number' && Number.isSafeInteger(paginas) && paginas >= 0 ? paginas : null,
  };
}

const LIMITE_DO_MOTIVO = 300;
/** What may be a document, an account or an amount of somebody. */
const NUMEROS = /\d[\d.,/-]{3,}/g;

/** What a refusal says of itself; PSPs that answer in a form of their own are read as far as they can be. */
export function lerProblema(json: unknown, status: number): ProblemaLido {
  const corpo = objeto(json) ?? {};
  const tipo = texto(corpo['type'])?.split('/').at(-1) ?? texto(corpo['nome']) ?? '';
  const violacoes = Array.isArray(corpo['violacoes']) ? (corpo['violacoes'] as unknown[]) : [];
  const ditas = violacoes
    .map(objeto)
    .flatMap((uma) => (uma === null ? [] : [`${texto(uma['propriedade']) ?? ''}: ${texto(uma['razao']) ?? ''}`]));
  const dito =
    ditas.length > 0 ? ditas.join('; ') : (texto(corpo['detail']) ?? texto(corpo['mensagem']) ?? texto(corpo['title']));
  return {
    codigo: /^[\w-]{1,50}$/.test(tipo) ? tipo : `resposta_${status}`,
    motivo: (dito ?? '')
      .replaceAll(NUMEROS, '…')
      .replaceAll(/\p{Cc}/gu, ' ')
      .slice(0, LIMITE_DO_MOTIVO),
  };
}

/** The address that `GET /webhook/{chave}` says; null where it says none. */
export const lerWebhook = (json: unknown): string | null => texto(objeto(json)?.['webhookUrl']);

/** What became of a devolution that was asked for; null where it is none. */
export function lerDevolucao(json: unknown): { readonly status: string; readonly motivo: string | null } | null {
  const corpo = objeto(json);
  const status = texto(corpo?.['status']);
  return status === null ? null : { status, motivo: texto(corpo?.['motivo'])?.slice(0, LIMITE_DO_MOTIVO) ?? null };
}
