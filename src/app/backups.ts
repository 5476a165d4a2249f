import path from 'node:path';
import { TERMINAL } from '../domain/actor.ts';
import { AVISOS_DE_SEGURANCA } from '../domain/acessos/avisos/seguranca.service.ts';
import { SEGUNDAS_VIAS_POR_EMAIL } from '../domain/faturas/envio/correio.service.ts';
import { CONSUMIDOR_DE_PUSH } from '../domain/push/mensagens/consumo.service.ts';
import { REGUA_POR_EMAIL } from '../domain/regua/correio.service.ts';
import { encerrarPorEnviar } from '../domain/tarefas/por-enviar.ts';
import { CONSUMIDOR as WEBHOOKS } from '../domain/webhooks/mensagens/mensagens.service.ts';
import { tabelasFechadas } from '../domain/segredos/guardados.service.ts';
import type { ComoRestaurar, Copia, CopiaRestaurada } from '../cli/sessao.ts';
import { CommandError } from '../local/processes/run-command.ts';
import type { ProvidedServers } from '../local/provide.ts';
import type { Config } from '../platform/config.ts';
import { knownKeys } from '../platform/secrets/master-key.ts';
import { keyName } from '../platform/secrets/secrets.ts';
import { relogioDoSistema } from '../platform/timing/relogio.ts';
import { createContainer } from './compose/container.ts';
import { serversOf, updateSchema } from './servers.ts';
import type { Manifest } from './backup/manifest.ts';
import { complaintOf } from './backup/client-programs.ts';
import { restoreBackup } from './backup/restore.ts';
import { takeBackup } from './backup/take.ts';

type Print = (line: string) => void;

/** Those for whom events wait and who tell somebody outside. The others begin imports and billing runs that were asked for. */
const SENDERS = [AVISOS_DE_SEGURANCA, SEGUNDAS_VIAS_POR_EMAIL, REGUA_POR_EMAIL, WEBHOOKS, CONSUMIDOR_DE_PUSH];

/** `malha backup fazer`. Neither migrates nor asks Redis: a backup is taken of what is there. */
export async function take(config: Config, print: Print, folder: string, withKeys: boolean): Promise<Copia> {
  const keys = knownKeys(config);
  if (withKeys && keys.length === 0) throw new Error('Não há MALHA_CHAVE_MESTRA nas configurações para pôr no backup.');
  return withDatabase(config, print, async ({ ownerUrl }) => {
    const manifest = await takeBackup({
      url: ownerUrl,
      authorities: config.NODE_EXTRA_CA_CERTS,
      folder,
      now: relogioDoSistema.agora(),
      keys: { ids: keys.map(keyName), written: withKeys ? keys.map((key) => key.toString('hex')) : null },
    });
    return toCopia(folder, manifest);
  });
}

/**
 * `malha backup restaurar`: brings the schema to this version, ends what waited to be sent, since it was sent after the moment of the
 * backup, and has every process forget what it kept of another history.
 */
export async function restore(
  config: Config,
  print: Print,
  folder: string,
  { logs, ate, enviarPendentes }: ComoRestaurar,
): Promise<CopiaRestaurada> {
  return withDatabase(config, print, async (servers) => {
    const restored = await restoreBackup({
      url: servers.ownerUrl,
      authorities: config.NODE_EXTRA_CA_CERTS,
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
      // Before anything else: a worker that somebody has left running would send it.
      const encerrados =
        enviarPendentes === true
          ? null
          : await encerrarPorEnviar(
              container.db,
              SENDERS.map(({ name }) => name),
            );
      await container.redisReady();
      const esquecidos = await container.esquecimento.esquecer(TERMINAL, undefined).catch(() => null);
      return {
        ...toCopia(folder, restored),
        logs_ate: restored.logs_ate,
        migradas: migrated.length,
        encerrados,
        esquecidos,
        segredos_fechados: await tabelasFechadas(container.db, knownKeys(config).map(keyName)),
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
  const servers = await serversOf(config, { log: print, attach: true });
  try {
    return await work(servers);
  } catch (error) {
    throw error instanceof CommandError ? new Error(complaintOf(error.message, error.output), { cause: error }) : error;
  } finally {
    await servers.stop();
  }
}
