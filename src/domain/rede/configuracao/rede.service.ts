import { rowsOf } from '../../../platform/mysql/columns.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import { lerAlteracao } from '../../campos/campos.ts';
import { conferirLidos } from '../../campos/versao.ts';
import type { DaVersao } from '../../campos/versao.ts';
import { faltaEm } from '../../erros.ts';
import type { Write, WriteFor } from '../../escrita.ts';
import { gruposDosPlanos, gruposQueNegam, grupoDosBloqueados, lerRedes } from '../aplicacao/redes.ts';
import { createPedidosQueries } from '../aplicacao/pedidos.queries.ts';
import { grupoBloqueadoEm } from '../grupos.regras.ts';
import { pedirRedeDeTodos } from '../pedir.ts';
import { createConteudoQueries } from '../radius/conteudo.queries.ts';
import { efeitoNaRede } from './efeito.queries.ts';
import type { EfeitoNaRede } from './efeito.queries.ts';
import { CAMPOS_DA_REDE, bloqueioValido } from './configuracao.regras.ts';
import { COLUNAS_DA_REDE, paraRede } from './configuracao.types.ts';
import type { RedeDoProvedor, RedeRow } from './configuracao.types.ts';

export type RedeService = ReturnType<typeof createRedeService>;

export interface RedeDeps {
  readonly db: Db;
  readonly write: WriteFor;
  readonly relogio: Relogio;
}

/** Contracts that are somebody's at the network still. */
const COM_LUGAR = ['pendente', 'ativo', 'bloqueado', 'inativo', 'cancelado'] as const;

/** What a provider has its network told beside contracts' states. */
export function createRedeService({ db, write, relogio }: RedeDeps) {
  async function buscar(provedorId: number): Promise<RedeDoProvedor> {
    const [row] = await rowsOf(createTenantDb(db, provedorId).from('provedores_rede'), COLUNAS_DA_REDE);
    return paraRede(row);
  }

  return {
    buscar,

    /**
     * What the change would do at once to the whole base, where it has addresses written or MACs bound that were not; null: nothing of the kind.
     *
     * @throws CamposInvalidos naming each field that is not acceptable.
     */
    async efeito(provedorId: number, dados: unknown): Promise<EfeitoNaRede | null> {
      const lidos = lerAlteracao(CAMPOS_DA_REDE, dados);
      const antes = await buscar(provedorId);
      const enderecos = lidos.enderecos === true && !antes.enderecos;
      const prenderMac = lidos.prender_mac === true && !antes.prenderMac;
      if (!enderecos && !prenderMac) return null;
      return efeitoNaRede(createTenantDb(db, provedorId), { enderecos, prenderMac }, COM_LUGAR, relogio.agora());
    },

    /**
     * Changes what is named. Groups say the new at once, to who logs in from then on; where blocks, addresses or MACs are told otherwise, the
     * contracts concerned are asked for, and sessions that have the old are ended; those that have the new already stay up.
     *
     * @returns the names of what changed.
     * @throws CamposInvalidos naming each field that is not acceptable, or Recusa `versao_divergente`
     */
    async configurar(actor: Actor, provedorId: number, dados: unknown, { versao }: DaVersao = {}): Promise<string[]> {
      const lidos = lerAlteracao(CAMPOS_DA_REDE, dados);
      return write(actor, provedorId, async (w) => configurarEm(w, lidos, relogio.agora(), versao));
    },

    /**
     * Asks that all of the provider's logins be as their contracts have them; sessions of which nothing is moved stay up.
     *
     * @returns how many logins they are.
     */
    async aplicarTudo(actor: Actor, provedorId: number): Promise<number> {
      return write(actor, provedorId, async (w) => {
        const total = await pedirRedeDeTodos(w, { situacoes: COM_LUGAR }, relogio.agora(), 'se_mudar');
        w.emit('provedor.rede_aplicada', provedorId, { contratos: total });
        return total;
      });
    },
  };
}

async function configurarEm(
  w: Write,
  lidos: ReturnType<typeof lerAlteracao<typeof CAMPOS_DA_REDE>>,
  agora: Date,
  versao: string | undefined,
): Promise<string[]> {
  const [row] = await rowsOf(w.from('provedores_rede').forUpdate(), COLUNAS_DA_REDE);
  conferirLidos(versao, camposDaDeteccao(paraRede(row)));
  const antes = await lerRedes(w, []);
  const tipo = lidos.bloqueio ?? antes.nossa.bloqueio.tipo;
  const pedeNome = tipo === 'pool' || tipo === 'lista';
  const dito = lidos.bloqueio_nome === undefined && pedeNome ? antes.nossa.bloqueio.nome : lidos.bloqueio_nome;
  const bloqueio = { tipo, nome: dito ?? null };
  const falta = bloqueioValido(bloqueio);
  if (falta !== null) faltaEm(bloqueio.nome === null ? 'bloqueio_nome' : 'bloqueio', falta);

  const depois = {
    bloqueio: tipo,
    bloqueio_nome: bloqueio.nome,
    atributos: emJson(lidos.atributos === undefined ? deAntes(row) : lidos.atributos),
    enderecos: Number(lidos.enderecos ?? antes.nossa.enderecos),
    prender_mac: Number(lidos.prender_mac ?? antes.nossa.prenderMac),
    queda_minimo: lidos.queda_minimo === undefined ? (row?.queda_minimo ?? null) : lidos.queda_minimo,
    queda_percentual: lidos.queda_percentual === undefined ? (row?.queda_percentual ?? null) : lidos.queda_percentual,
  };
  const como = {
    bloqueio: antes.nossa.bloqueio.tipo,
    bloqueio_nome: antes.nossa.bloqueio.nome,
    atributos: emJson(deAntes(row)),
    enderecos: Number(antes.nossa.enderecos),
    prender_mac: Number(antes.nossa.prenderMac),
    queda_minimo: row?.queda_minimo ?? null,
    queda_percentual: row?.queda_percentual ?? null,
  };
  const mudados = (Object.keys(depois) as (keyof typeof depois)[]).filter((nome) => depois[nome] !== como[nome]);
  if (mudados.length === 0) return [];
  if (row === undefined) await w.insert('provedores_rede', depois, { soughtBefore: true });
  else await w.update('provedores_rede', () => {}, depois);
  await dizer(w, antes.nossa.atributos, mudados);
  if (mudados.some((nome) => nome.startsWith('bloqueio'))) {
    await pedirRedeDeTodos(w, { situacoes: ['bloqueado', 'inativo'] }, agora, 'encerrar');
  }
  if (mudados.includes('enderecos') || mudados.includes('prender_mac')) {
    await pedirRedeDeTodos(w, { situacoes: COM_LUGAR }, agora, 'se_mudar');
  }
  w.emit('provedor.rede_configurada', w.provedorId, { campos: mudados });
  return mudados;
}

/** What the panel's form of it changes; see `versaoDe`. */
export const camposDaDeteccao = ({ quedas }: Pick<RedeDoProvedor, 'quedas'>) => ({
  queda_minimo: quedas.minimo,
  queda_percentual: quedas.percentual,
});

/** Has the groups mean what is configured now: plans' own ones lose the lines that were, and get those that are. */
async function dizer(w: Write, deAntes_: RedeDoProvedor['atributos'], mudados: readonly string[]): Promise<void> {
  const { nossa } = await lerRedes(w, []);
  const conteudo = createConteudoQueries(w);
  if (mudados.includes('atributos')) {
    const planos = await createPedidosQueries(w).planos();
    const nossos = new Set([...deAntes_, ...nossa.atributos].map(({ attribute }) => attribute));
    const desejados = new Map(gruposDosPlanos(nossa.atributos, planos).map((um) => [um.grupo, um]));
    const proprios = planos.filter(({ grupo_radius }) => (grupo_radius ?? '').trim() === '');
    await conteudo.definir(
      proprios.map(({ id }) => {
        const grupo = `plano-${id}`;
        return { conteudo: { check: [], reply: [] }, nas: null, ...desejados.get(grupo), grupo, nossos };
      }),
    );
  }
  // Of those who are blocked by `bloqueado`, an operator says what it is.
  const nosso = nossa.bloqueio.tipo !== 'grupo';
  await conteudo.definir(
    gruposQueNegam(nossa).filter(
      ({ grupo, nas }) =>
        (nas !== null && grupo === grupoBloqueadoEm(nas)) || (nosso && grupo === grupoDosBloqueados(nossa)),
    ),
  );
}

const deAntes = (row: RedeRow | undefined): RedeDoProvedor['atributos'] | null =>
  row === undefined || row.atributos === null ? null : paraRede(row).atributos;

const emJson = (atributos: RedeDoProvedor['atributos'] | null): string | null =>
  // MySQL gives an object's names in an order of its own.
  atributos === null ? null : JSON.stringify(atributos.map(({ attribute, op, value }) => ({ attribute, op, value })));
