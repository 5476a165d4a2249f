import { randomBytes } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import { TERMINAL, atorDaTarefa } from '../../../src/domain/actor.ts';
import type { Acao, Importacao } from '../../../src/domain/importacoes/importacoes.types.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

export const CHAVE_MESTRA = randomBytes(32).toString('hex');

/** Whatever an import may write, beside its own tables, the audit log and what triggers and the outbox note. */
export const TABELAS = [
  'app_documentos',
  'planos',
  'clientes',
  'clientes_telefones',
  'contratos',
  'contratos_historico',
  'desbloqueios_confianca',
  'faturas',
  'importacao_senhas',
  'radcheck',
  'radusergroup',
  'radgroupcheck',
  'rede_pedidos',
] as const;

export async function criarCenario(inicio = '2026-11-23T15:00:00Z') {
  const relogio = relogioEm(inicio);
  const api = await criarApi({ relogio, env: { MALHA_CHAVE_MESTRA: CHAVE_MESTRA } });
  const fabrica = criarFabrica(api.dono);
  const { importacoes, execucaoDeImportacoes } = api.container;

  /** Runs what was asked for, as a worker does. */
  async function trabalhar(provedor: number): Promise<void> {
    const signal = new AbortController().signal;
    const actor = atorDaTarefa('importacao.executar');
    await execucaoDeImportacoes.executarPedidas(actor, provedor, { signal, aoAvancar: () => {} });
  }

  async function fazer(
    provedor: number,
    id: number,
    acao: Acao,
    avisar = false,
    semSenha = false,
  ): Promise<Importacao> {
    await importacoes.pedir(TERMINAL, provedor, id, acao, { avisar, semSenha });
    await trabalhar(provedor);
    return importacoes.exigir(provedor, id);
  }

  const receber = async (provedor: number, conteudo: Buffer | string, dados: unknown = {}): Promise<Importacao> =>
    importacoes.criar(TERMINAL, provedor, emPedacos(Buffer.from(conteudo as string)), dados);

  /** Receives a file, maps it and writes it. */
  async function importar(
    provedor: number,
    conteudo: Buffer | string,
    mapa: object | null = null,
  ): Promise<Importacao> {
    const { id } = await receber(provedor, conteudo);
    if (mapa !== null) await importacoes.mapear(TERMINAL, provedor, id, mapa);
    return fazer(provedor, id, 'executar');
  }

  /** Checksums of tables. */
  async function somas(tabelas: readonly string[] = TABELAS): Promise<Record<string, unknown>> {
    const [linhas = []] = await api.dono.raw<{ Table: string; Checksum: unknown }[][]>('CHECKSUM TABLE ??', [
      tabelas as string[],
    ]);
    return Object.fromEntries(linhas.map(({ Table, Checksum }) => [Table, Checksum]));
  }

  const erros = async (provedor: number, id: number): Promise<string[]> => {
    const linhas: { linha: number; erros: string | object }[] = await api
      .dono('importacao_linhas')
      .where({ provedor_id: provedor, importacao_id: id, situacao: 'recusada' })
      .orderBy('linha')
      .select('linha', 'erros');
    return linhas.map(({ linha, erros: json }) => {
      const lidos = (typeof json === 'string' ? JSON.parse(json) : json) as { coluna: string; mensagem: string }[];
      return `${linha} ${lidos.map(({ coluna, mensagem }) => `${coluna}: ${mensagem}`).join('; ')}`;
    });
  };

  return { api, relogio, fabrica, importacoes, trabalhar, fazer, receber, importar, somas, erros };
}

export type Cenario = Awaited<ReturnType<typeof criarCenario>>;

/** In pieces that cut lines and characters anywhere. */
async function* emPedacos(bytes: Buffer, tamanho = 1009): AsyncGenerator<Buffer> {
  for (let n = 0; n < bytes.length; n += tamanho) yield bytes.subarray(n, n + tamanho);
}

export async function texto(linhas: AsyncIterable<string>): Promise<string> {
  const partes: string[] = [];
  for await (const linha of linhas) partes.push(linha);
  return partes.join('');
}

export async function contar(api: Api, tabela: string, onde: object): Promise<number> {
  const [linha] = await api.dono(tabela).where(onde).count({ n: '*' });
  return Number(linha?.['n']);
}

export function contagens(t: ExecutionContext, importacao: Importacao, esperadas: object): void {
  t.is(importacao.motivo, null);
  t.like(importacao.contagens, esperadas);
}
