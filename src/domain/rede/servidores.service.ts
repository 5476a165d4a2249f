import type { Db } from '../../platform/mysql/database.ts';
import { ID, columns, rowsOf } from '../../platform/mysql/columns.ts';
import { createTenantDb } from '../../platform/mysql/tenant.ts';
import type { Actor } from '../actor.ts';
import { lerCampos } from '../campos/campos.ts';
import { conferirLidos } from '../campos/versao.ts';
import type { DaVersao } from '../campos/versao.ts';
import { faltaEm, recusarSeNao } from '../erros.ts';
import { FORMA_DA_MUDANCA_DE_SERVIDOR, FORMA_DE_SERVIDOR } from './nas.campos.ts';
import { NasDeOutro } from './nas.service.ts';
import type { NasService } from './nas.service.ts';
import type { Nas, NovoNas } from './rede.types.ts';

export type ServidoresService = ReturnType<typeof createServidoresService>;

export interface ServidoresDeps {
  readonly db: Db;
  readonly nas: NasService;
}

const DO_NAS = columns<{ pop_id: number | null }>('provedores_nas', { pop_id: true });

/** Servers of the network as staff type them; NasService writes them. */
export function createServidoresService({ db, nas }: ServidoresDeps) {
  async function exigirPop(provedorId: number, popId: number | null | undefined): Promise<void> {
    if (popId === null || popId === undefined) return;
    const [pop] = await rowsOf(createTenantDb(db, provedorId).from('pops').where('id', popId), ID);
    if (pop === undefined) faltaEm('pop_id', 'o POP não existe');
  }

  async function popDe(provedorId: number, nasipaddress: string): Promise<number | null> {
    const deste = createTenantDb(db, provedorId).from('provedores_nas').where({ nasipaddress });
    return (await rowsOf(deste, DO_NAS))[0]?.pop_id ?? null;
  }

  const achar = async (provedorId: number, endereco: string): Promise<Nas | undefined> =>
    (await nas.listar(provedorId)).find((um) => um.endereco === endereco);

  return {
    /** @throws CamposInvalidos, also of an address that somebody has */
    async cadastrar(actor: Actor, provedorId: number, dados: unknown): Promise<{ readonly endereco: string }> {
      const { nome = null, ...lidos } = lerCampos(FORMA_DE_SERVIDOR, dados);
      if ((await achar(provedorId, lidos.endereco)) !== undefined) faltaEm('endereco', 'o servidor já está cadastrado');
      await exigirPop(provedorId, lidos.pop_id);
      try {
        await nas.adicionar(actor, provedorId, novoNas({ ...lidos, nome }));
      } catch (error) {
        // Whose it is, nobody else is told.
        if (error instanceof NasDeOutro) faltaEm('endereco', 'está em uso fora deste provedor');
        throw error;
      }
      return { endereco: lidos.endereco };
    },

    /**
     * What is not named stays as it is, the secret too; a name that is empty as well.
     *
     * @throws CamposInvalidos, or Recusa `nao_encontrado`, `versao_divergente`
     */
    async alterar(
      actor: Actor,
      provedorId: number,
      endereco: string,
      dados: unknown,
      { versao }: DaVersao = {},
    ): Promise<void> {
      const atual = await achar(provedorId, endereco);
      recusarSeNao(atual, 'nao_encontrado');
      // Not locked: of two at the same instant the second holds.
      conferirLidos(versao, camposDoServidor({ ...atual, popId: await popDe(provedorId, endereco) }));
      const { nome = null, ...lidos } = lerCampos(FORMA_DA_MUDANCA_DE_SERVIDOR, dados);
      if (lidos.segredo === undefined && !atual.temSegredo) {
        faltaEm('segredo', 'é obrigatório: o FreeRADIUS ainda não conhece o deste servidor');
      }
      await exigirPop(provedorId, lidos.pop_id);
      await nas.adicionar(actor, provedorId, novoNas({ ...lidos, endereco, nome }));
    },

    /** @throws Recusa `nao_encontrado` */
    async remover(actor: Actor, provedorId: number, endereco: string): Promise<void> {
      recusarSeNao(await nas.remover(actor, provedorId, endereco), 'nao_encontrado');
    },
  };
}

/** What the form of a server changes and shows; see `versaoDe`. */
type DoFormulario = Pick<Nas, 'nome' | 'portaCoa' | 'coa' | 'portaAte'> & { readonly popId: number | null };
export const camposDoServidor = ({ nome, portaCoa, coa, portaAte, popId }: DoFormulario) => ({
  nome,
  porta_coa: portaCoa,
  coa,
  porta_ate: portaAte,
  pop_id: popId,
});

interface Lidos {
  readonly endereco: string;
  readonly nome: string | null;
  readonly porta_coa: number | undefined;
  readonly coa: NovoNas['coa'] | undefined;
  readonly segredo: string | undefined;
  readonly porta_ate: string | null | undefined;
  readonly pop_id: number | null | undefined;
}

const novoNas = ({ endereco, nome, porta_coa, coa, segredo, porta_ate, pop_id }: Lidos): NovoNas => ({
  endereco,
  nome,
  ...(porta_coa === undefined ? {} : { portaCoa: porta_coa }),
  ...(coa === undefined ? {} : { coa }),
  ...(segredo === undefined ? {} : { segredo }),
  ...(porta_ate === undefined ? {} : { portaAte: porta_ate }),
  ...(pop_id === undefined ? {} : { popId: pop_id }),
});
