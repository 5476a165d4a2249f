import { idNoCaminho } from '../../../objects/consulta.ts';
import { apresentarContrato } from '../../../objects/contratos.presenter.ts';
import { contratoSchema, exemploContrato } from '../../../objects/contratos.schemas.ts';
import { exigir } from '../erros.ts';
import { rota } from '../rota.ts';
import { apresentarConexao } from './contratos.presenters.ts';
import {
  conexaoSchema,
  corpoDeDesconexao,
  corpoDeDesbloqueio,
  desbloqueioSchema,
  desconexaoSchema,
  exemploConexao,
  exemploDesconexao,
  exemploDesbloqueio,
} from './contratos.schemas.ts';

export const rotasDeContratos = [
  rota.get({
    path: '/contratos/{id}',
    params: { id: idNoCaminho },
    permission: 'clientes:leitura',
    group: 'Contratos',
    summary: 'Lê um contrato',
    reading: 'record',
    data: contratoSchema,
    example: exemploContrato,
    errors: ['nao_encontrado'],
    async run({ params: { id }, domain }) {
      const contrato = await domain.contratos.buscarPorId(id);
      exigir(contrato, 'nao_encontrado');
      return { data: apresentarContrato(contrato) };
    },
  }),
  rota.get({
    path: '/contratos/{id}/conexao',
    params: { id: idNoCaminho },
    permission: 'clientes:leitura',
    group: 'Contratos',
    summary: 'Lê a conexão e as quedas de um contrato',
    description: 'Estado da conexão, quedas dos últimos 7 e 30 dias e as sessões dos últimos 30 dias.',
    reading: 'person',
    data: conexaoSchema,
    example: exemploConexao,
    errors: ['nao_encontrado'],
    async run({ params: { id }, domain }) {
      const conexao = await domain.conexoes.buscarPorContrato(id);
      exigir(conexao, 'nao_encontrado');
      return { data: apresentarConexao(conexao) };
    },
  }),
  rota.post({
    path: '/contratos/{id}/desbloqueio-confianca',
    params: { id: idNoCaminho },
    permission: 'contratos:desbloqueio',
    group: 'Contratos',
    summary: 'Aplica o desbloqueio de confiança',
    description:
      'Libera por alguns dias um contrato bloqueado por falta de pagamento, pelas mesmas regras do autoatendimento. O motivo fica no histórico do contrato.',
    body: { schema: corpoDeDesbloqueio, required: false },
    data: desbloqueioSchema,
    example: exemploDesbloqueio,
    success: 201,
    errors: [
      'nao_encontrado',
      'desbloqueio_desabilitado',
      'desbloqueio_ativo',
      'contrato_nao_bloqueado',
      'bloqueio_manual',
      'fatura_anterior_em_aberto',
    ],
    async run({ params: { id }, body, writes }) {
      const { contratoId, dias, ate } = await writes.desbloqueios.aplicar(id, body.motivo || null);
      return { data: { contrato_id: contratoId, dias, ate: ate.toISOString() } };
    },
  }),
  rota.post({
    path: '/contratos/{id}/desconectar',
    params: { id: idNoCaminho },
    permission: 'contratos:conexao',
    group: 'Contratos',
    summary: 'Encerra a sessão, para que a linha reconecte',
    description:
      'Encerra as sessões abertas do contrato no NAS; o equipamento do assinante conecta de novo sozinho, com os mesmos direitos. Uma vez a cada dois minutos.',
    body: { schema: corpoDeDesconexao, required: false },
    data: desconexaoSchema,
    example: exemploDesconexao,
    success: 202,
    errors: ['nao_encontrado', 'contrato_offline', 'desconexao_recente'],
    async run({ params: { id }, body, writes }) {
      const { pedidoId, protocolo } = await writes.desconexoes.desconectar(id, body.motivo || null);
      return { data: { pedido_id: pedidoId, situacao: 'pendente' as const, protocolo } };
    },
  }),
];
