import { faltaEm } from '../../../../domain/erros.ts';
import { preenchido } from '../../formulario/estado.ts';
import { naoEncontrado } from '../../recusas.ts';
import { acao, pagina } from '../../rota.ts';
import type { Chamada, Rota } from '../../rota.ts';
import { CAMPOS_DA_EDICAO, CAMPOS_DO_NOVO, estadoDe, telaDaEdicao, telaDoNovo } from './telas.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';

/** @throws CamposInvalidos for what is no version of any row */
export function lerVersao(valor: unknown): Date {
  const versao = new Date(typeof valor === 'string' ? valor : NaN);
  return Number.isNaN(versao.getTime()) ? faltaEm('atualizado_em', 'não é uma versão; abra a página de novo') : versao;
}

async function clienteDe({ dominio, parametros }: Chamada<{ readonly id: number }>) {
  const cliente = await dominio.clientes.buscarPorId(parametros.id);
  if (cliente === null) throw naoEncontrado();
  return cliente;
}

const editar = async (chamada: Chamada<{ readonly id: number }>, estado: EstadoDoFormulario) =>
  telaDaEdicao(chamada, await clienteDe(chamada), estado);

/** The forms by which a client is registered, and changed. */
export const CADASTRO: readonly Rota[] = [
  pagina('/clientes/novo', {
    permissao: 'clientes.editar',
    mostrar: async (chamada) => ({ tela: await telaDoNovo(chamada, preenchido({ situacao: 'ativo' })) }),
  }),

  acao('/clientes/novo', {
    permissao: 'clientes.editar',
    campos: CAMPOS_DO_NOVO,
    formulario: telaDoNovo,
    async fazer({ dados, mudar }) {
      const id = await mudar(async (_dominio, { clientes }) => clientes.criar(dados));
      return { ir: `/clientes/${id}`, feito: 'criado' };
    },
  }),

  pagina('/clientes/{id}/editar', {
    permissao: 'clientes.editar',
    async mostrar(chamada) {
      const cliente = await clienteDe(chamada);
      const { id: usuarioId } = chamada.sessao.usuario;
      await chamada.dominio.acessos.anotarAcesso({ usuarioId, clienteId: cliente.id, oQue: 'cliente' });
      return { tela: await telaDaEdicao(chamada, cliente, estadoDe(chamada.sessao, cliente)) };
    },
  }),

  acao('/clientes/{id}/editar', {
    permissao: 'clientes.editar',
    campos: CAMPOS_DA_EDICAO,
    formulario: editar,
    async fazer({ parametros: { id }, dados, mudar }) {
      const { atualizado_em: lida, ...mudanca } = dados;
      const versao = lerVersao(lida);
      await mudar(async (_dominio, { clientes }) => clientes.alterar(id, mudanca, { versao }));
      return { ir: `/clientes/${id}`, feito: 'salvo' };
    },
  }),
];
