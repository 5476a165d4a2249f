import { comoTexto } from '../formulario/leitura.ts';
import { comVersao } from '../formulario/versao.ts';
import { acao, pagina } from '../rota.ts';
import type { Rota } from '../rota.ts';
import { telaDoConvite, telaDoLink, telaDosUsuarios } from './telas.ts';
import { DESATIVAR, REDEFINIR_FATOR, telaDaConfirmacao, telaDoUsuario } from './usuario.ts';

const LISTA = '/configuracoes/usuarios';
const permissao = 'usuarios.gerir';

/** The people of a provider. Whatever changes them asks for a proof of who does it. */
export const USUARIOS: readonly Rota[] = [
  pagina(LISTA, { permissao, mostrar: async (chamada) => ({ tela: await telaDosUsuarios(chamada) }) }),

  acao(`${LISTA}/politica`, {
    permissao,
    prova: true,
    campos: { exigir_fator: 'caixa', ocioso_minutos: 'texto', versao: 'texto' },
    formulario: async (chamada, estado) => telaDosUsuarios(chamada, estado),
    async fazer({ sessao: { provedor }, servicos, ator, dados: digitados }) {
      const { dados, lida } = comVersao(digitados);
      await servicos.politica.alterar(ator, provedor.id, dados, lida);
      return { ir: LISTA, feito: 'salvo' };
    },
  }),

  pagina(`${LISTA}/novo`, { permissao, mostrar: async (chamada) => ({ tela: await telaDoConvite(chamada) }) }),
  acao(`${LISTA}/novo`, {
    permissao,
    prova: true,
    campos: { nome: 'texto', email: 'texto', perfil_id: 'texto' },
    formulario: async (chamada, estado) => telaDoConvite(chamada, estado),
    async fazer(chamada) {
      const { sessao, servicos, ator, dados } = chamada;
      const link = await servicos.usuarios.convidar(ator, sessao.provedor, dados);
      return { tela: telaDoLink(link, chamada, comoTexto(dados['email'])) };
    },
  }),

  pagina(`${LISTA}/{id}`, { permissao, mostrar: async (chamada) => ({ tela: await telaDoUsuario(chamada) }) }),
  acao(`${LISTA}/{id}`, {
    permissao,
    prova: true,
    campos: { nome: 'texto', cpf: 'apagavel', perfil_id: 'texto', versao: 'texto' },
    formulario: async (chamada, estado) => telaDoUsuario(chamada, estado),
    async fazer({ sessao: { provedor }, servicos, ator, dados, parametros: { id } }) {
      // An empty field is not one that was left out.
      const mudanca = {
        nome: dados['nome'] ?? '',
        ...('cpf' in dados ? { cpf: dados['cpf'] } : {}),
        perfil_id: dados['perfil_id'] ?? '',
      };
      await servicos.usuarios.alterar(ator, provedor.id, id, mudanca, comVersao(dados).lida);
      return { ir: `${LISTA}/${id}`, feito: 'salvo' };
    },
  }),

  acao(`${LISTA}/{id}/link`, {
    permissao,
    prova: true,
    async fazer(chamada) {
      const { sessao, servicos, ator, parametros } = chamada;
      const { email } = await servicos.usuarios.exigir(sessao.provedor.id, parametros.id);
      const link = await servicos.usuarios.redefinirSenha(ator, sessao.provedor, parametros.id);
      return { tela: telaDoLink(link, chamada, email) };
    },
  }),

  acao(`${LISTA}/{id}/encerrar-sessoes`, {
    permissao,
    prova: true,
    async fazer({ sessao: { provedor, sessao, usuario }, servicos, ator, parametros: { id } }) {
      await servicos.usuarios.exigir(provedor.id, id);
      // Whoever ends his own keeps the one that he is in.
      await servicos.sessoes.encerrar(ator, provedor.id, id, id === usuario.id ? { menos: sessao.id } : {});
      return { ir: `${LISTA}/${id}`, feito: 'sessoes_encerradas' };
    },
  }),

  pagina(`${LISTA}/{id}/redefinir-fator`, {
    permissao,
    mostrar: async (chamada) => ({ tela: await telaDaConfirmacao(REDEFINIR_FATOR, chamada) }),
  }),
  acao(`${LISTA}/{id}/redefinir-fator`, {
    permissao,
    prova: true,
    formulario: async (chamada, estado) => telaDaConfirmacao(REDEFINIR_FATOR, chamada, estado),
    async fazer({ sessao: { provedor }, servicos, ator, parametros: { id } }) {
      await servicos.usuarios.redefinirFator(ator, provedor.id, id);
      return { ir: `${LISTA}/${id}`, feito: 'fator_redefinido' };
    },
  }),

  pagina(`${LISTA}/{id}/desativar`, {
    permissao,
    mostrar: async (chamada) => ({ tela: await telaDaConfirmacao(DESATIVAR, chamada) }),
  }),
  acao(`${LISTA}/{id}/desativar`, {
    permissao,
    prova: true,
    formulario: async (chamada, estado) => telaDaConfirmacao(DESATIVAR, chamada, estado),
    async fazer({ sessao: { provedor }, servicos, ator, parametros: { id } }) {
      await servicos.usuarios.desativar(ator, provedor.id, id);
      return { ir: `${LISTA}/${id}`, feito: 'desativado' };
    },
  }),

  acao(`${LISTA}/{id}/reativar`, {
    permissao,
    prova: true,
    async fazer({ sessao: { provedor }, servicos, ator, parametros: { id } }) {
      await servicos.usuarios.reativar(ator, provedor.id, id);
      return { ir: `${LISTA}/${id}`, feito: 'reativado' };
    },
  }),
];
