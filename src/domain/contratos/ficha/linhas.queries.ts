import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { porQueNaoEmConfianca } from '../../desbloqueios/desbloqueios.regras.ts';
import type { MotivoDeRecusa } from '../../erros.ts';
import type { SituacaoContrato } from '../contratos.types.ts';

interface LinhaRow {
  id: number;
  situacao: SituacaoContrato;
  bloqueio_origem: 'financeiro' | 'manual' | null;
  motivo: string | null;
  suspenso_em: string | null;
  cancelado_em: string | null;
  nas: string | null;
  servidor: string | null;
  aberta: number | null;
  sessao_desde: string | null;
  desbloqueio_ate: string | null;
  desbloqueio_encerrado_em: string | null;
  situacao_da_causa: string | null;
}

const DA_LINHA = columns<LinhaRow>('contratos', {
  id: true,
  situacao: true,
  bloqueio_origem: true,
  motivo: true,
  suspenso_em: true,
  cancelado_em: true,
  nas: 'x.nas',
  servidor: 'nas.shortname',
  aberta: 'x.aberta',
  sessao_desde: 'x.sessao_desde',
  desbloqueio_ate: 'd.ate',
  desbloqueio_encerrado_em: 'd.encerrado_em',
  situacao_da_causa: 'faturas.situacao',
});

/** What staff are told of a contract's line and block beside what everybody is. */
export interface LinhaDoContrato {
  readonly bloqueioOrigem: 'financeiro' | 'manual' | null;
  /** Why it was blocked, suspended or cancelled, in somebody's words. */
  readonly motivo: string | null;
  readonly suspensoEm: Date | null;
  readonly canceladoEm: Date | null;
  /** Server of the newest session: its address, and its name where it has one. */
  readonly nas: string | null;
  readonly servidor: string | null;
  /** When the open session began; null where none is open. */
  readonly sessaoDesde: Date | null;
  /** The rule that forbids a trust unblock; null where it can be asked for. */
  readonly porQueNaoEmConfianca: MotivoDeRecusa | null;
}

/** The lines of all contracts of a client, by the contract: one statement, however many they are. */
export async function linhasDoCliente(
  tenant: TenantDb,
  clienteId: number,
  { agora, desbloqueioHabilitado }: { readonly agora: Date; readonly desbloqueioHabilitado: boolean },
): Promise<Map<number, LinhaDoContrato>> {
  const ultimo = tenant.from('desbloqueios_confianca as u').whereRaw('u.contrato_id = contratos.id').max('u.id');
  const contratos = tenant
    .from('contratos')
    .leftJoin('conexoes as x', sameTenant('contratos', 'id', 'x', 'contrato_id'))
    .leftJoin('nas', 'nas.nasname', 'x.nas')
    .leftJoin('desbloqueios_confianca as d', function on() {
      sameTenant('contratos', 'id', 'd', 'contrato_id').call(this);
      this.on('d.id', '=', tenant.db.raw('(?)', [ultimo]));
    })
    .leftJoin('faturas', sameTenant('d', 'fatura_causa_id', 'faturas', 'id'))
    .where('contratos.cliente_id', clienteId);
  const ate = toDatabaseTime(agora);
  return new Map(
    (await rowsOf(contratos, DA_LINHA)).map((row) => [
      row.id,
      {
        bloqueioOrigem: row.bloqueio_origem,
        motivo: row.motivo,
        suspensoEm: instante(row.suspenso_em),
        canceladoEm: instante(row.cancelado_em),
        nas: row.nas,
        servidor: row.servidor,
        sessaoDesde: row.aberta === 1 ? instante(row.sessao_desde) : null,
        porQueNaoEmConfianca: porQueNaoEmConfianca({
          habilitado: desbloqueioHabilitado,
          emVigor: row.desbloqueio_ate !== null && row.desbloqueio_encerrado_em === null && row.desbloqueio_ate >= ate,
          situacao: row.situacao,
          bloqueioOrigem: row.bloqueio_origem,
          causaAnterior: row.situacao_da_causa,
        }),
      },
    ]),
  );
}

const instante = (texto: string | null): Date | null => (texto === null ? null : fromDatabaseTime(texto));
