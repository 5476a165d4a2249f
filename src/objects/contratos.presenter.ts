import type { Contrato } from '../domain/contratos/contratos.types.ts';
import { toIso, toReais } from '../kit/fields/fields.ts';
import type { TypeOf } from '../platform/schema-type.ts';
import { apresentarAviso } from './rede/avisos.presenter.ts';
import type { contratoSchema } from './contratos.schemas.ts';

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
    avisos: contrato.avisos.map(apresentarAviso),
  };
}
