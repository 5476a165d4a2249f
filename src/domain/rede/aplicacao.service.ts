import type { Knex } from 'knex';
import type { Db } from '../../platform/mysql/database.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Actor } from '../actor.ts';
import type { Write, WriteFor } from '../escrita.ts';
import { createFilaQueries } from './fila.queries.ts';
import type { OutroDonoRow } from './fila.queries.ts';
import { ehBloqueio, grupoBloqueadoEm, grupoDoPlano, planejarGrupos } from './grupos.regras.ts';
import type { Pertencimento } from './grupos.regras.ts';
import { createPedidosQueries } from './pedidos.queries.ts';
import type { PedidoRow } from './pedidos.queries.ts';
import { createRadiusQueries } from './radius.queries.ts';
import type { AvisoDeRede, ResultadoDoPedido } from './rede.types.ts';

/** Sessions of one login that are ended at most, the newest: more are the leftovers of a NAS that loses Stops. */
const MAXIMO_DE_SESSOES = 10;
/** An open session that has not been heard of for this long is a leftover, too. */
const SESSAO_ESQUECIDA_MS = 30 * 86_400_000;

export type AplicacaoService = ReturnType<typeof createAplicacaoService>;

export interface AplicacaoDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly avisar: (aviso: AvisoDeRede) => void;
}

/**
 * Carries out what decisions asked of the network: moves logins between their plan's group and that of the blocked, and
 * writes down which sessions must be ended for it to show.
 */
export function createAplicacaoService({ db, relogio, write, avisar }: AplicacaoDeps) {
  return {
    /** Providers that have requests waiting. */
    provedores: async (): Promise<number[]> => createFilaQueries(db).provedoresComPedidos(),

    /**
     * Carries out the requests of up to `limite` contracts of a provider, in one transaction; of each contract the last one counts.
     * The number of statements does not depend on how many they are.
     *
     * @returns whether more may be waiting.
     */
    async aplicar(actor: Actor, provedorId: number, limite = 200): Promise<{ mais: boolean }> {
      const { avisos, ...feito } = await write(actor, provedorId, async (w) => aplicarEm(w, relogio.agora(), limite));
      for (const aviso of avisos) avisar(aviso);
      return feito;
    },
  };
}

async function aplicarEm(w: Write, agora: Date, limite: number): Promise<{ mais: boolean; avisos: AvisoDeRede[] }> {
  const pedidos = createPedidosQueries(w);
  const radius = createRadiusQueries(w);
  const ids = await pedidos.contratosComPedido(limite);
  const contratos = ids.length === 0 ? [] : await pedidos.travarContratos(ids);
  if (contratos.length === 0) return { mais: false, avisos: [] };
  const travados = contratos.map(({ id }) => id);

  const ultimos = await pedidos.ultimos(travados);
  const aFazer = new Map<number, PedidoRow>();
  const porResultado = new Map<ResultadoDoPedido, number[]>();
  const concluir = (resultado: ResultadoDoPedido, { id }: PedidoRow): void =>
    void porResultado.set(resultado, [...(porResultado.get(resultado) ?? []), id]);
  for (const pedido of await pedidos.pendentes(travados)) {
    if (ultimos.has(pedido.id)) aFazer.set(pedido.contrato_id, pedido);
    else concluir('superado', pedido);
  }

  const planos = new Map((await pedidos.planos()).map((plano) => [plano.id, grupoDoPlano(plano)]));
  const gruposDosPlanos = new Set(planos.values());
  const outros = groupBy(await createFilaQueries(w.tenant.db).outrosDonos(w.provedorId, travados), doContrato);
  const grupos = groupBy(await radius.grupos(travados), doContrato);
  const nas = await nasPorProvedor(w, [...outros.values()].flat());

  const apagar: number[] = [];
  const inserir: (Pertencimento & { username: string })[] = [];
  const mexidos: number[] = [];
  for (const { id, login, plano_id } of contratos) {
    const pedido = aFazer.get(id);
    if (pedido === undefined) continue;
    const comQuem = outros.get(id) ?? [];
    if (login === null || login === '') {
      concluir('sem_login', pedido);
    } else if (comQuem.length > 0 && !nas.has(w.provedorId)) {
      concluir('sem_nas', pedido);
    } else {
      const mudanca = planejarGrupos({
        acao: pedido.acao,
        grupo: planos.get(plano_id) ?? grupoDoPlano({ id: plano_id, grupo_radius: null }),
        gruposDosPlanos,
        atuais: grupos.get(id) ?? [],
        nas: nas.get(w.provedorId) ?? [],
        outros: comQuem.map((outro) => ({
          nas: nas.get(outro.provedor_id) ?? [],
          bloqueado: outro.situacao === 'bloqueado',
        })),
      });
      apagar.push(...mudanca.apagar);
      inserir.push(...mudanca.inserir.map((pertencimento) => ({ ...pertencimento, username: login })));
      mexidos.push(id);
      concluir(comQuem.length > 0 ? 'aplicado_por_nas' : 'aplicado', pedido);
    }
  }
  await radius.trocarGrupos(apagar, inserir);
  const entrados = new Set(inserir.map(({ groupname }) => groupname));
  if (inserir.some(ehBloqueio)) await radius.definirBloqueado();
  await radius.definirBloqueioEm(
    [...nas.values()].flat().filter((endereco) => entrados.has(grupoBloqueadoEm(endereco))),
  );
  await pedirDesconexoes(w, mexidos, aFazer, agora);
  for (const [resultado, doResultado] of porResultado) await pedidos.concluir(doResultado, resultado, agora);

  const avisos = (['sem_login', 'sem_nas'] as const).flatMap((estado) => {
    const [exemplo, ...resto] = porResultado.get(estado) ?? [];
    return exemplo === undefined ? [] : [{ provedorId: w.provedorId, estado, total: 1 + resto.length, exemplo }];
  });
  return { mais: ids.length === limite, avisos };
}

/** The sessions to be ended, instead of those that earlier requests of the contracts still wait to end. */
async function pedirDesconexoes(
  w: Write,
  contratoIds: readonly number[],
  pedidos: ReadonlyMap<number, PedidoRow>,
  agora: Date,
): Promise<void> {
  if (contratoIds.length === 0) return;
  const instante = toDatabaseTime(agora);
  // What a request wrote down itself is not an earlier one's: sessions of the name that a login had before it.
  const deste = [...pedidos.values()].map(({ id }) => id);
  const anteriores = (q: Knex.QueryBuilder): void =>
    void q.whereIn('contrato_id', contratoIds).where('estado', 'pendente').whereNotIn('pedido_id', deste);
  await w.update('rede_desconexoes', anteriores, { estado: 'superada', concluida_em: instante });
  const desde = new Date(agora.getTime() - SESSAO_ESQUECIDA_MS);
  const abertas = groupBy(await createRadiusQueries(w).sessoesAbertas(contratoIds, desde), doContrato);
  const linhas = [...abertas].flatMap(([contrato_id, sessoes]) =>
    sessoes.slice(0, MAXIMO_DE_SESSOES).map(({ radacctid, nasipaddress }) => ({
      pedido_id: pedidos.get(contrato_id)?.id,
      contrato_id,
      radacctid,
      nasipaddress,
      proxima_em: instante,
      criado_em: instante,
    })),
  );
  if (linhas.length > 0) await w.insert('rede_desconexoes', linhas);
}

/** NAS addresses of the provider, and of those who share some of these logins. */
async function nasPorProvedor(w: Write, outros: readonly OutroDonoRow[]): Promise<Map<number, string[]>> {
  const provedores = new Set([w.provedorId, ...outros.map(({ provedor_id }) => provedor_id)]);
  const rows = await createFilaQueries(w.tenant.db).nasDe([...provedores]);
  return new Map(
    [...groupBy(rows, ({ provedor_id }) => provedor_id)].map(([provedorId, doProvedor]) => [
      provedorId,
      doProvedor.map(({ nasipaddress }) => nasipaddress),
    ]),
  );
}

const doContrato = ({ contrato_id }: { contrato_id: number }): number => contrato_id;
