import test from 'ava';
import { TERMINAL } from '../../src/domain/actor.ts';
import { lerData, somarDias } from '../../src/brazil/calendario/datas.ts';
import type { Escritas } from '../../src/domain/dominio.ts';
import { startWorker } from '../../src/app/compose/worker.ts';
import { criarApi } from '../support/api.ts';
import { AUTOR } from '../support/autor.ts';
import { ate } from '../support/espera.ts';
import { criarFabrica } from '../support/fabrica.ts';
import { criarFreeRadius } from '../support/freeradius.ts';
import { quanto } from '../support/prova.ts';
import { criarRedisProprio } from '../support/redis-proprio.ts';
import { sorteio } from '../support/sorteio.ts';
import { depsDoTrabalhador } from '../support/trabalhador.ts';

const SEGREDO = 'o-segredo-dos-concentradores';
const NAS = '127.0.0.2';
const PAGAMENTOS = quanto(3, 60);
/** From a payment until FreeRADIUS answers the line as one that is not blocked. */
const PRAZO_MS = 10_000;
/** A Monday, at ten in São Paulo. */
const SEGUNDA = lerData('2027-03-01')!;

/** The machine's clock, moved to another day: it goes on by itself, as a worker's does. */
function relogioMovido() {
  let avanco = 0;
  return {
    agora: () => new Date(Date.now() + avanco),
    ir: (iso: string) => (avanco = new Date(iso).getTime() - Date.now()),
  };
}

test.serial('quem a régua bloqueou e paga, a qualquer momento, entra no FreeRADIUS em 10 segundos', async (t) => {
  t.timeout(20 * 60_000);
  const relogio = relogioMovido();
  relogio.ir(`${SEGUNDA}T13:00:00Z`);
  const api = await criarApi({ relogio });
  t.teardown(() => api.fechar());
  const { container, dono } = api;
  const fabrica = criarFabrica(dono);
  await container.db('nas').insert({ nasname: '127.0.0.0/8', shortname: 'testes', secret: SEGREDO });
  const radius = await criarFreeRadius({
    dono,
    databaseUrl: api.databaseUrl,
    segredo: SEGREDO,
    enderecoCoa: '127.0.0.4',
  });
  t.teardown(() => radius.fechar());
  const provedorId = await fabrica.provedor();
  await dono('provedores_nas').insert({ provedor_id: provedorId, nasipaddress: NAS, porta_coa: 3799, coa: 0 });
  await container.rede.configurar(AUTOR, provedorId, { bloqueio: 'lista', bloqueio_nome: 'inadimplentes' });
  const provedor = await container.provedores.exigirPorId(provedorId);
  const mudar = async <V>(fazer: (e: Escritas) => Promise<V>): Promise<V> =>
    container.changeTenant(AUTOR, provedor, async (_, e) => fazer(e));
  await mudar(async ({ regua }) => regua.configurar({ ativa: true, sem_entrega: true }));
  const plano_id = await fabrica.plano(provedorId);
  const linhas = [];
  for (let n = 0; n < PAGAMENTOS; n += 1) {
    const cliente_id = await fabrica.cliente(provedorId);
    const login = `regua-${n}`;
    const contrato_id = await fabrica.contrato(provedorId, { cliente_id, plano_id, login });
    await dono('radcheck').insert({
      username: login,
      attribute: 'Cleartext-Password',
      op: ':=',
      value: `senha de ${login}`,
    });
    await dono('rede_pedidos').insert({
      provedor_id: provedorId,
      contrato_id,
      acao: 'liberar',
      pedido_em: '2027-03-01 12:00:00.000',
    });
    const fatura = await fabrica.fatura(provedorId, {
      cliente_id,
      contrato_id,
      situacao: 'vencida',
      vencimento: '2027-02-10',
    });
    linhas.push({ login, fatura });
  }
  const filas = await criarRedisProprio();
  t.teardown(() => filas.fechar());
  const { db, write } = container;
  const worker = startWorker(depsDoTrabalhador(db, filas.url, { relogio, write }));
  t.teardown(() => worker.stop());

  async function resposta(login: string): Promise<'recusada' | 'bloqueada' | 'livre'> {
    const dito = await radius.autenticar({
      'User-Name': login,
      'User-Password': `senha de ${login}`,
      'NAS-IP-Address': NAS,
    });
    if (!dito.includes('Received Access-Accept')) return 'recusada';
    return dito.includes('inadimplentes') ? 'bloqueada' : 'livre';
  }
  async function rodar(dias: number): Promise<void> {
    const dia = somarDias(SEGUNDA, dias);
    relogio.ir(`${dia}T13:00:00Z`);
    const semParar = { signal: new AbortController().signal, aoAvancar: () => {} };
    await container.tarefas.executar(TERMINAL, { tarefa: 'regua.aplicar', provedorId, dia }, semParar);
  }

  for (const { login } of linhas) await ate(async () => (await resposta(login)) === 'livre', PRAZO_MS);
  await rodar(1);
  for (const { login } of linhas) t.is(await resposta(login), 'livre');
  await rodar(16);
  const { ate: sortear } = sorteio(57);
  let maior = 0;
  for (const { login, fatura } of linhas) {
    // Some pay before the network has heard of the block, some long after.
    if (sortear(3) > 0) await ate(async () => (await resposta(login)) === 'bloqueada', PRAZO_MS);
    const comeco = performance.now();
    await mudar(async ({ baixas }) => baixas.registrar(fatura, { forma: 'dinheiro', valor: '150.00' }));
    const situacao = async (): Promise<string[]> => dono('contratos').where({ login }).pluck('situacao');
    t.deepEqual(await situacao(), ['ativo']);
    await ate(async () => (await resposta(login)) === 'livre', PRAZO_MS);
    maior = Math.max(maior, performance.now() - comeco);
  }
  t.log(`${PAGAMENTOS} pagamentos, o mais lento em ${(maior / 1000).toFixed(1)} s`);
});
