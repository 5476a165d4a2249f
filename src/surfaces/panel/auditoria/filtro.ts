import { inicioDoDiaEm, somarDias } from '../../../brazil/calendario/datas.ts';
import type { FiltroAuditoria } from '../../../domain/auditoria/auditoria.types.ts';
import { bem, mal, opcional } from '../../../domain/campos/campos.ts';
import type { Leitor, ValoresDe } from '../../../domain/campos/campos.ts';
import { data, id, texto } from '../../../domain/campos/leitores.ts';
import { isRequestId } from '../../../platform/http/request.ts';

const lerRequisicao: Leitor<string> = (valor) =>
  typeof valor === 'string' && isRequestId(valor.trim())
    ? bem(valor.trim())
    : mal('deve ser o id de uma requisição, como a resposta o traz em X-Request-Id');

/** What narrows the audit log, as addresses have it. */
export const CONSULTA_DO_FILTRO = {
  usuario: opcional(id),
  acao: opcional(texto(1, 60)),
  recurso: opcional(texto(1, 60)),
  recurso_id: opcional(id),
  requisicao: opcional(lerRequisicao),
  de: opcional(data),
  ate: opcional(data),
} as const;

export type Filtro = ValoresDe<typeof CONSULTA_DO_FILTRO>;

/** Days are the provider's, and the last one is included. */
export function filtroDe(
  fuso: string,
  { usuario, acao, recurso, recurso_id, requisicao, de, ate }: Filtro,
): FiltroAuditoria {
  return {
    usuarioId: usuario,
    acao: acao?.trim(),
    recurso: recurso?.trim(),
    recursoId: recurso_id,
    requisicaoId: requisicao,
    de: de === undefined ? undefined : inicioDoDiaEm(fuso, de),
    antesDe: ate === undefined ? undefined : inicioDoDiaEm(fuso, somarDias(ate, 1)),
  };
}
