import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { SituacaoContrato } from '../../contratos/contratos.types.ts';

/** What writing addresses, or binding MACs, would do to a whole base. */
export interface EfeitoNaRede {
  /** Logins that would get a row. */
  readonly linhas: number;
  /** Their open sessions. */
  readonly sessoes: number;
  /** Those of them whose address is another, and whose MAC is another: they end, and of another MAC none comes back. */
  readonly enderecos_diferentes: number;
  readonly macs_diferentes: number;
}

interface DasLinhas {
  linhas: number;
}
interface DasSessoes {
  sessoes: number;
  enderecos_diferentes: number;
  macs_diferentes: number;
}

const DAS_LINHAS = columns<DasLinhas>('c', { linhas: 'COUNT(*)' });

const semSeparador = (coluna: string): string =>
  `REPLACE(REPLACE(REPLACE(LOWER(${coluna}), '-', ''), ':', ''), '.', '')`;
const COM_ENDERECO = '(c.ip IS NOT NULL OR c.ipv6_prefixo IS NOT NULL)';
const COM_MAC = "(c.mac IS NOT NULL AND c.tipo_conexao = 'pppoe')";
/** What a NAS never told is not said to differ. */
const OUTRO_IP = `(c.ip IS NOT NULL AND r.framedipaddress NOT IN ('', '0.0.0.0', c.ip))`;
const OUTRO_PREFIXO = `(c.ipv6_prefixo IS NOT NULL AND r.delegatedipv6prefix NOT IN ('', c.ipv6_prefixo))`;
const OUTRO_MAC = `(${COM_MAC} AND r.callingstationid <> '' AND ${semSeparador('r.callingstationid')} <> ${semSeparador('c.mac')})`;

/** An open session that has not been heard of for this long is a leftover; see radius/grupos.queries.ts. */
const ESQUECIDA_MS = 30 * 86_400_000;

/** Counts what would change: all contracts of the provider once, and all open sessions once. */
export async function efeitoNaRede(
  tenant: TenantDb,
  liga: { readonly enderecos: boolean; readonly prenderMac: boolean },
  situacoes: readonly SituacaoContrato[],
  agora: Date,
): Promise<EfeitoNaRede> {
  const concerne = [liga.enderecos ? COM_ENDERECO : 'FALSE', liga.prenderMac ? COM_MAC : 'FALSE'].join(' OR ');
  const contratos = tenant
    .from('contratos as c')
    .whereIn('c.situacao', situacoes)
    .where('c.login', '<>', '')
    .whereRaw(`(${concerne})`);
  const sessoes = tenant
    .from('provedores_nas as n')
    .joinRaw('STRAIGHT_JOIN radacct r FORCE INDEX (acctstoptime) ON r.nasipaddress = n.nasipaddress')
    .joinRaw('STRAIGHT_JOIN contratos c ON c.provedor_id = n.provedor_id AND c.login = r.username')
    .whereNull('r.acctstoptime')
    .whereRaw('COALESCE(r.acctupdatetime, r.acctstarttime) >= ?', [
      toDatabaseTime(new Date(agora.getTime() - ESQUECIDA_MS)),
    ])
    .whereIn('c.situacao', situacoes)
    .whereRaw(`(${concerne})`);
  const soma = (ligada: boolean, condicao: string): string =>
    ligada ? `CAST(COALESCE(SUM(${condicao}), 0) AS SIGNED)` : '0';
  const DAS_SESSOES = columns<DasSessoes>('r', {
    sessoes: 'COUNT(*)',
    enderecos_diferentes: soma(liga.enderecos, `${OUTRO_IP} OR ${OUTRO_PREFIXO}`),
    macs_diferentes: soma(liga.prenderMac, OUTRO_MAC),
  });
  const [deLinhas] = await rowsOf(contratos, DAS_LINHAS);
  const [deSessoes] = await rowsOf(sessoes, DAS_SESSOES);
  return {
    linhas: deLinhas?.linhas ?? 0,
    sessoes: deSessoes?.sessoes ?? 0,
    enderecos_diferentes: deSessoes?.enderecos_diferentes ?? 0,
    macs_diferentes: deSessoes?.macs_diferentes ?? 0,
  };
}
