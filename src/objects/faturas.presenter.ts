import type { Fatura } from '../domain/faturas/faturas.types.ts';
import { toReais, toIso } from '../kit/fields/fields.ts';
import type { TypeOf } from '../platform/schema-type.ts';
import type { faturaSchema } from './faturas.schemas.ts';

export function apresentarFatura(fatura: Fatura): TypeOf<typeof faturaSchema> {
  const { segundaVia } = fatura;
  return {
    id: fatura.id,
    cliente_id: fatura.clienteId,
    contrato_id: fatura.contratoId,
    descricao: fatura.descricao,
    situacao: fatura.situacao,
    tipo: fatura.tipo,
    valor: toReais(fatura.valor),
    valor_atualizado: fatura.valorAtualizado === null ? null : toReais(fatura.valorAtualizado),
    valor_pago: toReais(fatura.valorPago),
    valor_a_pagar: toReais(fatura.aPagar),
    multa: toReais(fatura.multa),
    juros: toReais(fatura.juros),
    dias_atraso: fatura.diasEmAtraso,
    pago_parcialmente: fatura.pagaEmParte,
    vencimento: fatura.vencimento,
    emitida_em: fatura.emitidaEm.toISOString(),
    pago_em: toIso(fatura.pagoEm),
    boleto_situacao: fatura.boletoSituacao,
    segunda_via:
      segundaVia === null
        ? null
        : {
            link_pagamento: segundaVia.linkPagamento,
            pdf: segundaVia.pdf,
            pagina_pix: segundaVia.paginaPix,
            pix_copia_cola: segundaVia.pix?.codigo ?? null,
            linha_digitavel: segundaVia.boleto?.linhaDigitavel ?? null,
            codigo_barras: segundaVia.boleto?.codigoBarras ?? null,
          },
  };
}
