import type { Db } from '../../../platform/mysql/database.ts';
import { groupBy } from '../../../platform/group-by.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import type { Write, WriteFor } from '../../escrita.ts';
import { createFilaQueries } from '../fila.queries.ts';
import { GRUPO_BLOQUEADO, depoisDe, estadoNaRede, grupoDoPlano, planejarGrupos } from '../grupos.regras.ts';
import type { Pertencimento } from '../grupos.regras.ts';
import { createConteudoQueries } from '../radius/conteudo.queries.ts';
import { POOL } from '../radius/conteudo.regras.ts';
import { createGruposQueries } from '../radius/grupos.queries.ts';
import type { AvisoDeRede, ResultadoDoPedido } from '../rede.types.ts';
import { pedirSessoes } from '../sessoes/pedir-sessoes.ts';
import type { ContratoMudado } from '../sessoes/pedir-sessoes.ts';
import { escreverLogins } from './logins.ts';
import type { LoginDoContrato } from './logins.ts';
import { createPedidosQueries } from './pedidos.queries.ts';
import type { PedidoRow } from './pedidos.queries.ts';
import {
  bloqueiaPorPool,
  enderecosDe,
  grupoDosBloqueados,
  gruposDosPlanos,
  gruposQueNegam,
  lerRedes,
  nasProprios,
} from './redes.ts';
import type { Rede } from './redes.ts';

export type AplicacaoService = ReturnType<typeof createAplicacaoService>;

export interface AplicacaoDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly avisar: (aviso: AvisoDeRede) => void;
}

/**
 * Carries out what decisions asked of the network: moves logins to the group that their contract's state asks for, gives them what is
 * theirs alone, and writes down which sessions must be changed or ended for it to show.
 */
export function createAplicacaoService({ db, relogio, write, avisar }: AplicacaoDeps) {
  return {
    /** Providers that have requests waiting. */
    provedores: async (): Promise<number[]> => createFilaQueries(db).provedoresComPedidos(),

    /**
     * Carries out the requests of up to `limite` contracts of a provider, in one transaction. What a request means follows from the
     * contract's state now, under its lock; of each contract the last one that waits counts. The number of statements does not depend on how
     * many they are.
     *
     * @returns whether more may be waiting.
     */
    async aplicar(actor: Actor, provedorId: number, limite = 500): Promise<{ mais: boolean }> {
      const { avisos, ...feito } = await write(actor, provedorId, async (w) => aplicarEm(w, relogio.agora(), limite));
      for (const aviso of avisos) avisar(aviso);
      return feito;
    },
  };
}

async function aplicarEm(w: Write, agora: Date, limite: number): Promise<{ mais: boolean; avisos: AvisoDeRede[] }> {
  const pedidos = createPedidosQueries(w);
  const radius = createGruposQueries(w);
  const ids = await pedidos.contratosComPedido(limite);
  const contratos = ids.length === 0 ? [] : await pedidos.travarContratos(ids);
  if (contratos.length === 0) return { mais: false, avisos: [] };
  const travados = contratos.map(({ id }) => id);

  // In this order: what is asked of all contracts at once is asked without their locks, and then stays for the next run.
  const pendentes = await pedidos.pendentes(travados);
  // Of those that wait: a later one that is done already, as of sessions that were ended, moved no login.
  const ultimos = new Map(pendentes.map(({ id, contrato_id }) => [contrato_id, id]));
  const aFazer = new Map<number, PedidoRow>();
  const aEncerrar = new Set<number>();
  const aSeguir = new Set<number>();
  const aAlterar = new Set<number>();
  const porResultado = new Map<ResultadoDoPedido, number[]>();
  const concluir = (resultado: ResultadoDoPedido, { id }: PedidoRow): void => {
    const doResultado = porResultado.get(resultado) ?? [];
    doResultado.push(id);
    porResultado.set(resultado, doResultado);
  };
  for (const pedido of pendentes) {
    if (pedido.sessoes === 'encerrar') aEncerrar.add(pedido.contrato_id);
    if (pedido.sessoes === 'alterar') aAlterar.add(pedido.contrato_id);
    else if (pedido.sessoes !== 'se_mudar') aSeguir.add(pedido.contrato_id);
    if (ultimos.get(pedido.contrato_id) === pedido.id) aFazer.set(pedido.contrato_id, pedido);
    else concluir('superado', pedido);
  }

  const outros = groupBy(await createFilaQueries(w.tenant.db).outrosDonos(w.provedorId, travados), doContrato);
  const redes = await lerRedes(
    w,
    [...outros.values()].flat().map(({ provedor_id }) => provedor_id),
  );
  const { nossa } = redes;
  const planos = new Map((await pedidos.planos()).map((plano) => [plano.id, plano]));
  const nomesDosPlanos = new Map([...planos].map(([id, plano]) => [id, grupoDoPlano(plano)]));
  const grupos = groupBy(await radius.grupos(travados), doContrato);
  const doProvedor = {
    gruposDosPlanos: new Set(nomesDosPlanos.values()),
    bloqueado: grupoDosBloqueados(nossa),
    nasProprios: nasProprios(nossa),
    nas: enderecosDe(nossa),
  };

  const apagar: number[] = [];
  const inserir: (Pertencimento & { username: string })[] = [];
  const movidos: Omit<ContratoMudado, 'doLogin' | 'encerrar' | 'soAlterar' | 'mudanca'>[] = [];
  const proprios: LoginDoContrato[] = [];
  const liberados = new Set<number>();
  for (const contrato of contratos) {
    const { id, login, plano_id } = contrato;
    const pedido = aFazer.get(id);
    if (pedido === undefined) continue;
    const comQuem = outros.get(id) ?? [];
    const estado = estadoNaRede(contrato.situacao);
    if (login === null || login === '') {
      // Who has no right to the network needs no login.
      concluir(estado === 'retirado' ? 'aplicado' : 'sem_login', pedido);
    } else if (comQuem.length > 0 && nossa.nas.length === 0) {
      concluir('sem_nas', pedido);
    } else {
      const grupo = nomesDosPlanos.get(plano_id) ?? grupoDoPlano({ id: plano_id, grupo_radius: null });
      const atuais = grupos.get(id) ?? [];
      const mudanca = planejarGrupos({
        ...doProvedor,
        estado,
        grupo,
        atuais,
        outros: comQuem.map((outro) => ({
          nas: enderecosDe(redes.de(outro.provedor_id)),
          estado: estadoNaRede(outro.situacao),
        })),
      });
      apagar.push(...mudanca.apagar);
      inserir.push(...mudanca.inserir.map((pertencimento) => ({ ...pertencimento, username: login })));
      if (estado === 'liberado') liberados.add(plano_id);
      // What a login of several is given by itself would be given to all of them.
      if (comQuem.length === 0) proprios.push({ ...contrato, login, estado });
      if (mudanca.apagar.length + mudanca.inserir.length > 0) aSeguir.add(id);
      const depois = depoisDe(atuais, mudanca);
      movidos.push({ id, pedidoId: pedido.id, estado, grupoDoPlano: grupo, antes: atuais, depois });
      concluir(comQuem.length > 0 ? 'aplicado_por_nas' : 'aplicado', pedido);
    }
  }
  // What groups mean is there before anybody is in them.
  const entrados = new Set(inserir.map(({ groupname }) => groupname));
  const donos = new Set([...outros.values()].flat().map(({ provedor_id }) => provedor_id));
  const queNegam = [nossa, ...[...donos].map(redes.de)].flatMap(gruposQueNegam);
  await createConteudoQueries(w).definir([
    ...new Map(queNegam.filter(({ grupo }) => entrados.has(grupo)).map((um) => [um.grupo, um])).values(),
    ...gruposDosPlanos(
      nossa.atributos,
      [...liberados].flatMap((id) => planos.get(id) ?? []),
    ),
  ]);
  await radius.trocarGrupos(apagar, inserir);
  const bloqueioPorPool = bloqueiaPorPool(nossa) || (await bloqueadoPorPool(w, nossa));
  const { mudados, respostas } = await escreverLogins(w, proprios, { ...nossa, bloqueioPorPool });
  // Asked for without a reason in the contract, as of a whole base at once: only sessions that really have something else are ended.
  const semMotivo = new Map([...mudados].filter(([id]) => !aSeguir.has(id)));
  for (const id of mudados.keys()) aSeguir.add(id);
  await pedirSessoes(
    w,
    movidos
      .filter(({ id }) => aSeguir.has(id) || aAlterar.has(id))
      .map((movido) => ({
        ...movido,
        doLogin: respostas.get(movido.id) ?? [],
        encerrar: aEncerrar.has(movido.id) || mudados.has(movido.id),
        soAlterar: !aSeguir.has(movido.id),
        mudanca: semMotivo.get(movido.id) ?? null,
      })),
    nossa.nas,
    agora,
  );
  for (const [resultado, doResultado] of porResultado) await pedidos.concluir(doResultado, resultado, agora);

  const avisos = (['sem_login', 'sem_nas'] as const).flatMap((estado) => {
    const [exemplo, ...resto] = porResultado.get(estado) ?? [];
    return exemplo === undefined ? [] : [{ provedorId: w.provedorId, estado, total: 1 + resto.length, exemplo }];
  });
  return { mais: ids.length === limite, avisos };
}

/** Whether an operator has the group `bloqueado` give an address of a pool. */
async function bloqueadoPorPool(w: Write, { bloqueio, enderecos }: Rede): Promise<boolean> {
  if (bloqueio.tipo !== 'grupo' || !enderecos) return false;
  const conteudo = (await createConteudoQueries(w).conteudos([GRUPO_BLOQUEADO])).get(GRUPO_BLOQUEADO);
  return conteudo?.reply.some(({ attribute }) => attribute === POOL) ?? false;
}

const doContrato = ({ contrato_id }: { contrato_id: number }): number => contrato_id;
