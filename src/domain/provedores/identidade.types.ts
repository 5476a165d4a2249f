import { columns } from '../../platform/mysql/columns.ts';
import type { Endereco } from '../enderecos/enderecos.types.ts';

/** How a provider shows itself to its subscribers, on pages and on paper. Null where it has not said. */
export interface Identidade {
  readonly razaoSocial: string | null;
  readonly endereco: Endereco;
  /** `#rrggbb`, in lower case. */
  readonly cor: string | null;
  readonly logo: Logo | null;
  readonly suporte: Suporte;
}

export interface Logo {
  readonly tipo: 'image/png' | 'image/jpeg';
  readonly bytes: Buffer;
}

/** Where a subscriber finds help. */
interface Suporte {
  /** Digits with area code. */
  readonly telefone: string | null;
  /** Digits with area code. */
  readonly whatsapp: string | null;
  readonly email: string | null;
  /** A host name, with a path maybe. */
  readonly site: string | null;
}

/** Of a left join: every column is null where the provider has said nothing yet. */
export interface IdentidadeRow {
  razao_social: string | null;
  id_cep: string | null;
  id_logradouro: string | null;
  id_numero: string | null;
  id_complemento: string | null;
  id_bairro: string | null;
  id_cidade: string | null;
  id_uf: string | null;
  cor: string | null;
  logo: Buffer | null;
  logo_tipo: Logo['tipo'] | null;
  suporte_telefone: string | null;
  suporte_whatsapp: string | null;
  suporte_email: string | null;
  suporte_site: string | null;
}

/** Columns of an identity, for any query that joins it. */
export const COLUNAS_DE_IDENTIDADE = columns<IdentidadeRow>('provedores_identidade', {
  razao_social: true,
  id_cep: 'provedores_identidade.cep',
  id_logradouro: 'provedores_identidade.logradouro',
  id_numero: 'provedores_identidade.numero',
  id_complemento: 'provedores_identidade.complemento',
  id_bairro: 'provedores_identidade.bairro',
  id_cidade: 'provedores_identidade.cidade',
  id_uf: 'provedores_identidade.uf',
  cor: true,
  logo: true,
  logo_tipo: true,
  suporte_telefone: 'provedores_identidade.telefone',
  suporte_whatsapp: 'provedores_identidade.whatsapp',
  suporte_email: 'provedores_identidade.email',
  suporte_site: 'provedores_identidade.site',
});

export function paraIdentidade(row: IdentidadeRow): Identidade {
  const { logo, logo_tipo: tipo } = row;
  return {
    razaoSocial: row.razao_social,
    endereco: {
      cep: row.id_cep,
      logradouro: row.id_logradouro,
      numero: row.id_numero,
      complemento: row.id_complemento,
      bairro: row.id_bairro,
      cidade: row.id_cidade,
      uf: row.id_uf,
    },
    cor: row.cor,
    logo: logo === null || tipo === null ? null : { tipo, bytes: logo },
    suporte: {
      telefone: row.suporte_telefone,
      whatsapp: row.suporte_whatsapp,
      email: row.suporte_email,
      site: row.suporte_site,
    },
  };
}
