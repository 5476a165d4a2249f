import type { Dominio } from '../../../domain/dominio.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import { apresentarChamado } from '../../../objects/chamados.presenter.ts';
import { chamadoSchema, exemploChamado, exemploSolucionado } from '../../../objects/chamados.schemas.ts';
import { idNoCaminho, instanteDe } from '../../../objects/consulta.ts';
import { exigir } from '../erros.ts';
import { rotaDosRemovidos } from '../removidos.ts';
import { comPaginacao, paginaPedida, rota } from '../rota.ts';
import { apresentarEntrada } from './chamados.presenters.ts';
import {
  consultaDeChamados,
  corpoDeAbertura,
  corpoDeAtualizacao,
  entradaHistoricoSchema,
  exemploEntrada,
} from './chamados.schemas.ts';

export const rotasDeChamados = [
  rota.get({
    path: '/chamados',
    permission: 'chamados:leitura',
    group: 'Chamados',
    summary: 'Lista chamados',
    description: 'Do mais novo para o mais antigo, pela abertura.',
    reading: 'list',
    narrowedBy: ['protocolo', 'cliente_id', 'contrato_id'],
    query: consultaDeChamados,
    data: { type: 'array', items: chamadoSchema },
    example: [exemploChamado],
    async run({ query, domain }) {
      const pagina = paginaPedida(query);
      const filtro = {
        protocolo: query.protocolo,
        clienteId: query.cliente_id,
        contratoId: query.contrato_id,
        situacao: query.situacao,
        atualizadoDesde: instanteDe(query.atualizado_desde),
      };
      return comPaginacao(await domain.chamados.listar(filtro, pagina), pagina, apresentarChamado);
    },
  }),
  rota.post({
    path: '/chamados',
    permission: 'chamados:escrita',
    group: 'Chamados',
    summary: 'Abre um chamado',
    description:
      'O chamado entra na fila do provedor, que é avisado. Antes de abrir, liste os chamados em_aberto do cliente, para não repetir um que já exista.',
    body: { schema: corpoDeAbertura, required: true },
    data: chamadoSchema,
    example: exemploChamado,
    success: 201,
    errors: ['nao_encontrado', 'contrato_invalido', 'cliente_cancelado'],
    async run({ body, domain, writes }) {
      const id = await writes.chamados.abrir({
        clienteId: body.cliente_id,
        contratoId: body.contrato_id ?? null,
        assunto: body.assunto,
        descricao: body.descricao,
        prioridade: body.prioridade,
        categoria: body.categoria ?? null,
      });
      return { data: await lerChamado(domain, id) };
    },
  }),
  rotaDosRemovidos('chamados', 'Chamados', 'chamados:leitura'),
  rota.get({
    path: '/chamados/{id}',
    params: { id: idNoCaminho },
    permission: 'chamados:leitura',
    group: 'Chamados',
    summary: 'Lê um chamado',
    reading: 'record',
    data: chamadoSchema,
    example: exemploChamado,
    errors: ['nao_encontrado'],
    async run({ params: { id }, domain }) {
      return { data: await lerChamado(domain, id) };
    },
  }),
  rota.patch({
    path: '/chamados/{id}',
    params: { id: idNoCaminho },
    permission: 'chamados:escrita',
    group: 'Chamados',
    summary: 'Atualiza, comenta ou soluciona um chamado',
    description:
      'Envie ao menos um campo. Cada mudança fica no histórico do chamado; o que já é como se pede não muda. Solucionar ou cancelar fecha o chamado, e reabrir apaga o fechamento.',
    body: { schema: corpoDeAtualizacao, required: true },
    data: chamadoSchema,
    example: exemploSolucionado,
    errors: ['nao_encontrado', 'transicao_invalida'],
    async run({ params: { id }, body, domain, writes }) {
      await writes.chamados.atualizar(id, body);
      return { data: await lerChamado(domain, id) };
    },
  }),
  rota.get({
    path: '/chamados/{id}/historico',
    params: { id: idNoCaminho },
    permission: 'chamados:leitura',
    group: 'Chamados',
    summary: 'Lê o histórico de um chamado',
    description: 'Da entrada mais antiga para a mais nova.',
    reading: 'record',
    data: { type: 'array', items: entradaHistoricoSchema },
    example: [exemploEntrada],
    errors: ['nao_encontrado'],
    async run({ params: { id }, domain }) {
      const entradas = await domain.chamados.listarHistorico(id);
      exigir(entradas, 'nao_encontrado');
      return { data: entradas.map(apresentarEntrada) };
    },
  }),
];

async function lerChamado({ chamados }: Dominio, id: number): Promise<TypeOf<typeof chamadoSchema>> {
  const chamado = await chamados.buscarPorId(id);
  exigir(chamado, 'nao_encontrado');
  return apresentarChamado(chamado);
}
