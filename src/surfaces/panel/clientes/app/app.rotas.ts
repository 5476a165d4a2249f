import { EM_BRANCO } from '../../formulario/estado.ts';
import { naoEncontrado } from '../../recusas.ts';
import { acao, pagina } from '../../rota.ts';
import type { Chamada, Rota } from '../../rota.ts';
import { telaDoCodigo, telaDoFim, telaDoPedido } from './telas.ts';

type DoCliente = Pick<Chamada<{ readonly id: number }>, 'dominio' | 'parametros' | 'sessao'>;

const permissao = 'acesso.gerar';

async function ler({ dominio, parametros, sessao }: DoCliente) {
  const cliente = await dominio.clientes.buscarPorId(parametros.id);
  if (cliente === null) throw naoEncontrado();
  return { sessao, cliente, acesso: await dominio.acessosAoApp.doCliente(cliente) };
}

/** A client's access to the app, as staff help with it. */
export const APP: readonly Rota[] = [
  pagina('/clientes/{id}/codigo-do-app', {
    permissao,
    mostrar: async (chamada) => ({ tela: telaDoPedido(await ler(chamada), EM_BRANCO) }),
  }),

  acao('/clientes/{id}/codigo-do-app', {
    permissao,
    formulario: async (chamada, estado) => telaDoPedido(await ler(chamada), estado),
    async fazer({ sessao, parametros: { id }, mudar }) {
      const { cliente, feito } = await mudar(async ({ clientes }, { codigosDoApp }) => ({
        feito: await codigosDoApp.gerar(id, 'equipe'),
        cliente: await clientes.buscarPorId(id),
      }));
      if (cliente === null) throw naoEncontrado();
      return { tela: telaDoCodigo({ sessao, cliente }, feito) };
    },
  }),

  pagina('/clientes/{id}/encerrar-app', {
    permissao,
    mostrar: async (chamada) => ({ tela: telaDoFim(await ler(chamada), EM_BRANCO) }),
  }),

  acao('/clientes/{id}/encerrar-app', {
    permissao,
    formulario: async (chamada, estado) => telaDoFim(await ler(chamada), estado),
    async fazer({ sessao, servicos, ator, parametros, ler: lerDominio }) {
      const { acesso } = await lerDominio(async (dominio) => ler({ dominio, parametros, sessao }));
      if (acesso.id !== null) await servicos.app.encerrarDoAcesso(ator, sessao.provedor.id, acesso.id);
      return { ir: `/clientes/${parametros.id}`, feito: 'sessoes_encerradas' };
    },
  }),
];
