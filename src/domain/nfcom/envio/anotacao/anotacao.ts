import { toDatabaseTime } from '../../../../platform/mysql/database.ts';
import type { Write } from '../../../escrita.ts';
import { OUTRO_AMBIENTE } from '../../nfcom.types.ts';
import type { AmbienteNfcom } from '../../nfcom.types.ts';
import { FALHA_INTERNA } from '../desfecho.regras.ts';
import type { Feita } from '../envio.types.ts';
import { travarNota } from '../estado.ts';
import { createFilaQueries } from '../fila.queries.ts';
import type { FilaRow } from '../fila.row.ts';
import { ehPergunta } from '../turnos/turnos.regras.ts';
import { createDestino } from './destino.ts';
import { createParada } from './parada.ts';

type FeitaDeNota = Extract<Feita, { fez: 'nota' | 'cancelamento' }>;

/**
 * Writes what came of what was done for a provider, whose queue is locked. Each authority is heard of its own environment's notes alone: of
 * those that are issued now, and of those that are left of before the provider went over.
 *
 * @param aqui where notes are issued now
 */
export function createAnotacao(w: Write, fila: FilaRow, aqui: AmbienteNfcom, agora: Date) {
  const queries = createFilaQueries(w);
  const destino = createDestino(w, agora);
  const daqui = createParada(w, { antes: fila, gravar: async (dito) => queries.anotarNaFila(dito) }, aqui, agora);
  const daOutra = createParada(
    w,
    { antes: fila.outra, gravar: async (dito) => queries.anotarDaOutra(dito) },
    OUTRO_AMBIENTE[aqui],
    agora,
  );
  const paradaDe = (ambiente: AmbienteNfcom) => (ambiente === aqui ? daqui : daOutra);

  async function deNota(feita: FeitaDeNota): Promise<void> {
    const { nota, desfecho } = feita;
    const travada = await travarNota(w, nota.id);
    await w.insert('nfcom_tentativas', {
      nfcom_id: nota.id,
      ambiente: nota.ambiente,
      operacao: ehPergunta(nota.etapa) ? 'consulta' : feita.fez === 'nota' ? 'envio' : 'cancelamento',
      ...codigoOuErro(desfecho),
      duracao_ms: feita.duracaoMs,
      em: toDatabaseTime(agora),
    });
    const contada =
      feita.fez === 'nota' ? await destino.daNota(travada, feita) : await destino.doCancelamento(travada, feita);
    await paradaDe(nota.ambiente).ouvir(nota.etapa, 'parar' in desfecho ? desfecho.parar : null, contada);
  }

  return {
    async anotar(feita: Feita): Promise<void> {
      if (feita.fez === 'nota' || feita.fez === 'cancelamento') await deNota(feita);
      else if (feita.fez === 'status') await paradaDe(feita.ambiente).ouvirStatus(feita);
      else if (feita.fez === 'montar') {
        if (feita.parar !== null) await daqui.faltar(feita.parar, true);
      } else {
        const { nota, codigo } = feita;
        if (nota !== null) await destino.deixar(await travarNota(w, nota.id), nota, codigo !== FALHA_INTERNA);
        await paradaDe(nota?.ambiente ?? aqui).faltar(feita, false);
      }
    },

    /** The queue as it is after that. */
    fila: (): FilaRow => ({ ...fila, ...daqui.estado(), outra: daOutra.estado() }),
  };
}

/** Codes of the authority are numbers, and reasons of ours are not. */
function codigoOuErro(desfecho: { readonly tipo: string; readonly codigo?: string }): {
  codigo: string | null;
  erro: string | null;
} {
  const codigo =
    desfecho.codigo ??
    { autorizada: '100', nao_consta: '217', numero_de_outra: '539', cancelada: '135' }[desfecho.tipo] ??
    '';
  return /^\d{3,4}$/.test(codigo) ? { codigo, erro: null } : { codigo: null, erro: codigo.slice(0, 40) };
}
