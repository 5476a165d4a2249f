import { createAtendimentoService } from '../../../domain/chamados/atendimento.service.ts';
import { createEquipeService } from '../../../domain/chamados/equipe/equipe.service.ts';
import { createChamadosDoAppService } from '../../../domain/chamados/app/app.service.ts';
import { createRespostaAVariosService } from '../../../domain/chamados/equipe/varios.service.ts';
import type { Escritas } from '../../../domain/dominio.ts';
import type { Write } from '../../../domain/escrita.ts';
import type { ProtocolosService } from '../../../domain/protocolos/protocolos.service.ts';
import type { Provedor } from '../../../domain/provedores/provedores.types.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';

interface TicketWritesDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
  readonly protocolos: ProtocolosService;
}

/** What people do to tickets. */
export function composeTicketWrites(
  deps: TicketWritesDeps,
): Pick<Escritas, 'chamados' | 'chamadosDoApp' | 'atendimento' | 'respostas'> {
  const chamados = createAtendimentoService(deps);
  const atendimento = createEquipeService(deps);
  return {
    chamados,
    chamadosDoApp: createChamadosDoAppService({ ...deps, atendimento: chamados, equipe: atendimento }),
    atendimento,
    respostas: createRespostaAVariosService(deps),
  };
}
