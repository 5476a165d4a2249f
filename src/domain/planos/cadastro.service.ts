import { escreverDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { lerAlteracao, lerCampos, opcional } from '../campos/campos.ts';
import { escolha } from '../campos/leitores.ts';
import { conferirVersao, versao } from '../campos/versao.ts';
import { faltaEm, recusarSeNao } from '../erros.ts';
import type { Write } from '../escrita.ts';
import { grupoDoPlano } from '../rede/grupos.regras.ts';
import { planoMudou } from '../rede/mudanca-de-plano.service.ts';
import { PROVEDOR_TAG } from '../tags.ts';
import { createCadastroDePlanosQueries } from './cadastro.queries.ts';
import type { PlanoTravado } from './cadastro.queries.ts';
import { CAMPOS_DO_PLANO } from './planos.campos.ts';

export type CadastroDePlanosService = ReturnType<typeof createCadastroDePlanosService>;

const CAMPOS_DA_ALTERACAO = {
  ...CAMPOS_DO_PLANO,
  contratos: opcional(escolha(['manter', 'acompanhar'])),
  atualizado_em: opcional(versao),
} as const;
const CAMPOS_DA_VENDA = { atualizado_em: opcional(versao) } as const;

export interface PlanoAlterado {
  readonly id: number;
  /** Names of what changed; none where all was so already. */
  readonly campos: readonly string[];
}

/** Plans as staff make and change them; what each takes is read by its form. */
export function createCadastroDePlanosService({ w, relogio }: { w: Write; relogio: Relogio }) {
  const queries = createCadastroDePlanosQueries(w);

  async function travar(id: number, esperada: Date | undefined): Promise<PlanoTravado> {
    const plano = await queries.travar(id);
    recusarSeNao(plano, 'nao_encontrado');
    conferirVersao(esperada, plano.atualizado_em);
    return plano;
  }

  /** Takes a plan off sale, or puts it back; its contracts stay. */
  async function vender(id: number, dados: unknown, ativo: 0 | 1): Promise<PlanoAlterado> {
    const plano = await travar(id, lerCampos(CAMPOS_DA_VENDA, dados).atualizado_em);
    if (plano.ativo === ativo) return { id, campos: [] };
    await w.update('planos', (q) => void q.where({ id }), { ativo });
    w.emit(ativo === 1 ? 'plano.reposto' : 'plano.retirado', id);
    w.touch(PROVEDOR_TAG);
    return { id, campos: ['ativo'] };
  }

  return {
    /** @throws CamposInvalidos, Recusa `codigo_externo_em_uso` */
    async criar(dados: unknown): Promise<{ readonly id: number }> {
      const campos = lerCampos(CAMPOS_DO_PLANO, dados);
      await queries.exigirCodigoLivre(campos.codigo_externo);
      const { tecnologia = null, descricao = null, grupo_radius = null, codigo_externo = null, ...resto } = campos;
      const id = await w.insert('planos', {
        ...resto,
        valor: escreverDinheiro(campos.valor),
        tecnologia,
        descricao,
        grupo_radius,
        codigo_externo,
        criado_em: toDatabaseTime(relogio.agora()),
      });
      w.emit('plano.criado', id);
      w.touch(PROVEDOR_TAG);
      return { id };
    },

    /**
     * Changes a plan. Whether its contracts keep their value or follow a new one has to be said; those that follow are the ones that had
     * the old one. Who logs in gets a new speed at once; contracts are told of a new value, speed or group in lots, by
     * `planos.acompanhar`, and not in this write: there may be tens of thousands, and nobody shall wait for all of them.
     *
     * @throws CamposInvalidos, and Recusa: `nao_encontrado`, `versao_divergente`, `codigo_externo_em_uso`.
     */
    async alterar(id: number, dados: unknown): Promise<PlanoAlterado> {
      const { atualizado_em, contratos, valor, ...campos } = lerAlteracao(CAMPOS_DA_ALTERACAO, dados);
      const antes = await travar(id, atualizado_em);
      await queries.exigirCodigoLivre(campos.codigo_externo, id);
      const novos = { ...campos, ...(valor === undefined ? {} : { valor: escreverDinheiro(valor) }) };
      const mudam = Object.entries(novos).filter(
        ([nome, novo]) => novo !== undefined && novo !== antes[nome as keyof PlanoTravado],
      );
      const nomes = mudam.map(([nome]) => nome);
      if (nomes.includes('valor') && contratos === undefined) {
        faltaEm(
          'contratos',
          'diga se os contratos do plano mantêm o valor que têm (manter) ou o acompanham (acompanhar)',
        );
      }
      if (nomes.length === 0) return { id, campos: [] };

      const depois: PlanoTravado = { ...antes, ...Object.fromEntries(mudam) };
      await w.update('planos', (q) => void q.where({ id }), Object.fromEntries(mudam));
      const acompanham = nomes.includes('valor') && contratos === 'acompanhar';
      const [grupo_de, grupo_para] = [grupoDoPlano(antes), grupoDoPlano(depois)];
      const rede = await planoMudou(w, antes, depois);
      if (rede || acompanham) {
        await queries.pedirAcompanhamento(
          {
            plano_id: id,
            valor_de: acompanham ? antes.valor : null,
            valor_para: acompanham ? depois.valor : null,
            grupo_de: grupo_de === grupo_para ? null : grupo_de,
            grupo_para: grupo_de === grupo_para ? null : grupo_para,
            rede,
          },
          toDatabaseTime(relogio.agora()),
        );
      }
      const escolhido = nomes.includes('valor') && contratos !== undefined ? { contratos } : {};
      w.emit('plano.alterado', id, { campos: nomes, ...escolhido });
      w.touch(PROVEDOR_TAG);
      return { id, campos: nomes };
    },

    /** Takes a plan off sale; its contracts stay. */
    retirar: async (id: number, dados: unknown = {}): Promise<PlanoAlterado> => vender(id, dados, 0),

    /** Puts a plan on sale again. */
    repor: async (id: number, dados: unknown = {}): Promise<PlanoAlterado> => vender(id, dados, 1),
  };
}
