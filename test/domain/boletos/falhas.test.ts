import test from 'ava';
import type { ExecutionContext } from 'ava';
import { createRetornosProcessarJob } from '../../../workers/jobs/retornos-processar.job.ts';
import { TERMINAL, atorDaTarefa } from '../../../src/domain/actor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { AGORA, HOJE, criarBanco } from './apoio.ts';
import { retornoDe } from './banco.ts';

// One after the other: the clock and the job are everybody's.
const relogio = relogioEm(AGORA);
const NUNCA = new AbortController().signal;
let api: Api;
const { cena, faturaDe, faturar, gerar, mudar, resposta } = criarBanco(() => api);

test.before(async () => {
  api = await criarApi({ relogio });
});
test.beforeEach(() => relogio.definir(AGORA));
test.after.always(async () => api.fechar());

const rodar = async (): Promise<unknown> =>
  createRetornosProcessarJob(api.container.arquivosDeRetorno)(undefined as never, {
    jobId: '1',
    signal: NUNCA,
    lastTry: false,
    progress: () => {},
    resumeWith: async () => {},
  });

/** A file of which nothing can be done, and one that came after it. */
async function parado() {
  const c = await cena('756');
  const [ruim, boa] = [await faturar(c), await faturar(c)];
  await gerar(c);
  const entregar = async (fatura: number) => {
    const arquivo = retornoDe('756', [await resposta(fatura, { movimento: '06', pago: 9990 })]);
    const bytes = Buffer.from(arquivo, 'latin1');
    return (await api.container.arquivosDeRetorno.receber(TERMINAL, c.provedor, bytes, 'banco.ret')).id;
  };
  const id = await entregar(ruim);
  const { conteudo } = await api.dono('retornos_partes').where('retorno_id', id).first();
  const trocarParte = async (nova: Buffer) =>
    api.dono('retornos_partes').where('retorno_id', id).update('conteudo', nova);
  await trocarParte(Buffer.from('nem comprimido'));
  return { c, id, ruim, boa, entregar, mender: async () => trocarParte(conteudo) };
}

const linhaDe = async (id: number) => api.dono('retornos').where('id', id).first();
const avisosDe = async (provedor: number, tipo: string) =>
  api.dono('notificacoes').where({ provedor_id: provedor, tipo });

test.serial(
  'o retorno que falha deixa passar os de depois, é tentado cada vez mais tarde, e a equipe o sabe',
  async (t) => {
    const { c, id, ruim, boa, entregar, mender } = await parado();
    const depois = await entregar(boa);
    await t.throwsAsync(rodar());
    t.is((await linhaDe(depois)).concluido_em, null, 'o primeiro é que foi tentado');
    await rodar();
    t.not((await linhaDe(depois)).concluido_em, null);
    t.is((await faturaDe(boa)).situacao, 'paga');
    t.is((await linhaDe(id)).falhas, 1);

    const esperas: number[] = [];
    for (let vez = 1; vez < 9; vez += 1) {
      const ate = new Date(`${String((await linhaDe(id)).tentar_em).replace(' ', 'T')}Z`).getTime();
      esperas.push(ate - relogio.agora().getTime());
      relogio.avancar(esperas.at(-1) ?? 0);
      await t.throwsAsync(rodar());
      await rodar();
      t.is((await linhaDe(id)).falhas, vez + 1);
    }
    t.deepEqual(
      esperas,
      esperas.toSorted((a, b) => a - b),
    );
    t.is(esperas[0], 10_000);
    t.is(esperas.at(-1), 6 * 3_600_000);
    const avisos = await avisosDe(c.provedor, 'retorno.parado');
    t.deepEqual(
      avisos.map(({ recurso, recurso_id }) => [recurso, recurso_id]),
      [['retorno', id]],
      'uma vez só',
    );

    await mender();
    await rodar();
    t.is((await faturaDe(ruim)).situacao, 'pendente', 'ainda não é hora');
    await mudar(c.provedor, async ({ tentativasDeRetorno }) => tentativasDeRetorno.tentar(id));
    await rodar();
    t.is((await faturaDe(ruim)).situacao, 'paga');
    const { falhas, concluido_em: concluido, tentar_em: tentar } = await linhaDe(id);
    t.deepEqual([falhas, tentar, concluido === null], [0, null, false]);
    await t.throwsAsync(
      mudar(c.provedor, async ({ tentativasDeRetorno }) => tentativasDeRetorno.tentar(id)),
      { message: /nada deste retorno falhou/ },
    );
  },
);

test.serial('o retorno interrompido porque o processo para não conta como falha', async (t) => {
  const { id } = await parado();
  const parando = new AbortController();
  const { arquivosDeRetorno } = api.container;
  const job = createRetornosProcessarJob({
    ...arquivosDeRetorno,
    async proximoPendente(provedor) {
      const proximo = await arquivosDeRetorno.proximoPendente(provedor);
      parando.abort(new Error('parando'));
      return proximo;
    },
  });
  const contexto = {
    jobId: '1',
    signal: parando.signal,
    lastTry: false,
    progress: () => {},
    resumeWith: async () => {},
  };
  await t.throwsAsync(job(undefined as never, contexto), { message: 'parando' });
  t.is((await linhaDe(id)).falhas, 0);
});

const doDia = async (provedor: number) =>
  api.container.tarefas.executar(
    atorDaTarefa('remessas.gerar'),
    { tarefa: 'remessas.gerar', provedorId: provedor, dia: HOJE },
    { signal: NUNCA, aoAvancar: () => {} },
  );

async function comDoisConvenios(t: ExecutionContext) {
  const c = await cena('756');
  const outra = await mudar(c.provedor, async ({ cobradores }) => cobradores.criar({ nome: 'Filial' }));
  const [primeiro] = await api.dono('convenios_bancarios').where('id', c.convenio);
  const { id: _id, emite_por: _emitePor, criado_em: _criado, atualizado_em: _atualizado, ...igual } = primeiro;
  const [segundo = 0] = await api
    .dono('convenios_bancarios')
    .insert({ ...igual, cobrador_id: outra, codigo: '828191' });
  const [fatura, daFilial] = [await faturar(c), await faturar(c)];
  await api.dono('faturas').where('id', daFilial).update({ cobrador_id: outra });
  t.is((await faturaDe(daFilial)).boleto_situacao, 'a_registrar');
  return { c, segundo, fatura, daFilial };
}

test.serial('o arquivo que o banco já não recebe no dia se recusa, e não para a remessa dos outros', async (t) => {
  const c = await cena('748');
  const outra = await mudar(c.provedor, async ({ cobradores }) => cobradores.criar({ nome: 'Filial' }));
  const [primeiro] = await api.dono('convenios_bancarios').where('id', c.convenio);
  const { id: _id, emite_por: _emitePor, criado_em: _criado, atualizado_em: _atualizado, ...igual } = primeiro;
  await api.dono('convenios_bancarios').insert({ ...igual, cobrador_id: outra, codigo: '00624' });
  for (let n = 0; n < 10; n += 1) {
    await faturar(c);
    t.is((await gerar(c)).entradas, 1);
  }
  const [fatura, daFilial] = [await faturar(c), await faturar(c)];
  await api.dono('faturas').where('id', daFilial).update({ cobrador_id: outra });
  await t.throwsAsync(gerar(c), { message: /já não recebe hoje outro arquivo/ });
  await doDia(c.provedor);
  t.deepEqual(
    [(await faturaDe(fatura)).boleto_situacao, (await faturaDe(daFilial)).boleto_situacao],
    ['a_registrar', 'enviado'],
  );
  t.is((await avisosDe(c.provedor, 'remessa.recusada')).length, 1);
  relogio.avancar(86_400_000);
  t.is((await gerar(c)).entradas, 1);
});

test.serial('a recusa de um convênio não tira dos outros a remessa do dia, e a equipe sabe dela', async (t) => {
  const { c, segundo, fatura, daFilial } = await comDoisConvenios(t);
  // Seven digits: the last number is used up.
  await mudar(c.provedor, async ({ convenios }) => convenios.alterar(c.convenio, { proximo_numero: 9_999_999 }));
  await faturar(c);
  await doDia(c.provedor);
  t.is((await faturaDe(daFilial)).boleto_situacao, 'enviado');
  t.is((await faturaDe(fatura)).boleto_situacao, 'a_registrar');
  const recusado = await api.dono('convenios_bancarios').where('id', c.convenio).first();
  t.deepEqual([recusado.recusa, recusado.proximo_nsa], ['numeros_esgotados', 1]);
  t.is((await api.dono('remessas').where('convenio_id', c.convenio)).length, 0);
  t.is((await api.dono('convenios_bancarios').where('id', segundo).first()).recusa, null);
  const avisos = await avisosDe(c.provedor, 'remessa.recusada');
  t.deepEqual(
    avisos.map(({ recurso, recurso_id }) => [recurso, recurso_id]),
    [['convenio', c.convenio]],
  );
});

test.serial('o convênio que o banco já não aceitaria é recusado antes que se escreva algo', async (t) => {
  const { c, fatura, daFilial } = await comDoisConvenios(t);
  await api.dono('convenios_bancarios').where('id', c.convenio).update({ carteira: '' });
  await doDia(c.provedor);
  t.deepEqual(
    [(await faturaDe(fatura)).boleto_situacao, (await faturaDe(daFilial)).boleto_situacao],
    ['a_registrar', 'enviado'],
  );
  t.is((await avisosDe(c.provedor, 'remessa.recusada')).length, 1);
  await t.throwsAsync(gerar(c), { message: /o banco não aceitaria o convênio/ });
});
