import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { nomeDaCelula } from '../../../src/domain/celulas/celulas.ts';
import { createMudanca } from '../../../src/domain/celulas/mudanca.service.ts';
import type { MudancaDeps } from '../../../src/domain/celulas/mudanca.service.ts';
import { numerarDepoisDe } from '../../../src/domain/celulas/numeracao.ts';
import { travaDoLogin } from '../../../src/domain/rede/acesso/acesso.regras.ts';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { urlDoDono } from '../../support/banco.ts';
import { ate } from '../../support/espera.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { criarTerminal } from '../../support/terminal.ts';
import type { Terminal } from '../../support/terminal.ts';

const CLI = fileURLToPath(new URL('../../../src/cli.js', import.meta.url));

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
    celula: nomeDaCelula(para.url),
    trocar: async () => {},
    dizer: () => {},
    espera: 0,
    ...deps,
  });

/** `malha provedor mover` as an operator gives it, as a process of its own, whose exit code or signal comes with its end. */
export function moverComoProcesso(daqui: Celula, para: Celula, id: number, trocar: string) {
  const processo = spawn(
    process.execPath,
    [CLI, 'provedor', 'mover', String(id), '--espera', '0', '--trocar', trocar],
    {
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: daqui.api.databaseUrl,
        DATABASE_OWNER_URL: daqui.url,
        REDIS_URL: daqui.api.redisUrl,
        MALHA_DATA_DIR: daqui.terminal.pasta,
        MALHA_DESTINO: para.url,
      },
      stdio: 'ignore',
    },
  );
  const saiu = once(processo, 'exit') as Promise<[number | null, string | null]>;
  return { processo, saiu };
}

/** How a provider stands in each of some cells. */
export const estados = async (id: number, ...celulas: Celula[]): Promise<unknown[]> =>
  Promise.all(celulas.map(async ({ db }) => (await db('provedores').where({ id }).first('mudanca'))?.mudanca));

/** Whether a statement on a database waits for another's lock. */
async function alguemEspera(db: Db): Promise<boolean> {
  // InnoDB keeps showing the same picture while it is looked at more often than every 100 ms.
  await sleep(150);
  const [esperas] = await db.raw<[unknown[]]>(
    `SELECT p.id FROM information_schema.innodb_trx t JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
      WHERE t.trx_state = 'LOCK WAIT' AND p.db = DATABASE()`,
  );
  return (esperas ?? []).length > 0;
}

/** Does something while another provider's contract is being created with a login, which is done once somebody waits for it. */
export async function dandoLogin<T>(db: Db, provedor: number, login: string, fazer: () => Promise<T>): Promise<T> {
  const fabrica = criarFabrica(db);
  const contrato = { cliente_id: await fabrica.cliente(provedor), plano_id: await fabrica.plano(provedor), login };
  const trx = await db.transaction();
  await trx('rede_travas_de_login').where('n', travaDoLogin(login)).forUpdate();
  await criarFabrica(trx).contrato(provedor, contrato);
  const feito = fazer();
  await Promise.race([feito, ate(async () => alguemEspera(db))]).catch(() => {});
  await trx.commit();
  return feito;
}
