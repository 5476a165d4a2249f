import { hojeEm, inicioDoDiaEm, somarDias } from '../../brazil/calendario/datas.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Trail } from '../../platform/cache/trail.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { AvisosDosContratosService } from '../rede/avisos/cobertos.service.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { contratoTag } from '../tags.ts';
import { createConexoesQueries } from './conexoes.queries.ts';
import type { JanelaDeQuedas, SessaoInterpretada } from './conexoes.types.ts';
import { linhaAgora } from './detalhe/detalhe.regras.ts';
import type { Conexao, ConexaoDetalhe, DetalheRow, SomasRow } from './detalhe/detalhe.types.ts';
import { fimDaEspera, intervaloDoRegistro } from './estado.regras.ts';
import { interpretarSessao, sessoesDesde } from './sessoes.regras.ts';

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

  async function lerSessoes({ login, login_desde }: DetalheRow, agora: Date): Promise<SessaoInterpretada[]> {
    if (login === null || login === '') return [];
    const desde = new Date(agora.getTime() - DIAS_DE_SESSOES * DIA_MS);
    const rows = await queries.sessoes(login, desde, MAXIMO_DE_SESSOES);
    const lidas = rows.map((row) => interpretarSessao(row, agora, intervaloPadraoSegundos));
    return sessoesDesde(lidas, login_desde === null ? null : fromDatabaseTime(login_desde), agora);
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

  function janela(agora: Date): JanelaDeQuedas {
    const hoje = hojeEm(provedor.fusoHorario, agora);
    trail.changesAt(inicioDoDiaEm(provedor.fusoHorario, somarDias(hoje, 1)));
    return { hoje, de7: somarDias(hoje, -6), de30: somarDias(hoje, -29) };
  }

  return {
    /** The days over which drops are counted now, for whoever reads lines with other things of their contracts. */
    janela,

    /** A line, of a row that was read over them. The caller has named the contract's tag, or its client's. */
    detalhe: paraDetalhe,

    /** Connection, drops and sessions of a contract; null when this tenant has no such contract. Three statements. */
    async buscarPorContrato(contratoId: number): Promise<Conexao | null> {
      trail.dependsOn(contratoTag(contratoId));
      const agora = relogio.agora();
      const row = await queries.detalhe(contratoId, janela(agora));
      if (row === undefined) return null;
      const [sessoes, cobrem] = await Promise.all([lerSessoes(row, agora), avisos.queCobrem([contratoId])]);
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
