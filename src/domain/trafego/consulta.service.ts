import { hojeEm, inicioDoDiaEm } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Trail } from '../../platform/cache/trail.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { PROVEDOR_TAG } from '../tags.ts';
import { diasDe, diasDoMes, preencher, trechosDe } from './periodos.regras.ts';
import type { Intervalo, Trecho } from './periodos.regras.ts';
import type { Bytes, TrafegoService } from './trafego.service.ts';

export type ConsultaDeTrafegoService = ReturnType<typeof createConsultaDeTrafegoService>;

export interface ConsultaDeTrafegoDeps {
  readonly provedor: Pick<Provedor, 'fusoHorario'>;
  readonly relogio: Relogio;
  readonly trail: Trail;
  readonly trafego: Pick<TrafegoService, 'doContrato' | 'porHora'>;
}

/** Of whom: a server, a contract, or all servers. A contract's bytes are known by the day alone. */
export type DeQuem = { readonly nas?: string | undefined } | { readonly contratoId: number };

export interface UsoDoMes {
  /** `YYYY-MM`. */
  readonly mes: string;
  /** All days of the month that have begun and are kept, also those without traffic, in order. */
  readonly dias: readonly (Bytes & { readonly dia: Data })[];
}

/** No write of ours tells of bytes, so an answer about them is kept for a moment only. */
const VALIDADE_MS = 10_000;

const NADA: Bytes = { download: 0, upload: 0 };

/** Bytes over time, for who draws them. */
export function createConsultaDeTrafegoService({ provedor, relogio, trail, trafego }: ConsultaDeTrafegoDeps) {
  const { fusoHorario: fuso } = provedor;

  function vale(): void {
    trail.dependsOn(PROVEDOR_TAG);
    trail.changesAt(new Date(relogio.agora().getTime() + VALIDADE_MS));
  }

  async function linhasDe(de: DeQuem, inicio: Date, fim: Date): Promise<(Bytes & { readonly em: number })[]> {
    if ('contratoId' in de) {
      const ultimo = hojeEm(fuso, new Date(fim.getTime() - 1));
      const rows = await trafego.doContrato(de.contratoId, hojeEm(fuso, inicio), ultimo);
      return rows.map(({ dia, ...bytes }) => ({ ...bytes, em: inicioDoDiaEm(fuso, dia as Data).getTime() }));
    }
    const rows = await trafego.porHora(toDatabaseTime(inicio), de.nas, toDatabaseTime(fim));
    return rows.map(({ hora, ...bytes }) => ({ ...bytes, em: fromDatabaseTime(hora).getTime() }));
  }

  return {
    /** @param mes `YYYY-MM`, or null for this one. @returns null of a month to come, and of one more than 13 months ago */
    async doMes(contratoId: number, mes: string | null): Promise<UsoDoMes | null> {
      const dias = diasDoMes(mes, hojeEm(fuso, relogio.agora()));
      if (dias === null) return null;
      vale();
      const { primeiro, ultimo } = dias;
      const rows = new Map(
        (await trafego.doContrato(contratoId, primeiro, ultimo)).map(({ dia, ...bytes }) => [dia, bytes]),
      );
      return { mes: dias.mes, dias: diasDe(primeiro, ultimo).map((dia) => ({ dia, ...(rows.get(dia) ?? NADA) })) };
    },

    /** All hours or local days that have an instant in `[de, ate)`, in order, also those without traffic. One statement. */
    async serie(intervalo: Intervalo, de: Date, ate: Date, quem: DeQuem): Promise<Trecho[]> {
      vale();
      const trechos = trechosDe(intervalo, de, ate, fuso);
      const inicio = trechos[0]?.inicio;
      const fim = trechos.at(-1)?.fim;
      if (inicio === undefined || fim === undefined) return [];
      return preencher(trechos, await linhasDe(quem, inicio, fim));
    },
  };
}
