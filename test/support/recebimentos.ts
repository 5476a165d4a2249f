import { randomBytes } from 'node:crypto';
import { enviar } from './api.ts';
import type { Api, Resposta } from './api.ts';

/** One PIX as a PSP tells of it; see the Banco Central's API Pix. */
export interface PixDoPsp {
  endToEndId: string;
  txid?: string | null;
  valor: string;
  horario: string;
  infoPagador?: string;
  devolucoes?: { id: string; rtrId?: string; valor: string; status: string }[] | null;
}

/** A new end-to-end id: `E`, the bank's ISPB, a date and something of its own. */
export function novoFimAFim(): string {
  return `E00416968202611201500${randomBytes(6).toString('hex').slice(0, 11)}`.slice(0, 32).padEnd(32, '0');
}

export interface EnvioDoPsp {
  readonly metodo?: string;
  readonly headers?: Record<string, string>;
  readonly corpo?: string | Buffer;
  readonly processo?: number;
}

/** Speaks with receivers as a PSP does. */
export function criarPsp(api: Api) {
  async function pedir(caminho: string, envio: EnvioDoPsp = {}): Promise<Resposta> {
    const { metodo = 'POST', headers = {}, corpo, processo = 0 } = envio;
    const resposta = await enviar(
      {
        host: '127.0.0.1',
        port: api.portas[processo]!,
        method: metodo,
        path: caminho,
        headers: { 'content-type': 'application/json', ...headers },
        agent: false,
      },
      corpo,
    );
    return { ...resposta, corpo: JSON.parse(resposta.texto) };
  }

  return {
    pedir,

    /** Tells of payments; resolves to what became of each. */
    async avisar(segredo: string, pix: readonly PixDoPsp[], processo = 0): Promise<string[]> {
      const { status, corpo } = await pedir(`/webhooks/pix/${segredo}/pix`, {
        corpo: JSON.stringify({ pix }),
        processo,
      });
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(corpo)}`);
      return corpo.dados.map(({ resultado }: { resultado: string }) => resultado);
    },
  };
}
