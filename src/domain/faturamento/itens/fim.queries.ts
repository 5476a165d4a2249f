import { somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { SITUACOES_DE_CANCELADO } from '../../contratos/contratos.types.ts';
import type { SituacaoContrato, TipoCobranca } from '../../contratos/contratos.types.ts';
import {
  competenciaAte,
  mesesAteVencer,
  primeiroFimCobrado,
  somarMeses,
  vencimentoNoMes,
} from '../calculo/meses.regras.ts';
import { nuncaServiu } from '../calculo/servico.regras.ts';
import { lerRegras } from '../configuracao/configuracao.queries.ts';

interface FimRow {
  situacao: SituacaoContrato;
  cancelado_em: string | null;
  tipo_cobranca: TipoCobranca;
  dia_vencimento: number;
}

const DO_FIM = columns<FimRow>('contratos', {
  situacao: true,
  cancelado_em: true,
  tipo_cobranca: true,
  dia_vencimento: true,
});
const DA_MUDANCA = columns<{ situacaoDe: SituacaoContrato | null }>('contratos_historico', {
  situacaoDe: 'situacao_de',
});
const FEITA = columns<{ competencia: Data }>('faturamento_cobrancas', { competencia: true });

/**
 * Whether no charge will take what a contract is to be charged once, from a month on: it is over, and what is still due of it comes before.
 *
 * @param hoje the provider's local day
 */
export async function acabaramAsCobrancas(
  tenant: TenantDb,
  contratoId: number,
  { de, hoje }: { readonly de: Data; readonly hoje: Data },
): Promise<boolean> {
  const [contrato] = await rowsOf(tenant.from('contratos').where('id', contratoId), DO_FIM);
  if (contrato === undefined || !SITUACOES_DE_CANCELADO.includes(contrato.situacao)) return false;
  const { cancelado_em: canceladoEm, tipo_cobranca: tipo, dia_vencimento: dia } = contrato;
  if (canceladoEm === null || tipo === 'isento') return true;
  const mudancas = tenant.from('contratos_historico').where('contrato_id', contratoId).orderBy('id');
  if (nuncaServiu({ situacao: contrato.situacao, mudancas: await rowsOf(mudancas, DA_MUDANCA) })) return true;
  const { desde, antecedencia } = await lerRegras(tenant);
  const ate = somarDias(hoje, antecedencia);
  const { mes } = competenciaAte(tipo, dia, ate);
  const deste = tenant
    .from('faturamento_cobrancas')
    .where({ contrato_id: contratoId, tipo: 'mensalidade', competencia: mes });
  const proximo = (await rowsOf(deste, FEITA)).length === 0 ? mes : somarMeses(mes, 1);
  const [quando = proximo] = [proximo, de, desde ?? de].toSorted().toReversed();
  const vencimento = vencimentoNoMes(somarMeses(quando, mesesAteVencer(tipo)), dia);
  return fromDatabaseTime(canceladoEm) < primeiroFimCobrado(vencimento > ate ? vencimento : ate);
}
