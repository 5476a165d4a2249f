import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { cliente, escrever } from '../../faults/apoio.ts';
import type { Cliente } from '../../faults/apoio.ts';
import type { Api } from '../api.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import { ate } from '../espera.ts';
import { quanto } from '../prova.ts';
import type { Aglomerado, NoDoAglomerado } from './servidor.ts';

/** Together some 100 look-ups and 25 writes a second where nothing is in their way. */
const LEITORES = 8;
const PAUSA_DA_LEITURA_MS = 75;
const PAUSA_DA_ESCRITA_MS = 70;
/** So many in a row without a failure, of reads and of writes, and it is over. */
const SEGUIDAS = 40;
const PRAZO_MS = 120_000;

/** What a fault did. */
interface Medida {
  readonly semEscreverMs: number;
  readonly leiturasFalhadas: number;
  readonly escritasFalhadas: number;
}

/** Look-ups and writes of two providers, each look-up held against the last answered write. */
export async function comecarCarga(t: ExecutionContext, api: Api, de?: readonly Cliente[]) {
  const clientes = de ?? [await cliente(api), await cliente(api)];
  const parar = new AbortController();
  const total = { lidas: 0, velhas: 0, leiturasFalhadas: 0, escritas: 0, escritasFalhadas: 0 };
  const desde = performance.now();
  const porCliente = new Map(clientes.map((c) => [c, { respondidas: 0, falhadas: 0 }]));
  let boas = { leituras: 0, escritas: 0 };
  let ultimaEscrita = performance.now();
  let maiorPausaMs = 0;

  async function ler(n: number): Promise<void> {
    for (let vez = n; !parar.signal.aborted; vez += 1) {
      const c = clientes[vez % clientes.length]!;
      const minimo = c.escrito();
      const processo = vez % api.containers.length;
      const resposta = await api.get(c.caminho, { chave: c.algumaChave(), processo }).catch(() => null);
      if (resposta?.status === 200) {
        total.lidas += 1;
        boas.leituras += 1;
        if (c.mostrado(resposta) < minimo) total.velhas += 1;
      } else {
        total.leiturasFalhadas += 1;
        boas.leituras = 0;
      }
      await sleep(PAUSA_DA_LEITURA_MS);
    }
  }

  async function gravar(c: Cliente, n: number): Promise<void> {
    const conta = porCliente.get(c)!;
    while (!parar.signal.aborted) {
      try {
        await escrever({ container: api.containers[n % api.containers.length]! }, c);
        total.escritas += 1;
        conta.respondidas += 1;
        boas.escritas += 1;
        maiorPausaMs = Math.max(maiorPausaMs, performance.now() - ultimaEscrita);
        ultimaEscrita = performance.now();
      } catch {
        total.escritasFalhadas += 1;
        conta.falhadas += 1;
        boas.escritas = 0;
      }
      await sleep(PAUSA_DA_ESCRITA_MS);
    }
  }

  const correndo = [
    ...Array.from({ length: LEITORES }, async (_, n) => ler(n)),
    ...clientes.map(async (c, n) => gravar(c, n)),
  ];
  // Else a proof that fails would never end.
  t.teardown(async () => {
    parar.abort();
    await Promise.all(correndo);
  });

  /** Resolves when nothing fails any more. */
  async function tranquila(): Promise<void> {
    boas = { leituras: 0, escritas: 0 };
    await ate(() => boas.leituras >= SEGUIDAS && boas.escritas >= SEGUIDAS, PRAZO_MS);
  }

  return {
    tranquila,
    total,

    /** Makes a fault, waits until writes are answered again and nothing fails, and tells what it did. */
    async durante(falhar: () => Promise<void>): Promise<Medida> {
      await tranquila();
      const antes = { ...total };
      maiorPausaMs = 0;
      ultimaEscrita = performance.now();
      await falhar();
      await tranquila();
      return {
        semEscreverMs: Math.round(maiorPausaMs),
        leiturasFalhadas: total.leiturasFalhadas - antes.leiturasFalhadas,
        escritasFalhadas: total.escritasFalhadas - antes.escritasFalhadas,
      };
    },

    /** Ends it, and holds what is in the database, and on each of its servers, against what was answered. */
    async terminar(nos: readonly NoDoAglomerado[] = []): Promise<void> {
      parar.abort();
      await Promise.all(correndo);
      const segundos = (performance.now() - desde) / 1000;
      t.log(
        `${(total.lidas / segundos).toFixed(0)} leituras/s e ${(total.escritas / segundos).toFixed(0)} escritas/s por ${segundos.toFixed(0)} s; ` +
          `velhas ${total.velhas}; falhadas: ${total.leiturasFalhadas} leituras, ${total.escritasFalhadas} escritas`,
      );
      t.is(total.velhas, 0);
      for (const [c, { respondidas, falhadas }] of porCliente) {
        const { nome } = await api.dono('clientes').where({ provedor_id: c.provedor, id: c.id }).first('nome');
        const ficou = Number(String(nome).slice(2));
        const auditadas = async (db: Db): Promise<number> => {
          const [linha] = await db('auditoria')
            .where('provedor_id', c.provedor)
            .count<{ linhas: number }[]>('* as linhas');
          return Number(linha?.linhas);
        };
        // None that was answered is lost, and none is there twice: a failed one may have been committed, once.
        t.true(ficou >= c.escrito(), `ficou ${ficou} depois de ${c.escrito()}`);
        t.true(ficou >= respondidas && ficou <= respondidas + falhadas, `${ficou} de ${respondidas} + ${falhadas}`);
        t.is(await auditadas(api.dono), ficou);
        t.deepEqual(
          await Promise.all(nos.map(async ({ dono }) => auditadas(dono))),
          nos.map(() => ficou),
        );
      }
    },
  };
}

export interface Falha<No extends NoDoAglomerado> {
  falhar(no: No): Promise<void>;
  refazer(no: No): Promise<void>;
}

/** What every cluster may meet. */
export const FALHAS: Readonly<Record<'morto' | 'desligado' | 'parado', Falha<NoDoAglomerado>>> = {
  morto: { falhar: async (no) => no.matar(), refazer: async (no) => no.voltar() },
  desligado: { falhar: async (no) => no.parar(), refazer: async (no) => no.voltar() },
  parado: {
    falhar: async (no) => no.pausar(),
    async refazer(no) {
      no.continuar();
      await no.emDia();
    },
  },
};

/** A connection that the last fault ended is only noticed when it is used. */
export async function quemEscreve<No extends NoDoAglomerado>(dono: Db, nos: readonly No[]): Promise<No> {
  let achado: No | undefined;
  await ate(async () => {
    const ditas = await dono.raw<{ porta: number }[][]>('SELECT @@port AS porta').catch(() => []);
    achado = nos.find(({ porta }) => porta === ditas[0]?.[0]?.porta);
    return achado !== undefined;
  }, PRAZO_MS);
  return achado!;
}

/** The one that takes writes falls, again and again, under load, and each time comes back. */
export async function derrubarQuemEscreve<No extends NoDoAglomerado>(
  t: ExecutionContext,
  { nos }: Pick<Aglomerado<No>, 'nos'>,
  api: Api,
  [nome, falha]: readonly [string, Falha<No>],
): Promise<void> {
  await quemEscreve(api.dono, nos);
  const carga = await comecarCarga(t, api);
  const vezes = quanto(1, 20);
  for (let vez = 0; vez < vezes; vez += 1) {
    const escritor = await quemEscreve(api.dono, nos);
    const medida = await carga.durante(async () => falha.falhar(escritor));
    t.log(
      `${nome}: ${medida.semEscreverMs} ms sem escrever; falharam ${medida.leiturasFalhadas} leituras e ${medida.escritasFalhadas} escritas`,
    );
    await falha.refazer(escritor);
    await carga.tranquila();
  }
  await quemEscreve(api.dono, nos);
  await carga.terminar(nos);
}
