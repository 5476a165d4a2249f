import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Write } from '../../escrita.ts';
import { chamadosDoAviso } from '../../rede/avisos/chamados.service.ts';
import { quemPode } from '../../usuarios/quem-pode.service.ts';
import type { CategoriaChamado, ChamadoRow } from '../chamados.types.ts';

/** The instant of the last change that the staff sees, which is the version of a ticket at the panel. */
export const VERSAO_DO_CHAMADO =
  'GREATEST(chamados.atualizado_em, COALESCE(chamados.equipe_em, chamados.atualizado_em))';

/** What the staff writes of a ticket besides what everybody sees. */
interface DaEquipeRow {
  responsavel_id: number | null;
  agendado_minutos: number | null;
}

type ChamadoTravadoRow = Pick<
  ChamadoRow,
  'id' | 'cliente_id' | 'contrato_id' | 'situacao' | 'prioridade' | 'categoria' | 'solucao' | 'agendado_para'
> &
  DaEquipeRow & { versao: string };

export type ChamadoTravado = Readonly<ChamadoTravadoRow>;

const DO_CHAMADO = columns<ChamadoTravadoRow>('chamados', {
  id: true,
  cliente_id: true,
  contrato_id: true,
  situacao: true,
  prioridade: true,
  categoria: true,
  solucao: true,
  agendado_para: true,
  responsavel_id: true,
  agendado_minutos: true,
  versao: VERSAO_DO_CHAMADO,
});

const DO_ID = columns<{ id: number }>('chamados', { id: true });

export type Colunas = Partial<ChamadoRow & DaEquipeRow>;

interface Entrada {
  readonly acao: string;
  readonly descricao: string;
}

export function createEquipeQueries(w: Write) {
  return {
    /** The ticket, locked until the transaction ends. */
    async travarChamado(id: number): Promise<ChamadoTravado | undefined> {
      const [row] = await rowsOf(w.from('chamados').where('chamados.id', id).forUpdate(), DO_CHAMADO);
      return row;
    },

    /** Of these, the open ones, locked until the transaction ends, in the order of their ids. */
    async travarAbertos(ids: readonly number[]): Promise<ChamadoTravado[]> {
      const deles = w
        .from('chamados')
        .whereIn('chamados.id', [...ids])
        .where('chamados.em_aberto', 1);
      return rowsOf(deles.orderBy('chamados.id').forUpdate(), DO_CHAMADO);
    },

    /** Open tickets that a notice of the network is about, all or those of one category, by their ids, after one of them. */
    async doAviso(
      avisoId: number,
      categoria: CategoriaChamado | undefined,
      depoisDe: number,
      limite: number,
    ): Promise<number[]> {
      const deles = w.tenant
        .from('chamados', 'chamados_desde')
        .where('chamados.em_aberto', 1)
        .where('chamados.id', '>', depoisDe)
        .orderBy('chamados.id')
        .limit(limite);
      if (categoria !== undefined) void deles.where('chamados.categoria', categoria);
      chamadosDoAviso(w.tenant, deles, avisoId);
      return (await rowsOf(deles, DO_ID)).map(({ id }) => id);
    },

    /** The name of whoever may take tickets; null when there is no such user, or may not. */
    quemAtende: async (usuarioId: number): Promise<string | null> => quemPode(w, usuarioId, 'chamados.atender'),

    async inserir(linha: Omit<ChamadoRow, 'id' | 'solucao' | 'fechado_em' | 'agendado_para'>): Promise<number> {
      const doPainel = { origem: 'painel', aberto_por_usuario: w.author.usuarioId };
      return w.insert('chamados', { ...linha, ...doPainel, espera_equipe: 0, respondido_em: linha.aberto_em });
    },

    /**
     * Changes what others see too, and notes that the staff has answered. The clock is the server's, as in all that incremental readers
     * go by.
     */
    async mudarParaTodos(ids: number | readonly number[], colunas: Colunas, agora: string): Promise<void> {
      const { db } = w.tenant;
      const respondido_em = db.raw('COALESCE(respondido_em, ?)', [agora]);
      const dita = { espera_equipe: 0, respondido_em, atualizado_em: db.fn.now(3) };
      await w.update('chamados', (q) => void q.whereIn('id', [ids].flat()), { ...colunas, ...dita });
    },

    /** Changes what the staff alone sees: named, `atualizado_em` is not moved by the server, and v1 hears of no change. */
    async mudarParaAEquipe(ids: number | readonly number[], colunas: Colunas): Promise<void> {
      const { db } = w.tenant;
      const calada = { equipe_em: db.fn.now(3), atualizado_em: db.ref('atualizado_em') };
      await w.update('chamados', (q) => void q.whereIn('id', [ids].flat()), { ...colunas, ...calada });
    },

    /** Writes what reaches the staff alone. */
    async inserirNota(
      chamados: number | readonly number[],
      ocorrido_em: string,
      { acao, descricao }: Entrada,
    ): Promise<void> {
      const { name: autor, usuarioId: usuario_id } = w.author;
      await w.insert(
        'chamados_notas',
        [chamados].flat().map((chamado_id) => ({ chamado_id, autor, usuario_id, ocorrido_em, acao, descricao })),
      );
    },
  };
}
