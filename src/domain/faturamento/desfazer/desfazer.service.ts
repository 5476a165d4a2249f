import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { Recusa, recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import { mesEscrito } from '../calculo/cobranca.regras.ts';
import { esperarAVez } from '../configuracao/configuracao.queries.ts';
import type { OrigemDaVez } from '../execucao/vez.queries.ts';
import { abertosDe } from '../pedidos/pedidos.queries.ts';
import { faixaDaVez, faturasDaVez, impedimentosDe } from './faturas.queries.ts';
import { FATURAS_POR_PARTE, desfazerParte, soltarCobrancas } from './partes.service.ts';

interface VezRow {
  id: number;
  dia: Data;
  origem: OrigemDaVez;
  desfeito_em: string | null;
  desfazendo: number | null;
}

const DA_VEZ = columns<VezRow>('faturamentos', {
  id: true,
  dia: true,
  origem: true,
  desfeito_em: true,
  desfazendo: true,
});
const DE_CONTRATO = columns<{ contrato_id: number }>('g', { contrato_id: true });

/** A run that was taken back, or is being. */
export interface Desfeito {
  /** How many invoices were cancelled; of an order, how many there are. */
  readonly faturas: number;
  /** The order by which the worker does it; null: it is done. */
  readonly pedido: number | null;
}

/** Takes a billing run back. */
export function createDesfazerFaturamento({ w, relogio }: { readonly w: Write; readonly relogio: Relogio }) {
  const recusarSeImpedida = (impedidas: ReadonlyMap<number, string>): void => {
    for (const [fatura, porque] of impedidas) {
      throw new Recusa('faturamento_em_uso', { registroId: fatura, dito: `a fatura ${fatura} ${porque}` });
    }
  };

  async function naHora(
    id: number,
    { antes, quantas }: { readonly antes: number; readonly quantas: number },
    agora: Date,
  ): Promise<Desfeito> {
    let canceladas = 0;
    if (quantas > 0) {
      const parte = await desfazerParte(w, id, antes, agora);
      recusarSeImpedida(parte.ficam);
      ({ canceladas } = parte);
    }
    await w.update('faturamentos', (q) => void q.where({ id }), { desfeito_por: w.author.name });
    await soltarCobrancas(w, id, canceladas, agora);
    return { faturas: canceladas, pedido: null };
  }

  /** Looks at all of it now, and has the worker do it. */
  async function mandar(
    vez: VezRow,
    { antes, quantas }: { readonly antes: number; readonly quantas: number },
    agora: Date,
  ): Promise<Desfeito> {
    const { id, dia } = vez;
    const [outro] = await abertosDe(w, 'desfazer', dia);
    const dito = `o faturamento ${outro?.faturamentoId} do mesmo dia ainda está sendo desfeito`;
    recusarSeNao(outro === undefined, 'transicao_invalida', { dito });
    for (let depoisDe: number | undefined = antes; depoisDe !== undefined;) {
      const como = { depoisDe, limite: FATURAS_POR_PARTE, travar: false };
      const faturas = await faturasDaVez(w, id, como);
      const vivas = faturas.filter(({ situacao }) => situacao !== 'cancelada');
      recusarSeImpedida(await impedimentosDe(w, vivas));
      depoisDe = faturas.at(-1)?.id;
    }
    // By then it is no run to which a day's charges are added any more.
    const marca = { desfazendo: 1, desfeito_em: toDatabaseTime(agora), desfeito_por: w.author.name };
    await w.update('faturamentos', (q) => void q.where({ id }), marca);
    return pedir(vez, { antes, quantas }, agora);
  }

  async function pedir(
    { id, dia }: VezRow,
    { antes, quantas }: { readonly antes: number; readonly quantas: number },
    agora: Date,
  ): Promise<Desfeito> {
    const pedido = await w.insert(
      'faturamento_pedidos',
      {
        tipo: 'desfazer',
        mes: dia,
        faturamento_id: id,
        lugar: JSON.stringify({ fatura: antes }),
        total: quantas,
        autor: w.author.name,
        pedido_em: toDatabaseTime(agora),
      },
      { soughtBefore: true },
    );
    w.emit('faturamento.mandado', pedido, { tipo: 'desfazer', mes: dia });
    return { faturas: quantas, pedido };
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
      // What charges comes after it, and what has charged already is seen by it.
      await esperarAVez(w.tenant);
      const [vez] = await rowsOf(w.from('faturamentos').where({ id }).forUpdate(), DA_VEZ);
      recusarSeNao(vez, 'nao_encontrado');
      if (vez.desfazendo === 1) {
        const pedido = (await abertosDe(w, 'desfazer', vez.dia)).find(({ faturamentoId }) => faturamentoId === id);
        // An order that was never done is gone after ninety days.
        if (pedido === undefined) return pedir(vez, await faixaDaVez(w, id), agora);
        w.emit('faturamento.mandado', pedido.id, { tipo: 'desfazer', mes: vez.dia });
        return { faturas: pedido.total ?? 0, pedido: pedido.id };
      }
      recusarSeNao(vez.desfeito_em === null, 'transicao_invalida', { dito: 'o faturamento já foi desfeito' });
      if (vez.origem === 'pedido') await recusarEnquantoSeFaz(w);
      await recusarComPosterior(w, id);
      const faixa = await faixaDaVez(w, id);
      return faixa.quantas <= FATURAS_POR_PARTE ? naHora(id, faixa, agora) : mandar(vez, faixa, agora);
    },
  };
}

/** What is left of the month would be made into another run at once. */
async function recusarEnquantoSeFaz(w: Write): Promise<void> {
  const [fazendo] = await abertosDe(w, 'faturas');
  if (fazendo === undefined) return;
  const dito = `as faturas de ${mesEscrito(fazendo.mes)} ainda estão sendo feitas: pare-as antes`;
  throw new Recusa('transicao_invalida', { dito });
}

/** A later charge was computed from this one: if this one went, what the later one corrected would be charged twice. */
async function recusarComPosterior(w: Write, id: number): Promise<void> {
  const posteriores = w
    .from('faturamento_cobrancas as f')
    .join('faturamento_cobrancas as g', sameTenant('f', 'contrato_id', 'g', 'contrato_id'))
    .where('f.faturamento_id', id)
    .whereRaw("(g.competencia > f.competencia OR (f.tipo = 'carne' AND g.competencia = f.competencia))")
    .whereNot('g.faturamento_id', id)
    .where('g.tipo', 'mensalidade')
    .limit(1);
  const [uma] = await rowsOf(posteriores, DE_CONTRATO);
  if (uma === undefined) return;
  const dito = `o contrato ${uma.contrato_id} já tem cobrança de um mês posterior`;
  throw new Recusa('faturamento_em_uso', { dito });
}
