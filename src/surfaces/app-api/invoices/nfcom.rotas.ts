import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { AppSession } from '../../../access/callers.ts';
import type { Dominio } from '../../../domain/dominio.ts';
import { foiAutorizada } from '../../../domain/nfcom/nfcom.regras.ts';
import type { Nfcom } from '../../../domain/nfcom/nfcom.types.ts';
import { idNoCaminho } from '../../../objects/consulta.ts';
import { exigir } from '../erros.ts';
import { rota } from '../rota.ts';
import { apresentarNfcom } from './invoices.presenter.ts';
import { lerFatura } from './invoices.rotas.ts';
import { consultaDoDownload, exemploNfcom, nfcomSchema } from './invoices.schemas.ts';

const comum = { group: 'Notas fiscais', permission: { cliente: true, equipe: 'faturas.ver' } } as const;

export const rotasDeNfcom = [
  rota.get({
    ...comum,
    path: '/invoices/{id}/nfcom',
    params: { id: idNoCaminho },
    summary: 'Lê a nota fiscal de uma fatura',
    description: 'De várias, a mais nova.',
    reading: 'record',
    data: nfcomSchema,
    example: exemploNfcom,
    errors: ['nao_encontrado', 'nfcom_inexistente'],
    async run({ params: { id }, session, domain }) {
      return { data: apresentarNfcom(await lerNfcom(domain, session, id)) };
    },
  }),
  rota.file({
    ...comum,
    path: '/invoices/{id}/nfcom/download',
    params: { id: idNoCaminho },
    summary: 'Baixa a nota fiscal de uma fatura',
    description:
      'Em xml, o documento autorizado com o seu protocolo, byte a byte; as canceladas e as substituídas também. O que formats da nota não diz é recusado com formato_indisponivel: por ora, todo pdf.',
    query: consultaDoDownload,
    types: ['application/xml', 'application/pdf'],
    errors: ['nao_encontrado', 'nfcom_inexistente', 'nfcom_nao_autorizada', 'formato_indisponivel'],
    async open({ params: { id }, query: { format }, session, domain }) {
      const { situacao, chave, formatos } = await lerNfcom(domain, session, id);
      exigir(foiAutorizada(situacao), 'nfcom_nao_autorizada');
      const xml = formatos.includes(format) ? await domain.nfcom.xmlDaFatura(id) : null;
      exigir(xml, 'formato_indisponivel');
      return {
        name: `nfcom-${chave ?? id}.${format}`,
        type: 'application/xml',
        bytes: xml.length,
        sha256: createHash('sha256').update(xml).digest('hex'),
        open: async ({ start, end }) => Promise.resolve(Readable.from([xml.subarray(start, end + 1)])),
      };
    },
  }),
];

/** The newest note of an invoice that the caller may see. @throws Failure */
async function lerNfcom(domain: Dominio, session: AppSession, faturaId: number): Promise<Nfcom> {
  await lerFatura(domain, session, faturaId);
  const nfcom = await domain.nfcom.daFatura(faturaId);
  exigir(nfcom, 'nfcom_inexistente');
  return nfcom;
}
