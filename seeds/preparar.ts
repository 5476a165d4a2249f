import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { TERMINAL } from '../src/domain/actor.ts';
import { lerChave } from '../src/domain/chaves/chave.ts';
import type { ChavesService } from '../src/domain/chaves/chaves.service.ts';
import type { ReceptoresService } from '../src/domain/receptores/receptores.service.ts';
import type { Db } from '../src/platform/mysql/database.ts';
import type { Relogio } from '../src/platform/timing/relogio.ts';
import { createThreads } from '../src/platform/threads/threads.ts';
import { darAcessos } from './acessos.ts';
import { criarChavesDemo, gravarDemoJson, semearDemonstracao } from './demonstracao.ts';
import type { DocumentoDemo, NovaChaveDemo, ProvedorNoDocumento } from './demonstracao.ts';

export interface PrepararDeps {
  readonly db: Db;
  readonly chaves: ChavesService;
  readonly receptores: ReceptoresService;
  readonly relogio: Relogio;
  readonly intervaloPadraoSegundos: number;
  /** Where `demo.json` goes. */
  readonly arquivo: string;
  /** Where the service answers. */
  readonly url: string;
  /** Loads the demonstration even beside real providers. */
  readonly obrigatoria: boolean;
  log(line: string): void;
}

export interface Preparada {
  readonly arquivo: string;
  readonly chave: string;
  /** How somebody who may do everything signs in at the first provider; null where nobody may. */
  readonly painel: { readonly host: string; readonly email: string; readonly senha: string } | null;
}

/**
 * Loads the demonstration where it is missing and writes `demo.json`. Keys are shown once, so those of the last
 * `demo.json` are kept; where it is gone, new ones are made. Null when real providers are there and it was not asked for.
 */
export async function prepararDemonstracao(deps: PrepararDeps): Promise<Preparada | null> {
  const { db, chaves, relogio, arquivo, url } = deps;
  if (!deps.obrigatoria && (await db('provedores').where('demonstracao', 0).first('id')) !== undefined) return null;
  // Before anything is written: keys whose file cannot be written would be lost.
  await mkdir(path.dirname(arquivo), { recursive: true });
  const threads = createThreads();
  try {
    const anteriores = await lerAnteriores(arquivo);
    const provedores: ProvedorNoDocumento[] = [];
    for (const provedor of await semearDemonstracao({ ...deps, threads })) {
      const anterior = anteriores.get(provedor.id);
      const serve = anterior !== undefined && (await conhecida(chaves, provedor.id, anterior.chaves.completa));
      provedores.push({
        ...provedor,
        chaves: serve
          ? anterior.chaves
          : await criarChavesDemo(provedor, (nova) => criarChave(chaves, nova), relogio.agora()),
        usuarios: await darAcessos(db, provedor.id, anterior?.usuarios ?? [], relogio.agora()),
        webhook_pix: (serve ? anterior.webhook_pix : undefined) ?? (await criarWebhook(deps, provedor.id)),
      });
    }
    await gravarDemoJson(arquivo, { url, base_url: `${url}/api/v1`, provedores });
    const [primeiro] = provedores;
    const dono = primeiro?.usuarios.find(({ perfil }) => perfil === 'administrador');
    const painel =
      primeiro === undefined || dono === undefined
        ? null
        : { host: primeiro.panel_host, email: dono.email, senha: dono.senha };
    return { arquivo, chave: primeiro?.chaves.completa ?? '', painel };
  } finally {
    await threads.close();
  }
}

async function criarChave(chaves: ChavesService, { provedorId, revogadaEm, ...nova }: NovaChaveDemo): Promise<string> {
  const { id, texto } = await chaves.criar(TERMINAL, provedorId, nova);
  if (revogadaEm !== undefined && revogadaEm !== null) await chaves.revogar(TERMINAL, provedorId, id);
  return texto;
}

/** Whether a key of an earlier `demo.json` still is of this provider: the database may be another one. */
async function conhecida(chaves: ChavesService, provedorId: number, texto: string): Promise<boolean> {
  const encontrada = await chaves.buscarPorHash(lerChave(texto)?.hash ?? '');
  return encontrada?.provedor.id === provedorId;
}

async function criarWebhook({ receptores, url }: PrepararDeps, provedorId: number): Promise<string> {
  const { segredo } = await receptores.criar(TERMINAL, provedorId, { nome: 'Demonstração' });
  return `${url}/webhooks/pix/${segredo}`;
}

/** A document from before receivers existed lacks their address. */
type Anterior = Pick<ProvedorNoDocumento, 'chaves'> & Partial<ProvedorNoDocumento>;

async function lerAnteriores(arquivo: string): Promise<Map<number, Anterior>> {
  try {
    const { provedores } = JSON.parse(await readFile(arquivo, 'utf8')) as DocumentoDemo;
    return new Map(provedores.map((provedor) => [provedor.id, provedor]));
  } catch {
    return new Map();
  }
}
