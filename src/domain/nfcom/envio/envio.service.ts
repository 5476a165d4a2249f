import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { Outbound } from '../../../platform/http/outbound/outbound.ts';
import { createServing } from '../../../platform/timing/serving.ts';
import type { Round } from '../../../platform/timing/serving.ts';
import { emMudanca } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { ProvedoresService } from '../../provedores/provedores.service.ts';
import { createConfiguracaoNfcomQueries } from '../configuracao/configuracao.queries.ts';
import { lerConfiguracaoNfcom } from '../configuracao/leitura.service.ts';
import { createAnotacao } from './anotacao.ts';
import { createAutoridade, PACIENCIA_MS } from './autoridade.ts';
import type { Chamada } from './autoridade.ts';
import { createAssinaturaDeCancelamento } from './cancelamento.ts';
import {
  SEM_AUTORIDADE,
  desfechoDaConsulta,
  desfechoDaConsultaDoCancelamento,
  desfechoDoEnvio,
  desfechoDoEvento,
  vagasDe,
} from './desfecho.regras.ts';
import type { Alvo, Etapa, Feita, Tarefa, Tomada } from './envio.types.ts';
import { createEstado, travarNota } from './estado.ts';
import { comNotasDevidas, createFilaQueries } from './fila.queries.ts';
import type { FilaRow } from './fila.queries.ts';
import { createMontagem } from './montagem.ts';
import { notasASeguir } from './turnos/escolha.ts';
import type { MontagemDeps } from './montagem.ts';
import { ehPergunta } from './turnos/turnos.regras.ts';

export type EnvioNfcomService = ReturnType<typeof createEnvioNfcomService>;

interface EnvioNfcomDeps extends MontagemDeps {
  readonly saida: Pick<Outbound, 'send'>;
  readonly provedores: Pick<ProvedoresService, 'exigirPorId'>;
}

/** Until when whoever has a note must have said what came of it; after a kill -9 another takes it then. */
const PRAZO_MS = PACIENCIA_MS + 10_000;
/** Notes that are built and signed at a time. */
const POR_LOTE = 20;

/** What a note that is taken becomes, where that is another stage. */
const DEPOIS_DE: Partial<Record<Etapa, Etapa>> = { enviar: 'consultar', cancelar: 'conferir_cancelamento' };

/** A status is no note's. */
const DO_STATUS = 0;

/** Until when what is taken now is done, or another may take it. */
const prazoDesde = (agora: Date): string => toDatabaseTime(new Date(agora.getTime() + PRAZO_MS));

/** What this process has under way of a provider, and until when its queue is this process's; null: it is not. */
interface EmCurso {
  /** Tasks of which it is not written yet what came of them. */
  tarefas: number;
  /** Ids of the notes among them. */
  readonly notas: Set<number>;
  /** How many of them are asked about, of each environment. */
  readonly perguntas: Record<Tomada['ambiente'], number>;
  montando: boolean;
  posse: string | null;
}

function contarPergunta(perguntas: EmCurso['perguntas'], nota: Tomada | null, mais: 1 | -1): void {
  if (nota !== null && ehPergunta(nota.etapa)) perguntas[nota.ambiente] += mais;
}

/**
 * Builds and sends, of every provider, the notes that are due, in their order, some at a time. One process serves a provider, apart from the
 * others, so an authority that is slow or hangs holds up no other's. What a note says, its number and its signed bytes are committed before it is
 * sent, and resent as they are; before that the authority is asked about its key. No transaction is open meanwhile.
 */
export function createEnvioNfcomService(deps: EnvioNfcomDeps) {
  const { db, write, relogio, saida, provedores, identidadeDe, autor, aoFalhar } = deps;
  const autoridade = createAutoridade({ saida });
  const montar = createMontagem(deps);
  const assinarCancelamento = createAssinaturaDeCancelamento(deps);

  const todas = new Map<number, EmCurso>();
  function cursoDe({ provedorId }: Alvo): EmCurso {
    const dele = todas.get(provedorId) ?? {
      tarefas: 0,
      notas: new Set<number>(),
      perguntas: { producao: 0, homologacao: 0 },
      montando: false,
      posse: null,
    };
    todas.set(provedorId, dele);
    return dele;
  }

  /** The next notes that are to be built, unless some are already. */
  async function aMontar(w: Write, agora: Date, fila: FilaRow, { montando, notas }: EmCurso): Promise<Tarefa[]> {
    if (montando || fila.pausada_em !== null) return [];
    const ids = (await createFilaQueries(w).devidas(agora, ['montar'], POR_LOTE, notas)).map(({ id }) => id);
    const [id] = ids;
    return id === undefined ? [] : [{ id, fazer: 'montar', ids }];
  }

  /**
   * What may be done next beside what is under way: notes that are signed first (see {@link notasASeguir}), then those that are to be built. In contingency these do not
   * wait for those: they are issued when they are signed.
   */
  async function proximas(w: Write, agora: Date, fila: FilaRow, curso: EmCurso): Promise<Tarefa[]> {
    const queries = createFilaQueries(w);
    const { tarefas } = curso;
    const { ambiente: aqui, simultaneas, offline } = await queries.comoVai();
    const vagas = vagasDe(fila, simultaneas) - tarefas;
    if (vagas <= 0) return offline ? aMontar(w, agora, fila, curso) : [];
    const devidas = await notasASeguir(w, agora, vagas, { ...curso, fila, ambiente: aqui });
    const aEnviar = devidas.filter(({ etapa }) => etapa === 'enviar').map(({ fatura_id }) => fatura_id);
    const desfeitas = await queries.desfeitas(aEnviar);
    const xmls = await queries.xmls(devidas.map(({ id }) => id));
    const escolhidas: Tarefa[] = [];
    const porEtapa = new Map<Etapa, number[]>();
    for (const { id, etapa, fatura_id, chave, ambiente, protocolo, digest } of devidas) {
      const xml = xmls.get(id) ?? null;
      if (etapa === 'montar' || chave === null || (xml === null && etapa === 'enviar')) {
        throw new Error(`a nota ${id} não está assinada`);
      }
      if (etapa === 'enviar' && desfeitas.has(fatura_id) && (await soltar(w, id, agora))) continue;
      porEtapa.set(etapa, [...(porEtapa.get(etapa) ?? []), id]);
      escolhidas.push({ id, fazer: 'nota', nota: { id, etapa, chave, ambiente, protocolo, xml, digest } });
    }
    for (const [etapa, ids] of porEtapa) {
      // Whoever finds it after a death asks first whether it arrived.
      const depois = DEPOIS_DE[etapa] ?? etapa;
      await queries.tomar(ids, {
        etapa: depois,
        tentativas: w.tenant.db.raw('tentativas + 1'),
        proxima_em: prazoDesde(agora),
      });
    }
    if (escolhidas.length >= vagas && !offline) return escolhidas;
    return [...escolhidas, ...(await aMontar(w, agora, fila, curso))];
  }

  /** A note that is not with the authority, of an invoice that was cancelled, is not sent any more; says whether it was so. */
  async function soltar(w: Write, id: number, agora: Date): Promise<boolean> {
    const nota = await travarNota(w, id);
    if (nota === undefined || nota.finalidade !== 'normal') return false;
    await createEstado(w, agora).solta(nota, 'fatura_cancelada', 'a fatura foi cancelada ou estornada');
    return true;
  }

  /** Writes what came of what was done, and takes what may be done next, in one short transaction. */
  async function rodada(alvo: Alvo, feitas: readonly Feita[], parando: boolean): Promise<Round<Tarefa>> {
    const doProcesso = cursoDe(alvo);
    // Some may have ended since that are not among these: as long as nobody has written what came of them, they are under way.
    const curso = {
      ...doProcesso,
      tarefas: doProcesso.tarefas - feitas.length,
      perguntas: { ...doProcesso.perguntas },
    };
    for (const feita of feitas) if ('nota' in feita) contarPergunta(curso.perguntas, feita.nota, -1);
    const { tarefas, posse } = await write(autor, alvo.provedorId, async (w) => {
      const queries = createFilaQueries(w);
      const agora = relogio.agora();
      const antes = await queries.travar();
      const anotacao = createAnotacao(w, antes, agora);
      for (const feita of feitas) await anotacao.anotar(feita);
      // Of another process, also when it took the queue after this one was late.
      const alheia = antes.posse_ate !== null && antes.posse_ate !== curso.posse;
      if (alheia && (antes.posse_ate ?? '') > toDatabaseTime(agora)) return { tarefas: [], posse: null };
      const escolhidas = parando ? [] : await escolher(w, agora, anotacao.fila(), curso);
      const daqui = escolhidas.length + curso.tarefas > 0 ? prazoDesde(agora) : null;
      if (daqui !== antes.posse_ate) await queries.anotarNaFila({ posse_ate: daqui });
      return { tarefas: escolhidas, posse: daqui };
    }).catch((error: unknown) => {
      // What came of it is asked of the authority by the cell in which the provider will live, as after a death.
      if (emMudanca(error)) return { tarefas: [], posse: null };
      throw error;
    });
    doProcesso.posse = posse;
    doProcesso.tarefas -= feitas.length;
    for (const feita of feitas) if ('nota' in feita) contarPergunta(doProcesso.perguntas, feita.nota, -1);
    return { tasks: tarefas, room: false };
  }

  /** What may be done next, unless the queue is stopped; where the authority is away, notes are still issued offline in contingency. */
  async function escolher(w: Write, agora: Date, fila: FilaRow, curso: EmCurso): Promise<readonly Tarefa[]> {
    const { parada_ate: parada, codigo } = fila;
    const parado = parada !== null && parada > toDatabaseTime(agora);
    const soStatus = codigo === '108' || codigo === '109';
    if (!parado && !soStatus) return proximas(w, agora, fila, curso);
    const perguntar: Tarefa[] = parado || curso.tarefas > 0 ? [] : [{ id: DO_STATUS, fazer: 'status' }];
    const offline = SEM_AUTORIDADE.has(codigo ?? '') && (await createFilaQueries(w).comoVai()).offline;
    return offline ? [...perguntar, ...(await aMontar(w, agora, fila, curso))] : perguntar;
  }

  /** Whom to call for a provider, and with what. */
  async function chamadaDe(
    { provedorId }: Alvo,
    ambiente?: Tomada['ambiente'],
  ): Promise<Chamada | { readonly codigo: string; readonly motivo: string }> {
    const tenant = createTenantDb(db, provedorId);
    const configuracao = await lerConfiguracaoNfcom(tenant);
    const { cnpj } = configuracao.emitente;
    const { autorizador } = configuracao;
    if (cnpj === null || autorizador === null) {
      return { codigo: 'sem_configuracao', motivo: 'os dados fiscais do provedor estão incompletos' };
    }
    const identidade = await identidadeDe(tenant, cnpj, relogio.agora());
    if (!identidade.certa) return identidade;
    const onde = ambiente ?? configuracao.ambiente;
    const row = await createConfiguracaoNfcomQueries(tenant).ler();
    return {
      enderecos: autorizador[onde],
      ambiente: onde === 'producao' ? 1 : 2,
      certificado: identidade.certificado,
      cas: row?.cas_extras ?? null,
    };
  }

  async function fazer(alvo: Alvo, tarefa: Tarefa): Promise<Feita> {
    if (tarefa.fazer === 'montar') {
      const parar = await montar(alvo, await provedores.exigirPorId(alvo.provedorId), tarefa.ids);
      return { fez: 'montar', ids: tarefa.ids, parar };
    }
    const nota = tarefa.fazer === 'nota' ? tarefa.nota : null;
    const chamada = await chamadaDe(alvo, nota?.ambiente);
    if ('codigo' in chamada) return { fez: 'nada', nota, codigo: chamada.codigo, motivo: chamada.motivo };
    if (nota === null) {
      const em = relogio.agora();
      const resposta = await autoridade.status(chamada);
      const { cStat, motivo } = resposta.veio ? resposta.lida : { cStat: null, motivo: resposta.erro };
      return { fez: 'status', cStat, motivo, em };
    }
    const inicio = performance.now();
    const duracaoMs = (): number => Math.round(performance.now() - inicio);
    switch (nota.etapa) {
      case 'enviar': {
        const desfecho = desfechoDoEnvio(await autoridade.enviar(chamada, nota.xml ?? Buffer.alloc(0)), nota);
        return { fez: 'nota', nota, desfecho, duracaoMs: duracaoMs() };
      }
      case 'consultar':
      case 'conferir': {
        const { chave, digest, etapa } = nota;
        const desfecho = desfechoDaConsulta(await autoridade.consultar(chamada, chave), { chave, digest, etapa });
        return { fez: 'nota', nota, desfecho, duracaoMs: duracaoMs() };
      }
      case 'cancelar': {
        const xml = await assinarCancelamento(alvo, nota, chamada);
        if ('tipo' in xml) return { fez: 'cancelamento', nota, desfecho: xml, duracaoMs: duracaoMs() };
        const desfecho = desfechoDoEvento(await autoridade.evento(chamada, xml), nota.chave);
        return { fez: 'cancelamento', nota, desfecho, duracaoMs: duracaoMs() };
      }
      case 'conferir_cancelamento':
        break;
    }
    const desfecho = desfechoDaConsultaDoCancelamento(await autoridade.consultar(chamada, nota.chave), nota.chave);
    return { fez: 'cancelamento', nota, desfecho, duracaoMs: duracaoMs() };
  }

  /** What fails here is a fault of ours: it is done again, with some time between. */
  async function semFalhar(alvo: Alvo, tarefa: Tarefa): Promise<Feita> {
    const curso = cursoDe(alvo);
    curso.tarefas += 1;
    if (tarefa.fazer === 'nota') {
      contarPergunta(curso.perguntas, tarefa.nota, 1);
      curso.notas.add(tarefa.id);
    }
    if (tarefa.fazer === 'montar') curso.montando = true;
    try {
      return await fazer(alvo, tarefa);
    } catch (error) {
      aoFalhar(alvo, error);
      const falha = { codigo: 'falha_interna', motivo: 'o programa falhou; a próxima tentativa vem em seguida' };
      if (tarefa.fazer === 'montar') return { fez: 'montar', ids: tarefa.ids, parar: falha };
      return { fez: 'nada', nota: tarefa.fazer === 'nota' ? tarefa.nota : null, ...falha };
    } finally {
      if (tarefa.fazer === 'nota') curso.notas.delete(tarefa.id);
      if (tarefa.fazer === 'montar') curso.montando = false;
    }
  }

  const servico = createServing<Alvo, Tarefa, Feita, Round<Tarefa>>({
    nameOf: ({ provedorId }) => String(provedorId),
    round: rodada,
    perform: semFalhar,
    onError: aoFalhar,
  });

  return {
    /** Begins to serve every provider of which something is due and that this process does not serve already; resolves to how many. */
    entregar: async (): Promise<number> =>
      servico.isStopping() ? 0 : servico.begin(await comNotasDevidas(db, relogio.agora())),

    /** Resolves once nothing is under way, with what came of it written. */
    terminar: async (): Promise<void> => servico.finish(),

    /** Takes nothing more, and waits for what is under way. */
    parar: async (): Promise<void> => servico.stop(),
  };
}
