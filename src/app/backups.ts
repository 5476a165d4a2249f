import path from 'node:path';
import { TERMINAL } from '../domain/actor.ts';
import { chavesDosSegredos } from '../domain/segredos/guardados.service.ts';
import type { Copia, CopiaRestaurada } from '../cli/sessao.ts';
import { CommandError } from '../local/processes/run-command.ts';
import { provideServers } from '../local/provide.ts';
import type { ProvidedServers } from '../local/provide.ts';
import type { Config } from '../platform/config.ts';
import { knownKeys } from '../platform/secrets/master-key.ts';
import { keyName } from '../platform/secrets/secrets.ts';
import { relogioDoSistema } from '../platform/timing/relogio.ts';
import { createContainer } from './compose/container.ts';
import { updateSchema } from './servers.ts';
import type { Manifest } from './backup/manifest.ts';
import { restoreBackup } from './backup/restore.ts';
import { takeBackup } from './backup/take.ts';

type Print = (line: string) => void;

/** `malha backup fazer`. Neither migrates nor asks Redis: a backup is taken of what is there. */
export async function take(config: Config, print: Print, folder: string, withKeys: boolean): Promise<Copia> {
  const keys = knownKeys(config);
  if (withKeys && keys.length === 0) throw new Error('Não há MALHA_CHAVE_MESTRA nas configurações para pôr no backup.');
  return withDatabase(config, print, async ({ ownerUrl }) => {
    const manifest = await takeBackup({
      url: ownerUrl,
      folder,
      now: relogioDoSistema.agora(),
      keys: { ids: keys.map(keyName), written: withKeys ? keys.map((key) => key.toString('hex')) : null },
    });
    return toCopia(folder, manifest);
  });
}

/** `malha backup restaurar`: brings the schema to this version, and has every process forget what it kept of another history. */
export async function restore(
  config: Config,
  print: Print,
  folder: string,
  { logs, ate }: { readonly logs?: string; readonly ate?: Date },
): Promise<CopiaRestaurada> {
  return withDatabase(config, print, async (servers) => {
    const manifest = await restoreBackup({
      url: servers.ownerUrl,
      folder,
      ...(logs === undefined ? {} : { logs }),
      ...(ate === undefined ? {} : { until: ate }),
    });
    const migrated = await updateSchema(servers, print);
    const container = createContainer({
      config,
      ...servers,
      relogio: relogioDoSistema,
      logDestination: { write: print },
    });
    try {
      await container.redisReady();
      const esquecidos = await container.esquecimento.esquecer(TERMINAL, undefined).catch(() => null);
      const known = new Set(knownKeys(config).map(keyName));
      const sealed = await chavesDosSegredos(container.db);
      return {
        ...toCopia(folder, manifest),
        migradas: migrated.length,
        esquecidos,
        segredos_fechados: [...sealed].filter(([, ids]) => ids.some((id) => !known.has(id))).map(([table]) => table),
      };
    } finally {
      await container.close();
    }
  });
}

function toCopia(folder: string, { feito_em, bytes, log_binario, chaves_mestras }: Manifest): Copia {
  return { pasta: path.resolve(folder), feito_em, bytes, log_binario, chaves_mestras };
}

async function withDatabase<T>(
  config: Config,
  print: Print,
  work: (servers: ProvidedServers) => Promise<T>,
): Promise<T> {
  const servers = await provideServers({
    databaseUrl: config.DATABASE_URL,
    ownerUrl: config.DATABASE_OWNER_URL,
    redisUrl: config.REDIS_URL,
    dataDir: config.MALHA_DATA_DIR,
    log: print,
    attach: true,
  });
  try {
    return await work(servers);
  } catch (error) {
    throw error instanceof CommandError ? new Error(complaintOf(error), { cause: error }) : error;
  } finally {
    await servers.stop();
  }
}

/** What a client program says last is why it failed, in its own words. */
function complaintOf({ message, output }: CommandError): string {
  const [program = ''] = message.split(':');
  return `${path.basename(program)} falhou: ${output.trim().split('\n').at(-1) ?? ''}`;
}
