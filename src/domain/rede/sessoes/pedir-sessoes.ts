import type { Knex } from 'knex';
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
import { difere } from './diferenca.regras.ts';
import type { MudancaDoLogin } from './diferenca.regras.ts';

/** Sessions of one login that are changed or ended at most, the newest: more are the leftovers of a NAS that loses Stops. */
const MAXIMO_DE_SESSOES = 10;
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
  /** Those that cannot be changed stay up. */
  readonly soAlterar: boolean;
  /** Not null: nothing is asked for where no session of the login differs from this. */
  readonly mudanca: MudancaDoLogin | null;
}

const DA_SESSAO = columns<{ radacctid: number }>('rede_desconexoes', { radacctid: true });

/** Asks that the open sessions follow, instead of what earlier requests of the contracts still wait to have done. */
export async function pedirSessoes(
  w: Write,
  todos: readonly ContratoMudado[],
  nas: readonly NasNaRede[],
  agora: Date,
): Promise<void> {
  const algumAltera = nas.some(({ coa }) => coa !== 'nao');
  const candidatos = todos.filter(({ soAlterar }) => algumAltera || !soAlterar);
  if (candidatos.length === 0) return;
  const instante = toDatabaseTime(agora);
  const deles = candidatos.map(({ id }) => id);
  const abertas = groupBy(await createGruposQueries(w).sessoesAbertas(deles, agora), ({ contrato_id }) => contrato_id);
  const contratos = candidatos.filter(
    ({ id, mudanca }) => mudanca === null || abertas.get(id)?.some((sessao) => difere(mudanca, sessao)),
  );
  if (contratos.length === 0) return;
  const ids = contratos.map(({ id }) => id);
  const decidir = algumAltera && abertas.size > 0 ? await decisao(w, contratos, nas) : () => ENCERRAR;
  // What is to become of other sessions stays: they may be of a name that the login had before, by which nobody finds them any more.
  const destas = [...abertas.values()].flat().map(({ radacctid }) => radacctid);
  const anteriores = (q: Knex.QueryBuilder): void =>
    void q.whereIn('contrato_id', ids).where('estado', 'pendente').whereIn('radacctid', destas);
  if (destas.length > 0) {
    await w.update('rede_desconexoes', anteriores, { estado: 'superada', concluida_em: instante });
  }
  const linhas = contratos.flatMap((contrato) =>
    (abertas.get(contrato.id) ?? [])
      .slice(0, MAXIMO_DE_SESSOES)
      .map((sessao) => ({ sessao, ...decidir(contrato, sessao) }))
      .filter(({ alterar_para, devida }) => alterar_para !== null || devida || !contrato.soAlterar)
      .map(({ sessao: { radacctid, nasipaddress }, alterar_para }) => ({
        pedido_id: contrato.pedidoId,
        contrato_id: contrato.id,
        radacctid,
        nasipaddress,
        alterar_para,
        proxima_em: instante,
        criado_em: instante,
      })),
  );
  if (linhas.length > 0) await w.insert('rede_desconexoes', linhas);
}

interface Decisao {
  /** The group that the session is changed to; null: it cannot be. */
  readonly alterar_para: string | null;
  /** It was to be ended already, and was not: it has what nobody knows. */
  readonly devida: boolean;
}

const ENCERRAR: Decisao = { alterar_para: null, devida: false };

/** Says what becomes of a session. */
async function decisao(
  w: Write,
  contratos: readonly ContratoMudado[],
  nas: readonly NasNaRede[],
): Promise<(contrato: ContratoMudado, sessao: { radacctid: number; nasipaddress: string }) => Decisao> {
  const usos = new Map(nas.map(({ endereco, coa }) => [endereco, coa]));
  const grupos = contratos.flatMap(({ antes, depois }) => [...antes, ...depois].map(({ groupname }) => groupname));
  const conteudos = await createConteudoQueries(w).conteudos([...new Set(grupos)]);
  const restos = w
    .from('rede_desconexoes')
    .whereIn(
      'contrato_id',
      contratos.map(({ id }) => id),
    )
    .whereIn('estado', ['pendente', 'recusada', 'sem_resposta', 'sem_segredo'])
    .whereNull('alterar_para');
  const devidas = new Set((await rowsOf(restos, DA_SESSAO)).map(({ radacctid }) => radacctid));
  return ({ estado, grupoDoPlano, antes, depois, doLogin, encerrar }, { radacctid, nasipaddress }) => {
    const devida = devidas.has(radacctid);
    if (encerrar || devida) return { alterar_para: null, devida };
    const alterar_para = alterarPara({
      coa: usos.get(nasipaddress) ?? 'nao',
      estado,
      grupoDoPlano,
      antes: primeiroGrupo(antes, nasipaddress),
      depois: primeiroGrupo(depois, nasipaddress),
      conteudos,
      doLogin,
      mutavel: isChangeable,
    });
    return { alterar_para, devida };
  };
}
