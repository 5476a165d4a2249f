import type { Dominio } from '../../../domain/dominio.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import { exigir } from '../erros.ts';
import { rotaDosRemovidos } from '../removidos.ts';
import { comPaginacao, instanteDe, paginaPedida, rota } from '../rota.ts';
import { apresentarChamado, apresentarEntrada } from './chamados.presenters.ts';
import {
  chamadoSchema,
  consultaDeChamados,
  corpoDeAbertura,
  corpoDeAtualizacao,
  entradaHistoricoSchema,
  exemploChamado,
  exemploEntrada,
  exemploSolucionado,
} from './chamados.schemas.ts';

export const rotasDeChamados = [
  rota({
    metodo: 'GET',
    caminho: '/chamados',
    permissao: 'chamados:leitura',
    grupo: 'Chamados',
    resumo: 'Lista chamados',
    descricao: 'Do mais novo para o mais antigo, pela abertura.',
    consulta: consultaDeChamados,
    dados: { type: 'array', items: chamadoSchema },
    paginada: true,
    exemplo: [exemploChamado],
    async executar({ consulta, dominio }) {
      const pagina = paginaPedida(consulta);
      const filtro = {
        clienteId: consulta.cliente_id,
        contratoId: consulta.contrato_id,
        situacao: consulta.situacao,
        atualizadoDesde: instanteDe(consulta.atualizado_desde),
      };
      return comPaginacao(await dominio.chamados.listar(filtro, pagina), pagina, apresentarChamado);
    },
  }),
  rota({
    metodo: 'POST',
    caminho: '/chamados',
    permissao: 'chamados:escrita',
    grupo: 'Chamados',
    resumo: 'Abre um chamado',
    descricao:
      'O chamado entra na fila do provedor, que é avisado. Antes de abrir, liste os chamados em_aberto do cliente, para não repetir um que já exista.',
    corpo: { esquema: corpoDeAbertura, obrigatorio: true },
    dados: chamadoSchema,
    exemplo: exemploChamado,
    sucesso: 201,
    erros: ['nao_encontrado', 'contrato_invalido', 'cliente_cancelado'],
    async executar({ corpo, dominio, escritas }) {
      const id = await escritas.chamados.abrir({
        clienteId: corpo.cliente_id,
        contratoId: corpo.contrato_id ?? null,
        assunto: corpo.assunto,
        descricao: corpo.descricao,
        prioridade: corpo.prioridade,
        categoria: corpo.categoria ?? null,
      });
      return { dados: await lerChamado(dominio, id) };
    },
  }),
  rotaDosRemovidos('chamados', 'Chamados', 'chamados:leitura'),
  rota({
    metodo: 'GET',
    caminho: '/chamados/{id}',
    permissao: 'chamados:leitura',
    grupo: 'Chamados',
    resumo: 'Lê um chamado',
    dados: chamadoSchema,
    exemplo: exemploChamado,
    erros: ['nao_encontrado'],
    async executar({ id, dominio }) {
      return { dados: await lerChamado(dominio, id) };
    },
  }),
  rota({
    metodo: 'PATCH',
    caminho: '/chamados/{id}',
    permissao: 'chamados:escrita',
    grupo: 'Chamados',
    resumo: 'Atualiza, comenta ou soluciona um chamado',
    descricao:
      'Envie ao menos um campo. Cada mudança fica no histórico do chamado; o que já é como se pede não muda. Solucionar ou cancelar fecha o chamado, e reabrir apaga o fechamento.',
    corpo: { esquema: corpoDeAtualizacao, obrigatorio: true },
    dados: chamadoSchema,
    exemplo: exemploSolucionado,
    erros: ['nao_encontrado', 'transicao_invalida'],
    async executar({ id, corpo, dominio, escritas }) {
      await escritas.chamados.atualizar(id, corpo);
      return { dados: await lerChamado(dominio, id) };
    },
  }),
  rota({
    metodo: 'GET',
    caminho: '/chamados/{id}/historico',
    permissao: 'chamados:leitura',
    grupo: 'Chamados',
    resumo: 'Lê o histórico de um chamado',
    descricao: 'Da entrada mais antiga para a mais nova.',
    dados: { type: 'array', items: entradaHistoricoSchema },
    exemplo: [exemploEntrada],
    erros: ['nao_encontrado'],
    async executar({ id, dominio }) {
      const entradas = await dominio.chamados.listarHistorico(id);
      exigir(entradas, 'nao_encontrado');
      return { dados: entradas.map(apresentarEntrada) };
    },
  }),
];

async function lerChamado({ chamados }: Dominio, id: number): Promise<TypeOf<typeof chamadoSchema>> {
  const chamado = await chamados.buscarPorId(id);
  exigir(chamado, 'nao_encontrado');
  return apresentarChamado(chamado);
}
