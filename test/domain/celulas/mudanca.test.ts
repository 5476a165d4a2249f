import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { DA_CELULA, DO_RADIUS, FILAS, tabelasDe } from '../../../src/domain/celulas/fatias.ts';
import { numerarDepoisDe } from '../../../src/domain/celulas/numeracao.ts';
import { createMudanca } from '../../../src/domain/celulas/mudanca.service.ts';
import { desistir } from '../../../src/domain/celulas/lugar.service.ts';
import type { MudancaDeps } from '../../../src/domain/celulas/mudanca.service.ts';
import { createDatabase, toDatabaseTime } from '../../../src/platform/mysql/database.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import { urlDoDono } from '../../support/banco.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { criarTerminal } from '../../support/terminal.ts';

/** Of the second cell, as the server of another cell would number. */
const PRIMEIRO_NUMERO = 5_000_000;
const NAS = '10.77.0.1';
const CLIENTES = 30;

let antiga: Api;
let nova: Api;
/** As the command connects. */
let origem: Db;
let destino: Db;
const parar: (() => Promise<void>)[] = [];

test.before(async (t) => {
  antiga = await criarApi();
  nova = await criarApi();
  [origem, destino] = [antiga, nova].map(({ databaseUrl }) =>
    createDatabase({ url: urlDoDono(databaseUrl), pool: 4, announces: true }),
  ) as [Db, Db];
  for (const { container } of [antiga, nova]) {
    const relay = container.startRelay();
    parar.push(async () => relay.stop());
  }
  t.true((await numerarDepoisDe(nova.dono, PRIMEIRO_NUMERO)).length > 50);
  t.deepEqual(await numerarDepoisDe(nova.dono, PRIMEIRO_NUMERO), []);
});
test.after.always(async () => {
  for (const fim of parar) await fim();
  await origem?.destroy();
  await destino?.destroy();
  await antiga?.fechar();
  await nova?.fechar();
});

let sequencia = 0;

/** Of the provider that moves while it is asked. */
const CHAVES = 50;

/** A provider with something of much, and a session of each contract. */
async function criarProvedor(): Promise<{ id: number; chave: string; clientes: number[] }> {
  const fabrica = criarFabrica(antiga.dono);
  const id = await fabrica.provedor();
  const nas = NAS.replace('77', String(77 + sequencia));
  sequencia += 1;
  await fabrica.nas(id, nas);
  const plano_id = await fabrica.plano(id, { nome: "Fibra '500' \\ ?\n😀" });
  const clientes: number[] = [];
  for (let n = 0; n < CLIENTES; n += 1) {
    const cliente_id = await fabrica.cliente(id, {
      nome: `Ação & Cia "${n}" '\\'`,
      cpf_cnpj: String(10_000_000_000 + id * 1000 + n),
    });
    const login = `p${id}c${n}`;
    const contrato_id = await fabrica.contrato(id, { cliente_id, plano_id, login });
    await fabrica.telefone(id, { cliente_id });
    await fabrica.fatura(id, { cliente_id, contrato_id, descricao: 'Mensalidade ? :x' });
    await antiga
      .dono('radcheck')
      .insert({ username: login, attribute: 'Cleartext-Password', op: ':=', value: 's3nh@?' });
    await antiga.dono('radacct').insert({
      acctsessionid: `s${id}-${n}`,
      acctuniqueid: `${id}-${n}`.padStart(32, '0'),
      username: login,
      nasipaddress: nas,
      acctstarttime: '2026-11-20 10:00:00',
      acctupdatetime: new Date().toISOString().slice(0, 19).replace('T', ' '),
      acctinputoctets: 10,
      acctoutputoctets: 20,
    });
    clientes.push(cliente_id);
  }
  const { texto: chave } = await antiga.criarChave(id);
  return { id, chave, clientes };
}

/** What a provider has in a table, in one order. */
async function linhasDe(db: Db, tabela: string, provedorId: number): Promise<string> {
  const [linhas = []] = await db.raw<object[][]>('SELECT * FROM ?? WHERE provedor_id = ? ORDER BY 1, 2, 3', [
    tabela,
    provedorId,
  ]);
  return JSON.stringify(linhas);
}

const mudar = (deps: Partial<MudancaDeps> = {}) =>
  createMudanca({ origem, destino, celula: 'outra', trocar: async () => {}, dizer: () => {}, espera: 0, ...deps });

test.serial('cada tabela é de provedores, do RADIUS ou da célula', async (t) => {
  const [linhas = []] = await antiga.dono.raw<{ tabela: string }[][]>(
    "SELECT DISTINCT TABLE_NAME AS tabela FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND COLUMN_NAME = 'provedor_id'",
  );
  const deProvedor = new Set(linhas.map(({ tabela }) => tabela));
  for (const fila of FILAS) t.true(deProvedor.has(fila), fila);
  const outras = (await tabelasDe(antiga.dono)).filter((tabela) => !deProvedor.has(tabela) && tabela !== 'provedores');
  t.deepEqual(outras, [...DA_CELULA, ...DO_RADIUS].toSorted());
});

test.serial(
  'um provedor muda de célula sob leituras e escritas: nada se perde, nada velho se lê, e lá se grava',
  async (t) => {
    const { id, chave, clientes } = await criarProvedor();
    // However fast it is asked, no key asks more often than it may.
    const chaves = await Promise.all(Array.from({ length: CHAVES }, async () => (await antiga.criarChave(id)).texto));
    // The new cell has kept of this key that nobody has it.
    t.is((await nova.get('/status', { chave })).status, 401);
    let onde = antiga;
    const pedidos = { acabaram: false };
    const estados = { lidas: 0, gravadas: 0, recusadas: 0 };
    const ditas = new Map<number, string>();
    const abertos: number[] = [];
    const pedir = async (): Promise<void> => {
      for (let n = 0; !pedidos.acabaram; n += 1) {
        const cliente = clientes[n % clientes.length]!;
        const esta = { chave: chaves[n % CHAVES]! };
        const lida = await onde.get(`/clientes/${cliente}`, esta);
        t.is(lida.status, 200, lida.texto);
        estados.lidas += 1;
        const assunto = `Chamado ${n}`;
        const aberto = await onde.pedir('POST', '/chamados', {
          ...esta,
          headers: { 'content-type': 'application/json' },
          corpo: JSON.stringify({ cliente_id: cliente, assunto, descricao: 'Sem sinal' }),
        });
        if (aberto.status === 201) {
          estados.gravadas += 1;
          abertos.push(aberto.corpo.dados.id);
          ditas.set(aberto.corpo.dados.id, assunto);
        } else {
          t.is(aberto.status, 503, aberto.texto);
          t.is(aberto.corpo.erro.codigo, 'provedor_em_mudanca');
          t.is(aberto.headers['retry-after'], '10');
          estados.recusadas += 1;
        }
        const ultimo = abertos.at(-1);
        if (ultimo !== undefined) {
          const lido = await onde.get(`/chamados/${ultimo}`, esta);
          t.is(lido.status, 200, lido.texto);
          t.is(lido.corpo.dados.assunto, ditas.get(ultimo));
        }
      }
    };
    // Whatever it finds wrong ends the test at once.
    const pedindo = pedir();
    const contra = async <T>(outra: Promise<T>): Promise<T> =>
      Promise.race([outra, pedindo.then(async () => new Promise<never>(() => {}))]);
    const mudanca = mudar({
      async trocar() {
        onde = nova;
      },
      espera: 300,
    });
    const { tabelas, soLeituraMs } = await contra(mudanca.mover(id));
    const antes = estados.gravadas;
    const gravaLa = async (): Promise<void> => {
      while (estados.gravadas < antes + 5 && !pedidos.acabaram) await sleep(10);
    };
    await contra(gravaLa());
    pedidos.acabaram = true;
    await pedindo;
    t.true(estados.recusadas > 0);
    t.true(soLeituraMs > 0);
    // Whoever still asks at the old cell is told nothing.
    t.is((await antiga.get('/status', { chave })).status, 401);
    for (const [chamado, assunto] of ditas) {
      t.is((await nova.dono('chamados').where({ provedor_id: id, id: chamado }).first('assunto'))?.assunto, assunto);
    }
    t.is(tabelas.find(({ tabela }) => tabela === 'radacct')?.linhas, CLIENTES);
    for (const tabela of [
      'clientes',
      'contratos',
      'faturas',
      'planos',
      'clientes_palavras',
      'contratos_historico',
      'registros_conexao',
      'chaves_api',
      'perfis',
    ]) {
      t.is(await linhasDe(nova.dono, tabela, id), await linhasDe(antiga.dono, tabela, id), tabela);
    }
    for (const tabela of ['radcheck', 'radacct', 'sessoes_ouvidas']) {
      const [[aqui], [la]] = await Promise.all(
        [origem, destino].map((db) => db.raw(`SELECT * FROM ${tabela} ORDER BY 1`)),
      );
      t.deepEqual(la, aqui, tabela);
    }
    // What triggers noted of copied sessions is not counted a second time.
    t.is(
      (await nova.dono('trafego_mudancas').count({ n: '*' }))[0]?.['n'],
      (await antiga.dono('trafego_mudancas').count({ n: '*' }))[0]?.['n'],
    );
  },
);

test.serial('quem não consegue levar os pedidos fica, e grava onde estava', async (t) => {
  const { id, chave, clientes } = await criarProvedor();
  const falha = new Error('o proxy não recarregou');
  await t.throwsAsync(mudar({ trocar: async () => Promise.reject(falha) }).mover(id), { message: falha.message });
  const aberto = await antiga.pedir('POST', '/chamados', {
    chave,
    headers: { 'content-type': 'application/json' },
    corpo: JSON.stringify({ cliente_id: clientes[0], assunto: 'Aqui', descricao: 'Sem sinal' }),
  });
  t.is(aberto.status, 201, aberto.texto);
  // What has changed since is what is copied now.
  await mudar().mover(id);
  t.truthy(await nova.dono('chamados').where({ provedor_id: id, assunto: 'Aqui' }).first('id'));
});

test.serial('quem viu os dados de quem enquanto só se lia também vai, e o que já se viu lá fica', async (t) => {
  const { id, clientes } = await criarProvedor();
  const [usuario_id] = await antiga
    .dono('usuarios')
    .insert({ provedor_id: id, email: 'equipe@malha.test', nome: 'Equipe' });
  const ver = async (db: Db, n: number): Promise<void> => {
    const cliente_id = clientes[n];
    const ocorrido_em = toDatabaseTime(new Date());
    await db('acessos_a_dados').insert({ provedor_id: id, usuario_id, cliente_id, o_que: 'cliente', ocorrido_em });
  };
  await ver(origem, 0);
  await mudar({
    async trocar() {
      await ver(origem, 1);
      await ver(destino, 2);
    },
  }).mover(id);
  const vistos: number[] = await destino('acessos_a_dados')
    .where({ provedor_id: id })
    .orderBy('id')
    .pluck('cliente_id');
  t.deepEqual(vistos, clientes.slice(0, 3));
});

test.serial('quem muda um provedor está só: um segundo, ou quem desiste, é recusado', async (t) => {
  const { id } = await criarProvedor();
  let recusas: string[] = [];
  const tentar = async (tentativa: Promise<unknown>): Promise<string> =>
    tentativa.then(
      () => 'aceita',
      (error: Error) => error.message,
    );
  await mudar({
    async trocar() {
      recusas = await Promise.all([tentar(mudar().mover(id)), tentar(desistir({ origem, destino }, id))]);
    },
  }).mover(id);
  for (const recusa of recusas) t.regex(recusa, /^outro comando está mudando o provedor/);
  t.is(recusas.length, 2);
  t.is((await antiga.dono('provedores').where({ id }).first('mudanca')).mudanca, 'foi');
});

test.serial(
  'falha o que vem depois de levar os pedidos: só se lê até que se repita, e então se grava lá',
  async (t) => {
    const { id, chave, clientes } = await criarProvedor();
    await antiga.dono.raw(
      `CREATE TRIGGER provedores_teste BEFORE UPDATE ON provedores FOR EACH ROW
     IF NEW.mudanca = 'foi' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'caiu'; END IF`,
    );
    try {
      await t.throwsAsync(mudar().mover(id), { message: /caiu/ });
    } finally {
      await antiga.dono.raw('DROP TRIGGER provedores_teste');
    }
    const abrir = async (api: Api) =>
      api.pedir('POST', '/chamados', {
        chave,
        headers: { 'content-type': 'application/json' },
        corpo: JSON.stringify({ cliente_id: clientes[0], assunto: 'Onde', descricao: 'Sem sinal' }),
      });
    t.is((await abrir(antiga)).status, 503);
    await mudar().mover(id);
    t.is((await abrir(nova)).status, 201);
  },
);

test.serial('uma célula restaurada de antes da mudança larga quem vive na outra, e só quem vive lá', async (t) => {
  const { id, chave } = await criarProvedor();
  const terminal = criarTerminal(antiga, { DATABASE_OWNER_URL: urlDoDono(antiga.databaseUrl) });
  const outra = { MALHA_DESTINO: urlDoDono(nova.databaseUrl) };
  const largar = async (env: Record<string, string> = {}, ...mais: string[]) =>
    terminal.malha(['provedor', 'largar', String(id), ...mais], env);
  t.regex((await largar()).stderr, /^erro: MALHA_DESTINO/);
  t.regex((await largar(outra)).stderr, /não vive na outra célula/);
  t.is((await antiga.get('/planos', { chave })).status, 200);
  await mudar().mover(id);
  // As a backup of before has it.
  await antiga.dono('provedores').where({ id }).update({ mudanca: null });
  const largado = await largar(outra);
  t.is(largado.codigo, 0, largado.stderr);
  while ((await antiga.get('/planos', { chave })).status !== 401) await sleep(20);
  t.is((await nova.get('/planos', { chave })).status, 200);
  t.regex((await largar(outra)).stderr, /não vive nesta célula/);
  await antiga.dono('provedores').where({ id }).update({ mudanca: null });
  t.is((await largar({}, '--sem-conferir')).codigo, 0);
  terminal.fechar();
});

test.serial('vai e volta', async (t) => {
  const { id, chave } = await criarProvedor();
  await mudar().mover(id);
  t.is((await nova.get('/planos', { chave })).status, 200);
  await nova.dono('planos').where({ provedor_id: id }).update({ nome: 'Outro nome' });
  // The old cell still has its FreeRADIUS's rows of the login that the contract loses meanwhile.
  const velho = `p${id}c3`;
  const novo = `${velho}x`;
  await nova.dono('contratos').where({ provedor_id: id, login: velho }).update({ login: novo });
  await nova.dono('radcheck').where({ username: velho }).update({ username: novo });
  await createMudanca({
    origem: destino,
    destino: origem,
    celula: 'antiga',
    trocar: async () => {},
    dizer: () => {},
    espera: 0,
  }).mover(id);
  const planos = await antiga.get('/planos', { chave });
  t.is(planos.status, 200, planos.texto);
  t.is(planos.corpo.dados[0].nome, 'Outro nome');
  t.is((await nova.get('/planos', { chave })).status, 401);
  const logins = await antiga.dono('radcheck').whereIn('username', [velho, novo]).pluck('username');
  t.deepEqual(logins, [novo]);
});

test.serial('o que não pode mudar é recusado, e nada se grava', async (t) => {
  await t.throwsAsync(mudar().mover(999_999), { message: 'provedor 999999 não existe' });
  const { id } = await criarProvedor();
  await nova.dono('provedores').insert({ id, nome: 'Outro', panel_host: `outro${id}.test` });
  await t.throwsAsync(mudar().mover(id), { message: /já tem um provedor/ });
  await t.throwsAsync(desistir({ origem, destino }, id), { message: /não está de saída/ });
  await t.throwsAsync(desistir({ origem, destino: null }, id), { message: /não está de saída/ });
  const { id: outro } = await criarProvedor();
  const { id: chamado } = await antiga.dono('clientes').where({ provedor_id: outro }).first('id');
  const alheio = await criarFabrica(nova.dono).provedor();
  await nova.dono('clientes').insert({
    provedor_id: alheio,
    id: chamado,
    nome: 'De outro',
    tipo: 'pf',
    cpf_cnpj: '52998224725',
    situacao: 'ativo',
  });
  await t.throwsAsync(mudar().mover(outro), { message: /clientes: a outra célula já tem linhas/ });
  t.is((await antiga.dono('provedores').where({ id: outro }).first('mudanca')).mudanca, null);
});

const grupo = async (db: Db, nome: string): Promise<string[]> => {
  const linhas = await Promise.all(
    ['radgroupcheck', 'radgroupreply'].map((tabela) =>
      db(tabela).where({ groupname: nome }).orderBy('id').select('attribute', 'op', 'value'),
    ),
  );
  return linhas.flat().map(({ attribute, op, value }) => `${attribute} ${op} ${value}`);
};
const darGrupo = async (db: Db, groupname: string, velocidade: string): Promise<void> => {
  await db('radgroupcheck').insert({ groupname, attribute: 'Simultaneous-Use', op: ':=', value: '1' });
  await db('radgroupreply').insert({ groupname, attribute: 'Mikrotik-Rate-Limit', op: ':=', value: velocidade });
};

test.serial('os grupos vão inteiros: os dos logins, os dos planos sem ninguém e os dos bloqueados', async (t) => {
  const { id } = await criarProvedor();
  const { nasipaddress } = await origem('provedores_nas').where({ provedor_id: id }).first('nasipaddress');
  const sozinho = await criarFabrica(antiga.dono).plano(id, { grupo_radius: `vazio-${id}` });
  const comMembro = `ouro-${id}`;
  await origem('radusergroup').insert({ username: `p${id}c0`, groupname: comMembro, priority: 1 });
  const nomes = [comMembro, `vazio-${id}`, `plano-${sozinho}`, `bloqueado-p${id}`, `bloqueado-${nasipaddress}`];
  for (const nome of nomes) await darGrupo(origem, nome, '50M/100M');
  await mudar().mover(id);
  for (const nome of nomes) {
    t.deepEqual(await grupo(destino, nome), ['Simultaneous-Use := 1', 'Mikrotik-Rate-Limit := 50M/100M'], nome);
  }
  // Back again with what has changed there, where only this provider can have such a group.
  await destino('radgroupreply')
    .where({ groupname: `plano-${sozinho}` })
    .update({ value: '1M/2M' });
  await createMudanca({
    origem: destino,
    destino: origem,
    celula: 'antiga',
    trocar: async () => {},
    dizer: () => {},
    espera: 0,
  }).mover(id);
  t.deepEqual(await grupo(origem, `plano-${sozinho}`), ['Simultaneous-Use := 1', 'Mikrotik-Rate-Limit := 1M/2M']);
});

test.serial('um grupo que na outra célula quer dizer outra coisa é recusado pelo nome, e nada se grava', async (t) => {
  const { id } = await criarProvedor();
  await criarFabrica(antiga.dono).plano(id, { grupo_radius: `prata-${id}` });
  await darGrupo(origem, `prata-${id}`, '50M/100M');
  await darGrupo(destino, `PRATA-${id}`, '1M/1M');
  await t.throwsAsync(mudar().mover(id), { message: new RegExp(`com outro conteúdo o grupo prata-${id}:`) });
  t.is(await destino('provedores').where({ id }).first('id'), undefined);
  t.is((await origem('provedores').where({ id }).first('mudanca')).mudanca, null);
  t.deepEqual(await grupo(destino, `prata-${id}`), ['Simultaneous-Use := 1', 'Mikrotik-Rate-Limit := 1M/1M']);
});

const mapaDe = async (api: Api): Promise<string> => {
  const terminal = criarTerminal(api);
  const { stdout } = await terminal.malha(['provedor', 'mapa', '--celula', 'x']);
  terminal.fechar();
  return stdout;
};

test.serial('enquanto é copiado nada se lê da cópia, e ela não está no mapa', async (t) => {
  const { id, chave } = await criarProvedor();
  const linha = new RegExp(`^${id.toString(36)} x$`, 'm');
  let visto = '';
  await t.throwsAsync(
    mudar({
      dizer(dita) {
        visto = dita;
      },
      async trocar() {
        // All of it is there by now, and callers are led there.
        t.is((await nova.get('/planos', { chave })).status, 200);
        t.regex(await mapaDe(nova), linha);
        throw new Error('o proxy não recarregou');
      },
    }).mover(id),
    { message: 'o proxy não recarregou' },
  );
  t.truthy(visto);
  t.is((await destino('provedores').where({ id }).first('mudanca')).mudanca, 'foi');
  for (const mudanca of ['chegando', 'foi']) {
    await destino('provedores').where({ id }).update({ mudanca });
    await nova.dono('eventos').insert({ provedor_id: id, tipo: 'alteracao', etiquetas: '["provedor"]' });
    while ((await nova.get('/planos', { chave })).status !== 401) await sleep(20);
    t.notRegex(await mapaDe(nova), linha);
  }
  t.regex(await mapaDe(antiga), linha);
});

test.serial('malha provedor ficar não precisa da outra célula, e a avisa quando sabe qual é', async (t) => {
  const { id } = await criarProvedor();
  const terminal = criarTerminal(antiga, { DATABASE_OWNER_URL: urlDoDono(antiga.databaseUrl) });
  const ficar = async (env: Record<string, string> = {}) => terminal.malha(['provedor', 'ficar', String(id)], env);
  const estado = async (db: Db) => (await db('provedores').where({ id }).first('mudanca')).mudanca;
  const outra = { MALHA_DESTINO: urlDoDono(nova.databaseUrl) };
  await t.throwsAsync(mudar({ trocar: async () => Promise.reject(new Error('não')) }).mover(id));
  const ocupada = async (): Promise<void> => {
    await origem('provedores').where({ id }).update({ mudanca: 'saindo' });
    await destino('provedores').where({ id }).update({ mudanca: 'chegando' });
  };
  await ocupada();
  const ficaSo = /^Provedor \d+ fica\.\nSe os pedidos dele já iam [^\n]*\n$/;
  const sozinha = await ficar();
  t.is(sozinha.codigo, 0, sozinha.stderr);
  t.regex(
    sozinha.stdout,
    /fica\.\nA cópia na outra célula não foi marcada.*\nSe os pedidos dele já iam .* traga-os de volta/,
  );
  t.deepEqual([await estado(origem), await estado(destino)], [null, 'chegando']);
  // The copy alone is left, and can be marked afterwards.
  t.regex((await ficar(outra)).stdout, ficaSo);
  t.deepEqual([await estado(origem), await estado(destino)], [null, 'foi']);
  await ocupada();
  t.regex((await ficar(outra)).stdout, ficaSo);
  t.deepEqual([await estado(origem), await estado(destino)], [null, 'foi']);
  await ocupada();
  const longe = await ficar({ MALHA_DESTINO: 'mysql://x:y@127.0.0.1:1/malha' });
  t.is(longe.codigo, 0, longe.stderr);
  t.is(await estado(origem), null);
  t.is((await ficar()).codigo, 1);
  terminal.fechar();
});
