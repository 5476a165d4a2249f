import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import { mesDe, somarMeses } from '../calculo/meses.regras.ts';
import type { TipoDeItem } from '../faturamento.types.ts';
import { COLUNAS_DO_ITEM } from './itens.types.ts';
import type { ItemRow } from './itens.types.ts';

const DO_ITEM = columns<ItemRow & { autor: string | null }>('contratos_itens', { ...COLUNAS_DO_ITEM.of, autor: true });

interface DaPassagem {
  /** The contract that is over, and the new holder's. */
  readonly de: number;
  readonly para: number;
  readonly cliente: number;
  readonly novoCliente: number;
  /** The provider's local day. */
  readonly hoje: Data;
  readonly agora: Date;
}

/**
 * Passes the items of a contract on to the contract by which another holder goes on: what is to be charged once and was not yet, discounts,
 * and what recurs. Of the month of the change, what recurs is charged once: to the former holder, where he had a day of it. The caller holds
 * the contract's lock.
 */
export async function passarItens(
  w: Write,
  { de, para, cliente, novoCliente, hoje, agora }: DaPassagem,
): Promise<void> {
  const mes = mesDe(hoje);
  const dele = w.from('contratos_itens').where('contrato_id', de).whereNull('removido_em').whereNull('faturamento_id');
  const rows = await rowsOf(
    dele
      .where((q) => void q.whereNull('ate').orWhere('ate', '>=', mes))
      .orderBy('id')
      .forUpdate(),
    DO_ITEM,
  );
  if (rows.length === 0) return;
  const recorrenteDesde = hoje === mes ? mes : somarMeses(mes, 1);
  const passados = rows.flatMap(({ id: _id, ...item }) => {
    const primeiro = item.tipo === 'recorrente' ? recorrenteDesde : mes;
    const desde = item.de > primeiro ? item.de : primeiro;
    return item.ate !== null && item.ate < desde ? [] : [{ ...item, de: item.tipo === 'unico' ? item.de : desde }];
  });
  const instante = toDatabaseTime(agora);
  const acabar = async (tipos: readonly TipoDeItem[], fim: object): Promise<void> => {
    const ids = rows.filter(({ tipo }) => tipos.includes(tipo)).map(({ id }) => id);
    if (ids.length > 0) await w.update('contratos_itens', (q) => void q.whereIn('id', ids), fim);
  };
  await acabar(['unico'], { removido_em: instante });
  await acabar(['recorrente'], { ate: somarMeses(recorrenteDesde, -1) });
  await acabar(['desconto', 'desconto_percentual'], { ate: mes });
  for (const { id, tipo } of rows) w.emit('contrato.item_encerrado', de, { cliente, item: id, tipo });
  if (passados.length === 0) return;
  await w.insert(
    'contratos_itens',
    passados.map((item) => ({ ...item, contrato_id: para, criado_em: instante })),
  );
  const novos = await rowsOf(w.from('contratos_itens').where('contrato_id', para).orderBy('id'), DO_ITEM);
  for (const { id, tipo, valor } of novos) {
    w.emit('contrato.item_adicionado', para, { cliente: novoCliente, item: id, tipo, valor });
  }
}
