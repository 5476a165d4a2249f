import test from 'ava';
import { lerData } from '../../../src/brazil/calendario/datas.ts';
import { TERMINAL } from '../../../src/domain/actor.ts';
import type { Escritas } from '../../../src/domain/dominio.ts';
import { abrirAutoridade } from '../../../seeds/autoridade/autoridade.ts';
import type { Autoridade, Humor, Operacao } from '../../../seeds/autoridade/autoridade.ts';
import { judge } from '../../../workers/threads/nfcom/schema.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { ate } from '../../support/espera.ts';
import { SENHA, cartorio, enviarTudo, escrever, guardarPfx, provedorFiscal } from '../../support/fiscal.ts';
import type { ProvedorFiscal } from '../../support/fiscal.ts';
import { relogioEm } from '../../support/relogio.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const MINUTO = 60_000;
const relogio = relogioEm(AGORA);
let api: Api;
let autoridade: Autoridade;
let humor: (operacao: Operacao, chave: string | null) => Humor = () => ({});

const abrir = async (deste: typeof humor, ambiente: '1' | '2' = '2') =>
  abrirAutoridade({
    cartorio,
    ambiente,
    agora: () => relogio.agora(),
    humor: deste,
    esquema: async (xml) => judge('NT2025.001', 'nfcom', xml)[0]?.mensagem ?? null,
  });

test.before(async () => {
  api = await criarApi({ relogio, processos: 2, env: { MALHA_REDES_PERMITIDAS: '127.0.0.1/32' } });
  autoridade = await abrir((...pedido) => humor(...pedido));
});
test.after.always(async () => {
  await autoridade.fechar();
  await api.fechar();
});
test.beforeEach(() => {
  relogio.definir(AGORA);
  humor = () => ({});
});

const um = async (id: number) => api.dono('nfcom').where('id', id).first();
const enviar = async () => enviarTudo(api.container);
const fila = async (p: ProvedorFiscal) => api.dono('nfcom_filas').where('provedor_id', p.provedor).first();
/** How often each operation of a note was tried, with what was answered. */
const tentativas = async (id: number): Promise<string[]> =>
  (await api.dono('nfcom_tentativas').where('nfcom_id', id).orderBy('id')).map(
    ({ operacao, codigo, erro }) => `${operacao} ${codigo ?? erro}`,
  );
const eventos = async (p: ProvedorFiscal): Promise<string[]> =>
  (await api.dono('eventos').where('provedor_id', p.provedor).where('tipo', 'like', 'nfcom.%').orderBy('id'))
    .map(({ tipo }) => String(tipo))
    .filter((tipo) => /autorizada|rejeitada|cancelada|substituida/.test(tipo));
/** Answers the first requests of an operation otherwise. */
const primeiras = (qual: Operacao, ...humores: Humor[]) => {
  humor = (operacao) => (operacao === qual ? (humores.shift() ?? {}) : {});
};
const dasRecebidas = (chave: string) => autoridade.recebidas.filter((uma) => uma.chave === chave);

test.serial(
  'uma nota pedida é montada, numerada, enviada e autorizada; o XML é o assinado, com o protocolo',
  async (t) => {
    const p = await provedorFiscal(api, autoridade, { sva: '30' });
    const { fatura } = await p.fatura();
    const id = await p.pedir(fatura);
    t.like(await um(id), { situacao: 'pendente', numero: null, xml_assinado: null });
    await enviar();
    const nota = await um(id);
    t.like(nota, {
      situacao: 'autorizada',
      numero: 1,
      valor: '99.90',
      etapa: null,
      motivo: null,
    });
    t.is(autoridade.notas.get(nota.chave)?.protocolo, nota.protocolo);
    const xml = nota.xml_autorizado.toString();
    t.true(xml.startsWith('<?xml version="1.0" encoding="UTF-8"?><nfcomProc'));
    t.true(xml.includes(nota.xml_assinado.toString().replace(/^<\?xml[^?]*\?>/, '')));
    t.deepEqual(xml.match(/<vItem>[\d.]+/g), ['<vItem>69.93', '<vItem>29.97']);
    t.deepEqual(await eventos(p), ['nfcom.autorizada']);
    const [dito] = await api.dono('eventos').where({ provedor_id: p.provedor, tipo: 'nfcom.autorizada' });
    t.like(typeof dito.dados === 'string' ? JSON.parse(dito.dados) : dito.dados, {
      ambiente: 'homologacao',
      finalidade: 'normal',
    });
    await t.throwsAsync(p.pedir(fatura), { message: /já tem nota/ });
  },
);

test.serial('resposta que se perde depois de autorizada: pergunta pela chave, e os mesmos bytes ficam', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const id = await p.pedir((await p.fatura()).fatura);
  primeiras('recepcao', { perder: 'depois' });
  await enviar();
  const antes = await um(id);
  t.like(antes, { situacao: 'processando', etapa: 'consultar' });
  relogio.avancar(5 * MINUTO);
  await enviar();
  const depois = await um(id);
  t.is(depois.situacao, 'autorizada');
  t.true(antes.xml_assinado.equals(depois.xml_assinado));
  t.deepEqual(await tentativas(id), ['envio broken', 'consulta 100']);
  t.is(dasRecebidas(depois.chave).length, 1);
});

test.serial(
  'pedido que não chega é reenviado como estava; com prefixos, ou duas vezes, a resposta é entendida',
  async (t) => {
    const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 1 } });
    const [perdida, dobrada] = [await p.pedir((await p.fatura()).fatura), await p.pedir((await p.fatura()).fatura)];
    primeiras('recepcao', { perder: 'antes' }, { prefixos: true }, { duasVezes: true });
    await enviar();
    const antes = await um(perdida);
    relogio.avancar(5 * MINUTO);
    await enviar();
    relogio.avancar(5 * MINUTO);
    await enviar();
    t.true((await um(perdida)).xml_assinado.equals(antes.xml_assinado));
    t.deepEqual(await tentativas(perdida), ['envio broken', 'consulta 217', 'envio 100']);
    t.deepEqual(await tentativas(dobrada), ['envio ilegivel', 'consulta 100']);
    t.deepEqual([(await um(perdida)).numero, (await um(dobrada)).numero], [1, 2]);
  },
);

test.serial('108 para a fila e pergunta-se o estado de três em três minutos; 678 para uma hora', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const id = await p.pedir((await p.fatura()).fatura);
  primeiras('recepcao', { cStat: '108' });
  await enviar();
  t.like(await fila(p), { codigo: '108' });
  relogio.avancar(2 * MINUTO);
  await enviar();
  t.is((await fila(p)).status_em, null);
  relogio.avancar(1.5 * MINUTO);
  primeiras('status', { cStat: '109' });
  await enviar();
  t.like(await fila(p), { status_codigo: '109' });
  relogio.avancar(4 * MINUTO);
  await enviar();
  t.is((await um(id)).situacao, 'autorizada');
  t.like(await fila(p), { status_codigo: '107', codigo: null, parada_ate: null });

  const outra = await p.pedir((await p.fatura()).fatura);
  primeiras('recepcao', { cStat: '678' });
  await enviar();
  relogio.avancar(59 * MINUTO);
  await enviar();
  t.is((await um(outra)).situacao, 'processando');
  relogio.avancar(2 * MINUTO);
  await enviar();
  t.is((await um(outra)).situacao, 'autorizada');
});

test.serial(
  'a situação perguntada que a autoridade toma por uso indevido também para a fila por uma hora',
  async (t) => {
    const p = await provedorFiscal(api, autoridade);
    await p.pedir((await p.fatura()).fatura);
    primeiras('recepcao', { cStat: '108' });
    await enviar();
    primeiras('status', { cStat: '678' });
    relogio.avancar(3.5 * MINUTO);
    await enviar();
    t.like(await fila(p), { codigo: '678', status_codigo: '678', parada_ate: '2026-11-20 16:03:30.000' });
  },
);

test.serial(
  'consulta que a autoridade recusa não diz da nota: ela não é rejeitada, e pergunta-se de novo',
  async (t) => {
    const p = await provedorFiscal(api, autoridade);
    const id = await p.pedir((await p.fatura()).fatura);
    const respostas: Partial<Record<Operacao, Humor[]>> = {
      recepcao: [{ perder: 'depois' }],
      consulta: [{ cStat: '252' }],
    };
    humor = (operacao) => respostas[operacao]?.shift() ?? {};
    await enviar();
    relogio.avancar(5 * MINUTO);
    await enviar();
    t.like(await um(id), { situacao: 'processando', etapa: 'consultar' });
    relogio.avancar(11 * MINUTO);
    await enviar();
    t.is((await um(id)).situacao, 'autorizada');
    t.deepEqual(await tentativas(id), ['envio broken', 'consulta 252', 'consulta 100']);
    t.deepEqual(await eventos(p), ['nfcom.autorizada']);
  },
);

test.serial(
  'rejeitada diz o motivo da autoridade; reemitida, pergunta-se pela chave de antes, e o número é o mesmo',
  async (t) => {
    const p = await provedorFiscal(api, autoridade);
    const { fatura, cliente } = await p.fatura();
    const id = await p.pedir(fatura);
    primeiras('recepcao', { cStat: '427' });
    await enviar();
    const antes = await um(id);
    t.like(antes, { situacao: 'rejeitada', motivo_codigo: '427', numero: 1 });
    const outra = await p.pedir((await p.fatura()).fatura);
    await api.dono('clientes').where('id', cliente).update({ logradouro: 'Rua Nova' });
    relogio.avancar(MINUTO);
    await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.reemitir(id));
    await enviar();
    const depois = await um(id);
    t.like(depois, { situacao: 'autorizada', numero: 1, motivo: null });
    t.true(depois.xml_assinado.toString().includes('Rua Nova'));
    t.deepEqual(await tentativas(id), ['envio 427', 'consulta 217', 'envio 100']);
    const versoes = await api.dono('nfcom_versoes').where('nfcom_id', id);
    t.deepEqual([versoes.length, versoes[0].xml_assinado.equals(antes.xml_assinado)], [1, true]);
    t.is((await um(outra)).numero, 2);
    t.deepEqual(await eventos(p), ['nfcom.rejeitada', 'nfcom.autorizada', 'nfcom.autorizada']);
  },
);

test.serial(
  'montada de novo no mesmo mês, a chave é a mesma: se o que se autorizou foi o envio de antes, é ele que vale',
  async (t) => {
    const p = await provedorFiscal(api, autoridade);
    const { fatura, cliente } = await p.fatura();
    const id = await p.pedir(fatura);
    // Authorised late: until then the authority says that it does not have it, and refuses the same bytes.
    const respostas: Partial<Record<Operacao, Humor[]>> = {
      recepcao: [{ perder: 'depois' }, { cStat: '203' }],
      consulta: [{ cStat: '217' }, { cStat: '217' }],
    };
    humor = (operacao) => respostas[operacao]?.shift() ?? {};
    await enviar();
    relogio.avancar(5 * MINUTO);
    await enviar();
    const antes = await um(id);
    t.like(antes, { situacao: 'rejeitada', motivo_codigo: '203', numero: 1, valor: '99.90' });
    await api.dono('clientes').where('id', cliente).update({ logradouro: 'Rua Nova' });
    const desconto = { provedor_id: p.provedor, fatura_id: fatura, tipo: 'desconto', valor: '10.00', autor: 'teste' };
    const em = '2026-11-20 15:00:00.000';
    await api.dono('faturas_ajustes').insert({ ...desconto, dado_em: em, criado_em: em });
    await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.reemitir(id));
    await enviar();
    const depois = await um(id);
    t.like(depois, { situacao: 'autorizada', numero: 1, chave: antes.chave, digest: antes.digest, valor: '99.90' });
    t.true(depois.xml_assinado.equals(antes.xml_assinado));
    t.true(depois.xml_autorizado.toString().includes('Rua das Flores'));
    t.is(depois.protocolo, autoridade.notas.get(depois.chave)?.protocolo);
    t.deepEqual(await tentativas(id), [
      'envio broken',
      'consulta 217',
      'envio 203',
      'consulta 217',
      'envio 204',
      'consulta 100',
    ]);
    // What it was built as since is kept too.
    t.is((await api.dono('nfcom_versoes').where('nfcom_id', id)).length, 2);
  },
);

test.serial('o número que outro sistema já usou (539) passa ao seguinte', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const primeira = await p.pedir((await p.fatura()).fatura);
  await enviar();
  // As if another program had issued it.
  await api.dono('nfcom').where('id', primeira).update({ chave: null });
  await api.dono('nfcom_numeracao').where('provedor_id', p.provedor).update({ proximo: 1 });
  relogio.avancar(MINUTO);
  const id = await p.pedir((await p.fatura()).fatura);
  await enviar();
  t.like(await um(id), { situacao: 'autorizada', numero: 2 });
  t.deepEqual(await tentativas(id), ['envio 539', 'envio 100']);
});

test.serial('cada recusa antes do envio é clara, não gasta número, e as outras notas seguem', async (t) => {
  const p = await provedorFiscal(api, autoridade, { configuracao: { ambiente: 'homologacao' } });
  const casos: [string, object][] = [
    ['caractere_invalido', { cliente: { nome: 'Maria 🚀 Silva' } }],
    ['sem_municipio', { cliente: { cidade: 'Cidade Que Não Há' }, contrato: {} }],
    ['sem_documento', { cliente: { cpf_cnpj: '' } }],
    ['valor_zero', { fatura: { valor: '0.00' } }],
    ['sem_linha_digitavel', { fatura: { linha_digitavel: null } }],
  ];
  const pedidas: [string, number][] = [];
  for (const [codigo, mudar] of casos) pedidas.push([codigo, await p.pedir((await p.fatura(mudar)).fatura)]);
  const boa = await p.pedir((await p.fatura()).fatura);
  await enviar();
  for (const [codigo, id] of pedidas) {
    const nota = await um(id);
    t.like(nota, { situacao: 'rejeitada', numero: null, chave: null }, codigo);
    t.true(JSON.stringify(nota.recusas).includes(codigo), `${codigo}: ${nota.motivo}`);
    t.true(nota.motivo.length > 10);
  }
  t.like(await um(boa), { situacao: 'autorizada', numero: 1 });
});

test.serial('a prévia conta, soma e diz o que se recusaria; o lote pede só o que não tem nota', async (t) => {
  const p = await provedorFiscal(api, autoridade, { crt: 3 });
  await p.fatura();
  await p.fatura();
  await p.fatura({ cliente: { cidade: 'Nenhures' } });
  const importada = await p.fatura();
  await api.dono('importacoes').insert({ provedor_id: p.provedor, ...(await importacaoMinima()) });
  const [{ id: importacao }] = await api.dono('importacoes').where('provedor_id', p.provedor);
  await api.dono('importacao_linhas').insert({
    provedor_id: p.provedor,
    importacao_id: importacao,
    linha: 1,
    resumo: Buffer.alloc(16),
    situacao: 'gravada',
    fatura_id: importada.fatura,
    gravada_em: AGORA.replace('T', ' ').replace('Z', ''),
  });
  const previa = await p.ler(async ({ previaNfcom }) => previaNfcom.previa({}));
  t.like(previa, { notas: 2, recusadasAoTodo: 1, faturas: 3, cortada: null });
  t.deepEqual(
    previa.recusadas[0]?.motivos.map(({ codigo }) => codigo),
    ['sem_municipio', 'sem_municipio'],
  );
  t.like(previa.totais, { nota: 19_980, icms: 3596, fust: 156 });
  const feito = await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.pedirLote({}));
  t.deepEqual(feito, { notas: 3, proxima: null });
  await enviar();
  t.deepEqual(
    (await p.notas()).map(({ situacao, numero }) => `${situacao} ${numero}`),
    ['autorizada 1', 'autorizada 2', 'rejeitada null'],
  );
});

test.serial('cancelar: dentro do prazo, uma vez, e o que se perdeu é perguntado; fora dele, recusa', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const id = await p.pedir((await p.fatura()).fatura);
  await enviar();
  const cancelar = async () =>
    escrever(api.container, p.provedor, async ({ nfcom }) =>
      nfcom.cancelar(id, { justificativa: 'emitida em duplicidade' }),
    );
  relogio.definir('2026-12-06T03:30:00.000Z');
  await t.throwsAsync(cancelar(), { message: /prazo/ });
  relogio.definir('2026-12-05T20:00:00.000Z');
  await cancelar();
  primeiras('evento', { perder: 'depois' });
  await enviar();
  t.is((await um(id)).situacao, 'autorizada');
  relogio.avancar(5 * MINUTO);
  await enviar();
  t.like(await um(id), { situacao: 'cancelada', etapa: null });
  // Of when the authority registered it, and not of when it was asked.
  const QUANDO = '2026-12-05 20:00:00.000';
  t.is((await um(id)).cancelada_em, QUANDO);
  t.like(await api.dono('nfcom_eventos').where('nfcom_id', id).first(), {
    estado: 'registrado',
    registrado_em: QUANDO,
  });
  t.deepEqual(await eventos(p), ['nfcom.autorizada', 'nfcom.cancelada']);
});

test.serial(
  'não se cancela uma nota que tem ajuste ou substituta; cancelada, um ajuste rejeitado não impede outra',
  async (t) => {
    const p = await provedorFiscal(api, autoridade);
    const { fatura } = await p.fatura();
    const id = await p.pedir(fatura);
    await enviar();
    const pedir = async (fazer: (e: Escritas) => Promise<unknown>) => escrever(api.container, p.provedor, fazer);
    const cancelar = async () =>
      pedir(async ({ nfcom }) => nfcom.cancelar(id, { justificativa: 'emitida em duplicidade' }));
    const substituta = await escrever(api.container, p.provedor, async ({ nfcom }) =>
      nfcom.substituir(id, { motivo: '02' }),
    );
    await t.throwsAsync(cancelar(), { message: /a nota tem uma substituta/ });
    await pedir(async ({ nfcom }) => nfcom.descartar(substituta));
    const ajuste = await escrever(api.container, p.provedor, async ({ nfcom }) =>
      nfcom.ajustar(id, { itens: [{ item: 1, valor: '10.00' }], motivo: 'dias sem serviço' }),
    );
    await t.throwsAsync(cancelar(), { message: /a nota tem um ajuste/ });
    primeiras('recepcao', { cStat: '427' });
    await enviar();
    t.is((await um(ajuste)).situacao, 'rejeitada');
    await cancelar();
    await enviar();
    t.is((await um(id)).situacao, 'cancelada');
    t.true((await p.pedir(fatura)) > ajuste);
  },
);

test.serial('o cancelamento pedido de uma nota que se substitui antes é recusado, e não fica esperando', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const id = await p.pedir((await p.fatura()).fatura);
  await enviar();
  await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.substituir(id, { motivo: '02' }));
  // As a process of the version before asks for it, beside the substitute.
  await api.dono('nfcom_eventos').insert({
    provedor_id: p.provedor,
    nfcom_id: id,
    justificativa: 'emitida em duplicidade',
    pedido_em: '2026-11-20 15:00:00.000',
  });
  await enviar();
  t.is((await um(id)).situacao, 'substituida');
  t.like(await api.dono('nfcom_eventos').where('nfcom_id', id).first(), { estado: 'recusado', codigo: '224' });
});

test.serial('a substituta autorizada substitui a de antes; o ajuste devolve parte', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const id = await p.pedir((await p.fatura()).fatura);
  await enviar();
  const nova = await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.substituir(id, { motivo: '02' }));
  await enviar();
  t.is((await um(id)).situacao, 'substituida');
  t.like(await um(nova), { situacao: 'autorizada', finalidade: 'substituicao', numero: 2 });
  t.deepEqual(await eventos(p), ['nfcom.autorizada', 'nfcom.autorizada', 'nfcom.substituida']);
  const ajuste = await escrever(api.container, p.provedor, async ({ nfcom }) =>
    nfcom.ajustar(nova, { itens: [{ item: 1, valor: '10.00' }], motivo: 'dias sem serviço' }),
  );
  await enviar();
  t.like(await um(ajuste), { situacao: 'autorizada', finalidade: 'ajuste', valor: '10.00' });
});

test.serial('fatura cancelada antes do envio: a nota é recusada, e a seguinte leva o seu número', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const { fatura } = await p.fatura();
  const id = await p.pedir(fatura);
  primeiras('recepcao', { perder: 'antes' });
  await enviar();
  await api.dono('faturas').where('id', fatura).update({ situacao: 'cancelada' });
  relogio.avancar(5 * MINUTO);
  await enviar();
  t.like(await um(id), { situacao: 'rejeitada', motivo_codigo: 'fatura_cancelada', numero: null });
  const outra = await p.pedir((await p.fatura()).fatura);
  await enviar();
  t.like(await um(outra), { situacao: 'autorizada', numero: 1 });
  t.is((await api.dono('nfcom_numeros_livres').where('provedor_id', p.provedor)).length, 0);
});

for (const [quem, fazer] of Object.entries<(p: ProvedorFiscal, id: number) => Promise<unknown>>({
  'quem a emite de novo': async (p, id) => escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.reemitir(id)),
  'o trabalho do dia': async (p) =>
    api.container.tarefas.executar(
      TERMINAL,
      { tarefa: 'notas.pedir', provedorId: p.provedor, dia: '2026-11-20' },
      { signal: new AbortController().signal, aoAvancar: () => {} },
    ),
})) {
  test.serial(`rejeitada cuja fatura se cancela: ${quem} descobre, e o número é o da seguinte`, async (t) => {
    const p = await provedorFiscal(api, autoridade);
    const { fatura } = await p.fatura();
    const id = await p.pedir(fatura);
    // Rejected too, of an invoice that stands.
    const viva = await p.pedir((await p.fatura()).fatura);
    primeiras('recepcao', { cStat: '427' }, { cStat: '427' });
    await enviar();
    t.like(await um(id), { situacao: 'rejeitada', motivo_codigo: '427', numero: 1 });
    await api.dono('faturas').where('id', fatura).update({ situacao: 'cancelada' });
    await fazer(p, id);
    await enviar();
    t.like(await um(id), { situacao: 'rejeitada', motivo_codigo: 'fatura_cancelada', numero: null, chave: null });
    t.like(await um(viva), { situacao: 'rejeitada', motivo_codigo: '427', numero: 2 });
    t.deepEqual(await tentativas(id), ['envio 427', 'consulta 217']);
    const seguinte = await p.pedir((await p.fatura()).fatura);
    await enviar();
    t.like(await um(seguinte), { situacao: 'autorizada', numero: 1 });
    t.is((await api.dono('nfcom_numeros_livres').where('provedor_id', p.provedor)).length, 0);
  });
}

test.serial(
  'de homologação para produção: a rejeitada do ensaio não vira nota de verdade, e a fatura dela ou de um ensaio pode ter a sua',
  async (t) => {
    const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 1 } });
    const { fatura } = await p.fatura();
    const ensaio = await p.pedir(fatura);
    const { fatura: daRejeitada } = await p.fatura();
    const rejeitada = await p.pedir(daRejeitada);
    primeiras('recepcao', {}, { cStat: '427' });
    await enviar();
    t.like(await um(rejeitada), { situacao: 'rejeitada', ambiente: 'homologacao', numero: 2 });
    await t.throwsAsync(p.pedir(fatura), { message: /já tem nota/ });
    const deAntes = await escrever(api.container, p.provedor, async (e) =>
      e.nfcom.substituir(ensaio, { motivo: '02' }),
    );
    const deVerdade = await abrir(() => ({}), '1');
    t.teardown(async () => deVerdade.fechar());
    const { producao } = deVerdade.autorizador;
    await escrever(api.container, p.provedor, async (e) =>
      e.configuracaoNfcom.configurar({
        ambiente: 'producao',
        autorizador: { ...autoridade.autorizador, producao },
      }),
    );
    relogio.avancar(MINUTO);
    // Real authorities do not have the trial's note, so nothing corrects it there.
    const corrigir = {
      substituir: async () =>
        escrever(api.container, p.provedor, async (e) => e.nfcom.substituir(ensaio, { motivo: '02' })),
      ajustar: async () =>
        escrever(api.container, p.provedor, async (e) =>
          e.nfcom.ajustar(ensaio, { itens: [{ item: 1, valor: '1.00' }], motivo: 'dias sem serviço' }),
        ),
    };
    // One that was asked for in the trial is not built for the real one either.
    await enviar();
    t.like(await um(deAntes), { situacao: 'rejeitada', motivo_codigo: 'nota_de_outro_ambiente', numero: null });
    for (const fazer of Object.values(corrigir)) await t.throwsAsync(fazer(), { message: /a nota é de homologação/ });
    await t.throwsAsync(
      escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.reemitir(rejeitada)),
      { message: /a nota é de homologação, e o provedor emite em produção/ },
    );
    const primeira = await p.pedir(daRejeitada);
    await enviar();
    t.like(await um(primeira), { situacao: 'autorizada', ambiente: 'producao', numero: 1 });
    // A process of the version before would issue it anew as another real one, unless it was given up by a reason that it knows.
    const deixada = {
      situacao: 'rejeitada',
      ambiente: 'homologacao',
      numero: 2,
      motivo_codigo: 'nota_de_outro_ambiente',
    };
    t.like(await um(rejeitada), { ...deixada, recusas: null, etapa: null });
    const aValer = await p.pedir(fatura);
    await enviar();
    t.like(await um(aValer), { situacao: 'autorizada', ambiente: 'producao', numero: 2 });
    await t.throwsAsync(p.pedir(fatura), { message: /já tem nota/ });
    t.deepEqual(await api.dono('nfcom_numeros_livres').where('provedor_id', p.provedor), []);
  },
);

test.serial(
  'a rejeitada que outro sistema deixou, sem o documento, é emitida de novo e não prende as outras',
  async (t) => {
    const p = await provedorFiscal(api, autoridade);
    const { fatura, cliente } = await p.fatura();
    const [deFora = 0] = await api.dono('nfcom').insert({
      provedor_id: p.provedor,
      fatura_id: fatura,
      cliente_id: cliente,
      valor: '99.90',
      ambiente: 'homologacao',
      situacao: 'rejeitada',
      serie: 1,
      numero: 7,
      chave: '35260822570047000123620010000000021012345671',
    });
    await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.reemitir(deFora));
    const id = await p.pedir((await p.fatura()).fatura);
    await enviar();
    t.is((await um(id)).situacao, 'autorizada');
    t.like(await um(deFora), { situacao: 'autorizada', numero: 7 });
  },
);

test.serial('desistir de uma que a autoridade rejeita na consulta, e reemiti-la: é emitida', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const id = await p.pedir((await p.fatura()).fatura);
  primeiras('recepcao', { cStat: '427' });
  await enviar();
  await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.descartar(id));
  primeiras('consulta', { cStat: '226' });
  await enviar();
  t.like(await um(id), { situacao: 'rejeitada', motivo_codigo: '226', numero: 1 });
  await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.reemitir(id));
  await enviar();
  t.like(await um(id), { situacao: 'autorizada', numero: 1 });
});

test.serial(
  'de uma substituta de que se desistiu pode vir outra; os ajustes de uma nota não passam, juntos, do valor dela',
  async (t) => {
    const p = await provedorFiscal(api, autoridade);
    const id = await p.pedir((await p.fatura()).fatura);
    await enviar();
    const pedir = async () =>
      escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.substituir(id, { motivo: '02' }));
    const primeira = await pedir();
    await t.throwsAsync(pedir(), { message: /já tem nota/ });
    await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.descartar(primeira));
    t.true((await pedir()) > primeira);
    const outra = await p.pedir((await p.fatura()).fatura);
    await enviar();
    const ajustar = async (valor: string) =>
      escrever(api.container, p.provedor, async ({ nfcom }) =>
        nfcom.ajustar(outra, { itens: [{ item: 1, valor }], motivo: 'dias sem serviço' }),
      );
    await ajustar('60.00');
    await t.throwsAsync(ajustar('39.91'), { message: /passa do valor/ });
    await ajustar('39.90');
    await enviar();
  },
);

test.serial(
  'certificado trocado: do anterior nada fica guardado, e a fila que a autoridade parou por ele segue logo',
  async (t) => {
    const p = await provedorFiscal(api, autoridade);
    const id = await p.pedir((await p.fatura()).fatura);
    primeiras('recepcao', { cStat: '285' });
    await enviar();
    t.like(await fila(p), { codigo: '285' });
    await guardarPfx(api.container, p.provedor, cartorio.a1('11222333000181', 'SERRA AZUL', SENHA));
    const guardados = await api.dono('nfcom_certificados').where('provedor_id', p.provedor).orderBy('id');
    t.deepEqual(
      guardados.map(({ pfx, senha }) => pfx.length > 0 && senha.length > 0),
      [false, true],
    );
    relogio.avancar(MINUTO);
    await enviar();
    t.is((await um(id)).situacao, 'autorizada');
  },
);

test.serial('quem pede duas vezes ao mesmo tempo, em lote ou a uma, tem de cada fatura uma nota', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const faturas: number[] = [];
  for (let n = 0; n < 10; n += 1) faturas.push((await p.fatura()).fatura);
  await Promise.allSettled(
    [...api.containers, ...api.containers].flatMap((container) => [
      escrever(container, p.provedor, async ({ nfcom }) => nfcom.pedirLote({})),
      escrever(container, p.provedor, async ({ nfcom }) => nfcom.pedir(faturas[9] ?? 0)),
    ]),
  );
  t.deepEqual(
    (await p.notas()).map(({ fatura_id }) => fatura_id).toSorted((a, b) => a - b),
    faturas,
  );
});

test.serial('dois processos ao mesmo tempo: cada nota uma vez, números de 1 a 40 sem falta', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const ids: number[] = [];
  for (let n = 0; n < 40; n += 1) ids.push(await p.pedir((await p.fatura()).fatura));
  const [primeiro = api.container, segundo = api.container] = api.containers;
  await ate(async () => {
    await Promise.all([primeiro, segundo].map(async ({ envioNfcom }) => envioNfcom.entregar()));
    await Promise.all([primeiro, segundo].map(async ({ envioNfcom }) => envioNfcom.terminar()));
    return (await p.notas()).every(({ situacao }) => situacao === 'autorizada');
  }, 120_000);
  const notas = await p.notas();
  t.deepEqual(
    notas.map(({ numero }) => numero),
    ids.map((_, n) => n + 1),
  );
  for (const { chave } of notas)
    t.deepEqual(
      dasRecebidas(chave).map(({ cStat }) => cStat),
      ['100'],
    );
});

test.serial('uma autoridade que não responde não atrasa a de outro provedor', async (t) => {
  let chegou = false;
  const muda = await abrir(() => {
    chegou = true;
    return { mudo: true };
  });
  const calado = await provedorFiscal(api, muda);
  const outro = await provedorFiscal(api, autoridade);
  const presa = await calado.pedir((await calado.fatura()).fatura);
  const id = await outro.pedir((await outro.fatura()).fatura);
  await api.container.envioNfcom.entregar();
  await ate(async () => (await um(id)).situacao === 'autorizada');
  await ate(async () => Promise.resolve(chegou));
  t.is((await um(presa)).situacao, 'processando');
  await muda.fechar();
  await api.container.envioNfcom.terminar();
  t.deepEqual(await tentativas(presa), ['envio broken']);
});

test.serial(
  'certificado: senha errada, vencido ou de outra empresa são recusas claras; sem ele a fila diz por quê',
  async (t) => {
    const p = await provedorFiscal(api, autoridade);
    const a1 = cartorio.a1('11222333000181', 'SERRA AZUL', SENHA);
    await t.throwsAsync(guardarPfx(api.container, p.provedor, a1, 'errada'), { message: /senha: a senha não abre/ });
    await t.throwsAsync(guardarPfx(api.container, p.provedor, Buffer.from('nada')), {
      message: /não é um arquivo PFX/,
    });
    const vencido = cartorio.a1('11222333000181', 'SERRA AZUL', SENHA, { ate: new Date('2026-11-01') });
    await t.throwsAsync(guardarPfx(api.container, p.provedor, vencido), { message: /venceu/ });
    const alheio = cartorio.a1('33000167000101', 'OUTRA SA', SENHA);
    await t.throwsAsync(guardarPfx(api.container, p.provedor, alheio), { message: /outro CNPJ/ });
    const id = await p.pedir((await p.fatura()).fatura);
    await escrever(api.container, p.provedor, async ({ certificadoNfcom }) => certificadoNfcom.remover());
    await enviar();
    t.is((await um(id)).situacao, 'pendente');
    t.like(await fila(p), { codigo: 'sem_certificado' });
    await guardarPfx(api.container, p.provedor, a1);
    relogio.avancar(2 * MINUTO);
    await enviar();
    t.is((await um(id)).situacao, 'autorizada');
  },
);

test.serial('administradores sabem do fim do certificado 30, 15, 7 e 1 dia antes, uma vez cada', async (t) => {
  const fim = new Date('2026-12-31T12:00:00Z');
  const p = await provedorFiscal(api, autoridade, { pfx: cartorio.a1('11222333000181', 'SERRA', SENHA, { ate: fim }) });
  const { avisosDeCertificado } = api.container;
  const dias: number[] = [];
  for (let dia = 0; dia < 42; dia += 1) {
    if ((await avisosDeCertificado.provedores()).includes(p.provedor))
      await avisosDeCertificado.avisar(TERMINAL, p.provedor);
    const ditos = await api
      .dono('notificacoes')
      .where({ provedor_id: p.provedor, tipo: 'nfcom.certificado_expirando' });
    if (ditos.length > dias.length) dias.push(41 - dia);
    relogio.avancar(24 * 60 * MINUTO);
  }
  t.deepEqual(dias, [30, 15, 7, 1]);
});

test.serial('o dia pede as notas das faturas novas, de quem as quer sozinhas, e de mais nenhuma', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const antiga = await p.fatura({ fatura: { emitida_em: '2026-11-10 12:00:00.000' } });
  const nova = await p.fatura({ fatura: { emitida_em: '2026-11-20 14:00:00.000' } });
  const rodar = async (dia: string) =>
    api.container.tarefas.executar(
      TERMINAL,
      { tarefa: 'notas.pedir', provedorId: p.provedor, dia },
      { signal: new AbortController().signal, aoAvancar: () => {} },
    );
  t.like(await rodar('2026-11-20'), { desfecho: 'concluida', linhas: 0 });
  await escrever(api.container, p.provedor, async ({ configuracaoNfcom }) =>
    configuracaoNfcom.configurar({ automatica: true }),
  );
  relogio.definir('2026-11-21T15:00:00.000Z');
  t.like(await rodar('2026-11-21'), { desfecho: 'concluida', linhas: 1 });
  t.deepEqual(
    (await p.notas()).map(({ fatura_id }) => fatura_id),
    [nova.fatura],
  );
  t.not(antiga.fatura, nova.fatura);
});

test.serial('as notas de um carnê são pedidas mês a mês, também as que alguém pede pelo filtro', async (t) => {
  relogio.definir('2026-11-20T15:00:00.000Z');
  const p = await provedorFiscal(api, autoridade);
  await escrever(api.container, p.provedor, async ({ configuracaoNfcom }) =>
    configuracaoNfcom.configurar({ automatica: true }),
  );
  const meses = ['2026-11-01', '2026-12-01', '2027-01-01', '2027-02-01'];
  const faturas: number[] = [];
  for (const competencia of meses) {
    const daParcela = { tipo: 'carne', competencia, vencimento: `${competencia.slice(0, 8)}25` };
    faturas.push((await p.fatura({ fatura: { emitida_em: '2026-11-20 15:00:00.000', ...daParcela } })).fatura);
  }
  // Of other systems and of agreements; it has no month of service.
  const avulso = await p.fatura({
    fatura: { emitida_em: '2026-11-20 15:00:00.000', tipo: 'carne', vencimento: '2027-03-10' },
  });
  const rodar = async (dia: string) => {
    relogio.definir(`${dia}T15:00:00.000Z`);
    const pedido = { tarefa: 'notas.pedir', provedorId: p.provedor, dia } as const;
    await api.container.tarefas.executar(TERMINAL, pedido, {
      signal: new AbortController().signal,
      aoAvancar: () => {},
    });
    return (await p.notas()).map(({ fatura_id }) => fatura_id);
  };
  const porFiltro = { emitidasDe: lerData('2026-11-01')! };
  const pedidas = await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.pedirLote(porFiltro));
  t.is(pedidas.notas, 2);
  t.deepEqual(await rodar('2026-11-21'), [faturas[0], avulso.fatura]);
  t.deepEqual((await rodar('2026-12-01')).slice(2), [faturas[1]]);
  // Nobody ran it for the whole of January's first weeks; the month is not lost.
  t.deepEqual((await rodar('2027-01-29')).slice(3), [faturas[2]]);
  t.deepEqual((await rodar('2027-03-02')).slice(4), [faturas[3]]);
});

async function importacaoMinima(): Promise<object> {
  const [colunas] = await api.dono.raw('SHOW COLUMNS FROM importacoes');
  const exigidas = (colunas as { Field: string; Type: string; Null: string; Default: unknown; Extra: string }[]).filter(
    ({ Field, Null, Default, Extra }) =>
      Null === 'NO' && Default === null && Extra === '' && Field !== 'provedor_id' && Field !== 'id',
  );
  return Object.fromEntries(
    exigidas.map(({ Field, Type }) => [
      Field,
      Type.startsWith('enum')
        ? Type.split("'")[1]
        : Type.startsWith('datetime')
          ? '2026-11-20'
          : Type.includes('int')
            ? 1
            : Type.startsWith('binary')
              ? Buffer.alloc(16)
              : Type.includes('json') || Type === 'longtext'
                ? '{}'
                : 'x',
    ]),
  );
}
