import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import { colunasDe } from './configuracao.regras.ts';
import type { Tabela, Valor } from './configuracao.regras.ts';
import type { Configuracao } from './configuracao.types.ts';
import { COLUNAS_DE_IDENTIDADE, paraIdentidade } from '../identidade.types.ts';
import { COLUNAS_DE_PROVEDOR, comProvedor, paraProvedor } from '../provedores.types.ts';

export type Linha = Readonly<Record<string, Valor>>;

const linha = (tabela: Tabela) =>
  columns<Linha>(tabela, Object.fromEntries(colunasDe(tabela).map((coluna) => [coluna, true] as const)));
const DO_PROVEDOR = linha('provedores');
const DAS_REGRAS = linha('regras_cobranca');
const DA_IDENTIDADE = linha('provedores_identidade');

export async function buscarConfiguracao(db: Db, id: number): Promise<Configuracao | null> {
  const provedor = db('provedores').where('provedores.id', id).modify(comProvedor);
  const [row] = await rowsOf(provedor, COLUNAS_DE_PROVEDOR, COLUNAS_DE_IDENTIDADE);
  if (row === undefined) return null;
  const pix = { chave: row.pix_chave, nome: row.pix_nome, cidade: row.pix_cidade };
  return { provedor: paraProvedor(row), identidade: paraIdentidade(row), pix };
}

/** The configuration of the provider that is written. */
export function createConfiguracaoQueries(w: Write) {
  const provedor = () => w.tenant.db('provedores').where('id', w.provedorId);
  return {
    /**
     * The provider's rows, by table: an identity may be missing. Locks the provider's, so that of simultaneous changes each sees what the
     * one before it wrote; undefined when there is no such provider.
     */
    async travar(): Promise<Readonly<Record<Tabela, Linha | undefined>> | undefined> {
      const [provedores] = await rowsOf(provedor().forUpdate(), DO_PROVEDOR);
      if (provedores === undefined) return undefined;
      const [regras_cobranca] = await rowsOf(w.from('regras_cobranca'), DAS_REGRAS);
      const [provedores_identidade] = await rowsOf(w.from('provedores_identidade'), DA_IDENTIDADE);
      return { provedores, regras_cobranca, provedores_identidade };
    },

    /** `nova`: the row is missing. */
    async gravar(tabela: Tabela, colunas: Linha, nova: boolean): Promise<void> {
      if (tabela === 'provedores') await provedor().update(colunas);
      else if (nova) await w.insert(tabela, colunas);
      else await w.update(tabela, () => {}, colunas);
    },
  };
}
