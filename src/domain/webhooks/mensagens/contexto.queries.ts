import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Contexto, ChamadoDito, EventoEscrito } from '../../eventos/traducao.regras.ts';
import { apurarFaturas } from '../../faturas/apuracao.service.ts';
import { COLUNAS_DA_FATURA } from '../../faturas/faturas.types.ts';
import type { Fatura } from '../../faturas/faturas.types.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { AlvoDeAviso } from '../../rede/avisos/avisos.types.ts';
import { instante } from '../webhooks.types.ts';

type ChamadoDitoRow = Omit<ChamadoDito, 'agendadoPara'> & {
  readonly id: number;
  readonly agendado_para: string | null;
};

const DO_CHAMADO = columns<ChamadoDitoRow>('chamados', {
  id: true,
  cliente_id: true,
  contrato_id: true,
  situacao: true,
  prioridade: true,
  categoria: true,
  origem: true,
  agendado_para: true,
});

/** How many contracts some targets cover. */
export interface Cobertura {
  buscar(id: number): Promise<{ readonly alvos: readonly AlvoDeAviso[] } | null>;
  cobertura(aviso: { readonly alvos: readonly AlvoDeAviso[] }): Promise<{ readonly contratos: number }>;
}

/** Reads, in a statement each, what events do not say of invoices and tickets. */
export async function lerContexto(
  tenant: TenantDb,
  provedor: Provedor,
  agora: Date,
  avisos: Cobertura,
  eventos: readonly EventoEscrito[],
): Promise<Contexto> {
  const idsDe = (recurso: string): number[] => [
    ...new Set(eventos.flatMap(({ tipo, recursoId }) => (tipo.startsWith(recurso) ? (recursoId ?? []) : []))),
  ];
  return {
    faturas: await faturasDe(tenant, provedor, agora, idsDe('fatura.')),
    chamados: await chamadosDe(tenant, idsDe('chamado.')),
    cobertos: await cobertosPor(avisos, idsDe('rede.aviso_')),
  };
}

async function faturasDe(
  tenant: TenantDb,
  provedor: Provedor,
  agora: Date,
  ids: readonly number[],
): Promise<Map<number, Fatura>> {
  if (ids.length === 0) return new Map();
  const rows = await rowsOf(tenant.from('faturas').whereIn('faturas.id', ids), COLUNAS_DA_FATURA);
  const faturas = await apurarFaturas(tenant, provedor, hojeEm(provedor.fusoHorario, agora), rows);
  return new Map(faturas.map((fatura) => [fatura.id, fatura]));
}

async function chamadosDe(tenant: TenantDb, ids: readonly number[]): Promise<Map<number, ChamadoDito>> {
  if (ids.length === 0) return new Map();
  const rows = await rowsOf(tenant.from('chamados').whereIn('chamados.id', ids), DO_CHAMADO);
  return new Map(
    rows.map(({ id, agendado_para, ...chamado }) => [id, { ...chamado, agendadoPara: instante(agendado_para) }]),
  );
}

/** Notices are few: one after the other. */
async function cobertosPor(avisos: Cobertura, ids: readonly number[]): Promise<Map<number, number>> {
  const cobertos = new Map<number, number>();
  for (const id of ids) {
    const aviso = await avisos.buscar(id);
    if (aviso !== null) cobertos.set(id, (await avisos.cobertura(aviso)).contratos);
  }
  return cobertos;
}
