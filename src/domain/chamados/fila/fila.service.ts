import { inicioDoDiaEm, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Together } from '../../../platform/timing/together.ts';
import type { EstadoConexao } from '../../conexoes/conexoes.types.ts';
import { estadoDaConexao } from '../../conexoes/estado.regras.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { paraPerfil } from '../../usuarios/perfis/perfis.types.ts';
import { paraChamado } from '../chamados.service.ts';
import { destinosDe } from './destinos.ts';
import { createFilaQueries } from './fila.queries.ts';
import type { EntradaRow } from './fila.queries.ts';
import type {
  Agenda,
  ChamadoDaEquipe,
  ContagemDaFila,
  DetalheDoChamado,
  EntradaDaEquipe,
  FilaRow,
  FiltroDaFila,
  PaginaDaFila,
  Responsavel,
} from './fila.types.ts';
import { escreverLugar, lerLugar } from './lugar.regras.ts';

export type FilaService = ReturnType<typeof createFilaService>;

export interface FilaDeps {
  readonly tenant: TenantDb;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
  readonly intervaloPadraoSegundos: number;
  /** A ticket that comes is asked for by every queue that is open, at the same moment. */
  readonly together: Together;
}

const POR_PAGINA = 50;
const MAIS_VISITAS = 1000;

/** Tickets as the staff sees them. Nothing of this may be kept, or shown to anybody else: it has what the staff notes for itself. */
export function createFilaService({ tenant, provedor, relogio, intervaloPadraoSegundos, together }: FilaDeps) {
  const queries = createFilaQueries(tenant);
  const juntos = async <T>(oque: string, ler: () => Promise<T>): Promise<T> =>
    together(`fila ${provedor.id} ${oque}`, ler);

  /** From when on, and until before when, a local day is. */
  const doDia = (dia: Data): readonly [string, string] => [
    toDatabaseTime(inicioDoDiaEm(provedor.fusoHorario, dia)),
    toDatabaseTime(inicioDoDiaEm(provedor.fusoHorario, somarDias(dia, 1))),
  ];

  /** How the connection of each ticket is now, by its id; two statements, however many there are. */
  async function conexoesDe(rows: readonly FilaRow[]): Promise<ReadonlyMap<number, EstadoConexao>> {
    const semContrato = rows.filter(({ contrato_id }) => contrato_id === null).map(({ cliente_id }) => cliente_id);
    const achados = semContrato.length === 0 ? [] : await queries.primeirosContratos([...new Set(semContrato)]);
    const primeiros = new Map(achados.map(({ cliente_id, primeiro }) => [cliente_id, primeiro]));
    const contratoDe = (row: FilaRow): number | undefined => row.contrato_id ?? primeiros.get(row.cliente_id);
    const ids = new Set(rows.map(contratoDe).filter((id) => id !== undefined));
    const agora = relogio.agora();
    const estados = new Map<number | undefined, EstadoConexao>();
    for (const row of ids.size === 0 ? [] : await queries.conexoes([...ids])) {
      const estado = estadoDaConexao({
        login: row.login,
        temRegistro: row.conexao_contrato_id !== null,
        ouvidaEm: row.ouvida_em === null ? null : fromDatabaseTime(row.ouvida_em),
        intervaloSegundos: row.intervalo_segundos,
        intervaloPadraoSegundos,
        agora,
      });
      estados.set(row.id, estado);
    }
    return new Map(rows.map((row) => [row.id, estados.get(contratoDe(row)) ?? 'desconhecido']));
  }

  return {
    /** One page of 50; `apos` is the `proxima` of the page before. @throws CamposInvalidos for another text */
    async listar(filtro: FiltroDaFila, apos?: string): Promise<PaginaDaFila> {
      const { usuarioId, ...deTodos } = filtro;
      const dele = filtro.visao === 'meus' ? { usuarioId } : {};
      return juntos(JSON.stringify({ ...deTodos, ...dele, apos }), async () => {
        const entre = filtro.dia === undefined ? null : doDia(filtro.dia);
        const rows = await queries.listar(filtro, apos === undefined ? null : lerLugar(apos), POR_PAGINA + 1, entre);
        const daPagina = rows.slice(0, POR_PAGINA);
        const conexoes = await conexoesDe(daPagina);
        const ultima = rows.length > POR_PAGINA ? daPagina.at(-1) : undefined;
        return {
          itens: daPagina.map((row) => ({ ...paraAEquipe(row), conexao: conexoes.get(row.id) ?? 'desconhecido' })),
          proxima: ultima === undefined ? null : escreverLugar(lugarDe(ultima, filtro)),
        };
      });
    },

    /** The first of the open tickets of a filter, up to `limite`, and whether there are more. */
    async primeiros(
      filtro: Omit<FiltroDaFila, 'visao'>,
      limite: number,
    ): Promise<{ itens: ChamadoDaEquipe[]; mais: boolean }> {
      const rows = await queries.listar({ ...filtro, visao: 'fila' }, null, limite + 1);
      return { itens: rows.slice(0, limite).map(paraAEquipe), mais: rows.length > limite };
    },

    /** Where the visits of these are, and whom to call, by the tickets' ids. */
    destinos: async (chamados: readonly ChamadoDaEquipe[]) => destinosDe(tenant, chamados),

    /** What stands on the tabs; `meus` are those of one of the staff. */
    async contar(usuarioId: number): Promise<ContagemDaFila> {
      const [grupos, ultimo] = await juntos('contagem', async () => Promise.all([queries.contar(), queries.ultimo()]));
      const de = (id: number | null): number =>
        grupos.find(({ responsavel_id }) => responsavel_id === id)?.abertos ?? 0;
      return {
        ultimo,
        abertos: grupos.reduce((soma, { abertos }) => soma + abertos, 0),
        meus: de(usuarioId),
        semResponsavel: de(null),
        esperando: grupos.reduce((soma, { esperando }) => soma + Number(esperando ?? 0), 0),
      };
    },

    /** How many are open, for every page. */
    abertos: async (): Promise<number> => juntos('abertos', async () => queries.abertos()),

    /** Who may be given tickets, by name. */
    async responsaveis(): Promise<Responsavel[]> {
      const equipe = await juntos('equipe', async () => queries.equipe());
      return equipe
        .filter((row) => paraPerfil(row).permissoes.includes('chamados.atender'))
        .map(({ id, nome }) => ({ id, nome }));
    },

    /** Visits of `dias` local days from `primeiro` on: 1 is the day, 7 the week; of one of the staff, or of all. */
    async agenda(primeiro: Data, dias: number, responsavelId?: number): Promise<Agenda> {
      const de = inicioDoDiaEm(provedor.fusoHorario, primeiro);
      const ate = inicioDoDiaEm(provedor.fusoHorario, somarDias(primeiro, dias));
      const [inicio, fim] = [toDatabaseTime(de), toDatabaseTime(ate)];
      const rows = await queries.agenda(inicio, fim, responsavelId, MAIS_VISITAS + 1);
      const visitas = rows.slice(0, MAIS_VISITAS).map(paraAEquipe);
      const grupos = [...groupBy(visitas, ({ responsavel }) => responsavel?.id ?? null)].map(([, dele]) => ({
        responsavel: dele[0]?.responsavel ?? null,
        visitas: dele,
      }));
      const porResponsavel = grupos.toSorted((a, b) => porNome(a.responsavel?.nome, b.responsavel?.nome));
      return { de, ate, porResponsavel, cortada: rows.length > MAIS_VISITAS };
    },

    /** A ticket with all that happened to it, internal notes included; null when this tenant has none of that id. */
    async buscar(id: number): Promise<DetalheDoChamado | null> {
      const [row, abriu, publicas, internas] = await Promise.all([
        queries.buscar(id),
        queries.quemAbriu(id),
        queries.historico(id),
        queries.notas(id),
      ]);
      if (row === undefined) return null;
      const conexoes = await conexoesDe([row]);
      return {
        ...paraAEquipe(row),
        conexao: conexoes.get(id) ?? 'desconhecido',
        abertoPor: abriu ?? null,
        historico: [
          ...publicas.map((entrada) => paraEntrada(entrada, false)),
          ...internas.map((nota) => paraEntrada(nota, true)),
        ]
          // Of the same instant, what everybody sees comes first.
          .toSorted((a, b) => a.ocorridoEm.getTime() - b.ocorridoEm.getTime()),
      };
    },
  };
}

function paraEntrada(
  { usuario_id: usuarioId, ocorrido_em, ...entrada }: EntradaRow,
  interno: boolean,
): EntradaDaEquipe {
  return { ...entrada, usuarioId, interno, ocorridoEm: fromDatabaseTime(ocorrido_em) };
}

const lugarDe = ({ prioridade, aberto_em, fechado_em, id }: FilaRow, { visao }: FiltroDaFila) => ({
  prioridade,
  em: visao === 'fechados' ? fechado_em : aberto_em,
  id,
});

/** Who has no name comes last. */
function porNome(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return a.localeCompare(b, 'pt-BR');
}

function paraAEquipe(row: FilaRow): ChamadoDaEquipe {
  const { responsavel_id: id, responsavel_nome: nome } = row;
  return {
    ...paraChamado(row),
    clienteNome: row.cliente_nome,
    origem: row.origem,
    responsavel: id === null ? null : { id, nome: nome ?? '' },
    duracaoMinutos: row.agendado_minutos,
    esperaEquipe: row.espera_equipe === 1,
    versao: fromDatabaseTime(row.versao),
  };
}
