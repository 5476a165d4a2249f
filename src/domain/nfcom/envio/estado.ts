import { escreverDinheiro, lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { montarProcessado } from '../../../brazil/nfcom/autoridade/processado.ts';
import type { Protocolo, RespostaDoEvento } from '../../../brazil/nfcom/autoridade/respostas.ts';
import { ID, columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import { FATURAS_TAG, tagsDaFatura } from '../../tags.ts';
import { DA_NOTA } from '../emissao/emissao.queries.ts';
import type { NotaRow } from '../emissao/emissao.queries.ts';
import { soltarNumero } from '../emissao/numeros.ts';

/** A note of the queue, locked. */
export interface NotaDaFila extends NotaRow {
  xml_assinado: Buffer | null;
  digest: string | null;
  pedido: string | { readonly descartar?: boolean } | null;
}

const DA_FILA = columns<NotaDaFila>('nfcom', { ...DA_NOTA.of, xml_assinado: true, digest: true, pedido: true });

export async function travarNota(w: Write, id: number): Promise<NotaDaFila | undefined> {
  return (await travarNotas(w, [id])).get(id);
}

/** The same of several, in one statement, in the order of their ids. */
export async function travarNotas(w: Write, ids: readonly number[]): Promise<ReadonlyMap<number, NotaDaFila>> {
  if (ids.length === 0) return new Map();
  const delas = w.from('nfcom').whereIn('id', [...ids]);
  const rows = await rowsOf(delas.orderBy('id').forUpdate(), DA_FILA);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * What waits to be built or sent beside a note: of its invoice, and of its contract, where both say of which they are. Not locked, so that
 * nobody's end is waited for: an invoice of many contracts has a note of each.
 */
export async function esperamAoLado(w: Write, { fatura_id, contrato_id }: NotaDaFila): Promise<number[]> {
  const esperam = w
    .from('nfcom')
    .where({ fatura_id })
    .whereIn('etapa', ['montar', 'enviar'])
    .modify((q) => {
      if (contrato_id === null) return;
      void q.where((dele) => void dele.whereNull('contrato_id').orWhere({ contrato_id }));
    });
  return (await rowsOf(esperam.orderBy('id'), ID)).map(({ id }) => id);
}

const dita = (nota: NotaRow) => ({
  cliente: nota.cliente_id,
  fatura: nota.fatura_id,
  contrato: nota.contrato_id,
  numero: nota.numero,
  serie: nota.serie,
  chave: nota.chave,
  valor: escreverDinheiro(lerDinheiro(nota.valor)),
  ambiente: nota.ambiente,
  finalidade: nota.finalidade,
});

/** In place of a justification, which only the event of the other program says. */
const CANCELADA_POR_FORA = 'cancelada por outro programa';

/** No note is older. */
const ANTES_DE_TODAS = Date.UTC(2000, 0);
/** The authority's clock is not that far ahead of ours. */
const ADIANTE_MS = 86_400_000;

/**
 * When something was registered: heard of later, it still is of the day, and of the month, that the authority says.
 *
 * @param dito as the authority wrote it; what is no time, or cannot be one, counts as not said, which is now
 */
export function registradaEm(dito: string | null, agora: Date): Date {
  const lida = new Date(dito ?? '');
  return lida.getTime() >= ANTES_DE_TODAS && lida.getTime() < agora.getTime() + ADIANTE_MS ? lida : agora;
}

/** The authority's code for what is asked of a note that was replaced. */
const SUBSTITUIDA = '224';

const NADA_A_FAZER = { etapa: null, proxima_em: null } as const;

/** A note that is built as if it never had been. */
export const SEM_NUMERO = {
  serie: null,
  numero: null,
  chave: null,
  codigo_numerico: null,
  xml_assinado: null,
  digest: null,
} as const;

/** What a note becomes, with what is said of it. */
export function createEstado(w: Write, agora: Date) {
  async function mudar(nota: NotaRow, mudancas: object): Promise<void> {
    await w.update('nfcom', (q) => void q.where('id', nota.id), mudancas);
    // What is to be done next, nobody but the worker reads.
    if ('situacao' in mudancas) w.touch(FATURAS_TAG, ...tagsDaFatura(nota.fatura_id, nota.cliente_id));
  }

  async function cancelada(nota: NotaRow, quando = agora): Promise<void> {
    await mudar(nota, { ...NADA_A_FAZER, situacao: 'cancelada', cancelada_em: toDatabaseTime(quando) });
    w.emit('nfcom.cancelada', nota.id, dita(nota));
  }

  async function substituida(nota: NotaRow, substituta: number, cancelada_em: string): Promise<void> {
    await mudar(nota, { ...NADA_A_FAZER, situacao: 'substituida', cancelada_em });
    w.emit('nfcom.substituida', nota.id, { ...dita(nota), substituta });
    // What is replaced is not cancelled any more (224): nobody would ask about it again.
    const pedido = { nfcom_id: nota.id, estado: 'pendente' };
    const recusa = { estado: 'recusado', codigo: SUBSTITUIDA, motivo: 'a nota foi substituída' };
    const recusados = await w.update('nfcom_eventos', (q) => void q.where(pedido), recusa);
    if (recusados > 0) w.emit('nfcom.cancelamento_recusado', nota.id, { codigo: SUBSTITUIDA });
  }

  return {
    mudar,
    cancelada,

    /**
     * Cancelled by another program, as was found when the authority was asked about the note.
     *
     * @param evento how it was registered; null where the answer does not say: then it has no document, and is of today
     * @param texto the answer
     */
    async canceladaPorFora(nota: NotaRow, evento: RespostaDoEvento | null, texto: string): Promise<void> {
      const quando = registradaEm(evento?.registradoEm ?? null, agora);
      if (evento !== null) {
        const em = toDatabaseTime(quando);
        await w.insert('nfcom_eventos', {
          nfcom_id: nota.id,
          estado: 'registrado',
          justificativa: CANCELADA_POR_FORA,
          codigo: evento.cStat,
          xml_resposta: Buffer.from(texto),
          pedido_em: em,
          registrado_em: em,
        });
      }
      await cancelada(nota, quando);
    },

    async autorizada(nota: NotaDaFila, protocolo: Protocolo, texto: string): Promise<void> {
      const xml = nota.xml_assinado?.toString('utf8') ?? null;
      const autorizada_em = toDatabaseTime(registradaEm(protocolo.recebidaEm, agora));
      await mudar(nota, {
        ...NADA_A_FAZER,
        situacao: 'autorizada',
        protocolo: protocolo.numero,
        autorizada_em,
        xml_autorizado: xml === null ? null : Buffer.from(montarProcessado(xml, texto, protocolo)),
        motivo_codigo: null,
        motivo: null,
        recusas: null,
        tentativas: 0,
      });
      w.emit('nfcom.autorizada', nota.id, dita(nota));
      if (nota.finalidade !== 'substituicao' || nota.substitui_id === null) return;
      const antes = await travarNota(w, nota.substitui_id);
      if (antes?.situacao === 'autorizada') await substituida(antes, nota.id, autorizada_em);
    },

    /** Refused, by the authority or here: its number stays its own. */
    async rejeitada(nota: NotaRow, codigo: string, motivo: string, recusas: readonly object[] = []): Promise<void> {
      await mudar(nota, {
        ...NADA_A_FAZER,
        situacao: 'rejeitada',
        motivo_codigo: codigo.slice(0, 40),
        motivo: motivo.slice(0, 500),
        recusas: recusas.length === 0 ? null : JSON.stringify(recusas),
        tentativas: 0,
      });
      w.emit('nfcom.rejeitada', nota.id, { ...dita(nota), codigo });
    },

    /** It will never be authorised: its number is the next note's. */
    async solta(nota: NotaDaFila, codigo: string, motivo: string): Promise<void> {
      await this.guardarVersao(nota, codigo);
      await soltarNumero(w, nota);
      await mudar(nota, {
        ...NADA_A_FAZER,
        situacao: 'rejeitada',
        motivo_codigo: codigo,
        motivo,
        recusas: null,
        ...SEM_NUMERO,
        tentativas: 0,
      });
      if (codigo === 'descartada') w.emit('nfcom.descartada', nota.id);
      else w.emit('nfcom.rejeitada', nota.id, { ...dita(nota), codigo });
    },

    /** What a note was signed as before is what the authority has: it says that again. Resolves to the note as it is then. */
    async voltar(nota: NotaDaFila, versao: VersaoRow, codigo: string): Promise<NotaDaFila> {
      await this.guardarVersao(nota, codigo);
      const { chave, digest, emitida_em, xml_assinado } = versao;
      const [, valor = nota.valor] = /<vNF>([\d.]+)<\/vNF>/.exec(xml_assinado?.toString('utf8') ?? '') ?? [];
      const mudancas = { chave, digest, emitida_em, xml_assinado, valor };
      await mudar(nota, mudancas);
      return { ...nota, ...mudancas };
    },

    /** Keeps what a note was signed as, before it is signed anew. */
    async guardarVersao(nota: NotaDaFila, codigo: string | null): Promise<void> {
      const { chave, digest, emitida_em, xml_assinado } = nota;
      if (chave === null) return;
      const versao = { nfcom_id: nota.id, chave, digest, emitida_em, xml_assinado, codigo };
      await w.insert('nfcom_versoes', { ...versao, criado_em: toDatabaseTime(agora) });
    },
  };
}

interface VersaoRow {
  id: number;
  nfcom_id: number;
  chave: string;
  digest: string | null;
  emitida_em: string | null;
  xml_assinado: Buffer | null;
}

const DA_VERSAO = columns<VersaoRow>('nfcom_versoes', {
  id: true,
  nfcom_id: true,
  chave: true,
  digest: true,
  emitida_em: true,
  xml_assinado: true,
});

/** What some note of the provider was once signed as, by its key. */
export async function versaoDaChave(w: Write, chave: string): Promise<VersaoRow | undefined> {
  const [row] = await rowsOf(w.from('nfcom_versoes').where({ chave }).orderBy('id', 'desc').limit(1), DA_VERSAO);
  return row;
}

/** Whether some note of the provider has a key now. */
export async function temDona(w: Write, chave: string): Promise<boolean> {
  return (await rowsOf(w.from('nfcom').where({ chave }).limit(1), ID)).length > 0;
}

/** What a note was once signed as by the key that it has, where that had these contents. */
export async function versaoDoDigest(
  w: Write,
  { id: nfcom_id, chave }: NotaDaFila,
  digest: string | null,
): Promise<VersaoRow | undefined> {
  const delas = w.from('nfcom_versoes').where({ nfcom_id, chave, digest });
  const [row] = await rowsOf(delas.whereNotNull('xml_assinado').orderBy('id', 'desc').limit(1), DA_VERSAO);
  return row;
}
