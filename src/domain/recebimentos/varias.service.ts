import { groupBy } from '../../platform/group-by.ts';
import { devemEmAtraso } from '../contratos/divida.service.ts';
import { mover } from '../contratos/movimentos/movimentos.service.ts';
import type { ContratoAMover } from '../contratos/movimentos/movimentos.service.ts';
import type { Write } from '../escrita.ts';
import { listarPagamentos } from '../faturas/apuracao.service.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { createBoletosQueries } from './boletos/boletos.queries.ts';
import { createQuitacaoQueries } from './quitacao.queries.ts';
import type { Travada } from './quitacao.service.ts';
import type { Alvo } from './recebimentos.types.ts';

/**
 * Locks several invoices with what their payments may release, by id, in statements that do not grow with them: all
 * clients, all contracts, then all invoices.
 */
export async function travarTodas(w: Write, alvos: readonly Alvo[]): Promise<ReadonlyMap<number, Travada>> {
  if (alvos.length === 0) return new Map();
  const queries = createQuitacaoQueries(w);
  const bloqueados = await queries.travarBloqueadosDeTodas(alvos);
  const ids = alvos.map(({ id }) => id);
  const faturas = await queries.travarFaturas(ids);
  const antes = groupBy(await listarPagamentos(w.tenant, ids), ({ fatura_id }) => fatura_id);
  const dosClientes = groupBy(bloqueados, ({ cliente_id }) => cliente_id);
  const porId = new Map(bloqueados.map((contrato) => [contrato.id, contrato]));
  return new Map(
    faturas.map((fatura) => {
      const doCliente = dosClientes.get(fatura.cliente_id) ?? [];
      const proprio = fatura.contrato_id === null ? undefined : porId.get(fatura.contrato_id);
      const todos = proprio === undefined || doCliente.includes(proprio) ? doCliente : [...doCliente, proprio];
      return [fatura.id, { fatura, bloqueados: todos, antes: antes.get(fatura.id) ?? [] }];
    }),
  );
}

/** The same of those that the provider has of some ids. */
export const travarTodasPorId = async (w: Write, ids: readonly number[]): Promise<ReadonlyMap<number, Travada>> =>
  travarTodas(w, await createBoletosQueries(w).alvos(ids));

/** Releases what several invoices that payments settled had blocked, in statements that do not grow with them. */
export async function liberarTodas(
  w: Write,
  provedor: Provedor,
  quitadas: readonly Pick<Travada, 'fatura' | 'bloqueados'>[],
  agora: Date,
): Promise<void> {
  const porContrato = new Map<number, { readonly contrato: ContratoAMover; readonly fatura: number }>();
  for (const { fatura, bloqueados } of quitadas) {
    for (const contrato of bloqueados) {
      if (!porContrato.has(contrato.id)) porContrato.set(contrato.id, { contrato, fatura: fatura.id });
    }
  }
  const contratos = [...porContrato.values()].map(({ contrato }) => contrato);
  const devedores = new Set(await devemEmAtraso(w, contratos, provedor, { agora, esperar: false }));
  const emDia = contratos.filter((contrato) => !devedores.has(contrato));
  const faturaDe = ({ id }: ContratoAMover): number => porContrato.get(id)?.fatura ?? 0;
  await mover(w, 'liberar', emDia, {
    descricao: (contrato) => `Liberado pelo pagamento da fatura ${faturaDe(contrato)}.`,
    agora,
    dados: (contrato) => ({ por: 'pagamento' as const, fatura: faturaDe(contrato) }),
  });
}
