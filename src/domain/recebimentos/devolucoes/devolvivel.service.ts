import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { centavos, escreverDinheiro, lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { COLUNAS_DO_BOLETO } from '../boletos/boletos.types.ts';
import { COLUNAS_DO_MANUAL } from '../manuais/manuais.types.ts';
import { julgar } from '../quitacao.regras.ts';
import type { Juizo } from '../quitacao.regras.ts';
import { travarFatura } from '../quitacao.service.ts';
import type { Travada } from '../quitacao.service.ts';
import { createRecebimentosQueries } from '../recebimentos.queries.ts';
import { COLUNAS_DO_RECEBIDO } from '../recebimentos.types.ts';
import { createDevolucoesQueries, restaDe } from './devolucoes.queries.ts';
import { reservadoPorFatura } from './reservas.service.ts';
import type { MeioDevolvido } from './devolucoes.types.ts';

/** Something that came in, as far as giving it back goes. */
interface Entrada {
  readonly id: number;
  readonly fatura_id: number | null;
  readonly valor: string;
  readonly devolvido: string;
  readonly pago_em: string;
  /** A boleto that its bank undid, or a payment that a person did: nothing of it came in. */
  readonly desfeito: boolean;
}

interface Excedente {
  valor: string;
  usado: string;
}
const DO_EXCEDENTE = columns<Excedente>('faturas_lancamentos', { valor: true, usado: true });

/** Something that came in, and what there is to say of giving it back; locked, with its invoice. */
export interface Devolvivel {
  readonly entrada: Entrada;
  readonly travada: Travada | null;
  /** What is neither given back nor asked to be. */
  readonly resta: Centavos;
  /** Of that, what has paid nothing: all of what is not identified; else the invoice's surplus that no credit was made of. */
  readonly livre: Centavos;
  /** Whether credits of other invoices were made of the invoice's surplus: then nothing may be given back beyond what is free. */
  readonly creditado: boolean;
}

/** Reads something that came in. Until it is locked, somebody may put it to another invoice. */
async function lerEntrada(w: Write, meio: MeioDevolvido, id: number, travar: boolean): Promise<Entrada | undefined> {
  const de = (tabela: string) =>
    w
      .from(tabela)
      .where('id', id)
      .modify((q) => void (travar && q.forUpdate()));
  if (meio === 'pix') {
    const [row] = await rowsOf(de('pix_recebidos'), COLUNAS_DO_RECEBIDO);
    return row === undefined ? undefined : { ...row, desfeito: false };
  }
  const [row] =
    meio === 'boleto'
      ? await rowsOf(de('boletos_recebidos'), COLUNAS_DO_BOLETO)
      : await rowsOf(de('recebimentos_manuais'), COLUNAS_DO_MANUAL);
  return row === undefined ? undefined : { ...row, desfeito: row.desfeito_em !== null };
}

/**
 * Locks something that came in, after its invoice, and says what of it may be given back.
 *
 * @returns undefined where the provider has no such thing.
 * @throws {Error} where it was put to another invoice meanwhile.
 */
export async function travarDevolvivel(w: Write, meio: MeioDevolvido, id: number): Promise<Devolvivel | undefined> {
  const vista = await lerEntrada(w, meio, id, false);
  if (vista === undefined) return undefined;
  const alvo = vista.fatura_id === null ? undefined : await createRecebimentosQueries(w).buscarFatura(vista.fatura_id);
  const travada = alvo === undefined ? null : await travarFatura(w, alvo);
  const entrada = await lerEntrada(w, meio, id, true);
  if (entrada === undefined) return undefined;
  if (entrada.fatura_id !== vista.fatura_id) throw new Error(`${meio} ${id} mudou de fatura enquanto era devolvido`);
  const resta = entrada.desfeito ? centavos(0) : restaDe(entrada, await createDevolucoesQueries(w).emCurso(meio, id));
  if (travada === null) return { entrada, travada, resta, livre: resta, creditado: false };
  const faturaId = travada.fatura.id;
  const daFatura = w.from('faturas_lancamentos').where({ fatura_id: faturaId, tipo: 'excedente' }).forUpdate();
  const [excedente] = await rowsOf(daFatura, DO_EXCEDENTE);
  const reservado = (await reservadoPorFatura(w, [faturaId])).get(faturaId) ?? 0;
  const usado = lerDinheiro(excedente?.usado ?? '0.00');
  const sobra = Math.max(0, lerDinheiro(excedente?.valor ?? '0.00') - usado - reservado);
  return { entrada, travada, resta, livre: centavos(Math.min(resta, sobra)), creditado: usado > 0 };
}

/** What an invoice would be once so much of something that paid it was given back; null without an invoice. */
export function consequencia(
  { entrada, travada }: Pick<Devolvivel, 'entrada' | 'travada'>,
  meio: MeioDevolvido,
  valor: Centavos,
  provedor: Provedor,
  agora: Date,
): Juizo | null {
  if (travada === null) return null;
  const { fatura, antes } = travada;
  const depois = antes.map((um) =>
    um.meio === meio && um.id === entrada.id
      ? { ...um, devolvido: escreverDinheiro(centavos(lerDinheiro(um.devolvido) + valor)) }
      : um,
  );
  return julgar({ fatura, antes, depois, provedor, hoje: hojeEm(provedor.fusoHorario, agora) });
}
