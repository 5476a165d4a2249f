import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { EntradaInvalida } from '../domain/erros.ts';
import type { Sessao } from './sessao.ts';

/** Of a file that holds a secret and nothing else. */
const MAIOR_ARQUIVO = 1024;

/**
 * A secret from a file or from standard input (`-`): never from the command line, which other users of the machine can read.
 *
 * @param opcao the option that names the file, for what is said of it.
 */
export async function lerSegredo(
  opcao: string,
  arquivo: string,
  { entrada }: Pick<Sessao, 'entrada'>,
): Promise<string> {
  const fonte = arquivo === '-' ? entrada() : createReadStream(arquivo, { end: MAIOR_ARQUIVO });
  if ('isTTY' in fonte && fonte.isTTY) {
    throw new EntradaInvalida(`${opcao}: diga um arquivo com --${opcao}, ou mande-o pela entrada padrão`);
  }
  const lido = await text(fonte).catch(() => {
    throw new EntradaInvalida(`${opcao}: não foi possível ler ${arquivo}`);
  });
  return lido.replace(/\r?\n$/, '');
}
