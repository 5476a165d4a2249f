import { gzipSync } from 'node:zlib';
import type { Data } from '../src/brazil/calendario/datas.ts';
import { horaDeArquivo } from '../src/brazil/calendario/horario.ts';
import { RemessaInvalida } from '../src/brazil/cnab/convenio.types.ts';
import type { Convenio, Titulo } from '../src/brazil/cnab/convenio.types.ts';
import { nomeDaRemessa } from '../src/brazil/cnab/remessa/arquivo.ts';
import { escreverRemessa } from '../src/brazil/cnab/remessa/remessa.ts';
import { conferirTitulo } from '../src/brazil/cnab/remessa/titulo.ts';
import { COLUNAS_DO_CONVENIO, convenioDoBanco } from '../src/domain/boletos/convenios/convenios.types.ts';
import type { Beneficiario } from '../src/domain/boletos/convenios/convenios.types.ts';
import { doTitulo } from '../src/domain/boletos/remessas/entradas.ts';
import { pagadorDe } from '../src/domain/boletos/remessas/pagador.regras.ts';
import { A_REGISTRAR } from '../src/domain/boletos/remessas/titulos.queries.ts';
import type { ARegistrarRow } from '../src/domain/boletos/remessas/titulos.queries.ts';
import { columns, rowsOf } from '../src/platform/mysql/columns.ts';
import type { Db } from '../src/platform/mysql/database.ts';
import { toDatabaseTime } from '../src/platform/mysql/database.ts';
import { createTenantDb, createTenantWriter, sameTenant } from '../src/platform/mysql/tenant.ts';
import type { TenantDb } from '../src/platform/mysql/tenant.ts';

/** How far the boletos of some coming invoices are, one after the other. */
const SITUACOES = ['registrado', 'registrado', 'registrado', 'rejeitado', 'a_registrar', 'a_registrar'] as const;
const MOTIVOS = [{ codigo: '46', texto: 'Tipo/número de inscrição do pagador inválidos' }];
/** Beyond those that the imported invoices have. */
const PROXIMO_NUMERO = 5_000_000;

/** The provider's local day, the instant, and its time zone. */
interface Quando {
  readonly hoje: Data;
  readonly agora: Date;
  readonly fuso: string;
}

/** An invoice that has a boleto already, with who pays it. */
interface FaturaDemo extends ARegistrarRow {
  readonly linha_digitavel: string;
  readonly codigo_barras: string | null;
  readonly nosso_numero: string;
}

const DA_FATURA = columns<FaturaDemo>('f', {
  ...A_REGISTRAR.of,
  linha_digitavel: true,
  codigo_barras: true,
  nosso_numero: true,
});

/** Among so many coming invoices those are looked for whose boleto the bank takes. */
const OLHADAS = 60;

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
  const convenio = await convenioDe(tenant);
  const abertas = await rowsOf(
    tenant
      .from('faturas as f')
      .join('clientes as c', sameTenant('f', 'cliente_id', 'c', 'id'))
      .where({ 'f.situacao': 'pendente', 'f.tipo': 'boleto', 'f.cobrador_id': conta.id })
      .where('f.vencimento', '>', hoje)
      .whereNotNull('f.linha_digitavel')
      .orderBy('f.id')
      .limit(OLHADAS),
    DA_FATURA,
  );
  const faturas = abertas
    .flatMap((fatura) => {
      const titulo = tituloDe(convenio, fatura, fuso);
      return titulo === null ? [] : [{ ...fatura, titulo }];
    })
    .slice(0, SITUACOES.length);
  if (faturas.length === 0) return;
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
  const titulos: Titulo[] = [];
  let total = 0;
  for (const [n, fatura] of faturas.entries()) {
    const situacao = SITUACOES[n] ?? 'a_registrar';
    const nenhuma = { linha_digitavel: null, codigo_barras: null, nosso_numero: null };
    await w.update('faturas', (q) => void q.where({ id: fatura.fatura_id }), {
      boleto_situacao: situacao,
      atualizado_em: criado_em,
      ...(situacao === 'registrado' ? {} : nenhuma),
    });
    if (situacao === 'a_registrar') continue;
    const { nossoNumero: numero } = fatura.titulo;
    const [, dv = ''] = fatura.nosso_numero.split('-');
    const registrado = situacao === 'registrado';
    total += Number(fatura.valor);
    const boleto = await w.insert('boletos', {
      fatura_id: fatura.fatura_id,
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
    titulos.push({ ...fatura.titulo, usoEmpresa: String(boleto) });
  }
  const nome = nomeDaRemessa(convenio, 1, hoje, 1);
  const texto = escreverRemessa({ convenio, nsa: 1, hoje, hora: horaDeArquivo(fuso, agora), titulos });
  const escritos = { nome, entradas: titulos.length, total: total.toFixed(2) };
  await w.update('remessas', (q) => void q.where({ id: remessa_id }), escritos);
  await w.insert('arquivos_bancarios', { remessa_id, conteudo: gzipSync(Buffer.from(texto, 'latin1')), criado_em });
}

/** The agreement as the files of its bank want it. */
async function convenioDe(tenant: TenantDb): Promise<Convenio> {
  const [row] = await rowsOf(tenant.from('convenios_bancarios'), COLUNAS_DO_CONVENIO);
  if (row === undefined) throw new Error('o convênio da demonstração não está lá');
  const provedor = await tenant.db('provedores').where('id', tenant.provedorId).first<Beneficiario>('nome', 'cnpj');
  const conta = await tenant.from('cobradores').where('id', row.cobrador_id).first<Beneficiario>('nome', 'cnpj');
  return convenioDoBanco(row, conta.cnpj === null ? provedor : conta);
}

/** The title of an invoice, by the number that its boleto has; null where the bank would not take it. */
function tituloDe(convenio: Convenio, fatura: FaturaDemo, fuso: string): Titulo | null {
  const quem = pagadorDe(fatura);
  if (!('pagador' in quem)) return null;
  const [nossoNumero = ''] = fatura.nosso_numero.split('-');
  const daRemessa = { movimento: 'entrada', nossoNumero, usoEmpresa: '1', pagador: quem.pagador } as const;
  const titulo = { ...doTitulo(fatura, fuso), ...daRemessa };
  try {
    conferirTitulo(convenio, titulo, 0);
    return titulo;
  } catch (error) {
    if (error instanceof RemessaInvalida) return null;
    throw error;
  }
}
