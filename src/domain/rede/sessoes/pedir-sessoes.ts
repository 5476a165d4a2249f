import { isChangeable } from '../../../platform/radius/attributes.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import type { NasNaRede } from '../configuracao/configuracao.types.ts';
import { primeiroGrupo } from '../grupos.regras.ts';
import type { Pertencimento } from '../grupos.regras.ts';
import { createConteudoQueries } from '../radius/conteudo.queries.ts';
import { createGruposQueries } from '../radius/grupos.queries.ts';
import type { EstadoNaRede } from '../rede.types.ts';
import { alterarPara } from './alteracao.regras.ts';

/** Sessions of one login that are changed or ended at most, the newest: more are the leftovers of a NAS that loses Stops. */
const MAXIMO_DE_SESSOES = 10;
/** An open session that has not been heard of for this long is a leftover, too. */
const SESSAO_ESQUECIDA_MS = 30 * 86_400_000;

/** What a request changed for a contract's login. */
export interface ContratoMudado {
  readonly id: number;
  readonly pedidoId: number;
  readonly estado: EstadoNaRede;
  readonly grupoDoPlano: string;
  readonly antes: readonly Pertencimento[];
  readonly depois: readonly Pertencimento[];
  /** Names of what the login is answered beside its groups. */
  readonly doLogin: readonly string[];
  /** Its sessions are ended, even where they could be changed. */
  readonly encerrar: boolean;
}

const DA_SESSAO = columns<{ radacctid: number }>('rede_desconexoes', { radacctid: true });

/** Asks that the open sessions follow, instead of what earlier requests of the contracts still wait to have done. */
export async function pedirSessoes(
  w: Write,
  contratos: readonly ContratoMudado[],
  nas: readonly NasNaRede[],
  agora: Date,
): Promise<void> {
  if (contratos.length === 0) return;
  const instante = toDatabaseTime(agora);
  const ids = contratos.map(({ id }) => id);
  const desde = new Date(agora.getTime() - SESSAO_ESQUECIDA_MS);
  const abertas = groupBy(await createGruposQueries(w).sessoesAbertas(ids, desde), ({ contrato_id }) => contrato_id);
  const decidir =
    nas.some(({ coa }) => coa !== 'nao') && abertas.size > 0 ? await decisao(w, contratos, nas) : () => null;
  await w.update('rede_desconexoes', (q) => void q.whereIn('contrato_id', ids).where('estado', 'pendente'), {
    estado: 'superada',
    concluida_em: instante,
  });
  const linhas = contratos.flatMap((contrato) =>
    (abertas.get(contrato.id) ?? []).slice(0, MAXIMO_DE_SESSOES).map(({ radacctid, nasipaddress }) => ({
      pedido_id: contrato.pedidoId,
      contrato_id: contrato.id,
      radacctid,
      nasipaddress,
      alterar_para: decidir(contrato, radacctid, nasipaddress),
      proxima_em: instante,
      criado_em: instante,
    })),
  );
  if (linhas.length > 0) await w.insert('rede_desconexoes', linhas);
}

/** Says which group a session is to be changed to, if it may stay up. */
async function decisao(
  w: Write,
  contratos: readonly ContratoMudado[],
  nas: readonly NasNaRede[],
): Promise<(contrato: ContratoMudado, radacctid: number, endereco: string) => string | null> {
  const usos = new Map(nas.map(({ endereco, coa }) => [endereco, coa]));
  const grupos = contratos.flatMap(({ antes, depois }) => [...antes, ...depois].map(({ groupname }) => groupname));
  const conteudos = await createConteudoQueries(w).conteudos([...new Set(grupos)]);
  // A session that was to be ended, and was not, has what nobody knows.
  const restos = w
    .from('rede_desconexoes')
    .whereIn(
      'contrato_id',
      contratos.map(({ id }) => id),
    )
    .whereIn('estado', ['pendente', 'recusada', 'sem_resposta', 'sem_segredo'])
    .whereNull('alterar_para');
  const aEncerrar = new Set((await rowsOf(restos, DA_SESSAO)).map(({ radacctid }) => radacctid));
  return ({ estado, grupoDoPlano, antes, depois, doLogin, encerrar }, radacctid, endereco) =>
    encerrar || aEncerrar.has(radacctid)
      ? null
      : alterarPara({
          coa: usos.get(endereco) ?? 'nao',
          estado,
          grupoDoPlano,
          antes: primeiroGrupo(antes, endereco),
          depois: primeiroGrupo(depois, endereco),
          conteudos,
          doLogin,
          mutavel: isChangeable,
        });
}
