import { TERMINAL } from '../../../src/domain/actor.ts';
import { lerSessao } from '../../../src/domain/usuarios/sessoes/sessao.ts';
import type { SessaoDoPainel } from '../../../src/domain/usuarios/sessoes/sessoes.types.ts';
import type { PerfilDeFabrica } from '../../../src/domain/usuarios/permissoes.regras.ts';
import type { Provedor } from '../../../src/domain/provedores/provedores.types.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { vindoDe } from '../../support/autor.ts';

export const SENHA = 'jabuti roxo na varanda';
export const DE_ONDE = vindoDe();

let serie = 0;

export async function criarEquipe(api: Api) {
  const { usuarios, sessoes, perfis, provedores } = api.container;
  const provedor: Provedor = await provedores.exigirPorId(await criarFabrica(api.dono).provedor());
  const todos = await perfis.listar(provedor.id);
  const perfilId = (qual: PerfilDeFabrica): number => todos.find(({ deFabrica }) => deFabrica === qual)?.id ?? 0;

  /** A user who has accepted his invite. */
  async function usuario(qual: PerfilDeFabrica = 'tecnico') {
    const email = `pessoa${(serie += 1)}@malha.test`;
    const dados = { email, nome: `Pessoa ${serie}`, perfil_id: perfilId(qual) };
    const { token } = await usuarios.convidar(TERMINAL, provedor, dados);
    const { usuarioId: id } = await usuarios.aceitar(provedor, token, { senha: SENHA }, DE_ONDE);
    return { id, email, nome: dados.nome };
  }
  const entrar = async (email: string, senha = SENHA) =>
    sessoes.entrar(provedor, { email, senha, ...DE_ONDE, agente: 'Navegador' });

  async function registro(texto: string): Promise<SessaoDoPainel> {
    const achado = await sessoes.buscarPorHash(lerSessao(texto)?.hash ?? '');
    if (achado === null) throw new Error('sem sessão');
    return achado;
  }
  const auditoria = async (): Promise<string[]> => {
    const linhas: { acao: string }[] = await api.dono('auditoria').where('provedor_id', provedor.id).orderBy('id');
    return linhas.map(({ acao }) => acao);
  };
  return { provedor, perfilId, usuario, entrar, registro, auditoria };
}
