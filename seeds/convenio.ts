import type { Data } from '../src/brazil/calendario/datas.ts';
import type { Db } from '../src/platform/mysql/database.ts';
import { toDatabaseTime } from '../src/platform/mysql/database.ts';
import { createTenantDb, createTenantWriter } from '../src/platform/mysql/tenant.ts';

/** How far the boletos of some coming invoices are, one after the other. */
const SITUACOES = ['registrado', 'registrado', 'registrado', 'rejeitado', 'a_registrar', 'a_registrar'] as const;
const MOTIVOS = [{ codigo: '46', texto: 'Tipo/número de inscrição do pagador inválidos' }];
/** Beyond those that the imported invoices have. */
const PROXIMO_NUMERO = 5_000_000;

interface FaturaDemo {
  id: number;
  valor: string;
  vencimento: string;
  linha_digitavel: string;
  codigo_barras: string | null;
  nosso_numero: string;
}

/** An agreement with Sicoob, in test, and what became of some boletos at it. */
export async function semearConvenio(
  trx: Db,
  provedorId: number,
  { hoje, agora }: { readonly hoje: Data; readonly agora: Date },
): Promise<void> {
  const tenant = createTenantDb(trx, provedorId);
  const w = createTenantWriter(trx, provedorId);
  const conta = await tenant.from('cobradores').where({ padrao: 1 }).first<{ id: number } | undefined>('id');
  if (conta === undefined) return;
  const criado_em = toDatabaseTime(agora);
  const convenio_id = await w.insert('convenios_bancarios', {
    cobrador_id: conta.id,
    nome: 'Sicoob, em teste',
    banco: '756',
    formato: '240',
    agencia: '3187',
    agencia_dv: '0',
    conta: '46250',
    conta_dv: '0',
    carteira: '1',
    codigo: '462500',
    teste: 1,
    juros_ao_mes: 100,
    multa: 200,
    emite: 1,
    proximo_nsa: 2,
  });
  await w.insert('convenios_sequencias', { convenio_id, serie: '', proxima: PROXIMO_NUMERO });
  const remessa_id = await w.insert('remessas', {
    convenio_id,
    nsa: 1,
    nome: 'CB000001.REM',
    dia: hoje,
    entradas: 4,
    instrucoes: 0,
    total: '0.00',
    criada_em: criado_em,
    baixada_em: criado_em,
    enviada_em: criado_em,
  });
  const faturas = await tenant
    .from('faturas')
    .where({ situacao: 'pendente', tipo: 'boleto', cobrador_id: conta.id })
    .where('vencimento', '>', hoje)
    .whereNotNull('linha_digitavel')
    .orderBy('id')
    .limit(SITUACOES.length)
    .select<FaturaDemo[]>('id', 'valor', 'vencimento', 'linha_digitavel', 'codigo_barras', 'nosso_numero');
  let total = 0;
  for (const [n, fatura] of faturas.entries()) {
    const situacao = SITUACOES[n] ?? 'a_registrar';
    const nenhuma = { linha_digitavel: null, codigo_barras: null, nosso_numero: null };
    await w.update('faturas', (q) => void q.where({ id: fatura.id }), {
      boleto_situacao: situacao,
      atualizado_em: criado_em,
      ...(situacao === 'registrado' ? {} : nenhuma),
    });
    if (situacao === 'a_registrar') continue;
    const [numero = '', dv = ''] = fatura.nosso_numero.split('-');
    const registrado = situacao === 'registrado';
    total += Number(fatura.valor);
    await w.insert('boletos', {
      fatura_id: fatura.id,
      convenio_id,
      remessa_id,
      numero,
      dv,
      situacao,
      valor: fatura.valor,
      vencimento: fatura.vencimento,
      linha: registrado ? fatura.linha_digitavel : null,
      barras: registrado ? fatura.codigo_barras : null,
      motivos: registrado ? null : JSON.stringify(MOTIVOS),
      criado_em,
      ...(registrado ? { registrado_em: criado_em } : { encerrado_em: criado_em }),
    });
  }
  await w.update('remessas', (q) => void q.where({ id: remessa_id }), { total: total.toFixed(2) });
}
