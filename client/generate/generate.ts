import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { gerarOpenApi as documentoDoApp } from '../../src/surfaces/app-api/openapi.ts';
import { ROTAS as ROTAS_DO_APP } from '../../src/surfaces/app-api/rotas.ts';
import { gerarOpenApi as documentoPublico } from '../../src/surfaces/public-api/openapi.ts';
import { ROTAS as ROTAS_PUBLICAS } from '../../src/surfaces/public-api/rotas.ts';
import { moduleOf } from './module.ts';
import type { OpenApi } from './module.ts';

/** The generated modules of the client, by their paths from the project's folder. */
export async function generatedModules(): Promise<Map<string, string>> {
  const documents = { 'public-api': documentoPublico(ROTAS_PUBLICAS), 'app-api': documentoDoApp(ROTAS_DO_APP) };
  const modules = new Map<string, string>();
  for (const [name, document] of Object.entries(documents)) {
    const file = path.join('client', 'src', 'generated', `${name}.ts`);
    const style = await resolveConfig(file);
    modules.set(file, await format(moduleOf(document as unknown as OpenApi), { ...style, parser: 'typescript' }));
  }
  return modules;
}

/** Writes the generated modules that differ from what is there, and returns their paths. */
export async function writeModules(): Promise<string[]> {
  const written: string[] = [];
  for (const [file, text] of await generatedModules()) {
    const before = await readFile(file, 'utf8').catch(() => null);
    if (before === text) continue;
    await writeFile(file, text);
    written.push(file);
  }
  return written;
}
