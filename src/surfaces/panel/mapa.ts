import { TEXTOS } from './rota.ts';
import type { Rota } from './rota.ts';

/** Where an address leads. */
type Achado =
  | { readonly rota: Rota; readonly parametros: Readonly<Record<string, string | number>> }
  /** The methods with which the address may be asked for. */
  | { readonly metodos: readonly string[] }
  | null;

const ID = String.raw`[1-9]\d{0,15}`;
const TEXTO = '[^/]{1,200}';

/** Finds routes by method and path below `/painel`. A path without parameters comes before one that has them in its place. */
export function criarMapa(rotas: readonly Rota[]) {
  const porPadrao = rotas
    .map((rota) => {
      const nomes = [...rota.caminho.matchAll(/\{(\w+)\}/g)].map(([, nome = '']) => nome);
      const padrao = rota.caminho.replaceAll(/\{(\w+)\}/g, (_, nome: string) => `(${ehTexto(nome) ? TEXTO : ID})`);
      return { rota, nomes, expressao: new RegExp(`^${padrao}$`) };
    })
    .toSorted((a, b) => a.nomes.length - b.nomes.length);

  return (metodo: string, caminho: string): Achado => {
    const metodos = new Set<string>();
    for (const { rota, nomes, expressao } of porPadrao) {
      const achado = expressao.exec(caminho);
      if (achado === null) continue;
      if (rota.metodo === metodo || (metodo === 'HEAD' && rota.metodo === 'GET')) {
        const valores = nomes.map((nome, n) => [nome, ler(nome, achado[n + 1] ?? '')] as const);
        if (valores.some(([, valor]) => valor === null)) return null;
        return { rota, parametros: Object.fromEntries(valores) as Record<string, string | number> };
      }
      metodos.add(rota.metodo);
    }
    return metodos.size === 0 ? null : { metodos: [...metodos] };
  };
}

const ehTexto = (nome: string): boolean => TEXTOS.some((um) => um === nome);

function ler(nome: string, texto: string): string | number | null {
  if (!ehTexto(nome)) {
    const id = Number(texto);
    return Number.isSafeInteger(id) ? id : null;
  }
  try {
    return decodeURIComponent(texto);
  } catch {
    return null;
  }
}
