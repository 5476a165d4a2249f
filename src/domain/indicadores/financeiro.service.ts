import { diasEntre, hojeEm, somarDias } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { centavos, somarDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../platform/mysql/database.ts';
import { lerDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { diasDe } from './dias.regras.ts';
import type { Memoria, Numero } from './memoria.service.ts';
import { diasCorrigidos, recebidoPorDia, somasGuardadas, vencendoPorDia } from './somas.queries.ts';
import type { Soma, SomaRow } from './somas.queries.ts';
import { previstoPorDia, vencidasPorDia } from './vencidas.queries.ts';
import type { VencidasDoDia } from './vencidas.queries.ts';

/** How many days are shown, back and ahead. */
const DIAS = 30;
/** What a write may have taken to commit: a row may be older than the reading that did not see it. */
const FOLGA_MS = 150_000;
const NADA: Soma = { valor: centavos(0), quantidade: 0 };

export type SomaDoDia = Soma & { readonly dia: Data };

/** Days late of open invoices; `ate` is null of the last. */
const FAIXAS_DE_ATRASO = [
  { de: 1, ate: 15 },
  { de: 16, ate: 30 },
  { de: 31, ate: 60 },
  { de: 61, ate: 90 },
  { de: 91, ate: null },
] as const;

export type FaixaDeAtraso = Soma & { readonly de: number; readonly ate: number | null };

/** How what fell due on a day of the month was paid; the share is of the value, from 0 to 1. */
export interface DiaDeVencimento {
  /** The one of the last 30 days. */
  readonly dia: Data;
  readonly diaDoMes: number;
  readonly vencendo: Centavos;
  readonly emAberto: Centavos;
  readonly parteEmAberto: number;
}

export interface Financeiro {
  /** Of the last 30 days, today the last. */
  readonly recebido: Numero<readonly SomaDoDia[]>;
  /** What fell due on the same days, whatever has become of it; of days that are over as of the night's work. */
  readonly vencendo: Numero<readonly SomaDoDia[]>;
  /** What is left of open invoices due in the next 30 days, today the first. */
  readonly previsto: Numero<readonly SomaDoDia[]>;
  /** What open overdue invoices ask for today, by how late they are. */
  readonly atraso: Numero<readonly FaixaDeAtraso[]>;
  /** Days of the month by how little of what fell due on them in these 30 days is still open, the best first. */
  readonly diasDeVencimento: Numero<readonly DiaDeVencimento[]>;
}

/** What came in on the days up to today: what was kept of them, those corrected since and today reckoned anew, and of how many payments. */
async function recebidoAte(
  tenant: TenantDb,
  fuso: string,
  [primeiro, hoje]: readonly [Data, Data],
): Promise<{ valor: SomaDoDia[]; linhas: number }> {
  const dias = diasDe(fuso, primeiro, hoje);
  const guardadas = await somasGuardadas(tenant, ['recebido'], [primeiro, somarDias(hoje, -1)]);
  const porDia = new Map(guardadas.map((row) => [row.dia, row]));
  const refazer = new Set(dias.dias.filter((dia) => !porDia.has(dia)));
  const maisAntiga = guardadas.map(({ feita_em }) => feita_em).toSorted()[0];
  const [passado] = dias.faixas(dias.dias.slice(0, -1));
  if (maisAntiga !== undefined && passado !== undefined) {
    const desde = toDatabaseTime(new Date(fromDatabaseTime(maisAntiga).getTime() - FOLGA_MS));
    for (const dia of await diasCorrigidos(tenant, dias, desde, passado)) refazer.add(dia);
  }
  const refeitas = await recebidoPorDia(tenant, dias, [...refazer]);
  return {
    valor: dias.dias.map((dia) => ({ dia, ...(refeitas.get(dia) ?? daGuardada(porDia.get(dia))) })),
    linhas: [...refeitas.values()].reduce((soma, { quantidade }) => soma + quantidade, 0),
  };
}

function daGuardada(row: SomaRow | undefined): Soma {
  return row === undefined ? NADA : { valor: lerDinheiro(row.valor), quantidade: row.quantidade };
}

export function financeiroDe(tenant: TenantDb, provedor: Provedor, memoria: Memoria) {
  const { fusoHorario } = provedor;

  /** What fell due, as the night has kept it; days of which it has kept nothing, and today, are counted. */
  async function vencendoAte(primeiro: Data, hoje: Data): Promise<SomaDoDia[]> {
    const guardadas = await somasGuardadas(tenant, ['vencendo'], [primeiro, somarDias(hoje, -1)]);
    const porDia = new Map(guardadas.map((row) => [row.dia, daGuardada(row)]));
    const dias = Array.from({ length: DIAS }, (_, n) => somarDias(primeiro, n));
    const faltam = dias.filter((dia) => !porDia.has(dia));
    const desde = faltam[0] ?? hoje;
    // Of a provider whose nights have kept nothing yet, a month is counted.
    const { valor: contados } = await memoria.lembrar(provedor.id, `vencendo ${desde} ${hoje}`, async () => {
      const valor = await vencendoPorDia(tenant, [desde, hoje]);
      return { valor, linhas: [...valor.values()].reduce((soma, { quantidade }) => soma + quantidade, 0) };
    });
    return dias.map((dia) => ({ dia, ...(porDia.get(dia) ?? contados.get(dia) ?? NADA) }));
  }

  return {
    /** What open overdue invoices ask for on a day, by due date; a minute old at most where they are many. */
    async vencidas(hoje: Data): Promise<Numero<readonly VencidasDoDia[]>> {
      return memoria.lembrar(provedor.id, `vencidas ${hoje}`, async () => {
        const valor = await vencidasPorDia(tenant, provedor, hoje);
        return { valor, linhas: valor.reduce((soma, { quantidade }) => soma + quantidade, 0) };
      });
    },

    async financeiro(agora: Date): Promise<Financeiro> {
      const hoje = hojeEm(fusoHorario, agora);
      const primeiro = somarDias(hoje, 1 - DIAS);
      const fim = somarDias(hoje, DIAS - 1);
      const [recebido, vencendo, previsto, vencidas] = await Promise.all([
        memoria.lembrar(provedor.id, `recebido ${hoje}`, async () =>
          recebidoAte(tenant, fusoHorario, [primeiro, hoje]),
        ),
        vencendoAte(primeiro, hoje),
        memoria.lembrar(provedor.id, `previsto ${hoje}`, async () => {
          const porDia = await previstoPorDia(tenant, [hoje, fim]);
          const valor = Array.from({ length: DIAS }, (_, n) => somarDias(hoje, n)).map((dia) => ({
            dia,
            ...(porDia.get(dia) ?? NADA),
          }));
          return { valor, linhas: valor.reduce((soma, { quantidade }) => soma + quantidade, 0) };
        }),
        this.vencidas(hoje),
      ]);
      return {
        recebido,
        vencendo: { valor: vencendo, de: agora },
        previsto,
        atraso: { valor: porAtraso(vencidas.valor, hoje), de: vencidas.de },
        diasDeVencimento: { valor: porDiaDoMes(vencendo, vencidas.valor), de: vencidas.de },
      };
    },
  };
}

function porAtraso(vencidas: readonly VencidasDoDia[], hoje: Data): FaixaDeAtraso[] {
  return FAIXAS_DE_ATRASO.map(({ de, ate }) => {
    const delas = vencidas.filter(({ vencimento }) => {
      const dias = diasEntre(vencimento, hoje);
      return dias >= de && (ate === null || dias <= ate);
    });
    return {
      de,
      ate,
      valor: somarDinheiro(...delas.map(({ valor }) => valor)),
      quantidade: delas.reduce((soma, { quantidade }) => soma + quantidade, 0),
    };
  });
}

function porDiaDoMes(vencendo: readonly SomaDoDia[], vencidas: readonly VencidasDoDia[]): DiaDeVencimento[] {
  const abertas = new Map(vencidas.map((uma) => [uma.vencimento, uma.valor]));
  return vencendo
    .slice(0, -1)
    .filter(({ valor }) => valor > 0)
    .map(({ dia, valor }) => {
      const emAberto = abertas.get(dia) ?? centavos(0);
      return {
        dia,
        diaDoMes: Number(dia.slice(8)),
        vencendo: valor,
        emAberto,
        parteEmAberto: Math.min(1, emAberto / valor),
      };
    })
    .toSorted((a, b) => a.parteEmAberto - b.parteEmAberto || a.diaDoMes - b.diaDoMes);
}
