import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { Webhook as Verificador } from 'standardwebhooks';
import { criarApi } from '../support/api.ts';
import { AUTOR } from '../support/autor.ts';
import { ate } from '../support/espera.ts';
import { criarFabrica } from '../support/fabrica.ts';
import { executar } from '../support/processo.ts';
import { quanto } from '../support/prova.ts';
import { WEBHOOKS_AQUI, criarReceptorDeWebhooks } from '../support/receptor.ts';

const MORTES = quanto(2, 50);
/** Of writes that were rolled back; no client has such an id. */
const DESFEITOS = 10_000_000;

test(`com ${MORTES} kill -9 do worker sob carga, todo evento gravado chega, nenhum desfeito, e tudo vem assinado`, async (t) => {
  t.timeout(quanto(400_000, 3_600_000));
  const env = { ...WEBHOOKS_AQUI, MALHA_CHAVE_MESTRA: randomBytes(32).toString('hex') };
  const api = await criarApi({ env });
  t.teardown(() => api.fechar());
  const receptor = await criarReceptorDeWebhooks();
  t.teardown(() => receptor.fechar());
  const chegados = new Set<number>();
  const falsos: string[] = [];
  const provedor = await criarFabrica(api.dono).provedor();
  const { segredo } = await api.container.webhooks.criar(AUTOR, provedor, { url: receptor.url, eventos: ['*'] });
  const verificador = new Verificador(segredo);
  receptor.responder = (pedido, resposta) => {
    const { corpo } = receptor.recebidos.at(-1)!;
    try {
      verificador.verify(corpo, pedido.headers as Record<string, string>);
      chegados.add((JSON.parse(corpo) as { data: { cliente_id: number } }).data.cliente_id);
    } catch {
      falsos.push(corpo);
    }
    // Some of what is killed is killed while it waits for this.
    setTimeout(() => resposta.end(), 10);
  };

  const gravados: number[] = [];
  const escrita = { segue: true };
  const carga = (async () => {
    for (let n = 1; escrita.segue; n += 1) {
      const escrever = (cliente: number, desfazer: boolean) =>
        api.container.write(AUTOR, provedor, async (w) => {
          w.emit('cliente.atualizado', cliente, { cliente, campos: ['email'] });
          if (desfazer) await Promise.reject(new Error('desfeita'));
        });
      await escrever(n, false);
      gravados.push(n);
      // What is behind when it ends has to be delivered all the same.
      await sleep(20);
      if (n % 5 === 0) await escrever(DESFEITOS + n, true).catch(() => {});
    }
  })();

  const worker = async () => {
    const vivo = await executar(
      'worker',
      { ...env, DATABASE_URL: api.databaseUrl, REDIS_URL: api.redisUrl },
      /Worker do Malha em execução/,
    );
    t.teardown(async () => vivo.parar('SIGKILL'));
    return vivo;
  };
  for (let morte = 0; morte < MORTES; morte += 1) {
    const antes = receptor.recebidos.length;
    const vivo = await worker();
    await ate(() => receptor.recebidos.length > antes + 5, 60_000);
    await vivo.parar('SIGKILL');
  }
  escrita.segue = false;
  await carga;
  const ultimo = await worker();
  // However much is behind, by how fast this machine writes and delivers: only what no longer moves has failed.
  while (chegados.size < gravados.length) {
    const antes = chegados.size;
    await ate(() => chegados.size > antes, 60_000);
  }
  t.is(await ultimo.parar(), 0);
  t.deepEqual(falsos, []);
  t.deepEqual(
    [...chegados].filter((n) => n >= DESFEITOS),
    [],
  );
  t.is(chegados.size, gravados.length);
  t.true(gravados.length > MORTES * 5);
  const [repetidas] = await api
    .dono('webhook_entregas')
    .where('provedor_id', provedor)
    .count({ total: '*', entregues: api.dono.raw("IF(estado = 'entregue', 1, NULL)") });
  t.is(Number(repetidas!['total']), gravados.length);
  process.stderr.write(`${gravados.length} eventos, ${receptor.recebidos.length} envios, ${MORTES} mortes\n`);
});
