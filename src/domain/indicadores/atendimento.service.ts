import { hojeEm, somarDias } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { columns, expressions, rowsOf } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { diasDe } from './dias.regras.ts';
import type { Dias } from './dias.regras.ts';
import type { Memoria, Numero } from './memoria.service.ts';

const DIAS = 30;
/** Of the tickets closed, as many of the latest are measured: more would not move a median. */
const MEDIDOS = 20_000;

/** Median and 90th percentile, in seconds; null where there is none to measure. */
export interface Espera {
  readonly mediana: number | null;
  readonly p90: number | null;
}

interface AtendimentoDoDia {
  readonly dia: Data;
  readonly abertos: number;
  readonly solucionados: number;
}

export interface Atendimento {
  readonly porDia: Numero<readonly AtendimentoDoDia[]>;
  /** Of the tickets closed in 30 days, or the latest 20,000 of them: `medidos` says how many. */
  readonly esperas: Numero<{
    readonly primeiraResposta: Espera;
    readonly solucao: Espera;
    readonly medidos: number;
  }>;
  /** Of the tickets opened in 30 days; `categoria` is null where nobody has said. */
  readonly porCategoria: Numero<
    readonly { readonly categoria: string | null; readonly origem: string; readonly quantidade: number }[]
  >;
}

interface AbertosRow {
  lugar: number;
  categoria: string | null;
  origem: string;
  quantidade: number;
}
interface FechadoRow {
  aberto: number;
  fechado: number;
  resposta: number | null;
  situacao: string;
}

const DO_FECHADO = columns<FechadoRow>('c', {
  aberto: 'TO_SECONDS(c.aberto_em)',
  fechado: 'TO_SECONDS(c.fechado_em)',
  situacao: true,
  resposta: `(SELECT TO_SECONDS(MIN(h.ocorrido_em)) FROM chamados_historico h FORCE INDEX (chamados_historico_chamado)
               WHERE (h.provedor_id, h.chamado_id) = (c.provedor_id, c.id) AND h.acao <> 'aberto'
                 AND (h.autor IS NULL OR h.autor <> 'assinante'))`,
});

export function atendimentoEmNumeros(tenant: TenantDb, { id, fusoHorario }: Provedor, memoria: Memoria) {
  async function abertos(dias: Dias, [de, antesDe]: readonly [string, string]): Promise<AbertosRow[]> {
    const lugar = dias.lugarDe('aberto_em');
    const query = tenant
      .from('chamados', 'chamados_numeros')
      .where('aberto_em', '>=', de)
      .where('aberto_em', '<', antesDe)
      .groupByRaw(`${lugar}, categoria, origem`);
    const colunas = columns<AbertosRow>('chamados', { lugar, categoria: true, origem: true, quantidade: 'COUNT(*)' });
    return rowsOf(query, colunas);
  }

  async function solucionados(dias: Dias, [de, antesDe]: readonly [string, string]): Promise<Map<number, number>> {
    const lugar = dias.lugarDe('fechado_em');
    const query = tenant
      .from('chamados', 'chamados_encerrados')
      .where('fechado_em', '>=', de)
      .where('fechado_em', '<', antesDe)
      .where('situacao', 'solucionado')
      .groupByRaw(lugar);
    const rows = await rowsOf(
      query,
      expressions<{ lugar: number; quantidade: number }>({ lugar, quantidade: 'COUNT(*)' }),
    );
    return new Map(rows.map((row) => [row.lugar, row.quantidade]));
  }

  /** Those closed last, each with when the staff first said something of it. */
  async function fechados([de, antesDe]: readonly [string, string]): Promise<FechadoRow[]> {
    const ultimos = tenant
      .from('chamados', 'chamados_encerrados')
      .where('fechado_em', '>=', de)
      .where('fechado_em', '<', antesDe)
      .orderBy('fechado_em', 'desc')
      .limit(MEDIDOS)
      .select('provedor_id', 'id', 'aberto_em', 'fechado_em', 'situacao');
    return rowsOf(tenant.db.from(ultimos.as('c')), DO_FECHADO);
  }

  return {
    async atendimento(agora: Date): Promise<Atendimento> {
      const hoje = hojeEm(fusoHorario, agora);
      const dias = diasDe(fusoHorario, somarDias(hoje, 1 - DIAS), hoje);
      const [faixa = ['', ''] as const] = dias.faixas(dias.dias);
      const [novos, porLugar, esperas] = await Promise.all([
        abertos(dias, faixa),
        solucionados(dias, faixa),
        memoria.lembrar(id, `esperas ${hoje}`, async () => {
          const rows = await fechados(faixa);
          // What costs is the history of each.
          return { valor: medir(rows), linhas: rows.length * 10 };
        }),
      ]);
      const porDia = dias.dias.map((dia, n) => ({
        dia,
        abertos: novos.filter(({ lugar }) => lugar === n + 1).reduce((soma, { quantidade }) => soma + quantidade, 0),
        solucionados: porLugar.get(n + 1) ?? 0,
      }));
      return {
        porDia: { valor: porDia, de: agora },
        esperas,
        porCategoria: { valor: juntarCategorias(novos), de: agora },
      };
    },
  };
}

function juntarCategorias(novos: readonly AbertosRow[]) {
  const juntas = new Map<string, { categoria: string | null; origem: string; quantidade: number }>();
  for (const { categoria, origem, quantidade } of novos) {
    const chave = `${categoria ?? ''} ${origem}`;
    juntas.set(chave, { categoria, origem, quantidade: quantidade + (juntas.get(chave)?.quantidade ?? 0) });
  }
  return [...juntas.values()].toSorted((a, b) => b.quantidade - a.quantidade || a.origem.localeCompare(b.origem));
}

function medir(rows: readonly FechadoRow[]) {
  const respostas = rows.flatMap(({ aberto, resposta }) => (resposta === null ? [] : [Math.max(0, resposta - aberto)]));
  const solucoes = rows
    .filter(({ situacao }) => situacao === 'solucionado')
    .map(({ aberto, fechado }) => Math.max(0, fechado - aberto));
  return { primeiraResposta: esperaDe(respostas), solucao: esperaDe(solucoes), medidos: rows.length };
}

/** By the nearest rank: of a few, one that was there. */
export function esperaDe(segundos: readonly number[]): Espera {
  const emOrdem = segundos.toSorted((a, b) => a - b);
  const parte = (p: number): number | null => emOrdem[Math.max(0, Math.ceil(p * emOrdem.length) - 1)] ?? null;
  return { mediana: parte(0.5), p90: parte(0.9) };
}
