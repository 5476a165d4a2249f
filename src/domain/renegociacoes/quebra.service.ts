import { centavos, escreverDinheiro, lerDinheiro, somarDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { hojeEm } from '../../brazil/calendario/datas.ts';
import { groupBy } from '../../platform/group-by.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { lerCampos } from '../campos/campos.ts';
import { recusarSeNao } from '../erros.ts';
import type { Write } from '../escrita.ts';
import { createLivroDeAjustes } from '../faturas/ajustes/livro.service.ts';
import { apurarDivida, estaAberta } from '../faturas/apuracao.regras.ts';
import { listarPagamentos } from '../faturas/apuracao.service.ts';
import { cancelarFaturas } from '../faturas/cancelamento/cancelamento.service.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import type { Juizo } from '../recebimentos/quitacao.regras.ts';
import { julgarTodas, liberarEmDia, travarBloqueadosDe, valoresDe } from '../recebimentos/quitacao.service.ts';
import type { FaturaTravadaRow, PagamentoJulgado } from '../recebimentos/recebimentos.types.ts';
import { FATURAS_TAG, tagsDaFatura } from '../tags.ts';
import { excedentesDe, pagoDaParcela, ratear, somaDe } from './rateio.regras.ts';
import type { PagoDoAcordo } from './rateio.regras.ts';
import { CAMPOS_DA_QUEBRA } from './renegociacoes.campos.ts';
import { createRenegociacoesQueries } from './renegociacoes.queries.ts';

export type QuebraService = ReturnType<typeof createQuebraService>;

export interface QuebraDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}

export interface RenegociacaoQuebrada {
  readonly id: number;
  /** What the agreement was paid: what the invoices that came back owe less. */
  readonly pago: Centavos;
  readonly voltaram: readonly number[];
  readonly canceladas: readonly number[];
}

interface ComPagamentos {
  readonly fatura: FaturaTravadaRow;
  readonly pagamentos: readonly PagamentoJulgado[];
}

/** Ends agreements that are not kept; see docs/adr/0027. Locks: the client, its contracts, the agreement, then its invoices by id. */
export function createQuebraService({ w, provedor, relogio }: QuebraDeps) {
  const queries = createRenegociacoesQueries(w);
  const livro = createLivroDeAjustes(w);

  /** The invoices of an agreement, locked, with all that they are judged by. */
  async function lerFaturas(ids: readonly number[]): Promise<Map<number, ComPagamentos>> {
    const faturas = await queries.travarFaturas({ ids });
    const pagamentos = groupBy(await listarPagamentos(w.tenant, ids), ({ fatura_id }) => fatura_id);
    return new Map(faturas.map((fatura) => [fatura.id, { fatura, pagamentos: pagamentos.get(fatura.id) ?? [] }]));
  }

  /**
   * Credits of instalments that are the surplus of the agreement's own old invoices: whoever paid an old code. Where the invoice comes back,
   * that payment counts at it, and not a second time as what the agreement was paid.
   */
  async function recolherCreditos(
    id: number,
    parcelas: readonly number[],
    origens: readonly number[],
  ): Promise<ReadonlySet<number>> {
    const creditos = await queries.creditosEntre(parcelas, origens);
    if (creditos.length === 0) return new Set();
    const ids = creditos.map((credito) => credito.id);
    await livro.tornarDaRenegociacao(ids, id);
    await livro.usar(
      creditos.map(({ origem_fatura_id: origem, valor }) => ({ origem, valor: centavos(0 - lerDinheiro(valor)) })),
    );
    return new Set(ids);
  }

  /** Open instalments end: those that were paid in part with what they still owed passed on, so that what was paid stays what it was. */
  async function encerrarParcelas(id: number, abertas: readonly ComPagamentos[], agora: Date): Promise<void> {
    const pagaEmParte = ({ fatura, pagamentos }: ComPagamentos): boolean =>
      lerDinheiro(fatura.valor_pago) > 0 ||
      pagamentos.some(({ meio }) => meio === 'credito' || meio === 'renegociacao');
    const semPagamento = abertas.filter((uma) => !pagaEmParte(uma)).map(({ fatura }) => fatura);
    const motivo = `Renegociação ${id} quebrada.`;
    await cancelarFaturas(w, semPagamento, { motivo, motivoCodigo: 'renegociacao', agora });
    const emParte = abertas.filter(pagaEmParte);
    if (emParte.length === 0) return;
    const hoje = hojeEm(provedor.fusoHorario, agora);
    const passadas = emParte.map(({ fatura, pagamentos }) => ({
      fatura,
      devido: apurarDivida(fatura, pagamentos, provedor, hoje).total,
    }));
    await livro.inserir(
      passadas.map(({ fatura, devido }) => ajusteDoAcordo(id, fatura.id, devido, toDatabaseTime(agora))),
      agora,
    );
    await queries.cancelarPeloAcordo(
      passadas.map(({ fatura, devido }) => ({
        id: fatura.id,
        abatido: somarDinheiro(lerDinheiro(fatura.abatido), devido),
      })),
      id,
      agora,
    );
    for (const { fatura } of passadas) {
      const { id: faturaId, cliente_id: cliente } = fatura;
      w.emit('fatura.cancelada', faturaId, { cliente, motivo_codigo: 'renegociacao', renegociacao: id });
      w.touch(FATURAS_TAG, ...tagsDaFatura(faturaId, cliente));
    }
  }

  /**
   * The invoices of before are owed again, with charges from their due dates, less what the agreement was paid; the oldest first. Resolves to
   * those that came back paid, and to those that came back owed.
   */
  async function trazerDeVolta(
    id: number,
    antigas: readonly ComPagamentos[],
    doAcordo: readonly number[],
    { pagos, agora }: { readonly pagos: readonly PagoDoAcordo[]; readonly agora: Date },
  ): Promise<{ readonly pagas: readonly number[]; readonly devidas: readonly number[] }> {
    const ids = antigas.map(({ fatura }) => fatura.id);
    if (doAcordo.length > 0) await livro.desfazer(doAcordo, `Renegociação ${id} quebrada.`, agora);
    const semAcordo = antigas.map(({ fatura, pagamentos }) => ({
      fatura: { ...fatura, situacao: 'vencida' as const, pago_em: null },
      pagamentos: pagamentos.filter((um) => !(um.meio === 'renegociacao' && doAcordo.includes(um.id))),
    }));
    const { quinhoes, sobra } = ratear(semAcordo, pagos, provedor);
    recusarSeNao(sobra === 0, 'renegociacao_paga');
    if (quinhoes.length > 0) {
      await livro.inserir(
        quinhoes.map(({ faturaId, em, valor }) => ajusteDoAcordo(id, faturaId, valor, em)),
        agora,
      );
    }
    await queries.descancelar(ids);
    const aJulgar = semAcordo.map(({ fatura, pagamentos: antes }) => ({ fatura, antes }));
    const juizos = await julgarTodas(w, provedor, aJulgar, agora);
    for (const { fatura } of semAcordo) {
      const juizo = juizos.get(fatura.id);
      if (juizo === undefined) continue;
      const { cliente_id: cliente } = fatura;
      w.emit(juizo.situacao === 'paga' ? 'fatura.paga' : 'fatura.reaberta', fatura.id, {
        cliente,
        ...valoresDe(juizo),
      });
    }
    const em = (qual: (juizo: Juizo) => boolean) => [...juizos].filter(([, juizo]) => qual(juizo)).map(([uma]) => uma);
    return { pagas: em(({ situacao }) => situacao === 'paga'), devidas: em(estaAberta) };
  }

  return {
    /**
     * Breaks an agreement: its open instalments are cancelled, and the invoices that it took the place of are owed again, less what it was
     * paid. A paid instalment stays paid. Blocks nobody: that is for staff, or the ladder, to decide. Where one comes back paid, by who paid an
     * old code, or none comes back owed, contracts of the client that billing had blocked and that owe nothing late are released.
     *
     * @param dados by {@link CAMPOS_DA_QUEBRA}.
     * @throws CamposInvalidos; Recusa `nao_encontrado`, `renegociacao_encerrada` (nothing of it is open, or it was broken before), or
     * `renegociacao_paga` (what was paid covers all that was owed before).
     */
    async quebrar(id: number, dados: unknown): Promise<RenegociacaoQuebrada> {
      const { motivo } = lerCampos(CAMPOS_DA_QUEBRA, dados);
      const agora = relogio.agora();
      const cliente = await queries.clienteDe(id);
      recusarSeNao(cliente, 'nao_encontrado');
      const bloqueados = await travarBloqueadosDe(w, cliente);
      const acordo = await queries.travar(id);
      recusarSeNao(acordo, 'nao_encontrado');
      recusarSeNao(acordo.quebrada_em === null, 'renegociacao_encerrada');
      const membros = await queries.membros(id);
      const faturas = await lerFaturas(membros.map(({ fatura_id }) => fatura_id));
      const de = (papel: 'origem' | 'parcela') =>
        membros.filter((membro) => membro.papel === papel).flatMap(({ fatura_id }) => faturas.get(fatura_id) ?? []);
      const parcelas = de('parcela');
      const abertas = parcelas.filter(({ fatura }) => estaAberta(fatura));
      recusarSeNao(abertas.length > 0, 'renegociacao_encerrada');
      const idsDe = (quais: readonly ComPagamentos[]): number[] => quais.map(({ fatura }) => fatura.id);
      const origens = de('origem');
      const doAcordo = await queries.ajustesDoAcordo(id, idsDe(origens));
      const assumida = ({ pagamentos }: ComPagamentos): boolean =>
        pagamentos.some((um) => um.meio === 'renegociacao' && doAcordo.includes(um.id));
      // Some may be owed in part again, or paid since. What somebody else has changed meanwhile is left alone.
      const antigas = origens.filter((uma) => uma.fatura.situacao === 'cancelada' || assumida(uma));

      const recolhidos = await recolherCreditos(id, idsDe(parcelas), idsDe(antigas));
      const excedentes = excedentesDe(await queries.excedentes(idsDe(parcelas)));
      const pagos = parcelas.flatMap(({ fatura, pagamentos }) => {
        const contam = pagamentos.filter((um) => !(um.meio === 'credito' && recolhidos.has(um.id)));
        return pagoDaParcela({ fatura, pagamentos: contam }, excedentes.get(fatura.id) ?? centavos(0));
      });
      await encerrarParcelas(id, abertas, agora);
      const { pagas, devidas } = await trazerDeVolta(id, antigas, doAcordo, { pagos, agora });
      await queries.quebrar(id, motivo, agora);
      const pago = somaDe(pagos);
      const canceladas = idsDe(abertas);
      const dadosDoEvento = { pago: escreverDinheiro(pago), canceladas: canceladas.length };
      w.emit('renegociacao.quebrada', id, { cliente, ...dadosDoEvento });
      const fatura = pagas[0] ?? canceladas[0];
      if (fatura !== undefined && (pagas.length > 0 || devidas.length === 0)) {
        await liberarEmDia(w, provedor, bloqueados, {
          fatura,
          descricao: `Liberado pela quebra da renegociação ${id}.`,
          agora,
        });
      }
      return { id, pago, voltaram: idsDe(antigas), canceladas };
    },
  };
}

const ajusteDoAcordo = (renegociacao_id: number, fatura_id: number, valor: Centavos, dado_em: string) => ({
  fatura_id,
  tipo: 'renegociacao' as const,
  valor,
  dado_em,
  motivo: null,
  origem_fatura_id: null,
  renegociacao_id,
});
