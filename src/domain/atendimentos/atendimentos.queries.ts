import type { Knex } from 'knex';
import { columns, expressions, rowsOf } from '../../platform/mysql/columns.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { PageRequest } from '../../platform/paging/pages.ts';
import type { Canal, TipoDeAtendimento } from '../protocolos/protocolos.types.ts';

export interface AtendimentoRow {
  protocolo: string | null;
  tipo: TipoDeAtendimento;
  canal: Canal | null;
  cliente_id: number | null;
  contrato_id: number | null;
  chamado_id: number | null;
  /** Of what somebody noted, or of the ticket. */
  assunto: string | null;
  resumo: string | null;
  autor: string | null;
  aberto_em: string;
  /** Sets apart what is of the same instant. */
  ordem: number;
}

const COMUNS = {
  protocolo: true,
  tipo: true,
  canal: true,
  cliente_id: true,
  contrato_id: true,
  chamado_id: true,
} as const;
const DO_ATENDIMENTO = columns<AtendimentoRow>('a', {
  ...COMUNS,
  assunto: 'COALESCE(a.assunto, ch.assunto)',
  resumo: true,
  autor: true,
  aberto_em: true,
  ordem: 'a.id',
});
const DA_LISTA = columns<AtendimentoRow>('todos', {
  ...COMUNS,
  assunto: true,
  resumo: true,
  autor: true,
  aberto_em: true,
  ordem: true,
});
const QUANTOS = expressions<{ total: number }>({ total: 'COUNT(*)' });

/** A ticket that has no protocol, as a contact; the same columns in the same order as those of {@link DO_ATENDIMENTO}. */
const DE_CHAMADO_ANTIGO = `NULL as protocolo, 'chamado' as tipo, IF(ch.origem = 'app', 'app', NULL) as canal, ch.cliente_id as cliente_id,
  ch.contrato_id as contrato_id, ch.id as chamado_id, ch.assunto as assunto, NULL as resumo, NULL as autor, ch.aberto_em as aberto_em,
  ch.id as ordem`;
/** The same of an unblock. */
const DE_DESBLOQUEIO_ANTIGO = `NULL as protocolo, 'desbloqueio' as tipo, NULL as canal, c.cliente_id as cliente_id, c.id as contrato_id,
  NULL as chamado_id, NULL as assunto, NULL as resumo, NULL as autor, d.aplicado_em as aberto_em, d.id as ordem`;

export function createAtendimentosQueries(tenant: TenantDb) {
  const { db } = tenant;
  const registrados = (): Knex.QueryBuilder =>
    tenant.from('atendimentos as a').leftJoin('chamados as ch', sameTenant('a', 'chamado_id', 'ch', 'id'));
  const doCliente = (clienteId: number) => ({
    registrados: registrados().where('a.cliente_id', clienteId),
    chamados: tenant.from('chamados as ch').where('ch.cliente_id', clienteId).whereNull('ch.protocolo'),
    desbloqueios: tenant
      .from('contratos as c')
      .join('desbloqueios_confianca as d', sameTenant('c', 'id', 'd', 'contrato_id'))
      .where('c.cliente_id', clienteId)
      .whereNull('d.protocolo'),
  });

  return {
    async porProtocolo(protocolo: string): Promise<AtendimentoRow | undefined> {
      const [row] = await rowsOf(registrados().where('a.protocolo', protocolo), DO_ATENDIMENTO);
      return row;
    },

    /** One page of a client's contacts, newest first, and what was done before there were protocols among them; two statements. */
    async listar(
      clienteId: number,
      { pagina, porPagina }: PageRequest,
    ): Promise<{ itens: AtendimentoRow[]; total: number }> {
      const { registrados: deles, chamados, desbloqueios } = doCliente(clienteId);
      const todos = db
        .unionAll([
          deles.select(db.raw(DO_ATENDIMENTO.list)),
          chamados.select(db.raw(DE_CHAMADO_ANTIGO)),
          desbloqueios.select(db.raw(DE_DESBLOQUEIO_ANTIGO)),
        ])
        .as('todos');
      const ordem = (['aberto_em', 'protocolo', 'ordem'] as const).map((column) => ({
        column,
        order: 'desc' as const,
      }));
      const daPagina = db
        .from(todos)
        .orderBy(ordem)
        .limit(porPagina)
        .offset((pagina - 1) * porPagina);
      const partes = doCliente(clienteId);
      const contados = db.unionAll(
        [partes.registrados, partes.chamados, partes.desbloqueios].map((parte) => parte.select(db.raw('1 as um'))),
      );
      const [itens, [contagem]] = await Promise.all([
        rowsOf(daPagina, DA_LISTA),
        rowsOf(db.from(contados.as('contados')), QUANTOS),
      ]);
      return { itens, total: contagem?.total ?? 0 };
    },
  };
}
