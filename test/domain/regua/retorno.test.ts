import { gzipSync } from 'node:zlib';
import { randomBytes } from 'node:crypto';
import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { DIA, cenarios, ir, relogio } from './apoio.ts';

let api: Api;
let cenario: ReturnType<typeof cenarios>;

test.before(async () => {
  api = await criarApi({ relogio });
  cenario = cenarios(api);
});
test.after.always(async () => api.fechar());

/** A provider with an agreement, of which a file came on the day before the last business day before the 17th. */
async function comConvenio(regras: object = {}) {
  const c = await cenario(regras);
  const escritor = createTenantWriter(api.dono, c.id);
  const insert = async (tabela: string, linha: object): Promise<number> => escritor.insert(tabela, linha);
  const conta = await insert('cobradores', { nome: 'Banco', padrao: 0 });
  const convenio = await insert('convenios_bancarios', {
    cobrador_id: conta,
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
  /** A file that came on a day, dated by it unless told otherwise. */
  async function retorno(dia: string, concluido: boolean, linha: object = {}): Promise<number> {
    const id = await insert('retornos', {
      convenio_id: convenio,
      nome: 'cobranca.ret',
      sha256: randomBytes(32),
      gravado_em: dia,
      linhas: 0,
      partes: 1,
      feitas: concluido ? 1 : 0,
      contas: '{}',
      recebido_em: `${dia} 11:00:00.000`,
      concluido_em: concluido ? `${dia} 11:00:00.000` : null,
      ...linha,
    });
    await insert('retornos_partes', { retorno_id: id, ordem: 0, conteudo: gzipSync('[]') });
    return id;
  }
  const boleto = async (fatura: number, situacao: string): Promise<number> =>
    insert('boletos', {
      fatura_id: fatura,
      convenio_id: convenio,
      numero: String(fatura),
      situacao,
      valor: '99.90',
      vencimento: '2027-02-10',
      criado_em: '2027-02-01 12:00:00.000',
    });
  /** Somebody in debt, told on the first day. */
  async function devedor(situacao: string | null) {
    const { contrato, dever } = await c.devedor();
    const fatura = await dever('2027-02-10');
    if (situacao !== null) await boleto(fatura, situacao);
    return contrato;
  }
  const aplicar = async (id: number): Promise<void> =>
    api.container.arquivosDeRetorno.processar(TERMINAL, c.id, id, { signal: new AbortController().signal });
  return { ...c, retorno, devedor, aplicar };
}

test.serial('quem tem boleto registrado não é bloqueado antes do retorno do último dia útil', async (t) => {
  const c = await comConvenio();
  await c.retorno(DIA(14), true);
  const [registrado, semBoleto] = [await c.devedor('registrado'), await c.devedor(null)];
  await c.rodar(DIA(1));
  await c.rodar(DIA(16));
  t.deepEqual([await c.situacao(registrado), await c.situacao(semBoleto)], ['ativo', 'bloqueado']);
  t.deepEqual(await c.ler(async ({ regua }) => regua.semRetorno()), ['Sicoob']);

  const id = await c.retorno(DIA(16), false);
  const pendente = async () =>
    (await api.container.tarefas.pendentes()).some((p) => p.tarefa === 'regua.aplicar' && p.provedorId === c.id);
  ir(DIA(16), 14);
  t.false(await pendente(), 'o dia acabou, e não se anda em vão');
  await c.aplicar(id);
  t.deepEqual(await c.ler(async ({ regua }) => regua.semRetorno()), []);
  t.true(await pendente(), 'aplicado o retorno, a régua do dia continua');
  await c.rodar(DIA(16), 15);
  t.is(await c.situacao(registrado), 'bloqueado');
});

test.serial('enquanto um retorno se aplica, nenhuma fatura do convênio dele bloqueia', async (t) => {
  const c = await comConvenio();
  await c.retorno(DIA(16), false);
  const [registrado, baixado, semBoleto] = [
    await c.devedor('registrado'),
    await c.devedor('baixado'),
    await c.devedor(null),
  ];
  await c.rodar(DIA(1));
  await c.rodar(DIA(16));
  t.deepEqual(
    [await c.situacao(registrado), await c.situacao(baixado), await c.situacao(semBoleto)],
    ['ativo', 'ativo', 'bloqueado'],
  );
});

test.serial(
  'o convênio de que há dez dias não vem retorno não segura ninguém, e a previsão conta com ele',
  async (t) => {
    const c = await comConvenio();
    await c.retorno(DIA(5), true);
    const registrado = await c.devedor('registrado');
    await c.rodar(DIA(1));
    ir(DIA(15), 13);
    const { previstos } = await c.ler(async ({ regua }) => regua.previsao());
    t.deepEqual(
      previstos.map(({ espera }) => espera),
      [null],
    );
    await c.rodar(DIA(16));
    t.is(await c.situacao(registrado), 'bloqueado');
  },
);

test.serial('o retorno do dia anterior que chega tarde, datado do último dia útil, não é o dele', async (t) => {
  // The 17th is a Wednesday: the file of Tuesday's payments, dated by it, is uploaded on Thursday.
  for (const [pago_ate, situacao] of [
    [DIA(15), 'ativo'],
    // Of a bank that sends empty files, it cannot be told.
    [null, 'ativo'],
    [DIA(16), 'bloqueado'],
  ] as const) {
    const c = await comConvenio();
    await c.retorno(DIA(15), true, { pago_ate: DIA(14) });
    const contrato = await c.devedor('registrado');
    await c.rodar(DIA(2));
    await c.retorno(DIA(17), true, { gravado_em: DIA(16), pago_ate });
    await c.rodar(DIA(17));
    t.is(await c.situacao(contrato), situacao, `pago até ${pago_ate}`);
    t.deepEqual(await c.ler(async ({ regua }) => regua.semRetorno()), situacao === 'ativo' ? ['Sicoob'] : []);
    // Wednesday's, which its bank dates by the day after.
    const id = await c.retorno(DIA(17), false);
    ir(DIA(17), 14);
    await c.aplicar(id);
    await c.rodar(DIA(17), 15);
    t.is(await c.situacao(contrato), 'bloqueado');
  }
});

test.serial('o retorno que vem na noite do próprio dia útil, com pagamentos dele, é o dele', async (t) => {
  for (const [recebido_em, situacao] of [
    [`${DIA(17)} 00:30:00.000`, 'bloqueado'],
    // At half past nine of that morning the day had hardly begun.
    [`${DIA(16)} 12:30:00.000`, 'ativo'],
  ] as const) {
    const c = await comConvenio();
    await c.retorno(DIA(15), true, { pago_ate: DIA(14) });
    const contrato = await c.devedor('registrado');
    await c.rodar(DIA(2));
    await c.retorno(DIA(16), true, { pago_ate: DIA(16), recebido_em });
    await c.rodar(DIA(17));
    t.is(await c.situacao(contrato), situacao, recebido_em);
  }
});

test.serial('o banco cujos arquivos nunca dizem de que dia são segura por cinco dias, e não para sempre', async (t) => {
  const c = await comConvenio();
  const contrato = await c.devedor('registrado');
  await c.rodar(DIA(1));
  const situacoes: string[] = [];
  // From a Wednesday on: each morning an empty file, dated by the business day before.
  for (const [veio, datado] of [
    [16, 15],
    [17, 16],
    [18, 17],
    [21, 18],
    [22, 21],
  ] as const) {
    await c.retorno(DIA(veio), true, { gravado_em: DIA(datado) });
    await c.rodar(DIA(veio));
    situacoes.push(await c.situacao(contrato));
  }
  t.deepEqual(situacoes, ['ativo', 'ativo', 'ativo', 'ativo', 'bloqueado']);
});

test.serial('até que dia o arquivo conta pagamentos é o que as linhas dele dizem', async (t) => {
  const c = await comConvenio();
  const linha = (n: number, classe: string, pagoEm: string) => ({
    linha: n,
    vez: 1,
    movimento: '06',
    texto: '',
    classe,
    nossoNumero: String(n),
    usoEmpresa: '',
    numeroDocumento: '',
    vencimento: null,
    valorTitulo: 9990,
    valorPago: classe === 'liquidado' ? 9990 : 0,
    tarifa: 0,
    pagoEm,
    creditadoEm: null,
    motivos: [],
    pix: null,
  });
  // No payment is newer than its file, and a registration is none.
  const linhas = [
    linha(1, 'liquidado', DIA(14)),
    linha(2, 'liquidado', DIA(16)),
    linha(3, 'liquidado', DIA(15)),
    linha(4, 'liquidado', DIA(20)),
    linha(5, 'registrado', DIA(17)),
  ];
  const id = await c.retorno(DIA(17), false);
  await api
    .dono('retornos_partes')
    .where({ retorno_id: id })
    .update({ conteudo: gzipSync(JSON.stringify(linhas)) });
  ir(DIA(17), 14);
  await c.aplicar(id);
  t.deepEqual(await api.dono('retornos').where({ id }).pluck('pago_ate'), [DIA(16)]);
});

test.serial('ninguém é rescindido antes do retorno do último dia útil, e depois dele o dia continua', async (t) => {
  const c = await comConvenio({ rescinde: true });
  const [registrado, semBoleto] = [await c.devedor('registrado'), await c.devedor(null)];
  await c.rodar(DIA(1));
  // Silent for ten days, the agreement holds nobody back: both are blocked, and told.
  for (const dia of [16, 46]) await c.rodar(DIA(dia));
  t.is(await c.situacao(registrado), 'bloqueado');
  await c.retorno(DIA(73), true);
  await c.rodar(DIA(77));
  t.deepEqual([await c.situacao(registrado), await c.situacao(semBoleto)], ['bloqueado', 'cancelado']);

  const id = await c.retorno(DIA(77), false);
  ir(DIA(77), 14);
  await c.aplicar(id);
  const pendentes = await api.container.tarefas.pendentes();
  t.true(pendentes.some((p) => p.tarefa === 'regua.aplicar' && p.provedorId === c.id));
  await c.rodar(DIA(77), 15);
  t.is(await c.situacao(registrado), 'cancelado');
});
