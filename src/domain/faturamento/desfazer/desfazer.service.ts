import type { Data } from '../../../brazil/calendario/datas.ts';
import { rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { Recusa, recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import { mesEscrito } from '../calculo/cobranca.regras.ts';
import { somarMeses } from '../calculo/meses.regras.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { diaDaTarefa } from '../../tarefas/dia.regras.ts';
import { esperarAVez } from '../configuracao/configuracao.queries.ts';
import { cobrancasFeitas } from '../execucao/vez.queries.ts';
import { abertosDe } from '../pedidos/pedidos.queries.ts';
import { faixaDaVez, primeiroImpedimento } from './faturas.queries.ts';
import { continuarADesfazer, pedirDesfazer, recomecarMeses } from './ordem.service.ts';
import type { Desfeito } from './ordem.service.ts';
import { FATURAS_POR_PARTE, desfazerParte, soltarCobrancas } from './partes.service.ts';
import { DA_ANTERIOR, comPosterior, diaPorFazer, lerVez, travarVez } from './vez.queries.ts';
import type { VezRow } from './vez.queries.ts';

/** Runs of so many months before one are looked at, too; see `aindaMexem`. */
const MESES_ANTES = 6;

interface Faixa {
  readonly antes: number;
  readonly quantas: number;
}

/** A run that nothing hindered, as long as no charge is made of anybody. */
interface Olhada {
  readonly cobrancas: number;
  readonly faixa: Faixa;
}

/** Takes a billing run back. */
export function createDesfazerFaturamento({
  w,
  provedor,
  relogio,
}: {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}) {
  /** What the day's task has left to charge would be made into another run at once. */
  async function recusarEnquantoODiaSeFaz(dia: Data, hoje: Data): Promise<void> {
    const dito = `o trabalho do dia ${dia.split('-').toReversed().join('/')} ainda está fazendo as cobranças: espere que termine`;
    recusarSeNao(!(await diaPorFazer(w, dia, hoje)), 'transicao_invalida', { dito });
  }

  const recusarSeImpedida = (impedidas: ReadonlyMap<number, string>): void => {
    for (const [fatura, porque] of impedidas) {
      throw new Recusa('faturamento_em_uso', { registroId: fatura, dito: `a fatura ${fatura} ${porque}` });
    }
  };

  async function naHora(id: number, { antes, quantas }: Faixa, agora: Date): Promise<Desfeito> {
    let canceladas = 0;
    if (quantas > 0) {
      const parte = await desfazerParte(w, id, { depoisDe: antes, limite: FATURAS_POR_PARTE, agora });
      recusarSeImpedida(parte.ficam);
      ({ canceladas } = parte);
    }
    await w.update('faturamentos', (q) => void q.where({ id }), { desfeito_por: w.author.name });
    await soltarCobrancas(w, id, canceladas, agora);
    await recomecarMeses(w);
    return { faturas: canceladas, pedido: null };
  }

  /** Has the worker do it. */
  async function mandar(vez: VezRow, faixa: Faixa, agora: Date): Promise<Desfeito> {
    const { id } = vez;
    // By then it is no run to which a day's charges are added any more.
    const marca = { desfazendo: 1, desfeito_em: toDatabaseTime(agora), desfeito_por: w.author.name };
    await w.update('faturamentos', (q) => void q.where({ id }), marca);
    return pedirDesfazer(w, vez, faixa, { autor: w.author.name, agora });
  }

  /** What of a run may be read one by one of all its charges: of 80,000, it takes a second. */
  async function olhar({ id, dia }: VezRow): Promise<Olhada> {
    const cobrancas = await cobrancasFeitas(w.tenant, aindaMexem(dia));
    await recusarComPosterior(w, id);
    const faixa = await faixaDaVez(w, id);
    if (faixa.quantas > FATURAS_POR_PARTE) recusarSeImpedida(await primeiroImpedimento(w, id));
    return { cobrancas, faixa };
  }

  async function recusarSeAindaSeFaz({ origem, dia }: VezRow, agora: Date): Promise<void> {
    if (origem === 'pedido') await recusarEnquantoSeFaz(w);
    if (origem === 'diario') await recusarEnquantoODiaSeFaz(dia, diaDaTarefa(provedor.fusoHorario, agora));
  }

  /** Before its turn, for which all that charges waits; null where it is no more to be undone, or not there. */
  async function olharAntes(id: number, agora: Date): Promise<Olhada | null> {
    const vez = await lerVez(w, id);
    if (vez?.desfeito_em !== null) return null;
    await recusarSeAindaSeFaz(vez, agora);
    return olhar(vez);
  }

  return {
    /**
     * Undoes a run: its invoices are cancelled, its charges can be made again, and what is charged once is again to be. It is refused unless
     * all of it can be undone. An invoice that people cancelled stays so, and its month and what it charged once stay charged.
     *
     * Up to a thousand invoices are cancelled at once, all or nothing. Of more, all are looked at now, and the worker cancels them part by
     * part; what is paid or sent meanwhile stays. Who asks again while it is being done gets the same, and wakes it where a queue has lost
     * it.
     *
     * @throws Recusa `nao_encontrado`, `transicao_invalida` where it was undone before or is still being made, `faturamento_em_uso`
     */
    async desfazer(id: number): Promise<Desfeito> {
      const agora = relogio.agora();
      const olhada = await olharAntes(id, agora);
      // What charges comes after it, and what has charged already is seen by it.
      await esperarAVez(w.tenant);
      const vez = await travarVez(w, id);
      recusarSeNao(vez, 'nao_encontrado');
      if (vez.desfazendo === 1) return continuarADesfazer(w, vez, { autor: w.author.name, agora });
      recusarSeNao(vez.desfeito_em === null, 'transicao_invalida', { dito: 'o faturamento já foi desfeito' });
      await recusarSeAindaSeFaz(vez, agora);
      // Invoices are paid and sent without waiting for a turn: what matters of them is asked again part by part.
      const vale = olhada !== null && olhada.cobrancas === (await cobrancasFeitas(w.tenant, aindaMexem(vez.dia)));
      const { faixa } = vale ? olhada : await olhar(vez);
      return faixa.quantas <= FATURAS_POR_PARTE ? naHora(id, faixa, agora) : mandar(vez, faixa, agora);
    },
  };
}

/**
 * The first day whose run may still get a charge of a later month than one of a run of `dia` has, such as one of the day's work that is made
 * up for afterwards: a run charges at most up to the end of the month after its day, and the month before it.
 */
const aindaMexem = (dia: Data): Data => somarMeses(dia, -MESES_ANTES);

/** What is left of the month would be made into another run at once. */
async function recusarEnquantoSeFaz(w: Write): Promise<void> {
  const [fazendo] = await abertosDe(w, 'faturas');
  if (fazendo === undefined) return;
  const dito = `as faturas de ${mesEscrito(fazendo.mes)} ainda estão sendo feitas: pare-as antes`;
  throw new Recusa('transicao_invalida', { dito });
}

/** A later charge was computed from this one: if this one went, what the later one corrected would be charged twice. */
async function recusarComPosterior(w: Write, id: number): Promise<void> {
  const [uma] = await rowsOf(comPosterior(w, id).whereNotNull('f.fatura_id').limit(1), DA_ANTERIOR);
  if (uma === undefined) return;
  const dito = `o contrato ${uma.contrato_id} já tem cobrança de um mês posterior`;
  throw new Recusa('faturamento_em_uso', { dito });
}
