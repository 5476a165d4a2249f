import { TERMINAL } from '../../../src/domain/actor.ts';
import type { Dominio, Escritas } from '../../../src/domain/dominio.ts';
import { Recusa } from '../../../src/domain/erros.ts';
import { CamposInvalidos } from '../../../src/domain/erros.ts';
import type { Api } from '../../support/api.ts';
import { criarAssinante } from '../recebimentos/assinante.ts';

export type Devedor = Awaited<ReturnType<typeof criarDevedor>>;

/** A client of a provider, whose invoices people change. */
export async function criarDevedor(api: Api, doContrato: object = {}, regras: Record<string, unknown> = {}) {
  const assinante = await criarAssinante(api, doContrato, regras);
  const dono = (await api.container.provedores.buscarPorId(assinante.provedor))!;
  const escrever = async <T>(fazer: (escritas: Escritas, dominio: Dominio) => Promise<T>, processo = 0): Promise<T> =>
    api.containers[processo]!.changeTenant(TERMINAL, dono, async (dominio, escritas) => fazer(escritas, dominio));
  return {
    ...assinante,
    dono,
    escrever,
    linhaDe: async (id: number): Promise<any> => api.dono('faturas').where({ id }).first(),
    conferir: async () => api.container.identificacao.conferir(assinante.provedor),
    /** What is owed today, as everybody is told. */
    deve: async (id: number): Promise<number> =>
      escrever(async (_, { faturas }) => (await faturas.buscarPorId(id))!.aPagar),
    /** Why something is refused: its reason, or the fields that are wrong. */
    recusa: async (fazer: (escritas: Escritas) => Promise<unknown>): Promise<string> => {
      try {
        await escrever(fazer);
        return 'feito';
      } catch (error) {
        if (error instanceof CamposInvalidos) return error.faltas.map(({ campo }) => campo).join(',');
        if (error instanceof Recusa) return error.motivo;
        throw error;
      }
    },
    tipos: async (): Promise<string[]> =>
      (await assinante.eventos()).map(({ tipo }) => tipo).filter((tipo) => tipo !== 'alteracao'),
  };
}
