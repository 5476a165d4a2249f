import { hojeEm } from '../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { apurarFaturas } from '../faturas/apuracao.service.ts';
import { COLUNAS_DA_FATURA } from '../faturas/faturas.types.ts';
import type { Fatura } from '../faturas/faturas.types.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import type { ChamadoDito, NotaDita } from './contexto.types.ts';
import type { EventoEscrito } from './traducao.regras.ts';

type ChamadoDitoRow = Omit<ChamadoDito, 'agendadoPara' | 'responsavelId'> & {
  readonly id: number;
  readonly agendado_para: string | null;
  readonly responsavel_id: number | null;
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
  responsavel_id: true,
});

const DA_NOTA = columns<NotaDita & { readonly id: number }>('nfcom', { id: true, ambiente: true, finalidade: true });

/** Ids of the resources of some events, each once; of those whose name begins so. */
export const recursosDe = (eventos: readonly EventoEscrito[], comeco: string): number[] => [
  ...new Set(eventos.flatMap(({ tipo, recursoId }) => (tipo.startsWith(comeco) ? (recursoId ?? []) : []))),
];

/** The invoices of some events as they are now, in a statement. */
export async function faturasDosEventos(
  tenant: TenantDb,
  provedor: Provedor,
  agora: Date,
  eventos: readonly EventoEscrito[],
): Promise<Map<number, Fatura>> {
  const ids = recursosDe(eventos, 'fatura.');
  if (ids.length === 0) return new Map();
  const rows = await rowsOf(tenant.from('faturas').whereIn('faturas.id', ids), COLUNAS_DA_FATURA);
  const faturas = await apurarFaturas(tenant, provedor, hojeEm(provedor.fusoHorario, agora), rows);
  return new Map(faturas.map((fatura) => [fatura.id, fatura]));
}

/** The tickets of some events as they are now, in a statement. */
export async function chamadosDosEventos(
  tenant: TenantDb,
  eventos: readonly EventoEscrito[],
): Promise<Map<number, ChamadoDito>> {
  const ids = recursosDe(eventos, 'chamado.');
  if (ids.length === 0) return new Map();
  const rows = await rowsOf(tenant.from('chamados').whereIn('chamados.id', ids), DO_CHAMADO);
  return new Map(
    rows.map(({ id, agendado_para: agendado, responsavel_id: responsavelId, ...chamado }) => [
      id,
      { ...chamado, responsavelId, agendadoPara: agendado === null ? null : fromDatabaseTime(agendado) },
    ]),
  );
}

/** The fiscal notes that were authorised by some events of a version before, which do not say of what environment they are, in a statement. */
export async function notasDosEventos(
  tenant: TenantDb,
  eventos: readonly EventoEscrito[],
): Promise<Map<number, NotaDita>> {
  const semAmbiente = eventos.filter(({ dados }) => (dados as Partial<NotaDita> | null)?.ambiente === undefined);
  const ids = recursosDe(semAmbiente, 'nfcom.autorizada');
  if (ids.length === 0) return new Map();
  const rows = await rowsOf(tenant.from('nfcom').whereIn('nfcom.id', ids), DA_NOTA);
  return new Map(rows.map(({ id, ...nota }) => [id, nota]));
}
