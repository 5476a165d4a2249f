import test from 'ava';
import { createAgregacao } from '../../../src/domain/conexoes/agregacao.ts';
import type { Escritas } from '../../../src/domain/dominio.ts';
import { linhasDoResumo } from '../../../src/domain/resumo/linhas.queries.ts';
import { createTenantDb } from '../../../src/platform/mysql/tenant.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

const AGORA = '2026-11-20T15:30:00.000Z';
const relogio = relogioEm(AGORA);
let api: Api;
let fabrica: Fabrica;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
  fabrica = criarFabrica(api.dono);
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

const agregar = async () => createAgregacao({ db: api.dono, relogio, intervaloPadraoSegundos: 300 }).agregarMudancas();
let serie = 0;

/** A provider of two servers of a POP, and a contract that is online at the first. */
async function cenario() {
  const n = (serie += 1);
  const [um, dois] = [`10.${n}.7.1`, `10.${n}.7.2`] as const;
  const provedor = await fabrica.provedor();
  const [pop] = await api.dono('pops').insert({ provedor_id: provedor, nome: 'Centro', cidade: 'Alfenas', uf: 'MG' });
  for (const endereco of [um, dois]) {
    await fabrica.nas(provedor, endereco);
    await api.dono('nas').insert({ nasname: endereco, shortname: `bng-${endereco}`, secret: 'segredo' });
  }
  await api.dono('provedores_nas').where('nasipaddress', dois).update({ pop_id: pop });
  const plano = await fabrica.plano(provedor);
  const cliente = await fabrica.cliente(provedor);
  const login = `avisos-${n}`;
  const onde = { cidade: 'Alfenas', bairro: 'Centro' };
  const contrato = await fabrica.contrato(provedor, { cliente_id: cliente, plano_id: plano, login, ...onde });
  const sessao = async (linha: object = {}) =>
    fabrica.sessao({
      username: login,
      nasipaddress: um,
      acctstarttime: '2026-11-20 15:10:00',
      acctupdatetime: '2026-11-20 15:28:00',
      framedipaddress: '100.64.0.9',
      framedipv6prefix: '2001:db8:1::/64',
      delegatedipv6prefix: '2001:db8:1200::/56',
      callingstationid: 'd4-6e-0e-11-22-33',
      ...linha,
    });
  const { texto: chave } = await api.criarChave(provedor);
  const mudar = async <T>(fazer: (escritas: Escritas) => Promise<T>): Promise<T> => {
    const dele = await api.container.provedores.exigirPorId(provedor);
    return api.container.changeTenant(AUTOR, dele, async (_, escritas) => fazer(escritas));
  };
  const abrir = async (alvos: object[], mais: object = {}): Promise<number> => {
    const palavras = { tipo: 'interrupcao', titulo: 'Fibra rompida', texto: 'Volta às 18 h.', ...mais };
    return (await mudar(async ({ avisosDeRede }) => avisosDeRede.abrir({ ...palavras, alvos }))).id;
  };
  const ler = async (caminho: string, processo = 0): Promise<any> => {
    const { status, corpo } = await api.get(caminho, { chave, processo });
    if (status !== 200) throw new Error(JSON.stringify(corpo));
    return corpo.dados;
  };
  const avisosDoContrato = async (processo = 0): Promise<number[]> =>
    (await ler(`/contratos/${contrato}`, processo)).avisos.map(({ id }: { id: number }) => id);
  return {
    provedor,
    pop,
    plano,
    cliente,
    contrato,
    login,
    um,
    dois,
    chave,
    sessao,
    mudar,
    abrir,
    ler,
    avisosDoContrato,
  };
}

test.serial('Conexao diz desde quando, endereços, MAC, servidor e a última queda', async (t) => {
  const c = await cenario();
  await c.sessao({
    acctstarttime: '2026-11-20 09:00:00',
    acctstoptime: '2026-11-20 15:09:00',
    acctterminatecause: 'Lost-Carrier',
  });
  await c.sessao();
  await agregar();
  t.like(await c.ler(`/contratos/${c.contrato}/conexao`), {
    conexao: 'online',
    desde: '2026-11-20T15:10:00.000Z',
    ip: '100.64.0.9',
    ipv6_prefixo: '2001:db8:1200::/56',
    mac: 'D4:6E:0E:11:22:33',
    servidor: `bng-${c.um}`,
    ultima_queda: { em: '2026-11-20T15:09:00.000Z', causa: 'lost_carrier' },
    quedas_7_dias: 1,
    quedas_30_dias: 1,
    avisos: [],
  });
  await api
    .dono('radacct')
    .where('username', c.login)
    .whereNull('acctstoptime')
    .update({ acctstoptime: '2026-11-20 15:29:00', acctterminatecause: 'User-Request' });
  await agregar();
  t.like(await c.ler(`/contratos/${c.contrato}/conexao`, 1), {
    conexao: 'offline',
    desde: '2026-11-20T15:29:00.000Z',
    ip: null,
    ipv6_prefixo: null,
    mac: 'D4:6E:0E:11:22:33',
    servidor: `bng-${c.um}`,
    ultima_queda: { em: '2026-11-20T15:09:00.000Z' },
  });
});

test.serial('o que não é MAC, e o endereço de nada, são nulos; sem prefixo delegado vale o da linha', async (t) => {
  const c = await cenario();
  const nada = { callingstationid: 'olt1 slot 3', framedipaddress: '0.0.0.0', delegatedipv6prefix: '' };
  await c.sessao(nada);
  await agregar();
  t.like(await c.ler(`/contratos/${c.contrato}/conexao`), { mac: null, ip: null, ipv6_prefixo: '2001:db8:1::/64' });
});

test.serial('as linhas de muitos contratos são um comando, e nada se diz das de outro provedor', async (t) => {
  const c = await cenario();
  const outro = await cenario();
  await c.sessao();
  await agregar();
  const dele = await api.container.provedores.exigirPorId(c.provedor);
  let comandos = 0;
  const contar = (): void => void (comandos += 1);
  const tenant = createTenantDb(api.container.db, c.provedor);
  const linhas = await api.container.changeTenant(AUTOR, dele, async ({ conexoes }) => {
    const agora = relogio.agora();
    api.container.db.on('query', contar);
    const lidas = await linhasDoResumo(tenant, [c.contrato, outro.contrato], conexoes.janela(agora));
    api.container.db.off('query', contar);
    return lidas.map((row) => [row.id, conexoes.detalhe(row, agora)] as const);
  });
  t.is(comandos, 1);
  t.deepEqual(
    linhas.map(([id]) => id),
    [c.contrato],
  );
  t.like(linhas[0]?.[1], { conexao: 'online', servidor: `bng-${c.um}` });
});

for (const [nome, alvosDe] of Object.entries<(c: Awaited<ReturnType<typeof cenario>>) => [object, object]>({
  servidor: (c) => [
    { tipo: 'nas', nas: c.um },
    { tipo: 'nas', nas: c.dois },
  ],
  plano: (c) => [
    { tipo: 'plano', id: c.plano },
    { tipo: 'pop', id: c.pop },
  ],
  cidade: () => [
    { tipo: 'cidade', cidade: 'alfenas' },
    { tipo: 'cidade', cidade: 'Serrania' },
  ],
  bairro: () => [
    { tipo: 'bairro', cidade: 'Alfenas', bairro: 'Centro' },
    { tipo: 'bairro', cidade: 'Serrania', bairro: 'Centro' },
  ],
})) {
  test.serial(
    `um aviso que cobre por ${nome} vem no Contrato, no Cliente e na Conexao; o que não cobre, não vem`,
    async (t) => {
      const c = await cenario();
      await c.sessao();
      await agregar();
      const [cobre, naoCobre] = alvosDe(c);
      const id = await c.abrir([cobre, { tipo: 'nas', nas: c.um }]);
      await c.abrir([naoCobre]);
      t.deepEqual(await c.avisosDoContrato(), [id]);
      const [aviso] = (await c.ler(`/clientes/${c.cliente}`)).contratos[0].avisos;
      t.deepEqual(aviso, {
        id,
        tipo: 'interrupcao',
        titulo: 'Fibra rompida',
        texto: 'Volta às 18 h.',
        inicio: AGORA,
        previsao: null,
        fim: null,
        origem: 'equipe',
      });
      t.deepEqual((await c.ler(`/contratos/${c.contrato}/conexao`)).avisos, [aviso]);
    },
  );
}

test.serial(
  'abrir, mudar ou encerrar um aviso torna velho o que se guardou, em cada processo, com uma etiqueta só',
  async (t) => {
    const c = await cenario();
    await c.sessao();
    await agregar();
    for (const processo of [0, 1]) t.deepEqual(await c.avisosDoContrato(processo), []);
    const id = await c.abrir([{ tipo: 'todos' }]);
    for (const processo of [0, 1]) t.deepEqual(await c.avisosDoContrato(processo), [id]);
    const [{ etiquetas }] = await api.dono('eventos').where({ provedor_id: c.provedor, tipo: 'rede.aviso_aberto' });
    t.deepEqual(typeof etiquetas === 'string' ? JSON.parse(etiquetas) : etiquetas, ['avisos']);
    await c.mudar(async ({ avisosDeRede }) => avisosDeRede.alterar(id, { titulo: 'Outro título' }));
    t.is((await c.ler(`/contratos/${c.contrato}`, 1)).avisos[0].titulo, 'Outro título');
    await c.mudar(async ({ avisosDeRede }) => avisosDeRede.encerrar(id));
    for (const processo of [0, 1]) t.deepEqual(await c.avisosDoContrato(processo), []);
  },
);

test.serial('um aviso marcado para depois vem com o contrato desde que começa, também do que se guardou', async (t) => {
  const c = await cenario();
  await c.sessao();
  await agregar();
  const id = await c.abrir([{ tipo: 'todos' }], { tipo: 'manutencao', inicio: '2026-11-20T15:31:00.000Z' });
  t.deepEqual(await c.avisosDoContrato(), []);
  t.is((await c.ler('/avisos'))[0].id, id);
  relogio.definir('2026-11-20T15:31:01.000Z');
  t.deepEqual(await c.avisosDoContrato(), [id]);
});

test.serial(
  'GET /avisos: abertos se nada se diz, encerrados ou todos, em páginas, do último ao primeiro',
  async (t) => {
    const c = await cenario();
    const ids: number[] = [];
    for (let i = 0; i < 3; i += 1) ids.push(await c.abrir([{ tipo: 'todos' }]));
    await c.mudar(async ({ avisosDeRede }) => avisosDeRede.encerrar(ids[1]!));
    const lidos = async (consulta: string): Promise<number[]> =>
      (await c.ler(`/avisos${consulta}`)).map(({ id }: { id: number }) => id);
    t.deepEqual(await lidos(''), [ids[2], ids[0]]);
    t.deepEqual(await lidos('?situacao=encerrados'), [ids[1]]);
    t.deepEqual(await lidos('?situacao=todos'), ids.toReversed());
    const { corpo } = await api.get('/avisos?situacao=todos&por_pagina=2&pagina=2', { chave: c.chave });
    t.deepEqual([corpo.dados.map(({ id }: { id: number }) => id), corpo.paginacao.total], [[ids[0]], 3]);
    t.is((await api.get('/avisos?situacao=velhos', { chave: c.chave })).corpo.erro.codigo, 'parametro_invalido');
    const { texto: sem } = await api.criarChave(c.provedor, { permissoes: ['financeiro:leitura'] });
    t.is((await api.get('/avisos', { chave: sem })).corpo.erro.codigo, 'permissao_insuficiente');
  },
);

const desconectar = async (
  { contrato, chave }: { contrato: number; chave: string },
  corpo?: object,
  headers: Record<string, string> = {},
) =>
  api.pedir('POST', `/contratos/${contrato}/desconectar`, {
    chave,
    headers: { ...(corpo === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(corpo === undefined ? {} : { corpo: JSON.stringify(corpo) }),
  });

test.serial(
  'desconectar: 202 com o pedido e um protocolo; a sessão é pedida ao NAS, e o motivo não sai em evento',
  async (t) => {
    const c = await cenario();
    await c.sessao();
    await agregar();
    const { status, corpo } = await desconectar(c, { motivo: 'Cliente relata lentidão' });
    t.is(status, 202);
    t.like(corpo.dados, { situacao: 'pendente' });
    t.regex(corpo.dados.protocolo, /^20261120\d{6}$/);
    t.like(await api.dono('rede_desconexoes').where('contrato_id', c.contrato), [
      { pedido_id: corpo.dados.pedido_id, estado: 'pendente', nasipaddress: c.um },
    ]);
    t.like(await api.dono('atendimentos').where('contrato_id', c.contrato), [
      { protocolo: corpo.dados.protocolo, tipo: 'desconexao', resumo: 'Cliente relata lentidão' },
    ]);
    const auditoria = await api.dono('auditoria').where({ provedor_id: c.provedor, acao: 'conexao.desconectada' });
    t.is(auditoria.length, 1);
    t.false(
      JSON.stringify([auditoria, await api.dono('eventos').where('provedor_id', c.provedor)]).includes('lentidão'),
    );

    t.is((await desconectar(c)).corpo.erro.codigo, 'desconexao_recente');
    relogio.definir('2026-11-20T15:32:01.000Z');
    t.is((await desconectar(c, {})).status, 202);
  },
);

test.serial('desconectar: a mesma Idempotency-Key responde o mesmo, e pede uma vez', async (t) => {
  const c = await cenario();
  await c.sessao();
  await agregar();
  const chave = { 'idempotency-key': 'uma-chave-de-uma-vez' };
  const [primeira, segunda] = [await desconectar(c, {}, chave), await desconectar(c, {}, chave)];
  t.is(primeira.status, 202);
  t.is(segunda.texto, primeira.texto);
  t.is((await api.dono('rede_desconexoes').where('contrato_id', c.contrato)).length, 1);
  const juntos = await Promise.all([1, 2].map(async (n) => desconectar(c, {}, { 'idempotency-key': `outra-${n}` })));
  t.deepEqual(
    juntos.map(({ status }) => status),
    [409, 409],
  );
});

test.serial('desconectar: sem sessão, de outro provedor, sem permissão ou com motivo longo é recusado', async (t) => {
  const c = await cenario();
  const outro = await cenario();
  const codigoDe = async (de: Parameters<typeof desconectar>[0], corpo?: object) => {
    const { status, corpo: dito } = await desconectar(de, corpo);
    return [status, dito.erro.codigo];
  };
  t.deepEqual(await codigoDe(c), [422, 'contrato_offline']);
  t.deepEqual(await codigoDe({ contrato: outro.contrato, chave: c.chave }), [404, 'nao_encontrado']);
  t.deepEqual(await codigoDe(c, { motivo: 'x'.repeat(301) }), [400, 'parametro_invalido']);
  const { texto } = await api.criarChave(c.provedor, { permissoes: ['clientes:leitura', 'contratos:desbloqueio'] });
  t.deepEqual(await codigoDe({ contrato: c.contrato, chave: texto }), [403, 'permissao_insuficiente']);
});
