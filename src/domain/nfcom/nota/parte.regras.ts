import { centavos, lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { ContextoDaMontagem } from './contexto.ts';
import type { ContratoRow, FaturaFiscalRow } from './montagem.queries.ts';
import { ratear } from './reparticao.regras.ts';
import { SITUACOES_DE_CANCELADO } from '../../contratos/contratos.types.ts';

/** What a note is of: an invoice, or one contract's part of it. */
export interface Parte {
  readonly contratoId: number | null;
  readonly valor: Centavos;
  readonly desconto: Centavos;
  /** The other contracts that the invoice is of. */
  readonly outros: readonly number[];
}

export function parteDe(
  row: FaturaFiscalRow,
  contexto: Pick<ContextoDaMontagem, 'descontos' | 'partesDasFaturas'>,
  contratoId: number | null,
): Parte {
  const [valor, desconto] = [lerDinheiro(row.valor), contexto.descontos.get(row.id) ?? centavos(0)];
  const partes = contexto.partesDasFaturas.get(row.id) ?? [];
  const qual = partes.findIndex((uma) => uma.contratoId === contratoId);
  const sua = partes[qual];
  if (sua === undefined) return { contratoId: row.contrato_id, valor, desconto, outros: [] };
  const descontos = ratear(
    desconto,
    partes.map((uma) => uma.valor),
  );
  const outros = partes.filter((uma) => uma !== sua).map((uma) => uma.contratoId);
  return { ...sua, desconto: descontos[qual] ?? centavos(0), outros };
}

/** The part's contract; of an invoice that names none, the client's only one that goes on. */
export function contratoDe(
  row: FaturaFiscalRow,
  { contratos, contratosDoCliente, partesDasFaturas }: ContextoDaMontagem,
  { contratoId }: Parte,
): ContratoRow | null {
  if (contratoId !== null) return contratos.get(contratoId) ?? null;
  if (partesDasFaturas.has(row.id)) return null;
  const todos = contratosDoCliente.get(row.cliente_id) ?? [];
  const vivos = todos.filter(({ situacao }) => !SITUACOES_DE_CANCELADO.includes(situacao));
  const [um, outro] = vivos.length > 0 ? vivos : todos;
  return outro === undefined ? (um ?? null) : null;
}

/** Contracts that a text names; of more it says how many there are. */
const MAIS_CONTRATOS = 20;

/** What a note of a part says of the bill that it is paid by: its line and its PIX ask for the whole. */
export function daFaturaInteira({ id, valor }: FaturaFiscalRow, { outros }: Parte): string[] {
  if (outros.length === 0) return [];
  const reais = valor.replace('.', ',');
  const quais =
    outros.length > MAIS_CONTRATOS
      ? `outros ${outros.length} contratos`
      : outros.length === 1
        ? `o contrato ${outros[0]}`
        : `os contratos ${outros.slice(0, -1).join(', ')} e ${outros.at(-1)}`;
  return [`Cobrada na fatura ${id}, de R$ ${reais}, junto com ${quais}, que têm as suas notas.`];
}
