import test from 'ava';
import type { ExecutionContext } from 'ava';
import { AUTOR } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api, Resposta } from '../../support/api.ts';
import { camposErrados, errosDe, pedirAoApp } from '../../support/app-api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { CPF, SENHA, criarAssinante } from '../../domain/acessos/apoio.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const relogio = relogioEm(AGORA);
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2, proxies: 1 });
});
test.after.always(async () => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

let redes = 0;

/** A subscriber in a session, with a contract at a server of the provider's. */
async function cenario() {
  const c = await criarAssinante(api);
  const { access, sessaoId } = await c.entrar();
  const id = c.provedor.id;
  await api.dono('regras_cobranca').where({ provedor_id: id }).update({ desbloqueio_habilitado: 1 });
  redes += 1;
  const nas = `10.${redes}.0.1`;
  await c.fabrica.nas(id, nas);
  await api.dono('nas').insert({ nasname: nas, shortname: `bng-${redes}`, secret: 'x' });
  const plano = await c.fabrica.plano(id);
  const contrato = await c.fabrica.contrato(id, { cliente_id: c.cliente, plano_id: plano, cidade: 'Alfenas' });
  const doApp = pedirAoApp(api);
  /** Asks either process, each time from a source of its own. */
  let vez = 0;
  const pedir = async (
    metodo: string,
    caminho: string,
    { corpo, processo = 0, headers = {} }: { corpo?: unknown; processo?: number; headers?: object } = {},
  ): Promise<Resposta> =>
    doApp(metodo, caminho, {
      processo,
      ...(corpo === undefined ? {} : { corpo }),
      headers: {
        authorization: `Bearer ${access}`,
        'x-forwarded-for': `198.18.${redes}.${(vez += 1)}`,
        ...(headers as Record<string, string>),
      },
    });
  const auditoria = async () =>
    api.dono('auditoria').where('provedor_id', id).orderBy('id', 'desc').first('acao', 'autor', 'recurso_id', 'ip');
  return { ...c, id, nas, plano, contrato, sessaoId, pedir, auditoria };
}

function recusado(t: ExecutionContext, resposta: Resposta, status: number, codigo: string, campo: string | null): void {
  t.deepEqual([resposta.status, errosDe(resposta)[0]], [status, [codigo, campo]], resposta.texto);
}

/** Blocks a contract for an invoice that is late. */
async function bloquear(c: Awaited<ReturnType<typeof cenario>>): Promise<number> {
  const fatura = await c.fabrica.fatura(c.id, { cliente_id: c.cliente, contrato_id: c.contrato });
  await api
    .dono('contratos')
    .where({ id: c.contrato })
    .update({ situacao: 'bloqueado', bloqueio_origem: 'financeiro', bloqueado_em: '2026-11-19 03:10:00' });
  return fatura;
}

test.serial(
  'GET /client: o cliente é o cadastro mais novo que não está cancelado, com os contratos de todos',
  async (t) => {
    const c = await cenario();
    const cancelado = await c.fabrica.cliente(c.id, { cpf_cnpj: CPF, situacao: 'cancelado', nome: 'Maria Antiga' });
    const antigo = await c.fabrica.contrato(c.id, {
      cliente_id: cancelado,
      plano_id: c.plano,
      situacao: 'cancelado',
      login: null,
    });
    await c.fabrica.cliente(c.id, { cpf_cnpj: CPF, situacao: 'pre_cadastro', nome: 'Estranho', email: 'x@malha.test' });
    const { status, corpo, texto } = await c.pedir('GET', '/client');
    t.is(status, 200, texto);
    t.like(corpo.data, {
      id: c.cliente,
      name: 'Maria da Silva',
      trade_name: null,
      type: 'pf',
      cpf_cnpj: CPF,
      email: 'maria@malha.test',
      phones: ['35999990001'],
      status: 'ativo',
      registrations: [
        { id: c.cliente, status: 'ativo' },
        { id: cancelado, status: 'cancelado' },
      ],
    });
    t.false(texto.includes('Estranho'));
    t.regex(texto, /"amount":99\.90,/);
    t.deepEqual(
      corpo.data.contracts.map((um: { id: number; client_id: number }) => [um.id, um.client_id]),
      [
        [c.contrato, c.cliente],
        [antigo, cancelado],
      ],
    );
    t.like(corpo.data.contracts[0], {
      status: 'ativo',
      connection: 'desconhecido',
      billing_type: 'pos_pago',
      due_day: 10,
      blocked_at: null,
      trust_unblock: { active: false, until: null, available: false, reason: 'contrato_nao_bloqueado', days: 3 },
    });
    t.is(corpo.data.contracts[0].installation_address.city, 'Alfenas');
  },
);

test.serial('GET /client: guardado, e ninguém lê o de antes de uma escrita; cada assinante lê o seu', async (t) => {
  const c = await cenario();
  const um = await c.pedir('GET', '/client');
  const outro = await c.pedir('GET', '/client', { headers: { 'if-none-match': String(um.headers.etag) } });
  t.is(outro.status, 304);
  t.is(outro.headers['cache-control'], 'private, no-cache');
  await c.pedir('GET', '/client', { processo: 1 });
  t.is((await c.pedir('PUT', '/client', { corpo: { address: { city: 'Serrania' } } })).status, 200);
  t.is((await c.pedir('GET', '/client', { processo: 1 })).corpo.data.address.city, 'Serrania');
  // Of somebody else, at the same address and of the same provider.
  const vizinho = await c.fabrica.cliente(c.id, { cpf_cnpj: '11144477735', nome: 'José' });
  await c.definir((await c.gerar(vizinho)).codigo, SENHA, '11144477735');
  const { access } = await c.entrar(SENHA, '11144477735');
  const dele = await c.pedir('GET', '/client', { headers: { authorization: `Bearer ${access}` } });
  t.is(dele.corpo.data.name, 'José');
  // A registration that becomes one of his is seen at once, too.
  await api.container.changeTenant(AUTOR, c.provedor, async (_, { clientes }) => clientes.cancelar(vizinho));
  t.is(
    (await c.pedir('GET', '/client', { headers: { authorization: `Bearer ${access}` } })).corpo.data.status,
    'cancelado',
  );
});

test.serial('PUT /client: muda o que vem e deixa o resto; o ato é do assinante', async (t) => {
  const c = await cenario();
  const { status, corpo, texto } = await c.pedir('PUT', '/client', {
    corpo: {
      email: 'nova@malha.test',
      phones: ['(35) 98888-0001', '35988880001'],
      address: { zip_code: '37130-001', street: 'Rua A', state: 'mg' },
      senha: SENHA,
    },
    headers: { 'idempotency-key': 'mudar' },
  });
  t.is(status, 200, texto);
  t.like(corpo.data, { email: 'nova@malha.test', phones: ['35988880001'], name: 'Maria da Silva' });
  t.like(corpo.data.address, { zip_code: '37130001', street: 'Rua A', state: 'MG', city: null });
  t.like(await c.auditoria(), { acao: 'cliente.atualizado', autor: 'App', recurso_id: c.cliente });
  const [anterior] = await api.dono('clientes_emails_anteriores').where({ provedor_id: c.id, cliente_id: c.cliente });
  t.is(anterior?.email, 'maria@malha.test', 'a quem o aviso vai');
  const limpo = await c.pedir('PUT', '/client', { corpo: { email: null, address: { street: null }, senha: SENHA } });
  t.like(limpo.corpo.data, { email: null, phones: ['35988880001'] });
  t.like(limpo.corpo.data.address, { street: null, zip_code: '37130001' });
});

test.serial(
  'PUT /client: todos os campos errados, pelos nomes com que vieram; nome, documento e nascimento não',
  async (t) => {
    const c = await cenario();
    const errada = async (corpo: object) => camposErrados(await c.pedir('PUT', '/client', { corpo }));
    const tudo = { email: 'x', phones: ['1'], address: { zip_code: '1', state: 'XX' }, trade_name: 'Loja', name: 'Eu' };
    t.deepEqual(await errada(tudo), [
      'address.state',
      'address.zip_code',
      'email',
      'name',
      'phones.0',
      'senha',
      'trade_name',
    ]);
    t.deepEqual(await errada({ cpf_cnpj: CPF, birth_date: '1990-01-01' }), ['birth_date', 'cpf_cnpj', 'null']);
    t.deepEqual(await errada({ phones: [], senha: SENHA }), ['phones']);
    t.deepEqual(await errada({ phones: Array.from({ length: 6 }, (_, n) => `3598888000${n}`), senha: SENHA }), [
      'phones',
    ]);
    t.deepEqual(await errada({ email: 'a@malha.test' }), ['senha']);
    t.deepEqual(await errada({ senha: SENHA }), ['null']);
    t.deepEqual(await errada({}), ['null']);
    t.deepEqual(await errada({ address: {} }), ['address']);
    t.deepEqual(await errada({ address: { rua: 'A' } }), ['address.rua']);
    t.is((await c.pedir('GET', '/client')).corpo.data.email, 'maria@malha.test');
  },
);

test.serial('PUT /client: a senha confere, e cada erro conta como num login', async (t) => {
  const c = await cenario();
  const mudar = async (senha: string) => c.pedir('PUT', '/client', { corpo: { email: 'outro@malha.test', senha } });
  for (let n = 0; n < 5; n += 1) recusado(t, await mudar('errada'), 401, 'credenciais_incorretas', 'senha');
  const esperar = await mudar(SENHA);
  recusado(t, esperar, 429, 'tentativas_excedidas', null);
  t.regex(String(esperar.headers['retry-after']), /^[1-9]\d*$/);
  t.is((await c.pedir('PUT', '/client', { corpo: { address: { city: 'Alfenas' } } })).status, 200, 'sem senha, sim');
});

test.serial('PUT /client: 403 enquanto o provedor não deixa, ainda que o corpo esteja errado', async (t) => {
  const c = await cenario();
  const { configuracaoDoApp } = api.container;
  t.is((await c.pedir('PUT', '/client', { corpo: { address: { city: 'Alfenas' } } })).status, 200);
  t.true(await configuracaoDoApp.configurar(AUTOR, c.id, { edita_cadastro: false }));
  t.false(await configuracaoDoApp.configurar(AUTOR, c.id, { edita_cadastro: false }));
  t.deepEqual(await configuracaoDoApp.buscar(c.id), { origens: [], editaCadastro: false });
  for (const processo of [0, 1]) {
    const recusada = await c.pedir('PUT', '/client', { corpo: { nada: 1 }, processo });
    recusado(t, recusada, 403, 'permissao_insuficiente', null);
    t.is(recusada.corpo.message, 'O provedor não deixa mudar o cadastro pelo app.');
  }
  t.is((await c.pedir('GET', '/client')).status, 200);
});

test.serial('PUT /client: o nome fantasia é de pessoa jurídica', async (t) => {
  const c = await cenario();
  const cnpj = '11222333000181';
  const empresa = await c.fabrica.cliente(c.id, { cpf_cnpj: cnpj, tipo: 'pj', nome: 'Padaria Ltda' });
  await c.definir((await c.gerar(empresa)).codigo, SENHA, cnpj);
  const { access } = await c.entrar(SENHA, cnpj);
  const headers = { authorization: `Bearer ${access}` };
  const { corpo } = await c.pedir('PUT', '/client', { corpo: { trade_name: 'Padaria da Praça' }, headers });
  t.like(corpo.data, { id: empresa, trade_name: 'Padaria da Praça', type: 'pj' });
});

test.serial('GET /contracts/{id}/connection: estado, quedas, servidor, sessões e o aviso em vigor', async (t) => {
  const c = await cenario();
  const { login } = await api.dono('contratos').where({ id: c.contrato }).first('login');
  await c.fabrica.conexao(c.id, { contrato_id: c.contrato, ouvida_em: '2026-11-20 14:59:00', nas: c.nas });
  await c.fabrica.quedas(c.id, { contrato_id: c.contrato, dia: '2026-11-20', quedas: 2 });
  await c.fabrica.quedas(c.id, { contrato_id: c.contrato, dia: '2026-11-01', quedas: 3 });
  await c.fabrica.sessao({
    username: login,
    nasipaddress: c.nas,
    acctstarttime: '2026-11-18 10:00:00',
    acctstoptime: '2026-11-18 11:00:00',
    acctterminatecause: 'Lost-Carrier',
  });
  const ler = async (processo = 0) => c.pedir('GET', `/contracts/${c.contrato}/connection`, { processo });
  const { corpo, texto } = await ler();
  t.like(
    corpo.data,
    {
      contract_id: c.contrato,
      connection: 'online',
      source: 'radius',
      drops_7_days: 2,
      drops_30_days: 5,
      notice: null,
    },
    texto,
  );
  t.regex(corpo.data.server.name, /^bng-/);
  t.deepEqual(corpo.data.sessions, [
    {
      started_at: '2026-11-18T10:00:00.000Z',
      ended_at: '2026-11-18T11:00:00.000Z',
      duration_seconds: 3600,
      cause: 'lost_carrier',
    },
  ]);
  await ler(1);
  const abrir = async (titulo: string, mais: object = {}) =>
    api.container.changeTenant(AUTOR, c.provedor, async (_, { avisosDeRede }) =>
      avisosDeRede.abrir({
        tipo: 'interrupcao',
        titulo,
        texto: 'Já vamos.',
        alvos: [{ tipo: 'nas', nas: c.nas }],
        ...mais,
      }),
    );
  await abrir('Agendado', { inicio: '2026-11-20T16:00:00.000Z' });
  t.is((await ler()).corpo.data.notice, null);
  const { id } = await abrir('Fibra rompida');
  t.like((await ler(1)).corpo.data.notice, { id, title: 'Fibra rompida', contract_ids: [c.contrato], ended_at: null });
});

test.serial('GET /notices: os que tocam quem pergunta, abertos ou encerrados há até 3 dias', async (t) => {
  const c = await cenario();
  const semNada = await c.pedir('GET', '/notices');
  t.deepEqual(semNada.corpo.data, []);
  const outro = await c.fabrica.contrato(c.id, { cliente_id: c.cliente, plano_id: c.plano, cidade: 'Serrania' });
  await api.container.write(AUTOR, c.id, async (w) => w.touch(`cliente:${c.cliente}`));
  const abrir = async (titulo: string, alvos: object[]) =>
    api.container.changeTenant(AUTOR, c.provedor, async (_, { avisosDeRede }) =>
      avisosDeRede.abrir({ tipo: 'manutencao', titulo, texto: 'Troca de rádio.', alvos }),
    );
  const { id } = await abrir('Em Alfenas', [{ tipo: 'cidade', cidade: 'Alfenas' }]);
  relogio.avancar(1000);
  await abrir('Em outra', [{ tipo: 'cidade', cidade: 'Varginha' }]);
  const { id: deTodos } = await abrir('De todos', [{ tipo: 'todos' }]);
  const { corpo } = await c.pedir('GET', '/notices');
  t.deepEqual(
    corpo.data.map(({ id: um, kind, contract_ids: quais }: Record<string, unknown>) => [um, kind, quais]),
    [
      [deTodos, 'manutencao', [c.contrato, outro]],
      [id, 'manutencao', [c.contrato]],
    ],
  );
  await api.container.changeTenant(AUTOR, c.provedor, async (_, { avisosDeRede }) => avisosDeRede.encerrar(id));
  t.is((await c.pedir('GET', '/notices')).corpo.data[1].ended_at, '2026-11-20T15:00:01.000Z');
  relogio.avancar(3 * 86_400_000);
  const { access } = await c.entrar();
  const depois = await c.pedir('GET', '/notices', { headers: { authorization: `Bearer ${access}` } });
  t.deepEqual(
    depois.corpo.data.map(({ id: um }: { id: number }) => um),
    [deTodos],
  );
});

test.serial('GET /contracts/{id}/usage: os dias do mês até hoje, e até 13 meses atrás', async (t) => {
  const c = await cenario();
  const dias = [
    ['2026-11-01', 1000, 100],
    ['2026-11-20', 9_007_199_254_000, 7],
    ['2026-10-31', 5, 5],
    ['2025-10-20', 3, 2],
  ] as const;
  for (const [dia, download_bytes, upload_bytes] of dias) {
    await api
      .dono('trafego_diario')
      .insert({ provedor_id: c.id, contrato_id: c.contrato, dia, download_bytes, upload_bytes });
  }
  const ler = async (consulta = '') => c.pedir('GET', `/contracts/${c.contrato}/usage${consulta}`);
  const { corpo } = await ler();
  t.like(corpo.data, { month: '2026-11', download_bytes: 9_007_199_255_000, upload_bytes: 107 });
  t.is(corpo.data.days.length, 20);
  t.deepEqual(corpo.data.days[0], { date: '2026-11-01', download_bytes: 1000, upload_bytes: 100 });
  t.deepEqual(corpo.data.days[1], { date: '2026-11-02', download_bytes: 0, upload_bytes: 0 });
  const outubro = (await ler('?month=2026-10')).corpo.data;
  t.deepEqual([outubro.days.length, outubro.download_bytes], [31, 5]);
  // Of the oldest month the days that are not kept are left out: 400 before today.
  const antigo = (await ler('?month=2025-10')).corpo.data;
  t.deepEqual([antigo.days[0].date, antigo.days.length, antigo.download_bytes], ['2025-10-16', 16, 3]);
  for (const mes of ['2025-09', '2026-12', '2026-13', 'ontem']) {
    recusado(t, await ler(`?month=${mes}`), 400, 'parametro_invalido', 'month');
  }
  await api.dono('trafego_diario').where({ contrato_id: c.contrato, dia: '2026-11-20' }).update({ upload_bytes: 8 });
  t.is((await ler()).corpo.data.upload_bytes, 107, 'por até 10 segundos é a de antes');
  relogio.avancar(10_001);
  t.is((await ler()).corpo.data.upload_bytes, 108);
});

test.serial(
  'POST /contracts/{id}/trust-unblock: as regras da API pública, e GET /client diz antes o que dirá',
  async (t) => {
    const c = await cenario();
    const aplicar = async (corpo?: object) =>
      c.pedir('POST', `/contracts/${c.contrato}/trust-unblock`, corpo === undefined ? {} : { corpo });
    const dito = async () => (await c.pedir('GET', '/client', { processo: 1 })).corpo.data.contracts[0].trust_unblock;
    recusado(t, await aplicar(), 422, String((await dito()).reason), null);
    const fatura = await bloquear(c);
    await api.container.write(AUTOR, c.id, async (w) => w.touch(`cliente:${c.cliente}`));
    t.like(await dito(), { active: false, available: true, reason: null, days: 3 });
    recusado(t, await aplicar({ reason: 'x'.repeat(501) }), 400, 'parametro_invalido', 'reason');
    const feito = await aplicar({ reason: 'Pago amanhã.' });
    t.is(feito.status, 201, feito.texto);
    t.deepEqual(feito.corpo.data, { contract_id: c.contrato, days: 3, until: '2026-11-24T02:59:59.999Z' });
    t.like(await c.auditoria(), { acao: 'contrato.desbloqueado', autor: 'App', recurso_id: c.contrato });
    t.deepEqual(await dito(), {
      active: true,
      until: '2026-11-24T02:59:59.999Z',
      available: false,
      reason: 'desbloqueio_ativo',
      days: 3,
    });
    recusado(t, await aplicar(), 409, 'desbloqueio_ativo', null);
    // It is over, the contract is blocked again, and what it was for is still owed.
    await api
      .dono('desbloqueios_confianca')
      .where({ contrato_id: c.contrato })
      .update({ encerrado_em: '2026-11-20 14:00:00' });
    await bloquear(c);
    await api.container.write(AUTOR, c.id, async (w) => w.touch(`cliente:${c.cliente}`));
    t.like(await dito(), { available: false, reason: 'fatura_anterior_em_aberto' });
    recusado(t, await aplicar(), 422, 'fatura_anterior_em_aberto', null);
    await api.dono('faturas').where({ id: fatura }).update({ situacao: 'paga' });
    await api.container.write(AUTOR, c.id, async (w) => w.touch(`fatura:${fatura}`));
    t.like(await dito(), { available: true });
  },
);

test.serial('um contrato de cadastro que só é pré-cadastro não é de quem tem o documento', async (t) => {
  const c = await cenario();
  const estranho = await c.fabrica.cliente(c.id, { cpf_cnpj: CPF, situacao: 'pre_cadastro' });
  const contrato = await c.fabrica.contrato(c.id, { cliente_id: estranho, plano_id: c.plano, situacao: 'pendente' });
  for (const parte of ['connection', 'usage']) {
    recusado(t, await c.pedir('GET', `/contracts/${contrato}/${parte}`), 404, 'nao_encontrado', null);
  }
  recusado(t, await c.pedir('POST', `/contracts/${contrato}/trust-unblock`), 404, 'nao_encontrado', null);
});
