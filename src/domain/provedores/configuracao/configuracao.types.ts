import type { Conta } from '../../cobradores/cobradores.types.ts';
import type { Campo } from './configuracao.regras.ts';
import type { Identidade } from '../identidade.types.ts';
import type { Provedor } from '../provedores.types.ts';

/** All that a provider may set, as it stands. */
export interface Configuracao {
  readonly provedor: Provedor;
  readonly identidade: Identidade;
  /** Its default charging account. */
  readonly conta: Conta;
  /** How many days before its due date an invoice is announced; 0: on that day. */
  readonly avisoDias: number;
}

export interface Configurado {
  /** What is not as it was before. */
  readonly mudados: readonly Campo[];
  /** What is still missing of a PIX recipient of which something is there. */
  readonly pixFalta: readonly Campo[];
}
