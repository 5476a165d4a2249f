import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { entrarNoPainel } from '../../support/painel.ts';

const EM = '/chamados/varios';
const INICIO = '2026-11-20 12:00:00.000';

let api: Api;
test.before(async () => {
  api = await criarApi();
});
test.after.always(async () => api.fechar());

/** A notice for a plan, tickets of two clients who have it, and what is like them and is not of the notice. */
async function cenario() {
  const fabrica = criarFabrica(api.dono);
  const provedor = await fabrica.provedor();
  const [cortado, outro] = [await fabrica.plano(provedor), await fabrica.plano(provedor)];
  const clientes = [await fabrica.cliente(provedor), await fabrica.cliente(provedor), await fabrica.cliente(provedor)];
  const [um = 0, dois = 0, tres = 0] = clientes;
  const contrato = await fabrica.contrato(provedor, { cliente_id: um, plano_id: cortado });
  await fabrica.contrato(provedor, { cliente_id: dois, plano_id: cortado });
  const alheio = await fabrica.contrato(provedor, { cliente_id: um, plano_id: outro });
  await fabrica.contrato(provedor, { cliente_id: tres, plano_id: outro });
  const [aviso = 0] = await api.dono('avisos_de_rede').insert({
    provedor_id: provedor,
    tipo: 'interrupcao',
    titulo: 'Fibra rompida',
    texto: 'Volta às 18 h.',
    inicio: INICIO,
    origem: 'equipe',
    criado_em: INICIO,
    atualizado_em: INICIO,
  });
  await api
    .dono('avisos_de_rede_alvos')
    .insert({ provedor_id: provedor, aviso_id: aviso, tipo: 'plano', alvo_id: cortado });
  const abrir = async (cliente_id: number, contrato_id: number | null, mais: object = {}): Promise<number> =>
    fabrica.chamado(provedor, { cliente_id, contrato_id, aberto_em: '2026-11-20 12:30:00.000', ...mais });
  const dele = [await abrir(um, contrato), await abrir(dois, null)];
  const fora = [
    await abrir(um, alheio),
    await abrir(tres, null),
    await abrir(dois, null, { aberto_em: '2026-11-20 11:59:00.000' }),
  ];
  const ana = await entrarNoPainel(api, provedor, 'atendimento');
  const de = async (id: number) => api.dono('chamados').where({ provedor_id: provedor, id }).first();
  const historico = async () => api.dono('chamados_historico').where('provedor_id', provedor).orderBy('id');
  const eventos = async () =>
    api.dono('auditoria').where({ provedor_id: provedor, acao: 'chamado.atualizado' }).orderBy('id');
  return { provedor, aviso, dele, fora, ana, abrir, de, historico, eventos, contrato, um };
}

test.serial('a fila se filtra por um aviso da rede: o que é dele, aberto desde que começou', async (t) => {
  const { provedor, aviso, dele, fora, ana } = await cenario();
  const gestora = await entrarNoPainel(api, provedor);
  t.true((await gestora.get(`/rede/avisos/${aviso}`)).texto.includes(`/painel/chamados?aviso=${aviso}"`));
  const fila = (await ana.get(`/chamados?aviso=${aviso}`)).texto;
  for (const id of dele) t.true(fila.includes(`chamado-${id}"`));
  for (const id of fora) t.false(fila.includes(`chamado-${id}"`));
  t.regex(fila, new RegExp(`<option value="${aviso}"\\s+selected\\s*>\\s*Fibra rompida`));
  t.true(fila.includes(`/painel${EM}?aviso=${aviso}`));
  const tela = (await ana.get(`${EM}?aviso=${aviso}`)).texto;
  t.regex(tela, /Todos os chamados em aberto do aviso “Fibra rompida”/);
  for (const id of dele) t.true(tela.includes(`value="${id}"`));
  for (const id of fora) t.false(tela.includes(`value="${id}"`));
});

test.serial(
  'todos de um aviso se solucionam com uma resposta, cada um com o seu histórico e o seu evento',
  async (t) => {
    const { aviso, dele, fora, ana, de, historico, eventos } = await cenario();
    const texto = 'A fibra foi emendada às 17:40.';
    const feito = await ana.post(EM, { aviso: String(aviso), todos: 'sim', solucionar: 'sim', texto });
    t.is(feito.status, 200);
    t.regex(feito.texto, /2 chamados solucionados\./);
    for (const id of dele) t.like(await de(id), { situacao: 'solucionado', solucao: texto, espera_equipe: 0 });
    for (const id of fora) t.is((await de(id)).situacao, 'aberto');
    t.deepEqual(
      (await historico()).map(({ chamado_id, acao }) => [chamado_id, acao]),
      dele.flatMap((id) => [
        [id, 'situacao'],
        [id, 'solucao'],
      ]),
    );
    t.deepEqual(
      (await eventos()).map(({ recurso_id, usuario_id }) => [recurso_id, usuario_id]),
      dele.map((id) => [id, ana.usuarioId]),
    );
  },
);

test.serial('os marcados se respondem; o que se fechou entretanto fica como está, e isso é dito', async (t) => {
  const { provedor, dele, fora, ana, de, historico, eventos } = await cenario();
  const [fechado = 0, aberto = 0] = dele;
  await api.dono('chamados').where({ provedor_id: provedor, id: fechado }).update({ situacao: 'solucionado' });
  const feito = await ana.post(EM, { chamados: dele.map(String), texto: 'Estamos a caminho.' });
  t.regex(feito.texto, /1 chamado respondido\./);
  t.regex(feito.texto, new RegExp(`1 não estava mais em aberto[\\s\\S]*#${fechado}`));
  t.is((await de(aberto)).situacao, 'aberto');
  const entradas = await historico();
  t.like(entradas, [{ chamado_id: aberto, acao: 'comentario', descricao: 'Estamos a caminho.' }]);
  const [evento] = await eventos();
  t.regex(JSON.stringify(evento.dados), new RegExp(`entrada\\D+${entradas[0].id}\\b`));
  const nada = await ana.post(EM, { texto: 'x' });
  t.is(nada.status, 422);
  t.regex(nada.texto, /marque ao menos um/);
  t.is((await ana.post(EM, { chamados: [String(fora[0])], texto: '' })).status, 422);
  const alheia = await entrarNoPainel(api, await criarFabrica(api.dono).provedor(), 'atendimento');
  t.regex((await alheia.post(EM, { chamados: [String(fora[0])], texto: 'x' })).texto, /0 chamados respondidos/);
});

test.serial('de um aviso encerrado não é o que se abriu depois do seu fim', async (t) => {
  const { provedor, aviso, dele, ana, de, abrir, contrato, um } = await cenario();
  const depois = await abrir(um, contrato, { aberto_em: '2026-11-20 18:00:00.001' });
  await api
    .dono('avisos_de_rede')
    .where({ provedor_id: provedor, id: aviso })
    .update({ fim: '2026-11-20 18:00:00.000' });
  const fila = (await ana.get(`/chamados?aviso=${aviso}`)).texto;
  t.deepEqual(
    [...dele, depois].map((id) => fila.includes(`chamado-${id}"`)),
    [true, true, false],
  );
  await ana.post(EM, { aviso: String(aviso), todos: 'sim', solucionar: 'sim', texto: 'Voltou.' });
  t.is((await de(depois)).situacao, 'aberto');
  for (const id of dele) t.is((await de(id)).situacao, 'solucionado');
});

test.serial(
  'todos de um aviso são os da categoria pela qual se filtrou; com outro filtro só se responde aos marcados',
  async (t) => {
    const { aviso, dele, ana, de, abrir, contrato, um } = await cenario();
    const tecnico = await abrir(um, contrato, { categoria: 'TECNICO' });
    const tela = (await ana.get(`${EM}?aviso=${aviso}&categoria=TECNICO`)).texto;
    t.regex(tela, /do aviso “Fibra rompida”, na categoria Técnico/);
    t.regex(tela, /name="categoria" value="TECNICO"/);
    t.false(tela.includes(`value="${dele[0]}"`));
    const errada = await ana.post(EM, { aviso: String(aviso), categoria: 'TECNICO', todos: 'sim', texto: '' });
    t.is(errada.status, 422);
    t.regex(errada.texto, /na categoria Técnico/);
    await ana.post(EM, {
      aviso: String(aviso),
      categoria: 'TECNICO',
      todos: 'sim',
      solucionar: 'sim',
      texto: 'Voltou.',
    });
    t.is((await de(tecnico)).situacao, 'solucionado');
    for (const id of dele) t.is((await de(id)).situacao, 'aberto');
    const filtrada = (await ana.get(`${EM}?aviso=${aviso}&esperando=sim`)).texto;
    t.false(filtrada.includes('name="todos"'));
  },
);

// By itself, as it counts what is asked of the database.
test.serial('trezentos de cada vez, com tantos comandos quantos para um; o resto segue com um clique', async (t) => {
  const { provedor, aviso, ana, um, contrato, historico } = await cenario();
  const quantos = async (pedir: () => Promise<unknown>): Promise<number> => {
    let vistos = 0;
    const contar = (): void => void (vistos += 1);
    api.container.db.on('query', contar);
    await pedir();
    api.container.db.removeListener('query', contar);
    return vistos;
  };
  const enviar = async (mais: Record<string, string> = {}) =>
    ana.post(EM, { aviso: String(aviso), todos: 'sim', texto: 'Estamos cientes.', ...mais });
  await enviar();
  const dois = await quantos(async () => enviar());
  await api.dono('chamados').insert(
    Array.from({ length: 310 }, (_, n) => ({
      provedor_id: provedor,
      cliente_id: um,
      contrato_id: contrato,
      assunto: `Sem sinal ${n}`,
      descricao: 'Caiu.',
      situacao: 'aberto',
      prioridade: 'normal',
      aberto_em: '2026-11-20 13:00:00.000',
    })),
  );
  let primeira = { texto: '' };
  const trezentos = await quantos(async () => (primeira = await enviar()));
  t.log({ dois, trezentos });
  t.true(trezentos <= dois + 3, `${dois} e ${trezentos}`);
  t.regex(primeira.texto, /300 chamados respondidos/);
  const [, depois_de = ''] = /name="depois_de" value="(\d+)"/.exec(primeira.texto) ?? [];
  t.regex((await enviar({ depois_de })).texto, /12 chamados respondidos/);
  t.is((await historico()).length, 2 + 2 + 312);
});
