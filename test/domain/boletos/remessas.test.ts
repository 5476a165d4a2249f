import { randomBytes } from 'node:crypto';
import test from 'ava';
import { createCnab } from '../../../src/domain/boletos/cnab.ts';
import { createRemessasDoDia } from '../../../src/domain/boletos/do-dia.ts';
import { lerData } from '../../../src/brazil/calendario/datas.ts';
import { createTenantDb } from '../../../src/platform/mysql/tenant.ts';
import { createThreads } from '../../../src/platform/threads/threads.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';
import { AGORA, HOJE, criarBanco } from './apoio.ts';
import { retornoDe } from './banco.ts';

// One after the other: the clock is everybody's.
const relogio = relogioEm(AGORA);
const threads = createThreads({ maxThreads: 1 });
let api: Api;
const { boletoDe, cena, faturaDe, faturar, gerar, mudar, receber, resposta } = criarBanco(() => api);

test.before(async () => {
  api = await criarApi({ relogio });
});
test.beforeEach(() => relogio.definir(AGORA));
test.after.always(async () => {
  await api.fechar();
  await threads.close();
});

/** Invoices of a client without an address, more than a file holds. */
async function semEndereco({ provedor, conta }: { provedor: number; conta: number }, quantas: number): Promise<void> {
  const cliente = await criarFabrica(api.dono).cliente(provedor);
  const uma = () => ({
    provedor_id: provedor,
    cliente_id: cliente,
    cobrador_id: conta,
    tipo: 'boleto',
    situacao: 'pendente',
    boleto_situacao: 'a_registrar',
    valor: '99.90',
    vencimento: '2026-12-10',
    emitida_em: '2026-11-01 09:00:00.000',
    token: randomBytes(16).toString('base64url'),
  });
  await api.dono.batchInsert('faturas', Array.from({ length: quantas }, uma), 1000);
}

test.serial('as que não podem ir não tomam o lugar das que podem, por mais que sejam', async (t) => {
  const c = await cena('756');
  await semEndereco(c, 5001);
  const boas = [await faturar(c), await faturar(c)];
  const previa = await mudar(c.provedor, async (_, { boletos }) => boletos.previa(c.convenio));
  t.deepEqual([previa.entradas, previa.recusadasAoTodo, previa.recusadas.length, previa.haMais], [2, 5001, 200, false]);
  const { entradas, recusadasAoTodo } = await gerar(c);
  t.deepEqual([entradas, recusadasAoTodo], [2, 5001]);
  for (const boa of boas) t.is((await faturaDe(boa)).boleto_situacao, 'enviado');
});

/** What the day's work makes of an agreement after its first file of the day. */
async function depoisDoPrimeiro({ provedor, convenio }: { readonly provedor: number; readonly convenio: number }) {
  const { db, provedores } = api.container;
  const cnab = createCnab(threads, threads);
  const trabalho = createRemessasDoDia({ relogio, cnab, provedorDe: async (id) => provedores.exigirPorId(id) });
  return trabalho.proximas(createTenantDb(db, provedor), lerData(HOJE)!, { convenioId: convenio, vez: 0 }, 1);
}

test.serial('pelas que não podem ir não se faz outro arquivo no mesmo dia', async (t) => {
  const c = await cena('756');
  await semEndereco(c, 1);
  t.deepEqual(await depoisDoPrimeiro(c), []);
  await faturar(c);
  t.deepEqual(await depoisDoPrimeiro(c), [{ convenioId: c.convenio, vez: 1 }]);
});

test.serial(
  'o que se pede ao banco faz outro arquivo no mesmo dia, também de um convênio que já não emite',
  async (t) => {
    const c = await cena('756');
    const fatura = await faturar(c);
    await gerar(c);
    await receber(c.provedor, retornoDe('756', [await resposta(fatura, { movimento: '02' })]));
    t.deepEqual(await depoisDoPrimeiro(c), []);
    await mudar(c.provedor, async ({ faturas }) => faturas.cancelar(fatura, { motivo: 'engano' }));
    t.deepEqual(await depoisDoPrimeiro(c), [{ convenioId: c.convenio, vez: 1 }]);
    await mudar(c.provedor, async ({ convenios }) => convenios.desativar(c.convenio));
    t.deepEqual(await depoisDoPrimeiro(c), [{ convenioId: c.convenio, vez: 1 }]);
    await gerar(c);
    t.deepEqual(await depoisDoPrimeiro(c), []);
  },
);

test.serial('o arquivo que o banco recusou inteiro se diz recusado, e o que era dele vai no próximo', async (t) => {
  const c = await cena('756');
  const [registrada, fatura] = [await faturar(c), await faturar(c)];
  await api.dono('faturas').where('id', fatura).update('boleto_situacao', null);
  await gerar(c);
  await receber(c.provedor, retornoDe('756', [await resposta(registrada, { movimento: '02' })]));
  await mudar(c.provedor, async ({ faturas }) => faturas.alterar(registrada, { vencimento: '2026-12-20' }));
  await api.dono('faturas').where('id', fatura).update('boleto_situacao', 'a_registrar');
  const { id, entradas, instrucoes } = await gerar(c);
  t.deepEqual([entradas, instrucoes], [1, 1]);
  const recusar = async () => mudar(c.provedor, async ({ remessas }) => remessas.recusadaPeloBanco(Number(id)));
  await t.throwsAsync(recusar(), { message: /ninguém baixou/ });

  await mudar(c.provedor, async ({ remessas }) => remessas.baixar(Number(id)));
  const semResposta = async () =>
    (await mudar(c.provedor, async (_, { boletos }) => boletos.semResposta())).map((remessa) => remessa.id);
  // The 1st is a Tuesday.
  relogio.definir('2026-12-03T15:00:00Z');
  t.deepEqual(await semResposta(), []);
  relogio.definir('2026-12-04T15:00:00Z');
  t.deepEqual(await semResposta(), [Number(id)]);

  await recusar();
  t.is((await faturaDe(fatura)).boleto_situacao, 'a_registrar');
  const dita = await mudar(c.provedor, async (_, { boletos }) => boletos.remessa(Number(id)));
  t.is(dita.situacao, 'recusada');
  t.deepEqual(await semResposta(), []);
  const velho = await boletoDe(fatura);
  const nova = await gerar(c);
  t.deepEqual([nova.entradas, nova.instrucoes], [1, 1]);
  t.not((await boletoDe(fatura)).numero, velho.numero);
  // If the bank had it after all: what is paid by it is its invoice's.
  const pago = { movimento: '06', numero: velho.numero, dv: velho.dv, pago: 9990, em: HOJE };
  await receber(c.provedor, retornoDe('756', [pago]));
  t.is((await faturaDe(fatura)).situacao, 'paga');
});

test.serial('o arquivo de que o banco já respondeu algo não se diz recusado', async (t) => {
  const c = await cena('756');
  const [respondida, outra] = [await faturar(c), await faturar(c)];
  const { id } = await gerar(c);
  await mudar(c.provedor, async ({ remessas }) => remessas.marcarEnviada(Number(id)));
  await receber(c.provedor, retornoDe('756', [await resposta(respondida, { movimento: '03', motivos: '46' })]));
  await t.throwsAsync(
    mudar(c.provedor, async ({ remessas }) => remessas.recusadaPeloBanco(Number(id))),
    { message: /já respondeu/ },
  );
  t.is((await faturaDe(outra)).boleto_situacao, 'enviado');
  relogio.definir('2026-12-10T15:00:00Z');
  t.deepEqual(await mudar(c.provedor, async (_, { boletos }) => boletos.semResposta()), []);
});

test.serial(
  'os rejeitados se contam por motivo, se listam por páginas e se mandam de novo os de um motivo',
  async (t) => {
    const c = await cena('756');
    const faturas: number[] = [];
    for (let n = 0; n < 3; n += 1) faturas.push(await faturar(c));
    await gerar(c);
    const [carteira, outra, endereco] = faturas as [number, number, number];
    const rejeitar = async (fatura: number, motivos: string) => resposta(fatura, { movimento: '03', motivos });
    await receber(
      c.provedor,
      retornoDe('756', [await rejeitar(carteira, '05'), await rejeitar(outra, '05'), await rejeitar(endereco, '46')]),
    );
    const ler = async () => mudar(c.provedor, async (_, { boletos }) => boletos.rejeitadosPorMotivo());
    const contados = await ler();
    t.deepEqual(
      contados.map(({ motivos, quantos }) => [motivos[0]?.codigo, quantos]),
      [
        ['05', 2],
        ['46', 1],
      ],
    );
    const motivo = contados[0]!.chave;
    const lista = await mudar(c.provedor, async (_, { boletos }) => boletos.rejeitados({ motivo, depoisDe: carteira }));
    t.deepEqual(
      lista.boletos.map(({ fatura_id }) => fatura_id),
      [outra],
    );
    const mandar = async () => mudar(c.provedor, async ({ remessas }) => remessas.reenviarRejeitados(motivo));
    t.deepEqual([await mandar(), await mandar()], [2, 0]);
    t.deepEqual(await Promise.all(faturas.map(async (id) => (await faturaDe(id)).boleto_situacao)), [
      'a_registrar',
      'a_registrar',
      'rejeitado',
    ]);
    t.is((await gerar(c)).entradas, 2);
  },
);

test.serial('a baixa que não cabe no arquivo por causa do cadastro se diz, com o porquê', async (t) => {
  const c = await cena('756');
  const fatura = await faturar(c);
  await gerar(c);
  await receber(c.provedor, retornoDe('756', [await resposta(fatura, { movimento: '02' })]));
  const { cliente_id: cliente } = await faturaDe(fatura);
  const { cpf_cnpj: documento } = await api.dono('clientes').where('id', cliente).first();
  await api.dono('clientes').where('id', cliente).update({ cpf_cnpj: '12ABC34501DE35' });
  await mudar(c.provedor, async ({ faturas }) => faturas.cancelar(fatura, { motivo: 'engano' }));
  const { instrucoes, recusadas, recusadasAoTodo } = await gerar(c);
  t.deepEqual([instrucoes, recusadasAoTodo], [0, 1]);
  t.like(recusadas[0], { faturaId: fatura, clienteId: cliente, campo: 'pagador.documento' });
  await api.dono('clientes').where('id', cliente).update({ cpf_cnpj: documento });
  t.is((await gerar(c)).instrucoes, 1);
});
