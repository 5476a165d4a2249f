import { hojeEm } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { escreverDinheiro, lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { jsonColumn, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { exigido, lerCampos, opcional } from '../../campos/campos.ts';
import { MAIOR_PRECO, dinheiro, escolha, ouNulo, texto } from '../../campos/leitores.ts';
import { faltaEm, recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { contratoTag } from '../../tags.ts';
import { travarContratos } from '../../contratos/movimentos/travas.service.ts';
import { mes as umMes } from '../calculo/meses.leitores.ts';
import { mesDe } from '../calculo/meses.regras.ts';
import { TIPOS_DE_ITEM } from '../faturamento.types.ts';
import type { ItemDaCobranca, TipoDeItem } from '../faturamento.types.ts';
import { COLUNAS_DO_ITEM } from './itens.types.ts';
import { acabaramAsCobrancas } from './fim.queries.ts';
import type { ItemRow } from './itens.types.ts';

export type LeituraDeItensService = ReturnType<typeof createLeituraDeItensService>;

/** `valor`: reais or, of a percentage, percents. `de` and `ate`: months of service; no `ate`: for as long as the contract lasts. */
const CAMPOS_DO_ITEM = {
  tipo: exigido(escolha(TIPOS_DE_ITEM)),
  descricao: exigido(texto(1, 120)),
  valor: exigido(dinheiro({ maximo: MAIOR_PRECO })),
  de: opcional(ouNulo(umMes)),
  ate: opcional(ouNulo(umMes)),
} as const;

/** Of one contract that were not charged and have not ended; each month's charge reads them all. */
const MAIS_ITENS = 50;
const CEM_POR_CENTO = 10_000;

interface ItemCobravelRow extends ItemRow {
  faturamento_id: number | null;
}

const DO_ITEM = columns<ItemCobravelRow>('contratos_itens', { ...COLUNAS_DO_ITEM.of, faturamento_id: true });

interface CobrancaRow {
  competencia: Data;
  itens: string | readonly ItemDaCobranca[];
}

const DA_COBRANCA = columns<CobrancaRow>('faturamento_cobrancas', { competencia: true, itens: true });

/** What a contract has beside its price, as staff see it. */
export interface ItemGuardado {
  readonly id: number;
  readonly tipo: TipoDeItem;
  readonly descricao: string;
  /** Of a percentage: hundredths of a percent. */
  readonly valor: Centavos;
  readonly de: Data;
  readonly ate: Data | null;
  /** The run that took it, of what is charged once. */
  readonly faturamentoId: number | null;
  /** Whether a charge has counted it. */
  readonly cobrado: boolean;
}

const itensDo = async (tenant: TenantDb, contratoId: number): Promise<ItemCobravelRow[]> =>
  rowsOf(
    tenant.from('contratos_itens').where('contrato_id', contratoId).whereNull('removido_em').orderBy('id'),
    DO_ITEM,
  );

export function createLeituraDeItensService(tenant: TenantDb) {
  return {
    /** Those of a contract that were not removed. */
    async doContrato(contratoId: number): Promise<ItemGuardado[]> {
      const rows = await itensDo(tenant, contratoId);
      const primeiro = rows.map(({ de }) => de).toSorted()[0];
      const cobrancas = primeiro === undefined ? [] : await cobrancasDesde(tenant, contratoId, primeiro);
      return rows.map((row) => {
        const { contrato_id: _contrato, faturamento_id, valor, ...item } = row;
        const cobrado = faturamento_id !== null || entrouEm(cobrancas, row);
        return { ...item, valor: lerDinheiro(valor), faturamentoId: faturamento_id, cobrado };
      });
    },
  };
}

/** Additional items and discounts of contracts. */
export function createItensDoContrato({
  w,
  provedor,
  relogio,
}: {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}) {
  async function travarContrato(id: number): Promise<number> {
    const [contrato] = (await travarContratos(w, [id])).contratos;
    recusarSeNao(contrato, 'nao_encontrado');
    recusarSeNao(contrato.situacao !== 'cancelado_definitivo', 'contrato_encerrado');
    return contrato.cliente_id;
  }

  async function travarItem(contratoId: number, id: number) {
    const cliente = await travarContrato(contratoId);
    const deles = w.from('contratos_itens').where({ id, contrato_id: contratoId }).whereNull('removido_em');
    const [item] = await rowsOf(deles.forUpdate(), DO_ITEM);
    recusarSeNao(item, 'nao_encontrado');
    const cobrado = item.faturamento_id !== null || entrouEm(await cobrancasDesde(w.tenant, contratoId, item.de), item);
    return { cliente, item, cobrado };
  }

  return {
    /**
     * Adds an item to a contract, by {@link CAMPOS_DO_ITEM}; resolves to its id. One that begins this month counts for the whole of it, also
     * where its charge was made already: then it comes with the next one.
     *
     * @throws CamposInvalidos; Recusa `nao_encontrado`, `contrato_encerrado`
     */
    async adicionar(contratoId: number, dados: unknown): Promise<number> {
      const { tipo, descricao, valor, de, ate = null } = lerCampos(CAMPOS_DO_ITEM, dados);
      const agora = relogio.agora();
      const hoje = hojeEm(provedor.fusoHorario, agora);
      const deste = mesDe(hoje);
      const desde = de ?? deste;
      if (desde < deste) faltaEm('de', 'não pode ser antes deste mês');
      if (ate !== null && ate < desde) faltaEm('ate', 'não pode ser antes do primeiro mês');
      if (ate !== null && tipo === 'unico') faltaEm('ate', 'só do que se cobra mais de uma vez');
      if (tipo === 'desconto_percentual' && valor > CEM_POR_CENTO) faltaEm('valor', 'no máximo 100');
      const cliente = await travarContrato(contratoId);
      if (tipo === 'unico' && (await acabaramAsCobrancas(w.tenant, contratoId, { de: desde, hoje }))) {
        faltaEm('tipo', 'o contrato acabou e não terá cobrança que o leve: faça uma fatura');
      }
      const valem = (await itensDo(w.tenant, contratoId)).filter(
        (um) => um.faturamento_id === null && !acabou(um, deste),
      );
      if (valem.length >= MAIS_ITENS) faltaEm('tipo', `o contrato já tem ${MAIS_ITENS} itens`);
      const id = await w.insert('contratos_itens', {
        contrato_id: contratoId,
        tipo,
        descricao,
        valor: escreverDinheiro(valor),
        de: desde,
        ate,
        autor: w.author.name,
        criado_em: toDatabaseTime(agora),
      });
      w.emit('contrato.item_adicionado', contratoId, { cliente, item: id, tipo, valor: escreverDinheiro(valor) });
      w.touch(contratoTag(contratoId));
      return id;
    },

    /**
     * Ends an item: with this month where it comes again and again; wholly, where nothing of it was charged and its first month is still to
     * come, or it is charged once. What was charged of later months already, as by a booklet, is given back by their charges.
     *
     * @throws Recusa `nao_encontrado`, `transicao_invalida` of what was charged once already, or has ended
     */
    async encerrar(contratoId: number, itemId: number): Promise<void> {
      const agora = relogio.agora();
      const { cliente, item, cobrado } = await travarItem(contratoId, itemId);
      recusarSeNao(item.faturamento_id === null, 'transicao_invalida', { dito: 'o item já foi cobrado' });
      const deste = mesDe(hojeEm(provedor.fusoHorario, agora));
      recusarSeNao(!acabou(item, deste), 'transicao_invalida', { dito: 'o item já acabou, ou acaba neste mês' });
      const nuncaValeu = item.tipo === 'unico' || (item.de > deste && !cobrado);
      const fim = nuncaValeu ? { removido_em: toDatabaseTime(agora) } : { ate: deste };
      await w.update('contratos_itens', (q) => void q.where('id', itemId), fim);
      w.emit('contrato.item_encerrado', contratoId, { cliente, item: itemId, tipo: item.tipo });
      w.touch(contratoTag(contratoId));
    },

    /**
     * Takes an item back that was added by mistake, as if it never had been.
     *
     * @throws Recusa `nao_encontrado`, `transicao_invalida` where a charge has counted it: then it can only end
     */
    async remover(contratoId: number, itemId: number): Promise<void> {
      const agora = relogio.agora();
      const { cliente, item, cobrado } = await travarItem(contratoId, itemId);
      recusarSeNao(!cobrado, 'transicao_invalida', { dito: 'o item já entrou numa cobrança: só se pode encerrá-lo' });
      await w.update('contratos_itens', (q) => void q.where('id', itemId), { removido_em: toDatabaseTime(agora) });
      w.emit('contrato.item_removido', contratoId, { cliente, item: itemId, tipo: item.tipo });
      w.touch(contratoTag(contratoId));
    },
  };
}

/** Whether an item has no month left after one. */
export const acabou = ({ ate }: { readonly ate: Data | null }, mes: Data): boolean => ate !== null && ate <= mes;

interface CobrancaDoItem {
  readonly competencia: Data;
  readonly itens: readonly ItemDaCobranca[];
}

/** The charges of a contract's months since one; an exempt month counts no item. */
async function cobrancasDesde(tenant: TenantDb, contratoId: number, mes: Data): Promise<CobrancaDoItem[]> {
  const doContrato = tenant.from('faturamento_cobrancas').where({ contrato_id: contratoId, isenta: 0 });
  const rows = await rowsOf(doContrato.where('competencia', '>=', mes), DA_COBRANCA);
  return rows.map(({ competencia, itens }) => ({ competencia, itens: jsonColumn<readonly ItemDaCobranca[]>(itens) }));
}

/** Whether a charge has counted an item: what is added is in it by its id, and a discount is in all of its months. */
function entrouEm(cobrancas: readonly CobrancaDoItem[], { id, tipo, de, ate }: Omit<ItemRow, 'valor'>): boolean {
  if (tipo === 'desconto' || tipo === 'desconto_percentual') {
    return cobrancas.some(({ competencia: mes }) => mes >= de && (ate === null || mes <= ate));
  }
  return cobrancas.some(({ itens }) => itens.some(({ item }) => item === id));
}
