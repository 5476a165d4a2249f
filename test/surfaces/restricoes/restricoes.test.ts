import test from 'ava';
import type { ExecutionContext } from 'ava';
import { PERMISSOES, SEM_RESTRICAO } from '../../../src/domain/chaves/chaves.types.ts';
import type { NovaChave, Restricao } from '../../../src/domain/chaves/chaves.types.ts';
import { isClosedText } from '../../../src/kit/reply/veil.ts';
import type { Schema } from '../../../src/platform/schema-type.ts';
import { ROTAS as DO_APP } from '../../../src/surfaces/app-api/rotas.ts';
import { ROTAS } from '../../../src/surfaces/public-api/rotas.ts';
import { criarApi } from '../../support/api.ts';
import type { Api, Resposta } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { quanto } from '../../support/prova.ts';
import { sorteio } from '../../support/sorteio.ts';
import { conectar, desconectar, textoDe } from '../mcp/apoio.ts';
import { povoar, segredosDe } from './apoio.ts';
import type { Pessoa } from './apoio.ts';

let api: Api;
let provedor: number;
let pessoas: Pessoa[];
test.before(async () => {
  api = await criarApi({ processos: 2 });
  // What is counted has limits of its own in the tests of it.
  provedor = await criarFabrica(api.dono).provedor({ buscas_em_vao_por_hora: 1_000_000, clientes_por_hora: 1_000_000 });
  pessoas = await povoar(api, provedor, 12);
});
test.after.always(async () => {
  await desconectar();
  await api.fechar();
});

const PODE = PERMISSOES.filter((uma) => !SEM_RESTRICAO.includes(uma));
const AS_DUAS: readonly Restricao[] = ['somente_busca', 'dados_mascarados'];
const criar = async (nova: Partial<NovaChave>, de = provedor): Promise<string> =>
  (await api.criarChave(de, { permissoes: PODE, ...nova })).texto;
const codigoDe = ({ corpo }: Resposta): string => corpo.erro?.codigo ?? corpo.errors?.[0].code;

/** The routes that a key with restrictions may ask. */
const PUBLICAS = ROTAS.filter((rota) => rota.kind !== 'file' && !(rota.kind === 'read' && rota.bulk));
const DAS_CHAVES = DO_APP.filter(({ permission }) => {
  const chave = permission?.chave;
  return chave !== undefined && !SEM_RESTRICAO.includes(chave);
});

test('todo texto do que uma chave com restrições lê diz como é mascarado, ou que não diz de quem é', (t) => {
  function conferir(schema: Schema, onde: string): void {
    const { type, mask } = schema;
    const tipos = Array.isArray(type) ? type : [type];
    if (tipos.includes('string') && !isClosedText(schema)) t.truthy(mask, onde);
    if (mask === 'hidden' || mask === 'pix') t.true(tipos.includes('null'), `${onde}: não pode ser nulo`);
    if (schema.items !== undefined) conferir(schema.items, `${onde}[]`);
    for (const um of schema.anyOf ?? []) conferir(um, onde);
    for (const [nome, um] of Object.entries(schema.properties ?? {})) {
      conferir(um, `${onde}.${nome}`);
      if (nome === 'cliente_id') t.true(um.person, `${onde}.${nome}`);
    }
  }
  for (const rota of PUBLICAS) if (rota.kind !== 'file') conferir(rota.data, `${rota.method} ${rota.path}`);
  for (const rota of DAS_CHAVES) {
    // The network's answer to subscribers is none of a key's.
    const data = rota.kind === 'file' ? null : rota.path === '/network/overview' ? rota.data.anyOf![0]! : rota.data;
    t.not(data, null, `${rota.path}: um arquivo não se mascara`);
    if (data !== null) conferir(data, `/v1 ${rota.method} ${rota.path}`);
  }
});

test('somente_busca: nenhuma lista sem dizer de quem, em nenhuma das superfícies', async (t) => {
  const chave = await criar({ restricoes: ['somente_busca'] });
  const listas = [
    ...PUBLICAS.flatMap((rota) => (rota.kind === 'read' && rota.reading.kind === 'list' ? [['', rota] as const] : [])),
    ...DAS_CHAVES.flatMap((rota) =>
      rota.kind === 'read' && rota.reading.kind === 'list' ? [['raiz:/v1', rota] as const] : [],
    ),
  ];
  t.true(listas.length >= 4);
  const [pessoa] = pessoas;
  const DE_UMA: Readonly<Record<string, string | number>> = {
    cpf_cnpj: pessoa!.documento,
    telefone: pessoa!.telefone,
    cliente_id: pessoa!.id,
    contrato_id: pessoa!.contrato,
    protocolo: pessoa!.protocolo,
  };
  for (const [base, { path, reading }] of listas) {
    const sem = await api.get(`${base}${path}`, { chave });
    t.deepEqual([sem.status, codigoDe(sem)], [403, 'busca_exigida'], path);
    for (const nome of reading.narrowedBy) {
      const com = await api.get(`${base}${path}?${nome}=${DE_UMA[nome]}`, { chave });
      t.is(com.status, 200, `${path}?${nome}`);
    }
  }
  const agente = await conectar(api, { 'x-api-key': chave });
  const recusada = await agente.callTool({ name: 'listar_clientes', arguments: {} });
  t.true(recusada.isError);
  t.regex(textoDe(recusada), /busca_exigida/);
});

test('nem extratos, nem removidos, nem o que só cabe a outras chaves, mesmo a quem os tem no banco', async (t) => {
  for (const restricao of AS_DUAS) {
    const { id, texto: chave } = await api.criarChave(provedor, { permissoes: PODE, restricoes: [restricao] });
    await api
      .dono('chaves_api')
      .where({ id })
      .update({ permissoes_restritas: JSON.stringify(PERMISSOES) });
    for (const caminho of ['/extratos', '/extratos/1/x.parquet', '/clientes/removidos', '/faturas/removidos']) {
      const { status, corpo } = await api.get(caminho, { chave });
      t.deepEqual([status, corpo.erro.codigo], [403, 'permissao_insuficiente'], caminho);
    }
    for (const caminho of ['/webhooks', '/webhooks/1']) {
      t.is((await api.get(`raiz:/v1${caminho}`, { chave })).status, 403, caminho);
    }
  }
});

/** Addresses that a bot asks of a person, on both surfaces. */
const perguntas = (uma: Pessoa): string[] => [
  `/clientes?cpf_cnpj=${uma.documento}`,
  `/clientes?telefone=${uma.telefone}`,
  `/clientes/${uma.id}`,
  `/contratos/${uma.contrato}`,
  `/contratos/${uma.contrato}/conexao`,
  `/contratos/${uma.contrato}/desbloqueio-confianca`,
  `/faturas?cliente_id=${uma.id}`,
  `/faturas?contrato_id=${uma.contrato}`,
  `/faturas/${uma.fatura}`,
  `/chamados?cliente_id=${uma.id}`,
  `/chamados?contrato_id=${uma.contrato}`,
  `/chamados/${uma.chamado}`,
  `/chamados/${uma.chamado}/historico`,
  `/atendimentos/${uma.protocolo}`,
  `/clientes/${uma.id}/atendimentos`,
  `/resumo?cpf_cnpj=${uma.documento}`,
  `/resumo?telefone=${uma.telefone}`,
  `/resumo?contrato_id=${uma.contrato}`,
  `/resumo?protocolo=${uma.protocolo}`,
  `raiz:/v1/clientes?cpf_cnpj=${uma.documento}`,
  `raiz:/v1/clientes/${uma.id}`,
];

const dobrado = (texto: string): string => texto.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

function limpa(t: ExecutionContext, texto: string, onde: string, quais: readonly Pessoa[] = pessoas): void {
  const dito = dobrado(texto);
  const soDigitos = dito.replace(/[^0-9a-z]/g, '');
  for (const pessoa of quais) {
    for (const segredo of segredosDe(pessoa)) if (dito.includes(dobrado(segredo))) t.fail(`${onde}: ${segredo}`);
    if (soDigitos.includes(pessoa.documento)) t.fail(`${onde}: ${pessoa.documento}`);
  }
}

test('respostas sorteadas de chaves mascaradas não têm documento, telefone, e-mail, rua, login nem nome inteiro', async (t) => {
  t.timeout(quanto(60_000, 3_600_000));
  const { um, ate } = sorteio(7);
  // Each has a limit of its own in a minute.
  const chaves = await Promise.all(
    Array.from({ length: quanto(2, 40) }, async (_, n) =>
      criar({ restricoes: n % 2 === 0 ? AS_DUAS : ['dados_mascarados'] }),
    ),
  );
  const agentes = await Promise.all(chaves.map(async (chave) => conectar(api, { 'x-api-key': chave })));
  // A client holds what comes against the schema that it was told, also where it is masked.
  await Promise.all(agentes.map(async (agente) => agente.listTools()));
  const inteiras = ['/clientes?por_pagina=100', '/faturas', '/chamados', 'raiz:/v1/clientes', '/planos', '/status'];
  const vistas = new Set<string>();
  for (let n = 0; n < quanto(260, 10_000); n += 1) {
    const pessoa = um(pessoas);
    const qual = ate(chaves.length);
    const sorteada = ate(10);
    if (sorteada === 0) {
      const [name, args] = um([
        ['buscar_cliente', { id: pessoa.id }],
        ['resumir_atendimento', { cpf_cnpj: pessoa.documento }],
        ['listar_chamados', { cliente_id: pessoa.id }],
        ['buscar_atendimento', { protocolo: pessoa.protocolo }],
      ] as const);
      const texto = textoDe(await agentes[qual]!.callTool({ name, arguments: args }));
      limpa(t, texto, name);
      vistas.add(name);
      continue;
    }
    const caminho = sorteada === 1 && qual % 2 === 1 ? um(inteiras) : um(perguntas(pessoa));
    const resposta =
      sorteada === 2
        ? await api.pedir('PATCH', `/chamados/${pessoa.chamado}`, {
            chave: chaves[qual]!,
            headers: { 'content-type': 'application/json' },
            corpo: JSON.stringify({ comentario: `liga ${pessoa.telefone} para ${pessoa.nome}` }),
          })
        : await api.get(caminho, { chave: chaves[qual]! });
    t.true(resposta.status < 300, `${caminho} ${resposta.texto}`);
    limpa(t, resposta.texto, caminho);
    vistas.add(caminho.replace(/\d{2,}|=.*/g, ''));
  }
  t.true(vistas.size > 15, String(vistas.size));
});

test('dados mascarados: o que se vê de cada campo, e o texto continua a dizer o que houve', async (t) => {
  const chave = await criar({ restricoes: AS_DUAS });
  const [pessoa] = pessoas;
  const { corpo } = await api.get(`/clientes?cpf_cnpj=${pessoa!.documento}`, { chave });
  const [cliente] = corpo.dados;
  const [primeiro] = pessoa!.nome.split(' ');
  t.regex(cliente.nome, new RegExp(`^${primeiro} [A-Z]\\. [A-Z]\\.$`));
  t.is(cliente.cpf_cnpj, `******${pessoa!.documento.slice(6, 9)}**`);
  t.deepEqual(cliente.telefones, [`*******${pessoa!.telefone.slice(-4)}`]);
  t.is(cliente.email, 'p***@d***.br');
  t.is(cliente.data_nascimento, null);
  t.like(cliente.endereco, {
    cep: null,
    logradouro: null,
    numero: null,
    bairro: 'Centro',
    cidade: 'Alfenas',
    uf: 'MG',
  });
  t.like(cliente.contratos[0], { login: null, mac: null, ip: null });
  const fatura = await api.get(`/faturas/${pessoa!.fatura}`, { chave });
  // A static PIX and a boleto stay; a PSP's code leads to who owes, and each of the links to the boleto's PDF, which shows the payer.
  const links = { pdf: null, link_pagamento: null, pagina_pix: null };
  t.like(fatura.corpo.dados.segunda_via, links);
  t.regex(fatura.corpo.dados.segunda_via.pix_copia_cola, /^000201/);
  t.is(fatura.corpo.dados.segunda_via.linha_digitavel.length, 47);
  const doPsp = await api.get(`/faturas/${pessoas[1]!.fatura}`, { chave });
  t.like(doPsp.corpo.dados.segunda_via, { ...links, pix_copia_cola: null });
  const inteira = await api.get(`/faturas/${pessoas[1]!.fatura}`, { chave: await criar({}) });
  t.regex(inteira.corpo.dados.segunda_via.pix_copia_cola, /payload\.psp\.com/);
  t.true(inteira.corpo.dados.segunda_via.pagina_pix.endsWith(pessoas[1]!.token));
  const { dados } = (await api.get(`/chamados/${pessoa!.chamado}`, { chave })).corpo;
  t.regex(dados.descricao, /^Falei com \S+ [A-Z]\. [A-Z]\., CPF \[documento\], fone .*\[telefone\]\./);
});

test('nenhuma chave lê o que se guardou para os direitos de outra, em nenhuma ordem', async (t) => {
  const variantes: readonly Partial<NovaChave>[] = [
    { permissoes: PERMISSOES },
    { permissoes: ['clientes:leitura'] },
    { permissoes: PODE, restricoes: ['somente_busca'] },
    { permissoes: PODE, restricoes: ['dados_mascarados'] },
    { permissoes: PODE, restricoes: AS_DUAS },
    { permissoes: ['clientes:leitura'], restricoes: AS_DUAS },
  ];
  const caminhos = [
    ...perguntas(pessoas[0]!),
    ...PUBLICAS.filter(({ kind, path }) => kind === 'read' && !path.includes('{')).map(({ path }) => path),
  ];
  const chaves = await Promise.all(variantes.map(async (uma) => criar(uma)));
  const lidas = async (ordem: readonly number[], processo: number) => {
    const tudo: Record<string, string> = {};
    for (const caminho of caminhos) {
      // Twice, so that the second is what was kept.
      for (const vez of [1, 2]) {
        for (const n of ordem) {
          const { status, texto } = await api.get(caminho, { chave: chaves[n] ?? '', processo });
          const nome = `${n} ${caminho}`;
          const dito = caminho === '/status' ? String(status) : `${status} ${texto}`;
          if (vez === 1) tudo[nome] = dito;
          else t.is(dito, tudo[nome] ?? '', nome);
        }
      }
    }
    return tudo;
  };
  const ordem = variantes.map((_, n) => n);
  const antes = await lidas(ordem, 0);
  t.deepEqual(await lidas(ordem.toReversed(), 1), antes);
  for (const [nome, dito] of Object.entries(antes)) if (/^[345]/.test(nome)) limpa(t, dito, nome);
});

test('quem adivinha documentos, telefones, ids ou protocolos é parado; quem já está na linha é atendido', async (t) => {
  const outro = await criarFabrica(api.dono).provedor({ buscas_em_vao_por_hora: 5 });
  const [ana, bia] = await povoar(api, outro, 2, 2);
  for (const restricao of AS_DUAS) {
    const chave = await criar({ restricoes: [restricao] }, outro);
    t.is((await api.get(`/clientes/${ana!.id}`, { chave })).status, 200);
    const emVao = [
      '/clientes?cpf_cnpj=52998224725',
      '/clientes/999999',
      '/atendimentos/20200101000001',
      '/resumo?telefone=35999998888',
      '/resumo?telefone=35999998888',
    ];
    for (const caminho of emVao) {
      const { status, texto } = await api.get(caminho, { chave });
      t.true([200, 404].includes(status), `${caminho}: ${status} ${texto}`);
    }
    for (const caminho of [...emVao, `/clientes/${bia!.id}`, `/clientes?cpf_cnpj=${bia!.documento}`]) {
      const { status, corpo, headers } = await api.get(caminho, { chave });
      t.deepEqual([status, corpo.erro?.codigo], [429, 'tentativas_excedidas'], caminho);
      t.true(Number(headers['retry-after']) > 3000);
    }
    const agente = await conectar(api, { 'x-api-key': chave });
    const recusa = await agente.callTool({ name: 'buscar_cliente', arguments: { id: bia!.id } });
    t.regex(textoDe(recusa), /tentativas_excedidas/);
    t.regex(JSON.stringify(recusa.content[1]), /"Retry-After: \d{4}"/);
    t.is((await api.get(`raiz:/v1/clientes/${bia!.id}`, { chave })).status, 429);
    for (const caminho of perguntas(ana!)) t.is((await api.get(caminho, { chave })).status, 200, caminho);
    for (const caminho of ['/status', '/planos']) t.is((await api.get(caminho, { chave })).status, 200);
  }
  const livre = await criar({}, outro);
  for (let n = 0; n < 8; n += 1) t.is((await api.get(`/clientes/${999_900 + n}`, { chave: livre })).status, 404);
});

test('passado o número de clientes diferentes, só os já vistos; o que se guardou conta como o que se lê', async (t) => {
  const outro = await criarFabrica(api.dono).provedor({ clientes_por_hora: 3, buscas_em_vao_por_hora: 2 });
  const deles = await povoar(api, outro, 5, 3);
  const primeira = await criar({ restricoes: AS_DUAS }, outro);
  const segunda = await criar({ restricoes: AS_DUAS }, outro);
  const status = async (chave: string, n: number) => (await api.get(`/clientes/${deles[n]!.id}`, { chave })).status;
  for (const [n, esperado] of [200, 200, 200, 429, 429].entries()) t.is(await status(primeira, n), esperado);
  for (const n of [0, 1, 2]) t.is(await status(primeira, n), 200);
  // All of it is kept by now, for any key of these rights.
  for (const [n, esperado] of [200, 200, 200, 429].entries()) t.is(await status(segunda, n), esperado);
  const lista = await criar({ restricoes: ['dados_mascarados'] }, outro);
  t.is((await api.get('/clientes?por_pagina=3', { chave: lista })).status, 200);
  t.is((await api.get('/clientes?por_pagina=3&pagina=2', { chave: lista })).status, 429);
});

test('conferir diz de cada campo se confere, cinco vezes por hora por cliente, e fica na auditoria', async (t) => {
  const [, , pessoa] = pessoas;
  const conferir = async (chave: string, dados: object, id = pessoa!.id) =>
    api.pedir('POST', `/clientes/${id}/conferir`, {
      chave,
      headers: { 'content-type': 'application/json' },
      corpo: JSON.stringify(dados),
    });
  const chave = await criar({ restricoes: AS_DUAS, permissoes: ['clientes:leitura'] });
  const { status, corpo } = await conferir(chave, {
    cpf_cnpj: pessoa!.documento.replace(/(\d{3})(\d{3})(\d{3})/, '$1.$2.$3-'),
    data_nascimento: '1988-04-13',
    telefone: `55${pessoa!.telefone.slice(0, 2)}${pessoa!.telefone.slice(3)}`,
    email: pessoa!.email.toUpperCase(),
  });
  t.is(status, 200);
  t.deepEqual(corpo.dados.confere, { cpf_cnpj: true, data_nascimento: false, telefone: true, email: true, cep: null });
  t.is((await conferir(chave, {})).status, 400);
  t.is((await conferir(chave, { cep: '37130-001' })).corpo.dados.confere.cep, true);
  const outra = await criar({});
  for (let n = 0; n < 3; n += 1) t.is((await conferir(outra, { cep: '37130002' })).corpo.dados.confere.cep, false);
  for (const uma of [chave, outra]) {
    const recusada = await conferir(uma, { cep: '37130001' });
    t.deepEqual([recusada.status, recusada.corpo.erro.codigo], [429, 'tentativas_excedidas']);
    t.true(Number(recusada.headers['retry-after']) > 3000);
  }
  t.is((await conferir(outra, { cep: '37130001' }, pessoas[3]!.id)).status, 200);
  t.is((await conferir(outra, { cep: '37130001' }, 999_999)).status, 404);
  const linhas = await api.dono('auditoria').where({ acao: 'cliente.conferido', recurso_id: pessoa!.id });
  t.is(linhas.length, 5);
  t.false(JSON.stringify(linhas).includes(pessoa!.documento));
});

test('quem chegou ao seu limite não gasta as tentativas de um cliente com conferir', async (t) => {
  const outro = await criarFabrica(api.dono).provedor({ clientes_por_hora: 1 });
  const [ana, bia] = await povoar(api, outro, 2, 4);
  const conferir = async (chave: string, id: number) =>
    api.pedir('POST', `/clientes/${id}/conferir`, {
      chave,
      headers: { 'content-type': 'application/json' },
      corpo: JSON.stringify({ cep: '37130001' }),
    });
  const parada = await criar({ restricoes: AS_DUAS, permissoes: ['clientes:leitura'] }, outro);
  t.is((await conferir(parada, ana!.id)).status, 200);
  for (let n = 0; n < 6; n += 1) t.is((await conferir(parada, bia!.id)).status, 429);
  const livre = await criar({}, outro);
  for (let n = 0; n < 5; n += 1) t.is((await conferir(livre, bia!.id)).status, 200, String(n));
  t.is((await conferir(livre, bia!.id)).status, 429);
});

test('telefone_exato compara o DDD; o 55 e o nono dígito podem faltar', async (t) => {
  const outro = await criarFabrica(api.dono).provedor();
  const fabrica = criarFabrica(api.dono);
  const um = await fabrica.cliente(outro);
  await fabrica.telefone(outro, { cliente_id: um, numero: '35999990001' });
  const dois = await fabrica.cliente(outro, { cpf_cnpj: '11144477735' });
  await fabrica.telefone(outro, { cliente_id: dois, numero: '1199990001' });
  const chave = await criar({}, outro);
  const achados = async (consulta: string) =>
    (await api.get(`/clientes?${consulta}`, { chave })).corpo.dados.map(({ id }: { id: number }) => id);
  t.deepEqual(await achados('telefone=35999990001'), [um, dois]);
  for (const telefone of ['35999990001', '3599990001', '5535999990001', '553599990001', '(35)%2099999-0001']) {
    t.deepEqual(await achados(`telefone=${telefone}&telefone_exato=sim`), [um], telefone);
  }
  for (const telefone of ['11999990001', '1199990001']) {
    t.deepEqual(await achados(`telefone=${telefone}&telefone_exato=sim`), [dois], telefone);
  }
  t.deepEqual(await achados('telefone=21999990001&telefone_exato=sim'), []);
  t.deepEqual(await achados('telefone=35999990001&telefone_exato=nao'), [um, dois]);
  for (const caminho of [
    '/clientes?telefone_exato=sim',
    '/resumo?cpf_cnpj=52998224725&telefone_exato=sim',
    '/resumo?telefone=35999990001&cpf_cnpj=52998224725',
  ]) {
    t.is((await api.get(caminho, { chave })).status, 400, caminho);
  }
  const { corpo } = await api.get('/resumo?telefone=3599990001&telefone_exato=sim', { chave });
  t.deepEqual(
    corpo.dados.map(({ cliente }: { cliente: { id: number } }) => cliente.id),
    [um],
  );
});

const escrever = async (method: string, caminho: string, chave: string, corpo: object, headers = {}) =>
  api.pedir(method, caminho, {
    chave,
    headers: { 'content-type': 'application/json', ...headers },
    corpo: JSON.stringify(corpo),
  });

test('uma recusa não diz nada de ninguém, e conta como resposta: ids não se experimentam por elas', async (t) => {
  const outro = await criarFabrica(api.dono).provedor({ clientes_por_hora: 2, buscas_em_vao_por_hora: 3 });
  const deles = await povoar(api, outro, 4, 5);
  const [ana, bia, caio, duda] = deles;
  const recusas = (uma: Pessoa) =>
    [
      ['POST', `/contratos/${uma.contrato}/desbloqueio-confianca`, {}],
      ['POST', `/contratos/${uma.contrato}/desconectar`, {}],
      ['POST', `/contratos/${uma.contrato}/promessa-pagamento`, { data: '2020-01-01' }],
      ['POST', `/faturas/${uma.fatura}/enviar`, { canal: 'fax' }],
      ['PATCH', `/chamados/${uma.chamado}`, { situacao: 'nenhuma' }],
      ['POST', `/clientes/${uma.id}/conferir`, {}],
      ['POST', '/chamados', { cliente_id: uma.id, contrato_id: bia!.contrato, assunto: 'x', descricao: 'y' }],
      ['POST', 'raiz:/v1/clientes', { nome: 'Outra Pessoa', cpf_cnpj: uma.documento }],
      ['PUT', `raiz:/v1/clientes/${uma.id}`, { cpf_cnpj: bia!.documento }],
    ] as const;
  const chave = await criar({ restricoes: AS_DUAS }, outro);
  for (const [method, caminho, corpo] of recusas(ana!)) {
    const { status, texto } = await escrever(method, caminho, chave, corpo);
    t.true(status >= 400 && status < 500, `${method} ${caminho} ${status} ${texto}`);
    limpa(t, texto, caminho, deles);
  }
  const mesma = await criar({ restricoes: AS_DUAS }, outro);
  const confiar = async ({ contrato }: Pessoa) =>
    escrever('POST', `/contratos/${contrato}/desbloqueio-confianca`, mesma, {});
  t.deepEqual(
    [(await confiar(ana!)).status, (await confiar(bia!)).status].map((n) => n === 429),
    [false, false],
  );
  t.deepEqual(codigoDe(await confiar(caio!)), 'tentativas_excedidas');
  t.deepEqual(codigoDe(await confiar(duda!)), 'tentativas_excedidas');
  t.not((await confiar(ana!)).status, 429);
});

test('tráfego de um contrato e mensagens a muitos contam quem se acha por eles, como um a um', async (t) => {
  const outro = await criarFabrica(api.dono).provedor({ clientes_por_hora: 2, buscas_em_vao_por_hora: 3 });
  const deles = await povoar(api, outro, 4, 8);
  const [ana, bia, caio] = deles;
  const trafego = async ({ contrato }: Pessoa, chave: string) =>
    (await api.get(`raiz:/v1/network/traffic?contract_id=${contrato}`, { chave })).status;
  const mensagem = async (corpo: object, chave: string) =>
    (await escrever('POST', 'raiz:/v1/push/messages', chave, { titulo: 'Oi', texto: 'Tudo bem?', ...corpo })).status;
  const uma = await criar({ restricoes: ['somente_busca'] }, outro);
  for (const [pessoa, esperado] of [
    [ana!, 200],
    [bia!, 200],
    [caio!, 429],
    [ana!, 200],
  ] as const) {
    t.is(await trafego(pessoa, uma), esperado);
  }
  const outra = await criar({ restricoes: ['somente_busca'] }, outro);
  t.is(await mensagem({ cliente_ids: deles.map(({ id }) => id) }, outra), 429);
  t.is(await mensagem({ contrato_ids: deles.map(({ contrato }) => contrato) }, outra), 429);
  t.is(await mensagem({ cliente_ids: [ana!.id, bia!.id] }, outra), 202);
  t.is(await mensagem({ contrato_ids: [caio!.contrato] }, outra), 429);
  t.is((await api.dono('eventos').where({ provedor_id: outro, tipo: 'push.mensagem' })).length, 1);
});

test('nem filtros vazios, nem cursores, nem páginas, nem etiquetas passam por uma busca', async (t) => {
  const outro = await criarFabrica(api.dono).provedor({ clientes_por_hora: 2, buscas_em_vao_por_hora: 4 });
  const deles = await povoar(api, outro, 6, 6);
  const [ana] = deles;
  const chave = await criar({ restricoes: AS_DUAS }, outro);
  const livre = await criar({}, outro);
  const { corpo } = await api.get('raiz:/v1/clientes?limit=2', { chave: livre });
  const cursor = encodeURIComponent(
    String(corpo.meta?.next_cursor ?? corpo.pagination?.next_cursor ?? corpo.next_cursor),
  );
  for (const caminho of [
    '/clientes?cpf_cnpj=',
    '/clientes?telefone=',
    '/clientes?telefone=1',
    '/clientes?telefone=%25%25%25%25%25%25%25%25',
    '/clientes?telefone=________',
    '/clientes?%63pf_cnpj=',
    '/clientes?x&cpf_cnpj',
    '/clientes?pagina=2',
    '/faturas?cliente_id=',
    '/faturas?cliente_id=0',
    '/faturas?situacao=vencida',
    '/chamados?protocolo=',
    '/chamados?atualizado_desde=2020-01-01T00:00:00Z',
    '/chamados?cliente_id=1&cliente_id=2',
    '/resumo',
    '/resumo?telefone=',
    `raiz:/v1/clientes?cursor=${cursor}`,
    `raiz:/v1/clientes?telefone=&cursor=${cursor}`,
    `raiz:/v1/clientes?cpf_cnpj=${ana!.documento}&cursor=${cursor}`,
  ]) {
    const { status, texto } = await api.get(caminho, { chave });
    t.true([400, 403, 422].includes(status), `${caminho} ${status} ${texto}`);
  }
  // What another key read is no shorter way to it.
  for (const { id } of deles) {
    const { headers } = await api.get(`/clientes/${id}`, { chave: livre });
    const etag = String(headers['etag']);
    const { status } = await api.get(`/clientes/${id}`, { chave, headers: { 'if-none-match': etag } });
    t.true([200, 429].includes(status), String(status));
  }
  const minha = await criar({ restricoes: AS_DUAS }, outro);
  const respostas: number[] = [];
  for (const { id, documento, protocolo, contrato, telefone } of deles.slice(2)) {
    for (const caminho of [
      `/clientes/${id}`,
      `/atendimentos/${protocolo}`,
      `/contratos/${contrato}`,
      `/clientes?telefone=${telefone}`,
      `/resumo?cpf_cnpj=${documento}`,
    ]) {
      respostas.push((await api.get(caminho, { chave: minha })).status);
    }
  }
  t.deepEqual(respostas, [...Array(10).fill(200), ...Array(10).fill(429)]);
});

test('protocolos em sequência são buscas, também os de contatos de ninguém', async (t) => {
  const outro = await criarFabrica(api.dono).provedor({ buscas_em_vao_por_hora: 3 });
  const chave = await criar({ restricoes: AS_DUAS }, outro);
  const protocolos: string[] = [];
  for (let n = 0; n < 4; n += 1) {
    const feito = await escrever('POST', '/atendimentos', chave, { canal: 'chatbot', assunto: 'Quer contratar' });
    t.is(feito.status, 201);
    protocolos.push(feito.corpo.dados.protocolo);
  }
  const status: number[] = [];
  for (const protocolo of protocolos) status.push((await api.get(`/atendimentos/${protocolo}`, { chave })).status);
  t.deepEqual(status, [200, 200, 200, 429]);
});

test('um pedido repetido não se lê com outra chave, nem mostra mais do que a primeira resposta', async (t) => {
  const [, , , , pessoa] = pessoas;
  const corpo = { cliente_id: pessoa!.id, assunto: 'Sem sinal', descricao: `Fone ${pessoa!.telefone}` };
  const marca = { 'idempotency-key': `repetida-${pessoa!.id}` };
  const livre = await escrever('POST', '/chamados', await criar({}), corpo, marca);
  t.is(livre.status, 201);
  t.true(livre.texto.includes(pessoa!.telefone));
  const chave = await criar({ restricoes: AS_DUAS });
  for (let n = 0; n < 2; n += 1) {
    const { status, texto } = await escrever('POST', '/chamados', chave, corpo, marca);
    t.true([201, 409, 422].includes(status), texto);
    limpa(t, texto, 'repetida');
  }
});
