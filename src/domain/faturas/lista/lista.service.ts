import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Memoria } from '../../indicadores/memoria.service.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { apurarFaturas } from '../apuracao.service.ts';
import { LIMITE, createListaQueries } from './lista.queries.ts';
import type { FiltroDaLista, PaginaDaLista, TotaisDaLista } from './lista.types.ts';

export type ListaDeFaturasService = ReturnType<typeof createListaDeFaturasService>;

export interface ListaDeFaturasDeps {
  readonly tenant: TenantDb;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
  readonly memoria: Memoria;
}

/** The staff's list of invoices, page after page; what it costs does not grow with how far one has come. */
export function createListaDeFaturasService({ tenant, provedor, relogio, memoria }: ListaDeFaturasDeps) {
  const queries = createListaQueries(tenant, provedor.fusoHorario);
  const hoje = () => hojeEm(provedor.fusoHorario, relogio.agora());
  return {
    /** Fifty invoices; `depoisDe` is what the page before gave as `proxima`, and what is none begins anew. */
    async listar(filtro: FiltroDaLista, depoisDe: string | null = null): Promise<PaginaDaLista> {
      const dia = hoje();
      const { rows, proxima } = await queries.pagina(filtro, dia, depoisDe === null ? null : lerLugar(depoisDe));
      const faturas = await apurarFaturas(tenant, provedor, dia, rows);
      return {
        itens: faturas.map((fatura, n) => ({ ...fatura, clienteNome: rows[n]?.cliente_nome ?? '' })),
        proxima: proxima === null ? null : Buffer.from(JSON.stringify(proxima)).toString('base64url'),
      };
    },

    /** Sums of up to 100,000 invoices; that there are more may be known for a minute. */
    async totais(filtro: FiltroDaLista): Promise<TotaisDaLista> {
      const dia = hoje();
      const nome = `totais ${dia} ${JSON.stringify(Object.entries(filtro).toSorted(([a], [b]) => (a < b ? -1 : 1)))}`;
      const { valor, de } = await memoria.lembrar(provedor.id, nome, async () => {
        const soma = await queries.totais(filtro, dia);
        return { valor: soma, linhas: soma?.quantas ?? 0 };
      });
      const quantas = valor?.quantas ?? 0;
      const mais = quantas > LIMITE;
      const ler = (texto: string | null | undefined) => (mais ? null : lerDinheiro(texto ?? '0.00'));
      return {
        quantas: Math.min(quantas, LIMITE),
        mais,
        aberto: ler(valor?.aberto),
        vencido: ler(valor?.vencido),
        recebido: ler(valor?.recebido),
        de,
      };
    },
  };
}

/** A place that a page before gave; null where it is something else. */
function lerLugar(texto: string): readonly (string | number)[] | null {
  try {
    const lugar: unknown = JSON.parse(Buffer.from(texto, 'base64url').toString());
    const partes = Array.isArray(lugar) ? lugar : [];
    const valem = partes.every((parte) => typeof parte === 'string' || Number.isSafeInteger(parte));
    return partes.length > 0 && valem ? (partes as (string | number)[]) : null;
  } catch {
    return null;
  }
}
