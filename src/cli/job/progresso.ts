import type { Tela } from '../sessao.ts';
import { contar, duracao, numero } from '../texto.ts';

/** How far the jobs that a command waits for have come. */
interface Quadro {
  readonly nome: string;
  readonly total: number;
  readonly prontas: number;
  readonly falhas: number;
  /** Those that run, each with what it counts, where it counts. */
  readonly emCurso: readonly { readonly rotulo: string; readonly feitas: number; readonly total: number }[];
  /** Counted by jobs that run or ran. */
  readonly linhas: number;
  readonly decorridoMs: number;
}

export interface Progresso {
  mostrar(quadro: Quadro): void;
  /** A line that stays. */
  dizer(linha: string): void;
  /** Leaves the last state standing. */
  encerrar(): void;
}

const PARTES = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const;
const MAXIMO_EM_CURSO = 4;
const LARGURA_MINIMA = 8;
const LARGURA_MAXIMA = 40;

/** Of the whole: jobs that ended, and the parts of those that run. */
function fracaoDe({ total, prontas, emCurso }: Quadro): number {
  const partes = emCurso.reduce((soma, parte) => soma + (parte.total > 0 ? parte.feitas / parte.total : 0), 0);
  return total === 0 ? 1 : Math.min(1, (prontas + partes) / total);
}

/** A bar of `largura` columns. */
function barra(fracao: number, largura: number): string {
  const oitavos = Math.floor(Math.min(1, Math.max(0, fracao)) * largura * 8);
  const cheia = '█'.repeat(Math.floor(oitavos / 8)) + (PARTES[oitavos % 8] ?? '');
  return cheia.padEnd(largura, '░');
}

/** What there is to see, in lines no longer than `largura`. */
function desenhar(quadro: Quadro, largura: number): string[] {
  const fracao = fracaoDe(quadro);
  const direita = detalhes(quadro, fracao);
  const livre = largura - quadro.nome.length - direita.length - 4;
  const tamanho = Math.min(LARGURA_MAXIMA, livre);
  const linha =
    tamanho >= LARGURA_MINIMA
      ? `${quadro.nome}  ${barra(fracao, tamanho)}  ${direita}`
      : `${quadro.nome}  ${Math.floor(fracao * 100)}%  ${direita}`;
  const ativas = quadro.total > 1 ? quadro.emCurso.slice(0, MAXIMO_EM_CURSO) : [];
  return [
    linha,
    ...ativas.map(({ rotulo, feitas, total }) =>
      total > 0 ? `  ${rotulo}  ${numero(feitas)}/${numero(total)}` : `  ${rotulo}`,
    ),
  ].map((texto) => cortar(texto, largura));
}

function detalhes({ total, prontas, falhas, linhas, emCurso, decorridoMs }: Quadro, fracao: number): string {
  const [unica] = emCurso;
  const feito =
    total === 1 && unica !== undefined && unica.total > 0
      ? `${numero(unica.feitas)}/${numero(unica.total)}`
      : `${numero(prontas)}/${numero(total)}`;
  const segundos = decorridoMs / 1000;
  const ritmo = segundos < 1 ? 0 : (linhas > 0 ? linhas : prontas) / segundos;
  return [
    feito,
    ...(falhas > 0 ? [contar(falhas, 'falha', 'falhas')] : []),
    ...(ritmo > 0 ? [`${numero(ritmo < 10 ? ritmo : Math.round(ritmo))}/s`] : []),
    ...(fracao > 0 && fracao < 1 && segundos >= 1 ? [`faltam ${duracao((decorridoMs / fracao) * (1 - fracao))}`] : []),
  ].join('  ');
}

const cortar = (texto: string, largura: number): string =>
  texto.length <= largura ? texto : `${texto.slice(0, Math.max(0, largura - 1))}…`;

/** At most a line this often where nothing can be drawn over. */
const LINHA_A_CADA_MS = 5000;

/** A bar that is drawn over where the screen allows it, else a line now and then. */
export function criarProgresso(tela: Tela, linhaACadaMs = LINHA_A_CADA_MS): Progresso {
  return tela.interativa ? criarBarra(tela) : criarLinhas(tela, linhaACadaMs);
}

function criarBarra(tela: Tela): Progresso {
  let desenhadas: readonly string[] = [];
  // Up to the first line that was drawn, and from there nothing to the end of the screen.
  const apagar = (): string => (desenhadas.length === 0 ? '' : `\x1b[${desenhadas.length}A\r\x1b[0J`);
  const por = (linhas: readonly string[]): string => linhas.map((linha) => `${linha}\n`).join('');
  return {
    mostrar(quadro) {
      // A line that is as long as the screen is wide breaks on some.
      const linhas = desenhar(quadro, Math.max(20, tela.largura() - 1));
      tela.escrever(apagar() + por(linhas));
      desenhadas = linhas;
    },
    dizer(linha) {
      tela.escrever(`${apagar()}${linha}\n${por(desenhadas)}`);
    },
    encerrar() {
      desenhadas = [];
    },
  };
}

function criarLinhas(tela: Tela, aCadaMs: number): Progresso {
  let ditaEm = -Infinity;
  let dita = '';
  return {
    mostrar(quadro) {
      const linha = `${quadro.nome}: ${Math.floor(fracaoDe(quadro) * 100)}%  ${detalhes(quadro, fracaoDe(quadro))}`;
      if (linha === dita || performance.now() - ditaEm < aCadaMs) return;
      [ditaEm, dita] = [performance.now(), linha];
      tela.escrever(`${linha}\n`);
    },
    dizer: (linha) => tela.escrever(`${linha}\n`),
    encerrar: () => {},
  };
}
