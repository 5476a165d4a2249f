import { columns, rowsOf } from '../../../../platform/mysql/columns.ts';
import { fromDatabaseTime, jsonColumn } from '../../../../platform/mysql/database.ts';
import type { DoTitular, LinhaExportada, Secao } from '../exportacao.types.ts';

interface AuditoriaRow {
  id: number;
  acao: string;
  recurso: string;
  recurso_id: number | null;
  dados: string | object | null;
  ator_tipo: string | null;
  ip: string | null;
  ocorrido_em: string;
}

const DA_LINHA = columns<AuditoriaRow>('auditoria', {
  id: true,
  acao: true,
  recurso: true,
  recurso_id: true,
  dados: true,
  ator_tipo: true,
  ip: true,
  ocorrido_em: true,
});

/** Actors whose address is the person's own. */
const SAO_ELE: readonly (string | null)[] = ['assinante', 'pre_cadastro'];

/** What was done about the person's records. Who did it is said by kind: names and addresses of others are not his data. */
async function auditoria({ tenant, clientes, contratos, faturas, chamados }: DoTitular) {
  const recursos: readonly (readonly [recurso: string, ids: readonly number[]])[] = [
    ['cliente', clientes],
    ['exportacao', clientes],
    ['contrato', contratos],
    ['fatura', faturas],
    ['chamado', chamados],
  ];
  const linhas = tenant.from('auditoria').where((um) => {
    for (const [recurso, ids] of recursos) um.orWhere((q) => void q.where({ recurso }).whereIn('recurso_id', ids));
  });
  const rows = await rowsOf(linhas.orderBy('id'), DA_LINHA);
  return rows.map((row): LinhaExportada => ({
    ...row,
    dados: row.dados === null ? null : jsonColumn<object>(row.dados),
    ip: SAO_ELE.includes(row.ator_tipo) ? row.ip : null,
    ocorrido_em: fromDatabaseTime(row.ocorrido_em).toISOString(),
  }));
}

export const DA_AUDITORIA: readonly Secao[] = [{ nome: 'auditoria', tabelas: ['auditoria'], ler: auditoria }];
