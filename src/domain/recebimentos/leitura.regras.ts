import { lerData } from '../../brazil/calendario/datas.ts';
import { lerDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Devolucao, PixRecebido, PixRecusado } from './recebimentos.types.ts';

/** Status of a devolution that has been carried out; of one that is under way or failed, nothing has gone back. */
const DEVOLVIDO = 'DEVOLVIDO';

/** PIX began in this month: what is said to be older has a broken date. */
const INICIO_DO_PIX = new Date('2020-11-01T00:00:00Z');

/** What an invoice's txid can be; a code without one carries `***`, which some tell as they read it. */
const TXID = /^[a-zA-Z0-9]{1,35}$/;

/** As the API Pix writes them; what is written otherwise says nothing. */
const NATUREZA = /^[A-Z_]{1,30}$/;

const END_TO_END = /^[a-zA-Z0-9]{32}$/;
const VALOR = /^\d{1,10}\.\d{2}$/;
/** RFC 3339; whether the date exists is judged apart. */
const HORARIO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;
const ID_DE_DEVOLUCAO = /^[a-zA-Z0-9]{1,35}$/;
const MAIS_DEVOLUCOES = 1000;

/** What some PSPs call a PIX that the account sent, and tell of among those that it received. */
const ENVIADO = 'SOLICITACAO';

/** Of what is refused, how much is kept. */
const DEVOLUCOES_GUARDADAS = 20;
const CARACTERES_GUARDADOS = 64;

/** Something has not the form of the API Pix; the message names its place. */
class Torto extends Error {}

/**
 * One PIX, as a PSP tells of it by its webhook or its list (Banco Central, API Pix 2.9, schema `Pix`). Fields that we have no use for, the
 * payer's among them, are passed over unread; PSPs write what is absent in several ways.
 *
 * @param onde its place among what was told
 */
export function lerPix(item: unknown, onde: string): PixRecebido | PixRecusado {
  const recusar = (falta: string): PixRecusado => ({ endToEndId: nomeDe(item), falta, dito: ditoDe(item) });
  try {
    return lerBem(item, onde);
  } catch (error) {
    if (error instanceof Torto) return recusar(error.message);
    throw error;
  }
}

function lerBem(item: unknown, onde: string): PixRecebido {
  const pix = comoObjeto(item, onde);
  for (const nome of ['endToEndId', 'valor', 'horario']) {
    if (pix[nome] === undefined) throw new Torto(foraDoFormato(`${onde}/${nome}`));
  }
  const endToEndId = comForma(pix['endToEndId'], END_TO_END, `${onde}/endToEndId`);
  const { txid = null, devolucoes = null } = pix;
  // Any text: a txid that no invoice can have counts as none, and the payment is kept.
  if (txid !== null && typeof txid !== 'string') throw new Torto(foraDoFormato(`${onde}/txid`));
  const valor = comForma(pix['valor'], VALOR, `${onde}/valor`);
  const horario = comForma(pix['horario'], HORARIO, `${onde}/horario`);
  const lidas = lerDevolucoes(devolucoes, `${onde}/devolucoes`);
  const instante = new Date(horario);
  // By `!(… >= …)` an invalid date is refused too, because no comparison holds of it.
  if (lerData(horario.slice(0, 10)) === null || !(instante >= INICIO_DO_PIX)) {
    throw new Torto(`${onde}/horario: não é a data e hora de um PIX.`);
  }
  if (lerDinheiro(valor) === 0) throw new Torto(`${onde}/valor: deve ser maior que zero.`);
  if (pix['tipo'] === ENVIADO) throw new Torto(`${onde}/tipo: é um PIX enviado, e não recebido.`);
  return { endToEndId, txid: seTem(TXID, txid), valor: lerDinheiro(valor), horario: instante, devolucoes: lidas };
}

function lerDevolucoes(valor: unknown, onde: string): Devolucao[] {
  if (valor === null) return [];
  if (!Array.isArray(valor) || valor.length > MAIS_DEVOLUCOES) throw new Torto(foraDoFormato(onde));
  return (valor as unknown[]).flatMap((item, n): Devolucao[] => {
    const dela = comoObjeto(item, `${onde}/${n}`);
    for (const nome of ['id', 'valor', 'status']) {
      if (dela[nome] === undefined) throw new Torto(foraDoFormato(`${onde}/${n}/${nome}`));
    }
    const id = comForma(dela['id'], ID_DE_DEVOLUCAO, `${onde}/${n}/id`);
    const quanto = comForma(dela['valor'], VALOR, `${onde}/${n}/valor`);
    const { status, natureza = null } = dela;
    if (typeof status !== 'string') throw new Torto(foraDoFormato(`${onde}/${n}/status`));
    if (natureza !== null && typeof natureza !== 'string') throw new Torto(foraDoFormato(`${onde}/${n}/natureza`));
    if (status !== DEVOLVIDO) return [];
    return [{ id, valor: lerDinheiro(quanto), natureza: seTem(NATUREZA, natureza?.toUpperCase()) }];
  });
}

function comoObjeto(valor: unknown, onde: string): Readonly<Record<string, unknown>> {
  if (typeof valor !== 'object' || valor === null || Array.isArray(valor)) throw new Torto(foraDoFormato(onde));
  return valor as Readonly<Record<string, unknown>>;
}

function comForma(valor: unknown, forma: RegExp, onde: string): string {
  if (typeof valor !== 'string' || !forma.test(valor)) throw new Torto(foraDoFormato(onde));
  return valor;
}

const foraDoFormato = (onde: string): string => `${onde}: fora do formato da API Pix.`;

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
