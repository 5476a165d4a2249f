import { inicioDoDiaEm, somarDias } from '../../../brazil/calendario/datas.ts';
import type { FiltroAuditoria } from '../../../domain/auditoria/auditoria.types.ts';
import { opcional } from '../../../domain/campos/campos.ts';
import type { ValoresDe } from '../../../domain/campos/campos.ts';
import { data, id, texto } from '../../../domain/campos/leitores.ts';

/** What narrows the audit log, as addresses have it. */
export const CONSULTA_DO_FILTRO = {
  usuario: opcional(id),
  acao: opcional(texto(1, 60)),
  recurso: opcional(texto(1, 60)),
  recurso_id: opcional(id),
  de: opcional(data),
  ate: opcional(data),
} as const;

export type Filtro = ValoresDe<typeof CONSULTA_DO_FILTRO>;

/** Days are the provider's, and the last one is included. */
export function filtroDe(fuso: string, { usuario, acao, recurso, recurso_id, de, ate }: Filtro): FiltroAuditoria {
  return {
    usuarioId: usuario,
    acao: acao?.trim(),
    recurso: recurso?.trim(),
    recursoId: recurso_id,
    de: de === undefined ? undefined : inicioDoDiaEm(fuso, de),
    antesDe: ate === undefined ? undefined : inicioDoDiaEm(fuso, somarDias(ate, 1)),
  };
}
