import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programa } from './programas.ts';

const executar = promisify(execFile);

/** A word of a PDF and the box it fills, in points from the page's upper left corner. */
export interface Palavra {
  readonly pagina: number;
  readonly texto: string;
  readonly caixa: readonly [x1: number, y1: number, x2: number, y2: number];
}

/** The text of a PDF, laid out as on its pages. */
export async function textoDoPdf(pdf: Uint8Array): Promise<string> {
  return comArquivo(pdf, async (arquivo) => {
    const { stdout } = await executar(await programa('pdftotext'), ['-layout', arquivo, '-']);
    return stdout;
  });
}

export async function palavrasDoPdf(pdf: Uint8Array): Promise<Palavra[]> {
  return comArquivo(pdf, async (arquivo) => {
    const { stdout } = await executar(await programa('pdftotext'), ['-bbox', arquivo, '-']);
    const palavra = /<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*)<\/word>/g;
    return stdout
      .split('<page ')
      .slice(1)
      .flatMap((pagina, n) =>
        [...pagina.matchAll(palavra)].map(([, x1, y1, x2, y2, texto]) => ({
          pagina: n + 1,
          texto: texto!,
          caixa: [Number(x1), Number(y1), Number(x2), Number(y2)] as const,
        })),
      );
  });
}

/** Each page of a PDF as an image. */
export async function imagensDoPdf(
  pdf: Uint8Array,
  dpi: number,
  tipo: 'png' | 'jpeg' | 'ppm' = 'png',
): Promise<Buffer[]> {
  return comArquivo(pdf, async (arquivo, pasta) => {
    const como = tipo === 'ppm' ? [] : [`-${tipo}`];
    await executar(await programa('pdftoppm'), ['-r', String(dpi), ...como, arquivo, join(pasta, 'pagina')]);
    const paginas = readdirSync(pasta).filter((nome) => nome.startsWith('pagina'));
    return paginas.toSorted().map((nome) => readFileSync(join(pasta, nome)));
  });
}

/** What a scanner reads on each page of a printed PDF. */
export async function codigosDoPdf(pdf: Uint8Array, dpi: number): Promise<string[][]> {
  // Pressed into a PNG, a page takes ten times as long as drawn and read.
  return Promise.all((await imagensDoPdf(pdf, dpi, 'ppm')).map(codigosDaImagem));
}

/** What a scanner reads in a picture: bar codes (ITF) and QR codes, in the order of the alphabet. */
export async function codigosDaImagem(imagem: Uint8Array): Promise<string[]> {
  const simbolos = ['-Sdisable', '-Si25.enable', '-Sqrcode.enable'];
  return comArquivo(imagem, async (arquivo) => {
    const { stdout } = await executar(await programa('zbarimg'), ['--raw', '-q', '--nodbus', ...simbolos, arquivo]);
    return stdout.trim().split('\n').toSorted();
  });
}

async function comArquivo<T>(bytes: Uint8Array, usar: (arquivo: string, pasta: string) => Promise<T>): Promise<T> {
  const pasta = mkdtempSync(join(tmpdir(), 'malha-pdf-'));
  try {
    const arquivo = join(pasta, 'arquivo');
    writeFileSync(arquivo, bytes);
    return await usar(arquivo, pasta);
  } finally {
    rmSync(pasta, { recursive: true, force: true });
  }
}
