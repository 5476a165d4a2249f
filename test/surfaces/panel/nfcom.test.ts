import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { envelope, evento } from '../../../seeds/autoridade/respostas.ts';
import { createPreviaNfcomService, juntarPrevias } from '../../../src/domain/nfcom/emissao/previa.service.ts';
import { createTenantDb } from '../../../src/platform/mysql/tenant.ts';
import { escreverSomado, lerSomado } from '../../../src/surfaces/panel/nfcom/previa/soma.rotas.ts';
import { ditosDaPrevia } from '../../../src/surfaces/panel/nfcom/emitir.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { textoDoPdf } from '../../support/leitores.ts';
import { nfcomDeExemplo } from '../../support/nfcom/autorizada.ts';
import { pfxDeTeste } from '../../support/nfcom/certificados.ts';
import { xmllint } from '../../support/nfcom/juizes.ts';
import { amostra } from '../../support/nfcom/notas.ts';
import { comProva, entrarNoPainel } from '../../support/painel.ts';
import type { PessoaNoPainel } from '../../support/painel.ts';
import { programa } from '../../support/programas.ts';
import { relogioEm } from '../../support/relogio.ts';

const executar = promisify(execFile);
const SENHA = 'segredo do pfx';

let api: Api;
let f: Fabrica;
test.before(async () => {
  api = await criarApi();
  f = criarFabrica(api.dono);
});
test.after.always(async () => api.fechar());

/** A provider with an address, somebody of it, and a client with an invoice. */
async function povoar(cnpj: string) {
  const provedor = await f.provedor({ cnpj });
  await api
    .dono('provedores_identidade')
    .insert({
      provedor_id: provedor,
      razao_social: 'Serra Fibra Ltda',
      cep: '37701000',
      logradouro: 'Rua das Fibras',
      numero: '100',
      bairro: 'Centro',
      cidade: 'Poços de Caldas',
      uf: 'MG',
    })
    .onConflict()
    .merge();
  const cliente = await f.cliente(provedor, { cpf_cnpj: '52998224725', nome: 'Maria' });
  const plano = await f.plano(provedor);
  const contrato = await f.contrato(provedor, { cliente_id: cliente, plano_id: plano });
  const fatura = await f.fatura(provedor, { cliente_id: cliente, contrato_id: contrato });
  const nota = async (linha: object): Promise<number> => {
    const [id = 0] = await api.dono('nfcom').insert({
      provedor_id: provedor,
      fatura_id: fatura,
      cliente_id: cliente,
      ambiente: 'producao',
      valor: '99.90',
      pedida_em: '2026-11-20 12:00:00.000',
      ...linha,
    });
    return id;
  };
  return { provedor, cliente, plano, contrato, fatura, nota, quem: await entrarNoPainel(api, provedor) };
}

/** Somebody who signed in a while ago. */
async function semProva(provedor: number): Promise<PessoaNoPainel> {
  const pessoa = await entrarNoPainel(api, provedor);
  await api.dono('painel_sessoes').where({ usuario_id: pessoa.usuarioId }).update({ provada_em: null });
  return pessoa;
}

const unica = async (tabela: string, provedor_id: number) => api.dono(tabela).where({ provedor_id }).first();

test('um provedor do Simples responde a três perguntas, guarda o certificado e está pronto; o resto fica em Avançado', async (t) => {
  const { provedor } = await povoar('11222333000181');
  const quem = await semProva(provedor);
  const inicio = await quem.get('/configuracoes/nfcom');
  t.is([...inicio.texto.matchAll(/<form[^>]*comecar/g)].length, 1);
  const doComeco = inicio.texto.slice(inicio.texto.indexOf('/configuracoes/nfcom/comecar'));
  const perguntas = doComeco.slice(0, doComeco.indexOf('<details')).match(/<(?:input\s+class|select\s)/g);
  t.is(perguntas?.length, 3);
  const recusada = await quem.post('/configuracoes/nfcom/comecar', { inscricao_estadual: 'x', crt: '1' });
  t.is(recusada.status, 422);
  t.regex(recusada.texto, /deve ter de 2 a 14 dígitos/);
  const feito = await quem.post('/configuracoes/nfcom/comecar', {
    inscricao_estadual: '062.307.904/0081',
    crt: '1',
    sva_percentual: '30',
  });
  t.is(feito.status, 303);
  t.like(await unica('nfcom_configuracoes', provedor), { inscricao_estadual: '0623079040081', crt: 1 });
  const partes = await api.dono('nfcom_partes').where({ provedor_id: provedor }).orderBy('ordem');
  t.deepEqual(
    partes.map(({ percentual }: { percentual: string | null }) => percentual),
    [null, '30.0000'],
  );

  // Only who has just proved who he is sees the form and may send it.
  const pfx = pfxDeTeste({ senha: SENHA, cnpj: '11222333000181' });
  const arquivo = { campo: 'certificado', nome: 'a1.pfx', conteudo: Buffer.from(pfx) };
  t.regex((await quem.get('/configuracoes/nfcom/certificado')).texto, /Confirmar e continuar/);
  t.is((await quem.enviar('/configuracoes/nfcom/certificado', arquivo, { senha: SENHA })).status, 403);
  t.is((await comProva(quem, '/configuracoes/nfcom/certificado/confirmar')).status, 303);
  const errada = await quem.enviar('/configuracoes/nfcom/certificado', arquivo, { senha: 'outra' });
  t.is(errada.status, 422);
  t.regex(errada.texto, /a senha não abre o certificado/);
  t.false(errada.texto.includes('outra"'));
  const deOutro = pfxDeTeste({ senha: SENHA, cnpj: '07159053000107' });
  const alheio = await quem.enviar(
    '/configuracoes/nfcom/certificado',
    { ...arquivo, conteudo: Buffer.from(deOutro) },
    { senha: SENHA },
  );
  t.is(alheio.status, 422);
  t.regex(alheio.texto, /de outro CNPJ/);
  t.is((await quem.enviar('/configuracoes/nfcom/certificado', arquivo, { senha: SENHA })).status, 303);
  const guardado = await unica('nfcom_certificados', provedor);
  t.false(Buffer.from(guardado.pfx as Uint8Array).includes(Buffer.from(pfx).subarray(100, 140)));
  const pronta = await quem.get('/configuracoes/nfcom');
  t.false(pronta.texto.includes('Falta para emitir'), pronta.texto.slice(0, 3000));
});

test('itens adicionais têm a sua repartição, apontada da do preço; um percentual e um valor juntos não são nenhum', async (t) => {
  const { provedor, quem } = await povoar('45997418000153');
  await quem.post('/configuracoes/nfcom/comecar', { inscricao_estadual: '0623079040081', crt: '1' });
  t.regex(
    (await quem.get('/configuracoes/nfcom/composicao')).texto,
    /\/configuracoes\/nfcom\/composicao\/recorrentes"/,
  );
  const { id } = await unica('nfcom_servicos', provedor);
  const onde = '/configuracoes/nfcom/composicao/unicos';
  const errada = await quem.post(onde, { servico_1: String(id), percentual_1: '10', valor_1: '1,00' });
  t.is(errada.status, 422);
  t.is((await quem.post(onde, { servico_1: String(id), descricao_1: 'Taxa de instalação' })).status, 303);
  t.regex((await quem.get(onde)).texto, /Taxa de instalação/);
  const partes = await api.dono('nfcom_partes').where({ provedor_id: provedor }).orderBy('dono').pluck('dono');
  t.deepEqual(partes, ['provedor', 'unico']);
});

test('a configuração só muda o que se mudou, e o que a equipe não digitou segue o cadastro do provedor', async (t) => {
  const { provedor, quem } = await povoar('33000167000101');
  await quem.post('/configuracoes/nfcom/comecar', { inscricao_estadual: '0623079040081', crt: '1' });
  const { texto } = await quem.get('/configuracoes/nfcom');
  const valores = [...texto.matchAll(/<input\s[^>]*?value="([^"]*)"[^>]*?name="([a-z_.]+)"/gs)].map(
    ([, valor = '', nome = '']) => [nome, valor] as const,
  );
  // As people write them; without the punctuation they are the same, and no setting either.
  t.like(Object.fromEntries(valores), { cnpj: '33.000.167/0001-01', cep: '37701-000' });
  const versao = /name="versao" value="([^"]+)"/.exec(texto)?.[1] ?? '';
  const campos = {
    ...Object.fromEntries(valores.filter(([nome]) => nome !== 'automatica')),
    ambiente: 'homologacao',
    crt: '1',
    sem_boleto: 'recusar',
    esquema: 'NT2025.001',
    cep: '37701000',
    informacoes: 'Central da ANATEL: 1331.',
    versao,
  };
  const { status, texto: pagina } = await quem.post('/configuracoes/nfcom', campos);
  t.is(status, 303, pagina.slice(0, 2000));
  t.like(await unica('nfcom_configuracoes', provedor), {
    informacoes: 'Central da ANATEL: 1331.',
    logradouro: null,
    razao_social: null,
    cnpj: null,
  });
  const [dito] = await api
    .dono('auditoria')
    .where({ provedor_id: provedor, acao: 'nfcom.configurada' })
    .orderBy('id', 'desc');
  t.regex(JSON.stringify(dito), /informacoes/);
  t.notRegex(JSON.stringify(dito), /logradouro/);
  t.is((await quem.post('/configuracoes/nfcom', { ...campos, informacoes: 'Outro.' })).status, 409);

  // The code of the CSRT is kept sealed, is not shown, and stays when only the contact changes.
  const CSRT = 'G8063VRTNDMO886SFNK5LDUDEI24XJ22YIPO';
  const gravar = async (mudar: object) => {
    const agora = /name="versao" value="([^"]+)"/.exec((await quem.get('/configuracoes/nfcom')).texto)?.[1] ?? '';
    return quem.post('/configuracoes/nfcom', { ...campos, versao: agora, ...mudar });
  };
  const responsavel = {
    'responsavel.cnpj': '33000167000101',
    'responsavel.contato': 'Ana',
    'responsavel.email': 'ana@exemplo.com',
    'responsavel.telefone': '(35) 3333-0000',
    'responsavel.csrt.id': '001',
  };
  const semCodigo = await gravar(responsavel);
  t.deepEqual([semCodigo.status, /diga o código do CSRT/.test(semCodigo.texto)], [422, true]);
  t.is((await gravar({ ...responsavel, 'responsavel.csrt.codigo': CSRT })).status, 303);
  const guardado = (await unica('nfcom_configuracoes', provedor)).responsavel_csrt;
  t.true(guardado.length > CSRT.length && !guardado.includes(CSRT));
  t.is((await gravar({ ...responsavel, 'responsavel.contato': 'Bia' })).status, 303);
  const depois = await unica('nfcom_configuracoes', provedor);
  t.true(depois.responsavel_csrt.equals(guardado));
  t.regex(JSON.stringify(depois.responsavel), /Bia/);
  t.false((await quem.get('/configuracoes/nfcom')).texto.includes(CSRT));

  // What stopped the queue was mended: it goes on by a button, but not where the authority itself stopped it.
  const parar = async (codigo: string) =>
    api
      .dono('nfcom_filas')
      .insert({ provedor_id: provedor, codigo, motivo: 'iguais', parada_ate: '2099-01-01 00:00:00', rejeicoes: 19 })
      .onConflict()
      .merge();
  await parar('678');
  t.false((await quem.get('/nfcom')).texto.includes('/nfcom/retomar'));
  t.is((await quem.post('/nfcom/retomar')).status, 422);
  await parar('rejeicoes_iguais');
  t.true((await quem.get('/nfcom')).texto.includes('/nfcom/retomar'));
  t.is((await quem.post('/nfcom/retomar')).status, 303);
  t.like(await unica('nfcom_filas', provedor), { codigo: null, parada_ate: null, rejeicoes: 0 });
});

test('endereços da autoridade, certificados em que se confia e ambiente só mudam com prova recente; o resto, sem ela', async (t) => {
  const { provedor } = await povoar('19131243000197');
  const quem = await semProva(provedor);
  await quem.post('/configuracoes/nfcom/comecar', { inscricao_estadual: '0623079040081', crt: '1' });
  const AQUI = '/configuracoes/nfcom';
  const fica = { ambiente: 'homologacao', crt: '1', inscricao_estadual: '0623079040081' };
  const enderecos = Object.fromEntries(
    ['recepcao', 'consulta', 'status', 'evento', 'qr', 'publica'].map((nome) => [nome, 'https://outra.exemplo.com/x']),
  );
  const autorizador = JSON.stringify({ nome: 'X', site: 0, producao: enderecos, homologacao: enderecos });
  t.is((await quem.post(AQUI, { ...fica, informacoes: 'Central 1331.' })).status, 303);
  const antes = await unica('nfcom_configuracoes', provedor);
  const PEM = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
  for (const mudar of [{ ambiente: 'producao' }, { autorizador }, { cas_extras: PEM }]) {
    const { status, texto } = await quem.post(AQUI, { ...fica, ...mudar });
    t.deepEqual([status, /Confirme que é você/.test(texto)], [200, true], JSON.stringify(mudar));
  }
  t.deepEqual(await unica('nfcom_configuracoes', provedor), antes);
  const comCodigo = { ...fica, ambiente: 'producao', 'responsavel.csrt.codigo': 'G8063VRTNDMO886S' };
  const pergunta = await quem.post(AQUI, comCodigo);
  t.regex(pergunta.texto, /digite-o de novo depois/);
  t.false(pergunta.texto.includes('G8063VRTNDMO886S'));
  // What was typed goes along with the proof.
  t.is((await comProva(quem, AQUI, { ...fica, autorizador })).status, 303);
  t.regex(JSON.stringify((await unica('nfcom_configuracoes', provedor)).autorizador), /outra\.exemplo\.com/);
  // Once it was proved, it holds for some minutes; and what is as it was is no change.
  t.is((await quem.post(AQUI, { ...fica, autorizador, ambiente: 'producao' })).status, 303);
  t.is((await unica('nfcom_configuracoes', provedor)).ambiente, 'producao');
  await api.dono('painel_sessoes').where({ usuario_id: quem.usuarioId }).update({ provada_em: null });
  t.is((await quem.post(AQUI, { ...fica, ambiente: 'producao', informacoes: 'Outro.' })).status, 303);
});

test('a lista filtra por situação e período, e diz da rejeitada o motivo e onde se corrige', async (t) => {
  const { quem, nota, cliente, provedor } = await povoar('11444777000161');
  const rejeitada = await nota({
    situacao: 'rejeitada',
    motivo_codigo: '428',
    motivo: 'Rejeição: IE do destinatário não informada',
    chave: '1'.repeat(44),
    serie: 1,
    numero: 7,
  });
  const antiga = await nota({
    situacao: 'autorizada',
    numero: 6,
    serie: 1,
    emitida_em: '2026-10-05 12:00:00.000',
    chave: '2'.repeat(44),
  });
  await quem.post('/configuracoes/nfcom/comecar', { inscricao_estadual: '0623079040081', crt: '1' });
  await api.dono('nfcom_configuracoes').where({ provedor_id: provedor }).update({ ambiente: 'producao' });
  const lista = await quem.get('/nfcom?situacao=rejeitada');
  t.true(lista.texto.includes(`/nfcom/${rejeitada}"`));
  t.false(lista.texto.includes(`/nfcom/${antiga}"`));
  t.regex(lista.texto, /IE do destinatário não informada/);
  t.true(lista.texto.includes(`/painel/clientes/${cliente}/nfcom`));
  const doPeriodo = await quem.get('/nfcom?de=2026-10-01&ate=2026-10-31');
  t.true(doPeriodo.texto.includes(`/nfcom/${antiga}"`));
  t.false(doPeriodo.texto.includes(`/nfcom/${rejeitada}"`));

  t.regex((await quem.get(`/nfcom/${rejeitada}`)).texto, /Emitir de novo/);
  t.is(
    (await quem.post(`/clientes/${cliente}/nfcom`, { indicador_ie: '1', inscricao_estadual: '0623079040081' })).status,
    303,
  );
  t.like(await unica('nfcom_clientes', provedor), {
    indicador_ie: 1,
    inscricao_estadual: '0623079040081',
    retencoes: null,
  });
  t.is((await quem.post(`/nfcom/${rejeitada}/reemitir`)).status, 303);
  t.like(await api.dono('nfcom').where({ id: rejeitada }).first(), {
    situacao: 'pendente',
    numero: 7,
    etapa: 'conferir',
  });
});

test('as rejeitadas do filtro emitem-se de novo juntas depois de se ver quantas são; as do ensaio ficam de fora', async (t) => {
  const { quem, nota, provedor } = await povoar('11222333000262');
  await quem.post('/configuracoes/nfcom/comecar', { inscricao_estadual: '0623079040081', crt: '1' });
  await api.dono('nfcom_configuracoes').where({ provedor_id: provedor }).update({ ambiente: 'producao' });
  const rejeitada = { situacao: 'rejeitada', motivo_codigo: '427', motivo: 'Rejeição: IE' };
  const antigas = [
    await nota({ ...rejeitada, pedida_em: '2026-10-05 12:00:00.000' }),
    await nota({ ...rejeitada, pedida_em: '2026-10-06 12:00:00.000' }),
  ];
  const nova = await nota(rejeitada);
  const ensaio = await nota({ ...rejeitada, ambiente: 'homologacao', pedida_em: '2026-10-07 12:00:00.000' });
  const periodo = 'de=2026-10-01&ate=2026-10-31';
  const lista = await quem.get(`/nfcom?situacao=rejeitada&${periodo}`);
  t.regex(lista.texto, /href="\/painel\/nfcom\/reemitir\?de=2026-10-01&(?:amp;)?ate=2026-10-31"/);
  const tela = await quem.get(`/nfcom/reemitir?${periodo}`);
  t.regex(tela.texto, /Emitir de novo 2 notas/);
  t.regex(tela.texto, /1 de homologação/);
  const situacoes = async () =>
    Object.fromEntries(
      (await api.dono('nfcom').where({ provedor_id: provedor })).map(({ id, situacao }) => [id, situacao]),
    ) as Record<number, string>;
  t.true(Object.values(await situacoes()).every((uma) => uma === 'rejeitada'));

  const feito = await quem.post(`/nfcom/reemitir?${periodo}`);
  t.is(feito.status, 303);
  t.is(feito.headers['location'], `/painel/nfcom?${periodo}&na_fila=2`);
  t.deepEqual(await situacoes(), {
    [antigas[0] ?? 0]: 'pendente',
    [antigas[1] ?? 0]: 'pendente',
    [nova]: 'rejeitada',
    [ensaio]: 'rejeitada',
  });
  t.regex((await quem.get(`/nfcom?${periodo}&na_fila=2`)).texto, /Na fila: 2 notas saem de novo/);
  t.regex((await quem.get(`/nfcom/reemitir?${periodo}`)).texto, /Não há rejeitadas/);
  t.is((await quem.post(`/nfcom/${ensaio}/reemitir`)).status, 422);
  const doEnsaio = (await quem.get(`/nfcom/${ensaio}`)).texto;
  t.false(doEnsaio.includes(`/nfcom/${ensaio}/reemitir`));
  t.regex(doEnsaio, /não vira nota de verdade/);
});

test('a página da fatura mostra a nota ao lado, e quem emite pede a nota dela; a prévia diz por que não sai', async (t) => {
  const { quem, fatura, provedor } = await povoar('60701190000104');
  t.regex((await quem.get(`/faturas/${fatura}`)).texto, /não tem nota fiscal/);
  const semDados = await quem.post(`/faturas/${fatura}/nfcom`);
  t.is(semDados.status, 422);
  t.regex(semDados.texto, /dados fiscais do provedor estão incompletos/);
  await quem.post('/configuracoes/nfcom/comecar', { inscricao_estadual: '0623079040081', crt: '1' });
  // Neither a period nor a client: all invoices there ever were.
  const semRecorte = await quem.get('/nfcom/emitir?ver=sim&uf=MG');
  t.deepEqual([semRecorte.status, /Diga desde que dia de emissão/.test(semRecorte.texto)], [200, true]);
  t.notRegex(semRecorte.texto, /Não podem ser emitidas/);
  const pedidas = await quem.post('/nfcom/emitir', { uf: 'MG', vencimento_ate: '2030-01-01' });
  t.deepEqual([pedidas.status, /Diga desde que dia de emissão/.test(pedidas.texto)], [422, true]);
  t.is((await unica('nfcom', provedor)) ?? null, null);
  const previa = await quem.get('/nfcom/emitir?ver=sim&emitidas_de=2020-01-01');
  t.is(previa.status, 200);
  t.regex(previa.texto, /Não podem ser emitidas \(1\)/);
  t.true(previa.texto.includes(`/painel/faturas/${fatura}`));
  const { status, headers } = await quem.post(`/faturas/${fatura}/nfcom`);
  t.is(status, 303);
  const nota = await unica('nfcom', provedor);
  t.like(nota, { fatura_id: fatura, situacao: 'pendente', etapa: 'montar' });
  t.is(headers['location'], `/painel/nfcom/${nota.id}?feito=nota_na_fila`);
  t.regex((await quem.get(`/faturas/${fatura}`)).texto, /Na fila/);
  t.is((await quem.post('/nfcom/emitir', { emitidas_de: '2020-01-01' })).status, 303);
  t.is(Number((await api.dono('nfcom').where({ provedor_id: provedor }).count({ n: '*' }))[0]?.['n']), 1);
});

test('da fatura de cuja nota se desistiu, ou que só tem a de um ensaio, a página dela e a da nota pedem outra', async (t) => {
  const { quem, fatura, provedor, nota } = await povoar('05570714000159');
  await quem.post('/configuracoes/nfcom/comecar', { inscricao_estadual: '0623079040081', crt: '1' });
  const daFatura = `action="/painel/faturas/${fatura}/nfcom"`;
  const ver = async (onde: string) => (await quem.get(onde)).texto;
  const rejeitada = await nota({
    situacao: 'rejeitada',
    ambiente: 'homologacao',
    motivo_codigo: 'sem_municipio',
    motivo: 'o município não se conhece',
  });
  t.false((await ver(`/faturas/${fatura}`)).includes(daFatura));
  t.regex(await ver(`/nfcom/${rejeitada}/descartar`), /até que se emita outra/);
  t.is((await quem.post(`/nfcom/${rejeitada}/descartar`)).status, 303);
  const desistida = await ver(`/nfcom/${rejeitada}`);
  t.true(desistida.includes(daFatura));
  t.false(desistida.includes(`/nfcom/${rejeitada}/reemitir`));
  t.regex(await ver(`/faturas/${fatura}`), /Emitir outra nota/);
  t.is((await quem.post(`/faturas/${fatura}/nfcom`)).status, 303);

  // As if it had been authorised, in the trial; and then the provider goes over to real ones.
  await api
    .dono('nfcom')
    .where({ provedor_id: provedor, situacao: 'pendente' })
    .update({ situacao: 'autorizada', etapa: null, proxima_em: null });
  t.false((await ver(`/faturas/${fatura}`)).includes(daFatura));
  await api.dono('nfcom_configuracoes').where({ provedor_id: provedor }).update({ ambiente: 'producao' });
  t.regex(await ver(`/faturas/${fatura}`), /Emitir outra nota/);
  t.is((await quem.post(`/faturas/${fatura}/nfcom`)).status, 303);
  t.like(await api.dono('nfcom').where({ provedor_id: provedor }).orderBy('id', 'desc').first(), {
    ambiente: 'producao',
    situacao: 'pendente',
  });
});

test('a prévia de mais faturas do que soma diz de quantas são os números, e o botão, quantas se pedem', async (t) => {
  const { provedor } = await povoar('02558157000162');
  for (let n = 0; n < 6; n += 1) await f.fatura(provedor, { cliente_id: await f.cliente(provedor) });
  const { container } = api;
  const quem = await container.provedores.exigirPorId(provedor);
  const tenant = createTenantDb(container.db, provedor);
  const previa = async (maior: number, aPartirDe = 0) =>
    createPreviaNfcomService({ tenant, provedor: quem, relogio: relogioEm('2026-11-20T15:00:00Z'), maior }).previa(
      {},
      aPartirDe,
    );
  t.like(await previa(7), { recusadasAoTodo: 7, faturas: 7, cortada: null });
  // What the invoices amount to is of all of them, however few are looked at.
  t.like(await previa(3), { recusadasAoTodo: 3, faturas: 7, valorDasFaturas: 7 * 9990, cortada: 3 });
  // Part by part it says of all of them what it says at once.
  const inteira = await previa(7);
  let juntas = await previa(3);
  while (juntas.proxima !== null) juntas = juntarPrevias(juntas, await previa(3, juntas.proxima));
  t.deepEqual(juntas, inteira);
  const ditos = ditosDaPrevia({ notas: 1998, faturas: 80_000, cortada: 2000 });
  t.regex(
    ditos.aviso ?? '',
    /^São 80\.000 faturas.*das primeiras 2\.000; o valor das faturas é o de todas.*O botão pede as notas de todas/,
  );
  t.is(ditos.deQuais, ', das primeiras 2.000 faturas');
  t.is(ditos.botao, 'Emitir as notas de 80.000 faturas');
  t.deepEqual(ditosDaPrevia({ notas: 3, faturas: 4, cortada: null }), {
    aviso: null,
    deQuais: '',
    botao: 'Emitir 3 notas',
  });
});

// By itself: a page of a thousand notes is made beside no other test's requests.
test.serial(
  'os tributos de mais faturas do que a prévia soma somam-se parte por parte, cada uma pela anterior',
  async (t) => {
    const { quem, provedor, cliente, contrato } = await povoar('60872504000123');
    const linha = {
      provedor_id: provedor,
      cliente_id: cliente,
      contrato_id: contrato,
      valor: '99.90',
      vencimento: '2026-12-10',
      situacao: 'pendente',
      emitida_em: '2026-11-20 12:00:00.000',
    };
    await api
      .dono('faturas')
      .insert(Array.from({ length: 1003 }, (_, n) => ({ ...linha, token: `${provedor}-${n}`.padEnd(22, '-') })));
    const filtro = 'emitidas_de=2026-11-01&ver=sim';
    const previa = (await quem.get(`/nfcom/emitir?${filtro}`)).texto;
    t.regex(previa, /nfcom\/emitir\/tributos\?emitidas_de=2026-11-01[^]*Somar os tributos de todas/);
    const primeira = (await quem.get(`/nfcom/emitir/tributos?${filtro}`)).texto;
    t.regex(primeira, /Somadas 1\.000 de 1\.004 faturas/);
    const [, seguinte = ''] =
      /hx-get="\/painel([^"]+)"[^>]*hx-trigger="load"[^>]*hx-select="#soma"/.exec(primeira) ?? [];
    const ultima = (await quem.get(seguinte.replaceAll('&amp;', '&'))).texto;
    t.regex(ultima, /Somadas todas: 1\.004 faturas/);
    t.regex(ultima, /<strong>1\.004<\/strong\s*><span>não podem ser emitidas/);
    t.notRegex(ultima, /hx-trigger="load" hx-select="#soma"/);
    // What is no sum begins anew.
    t.regex((await quem.get(`/nfcom/emitir/tributos?${filtro}&depois=5&somado=1.2`)).texto, /Somadas 1\.000 de 1\.004/);
    const totais = { produtos: 1, desconto: 2, baseDoIcms: 3, icms: 4, fcp: 5, pis: 6, cofins: 7, fust: 8, funttel: 9 };
    const somado = { notas: 10, recusadasAoTodo: 11, vistas: 12, totais: { ...totais, nota: 13, ibs: 14, cbs: 15 } };
    t.deepEqual(lerSomado(escreverSomado(somado as Parameters<typeof escreverSomado>[0])) as unknown, somado);
  },
);

test('uma nota autorizada baixa-se em PDF e XML, cancela-se com justificativa e substitui-se com motivo; a alheia não existe', async (t) => {
  const { quem, nota, provedor } = await povoar('06990590000123');
  const xml = nfcomDeExemplo({ ambiente: 1 });
  const autorizada_em = new Date().toISOString().slice(0, 23).replace('T', ' ');
  const id = await nota({
    situacao: 'autorizada',
    chave: '3'.repeat(44),
    serie: 1,
    numero: 9,
    emitida_em: autorizada_em,
    autorizada_em,
    xml_autorizado: xml,
  });
  const baixado = await quem.get(`/nfcom/${id}/baixar/xml`);
  t.deepEqual(baixado.bytes, xml);
  t.is(baixado.headers['content-disposition'], `attachment; filename="nfcom-${'3'.repeat(44)}.xml"`);
  t.regex(await textoDoPdf((await quem.get(`/nfcom/${id}/baixar/pdf`)).bytes), /DANFE-COM/);
  t.is((await quem.post(`/nfcom/${id}/cancelar`, { justificativa: 'curta' })).status, 422);
  await quem.post('/configuracoes/nfcom/comecar', { inscricao_estadual: '0623079040081', crt: '1' });
  // Of a note of the other environment nothing is corrected.
  t.false((await quem.get(`/nfcom/${id}`)).texto.includes(`/nfcom/${id}/substituir`));
  t.is((await quem.post(`/nfcom/${id}/substituir`, { motivo: '02' })).status, 422);
  await api.dono('nfcom_configuracoes').where({ provedor_id: provedor }).update({ ambiente: 'producao' });
  t.true((await quem.get(`/nfcom/${id}`)).texto.includes(`/nfcom/${id}/substituir`));
  t.is((await quem.post(`/nfcom/${id}/substituir`, { motivo: '02' })).status, 303);
  t.like(await api.dono('nfcom').where({ substitui_id: id }).first(), {
    finalidade: 'substituicao',
    situacao: 'pendente',
  });
  const doAjuste = (await quem.get(`/nfcom/${id}/ajustar`)).texto;
  t.regex(doAjuste, /INTERNET FIBRA 500 MEGA/);
  t.regex(doAjuste, /SERVICO DE VALOR ADICIONADO/);
  const demais = await quem.post(`/nfcom/${id}/ajustar`, { valor_2: '20,01', motivo: 'dias sem serviço' });
  t.deepEqual([demais.status, /passa do valor do item 2/.test(demais.texto)], [422, true]);
  t.is((await quem.post(`/nfcom/${id}/ajustar`, { motivo: 'nada' })).status, 422);
  const ajustado = await quem.post(`/nfcom/${id}/ajustar`, {
    valor_1: '9,90',
    valor_2: '1',
    motivo: 'dias sem serviço',
  });
  t.is(ajustado.status, 303);
  const ajuste = await api.dono('nfcom').where({ substitui_id: id, finalidade: 'ajuste' }).first();
  t.is(ajuste.valor, '10.90');
  const cancelar = async () => quem.post(`/nfcom/${id}/cancelar`, { justificativa: 'Cobrança feita por engano.' });
  const comOutras = await cancelar();
  t.deepEqual([comOutras.status, /tem uma substituta/.test(comOutras.texto)], [422, true]);
  for (const outra of await api.dono('nfcom').where({ substitui_id: id }).pluck<number[]>('id')) {
    t.is((await quem.post(`/nfcom/${outra}/descartar`)).status, 303);
  }
  t.is((await cancelar()).status, 303);
  t.like(await unica('nfcom_eventos', provedor), { justificativa: 'Cobrança feita por engano.', estado: 'pendente' });
  const outro = await entrarNoPainel(api, await f.provedor());
  for (const alheio of [`/nfcom/${id}`, `/nfcom/${id}/baixar/pdf`, `/nfcom/${id}/baixar/xml`]) {
    t.is((await outro.get(alheio)).status, 404, alheio);
  }
});

test('o arquivo do mês tem o XML de cada nota autorizada e uma planilha de todas, e a exportação fica anotada', async (t) => {
  const { nota, provedor, cliente } = await povoar('47508411000156');
  const quem = await semProva(provedor);
  const xml = nfcomDeExemplo({ ambiente: 1 });
  for (const [numero, autorizada_em, situacao] of [
    [1, '2026-10-31 23:00:00.000', 'autorizada'],
    // Still October at the provider's place.
    [2, '2026-11-01 02:59:59.000', 'cancelada'],
    [3, '2026-11-01 03:00:00.000', 'autorizada'],
  ] as const) {
    await nota({ situacao, numero, serie: 1, chave: String(numero).repeat(44), autorizada_em, xml_autorizado: xml });
  }
  // A trial's of the month of going live, by the same number.
  const ensaio = { ambiente: 'homologacao', situacao: 'autorizada', numero: 1, serie: 1, xml_autorizado: xml };
  await nota({ ...ensaio, chave: '4'.repeat(44), autorizada_em: '2026-10-15 12:00:00.000' });
  const doMes = { mes: '2026-10', ambiente: 'producao' };
  const pergunta = await quem.post('/nfcom/mes', doMes);
  t.is(pergunta.status, 200);
  t.not(pergunta.headers['content-type'], 'application/zip');
  const { bytes, headers } = await comProva(quem, '/nfcom/mes', doMes);
  t.is(headers['content-type'], 'application/zip');
  const pasta = mkdtempSync(join(tmpdir(), 'malha-mes-'));
  try {
    const arquivo = join(pasta, 'mes.zip');
    writeFileSync(arquivo, bytes);
    const unzip = await programa('unzip');
    const { stdout: nomes } = await executar(unzip, ['-Z1', arquivo]);
    t.deepEqual(nomes.trim().split('\n'), [
      `xml/${'1'.repeat(44)}.xml`,
      `xml/${'2'.repeat(44)}.xml`,
      'notas-2026-10.csv',
    ]);
    const { stdout: planilha } = await executar(unzip, ['-p', arquivo, 'notas-2026-10.csv']);
    const linhas = planilha.trim().split('\r\n');
    t.is(linhas.length, 3);
    t.regex(linhas[2]!, /^2;1;2{44};Cancelada;Normal;Produção;/);
    t.regex(linhas[1]!, new RegExp(`;${cliente};Maria;529\\.982\\.247-25;`));
    const { stdout: um } = await executar(unzip, ['-p', arquivo, `xml/${'1'.repeat(44)}.xml`], { encoding: 'buffer' });
    t.deepEqual(um, xml);
  } finally {
    rmSync(pasta, { recursive: true, force: true });
  }
  t.like(await unica('acessos_a_dados', provedor), { o_que: 'csv', cliente_id: null });
  const [feita] = await api.dono('auditoria').where({ provedor_id: provedor, acao: 'exportacao.feita' });
  t.regex(JSON.stringify(feita), /"?nfcom/);
});

test('o arquivo do mês tem os cancelamentos feitos nele, também os de notas de meses anteriores, e a nota dá o seu', async (t) => {
  const { nota, provedor, quem } = await povoar('42278291000124');
  const xml = nfcomDeExemplo({ ambiente: 1 });
  const assinado = amostra('07-evento-cancelamento.xml');
  const resposta = Buffer.from(
    envelope(
      evento({
        ambiente: '2',
        cStat: '135',
        motivo: 'Evento registrado',
        chave: /<chNFCom>(\d{44})/.exec(assinado.toString())?.[1] ?? '',
        protocolo: '3432600000000017',
        em: '2026-11-02T12:00:00-03:00',
      }),
      false,
    ),
  );
  const cancelada = async (numero: number, autorizada_em: string, cancelada_em: string) => {
    const dela = {
      numero,
      serie: 1,
      chave: String(numero).repeat(44),
      autorizada_em,
      cancelada_em,
      xml_autorizado: xml,
    };
    const id = await nota({ ...dela, situacao: 'cancelada' });
    await api.dono('nfcom_eventos').insert({
      provedor_id: provedor,
      nfcom_id: id,
      estado: 'registrado',
      justificativa: 'Cobrança feita por engano.',
      xml_assinado: assinado,
      xml_resposta: resposta,
      pedido_em: cancelada_em,
      registrado_em: cancelada_em,
    });
    return id;
  };
  const deAntes = await cancelada(1, '2026-10-20 12:00:00.000', '2026-11-02 12:00:00.000');
  await cancelada(2, '2026-11-05 12:00:00.000', '2026-11-06 12:00:00.000');
  await cancelada(3, '2026-11-07 12:00:00.000', '2026-12-01 12:00:00.000');
  await nota({
    situacao: 'substituida',
    numero: 4,
    serie: 1,
    chave: '4'.repeat(44),
    autorizada_em: '2026-10-21 12:00:00.000',
    cancelada_em: '2026-11-30 12:00:00.000',
    xml_autorizado: xml,
  });
  const doMes = async (mes: string) => {
    const { bytes } = await comProva(quem, '/nfcom/mes', { mes, ambiente: 'producao' });
    const pasta = mkdtempSync(join(tmpdir(), 'malha-mes-'));
    try {
      const arquivo = join(pasta, 'mes.zip');
      writeFileSync(arquivo, bytes);
      const unzip = await programa('unzip');
      const { stdout: nomes } = await executar(unzip, ['-Z1', arquivo]);
      const { stdout: planilha } = await executar(unzip, ['-p', arquivo, `notas-${mes}.csv`]);
      const xmls = nomes.split('\n').filter((nome) => nome.endsWith('cancelamento.xml'));
      const documentos = await Promise.all(
        xmls.map(async (nome) => (await executar(unzip, ['-p', arquivo, nome])).stdout),
      );
      const linhas = planilha.trim().split('\r\n').slice(1);
      return {
        nomes: nomes
          .trim()
          .split('\n')
          .map((nome) => nome.replace(/\d{40}/, '')),
        linhas,
        documentos,
      };
    } finally {
      rmSync(pasta, { recursive: true, force: true });
    }
  };
  const novembro = await doMes('2026-11');
  t.deepEqual(novembro.nomes, [
    'xml/2222.xml',
    'xml/2222-cancelamento.xml',
    'xml/3333.xml',
    'xml/1111-cancelamento.xml',
    'notas-2026-11.csv',
  ]);
  t.is(await xmllint(novembro.documentos, 'NT2025.001', 'procEventoNFCom'), null);
  t.deepEqual(
    novembro.linhas.map((linha) => [linha[0], linha.split(';').at(-2)]),
    [
      ['2', 'Autorizada e cancelada'],
      ['3', 'Autorizada'],
      ['1', 'Cancelada'],
      ['4', 'Substituída'],
    ],
  );
  const outubro = await doMes('2026-10');
  t.deepEqual(outubro.nomes, ['xml/1111.xml', 'xml/4444.xml', 'notas-2026-10.csv']);
  t.true((await quem.get(`/nfcom/${deAntes}`)).texto.includes(`/nfcom/${deAntes}/baixar/cancelamento`));
  const baixado = await quem.get(`/nfcom/${deAntes}/baixar/cancelamento`);
  t.is(await xmllint([baixado.texto], 'NT2026.002', 'procEventoNFCom'), null);
  const outro = await entrarNoPainel(api, await f.provedor());
  t.is((await outro.get(`/nfcom/${deAntes}/baixar/cancelamento`)).status, 404);
});

test('o envio pausa-se e continua por um botão, o aviso o diz, e desiste-se junto das notas da fila que o filtro acha', async (t) => {
  const { quem, nota, provedor, cliente } = await povoar('27865757000102');
  const naFila = { situacao: 'pendente', etapa: 'montar', proxima_em: '2026-11-20 12:00:00.000' };
  const [novembro, dezembro] = [
    await nota(naFila),
    await nota({ ...naFila, pedida_em: '2026-12-02 12:00:00.000', proxima_em: '2026-12-02 12:00:00.000' }),
  ];
  const atendente = await entrarNoPainel(api, provedor, 'atendimento');
  t.is((await atendente.post('/nfcom/pausar', {})).status, 403);
  t.is((await quem.post('/nfcom/pausar', { porque: 'alíquota <errada>' })).status, 303);
  const lista = (await quem.get('/nfcom')).texto;
  t.regex(lista, /O envio está pausado desde[^]*alíquota &lt;errada&gt;/);
  t.true(lista.includes('/nfcom/continuar'));
  t.false(lista.includes('/nfcom/pausar'));
  t.regex((await atendente.get('/nfcom')).texto, /O envio está pausado/);
  t.false((await atendente.get('/nfcom')).texto.includes('/nfcom/continuar'));
  t.is((await quem.post('/nfcom/pausar', {})).status, 422);

  t.regex(lista, /Desistir\s+das 2 notas que esperam/);
  const filtro = `/nfcom/desistir?cliente=${cliente}&de=2026-11-01&ate=2026-11-30`;
  const { texto } = await quem.get(filtro);
  t.regex(texto, /Desistir de 1 nota/);
  const [, ultima = ''] = /name="ultima" value="(\d+)"/.exec(texto) ?? [];
  t.is(ultima, String(novembro));
  t.regex(texto, /name="contadas" value="1"/);
  t.regex(texto, /substituições e ajustes, não/);
  const [, em = ''] = /name="em" value="(\d+)"/.exec(texto) ?? [];
  const contada = { ultima, contadas: '1', soma: ultima, em };
  t.regex(texto, new RegExp(`name="soma" value="${ultima}"`));
  t.is((await atendente.post(filtro, contada)).status, 403);
  t.is((await quem.post(filtro, contada)).status, 303);
  t.like(await api.dono('nfcom').where({ id: novembro }).first(), {
    situacao: 'rejeitada',
    motivo_codigo: 'descartada',
    etapa: null,
  });
  t.like(await api.dono('nfcom').where({ id: dezembro }).first(), { situacao: 'pendente', etapa: 'montar' });
  t.regex((await quem.get(filtro)).texto, /Nenhuma nota espera na fila/);
  t.is((await quem.post('/nfcom/continuar')).status, 303);
  t.notRegex((await quem.get('/nfcom')).texto, /O envio está pausado/);
  // Without a pause it says only how many there are, and where it is paused.
  const semPausa = (await quem.get('/nfcom/desistir')).texto;
  t.regex(semPausa, /Pause-o antes[^]*href="\/painel\/nfcom\/pausar"/);
  t.notRegex(semPausa, /name="contadas"/);
  const deDezembro = { ultima: String(dezembro), contadas: '1', soma: String(dezembro), em };
  t.is((await quem.post('/nfcom/desistir', deDezembro)).status, 422);
});

test('o aviso diz por que espera o que ficou do outro ambiente, enquanto alguma nota de lá espera', async (t) => {
  const { quem, nota, provedor } = await povoar('41200300000100');
  await quem.post('/configuracoes/nfcom/comecar', { inscricao_estadual: '0012345678901' });
  const lista = async (): Promise<string> => (await quem.get('/nfcom')).texto;
  const aviso = /O que ficou de produção espera pela sua autoridade até[^]*consumo &lt;indevido&gt;/;
  const daFila = () => api.dono('nfcom_filas').where({ provedor_id: provedor });
  const parada = { outra_codigo: '678', outra_motivo: 'consumo <indevido>' };
  await api
    .dono('nfcom_filas')
    .insert({ provedor_id: provedor, ...parada, outra_parada_ate: '2099-01-01 00:00:00' })
    .onConflict()
    .merge();
  t.notRegex(await lista(), /O que ficou/);
  const esperando = { situacao: 'processando', etapa: 'enviar', proxima_em: '2026-11-20 12:00:00.000' };
  const id = await nota(esperando);
  t.regex(await lista(), aviso);
  t.notRegex(await lista(), /O envio está parado/);
  await daFila().update({ outra_parada_ate: '2020-01-01 00:00:00' });
  t.notRegex(await lista(), /O que ficou/);
  // What is not asked because all questions are refused.
  await daFila().update({ outra_sem_perguntar_ate: '2099-01-01 00:00:00' });
  t.notRegex(await lista(), /O que ficou/);
  await api.dono('nfcom').where({ id }).update({ etapa: 'consultar' });
  t.regex(await lista(), /O que ficou de produção espera pela sua autoridade até[^]*recusa as consultas/);
  await api.dono('nfcom').where({ id }).update({ ambiente: 'homologacao' });
  t.notRegex(await lista(), /O que ficou/);
});

test('enquanto a autoridade recusa as consultas o aviso o diz, e quem emite manda perguntar agora; sem notas a perguntar, não', async (t) => {
  const { quem, nota, provedor } = await povoar('61079117000105');
  const amanha = new Date(Date.now() + 86_400_000).toISOString().slice(0, 23).replace('T', ' ');
  await api.dono('nfcom_filas').insert({ provedor_id: provedor, sem_perguntar_ate: amanha });
  const lista = async (): Promise<string> => (await quem.get('/nfcom')).texto;
  t.notRegex(await lista(), /recusa as consultas/);
  const aPerguntar = { situacao: 'processando', etapa: 'consultar', proxima_em: '2026-11-20 12:00:00.000' };
  const perdida = await nota({ ...aPerguntar, ambiente: 'homologacao' });
  t.regex(
    await lista(),
    /A autoridade recusa as consultas das notas[^]*por enviar segue[^]*Já corrigi: perguntar agora/,
  );
  // Of what is not sent either, it is not said that it goes on.
  await quem.post('/nfcom/pausar', {});
  t.notRegex(await lista(), /por enviar segue|saem sozinhas/);
  // A stop that is over is none, though nothing was sent since.
  const ontem = { codigo: 'sem_resposta', parada_ate: '2020-01-01 12:00:00.000' };
  await api.dono('nfcom_filas').where({ provedor_id: provedor }).update(ontem);
  t.notRegex(await lista(), /O envio está parado até/);
  await api.dono('nfcom_filas').where({ provedor_id: provedor }).update({ codigo: null, parada_ate: null });
  await quem.post('/nfcom/continuar');
  const tentativa = { provedor_id: provedor, nfcom_id: perdida, operacao: 'envio', duracao_ms: 1, em: amanha };
  await api.dono('nfcom_tentativas').insert([
    { ...tentativa, erro: 'broken' },
    { ...tentativa, erro: 'resposta_502' },
  ]);
  t.regex((await quem.get(`/nfcom/${perdida}`)).texto, /respondeu 502[^]*a conexão caiu/);
  t.is((await quem.post('/nfcom/retomar')).status, 303);
  t.true((await unica('nfcom_filas', provedor)).sem_perguntar_ate < amanha);
  await api.dono('nfcom').where({ id: perdida }).update({ etapa: null });
  t.notRegex(await lista(), /recusa as consultas/);
});

test('cancelam-se juntas as autorizadas que o filtro acha, contadas antes, com justificativa e prova', async (t) => {
  const { quem, nota, provedor, cliente } = await povoar('33000167000101');
  await quem.post('/configuracoes/nfcom/comecar', { inscricao_estadual: '0623079040081', crt: '1' });
  await api.dono('nfcom_configuracoes').where({ provedor_id: provedor }).update({ ambiente: 'producao' });
  const agora = new Date().toISOString().slice(0, 23).replace('T', ' ');
  const deHoje = { situacao: 'autorizada', emitida_em: agora, autorizada_em: agora };
  const [uma, outra] = [await nota(deHoje), await nota(deHoje)];
  await nota({ ...deHoje, ambiente: 'homologacao' });
  const filtro = `/nfcom/cancelar?cliente=${cliente}`;
  t.true((await quem.get(`/nfcom?situacao=autorizada&cliente=${cliente}`)).texto.includes(filtro));
  const { texto } = await quem.get(filtro);
  t.regex(texto, /Cancelar 2 notas/);
  const escondidos = [...texto.matchAll(/type="hidden" name="(\w+)" value="(\w+)"/g)].map(([, nome, valor]) => [
    nome,
    valor,
  ]);
  const contagem: Record<string, string> = Object.fromEntries(escondidos);
  const ultima_em = String(Date.parse(`${agora.replace(' ', 'T')}Z`));
  const contadas = { ambiente: 'producao', contadas: '2', soma: String(uma + outra), ultima: String(outra), ultima_em };
  t.like(contagem, contadas);
  const dita = { ...contadas, justificativa: 'emitidas com a alíquota errada' };
  const atendente = await entrarNoPainel(api, provedor, 'atendimento');
  t.is((await atendente.post(filtro, dita)).status, 403);
  const esperam = async () => api.dono('nfcom').where({ provedor_id: provedor, etapa: 'cancelar' }).pluck('id');

  const semA = await semProva(provedor);
  t.regex((await semA.post(filtro, dita)).texto, /Confirme que é você/);
  t.deepEqual(await esperam(), []);
  const curta = await comProva(semA, filtro, { ...dita, justificativa: 'curta' });
  t.is(curta.status, 422);
  t.regex(curta.texto, /Cancelar 2 notas/);
  // One of them waited while they were counted.
  const mudaram = await semA.post(filtro, { ...dita, contadas: '1' });
  t.is(mudaram.status, 422);
  t.regex(mudaram.texto, /agora são 2/);
  t.deepEqual(await esperam(), []);
  const emite = async (ambiente: string) =>
    api.dono('nfcom_configuracoes').where({ provedor_id: provedor }).update({ ambiente });
  await emite('homologacao');
  const deOutro = await semA.post(filtro, dita);
  t.is(deOutro.status, 422);
  t.regex(deOutro.texto, /As notas são de produção, e o provedor passou a emitir em homologação/);
  t.deepEqual(await esperam(), []);
  await emite('producao');
  const feito = await semA.post(filtro, dita);
  t.is(feito.status, 303);
  t.deepEqual(await esperam(), [uma, outra]);
  t.regex(
    (await quem.get(String(feito.headers['location']).replace(/^\/painel/, ''))).texto,
    /o cancelamento de 2 de 2 notas:/,
  );
  t.regex((await quem.get(filtro)).texto, /Nenhuma nota se pode cancelar/);
});

test('das notas de que se desistiu junto emitem-se outras, depois de se ver quantas são', async (t) => {
  const { quem, nota, provedor, cliente } = await povoar('33592510000154');
  await quem.post('/configuracoes/nfcom/comecar', { inscricao_estadual: '0623079040081', crt: '1' });
  await api.dono('nfcom_configuracoes').where({ provedor_id: provedor }).update({ ambiente: 'producao' });
  const naFila = await nota({ situacao: 'pendente', etapa: 'montar', proxima_em: '2026-11-20 12:00:00.000' });
  await quem.post('/nfcom/pausar', {});
  const periodo = 'de=2026-11-01&ate=2026-11-30';
  const { texto } = await quem.get(`/nfcom/desistir?${periodo}`);
  const [, ultima = ''] = /name="ultima" value="(\d+)"/.exec(texto) ?? [];
  const [, em = ''] = /name="em" value="(\d+)"/.exec(texto) ?? [];
  await quem.post(`/nfcom/desistir?${periodo}`, { ultima, contadas: '1', soma: ultima, em });
  t.like(await api.dono('nfcom').where({ id: naFila }).first(), { situacao: 'rejeitada' });
  const lista = (await quem.get(`/nfcom?situacao=rejeitada&${periodo}`)).texto;
  t.regex(lista, /nfcom\/desistidas\?de=2026-11-01&(?:amp;)?ate=2026-11-30"[^]*Emitir as de que se desistiu junto/);
  const tela = `/nfcom/desistidas?${periodo}`;
  const daTela = (await quem.get(tela)).texto;
  t.regex(daTela, /Emitir 1 nota/);
  t.is(/name="ultima" value="(\d+)"/.exec(daTela)?.[1], String(naFila));
  t.is(/name="contadas" value="(\d+)"/.exec(daTela)?.[1], '1');
  t.is(/name="soma" value="(\d+)"/.exec(daTela)?.[1], String(naFila));
  t.is(/name="ambiente" value="(\w+)"/.exec(daTela)?.[1], 'producao');
  const contada = { ambiente: 'producao', ultima: String(naFila), contadas: '1', soma: String(naFila) };
  const atendente = await entrarNoPainel(api, provedor, 'atendimento');
  t.is((await atendente.post(tela, contada)).status, 403);
  t.is((await quem.post(tela)).status, 422);
  const feito = await quem.post(tela, contada);
  t.is(feito.headers['location'], `/painel/nfcom?${periodo}&na_fila=1`);
  t.regex((await quem.get(tela)).texto, /Não há notas de que se desistiu junto/);
  const notas = await api.dono('nfcom').where({ provedor_id: provedor, cliente_id: cliente }).orderBy('id');
  t.deepEqual(
    notas.map(({ situacao }: { situacao: string }) => situacao),
    ['rejeitada', 'pendente'],
  );
});

test('a tela do trabalho de um dia diz quantas notas dele saíram, quantas não, e por quê', async (t) => {
  const { quem, nota } = await povoar('60746948000112');
  const dele = { pedida_em: '2026-11-20 12:00:00.000', valor: '10.00' };
  t.false((await quem.get('/tarefas?dia=2026-11-20')).texto.includes('Notas fiscais de 20/11/2026'));
  const semCidade = { situacao: 'rejeitada', motivo_codigo: 'sem_municipio', motivo: 'a cidade não se conhece' };
  for (const como of [semCidade, semCidade, { situacao: 'rejeitada', motivo_codigo: '427', motivo: 'sem IE' }]) {
    await nota({ ...dele, ...como });
  }
  await nota({ ...dele, ...semCidade, motivo: 'de outro dia', pedida_em: '2026-11-21 12:00:00.000' });
  const { texto } = await quem.get('/tarefas?dia=2026-11-20');
  t.regex(texto, /Notas fiscais de 20\/11\/2026/);
  t.regex(texto, /<strong>3<\/strong\s*><span>Rejeitada/);
  t.regex(texto, /2 notas: a cidade não se conhece[^]*1 nota: sem IE/);
  t.notRegex(texto, /de outro dia/);
});

test('o preço de um plano e de um contrato reparte-se em serviços; o que não soma é recusado', async (t) => {
  const { quem, plano, contrato, provedor } = await povoar('61186888000193');
  await quem.post('/configuracoes/nfcom/comecar', {
    inscricao_estadual: '0623079040081',
    crt: '1',
    sva_percentual: '20',
  });
  const [internet, sva] = (await api.dono('nfcom_servicos').where({ provedor_id: provedor }).orderBy('id')).map(
    ({ id }: { id: number }) => String(id),
  ) as [string, string];
  const errada = await quem.post(`/planos/${plano}/nfcom`, {
    servico_1: internet,
    percentual_1: '50',
    servico_2: sva,
    percentual_2: '40',
  });
  t.is(errada.status, 422);
  t.regex(errada.texto, /devem somar 100/);
  const certa = { servico_1: internet, servico_2: sva, valor_2: '19,90', descricao_2: 'Antivírus' };
  t.is((await quem.post(`/planos/${plano}/nfcom`, certa)).status, 303);
  t.is((await quem.post(`/contratos/${contrato}/nfcom`, { servico_1: internet, percentual_1: '100' })).status, 303);
  const partes = await api
    .dono('nfcom_partes')
    .where({ provedor_id: provedor })
    .whereNot('dono', 'provedor')
    .orderBy('id');
  t.deepEqual(
    partes.map(({ dono, percentual, valor }: Record<string, unknown>) => [dono, percentual, valor]),
    [
      [`plano:${plano}`, null, null],
      [`plano:${plano}`, null, '19.90'],
      [`contrato:${contrato}`, '100.0000', null],
    ],
  );
  t.regex((await quem.get(`/planos/${plano}/nfcom`)).texto, /value="19,90"/);
});
