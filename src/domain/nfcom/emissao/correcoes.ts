import { centavos, escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, jsonColumn, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { lerCampos } from '../../campos/campos.ts';
import { Recusa, recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { NOTAS_TAG } from '../../tags.ts';
import { AMBIENTES_DITOS, exigirAmbiente } from '../ambiente.regras.ts';
import { lerConfiguracaoNfcom } from '../configuracao/leitura.service.ts';
import type { AmbienteNfcom } from '../nfcom.types.ts';
import { totalDoAjuste } from './ajuste.regras.ts';
import { CAMPOS_DA_SUBSTITUICAO, CAMPOS_DO_AJUSTE, CAMPOS_DO_CANCELAMENTO } from './emissao.campos.ts';
import { DA_FATURA, DO_DOCUMENTO } from './emissao.queries.ts';
import type { AjusteRow, EmissaoNfcomQueries, NotaRow, PedidoDeAjuste } from './emissao.queries.ts';
import type { ItemAjustado } from './emissao.types.ts';
import type { NovaNota } from './linhas.ts';
import { cancelaveisAgora } from '../lista/cancelaveis.ts';
import { abandonada, prazoDeCancelamento } from './prazos.regras.ts';
import { createCancelaveisQueries } from '../lista/cancelaveis.queries.ts';
import type { Cancelaveis } from '../lista/cancelaveis.queries.ts';
import { travarNotas } from '../envio/estado.ts';

interface CorrecoesDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
  readonly queries: EmissaoNfcomQueries;
  /** @throws Recusa `nao_encontrado` */
  readonly exigir: (id: number) => Promise<NotaRow>;
  readonly mudar: (nota: NotaRow, mudancas: object) => Promise<void>;
  readonly inserir: (notas: readonly NovaNota[], outras: object) => Promise<number>;
}

/** Notes of which one write asks at most that they be cancelled. */
export const MAIOR_CANCELAMENTO = 250;

/** What adjustments give back; those that were cancelled or given up give back nothing, and those that were rejected may be sent again. */
const ajustados = (ajustes: readonly AjusteRow[]): ItemAjustado[] =>
  ajustes
    .filter((um) => um.situacao !== 'cancelada' && !abandonada(um))
    .flatMap(({ pedido }) => (pedido === null ? [] : (jsonColumn<PedidoDeAjuste>(pedido).itens ?? [])));

/** What is asked of a note that is authorised. */
export function createCorrecoes({ w, provedor, relogio, queries, exigir, mudar, inserir }: CorrecoesDeps) {
  const agora = (): string => toDatabaseTime(relogio.agora());

  /** Of a trial's note the other environment knows nothing: what corrects it could not be authorised there. */
  async function exigirCorrigivel({ situacao, etapa, finalidade, ambiente }: NotaRow): Promise<void> {
    const autorizada = situacao === 'autorizada' && etapa === null && finalidade !== 'ajuste';
    recusarSeNao(autorizada, 'nfcom_nao_autorizada');
    const { ambiente: deAgora } = await lerConfiguracaoNfcom(w.tenant);
    recusarSeNao(ambiente === deAgora, 'nfcom_nao_autorizada', {
      dito: `a nota é de ${AMBIENTES_DITOS[ambiente]}, e o provedor emite em ${AMBIENTES_DITOS[deAgora]}`,
    });
  }

  /** Of notes that are locked: somebody may have asked for one, or for what corrects it, since it was found. */
  async function aindaCancelaveis(travadas: readonly NotaRow[], { ambiente, desde }: Cancelaveis): Promise<NotaRow[]> {
    const inteiras = travadas.filter(
      (uma) =>
        uma.situacao === 'autorizada' &&
        uma.etapa === null &&
        uma.finalidade === 'normal' &&
        uma.ambiente === ambiente &&
        uma.autorizada_em !== null &&
        fromDatabaseTime(uma.autorizada_em) >= desde,
    );
    if (inteiras.length === 0) return [];
    const corrigidas = await createCancelaveisQueries(w.tenant, provedor.fusoHorario).corrigidas(
      inteiras.map(({ id }) => id),
      inteiras.map(({ fatura_id }) => fatura_id),
    );
    return inteiras.filter(({ id }) => !corrigidas.has(id));
  }

  return {
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
      const corrige = (await queries.daFatura(nota.fatura_id)).find(
        (uma) => uma.substitui_id === id && (uma.situacao === 'autorizada' || uma.etapa !== null),
      );
      recusarSeNao(corrige === undefined, 'nfcom_prazo_de_cancelamento', {
        dito: `a nota tem ${corrige?.finalidade === 'ajuste' ? 'um ajuste' : 'uma substituta'}, e não se cancela`,
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
     * The same of several, of those that are still as `cancelaveis.queries.ts` finds them; resolves to how many.
     *
     * @param ids at most {@link MAIOR_CANCELAMENTO}
     * @param ambiente the one that they were found in
     * @param dados by {@link CAMPOS_DO_CANCELAMENTO}
     * @throws CamposInvalidos; Recusa `nfcom_nao_autorizada` where the provider issues in the other environment by now
     */
    async cancelarVarias(ids: readonly number[], ambiente: AmbienteNfcom, dados: unknown): Promise<number> {
      const { justificativa } = lerCampos(CAMPOS_DO_CANCELAMENTO, dados);
      const quais = await cancelaveisAgora(w.tenant, provedor.fusoHorario, relogio.agora());
      exigirAmbiente(ambiente, quais.ambiente, 'nfcom_nao_autorizada');
      const notas = await aindaCancelaveis([...(await travarNotas(w, ids)).values()], quais);
      if (notas.length === 0) return 0;
      await w.insert(
        'nfcom_eventos',
        notas.map(({ id }) => ({ nfcom_id: id, justificativa, pedido_em: agora() })),
      );
      const delas = notas.map(({ id }) => id);
      const mudancas = { etapa: 'cancelar', proxima_em: agora(), tentativas: 0 };
      await w.update('nfcom', (q) => void q.whereIn('id', delas), mudancas);
      w.touch(NOTAS_TAG);
      for (const id of delas) w.emit('nfcom.cancelamento_pedido', id);
      return notas.length;
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
      await exigirCorrigivel(nota);
      const outra = (await queries.daFatura(nota.fatura_id)).find((uma) => uma.substitui_id === id && !abandonada(uma));
      if (outra !== undefined) throw new Recusa('nfcom_existe', { registroId: outra.id });
      const [fatura] = await rowsOf(w.from('faturas').where('id', nota.fatura_id).forShare(), DA_FATURA);
      recusarSeNao(fatura, 'nao_encontrado');
      // Of the same contract as the one whose place it takes, where the invoice is of several.
      const deQue = { fatura_id: fatura.id, cliente_id: fatura.cliente_id, contrato_id: nota.contrato_id };
      const nova = await inserir([{ ...deQue, valor: nota.valor }], {
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
      await exigirCorrigivel(nota);
      const [documento] = await rowsOf(w.from('nfcom').where('id', id), DO_DOCUMENTO);
      // What reads XML is loaded by the first who needs it.
      const { lerItensDaNota } = await import('../../../brazil/nfcom/itens/itens.leitura.ts');
      const total = totalDoAjuste(itens, {
        nota,
        documento: lerItensDaNota(documento?.xml_autorizado?.toString('utf8') ?? ''),
        antes: ajustados(await queries.ajustesDe(nota)),
      });
      const valor = escreverDinheiro(centavos(total));
      const { fatura_id, cliente_id, contrato_id } = nota;
      const nova = await inserir([{ fatura_id, cliente_id, contrato_id, valor }], {
        finalidade: 'ajuste',
        substitui_id: id,
        pedido: JSON.stringify({ itens, motivo }),
        ambiente: nota.ambiente,
      });
      w.emit('nfcom.pedidas', null, { notas: 1, fatura: nota.fatura_id });
      return nova;
    },
  };
}
