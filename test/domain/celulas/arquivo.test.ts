import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import test from 'ava';
import { contarValores } from '../../../src/domain/celulas/arquivo/formato.ts';
import { numerarDepoisDe } from '../../../src/domain/celulas/numeracao.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { urlDoDono } from '../../support/banco.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { criarTerminal, recusado } from '../../support/terminal.ts';
import type { Terminal } from '../../support/terminal.ts';
import { dandoLogin } from './apoio.ts';

const CHAVE = randomBytes(32).toString('hex');
const CLIENTES = 20;

let antiga: Api;
let nova: Api;
let daqui: Terminal;
let de: Terminal;
let sequencia = 0;

const terminalDe = (api: Api, chave: string): Terminal =>
  criarTerminal(api, { MALHA_CHAVE_MESTRA: chave, DATABASE_OWNER_URL: urlDoDono(api.databaseUrl) });

test.before(async () => {
  antiga = await criarApi({ env: { MALHA_CHAVE_MESTRA: CHAVE } });
  nova = await criarApi({ env: { MALHA_CHAVE_MESTRA: CHAVE } });
  daqui = terminalDe(antiga, CHAVE);
  de = terminalDe(nova, CHAVE);
  await numerarDepoisDe(nova.dono, 5_000_000);
});
test.after.always(async () => {
  await antiga?.fechar();
  await nova?.fechar();
  daqui?.fechar();
  de?.fechar();
});

async function criarProvedor() {
  const fabrica = criarFabrica(antiga.dono);
  const id = await fabrica.provedor();
  sequencia += 1;
  const nas = `10.88.0.${sequencia}`;
  await fabrica.nas(id, nas);
  const plano_id = await fabrica.plano(id, { nome: "Fibra '500' \\ ? :x\n\u2028😀", grupo_radius: `ouro-${id}` });
  await antiga.dono('radgroupreply').insert({
    groupname: `ouro-${id}`,
    attribute: 'Mikrotik-Rate-Limit',
    op: ':=',
    value: '50M/100M',
  });
  for (let n = 0; n < CLIENTES; n += 1) {
    const cliente_id = await fabrica.cliente(id, {
      nome: `Ação ${n}`,
      cpf_cnpj: String(20_000_000_000 + id * 100 + n),
    });
    const login = `x${id}c${n}`;
    const contrato_id = await fabrica.contrato(id, { cliente_id, plano_id, login });
    await fabrica.fatura(id, { cliente_id, contrato_id });
    await antiga.dono('radcheck').insert({ username: login, attribute: 'Cleartext-Password', op: ':=', value: 's3?' });
    await antiga.dono('radacct').insert({
      acctsessionid: `x${id}-${n}`,
      acctuniqueid: `x${id}-${n}`.padStart(32, '0'),
      username: login,
      nasipaddress: nas,
      acctstarttime: '2026-11-20 10:00:00',
      acctupdatetime: '2026-11-20 11:00:00',
      acctinputoctets: 10,
      acctoutputoctets: 20,
    });
  }
  await antiga.container.webhooks.criar(AUTOR, id, { url: 'https://exemplo.com.br/x', eventos: ['*'] });
  const { texto: chave } = await antiga.criarChave(id);
  return { id, nas, chave };
}

async function exportar(id: number): Promise<string> {
  const arquivo = join(daqui.pasta, `${id}.malha`);
  const { codigo, stderr } = await daqui.malha(['provedor', 'exportar', String(id), arquivo]);
  if (codigo !== 0) throw new Error(stderr);
  return arquivo;
}

/** The same file with its lines changed. */
function outro(arquivo: string, mudar: (linhas: string[]) => string[]): string {
  const novo = `${arquivo}.${(sequencia += 1)}`;
  const linhas = gunzipSync(readFileSync(arquivo)).toString().trimEnd().split('\n');
  writeFileSync(novo, gzipSync(`${mudar(linhas).join('\n')}\n`));
  return novo;
}

/** The same file with another header, whose digest at the end says that it is the one exported. */
function comCabecalho(arquivo: string, mudar: (cabecalho: any) => void): string {
  return outro(arquivo, (linhas) => {
    const cabecalho = JSON.parse(linhas[0]!);
    mudar(cabecalho);
    const primeira = JSON.stringify(cabecalho);
    const fim = JSON.parse(linhas.at(-1)!);
    fim.cabecalho = createHash('sha256').update(primeira).digest('hex');
    return [primeira, ...linhas.slice(1, -1), JSON.stringify(fim)];
  });
}

const importar = async (arquivo: string, ...mais: string[]) => de.malha(['provedor', 'importar', arquivo, ...mais]);

/** What a provider has in every table of its own, but for what a cell has of it for itself. */
async function tudoDe(api: Api, id: number): Promise<Record<string, string>> {
  const [tabelas = []] = await api.dono.raw<{ tabela: string }[][]>(
    "SELECT DISTINCT TABLE_NAME AS tabela FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND COLUMN_NAME = 'provedor_id'",
  );
  const tudo: Record<string, string> = {};
  for (const { tabela } of tabelas) {
    if (['eventos', 'eventos_pendentes', 'auditoria'].includes(tabela)) continue;
    const linhas: Record<string, unknown>[] = await api.dono(tabela).where({ provedor_id: id });
    // A trigger dates the rules anew when the provider is put in service.
    if (tabela === 'regras_cobranca') for (const linha of linhas) delete linha['atualizado_em'];
    tudo[tabela] = linhas
      .map((linha) => JSON.stringify(linha))
      .toSorted()
      .join('\n');
  }
  for (const [tabela, onde] of [
    ['radacct', 'username'],
    ['radcheck', 'username'],
    ['radgroupreply', 'groupname'],
  ] as const) {
    const linhas = await api
      .dono(tabela)
      .where(onde, 'like', onde === 'username' ? `x${id}c%` : `ouro-${id}`)
      .orderBy(onde);
    tudo[tabela] = JSON.stringify(onde === 'username' ? linhas : linhas.map(({ value }) => value));
  }
  return tudo;
}

test.serial('um provedor vai inteiro num arquivo que só o dono lê, e vive na outra célula', async (t) => {
  const { id, chave } = await criarProvedor();
  const arquivo = await exportar(id);
  t.is(statSync(arquivo).mode & 0o777, 0o600);
  recusado(t, await daqui.malha(['provedor', 'exportar', String(id), arquivo]), /já existe/);
  const antes = await tudoDe(antiga, id);
  t.true(antes['radacct']!.length > 100);
  const { codigo, stdout, stderr } = await importar(arquivo);
  t.is(codigo, 0, stderr);
  t.is(stderr, '');
  t.regex(stdout, /faturas +20\n/);
  t.regex(stdout, /Está em serviço\.\n$/);
  t.deepEqual(await tudoDe(nova, id), antes);
  t.is((await nova.get('/planos', { chave })).status, 200);
  t.is((await nova.dono('provedores').where({ id }).first('mudanca')).mudanca, null);
  recusado(t, await importar(arquivo), new RegExp(`já há o provedor ${id}`));
});

test.serial(
  'parado, só se lê até que se assuma; e com outra chave mestra se diz que segredos ninguém abre',
  async (t) => {
    const { id, chave } = await criarProvedor();
    const arquivo = await exportar(id);
    const semChave = terminalDe(nova, randomBytes(32).toString('hex'));
    const { codigo, stdout, stderr } = await semChave.malha(['provedor', 'importar', arquivo, '--parado']);
    semChave.fechar();
    t.is(codigo, 0, stderr);
    t.regex(stderr, /^ATENÇÃO: há segredos cifrados com outra chave mestra em webhooks\./m);
    t.regex(stdout, /Está parado/);
    t.is((await nova.dono('provedores').where({ id }).first('mudanca')).mudanca, 'chegou');
    t.is((await nova.get('/planos', { chave })).status, 200);
    const la = { MALHA_DESTINO: urlDoDono(antiga.databaseUrl) };
    const assumir = async (...mais: string[]) => de.malha(['provedor', 'assumir', String(id), ...mais], la);
    recusado(t, await assumir(), /vive na outra célula/);
    await antiga.dono('provedores').where({ id }).update({ mudanca: 'foi' });
    await nova.dono('provedores').where({ id }).update({ mudanca: 'chegando' });
    recusado(t, await assumir(), /não está inteiro e parado/);
    await nova.dono('provedores').where({ id }).update({ mudanca: 'chegou' });
    t.is((await assumir()).codigo, 0);
    t.is((await nova.dono('provedores').where({ id }).first('mudanca')).mudanca, null);
    t.is((await nova.dono('eventos_pendentes').where({ provedor_id: id, consumidor: 'importacoes' })).length, 1);
  },
);

test.serial('exportado com --parar, nada mais se grava; ficar o desfaz, e o que falha também', async (t) => {
  const { id } = await criarProvedor();
  const estado = async () => (await antiga.dono('provedores').where({ id }).first('mudanca')).mudanca;
  const arquivo = join(daqui.pasta, `${id}.parado`);
  const parar = async () => daqui.malha(['provedor', 'exportar', String(id), arquivo, '--parar']);
  // As a release that does not know this has left it: that move is none of this one's.
  await antiga.dono('provedores').where({ id }).update({ mudanca_para: 'alguma:3306/malha' });
  const { codigo, stdout, stderr } = await parar();
  t.is(codigo, 0, stderr);
  t.regex(stdout, new RegExp(`malha provedor largar ${id}\\.`));
  t.is(await estado(), 'saindo');
  t.is((await antiga.dono('provedores').where({ id }).first('mudanca_para')).mudanca_para, null);
  t.is((await daqui.malha(['provedor', 'ficar', String(id)])).codigo, 0);
  t.is(await estado(), null);
  recusado(t, await parar(), /já existe/);
  t.is(await estado(), null);
});

test.serial('um arquivo cortado, mudado ou alheio é recusado com a linha ou a tabela, e nada se grava', async (t) => {
  const { id, nas } = await criarProvedor();
  const arquivo = await exportar(id);
  const bytes = readFileSync(arquivo);
  const cortado = `${arquivo}.cortado`;
  writeFileSync(cortado, bytes.subarray(0, Math.floor(bytes.length * 0.7)));
  recusado(t, await importar(cortado), /cortado ou estragado na linha \d+/);
  const semFim = outro(arquivo, (linhas) => linhas.slice(0, -3));
  recusado(t, await importar(semFim), /cortado ou estragado na linha \d+/);
  const alheio = join(de.pasta, 'alheio');
  writeFileSync(alheio, 'nada disso');
  recusado(t, await importar(alheio), /cortado ou estragado na linha 1\b/);
  const json = outro(arquivo, () => ['{"outra":"coisa"}']);
  recusado(t, await importar(json), /a linha 1 não é a de um provedor/);
  const mudado = outro(arquivo, (linhas) => linhas.map((linha) => linha.replace('Ação 7', 'Ação 8')));
  recusado(t, await importar(mudado), /as linhas de clientes não são as que foram exportadas/);
  const comando = outro(arquivo, (linhas) =>
    linhas.map((linha) => linha.replace("'Ação 7'", '(SELECT MAX(nome) FROM provedores)')),
  );
  recusado(t, await importar(comando), /estragado na linha \d+/);
  const velho = comCabecalho(arquivo, (cabecalho) => {
    cabecalho.migracao = '20200101000000_velha.ts';
  });
  recusado(t, await importar(velho), /o esquema é o de 20200101000000_velha/);
  t.is(await nova.dono('provedores').where({ id }).first('id'), undefined);

  // What stands in the way here is found half-way, and all goes back.
  const alguem = await criarFabrica(nova.dono).provedor();
  const { id: cliente } = await antiga.dono('clientes').where({ provedor_id: id }).first('id');
  const dele = { nome: 'De outro', tipo: 'pf', cpf_cnpj: '52998224725', situacao: 'ativo' };
  await nova.dono('clientes').insert({ provedor_id: alguem, id: cliente, ...dele });
  recusado(t, await importar(arquivo), /clientes: aqui já há linhas com números deste provedor/);
  t.is(await nova.dono('provedores').where({ id }).first('id'), undefined);
  t.is((await nova.dono('radacct').where({ nasipaddress: nas })).length, 0);
  t.is((await nova.dono('clientes').where({ id: cliente })).length, 1);
  await nova.dono('clientes').where({ id: cliente }).delete();
  t.is((await importar(arquivo)).codigo, 0);
});

test.serial('um arquivo não muda os grupos de outro provedor, nem diz outra coisa na primeira linha', async (t) => {
  const { id } = await criarProvedor();
  const arquivo = await exportar(id);
  const daVitima = 'plano-4999999';
  await nova
    .dono('radgroupreply')
    .insert({ groupname: daVitima, attribute: 'Mikrotik-Rate-Limit', op: ':=', value: '900M/900M' });
  const item = { groupname: daVitima, attribute: 'Mikrotik-Rate-Limit', op: ':=', value: '1k/1k' };
  const conteudo = { radgroupcheck: [], radgroupreply: [item] };
  const seu = comCabecalho(arquivo, ({ grupos }) => {
    grupos.proprios.push(daVitima);
    grupos.todos.push(daVitima);
    grupos.conteudos[daVitima] = conteudo;
  });
  recusado(t, await importar(seu), new RegExp(`arquivo: o grupo ${daVitima} não é deste provedor`));
  const porOutroNome = comCabecalho(arquivo, ({ grupos }) => {
    grupos.conteudos[`ouro-${id}`] = conteudo;
  });
  recusado(t, await importar(porOutroNome), /a linha 1 não é a de um provedor/);
  const tipo = comCabecalho(arquivo, (cabecalho) => {
    cabecalho.nas = '10.0.0.1';
  });
  recusado(t, await importar(tipo), /a linha 1 não é a de um provedor/);
  const nas = comCabecalho(arquivo, (cabecalho) => {
    cabecalho.nas.push('10.99.0.1');
  });
  recusado(t, await importar(nas), /os NAS da linha 1 são outros|não é aqui o que é lá/);
  const mudado = outro(arquivo, ([primeira = '', ...resto]) => [
    primeira.replace('"50M/100M"', '"500M/900M"'),
    ...resto,
  ]);
  recusado(t, await importar(mudado), /a linha 1 não é a que foi exportada/);
  t.deepEqual(await nova.dono('radgroupreply').where({ groupname: daVitima }).pluck('value'), ['900M/900M']);
  t.is(await nova.dono('provedores').where({ id }).first('id'), undefined);
});

test.serial('um arquivo sem uma das partes, ou com um login de outro, é recusado, e nada se grava', async (t) => {
  const { id } = await criarProvedor();
  const arquivo = await exportar(id);
  /** The same file without a part, or with one that is empty. */
  const sem = (qual: string, vazia = false): string =>
    outro(arquivo, (linhas) => {
      let fora = false;
      return linhas.flatMap((linha) => {
        const valor = JSON.parse(linha);
        if (valor.fim !== undefined) {
          const fim = valor.fim.flatMap((soma: { tabela: string }) =>
            soma.tabela !== qual ? [soma] : vazia ? [{ tabela: qual, linhas: 0, digest: '0' }] : [],
          );
          return [JSON.stringify({ ...valor, fim })];
        }
        const cabeca = typeof valor !== 'string';
        if (cabeca) fora = valor.tabela === qual;
        return fora && !(cabeca && vazia) ? [] : [linha];
      });
    });
  recusado(t, await importar(sem('provedores', true)), /o provedor não está nele/);
  recusado(t, await importar(sem('provedores')), /não é aqui o que é lá/);
  recusado(t, await importar(sem('trafego_mudancas')), /falta a parte de trafego_mudancas/);
  t.deepEqual(await nova.dono('chaves_api').where({ provedor_id: id }), []);
  // Nobody has given a password to this login yet.
  const fabrica = criarFabrica(nova.dono);
  const dela = await fabrica.provedor();
  const cliente_id = await fabrica.cliente(dela);
  await fabrica.contrato(dela, { cliente_id, plano_id: await fabrica.plano(dela), login: `X${id}c3` });
  recusado(t, await importar(arquivo), new RegExp(`já tem o login X${id}c3, do provedor ${dela}`));
  t.is(await nova.dono('provedores').where({ id }).first('id'), undefined);
});

test.serial('um login que outro provedor está dando agora mesmo é esperado, e não vai a dois', async (t) => {
  const { id } = await criarProvedor();
  const arquivo = await exportar(id);
  const dela = await criarFabrica(nova.dono).provedor();
  const login = `x${id}c3`;
  const importada = await dandoLogin(nova.dono, dela, login, async () => importar(arquivo));
  recusado(t, importada, new RegExp(`já tem o login ${login}, do provedor ${dela}`));
  t.is(await nova.dono('provedores').where({ id }).first('id'), undefined);
});

test('uma linha só tem valores', (t) => {
  t.is(contarValores("NULL,'a\\'b,(',X'0AFF','\n'"), 4);
  for (const ruim of ['1', 'NULL,', "'a'),('b'", "X'0G'", "'a' ", 'NOW()', '', "'a''b'"])
    t.is(contarValores(ruim), null, ruim);
});
