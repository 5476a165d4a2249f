import { randomBytes } from 'node:crypto';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { criarApi } from '../../support/api.ts';
import { ate } from '../../support/espera.ts';
import { quanto } from '../../support/prova.ts';
import { CHAVE, enviar, provedorComPsp } from '../../support/psp/conta.ts';
import { criarPsp } from '../../support/recebimentos.ts';
import { sorteio } from '../../support/sorteio.ts';
import { relogioEm } from '../../support/relogio.ts';

const env = { MALHA_CHAVE_MESTRA: randomBytes(32).toString('hex'), MALHA_REDES_PERMITIDAS: '127.0.0.1/32' };
const AGORA = '2026-11-20T15:00:00Z';
const PAGAMENTOS = quanto(60, 4000);

/** A service, and a provider whose PSP answers as `humor` says. */
async function cenario(t: ExecutionContext, humor?: Parameters<typeof provedorComPsp>[2]) {
  const relogio = relogioEm(AGORA);
  const api = await criarApi({ env, relogio });
  t.teardown(() => api.fechar());
  const outro = async (dele?: Parameters<typeof provedorComPsp>[2]) => {
    const p = await provedorComPsp(api, () => relogio.agora(), dele);
    t.teardown(async () => p.psp.fechar());
    return p;
  };
  const p = await outro(humor);
  const convenio = () => api.dono('psp_convenios').where('provedor_id', p.provedor);
  /** What the PSP received is read now, and not when its time comes. */
  async function ler(mudar: object = {}): Promise<void> {
    await convenio().update({ leitura_em: null, ...mudar });
    await enviar(api);
  }
  /** A charge that was paid, as we know of it. */
  async function pago() {
    await p.fatura();
    await p.acompanhar();
    const [cobranca] = await p.cobrancas();
    const { endToEndId } = p.psp.pagar(cobranca.txid)!;
    await ler();
    const recebido = () =>
      api.dono('pix_recebidos').where({ provedor_id: p.provedor, end_to_end_id: endToEndId }).first();
    return { endToEndId, recebido };
  }
  async function pedirDevolucao(pix_id: number, mudar: object = {}): Promise<number> {
    const [id = 0] = await api.dono('devolucoes_pedidas').insert({
      provedor_id: p.provedor,
      meio: 'pix',
      pix_id,
      devolucao: randomBytes(16).toString('hex'),
      valor: '1.00',
      situacao: 'pedida',
      autor: 'teste',
      pedida_em: '2026-11-20 15:00:00.000',
      ...mudar,
    });
    return id;
  }
  /** Returns what was asked for, and says how one of them is afterwards. */
  async function devolver(id: number): Promise<string> {
    await api.container.devolucoesAoPsp.devolver(TERMINAL, new AbortController().signal);
    return (await api.dono('devolucoes_pedidas').where({ id }).first()).situacao;
  }
  return { api, relogio, p, outro, convenio, ler, pago, pedirDevolucao, devolver };
}

// One after the other: each has services and PSPs of its own, which at once keep a busy machine from answering in time.
test.serial(
  'a fatura de uma conta com PSP ganha a cobrança com vencimento, e a perde quando é paga de outro modo',
  async (t) => {
    const { api, p, ler } = await cenario(t);
    const estatico = 'ABCDEFGHIJKLMNOPQRSTUVWXY';
    const fatura = await p.fatura({ pix_txid: estatico, tipo: 'pix' });
    await p.acompanhar();
    const [cobranca] = await p.cobrancas();
    t.is(cobranca.estado, 'ativa');
    const com = await p.linha(fatura);
    t.is(com.pix_txid, cobranca.txid);
    t.is(com.pix_copia_cola, cobranca.copia_cola);
    const noPsp = p.psp.cobrancas.get(cobranca.txid)!;
    t.deepEqual(noPsp.corpo.calendario, { dataDeVencimento: '2026-12-10', validadeAposVencimento: 60 });
    t.deepEqual(noPsp.corpo.valor.juros, { modalidade: 3, valorPerc: '1.00' });

    await api.dono('faturas').where({ id: fatura }).update({ vencimento: '2026-12-15', valor: '89.90' });
    await p.acompanhar();
    t.is(p.psp.cobrancas.get(cobranca.txid)!.corpo.valor.original, '89.90');
    t.is(p.psp.cobrancas.get(cobranca.txid)!.corpo.calendario?.dataDeVencimento, '2026-12-15');
    t.is((await p.linha(fatura)).pix_txid, cobranca.txid);

    // The code of before the charge still finds its invoice.
    p.psp.pagarChave(CHAVE, '89.90', estatico);
    await ler();
    t.is((await p.linha(fatura)).situacao, 'paga');
    await p.acompanhar();
    t.is(p.psp.cobrancas.get(cobranca.txid)!.status, 'REMOVIDA_PELO_USUARIO_RECEBEDOR');
    t.deepEqual(p.psp.foraDoEsquema, []);
  },
);

test.serial(
  `com ${PAGAMENTOS} pagamentos e avisos que se perdem, dobram e trocam de ordem, uma leitura iguala o nosso livro ao do PSP`,
  async (t) => {
    t.timeout(quanto(240_000, 5_400_000));
    const sortear = sorteio(4117).numero;
    const { api, relogio, p, ler, convenio } = await cenario(t, () => {
      const sorte = sortear();
      if (sorte < 0.02) return { perder: 'antes' };
      if (sorte < 0.04) return { perder: 'depois' };
      if (sorte < 0.05) return { status: 429, depoisDe: 1 };
      return { atrasoMs: sorte < 0.2 ? 5 : 0 };
    });
    const { segredo } = await api.container.receptores.criar(TERMINAL, p.provedor, {
      nome: 'Simulado',
      ipsPermitidos: null,
    });
    const dito = criarPsp(api);
    // What others would wait for goes by at once.
    const passar = async (): Promise<void> => {
      const ja = { proxima_em: '2026-11-01 00:00:00.000' };
      await api.dono('psp_cobrancas').where('provedor_id', p.provedor).whereNotNull('etapa').update(ja);
      await ler({ parada_ate: null });
    };
    for (let n = 0; n < PAGAMENTOS; n += 1) {
      await p.fatura({
        valor: `${20 + (n % 180)}.${String(n % 100).padStart(2, '0')}`,
        vencimento: n % 2 === 0 ? '2026-11-25' : '2026-12-10',
      });
    }
    await p.acompanhar();
    // A turn sends some fifty.
    for (let vez = 0; vez < 40 + PAGAMENTOS / 10; vez += 1) {
      const [linha] = await api
        .dono('psp_cobrancas')
        .where('provedor_id', p.provedor)
        .whereNotNull('etapa')
        .count({ quantas: '*' });
      if (Number(linha?.['quantas']) === 0) break;
      await passar();
    }
    const cobrancas = await p.cobrancas();
    t.is(cobrancas.filter(({ estado }) => estado === 'ativa').length, PAGAMENTOS);
    t.is(p.psp.cobrancas.size, PAGAMENTOS);
    t.true([...p.psp.feitas.values()].every((vezes) => vezes === 1));

    // Half of them are paid late, with charges that this PSP rounds down.
    relogio.definir('2026-12-02T15:00:00Z');
    for (const { txid } of cobrancas) p.psp.pagar(txid);
    for (let n = 0; n < 5; n += 1) p.psp.pagarChave(CHAVE, '12.34');
    for (const [n, { endToEndId, valor }] of [...p.psp.pix.values()].entries())
      if (n % 10 === 0) p.psp.tomar(endToEndId, valor);
    const fila = p.psp.porAvisar.flatMap((um) => (sortear() < 0.3 ? [] : sortear() < 0.3 ? [um, um] : [um]));
    const trocada = fila.map((um) => [sortear(), um] as const).toSorted(([a], [b]) => a - b);
    for (const [, um] of trocada) await dito.avisar(segredo, [um as never]);

    await convenio().update({ lido_ate: '2026-12-01 00:00:00.000' });
    for (let vez = 0; vez < 10; vez += 1) await passar();
    const doPsp = [...p.psp.pix.values()].map(({ endToEndId, valor, devolucoes = [] }) => [
      endToEndId,
      valor,
      devolucoes.reduce((soma: number, uma) => soma + Math.round(Number(uma.valor) * 100), 0),
    ]);
    const nosso = (await api.dono('pix_recebidos').where('provedor_id', p.provedor)).map((row) => [
      row.end_to_end_id,
      row.valor,
      Math.round(Number(row.devolvido) * 100),
    ]);
    const emOrdem = (linhas: readonly (readonly unknown[])[]) =>
      linhas.toSorted((a, b) => String(a[0]).localeCompare(String(b[0])));
    t.deepEqual(emOrdem(nosso), emOrdem(doPsp));
    const tomadas = new Set(
      [...p.psp.pix.values()].filter(({ devolucoes }) => (devolucoes?.length ?? 0) > 0).map(({ txid }) => txid),
    );
    const abertas = await api.dono('faturas').where('provedor_id', p.provedor).whereNot('situacao', 'paga');
    t.true(abertas.every(({ id }) => tomadas.has(cobrancas.find(({ fatura_id }) => fatura_id === id).txid)));
    t.deepEqual(p.psp.foraDoEsquema, []);
    const deles = new Set(fila);
    const centavos = (linhas: readonly (readonly unknown[])[]) =>
      linhas.reduce((soma, [, valor, devolvido]) => soma + Math.round(Number(valor) * 100) - Number(devolvido), 0);
    t.log(
      `${doPsp.length} PIX: ${p.psp.porAvisar.length - deles.size} avisos perdidos, ${fila.length - deles.size} dobrados, todos fora de ordem; ` +
        `${Math.abs(centavos(nosso) - centavos(doPsp))} centavos de diferença, ${p.psp.foraDoEsquema.length} pedidos fora do esquema`,
    );
  },
);

test.serial(
  'um PSP que mente não põe código na fatura, nem leva o leitor sem fim, e um lento não segura os outros',
  async (t) => {
    let mentira: unknown;
    const { api, p, outro, ler, convenio } = await cenario(t, (operacao) =>
      operacao.includes('/cobv') || operacao === 'GET /pix' ? { mentira } : {},
    );
    const mudo = await outro((operacao) => ({ mudo: operacao !== 'POST /oauth/token' }));
    await mudo.fatura();
    const agarrado = mudo.acompanhar();
    const fatura = await p.fatura();
    const deOutro = {
      txid: 'a'.repeat(32),
      status: 'ATIVA',
      chave: CHAVE,
      valor: { original: '99.90' },
      calendario: { dataDeVencimento: '2026-12-10' },
    };
    for (const dita of [deOutro, [], 'x'.repeat(5_000_000), { pix: {} }]) {
      mentira = dita;
      await api.dono('psp_cobrancas').where('provedor_id', p.provedor).update({ codigo: null });
      await api.container.psp.tentarDeNovo(TERMINAL, p.provedor, p.cobrador);
      await p.acompanhar();
      // The other sender, which waits for the one that says nothing, may have begun it.
      await ate(async () => (await p.cobrancas())[0].codigo !== null);
      t.is((await p.linha(fatura)).pix_copia_cola, null);
    }
    // The same page, again and again.
    mentira = {
      parametros: { paginacao: { quantidadeDePaginas: 1_000_000 } },
      pix: [
        { endToEndId: 'E'.padEnd(32, '1'), valor: '0.00', horario: AGORA },
        { endToEndId: 'E'.padEnd(32, '2'), valor: '-5.00', horario: AGORA },
        { endToEndId: 'E'.padEnd(32, '3'), valor: '5.00', horario: AGORA, txid: 'b'.repeat(32), chave: 'outra' },
      ],
    };
    await ler({ parada_ate: null });
    t.is((await convenio().first()).codigo, 'pagina_repetida');
    const recebidos = await api.dono('pix_recebidos').where('provedor_id', p.provedor);
    t.deepEqual(
      recebidos.map(({ valor, fatura_id }) => [valor, fatura_id]),
      [['5.00', null]],
    );
    await agarrado;
    t.is((await mudo.cobrancas())[0].codigo, 'timeout');

    // Nothing secret of an agreement can be read anywhere.
    const tudo = JSON.stringify([
      await api.dono('auditoria'),
      await api.dono('eventos'),
      await api.dono('psp_cobrancas'),
    ]);
    t.false(tudo.includes('segredo-da-demonstracao') || tudo.includes('PRIVATE KEY'));
    for (const base of [
      'http://psp.example/v2',
      'https://10.0.0.1/v2',
      'https://psp.example/v2?x=1',
      'https://u:s@psp.example',
    ]) {
      await t.throwsAsync(api.container.psp.configurar(TERMINAL, p.provedor, p.cobrador, { base }), {
        message: /^base:/,
      });
    }
  },
);

test.serial('o PSP que recusa a lista do que se devolveu não impede a de dias atrás', async (t) => {
  let recusa = false;
  const { api, relogio, p, ler } = await cenario(t, (operacao) =>
    recusa && operacao === 'GET /pix' ? { status: 400 } : {},
  );
  await p.fatura();
  await p.acompanhar();
  const [cobranca] = await p.cobrancas();
  const { endToEndId } = p.psp.pagar(cobranca.txid)!;
  // Listed late, when the days of the payment had been read.
  relogio.avancar(3 * 86_400_000);
  recusa = true;
  await ler({ lido_ate: '2026-11-23 15:00:00.000', relido_em: '2026-11-22 15:00:00.000', parada_ate: null });
  recusa = false;
  relogio.avancar(3_600_000);
  await ler({ parada_ate: null });
  const recebidos = await api.dono('pix_recebidos').where('provedor_id', p.provedor);
  t.deepEqual(
    recebidos.map(({ end_to_end_id: id }) => id),
    [endToEndId],
  );
});

test.serial('a lista que não diz quantas páginas tem é lida até o fim', async (t) => {
  const todos = Array.from({ length: 130 }, (_, n) => ({
    endToEndId: `E${String(n).padStart(31, '0')}`,
    valor: '5.00',
    horario: AGORA,
  }));
  let pedidas = 0;
  const { api, p, ler } = await cenario(t, (operacao) =>
    operacao === 'GET /pix' ? { mentira: { pix: todos.slice(100 * pedidas, 100 * (pedidas += 1)) } } : {},
  );
  await ler();
  t.is(pedidas, 2);
  t.is((await api.dono('pix_recebidos').where('provedor_id', p.provedor)).length, 130);
});

test.serial('a lista que vem toda de uma vez, do PSP que não a divide, está lida', async (t) => {
  const todos = Array.from({ length: 130 }, (_, n) => ({
    endToEndId: `E${String(n).padStart(31, '0')}`,
    valor: '5.00',
    horario: AGORA,
  }));
  const { api, p, ler, convenio } = await cenario(t, (operacao) =>
    operacao === 'GET /pix' ? { mentira: { pix: todos } } : {},
  );
  await ler();
  const { codigo, falhas } = await convenio().first();
  t.deepEqual([codigo, falhas], [null, 0]);
  t.is((await api.dono('pix_recebidos').where('provedor_id', p.provedor)).length, 130);
});

test.serial('o que falha ao mesmo tempo conta uma vez: por minutos sem PSP a equipe não é chamada', async (t) => {
  const { api, relogio, p, ler, convenio } = await cenario(t, () => ({ status: 403 }));
  for (let n = 0; n < 12; n += 1) await p.fatura();
  await p.acompanhar();
  const inicio = relogio.agora().getTime();
  for (let n = 0; n < 4; n += 1) {
    await api.dono('psp_cobrancas').where('provedor_id', p.provedor).update({ proxima_em: '2026-11-01 00:00:00.000' });
    await ler();
    const { parada_ate: parada } = await convenio().first();
    relogio.definir(`${String(parada).replace(' ', 'T')}Z`);
  }
  const { falhas } = await convenio().first();
  const minutos = (relogio.agora().getTime() - inicio) / 60_000;
  t.true(falhas <= 5, `${falhas} falhas`);
  t.true(minutos < 30, `${minutos} minutos`);
  t.deepEqual(await api.dono('notificacoes').where({ provedor_id: p.provedor, tipo: 'psp.parado' }), []);
});

test.serial('de um PSP que recusa tudo por horas a equipe sabe, uma vez por cada vez', async (t) => {
  let recusa = true;
  const { api, relogio, p, ler, convenio } = await cenario(t, () => (recusa ? { status: 403 } : {}));
  const inicio = relogio.agora().getTime();
  const avisos = async () => api.dono('notificacoes').where({ provedor_id: p.provedor, tipo: 'psp.parado' });
  for (let n = 0; n < 14; n += 1) {
    await ler();
    const { parada_ate: parada } = await convenio().first();
    relogio.definir(`${String(parada).replace(' ', 'T')}Z`);
    const horas = (relogio.agora().getTime() - inicio) / 3_600_000;
    if (horas < 1) t.is((await avisos()).length, 0);
    if (horas > 5) t.is((await avisos()).length, 1);
  }
  recusa = false;
  await ler();
  t.is((await convenio().first()).falhas, 0);
  t.is((await avisos()).length, 1);
});

test.serial(
  'uma devolução pedida vai ao PSP uma vez, com respostas que se perdem, e conta quando ele a faz',
  async (t) => {
    let perdido: string | null = null;
    const { p, pago, pedirDevolucao, devolver } = await cenario(t, (operacao) =>
      operacao.startsWith(`${perdido} `) && operacao.includes('devolucao') ? { perder: 'depois' } : {},
    );
    const { endToEndId, recebido } = await pago();
    const { id: pix, fatura_id } = await recebido();
    const id = await pedirDevolucao(pix, { valor: '99.90', fatura_id });
    perdido = 'GET';
    t.is(await devolver(id), 'pedida');
    perdido = 'PUT';
    t.is(await devolver(id), 'enviada');
    perdido = null;
    t.is(await devolver(id), 'enviada');
    t.is(await devolver(id), 'enviada');
    p.psp.liquidar();
    t.is(await devolver(id), 'devolvida');
    await devolver(id);
    t.is(p.psp.pix.get(endToEndId)?.devolucoes?.length, 1);
    t.is((await recebido()).devolvido, '99.90');
  },
);

test.serial('o segredo guardado não vai a outro endereço sem que alguém o diga de novo', async (t) => {
  const { api, p } = await cenario(t);
  const outro = { token_url: p.psp.tokenUrl.replace('127.0.0.1', 'localhost').replace(/:\d+\//, ':44444/') };
  const mudar = async (dados: object): Promise<number> =>
    api.container.psp.configurar(TERMINAL, p.provedor, p.cobrador, dados);
  await t.throwsAsync(mudar(outro), { message: /client_secret: informe de novo/ });
  await t.notThrowsAsync(mudar({ ...outro, client_secret: 'segredo-novo' }));
  await t.notThrowsAsync(mudar({ validade_dias: 30 }));
});

test.serial('o PSP que não responde, e as devoluções de que nenhum sabe, não param as outras', async (t) => {
  const { api, p, pago, pedirDevolucao, devolver } = await cenario(t);
  const { recebido } = await pago();
  const [velho = 0] = await api.dono('cobradores').insert({ provedor_id: p.provedor, nome: 'PSP de antes' });
  // The one that is asked first is gone.
  const antes = {
    adaptador: 'outro',
    base: 'https://127.0.0.1:59999/',
    token_url: 'https://127.0.0.1:59999/token',
    chave: CHAVE,
  };
  const convenio = await api.container.psp.configurar(TERMINAL, p.provedor, velho, { ...antes, client_id: 'x' });
  await api.dono('psp_convenios').where('id', convenio).update({ id: 1_000_000 });
  await api.dono('psp_cobrancas').where('provedor_id', p.provedor).delete();
  await api.dono('psp_convenios').where('provedor_id', p.provedor).whereNot('id', 1_000_000).update({ id: 2_000_000 });

  for (let n = 0; n < 20; n += 1) {
    const [pix = 0] = await api.dono('pix_recebidos').insert({
      provedor_id: p.provedor,
      end_to_end_id: `E00000000202611201200alheio${String(n).padStart(5, '0')}`,
      valor: '5.00',
      pago_em: '2026-11-20 12:00:00.000',
      criado_em: '2026-11-20 12:00:00.000',
    });
    await pedirDevolucao(pix);
  }
  t.is(await devolver(await pedirDevolucao((await recebido()).id)), 'enviada');
});

test.serial('o código de antes volta a muitas faturas em tantos comandos como a uma', async (t) => {
  const { api, p } = await cenario(t);
  const antes = (n: number): string => `ANTES${String(n).padStart(20, '0')}`;
  const ids: number[] = [];
  for (let n = 0; n < 8; n += 1) ids.push(await p.fatura({ pix_txid: antes(n), tipo: 'pix' }));
  await p.acompanhar();
  const comandos = async (quais: readonly number[]): Promise<number> => {
    await api.dono('faturas').whereIn('id', quais).update({ valor_pago: '10.00' });
    let quantos = 0;
    const ouvir = ({ sql }: { sql: string }): void => void (quantos += /^update .?faturas/i.test(sql.trim()) ? 1 : 0);
    api.container.db.on('query', ouvir);
    await p.pedir();
    api.container.db.off('query', ouvir);
    return quantos;
  };
  const deUma = await comandos(ids.slice(0, 1));
  t.true(deUma > 0);
  t.is(await comandos(ids.slice(1)), deUma);
  for (const [n, id] of ids.entries()) {
    const { pix_txid, pix_copia_cola } = await p.linha(id);
    t.deepEqual([pix_txid, pix_copia_cola], [antes(n), null]);
  }
});
