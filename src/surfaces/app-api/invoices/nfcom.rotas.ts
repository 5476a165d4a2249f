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
import { consultaDaNota, consultaDoDownload, exemploNfcom, nfcomSchema } from './invoices.schemas.ts';

const comum = { group: 'Notas fiscais', permission: { cliente: true, equipe: 'faturas.ver' } } as const;

export const rotasDeNfcom = [
  rota.get({
    ...comum,
    path: '/invoices/{id}/nfcom',
    params: { id: idNoCaminho },
    summary: 'Lê a nota fiscal de uma fatura',
    description:
      'De várias, a que vale: a de produção antes da de homologação, a autorizada antes das outras, e então a mais nova. Um ajuste só quando não há outra. De uma fatura de vários contratos, cada um tem a sua: contract_id diz de qual.',
    query: consultaDaNota,
    reading: 'record',
    data: nfcomSchema,
    example: exemploNfcom,
    errors: ['nao_encontrado', 'nfcom_inexistente'],
    async run({ params: { id }, query, session, domain }) {
      return { data: apresentarNfcom(await lerNfcom(domain, session, id, query.contract_id)) };
    },
  }),
  rota.file({
    ...comum,
    path: '/invoices/{id}/nfcom/download',
    params: { id: idNoCaminho },
    summary: 'Baixa a nota fiscal de uma fatura',
    description:
      'Em xml, o documento autorizado com o seu protocolo, byte a byte; em pdf, o DANFE-COM. As canceladas e as substituídas também, com a sua marca no pdf. O que formats da nota não diz é recusado com formato_indisponivel.',
    query: consultaDoDownload,
    types: ['application/xml', 'application/pdf'],
    errors: ['nao_encontrado', 'nfcom_inexistente', 'nfcom_nao_autorizada', 'formato_indisponivel'],
    async open({ params: { id }, query: { format, contract_id }, session, domain }) {
      const { id: nota, situacao, chave, formatos } = await lerNfcom(domain, session, id, contract_id);
      exigir(foiAutorizada(situacao), 'nfcom_nao_autorizada');
      exigir(formatos.includes(format), 'formato_indisponivel');
      const documento = await domain.danfe[format](nota);
      exigir(documento, 'formato_indisponivel');
      return async () => {
        const arquivo = await documento.fazer();
        return {
          name: `nfcom-${chave ?? id}.${format}`,
          type: `application/${format}`,
          bytes: arquivo.length,
          sha256: createHash('sha256').update(arquivo).digest('hex'),
          open: async ({ start, end }) => Promise.resolve(Readable.from([arquivo.subarray(start, end + 1)])),
        };
      };
    },
  }),
];

/** The note that counts of an invoice that the caller may see. @throws Failure */
async function lerNfcom(
  domain: Dominio,
  session: AppSession,
  faturaId: number,
  contratoId: number | undefined,
): Promise<Nfcom> {
  await lerFatura(domain, session, faturaId);
  const nfcom = await domain.nfcom.daFatura(faturaId, contratoId ?? null);
  exigir(nfcom, 'nfcom_inexistente');
  return nfcom;
}
