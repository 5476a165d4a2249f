import test from 'ava';
import type { ExecutionContext } from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { createMovimentosService } from '../../../src/domain/contratos/movimentos/equipe.service.ts';
import type { MovimentosService } from '../../../src/domain/contratos/movimentos/equipe.service.ts';
import { MOVIMENTOS, movimento } from '../../../src/domain/contratos/movimentos/movimentos.regras.ts';
import type { NomeDeMovimento } from '../../../src/domain/contratos/movimentos/movimentos.regras.ts';
import { mover } from '../../../src/domain/contratos/movimentos/movimentos.service.ts';
import { travarContratos } from '../../../src/domain/contratos/movimentos/travas.service.ts';
import { Recusa } from '../../../src/domain/erros.ts';
import { CATALOGO } from '../../../src/domain/eventos/catalogo.types.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { EM, SITUACOES, criarCasa } from './apoio.ts';
import type { Casa } from './apoio.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const relogio = relogioEm(AGORA);
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
});
test.after.always(() => api.fechar());

const NOMES = Object.keys(MOVIMENTOS) as NomeDeMovimento[];

/** What staff do, by the move that it is, with what it takes. */
const DA_EQUIPE: Readonly<Partial<Record<NomeDeMovimento, readonly [keyof MovimentosService, object]>>> = {
  ativar: ['ativar', {}],
  bloquear: ['bloquear', { motivo: 'equipamento retido' }],
  liberar: ['liberar', { motivo: 'combinado por telefone' }],
  suspender: ['suspender', { motivo: 'viagem' }],
  reativar: ['reativar', {}],
  cancelar: ['cancelar', { motivo: 'mudou de cidade', faturas_futuras: 'manter' }],
  encerrar: ['encerrar', {}],
};

/** Any move, as the services of the house make it. */
async function moverDireto(casa: Casa, id: number, nome: NomeDeMovimento): Promise<void> {
  await api.container.write(AUTOR, casa.provedor, async (w) => {
    const { contratos } = await travarContratos(w, [id]);
    const { cliente: _, ...dados } = CATALOGO[MOVIMENTOS[nome].evento].exemplo as Record<string, unknown>;
    await mover(w, nome, contratos, { agora: relogio.agora(), descricao: 'Movido.', dados: () => dados as never });
  });
}

async function conferir(
  t: ExecutionContext,
  casa: Casa,
  id: number,
  nome: NomeDeMovimento,
  { autor }: { autor: string },
): Promise<void> {
  const { para, acao, evento, semRede } = movimento(nome);
  const contrato = await casa.ler(id);
  t.is(contrato['situacao'], para);
  t.is(contrato['bloqueado_em'] !== null, para === 'bloqueado');
  t.is(contrato['suspenso_em'] !== null, para === 'inativo');
  t.is(contrato['cancelado_em'] !== null, para.startsWith('cancelado'));
  t.is(contrato['login'] === null, para === 'cancelado_definitivo');
  if (para === 'ativo') t.is(contrato['bloqueio_origem'], null);
  const historico = await casa.historico(id);
  t.like(historico, [{ acao, autor, ocorrido_em: '2026-11-20 15:00:00.000' }]);
  t.is(historico.length, 1);
  const pedido = para === 'ativo' ? 'liberar' : 'bloquear';
  t.deepEqual(
    (await casa.pedidos(id)).map((linha) => linha['acao']),
    semRede === true ? [] : [pedido],
  );
  const doContrato = (await casa.eventos()).filter(({ recurso_id, tipo }) => recurso_id === id && tipo === evento);
  t.is(doContrato.length, 1);
  t.is(doContrato[0]!.dados.cliente, casa.cliente);
  t.is((await casa.auditoria()).filter((feita) => feita === evento).length, 1);
}

for (const nome of NOMES) {
  const { de, para } = movimento(nome);
  for (const situacao of SITUACOES) {
    const admitido = de.includes(situacao);
    test(`${nome}: de ${situacao} ${admitido ? `vai a ${para}` : 'é recusado, e nada muda'}`, async (t) => {
      const casa = await criarCasa(api);
      const id = await casa.contrato(EM[situacao]);
      const antes = await casa.tudo();
      if (admitido) {
        await moverDireto(casa, id, nome);
        await conferir(t, casa, id, nome, { autor: 'tarefa' });
      } else {
        await t.throwsAsync(moverDireto(casa, id, nome), { message: /não pode ir/ });
        t.deepEqual(await casa.tudo(), antes);
      }
      const daEquipe = DA_EQUIPE[nome];
      if (daEquipe === undefined) return;
      const [metodo, dados] = daEquipe;
      const outra = await criarCasa(api);
      const outro = await outra.contrato(EM[situacao]);
      const pedir = async () => outra.mudar(async ({ movimentos }) => movimentos[metodo](outro, dados));
      if (admitido) {
        t.like(await pedir(), { id: outro, clienteId: outra.cliente, situacao: para });
        await conferir(t, outra, outro, nome, { autor: 'linha de comando' });
      } else await t.throwsAsync(pedir, { message: /não pode ir/ });
    });
  }
}

test('ativar marca o dia local da primeira vez, e do pré-cadastro faz um cliente', async (t) => {
  const casa = await criarCasa(api, {
    provedor: { fuso_horario: 'Pacific/Auckland' },
    cliente: { situacao: 'pre_cadastro' },
  });
  const id = await casa.contrato(EM.pendente);
  await casa.mudar(async ({ movimentos }) => movimentos.ativar(id, {}));
  t.is((await casa.ler(id))['ativado_em'], '2026-11-21');
  t.is(await casa.situacaoDoCliente(), 'ativo');
  t.deepEqual((await casa.eventos()).at(-1), {
    tipo: 'cliente.atualizado',
    recurso_id: casa.cliente,
    dados: { cliente: casa.cliente, campos: ['situacao'] },
  });
  await casa.mudar(async ({ movimentos }) => movimentos.cancelar(id, { faturas_futuras: 'manter' }));
  await casa.mudar(async ({ movimentos }) => movimentos.reativar(id, {}));
  t.is((await casa.ler(id))['ativado_em'], '2026-11-21');
});

test('ativar o contrato de um pré-cadastro que tem outro cadastro exige que se confirme quem é', async (t) => {
  for (const outro of ['ativo', 'cancelado', 'pre_cadastro'] as const) {
    const casa = await criarCasa(api, { cliente: { situacao: 'pre_cadastro' } });
    const id = await casa.contrato(EM.pendente);
    const registroId = await casa.fabrica.cliente(casa.provedor, { situacao: outro });
    const ativar = async (dados: object) => casa.mudar(async ({ movimentos }) => movimentos.ativar(id, dados));
    if (outro !== 'pre_cadastro') {
      const antes = await casa.tudo();
      for (const dados of [{}, { confirmado: false }]) {
        const erro = await t.throwsAsync(ativar(dados), { instanceOf: Recusa });
        t.like(erro, { motivo: 'confirmacao_exigida', detalhe: { registroId } });
      }
      t.deepEqual(await casa.tudo(), antes);
    }
    t.is((await ativar(outro === 'pre_cadastro' ? {} : { confirmado: true })).situacao, 'ativo');
    t.is(await casa.situacaoDoCliente(), 'ativo');
  }
});

test('cancelar e reativar não é outro caminho para ativar um pré-cadastro sem que se confirme quem é', async (t) => {
  for (const outro of ['ativo', 'cancelado', 'pre_cadastro'] as const) {
    const casa = await criarCasa(api, { cliente: { situacao: 'pre_cadastro' } });
    const id = await casa.contrato(EM.pendente);
    const registroId = await casa.fabrica.cliente(casa.provedor, { situacao: outro });
    await casa.mudar(async ({ movimentos }) => movimentos.cancelar(id, { faturas_futuras: 'manter' }));
    const reativar = async (dados: object) => casa.mudar(async ({ movimentos }) => movimentos.reativar(id, dados));
    if (outro !== 'pre_cadastro') {
      const antes = await casa.tudo();
      for (const dados of [{}, { confirmado: false }]) {
        const erro = await t.throwsAsync(reativar(dados), { instanceOf: Recusa });
        t.like(erro, { motivo: 'confirmacao_exigida', detalhe: { registroId } });
      }
      t.deepEqual(await casa.tudo(), antes);
    }
    t.is((await reativar(outro === 'pre_cadastro' ? {} : { confirmado: true })).situacao, 'ativo');
    t.is(await casa.situacaoDoCliente(), 'ativo');
  }
});

test('de um pré-cadastro se faz um cliente também quando o contrato volta bloqueado', async (t) => {
  for (const bloqueio_origem of ['financeiro', 'manual'] as const) {
    const casa = await criarCasa(api, { cliente: { situacao: 'pre_cadastro' } });
    const id = await casa.contrato({ ...EM.cancelado, bloqueio_origem });
    await casa.fabrica.fatura(casa.provedor, { cliente_id: casa.cliente, contrato_id: id, situacao: 'vencida' });
    const outro = await casa.fabrica.cliente(casa.provedor);
    const reativar = async (dados: object) => casa.mudar(async ({ movimentos }) => movimentos.reativar(id, dados));
    t.like(await t.throwsAsync(reativar({})), { motivo: 'confirmacao_exigida', detalhe: { registroId: outro } });
    await reativar({ confirmado: true });
    t.like(await casa.ler(id), { situacao: 'bloqueado', bloqueio_origem });
    t.is(await casa.situacaoDoCliente(), 'bloqueado');
  }
});

test('dois que ativam ao mesmo tempo pré-cadastros da mesma pessoa: o segundo vê o que o primeiro fez', async (t) => {
  const casa = await criarCasa(api, { cliente: { situacao: 'pre_cadastro' } });
  const outro = await casa.fabrica.cliente(casa.provedor, { situacao: 'pre_cadastro' });
  const ids = [await casa.contrato(EM.pendente), await casa.contrato({ ...EM.pendente, cliente_id: outro })];
  const feitos = await Promise.allSettled(
    ids.map(async (id, processo) => casa.mudar(async ({ movimentos }) => movimentos.ativar(id, {}), processo)),
  );
  t.deepEqual(feitos.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  const situacoes = [await casa.situacaoDoCliente(), await casa.situacaoDoCliente(outro)];
  t.deepEqual(situacoes.toSorted(), ['ativo', 'pre_cadastro']);
});

test('um contrato de cliente cancelado não se ativa nem se reativa', async (t) => {
  const casa = await criarCasa(api, { cliente: { situacao: 'cancelado' } });
  const [pendente, cancelado] = [await casa.contrato(EM.pendente), await casa.contrato(EM.cancelado)];
  for (const fazer of [
    casa.mudar(async ({ movimentos }) => movimentos.ativar(pendente, {})),
    casa.mudar(async ({ movimentos }) => movimentos.reativar(cancelado, {})),
  ]) {
    await t.throwsAsync(fazer, { message: /cliente está cancelado/ });
  }
});

test('só com um motivo a equipe libera o que se bloqueou por débito; o bloqueio manual também sem', async (t) => {
  const casa = await criarCasa(api);
  const debito = await casa.contrato(EM.bloqueado);
  const manual = await casa.contrato({ ...EM.bloqueado, bloqueio_origem: 'manual' });
  const liberar = async (id: number, dados: object) =>
    casa.mudar(async ({ movimentos }) => movimentos.liberar(id, dados));
  await t.throwsAsync(liberar(debito, {}), { message: /^motivo: é obrigatório/ });
  await t.throwsAsync(liberar(debito, { motivo: '  ' }), { message: /^motivo: é obrigatório/ });
  await liberar(debito, { motivo: 'pagou na loja' });
  await liberar(manual, {});
  t.like(await casa.historico(debito), [{ descricao: 'Liberado pela equipe. Motivo: pagou na loja' }]);
  for (const id of [debito, manual]) t.is((await casa.ler(id))['situacao'], 'ativo');
});

test('bloquear sem motivo é recusado com o nome do campo', async (t) => {
  const casa = await criarCasa(api);
  const id = await casa.contrato();
  await t.throwsAsync(
    casa.mudar(async ({ movimentos }) => movimentos.bloquear(id, {})),
    { message: 'motivo: é obrigatório' },
  );
});

test('quem estava bloqueado por débito e ainda deve volta bloqueado da suspensão; quem pagou, ativo', async (t) => {
  const casa = await criarCasa(api);
  const [deve, pagou, manual] = [
    await casa.contrato(EM.bloqueado),
    await casa.contrato(EM.bloqueado),
    await casa.contrato({ ...EM.bloqueado, bloqueio_origem: 'manual' }),
  ];
  for (const contrato_id of [deve, pagou, manual]) {
    const situacao = contrato_id === pagou ? 'paga' : 'vencida';
    await casa.fabrica.fatura(casa.provedor, { cliente_id: casa.cliente, contrato_id, situacao });
    await casa.mudar(async ({ movimentos }) => movimentos.suspender(contrato_id, {}));
    t.is((await casa.ler(contrato_id))['bloqueado_em'], null);
    await casa.mudar(async ({ movimentos }) => movimentos.reativar(contrato_id, {}));
  }
  t.like(await casa.ler(deve), { situacao: 'bloqueado', bloqueio_origem: 'financeiro' });
  t.like(await casa.ler(pagou), { situacao: 'ativo', bloqueio_origem: null });
  t.like(await casa.ler(manual), { situacao: 'ativo', bloqueio_origem: null });
});

test('quem caiu em débito durante a suspensão volta ativo', async (t) => {
  const casa = await criarCasa(api);
  const id = await casa.contrato(EM.inativo);
  await casa.fabrica.fatura(casa.provedor, { cliente_id: casa.cliente, contrato_id: id, situacao: 'vencida' });
  await casa.mudar(async ({ movimentos }) => movimentos.reativar(id, {}));
  t.is((await casa.ler(id))['situacao'], 'ativo');
});

test('cancelar e reativar não solta quem deve, nem quem a equipe bloqueou; quem pagou volta ativo', async (t) => {
  const casa = await criarCasa(api);
  const [deve, pagou, manual, suspenso, emConfianca, ativo] = [
    await casa.contrato(EM.bloqueado),
    await casa.contrato(EM.bloqueado),
    await casa.contrato({ ...EM.bloqueado, bloqueio_origem: 'manual' }),
    await casa.contrato(EM.bloqueado),
    await casa.contrato(EM.ativo),
    await casa.contrato(EM.ativo),
  ];
  await casa.mudar(async ({ movimentos }) => movimentos.suspender(suspenso, {}));
  await casa.fabrica.desbloqueio(casa.provedor, { contrato_id: emConfianca, ate: '2026-11-23 02:59:59.999' });
  const volta = new Map<number, object>();
  for (const contrato_id of [deve, pagou, manual, suspenso, emConfianca, ativo]) {
    const situacao = contrato_id === pagou ? 'paga' : 'vencida';
    await casa.fabrica.fatura(casa.provedor, { cliente_id: casa.cliente, contrato_id, situacao });
    await casa.mudar(async ({ movimentos }) => movimentos.cancelar(contrato_id, { faturas_futuras: 'cancelar' }));
    t.is((await casa.ler(contrato_id))['bloqueado_em'], null);
    volta.set(contrato_id, await casa.mudar(async ({ movimentos }) => movimentos.reativar(contrato_id, {})));
  }
  const debito = { situacao: 'bloqueado', bloqueio_origem: 'financeiro', cancelado_em: null };
  const livre = { situacao: 'ativo', bloqueio_origem: null, bloqueado_em: null, cancelado_em: null };
  for (const id of [deve, suspenso, emConfianca]) t.like(await casa.ler(id), debito);
  t.like(await casa.ler(manual), { ...debito, bloqueio_origem: 'manual' });
  for (const id of [pagou, ativo]) t.like(await casa.ler(id), livre);
  t.like(volta.get(deve), { situacao: 'bloqueado' });
  t.like(volta.get(manual), { situacao: 'bloqueado' });
  t.is((await casa.pedidos(deve)).at(-1)?.['acao'], 'bloquear');
});

test('um cancelado volta até o nonagésimo dia, e depois não', async (t) => {
  const casa = await criarCasa(api);
  const [noPrazo, tarde, semData] = [
    await casa.contrato({ ...EM.cancelado, cancelado_em: '2026-08-22 15:00:00.000' }),
    await casa.contrato({ ...EM.cancelado, cancelado_em: '2026-08-22 14:59:59.999' }),
    await casa.contrato({ ...EM.cancelado, cancelado_em: null, atualizado_em: '2026-08-01 00:00:00.000' }),
  ];
  const reativar = async (id: number) => casa.mudar(async ({ movimentos }) => movimentos.reativar(id, {}));
  await reativar(noPrazo);
  for (const id of [tarde, semData]) await t.throwsAsync(reativar(id), { message: /há mais de 90 dias/ });
  t.like(await casa.ler(noPrazo), { situacao: 'ativo', cancelado_em: null, motivo: null });
});

test('cancelar mantém ou cancela as faturas que ainda não venceram, conforme se diga, e nunca as outras', async (t) => {
  for (const faturas_futuras of ['manter', 'cancelar'] as const) {
    const casa = await criarCasa(api);
    const id = await casa.contrato();
    const base = { cliente_id: casa.cliente, contrato_id: id };
    const nova = async (linha: object) => casa.fabrica.fatura(casa.provedor, { ...base, ...linha });
    const futura = await nova({ vencimento: '2026-11-21' });
    const outras = [
      await nova({ vencimento: '2026-11-20' }),
      await nova({ vencimento: '2026-12-10', valor_pago: '10.00' }),
      await nova({ vencimento: '2026-12-10', situacao: 'processando' }),
      await casa.fabrica.fatura(casa.provedor, { cliente_id: casa.cliente, vencimento: '2026-12-10' }),
    ];
    await casa.mudar(async ({ movimentos }) => movimentos.cancelar(id, { faturas_futuras }));
    const situacoes = new Map((await casa.linhas('faturas')).map((fatura) => [fatura['id'], fatura['situacao']]));
    t.is(situacoes.get(futura), faturas_futuras === 'cancelar' ? 'cancelada' : 'pendente');
    for (const outra of outras) t.not(situacoes.get(outra), 'cancelada');
  }
  const casa = await criarCasa(api);
  const id = await casa.contrato();
  await t.throwsAsync(
    casa.mudar(async ({ movimentos }) => movimentos.cancelar(id, { motivo: 'x' })),
    { message: 'faturas_futuras: é obrigatório' },
  );
});

test('o que a equipe bloqueia por débito um pagamento libera, e sem nada em atraso não se bloqueia assim', async (t) => {
  const casa = await criarCasa(api);
  const id = await casa.contrato(EM.ativo);
  const bloquear = async () =>
    casa.mudar(async ({ movimentos }) => movimentos.bloquearPorDebito(id, { motivo: 'prometeu e não pagou' }));
  await casa.fabrica.fatura(casa.provedor, {
    cliente_id: casa.cliente,
    contrato_id: id,
    vencimento: '2026-12-10',
  });
  await t.throwsAsync(bloquear(), { message: /nada está em atraso/ });
  const atrasada = await casa.fabrica.fatura(casa.provedor, {
    cliente_id: casa.cliente,
    contrato_id: id,
    situacao: 'vencida',
    vencimento: '2026-11-10',
  });
  await bloquear();
  const { situacao, bloqueio_origem: origem, motivo } = await casa.ler(id);
  t.deepEqual([situacao, origem, motivo], ['bloqueado', 'financeiro', 'prometeu e não pagou']);
  await casa.mudar(async ({ baixas }) => baixas.registrar(atrasada, { forma: 'dinheiro', valor: '150.00' }));
  t.is((await casa.ler(id))['situacao'], 'ativo');
});

test('bloquear pela equipe e cancelar encerram o desbloqueio de confiança em vigor; suspender não', async (t) => {
  for (const [metodo, dados, encerra] of [
    ['bloquear', { motivo: 'fraude' }, true],
    ['cancelar', { faturas_futuras: 'manter' }, true],
    ['suspender', {}, false],
  ] as const) {
    const casa = await criarCasa(api);
    const id = await casa.contrato();
    await casa.fabrica.desbloqueio(casa.provedor, { contrato_id: id, ate: '2026-11-23 02:59:59.999' });
    await casa.mudar(async ({ movimentos }) => movimentos[metodo](id, dados as never));
    const [desbloqueio] = await casa.linhas('desbloqueios_confianca');
    t.is(desbloqueio!['encerrado_em'], encerra ? '2026-11-20 15:00:00.000' : null, metodo);
  }
});

test('quem leu outra versão do contrato não o move, e quem leu esta move', async (t) => {
  const casa = await criarCasa(api);
  const id = await casa.contrato();
  const suspender = async (atualizado_em: unknown) =>
    casa.mudar(async ({ movimentos }) => movimentos.suspender(id, { atualizado_em }));
  await t.throwsAsync(suspender('2020-01-01T00:00:00.000Z'), { message: /alguém o alterou/ });
  await t.throwsAsync(suspender('ontem'), { message: /^atualizado_em: deve ser um instante/ });
  const { atualizado_em } = await casa.ler(id);
  await suspender(`${String(atualizado_em).replace(' ', 'T')}Z`);
  t.is((await casa.ler(id))['situacao'], 'inativo');
});

test('um contrato que não existe, ou é de outro provedor, não se move', async (t) => {
  const [casa, alheia] = [await criarCasa(api), await criarCasa(api)];
  const id = await alheia.contrato();
  for (const qual of [id, 0, -1, 2 ** 60]) {
    await t.throwsAsync(
      casa.mudar(async ({ movimentos }) => movimentos.suspender(qual, {})),
      { message: /não existe/ },
    );
  }
});

test.serial('os comandos de um movimento não crescem com os contratos', async (t) => {
  const contar = async (quantos: number): Promise<number> => {
    const casa = await criarCasa(api);
    const ids: number[] = [];
    for (let n = 0; n < quantos; n += 1) {
      const cliente_id = await casa.fabrica.cliente(casa.provedor);
      ids.push(await casa.contrato({ cliente_id }));
    }
    let comandos = 0;
    const somar = (): void => void (comandos += 1);
    api.container.db.on('query', somar);
    await api.container.write(AUTOR, casa.provedor, async (w) => {
      const { contratos } = await travarContratos(w, ids);
      const dados = () => ({ origem: 'financeiro' as const, fatura: null });
      await mover(w, 'bloquear_por_debito', contratos, { agora: relogio.agora(), descricao: 'Débito.', dados });
    });
    api.container.db.off('query', somar);
    t.is((await casa.linhas('clientes', { situacao: 'bloqueado' })).length, quantos);
    return comandos;
  };
  t.is(await contar(40), await contar(2));
});

test.serial(
  'duzentos movimentos ao mesmo tempo, em dois processos, deixam um caminho que a tabela admite',
  async (t) => {
    const casa = await criarCasa(api);
    const id = await casa.contrato(EM.pendente);
    const provedor = await api.container.provedores.exigirPorId(casa.provedor);
    const metodos = Object.entries(DA_EQUIPE).filter(([nome]) => nome !== 'encerrar');
    const feitos = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const [, [metodo, dados]] = metodos[n % metodos.length]!;
        const { write } = api.containers[n % 2]!;
        // Without the deadline of who waits for an answer: all but the first wait for those before.
        return write(TERMINAL, casa.provedor, async (w) =>
          createMovimentosService({ w, provedor, relogio })[metodo](id, dados),
        ).then(
          () => 1,
          (error: Error) => {
            t.regex(error.message, /não pode ir/);
            return 0;
          },
        );
      }),
    );
    const sucessos = feitos.reduce<number>((soma, um) => soma + um, 0);
    t.true(sucessos > 0);
    const historico = await casa.historico(id);
    t.is(historico.length, sucessos);
    t.is((await casa.pedidos(id)).length, sucessos);
    // Of those that are called the same, the history does not say which it was.
    let situacoes = new Set<string>(['pendente']);
    for (const linha of historico) {
      const passos = NOMES.map(movimento).filter(
        ({ de, acao }) => acao === linha['acao'] && de.some((uma) => situacoes.has(uma)),
      );
      t.true(passos.length > 0, `${[...situacoes].join()}: ${linha['acao']}`);
      situacoes = new Set(passos.map(({ para }) => para));
    }
    t.true(situacoes.has((await casa.ler(id))['situacao'] as string));
  },
);
