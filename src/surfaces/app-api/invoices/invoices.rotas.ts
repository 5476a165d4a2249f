import type { AppSession } from '../../../access/callers.ts';
import type { Dominio } from '../../../domain/dominio.ts';
import type { FaturasService } from '../../../domain/faturas/faturas.service.ts';
import { toReais } from '../../../kit/fields/fields.ts';
import { idNoCaminho } from '../../../objects/consulta.ts';
import { clientesDe, exigirAlcance } from '../alcance.ts';
import { exigir } from '../erros.ts';
import { comCursor, rota } from '../rota.ts';
import { apresentarInvoice, apresentarSegundaVia } from './invoices.presenter.ts';
import {
  consultaDeInvoices,
  exemploInvoice,
  exemploSecondCopy,
  invoiceSchema,
  secondCopyOfTodaySchema,
} from './invoices.schemas.ts';

const comum = { group: 'Faturas', permission: { cliente: true } } as const;

export const rotasDeInvoices = [
  rota.get({
    ...comum,
    path: '/invoices',
    summary: 'Lista as faturas de quem pergunta',
    description:
      'De todos os seus contratos, da mais nova para a mais antiga, pela emissão. As abertas trazem a segunda via.',
    reading: 'person',
    paged: true,
    cursor: true,
    query: consultaDeInvoices,
    data: { type: 'array', items: invoiceSchema },
    example: [exemploInvoice],
    async run({ query: { status, contract_id: contratoId, limit }, after, session, domain }) {
      const clienteIds = (await clientesDe(session, domain)) ?? [];
      const parte = await domain.faturas.listarApos({ clienteIds, contratoId, situacao: status }, { after, limit });
      const notas = await domain.nfcom.porFatura(parte.itens.map(({ id }) => id));
      return comCursor(parte, limit, (fatura) => apresentarInvoice(fatura, notas.get(fatura.id)));
    },
  }),
  rota.get({
    ...comum,
    path: '/invoices/{id}',
    params: { id: idNoCaminho },
    summary: 'Lê uma fatura',
    description: 'Com a segunda via, se estiver aberta.',
    reading: 'record',
    data: invoiceSchema,
    example: exemploInvoice,
    errors: ['nao_encontrado'],
    async run({ params: { id }, session, domain }) {
      const { fatura } = await lerFatura(domain, session, id);
      return { data: apresentarInvoice(fatura, (await domain.nfcom.porFatura([id])).get(id)) };
    },
  }),
  rota.get({
    ...comum,
    path: '/invoices/{id}/second-copy',
    params: { id: idNoCaminho },
    summary: 'Diz como pagar uma fatura aberta, e quanto hoje',
    reading: 'record',
    data: secondCopyOfTodaySchema,
    example: { ...exemploSecondCopy, amount_today: 102.23, valid_on: '2026-11-22' },
    errors: ['nao_encontrado', 'fatura_nao_aberta'],
    async run({ params: { id }, session, domain }) {
      const { fatura, dia } = await lerFatura(domain, session, id);
      const segundaVia = apresentarSegundaVia(fatura);
      exigir(segundaVia, 'fatura_nao_aberta');
      return { data: { ...segundaVia, amount_today: toReais(fatura.aPagar), valid_on: dia } };
    },
  }),
];

/** The invoice, as of the provider's day, of a caller who may see it. @throws Failure */
export async function lerFatura(
  domain: Dominio,
  session: AppSession,
  id: number,
): Promise<NonNullable<Awaited<ReturnType<FaturasService['buscarNoDia']>>>> {
  const clientes = await clientesDe(session, domain);
  const lida = await domain.faturas.buscarNoDia(id);
  exigirAlcance(clientes, lida?.fatura.clienteId);
  exigir(lida, 'nao_encontrado');
  return lida;
}
