import type { AppSession } from '../../../access/callers.ts';
import type { Dominio } from '../../../domain/dominio.ts';
import { compararServidores } from '../../../domain/rede/visao/visao.regras.ts';
import type { ServidorVisto } from '../../../domain/rede/visao/visao.types.ts';
import type { Place } from '../../../platform/paging/page-marks.ts';
import type { Slice } from '../../../platform/paging/pages.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import { exigirTudo } from '../client/comum.ts';
import { comCursor, rota } from '../rota.ts';
import { apresentarAviso } from './avisos.ts';
import { apresentarServidor, apresentarTopologia, apresentarVisao } from './network.presenter.ts';
import {
  consultaDeServidores,
  exemploServer,
  exemploTopology,
  serverSchema,
  topologySchema,
} from './network.schemas.ts';
import { exemploOverview, overviewSchema } from './overview.schemas.ts';

const DA_REDE = { chave: 'rede:leitura', equipe: 'rede.ver' } as const;
const GRUPO = 'Rede';

export const rotasDaRede = [
  rota.get({
    path: '/network/overview',
    permission: { ...DA_REDE, cliente: true },
    group: GRUPO,
    summary: 'Lê o estado da rede em números',
    description:
      'O assinante recebe o dos seus contratos. Quedas por dia são as dos servidores, por hora; o dia é o do provedor.',
    reading: 'record',
    data: overviewSchema,
    example: exemploOverview,
    errors: ['nao_encontrado'],
    run: async ({ session, domain }) => ({
      data:
        session.kind === 'cliente'
          ? await lerDoAssinante(domain, session)
          : apresentarVisao(await domain.visaoDaRede.visao()),
    }),
  }),
  rota.get({
    path: '/network/servers',
    permission: DA_REDE,
    group: GRUPO,
    summary: 'Lista os servidores, por nome',
    reading: 'person',
    paged: true,
    cursor: true,
    query: consultaDeServidores,
    data: { type: 'array', items: serverSchema },
    example: [exemploServer],
    async run({ query: { pop_id: pop, status, limit }, after, domain }) {
      const { servidores } = await domain.visaoDaRede.servidores();
      const achados = servidores.filter(
        (um) => (pop === undefined || um.pop?.id === pop) && (status === undefined || um.estado === status),
      );
      return comCursor(aPartirDe(achados, after, limit), limit, apresentarServidor);
    },
  }),
  rota.get({
    path: '/network/topology',
    permission: DA_REDE,
    group: GRUPO,
    summary: 'Lê a árvore da rede',
    description: 'Do provedor aos POPs, e deles aos servidores; os servidores sem POP pendem do provedor.',
    reading: 'record',
    data: topologySchema,
    example: exemploTopology,
    run: async ({ domain }) => ({ data: apresentarTopologia(await domain.visaoDaRede.topologia()) }),
  }),
];

/** The servers after a place, which is a server's name and address. */
function aPartirDe(todos: readonly ServidorVisto[], place: Place | null, limit: number): Slice<ServidorVisto> {
  const [nome, endereco] = place ?? [];
  const lugar = { nome: nome === undefined || nome === '' ? null : String(nome), endereco: String(endereco) };
  const depois = place === null ? todos : todos.filter((um) => compararServidores(um, lugar) > 0);
  const itens = depois.slice(0, limit);
  const ultimo = itens.at(-1);
  const next = depois.length > limit && ultimo !== undefined ? [ultimo.nome ?? '', ultimo.endereco] : null;
  return { itens, total: todos.length, next };
}

async function lerDoAssinante(domain: Dominio, session: AppSession): Promise<TypeOf<typeof overviewSchema>> {
  const { cadastros, contratos } = await exigirTudo(domain, session);
  const ids = cadastros.map(({ id }) => id);
  const [linhas, avisos] = await Promise.all([
    domain.linhasDoAssinante.linhas(ids),
    domain.linhasDoAssinante.avisos(ids),
  ]);
  return {
    contracts: contratos.map(({ id, conexao }) => {
      const { servidor = null, quedas7Dias = 0 } = linhas.get(id) ?? {};
      return {
        id,
        connection: conexao,
        server: servidor === null ? null : { name: servidor.nome },
        drops_7_days: quedas7Dias,
      };
    }),
    notices: avisos.map((aviso) => apresentarAviso(aviso, aviso.contratoIds)),
    as_of: session.at.toISOString(),
  };
}
