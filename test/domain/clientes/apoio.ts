import type { ExecutionContext } from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import type { Actor } from '../../../src/domain/actor.ts';
import type { Dominio, Escritas } from '../../../src/domain/dominio.ts';
import { CamposInvalidos, Recusa } from '../../../src/domain/erros.ts';
import type { MotivoDeRecusa } from '../../../src/domain/erros.ts';
import { jsonColumn } from '../../../src/platform/mysql/database.ts';
import type { Api } from '../../support/api.ts';

/** Changes one provider as a command does, in one of an API's processes. */
export type Mudar = <T>(
  provedor: number,
  fazer: (escritas: Escritas, dominio: Dominio) => Promise<T>,
  como?: { readonly processo?: number; readonly ator?: Actor },
) => Promise<T>;

export const criarMudar =
  (api: () => Api): Mudar =>
  async (provedor, fazer, { processo = 0, ator = TERMINAL } = {}) => {
    const { changeTenant, provedores } = api().containers[processo]!;
    const dono = await provedores.exigirPorId(provedor);
    return changeTenant(ator, dono, async (dominio, escritas) => fazer(escritas, dominio));
  };

/** It was refused by a rule. */
export async function recusado(
  t: ExecutionContext,
  pedido: Promise<unknown>,
  motivo: MotivoDeRecusa,
  registroId?: number,
): Promise<void> {
  const erro = await t.throwsAsync(pedido, { instanceOf: Recusa });
  t.is(erro?.motivo, motivo);
  if (registroId !== undefined) t.is(erro?.detalhe.registroId, registroId);
}

/** It was refused for these fields, all named. */
export async function faltou(t: ExecutionContext, pedido: Promise<unknown>, campos: readonly string[]): Promise<void> {
  const erro = await t.throwsAsync(pedido, { instanceOf: CamposInvalidos });
  t.deepEqual(erro?.faltas.map(({ campo }) => campo).toSorted(), campos.toSorted());
}

/** Events of a provider, oldest first, whose names begin with `cliente.`; the audit log says the same of each. */
export async function eventosDe(
  api: Api,
  t: ExecutionContext,
  provedor: number,
): Promise<(readonly [tipo: string, recursoId: number, dados: unknown])[]> {
  interface Linha {
    readonly nome: string;
    readonly recurso_id: number;
    readonly dados: string | object | null;
  }
  async function ler(tabela: string, coluna: string) {
    const linhas: Linha[] = await api
      .dono(tabela)
      .where('provedor_id', provedor)
      .where(coluna, 'like', 'cliente.%')
      .orderBy('id')
      .select({ nome: coluna, recurso_id: 'recurso_id', dados: 'dados' });
    return linhas.map(
      ({ nome, recurso_id: id, dados }) => [nome, id, dados === null ? null : jsonColumn(dados)] as const,
    );
  }
  const eventos = await ler('eventos', 'tipo');
  t.deepEqual(await ler('auditoria', 'acao'), eventos);
  return eventos;
}
