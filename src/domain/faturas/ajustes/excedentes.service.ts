import { centavos, lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';

export type ExcedentesService = ReturnType<typeof createExcedentesService>;

/** An invoice that was paid more than it asked for, with what of that no credit was made of and nobody gave back. */
export interface Excedente {
  readonly faturaId: number;
  readonly vencimento: Data;
  readonly livre: Centavos;
}

interface ExcedenteRow {
  id: number;
  vencimento: Data;
  valor: string;
  usado: string;
}

const DO_EXCEDENTE = columns<ExcedenteRow>('faturas', {
  id: true,
  vencimento: true,
  valor: 'faturas_lancamentos.valor',
  usado: 'faturas_lancamentos.usado',
});

/** Whoever has more than these is told of the oldest, and of the others as these are used. */
const MAIS_LIDOS = 50;

/** What clients paid too much, for people to look at; credits are made of it by `ajustes.service.ts`. */
export function createExcedentesService(tenant: TenantDb) {
  return {
    /** Of a client, the oldest invoice first. */
    async doCliente(clienteId: number): Promise<Excedente[]> {
      const livres = tenant
        .from('faturas', 'faturas_cliente')
        .join('faturas_lancamentos', sameTenant('faturas', 'id', 'faturas_lancamentos', 'fatura_id'))
        .where('faturas.cliente_id', clienteId)
        .where('faturas_lancamentos.tipo', 'excedente')
        .whereRaw('faturas_lancamentos.valor > faturas_lancamentos.usado')
        .orderBy('faturas.id')
        .limit(MAIS_LIDOS);
      return (await rowsOf(livres, DO_EXCEDENTE)).map(({ id, vencimento, valor, usado }) => ({
        faturaId: id,
        vencimento,
        livre: centavos(lerDinheiro(valor) - lerDinheiro(usado)),
      }));
    },
  };
}
