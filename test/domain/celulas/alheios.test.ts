import test from 'ava';
import { criarFabrica } from '../../support/fabrica.ts';
import { criarCelula, dandoLogin, entre, estados } from './apoio.ts';
import type { Celula } from './apoio.ts';

let a: Celula;
let b: Celula;

test.before(async () => {
  [a, b] = [await criarCelula(0), await criarCelula(5_000_000)];
});
test.after.always(async () => {
  await a?.fechar();
  await b?.fechar();
});

const NO_RADIUS = ['radcheck', 'radreply', 'radusergroup'] as const;

/** A provider with a NAS, a session at it, and a login with its password and group. */
async function comRede({ api: { dono } }: Celula, { nas, login, senha }: Record<'nas' | 'login' | 'senha', string>) {
  const fabrica = criarFabrica(dono);
  const id = await fabrica.provedor({ panel_host: `p-${senha}.test` });
  await fabrica.nas(id, nas);
  const cliente_id = await fabrica.cliente(id);
  await fabrica.contrato(id, { cliente_id, plano_id: await fabrica.plano(id), login });
  await fabrica.sessao({
    username: login,
    nasipaddress: nas,
    acctuniqueid: senha.padStart(32, '0'),
    acctstarttime: '2026-11-20 10:00:00',
  });
  await dono('radcheck').insert({ username: login, attribute: 'Cleartext-Password', op: ':=', value: senha });
  await dono('radreply').insert({ username: login, attribute: 'Filter-Id', op: ':=', value: senha });
  await dono('radusergroup').insert({ username: login, groupname: `grupo-${senha}`, priority: 1 });
  await dono('radgroupreply').insert({
    groupname: `bloqueado-${nas}`,
    attribute: 'Filter-Id',
    op: ':=',
    value: `fora-${senha}`,
  });
  return id;
}

const doRadius = async ({ db }: Celula): Promise<unknown> =>
  Promise.all(['radacct', 'radgroupreply', ...NO_RADIUS].map((tabela) => db(tabela).select()));

test.serial('um NAS que outro provedor tem na outra célula é recusado, e nada dele se apaga', async (t) => {
  const nas = '10.0.0.1';
  const dela = await comRede(b, { nas, login: 'dela', senha: 'sete' });
  const id = await comRede(a, { nas, login: 'daqui', senha: 'oito' });
  const antes = await doRadius(b);
  await t.throwsAsync(entre(a, b).mover(id), {
    message: `a célula de destino já tem o NAS ${nas}, do provedor ${dela}`,
  });
  t.deepEqual(await doRadius(b), antes);
  t.deepEqual(await estados(id, a, b), [null, undefined]);
});

test.serial('um login que outro provedor tem na outra célula é recusado, e o dele fica', async (t) => {
  const dela = await comRede(b, { nas: '10.0.1.1', login: 'joao', senha: 'nove' });
  const id = await comRede(a, { nas: '10.0.1.2', login: 'Joao', senha: 'dez' });
  const antes = await doRadius(b);
  await t.throwsAsync(entre(a, b).mover(id), {
    message: `a célula de destino já tem o login joao, do provedor ${dela}`,
  });
  t.deepEqual(await doRadius(b), antes);
  t.deepEqual(await estados(id, a, b), [null, undefined]);
});

// Within one transaction of the copy: before the tables by login, and while the first of them is being copied.
for (const [quando, tabela, coluna, valor] of [
  ['antes', 'clientes', 'nome', 'Disputa'],
  ['durante', 'radcheck', 'username', 'disputado-durante'],
] as const) {
  test.serial(`um login que outro toma na outra célula ${quando} da cópia é recusado, e o dele fica`, async (t) => {
    const [login, dele] = [`disputado-${quando}`, `livre-${quando}`];
    const dela = await comRede(b, { nas: `10.0.5.${quando.length}`, login: dele, senha: `la${quando}` });
    const id = await comRede(a, { nas: `10.0.6.${quando.length}`, login, senha: `aqui${quando}` });
    await a.db('clientes').where({ provedor_id: id }).update({ nome: 'Disputa' });
    const tomar = ['radreply', 'radusergroup', ...(tabela === 'radcheck' ? [] : ['radcheck'])].map(
      (qual) => `UPDATE ${qual} SET username = '${login}' WHERE username = '${dele}';`,
    );
    await b.db.raw(
      `CREATE TRIGGER alheios_teste AFTER INSERT ON ${tabela} FOR EACH ROW IF NEW.${coluna} = '${valor}' THEN
         UPDATE contratos SET login = '${login}' WHERE provedor_id = ${dela}; ${tomar.join(' ')} END IF`,
    );
    try {
      await t.throwsAsync(entre(a, b).mover(id), {
        message: `a célula de destino já tem o login ${login}, do provedor ${dela}`,
      });
    } finally {
      await b.db.raw('DROP TRIGGER alheios_teste');
    }
    const [{ login: tem }] = await b.db('contratos').where({ provedor_id: dela });
    t.is(tem, quando === 'antes' ? login : dele);
    for (const qual of ['radcheck', 'radreply'] as const) {
      const valores = b.db(qual).whereIn('username', [login, dele]);
      t.deepEqual(await valores.select('username', 'value'), [{ username: tem, value: `la${quando}` }], qual);
    }
    t.deepEqual(await estados(id, a, b), [null, 'chegando']);
  });
}

test.serial('um login que outro está dando agora mesmo na outra célula é esperado, e não vai a dois', async (t) => {
  const id = await comRede(a, { nas: '10.0.7.1', login: 'sendo-dado', senha: 'vinte' });
  const dela = await criarFabrica(b.api.dono).provedor();
  await t.throwsAsync(
    dandoLogin(b.api.dono, dela, 'sendo-dado', async () => entre(a, b).mover(id)),
    { message: `a célula de destino já tem o login sendo-dado, do provedor ${dela}` },
  );
  t.deepEqual(await b.db('radcheck').where({ username: 'sendo-dado' }), []);
  t.deepEqual(await estados(id, a, b), [null, 'chegando']);
});

test.serial(
  'um login que o provedor deixou não fica na outra célula, nem se o comando morre entre um passo e outro',
  async (t) => {
    const id = await comRede(a, { nas: '10.0.2.1', login: 'velho', senha: 'onze' });
    await t.throwsAsync(entre(a, b, { trocar: async () => Promise.reject(new Error('não')) }).mover(id));
    await a.db('contratos').where({ provedor_id: id }).update({ login: 'novo' });
    for (const tabela of NO_RADIUS) await a.db(tabela).where({ username: 'velho' }).update({ username: 'novo' });
    await b.db.raw(
      `CREATE TRIGGER alheios_teste AFTER DELETE ON radreply FOR EACH ROW IF OLD.username = 'velho' THEN
     SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'caiu'; END IF`,
    );
    try {
      await t.throwsAsync(entre(a, b).mover(id), { message: /caiu/ });
    } finally {
      await b.db.raw('DROP TRIGGER alheios_teste');
    }
    await entre(a, b).mover(id);
    for (const tabela of NO_RADIUS) {
      t.deepEqual(await b.db(tabela).whereIn('username', ['velho', 'novo']).pluck('username'), ['novo'], tabela);
    }
  },
);

test.serial('um NAS que o provedor deixou na outra célula não fica no FreeRADIUS da primeira', async (t) => {
  const [fica, sai] = ['10.0.3.1', '10.0.3.2'];
  const id = await comRede(a, { nas: fica, login: 'doze', senha: 'doze' });
  await criarFabrica(a.api.dono).nas(id, sai);
  for (const nasname of [fica, sai]) await a.db('nas').insert({ nasname, shortname: nasname, secret: 's' });
  await a.db('radusergroup').insert({ username: 'doze', groupname: `retirado-${sai}`, priority: 0 });
  await entre(a, b).mover(id);
  await b.db('provedores_nas').where({ provedor_id: id, nasipaddress: sai }).delete();
  await b.db('nas').where({ nasname: sai }).delete();
  await b
    .db('radusergroup')
    .where({ groupname: `retirado-${sai}` })
    .delete();
  await entre(b, a).mover(id);
  t.deepEqual(await a.db('nas').whereIn('nasname', [fica, sai]).pluck('nasname'), [fica]);
  t.deepEqual(await a.db('radusergroup').where({ groupname: `retirado-${sai}` }), []);
});

test.serial('um grupo que outros usam sem que nada queira dizer não ganha um sentido', async (t) => {
  const id = await comRede(a, { nas: '10.0.4.1', login: 'treze', senha: 'treze' });
  const dela = await comRede(b, { nas: '10.0.4.2', login: 'quatorze', senha: 'quatorze' });
  const outro = await criarFabrica(b.api.dono).plano(dela, { grupo_radius: 'Cobre' });
  for (const [groupname, usar] of [
    ['prata', async () => b.db('radusergroup').insert({ username: 'quatorze', groupname: 'PRATA', priority: 1 })],
    ['cobre', async () => {}],
    [`plano-${outro}`, async () => b.db('planos').where({ id: outro }).update({ grupo_radius: null })],
  ] as const) {
    await usar();
    await a.db('radusergroup').where({ username: 'treze' }).update({ groupname });
    await a.db('radgroupreply').insert({ groupname, attribute: 'Filter-Id', op: ':=', value: '1k' });
    await t.throwsAsync(entre(a, b).mover(id), { message: new RegExp(`outros usam o grupo ${groupname}, que lá`) });
    t.deepEqual(await b.db('radgroupreply').where({ groupname }), []);
  }
  t.deepEqual(await estados(id, a, b), [null, undefined]);
});

/** Has a provider of the second cell take a NAS there in the middle of a turn, once the copy has written something. */
async function tomandoNas<T>(tabela: string, se: string, fazer: string, copiar: () => Promise<T>): Promise<T> {
  await b.db.raw(`CREATE TRIGGER alheios_teste AFTER INSERT ON ${tabela} FOR EACH ROW IF ${se} THEN ${fazer} END IF`);
  try {
    return await copiar();
  } finally {
    await b.db.raw('DROP TRIGGER alheios_teste');
  }
}

test.serial(
  'um NAS que outro toma na outra célula enquanto se copia é recusado, e as sessões dele ficam',
  async (t) => {
    const [nas, livre] = ['10.0.8.1', '10.0.8.2'];
    const dela = await comRede(b, { nas: livre, login: 'trinta', senha: 'trinta' });
    const id = await comRede(a, { nas, login: 'trinta-e-um', senha: 'trinta-e-um' });
    // Its RADIUS server tells of it before it is written down whose it is.
    await criarFabrica(b.api.dono).sessao({
      username: 'trinta',
      nasipaddress: nas,
      acctuniqueid: 'trinta-e-dois'.padStart(32, '0'),
      acctstarttime: '2026-11-20 10:00:00',
    });
    const sessoes = async () => b.db('radacct').where({ nasipaddress: nas }).pluck('username');
    const tomar = `INSERT INTO provedores_nas (nasipaddress, provedor_id) VALUES ('${nas}', ${dela});`;
    await tomandoNas('provedores', `NEW.id = ${id}`, tomar, async () =>
      t.throwsAsync(entre(a, b).mover(id), {
        message: `a célula de destino já tem o NAS ${nas}, do provedor ${dela}`,
      }),
    );
    t.deepEqual(await sessoes(), ['trinta']);
    t.deepEqual(await estados(id, a, b), [null, 'chegando']);
  },
);

test.serial('antes de cada gravação pelo endereço de um NAS se olha de quem ele é lá', async (t) => {
  const [nas, livre] = ['10.0.9.1', '10.0.9.2'];
  const dela = await comRede(b, { nas: livre, login: 'quarenta', senha: 'quarenta' });
  const id = await comRede(a, { nas, login: 'quarenta-e-um', senha: 'quarenta-e-um' });
  await a.db('nas').insert({ nasname: nas, shortname: 'daqui', secret: 'daqui' });
  const tomar = `UPDATE provedores_nas SET provedor_id = ${dela} WHERE nasipaddress = '${nas}';
    INSERT INTO nas (nasname, shortname, secret) VALUES ('${nas}', 'dela', 'dela');`;
  await tomandoNas('clientes', `NEW.provedor_id = ${id}`, tomar, async () =>
    t.throwsAsync(entre(a, b).mover(id), {
      message: `a célula de destino já tem o NAS ${nas}, do provedor ${dela}`,
    }),
  );
  t.deepEqual(await b.db('nas').where({ nasname: nas }).pluck('secret'), ['dela']);
  t.deepEqual(await estados(id, a, b), [null, 'chegando']);
});

interface Comando {
  readonly sql: string;
  readonly bindings: readonly unknown[];
  readonly __knexTxId?: string;
}

test.serial('antes de gravar linhas de alguns logins não se pergunta pelos outros do provedor', async (t) => {
  const id = await comRede(a, { nas: '10.0.10.1', login: 'cinquenta', senha: 'cinquenta' });
  const fabrica = criarFabrica(a.api.dono);
  const [{ cliente_id, plano_id }] = await a.db('contratos').where({ provedor_id: id });
  for (let n = 0; n < 20; n += 1) await fabrica.contrato(id, { cliente_id, plano_id, login: `cinquenta-${n}` });
  const gravam = new Set<string>();
  const perguntados = new Map<string, number>();
  const ver = ({ sql, bindings, __knexTxId: trx = '' }: Comando): void => {
    if (sql.startsWith('INSERT INTO `radreply`')) gravam.add(trx);
    if (!/from `contratos` where `login` in/.test(sql)) return;
    const logins = bindings.filter((um) => typeof um === 'string').length;
    perguntados.set(trx, (perguntados.get(trx) ?? 0) + logins);
  };
  b.db.on('query', ver);
  try {
    await entre(a, b).mover(id);
  } finally {
    b.db.removeListener('query', ver);
  }
  t.deepEqual(
    [...gravam].map((trx) => perguntados.get(trx)),
    [1],
  );
});
