import { isIPv4 } from 'node:net';
import { aparar } from '../../brazil/pessoa/digitado.ts';
import type { Db } from '../../platform/mysql/database.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Actor } from '../actor.ts';
import { EntradaInvalida } from '../erros.ts';
import type { Write, WriteFor } from '../escrita.ts';
import { PROVEDOR_TAG } from '../tags.ts';
import { paraNasNaRede } from './configuracao/configuracao.types.ts';
import { createFilaQueries } from './fila.queries.ts';
import { gruposQueNegam, lerRedes } from './aplicacao/redes.ts';
import { bloqueioValido } from './configuracao/configuracao.regras.ts';
import { MAIOR_FIM_DE_PORTA, MAIOR_NOME, MAIOR_SEGREDO, segredoValido } from './nas.campos.ts';
import { GRUPO_RETIRADO, grupoBloqueadoEm, grupoRetiradoEm } from './grupos.regras.ts';
import { createNasQueries, listarNas } from './nas.queries.ts';
import { pedirRedeDeTodos } from './pedir.ts';
import { colocarServidor } from './pops/pops.service.ts';
import { createConteudoQueries } from './radius/conteudo.queries.ts';
import { createGruposQueries } from './radius/grupos.queries.ts';
import type { Bloqueio, Nas, NovoNas } from './rede.types.ts';

export type NasService = ReturnType<typeof createNasService>;

export interface NasDeps {
  readonly db: Db;
  readonly write: WriteFor;
  readonly relogio: Relogio;
  /** Recomputes the connections of a provider, whose sessions are told by its NASes. */
  readonly recalcular: (provedorId: number) => Promise<unknown>;
}

export interface NasGravado {
  /** Whether the provider did not have it before. */
  readonly novo: boolean;
  /** UDP port at which it takes CoA- and Disconnect-Requests from now on. */
  readonly portaCoa: number;
}

/** The address is another provider's; for operators the message says whose. */
export class NasDeOutro extends EntradaInvalida {}

/** NASes of a provider: whose a session is, whom FreeRADIUS answers, and where a session is ended. */
export function createNasService({ db, write, relogio, recalcular }: NasDeps) {
  return {
    /** NASes of a provider, by address, without their secrets. */
    listar: async (provedorId: number): Promise<Nas[]> => listarNas(db, provedorId),

    /**
     * Adds a NAS, or changes one that the provider has, whose secret stays where none is given. FreeRADIUS knows it, or its new secret, from its next start. Where it is to block in
     * another way, those who are blocked follow, their sessions being ended.
     *
     * @throws EntradaInvalida naming the part that is not acceptable, NasDeOutro of an address of another provider, or Recusa `nao_encontrado` of a
     * POP that there is not
     */
    async adicionar(actor: Actor, provedorId: number, { nome, ...resto }: NovoNas): Promise<NasGravado> {
      const novo = { ...resto, nome: nome === null ? null : aparar(nome) };
      conferir(novo);
      const { endereco } = novo;
      const gravado = await write(actor, provedorId, async (w) => {
        const fila = createFilaQueries(w.tenant.db);
        const dono = await fila.donoDoNas(endereco);
        if (dono !== null && dono !== provedorId) throw new NasDeOutro(`o NAS ${endereco} é do provedor ${dono}`);
        const queries = createNasQueries(w);
        if (novo.segredo === undefined && (dono === null || !(await queries.temSegredo(endereco)))) {
          throw new EntradaInvalida('segredo: é obrigatório num NAS que ainda não o tem');
        }
        const antes = (await fila.nasDe([provedorId])).map(paraNasNaRede);
        await queries.gravar(novo, dono !== null);
        await queries.gravarCliente(novo);
        if (dono === null) {
          await negarTambemEm(
            w,
            endereco,
            antes.map((um) => um.endereco),
          );
        }
        const atual = antes.find((um) => um.endereco === endereco);
        const bloqueio = novo.bloqueio === undefined ? (atual?.bloqueio ?? null) : novo.bloqueio;
        if (!mesmoBloqueio(bloqueio, atual?.bloqueio ?? null)) {
          await definir(w, grupoBloqueadoEm(endereco));
          const situacoes = ['bloqueado', 'inativo'] as const;
          await pedirRedeDeTodos(w, { situacoes }, relogio.agora(), atual === undefined ? 'se_mudar' : 'encerrar');
        }
        if (novo.popId !== undefined) await colocarServidor(w, endereco, novo.popId);
        const portaCoa = await queries.portaCoa(endereco);
        w.touch(PROVEDOR_TAG);
        w.emit(dono === null ? 'nas.adicionado' : 'nas.alterado', null, { nas: endereco, porta_coa: portaCoa });
        return { novo: dono === null, portaCoa };
      });
      if (gravado.novo) await recalcular(provedorId);
      return gravado;
    },

    /** Removes a NAS, its secret included; false when the provider has none of that address. */
    async remover(actor: Actor, provedorId: number, endereco: string): Promise<boolean> {
      const removido = await write(actor, provedorId, async (w) => {
        if ((await createNasQueries(w).remover(endereco)) === 0) return false;
        w.touch(PROVEDOR_TAG);
        w.emit('nas.removido', null, { nas: endereco });
        return true;
      });
      if (removido) await recalcular(provedorId);
      return removido;
    },
  };
}

/** Who is blocked or refused on each NAS of the provider is so on this one, too. */
async function negarTambemEm(w: Write, endereco: string, nas: readonly string[]): Promise<void> {
  const negados = nas.length === 0 ? [] : await createNasQueries(w).negadosEm(nas);
  if (negados.length === 0) return;
  const linhas = negados.map((linha) => ({
    ...linha,
    groupname: (linha.groupname.toLowerCase().startsWith(GRUPO_RETIRADO) ? grupoRetiradoEm : grupoBloqueadoEm)(
      endereco,
    ),
  }));
  for (const grupo of new Set(linhas.map(({ groupname }) => groupname))) await definir(w, grupo);
  await createGruposQueries(w).trocarGrupos([], linhas);
}

/** Has a group of the provider's blocked or refused mean what it must. */
async function definir(w: Write, grupo: string): Promise<void> {
  const { nossa } = await lerRedes(w, []);
  await createConteudoQueries(w).definir(gruposQueNegam(nossa).filter((um) => um.grupo === grupo));
}

const mesmoBloqueio = (a: Bloqueio | null, b: Bloqueio | null): boolean => a?.tipo === b?.tipo && a?.nome === b?.nome;

/** Says nothing of the secret itself. */
function conferir({ endereco, portaCoa, nome, bloqueio, portaAte = null, segredo }: NovoNas): void {
  const falta = bloqueio === undefined || bloqueio === null ? null : bloqueioValido(bloqueio);
  if (falta !== null) throw new EntradaInvalida(`bloqueio: ${falta}`);
  // radacct's nasipaddress holds IPv4 alone.
  if (!isIPv4(endereco)) throw new EntradaInvalida(`endereço: ${endereco} não é IPv4`);
  if (portaCoa !== undefined && (portaCoa < 1 || portaCoa > 65_535))
    throw new EntradaInvalida('porta-coa: de 1 a 65535');
  if (nome !== null && (nome === '' || nome.length > MAIOR_NOME)) {
    throw new EntradaInvalida(`nome: de 1 a ${MAIOR_NOME} caracteres`);
  }
  if (portaAte !== null && (portaAte === '' || portaAte.length > MAIOR_FIM_DE_PORTA)) {
    throw new EntradaInvalida(`porta-ate: de 1 a ${MAIOR_FIM_DE_PORTA} caracteres`);
  }
  if (segredo === undefined) return;
  if (!segredoValido(segredo)) {
    throw new EntradaInvalida(`segredo: de 1 a ${MAIOR_SEGREDO} letras, números e sinais, sem espaços nem acentos`);
  }
}
