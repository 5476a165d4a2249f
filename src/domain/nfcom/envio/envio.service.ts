import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { Outbound } from '../../../platform/http/outbound/outbound.ts';
import { createServing } from '../../../platform/timing/serving.ts';
import type { Round } from '../../../platform/timing/serving.ts';
import { emMudanca } from '../../erros.ts';
import type { ProvedoresService } from '../../provedores/provedores.service.ts';
import { createConfiguracaoNfcomQueries } from '../configuracao/configuracao.queries.ts';
import { lerConfiguracaoNfcom } from '../configuracao/leitura.service.ts';
import { createAnotacao } from './anotacao/anotacao.ts';
import { createAutoridade } from './autoridade.ts';
import type { Chamada } from './autoridade.ts';
import { createAssinaturaDeCancelamento } from './cancelamento.ts';
import {
  FALHA_INTERNA,
  desfechoDaConsulta,
  desfechoDaConsultaDoCancelamento,
  desfechoDoEnvio,
  desfechoDoEvento,
} from './desfecho.regras.ts';
import type { Alvo, Feita, Tarefa, Tomada } from './envio.types.ts';
import { comNotasDevidas, createFilaQueries } from './fila.queries.ts';
import { createMontagem } from './montagem.ts';
import type { MontagemDeps } from './montagem.ts';
import { escolherTarefas, prazoDesde } from './turnos/tarefas.ts';

export type EnvioNfcomService = ReturnType<typeof createEnvioNfcomService>;

interface EnvioNfcomDeps extends MontagemDeps {
  readonly saida: Pick<Outbound, 'send'>;
  readonly provedores: Pick<ProvedoresService, 'exigirPorId'>;
}

/** What this process has under way of a provider. */
interface EmCurso {
  /** Of which it is not written yet what came of them. */
  readonly tarefas: Set<Tarefa>;
  /** Until when its queue is this process's; null: it is not. */
  posse: string | null;
}

interface Terminada {
  readonly tarefa: Tarefa;
  readonly feita: Feita;
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
    const dele = todas.get(provedorId) ?? { tarefas: new Set<Tarefa>(), posse: null };
    todas.set(provedorId, dele);
    return dele;
  }

  /** Writes what came of what was done, and takes what may be done next, in one short transaction. */
  async function rodada(alvo: Alvo, terminadas: readonly Terminada[], parando: boolean): Promise<Round<Tarefa>> {
    const curso = cursoDe(alvo);
    const agoraTerminadas = new Set(terminadas.map(({ tarefa }) => tarefa));
    // Some may have ended since that are not among these: as long as nobody has written what came of them, they are under way.
    const emCurso = [...curso.tarefas].filter((tarefa) => !agoraTerminadas.has(tarefa));
    const { tarefas, posse, restos } = await write(autor, alvo.provedorId, async (w) => {
      const queries = createFilaQueries(w);
      const agora = relogio.agora();
      const antes = await queries.travar();
      const como = await queries.comoVai();
      const anotacao = createAnotacao(w, antes, como.ambiente, agora);
      for (const { feita } of terminadas) await anotacao.anotar(feita);
      // Of another process, also when it took the queue after this one was late.
      const alheia = antes.posse_ate !== null && antes.posse_ate !== curso.posse;
      if (alheia && (antes.posse_ate ?? '') > toDatabaseTime(agora)) return { tarefas: [], posse: null, restos: false };
      const escolhidas = parando ? [] : await escolherTarefas(w, agora, anotacao.fila(), como, emCurso);
      const daqui = escolhidas.length + emCurso.length > 0 ? prazoDesde(agora) : null;
      if (daqui !== antes.posse_ate) await queries.anotarNaFila({ posse_ate: daqui });
      const deLa = (uma: Tarefa): boolean => uma.fazer === 'nota' && uma.nota.ambiente !== como.ambiente;
      return { tarefas: escolhidas, posse: daqui, restos: [...emCurso, ...escolhidas].some(deLa) };
    }).catch((error: unknown) => {
      // What came of it is asked of the authority by the cell in which the provider will live, as after a death.
      if (emMudanca(error)) return { tarefas: [], posse: null, restos: false };
      throw error;
    });
    curso.posse = posse;
    for (const tarefa of agoraTerminadas) curso.tarefas.delete(tarefa);
    // What is due of this environment does not wait for the other's authority to answer.
    return { tasks: tarefas, room: restos };
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
      return { fez: 'status', ambiente: chamada.ambiente === 1 ? 'producao' : 'homologacao', cStat, motivo, em };
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
  async function semFalhar(alvo: Alvo, tarefa: Tarefa): Promise<Terminada> {
    cursoDe(alvo).tarefas.add(tarefa);
    try {
      return { tarefa, feita: await fazer(alvo, tarefa) };
    } catch (error) {
      aoFalhar(alvo, error);
      const falha = { codigo: FALHA_INTERNA, motivo: 'o programa falhou; a próxima tentativa vem em seguida' };
      if (tarefa.fazer === 'montar') return { tarefa, feita: { fez: 'montar', ids: tarefa.ids, parar: falha } };
      return { tarefa, feita: { fez: 'nada', nota: tarefa.fazer === 'nota' ? tarefa.nota : null, ...falha } };
    }
  }

  const servico = createServing<Alvo, Tarefa, Terminada, Round<Tarefa>>({
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
