import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { centavos, escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Write } from '../../escrita.ts';
import { createLivroDeAjustes } from '../../faturas/ajustes/livro.service.ts';
import { apurarDivida, estaAberta } from '../../faturas/apuracao.regras.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { Trabalho } from '../../tarefas/tarefas.types.ts';
import { reservadoPorFatura } from '../devolucoes/reservas.service.ts';
import { julgarTodas, valoresDe } from '../quitacao.service.ts';
import { liberarTodas, travarTodas } from '../varias.service.ts';
import { candidatas, contarClientes, proximosClientes, travarSobras } from './creditos.queries.ts';

/** A surplus that becomes a credit of an open invoice. */
interface Credito {
  readonly origem: number;
  readonly fatura: number;
  readonly valor: Centavos;
}

interface ComValor {
  readonly id: number;
  readonly cliente_id: number;
  readonly conta: number;
  readonly valor: Centavos;
}

/**
 * Which surplus becomes credit of which open invoice: of the same client and account, the oldest due first on either side, at most what is
 * left and what is owed.
 */
function repartir(sobras: readonly ComValor[], dividas: readonly ComValor[]): Credito[] {
  const falta = new Map(dividas.map(({ id, valor }) => [id, valor]));
  return sobras.flatMap(({ id: origem, cliente_id, conta, valor: sobra }) => {
    let resta: number = sobra;
    return dividas.flatMap((divida) => {
      const dela = falta.get(divida.id) ?? centavos(0);
      const valor = centavos(Math.min(resta, dela));
      if (divida.id === origem || divida.cliente_id !== cliente_id || divida.conta !== conta || valor <= 0) return [];
      resta -= valor;
      falta.set(divida.id, centavos(dela - valor));
      return [{ origem, fatura: divida.id, valor }];
    });
  });
}

/**
 * Makes credits of the surplus of some clients, for their open invoices; what is settled by that releases contracts. The number of
 * statements does not depend on how many they are. What people have asked to give back is left.
 *
 * @returns how many credits were made.
 */
export async function creditarExcedentes(
  w: Write,
  provedor: Provedor,
  clientes: readonly number[],
  agora: Date,
): Promise<number> {
  if (clientes.length === 0) return 0;
  const { origens, abertas } = await candidatas(w.tenant, clientes);
  if (origens.length === 0 || abertas.length === 0) return 0;
  const todas = new Map([...origens, ...abertas].map((uma) => [uma.id, uma]));
  const travadas = await travarTodas(w, [...todas.values()]);
  const ids = origens.map(({ id }) => id);
  const livres = await travarSobras(w, ids);
  const reservados = await reservadoPorFatura(w, ids);
  const hoje = hojeEm(provedor.fusoHorario, agora);
  // What says no account is of the default one.
  const padrao = provedor.contas.find((conta) => conta.padrao)?.id ?? 0;
  const contaDe = ({ conta }: { readonly conta: number }): number => (conta === 0 ? padrao : conta);
  const sobras = origens.map((uma) => ({
    ...uma,
    conta: contaDe(uma),
    valor: centavos(Math.max(0, (livres.get(uma.id) ?? 0) - (reservados.get(uma.id) ?? 0))),
  }));
  const dividas = abertas.flatMap((uma) => {
    const travada = travadas.get(uma.id);
    if (travada === undefined || !estaAberta(travada.fatura)) return [];
    return [{ ...uma, conta: contaDe(uma), valor: apurarDivida(travada.fatura, travada.antes, provedor, hoje).total }];
  });
  const creditos = repartir(sobras, dividas);
  if (creditos.length === 0) return 0;

  const livro = createLivroDeAjustes(w);
  await livro.inserir(
    creditos.map(({ origem, fatura, valor }) => ({
      fatura_id: fatura,
      tipo: 'credito' as const,
      valor,
      motivo: null,
      dado_em: toDatabaseTime(agora),
      origem_fatura_id: origem,
      renegociacao_id: null,
    })),
    agora,
  );
  await livro.usar(creditos);
  const creditadas = new Set(creditos.map(({ fatura }) => fatura));
  const delas = [...travadas.values()].filter(({ fatura }) => creditadas.has(fatura.id));
  const juizos = await julgarTodas(w, provedor, delas, agora);
  // The newest of each pair is this one's: only one is made of a pair at a time.
  const gravados = new Map(
    (await livro.emVigor([...creditadas])).map((um) => [`${um.fatura_id} ${um.origem_fatura_id}`, um.id]),
  );
  for (const { origem, fatura, valor } of creditos) {
    const cliente = todas.get(fatura)?.cliente_id ?? 0;
    const ajuste = gravados.get(`${fatura} ${origem}`) ?? 0;
    w.emit('fatura.ajustada', fatura, { cliente, ajuste, tipo: 'credito', valor: escreverDinheiro(valor), origem });
  }
  const pagas = delas.filter(({ fatura }) => juizos.get(fatura.id)?.situacao === 'paga');
  for (const { fatura } of delas) {
    const juizo = juizos.get(fatura.id);
    const { id, cliente_id: cliente } = fatura;
    if (juizo?.situacao === 'paga') w.emit('fatura.paga', id, { cliente, ...valoresDe(juizo) });
    else w.emit('fatura.alterada', id, { cliente, campos: ['abatido'] });
  }
  await liberarTodas(w, provedor, pagas, agora);
  return creditos.length;
}

/** The same of the client of an invoice that was just made, where the provider wants it. */
export async function creditarNova(w: Write, provedor: Provedor, clienteId: number, agora: Date): Promise<void> {
  if (provedor.regras.excedenteViraCredito) await creditarExcedentes(w, provedor, [clienteId], agora);
}

/** What is left of surplus becomes credit of what clients owe, where the provider wants it, after the day's invoices were made. */
export const createCreditosDoDia = ({
  relogio,
}: {
  readonly relogio: Relogio;
}): Trabalho<number, readonly [number]> => ({
  evento: 'excedentes.creditados',
  etiquetas: [],
  lugar: (cliente) => [cliente],
  // Those whose surplus was used are no longer among them; those whose surplus is not enough are, and nothing changes.
  retoma: true,
  contar: async (tenant, _dia, depoisDe) => contarClientes(tenant, depoisDe?.[0] ?? 0),
  proximas: async (tenant, _dia, depoisDe, limite) => proximosClientes(tenant, depoisDe?.[0] ?? 0, limite),
  preparar: async (_tenant, provedor, _dia, clientes) => async (w) =>
    provedor.regras.excedenteViraCredito ? creditarExcedentes(w, provedor, clientes, relogio.agora()) : 0,
});
