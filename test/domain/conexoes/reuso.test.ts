import test from 'ava';
import type { ExecutionContext } from 'ava';
import { createAgregacao } from '../../../src/domain/conexoes/agregacao.ts';
import { criarBanco } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { relogioEm } from '../../support/relogio.ts';
import { conexaoDe, criarProvedor, esvaziar, quedasDe, sessao } from './apoio.ts';

const HOJE = '2026-11-20';

let banco: Banco;
test.before(async () => {
  banco = await criarBanco();
});
test.beforeEach(() => esvaziar(banco.db));
test.after.always(async () => {
  await banco.fechar();
});

const as = (hora: string): string => `${HOJE} ${hora}`;
const start = (hora: string) => ({ acctstarttime: as(hora), acctupdatetime: as(hora) });
const stop = (hora: string, causa: string) => ({ acctstoptime: as(hora), acctterminatecause: causa });

/** One contract with one row of radacct, and its drops of today a second after each change of that row. */
async function preparar(primeira: Record<string, string | number | null>) {
  const { db } = banco;
  const relogio = relogioEm(`${HOJE}T14:00:00Z`);
  const agregacao = createAgregacao({ db, relogio, intervaloPadraoSegundos: 300 });
  const { contratos } = await criarProvedor(db, {
    host: 'a.test',
    nas: ['10.0.0.1', '10.0.0.2'],
    logins: ['joao', 'ana'],
  });
  const [joao, ana] = contratos as [number, number];
  const [radacctid] = await db('radacct').insert(sessao('joao', '10.0.0.1', primeira));
  const quedas = async (contrato = joao): Promise<number> => {
    await agregacao.agregarMudancas();
    return (await quedasDe(db, contrato))[HOJE] ?? 0;
  };
  const mudar = async (colunas: Record<string, string | null>): Promise<number> => {
    await db('radacct').where({ radacctid }).update(colunas);
    const horas = Object.values(colunas).flatMap((valor) =>
      valor?.startsWith(HOJE) === true ? [Date.parse(`${valor.replace(' ', 'T')}Z`)] : [],
    );
    if (horas.length > 0) relogio.definir(new Date(Math.max(...horas) + 1000).toISOString());
    return quedas();
  };
  const guardadas = async (): Promise<number> => (await db('sessoes_encerradas')).length;
  return { db, agregacao, joao, ana, radacctid: radacctid!, quedas, mudar, guardadas };
}

async function seguir(
  t: ExecutionContext,
  mudar: (colunas: Record<string, string | null>) => Promise<number>,
  passos: readonly (readonly [colunas: Record<string, string | null>, quedas: number])[],
): Promise<void> {
  for (const [n, [colunas, quedas]] of passos.entries()) t.is(await mudar(colunas), quedas, `passo ${n + 1}`);
}

test.serial('a queda de uma sessão fica quando outra, com o mesmo id, lhe toma a linha', async (t) => {
  const { db, joao, mudar, guardadas } = await preparar(start('13:00:00'));
  await seguir(t, mudar, [
    [stop('14:00:00', 'NAS-Reboot'), 1],
    [start('14:02:00'), 1],
    // The same Start, told again.
    [start('14:02:00'), 1],
    [start('14:02:01'), 1],
    [stop('14:20:00', 'User-Request'), 1],
    [start('14:30:00'), 1],
    [stop('14:40:00', 'Lost-Carrier'), 2],
    [start('14:58:00'), 2],
  ]);
  t.is(await guardadas(), 3);
  t.is((await conexaoDe(db, joao))!.ouvida_em, `${HOJE} 14:58:00.000`);
});

test.serial('também quando o Start apaga o Stop, ou o Stop da nova vem com ele', async (t) => {
  const { mudar } = await preparar({ ...start('13:00:00'), ...stop('14:00:00', 'Lost-Carrier') });
  await seguir(t, mudar, [
    [{ ...start('14:02:00'), acctstoptime: null, acctterminatecause: '' }, 1],
    [stop('14:10:00', 'Lost-Service'), 2],
    [{ ...start('14:20:00'), ...stop('14:30:00', 'User-Request') }, 2],
  ]);
});

test.serial('também quando o Start vem no segundo da queda', async (t) => {
  const { mudar, guardadas } = await preparar(start('13:00:00'));
  await seguir(t, mudar, [
    [stop('14:00:00', 'NAS-Reboot'), 1],
    [start('14:00:00'), 1],
    [start('14:00:00'), 1],
    [stop('14:05:00', 'User-Request'), 1],
  ]);
  t.is(await guardadas(), 1);
});

test.serial('também quando alguém apaga o Stop e a sessão continua', async (t) => {
  const { mudar } = await preparar(start('13:00:00'));
  await seguir(t, mudar, [
    [stop('14:00:00', 'Lost-Carrier'), 1],
    [{ acctstoptime: null, acctterminatecause: '', acctupdatetime: as('14:01:00') }, 1],
    [stop('14:05:00', 'User-Request'), 1],
  ]);
});

test.serial('um Stop corrigido muda a sua queda e não soma outra', async (t) => {
  const { mudar, guardadas } = await preparar(start('13:00:00'));
  await seguir(t, mudar, [
    [stop('14:00:00', 'Lost-Carrier'), 1],
    [stop('14:10:00', 'Lost-Carrier'), 1],
    [{ ...start('13:05:00') }, 1],
    [stop('14:10:00', 'User-Request'), 0],
  ]);
  t.is(await guardadas(), 0);
});

test.serial('uma sessão que se calou e cujo id voltou caiu; uma que ainda vivia não', async (t) => {
  const { mudar, guardadas } = await preparar(start('13:00:00'));
  // Within two intervals: the Start is told again, or the NAS starts its count anew.
  t.is(await mudar(start('13:01:30')), 0);
  t.is(await guardadas(), 0);
  t.is(await mudar(start('13:11:30')), 0);
  // 300 s is what the row says of its interval: 600 s are not over before this.
  t.is(await mudar(start('13:21:31')), 1);
  // What the new one does takes nothing back.
  t.is(await mudar({ acctupdatetime: as('13:59:00') }), 1);
});

test.serial('o que se guardou vai com a linha: de login, de NAS, e quando ela é apagada', async (t) => {
  const { db, ana, radacctid, mudar, quedas } = await preparar({
    ...start('13:00:00'),
    ...stop('14:00:00', 'Lost-Carrier'),
  });
  t.is(await mudar(start('14:58:00')), 1);
  t.is(await mudar({ nasipaddress: '10.0.0.2' }), 1);
  t.is(await mudar({ nasipaddress: '10.9.9.9' }), 0);
  t.is(await mudar({ nasipaddress: '10.0.0.1' }), 1);
  t.is(await mudar({ username: 'ana' }), 0);
  t.is(await quedas(ana), 1);
  await db('radacct').where({ radacctid }).delete();
  t.is(await quedas(ana), 0);
});

test.serial('nada do que radacct pode ter faz falhar a escrita do FreeRADIUS', async (t) => {
  const { db, radacctid, mudar } = await preparar({
    ...start('13:00:00'),
    ...stop('14:00:00', 'x'.repeat(32)),
    acctinterval: -2_147_483_648,
  });
  t.is(await mudar(start('14:58:00')), 0);
  for (const colunas of [
    { acctstarttime: null, acctupdatetime: null, acctstoptime: null },
    { acctstarttime: '9999-12-31 23:59:59' },
    start('14:58:00'),
    { acctstoptime: '0000-00-00 00:00:00', acctstarttime: '0000-00-00 00:00:00' },
    start('14:58:00'),
    { username: 'ü'.repeat(64) },
    { ...start('14:59:00'), acctstoptime: null },
  ]) {
    await db.transaction(async (trx) => {
      await trx.raw("SET SESSION sql_mode = 'ERROR_FOR_DIVISION_BY_ZERO'");
      await trx('radacct').where({ radacctid }).update(colunas);
      await trx.raw("SET SESSION sql_mode = 'TRADITIONAL'");
    });
  }
  t.is((await db('radacct').where(start('14:59:00'))).length, 1);
});
