import { lerChave } from '../../../../brazil/nfcom/base/chave.ts';
import { jsonColumn, toDatabaseTime } from '../../../../platform/mysql/database.ts';
import type { Write } from '../../../escrita.ts';
import { soltarNumero } from '../../emissao/numeros.ts';
import {
  ASSINATURA_VENCIDA,
  CONSULTAS_RECUSADAS,
  CONSULTA_RECUSADA,
  NUMEROS_DE_OUTRO,
  NUMERO_DE_OUTRA,
  REJEICOES_IGUAIS,
  esperaDaChave,
  esperaDepois,
  foiRecusada,
  temANota,
} from '../desfecho.regras.ts';
import type { Autorizacao, Desfecho } from '../desfecho.regras.ts';
import type { Etapa, Feita, Tomada } from '../envio.types.ts';
import {
  SEM_NUMERO,
  createEstado,
  esperamAoLado,
  registradaEm,
  temDona,
  travarNota,
  travarNotas,
  versaoDaChave,
  versaoDoDigest,
} from '../estado.ts';
import type { NotaDaFila } from '../estado.ts';
import { createTentativasQueries } from '../turnos/tentativas.queries.ts';
import { ehPergunta, etapaAoTomar, recusasSeguidas } from '../turnos/turnos.regras.ts';
import type { Contada } from './parada.ts';

interface Recusada {
  readonly codigo: string;
  readonly motivo: string;
}

const porIguais = ({ codigo, motivo }: Recusada): Contada => ({
  rejeicao: codigo,
  codigo: 'rejeicoes_iguais',
  motivo: `${REJEICOES_IGUAIS} respostas seguidas foram a mesma rejeição (${codigo}): ${motivo}`,
});

const OUTRO_CONTEUDO = 'A autoridade tem, com esta chave, uma nota de outro conteúdo.';

/** What becomes of the notes that something was done of. */
export function createDestino(w: Write, agora: Date) {
  const tentativas = createTentativasQueries(w);
  const estado = createEstado(w, agora);
  const daquiA = (ms: number): string => toDatabaseTime(new Date(agora.getTime() + ms));

  /** Its number was another's: whose key that is decides. */
  async function deOutra(
    nota: NotaDaFila,
    { chave, motivo }: Extract<Desfecho, { tipo: 'numero_de_outra' }>,
  ): Promise<Contada> {
    // A key of another number says nothing of this one.
    const versao = chave !== null && doNumero(nota, chave) ? await versaoDaChave(w, chave) : undefined;
    const dona = versao && (await travarNota(w, versao.nfcom_id));
    const desistida = dona?.chave === null && dona.situacao === 'rejeitada';
    if (versao && dona && (dona.id === nota.id || (desistida && mesmoPedido(dona, nota)))) {
      // What we had signed before was authorised, and we never heard of it: also where it was given up, and this is the one in its place.
      await estado.voltar(nota, versao, NUMERO_DE_OUTRA);
      await estado.mudar(nota, { etapa: 'consultar', proxima_em: daquiA(0) });
      return null;
    }
    if (versao && desistida && !(await temDona(w, versao.chave))) {
      // A note that was given up was authorised after all: so is the one that waits in its place, or it has its number back.
      const aoLado = await travarNotas(w, await esperamAoLado(w, dona));
      const noLugar = [...aoLado.values()].find((uma) => porSair(uma) && mesmoPedido(uma, dona));
      if (noLugar) await soltarNumero(w, noLugar);
      const antes = noLugar ? await estado.voltar(noLugar, versao, NUMERO_DE_OUTRA) : dona;
      const { chave: dela, digest, emitida_em, xml_assinado } = versao;
      const { serie, numero } = nota;
      const { contrato_id } = dona;
      const mudancas = { chave: dela, serie, numero, contrato_id, digest, emitida_em, xml_assinado };
      await estado.mudar(antes, { ...mudancas, situacao: 'processando', etapa: 'consultar', proxima_em: daquiA(0) });
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
    if (versao !== undefined) return null;
    return {
      rejeicao: NUMERO_DE_OUTRA,
      codigo: NUMEROS_DE_OUTRO,
      motivo: `a série ${nota.serie} já tem notas de outro programa, até depois do número ${nota.numero}`,
    };
  }

  async function autorizar(nota: NotaDaFila, { protocolo, texto, depois }: Autorizacao): Promise<Contada> {
    await estado.autorizada(nota, protocolo, texto);
    if (depois?.situacao === 'cancelada') await estado.canceladaPorFora(nota, depois.evento, texto);
    else if (depois?.situacao === 'substituida') {
      await estado.mudar(nota, { situacao: 'substituida', cancelada_em: toDatabaseTime(agora) });
    }
    return 'autorizada';
  }

  /**
   * It is asked about again, and left to people where that is refused again and again; whoever issues it anew has it asked about first. The
   * queue does not stop for it: where questions about all notes are refused, only these wait.
   */
  async function naoSeSabe(nota: NotaDaFila, etapa: Etapa, recusada: Recusada): Promise<null> {
    const vezes = recusasSeguidas(await tentativas.daNota(nota.id));
    if (vezes >= CONSULTAS_RECUSADAS) {
      const dito = `a autoridade não diz se tem esta nota: recusou a consulta ${vezes} vezes (${recusada.codigo}): ${recusada.motivo}`;
      await estado.rejeitada(nota, CONSULTA_RECUSADA, dito);
    } else {
      await estado.mudar(nota, { etapa, proxima_em: daquiA(esperaDaChave(false, nota.tentativas)) });
    }
    return null;
  }

  /** Whether a question that was refused, which says nothing of the note, is asked again: not once it was refused so often in a row. */
  const perguntarMais = async ({ id }: NotaDaFila, codigo: string): Promise<boolean> =>
    foiRecusada(codigo) && !temANota(codigo) && recusasSeguidas(await tentativas.daNota(id)) < CONSULTAS_RECUSADAS;

  return {
    /**
     * Of a note of which nothing could be done: it stands as before it was taken, unless somebody else has it since.
     *
     * @param nota as it is now, locked
     * @param certo whether nothing was sent for certain; otherwise it is asked about
     */
    async deixar(nota: NotaDaFila | undefined, tomada: Tomada, certo: boolean): Promise<void> {
      if (nota === undefined || !ainda(nota, tomada) || nota.etapa !== etapaAoTomar(tomada.etapa)) return;
      await estado.mudar(nota, { etapa: certo ? tomada.etapa : nota.etapa, proxima_em: daquiA(0) });
    },

    /**
     * Of a note that was sent or asked about.
     *
     * @param nota as it is now, locked
     * @returns what it says of the row of equal rejections
     */
    async daNota(
      nota: NotaDaFila | undefined,
      { nota: tomada, desfecho }: Extract<Feita, { fez: 'nota' }>,
    ): Promise<Contada> {
      // Somebody else has heard of it since, or it is another note by now.
      if (nota === undefined || !ainda(nota, tomada) || nota.etapa === null) return null;
      switch (desfecho.tipo) {
        case 'autorizada':
          return autorizar(nota, desfecho);
        case 'outro_conteudo': {
          const versao = await versaoDoDigest(w, nota, desfecho.protocolo.digest);
          if (versao !== undefined) return autorizar(await estado.voltar(nota, versao, 'outro_conteudo'), desfecho);
          await estado.rejeitada(nota, 'outro_conteudo', OUTRO_CONTEUDO);
          return porIguais({ codigo: 'outro_conteudo', motivo: OUTRO_CONTEUDO });
        }
        case 'consulta_recusada':
          return naoSeSabe(nota, tomada.etapa, desfecho);
        case 'rejeitada':
          // What is only asked about before it is signed anew is no rejected note: a refused question leaves it as it is.
          if (nota.motivo_codigo === ASSINATURA_VENCIDA && tomada.etapa === 'conferir') {
            return naoSeSabe(nota, tomada.etapa, desfecho);
          }
          await estado.rejeitada(nota, desfecho.codigo, desfecho.motivo);
          return ehPergunta(tomada.etapa) ? null : porIguais(desfecho);
        case 'nao_consta':
          if (descartar(nota)) await estado.solta(nota, 'descartada', 'deixou de ser emitida');
          else {
            const etapa = tomada.etapa === 'conferir' || nota.xml_assinado === null ? 'montar' : 'enviar';
            // Before those that were signed after it.
            await estado.mudar(nota, { etapa, proxima_em: nota.emitida_em ?? daquiA(0) });
          }
          break;
        case 'numero_de_outra':
          return deOutra(nota, desfecho);
        case 'perguntar': {
          const etapa = tomada.etapa === 'conferir' ? 'conferir' : 'consultar';
          await estado.mudar(nota, { etapa, proxima_em: daquiA(esperaDaChave(desfecho.logo, nota.tentativas)) });
          break;
        }
        case 'repetir':
          await estado.mudar(nota, { etapa: tomada.etapa, proxima_em: daquiA(esperaDepois(nota.tentativas)) });
      }
      return null;
    },

    /** Of a note whose cancellation was sent or asked about. @param nota as it is now, locked */
    async doCancelamento(
      nota: NotaDaFila | undefined,
      { nota: { etapa: tomada }, desfecho }: Extract<Feita, { fez: 'cancelamento' }>,
    ): Promise<null> {
      if (nota === undefined || nota.situacao !== 'autorizada' || nota.etapa === null) return null;
      const evento = (mudancas: object) =>
        w.update('nfcom_eventos', (q) => void q.where({ nfcom_id: nota.id, estado: 'pendente' }), mudancas);
      if (desfecho.tipo === 'cancelada') {
        const xml_resposta = desfecho.texto === null ? null : Buffer.from(desfecho.texto);
        const quando = registradaEm(desfecho.em, agora);
        await evento({ estado: 'registrado', codigo: '135', xml_resposta, registrado_em: toDatabaseTime(quando) });
        await estado.cancelada(nota, quando);
      } else if (desfecho.tipo === 'recusado' && ehPergunta(tomada) && (await perguntarMais(nota, desfecho.codigo))) {
        await estado.mudar(nota, { etapa: tomada, proxima_em: daquiA(esperaDaChave(false, nota.tentativas)) });
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
      return null;
    },
  };
}

function doNumero({ serie, numero }: NotaDaFila, chave: string): boolean {
  const partes = lerChave(chave);
  return partes !== null && partes.serie === serie && partes.numero === numero;
}

/** Whether two notes stand for the same thing: no more than one of them may be authorised. Each ajuste gives back a part of its own. */
const mesmoPedido = (uma: NotaDaFila, outra: NotaDaFila): boolean =>
  uma.finalidade !== 'ajuste' &&
  uma.ambiente === outra.ambiente &&
  uma.fatura_id === outra.fatura_id &&
  // Until it is built, one of the whole invoice may name no contract.
  (uma.contrato_id ?? outra.contrato_id) === (outra.contrato_id ?? uma.contrato_id) &&
  uma.finalidade === outra.finalidade &&
  uma.substitui_id === outra.substitui_id;

/** Whether a note certainly is not with the authority. */
const porSair = ({ etapa }: NotaDaFila): boolean => etapa === 'montar' || etapa === 'enviar';

/** Whether a note is what it was when it was taken. Not by its key alone: what was signed anew may have the same. */
const ainda = ({ chave, digest }: NotaDaFila, tomada: Tomada): boolean =>
  chave === tomada.chave && digest === tomada.digest;

const descartar = ({ pedido }: NotaDaFila): boolean =>
  pedido !== null && jsonColumn<{ readonly descartar?: boolean }>(pedido).descartar === true;
