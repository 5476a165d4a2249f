import { lerDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { Trail } from '../../platform/cache/trail.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { faturaTag } from '../tags.ts';
import { createNfcomQueries } from './nfcom.queries.ts';
import type { NfcomRow } from './nfcom.queries.ts';
import { ehNfcom, foiAutorizada, qrCodeDoXml } from './nfcom.regras.ts';
import type { Nfcom, NfcomDaFatura, SituacaoNfcom } from './nfcom.types.ts';

export type NfcomService = ReturnType<typeof createNfcomService>;

export interface NfcomDeps {
  readonly tenant: TenantDb;
  readonly trail: Trail;
}

/** Notes of an invoice that are looked at. */
const MAIS_NOTAS = 200;

/** Fiscal notes, whoever has written them. A write of one touches the tags of its invoice and of the invoice's client. */
export function createNfcomService({ tenant, trail }: NfcomDeps) {
  const queries = createNfcomQueries(tenant);
  return {
    /**
     * The note that counts of each invoice that has one (`A_QUE_VALE`), in one statement. The caller has named tags of
     * the invoices or of their clients, which cover what is theirs.
     */
    async porFatura(faturaIds: readonly number[]): Promise<ReadonlyMap<number, NfcomDaFatura>> {
      const rows = faturaIds.length === 0 ? [] : await queries.dasFaturas(faturaIds);
      const valem = new Map<number, NfcomDaFatura>();
      for (const { fatura_id: faturaId, id, situacao } of rows) {
        if (!valem.has(faturaId)) valem.set(faturaId, { id, situacao });
      }
      return valem;
    },

    /** The note of an invoice that counts, of all its contracts or of one; null when it has none. */
    async daFatura(faturaId: number, contratoId: number | null = null): Promise<Nfcom | null> {
      trail.dependsOn(faturaTag(faturaId));
      const [row] = await queries.daFatura(faturaId, contratoId, 1);
      return row === undefined ? null : paraNfcom(row);
    },

    /** The note that counts of each contract of an invoice; of one that is of a single contract, the one note that counts. */
    async dosContratos(faturaId: number): Promise<Nfcom[]> {
      trail.dependsOn(faturaTag(faturaId));
      const rows = await queries.daFatura(faturaId, null, MAIS_NOTAS);
      const contratos = new Set(rows.flatMap(({ contrato_id }) => contrato_id ?? []));
      const valem = contratos.size < 2 ? rows.slice(0, 1) : primeirasPorContrato(rows);
      return valem.map(paraNfcom);
    },
  };
}

function primeirasPorContrato(rows: readonly NfcomRow[]): NfcomRow[] {
  const porContrato = groupBy(rows, ({ contrato_id }) => contrato_id);
  return [...porContrato].flatMap(([contrato, [primeira]]) =>
    contrato === null || primeira === undefined ? [] : [primeira],
  );
}

function paraNfcom({ xml_assinado: assinado, xml_autorizado: autorizado, ...row }: NfcomRow): Nfcom {
  const xml = autorizado ?? assinado;
  const { motivo_codigo: codigo, motivo } = row;
  return {
    id: row.id,
    faturaId: row.fatura_id,
    clienteId: row.cliente_id,
    contratoId: row.contrato_id,
    finalidade: row.finalidade,
    situacao: row.situacao,
    numero: row.numero,
    serie: row.serie,
    chave: row.chave,
    ambiente: row.ambiente,
    protocolo: row.protocolo,
    valor: lerDinheiro(row.valor),
    emitidaEm: instante(row.emitida_em),
    autorizadaEm: instante(row.autorizada_em),
    canceladaEm: instante(row.cancelada_em),
    rejeicao: row.situacao === 'rejeitada' ? { codigo, motivo } : null,
    qrCode: xml === null ? null : qrCodeDoXml(xml.toString('utf8')),
    formatos: formatosDe(row.situacao, autorizado),
  };
}

function formatosDe(situacao: SituacaoNfcom, autorizado: Buffer | null): Nfcom['formatos'] {
  if (autorizado === null || !foiAutorizada(situacao)) return [];
  return ehNfcom(autorizado) ? ['pdf', 'xml'] : ['xml'];
}

const instante = (texto: string | null): Date | null => (texto === null ? null : fromDatabaseTime(texto));
