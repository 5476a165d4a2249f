import { randomBytes } from 'node:crypto';
import { mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { createConclusaoDeApagamentosService } from '../../../src/domain/privacidade/apagamento/conclusao.service.ts';
import { createRetencaoService } from '../../../src/domain/retencao/retencao.service.ts';
import { GUARDAS } from '../../../src/domain/retencao/retencao.types.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

const AGORA = Date.parse('2026-11-20T15:00:00.000Z');
const HORA = 3_600_000;
const NUNCA = new AbortController().signal;
const TEMPOS = [...new Set(GUARDAS.map(({ horas }) => horas))];
const relogio = relogioEm('2026-11-20T15:00:00.000Z');

let api: Api;
let fabrica: Fabrica;
test.before(async () => {
  api = await criarApi({ relogio });
  fabrica = criarFabrica(api.dono);
});
test.after.always(() => api.fechar());

// By the application's user: what it may not delete shows here.
const limpar = async (signal = NUNCA) => {
  const { db, write, extratos, provedores } = api.container;
  const apagamentos = createConclusaoDeApagamentosService({ db, write, relogio, provedores });
  return createRetencaoService({ db, relogio, extratos, apagamentos }).limpar(AUTOR, signal);
};
const momento = (horas: number): string => new Date(AGORA - horas * HORA).toISOString().replace('T', ' ').slice(0, 23);
const dia = (horas: number): string => momento(horas).slice(0, 10);

/** What tells whose a row is in tables without a tenant. */
const DONO: Readonly<Record<string, string>> = {
  sessoes_encerradas: 'radacctid',
  sessoes_ouvidas: 'intervalo_anterior',
  trafego_sessoes: 'entrada',
};
let sessoes = 0;

/** One row of each kind, as old as this; `null`: not yet what it is kept for. */
async function linhasDe(provedor: number, contrato: number, chave: number, horas: number | null): Promise<void> {
  const quando = horas === null ? null : momento(horas);
  await api.dono('eventos').insert({ provedor_id: provedor, tipo: 't.t', etiquetas: '[]', publicado_em: quando });
  const [pedido] = await api.dono('rede_pedidos').insert({
    provedor_id: provedor,
    contrato_id: contrato,
    acao: 'liberar',
    pedido_em: '2020-01-01 00:00:00.000',
    aplicado_em: quando,
  });
  if (horas === null) return;
  await api.dono('arquivos_bancarios').insert({ provedor_id: provedor, conteudo: '', criado_em: momento(horas) });
  await api.dono('rede_desconexoes').insert({
    provedor_id: provedor,
    pedido_id: pedido,
    contrato_id: contrato,
    radacctid: 1,
    nasipaddress: '10.0.0.1',
    estado: 'aceita',
    proxima_em: momento(horas),
    criado_em: momento(horas),
    concluida_em: momento(horas),
  });
  await api.dono('requisicoes_idempotentes').insert({
    provedor_id: provedor,
    chave_id: chave,
    marca: randomBytes(32),
    pedido: randomBytes(32),
    criado_em: momento(horas),
  });
  await api.dono('tarefas_diarias').insert({
    provedor_id: provedor,
    tarefa: 'pix.recalcular',
    dia: dia(horas),
    iniciada_em: momento(horas),
  });
  await api.dono('registros_removidos').insert({
    provedor_id: provedor,
    lista: 'faturas',
    registro_id: 1,
    removido_em: momento(horas),
  });
  await api.dono('extratos').insert({
    provedor_id: provedor,
    dia: dia(horas),
    situacao: 'removido',
    criado_em: momento(horas),
  });
  await api.dono('pix_recusados').insert({
    provedor_id: provedor,
    marca: randomBytes(32),
    motivo: 'valor: fora do formato da API Pix.',
    dito: '{}',
    receptor: 'Banco',
    criado_em: momento(horas),
  });
  // These three without a tenant, as radacct.
  await api.dono('sessoes_encerradas').insert({
    radacctid: provedor,
    username: 'joao',
    acctterminatecause: 'Lost-Carrier',
    criado_em: momento(horas),
  });
  sessoes += 1;
  await api.dono('sessoes_ouvidas').insert({
    radacctid: sessoes,
    dita_em: momento(horas),
    recebida_em: momento(horas),
    ouvida_em: momento(horas),
    intervalo_anterior: provedor,
  });
  await api.dono('trafego_sessoes').insert({
    radacctid: sessoes,
    entrada: provedor,
    saida: 0,
    criado_em: momento(horas),
  });
  const sessao = { login: 'joao', inicio: momento(horas + 1), fim: momento(horas) };
  await api.dono('registros_conexao').insert({
    ...sessao,
    provedor_id: provedor,
    radacctid: sessoes,
    nas: 1,
    mac: '',
    rede: Buffer.from([203, 0, 113, 7]),
    bits: 32,
  });
  await api.dono('registros_portas').insert({
    ...sessao,
    nasipaddress: nasDe(provedor),
    sessao: `s${sessoes}`,
    ip_publico: 1,
    porta_inicial: 1024,
    porta_final: 2047,
  });
  const importacao = await importacaoDe(provedor);
  await api.dono('importacao_arquivos').insert({
    provedor_id: provedor,
    importacao_id: importacao,
    parte: sessoes,
    conteudo: Buffer.from('x'),
    criado_em: momento(horas),
  });
  const { cliente_id, plano_id } = await api.dono('contratos').where('id', contrato).first('cliente_id', 'plano_id');
  await api.dono('importacao_senhas').insert({
    provedor_id: provedor,
    contrato_id: await fabrica.contrato(provedor, { cliente_id, plano_id }),
    senha: Buffer.from('x'),
    criado_em: momento(horas),
  });
  await api.dono('quedas_diarias').insert({ provedor_id: provedor, contrato_id: contrato, dia: dia(horas), quedas: 1 });
  await api.dono('chaves_uso').insert({
    provedor_id: provedor,
    chave_id: chave,
    dia: dia(horas),
    pedidos: 1,
    ultimo_em: momento(horas),
  });
  const usuario_id = await usuarioDe(provedor);
  await api.dono('painel_sessoes').insert({
    provedor_id: provedor,
    usuario_id,
    hash: randomBytes(32),
    criada_em: momento(horas),
    vista_em: momento(horas),
    ip: '203.0.113.9',
    agente: '',
  });
  const [sessao_id] = await api.dono('app_sessoes').insert({
    provedor_id: provedor,
    usuario_id,
    rede: '203.0.113.9',
    criada_em: momento(horas),
    limite_em: momento(horas),
    usada_em: dia(horas),
    vale_ate: momento(horas),
  });
  const [dispositivo_id] = await api.dono('push_dispositivos').insert({
    provedor_id: provedor,
    usuario_id,
    tipo: 'fcm',
    token_hash: randomBytes(32),
    token: Buffer.from('x'),
    plataforma: 'android',
    silenciados: '[]',
    visto_em: momento(horas),
    criado_em: momento(horas),
  });
  await api.dono('push_envios').insert({
    provedor_id: provedor,
    dispositivo_id,
    tipo: 'chamado_novo',
    chave: 'chamado_novo:1',
    titulo: 'Chamado novo',
    texto: '',
    dados: '{}',
    dia: dia(horas),
    proxima_em: momento(horas),
    expira_em: momento(horas),
    criado_em: momento(horas),
  });
  await api.dono('push_lembretes').insert({
    provedor_id: provedor,
    tipo: 'chamado_proximo',
    recurso_id: sessoes,
    quando: momento(horas),
    criado_em: momento(horas),
  });
  await api.dono('app_tokens').insert({
    provedor_id: provedor,
    sessao_id,
    geracao: 1,
    nonce: randomBytes(32),
    refresh_hash: randomBytes(32),
    access_hash: randomBytes(32),
    criado_em: momento(horas),
    access_ate: momento(horas),
    refresh_ate: momento(horas),
  });
  await api.dono('app_codigos').insert({
    provedor_id: provedor,
    acesso_id: await acessoDe(provedor),
    canal: 'email',
    codigo_hmac: randomBytes(32),
    criado_em: momento(horas),
    expira_em: momento(horas),
  });
  const { cliente_id: titular } = await api.dono('contratos').where('id', contrato).first('cliente_id');
  await api.dono('clientes_emails_anteriores').insert({
    provedor_id: provedor,
    cliente_id: titular,
    email: 'antes@malha.test',
    trocado_em: momento(horas),
  });
  await api.dono('usuarios_convites').insert({
    provedor_id: provedor,
    usuario_id,
    tipo: 'senha',
    token_hash: randomBytes(32),
    expira_em: momento(horas),
  });
  await api.dono('acessos_a_dados').insert({
    provedor_id: provedor,
    usuario_id,
    o_que: 'csv',
    ocorrido_em: momento(horas),
  });
  await api.dono('somas_diarias').insert({
    provedor_id: provedor,
    nome: 'recebido',
    dia: dia(horas),
    valor: '1.00',
    quantidade: 1,
    feita_em: momento(horas),
  });
  await api.dono('trafego_diario').insert({
    provedor_id: provedor,
    contrato_id: contrato,
    dia: dia(horas),
    download_bytes: 1,
    upload_bytes: 1,
  });
  await api.dono('trafego_horario').insert({
    provedor_id: provedor,
    hora: momento(horas),
    nas: `10.0.0.${sessoes}`,
    download_bytes: 1,
    upload_bytes: 1,
  });
  await api.dono('rede_horas').insert({ provedor_id: provedor, hora: momento(horas), nas: `10.0.0.${sessoes}` });
  const fatura_id = await fabrica.fatura(provedor, { cliente_id });
  const [nfcom_id = 0] = await api
    .dono('nfcom')
    .insert({ provedor_id: provedor, fatura_id, cliente_id, ambiente: 'homologacao', valor: '1.00' });
  await api.dono('nfcom_tentativas').insert({
    provedor_id: provedor,
    nfcom_id,
    operacao: 'envio',
    duracao_ms: 1,
    em: momento(horas),
  });
  await api.dono('faturamento_pedidos').insert({
    provedor_id: provedor,
    tipo: 'previa',
    mes: '2026-11-01',
    autor: 'equipe',
    pedido_em: momento(horas),
    terminado_em: momento(horas),
  });
  await api.dono('correio_pedidos').insert({
    provedor_id: provedor,
    origem: 'regua',
    chave: `aviso.${sessoes}`,
    proxima_em: momento(horas),
    expira_em: momento(horas),
    criado_em: momento(horas),
  });
  await api.dono('protocolos_dias').insert({ provedor_id: provedor, dia: dia(horas), ultimo: 1 });
  await api.dono('rede_quedas').insert({
    provedor_id: provedor,
    nas: `10.0.0.${sessoes}`,
    minuto: momento(horas),
    quedas: 1,
    vista_em: momento(horas),
  });
  await api.dono('webhook_mensagens').insert({
    provedor_id: provedor,
    msg_id: String(sessoes).padStart(26, '0'),
    tipo: 'teste.ping',
    corpo: '{}',
    criada_em: momento(horas),
  });
  await api.dono('webhooks').insert({
    provedor_id: provedor,
    url: 'https://crm.malha.test/',
    eventos: '["*"]',
    segredo: Buffer.alloc(0),
    segredo_fim: 'abcd',
    removido_em: momento(horas),
    criado_em: momento(horas),
    atualizado_em: momento(horas),
  });
}

/** The one user of a provider, who is made when he is first needed. */
async function usuarioDe(provedor: number): Promise<number> {
  const um = { provedor_id: provedor, email: 'equipe@malha.test' };
  const ja = await api.dono('usuarios').where(um).first('id');
  if (ja !== undefined) return ja.id;
  const [id = 0] = await api.dono('usuarios').insert({ ...um, nome: 'Equipe' });
  return id;
}

/** The one access to the app of a provider's subscribers. */
async function acessoDe(provedor: number): Promise<number> {
  const um = { provedor_id: provedor, cpf_cnpj: '52998224725' };
  const ja = await api.dono('app_acessos').where(um).first('id');
  if (ja !== undefined) return ja.id;
  const [id = 0] = await api.dono('app_acessos').insert(um);
  return id;
}

/** An import of a provider's, which keeps its rows. */
async function importacaoDe(provedor: number): Promise<number> {
  const uma = { provedor_id: provedor, arquivo: 'ixc.csv' };
  const ja = await api.dono('importacoes').where(uma).first('id');
  if (ja !== undefined) return ja.id;
  const vazios = { leitura: '{}', mapa: '{}', contagens: '{}' };
  const [id = 0] = await api.dono('importacoes').insert({
    ...uma,
    ...vazios,
    formato: 'ixc',
    tipo: 'clientes',
    situacao: 'executada',
    autor: 'equipe',
    criado_em: momento(0),
  });
  return id;
}

const nasDe = (provedor: number): string => `10.30.${provedor % 250}.1`;

async function provedorComContrato(): Promise<[number, number, number]> {
  const provedor = await fabrica.provedor();
  const cliente = await fabrica.cliente(provedor);
  const plano = await fabrica.plano(provedor);
  const contrato = await fabrica.contrato(provedor, { cliente_id: cliente, plano_id: plano });
  await fabrica.nas(provedor, nasDe(provedor));
  const { id } = await api.criarChave(provedor);
  return [provedor, contrato, id];
}
const contar = async (tabela: string, provedor: number): Promise<number> =>
  // Making a provider and a key says so, too.
  (
    await api
      .dono(tabela)
      .where(DONO[tabela] ?? 'provedor_id', provedor)
      .where(tabela === 'eventos' ? { tipo: 't.t' } : {})
  ).length;

test.serial('de cada tabela sai o que passou do seu tempo, de todos os provedores, e o resto fica', async (t) => {
  const provedores = [await provedorComContrato(), await provedorComContrato()];
  for (const [provedor, contrato, chave] of provedores) {
    await linhasDe(provedor, contrato, chave, null);
    for (const horas of TEMPOS) {
      await linhasDe(provedor, contrato, chave, horas + 25);
      await linhasDe(provedor, contrato, chave, horas - 1);
    }
  }
  // What each provider has of ages 49 h, 23 h, 745 h, 719 h … that is younger than its table keeps it.
  const idades = TEMPOS.flatMap((horas) => [horas + 25, horas - 1]);
  const antes = await contar('auditoria', provedores[0]![0]);
  await limpar();
  for (const [provedor] of provedores) {
    for (const { tabela, horas } of GUARDAS) {
      const porDia = ['tarefas_diarias', 'quedas_diarias', 'chaves_uso', 'somas_diarias', 'trafego_diario'].includes(
        tabela,
      );
      const dias = new Set(idades.filter((idade) => idade < horas).map(dia));
      const ficam = porDia ? dias.size : idades.filter((idade) => idade < horas).length;
      const semData = ['eventos', 'rede_pedidos'].includes(tabela) ? 1 : 0;
      t.is(await contar(tabela, provedor), ficam + semData, tabela);
      // The ends of sessions go with the request that asked for them.
      if (tabela === 'rede_pedidos') t.is(await contar('rede_desconexoes', provedor), ficam);
    }
  }
  t.is(await contar('auditoria', provedores[0]![0]), antes);
  t.deepEqual(await limpar(), {
    ...Object.fromEntries(GUARDAS.map(({ tabela }) => [tabela, 0])),
    registros_encerrados: 0,
    extratos_removidos: 0,
    titulares_apagados: 0,
  });
});

test.serial('muitas linhas saem em lotes, e o que outro segura fica para a próxima vez', async (t) => {
  const [provedor] = await provedorComContrato();
  await api.dono('eventos').insert(
    Array.from({ length: 1201 }, () => ({
      provedor_id: provedor,
      tipo: 't.muitas',
      etiquetas: '[]',
      publicado_em: '2026-01-01 00:00:00.000',
    })),
  );
  const { id } = await api.dono('eventos').where({ provedor_id: provedor, tipo: 't.muitas' }).first('id');
  await api.dono.transaction(async (trx) => {
    await trx('eventos').where({ provedor_id: provedor, id }).forUpdate().select('id');
    t.is((await limpar())['eventos'], 1200);
  });
  t.is((await limpar())['eventos'], 1);
});

test.serial('para a pedido, com o que já apagou', async (t) => {
  const [provedor] = await provedorComContrato();
  await api.dono('eventos').insert({
    provedor_id: provedor,
    tipo: 't.fica',
    etiquetas: '[]',
    publicado_em: '2026-01-01 00:00:00.000',
  });
  t.is((await limpar(AbortSignal.abort()))['eventos'], 0);
  t.is((await limpar())['eventos'], 1);
});

test.serial('cada tabela é percorrida pelo índice da sua idade e apagada pela chave primária', async (t) => {
  for (const { tabela, coluna, indice, chave } of GUARDAS) {
    const [plano] = await api.dono.raw(
      `EXPLAIN FORMAT=TRADITIONAL SELECT ${chave[0]!.nome} FROM ${tabela} FORCE INDEX (${indice})
        WHERE ${coluna} < '2026-01-01' ORDER BY ${coluna} LIMIT 500 FOR UPDATE`,
    );
    t.is(plano[0].key, indice, tabela);
    t.notRegex(String(plano[0].Extra), /filesort/, tabela);
    const [chaves] = await api.dono.raw(`SHOW KEYS FROM ${tabela} WHERE Key_name = 'PRIMARY'`);
    t.deepEqual(
      chaves.map(({ Column_name }: { Column_name: string }) => Column_name),
      chave.map(({ nome }) => nome),
      tabela,
    );
  }
});

test.serial(
  'o provedor que mudou de célula, e aquele cujos arquivos falham, não param a limpeza dos outros',
  async (t) => {
    const [foi, falha, fica] = [await fabrica.provedor(), await fabrica.provedor(), await fabrica.provedor()];
    for (const provedor_id of [foi, falha, fica]) {
      const velho = { provedor_id, dia: '2026-01-01', situacao: 'pronto', criado_em: '2026-01-01 06:00:00.000' };
      await api.dono('extratos').insert(velho);
    }
    await api.dono('provedores').where({ id: foi }).update({ mudanca: 'foi' });
    // A folder that cannot be read.
    await mkdir(api.extratos, { recursive: true });
    await symlink(String(falha), path.join(api.extratos, String(falha)));
    const { db, write, extratos, provedores } = api.container;
    const conclusao = createConclusaoDeApagamentosService({ db, write, relogio, provedores });
    let concluidos = 0;
    const apagamentos: typeof conclusao = {
      concluir: async (...como) => {
        concluidos += 1;
        return conclusao.concluir(...como);
      },
    };
    const error = await t.throwsAsync(
      createRetencaoService({ db, relogio, extratos, apagamentos }).limpar(AUTOR, NUNCA),
    );
    t.true(error?.message.startsWith(`extratos: provedor ${falha}: ELOOP`), error?.message);
    t.is(concluidos, 1);
    const situacoes = await Promise.all(
      [foi, falha, fica].map(async (provedor_id) => api.dono('extratos').where({ provedor_id }).pluck('situacao')),
    );
    t.deepEqual(situacoes, [['pronto'], ['pronto'], ['removido']]);
    await rm(path.join(api.extratos, String(falha)));
    t.is((await limpar())['extratos_removidos'], 1);
  },
);
