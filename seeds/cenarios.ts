import type { Knex } from 'knex';
import { hojeEm, somarDias } from '../src/brazil/calendario/datas.ts';
import { expressions, rowsOf } from '../src/platform/mysql/columns.ts';
import { toDatabaseTime } from '../src/platform/mysql/database.ts';
import type { Db } from '../src/platform/mysql/database.ts';
import { createTenantDb } from '../src/platform/mysql/tenant.ts';

/** A provider of the demonstration, written. */
export interface ProvedorGravado {
  readonly id: number;
  readonly nome: string;
  readonly panel_host: string;
  readonly fuso_horario: string;
}

/** What to try with a provider. Null where the use of the demonstration has used all cases up. */
export interface Cenarios {
  readonly cliente_cpf: string | null;
  readonly cliente_cnpj: string | null;
  readonly telefone: string | null;
  readonly fatura_vencida: number | null;
  readonly fatura_paga: number | null;
  readonly fatura_pix: number | null;
  readonly fatura_boleto: number | null;
  readonly chamado_aberto: number | null;
  readonly chamado_fechado: number | null;
  /** A contract whose subscriber promised to pay. */
  readonly promessa: number | null;
  /** Of a contact that opened no ticket. */
  readonly protocolo: string | null;
  /** Contracts, one for each answer of the trust unblock. */
  readonly desbloqueio: {
    readonly permitido: number | null;
    readonly manual: number | null;
    readonly nao_bloqueado: number | null;
    readonly fatura_anterior: number | null;
    readonly ativo: number | null;
  };
}

/** Ten days after it, a due date is past any holiday, weekend and grace. */
const ATRASO_CERTO = 10;

/** Looks the scenarios up in the database as it is at `agora`; nothing is remembered from when it was filled. */
export async function lerCenarios(db: Db, provedor: ProvedorGravado, agora: Date): Promise<Cenarios> {
  const tenant = createTenantDb(db, provedor.id);
  const hoje = hojeEm(provedor.fuso_horario, agora);
  const instante = toDatabaseTime(agora);
  // Names of columns and tables, with one tenant in all subqueries.
  const existe = (tabela: string, condicao: string, valores: Knex.RawBinding[] = []): Knex.QueryBuilder =>
    tenant.from(tabela).whereRaw(condicao, valores);
  const vencida = 'f.contrato_id = contratos.id AND f.grupo = ? AND f.vencimento < ?';

  const clientes = (tipo: string): Knex.QueryBuilder =>
    tenant
      .from('clientes')
      .where({ situacao: 'ativo', tipo })
      .whereNotExists(existe('clientes as c', 'c.cpf_cnpj = clientes.cpf_cnpj AND c.id <> clientes.id'))
      .whereExists(existe('contratos as k', 'k.cliente_id = clientes.id'))
      .orderBy('id');
  const abertas = (): Knex.QueryBuilder => tenant.from('faturas').where('grupo', 'aberta');
  const contratos = (): Knex.QueryBuilder => tenant.from('contratos').orderBy('id');
  const bloqueados = (origem: string): Knex.QueryBuilder =>
    contratos().where({ situacao: 'bloqueado', bloqueio_origem: origem });
  const emVigor = existe(
    'desbloqueios_confianca as v',
    'v.contrato_id = contratos.id AND v.encerrado_em IS NULL AND v.ate >= ?',
    [instante],
  );
  const usado = existe('desbloqueios_confianca as u', 'u.contrato_id = contratos.id');

  return {
    cliente_cpf: await primeiro<string>(clientes('pf'), 'cpf_cnpj'),
    cliente_cnpj: await primeiro<string>(clientes('pj'), 'cpf_cnpj'),
    telefone: await primeiro<string>(
      tenant
        .from('clientes_telefones as t')
        .whereRaw('CHAR_LENGTH(t.numero) BETWEEN 10 AND 11')
        .whereNotExists(existe('clientes_telefones as o', 'o.ultimos_oito = t.ultimos_oito AND o.id <> t.id'))
        .whereExists(existe('clientes as c', "c.id = t.cliente_id AND c.situacao = 'ativo'"))
        .orderBy('t.id'),
      't.numero',
    ),
    fatura_vencida: await primeiro<number>(
      abertas()
        .whereNotNull('pix_copia_cola')
        .where('vencimento', '<=', somarDias(hoje, -ATRASO_CERTO))
        .orderBy([{ column: 'vencimento', order: 'desc' }, 'id']),
      'id',
    ),
    fatura_paga: await primeiro<number>(
      tenant.from('faturas').where('grupo', 'paga').whereNotNull('pago_em').orderBy('emitida_em', 'desc'),
      'id',
    ),
    fatura_pix: await primeiro<number>(
      abertas()
        .where('tipo', 'pix')
        .whereNotNull('pix_copia_cola')
        .orderBy([{ column: 'vencimento', order: 'desc' }, 'id']),
      'id',
    ),
    fatura_boleto: await primeiro<number>(
      abertas()
        .where('tipo', 'boleto')
        .whereNotNull('linha_digitavel')
        .orderBy([{ column: 'vencimento', order: 'desc' }, 'id']),
      'id',
    ),
    chamado_aberto: await primeiro<number>(
      tenant.from('chamados').where('situacao', 'aberto').orderBy('aberto_em', 'desc'),
      'id',
    ),
    chamado_fechado: await primeiro<number>(
      tenant.from('chamados').where('situacao', 'solucionado').whereNotNull('fechado_em').orderBy('fechado_em', 'desc'),
      'id',
    ),
    promessa: await primeiro<number>(
      tenant.from('promessas_pagamento').where('em_aberto', 1).orderBy('id'),
      'contrato_id',
    ),
    protocolo: await primeiro<string>(tenant.from('atendimentos').where('tipo', 'contato').orderBy('id'), 'protocolo'),
    desbloqueio: {
      permitido: await primeiro<number>(
        bloqueados('financeiro')
          .whereNotExists(usado.clone())
          .whereExists(existe('faturas as f', vencida, ['aberta', hoje])),
        'id',
      ),
      manual: await primeiro<number>(bloqueados('manual').whereNotExists(usado.clone()), 'id'),
      nao_bloqueado: await primeiro<number>(contratos().where('situacao', 'ativo').whereNotExists(usado.clone()), 'id'),
      fatura_anterior: await primeiro<number>(
        bloqueados('financeiro')
          .whereNotExists(emVigor.clone())
          .whereExists(
            usado
              .clone()
              .join('faturas as f', { 'f.provedor_id': 'u.provedor_id', 'f.id': 'u.fatura_causa_id' })
              .where('f.grupo', 'aberta'),
          ),
        'id',
      ),
      ativo: await primeiro<number>(
        tenant
          .from('desbloqueios_confianca as d')
          .join('contratos', { 'contratos.provedor_id': 'd.provedor_id', 'contratos.id': 'd.contrato_id' })
          .where('contratos.situacao', 'ativo')
          .whereNull('contratos.bloqueado_em')
          .whereNull('d.encerrado_em')
          .where('d.ate', '>=', instante)
          .orderBy([{ column: 'd.ate', order: 'desc' }, 'd.id']),
        'd.contrato_id',
      ),
    },
  };
}

async function primeiro<T>(consulta: Knex.QueryBuilder, coluna: string): Promise<T | null> {
  const [linha] = await rowsOf(consulta.limit(1), expressions<{ achado: T }>({ achado: coluna }));
  return linha?.achado ?? null;
}
