import test from 'ava';
import { atorDaTarefa } from '../../../src/domain/actor.ts';
import { createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { falharCobrancas } from '../../support/falha-de-cobranca.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import { relogioEm } from '../../support/relogio.ts';

const AGORA = '2027-03-02T12:00:00.000Z';
const relogio = relogioEm(AGORA);
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(async () => api.fechar());

const lido = (texto: string): string =>
  texto
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('\u00A0', ' ')
    .replace(/\s+/g, ' ');

async function casa(contratos: number) {
  const fabrica = criarFabrica(api.dono);
  const provedor = await fabrica.provedor();
  const w = createTenantWriter(api.dono, provedor);
  await w.insert('faturamento_configuracoes', { desde: '2027-03-01', antecedencia: 5, atualizado_em: '2027-01-01' });
  const plano_id = await fabrica.plano(provedor);
  const cliente_id = await fabrica.cliente(provedor);
  const contrato = (n: number) => ({
    cliente_id,
    plano_id,
    situacao: 'ativo',
    login: `t${provedor}n${n}`,
    tipo_cobranca: 'pre_pago',
    dia_vencimento: 20,
    valor: '99.90',
    ativado_em: '2026-06-01',
    criado_em: '2026-06-01 12:00:00',
  });
  await w.insert(
    'contratos',
    Array.from({ length: contratos }, (_, n) => contrato(n)),
  );
  const pessoa = await entrarNoPainel(api, provedor);
  const worker = async (ate = Infinity) => {
    const morte = new AbortController();
    const aoAvancar = ({ feitas }: { readonly feitas: number }): void => {
      if (feitas >= ate) morte.abort(new Error('morreu'));
    };
    const actor = atorDaTarefa('faturamento.executar');
    return api.container.execucaoDoFaturamento.executarPedidos(actor, provedor, { signal: morte.signal, aoAvancar });
  };
  const faturas = async (): Promise<number> => (await api.dono('faturas').where({ provedor_id: provedor })).length;
  const osContratos = async (): Promise<{ id: number }[]> => api.dono('contratos').where({ provedor_id: provedor });
  const [pedidos, vezes] = ['faturamento_pedidos', 'faturamentos'].map(
    (tabela) => async (): Promise<any[]> => api.dono(tabela).where({ provedor_id: provedor }).orderBy('id'),
  ) as [() => Promise<any[]>, () => Promise<any[]>];
  return { provedor, pessoa, worker, faturas, osContratos, pedidos, vezes };
}

test.serial('fazer as faturas de um mês não espera por elas: a página mostra quanto falta, até o fim', async (t) => {
  const { pessoa, worker, faturas } = await casa(700);
  const previa = await pessoa.get('/faturamento/previa?mes=2027-03');
  t.regex(lido(previa.texto), /700 faturas a fazer/);
  for (let n = 0; n < 2; n += 1) t.is((await pessoa.post('/faturamento/gerar', { mes: '2027-03' })).status, 303);
  t.is(await faturas(), 0);
  t.regex(lido((await pessoa.get('/faturamento')).texto), /As faturas de 03\/2027: na fila, 0 faturas/);
  await t.throwsAsync(worker(500), { message: 'morreu' });
  const meio = await pessoa.get('/faturamento');
  t.regex(lido(meio.texto), /As faturas de 03\/2027: \d+ de 700 contratos, \d+ faturas/);
  t.regex(meio.texto, /hx-trigger="every\s+2s"[^>]*X-Por-Si/);
  await worker();
  const fim = await pessoa.get('/faturamento');
  t.regex(lido(fim.texto), /As faturas de 03\/2027 estão feitas: 700 faturas/);
  t.notRegex(fim.texto, /hx-trigger="every\s+2s"/);
  t.is(await faturas(), 700);
});

test.serial('o carnê pedido duas vezes pela mesma página é feito uma vez', async (t) => {
  const { pessoa, faturas, osContratos } = await casa(1);
  const [{ id } = { id: 0 }] = await osContratos();
  const pagina = await pessoa.get(`/contratos/${id}/itens`);
  t.regex(lido(pagina.texto), /Fazer carnê de 12 meses, a partir de 03\/2027/);
  const primeiro = /name="primeiro"[^>]*value="([^"]*)"/.exec(pagina.texto)?.[1] ?? '';
  t.is((await pessoa.post(`/contratos/${id}/carne`, { primeiro })).status, 303);
  const outra = await pessoa.post(`/contratos/${id}/carne`, { primeiro });
  t.is(outra.status, 422);
  t.regex(lido(outra.texto), /O carnê já foi feito/);
  t.is(await faturas(), 12);
  t.regex(lido((await pessoa.get('/faturamento?carnes=sim')).texto), new RegExp(`Carnê do contrato ${id} 12 `));
});

test.serial('a lista vai até o primeiro faturamento, e muitos carnês não escondem os meses', async (t) => {
  const { pessoa, vezes, provedor } = await casa(1);
  const nova = { provedor_id: provedor, autor: 'tarefa', iniciado_em: '2026-01-01 12:00:00' };
  const dia = (n: number): string => new Date(Date.UTC(2026, 0, n)).toISOString().slice(0, 10);
  for (let n = 1; n <= 130; n += 1) {
    await api.dono('faturamentos').insert({ ...nova, dia: dia(n), origem: n % 2 === 0 ? 'carne' : 'diario' });
  }
  const ids = (await vezes()).filter(({ origem }) => origem === 'diario').map(({ id }) => id as number);
  const listados = async (em: string): Promise<number[]> =>
    [...(await pessoa.get(em)).texto.matchAll(/href="\/painel\/faturamento\/(\d+)"/g)].map(([, id]) => Number(id));
  const primeira = await pessoa.get('/faturamento');
  t.notRegex(lido(primeira.texto), /Carnê/);
  const proxima = /href="\/painel(\/faturamento\?antes=\d+)"/.exec(primeira.texto)?.[1] ?? '';
  const todos = [...(await listados('/faturamento')), ...(await listados(proxima))];
  t.deepEqual(todos, ids.toReversed());
  t.notRegex((await pessoa.get(proxima)).texto, /href="[^"]*\?antes=/);
  t.is((await listados('/faturamento?carnes=sim')).length, 60);
  t.regex(lido((await pessoa.get('/faturamento?carnes=sim')).texto), /Carnê.*Sem os carnês|Sem os carnês.*Carnê/);
});

test.serial(
  'a prévia de muitos contratos se pede, mostra quanto falta, e depois os números com a hora deles',
  async (t) => {
    const { pessoa, worker } = await casa(1100);
    const em = '/faturamento/previa?mes=2027-03';
    t.regex(lido((await pessoa.get(em)).texto), /São 1\.100 contratos por cobrar.*Calcular a prévia/);
    for (let n = 0; n < 2; n += 1)
      t.is((await pessoa.post('/faturamento/previa/pedir', { mes: '2027-03' })).status, 303);
    await t.throwsAsync(worker(500), { message: 'morreu' });
    t.regex(lido((await pessoa.get(em)).texto), /A prévia de 03\/2027: [\d.]+ de 1\.100 contratos/);
    await worker();
    const pronta = lido((await pessoa.get(em)).texto);
    t.regex(pronta, /Calculada .*1\.100 faturas a fazer.*Fazer 1\.100 faturas.*Calcular de novo/);
    t.is((await pessoa.post('/faturamento/previa/pedir', { mes: '2027-09' })).status, 422);
  },
);

test.serial('um mês que se faz tem um botão que o para, e a página diz o que já se fez', async (t) => {
  const { pessoa, worker, faturas, pedidos } = await casa(700);
  await pessoa.post('/faturamento/gerar', { mes: '2027-03' });
  await t.throwsAsync(worker(500), { message: 'morreu' });
  const [{ id }] = await pedidos();
  const parar = `/faturamento/pedidos/${id}/parar`;
  t.regex((await pessoa.get('/faturamento')).texto, new RegExp(`action="/painel${parar}"`));
  t.is((await pessoa.post(parar, {})).status, 303);
  const feitas = await faturas();
  const depois = await pessoa.get('/faturamento');
  t.regex(
    lido(depois.texto),
    new RegExp(`As faturas de 03/2027: não se terminou. Parado por .+\\. Já feitas: ${feitas} faturas, que ficam`),
  );
  t.notRegex(depois.texto, new RegExp(parar));
  await worker();
  t.is(await faturas(), feitas);
  // Who presses it on an old page is told so.
  t.is((await pessoa.post(parar, {})).status, 422);

  // Who comes later hears of it, too, until the rest is made.
  t.teardown(() => relogio.definir(AGORA));
  relogio.definir('2027-03-02T13:00:00.000Z');
  t.regex(lido((await pessoa.get('/faturamento')).texto), /As faturas de 03\/2027: não se terminou/);
  await pessoa.post('/faturamento/gerar', { mes: '2027-03' });
  await worker();
  t.is(await faturas(), 700);
  t.notRegex(lido((await pessoa.get('/faturamento')).texto), /não se terminou/);
});

/** A month of 1,100 invoices that was made, and the first and the last of them. */
async function faturado() {
  const aqui = await casa(1100);
  await aqui.pessoa.post('/faturamento/gerar', { mes: '2027-03' });
  await aqui.worker();
  const [{ id }] = await aqui.vezes();
  const dele = api.dono('faturamento_cobrancas').where({ provedor_id: aqui.provedor });
  const { primeira, ultima } = (await dele.min({ primeira: 'fatura_id' }).max({ ultima: 'fatura_id' }).first())!;
  return { ...aqui, id, primeira, ultima };
}

test.serial(
  'do que sempre falha ao desfazer se desiste numa página, que diz o que isso faz, e no fim o que ficou',
  async (t) => {
    t.teardown(() => relogio.definir(AGORA));
    const { provedor, pessoa, worker, pedidos, id, ultima: fatura } = await faturado();
    const em = `/faturamento/${id}/desistir`;
    const mendar = await falharCobrancas(api, 'UPDATE', `NEW.fatura_id = ${fatura}`);
    t.teardown(mendar);
    await pessoa.post(`/faturamento/${id}/desfazer`, {});
    t.regex(lido((await pessoa.get(em)).texto), /Só se desiste do que se desfaz e falhou três vezes seguidas/);
    t.is((await pessoa.post(em, {})).status, 409);
    for (let n = 0; n < 3; n += 1) {
      t.notRegex((await pessoa.get('/faturamento')).texto, new RegExp(em));
      await t.throwsAsync(worker());
      relogio.avancar(60_000);
    }
    for (const onde of ['/faturamento', `/faturamento/${id}`]) {
      t.regex((await pessoa.get(onde)).texto, new RegExp(`href="/painel${em}"`), onde);
    }
    const pagina = await pessoa.get(em);
    t.regex(
      lido(pagina.texto),
      /falhou 3 vezes seguidas: banco de dados: ER_SIGNAL_EXCEPTION\..*vistas 1\.000 de 1\.100 faturas.*vinte faturas seguidas, as últimas todas pela mesma causa, ou o último passo.*nenhuma fica por isso/,
    );
    const atendente = await entrarNoPainel(api, provedor, 'atendimento');
    t.is((await atendente.post(em, {})).status, 403);
    const desistiu = await pessoa.post(em, {});
    t.is(desistiu.headers['location'], `/painel/faturamento/${id}?feito=pedido`);
    t.regex(lido((await pessoa.get('/faturamento')).texto), /desistiu do que não se consegue desfazer/);
    t.notRegex((await pessoa.get('/faturamento')).texto, new RegExp(em));
    await worker();
    t.like((await pedidos()).at(-1), { tipo: 'desfazer', motivo: null });
    for (const onde of ['/faturamento', `/faturamento/${id}`]) {
      const fim = lido((await pessoa.get(onde)).texto);
      t.regex(
        fim,
        /pronto, 1\.099 faturas canceladas\. 1 fatura ficou como está.* desistiu do que não se conseguia desfazer/,
      );
      t.regex(
        fim,
        new RegExp(`Fatura ${fatura} : não se conseguiu cancelar \\(banco de dados: ER_SIGNAL_EXCEPTION\\)\\.`),
      );
    }
  },
);

test.serial('de muitas que falham seguidas se desiste na página só depois de desistir das outras', async (t) => {
  t.teardown(() => relogio.definir(AGORA));
  const { pessoa, worker, pedidos, id, primeira: fatura } = await faturado();
  const em = `/faturamento/${id}/desistir`;
  t.teardown(await falharCobrancas(api, 'UPDATE', `NEW.fatura_id BETWEEN ${fatura} AND ${fatura + 24}`));
  await pessoa.post(`/faturamento/${id}/desfazer`, {});
  const falhar = async (): Promise<void> => {
    for (let n = 0; n < 3; n += 1) {
      await t.throwsAsync(worker());
      relogio.avancar(60_000);
    }
  };
  await falhar();
  t.is((await pessoa.post(em, { seguidas: 'sim' })).status, 409);
  await pessoa.post(em, {});
  await falhar();
  t.regex(lido((await pessoa.get('/faturamento')).texto), /Desistir também das seguidas/);
  const pagina = await pessoa.get(em);
  t.regex(lido(pagina.texto), /20 faturas seguidas não se conseguiram cancelar.*mesmo que sejam todas/);
  t.regex(pagina.texto, /name="seguidas" value="sim"/);
  t.is((await pessoa.post(em, {})).status, 409);
  t.is((await pessoa.post(em, { seguidas: 'sim' })).status, 303);
  t.regex(lido((await pessoa.get('/faturamento')).texto), /também do que falha seguido/);
  await worker();
  t.truthy((await pedidos()).at(-1).terminado_em);
  t.regex(lido((await pessoa.get('/faturamento')).texto), /25 faturas ficaram como estão/);
});

test.serial('desfazer um mês grande se pede, mostra quanto falta, e no fim diz o que ficou', async (t) => {
  const { pessoa, worker, faturas, vezes } = await casa(1100);
  await pessoa.post('/faturamento/gerar', { mes: '2027-03' });
  await worker();
  t.is(await faturas(), 1100);
  const [{ id }] = await vezes();
  const antes = lido((await pessoa.get(`/faturamento/${id}`)).texto);
  t.regex(antes, /cancela as 1\.100 faturas.*cada uma no seu dia, a partir de amanhã.*não há como parar no meio/);
  for (let n = 0; n < 2; n += 1) {
    const pedida = await pessoa.post(`/faturamento/${id}/desfazer`, {});
    t.is(pedida.status, 303);
    t.regex(String(pedida.headers['location']), /^\/painel\/faturamento\?/);
  }
  await t.throwsAsync(worker(1000), { message: 'morreu' });
  for (const em of ['/faturamento', `/faturamento/${id}`]) {
    const meio = await pessoa.get(em);
    const andamento = /Desfazer o faturamento de 02\/03\/2027: 1\.000 de 1\.100 faturas, 1\.000 canceladas/;
    t.regex(lido(meio.texto), andamento);
    t.regex(lido(meio.texto), /Sendo desfeito/);
    t.regex(meio.texto, /hx-trigger="every\s+2s"/);
  }
  const ultima = await api.dono('faturas').where({ faturamento_id: id }).max({ id: 'id' }).first();
  await api.dono('faturas').where('id', ultima!['id']).update({ valor_pago: '1.00' });
  await worker();
  const fim = await pessoa.get(`/faturamento/${id}`);
  t.regex(
    lido(fim.texto),
    new RegExp(
      `1\\.099 faturas canceladas. 1 fatura ficou como está.* Fatura ${ultima!['id']} : já recebeu um pagamento`,
    ),
  );
  t.regex(lido(fim.texto), /Situação Desfeito/);
});

test.serial('um pedido de desfazer que outra versão encerrou não se dá por feito', async (t) => {
  const { pessoa, worker, vezes, pedidos } = await casa(1100);
  await pessoa.post('/faturamento/gerar', { mes: '2027-03' });
  await worker();
  const [{ id }] = await vezes();
  await pessoa.post(`/faturamento/${id}/desfazer`, {});
  const pedido = (await pedidos()).at(-1).id;
  await api.dono('faturamento_pedidos').where('id', pedido).update({ terminado_em: '2027-03-02 12:00:00' });
  const semEfeito =
    /Desfazer o faturamento de 02\/03\/2027: um worker da versão anterior encerrou o pedido sem desfazer/;
  for (const em of ['/faturamento', `/faturamento/${id}`]) {
    const { texto } = await pessoa.get(em);
    t.regex(lido(texto), semEfeito, em);
    t.notRegex(lido(texto), /pronto/, em);
    t.regex(texto, /hx-trigger="every\s+2s"/, em);
  }
  t.regex(lido((await pessoa.get(`/faturamento/${id}`)).texto), /Continuar a desfazer/);
  await pessoa.post(`/faturamento/${id}/desfazer`, {});
  await worker();
  t.regex(lido((await pessoa.get(`/faturamento/${id}`)).texto), /pronto, 1\.100 faturas canceladas/);
});

test.serial('sem worker, a página diz depois de dois minutos que ninguém está fazendo', async (t) => {
  const { pessoa, pedidos } = await casa(1);
  await pessoa.post('/faturamento/gerar', { mes: '2027-03' });
  t.regex(lido((await pessoa.get('/faturamento')).texto), /na fila.*Segue sozinho/);
  relogio.definir('2027-03-02T12:02:01.000Z');
  t.teardown(() => relogio.definir(AGORA));
  const depois = lido((await pessoa.get('/faturamento')).texto);
  t.regex(depois, /Mandar de novo/);
  t.regex(depois, /Ninguém está fazendo: avise quem opera o sistema/);
  t.notRegex(depois, /Segue sozinho/);
  t.is((await pessoa.post('/faturamento/gerar', { mes: '2027-03' })).status, 303);
  t.is((await pedidos()).length, 1);
});

test.serial('um pedido que falha diz por quê, quando se tenta de novo, e tem um botão que o tenta já', async (t) => {
  const { pessoa, worker, faturas, pedidos } = await casa(1);
  const mendar = await falharCobrancas(api, 'INSERT', 'TRUE');
  t.teardown(mendar);
  t.teardown(() => relogio.definir(AGORA));
  await pessoa.post('/faturamento/gerar', { mes: '2027-03' });
  await t.throwsAsync(worker());
  const uma = lido((await pessoa.get('/faturamento')).texto);
  t.regex(uma, /A última tentativa falhou: banco de dados: ER_SIGNAL_EXCEPTION\. Foi 02\/03\/2027 09:00 ;/);
  t.notRegex(uma, /Ana Lima|Segue sozinho|Ninguém está fazendo/);
  for (let vez = 2; vez <= 12; vez += 1) {
    t.is((await pessoa.post('/faturamento/gerar', { mes: '2027-03' })).status, 303);
    await t.throwsAsync(worker());
  }
  // Somebody's still, although nothing has moved for long.
  relogio.definir('2027-03-02T13:00:00.000Z');
  const doze = (await pessoa.get('/faturamento')).texto;
  t.regex(
    lido(doze),
    /As últimas 12 tentativas falharam: .* a partir de 02\/03\/2027 10:08 , e o que já se fez fica.*Tentar agora/,
  );
  t.regex(doze, /<p class="mb-2" role="alert">/);
  t.notRegex(lido(doze), /Ninguém está fazendo/);
  await mendar();
  t.is((await pessoa.post('/faturamento/gerar', { mes: '2027-03' })).status, 303);
  await worker();
  t.is(await faturas(), 1);
  t.is((await pedidos()).length, 1);
  t.regex(lido((await pessoa.get('/faturamento')).texto), /As faturas de 03\/2027 estão feitas: 1 fatura/);
});

test.serial('o crédito que mudou desde que se abriu a página não se anota, e mostra-se o de agora', async (t) => {
  const { provedor, pessoa, osContratos } = await casa(1);
  const [contrato] = await osContratos();
  const id = contrato!.id;
  await api.dono('contratos').where({ id }).update({ situacao: 'cancelado', cancelado_em: '2027-02-20 12:00:00.000' });
  const w = createTenantWriter(api.dono, provedor);
  const faturamento_id = await w.insert('faturamentos', {
    dia: '2027-02-15',
    origem: 'diario',
    iniciado_em: '2027-02-15',
  });
  const doMes = { contrato_id: id, competencia: '2027-03-01', tipo: 'mensalidade', vencimento: '2027-03-20' };
  await w.insert('faturamento_cobrancas', { ...doMes, faturamento_id, valor: '-17.00', dias: 0, itens: '[]' });
  const visto = async (): Promise<string | undefined> =>
    /name="valor" value="([^"]*)"/.exec((await pessoa.get(`/contratos/${id}/credito`)).texto)?.[1];
  t.is(await visto(), '17.00');
  await api.dono('faturamento_cobrancas').where({ contrato_id: id }).update({ valor: '-30.00' });
  const velha = await pessoa.post(`/contratos/${id}/credito`, { como: 'devolvido', valor: '17.00' });
  t.is(velha.status, 422);
  t.regex(lido(velha.texto), /o crédito é agora de R\$\s30,00: confira/);
  t.regex(velha.texto, /name="valor" value="30\.00"/);
  t.is((await pessoa.post(`/contratos/${id}/credito`, { como: 'devolvido', valor: '30.00' })).status, 303);
  t.is((await api.dono('faturamento_cobrancas').where({ contrato_id: id }).first()).valor, '0.00');
});
