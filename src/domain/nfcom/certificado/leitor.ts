import type {
  ArquivoPfx,
  CertificadoA1,
  CertificadoLido,
} from '../../../../workers/threads/certificado-a1/contract.ts';
import type { Threads } from '../../../platform/threads/threads.ts';
import { faltaEm } from '../../erros.ts';
import { FALTAS_DO_ARQUIVO } from './certificado.regras.ts';

/** A file says itself how long its password is hashed; none that is issued takes a second. */
const PACIENCIA_MS = 10_000;

export type LeitorDePfx = (pfx: Uint8Array, senha: string) => Promise<CertificadoA1>;

/** Reads A1 certificates in a thread. What it gives throws CamposInvalidos of `senha` or `certificado`. */
export function createLeitorDePfx(threads: Pick<Threads, 'run'>, pacienciaMs = PACIENCIA_MS): LeitorDePfx {
  return async (pfx, senha) => {
    const prazo = AbortSignal.timeout(pacienciaMs);
    const lido = await threads
      .run<ArquivoPfx, CertificadoLido>('certificado-a1', { pfx, senha }, prazo)
      .catch(() => ({ certo: false, motivo: prazo.aborted ? 'demorado' : 'arquivo_invalido' }) as const);
    if (lido.certo) return lido.certificado;
    return faltaEm(lido.motivo === 'senha_errada' ? 'senha' : 'certificado', FALTAS_DO_ARQUIVO[lido.motivo]);
  };
}
