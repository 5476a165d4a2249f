import type { Conexao } from '../../../domain/conexoes/conexoes.types.ts';
import type { Contrato } from '../../../domain/contratos/contratos.types.ts';
import { toReais, toIso } from '../../../kit/fields/fields.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import type { conexaoSchema, contratoSchema } from './contratos.schemas.ts';

export function apresentarContrato(contrato: Contrato): TypeOf<typeof contratoSchema> {
  return {
    id: contrato.id,
    cliente_id: contrato.clienteId,
    situacao: contrato.situacao,
    conexao: contrato.conexao,
    tipo_conexao: contrato.tipoConexao,
    login: contrato.login,
    mac: contrato.mac,
    ip: contrato.ip,
    tipo_cobranca: contrato.tipoCobranca,
    dia_vencimento: contrato.diaVencimento,
    valor: toReais(contrato.valor),
    ativado_em: contrato.ativadoEm,
    bloqueado_em: toIso(contrato.bloqueadoEm),
    desbloqueio_confianca: { ativo: contrato.desbloqueadoAte !== null, ate: toIso(contrato.desbloqueadoAte) },
    plano: {
      id: contrato.plano.id,
      nome: contrato.plano.nome,
      download_mbps: contrato.plano.downloadMbps,
      upload_mbps: contrato.plano.uploadMbps,
    },
    endereco_instalacao: contrato.enderecoInstalacao,
  };
}

export function apresentarConexao(conexao: Conexao): TypeOf<typeof conexaoSchema> {
  return {
    contrato_id: conexao.contratoId,
    conexao: conexao.conexao,
    fonte: conexao.fonte,
    quedas_7_dias: conexao.quedas7Dias,
    quedas_30_dias: conexao.quedas30Dias,
    sessoes: conexao.sessoes.map((sessao) => ({
      inicio: toIso(sessao.inicio),
      fim: toIso(sessao.fim),
      duracao_segundos: sessao.duracaoSegundos,
      causa: sessao.causa,
    })),
  };
}
