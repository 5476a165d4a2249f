import type { Relogio } from '../../platform/timing/relogio.ts';
import { lerCampos } from '../campos/campos.ts';
import { recusarSeNao } from '../erros.ts';
import type { Write } from '../escrita.ts';
import type { PlanosService } from '../planos/planos.service.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { CAMPOS_DO_CONVITE, DIAS_PADRAO } from './convites.campos.ts';
import { createConvitesQueries } from './convites.queries.ts';
import { estadoDoConvite } from './convites.types.ts';
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
      return { id, link: `https://${provedor.panelHost}/pre-cadastro/${token}`, expiraEm, planoId, diaVencimento };
    },

    /** Makes an invite as a form says it; without a number of days it holds for seven. @throws CamposInvalidos, and Recusa as `criar` */
    async criarDaForma(dados: unknown): Promise<ConviteCriado> {
      const {
        plano_id = null,
        dia_vencimento = null,
        validade_dias = DIAS_PADRAO,
      } = lerCampos(CAMPOS_DO_CONVITE, dados);
      return this.criar({ planoId: plano_id, diaVencimento: dia_vencimento, validadeDias: validade_dias });
    },

    /**
     * Ends an invite that nobody has used: from now on its link says that it expired. One that was revoked already stays as it is.
     *
     * @throws Recusa: `nao_encontrado`, `convite_encerrado` where it was used or its time is over.
     */
    async revogar(id: number): Promise<void> {
      const convite = await queries.travar(id);
      recusarSeNao(convite, 'nao_encontrado');
      if (convite.revogado_em !== null) return;
      const agora = relogio.agora();
      recusarSeNao(estadoDoConvite(convite, agora) === 'aberto', 'convite_encerrado');
      await queries.marcarRevogado(id, agora);
      w.emit('convite.revogado', id);
    },
  };
}
