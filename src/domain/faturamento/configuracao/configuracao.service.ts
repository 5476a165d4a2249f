import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { lerAlteracao, opcional } from '../../campos/campos.ts';
import { inteiro, ouNulo, simOuNao } from '../../campos/leitores.ts';
import { versaoDe } from '../../campos/versao.ts';
import type { DaVersao } from '../../campos/versao.ts';
import { faltaEm, recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { PROVEDOR_TAG } from '../../tags.ts';
import { mes } from '../calculo/meses.leitores.ts';
import { mesDe, somarMeses } from '../calculo/meses.regras.ts';
import { REGRAS_PADRAO } from '../faturamento.types.ts';
import type { RegrasDoFaturamento } from '../faturamento.types.ts';
import { DA_CONFIGURACAO, paraRegras, paraRow } from './configuracao.queries.ts';

/** With more days before the due day, a month could be charged before the month that precedes it. */
const MAIOR_ANTECEDENCIA = 28;
/** Nobody bills a month again that was over so long ago. */
const MESES_PARA_TRAS = 3;

/**
 * `desde`: the first month that is billed (`2026-12`); an empty one switches the daily work off. `confirmado`: that months which are over are
 * to be charged, too.
 */
const CAMPOS_DO_FATURAMENTO = {
  desde: opcional(ouNulo(mes)),
  antecedencia: opcional(inteiro(0, MAIOR_ANTECEDENCIA)),
  fatura_unica: opcional(simOuNao),
  cobrar_bloqueado: opcional(simOuNao),
  confirmado: opcional(simOuNao),
} as const;

/** The version of the settings, as who changes them names it. */
export const versaoDasRegras = ({ desde, antecedencia, faturaUnica, cobrarBloqueado }: RegrasDoFaturamento): string =>
  versaoDe({ desde, antecedencia, faturaUnica, cobrarBloqueado });

/** What is set of a provider's billing. */
export function createConfiguracaoDoFaturamento({
  w,
  provedor,
  relogio,
}: {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}) {
  return {
    /**
     * Sets what is named, by {@link CAMPOS_DO_FATURAMENTO}. What was charged already stays as it is; a first month that is put back to one that
     * is over has those months charged with the next charge of each contract, and has to be confirmed.
     *
     * @returns the names of what changed
     * @throws CamposInvalidos, also of `confirmado` where it is missing; Recusa `versao_divergente`
     */
    async configurar(dados: unknown, { versao }: DaVersao = {}): Promise<string[]> {
      const { desde, antecedencia, fatura_unica, cobrar_bloqueado, confirmado } = lerAlteracao(
        CAMPOS_DO_FATURAMENTO,
        dados,
      );
      const [row] = await rowsOf(w.from('faturamento_configuracoes').forUpdate(), DA_CONFIGURACAO);
      const antes = row === undefined ? REGRAS_PADRAO : paraRegras(row);
      recusarSeNao(versao === undefined || versao === versaoDasRegras(antes), 'versao_divergente');
      const agora = relogio.agora();
      if (typeof desde === 'string' && desde !== antes.desde) {
        const hoje = hojeEm(provedor.fusoHorario, agora);
        const primeiro = somarMeses(hoje, -MESES_PARA_TRAS);
        if (desde < primeiro) faltaEm('desde', `só desde ${primeiro.slice(0, 7)}`);
        const voltou = desde < mesDe(hoje) && (antes.desde === null || desde < antes.desde);
        if (voltou && confirmado !== true) faltaEm('confirmado', 'cobra também meses que já passaram: confirme');
      }
      const como = paraRow(antes);
      const depois = paraRow({
        desde: desde === undefined ? antes.desde : desde,
        antecedencia: antecedencia ?? antes.antecedencia,
        faturaUnica: fatura_unica ?? antes.faturaUnica,
        cobrarBloqueado: cobrar_bloqueado ?? antes.cobrarBloqueado,
      });
      const campos = Object.entries(depois).flatMap(([nome, valor]) =>
        como[nome as keyof typeof como] === valor ? [] : [nome],
      );
      if (campos.length === 0) return campos;
      const linha = { ...depois, atualizado_em: toDatabaseTime(agora) };
      if (row === undefined) await w.insert('faturamento_configuracoes', linha, { soughtBefore: true });
      else await w.update('faturamento_configuracoes', () => {}, linha);
      w.emit('faturamento.configurado', null, { campos });
      w.touch(PROVEDOR_TAG);
      return campos;
    },
  };
}
