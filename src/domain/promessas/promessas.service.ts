import { hojeEm, somarDias } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { ID, columns, rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { recusarSeNao } from '../erros.ts';
import type { Write } from '../escrita.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { clienteTag, contratoTag } from '../tags.ts';
import { devidas, jaPrometidas, quebradas } from './divida.queries.ts';
import { COLUNAS_DA_PROMESSA } from './promessas.types.ts';
import type { Promessa } from './promessas.types.ts';

export type PromessasService = ReturnType<typeof createPromessasService>;

interface PromessasDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}

const DO_CONTRATO = columns<{ cliente_id: number }>('contratos', { cliente_id: true });

/** Promises of payment; the rules and their order are those of `decisions.md`, "Promises of payment". */
export function createPromessasService({ w, provedor, relogio }: PromessasDeps) {
  const { promessaDias } = provedor.regras;

  return {
    /**
     * Notes that a subscriber promised to pay by a day what a contract owes. Nothing is released by it.
     *
     * @throws Recusa `nao_encontrado`, `promessa_desabilitada`, `promessa_fora_do_prazo`, `nada_a_pagar`, `promessa_ativa` or
     * `fatura_anterior_em_aberto`.
     */
    async registrar(contratoId: number, data: Data): Promise<Promessa> {
      // Its lock: of two at once the second sees the first one's promise.
      const [contrato] = await rowsOf(w.from('contratos').where('contratos.id', contratoId).forUpdate(), DO_CONTRATO);
      recusarSeNao(contrato, 'nao_encontrado');
      recusarSeNao(promessaDias > 0, 'promessa_desabilitada');
      const agora = relogio.agora();
      const hoje = hojeEm(provedor.fusoHorario, agora);
      recusarSeNao(data >= hoje && data <= somarDias(hoje, promessaDias), 'promessa_fora_do_prazo');
      const { cliente_id: clienteId } = contrato;
      const devedor = { clienteId, contratoId };
      const [devida] = await rowsOf(devidas(w, devedor, data).limit(1), ID);
      recusarSeNao(devida, 'nada_a_pagar');
      const abertas = w.from('promessas_pagamento').where({ contrato_id: contratoId, em_aberto: 1 });
      const [aberta] = await rowsOf(abertas, COLUNAS_DA_PROMESSA);
      if (aberta !== undefined) {
        // What it was about is paid: it was kept, before its day.
        recusarSeNao(!(await quebradas(w.tenant, [aberta.id])).has(aberta.id), 'promessa_ativa');
        await encerrar(w, [aberta.id], 'cumprida', agora);
      }
      // A promise holds the ladder back; one after the other would hold it back for ever.
      const [jaPrometida] = await rowsOf(jaPrometidas(w.tenant, devedor, data).limit(1), ID);
      recusarSeNao(jaPrometida === undefined, 'fatura_anterior_em_aberto');
      const id = await w.insert('promessas_pagamento', {
        cliente_id: clienteId,
        contrato_id: contratoId,
        data,
        autor: w.author.name,
        registrada_em: toDatabaseTime(agora),
      });
      w.touch(contratoTag(contratoId), clienteTag(clienteId));
      w.emit('cliente.promessa_registrada', clienteId, { cliente: clienteId, contrato: contratoId, data });
      return { id, contratoId, data, registradaEm: agora };
    },
  };
}

/** Ends promises that are open. */
export async function encerrar(
  w: Write,
  ids: readonly number[],
  situacao: 'cumprida' | 'quebrada',
  agora: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await w.update('promessas_pagamento', (q) => void q.whereIn('id', [...ids]).where('em_aberto', 1), {
    situacao,
    encerrada_em: toDatabaseTime(agora),
  });
}
