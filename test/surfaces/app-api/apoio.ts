import { TERMINAL } from '../../../src/domain/actor.ts';
import type { PerfilDeFabrica } from '../../../src/domain/usuarios/permissoes.regras.ts';
import type { Api } from '../../support/api.ts';
import { DE_ONDE, SENHA } from '../../domain/usuarios/apoio.ts';

/** One for each of the staff of a provider. */
const CPFS = ['52998224725', '11144477735', '39053344705', '15350946056'];
let serie = 0;

/** Somebody of a provider's staff, in a session of the app. */
export async function sessaoDaEquipe(api: Api, provedorId: number, perfil: PerfilDeFabrica) {
  const { usuarios, perfis, provedores, app } = api.container;
  const provedor = await provedores.exigirPorId(provedorId);
  const perfil_id = (await perfis.listar(provedorId)).find(({ deFabrica }) => deFabrica === perfil)?.id ?? 0;
  const n = (serie += 1);
  const dados = { email: `app${n}@malha.test`, nome: `Rosa Prado ${n}`, perfil_id };
  const { token } = await usuarios.convidar(TERMINAL, provedor, dados);
  const { usuarioId: id } = await usuarios.aceitar(provedor, token, { senha: SENHA }, DE_ONDE);
  const cpf = CPFS[n % CPFS.length] ?? '';
  await usuarios.alterar(TERMINAL, provedorId, id, { cpf });
  const { access } = await app.entrarNoApp(provedor, { cpf, senha: SENHA, ...DE_ONDE, aparelho: null });
  return { id, nome: dados.nome, access };
}
