import { somarDias } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { centavos, escreverDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import type { Trabalho } from '../tarefas/tarefas.types.ts';
import { diasDe } from './dias.regras.ts';
import { financeiroDe } from './financeiro.service.ts';
import { geralDe } from './geral.service.ts';
import type { Memoria } from './memoria.service.ts';
import { recebidoPorDia, somasGuardadas, vencendoPorDia } from './somas.queries.ts';
import type { NomeDaSoma, SomaRow } from './somas.queries.ts';

/** Days that are summed anew each night: those that are shown, and some more. What was corrected in them is right by then. */
const DIAS = 35;
/** Of a chunk, however fast the others may be: each is a day of sums. */
const POR_LOTE = 7;

type NovaSoma = Omit<SomaRow, 'feita_em'>;

export interface FechoDeps {
  readonly relogio: Relogio;
  readonly memoria: Memoria;
  readonly intervaloPadraoSegundos: number;
}

/**
 * Keeps the sums of the days that are over, and how things stood as the day began. A day's sum is only a shorter way: who reads it looks for
 * what was corrected since.
 */
export function createFechoDoDia(deps: FechoDeps): Trabalho<{ readonly dia: Data }, { readonly dia: Data }> {
  const { relogio, memoria, intervaloPadraoSegundos } = deps;

  async function somasDe(tenant: TenantDb, provedor: Provedor, quais: readonly Data[]): Promise<NovaSoma[]> {
    const [primeiro, ultimo] = [quais[0], quais.at(-1)];
    if (primeiro === undefined || ultimo === undefined) return [];
    const [recebido, vencendo] = await Promise.all([
      recebidoPorDia(tenant, diasDe(provedor.fusoHorario, primeiro, ultimo), quais),
      vencendoPorDia(tenant, [primeiro, ultimo]),
    ]);
    const nada = { valor: centavos(0), quantidade: 0 };
    const linha = (nome: NomeDaSoma, dia: Data, { valor, quantidade } = nada): NovaSoma => ({
      nome,
      dia,
      valor: escreverDinheiro(valor),
      quantidade,
    });
    return quais.flatMap((dia) => [
      linha('recebido', dia, recebido.get(dia)),
      linha('vencendo', dia, vencendo.get(dia)),
    ]);
  }

  /** How things stand now, unless that was kept before: a day that is done again began but once. */
  async function retrato(tenant: TenantDb, provedor: Provedor, dia: Data): Promise<NovaSoma[]> {
    if ((await somasGuardadas(tenant, ['vencido'], [dia, dia])).length > 0) return [];
    const financeiro = financeiroDe(tenant, provedor, memoria);
    const geral = geralDe({ tenant, provedor, memoria, financeiro, intervaloPadraoSegundos });
    const { linhas, bloqueados, vencido, chamados } = await geral.estado(relogio.agora());
    const linha = (nome: NomeDaSoma, quantidade: number, valor = centavos(0)): NovaSoma => ({
      nome,
      dia,
      valor: escreverDinheiro(valor),
      quantidade,
    });
    return [
      linha('online', linhas.valor.online),
      linha('offline', linhas.valor.offline),
      linha('bloqueados', bloqueados.valor),
      linha('vencido', vencido.valor.clientes, vencido.valor.valor),
      linha('chamados_abertos', chamados.valor),
    ];
  }

  const dias = (dia: Data, depoisDe: { readonly dia: Data } | null): { readonly dia: Data }[] =>
    Array.from({ length: DIAS + 1 }, (_, n) => ({ dia: somarDias(dia, n - DIAS) })).filter(
      (um) => depoisDe === null || um.dia > depoisDe.dia,
    );

  return {
    evento: 'somas.fechadas',
    etiquetas: [],
    lugar: ({ dia }) => ({ dia }),
    retoma: true,
    contar: async (_tenant, dia, depoisDe) => dias(dia, depoisDe).length,
    proximas: async (_tenant, dia, depoisDe, limite) => dias(dia, depoisDe).slice(0, Math.min(limite, POR_LOTE)),
    async preparar(tenant, provedor, dia, linhas) {
      // Before it is read: what is written meanwhile is a correction.
      const feita_em = toDatabaseTime(relogio.agora());
      const passados = linhas.map((linha) => linha.dia).filter((um) => um < dia);
      const somas = await somasDe(tenant, provedor, passados);
      if (passados.length < linhas.length) somas.push(...(await retrato(tenant, provedor, dia)));
      return async (w) => {
        if (somas.length === 0) return 0;
        const nomes = [...new Set(somas.map(({ nome }) => nome))];
        const delas = [...new Set(somas.map((soma) => soma.dia))];
        await w.delete('somas_diarias', (q) => void q.whereIn('nome', nomes).whereIn('dia', delas));
        await w.insert(
          'somas_diarias',
          somas.map((soma) => ({ ...soma, feita_em })),
        );
        return somas.length;
      };
    },
  };
}
