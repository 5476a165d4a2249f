import { Readable, Transform, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { faltaEm } from '../../erros.ts';
import type { Leitura } from '../importacoes.types.ts';

/** A line of a file, by the number that an editor shows for its end. */
export interface Linha {
  readonly linha: number;
  readonly celulas: readonly string[];
}

/** As the parser hands out a line. */
interface Registrada {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

/** Of one line, with all its cells: what is longer has lost a quotation mark somewhere. */
const MAIOR_LINHA = 128 * 1024;

/**
 * The lines of a stored file, without its header, in bounded memory.
 *
 * @param partes of the compressed file, in their order.
 * @throws CamposInvalidos of `arquivo` from the line on that cannot be told from the next.
 */
export async function* lerLinhas(
  partes: AsyncIterable<Buffer>,
  { codificacao, separador, cabecalho, aspas }: Leitura,
): AsyncGenerator<Linha> {
  // Read with the first file.
  const { CsvError, parse } = await import('csv-parse');
  const leitor = parse({
    delimiter: separador,
    quote: aspas ? '"' : false,
    // A quotation mark inside a cell is one, as in `Rua "B"`.
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAIOR_LINHA,
    from: cabecalho ? 2 : 1,
    info: true,
  });
  // The parser's errors and those of the source reach the loop below through the parser.
  pipeline(Readable.from(partes), createGunzip(), decodificar(codificacao), leitor, () => {});
  try {
    for await (const { record, info } of leitor as AsyncIterable<Registrada>)
      yield { linha: info.lines, celulas: record };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const onde = `a partir da linha ${Number(error['lines'] ?? 0)}`;
    if (error.code === 'CSV_MAX_RECORD_SIZE' || error.code === 'CSV_QUOTE_NOT_CLOSED') {
      faltaEm('arquivo', `${onde} não se separam as linhas: falta fechar aspas, ou a linha é grande demais`);
    }
    faltaEm('arquivo', `${onde} não se lê`);
  }
}

function decodificar(codificacao: Leitura['codificacao']): Transform {
  const decodificador = new TextDecoder(codificacao);
  return new Transform({
    transform(pedaco: Buffer, _codificacao, pronto) {
      pronto(null, decodificador.decode(pedaco, { stream: true }));
    },
    flush(pronto) {
      pronto(null, decodificador.decode());
    },
  });
}
