import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { COLUNAS_DO_MANUAL } from '../../recebimentos/manuais/manuais.types.ts';
import { COLUNAS_DO_MEMBRO } from '../../renegociacoes/renegociacoes.types.ts';
import type { MembroRow } from '../../renegociacoes/renegociacoes.types.ts';
import { COLUNAS_DO_AJUSTE } from '../ajustes/ajustes.types.ts';

export type ComposicaoService = ReturnType<typeof createComposicaoService>;

/** A line of what has become of an invoice; what was undone is there, too. */
interface Linha {
  readonly id: number;
  readonly em: Date;
  readonly valor: Centavos;
  /** Of it, what was given back. */
  readonly devolvido: Centavos;
  readonly desfeito: boolean;
  readonly motivo: string | null;
}

/** How an invoice came to be what it is, beside what it says of itself. */
export interface Composicao {
  readonly pix: readonly Linha[];
  readonly boletos: readonly Linha[];
  readonly baixas: readonly (Linha & { readonly forma: string })[];
  readonly ajustes: readonly (Linha & { readonly tipo: string; readonly origem: number | null })[];
  /** What its settlement booked, and is not nothing. */
  readonly lancamentos: readonly { readonly tipo: string; readonly valor: Centavos; readonly usado: Centavos }[];
  readonly renegociacoes: readonly Pick<MembroRow, 'renegociacao_id' | 'papel' | 'numero'>[];
  readonly cancelamento: { readonly motivo: string | null; readonly codigo: string | null } | null;
  readonly codigoExterno: string | null;
  /** By which a PIX is known to be for it. */
  readonly pixTxid: string | null;
}

const DO_PIX = columns<{ id: number; pago_em: string; valor: string; devolvido: string }>('pix_recebidos', {
  id: true,
  pago_em: true,
  valor: true,
  devolvido: true,
});

interface BoletoRow {
  id: number;
  pago_em: string;
  valor: string;
  devolvido: string;
  desfeito_em: string | null;
}
const DO_BOLETO = columns<BoletoRow>('boletos_recebidos', {
  id: true,
  pago_em: true,
  valor: true,
  devolvido: true,
  desfeito_em: true,
});
const DO_LANCAMENTO = columns<{ tipo: string; valor: string; usado: string }>('faturas_lancamentos', {
  tipo: true,
  valor: true,
  usado: true,
});

interface GuardadoRow {
  situacao: string;
  motivo: string | null;
  motivo_codigo: string | null;
  codigo_externo: string | null;
  pix_txid: string | null;
}
const DO_GUARDADO = columns<GuardadoRow>('faturas', {
  situacao: true,
  motivo: true,
  motivo_codigo: true,
  codigo_externo: true,
  pix_txid: true,
});

/** What people want to see of a single invoice: line by line, what was paid and what was taken off. */
export function createComposicaoService(tenant: TenantDb) {
  return {
    async buscar(faturaId: number): Promise<Composicao | null> {
      const de = (tabela: string, indice?: string) => tenant.from(tabela, indice).where('fatura_id', faturaId);
      const [fatura] = await rowsOf(tenant.from('faturas').where('id', faturaId), DO_GUARDADO);
      if (fatura === undefined) return null;
      const [pix, boletos, baixas, ajustes, lancamentos, membros] = await Promise.all([
        rowsOf(de('pix_recebidos').orderBy(['pago_em', 'id']), DO_PIX),
        rowsOf(de('boletos_recebidos').orderBy(['pago_em', 'id']), DO_BOLETO),
        rowsOf(de('recebimentos_manuais').orderBy(['pago_em', 'id']), COLUNAS_DO_MANUAL),
        rowsOf(de('faturas_ajustes').orderBy(['dado_em', 'id']), COLUNAS_DO_AJUSTE),
        rowsOf(
          de('faturas_lancamentos', 'faturas_lancamentos_fatura').where('valor', '>', 0).orderBy('id'),
          DO_LANCAMENTO,
        ),
        rowsOf(de('renegociacoes_faturas').orderBy('renegociacao_id'), COLUNAS_DO_MEMBRO),
      ]);
      const linha = (id: number, em: string, valor: string, devolvido = '0.00') => ({
        id,
        em: fromDatabaseTime(em),
        valor: lerDinheiro(valor),
        devolvido: lerDinheiro(devolvido),
      });
      return {
        pix: pix.map(({ id, pago_em, valor, devolvido }) => ({
          ...linha(id, pago_em, valor, devolvido),
          desfeito: false,
          motivo: null,
        })),
        boletos: boletos.map(({ id, pago_em, valor, devolvido, desfeito_em }) => ({
          ...linha(id, pago_em, valor, devolvido),
          desfeito: desfeito_em !== null,
          motivo: null,
        })),
        baixas: baixas.map((um) => ({
          ...linha(um.id, um.pago_em, um.valor, um.devolvido),
          forma: um.forma,
          desfeito: um.desfeito_em !== null,
          motivo: um.desfeito_motivo ?? um.observacao,
        })),
        ajustes: ajustes.map((um) => ({
          ...linha(um.id, um.dado_em, um.valor),
          tipo: um.tipo,
          origem: um.origem_fatura_id,
          desfeito: um.desfeito_em !== null,
          motivo: um.desfeito_motivo ?? um.motivo,
        })),
        lancamentos: lancamentos.map(({ tipo, valor, usado }) => ({
          tipo,
          valor: lerDinheiro(valor),
          usado: lerDinheiro(usado),
        })),
        renegociacoes: membros.map(({ renegociacao_id, papel, numero }) => ({ renegociacao_id, papel, numero })),
        cancelamento: fatura.situacao === 'cancelada' ? { motivo: fatura.motivo, codigo: fatura.motivo_codigo } : null,
        codigoExterno: fatura.codigo_externo,
        pixTxid: fatura.pix_txid,
      };
    },
  };
}
