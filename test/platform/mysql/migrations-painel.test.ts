import test from 'ava';
import type { ExecutionContext } from 'ava';
import { TERMINAL, atorDaTarefa } from '../../../src/domain/actor.ts';
import { createAcompanhamentoDePalavrasService } from '../../../src/domain/clientes/palavras/acompanhamento.service.ts';
import { DIREITOS } from '../../../src/domain/direitos.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import { grantApplication } from '../../../src/platform/mysql/grants.ts';
import { migrate } from '../../../src/platform/mysql/schema/migrations.ts';
import { ROTAS } from '../../../src/surfaces/panel/rotas.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { urlDoBanco } from '../../support/banco.ts';
import { NO_DIA_SEGUINTE, criarBancosSemTabelas, encher, migrarAte } from '../../support/lancamento.ts';
import type { BancoSemTabelas } from '../../support/lancamento.ts';
import { SENHA_DO_PAINEL, abrirPainel } from '../../support/painel.ts';
import type { NavegadorSimples } from '../../support/painel.ts';
import { relogioEm } from '../../support/relogio.ts';
import { enderecoDe } from '../../surfaces/panel/povoado.ts';
import { vindoDe } from '../../support/autor.ts';

// The first day of the panel: on a filled database of the release without it, and on one that processes of that release still write to.

const ULTIMA_SEM_PAINEL = '20261125000001_quem_tinha_o_login.js';
const PROVEDORES = [1, 2] as const;
const NUNCA = new AbortController().signal;

const bancos = criarBancosSemTabelas();
const apis: Api[] = [];
test.after.always(async () => {
  for (const api of apis) await api.fechar();
  await bancos.fechar();
});

/** What that release could write beside what 1.0 did: somebody who left, and a client who was erased. */
async function gravarComoAntes(db: Db): Promise<void> {
  await db('usuarios').insert({
    provedor_id: 1,
    nome: 'Quem saiu',
    email: 'saiu@exemplo.com',
    perfil: 'tecnico',
    ativo: 0,
  });
  const [cliente] = await db('clientes').where({ provedor_id: 1, situacao: 'cancelado' }).orderBy('id').limit(1);
  await db('clientes')
    .where({ provedor_id: 1, id: cliente.id })
    .update({ nome: 'Apagado', apagado_em: '2026-11-22 12:00:00' });
}

async function abrir({ db, nome }: BancoSemTabelas): Promise<Api> {
  const databaseUrl = urlDoBanco(nome, 'aplicacao');
  await grantApplication(db, databaseUrl, DIREITOS);
  const api = await criarApi({ bancoDe: { databaseUrl, dono: db }, relogio: relogioEm(NO_DIA_SEGUINTE) });
  apis.push(api);
  return api;
}

const idsDe = async (db: Db, tabela: string, onde: object): Promise<number[]> =>
  (await db(tabela).where(onde).orderBy('id').select('id')).map(({ id }: { id: number }) => id);

/** Somebody of that release, who had no password: he is invited, and keeps the profile that he had. */
async function entrar(api: Api, provedorId: number, perfil: string): Promise<NavegadorSimples> {
  const { usuarios, provedores } = api.container;
  const provedor = await provedores.exigirPorId(provedorId);
  const { email, nome, perfil_id } = await api
    .dono('usuarios')
    .where({ provedor_id: provedorId, perfil, ativo: 1 })
    .first();
  const { token } = await usuarios.convidar(TERMINAL, provedor, { email, nome, perfil_id });
  await usuarios.aceitar(provedor, token, { senha: SENHA_DO_PAINEL }, vindoDe());
  const navegador = abrirPainel(api, provedor.panelHost);
  const { status, texto } = await navegador.post('/entrar', { email, senha: SENHA_DO_PAINEL });
  if (status !== 303) throw new Error(`${status}: ${texto}`);
  return navegador;
}

/** What the panel shows of the rows of a provider, held against the rows. */
async function conferirPainel(t: ExecutionContext, api: Api, provedor_id: number): Promise<void> {
  const db = api.dono;
  const comPerfil: { perfil: string; de_fabrica: string }[] = await db('usuarios')
    .leftJoin('perfis', { 'perfis.provedor_id': 'usuarios.provedor_id', 'perfis.id': 'usuarios.perfil_id' })
    .where('usuarios.provedor_id', provedor_id)
    .select('usuarios.perfil', 'perfis.de_fabrica');
  t.is(new Set(comPerfil.map(({ perfil }) => perfil)).size, 4);
  for (const { perfil, de_fabrica } of comPerfil) t.is(de_fabrica, perfil);

  const admin = await entrar(api, provedor_id, 'administrador');
  const tecnico = await entrar(api, provedor_id, 'tecnico');
  t.is((await tecnico.get('/configuracoes/usuarios')).status, 403);

  // Every client is found by the words of its names, and who was erased by none.
  const clientes = await idsDe(db, 'clientes', { provedor_id });
  t.deepEqual(await api.container.palavras.refazer(TERMINAL, provedor_id), { vistos: clientes.length, mudados: 0 });
  const [acentuado] = await db('clientes')
    .where({ provedor_id, apagado_em: null })
    .where('nome', 'like', '%ção%')
    .limit(1);
  const [, sobrenome = ''] = /(\S*ção)/i.exec(acentuado?.nome ?? 'Conceição') ?? [];
  const achado = await admin.get(`/busca?q=${encodeURIComponent(sobrenome.replace('ção', 'cao'))}`);
  if (acentuado !== undefined)
    t.true(achado.texto.includes(`/painel/clientes/${acentuado.id}"`) || achado.status === 303);

  const naFila = [...(await admin.get('/chamados')).texto.matchAll(/<tr[^>]*id="chamado-(\d+)"/g)].map(([, id]) =>
    Number(id),
  );
  t.deepEqual(
    naFila.toSorted((a, b) => a - b),
    await idsDe(db, 'chamados', { provedor_id, em_aberto: 1 }),
  );
  t.regex((await admin.get('/clientes')).texto, new RegExp(`${clientes.length} clientes`));
  for (const { situacao } of await db('contratos').where({ provedor_id }).distinct('situacao')) {
    const listados = (await admin.get(`/contratos?situacao=${situacao}`)).texto.matchAll(
      /href="\/painel\/contratos\/(\d+)"/g,
    );
    const ids = new Set([...listados].map(([, id]) => Number(id)));
    const todos = await idsDe(db, 'contratos', { provedor_id, situacao });
    t.true(ids.size > 0 && [...ids].every((id) => todos.includes(id)), situacao);
    t.is(ids.size, Math.min(todos.length, ids.size === 25 ? 25 : todos.length), situacao);
  }
  const chaves = (await admin.get('/configuracoes/api')).texto;
  for (const id of await idsDe(db, 'chaves_api', { provedor_id, revogada_em: null })) {
    t.true(chaves.includes(`/painel/configuracoes/api/${id}"`), `chave ${id}`);
  }

  // Each page opens, of the first and of the last row that there is.
  const nas = await db('provedores_nas').where({ provedor_id }).first();
  for (const qual of [0, -1]) {
    const ids: Record<string, number | string> = { 'rede/servidores': nas.nasipaddress };
    for (const tabela of ['clientes', 'contratos', 'faturas', 'chamados', 'planos', 'convites']) {
      ids[tabela] = (await idsDe(db, tabela, { provedor_id })).at(qual)!;
    }
    ids['configuracoes/api'] = (await idsDe(db, 'chaves_api', { provedor_id })).at(qual)!;
    ids['configuracoes/usuarios'] = (await idsDe(db, 'usuarios', { provedor_id })).at(qual)!;
    ids['configuracoes/cobranca/contas'] = (await idsDe(db, 'cobradores', { provedor_id })).at(qual)!;
    for (const rota of ROTAS) {
      if (rota.metodo !== 'GET' || rota.acesso !== 'completo' || rota.caminho === '/eventos') continue;
      const endereco = enderecoDe(rota, { provedorId: provedor_id, host: '', ids });
      const { status, texto } = await admin.get(endereco);
      t.false(status === 403 || status >= 500, `${endereco}: ${status} ${texto.slice(0, 300)}`);
    }
  }
}

test.serial('o banco de antes do painel tem de tudo o que o painel mostra', async (t) => {
  const cheio = await bancos.criar();
  const { db } = cheio;
  await migrarAte(db, '20261121000019_replica.js');
  await encher(db);
  await migrarAte(db, ULTIMA_SEM_PAINEL);
  await gravarComoAntes(db);
  for (const tabela of ['contratos', 'chamados']) {
    const [[coluna] = []] = await db.raw<{ tipo: string }[][]>(
      "SELECT column_type AS tipo FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ? AND column_name = 'situacao'",
      [tabela],
    );
    const todas = [...coluna!.tipo.matchAll(/'([^']+)'/g)].map(([, uma = '']) => uma);
    const ha: { situacao: string }[] = await db(tabela).distinct('situacao');
    t.deepEqual(ha.map(({ situacao }) => situacao).toSorted(), todas.toSorted(), tabela);
  }
  t.true((await db('radacct').whereNull('acctstoptime')).length > 0);
  t.true((await db('radacct').whereNotNull('acctstoptime')).length > 0);
  t.true((await db('chamados_historico')).length > 0);

  await migrate(db);
  const api = await abrir(cheio);
  for (const provedor of PROVEDORES) await conferirPainel(t, api, provedor);
});

test.serial('o que um processo sem painel grava depois das migrações, o painel também mostra', async (t) => {
  const vazio = await bancos.criar();
  const { db } = vazio;
  await migrate(db);
  await encher(db);
  // As the triggers dated them before the former rows took their place.
  await db('clientes_alteracoes').update({ alterado_em: db.raw('UTC_TIMESTAMP(3)') });
  t.is((await db('clientes_palavras')).length, 0);

  const api = await abrir(vazio);
  const { provedores, palavras } = api.container;
  const acompanhamento = createAcompanhamentoDePalavrasService({ db: api.container.db, provedores, palavras });
  const acompanhar = async () => acompanhamento.acompanhar(atorDaTarefa('palavras.acompanhar'), NUNCA);
  t.is(await acompanhar(), (await db('clientes')).length);
  t.is(await acompanhar(), 0);
  // Another name, by a statement of that release.
  const [{ id }] = await db('clientes').where({ provedor_id: 1 }).orderBy('id').limit(1);
  await db('clientes').where({ provedor_id: 1, id }).update({ nome: 'Zuleica Bragança' });
  t.is(await acompanhar(), 1);
  t.deepEqual((await db('clientes_palavras').where({ cliente_id: id, palavra: 'braganca' })).length, 1);
  for (const provedor of PROVEDORES) await conferirPainel(t, api, provedor);
});

test('os perfis de fábrica que o provedor mudou ganham as permissões das notas, e os dele ficam como estão', async (t) => {
  const { db } = await bancos.criar();
  await migrarAte(db, '20261129000101_nfcom_emissao.js');
  await db('provedores').insert({ id: 1, nome: 'Um', panel_host: 'um.exemplo' });
  const perfis: Readonly<Record<string, readonly [de_fabrica: string | null, permissoes: readonly string[] | null]>> = {
    Mudado: ['financeiro', ['faturas.ver', 'faturas.criar']],
    'Sem faturas': ['atendimento', ['clientes.ver']],
    Intacto: ['tecnico', null],
    Nosso: [null, ['faturas.ver', 'faturas.criar']],
  };
  // A provider's profiles come with it.
  await db('perfis').where('provedor_id', 1).delete();
  for (const [nome, [de_fabrica, permissoes]] of Object.entries(perfis)) {
    await db('perfis').insert({
      provedor_id: 1,
      nome,
      de_fabrica,
      permissoes: permissoes === null ? null : JSON.stringify(permissoes),
    });
  }
  await migrate(db);
  const depois = Object.fromEntries(
    (await db('perfis').where('provedor_id', 1)).map(({ nome, permissoes }) => [
      nome,
      typeof permissoes === 'string' ? JSON.parse(permissoes) : permissoes,
    ]),
  );
  t.deepEqual(depois['Mudado'], ['faturas.ver', 'faturas.criar', 'nfcom.ver', 'nfcom.emitir']);
  t.deepEqual(depois['Sem faturas'], ['clientes.ver']);
  t.deepEqual(depois['Nosso'], ['faturas.ver', 'faturas.criar']);
  t.is(depois['Intacto'], null);
});
