import { centavos, escreverDinheiro, lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { lerCampos } from '../../campos/campos.ts';
import { Recusa, faltaEm, recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { FATURAS_TAG, TAGS_DE_TUDO, clienteTag, faturaTag } from '../../tags.ts';
import { createConfiguracaoNfcomQueries } from '../configuracao/configuracao.queries.ts';
import { faltasDoEmitente, lerConfiguracaoNfcom } from '../configuracao/leitura.service.ts';
import { CAMPOS_DA_SUBSTITUICAO, CAMPOS_DO_AJUSTE, CAMPOS_DO_CANCELAMENTO } from './emissao.campos.ts';
import { DA_NOTA, createEmissaoNfcomQueries } from './emissao.queries.ts';
import type { CandidataRow, NotaRow } from './emissao.queries.ts';
import { createFilaQueries } from '../envio/fila.queries.ts';
import type { FiltroDeEmissao } from './emissao.types.ts';
import { soltarNumero } from './numeros.ts';
import { ABANDONADA, abandonada, foiEnsaio, foiTentada, prazoDeCancelamento } from './prazos.regras.ts';

export type PedidosNfcomService = ReturnType<typeof createPedidosNfcomService>;

interface PedidosNfcomDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}

/** Invoices that one write asks notes for: more go in the next call. */
const MAIOR_PEDIDO = 5000;
/** Above so many, all that is kept of the provider is stale at once. */
const COM_ETIQUETA = 200;

const DA_FATURA = columns<CandidataRow & { situacao: string }>('faturas', {
  id: true,
  cliente_id: true,
  contrato_id: true,
  valor: true,
  situacao: true,
});

/** A rejected note that is asked for again. */
const DE_NOVO = { situacao: 'pendente', motivo: null, motivo_codigo: null, recusas: null, tentativas: 0 } as const;

/** What people, and the day's work, ask of fiscal notes. The worker does it; see envio.service.ts. */
export function createPedidosNfcomService({ w, provedor, relogio }: PedidosNfcomDeps) {
  const queries = createEmissaoNfcomQueries(w.tenant, provedor.fusoHorario);
  const agora = (): string => toDatabaseTime(relogio.agora());

  function tocar(notas: readonly Pick<NotaRow, 'fatura_id' | 'cliente_id'>[]): void {
    if (notas.length > COM_ETIQUETA) w.touch(...TAGS_DE_TUDO);
    else for (const { fatura_id: f, cliente_id: c } of notas) w.touch(faturaTag(f), clienteTag(c));
    w.touch(FATURAS_TAG);
  }

  async function exigirEmitente() {
    const configuracao = await lerConfiguracaoNfcom(w.tenant);
    const [falta] = faltasDoEmitente(configuracao);
    if (falta !== undefined) throw new Recusa('nfcom_sem_configuracao', { sugestao: falta.mensagem });
    return configuracao;
  }

  async function inserir(faturas: readonly CandidataRow[], outras: object = {}): Promise<number> {
    const { ambiente } = await exigirEmitente();
    const linhas = faturas.map(({ id, cliente_id, contrato_id, valor }) => ({
      fatura_id: id,
      cliente_id,
      contrato_id,
      valor,
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

  /** Of two who ask at once, the second one finds what the first one asked for: no invoice has two notes. */
  const umPorVez = async () => createFilaQueries(w).travar();

  /** What was asked for of it, but for giving it up. */
  const semDescarte = () => w.tenant.db.raw("JSON_REMOVE(pedido, '$.descartar')");

  return {
    /**
     * Asks for a note of an invoice; resolves to its id. What is wrong with it comes out when it is built.
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
      const notas = await queries.daFatura(faturaId);
      const { ambiente } = await exigirEmitente();
      const viva = notas.find(
        (nota) =>
          nota.situacao !== 'cancelada' &&
          nota.situacao !== 'substituida' &&
          !abandonada(nota) &&
          !foiEnsaio(nota, ambiente),
      );
      if (viva !== undefined) throw new Recusa('nfcom_existe', { registroId: viva.id });
      const id = await inserir([fatura]);
      w.emit('nfcom.pedidas', null, { notas: 1, fatura: faturaId });
      return id;
    },

    /**
     * Asks for notes of all invoices that a filter finds, in parts.
     *
     * @param depoisDe id of the invoice after which this part begins; 0 at first
     * @returns how many were asked for, and after which invoice the next part begins; null where there is none
     * @throws CamposInvalidos; Recusa `nfcom_sem_configuracao`
     */
    async pedirLote(filtro: FiltroDeEmissao, depoisDe = 0): Promise<{ notas: number; proxima: number | null }> {
      await umPorVez();
      const faturas = await queries.candidatas(filtro, depoisDe, MAIOR_PEDIDO);
      if (faturas.length === 0) return { notas: 0, proxima: null };
      await inserir(faturas);
      w.emit('nfcom.pedidas', null, { notas: faturas.length, fatura: null });
      return { notas: faturas.length, proxima: faturas.length < MAIOR_PEDIDO ? null : (faturas.at(-1)?.id ?? null) };
    },

    /** Has a rejected note built and sent anew, with its number. @throws Recusa `nao_encontrado`, `nfcom_nao_rejeitada` */
    async reemitir(id: number): Promise<void> {
      const nota = await exigir(id);
      recusarSeNao(nota.situacao === 'rejeitada', 'nfcom_nao_rejeitada');
      // What was sent once may have been authorised without our hearing of it.
      recusarSeNao(!abandonada(nota), 'nfcom_nao_rejeitada');
      const etapa = foiTentada(nota) ? 'conferir' : 'montar';
      await mudar(nota, { ...DE_NOVO, pedido: semDescarte(), etapa, proxima_em: agora() });
      w.emit('nfcom.reemissao_pedida', id);
    },

    /** The same of all that are rejected, or of those with one code. @returns how many */
    async reemitirRejeitadas(codigo?: string): Promise<number> {
      const delas = w
        .from('nfcom')
        .where({ situacao: 'rejeitada' })
        .whereNotIn('motivo_codigo', [...ABANDONADA]);
      if (codigo !== undefined) delas.where('motivo_codigo', codigo);
      const notas = await rowsOf(delas.orderBy('id').limit(MAIOR_PEDIDO).forUpdate(), DA_NOTA);
      if (notas.length === 0) return 0;
      const ids = notas.map(({ id }) => id);
      const etapa = w.tenant.db.raw("IF(chave IS NULL, 'montar', 'conferir')");
      await w.update('nfcom', (q) => void q.whereIn('id', ids), {
        ...DE_NOVO,
        pedido: semDescarte(),
        etapa,
        proxima_em: agora(),
      });
      tocar(notas);
      w.emit('nfcom.pedidas', null, { notas: ids.length, fatura: null });
      return ids.length;
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
        const pedido = w.tenant.db.raw(`JSON_MERGE_PATCH(COALESCE(pedido, '{}'), '{"descartar": true}')`);
        await mudar(nota, { situacao: 'pendente', etapa: 'conferir', pedido, proxima_em: agora(), tentativas: 0 });
        return;
      }
      await soltarNumero(w, nota);
      await mudar(nota, {
        situacao: 'rejeitada',
        motivo_codigo: 'descartada',
        motivo: 'deixou de ser emitida',
        etapa: null,
        serie: null,
        numero: null,
      });
      w.emit('nfcom.descartada', id);
    },

    /**
     * Asks for an authorised note to be cancelled, by {@link CAMPOS_DO_CANCELAMENTO}.
     *
     * @throws CamposInvalidos; Recusa `nao_encontrado`, `nfcom_nao_autorizada`, `nfcom_prazo_de_cancelamento`
     */
    async cancelar(id: number, dados: unknown): Promise<void> {
      const { justificativa } = lerCampos(CAMPOS_DO_CANCELAMENTO, dados);
      const nota = await exigir(id);
      recusarSeNao(nota.situacao === 'autorizada' && nota.etapa === null, 'nfcom_nao_autorizada');
      recusarSeNao(nota.finalidade !== 'substituicao', 'nfcom_prazo_de_cancelamento', {
        dito: 'uma nota que substituiu outra não se cancela',
      });
      const { cancelamentoHoras } = await lerConfiguracaoNfcom(w.tenant);
      const autorizada = nota.autorizada_em === null ? null : fromDatabaseTime(nota.autorizada_em);
      if (autorizada !== null) {
        const prazo = prazoDeCancelamento(provedor.fusoHorario, autorizada, cancelamentoHoras);
        recusarSeNao(relogio.agora() <= prazo, 'nfcom_prazo_de_cancelamento', { sugestao: 'substitua-a' });
      }
      await w.insert('nfcom_eventos', { nfcom_id: id, justificativa, pedido_em: agora() });
      await mudar(nota, { etapa: 'cancelar', proxima_em: agora(), tentativas: 0 });
      w.emit('nfcom.cancelamento_pedido', id);
    },

    /**
     * Asks for a note that takes the place of an authorised one, built of the invoice as it is now; resolves to its id.
     *
     * @param dados by {@link CAMPOS_DA_SUBSTITUICAO}
     * @throws CamposInvalidos; Recusa `nao_encontrado`, `nfcom_nao_autorizada`, `nfcom_existe` while another one is under way
     */
    async substituir(id: number, dados: unknown): Promise<number> {
      const { motivo } = lerCampos(CAMPOS_DA_SUBSTITUICAO, dados);
      const nota = await exigir(id);
      recusarSeNao(
        nota.situacao === 'autorizada' && nota.etapa === null && nota.finalidade !== 'ajuste',
        'nfcom_nao_autorizada',
      );
      const outra = (await queries.daFatura(nota.fatura_id)).find((uma) => uma.substitui_id === id && !abandonada(uma));
      if (outra !== undefined) throw new Recusa('nfcom_existe', { registroId: outra.id });
      const [fatura] = await rowsOf(w.from('faturas').where('id', nota.fatura_id).forShare(), DA_FATURA);
      recusarSeNao(fatura, 'nao_encontrado');
      const nova = await inserir([fatura], {
        finalidade: 'substituicao',
        substitui_id: id,
        pedido: JSON.stringify({ motivo }),
        ambiente: nota.ambiente,
      });
      w.emit('nfcom.pedidas', null, { notas: 1, fatura: nota.fatura_id });
      return nova;
    },

    /**
     * Asks for a note of adjustment, by which some of an authorised one is given back; resolves to its id.
     *
     * @param dados by {@link CAMPOS_DO_AJUSTE}
     * @throws CamposInvalidos; Recusa `nao_encontrado`, `nfcom_nao_autorizada`
     */
    async ajustar(id: number, dados: unknown): Promise<number> {
      const { itens, motivo } = lerCampos(CAMPOS_DO_AJUSTE, dados);
      const nota = await exigir(id);
      recusarSeNao(
        nota.situacao === 'autorizada' && nota.etapa === null && nota.finalidade !== 'ajuste',
        'nfcom_nao_autorizada',
      );
      const total = itens.reduce((soma, { valor }) => soma + valor, 0);
      const anteriores = (await queries.daFatura(nota.fatura_id)).filter(
        (uma) =>
          uma.substitui_id === id && uma.finalidade === 'ajuste' && uma.situacao !== 'cancelada' && !abandonada(uma),
      );
      const devolvido = anteriores.reduce((soma, { valor: dele }) => soma + lerDinheiro(dele), 0);
      if (total + devolvido > lerDinheiro(nota.valor)) faltaEm('itens', 'o ajuste passa do valor da nota');
      const valor = escreverDinheiro(centavos(total));
      const fatura = { id: nota.fatura_id, cliente_id: nota.cliente_id, contrato_id: nota.contrato_id, valor };
      const nova = await inserir([fatura], {
        finalidade: 'ajuste',
        substitui_id: id,
        pedido: JSON.stringify({ itens, motivo }),
        ambiente: nota.ambiente,
      });
      w.emit('nfcom.pedidas', null, { notas: 1, fatura: nota.fatura_id });
      return nova;
    },

    /** The number that the next note of the settings gets, for who asks before. */
    proximoNumero: async (): Promise<number> => {
      const { ambiente, serie } = await lerConfiguracaoNfcom(w.tenant);
      return createConfiguracaoNfcomQueries(w.tenant).proximo({ ambiente, serie });
    },
  };
}
