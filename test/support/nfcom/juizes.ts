import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programa } from '../programas.ts';
import { caminhoDaAmostra } from './notas.ts';

const executar = promisify(execFile);

const esquemaEm = (pacote: string, raiz: string): string =>
  new URL(`../../../../workers/threads/nfcom/xsd/${pacote}/${raiz}_v1.00.xsd`, import.meta.url).pathname;

/** Runs a program that is right when it ends well; what it says when it does not. */
async function julgar(nome: 'xmllint' | 'xmlsec1', args: readonly string[]): Promise<string | null> {
  const caminho = await programa(nome);
  try {
    await executar(caminho, [...args], { maxBuffer: 64_000_000 });
    return null;
  } catch (error) {
    return String((error as { stderr?: string }).stderr ?? error);
  }
}

/** What `xmllint` says against documents, by a schema of the authority's; null when each is valid. */
export const xmllint = async (
  xmls: readonly string[],
  pacote: 'NT2025.001' | 'NT2026.002',
  raiz: 'nfcom' | 'procNFCom' | 'eventoNFCom' | 'procEventoNFCom' | 'evCancNFCom' = 'nfcom',
): Promise<string | null> =>
  comArquivos(xmls, (arquivos) => julgar('xmllint', ['--noout', '--schema', esquemaEm(pacote, raiz), ...arquivos]));

/** What `xmlsec1` says against signatures; null when each is right. @param ca PEM of whom it trusts, else the samples' issuer */
export const xmlsec1 = async (
  xmls: readonly string[],
  elemento: 'infNFCom' | 'infEvento' = 'infNFCom',
  ca: string | null = null,
): Promise<string | null> => {
  const id = `http://www.portalfiscal.inf.br/nfcom:${elemento}`;
  return comArquivos([...xmls, ...(ca === null ? [] : [ca])], async (todos) => {
    const [arquivos, dela] =
      ca === null ? [todos, caminhoDaAmostra('test-ca.pem')] : [todos.slice(0, -1), todos.at(-1)];
    return julgar('xmlsec1', ['--verify', '--trusted-pem', dela ?? '', '--id-attr:Id', id, ...arquivos]);
  });
};

async function comArquivos<T>(xmls: readonly string[], usar: (arquivos: string[]) => Promise<T>): Promise<T> {
  const pasta = mkdtempSync(join(tmpdir(), 'malha-nfcom-'));
  try {
    const arquivos = xmls.map((xml, n) => {
      const arquivo = join(pasta, `${n}.xml`);
      writeFileSync(arquivo, xml);
      return arquivo;
    });
    return await usar(arquivos);
  } finally {
    rmSync(pasta, { recursive: true, force: true });
  }
}
