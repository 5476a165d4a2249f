import { atorDoUsuario } from '../../../domain/actor.ts';
import type { Fator } from '../../../domain/usuarios/fatores/fatores.service.ts';
import { comecarCadastro, rotasDeCadastro } from '../fatores/cadastro.ts';
import { telaDosCodigos } from '../fatores/telas.ts';
import type { LugarDoCadastro } from '../fatores/telas.ts';
import { comoTexto } from '../formulario/leitura.ts';
import { voltaSegura } from '../pedido.ts';
import { naoEncontrado } from '../recusas.ts';
import { acao, pagina } from '../rota.ts';
import type { Chamada, Rota } from '../rota.ts';
import { telaDaConta, telaDaRemocao } from './telas.ts';

const CADASTRO: LugarDoCadastro = {
  base: '/conta/novo-fator',
  depois: '/conta',
  titulo: 'Acrescentar segundo fator',
  porque: null,
};

type Minha = Pick<Chamada, 'sessao' | 'servicos'>;

async function fatorMeu({ sessao, servicos }: Minha, id: number): Promise<{ fator: Fator; ultimo: boolean }> {
  const todos = await servicos.fatores.listar(sessao.provedor.id, sessao.usuario.id);
  const fator = todos.find((um) => um.id === id);
  if (fator === undefined) throw naoEncontrado();
  return { fator, ultimo: todos.length === 1 };
}

/** What is somebody's own, whatever his profile. */
export const CONTA: readonly Rota[] = [
  pagina('/conta', { permissao: null, mostrar: async (chamada) => ({ tela: await telaDaConta(chamada) }) }),

  acao('/conta/nome', {
    permissao: null,
    campos: { nome: 'texto' },
    formulario: async (chamada, estado) => telaDaConta(chamada, 'nome', estado),
    async fazer({ sessao: { provedor, usuario }, servicos, ator, dados }) {
      await servicos.usuarios.alterar(ator, provedor.id, usuario.id, { nome: dados['nome'] ?? '' });
      return { ir: '/conta', feito: 'salvo' };
    },
  }),

  acao('/conta/senha', {
    permissao: null,
    campos: { atual: 'segredo', senha: 'segredo' },
    formulario: async (chamada, estado) => telaDaConta(chamada, 'senha', estado),
    async fazer({ sessao, servicos, dados, deOnde }) {
      const senhas = { atual: comoTexto(dados['atual']), nova: comoTexto(dados['senha']) };
      const { texto } = await servicos.tentativas.prove(sessao.provedor.id, sessao.usuario.id, async () =>
        servicos.usuarios.trocar(sessao, senhas, deOnde),
      );
      return { ir: '/conta', feito: 'senha_trocada', sessao: texto };
    },
  }),

  acao('/conta/aparencia', {
    permissao: null,
    campos: { tema: 'texto', densidade: 'texto', teclas: 'caixa' },
    formulario: async (chamada, estado) => telaDaConta(chamada, 'aparencia', estado),
    async fazer({ sessao: { provedor, usuario }, servicos, dados, deOnde }) {
      await servicos.usuarios.preferir(atorDoUsuario(usuario, deOnde), provedor.id, dados);
      return { ir: '/conta', feito: 'salvo' };
    },
  }),

  acao('/conta/tema', {
    permissao: null,
    campos: { tema: 'texto', volta: 'texto' },
    async fazer({ sessao: { provedor, usuario }, servicos, dados: { tema, volta }, deOnde }) {
      await servicos.usuarios.preferir(atorDoUsuario(usuario, deOnde), provedor.id, { tema });
      return { ir: voltaSegura(comoTexto(volta)) };
    },
  }),

  acao('/conta/sessoes/{id}/encerrar', {
    permissao: null,
    async fazer({ sessao: { provedor, usuario }, servicos, ator, parametros: { id } }) {
      const quantas = await servicos.sessoes.encerrar(ator, provedor.id, usuario.id, { so: id });
      if (quantas === 0) throw naoEncontrado();
      return { ir: '/conta', feito: 'sessoes_encerradas' };
    },
  }),

  acao('/conta/sessoes/encerrar-outras', {
    permissao: null,
    async fazer({ sessao: { provedor, usuario, sessao }, servicos, ator }) {
      await servicos.sessoes.encerrar(ator, provedor.id, usuario.id, { menos: sessao.id });
      return { ir: '/conta', feito: 'sessoes_encerradas' };
    },
  }),

  acao('/conta/sessoes-do-app/{id}/encerrar', {
    permissao: null,
    async fazer({ sessao: { provedor, usuario }, servicos, ator, parametros: { id } }) {
      const quantas = await servicos.app.encerrarDoUsuario(ator, provedor.id, usuario.id, id);
      if (quantas === 0) throw naoEncontrado();
      return { ir: '/conta', feito: 'sessoes_encerradas' };
    },
  }),

  // It begins by a button, which asks for the proof; whoever opens the address finds the button.
  pagina('/conta/novo-fator', { permissao: null, mostrar: async () => Promise.resolve({ ir: '/conta' }) }),
  acao('/conta/novo-fator', {
    permissao: null,
    prova: 'fator',
    fazer: async (chamada) => ({ tela: await comecarCadastro(CADASTRO, chamada) }),
  }),
  ...rotasDeCadastro(CADASTRO, acao, 'fator'),

  acao('/conta/codigos', {
    permissao: null,
    prova: 'fator',
    fazer: async ({ sessao, servicos, ator }) => ({
      tela: telaDosCodigos(await servicos.fatores.novosCodigos(ator, sessao), '/conta'),
    }),
  }),

  pagina('/conta/fatores/{id}/remover', {
    permissao: null,
    async mostrar(chamada) {
      const { fator, ultimo } = await fatorMeu(chamada, chamada.parametros.id);
      return { tela: telaDaRemocao(fator, ultimo) };
    },
  }),
  acao('/conta/fatores/{id}/remover', {
    permissao: null,
    prova: 'fator',
    async formulario(chamada, estado) {
      const { fator, ultimo } = await fatorMeu(chamada, chamada.parametros.id);
      return telaDaRemocao(fator, ultimo, estado);
    },
    async fazer({ sessao, servicos, ator, parametros: { id } }) {
      await servicos.fatores.remover(ator, sessao, id);
      return { ir: '/conta', feito: 'removido' };
    },
  }),
];
