import { enviar } from './api.ts';

/** What a scrape showed: value by name and labels, as they are written. */
export type Medidas = ReadonlyMap<string, number>;

/** Reads `/metrics`. */
export async function medir(porta: number): Promise<Medidas> {
  const { status, texto } = await enviar({ host: '127.0.0.1', port: porta, path: '/metrics', agent: false });
  if (status !== 200) throw new Error(`/metrics: ${status} ${texto}`);
  return lerMedidas(texto);
}

/** Reads the text form of Prometheus; labels in alphabetical order. */
export function lerMedidas(texto: string): Medidas {
  const medidas = new Map<string, number>();
  for (const linha of texto.split('\n')) {
    const [, nome, rotulos = '', valor] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(linha) ?? [];
    if (nome === undefined) continue;
    const ordenados = (rotulos.match(/\w+="[^"]*"/g) ?? []).toSorted().join(',');
    medidas.set(ordenados === '' ? nome : `${nome}{${ordenados}}`, Number(valor));
  }
  return medidas;
}

/** The pids of the processes that answer. */
export function pids(medidas: Medidas): number[] {
  return [...medidas.keys()].flatMap((nome) => {
    const pid = /^malha_process_start_time_seconds\{pid="(\d+)"\}$/.exec(nome)?.[1];
    return pid === undefined ? [] : [Number(pid)];
  });
}
