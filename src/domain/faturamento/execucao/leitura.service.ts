import { hojeEm } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { centavos, lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { ID, columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { lerCampos, opcional } from '../../campos/campos.ts';
import { recusarSeNao } from '../../erros.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { NINGUEM_FAZ_MS, abertosDe, andouPorUltimo, lerPedido, ultimosPedidos } from '../pedidos/pedidos.queries.ts';
import type { PedidoDeFaturamento, TipoDePedido } from '../pedidos/pedidos.queries.ts';
import { lerRegras } from '../configuracao/configuracao.queries.ts';
import { mes as umMes } from '../calculo/meses.leitores.ts';
import { ultimoDia } from '../calculo/meses.regras.ts';
import { POR_VEZ, contarCandidatos, proximosCandidatos } from './contratos.queries.ts';
import type { CandidatoRow } from './contratos.queries.ts';
import type { FalhaDoPedido, RegrasDoFaturamento, VezFeita } from '../faturamento.types.ts';
import { faturasDe } from './faturas.regras.ts';
import { primeiroDoCarne } from './carne.service.ts';
import { cobrancasDe } from './lote.service.ts';
import { CAMPOS_DO_PEDIDO, exigirMes, mesesDoPedido } from './pedido.service.ts';
import { deMesesAnteriores, estranhezaDe, estranhoDeFora } from './previa.regras.ts';
import type { CobrancaEstranha, PreviaDoFaturamento } from './previa.regras.ts';
import { cobrancasDaVez } from './cobrancas.queries.ts';
import type { CobrancasDaVez } from './cobrancas.queries.ts';
import { buscarVez, ultimasVezes } from './vezes.queries.ts';
import type { QuaisVezes, VezesFeitas } from './vezes.queries.ts';

export type LeituraDoFaturamentoService = ReturnType<typeof createLeituraDoFaturamentoService>;

const ESTRANHAS_MOSTRADAS = 100;

const CAMPOS_DA_PREVIA = { ...CAMPOS_DO_PEDIDO, desde: opcional(umMes) } as const;

interface FeitasRow {
  quantas: number;
  total: string | null;
}

const DAS_FEITAS = expressions<FeitasRow>({ quantas: 'COUNT(*)', total: 'SUM(valor)' });
const SEM_ENDERECO = columns<{ id: number }>('clientes', { id: true });

/** What somebody asked for, and whether anybody does it. */
export interface PedidoAcompanhado extends PedidoDeFaturamento {
  /** It is open, and for two minutes no worker has done anything of what this provider's people asked for. */
  readonly semNinguem: boolean;
  /**
   * Of an undoing: it has ended, and has not undone its run. A worker of a release before undoing was ordered took it for something else.
   */
  readonly semEfeito: boolean;
  /** The undoing that it comes after and that waits after a failure; null where there is none. */
  readonly espera: { readonly pedidoId: number; readonly falha: FalhaDoPedido } | null;
}

/** Billing as the staff sees it. */
export function createLeituraDoFaturamentoService({
  tenant,
  provedor,
  relogio,
}: {
  readonly tenant: TenantDb;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}) {
  async function semEndereco(ids: readonly number[]): Promise<ReadonlySet<number>> {
    const faltando = ['cep', 'logradouro', 'cidade', 'uf'];
    const deles = tenant
      .from('clientes')
      .whereIn('id', ids)
      .where((q) => faltando.forEach((coluna) => void q.orWhereNull(coluna)));
    return new Set((await rowsOf(deles, SEM_ENDERECO)).map(({ id }) => id));
  }

  /** What an order of a month makes, part by part as the order makes it. */
  async function* partesDaPrevia(mes: Data, regras: RegrasDoFaturamento & { readonly desde: Data }, hoje: Data) {
    let antes: Data | null = null;
    for (const um of mesesDoPedido(mes, hoje)) {
      const ate = ultimoDia(`${um}-01` as Data);
      const vez = { provedor, regras, ate, hoje };
      let depoisDe: CandidatoRow | null = null;
      for (;;) {
        const alcance = { ...regras, ate };
        const candidatos: CandidatoRow[] = await proximosCandidatos(tenant, alcance, depoisDe, POR_VEZ);
        depoisDe = candidatos.at(-1) ?? null;
        if (depoisDe === null) break;
        const ids = candidatos.map(({ id }) => id);
        const parte = await cobrancasDe(tenant, ids, vez, { travar: false, antes });
        const semRua = await semEndereco(candidatos.map(({ cliente_id }) => cliente_id));
        yield { ...parte, semRua, candidatos: ids };
      }
      antes = ate;
    }
  }

  /** Those of some runs that are still being undone. */
  const desfazendo = async (ids: readonly number[]): Promise<number[]> =>
    (await rowsOf(tenant.from('faturamentos').whereIn('id', ids).where('desfazendo', 1), ID)).map(({ id }) => id);

  async function acompanhar(pedidos: readonly PedidoDeFaturamento[]): Promise<PedidoAcompanhado[]> {
    const andou = (await andouPorUltimo(tenant))?.getTime() ?? 0;
    const antes = relogio.agora().getTime() - NINGUEM_FAZ_MS;
    const feitos = pedidos.filter(({ tipo, terminadoEm }) => tipo === 'desfazer' && terminadoEm !== null);
    const vezes = feitos.flatMap(({ faturamentoId }) => faturamentoId ?? []);
    const porDesfazer = new Set(vezes.length === 0 ? [] : await desfazendo(vezes));
    const deMes = pedidos.some(({ tipo, terminadoEm }) => tipo !== 'desfazer' && terminadoEm === null);
    const aDesfazer = deMes ? await abertosDe(tenant, 'desfazer') : [];
    const antesDe = ({ tipo, terminadoEm }: PedidoDeFaturamento): readonly PedidoDeFaturamento[] =>
      tipo === 'desfazer' || terminadoEm !== null ? [] : aDesfazer;
    /** Until when one waits after a failure, of its own or of an undoing that it comes after. */
    const ate = (um: PedidoDeFaturamento): number =>
      Math.max(...[um, ...antesDe(um)].map(({ falha }) => falha?.proximaEm.getTime() ?? 0));
    return pedidos.map((um) => ({
      ...um,
      espera: antesDe(um).flatMap(({ id, falha }) => (falha === null ? [] : [{ pedidoId: id, falha }]))[0] ?? null,
      // One that waits is still somebody's.
      semNinguem: um.terminadoEm === null && Math.max(um.pedidoEm.getTime(), andou, ate(um)) < antes,
      // Who undoes a run to its end says what has become of it.
      semEfeito: feitos.includes(um) && (um.desfeito === null || porDesfazer.has(um.faturamentoId ?? 0)),
    }));
  }

  return {
    regras: async () => lerRegras(tenant),

    /** The provider's local day. */
    hoje: (): Data => hojeEm(provedor.fusoHorario, relogio.agora()),

    /**
     * What would be charged that is due up to the end of a month (`mes`), as things are now: this month's charges that are not made yet come
     * first, as a run makes them, and count. With `desde`, as if billing began with that month.
     *
     * @param aoVer hears, from time to time, how many contracts it has gone through
     * @throws CamposInvalidos; Recusa `faturamento_sem_configuracao`
     */
    async previa(
      dados: unknown,
      aoVer: (vistos: number) => Promise<void> = async () => Promise.resolve(),
    ): Promise<PreviaDoFaturamento> {
      const { mes, desde: outro } = lerCampos(CAMPOS_DA_PREVIA, dados);
      const hoje = hojeEm(provedor.fusoHorario, relogio.agora());
      exigirMes(mes, hoje);
      const deHoje = await lerRegras(tenant);
      const desde = outro ?? deHoje.desde;
      recusarSeNao(desde, 'faturamento_sem_configuracao');
      const regras = { ...deHoje, desde };
      const soma = { cobrancas: 0, faturas: 0, total: 0, isentas: 0, comAnteriores: 0, anteriores: 0 };
      const estranhas = new Map<number, CobrancaEstranha>();
      const vistos = new Set<number>();
      for await (const { cobrancas, fora, semRua, candidatos } of partesDaPrevia(mes, regras, hoje)) {
        for (const id of candidatos) vistos.add(id);
        const faturas = faturasDe(cobrancas, regras, provedor.contas);
        soma.cobrancas += faturas.reduce((quantas, fatura) => quantas + fatura.cobrancas.length, 0);
        soma.faturas += faturas.length;
        for (const uma of cobrancas) {
          if (uma.cobranca.isenta) soma.isentas += 1;
          if (uma.cobranca.valor > 0) soma.total += uma.cobranca.valor;
          const anteriores = deMesesAnteriores(uma.cobranca);
          soma.anteriores += anteriores;
          if (anteriores !== 0) soma.comAnteriores += 1;
          const como = { semEndereco: semRua.has(uma.contrato.clienteId), semConta: provedor.contas.length === 0 };
          const estranha = estranhezaDe(uma, como);
          if (estranha !== null) estranhas.set(estranha.contratoId, estranha);
        }
        for (const contrato of fora) estranhas.set(contrato.id, estranhoDeFora(contrato));
        await aoVer(vistos.size);
      }
      const doMes = tenant
        .from('faturamento_cobrancas')
        .whereBetween('vencimento', [mes, ultimoDia(mes)])
        .where('valor', '>', 0);
      const [feitas] = await rowsOf(doMes, DAS_FEITAS);
      const { cobrancas, faturas, isentas, total, anteriores, comAnteriores } = soma;
      return {
        mes,
        cobrancas,
        faturas,
        total: centavos(total),
        isentas,
        anteriores: { cobrancas: comAnteriores, total: centavos(anteriores) },
        feitas: { cobrancas: feitas?.quantas ?? 0, total: lerDinheiro(feitas?.total ?? '0') },
        estranhas: [...estranhas.values()].slice(0, ESTRANHAS_MOSTRADAS),
        estranhasAoTodo: estranhas.size,
      };
    },

    /**
     * How many contracts have their charge still to be made, of those that are due up to the end of a month (`mes`). With `desde`, as if
     * billing began with that month.
     *
     * @throws CamposInvalidos; Recusa `faturamento_sem_configuracao`
     */
    async quantosFaltam(dados: unknown): Promise<number> {
      const { mes, desde: outro } = lerCampos(CAMPOS_DA_PREVIA, dados);
      const desde = outro ?? (await lerRegras(tenant)).desde;
      recusarSeNao(desde, 'faturamento_sem_configuracao');
      return contarCandidatos(tenant, { desde, ate: ultimoDia(mes) });
    },

    /** The month that a booklet of a contract would begin with now; null where the contract cannot be charged. */
    primeiroDoCarne: async (contratoId: number): Promise<Data | null> =>
      primeiroDoCarne(tenant, contratoId, hojeEm(provedor.fusoHorario, relogio.agora()), provedor.fusoHorario),

    /** What people asked for of whole months, of a kind; the newest first. */
    pedidos: async (tipo: TipoDePedido, limite: number): Promise<PedidoAcompanhado[]> =>
      acompanhar(await ultimosPedidos(tenant, tipo, limite)),

    /** One of them; null where the provider has none of that id. */
    async pedido(id: number): Promise<PedidoAcompanhado | null> {
      const pedido = await lerPedido(tenant, id);
      return pedido === null ? null : ((await acompanhar([pedido]))[0] ?? null);
    },

    /** All of them that are not done. */
    async pedidosAbertos(): Promise<PedidoAcompanhado[]> {
      const tipos: readonly TipoDePedido[] = ['previa', 'faturas', 'desfazer'];
      const abertos = await Promise.all(tipos.map(async (tipo) => abertosDe(tenant, tipo)));
      return acompanhar(abertos.flat());
    },

    /** The last runs, the newest first. */
    listar: async (quais: QuaisVezes = {}): Promise<VezesFeitas> => ultimasVezes(tenant, quais),

    /** A run; null where the provider has none of that id. */
    buscar: async (id: number): Promise<VezFeita | null> => buscarVez(tenant, id),

    /** The charges of a run, a page at a time, contract by contract; `depoisDe` is the place that the page before has named. */
    cobrancas: async (id: number, depoisDe: string | null): Promise<CobrancasDaVez> =>
      cobrancasDaVez(tenant, id, depoisDe),
  };
}
