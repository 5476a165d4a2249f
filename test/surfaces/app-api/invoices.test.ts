import test from 'ava';
import { createHash } from 'node:crypto';
import { TERMINAL } from '../../../src/domain/actor.ts';
import type { Escritas } from '../../../src/domain/dominio.ts';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import { criarApi, enviar } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { urlDoDono } from '../../support/banco.ts';
import { camposErrados, errosDe, pedirAoApp } from '../../support/app-api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { textoDoPdf } from '../../support/leitores.ts';
import { nfcomDeExemplo } from '../../support/nfcom/autorizada.ts';
import { relogioEm } from '../../support/relogio.ts';
import { CPF, criarAssinante } from '../../domain/acessos/apoio.ts';
import { sessaoDaEquipe } from './apoio.ts';

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
let fabrica: Fabrica;
/** Who writes with plain SQL, on a connection that is none of Malha's. */
let operador: Db;
let meu: Awaited<ReturnType<typeof povoar>>;
test.before(async () => {
  api = await criarApi({ relogio });
  fabrica = criarFabrica(api.dono);
  operador = createDatabase({ url: urlDoDono(api.databaseUrl), pool: 1 });
  meu = await povoar();
});
test.after.always(async () => {
  await operador.destroy();
  await api.fechar();
});
test.beforeEach(() => relogio.definir('2026-11-20T15:00:00.000Z'));

const XML =
  '<?xml version="1.0"?>\r\n<NFComProc><infNFComSupl><qrCodNFCom><![CDATA[https://qr.test/?chNFCom=3126&tpAmb=1]]></qrCodNFCom></infNFComSupl><infProt>ç</infProt></NFComProc>\n';
const CHAVE = '31261112345678000195620010000012041123456780';

/** What the worker does four times a second. */
async function publicar(): Promise<void> {
  while ((await api.container.publicacao.publicar()) > 0);
}

/** A subscriber with an old registration beside the current one, one that nobody vouches for, and invoices of all three. */
async function povoar() {
  const c = await criarAssinante(api);
  const { id: provedor } = c.provedor;
  const antigo = await fabrica.cliente(provedor, { cpf_cnpj: CPF, situacao: 'cancelado' });
  const seDisse = await fabrica.cliente(provedor, { cpf_cnpj: CPF, situacao: 'pre_cadastro' });
  const vizinho = await fabrica.cliente(provedor, { cpf_cnpj: '11144477735' });
  const plano = await fabrica.plano(provedor);
  const contrato = await fabrica.contrato(provedor, { cliente_id: c.cliente, plano_id: plano });
  const em = async (dia: string, linha: object) =>
    fabrica.fatura(provedor, { cliente_id: c.cliente, emitida_em: `2026-11-${dia} 09:00:00.000`, ...linha });
  const faturas = {
    vencida: await em('09', { contrato_id: contrato, vencimento: '2026-11-10', tipo: 'pix', pix_txid: 'M1' }),
    pendente: await em('08', { vencimento: '2026-12-10' }),
    paga: await em('07', { situacao: 'paga', valor_pago: '99.90', pago_em: '2026-11-07 10:00:00.000' }),
    processando: await em('06', { situacao: 'processando', contrato_id: contrato }),
    antiga: await em('05', { cliente_id: antigo, situacao: 'cancelada' }),
  };
  const alheias = [
    await em('10', { cliente_id: vizinho }),
    await em('10', { cliente_id: seDisse }),
    await (async () => {
      const outro = await fabrica.provedor();
      return fabrica.fatura(outro, { cliente_id: await fabrica.cliente(outro, { cpf_cnpj: CPF }) });
    })(),
  ];
  const { access } = await c.entrar();
  const pedir = pedirAoApp(api);
  const ler = async (caminho: string, token = access) =>
    pedir('GET', `/invoices${caminho}`, { headers: { authorization: `Bearer ${token}` } });
  const baixar = async (caminho: string, headers: Record<string, string> = {}) =>
    enviar({
      host: '127.0.0.1',
      port: api.porta,
      method: 'GET',
      path: `/v1/invoices${caminho}`,
      headers: { authorization: `Bearer ${access}`, ...headers },
    });
  const nota = async (linha: object) => {
    const dados = { provedor_id: provedor, cliente_id: c.cliente, ambiente: 'producao', valor: '99.90', ...linha };
    const [id = 0] = await operador('nfcom').insert(dados);
    await publicar();
    return id;
  };
  const nomes = new Map(Object.entries(faturas).map(([nome, id]) => [id, nome]));
  const listar = async (consulta = '') =>
    ((await ler(consulta)).corpo.data as { id: number }[]).map(({ id }) => nomes.get(id) ?? `de outro: ${id}`);
  return { ...c, provedor, antigo, seDisse, contrato, faturas, alheias, ler, baixar, listar, nota };
}

test.serial(
  'GET /invoices: as de todos os cadastros do CPF, menos pré-cadastros, da mais nova para a mais antiga',
  async (t) => {
    t.deepEqual(await meu.listar(), ['vencida', 'pendente', 'paga', 'processando', 'antiga']);
    const { corpo } = await meu.ler('');
    t.deepEqual(corpo.meta, { limit: 20, total: 5, next_cursor: null });
  },
);

test.serial('GET /invoices: status e contract_id se somam, e processando é daqui', async (t) => {
  t.deepEqual(await meu.listar('?status=aberta'), ['vencida', 'pendente']);
  for (const status of ['pendente', 'vencida', 'paga', 'processando']) {
    t.deepEqual(await meu.listar(`?status=${status}`), [status]);
  }
  t.deepEqual(await meu.listar('?status=cancelada'), ['antiga']);
  t.deepEqual(await meu.listar('?status=estornada'), []);
  t.deepEqual(await meu.listar(`?contract_id=${meu.contrato}`), ['vencida', 'processando']);
  t.deepEqual(await meu.listar(`?contract_id=${meu.contrato}&status=aberta`), ['vencida']);
  t.deepEqual(await meu.listar('?contract_id=999999'), []);
  const errada = await meu.ler('?status=aberto&contract_id=0&x=1&limit=101');
  t.deepEqual([errada.status, camposErrados(errada)], [400, ['contract_id', 'limit', 'status', 'x']]);
});

test.serial('GET /invoices: as partes, juntas, são a lista; o cursor é do filtro e de quem o recebeu', async (t) => {
  const vistas: number[] = [];
  let consulta = '?limit=2';
  let primeiro = '';
  for (;;) {
    const { corpo } = await meu.ler(consulta);
    t.is(corpo.meta.total, 5);
    vistas.push(...(corpo.data as { id: number }[]).map(({ id }) => id));
    if (corpo.meta.next_cursor === null) break;
    primeiro ||= corpo.meta.next_cursor as string;
    consulta = `?limit=2&cursor=${corpo.meta.next_cursor}`;
  }
  t.deepEqual(vistas, Object.values(meu.faturas));
  t.deepEqual(errosDe(await meu.ler(`?status=paga&cursor=${primeiro}`)), [['cursor_invalido', 'cursor']]);
});

/** What the public API says to whoever answers a call; the app asks `second-copy` for the amount of today. */
const SO_NA_V1: ReadonlySet<string> = new Set(['valor_a_pagar', 'multa', 'juros', 'dias_atraso', 'pago_parcialmente']);

test.serial(
  'GET /invoices/{id}: o que a API pública diz da fatura, com outros nomes e os mesmos valores',
  async (t) => {
    const { texto: chave } = await api.criarChave(meu.provedor);
    for (const id of Object.values(meu.faturas)) {
      const v1 = (await api.get(`/faturas/${id}`, { chave })).corpo.dados;
      const { status, corpo } = await meu.ler(`/${id}`);
      t.is(status, 200);
      const { second_copy: via, nfcom, ...resto } = corpo.data;
      const comuns = Object.entries(v1).filter(([nome]) => nome !== 'segunda_via' && !SO_NA_V1.has(nome));
      t.deepEqual(
        Object.values(resto),
        comuns.map(([, valor]) => valor),
      );
      t.deepEqual(
        via === null ? null : Object.values(via),
        v1.segunda_via === null ? null : Object.values(v1.segunda_via),
      );
      if (id === meu.faturas.pendente) t.is(nfcom, null);
    }
    t.regex((await meu.ler(`/${meu.faturas.vencida}`)).corpo.data.second_copy.pix_code, /^0002/);
  },
);

test.serial('GET /invoices/{id}/second-copy: como pagar e quanto hoje; se não está aberta, 422', async (t) => {
  const { vencida, pendente, paga, antiga } = meu.faturas;
  const fatura = (await meu.ler(`/${vencida}`)).corpo.data;
  t.deepEqual((await meu.ler(`/${vencida}/second-copy`)).corpo.data, {
    ...fatura.second_copy,
    amount_today: fatura.updated_amount,
    valid_on: '2026-11-20',
  });
  t.like((await meu.ler(`/${pendente}/second-copy`)).corpo.data, { amount_today: 99.9, valid_on: '2026-11-20' });
  for (const id of [paga, antiga]) {
    const recusada = await meu.ler(`/${id}/second-copy`);
    t.deepEqual([recusada.status, errosDe(recusada)[0]?.[0]], [422, 'fatura_nao_aberta']);
  }
  // The provider's day, and not that of UTC.
  relogio.definir('2026-11-22T02:00:00.000Z');
  const amanha = (await meu.ler(`/${vencida}/second-copy`, (await meu.entrar()).access)).corpo.data;
  t.is(amanha.valid_on, '2026-11-21');
  t.true(amanha.amount_today > fatura.updated_amount);
});

test.serial(
  'GET /invoices/{id}: a de outro assinante, a de um pré-cadastro e a de outro provedor são 404',
  async (t) => {
    for (const id of meu.alheias) {
      for (const abaixo of ['', '/second-copy', '/nfcom', '/nfcom/download?format=xml']) {
        const { status, corpo } = await meu.ler(`/${id}${abaixo}`);
        t.deepEqual([status, corpo.errors[0].code], [404, 'nao_encontrado'], `${id}${abaixo}`);
      }
    }
  },
);

test.serial('GET /invoices/{id}/nfcom: a que vale da fatura, que a fatura também diz; sem nota, 404', async (t) => {
  const id = meu.faturas.paga;
  const semNota = await meu.ler(`/${meu.faturas.pendente}/nfcom`);
  t.deepEqual([semNota.status, errosDe(semNota)[0]?.[0]], [404, 'nfcom_inexistente']);
  await meu.nota({ fatura_id: id, situacao: 'rejeitada', motivo_codigo: '213', motivo: 'CNPJ inválido' });
  const rejeitada = (await meu.ler(`/${id}/nfcom`)).corpo.data;
  t.like(rejeitada, { status: 'rejeitada', rejection: { code: '213', reason: 'CNPJ inválido' }, formats: [] });
  t.like(rejeitada, { number: null, access_key: null, qr_code: null });
  const nfcom = await meu.nota({
    fatura_id: id,
    situacao: 'autorizada',
    serie: 1,
    numero: 1204,
    chave: CHAVE,
    protocolo: '3312600000012345',
    emitida_em: '2026-11-07 10:01:00.000',
    autorizada_em: '2026-11-07 10:01:02.000',
    xml_assinado: '<NFCom/>',
    xml_autorizado: XML,
  });
  t.deepEqual((await meu.ler(`/${id}/nfcom`)).corpo.data, {
    id: nfcom,
    invoice_id: id,
    model: '62',
    number: 1204,
    series: 1,
    access_key: CHAVE,
    status: 'autorizada',
    environment: 'producao',
    protocol: '3312600000012345',
    amount: 99.9,
    issued_at: '2026-11-07T10:01:00.000Z',
    authorized_at: '2026-11-07T10:01:02.000Z',
    canceled_at: null,
    rejection: null,
    qr_code: 'https://qr.test/?chNFCom=3126&tpAmb=1',
    formats: ['xml'],
  });
  t.deepEqual((await meu.ler(`/${id}`)).corpo.data.nfcom, { id: nfcom, status: 'autorizada' });
  const lista = (await meu.ler('?status=paga')).corpo.data;
  t.deepEqual(lista[0].nfcom, { id: nfcom, status: 'autorizada' });
  // What was only tried, what adjusts it and a substitute that was rejected do not hide it.
  await meu.nota({ fatura_id: id, situacao: 'autorizada', finalidade: 'ajuste', substitui_id: nfcom });
  await meu.nota({ fatura_id: id, situacao: 'autorizada', ambiente: 'homologacao' });
  await meu.nota({ fatura_id: id, situacao: 'rejeitada', finalidade: 'substituicao', substitui_id: nfcom });
  t.is((await meu.ler(`/${id}/nfcom`)).corpo.data.id, nfcom);
  t.is((await meu.ler(`/${id}/nfcom/download?format=xml`)).status, 200);
  t.deepEqual((await meu.ler(`/${id}`)).corpo.data.nfcom, { id: nfcom, status: 'autorizada' });
  t.deepEqual((await meu.ler('?status=paga')).corpo.data[0].nfcom, { id: nfcom, status: 'autorizada' });
});

test.serial(
  'GET /invoices/{id}/nfcom/download: o XML autorizado, byte a byte; o que não há é um erro que o diz',
  async (t) => {
    const id = await fabrica.fatura(meu.provedor, { cliente_id: meu.antigo, situacao: 'paga' });
    const nota = await meu.nota({
      fatura_id: id,
      situacao: 'processando',
      chave: CHAVE.replace(/.$/, '1'),
      xml_assinado: 'x',
    });
    const baixar = async (format = '?format=xml') => meu.ler(`/${id}/nfcom/download${format}`);
    const codigo = async (format?: string) => {
      const recusada = await baixar(format);
      return [recusada.status, errosDe(recusada)[0]];
    };
    t.deepEqual(await codigo(''), [400, ['parametro_invalido', 'format']]);
    t.deepEqual(await codigo('?format=PDF'), [400, ['parametro_invalido', 'format']]);
    t.deepEqual(await codigo(), [422, ['nfcom_nao_autorizada', null]]);
    t.deepEqual(await codigo('?format=pdf'), [422, ['nfcom_nao_autorizada', null]]);
    const mudar = async (colunas: object) => operador('nfcom').where('id', nota).update(colunas);
    await mudar({ situacao: 'rejeitada' });
    t.deepEqual(await codigo(), [422, ['nfcom_nao_autorizada', null]]);
    await mudar({ situacao: 'autorizada' });
    t.deepEqual(await codigo(), [422, ['formato_indisponivel', null]]);
    for (const situacao of ['autorizada', 'cancelada', 'substituida']) {
      await mudar({ situacao, xml_autorizado: XML });
      const { status, texto, headers } = await baixar();
      t.deepEqual([status, texto], [200, XML], situacao);
      const etag = `"${createHash('sha256').update(XML).digest('hex')}"`;
      t.like(headers, {
        'content-type': 'application/xml',
        'content-disposition': `attachment; filename="nfcom-${CHAVE.replace(/.$/, '1')}.xml"`,
        etag,
        'content-length': String(Buffer.byteLength(XML)),
      });
      // What another system left is no NFCom, of which a PDF could be drawn.
      t.deepEqual(await codigo('?format=pdf'), [422, ['formato_indisponivel', null]]);
    }
    const autorizado = nfcomDeExemplo({ ambiente: 1 });
    for (const [situacao, marca] of [
      ['autorizada', /DANFE-COM/],
      ['cancelada', /NFCom CANCELADA/],
      ['substituida', /NFCom SUBSTITUÍDA/],
    ] as const) {
      await mudar({ situacao, xml_autorizado: autorizado });
      t.deepEqual((await meu.ler(`/${id}/nfcom`)).corpo.data.formats, ['pdf', 'xml']);
      const { status, bytes, headers } = await meu.baixar(`/${id}/nfcom/download?format=pdf`);
      t.is(status, 200);
      t.like(headers, {
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="nfcom-${CHAVE.replace(/.$/, '1')}.pdf"`,
        etag: `"${createHash('sha256').update(bytes).digest('hex')}"`,
      });
      t.regex(await textoDoPdf(bytes), marca);
      t.is((await meu.baixar(`/${id}/nfcom/download?format=pdf`, { 'if-none-match': headers.etag! })).status, 304);
    }
  },
);

test.serial('as rotas da nota servem à equipe com faturas.ver, e as outras só ao assinante', async (t) => {
  const id = meu.faturas.processando;
  await meu.nota({ fatura_id: id, situacao: 'pendente' });
  const financeiro = await sessaoDaEquipe(api, meu.provedor, 'financeiro');
  const tecnico = await sessaoDaEquipe(api, meu.provedor, 'tecnico');
  t.is((await meu.ler(`/${id}/nfcom`, financeiro.access)).corpo.data.status, 'pendente');
  t.is(
    (await meu.ler(`/${id}/nfcom/download?format=xml`, financeiro.access)).corpo.errors[0].code,
    'nfcom_nao_autorizada',
  );
  t.is((await meu.ler(`/${meu.alheias[0]}/nfcom`, financeiro.access)).corpo.errors[0].code, 'nfcom_inexistente');
  t.is((await meu.ler(`/${meu.alheias[2]}/nfcom`, financeiro.access)).corpo.errors[0].code, 'nao_encontrado');
  t.is((await meu.ler(`/${id}/nfcom`, tecnico.access)).status, 403);
  t.is((await meu.ler(`/${id}`, financeiro.access)).status, 403);
});

test.serial(
  'o que se guarda de uma lista não sobrevive a uma escrita, nem a um cadastro que passa a ser alcançado',
  async (t) => {
    const c = await povoar();
    const provedor = await api.container.provedores.exigirPorId(c.provedor);
    const mudar = async (fazer: (escritas: Escritas) => Promise<unknown>) =>
      api.container.changeTenant(TERMINAL, provedor, async (_dominio, escritas) => fazer(escritas));
    t.is((await c.ler('')).corpo.data[1].status, 'pendente');
    await mudar(async ({ faturas }) => faturas.cancelar(c.faturas.pendente, { motivo_codigo: 'outro', motivo: 'x' }));
    t.is((await c.ler('')).corpo.data[1].status, 'cancelada');
    await mudar(async ({ clientes }) => clientes.cancelar(c.cliente));
    t.is((await c.ler('')).corpo.meta.total, 5);
    await mudar(async ({ clientes }) => clientes.alterar(c.seDisse, { situacao: 'observacao' }, { confirmado: true }));
    t.is((await c.ler('')).corpo.meta.total, 6);
  },
);
