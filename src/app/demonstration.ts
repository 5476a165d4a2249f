import path from 'node:path';
import type { Config } from '../platform/config.ts';
import { createDatabase, isDenied } from '../platform/mysql/database.ts';
import { relogioDoSistema } from '../platform/timing/relogio.ts';
import { TERMINAL } from '../domain/actor.ts';
import type { Container } from './compose/container.ts';

/** Loads the demonstration data when the settings ask for it; resolves to lines that say how to try it. */
export async function offerDemonstration(
  config: Config,
  container: Container,
  ownerUrl: string,
  url: string,
  print: (line: string) => void,
): Promise<string[]> {
  if (config.MALHA_DEMO === 'nao' || (config.MALHA_DEMO === 'auto' && config.NODE_ENV === 'production')) return [];
  const required = config.MALHA_DEMO === 'sim';
  const demo = await loadDemonstration({ config, container, ownerUrl, url, print, required }).catch(
    (error: unknown) => {
      if (required || !isDenied(error)) throw error;
      print('Sem demonstração: quem a carrega é o dono do esquema (DATABASE_OWNER_URL).');
      return null;
    },
  );
  if (demo === null) return [];
  const { painel } = demo;
  const { port } = new URL(url);
  return [
    ...(painel === null
      ? []
      : [
          `Painel em http://${painel.host}${port === '' ? '' : `:${port}`}/painel`,
          `  entre com ${painel.email} e a senha ${painel.senha}`,
        ]),
    `Chaves de demonstração em ${demo.arquivo}. Experimente:`,
    `  curl -H 'Authorization: Bearer ${demo.chave}' ${url}/api/v1/status`,
  ];
}

/** Has the demonstration issue fiscal notes, with a stand-in for the tax authority; resolves to what to print, and how to end it. */
export async function offerNotes(
  config: Config,
  container: Pick<Container, 'changeTenant' | 'lerPfx' | 'permitOutbound' | 'provedores'>,
  ownerUrl: string,
): Promise<{ readonly linha: string; fechar(): Promise<void> } | null> {
  // What answers beside the service is for nobody's real notes.
  if (config.NODE_ENV === 'production') return null;
  const { oferecerNotas } = await import('../../seeds/notas.ts');
  const { lerPfx, permitOutbound, provedores, changeTenant } = container;
  const db = createDatabase({ url: ownerUrl, pool: 1, announces: true });
  try {
    return await oferecerNotas({
      db,
      relogio: relogioDoSistema,
      lerPfx,
      arquivo: path.join(config.MALHA_DATA_DIR, 'autoridade.jsonl'),
      permitir: permitOutbound,
      escrever: async (id, fazer) =>
        changeTenant(TERMINAL, await provedores.exigirPorId(id), async (_dominio, escritas) => fazer(escritas)),
    });
  } finally {
    await db.destroy();
  }
}

/** Gives the demonstration billing and a collection ladder, once. */
export async function offerCollection(
  config: Config,
  container: Pick<Container, 'changeTenant' | 'provedores'>,
  ownerUrl: string,
): Promise<void> {
  if (config.NODE_ENV === 'production') return;
  const { oferecerRegua } = await import('../../seeds/regua.ts');
  const { oferecerFaturamento } = await import('../../seeds/faturamento.ts');
  const { provedores, changeTenant } = container;
  const db = createDatabase({ url: ownerUrl, pool: 1, announces: true });
  const provedorDe = async (id: number) => provedores.exigirPorId(id);
  const relogio = relogioDoSistema;
  try {
    await oferecerFaturamento({ db, relogio, provedorDe });
    await oferecerRegua({
      db,
      relogio,
      provedorDe,
      escrever: async (id, fazer) =>
        changeTenant(TERMINAL, await provedorDe(id), async (_dominio, escritas) => fazer(escritas)),
    });
  } finally {
    await db.destroy();
  }
}

export interface DemonstrationOptions {
  readonly config: Config;
  readonly container: Pick<Container, 'chaves' | 'receptores'>;
  /** The owner's connection: the service's own user may not write all of these rows. */
  readonly ownerUrl: string;
  readonly url: string;
  readonly print: (line: string) => void;
  /** Loads the data even when real providers exist. */
  readonly required: boolean;
}

/** Loads the demonstration data when it is missing, and writes `demo.json`. Null when there are real providers. */
export async function loadDemonstration({ config, container, ownerUrl, url, print, required }: DemonstrationOptions) {
  // Imported here, so that only processes that load the data also load this code.
  const { prepararDemonstracao } = await import('../../seeds/preparar.ts');
  // One more, which renews the lease of who seeds.
  const db = createDatabase({ url: ownerUrl, pool: config.MALHA_POOL + 1, announces: true });
  try {
    return await prepararDemonstracao({
      db,
      chaves: container.chaves,
      receptores: container.receptores,
      relogio: relogioDoSistema,
      intervaloPadraoSegundos: config.MALHA_INTERVALO_RADIUS,
      arquivo: path.join(config.MALHA_DATA_DIR, 'demo.json'),
      url,
      obrigatoria: required,
      log: print,
    });
  } finally {
    await db.destroy();
  }
}
