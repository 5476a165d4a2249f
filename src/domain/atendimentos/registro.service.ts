import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { recusarSeNao } from '../erros.ts';
import type { Write } from '../escrita.ts';
import type { ProtocolosService } from '../protocolos/protocolos.service.ts';
import type { NovoAtendimento } from './atendimentos.types.ts';

export type RegistroDeAtendimentosService = ReturnType<typeof createRegistroDeAtendimentosService>;

const DO_CLIENTE = columns<{ id: number }>('clientes', { id: true });
const DO_CONTRATO = columns<{ cliente_id: number }>('contratos', { cliente_id: true });

/** Contacts that somebody notes, such as a chatbot's conversation. */
export function createRegistroDeAtendimentosService({
  w,
  protocolos,
}: {
  readonly w: Write;
  readonly protocolos: ProtocolosService;
}) {
  /** The holder of the contract, where nobody says whose the contact is. */
  async function donoDe({ clienteId, contratoId }: NovoAtendimento): Promise<number | null> {
    if (clienteId !== null) {
      const [cliente] = await rowsOf(w.from('clientes').where('clientes.id', clienteId).forShare(), DO_CLIENTE);
      recusarSeNao(cliente, 'nao_encontrado');
    }
    if (contratoId === null) return clienteId;
    const [contrato] = await rowsOf(w.from('contratos').where('contratos.id', contratoId).forShare(), DO_CONTRATO);
    recusarSeNao(
      contrato !== undefined && (clienteId ?? contrato.cliente_id) === contrato.cliente_id,
      'contrato_invalido',
    );
    return contrato.cliente_id;
  }

  return {
    /**
     * Notes a contact; resolves to its protocol.
     *
     * @throws Recusa `nao_encontrado` (the client) or `contrato_invalido`.
     */
    async registrar(novo: NovoAtendimento): Promise<string> {
      const { contratoId, canal, assunto, resumo } = novo;
      const clienteId = await donoDe(novo);
      const protocolo = await protocolos.proximo();
      const id = await protocolos.registrar(protocolo, {
        tipo: 'contato',
        clienteId,
        contratoId,
        canal,
        assunto,
        resumo,
      });
      w.emit('atendimento.registrado', id, { cliente: clienteId, contrato: contratoId, canal });
      return protocolo;
    },
  };
}
