import type { Db } from '../../../platform/mysql/database.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import type { WriteFor } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { Resumos } from '../../usuarios/senha/resumos.service.ts';
import type { Importacao } from '../importacoes.types.ts';

/** What a file is read and judged with. */
export interface Meio {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly segredos: Secrets;
  readonly provedor: Provedor;
}

/** What an action is done with. */
export interface Andamento extends Meio {
  readonly write: WriteFor;
  readonly resumos: Pick<Resumos, 'fazer'>;
  readonly actor: Actor;
  /** After each lot. @throws the signal's reason once it is aborted */
  readonly avancou: (importacao: Pick<Importacao, 'linhas'>, feitas: number) => Promise<void>;
}
