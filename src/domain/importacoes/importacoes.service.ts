import path from 'node:path';
import { limparDigitado } from '../../brazil/pessoa/digitado.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { createTenantDb } from '../../platform/mysql/tenant.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Actor } from '../actor.ts';
import { lerCampos } from '../campos/campos.ts';
import { exigirCobrador } from '../cobradores/cobradores.service.ts';
import { EntradaInvalida, recusarSeNao } from '../erros.ts';
import type { WriteFor } from '../escrita.ts';
import type { ProvedoresService } from '../provedores/provedores.service.ts';
import { guardarParte, temArquivo } from './arquivo/arquivo.queries.ts';
import { receber } from './arquivo/recebimento.ts';
import { reconhecer } from './arquivo/reconhecimento.regras.ts';
import type { Dito } from './arquivo/reconhecimento.regras.ts';
import { conferir } from './conferencia.queries.ts';
import type { Conferencia } from './conferencia.queries.ts';
import { previstoNaRede } from './execucao/aplicar-rede.ts';
import type { PrevistoNaRede } from './execucao/aplicar-rede.ts';
import {
  buscarImportacao,
  listarImportacoes,
  proximaDepoisDasGravadas,
  travarImportacao,
} from './importacoes.queries.ts';
import { SEM_CONTAGENS } from './importacoes.types.ts';
import type { Acao, Contagens, Importacao, SituacaoDaImportacao } from './importacoes.types.ts';
import { CAMPOS_DA_LEITURA, conferirMapa, mudarMapa } from './mapa.campos.ts';
import { escreverDetalhes, escreverRecusadas } from './relatorio.ts';

export type ImportacoesService = ReturnType<typeof createImportacoesService>;

export interface ImportacoesDeps {
  readonly db: Db;
  readonly write: WriteFor;
  readonly relogio: Relogio;
  readonly segredos: Secrets;
  readonly provedores: Pick<ProvedoresService, 'exigirPorId'>;
}

/** A file that is coming in. */
interface Recebimento {
  readonly id: number;
  readonly entrada: AsyncIterable<Uint8Array | string>;
  readonly dito: Dito;
  readonly agora: Date;
}

const DIA_MS = 86_400_000;
const PRAZO_DE_DESFAZER_MS = DIA_MS;

/** From which states each action can be asked for. */
const DE: Readonly<Record<Acao, readonly SituacaoDaImportacao[]>> = {
  simular: ['nova', 'simulada'],
  executar: ['nova', 'simulada', 'em_execucao'],
  desfazer: ['em_execucao', 'executada', 'desfeita'],
  // Of one that was undone, what stayed.
  aplicar_rede: ['em_execucao', 'executada', 'desfeita'],
};

/** Files from other systems: taken in, mapped, and what is asked for of them. A job does it; see execucao/. */
export function createImportacoesService({ db, write, relogio, segredos, provedores }: ImportacoesDeps) {
  const tenantDe = async (provedorId: number) => {
    const provedor = await provedores.exigirPorId(provedorId);
    return { provedor, tenant: createTenantDb(db, provedorId) };
  };

  async function exigir(provedorId: number, id: number): Promise<Importacao> {
    const { tenant } = await tenantDe(provedorId);
    const importacao = await buscarImportacao(tenant, id);
    recusarSeNao(importacao, 'nao_encontrado', { campo: 'importacao' });
    return importacao;
  }

  async function terminarDeReceber(
    actor: Actor,
    provedorId: number,
    { id, entrada, dito, agora }: Recebimento,
  ): Promise<void> {
    const visto = await receber(entrada, async (parte, conteudo) =>
      write(actor, provedorId, async (w) => guardarParte(w, segredos, { importacaoId: id, parte, conteudo, agora })),
    );
    const { formato, tipo, leitura, colunas } = reconhecer(visto.amostra, visto.utf8, dito);
    const linhas = Math.max(0, visto.linhas - (leitura.cabecalho ? 1 : 0));
    await write(actor, provedorId, async (w) => {
      await w.update('importacoes', (q) => void q.where({ id }), {
        formato,
        tipo,
        leitura: JSON.stringify(leitura),
        mapa: JSON.stringify({ colunas }),
        bytes: visto.bytes,
        linhas,
        situacao: 'nova',
      });
      w.emit('importacao.criada', id, { formato, tipo, linhas });
    });
  }

  return {
    /**
     * Takes in a file, encrypted, and recognises what it is; `dados` says what is not to be recognised.
     *
     * @throws CamposInvalidos of the field, or of `arquivo` where it is no text in columns
     */
    async criar(
      actor: Actor,
      provedorId: number,
      entrada: AsyncIterable<Uint8Array | string>,
      dados: unknown = {},
    ): Promise<Importacao> {
      const { arquivo = 'arquivo.csv', ...lido } = lerCampos(CAMPOS_DA_LEITURA, dados);
      const dito = Object.fromEntries(Object.entries(lido).filter(([, valor]) => valor !== undefined)) as Dito;
      await tenantDe(provedorId);
      const agora = relogio.agora();
      const id = await write(actor, provedorId, async (w) =>
        w.insert('importacoes', {
          arquivo: limparDigitado(path.basename(arquivo)).slice(0, 255),
          formato: dito.formato ?? 'malha',
          tipo: dito.tipo ?? 'clientes',
          leitura: '{}',
          mapa: '{"colunas":{}}',
          situacao: 'recebendo',
          contagens: '{}',
          autor: w.author.name,
          criado_em: toDatabaseTime(agora),
        }),
      );
      try {
        await terminarDeReceber(actor, provedorId, { id, entrada, dito, agora });
      } catch (error) {
        // What cannot be read is not kept for days.
        await write(actor, provedorId, async (w) => {
          await w.delete('importacao_arquivos', (q) => void q.where({ importacao_id: id }));
          await w.delete('importacoes', (q) => void q.where({ id, situacao: 'recebendo' }));
        });
        throw error;
      }
      return exigir(provedorId, id);
    },

    exigir,

    async listar(provedorId: number, limite: number): Promise<Importacao[]> {
      const { tenant } = await tenantDe(provedorId);
      const todas = await listarImportacoes(tenant, limite);
      return todas.filter(({ situacao }) => situacao !== 'recebendo');
    },

    /** Changes what the columns are, and what holds for all lines. @throws CamposInvalidos, or Recusa once lines are written */
    async mapear(actor: Actor, provedorId: number, id: number, dados: unknown): Promise<Importacao> {
      await exigir(provedorId, id);
      await write(actor, provedorId, async (w) => {
        const atual = await travarImportacao(w, id);
        recusarSeNao(atual, 'nao_encontrado');
        recusarSeNao(atual.acao === null, 'importacao_em_andamento');
        recusarSeNao(DE.simular.includes(atual.situacao), 'importacao_ja_executada');
        const mapa = mudarMapa(atual.mapa, dados, atual.tipo, atual.leitura);
        if (typeof mapa.cobrador === 'number') await exigirCobrador(w, mapa.cobrador);
        await w.update('importacoes', (q) => void q.where({ id }), { mapa: JSON.stringify(mapa) });
        w.emit('importacao.mapeada', id, { campos: Object.keys(dados as object) });
      });
      return exigir(provedorId, id);
    },

    /**
     * Asks for an action, which a job then does. Asked for again while it waits or goes on, it is the same.
     *
     * @param opcoes `semSenha`: also where active logins go to the network without a password.
     * @throws Recusa where the import is not there yet, is past it, or does something else
     */
    async pedir(
      actor: Actor,
      provedorId: number,
      id: number,
      acao: Acao,
      { avisar = false, semSenha = false }: { avisar?: boolean; semSenha?: boolean } = {},
    ): Promise<Importacao> {
      const { tenant } = await tenantDe(provedorId);
      const agora = relogio.agora();
      const vista = await exigir(provedorId, id);
      const precisaDoArquivo = acao === 'simular' || acao === 'executar';
      if (precisaDoArquivo && !(await temArquivo(tenant, vista.id))) {
        throw new EntradaInvalida(`importacao: o arquivo de ${id} já foi apagado; guarda-se por 7 dias`);
      }
      if (acao === 'aplicar_rede' && !semSenha && vista.acao !== acao) {
        const { semSenha: quantos } = await previstoNaRede(tenant, id);
        recusarSeNao(quantos === 0, 'importacao_sem_senhas');
      }
      await write(actor, provedorId, async (w) => {
        const atual = await travarImportacao(w, id);
        recusarSeNao(atual, 'nao_encontrado');
        if (atual.acao === acao) return;
        recusarSeNao(atual.acao === null, 'importacao_em_andamento');
        const pode = DE[acao].includes(atual.situacao);
        recusarSeNao(pode, precisaDoArquivo ? 'importacao_ja_executada' : 'importacao_nao_executada');
        if (precisaDoArquivo) conferirMapa(atual.mapa, atual.tipo);
        if (acao === 'desfazer') {
          const desde = atual.iniciadaEm?.getTime() ?? 0;
          recusarSeNao(agora.getTime() - desde <= PRAZO_DE_DESFAZER_MS, 'importacao_antiga');
        }
        await w.update('importacoes', (q) => void q.where({ id }), {
          acao,
          motivo: null,
          ...comeco(atual, acao, avisar, await proximaDepoisDasGravadas(w, id)),
        });
        w.emit('importacao.pedida', id, { acao, avisar: acao === 'executar' && avisar });
      });
      return exigir(provedorId, id);
    },

    /** What applying it to the network would do, by now, and how many days ago its first line was written. */
    async previstoNaRede(provedorId: number, id: number): Promise<PrevistoNaRede & { readonly dias: number }> {
      const { tenant } = await tenantDe(provedorId);
      const { iniciadaEm } = await exigir(provedorId, id);
      const agora = relogio.agora().getTime();
      const dias = Math.floor((agora - (iniciadaEm?.getTime() ?? agora)) / DIA_MS);
      return { ...(await previstoNaRede(tenant, id)), dias };
    },

    /** The refused lines as a CSV that can be mended, with what is wrong of each; without passwords. */
    async *recusadas(provedorId: number, id: number): AsyncGenerator<string> {
      const { provedor } = await tenantDe(provedorId);
      yield* escreverRecusadas(await exigir(provedorId, id), { db, segredos, relogio, provedor });
    },

    /** Everything that is to be said of lines: refused, changed in reading, and what could not be undone. */
    async *detalhes(provedorId: number, id: number): AsyncGenerator<string> {
      const { provedor } = await tenantDe(provedorId);
      yield* escreverDetalhes(await exigir(provedorId, id), { db, segredos, relogio, provedor });
    },

    /** Sums of the provider's tables, to be held against the other system's. */
    async conferir(provedorId: number): Promise<Conferencia> {
      const { provedor, tenant } = await tenantDe(provedorId);
      return conferir(tenant, provedor, relogio.agora());
    },
  };
}

/** Where an action begins: a run that was cut off goes on after its last line, whatever was done in between; all others begin anew. */
function comeco(
  { situacao, contagens }: Importacao,
  acao: Acao,
  avisar: boolean,
  seguinte: number,
): Record<string, unknown> {
  const doComeco = { proxima_linha: 0, contagens: JSON.stringify(SEM_CONTAGENS) };
  if (acao === 'simular') return doComeco;
  if (acao === 'executar')
    return situacao === 'em_execucao' ? { proxima_linha: seguinte } : { ...doComeco, avisar: avisar ? 1 : 0 };
  const daAcao: Partial<Contagens> = acao === 'desfazer' ? { desfeitas: 0, ficaram: 0 } : { acessos: 0 };
  return { proxima_linha: 0, contagens: JSON.stringify({ ...contagens, ...daAcao }) };
}
