import test from 'ava';
import type { ExecutionContext } from 'ava';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import { createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { pedirAoApp } from '../../support/app-api.ts';
import { urlDoDono } from '../../support/banco.ts';
import { quanto } from '../../support/prova.ts';
import { relogioEm } from '../../support/relogio.ts';
import { CPF, criarAssinante } from '../../domain/acessos/apoio.ts';
import { sessaoDaEquipe } from './apoio.ts';

/** Invoices and tickets of others at the same provider. */
const VIZINHAS = quanto(6000, 1_000_000);
const MINHAS = 300;
const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
let medidor: Db;
let cena: Awaited<ReturnType<typeof povoar>>;
test.before(async () => {
  api = await criarApi({ relogio });
  medidor = createDatabase({ url: urlDoDono(api.databaseUrl), pool: 1 });
  cena = await povoar();
  for (const tabela of ['clientes', 'faturas', 'nfcom', 'chamados', 'chamados_historico', 'contratos']) {
    await api.dono.raw('ANALYZE TABLE ??', [tabela]);
  }
});
test.after.always(async () => {
  await medidor.destroy();
  await api.fechar();
});

const diasAntes = (dias: number): string =>
  new Date(relogio.agora().getTime() - dias * 86_400_000).toISOString().slice(0, 23).replace('T', ' ');

/** A subscriber of so many invoices, each with a note, and tickets, beside so many of others; half of his are of an old registration. */
async function povoar() {
  const c = await criarAssinante(api);
  const { id: provedor } = c.provedor;
  const tenant = createTenantWriter(api.dono, provedor);
  const tecnico = await sessaoDaEquipe(api, provedor, 'tecnico');
  const outro = await sessaoDaEquipe(api, provedor, 'tecnico');
  const plano_id = await c.fabrica.plano(provedor);
  const antigo = await c.fabrica.cliente(provedor, { cpf_cnpj: CPF, situacao: 'cancelado' });
  const vizinhos: number[] = [];
  for (let n = 0; n < 100; n += 1) {
    vizinhos.push(await c.fabrica.cliente(provedor, { cpf_cnpj: String(10_000_000_000 + n) }));
  }
  const contrato = await c.fabrica.contrato(provedor, { cliente_id: c.cliente, plano_id });
  const donos = Array.from({ length: MINHAS + VIZINHAS }, (_, n) =>
    n < MINHAS ? (n % 2 === 0 ? c.cliente : antigo) : (vizinhos[n % vizinhos.length] ?? 0),
  );
  const gravar = async (tabela: string, linhas: readonly object[]) => {
    for (let n = 0; n < linhas.length; n += 1000) await tenant.insert(tabela, linhas.slice(n, n + 1000));
  };
  await gravar(
    'faturas',
    donos.map((cliente_id, n) => ({
      cliente_id,
      contrato_id: cliente_id === c.cliente ? contrato : null,
      situacao: ['paga', 'paga', 'pendente', 'vencida', 'cancelada'][n % 5],
      valor: '1.00',
      vencimento: diasAntes((n % 700) - 30).slice(0, 10),
      emitida_em: diasAntes(n % 700),
      token: `${provedor}-${String(n).padStart(16, '0')}`,
    })),
  );
  const ids = await api
    .dono('faturas')
    .where('provedor_id', provedor)
    .whereIn('cliente_id', [c.cliente, antigo])
    .orderBy('id')
    .pluck<number[]>('id');
  const nota = { ambiente: 'producao', situacao: 'autorizada', valor: '1.00', xml_autorizado: '<NFCom/>' };
  await gravar(
    'nfcom',
    ids.map((fatura_id, n) => ({ ...nota, fatura_id, cliente_id: donos[n] })),
  );
  await gravar(
    'chamados',
    donos.map((cliente_id, n) => ({
      cliente_id,
      contrato_id: cliente_id === c.cliente ? contrato : null,
      situacao: n % 40 === 0 ? 'pendente' : n % 1000 === 1 ? 'cancelado' : 'solucionado',
      responsavel_id: n % 3 === 0 ? tecnico.id : n % 3 === 1 ? outro.id : null,
      assunto: 'a',
      descricao: 'b',
      aberto_em: diasAntes(n % 700),
    })),
  );
  const meus = api.dono('chamados').where({ provedor_id: provedor, cliente_id: c.cliente });
  const { id: chamado } = (await meus.orderBy('id').first()) as { id: number };
  await gravar(
    'chamados_historico',
    Array.from({ length: MINHAS }, () => ({ chamado_id: chamado, acao: 'comentario' })),
  );
  const { access } = await c.entrar();
  const tokens = { assinante: access, tecnico: tecnico.access };
  const pedir = async (quem: Quem, caminho: string) =>
    pedirAoApp(api)('GET', caminho, { headers: { authorization: `Bearer ${tokens[quem]}` } });
  // The session itself is looked up before it is measured what an answer costs.
  for (const quem of ['assinante', 'tecnico'] as const) await pedir(quem, '/auth/check');
  return { pedir, cliente: c.cliente, contrato, fatura: ids[0] ?? 0, chamado };
}

type Quem = 'assinante' | 'tecnico';

interface Comando {
  readonly sql: string;
  readonly bindings: readonly string[];
}

async function comandosDe(quem: Quem, caminho: string): Promise<Comando[]> {
  const comandos: Comando[] = [];
  const ouvir = ({ sql, bindings }: Comando): void => void comandos.push({ sql, bindings });
  const url = caminho
    .replace('{fatura}', String(cena.fatura))
    .replace('{chamado}', String(cena.chamado))
    .replace('{contrato}', String(cena.contrato))
    .replace('{cliente}', String(cena.cliente));
  api.container.db.on('query', ouvir);
  const { status, texto } = await cena.pedir(quem, url);
  api.container.db.off('query', ouvir);
  if (status !== 200) throw new Error(texto);
  return comandos;
}

/** Entries of indexes that the server reads for a statement. */
async function lidasPor({ sql, bindings }: Comando): Promise<number> {
  const contar = async (): Promise<number> => {
    const [linhas = []] = await medidor.raw<{ Variable_name: string; Value: string }[][]>(
      "SHOW SESSION STATUS WHERE Variable_name LIKE 'Handler\\_read%' OR Variable_name = 'Handler_icp_attempts'",
    );
    return linhas
      .filter(({ Variable_name: nome }) => !nome.includes('_rnd'))
      .reduce((soma, { Value: valor }) => soma + Number(valor), 0);
  };
  const antes = await contar();
  await medidor.raw(sql, bindings);
  return (await contar()) - antes;
}

const DO_ASSINANTE: readonly (readonly [caminho: string, indice: string])[] = [
  ['/invoices', 'faturas_cliente'],
  ['/invoices?status=aberta', 'faturas_cliente'],
  ['/invoices?status=vencida', 'faturas_cliente'],
  ['/invoices?status=paga', 'faturas_cliente'],
  ['/invoices?contract_id={contrato}', 'faturas_contrato'],
  ['/invoices/{fatura}', 'nfcom_fatura'],
  ['/invoices/{fatura}/nfcom', 'nfcom_fatura'],
  ['/invoices/{fatura}/nfcom/download?format=xml', 'nfcom_fatura'],
  ['/tickets', 'chamados_cliente'],
  ['/tickets?status=em_aberto', 'chamados_cliente'],
  ['/tickets?status=solucionado&contract_id={contrato}', 'chamados_contrato'],
  ['/tickets/{chamado}', 'chamados_historico_chamado'],
];

const DA_EQUIPE: readonly (readonly [caminho: string, indice: string, emOrdem: boolean])[] = [
  ['/tickets', 'chamados_responsavel_abertura', true],
  ['/tickets?status=solucionado', 'chamados_responsavel_abertura', true],
  ['/tickets?status=em_aberto', 'chamados_responsavel', false],
  ['/tickets?assigned=none', 'chamados_responsavel_abertura', true],
  ['/tickets?assigned=none&status=pendente', 'chamados_responsavel', false],
  ['/tickets?assigned=none&status=cancelado', 'chamados_situacao', false],
  ['/tickets?assigned=all', 'chamados_abertura', true],
  ['/tickets?assigned=all&status=cancelado', 'chamados_situacao', true],
  ['/tickets?assigned=all&status=em_aberto', 'chamados_em_aberto', true],
  ['/tickets?assigned=all&client_id={cliente}', 'chamados_cliente', true],
];

interface Acesso {
  readonly table: string | null;
  readonly type: string;
  readonly key: string | null;
  readonly Extra: string | null;
}

async function acessosDe({ sql, bindings }: Comando): Promise<Acesso[]> {
  const [linhas = []] = await medidor.raw<Acesso[][]>(`EXPLAIN FORMAT=TRADITIONAL ${sql}`, bindings);
  // `<derived2>` and the like are the statement's own intermediate results.
  return linhas.filter(({ table }) => table !== null && !table.startsWith('<'));
}

const contados = (comandos: readonly Comando[]): Comando[] => comandos.filter(({ sql }) => /count\(\*\)/i.test(sql));
const lidos = (comandos: readonly Comando[]): Comando[] => comandos.filter(({ sql }) => !/count\(\*\)/i.test(sql));

async function somar(comandos: readonly Comando[]): Promise<number> {
  let lidas = 0;
  for (const comando of comandos) lidas += await lidasPor(comando);
  return lidas;
}

/** Asks for a short part and for a long one; the statements of the short one, which are as many as of the long one. */
async function partesDe(t: ExecutionContext, quem: Quem, caminho: string): Promise<Comando[]> {
  const lista = !caminho.includes('{fatura}') && !caminho.includes('{chamado}');
  const com = (limit: number): string =>
    lista ? `${caminho}${caminho.includes('?') ? '&' : '?'}limit=${limit}` : caminho;
  const poucas = await comandosDe(quem, com(2));
  t.true(poucas.length > 0 && poucas.length <= 8, String(poucas.length));
  // Of what fits in one part, or was counted a moment ago, nothing is counted.
  if (lista) t.is(lidos(await comandosDe(quem, com(100))).length, lidos(poucas).length, 'não crescem com as linhas');
  return poucas;
}

async function semVarredura(t: ExecutionContext, comandos: readonly Comando[], indice: string): Promise<void> {
  const acessos = (await Promise.all(comandos.map(acessosDe))).flat();
  for (const { table, type, key } of acessos) {
    t.false(type === 'ALL' || type === 'index' || key === null, `${table} ${type} ${key}`);
  }
  t.true(
    acessos.some(({ key }) => key === indice),
    acessos.map(({ key }) => key).join(),
  );
}

for (const [caminho, indice] of DO_ASSINANTE) {
  test.serial(`GET ${caminho}: custa o que é do assinante, e não o que é dos vizinhos`, async (t) => {
    const comandos = await partesDe(t, 'assinante', caminho);
    await semVarredura(t, comandos, indice);
    const lidas = await somar(comandos);
    t.true(lidas < 5 * MINHAS, String(lidas));
  });
}

for (const [caminho, indice, emOrdem] of DA_EQUIPE) {
  test.serial(`GET ${caminho}, da equipe: vem do seu índice, e conta-se nele`, async (t) => {
    const comandos = await partesDe(t, 'tecnico', caminho);
    await semVarredura(t, comandos, indice);
    for (const contado of contados(comandos)) {
      const contadas = await lidasPor(contado);
      for (const { Extra } of await acessosDe(contado)) {
        t.true(/Using index/.test(String(Extra)) || contadas < 100, `${contadas}: ${contado.sql}`);
      }
    }
    const lidas = await somar(lidos(comandos));
    if (emOrdem) t.true(lidas < 100, String(lidas));
    else t.true(lidas < VIZINHAS / 10, String(lidas));
  });
}
