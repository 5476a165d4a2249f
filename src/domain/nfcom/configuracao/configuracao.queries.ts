import type { RegrasIbsCbs } from '../../../brazil/nfcom/base/tributos.types.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Write } from '../../escrita.ts';
import type { Autorizador } from '../autorizador/autorizador.types.ts';
import type { AmbienteNfcom } from '../nfcom.types.ts';
import type { ResponsavelConfigurado, SemBoleto } from './configuracao.types.ts';

type Json<T> = string | T | null;

export interface ConfiguracaoRow {
  automatica: number;
  automatica_desde: string | null;
  ambiente: AmbienteNfcom;
  serie: number;
  crt: number;
  inscricao_estadual: string | null;
  cnpj: string | null;
  razao_social: string | null;
  nome_fantasia: string | null;
  cep: string | null;
  logradouro: string | null;
  numero: string | null;
  complemento: string | null;
  bairro: string | null;
  cidade: string | null;
  uf: string | null;
  municipio_codigo: string | null;
  telefone: string | null;
  email: string | null;
  sem_boleto: SemBoleto;
  linha_fixa: string | null;
  contingencia_desde: string | null;
  contingencia_porque: string | null;
  cancelamento_horas: number;
  simultaneas: number;
  esquema: string;
  ibs_cbs: Json<RegrasIbsCbs>;
  autorizador: Json<Autorizador>;
  autorizados: Json<readonly string[]>;
  informacoes: string | null;
  responsavel: Json<ResponsavelConfigurado>;
  responsavel_csrt: Buffer | null;
  cas_extras: string | null;
  atualizado_em: string;
}

const DA_CONFIGURACAO = columns<ConfiguracaoRow>('nfcom_configuracoes', {
  automatica: true,
  automatica_desde: true,
  ambiente: true,
  serie: true,
  crt: true,
  inscricao_estadual: true,
  cnpj: true,
  razao_social: true,
  nome_fantasia: true,
  cep: true,
  logradouro: true,
  numero: true,
  complemento: true,
  bairro: true,
  cidade: true,
  uf: true,
  municipio_codigo: true,
  telefone: true,
  email: true,
  sem_boleto: true,
  linha_fixa: true,
  contingencia_desde: true,
  contingencia_porque: true,
  cancelamento_horas: true,
  simultaneas: true,
  esquema: true,
  ibs_cbs: true,
  autorizador: true,
  autorizados: true,
  informacoes: true,
  responsavel: true,
  responsavel_csrt: true,
  cas_extras: true,
  atualizado_em: true,
});

/** What the provider's registration says of it, where its fiscal settings say nothing. */
export interface IdentidadeRow {
  nome: string;
  cnpj: string | null;
  razao_social: string | null;
  cep: string | null;
  logradouro: string | null;
  numero: string | null;
  complemento: string | null;
  bairro: string | null;
  cidade: string | null;
  uf: string | null;
  telefone: string | null;
  email: string | null;
}

const DA_IDENTIDADE = columns<IdentidadeRow>('i', {
  nome: 'p.nome',
  cnpj: 'p.cnpj',
  razao_social: true,
  cep: true,
  logradouro: true,
  numero: true,
  complemento: true,
  bairro: true,
  cidade: true,
  uf: true,
  telefone: true,
  email: true,
});

const PROXIMO = columns<{ proximo: number }>('nfcom_numeracao', { proximo: true });

export interface Numeracao {
  readonly ambiente: AmbienteNfcom;
  readonly serie: number;
}

export function createConfiguracaoNfcomQueries(tenant: TenantDb) {
  return {
    async ler(): Promise<ConfiguracaoRow | undefined> {
      const [row] = await rowsOf(tenant.from('nfcom_configuracoes'), DA_CONFIGURACAO);
      return row;
    },

    async identidade(): Promise<IdentidadeRow | undefined> {
      const dele = tenant
        .db('provedores as p')
        .leftJoin('provedores_identidade as i', 'i.provedor_id', 'p.id')
        .where('p.id', tenant.provedorId);
      const [row] = await rowsOf(dele, DA_IDENTIDADE);
      return row;
    },

    async proximo({ ambiente, serie }: Numeracao): Promise<number> {
      const [row] = await rowsOf(tenant.from('nfcom_numeracao').where({ ambiente, serie }), PROXIMO);
      return row?.proximo ?? 1;
    },
  };
}

/** Writes the settings of the provider that is written. */
export async function gravarConfiguracao(
  w: Write,
  mudancas: Readonly<Partial<Record<keyof ConfiguracaoRow, unknown>>>,
  agora: Date,
): Promise<void> {
  const colunas = { ...mudancas, atualizado_em: toDatabaseTime(agora) };
  const mudadas = await w.update('nfcom_configuracoes', () => {}, colunas);
  if (mudadas === 0) await w.insert('nfcom_configuracoes', colunas, { soughtBefore: true });
}

/** The settings, which nobody else changes until the transaction ends. */
export async function travarConfiguracao(w: Write): Promise<ConfiguracaoRow | undefined> {
  const [row] = await rowsOf(w.from('nfcom_configuracoes').forUpdate(), DA_CONFIGURACAO);
  return row;
}

/** The next number of a series, whose row nobody else has until the transaction ends. */
export async function travarNumeracao(w: Write, { ambiente, serie }: Numeracao): Promise<number> {
  const [row] = await rowsOf(w.from('nfcom_numeracao').where({ ambiente, serie }).forUpdate(), PROXIMO);
  if (row !== undefined) return row.proximo;
  await w.insert('nfcom_numeracao', { ambiente, serie, proximo: 1 }, { soughtBefore: true });
  return 1;
}

export async function gravarProximo(w: Write, { ambiente, serie }: Numeracao, proximo: number): Promise<void> {
  await w.update('nfcom_numeracao', (q) => void q.where({ ambiente, serie }), { proximo });
}
