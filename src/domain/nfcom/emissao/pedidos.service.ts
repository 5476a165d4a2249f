import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { Recusa, recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { FATURAS_TAG, TAGS_DE_TUDO, tagsDaFatura } from '../../tags.ts';
import { createConfiguracaoNfcomQueries } from '../configuracao/configuracao.queries.ts';
import { faltasDoEmitente, lerConfiguracaoNfcom } from '../configuracao/leitura.service.ts';
import { SEM_REGISTRO } from '../nfcom.regras.ts';
import { DA_FATURA, DA_NOTA, createEmissaoNfcomQueries } from './emissao.queries.ts';
import type { NotaRow } from './emissao.queries.ts';
import { AMBIENTES_DITOS } from '../ambiente.regras.ts';
import { createCorrecoes } from './correcoes.ts';
import { createDesistidas } from '../desistencia/desistidas.ts';
import { DESCARTADA, aConferir, createFreio } from './freio.ts';
import { createRejeitadasQueries } from '../lista/rejeitadas.queries.ts';
import type { FiltroDeRejeitadas } from '../lista/rejeitadas.queries.ts';
import { retomarFila } from '../envio/retomada.ts';
import { createFilaQueries } from '../envio/fila.queries.ts';
import { semMesesAVir, type FiltroDeEmissao } from './emissao.types.ts';
import { type NovaNota, notasDe, vivaDe } from './linhas.ts';
import { soltarNumero } from './numeros.ts';
import { ENSAIO_DEIXADO, abandonada, foiEnsaio, foiTentada } from './prazos.regras.ts';

export type PedidosNfcomService = ReturnType<typeof createPedidosNfcomService>;

interface PedidosNfcomDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}

/** Invoices that one write asks notes for: more go in the next call. */
const MAIOR_PEDIDO = 5000;
/** Rejected notes that one write has issued anew; it locks as many rows. */
const MAIOR_REEMISSAO = 1000;
/** Above so many, all that is kept of the provider is stale at once. */
const COM_ETIQUETA = 200;

/** A rejected note that is asked for again. */
const DE_NOVO = { situacao: 'pendente', motivo: null, motivo_codigo: null, recusas: null, tentativas: 0 } as const;

/** What people, and the day's work, ask of fiscal notes. The worker does it; see envio.service.ts. */
export function createPedidosNfcomService({ w, provedor, relogio }: PedidosNfcomDeps) {
  const queries = createEmissaoNfcomQueries(w.tenant, provedor.fusoHorario);
  const agora = (): string => toDatabaseTime(relogio.agora());

  function tocar(notas: readonly Pick<NotaRow, 'fatura_id' | 'cliente_id'>[]): void {
    if (notas.length > COM_ETIQUETA) w.touch(...TAGS_DE_TUDO);
    else for (const { fatura_id: f, cliente_id: c } of notas) w.touch(...tagsDaFatura(f, c));
    w.touch(FATURAS_TAG);
  }

  async function exigirEmitente() {
    const configuracao = await lerConfiguracaoNfcom(w.tenant);
    const [falta] = faltasDoEmitente(configuracao);
    if (falta !== undefined) throw new Recusa('nfcom_sem_configuracao', { sugestao: falta.mensagem });
    return configuracao;
  }

  async function inserir(notas: readonly NovaNota[], outras: object = {}): Promise<number> {
    const { ambiente } = await exigirEmitente();
    const linhas = notas.map((nova) => ({
      ...nova,
      ambiente,
      situacao: 'pendente',
      etapa: 'montar',
      pedida_em: agora(),
      proxima_em: agora(),
      ...outras,
    }));
    const primeira = await w.insert('nfcom', linhas);
    tocar(linhas);
    return primeira;
  }

  async function exigir(id: number): Promise<NotaRow> {
    const nota = await queries.travar(id);
    recusarSeNao(nota, 'nao_encontrado');
    return nota;
  }

  async function mudar(nota: NotaRow, mudancas: object): Promise<void> {
    await w.update('nfcom', (q) => void q.where('id', nota.id), mudancas);
    tocar([nota]);
  }

  /** Of an invoice's notes, which are locked, those that were rejected in a trial are issued anew by nobody: the invoice is to have a real one. */
  async function deixarEnsaios(notas: readonly NotaRow[], ambiente: NotaRow['ambiente']): Promise<void> {
    const ensaios = notas.filter((nota) => nota.situacao === 'rejeitada' && foiEnsaio(nota, ambiente));
    const ids = ensaios.filter((nota) => !abandonada(nota)).map(({ id }) => id);
    if (ids.length > 0) await w.update('nfcom', (q) => void q.whereIn('id', ids), ENSAIO_DEIXADO);
  }

  /** Of two who ask at once, the second one finds what the first one asked for: no invoice has two notes. */
  const umPorVez = async () => createFilaQueries(w).travar();

  /** What was asked for of it, but for giving it up. */
  const semDescarte = () => w.tenant.db.raw("JSON_REMOVE(pedido, '$.descartar', '$.junto')");

  return {
    /**
     * Asks for a note of an invoice, or of each of its contracts that has none; resolves to the id of the first. What is wrong with one comes
     * out when it is built.
     *
     * @throws Recusa `nao_encontrado`, `nfcom_existe`, `nfcom_sem_configuracao`, `fatura_nao_aberta` of one that was cancelled
     */
    async pedir(faturaId: number): Promise<number> {
      await umPorVez();
      const [fatura] = await rowsOf(w.from('faturas').where('id', faturaId).forUpdate(), DA_FATURA);
      recusarSeNao(fatura, 'nao_encontrado');
      recusarSeNao(fatura.situacao !== 'cancelada' && fatura.situacao !== 'estornada', 'fatura_nao_aberta', {
        dito: 'a fatura foi cancelada ou estornada',
      });
      const registrando = fatura.grupo === 'aberta' && SEM_REGISTRO.includes(fatura.boleto_situacao);
      recusarSeNao(!registrando, 'nfcom_espera_boleto');
      const notas = await queries.daFatura(faturaId);
      const { ambiente } = await exigirEmitente();
      const todas = await notasDe(w.tenant, [fatura]);
      const como = { ambiente, deVarios: todas.length > 1 };
      const novas = todas.filter((nova) => vivaDe(nova, notas, como) === undefined);
      const viva = todas[0] === undefined ? undefined : vivaDe(todas[0], notas, como);
      if (novas.length === 0 && viva !== undefined) throw new Recusa('nfcom_existe', { registroId: viva.id });
      await deixarEnsaios(notas, ambiente);
      const id = await inserir(novas);
      w.emit('nfcom.pedidas', null, { notas: novas.length, fatura: faturaId });
      return id;
    },

    /**
     * Asks for notes of all invoices that a filter finds, in parts. Those of a booklet's months to come are asked for in their months.
     *
     * @param depoisDe id of the invoice after which this part begins; 0 at first
     * @returns how many were asked for, and after which invoice the next part begins; null where there is none
     * @throws CamposInvalidos; Recusa `nfcom_sem_configuracao`
     */
    async pedirLote(filtro: FiltroDeEmissao, depoisDe = 0): Promise<{ notas: number; proxima: number | null }> {
      await umPorVez();
      const hoje = hojeEm(provedor.fusoHorario, relogio.agora());
      const faturas = await queries.candidatas(semMesesAVir(filtro, hoje), depoisDe, MAIOR_PEDIDO);
      if (faturas.length === 0) return { notas: 0, proxima: null };
      const novas = await notasDe(w.tenant, faturas);
      await inserir(novas);
      w.emit('nfcom.pedidas', null, { notas: novas.length, fatura: null });
      return { notas: novas.length, proxima: faturas.length < MAIOR_PEDIDO ? null : (faturas.at(-1)?.id ?? null) };
    },

    /**
     * Has a rejected note built and sent anew, with its number, in its environment: a trial's does not become a real one.
     *
     * @throws Recusa `nao_encontrado`, `nfcom_nao_rejeitada`
     */
    async reemitir(id: number): Promise<void> {
      const nota = await exigir(id);
      recusarSeNao(nota.situacao === 'rejeitada', 'nfcom_nao_rejeitada');
      // What was sent once may have been authorised without our hearing of it.
      recusarSeNao(!abandonada(nota), 'nfcom_nao_rejeitada');
      const { ambiente } = await lerConfiguracaoNfcom(w.tenant);
      recusarSeNao(nota.ambiente === ambiente, 'nfcom_nao_rejeitada', {
        dito: `a nota é de ${AMBIENTES_DITOS[nota.ambiente]}, e o provedor emite em ${AMBIENTES_DITOS[ambiente]}`,
        ...(nota.ambiente === 'homologacao' ? { sugestao: 'peça outra nota da fatura' } : {}),
      });
      const etapa = foiTentada(nota) ? 'conferir' : 'montar';
      await mudar(nota, { ...DE_NOVO, pedido: semDescarte(), etapa, proxima_em: agora() });
      w.emit('nfcom.reemissao_pedida', id);
    },

    /**
     * The same of all rejected notes of the present environment that a filter finds, in parts; see `rejeitadas.queries.ts`.
     *
     * @param depoisDe id of the note after which this part begins; 0 at first
     * @returns how many, and after which note the next part begins; null where there is none
     */
    async reemitirRejeitadas(
      filtro: FiltroDeRejeitadas,
      depoisDe = 0,
    ): Promise<{ readonly notas: number; readonly proxima: number | null }> {
      const { ambiente } = await lerConfiguracaoNfcom(w.tenant);
      const rejeitadas = createRejeitadasQueries(w.tenant, provedor.fusoHorario);
      const notas = await rejeitadas.parte(filtro, ambiente, depoisDe, MAIOR_REEMISSAO);
      if (notas.length === 0) return { notas: 0, proxima: null };
      const ids = notas.map(({ id }) => id);
      await w.update('nfcom', (q) => void q.whereIn('id', ids), {
        ...DE_NOVO,
        pedido: semDescarte(),
        etapa: w.tenant.db.raw("IF(chave IS NULL, 'montar', 'conferir')"),
        proxima_em: agora(),
      });
      tocar(notas);
      w.emit('nfcom.pedidas', null, { notas: ids.length, fatura: null });
      return { notas: ids.length, proxima: ids.length < MAIOR_REEMISSAO ? null : (ids.at(-1) ?? null) };
    },

    /**
     * Has the authority asked about rejected notes that will never be: when it does not have them, their numbers are the next ones'.
     *
     * @returns how many
     */
    async soltarSemVolta(ids: readonly number[]): Promise<number> {
      const delas = w.from('nfcom').whereIn('id', [...ids]);
      const comNumero = delas.where({ situacao: 'rejeitada' }).whereNotNull('chave');
      const notas = await rowsOf(comNumero.orderBy('id').forUpdate(), DA_NOTA);
      if (notas.length === 0) return 0;
      const mudancas = { ...DE_NOVO, etapa: 'conferir', proxima_em: agora() };
      const achadas = notas.map(({ id }) => id);
      await w.update('nfcom', (q) => void q.whereIn('id', achadas), mudancas);
      tocar(notas);
      w.emit('nfcom.sem_volta', null, { notas: notas.length });
      return notas.length;
    },

    /**
     * Has the queue go on at once, for who mended what had stopped it.
     *
     * @throws Recusa `transicao_invalida` where nothing is stopped, or where the authority itself said so: it is asked when that is over
     */
    async retomar(): Promise<void> {
      const fila = await umPorVez();
      await retomarFila(w, fila, agora());
      w.emit('nfcom.fila_retomada', null);
    },

    /**
     * Gives up a note that was never authorised: its number is the next note's. One that was sent is asked about first.
     *
     * @throws Recusa `nao_encontrado`, `nfcom_nao_rejeitada`
     */
    async descartar(id: number): Promise<void> {
      const nota = await exigir(id);
      const aTempo = nota.situacao === 'rejeitada' || (nota.situacao === 'pendente' && nota.etapa === 'montar');
      recusarSeNao(aTempo, 'nfcom_nao_rejeitada');
      if (foiTentada(nota)) {
        // The number is free once the authority says that it does not have the note.
        await mudar(nota, aConferir(w, agora(), 'so_ela'));
        return;
      }
      await soltarNumero(w, nota);
      await mudar(nota, {
        situacao: 'rejeitada',
        ...DESCARTADA,
        etapa: null,
        pedido: semDescarte(),
        serie: null,
        numero: null,
      });
      w.emit('nfcom.descartada', id);
    },

    ...createFreio({ w, fuso: provedor.fusoHorario, relogio, travarFila: umPorVez, tocar }),

    ...createDesistidas({ w, fuso: provedor.fusoHorario, umPorVez, inserir }),

    ...createCorrecoes({ w, provedor, relogio, queries, exigir, mudar, inserir }),

    /** The number that the next note of the settings gets, for who asks before. */
    proximoNumero: async (): Promise<number> => {
      const { ambiente, serie } = await lerConfiguracaoNfcom(w.tenant);
      return createConfiguracaoNfcomQueries(w.tenant).proximo({ ambiente, serie });
    },
  };
}
