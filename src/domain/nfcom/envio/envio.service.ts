import type { DocumentoAssinado, LoteDeNotas } from '../../../../workers/threads/nfcom/contract.ts';
import { dataHoraEm } from '../../../brazil/nfcom/base/data-hora.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { Outbound } from '../../../platform/http/outbound/outbound.ts';
import { createServing } from '../../../platform/timing/serving.ts';
import type { Round } from '../../../platform/timing/serving.ts';
import type { Write } from '../../escrita.ts';
import type { ProvedoresService } from '../../provedores/provedores.service.ts';
import { createConfiguracaoNfcomQueries } from '../configuracao/configuracao.queries.ts';
import { lerConfiguracaoNfcom } from '../configuracao/leitura.service.ts';
import { createAnotacao } from './anotacao.ts';
import { createAutoridade, PACIENCIA_MS } from './autoridade.ts';
import type { Chamada } from './autoridade.ts';
import {
  desfechoDaConsulta,
  desfechoDaConsultaDoCancelamento,
  desfechoDoEnvio,
  desfechoDoEvento,
} from './desfecho.regras.ts';
import type { Alvo, Feita, Tarefa, Tomada } from './envio.types.ts';
import { createEstado, travarNota } from './estado.ts';
import { comNotasDevidas, createFilaQueries } from './fila.queries.ts';
import { createPreparo } from './preparo.ts';
import type { PreparoDeps } from './preparo.ts';

export type EnvioNfcomService = ReturnType<typeof createEnvioNfcomService>;

interface EnvioNfcomDeps extends PreparoDeps {
  readonly saida: Pick<Outbound, 'send'>;
  readonly provedores: Pick<ProvedoresService, 'exigirPorId'>;
  /** Told of a provider whose notes could not be read or written; they are tried again. */
  readonly aoFalhar: (alvo: Alvo, error: unknown) => void;
}

/** Until when whoever has a note must have said what came of it; after a kill -9 another takes it then. */
const PRAZO_MS = PACIENCIA_MS + 10_000;
/** Notes that are built and signed at a time. */
const POR_LOTE = 20;

const NADA: Round<Tarefa> = { tasks: [], room: false };
/** A status is no note's. */
const DO_STATUS = 0;

const CANCELAVEL = columns<{ id: number; justificativa: string; xml_assinado: Buffer | null }>('nfcom_eventos', {
  id: true,
  justificativa: true,
  xml_assinado: true,
});

/**
 * Builds and sends, of every provider, the notes that are due: one at a time, in their order. Each provider is served apart from the others,
 * so an authority that is slow or hangs holds up no other's. What a note says, its number and its signed bytes are committed before it is
 * sent, and resent as they are; before that the authority is asked about its key. No transaction is open meanwhile.
 */
export function createEnvioNfcomService(deps: EnvioNfcomDeps) {
  const { db, write, relogio, saida, threads, provedores, identidadeDe, autor, aoFalhar } = deps;
  const autoridade = createAutoridade({ saida });
  const preparar = createPreparo(deps);

  async function proxima(w: Write, agora: Date): Promise<Round<Tarefa>> {
    const queries = createFilaQueries(w);
    const devidas = await queries.devidas(agora, POR_LOTE);
    const [uma] = devidas;
    if (uma === undefined) return NADA;
    if (uma.etapa === 'montar') {
      const ids = devidas.map(({ id }) => id);
      await tomarFila(w, agora);
      return { tasks: [{ id: uma.id, fazer: 'montar', ids }], room: false };
    }
    const { id, etapa, chave, ambiente, protocolo, digest } = uma;
    const xml = await queries.xml(id);
    if (chave === null || xml === null) throw new Error(`a nota ${id} não está assinada`);
    if (etapa === 'enviar' && (await cancelouSe(w, id, uma.fatura_id, agora))) return proxima(w, agora);
    // Whoever finds it after a death asks first whether it arrived.
    const depois = { enviar: 'consultar', cancelar: 'conferir_cancelamento' }[etapa as string] ?? etapa;
    const tentativas = uma.tentativas + 1;
    await queries.tomar([id], { etapa: depois, tentativas, proxima_em: await tomarFila(w, agora) });
    const nota: Tomada = { id, etapa, chave, ambiente, protocolo, xml, digest };
    return { tasks: [{ id, fazer: 'nota', nota }], room: false };
  }

  /** Nobody else does anything of the provider until then, unless it is said before what came of it; resolves to when that is. */
  async function tomarFila(w: Write, agora: Date): Promise<string> {
    const posse_ate = toDatabaseTime(new Date(agora.getTime() + PRAZO_MS));
    await createFilaQueries(w).anotarNaFila({ posse_ate });
    return posse_ate;
  }

  /** A note that is not with the authority, of an invoice that was cancelled, is not sent any more; says whether it was so. */
  async function cancelouSe(w: Write, id: number, faturaId: number, agora: Date): Promise<boolean> {
    const situacao = await createFilaQueries(w).situacaoDaFatura(faturaId);
    if (situacao !== 'cancelada' && situacao !== 'estornada') return false;
    const nota = await travarNota(w, id);
    if (nota === undefined || nota.finalidade !== 'normal') return false;
    await createEstado(w, agora).solta(nota, 'fatura_cancelada', 'a fatura foi cancelada ou estornada');
    return true;
  }

  /** Writes what came of what was done, and takes what may be done next, in one short transaction. */
  async function rodada({ provedorId }: Alvo, feitas: readonly Feita[], parando: boolean): Promise<Round<Tarefa>> {
    return write(autor, provedorId, async (w) => {
      const queries = createFilaQueries(w);
      const agora = relogio.agora();
      const antes = await queries.travar();
      const anotacao = createAnotacao(w, antes, agora);
      for (const feita of feitas) await anotacao.anotar(feita);
      if (feitas.length > 0) await queries.anotarNaFila({ posse_ate: null });
      else if (antes.posse_ate !== null && antes.posse_ate > toDatabaseTime(agora)) return NADA;
      if (parando) return NADA;
      const { parada_ate: parada, codigo } = anotacao.fila();
      if (parada !== null && parada > toDatabaseTime(agora)) return NADA;
      if (codigo === '108' || codigo === '109') {
        await tomarFila(w, agora);
        return { tasks: [{ id: DO_STATUS, fazer: 'status' }], room: false };
      }
      return proxima(w, agora);
    });
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
      const parar = await preparar(await provedores.exigirPorId(alvo.provedorId), tarefa.ids);
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
        const desfecho = desfechoDoEnvio(await autoridade.enviar(chamada, nota.xml), nota.digest);
        return { fez: 'nota', nota, desfecho, duracaoMs: duracaoMs() };
      }
      case 'consultar':
      case 'conferir': {
        const desfecho = desfechoDaConsulta(await autoridade.consultar(chamada, nota.chave), nota.digest);
        return { fez: 'nota', nota, desfecho, duracaoMs: duracaoMs() };
      }
      case 'cancelar': {
        const xml = await assinarCancelamento(alvo, nota, chamada);
        if ('tipo' in xml) return { fez: 'cancelamento', nota, desfecho: xml, duracaoMs: duracaoMs() };
        const desfecho = desfechoDoEvento(await autoridade.evento(chamada, xml));
        return { fez: 'cancelamento', nota, desfecho, duracaoMs: duracaoMs() };
      }
      case 'conferir_cancelamento':
        break;
    }
    const desfecho = desfechoDaConsultaDoCancelamento(await autoridade.consultar(chamada, nota.chave));
    return { fez: 'cancelamento', nota, desfecho, duracaoMs: duracaoMs() };
  }

  /** The signed event, which was committed before it is sent, or why there is none. */
  async function assinarCancelamento({ provedorId }: Alvo, nota: Tomada, { certificado, ambiente }: Chamada) {
    const tenant = createTenantDb(db, provedorId);
    const doEvento = tenant.from('nfcom_eventos').where({ nfcom_id: nota.id, estado: 'pendente' });
    const [evento] = await rowsOf(doEvento.orderBy('id', 'desc').limit(1), CANCELAVEL);
    if (evento === undefined) return { tipo: 'recusado', codigo: 'sumiu', motivo: 'o pedido sumiu' } as const;
    if (evento.xml_assinado !== null) return evento.xml_assinado;
    const { fusoHorario } = await provedores.exigirPorId(provedorId);
    const { emitente, esquema } = await lerConfiguracaoNfcom(tenant);
    const [assinado] = await threads.run<LoteDeNotas, DocumentoAssinado[]>('nfcom', {
      chave: certificado,
      esquema,
      documentos: [
        {
          tipo: 'cancelamento',
          dados: {
            ambiente,
            cnpj: emitente.cnpj ?? '',
            chave: nota.chave,
            protocolo: nota.protocolo ?? '',
            quando: dataHoraEm(fusoHorario, relogio.agora()),
            justificativa: evento.justificativa,
          },
        },
      ],
    });
    if (assinado?.certo !== true) {
      const [recusa] = assinado?.recusas ?? [];
      return { tipo: 'recusado', codigo: recusa?.codigo ?? 'esquema', motivo: recusa?.mensagem ?? '' } as const;
    }
    const xml = Buffer.from(assinado.xml);
    await write(autor, provedorId, async (w) => {
      await w.update('nfcom_eventos', (q) => void q.where('id', evento.id), { xml_assinado: xml });
    });
    return xml;
  }

  /** What fails here is a fault of ours: it is done again, with some time between. */
  async function semFalhar(alvo: Alvo, tarefa: Tarefa): Promise<Feita> {
    try {
      return await fazer(alvo, tarefa);
    } catch (error) {
      aoFalhar(alvo, error);
      const falha = { codigo: 'falha_interna', motivo: 'o programa falhou; a próxima tentativa vem em seguida' };
      if (tarefa.fazer === 'montar') return { fez: 'montar', ids: tarefa.ids, parar: falha };
      return { fez: 'nada', nota: tarefa.fazer === 'nota' ? tarefa.nota : null, ...falha };
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
