import { createConexoesService } from '../../../src/domain/conexoes/conexoes.service.ts';
import { createAvisosDosContratosService } from '../../../src/domain/rede/avisos/cobertos.service.ts';
import { untracked } from '../../../src/platform/cache/trail.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import { createTenantDb } from '../../../src/platform/mysql/tenant.ts';
import type { Relogio } from '../../../src/platform/timing/relogio.ts';

export const FUSO = 'America/Sao_Paulo';

const TABELAS = [
  'radacct',
  'sessoes_encerradas',
  'sessoes_ouvidas',
  'radacct_mudancas',
  'conexoes_pendentes',
  'quedas_diarias',
  'conexoes',
  'contratos',
  'clientes',
  'planos',
  'provedores_nas',
  'rede_horas',
  'perfis',
  'provedores',
];

/** Leaves a file's database as it was before its first test. */
export async function esvaziar(db: Db): Promise<void> {
  for (const tabela of TABELAS) await db(tabela).delete();
}

/** A provider with its NASes and one contract for each login; null is a contract without a login. */
export async function criarProvedor(
  db: Db,
  dados: { host: string; nas: string[]; logins: (string | null)[]; fuso?: string },
): Promise<{ id: number; contratos: number[] }> {
  const [id] = await db('provedores').insert({
    nome: dados.host,
    panel_host: dados.host,
    fuso_horario: dados.fuso ?? FUSO,
  });
  const provedor_id = id!;
  if (dados.nas.length > 0) {
    await db('provedores_nas').insert(dados.nas.map((nasipaddress) => ({ provedor_id, nasipaddress })));
  }
  const [plano_id] = await db('planos').insert({
    provedor_id,
    nome: 'Fibra',
    download_mbps: 500,
    upload_mbps: 250,
    valor: '99.90',
  });
  const [cliente_id] = await db('clientes').insert({
    provedor_id,
    nome: 'Cliente',
    tipo: 'pf',
    cpf_cnpj: '52998224725',
    situacao: 'ativo',
  });
  const contratos: number[] = [];
  for (const login of dados.logins) {
    const [contrato] = await db('contratos').insert({
      provedor_id,
      cliente_id,
      plano_id,
      situacao: 'ativo',
      login,
      tipo_cobranca: 'pos_pago',
      dia_vencimento: 10,
      valor: '99.90',
    });
    contratos.push(contrato!);
  }
  return { id: provedor_id, contratos };
}

/** The connections of a provider, as its callers read them. */
export function leituraDe(
  base: { db: Db; relogio: Relogio; intervaloPadraoSegundos: number },
  provedorId: number,
  fusoHorario = FUSO,
) {
  const deps = { ...base, trail: untracked, tenant: createTenantDb(base.db, provedorId) };
  return createConexoesService({
    ...deps,
    provedor: { fusoHorario },
    avisos: createAvisosDosContratosService(deps),
  });
}

let sessoes = 0;

/** A row of radacct, as FreeRADIUS writes it; times in `YYYY-MM-DD HH:MM:SS`. */
export function sessao(username: string, nasipaddress: string, colunas: Record<string, string | number | null>) {
  sessoes++;
  return {
    acctsessionid: `s${sessoes}`,
    acctuniqueid: `u${process.pid}-${sessoes}`,
    username,
    nasipaddress,
    acctinterval: 300,
    ...colunas,
  };
}

/** Rows of `quedas_diarias` of a contract, day → drops. */
export async function quedasDe(db: Db, contrato: number): Promise<Record<string, number>> {
  const rows: { dia: string; quedas: number }[] = await db('quedas_diarias')
    .where('contrato_id', contrato)
    .orderBy('dia');
  return Object.fromEntries(rows.map(({ dia, quedas }) => [dia, quedas]));
}

export async function conexaoDe(db: Db, contrato: number) {
  return db('conexoes')
    .where('contrato_id', contrato)
    .first<{ ouvida_em: string | null; intervalo_segundos: number | null } | undefined>(
      'ouvida_em',
      'intervalo_segundos',
    );
}
