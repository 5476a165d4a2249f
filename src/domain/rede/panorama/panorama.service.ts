import { hojeEm, inicioDoDiaEm, somarDias } from '../../../brazil/calendario/datas.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { maiorIntervalo } from '../../conexoes/estado.regras.ts';
import type { Memoria } from '../../indicadores/memoria.service.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { TrafegoService } from '../../trafego/trafego.service.ts';
import type { ConsultaDeAvisosService } from '../avisos/consulta.service.ts';
import { COLUNAS_DO_POP } from '../pops/pops.types.ts';
import type { Pop } from '../pops/pops.types.ts';
import { USOS_DE_COA } from '../rede.types.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { createHorasQueries } from './horas.queries.ts';
import { listarOnline } from './online.queries.ts';
import type {
  FiltroDeOnline,
  LinhaOnline,
  LinhaQueCai,
  Panorama,
  Periodo,
  SerieDaRede,
  Servidor,
  ServidorCadastrado,
} from './panorama.types.ts';
import { listarPiores } from './piores.queries.ts';
import { montarSerie, somaDe, trafegoAgora } from './panorama.regras.ts';
import { createServidoresQueries } from './servidores.queries.ts';

export type PanoramaDaRedeService = ReturnType<typeof createPanoramaDaRedeService>;

export interface PanoramaDeps {
  readonly tenant: TenantDb;
  readonly provedor: Pick<Provedor, 'id' | 'fusoHorario'>;
  readonly relogio: Relogio;
  readonly memoria: Memoria;
  readonly intervaloPadraoSegundos: number;
  readonly avisos: Pick<ConsultaDeAvisosService, 'abertos'>;
  readonly trafego: Pick<TrafegoService, 'porHora' | 'porServidor'>;
}

const HORA_MS = 3_600_000;
const POR_PAGINA = 1000;
const DO_NAS = columns<{ pop_id: number | null; nasipaddress: string }>('provedores_nas', {
  pop_id: true,
  nasipaddress: true,
});

/** The network of a provider as staff see it; of this only what many lines are counted for is kept, and for a minute. */
export function createPanoramaDaRedeService(deps: PanoramaDeps) {
  const { tenant, provedor, relogio, memoria, intervaloPadraoSegundos, avisos, trafego } = deps;
  const queries = createServidoresQueries(tenant);
  const horas = createHorasQueries(tenant);

  return {
    /** All servers and the totals, in as many statements however many there are. */
    async panorama(): Promise<Panorama> {
      const agora = relogio.agora();
      const horaAntes = new Date(agora.getTime() - HORA_MS);
      const meiaNoite = inicioDoDiaEm(provedor.fusoHorario, hojeEm(provedor.fusoHorario, agora));
      const rows = await queries.servidores();
      const [{ valor: linhas, de: contadasEm }, quedas, noticias, daHora, doDia, abertos] = await Promise.all([
        memoria.lembrar(provedor.id, 'linhas por servidor', async () => {
          const valor = await queries.linhas();
          return { valor, linhas: valor.reduce((soma, { online, offline }) => soma + online + offline, 0) };
        }),
        queries.quedasDesde(horaAntes),
        queries.noticias(rows.map(({ nasipaddress }) => nasipaddress)),
        trafego.porServidor(`${toDatabaseTime(horaAntes).slice(0, 13)}:00:00`),
        trafego.porHora(toDatabaseTime(meiaNoite)),
        avisos.abertos(),
      ]);
      const porNas = new Map(linhas.map((linha) => [linha.nas, linha]));
      const quedasDe = new Map(quedas.map(({ queda_nas, quedas: total }) => [queda_nas, total]));
      const validade = 2000 * maiorIntervalo(intervaloPadraoSegundos);
      const comecados = abertos.filter(({ situacao }) => situacao === 'aberto');

      const servidores = rows.map((row): Servidor => {
        const { nasipaddress: endereco } = row;
        const ouvida = noticias.get(endereco) ?? null;
        const ultimaNoticia = ouvida === null ? null : fromDatabaseTime(ouvida);
        const silencioso = ultimaNoticia !== null && agora.getTime() > ultimaNoticia.getTime() + validade;
        return {
          endereco,
          nome: row.nome,
          pop:
            row.pop_id === null
              ? null
              : { id: row.pop_id, nome: row.pop_nome ?? '', cidade: row.pop_cidade ?? '', uf: row.pop_uf ?? '' },
          portaCoa: row.porta_coa,
          coa: USOS_DE_COA[row.coa] ?? 'nao',
          portaAte: row.porta_ate,
          estado: ultimaNoticia === null ? 'sem_noticia' : silencioso ? 'silencioso' : 'ativo',
          online: porNas.get(endereco)?.online ?? 0,
          offline: porNas.get(endereco)?.offline ?? 0,
          quedas1h: quedasDe.get(endereco) ?? 0,
          ultimaNoticia,
          trafego: trafegoAgora(
            daHora.filter(({ nas }) => nas === endereco),
            agora,
          ),
          avisosAbertos: comecados.filter(({ alvos }) =>
            alvos.some(
              (alvo) =>
                (alvo.tipo === 'nas' && alvo.nas === endereco) || (alvo.tipo === 'pop' && alvo.id === row.pop_id),
            ),
          ).length,
        };
      });
      return {
        em: agora,
        contadasEm,
        servidores,
        totais: {
          online: linhas.reduce((soma, { online }) => soma + online, 0),
          offline: linhas.reduce((soma, { offline }) => soma + offline, 0),
          quedas1h: quedas.reduce((soma, { quedas: total }) => soma + total, 0),
          avisosAbertos: comecados.length,
          trafegoHoje: { download: somaDe(doDia, 'download'), upload: somaDe(doDia, 'upload') },
        },
      };
    },

    /** All servers by address, of which nothing is counted: for who chooses one. */
    servidores: async (): Promise<ServidorCadastrado[]> =>
      (await queries.servidores()).map(({ nasipaddress, nome, pop_id }) => ({
        endereco: nasipaddress,
        nome,
        popId: pop_id,
      })),

    /** Whether the provider has a server of this address. */
    temServidor: async (endereco: string): Promise<boolean> =>
      (await rowsOf(tenant.from('provedores_nas').where('nasipaddress', endereco), DO_NAS)).length > 0,

    /** Drops, lines online and bytes by the hour, or by the local day for 31 days; of one server or of all. This hour's part is in it. */
    async serie(periodo: Periodo, nas?: string): Promise<SerieDaRede> {
      const agora = relogio.agora();
      const fuso = provedor.fusoHorario;
      const desde =
        periodo === '31d'
          ? inicioDoDiaEm(fuso, somarDias(hojeEm(fuso, agora), -30))
          : new Date(Math.floor(agora.getTime() / HORA_MS) * HORA_MS - (periodo === '24h' ? 23 : 7 * 24 - 1) * HORA_MS);
      const inicio = toDatabaseTime(desde);
      const [rows, porServidor, bytes] = await Promise.all([
        horas.porHora(inicio, nas),
        horas.porServidor(inicio, nas),
        trafego.porHora(inicio, nas),
      ]);
      return {
        periodo,
        passo: periodo === '31d' ? 'dia' : 'hora',
        pontos: montarSerie(rows, bytes, periodo, desde, agora, fuso),
        porServidor: porServidor.map(({ nas: um, quedas }) => ({ nas: um, quedas: quedas })),
      };
    },

    /** The lines that dropped most often in the last seven local days, today included, the worst first; where many did, of a minute ago. */
    async piores(limite: number): Promise<LinhaQueCai[]> {
      const hoje = hojeEm(provedor.fusoHorario, relogio.agora());
      const { valor } = await memoria.lembrar(provedor.id, `piores ${limite} ${hoje}`, async () =>
        listarPiores(tenant, somarDias(hoje, -6), limite),
      );
      return valor;
    },

    /** Up to `limite` lines that are online, by contract; the next page goes on after the last one's id. */
    online: async (filtro: FiltroDeOnline, limite: number): Promise<LinhaOnline[]> =>
      listarOnline(tenant, filtro, limite),

    /** All of them, read in pages while they are asked for. */
    async *todosOnline(filtro: FiltroDeOnline): AsyncGenerator<LinhaOnline> {
      let depoisDe = filtro.depoisDe ?? 0;
      for (;;) {
        const pagina = await listarOnline(tenant, { ...filtro, depoisDe }, POR_PAGINA);
        yield* pagina;
        const ultima = pagina.at(-1);
        if (ultima === undefined || pagina.length < POR_PAGINA) return;
        depoisDe = ultima.contratoId;
      }
    },

    /** POPs by name, with the servers that stand there. */
    async pops(): Promise<Pop[]> {
      const nas = await rowsOf(tenant.from('provedores_nas').whereNotNull('pop_id'), DO_NAS);
      const rows = await rowsOf(tenant.from('pops').orderBy('nome'), COLUNAS_DO_POP);
      return rows.map((row) => ({
        ...row,
        latitude: row.latitude === null ? null : Number(row.latitude),
        longitude: row.longitude === null ? null : Number(row.longitude),
        nas: nas.filter(({ pop_id }) => pop_id === row.id).map(({ nasipaddress }) => nasipaddress),
      }));
    },
  };
}
