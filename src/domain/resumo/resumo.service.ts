import { somarDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { LeituraDeAtendimentosService } from '../atendimentos/leitura.service.ts';
import type { ChamadosService } from '../chamados/chamados.service.ts';
import type { Chamado } from '../chamados/chamados.types.ts';
import { estaFechado } from '../chamados/transicoes.regras.ts';
import type { ClientesService } from '../clientes/clientes.service.ts';
import type { Cliente, FiltroClientes } from '../clientes/clientes.types.ts';
import type { ConexoesService } from '../conexoes/conexoes.service.ts';
import type { ConexaoDetalhe } from '../conexoes/detalhe/detalhe.types.ts';
import type { Contrato } from '../contratos/contratos.types.ts';
import type { DesbloqueioPossivel, LeituraDeDesbloqueiosService } from '../desbloqueios/leitura.service.ts';
import type { FaturasService } from '../faturas/faturas.service.ts';
import type { Fatura } from '../faturas/faturas.types.ts';
import type { Promessa } from '../promessas/promessas.types.ts';
import { linhasDoResumo } from './linhas.queries.ts';
import type { LinhaDoResumoRow } from './linhas.queries.ts';
import { contratosADizer, sugestaoDe } from './resumo.regras.ts';
import type { Sugestao } from './resumo.regras.ts';

export type ResumoService = ReturnType<typeof createResumoService>;

export interface ResumoDeps {
  readonly clientes: Pick<ClientesService, 'maisNovos' | 'doContrato' | 'buscarPorId'>;
  readonly atendimentos: Pick<LeituraDeAtendimentosService, 'buscarPorProtocolo'>;
  readonly tenant: TenantDb;
  readonly relogio: Relogio;
  readonly conexoes: Pick<ConexoesService, 'janela' | 'detalhe'>;
  readonly desbloqueios: Pick<LeituraDeDesbloqueiosService, 'situacoesDe'>;
  readonly faturas: Pick<FaturasService, 'abertasDosClientes'>;
  readonly chamados: Pick<ChamadosService, 'emAbertoDosClientes' | 'buscarPorId'>;
}

/** Who is on the line; one of them. */
export type QuemChama =
  { readonly pessoa: FiltroClientes } | { readonly contratoId: number } | { readonly protocolo: string };

/** What whoever asks may read besides clients and contracts. */
export interface OQueLe {
  readonly faturas: boolean;
  readonly chamados: boolean;
}

export interface ContratoResumido {
  readonly contrato: Contrato;
  readonly conexao: ConexaoDetalhe;
  readonly desbloqueio: DesbloqueioPossivel;
  readonly promessa: Promessa | null;
}

/** What there is to say to a subscriber who calls. */
export interface Resumo {
  readonly cliente: Cliente;
  /** At most {@link MAIS_CONTRATOS}, as `contratosADizer` chooses them; what is suggested is by these. */
  readonly contratos: readonly ContratoResumido[];
  /** The oldest due first, at most {@link MAIS_FATURAS}; null, as the sums: whoever asks may not read them. */
  readonly faturasAbertas: readonly Fatura[] | null;
  /** What is owed today of all open invoices that are overdue, and of all. */
  readonly totalVencido: Centavos | null;
  readonly totalAberto: Centavos | null;
  /** The newest, at most {@link MAIS_CHAMADOS}; the one that was asked for is among them if it is open. */
  readonly chamadosEmAberto: readonly Chamado[] | null;
  readonly sugestao: Sugestao;
}

const MAIS_CADASTROS = 20;
const MAIS_FATURAS = 24;
const MAIS_CONTRATOS = 100;
const MAIS_CHAMADOS = 100;

/** Who was found, and the contract and the ticket by which. */
interface Achados {
  readonly clientes: readonly Cliente[];
  readonly contratoId: number | null;
  readonly chamadoId: number | null;
}

/** One answer for one call; the number of statements does not depend on how many contracts and invoices there are. */
export function createResumoService(deps: ResumoDeps) {
  const { tenant, relogio, clientes, atendimentos, conexoes, desbloqueios, faturas, chamados } = deps;

  async function achar(quem: QuemChama): Promise<Achados> {
    if ('pessoa' in quem) {
      return { clientes: await clientes.maisNovos(quem.pessoa, MAIS_CADASTROS), contratoId: null, chamadoId: null };
    }
    if ('contratoId' in quem) {
      return { clientes: await clientes.doContrato(quem.contratoId), contratoId: quem.contratoId, chamadoId: null };
    }
    const {
      clienteId = null,
      contratoId = null,
      chamadoId = null,
    } = (await atendimentos.buscarPorProtocolo(quem.protocolo)) ?? {};
    const cliente = clienteId === null ? null : await clientes.buscarPorId(clienteId);
    return { clientes: cliente === null ? [] : [cliente], contratoId, chamadoId };
  }

  /** Open tickets of some registrations; the one that was asked for takes the place of the last that fits. */
  async function lerChamados({ clientes: deles, chamadoId }: Achados): Promise<readonly Chamado[]> {
    const emAberto = await chamados.emAbertoDosClientes(
      deles.map(({ id }) => id),
      MAIS_CHAMADOS,
    );
    if (chamadoId === null || emAberto.some(({ id }) => id === chamadoId)) return emAberto;
    const pedido = await chamados.buscarPorId(chamadoId);
    if (pedido === null || estaFechado(pedido.situacao)) return emAberto;
    return [...emAberto.slice(0, MAIS_CHAMADOS - 1), pedido];
  }

  /** Of contracts, by their ids: what is said of them besides themselves. */
  async function lerLinhas(
    contratoIds: readonly number[],
  ): Promise<ReadonlyMap<number, Omit<ContratoResumido, 'contrato'>>> {
    const agora = relogio.agora();
    const rows = await linhasDoResumo(tenant, contratoIds, conexoes.janela(agora));
    const possiveis = await desbloqueios.situacoesDe(rows);
    return new Map(
      rows.flatMap((row) => {
        const desbloqueio = possiveis.get(row.id);
        if (desbloqueio === undefined) return [];
        return [[row.id, { conexao: conexoes.detalhe(row, agora), desbloqueio, promessa: promessaDe(row) }]];
      }),
    );
  }

  return {
    /** Of each registration that is found, the newest first, at most {@link MAIS_CADASTROS}. */
    async buscar(quem: QuemChama, le: OQueLe): Promise<Resumo[]> {
      const achados = await achar(quem);
      if (achados.clientes.length === 0) return [];
      const ids = achados.clientes.map(({ id }) => id);
      const ditosDe = new Map(
        achados.clientes.map(({ id, contratos }) => [
          id,
          contratosADizer(contratos, achados.contratoId, MAIS_CONTRATOS),
        ]),
      );
      const contratoIds = [...ditosDe.values()].flatMap((contratos) => contratos.map(({ id }) => id));
      const [linhas, abertas, emAberto] = await Promise.all([
        lerLinhas(contratoIds),
        le.faturas ? faturas.abertasDosClientes(ids) : null,
        le.chamados ? lerChamados(achados) : null,
      ]);
      return achados.clientes.map((cliente) => {
        // One that was written between two statements is there when it is asked for again.
        const contratos = (ditosDe.get(cliente.id) ?? []).flatMap((contrato): ContratoResumido[] => {
          const linha = linhas.get(contrato.id);
          return linha === undefined ? [] : [{ contrato, ...linha }];
        });
        const suas = abertas?.filter(({ clienteId }) => clienteId === cliente.id) ?? null;
        const seus = emAberto?.filter(({ clienteId }) => clienteId === cliente.id) ?? null;
        const vencidas = suas?.filter(({ situacao }) => situacao === 'vencida') ?? null;
        return {
          cliente,
          contratos,
          faturasAbertas: suas?.slice(0, MAIS_FATURAS) ?? null,
          totalVencido: somar(vencidas),
          totalAberto: somar(suas),
          chamadosEmAberto: seus,
          sugestao: sugestaoDe({ contratos, faturas: suas, chamados: seus }),
        };
      });
    },
  };
}

function promessaDe({
  contrato_id,
  promessa_id: id,
  promessa_data: data,
  promessa_em: em,
}: LinhaDoResumoRow): Promessa | null {
  if (id === null || data === null || em === null) return null;
  return { id, contratoId: contrato_id, data, registradaEm: fromDatabaseTime(em) };
}

const somar = (faturas: readonly Fatura[] | null): Centavos | null =>
  faturas === null ? null : somarDinheiro(...faturas.map(({ aPagar }) => aPagar));
