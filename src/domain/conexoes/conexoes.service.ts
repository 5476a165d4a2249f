import { hojeEm, inicioDoDiaEm, somarDias } from '../../brazil/calendario/datas.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Trail } from '../../platform/cache/trail.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { AvisosDosContratosService } from '../rede/avisos/cobertos.service.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { contratoTag } from '../tags.ts';
import { createConexoesQueries } from './conexoes.queries.ts';
import type { SessaoInterpretada } from './conexoes.types.ts';
import { linhaAgora } from './detalhe/detalhe.regras.ts';
import type { Conexao, ConexaoDetalhe, DetalheRow, SomasRow } from './detalhe/detalhe.types.ts';
import { fimDaEspera, intervaloDoRegistro } from './estado.regras.ts';
import { interpretarSessao } from './sessoes.regras.ts';

const DIA_MS = 86_400_000;
const DIAS_DE_SESSOES = 30;
const MAXIMO_DE_SESSOES = 100;

export type ConexoesService = ReturnType<typeof createConexoesService>;

export interface ConexoesDeps {
  readonly tenant: TenantDb;
  readonly provedor: Pick<Provedor, 'fusoHorario'>;
  readonly relogio: Relogio;
  readonly intervaloPadraoSegundos: number;
  readonly trail: Trail;
  readonly avisos: Pick<AvisosDosContratosService, 'queCobrem'>;
}

export function createConexoesService(deps: ConexoesDeps) {
  const { tenant, provedor, relogio, intervaloPadraoSegundos, trail, avisos } = deps;
  const queries = createConexoesQueries(tenant);

  async function lerSessoes(login: string | null, agora: Date): Promise<SessaoInterpretada[]> {
    if (login === null || login === '') return [];
    const desde = new Date(agora.getTime() - DIAS_DE_SESSOES * DIA_MS);
    const rows = await queries.sessoes(login, desde, MAXIMO_DE_SESSOES);
    return rows.map((row) => interpretarSessao(row, agora, intervaloPadraoSegundos));
  }

  function paraDetalhe(row: DetalheRow & SomasRow, agora: Date): ConexaoDetalhe {
    const { porContar, ...linha } = linhaAgora(row, agora, intervaloPadraoSegundos);
    const hoje = hojeEm(provedor.fusoHorario, agora);
    const dia = porContar === null ? null : hojeEm(provedor.fusoHorario, porContar);
    const mais = (dias: number): number => (dia !== null && dia >= somarDias(hoje, 1 - dias) ? 1 : 0);
    if (linha.conexao === 'online' && row.conexao_ouvida_em !== null) {
      const intervalo = intervaloDoRegistro(row.intervalo_segundos, intervaloPadraoSegundos);
      trail.changesAt(fimDaEspera(fromDatabaseTime(row.conexao_ouvida_em), intervalo));
    }
    return { ...linha, quedas7Dias: row.quedas_7 + mais(7), quedas30Dias: row.quedas_30 + mais(30) };
  }

  async function ler(contratoIds: readonly number[], agora: Date): Promise<(DetalheRow & SomasRow)[]> {
    const hoje = hojeEm(provedor.fusoHorario, agora);
    trail.changesAt(inicioDoDiaEm(provedor.fusoHorario, somarDias(hoje, 1)));
    return queries.detalhes(contratoIds, hoje, [somarDias(hoje, -6), somarDias(hoje, -29)]);
  }

  return {
    /**
     * The lines of contracts, by the contract; those of others are left out. One statement, however many they are. The caller has named
     * the contracts' tags, or those of their clients.
     */
    async detalhes(contratoIds: readonly number[]): Promise<ReadonlyMap<number, ConexaoDetalhe>> {
      const agora = relogio.agora();
      return new Map((await ler(contratoIds, agora)).map((row) => [row.id, paraDetalhe(row, agora)]));
    },

    /** Connection, drops and sessions of a contract; null when this tenant has no such contract. Three statements. */
    async buscarPorContrato(contratoId: number): Promise<Conexao | null> {
      trail.dependsOn(contratoTag(contratoId));
      const agora = relogio.agora();
      const [row] = await ler([contratoId], agora);
      if (row === undefined) return null;
      const [sessoes, cobrem] = await Promise.all([lerSessoes(row.login, agora), avisos.queCobrem([contratoId])]);
      trail.changesAt(proximaMudanca(sessoes, agora));
      return {
        contratoId,
        ...paraDetalhe(row, agora),
        avisos: cobrem.get(contratoId) ?? [],
        sessoes: sessoes.map(({ inicio, fim, duracaoSegundos, causa }) => ({ inicio, fim, duracaoSegundos, causa })),
      };
    },
  };
}

/** When the answer changes by itself, besides at midnight: at once while a session's duration grows, else as a session leaves. */
function proximaMudanca(sessoes: readonly SessaoInterpretada[], agora: Date): Date {
  if (sessoes.some(({ fim }) => fim === null)) return agora;
  const saidas = sessoes.map(({ fim }) => (fim?.getTime() ?? Infinity) + DIAS_DE_SESSOES * DIA_MS + 1);
  return new Date(Math.min(8.64e15, ...saidas));
}
