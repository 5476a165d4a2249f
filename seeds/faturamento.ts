import { hojeEm, somarDias } from '../src/brazil/calendario/datas.ts';
import type { Data } from '../src/brazil/calendario/datas.ts';
import { somarMeses } from '../src/domain/faturamento/calculo/meses.regras.ts';
import type { Provedor } from '../src/domain/provedores/provedores.types.ts';
import { columns, rowsOf } from '../src/platform/mysql/columns.ts';
import { toDatabaseTime } from '../src/platform/mysql/database.ts';
import type { Db } from '../src/platform/mysql/database.ts';
import { createTenantDb, createTenantWriter } from '../src/platform/mysql/tenant.ts';
import type { Relogio } from '../src/platform/timing/relogio.ts';
import { DIAS_DE_EMISSAO } from './contratos.ts';

const DO_PROVEDOR = columns<{ id: number }>('provedores', { id: true });
const DA_CONFIGURACAO = columns<{ antecedencia: number }>('faturamento_configuracoes', { antecedencia: true });
const DO_CONTRATO = columns<{ id: number }>('contratos', { id: true });

/** What some contracts have beside their price, one each. */
const ITENS = [
  { tipo: 'recorrente', descricao: 'IP fixo', valor: '30.00' },
  { tipo: 'unico', descricao: 'Visita técnica', valor: '80.00' },
  { tipo: 'desconto_percentual', descricao: 'Fidelidade', valor: '10.00' },
  { tipo: 'desconto', descricao: 'Indicou um amigo', valor: '15.00' },
] as const;

/** Who issues by himself: the name that the worker's runs have. */
const AUTOR = 'tarefa';

interface FaturamentoDemoDeps {
  /** The owner's connection. */
  readonly db: Db;
  readonly relogio: Relogio;
  readonly provedorDe: (provedorId: number) => Promise<Provedor>;
}

/**
 * Switches billing on for the demonstration's first provider, once: what it has issued since last month counts as made by daily runs, and
 * booklets as one run, so that the worker goes on from there and charges no month a second time.
 */
export async function oferecerFaturamento({ db, relogio, provedorDe }: FaturamentoDemoDeps): Promise<void> {
  const [primeiro] = await rowsOf(db('provedores').where('demonstracao', 1).orderBy('id').limit(1), DO_PROVEDOR);
  if (primeiro === undefined) return;
  const { id: provedorId } = primeiro;
  const { fusoHorario } = await provedorDe(provedorId);
  const agora = relogio.agora();
  const hoje = hojeEm(fusoHorario, agora);
  const desde = somarMeses(hoje, -1);
  await db.transaction(async (trx) => {
    const como = { desde, antecedencia: DIAS_DE_EMISSAO, cobrar_bloqueado: 1 };
    const linha = { ...como, atualizado_em: toDatabaseTime(agora) };
    // Another process may be at it as well.
    await trx('provedores').where({ id: provedorId }).forUpdate().first('id');
    // Whoever has set it up already keeps it.
    const configuradas = createTenantDb(trx, provedorId).from('faturamento_configuracoes');
    if ((await rowsOf(configuradas, DA_CONFIGURACAO)).length > 0) return;
    await createTenantWriter(trx, provedorId).insert('faturamento_configuracoes', linha);
    await contarComoFeitas(trx, { provedorId, desde, hoje });
    await darItens(trx, { provedorId, mes: somarMeses(hoje, 0), agora });
  });
}

/** Makes runs of the invoices that there are of the months since one: of a day each, and one of what booklets have of later ones. */
async function contarComoFeitas(
  trx: Db,
  { provedorId, desde, hoje }: { readonly provedorId: number; readonly desde: Data; readonly hoje: Data },
): Promise<void> {
  const ate = somarDias(hoje, DIAS_DE_EMISSAO);
  // The month of service: who pays afterwards pays in the month after.
  await trx.raw(
    `UPDATE faturas f
       JOIN provedores eu ON eu.id = f.provedor_id AND eu.id = ?
       JOIN contratos c ON c.provedor_id = f.provedor_id AND c.id = f.contrato_id
        SET f.competencia = DATE_FORMAT(f.vencimento - INTERVAL (c.tipo_cobranca = 'pos_pago') MONTH, '%Y-%m-01')
      WHERE f.vencimento >= ? AND f.situacao <> 'cancelada' AND c.tipo_cobranca <> 'isento'`,
    [provedorId, desde],
  );
  await trx.raw(
    `UPDATE faturas f
       JOIN provedores eu ON eu.id = f.provedor_id AND eu.id = ?
        SET f.competencia = NULL
      WHERE f.competencia < ?`,
    [provedorId, desde],
  );
  await trx.raw(
    `INSERT INTO faturamentos (provedor_id, dia, origem, cobrancas, faturas, total, autor, iniciado_em)
     SELECT provedor_id, dia, origem, COUNT(*), COUNT(*), SUM(valor), ?, CONCAT(dia, ' 03:05:00.000')
       FROM (SELECT provedor_id, f.valor,
                    IF(vencimento > ?, 'carne', 'diario') AS origem,
                    LEAST(vencimento, ?) - INTERVAL ? DAY AS dia
               FROM faturas f
               JOIN provedores eu ON eu.id = f.provedor_id AND eu.id = ?
              WHERE f.competencia IS NOT NULL) AS f
      GROUP BY provedor_id, dia, origem ORDER BY dia, origem`,
    [AUTOR, ate, ate, DIAS_DE_EMISSAO, provedorId],
  );
  await trx.raw(
    `UPDATE faturas f
       JOIN provedores eu ON eu.id = f.provedor_id AND eu.id = ?
       JOIN faturamentos v ON v.provedor_id = f.provedor_id
        AND v.origem = IF(f.vencimento > ?, 'carne', 'diario')
        AND v.dia = LEAST(f.vencimento, ?) - INTERVAL ? DAY
        SET f.faturamento_id = v.id
      WHERE f.competencia IS NOT NULL`,
    [provedorId, ate, ate, DIAS_DE_EMISSAO],
  );
  await trx.raw(
    `INSERT INTO faturamento_cobrancas
       (provedor_id, contrato_id, competencia, tipo, faturamento_id, fatura_id, vencimento, valor, dias, bloqueado, itens)
     SELECT f.provedor_id, f.contrato_id, f.competencia, IF(f.vencimento > ?, 'carne', 'mensalidade'),
            f.faturamento_id, f.id, f.vencimento, f.valor, DAY(LAST_DAY(f.competencia)), 1,
            JSON_ARRAY(JSON_OBJECT('tipo', 'mensalidade', 'ref', DATE_FORMAT(f.competencia, '%Y-%m-%d'),
              'valor', CAST(f.valor * 100 AS SIGNED),
              'descricao', CONCAT(p.nome, ' ', DATE_FORMAT(f.competencia, '%m/%Y'))))
       FROM faturas f
       JOIN provedores eu ON eu.id = f.provedor_id AND eu.id = ?
       JOIN contratos c ON c.provedor_id = f.provedor_id AND c.id = f.contrato_id
       JOIN planos p ON p.provedor_id = c.provedor_id AND p.id = c.plano_id
      WHERE f.faturamento_id IS NOT NULL`,
    [ate, provedorId],
  );
}

async function darItens(
  trx: Db,
  { provedorId, mes, agora }: { readonly provedorId: number; readonly mes: Data; readonly agora: Date },
): Promise<void> {
  const ativos = createTenantDb(trx, provedorId)
    .from('contratos')
    .where({ situacao: 'ativo' })
    .whereNot('tipo_cobranca', 'isento');
  const contratos = await rowsOf(ativos.orderBy('id').limit(ITENS.length), DO_CONTRATO);
  const criado_em = toDatabaseTime(agora);
  const comum = { de: mes, autor: 'Demonstração', criado_em };
  const linhas = contratos.flatMap(({ id }, n) =>
    ITENS.slice(n, n + 1).map((item) => ({ ...comum, ...item, contrato_id: id })),
  );
  // The first one has one of each, so that its screen shows them.
  const [um] = contratos;
  const doPrimeiro = um === undefined ? [] : ITENS.slice(1).map((item) => ({ ...comum, ...item, contrato_id: um.id }));
  if (linhas.length > 0)
    await createTenantWriter(trx, provedorId).insert('contratos_itens', [...linhas, ...doPrimeiro]);
}
