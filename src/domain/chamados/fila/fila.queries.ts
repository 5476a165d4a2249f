import type { Knex } from 'knex';
import { ID, columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { COLUNAS_DO_CONTRATO_COM_CONEXAO } from '../../conexoes/conexoes.types.ts';
import type { ContratoConexaoRow } from '../../conexoes/conexoes.types.ts';
import { chamadosDoAviso } from '../../rede/avisos/chamados.service.ts';
import { COLUNAS_DE_PERFIL } from '../../usuarios/perfis/perfis.types.ts';
import type { PerfilRow } from '../../usuarios/perfis/perfis.types.ts';
import { PRIORIDADES_DE_CHAMADO } from '../chamados.types.ts';
import type { Lugar } from './lugar.regras.ts';
import { COLUNAS_DA_FILA } from './fila.types.ts';
import type { FilaRow, FiltroDaFila } from './fila.types.ts';
import { SITUACOES_DE_CANCELADO } from '../../contratos/contratos.types.ts';

export interface EntradaRow {
  id: number;
  acao: string;
  descricao: string | null;
  autor: string | null;
  usuario_id: number | null;
  ocorrido_em: string;
}

const DO_HISTORICO = columns<EntradaRow>('chamados_historico', {
  id: true,
  acao: true,
  descricao: true,
  autor: true,
  usuario_id: true,
  ocorrido_em: true,
});
const DAS_NOTAS = columns<EntradaRow>('chamados_notas', DO_HISTORICO.of);
const PRIMEIRO = columns<{ cliente_id: number; primeiro: number }>('contratos', {
  cliente_id: true,
  primeiro: 'MIN(contratos.id)',
});
const DE_QUEM_ABRIU = columns<{ id: number; nome: string }>('abriu', { id: true, nome: true });

const TOTAL = expressions<{ total: number }>({ total: 'COUNT(*)' });

interface UsuarioRow {
  id: number;
  nome: string;
}
const DA_EQUIPE = columns<UsuarioRow>('usuarios', { id: true, nome: true });

interface SomasRow {
  responsavel_id: number | null;
  abertos: number;
  esperando: string | number | null;
}
const SOMAS = columns<SomasRow>('chamados', {
  responsavel_id: true,
  abertos: 'COUNT(*)',
  esperando: 'SUM(espera_equipe = 1)',
});

export function createFilaQueries(tenant: TenantDb) {
  // Left joins, though the rows are there: the server then cannot begin with another table than that of the queue.
  const comNomes = (indice: string): Knex.QueryBuilder =>
    tenant
      .from('chamados', indice)
      .leftJoin('clientes', sameTenant('chamados', 'cliente_id', 'clientes', 'id'))
      .leftJoin('usuarios', sameTenant('chamados', 'responsavel_id', 'usuarios', 'id'));

  return {
    /** `entre`: from when on, and until before when, it was opened or, among the closed ones, closed. */
    async listar(
      filtro: FiltroDaFila,
      depois: Lugar | null,
      limite: number,
      entre: readonly [de: string, ate: string] | null = null,
    ): Promise<FilaRow[]> {
      const { visao, usuarioId, situacao, categoria, origem, responsavel, esperando, aviso } = filtro;
      const fechados = visao === 'fechados';
      const doDia = visao === 'dia';
      const quando = fechados ? 'chamados.fechado_em' : 'chamados.aberto_em';
      const deUm = visao === 'meus' ? usuarioId : typeof responsavel === 'number' ? responsavel : undefined;
      const daFila = deUm === undefined ? 'chamados_fila' : 'chamados_responsavel';
      const doLugar = doDia ? 'chamados_numeros' : fechados ? 'chamados_fechamento' : daFila;
      const query = comNomes(aviso === undefined || doDia ? doLugar : 'chamados_desde');
      if (!doDia) query.where('chamados.em_aberto', fechados ? 0 : 1);
      if (entre !== null) query.where(quando, '>=', entre[0]).where(quando, '<', entre[1]);
      if (deUm !== undefined) query.where('chamados.responsavel_id', deUm);
      if (responsavel === 'ninguem') query.whereNull('chamados.responsavel_id');
      if (situacao !== undefined) query.where('chamados.situacao', situacao);
      if (categoria !== undefined) query.where('chamados.categoria', categoria);
      if (origem !== undefined) query.where('chamados.origem', origem);
      if (esperando === true) query.where('chamados.espera_equipe', 1);
      if (aviso !== undefined) chamadosDoAviso(tenant, query, aviso);
      if (depois !== null) {
        query.where((q) => {
          if (fechados || doDia) antesDe(q, quando, depois);
          else aposAberto(q, depois);
        });
      }
      const ordem =
        fechados || doDia
          ? [
              { column: quando, order: 'desc' },
              { column: 'chamados.id', order: 'desc' },
            ]
          : [
              { column: 'chamados.prioridade', order: 'desc' },
              { column: 'chamados.aberto_em' },
              { column: 'chamados.id' },
            ];
      return rowsOf(query.orderBy(ordem).limit(limite), COLUNAS_DA_FILA);
    },

    /** The open tickets of each responsible person, and of nobody, from the index alone. */
    contar: async (): Promise<SomasRow[]> =>
      rowsOf(tenant.from('chamados', 'chamados_fila').where('em_aberto', 1).groupBy('responsavel_id'), SOMAS),

    /** How many are open, from the index alone. */
    async abertos(): Promise<number> {
      const [row] = await rowsOf(tenant.from('chamados', 'chamados_fila').where('em_aberto', 1), TOTAL);
      return row?.total ?? 0;
    },

    /** The newest ticket's id; 0 when there is none. */
    async ultimo(): Promise<number> {
      const [row] = await rowsOf(tenant.from('chamados', 'PRIMARY').orderBy('id', 'desc').limit(1), ID);
      return row?.id ?? 0;
    },

    /** Who has not left, with what his profile lets him do. */
    async equipe(): Promise<(UsuarioRow & PerfilRow)[]> {
      const ativos = tenant
        .from('usuarios')
        .join('perfis', sameTenant('usuarios', 'perfil_id', 'perfis', 'id'))
        .where('usuarios.ativo', 1);
      return rowsOf(ativos.orderBy(['usuarios.nome', 'usuarios.id']), DA_EQUIPE, COLUNAS_DE_PERFIL);
    },

    /** Visits that begin from an instant on, and before another. */
    async agenda(de: string, ate: string, responsavelId: number | undefined, limite: number): Promise<FilaRow[]> {
      const visitas = comNomes('chamados_agenda')
        .where('chamados.agendado_para', '>=', de)
        .where('chamados.agendado_para', '<', ate);
      if (responsavelId !== undefined) visitas.where('chamados.responsavel_id', responsavelId);
      return rowsOf(visitas.orderBy(['chamados.agendado_para', 'chamados.id']).limit(limite), COLUNAS_DA_FILA);
    },

    async buscar(id: number): Promise<FilaRow | undefined> {
      const [row] = await rowsOf(comNomes('PRIMARY').where('chamados.id', id), COLUNAS_DA_FILA);
      return row;
    },

    /** Who of the staff opened it, if anybody did. */
    async quemAbriu(id: number): Promise<{ id: number; nome: string } | undefined> {
      const dele = tenant.from('chamados').where('chamados.id', id);
      const [row] = await rowsOf(
        dele.join('usuarios as abriu', sameTenant('chamados', 'aberto_por_usuario', 'abriu', 'id')),
        DE_QUEM_ABRIU,
      );
      return row;
    },

    /** What everybody may see happened, oldest first. */
    async historico(chamadoId: number): Promise<EntradaRow[]> {
      const dele = tenant.from('chamados_historico').where('chamado_id', chamadoId);
      return rowsOf(dele.orderBy(['ocorrido_em', 'id']), DO_HISTORICO);
    },

    /** What is for the staff alone, oldest first. */
    async notas(chamadoId: number): Promise<EntradaRow[]> {
      const dele = tenant.from('chamados_notas').where('chamado_id', chamadoId);
      return rowsOf(dele.orderBy(['ocorrido_em', 'id']), DAS_NOTAS);
    },

    /** The first contract of each client that is not cancelled. */
    async primeirosContratos(clientes: readonly number[]): Promise<{ cliente_id: number; primeiro: number }[]> {
      const deles = tenant
        .from('contratos', 'contratos_cliente')
        .whereIn('contratos.cliente_id', [...clientes])
        .whereNotIn('contratos.situacao', SITUACOES_DE_CANCELADO);
      return rowsOf(deles.groupBy('contratos.cliente_id'), PRIMEIRO);
    },

    async conexoes(contratos: readonly number[]): Promise<ContratoConexaoRow[]> {
      const deles = tenant
        .from('contratos')
        .leftJoin('conexoes', sameTenant('contratos', 'id', 'conexoes', 'contrato_id'))
        .whereIn('contratos.id', [...contratos]);
      return rowsOf(deles, COLUNAS_DO_CONTRATO_COM_CONEXAO);
    },
  };
}

/** Less urgent, or as urgent and opened later. Priorities are named: the server compares unequal ones as texts. */
function aposAberto(q: Knex.QueryBuilder, { prioridade, em, id }: Lugar): void {
  const menores = PRIORIDADES_DE_CHAMADO.slice(0, PRIORIDADES_DE_CHAMADO.indexOf(prioridade));
  q.where((mesma) => {
    mesma.where('chamados.prioridade', prioridade).where((tempo) => {
      tempo.where('chamados.aberto_em', '>', em ?? '');
      tempo.orWhere((igual) => void igual.where('chamados.aberto_em', em ?? '').where('chamados.id', '>', id));
    });
  });
  if (menores.length > 0) q.orWhereIn('chamados.prioridade', [...menores]);
}

/** Opened or closed before. One that was closed by SQL may not say when, and comes last. */
function antesDe(q: Knex.QueryBuilder, quando: string, { em, id }: Lugar): void {
  const semHora = (nulo: Knex.QueryBuilder): Knex.QueryBuilder => nulo.whereNull(quando);
  if (em === null) {
    semHora(q).where('chamados.id', '<', id);
    return;
  }
  q.where(quando, '<', em);
  q.orWhere((igual) => void igual.where(quando, em).where('chamados.id', '<', id));
  q.orWhere((nulo) => void semHora(nulo));
}
