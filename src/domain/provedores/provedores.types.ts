import type { Knex } from 'knex';
import { criarCalendarioBancario } from '../../brazil/calendario/calendario-bancario.ts';
import type { CalendarioBancario } from '../../brazil/calendario/calendario-bancario.ts';
import { columns } from '../../platform/mysql/columns.ts';
import { jsonColumn } from '../../platform/mysql/database.ts';
import { CONTAS_DO_PROVEDOR, lerContas } from '../cobradores/cobradores.types.ts';
import type { Conta, ContasDoProvedor } from '../cobradores/cobradores.types.ts';

/** Billing rules of a provider, as `regras_cobranca` holds them. */
export interface RegrasCobranca {
  /** Hundredths of a percent: 200 is 2.00 %. At most 200 (CDC, art. 52 §1). */
  readonly multaPercentual: number;
  /** Hundredths of a percent a month: 100 is 1.00 %. */
  readonly jurosMensalPercentual: number;
  readonly carenciaDias: number;
  /** Days before that of a payment of which any may say what was owed; see recebimentos/quitacao.regras.ts. */
  readonly toleranciaPixDias: number;
  /** Whether a surplus becomes credit of the client's next invoice by itself; else it is left until people do something with it. */
  readonly excedenteViraCredito: boolean;
  readonly desbloqueioHabilitado: boolean;
  /** Days that a trust unblock lasts. */
  readonly desbloqueioDias: number;
  /** Days ahead for which a promise of payment is taken; 0: none is. */
  readonly promessaDias: number;
  /** By which everything is judged that follows from being late. */
  readonly calendario: CalendarioBancario;
}

/** How much a key that is kept from something may find out in an hour; see access/rights.ts. */
export interface LimitesDeBusca {
  /** Searches that find nobody. */
  readonly emVaoPorHora: number;
  /** Different clients. */
  readonly clientesPorHora: number;
}

/** Where a provider says nothing else. */
export const LIMITES_DE_BUSCA: LimitesDeBusca = { emVaoPorHora: 30, clientesPorHora: 300 };

/** A tenant. */
export interface Provedor {
  readonly id: number;
  readonly nome: string;
  /** Host of the panel, the API and the subscriber's pages, in lower case and without port. */
  readonly panelHost: string;
  /** IANA zone that decides what "today" is. */
  readonly fusoHorario: string;
  readonly cnpj: string | null;
  /** Whether it lives in another cell, by now or still; what is here of it may be old, and nobody is told it. */
  readonly viveFora: boolean;
  /** Whether it moves to another cell or from one, or has gone to one: it is only read here. */
  readonly mudando: boolean;
  /** Whether subscribers may change their own contacts and address by the app. */
  readonly appEditaCadastro: boolean;
  readonly buscas: LimitesDeBusca;
  /** Its charging accounts, the first one first; see `contaDaFatura`. */
  readonly contas: readonly Conta[];
  readonly regras: RegrasCobranca;
}

export interface NovoProvedor {
  readonly nome: string;
  readonly panelHost: string;
  readonly fusoHorario: string;
}

/** How a provider stands that does not live here, or not for long, and where it goes or went; null where nobody said it. */
export interface MudancaDeCelula {
  readonly mudanca: string;
  readonly mudanca_para: string | null;
}

/** Columns of a provider, with what makes up its rules. */
export interface ProvedorRow {
  provedor_id: number;
  provedor_nome: string;
  panel_host: string;
  fuso_horario: string;
  provedor_cnpj: string | null;
  mudanca: 'chegando' | 'chegou' | 'saindo' | 'foi' | null;
  app_edita_cadastro: number;
  buscas_em_vao_por_hora: number | null;
  clientes_por_hora: number | null;
  contas: ContasDoProvedor;
  multa_percentual: string;
  juros_mensal_percentual: string;
  carencia_dias: number;
  tolerancia_pix_dias: number;
  excedente_vira_credito: number;
  desbloqueio_habilitado: number;
  desbloqueio_dias: number;
  promessa_dias: number;
  provedor_uf: string | null;
  /** Its own days of the calendar: day → whether banks open on it. Null where it has none. */
  dias_proprios: string | Readonly<Record<string, number>> | null;
}

/** Columns of a query that {@link comProvedor} joined the provider to. */
export const COLUNAS_DE_PROVEDOR = columns<ProvedorRow>('provedores', {
  provedor_id: 'provedores.id',
  provedor_nome: 'provedores.nome',
  panel_host: true,
  fuso_horario: true,
  provedor_cnpj: 'provedores.cnpj',
  mudanca: 'provedores.mudanca',
  app_edita_cadastro: true,
  buscas_em_vao_por_hora: true,
  clientes_por_hora: true,
  contas: CONTAS_DO_PROVEDOR,
  multa_percentual: 'regras_cobranca.multa_percentual',
  juros_mensal_percentual: 'regras_cobranca.juros_mensal_percentual',
  carencia_dias: 'regras_cobranca.carencia_dias',
  tolerancia_pix_dias: 'regras_cobranca.tolerancia_pix_dias',
  excedente_vira_credito: 'regras_cobranca.excedente_vira_credito',
  desbloqueio_habilitado: 'regras_cobranca.desbloqueio_habilitado',
  desbloqueio_dias: 'regras_cobranca.desbloqueio_dias',
  promessa_dias: 'regras_cobranca.promessa_dias',
  provedor_uf: 'provedores_identidade.uf',
  // In the same statement, so that rules and calendar are of one moment.
  dias_proprios:
    '(SELECT JSON_OBJECTAGG(dias.dia, dias.dia_util) FROM provedores_feriados AS dias WHERE provedores.id = dias.provedor_id)',
});

/** Joins to a query of `provedores` its rules and its identity; for `modify`. */
export function comProvedor(query: Knex.QueryBuilder): void {
  query
    .join('regras_cobranca', 'regras_cobranca.provedor_id', 'provedores.id')
    .leftJoin('provedores_identidade', 'provedores_identidade.provedor_id', 'provedores.id');
}

export function paraProvedor(row: ProvedorRow): Provedor {
  return {
    id: row.provedor_id,
    nome: row.provedor_nome,
    panelHost: row.panel_host,
    fusoHorario: row.fuso_horario,
    cnpj: row.provedor_cnpj,
    viveFora: row.mudanca === 'foi' || row.mudanca === 'chegando',
    mudando: row.mudanca !== null,
    appEditaCadastro: row.app_edita_cadastro === 1,
    buscas: {
      emVaoPorHora: row.buscas_em_vao_por_hora ?? LIMITES_DE_BUSCA.emVaoPorHora,
      clientesPorHora: row.clientes_por_hora ?? LIMITES_DE_BUSCA.clientesPorHora,
    },
    contas: lerContas(row.contas),
    regras: {
      multaPercentual: centesimos(row.multa_percentual),
      jurosMensalPercentual: centesimos(row.juros_mensal_percentual),
      carenciaDias: row.carencia_dias,
      toleranciaPixDias: row.tolerancia_pix_dias,
      excedenteViraCredito: row.excedente_vira_credito === 1,
      desbloqueioHabilitado: row.desbloqueio_habilitado === 1,
      desbloqueioDias: row.desbloqueio_dias,
      promessaDias: row.promessa_dias,
      calendario: lerCalendario(row),
    },
  };
}

function lerCalendario({ provedor_uf: uf, dias_proprios: dias }: ProvedorRow): CalendarioBancario {
  const proprios = Object.entries(jsonColumn<Readonly<Record<string, number>>>(dias ?? {}));
  return criarCalendarioBancario(
    uf,
    proprios.map(([dia, util]) => [dia, util === 1]),
  );
}

/** `2.00` → 200, without floating point. */
function centesimos(percentual: string): number {
  return Number(percentual.replace('.', ''));
}
