import type { Db } from '../../platform/mysql/database.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { createTenantDb } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Actor } from '../actor.ts';
import type { NovoCliente } from '../clientes/cadastro/cadastro.types.ts';
import { inserirCliente } from '../clientes/cadastro/insercao.service.ts';
import type { Write, WriteFor } from '../escrita.ts';
import type { PlanosService } from '../planos/planos.service.ts';
import type { Plano } from '../planos/planos.types.ts';
import { contratoTag } from '../tags.ts';
import { createConvitesQueries } from './convites.queries.ts';
import { estadoDoConvite } from './convites.types.ts';
import type { Cadastro, ConviteAberto, ConviteRow, ResultadoDoCadastro } from './convites.types.ts';
import { buscarConvitePorToken } from './token.queries.ts';
import { pareceSegredo } from '../segredo.ts';

export type PreCadastroService = ReturnType<typeof createPreCadastroService>;

export interface PreCadastroDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly planosDe: (tenant: TenantDb) => PlanosService;
}

/** Invites on the side of who follows the link: nobody but the token says who that is, and of which provider. */
export function createPreCadastroService({ db, relogio, write, planosDe }: PreCadastroDeps) {
  const buscar = async (token: string) => (pareceSegredo(token) ? buscarConvitePorToken(db, token) : null);

  /** Locks the invite, so that of simultaneous registrations the first finds it open and the others used. */
  async function registrarEm(w: Write, conviteId: number, cadastro: Cadastro): Promise<ResultadoDoCadastro> {
    const queries = createConvitesQueries(w);
    const convite = await queries.travar(conviteId);
    if (convite === undefined) throw new Error(`o convite ${conviteId} sumiu`);
    const agora = relogio.agora();
    const estado = estadoDe(convite, agora);
    if (estado !== 'valido') return estado;
    const plano = await planoDesejado(planosDe(w.tenant), convite, cadastro);
    if (plano === null) return 'plano_indisponivel';
    const diaVencimento = convite.dia_vencimento ?? cadastro.diaVencimento;
    if (diaVencimento === null) throw new Error('nem o convite nem o cadastro dizem o dia de vencimento');

    const { endereco } = cadastro;
    const clienteId = await inserirCliente(w, paraCliente(cadastro), agora);
    const contratoId = await queries.inserirContrato({ clienteId, plano, diaVencimento, endereco, agora });
    await queries.marcarUsado(conviteId, clienteId, agora);
    await queries.notificarEquipe(clienteId, agora);
    w.touch(contratoTag(contratoId));
    w.emit('cliente.pre_cadastrado', clienteId, { convite: conviteId, contrato: contratoId, plano: plano.id });
    return 'registrado';
  }

  return {
    /** The invite behind a link's token, or null. */
    async abrir(token: string): Promise<ConviteAberto | null> {
      const encontrado = await buscar(token);
      if (encontrado === null) return null;
      const { convite, provedor, identidade } = encontrado;
      const estado = estadoDe(convite, relogio.agora());
      if (estado !== 'valido') return { estado, provedor, identidade };
      const planos = planosDe(createTenantDb(db, provedor.id));
      const { plano_id: planoId, dia_vencimento: diaVencimento } = convite;
      return {
        estado,
        provedor,
        identidade,
        plano: planoId === null ? null : await planos.buscarPorId(planoId),
        planos: planoId === null ? await planos.listarAtivos() : [],
        diaVencimento,
      };
    },

    /**
     * Makes a client of a registration, with a contract that holds the wished plan, exactly once for each invite. Null when no
     * invite has the token.
     */
    async registrar(actor: Actor, token: string, cadastro: Cadastro): Promise<ResultadoDoCadastro | null> {
      const encontrado = await buscar(token);
      if (encontrado === null) return null;
      const { convite, provedor } = encontrado;
      return write(actor, provedor.id, async (w) => registrarEm(w, convite.id, cadastro));
    },
  };
}

/** Another registration of the tax id does not matter: whoever it is comes out of `pre_cadastro` by the provider's staff alone. */
function paraCliente({ nome, cpfCnpj, email, telefones, dataNascimento, endereco }: Cadastro): NovoCliente {
  return {
    nome,
    cpfCnpj,
    email,
    telefones,
    dataNascimento,
    endereco,
    situacao: 'pre_cadastro',
    nomeFantasia: null,
    codigoExterno: null,
  };
}

/** To whoever follows its link, one that was revoked has expired. */
function estadoDe(convite: ConviteRow, agora: Date): 'valido' | 'usado' | 'expirado' {
  const estado = estadoDoConvite(convite, agora);
  if (estado === 'aberto') return 'valido';
  return estado === 'usado' ? 'usado' : 'expirado';
}

/** The invite's plan, which was promised even if it is no longer on sale; else the one chosen, if it still is. */
async function planoDesejado(planos: PlanosService, convite: ConviteRow, cadastro: Cadastro): Promise<Plano | null> {
  if (convite.plano_id !== null) return planos.buscarPorId(convite.plano_id);
  return (await planos.listarAtivos()).find(({ id }) => id === cadastro.planoId) ?? null;
}
