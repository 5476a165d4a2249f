import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { camposErrados, errosDe, pedirAoApp } from '../../support/app-api.ts';
import type { PedirAoApp } from '../../support/app-api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
let fabrica: Fabrica;
let pedir: PedirAoApp;
let provedor: number;
let chave: string;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
  fabrica = criarFabrica(api.dono);
  pedir = pedirAoApp(api);
  provedor = await fabrica.provedor();
  ({ texto: chave } = await api.criarChave(provedor));
});
test.after.always(() => api.fechar());

/** CPFs with right check digits, none twice. */
let serie = 100_000_000;
function cpf(): string {
  const base = String((serie += 7));
  const digito = (texto: string): string => {
    const soma = Array.from(texto).reduce((total, d, i) => total + Number(d) * (texto.length + 1 - i), 0);
    return String(((soma * 10) % 11) % 10);
  };
  const com = base + digito(base);
  return com + digito(com);
}

const criar = async (mais: object = {}) =>
  pedir('POST', '/clientes', { chave, corpo: { nome: 'Ana Lima', cpf_cnpj: cpf(), ...mais } });
const linha = async (id: number) => (await api.dono('clientes').where({ provedor_id: provedor, id }))[0];

test('POST /clientes: 201 com o cliente, Location, evento e auditoria da chave', async (t) => {
  const documento = cpf();
  const feito = await criar({
    cpf_cnpj: `${documento.slice(0, 3)}.${documento.slice(3)}`,
    email: 'ana@example.com',
    telefones: ['(35) 99999-0001', '35999990001'],
    data_nascimento: '1990-02-28',
    endereco: { cep: '37130-001', uf: 'mg' },
  });
  t.is(feito.status, 201, feito.texto);
  const { data } = feito.corpo;
  t.like(data, {
    nome: 'Ana Lima',
    cpf_cnpj: documento,
    tipo: 'pf',
    situacao: 'ativo',
    telefones: ['35999990001'],
    contratos: [],
  });
  t.like(data.endereco, { cep: '37130001', uf: 'MG', cidade: null });
  t.is(feito.headers.location, `/v1/clientes/${data.id}`);
  const lido = await pedir('GET', `/clientes/${data.id}`, { chave });
  t.deepEqual(lido.corpo.data, data);
  const [auditado] = await api
    .dono('auditoria')
    .where({ provedor_id: provedor, acao: 'cliente.criado', recurso_id: data.id });
  t.is(auditado?.autor, 'testes');
});

test('POST /clientes: todos os campos errados de uma vez, o primeiro decide o código', async (t) => {
  const exemplo = await pedir('POST', '/clientes', { chave, corpo: { nome: 'J', cpf_cnpj: '111.111.111-11' } });
  t.is(exemplo.status, 400);
  t.deepEqual(exemplo.corpo, {
    success: false,
    message: '2 campos têm problemas.',
    errors: [
      {
        code: 'parametro_invalido',
        field: 'nome',
        message: 'nome: deve ter no mínimo 2 caracteres.',
        resource_id: null,
      },
      {
        code: 'cpf_cnpj_invalido',
        field: 'cpf_cnpj',
        message: 'cpf_cnpj: os dígitos verificadores não conferem.',
        resource_id: null,
      },
    ],
  });
  const muitos = await pedir('POST', '/clientes', {
    chave,
    corpo: {
      cpf_cnpj: cpf(),
      tipo: 'pj',
      telefones: ['123'],
      email: 'x',
      situacao: 'cancelado',
      codigo_externo: 'ixc:1',
      data_nascimento: '2099-01-01',
      endereco: { uf: 'XX', rua: 'a' },
    },
  });
  t.is(muitos.status, 400);
  t.deepEqual(
    errosDe(muitos).toSorted(([, a], [, b]) => String(a).localeCompare(String(b))),
    [
      ['parametro_invalido', 'codigo_externo'],
      ['parametro_invalido', 'data_nascimento'],
      ['parametro_invalido', 'email'],
      ['parametro_invalido', 'endereco.rua'],
      ['parametro_invalido', 'nome'],
      ['parametro_invalido', 'situacao'],
      ['telefone_invalido', 'telefones.0'],
      ['parametro_invalido', 'tipo'],
    ],
  );
  t.is((await pedir('POST', '/clientes', { chave, corpo: [] })).status, 400);
  t.is(
    (
      await api.pedir('POST', 'raiz:/v1/clientes', {
        chave,
        corpo: '{',
        headers: { 'content-type': 'application/json' },
      })
    ).status,
    400,
  );
});

test('POST /clientes: documento de quem não está cancelado é 409, com o id só a quem pode ler; de cancelado, 201', async (t) => {
  const documento = cpf();
  const primeiro = (await criar({ cpf_cnpj: documento })).corpo.data.id as number;
  const outro = await criar({ cpf_cnpj: documento });
  t.is(outro.status, 409);
  t.like(outro.corpo.errors[0], { code: 'cliente_duplicado', field: 'cpf_cnpj', resource_id: primeiro });
  const { texto: soEscreve } = await api.criarChave(provedor, { permissoes: ['clientes:escrita'] });
  const calado = await pedir('POST', '/clientes', { chave: soEscreve, corpo: { nome: 'Ana', cpf_cnpj: documento } });
  t.is(calado.corpo.errors[0].resource_id, null);
  await pedir('DELETE', `/clientes/${primeiro}`, { chave });
  t.is((await criar({ cpf_cnpj: documento })).status, 201);
});

test('POST /clientes: de dez pedidos ao mesmo tempo em dois processos, um cadastra', async (t) => {
  const documento = cpf();
  const corpo = { nome: 'Ana Lima', cpf_cnpj: documento };
  const feitos = await Promise.all(
    Array.from({ length: 10 }, async (_, n) => pedir('POST', '/clientes', { chave, corpo, processo: n % 2 })),
  );
  t.is(feitos.filter(({ status }) => status === 201).length, 1);
  t.is(feitos.filter(({ status }) => status === 409).length, 9);
});

test('POST /clientes: com Idempotency-Key repetida, a mesma resposta com Location, e um cadastro só', async (t) => {
  const envio = { chave, corpo: { nome: 'Ana Lima', cpf_cnpj: cpf() }, headers: { 'idempotency-key': 'um-cadastro' } };
  const [uma, outra] = [await pedir('POST', '/clientes', envio), await pedir('POST', '/clientes', envio)];
  t.deepEqual([outra.status, outra.texto, outra.headers.location], [201, uma.texto, uma.headers.location]);
  const mudado = await pedir('POST', '/clientes', { ...envio, corpo: { nome: 'Outra', cpf_cnpj: cpf() } });
  t.deepEqual([mudado.status, errosDe(mudado)[0]?.[0]], [422, 'chave_idempotencia_reutilizada']);
  const { texto: outraChave } = await api.criarChave(provedor);
  t.is((await pedir('POST', '/clientes', { ...envio, chave: outraChave })).status, 409, 'a chave é de outro espaço');
});

test('GET /clientes: por cursor, todos uma vez, por id; o total é exato e o fim é nulo', async (t) => {
  const outro = await fabrica.provedor();
  const { texto } = await api.criarChave(outro);
  const ids: number[] = [];
  for (let n = 0; n < 7; n += 1)
    ids.push(await fabrica.cliente(outro, { nome: `Cliente ${n}`, situacao: n === 6 ? 'inativo' : 'ativo' }));
  const vistos: number[] = [];
  let cursor: string | null = '';
  for (let voltas = 0; cursor !== null && voltas < 9; voltas += 1) {
    const { status, corpo } = await pedir('GET', `/clientes?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`, {
      chave: texto,
      processo: voltas % 2,
    });
    t.is(status, 200);
    t.like(corpo.meta, { limit: 3, total: 7 });
    vistos.push(...(corpo.data as { id: number }[]).map(({ id }) => id));
    cursor = corpo.meta.next_cursor as string | null;
  }
  t.deepEqual(vistos, ids);
  t.like((await pedir('GET', '/clientes?situacao=inativo', { chave: texto })).corpo, {
    meta: { limit: 20, total: 1, next_cursor: null },
  });
  const porDocumento = await pedir('GET', '/clientes?cpf_cnpj=529.982.247-25&limit=5', { chave: texto });
  t.is(porDocumento.corpo.meta.total, 7);
  const resto = await pedir(
    'GET',
    `/clientes?cpf_cnpj=529.982.247-25&limit=5&cursor=${porDocumento.corpo.meta.next_cursor}`,
    { chave: texto },
  );
  t.deepEqual(
    (resto.corpo.data as { id: number }[]).map(({ id }) => id),
    ids.slice(5),
  );
});

test.serial('GET /clientes: um cursor é da lista e do provedor que o deram, e vale uma hora', async (t) => {
  const outro = await fabrica.provedor();
  const { texto } = await api.criarChave(outro);
  for (let n = 0; n < 3; n += 1) await fabrica.cliente(outro);
  const { corpo } = await pedir('GET', '/clientes?limit=1', { chave: texto });
  const cursor = corpo.meta.next_cursor as string;
  const recusa = async (consulta: string, quem = texto): Promise<unknown> => {
    const { status, corpo: dito } = await pedir('GET', `/clientes?${consulta}`, { chave: quem });
    return [status, dito.errors?.[0].code, dito.errors?.[0].field];
  };
  const invalido = [400, 'cursor_invalido', 'cursor'];
  t.deepEqual(await recusa(`cursor=${cursor}&situacao=ativo`), invalido);
  t.deepEqual(await recusa(`cursor=${cursor}`, chave), invalido);
  t.deepEqual(await recusa(`cursor=${cursor.slice(0, -2)}AA`), invalido);
  t.deepEqual(await recusa('cursor=eyJpZCI6MX0'), invalido);
  t.is((await pedir('GET', `/clientes?limit=2&cursor=${cursor}`, { chave: texto })).status, 200);
  relogio.avancar(59 * 60_000);
  t.is((await pedir('GET', `/clientes?limit=2&cursor=${cursor}`, { chave: texto })).status, 200);
  relogio.avancar(2 * 60_000);
  t.deepEqual(await recusa(`limit=2&cursor=${cursor}`), invalido);
});

test('GET /clientes: parâmetro desconhecido, repetido ou vazio é 400, e todos são ditos', async (t) => {
  const resposta = await pedir('GET', '/clientes?limit=0&pagina=1&situacao=&cursor=&limit=5', { chave });
  t.is(resposta.status, 400);
  t.deepEqual(camposErrados(resposta), ['cursor', 'limit', 'pagina', 'situacao']);
  t.deepEqual(errosDe(await pedir('GET', '/clientes/0?x=1', { chave })), [
    ['id_invalido', 'id'],
    ['parametro_invalido', 'x'],
  ]);
});

test('GET /clientes/{id}: ETag, 304, e depois de uma escrita ninguém lê o que era', async (t) => {
  const { id } = (await criar()).corpo.data as { id: number };
  const lido = await pedir('GET', `/clientes/${id}`, { chave });
  t.is(lido.headers['cache-control'], 'private, no-cache');
  const headers = { 'if-none-match': String(lido.headers.etag) };
  t.is((await pedir('GET', `/clientes/${id}`, { chave, headers })).status, 304);
  await pedir('PUT', `/clientes/${id}`, { chave, corpo: { nome: 'Ana Maria' } });
  for (const processo of [0, 1]) {
    const depois = await pedir('GET', `/clientes/${id}`, { chave, headers, processo });
    t.deepEqual([depois.status, depois.corpo.data?.nome], [200, 'Ana Maria']);
  }
});

test('PUT /clientes/{id}: muda o que vem e deixa o resto; sem nada, 400', async (t) => {
  const { data } = (await criar({ email: 'a@example.com', endereco: { cidade: 'Alfenas', uf: 'MG' } })).corpo;
  const mudado = await pedir('PUT', `/clientes/${data.id}`, {
    chave,
    corpo: { telefones: ['35988887777'], endereco: { cidade: 'Varginha' }, email: null },
  });
  t.is(mudado.status, 200, mudado.texto);
  t.like(mudado.corpo.data, { nome: 'Ana Lima', email: null, telefones: ['35988887777'] });
  t.like(mudado.corpo.data.endereco, { cidade: 'Varginha', uf: 'MG' });
  t.deepEqual(errosDe(await pedir('PUT', `/clientes/${data.id}`, { chave, corpo: {} })), [
    ['parametro_invalido', null],
  ]);
  const incoerente = await pedir('PUT', `/clientes/${data.id}`, { chave, corpo: { nome_fantasia: 'Loja' } });
  t.deepEqual([incoerente.status, errosDe(incoerente)], [400, [['parametro_invalido', 'nome_fantasia']]]);
});

test('PUT /clientes/{id}: If-Match só altera o que ainda é como foi lido', async (t) => {
  const { id } = (await criar()).corpo.data as { id: number };
  const etag = String((await pedir('GET', `/clientes/${id}`, { chave })).headers.etag);
  const mudar = async (nome: string, ifMatch: string) => {
    const { status, corpo } = await pedir('PUT', `/clientes/${id}`, {
      chave,
      corpo: { nome },
      headers: { 'if-match': ifMatch },
    });
    return [status, corpo.errors?.[0].code ?? corpo.data.nome];
  };
  t.deepEqual(await mudar('Bia', '"outro"'), [412, 'versao_divergente']);
  t.deepEqual(await mudar('Bia', `W/${etag}`), [412, 'versao_divergente']);
  t.deepEqual(await mudar('Bia', `"outro", ${etag}`), [200, 'Bia']);
  t.deepEqual(await mudar('Cida', etag), [412, 'versao_divergente']);
  t.deepEqual(await mudar('Cida', '*'), [200, 'Cida']);
});

test('PUT /clientes/{id}: as situações vão só por onde podem', async (t) => {
  const { id } = (await criar()).corpo.data as { id: number };
  const ir = async (situacao: string) => {
    const { status, corpo } = await pedir('PUT', `/clientes/${id}`, { chave, corpo: { situacao } });
    return [status, corpo.errors?.[0].code ?? corpo.data.situacao];
  };
  for (const para of ['observacao', 'inativo', 'pre_cadastro', 'ativo']) t.deepEqual(await ir(para), [200, para]);
  for (const nunca of ['cancelado', 'bloqueado']) t.deepEqual(await ir(nunca), [422, 'transicao_de_cliente_invalida']);
  await pedir('DELETE', `/clientes/${id}`, { chave });
  t.deepEqual(await ir('inativo'), [422, 'transicao_de_cliente_invalida']);
  t.deepEqual(await ir('ativo'), [200, 'ativo']);
});

test('DELETE /clientes/{id}: cancela cliente e contratos, e das faturas só as que vencem depois, se pedido', async (t) => {
  const { id } = (await criar()).corpo.data as { id: number };
  const plano = await fabrica.plano(provedor);
  const contrato = await fabrica.contrato(provedor, { cliente_id: id, plano_id: plano });
  const comum = { cliente_id: id, contrato_id: contrato };
  const vencida = await fabrica.fatura(provedor, { ...comum, vencimento: '2026-11-10' });
  const futura = await fabrica.fatura(provedor, { ...comum, vencimento: '2026-12-10' });
  const errada = await pedir('DELETE', `/clientes/${id}?faturas_futuras=sim&motivo=`, { chave });
  t.deepEqual(camposErrados(errada), ['faturas_futuras', 'motivo']);
  const headers = { 'idempotency-key': `cancela-${id}` };
  const feita = await pedir('DELETE', `/clientes/${id}?faturas_futuras=cancelar&motivo=Mudou`, { chave, headers });
  t.deepEqual(
    [feita.status, feita.corpo.data.situacao, feita.corpo.data.contratos[0].situacao],
    [200, 'cancelado', 'cancelado'],
  );
  const outra = await pedir('DELETE', `/clientes/${id}?motivo=Mudou`, { chave, headers });
  t.is(errosDe(outra)[0]?.[0], 'chave_idempotencia_reutilizada', 'a consulta é parte do pedido');
  const situacaoDe = async (fatura: number) =>
    (await api.dono('faturas').where({ provedor_id: provedor, id: fatura }))[0]?.situacao;
  t.deepEqual([await situacaoDe(vencida), await situacaoDe(futura)], ['pendente', 'cancelada']);
  const antes = await linha(id);
  t.is((await pedir('DELETE', `/clientes/${id}`, { chave })).status, 200);
  t.deepEqual(await linha(id), antes);
});

test('PUT /clientes/{id}: cpf_cnpj de outro é 409, e o novo muda o tipo', async (t) => {
  const [um, outro] = [(await criar()).corpo.data, (await criar()).corpo.data];
  const tomado = await pedir('PUT', `/clientes/${um.id}`, { chave, corpo: { cpf_cnpj: outro.cpf_cnpj } });
  t.deepEqual([tomado.status, tomado.corpo.errors[0].resource_id], [409, outro.id]);
  const pj = await pedir('PUT', `/clientes/${um.id}`, { chave, corpo: { cpf_cnpj: '12.ABC.345/01DE-35' } });
  t.deepEqual([pj.status, pj.corpo.data?.tipo, pj.corpo.data?.cpf_cnpj], [200, 'pj', '12ABC34501DE35']);
});
