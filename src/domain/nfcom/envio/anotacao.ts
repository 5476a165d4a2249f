import { lerChave } from '../../../brazil/nfcom/base/chave.ts';
import { jsonColumn, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import {
  CONSULTAS_RECUSADAS,
  CONSULTA_RECUSADA,
  esperaDaChave,
  esperaDepois,
  paradaDe,
  ENTRE_STATUS_MS,
  NUMEROS_DE_OUTRO,
  NUMERO_DE_OUTRA,
  PARADA_POR_REJEICOES_MS,
  REJEICOES_IGUAIS,
  SEM_AUTORIDADE,
} from './desfecho.regras.ts';
import type { Autorizacao, Desfecho, Parada } from './desfecho.regras.ts';
import type { Feita, Tomada } from './envio.types.ts';
import { SEM_NUMERO, createEstado, registradaEm, travarNota, versaoDaChave, versaoDoDigest } from './estado.ts';
import type { NotaDaFila } from './estado.ts';
import { createFilaQueries } from './fila.queries.ts';
import type { FilaRow } from './fila.queries.ts';
import { createTentativasQueries } from './turnos/tentativas.queries.ts';
import { ehPergunta, recusasSeguidas, turnosDe } from './turnos/turnos.regras.ts';

/** How long nothing is tried where a provider has no certificate, or its settings are not whole. */
const SEM_IDENTIDADE_MS = 60_000;

const porIguais = ({ codigo, motivo }: { readonly codigo: string; readonly motivo: string }) => ({
  codigo: 'rejeicoes_iguais',
  motivo: `${REJEICOES_IGUAIS} respostas seguidas foram a mesma rejeição (${codigo}): ${motivo}`,
});

interface Recusada {
  readonly codigo: string;
  readonly motivo: string;
}

const OUTRO_CONTEUDO = 'A autoridade tem, com esta chave, uma nota de outro conteúdo.';

/** Writes what came of what was done for a provider, whose queue is locked. */
export function createAnotacao(w: Write, fila: FilaRow, agora: Date) {
  const queries = createFilaQueries(w);
  const tentativas = createTentativasQueries(w);
  const estado = createEstado(w, agora);
  const daquiA = (ms: number): string => toDatabaseTime(new Date(agora.getTime() + ms));
  let atual = fila;

  async function mudarFila(mudancas: Partial<FilaRow> & Record<string, unknown>): Promise<void> {
    atual = { ...atual, ...mudancas };
    await queries.anotarNaFila(mudancas);
  }

  const parada = (): boolean => atual.parada_ate !== null && atual.parada_ate > toDatabaseTime(agora);

  /** What was sent together fails together: that is one failure, and of two stops the longer one counts. */
  async function parar({ ms, codigo, motivo }: Parada): Promise<void> {
    const falhas = parada() ? atual.falhas : atual.falhas + 1;
    const ate = daquiA(ms === 'crescente' ? esperaDepois(falhas - 1) : ms);
    if (parada() && (atual.parada_ate ?? '') >= ate) return;
    await mudarFila({ parada_ate: ate, codigo, motivo: motivo.slice(0, 500), falhas });
  }

  /** Nothing can be built. While the authority is away too, this is what holds: otherwise it would be tried again at once. */
  async function naoMontou({ codigo, motivo }: Omit<Parada, 'ms'>): Promise<void> {
    await parar({ ms: SEM_IDENTIDADE_MS, codigo, motivo });
    if (SEM_AUTORIDADE.has(atual.codigo ?? '')) await mudarFila({ codigo, motivo: motivo.slice(0, 500) });
  }

  /** The authority answers: whatever stopped the queue before is over, unless it was stopped while this was under way. */
  async function respondeu(): Promise<void> {
    if (parada()) return;
    if (atual.falhas > 0 || atual.codigo !== null) {
      await mudarFila({ parada_ate: null, codigo: null, motivo: null, falhas: 0 });
    }
  }

  /**
   * While notes are taken, a question that is not answered is Consulta's matter: the note waits, and the queue does not stop. What the trials'
   * authority says, where trial notes are left of before the provider went over to real ones, is of no note that is issued now.
   */
  async function ouvir({ etapa, ambiente }: Pick<Tomada, 'etapa' | 'ambiente'>, pedida: Parada | null): Promise<void> {
    const { ambiente: aqui } = await queries.comoVai();
    if (ambiente === 'homologacao' && aqui === 'producao') return;
    const segurada = atual.sem_perguntar_ate !== null;
    const pergunta = ehPergunta(etapa) && ambiente === aqui;
    const turnos = pergunta ? turnosDe(await tentativas.ultimas(), aqui, agora, segurada) : null;
    if (turnos?.semPerguntarAte !== undefined) await segurarPerguntas(turnos.semPerguntarAte);
    if (pedida === null) await respondeu();
    else if (pedida.ms !== 'crescente' || turnos?.recebe !== true) await parar(pedida);
  }

  async function segurarPerguntas(ate: Date | null): Promise<void> {
    const sem_perguntar_ate = ate === null ? null : toDatabaseTime(ate);
    if (sem_perguntar_ate !== atual.sem_perguntar_ate) await mudarFila({ sem_perguntar_ate });
  }

  /** A status that says no more than that the authority is away is asked for again in some minutes; what it takes ill stops it for longer. */
  function doStatus({ cStat, motivo }: Extract<Feita, { fez: 'status' }>): Partial<FilaRow> & { motivo?: string } {
    const dita = cStat === null ? null : paradaDe(cStat, motivo);
    if (dita === null || dita.ms === 'crescente') return { parada_ate: daquiA(ENTRE_STATUS_MS) };
    return { parada_ate: daquiA(dita.ms), codigo: dita.codigo, motivo: dita.motivo.slice(0, 500) };
  }

  /** @param motivada what stops the queue when so many were rejected alike */
  async function contarRejeicao(codigo: string, motivada: Omit<Parada, 'ms'>): Promise<void> {
    const rejeicao = codigo.slice(0, 6);
    const rejeicoes = atual.rejeicao === rejeicao ? atual.rejeicoes + 1 : 1;
    await mudarFila({ rejeicao, rejeicoes });
    if (rejeicoes < REJEICOES_IGUAIS) return;
    // After the stop one note finds out whether it is over: one more stops the queue again.
    await mudarFila({ rejeicoes: REJEICOES_IGUAIS - 1 });
    await parar({ ms: PARADA_POR_REJEICOES_MS, ...motivada });
  }

  /** Its number was another's: whose key that is decides. */
  async function deOutra(nota: NotaDaFila, { chave, motivo }: Extract<Desfecho, { tipo: 'numero_de_outra' }>) {
    const versao = chave === null ? undefined : await versaoDaChave(w, chave);
    if (versao?.nfcom_id === nota.id) {
      // What we had signed before was authorised, and we never heard of it.
      await estado.voltar(nota, versao, NUMERO_DE_OUTRA);
      await estado.mudar(nota, { etapa: 'consultar', proxima_em: daquiA(0) });
      return;
    }
    const outra = versao === undefined ? undefined : await travarNota(w, versao.nfcom_id);
    if (versao !== undefined && outra?.chave === null && outra.situacao === 'rejeitada') {
      // A note that was given up was authorised after all: it has its number back.
      const { digest, emitida_em, xml_assinado } = versao;
      const { serie = null, numero = null } = lerChave(versao.chave) ?? {};
      const mudancas = { chave: versao.chave, serie, numero, digest, emitida_em, xml_assinado };
      await estado.mudar(outra, { ...mudancas, situacao: 'processando', etapa: 'consultar', proxima_em: daquiA(0) });
    }
    // The number is used for good, by a note that is not this one.
    await estado.guardarVersao(nota, NUMERO_DE_OUTRA);
    await estado.mudar(nota, {
      ...SEM_NUMERO,
      situacao: 'pendente',
      etapa: 'montar',
      motivo: motivo.slice(0, 500),
      proxima_em: daquiA(0),
    });
    // Of a series in which another program has thousands, one after the other would be asked about.
    if (versao === undefined) {
      await contarRejeicao(NUMERO_DE_OUTRA, {
        codigo: NUMEROS_DE_OUTRO,
        motivo: `a série ${nota.serie} já tem notas de outro programa, até depois do número ${nota.numero}`,
      });
    }
  }

  async function autorizar(nota: NotaDaFila, { protocolo, texto, depois }: Autorizacao): Promise<void> {
    if (atual.rejeicao !== null || atual.rejeicoes > 0) await mudarFila({ rejeicao: null, rejeicoes: 0 });
    await estado.autorizada(nota, protocolo, texto);
    if (depois?.situacao === 'cancelada') await estado.canceladaPorFora(nota, depois.evento, texto);
    else if (depois?.situacao === 'substituida') {
      await estado.mudar(nota, { situacao: 'substituida', cancelada_em: toDatabaseTime(agora) });
    }
  }

  /**
   * It is asked about again, and left to people where that is refused again and again; whoever issues it anew has it asked about first. The
   * queue does not stop for it: where questions about all notes are refused, only these wait.
   */
  async function naoSeSabe(nota: NotaDaFila, recusada: Recusada): Promise<void> {
    const vezes = recusasSeguidas(await tentativas.daNota(nota.id));
    if (vezes >= CONSULTAS_RECUSADAS) {
      const dito = `a autoridade não diz se tem esta nota: recusou a consulta ${vezes} vezes (${recusada.codigo}): ${recusada.motivo}`;
      await estado.rejeitada(nota, CONSULTA_RECUSADA, dito);
    } else {
      await estado.mudar(nota, { etapa: 'consultar', proxima_em: daquiA(esperaDaChave(false, nota.tentativas)) });
    }
  }

  async function daNota(feita: Extract<Feita, { fez: 'nota' }>): Promise<void> {
    const { desfecho } = feita;
    const nota = await travarNota(w, feita.nota.id);
    const pergunta = ehPergunta(feita.nota.etapa);
    await w.insert('nfcom_tentativas', {
      nfcom_id: feita.nota.id,
      operacao: pergunta ? 'consulta' : 'envio',
      ...codigoOuErro(desfecho),
      duracao_ms: feita.duracaoMs,
      em: toDatabaseTime(agora),
    });
    await ouvir(feita.nota, 'parar' in desfecho ? desfecho.parar : null);
    // Somebody else has heard of it since, or it is another note by now.
    if (nota === undefined || nota.chave !== feita.nota.chave || nota.etapa === null) return;
    const espera = esperaDepois(nota.tentativas);
    switch (desfecho.tipo) {
      case 'autorizada':
        await autorizar(nota, desfecho);
        break;
      case 'outro_conteudo': {
        const versao = await versaoDoDigest(w, nota, desfecho.protocolo.digest);
        if (versao === undefined) {
          const codigo = 'outro_conteudo';
          await contarRejeicao(codigo, porIguais({ codigo, motivo: OUTRO_CONTEUDO }));
          await estado.rejeitada(nota, codigo, OUTRO_CONTEUDO);
        } else await autorizar(await estado.voltar(nota, versao, 'outro_conteudo'), desfecho);
        break;
      }
      case 'consulta_recusada':
        await naoSeSabe(nota, desfecho);
        break;
      case 'rejeitada':
        if (!pergunta) await contarRejeicao(desfecho.codigo, porIguais(desfecho));
        await estado.rejeitada(nota, desfecho.codigo, desfecho.motivo);
        break;
      case 'nao_consta':
        if (descartar(nota)) await estado.solta(nota, 'descartada', 'deixou de ser emitida');
        else {
          const etapa = feita.nota.etapa === 'conferir' ? 'montar' : 'enviar';
          // Before those that were signed after it.
          await estado.mudar(nota, { etapa, proxima_em: nota.emitida_em ?? daquiA(0) });
        }
        break;
      case 'numero_de_outra':
        await deOutra(nota, desfecho);
        break;
      case 'perguntar': {
        const etapa = feita.nota.etapa === 'conferir' ? 'conferir' : 'consultar';
        await estado.mudar(nota, { etapa, proxima_em: daquiA(esperaDaChave(desfecho.logo, nota.tentativas)) });
        break;
      }
      case 'repetir':
        await estado.mudar(nota, { etapa: feita.nota.etapa, proxima_em: daquiA(espera) });
    }
  }

  async function doCancelamento({ nota: tomada, desfecho, duracaoMs }: Extract<Feita, { fez: 'cancelamento' }>) {
    const nota = await travarNota(w, tomada.id);
    await w.insert('nfcom_tentativas', {
      nfcom_id: tomada.id,
      operacao: ehPergunta(tomada.etapa) ? 'consulta' : 'cancelamento',
      ...codigoOuErro(desfecho),
      duracao_ms: duracaoMs,
      em: toDatabaseTime(agora),
    });
    await ouvir(tomada, 'parar' in desfecho ? desfecho.parar : null);
    if (nota === undefined || nota.situacao !== 'autorizada' || nota.etapa === null) return;
    const evento = (mudancas: object) =>
      w.update('nfcom_eventos', (q) => void q.where({ nfcom_id: nota.id, estado: 'pendente' }), mudancas);
    if (desfecho.tipo === 'cancelada') {
      const xml_resposta = desfecho.texto === null ? null : Buffer.from(desfecho.texto);
      const quando = registradaEm(desfecho.em, agora);
      await evento({ estado: 'registrado', codigo: '135', xml_resposta, registrado_em: toDatabaseTime(quando) });
      await estado.cancelada(nota, quando);
    } else if (desfecho.tipo === 'recusado') {
      const { codigo, motivo } = desfecho;
      await evento({ estado: 'recusado', codigo: codigo.slice(0, 6), motivo: motivo.slice(0, 500) });
      await estado.mudar(nota, { etapa: null, proxima_em: null });
      w.emit('nfcom.cancelamento_recusado', nota.id, { codigo });
    } else {
      const etapa = desfecho.tipo === 'enviar' ? 'cancelar' : 'conferir_cancelamento';
      const logo = desfecho.tipo === 'perguntar' ? desfecho.logo : desfecho.parar === null;
      await estado.mudar(nota, { etapa, proxima_em: daquiA(esperaDaChave(logo, nota.tentativas)) });
    }
  }

  return {
    async anotar(feita: Feita): Promise<void> {
      if (feita.fez === 'nota') await daNota(feita);
      else if (feita.fez === 'cancelamento') await doCancelamento(feita);
      else if (feita.fez === 'status') {
        const status = { status_em: toDatabaseTime(feita.em), status_codigo: feita.cStat };
        if (feita.cStat === '107') {
          await mudarFila({ ...status, parada_ate: null, codigo: null, motivo: null, falhas: 0 });
        } else await mudarFila({ ...status, ...doStatus(feita) });
      } else if (feita.fez === 'montar') {
        if (feita.parar !== null) await naoMontou(feita.parar);
      } else {
        const { nota, codigo, motivo } = feita;
        if (nota !== null) await queries.tomar([nota.id], { etapa: nota.etapa, proxima_em: daquiA(0) });
        await parar({ ms: SEM_IDENTIDADE_MS, codigo, motivo });
      }
    },

    /** The queue as it is after that. */
    fila: (): FilaRow => atual,
  };
}

const descartar = ({ pedido }: NotaDaFila): boolean =>
  pedido !== null && jsonColumn<{ readonly descartar?: boolean }>(pedido).descartar === true;

/** Codes of the authority are numbers, and reasons of ours are not. */
function codigoOuErro(desfecho: { readonly tipo: string; readonly codigo?: string }): {
  codigo: string | null;
  erro: string | null;
} {
  const codigo =
    desfecho.codigo ??
    { autorizada: '100', nao_consta: '217', numero_de_outra: '539', cancelada: '135' }[desfecho.tipo] ??
    '';
  return /^\d{3,4}$/.test(codigo) ? { codigo, erro: null } : { codigo: null, erro: codigo.slice(0, 40) };
}
