import { groupBy } from '../../../platform/group-by.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { FaturaRow } from '../../faturas/faturas.types.ts';
import type { Respondem } from './respondem.queries.ts';

/** An invoice with what tells its steps apart. */
type DaFatura = Pick<FaturaRow, 'id' | 'cliente_id' | 'contrato_id'> & { readonly referencia: string };

const DO_BLOQUEIO = columns<{ alvo_id: number; referencia: string; criado_em: string }>('regua_passos', {
  alvo_id: true,
  referencia: true,
  criado_em: true,
});
interface MudancaRow {
  contrato_id: number;
  ocorrido_em: string;
  acao: string;
  situacao_para: string | null;
}

const DA_MUDANCA = columns<MudancaRow>('contratos_historico', {
  contrato_id: true,
  ocorrido_em: true,
  acao: true,
  situacao_para: true,
});
/** Whether a line is of a block; lines were written before they said what a contract came to. */
const bloqueou = ({ acao, situacao_para }: MudancaRow): boolean =>
  situacao_para === null ? acao === 'bloqueio' : situacao_para === 'bloqueado';

/**
 * Which contracts were blocked when an invoice of no contract blocked, by it or before: whom staff release is not blocked for the same one
 * again.
 */
export async function jaBloqueados(
  de: TenantDb,
  faturas: readonly DaFatura[],
  deQuem: Respondem['deQuem'],
): Promise<(fatura: DaFatura, contratoId: number) => boolean> {
  const juntas = faturas.filter(({ contrato_id }) => contrato_id === null);
  const ids = juntas.map(({ id }) => id);
  if (ids.length === 0) return () => false;
  const passos = de.from('regua_passos').where('passo', 'bloqueio').whereIn('alvo_id', ids);
  const bloqueios = groupBy(await rowsOf(passos, DO_BLOQUEIO), (um) => `${um.alvo_id} ${um.referencia}`);
  const bloquearam = juntas.filter(({ id, referencia }) => bloqueios.has(`${id} ${referencia}`));
  if (bloquearam.length === 0) return () => false;
  const contratoIds = bloquearam.flatMap((fatura) => {
    const respondem = deQuem(fatura);
    return typeof respondem === 'string' ? [] : respondem.map(({ id }) => id);
  });
  const mudancas = de
    .from('contratos_historico')
    .whereIn('contrato_id', [...new Set(contratoIds)])
    .where((q) => void q.whereNotNull('situacao_para').orWhere('acao', 'bloqueio'));
  const porContrato = groupBy(await rowsOf(mudancas.orderBy('id'), DA_MUDANCA), ({ contrato_id }) => contrato_id);
  return ({ id, referencia }, contratoId) => {
    const dele = porContrato.get(contratoId) ?? [];
    return (bloqueios.get(`${id} ${referencia}`) ?? []).some(({ criado_em: em }) => {
      const antes = dele.findLast(({ ocorrido_em }) => ocorrido_em < em);
      const porEle = dele.some((uma) => uma.ocorrido_em === em && bloqueou(uma));
      return porEle || (antes !== undefined && bloqueou(antes));
    });
  };
}
