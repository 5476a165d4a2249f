import { columns } from '../../../platform/mysql/columns.ts';
import { jsonColumn } from '../../../platform/mysql/database.ts';
import { LIMIARES_PADRAO } from '../deteccao/deteccao.regras.ts';
import type { Limiares } from '../deteccao/deteccao.regras.ts';
import { USOS_DE_COA } from '../rede.types.ts';
import type { Bloqueio, Item, TipoDeBloqueio, UsoDeCoa } from '../rede.types.ts';

/** What a provider has the network told, beside its contracts' states. */
export interface RedeDoProvedor {
  readonly bloqueio: Bloqueio;
  /** Answers of each plan's own group, with places for its speeds; none: the groups are left to the operator. */
  readonly atributos: readonly Item[];
  /** Whether logins are given their contract's fixed address and delegated prefix. */
  readonly enderecos: boolean;
  /** Whether PPPoE logins are accepted from their contract's MAC alone. */
  readonly prenderMac: boolean;
  /** From how many lines on drops that come together are an outage. */
  readonly quedas: Limiares;
}

/**
 * Lines of a plan's group where the provider says nothing else. MikroTik's rate is written from the router's side: first what it
 * receives, the upload. WISPr's bandwidths are bits per second, and other makers' NASes know them.
 */
const ATRIBUTOS_PADRAO: readonly Item[] = [
  { attribute: 'Mikrotik-Rate-Limit', op: ':=', value: '{upload_mbps}M/{download_mbps}M' },
  { attribute: 'WISPr-Bandwidth-Max-Down', op: ':=', value: '{download_bps}' },
  { attribute: 'WISPr-Bandwidth-Max-Up', op: ':=', value: '{upload_bps}' },
  { attribute: 'Acct-Interim-Interval', op: ':=', value: '300' },
];

/** Of a provider that has no row; those from before there was such a table have one, by which nothing new is sent. */
const REDE_PADRAO: RedeDoProvedor = {
  bloqueio: { tipo: 'grupo', nome: null },
  atributos: ATRIBUTOS_PADRAO,
  enderecos: true,
  prenderMac: false,
  quedas: LIMIARES_PADRAO,
};

export interface RedeRow {
  provedor_id: number;
  bloqueio: TipoDeBloqueio;
  bloqueio_nome: string | null;
  /** Null: those of the program. */
  atributos: string | Item[] | null;
  enderecos: number;
  prender_mac: number;
  queda_minimo: number | null;
  queda_percentual: number | null;
}

export const COLUNAS_DA_REDE = columns<RedeRow>('provedores_rede', {
  provedor_id: true,
  bloqueio: true,
  bloqueio_nome: true,
  atributos: true,
  enderecos: true,
  prender_mac: true,
  queda_minimo: true,
  queda_percentual: true,
});

export function paraRede(row: RedeRow | undefined): RedeDoProvedor {
  if (row === undefined) return REDE_PADRAO;
  return {
    bloqueio: { tipo: row.bloqueio, nome: row.bloqueio_nome },
    atributos: row.atributos === null ? ATRIBUTOS_PADRAO : jsonColumn<Item[]>(row.atributos),
    enderecos: row.enderecos === 1,
    prenderMac: row.prender_mac === 1,
    quedas: {
      minimo: row.queda_minimo ?? LIMIARES_PADRAO.minimo,
      percentual: row.queda_percentual ?? LIMIARES_PADRAO.percentual,
    },
  };
}

/** How a NAS is spoken to. */
export interface NasNaRedeRow {
  nasipaddress: string;
  coa: number;
  bloqueio: TipoDeBloqueio | null;
  bloqueio_nome: string | null;
}

export interface NasNaRede {
  readonly endereco: string;
  readonly coa: UsoDeCoa;
  /** Null: as the provider does. */
  readonly bloqueio: Bloqueio | null;
}

export const paraNasNaRede = ({ nasipaddress, coa, bloqueio, bloqueio_nome }: NasNaRedeRow): NasNaRede => ({
  endereco: nasipaddress,
  coa: USOS_DE_COA[coa] ?? 'nao',
  bloqueio: bloqueio === null ? null : { tipo: bloqueio, nome: bloqueio_nome },
});
