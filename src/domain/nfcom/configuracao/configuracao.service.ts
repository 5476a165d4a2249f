import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { jsonColumn, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { lerAlteracao, lerCampos } from '../../campos/campos.ts';
import type { DaVersao } from '../../campos/versao.ts';
import { Recusa, faltaEm, recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { PROVEDOR_TAG } from '../../tags.ts';
import { trocarDeAutoridade, retomarComNumeros } from '../envio/retomada.ts';
import { AMBIENTES_DE_NFCOM } from '../nfcom.types.ts';
import { criarServicosDeFabrica } from '../servicos/fabrica.service.ts';
import { CAMPOS_DA_CONTINGENCIA, CAMPOS_DA_NFCOM, CAMPOS_DO_COMECO } from './configuracao.campos.ts';
import { gravarConfiguracao, gravarProximo, travarConfiguracao, travarNumeracao } from './configuracao.queries.ts';
import type { ConfiguracaoRow, Numeracao } from './configuracao.queries.ts';
import type { ResponsavelConfigurado } from './configuracao.types.ts';
import { faltasDoEmitente, lerConfiguracaoNfcom, versaoDaConfiguracao } from './leitura.service.ts';

export type ConfiguracaoNfcomService = ReturnType<typeof createConfiguracaoNfcomService>;

interface ConfiguracaoNfcomDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
  readonly segredos: Secrets;
}

/** Where the code of the technical responsible (CSRT) is sealed. */
export const lugarDoCsrt = (provedorId: number) => ({
  tenant: provedorId,
  table: 'nfcom_configuracoes',
  column: 'responsavel_csrt',
});

type Colunas = Partial<Record<keyof ConfiguracaoRow, unknown>>;

/** What is set of a provider's fiscal notes. */
export function createConfiguracaoNfcomService({ w, provedor, relogio, segredos }: ConfiguracaoNfcomDeps) {
  async function gravar(mudancas: Colunas, campos: readonly string[]): Promise<void> {
    await gravarConfiguracao(w, mudancas, relogio.agora());
    w.touch(PROVEDOR_TAG);
    w.emit('nfcom.configurada', null, { campos: [...campos] });
  }

  /** @returns the next number of the series. @throws CamposInvalidos where that is to be a number that was used */
  async function numerarDesde(numeracao: Numeracao, proximo: number | undefined): Promise<number> {
    const atual = await travarNumeracao(w, numeracao);
    if (proximo === undefined) return atual;
    if (proximo < atual) faltaEm('proximo_numero', `o próximo número já é ${atual}`);
    await gravarProximo(w, numeracao, proximo);
    return proximo;
  }

  return {
    /**
     * Sets what is named, by {@link CAMPOS_DA_NFCOM}; what is not named stays as it is.
     *
     * @returns the names of what was named
     * @throws CamposInvalidos; Recusa `versao_divergente`
     */
    async configurar(dados: unknown, { versao }: DaVersao = {}): Promise<string[]> {
      const lidos = lerAlteracao(CAMPOS_DA_NFCOM, dados);
      const antes = await travarConfiguracao(w);
      recusarSeNao(versao === undefined || versao === versaoDaConfiguracao(antes), 'versao_divergente');
      const { automatica, proximo_numero: proximo, ibs_cbs, autorizador, autorizados, responsavel, ...simples } = lidos;
      const colunas: Colunas = Object.fromEntries(Object.entries(simples).filter(([, valor]) => valor !== undefined));
      if (automatica !== undefined) {
        colunas.automatica = automatica ? 1 : 0;
        // What was issued before goes by hand: its notes may exist elsewhere.
        if (automatica && antes?.automatica !== 1) {
          colunas.automatica_desde = hojeEm(provedor.fusoHorario, relogio.agora());
        }
      }
      if (ibs_cbs !== undefined) colunas.ibs_cbs = emJson(ibs_cbs);
      if (autorizador !== undefined) colunas.autorizador = emJson(autorizador);
      if (autorizados !== undefined) colunas.autorizados = JSON.stringify(autorizados);
      if (responsavel !== undefined) {
        const { csrt = null, ...resto } = responsavel ?? {};
        colunas.responsavel = responsavel === null ? null : JSON.stringify({ ...resto, csrtId: csrt?.id ?? null });
        if (csrt === null) colunas.responsavel_csrt = null;
        else if (csrt.codigo !== undefined) {
          colunas.responsavel_csrt = segredos.seal(lugarDoCsrt(w.provedorId), Buffer.from(csrt.codigo));
        } else if (csrtDe(antes) !== csrt.id) faltaEm('responsavel.csrt.codigo', 'diga o código do CSRT');
      }
      if (lidos.ambiente !== undefined && lidos.ambiente !== (antes?.ambiente ?? 'homologacao'))
        await trocarDeAutoridade(w);
      if (proximo !== undefined || lidos.serie !== undefined) {
        const numeracao = {
          ambiente: lidos.ambiente ?? antes?.ambiente ?? ('homologacao' as const),
          serie: lidos.serie ?? antes?.serie ?? 1,
        };
        await retomarComNumeros(w, numeracao, await numerarDesde(numeracao, proximo), relogio.agora());
      }
      const campos = Object.entries(lidos).flatMap(([nome, valor]) => (valor === undefined ? [] : [nome]));
      await gravar(colunas, campos);
      if (automatica === true) {
        const [falta] = faltasDoEmitente(await lerConfiguracaoNfcom(w.tenant));
        if (falta !== undefined) faltaEm(falta.campo, falta.mensagem);
      }
      return campos;
    },

    /**
     * Sets what a provider is asked at first (`CAMPOS_DO_COMECO`): its state registration, and how much of its prices is SVA. Services, taxes
     * and the way prices split are made of it, where the provider has none yet. Who has issued notes by another program says besides in which
     * series, and from which number on, they go here.
     *
     * @throws CamposInvalidos; Recusa `versao_divergente`
     */
    async comecar(dados: unknown, { versao }: DaVersao = {}): Promise<void> {
      const antes = await travarConfiguracao(w);
      recusarSeNao(versao === undefined || versao === versaoDaConfiguracao(antes), 'versao_divergente');
      const lidos = lerCampos(CAMPOS_DO_COMECO, dados);
      const { inscricao_estadual, crt = 1, sva_percentual: sva = 0, icms = 0 } = lidos;
      if (crt === 3 && icms === 0) faltaEm('icms', 'diga a alíquota do ICMS na UF do provedor');
      await criarServicosDeFabrica(w, { crt, sva, icms }, relogio.agora());
      const { serie, proximo_numero: proximo } = lidos;
      // Of trials too: whoever goes over to real notes has said it already.
      for (const ambiente of proximo === undefined ? [] : AMBIENTES_DE_NFCOM) {
        await numerarDesde({ ambiente, serie: serie ?? antes?.serie ?? 1 }, proximo);
      }
      const daSerie = serie === undefined ? {} : { serie };
      await gravar({ inscricao_estadual, crt, ...daSerie }, ['inscricao_estadual', 'crt', ...Object.keys(daSerie)]);
    },

    /** Notes are issued offline from now on. @throws CamposInvalidos; Recusa `transicao_invalida` while they are already */
    async entrarEmContingencia(dados: unknown): Promise<void> {
      const { justificativa } = lerCampos(CAMPOS_DA_CONTINGENCIA, dados);
      const antes = await travarConfiguracao(w);
      if ((antes?.contingencia_desde ?? null) !== null)
        throw new Recusa('transicao_invalida', { dito: 'já está em contingência' });
      const contingencia_desde = toDatabaseTime(relogio.agora());
      await gravar({ contingencia_desde, contingencia_porque: justificativa }, ['contingencia']);
    },

    /** @returns whether notes were issued offline */
    async sairDaContingencia(): Promise<boolean> {
      const antes = await travarConfiguracao(w);
      if (antes === undefined || antes.contingencia_desde === null) return false;
      await gravar({ contingencia_desde: null, contingencia_porque: null }, ['contingencia']);
      return true;
    },
  };
}

/** The id of the CSRT whose code is kept; null: none is. */
const csrtDe = (row: ConfiguracaoRow | undefined): string | null =>
  row?.responsavel === null || row?.responsavel === undefined || row.responsavel_csrt === null
    ? null
    : jsonColumn<ResponsavelConfigurado>(row.responsavel).csrtId;

const emJson = (valor: object | null): string | null => (valor === null ? null : JSON.stringify(valor));
