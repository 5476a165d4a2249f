import test from 'ava';
import { BLOQUEADO, criarAssinante, devolucao, pix } from '../domain/recebimentos/assinante.ts';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { relogioEm } from '../support/relogio.ts';
import { criarTerminal, recusado } from '../support/terminal.ts';
import type { Terminal } from '../support/terminal.ts';

let api: Api;
let terminal: Terminal;
test.before(async () => {
  api = await criarApi({ relogio: relogioEm('2026-11-20T15:00:00.000Z') });
  terminal = criarTerminal(api);
});
test.after.always(async () => {
  await api.fechar();
  terminal.fechar();
});

const novo = async () => criarAssinante(api, BLOQUEADO);
const recebimento = (comando: string, provedor: number, ...mais: string[]) => [
  'recebimento',
  comando,
  '--provedor',
  String(provedor),
  ...mais,
];

test('o PIX sem fatura é listado, vinculado e desvinculado, e a soma fecha a cada passo', async (t) => {
  const a = await novo();
  const { id, ler } = await a.fatura();
  await a.avisar(pix('PERDIDO', '153.50'));
  const soltos = await terminal.json<Record<string, unknown>[]>(recebimento('listar', a.provedor));
  t.is(soltos.length, 1);
  const [{ id: solto, ...dele }] = soltos as [Record<string, unknown>];
  t.like(dele, { txid: 'PERDIDO', valor: '153.50', devolvido: '0.00', pago_em: '2026-11-20T14:59:00.123Z' });
  const texto = await terminal.malha(recebimento('listar', a.provedor));
  t.regex(texto.stdout, new RegExp(`^${String(solto)}  2026-11-20T14:59:00.123Z  153.50  0.00  E\\w{31}  PERDIDO\\n$`));

  const vinculado = await terminal.malha(recebimento('vincular', a.provedor, String(solto), '--fatura', String(id)));
  t.deepEqual(vinculado, {
    codigo: 0,
    stdout: `PIX ${String(solto)} vinculado à fatura ${id}: quitada.\n`,
    stderr: '',
  });
  t.is((await ler()).situacao, 'paga');
  t.is(await a.situacaoDoContrato(), 'ativo');
  t.deepEqual(await terminal.json(recebimento('conferir', a.provedor)), {
    avisado: '153.50',
    boletos: '0.00',
    baixado: '0.00',
    aplicado: '153.50',
    excedente: '0.00',
    nao_identificado: '0.00',
    devolvido: '0.00',
    diferenca: '0.00',
  });
  const desfeito = await terminal.malha(recebimento('desvincular', a.provedor, String(solto)));
  t.is(desfeito.stdout, `PIX ${String(solto)} desvinculado.\n`);
  t.is((await ler()).situacao, 'vencida');
  t.regex((await terminal.malha(recebimento('conferir', a.provedor))).stdout, /^nao_identificado +153\.50$/m);
});

test('excedentes e recusados se listam, e o que não confere termina com erro', async (t) => {
  const a = await novo();
  const { id, txid } = await a.fatura();
  await a.avisar(pix(txid, '160.00'));
  await a.responder({ ...pix(txid, '1'), endToEndId: 'E1' });
  t.deepEqual(await terminal.json(recebimento('listar', a.provedor, '--quais', 'excedentes')), [
    { fatura_id: id, cliente_id: a.cliente, situacao: 'paga', valor_pago: '160.00', excedente: '6.50' },
  ]);
  const [guardado] = await terminal.json<Record<string, unknown>[]>(
    recebimento('listar', a.provedor, '--quais', 'recusados'),
  );
  t.like(guardado, { receptor: 'Banco de teste', dito: { endToEndId: 'E1', valor: '1' } });
  const linha = await terminal.malha(recebimento('listar', a.provedor, '--quais', 'recusados'));
  t.regex(linha.stdout, /endToEndId: fora do formato da API Pix\. +\{"/);

  await api.dono('faturas').where({ id }).update({ valor_pago: '100.00' });
  const { codigo, stdout } = await terminal.malha(recebimento('conferir', a.provedor));
  t.is(codigo, 1);
  t.regex(stdout, /^diferenca +60\.00$/m);
});

test('uma fatura estornada se reabre, e as que têm PIX se julgam de novo', async (t) => {
  const a = await novo();
  const { id, txid, ler } = await a.fatura();
  const pago = pix(txid, '153.50');
  await a.avisar(pago, { ...pago, devolucoes: [devolucao('153.50')] });
  const args = ['fatura', 'reabrir', String(id), '--provedor', String(a.provedor)];
  const { codigo, stdout, stderr } = await terminal.malha(args);
  t.is(codigo, 0, stderr);
  // By the program's own clock.
  t.regex(stdout, new RegExp(String.raw`^Fatura ${id} reaberta: vencida, deve 15\d\.\d\d\.\n$`));
  t.is((await ler()).situacao, 'vencida');
  const [linha] = await a.linhas('auditoria').where({ acao: 'fatura.reaberta' });
  t.like(linha, { recurso: 'fatura', recurso_id: id, autor: 'linha de comando' });
  t.is((await terminal.malha(args)).stderr, `erro: a fatura ${id} está vencida; só se reabre uma estornada\n`);
  const rejulgadas = await terminal.malha(recebimento('rejulgar', a.provedor));
  t.is(rejulgadas.stdout, 'Faturas vistas: 1; quitadas agora: 0.\n');
});

const ERRADOS: readonly (readonly [args: string[], dito: RegExp])[] = [
  [['recebimento', 'listar'], /falta a opção '--provedor <id>'/],
  [recebimento('listar', 1, '--quais', 'todos'), /não aceita 'todos': há nao-identificados, excedentes, recusados\./],
  [recebimento('vincular', 1, '7'), /falta a opção '--fatura <id>'/],
  [recebimento('vincular', 999_999, '7', '--fatura', '1'), /provedor 999999 não existe/],
  [recebimento('desvincular', 1, '999999'), /o PIX 999999 do provedor 1 não foi vinculado à mão/],
  [recebimento('rejulgar', 999_999), /provedor 999999 não existe/],
  [['fatura', 'reabrir', '999999', '--provedor', '1'], /o provedor 1 não tem a fatura 999999/],
];

for (const [args, dito] of ERRADOS) {
  test(`é recusado em uma linha: malha ${args.join(' ')}`, async (t) => {
    await novo();
    recusado(t, await terminal.malha(args), dito);
  });
}
