import type { Knex } from 'knex';
import { columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { COLUNAS_DO_AVISO } from './avisos.types.ts';
import type { AlvoDeAviso, AvisoRow, Cobertura } from './avisos.types.ts';

/** Contracts that a notice is for; who is cancelled or has not begun has no line. */
const COM_LINHA = ['ativo', 'bloqueado', 'inativo'] as const;

export interface LugarRow {
  plano_id: number;
  cidade: string | null;
  bairro: string | null;
  nas: string | null;
  pop_id: number | null;
}

const DO_LUGAR = columns<LugarRow>('contratos', {
  plano_id: true,
  cidade: true,
  bairro: true,
  nas: 'x.nas',
  pop_id: 'n.pop_id',
});

/** Who is told that more than these are covered knows enough: all are counted of fewer. */
const MAIS_CONTADOS = 100_000;

const CONTAGEM = expressions<{ contratos: number; clientes: number }>({
  contratos: 'COUNT(*)',
  clientes: 'COUNT(DISTINCT cliente_id)',
});

const DO_CLIENTE = columns<{ cliente_id: number }>('contratos', { cliente_id: true });

interface CobertoRow {
  contrato_id: number;
  aviso_id: number;
}

/** A notice and a contract that it covers. */
const DO_AVISO_COBERTO = columns<AvisoRow & { contrato_id: number }>('avisos_de_rede', {
  ...COLUNAS_DO_AVISO.of,
  contrato_id: 'contratos.id',
});

const DO_COBERTO = columns<CobertoRow>('contratos', { contrato_id: 'contratos.id', aviso_id: 'a.aviso_id' });

/** Whether the target `a` covers the place of `contratos`, whose server is `x.nas` at `n.pop_id`; the same as `cobrem` says of one. */
const COBRE = `CASE a.tipo
  WHEN 'todos' THEN TRUE
  WHEN 'plano' THEN a.alvo_id = contratos.plano_id
  WHEN 'nas' THEN a.texto = x.nas
  WHEN 'pop' THEN a.alvo_id = n.pop_id
  WHEN 'cidade' THEN a.texto = contratos.cidade
  WHEN 'bairro' THEN a.texto = contratos.bairro AND a.cidade = contratos.cidade
END`;

export function createCoberturaQueries(tenant: TenantDb) {
  const comLinha = (indice: string): Knex.QueryBuilder =>
    tenant.from('contratos', indice).whereIn('contratos.situacao', COM_LINHA);

  /** One query for each kind of target; all read indexes alone, but for those of servers, which go on to their contracts. */
  function partes(alvos: readonly AlvoDeAviso[]): Knex.QueryBuilder[] {
    const de = <Tipo extends AlvoDeAviso['tipo']>(tipo: Tipo) =>
      alvos.filter((alvo): alvo is Extract<AlvoDeAviso, { tipo: Tipo }> => alvo.tipo === tipo);
    if (alvos.some(({ tipo }) => tipo === 'todos')) return [comLinha('contratos_situacao')];
    const planos = alvos.flatMap((alvo) => (alvo.tipo === 'plano' ? [alvo.id] : []));
    const pops = alvos.flatMap((alvo) => (alvo.tipo === 'pop' ? [alvo.id] : []));
    const nas = de('nas').map((alvo) => alvo.nas);
    const cidades = de('cidade').map(({ cidade }) => cidade);
    const bairros = de('bairro').map(({ cidade, bairro }) => [cidade, bairro]);
    const todas: Knex.QueryBuilder[] = [];
    if (planos.length > 0) todas.push(comLinha('contratos_do_plano').whereIn('plano_id', planos));
    if (cidades.length > 0) todas.push(comLinha('contratos_lugar').whereIn('cidade', cidades));
    if (bairros.length > 0) todas.push(comLinha('contratos_lugar').whereIn(['cidade', 'bairro'], bairros));
    if (nas.length > 0 || pops.length > 0) {
      const doPop = tenant.from('provedores_nas').whereIn('pop_id', pops).select('nasipaddress');
      todas.push(
        tenant
          .from('conexoes as x', 'conexoes_nas')
          .join('contratos', sameTenant('x', 'contrato_id', 'contratos', 'id'))
          .whereIn('contratos.situacao', COM_LINHA)
          .where(
            (q) => void q.whereIn('x.nas', nas).modify((ou) => void (pops.length > 0 && ou.orWhereIn('x.nas', doPop))),
          ),
      );
    }
    return todas;
  }

  return {
    /** How many contracts that have a line some targets cover, and how many clients these have; of no more contracts than `MAIS_CONTADOS`. */
    async contar(alvos: readonly AlvoDeAviso[]): Promise<Cobertura> {
      const colunas = ['contratos.id', 'contratos.cliente_id'];
      const cada = partes(alvos).map((parte) => parte.limit(MAIS_CONTADOS + 1).select(colunas));
      if (cada.length === 0) return { contratos: 0, clientes: 0, mais: false };
      const juntas = tenant.db.queryBuilder().union(cada, true);
      const [todas] = await rowsOf(tenant.db.from(juntas.as('cobertos')), CONTAGEM);
      const { contratos = 0, clientes = 0 } = todas ?? {};
      const mais = contratos > MAIS_CONTADOS;
      return mais
        ? { contratos: MAIS_CONTADOS, clientes: Math.min(clientes, MAIS_CONTADOS), mais }
        : { contratos, clientes, mais };
    },

    /** Of some clients, those of whose contracts that have a line some targets cover one. */
    async clientes(alvos: readonly AlvoDeAviso[], entre: readonly number[]): Promise<number[]> {
      const cobertos = new Set<number>();
      for (const parte of partes(alvos)) {
        const deles = await rowsOf(parte.whereIn('contratos.cliente_id', [...entre]).distinct(), DO_CLIENTE);
        for (const { cliente_id } of deles) cobertos.add(cliente_id);
      }
      return [...cobertos];
    },

    /** What a notice may cover a contract by; its server is that of its newest session. */
    async lugar(contratoId: number): Promise<LugarRow | undefined> {
      const contrato = tenant
        .from('contratos')
        .leftJoin('conexoes as x', sameTenant('contratos', 'id', 'x', 'contrato_id'))
        .leftJoin('provedores_nas as n', sameTenant('x', 'nas', 'n', 'nasipaddress'))
        .where('contratos.id', contratoId);
      const [row] = await rowsOf(contrato, DO_LUGAR);
      return row;
    },

    /**
     * Which notices that are open, or ended since an instant, cover which contracts of clients; nothing is said of contracts that have no
     * line. Of a notice that has ended, too, it is asked whom it would cover by now.
     */
    async dosClientes(clienteIds: readonly number[], desde: Date | null): Promise<CobertoRow[]> {
      const abertos = tenant
        .from('avisos_de_rede')
        .where((q) => {
          void q.whereNull('fim');
          if (desde !== null) void q.orWhere('fim', '>', toDatabaseTime(desde));
        })
        .select('id');
      const cobertos = tenant
        .from('contratos')
        .leftJoin('conexoes as x', sameTenant('contratos', 'id', 'x', 'contrato_id'))
        .leftJoin('provedores_nas as n', sameTenant('x', 'nas', 'n', 'nasipaddress'))
        .join('avisos_de_rede_alvos as a', 'a.provedor_id', 'contratos.provedor_id')
        .whereIn('contratos.cliente_id', clienteIds)
        .whereIn('contratos.situacao', COM_LINHA)
        .whereIn('a.aviso_id', abertos)
        .whereRaw(COBRE);
      return rowsOf(cobertos, DO_COBERTO);
    },

    /** Open notices with each of some contracts that they cover, the newest beginning first; those to come are among them. */
    async quaisCobrem(contratoIds: readonly number[]): Promise<(AvisoRow & { contrato_id: number })[]> {
      const cobertos = tenant
        .from('avisos_de_rede', 'avisos_de_rede_abertos')
        .join('avisos_de_rede_alvos as a', sameTenant('avisos_de_rede', 'id', 'a', 'aviso_id'))
        .join('contratos', 'contratos.provedor_id', 'avisos_de_rede.provedor_id')
        .leftJoin('conexoes as x', sameTenant('contratos', 'id', 'x', 'contrato_id'))
        .leftJoin('provedores_nas as n', sameTenant('x', 'nas', 'n', 'nasipaddress'))
        .whereNull('avisos_de_rede.fim')
        .whereIn('contratos.id', contratoIds)
        .whereIn('contratos.situacao', COM_LINHA)
        .whereRaw(COBRE)
        .orderBy([
          { column: 'avisos_de_rede.inicio', order: 'desc' },
          { column: 'avisos_de_rede.id', order: 'desc' },
        ])
        // Two targets of one notice may cover the same contract.
        .distinct();
      return rowsOf(cobertos, DO_AVISO_COBERTO);
    },

    /** Contracts that a notice covers, which has a row for each that covers it: for `whereExists`. */
    coberto: (avisoId: number): Knex.QueryBuilder =>
      tenant
        .from('contratos')
        .leftJoin('conexoes as x', sameTenant('contratos', 'id', 'x', 'contrato_id'))
        .leftJoin('provedores_nas as n', sameTenant('x', 'nas', 'n', 'nasipaddress'))
        .join('avisos_de_rede_alvos as a', 'a.provedor_id', 'contratos.provedor_id')
        .where('a.aviso_id', avisoId)
        .whereIn('contratos.situacao', COM_LINHA)
        .whereRaw(COBRE)
        .select('contratos.id'),

    /** Of open notices, those that cover a place in the network. */
    cobrem({ plano_id, cidade, bairro, nas, pop_id }: LugarRow): Knex.QueryBuilder {
      const alvos = tenant.from('avisos_de_rede_alvos as a').where((q) => {
        void q.where('a.tipo', 'todos').orWhere({ 'a.tipo': 'plano', 'a.alvo_id': plano_id });
        if (nas !== null) void q.orWhere({ 'a.tipo': 'nas', 'a.texto': nas });
        if (pop_id !== null) void q.orWhere({ 'a.tipo': 'pop', 'a.alvo_id': pop_id });
        if (cidade === null) return;
        void q.orWhere({ 'a.tipo': 'cidade', 'a.texto': cidade });
        if (bairro !== null) void q.orWhere({ 'a.tipo': 'bairro', 'a.texto': bairro, 'a.cidade': cidade });
      });
      return tenant
        .from('avisos_de_rede')
        .whereNull('fim')
        .whereIn('avisos_de_rede.id', alvos.select('a.aviso_id'))
        .orderBy('inicio', 'desc')
        .orderBy('avisos_de_rede.id', 'desc');
    },
  };
}
