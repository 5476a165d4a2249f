import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { LinhaQueCai } from './panorama.types.ts';

const SOMA = columns<{ contrato_id: number; quedas: number; lidas: number }>('quedas_diarias', {
  contrato_id: true,
  quedas: 'CAST(SUM(quedas_diarias.quedas) AS UNSIGNED)',
  lidas: 'CAST(SUM(COUNT(*)) OVER () AS UNSIGNED)',
});

const DA_LINHA = columns<Omit<LinhaQueCai, 'quedas'>>('contratos', {
  contratoId: 'contratos.id',
  clienteId: 'contratos.cliente_id',
  cliente: 'clientes.nome',
  plano: 'planos.nome',
  login: true,
  cidade: true,
  nas: 'x.nas',
});

/** The lines that dropped most often since a day, the worst first, and of how many rows that was summed; the sums read one index alone. */
export async function listarPiores(
  tenant: TenantDb,
  desde: Data,
  limite: number,
): Promise<{ valor: LinhaQueCai[]; linhas: number }> {
  const somas = await rowsOf(
    tenant
      .from('quedas_diarias', 'quedas_diarias_dia')
      .where('dia', '>=', desde)
      .groupBy('contrato_id')
      .orderByRaw('SUM(quedas_diarias.quedas) DESC, contrato_id')
      .limit(limite),
    SOMA,
  );
  const [pior] = somas;
  if (pior === undefined) return { valor: [], linhas: 0 };
  const linhas = await rowsOf(
    tenant
      .from('contratos')
      .join('clientes', sameTenant('contratos', 'cliente_id', 'clientes', 'id'))
      .join('planos', sameTenant('contratos', 'plano_id', 'planos', 'id'))
      .leftJoin('conexoes as x', sameTenant('contratos', 'id', 'x', 'contrato_id'))
      .whereIn(
        'contratos.id',
        somas.map(({ contrato_id }) => contrato_id),
      ),
    DA_LINHA,
  );
  const porId = new Map(linhas.map((linha) => [linha.contratoId, linha]));
  const valor = somas.flatMap(({ contrato_id, quedas }) => {
    const linha = porId.get(contrato_id);
    return linha === undefined ? [] : [{ ...linha, quedas }];
  });
  return { valor, linhas: pior.lidas };
}
