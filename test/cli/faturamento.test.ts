import test from 'ava';
import { runProgram } from '../../src/app/program.ts';
import { hojeEm } from '../../src/brazil/calendario/datas.ts';
import { somarMeses } from '../../src/domain/faturamento/calculo/meses.regras.ts';
import { createTenantWriter } from '../../src/platform/mysql/tenant.ts';
import { atorDaTarefa } from '../../src/domain/actor.ts';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { ate } from '../support/espera.ts';
import { falharCobrancas } from '../support/falha-de-cobranca.ts';
import { criarFabrica } from '../support/fabrica.ts';
import { INGLES, criarTerminal, recusado } from '../support/terminal.ts';
import type { Terminal } from '../support/terminal.ts';

/** More than two parts of a run, and more than one of an undoing. */
const CONTRATOS = 1200;

let api: Api;
let terminal: Terminal;
test.before(async () => {
  api = await criarApi();
  terminal = criarTerminal(api);
});
test.after.always(async () => {
  terminal.fechar();
  await api.fechar();
});

async function casa() {
  const fabrica = criarFabrica(api.dono);
  const id = await fabrica.provedor();
  // Commands have the system's clock.
  const este = somarMeses(hojeEm('America/Sao_Paulo', new Date()), 0);
  const w = createTenantWriter(api.dono, id);
  await w.insert('faturamento_configuracoes', { desde: este, antecedencia: 5, atualizado_em: '2026-01-01' });
  const [plano_id, cliente_id] = [await fabrica.plano(id), await fabrica.cliente(id)];
  await w.insert(
    'contratos',
    Array.from({ length: CONTRATOS }, (_, n) => ({
      cliente_id,
      plano_id,
      situacao: 'ativo',
      login: `f${id}n${n}`,
      tipo_cobranca: 'pre_pago',
      dia_vencimento: 10,
      valor: '99.90',
      ativado_em: '2020-06-01',
      criado_em: '2020-06-01 12:00:00',
    })),
  );
  const doProvedor = ['--provedor', String(id)];
  const doMes = [...doProvedor, '--mes', este.slice(0, 7)];
  const linhas = async (tabela: string): Promise<any[]> => api.dono(tabela).where({ provedor_id: id });
  const worker = async () =>
    api.container.execucaoDoFaturamento.executarPedidos(atorDaTarefa('faturamento.executar'), id, {
      signal: new AbortController().signal,
      aoAvancar: () => {},
    });
  return { doProvedor, doMes, linhas, worker, mes: este.slice(0, 7) };
}

/** A command at which somebody presses Ctrl-C, or does something else, once it has said something of this. */
async function interrompido(args: readonly string[], quando: RegExp, fazerOutro?: () => void) {
  const dito = { stdout: '', stderr: '' };
  let interromper = (): void => {};
  let feito = false;
  const codigo = await runProgram(args, {
    env: { DATABASE_URL: api.databaseUrl, REDIS_URL: api.redisUrl, MALHA_DATA_DIR: terminal.pasta },
    stdin: () => process.stdin,
    stdout: { write: (texto) => (dito.stdout += texto) },
    stderr: {
      write(texto) {
        dito.stderr += texto;
        if (!feito && quando.test(dito.stderr)) {
          feito = true;
          (fazerOutro ?? interromper)();
        }
        return true;
      },
    },
    onInterrupt(fazer) {
      interromper = fazer;
      return () => {};
    },
    holdSignals: () => () => {},
  });
  return { codigo, ...dito };
}

test('a prévia e o mês dizem até onde foram; um Ctrl-C para entre duas partes, e diz quantas faturas se fizeram', async (t) => {
  const { doMes, linhas } = await casa();
  const previa = await terminal.malha(['faturamento', 'previa', ...doMes]);
  t.is(previa.codigo, 0, previa.stderr);
  t.regex(previa.stdout, /^1\.200 faturas a fazer/);
  t.regex(previa.stderr, /^faturamento previa: \d+% {2}[\d.]+\/1\.200/);
  const cortada = await interrompido(['faturamento', 'previa', ...doMes], /faturamento previa/);
  t.is(cortada.codigo, 130);
  t.is(cortada.stdout, '');
  t.regex(cortada.stderr, /A prévia parou no meio/);

  const parado = await interrompido(['faturamento', 'gerar', ...doMes], /faturamento gerar/);
  t.is(parado.codigo, 130);
  t.is(parado.stdout, 'Parado no meio: 500 faturas feitas, que ficam; o mesmo comando faz as que faltam.\n');
  t.is((await linhas('faturas')).length, 500);
  const resto = await terminal.malha(['faturamento', 'gerar', ...doMes]);
  t.is(resto.stdout, '700 faturas feitas.\n');
  t.regex(resto.stderr, /^faturamento gerar: \d+% {2}500\/700/);
  t.notRegex(`${previa.stdout}${parado.stderr}${resto.stderr}`, INGLES);
});

test('desfazer um mês grande mostra até onde foi, e um Ctrl-C só deixa de esperar', async (t) => {
  const { doProvedor, doMes, linhas, worker } = await casa();
  await terminal.malha(['faturamento', 'gerar', ...doMes]);
  const [{ id }] = await linhas('faturamentos');
  const desfazer = ['faturamento', 'desfazer', String(id), ...doProvedor];
  const cortado = await interrompido(desfazer, /faturamento desfazer/);
  t.is(cortado.codigo, 130);
  t.regex(cortado.stderr, /Segue-se desfazendo; só a espera terminou/);
  let aFazer: Promise<unknown> | undefined;
  const fim = await interrompido(desfazer, /faturamento desfazer/, () => {
    aFazer = worker();
  });
  await aFazer;
  t.is(fim.stdout, `Faturamento ${id} desfeito: 1.200 faturas canceladas.\n`);
  t.regex(fim.stderr, /^faturamento desfazer: \d+%/);
  t.deepEqual(await linhas('faturamento_cobrancas'), []);
  recusado(t, await terminal.malha(desfazer), /já foi desfeito/);
});

test('um pedido de desfazer que outra versão encerrou não se dá por feito', async (t) => {
  const { doProvedor, doMes, linhas, worker } = await casa();
  await terminal.malha(['faturamento', 'gerar', ...doMes]);
  const [{ id }] = await linhas('faturamentos');
  const desfazer = ['faturamento', 'desfazer', String(id), ...doProvedor];
  let aEncerrar: Promise<unknown> | undefined;
  const fim = await interrompido(desfazer, /faturamento desfazer/, () => {
    aEncerrar = linhas('faturamento_pedidos').then(async ([pedido]) =>
      api.dono('faturamento_pedidos').where('id', pedido.id).update({ terminado_em: new Date() }),
    );
  });
  await aEncerrar;
  t.is(fim.codigo, 1);
  t.regex(fim.stdout, new RegExp(`O faturamento ${id} não está desfeito: um worker da versão anterior encerrou`));
  await worker();
  t.is((await linhas('faturas')).filter(({ situacao }) => situacao === 'cancelada').length, 0);
});

test('o que o worker faz de um mês se para pelo terminal, que diz o que há', async (t) => {
  const { doProvedor, linhas, mes } = await casa();
  const nada = await terminal.malha(['faturamento', 'parar', ...doProvedor]);
  t.is(nada.stdout, 'Nada em andamento.\n');
  const provedor = await api.container.provedores.exigirPorId(Number(doProvedor[1]));
  await api.container.changeTenant(atorDaTarefa('testes'), provedor, async (_dominio, { faturamento }) =>
    faturamento.pedir('faturas', { mes }),
  );
  const [{ id }] = await linhas('faturamento_pedidos');
  const ha = await terminal.json<any[]>(['faturamento', 'parar', ...doProvedor]);
  t.like(ha, [{ id, tipo: 'faturas', mes, sem_ninguem: false }]);
  const parado = await terminal.malha(['faturamento', 'parar', String(id), ...doProvedor]);
  t.is(parado.stdout, 'Parado; 0 faturas já feitas ficam.\n');
  await ate(async () => (await linhas('faturamento_pedidos'))[0].motivo !== null, 5000);
  recusado(t, await terminal.malha(['faturamento', 'parar', String(id), ...doProvedor]), /já terminou/);
});

test('o que falha se lista com o motivo e com quando se tenta de novo, e quem espera por ele o ouve', async (t) => {
  const { doProvedor, doMes, linhas, worker } = await casa();
  await terminal.malha(['faturamento', 'gerar', ...doMes]);
  const [{ id }] = await linhas('faturamentos');
  const desfazer = ['faturamento', 'desfazer', String(id), ...doProvedor];
  const mendar = await falharCobrancas(api, 'UPDATE', `NEW.provedor_id = ${doProvedor[1]}`);
  t.teardown(mendar);
  await terminal.malha([...desfazer, '--no-esperar']);
  await t.throwsAsync(worker());
  const pedido = (await linhas('faturamento_pedidos')).at(-1).id;
  const ha = await terminal.malha(['faturamento', 'parar', ...doProvedor]);
  t.regex(ha.stdout, /espera, depois de falhar/);
  const falhou = 'Falhou \\(1 vez\\): banco de dados: ER_SIGNAL_EXCEPTION\\. Tenta-se de novo a partir de 20\\d\\d-';
  t.regex(ha.stdout, new RegExp(`Pedido ${pedido}: ${falhou}`));
  const cedo = await terminal.malha(['faturamento', 'desistir', String(pedido), ...doProvedor]);
  recusado(t, cedo, /só se desiste do que falhou 3 vezes seguidas, e este falhou 1/);
  const mesmo = await terminal.malha(['faturamento', 'desistir', String(pedido), '--mesmo-seguidas', ...doProvedor]);
  recusado(t, mesmo, /só se desiste do que falhou 3 vezes seguidas/);
  const [json] = await terminal.json<any[]>(['faturamento', 'parar', ...doProvedor]);
  t.like(json.falha, { vezes: 1, erro: 'banco de dados: ER_SIGNAL_EXCEPTION' });
  let aFazer: Promise<unknown> | undefined;
  const fim = await interrompido(desfazer, new RegExp(falhou), () => {
    aFazer = mendar().then(worker);
  });
  await aFazer;
  t.is(fim.stdout, `Faturamento ${id} desfeito: 1.200 faturas canceladas.\n`);
  t.notRegex(`${ha.stdout}${fim.stderr}`, /Ana Lima/);
});
