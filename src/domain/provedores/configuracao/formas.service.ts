import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { Actor } from '../../actor.ts';
import { lerAlteracao, lerCampos } from '../../campos/campos.ts';
import { conferirLidos } from '../../campos/versao.ts';
import type { DaVersao } from '../../campos/versao.ts';
import { faltaEm, recusarSeNao } from '../../erros.ts';
import type { RegrasDeEncargos } from '../efeitos/encargos.regras.ts';
import {
  FORMA_DAS_BUSCAS,
  FORMA_DA_COBRANCA,
  FORMA_DA_IDENTIDADE,
  emMudancas,
  nomeNaForma,
} from './configuracao.campos.ts';
import { buscarConfiguracao, lerLinhas } from './configuracao.queries.ts';
import type { Linhas } from './configuracao.queries.ts';
import { LEITURAS, jurosConfirmados, lerMudancas } from './configuracao.regras.ts';
import type { CampoDigitado, Mudancas } from './configuracao.regras.ts';
import type { Conferir, ConfiguracaoService } from './configuracao.service.ts';
import type { Configurado } from './configuracao.types.ts';

export type FormasDaConfiguracaoService = ReturnType<typeof createFormasDaConfiguracaoService>;

/** All fields by their names in the forms, as texts that the forms read back; '' where there is nothing. */
export interface FormasPreenchidas {
  readonly campos: Readonly<Record<string, string>>;
  readonly temLogo: boolean;
}

export interface ConfiguradoNaForma {
  /** Names of the fields that changed. */
  readonly mudados: readonly string[];
  /** Names of the fields that a PIX recipient still lacks, where some are there. */
  readonly pixFalta: readonly string[];
}

const POR_QUE_CONFIRMAR =
  'acima de 1,00 % ao mês (CTN, art. 161, § 1º) é preciso confirmar; acima de 2,00 %, a Lei da Usura não deixa';

export interface FormasDeps {
  readonly db: Db;
  readonly configuracao: Pick<ConfiguracaoService, 'configurar'>;
}

/** The provider's configuration as forms show and change it: its identity, how it charges, and what keys may find out. */
export function createFormasDaConfiguracaoService({ db, configuracao }: FormasDeps) {
  async function lerConfiguracao(provedorId: number): Promise<FormasPreenchidas | null> {
    const linhas = await lerLinhas(createTenantDb(db, provedorId));
    if (linhas === undefined) return null;
    const { logo = null } = linhas.provedores_identidade ?? {};
    return { campos: camposDe(linhas), temLogo: logo !== null };
  }

  /** Interest that stands as it was has been confirmed. */
  async function comJurosConfirmados(provedorId: number, mudancas: Mudancas): Promise<Mudancas> {
    const juros = jurosConfirmados(lerMudancas({ ...mudancas, confirmarJuros: true }));
    if (juros === null || mudancas.confirmarJuros === true) return mudancas;
    const atual = (await lerConfiguracao(provedorId))?.campos['juros'];
    if (atual !== juros.replace('.', ',')) faltaEm('confirmar_juros', POR_QUE_CONFIRMAR);
    return { ...mudancas, confirmarJuros: true };
  }

  return {
    /** What stands in the forms before anybody types; null when there is no such provider. */
    lerConfiguracao,

    /** @throws CamposInvalidos by the fields of `FORMA_DA_IDENTIDADE`, or Recusa `versao_divergente` */
    async configurarIdentidade(
      actor: Actor,
      provedorId: number,
      dados: unknown,
      { versao }: DaVersao = {},
    ): Promise<ConfiguradoNaForma> {
      const lidos = lerAlteracao(FORMA_DA_IDENTIDADE, dados);
      const conferir = conferirForma(versao, lidos);
      return paraForma(await configuracao.configurar(actor, provedorId, emMudancas(lidos), conferir));
    },

    /**
     * @throws CamposInvalidos by the fields of `FORMA_DA_COBRANCA`, of `confirmar_juros` where interest has to be confirmed first; or Recusa
     * `versao_divergente`
     */
    async configurarCobranca(
      actor: Actor,
      provedorId: number,
      dados: unknown,
      { versao }: DaVersao = {},
    ): Promise<ConfiguradoNaForma> {
      const lidos = lerAlteracao(FORMA_DA_COBRANCA, dados);
      const mudancas = await comJurosConfirmados(provedorId, emMudancas(lidos));
      const conferir = conferirForma(versao, lidos);
      return paraForma(await configuracao.configurar(actor, provedorId, mudancas, conferir));
    },

    /** @throws CamposInvalidos by the fields of `FORMA_DAS_BUSCAS`, or Recusa `versao_divergente` */
    async configurarBuscas(
      actor: Actor,
      provedorId: number,
      dados: unknown,
      { versao }: DaVersao = {},
    ): Promise<ConfiguradoNaForma> {
      const lidos = lerAlteracao(FORMA_DAS_BUSCAS, dados);
      const conferir = conferirForma(versao, lidos);
      return paraForma(await configuracao.configurar(actor, provedorId, emMudancas(lidos), conferir));
    },

    /**
     * The rules of charges of a form that nobody has saved yet; of what it does not say, those that stand hold. For `exemploDeEncargos` and
     * `faturasAfetadas` of ../efeitos.
     *
     * @throws CamposInvalidos as `configurarCobranca`, but for interest that was not confirmed.
     */
    async regrasDaForma(provedorId: number, dados: unknown): Promise<RegrasDeEncargos> {
      const mudancas = lerMudancas({ ...emMudancas(lerCampos(FORMA_DA_COBRANCA, dados)), confirmarJuros: true });
      const atual = await buscarConfiguracao(db, provedorId);
      recusarSeNao(atual, 'nao_encontrado');
      return comMudancas(atual.provedor.regras, Object.assign({}, ...mudancas.map(({ colunas }) => colunas)) as object);
    },
  };
}

/** All fields by their names in the forms. */
const camposDe = (linhas: Linhas): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (Object.keys(LEITURAS) as CampoDigitado[]).map((campo) => {
      const { tabela, coluna } = LEITURAS[campo];
      return [nomeNaForma(campo), escrever(campo, linhas[tabela]?.[coluna] ?? null)] as const;
    }),
  );

/** Of the fields that a form has, how they stand; see `versaoDe`. */
export const lidosDe = (
  campos: Readonly<Record<string, string>>,
  nomes: readonly string[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(nomes.flatMap((nome) => (campos[nome] === undefined ? [] : [[nome, campos[nome]] as const])));

/** Refuses what was typed into a form of another version. */
const conferirForma =
  (versao: string | undefined, lidos: object): Conferir =>
  (linhas) =>
    conferirLidos(versao, lidosDe(camposDe(linhas), Object.keys(lidos)));

/** The rules with columns as a change writes them. */
function comMudancas(regras: RegrasDeEncargos, colunas: object): RegrasDeEncargos {
  const mudado = new Map<string, unknown>(Object.entries(colunas));
  const percentual = (coluna: string, antes: number): number =>
    mudado.has(coluna) ? lerDinheiro(String(mudado.get(coluna))) : antes;
  return {
    multaPercentual: percentual('multa_percentual', regras.multaPercentual),
    jurosMensalPercentual: percentual('juros_mensal_percentual', regras.jurosMensalPercentual),
    carenciaDias: Number(mudado.get('carencia_dias') ?? regras.carenciaDias),
  };
}

/** As people write it, and as the form reads it. */
function escrever(campo: CampoDigitado, valor: string | number | Buffer | null): string {
  if (valor === null) return '';
  if (campo === 'desbloqueio' || campo === 'excedenteCredito') return Number(valor) === 1 ? 'sim' : 'nao';
  const texto = String(valor);
  return campo === 'multa' || campo === 'juros' ? texto.replace('.', ',') : texto;
}

const paraForma = ({ mudados, pixFalta }: Configurado): ConfiguradoNaForma => ({
  mudados: mudados.map(nomeNaForma),
  pixFalta: pixFalta.map(nomeNaForma),
});
