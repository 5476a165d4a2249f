import { opcional } from '../../../../domain/campos/campos.ts';
import { id as lerId } from '../../../../domain/campos/leitores.ts';
import { faltaEm } from '../../../../domain/erros.ts';
import { Simulado } from '../../../../domain/privacidade/simulacao.types.ts';
import { html } from '../../../../kit/html/html.ts';
import { cartao } from '../../componentes/cartao.ts';
import { instante } from '../../componentes/escrita.ts';
import { comConsulta, paginas, tabela, vazio } from '../../componentes/tabela.ts';
import { EM_BRANCO, preenchido } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { naoEncontrado } from '../../recusas.ts';
import { acao, pagina } from '../../rota.ts';
import type { Chamada, Rota } from '../../rota.ts';
import { lerVersao } from '../cadastro/cadastro.rotas.ts';
import { telaDoApagamento } from './apagar.ts';
import { telaDaSituacao, telaDoCancelamento } from './cancelar.ts';

type DoCliente = Chamada<{ readonly id: number }>;

async function clienteDe({ dominio, parametros }: DoCliente) {
  const cliente = await dominio.clientes.buscarPorId(parametros.id);
  if (cliente === null) throw naoEncontrado();
  return cliente;
}

const cancelar = async (chamada: DoCliente, estado: EstadoDoFormulario) =>
  telaDoCancelamento(await clienteDe(chamada), estado);
const situacao = async (chamada: DoCliente, estado: EstadoDoFormulario) =>
  telaDaSituacao(await clienteDe(chamada), estado);

const OQUE_VIU = {
  cliente: 'O cadastro, ou um chamado',
  extrato: 'Um arquivo do extrato, de todos os clientes',
  csv: 'Uma lista de vários clientes, em arquivo',
} as const;

/** How a client leaves, changes its state and is forgotten, and who looked at it. */
export const SAIDA: readonly Rota[] = [
  pagina('/clientes/{id}/cancelar', {
    permissao: 'clientes.cancelar',
    mostrar: async (chamada) => ({ tela: await cancelar(chamada, preenchido({ faturas_futuras: 'manter' })) }),
  }),

  acao('/clientes/{id}/cancelar', {
    permissao: 'clientes.cancelar',
    campos: { faturas_futuras: 'texto', motivo: 'apagavel' },
    formulario: cancelar,
    async fazer({ parametros: { id }, dados, mudar }) {
      await mudar(async (_dominio, { clientes }) => clientes.cancelar(id, dados));
      return { ir: `/clientes/${id}`, feito: 'cancelado' };
    },
  }),

  pagina('/clientes/{id}/situacao', {
    permissao: 'clientes.editar',
    mostrar: async (chamada) => ({ tela: await situacao(chamada, EM_BRANCO) }),
  }),

  acao('/clientes/{id}/situacao', {
    permissao: 'clientes.editar',
    campos: { situacao: 'texto', confirmado: 'caixa', atualizado_em: 'texto' },
    formulario: situacao,
    async fazer({ parametros: { id }, dados, mudar }) {
      const { situacao: vai, confirmado, atualizado_em: lida } = dados;
      if (vai === undefined) faltaEm('situacao', 'escolha uma');
      const opcoes = { versao: lerVersao(lida), confirmado: confirmado === true };
      await mudar(async (_dominio, { clientes }) => clientes.alterar(id, { situacao: vai }, opcoes));
      return { ir: `/clientes/${id}`, feito: 'salvo' };
    },
  }),

  pagina('/clientes/{id}/apagar', {
    permissao: 'clientes.apagar',
    mostrar: async (chamada) => ({ tela: telaDoApagamento(await clienteDe(chamada)) }),
  }),

  // The same code as the erasure itself, in a write that is then undone.
  acao('/clientes/{id}/apagar/simular', {
    permissao: 'clientes.apagar',
    formulario: async (chamada: DoCliente, estado) => telaDoApagamento(await clienteDe(chamada), estado),
    async fazer({ parametros: { id }, ler, mudar }) {
      const simulado = await mudar(async (_dominio, { privacidade }) => {
        throw new Simulado(await privacidade.apagar(id));
      }).catch((error: unknown) => {
        if (error instanceof Simulado) return error.apagado;
        throw error;
      });
      const cliente = await ler(async ({ clientes }) => clientes.buscarPorId(id));
      if (cliente === null) throw naoEncontrado();
      return { tela: telaDoApagamento(cliente, EM_BRANCO, simulado) };
    },
  }),

  acao('/clientes/{id}/apagar', {
    permissao: 'clientes.apagar',
    prova: true,
    campos: { certeza: 'caixa' },
    formulario: async (chamada: DoCliente, estado) => telaDoApagamento(await clienteDe(chamada), estado),
    async fazer({ parametros: { id }, dados, mudar }) {
      if (dados['certeza'] !== true) faltaEm('certeza', 'marque para apagar');
      await mudar(async (_dominio, { privacidade }) => privacidade.apagar(id));
      return { ir: `/clientes/${id}`, feito: 'removido' };
    },
  }),

  pagina('/clientes/{id}/quem-viu', {
    permissao: 'auditoria.ver',
    consulta: { antes: opcional(lerId) },
    async mostrar(chamada) {
      const { dominio, sessao, consulta } = chamada;
      const cliente = await clienteDe(chamada);
      const { itens, proxima } = await dominio.acessos.quemViu(cliente.id, consulta.antes ?? null);
      const { fusoHorario: fuso } = sessao.provedor;
      const aqui = `/clientes/${cliente.id}/quem-viu`;
      return {
        tela: {
          titulo: `Quem viu ${cliente.nome}`,
          menu: 'clientes',
          migalhas: [
            ['Clientes', '/clientes'],
            [cliente.nome, `/clientes/${cliente.id}`],
          ],
          corpo: cartao(
            null,
            html`${tabela({
              legenda: 'Quem viu os dados deste cliente',
              linhas: itens,
              vazia: vazio(
                'eye',
                'Ninguém viu',
                'Aqui fica, por um ano, quem abriu os dados deste cliente ou baixou uma lista.',
              ),
              colunas: [
                { titulo: 'Quando', celula: ({ em }) => instante(fuso, em) },
                { titulo: 'Quem', principal: true, celula: ({ nome }) => nome },
                { titulo: 'O que viu', celula: ({ oQue }) => OQUE_VIU[oQue] },
              ],
            })}
            ${paginas({
              total: null,
              anterior: consulta.antes === undefined ? null : aqui,
              proxima: proxima === null ? null : comConsulta(aqui, { antes: proxima }),
            })}`,
            { rente: true },
          ),
        },
      };
    },
  }),
];
