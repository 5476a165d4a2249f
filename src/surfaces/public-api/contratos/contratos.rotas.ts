import { lerData } from '../../../brazil/calendario/datas.ts';
import { idNoCaminho } from '../../../objects/consulta.ts';
import { apresentarContrato } from '../../../objects/contratos.presenter.ts';
import { contratoSchema, exemploContrato } from '../../../objects/contratos.schemas.ts';
import { exigir } from '../erros.ts';
import { rota } from '../rota.ts';
import {
  apresentarConexao,
  apresentarDesbloqueio,
  apresentarPromessa,
  apresentarRede,
} from './contratos.presenters.ts';
import {
  conexaoSchema,
  corpoDeDesconexao,
  corpoDeDesbloqueio,
  corpoDePromessa,
  desbloqueioPossivelSchema,
  desbloqueioSchema,
  desconexaoSchema,
  exemploConexao,
  exemploDesconexao,
  exemploDesbloqueio,
  exemploDesbloqueioPossivel,
  exemploPromessa,
  promessaSchema,
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
  rota.get({
    path: '/contratos/{id}/desbloqueio-confianca',
    params: { id: idNoCaminho },
    permission: { uma: ['clientes:leitura', 'contratos:desbloqueio'] },
    group: 'Contratos',
    summary: 'Lê se o desbloqueio de confiança está disponível, e o que a rede fez do que está em vigor',
    reading: 'record',
    data: desbloqueioPossivelSchema,
    example: exemploDesbloqueioPossivel,
    errors: ['nao_encontrado'],
    async run({ params: { id }, domain }) {
      const possivel = await domain.desbloqueios.avaliar(id);
      exigir(possivel, 'nao_encontrado');
      return { data: apresentarDesbloqueio(possivel) };
    },
  }),
  rota.post({
    path: '/contratos/{id}/desbloqueio-confianca',
    params: { id: idNoCaminho },
    permission: 'contratos:desbloqueio',
    group: 'Contratos',
    summary: 'Aplica o desbloqueio de confiança',
    description:
      'Libera por alguns dias um contrato bloqueado por falta de pagamento, pelas mesmas regras do autoatendimento. O motivo fica no histórico do contrato. O que a rede fez dele diz o GET deste endereço.',
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
      const { contratoId, dias, ate, protocolo, rede } = await writes.desbloqueios.aplicar(id, body.motivo || null);
      return {
        data: { contrato_id: contratoId, dias, ate: ate.toISOString(), protocolo, rede: apresentarRede(rede) },
      };
    },
  }),
  rota.post({
    path: '/contratos/{id}/promessa-pagamento',
    params: { id: idNoCaminho },
    permission: 'contratos:desbloqueio',
    group: 'Contratos',
    summary: 'Anota uma promessa de pagamento',
    description:
      'O assinante diz até que dia paga o que o contrato deve e vence até lá. Nada é liberado por isso; há uma por vez, e /resumo a mostra. Sobre uma fatura que já se prometeu e não se pagou não há outra.',
    body: { schema: corpoDePromessa, required: true },
    data: promessaSchema,
    example: exemploPromessa,
    success: 201,
    errors: [
      'nao_encontrado',
      'promessa_desabilitada',
      'promessa_fora_do_prazo',
      'nada_a_pagar',
      'promessa_ativa',
      'fatura_anterior_em_aberto',
    ],
    async run({ params: { id }, body, writes }) {
      const data = lerData(body.data);
      exigir(data, 'parametro_invalido');
      return { data: apresentarPromessa(await writes.promessas.registrar(id, data)) };
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
