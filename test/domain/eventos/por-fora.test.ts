import test from 'ava';
import { LINHAS_ALTERADAS } from '../../../src/domain/eventos/eventos.types.ts';
import { TAGS_DE_TUDO } from '../../../src/domain/tags.ts';
import { nomeDaChave } from '../../../src/domain/chaves/chave.ts';
import { createDatabase, jsonColumn } from '../../../src/platform/mysql/database.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import { rightsOfKey } from '../../../src/access/rights/rights.ts';
import { cacheName } from '../../../src/kit/http/reading.ts';
import { ROTAS } from '../../../src/surfaces/public-api/rotas.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { urlDoDono } from '../../support/banco.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const DEZ_SEGUNDOS = 10_000;
const relogio = relogioEm(AGORA);
let api: Api;
let fabrica: Fabrica;
/** Who writes with plain SQL, on a connection that is none of Malha's. */
let operador: Db;
test.before(async () => {
  api = await criarApi({ processos: 2, relogio });
  fabrica = criarFabrica(api.dono);
  operador = createDatabase({ url: urlDoDono(api.databaseUrl), pool: 2 });
});
test.after.always(async () => {
  await operador.destroy();
  await api.fechar();
});
test.beforeEach(async () => {
  relogio.definir(AGORA);
  await publicar();
});

const nomeDoBanco = (): string => new URL(api.databaseUrl).pathname.slice(1);

/** What the worker does four times a second. */
async function publicar(): Promise<void> {
  while ((await api.container.publicacao.publicar()) > 0);
}

const AVISO = {
  tipo: 'interrupcao',
  titulo: 'Fibra rompida',
  texto: 'Volta às 18 h.',
  inicio: '2026-11-20',
  criado_em: '2026-11-20',
  atualizado_em: '2026-11-20',
};

async function cenario() {
  const provedor = await fabrica.provedor();
  const plano = await fabrica.plano(provedor);
  const cliente = await fabrica.cliente(provedor);
  await fabrica.telefone(provedor, { cliente_id: cliente });
  const contrato = await fabrica.contrato(provedor, { cliente_id: cliente, plano_id: plano });
  const fatura = await fabrica.fatura(provedor, {
    cliente_id: cliente,
    contrato_id: contrato,
    vencimento: '2026-12-10',
  });
  const chamado = await fabrica.chamado(provedor, { cliente_id: cliente });
  const [aviso = 0] = await api.dono('avisos_de_rede').insert({ provedor_id: provedor, ...AVISO });
  const [cobrador = 0] = await api.dono('cobradores').insert({ provedor_id: provedor, nome: 'Banco', padrao: 0 });
  const { texto: chave, id: chaveId } = await api.criarChave(provedor);
  return { provedor, plano, cliente, contrato, fatura, chamado, aviso, cobrador, chave, chaveId };
}

/** Tags of the events that rows written past Malha have left, and those of each provider apart. */
async function avisos(provedor?: number): Promise<string[][]> {
  const linhas = await api
    .dono('eventos')
    .where({ tipo: LINHAS_ALTERADAS })
    .modify((q) => void (provedor === undefined || q.where('provedor_id', provedor)))
    .orderBy('id')
    .select<{ etiquetas: string | string[] }[]>('etiquetas');
  return linhas.map(({ etiquetas }) => jsonColumn<string[]>(etiquetas));
}

test.serial('uma fatura paga por SQL é dita paga assim que o worker publica, em todos os processos', async (t) => {
  const { chave, fatura } = await cenario();
  const antes = await api.get(`/faturas/${fatura}`, { chave });
  t.is(antes.corpo.dados.situacao, 'pendente');
  const sabida = { chave, headers: { 'if-none-match': antes.headers.etag! } };
  t.is((await api.get(`/faturas/${fatura}`, { ...sabida, processo: 1 })).status, 304);
  await operador('faturas')
    .where('id', fatura)
    .update({ situacao: 'paga', valor_pago: '99.90', pago_em: '2026-11-20' });
  await publicar();
  for (const processo of [0, 1]) {
    const depois = await api.get(`/faturas/${fatura}`, { ...sabida, processo });
    t.is(depois.status, 200);
    t.is(depois.corpo.dados.situacao, 'paga');
    t.is(depois.corpo.dados.segunda_via, null);
  }
  // What says nothing but its tags does not stay.
  t.deepEqual(await avisos(), []);
});

test.serial('uma chave revogada por SQL é recusada assim que o worker publica, em todos os processos', async (t) => {
  const { chave, chaveId } = await cenario();
  for (const processo of [0, 1]) t.is((await api.get('/status', { chave, processo })).status, 200);
  await operador('chaves_api').where('id', chaveId).update({ revogada_em: '2026-11-20 15:00:00.000' });
  await publicar();
  for (const processo of [0, 1]) {
    const { corpo } = await api.get('/status', { chave, processo });
    t.is(corpo.erro?.codigo, 'chave_revogada');
  }
});

for (const [como, escrever, codigo] of [
  [
    'revogada',
    (id: number) => operador('chaves_api').where({ id }).update({ revogada_em: '2026-11-20' }),
    'chave_revogada',
  ],
  ['apagada', (id: number) => operador('chaves_api').where({ id }).delete(), 'chave_invalida'],
] as const) {
  test.serial(`sem worker, uma chave ${como} por SQL é recusada dez segundos depois`, async (t) => {
    const { chave, chaveId } = await cenario();
    await api.dono('auditoria').where({ chave_id: chaveId }).delete();
    t.is((await api.get('/status', { chave })).status, 200);
    await escrever(chaveId);
    relogio.avancar(DEZ_SEGUNDOS);
    for (let vez = 0; vez < 2; vez += 1) t.is((await api.get('/status', { chave })).corpo.erro?.codigo, codigo);
  });
}

/** Statements that the database is sent while something is done. */
async function comandosDe(fazer: () => Promise<unknown>): Promise<number> {
  let feitos = 0;
  const ouvir = (): void => void (feitos += 1);
  api.container.db.on('query', ouvir);
  await fazer();
  api.container.db.off('query', ouvir);
  return feitos;
}

test.serial('dez segundos de uma chave custam um comando ao banco, por mais que ela peça', async (t) => {
  const { chave, cliente } = await cenario();
  const pedir = () => api.get(`/clientes/${cliente}`, { chave });
  const sql = async (vezes: number): Promise<number> =>
    comandosDe(async () => Promise.all(Array.from({ length: vezes }, pedir)));
  await pedir();
  await pedir();
  t.is(await sql(50), 0);
  relogio.avancar(DEZ_SEGUNDOS);
  t.is(await sql(50), 1);
  t.is(await sql(50), 0);
});

test.serial('chaves que se leram juntas se leem de novo uma a uma, e todas em dez segundos', async (t) => {
  const { chave, cliente, provedor } = await cenario();
  const outras = await Promise.all([1, 2, 3].map(async () => api.criarChave(provedor)));
  const chaves = [chave, ...outras.map(({ texto }) => texto)];
  const pedir = async (quais: readonly string[]): Promise<number> =>
    comandosDe(async () => Promise.all(quais.map((uma) => api.get(`/clientes/${cliente}`, { chave: uma }))));
  await pedir(chaves);
  await pedir(chaves);
  t.is(await pedir(chaves), 0);
  relogio.avancar(DEZ_SEGUNDOS - 1000);
  t.is(await pedir(chaves), 1);
  let umaAUma = 0;
  for (const uma of chaves) umaAUma += await pedir([uma]);
  t.is(umaAUma, chaves.length - 1);
  relogio.avancar(1000);
  t.is(await pedir(chaves), 0);
  relogio.avancar(DEZ_SEGUNDOS);
  t.is(await pedir(chaves), chaves.length);
});

test.serial(
  'enquanto se sabe que tudo foi publicado, chave alguma se lê de novo, salvo a cada dez minutos',
  async (t) => {
    const { chave, chaveId } = await cenario();
    const pedir = async () => (await api.get('/status', { chave })).corpo.erro?.codigo;
    const { publicacao } = api.container;
    const passar = async (ms: number): Promise<void> => {
      relogio.avancar(ms);
      await publicacao.conferir();
      await publicacao.conferir();
    };
    await publicar();
    await pedir();
    const semLer = await comandosDe(pedir);
    for (let vez = 0; vez < 59; vez += 1) {
      await passar(DEZ_SEGUNDOS);
      t.is(await comandosDe(pedir), semLer);
    }
    await passar(DEZ_SEGUNDOS);
    t.is(await comandosDe(pedir), semLer + 1);

    // An event that is not published: who revokes is not heard, and the ten seconds count again.
    await operador('chaves_api').where({ id: chaveId }).update({ revogada_em: '2026-11-20' });
    await passar(DEZ_SEGUNDOS - 1);
    await passar(1);
    t.is(await pedir(), 'chave_revogada');
  },
);

test.serial('do que ninguém avisa, nenhuma resposta tem mais de dez minutos', async (t) => {
  const { chave, fatura } = await cenario();
  const situacao = async () => (await api.get(`/faturas/${fatura}`, { chave })).corpo.dados.situacao as string;
  t.is(await situacao(), 'pendente');
  await operador('faturas').where('id', fatura).update({ situacao: 'paga' });
  relogio.avancar(10 * 60_000);
  t.is(await situacao(), 'paga');
});

test.serial('o que a própria Malha escreve não é avisado outra vez', async (t) => {
  const { provedor, fatura } = await cenario();
  await api.container.db('faturas').where('id', fatura).update({ descricao: 'x' });
  t.deepEqual(await avisos(provedor), []);
});

test.serial('uma escrita por SQL que é desfeita não avisa de nada', async (t) => {
  const { provedor, fatura } = await cenario();
  await t.throwsAsync(
    operador.transaction(async (trx) => {
      await trx('faturas').where('id', fatura).update({ situacao: 'paga' });
      throw new Error('desfeita');
    }),
    { message: 'desfeita' },
  );
  t.deepEqual(await avisos(provedor), []);
});

/** What each table's rows make stale, and a row of it to insert, change and delete. */
const TABELAS: Readonly<
  Record<
    string,
    {
      readonly linha?: (c: Cenario) => Record<string, unknown>;
      readonly mudar: (c: Cenario) => Record<string, unknown>;
      readonly etiquetas: (c: Cenario, id: number) => readonly string[];
      /** Not of an update that changes something else than what people search by. */
      readonly busca?: true;
      readonly soMudar?: true;
    }
  >
> = {
  provedores: { soMudar: true, mudar: () => ({ pix_nome: 'OUTRO' }), etiquetas: () => ['provedor'] },
  regras_cobranca: { soMudar: true, mudar: () => ({ carencia_dias: 5 }), etiquetas: () => ['provedor'] },
  provedores_identidade: { linha: () => ({}), mudar: () => ({ razao_social: 'X' }), etiquetas: () => ['provedor'] },
  provedores_nas: {
    linha: ({ provedor }) => ({ nasipaddress: `10.9.${provedor % 256}.1` }),
    mudar: () => ({ porta_coa: 1700 }),
    etiquetas: () => ['provedor'],
  },
  planos: {
    linha: () => ({ nome: 'Y', download_mbps: 1, upload_mbps: 1, valor: '1.00' }),
    mudar: () => ({ nome: 'X' }),
    etiquetas: () => ['provedor'],
  },
  clientes: {
    linha: () => ({ nome: 'B', tipo: 'pf', cpf_cnpj: '11144477735', situacao: 'ativo' }),
    mudar: () => ({ nome: 'X' }),
    etiquetas: (_, id) => [`cliente:${id}`, 'clientes'],
    busca: true,
  },
  clientes_telefones: {
    linha: ({ cliente }) => ({ cliente_id: cliente, numero: '35999990002' }),
    mudar: () => ({ numero: '35999990003' }),
    etiquetas: ({ cliente }) => [`cliente:${cliente}`, 'clientes', 'clientes:busca'],
  },
  contratos: {
    linha: ({ cliente, plano }) => ({
      cliente_id: cliente,
      plano_id: plano,
      situacao: 'ativo',
      tipo_cobranca: 'pos_pago',
      dia_vencimento: 10,
      valor: '1.00',
    }),
    mudar: () => ({ situacao: 'bloqueado' }),
    etiquetas: ({ cliente }, id) => [`contrato:${id}`, `cliente:${cliente}`, 'clientes'],
  },
  avisos_de_rede: {
    linha: () => AVISO,
    mudar: () => ({ fim: '2026-11-21' }),
    etiquetas: () => ['avisos'],
  },
  avisos_de_rede_alvos: {
    linha: ({ aviso }) => ({ aviso_id: aviso, tipo: 'todos' }),
    mudar: () => ({ tipo: 'cidade', texto: 'Alfenas' }),
    etiquetas: () => ['avisos'],
  },
  atendimentos: {
    linha: ({ cliente }) => ({
      cliente_id: cliente,
      protocolo: `2026${cliente}`.padEnd(14, '0'),
      tipo: 'contato',
      aberto_em: '2026-11-20',
    }),
    mudar: () => ({ assunto: 'Outro' }),
    etiquetas: ({ cliente }) => ['atendimentos', `cliente:${cliente}`],
  },
  promessas_pagamento: {
    linha: ({ cliente, contrato }) => ({
      cliente_id: cliente,
      contrato_id: contrato,
      data: '2026-11-25',
      registrada_em: '2026-11-20',
    }),
    mudar: () => ({ situacao: 'cumprida' }),
    etiquetas: ({ cliente, contrato }) => [`contrato:${contrato}`, `cliente:${cliente}`],
  },
  desbloqueios_confianca: {
    linha: ({ contrato }) => ({ contrato_id: contrato, dias: 3, aplicado_em: '2026-11-20', ate: '2026-11-23' }),
    mudar: () => ({ encerrado_em: '2026-11-21' }),
    etiquetas: ({ contrato, cliente }) => [`contrato:${contrato}`, `cliente:${cliente}`, 'clientes'],
  },
  faturas: {
    linha: ({ cliente }) => ({
      cliente_id: cliente,
      situacao: 'pendente',
      valor: '1.00',
      vencimento: '2026-11-10',
      emitida_em: '2026-11-01',
      token: `f${cliente}`.padEnd(22, 'x'),
    }),
    mudar: () => ({ situacao: 'paga' }),
    etiquetas: ({ cliente }, id) => [`fatura:${id}`, `cliente:${cliente}`, 'faturas'],
  },
  pix_recebidos: {
    linha: ({ fatura }) => ({
      fatura_id: fatura,
      end_to_end_id: `E${fatura}`.padEnd(32, '0'),
      valor: '1.00',
      pago_em: '2026-11-20',
      criado_em: '2026-11-20',
    }),
    mudar: () => ({ devolvido: '1.00' }),
    etiquetas: ({ fatura, cliente }) => [`fatura:${fatura}`, `cliente:${cliente}`, 'faturas'],
  },
  recebimentos_manuais: {
    linha: ({ fatura }) => ({
      fatura_id: fatura,
      forma: 'dinheiro',
      valor: '1.00',
      pago_em: '2026-11-20',
      autor: 'x',
      criado_em: '2026-11-20',
    }),
    mudar: () => ({ desfeito_em: '2026-11-21' }),
    etiquetas: ({ fatura, cliente }) => [`fatura:${fatura}`, `cliente:${cliente}`, 'faturas'],
  },
  boletos_recebidos: {
    linha: ({ fatura, cobrador }) => ({
      fatura_id: fatura,
      cobrador_id: cobrador,
      chave: `001 ${fatura}`,
      nosso_numero: '1',
      valor: '1.00',
      pago_no_dia: '2026-11-20',
      pago_em: '2026-11-20',
      linha: 1,
      criado_em: '2026-11-20',
    }),
    mudar: () => ({ devolvido: '1.00' }),
    etiquetas: ({ fatura, cliente }) => [`fatura:${fatura}`, `cliente:${cliente}`, 'faturas'],
  },
  faturas_ajustes: {
    linha: ({ fatura }) => ({
      fatura_id: fatura,
      tipo: 'desconto',
      valor: '1.00',
      dado_em: '2026-11-20',
      autor: 'x',
      criado_em: '2026-11-20',
    }),
    mudar: () => ({ desfeito_em: '2026-11-21' }),
    etiquetas: ({ fatura, cliente }) => [`fatura:${fatura}`, `cliente:${cliente}`, 'faturas'],
  },
  nfcom: {
    linha: ({ fatura, cliente }) => ({
      fatura_id: fatura,
      cliente_id: cliente,
      ambiente: 'producao',
      valor: '1.00',
    }),
    mudar: () => ({ situacao: 'autorizada' }),
    etiquetas: ({ fatura, cliente }) => [`fatura:${fatura}`, `cliente:${cliente}`, 'faturas'],
  },
  chamados: {
    linha: ({ cliente }) => ({ cliente_id: cliente, assunto: 'a', descricao: 'b', aberto_em: '2026-11-01' }),
    mudar: () => ({ prioridade: 'alta' }),
    etiquetas: ({ cliente }, id) => [`chamado:${id}`, `cliente:${cliente}`, 'chamados'],
  },
  chamados_historico: {
    linha: ({ chamado }) => ({ chamado_id: chamado, acao: 'comentario' }),
    mudar: () => ({ descricao: 'X' }),
    etiquetas: ({ chamado }) => [`chamado:${chamado}`],
  },
  extratos: {
    linha: () => ({ dia: '2026-11-20', criado_em: '2026-11-20' }),
    mudar: () => ({ bytes: 1 }),
    etiquetas: () => ['extratos'],
  },
};
type Cenario = Awaited<ReturnType<typeof cenario>>;

for (const [tabela, { linha, mudar, etiquetas, busca, soMudar }] of Object.entries(TABELAS)) {
  test.serial(
    `escrita por SQL, ${tabela} avisa de ${soMudar === true ? 'cada mudança' : 'cada linha nova, mudada e apagada'}`,
    async (t) => {
      const c = await cenario();
      const dono = tabela === 'provedores' ? { id: c.provedor } : { provedor_id: c.provedor };
      let id = 0;
      if (linha !== undefined) [id = 0] = await operador(tabela).insert({ ...dono, ...linha(c) });
      const esperadas = [...etiquetas(c, id)];
      const comBusca = busca === true ? [...esperadas, 'clientes:busca'] : esperadas;
      if (linha !== undefined) t.deepEqual(await avisos(c.provedor), [comBusca]);
      await publicar();
      const daLinha = id === 0 ? dono : { ...dono, id };
      await operador(tabela).where(daLinha).update(mudar(c));
      t.deepEqual(new Set((await avisos(c.provedor)).flat()), new Set(esperadas));
      await publicar();
      if (linha === undefined) return;
      await operador(tabela).where(daLinha).delete();
      t.deepEqual(await avisos(c.provedor), [comBusca]);
    },
  );
}

test.serial('uma chave mudada ou apagada por SQL é avisada pelo nome que os processos guardam', async (t) => {
  const { provedor, chaveId: id } = await cenario();
  await api.dono('auditoria').where({ chave_id: id }).delete();
  const [{ hash }] = (await api.dono('chaves_api').where({ id }).select('hash')) as [{ hash: Buffer }];
  await operador('chaves_api').where({ id }).update({ nome: 'x' });
  t.deepEqual(await avisos(provedor), [[nomeDaChave(hash.toString('hex'))]]);
  await publicar();
  await operador('chaves_api').where({ id }).delete();
  t.deepEqual(await avisos(provedor), [[nomeDaChave(hash.toString('hex'))]]);
});

test.serial('o que muda de dono por SQL é avisado a quem era e a quem passa a ser', async (t) => {
  const { provedor, cliente, fatura } = await cenario();
  const outro = await fabrica.cliente(provedor);
  await operador('faturas').where('id', fatura).update({ cliente_id: outro, contrato_id: null });
  t.deepEqual(await avisos(provedor), [
    [`fatura:${fatura}`, `cliente:${outro}`, 'faturas'],
    [`fatura:${fatura}`, `cliente:${cliente}`, 'faturas'],
  ]);
  await publicar();
  await operador('clientes').where('id', outro).update({ cpf_cnpj: '11144477735' });
  t.deepEqual(await avisos(provedor), [[`cliente:${outro}`, 'clientes', 'clientes:busca']]);
});

test.serial('de um comando com muitas linhas avisam-se as primeiras pelo nome, e depois, uma vez, tudo', async (t) => {
  const [um, dois] = [await cenario(), await cenario()];
  for (const { provedor, cliente } of [um, dois]) {
    const linhas = Array.from({ length: 600 }, (_, n) => ({
      provedor_id: provedor,
      cliente_id: cliente,
      situacao: 'pendente',
      valor: '1.00',
      vencimento: '2026-11-10',
      emitida_em: '2026-11-01',
      token: `${provedor}-${n}`.padEnd(22, 'x'),
    }));
    await api.dono('faturas').insert(linhas);
  }
  for (let vez = 0; vez < 2; vez += 1) {
    // Of both providers at once; and in one transaction, as a job that commits at the end does it.
    await operador.transaction(async (trx) => {
      await trx('faturas')
        .whereIn('provedor_id', [um.provedor, dois.provedor])
        .orderBy(['provedor_id', 'id'])
        .update({ descricao: `${vez}` });
      await trx('faturas').where('id', um.fatura).update({ situacao: 'paga' });
    });
    for (const { provedor, fatura, cliente } of [um, dois]) {
      const ditos = await avisos(provedor);
      const depois = provedor === um.provedor ? [[`fatura:${fatura}`, `cliente:${cliente}`, 'faturas']] : [];
      t.is(ditos.length, 201 + depois.length);
      t.is(ditos.slice(0, 200).filter(([primeira]) => primeira!.startsWith('fatura:')).length, 200);
      t.deepEqual(ditos.slice(200), [[...TAGS_DE_TUDO], ...depois]);
    }
    await publicar();
  }
});

test.serial('quem só pode escrever em faturas escreve, e é ouvido', async (t) => {
  const { provedor, fatura } = await cenario();
  const usuario = `caixa_${fatura}_${provedor}`;
  await api.dono.raw(`CREATE USER ?@'%' IDENTIFIED BY 'senha'`, [usuario]);
  t.teardown(async () => void (await api.dono.raw(`DROP USER ?@'%'`, [usuario])));
  await api.dono.raw(`GRANT SELECT, UPDATE ON ?? TO ?@'%'`, [`${nomeDoBanco()}.faturas`, usuario]);
  const url = new URL(urlDoDono(api.databaseUrl));
  [url.username, url.password] = [usuario, 'senha'];
  const caixa = createDatabase({ url: url.href, pool: 1 });
  t.teardown(() => caixa.destroy());
  await caixa('faturas').where('id', fatura).update({ situacao: 'paga' });
  t.is((await avisos(provedor)).length, 1);
  await t.throwsAsync(caixa('eventos').select('id'), { message: /denied/ });
});

/** Tables of a tenant that no answer is kept of, nor a key's admission; and why. */
const SEM_AVISO: Readonly<Record<string, string>> = {
  acessos_a_dados: 'nobody answers by it',
  app_acessos: 'a session of the app is looked up again within ten minutes',
  app_codigos: 'looked up at each use',
  app_documentos: 'é só a tranca de um documento',
  app_sessoes: 'looked up again within ten minutes',
  app_tokens: 'looked up again within ten minutes',
  arquivos_bancarios: 'nobody answers by it',
  auditoria: 'nobody answers by it',
  boletos: 'what is answered of it stands in faturas',
  boletos_instrucoes: 'nobody answers by it',
  boletos_tarifas: 'nobody answers by it',
  carnes: 'pages are made anew at each opening',
  chaves_uso: 'nobody answers by it',
  clientes_alteracoes: 'written by triggers, with the rows that they tell of',
  clientes_emails_anteriores: 'nobody answers by it',
  clientes_palavras: 'no answer is kept of it',
  cobradores: 'its triggers write the rules of the provider, which tell of it',
  conexoes: 'made from radacct by conexoes.agregar, which tells of it',
  conexoes_pendentes: 'a queue',
  convenios_bancarios: 'nobody answers by it',
  convenios_sequencias: 'nobody answers by it',
  contratos_historico: 'nobody answers by it',
  contratos_itens: 'read anew at each use',
  chamados_notas: 'nobody answers by it: the staff reads it anew',
  convites: 'pages are made anew at each opening',
  devolucoes_pedidas: 'no answer is kept of it',
  eventos: 'the outbox itself',
  eventos_pendentes: 'the outbox, too',
  faturamento_cobrancas: 'nobody answers by it',
  faturamento_configuracoes: 'read anew at each use',
  faturamentos: 'nobody answers by it',
  faturas_lancamentos: 'nobody answers by it',
  importacao_arquivos: 'nobody answers by it',
  importacao_linhas: 'nobody answers by it',
  importacao_senhas: 'nobody answers by it',
  importacoes: 'nobody answers by it',
  nfcom_certificados: 'read anew at each use',
  nfcom_clientes: 'nobody answers by it',
  nfcom_configuracoes: 'read anew at each use',
  nfcom_eventos: 'what came of them stands in nfcom',
  nfcom_filas: 'nobody answers by it',
  nfcom_grupos: 'nobody answers by it',
  nfcom_municipios: 'nobody answers by it',
  nfcom_numeracao: 'nobody answers by it',
  nfcom_numeros_livres: 'nobody answers by it',
  nfcom_partes: 'nobody answers by it',
  nfcom_servicos: 'nobody answers by it',
  nfcom_tentativas: 'nobody answers by it',
  nfcom_versoes: 'nobody answers by it',
  remessas: 'nobody answers by it',
  retornos: 'nobody answers by it',
  retornos_linhas: 'nobody answers by it',
  retornos_partes: 'nobody answers by it',
  psp_cobrancas: 'what is shown of them stands in faturas',
  psp_convenios: 'read anew at each use',
  notificacoes: 'nobody answers by it',
  notificacoes_lidas: 'read anew at each opening of the panel',
  painel_sessoes: 'a session is looked up again within ten minutes',
  perfis: 'a session is looked up again within ten minutes',
  planos_alteracoes: 'a queue',
  correio_pedidos: 'a queue',
  faturamento_pedidos: 'a queue, which is read anew at each use',
  regua_passos: 'nobody answers by it',
  regua_pausas: 'nobody answers by it',
  reguas: 'read anew at each use',
  pops: 'nobody answers by it',
  pix_devolucoes: 'what was given back stands in pix_recebidos',
  pix_recusados: 'nobody answers by it',
  protocolos_dias: 'nobody answers by it',
  provedores_feriados: 'its triggers write the rules of the provider, which tell of it',
  provedores_rede: 'nobody answers by it',
  push_dispositivos: 'no answer of them is kept',
  push_envios: 'no answer of them is kept',
  push_lembretes: 'nobody answers by it',
  quedas_diarias: 'made from radacct by conexoes.agregar, which tells of it',
  receptores_pix: 'looked up at each telling',
  renegociacoes: 'nobody answers by it',
  renegociacoes_faturas: 'nobody answers by it',
  rede_desconexoes: 'a queue',
  rede_horas: 'made from radacct by conexoes.agregar; nobody answers by it',
  rede_pedidos: 'a queue',
  rede_quedas: 'nobody answers by it',
  registros_conexao: 'no answer is kept of it',
  registros_portas: 'no answer is kept of it',
  registros_removidos: 'its answers are not kept',
  requisicoes_idempotentes: 'looked up at each request',
  somas_diarias: 'no answer is kept of it',
  trafego_diario: 'made from radacct by conexoes.agregar; no answer is kept of it',
  trafego_horario: 'made from radacct by conexoes.agregar; no answer is kept of it',
  tarefas_diarias: 'nobody answers by it',
  usuarios: 'a session is looked up again within ten minutes',
  usuarios_codigos: 'looked up at each use',
  usuarios_convites: 'looked up at each opening',
  usuarios_fatores: 'looked up at each use',
  webhook_entregas: 'no answer of them is kept',
  webhook_mensagens: 'no answer of them is kept',
  webhook_tentativas: 'no answer of them is kept',
  webhooks: 'no answer of them is kept',
};

async function tabelasComAviso(): Promise<string[]> {
  const [linhas = []] = await api.dono.raw<{ tabela: string }[][]>(`
    SELECT DISTINCT event_object_table AS tabela FROM information_schema.triggers
     WHERE trigger_schema = DATABASE() AND trigger_name LIKE 'por\\_fora\\_%'`);
  return linhas.map(({ tabela }) => tabela).toSorted();
}

test.serial('de cada tabela de inquilino está decidido se a sua escrita por SQL é avisada', async (t) => {
  const [linhas = []] = await api.dono.raw<{ tabela: string }[][]>(`
    SELECT table_name AS tabela FROM information_schema.columns
     WHERE table_schema = DATABASE() AND column_name = 'provedor_id'`);
  const deInquilino = [...linhas.map(({ tabela }) => tabela), 'provedores'];
  const decididas = [...(await tabelasComAviso()), ...Object.keys(SEM_AVISO)];
  t.deepEqual(decididas.toSorted(), deInquilino.toSorted());
  t.deepEqual([...Object.keys(TABELAS), 'chaves_api'].toSorted(), await tabelasComAviso());
});

test.serial('toda tabela de que uma resposta guardada é feita é avisada, ou é derivada do que o é', async (t) => {
  const c = await cenario();
  const ids: Readonly<Record<string, number>> = {
    clientes: c.cliente,
    contratos: c.contrato,
    faturas: c.fatura,
    chamados: c.chamado,
  };
  const [todas = []] = await api.dono.raw<{ tabela: string }[][]>(
    'SELECT table_name AS tabela FROM information_schema.tables WHERE table_schema = DATABASE()',
  );
  const nomes = new Set(todas.map(({ tabela }) => tabela));
  const lidas = new Set<string>();
  let guardadas = 0;
  for (const rota of ROTAS.filter(({ kind }) => kind === 'read')) {
    const caminho = rota.path.replace('{id}', String(ids[rota.path.split('/')[1]!]));
    const url = `/api/v1${caminho}`;
    const doPedido = new Set<string>();
    const ouvir = ({ sql }: { sql: string }): void => {
      for (const [palavra] of sql.matchAll(/\w+/g)) if (nomes.has(palavra)) doPedido.add(palavra);
    };
    api.container.db.on('query', ouvir);
    await api.get(caminho, { chave: c.chave });
    api.container.db.off('query', ouvir);
    const { chave, provedor } = (await api.container.chaves.buscarPorHash(await hashDe(c.chaveId)))!;
    const direitos = rightsOfKey(chave, provedor).name;
    const leitor = nomeDaChave(await hashDe(c.chaveId));
    const { cache } = api.container;
    const nomesDela = [cacheName(c.provedor, url, direitos, leitor), cacheName(c.provedor, url, direitos, null)];
    if (nomesDela.every((nome) => cache.peek(nome) === undefined)) continue;
    guardadas += 1;
    for (const tabela of doPedido) lidas.add(tabela);
  }
  t.true(guardadas >= 9, String(guardadas));
  const avisadas = await tabelasComAviso();
  t.deepEqual([...lidas].filter((tabela) => !avisadas.includes(tabela)).toSorted(), [
    'clientes_alteracoes',
    'conexoes',
    // Of it the names of servers are told, which their own form touches.
    'nas',
    'quedas_diarias',
    // FreeRADIUS's, and what its triggers make of it, which conexoes.agregar hears and tells of.
    'radacct',
    'sessoes_ouvidas',
  ]);
});

async function hashDe(chaveId: number): Promise<string> {
  const [{ hash }] = (await api.dono('chaves_api').where({ id: chaveId }).select('hash')) as [{ hash: Buffer }];
  return hash.toString('hex');
}

test.serial('o que o comando esquece é tudo o que os gatilhos dizem de tudo', async (t) => {
  const [linhas = []] = await api.dono.raw<Record<string, string>[][]>(`
    SELECT action_statement AS corpo FROM information_schema.triggers
     WHERE trigger_schema = DATABASE() AND trigger_name LIKE 'por\\_fora\\_%'`);
  t.true(linhas.length >= 30);
  for (const { corpo } of linhas) t.true(corpo!.includes(JSON.stringify(TAGS_DE_TUDO)));
});
