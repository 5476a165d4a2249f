import { hojeEm } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Memoria, Numero } from '../../indicadores/memoria.service.ts';
import { pesosDe } from '../../indicadores/pesos.regras.ts';
import type { Provedor } from '../provedores.types.ts';
import type { RegrasDeEncargos } from './encargos.regras.ts';

export type EfeitosService = ReturnType<typeof createEfeitosService>;

export interface EfeitosDeps {
  readonly tenant: TenantDb;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
  readonly memoria: Memoria;
}

const DO_DIA = columns<{ vencimento: Data; quantidade: number }>('faturas', {
  vencimento: true,
  quantidade: 'COUNT(*)',
});

/** What a change would come to, before it is made. */
export function createEfeitosService({ tenant, provedor, relogio, memoria }: EfeitosDeps) {
  return {
    /**
     * How many open overdue invoices would have other charges today by these rules. Whether the difference comes to a centavo is not asked.
     * What it counts by may be a minute old where there are many.
     */
    async faturasAfetadas(novas: RegrasDeEncargos): Promise<Numero> {
      const hoje = hojeEm(provedor.fusoHorario, relogio.agora());
      const { valor: porDia, de } = await memoria.lembrar(provedor.id, `quantas vencidas ${hoje}`, async () => {
        const query = tenant
          .from('faturas', 'faturas_somas')
          .where('grupo', 'aberta')
          .where('vencimento', '<', hoje)
          .groupBy('vencimento');
        const valor = await rowsOf(query, DO_DIA);
        return { valor, linhas: valor.reduce((soma, { quantidade }) => soma + quantidade, 0) };
      });
      const { regras } = provedor;
      const mudam = porDia.filter(({ vencimento }) => {
        const antes = pesosDe(regras, vencimento, hoje);
        const depois = pesosDe({ ...regras, ...novas }, vencimento, hoje);
        return antes.multa !== depois.multa || antes.juros !== depois.juros;
      });
      return { valor: mudam.reduce((soma, { quantidade }) => soma + quantidade, 0), de };
    },
  };
}
