import { lerChave } from '../../../brazil/nfcom/base/chave.ts';
import { jsonColumn, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import { esperaDepois, ENTRE_STATUS_MS, PARADA_POR_REJEICOES_MS, REJEICOES_IGUAIS } from './desfecho.regras.ts';
import type { Desfecho, Parada } from './desfecho.regras.ts';
import type { Feita } from './envio.types.ts';
import { createEstado, travarNota, versaoDaChave } from './estado.ts';
import type { NotaDaFila } from './estado.ts';
import { createFilaQueries } from './fila.queries.ts';
import type { FilaRow } from './fila.queries.ts';

/** How long nothing is tried where a provider has no certificate, or its settings are not whole. */
const SEM_IDENTIDADE_MS = 60_000;

/** Writes what came of what was done for a provider, whose queue is locked. */
export function createAnotacao(w: Write, fila: FilaRow, agora: Date) {
  const queries = createFilaQueries(w);
  const estado = createEstado(w, agora);
  const daquiA = (ms: number): string => toDatabaseTime(new Date(agora.getTime() + ms));
  let atual = fila;

  async function mudarFila(mudancas: Partial<FilaRow> & Record<string, unknown>): Promise<void> {
    atual = { ...atual, ...mudancas };
    await queries.anotarNaFila(mudancas);
  }

  async function parar({ ms, codigo, motivo }: Parada): Promise<void> {
    const falhas = atual.falhas + 1;
    const espera = ms === 'crescente' ? esperaDepois(falhas - 1) : ms;
    await mudarFila({ parada_ate: daquiA(espera), codigo, motivo: motivo.slice(0, 500), falhas });
  }

  /** The authority answers: whatever stopped the queue before is over. */
  async function respondeu(): Promise<void> {
    if (atual.falhas > 0 || atual.codigo !== null) {
      await mudarFila({ parada_ate: null, codigo: null, motivo: null, falhas: 0 });
    }
  }

  async function contarRejeicao(codigo: string, motivo: string): Promise<void> {
    const rejeicoes = atual.rejeicao === codigo ? atual.rejeicoes + 1 : 1;
    await mudarFila({ rejeicao: codigo.slice(0, 6), rejeicoes });
    if (rejeicoes < REJEICOES_IGUAIS) return;
    await mudarFila({ rejeicoes: 0 });
    const dito = `${rejeicoes} notas seguidas foram rejeitadas pelo mesmo motivo (${codigo}): ${motivo}`;
    await parar({ ms: PARADA_POR_REJEICOES_MS, codigo: 'rejeicoes_iguais', motivo: dito });
  }

  /** Its number was another's: whose key that is decides. */
  async function deOutra(nota: NotaDaFila, { chave, motivo }: Extract<Desfecho, { tipo: 'numero_de_outra' }>) {
    const versao = chave === null ? undefined : await versaoDaChave(w, chave);
    if (versao?.nfcom_id === nota.id) {
      // What we had signed before was authorised, and we never heard of it.
      await estado.guardarVersao(nota, '539');
      const { digest, emitida_em, xml_assinado } = versao;
      const mudancas = { chave: null, digest, emitida_em, xml_assinado };
      await estado.mudar(nota, { ...mudancas, chave: versao.chave, etapa: 'consultar', proxima_em: daquiA(0) });
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
    await estado.guardarVersao(nota, '539');
    const semNumero = {
      serie: null,
      numero: null,
      chave: null,
      codigo_numerico: null,
      xml_assinado: null,
      digest: null,
    };
    await estado.mudar(nota, {
      ...semNumero,
      situacao: 'pendente',
      etapa: 'montar',
      motivo: motivo.slice(0, 500),
      proxima_em: daquiA(0),
    });
  }

  async function daNota(feita: Extract<Feita, { fez: 'nota' }>): Promise<void> {
    const { desfecho } = feita;
    const nota = await travarNota(w, feita.nota.id);
    const pergunta = feita.nota.etapa !== 'enviar';
    await w.insert('nfcom_tentativas', {
      nfcom_id: feita.nota.id,
      operacao: pergunta ? 'consulta' : 'envio',
      ...codigoOuErro(desfecho),
      duracao_ms: feita.duracaoMs,
      em: toDatabaseTime(agora),
    });
    if ('parar' in desfecho && desfecho.parar !== null) await parar(desfecho.parar);
    else await respondeu();
    // Somebody else has heard of it since, or it is another note by now.
    if (nota === undefined || nota.chave !== feita.nota.chave || nota.etapa === null) return;
    const espera = esperaDepois(nota.tentativas);
    switch (desfecho.tipo) {
      case 'autorizada':
        await mudarFila({ rejeicao: null, rejeicoes: 0 });
        await estado.autorizada(nota, desfecho.protocolo, desfecho.texto);
        if (desfecho.depois === 'cancelada') await estado.cancelada(nota);
        else if (desfecho.depois === 'substituida') await estado.mudar(nota, { situacao: 'substituida' });
        break;
      case 'rejeitada':
        await contarRejeicao(desfecho.codigo, desfecho.motivo);
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
        await estado.mudar(nota, { etapa, proxima_em: daquiA(desfecho.logo ? 0 : espera) });
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
      operacao: 'cancelamento',
      ...codigoOuErro(desfecho),
      duracao_ms: duracaoMs,
      em: toDatabaseTime(agora),
    });
    if ('parar' in desfecho && desfecho.parar !== null) await parar(desfecho.parar);
    else await respondeu();
    if (nota === undefined || nota.situacao !== 'autorizada' || nota.etapa === null) return;
    const espera = daquiA(esperaDepois(nota.tentativas));
    const evento = (mudancas: object) =>
      w.update('nfcom_eventos', (q) => void q.where({ nfcom_id: nota.id, estado: 'pendente' }), mudancas);
    if (desfecho.tipo === 'cancelada') {
      const xml_resposta = desfecho.texto === null ? null : Buffer.from(desfecho.texto);
      await evento({ estado: 'registrado', codigo: '135', xml_resposta, registrado_em: toDatabaseTime(agora) });
      await estado.cancelada(nota);
    } else if (desfecho.tipo === 'recusado') {
      const { codigo, motivo } = desfecho;
      await evento({ estado: 'recusado', codigo: codigo.slice(0, 6), motivo: motivo.slice(0, 500) });
      await estado.mudar(nota, { etapa: null, proxima_em: null });
      w.emit('nfcom.cancelamento_recusado', nota.id, { codigo });
    } else {
      const etapa = desfecho.tipo === 'enviar' ? 'cancelar' : 'conferir_cancelamento';
      const logo = desfecho.tipo === 'perguntar' ? desfecho.logo : desfecho.parar === null;
      await estado.mudar(nota, { etapa, proxima_em: logo ? daquiA(0) : espera });
    }
  }

  return {
    async anotar(feita: Feita): Promise<void> {
      if (feita.fez === 'nota') await daNota(feita);
      else if (feita.fez === 'cancelamento') await doCancelamento(feita);
      else if (feita.fez === 'status') {
        const status = { status_em: toDatabaseTime(feita.em), status_codigo: feita.cStat };
        if (feita.cStat === '107')
          await mudarFila({ ...status, parada_ate: null, codigo: null, motivo: null, falhas: 0 });
        else await mudarFila({ ...status, parada_ate: daquiA(ENTRE_STATUS_MS) });
      } else if (feita.fez === 'montar') {
        if (feita.parar !== null) await parar({ ...feita.parar, ms: SEM_IDENTIDADE_MS });
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
