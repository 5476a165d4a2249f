import { randomBytes } from 'node:crypto';
import test from 'ava';
import { centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { atorDoReceptor } from '../../../src/domain/actor.ts';
import { createEncerramentoService } from '../../../src/domain/desbloqueios/encerramento.service.ts';
import { createRecebimentosService } from '../../../src/domain/recebimentos/recebimentos.service.ts';
import { createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import { AUTOR, vindoDe } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

// Friday noon in São Paulo.
const AGORA = '2026-11-20T15:00:00.000Z';
const FIM = '2026-11-24T02:59:59.999Z';
const DEPOIS = '2026-11-24T03:00:00.000Z';
const BLOQUEADO = { situacao: 'bloqueado', bloqueio_origem: 'financeiro', bloqueado_em: '2026-11-15 03:00:00.000' };

const relogio = relogioEm(AGORA);
let api: Api;
let fabrica: Fabrica;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
  fabrica = criarFabrica(api.dono);
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

type Linha = Record<string, unknown>;
type Rastros = Record<'desbloqueios' | 'historico' | 'auditoria' | 'eventos' | 'rede', any[]>;

const servicos = () =>
  api.containers.map(({ db, write, provedores }) => createEncerramentoService({ db, write, provedores, relogio }));

/** The job, in one of the processes. */
async function encerrar(processo = 0): Promise<void> {
  const servico = servicos()[processo]!;
  for (const provedor of await servico.provedores()) await servico.encerrar(AUTOR, provedor);
}

/** A provider with a contract that a trust unblock has just released, and the overdue invoice that caused it. */
async function cenario({
  fatura = {},
  contratos = 1,
  provedor = {},
}: { fatura?: Linha | null; contratos?: number; provedor?: Linha } = {}) {
  const provedorId = await fabrica.provedor(provedor, { desbloqueio_habilitado: 1, desbloqueio_dias: 3 });
  const plano_id = await fabrica.plano(provedorId);
  const cliente_id = await fabrica.cliente(provedorId);
  const { texto: chave } = await api.criarChave(provedorId, { nome: 'chatbot' });
  const ids: number[] = [];
  for (let n = 0; n < contratos; n++) {
    const contrato_id = await fabrica.contrato(provedorId, { cliente_id, plano_id, ...BLOQUEADO });
    if (fatura !== null) {
      await fabrica.fatura(provedorId, { cliente_id, contrato_id, vencimento: '2026-11-10', ...fatura });
    }
    const { status } = await api.pedir('POST', `/contratos/${contrato_id}/desbloqueio-confianca`, { chave });
    if (status !== 201) throw new Error(String(status));
    ids.push(contrato_id);
  }
  return { provedor: provedorId, cliente: cliente_id, plano: plano_id, contrato: ids[0]!, contratos: ids, chave };
}
type Cenario = Awaited<ReturnType<typeof cenario>>;

const ler = async ({ contrato, chave }: Pick<Cenario, 'contrato' | 'chave'>, processo = 0): Promise<any> =>
  (await api.get(`/contratos/${contrato}`, { chave, processo })).corpo.dados;

/** What was written after the unblock itself. */
async function rastros({ provedor, contrato }: Pick<Cenario, 'provedor' | 'contrato'>): Promise<Rastros> {
  const { db } = api.container;
  const onde = { provedor_id: provedor };
  return {
    desbloqueios: await db('desbloqueios_confianca').where({ ...onde, contrato_id: contrato }),
    historico: (
      await db('contratos_historico')
        .where({ ...onde, contrato_id: contrato })
        .orderBy('id')
    ).slice(1),
    auditoria: (
      await db('auditoria')
        .where({ ...onde, recurso: 'contrato', recurso_id: contrato })
        .orderBy('id')
    ).slice(1),
    eventos: (
      await db('eventos')
        .where({ ...onde, recurso_id: contrato })
        .where('tipo', 'like', 'contrato.%')
        .orderBy('id')
    ).slice(1),
    rede: (
      await db('rede_pedidos')
        .where({ ...onde, contrato_id: contrato })
        .orderBy('id')
    ).slice(1),
  };
}

test.serial('quando passa o ate, quem deve volta a bloqueado, em todo processo, com um rastro de cada', async (t) => {
  const c = await cenario();
  relogio.definir(FIM);
  await encerrar();
  t.is((await ler(c, 1)).situacao, 'ativo');
  relogio.definir(DEPOIS);
  await encerrar();
  for (const processo of [0, 1]) {
    t.like(await ler(c, processo), {
      situacao: 'bloqueado',
      bloqueado_em: DEPOIS,
      desbloqueio_confianca: { ativo: false, ate: null },
    });
  }
  const { desbloqueios, historico, auditoria, eventos, rede } = await rastros(c);
  t.like(desbloqueios, [{ encerrado_em: '2026-11-24 02:59:59.999' }]);
  t.like(historico, [{ acao: 'bloqueio', autor: 'tarefa', ocorrido_em: '2026-11-24 03:00:00.000' }]);
  t.like(auditoria, [{ acao: 'contrato.bloqueado', autor: 'tarefa', chave_id: null, ip: null }]);
  t.like(eventos, [{ tipo: 'contrato.bloqueado' }]);
  t.like(rede, [{ acao: 'bloquear', aplicado_em: null }]);
  const [contrato] = await api.container.db('contratos').where({ id: c.contrato });
  t.is(contrato.bloqueio_origem, 'financeiro');
  // Nothing more the next minute.
  relogio.avancar(60_000);
  await encerrar(1);
  t.deepEqual(await rastros(c), { desbloqueios, historico, auditoria, eventos, rede });
});

test.serial('depois de bloqueado de novo, quem pagou a causa pode pedir outro', async (t) => {
  const c = await cenario();
  relogio.definir(DEPOIS);
  await encerrar();
  const pedir = async () =>
    (await api.pedir('POST', `/contratos/${c.contrato}/desbloqueio-confianca`, { chave: c.chave })).status;
  t.is(await pedir(), 422);
  await api.container.db('faturas').where({ contrato_id: c.contrato }).update({ situacao: 'paga' });
  t.is(await pedir(), 201);
});

for (const situacao of ['paga', 'cancelada', 'estornada', 'processando']) {
  test.serial(`quem não deve mais nada (fatura ${situacao}) fica ativo, e o desbloqueio se encerra`, async (t) => {
    const c = await cenario();
    await api.container.db('faturas').where({ contrato_id: c.contrato }).update({ situacao });
    relogio.definir(DEPOIS);
    await encerrar();
    t.like(await ler(c), { situacao: 'ativo', bloqueado_em: null });
    const { desbloqueios, historico, auditoria, eventos, rede } = await rastros(c);
    t.like(desbloqueios, [{ encerrado_em: '2026-11-24 02:59:59.999' }]);
    t.like(historico, [{ acao: 'fim_do_desbloqueio' }]);
    t.like(
      [auditoria[0], eventos[0]],
      [{ acao: 'contrato.desbloqueio_encerrado' }, { tipo: 'contrato.desbloqueio_encerrado' }],
    );
    t.deepEqual(rede, []);
  });
}

test.serial('o que vence no dia do fim ainda não está vencido, pela data local do provedor', async (t) => {
  const { db } = api.container;
  // The unblock ends at the end of the 23rd; midnight has come in São Paulo, and not in Acre.
  for (const [fuso_horario, vencimento, situacao] of [
    ['America/Sao_Paulo', '2026-11-24', 'ativo'],
    ['America/Sao_Paulo', '2026-11-23', 'bloqueado'],
    ['America/Rio_Branco', '2026-11-24', 'ativo'],
    ['America/Rio_Branco', '2026-11-23', 'bloqueado'],
  ] as const) {
    const c = await cenario({ provedor: { fuso_horario } });
    await db('faturas').where({ contrato_id: c.contrato }).update({ vencimento });
    relogio.definir('2026-11-24T05:00:00.000Z');
    await encerrar();
    t.is((await ler(c)).situacao, situacao, `${fuso_horario} ${vencimento}`);
    relogio.definir(AGORA);
  }
});

test.serial('o que vence no sábado não bloqueia no domingo nem na segunda, e bloqueia na terça', async (t) => {
  const { db } = api.container;
  for (const [dia, situacao] of [
    ['2026-11-22', 'ativo'],
    ['2026-11-23', 'ativo'],
    ['2026-11-24', 'bloqueado'],
  ] as const) {
    const c = await cenario();
    await db('faturas').where({ contrato_id: c.contrato }).update({ vencimento: '2026-11-21' });
    await db('desbloqueios_confianca').where({ contrato_id: c.contrato }).update({ ate: '2026-11-22 02:59:59.999' });
    relogio.definir(`${dia}T15:00:00.000Z`);
    t.is((await api.get(`/faturas?contrato_id=${c.contrato}`, { chave: c.chave })).corpo.dados[0].situacao, 'vencida');
    await encerrar();
    t.is((await ler(c)).situacao, situacao, dia);
    const { historico } = await rastros(c);
    t.like(historico, [{ acao: situacao === 'ativo' ? 'fim_do_desbloqueio' : 'bloqueio' }]);
    relogio.definir(AGORA);
  }
});

test.serial('a carência é só dos encargos: quem está em atraso dentro dela volta a bloqueado', async (t) => {
  const c = await cenario();
  await api.container.db('regras_cobranca').where({ provedor_id: c.provedor }).update({ carencia_dias: 30 });
  relogio.definir(DEPOIS);
  await encerrar();
  t.is((await ler(c)).situacao, 'bloqueado');
});

test.serial('os feriados do estado e do provedor contam para o fim do desbloqueio', async (t) => {
  const { db } = api.container;
  for (const [uf, feriado, situacao] of [
    ['AM', null, 'bloqueado'],
    ['AM', '11-23', 'ativo'],
    [null, '2026-11-23', 'ativo'],
  ] as const) {
    const c = await cenario();
    await db('provedores_identidade').insert({ provedor_id: c.provedor, uf });
    if (feriado !== null)
      await db('provedores_feriados').insert({ provedor_id: c.provedor, dia: feriado, nome: 'Aniversário' });
    await db('faturas').where({ contrato_id: c.contrato }).update({ vencimento: '2026-11-23' });
    relogio.definir(DEPOIS);
    await encerrar();
    t.is((await ler(c)).situacao, situacao, `${uf} ${feriado}`);
    relogio.definir(AGORA);
  }
});

test.serial(
  'contam a fatura avulsa do cliente, e as do cliente para quem não tem nenhuma sua; as de outro contrato não',
  async (t) => {
    const db = api.dono;
    const casos: [string, (c: Cenario) => Promise<unknown>, string][] = [
      [
        'avulsa vencida',
        (c) => fabrica.fatura(c.provedor, { cliente_id: c.cliente, vencimento: '2026-11-20' }),
        'bloqueado',
      ],
      [
        'avulsa por vencer',
        (c) => fabrica.fatura(c.provedor, { cliente_id: c.cliente, vencimento: '2026-11-24' }),
        'ativo',
      ],
      ['de outro contrato', async (c) => outroContratoVencido(c), 'ativo'],
      [
        'de outro contrato, e nenhuma sua',
        async (c) => {
          await outroContratoVencido(c);
          await db('desbloqueios_confianca').where({ contrato_id: c.contrato }).update({ fatura_causa_id: null });
          await db('faturas').where({ contrato_id: c.contrato }).delete();
        },
        'bloqueado',
      ],
    ];
    for (const [nome, preparar, situacao] of casos) {
      const c = await cenario({ fatura: { vencimento: '2026-11-10' } });
      await db('faturas').where({ contrato_id: c.contrato }).update({ situacao: 'paga' });
      await preparar(c);
      relogio.definir(DEPOIS);
      await encerrar();
      t.is((await ler(c)).situacao, situacao, nome);
      relogio.definir(AGORA);
    }
  },
);

async function outroContratoVencido(c: Cenario): Promise<void> {
  const contrato_id = await fabrica.contrato(c.provedor, { cliente_id: c.cliente, plano_id: c.plano });
  await fabrica.fatura(c.provedor, { cliente_id: c.cliente, contrato_id, vencimento: '2026-11-10' });
}

for (const [nome, mudanca] of Object.entries({
  'foi cancelado': { situacao: 'cancelado' },
  'foi cancelado de vez': { situacao: 'cancelado_definitivo' },
  'foi bloqueado à mão': { situacao: 'bloqueado', bloqueio_origem: 'manual', bloqueado_em: '2026-11-22 12:00:00.000' },
  'já foi bloqueado': { situacao: 'bloqueado', bloqueio_origem: 'financeiro', bloqueado_em: '2026-11-22 12:00:00.000' },
  'está inativo': { situacao: 'inativo' },
})) {
  test.serial(`o contrato que ${nome} enquanto isso fica como está, e o desbloqueio se encerra`, async (t) => {
    const c = await cenario();
    const { db } = api.container;
    await db('contratos').where({ id: c.contrato }).update(mudanca);
    relogio.definir(DEPOIS);
    await encerrar();
    t.like((await db('contratos').where({ id: c.contrato }))[0], mudanca);
    const { desbloqueios, historico, rede } = await rastros(c);
    t.like(desbloqueios, [{ encerrado_em: '2026-11-24 02:59:59.999' }]);
    t.deepEqual([historico, rede], [[], []]);
  });
}

test.serial('quarenta ao mesmo tempo, em dois processos: cada contrato uma vez', async (t) => {
  const c = await cenario({ contratos: 12 });
  relogio.definir(DEPOIS);
  const [um, dois] = servicos();
  await Promise.all(
    Array.from({ length: 40 }, async (_, n) => (n % 2 === 0 ? um : dois)!.encerrar(AUTOR, c.provedor, 5)),
  );
  while ((await um!.provedores()).includes(c.provedor)) await um!.encerrar(AUTOR, c.provedor);
  for (const contrato of c.contratos) {
    const { desbloqueios, historico, auditoria, eventos, rede } = await rastros({ ...c, contrato });
    t.deepEqual(
      [desbloqueios, historico, auditoria, eventos, rede].map((linhas) => linhas.length),
      [1, 1, 1, 1, 1],
    );
  }
});

test.serial(
  'enquanto um pagamento está sendo gravado ninguém é bloqueado, e quem acabou de pagar não é depois',
  async (t) => {
    const c = await cenario({ fatura: null });
    const fatura = await fabrica.fatura(c.provedor, { cliente_id: c.cliente, vencimento: '2026-11-10' });
    relogio.definir(DEPOIS);
    const trx = await api.container.db.transaction();
    t.teardown(async () => {
      if (!trx.isCompleted()) await trx.rollback();
    });
    // InnoDB shares the lock of the client, too, when the state of an invoice changes: the job leaves the client for later.
    await trx('faturas').where({ id: fatura }).update({ situacao: 'paga' });
    await encerrar();
    t.is((await ler(c)).situacao, 'ativo');
    t.is((await rastros(c)).desbloqueios[0].encerrado_em, null);
    await trx.commit();
    await encerrar();
    t.is((await ler(c)).situacao, 'ativo');
    t.is((await rastros(c)).desbloqueios[0].encerrado_em, '2026-11-24 02:59:59.999');
  },
);

test.serial('o fim que vem entre as travas de um pagamento não deixa bloqueado quem pagou', async (t) => {
  const c = await cenario({ fatura: null });
  await fabrica.fatura(c.provedor, { cliente_id: c.cliente, vencimento: '2026-11-10', valor: '10.00', pix_txid: 'T1' });
  relogio.definir(DEPOIS);
  const { write, provedores } = api.container;
  let encerrado: Promise<void> | undefined;
  const recebimentos = createRecebimentosService({
    relogio,
    write: async (actor, provedorId, trabalho) =>
      write(actor, provedorId, async (w) =>
        trabalho({
          ...w,
          from(tabela) {
            const query = w.from(tabela);
            if (tabela !== 'faturas' || encerrado !== undefined) return query;
            encerrado = encerrar(1);
            const depois = query.then.bind(query);
            return Object.assign(query, {
              // oxlint-disable-next-line unicorn/no-thenable -- a query is sent when it is awaited
              then: async (...como: Parameters<typeof depois>) => encerrado!.then(async () => depois(...como)),
            });
          },
        }),
      ),
  });
  const pix = { endToEndId: `E${'1'.repeat(31)}`, txid: 'T1', valor: centavos(2000), horario: new Date(DEPOIS) };
  const receptor = atorDoReceptor({ id: 1, nome: 'banco' }, vindoDe('127.0.0.1'));
  const provedor = (await provedores.buscarPorId(c.provedor))!;
  t.is(await recebimentos.registrar(receptor, provedor, { ...pix, devolucoes: [] }), 'quitada');
  t.not(encerrado, undefined);
  await encerrar();
  t.is((await ler(c)).situacao, 'ativo');
  t.is((await rastros(c)).desbloqueios[0].encerrado_em, '2026-11-24 02:59:59.999');
});

test.serial('o contrato que outro segura fica para depois, sem fazer os demais esperarem', async (t) => {
  const c = await cenario({ contratos: 2 });
  relogio.definir(DEPOIS);
  const trx = await api.container.db.transaction();
  t.teardown(async () => {
    if (!trx.isCompleted()) await trx.rollback();
  });
  await trx('contratos').where({ id: c.contrato }).forUpdate().select('id');
  await encerrar();
  await trx.rollback();
  t.is((await ler(c)).situacao, 'ativo');
  t.is((await ler({ ...c, contrato: c.contratos[1]! })).situacao, 'bloqueado');
  await encerrar();
  t.is((await ler(c)).situacao, 'bloqueado');
});

test.serial('o número de comandos não depende de quantos são', async (t) => {
  const contar = async (contratos: number): Promise<number> => {
    relogio.definir(AGORA);
    const c = await cenario({ contratos });
    relogio.definir(DEPOIS);
    let comandos = 0;
    const somar = (): void => void (comandos += 1);
    api.container.db.on('query', somar);
    await servicos()[0]!.encerrar(AUTOR, c.provedor);
    api.container.db.off('query', somar);
    return comandos;
  };
  const poucos = await contar(2);
  t.is(await contar(40), poucos);
  t.true(poucos <= 27, String(poucos));
});

test.serial(
  'com régua, o fim do desbloqueio bloqueia pelo que causou o bloqueio, e não pelo que veio depois',
  async (t) => {
    for (const paga of [true, false]) {
      const c = await cenario();
      await api.dono('reguas').insert({
        provedor_id: c.provedor,
        ativa_desde: '2026-11-01',
        hora: 9,
        no_vencimento: 1,
        aviso_dias: 1,
        bloqueio_dias: 15,
        rescisao_dias: 60,
        rescinde: 0,
        vesperas: 0,
        sem_entrega: 0,
        minimo: '10.00',
        atualizado_em: '2026-11-01 12:00:00.000',
      });
      const causa = api.dono('faturas').where({ provedor_id: c.provedor });
      await causa.update({ situacao: paga ? 'paga' : 'vencida' });
      const { cliente: cliente_id, contrato: contrato_id } = c;
      await fabrica.fatura(c.provedor, { cliente_id, contrato_id, vencimento: '2026-11-20', situacao: 'vencida' });
      relogio.definir(DEPOIS);
      await encerrar();
      t.is((await ler(c)).situacao, paga ? 'ativo' : 'bloqueado');
      relogio.definir(AGORA);
    }
  },
);

/** A registered boleto of each of some contracts' invoices, and an agreement of which a file came on the Friday. */
async function comBoletos(c: Cenario, contratos: readonly number[]) {
  const escritor = createTenantWriter(api.dono, c.provedor);
  const insert = async (tabela: string, linha: object): Promise<number> => escritor.insert(tabela, linha);
  const cobrador_id = await insert('cobradores', { nome: 'Banco', padrao: 0 });
  const convenio_id = await insert('convenios_bancarios', {
    cobrador_id,
    nome: 'Sicoob',
    banco: '756',
    formato: '240',
    agencia: '3069',
    agencia_dv: '4',
    conta: '12345678',
    conta_dv: '9',
    carteira: '1',
    codigo: '828190',
  });
  const faturas = await api.dono('faturas').whereIn('contrato_id', contratos).pluck('id');
  for (const fatura_id of faturas) {
    await insert('boletos', {
      fatura_id,
      convenio_id,
      numero: String(fatura_id),
      situacao: 'registrado',
      valor: '99.90',
      vencimento: '2026-11-10',
      criado_em: '2026-11-01 12:00:00.000',
    });
  }
  /** A file that came and was applied at 11 in UTC of a day by which it is dated. */
  const retorno = async (dia: string): Promise<number> =>
    insert('retornos', {
      convenio_id,
      nome: 'cobranca.ret',
      sha256: randomBytes(32),
      gravado_em: dia,
      linhas: 0,
      partes: 0,
      contas: '{}',
      recebido_em: `${dia} 11:00:00.000`,
      concluido_em: `${dia} 11:00:00.000`,
    });
  await retorno('2026-11-20');
  return { retorno };
}

for (const paga of [false, true]) {
  test.serial(
    `quem tem boleto espera o retorno do último dia útil, ativo e sem desbloqueio em vigor (${paga ? 'pago' : 'não pago'})`,
    async (t) => {
      const c = await cenario();
      const { retorno } = await comBoletos(c, c.contratos);
      relogio.definir(DEPOIS);
      await encerrar();
      t.like(await ler(c, 1), { situacao: 'ativo', desbloqueio_confianca: { ativo: false, ate: null } });
      t.is((await rastros(c)).desbloqueios[0].encerrado_em, null);
      const outro = await api.pedir('POST', `/contratos/${c.contrato}/desbloqueio-confianca`, { chave: c.chave });
      t.deepEqual([outro.status, outro.corpo.erro?.codigo], [422, 'contrato_nao_bloqueado']);

      relogio.definir('2026-11-24T12:00:00.000Z');
      await retorno('2026-11-24');
      if (paga) await api.dono('faturas').where({ contrato_id: c.contrato }).update({ situacao: 'paga' });
      await encerrar();
      t.is((await ler(c, 1)).situacao, paga ? 'ativo' : 'bloqueado');
      t.is((await rastros(c)).desbloqueios[0].encerrado_em, '2026-11-24 02:59:59.999');
    },
  );
}

test.serial('quem espera um retorno não segura os outros, e o que não vem não se espera para sempre', async (t) => {
  const c = await cenario({ contratos: 3 });
  const [comBoleto, ultimo] = [c.contratos.slice(0, 2), c.contratos[2]!];
  await comBoletos(c, comBoleto);
  relogio.definir(DEPOIS);
  t.deepEqual(await servicos()[0]!.encerrar(AUTOR, c.provedor, 2), { mais: false });
  t.is((await ler({ ...c, contrato: ultimo })).situacao, 'bloqueado');
  for (const [quando, situacao] of [
    ['2026-11-28T12:00:00.000Z', 'ativo'],
    ['2026-11-29T03:00:00.000Z', 'bloqueado'],
  ] as const) {
    relogio.definir(quando);
    await encerrar();
    for (const contrato of comBoleto) t.is((await ler({ ...c, contrato })).situacao, situacao);
  }
});
