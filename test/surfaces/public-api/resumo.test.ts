import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import type { Permissao } from '../../../src/domain/chaves/chaves.types.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { atender } from '../../support/bot.ts';
import type { Ligacao } from '../../support/bot.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

// A Friday, noon in São Paulo. Invoices of 99.90 with 2 % and 1 % a month.
const AGORA = '2026-11-20T15:00:00.000Z';
const relogio = relogioEm(AGORA);
const NAS = '10.9.0.1';
const HABILITADO = { desbloqueio_habilitado: 1, desbloqueio_dias: 3 };
const BLOQUEADO = { situacao: 'bloqueado', bloqueio_origem: 'financeiro', bloqueado_em: '2026-11-15 03:00:00.000' };
const ONLINE = { ouvida_em: '2026-11-20 14:58:00.000', intervalo_segundos: 300, nas: NAS };
const OFFLINE = { ouvida_em: null, intervalo_segundos: 300, nas: NAS };

let api: Api;
let fabrica: Fabrica;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
  fabrica = criarFabrica(api.dono);
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

type Linha = Record<string, unknown>;
let serie = 0;

/** A provider with one client, one contract and one phone, as a call needs them. */
async function casa({ regras = {}, contrato = {}, cliente = {}, conexao = ONLINE }: Record<string, Linha> = {}) {
  const provedor = await fabrica.provedor({}, { ...HABILITADO, ...regras });
  const plano = await fabrica.plano(provedor);
  const clienteId = await fabrica.cliente(provedor, cliente);
  await fabrica.telefone(provedor, { cliente_id: clienteId, numero: '35999990001' });
  const login = `resumo-${(serie += 1)}`;
  const contratoId = await fabrica.contrato(provedor, { cliente_id: clienteId, plano_id: plano, login, ...contrato });
  await fabrica.conexao(provedor, { contrato_id: contratoId, ...conexao });
  const { texto: chave } = await api.criarChave(provedor);
  return {
    provedor,
    plano,
    cliente: clienteId,
    contrato: contratoId,
    login,
    chave,
    fatura: async (linha: Linha = {}) =>
      fabrica.fatura(provedor, {
        cliente_id: clienteId,
        contrato_id: contratoId,
        pix_txid: `R${(serie += 1)}`,
        ...linha,
      }),
  };
}
type Casa = Awaited<ReturnType<typeof casa>>;

const resumir = async ({ chave }: Pick<Casa, 'chave'>, consulta: string, processo = 0): Promise<any> =>
  (await api.get(`/resumo?${consulta}`, { chave, processo })).corpo.dados;

const ligar = async ({ chave }: Pick<Casa, 'chave'>, ligacao: Ligacao) =>
  atender(async (metodo, caminho, corpo) => {
    const headers = corpo === undefined ? {} : { 'content-type': 'application/json' };
    return api.pedir(metodo, caminho, {
      chave,
      headers,
      ...(corpo === undefined ? {} : { corpo: JSON.stringify(corpo) }),
    });
  }, ligacao);

const DO_TELEFONE = { telefone: '35999990001' };

// The bot's calls

const CHAMADAS: readonly [string, () => Promise<Casa>, Ligacao, RegExp, pedidos: number][] = [
  [
    'bloqueado por fatura, que pode ser liberado em confiança',
    async () => {
      const c = await casa({ contrato: BLOQUEADO });
      await c.fatura();
      return c;
    },
    DO_TELEFONE,
    /^Pedi a liberação, Maria, até 24\/11\/2026\. Protocolo 20261120000001\.$/,
    2,
  ],
  [
    'com fatura vencida',
    async () => {
      const c = await casa();
      await c.fatura();
      return c;
    },
    DO_TELEFONE,
    /^Maria, você deve R\$ 102,23 da fatura que venceu em 10\/11\/2026, de R\$ 102,23 em atraso\. PIX: 0002/,
    1,
  ],
  [
    'com fatura paga em parte',
    async () => {
      const c = await casa();
      await c.fatura({ valor_pago: '50.00' });
      return c;
    },
    DO_TELEFONE,
    /^Maria, falta pagar R\$ 51,07 .*540551\.07/,
    1,
  ],
  [
    'offline sozinho',
    async () => casa({ conexao: OFFLINE }),
    { ...DO_TELEFONE, queixa: 'sem_internet' },
    /^Maria, sua conexão caiu\. Abri o chamado de protocolo 20261120000001\.$/,
    2,
  ],
  [
    'offline com o servidor inteiro',
    async () => {
      const c = await casa({ conexao: OFFLINE });
      await abrirAviso(c);
      return c;
    },
    { ...DO_TELEFONE, queixa: 'sem_internet' },
    /^Maria, um rompimento de fibra/,
    1,
  ],
  [
    'com a conexão lenta',
    async () => {
      const c = await casa();
      await fabrica.nas(c.provedor, NAS);
      await fabrica.sessao({ username: c.login, nasipaddress: NAS, acctstarttime: '2026-11-20 14:00:00' });
      return c;
    },
    { ...DO_TELEFONE, queixa: 'lenta' },
    /^Maria, reiniciei sua conexão\. Protocolo 20261120000001\.$/,
    2,
  ],
  [
    'cancelado',
    async () => casa({ contrato: { situacao: 'cancelado' }, conexao: OFFLINE }),
    DO_TELEFONE,
    /^Maria, não há pendência/,
    1,
  ],
  ['de um telefone que ninguém tem', async () => casa(), { telefone: '3533330000' }, /^Não encontrei este telefone/, 1],
  [
    'de um telefone de duas pessoas',
    async () => {
      const c = await casa();
      const outra = await fabrica.cliente(c.provedor, { nome: 'Ana Lima', cpf_cnpj: '11144477735' });
      await fabrica.telefone(c.provedor, { cliente_id: outra, numero: '35999990001' });
      return c;
    },
    { ...DO_TELEFONE, seuCpf: '111.444.777-35' },
    /^Ana, não há pendência/,
    2,
  ],
  [
    'de uma empresa',
    async () => {
      const c = await casa({ cliente: { nome: 'Padaria Dois Irmãos Ltda', tipo: 'pj', cpf_cnpj: '11222333000181' } });
      await c.fatura();
      return c;
    },
    { cpf_cnpj: '11.222.333/0001-81' },
    /^Padaria Dois Irmãos Ltda, você deve R\$ 102,23/,
    1,
  ],
  [
    'com a chave de outro provedor',
    async () => ({ ...(await casa()), chave: (await casa({ cliente: { cpf_cnpj: '11144477735' } })).chave }),
    { cpf_cnpj: '52998224725' },
    /^Não encontrei/,
    1,
  ],
  [
    'com uma chave sem permissão',
    async () => {
      const c = await casa();
      const { texto } = await api.criarChave(c.provedor, { permissoes: ['financeiro:leitura'] });
      return { ...c, chave: texto };
    },
    DO_TELEFONE,
    /^No momento não consigo consultar/,
    1,
  ],
];

async function abrirAviso({ provedor }: Pick<Casa, 'provedor'>, linha: Linha = {}): Promise<number> {
  const instante = '2026-11-20 14:00:00.000';
  const [id = 0] = await api.dono('avisos_de_rede').insert({
    provedor_id: provedor,
    tipo: 'interrupcao',
    titulo: 'Sem conexão',
    texto: 'um rompimento de fibra deixou parte da cidade sem conexão. Volta até as 16h.',
    inicio: instante,
    criado_em: instante,
    atualizado_em: instante,
    ...linha,
  });
  await api.dono('avisos_de_rede_alvos').insert({ provedor_id: provedor, aviso_id: id, tipo: 'nas', texto: NAS });
  return id;
}

for (const [oQue, montar, ligacao, fala, pedidos] of CHAMADAS) {
  test.serial(`um robô atende a quem liga ${oQue}, com /resumo e no máximo mais um pedido`, async (t) => {
    const chamada = await ligar(await montar(), ligacao);
    t.regex(chamada.fala, fala);
    t.is(chamada.pedidos.length, pedidos, JSON.stringify(chamada.pedidos));
    t.true(pedidos <= 2);
  });
}

test.serial('quem liga de novo, ainda offline, ouve o protocolo do chamado que já se abriu', async (t) => {
  const c = await casa({ conexao: OFFLINE });
  const [primeira, segunda] = [await ligar(c, DO_TELEFONE), await ligar(c, DO_TELEFONE)];
  t.regex(primeira.fala, /Abri o chamado de protocolo 20261120000001\.$/);
  t.regex(segunda.fala, /seu chamado de protocolo 20261120000001 já está aberto\.$/);
  t.is(segunda.pedidos.length, 1);
});

test.serial('o que só informa, ainda que mais novo, não vem antes do aviso que explica a linha', async (t) => {
  const c = await casa({ conexao: OFFLINE });
  await abrirAviso(c);
  await abrirAviso(c, { tipo: 'informativo', texto: 'há planos novos.', inicio: '2026-11-20 14:30:00.000' });
  const { fala, pedidos } = await ligar(c, DO_TELEFONE);
  t.regex(fala, /^Maria, um rompimento de fibra/);
  t.is(pedidos.length, 1);
  const [resumo] = await resumir(c, 'telefone=35999990001');
  t.deepEqual(
    resumo.contratos[0].avisos.map(({ tipo }: { tipo: string }) => tipo),
    ['interrupcao', 'informativo'],
  );
});

// Each row

test.serial('GET /resumo: exatamente um de cpf_cnpj, telefone, contrato_id e protocolo; senão 400', async (t) => {
  const c = await casa();
  for (const consulta of [
    '',
    '?telefone=35999990001&cpf_cnpj=52998224725',
    '?contrato_id=1&protocolo=20261120000001',
  ]) {
    const { status, corpo } = await api.get(`/resumo${consulta}`, { chave: c.chave });
    t.is(status, 400, consulta);
    t.is(corpo.erro.codigo, 'parametro_invalido');
  }
  for (const [consulta, codigo] of [
    ['cpf_cnpj=123', 'cpf_cnpj_invalido'],
    ['telefone=12', 'telefone_invalido'],
    ['contrato_id=x', 'parametro_invalido'],
    ['protocolo=2026', 'parametro_invalido'],
  ]) {
    t.is((await api.get(`/resumo?${consulta}`, { chave: c.chave })).corpo.erro.codigo, codigo);
  }
});

test.serial(
  'GET /resumo traz cliente, contratos com linha, desbloqueio e avisos, faturas, somas e chamados',
  async (t) => {
    const c = await casa();
    const vencida = await c.fatura();
    const aVencer = await c.fatura({ vencimento: '2026-12-10' });
    await c.fatura({ situacao: 'paga', valor_pago: '99.90' });
    const chamado = await fabrica.chamado(c.provedor, { cliente_id: c.cliente, contrato_id: c.contrato });
    await fabrica.chamado(c.provedor, { cliente_id: c.cliente, situacao: 'solucionado' });
    const aviso = await abrirAviso(c, { tipo: 'informativo' });
    for (const consulta of ['cpf_cnpj=529.982.247-25', 'telefone=(35)99999-0001', `contrato_id=${c.contrato}`]) {
      const [um, ...resto] = await resumir(c, consulta);
      t.is(resto.length, 0);
      t.deepEqual(um.cliente, {
        id: c.cliente,
        nome: 'Maria da Silva',
        tipo: 'pf',
        cpf_cnpj: '52998224725',
        situacao: 'ativo',
        telefones: ['35999990001'],
      });
      const [contrato] = um.contratos;
      t.like(contrato, { id: c.contrato, situacao: 'ativo', conexao: 'online', promessa: null });
      t.like(contrato.conexao_detalhe, { conexao: 'online', quedas_7_dias: 0 });
      t.like(contrato.desbloqueio, { disponivel: false, motivo: 'contrato_nao_bloqueado', rede: null });
      t.is(contrato.avisos[0].id, aviso);
      t.deepEqual(
        um.faturas_abertas.map(({ id }: { id: number }) => id),
        [vencida, aVencer],
      );
      t.deepEqual([um.total_vencido, um.total_aberto], [102.23, 202.13]);
      t.deepEqual(
        um.chamados_em_aberto.map(({ id }: { id: number }) => id),
        [chamado],
      );
      // A notice that only informs explains no line.
      t.is(um.sugestao, 'fatura_vencida');
      const { dados } = (await api.get(`/faturas/${vencida}`, { chave: c.chave })).corpo;
      t.deepEqual(um.faturas_abertas[0], dados);
    }
    for (const consulta of [
      'cpf_cnpj=11144477735',
      'telefone=3533330000',
      'contrato_id=999999999',
      'protocolo=20200101000001',
    ]) {
      t.deepEqual(await resumir(c, consulta), [], consulta);
    }
  },
);

test.serial('GET /resumo por protocolo acha quem foi atendido, também no processo que não sabia dele', async (t) => {
  const c = await casa();
  const protocolo = '20261120000001';
  t.deepEqual(await resumir(c, `protocolo=${protocolo}`, 1), []);
  const headers = { 'content-type': 'application/json' };
  const corpo = JSON.stringify({ contrato_id: c.contrato, canal: 'ura', assunto: 'Dúvida' });
  const feito = await api.pedir('POST', '/atendimentos', { chave: c.chave, headers, corpo });
  t.is(feito.corpo.dados.protocolo, protocolo);
  const [um] = await resumir(c, `protocolo=${protocolo}`, 1);
  t.is(um.cliente.id, c.cliente);
});

test.serial('GET /resumo: vários cadastros do mesmo CPF vêm do mais novo ao mais antigo, até 20', async (t) => {
  const c = await casa();
  const ids = [c.cliente];
  for (let n = 0; n < 21; n += 1) ids.push(await fabrica.cliente(c.provedor, { situacao: 'cancelado' }));
  const todos = await resumir(c, 'cpf_cnpj=52998224725');
  t.deepEqual(
    todos.map(({ cliente }: any) => cliente.id),
    ids.toReversed().slice(0, 20),
  );
});

test.serial('GET /resumo: 24 faturas, e as somas de todas', async (t) => {
  const c = await casa();
  for (let n = 0; n < 30; n += 1)
    await c.fatura({ vencimento: `2027-01-${String(1 + (n % 28)).padStart(2, '0')}`, valor: '10.00' });
  const [um] = await resumir(c, `contrato_id=${c.contrato}`);
  t.is(um.faturas_abertas.length, 24);
  t.deepEqual([um.total_aberto, um.total_vencido], [300, 0]);
});

test.serial('GET /resumo: até 100 contratos, o pedido entre eles e os cancelados por último', async (t) => {
  const c = await casa();
  const linhas = Array.from({ length: 102 }, (_, n) => ({
    provedor_id: c.provedor,
    cliente_id: c.cliente,
    plano_id: c.plano,
    situacao: n >= 100 ? 'cancelado' : 'ativo',
    login: `muitos-${n}`,
    tipo_cobranca: 'pos_pago',
    dia_vencimento: 10,
    valor: '99.90',
  }));
  await api.dono('contratos').insert(linhas);
  const todos: number[] = await api.dono('contratos').where('cliente_id', c.cliente).orderBy('id').pluck('id');
  const headers = { 'content-type': 'application/json' };
  const corpo = JSON.stringify({ contrato_id: c.contrato, canal: 'ura', assunto: 'Dúvida' });
  const { protocolo } = (await api.pedir('POST', '/atendimentos', { chave: c.chave, headers, corpo })).corpo.dados;
  for (const [consulta, ditos] of [
    ['cpf_cnpj=52998224725', todos.slice(1, 101)],
    [`contrato_id=${c.contrato}`, [c.contrato, ...todos.slice(2, 101)]],
    [`contrato_id=${todos[101]!}`, [...todos.slice(2, 101), todos[101]!]],
    [`protocolo=${protocolo}`, [c.contrato, ...todos.slice(2, 101)]],
  ] as const) {
    const [um] = await resumir(c, consulta);
    t.deepEqual(
      um.contratos.map(({ id }: { id: number }) => id),
      ditos,
      consulta,
    );
  }
});

test.serial(
  'GET /resumo: além de 100 contratos, o que está offline é dito e conta, embora seja o mais antigo',
  async (t) => {
    const c = await casa({ conexao: OFFLINE });
    const dele = { cliente_id: c.cliente, plano_id: c.plano };
    for (let n = 0; n < 101; n += 1) await fabrica.contrato(c.provedor, { ...dele, login: `entre-muitos-${n}` });
    const [um] = await resumir(c, 'cpf_cnpj=52998224725');
    t.is(um.contratos.length, 100);
    t.is(um.contratos[0].id, c.contrato);
    t.is(um.sugestao, 'offline');
  },
);

test.serial('GET /resumo pelo protocolo de um chamado antigo o traz, embora haja 100 mais novos', async (t) => {
  const c = await casa();
  const headers = { 'content-type': 'application/json' };
  const corpo = JSON.stringify({ cliente_id: c.cliente, assunto: 'Sem conexão', descricao: 'Caiu.' });
  const aberto = (await api.pedir('POST', '/chamados', { chave: c.chave, headers, corpo })).corpo.dados;
  await api.dono('chamados').where('id', aberto.id).update({ aberto_em: '2026-11-01 12:00:00.000' });
  const maisNovo = { cliente_id: c.cliente, aberto_em: '2026-11-10 12:00:00.000' };
  for (let n = 0; n < 100; n += 1) await fabrica.chamado(c.provedor, maisNovo);
  const deles = async (consulta: string) =>
    (await resumir(c, consulta))[0].chamados_em_aberto.map(({ id }: { id: number }) => id) as number[];
  t.false((await deles('cpf_cnpj=52998224725')).includes(aberto.id));
  const pedidos = await deles(`protocolo=${aberto.protocolo}`);
  t.deepEqual([pedidos.length, pedidos.at(-1)], [100, aberto.id]);
});

test.serial('GET /resumo: de cada cadastro os 100 chamados em aberto mais novos', async (t) => {
  const c = await casa();
  const outro = await fabrica.cliente(c.provedor, { situacao: 'cancelado' });
  const antigo = await fabrica.chamado(c.provedor, { cliente_id: outro, aberto_em: '2026-11-01 12:00:00.000' });
  const seus: number[] = [];
  for (let n = 0; n < 101; n += 1) {
    const aberto_em = `2026-11-${n === 50 ? '02' : '10'} 12:00:00.000`;
    seus.push(await fabrica.chamado(c.provedor, { cliente_id: c.cliente, aberto_em }));
  }
  const ids = (await resumir(c, 'cpf_cnpj=52998224725')).map(({ chamados_em_aberto: deles }: any) =>
    deles.map(({ id }: { id: number }) => id),
  );
  t.deepEqual(ids, [[antigo], seus.filter((_, n) => n !== 50).toReversed()]);
});

const SUGESTOES: readonly [string, Record<string, Linha>, { fatura?: Linha; chamado?: true; aviso?: Linha }][] = [
  [
    'aviso_de_rede',
    { contrato: { situacao: 'bloqueado', bloqueio_origem: 'manual' } },
    { fatura: {}, chamado: true, aviso: {} },
  ],
  [
    'bloqueado_manual',
    { contrato: { situacao: 'bloqueado', bloqueio_origem: 'manual' } },
    { fatura: {}, chamado: true },
  ],
  ['desbloqueio_disponivel', { contrato: BLOQUEADO }, { fatura: {}, chamado: true }],
  [
    'bloqueado_por_fatura',
    { contrato: BLOQUEADO, regras: { desbloqueio_habilitado: 0 } },
    { fatura: {}, chamado: true },
  ],
  ['offline', { conexao: OFFLINE }, { fatura: {}, chamado: true }],
  ['fatura_vencida', {}, { fatura: {}, chamado: true }],
  ['chamado_em_andamento', {}, { fatura: { vencimento: '2026-11-20' }, chamado: true }],
  ['sem_pendencia', {}, { fatura: { vencimento: '2026-11-20' } }],
];

for (const [n, [sugestao, partes, { fatura, chamado, aviso }]] of SUGESTOES.entries()) {
  test.serial(
    `sugestao é ${sugestao}, antes de tudo o que vem depois na ordem; o que a chave não lê não conta`,
    async (t) => {
      const c = await casa(partes);
      if (fatura !== undefined) await c.fatura(fatura);
      if (chamado === true) await fabrica.chamado(c.provedor, { cliente_id: c.cliente });
      if (aviso !== undefined) await abrirAviso(c, aviso);
      const [um] = await resumir(c, `contrato_id=${c.contrato}`);
      t.is(um.sugestao, sugestao);
      const { texto } = await api.criarChave(c.provedor, { permissoes: ['clientes:leitura'] });
      const [pouco] = await resumir({ chave: texto }, `contrato_id=${c.contrato}`);
      t.is(pouco.sugestao, n < 5 ? sugestao : 'sem_pendencia');
      t.deepEqual(
        [pouco.faturas_abertas, pouco.total_vencido, pouco.total_aberto, pouco.chamados_em_aberto],
        [null, null, null, null],
      );
    },
  );
}

test.serial('ninguém lê o que se guardou para os direitos de outra chave, em qualquer ordem', async (t) => {
  const conjuntos: readonly (readonly Permissao[])[] = [
    ['clientes:leitura', 'financeiro:leitura', 'chamados:leitura'],
    ['clientes:leitura', 'financeiro:leitura'],
    ['clientes:leitura', 'chamados:leitura'],
    ['clientes:leitura'],
  ];
  for (const ordem of [conjuntos, conjuntos.toReversed()]) {
    const c = await casa();
    await c.fatura();
    for (const permissoes of ordem) {
      const { texto } = await api.criarChave(c.provedor, { permissoes });
      for (let vez = 0; vez < 2; vez += 1) {
        const [um] = await resumir({ chave: texto }, `contrato_id=${c.contrato}`);
        t.is(um.faturas_abertas !== null, permissoes.includes('financeiro:leitura'));
        t.is(um.total_aberto !== null, permissoes.includes('financeiro:leitura'));
        t.is(um.chamados_em_aberto !== null, permissoes.includes('chamados:leitura'));
      }
    }
  }
});

test.serial(
  'uma resposta guardada não pergunta nada ao banco, e toda mudança que ela diz a refaz em todo processo',
  async (t) => {
    const c = await casa();
    const id = await c.fatura({ vencimento: '2026-11-25' });
    const consulta = `contrato_id=${c.contrato}`;
    await resumir(c, consulta);
    const comandos: string[] = [];
    const anotar = ({ sql }: { sql: string }) => void comandos.push(sql);
    api.container.db.on('query', anotar);
    t.teardown(() => api.container.db.removeListener('query', anotar));
    t.is((await resumir(c, consulta))[0].sugestao, 'sem_pendencia');
    t.deepEqual(comandos, []);
    const quem = await api.container.provedores.exigirPorId(c.provedor);
    const mudar = async (fazer: (escritas: any) => Promise<unknown>) =>
      api.containers[1]!.changeTenant(TERMINAL, quem, async (_d, escritas) => fazer(escritas));
    await mudar(async ({ chamados }) =>
      chamados.abrir({
        clienteId: c.cliente,
        contratoId: null,
        assunto: 'Caiu',
        descricao: 'Caiu.',
        prioridade: 'alta',
        categoria: null,
      }),
    );
    t.is((await resumir(c, consulta))[0].sugestao, 'chamado_em_andamento');
    await mudar(async ({ promessas }) => promessas.registrar(c.contrato, '2026-11-25'));
    t.is((await resumir(c, consulta))[0].contratos[0].promessa.data, '2026-11-25');
    await mudar(async ({ baixas }) => baixas.registrar(id, { forma: 'dinheiro', valor: '10.00' }));
    t.is((await resumir(c, consulta))[0].total_aberto, 89.9);
    // Midnight after the due date touches no tag.
    relogio.definir('2026-11-26T03:00:00.000Z');
    t.is((await resumir(c, consulta))[0].faturas_abertas[0].situacao, 'vencida');
  },
);

test.serial('o número de comandos não depende de quantos são os contratos e as faturas', async (t) => {
  const contar = async (contratos: number, faturas: number): Promise<number> => {
    const c = await casa();
    for (let n = 1; n < contratos; n += 1) {
      const id = await fabrica.contrato(c.provedor, { cliente_id: c.cliente, plano_id: c.plano });
      await fabrica.conexao(c.provedor, { contrato_id: id, ...OFFLINE });
    }
    for (let n = 0; n < faturas; n += 1) await c.fatura({ valor_pago: '1.00' });
    await api.get('/status', { chave: c.chave });
    let comandos = 0;
    const anotar = () => void (comandos += 1);
    api.container.db.on('query', anotar);
    await resumir(c, `contrato_id=${c.contrato}`);
    api.container.db.removeListener('query', anotar);
    return comandos;
  };
  const um = await contar(1, 1);
  t.is(await contar(12, 40), um);
  // Who it is, with the contracts; what is said of them; invoices, and their payments; tickets.
  t.is(um, 5);
});

test.serial('o que prometeu quem tinha o contrato antes não é dito a quem o tem agora', async (t) => {
  const c = await casa();
  await c.fatura();
  const quem = await api.container.provedores.exigirPorId(c.provedor);
  await api.container.changeTenant(TERMINAL, quem, async (_d, { promessas }) =>
    promessas.registrar(c.contrato, '2026-11-25' as Data),
  );
  const outra = await fabrica.cliente(c.provedor, { nome: 'Ana Lima', cpf_cnpj: '11144477735' });
  await api.dono('contratos').where('id', c.contrato).update({ cliente_id: outra });
  const [resumo] = await resumir(c, 'cpf_cnpj=11144477735');
  t.like(resumo.contratos[0], { id: c.contrato, promessa: null });
});
