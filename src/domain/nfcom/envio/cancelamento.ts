import type { DocumentoAssinado, LoteDeNotas } from '../../../../workers/threads/nfcom/contract.ts';
import { dataHoraEm } from '../../../brazil/nfcom/base/data-hora.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { ProvedoresService } from '../../provedores/provedores.service.ts';
import { lerConfiguracaoNfcom } from '../configuracao/leitura.service.ts';
import type { Chamada } from './autoridade.ts';
import type { Alvo, Tomada } from './envio.types.ts';
import type { PreparoDeps } from './preparo.ts';

const CANCELAVEL = columns<{ id: number; justificativa: string; xml_assinado: Buffer | null }>('nfcom_eventos', {
  id: true,
  justificativa: true,
  xml_assinado: true,
});

interface AssinaturaDeps extends Pick<PreparoDeps, 'db' | 'write' | 'relogio' | 'threads' | 'autor'> {
  readonly provedores: Pick<ProvedoresService, 'exigirPorId'>;
}

/** Signs what cancels a note: resolves to the event, which was committed before it is sent, or to why there is none. */
export function createAssinaturaDeCancelamento({ db, write, relogio, threads, autor, provedores }: AssinaturaDeps) {
  return async function assinarCancelamento({ provedorId }: Alvo, nota: Tomada, { certificado, ambiente }: Chamada) {
    const tenant = createTenantDb(db, provedorId);
    const doEvento = tenant.from('nfcom_eventos').where({ nfcom_id: nota.id, estado: 'pendente' });
    const [evento] = await rowsOf(doEvento.orderBy('id', 'desc').limit(1), CANCELAVEL);
    if (evento === undefined) return { tipo: 'recusado', codigo: 'sumiu', motivo: 'o pedido sumiu' } as const;
    if (evento.xml_assinado !== null) return evento.xml_assinado;
    const { fusoHorario } = await provedores.exigirPorId(provedorId);
    const { emitente, esquema } = await lerConfiguracaoNfcom(tenant);
    const [assinado] = await threads.run<LoteDeNotas, DocumentoAssinado[]>('nfcom', {
      chave: certificado,
      esquema,
      documentos: [
        {
          tipo: 'cancelamento',
          dados: {
            ambiente,
            cnpj: emitente.cnpj ?? '',
            chave: nota.chave,
            protocolo: nota.protocolo ?? '',
            quando: dataHoraEm(fusoHorario, relogio.agora()),
            justificativa: evento.justificativa,
          },
        },
      ],
    });
    if (assinado?.certo !== true) {
      const [recusa] = assinado?.recusas ?? [];
      return { tipo: 'recusado', codigo: recusa?.codigo ?? 'esquema', motivo: recusa?.mensagem ?? '' } as const;
    }
    const xml = Buffer.from(assinado.xml);
    await write(autor, provedorId, async (w) => {
      await w.update('nfcom_eventos', (q) => void q.where('id', evento.id), { xml_assinado: xml });
    });
    return xml;
  };
}
