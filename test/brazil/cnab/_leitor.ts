import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// A second reader of remessas, made apart from the code that writes them, from the layouts as they were gathered.

type Linha = Readonly<Record<string, string>>;
type Campo = readonly [nome: string, de: number, ate: number, tipo: string];
type Registros = Readonly<Record<string, readonly Campo[]>>;

const PASTA = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../../test/support/cnab');

export const lerTexto = (nome: string): string => readFileSync(path.join(PASTA, nome), 'latin1');

const LAYOUTS: {
  febraban: Registros;
  bancos240: Readonly<Record<string, Registros>>;
  remessa400: Readonly<Record<string, Registros>>;
} = JSON.parse(readFileSync(path.join(PASTA, 'layouts.json'), 'utf8'));

/** The bank's fields win over FEBRABAN's of the same positions. */
const juntos = (campos: readonly Campo[], doBanco: readonly Campo[] = []): readonly Campo[] => [
  ...campos.filter(([, de, ate]) => !doBanco.some(([, deDele, ateDele]) => deDele <= ate && de <= ateDele)),
  ...doBanco,
];

/** The values of a line, with blanks. */
function abrir(linha: string, campos: readonly Campo[]): Linha {
  return Object.fromEntries(
    campos.map(([nome, de, ate, tipo]) => {
      const valor = linha.slice(de - 1, ate);
      if (tipo === 'data' && !/^\d+$/.test(valor)) throw new Error(`${nome}: '${valor}' não é data`);
      return [nome, valor];
    }),
  );
}

interface TituloLido {
  readonly tipos: string;
  readonly campos: Linha;
}

export interface RemessaLida {
  readonly header: Linha;
  readonly titulos: readonly TituloLido[];
  readonly trailer: Linha;
}

function conferirLinhas(texto: string, tamanho: number): string[] {
  if (!/^(?:[\x20-\x5f]*\r\n)+$/.test(texto) && !/^[\x20-\x7e\r\n]*$/.test(texto)) throw new Error('não é ASCII');
  const linhas = texto.split('\r\n');
  if (linhas.pop() !== '') throw new Error('a última linha não termina em CRLF');
  const errada = linhas.findIndex((linha) => linha.length !== tamanho);
  if (errada >= 0) throw new Error(`linha ${errada + 1} tem ${linhas[errada]?.length}`);
  return linhas;
}

/** Reads a remessa of CNAB 240 and checks batches, sequence, counts and totals. */
export function lerRemessa240(texto: string, banco: string): RemessaLida {
  const linhas = conferirLinhas(texto, 240);
  const layout = new Map(
    Object.entries(LAYOUTS.febraban).map(([nome, campos]) => [nome, juntos(campos, LAYOUTS.bancos240[banco]?.[nome])]),
  );
  const registro = (nome: string, linha: string): Linha => abrir(linha, layout.get(nome)!);
  const exigir = (vale: boolean, porque: string): void => {
    if (!vale) throw new Error(porque);
  };
  const titulos: { tipos: string; campos: Record<string, string> }[] = [];
  let [sequencial, lote, inicio, doLote, soma] = [0, 0, 0, 0, 0];
  linhas.forEach((linha, n) => {
    exigir(linha.startsWith(banco), `linha ${n + 1}: banco`);
    const tipo = linha.charAt(7);
    if (tipo === '1') [lote, sequencial, inicio, doLote, soma] = [lote + 1, 0, n, 0, 0];
    if (tipo === '1' || tipo === '3' || tipo === '5')
      exigir(Number(linha.slice(3, 7)) === lote, `linha ${n + 1}: lote`);
    if (tipo === '3') {
      sequencial += 1;
      exigir(Number(linha.slice(8, 13)) === sequencial, `linha ${n + 1}: sequência`);
      const segmento = linha.charAt(13);
      const campos = registro(`segmento${segmento}`, linha);
      if (segmento === 'P') {
        titulos.push({ tipos: 'P', campos });
        doLote += 1;
        soma += Number(campos['valor']);
      } else {
        const ultimo = titulos.at(-1)!;
        exigir(ultimo.campos['codigoMovimento'] === campos['codigoMovimento'], `linha ${n + 1}: movimento`);
        titulos[titulos.length - 1] = { tipos: ultimo.tipos + segmento, campos: { ...campos, ...ultimo.campos } };
      }
    }
    if (tipo === '5') {
      const trailer = registro('trailerLote', linha);
      exigir(Number(trailer['quantidadeRegistros']) === n - inicio + 1, 'contagem do lote');
      if (banco === '001') return;
      exigir(Number(trailer['quantidadeSimples']) === doLote, 'títulos do lote');
      exigir(Number(trailer['valorSimples']) === soma, 'valor do lote');
    }
  });
  const [primeira = '', ultima = ''] = [linhas[0], linhas.at(-1)];
  const trailer = registro('trailerArquivo', ultima);
  exigir(Number(trailer['quantidadeLotes']) === lote, 'lotes do arquivo');
  exigir(Number(trailer['quantidadeRegistros']) === linhas.length, 'registros do arquivo');
  return { header: registro('headerArquivo', primeira), titulos, trailer };
}

/** Reads a remessa of CNAB 400 and checks its sequence. The fields of records 2, 3 and 8 have their type before the name. */
export function lerRemessa400(texto: string, banco: string): RemessaLida {
  const linhas = conferirLinhas(texto, 400);
  const layout = LAYOUTS.remessa400[banco]!;
  const titulos: TituloLido[] = [];
  linhas.forEach((linha, n) => {
    if (Number(linha.slice(394)) !== n + 1) throw new Error(`linha ${n + 1}: sequência`);
    if (n === 0 || n === linhas.length - 1) return;
    const tipo = linha.charAt(0);
    if (tipo === '1') {
      titulos.push({ tipos: '1', campos: abrir(linha, layout['detalhe']!) });
      return;
    }
    const ultimo = titulos.pop()!;
    const extra = Object.entries(abrir(linha, layout[`detalhe_tipo${tipo}`]!)).map(([nome, valor]) => [
      tipo + nome,
      valor,
    ]);
    titulos.push({ tipos: ultimo.tipos + tipo, campos: { ...ultimo.campos, ...Object.fromEntries(extra) } });
  });
  if (!linhas.at(-1)!.startsWith('9')) throw new Error('falta o trailer');
  return { header: abrir(linhas[0]!, layout['header']!), titulos, trailer: abrir(linhas.at(-1)!, layout['trailer']!) };
}
