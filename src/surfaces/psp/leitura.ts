import { Ajv } from 'ajv';
import { lerData } from '../../brazil/datas.ts';
import { lerDinheiro } from '../../brazil/dinheiro.ts';
import type { PixRecebido } from '../../domain/recebimentos/recebimentos.types.ts';
import { parseJson } from '../../platform/http/body.ts';
import { avisoSchema } from './esquema.ts';
import type { AvisoDoPsp } from './esquema.ts';

const validar = new Ajv().compile<AvisoDoPsp>(avisoSchema);

/** Status of a devolution that has been carried out; of one that is under way or failed, nothing has gone back. */
const DEVOLVIDO = 'DEVOLVIDO';

/** What a PSP's body tells, or what is wrong with it, naming the field. */
export function lerAviso(bytes: Buffer): { readonly pix: readonly PixRecebido[] } | { readonly falta: string } {
  let corpo: unknown;
  try {
    corpo = parseJson(bytes);
  } catch {
    return { falta: 'corpo: deve ser JSON em UTF-8.' };
  }
  if (!validar(corpo)) {
    const [erro] = validar.errors ?? [];
    const campo = [erro?.instancePath, erro?.params['missingProperty'] as string | undefined].filter(Boolean).join('/');
    return { falta: `${nomeDe(campo)}: fora do formato da API Pix.` };
  }
  const pix: PixRecebido[] = [];
  for (const [i, { endToEndId, txid, valor, horario, devolucoes = [] }] of (corpo.pix ?? []).entries()) {
    const instante = new Date(horario);
    if (lerData(horario.slice(0, 10)) === null || Number.isNaN(instante.getTime())) {
      return { falta: `pix/${i}/horario: não é uma data e hora.` };
    }
    if (lerDinheiro(valor) === 0) return { falta: `pix/${i}/valor: deve ser maior que zero.` };
    pix.push({
      endToEndId,
      txid: txid ?? null,
      valor: lerDinheiro(valor),
      horario: instante,
      devolucoes: devolucoes
        .filter(({ status }) => status === DEVOLVIDO)
        .map((devolucao) => ({ id: devolucao.id, valor: lerDinheiro(devolucao.valor) })),
    });
  }
  return { pix };
}

/** `/pix/0/valor` → `pix/0/valor`; the whole body where no field is to blame. */
function nomeDe(caminho: string): string {
  const semBarra = caminho.replace(/^\//, '');
  return semBarra === '' ? 'corpo' : semBarra;
}
