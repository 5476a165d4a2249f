import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import { maiorIntervalo } from '../../conexoes/estado.regras.ts';
import type { WriteFor } from '../../escrita.ts';
import { tocarSino } from '../../notificacoes/toque.service.ts';
import type { Toque } from '../../notificacoes/toque.service.ts';
import { ditosDesde, dizerUmaVezCada } from '../../push/lembretes/uma-vez.service.ts';
import type { AlvoDeAviso } from '../avisos/avisos.types.ts';
import type { ConsultaDeAvisosService } from '../avisos/consulta.service.ts';
import { explicaQuedas } from '../avisos/explicacao.regras.ts';
import { createServidoresQueries } from '../panorama/servidores.queries.ts';
import type { ServidorRow } from '../panorama/servidores.queries.ts';
import { createVisaoQueries } from '../visao/visao.queries.ts';
import type { UltimasRow } from '../visao/visao.queries.ts';
import { fechadoDeUmaVez } from '../visao/visao.regras.ts';
import { numeroDeVarios, numeroDoNas } from './nas.regras.ts';
import { provedoresComServidores } from './provedores.queries.ts';
import { anotarEscuta, escutaDesde, servidoresComVoz, ultimaOuvida } from './silencio.queries.ts';

export type SilencioService = ReturnType<typeof createSilencioService>;

export interface SilencioDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly intervaloPadraoSegundos: number;
  readonly avisosDe: (tenant: TenantDb) => Pick<ConsultaDeAvisosService, 'abertos'>;
}

const HORA_MS = 3_600_000;
/** What has been silent for longer is old news, as that of a server that was switched off and is still listed. */
const ULTIMAS_MS = 24 * HORA_MS;
/** One that comes and goes is told of so often at most. */
const DE_NOVO_MS = 6 * HORA_MS;
/** A server that ended its sessions all at once has them back soon, where it only restarted. */
const REINICIO_MS = 300_000;
/** More of them that fall silent together are one line of the bell. */
const LINHAS_DO_SINO = 5;

/** The kind by which it is kept of which servers staff were told, each by its address as a number. */
const TIPO = 'servidor_silencioso';

/** What is known of a server that was heard of. */
interface Ouvido {
  /** When it was heard of last. */
  readonly ouvida: Date;
  readonly ultimas: UltimasRow | undefined;
  /** Whether sessions of it are open that are to be heard of. */
  readonly temVoz: boolean;
}

/** A server of which nothing is heard any more. */
interface Mudo {
  readonly row: ServidorRow;
  readonly id: number;
  readonly desde: Date;
}

/** Whether a target of a notice is all of a server, and not one of its ports. */
function cobre(alvo: AlvoDeAviso, { nasipaddress, pop_id }: ServidorRow): boolean {
  if (alvo.tipo === 'nas') return alvo.nas === nasipaddress && alvo.porta === undefined;
  return alvo.tipo === 'todos' || (alvo.tipo === 'pop' && alvo.id === pop_id);
}

/** The lines of the bell about servers that fell silent together, the one that did so first before the others. */
function toquesDe(mudos: readonly Mudo[]): Toque[] {
  const origem = 'Rede';
  const [primeiro] = mudos;
  if (primeiro !== undefined && mudos.length > LINHAS_DO_SINO) {
    const recursoId = numeroDeVarios(primeiro.id, mudos.length);
    return [{ tipo: 'nas.silenciaram', origem, recurso: 'servidores', recursoId }];
  }
  return mudos.map(({ id }) => ({ tipo: 'nas.silenciou', origem, recurso: 'servidor', recursoId: id }));
}

/** Tells staff of servers that fell silent, as the panel shows them. */
export function createSilencioService({ db, relogio, write, intervaloPadraoSegundos, avisosDe }: SilencioDeps) {
  const falhaSegundos = maiorIntervalo(intervaloPadraoSegundos);
  const validade = 2000 * falhaSegundos;
  const escuta = 2000 * intervaloPadraoSegundos;

  /**
   * Since when a server is silent that ought to be heard of; null for any other. Nothing is to be heard of one where everybody signed off,
   * nor, while the same people stay, of one without interim updates. What fell silent before the cell was heard again has, from then on, as
   * long to tell something as its updates may take.
   *
   * @param ouvindo - since when the cell is heard without a gap
   */
  function mudoDesde({ ouvida, ultimas, temVoz }: Ouvido, ouvindo: Date, agora: Date): Date | null {
    if (ultimas === undefined) return null;
    const { reinicio } = ultimas;
    const ouvindoHa = agora.getTime() - ouvindo.getTime();
    if (reinicio !== null && fechadoDeUmaVez(ultimas)) {
      // That it ended its sessions is the last that was heard of it.
      const desde = new Date(Math.max(ouvida.getTime(), fromDatabaseTime(reinicio).getTime()));
      if (desde < ouvindo && ouvindoHa <= validade) return null;
      return agora.getTime() - desde.getTime() < REINICIO_MS ? null : desde;
    }
    return temVoz && Math.min(ouvindoHa, agora.getTime() - ouvida.getTime()) > validade ? ouvida : null;
  }

  /** Those that are silent, but for those whose silence a notice in force explains: of these somebody knows. */
  async function mudosDe(tenant: TenantDb, agora: Date): Promise<Mudo[]> {
    const queries = createServidoresQueries(tenant);
    const rows = await queries.servidores();
    const enderecos = rows.map(({ nasipaddress }) => nasipaddress);
    const noticias = await queries.noticias(enderecos);
    const ultimas = await createVisaoQueries(tenant).ultimas(enderecos);
    const comVoz = await servidoresComVoz(db, noticias, intervaloPadraoSegundos);
    const ouvindo = await escutaDesde(db);
    if (ouvindo === null) return [];
    const mudos = rows.flatMap((row): Mudo[] => {
      const { nasipaddress } = row;
      const noticia = noticias.get(nasipaddress) ?? null;
      if (noticia === null) return [];
      const ouvida = fromDatabaseTime(noticia);
      const dele = { ouvida, ultimas: ultimas.get(nasipaddress), temVoz: comVoz.has(nasipaddress) };
      const desde = mudoDesde(dele, ouvindo, agora);
      if (desde === null || agora.getTime() - desde.getTime() > ULTIMAS_MS) return [];
      return [{ row, id: numeroDoNas(nasipaddress), desde }];
    });
    if (mudos.length === 0) return [];
    const avisos = await avisosDe(tenant).abertos();
    const alvos = avisos.flatMap((aviso) =>
      aviso.situacao === 'aberto' && explicaQuedas(aviso, agora) ? aviso.alvos : [],
    );
    return mudos.filter(({ row }) => !alvos.some((alvo) => cobre(alvo, row)));
  }

  return {
    /**
     * Providers of which something may have to be said. Of none while nothing at all is heard: then it is FreeRADIUS or the database that
     * was away, or what is here is a restored backup, and not every server that fell silent. It is kept since when the cell is heard: a gap that
     * is no longer than an interval is over before two are.
     */
    async provedores(): Promise<number[]> {
      const agora = relogio.agora();
      const ultima = await ultimaOuvida(db, agora);
      if (ultima === null || agora.getTime() - ultima.getTime() > escuta) return [];
      await anotarEscuta(db, ultima, falhaSegundos);
      return provedoresComServidores(db);
    },

    /**
     * Tells of the servers of one provider, all of them at once: of each silence once, and of each server at most once in six hours,
     * however often it comes and goes.
     */
    async avisar(actor: Actor, provedorId: number): Promise<{ mais: boolean }> {
      const agora = relogio.agora();
      const tenant = createTenantDb(db, provedorId);
      const mudos = await mudosDe(tenant, agora);
      if (mudos.length === 0) return { mais: false };
      const ditos = await ditosDesde(tenant, [TIPO], new Date(agora.getTime() - ULTIMAS_MS - DE_NOVO_MS));
      const haPouco = toDatabaseTime(new Date(agora.getTime() - DE_NOVO_MS));
      const porDizer = mudos.filter(
        ({ id, desde }) =>
          !ditos.some(
            (dito) => dito.recurso_id === id && (dito.criado_em > haPouco || dito.quando === toDatabaseTime(desde)),
          ),
      );
      if (porDizer.length === 0) return { mais: false };
      await write(actor, provedorId, async (w) => {
        const coisas = porDizer.map(({ id, desde }) => ({ tipo: TIPO, recurso_id: id, quando: toDatabaseTime(desde) }));
        const ditas = new Set((await dizerUmaVezCada(w, coisas, agora)).map(({ recurso_id }) => recurso_id));
        const novos = porDizer.filter(({ id }) => ditas.has(id));
        const emOrdem = novos.toSorted((a, b) => a.desde.getTime() - b.desde.getTime());
        const [primeiro] = emOrdem;
        if (primeiro === undefined) return;
        await tocarSino(w, toquesDe(emOrdem), agora);
        w.emit('nas.silenciaram', null, {
          nas: novos.map(({ row }) => row.nasipaddress),
          nomes: novos.map(({ row }) => row.nome ?? row.nasipaddress),
          desde: primeiro.desde.toISOString(),
        });
      });
      return { mais: false };
    },
  };
}
