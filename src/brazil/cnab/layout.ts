import type { Data } from '../calendario/datas.ts';

// Written by hand: no maintained library knows more than one bank.

/** A field of a record: from and to count from 1, inclusive. */
interface Campo {
  readonly nome: string;
  readonly de: number;
  readonly ate: number;
  readonly tipo: 'n' | 'a' | 'd';
  readonly constante: string;
}

export type Registro = readonly Campo[];
export type Valor = string | number | Data | null;

/** What does not fit in its field, or is not what the field takes. */
export class CampoNaoCabe extends Error {
  override readonly name = 'CampoNaoCabe';
  readonly campo: string;

  constructor(campo: string, motivo: string) {
    super(motivo);
    this.campo = campo;
  }
}

/**
 * The fields of a table of `layouts/`. Those of `diferencas` take the place of those that share a position with them.
 * @throws {RangeError} when a table is not fields, or two of them overlap.
 */
export function lerTabela(tabela: string, diferencas = ''): Registro {
  const novos = camposDe(diferencas);
  const ficam = camposDe(tabela).filter((campo) => !novos.some((novo) => novo.de <= campo.ate && campo.de <= novo.ate));
  const campos = [...ficam, ...novos].toSorted((a, b) => a.de - b.de);
  campos.forEach((campo, n) => {
    if (campo.de <= (campos[n - 1]?.ate ?? 0))
      throw new RangeError(`layout: ${campo.nome} começa dentro de outro campo`);
  });
  return campos;
}

function camposDe(tabela: string): Campo[] {
  if (tabela === '') return [];
  return tabela.split('|').map((texto) => {
    const [, nome = '', de, ate, tipo = 'a', constante = ''] =
      /^\s*(\w+) (\d+)-(\d+)(?: ([nad])(?:=(.+?))?)?\s*$/.exec(texto) ?? [];
    if (nome === '' || (tipo !== 'n' && tipo !== 'a' && tipo !== 'd')) throw new RangeError(`layout: ${texto}`);
    return { nome, de: Number(de), ate: Number(ate), tipo, constante };
  });
}

/**
 * A line of `tamanho`: numbers on the right with zeros, texts on the left with blanks, dates as DDMMAAAA or DDMMAA. What has no value
 * is the field's constant, or zeros or blanks.
 * @throws {CampoNaoCabe} when a number, text or date does not fit; nothing is cut here.
 */
export function escreverRegistro(
  registro: Registro,
  tamanho: number,
  valores: Readonly<Record<string, Valor>>,
): string {
  const linha = registro.map((campo) => escreverCampo(campo, valores[campo.nome] ?? campo.constante)).join('');
  if (linha.length !== tamanho) throw new RangeError(`layout: registro de ${linha.length} posições, não ${tamanho}`);
  return linha;
}

function escreverCampo({ nome, de, ate, tipo }: Campo, valor: string | number): string {
  const tamanho = ate - de + 1;
  const texto = tipo === 'd' && valor !== '' ? dataDoBanco(String(valor), tamanho) : String(valor);
  if (texto.length > tamanho) throw new CampoNaoCabe(nome, `não cabe em ${tamanho} posições`);
  if (tipo === 'a') return texto.padEnd(tamanho);
  if (!/^\d*$/.test(texto)) throw new CampoNaoCabe(nome, 'só pode ter algarismos');
  return texto.padStart(tamanho, '0');
}

function dataDoBanco(data: string, tamanho: number): string {
  const [ano = '', mes = '', dia = ''] = data.split('-');
  return dia + mes + (tamanho === 6 ? ano.slice(2) : ano);
}

/** The texts of a line's fields, without the blanks at their ends. */
export function lerRegistro(registro: Registro, linha: string): (nome: string) => string {
  const campos = new Map(registro.map((campo) => [campo.nome, campo]));
  return (nome) => {
    const campo = campos.get(nome);
    return campo === undefined ? '' : linha.slice(campo.de - 1, campo.ate).trim();
  };
}
