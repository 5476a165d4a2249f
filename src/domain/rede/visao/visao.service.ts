import { hojeEm, inicioDoDiaEm, somarDias } from '../../../brazil/calendario/datas.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Trail } from '../../../platform/cache/trail.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { IndicadoresService } from '../../indicadores/indicadores.service.ts';
import type { Memoria } from '../../indicadores/memoria.service.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { AVISOS_TAG } from '../../tags.ts';
import type { TrafegoService } from '../../trafego/trafego.service.ts';
import type { ConsultaDeAvisosService } from '../avisos/consulta.service.ts';
import type { PanoramaDaRedeService } from '../panorama/panorama.service.ts';
import { createVisaoQueries } from './visao.queries.ts';
import { compararServidores, estadoDoServidor, montarTopologia } from './visao.regras.ts';
import type { ServidoresVistos, Topologia, VisaoDaRede } from './visao.types.ts';

export type VisaoDaRedeService = ReturnType<typeof createVisaoDaRedeService>;

export interface VisaoDaRedeDeps {
  readonly tenant: TenantDb;
  readonly provedor: Pick<Provedor, 'id' | 'nome' | 'fusoHorario'>;
  readonly relogio: Relogio;
  readonly memoria: Memoria;
  readonly trail: Trail;
  readonly panorama: Pick<PanoramaDaRedeService, 'panorama' | 'pops'>;
  readonly indicadores: Pick<IndicadoresService, 'linhas'>;
  readonly avisos: Pick<ConsultaDeAvisosService, 'abertos'>;
  readonly trafego: Pick<TrafegoService, 'somaPorServidor'>;
}

/** What RADIUS tells is announced by no write of ours, so an answer about the network is kept for a moment only. */
const VALIDADE_MS = 10_000;

const SEM_TRAFEGO = { download: 0, upload: 0 };

/** The network of a provider as programs see it: the numbers of the panel, in as many statements however many servers there are. */
export function createVisaoDaRedeService(deps: VisaoDaRedeDeps) {
  const { tenant, provedor, relogio, memoria, trail, panorama, indicadores, avisos, trafego } = deps;
  const { fusoHorario: fuso } = provedor;
  const queries = createVisaoQueries(tenant);

  function vale(): void {
    trail.dependsOn(AVISOS_TAG);
    trail.changesAt(new Date(relogio.agora().getTime() + VALIDADE_MS));
  }

  async function ler(): Promise<ServidoresVistos & { readonly totais: Pick<VisaoDaRede, 'quedas' | 'trafegoHoje'> }> {
    const hoje = hojeEm(fuso, relogio.agora());
    const meiaNoite = toDatabaseTime(inicioDoDiaEm(fuso, hoje));
    const { em, contadasEm, servidores, totais } = await panorama.panorama();
    const [quedas, bytes, ultimas] = await Promise.all([
      queries.quedas(toDatabaseTime(inicioDoDiaEm(fuso, somarDias(hoje, -6))), meiaNoite),
      trafego.somaPorServidor(meiaNoite),
      queries.ultimas(servidores.map(({ endereco }) => endereco)),
    ]);
    const quedasDe = new Map(quedas.map((row) => [row.nas, row.hoje]));
    const bytesDe = new Map(bytes.map(({ nas, download, upload }) => [nas, { download, upload }]));
    return {
      em: contadasEm < em ? contadasEm : em,
      servidores: servidores
        .map(({ endereco, nome, pop, portaCoa, estado, online, offline, quedas1h, ultimaNoticia }) => ({
          endereco,
          nome,
          pop: pop === null ? null : { id: pop.id, nome: pop.nome },
          estado: estadoDoServidor(estado, ultimas.get(endereco)),
          online,
          contratos: online + offline,
          quedas1h,
          quedasHoje: quedasDe.get(endereco) ?? 0,
          ultimaNoticia,
          portaCoa,
          trafegoHoje: bytesDe.get(endereco) ?? SEM_TRAFEGO,
        }))
        .toSorted(compararServidores),
      totais: {
        quedas: {
          ultimaHora: totais.quedas1h,
          hoje: quedas.reduce((soma, row) => soma + row.hoje, 0),
          seteDias: quedas.reduce((soma, row) => soma + row.todas, 0),
        },
        trafegoHoje: totais.trafegoHoje,
      },
    };
  }

  return {
    /** Contracts, lines, drops, servers and bytes in numbers, and the notices that are open. */
    async visao(): Promise<VisaoDaRede> {
      vale();
      const [{ em, servidores, totais }, situacoes, linhas, abertos] = await Promise.all([
        ler(),
        memoria.lembrar(provedor.id, 'contratos por situação', async () => {
          const rows = await queries.contratosPorSituacao(['ativo', 'bloqueado', 'pendente']);
          const valor = new Map(rows.map(({ situacao, quantos }) => [situacao, quantos]));
          return { valor, linhas: rows.reduce((soma, { quantos }) => soma + quantos, 0) };
        }),
        indicadores.linhas(),
        avisos.abertos(),
      ]);
      const [ativos = 0, bloqueados = 0, pendentes = 0] = ['ativo', 'bloqueado', 'pendente'].map((uma) =>
        situacoes.valor.get(uma),
      );
      const { online, offline } = linhas.valor;
      const quantos = (estado: string): number => servidores.filter((um) => um.estado === estado).length;
      return {
        em: new Date(Math.min(...[em, situacoes.de, linhas.de].map((um) => um.getTime()))),
        contratos: { ativos, bloqueados, pendentes },
        // Contracts and lines may have been counted at different moments.
        conexoes: { online, offline, desconhecidas: Math.max(0, ativos + bloqueados - online - offline) },
        ...totais,
        servidores: { total: servidores.length, ativos: quantos('ativo'), silenciosos: quantos('silencioso') },
        avisos: abertos,
      };
    },

    async servidores(): Promise<ServidoresVistos> {
      vale();
      const { em, servidores } = await ler();
      return { em, servidores };
    },

    async topologia(): Promise<Topologia> {
      vale();
      const [{ em, servidores }, pops] = await Promise.all([ler(), panorama.pops()]);
      return { em, ...montarTopologia(provedor.nome, pops, servidores) };
    },
  };
}
