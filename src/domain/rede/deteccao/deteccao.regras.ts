/** Drops this close together are one outage. */
export const JANELA_SEGUNDOS = 60;
/** An outage grows by the lines that drop within a minute of the last one, for no longer than this: single lines drop all day. */
const CRESCE_SEGUNDOS = 600;
const CONTINUA_SEGUNDOS = 3600;
/** Of the lines that dropped, so many of a hundred have to be back for it to be over. */
const VOLTARAM_PERCENTUAL = 80;

/** From how many lines on drops are an outage: at least `minimo`, and at least `percentual` of a hundred that were online there. */
export interface Limiares {
  readonly minimo: number;
  readonly percentual: number;
}

/** Where a provider says nothing else. */
export const LIMIARES_PADRAO: Limiares = { minimo: 20, percentual: 30 };

/** Lines whose last drop was in one second, at a port or where ports are not told apart. */
export interface QuedasDoSegundo {
  readonly segundo: number;
  readonly porta: string | null;
  readonly quedas: number;
  /** Of them those that are not back. */
  readonly fora: number;
}

/** Lines that dropped together. */
export interface Interrupcao {
  /** Null: of the whole server. */
  readonly porta: string | null;
  /** The seconds of the first and the last drop. */
  readonly de: number;
  readonly ate: number;
  readonly quedas: number;
  readonly fora: number;
}

/** What subscribers are told until staff say more. */
const TEXTO =
  'Identificamos uma interrupção que deixou parte dos clientes sem conexão. A nossa equipe já foi avisada e trabalha para normalizar.';

/** The words of a server's notice: it is named by its POP, and by itself too where the POP has others. */
export function palavrasDaInterrupcao(pop: string | null, nome: string | null, popTemOutros: boolean) {
  const servidor = nome !== null && popTemOutros ? `, servidor ${nome}` : '';
  const onde = pop === null ? nome : `${pop}${servidor}`;
  return { titulo: `Interrupção identificada${onde === null ? '' : `: ${onde}`}`.slice(0, 120), texto: TEXTO };
}

/** Whether so many of the lines that dropped are back that it is over. */
export const acabou = (quedas: number, fora: number): boolean => fora * 100 <= quedas * (100 - VOLTARAM_PERCENTUAL);

/** The first and the last drop of an outage. */
export interface Trecho {
  readonly de: Date;
  readonly ate: Date;
}

/** Up to when what drops there belongs to an outage: a minute after the last drop of it. */
export const pertenceAte = ({ ate }: Trecho): Date => new Date(ate.getTime() + JANELA_SEGUNDOS * 1000);

/** Whether lines that drop together within an hour of its last are more of an outage, and not one of their own. */
export const continua = ({ ate }: Trecho, queda: Date): boolean =>
  queda.getTime() <= ate.getTime() + CONTINUA_SEGUNDOS * 1000;

/** The last drop of an outage, after another line dropped that belongs to it: each goes on for a minute, but not for ever. */
export function crescida({ de, ate }: Trecho, queda: Date): Date {
  const limite = Math.min(queda.getTime(), de.getTime() + CRESCE_SEGUNDOS * 1000);
  return new Date(Math.max(ate.getTime(), limite));
}

/**
 * The outages of a server: of all of it, or else of each of its ports; none where too few dropped together, or most are back already.
 *
 * @param online lines that are online there now, by port.
 */
export function interrupcoes(
  dela: readonly QuedasDoSegundo[],
  online: ReadonlyMap<string | null, number>,
  limiares: Limiares,
): Interrupcao[] {
  const todas = [...online.values()].reduce((soma, um) => soma + um, 0);
  const doServidor = maiorJanela(dela, null, (uma) => conta(uma, todas, limiares));
  if (doServidor !== null) return [doServidor];
  const portas = new Set(dela.flatMap(({ porta }) => (porta === null ? [] : [porta])));
  return [...portas].flatMap((porta) => {
    const daPorta = dela.filter((uma) => uma.porta === porta);
    return maiorJanela(daPorta, porta, (uma) => conta(uma, online.get(porta) ?? 0, limiares)) ?? [];
  });
}

function conta({ quedas, fora }: Interrupcao, online: number, { minimo, percentual }: Limiares): boolean {
  return quedas >= minimo && quedas * 100 >= percentual * (online + fora) && !acabou(quedas, fora);
}

/** Of the stretches of a minute that count, the one with the most drops: one that is over must not hide another. */
function maiorJanela(
  quedas: readonly QuedasDoSegundo[],
  porta: string | null,
  serve: (uma: Interrupcao) => boolean,
): Interrupcao | null {
  const emOrdem = quedas.toSorted((a, b) => a.segundo - b.segundo);
  let maior: Interrupcao | null = null;
  let primeira = 0;
  let soma = 0;
  let fora = 0;
  for (const uma of emOrdem) {
    soma += uma.quedas;
    fora += uma.fora;
    for (let saida = emOrdem[primeira]; saida !== undefined && uma.segundo - saida.segundo > JANELA_SEGUNDOS;) {
      soma -= saida.quedas;
      fora -= saida.fora;
      primeira += 1;
      saida = emOrdem[primeira];
    }
    if (maior !== null && soma <= maior.quedas) continue;
    const desta = { porta, de: emOrdem[primeira]?.segundo ?? uma.segundo, ate: uma.segundo, quedas: soma, fora };
    if (serve(desta)) maior = desta;
  }
  return maior;
}
