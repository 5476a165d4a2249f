import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Write } from '../escrita.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { pedirRede } from '../rede/pedir.ts';
import { CLIENTES_TAG, clienteTag, contratoTag } from '../tags.ts';
import type { SituacaoContrato } from './contratos.types.ts';

export interface ContratoACancelar {
  readonly id: number;
  readonly cliente_id: number;
  readonly situacao: SituacaoContrato;
  readonly login: string | null;
}

/** Cancels contracts: state, history, network, the end of a trust unblock; the caller holds their locks and says why. */
export async function cancelarContratos(
  w: Write,
  _provedor: Provedor,
  contratos: readonly ContratoACancelar[],
  { motivo, definitivo, agora }: { motivo: string | null; definitivo: boolean; agora: Date },
): Promise<void> {
  if (contratos.length === 0) return;
  const ids = contratos.map(({ id }) => id);
  const instante = toDatabaseTime(agora);
  const situacao = definitivo ? 'cancelado_definitivo' : 'cancelado';
  await w.update('contratos', (q) => void q.whereIn('id', ids), {
    situacao,
    motivo,
    cancelado_em: instante,
    bloqueado_em: null,
    bloqueio_origem: null,
    ...(definitivo ? { login: null } : {}),
  });
  await w.update('desbloqueios_confianca', (q) => void q.whereIn('contrato_id', ids).whereNull('encerrado_em'), {
    encerrado_em: instante,
  });
  await w.insert(
    'contratos_historico',
    ids.map((id) => ({
      contrato_id: id,
      acao: situacao,
      descricao: motivo,
      autor: w.author.name,
      ocorrido_em: instante,
    })),
  );
  await pedirRede(
    w,
    ids.map((id) => ({ id, situacao })),
    agora,
  );
  w.touch(CLIENTES_TAG, ...contratos.flatMap(({ id, cliente_id }) => [contratoTag(id), clienteTag(cliente_id)]));
}
