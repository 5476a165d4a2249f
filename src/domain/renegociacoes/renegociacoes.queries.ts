import type { Data } from '../../brazil/calendario/datas.ts';
import { escreverDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Write } from '../escrita.ts';
import { COLUNAS_DA_TRAVADA } from '../recebimentos/recebimentos.types.ts';
import type { FaturaTravadaRow } from '../recebimentos/recebimentos.types.ts';
import { COLUNAS_DA_RENEGOCIACAO, COLUNAS_DO_MEMBRO } from './renegociacoes.types.ts';
import type { MembroRow, RenegociacaoRow } from './renegociacoes.types.ts';

interface CreditoRow {
  id: number;
  fatura_id: number;
  valor: string;
  origem_fatura_id: number;
}

const DO_CREDITO = columns<CreditoRow>('faturas_ajustes', {
  id: true,
  fatura_id: true,
  valor: true,
  origem_fatura_id: true,
});
const DO_EXCEDENTE = columns<{ fatura_id: number; valor: string }>('faturas_lancamentos', {
  fatura_id: true,
  valor: true,
});
const DE_QUEM = columns<{ cliente_id: number }>('renegociacoes', { cliente_id: true });
const AJUSTE = columns<{ id: number }>('faturas_ajustes', { id: true });

export function createRenegociacoesQueries(w: Write) {
  return {
    /** Invoices by id, locked until the transaction ends: those named, or all of a client that are overdue. */
    async travarFaturas(
      quais: { readonly ids: readonly number[] } | { readonly clienteId: number; readonly hoje: Data },
    ): Promise<FaturaTravadaRow[]> {
      const query = w.from('faturas').orderBy('id').forUpdate();
      if ('ids' in quais) query.whereIn('id', quais.ids);
      else query.where('cliente_id', quais.clienteId).where('grupo', 'aberta').where('vencimento', '<', quais.hoje);
      return rowsOf(query, COLUNAS_DA_TRAVADA);
    },

    async inserir(
      nova: Pick<RenegociacaoRow, 'cliente_id' | 'motivo'> & { devido: Centavos; desconto: Centavos },
      agora: Date,
    ): Promise<number> {
      return w.insert('renegociacoes', {
        ...nova,
        devido: escreverDinheiro(nova.devido),
        desconto: escreverDinheiro(nova.desconto),
        autor: w.author.name,
        criada_em: toDatabaseTime(agora),
      });
    },

    async inserirMembros(membros: readonly MembroRow[]): Promise<void> {
      await w.insert('renegociacoes_faturas', membros);
    },

    /** Whose an agreement is, without a lock: that never changes. */
    async clienteDe(id: number): Promise<number | undefined> {
      const [row] = await rowsOf(w.from('renegociacoes').where('id', id), DE_QUEM);
      return row?.cliente_id;
    },

    /** An agreement, locked until the transaction ends. */
    async travar(id: number): Promise<RenegociacaoRow | undefined> {
      const [row] = await rowsOf(w.from('renegociacoes').where('id', id).forUpdate(), COLUNAS_DA_RENEGOCIACAO);
      return row;
    },

    async membros(id: number): Promise<MembroRow[]> {
      const deles = w.from('renegociacoes_faturas').where('renegociacao_id', id).orderBy('id');
      return rowsOf(deles, COLUNAS_DO_MEMBRO);
    },

    async quebrar(id: number, motivo: string, agora: Date): Promise<void> {
      await w.update('renegociacoes', (q) => void q.where('id', id), {
        quebrada_em: toDatabaseTime(agora),
        quebrada_por: w.author.name,
        quebrada_motivo: motivo,
      });
    },

    /** What an agreement did to some invoices, in force. */
    async ajustesDoAcordo(id: number, faturaIds: readonly number[]): Promise<number[]> {
      const deles = w.from('faturas_ajustes').where('renegociacao_id', id).whereIn('fatura_id', faturaIds);
      return (await rowsOf(deles.whereNull('desfeito_em'), AJUSTE)).map((ajuste) => ajuste.id);
    },

    /** Credits of some invoices that are the surplus of some others. */
    async creditosEntre(faturaIds: readonly number[], origens: readonly number[]): Promise<CreditoRow[]> {
      const deles = w.from('faturas_ajustes').whereIn('fatura_id', faturaIds).whereIn('origem_fatura_id', origens);
      return rowsOf(deles.whereNull('desfeito_em'), DO_CREDITO);
    },

    async excedentes(faturaIds: readonly number[]): Promise<{ fatura_id: number; valor: string }[]> {
      const deles = w.from('faturas_lancamentos').whereIn('fatura_id', faturaIds).where('tipo', 'excedente');
      return rowsOf(deles, DO_EXCEDENTE);
    },

    /** Cancels invoices for an agreement, each with what its adjustments come to. */
    async cancelarPeloAcordo(
      faturas: readonly { readonly id: number; readonly abatido: Centavos }[],
      id: number,
      agora: Date,
    ): Promise<void> {
      const ids = faturas.map((fatura) => fatura.id);
      await w.updateEach('faturas', ids, {
        situacao: 'cancelada',
        cancelada_em: toDatabaseTime(agora),
        motivo: `Renegociação ${id}.`,
        motivo_codigo: 'renegociacao',
        abatido: faturas.map(({ abatido }) => escreverDinheiro(abatido)),
        valor_atualizado: null,
        apurada_em: null,
      });
    },

    /** Takes back that invoices were cancelled; what they are by now, a judgement says. */
    async descancelar(ids: readonly number[]): Promise<void> {
      const nada = { cancelada_em: null, motivo: null, motivo_codigo: null };
      await w.update('faturas', (q) => void q.whereIn('id', ids), nada);
    },
  };
}
