import { exigir } from '../erros.ts';
import { rota } from '../rota.ts';
import { apresentarConexao, apresentarContrato } from './contratos.presenters.ts';
import {
  conexaoSchema,
  contratoSchema,
  corpoDeDesbloqueio,
  desbloqueioSchema,
  exemploConexao,
  exemploContrato,
  exemploDesbloqueio,
} from './contratos.schemas.ts';

export const rotasDeContratos = [
  rota({
    metodo: 'GET',
    caminho: '/contratos/{id}',
    permissao: 'clientes:leitura',
    grupo: 'Contratos',
    resumo: 'Lê um contrato',
    dados: contratoSchema,
    exemplo: exemploContrato,
    erros: ['nao_encontrado'],
    async executar({ id, dominio }) {
      const contrato = await dominio.contratos.buscarPorId(id);
      exigir(contrato, 'nao_encontrado');
      return { dados: apresentarContrato(contrato) };
    },
  }),
  rota({
    metodo: 'GET',
    caminho: '/contratos/{id}/conexao',
    permissao: 'clientes:leitura',
    grupo: 'Contratos',
    resumo: 'Lê a conexão e as quedas de um contrato',
    descricao: 'Estado da conexão, quedas dos últimos 7 e 30 dias e as sessões dos últimos 30 dias.',
    dados: conexaoSchema,
    exemplo: exemploConexao,
    erros: ['nao_encontrado'],
    async executar({ id, dominio }) {
      const conexao = await dominio.conexoes.buscarPorContrato(id);
      exigir(conexao, 'nao_encontrado');
      return { dados: apresentarConexao(conexao) };
    },
  }),
  rota({
    metodo: 'POST',
    caminho: '/contratos/{id}/desbloqueio-confianca',
    permissao: 'contratos:desbloqueio',
    grupo: 'Contratos',
    resumo: 'Aplica o desbloqueio de confiança',
    descricao:
      'Libera por alguns dias um contrato bloqueado por falta de pagamento, pelas mesmas regras do autoatendimento. O motivo fica no histórico do contrato.',
    corpo: { esquema: corpoDeDesbloqueio, obrigatorio: false },
    dados: desbloqueioSchema,
    exemplo: exemploDesbloqueio,
    sucesso: 201,
    erros: [
      'nao_encontrado',
      'desbloqueio_desabilitado',
      'desbloqueio_ativo',
      'contrato_nao_bloqueado',
      'bloqueio_manual',
      'fatura_anterior_em_aberto',
    ],
    async executar({ id, corpo, escritas }) {
      const { contratoId, dias, ate } = await escritas.desbloqueios.aplicar(id, corpo.motivo || null);
      return { dados: { contrato_id: contratoId, dias, ate: ate.toISOString() } };
    },
  }),
];
