import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { createCorreioDeFaturasService } from '../../../src/domain/faturas/envio/correio.service.ts';
import { createConsuming } from '../../../src/platform/mysql/outbox-consumer.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

// A Friday, noon in São Paulo.
const AGORA = '2026-11-20T15:00:00.000Z';
const relogio = relogioEm(AGORA);
let api: Api;
let fabrica: Fabrica;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2, env: { MALHA_SMTP_URL: 'smtp://127.0.0.1:9' } });
  fabrica = criarFabrica(api.dono);
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

type Linha = Record<string, unknown>;

async function casa({ regras = {}, contrato = {}, cliente = {} }: Record<string, Linha> = {}) {
  const provedor = await fabrica.provedor({}, regras);
  const plano = await fabrica.plano(provedor);
  const clienteId = await fabrica.cliente(provedor, { email: 'maria@malha.test', ...cliente });
  const contratoId = await fabrica.contrato(provedor, { cliente_id: clienteId, plano_id: plano, ...contrato });
  const { texto: chave } = await api.criarChave(provedor, { nome: 'chatbot' });
  const quem = await api.container.provedores.exigirPorId(provedor);
  return {
    provedor,
    quem,
    cliente: clienteId,
    contrato: contratoId,
    chave,
    fatura: async (linha: Linha = {}) =>
      fabrica.fatura(provedor, { cliente_id: clienteId, contrato_id: contratoId, ...linha }),
    post: async (caminho: string, corpo: object, processo = 0) =>
      api.pedir('POST', caminho, {
        chave,
        processo,
        headers: { 'content-type': 'application/json' },
        corpo: JSON.stringify(corpo),
      }),
    ler: async (caminho: string, processo = 0): Promise<any> => (await api.get(caminho, { chave, processo })).corpo,
    eventos: async (tipo: string): Promise<Linha[]> => api.dono('eventos').where({ provedor_id: provedor, tipo }),
  };
}

const CONTATO = { canal: 'chatbot', assunto: 'Segunda via' };

// Contacts

test.serial('POST /atendimentos dá um protocolo, e ele se lê em todo processo', async (t) => {
  const c = await casa();
  const { status, corpo } = await c.post('/atendimentos', {
    ...CONTATO,
    contrato_id: c.contrato,
    resumo: ' Mandei o PIX. ',
  });
  t.is(status, 201);
  t.deepEqual(corpo.dados, {
    protocolo: '20261120000001',
    tipo: 'contato',
    canal: 'chatbot',
    cliente_id: c.cliente,
    contrato_id: c.contrato,
    chamado_id: null,
    assunto: 'Segunda via',
    resumo: 'Mandei o PIX.',
    autor: 'chatbot',
    aberto_em: AGORA,
  });
  for (const processo of [0, 1]) {
    t.deepEqual((await c.ler('/atendimentos/20261120000001', processo)).dados, corpo.dados);
  }
  const [linha] = await api.dono('auditoria').where({ provedor_id: c.provedor, acao: 'atendimento.registrado' });
  t.like(linha, { autor: 'chatbot', recurso: 'atendimento', ip: '127.0.0.1' });
});

test.serial(
  'de quem não se sabe quem é também há protocolo; o cliente e o contrato têm de ser um do outro',
  async (t) => {
    const c = await casa();
    const alheio = await casa();
    const outro = await fabrica.cliente(c.provedor, { cpf_cnpj: '11144477735' });
    t.like((await c.post('/atendimentos', CONTATO)).corpo.dados, { cliente_id: null, contrato_id: null, resumo: null });
    t.like((await c.post('/atendimentos', { ...CONTATO, cliente_id: outro, contrato_id: null })).corpo.dados, {
      cliente_id: outro,
    });
    for (const [corpo, status, codigo] of [
      [{ cliente_id: alheio.cliente }, 404, 'nao_encontrado'],
      [{ contrato_id: alheio.contrato }, 422, 'contrato_invalido'],
      [{ cliente_id: outro, contrato_id: c.contrato }, 422, 'contrato_invalido'],
      [{ canal: 'fax' }, 400, 'parametro_invalido'],
      [{ assunto: 'ab' }, 400, 'parametro_invalido'],
      [{ resumo: 'x'.repeat(5001) }, 400, 'parametro_invalido'],
    ] as const) {
      const resposta = await c.post('/atendimentos', { ...CONTATO, ...corpo });
      t.deepEqual([resposta.status, resposta.corpo.erro.codigo], [status, codigo], JSON.stringify(corpo));
    }
    t.is((await c.ler('/atendimentos/20261120000009')).erro.codigo, 'nao_encontrado');
  },
);

test.serial(
  'chamado e desbloqueio têm protocolo, e os contatos de um cliente vêm do mais novo ao mais antigo, com os de antes entre eles',
  async (t) => {
    const c = await casa({
      regras: { desbloqueio_habilitado: 1 },
      contrato: { situacao: 'bloqueado', bloqueio_origem: 'financeiro', bloqueado_em: '2026-11-15 03:00:00.000' },
    });
    const antigo = await fabrica.chamado(c.provedor, { cliente_id: c.cliente, assunto: 'De antes' });
    await fabrica.desbloqueio(c.provedor, {
      contrato_id: c.contrato,
      ate: '2026-11-03 02:59:59.999',
      encerrado_em: '2026-11-03 02:59:59.999',
      aplicado_em: '2026-11-02 09:00:00.000',
    });
    await c.post('/atendimentos', { ...CONTATO, cliente_id: c.cliente });
    relogio.avancar(1000);
    const { dados: chamado } = (
      await c.post('/chamados', { cliente_id: c.cliente, assunto: 'Caiu', descricao: 'Caiu.' })
    ).corpo;
    t.is(chamado.protocolo, '20261120000002');
    relogio.avancar(1000);
    const feito = await c.post(`/contratos/${c.contrato}/desbloqueio-confianca`, {});
    t.is(feito.corpo.dados.protocolo, '20261120000003');

    const lista = await c.ler(`/clientes/${c.cliente}/atendimentos`);
    t.is(lista.paginacao.total, 5);
    t.deepEqual(
      lista.dados.map(({ protocolo, tipo, assunto, chamado_id }: any) => [protocolo, tipo, assunto, chamado_id]),
      [
        ['20261120000003', 'desbloqueio', 'Desbloqueio de confiança', null],
        ['20261120000002', 'chamado', 'Caiu', chamado.id],
        ['20261120000001', 'contato', 'Segunda via', null],
        [null, 'desbloqueio', 'Desbloqueio de confiança', null],
        [null, 'chamado', 'De antes', antigo],
      ],
    );
    const segunda = await c.ler(`/clientes/${c.cliente}/atendimentos?por_pagina=2&pagina=2`);
    t.deepEqual(segunda.dados, lista.dados.slice(2, 4));
    const achados = await c.ler('/chamados?protocolo=20261120000002');
    t.deepEqual([achados.dados.map(({ id }: any) => id), achados.paginacao.total], [[chamado.id], 1]);
    t.deepEqual((await c.ler('/chamados?protocolo=20261120000001')).dados, []);
    t.is((await c.ler('/chamados?protocolo=7')).erro.codigo, 'parametro_invalido');
    t.is((await c.ler('/clientes/999999999/atendimentos')).erro.codigo, 'nao_encontrado');
  },
);

// Promises

test.serial('uma promessa por contrato, até o prazo do provedor, e só de quem deve; nada é liberado', async (t) => {
  const c = await casa({ regras: { promessa_dias: 5 } });
  const prometer = async (data: string) => c.post(`/contratos/${c.contrato}/promessa-pagamento`, { data });
  const codigo = async (data: string) => {
    const { status, corpo } = await prometer(data);
    return [status, corpo.erro?.codigo];
  };
  t.deepEqual(await codigo('2026-11-24'), [422, 'nada_a_pagar']);
  await c.fatura();
  t.deepEqual(await codigo('2026-11-19'), [422, 'promessa_fora_do_prazo']);
  t.deepEqual(await codigo('2026-11-26'), [422, 'promessa_fora_do_prazo']);
  t.deepEqual(await codigo('2026-02-30'), [400, 'parametro_invalido']);
  const { status, corpo } = await prometer('2026-11-25');
  t.is(status, 201);
  t.like(corpo.dados, { contrato_id: c.contrato, data: '2026-11-25', registrada_em: AGORA });
  t.deepEqual(await codigo('2026-11-24'), [409, 'promessa_ativa']);
  const [um] = (await c.ler(`/resumo?contrato_id=${c.contrato}`, 1)).dados;
  t.deepEqual(um.contratos[0].promessa, corpo.dados);
  t.is((await c.eventos('cliente.promessa_registrada')).length, 1);
  const desligado = await casa({ regras: { promessa_dias: 0 } });
  await desligado.fatura();
  const recusada = await desligado.post(`/contratos/${desligado.contrato}/promessa-pagamento`, { data: '2026-11-20' });
  t.is(recusada.corpo.erro.codigo, 'promessa_desabilitada');
});

test.serial(
  'passado o dia útil da promessa, quem ainda deve a quebrou, e quem pagou a cumpriu; o trabalho do dia o diz uma vez',
  async (t) => {
    const c = await casa();
    const fez = async (contrato: number, data: string) => c.post(`/contratos/${contrato}/promessa-pagamento`, { data });
    const outro = await fabrica.contrato(c.provedor, {
      cliente_id: c.cliente,
      plano_id: (await api.dono('contratos').where({ id: c.contrato }).first()).plano_id,
    });
    const devida = await c.fatura();
    const paga = await c.fatura({ contrato_id: outro });
    // Sunday: Monday is the day it may be paid on.
    await fez(c.contrato, '2026-11-22');
    await fez(outro, '2026-11-22');
    await api.container.changeTenant(TERMINAL, c.quem, async (_d, { baixas }) =>
      baixas.registrar(paga, { forma: 'dinheiro', valor: '102.23' }),
    );
    const conferir = async (dia: string) => {
      relogio.definir(`${dia}T12:00:00.000Z`);
      const signal = new AbortController().signal;
      await api.container.tarefas.executar(
        TERMINAL,
        { tarefa: 'promessas.conferir', provedorId: c.provedor, dia },
        { signal, aoAvancar() {} },
      );
    };
    await conferir('2026-11-23');
    t.is((await c.eventos('cliente.promessa_quebrada')).length, 0);
    await conferir('2026-11-24');
    const linhas = await api.dono('promessas_pagamento').where({ provedor_id: c.provedor }).orderBy('id');
    t.deepEqual(
      linhas.map(({ situacao }) => situacao),
      ['quebrada', 'cumprida'],
    );
    const [quebrada, ...mais] = await c.eventos('cliente.promessa_quebrada');
    t.is(mais.length, 0);
    t.is(quebrada?.['recurso_id'], c.cliente);
    const [um] = (await c.ler(`/resumo?contrato_id=${c.contrato}`)).dados;
    t.deepEqual(
      um.contratos.map(({ promessa }: any) => promessa),
      [null, null],
    );
    const outra = await fez(c.contrato, '2026-11-25');
    t.deepEqual([outra.status, outra.corpo.erro.codigo], [422, 'fatura_anterior_em_aberto']);
    await api.container.changeTenant(TERMINAL, c.quem, async (_d, { baixas }) =>
      baixas.registrar(devida, { forma: 'dinheiro', valor: '200.00' }),
    );
    await c.fatura({ vencimento: '2026-11-23' });
    t.is((await fez(c.contrato, '2026-11-25')).status, 201, 'outra fatura');
  },
);

test.serial('promete-se pagar o que vence até o dia: sobre o que só vence depois não há promessa', async (t) => {
  const c = await casa();
  await c.fatura({ vencimento: '2026-11-25' });
  const prometer = async (data: string) => c.post(`/contratos/${c.contrato}/promessa-pagamento`, { data });
  const cedo = await prometer('2026-11-24');
  t.deepEqual([cedo.status, cedo.corpo.erro.codigo], [422, 'nada_a_pagar']);
  t.is((await prometer('2026-11-25')).status, 201);
});

// Second copies

test.serial(
  'POST /faturas/{id}/enviar: por evento é dito a quem o provedor tem; por e-mail vai ao endereço do cadastro, com o que se deve então',
  async (t) => {
    const c = await casa();
    const id = await c.fatura({ pix_txid: 'ENVIO1' });
    const porEvento = await c.post(`/faturas/${id}/enviar`, { canal: 'evento' });
    t.deepEqual([porEvento.status, porEvento.corpo.dados], [202, { fatura_id: id, canal: 'evento' }]);
    t.like((await c.eventos('fatura.segunda_via_pedida'))[0], { recurso_id: id });
    t.is((await c.post(`/faturas/${id}/enviar`, { canal: 'email' })).status, 202);

    const { db, provedores } = api.container;
    const consumer = createCorreioDeFaturasService({ relogio, correio: { ativo: true }, provedores });
    const { consume } = createConsuming({ db, consumer, onFailure: (_id, error) => t.fail(String(error)) });
    while ((await consume()) > 0);
    const { cliente: cliente_id } = c;
    const [carta, ...outras] = await api.dono('correio_pedidos').where({ origem: 'segunda_via', cliente_id });
    t.is(outras.length, 0);
    t.is(carta?.para, 'maria@malha.test');
    const { dados } = await c.ler(`/faturas/${id}`);
    t.true(carta?.texto.includes(dados.segunda_via.pix_copia_cola));
    t.true(carta?.texto.includes('R$\u00a0102,23'), carta?.texto);
    t.false(carta?.texto.includes('Maria'));
  },
);

test.serial('POST /faturas/{id}/enviar: a caixa de ninguém se enche, cinco por hora e fatura', async (t) => {
  const c = await casa();
  const [id, outra] = [await c.fatura(), await c.fatura()];
  for (const canal of ['email', 'evento', 'email', 'evento', 'email']) {
    t.is((await c.post(`/faturas/${id}/enviar`, { canal })).status, 202);
  }
  const demais = await c.post(`/faturas/${id}/enviar`, { canal: 'email' });
  t.deepEqual([demais.status, demais.corpo.erro.codigo], [429, 'tentativas_excedidas']);
  t.is((await c.post(`/faturas/${outra}/enviar`, { canal: 'email' })).status, 202);
  t.is((await c.eventos('fatura.segunda_via_por_email')).length, 4);
});

test.serial('POST /faturas/{id}/enviar: dez por hora de todas as faturas de um cliente', async (t) => {
  const c = await casa();
  const faturas = [await c.fatura(), await c.fatura(), await c.fatura()];
  const [primeira, , ultima] = faturas;
  for (let n = 0; n < 10; n += 1) {
    t.is((await c.post(`/faturas/${faturas[n % 2]}/enviar`, { canal: 'evento' })).status, 202);
  }
  const demais = await c.post(`/faturas/${ultima}/enviar`, { canal: 'evento' });
  t.deepEqual([demais.status, demais.corpo.erro.codigo], [429, 'tentativas_excedidas']);
  const segundos = Number(demais.headers['retry-after']);
  t.true(segundos > 0 && segundos <= 3600, String(demais.headers['retry-after']));
  t.is((await c.eventos('fatura.segunda_via_pedida')).length, 10);
  t.is((await c.post(`/faturas/${(primeira ?? 0) + 1_000_000}/enviar`, { canal: 'evento' })).status, 404);
});

test.serial(
  'POST /faturas/{id}/enviar recusa o que não está em aberto, quem não tem e-mail, e o e-mail que não há',
  async (t) => {
    const c = await casa();
    const paga = await c.fatura({ situacao: 'paga' });
    t.is((await c.post(`/faturas/${paga}/enviar`, { canal: 'evento' })).corpo.erro.codigo, 'fatura_nao_aberta');
    const sem = await casa({ cliente: { email: null } });
    t.is(
      (await sem.post(`/faturas/${await sem.fatura()}/enviar`, { canal: 'email' })).corpo.erro.codigo,
      'cliente_sem_email',
    );
    t.is((await c.post(`/faturas/${paga}/enviar`, { canal: 'fax' })).corpo.erro.codigo, 'parametro_invalido');
    const semCorreio = await criarApi({ relogio, bancoDe: api });
    t.teardown(() => semCorreio.fechar());
    const headers = { 'content-type': 'application/json' };
    const corpo = JSON.stringify({ canal: 'email' });
    const resposta = await semCorreio.pedir('POST', `/faturas/${await c.fatura()}/enviar`, {
      chave: c.chave,
      headers,
      corpo,
    });
    t.is(resposta.corpo.erro.codigo, 'email_indisponivel');
  },
);

test.serial('POST /faturas/{id}/enviar: do que não se podia enviar nenhuma tentativa se conta', async (t) => {
  const c = await casa({ cliente: { email: null } });
  const id = await c.fatura();
  const paga = await c.fatura({ situacao: 'paga' });
  for (let n = 0; n < 6; n += 1) {
    t.is((await c.post(`/faturas/${id}/enviar`, { canal: 'email' })).corpo.erro.codigo, 'cliente_sem_email');
    t.is((await c.post(`/faturas/${paga}/enviar`, { canal: 'evento' })).corpo.erro.codigo, 'fatura_nao_aberta');
  }
  t.is((await c.post(`/faturas/${id}/enviar`, { canal: 'evento' })).status, 202);
});
