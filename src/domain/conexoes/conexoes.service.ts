import { hojeEm, inicioDoDiaEm, somarDias } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import type { Trail } from '../../platform/cache/trail.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { contratoTag } from '../tags.ts';
import { createConexoesQueries } from './conexoes.queries.ts';
import type { Conexao, SessaoInterpretada } from './conexoes.types.ts';
import { estadoDaConexao } from './estado.regras.ts';
import { interpretarSessao, QUEDAS_PROXIMAS_MS } from './sessoes.regras.ts';

const DIA_MS = 86_400_000;
const DIAS_DE_SESSOES = 30;
const MAXIMO_DE_SESSOES = 100;

export type ConexoesService = ReturnType<typeof createConexoesService>;

export interface ConexoesDeps {
  readonly db: Db;
  readonly provedor: Pick<Provedor, 'id' | 'fusoHorario'>;
  readonly relogio: Relogio;
  readonly intervaloPadraoSegundos: number;
  readonly trail: Trail;
}

export function createConexoesService(deps: ConexoesDeps) {
  const { db, provedor, relogio, intervaloPadraoSegundos, trail } = deps;
  const queries = createConexoesQueries(db, provedor.id);

  async function lerSessoes(login: string | null, agora: Date): Promise<SessaoInterpretada[]> {
    if (login === null || login === '') return [];
    const desde = new Date(agora.getTime() - DIAS_DE_SESSOES * DIA_MS);
    const rows = await queries.sessoes(login, desde, MAXIMO_DE_SESSOES);
    return rows.map((row) => interpretarSessao(row, agora, intervaloPadraoSegundos));
  }

  return {
    /** Connection, drops and sessions of a contract; null when this tenant has no such contract. Three statements. */
    async buscarPorContrato(contratoId: number): Promise<Conexao | null> {
      trail.dependsOn(contratoTag(contratoId));
      const contrato = await queries.buscarContrato(contratoId);
      if (contrato === undefined) return null;

      const agora = relogio.agora();
      const hoje = hojeEm(provedor.fusoHorario, agora);
      const trintaDias = somarDias(hoje, -29);
      const [gravadas, sessoes] = await Promise.all([
        queries.quedasPorDia(contratoId, trintaDias, hoje),
        lerSessoes(contrato.login, agora),
      ]);

      trail.changesAt(proximaMudanca(sessoes, inicioDoDiaEm(provedor.fusoHorario, somarDias(hoje, 1)), agora));
      const ouvidaEm = contrato.ouvida_em === null ? null : fromDatabaseTime(contrato.ouvida_em);
      const conexao = estadoDaConexao({
        login: contrato.login,
        temRegistro: contrato.conexao_contrato_id !== null,
        ouvidaEm,
        intervaloSegundos: contrato.intervalo_segundos,
        intervaloPadraoSegundos,
        agora,
      });
      const porContar = conexao === 'offline' ? quedaPorContar(sessoes, ouvidaEm) : null;
      const quedas: { dia: string; quedas: number }[] = [...gravadas];
      if (porContar !== null) quedas.push({ dia: hojeEm(provedor.fusoHorario, porContar), quedas: 1 });

      return {
        contratoId,
        conexao,
        fonte: conexao === 'desconhecido' ? 'desconhecida' : 'radius',
        quedas7Dias: somar(quedas, somarDias(hoje, -6)),
        quedas30Dias: somar(quedas, trintaDias),
        sessoes: sessoes.map(({ inicio, fim, duracaoSegundos, causa }) => ({ inicio, fim, duracaoSegundos, causa })),
      };
    },
  };
}

/**
 * When the session that the record still holds as open dropped, if it went stale and no drop near it was counted.
 *
 * The aggregation empties `ouvida_em` when it counts a stale session, so a record that still has it was not recomputed
 * since. If the sessions no longer have that stale one, it was closed in the meantime and its stop says what it was.
 */
function quedaPorContar(sessoes: readonly SessaoInterpretada[], ouvidaEm: Date | null): Date | null {
  if (ouvidaEm === null) return null;
  const parada = sessoes.find((sessao) => sessao.parada && sessao.ouvidaEm?.getTime() === ouvidaEm.getTime());
  const momento = parada?.fim?.getTime();
  if (parada === undefined || momento === undefined) return null;
  const contadaPerto = sessoes.some(
    (sessao) =>
      sessao !== parada &&
      sessao.queda &&
      sessao.fim !== null &&
      Math.abs(sessao.fim.getTime() - momento) <= QUEDAS_PROXIMAS_MS,
  );
  return contadaPerto ? null : parada.fim;
}

/** When the answer changes by itself: at once while a session's duration grows, else at midnight or as a session leaves. */
function proximaMudanca(sessoes: readonly SessaoInterpretada[], meiaNoite: Date, agora: Date): Date {
  if (sessoes.some(({ fim }) => fim === null)) return agora;
  const saidas = sessoes.map(({ fim }) => (fim?.getTime() ?? Infinity) + DIAS_DE_SESSOES * DIA_MS + 1);
  return new Date(Math.min(meiaNoite.getTime(), ...saidas));
}

function somar(quedas: readonly { dia: string; quedas: number }[], desde: Data): number {
  return quedas.reduce((soma, { dia, quedas: doDia }) => (dia >= desde ? soma + doDia : soma), 0);
}
