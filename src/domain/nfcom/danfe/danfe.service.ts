import { buffer } from 'node:stream/consumers';
import type { DanfeParaImprimir } from '../../../../workers/threads/danfe-com/contract.ts';
import { NUMERO_DA_UF } from '../../../brazil/municipios/municipios.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Renderings } from '../../../platform/threads/renderings.ts';
import { autorizadorDaUf } from '../autorizador/autorizadores.ts';
import { lerConfiguracaoNfcom } from '../configuracao/leitura.service.ts';
import type { ConfiguracaoNfcom } from '../configuracao/configuracao.types.ts';
import { ehNfcom, foiAutorizada } from '../nfcom.regras.ts';
import { createDanfeQueries } from './danfe.queries.ts';
import type { DocumentoRow } from './danfe.queries.ts';

export type DanfeService = ReturnType<typeof createDanfeService>;

export interface DanfeDeps {
  readonly tenant: TenantDb;
  readonly impressos: Renderings;
}

/** A document of a note, to be sent as a file. */
export interface DocumentoDaNota {
  /** Its access key, or its id where it has none. */
  readonly nome: string;
  readonly bytes: Buffer;
}

/** The documents of notes that were authorised at some time: those that were cancelled or replaced since are marked on the PDF. */
export function createDanfeService({ tenant, impressos }: DanfeDeps) {
  const queries = createDanfeQueries(tenant);

  async function imprimir(row: DocumentoRow): Promise<DocumentoDaNota | null> {
    const { situacao, xml_autorizado: xml } = row;
    if (xml === null || !ehNfcom(xml) || !foiAutorizada(situacao)) return null;
    const danfe: DanfeParaImprimir = {
      xml,
      situacao,
      consulta: ondeSeConsulta(row, await lerConfiguracaoNfcom(tenant)),
      logo: (await queries.identidade())?.logo ?? null,
    };
    const { body } = await impressos.of('danfe-com', danfe).open();
    return { nome: nomeDe(row), bytes: Buffer.isBuffer(body) ? body : await buffer(body) };
  }

  return {
    /** The DANFE-COM of the newest note of an invoice; null when there is none, or when nothing can be drawn of it. */
    async pdfDaFatura(faturaId: number): Promise<DocumentoDaNota | null> {
      const row = await queries.daFatura(faturaId);
      return row === undefined ? null : imprimir(row);
    },

    /** The DANFE-COM of a note. */
    async pdf(id: number): Promise<DocumentoDaNota | null> {
      const row = await queries.porId(id);
      return row === undefined ? null : imprimir(row);
    },

    /** The authorised document of a note with its protocol, byte for byte. */
    async xml(id: number): Promise<DocumentoDaNota | null> {
      const row = await queries.porId(id);
      const xml = row?.xml_autorizado ?? null;
      return row === undefined || xml === null ? null : { nome: nomeDe(row), bytes: xml };
    },
  };
}

const nomeDe = ({ id, chave }: DocumentoRow): string => `nfcom-${chave ?? id}`;

/** Where people look the note up: at the authoriser that is set, where the note is of its UF, else at that UF's. */
function ondeSeConsulta(
  { chave, ambiente }: DocumentoRow,
  { autorizador, emitente }: ConfiguracaoNfcom,
): string | null {
  const uf = Object.entries(NUMERO_DA_UF).find(([, numero]) => chave?.startsWith(numero))?.[0];
  if (uf === undefined) return null;
  return (uf === emitente.uf && autorizador !== null ? autorizador : autorizadorDaUf(uf))[ambiente].publica;
}
