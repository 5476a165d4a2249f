import { hojeEm, somarDias } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { lerRegua } from './configuracao.queries.ts';
import { proximasCandidatas } from './dia/candidatas.queries.ts';
import { fatosDoBloqueio, lerFaturas } from './dia/fatos.queries.ts';
import { porqueNaoBloquear } from './juizo.regras.ts';
import type { MotivoDeEspera } from './regua.types.ts';

/** Whom a day's ladder would block, or why it would not. */
export interface Previsto {
  readonly faturaId: number;
  readonly clienteId: number;
  readonly cliente: string;
  readonly contratoId: number | null;
  readonly vencimento: Data;
  readonly valor: Centavos;
  /** Null: would be blocked. */
  readonly espera: MotivoDeEspera | null;
}

/** How many would wait for one reason, or (null) would be blocked. */
interface Contagem {
  readonly espera: MotivoDeEspera | null;
  readonly quantos: number;
}

export interface Previsao {
  readonly dia: Data;
  /** Who would be blocked first, then by how many they are. */
  readonly contagem: readonly Contagem[];
  /** The newest of each, so many. */
  readonly previstos: readonly Previsto[];
  /** Whether there are more than were looked at. */
  readonly mais: boolean;
}

/** At most so many invoices are looked at, the newest first; `mais` says whether there are others. */
export const MAXIMO_PREVISTO = 20_000;
const POR_VEZ = 2000;
const DITOS_POR_MOTIVO = 50;

const NOME = columns<{ id: number; nome: string }>('clientes', { id: true, nome: true });

export type PrevisaoDaReguaService = ReturnType<typeof createPrevisaoDaReguaService>;

/** What a day to come of the ladder would do, as things are now. */
export function createPrevisaoDaReguaService({
  tenant,
  provedor,
  relogio,
}: {
  readonly tenant: TenantDb;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}) {
  return {
    /**
     * Whom the ladder would block on the next day, and whom not, with the reason: of all invoices of active contracts whose notice is old enough,
     * the newest first. Payments, promises and pauses until then change it.
     */
    async previsao(): Promise<Previsao> {
      const dia = somarDias(hojeEm(provedor.fusoHorario, relogio.agora()), 1);
      const regua = await lerRegua(tenant);
      const contagem = new Map<MotivoDeEspera | null, number>();
      const ditos: Omit<Previsto, 'cliente'>[] = [];
      let [vistas, mais, depoisDe] = [0, false, null as { quando: string; id: number } | null];
      for (;;) {
        const quais = { regua, provedor, dia, depoisDe, limite: POR_VEZ, previsao: true };
        const achadas = await proximasCandidatas(tenant, 'bloqueio', quais);
        const emOrdem = achadas.map(({ id }) => id);
        const lidas = new Map((await lerFaturas(tenant, emOrdem, false)).map((fatura) => [fatura.id, fatura]));
        const faturas = emOrdem.flatMap((id) => lidas.get(id) ?? []);
        const fatos = await fatosDoBloqueio(tenant, provedor, dia, faturas, { previsao: true });
        for (const { id: faturaId, cliente_id: clienteId } of faturas) {
          for (const dela of fatos.get(faturaId) ?? []) {
            const espera = porqueNaoBloquear(dia, dela, regua, provedor.regras);
            const antes = contagem.get(espera) ?? 0;
            contagem.set(espera, antes + 1);
            const { contratoId, vencimento, falta: valor } = dela;
            if (antes < DITOS_POR_MOTIVO) ditos.push({ faturaId, clienteId, contratoId, vencimento, valor, espera });
          }
        }
        vistas += achadas.length;
        mais = vistas >= MAXIMO_PREVISTO && achadas.length === POR_VEZ;
        depoisDe = achadas.at(-1) ?? null;
        if (achadas.length < POR_VEZ || mais) break;
      }
      const clientes = [...new Set(ditos.map(({ clienteId }) => clienteId))];
      const nomes = new Map(
        (await rowsOf(tenant.from('clientes').whereIn('id', clientes), NOME)).map(({ id, nome }) => [id, nome]),
      );
      return {
        dia,
        contagem: [...contagem]
          .map(([espera, quantos]) => ({ espera, quantos }))
          .toSorted((a, b) => Number(b.espera === null) - Number(a.espera === null) || b.quantos - a.quantos),
        previstos: ditos.map((um) => ({ ...um, cliente: nomes.get(um.clienteId) ?? '' })),
        mais,
      };
    },
  };
}
