import { chaveValida } from '../../../brazil/nfcom/base/chave.ts';
import type {
  Protocolo,
  RespostaDaConsulta,
  RespostaDaNota,
  RespostaDoEvento,
} from '../../../brazil/nfcom/autoridade/respostas.ts';
import { PALAVRAS_DE_SAIDA, RESPOSTA_ILEGIVEL } from '../../saida.regras.ts';
import { CERTIFICADO_NAO_ACEITO } from '../certificado/certificado.regras.ts';
import type { Resposta } from './autoridade.ts';

/** What the authority has of a note. */
export interface Autorizacao {
  readonly protocolo: Protocolo;
  readonly texto: string;
  readonly depois: Depois;
}

/** What became of an authorised note since. `evento`: how its cancelling was registered, where the authority says so; null: nothing. */
type Depois =
  | { readonly situacao: 'cancelada'; readonly evento: RespostaDoEvento | null }
  | { readonly situacao: 'substituida' }
  | null;

/** What an answer means for a note. */
export type Desfecho =
  | ({ readonly tipo: 'autorizada' } & Autorizacao)
  | { readonly tipo: 'rejeitada'; readonly codigo: string; readonly motivo: string }
  /** What it has by this key is not what the note says now: it may be what it said before. */
  | ({ readonly tipo: 'outro_conteudo'; readonly codigo: string } & Autorizacao)
  /** The authority does not have it: it may be sent, again. */
  | { readonly tipo: 'nao_consta' }
  /** Its number is another key's. */
  | { readonly tipo: 'numero_de_outra'; readonly chave: string | null; readonly motivo: string }
  /** Ask about the key, at once where it is said to be authorised. */
  | { readonly tipo: 'perguntar'; readonly logo: boolean; readonly codigo: string; readonly parar: Parada | null }
  /** The question was refused: whether the authority has the note, nobody knows. */
  | { readonly tipo: 'consulta_recusada'; readonly codigo: string; readonly motivo: string }
  /** It certainly was not received: send it again. */
  | { readonly tipo: 'repetir'; readonly codigo: string; readonly parar: Parada | null };

/** How long nothing at all is sent, and why. `crescente`: longer each time. */
export interface Parada {
  readonly ms: number | 'crescente';
  readonly codigo: string;
  readonly motivo: string;
}

const MINUTO_MS = 60_000;
const HORA_MS = 60 * MINUTO_MS;
/** The status is asked for no more often than this (678). */
export const ENTRE_STATUS_MS = 3 * MINUTO_MS;

const AUTORIZADA = new Set(['100', '150']);
/** Of what was authorised, whatever became of it since. */
const JA_FOI = new Set([...AUTORIZADA, '101', '102']);
const PARADO = new Set(['108', '109']);
/** Stops that only the authority ends: it does not answer now (108, 109), or takes what was sent for improper use (678). */
export const PARADA_DA_AUTORIDADE: ReadonlySet<string> = new Set([...PARADO, '678']);
/** Stops because the authority is away: notes are still issued in contingency, for they are sent afterwards. */
export const SEM_AUTORIDADE: ReadonlySet<string> = new Set([...PARADO, '999', 'sem_resposta']);

const PALAVRAS: Readonly<Record<string, string>> = {
  ...PALAVRAS_DE_SAIDA,
  ilegivel: RESPOSTA_ILEGIVEL,
  outra_chave: 'respondeu de outra nota',
};

/** What it is called, for people, that no answer came, or none that says anything of the note. */
export const palavrasDoErro = (erro: string): string =>
  PALAVRAS[erro] ?? (/^resposta_\d+$/.test(erro) ? `respondeu ${erro.slice('resposta_'.length)}` : erro);

/** What stops the queue where no answer comes, or none that says anything. */
export const semResposta = (erro: string): Parada => ({
  ms: 'crescente',
  codigo: 'sem_resposta',
  motivo: `sem resposta da autoridade: ${palavrasDoErro(erro)}`,
});

/** Our code where the program failed: what was to be done may have been done. */
export const FALHA_INTERNA = 'falha_interna';

/** Codes by which an answer speaks of the whole queue, whatever was asked, and how long that stops it. */
const PARADAS: ReadonlyMap<string, Parada['ms']> = new Map<string, Parada['ms']>([
  ...[...PARADO].map((codigo) => [codigo, ENTRE_STATUS_MS] as const),
  ['678', HORA_MS],
  ['999', 'crescente'],
  ...CERTIFICADO_NAO_ACEITO.map((codigo) => [codigo, HORA_MS] as const),
]);
/** Whether an answer of such a code says nothing of the note that was asked about. */
export const dizDaFila = (codigo: string): boolean => PARADAS.has(codigo);

/** What stops the queue; null: nothing does. */
export function paradaDe(cStat: string, motivo: string): Parada | null {
  const ms = PARADAS.get(cStat);
  return ms === undefined ? null : { ms, codigo: cStat, motivo };
}

/** What was not sent, because nobody was there to take it. */
const NAO_CHEGOU = new Set(['refused', 'dns', 'tls', 'forbidden']);

/** Of which note an answer must be. */
export interface Esperada {
  readonly chave: string;
  readonly digest: string | null;
}

/** An answer that names another key says nothing of ours, whatever it says: the key is asked about. */
const DE_OUTRA_CHAVE = { tipo: 'perguntar', logo: false, codigo: 'outra_chave', parar: null } as const;
const deOutra = (dita: string | null | undefined, chave: string): boolean =>
  dita !== null && dita !== undefined && dita !== '' && dita !== chave;

/** What becomes of a note that was sent. */
export function desfechoDoEnvio(resposta: Resposta<RespostaDaNota>, { chave, digest }: Esperada): Desfecho {
  if (!resposta.veio) {
    const parar = semResposta(resposta.erro);
    if (NAO_CHEGOU.has(resposta.erro)) return { tipo: 'repetir', codigo: resposta.erro, parar };
    return { tipo: 'perguntar', logo: false, codigo: resposta.erro, parar };
  }
  const { protocolo } = resposta.lida;
  if (deOutra(protocolo?.chave, chave)) return DE_OUTRA_CHAVE;
  const { cStat, motivo } = protocolo ?? resposta.lida;
  if (AUTORIZADA.has(cStat) && protocolo !== null && protocolo.numero !== null && confere(protocolo, digest)) {
    return { tipo: 'autorizada', protocolo, texto: resposta.texto, depois: null };
  }
  // Authorised, or authorised before (204): the query gives the protocol.
  if (AUTORIZADA.has(cStat) || cStat === '204') return { tipo: 'perguntar', logo: true, codigo: cStat, parar: null };
  if (cStat === '539') {
    const [, outra = null] = /\[chNFCom:\s*([A-Z0-9]{44})\]/i.exec(motivo) ?? [];
    return { tipo: 'numero_de_outra', chave: outra !== null && chaveValida(outra) ? outra : null, motivo };
  }
  const parar = paradaDe(cStat, motivo);
  if (parar !== null) {
    // It said itself that it did not take it; only of an inner fault (999) nobody knows.
    return cStat === '999'
      ? { tipo: 'perguntar', logo: false, codigo: cStat, parar }
      : { tipo: 'repetir', codigo: cStat, parar };
  }
  return { tipo: 'rejeitada', codigo: cStat, motivo };
}

/** What becomes of a note that was asked about: whether it arrived (`consultar`), or whether what was rejected may be built anew (`conferir`). */
export function desfechoDaConsulta(
  resposta: Resposta<RespostaDaConsulta>,
  { chave, digest, etapa }: Esperada & { readonly etapa: 'consultar' | 'conferir' },
): Desfecho {
  if (!resposta.veio) {
    return { tipo: 'perguntar', logo: false, codigo: resposta.erro, parar: semResposta(resposta.erro) };
  }
  const { cStat, motivo, protocolo, eventos } = resposta.lida;
  if (deOutra(protocolo?.chave, chave)) return DE_OUTRA_CHAVE;
  if (cStat === '217') return { tipo: 'nao_consta' };
  const parar = paradaDe(cStat, motivo);
  if (parar !== null) return { tipo: 'perguntar', logo: false, codigo: cStat, parar };
  if (protocolo !== null && protocolo.numero !== null && (AUTORIZADA.has(protocolo.cStat) || JA_FOI.has(cStat))) {
    const autorizacao = { protocolo, texto: resposta.texto, depois: depoisDe(cStat, eventos.find(cancelou(chave))) };
    if (confere(protocolo, digest)) return { tipo: 'autorizada', ...autorizacao };
    return { tipo: 'outro_conteudo', codigo: cStat, ...autorizacao };
  }
  return etapa === 'consultar'
    ? { tipo: 'consulta_recusada', codigo: cStat, motivo }
    : { tipo: 'rejeitada', codigo: cStat, motivo };
}

/** Whether an answer to a question about a note says neither that the authority has it nor that it does not. */
export const foiRecusada = (codigo: string): boolean => codigo !== '217' && !dizDaFila(codigo);

/** Whether a code says of a note that the authority has it. 135: and that it was cancelled. */
export const temANota = (codigo: string): boolean => JA_FOI.has(codigo) || REGISTRADO.has(codigo);

/** So many refused questions in a row leave a note to people. Ten go in an hour. */
export const CONSULTAS_RECUSADAS = 10;
/** Our code of such a note, which the authority may have. */
export const CONSULTA_RECUSADA = 'consulta_recusada';

const confere = ({ digest: dela }: Protocolo, nosso: string | null): boolean =>
  dela === null || nosso === null || dela === nosso;

function depoisDe(cStat: string, evento: RespostaDoEvento | undefined): Depois {
  if (cStat === '101' || evento !== undefined) return { situacao: 'cancelada', evento: evento ?? null };
  return cStat === '102' ? { situacao: 'substituida' } : null;
}

const REGISTRADO = new Set(['135', '136']);
/** Whether an event is the cancellation of the note that was asked about; one that names no key is taken for it. */
const cancelou =
  (chave: string) =>
  ({ tipo, cStat, chave: dela }: RespostaDoEvento): boolean =>
    tipo === '110111' && REGISTRADO.has(cStat) && !deOutra(dela, chave);

/** What an answer means for a cancellation. */
export type DesfechoDoCancelamento =
  | {
      readonly tipo: 'cancelada';
      readonly texto: string | null;
      readonly protocolo: string | null;
      /** When the authority registered it, as it wrote that; null where it does not say. */
      readonly em: string | null;
    }
  | { readonly tipo: 'recusado'; readonly codigo: string; readonly motivo: string }
  | { readonly tipo: 'perguntar'; readonly logo: boolean; readonly codigo: string; readonly parar: Parada | null }
  | { readonly tipo: 'enviar'; readonly codigo: string; readonly parar: Parada | null };

/** What becomes of a cancellation that was sent. 631, 218: it was registered before. */
export function desfechoDoEvento(resposta: Resposta<RespostaDoEvento>, chave: string): DesfechoDoCancelamento {
  if (!resposta.veio) {
    const parar = semResposta(resposta.erro);
    if (NAO_CHEGOU.has(resposta.erro)) return { tipo: 'enviar', codigo: resposta.erro, parar };
    return { tipo: 'perguntar', logo: false, codigo: resposta.erro, parar };
  }
  if (deOutra(resposta.lida.chave, chave)) return DE_OUTRA_CHAVE;
  const { cStat, motivo, protocolo, registradoEm: em } = resposta.lida;
  if (REGISTRADO.has(cStat)) return { tipo: 'cancelada', texto: resposta.texto, protocolo, em };
  if (cStat === '631' || cStat === '218') return { tipo: 'perguntar', logo: true, codigo: cStat, parar: null };
  const parar = paradaDe(cStat, motivo);
  if (parar !== null) return { tipo: 'perguntar', logo: false, codigo: cStat, parar };
  return { tipo: 'recusado', codigo: cStat, motivo };
}

/** What becomes of a cancellation that was asked about. */
export function desfechoDaConsultaDoCancelamento(
  resposta: Resposta<RespostaDaConsulta>,
  chave: string,
): DesfechoDoCancelamento {
  if (!resposta.veio) {
    return { tipo: 'perguntar', logo: false, codigo: resposta.erro, parar: semResposta(resposta.erro) };
  }
  if (deOutra(resposta.lida.protocolo?.chave, chave)) return DE_OUTRA_CHAVE;
  const { cStat, motivo, eventos } = resposta.lida;
  const evento = eventos.find(cancelou(chave));
  if (evento !== undefined || cStat === '101') {
    const { protocolo = null, registradoEm: em = null } = evento ?? {};
    return { tipo: 'cancelada', texto: resposta.texto, protocolo, em };
  }
  const parar = paradaDe(cStat, motivo);
  if (parar !== null) return { tipo: 'perguntar', logo: false, codigo: cStat, parar };
  if (cStat === '100' || cStat === '150') return { tipo: 'enviar', codigo: cStat, parar: null };
  return { tipo: 'recusado', codigo: cStat, motivo };
}

/** More questions about one key in an hour are improper use (678), whoever asked for them. */
export const CONSULTAS_POR_HORA = 10;
/** A key that was asked about so often is asked about each ten minutes. */
const CONSULTAS_SEGUIDAS = 5;
const esperaDaConsulta = (vezes: number): number => (vezes > CONSULTAS_SEGUIDAS ? 10 * MINUTO_MS : esperaDepois(vezes));

/** So often a key is done something about at once. Answers that contradict one another (204, then 217) would have it go round without an end. */
const LOGO_ATE = 3;

/** How long a key waits until it is asked about or sent again, in milliseconds. */
export const esperaDaChave = (logo: boolean, vezes: number): number =>
  logo && vezes <= LOGO_ATE ? 0 : esperaDaConsulta(vezes);

/**
 * A note that was signed so long ago is signed anew before it is sent: after 120 hours the authority refuses it (228), and it may be an hour
 * under way, by clocks that differ. What was issued offline may be older.
 */
export const ASSINATURA_VALE_MS = 119 * HORA_MS;
/** Our code of such a note until it is authorised. */
export const ASSINATURA_VENCIDA = 'assinatura_vencida';

/** How long the next try waits, in milliseconds: twice as long each time, ten minutes at most. */
export const esperaDepois = (vezes: number): number => Math.min(2000 * 2 ** Math.min(vezes, 20), 10 * MINUTO_MS);

/** So many equal rejections in a row stop the queue, before the authority takes thirty for improper use (678). */
export const REJEICOES_IGUAIS = 20;
export const PARADA_POR_REJEICOES_MS = HORA_MS;
/** How long nothing is asked after the questions about so many notes in a row were refused alike. */
export const SEM_PERGUNTAR_MS = HORA_MS;
/** The authority's code for a number that another key has, and ours for the stop where that goes on and on. */
export const NUMERO_DE_OUTRA = '539';
export const NUMEROS_DE_OUTRO = 'numeros_de_outro';

/**
 * How many notes may be with the authority now. After it failed, one alone finds out whether it answers; and should all of them be rejected
 * alike, there are no more than stop the queue.
 */
export const vagasDe = (
  { falhas, rejeicoes }: { readonly falhas: number; readonly rejeicoes: number },
  simultaneas: number,
): number => (falhas > 0 ? 1 : Math.max(1, Math.min(simultaneas, REJEICOES_IGUAIS - rejeicoes)));
