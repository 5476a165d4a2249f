import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { DuplicateRow } from '../../../platform/refusal.ts';
import { Recusa } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import { BUSCA_DE_CLIENTES_TAG, CLIENTES_TAG, clienteTag } from '../../tags.ts';
import { inserirPalavras } from '../palavras/palavras.service.ts';
import { tipoDe } from './cadastro.regras.ts';
import type { NovoCliente } from './cadastro.types.ts';
import { travarDocumentos } from './documento.service.ts';

/**
 * Writes a client with its phones, under the lock of its tax id; whether there may be another of that tax id, and what event it is, is the
 * caller's to say.
 *
 * @returns the client's id.
 * @throws Recusa `codigo_externo_em_uso`.
 */
export async function inserirCliente(w: Write, novo: NovoCliente, agora: Date): Promise<number> {
  await travarDocumentos(w, [novo.cpfCnpj]);
  const id = await comCodigoUnico(async () =>
    w.insert('clientes', {
      nome: novo.nome,
      nome_fantasia: novo.nomeFantasia,
      tipo: tipoDe(novo.cpfCnpj),
      cpf_cnpj: novo.cpfCnpj,
      email: novo.email,
      situacao: novo.situacao,
      data_nascimento: novo.dataNascimento,
      ...novo.endereco,
      codigo_externo: novo.codigoExterno,
      criado_em: toDatabaseTime(agora),
    }),
  );
  await inserirTelefones(w, id, novo.telefones);
  await inserirPalavras(w, [{ id, nome: novo.nome, nomeFantasia: novo.nomeFantasia }]);
  w.touch(CLIENTES_TAG, BUSCA_DE_CLIENTES_TAG, clienteTag(id));
  return id;
}

/** Adds phones after those that a client has. */
export async function inserirTelefones(w: Write, clienteId: number, numeros: readonly string[]): Promise<void> {
  if (numeros.length === 0) return;
  await w.insert(
    'clientes_telefones',
    numeros.map((numero) => ({ cliente_id: clienteId, numero })),
  );
}

/** The only unique key of a client that somebody gives. @throws Recusa `codigo_externo_em_uso` */
export async function comCodigoUnico<T>(gravar: () => Promise<T>): Promise<T> {
  try {
    return await gravar();
  } catch (error) {
    throw error instanceof DuplicateRow ? new Recusa('codigo_externo_em_uso', { campo: 'codigo_externo' }) : error;
  }
}
