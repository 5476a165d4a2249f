import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

const SITUACOES = ['pendente', 'ativo', 'bloqueado', 'inativo', 'cancelado', 'cancelado_definitivo'];
const AGORA = '2026-11-20T15:00:00Z';

const relogio = relogioEm(AGORA);
let api: Api;
let fabrica: Fabrica;
let meu: Povoado;
let alheio: Povoado;
let chave: string;

interface Povoado {
  readonly provedor: number;
  readonly plano: number;
  readonly cliente: number;
}

async function povoar(): Promise<Povoado> {
  const provedor = await fabrica.provedor();
  const plano = await fabrica.plano(provedor, { nome: 'Fibra 500', download_mbps: 500, upload_mbps: 250 });
  return { provedor, plano, cliente: await fabrica.cliente(provedor) };
}

test.before(async () => {
  api = await criarApi({ relogio });
  fabrica = criarFabrica(api.dono);
  meu = await povoar();
  alheio = await povoar();
  ({ texto: chave } = await api.criarChave(meu.provedor));
});
test.after.always(() => api.fechar());

async function contrato(linha: Record<string, unknown> = {}, de = meu): Promise<number> {
  return fabrica.contrato(de.provedor, { cliente_id: de.cliente, plano_id: de.plano, ...linha });
}

async function ler(id: number): Promise<any> {
  const { status, corpo } = await api.get(`/contratos/${id}`, { chave });
  if (status !== 200) throw new Error(JSON.stringify(corpo));
  return corpo.dados;
}

test('Contrato: todos os campos', async (t) => {
  const endereco = {
    cep: '37130001',
    logradouro: 'Rua das Acácias',
    numero: '120',
    complemento: 'Casa 2',
    bairro: 'Centro',
    cidade: 'Alfenas',
    uf: 'MG',
  };
  const id = await contrato({
    situacao: 'bloqueado',
    tipo_conexao: 'ipoe',
    login: 'maria.silva',
    mac: 'D4:6E:0E:11:22:33',
    ip: '100.64.10.7',
    tipo_cobranca: 'pre_pago',
    dia_vencimento: 31,
    valor: '99.90',
    ativado_em: '2024-02-29',
    bloqueado_em: '2026-11-19 03:00:00.001',
    bloqueio_origem: 'financeiro',
    ...endereco,
  });
  const { status, corpo, texto } = await api.get(`/contratos/${id}`, { chave });
  t.is(status, 200);
  t.deepEqual(corpo, {
    sucesso: true,
    dados: {
      id,
      cliente_id: meu.cliente,
      situacao: 'bloqueado',
      conexao: 'desconhecido',
      tipo_conexao: 'ipoe',
      login: 'maria.silva',
      mac: 'D4:6E:0E:11:22:33',
      ip: '100.64.10.7',
      tipo_cobranca: 'pre_pago',
      dia_vencimento: 31,
      valor: 99.9,
      ativado_em: '2024-02-29',
      bloqueado_em: '2026-11-19T03:00:00.001Z',
      desbloqueio_confianca: { ativo: false, ate: null },
      plano: { id: meu.plano, nome: 'Fibra 500', download_mbps: 500, upload_mbps: 250 },
      endereco_instalacao: endereco,
      avisos: [],
    },
  });
  t.true(texto.includes('"valor":99.90,'));
});

test('Contrato: login, mac, ip, ativado_em, bloqueado_em e o endereço de instalação sem informação são nulos, nunca omitidos', async (t) => {
  const dados = await ler(await contrato({ login: null }));
  for (const campo of ['login', 'mac', 'ip', 'ativado_em', 'bloqueado_em']) t.is(dados[campo], null, campo);
  t.deepEqual(dados.endereco_instalacao, {
    cep: null,
    logradouro: null,
    numero: null,
    complemento: null,
    bairro: null,
    cidade: null,
    uf: null,
  });
});

for (const situacao of SITUACOES) {
  test(`Contrato.situacao pode ser ${situacao}`, async (t) => {
    t.is((await ler(await contrato({ situacao }))).situacao, situacao);
  });
}

for (const tipo_cobranca of ['pos_pago', 'pre_pago', 'isento']) {
  test(`Contrato.tipo_cobranca pode ser ${tipo_cobranca}`, async (t) => {
    t.is((await ler(await contrato({ tipo_cobranca }))).tipo_cobranca, tipo_cobranca);
  });
}

test('Contrato.valor é o do contrato, não o do plano', async (t) => {
  t.is((await ler(await contrato({ valor: '79.05' }))).valor, 79.05);
});

test('Contrato.plano é o do contrato, também quando já não está ativo', async (t) => {
  const plano = await fabrica.plano(meu.provedor, {
    nome: 'Rádio 10',
    download_mbps: 10,
    upload_mbps: 2,
    ativo: 0,
  });
  t.deepEqual((await ler(await contrato({ plano_id: plano }))).plano, {
    id: plano,
    nome: 'Rádio 10',
    download_mbps: 10,
    upload_mbps: 2,
  });
});

test('Contrato.endereco_instalacao é o do contrato, não o do cliente', async (t) => {
  const cliente = await fabrica.cliente(meu.provedor, { cidade: 'Alfenas', uf: 'MG' });
  const id = await contrato({ cliente_id: cliente, cidade: 'Varginha', uf: 'MG' });
  t.is((await ler(id)).endereco_instalacao.cidade, 'Varginha');
  t.is((await api.get(`/clientes/${cliente}`, { chave })).corpo.dados.endereco.cidade, 'Alfenas');
});

test('Contrato.desbloqueio_confianca sem desbloqueio é ativo false e ate nulo', async (t) => {
  t.deepEqual((await ler(await contrato())).desbloqueio_confianca, { ativo: false, ate: null });
});

test('Contrato.desbloqueio_confianca em vigor é ativo true, e ate o fim do período', async (t) => {
  const id = await contrato();
  await fabrica.desbloqueio(meu.provedor, { contrato_id: id, ate: '2026-11-24 02:59:59.999' });
  t.deepEqual((await ler(id)).desbloqueio_confianca, { ativo: true, ate: '2026-11-24T02:59:59.999Z' });
});

test('Contrato.desbloqueio_confianca cujo ate passou não está em vigor, mesmo que nenhum job o tenha encerrado', async (t) => {
  const id = await contrato();
  await fabrica.desbloqueio(meu.provedor, { contrato_id: id, ate: '2026-11-20 14:59:59.999' });
  t.deepEqual((await ler(id)).desbloqueio_confianca, { ativo: false, ate: null });
});

test('Contrato.desbloqueio_confianca encerrado antes de ate não está em vigor', async (t) => {
  const id = await contrato();
  await fabrica.desbloqueio(meu.provedor, {
    contrato_id: id,
    ate: '2026-11-24 02:59:59.999',
    encerrado_em: '2026-11-20 10:00:00.000',
  });
  t.deepEqual((await ler(id)).desbloqueio_confianca, { ativo: false, ate: null });
});

test('Contrato.desbloqueio_confianca é o em vigor, não um anterior nem o de outro contrato', async (t) => {
  const id = await contrato();
  const outro = await contrato();
  await fabrica.desbloqueio(meu.provedor, {
    contrato_id: id,
    ate: '2026-10-05 02:59:59.999',
    encerrado_em: '2026-10-05 03:00:10.000',
  });
  await fabrica.desbloqueio(meu.provedor, { contrato_id: id, ate: '2026-11-22 02:59:59.999' });
  await fabrica.desbloqueio(meu.provedor, { contrato_id: outro, ate: '2026-12-31 02:59:59.999' });
  t.deepEqual((await ler(id)).desbloqueio_confianca, { ativo: true, ate: '2026-11-22T02:59:59.999Z' });
});

test.serial('Contrato.desbloqueio_confianca é julgado pela hora da leitura: vale até ate, inclusive', async (t) => {
  t.teardown(() => relogio.definir(AGORA));
  const id = await contrato();
  await fabrica.desbloqueio(meu.provedor, { contrato_id: id, ate: '2026-11-22 02:59:59.999' });
  const em = async (instante: string) => {
    relogio.definir(instante);
    const doCliente = (await api.get(`/clientes/${meu.cliente}`, { chave })).corpo.dados.contratos;
    const contratoLido = await ler(id);
    t.deepEqual(
      doCliente.find((outro: { id: number }) => outro.id === id),
      contratoLido,
    );
    return contratoLido.desbloqueio_confianca.ativo;
  };
  t.true(await em('2026-11-22T02:59:59.999Z'));
  t.false(await em('2026-11-22T03:00:00.000Z'));
});

test('Contrato.conexao é desconhecido sem login, e com login que nunca teve sessão', async (t) => {
  t.is((await ler(await contrato({ login: null }))).conexao, 'desconhecido');
  t.is((await ler(await contrato())).conexao, 'desconhecido');
});

test('Contrato.conexao é online com sessão aberta ouvida há até 2 intervalos, e offline além disso', async (t) => {
  const conectado = async (ouvida_em: string | null, intervalo_segundos: number | null) => {
    const contrato_id = await contrato();
    await fabrica.conexao(meu.provedor, { contrato_id, ouvida_em, intervalo_segundos });
    return (await ler(contrato_id)).conexao;
  };
  t.is(await conectado('2026-11-20 14:50:00.000', 300), 'online');
  t.is(await conectado('2026-11-20 14:49:59.000', 300), 'offline');
  t.is(await conectado('2026-11-20 14:00:00.000', 1800), 'online');
  t.is(await conectado('2026-11-20 13:59:59.000', 1800), 'offline');
  // Without an interval of its own, the configured one: 300 s.
  t.is(await conectado('2026-11-20 14:50:00.000', null), 'online');
  t.is(await conectado('2026-11-20 14:49:59.000', null), 'offline');
});

test('Contrato.conexao é offline com login conhecido e nenhuma sessão aberta', async (t) => {
  const contrato_id = await contrato();
  await fabrica.conexao(meu.provedor, { contrato_id, ouvida_em: null });
  t.is((await ler(contrato_id)).conexao, 'offline');
});

test('Contrato.conexao é o mesmo no cliente, no contrato e na conexão', async (t) => {
  const cliente_id = await fabrica.cliente(meu.provedor);
  const contrato_id = await contrato({ cliente_id });
  await fabrica.conexao(meu.provedor, { contrato_id, ouvida_em: '2026-11-20 14:58:00.000', intervalo_segundos: 300 });
  t.is((await ler(contrato_id)).conexao, 'online');
  t.is((await api.get(`/contratos/${contrato_id}/conexao`, { chave })).corpo.dados.conexao, 'online');
  t.is((await api.get(`/clientes/${cliente_id}`, { chave })).corpo.dados.contratos[0].conexao, 'online');
});

test('GET /contratos/{id}: contrato que não existe, ou de outro provedor, é 404 nao_encontrado', async (t) => {
  for (const id of [999_999, await contrato({}, alheio)]) {
    const { status, corpo } = await api.get(`/contratos/${id}`, { chave });
    t.is(status, 404);
    t.is(corpo.erro.codigo, 'nao_encontrado');
  }
});
