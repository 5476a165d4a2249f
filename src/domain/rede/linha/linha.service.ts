import { hojeEm, inicioDoDiaEm, somarDias } from '../../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { COLUNAS_DAS_QUEDAS, COLUNAS_DO_RADACCT } from '../../conexoes/conexoes.types.ts';
import type { RadacctRow } from '../../conexoes/conexoes.types.ts';
import { sessoesDoLogin } from '../../conexoes/radacct.regras.ts';
import { interpretarSessao, sessoesDesde } from '../../conexoes/sessoes.regras.ts';
import type { TrafegoService } from '../../trafego/trafego.service.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { causasPorDia } from './linha.regras.ts';
import type { HistoricoDaLinha, SessaoDaLinha } from './linha.types.ts';

export type LinhasService = ReturnType<typeof createLinhasService>;

export interface LinhasDeps {
  readonly tenant: TenantDb;
  readonly provedor: Pick<Provedor, 'fusoHorario'>;
  readonly relogio: Relogio;
  readonly intervaloPadraoSegundos: number;
  readonly trafego: Pick<TrafegoService, 'doContrato'>;
}

const DIA_MS = 86_400_000;
const DIAS = 30;
const DIAS_DE_SESSOES = 7;
/** A line that drops every five minutes has more in 30 days; the days that are looked at last are the newest. */
const MAXIMO_DE_SESSOES = 2000;

interface SessaoRow extends RadacctRow {
  nasipaddress: string;
  framedipaddress: string;
  callingstationid: string;
  acctinputoctets: number | null;
  acctoutputoctets: number | null;
}

const DA_SESSAO = columns<SessaoRow>('r', {
  ...COLUNAS_DO_RADACCT.of,
  nasipaddress: true,
  framedipaddress: true,
  callingstationid: true,
  acctinputoctets: true,
  acctoutputoctets: true,
});

const SEM_BYTES = { download: 0, upload: 0 };

const LOGIN = columns<{ login: string | null; login_desde: string | null }>('contratos', {
  login: true,
  login_desde: true,
});

/** What a contract's line did, for staff; none of this is kept in a cache. */
export function createLinhasService({ tenant, provedor, relogio, intervaloPadraoSegundos, trafego }: LinhasDeps) {
  async function lerSessoes(login: string | null, desde: Date): Promise<SessaoRow[]> {
    if (login === null || login === '') return [];
    return rowsOf(sessoesDoLogin(tenant, login, desde, MAXIMO_DE_SESSOES), DA_SESSAO);
  }

  return {
    /** Sessions, drops and bytes of a contract's line; null when this tenant has no such contract. Four statements. */
    async historico(contratoId: number): Promise<HistoricoDaLinha | null> {
      const [contrato] = await rowsOf(tenant.from('contratos').where('id', contratoId), LOGIN);
      if (contrato === undefined) return null;
      const agora = relogio.agora();
      const fuso = provedor.fusoHorario;
      const hoje = hojeEm(fuso, agora);
      const dias = Array.from({ length: DIAS }, (_, n) => somarDias(hoje, n - DIAS + 1));
      const [primeiro = hoje] = dias;
      const gravadas = tenant
        .from('quedas_diarias', 'PRIMARY')
        .where('contrato_id', contratoId)
        .whereBetween('dia', [primeiro, hoje]);
      const [rows, quedas, bytes] = await Promise.all([
        lerSessoes(contrato.login, inicioDoDiaEm(fuso, primeiro)),
        rowsOf(gravadas, COLUNAS_DAS_QUEDAS),
        trafego.doContrato(contratoId, primeiro, hoje),
      ]);
      const lidas = rows.map((row) => ({ ...interpretarSessao(row, agora, intervaloPadraoSegundos), row }));
      const desde = contrato.login_desde === null ? null : fromDatabaseTime(contrato.login_desde);
      const sessoes = sessoesDesde(lidas, desde, agora).map(
        ({ inicio, fim, aberta, parada, causa, queda, duracaoSegundos, row }): SessaoDaLinha => ({
          inicio,
          fim,
          estado: aberta ? 'aberta' : parada ? 'sem_resposta' : 'encerrada',
          causa,
          queda,
          duracaoSegundos,
          nas: row.nasipaddress,
          ip: row.framedipaddress === '' || row.framedipaddress === '0.0.0.0' ? null : row.framedipaddress,
          mac: row.callingstationid === '' ? null : row.callingstationid,
          download: row.acctoutputoctets,
          upload: row.acctinputoctets,
        }),
      );
      const bytesDe = new Map(bytes.map(({ dia, download, upload }) => [dia, { download, upload }]));
      const totais = new Map(quedas.map((row) => [row.dia, row.quedas]));
      const causas = causasPorDia(sessoes, fuso);
      const seteDias = agora.getTime() - DIAS_DE_SESSOES * DIA_MS;
      return {
        sessoes: sessoes.filter(({ fim }) => fim === null || fim.getTime() >= seteDias),
        ultima: sessoes[0] ?? null,
        quedas: dias.map((dia) => ({ dia, quedas: totais.get(dia) ?? 0, causas: causas.get(dia) ?? [] })),
        trafego: bytes.length === 0 ? null : dias.map((dia) => ({ dia, ...(bytesDe.get(dia) ?? SEM_BYTES) })),
        incompleto: rows.length === MAXIMO_DE_SESSOES,
      };
    },
  };
}
