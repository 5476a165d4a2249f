import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import type { SituacaoCliente } from '../clientes/clientes.types.ts';
import type { ChamadoRow } from './chamados.types.ts';
import type { Colunas } from './equipe/equipe.queries.ts';
import type { Write } from '../escrita.ts';
import { tocarSino } from '../notificacoes/toque.service.ts';

type ChamadoTravadoRow = Pick<
  ChamadoRow,
  'id' | 'cliente_id' | 'contrato_id' | 'situacao' | 'prioridade' | 'solucao' | 'agendado_para'
> & { responsavel_id: number | null; agendado_minutos: number | null };

export type ChamadoTravado = Readonly<ChamadoTravadoRow>;

const DO_CHAMADO = columns<ChamadoTravadoRow>('chamados', {
  id: true,
  cliente_id: true,
  contrato_id: true,
  situacao: true,
  prioridade: true,
  solucao: true,
  agendado_para: true,
  responsavel_id: true,
  agendado_minutos: true,
});
const DO_CLIENTE = columns<{ situacao: SituacaoCliente }>('clientes', { situacao: true });
const DO_CONTRATO = columns<{ cliente_id: number }>('contratos', { cliente_id: true });

export function createAtendimentoQueries(w: Write) {
  const doAssinante = w.author.kind === 'assinante';
  return {
    /** The client, who stays as it is until the transaction ends. */
    async travarCliente(id: number): Promise<{ situacao: SituacaoCliente } | undefined> {
      const [row] = await rowsOf(w.from('clientes').where('clientes.id', id).forShare(), DO_CLIENTE);
      return row;
    },

    /** Whose contract it is, until the transaction ends; undefined when this tenant has none of that id. */
    async travarDonoDoContrato(id: number): Promise<number | undefined> {
      const [row] = await rowsOf(w.from('contratos').where('contratos.id', id).forShare(), DO_CONTRATO);
      return row?.cliente_id;
    },

    /** The ticket, locked until the transaction ends. */
    async travarChamado(id: number): Promise<ChamadoTravado | undefined> {
      const [row] = await rowsOf(w.from('chamados').where('chamados.id', id).forUpdate(), DO_CHAMADO);
      return row;
    },

    async inserir(
      linha: Omit<ChamadoRow, 'id' | 'solucao' | 'fechado_em' | 'agendado_para'> & Colunas,
    ): Promise<number> {
      return w.insert('chamados', { ...linha, origem: doAssinante ? 'app' : 'api' });
    },

    async mudar(id: number, colunas: Colunas, agora: string): Promise<void> {
      const { db } = w.tenant;
      // A comment changes no column, yet the ticket is to be read again by who reads what changed.
      const atualizado_em = db.fn.now(3);
      // Where somebody who is not of the staff said something, it is the staff's turn.
      const vez =
        w.author.kind === 'usuario'
          ? { espera_equipe: 0, respondido_em: db.raw('COALESCE(respondido_em, ?)', [agora]) }
          : { espera_equipe: 1 };
      await w.update('chamados', (q) => void q.where('id', id), { ...colunas, ...vez, atualizado_em });
    },

    /** Tells the provider's staff of a ticket that came through the API or the app. */
    async avisarEquipe(chamadoId: number, agora: Date): Promise<void> {
      const origem = doAssinante ? 'App' : 'API';
      await tocarSino(w, [{ tipo: 'chamado.novo', origem, recurso: 'chamado', recursoId: chamadoId }], agora);
    },
  };
}
