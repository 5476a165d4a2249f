import { lerDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
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

/** Fiscal notes, whoever has written them. A write of one touches the tags of its invoice and of the invoice's client. */
export function createNfcomService({ tenant, trail }: NfcomDeps) {
  const queries = createNfcomQueries(tenant);
  return {
    /**
     * The newest note of each invoice that has one, in one statement. The caller has named tags of the invoices or of their clients, which
     * cover what is theirs.
     */
    async porFatura(faturaIds: readonly number[]): Promise<ReadonlyMap<number, NfcomDaFatura>> {
      const rows = faturaIds.length === 0 ? [] : await queries.dasFaturas(faturaIds);
      return new Map(rows.map(({ fatura_id: faturaId, id, situacao }) => [faturaId, { id, situacao }]));
    },

    /** The newest note of an invoice; null when it has none. */
    async daFatura(faturaId: number): Promise<Nfcom | null> {
      trail.dependsOn(faturaTag(faturaId));
      const row = await queries.daFatura(faturaId);
      return row === undefined ? null : paraNfcom(row);
    },

    /** The authorised document of that note with its protocol, as it was received; null where there is none. */
    async xmlDaFatura(faturaId: number): Promise<Buffer | null> {
      return (await queries.daFatura(faturaId))?.xml_autorizado ?? null;
    },
  };
}

function paraNfcom({ xml_assinado: assinado, xml_autorizado: autorizado, ...row }: NfcomRow): Nfcom {
  const xml = autorizado ?? assinado;
  const { motivo_codigo: codigo, motivo } = row;
  return {
    id: row.id,
    faturaId: row.fatura_id,
    clienteId: row.cliente_id,
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
