import { SEM_PARADA, daOutra } from '../envio/fila.row.ts';
import type { Knex } from 'knex';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { Recusa, faltaEm } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import { PROVEDOR_TAG } from '../../tags.ts';
import { lerConfiguracaoNfcom } from '../configuracao/leitura.service.ts';
import { lerCertificado, lugarDoCertificado } from './certificado.queries.ts';
import { faltaDoCertificado } from '../../../brazil/nfcom/assinatura/certificado.ts';
import type { CertificadoA1 } from '../../../../workers/threads/certificado-a1/contract.ts';
import { FALTAS_DO_CERTIFICADO, PARADAS_PELO_CERTIFICADO } from './certificado.regras.ts';

export type CertificadoNfcomService = ReturnType<typeof createCertificadoNfcomService>;

interface CertificadoNfcomDeps {
  readonly w: Write;
  readonly relogio: Relogio;
  readonly segredos: Secrets;
}

/** A certificate as it was sent and read; its reading takes time, so it is done before a write begins. */
interface CertificadoRecebido {
  readonly pfx: Buffer;
  readonly senha: string;
  readonly lido: CertificadoA1;
}

/** What is sealed of a certificate that does not hold any more. */
const NADA_GUARDADO = { pfx: Buffer.alloc(0), senha: Buffer.alloc(0) } as const;

/** What the authorities, or we, stopped a queue for because of the certificate is over with another one. */
async function retomarFila(w: Write): Promise<void> {
  const parada =
    (coluna: string) =>
    (q: Knex.QueryBuilder): void =>
      void q.where((um) => void um.whereIn(coluna, PARADAS_PELO_CERTIFICADO));
  await w.update('nfcom_filas', parada('codigo'), SEM_PARADA);
  await w.update('nfcom_filas', parada('outra_codigo'), daOutra(SEM_PARADA));
}

/** The provider's A1 certificate, sealed. */
export function createCertificadoNfcomService({ w, relogio, segredos }: CertificadoNfcomDeps) {
  return {
    /**
     * Keeps a certificate, which takes the place of the one before; resolves to its id.
     *
     * @param recebido read by `lerPfx` of leitor.ts
     * @throws CamposInvalidos of `certificado`: it has ended, or is of another company than the one that issues notes
     */
    async guardar({ pfx, senha, lido }: CertificadoRecebido): Promise<number> {
      const agora = relogio.agora();
      const { emitente } = await lerConfiguracaoNfcom(w.tenant);
      const falta = faltaDoCertificado(lido, emitente.cnpj ?? lido.cnpj ?? '', agora);
      if (falta !== null) faltaEm('certificado', FALTAS_DO_CERTIFICADO[falta]);
      await w.update('nfcom_certificados', (q) => void q.whereNull('removido_em'), {
        ...NADA_GUARDADO,
        removido_em: toDatabaseTime(agora),
      });
      await retomarFila(w);
      const id = await w.insert('nfcom_certificados', {
        pfx: segredos.seal(lugarDoCertificado(w.provedorId, 'pfx'), pfx),
        senha: segredos.seal(lugarDoCertificado(w.provedorId, 'senha'), Buffer.from(senha)),
        titular: lido.titular.slice(0, 200),
        cnpj: lido.cnpj,
        valido_de: toDatabaseTime(lido.validoDesde),
        valido_ate: toDatabaseTime(lido.validoAte),
        criado_em: toDatabaseTime(agora),
      });
      w.touch(PROVEDOR_TAG);
      w.emit('nfcom.certificado_guardado', id, { valido_ate: lido.validoAte.toISOString() });
      return id;
    },

    /** The provider has no certificate any more; what is sealed of it is gone. @throws Recusa `nao_encontrado` */
    async remover(): Promise<void> {
      const certificado = await lerCertificado(w.tenant);
      if (certificado === null) throw new Recusa('nao_encontrado');
      await w.update('nfcom_certificados', (q) => void q.whereNull('removido_em'), {
        ...NADA_GUARDADO,
        removido_em: toDatabaseTime(relogio.agora()),
      });
      w.touch(PROVEDOR_TAG);
      w.emit('nfcom.certificado_removido', certificado.id);
    },
  };
}
