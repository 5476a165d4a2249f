import { Agent } from 'node:http';
import test from 'ava';
import { Redis } from 'ioredis';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { PERMISSOES, SEM_RESTRICAO } from '../../../src/domain/chaves/chaves.types.ts';
import {
  ATENDIMENTOS_TAG,
  AVISOS_TAG,
  BUSCA_DE_CLIENTES_TAG,
  CHAMADOS_TAG,
  CLIENTES_TAG,
  EXTRATOS_TAG,
  FATURAS_TAG,
  PROVEDOR_TAG,
  chamadoTag,
  clienteTag,
  contratoTag,
  faturaTag,
  tagsDaFatura,
} from '../../../src/domain/tags.ts';
import type { Write } from '../../../src/domain/escrita.ts';
import { createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import { ROTAS } from '../../../src/surfaces/public-api/rotas.ts';
import { criarApi, enviar } from '../../support/api.ts';
import type { Api, Resposta } from '../../support/api.ts';
import { urlDoDono } from '../../support/banco.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { monitorar } from '../../support/monitor.ts';
import { relogioEm } from '../../support/relogio.ts';
import { AUTOR } from '../../support/autor.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const relogio = relogioEm(AGORA);
let api: Api;
let fabrica: Fabrica;
let redis: Redis;
test.before(async () => {
  // Here tests write what no route does yet: with one user, as an installation may have it.
  api = await criarApi({ processos: 2, relogio, caminhoDoBanco: async (url) => urlDoDono(url) });
  fabrica = criarFabrica(api.dono);
  redis = new Redis(api.redisUrl);
});
test.after.always(async () => {
  redis.disconnect();
  await api.fechar();
});
test.beforeEach(() => relogio.definir(AGORA));

/** The SQL statements that one process makes while something is done. */
async function sqlDurante(processo: number, fazer: () => Promise<unknown>): Promise<string[]> {
  const { db } = api.containers[processo]!;
  const feitas: string[] = [];
  const ouvir = ({ sql }: { sql: string }): void => void feitas.push(sql);
  db.on('query', ouvir);
  try {
    await fazer();
  } finally {
    db.off('query', ouvir);
  }
  return feitas;
}

/** The commands that reach this test's logical Redis database while something is done, heartbeats aside. */
async function comandosDurante(fazer: () => Promise<unknown>): Promise<string[]> {
  const { comandos, visto, fechar } = await monitorar(api.redisUrl);
  await fazer();
  // What was sent before this arrived before it.
  await redis.echo('fim');
  await visto('echo');
  fechar();
  return comandos.filter((comando) => comando !== 'echo');
}

/** How often the processes have doubted Redis: each time, their caches were emptied, as they should be. */
async function duvidas(): Promise<number> {
  const medidas = await Promise.all(api.containers.map(async ({ metrics }) => metrics.snapshot()));
  return medidas
    .flatMap((medida) => medida.find(({ name }) => name === 'malha_gate_mode_changes_total')!.values)
    .filter(({ labels }) => labels['mode'] === 'local')
    .reduce((soma, { value }) => soma + value, 0);
}

/** What happens while no process doubts Redis; a machine so busy that Redis misses its deadline has it start over. */
async function semDuvidas<T>(fazer: () => Promise<T>): Promise<T> {
  for (let vez = 0; vez < 50; vez += 1) {
    const antes = await duvidas();
    const feito = await fazer();
    if ((await duvidas()) === antes) return feito;
  }
  throw new Error('em 50 vezes, o Redis sempre se atrasou');
}

/** Asks twice: the second answer is kept, and comes without SQL. */
async function ateGuardar(processo: number, pedir: () => Promise<Resposta>): Promise<Resposta> {
  const { sql, resposta } = await semDuvidas(async () => {
    await pedir();
    let segunda: Resposta | undefined;
    const feitas = await sqlDurante(processo, async () => (segunda = await pedir()));
    return { sql: feitas, resposta: segunda! };
  });
  if (sql.length > 0) throw new Error(`a resposta não fica guardada: ${sql.join('; ')}`);
  return resposta;
}

/** Numbers of two contacts: one is a client's, the other nobody's. */
const [DO_CLIENTE, DE_NINGUEM] = ['20261120000001', '20261120000002'];
const CONTATO = { tipo: 'contato', canal: 'chatbot', assunto: 'Segunda via', aberto_em: '2026-11-20 10:00:00.000' };

/** A provider with one of everything, and keys. */
async function cenario() {
  const provedor = await fabrica.provedor({}, { desbloqueio_habilitado: true });
  const plano = await fabrica.plano(provedor, { nome: 'Fibra' });
  const cliente = await fabrica.cliente(provedor, { nome: 'Ana' });
  await fabrica.telefone(provedor, { cliente_id: cliente });
  const contrato = await fabrica.contrato(provedor, { cliente_id: cliente, plano_id: plano });
  const doCliente = { cliente_id: cliente, contrato_id: contrato };
  const fatura = await fabrica.fatura(provedor, { ...doCliente, vencimento: '2026-11-20' });
  const chamado = await fabrica.chamado(provedor, doCliente);
  await fabrica.historico(provedor, { chamado_id: chamado });
  await createTenantWriter(api.dono, provedor).insert('atendimentos', [
    { ...CONTATO, protocolo: DO_CLIENTE, cliente_id: cliente },
    { ...CONTATO, protocolo: DE_NINGUEM, cliente_id: null },
  ]);
  const { texto: chave } = await api.criarChave(provedor);
  return { provedor, plano, cliente, contrato, fatura, chamado, chave };
}
type Cenario = Awaited<ReturnType<typeof cenario>>;

test.serial('uma consulta repetida não faz SQL e custa um comando ao Redis', async (t) => {
  const { provedor, chave: livre, cliente, contrato } = await cenario();
  const permissoes = PERMISSOES.filter((uma) => !SEM_RESTRICAO.includes(uma));
  const restrita = await api.criarChave(provedor, { permissoes, restricoes: ['somente_busca', 'dados_mascarados'] });
  const casos = [
    '/clientes?cpf_cnpj=52998224725',
    `/clientes/${cliente}`,
    '/resumo?cpf_cnpj=52998224725',
    `/resumo?contrato_id=${contrato}`,
  ].flatMap((caminho) => [livre, restrita.texto].map((chave) => [caminho, chave] as const));
  for (const [caminho, chave] of casos) {
    const { primeira, segunda, comandos, sql } = await semDuvidas(async () => {
      const guardada = await ateGuardar(0, () => api.get(caminho, { chave }));
      let repetida: Resposta | undefined;
      let doRedis: string[] = [];
      const doBanco = await sqlDurante(0, async () => {
        doRedis = await comandosDurante(async () => {
          repetida = await api.get(caminho, { chave });
        });
      });
      return { primeira: guardada, segunda: repetida!, comandos: doRedis, sql: doBanco };
    });
    t.deepEqual(sql, []);
    t.deepEqual(comandos, ['evalsha']);
    t.is(segunda.texto, primeira.texto);
    t.is(segunda.headers.etag, primeira.headers.etag);
  }
});

test.serial('If-None-Match responde 304 sem corpo e com todos os cabeçalhos, do cache e fora dele', async (t) => {
  const { chave, cliente } = await cenario();
  const caminho = `/clientes/${cliente}`;
  const { headers, texto } = await api.get(caminho, { chave });
  const etag = headers.etag!;
  t.regex(etag, /^"[\w-]+"$/);
  for (const processo of [0, 1, 0, 1]) {
    const sabida = await api.get(caminho, { chave, processo, headers: { 'if-none-match': etag } });
    t.is(sabida.status, 304);
    t.is(sabida.texto, '');
    t.is(sabida.headers.etag, etag);
    t.is(sabida.headers['content-length'], undefined);
    t.is(sabida.headers['cache-control'], 'private, no-cache');
  }
  for (const valor of [`W/${etag}`, `"outra", ${etag}`, '*']) {
    t.is((await api.get(caminho, { chave, headers: { 'if-none-match': valor } })).status, 304);
  }
  const outra = await api.get(caminho, { chave, headers: { 'if-none-match': '"outra"' } });
  t.is(outra.status, 200);
  t.is(outra.texto, texto);
  await api.container.write(AUTOR, (await cenario()).provedor, async (w) => w.touch(PROVEDOR_TAG));
  t.is((await api.get(caminho, { chave, headers: { 'if-none-match': etag } })).status, 304);
});

test.serial('à meia-noite local uma fatura guardada passa a vencida, sem que ninguém escreva', async (t) => {
  const { chave, fatura, cliente } = await cenario();
  for (const caminho of [`/faturas/${fatura}`, `/faturas?cliente_id=${cliente}`]) {
    const situacao = async (): Promise<string> => {
      const { corpo } = await api.get(caminho, { chave });
      return (Array.isArray(corpo.dados) ? corpo.dados[0] : corpo.dados).situacao;
    };
    relogio.definir('2026-11-21T02:59:55.000Z');
    await ateGuardar(0, () => api.get(caminho, { chave }));
    relogio.definir('2026-11-21T02:59:59.999Z');
    t.deepEqual(await sqlDurante(0, async () => t.is(await situacao(), 'pendente')), []);
    relogio.definir('2026-11-21T03:00:00.000Z');
    t.is(await situacao(), 'vencida');
  }
});

test.serial('o fim de um desbloqueio muda a resposta guardada, sem que ninguém escreva', async (t) => {
  const { chave, provedor, contrato, cliente } = await cenario();
  await fabrica.desbloqueio(provedor, { contrato_id: contrato, ate: '2026-11-20 18:00:00.000' });
  const ativo = async (caminho: string): Promise<boolean> => {
    const { dados } = (await api.get(caminho, { chave })).corpo;
    return (dados.contratos?.[0] ?? dados).desbloqueio_confianca.ativo;
  };
  for (const caminho of [`/contratos/${contrato}`, `/clientes/${cliente}`]) {
    relogio.definir('2026-11-20T17:59:56.000Z');
    await ateGuardar(0, () => api.get(caminho, { chave }));
    relogio.definir('2026-11-20T18:00:00.000Z');
    t.deepEqual(await sqlDurante(0, async () => t.true(await ativo(caminho))), []);
    relogio.definir('2026-11-20T18:00:00.001Z');
    t.false(await ativo(caminho));
  }
});

test.serial('a sessão que deixa de dar sinal muda a conexão guardada, sem que ninguém escreva', async (t) => {
  const { chave, provedor, contrato, cliente } = await cenario();
  await fabrica.conexao(provedor, {
    contrato_id: contrato,
    ouvida_em: '2026-11-20 14:58:00.000',
    intervalo_segundos: 300,
  });
  const conexao = async (caminho: string): Promise<string> => {
    const { dados } = (await api.get(caminho, { chave })).corpo;
    return (dados.contratos?.[0] ?? dados).conexao;
  };
  for (const caminho of [`/contratos/${contrato}`, `/clientes/${cliente}`]) {
    relogio.definir('2026-11-20T15:07:56.000Z');
    await ateGuardar(0, () => api.get(caminho, { chave }));
    relogio.definir('2026-11-20T15:08:00.000Z');
    t.deepEqual(await sqlDurante(0, async () => t.is(await conexao(caminho), 'online')), []);
    relogio.definir('2026-11-20T15:08:00.001Z');
    t.is(await conexao(caminho), 'offline');
  }
});

type Escrita = (w: Write, cenario: Cenario) => Promise<unknown>;

const mudarCliente: Escrita = async (w, { cliente }) => {
  w.touch(clienteTag(cliente), CLIENTES_TAG);
  await w.update('clientes', (q) => void q.where({ id: cliente }), { nome: 'Bia' });
};
const mudarTelefone: Escrita = async (w, { cliente }) => {
  w.touch(clienteTag(cliente), CLIENTES_TAG, BUSCA_DE_CLIENTES_TAG);
  await w.update('clientes_telefones', (q) => void q.where({ cliente_id: cliente }), { numero: '35988887777' });
};
const mudarContrato: Escrita = async (w, { cliente, contrato }) => {
  w.touch(contratoTag(contrato), clienteTag(cliente), CLIENTES_TAG);
  await w.update('contratos', (q) => void q.where({ id: contrato }), { valor: '123.45' });
};
const mudarPlano: Escrita = async (w, { plano }) => {
  w.touch(PROVEDOR_TAG);
  await w.update('planos', (q) => void q.where({ id: plano }), { nome: 'Fibra nova' });
};
const novoExtrato: Escrita = async (w) => {
  w.touch(EXTRATOS_TAG);
  await w.insert('extratos', { dia: '2026-11-20', criado_em: '2026-11-20 03:05:00.000' });
};
const novoContrato: Escrita = async (w, { cliente, plano }) => {
  w.touch(clienteTag(cliente), CLIENTES_TAG);
  await w.insert('contratos', {
    cliente_id: cliente,
    plano_id: plano,
    situacao: 'ativo',
    tipo_cobranca: 'pos_pago',
    dia_vencimento: 5,
    valor: '10.00',
  });
};
const mudarFatura: Escrita = async (w, { fatura, cliente }) => {
  w.touch(...tagsDaFatura(fatura, cliente), FATURAS_TAG);
  await w.update('faturas', (q) => void q.where({ id: fatura }), { situacao: 'paga', valor_pago: '99.90' });
};
/** As the triggers tell it. */
const mudarFaturaPorFora: Escrita = async (w, { fatura, cliente }) => {
  w.touch(faturaTag(fatura), clienteTag(cliente), FATURAS_TAG);
  await w.update('faturas', (q) => void q.where({ id: fatura }), { situacao: 'paga', valor_pago: '99.90' });
};
const mudarRegras: Escrita = async (w) => {
  w.touch(PROVEDOR_TAG);
  await w.update('regras_cobranca', () => {}, { multa_percentual: '1.00' });
};
const mudarChamado: Escrita = async (w, { chamado, cliente }) => {
  w.touch(chamadoTag(chamado), clienteTag(cliente), CHAMADOS_TAG);
  await w.update('chamados', (q) => void q.where({ id: chamado }), { situacao: 'em_andamento' });
};
const contarNoChamado: Escrita = async (w, { chamado }) => {
  w.touch(chamadoTag(chamado));
  await w.insert('chamados_historico', { chamado_id: chamado, acao: 'comentario', ocorrido_em: '2026-11-20 10:00:00' });
};
const registrarConexao: Escrita = async (w, { contrato, cliente }) => {
  w.touch(contratoTag(contrato), clienteTag(cliente), CLIENTES_TAG);
  await w.insert('conexoes', { contrato_id: contrato, ouvida_em: null });
};
const mudarLogin: Escrita = async (w, { contrato, cliente }) => {
  w.touch(contratoTag(contrato), clienteTag(cliente), CLIENTES_TAG);
  await w.update('contratos', (q) => void q.where({ id: contrato }), { login: null, mac: null });
};

const mudarAtendimentos: Escrita = async (w, { cliente }) => {
  w.touch(ATENDIMENTOS_TAG, clienteTag(cliente));
  await w.update('atendimentos', () => {}, { resumo: 'Enviada.' });
};
const novoAtendimento: Escrita = async (w, { cliente }) => {
  w.touch(ATENDIMENTOS_TAG, clienteTag(cliente));
  await w.insert('atendimentos', { ...CONTATO, protocolo: '20261120000003', cliente_id: cliente });
};
const abrirAviso: Escrita = async (w) => {
  w.touch(AVISOS_TAG);
  const instante = '2026-11-20 10:00:00.000';
  const aviso = { tipo: 'interrupcao', titulo: 'Rompimento', texto: 'Equipe a caminho.', inicio: instante };
  const id = await w.insert('avisos_de_rede', { ...aviso, criado_em: instante, atualizado_em: instante });
  await w.insert('avisos_de_rede_alvos', { aviso_id: id, tipo: 'todos' });
};
const bloquear: Escrita = async (w, { contrato, cliente }) => {
  w.touch(contratoTag(contrato), clienteTag(cliente), CLIENTES_TAG);
  const bloqueio = { situacao: 'bloqueado', bloqueio_origem: 'manual', bloqueado_em: '2026-11-20 10:00:00.000' };
  await w.update('contratos', (q) => void q.where({ id: contrato }), bloqueio);
};
const desbloquear: Escrita = async (w, { contrato, cliente }) => {
  w.touch(contratoTag(contrato), clienteTag(cliente), CLIENTES_TAG);
  const instantes = { aplicado_em: '2026-11-25 10:00:00.000', ate: '2026-11-28 02:59:59.999' };
  await w.insert('desbloqueios_confianca', { contrato_id: contrato, dias: 3, ...instantes });
};
const mudarDiasDeDesbloqueio: Escrita = async (w) => {
  w.touch(PROVEDOR_TAG);
  await w.update('regras_cobranca', () => {}, { desbloqueio_dias: 9 });
};
const prometer: Escrita = async (w, { contrato, cliente }) => {
  w.touch(contratoTag(contrato), clienteTag(cliente));
  const promessa = { data: '2026-11-27', registrada_em: '2026-11-25 10:00:00.000' };
  await w.insert('promessas_pagamento', { contrato_id: contrato, cliente_id: cliente, ...promessa });
};

/** For every route that is kept: addresses, and writes that each of them must show at once. */
const CASOS: Readonly<Record<string, { caminhos: (c: Cenario) => string[]; escritas: readonly Escrita[] }>> = {
  '/clientes': {
    caminhos: () => ['/clientes', '/clientes?cpf_cnpj=52998224725', '/clientes?situacao=ativo&pagina=1'],
    escritas: [mudarCliente, mudarTelefone, mudarContrato, mudarPlano, novoContrato, registrarConexao, abrirAviso],
  },
  '/clientes/{id}': {
    caminhos: ({ cliente }) => [`/clientes/${cliente}`],
    escritas: [mudarCliente, mudarTelefone, mudarContrato, mudarPlano, novoContrato, registrarConexao, abrirAviso],
  },
  '/contratos/{id}': {
    caminhos: ({ contrato }) => [`/contratos/${contrato}`],
    escritas: [mudarContrato, mudarPlano, registrarConexao, mudarLogin, abrirAviso],
  },
  '/contratos/{id}/conexao': {
    caminhos: ({ contrato }) => [`/contratos/${contrato}/conexao`],
    escritas: [registrarConexao],
  },
  '/contratos/{id}/desbloqueio-confianca': {
    caminhos: ({ contrato }) => [`/contratos/${contrato}/desbloqueio-confianca`],
    escritas: [bloquear, desbloquear, mudarDiasDeDesbloqueio],
  },
  '/faturas': {
    caminhos: ({ cliente, contrato }) => [
      '/faturas',
      `/faturas?cliente_id=${cliente}`,
      `/faturas?contrato_id=${contrato}`,
    ],
    escritas: [mudarFatura, mudarFaturaPorFora, mudarRegras],
  },
  '/faturas/{id}': {
    caminhos: ({ fatura }) => [`/faturas/${fatura}`],
    escritas: [mudarFatura, mudarFaturaPorFora, mudarRegras],
  },
  '/chamados': {
    caminhos: ({ cliente }) => ['/chamados', `/chamados?cliente_id=${cliente}`, '/chamados?situacao=em_aberto'],
    escritas: [mudarChamado],
  },
  '/chamados/{id}': { caminhos: ({ chamado }) => [`/chamados/${chamado}`], escritas: [mudarChamado] },
  '/chamados/{id}/historico': {
    caminhos: ({ chamado }) => [`/chamados/${chamado}/historico`],
    escritas: [contarNoChamado],
  },
  '/planos': { caminhos: () => ['/planos'], escritas: [mudarPlano] },
  '/atendimentos/{protocolo}': {
    caminhos: () => [`/atendimentos/${DO_CLIENTE}`, `/atendimentos/${DE_NINGUEM}`],
    escritas: [mudarAtendimentos],
  },
  '/clientes/{id}/atendimentos': {
    caminhos: ({ cliente }) => [`/clientes/${cliente}/atendimentos`],
    escritas: [mudarAtendimentos, novoAtendimento],
  },
  '/avisos': { caminhos: () => ['/avisos', '/avisos?situacao=todos'], escritas: [abrirAviso] },
  '/resumo': {
    caminhos: ({ contrato }) => [
      '/resumo?cpf_cnpj=52998224725',
      `/resumo?contrato_id=${contrato}`,
      `/resumo?protocolo=${DO_CLIENTE}`,
    ],
    escritas: [
      mudarCliente,
      mudarTelefone,
      mudarContrato,
      mudarPlano,
      novoContrato,
      registrarConexao,
      abrirAviso,
      bloquear,
      desbloquear,
      prometer,
      mudarFatura,
      mudarFaturaPorFora,
      mudarRegras,
      mudarChamado,
    ],
  },
  '/extratos': { caminhos: () => ['/extratos'], escritas: [novoExtrato] },
};

test('toda rota GET que se guarda tem aqui as escritas que ela deve mostrar', (t) => {
  const guardadas = ROTAS.filter((rota) => rota.kind === 'read' && rota.kept).map(({ path }) => path);
  t.deepEqual(Object.keys(CASOS).toSorted(), guardadas.toSorted());
});

for (const [rota, { caminhos, escritas }] of Object.entries(CASOS)) {
  test.serial(`uma escrita respondida aparece na leitura seguinte em outro processo: ${rota}`, async (t) => {
    for (const [i, escrever] of escritas.entries()) {
      const dados = await cenario();
      // The fine of an invoice that is overdue shows the provider's rules.
      relogio.definir('2026-11-25T15:00:00Z');
      const antes: Resposta[] = [];
      for (const caminho of caminhos(dados)) {
        antes.push(await ateGuardar(1, () => api.get(caminho, { chave: dados.chave, processo: 1 })));
      }
      await api.container.write(AUTOR, dados.provedor, async (w) => escrever(w, dados));
      for (const [j, caminho] of caminhos(dados).entries()) {
        const depois = await api.get(caminho, { chave: dados.chave, processo: 1 });
        t.is(depois.status, 200);
        t.not(depois.texto, antes[j]!.texto, `escrita ${i} em ${caminho}`);
      }
    }
  });
}

test.serial('o que se cobra de um cliente não esfria o que se diz dele', async (t) => {
  const dados = await cenario();
  const ler = () => api.get(`/clientes/${dados.cliente}`, { chave: dados.chave });
  /** Statements of the next reading after a write. */
  const depoisDe = (escrita: Escrita): Promise<string[]> =>
    semDuvidas(async () => {
      await ateGuardar(0, ler);
      await api.container.write(AUTOR, dados.provedor, async (w) => escrita(w, dados));
      return sqlDurante(0, ler);
    });
  t.deepEqual(await depoisDe(mudarFatura), []);
  t.not((await depoisDe(mudarFaturaPorFora)).length, 0);
});

test.serial('o que não existia e passa a existir é visto em seguida, por id e na busca', async (t) => {
  const { provedor, chave, cliente } = await cenario();
  const proximo = cliente + 1000;
  const busca = '/clientes?cpf_cnpj=11144477735';
  for (const processo of [0, 1]) {
    t.is((await api.get(`/clientes/${proximo}`, { chave, processo })).status, 404);
    t.is((await api.get(busca, { chave, processo })).corpo.dados.length, 0);
  }
  await api.container.write(AUTOR, provedor, async (w) => {
    w.touch(clienteTag(proximo), CLIENTES_TAG, BUSCA_DE_CLIENTES_TAG);
    await w.insert('clientes', { id: proximo, nome: 'Novo', tipo: 'pf', cpf_cnpj: '11144477735', situacao: 'ativo' });
  });
  for (const processo of [0, 1]) {
    t.is((await api.get(`/clientes/${proximo}`, { chave, processo })).status, 200);
    t.is((await api.get(busca, { chave, processo })).corpo.dados.length, 1);
  }
});

test.serial('a chave sem a permissão da rota recebe 403 também do que está guardado', async (t) => {
  const { provedor, chave, cliente, fatura } = await cenario();
  const { texto: semClientes } = await api.criarChave(provedor, { permissoes: ['financeiro:leitura'] });
  const { texto: semFaturas } = await api.criarChave(provedor, { permissoes: ['clientes:leitura'] });
  for (const [caminho, outra] of [
    [`/clientes/${cliente}`, semClientes],
    [`/faturas/${fatura}`, semFaturas],
  ] as const) {
    t.is((await ateGuardar(0, () => api.get(caminho, { chave }))).status, 200);
    const recusada = await api.get(caminho, { chave: outra });
    t.is(recusada.status, 403);
    t.is(recusada.corpo.erro.codigo, 'permissao_insuficiente');
    t.is(recusada.headers.etag, undefined);
  }
});

test.serial('o que está guardado para um provedor nunca chega à chave de outro', async (t) => {
  const [um, outro] = [await cenario(), await cenario()];
  for (const caminho of [`/clientes/${um.cliente}`, `/faturas/${um.fatura}`, `/chamados/${um.chamado}`]) {
    t.is((await api.get(caminho, { chave: um.chave })).status, 200);
    t.is((await api.get(caminho, { chave: outro.chave })).status, 404);
  }
  const busca = '/clientes?cpf_cnpj=52998224725';
  t.is((await api.get(busca, { chave: um.chave })).corpo.dados[0].id, um.cliente);
  t.is((await api.get(busca, { chave: outro.chave })).corpo.dados[0].id, outro.cliente);
});

test.serial('uma chave revogada não abre o que está guardado, em processo nenhum', async (t) => {
  const { provedor, cliente } = await cenario();
  const { id, texto: chave } = await api.criarChave(provedor);
  const caminho = `/clientes/${cliente}`;
  for (const processo of [0, 1, 0, 1]) t.is((await api.get(caminho, { chave, processo })).status, 200);
  await api.container.chaves.revogar(TERMINAL, provedor, id);
  for (const processo of [0, 1]) t.is((await api.get(caminho, { chave, processo })).status, 401);
});

test.serial('1.000 pedidos simultâneos de um cliente que não está guardado fazem uma carga por processo', async (t) => {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  t.teardown(() => agent.destroy());
  /** Statements by table, in each process. */
  async function enxurrada(): Promise<string[][]> {
    const { chave, cliente } = await cenario();
    // Each process has the key's record: what is counted is the client's load.
    for (const processo of [0, 1]) await ateGuardar(processo, () => api.get('/status', { chave, processo }));
    const pedir = (processo: number) =>
      enviar({
        host: '127.0.0.1',
        port: api.portas[processo]!,
        path: `/api/v1/clientes/${cliente}`,
        headers: { 'x-api-key': chave },
        agent,
      });
    let respostas: Awaited<ReturnType<typeof pedir>>[] = [];
    let noSegundo: string[] = [];
    const noPrimeiro = await sqlDurante(0, async () => {
      noSegundo = await sqlDurante(1, async () => {
        respostas = await Promise.all(Array.from({ length: 1000 }, (_, i) => pedir(i % 2)));
      });
    });
    t.deepEqual(new Set(respostas.map(({ status }) => status)), new Set([200]));
    t.is(new Set(respostas.map(({ texto }) => texto)).size, 1);
    return [noPrimeiro, noSegundo].map((feitas) =>
      feitas.map((comando) => /.* from `(\w+)`/.exec(comando)?.[1] ?? comando).toSorted(),
    );
  }
  t.deepEqual(await semDuvidas(enxurrada), [['clientes'], ['clientes']]);
});
