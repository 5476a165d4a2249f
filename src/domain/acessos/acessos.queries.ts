import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../platform/mysql/database.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { SituacaoCliente } from '../clientes/clientes.types.ts';
import type { Write } from '../escrita.ts';
import type { Acesso, Cadastro, Pessoa } from './acessos.types.ts';

interface AcessoRow {
  id: number;
  cpf_cnpj: string;
  senha_hash: string | null;
  senha_em: string | null;
  trocar_senha: number;
  desativado_em: string | null;
  ultimo_em: string | null;
}

const DO_ACESSO = columns<AcessoRow>('app_acessos', {
  id: true,
  cpf_cnpj: true,
  senha_hash: true,
  senha_em: true,
  trocar_senha: true,
  desativado_em: true,
  ultimo_em: true,
});

const instante = (texto: string | null): Date | null => (texto === null ? null : fromDatabaseTime(texto));

const paraAcesso = (row: AcessoRow): Acesso => ({
  id: row.id,
  cpfCnpj: row.cpf_cnpj,
  senhaHash: row.senha_hash,
  senhaEm: instante(row.senha_em),
  trocarSenha: row.trocar_senha === 1,
  desativadoEm: instante(row.desativado_em),
  ultimoEm: instante(row.ultimo_em),
});

interface CadastroRow {
  id: number;
  nome: string;
  situacao: SituacaoCliente;
  email: string | null;
  data_nascimento: string | null;
}

const DO_CADASTRO = columns<CadastroRow>('clientes', {
  id: true,
  nome: true,
  situacao: true,
  email: true,
  data_nascimento: true,
});

type Origem = Pick<TenantDb, 'from'>;

/** The access of a tax id; inside a write it may be locked until that ends. */
export async function acessoDe(de: Origem, cpfCnpj: string, travar = false): Promise<Acesso | null> {
  const deste = de.from('app_acessos').where('cpf_cnpj', cpfCnpj);
  const [row] = await rowsOf(travar ? deste.forUpdate() : deste, DO_ACESSO);
  return row === undefined ? null : paraAcesso(row);
}

export async function acessoPorId(de: Origem, id: number): Promise<Acesso | null> {
  const [row] = await rowsOf(de.from('app_acessos').where({ id }), DO_ACESSO);
  return row === undefined ? null : paraAcesso(row);
}

export const trocaPendente = async (de: Origem, acessoId: number): Promise<boolean> =>
  (await acessoPorId(de, acessoId))?.trocarSenha === true;

/** The access of a tax id, locked; it is made where there is none yet. */
export async function exigirAcesso(w: Write, cpfCnpj: string): Promise<Acesso> {
  const achado = await acessoDe(w, cpfCnpj, true);
  if (achado !== null) return achado;
  const id = await w.insert('app_acessos', { cpf_cnpj: cpfCnpj }, { soughtBefore: true });
  const vazio = { senhaHash: null, senhaEm: null, trocarSenha: false, desativadoEm: null, ultimoEm: null };
  return { id, cpfCnpj, ...vazio };
}

/** Registrations that a tax id reaches, oldest first: who has only registered himself by an invite is not known to be the person. */
export async function cadastrosDe(de: Origem, cpfCnpj: string): Promise<Cadastro[]> {
  // Of those whose data were erased.
  if (cpfCnpj === '') return [];
  const deles = de
    .from('clientes')
    .where('cpf_cnpj', cpfCnpj)
    .whereNot('situacao', 'pre_cadastro')
    .whereNull('apagado_em')
    .orderBy('id');
  return (await rowsOf(deles, DO_CADASTRO)).map(({ data_nascimento: nascimento, ...row }) => ({ ...row, nascimento }));
}

/** Of several registrations the newest that is not cancelled is the client; the newest where all are. */
export const oCliente = <Um extends Pick<Cadastro, 'situacao'>>(cadastros: readonly Um[]): Um | undefined =>
  cadastros.findLast(({ situacao }) => situacao !== 'cancelado') ?? cadastros.at(-1);

/** The registration that is the client of a tax id; undefined where it reaches none. */
export const clienteDe = async (de: Origem, cpfCnpj: string): Promise<Cadastro | undefined> =>
  oCliente(await cadastrosDe(de, cpfCnpj));

/** Who has a tax id, with the access and what passwords must not be made of; null where it reaches no registration. */
export async function pessoaDe(de: Origem, cpfCnpj: string): Promise<Pessoa | null> {
  const [acesso, cadastros] = await Promise.all([acessoDe(de, cpfCnpj), cadastrosDe(de, cpfCnpj)]);
  const cliente = oCliente(cadastros);
  return cliente === undefined ? null : { acesso, cadastros, cliente };
}

const DOCUMENTO = columns<{ cpf_cnpj: string }>('clientes', { cpf_cnpj: true });

/** The tax id of a registration; undefined where there is none. */
export async function documentoDoCliente(de: Origem, clienteId: number): Promise<string | undefined> {
  const [row] = await rowsOf(de.from('clientes').where('id', clienteId), DOCUMENTO);
  return row?.cpf_cnpj;
}

const TELEFONE = columns<{ numero: string }>('clientes_telefones', { numero: true });

export async function telefonesDe(de: Origem, clienteIds: readonly number[]): Promise<string[]> {
  const deles = de.from('clientes_telefones').whereIn('cliente_id', clienteIds).orderBy('id');
  return (await rowsOf(deles, TELEFONE)).map(({ numero }) => numero);
}

const ANTERIOR = columns<{ email: string }>('clientes_emails_anteriores', { email: true });

/** Addresses that registrations had a moment ago, newest change first. */
export async function emailsAnteriores(de: Origem, clienteIds: readonly number[], desde: Date): Promise<string[]> {
  const deles = de
    .from('clientes_emails_anteriores')
    .whereIn('cliente_id', clienteIds)
    .where('trocado_em', '>', toDatabaseTime(desde))
    .orderBy('id', 'desc');
  return (await rowsOf(deles, ANTERIOR)).map(({ email }) => email);
}

export async function mudarAcesso(
  w: Write,
  id: number,
  colunas: {
    readonly senhaHash?: string;
    readonly trocarSenha?: boolean;
    readonly entrouEm?: Date;
    readonly agora: Date;
  },
): Promise<void> {
  const { senhaHash, trocarSenha, entrouEm, agora } = colunas;
  await w.update('app_acessos', (q) => void q.where({ id }), {
    ...(senhaHash === undefined ? {} : { senha_hash: senhaHash }),
    ...(trocarSenha === undefined ? {} : { trocar_senha: trocarSenha ? 1 : 0, senha_em: toDatabaseTime(agora) }),
    ...(entrouEm === undefined ? {} : { ultimo_em: toDatabaseTime(entrouEm) }),
  });
}
