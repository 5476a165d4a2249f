import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Write } from '../escrita.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { createConfiguracaoDoFaturamento } from './configuracao/configuracao.service.ts';
import { createCreditosDeContratos } from './creditos/creditos.service.ts';
import { createCarnes } from './execucao/carne.service.ts';
import { createDesfazerFaturamento } from './desfazer/desfazer.service.ts';
import { createPedidoDeFaturamento } from './execucao/pedido.service.ts';
import { createPedidosDoFaturamento } from './pedidos/pedidos.service.ts';
import { createItensDoContrato } from './itens/itens.service.ts';

export type FaturamentoService = ReturnType<typeof createFaturamentoService>;

/** What people do about billing: its settings, months before their time, taking a run back, booklets, items of contracts. */
export function createFaturamentoService(deps: {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}) {
  return {
    ...createConfiguracaoDoFaturamento(deps),
    ...createPedidoDeFaturamento(deps),
    ...createPedidosDoFaturamento(deps),
    ...createDesfazerFaturamento(deps),
    carnes: createCarnes(deps),
    itens: createItensDoContrato(deps),
    creditos: createCreditosDeContratos(deps),
  };
}
