import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { bytesDoIp } from '../../../src/domain/registros/endereco.regras.ts';
import { createRegistrosQueries } from '../../../src/domain/registros/registros.queries.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import { createTenantDb } from '../../../src/platform/mysql/tenant.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { INTEIRA, quanto } from '../../support/prova.ts';
import { relogioEm } from '../../support/relogio.ts';

// A year of sessions: whom an address was of is answered by reading what that address had, however many sessions there are.

const AGORA = Date.parse('2026-11-20T15:00:00Z');
const ANO_SEGUNDOS = 365 * 86_400;
const POR_COMANDO = 100_000;
const SESSOES = quanto(20_000, 4_000_000);
const ENDERECOS = quanto(200, 8000);
/** Of one public address that many share. */
const FAIXAS = quanto(2000, 100_000);
const HORAS_DE_UMA_SESSAO = 12;

let api: Api;
let provedor: number;
test.before(async (t) => {
  t.timeout(20 * 60_000);
  api = await criarApi({ relogio: relogioEm(new Date(AGORA).toISOString()) });
  const fabrica = criarFabrica(api.dono);
  provedor = await fabrica.provedor();
  await fabrica.nas(provedor, '10.0.0.1');
  await encher(api.dono);
});
test.after.always(() => api.fechar());

const DIGITOS =
  '(SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)';

/** Numbers from the first, so many. */
const numeros = (primeiro: number, quantos: number): string => {
  const casas = ['a', 'b', 'c', 'e', 'f'];
  const n = `(${casas.map((casa, p) => `${casa}.d * ${10 ** p}`).join(' + ')})`;
  return `SELECT ${primeiro} + ${n} AS n FROM ${casas.map((casa) => `${DIGITOS} AS ${casa}`).join(', ')} WHERE ${n} < ${quantos}`;
};

const desde = `TIMESTAMP '2025-11-20 15:00:00'`;

async function encher(db: Db): Promise<void> {
  const inicio = `${desde} + INTERVAL FLOOR(n * ${ANO_SEGUNDOS} / ${SESSOES}) SECOND`;
  for (let feitas = 0; feitas < SESSOES; feitas += POR_COMANDO) {
    // Each address in turn. Of every hundredth session nobody said that it ended; every address has been IPv4, and a prefix too.
    await db.raw(
      `INSERT INTO registros_conexao (provedor_id, radacctid, login, nas, mac, rede, bits, inicio, fim)
       SELECT ${provedor}, n + 1, CONCAT('assinante', n % ${ENDERECOS * 4}), INET_ATON('10.0.0.1'), 'AA:BB:CC:DD:EE:FF',
              IF(n % 2 = 0, INET6_ATON(INET_NTOA(INET_ATON('100.64.0.0') + n DIV 2 % ${ENDERECOS})),
                 INET6_ATON(CONCAT('2001:db8:', HEX(n DIV 2 % ${ENDERECOS}), '::'))),
              IF(n % 2 = 0, 32, 48), ${inicio},
              IF(n % 200 < 2, NULL, ${inicio} + INTERVAL ${HORAS_DE_UMA_SESSAO} HOUR)
         FROM (${numeros(feitas, Math.min(POR_COMANDO, SESSOES - feitas))}) AS todas`,
    );
  }
  await db.raw(
    `INSERT INTO registros_portas (nasipaddress, sessao, login, ip_publico, porta_inicial, porta_final, ip_privado, inicio, fim)
     SELECT '10.0.0.1', CONCAT('s', n), CONCAT('assinante', n % 64), INET_ATON('198.51.100.1'), 1024 + n % 63 * 1000, 2023 + n % 63 * 1000,
            INET_ATON('100.64.0.0') + n % 63, ${desde} + INTERVAL FLOOR(n * ${ANO_SEGUNDOS} / ${FAIXAS}) SECOND,
            ${desde} + INTERVAL FLOOR(n * ${ANO_SEGUNDOS} / ${FAIXAS}) SECOND + INTERVAL 12 HOUR
       FROM (${numeros(0, FAIXAS)}) AS todas`,
  );
  await db.raw('ANALYZE TABLE registros_conexao, registros_portas');
}

/** Rows that the server read for it. */
async function lidas(fazer: (db: Db) => Promise<unknown>): Promise<number> {
  return api.container.db.transaction(async (trx) => {
    const somar = async (): Promise<number> => {
      const [linhas = []] = await trx.raw<{ Variable_name: string; Value: string }[][]>(
        `SHOW SESSION STATUS LIKE 'Handler_read%'`,
      );
      return linhas.reduce((soma, { Value }) => soma + Number(Value), 0);
    };
    const antes = await somar();
    await fazer(trx);
    return (await somar()) - antes;
  });
}

const janela = (instante: number) => ({ de: new Date(instante - 60_000), ate: new Date(instante + 60_000) });
const MOMENTOS = [0.01, 0.3, 0.62, 0.999].map((parte) => AGORA - ANO_SEGUNDOS * 1000 * (1 - parte));

for (const ip of ['100.64.0.7', '2001:db8:7:9::1', '100.64.0.199']) {
  test.serial(`o que se lê para dizer quem era ${ip} são as sessões que o endereço teve`, async (t) => {
    const bytes = bytesDoIp(ip)!;
    const rede = bytes.length === 4 ? bytes : Buffer.concat([bytes.subarray(0, 6), Buffer.alloc(10)]);
    const [{ dele }] = (await api.dono('registros_conexao').where({ rede }).count({ dele: '*' })) as [{ dele: number }];
    t.true(dele >= SESSOES / ENDERECOS / 4);
    for (const instante of MOMENTOS) {
      const feitas = await lidas(async (db) =>
        createRegistrosQueries(createTenantDb(db, provedor)).comEndereco([bytes], janela(instante), 201),
      );
      // One look for each length of a prefix, and those of the address; each that had it then leads to contract, client and last sign.
      t.true(feitas <= 1000 + 6 * dele, `${feitas} de ${dele}`);
    }
  });
}

test.serial('o que se lê para dizer de quem era uma porta são as faixas do endereço público', async (t) => {
  const bytes = bytesDoIp('198.51.100.1')!;
  const feitas = await lidas(async (db) =>
    createRegistrosQueries(createTenantDb(db, provedor)).portas(bytes, 5500, janela(MOMENTOS[1]!), 201),
  );
  t.true(feitas <= 1000 + 2 * FAIXAS, String(feitas));
});

/** Some of any address, and one at which this one was somebody's. */
async function momentosDe(ip: string): Promise<number[]> {
  const [tabela, coluna] = ip === '198.51.100.1' ? ['registros_portas', 'ip_publico'] : ['registros_conexao', 'rede'];
  const valor = ip === '198.51.100.1' ? 'INET_ATON(?)' : 'INET6_ATON(?)';
  const rede = ip.startsWith('2001:db8:7:') ? '2001:db8:7::' : ip;
  const linhas: { inicio: string }[] = await api
    .dono(tabela)
    .whereRaw(`${coluna} = ${valor}`, [rede])
    .modify(
      (q) => void (ip === '198.51.100.1' && q.where('porta_inicial', '<=', 5500).where('porta_final', '>=', 5500)),
    )
    .orderBy('id', 'desc')
    .limit(1)
    .select('inicio');
  return [...MOMENTOS, ...linhas.map(({ inicio }) => Date.parse(`${inicio.replace(' ', 'T')}Z`) + 3_600_000)];
}

test.serial('com um ano de sessões, cada pergunta se responde em menos de um segundo', async (t) => {
  const dele = await api.container.provedores.exigirPorId(provedor);
  for (const [ip, porta] of [['100.64.0.7'], ['2001:db8:7:9::1'], ['198.51.100.1', 5500], ['203.0.113.1']] as const) {
    let total = 0;
    for (const instante of await momentosDe(ip)) {
      const dados = {
        ip,
        ...(porta === undefined ? {} : { porta }),
        instante: new Date(instante).toISOString(),
        motivo: 'Ofício 1/2026',
      };
      const comecou = performance.now();
      const { encontrados } = await api.container.changeTenant(TERMINAL, dele, async (_, { registros }) =>
        registros.quemUsou(dados),
      );
      const levou = performance.now() - comecou;
      total += encontrados.length;
      if (!INTEIRA) continue;
      t.log(`${ip}: ${levou.toFixed(0)} ms, ${encontrados.length} sessões`);
      t.true(levou < 1000, `${ip}: ${levou.toFixed(0)} ms`);
    }
    t.is(total > 0, ip !== '203.0.113.1', ip);
  }
});
