import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { SituacaoCliente } from '../clientes.types.ts';

const DOCUMENTO = columns<{ cpf_cnpj: string }>('app_documentos', { cpf_cnpj: true });

interface CadastroDoDocumentoRow {
  id: number;
  situacao: SituacaoCliente;
}

interface DaPessoaRow extends CadastroDoDocumentoRow {
  cpf_cnpj: string;
}

const DA_PESSOA = columns<DaPessoaRow>('clientes', { id: true, situacao: true, cpf_cnpj: true });

const DO_DOCUMENTO = columns<CadastroDoDocumentoRow>('clientes', { id: true, situacao: true });

/**
 * Locks tax ids until the transaction ends: of several that register one person at the same time, each sees what those before it have
 * done. Comes before all other locks. Of a tax id that nobody has registered yet the row is made; who loses that race begins anew, and finds it.
 */
export async function travarDocumentos(w: Write, documentos: readonly string[]): Promise<void> {
  const ordenados = [...new Set(documentos)].toSorted();
  const travados = await rowsOf(
    w.from('app_documentos').whereIn('cpf_cnpj', ordenados).orderBy('cpf_cnpj').forUpdate(),
    DOCUMENTO,
  );
  const achados = new Set(travados.map(({ cpf_cnpj }) => cpf_cnpj));
  const novos = ordenados.filter((documento) => !achados.has(documento));
  if (novos.length === 0) return;
  await w.insert(
    'app_documentos',
    novos.map((cpf_cnpj) => ({ cpf_cnpj })),
    { soughtBefore: true },
  );
}

/** Locks tax ids of those clients who have only registered: before their own locks, by whoever may make clients of them. */
export async function travarPreCadastros(w: Write, clienteIds: readonly number[]): Promise<void> {
  const deles = w.from('clientes').whereIn('id', clienteIds).where('situacao', 'pre_cadastro');
  const documentos = (await rowsOf(deles, DA_PESSOA)).map(({ cpf_cnpj }) => cpf_cnpj);
  if (documentos.length > 0) await travarDocumentos(w, documentos);
}

/**
 * `exigirConfirmacao` of a client that a contract is about to make one; of those that are one already nothing is asked. The caller
 * holds the client's lock, after `travarPreCadastros`.
 *
 * @throws Recusa `confirmacao_exigida`, with the other's id.
 */
export async function exigirConfirmacaoAoEfetivar(w: Write, clienteId: number, confirmado: boolean): Promise<void> {
  const [cliente] = await rowsOf(w.from('clientes').where({ id: clienteId, situacao: 'pre_cadastro' }), DA_PESSOA);
  if (cliente === undefined) return;
  // Held already, unless it became another meanwhile; a deadlock then has the write begin anew.
  await travarDocumentos(w, [cliente.cpf_cnpj]);
  await exigirConfirmacao(w, cliente, confirmado);
}

/** Other registrations of a tax id, oldest first; whoever asks holds its lock. */
async function outrosDe(w: Write, documento: string, menos: number | null): Promise<CadastroDoDocumentoRow[]> {
  const deles = w.from('clientes').where('cpf_cnpj', documento).orderBy('id');
  return rowsOf(menos === null ? deles : deles.whereNot('id', menos), DO_DOCUMENTO);
}

/**
 * A tax id has one registration that is not cancelled. The caller holds the lock of the tax id.
 *
 * @param menos the registration that is asked for, which is not in its own way.
 * @throws Recusa `cliente_duplicado`, with the other's id.
 */
export async function exigirUnico(w: Write, documento: string, menos: number | null): Promise<void> {
  const outro = (await outrosDe(w, documento, menos)).find(({ situacao }) => situacao !== 'cancelado');
  recusarSeNao(outro === undefined, 'cliente_duplicado', { campo: 'cpf_cnpj', registroId: outro?.id ?? 0 });
}

/**
 * Anybody can register a stranger's tax id by an invite. So a pre-registration becomes a client beside another registration of the same
 * tax id only where somebody confirmed its e-mail and phones with the person. For everything that
 * takes a client out of `pre_cadastro`; the caller holds the lock of the tax id (`travarDocumentos`).
 *
 * @throws Recusa `confirmacao_exigida`, with the other's id.
 */
export async function exigirConfirmacao(
  w: Write,
  { id, cpf_cnpj: documento }: { readonly id: number; readonly cpf_cnpj: string },
  confirmado: boolean,
): Promise<void> {
  if (confirmado) return;
  const outro = (await outrosDe(w, documento, id)).find(({ situacao }) => situacao !== 'pre_cadastro');
  recusarSeNao(outro === undefined, 'confirmacao_exigida', { campo: 'situacao', registroId: outro?.id ?? 0 });
}
