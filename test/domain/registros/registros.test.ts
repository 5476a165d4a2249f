import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { CamposInvalidos, Recusa } from '../../../src/domain/erros.ts';
import { bytesDoIp, redesDoIp } from '../../../src/domain/registros/endereco.regras.ts';
import type { Consulta } from '../../../src/domain/registros/registros.service.ts';
import { encerrarSilenciosos } from '../../../src/domain/registros/silencio.service.ts';
import { AUTOR } from '../../support/autor.ts';
import { createConclusaoDeApagamentosService } from '../../../src/domain/privacidade/apagamento/conclusao.service.ts';
import { createRetencaoService } from '../../../src/domain/retencao/retencao.service.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';
import { sorteio } from '../../support/sorteio.ts';
import { criarTerminal, recusado } from '../../support/terminal.ts';
import type { Terminal } from '../../support/terminal.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const HOJE = '2026-11-20';
const MOTIVO = 'Ofício 123/2026';
const relogio = relogioEm(AGORA);

let api: Api;
let fabrica: Fabrica;
let terminal: Terminal;
test.before(async () => {
  api = await criarApi({ relogio });
  fabrica = criarFabrica(api.dono);
  terminal = criarTerminal(api);
});
test.after.always(async () => {
  terminal.fechar();
  await api.fechar();
});

let serie = 0;

/** A provider of a NAS of its own, with a subscriber. */
async function cenario() {
  serie += 1;
  const nas = `10.20.${serie}.1`;
  const provedor = await fabrica.provedor();
  await fabrica.nas(provedor, nas);
  const cliente = await fabrica.cliente(provedor, { nome: `Maria ${serie}` });
  const base = { cliente_id: cliente, plano_id: await fabrica.plano(provedor) };
  const contrato = await fabrica.contrato(provedor, { ...base, login: `maria${serie}` });
  const linha = { username: `maria${serie}`, nasipaddress: nas, callingstationid: 'AA:BB:CC:DD:EE:FF' };
  return {
    provedor,
    cliente,
    contrato,
    base,
    nas,
    login: `maria${serie}`,
    /** What FreeRADIUS writes at a Start; resolves to its row. */
    async start(hora: string, colunas: Record<string, unknown> = {}): Promise<number> {
      serie += 1;
      const [id = 0] = await api.dono('radacct').insert({
        ...linha,
        acctsessionid: `s${serie}`,
        acctuniqueid: `u${serie}`,
        acctstarttime: em(hora),
        acctupdatetime: em(hora),
        framedipaddress: '203.0.113.7',
        ...colunas,
      });
      return id;
    },
    mudar: async (id: number, colunas: Record<string, unknown>) =>
      api.dono('radacct').where('radacctid', id).update(colunas),
    stop: async (id: number, hora: string) =>
      api
        .dono('radacct')
        .where('radacctid', id)
        .update({ acctstoptime: em(hora), acctterminatecause: 'User-Request' }),
    perguntar: async (ip: string, hora: string, mais: Record<string, unknown> = {}) =>
      perguntar(provedor, { ip, instante: `${HOJE}T${hora}Z`, motivo: MOTIVO, ...mais }),
    registros: async (): Promise<Registro[]> =>
      api
        .dono('registros_conexao')
        .where({ provedor_id: provedor })
        .orderBy('id')
        .select(api.dono.raw('INET6_NTOA(rede) AS rede'), 'bits', 'inicio', 'fim', 'contrato_id'),
  };
}

interface Registro {
  readonly rede: string;
  readonly bits: number;
  readonly inicio: string;
  readonly fim: string | null;
  readonly contrato_id: number | null;
}

const em = (hora: string): string => (hora.includes('-') ? hora : `${HOJE} ${hora}`);

async function perguntar(provedor: number, dados: unknown): Promise<Consulta> {
  const dele = await api.container.provedores.exigirPorId(provedor);
  return api.container.changeTenant(TERMINAL, dele, async (_, { registros }) => registros.quemUsou(dados));
}

const logins = ({ encontrados }: Consulta): string[] => encontrados.map(({ login, certeza }) => `${login} ${certeza}`);

test.serial('diz de quem era o endereço: contrato, cliente, login, NAS, MAC, começo e fim', async (t) => {
  const a = await cenario();
  const id = await a.start('10:00:00');
  await a.stop(id, '11:00:00');
  const consulta = await a.perguntar('203.0.113.7', '10:30:00');
  t.deepEqual(consulta.encontrados, [
    {
      certeza: 'confirmada',
      contrato_id: a.contrato,
      cliente: { id: a.cliente, nome: consulta.encontrados[0]!.cliente!.nome, cpf_cnpj: '52998224725' },
      login: a.login,
      nas: a.nas,
      mac: 'AA:BB:CC:DD:EE:FF',
      rede: '203.0.113.7',
      inicio: new Date(`${HOJE}T10:00:00Z`),
      fim: new Date(`${HOJE}T11:00:00Z`),
      visto_em: null,
      portas: null,
    },
  ]);
  t.is(consulta.tolerancia_segundos, 60);
  // The same moment by another zone, and moments before and after.
  t.deepEqual(
    logins(await perguntar(a.provedor, { ip: '203.0.113.7', instante: `${HOJE}T07:30:00-03:00`, motivo: MOTIVO })),
    [`${a.login} confirmada`],
  );
  t.deepEqual(logins(await a.perguntar('203.0.113.7', '09:59:30')), [`${a.login} na_tolerancia`]);
  t.deepEqual(logins(await a.perguntar('203.0.113.7', '11:00:45')), [`${a.login} na_tolerancia`]);
  for (const hora of ['09:58:00', '11:01:30']) t.deepEqual(logins(await a.perguntar('203.0.113.7', hora)), []);
  t.deepEqual(logins(await a.perguntar('203.0.113.8', '10:30:00')), []);
});

test.serial('o registro fica quando outra sessão, com o mesmo id, toma a linha, e quando ela é apagada', async (t) => {
  const a = await cenario();
  const id = await a.start('08:00:00');
  await a.stop(id, '08:30:00');
  // FreeRADIUS leaves the old stop behind.
  await a.mudar(id, { acctstarttime: em('09:00:00'), acctupdatetime: em('09:00:00'), framedipaddress: '203.0.113.9' });
  await a.stop(id, '09:30:00');
  await api.dono('radacct').where('radacctid', id).delete();
  t.deepEqual(
    (await a.registros()).map(({ rede, inicio, fim }) => [rede, inicio.slice(11, 19), fim?.slice(11, 19)]),
    [
      ['203.0.113.7', '08:00:00', '08:30:00'],
      ['203.0.113.9', '09:00:00', '09:30:00'],
    ],
  );
  t.deepEqual(logins(await a.perguntar('203.0.113.7', '08:10:00')), [`${a.login} confirmada`]);
  t.deepEqual(logins(await a.perguntar('203.0.113.7', '09:10:00')), []);
  t.deepEqual(logins(await a.perguntar('203.0.113.9', '09:10:00')), [`${a.login} confirmada`]);
});

test.serial('um Start repetido é a mesma sessão; sem Stop, a que outra sucede acaba no último sinal', async (t) => {
  const a = await cenario();
  const id = await a.start('08:00:00');
  await a.mudar(id, { acctstarttime: em('08:00:30'), acctupdatetime: em('08:00:30') });
  t.is((await a.registros()).length, 1);
  await a.mudar(id, { acctupdatetime: em('08:40:00') });
  await a.mudar(id, { acctstarttime: em('09:00:00'), acctupdatetime: em('09:00:00') });
  t.deepEqual(
    (await a.registros()).map(({ inicio, fim }) => [inicio.slice(11, 19), fim?.slice(11, 19)]),
    [
      ['08:00:00', '08:40:00'],
      ['09:00:00', undefined],
    ],
  );
  t.deepEqual(logins(await a.perguntar('203.0.113.7', '08:50:00')), []);
});

test.serial(
  'de um endereço que ficou numa sessão sem fim e passou a outra, vem antes quem o tinha de certo',
  async (t) => {
    const a = await cenario();
    const outro = `joao${serie}`;
    await fabrica.contrato(a.provedor, { ...a.base, login: outro });
    // Silent ever since.
    await a.start('02:00:00');
    await a.start('09:00:00', { username: outro });
    t.deepEqual(logins(await a.perguntar('203.0.113.7', '09:30:00')), [`${outro} confirmada`, `${a.login} sem_sinal`]);
    t.deepEqual(logins(await a.perguntar('203.0.113.7', '02:30:00')), [`${a.login} confirmada`]);
  },
);

test.serial(
  'um endereço que vem depois do Start é da sessão inteira; outro no lugar dele, de então em diante',
  async (t) => {
    const a = await cenario();
    const id = await a.start('08:00:00', { framedipaddress: '' });
    t.deepEqual(await a.registros(), []);
    await a.mudar(id, { framedipaddress: '203.0.113.20', acctupdatetime: em('08:05:00') });
    t.like((await a.registros())[0], { rede: '203.0.113.20', inicio: '2026-11-20 08:00:00', fim: null });
    await a.mudar(id, { framedipaddress: '203.0.113.21', acctupdatetime: em('08:10:00') });
    const [primeiro, segundo] = await a.registros();
    t.not(primeiro!.fim, null);
    t.like(segundo, { rede: '203.0.113.21', fim: null });
    await a.mudar(id, { framedipaddress: '0.0.0.0' });
    t.is((await a.registros()).length, 2);
  },
);

test.serial('um endereço que vem muito depois do Start não é da sessão inteira; o que some acaba aí', async (t) => {
  const a = await cenario();
  const id = await a.start('08:00:00', { framedipaddress: '' });
  await a.mudar(id, { framedipaddress: '203.0.113.30', acctupdatetime: em('08:05:01') });
  t.like(await a.registros(), [{ rede: '203.0.113.30', inicio: em('08:05:01'), fim: null }]);
  await a.mudar(id, { framedipaddress: '', acctupdatetime: em('08:10:00') });
  t.like(await a.registros(), [{ inicio: em('08:05:01'), fim: em('08:10:00') }]);
  await a.mudar(id, { framedipaddress: '203.0.113.30', acctupdatetime: em('08:20:00') });
  t.like(await a.registros(), [{ fim: em('08:10:00') }, { inicio: em('08:20:00'), fim: null }]);
  await a.mudar(id, { framedipaddress: '203.0.113.31', acctupdatetime: em('08:30:00') });
  await a.mudar(id, { framedipaddress: '', acctstoptime: em('08:40:00') });
  t.deepEqual(
    (await a.registros()).map(({ rede, inicio, fim }) => [rede, inicio, fim]),
    [
      ['203.0.113.30', em('08:05:01'), em('08:10:00')],
      ['203.0.113.30', em('08:20:00'), em('08:30:00')],
      ['203.0.113.31', em('08:30:00'), em('08:40:00')],
    ],
  );
  t.deepEqual(logins(await a.perguntar('203.0.113.30', '08:02:00')), []);
  // Lost and given again right after the Start.
  const outra = await a.start('09:00:00', { framedipaddress: '203.0.113.32' });
  await a.mudar(outra, { framedipaddress: '0.0.0.0', acctupdatetime: em('09:01:00') });
  await a.mudar(outra, { framedipaddress: '203.0.113.32', acctupdatetime: em('09:02:00') });
  t.like((await a.registros()).slice(3), [
    { inicio: em('09:00:00'), fim: em('09:01:00') },
    { inicio: em('09:02:00'), fim: null },
  ]);
  // Of a change that has no moment of its own: by our clock.
  const semHora = await a.start('10:00:00', { framedipaddress: '' });
  await a.mudar(semHora, { framedipaddress: '203.0.113.33' });
  t.not((await a.registros()).at(-1)!.inicio, em('10:00:00'));
});

test.serial(
  'uma faixa de portas acaba com a sessão, ou no último sinal dela; sem sessão viva não é certeza',
  async (t) => {
    const a = await cenario();
    const faixa = async (sessao: string, porta_inicial: number, inicio: string): Promise<void> => {
      const portas = {
        nasipaddress: a.nas,
        sessao,
        login: a.login,
        ip_publico: api.dono.raw(`INET_ATON('198.51.100.9')`),
      };
      await api.dono('registros_portas').insert({ ...portas, porta_inicial, porta_final: porta_inicial, inicio });
    };
    const uniqueDe = async (id: number): Promise<string> =>
      (await api.dono('radacct').where('radacctid', id).first()).acctuniqueid;
    const viva = await a.start('08:00:00');
    await faixa(await uniqueDe(viva), 1, em('08:00:00'));
    const parada = await a.start('08:00:00');
    await a.stop(parada, '08:20:00');
    // Told after the Stop.
    await faixa(await uniqueDe(parada), 2, em('08:00:00'));
    const muda = await a.start('2026-11-10 08:00:00', { acctupdatetime: '2026-11-10 09:00:00' });
    await faixa(await uniqueDe(muda), 3, '2026-11-10 08:00:00');
    await faixa('sem-dono-1', 4, '2026-11-10 08:00:00');
    await faixa('sem-dono-2', 5, em('08:00:00'));
    const certezas = async () =>
      Promise.all(
        [1, 2, 3, 4, 5].map(
          async (porta) => (await a.perguntar('198.51.100.9', '08:10:00', { porta })).encontrados[0]?.certeza,
        ),
      );
    t.deepEqual(await certezas(), ['confirmada', 'sem_sinal', 'sem_sinal', 'sem_sinal', 'sem_sinal']);
    t.true(
      (await encerrarSilenciosos(api.container.db, new Date(`${HOJE}T12:00:00Z`), new AbortController().signal)) >= 3,
    );
    const fins: { fim: string | null }[] = await api
      .dono('registros_portas')
      .where({ provedor_id: a.provedor })
      .orderBy('porta_inicial');
    t.deepEqual(
      fins.map(({ fim }) => fim),
      [null, em('08:20:00'), '2026-11-10 09:00:00', '2026-11-10 08:00:00', null],
    );
    t.deepEqual(await certezas(), ['confirmada', 'confirmada', undefined, undefined, 'sem_sinal']);
  },
);

test.serial('IPv6: acha-se pelo prefixo, pelo delegado e pelo endereço, de qualquer tamanho', async (t) => {
  const a = await cenario();
  const id = await a.start('08:00:00', {
    framedipv6prefix: '2001:db8:0:5::/64',
    delegatedipv6prefix: '2001:db8:7f00::/40',
    framedipv6address: '2001:db8:aa::15',
  });
  await a.stop(id, '09:00:00');
  const redeDe = async (ip: string) => (await a.perguntar(ip, '08:30:00')).encontrados.map(({ rede }) => rede);
  t.deepEqual(await redeDe('2001:db8:0:5:1234::9'), ['2001:db8:0:5::/64']);
  t.deepEqual(await redeDe('2001:DB8:7FAB::1'), ['2001:db8:7f00::/40']);
  t.deepEqual(await redeDe('2001:db8:aa::15'), ['2001:db8:aa::15/128']);
  for (const ip of ['2001:db8:0:6::1', '2001:db8:8000::1', '2001:db8:aa::16', '::1'])
    t.deepEqual(await redeDe(ip), [], ip);
});

test('os bytes de um endereço são os que o banco faz dele', async (t) => {
  const { um, ate } = sorteio(6);
  const escritos = [
    '::',
    '::1',
    '1::',
    'fe80::1:2',
    '::ffff:203.0.113.7',
    '64:ff9b::192.0.2.33',
    '1:2:3:4:5:6:7:8',
    '203.0.113.7',
  ];
  for (let vez = 0; vez < 100; vez += 1) {
    const grupos = Array.from({ length: 8 }, () => um(['0', 'ffff', ate(65_536).toString(16)]));
    if (ate(2) === 0) grupos.splice(ate(6), 2, '');
    const texto = grupos
      .join(':')
      .replace(/^:(?!:)/, '::')
      .replace(/(?<!:):$/, '::');
    if (!texto.includes(':::')) escritos.push(texto);
  }
  for (const ip of escritos) {
    const [[{ bytes }]] = (await api.dono.raw('SELECT INET6_ATON(?) AS bytes', [ip])) as [[{ bytes: Buffer | null }]];
    t.deepEqual(bytesDoIp(ip), bytes, ip);
  }
  for (const ip of ['', 'x', '1.2.3', '1:2', 'fe80::1%eth0', '1.2.3.4/8', '256.1.1.1']) t.is(bytesDoIp(ip), null, ip);
  const redes = redesDoIp(bytesDoIp('2001:db8:ffff:ffff::1')!).map(
    ({ rede, bits }) => `${rede.toString('hex')}/${bits}`,
  );
  t.is(redes.length, 128);
  t.true(redes.includes('20010db8ffffff000000000000000000/56'));
  t.true(redes.includes('20010db8fff800000000000000000000/45'));
});

test.serial('com CGNAT, a porta diz qual dos que saíam pelo mesmo IPv4 era', async (t) => {
  const a = await cenario();
  const outro = `ana${serie}`;
  const doOutro = await fabrica.contrato(a.provedor, { ...a.base, login: outro });
  const sessoes = [
    [a.login, '100.64.0.5', 1024],
    [outro, '100.64.0.6', 2048],
  ] as const;
  for (const [login, framedipaddress, porta_inicial] of sessoes) {
    const id = await a.start('08:00:00', { username: login, framedipaddress });
    const [{ acctuniqueid: sessao }] = (await api.dono('radacct').where('radacctid', id)) as [{ acctuniqueid: string }];
    const portas = {
      nasipaddress: a.nas,
      sessao,
      login,
      ip_publico: api.dono.raw(`INET_ATON('198.51.100.1')`),
      porta_inicial,
      porta_final: porta_inicial + 1023,
      ip_privado: api.dono.raw('INET_ATON(?)', [framedipaddress]),
      inicio: em('08:00:01'),
    };
    await api.dono('registros_portas').insert(portas);
    // Told again with each update.
    await api.dono('registros_portas').insert(portas).onConflict().ignore();
    await a.stop(id, '09:00:00');
  }
  const portas = await api.dono('registros_portas').where({ provedor_id: a.provedor });
  t.is(portas.length, 2);
  t.true(portas.every(({ fim }) => fim === '2026-11-20 09:00:00'));
  const { encontrados } = await a.perguntar('198.51.100.1', '08:30:00', { porta: 2100 });
  t.is(encontrados.length, 1);
  t.like(encontrados[0], {
    login: outro,
    contrato_id: doOutro,
    rede: '100.64.0.6',
    certeza: 'confirmada',
    portas: { inicial: 2048, final: 3071 },
  });
  // Without the port, all that it may have been; by a port that nobody had, nobody.
  t.is((await a.perguntar('198.51.100.1', '08:30:00')).encontrados.length, 2);
  t.deepEqual((await a.perguntar('198.51.100.1', '08:30:00', { porta: 9000 })).encontrados, []);
  t.deepEqual((await a.perguntar('198.51.100.1', '10:30:00', { porta: 2100 })).encontrados, []);
  // Of a NAS that is nobody's.
  await t.throwsAsync(
    api.dono('registros_portas').insert({
      nasipaddress: '10.99.99.99',
      sessao: 'x',
      login: 'x',
      ip_publico: 1,
      porta_inicial: 1,
      porta_final: 2,
      inicio: em('08:00:00'),
    }),
  );
});

test.serial('um provedor não vê o que é de outro; de um NAS sem dono não há registro, até ele ter um', async (t) => {
  const [a, b] = [await cenario(), await cenario()];
  await a.start('08:00:00', { framedipaddress: '203.0.113.40' });
  t.deepEqual(logins(await b.perguntar('203.0.113.40', '08:10:00')), []);
  t.is((await a.perguntar('203.0.113.40', '08:10:00')).encontrados.length, 1);
  const perdida = { nasipaddress: '10.98.0.1', framedipaddress: '203.0.113.41' };
  await a.start(new Date(Date.now() - 3_600_000).toISOString().slice(0, 19).replace('T', ' '), perdida);
  const achar = async () => api.dono('registros_conexao').whereRaw(`rede = INET6_ATON('203.0.113.41')`);
  t.deepEqual(await achar(), []);
  await fabrica.nas(b.provedor, '10.98.0.1');
  t.like((await achar())[0], { provedor_id: b.provedor, contrato_id: null });
});

test.serial('o registro continua do contrato que tinha o login, embora ele passe a outro', async (t) => {
  const a = await cenario();
  const id = await a.start('08:00:00');
  await a.stop(id, '09:00:00');
  await api.dono('contratos').where('id', a.contrato).update({ login: null });
  await fabrica.contrato(a.provedor, { ...a.base, login: a.login });
  t.is((await a.perguntar('203.0.113.7', '08:30:00')).encontrados[0]!.contrato_id, a.contrato);
});

test.serial('numa sessão aberta que passa a outro titular, diz-se de cada instante quem o era', async (t) => {
  const a = await cenario();
  // The change is at 15:00.
  const id = await a.start('10:00:00', { acctupdatetime: em('14:50:00'), delegatedipv6prefix: '2001:db8:77::/48' });
  const novo = await fabrica.cliente(a.provedor, { nome: 'Novo titular' });
  const muda = await a.start('09:00:00', { acctupdatetime: em('09:30:00'), framedipaddress: '203.0.113.99' });
  const dele = await api.container.provedores.exigirPorId(a.provedor);
  const depois = await api.container.changeTenant(TERMINAL, dele, async (_, { contratos }) =>
    contratos.trocarTitular(a.contrato, { cliente_id: novo, faturas_futuras: 'manter' }),
  );
  const deQuem = async (hora: string, ip = '203.0.113.7') =>
    (await a.perguntar(ip, hora)).encontrados.map(({ cliente, contrato_id, certeza }) => [
      cliente?.id,
      contrato_id,
      certeza,
    ]);
  const [antigo, agora] = [
    [a.cliente, a.contrato, 'confirmada'],
    [novo, depois.id, 'confirmada'],
  ];
  t.deepEqual(await deQuem('14:30:00'), [antigo]);
  t.deepEqual(await deQuem('14:30:00', '2001:db8:77::1'), [antigo]);
  t.deepEqual(await deQuem('15:30:00'), [agora]);
  t.deepEqual(await deQuem('15:30:00', '2001:db8:77:1::1'), [agora]);
  // What nobody had heard of for hours is not the former holder's until the change.
  t.deepEqual(await deQuem('12:00:00', '203.0.113.99'), []);
  await a.stop(muda, '09:30:00');
  await a.stop(id, '16:00:00');
  t.deepEqual(await deQuem('15:59:00'), [agora]);
  t.deepEqual(await deQuem('16:30:00'), []);
  t.deepEqual(
    (await a.registros())
      .filter(({ rede }) => rede === '203.0.113.7')
      .map(({ inicio, fim, contrato_id }) => [inicio.slice(11), fim?.slice(11), contrato_id]),
    [
      ['10:00:00', '15:00:00', a.contrato],
      ['15:00:00', '16:00:00', depois.id],
    ],
  );
});

test.serial('duas trocas no mesmo segundo deixam a sessão com o último titular', async (t) => {
  const a = await cenario();
  const id = await a.start('14:00:00', { acctupdatetime: em('14:50:00') });
  const dele = await api.container.provedores.exigirPorId(a.provedor);
  let contrato = a.contrato;
  for (let vez = 0; vez < 2; vez += 1) {
    const cliente_id = await fabrica.cliente(a.provedor);
    const feita = await api.container.changeTenant(TERMINAL, dele, async (_, { contratos }) =>
      contratos.trocarTitular(contrato, { cliente_id, faturas_futuras: 'manter' }),
    );
    contrato = feita.id;
  }
  await a.stop(id, '16:00:00');
  t.deepEqual(
    (await a.registros()).map(({ inicio, fim, contrato_id }) => [inicio.slice(11), fim?.slice(11), contrato_id]),
    [
      ['14:00:00', '15:00:00', a.contrato],
      ['15:00:00', '16:00:00', contrato],
    ],
  );
});

test.serial(
  'cada pergunta fica na auditoria, achando ou não: quem, por que ordem e de que instante; nem endereço, nem resposta',
  async (t) => {
    const a = await cenario();
    await a.start('08:00:00');
    await a.perguntar('203.0.113.7', '08:30:00', { porta: 80 });
    await a.perguntar('2001:db8::1', '08:30:00');
    const linhas: { acao: string; autor: string; dados: unknown }[] = await api
      .dono('auditoria')
      .where({ provedor_id: a.provedor, recurso: 'registro_conexao' })
      .orderBy('id');
    const ditos = linhas.map(({ dados }) => (typeof dados === 'string' ? (JSON.parse(dados) as unknown) : dados));
    const instante = `${HOJE}T08:30:00.000Z`;
    t.deepEqual(ditos, [
      { motivo: MOTIVO, instante, versao: 'ipv4', com_porta: true },
      { motivo: MOTIVO, instante, versao: 'ipv6', com_porta: false },
    ]);
    t.true(linhas.every(({ acao, autor }) => acao === 'registro_conexao.consultado' && autor === 'linha de comando'));
    t.false(JSON.stringify(linhas).includes('203.0.113'));
  },
);

test.serial('uma pergunta errada é recusada pelo campo, e não fica na auditoria', async (t) => {
  const a = await cenario();
  const certa = { ip: '203.0.113.7', instante: `${HOJE}T08:30:00Z`, motivo: MOTIVO };
  const erros: readonly (readonly [string, Record<string, unknown>])[] = [
    ['ip', { ip: '203.0.113' }],
    ['ip', { ip: 7 }],
    ['porta', { porta: 65_536 }],
    ['porta', { porta: -1 }],
    ['instante', { instante: `${HOJE}T08:30:00` }],
    ['instante', { instante: HOJE }],
    ['instante', { instante: '2026-02-31T08:30:00Z' }],
    ['instante', { instante: `${HOJE}T24:30:00Z` }],
    ['motivo', { motivo: '' }],
    ['motivo', { motivo: undefined }],
    ['curioso', { curioso: 1 }],
  ];
  for (const [campo, mudanca] of erros) {
    const falta = await t.throwsAsync(perguntar(a.provedor, { ...certa, ...mudanca }), { instanceOf: CamposInvalidos });
    t.deepEqual(
      falta?.faltas.map((uma) => uma.campo),
      [campo],
    );
  }
  const { um, numero } = sorteio(29);
  const lixo = [
    null,
    '',
    '\u0000',
    '\ud83d',
    -1,
    1e300,
    Number.NaN,
    true,
    [],
    {},
    '::',
    '0.0.0.0',
    '9999-12-31T23:59:59Z',
    '0000-01-01T00:00:00Z',
    '1',
  ];
  for (let vez = 0; vez < 200; vez += 1) {
    const dados = Object.fromEntries(
      Object.entries({ ...certa, porta: 1 }).map(([campo, valor]) => [campo, numero() < 0.5 ? um(lixo) : valor]),
    );
    try {
      await perguntar(a.provedor, dados);
    } catch (error) {
      t.true(error instanceof CamposInvalidos || error instanceof Recusa, String(error));
    }
  }
  const feitas = await api.dono('auditoria').where({ provedor_id: a.provedor, recurso: 'registro_conexao' });
  t.true(feitas.length < 100);
});

test.serial(
  'um registro apaga-se um ano depois do fim; o de quem ficou mudo acaba no último sinal; o aberto fica',
  async (t) => {
    const a = await cenario();
    const DIA = 86_400_000;
    const ha = (dias: number) => new Date(Date.parse(AGORA) - dias * DIA).toISOString().slice(0, 19).replace('T', ' ');
    const encerrada = async (framedipaddress: string, dias: number) => {
      const id = await a.start(ha(dias + 1), { framedipaddress });
      await a.stop(id, ha(dias));
    };
    await encerrada('192.0.2.1', 367);
    await encerrada('192.0.2.2', 365);
    await a.start(ha(500), { framedipaddress: '192.0.2.3' });
    const viva = await a.start(ha(500), { framedipaddress: '192.0.2.4' });
    await a.mudar(viva, { acctupdatetime: ha(1) });
    await api.dono('registros_conexao').where({ provedor_id: a.provedor }).orderBy('id');
    const signal = new AbortController().signal;
    t.is(await encerrarSilenciosos(api.container.db, new Date(Date.parse(ha(600))), signal), 0);
    const { db, write, extratos, provedores } = api.container;
    const apagamentos = createConclusaoDeApagamentosService({ db, write, relogio, provedores });
    await createRetencaoService({ db, relogio, extratos, apagamentos }).limpar(AUTOR, signal);
    t.deepEqual(
      (await a.registros()).map(({ rede, fim }) => [rede, fim === null]),
      [
        ['192.0.2.2', false],
        ['192.0.2.4', true],
      ],
    );
  },
);

test.serial('FreeRADIUS não espera por quem tranca um contrato, nem falha pelo que um NAS mande', async (t) => {
  const a = await cenario();
  const tranca = await api.dono.transaction();
  await tranca('contratos').where('id', a.contrato).forUpdate();
  await tranca('provedores').where('id', a.provedor).forUpdate();
  const id = await a.start('08:00:00');
  await a.stop(id, '08:10:00');
  await tranca.rollback();
  t.is((await a.registros())[0]!.contrato_id, a.contrato);
  for (const lixo of ['x', '/', '::/999', '1.2.3.4.5', "'", '2001:db8::/x', '-1']) {
    const outra = await a.start('08:00:00', {
      framedipaddress: lixo,
      framedipv6prefix: lixo,
      delegatedipv6prefix: lixo,
    });
    await a.mudar(outra, { framedipv6address: lixo, acctstoptime: em('08:30:00') });
  }
  t.pass();
});

test.serial('no terminal: consultar diz quem, em texto e em JSON, e recusa o que não se entende', async (t) => {
  const a = await cenario();
  const id = await a.start('08:00:00');
  await a.stop(id, '09:00:00');
  const args = (...mais: string[]) => [
    'registro-conexao',
    'consultar',
    `--provedor=${a.provedor}`,
    '--ip=203.0.113.7',
    `--instante=${HOJE}T08:30:00Z`,
    `--motivo=${MOTIVO}`,
    ...mais,
  ];
  t.like(await terminal.json(args()), {
    provedor_id: a.provedor,
    instante: `${HOJE}T08:30:00.000Z`,
    tolerancia_segundos: 60,
  });
  const { stdout } = await terminal.malha(args('--porta', '80'));
  t.regex(stdout, new RegExp(`confirmada +contrato ${a.contrato} .*${a.login}`));
  t.regex(stdout, /Sessões encontradas: 1\. Relógios: tolerância de 60 s\./);
  recusado(t, await terminal.malha(args('--porta', '80000')), /porta/);
  recusado(t, await terminal.malha(args('--instante', '2026-11-20T08:30:00')), /instante: .*fuso/);
});

test.serial('o que se conta depois que o login passou a outro não é de quem o tem agora', async (t) => {
  const a = await cenario();
  const dele = await api.container.provedores.exigirPorId(a.provedor);
  const cliente_id = await fabrica.cliente(a.provedor, { nome: 'Novo titular' });
  // All of this is at 15:00.
  const trocado = await api.container.changeTenant(TERMINAL, dele, async (_, { contratos }) =>
    contratos.trocarTitular(a.contrato, { cliente_id, faturas_futuras: 'manter' }),
  );
  const largado = `rosa${serie}`;
  const renomeado = await fabrica.contrato(a.provedor, { ...a.base, login: largado });
  const novo = `lia${serie}`;
  await api.container.changeTenant(TERMINAL, dele, async (_, { contratos }) =>
    contratos.alterar(renomeado, { login: novo }),
  );
  const feito = await api.container.changeTenant(TERMINAL, dele, async (_, { contratos }) =>
    contratos.criar({ cliente_id, plano_id: a.base.plano_id, login: largado, dia_vencimento: 10 }),
  );
  const deQuem: Record<string, (number | null)[]> = {};
  for (const username of [a.login, novo, largado]) {
    deQuem[username] = [];
    for (const inicio of ['11:00:00', '14:58:30', '14:59:30', '15:10:00']) {
      const id = await a.start(inicio, { username });
      await a.stop(id, '15:20:00');
      const [registro] = await api.dono('registros_conexao').where({ radacctid: id });
      deQuem[username].push(registro.contrato_id);
    }
  }
  t.deepEqual(deQuem, {
    [a.login]: [null, null, trocado.id, trocado.id],
    [novo]: [null, null, renomeado, renomeado],
    [largado]: [null, null, feito.id, feito.id],
  });
  // Who had the address is told by the login.
  t.true((await a.perguntar('203.0.113.7', '12:00:00')).encontrados.every(({ cliente }) => cliente === null));
  // Written in another way, it is the login that it was: nobody else had it.
  const mesmo = await fabrica.contrato(a.provedor, { ...a.base, login: `bia${serie}` });
  await api.container.changeTenant(TERMINAL, dele, async (_, { contratos }) =>
    contratos.alterar(mesmo, { login: `BIA${serie}` }),
  );
  t.is((await api.dono('contratos').where('id', mesmo).first()).login_desde, null);
});

test.serial('do que um NAS contou antes de ser de alguém, o contrato é o de quem tinha o login então', async (t) => {
  const a = await cenario();
  const ha = (horas: number) => new Date(Date.now() - horas * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  const nasipaddress = `10.97.${serie}.1`;
  await api
    .dono('contratos')
    .where('id', a.contrato)
    .update({ login_desde: ha(2) });
  const antes = await a.start(ha(3), { nasipaddress });
  const depois = await a.start(ha(1), { nasipaddress });
  await fabrica.nas(a.provedor, nasipaddress);
  const registros: { radacctid: number; contrato_id: number | null }[] = await api
    .dono('registros_conexao')
    .whereIn('radacctid', [antes, depois])
    .orderBy('radacctid')
    .select('radacctid', 'contrato_id');
  t.deepEqual(registros, [
    { radacctid: antes, contrato_id: null },
    { radacctid: depois, contrato_id: a.contrato },
  ]);
});

const encerrar = async (agora: Date) => encerrarSilenciosos(api.container.db, agora, new AbortController().signal);

test.serial('o fim que se deu a uma sessão muda desfaz-se com o Stop dela, ou com um sinal de vida', async (t) => {
  const a = await cenario();
  const prefixo = { delegatedipv6prefix: '2001:db8:99::/48' };
  const comeco = '2026-10-21 08:00:00';
  const semSinais = await a.start(comeco, prefixo);
  const [{ acctuniqueid: sessao }] = (await api.dono('radacct').where('radacctid', semSinais)) as [
    { acctuniqueid: string },
  ];
  const daPorta = { nasipaddress: a.nas, sessao, login: a.login, ip_publico: 3_325_256_714, inicio: comeco };
  await api.dono('registros_portas').insert({ ...daPorta, porta_inicial: 1024, porta_final: 2047 });
  await api.dono('registros_portas').insert({ ...daPorta, porta_inicial: 2048, porta_final: 3071 });
  const volta = await a.start(comeco, { framedipaddress: '203.0.113.50' });
  await a.mudar(volta, { acctupdatetime: '2026-10-22 08:00:00' });
  // As of a session that was up before its signs were written down.
  await api.dono('sessoes_ouvidas').where({ radacctid: volta }).delete();
  t.true((await encerrar(new Date(AGORA))) >= 5);
  const linhas = async () => (await a.registros()).map(({ rede, inicio, fim }) => [rede, inicio, fim]);
  const portas = async () =>
    (await api.dono('registros_portas').where({ sessao }).orderBy('id')).map(({ inicio, fim }) => [inicio, fim]);
  const outras = '2026-10-22 08:00:00';
  t.deepEqual(await linhas(), [
    ['203.0.113.7', comeco, comeco],
    ['2001:db8:99::', comeco, comeco],
    ['203.0.113.50', comeco, outras],
  ]);
  t.deepEqual(await portas(), [
    [comeco, comeco],
    [comeco, comeco],
  ]);
  // What FreeRADIUS says of a range before it writes the session: it is told anew, and the one of before lasts until then.
  const denovo = { ...daPorta, porta_inicial: 2048, porta_final: 3071, inicio: em('13:00:00') };
  await api.dono('registros_portas').insert(denovo);
  await a.stop(semSinais, '14:00:00');
  // A change that is no sign of life opens nothing.
  await a.mudar(volta, { acctinputoctets: 5 });
  t.is((await linhas())[2]![2], outras);
  await a.mudar(volta, { acctupdatetime: em('14:00:00') });
  t.deepEqual(await linhas(), [
    ['203.0.113.7', comeco, em('14:00:00')],
    ['2001:db8:99::', comeco, em('14:00:00')],
    ['203.0.113.50', comeco, null],
  ]);
  t.deepEqual(await portas(), [
    [comeco, em('14:00:00')],
    [comeco, em('13:00:00')],
    [em('13:00:00'), em('14:00:00')],
  ]);
  t.deepEqual(
    logins(await perguntar(a.provedor, { ip: '203.0.113.7', instante: '2026-11-05T00:00:00Z', motivo: MOTIVO })),
    [`${a.login} confirmada`],
  );
});

test.serial(
  'um sinal antigo, que um spool conta tarde, também desfaz o fim; o endereço que mudou fica mudado',
  async (t) => {
    const a = await cenario();
    const haDezDias = Date.now() - 10 * 86_400_000;
    const [comeco, sinal] = [haDezDias, haDezDias + 300_000].map((ms) =>
      new Date(ms).toISOString().slice(0, 19).replace('T', ' '),
    ) as [string, string];
    const id = await a.start(comeco);
    await encerrar(new Date());
    t.is((await a.registros())[0]!.fim, comeco);
    await a.mudar(id, { acctupdatetime: sinal, framedipaddress: '203.0.113.51' });
    const [primeiro, segundo] = await a.registros();
    t.like(primeiro, { rede: '203.0.113.7', fim: sinal });
    t.like(segundo, { rede: '203.0.113.51', inicio: sinal, fim: null });
  },
);

test.serial(
  'o fim fica onde outra sessão do NAS teve o endereço depois, e o de quem passou a linha adiante',
  async (t) => {
    const a = await cenario();
    const outro = `joao${serie}`;
    await fabrica.contrato(a.provedor, { ...a.base, login: outro });
    const comeco = '2026-10-21 08:00:00';
    const morta = await a.start(comeco);
    const passada = await a.start(comeco, { framedipaddress: '203.0.113.60' });
    // As trocarTitular leaves it.
    await api.dono('registros_conexao').where({ radacctid: passada }).update({ fim: comeco });
    const [linha] = await api.dono('registros_conexao').where({ radacctid: passada });
    await api.dono('registros_conexao').insert({ ...linha, id: undefined, inicio: '2026-10-25 08:00:00', fim: null });
    await encerrar(new Date(AGORA));
    await a.start('10:00:00', { username: outro });
    // As an Accounting-On ends all that the NAS had.
    for (const id of [morta, passada]) await a.stop(id, '12:00:00');
    t.deepEqual(
      (await a.registros()).map(({ rede, inicio, fim }) => [rede, inicio, fim]),
      [
        ['203.0.113.7', comeco, comeco],
        ['203.0.113.60', comeco, comeco],
        ['203.0.113.60', '2026-10-25 08:00:00', em('12:00:00')],
        ['203.0.113.7', em('10:00:00'), null],
      ],
    );
  },
);

test.serial('sem a porta diz-se que há mais do que se diz, e não se pergunta ao banco por cada faixa', async (t) => {
  const a = await cenario();
  const faixas = async (primeira: number, quantas: number): Promise<void> => {
    const numeros = Array.from({ length: quantas }, (_, n) => primeira + n);
    const quem = (n: number) => ({ nasipaddress: a.nas, username: `${a.login}-${n}` });
    await api.dono('radacct').insert(
      numeros.map((n) => ({
        ...quem(n),
        acctsessionid: `cgnat${a.nas}-${n}`,
        acctuniqueid: `cgnat${a.nas}-${n}`,
        acctstarttime: em('08:00:00'),
        acctupdatetime: em('08:00:00'),
        framedipaddress: `100.64.9.${n}`,
      })),
    );
    await api.dono('registros_portas').insert(
      numeros.map((n) => ({
        nasipaddress: a.nas,
        sessao: `cgnat${a.nas}-${n}`,
        login: `${a.login}-${n}`,
        ip_publico: 3_325_256_720,
        porta_inicial: 256 * n,
        porta_final: 256 * n + 255,
        ip_privado: api.dono.raw('INET_ATON(?)', [`100.64.9.${n}`]),
        inicio: em('08:00:00'),
      })),
    );
  };
  const contadas = async (mais: Record<string, unknown> = {}): Promise<[Consulta, number]> => {
    let feitas = 0;
    const somar = () => void (feitas += 1);
    api.container.db.on('query', somar);
    try {
      return [await a.perguntar('198.51.100.16', '08:30:00', mais), feitas];
    } finally {
      api.container.db.removeListener('query', somar);
    }
  };
  await faixas(0, 3);
  const [poucas, comPoucas] = await contadas();
  t.deepEqual([poucas.encontrados.length, poucas.incompleto], [3, false]);
  await faixas(3, 197);
  const [todas, comTodas] = await contadas();
  t.deepEqual([todas.encontrados.length, todas.incompleto], [200, false]);
  // Each has the session behind it.
  t.true(
    todas.encontrados.every(({ rede, portas, login }) => rede === `100.64.9.${portas!.inicial / 256}` && login !== ''),
  );
  t.is(comTodas, comPoucas);
  await faixas(200, 1);
  const [cheia] = await contadas();
  t.deepEqual([cheia.encontrados.length, cheia.incompleto], [200, true]);
  const [porta] = await contadas({ porta: 300 });
  t.deepEqual([porta.encontrados.length, porta.incompleto], [1, false]);
  const args = ['registro-conexao', 'consultar', `--provedor=${a.provedor}`, '--ip=198.51.100.16'];
  args.push(`--instante=${HOJE}T08:30:00Z`, `--motivo=${MOTIVO}`);
  t.like(await terminal.json(args), { incompleto: true });
  t.regex((await terminal.malha(args)).stdout, /Sessões encontradas: 200\. Há mais: diga a porta\./);
  t.notRegex((await terminal.malha([...args, '--porta=300'])).stdout, /Há mais/);
});
