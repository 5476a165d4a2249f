import type { Conexao } from '../../../domain/conexoes/detalhe/detalhe.types.ts';
import type { DesbloqueioPossivel } from '../../../domain/desbloqueios/leitura.service.ts';
import type { RedeDoDesbloqueio } from '../../../domain/desbloqueios/rede.regras.ts';
import type { Promessa } from '../../../domain/promessas/promessas.types.ts';
import { toIso } from '../../../kit/fields/fields.ts';
import { apresentarAviso } from '../../../objects/rede/avisos.presenter.ts';
import { apresentarConexaoDetalhe } from '../../../objects/rede/conexoes.presenter.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import type { conexaoSchema, desbloqueioPossivelSchema, promessaSchema } from './contratos.schemas.ts';

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

export function apresentarDesbloqueio(possivel: DesbloqueioPossivel): TypeOf<typeof desbloqueioPossivelSchema> {
  const { impede, dias, ate, emVigorAte, rede } = possivel;
  return {
    disponivel: impede === null,
    motivo: impede,
    dias,
    ate: (emVigorAte ?? ate).toISOString(),
    ativo: emVigorAte !== null,
    rede: rede === null ? null : apresentarRede(rede),
  };
}

export const apresentarRede = ({ situacao, em }: RedeDoDesbloqueio) => ({ situacao, em: em.toISOString() });

export const apresentarPromessa = (promessa: Promessa): TypeOf<typeof promessaSchema> => ({
  id: promessa.id,
  contrato_id: promessa.contratoId,
  data: promessa.data,
  registrada_em: promessa.registradaEm.toISOString(),
});
