import test from 'ava';
import { lerData } from '../../../src/brazil/calendario/datas.ts';
import { toDatabaseTime } from '../../../src/platform/mysql/database.ts';
import { criarMudar } from '../../domain/clientes/apoio.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { SENHA_DO_PAINEL, entrarNoPainel } from '../../support/painel.ts';
import { relogioEm } from '../../support/relogio.ts';

const relogio = relogioEm('2026-11-20T15:00:00Z');
let api: Api;
let fabrica: Fabrica;
const mudar = criarMudar(() => api);
test.before(async () => {
  api = await criarApi({ relogio });
  fabrica = criarFabrica(api.dono);
});
test.after.always(async () => api.fechar());

const CPF = '52998224725';
const OUTRO_CPF = '11144477735';

const criar = async (provedor: number, dados: object = {}): Promise<number> =>
  mudar(provedor, async ({ clientes }) => clientes.criar({ nome: 'Maria de Souza', cpf_cnpj: CPF, ...dados }));

test.serial('a lista filtra, pagina e mostra as colunas que se escolhem', async (t) => {
  const provedor = await fabrica.provedor();
  await criar(provedor, { telefones: ['35999990001'], email: 'maria@exemplo.com.br', endereco: { cidade: 'Alfenas' } });
  await criar(provedor, { nome: 'Bruno Lima', cpf_cnpj: OUTRO_CPF, situacao: 'inativo' });
  for (let n = 0; n < 60; n += 1) await fabrica.cliente(provedor, { nome: `Zeca ${100 + n}`, cpf_cnpj: '' });
  const pessoa = await entrarNoPainel(api, provedor);
  const todos = (await pessoa.get('/clientes')).texto;
  t.regex(todos, /62 clientes/);
  t.true(todos.includes('529.982.247-25') && todos.includes('(35) 99999-0001'));
  t.false(todos.includes('maria@exemplo.com.br'));
  const proxima = /href="\/painel(\/clientes\?[^"]*pagina=[^"]*)">Próximos/.exec(todos)?.[1]?.replaceAll('&amp;', '&');
  const segunda = (await pessoa.get(proxima ?? '')).texto;
  t.true(segunda.includes('Zeca 159') && !segunda.includes('Bruno Lima'));

  const inativos = (await pessoa.get('/clientes?situacao=inativo')).texto;
  t.true(inativos.includes('Bruno Lima') && !inativos.includes('Maria de Souza'));
  t.true((await pessoa.get('/clientes?cidade=Alfenas&colunas=email')).texto.includes('maria@exemplo.com.br'));
  t.regex((await pessoa.get('/clientes?situacao=observacao')).texto, /Nenhum cliente com estes filtros/);
  t.is((await pessoa.get('/clientes?situacao=qualquer')).status, 400);
  const vazio = await entrarNoPainel(api, await fabrica.provedor());
  t.regex((await vazio.get('/clientes')).texto, /Ainda não há clientes/);
});

test.serial('o CSV pede prova, vem inteiro e sem fórmulas, e fica anotado', async (t) => {
  const provedor = await fabrica.provedor();
  await criar(provedor, { nome: '=SOMA(A1)', telefones: ['35999990001'] });
  await criar(provedor, { nome: 'Bruno Lima', cpf_cnpj: OUTRO_CPF, situacao: 'inativo' });
  const pessoa = await entrarNoPainel(api, provedor);
  relogio.avancar(11 * 60_000);
  t.regex((await pessoa.post('/clientes/exportar')).texto, /Confirme que é você/);
  const csv = await pessoa.post('/clientes/exportar', { _senha: SENHA_DO_PAINEL });
  t.is(csv.status, 200);
  t.is(csv.headers['content-type'], 'text/csv; charset=utf-8');
  t.regex(String(csv.headers['content-disposition']), /attachment; filename="clientes-\d{4}-\d\d-\d\d\.csv"/);
  const [cabecalho, primeira, segunda, ...resto] = csv.texto.split('\r\n');
  t.true(cabecalho?.startsWith('\uFEFFNúmero;Nome;'));
  t.regex(primeira ?? '', /^\d+;'=SOMA\(A1\);;529\.982\.247-25;Ativo;\(35\) 99999-0001;/);
  t.regex(segunda ?? '', /Bruno Lima/);
  t.deepEqual(resto, ['']);
  const soInativos = await pessoa.post('/clientes/exportar', { situacao: 'inativo' });
  t.false(soInativos.texto.includes('SOMA'));
  const anotadas = await api.dono('auditoria').where({ provedor_id: provedor, acao: 'exportacao.feita' }).orderBy('id');
  t.deepEqual(
    anotadas.map(({ dados }: { dados: string | object }) => (typeof dados === 'string' ? JSON.parse(dados) : dados)),
    [
      { o_que: 'clientes', cliente: null, linhas: 2 },
      { o_que: 'clientes', cliente: null, linhas: 1 },
    ],
  );
  t.is((await api.dono('acessos_a_dados').where({ provedor_id: provedor, o_que: 'csv' })).length, 2);
  t.is((await (await entrarNoPainel(api, provedor, 'atendimento')).post('/clientes/exportar')).status, 403);
});

test.serial('na página de um cliente não se pausa a régua de outro, nem de tudo por engano', async (t) => {
  const provedor = await fabrica.provedor();
  const plano_id = await fabrica.plano(provedor);
  const [um, outro] = [await fabrica.cliente(provedor), await fabrica.cliente(provedor, { cpf_cnpj: OUTRO_CPF })];
  const doOutro = await fabrica.contrato(provedor, { cliente_id: outro, plano_id });
  const dele = await fabrica.contrato(provedor, { cliente_id: um, plano_id });
  const pessoa = await entrarNoPainel(api, provedor);
  const pausar = async (contrato: string) =>
    (await pessoa.post(`/clientes/${um}/regua`, { contrato, motivo: 'Contestou a fatura', ate: '2026-12-20' })).status;
  const pausas = async () =>
    (await api.dono('regua_pausas').where({ provedor_id: provedor })).map(({ contrato_id }) => contrato_id);
  t.is(await pausar('x'), 422);
  t.is(await pausar(String(doOutro)), 404);
  t.deepEqual(await pausas(), []);
  t.is(await pausar(String(dele)), 303);
  t.is(await pausar(''), 303);
  t.deepEqual(await pausas(), [dele, null]);
});

test.serial('quem não vê faturas não lê na lista de clientes quem deve', async (t) => {
  const provedor = await fabrica.provedor();
  const cliente_id = await fabrica.cliente(provedor, { nome: 'Ana Lima' });
  await fabrica.fatura(provedor, { cliente_id, vencimento: '2026-01-05' });
  const atendente = await entrarNoPainel(api, provedor, 'atendimento');
  t.regex((await atendente.get('/clientes')).texto, /Com vencida/);
  const tecnico = await entrarNoPainel(api, provedor, 'tecnico');
  for (const consulta of ['', '?colunas=vencida', '?colunas=numero,vencida']) {
    const { status, texto } = await tecnico.get(`/clientes${consulta}`);
    t.is(status, 200);
    t.regex(texto, /Ana Lima/);
    t.notRegex(texto, /Com vencida|Em dia|(?:Mostrar|Esconder) Faturas/, consulta);
  }
});

/** A form as its page shows it, with its version. */
const versaoEm = (texto: string): string => /name="atualizado_em" value="([^"]+)"/.exec(texto)?.[1] ?? '';

test.serial('cadastra-se um cliente; o que está errado volta ao lado do campo, com o que se digitou', async (t) => {
  const provedor = await fabrica.provedor();
  const pessoa = await entrarNoPainel(api, provedor, 'atendimento');
  t.is((await pessoa.get('/clientes/novo')).status, 200);
  const errado = await pessoa.post('/clientes/novo', { nome: 'M', cpf_cnpj: '123', telefones: '35999990001\n12' });
  t.is(errado.status, 422);
  t.regex(errado.texto, /Nome ou razão social: deve ter no mínimo 2 caracteres/);
  t.regex(errado.texto, /Telefones: informe DDD e número/);
  t.true(errado.texto.includes('value="123"'));
  const certo = await pessoa.post('/clientes/novo', {
    nome: 'Maria de Souza',
    cpf_cnpj: '529.982.247-25',
    nome_fantasia: '',
    data_nascimento: '1990-05-01',
    email: 'maria@exemplo.com.br',
    telefones: '(35) 99999-0001\n3534210000',
    situacao: 'observacao',
    'endereco.cidade': 'Alfenas',
    'endereco.uf': 'MG',
  });
  t.is(certo.status, 303);
  const id = Number(/clientes\/(\d+)/.exec(String(certo.headers['location']))?.[1]);
  const [linha] = await api.dono('clientes').where({ id });
  t.like(linha, { nome: 'Maria de Souza', cpf_cnpj: CPF, situacao: 'observacao', cidade: 'Alfenas', uf: 'MG' });
  const repetido = await pessoa.post('/clientes/novo', { nome: 'Outra Maria', cpf_cnpj: CPF, situacao: 'ativo' });
  t.is(repetido.status, 422);
  t.true(repetido.texto.includes(`<a href="/painel/clientes/${id}">Maria de Souza</a>`));
  t.is((await (await entrarNoPainel(api, provedor, 'tecnico')).get('/clientes/novo')).status, 403);
});

test.serial('quem edita o que outro mudou vê os dois, e nada se perde', async (t) => {
  const provedor = await fabrica.provedor();
  const id = await criar(provedor, { email: 'maria@exemplo.com.br' });
  const pessoa = await entrarNoPainel(api, provedor);
  const pagina = await pessoa.get(`/clientes/${id}/editar`);
  t.true(pagina.texto.includes('value="maria@exemplo.com.br"'));
  const versao = versaoEm(pagina.texto);
  await mudar(provedor, async ({ clientes }) => clientes.alterar(id, { email: 'nova@exemplo.com.br' }));
  const mudanca = { nome: 'Maria Lima', cpf_cnpj: CPF, email: 'maria@exemplo.com.br' };
  const tarde = await pessoa.post(`/clientes/${id}/editar`, { ...mudanca, atualizado_em: versao });
  t.is(tarde.status, 409);
  t.true(tarde.texto.includes('“nova@exemplo.com.br”') && tarde.texto.includes('value="Maria Lima"'));
  t.is((await api.dono('clientes').where({ id }).first('nome')).nome, 'Maria de Souza');
  const nova = versaoEm(tarde.texto);
  t.not(nova, versao);
  const { status } = await pessoa.post(`/clientes/${id}/editar`, { ...mudanca, email: '', atualizado_em: nova });
  t.is(status, 303);
  t.like(await api.dono('clientes').where({ id }).first(), { nome: 'Maria Lima', email: null });
});

test.serial(
  'quem edita vê documento e telefones com a pontuação, e o que digitou, como o digitou, se algo está errado',
  async (t) => {
    const provedor = await fabrica.provedor();
    const id = await criar(provedor, { telefones: ['35999990001', '3534210000'] });
    // As another system has written it: read again it would be another.
    const doSegundo = { cliente_id: id, numero: '3534210000' };
    await api.dono('clientes_telefones').where(doSegundo).update({ numero: '553534210000' });
    const pessoa = await entrarNoPainel(api, provedor);
    const { texto } = await pessoa.get(`/clientes/${id}/editar`);
    t.true(texto.includes('value="529.982.247-25"'));
    t.regex(texto, /<textarea[^>]*name="telefones"[^>]*>\s*\(35\) 99999-0001\n553534210000<\/textarea>/);
    const versao = versaoEm(texto);
    const digitado = { nome: 'M', cpf_cnpj: '52998224725', telefones: '35 99999.0002', atualizado_em: versao };
    const errado = await pessoa.post(`/clientes/${id}/editar`, digitado);
    t.is(errado.status, 422);
    t.true(errado.texto.includes('value="52998224725"') && errado.texto.includes('35 99999.0002</textarea>'));

    // Punctuation alone is no difference from what another has written.
    await mudar(provedor, async ({ clientes }) => clientes.alterar(id, { email: 'nova@exemplo.com.br' }));
    const iguais = {
      nome: 'Maria de Souza',
      cpf_cnpj: '52998224725',
      email: '',
      telefones: '35999990001\n553534210000',
    };
    const tarde = await pessoa.post(`/clientes/${id}/editar`, { ...iguais, atualizado_em: versao });
    t.is(tarde.status, 409);
    t.notRegex(tarde.texto, /<li>(?:CPF ou CNPJ|Telefones): está gravado/);
    const nova = versaoEm(tarde.texto);
    const mudanca = {
      nome: 'Maria Lima',
      cpf_cnpj: '529.982.247-25',
      telefones: '(35) 99999-0001',
      atualizado_em: nova,
    };
    t.is((await pessoa.post(`/clientes/${id}/editar`, mudanca)).status, 303);
    t.like(await api.dono('clientes').where({ id }).first(), { nome: 'Maria Lima', cpf_cnpj: CPF });
  },
);

test.serial('a ficha mostra contratos, bloqueio, dívida, quedas, avisos e chamados, e anota quem a viu', async (t) => {
  const provedor = await fabrica.provedor({}, { desbloqueio_habilitado: 1, desbloqueio_dias: 3 });
  const plano = await fabrica.plano(provedor, { nome: 'Fibra 500' });
  const id = await criar(provedor, { telefones: ['35999990001'] });
  const daPessoa = { cliente_id: id, plano_id: plano };
  const bloqueio = { situacao: 'bloqueado', bloqueado_em: '2026-11-18 12:00:00.000' };
  const contrato = await fabrica.contrato(provedor, {
    ...daPessoa,
    ...bloqueio,
    bloqueio_origem: 'financeiro',
    login: 'ma',
  });
  const amao = await fabrica.contrato(provedor, {
    ...daPessoa,
    ...bloqueio,
    bloqueio_origem: 'manual',
    motivo: 'Mudou-se',
  });
  await fabrica.fatura(provedor, { cliente_id: id, contrato_id: contrato, vencimento: '2026-11-10' });
  const chamado = await fabrica.chamado(provedor, { cliente_id: id, assunto: 'Caiu de novo' });
  await fabrica.quedas(provedor, { contrato_id: contrato, dia: '2026-11-19', quedas: 2 });
  await fabrica.nas(provedor, '10.9.9.1');
  for (const [de, ate] of [
    ['12:00', '14:00'],
    ['15:00', '23:30'],
  ] as const) {
    await fabrica.sessao({
      username: 'ma',
      nasipaddress: '10.9.9.1',
      acctstarttime: `2026-11-19 ${de}:00`,
      acctstoptime: `2026-11-19 ${ate}:00`,
      acctterminatecause: 'Lost-Carrier',
    });
  }
  await api.dono('trafego_diario').insert({
    provedor_id: provedor,
    contrato_id: contrato,
    dia: '2026-11-19',
    download_bytes: 10e9,
    upload_bytes: 2e9,
  });
  await mudar(provedor, async ({ avisosDeRede }) =>
    avisosDeRede.abrir({
      tipo: 'interrupcao',
      titulo: 'Fibra rompida',
      texto: 'Estamos indo.',
      alvos: [{ tipo: 'plano', id: plano }],
    }),
  );
  relogio.definir('2026-11-20T15:00:00Z');
  const pessoa = await entrarNoPainel(api, provedor);
  const { status, texto } = await pessoa.get(`/clientes/${id}`);
  t.is(status, 200);
  for (const parte of [
    '529.982.247-25',
    'href="tel:+5535999990001"',
    `Contrato ${contrato} · Fibra 500`,
    'por falta de pagamento',
    'Mudou-se',
    'Fibra rompida',
    'desde 10/11/2026',
    '2 quedas em 7 dias, 1 delas depois das 19 h. Causa: perdeu o sinal',
    'Caiu de novo',
    '10 GB recebidos',
    `href="/painel/contratos/${contrato}/confianca"`,
    'Sem desbloqueio de confiança: o bloqueio foi feito manualmente pelo provedor',
  ]) {
    t.true(texto.includes(parte), parte);
  }
  t.false(texto.includes(`/contratos/${amao}/confianca`));
  for (const aba of ['contratos', 'faturas', 'conexao', 'chamados', 'historico']) {
    t.is((await pessoa.get(`/clientes/${id}?aba=${aba}`)).status, 200, aba);
  }
  t.is((await api.dono('acessos_a_dados').where({ provedor_id: provedor, cliente_id: id })).length, 6);
  const daLinha = (await pessoa.get(`/clientes/${id}?aba=conexao`)).texto;
  for (const parte of ['por falta de pagamento', 'Fibra rompida', `href="/painel/contratos/${contrato}/confianca"`]) {
    t.true(daLinha.includes(parte), parte);
  }
  for (const onde of [`/chamados/${chamado}`, `/chamados/novo?cliente=${id}`]) {
    t.true((await pessoa.get(onde)).texto.includes('Fibra rompida'), onde);
  }
  t.regex((await pessoa.get(`/clientes/${id}/quem-viu`)).texto, /O cadastro/);

  const tecnico = await entrarNoPainel(api, provedor, 'tecnico');
  const dele = (await tecnico.get(`/clientes/${id}`)).texto;
  t.true(dele.includes('***.982.247-**') && !dele.includes('529.982.247-25'));
  t.false(dele.includes('Financeiro</h2>') || dele.includes('/confianca'));
  t.is((await tecnico.get(`/clientes/${id}?aba=faturas`)).status, 403);
  t.is((await tecnico.get(`/clientes/${id}/quem-viu`)).status, 403);
  const outro = await entrarNoPainel(api, await fabrica.provedor());
  for (const caminho of ['', '/editar', '/cancelar', '/situacao', '/apagar', '/quem-viu']) {
    t.is((await outro.get(`/clientes/${id}${caminho}`)).status, 404, caminho);
  }
});

test.serial(
  'a ficha diz o que responde à ligação, a promessa e os últimos contatos com os seus protocolos',
  async (t) => {
    const provedor = await fabrica.provedor();
    const cliente = await criar(provedor);
    const pessoa = await entrarNoPainel(api, provedor);
    const plano_id = await fabrica.plano(provedor);
    const contrato = await fabrica.contrato(provedor, { cliente_id: cliente, plano_id });
    t.false((await pessoa.get(`/clientes/${cliente}`)).texto.includes('Se ligar agora'));
    await fabrica.fatura(provedor, { cliente_id: cliente, contrato_id: contrato });
    const protocolo = await mudar(provedor, async ({ atendimentos, promessas }) => {
      await promessas.registrar(
        contrato,
        lerData(new Date(relogio.agora().getTime() + 86_400_000).toISOString().slice(0, 10))!,
      );
      return atendimentos.registrar({
        clienteId: cliente,
        contratoId: null,
        canal: 'ura',
        assunto: 'Segunda via',
        resumo: null,
      });
    });
    const { texto } = await pessoa.get(`/clientes/${cliente}`);
    t.regex(texto, /Se ligar agora:<\/strong> há fatura vencida\./);
    t.regex(texto, /pagar até \d\d\/\d\d\/2026/);
    t.true(texto.includes(protocolo) && texto.includes('Segunda via'));
    t.true((await pessoa.get(`/clientes/${cliente}?aba=chamados`)).texto.includes(protocolo));
    const tecnico = await entrarNoPainel(api, provedor, 'tecnico');
    t.false((await tecnico.get(`/clientes/${cliente}`)).texto.includes('pagar até'));
  },
);

test.serial('a ficha diz o que a rede respondeu à liberação, o atraso, a parte paga e os protocolos', async (t) => {
  const provedor = await fabrica.provedor({}, { desbloqueio_habilitado: 1, desbloqueio_dias: 3 });
  const cliente = await criar(provedor);
  const pessoa = await entrarNoPainel(api, provedor);
  const plano_id = await fabrica.plano(provedor);
  const contrato = await fabrica.contrato(provedor, {
    cliente_id: cliente,
    plano_id,
    situacao: 'bloqueado',
    bloqueio_origem: 'financeiro',
  });
  await mudar(provedor, async ({ desbloqueios }) => desbloqueios.aplicar(contrato, null));
  const pedido = api.dono('rede_pedidos').where({ contrato_id: contrato });
  const { id: pedido_id } = await pedido.clone().first('id');
  const ficha = async (aba: string): Promise<string> =>
    (await pessoa.get(`/clientes/${cliente}?aba=${aba}`)).texto.replaceAll(/\s+/g, ' ');
  const ABAS = ['resumo', 'contratos', 'conexao'];
  for (const aba of ABAS) {
    const texto = await ficha(aba);
    t.regex(texto, /Liberado em confiança até .*\. A rede ainda não respondeu à liberação\./, aba);
    t.false(texto.includes('Não: liberado'), aba);
  }
  const nasipaddress = '10.44.0.1';
  await fabrica.nas(provedor, nasipaddress);
  const { login } = await api.dono('contratos').where({ id: contrato }).first('login');
  await fabrica.sessao({ username: login, nasipaddress, acctstarttime: '2026-11-20 14:00:00' });
  const { radacctid } = await api.dono('radacct').where({ username: login }).first('radacctid');
  const quando = toDatabaseTime(relogio.agora());
  await pedido.clone().update({ aplicado_em: quando, resultado: 'aplicado' });
  const sessao = { pedido_id, contrato_id: contrato, radacctid, nasipaddress, proxima_em: quando, criado_em: quando };
  await api
    .dono('rede_desconexoes')
    .insert({ provedor_id: provedor, ...sessao, estado: 'sem_resposta', concluida_em: quando });
  for (const aba of ABAS) t.regex(await ficha(aba), /O servidor não respondeu à liberação/, aba);
  await api.dono('rede_desconexoes').where({ contrato_id: contrato }).update({ estado: 'aceita' });
  for (const aba of ABAS) t.regex(await ficha(aba), /Não: liberado em confiança até .*\. Liberado na rede\./, aba);

  await fabrica.fatura(provedor, {
    cliente_id: cliente,
    contrato_id: contrato,
    vencimento: '2026-11-10',
    valor_pago: '20.00',
  });
  const protocolo = '20261120000077';
  await fabrica.chamado(provedor, { cliente_id: cliente, protocolo });
  const resumo = await ficha('resumo');
  t.regex(resumo, /Vencida<\/span> 10\/11\/2026 · \d+ dias de atraso · paga em parte/);
  t.true(resumo.includes(protocolo));
});

test.serial('cancelar diz antes o que acontece; reativar e mudar a situação seguem as regras', async (t) => {
  const provedor = await fabrica.provedor();
  const id = await criar(provedor);
  const contrato = await fabrica.contrato(provedor, { cliente_id: id, plano_id: await fabrica.plano(provedor) });
  const futura = await fabrica.fatura(provedor, { cliente_id: id, contrato_id: contrato, vencimento: '2026-12-10' });
  const pessoa = await entrarNoPainel(api, provedor);
  const pergunta = (await pessoa.get(`/clientes/${id}/cancelar`)).texto;
  t.regex(pergunta, /1 contrato será cancelado/);
  t.regex(pergunta, /cancelada, esse mês não se cobra mais/);
  const feito = await pessoa.post(`/clientes/${id}/cancelar`, { faturas_futuras: 'cancelar', motivo: '' });
  t.is(feito.headers['location'], `/painel/clientes/${id}?feito=cancelado`);
  t.is((await api.dono('clientes').where({ id }).first()).situacao, 'cancelado');
  t.is((await api.dono('contratos').where({ id: contrato }).first()).situacao, 'cancelado');
  t.is((await api.dono('faturas').where({ id: futura }).first()).situacao, 'cancelada');
  const versao = versaoEm((await pessoa.get(`/clientes/${id}/situacao`)).texto);
  const proibida = await pessoa.post(`/clientes/${id}/situacao`, { situacao: 'inativo', atualizado_em: versao });
  t.is(proibida.status, 422);
  t.is((await pessoa.post(`/clientes/${id}/situacao`, { situacao: 'ativo', atualizado_em: versao })).status, 303);
  t.is((await api.dono('clientes').where({ id }).first()).situacao, 'ativo');
  t.is((await (await entrarNoPainel(api, provedor, 'atendimento')).post(`/clientes/${id}/cancelar`)).status, 403);
});

test.serial('o apagamento mostra antes o que sairia sem apagar nada, e pede certeza e prova', async (t) => {
  const provedor = await fabrica.provedor();
  const id = await criar(provedor, { email: 'maria@exemplo.com.br', telefones: ['35999990001'] });
  const chamado = await fabrica.chamado(provedor, { cliente_id: id });
  const pessoa = await entrarNoPainel(api, provedor);
  const comPendencia = await pessoa.post(`/clientes/${id}/apagar/simular`);
  t.is(comPendencia.status, 422);
  t.regex(comPendencia.texto, /O cliente tem chamado em aberto/);
  await api
    .dono('chamados')
    .where({ id: chamado })
    .update({ situacao: 'solucionado', fechado_em: '2026-11-02 09:00:00' });
  const simulado = await pessoa.post(`/clientes/${id}/apagar/simular`);
  t.is(simulado.status, 200);
  t.regex(simulado.texto, /cadastro: email/);
  t.is((await api.dono('clientes').where({ id }).first()).email, 'maria@exemplo.com.br');
  t.is((await pessoa.post(`/clientes/${id}/apagar`)).status, 422);
  relogio.avancar(11 * 60_000);
  t.regex((await pessoa.post(`/clientes/${id}/apagar`, { certeza: 'sim' })).texto, /Confirme que é você/);
  const feito = await pessoa.post(`/clientes/${id}/apagar`, { certeza: 'sim', _senha: SENHA_DO_PAINEL });
  t.is(feito.status, 303);
  t.is((await api.dono('clientes').where({ id }).first()).email, null);
  t.regex((await pessoa.get(`/clientes/${id}`)).texto, /Os dados foram apagados a pedido do titular/);
});
