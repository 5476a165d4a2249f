/** Faz um valor dos bytes de um campo. */
export type Converter = (bytes: Buffer, inicio: number, fim: number) => unknown;

interface Visto {
  readonly bytes: Buffer;
  readonly inicio: number;
  readonly fim: number;
  readonly valor: unknown;
}

/** Campos que se procuram antes de dizer se vale a pena. */
const AMOSTRA = 500;

/**
 * Os valores de uma coluna em um grupo de linhas: os mesmos bytes dão o mesmo objeto, feito uma vez, e quem monta o dicionário o acha pela
 * identidade. Onde os distintos são metade ou mais, deixa-se de procurar.
 */
export function criarVistos(converter: Converter) {
  const vistos = new Map<number, Visto>();
  let procurados = 0;

  return {
    valor(bytes: Buffer, inicio: number, fim: number): unknown {
      if (procurados >= AMOSTRA && 2 * vistos.size >= procurados) return converter(bytes, inicio, fim);
      procurados += 1;
      const resumo = resumir(bytes, inicio, fim);
      const visto = vistos.get(resumo);
      if (visto !== undefined && iguais(visto, bytes, inicio, fim)) return visto.valor;
      const valor = converter(bytes, inicio, fim);
      // De dois com o mesmo resumo, só o primeiro se acha.
      if (visto === undefined) vistos.set(resumo, { bytes, inicio, fim, valor });
      return valor;
    },
    esquecer(): void {
      vistos.clear();
      procurados = 0;
    },
  };
}

/** FNV-1a, de 32 bits. */
function resumir(bytes: Buffer, inicio: number, fim: number): number {
  let resumo = 0x811c9dc5;
  for (let n = inicio; n < fim; n += 1) resumo = Math.imul(resumo ^ (bytes[n] ?? 0), 0x01000193);
  return resumo;
}

function iguais(visto: Visto, bytes: Buffer, inicio: number, fim: number): boolean {
  if (visto.fim - visto.inicio !== fim - inicio) return false;
  for (let n = inicio, m = visto.inicio; n < fim; n += 1, m += 1) if (bytes[n] !== visto.bytes[m]) return false;
  return true;
}
