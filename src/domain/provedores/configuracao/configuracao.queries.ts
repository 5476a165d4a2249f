import { ID, columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { contaPadrao } from '../../cobradores/cobradores.types.ts';
import { gravarCobrador, inserirCobrador } from '../../cobradores/cobradores.service.ts';
import { conferirLidos } from '../../campos/versao.ts';
import type { Write } from '../../escrita.ts';
import { colunasDe } from './configuracao.regras.ts';
import type { Tabela, Valor } from './configuracao.regras.ts';
import type { Configuracao } from './configuracao.types.ts';
import { COLUNAS_DE_IDENTIDADE, paraIdentidade } from '../identidade.types.ts';
import { COLUNAS_DE_PROVEDOR, comProvedor, paraProvedor } from '../provedores.types.ts';

export type Linha = Readonly<Record<string, Valor>>;

/** A provider's rows, by table: an identity may be missing. */
export type Linhas = Readonly<Record<Tabela, Linha | undefined>>;

const linha = (tabela: Tabela) =>
  columns<Linha>(tabela, Object.fromEntries(colunasDe(tabela).map((coluna) => [coluna, true] as const)));
const DO_PROVEDOR = linha('provedores');
const DAS_REGRAS = linha('regras_cobranca');
const DA_IDENTIDADE = linha('provedores_identidade');
const DA_CONTA = linha('cobradores');
const DO_AVISO = expressions<{ aviso_dias: number }>({ aviso_dias: 'regras_cobranca.aviso_dias' });

export async function buscarConfiguracao(db: Db, id: number): Promise<Configuracao | null> {
  const provedor = db('provedores').where('provedores.id', id).modify(comProvedor);
  const [row] = await rowsOf(provedor, COLUNAS_DE_PROVEDOR, COLUNAS_DE_IDENTIDADE, DO_AVISO);
  if (row === undefined) return null;
  const configurado = paraProvedor(row);
  const { aviso_dias: avisoDias } = row;
  return { provedor: configurado, identidade: paraIdentidade(row), conta: contaPadrao(configurado.contas), avisoDias };
}

/** The provider's rows as they stand, by table; undefined when there is no such provider. */
export async function lerLinhas(tenant: TenantDb): Promise<Linhas | undefined> {
  const [provedores] = await rowsOf(tenant.db('provedores').where('id', tenant.provedorId), DO_PROVEDOR);
  if (provedores === undefined) return undefined;
  const [regras_cobranca] = await rowsOf(tenant.from('regras_cobranca'), DAS_REGRAS);
  const [provedores_identidade] = await rowsOf(tenant.from('provedores_identidade'), DA_IDENTIDADE);
  const [cobradores] = await rowsOf(tenant.from('cobradores').where('padrao_unico', 1), DA_CONTA);
  return { provedores, regras_cobranca, provedores_identidade, cobradores };
}

/** What the provider asks of its people's sessions, as its row has it. */
interface ColunasDaPolitica {
  readonly exigir_fator: number;
  readonly ocioso_minutos: number;
}

const DA_POLITICA = columns<ColunasDaPolitica>('provedores', { exigir_fator: true, ocioso_minutos: true });

/** Writes what differs of these; resolves to the names of what did. @throws Recusa `versao_divergente` */
export async function gravarPolitica(w: Write, nova: ColunasDaPolitica, versao?: string): Promise<string[]> {
  const deste = () => w.tenant.db('provedores').where('id', w.provedorId);
  const [atual] = await rowsOf(deste().forUpdate(), DA_POLITICA);
  if (atual !== undefined) conferirLidos(versao, { ...atual });
  const nomes = ['exigir_fator', 'ocioso_minutos'] as const;
  const mudam = nomes.filter((nome) => atual?.[nome] !== nova[nome]);
  if (mudam.length > 0) await deste().update(nova);
  return mudam;
}

/** The configuration of the provider that is written. */
export function createConfiguracaoQueries(w: Write) {
  const provedor = () => w.tenant.db('provedores').where('id', w.provedorId);
  /** What the provider says of its account is of the default one. */
  async function gravarConta(colunas: Linha, nova: boolean): Promise<void> {
    const daConta = colunas as Readonly<Record<string, string | null>>;
    if (nova) return void (await inserirCobrador(w, daConta, true));
    const [padrao] = await rowsOf(w.from('cobradores').where('padrao_unico', 1), ID);
    if (padrao !== undefined) await gravarCobrador(w, padrao.id, daConta);
  }

  return {
    /**
     * The provider's rows, by table: an identity may be missing. Locks the provider's, so that of simultaneous changes each sees what the
     * one before it wrote; undefined when there is no such provider.
     */
    async travar(): Promise<Linhas | undefined> {
      const [provedores] = await rowsOf(provedor().forUpdate(), DO_PROVEDOR);
      if (provedores === undefined) return undefined;
      const [regras_cobranca] = await rowsOf(w.from('regras_cobranca'), DAS_REGRAS);
      const [provedores_identidade] = await rowsOf(w.from('provedores_identidade'), DA_IDENTIDADE);
      const [cobradores] = await rowsOf(w.from('cobradores').where('padrao_unico', 1).forUpdate(), DA_CONTA);
      return { provedores, regras_cobranca, provedores_identidade, cobradores };
    },

    /** `nova`: the row is missing. */
    async gravar(tabela: Tabela, colunas: Linha, nova: boolean): Promise<void> {
      if (tabela === 'provedores') await provedor().update(colunas);
      else if (tabela === 'cobradores') await gravarConta(colunas, nova);
      else if (nova) await w.insert(tabela, colunas);
      else await w.update(tabela, () => {}, colunas);
    },
  };
}
