import type { Trabalho } from '../tarefas/tarefas.types.ts';
import { ID, rowsOf } from '../../platform/mysql/columns.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { horaDeArquivo } from '../../brazil/calendario/horario.ts';
import { Recusa } from '../erros.ts';
import type { MotivoDeRecusa } from '../erros.ts';
import type { Write } from '../escrita.ts';
import { notificarEquipe } from '../recebimentos/equipe.service.ts';
import { FATURAS_TAG } from '../tags.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import type { Cnab } from './cnab.ts';
import { COLUNAS_DO_CONVENIO } from './convenios/convenios.types.ts';
import type { ConvenioRow } from './convenios/convenios.types.ts';
import { gerarRemessa } from './remessas/geracao.ts';
import { temParaRemessa } from './remessas/preparo.ts';

/** An agreement, and which of its files of the day it is. */
interface ArquivoDoDia {
  readonly convenioId: number;
  readonly vez: number;
}

/** Files of an agreement in a day, at most: Sicredi takes ten. */
const ARQUIVOS_POR_DIA = 10;

/** Makes the files of a day: of each agreement as many as its titles fill, and none where there is nothing to say. */
export function createRemessasDoDia({
  relogio,
  cnab,
  provedorDe,
}: {
  readonly relogio: Relogio;
  readonly cnab: Cnab;
  readonly provedorDe: (provedorId: number) => Promise<Provedor>;
}): Trabalho<ArquivoDoDia, ArquivoDoDia> {
  return {
    evento: 'remessas.geradas',
    etiquetas: [FATURAS_TAG],
    lugar: (arquivo) => arquivo,
    // What is in a file is no longer looked for.
    retoma: false,
    contar: async () => 1,
    async proximas(tenant, dia, depoisDe) {
      const { convenioId, vez } = depoisDe ?? { convenioId: 0, vez: 0 };
      const query = tenant.from('convenios_bancarios').where('id', '>=', convenioId).orderBy('id').limit(2);
      const rows: ConvenioRow[] = await rowsOf(query, COLUNAS_DO_CONVENIO);
      const atual = rows.find(({ id }) => id === convenioId);
      // The file before may not be written yet: then this one finds nothing, and none is made. Invoices that no file would hold wait for
      // somebody to mend them, and make no file either. One that issues no more still asks for write-offs of what it has issued.
      const restam =
        atual !== undefined &&
        atual.recusada_em !== dia &&
        vez + 1 < ARQUIVOS_POR_DIA &&
        (await temParaRemessa(tenant, {
          provedor: await provedorDe(tenant.provedorId),
          convenio: atual,
          cnab,
          hoje: dia,
        }));
      if (restam) return [{ convenioId, vez: vez + 1 }];
      const proximo = rows.find(({ id }) => id > convenioId);
      return proximo === undefined ? [] : [{ convenioId: proximo.id, vez: 0 }];
    },
    preparar: async (_tenant, provedor, dia, arquivos) => async (w) => {
      const agora = relogio.agora();
      let linhas = 0;
      for (const { convenioId, vez } of arquivos) {
        // The place after a refused one may have been found before the refusal was written.
        if (vez > 0 && (await foiRecusado(w, convenioId, dia))) continue;
        const hora = horaDeArquivo(provedor.fusoHorario, agora);
        try {
          const pedido = { provedor, cnab, convenioId, hoje: dia, hora, agora };
          const { entradas, instrucoes } = await gerarRemessa(w, pedido);
          linhas += entradas + instrucoes;
        } catch (error) {
          // Only this agreement is refused: nothing of its file was written, and the files of the others are made.
          if (!(error instanceof Recusa)) throw error;
          await anotarRecusa(w, convenioId, error.motivo, dia, agora);
        }
      }
      return linhas;
    },
  };
}

async function foiRecusado(w: Write, convenioId: number, dia: Data): Promise<boolean> {
  const recusado = w.from('convenios_bancarios').where({ id: convenioId, recusada_em: dia });
  return (await rowsOf(recusado, ID)).length > 0;
}

/** Notes that an agreement's file of a day could not be made, and tells staff. */
async function anotarRecusa(
  w: Write,
  convenioId: number,
  motivo: MotivoDeRecusa,
  dia: Data,
  agora: Date,
): Promise<void> {
  await w.update('convenios_bancarios', (q) => void q.where({ id: convenioId }), { recusa: motivo, recusada_em: dia });
  w.emit('remessa.recusada', convenioId, { motivo });
  await notificarEquipe(w, [{ tipo: 'remessa.recusada', recurso: 'convenio', id: convenioId }], 'boleto', agora);
}
