import { diasEntre, hojeEm, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { somarDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { rowsOf } from '../../../platform/mysql/columns.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { estaAberta } from '../apuracao.regras.ts';
import { apurarFaturas } from '../apuracao.service.ts';
import { COLUNAS_DA_FATURA } from '../faturas.types.ts';
import type { Fatura } from '../faturas.types.ts';

export type ResumoFinanceiroService = ReturnType<typeof createResumoFinanceiroService>;

/** How a client pays. */
export interface ResumoFinanceiro {
  /** What the overdue invoices ask for today, how many, and since when; null where none is. */
  readonly vencido: { readonly valor: Centavos; readonly faturas: number; readonly desde: Data } | null;
  readonly abertas: readonly Fatura[];
  /** Of the invoices due in the last 12 months up to today, those paid. */
  readonly pagas: { readonly quantas: number; readonly de: number };
  /** Days from the due date to the payment, negative where it came before; null where nothing was paid. */
  readonly atrasoMedio: number | null;
  /** The latest first, five at most. */
  readonly ultimosPagamentos: readonly {
    readonly faturaId: number;
    readonly valor: Centavos;
    readonly pagoEm: Date;
    readonly vencimento: Data;
  }[];
}

const ULTIMOS = 5;
const UM_ANO = 365;
/** Of one client: a year has twelve of a contract, and who has more than these is told of the latest. */
const MAIS_LIDAS = 500;

export function createResumoFinanceiroService({
  tenant,
  provedor,
  relogio,
}: {
  readonly tenant: TenantDb;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}) {
  return {
    async buscar(clienteId: number): Promise<ResumoFinanceiro> {
      const hoje = hojeEm(provedor.fusoHorario, relogio.agora());
      const dele = () =>
        tenant
          .from('faturas', 'faturas_cliente')
          .where('cliente_id', clienteId)
          .orderBy([
            { column: 'emitida_em', order: 'desc' },
            { column: 'id', order: 'desc' },
          ])
          .limit(MAIS_LIDAS);
      const [doAno, emAberto] = await Promise.all([
        rowsOf(
          dele().where('grupo', '<>', 'cancelada').where('vencimento', '>', somarDias(hoje, -UM_ANO)),
          COLUNAS_DA_FATURA,
        ),
        rowsOf(dele().where('grupo', 'aberta'), COLUNAS_DA_FATURA),
      ]);
      const [abertasHoje, doAnoHoje] = await Promise.all([
        apurarFaturas(tenant, provedor, hoje, emAberto),
        apurarFaturas(tenant, provedor, hoje, doAno),
      ]);
      const abertas = abertasHoje.toSorted((a, b) => a.vencimento.localeCompare(b.vencimento));
      const vencidas = abertas.filter(({ situacao }) => situacao === 'vencida');
      const [primeira] = vencidas;
      const vencidasNoAno = doAno.filter((row) => row.vencimento <= hoje || !estaAberta(row));
      const pagas = doAnoHoje.filter(({ situacao }) => situacao === 'paga');
      const atrasos = pagas.flatMap(({ pagoEm, vencimento }) =>
        pagoEm === null ? [] : [diasEntre(vencimento, hojeEm(provedor.fusoHorario, pagoEm))],
      );
      return {
        vencido:
          primeira === undefined
            ? null
            : {
                valor: somarDinheiro(...vencidas.map(({ aPagar }) => aPagar)),
                faturas: vencidas.length,
                desde: primeira.vencimento,
              },
        abertas,
        pagas: { quantas: pagas.length, de: vencidasNoAno.length },
        atrasoMedio:
          atrasos.length === 0 ? null : Math.round(atrasos.reduce((soma, um) => soma + um, 0) / atrasos.length),
        ultimosPagamentos: pagas
          .flatMap(({ id: faturaId, valorPago: valor, pagoEm, vencimento }) =>
            pagoEm === null ? [] : [{ faturaId, valor, pagoEm, vencimento }],
          )
          .toSorted((a, b) => b.pagoEm.getTime() - a.pagoEm.getTime())
          .slice(0, ULTIMOS),
      };
    },
  };
}
