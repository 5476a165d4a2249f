import test from 'ava';
import { TERMINAL } from '../../src/domain/actor.ts';
import { hojeEm, somarDias } from '../../src/brazil/calendario/datas.ts';
import { BLOQUEADO, criarAssinante } from '../domain/recebimentos/assinante.ts';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { criarTerminal, recusado } from '../support/terminal.ts';
import type { Terminal } from '../support/terminal.ts';

// Commands go by the program's own clock.
const HOJE = hojeEm('America/Sao_Paulo', new Date());
const EM_DEZ_DIAS = somarDias(HOJE, 10);
const HA_DEZ_DIAS = somarDias(HOJE, -10);

let api: Api;
let terminal: Terminal;
test.before(async () => {
  api = await criarApi();
  terminal = criarTerminal(api);
});
test.after.always(async () => {
  await api.fechar();
  terminal.fechar();
});

const novo = async () => criarAssinante(api, BLOQUEADO);
const fatura = (comando: string, provedor: number, ...mais: readonly (string | number)[]): string[] =>
  ['fatura', comando, '--provedor', provedor, ...mais].map(String);

test('uma fatura se cria, muda, paga em partes, ajusta e desfaz no terminal; mostrar diz cada linha', async (t) => {
  const a = await novo();
  const criada = await terminal.json<Record<string, unknown>>(
    fatura(
      'criar',
      a.provedor,
      '--cliente-id',
      a.cliente,
      '--descricao',
      'Visita',
      '--valor',
      '80.00',
      '--vencimento',
      EM_DEZ_DIAS,
    ),
  );
  t.like(criada, { situacao: 'pendente', tipo: 'pix', valor: '80.00', a_pagar: '80.00', vencimento: EM_DEZ_DIAS });
  const id = criada['id'] as number;
  const vencimento = somarDias(HOJE, 20);
  const alterada = await terminal.malha(fatura('alterar', a.provedor, id, '--vencimento', vencimento));
  t.is(alterada.stdout, `Fatura ${id}: pendente, vence em ${vencimento}, deve 80.00.\n`, alterada.stderr);
  const desconto = await terminal.json<{ ajuste_id: number; a_pagar: string }>(
    fatura('desconto', a.provedor, id, '--valor', '10.00', '--motivo', 'Queda'),
  );
  t.is(desconto.a_pagar, '70.00');
  const baixada = await terminal.json<{ baixa_id: number; situacao: string }>(
    fatura('baixar', a.provedor, id, '--forma', 'dinheiro', '--valor', '70.00', '--chave', 'c1'),
  );
  t.like(baixada, { situacao: 'paga', repetida: false, a_pagar: '0.00', abatido: '10.00' });
  const outraVez = fatura('baixar', a.provedor, id, '--forma', 'dinheiro', '--valor', '70.00', '--chave', 'c1');
  t.is(
    (await terminal.malha(outraVez)).stdout,
    `Pagamento ${baixada.baixa_id} já estava registrado. Fatura ${id}: paga, vence em ${vencimento}.\n`,
  );
  const mostrada = await terminal.json<Record<string, unknown>>(fatura('mostrar', a.provedor, id));
  t.like(mostrada, {
    situacao: 'paga',
    baixas: [{ id: baixada.baixa_id, valor: '70.00', forma: 'dinheiro', desfeita: false }],
    ajustes: [{ id: desconto.ajuste_id, valor: '10.00', tipo: 'desconto', motivo: 'Queda' }],
    pix: [],
    renegociacoes: [],
    cancelamento: null,
  });
  const texto = await terminal.malha(fatura('mostrar', a.provedor, id));
  t.regex(texto.stdout, /^situacao +paga$/m);
  t.regex(texto.stdout, /^ajustes: id \d+, .*valor 10\.00, tipo desconto, desfeito false, motivo Queda$/m);
  for (const [comando, qual] of [
    ['desfazer-baixa', baixada.baixa_id],
    ['desfazer-ajuste', desconto.ajuste_id],
  ] as const) {
    const { codigo, stderr } = await terminal.malha(fatura(comando, a.provedor, qual, '--motivo', 'engano'));
    t.is(codigo, 0, stderr);
  }
  const cancelada = await terminal.malha(
    fatura('cancelar', a.provedor, id, '--motivo', 'engano', '--motivo-codigo', 'erro'),
  );
  t.is(cancelada.stdout, `Fatura ${id} cancelada.\n`, cancelada.stderr);
  const listar = async (...mais: (string | number)[]) => {
    const args = fatura('listar', a.provedor, ...mais);
    const { total, faturas } = await terminal.json<{ total: number; faturas: { id: number }[] }>(args);
    return [total, faturas.map((uma) => uma.id)];
  };
  t.deepEqual(await listar('--cliente-id', a.cliente, '--situacao', 'cancelada'), [1, [id]]);
  await api.dono('faturas').where('id', id).update({ codigo_externo: 'ixc:777' });
  t.deepEqual(await listar('--codigo-externo', 'ixc:777'), [1, [id]]);
  t.deepEqual(await listar('--codigo-externo', 'ixc:778'), [0, []]);
  t.deepEqual(await listar('--limite', 1), [1, [id]]);
  t.deepEqual(await listar('--limite', 1, '--pagina', 2), [1, []]);
});

test('o que sobrou se aplica como crédito, e as vencidas se renegociam e voltam', async (t) => {
  const a = await novo();
  const uma = await a.fatura({ vencimento: EM_DEZ_DIAS });
  const outra = await a.fatura({ vencimento: HA_DEZ_DIAS });
  await terminal.json(fatura('baixar', a.provedor, uma.id, '--forma', 'cartao', '--valor', '160.00'));
  const creditada = await terminal.json<{ a_pagar: string; abatido: string }>(
    fatura('credito', a.provedor, outra.id, '--origem', uma.id),
  );
  t.is(creditada.abatido, '10.00');
  const acordo = await terminal.json<{ id: number; devido: string; parcelas: { fatura_id: number; valor: string }[] }>(
    fatura(
      'renegociar',
      a.provedor,
      '--cliente-id',
      a.cliente,
      '--faturas',
      outra.id,
      '--parcelas',
      '2',
      '--primeiro-vencimento',
      HOJE,
    ),
  );
  t.is(acordo.devido, creditada.a_pagar);
  t.is(await a.situacaoDoContrato(), 'ativo');
  const vigente = await terminal.malha(fatura('renegociacoes', a.provedor, '--atraso', '0'));
  t.regex(vigente.stdout, new RegExp(`^${acordo.id} +${a.cliente} +vigente +${acordo.devido} .* ${HOJE}\\n$`));
  t.is((await terminal.malha(fatura('renegociacoes', a.provedor, '--atraso', '1'))).stdout, '');
  const quebrada = await terminal.malha(fatura('quebrar-renegociacao', a.provedor, acordo.id, '--motivo', 'Não pagou'));
  t.is(
    quebrada.stdout,
    `Renegociação ${acordo.id} quebrada: voltaram 1 faturas, menos 0.00 já pagos.\n`,
    quebrada.stderr,
  );
  t.is((await outra.ler()).situacao, 'vencida');
});

const ERRADOS: readonly (readonly [args: string[], dito: RegExp])[] = [
  [['fatura', 'criar'], /falta a opção '--provedor <id>'/],
  [fatura('criar', 1), /cliente_id: é obrigatório; descricao: é obrigatório; valor: é obrigatório/],
  [fatura('criar', 999_999), /provedor 999999 não existe/],
  [fatura('mostrar', 1, 999_999), /id 999999: o registro não existe/],
  [fatura('listar', 1, '--situacao', 'perdida'), /situacao: deve ser um de: aberta/],
  [fatura('listar', 1, '--vencimento-de', '2026-13-01'), /vencimento_de: deve ser uma data/],
  [fatura('alterar', 1, 5), /corpo: diga ao menos um de: vencimento/],
  [fatura('cancelar', 1, 5), /motivo: é obrigatório/],
  [
    fatura('baixar', 1, 5, '--forma', 'fiado', '--valor', 'dez'),
    /forma: deve ser um de: dinheiro.*valor: deve ser um valor/,
  ],
  [fatura('desconto', 1, 5, '--valor', '1.00'), /motivo: é obrigatório/],
  [fatura('desfazer-baixa', 1, 999_999, '--motivo', 'x'), /id 999999: o registro não existe/],
  [fatura('renegociar', 1, '--cliente-id', '5', '--faturas', 'a,b'), /faturas\.0: deve ser um número inteiro/],
  [fatura('quebrar-renegociacao', 1, 999_999, '--motivo', 'x'), /id 999999: o registro não existe/],
];

for (const [args, dito] of ERRADOS) {
  test(`é recusado em uma linha: malha ${args.join(' ')}`, async (t) => {
    await api.container.provedores.buscarPorId(1).then(async (um) => um ?? novo());
    recusado(t, await terminal.malha(args), dito);
  });
}

test('quem faz é o terminal, e a auditoria o diz', async (t) => {
  const a = await novo();
  const { id } = await a.fatura({ vencimento: EM_DEZ_DIAS });
  await terminal.json(fatura('cancelar', a.provedor, id, '--motivo', 'x'));
  const [linha] = await a.linhas('auditoria').where({ acao: 'fatura.cancelada' });
  t.like(linha, { recurso_id: id, ator_tipo: TERMINAL.tipo });
});
