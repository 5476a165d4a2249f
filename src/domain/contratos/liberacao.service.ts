import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Write } from '../escrita.ts';
import { pedirRede } from '../rede/pedir.ts';
import { CLIENTES_TAG, clienteTag, contratoTag } from '../tags.ts';

export interface ContratoALiberar {
  readonly id: number;
  readonly cliente_id: number;
}

/** Gives blocked contracts their connection back: state, history, network and tags; the caller holds their locks and says why. */
export async function liberarContratos(
  w: Write,
  contratos: readonly ContratoALiberar[],
  { acao, descricao, agora }: { acao: string; descricao: string; agora: Date },
): Promise<void> {
  const ids = contratos.map(({ id }) => id);
  const instante = toDatabaseTime(agora);
  await w.update('contratos', (q) => void q.whereIn('id', ids), {
    situacao: 'ativo',
    bloqueado_em: null,
    bloqueio_origem: null,
  });
  await w.insert(
    'contratos_historico',
    ids.map((id) => ({ contrato_id: id, acao, descricao, autor: w.author.name, ocorrido_em: instante })),
  );
  await pedirRede(
    w,
    ids.map((id) => ({ id, situacao: 'ativo' })),
    agora,
  );
  w.touch(CLIENTES_TAG, ...contratos.flatMap(({ id, cliente_id }) => [contratoTag(id), clienteTag(cliente_id)]));
}
