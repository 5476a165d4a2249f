import type { Perfil } from '../../../domain/usuarios/perfis/perfis.types.ts';
import { preenchido } from '../formulario/estado.ts';
import { comVersao } from '../formulario/versao.ts';
import { naoEncontrado } from '../recusas.ts';
import { acao, pagina } from '../rota.ts';
import type { Chamada, Rota } from '../rota.ts';
import { pode } from '../sessao.ts';
import { alcanca } from '../usuarios/telas.ts';
import { telaDaRemocao, telaDoPerfil, telaDoPerfilNovo, telaDosPerfis } from './telas.ts';

const LISTA = '/configuracoes/perfis';
const permissao = 'usuarios.gerir';

type NaTela = Pick<Chamada, 'sessao' | 'servicos'>;

const todos = async ({ sessao, servicos }: NaTela): Promise<readonly Perfil[]> =>
  servicos.perfis.listar(sessao.provedor.id);

async function um(chamada: NaTela & { readonly parametros: { readonly id: number } }): Promise<Perfil> {
  const perfil = (await todos(chamada)).find(({ id }) => id === chamada.parametros.id);
  if (perfil === undefined) throw naoEncontrado();
  return perfil;
}

/** Those that somebody may make others of. */
const modelos = async (chamada: NaTela): Promise<readonly Perfil[]> =>
  (await todos(chamada)).filter((perfil) => alcanca(chamada.sessao, perfil));

/** What people may do, by profile. */
export const PERFIS: readonly Rota[] = [
  pagina(LISTA, { permissao, mostrar: async (chamada) => ({ tela: telaDosPerfis(await todos(chamada)) }) }),

  pagina(`${LISTA}/novo`, {
    permissao,
    mostrar: async (chamada) => ({ tela: telaDoPerfilNovo(await modelos(chamada)) }),
  }),
  acao(`${LISTA}/novo`, {
    permissao,
    prova: true,
    campos: { nome: 'texto', de_id: 'texto' },
    formulario: async (chamada, estado) => telaDoPerfilNovo(await modelos(chamada), estado),
    async fazer({ sessao: { provedor }, servicos, ator, dados }) {
      const id = await servicos.perfis.criar(ator, provedor.id, dados);
      return { ir: `${LISTA}/${id}`, feito: 'criado' };
    },
  }),

  pagina(`${LISTA}/{id}`, {
    permissao,
    async mostrar(chamada) {
      const perfil = await um(chamada);
      const { nome, permissoes } = perfil;
      return { tela: telaDoPerfil(chamada.sessao, perfil, preenchido({ nome, permissoes })) };
    },
  }),
  acao(`${LISTA}/{id}`, {
    permissao,
    prova: true,
    campos: { nome: 'texto', permissoes: 'lista', versao: 'texto' },
    formulario: async (chamada, estado) => telaDoPerfil(chamada.sessao, await um(chamada), estado),
    async fazer(chamada) {
      const { sessao, servicos, ator, dados, parametros } = chamada;
      const perfil = await um(chamada);
      // Browsers send no boxes that cannot be ticked.
      const ficam = perfil.permissoes.filter((uma) => !pode(sessao, uma));
      const pedidas = Array.isArray(dados['permissoes']) ? (dados['permissoes'] as readonly unknown[]) : [];
      const mudanca = { nome: dados['nome'] ?? '', permissoes: [...pedidas, ...ficam] };
      await servicos.perfis.alterar(ator, sessao.provedor.id, parametros.id, mudanca, comVersao(dados).lida);
      return { ir: LISTA, feito: 'salvo' };
    },
  }),

  pagina(`${LISTA}/{id}/remover`, {
    permissao,
    mostrar: async (chamada) => ({ tela: telaDaRemocao(await um(chamada)) }),
  }),
  acao(`${LISTA}/{id}/remover`, {
    permissao,
    prova: true,
    formulario: async (chamada, estado) => telaDaRemocao(await um(chamada), estado),
    async fazer({ sessao: { provedor }, servicos, ator, parametros: { id } }) {
      await servicos.perfis.remover(ator, provedor.id, id);
      return { ir: LISTA, feito: 'removido' };
    },
  }),
];
