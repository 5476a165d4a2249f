import type { AcessoDoCliente } from '../../../../domain/acessos/acessos.service.ts';
import type { Atendimento } from '../../../../domain/atendimentos/atendimentos.types.ts';
import type { Chamado } from '../../../../domain/chamados/chamados.types.ts';
import type { Cliente } from '../../../../domain/clientes/clientes.types.ts';
import type { LinhaDoContrato } from '../../../../domain/contratos/ficha/linhas.queries.ts';
import { SITUACOES_DE_CANCELADO } from '../../../../domain/contratos/contratos.types.ts';
import type { Contrato } from '../../../../domain/contratos/contratos.types.ts';
import type { DesbloqueioPossivel } from '../../../../domain/desbloqueios/leitura.service.ts';
import type { Dominio } from '../../../../domain/dominio.ts';
import type { Excedente } from '../../../../domain/faturas/ajustes/excedentes.service.ts';
import type { PaginaDaLista } from '../../../../domain/faturas/lista/lista.types.ts';
import type { NfcomDaFatura } from '../../../../domain/nfcom/nfcom.types.ts';
import type { ResumoFinanceiro } from '../../../../domain/faturas/lista/resumo.service.ts';
import type { Promessa } from '../../../../domain/promessas/promessas.types.ts';
import { sugestaoDe } from '../../../../domain/resumo/resumo.regras.ts';
import type { Sugestao } from '../../../../domain/resumo/resumo.regras.ts';
import type { Aviso } from '../../../../domain/rede/avisos/avisos.types.ts';
import type { HistoricoDaLinha } from '../../../../domain/rede/linha/linha.types.ts';
import { naoEncontrado } from '../../recusas.ts';
import { pode } from '../../sessao.ts';
import type { Sessao } from '../../sessao.ts';

/** What every view of a client shows. */
export interface Cabeca {
  readonly sessao: Sessao;
  readonly agora: Date;
  readonly cliente: Cliente;
  /** To the app. */
  readonly acesso: AcessoDoCliente;
  /** Open tickets, the newest first, and how many there are; null for who does not see tickets. */
  readonly chamados: { readonly itens: readonly Chamado[]; readonly total: number } | null;
}

export interface LinhasDoCliente {
  readonly linhas: ReadonlyMap<number, LinhaDoContrato>;
  readonly avisos: ReadonlyMap<number, readonly Aviso[]>;
  readonly desbloqueios: ReadonlyMap<number, DesbloqueioPossivel>;
}

/** What a client owes and paid, and what was paid too much. */
export interface Financeiro extends ResumoFinanceiro {
  readonly sobras: readonly Excedente[];
}

/** Beside it, what the first view shows. What the user may not see is null, and not read. */
export interface Resumo extends LinhasDoCliente {
  /** What most likely answers a call of the client's. */
  readonly sugestao: Sugestao;
  /** Open promises of payment, by the contract; none for who does not see invoices. */
  readonly promessas: ReadonlyMap<number, Promessa>;
  /** The last contacts; null for who does not see tickets. */
  readonly atendimentos: readonly Atendimento[] | null;
  readonly financeiro: Financeiro | null;
  readonly conexao: ConexaoEscolhida | null;
}

/** The one contract whose line is drawn. */
export interface ConexaoEscolhida {
  readonly contrato: Contrato;
  readonly historico: HistoricoDaLinha;
}

export interface FaturasComNotas extends PaginaDaLista {
  readonly notas: ReadonlyMap<number, NfcomDaFatura> | null;
}

const MAIS_CHAMADOS = 10;
const ULTIMOS_ATENDIMENTOS = 5;

/** @throws Recusado where the provider has no such client */
export async function lerCabeca(dominio: Dominio, sessao: Sessao, agora: Date, id: number): Promise<Cabeca> {
  const [cliente, chamados] = await Promise.all([
    dominio.clientes.buscarPorId(id),
    pode(sessao, 'chamados.ver')
      ? dominio.chamados.listar({ clienteId: id, situacao: 'em_aberto' }, { pagina: 1, porPagina: MAIS_CHAMADOS })
      : null,
  ]);
  if (cliente === null) throw naoEncontrado();
  return { sessao, agora, cliente, chamados, acesso: await dominio.acessosAoApp.doCliente(cliente) };
}

export async function lerLinhas(dominio: Dominio, { id, contratos }: Cliente): Promise<LinhasDoCliente> {
  if (contratos.length === 0) return { linhas: new Map(), avisos: new Map(), desbloqueios: new Map() };
  const [linhas, avisos, desbloqueios] = await Promise.all([
    dominio.fichas.linhasDoCliente(id),
    dominio.avisosDeRede.doCliente(id),
    dominio.desbloqueios.situacoesDosClientes([id]),
  ]);
  return { linhas, avisos, desbloqueios };
}

/** Of the contract that was chosen or, else, of the first that is not cancelled and has a login. */
export async function lerConexao(
  dominio: Dominio,
  { contratos }: Cliente,
  escolhido: number | undefined,
): Promise<ConexaoEscolhida | null> {
  const contrato =
    contratos.find(({ id }) => id === escolhido) ??
    contratos.find(({ situacao, login }) => !SITUACOES_DE_CANCELADO.includes(situacao) && login !== null) ??
    contratos[0];
  if (contrato === undefined) return null;
  const historico = await dominio.linhas.historico(contrato.id);
  return historico === null ? null : { contrato, historico };
}

/** Invoices of the client, each with its fiscal note, for who sees notes. */
export async function lerFaturas(
  dominio: Dominio,
  { sessao, cliente }: Cabeca,
  depois: string | null,
): Promise<FaturasComNotas> {
  const pagina = await dominio.listaDeFaturas.listar({ clienteId: cliente.id }, depois);
  const notas = pode(sessao, 'nfcom.ver') ? await dominio.nfcom.porFatura(pagina.itens.map(({ id }) => id)) : null;
  return { ...pagina, notas };
}

async function lerFinanceiro(dominio: Dominio, { id }: Cliente): Promise<Financeiro> {
  const [resumo, sobras] = await Promise.all([dominio.resumoFinanceiro.buscar(id), dominio.excedentes.doCliente(id)]);
  return { ...resumo, sobras };
}

export async function lerResumo(
  dominio: Dominio,
  { sessao, cliente, chamados }: Cabeca,
  escolhido: number | undefined,
): Promise<Resumo> {
  const veChamados = pode(sessao, 'chamados.ver');
  const veFaturas = pode(sessao, 'faturas.ver');
  const [linhas, financeiro, conexao, promessas, atendimentos] = await Promise.all([
    lerLinhas(dominio, cliente),
    veFaturas ? lerFinanceiro(dominio, cliente) : null,
    pode(sessao, 'conexao.ver') ? lerConexao(dominio, cliente, escolhido) : null,
    veFaturas ? dominio.promessas.abertas([cliente.id]) : new Map<number, Promessa>(),
    veChamados
      ? dominio.atendimentos.listarDoCliente(cliente.id, { pagina: 1, porPagina: ULTIMOS_ATENDIMENTOS })
      : null,
  ]);
  const contratos = cliente.contratos.flatMap((contrato) => {
    const desbloqueio = linhas.desbloqueios.get(contrato.id);
    return desbloqueio === undefined ? [] : [{ contrato, desbloqueio }];
  });
  const sugestao = sugestaoDe({ contratos, faturas: financeiro?.abertas ?? null, chamados: chamados?.itens ?? null });
  return { ...linhas, financeiro, conexao, sugestao, promessas, atendimentos: atendimentos?.itens ?? null };
}
