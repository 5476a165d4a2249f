import test from 'ava';
import { FORA_DA_EXPORTACAO, SECOES } from '../../../src/domain/privacidade/exportacao/secoes.ts';
import type { ExportacaoDoTitular } from '../../../src/domain/privacidade/exportacao/exportacao.types.ts';
import { jsonColumn } from '../../../src/platform/mysql/database.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';
import { criarMudar } from '../clientes/apoio.ts';
import { criarTitular, tabelasDeTitular } from './apoio.ts';

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
let fabrica: Fabrica;
test.before(async () => {
  api = await criarApi({ relogio });
  fabrica = criarFabrica(api.dono);
});
test.after.always(() => api.fechar());
const mudar = criarMudar(() => api);

const exportar = async (provedor: number, id: number): Promise<ExportacaoDoTitular> =>
  mudar(provedor, async ({ privacidade }) => privacidade.exportar(id));

/** A row of everything that is held of somebody, of whom others have all the same. */
async function cenario(endereco: string) {
  const provedor = await fabrica.provedor();
  const titular = await criarTitular(api, fabrica, provedor);
  const { cliente, contrato, paga, recebido, login, chamados } = titular;
  const inserir = async (tabela: string, linha: object) => api.dono(tabela).insert({ provedor_id: provedor, ...linha });
  await fabrica.nas(provedor, endereco);
  await fabrica.sessao({
    username: login,
    nasipaddress: endereco,
    framedipaddress: '100.64.3.9',
    callingstationid: '00:1a:2b:3c:4d:5e',
    acctstarttime: '2026-10-01 10:00:00',
    acctstoptime: '2026-10-01 12:00:00',
    acctterminatecause: 'Lost-Carrier',
  });
  // Ports that the login had then, and those of whoever had it before him.
  const daPorta = { nasipaddress: endereco, login, ip_publico: 3_405_803_777, porta_inicial: 1024, porta_final: 2047 };
  for (const [n, mes] of ['10', '05'].entries()) {
    const durante = { inicio: `2026-${mes}-01 10:30:00`, fim: `2026-${mes}-01 11:30:00` };
    await api.dono('registros_portas').insert({ ...daPorta, ...durante, sessao: `${provedor}-${n}` });
  }
  await fabrica.sessao({
    username: login,
    nasipaddress: endereco,
    framedipaddress: '100.64.3.8',
    acctstarttime: '2026-05-01 10:00:00',
    acctstoptime: '2026-05-01 12:00:00',
  });
  await api
    .dono('registros_conexao')
    .where({ provedor_id: provedor, inicio: '2026-05-01 10:00:00' })
    .update({ contrato_id: null });
  // Another provider's subscriber may have the same login.
  await fabrica.sessao({ username: login, nasipaddress: '198.51.100.250', acctstarttime: '2026-10-01 10:00:00' });
  await api.dono('conexoes').where({ provedor_id: provedor, contrato_id: contrato }).delete();
  await fabrica.conexao(provedor, { contrato_id: contrato, ouvida_em: '2026-10-01 12:00:00.000' });
  await api.dono('quedas_diarias').where({ provedor_id: provedor, contrato_id: contrato }).delete();
  await fabrica.quedas(provedor, { contrato_id: contrato, dia: '2026-10-01', quedas: 1 });
  await inserir('trafego_diario', { contrato_id: contrato, dia: '2026-10-01', download_bytes: 10, upload_bytes: 1 });
  const [pedido] = await inserir('rede_pedidos', {
    contrato_id: contrato,
    acao: 'bloquear',
    pedido_em: '2026-11-01 15:00:00.000',
  });
  await inserir('rede_desconexoes', {
    pedido_id: pedido,
    contrato_id: contrato,
    radacctid: 1,
    nasipaddress: endereco,
    proxima_em: '2026-11-01 15:00:00.000',
    criado_em: '2026-11-01 15:00:00.000',
  });
  await inserir('pix_devolucoes', {
    recebido_id: recebido,
    devolucao: 'D1',
    valor: '1.00',
    criado_em: '2026-11-10 12:00:00.000',
  });
  await inserir('faturas_lancamentos', {
    fatura_id: paga,
    tipo: 'excedente',
    valor: '1.00',
    criado_em: '2026-11-10 12:00:00.000',
  });
  const em = '2026-11-10 12:00:00.000';
  await inserir('promessas_pagamento', {
    cliente_id: cliente,
    contrato_id: contrato,
    data: '2026-11-12',
    registrada_em: em,
  });
  await inserir('correio_pedidos', {
    origem: 'regua',
    chave: 'aviso.1',
    cliente_id: cliente,
    para: 'maria@malha.test',
    assunto: 'Aviso',
    texto: 'Olá, Maria.',
    proxima_em: em,
    expira_em: em,
    criado_em: em,
  });
  await inserir('regua_passos', {
    passo: 'aviso',
    alvo_id: paga,
    referencia: em,
    cliente_id: cliente,
    fatura_id: paga,
    dia: '2026-11-10',
    valor: '99.90',
    criado_em: em,
  });
  const [faturamento_id] = await inserir('faturamentos', { dia: '2026-11-10', origem: 'diario', iniciado_em: em });
  await inserir('faturamento_cobrancas', {
    contrato_id: contrato,
    competencia: '2026-11-01',
    tipo: 'mensalidade',
    faturamento_id,
    fatura_id: paga,
    vencimento: '2026-11-10',
    valor: '99.90',
    dias: 30,
    itens: '[]',
  });
  await inserir('contratos_itens', {
    contrato_id: contrato,
    tipo: 'recorrente',
    descricao: 'IP fixo',
    valor: '20.00',
    de: '2026-11-01',
    criado_em: em,
  });
  const { id: cobrador_id } = await api.dono('cobradores').where({ provedor_id: provedor }).first('id');
  const [convenio_id] = await inserir('convenios_bancarios', {
    cobrador_id,
    nome: 'Sicoob',
    banco: '756',
    formato: '240',
    agencia: '3187',
    conta: '46250',
    carteira: '1',
    codigo: '462500',
  });
  await inserir('boletos', {
    fatura_id: paga,
    convenio_id,
    situacao: 'registrado',
    valor: '99.90',
    vencimento: '2026-11-10',
    criado_em: em,
  });
  await inserir('regua_pausas', { cliente_id: cliente, so_bloqueio: 1, autor: 'Ana', criada_em: em });
  const contato = { protocolo: '20261110000001', tipo: 'contato', assunto: 'Segunda via', aberto_em: em };
  await inserir('atendimentos', { ...contato, cliente_id: cliente });
  await inserir('carnes', { cliente_id: cliente, parcelas: 12, emitido_em: '2026-01-01 12:00:00.000' });
  await inserir('convites', { token_hash: Buffer.alloc(32, provedor), situacao: 'usado', cliente_id: cliente });
  const [usuario_id] = await inserir('usuarios', { nome: 'Atendente', email: 'atendente@malha.test' });
  const visto = { usuario_id, o_que: 'cliente', ocorrido_em: '2026-11-10 12:00:00.000' };
  await inserir('acessos_a_dados', { ...visto, cliente_id: cliente });
  const outro = await fabrica.cliente(provedor, { cpf_cnpj: '12345678909', nome: 'Outra pessoa' });
  await fabrica.telefone(provedor, { cliente_id: outro, numero: '35999998888' });
  await fabrica.fatura(provedor, { cliente_id: outro });
  return { ...titular, provedor, chamados };
}

test('o arquivo tem algo de tudo o que se guarda do titular, e nada de outro', async (t) => {
  const c = await cenario('198.51.100.1');
  const lido = await exportar(c.provedor, c.cliente);
  t.like(lido, {
    formato: 'malha/titular',
    versao: 1,
    gerado_em: '2026-11-20T15:00:00.000Z',
    titular: { nome: 'Zenobia da Silva', cpf_cnpj: '98765432100' },
  });
  // Nothing was done about the person by Malha yet.
  t.deepEqual(
    Object.entries(lido.secoes)
      .filter(([, linhas]) => linhas.length === 0)
      .map(([nome]) => nome),
    ['auditoria'],
  );
  t.like(lido.secoes['cadastros']?.[0], {
    email: 'Zenobia@example.com',
    data_nascimento: '1980-01-31',
    logradouro: 'Rua Zenobia',
    apagado_em: null,
  });
  t.like(lido.secoes['contratos']?.[0], { login: c.login, valor: '99.90', cancelado_em: '2026-11-01T15:00:00.000Z' });
  t.is(lido.secoes['sessoes_de_conexao']?.length, 1);
  t.like(lido.secoes['sessoes_de_conexao']?.[0], {
    inicio: '2026-10-01T10:00:00.000Z',
    ip: '100.64.3.9',
    equipamento: '00:1a:2b:3c:4d:5e',
    causa: 'Lost-Carrier',
  });
  t.is(lido.secoes['registros_de_conexao']?.length, 1);
  t.like(lido.secoes['registros_de_conexao']?.[0], {
    contrato_id: c.contrato,
    login: c.login,
    servidor: '198.51.100.1',
    endereco: '100.64.3.9',
    bits: 32,
    inicio: '2026-10-01T10:00:00.000Z',
    fim: '2026-10-01T12:00:00.000Z',
  });
  t.is(lido.secoes['portas_de_enderecos_publicos']?.length, 1);
  t.like(lido.secoes['portas_de_enderecos_publicos']?.[0], {
    ip_publico: '203.0.113.1',
    porta_inicial: 1024,
    inicio: '2026-10-01T10:30:00.000Z',
  });
  t.is(lido.secoes['pagamentos_por_pix']?.length, 1);
  t.is(lido.secoes['historico_de_chamados']?.length, 2);
  t.is(lido.secoes['faturas']?.length, 3);
  const texto = JSON.stringify(lido);
  t.false(texto.includes('Outra pessoa') || texto.includes('35999998888'));
});

test('nenhum segredo está nele: nem senha, nem o que abre um link', async (t) => {
  const c = await cenario('198.51.100.2');
  await api
    .dono('radcheck')
    .insert({ username: c.login, attribute: 'Cleartext-Password', op: ':=', value: 'Segredo!9' });
  const { token } = await api.dono('faturas').where('id', c.paga).first();
  const lido = await exportar(c.provedor, c.cliente);
  const texto = JSON.stringify(lido);
  for (const segredo of ['Segredo!9', token as string]) t.false(texto.includes(segredo));
  for (const [secao, linhas] of Object.entries(lido.secoes)) {
    // The access key of a fiscal note is printed on it.
    const publica = secao === 'notas_fiscais' ? ['chave'] : [];
    for (const linha of linhas) {
      const secretos = Object.keys(linha).filter((campo) => /senha|token|hash|segredo|chave/.test(campo));
      t.deepEqual(secretos, publica);
    }
  }
});

test('quem recebe a linha de outro não leva as sessões dele, e o anterior fica com o que era seu', async (t) => {
  const [provedor, nas] = [await fabrica.provedor(), '198.51.100.9'];
  await fabrica.nas(provedor, nas);
  const plano_id = await fabrica.plano(provedor);
  const anterior = await fabrica.cliente(provedor, { cpf_cnpj: '12345678909' });
  const novo = await fabrica.cliente(provedor, { cpf_cnpj: '52998224725' });
  const login = `linha${provedor}`;
  const contrato = await fabrica.contrato(provedor, {
    cliente_id: anterior,
    plano_id,
    login,
    criado_em: '2026-01-01 00:00:00.000',
  });
  const sessao = async (inicio: string, mais: object) =>
    fabrica.sessao({ username: login, nasipaddress: nas, acctstarttime: `2026-11-${inicio}`, ...mais });
  await sessao('10 10:00:00', { framedipaddress: '203.0.113.1', acctstoptime: '2026-11-10 12:00:00' });
  await sessao('20 10:00:00', { framedipaddress: '203.0.113.2', acctupdatetime: '2026-11-20 14:50:00' });
  await mudar(provedor, async ({ contratos }) =>
    contratos.trocarTitular(contrato, { cliente_id: novo, faturas_futuras: 'manter' }),
  );
  await sessao('20 18:00:00', { framedipaddress: '203.0.113.3' });
  const lidos = async (cliente: number) => {
    const { secoes } = await exportar(provedor, cliente);
    return [
      secoes['sessoes_de_conexao']!.map(({ ip }) => ip),
      secoes['registros_de_conexao']!.map(
        ({ endereco, inicio }) => `${String(endereco)} ${String(inicio).slice(8, 16)}`,
      ),
    ];
  };
  t.deepEqual(await lidos(novo), [['203.0.113.3'], ['203.0.113.2 20T15:00', '203.0.113.3 20T18:00']]);
  t.deepEqual(await lidos(anterior), [
    ['203.0.113.1', '203.0.113.2'],
    ['203.0.113.1 10T10:00', '203.0.113.2 20T10:00'],
  ]);
});

test('a exportação fica na auditoria, e na próxima aparece', async (t) => {
  const c = await cenario('198.51.100.3');
  const { linhas } = await exportar(c.provedor, c.cliente);
  const feitas = await api.dono('auditoria').where({ provedor_id: c.provedor, acao: 'exportacao.feita' });
  t.is(feitas.length, 1);
  t.deepEqual(jsonColumn(feitas[0].dados), { o_que: 'titular', cliente: c.cliente, linhas });
  const proxima = await exportar(c.provedor, c.cliente);
  t.like(proxima.secoes['auditoria']?.[0], { acao: 'exportacao.feita', ator_tipo: 'terminal', ip: null });
});

test('são de uma pessoa todos os cadastros com o seu documento, e de quem foi apagado só o próprio', async (t) => {
  const provedor = await fabrica.provedor();
  const ids = [
    await fabrica.cliente(provedor, { situacao: 'cancelado' }),
    await fabrica.cliente(provedor),
    await fabrica.cliente(provedor, { situacao: 'pre_cadastro' }),
  ];
  await fabrica.cliente(await fabrica.provedor());
  const { secoes } = await exportar(provedor, ids[1]!);
  t.deepEqual(
    secoes['cadastros']?.map(({ id }) => id),
    ids,
  );
  const apagados = [
    await fabrica.cliente(provedor, { cpf_cnpj: '' }),
    await fabrica.cliente(provedor, { cpf_cnpj: '' }),
  ];
  t.deepEqual(
    (await exportar(provedor, apagados[0]!)).secoes['cadastros']?.map(({ id }) => id),
    apagados.slice(0, 1),
  );
});

test.serial('os comandos ao banco são os mesmos para quem tem pouco e para quem tem muito', async (t) => {
  const c = await cenario('198.51.100.4');
  const contar = async (): Promise<number> => {
    let feitos = 0;
    const ouvir = (): void => void (feitos += 1);
    api.container.db.on('query', ouvir);
    await exportar(c.provedor, c.cliente);
    api.container.db.off('query', ouvir);
    return feitos;
  };
  const poucos = await contar();
  for (let n = 0; n < 30; n += 1) {
    await fabrica.fatura(c.provedor, { cliente_id: c.cliente, situacao: 'paga' });
    await fabrica.chamado(c.provedor, { cliente_id: c.cliente, situacao: 'solucionado' });
  }
  t.is(await contar(), poucos);
});

test('toda tabela que leva a um titular está no arquivo, ou se diz por que não', async (t) => {
  const lidas = new Set(SECOES.flatMap(({ tabelas }) => tabelas));
  const deTitular = await tabelasDeTitular(api);
  t.deepEqual(
    deTitular.filter((tabela) => !lidas.has(tabela)),
    Object.keys(FORA_DA_EXPORTACAO).toSorted(),
  );
  t.is(new Set(SECOES.map(({ nome }) => nome)).size, SECOES.length);
});
