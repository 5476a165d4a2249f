import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import type { ObjectStore } from '../../platform/storage/object-store.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { SnapshotSource } from '../../platform/mysql/replica.ts';
import type { Threads } from '../../platform/threads/threads.ts';
import type { Actor } from '../actor.ts';
import type { Write, WriteFor } from '../escrita.ts';
import { emAbertoPagasEmParte } from '../faturas/apuracao.service.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { EXTRATOS_TAG } from '../tags.ts';
import type { Execucao, TrabalhoInteiro } from '../tarefas/tarefas.types.ts';
import { escreverTabela } from './escrita.ts';
import type { Ordem } from './escrita.ts';
import { createGravacaoDeExtratos } from './extratos.queries.ts';
import type { Tentativa } from './extratos.queries.ts';
import { MANIFESTO, TABELAS, VERSAO_DO_ESQUEMA } from './extratos.types.ts';
import type { ArquivoDoExtrato, Manifesto, TabelaExtraida } from './extratos.types.ts';
import { createLeituraDeTabela } from './leitura.queries.ts';
import { nomeNoArmazem, pastaDoExtrato } from './nomes.regras.ts';
import { fotografar } from './retrato.ts';
import type { RitmoDoExtrato } from './ritmo.regras.ts';
import { ESQUEMA } from './tabelas.queries.ts';
import type { Retrato, Ultima } from './tabelas.queries.ts';

export interface GeracaoDeps {
  /** Where an extract is read that begins now; what it is is written through `write`. */
  readonly fonte: () => SnapshotSource;
  readonly write: WriteFor;
  readonly relogio: Relogio;
  readonly armazem: ObjectStore;
  /** Of its own: a table holds a thread for as long as it takes. */
  readonly threads: Pick<Threads, 'talk'>;
  readonly intervaloPadraoSegundos: number;
  /** Asked before each batch. */
  readonly ritmo: () => RitmoDoExtrato;
}

/** What a try comes to that another one overtook: its files were cleared away under it. */
const PERDIDO = { linhas: 0, gravar: async () => false, desistir: async () => {}, depois: async () => {} };

const NADA: ReadonlyMap<number, Centavos> = new Map();

/**
 * Takes a provider's extract: every table, from one snapshot, in every format, and a manifest last of all. A run that is cut off leaves
 * files that nothing names; the next one writes beside them and clears them away.
 */
export function createGeracao(deps: GeracaoDeps): TrabalhoInteiro {
  const { fonte, write, relogio, armazem, threads, intervaloPadraoSegundos, ritmo } = deps;

  /** The batches of a table, each read when it is asked for. */
  async function* lotesDe(
    retrato: Retrato,
    nome: TabelaExtraida,
    provedor: Provedor,
    signal: AbortSignal,
  ): AsyncGenerator<Ordem> {
    const leitura = createLeituraDeTabela(retrato, nome);
    for (let depoisDe: Ultima | null = null; ;) {
      signal.throwIfAborted();
      const { linhasPorLote, descansoMs } = ritmo();
      const lote = await leitura.proximas(depoisDe, Math.min(ESQUEMA[nome].lote, linhasPorLote));
      if (lote === null) return;
      const { quantas, linhas, ultima } = lote;
      const sabidos =
        nome === 'faturas'
          ? await emAbertoPagasEmParte(retrato.tenant, provedor, retrato.hoje, [
              Number(depoisDe?.[0] ?? 0),
              Number(ultima[0]),
            ])
          : NADA;
      depoisDe = ultima;
      yield { tipo: 'lote', quantas, linhas, sabidos };
      if (descansoMs > 0) await sleep(descansoMs, undefined, { signal });
    }
  }

  async function extrair(
    provedor: Provedor,
    tentativa: Tentativa,
    retrato: Retrato,
    { signal, aoAvancar }: Execucao,
  ): Promise<ArquivoDoExtrato[]> {
    const nomear = (arquivo: string): string => nomeNoArmazem(provedor.id, tentativa, arquivo);
    const arquivos: ArquivoDoExtrato[] = [];
    for (const [n, nome] of TABELAS.entries()) {
      aoAvancar({ feitas: n, total: TABELAS.length });
      const tabela = {
        nome,
        colunas: ESQUEMA[nome].colunas.map(({ nome: campo, tipo, nulo }) => ({ nome: campo, tipo, nulo })),
        versaoDoEsquema: VERSAO_DO_ESQUEMA,
        consistenteEm: retrato.agora.toISOString(),
        apuracao: nome === 'faturas' ? { hoje: retrato.hoje, regras: provedor.regras } : null,
      };
      const lotes = lotesDe(retrato, nome, provedor, signal);
      arquivos.push(...(await escreverTabela({ armazem, threads, nomear }, tabela, lotes)));
    }
    return arquivos;
  }

  /** Written last: where it is, all that it names is. */
  async function gravarManifesto(nome: string, manifesto: Manifesto): Promise<ArquivoDoExtrato> {
    const texto = Buffer.from(`${JSON.stringify(manifesto, null, 1)}\n`);
    const saida = await armazem.create(nome);
    try {
      await saida.write(texto);
      await saida.close();
    } catch (error) {
      await saida.abort();
      throw error;
    }
    const sha256 = createHash('sha256').update(texto).digest('hex');
    return { nome: MANIFESTO, formato: 'json', linhas: null, bytes: texto.length, sha256 };
  }

  async function gravar(actor: Actor, provedorId: number, fazer: (w: Write) => Promise<void>): Promise<void> {
    await write(actor, provedorId, async (w) => {
      await fazer(w);
      w.touch(EXTRATOS_TAG);
    });
  }

  /** Removes what is in the day's folder and of none of these tries. */
  async function limpar(provedorId: number, id: number, menos: readonly (number | null)[]): Promise<void> {
    const pasta = pastaDoExtrato(provedorId, id);
    const ficam = menos.map((tentativa) => `${pasta}${tentativa}/`);
    const nomes = await armazem.list(pasta);
    await armazem.remove(nomes.filter((nome) => !ficam.some((inicio) => nome.startsWith(inicio))));
  }

  return {
    evento: 'extrato.gerado',

    async fazer(actor, provedor, dia, execucao) {
      const agora = relogio.agora();
      const tentativa = await write(actor, provedor.id, async (w) => {
        w.touch(EXTRATOS_TAG);
        return createGravacaoDeExtratos(w).comecar(dia, agora);
      });
      const { id } = tentativa;
      const desistir = async (): Promise<void> => {
        const nomes = await armazem.list(pastaDoExtrato(provedor.id, id));
        const daTentativa = nomeNoArmazem(provedor.id, tentativa, '');
        await armazem.remove(nomes.filter((nome) => nome.startsWith(daTentativa)));
        await gravar(actor, provedor.id, async (w) => createGravacaoDeExtratos(w).falhar(tentativa));
      };
      const passou = async (): Promise<boolean> =>
        write(actor, provedor.id, async (w) => createGravacaoDeExtratos(w).passou(tentativa));
      try {
        return await fotografar(
          { fonte: fonte(), agora: () => relogio.agora(), intervaloPadraoSegundos },
          provedor,
          async (retrato) => {
            await limpar(provedor.id, id, [tentativa.servida, tentativa.tentativa]);
            const tabelas = await extrair(provedor, tentativa, retrato, execucao);
            const consistenteEm = retrato.agora;
            const manifesto = await gravarManifesto(nomeNoArmazem(provedor.id, tentativa, MANIFESTO), {
              provedor_id: provedor.id,
              dia,
              versao_do_esquema: VERSAO_DO_ESQUEMA,
              consistente_em: consistenteEm.toISOString(),
              arquivos: tabelas,
            });
            const arquivos = [...tabelas, manifesto];
            return {
              linhas: tabelas.reduce(
                (soma, { formato, linhas }) => soma + (formato === 'parquet' ? (linhas ?? 0) : 0),
                0,
              ),
              async gravar(w: Write) {
                w.touch(EXTRATOS_TAG);
                return createGravacaoDeExtratos(w).concluir(tentativa, { consistenteEm, arquivos });
              },
              desistir,
              depois: async () => limpar(provedor.id, id, [tentativa.tentativa]),
            };
          },
        );
      } catch (error) {
        await desistir();
        if (!(await passou())) throw error;
        return PERDIDO;
      }
    },
  };
}
