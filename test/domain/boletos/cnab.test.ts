import test from 'ava';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { createCnab } from '../../../src/domain/boletos/cnab.ts';
import { createThreads } from '../../../src/platform/threads/threads.ts';
import { convenioDe } from '../../brazil/cnab/_convenios.ts';
import { HOJE } from './apoio.ts';
import { retornoDe } from './banco.ts';

test('quem escreve uma remessa não espera que se leia o arquivo grande de outro', async (t) => {
  const [escrita, leitura] = [createThreads({ maxThreads: 1 }), createThreads({ maxThreads: 1 })];
  t.teardown(async () => Promise.all([escrita.close(), leitura.close()]));
  const cnab = createCnab(escrita, leitura);
  const convenio = convenioDe('756');
  const linha = (n: number) => ({ movimento: '06', numero: String(n).padStart(7, '0'), dv: '0', pago: 9990, em: HOJE });
  const grande = retornoDe(
    '756',
    Array.from({ length: 40_000 }, (_, n) => linha(n + 1)),
  );
  let lido = false;
  const lendo = cnab
    .ler({ arquivo: Buffer.from(grande, 'latin1'), convenios: [convenio], porParte: 600 })
    .finally(() => (lido = true));
  t.deepEqual(await cnab.conferir({ convenio, hoje: HOJE as Data, titulos: [] }), []);
  t.false(lido);
  t.like(await lendo, { certa: true, ocorrencias: 40_000, convenios: [0] });
});
