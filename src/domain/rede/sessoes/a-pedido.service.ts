import { ID, columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import { contratoTag } from '../../tags.ts';
import type { ProtocolosService } from '../../protocolos/protocolos.service.ts';
import { encerrarSessoesDe, ultimosPedidos } from '../pedir.ts';

export type DesconexoesService = ReturnType<typeof createDesconexoesService>;

/** A line takes a while to be built anew: who ends it over and over keeps the subscriber offline. */
const ESPERA_MS = 120_000;

const DE_QUEM = columns<{ id: number; cliente_id: number }>('contratos', { id: true, cliente_id: true });

export interface DesconexoesDeps {
  readonly w: Write;
  readonly relogio: Relogio;
  readonly protocolos: ProtocolosService;
}

export interface DesconexaoPedida {
  /** By which it is done; its outcome `fichas.rede` tells. */
  readonly pedidoId: number;
  readonly sessoes: number;
  /** What the subscriber can name. */
  readonly protocolo: string;
}

/** Sessions as staff or their programs end them; a worker tells the NAS. */
export function createDesconexoesService({ w, relogio, protocolos }: DesconexoesDeps) {
  return {
    /**
     * Has the open sessions of a contract ended, so that its line is built anew; its rights stay as they are.
     *
     * @param motivo stays with the contact, and in no event
     * @throws Recusa `nao_encontrado`, `contrato_offline`, or `desconexao_recente` within two minutes of the last time
     */
    async desconectar(contratoId: number, motivo: string | null = null): Promise<DesconexaoPedida> {
      // Its lock: of two at once the second sees what the first asked for.
      const [contrato] = await rowsOf(w.from('contratos').where('id', contratoId).forUpdate(), DE_QUEM);
      recusarSeNao(contrato, 'nao_encontrado');
      const agora = relogio.agora();
      const desde = toDatabaseTime(new Date(agora.getTime() - ESPERA_MS));
      const recentes = w
        .from('rede_desconexoes')
        .where('contrato_id', contratoId)
        .where('criado_em', '>', desde)
        .whereNull('alterar_para');
      recusarSeNao((await rowsOf(recentes.limit(1), ID)).length === 0, 'desconexao_recente');
      await encerrarSessoesDe(w, [contratoId], agora);
      const pedidoId = (await ultimosPedidos(w, [contratoId])).get(contratoId);
      const pedidas =
        pedidoId === undefined
          ? []
          : await rowsOf(w.from('rede_desconexoes').where({ contrato_id: contratoId, pedido_id: pedidoId }), ID);
      recusarSeNao(pedidoId !== undefined && pedidas.length > 0, 'contrato_offline');
      const protocolo = await protocolos.proximo();
      const deQuem = { clienteId: contrato.cliente_id, contratoId };
      await protocolos.registrar(protocolo, { tipo: 'desconexao', ...deQuem, pedidoId, motivo });
      // What became of a trust unblock is read of the sessions that are asked for last.
      w.touch(contratoTag(contratoId));
      w.emit('conexao.desconectada', contratoId, { pedido: pedidoId, sessoes: pedidas.length });
      return { pedidoId, sessoes: pedidas.length, protocolo };
    },
  };
}
