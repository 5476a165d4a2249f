import type { Conexao } from '../../../domain/conexoes/conexoes.types.ts';
import { toIso } from '../../../kit/fields/fields.ts';
import { apresentarAviso } from '../../../objects/avisos.presenter.ts';
import { apresentarConexaoDetalhe } from '../../../objects/conexoes.presenter.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import type { conexaoSchema } from './contratos.schemas.ts';

export function apresentarConexao(conexao: Conexao): TypeOf<typeof conexaoSchema> {
  return {
    contrato_id: conexao.contratoId,
    ...apresentarConexaoDetalhe(conexao),
    avisos: conexao.avisos.map(apresentarAviso),
    sessoes: conexao.sessoes.map((sessao) => ({
      inicio: toIso(sessao.inicio),
      fim: toIso(sessao.fim),
      duracao_segundos: sessao.duracaoSegundos,
      causa: sessao.causa,
    })),
  };
}
