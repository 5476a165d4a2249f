import { createMudanca } from '../../../src/domain/celulas/mudanca.service.ts';
import type { MudancaDeps } from '../../../src/domain/celulas/mudanca.service.ts';
import { numerarDepoisDe } from '../../../src/domain/celulas/numeracao.ts';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { urlDoDono } from '../../support/banco.ts';
import { criarTerminal } from '../../support/terminal.ts';
import type { Terminal } from '../../support/terminal.ts';

/** A whole cell with its relay, whose numbers begin after one. */
export interface Celula {
  readonly api: Api;
  /** As the commands connect. */
  readonly db: Db;
  readonly url: string;
  readonly terminal: Terminal;
  fechar(): Promise<void>;
}

export async function criarCelula(depoisDe: number): Promise<Celula> {
  const api = await criarApi();
  const url = urlDoDono(api.databaseUrl);
  const db = createDatabase({ url, pool: 4, announces: true });
  const relay = api.container.startRelay();
  const terminal = criarTerminal(api, { DATABASE_OWNER_URL: url });
  if (depoisDe > 0) await numerarDepoisDe(api.dono, depoisDe);
  return {
    api,
    db,
    url,
    terminal,
    async fechar() {
      terminal.fechar();
      await relay.stop();
      await db.destroy();
      await api.fechar();
    },
  };
}

export const entre = (daqui: Celula, para: Celula, deps: Partial<MudancaDeps> = {}) =>
  createMudanca({
    origem: daqui.db,
    destino: para.db,
    trocar: async () => {},
    dizer: () => {},
    espera: 0,
    ...deps,
  });

/** How a provider stands in each of some cells. */
export const estados = async (id: number, ...celulas: Celula[]): Promise<unknown[]> =>
  Promise.all(celulas.map(async ({ db }) => (await db('provedores').where({ id }).first('mudanca'))?.mudanca));
