import { hojeEm } from '../src/brazil/calendario/datas.ts';
import { semearConvenio } from './convenio.ts';
import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { createAgregacao } from '../src/domain/conexoes/agregacao.ts';
import { PERMISSOES, RESTRICOES, SEM_RESTRICAO } from '../src/domain/chaves/chaves.types.ts';
import type { Permissao, Restricao } from '../src/domain/chaves/chaves.types.ts';
import { columns, rowsOf } from '../src/platform/mysql/columns.ts';
import { toDatabaseTime } from '../src/platform/mysql/database.ts';
import type { Db } from '../src/platform/mysql/database.ts';
import { withLease } from '../src/platform/mysql/schema/lease.ts';
import { withNamedLock } from '../src/platform/mysql/schema/named-lock.ts';
import type { Relogio } from '../src/platform/timing/relogio.ts';
import type { Threads } from '../src/platform/threads/threads.ts';
import type { AcessoDemo } from './acessos.ts';
import { DIA } from './calendario.ts';
import { lerCenarios } from './cenarios.ts';
import type { Cenarios, ProvedorGravado } from './cenarios.ts';
import { PERFIS } from './perfis.ts';
import type { PerfilDemo } from './perfis.ts';
import { INTERVALO_ONLINE } from './sessoes.ts';

export interface ProvedorDemo {
  readonly id: number;
  readonly nome: string;
  readonly panel_host: string;
  readonly cenarios: Cenarios;
}

export interface DemonstracaoDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly threads: Threads;
  readonly intervaloPadraoSegundos: number;
  /** Takes one line for each provider that was written. */
  log(line: string): void;
}

/**
 * Makes the two providers of the demonstration, once, each in one transaction, and says what to try with them. Those
 * that exist are left alone.
 */
export async function semearDemonstracao(deps: DemonstracaoDeps): Promise<ProvedorDemo[]> {
  const { db, relogio } = deps;
  for (const { panelHost, panelHostAntes } of PERFIS) {
    await db('provedores').where({ demonstracao: 1, panel_host: panelHostAntes }).update({ panel_host: panelHost });
  }
  const gravados = await buscarGravados(db);
  const faltam = PERFIS.filter(({ panelHost }) => !gravados.some(({ panel_host }) => panel_host === panelHost));
  // One after the other: the ids come in the same order each time, and together they would be no faster on two cores.
  for (const perfil of faltam) {
    try {
      await criarProvedor(deps, perfil);
    } catch (error) {
      // Another process was seeding at the same time and has the host by now: the lease made this one wait until then.
      if (!repetido(error) || !(await buscarGravados(db)).some((p) => p.panel_host === perfil.panelHost)) throw error;
    }
  }

  const provedores = faltam.length === 0 ? gravados : await buscarGravados(db);
  if (gravados.length > 0) await manterOnline(deps);
  return Promise.all(
    provedores.map(async (provedor) => ({
      id: provedor.id,
      nome: provedor.nome,
      panel_host: provedor.panel_host,
      cenarios: await lerCenarios(db, provedor, relogio.agora()),
    })),
  );
}

const DO_GRAVADO = columns<ProvedorGravado>('provedores', {
  id: true,
  nome: true,
  panel_host: true,
  fuso_horario: true,
});

async function buscarGravados(db: Db): Promise<ProvedorGravado[]> {
  const hosts = PERFIS.map(({ panelHost }) => panelHost);
  const demonstracoes = db('provedores').where('demonstracao', 1).whereIn('panel_host', hosts);
  return rowsOf(demonstracoes.orderBy('id'), DO_GRAVADO);
}

function repetido(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && error.errno === 1062;
}

/**
 * Renews the open sessions that a real NAS would confirm: they count as heard of until two days from now. Once a day
 * radacct, too, says that somebody confirmed them, which leads the aggregation to them.
 */
async function manterOnline({ db, relogio }: DemonstracaoDeps): Promise<void> {
  const agora = relogio.agora();
  const confirmadas = db('radacct')
    .whereIn(
      'nasipaddress',
      PERFIS.flatMap(({ nas }) => nas),
    )
    .whereNull('acctstoptime')
    .where('acctinterval', INTERVALO_ONLINE);
  const textoDeAgora = toDatabaseTime(agora).slice(0, 19);
  await db.transaction(async (trx) => {
    await confirmadas
      .clone()
      .transacting(trx)
      .where('acctupdatetime', '<', toDatabaseTime(new Date(agora.getTime() - DIA)))
      .update({ acctupdatetime: textoDeAgora });
    await trx.raw(
      `INSERT INTO sessoes_ouvidas (radacctid, dita_em, recebida_em, ouvida_em, intervalo_anterior) ?
       ON DUPLICATE KEY UPDATE ouvida_em = VALUES(ouvida_em)`,
      [
        confirmadas
          .clone()
          .select(
            'radacctid',
            'acctupdatetime',
            db.raw('?', textoDeAgora),
            db.raw('?', toDatabaseTime(new Date(agora.getTime() + 2 * DIA)).slice(0, 19)),
            'acctinterval',
          ),
      ],
    );
  });
}

const TRAVA = {
  name: 'malha_demo',
  waitSeconds: 300,
  late: 'Outro processo semeia a demonstração há mais de cinco minutos.',
};

async function criarProvedor(deps: DemonstracaoDeps, perfil: PerfilDemo): Promise<void> {
  const { db, relogio, threads } = deps;
  const inicio = performance.now();
  // The generator is loaded only to seed: faker is large, and there is no demonstration in production.
  const { carregarProvedor } = await import('./carga.ts');
  const agora = relogio.agora();
  // Who seeds at the same time waits for this lease and not for the provider's row: the database gives that up after 5
  // s.
  const { provedorId, linhas } = await withLease(db, TRAVA, async (lease) =>
    db.transaction((trx) =>
      withNamedLock(trx, TRAVA, async () => {
        const carregado = await carregarProvedor(trx, perfil, { agora, threads });
        if (perfil.banco === '756') {
          await semearConvenio(trx, carregado.provedorId, {
            hoje: hojeEm(perfil.fuso, agora),
            agora,
            fuso: perfil.fuso,
          });
        }
        await lease.confirm(trx);
        return carregado;
      }),
    ),
  );
  await manterOnline(deps);
  // The triggers noted each session in radacct_mudancas. They can be done without only after the aggregation: if this
  // process dies before, the worker's aggregation does the same from them.
  await createAgregacao(deps).agregarTudo(provedorId);
  await db('radacct_mudancas')
    .whereIn('nasipaddress', [...perfil.nas])
    .delete();
  const total = Object.values(linhas).reduce((soma, n) => soma + n, 0);
  deps.log(`${perfil.nome}: ${total} linhas em ${((performance.now() - inicio) / 1000).toFixed(1)} s`);
}

type NomeDeChaveDemo =
  | 'completa'
  | 'so_planos'
  | 'expirada'
  | 'revogada'
  | 'ip_restrito'
  | 'limite_5'
  | 'mascarada'
  | 'somente_busca'
  | 'chatbot';
export type ChavesDemo = Record<NomeDeChaveDemo, string>;

export interface NovaChaveDemo {
  readonly provedorId: number;
  readonly nome: string;
  readonly permissoes: Permissao[];
  readonly restricoes?: readonly Restricao[];
  readonly ipsPermitidos: string[] | null;
  readonly limitePorMinuto: number;
  readonly expiraEm: Date | null;
  readonly revogadaEm?: Date | null;
}

/** Makes a key for each answer that authentication can give; their texts exist only in what this function returns. */
export async function criarChavesDemo(
  provedor: Pick<ProvedorDemo, 'id'>,
  criarChave: (entrada: NovaChaveDemo) => Promise<string>,
  agora: Date,
): Promise<ChavesDemo> {
  const ontem = new Date(agora.getTime() - DIA);
  const semAcesso = PERMISSOES.filter((uma) => !SEM_RESTRICAO.includes(uma));
  const criar = (nome: string, diferenca: Partial<NovaChaveDemo>): Promise<string> =>
    criarChave({
      provedorId: provedor.id,
      nome: `Demonstração: ${nome}`,
      permissoes: [...PERMISSOES],
      ipsPermitidos: null,
      limitePorMinuto: 120,
      expiraEm: null,
      ...diferenca,
    });
  return {
    completa: await criar('completa', { limitePorMinuto: 1200 }),
    so_planos: await criar('só planos', { permissoes: ['planos:leitura'] }),
    expirada: await criar('expirada', { expiraEm: ontem }),
    revogada: await criar('revogada', { revogadaEm: ontem }),
    ip_restrito: await criar('IP restrito', { ipsPermitidos: ['203.0.113.7'] }),
    limite_5: await criar('limite de 5', { limitePorMinuto: 5 }),
    mascarada: await criar('dados mascarados', { permissoes: semAcesso, restricoes: ['dados_mascarados'] }),
    somente_busca: await criar('somente busca', { permissoes: semAcesso, restricoes: ['somente_busca'] }),
    chatbot: await criar('chatbot', { permissoes: semAcesso, restricoes: RESTRICOES }),
  };
}

export interface ProvedorNoDocumento extends ProvedorDemo {
  readonly chaves: ChavesDemo;
  /** Where a PSP would tell of a PIX that was received. */
  readonly webhook_pix: string;
  /** Who may sign in at the panel, one of each profile. */
  readonly usuarios: readonly AcessoDemo[];
}

export interface DocumentoDemo {
  readonly url: string;
  readonly base_url: string;
  readonly provedores: readonly ProvedorNoDocumento[];
}

/** Writes the document, which has secrets, at once and for its owner only: there is never half a file. */
export async function gravarDemoJson(arquivo: string, documento: DocumentoDemo): Promise<void> {
  const temporario = `${arquivo}.${randomBytes(6).toString('hex')}`;
  try {
    const aberto = await open(temporario, 'wx', 0o600);
    try {
      await aberto.writeFile(`${JSON.stringify(documento, null, 2)}\n`);
    } finally {
      await aberto.close();
    }
    await rename(temporario, arquivo);
  } catch (error) {
    await rm(temporario, { force: true });
    throw error;
  }
}
