import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { lerDevolucao, lerProblema } from '../../../brazil/pix/cobranca/resposta.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { onlyHere } from '../../../platform/mysql/moving.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import { Recusa, emMudanca } from '../../erros.ts';
import type { WriteFor } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { ProvedoresService } from '../../provedores/provedores.service.ts';
import type { DevolucoesPendentesService } from '../../recebimentos/devolucoes/pendentes.service.ts';
import type { DevolucaoPendente, RespostaDoPsp } from '../../recebimentos/devolucoes/devolucoes.types.ts';
import { registrarResposta } from '../../recebimentos/devolucoes/respostas.service.ts';
import type { ClientePsp, Resposta } from '../cliente/cliente.ts';
import { abrirConvenio, listarConvenios } from '../convenios/convenios.queries.ts';
import type { ConvenioComSegredos } from '../convenios/convenios.queries.ts';

export type DevolucoesAoPspService = ReturnType<typeof createDevolucoesAoPspService>;

interface DevolucoesDeps {
  readonly db: Db;
  readonly write: WriteFor;
  readonly relogio: Relogio;
  readonly segredos: Secrets;
  readonly cliente: ClientePsp;
  readonly pendentes: DevolucoesPendentesService;
  readonly provedores: Pick<ProvedoresService, 'exigirPorId'>;
}

const POR_VEZ = 20;
const NAO_HA = 404;
/** After a lost answer a refusal may be of the return itself, still under way: it is believed once that must have shown. */
const DUVIDA_MS = 3_600_000;

/** One turn of a provider. `mudos`: agreements whose PSP did not answer in it, and is not asked again before the next one. */
interface Vez {
  readonly convenios: readonly ConvenioComSegredos[];
  readonly mudos: Set<number>;
}

/**
 * Asks PSPs for the returns that people asked for. Each is named by us before anything is sent, and asked about by that name first, so that a
 * lost answer or a death returns nothing twice.
 */
export function createDevolucoesAoPspService(deps: DevolucoesDeps) {
  const { db, write, relogio, segredos, cliente, provedores, pendentes } = deps;

  /** The agreement by which a PIX came; null where none that answers knows it. */
  async function donoDe({ convenios, mudos }: Vez, endToEndId: string) {
    for (const c of convenios) {
      if (mudos.has(c.id)) continue;
      const resposta = await cliente.pedir(c, { metodo: 'GET', recurso: 'pix', partes: [endToEndId] });
      if (!resposta.veio) mudos.add(c.id);
      else if (resposta.status < 400) return c;
    }
    return null;
  }

  function dito(resposta: Extract<Resposta, { veio: true }>): RespostaDoPsp | null {
    const lida = lerDevolucao(resposta.json);
    if (lida?.status === 'DEVOLVIDO') return { situacao: 'devolvida' };
    if (lida?.status === 'NAO_REALIZADO') return { situacao: 'nao_realizada', motivo: lida.motivo };
    return null;
  }

  async function resolver(actor: Actor, provedor: Provedor, vez: Vez, uma: DevolucaoPendente): Promise<void> {
    const c = await donoDe(vez, uma.endToEndId);
    if (c === null) return;
    const gravar = async (resposta: RespostaDoPsp): Promise<boolean> =>
      write(actor, provedor.id, async (w) => registrarResposta(w, provedor, uma.id, resposta, relogio.agora()));
    const partes = [uma.endToEndId, 'devolucao', uma.devolucao];
    const vista = await cliente.pedir(c, { metodo: 'GET', recurso: 'pix', partes });
    if (!vista.veio) return void vez.mudos.add(c.id);
    if (vista.status < 400) {
      const resposta = dito(vista);
      if (resposta !== null) await gravar(resposta);
      return;
    }
    // Any other refusal does not say whether the PSP knows the return.
    if (vista.status !== NAO_HA) return;
    // Of two that ask at the same time only one is the first: a refusal to the other may be because of what the first has begun.
    let primeira: boolean;
    try {
      primeira = await gravar({ situacao: 'enviada' });
    } catch (error) {
      if (error instanceof Recusa && error.motivo === 'ja_desfeito') return;
      throw error;
    }
    const feita = await cliente.pedir(c, {
      metodo: 'PUT',
      recurso: 'pix',
      partes,
      corpo: { valor: escreverDinheiro(uma.valor) },
    });
    if (!feita.veio) return void vez.mudos.add(c.id);
    if (feita.status < 400) {
      const resposta = dito(feita);
      if (resposta !== null) await gravar(resposta);
      return;
    }
    const { enviadaEm } = uma;
    if (primeira || (enviadaEm !== null && relogio.agora().getTime() - enviadaEm.getTime() > DUVIDA_MS)) {
      const { codigo, motivo } = lerProblema(feita.json, feita.status);
      await gravar({ situacao: 'nao_realizada', motivo: motivo === '' ? codigo : motivo });
    }
  }

  async function devolver(actor: Actor, provedorId: number, signal: AbortSignal): Promise<void> {
    const tenant = createTenantDb(db, provedorId);
    const convenios: ConvenioComSegredos[] = [];
    for (const { id } of await listarConvenios(tenant)) {
      const aberto = await abrirConvenio(tenant, segredos, { id });
      if (aberto !== null) convenios.push(aberto);
    }
    const provedor = await provedores.exigirPorId(provedorId);
    const vez: Vez = { convenios, mudos: new Set() };
    // All of them: what no agreement knows waits, and holds up none that was asked for later.
    for (let depoisDe = 0; ;) {
      const esperam = await pendentes.listar(tenant, POR_VEZ, depoisDe);
      for (const uma of esperam) {
        if (signal.aborted || vez.mudos.size === convenios.length) return;
        await resolver(actor, provedor, vez, uma);
        depoisDe = uma.id;
      }
      if (esperam.length < POR_VEZ) return;
    }
  }

  return {
    /** Does what is due, of each provider beside the others: a PSP that hangs holds up no other's. Rejects with the first failure, in the end. */
    async devolver(actor: Actor, signal: AbortSignal): Promise<void> {
      const ids = await onlyHere(db, await pendentes.provedores(), (id) => id);
      const feitas = await Promise.allSettled(ids.map(async (id) => devolver(actor, id, signal)));
      const falha = feitas.find((uma) => uma.status === 'rejected' && !emMudanca(uma.reason));
      if (falha?.status === 'rejected') throw falha.reason;
    },
  };
}
