import { hash } from 'node:crypto';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { TenantWriter } from '../../platform/mysql/tenant.ts';
import { isLockError } from '../../platform/mysql/conflicts.ts';
import { DuplicateRow } from '../../platform/refusal.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { Recusa, recusarSeNao } from '../erros.ts';

/** An answer under its key is given again for this long; after it the key is free. */
const VALIDADE_MS = 86_400_000;

/** Longer than anything takes that is asked for by a request: a row without an answer is then of a process that died. */
const ABANDONADA_APOS_MS = 120_000;

/** MySQL's word for a row that NOWAIT found locked; MariaDB says lock wait timeout. */
const LOCK_NOWAIT = 3572;

const TABELA = 'requisicoes_idempotentes';

/** Whose an Idempotency-Key is: nobody meets the keys of another. A subscriber's are those of his tax id. */
export type DonoDoPedido =
  { readonly chaveId: number } | { readonly acessoId: number } | { readonly usuarioId: number };

/** A request that carries an Idempotency-Key. */
export interface Repetivel {
  readonly dono: DonoDoPedido;
  /** As the caller wrote it. */
  readonly marca: string;
  /** Text that two requests share when they ask for the same thing. */
  readonly pedido: string;
  /** Whether the answer holds a secret, and is kept sealed. */
  readonly secreto: boolean;
}

export interface RespostaGuardada {
  readonly status: number;
  readonly corpo: string;
}

export interface GuardaDeps {
  readonly relogio: Relogio;
  readonly segredos: Secrets;
}

interface RequisicaoRow {
  pedido: Buffer;
  status: number | null;
  corpo: string | null;
  corpo_cifrado: Buffer | null;
  criado_em: string;
}

const DA_REQUISICAO = columns<RequisicaoRow>(TABELA, {
  pedido: true,
  status: true,
  corpo: true,
  corpo_cifrado: true,
  criado_em: true,
});

/** The row of one Idempotency-Key, in the transaction of a write. */
export function guardaDe(
  w: TenantWriter,
  { relogio, segredos }: GuardaDeps,
  { dono, marca, pedido, secreto }: Repetivel,
) {
  const agora = relogio.agora();
  const criadoEm = toDatabaseTime(agora);
  const desde = toDatabaseTime(new Date(agora.getTime() - VALIDADE_MS));
  const onde = { ...colunaDe(dono), marca: hash('sha256', marca, 'buffer') };
  const lugar = (column: string) => ({
    tenant: w.provedorId,
    table: TABELA,
    column,
    row: `${Object.entries(colunaDe(dono)).join()} ${marca}`,
  });

  /**
   * A key's request is compared by its SHA-256, as processes of the release before do. What a person sends may hold a password, so
   * it is signed: from a plain hash it could be guessed.
   */
  const resumir = (): Buffer =>
    'chaveId' in dono ? hash('sha256', pedido, 'buffer') : segredos.sign(lugar('pedido'), pedido);
  const eOMesmo = (guardado: Buffer): boolean =>
    'chaveId' in dono ? guardado.equals(resumir()) : segredos.isSigned(lugar('pedido'), pedido, guardado);

  /** The row, locked; or as it stands and not expired, while others who repeat its request hold it. */
  async function ler(): Promise<RequisicaoRow | undefined> {
    const linhas = () => w.from(TABELA).where(onde);
    try {
      const [row] = await rowsOf(linhas().forUpdate().noWait(), DA_REQUISICAO);
      return row;
    } catch (error) {
      if (!isLockError(error) && errno(error) !== LOCK_NOWAIT) throw error;
      const [row] = await rowsOf(linhas().where('criado_em', '>', desde), DA_REQUISICAO);
      recusarSeNao(row, 'requisicao_em_andamento');
      return row;
    }
  }

  const abrir = ({ status, corpo, corpo_cifrado: cifrado }: RequisicaoRow): RespostaGuardada => ({
    status: status ?? 0,
    corpo: cifrado === null ? (corpo ?? '') : segredos.open(lugar('corpo_cifrado'), cifrado).toString(),
  });

  return {
    /**
     * The answer that is kept; or null, and the row is this request's, locked until the end of the transaction.
     *
     * @throws Recusa `requisicao_em_andamento` while another request holds the key, `chave_idempotencia_reutilizada` when it was used
     *   for another.
     */
    async tomar(): Promise<RespostaGuardada | null> {
      const linha = { pedido: resumir(), status: null, corpo: null, corpo_cifrado: null, criado_em: criadoEm };
      const guardada = await ler();
      if (guardada === undefined) {
        await inserir(w, { ...onde, ...linha });
        return null;
      }
      const abandonada = toDatabaseTime(new Date(agora.getTime() - ABANDONADA_APOS_MS));
      if (guardada.criado_em > (guardada.status === null ? abandonada : desde)) {
        recusarSeNao(eOMesmo(guardada.pedido), 'chave_idempotencia_reutilizada');
        recusarSeNao(guardada.status !== null, 'requisicao_em_andamento');
        return abrir(guardada);
      }
      await w.update(TABELA, (q) => void q.where(onde), linha);
      return null;
    },

    /** Keeps the answer under the row that was taken at `tomadaEm`. */
    async responder({ status, corpo }: RespostaGuardada, tomadaEm = criadoEm): Promise<void> {
      const guardado = secreto
        ? { corpo_cifrado: segredos.seal(lugar('corpo_cifrado'), Buffer.from(corpo)) }
        : { corpo };
      await w.update(TABELA, (q) => void q.where({ ...onde, criado_em: tomadaEm }), { status, ...guardado });
    },

    /** Frees the key that was taken at `tomadaEm`, and under which nothing was done. */
    async largar(tomadaEm: string): Promise<void> {
      await w.delete(TABELA, (q) => void q.where({ ...onde, criado_em: tomadaEm }).whereNull('status'));
    },

    /** When the row was taken, where this request took it. */
    tomadaEm: criadoEm,
  };
}

async function inserir(w: TenantWriter, linha: object): Promise<void> {
  try {
    await w.insert(TABELA, linha);
  } catch (error) {
    // Another inserted it after this one looked.
    throw error instanceof DuplicateRow ? new Recusa('requisicao_em_andamento') : error;
  }
}

function colunaDe(dono: DonoDoPedido): Readonly<Record<string, number>> {
  if ('chaveId' in dono) return { chave_id: dono.chaveId };
  return 'acessoId' in dono ? { acesso_id: dono.acessoId } : { usuario_id: dono.usuarioId };
}

const errno = (error: unknown): unknown => (error instanceof Error && 'errno' in error ? error.errno : undefined);
