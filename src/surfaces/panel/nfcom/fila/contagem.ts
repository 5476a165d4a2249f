import { exigido } from '../../../../domain/campos/campos.ts';
import { escolha, id, texto } from '../../../../domain/campos/leitores.ts';
import { AMBIENTES_DE_NFCOM } from '../../../../domain/nfcom/nfcom.types.ts';

/** What was counted before it was confirmed. */
export const CONTAGEM = {
  ambiente: exigido(escolha(AMBIENTES_DE_NFCOM)),
  contadas: exigido(id),
  soma: exigido(texto(1, 40)),
  ultima: exigido(id),
} as const;
