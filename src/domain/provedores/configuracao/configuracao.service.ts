import type { Db } from '../../../platform/mysql/database.ts';
import type { Actor } from '../../actor.ts';
import { EntradaInvalida } from '../../erros.ts';
import type { Write, WriteFor } from '../../escrita.ts';
import { PROVEDOR_TAG } from '../../tags.ts';
import { reabrirUltimoDia } from '../../tarefas/reabertura.service.ts';
import { buscarConfiguracao, createConfiguracaoQueries } from './configuracao.queries.ts';
import type { Linha, Linhas } from './configuracao.queries.ts';
import { TABELAS, jurosConfirmados, lerMudancas, pixIncompleto } from './configuracao.regras.ts';
import type { Mudanca, Valor } from './configuracao.regras.ts';
import type { Mudancas } from './configuracao.regras.ts';
import type { Configuracao, Configurado } from './configuracao.types.ts';

export type ConfiguracaoService = ReturnType<typeof createConfiguracaoService>;

export interface ConfiguracaoDeps {
  readonly db: Db;
  readonly write: WriteFor;
}

/** Judges the rows of a provider, which are locked. */
export type Conferir = (linhas: Linhas) => void;

/** How a provider charges, is paid and shows itself. */
export function createConfiguracaoService({ db, write }: ConfiguracaoDeps) {
  return {
    /** The provider's configuration as it stands; null when there is no such provider. */
    buscar: async (id: number): Promise<Configuracao | null> => buscarConfiguracao(db, id),

    /**
     * Changes what is named and nothing else, all of it or none. What is as it was already is no change, and no line of the audit log.
     * Once this resolves, no process answers by what was before.
     *
     * @param conferir is told how the provider is before anything is written, and may refuse.
     * @throws EntradaInvalida naming the option that is not acceptable, or when nothing is named or there is no such provider.
     */
    async configurar(actor: Actor, id: number, mudancas: Mudancas, conferir?: Conferir): Promise<Configurado> {
      const lidas = lerMudancas(mudancas);
      if (lidas.length === 0) throw new EntradaInvalida('nada a mudar: diga ao menos uma opção');
      return write(actor, id, async (w) => aplicar(w, lidas, conferir));
    },
  };
}

async function aplicar(w: Write, lidas: readonly Mudanca[], conferir: Conferir = () => {}): Promise<Configurado> {
  const queries = createConfiguracaoQueries(w);
  const linhas = await queries.travar();
  if (linhas === undefined) throw new EntradaInvalida(`provedor ${w.provedorId} não existe`);
  conferir(linhas);
  const mudancas = lidas.filter(({ tabela, colunas }) => difere(linhas[tabela], colunas));
  const conta = { ...linhas.cobradores };
  for (const tabela of TABELAS) {
    const colunas = juntar(mudancas.filter((mudanca) => mudanca.tabela === tabela));
    if (tabela === 'cobradores') Object.assign(conta, colunas);
    if (Object.keys(colunas).length > 0) await queries.gravar(tabela, colunas, linhas[tabela] === undefined);
  }
  if (mudancas.length > 0) {
    w.touch(PROVEDOR_TAG);
    if (mudancas.some(mudaFaturas)) await reabrirUltimoDia(w, 'pix.recalcular');
    const juros = jurosConfirmados(mudancas);
    w.emit('provedor.configurado', w.provedorId, {
      campos: mudancas.flatMap(({ colunas }) => Object.keys(colunas).slice(0, 1)),
      ...(juros === null ? {} : { juros_confirmados: juros }),
    });
  }
  return { mudados: mudancas.map(({ campo }) => campo), pixFalta: pixIncompleto(conta) };
}

/** Rules that say nothing of what invoices ask for. */
const SEM_EFEITO: readonly Mudanca['campo'][] = ['avisoDias', 'promessaDias'];

/**
 * Whether what invoices ask for may be another by this: a state has holidays of its own. What an account says sees to itself, and when an
 * invoice is announced says nothing of what it asks for.
 */
const mudaFaturas = ({ campo, tabela, colunas }: Mudanca): boolean =>
  (tabela === 'regras_cobranca' && !SEM_EFEITO.includes(campo)) || 'uf' in colunas;

const juntar = (mudancas: readonly Mudanca[]): Linha =>
  Object.assign({}, ...mudancas.map(({ colunas }) => colunas)) as Linha;

function difere(linha: Linha | undefined, colunas: Linha): boolean {
  return Object.entries(colunas).some(([coluna, valor]) => !igual(linha?.[coluna] ?? null, valor));
}

/** A number and the text of a decimal are compared as they are written. */
function igual(a: Valor, b: Valor): boolean {
  if (Buffer.isBuffer(a) && Buffer.isBuffer(b)) return a.equals(b);
  return a === b || (a !== null && b !== null && String(a) === String(b));
}
