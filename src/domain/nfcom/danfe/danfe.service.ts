import { buffer } from 'node:stream/consumers';
import type { DanfeParaImprimir } from '../../../../workers/threads/danfe-com/contract.ts';
import { NUMERO_DA_UF } from '../../../brazil/municipios/municipios.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Renderings } from '../../../platform/threads/renderings.ts';
import { autorizadorDaUf } from '../autorizador/autorizadores.ts';
import { lerConfiguracaoNfcom } from '../configuracao/leitura.service.ts';
import type { ConfiguracaoNfcom } from '../configuracao/configuracao.types.ts';
import { ehNfcom, foiAutorizada } from '../nfcom.regras.ts';
import { TIPO_DE_EMISSAO } from '../nfcom.types.ts';
import { createDanfeQueries } from './danfe.queries.ts';
import type { DocumentoRow } from './danfe.queries.ts';

export type DanfeService = ReturnType<typeof createDanfeService>;

export interface DanfeDeps {
  readonly tenant: TenantDb;
  readonly impressos: Renderings;
}

/** A document of a note, to be sent as a file. What was read is enough to make it: it is made after the read, and beyond its deadline. */
export interface DocumentoDaNota {
  /** Its access key, or its id where it has none. */
  readonly nome: string;
  readonly fazer: () => Promise<Buffer>;
}

/**
 * The documents of notes that were authorised at some time: those that were cancelled or replaced since are marked on the PDF. One that was
 * issued offline, and is not with the authority yet, has a PDF without a protocol: it holds already.
 */
export function createDanfeService({ tenant, impressos }: DanfeDeps) {
  const queries = createDanfeQueries(tenant);

  async function imprimir(row: DocumentoRow): Promise<DocumentoDaNota | null> {
    const offline = row.situacao === 'processando' && row.tipo_emissao === TIPO_DE_EMISSAO.contingencia;
    const xml = offline ? row.xml_assinado : row.xml_autorizado;
    const situacao = offline ? 'autorizada' : row.situacao;
    if (xml === null || !ehNfcom(xml) || !foiAutorizada(situacao)) return null;
    const danfe: DanfeParaImprimir = {
      xml,
      situacao,
      consulta: ondeSeConsulta(row, await lerConfiguracaoNfcom(tenant)),
      logo: (await queries.identidade())?.logo ?? null,
    };
    const fazer = async (): Promise<Buffer> => {
      const { body } = await impressos.of('danfe-com', danfe).open();
      return Buffer.isBuffer(body) ? body : buffer(body);
    };
    return { nome: nomeDe(row), fazer };
  }

  return {
    /** The DANFE-COM of a note; null when there is none, or when nothing can be drawn of it. */
    async pdf(id: number): Promise<DocumentoDaNota | null> {
      const row = await queries.porId(id);
      return row === undefined ? null : imprimir(row);
    },

    /** The authorised document of a note with its protocol, byte for byte. */
    async xml(id: number): Promise<DocumentoDaNota | null> {
      const row = await queries.porId(id);
      const xml = row?.xml_autorizado ?? null;
      return row === undefined || xml === null ? null : { nome: nomeDe(row), fazer: async () => xml };
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
