import test from 'ava';
import { createAgregacao } from '../../../src/domain/conexoes/agregacao.ts';
import type { Relogio } from '../../../src/platform/timing/relogio.ts';
import { criarBanco } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { relogioEm } from '../../support/relogio.ts';
import { criarProvedor, esvaziar, sessao, leituraDe } from './apoio.ts';

const AGORA = '2026-11-20T15:00:00Z';

let banco: Banco;
test.before(async () => {
  banco = await criarBanco();
});
test.beforeEach(() => esvaziar(banco.db));
test.after.always(async () => {
  await banco.fechar();
});

function servicos(relogio: Relogio = relogioEm(AGORA)) {
  const { db } = banco;
  const base = { db, relogio, intervaloPadraoSegundos: 300 };
  return {
    agregacao: createAgregacao(base),
    de: (id: number) => leituraDe(base, id),
  };
}

test.serial('um contrato de outro provedor, ou de nenhum, não existe', async (t) => {
  const { db } = banco;
  const { de } = servicos();
  const a = await criarProvedor(db, { host: 'a.test', nas: [], logins: ['joao'] });
  const b = await criarProvedor(db, { host: 'b.test', nas: [], logins: [] });
  t.is(await de(b.id).buscarPorContrato(a.contratos[0]!), null);
  t.is(await de(a.id).buscarPorContrato(999_999), null);
});

test.serial('sem login, ou sem sessão alguma, a conexão é desconhecida', async (t) => {
  const { db } = banco;
  const { de } = servicos();
  const { id, contratos } = await criarProvedor(db, { host: 'a.test', nas: ['10.0.0.1'], logins: [null, 'joao'] });
  for (const contratoId of contratos) {
    t.deepEqual(await de(id).buscarPorContrato(contratoId), {
      contratoId,
      conexao: 'desconhecido',
      fonte: 'desconhecida',
      desde: null,
      ip: null,
      ipv6Prefixo: null,
      mac: null,
      servidor: null,
      ultimaQueda: null,
      quedas7Dias: 0,
      quedas30Dias: 0,
      avisos: [],
      sessoes: [],
    });
  }
});

test.serial('mostra estado, quedas de 7 e 30 dias locais e as sessões, da mais nova à mais antiga', async (t) => {
  const { db } = banco;
  const { agregacao, de } = servicos();
  const { id, contratos } = await criarProvedor(db, {
    host: 'a.test',
    nas: ['10.0.0.1', '10.0.0.2'],
    logins: ['joao'],
  });
  const outro = await criarProvedor(db, { host: 'b.test', nas: ['10.0.0.3'], logins: ['joao'] });
  const caiu = (inicio: string | null, fim: string, nas = '10.0.0.1') =>
    sessao('joao', nas, {
      acctstarttime: inicio,
      acctstoptime: fim,
      acctsessiontime: 60,
      acctterminatecause: 'Lost-Carrier',
    });
  await db('radacct').insert([
    // 6 and 7 local days ago: the former is the last of the 7 days.
    caiu('2026-11-14 02:00:00', '2026-11-14 03:00:00'),
    caiu('2026-11-14 01:00:00', '2026-11-14 02:55:00', '10.0.0.2'),
    // 29 and 30 local days ago.
    caiu('2026-10-22 02:00:00', '2026-10-22 03:00:00'),
    caiu('2026-10-22 01:00:00', '2026-10-22 02:55:00'),
    // Ended before the last 30 days: not in the list.
    caiu('2026-10-20 01:00:00', '2026-10-21 14:59:59'),
    // Without a start: last.
    caiu(null, '2026-11-18 12:00:00'),
    sessao('joao', '10.0.0.2', { acctstarttime: '2026-11-20 14:00:00', acctupdatetime: '2026-11-20 14:57:00' }),
    // Of another provider, with the same login.
    caiu('2026-11-20 12:00:00', '2026-11-20 13:00:00', '10.0.0.3'),
  ]);
  await agregacao.agregarMudancas();

  const conexao = (await de(id).buscarPorContrato(contratos[0]!))!;
  t.like(conexao, { conexao: 'online', fonte: 'radius', quedas7Dias: 2, quedas30Dias: 4 });
  t.deepEqual(
    conexao.sessoes.map(({ inicio, fim, duracaoSegundos, causa }) => [
      inicio?.toISOString() ?? null,
      fim?.toISOString() ?? null,
      duracaoSegundos,
      causa,
    ]),
    [
      ['2026-11-20T14:00:00.000Z', null, 3600, null],
      ['2026-11-14T02:00:00.000Z', '2026-11-14T03:00:00.000Z', 3600, 'lost_carrier'],
      ['2026-11-14T01:00:00.000Z', '2026-11-14T02:55:00.000Z', 6900, 'lost_carrier'],
      ['2026-10-22T02:00:00.000Z', '2026-10-22T03:00:00.000Z', 3600, 'lost_carrier'],
      ['2026-10-22T01:00:00.000Z', '2026-10-22T02:55:00.000Z', 6900, 'lost_carrier'],
      [null, '2026-11-18T12:00:00.000Z', 60, 'lost_carrier'],
    ],
  );
  t.like(await de(outro.id).buscarPorContrato(outro.contratos[0]!), {
    conexao: 'offline',
    quedas7Dias: 1,
    quedas30Dias: 1,
  });
});

test.serial('uma sessão que parou conta como queda antes e depois da agregação, nunca duas vezes', async (t) => {
  const { db } = banco;
  const relogio = relogioEm(AGORA);
  const { agregacao, de } = servicos(relogio);
  const { id, contratos } = await criarProvedor(db, { host: 'a.test', nas: ['10.0.0.1'], logins: ['joao'] });
  const buscar = async () => (await de(id).buscarPorContrato(contratos[0]!))!;
  await db('radacct').insert(
    sessao('joao', '10.0.0.1', { acctstarttime: '2026-11-20 14:00:00', acctupdatetime: '2026-11-20 14:59:00' }),
  );
  await agregacao.agregarMudancas();
  t.like(await buscar(), { conexao: 'online', quedas7Dias: 0 });

  relogio.definir('2026-11-20T15:09:01Z');
  const parada = { conexao: 'offline', quedas7Dias: 1, quedas30Dias: 1 };
  t.like(await buscar(), parada);
  t.like((await buscar()).sessoes[0], { causa: 'sem_resposta', duracaoSegundos: 3540 });
  await agregacao.agregarParadas();
  t.like(await buscar(), parada);
});

test.serial('uma sessão que parou a 60 s de outra queda já contada não soma mais uma', async (t) => {
  const { db } = banco;
  const relogio = relogioEm(AGORA);
  const { agregacao, de } = servicos(relogio);
  const { id, contratos } = await criarProvedor(db, { host: 'a.test', nas: ['10.0.0.1'], logins: ['joao'] });
  await db('radacct').insert([
    sessao('joao', '10.0.0.1', {
      acctstarttime: '2026-11-20 14:00:00',
      acctstoptime: '2026-11-20 14:58:30',
      acctterminatecause: 'Lost-Carrier',
    }),
    sessao('joao', '10.0.0.1', { acctstarttime: '2026-11-20 14:59:00' }),
  ]);
  await agregacao.agregarMudancas();
  relogio.definir('2026-11-20T15:30:00Z');
  t.is((await de(id).buscarPorContrato(contratos[0]!))!.quedas7Dias, 1);
  await agregacao.agregarParadas();
  t.is((await de(id).buscarPorContrato(contratos[0]!))!.quedas7Dias, 1);
});

test.serial('uma sessão parada que o NAS encerrou, ainda por agregar, não vira queda por adiantamento', async (t) => {
  const { db } = banco;
  const relogio = relogioEm(AGORA);
  const { agregacao, de } = servicos(relogio);
  const { id, contratos } = await criarProvedor(db, { host: 'a.test', nas: ['10.0.0.1'], logins: ['joao'] });
  await db('radacct').insert(sessao('joao', '10.0.0.1', { acctstarttime: '2026-11-20 14:59:00' }));
  await agregacao.agregarMudancas();
  relogio.definir('2026-11-20T15:30:00Z');
  await db('radacct').update({ acctstoptime: '2026-11-20 15:05:00', acctterminatecause: 'User-Request' });
  t.like(await de(id).buscarPorContrato(contratos[0]!), { conexao: 'offline', quedas7Dias: 0 });
});

test.serial('são no máximo 100 sessões, em três comandos', async (t) => {
  const { db } = banco;
  const { agregacao, de } = servicos();
  const { id, contratos } = await criarProvedor(db, { host: 'a.test', nas: ['10.0.0.1'], logins: ['joao'] });
  await db('radacct').insert(
    Array.from({ length: 120 }, (_, i) => {
      const minuto = `${String(10 + Math.floor(i / 60)).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}`;
      return sessao('joao', '10.0.0.1', {
        acctstarttime: `2026-11-20 ${minuto}:00`,
        acctstoptime: `2026-11-20 ${minuto}:30`,
        acctterminatecause: 'User-Request',
      });
    }),
  );
  await agregacao.agregarMudancas();
  let comandos = 0;
  db.on('query', () => comandos++);
  const { sessoes } = (await de(id).buscarPorContrato(contratos[0]!))!;
  t.is(comandos, 3);
  t.is(sessoes.length, 100);
  t.is(sessoes[0]!.inicio!.toISOString(), '2026-11-20T11:59:00.000Z');
  t.is(sessoes[99]!.inicio!.toISOString(), '2026-11-20T10:20:00.000Z');
});
