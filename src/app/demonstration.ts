import path from 'node:path';
import type { Config } from '../platform/config.ts';
import { createDatabase, isDenied } from '../platform/mysql/database.ts';
import { relogioDoSistema } from '../platform/timing/relogio.ts';
import type { Container } from './compose/container.ts';

/** Prepares the demonstration where it is wanted, and says how to try it. */
export async function offerDemonstration(
  config: Config,
  container: Container,
  ownerUrl: string,
  url: string,
  escrever: (linha: string) => void,
): Promise<string[]> {
  if (config.MALHA_DEMO === 'nao' || (config.MALHA_DEMO === 'auto' && config.NODE_ENV === 'production')) return [];
  const obrigatoria = config.MALHA_DEMO === 'sim';
  const demo = await loadDemonstration({ config, container, ownerUrl, url, escrever, obrigatoria }).catch(
    (error: unknown) => {
      if (obrigatoria || !isDenied(error)) throw error;
      escrever('Sem demonstração: quem a carrega é o dono do esquema (DATABASE_OWNER_URL).');
      return null;
    },
  );
  if (demo === null) return [];
  return [
    `Chaves de demonstração em ${demo.arquivo}. Experimente:`,
    `  curl -H 'Authorization: Bearer ${demo.chave}' ${url}/api/v1/status`,
  ];
}

export interface DemonstrationOptions {
  readonly config: Config;
  readonly container: Pick<Container, 'chaves' | 'receptores'>;
  /** Whose rows they are: the service may not write all of them. */
  readonly ownerUrl: string;
  readonly url: string;
  readonly escrever: (linha: string) => void;
  /** Loads it even beside real providers. */
  readonly obrigatoria: boolean;
}

/** Loads the demonstration data where it is missing and writes `demo.json`; null when real providers are there. */
export async function loadDemonstration({
  config,
  container,
  ownerUrl,
  url,
  escrever,
  obrigatoria,
}: DemonstrationOptions) {
  // Loaded by whom it is for.
  const { prepararDemonstracao } = await import('../../seeds/preparar.ts');
  const db = createDatabase({ url: ownerUrl, pool: config.MALHA_POOL, announces: true });
  try {
    return await prepararDemonstracao({
      db,
      chaves: container.chaves,
      receptores: container.receptores,
      relogio: relogioDoSistema,
      intervaloPadraoSegundos: config.MALHA_INTERVALO_RADIUS,
      arquivo: path.join(config.MALHA_DATA_DIR, 'demo.json'),
      url,
      obrigatoria,
      log: escrever,
    });
  } finally {
    await db.destroy();
  }
}
