import type { Knex } from 'knex';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { Contagens, Erro } from '../importacoes.types.ts';
import type { Marcas } from '../linhas/marcas.ts';
import type { Contexto, Registro } from '../linhas/registro.ts';

/** What is asked of the database, inside a write or before there is one. */
export interface Leitor {
  readonly provedorId: number;
  from(tabela: string): Knex.QueryBuilder;
}

/** A line that could be read, and repeats none before it. */
export interface Lida<Valor> {
  readonly linha: number;
  readonly resumo: Buffer;
  readonly valor: Valor;
}

/** A line that will not come in. */
export interface Recusada {
  readonly linha: number;
  readonly resumo: Buffer;
  readonly erros: readonly Erro[];
}

/** A line whose code is there already, and the fields of which it says something else. */
export interface JaEstava extends Pick<Recusada, 'linha' | 'resumo'> {
  readonly difere: readonly string[];
}

/** What the lines of a lot are beside what is there already. */
export interface Julgamento<Nova> {
  readonly novas: readonly (Nova & Pick<Recusada, 'linha' | 'resumo'>)[];
  readonly jaEstavam: readonly JaEstava[];
  readonly recusadas: readonly Recusada[];
  /** The names of plans that there are not, one for each line that has one. */
  readonly planosSemPar?: readonly string[];
}

/** What a lot is written with. */
export interface Gravacao {
  readonly provedor: Provedor;
  readonly contexto: Contexto;
  readonly importacaoId: number;
  readonly segredos: Secrets;
  readonly agora: Date;
  /** The database's own time, which all rows of the lot have as their last change. */
  readonly marca: string;
  readonly avisar: boolean;
  /** Hashes of the app's passwords, by tax id. */
  readonly senhasDoApp: ReadonlyMap<string, string>;
}

/** What a line made. */
export interface Feita {
  readonly linha: number;
  readonly resumo: Buffer;
  /** Null where it made none. */
  readonly plano_id?: number | null;
  readonly cliente_id?: number | null;
  readonly cliente_novo?: boolean;
  readonly contrato_id?: number | null;
  readonly fatura_id?: number | null;
  readonly impressao?: Buffer | null;
  readonly login_de_origem?: Buffer | null;
}

export interface Juizo {
  readonly db: Db;
  readonly provedor: Provedor;
  readonly contexto: Contexto;
  readonly importacaoId: number;
  /** In a write, rows that the answer depends on are locked, in the order of all locks; null: nothing will be written. */
  readonly w: Write | null;
  readonly agora: Date;
}

/** How lines of one kind are read, judged and written. */
export interface Assunto<Valor, Nova> {
  ler(registro: Registro, contexto: Contexto): Valor | null;
  /** Says of a line that repeats one before it on which line that is, in `registro.erros`. */
  marcar(marcas: Marcas, valor: Valor, registro: Registro): void;
  julgar(leitor: Leitor, lidas: readonly Lida<Valor>[], juizo: Juizo): Promise<Julgamento<Nova>>;
  /** What writing would make, by what the lots before it would have made. */
  prever(novas: Julgamento<Nova>['novas'], simulado: Marcas): Partial<Contagens>;
  gravar(
    w: Write,
    novas: Julgamento<Nova>['novas'],
    gravacao: Gravacao,
  ): Promise<{ readonly feitas: readonly Feita[]; readonly contagens: Partial<Contagens> }>;
}
