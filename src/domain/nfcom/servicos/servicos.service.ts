import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { nomeComparado } from '../../../brazil/municipios/municipios.ts';
import { ID, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { lerAlteracao, lerCampos } from '../../campos/campos.ts';
import type { DaVersao } from '../../campos/versao.ts';
import { Recusa, faltaEm, recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import { PROVEDOR_TAG } from '../../tags.ts';
import { CLIENTE_COMUM, paraClienteFiscal, paraGrupo, paraServico } from './leitura.service.ts';
import {
  CAMPOS_DA_COMPOSICAO,
  CAMPOS_DO_CLIENTE_FISCAL,
  CAMPOS_DO_GRUPO,
  CAMPOS_DO_MUNICIPIO,
  CAMPOS_DO_SERVICO,
  tributosDe,
  versaoDoClienteFiscal,
} from './servicos.campos.ts';
import { createServicosQueries, nomeDoDono } from './servicos.queries.ts';
import type { DonoDoPreco } from './servicos.types.ts';

export type ServicosNfcomService = ReturnType<typeof createServicosNfcomService>;

const MAIS_SERVICOS = 200;

/** What a provider sells, with which taxes, and how its prices split; what else notes need to know of a client, and of cities. */
export function createServicosNfcomService({ w, relogio }: { readonly w: Write; readonly relogio: Relogio }) {
  const queries = createServicosQueries(w);
  const agora = (): string => toDatabaseTime(relogio.agora());

  function dizer(oque: 'servico' | 'grupo' | 'composicao' | 'municipio', id: number | null): void {
    w.touch(PROVEDOR_TAG);
    w.emit('nfcom.servicos_alterados', id, { oque });
  }

  async function exigirGrupo(id: number): Promise<void> {
    const grupo = (await queries.grupos()).find((um) => um.id === id);
    if (grupo === undefined) faltaEm('grupo_id', 'não há grupo fiscal deste número');
  }

  /** Items outside ICMS have no CFOP, and others have one (rules 540 and 541). */
  async function conferirCfop(grupoId: number, cfop: string | null): Promise<void> {
    const grupo = (await queries.grupos()).map(paraGrupo).find((um) => um.id === grupoId);
    if (grupo === undefined) return exigirGrupo(grupoId);
    const fora = grupo.tributos.icms.cst === 'fora';
    if (fora && cfop !== null) faltaEm('cfop', 'um serviço fora do ICMS não tem CFOP');
    if (!fora && cfop === null) faltaEm('cfop', 'é obrigatório, salvo fora do ICMS');
  }

  return {
    /** @param dados by {@link CAMPOS_DO_SERVICO}. @throws CamposInvalidos */
    async criarServico(dados: unknown): Promise<number> {
      const { cfop = null, unidade = 4, ...lidos } = lerCampos(CAMPOS_DO_SERVICO, dados);
      await conferirCfop(lidos.grupo_id, cfop);
      if ((await queries.servicos()).length >= MAIS_SERVICOS) faltaEm('codigo', 'já há serviços demais');
      const id = await w.insert('nfcom_servicos', { ...lidos, cfop, unidade, atualizado_em: agora() });
      dizer('servico', id);
      return id;
    },

    /** @throws CamposInvalidos; Recusa `nao_encontrado`, `versao_divergente` */
    async alterarServico(id: number, dados: unknown, { versao }: DaVersao = {}): Promise<void> {
      const lidos = lerAlteracao(CAMPOS_DO_SERVICO, dados);
      const antes = (await queries.servicos()).map(paraServico).find((um) => um.id === id);
      recusarSeNao(antes, 'nao_encontrado');
      recusarSeNao(versao === undefined || versao === antes.versao, 'versao_divergente');
      await conferirCfop(lidos.grupo_id ?? antes.grupoId, lidos.cfop === undefined ? antes.cfop : lidos.cfop);
      await w.update('nfcom_servicos', (q) => void q.where({ id }), { ...definidos(lidos), atualizado_em: agora() });
      dizer('servico', id);
    },

    /** @throws Recusa `nao_encontrado`; CamposInvalidos while a price is split into it */
    async removerServico(id: number): Promise<void> {
      const [parte] = await rowsOf(w.from('nfcom_partes').where('servico_id', id).limit(1), ID);
      if (parte !== undefined) faltaEm('servico_id', 'há preço que se reparte neste serviço');
      const quando = { removido_em: agora(), atualizado_em: agora() };
      const mudados = await w.update('nfcom_servicos', (q) => void q.where({ id }).whereNull('removido_em'), quando);
      if (mudados === 0) throw new Recusa('nao_encontrado');
      dizer('servico', id);
    },

    /** @param dados by {@link CAMPOS_DO_GRUPO}: rates in percent. @throws CamposInvalidos */
    async criarGrupo(dados: unknown): Promise<number> {
      const { nome, ibs_cbs_cst: cst, ibs_cbs_classe: classe, ...lidos } = lerCampos(CAMPOS_DO_GRUPO, dados);
      const id = await w.insert('nfcom_grupos', {
        nome,
        tributos: JSON.stringify(tributosDe(lidos)),
        ibs_cbs: ibsCbs(cst, classe),
        atualizado_em: agora(),
      });
      dizer('grupo', id);
      return id;
    },

    /** All of it anew, by {@link CAMPOS_DO_GRUPO}. @throws CamposInvalidos; Recusa `nao_encontrado`, `versao_divergente` */
    async alterarGrupo(id: number, dados: unknown, { versao }: DaVersao = {}): Promise<void> {
      const { nome, ibs_cbs_cst: cst, ibs_cbs_classe: classe, ...lidos } = lerCampos(CAMPOS_DO_GRUPO, dados);
      const antes = (await queries.grupos()).map(paraGrupo).find((um) => um.id === id);
      recusarSeNao(antes, 'nao_encontrado');
      recusarSeNao(versao === undefined || versao === antes.versao, 'versao_divergente');
      const tributos = tributosDe(lidos);
      const fora = tributos.icms.cst === 'fora';
      const deles = (await queries.servicos()).filter(({ grupo_id }) => grupo_id === id);
      if (deles.some(({ cfop }) => (cfop === null) !== fora)) {
        faltaEm('icms', 'há serviço deste grupo cujo CFOP não combina com isto');
      }
      await w.update('nfcom_grupos', (q) => void q.where({ id }), {
        nome,
        tributos: JSON.stringify(tributos),
        ibs_cbs: ibsCbs(cst, classe),
        atualizado_em: agora(),
      });
      dizer('grupo', id);
    },

    /** @throws Recusa `nao_encontrado`; CamposInvalidos while a service has it */
    async removerGrupo(id: number): Promise<void> {
      if ((await queries.servicos()).some(({ grupo_id }) => grupo_id === id)) {
        faltaEm('grupo_id', 'há serviço neste grupo fiscal');
      }
      const quando = { removido_em: agora(), atualizado_em: agora() };
      const mudados = await w.update('nfcom_grupos', (q) => void q.where({ id }).whereNull('removido_em'), quando);
      if (mudados === 0) throw new Recusa('nao_encontrado');
      dizer('grupo', id);
    },

    /** Says how an owner's price splits, by {@link CAMPOS_DA_COMPOSICAO}. @throws CamposInvalidos; Recusa `nao_encontrado` */
    async compor(dono: DonoDoPreco, dados: unknown): Promise<void> {
      const { partes } = lerCampos(CAMPOS_DA_COMPOSICAO, dados);
      if ('id' in dono) {
        const tabela = dono.de === 'plano' ? 'planos' : 'contratos';
        const [ha] = await rowsOf(w.from(tabela).where('id', dono.id).forShare(), ID);
        recusarSeNao(ha, 'nao_encontrado');
      }
      const servicos = new Set((await queries.servicos()).map(({ id }) => id));
      if (partes.some(({ servico_id: id }) => !servicos.has(id))) faltaEm('partes', 'há serviço que não existe');
      const nome = nomeDoDono(dono);
      await w.delete('nfcom_partes', (q) => void q.where('dono', nome));
      const linhas = partes.map(({ servico_id, descricao = null, percentual = null, valor = null }, ordem) => ({
        dono: nome,
        plano_id: dono.de === 'plano' ? dono.id : null,
        contrato_id: dono.de === 'contrato' ? dono.id : null,
        servico_id,
        ordem,
        descricao,
        percentual: percentual === null ? null : (percentual / 10_000).toFixed(4),
        valor: valor === null ? null : escreverDinheiro(valor),
      }));
      if (linhas.length > 0) await w.insert('nfcom_partes', linhas);
      dizer('composicao', 'id' in dono ? dono.id : null);
    },

    /** Says what a client's registration does not, by {@link CAMPOS_DO_CLIENTE_FISCAL}. @throws CamposInvalidos; Recusa `nao_encontrado`, `versao_divergente` */
    async alterarCliente(clienteId: number, dados: unknown, { versao }: DaVersao = {}): Promise<void> {
      const lidos = lerAlteracao(CAMPOS_DO_CLIENTE_FISCAL, dados);
      const [cliente] = await rowsOf(w.from('clientes').where('id', clienteId).forUpdate(), ID);
      recusarSeNao(cliente, 'nao_encontrado');
      const [antes] = await queries.clientes([clienteId]);
      const atual = versaoDoClienteFiscal(antes === undefined ? CLIENTE_COMUM : paraClienteFiscal(antes));
      recusarSeNao(versao === undefined || versao === atual, 'versao_divergente');
      const { indicador_ie: indicador, tipo_assinante: tipo } = lidos;
      if (indicador !== undefined && ![1, 2, 9].includes(indicador)) faltaEm('indicador_ie', 'deve ser 1, 2 ou 9');
      if (typeof tipo === 'number' && tipo > 8 && tipo !== 99) faltaEm('tipo_assinante', 'deve ser de 1 a 8, ou 99');
      const { retencoes, ...resto } = definidos(lidos);
      const colunas = {
        ...resto,
        ...(retencoes === undefined ? {} : { retencoes: retencoes === null ? null : JSON.stringify(retencoes) }),
      };
      const mudados = await w.update('nfcom_clientes', (q) => void q.where('cliente_id', clienteId), colunas);
      if (mudados === 0)
        await w.insert('nfcom_clientes', { cliente_id: clienteId, ...colunas }, { soughtBefore: true });
      w.touch(PROVEDOR_TAG);
      w.emit('nfcom.cliente_alterado', null, { cliente: clienteId, campos: Object.keys(definidos(lidos)) });
    },

    /** Says which municipality a city of addresses is; no code: nothing is said of it any more. @throws CamposInvalidos */
    async dizerMunicipio(dados: unknown): Promise<void> {
      const { cidade: escrita, uf, codigo } = lerCampos(CAMPOS_DO_MUNICIPIO, dados);
      const onde = { uf: uf.toUpperCase(), cidade: nomeComparado(escrita) };
      await w.delete('nfcom_municipios', (q) => void q.where(onde));
      if (codigo !== null) await w.insert('nfcom_municipios', { ...onde, codigo });
      dizer('municipio', null);
    },
  };
}

const ibsCbs = (cst: string | null = null, classe: string | null = null): string | null =>
  cst === null || classe === null ? null : JSON.stringify({ cst, classe, tributado: cst === '000' });

const definidos = <T extends object>(lidos: T): Partial<T> =>
  Object.fromEntries(Object.entries(lidos).filter(([, valor]) => valor !== undefined)) as Partial<T>;
