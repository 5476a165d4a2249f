import { columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { adaptadorDe } from '../adaptadores/adaptadores.ts';
import type { ConvenioRow, EstadoDaCobranca, EtapaDaCobranca } from '../psp.types.ts';
import { listarConvenios } from './convenios.queries.ts';

export type LeituraDoPspService = ReturnType<typeof createLeituraDoPspService>;

/** An agreement as staff see it: nothing of it is secret. */
export interface Convenio {
  readonly id: number;
  readonly cobradorId: number;
  readonly ativo: boolean;
  readonly adaptador: string;
  readonly nome: string;
  readonly base: string;
  readonly tokenUrl: string;
  readonly chave: string;
  readonly tipo: ConvenioRow['tipo'];
  readonly validadeDias: number;
  /** Of what is set of it. */
  readonly versao: number;
  readonly caminhos: string | null;
  readonly certificado: { readonly titular: string; readonly validoAte: Date } | null;
  readonly webhook: ConvenioRow['webhook'];
  /** Up to when what was received is known. */
  readonly lidoAte: Date | null;
  readonly parada: { readonly ate: Date; readonly codigo: string } | null;
}

/** A charge that is to be made, or that its PSP refused. */
export interface CobrancaNaLista {
  readonly id: number;
  readonly faturaId: number;
  readonly txid: string;
  readonly estado: EstadoDaCobranca;
  readonly etapa: EtapaDaCobranca | null;
  readonly tentativas: number;
  readonly codigo: string | null;
  readonly motivo: string | null;
}

interface NaListaRow {
  id: number;
  fatura_id: number;
  txid: string;
  estado: EstadoDaCobranca;
  etapa: EtapaDaCobranca | null;
  tentativas: number;
  codigo: string | null;
  motivo: string | null;
}

const NA_LISTA = columns<NaListaRow>('psp_cobrancas', {
  id: true,
  fatura_id: true,
  txid: true,
  estado: true,
  etapa: true,
  tentativas: true,
  codigo: true,
  motivo: true,
});

const CONTAGEM = columns<{ estado: EstadoDaCobranca }>('psp_cobrancas', { estado: true });
const QUANTAS = expressions<{ quantas: number }>({ quantas: 'count(*)' });
const MAIS_NA_LISTA = 100;

const emData = (texto: string | null): Date | null => (texto === null ? null : fromDatabaseTime(texto));

/** What staff see of charges at PSPs. */
export function createLeituraDoPspService({ tenant }: { readonly tenant: TenantDb }) {
  const lista = async (narrow: object, comEtapa: boolean): Promise<CobrancaNaLista[]> => {
    const query = tenant.from('psp_cobrancas').where(narrow);
    if (comEtapa) query.whereNotNull('proxima_em');
    const rows = await rowsOf(query.orderBy('id', 'desc').limit(MAIS_NA_LISTA), NA_LISTA);
    return rows.map(({ fatura_id: faturaId, ...row }) => ({ ...row, faturaId }));
  };
  return {
    async convenios(): Promise<Convenio[]> {
      return (await listarConvenios(tenant)).map((row) => ({
        id: row.id,
        cobradorId: row.cobrador_id,
        ativo: row.ativo === 1,
        adaptador: row.adaptador,
        nome: adaptadorDe(row.adaptador).nome,
        base: row.base,
        tokenUrl: row.token_url,
        chave: row.chave,
        tipo: row.tipo,
        validadeDias: row.validade_dias,
        versao: row.versao,
        caminhos:
          row.caminhos === null ? null : typeof row.caminhos === 'string' ? row.caminhos : JSON.stringify(row.caminhos),
        certificado:
          row.certificado_ate === null
            ? null
            : { titular: row.certificado_titular ?? '', validoAte: fromDatabaseTime(row.certificado_ate) },
        webhook: row.webhook,
        lidoAte: emData(row.lido_ate),
        parada:
          row.parada_ate === null || row.codigo === null
            ? null
            : { ate: fromDatabaseTime(row.parada_ate), codigo: row.codigo },
      }));
    },

    /** How many charges there are of an agreement, by state. */
    async contagem(convenioId: number): Promise<Readonly<Partial<Record<EstadoDaCobranca, number>>>> {
      const query = tenant.from('psp_cobrancas').where('convenio_id', convenioId).groupBy('estado');
      const rows = await rowsOf(query, CONTAGEM, QUANTAS);
      return Object.fromEntries(rows.map(({ estado, quantas }) => [estado, quantas]));
    },

    /** Those that wait for something to be done, the last ones first; a hundred at most. */
    esperando: async (convenioId: number): Promise<CobrancaNaLista[]> => lista({ convenio_id: convenioId }, true),

    /** Those that the PSP, or Malha before it, refused. */
    recusadas: async (convenioId: number): Promise<CobrancaNaLista[]> =>
      lista({ convenio_id: convenioId, estado: 'recusada', viva: 1 }, false),
  };
}
