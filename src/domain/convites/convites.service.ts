import type { Relogio } from '../../platform/timing/relogio.ts';
import { recusarSeNao } from '../erros.ts';
import type { Write } from '../escrita.ts';
import type { PlanosService } from '../planos/planos.service.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { createConvitesQueries } from './convites.queries.ts';
import type { ConviteCriado, NovoConvite } from './convites.types.ts';
import { gerarSegredo, resumoDoSegredo } from '../segredo.ts';

const DIA_MS = 86_400_000;

export type ConvitesService = ReturnType<typeof createConvitesService>;

export interface ConvitesDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly planos: PlanosService;
  readonly relogio: Relogio;
}

/** Invites to register, on the side of who hands them out. */
export function createConvitesService({ w, provedor, planos, relogio }: ConvitesDeps) {
  const queries = createConvitesQueries(w);
  return {
    /**
     * Makes an invite. Its link is in the answer and nowhere else.
     *
     * @throws Recusa `plano_indisponivel` unless the plan is one of the provider's that are on sale.
     */
    async criar({ planoId, diaVencimento, validadeDias }: NovoConvite): Promise<ConviteCriado> {
      const aVenda = planoId === null || (await planos.listarAtivos()).some(({ id }) => id === planoId);
      recusarSeNao(aVenda, 'plano_indisponivel');
      const token = gerarSegredo();
      const criadoEm = relogio.agora();
      const expiraEm = new Date(criadoEm.getTime() + validadeDias * DIA_MS);
      const novo = { planoId, diaVencimento };
      const id = await queries.inserir({ tokenHash: resumoDoSegredo(token), novo, criadoEm, expiraEm });
      w.emit('convite.criado', id, {
        plano: planoId,
        dia_vencimento: diaVencimento,
        expira_em: expiraEm.toISOString(),
      });
      return { link: `https://${provedor.panelHost}/pre-cadastro/${token}`, expiraEm, planoId, diaVencimento };
    },
  };
}
