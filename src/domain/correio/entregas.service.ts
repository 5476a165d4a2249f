import { groupBy } from '../../platform/group-by.ts';
import type { Correio } from '../../platform/mail/mail.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { isHere } from '../../platform/mysql/moving.ts';
import { createTenantWriter } from '../../platform/mysql/tenant.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { createServing } from '../../platform/timing/serving.ts';
import type { Round } from '../../platform/timing/serving.ts';
import type { ProvedoresService } from '../provedores/provedores.service.ts';
import { esperaDepois } from '../push/entregas/horario.regras.ts';
import { foraDaNoite } from '../push/mensagens/horario.regras.ts';
import { ORIGENS_DE_CORREIO } from './correio.types.ts';
import type { CorreioFeito, OrigemDeCorreio, QuemPediuDeTodos } from './correio.types.ts';
import { createFilaDeCorreioQueries, provedoresComCorreio } from './fila.queries.ts';
import type { Carta, Desfecho } from './fila.queries.ts';

export type EntregasDeCorreioService = ReturnType<typeof createEntregasDeCorreioService>;

interface Alvo {
  readonly provedorId: number;
}

/** What came of an attempt, and who asked for it. */
type Feita = Desfecho & { readonly origem: OrigemDeCorreio };

export interface EntregasDeCorreioDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly correio: Correio;
  readonly provedores: Pick<ProvedoresService, 'exigirPorId'>;
  readonly quemPediu: QuemPediuDeTodos;
  readonly aoFalhar: (alvo: Alvo, error: unknown) => void;
}

/** Until when whoever makes an attempt must have said what came of it: a server may be slow at each of its steps. */
const PRAZO_MS = 120_000;
/** E-mails of one provider that are being sent at a time, in all processes. */
const AO_MESMO_TEMPO = 5;
/** While no server answers, one try a pause; each longer, up to the last. */
const PAUSA_MS = 15_000;
const MAIOR_PAUSA_MS = 5 * 60_000;

const NADA: Round<Carta> = { tasks: [], room: false };

/**
 * Sends, of every provider, the e-mails that are due. An attempt is counted before it is made, and no transaction is open meanwhile; if its
 * process dies, another makes it again, under the same Message-ID. There is one mail server for all: while it is away, everything waits for
 * it, and nothing is counted as tried but what was.
 */
export function createEntregasDeCorreioService(deps: EntregasDeCorreioDeps) {
  const { db, relogio, correio, provedores, quemPediu, aoFalhar } = deps;
  const soDeDia = ORIGENS_DE_CORREIO.filter((origem) => quemPediu[origem].soDeDia);
  let pausa = { ms: 0, ate: 0 };
  const emPausa = (): boolean => {
    const falta = pausa.ate - relogio.agora().getTime();
    // A clock that was set back must not make a pause of it that lasts for hours.
    return falta > 0 && falta <= MAIOR_PAUSA_MS;
  };

  function ouviuDoServidor(responde: boolean): void {
    if (responde) pausa = { ms: 0, ate: 0 };
    // Messages that were begun together fail together, and count as one failure.
    else if (!emPausa()) {
      const ms = Math.min(Math.max(PAUSA_MS, 2 * pausa.ms), MAIOR_PAUSA_MS);
      pausa = { ms, ate: relogio.agora().getTime() + ms };
    }
  }

  async function rodada({ provedorId }: Alvo, feitas: readonly Feita[], parando: boolean): Promise<Round<Carta>> {
    const { fusoHorario } = await provedores.exigirPorId(provedorId);
    return db.transaction(
      async (trx) => {
        const aqui = await isHere(trx, provedorId);
        const w = createTenantWriter(trx, provedorId);
        const queries = createFilaDeCorreioQueries(w, trx);
        const agora = relogio.agora();
        const dizer = async (prontas: readonly (CorreioFeito & { readonly origem: OrigemDeCorreio })[]) => {
          for (const [origem, delas] of groupBy(prontas, (uma) => uma.origem)) {
            await quemPediu[origem].soube?.(w, delas, agora);
          }
        };
        await queries.anotar(feitas, agora);
        await dizer(feitas.flatMap((feita) => (feita.estado === 'pendente' ? [] : [feita])));
        if (parando || !aqui || emPausa()) return NADA;
        const livres = AO_MESMO_TEMPO - (await queries.emAndamento(agora));
        if (livres <= 0) return NADA;
        const manha = foraDaNoite(fusoHorario, agora).em;
        if (manha > agora) await queries.deixarParaManha(soDeDia, agora, manha);
        const cartas = await queries.tomar(agora, livres);
        const fim = new Map<number, 'esgotada' | 'dispensada'>();
        for (const { id, para, expira_em } of cartas) {
          // Without an address: the person's data were erased.
          if (para === null) fim.set(id, 'dispensada');
          else if (fromDatabaseTime(expira_em) <= agora) fim.set(id, 'esgotada');
        }
        for (const [origem, delas] of groupBy(cartas, (uma) => uma.origem)) {
          const ids = delas.flatMap(({ id }) => (fim.has(id) ? [] : [id]));
          if (ids.length === 0) continue;
          for (const id of (await quemPediu[origem].dispensadas?.(w, ids)) ?? []) fim.set(id, 'dispensada');
        }
        for (const estado of ['esgotada', 'dispensada'] as const) {
          const ids = [...fim].flatMap(([id, qual]) => (qual === estado ? [id] : []));
          await queries.encerrar(ids, estado, estado === 'esgotada' ? 'prazo' : null);
        }
        await dizer(
          cartas.flatMap(({ id, origem }) => {
            const estado = fim.get(id);
            return estado === undefined ? [] : [{ id, origem, estado }];
          }),
        );
        const tasks = cartas.filter(({ id }) => !fim.has(id));
        if (tasks.length > 0) {
          const ids = tasks.map(({ id }) => id);
          await queries.contar(ids, new Date(agora.getTime() + PRAZO_MS));
        }
        return { tasks, room: tasks.length < livres };
      },
      { isolationLevel: 'read committed' },
    );
  }

  async function enviar({ provedorId }: Alvo, carta: Carta): Promise<Feita> {
    const { id, origem, para, assunto, texto, tentativas, expira_em } = carta;
    const mensagem = { para: para ?? '', assunto: assunto ?? '', texto: texto ?? '' };
    const resposta = await correio.tentar({ ...mensagem, id: `${provedorId}.${id}` });
    ouviuDoServidor(resposta.tipo !== 'fora');
    if (resposta.tipo === 'aceito') return { id, origem, estado: 'entregue', erro: null };
    const { erro } = resposta;
    const proximaEm = new Date(relogio.agora().getTime() + esperaDepois(tentativas + 1, null));
    const desiste = resposta.tipo === 'recusado' || proximaEm >= fromDatabaseTime(expira_em);
    return desiste ? { id, origem, estado: 'esgotada', erro } : { id, origem, estado: 'pendente', proximaEm, erro };
  }

  const servico = createServing<Alvo, Carta, Feita, Round<Carta>>({
    nameOf: ({ provedorId }) => String(provedorId),
    round: rodada,
    perform: enviar,
    onError: aoFalhar,
  });

  return {
    /** Begins to serve every provider of which something is due and that this process does not serve already; resolves to how many. */
    entregar: async (): Promise<number> => {
      if (servico.isStopping() || emPausa()) return 0;
      const ids = await provedoresComCorreio(db, relogio.agora());
      return servico.begin(ids.map((provedorId) => ({ provedorId })));
    },

    /** Resolves once nothing is under way, with what came of it written. */
    terminar: async (): Promise<void> => servico.finish(),

    /** Takes nothing more, and waits for what is under way. */
    parar: async (): Promise<void> => servico.stop(),
  };
}
