import type { SituacaoContrato } from '../contratos/contratos.types.ts';
import type { Write } from '../escrita.ts';
import type { SessoesDoPedido } from './rede.types.ts';

/** Contracts of the provider, by what they have in common. */
export interface Quais {
  readonly situacoes: readonly SituacaoContrato[];
}

export function createMuitosPedidosQueries(w: Write) {
  const { db } = w.tenant;
  return {
    /** Asks for all contracts with a login that have something in common, in one statement; resolves to how many they are. */
    async pedir({ situacoes }: Quais, instante: string, sessoes: SessoesDoPedido): Promise<number> {
      const deles = w
        .from('contratos')
        .where('login', '<>', '')
        .whereIn('situacao', situacoes)
        .select('provedor_id', 'id', db.raw(`IF(situacao = 'ativo', 'liberar', 'bloquear')`))
        .select(db.raw('?, ?', [sessoes, instante]));
      const [feito] = await db.raw<[{ affectedRows: number }?]>(
        'INSERT INTO rede_pedidos (provedor_id, contrato_id, acao, sessoes, pedido_em) ?',
        [deles],
      );
      return feito?.affectedRows ?? 0;
    },
  };
}
