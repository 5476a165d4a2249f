import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { Recusa, faltaEm } from '../../erros.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { porQueEFraca } from '../../usuarios/senha/julgamento.service.ts';
import type { Resumos } from '../../usuarios/senha/resumos.service.ts';
import { telefonesDe } from '../acessos.queries.ts';
import type { Pessoa } from '../acessos.types.ts';

/** Judges a password that nobody is known to choose yet. @throws CamposInvalidos, or Recusa `senha_fraca` */
export async function julgarSenhaDeAlguem(
  senha: unknown,
  { nome: provedor }: Pick<Provedor, 'nome'>,
  campo: string,
): Promise<string> {
  if (typeof senha !== 'string') return faltaEm(campo, 'deve ser um texto');
  const motivo = await porQueEFraca(senha, { nome: '', email: '', provedor }, 'assinante');
  if (motivo !== null) throw new Recusa('senha_fraca', { campo, dito: motivo });
  return senha;
}

/** The hash of a password that a subscriber chooses. @throws Recusa `senha_fraca`, `senha_repetida`, `ocupado` */
export async function julgarSenhaDoAssinante(
  { tenant, resumos, provedor }: { tenant: TenantDb; resumos: Resumos; provedor: Pick<Provedor, 'nome'> },
  { acesso, cadastros }: Pick<Pessoa, 'acesso' | 'cadastros'>,
  cpfCnpj: string,
  senha: string,
  campo: string,
): Promise<string> {
  const ids = cadastros.map(({ id }) => id);
  const deQuem = {
    nome: cadastros.map(({ nome }) => nome).join(' '),
    email: cadastros.map(({ email }) => email ?? '').join(' '),
    provedor: provedor.nome,
    numeros: [
      cpfCnpj,
      ...cadastros.flatMap(({ nascimento }) => (nascimento === null ? [] : [nascimento])),
      ...(await telefonesDe(tenant, ids)),
    ],
  };
  const motivo = await porQueEFraca(senha, deQuem, 'assinante');
  if (motivo !== null) throw new Recusa('senha_fraca', { campo, dito: motivo });
  const antes = acesso?.senhaHash ?? null;
  if (antes !== null && (await resumos.confere(antes, senha))) throw new Recusa('senha_repetida', { campo });
  return resumos.fazer(senha);
}
