import type { ConexaoDetalhe } from '../../domain/conexoes/detalhe/detalhe.types.ts';
import { toIso } from '../../kit/fields/fields.ts';
import type { TypeOf } from '../../platform/schema-type.ts';
import type { conexaoDetalheSchema } from './conexoes.schemas.ts';

export function apresentarConexaoDetalhe(linha: ConexaoDetalhe): TypeOf<typeof conexaoDetalheSchema> {
  const { ultimaQueda } = linha;
  return {
    conexao: linha.conexao,
    fonte: linha.fonte,
    desde: toIso(linha.desde),
    ip: linha.ip,
    ipv6_prefixo: linha.ipv6Prefixo,
    mac: linha.mac,
    servidor: linha.servidor,
    ultima_queda: ultimaQueda === null ? null : { em: ultimaQueda.em.toISOString(), causa: ultimaQueda.causa },
    quedas_7_dias: linha.quedas7Dias,
    quedas_30_dias: linha.quedas30Dias,
  };
}
