import type { Fatura } from '../../../domain/faturas/faturas.types.ts';
import type { Nfcom, NfcomDaFatura } from '../../../domain/nfcom/nfcom.types.ts';
import { toIso, toReais } from '../../../kit/fields/fields.ts';
import { apresentarFatura } from '../../../objects/faturas.presenter.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import type { exemploSecondCopy, invoiceSchema, nfcomSchema } from './invoices.schemas.ts';

type SecondCopy = { [Campo in keyof typeof exemploSecondCopy]: string | null };

/** The ways to pay that the public API gives, under their names here; null unless the invoice is open. */
export function apresentarSegundaVia(fatura: Fatura): SecondCopy | null {
  const { segunda_via: via } = apresentarFatura(fatura);
  if (via === null) return null;
  return {
    payment_link: via.link_pagamento,
    pdf: via.pdf,
    pix_page: via.pagina_pix,
    pix_code: via.pix_copia_cola,
    digitable_line: via.linha_digitavel,
    barcode: via.codigo_barras,
  };
}

export function apresentarInvoice(fatura: Fatura, nfcom: NfcomDaFatura | undefined): TypeOf<typeof invoiceSchema> {
  const dita = apresentarFatura(fatura);
  return {
    id: dita.id,
    client_id: dita.cliente_id,
    contract_id: dita.contrato_id,
    description: dita.descricao,
    status: dita.situacao,
    type: dita.tipo,
    amount: dita.valor,
    updated_amount: dita.valor_atualizado,
    paid_amount: dita.valor_pago,
    due_date: dita.vencimento,
    issued_at: dita.emitida_em,
    paid_at: dita.pago_em,
    boleto_situacao: dita.boleto_situacao,
    second_copy: apresentarSegundaVia(fatura),
    nfcom: nfcom === undefined ? null : { id: nfcom.id, status: nfcom.situacao },
  };
}

export const apresentarNfcom = (nfcom: Nfcom): TypeOf<typeof nfcomSchema> => ({
  id: nfcom.id,
  invoice_id: nfcom.faturaId,
  model: '62',
  number: nfcom.numero,
  series: nfcom.serie,
  access_key: nfcom.chave,
  status: nfcom.situacao,
  environment: nfcom.ambiente,
  protocol: nfcom.protocolo,
  amount: toReais(nfcom.valor),
  issued_at: toIso(nfcom.emitidaEm),
  authorized_at: toIso(nfcom.autorizadaEm),
  canceled_at: toIso(nfcom.canceladaEm),
  rejection: nfcom.rejeicao === null ? null : { code: nfcom.rejeicao.codigo, reason: nfcom.rejeicao.motivo },
  qr_code: nfcom.qrCode,
  formats: [...nfcom.formatos],
});
