import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { apagarAcesso } from '../../acessos/alcance.service.ts';
import type { Write } from '../../escrita.ts';
import { ACAO_DA_IMPORTACAO } from '../lotes/clientes.gravar.ts';
import type { Impressa } from '../lotes/faturas.lote.ts';
import type { Leitor } from '../lotes/lote.types.ts';

export interface LinhaGravadaRow {
  linha: number;
  plano_id: number | null;
  cliente_id: number | null;
  cliente_novo: number;
  contrato_id: number | null;
  fatura_id: number | null;
  impressao: Buffer | null;
  gravada_em: string;
  rede_em: string | null;
}

const LINHA = columns<LinhaGravadaRow>('importacao_linhas', {
  linha: true,
  plano_id: true,
  cliente_id: true,
  cliente_novo: true,
  contrato_id: true,
  fatura_id: true,
  impressao: true,
  gravada_em: true,
  rede_em: true,
});

/** Lines that made something, before one of them, the last first. */
export async function ultimasGravadas(
  leitor: Leitor,
  id: number,
  antesDe: number,
  limite: number,
): Promise<LinhaGravadaRow[]> {
  const linhas = leitor
    .from('importacao_linhas')
    .where({ importacao_id: id, situacao: 'gravada' })
    .where('linha', '<', antesDe);
  return rowsOf(linhas.orderBy('linha', 'desc').limit(limite), LINHA);
}

interface ComData {
  id: number;
  atualizado_em: string;
}

const CLIENTE = columns<ComData & { cpf_cnpj: string }>('clientes', { id: true, atualizado_em: true, cpf_cnpj: true });
const CONTRATO = columns<ComData & { cliente_id: number }>('contratos', {
  id: true,
  atualizado_em: true,
  cliente_id: true,
});
const FATURA = columns<Impressa & { id: number }>('faturas', {
  id: true,
  cliente_id: true,
  contrato_id: true,
  situacao: true,
  valor: true,
  valor_pago: true,
  abatido: true,
  vencimento: true,
  descricao: true,
  tipo: true,
  linha_digitavel: true,
  nosso_numero: true,
  pix_txid: true,
  codigo_externo: true,
  cobrador_id: true,
});
const PLANO = columns<{ id: number; atualizado_em: string | null }>('planos', { id: true, atualizado_em: true });
const TELEFONE = columns<{ cliente_id: number; numero: string }>('clientes_telefones', {
  cliente_id: true,
  numero: true,
});
const DOCUMENTO = columns<{ cpf_cnpj: string }>('clientes', { cpf_cnpj: true });
const HISTORIA = columns<{ contrato_id: number }>('contratos_historico', { contrato_id: true });

/**
 * What points to a row: tables and columns of all foreign keys but those whose rows an import makes along with it, which go with it, and
 * of what is computed from elsewhere. A test holds this against the schema.
 */
export const APONTAM = {
  planos: [
    ['contratos', 'plano_id'],
    ['convites', 'plano_id'],
    ['planos_alteracoes', 'plano_id'],
    ['nfcom_partes', 'plano_id'],
  ],
  clientes: [
    ['contratos', 'cliente_id'],
    ['faturas', 'cliente_id'],
    ['chamados', 'cliente_id'],
    ['convites', 'cliente_id'],
    ['carnes', 'cliente_id'],
    ['renegociacoes', 'cliente_id'],
    ['nfcom', 'cliente_id'],
    ['nfcom_clientes', 'cliente_id'],
    ['atendimentos', 'cliente_id'],
    ['promessas_pagamento', 'cliente_id'],
    ['regua_passos', 'cliente_id'],
    ['regua_pausas', 'cliente_id'],
  ],
  contratos: [
    ['faturas', 'contrato_id'],
    ['chamados', 'contrato_id'],
    ['atendimentos', 'contrato_id'],
    ['promessas_pagamento', 'contrato_id'],
    ['regua_passos', 'contrato_id'],
    ['regua_pausas', 'contrato_id'],
    ['rede_pedidos', 'contrato_id'],
    ['rede_desconexoes', 'contrato_id'],
    ['nfcom_partes', 'contrato_id'],
    ['contratos_itens', 'contrato_id'],
    ['faturamento_cobrancas', 'contrato_id'],
    // Without a foreign key: what is kept by law names whom it was of.
    ['registros_conexao', 'contrato_id'],
  ],
  faturas: [
    ['pix_recebidos', 'fatura_id'],
    ['boletos', 'fatura_id'],
    ['boletos_recebidos', 'fatura_id'],
    ['devolucoes_pedidas', 'fatura_id'],
    ['faturas_lancamentos', 'fatura_id'],
    ['faturas_ajustes', 'fatura_id'],
    ['faturas_ajustes', 'origem_fatura_id'],
    ['recebimentos_manuais', 'fatura_id'],
    ['renegociacoes_faturas', 'fatura_id'],
    ['desbloqueios_confianca', 'fatura_causa_id'],
    ['regua_passos', 'fatura_id'],
    ['nfcom', 'fatura_id'],
    ['faturamento_cobrancas', 'fatura_id'],
    ['psp_cobrancas', 'fatura_id'],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly [tabela: string, coluna: string])[]>>;

/** What goes with a row: its own parts, and what is computed of it. In the order in which it can be deleted. */
export const VAO_JUNTO = {
  clientes: [
    ['clientes_emails_anteriores', 'cliente_id'],
    ['clientes_palavras', 'cliente_id'],
    ['clientes_telefones', 'cliente_id'],
    ['correio_pedidos', 'cliente_id'],
  ],
  contratos: [
    ['contratos_historico', 'contrato_id'],
    ['desbloqueios_confianca', 'contrato_id'],
    ['conexoes', 'contrato_id'],
    ['quedas_diarias', 'contrato_id'],
    ['trafego_diario', 'contrato_id'],
    ['importacao_senhas', 'contrato_id'],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly [tabela: string, coluna: string])[]>>;

export function createDesfazerQueries(w: Write) {
  return {
    clientes: async (ids: readonly number[]) =>
      ids.length === 0
        ? []
        : rowsOf(
            w
              .from('clientes')
              .whereIn('id', [...ids])
              .orderBy('id')
              .forUpdate(),
            CLIENTE,
          ),
    contratos: async (ids: readonly number[]) =>
      ids.length === 0
        ? []
        : rowsOf(
            w
              .from('contratos')
              .whereIn('id', [...ids])
              .orderBy('id')
              .forUpdate(),
            CONTRATO,
          ),
    faturas: async (ids: readonly number[]) =>
      ids.length === 0
        ? []
        : rowsOf(
            w
              .from('faturas')
              .whereIn('id', [...ids])
              .orderBy('id')
              .forUpdate(),
            FATURA,
          ),
    planos: async (ids: readonly number[]) =>
      ids.length === 0
        ? []
        : rowsOf(
            w
              .from('planos')
              .whereIn('id', [...ids])
              .orderBy('id')
              .forUpdate(),
            PLANO,
          ),

    telefones: async (clientes: readonly number[]) =>
      clientes.length === 0 ? [] : rowsOf(w.from('clientes_telefones').whereIn('cliente_id', [...clientes]), TELEFONE),

    /** Of these rows, those that others point to. */
    async apontados(tabela: keyof typeof APONTAM, ids: readonly number[]): Promise<Set<number>> {
      const achados = new Set<number>();
      if (ids.length === 0) return achados;
      for (const [de, coluna] of APONTAM[tabela]) {
        const apontam = w
          .from(de)
          .whereIn(coluna, [...ids])
          .distinct();
        for (const { id } of await rowsOf(apontam, columns<{ id: number }>(de, { id: `${de}.${coluna}` })))
          achados.add(id);
      }
      return achados;
    },

    /** Tax ids of clients, before anything is locked: those come first. */
    async documentosDe(clientes: readonly number[]): Promise<string[]> {
      if (clientes.length === 0) return [];
      const rows = await rowsOf(w.from('clientes').whereIn('id', [...clientes]), DOCUMENTO);
      return rows.map(({ cpf_cnpj: documento }) => documento);
    },

    /** Of these clients, those to whom more points than these contracts. */
    async comMaisQue(clientes: readonly number[], contratos: readonly number[]): Promise<Set<number>> {
      const achados = new Set<number>();
      if (clientes.length === 0) return achados;
      for (const [de, coluna] of APONTAM.clientes) {
        const apontam = w
          .from(de)
          .whereIn(coluna, [...clientes])
          .distinct();
        if (de === 'contratos') void apontam.whereNotIn('id', [...contratos]);
        for (const { id } of await rowsOf(apontam, columns<{ id: number }>(de, { id: `${de}.${coluna}` })))
          achados.add(id);
      }
      return achados;
    },

    /** Contracts of whose history there is more than that they came in. */
    async comHistoria(contratos: readonly number[]): Promise<Set<number>> {
      if (contratos.length === 0) return new Set();
      const linhas = w
        .from('contratos_historico')
        .whereIn('contrato_id', [...contratos])
        .where('acao', '<>', ACAO_DA_IMPORTACAO);
      return new Set((await rowsOf(linhas.distinct(), HISTORIA)).map(({ contrato_id: id }) => id));
    },

    async apagar(tabela: 'planos' | 'clientes' | 'contratos' | 'faturas', ids: readonly number[]): Promise<void> {
      if (ids.length === 0) return;
      const partes = tabela === 'clientes' || tabela === 'contratos' ? VAO_JUNTO[tabela] : [];
      for (const [de, coluna] of partes) await w.delete(de, (q) => void q.whereIn(coluna, [...ids]));
      await w.delete(tabela, (q) => void q.whereIn('id', [...ids]));
    },

    /** Forgets tax ids that no client has any more, with their access to the app. */
    async esquecerDocumentos(documentos: readonly string[]): Promise<void> {
      if (documentos.length === 0) return;
      const ficam = await rowsOf(w.from('clientes').whereIn('cpf_cnpj', [...documentos]), DOCUMENTO);
      const vivos = new Set(ficam.map(({ cpf_cnpj: documento }) => documento));
      const vao = documentos.filter((documento) => !vivos.has(documento));
      for (const documento of vao) await apagarAcesso(w, documento);
      if (vao.length > 0) await w.delete('app_documentos', (q) => void q.whereIn('cpf_cnpj', vao));
    },
  };
}
