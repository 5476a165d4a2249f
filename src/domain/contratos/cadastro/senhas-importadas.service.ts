import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Write } from '../../escrita.ts';

const DE_ORIGEM = columns<{ contrato_de_origem: number }>('importacao_linhas', { contrato_de_origem: true });

const DA_SENHA = columns<{ contrato_id: number }>('importacao_senhas', { contrato_id: true });

// What an import keeps of lines until they are handed to the network, when their contracts change before that.

/** Deletes the password that an import left for a contract, and that the network has not been told of. */
export async function esquecerSenhaImportada(w: Write, contrato_id: number): Promise<void> {
  const deOrigem = w.from('importacao_linhas').where({ contrato_id }).whereNotNull('contrato_de_origem');
  const rows = await rowsOf(deOrigem, DE_ORIGEM);
  const ids = [contrato_id, ...rows.map(({ contrato_de_origem }) => contrato_de_origem)];
  await w.delete('importacao_senhas', (q) => void q.whereIn('contrato_id', ids));
}

/**
 * Deletes the passwords that an import left for contracts of one holder, with those that are theirs by a change of holder; what was left
 * for one of them and is another holder's by now stays. Resolves to how many there were.
 */
export async function esquecerSenhasDoTitular(w: Write, contratoIds: readonly number[]): Promise<number> {
  const deOrigem = w.from('importacao_linhas').whereIn('contrato_id', contratoIds).whereNotNull('contrato_de_origem');
  const recebidas = (await rowsOf(deOrigem, DE_ORIGEM)).map((linha) => linha.contrato_de_origem);
  const guardadas = w.from('importacao_senhas').whereIn('contrato_id', [...contratoIds, ...recebidas]);
  const comSenha = (await rowsOf(guardadas, DA_SENHA)).map(({ contrato_id }) => contrato_id);
  // No index finds lines by the contract that they made, and hardly anybody has a password that waits.
  if (comSenha.length === 0) return 0;
  const passadas = w
    .from('importacao_linhas')
    .whereIn('contrato_de_origem', comSenha)
    .whereNotIn('contrato_id', contratoIds)
    .where({ situacao: 'gravada', rede_em: null });
  const deOutros = new Set((await rowsOf(passadas, DE_ORIGEM)).map((linha) => linha.contrato_de_origem));
  const dele = comSenha.filter((id) => !deOutros.has(id));
  return w.delete('importacao_senhas', (q) => void q.whereIn('contrato_id', dele));
}

/** What an import left to be handed to the network of a login is another contract's from now on. */
export async function passarImportado(w: Write, de: number, para: number): Promise<void> {
  // In this order: the first is of what the second was before. The password stays where it is, and is found by it.
  const contrato_de_origem = w.tenant.db.raw('COALESCE(contrato_de_origem, contrato_id)');
  const linhas = { contrato_id: de, situacao: 'gravada', rede_em: null };
  await w.update('importacao_linhas', (q) => void q.where(linhas), { contrato_de_origem, contrato_id: para });
}
