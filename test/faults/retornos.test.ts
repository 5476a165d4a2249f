import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { TERMINAL } from '../../src/domain/actor.ts';
import { convenioDe } from '../brazil/cnab/_convenios.ts';
import { retornoDe } from '../domain/boletos/banco.ts';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { criarFabrica } from '../support/fabrica.ts';
import { quanto } from '../support/prova.ts';
import { relogioEm } from '../support/relogio.ts';

const FILHO = fileURLToPath(new URL('../support/filhos/aplica-retorno.js', import.meta.url));
const TITULOS = quanto(3000, 12_000);
const MORTES = quanto(4, 25);
const MAIS_TARDE_MS = 150;
const CNPJ = '11222333000181';
const EM = '2026-12-01';

let api: Api;
test.before(async () => {
  api = await criarApi({ relogio: relogioEm('2026-12-01T15:00:00.000Z') });
});
test.after.always(async () => api.fechar());

test('um retorno cujo processo morre a meio, muitas vezes, quita cada fatura uma só vez', async (t) => {
  const fabrica = criarFabrica(api.dono);
  const provedor = await fabrica.provedor({ cnpj: CNPJ });
  const conta = await api.dono('cobradores').where({ provedor_id: provedor, padrao: 1 }).first('id');
  const c = convenioDe('756');
  const [convenio = 0] = await api.dono('convenios_bancarios').insert({
    provedor_id: provedor,
    cobrador_id: conta.id,
    nome: 'Sicoob',
    banco: '756',
    formato: '240',
    agencia: c.agencia,
    agencia_dv: c.agenciaDv,
    conta: c.conta,
    conta_dv: c.contaDv,
    carteira: c.carteira,
    codigo: c.convenio,
  });
  const cliente = await fabrica.cliente(provedor);
  const numeros = Array.from({ length: TITULOS }, (_, n) => String(n + 1).padStart(7, '0'));
  for (let n = 0; n < TITULOS; n += 500) {
    const destas = numeros.slice(n, n + 500);
    const [primeira = 0] = await api.dono('faturas').insert(
      destas.map((numero) => ({
        provedor_id: provedor,
        cliente_id: cliente,
        cobrador_id: conta.id,
        situacao: 'pendente',
        tipo: 'boleto',
        valor: '99.90',
        vencimento: '2026-12-10',
        emitida_em: '2026-11-20 09:00:00.000',
        token: `retorno-${provedor}-${numero}`.padEnd(22, 'x').slice(0, 22),
        boleto_situacao: 'registrado',
      })),
    );
    const ids = destas.map((_, k) => primeira + k);
    await api.dono('boletos').insert(
      destas.map((numero, k) => ({
        provedor_id: provedor,
        fatura_id: ids[k],
        convenio_id: convenio,
        numero,
        dv: '0',
        situacao: 'registrado',
        valor: '99.90',
        vencimento: '2026-12-10',
        criado_em: '2026-11-20 09:00:00.000',
      })),
    );
  }
  const arquivo = retornoDe(
    '756',
    numeros.map((numero) => ({ movimento: '06', numero, dv: '0', valor: 9990, pago: 9990, em: EM })),
  );
  const { id } = await api.container.arquivosDeRetorno.receber(
    TERMINAL,
    provedor,
    Buffer.from(arquivo, 'latin1'),
    'banco.ret',
  );

  /** One life of a process; it dies at some moment after its first part. */
  async function viver(): Promise<void> {
    const filho = spawn(process.execPath, [FILHO, api.databaseUrl, String(provedor), String(id)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let erros = '';
    filho.stderr.setEncoding('utf8').on('data', (parte: string) => (erros += parte));
    const saiu = once(filho, 'close');
    const linhas = createInterface({ input: filho.stdout });
    await Promise.race([once(linhas, 'line'), saiu]);
    await sleep(Math.random() * MAIS_TARDE_MS);
    filho.kill('SIGKILL');
    await saiu;
    t.is(erros, '');
  }
  for (let morte = 0; morte < MORTES; morte += 1) await viver();
  const { signal } = new AbortController();
  await api.container.arquivosDeRetorno.processar(TERMINAL, provedor, id, { signal });

  const pagas = await api.dono('faturas').where({ provedor_id: provedor, situacao: 'paga', valor_pago: '99.90' });
  t.is(pagas.length, TITULOS);
  const recebidos = await api.dono('boletos_recebidos').where('provedor_id', provedor);
  t.is(recebidos.length, TITULOS);
  const linhas = await api.dono('retornos_linhas').where('retorno_id', id);
  t.is(linhas.length, TITULOS);
  t.true(linhas.every(({ resultado }) => resultado === 'quitada'));
  const retorno = await api.dono('retornos').where('id', id).first();
  t.is(retorno.feitas, retorno.partes);
  const contas: unknown = typeof retorno.contas === 'string' ? JSON.parse(retorno.contas) : retorno.contas;
  t.deepEqual(contas, { quitada: TITULOS });
  t.is((await api.dono('retornos_partes').where('retorno_id', id)).length, 0);
});
