import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Actor } from '../actor.ts';
import type { Write, WriteFor } from '../escrita.ts';
import { mudarDeGrupo } from '../rede/mudanca-de-plano.service.ts';
import { pedirRede } from '../rede/pedir.ts';
import { CLIENTES_TAG, clienteTag, contratoTag } from '../tags.ts';
import { createAcompanhamentoQueries, createMudancasDeGrupoQueries } from './acompanhamento.queries.ts';
import { provedoresComAlteracoes } from './alterados.queries.ts';

export type AcompanhamentoService = ReturnType<typeof createAcompanhamentoService>;

export interface AcompanhamentoDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
}

/** Tells contracts of what changed in their plan, in lots, so that none is locked for longer than one takes. */
export function createAcompanhamentoService({ db, relogio, write }: AcompanhamentoDeps) {
  return {
    /** Providers that have contracts to tell. */
    provedores: async (): Promise<number[]> => provedoresComAlteracoes(db),

    /**
     * Tells up to `limite` contracts of a provider of the oldest change, in one transaction: those that had the old value get the new
     * one where that was asked for, and the logins and sessions
     * of the active ones follow, of whom none is ended for it. Each is told once, whatever process dies.
     *
     * @returns whether more may be waiting.
     */
    async acompanhar(actor: Actor, provedorId: number, limite = 500): Promise<{ mais: boolean }> {
      return write(actor, provedorId, async (w) => acompanharEm(w, relogio.agora(), limite));
    },
  };
}

async function acompanharEm(w: Write, agora: Date, limite: number): Promise<{ mais: boolean }> {
  const queries = createAcompanhamentoQueries(w);
  const alteracao = await queries.maisAntiga();
  if (alteracao === undefined) return { mais: false };
  const { id, plano_id, valor_de, valor_para, grupo_de, grupo_para, rede, autor } = alteracao;
  const contratos = await queries.travarContratos(alteracao, limite);
  const seguem = contratos.filter(
    ({ situacao, valor }) => valor_para !== null && valor === valor_de && situacao !== 'cancelado_definitivo',
  );
  if (valor_para !== null) {
    const descricao = `Valor de ${valor_de} para ${valor_para}, com o do plano ${plano_id}.`;
    const ids = seguem.map((contrato) => contrato.id);
    await queries.gravarValor(ids, valor_para, { descricao, autor, ocorrido_em: toDatabaseTime(agora), valor_de });
  }
  if (grupo_de !== null && grupo_para !== null) {
    await mudarDeGrupo(w, contratos, grupo_de, grupo_para);
  }
  // Whoever is not active has nothing of the plan, and gets the new when he is released.
  const naRede = rede === 1 ? contratos.filter(({ situacao }) => situacao === 'ativo') : [];
  await pedirRede(w, naRede, agora, 'alterar');

  const ultimo = contratos.at(-1);
  const mais = contratos.length === limite && ultimo !== undefined;
  if (mais) await queries.avancar(id, ultimo.id);
  else await queries.concluir(id);
  if (seguem.length > 0 || naRede.length > 0) {
    w.emit('plano.acompanhado', plano_id, { valores: seguem.length, rede: naRede.length });
  }
  if (seguem.length > 0) {
    w.touch(CLIENTES_TAG, ...seguem.flatMap((um) => [contratoTag(um.id), clienteTag(um.cliente_id)]));
  }
  // Another change may come after this one.
  return { mais: true };
}

/**
 * Tells a login, before its contract leaves a plan or loses the login, of the groups that the plan has had meanwhile: afterwards nobody
 * would know of one of before that it was a plan's. The caller holds the contract's lock.
 */
export async function alcancarPlano(
  w: Write,
  contrato: { readonly id: number; readonly plano_id: number; readonly login: string | null },
): Promise<void> {
  if (contrato.login === null || contrato.login === '') return;
  for (const { grupo_de, grupo_para } of await createMudancasDeGrupoQueries(w).porContar(contrato.plano_id)) {
    await mudarDeGrupo(w, [contrato], grupo_de, grupo_para);
  }
}
