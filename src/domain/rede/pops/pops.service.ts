import { ID, columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { lerAlteracao, lerCampos } from '../../campos/campos.ts';
import { conferirLidos } from '../../campos/versao.ts';
import type { DaVersao } from '../../campos/versao.ts';
import { faltaEm, recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import { AVISOS_TAG } from '../../tags.ts';
import { FORMA_DE_POP } from './pops.campos.ts';
import { COLUNAS_DO_POP } from './pops.types.ts';
import type { Pop, PopRow } from './pops.types.ts';

export type PopsService = ReturnType<typeof createPopsService>;

const DO_NAS = columns<{ pop_id: number | null }>('provedores_nas', { pop_id: true });

/** POPs as staff make and change them, and which servers stand where. */
export function createPopsService({ w }: { readonly w: Write }) {
  const travar = async (id: number): Promise<PopRow> => travarPop(w, id);

  /** Names are compared as the database does. */
  async function exigirNomeLivre(nome: string | undefined, menos = 0): Promise<void> {
    if (nome === undefined) return;
    const [outro] = await rowsOf(w.from('pops').where({ nome }).whereNot('id', menos), ID);
    if (outro !== undefined) faltaEm('nome', 'outro POP tem este nome');
  }

  return {
    /** @throws CamposInvalidos */
    async criar(dados: unknown): Promise<{ readonly id: number }> {
      const lidos = lerCampos(FORMA_DE_POP, dados);
      exigirPar(lidos.latitude ?? null, lidos.longitude ?? null);
      await exigirNomeLivre(lidos.nome);
      const { endereco = null, latitude = null, longitude = null, ...resto } = lidos;
      const id = await w.insert('pops', { ...resto, endereco, latitude, longitude }, { soughtBefore: true });
      w.emit('pop.criado', id);
      return { id };
    },

    /**
     * What is not named stays as it is.
     *
     * @returns the names of what is not as it was
     * @throws CamposInvalidos, or Recusa `nao_encontrado`, `versao_divergente`
     */
    async alterar(id: number, dados: unknown, { versao }: DaVersao = {}): Promise<readonly string[]> {
      const lidos = lerAlteracao(FORMA_DE_POP, dados);
      const pop = await travar(id);
      const antes = { ...pop, latitude: grausDe(pop.latitude), longitude: grausDe(pop.longitude) };
      conferirLidos(versao, camposDoPop(antes));
      await exigirNomeLivre(lidos.nome, id);
      const mudam = Object.entries(lidos).filter(
        ([nome, novo]) => novo !== undefined && novo !== antes[nome as keyof PopRow],
      );
      const depois = { ...antes, ...Object.fromEntries(mudam) };
      exigirPar(depois.latitude, depois.longitude);
      if (mudam.length === 0) return [];
      await w.update('pops', (q) => void q.where({ id }), Object.fromEntries(mudam));
      const campos = mudam.map(([nome]) => nome);
      w.emit('pop.alterado', id, { campos });
      return campos;
    },

    /** @throws Recusa `nao_encontrado`, or `pop_em_uso` while a server stands there or an open notice names it */
    async remover(id: number): Promise<void> {
      await travar(id);
      const nas = await rowsOf(w.from('provedores_nas').where('pop_id', id).limit(1), DO_NAS);
      recusarSeNao(nas.length === 0, 'pop_em_uso', { sugestao: 'mude antes os servidores de POP' });
      const abertos = w.from('avisos_de_rede').whereNull('fim').select('id');
      const alvos = w.from('avisos_de_rede_alvos').where({ tipo: 'pop', alvo_id: id }).whereIn('aviso_id', abertos);
      const [alvo] = await rowsOf(alvos.limit(1), ID);
      recusarSeNao(alvo === undefined, 'pop_em_uso', { sugestao: 'encerre antes o aviso' });
      await w.delete('pops', (q) => void q.where({ id }));
      w.emit('pop.removido', id);
    },

    /** @throws Recusa `nao_encontrado` of the server or of the POP; see `colocarServidor` */
    colocar: async (nasipaddress: string, popId: number | null): Promise<boolean> =>
      colocarServidor(w, nasipaddress, popId),
  };
}

async function travarPop(w: Write, id: number): Promise<PopRow> {
  const [pop] = await rowsOf(w.from('pops').where({ id }).forUpdate(), COLUNAS_DO_POP);
  recusarSeNao(pop, 'nao_encontrado');
  return pop;
}

/**
 * Says where a server stands; null: nowhere that is known.
 *
 * @returns whether that is another place than before
 * @throws Recusa `nao_encontrado` of the server or of the POP
 */
export async function colocarServidor(w: Write, nasipaddress: string, popId: number | null): Promise<boolean> {
  // The POP first, as its removal does.
  if (popId !== null) await travarPop(w, popId);
  const [nas] = await rowsOf(w.from('provedores_nas').where({ nasipaddress }).forUpdate(), DO_NAS);
  recusarSeNao(nas, 'nao_encontrado');
  if (nas.pop_id === popId) return false;
  await w.update('provedores_nas', (q) => void q.where({ nasipaddress }), { pop_id: popId });
  w.touch(AVISOS_TAG);
  w.emit('nas.mudou_de_pop', null, { nas: nasipaddress, pop: popId });
  return true;
}

/** What the form of a POP changes; see `versaoDe`. */
export const camposDoPop = ({ nome, cidade, uf, endereco, latitude, longitude }: Omit<Pop, 'id' | 'nas'>) => ({
  nome,
  cidade,
  uf,
  endereco,
  latitude,
  longitude,
});

const grausDe = (texto: string | null): number | null => (texto === null ? null : Number(texto));

function exigirPar(latitude: number | null, longitude: number | null): void {
  if (latitude === null && longitude !== null) faltaEm('latitude', 'é obrigatória com a longitude');
  if (latitude !== null && longitude === null) faltaEm('longitude', 'é obrigatória com a latitude');
}
