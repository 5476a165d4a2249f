import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { ContratoAfetadoRow, HoraDoNasRow } from '../agregacao.types.ts';
import type { SessaoDoContrato } from '../sessoes.regras.ts';

const HORA_MS = 3_600_000;

/** A drop that counts, and the server at which the session was. */
export interface Queda {
  readonly em: number;
  readonly nas: string;
}

/** The beginning of the hour of an instant, as the database writes it. */
export function inicioDaHora(instante: number): string {
  return `${toDatabaseTime(new Date(instante - (instante % HORA_MS))).slice(0, 13)}:00:00`;
}

type DaSessao = Pick<ContratoAfetadoRow, 'sessao' | 'download_bytes' | 'upload_bytes'>;

/**
 * Gathers what is added to the hours of servers. What was added before, the contract's record says: drops up to its last one, and the
 * bytes of its newest session. So nothing is added twice; a drop told of later than one that came after it is not added.
 */
export function createHoras(agora: number) {
  const horas = new Map<string, HoraDoNasRow>();

  function somar(provedor_id: number, instante: number, nas: string, somas: Partial<HoraDoNasRow>): void {
    const hora = inicioDaHora(instante);
    const chave = `${provedor_id} ${hora} ${nas}`;
    const { quedas = 0, download_bytes = 0, upload_bytes = 0 } = horas.get(chave) ?? {};
    horas.set(chave, {
      provedor_id,
      hora,
      nas,
      quedas: quedas + (somas.quedas ?? 0),
      download_bytes: download_bytes + (somas.download_bytes ?? 0),
      upload_bytes: upload_bytes + (somas.upload_bytes ?? 0),
    });
  }

  return {
    linhas: (): HoraDoNasRow[] => [...horas.values()],

    /** Adds the drops that are new; resolves to the last one of all. */
    quedas(
      { provedor_id, queda_em, queda_nas }: ContratoAfetadoRow,
      quedas: readonly Queda[],
    ): Pick<ContratoAfetadoRow, 'queda_em' | 'queda_nas'> {
      const contada = queda_em === null ? -Infinity : fromDatabaseTime(queda_em).getTime();
      const novas = quedas.filter(({ em }) => em > contada);
      for (const { em, nas } of novas) somar(provedor_id, em, nas, { quedas: 1 });
      const ultima = novas.at(-1);
      return ultima === undefined
        ? { queda_em, queda_nas }
        : { queda_em: toDatabaseTime(new Date(ultima.em)), queda_nas: ultima.nas };
    },

    /**
     * Adds the bytes that are new, to the hour that it is: of the session that was the newest until now, and of the one that is. Of a contract
     * that has no record yet, a session's are new if it is: what it had before nobody knows the hours of.
     */
    trafego(contrato: ContratoAfetadoRow, sessoes: readonly SessaoDoContrato[], atual?: SessaoDoContrato): DaSessao {
      const { provedor_id, sessao, download_bytes, upload_bytes } = contrato;
      let contados: DaSessao = { sessao, download_bytes, upload_bytes };
      const mesma = sessao === null ? undefined : sessoes.find(({ id }) => id === sessao);
      for (const uma of new Set([mesma, atual])) {
        if (uma?.id === undefined || uma.id === null) continue;
        const { id, download, upload, inicio, nas } = uma;
        const desconhecida = sessao === null && (inicio === null || agora - inicio > HORA_MS);
        if (!desconhecida) {
          const antes = id === sessao ? contrato : null;
          somar(provedor_id, agora, nas, {
            download_bytes: aMais(download, antes?.download_bytes ?? 0),
            upload_bytes: aMais(upload, antes?.upload_bytes ?? 0),
          });
        }
        contados = { sessao: id, download_bytes: download, upload_bytes: upload };
      }
      return contados;
    },
  };
}

/** What a counter counted since; one that is lower than it was began anew. */
function aMais(agora: number | null, antes: number): number {
  if (agora === null) return 0;
  return agora >= antes ? agora - antes : agora;
}
