import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { abrirAutoridade } from '../../seeds/autoridade/autoridade.ts';
import { isLockError } from '../../src/platform/mysql/conflicts.ts';
import { criarApi } from '../support/api.ts';
import { ate } from '../support/espera.ts';
import { cartorio, escrever, provedorFiscal } from '../support/fiscal.ts';
import { xmllint, xmlsec1 } from '../support/nfcom/juizes.ts';
import { executar } from '../support/processo.ts';
import { quanto } from '../support/prova.ts';

const MORTES = quanto(4, 50);
const NOTAS_POR_MORTE = 12;
/** Of all answers, how many are lost before and after what they are of was done. */
const PERDIDAS = 0.15;
/** Of so many notes that it receives one is rejected, whatever it says. */
const UMA_REJEITADA_EM = 6;
/** A rejection that a correction mends: the client's registration. */
const REJEICAO = '427';

const resumo = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

test(`com ${MORTES} kill -9 do worker e respostas que se perdem ou rejeitam, cada fatura tem uma nota autorizada, e os números não faltam`, async (t) => {
  t.timeout(quanto(400_000, 5_400_000));
  const env = { MALHA_CHAVE_MESTRA: randomBytes(32).toString('hex'), MALHA_REDES_PERMITIDAS: '127.0.0.1/32' };
  const api = await criarApi({ env });
  t.teardown(() => api.fechar());
  let perder = true;
  let recepcoes = 0;
  const autoridade = await abrirAutoridade({
    cartorio,
    agora: () => new Date(),
    humor: (operacao) => {
      const sorte = perder ? Math.random() : 1;
      // Some of what is killed is killed while it waits for this.
      const atrasoMs = 5 + Math.random() * 40;
      if (sorte < PERDIDAS) return { atrasoMs, perder: 'antes' };
      if (operacao === 'recepcao') recepcoes += 1;
      const rejeita = perder && operacao === 'recepcao' && recepcoes % UMA_REJEITADA_EM === 0;
      const como = rejeita ? { atrasoMs, rejeitar: REJEICAO } : { atrasoMs };
      return sorte < 2 * PERDIDAS ? { ...como, perder: 'depois' } : como;
    },
  });
  t.teardown(async () => autoridade.fechar());
  const p = await provedorFiscal(api, autoridade);
  const faturas: number[] = [];
  const pedir = async () => {
    for (let n = 0; n < NOTAS_POR_MORTE; n += 1) faturas.push((await p.fatura()).fatura);
    await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.pedirLote({}));
  };
  // What others would wait for, minutes at most, goes by at once.
  const passarTempo = async () => {
    const agora = api.dono.raw('UTC_TIMESTAMP(3) - INTERVAL 1 SECOND');
    await api.dono('nfcom').where('provedor_id', p.provedor).whereNotNull('etapa').update({ proxima_em: agora });
    await api.dono('nfcom_filas').where('provedor_id', p.provedor).update({ parada_ate: null, posse_ate: null });
  };
  const rejeitadas = () => autoridade.recebidas.filter(({ cStat }) => cStat === REJEICAO);
  /** Signed bytes of each key, as they were last seen in the database: none may be others before the authority has rejected them. */
  const bytes = new Map<string, string>();
  const mudados: string[] = [];
  const olhar = async () => {
    const recusados = new Set(rejeitadas().map(({ xml }) => resumo(xml)));
    for (const { chave, xml_assinado: xml } of await api
      .dono('nfcom')
      .where('provedor_id', p.provedor)
      .whereNotNull('chave')) {
      const agora = resumo(xml);
      const antes = bytes.get(chave) ?? agora;
      if (antes !== agora && !recusados.has(antes)) mudados.push(chave);
      bytes.set(chave, agora);
    }
  };
  const worker = async () =>
    executar(
      'worker',
      { ...env, DATABASE_URL: api.databaseUrl, REDIS_URL: api.redisUrl },
      /Worker do Malha em execução/,
    );

  for (let morte = 0; morte < MORTES; morte += 1) {
    await pedir();
    const antes = autoridade.recebidas.length;
    const vivo = await worker();
    await ate(async () => {
      await passarParadas();
      return autoridade.recebidas.length > antes + Math.random() * NOTAS_POR_MORTE;
    }, 60_000);
    await sleep(Math.random() * 60);
    await vivo.parar('SIGKILL');
    await olhar();
    await passarTempo();
  }
  perder = false;
  const ultimo = await worker();
  await ate(async () => {
    await passarParadas();
    return (await p.notas()).every(({ situacao }) => situacao === 'autorizada');
  }, 240_000);
  t.is(await ultimo.parar(), 0);
  await olhar();

  const notas = await p.notas();
  t.deepEqual(
    notas.map(({ fatura_id }) => fatura_id).toSorted((a, b) => a - b),
    faturas.toSorted((a, b) => a - b),
  );
  t.deepEqual(
    notas.map(({ numero }) => numero).toSorted((a, b) => a - b),
    faturas.map((_, n) => n + 1),
  );
  t.deepEqual(mudados, []);
  t.is(autoridade.notas.size, faturas.length);
  for (const { chave, xml_assinado: xml } of notas) {
    const enviadas = autoridade.recebidas.filter((uma) => uma.chave === chave && uma.xml !== '');
    // The same bytes each time, until a rejection asks for others; what was authorised is what the note says.
    t.true(
      enviadas.every((uma, n) => n === 0 || uma.xml === enviadas[n - 1]?.xml || enviadas[n - 1]?.cStat === REJEICAO),
      chave,
    );
    t.is(enviadas.at(-1)?.xml, xml.toString(), chave);
    t.is(enviadas.filter(({ cStat }) => cStat === '100').length, 1, chave);
  }
  t.true(rejeitadas().length > 0);
  // Rejected notes were built anew with their numbers, and what was rejected of them is kept.
  const atuais = new Set(notas.map(({ xml_assinado: xml }) => resumo(xml)));
  const guardadas = await api.dono('nfcom_versoes').where('provedor_id', p.provedor).pluck('xml_assinado');
  const antigas = new Set(guardadas.map(resumo));
  t.true(rejeitadas().every(({ xml }) => atuais.has(resumo(xml)) || antigas.has(resumo(xml))));
  await julgarTudo();

  /** All that the authority looked at is right by the programs that the real one goes by: schemas and signatures. */
  async function julgarTudo(): Promise<void> {
    const enviadas = [...new Set(autoridade.recebidas.map(({ xml }) => xml).filter((xml) => xml !== ''))];
    t.is(await xmllint(enviadas, 'NT2025.001'), null);
    t.is(await xmlsec1(enviadas, 'infNFCom', cartorio.caPem), null);
    const documentos = notas.map(({ xml_autorizado: xml }) => String(xml));
    t.is(await xmllint(documentos, 'NT2025.001', 'procNFCom'), null);
    t.log(`${enviadas.length} documentos recebidos, ${rejeitadas().length} rejeições: xmllint e xmlsec1, 0 diferenças`);
  }

  /** While the worker lives, only what it waits for because of lost answers is made short; where it has the rows, the next look does it. */
  async function passarParadas(): Promise<void> {
    // Somebody has mended what was rejected.
    await seDer(escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.reemitirRejeitadas({})));
    const filas = api.dono('nfcom_filas').where('provedor_id', p.provedor).whereNotNull('parada_ate');
    await seDer(filas.update({ parada_ate: null }));
    const agora = api.dono.raw('UTC_TIMESTAMP(3) - INTERVAL 1 SECOND');
    const esperam = await api
      .dono('nfcom')
      .where('provedor_id', p.provedor)
      .whereNotNull('etapa')
      .where('proxima_em', '>', api.dono.raw('UTC_TIMESTAMP(3)'))
      .pluck('id');
    for (const id of esperam) {
      // The hour in which a key was asked about ten times goes by too.
      const perguntas = api.dono('nfcom_tentativas').where({ provedor_id: p.provedor, nfcom_id: id });
      const antes = api.dono.raw('em - INTERVAL 1 HOUR');
      await seDer(perguntas.where('operacao', 'consulta').update({ em: antes }));
      await seDer(api.dono('nfcom').where('id', id).whereNotNull('etapa').update({ proxima_em: agora }));
    }
  }

  async function seDer(mudanca: PromiseLike<unknown>): Promise<void> {
    try {
      await mudanca;
    } catch (error) {
      if (!isLockError(error)) throw error;
    }
  }
});
