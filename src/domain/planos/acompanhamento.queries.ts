import { ID, columns, rowsOf } from '../../platform/mysql/columns.ts';
import type { SituacaoContrato } from '../contratos/contratos.types.ts';
import type { Write } from '../escrita.ts';

interface AlteracaoRow {
  id: number;
  plano_id: number;
  valor_de: string | null;
  valor_para: string | null;
  grupo_de: string | null;
  grupo_para: string | null;
  rede: number;
  depois_de: number;
  ate_contrato_id: number;
  autor: string;
}

const DA_ALTERACAO = columns<AlteracaoRow>('planos_alteracoes', {
  id: true,
  plano_id: true,
  valor_de: true,
  valor_para: true,
  grupo_de: true,
  grupo_para: true,
  rede: true,
  depois_de: true,
  ate_contrato_id: true,
  autor: true,
});

interface ContratoDoPlanoRow {
  id: number;
  cliente_id: number;
  situacao: SituacaoContrato;
  valor: string;
  login: string | null;
}

const DO_CONTRATO = columns<ContratoDoPlanoRow>('contratos', {
  id: true,
  cliente_id: true,
  situacao: true,
  valor: true,
  login: true,
});

export function createAcompanhamentoQueries(w: Write) {
  return {
    /** The oldest change, locked: changes of one plan are told in the order in which they were made. */
    async maisAntiga(): Promise<AlteracaoRow | undefined> {
      const alteracoes = w.from('planos_alteracoes').orderBy('id').limit(1).forUpdate();
      const [row] = await rowsOf(alteracoes, DA_ALTERACAO);
      return row;
    },

    /** The next contracts that a change has to be told, locked. */
    async travarContratos(
      { plano_id, depois_de, ate_contrato_id }: AlteracaoRow,
      limite: number,
    ): Promise<ContratoDoPlanoRow[]> {
      const contratos = w
        .from('contratos')
        .where({ plano_id })
        .where('id', '>', depois_de)
        .where('id', '<=', ate_contrato_id)
        .orderBy('id')
        .limit(limite)
        .forUpdate();
      return rowsOf(contratos, DO_CONTRATO);
    },

    async gravarValor(
      ids: readonly number[],
      valor: string,
      historico: {
        readonly descricao: string;
        readonly autor: string;
        readonly ocorrido_em: string;
        readonly valor_de: string | null;
      },
    ): Promise<void> {
      if (ids.length === 0) return;
      await w.update('contratos', (q) => void q.whereIn('id', ids), { valor });
      await w.insert(
        'contratos_historico',
        ids.map((contrato_id) => ({ contrato_id, acao: 'alteracao', ...historico, valor_para: valor })),
      );
    },

    async avancar(id: number, depois_de: number): Promise<void> {
      await w.update('planos_alteracoes', (q) => void q.where({ id }), { depois_de });
    },

    async concluir(id: number): Promise<void> {
      await w.delete('planos_alteracoes', (q) => void q.where({ id }));
    },
  };
}

const DO_GRUPO = columns<{ grupo_de: string; grupo_para: string }>('planos_alteracoes', {
  grupo_de: true,
  grupo_para: true,
});

export function createMudancasDeGrupoQueries(w: Write) {
  return {
    /** Changes of a plan's group that not all its contracts have been told of, oldest first; there come no more until the transaction ends. */
    async porContar(planoId: number): Promise<{ grupo_de: string; grupo_para: string }[]> {
      await rowsOf(w.from('planos').where({ id: planoId }).forShare(), ID);
      const mudancas = w.from('planos_alteracoes').where('plano_id', planoId).whereNotNull('grupo_de').orderBy('id');
      return rowsOf(mudancas, DO_GRUPO);
    },
  };
}
