import { gzipSync } from 'node:zlib';
import type { Data } from '../src/brazil/calendario/datas.ts';
import { horaDeArquivo } from '../src/brazil/calendario/horario.ts';
import type { Convenio } from '../src/brazil/cnab/convenio.types.ts';
import { nomeDaRemessa } from '../src/brazil/cnab/remessa/arquivo.ts';
import { escreverRemessa } from '../src/brazil/cnab/remessa/remessa.ts';
import { convenioDoBanco, COLUNAS_DO_CONVENIO } from '../src/domain/boletos/convenios/convenios.types.ts';
import { doTitulo } from '../src/domain/boletos/remessas/entradas.ts';
import { pagadorDe } from '../src/domain/boletos/remessas/pagador.regras.ts';
import type { ARegistrarRow } from '../src/domain/boletos/remessas/titulos.queries.ts';
import { rowsOf } from '../src/platform/mysql/columns.ts';
import type { Db } from '../src/platform/mysql/database.ts';
import { toDatabaseTime } from '../src/platform/mysql/database.ts';
import { createTenantDb, createTenantWriter, sameTenant } from '../src/platform/mysql/tenant.ts';
import type { TenantDb } from '../src/platform/mysql/tenant.ts';

/** How far the boletos of some coming invoices are, one after the other. */
const SITUACOES = ['registrado', 'registrado', 'registrado', 'rejeitado', 'a_registrar', 'a_registrar'] as const;
const MOTIVOS = [{ codigo: '46', texto: 'Tipo/número de inscrição do pagador inválidos' }];
/** Beyond those that the imported invoices have. */
const PROXIMO_NUMERO = 5_000_000;

interface Beneficiario {
  readonly nome: string;
  readonly cnpj: string | null;
}

interface BoletoDemo extends ARegistrarRow {
  readonly boleto_id: number;
  readonly nosso: string;
}

const DO_TITULO = {
  boleto_id: 'b.id',
  nosso: 'b.numero',
  fatura_id: 'f.id',
  cliente_id: 'f.cliente_id',
  valor: 'f.valor',
  valor_pago: 'f.valor_pago',
  abatido: 'f.abatido',
  vencimento: 'f.vencimento',
  emitida_em: 'f.emitida_em',
  pix_txid: 'f.pix_txid',
  nome: 'c.nome',
  cpf_cnpj: 'c.cpf_cnpj',
  logradouro: 'c.logradouro',
  numero: 'c.numero',
  complemento: 'c.complemento',
  bairro: 'c.bairro',
  cidade: 'c.cidade',
  cep: 'c.cep',
  uf: 'c.uf',
} as const satisfies Record<keyof BoletoDemo, string>;

/** The provider's local day, the instant, and its time zone. */
interface Quando {
  readonly hoje: Data;
  readonly agora: Date;
  readonly fuso: string;
}

interface FaturaDemo {
  id: number;
  valor: string;
  vencimento: string;
  linha_digitavel: string;
  codigo_barras: string | null;
  nosso_numero: string;
}

/** An agreement with Sicoob, in test, and what became of some boletos at it. */
export async function semearConvenio(trx: Db, provedorId: number, { hoje, agora, fuso }: Quando): Promise<void> {
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
    nome: '',
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
  const { nome, texto } = await arquivoDa(tenant, remessa_id, { hoje, agora, fuso });
  await w.update('remessas', (q) => void q.where({ id: remessa_id }), { nome, total: total.toFixed(2) });
  await w.insert('arquivos_bancarios', { remessa_id, conteudo: gzipSync(Buffer.from(texto, 'latin1')), criado_em });
}

/** The file of the titles that have been written, as the bank was given it. */
async function arquivoDa(
  tenant: TenantDb,
  remessa_id: number,
  { hoje, agora, fuso }: Quando,
): Promise<{ readonly nome: string; readonly texto: string }> {
  const [row] = await rowsOf(tenant.from('convenios_bancarios'), COLUNAS_DO_CONVENIO);
  if (row === undefined) throw new Error('o convênio da demonstração não está lá');
  const provedor = await tenant.db('provedores').where('id', tenant.provedorId).first<Beneficiario>('nome', 'cnpj');
  const conta = await tenant.from('cobradores').where('id', row.cobrador_id).first<Beneficiario>('nome', 'cnpj');
  const convenio: Convenio = convenioDoBanco(row, conta.cnpj === null ? provedor : conta);
  const boletos = await tenant
    .from('boletos as b')
    .join('faturas as f', sameTenant('b', 'fatura_id', 'f', 'id'))
    .join('clientes as c', sameTenant('f', 'cliente_id', 'c', 'id'))
    .where('b.remessa_id', remessa_id)
    .orderBy('b.id')
    .select<BoletoDemo[]>({ ...DO_TITULO });
  const titulos = boletos.map((um) => {
    const quem = pagadorDe(um);
    if (!('pagador' in quem)) throw new Error(`a fatura ${um.fatura_id} da demonstração: ${quem.motivo}`);
    const daRemessa = { movimento: 'entrada', nossoNumero: um.nosso, usoEmpresa: String(um.boleto_id) } as const;
    return { ...doTitulo(um, fuso), ...daRemessa, pagador: quem.pagador };
  });
  const remessa = { convenio, nsa: 1, hoje, hora: horaDeArquivo(fuso, agora), titulos };
  return { nome: nomeDaRemessa(convenio, 1, hoje, 1), texto: escreverRemessa(remessa) };
}
