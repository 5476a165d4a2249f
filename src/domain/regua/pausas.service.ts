import { hojeEm } from '../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { exigido, lerCampos, opcional } from '../campos/campos.ts';
import { data, ouNulo, simOuNao, texto } from '../campos/leitores.ts';
import { Recusa, faltaEm, recusarSeNao } from '../erros.ts';
import type { Write } from '../escrita.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { clienteTag } from '../tags.ts';

export type PausasDaReguaService = ReturnType<typeof createPausasDaReguaService>;

const CAMPOS_DA_PAUSA = {
  motivo: exigido(texto(3, 500)),
  ate: opcional(ouNulo(data)),
  so_bloqueio: opcional(simOuNao),
} as const;

const DO_CONTRATO = columns<{ cliente_id: number }>('contratos', { cliente_id: true });
const DO_CLIENTE = columns<{ id: number }>('clientes', { id: true });
const DA_PAUSA = columns<{ cliente_id: number; contrato_id: number | null; encerrada_em: string | null }>(
  'regua_pausas',
  { cliente_id: true, contrato_id: true, encerrada_em: true },
);

/** For whom the ladder stands still. */
export function createPausasDaReguaService({
  w,
  provedor,
  relogio,
}: {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}) {
  async function gravar(clienteId: number, contratoId: number | null, dados: unknown): Promise<number> {
    const { motivo, ate = null, so_bloqueio: soBloqueio = false } = lerCampos(CAMPOS_DA_PAUSA, dados);
    const agora = relogio.agora();
    if (ate !== null && ate < hojeEm(provedor.fusoHorario, agora)) faltaEm('ate', 'já passou');
    const id = await w.insert('regua_pausas', {
      cliente_id: clienteId,
      contrato_id: contratoId,
      so_bloqueio: soBloqueio ? 1 : 0,
      ate,
      motivo,
      autor: w.author.name,
      criada_em: toDatabaseTime(agora),
    });
    w.touch(clienteTag(clienteId));
    w.emit('regua.pausada', id, { cliente: clienteId, contrato: contratoId });
    return id;
  }

  return {
    /**
     * Has the ladder stand still for a contract: of all that it says and does, or (`so_bloqueio`) of blocks and rescissions alone; up to a
     * day, or until somebody ends it.
     *
     * @param doCliente whose it must be, where whoever asks is on a client's page.
     * @throws CamposInvalidos; Recusa `nao_encontrado`
     */
    async pausarContrato(contratoId: number, dados: unknown, doCliente?: number): Promise<number> {
      const [contrato] = await rowsOf(w.from('contratos').where('id', contratoId), DO_CONTRATO);
      recusarSeNao(contrato, 'nao_encontrado');
      recusarSeNao(doCliente === undefined || contrato.cliente_id === doCliente, 'nao_encontrado');
      return gravar(contrato.cliente_id, contratoId, dados);
    },

    /** The same for all that is a client's. */
    async pausarCliente(clienteId: number, dados: unknown): Promise<number> {
      const [cliente] = await rowsOf(w.from('clientes').where('id', clienteId), DO_CLIENTE);
      recusarSeNao(cliente, 'nao_encontrado');
      return gravar(clienteId, null, dados);
    },

    /** Ends a pause. @returns whose it was @throws Recusa `nao_encontrado`, `transicao_invalida` where it is over already */
    async retomar(id: number): Promise<{ readonly clienteId: number }> {
      const [pausa] = await rowsOf(w.from('regua_pausas').where({ id }).forUpdate(), DA_PAUSA);
      recusarSeNao(pausa, 'nao_encontrado');
      if (pausa.encerrada_em !== null) throw new Recusa('transicao_invalida', { dito: 'a pausa já acabou' });
      const encerrada_em = toDatabaseTime(relogio.agora());
      await w.update('regua_pausas', (q) => void q.where({ id }), { encerrada_em, encerrada_por: w.author.name });
      const { cliente_id: cliente, contrato_id: contrato } = pausa;
      w.touch(clienteTag(cliente));
      w.emit('regua.retomada', id, { cliente, contrato });
      return { clienteId: cliente };
    },
  };
}
