import { lerData } from '../../brazil/calendario/datas.ts';
import { lerDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { PixRecebido, PixRecusado } from '../../domain/recebimentos/recebimentos.types.ts';
import type { TypeOf } from '../../platform/schema-type.ts';
import { entrada, foraDoFormato } from './entrada.ts';
import { pixSchema } from './esquema.ts';

const erroDoPix = entrada.check(pixSchema);

/** Status of a devolution that has been carried out; of one that is under way or failed, nothing has gone back. */
const DEVOLVIDO = 'DEVOLVIDO';

/** PIX began in this month: what is said to be older has a broken date. */
const INICIO_DO_PIX = new Date('2020-11-01T00:00:00Z');

/** What an invoice's txid can be; a code without one carries `***`, which some tell as they read it. */
const TXID = /^[a-zA-Z0-9]{1,35}$/;

/** As the API Pix writes them; what is written otherwise says nothing. */
const NATUREZA = /^[A-Z_]{1,30}$/;

/** Of what is refused, how much is kept. */
const DEVOLUCOES_GUARDADAS = 20;
const CARACTERES_GUARDADOS = 64;

/** One PIX of a notice; `onde` is its place there. */
export function lerPix(item: unknown, onde: string): PixRecebido | PixRecusado {
  const recusar = (falta: string): PixRecusado => ({ endToEndId: nomeDe(item), falta, dito: ditoDe(item) });
  const erro = erroDoPix(item);
  if (erro !== null) return recusar(foraDoFormato(erro, onde));
  const { endToEndId, txid, valor, horario, devolucoes } = item as TypeOf<typeof pixSchema>;
  const instante = new Date(horario);
  // Compared so that an instant that is none is refused, too.
  if (lerData(horario.slice(0, 10)) === null || !(instante >= INICIO_DO_PIX)) {
    return recusar(`${onde}/horario: não é a data e hora de um PIX.`);
  }
  if (lerDinheiro(valor) === 0) return recusar(`${onde}/valor: deve ser maior que zero.`);
  return {
    endToEndId,
    txid: seTem(TXID, txid),
    valor: lerDinheiro(valor),
    horario: instante,
    devolucoes: (devolucoes ?? [])
      .filter(({ status }) => status === DEVOLVIDO)
      .map((devolucao) => ({
        id: devolucao.id,
        valor: lerDinheiro(devolucao.valor),
        natureza: seTem(NATUREZA, devolucao.natureza?.toUpperCase()),
      })),
  };
}

/** The text where it has a form; null where it has another, or there is none. */
function seTem(forma: RegExp, texto: string | null | undefined): string | null {
  return typeof texto === 'string' && forma.test(texto) ? texto : null;
}

/** Of what was told, the fields that we know, as texts cut short; nothing of who paid. */
function ditoDe(item: unknown): object {
  const { devolucoes } = campos(item, ['devolucoes']);
  const lista = Array.isArray(devolucoes) ? (devolucoes as unknown[]).slice(0, DEVOLUCOES_GUARDADAS) : [];
  return {
    ...textos(campos(item, ['endToEndId', 'txid', 'valor', 'horario'])),
    ...(lista.length === 0
      ? {}
      : { devolucoes: lista.map((dela) => textos(campos(dela, ['id', 'valor', 'status', 'natureza']))) }),
  };
}

/** In the order of the names, so that the same is always written the same. */
function campos(item: unknown, nomes: readonly string[]): Record<string, unknown> {
  if (typeof item !== 'object' || item === null) return {};
  const ditos = new Map(Object.entries(item));
  return Object.fromEntries(nomes.filter((nome) => ditos.has(nome)).map((nome) => [nome, ditos.get(nome)]));
}

function textos(valores: Record<string, unknown>): Record<string, string> {
  const escrever = (valor: unknown): string => {
    // What is nested is none of the fields that we know, and may say who paid.
    const texto = typeof valor === 'object' && valor !== null ? '{…}' : String(valor);
    // Half a pair of surrogates, which a JSON column does not take, becomes a sign of its own.
    return Buffer.from(texto.slice(0, CARACTERES_GUARDADOS)).toString();
  };
  return Object.fromEntries(Object.entries(valores).map(([nome, valor]) => [nome, escrever(valor)]));
}

function nomeDe(item: unknown): string | null {
  const nome = typeof item === 'object' && item !== null && 'endToEndId' in item ? item.endToEndId : null;
  return typeof nome === 'string' ? nome.slice(0, 32) : null;
}
