import test from 'ava';
import { createAgregacao } from '../../../src/domain/conexoes/agregacao.ts';
import type { ContratoAfetado } from '../../../src/domain/conexoes/agregacao.ts';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import { criarBanco, urlDoBanco } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { relogioEm } from '../../support/relogio.ts';
import { contextoDeTarefa } from '../../support/trabalhador.ts';
import { createConexoesRecalcularJob } from '../../../workers/jobs/conexoes-recalcular.job.ts';
import { conexaoDe, criarProvedor, esvaziar, quedasDe, sessao } from './apoio.ts';

const AGORA = '2026-11-20T15:00:00Z';

let banco: Banco;
test.before(async () => {
  banco = await criarBanco();
});
test.beforeEach(() => esvaziar(banco.db));
test.after.always(async () => {
  await banco.fechar();
});

test.serial('o que muda em radacct por INSERT, UPDATE e DELETE chega à conexão e às quedas', async (t) => {
  const { db } = banco;
  const relogio = relogioEm(AGORA);
  const agregacao = createAgregacao({ db, relogio, intervaloPadraoSegundos: 300 });
  const { contratos } = await criarProvedor(db, { host: 'a.test', nas: ['10.0.0.1'], logins: ['joao'] });
  const [contrato] = contratos as [number];
  t.is(await conexaoDe(db, contrato), undefined);

  await db('radacct').insert(sessao('joao', '10.0.0.1', { acctstarttime: '2026-11-20 14:58:00' }));
  t.deepEqual(await agregacao.agregarMudancas(), { mudancas: 1, contratos: 1 });
  t.deepEqual(await conexaoDe(db, contrato), { ouvida_em: '2026-11-20 14:58:00.000', intervalo_segundos: 300 });
  t.deepEqual(await quedasDe(db, contrato), {});

  await db('radacct').where('username', 'joao').update({
    acctstoptime: '2026-11-20 14:59:00',
    acctterminatecause: 'Lost-Carrier',
  });
  t.deepEqual(await agregacao.agregarMudancas(), { mudancas: 1, contratos: 1 });
  t.deepEqual(await conexaoDe(db, contrato), { ouvida_em: null, intervalo_segundos: null });
  t.deepEqual(await quedasDe(db, contrato), { '2026-11-20': 1 });

  await db('radacct').where('username', 'joao').delete();
  t.deepEqual(await agregacao.agregarMudancas(), { mudancas: 1, contratos: 1 });
  t.deepEqual(await conexaoDe(db, contrato), { ouvida_em: null, intervalo_segundos: null });
  t.deepEqual(await quedasDe(db, contrato), {});
  t.deepEqual(await agregacao.agregarMudancas(), { mudancas: 0, contratos: 0 });
});

test.serial('dois provedores com o mesmo login não se misturam: o NAS decide', async (t) => {
  const { db } = banco;
  const agregacao = createAgregacao({ db, relogio: relogioEm(AGORA), intervaloPadraoSegundos: 300 });
  const a = await criarProvedor(db, { host: 'a.test', nas: ['10.0.0.1'], logins: ['joao'] });
  const b = await criarProvedor(db, { host: 'b.test', nas: ['10.0.0.2'], logins: ['joao'], fuso: 'America/Manaus' });
  await db('radacct').insert([
    sessao('joao', '10.0.0.1', { acctstarttime: '2026-11-20 14:58:00' }),
    sessao('joao', '10.0.0.2', {
      acctstarttime: '2026-11-20 01:00:00',
      acctstoptime: '2026-11-20 03:30:00',
      acctterminatecause: 'NAS-Reboot',
    }),
  ]);
  t.deepEqual(await agregacao.agregarMudancas(), { mudancas: 2, contratos: 2 });
  t.is((await conexaoDe(db, a.contratos[0]!))!.ouvida_em, '2026-11-20 14:58:00.000');
  t.deepEqual(await quedasDe(db, a.contratos[0]!), {});
  t.is((await conexaoDe(db, b.contratos[0]!))!.ouvida_em, null);
  t.deepEqual(await quedasDe(db, b.contratos[0]!), { '2026-11-19': 1 });
});

test.serial('mudanças de NAS ou login de ninguém são descartadas', async (t) => {
  const { db } = banco;
  const agregacao = createAgregacao({ db, relogio: relogioEm(AGORA), intervaloPadraoSegundos: 300 });
  await criarProvedor(db, { host: 'a.test', nas: ['10.0.0.1'], logins: ['joao', null] });
  await db('radacct').insert([
    sessao('joao', '10.9.9.9', { acctstarttime: '2026-11-20 14:58:00' }),
    sessao('desconhecido', '10.0.0.1', { acctstarttime: '2026-11-20 14:58:00' }),
    sessao('', '10.0.0.1', { acctstarttime: '2026-11-20 14:58:00' }),
  ]);
  t.deepEqual(await agregacao.agregarMudancas(), { mudancas: 3, contratos: 0 });
  t.deepEqual(await db('conexoes'), []);
  t.deepEqual(await db('radacct_mudancas'), []);
});

test.serial('o limite vale, e o que resta fica para a próxima vez', async (t) => {
  const { db } = banco;
  const agregacao = createAgregacao({ db, relogio: relogioEm(AGORA), intervaloPadraoSegundos: 300 });
  await criarProvedor(db, { host: 'a.test', nas: ['10.0.0.1'], logins: ['joao', 'ana'] });
  const de = (login: string) => sessao(login, '10.0.0.1', { acctstarttime: '2026-11-20 14:58:00' });
  await db('radacct').insert([de('joao'), de('joao'), de('ana')]);
  t.deepEqual(await agregacao.agregarMudancas(2), { mudancas: 2, contratos: 1 });
  t.deepEqual(await agregacao.agregarMudancas(2), { mudancas: 1, contratos: 1 });
});

test.serial('de duas sessões abertas vale a que expira por último', async (t) => {
  const { db } = banco;
  const agregacao = createAgregacao({ db, relogio: relogioEm(AGORA), intervaloPadraoSegundos: 300 });
  const { contratos } = await criarProvedor(db, { host: 'a.test', nas: ['10.0.0.1'], logins: ['joao'] });
  await db('radacct').insert([
    sessao('joao', '10.0.0.1', { acctstarttime: '2026-11-20 14:10:00', acctinterval: 1800 }),
    sessao('joao', '10.0.0.1', { acctstarttime: '2026-11-20 14:59:00', acctinterval: 60 }),
  ]);
  await agregacao.agregarMudancas();
  t.deepEqual(await conexaoDe(db, contratos[0]!), {
    ouvida_em: '2026-11-20 14:10:00.000',
    intervalo_segundos: 1800,
  });
});

test.serial('uma sessão que parou de responder conta como queda uma vez, e deixa de contar se volta', async (t) => {
  const { db } = banco;
  const relogio = relogioEm(AGORA);
  const agregacao = createAgregacao({ db, relogio, intervaloPadraoSegundos: 300 });
  const { contratos } = await criarProvedor(db, { host: 'a.test', nas: ['10.0.0.1'], logins: ['joao', 'ana'] });
  const [joao, ana] = contratos as [number, number];
  await db('radacct').insert([
    sessao('joao', '10.0.0.1', { acctstarttime: '2026-11-20 14:58:00' }),
    sessao('ana', '10.0.0.1', { acctstarttime: '2026-11-20 14:59:59' }),
  ]);
  await agregacao.agregarMudancas();
  t.deepEqual(await agregacao.agregarParadas(), { contratos: 0 });

  relogio.definir('2026-11-20T15:08:01Z');
  t.deepEqual(await agregacao.agregarParadas(), { contratos: 1 });
  t.deepEqual(await agregacao.agregarParadas(), { contratos: 0 });
  t.deepEqual(await quedasDe(db, joao), { '2026-11-20': 1 });
  t.deepEqual(await quedasDe(db, ana), {});
  t.is((await conexaoDe(db, joao))!.ouvida_em, null);

  await db('radacct').where('username', 'joao').update({ acctupdatetime: '2026-11-20 15:08:00' });
  await agregacao.agregarMudancas();
  t.deepEqual(await quedasDe(db, joao), {});
  t.is((await conexaoDe(db, joao))!.ouvida_em, '2026-11-20 15:08:00.000');
});

test.serial('os dias fora da janela ficam como estão, e os de dentro são refeitos', async (t) => {
  const { db } = banco;
  const agregacao = createAgregacao({ db, relogio: relogioEm(AGORA), intervaloPadraoSegundos: 300 });
  const { id, contratos } = await criarProvedor(db, { host: 'a.test', nas: ['10.0.0.1'], logins: ['joao'] });
  const [contrato] = contratos as [number];
  const dia = (data: string, quedas: number) => ({ provedor_id: id, contrato_id: contrato, dia: data, quedas });
  await db('quedas_diarias').insert([
    dia('2026-10-20', 4),
    dia('2026-10-21', 5),
    dia('2026-11-01', 6),
    dia('2026-11-19', 7),
  ]);
  const caiu = (fim: string) =>
    sessao('joao', '10.0.0.1', {
      acctstarttime: '2026-10-01 00:00:00',
      acctstoptime: fim,
      acctterminatecause: 'Lost-Carrier',
    });
  await db('radacct').insert([caiu('2026-10-20 15:00:00'), caiu('2026-10-21 15:00:00'), caiu('2026-11-19 15:00:00')]);
  await agregacao.agregarMudancas();
  t.deepEqual(await quedasDe(db, contrato), { '2026-10-20': 4, '2026-10-21': 1, '2026-11-19': 1 });
});

test.serial('agregar tudo refaz só o provedor pedido e cria registro só de quem já teve sessão', async (t) => {
  const { db } = banco;
  const agregacao = createAgregacao({ db, relogio: relogioEm(AGORA), intervaloPadraoSegundos: 300 });
  const a = await criarProvedor(db, { host: 'a.test', nas: ['10.0.0.1'], logins: ['joao', 'ana', 'eva', null] });
  const b = await criarProvedor(db, { host: 'b.test', nas: ['10.0.0.2'], logins: ['joao', 'ana'] });
  await db('radacct').insert([
    sessao('joao', '10.0.0.1', { acctstarttime: '2026-11-20 14:58:00' }),
    sessao('ana', '10.0.0.2', { acctstarttime: '2026-11-20 14:58:00' }),
    // Older than the window: there was a session all the same.
    sessao('eva', '10.0.0.1', { acctstarttime: '2026-01-01 00:00:00', acctstoptime: '2026-01-02 00:00:00' }),
  ]);
  t.like(await agregacao.agregarTudo(a.id, { porLote: 1 }), { contratos: 2 });
  const registros: { contrato_id: number }[] = await db('conexoes').orderBy('contrato_id');
  t.deepEqual(
    registros.map(({ contrato_id }) => contrato_id),
    [a.contratos[0], a.contratos[2]],
  );
  t.like(await agregacao.agregarTudo(b.id), { contratos: 1 });

  // The NAS is no longer the provider's: who has a record is made anew, too.
  await db('provedores_nas').where('provedor_id', a.id).delete();
  t.like(await agregacao.agregarTudo(a.id), { contratos: 2 });
  t.is((await conexaoDe(db, a.contratos[0]!))!.ouvida_em, null);
});

/** A provider with this many contracts, each with an open session, and none of them aggregated. */
async function comSessoes(quantos: number) {
  const { db } = banco;
  const logins = Array.from({ length: quantos }, (_, n) => `login-${n}`);
  const provedor = await criarProvedor(db, { host: 'a.test', nas: ['10.0.0.1'], logins });
  const linhas = logins.map((login) => sessao(login, '10.0.0.1', { acctstarttime: '2026-11-20 14:58:00' }));
  await db.batchInsert('radacct', linhas, 500);
  await db('radacct_mudancas').delete();
  return provedor;
}

test.serial('agregar tudo termina no lote em curso quando se pede, e continua de onde parou', async (t) => {
  const { db } = banco;
  const { id, contratos } = await comSessoes(5);
  const parar = new AbortController();
  const aoMudar = async (): Promise<void> => parar.abort(new Error('parando'));
  const deps = { db, relogio: relogioEm(AGORA), intervaloPadraoSegundos: 300 };
  const agregados = async (): Promise<number[]> => db('conexoes').orderBy('contrato_id').pluck<number[]>('contrato_id');

  const parado = await createAgregacao({ ...deps, aoMudar }).agregarTudo(id, { porLote: 2, signal: parar.signal });
  t.deepEqual(parado, { contratos: 2, ultimo: contratos[1]! });
  t.deepEqual(await agregados(), contratos.slice(0, 2));
  const agregacao = createAgregacao(deps);
  t.like(await agregacao.agregarTudo(id, { depoisDe: parado.ultimo, porLote: 2 }), { contratos: 3 });
  t.deepEqual(await agregados(), contratos);
});

test.serial('conexoes.recalcular que para diz de onde continua, e uma vez pedida a parada não começa', async (t) => {
  const { db } = banco;
  const { id, contratos } = await comSessoes(3);
  const deps = { db, relogio: relogioEm(AGORA), intervaloPadraoSegundos: 300 };
  const continuacoes: object[] = [];
  const contexto = (signal: AbortSignal) => ({
    ...contextoDeTarefa(signal),
    resumeWith: async (payload: object) => void continuacoes.push(payload),
  });
  const parada = AbortSignal.abort();
  const tarefa = createConexoesRecalcularJob(createAgregacao(deps));
  const primeiro = contratos[0]!;
  t.is(await tarefa({ provedorId: id, depoisDe: primeiro }, contexto(parada)).catch((error) => error), parada.reason);
  t.deepEqual(continuacoes, [{ provedorId: id, depoisDe: primeiro }]);
  t.deepEqual(await db('conexoes').pluck('contrato_id'), []);

  const vivo = new AbortController().signal;
  t.deepEqual(await tarefa({ provedorId: id, depoisDe: primeiro }, contexto(vivo)), { contratos: 2 });
  t.deepEqual(await tarefa({ provedorId: id }, contexto(vivo)), { contratos: 3 });
});

test.serial('as paradas deixam a quem vem depois o que passa de um lote, quando se pede que terminem', async (t) => {
  const { db } = banco;
  const { id, contratos } = await comSessoes(1500);
  await db.batchInsert(
    'conexoes_pendentes',
    contratos.map((contrato_id) => ({ provedor_id: id, contrato_id })),
    500,
  );
  const agregacao = createAgregacao({ db, relogio: relogioEm(AGORA), intervaloPadraoSegundos: 300 });
  await agregacao.agregarParadas(1000, AbortSignal.abort());
  t.is((await db('conexoes_pendentes')).length, 500);
  await agregacao.agregarParadas(1000);
  t.is((await db('conexoes_pendentes')).length, 0);
});

test.serial('um lote usa o mesmo número de comandos, tenha poucas ou muitas mudanças', async (t) => {
  const { db } = banco;
  const agregacao = createAgregacao({ db, relogio: relogioEm(AGORA), intervaloPadraoSegundos: 300 });
  const logins = Array.from({ length: 200 }, (_, i) => `login${i}`);
  await criarProvedor(db, { host: 'a.test', nas: ['10.0.0.1', '10.0.0.3'], logins });
  await criarProvedor(db, { host: 'b.test', nas: ['10.0.0.2'], logins });
  const caiu = (login: string, nas: string) =>
    sessao(login, nas, {
      acctstarttime: '2026-11-20 10:00:00',
      acctstoptime: '2026-11-20 11:00:00',
      acctterminatecause: 'Lost-Carrier',
    });

  await db('radacct').insert(caiu('login0', '10.0.0.1'));
  const poucas = await contarComandos(db, () => agregacao.agregarMudancas());
  await db('radacct').insert(logins.flatMap((login) => [caiu(login, '10.0.0.2'), caiu(login, '10.0.0.3')]));
  const muitas = await contarComandos(db, () => agregacao.agregarMudancas());
  t.is(muitas, poucas);
});

test.serial('agregações simultâneas não perdem nem repetem mudanças, e o FreeRADIUS não espera por elas', async (t) => {
  const { db } = banco;
  const agregacao = createAgregacao({ db, relogio: relogioEm(AGORA), intervaloPadraoSegundos: 300 });
  const logins = Array.from({ length: 20 }, (_, i) => `login${i}`);
  const { contratos } = await criarProvedor(db, { host: 'a.test', nas: ['10.0.0.1'], logins });

  const [[{ nome }]] = await db.raw('SELECT DATABASE() AS nome');
  const freeradius = createDatabase({ url: urlDoBanco(nome, 'dono'), pool: 1 });
  t.teardown(() => freeradius.destroy());
  // Who had to wait for a lock for longer fails.
  await freeradius.raw('SET innodb_lock_wait_timeout = 1');
  const escrita = { acabou: false };
  const escrever = async () => {
    try {
      for (let minuto = 0; minuto < 60; minuto += 2) {
        for (const login of logins) {
          const fim = `2026-11-20 10:${String(minuto).padStart(2, '0')}:00`;
          await freeradius('radacct').insert(
            sessao(login, '10.0.0.1', { acctstarttime: fim, acctstoptime: fim, acctterminatecause: 'Lost-Carrier' }),
          );
        }
      }
    } finally {
      escrita.acabou = true;
    }
  };
  let tomadas = 0;
  const agregar = async () => {
    let vazio = false;
    while (!escrita.acabou || !vazio) {
      const { mudancas } = await agregacao.agregarMudancas(7);
      tomadas += mudancas;
      vazio = mudancas === 0;
    }
  };
  await Promise.all([escrever(), agregar(), agregar(), agregar()]);
  t.is(tomadas, 600);
  for (const contrato of contratos) t.deepEqual(await quedasDe(db, contrato), { '2026-11-20': 30 });
});

test.serial('quem ouve as mudanças recebe os contratos dentro da transação, e um erro seu desfaz tudo', async (t) => {
  const { db } = banco;
  const { id, contratos } = await criarProvedor(db, { host: 'a.test', nas: ['10.0.0.1'], logins: ['joao'] });
  await db('radacct').insert(sessao('joao', '10.0.0.1', { acctstarttime: '2026-11-20 14:58:00' }));
  const base = { db, relogio: relogioEm(AGORA), intervaloPadraoSegundos: 300 };

  const falha = createAgregacao({ ...base, aoMudar: () => Promise.reject(new Error('não')) });
  await t.throwsAsync(falha.agregarMudancas(), { message: 'não' });
  t.deepEqual(await db('conexoes_pendentes'), [{ provedor_id: id, contrato_id: contratos[0] }]);
  t.deepEqual(await db('conexoes'), []);

  const ouvidos: ContratoAfetado[] = [];
  const ouvinte = createAgregacao({
    ...base,
    aoMudar: (_trx, afetados) => {
      ouvidos.push(...afetados);
      return Promise.resolve();
    },
  });
  t.deepEqual(await ouvinte.agregarMudancas(), { mudancas: 0, contratos: 1 });
  t.deepEqual(await db('conexoes_pendentes'), []);
  const { cliente_id } = await db('contratos').where('id', contratos[0]!).first('cliente_id');
  t.deepEqual(ouvidos, [{ provedorId: id, contratoId: contratos[0]!, clienteId: cliente_id }]);
});

test.serial(
  'um acúmulo refaz cada contrato uma vez, até mil por transação, e um sinal o corta sem nada perder',
  async (t) => {
    const { db } = banco;
    const logins = Array.from({ length: 2300 }, (_, i) => `login${i}`);
    const { contratos } = await criarProvedor(db, { host: 'a.test', nas: ['10.0.0.1'], logins });
    const caiu = (login: string, fim: string) =>
      sessao(login, '10.0.0.1', { acctstarttime: fim, acctstoptime: fim, acctterminatecause: 'Lost-Carrier' });
    for (const fim of ['2026-11-20 10:00:00', '2026-11-20 11:00:00']) {
      await db.batchInsert(
        'radacct',
        logins.map((login) => caiu(login, fim)),
        1000,
      );
    }
    const lotes: number[][] = [];
    const corte = new AbortController();
    const agregacao = createAgregacao({
      db,
      relogio: relogioEm(AGORA),
      intervaloPadraoSegundos: 300,
      aoMudar: (_trx, afetados) => {
        lotes.push(afetados.map(({ contratoId }) => contratoId));
        corte.abort();
        return Promise.resolve();
      },
    });

    t.deepEqual(await agregacao.agregarMudancas(undefined, corte.signal), { mudancas: 4600, contratos: 1000 });
    t.is((await db('conexoes_pendentes')).length, 1300);
    t.deepEqual(await agregacao.agregarMudancas(), { mudancas: 0, contratos: 1300 });
    t.true(lotes.every(({ length }) => length <= 1000));
    t.deepEqual(
      lotes.flat().toSorted((x, y) => x - y),
      contratos,
    );
    const quedas: { quedas: number }[] = await db('quedas_diarias').select('quedas');
    t.is(quedas.length, 2300);
    t.true(quedas.every(({ quedas: doDia }) => doDia === 2));
  },
);

async function contarComandos(db: Banco['db'], fazer: () => Promise<unknown>): Promise<number> {
  let comandos = 0;
  const contar = () => comandos++;
  db.on('query', contar);
  await fazer();
  db.removeListener('query', contar);
  return comandos;
}
