import type { CallToolResult, Client, Tool } from '@modelcontextprotocol/client';
import type { AnySchema } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import { FERRAMENTAS } from '../../../src/surfaces/mcp/ferramentas.ts';
import { createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import type { Rota } from '../../../src/surfaces/public-api/rota.ts';
import { ROTAS } from '../../../src/surfaces/public-api/rotas.ts';
import { toDatabaseTime } from '../../../src/platform/mysql/database.ts';
import { criarApi } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import type { Api, Resposta } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { conectar, desconectar, textoDe } from './apoio.ts';

type Argumentos = Record<string, unknown>;

const assinatura = ({ method, path }: Rota): string => `${method} ${path}`;
const nomeDe = (rota: Rota): string => {
  const dita = FERRAMENTAS[assinatura(rota)];
  return dita !== undefined && 'nome' in dita ? dita.nome : '';
};
const COMO_FERRAMENTAS = ROTAS.filter((rota) => nomeDe(rota) !== '');

let api: Api;
let chave: string;
let cliente: Client;
let ferramentas: Map<string, Tool>;
/** A row of each resource, by the first part of its path and by the fields that name it. */
let linhas: Record<string, number | string>;
/** Of a contact. */
const PROTOCOLO = '20261101000001';

test.before(async () => {
  // That stands: how long a session has lasted is the same in each answer.
  api = await criarApi({ relogio: relogioEm(new Date().toISOString()) });
  const fabrica = criarFabrica(api.dono);
  const provedor = await fabrica.provedor({}, { desbloqueio_habilitado: 1, desbloqueio_dias: 3 });
  const plano_id = await fabrica.plano(provedor);
  const cliente_id = await fabrica.cliente(provedor);
  await fabrica.telefone(provedor, { cliente_id });
  const contrato_id = await fabrica.contrato(provedor, {
    cliente_id,
    plano_id,
    situacao: 'bloqueado',
    bloqueio_origem: 'financeiro',
    bloqueado_em: '2026-11-15 03:00:00.000',
    login: 'linha-do-agente',
  });
  await fabrica.nas(provedor, '10.0.0.9');
  const inicio = toDatabaseTime(new Date()).slice(0, 19);
  const nela = { username: 'linha-do-agente', nasipaddress: '10.0.0.9' };
  await fabrica.sessao({ ...nela, acctstarttime: inicio, acctupdatetime: inicio });
  const fatura = await fabrica.fatura(provedor, { cliente_id, contrato_id });
  const chamado = await fabrica.chamado(provedor, { cliente_id, contrato_id });
  await fabrica.historico(provedor, { chamado_id: chamado });
  linhas = {
    clientes: cliente_id,
    contratos: contrato_id,
    faturas: fatura,
    chamados: chamado,
    cliente_id,
    contrato_id,
    plano_id,
    protocolo: PROTOCOLO,
    data: new Date().toISOString().slice(0, 10),
  };
  const aberto_em = '2026-11-01 09:00:00.000';
  const contato = { protocolo: PROTOCOLO, tipo: 'contato', cliente_id, assunto: 'Dúvida', aberto_em };
  await createTenantWriter(api.dono, provedor).insert('atendimentos', contato);
  ({ texto: chave } = await api.criarChave(provedor));
  cliente = await conectar(api, { 'X-API-Key': chave });
  ferramentas = new Map((await cliente.listTools()).tools.map((ferramenta) => [ferramenta.name, ferramenta]));
});
test.after.always(async () => {
  await desconectar();
  await api.fechar();
});

/** Arguments that a route accepts: of each field its row or else its example. */
function argumentosDe(rota: Rota): Argumentos {
  const exemplos = (campos: Readonly<Record<string, { examples?: readonly unknown[] }>>): Argumentos =>
    Object.fromEntries(Object.entries(campos).map(([nome, { examples }]) => [nome, linhas[nome] ?? examples?.[0]]));
  const ids = Object.keys(rota.params).map((nome) => [nome, idDe(rota, nome)]);
  const corpo = rota.kind === 'write' && rota.body !== null ? exemplos(rota.body.schema.properties) : {};
  // One filter is enough for a route that asks for some.
  const [filtro] = (rota.query?.minProperties ?? 0) > 0 ? Object.entries(exemplos(rota.query!.properties)) : [];
  return { ...Object.fromEntries(ids), ...corpo, ...(filtro === undefined ? {} : Object.fromEntries([filtro])) };
}

/** Of the row that a path names. */
const idDe = ({ path }: Rota, nome: string): number | string => linhas[nome === 'id' ? path.split('/')[1]! : nome]!;

/** The same as HTTP asks it. */
async function porHttp(rota: Rota, argumentos: Argumentos, marca: string): Promise<Resposta> {
  const restantes = new Map(Object.entries(argumentos));
  const caminho = rota.path.replaceAll(/\{(\w+)\}/g, (_, nome: string) => {
    const valor = String(restantes.get(nome));
    restantes.delete(nome);
    return valor;
  });
  if (rota.kind === 'write') {
    return api.pedir(rota.method, caminho, {
      chave,
      headers: { 'content-type': 'application/json', 'idempotency-key': marca },
      corpo: JSON.stringify(Object.fromEntries(restantes)),
    });
  }
  const consulta = new URLSearchParams(
    [...restantes].map(([nome, valor]): [string, string] => [nome, String(valor)]),
  ).toString();
  return api.get(consulta === '' ? caminho : `${caminho}?${consulta}`, { chave });
}

const chamar = async (rota: Rota, argumentos: Argumentos): Promise<CallToolResult> =>
  cliente.callTool({ name: nomeDe(rota), arguments: argumentos });

test.serial('cada rota da API pública é uma ferramenta ou diz por que não é, e nada mais', (t) => {
  t.deepEqual(Object.keys(FERRAMENTAS).toSorted(), ROTAS.map(assinatura).toSorted());
  t.deepEqual([...ferramentas.keys()].toSorted(), COMO_FERRAMENTAS.map(nomeDe).toSorted());
  for (const rota of ROTAS) if (rota.kind === 'file') t.true('fora' in FERRAMENTAS[assinatura(rota)]!);
  for (const nome of ferramentas.keys()) t.regex(nome, /^[a-z]+(?:_[a-z]+)+$/);
});

test.serial('os esquemas servem a quem confere com rigor, e nenhum argumento de uma rota falta', (t) => {
  const ajv = new Ajv2020({ strict: true, formats: { date: true, 'date-time': true } });
  for (const rota of COMO_FERRAMENTAS) {
    const { inputSchema, outputSchema, annotations, description } = ferramentas.get(nomeDe(rota))!;
    t.notThrows(() => ajv.compile(inputSchema), rota.path);
    t.notThrows(() => ajv.compile(outputSchema as AnySchema), rota.path);
    t.notRegex(JSON.stringify([inputSchema, outputSchema]), /"type":\[/, rota.path);
    // Who was told of it before a field was added still takes the answer that has it.
    t.notRegex(JSON.stringify(outputSchema), /additionalProperties/, rota.path);
    const campos = [
      rota.params,
      rota.query?.properties ?? {},
      rota.kind === 'write' ? rota.body!.schema.properties : {},
    ];
    const nomes = campos.flatMap((parte) => Object.keys(parte));
    t.deepEqual(Object.keys(inputSchema.properties!), rota.kind === 'write' ? [...nomes, 'idempotency_key'] : nomes);
    t.true(Object.keys(rota.params).every((nome) => inputSchema.required?.includes(nome)));
    // No address is shown that would say of what it is.
    const { description: doId = '' } = (inputSchema.properties!['id'] ?? {}) as { description?: string };
    t.is(/^O id d[ao] (\w+)/.exec(doId)?.[1], 'id' in rota.params ? rota.path.split('/')[1]!.slice(0, -1) : undefined);
    t.is(annotations?.readOnlyHint, rota.method === 'GET');
    t.true(description!.startsWith(rota.summary));
  }
});

for (const rota of COMO_FERRAMENTAS) {
  test.serial(`${nomeDe(rota)}: o mesmo que ${rota.method} ${rota.path}`, async (t) => {
    const argumentos = argumentosDe(rota);
    const marca = `marca-${nomeDe(rota)}`;
    // The second of them finds the first one's answer: in the cache, or under the key.
    const resultado = await chamar(
      rota,
      rota.kind === 'write' ? { ...argumentos, idempotency_key: marca } : argumentos,
    );
    const resposta = await porHttp(rota, argumentos, marca);
    t.is(resposta.status, rota.kind === 'write' ? rota.success : 200, resposta.texto);
    t.not(resultado.isError, true, textoDe(resultado));
    t.is(textoDe(resultado), resposta.texto);
    t.deepEqual(resultado.structuredContent, resposta.corpo);
    if (rota.kind === 'read' && rota.path.split('/').length === 2 && linhas[rota.path.slice(1)] !== undefined)
      t.true(resposta.corpo.dados.length > 0);
  });
}

/** Filters that are refused without another one: which. */
const SO_COM: Readonly<Record<string, string>> = { telefone_exato: 'telefone' };

for (const rota of COMO_FERRAMENTAS.filter(({ query }) => query !== null)) {
  test.serial(`${nomeDe(rota)}: os filtros são os da rota`, async (t) => {
    const filtros: Readonly<Record<string, { examples?: readonly unknown[] }>> = rota.query!.properties;
    for (const nome of Object.keys(filtros)) {
      const ids = Object.keys(rota.params).map((um) => [um, idDe(rota, um)]);
      const juntos = [SO_COM[nome] ?? nome, nome].map((um) => [um, linhas[um] ?? filtros[um]?.examples?.[0]]);
      const argumentos = { ...Object.fromEntries(ids), ...Object.fromEntries(juntos) };
      const [resultado, resposta] = [await chamar(rota, argumentos), await porHttp(rota, argumentos, '')];
      t.is(resposta.status, 200, nome);
      t.is(textoDe(resultado), resposta.texto, nome);
    }
  });
}

test.serial('o que a rota recusa é erro da ferramenta, com o código e a mensagem de HTTP', async (t) => {
  const recusas: readonly [nome: string, argumentos: Argumentos, caminho: string, codigo: string][] = [
    ['buscar_cliente', { id: 999_999 }, '/clientes/999999', 'nao_encontrado'],
    ['buscar_cliente', { id: 0 }, '/clientes/0', 'id_invalido'],
    ['listar_clientes', { cpf_cnpj: '1' }, '/clientes?cpf_cnpj=1', 'cpf_cnpj_invalido'],
    ['listar_clientes', { nome: 'x' }, '/clientes?nome=x', 'parametro_invalido'],
    ['listar_clientes', { idempotency_key: 'x' }, '/clientes?idempotency_key=x', 'parametro_invalido'],
    ['listar_faturas', { situacao: '' }, '/faturas?situacao=', 'parametro_invalido'],
    ['listar_faturas', { pagina: 1.5 }, '/faturas?pagina=1.5', 'parametro_invalido'],
  ];
  for (const [name, argumentos, caminho, codigo] of recusas) {
    const resultado = await cliente.callTool({ name, arguments: argumentos });
    const { corpo } = await api.get(caminho, { chave });
    t.true(resultado.isError);
    t.is(resultado.structuredContent, undefined);
    t.deepEqual(JSON.parse(textoDe(resultado)), corpo);
    t.is(corpo.erro.codigo, codigo);
  }
});

test.serial('um argumento do tipo errado é recusado, e não convertido', async (t) => {
  const errados: readonly [nome: string, argumentos: Argumentos][] = [
    ['buscar_cliente', {}],
    ['buscar_cliente', { id: null }],
    ['buscar_cliente', { id: [linhas['clientes']] }],
    ['listar_clientes', { cpf_cnpj: 52_998_224_725 }],
    ['listar_clientes', { telefone: true }],
    ['listar_clientes', { situacao: { a: 1 } }],
    ['listar_faturas', { cliente_id: '\ud800' }],
    ['abrir_chamado', { cliente_id: String(linhas['clientes']), assunto: 'Sem conexão', descricao: 'Caiu.' }],
    ['abrir_chamado', { cliente_id: linhas['clientes'], assunto: 'Sem \ud800', descricao: 'Caiu.' }],
    ['atualizar_chamado', { id: linhas['chamados'] }],
    ['atualizar_chamado', { id: linhas['chamados'], comentario: 'x', idempotency_key: 'com espaço' }],
    ['atualizar_chamado', { id: linhas['chamados'], comentario: 'x', idempotency_key: 1 }],
  ];
  const escritas = async () => api.dono('auditoria').where('recurso', 'chamado').count();
  const antes = await escritas();
  for (const [name, argumentos] of errados) {
    const resultado = await cliente.callTool({ name, arguments: argumentos });
    t.true(resultado.isError, JSON.stringify(argumentos));
    t.regex(JSON.parse(textoDe(resultado)).erro.codigo, /^(?:parametro|id)_invalido$/);
  }
  t.deepEqual(await escritas(), antes);
});

test.serial('uma escrita fica na auditoria em nome da chave, e a resposta seguinte já a traz', async (t) => {
  const ler = async (): Promise<string> =>
    textoDe(await cliente.callTool({ name: 'listar_chamados', arguments: { cliente_id: linhas['clientes'] } }));
  await ler();
  const aberto = await cliente.callTool({
    name: 'abrir_chamado',
    arguments: { cliente_id: linhas['clientes'], assunto: 'Pelo agente', descricao: 'Sem sinal.' },
  });
  const { id } = (aberto.structuredContent as { dados: { id: number } }).dados;
  t.true((await ler()).includes('Pelo agente'));
  const [linha] = await api.dono('auditoria').where({ recurso: 'chamado', recurso_id: id });
  t.like(linha, { autor: 'testes', ip: '127.0.0.1' });
});
