import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { createTenantDb, sameTenant } from '../../../platform/mysql/tenant.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { createServing } from '../../../platform/timing/serving.ts';
import type { Round } from '../../../platform/timing/serving.ts';
import type { ActorDe } from '../../actor.ts';
import { contaDaFatura } from '../../cobradores/cobradores.types.ts';
import { emMudanca } from '../../erros.ts';
import type { Write, WriteFor } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { ProvedoresService } from '../../provedores/provedores.service.ts';
import type { RecebimentosService } from '../../recebimentos/recebimentos.service.ts';
import { PACIENCIA_MS } from '../cliente/cliente.ts';
import type { ClientePsp } from '../cliente/cliente.ts';
import { abrirConvenio, comTrabalho } from '../convenios/convenios.queries.ts';
import type { ConvenioComSegredos } from '../convenios/convenios.queries.ts';
import { conferirWebhook } from '../convenios/webhook.ts';
import { anotarForaDaLista, foraDaLista } from '../leitura/fora-da-lista.ts';
import { createLeituraDoPsp } from '../leitura/leitura.ts';
import { COLUNAS_DA_COBRANCA, COLUNAS_DO_CONVENIO } from '../psp.types.ts';
import type { Alvo, CobrancaRow, ConvenioRow } from '../psp.types.ts';
import { AVISA_NA, anotarCobranca, avisarParada, esperaDepois } from './anotacao.ts';
import { resolverCobranca } from './cobranca.ts';
import type { DadosDaCobranca } from './cobranca.ts';
import type { Falha, Feita, Tarefa } from './envio.types.ts';
import { anotarLeitura, anotarWebhook, devida } from './leitura-devida.ts';

export type EnvioAoPspService = ReturnType<typeof createEnvioAoPspService>;

interface EnvioDeps {
  readonly db: Db;
  readonly write: WriteFor;
  readonly relogio: Relogio;
  readonly segredos: Secrets;
  readonly cliente: ClientePsp;
  readonly provedores: Pick<ProvedoresService, 'exigirPorId'>;
  readonly recebimentos: Pick<RecebimentosService, 'registrar' | 'recusar'>;
  readonly autor: ActorDe<'tarefa'>;
  /** Told of an agreement of which something could not be read or written; it is tried again. */
  readonly aoFalhar: (alvo: Alvo, error: unknown) => void;
}

/** Charges of one agreement that are under way at a time, in one process. */
const SIMULTANEAS = 4;
/** A charge takes a token, a question and an answer; whoever took it and died has it no more after this. */
const PRAZO_MS = 4 * PACIENCIA_MS + 10_000;
const NADA: Round<Tarefa> = { tasks: [], room: false };

const DO_CLIENTE = columns<{ nome: string; cpf_cnpj: string; descricao: string | null; cobrador_id: number | null }>(
  'faturas',
  {
    nome: 'clientes.nome',
    cpf_cnpj: 'clientes.cpf_cnpj',
    descricao: 'faturas.descricao',
    cobrador_id: 'faturas.cobrador_id',
  },
);

/**
 * Does at PSPs what is due: charges that are to be made, changed or taken off, what was received, and whether the webhook still stands.
 * Each agreement is served apart from the others, so a PSP that is slow or hangs holds up no other's. No transaction is open meanwhile.
 */
export function createEnvioAoPspService(deps: EnvioDeps) {
  const { db, write, relogio, segredos, cliente, provedores, recebimentos, autor, aoFalhar } = deps;
  const lerJanela = createLeituraDoPsp({ cliente, recebimentos, autor });
  /** How many charges of each agreement this process has under way. */
  const emCurso = new Map<number, number>();

  async function anotar(w: Write, provedor: Provedor, feita: Feita, agora: Date): Promise<Falha | null> {
    if (feita.fez === 'cobranca') {
      const { desfecho } = feita;
      await anotarCobranca(w, provedor, feita.cobranca, desfecho, agora);
      return desfecho.tipo === 'falha' && desfecho.soDela !== true ? desfecho : null;
    }
    return feita.falha;
  }

  /** Writes what came of what was done, and takes what may be done next, in one short transaction. */
  async function rodada(alvo: Alvo, feitas: readonly Feita[], parando: boolean): Promise<Round<Tarefa>> {
    const { provedorId, convenioId } = alvo;
    const provedor = await provedores.exigirPorId(provedorId);
    const seguinte = await write(autor, provedorId, async (w) => {
      const agora = relogio.agora();
      const [convenio] = await rowsOf(
        w.from('psp_convenios').where({ id: convenioId }).forUpdate(),
        COLUNAS_DO_CONVENIO,
      );
      if (convenio === undefined) return NADA;
      let { falhas } = convenio;
      let parada = convenio.parada_ate === null ? null : fromDatabaseTime(convenio.parada_ate);
      for (const feita of feitas) {
        const falha = await anotar(w, provedor, feita, agora);
        if (feita.fez === 'ler' || feita.fez === 'reler') await anotarLeitura(w, convenio, feita, agora);
        if (feita.fez === 'ler') await anotarForaDaLista(w, feita.foraDaLista, agora);
        if (feita.fez === 'webhook') await anotarWebhook(w, convenio, feita, agora);
        // Requests that ran at the same time fail together, and count as one failure: else one bad minute would look like hours.
        const jaParada = parada !== null && parada > agora;
        if (falha === null) falhas = 0;
        else if (!jaParada) falhas += 1;
        parada = falha === null ? null : new Date(agora.getTime() + (falha.esperaMs ?? esperaDepois(falhas) / 4));
        await w.update('psp_convenios', (q) => void q.where({ id: convenioId }), {
          falhas,
          parada_ate: parada === null ? null : toDatabaseTime(parada),
          codigo: falha?.codigo ?? null,
        });
        if (falha !== null && !jaParada && falhas === AVISA_NA) await avisarParada(w, convenioId, falha.codigo, agora);
      }
      if (parando || (parada !== null && parada > agora)) return NADA;
      const lendo = await devida(w, convenio, agora);
      const livres =
        SIMULTANEAS - (emCurso.get(convenioId) ?? 0) + feitas.filter(({ fez }) => fez === 'cobranca').length;
      const cobrancas = await tomar(w, convenio, livres, agora);
      return {
        tasks: [...lendo, ...cobrancas.map((cobranca) => ({ id: cobranca.id, fazer: 'cobranca', cobranca }) as const)],
        room: livres > cobrancas.length,
      };
    }).catch((error: unknown) => {
      // What came of it is asked of the PSP by the cell in which the provider will live, as after a death.
      if (emMudanca(error)) return NADA;
      throw error;
    });
    const antes = emCurso.get(convenioId) ?? 0;
    const acabaram = feitas.filter(({ fez }) => fez === 'cobranca').length;
    const restam = antes - acabaram + seguinte.tasks.filter(({ id }) => id > 0).length;
    if (restam > 0) emCurso.set(convenioId, restam);
    else emCurso.delete(convenioId);
    return seguinte;
  }

  async function tomar(w: Write, { id }: ConvenioRow, livres: number, agora: Date): Promise<CobrancaRow[]> {
    if (livres <= 0) return [];
    const devidas = w.from('psp_cobrancas').where('convenio_id', id).where('proxima_em', '<=', toDatabaseTime(agora));
    const rows = await rowsOf(devidas.orderBy(['proxima_em', 'id']).limit(livres), COLUNAS_DA_COBRANCA);
    if (rows.length === 0) return rows;
    const ids = rows.map((row) => row.id);
    await w.update('psp_cobrancas', (q) => void q.whereIn('id', ids), {
      proxima_em: toDatabaseTime(new Date(agora.getTime() + PRAZO_MS)),
      tentativas: w.tenant.db.raw('tentativas + 1'),
    });
    return rows;
  }

  async function dadosDe(
    provedor: Provedor,
    { fatura_id: faturaId }: CobrancaRow,
    c: ConvenioComSegredos,
  ): Promise<DadosDaCobranca> {
    const daFatura = createTenantDb(db, provedor.id)
      .from('faturas')
      .join('clientes', sameTenant('faturas', 'cliente_id', 'clientes', 'id'))
      .where('faturas.id', faturaId);
    const [row] = await rowsOf(daFatura, DO_CLIENTE);
    const documento = row?.cpf_cnpj ?? '';
    const serve = row !== undefined && row.nome.trim() !== '' && /^(?:\d{11}|[\dA-Z]{12}\d{2})$/.test(documento);
    const conta = contaDaFatura(provedor.contas, c.row.cobrador_id);
    return {
      pagador: serve ? { nome: row.nome.trim(), documento } : null,
      descricao: row?.descricao ?? null,
      recebedor: {
        nome: conta.pix.nome ?? provedor.nome,
        cidade: conta.pix.cidade ?? 'Brasil',
      },
    };
  }

  async function fazer({ provedorId, convenioId }: Alvo, tarefa: Tarefa): Promise<Feita> {
    const tenant = createTenantDb(db, provedorId);
    const provedor = await provedores.exigirPorId(provedorId);
    const c = await abrirConvenio(tenant, segredos, { id: convenioId });
    if (c === null) throw new Error(`o convênio ${convenioId} sumiu`);
    switch (tarefa.fazer) {
      case 'cobranca': {
        const { cobranca } = tarefa;
        const dados = await dadosDe(provedor, cobranca, c);
        return {
          fez: 'cobranca',
          cobranca,
          desfecho: await resolverCobranca(cliente, c, cobranca, dados, relogio.agora()),
        };
      }
      case 'ler': {
        const { de, ate } = tarefa;
        const vistos = new Set<string>();
        const falha = await lerJanela(tenant, provedor, c, { de, ate, vistos });
        const agora = relogio.agora();
        const fora = falha === null ? await foraDaLista(tenant, cliente, c, { de, ate, agora }, vistos) : [];
        return { fez: 'ler', ate, falha, foraDaLista: fora };
      }
      case 'reler':
        return { fez: 'reler', falha: await relerDevolvidos(tenant, provedor, c) };
      case 'webhook':
        break;
    }
    return { fez: 'webhook', ...(await conferirWebhook(tenant, cliente, c)) };
  }

  /** What may have been given back long after it came, in pieces that PSPs take. */
  async function relerDevolvidos(
    tenant: ReturnType<typeof createTenantDb>,
    provedor: Provedor,
    c: ConvenioComSegredos,
  ): Promise<Falha | null> {
    const agora = relogio.agora().getTime();
    for (let dias = DEVOLVE_ATE_DIAS; dias > 0; dias -= PASSO_DIAS) {
      const de = new Date(agora - dias * DIA_MS);
      const ate = new Date(Math.min(agora, de.getTime() + PASSO_DIAS * DIA_MS));
      const falha = await lerJanela(tenant, provedor, c, { de, ate, devolvidos: true });
      if (falha !== null) return falha;
    }
    return null;
  }

  /** What fails here is a fault of ours: it is done again, with some time between. */
  async function semFalhar(alvo: Alvo, tarefa: Tarefa): Promise<Feita> {
    try {
      return await fazer(alvo, tarefa);
    } catch (error) {
      aoFalhar(alvo, error);
      const falha: Falha = { tipo: 'falha', codigo: 'falha_interna', esperaMs: null };
      if (tarefa.fazer === 'cobranca') return { fez: 'cobranca', cobranca: tarefa.cobranca, desfecho: falha };
      if (tarefa.fazer === 'ler') return { fez: 'ler', ate: tarefa.ate, falha, foraDaLista: [] };
      return tarefa.fazer === 'reler' ? { fez: 'reler', falha } : { fez: 'webhook', esta: null, falha };
    }
  }

  const servico = createServing<Alvo, Tarefa, Feita, Round<Tarefa>>({
    nameOf: ({ provedorId, convenioId }) => `${provedorId}:${convenioId}`,
    round: rodada,
    perform: semFalhar,
    onError: aoFalhar,
  });

  return {
    /** Begins to serve every agreement of which something is due and that this process does not serve already; resolves to how many. */
    entregar: async (): Promise<number> =>
      servico.isStopping() ? 0 : servico.begin(await comTrabalho(db, relogio.agora())),

    /** Resolves once nothing is under way, with what came of it written. */
    terminar: async (): Promise<void> => servico.finish(),

    /** Takes nothing more, and waits for what is under way. */
    parar: async (): Promise<void> => servico.stop(),
  };
}

const DIA_MS = 86_400_000;
/** A devolution may be asked for in so many days (API Pix); the MED's come sooner. */
const DEVOLVE_ATE_DIAS = 90;
/** PSPs take no longer spans than some days. */
const PASSO_DIAS = 4;
