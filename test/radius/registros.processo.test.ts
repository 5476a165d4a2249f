import test from 'ava';
import { TERMINAL } from '../../src/domain/actor.ts';
import type { QuemUsou } from '../../src/domain/registros/registros.service.ts';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { criarFabrica } from '../support/fabrica.ts';
import type { Fabrica } from '../support/fabrica.ts';
import { criarFreeRadius } from '../support/freeradius.ts';
import type { Atributos, FreeRadius } from '../support/freeradius.ts';

const SEGREDO = 'o-segredo-dos-concentradores';
const NAS = '127.0.0.2';

let api: Api;
let fabrica: Fabrica;
let radius: FreeRadius;
let provedor: number;
let contrato: number;
test.before(async () => {
  api = await criarApi();
  fabrica = criarFabrica(api.dono);
  await api.container.db('nas').insert({ nasname: '127.0.0.0/8', shortname: 'testes', secret: SEGREDO });
  radius = await criarFreeRadius({
    dono: api.dono,
    databaseUrl: api.databaseUrl,
    segredo: SEGREDO,
    enderecoCoa: '127.0.0.4',
  });
  provedor = await fabrica.provedor();
  await fabrica.nas(provedor, NAS);
  const cliente_id = await fabrica.cliente(provedor);
  contrato = await fabrica.contrato(provedor, {
    cliente_id,
    plano_id: await fabrica.plano(provedor),
    login: 'joao@serra',
  });
});
test.after.always(async () => {
  await radius?.fechar();
  await api.fechar();
});

async function perguntar(ip: string, mais: Record<string, unknown> = {}): Promise<readonly QuemUsou[]> {
  const dados = { ip, instante: new Date().toISOString(), motivo: 'Ofício 123/2026', ...mais };
  const dele = await api.container.provedores.exigirPorId(provedor);
  const { encontrados } = await api.container.changeTenant(TERMINAL, dele, async (_, { registros }) =>
    registros.quemUsou(dados),
  );
  return encontrados;
}

const sessao = (tipo: string, id: string, mais: Atributos = {}): Atributos => ({
  'Acct-Status-Type': tipo,
  'Acct-Session-Id': id,
  'User-Name': 'joao@serra',
  'NAS-IP-Address': NAS,
  'Calling-Station-Id': 'AA:BB:CC:00:11:22',
  ...mais,
});

test.serial('o que o FreeRADIUS contabiliza fica registrado: IPv4, prefixo delegado, começo e fim', async (t) => {
  const enderecos = { 'Framed-IP-Address': '203.0.113.50', 'Delegated-IPv6-Prefix': '2001:db8:4200::/56' };
  await radius.contabilizar(sessao('Start', 's1', enderecos));
  for (const ip of ['203.0.113.50', '2001:db8:4200:12::1']) {
    const [achado, ...outros] = await perguntar(ip);
    t.deepEqual(outros, [], ip);
    t.like(achado, { certeza: 'confirmada', contrato_id: contrato, login: 'joao@serra', nas: NAS, fim: null }, ip);
    t.is(achado!.mac, 'AA:BB:CC:00:11:22');
  }
  await radius.contabilizar(sessao('Stop', 's1', { ...enderecos, 'Acct-Session-Time': 1 }));
  t.not((await perguntar('203.0.113.50'))[0]!.fim, null);
});

test.serial('as portas que o NAS diz ficam registradas uma vez, e acabam com a sessão', async (t) => {
  const privado = { 'Framed-IP-Address': '100.64.0.50' };
  const portas = {
    'Huawei-NAT-Public-Address': '198.51.100.9',
    'Huawei-NAT-Start-Port': 1024,
    'Huawei-NAT-End-Port': 2047,
  };
  await radius.contabilizar(sessao('Start', 's2', { ...privado, ...portas }));
  await radius.contabilizar(sessao('Interim-Update', 's2', { ...privado, ...portas, 'Acct-Session-Time': 300 }));
  // Another range, while the session is up.
  const mais = { ...portas, 'Huawei-NAT-Start-Port': 4096, 'Huawei-NAT-End-Port': 5119 };
  await radius.contabilizar(sessao('Interim-Update', 's2', { ...privado, ...mais, 'Acct-Session-Time': 300 }));
  t.is((await api.dono('registros_portas').where({ provedor_id: provedor })).length, 2);
  for (const porta of [1500, 4100]) {
    const [achado, ...outros] = await perguntar('198.51.100.9', { porta });
    t.deepEqual(outros, []);
    t.like(achado, { contrato_id: contrato, login: 'joao@serra', rede: '100.64.0.50' });
  }
  t.deepEqual(await perguntar('198.51.100.9', { porta: 3000 }), []);
  await radius.contabilizar(sessao('Stop', 's2', { ...privado, ...portas, 'Acct-Session-Time': 301 }));
  const linhas = await api.dono('registros_portas').where({ provedor_id: provedor });
  t.is(linhas.length, 2);
  t.true(linhas.every(({ fim }) => fim !== null));
});

test.serial('de um NAS que diz tudo num texto, e só no fim, também', async (t) => {
  await radius.contabilizar(sessao('Start', 's3', { 'Framed-IP-Address': '100.64.0.51' }));
  const texto = { 'Alc-Nat-Port-Range': '198.51.100.10 8192-9215 router base nat-pool' };
  await radius.contabilizar(
    sessao('Stop', 's3', { 'Framed-IP-Address': '100.64.0.51', 'Acct-Session-Time': 60, ...texto }),
  );
  const [achado] = await perguntar('198.51.100.10', { porta: 8200 });
  t.like(achado, { login: 'joao@serra', contrato_id: contrato, portas: { inicial: 8192, final: 9215 } });
});

test.serial('um pacote de um NAS que é de ninguém, ou sem portas, é respondido e não deixa portas', async (t) => {
  const antes = (await api.dono('registros_portas')).length;
  await radius.contabilizar(sessao('Start', 's4', { 'Framed-IP-Address': '100.64.0.52' }));
  await radius.contabilizar(
    sessao('Start', 's5', {
      'NAS-IP-Address': '127.0.0.77',
      'Huawei-NAT-Public-Address': '198.51.100.11',
      'Huawei-NAT-Start-Port': 1,
      'Huawei-NAT-End-Port': 2,
    }),
  );
  t.is((await api.dono('registros_portas')).length, antes);
});
