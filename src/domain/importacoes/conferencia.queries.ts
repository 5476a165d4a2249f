import { hojeEm } from '../../brazil/calendario/datas.ts';
import { expressions, rowsOf } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Provedor } from '../provedores/provedores.types.ts';

interface Quantos {
  readonly situacao: string;
  readonly quantos: number;
}

/** Sums by table and state, as other systems show them. */
export interface Conferencia {
  readonly planos: number;
  readonly clientes: readonly Quantos[];
  readonly telefones: number;
  readonly contratos: readonly (Quantos & { readonly valor: string })[];
  /** Contracts that have one. */
  readonly logins: number;
  /** Passwords of imported logins that are not in the network yet. */
  readonly senhas_por_aplicar: number;
  /** Open ones told apart by today's date. */
  readonly faturas: readonly (Quantos & { readonly valor: string; readonly pago: string })[];
  readonly desbloqueios_em_vigor: number;
}

const QUANTAS = expressions<{ quantas: number }>({ quantas: 'COUNT(*)' });
const POR_SITUACAO = expressions<Quantos>({ situacao: 'situacao', quantos: 'COUNT(*)' });
const COM_VALOR = expressions<Quantos & { valor: string }>({
  situacao: 'situacao',
  quantos: 'COUNT(*)',
  valor: 'SUM(valor)',
});
const DAS_FATURAS = expressions<{ grupo: string; passou: number; quantos: number; valor: string; pago: string }>({
  grupo: 'grupo',
  passou: 'passou',
  quantos: 'COUNT(*)',
  valor: 'SUM(valor)',
  pago: 'SUM(valor_pago)',
});

export async function conferir(tenant: TenantDb, { fusoHorario }: Provedor, agora: Date): Promise<Conferencia> {
  const hoje = hojeEm(fusoHorario, agora);
  const contar = async (tabela: string, condicao: string): Promise<number> => {
    const [row] = await rowsOf(tenant.from(tabela).whereRaw(condicao), QUANTAS);
    return row?.quantas ?? 0;
  };
  const porSituacao = (tabela: string) => tenant.from(tabela).groupBy('situacao').orderBy('situacao');
  const comPrazo = tenant
    .from('faturas')
    .select('grupo', 'valor', 'valor_pago', tenant.db.raw(`(grupo = 'aberta' AND vencimento < ?) AS passou`, [hoje]));
  const faturas = await rowsOf(
    tenant.db.from(comPrazo.as('faturas')).groupBy('grupo', 'passou').orderBy(['grupo', 'passou']),
    DAS_FATURAS,
  );
  return {
    planos: await contar('planos', 'TRUE'),
    clientes: await rowsOf(porSituacao('clientes'), POR_SITUACAO),
    telefones: await contar('clientes_telefones', 'TRUE'),
    contratos: await rowsOf(porSituacao('contratos'), COM_VALOR),
    logins: await contar('contratos', 'login IS NOT NULL'),
    senhas_por_aplicar: await contar('importacao_senhas', 'TRUE'),
    faturas: faturas.map(({ grupo, passou, ...soma }) => ({
      situacao: grupo === 'aberta' ? (passou === 1 ? 'vencida' : 'pendente') : grupo,
      ...soma,
    })),
    desbloqueios_em_vigor: await contar('desbloqueios_confianca', 'encerrado_em IS NULL'),
  };
}
