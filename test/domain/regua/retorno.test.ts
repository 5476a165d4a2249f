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
async function comConvenio() {
  const c = await cenario();
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
  async function retorno(dia: string, concluido: boolean): Promise<number> {
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
  return { ...c, retorno, devedor };
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
  const semParar = { signal: new AbortController().signal };
  await api.container.arquivosDeRetorno.processar(TERMINAL, c.id, id, semParar);
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
