import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { criarApi, enviar } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { criarFabrica } from '../support/fabrica.ts';
import { servir } from '../support/processo.ts';
import type { Servico } from '../support/processo.ts';
import { quanto } from '../support/prova.ts';

const MORTES = quanto(12, 50);
/** Writers at the same time, and how long at most they have until the service dies. */
const MAOS = 8;
const MAIS_TARDE_MS = 400;

let api: Api;
let chaves: string[];
let provedor: number;
let cliente: number;
let plano_id: number;
test.before(async () => {
  api = await criarApi();
  const fabrica = criarFabrica(api.dono);
  provedor = await fabrica.provedor({}, { desbloqueio_habilitado: 1 });
  plano_id = await fabrica.plano(provedor);
  cliente = await fabrica.cliente(provedor);
  // Each may ask 1,200 times a minute, and an Idempotency-Key is its key's own.
  chaves = await Promise.all(Array.from({ length: MAOS }, async () => (await api.criarChave(provedor)).texto));
});
test.after.always(() => api.fechar());

const ambiente = (): Record<string, string> => ({ DATABASE_URL: api.databaseUrl, REDIS_URL: api.redisUrl });

async function contratoBloqueado(): Promise<number> {
  const bloqueado = { situacao: 'bloqueado', bloqueio_origem: 'financeiro', bloqueado_em: '2026-11-15 03:00:00.000' };
  return criarFabrica(api.dono).contrato(provedor, { cliente_id: cliente, plano_id, ...bloqueado });
}

/** A write as it is asked for, and asked for again when nobody answered. */
interface Escrita {
  readonly mao: number;
  readonly metodo: 'POST' | 'PATCH';
  readonly caminho: string;
  readonly corpo: object;
  /** What the write leaves, by which it is found again. */
  readonly texto: string;
  readonly marca: string;
}

interface Respondida {
  readonly status: number;
  readonly corpo: any;
}

/** The answer, or null when there was none: the service was gone before it came. */
async function pedir(porta: number, agent: Agent, e: Escrita): Promise<Respondida | null> {
  const headers = {
    'x-api-key': chaves[e.mao]!,
    'idempotency-key': e.marca,
    'content-type': 'application/json',
    'transfer-encoding': 'chunked',
  };
  const alvo = `/api/v1${e.caminho}`;
  try {
    const resposta = await enviar(
      { host: '127.0.0.1', port: porta, method: e.metodo, path: alvo, headers, agent },
      JSON.stringify(e.corpo),
    );
    return { status: resposta.status, corpo: JSON.parse(resposta.texto) };
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}

const abertura = (mao: number): Escrita => {
  const texto = `abertura ${randomUUID()}`;
  const corpo = { cliente_id: cliente, assunto: texto, descricao: 'Sem conexão.' };
  return { mao, metodo: 'POST', caminho: '/chamados', corpo, texto, marca: texto.replace(' ', '-') };
};
const comentario = (mao: number, chamado: number): Escrita => {
  const texto = `comentario ${randomUUID()}`;
  return {
    mao,
    metodo: 'PATCH',
    caminho: `/chamados/${chamado}`,
    corpo: { comentario: texto },
    texto,
    marca: texto.replace(' ', '-'),
  };
};
const desbloqueio = (mao: number, contrato: number): Escrita => {
  const texto = `motivo ${randomUUID()}`;
  const caminho = `/contratos/${contrato}/desbloqueio-confianca`;
  return { mao, metodo: 'POST', caminho, corpo: { motivo: texto }, texto, marca: texto.replace(' ', '-') };
};

/** How many rows there are of each thing that a write leaves. */
async function rastros({ metodo, texto }: Escrita): Promise<Record<string, number>> {
  const { db } = api.container;
  const contar = async (tabela: string, onde: object): Promise<number> =>
    Number(
      (
        await db(tabela)
          .where({ provedor_id: provedor, ...onde })
          .count({ n: '*' })
      )[0]!['n'],
    );
  const acaoDe = async (recursoId: number | undefined, acao: string): Promise<Record<string, number>> => ({
    eventos: await contar('eventos', { recurso_id: recursoId ?? 0, tipo: acao }),
    auditoria: await contar('auditoria', { recurso_id: recursoId ?? 0, acao }),
  });
  if (texto.startsWith('abertura')) {
    const achados = await db('chamados')
      .where({ provedor_id: provedor, assunto: texto })
      .select<{ id: number }[]>('id');
    const id = achados[0]?.id;
    return {
      linhas: achados.length,
      historico: await contar('chamados_historico', { chamado_id: id ?? 0, acao: 'aberto' }),
      notificacoes: await contar('notificacoes', { recurso_id: id ?? 0, tipo: 'chamado.novo' }),
      ...(await acaoDe(id, 'chamado.aberto')),
    };
  }
  if (metodo === 'PATCH') return { linhas: await contar('chamados_historico', { descricao: texto }) };
  const achados = await db('desbloqueios_confianca')
    .where({ provedor_id: provedor, motivo: texto })
    .select<{ contrato_id: number }[]>('contrato_id');
  const contrato = achados[0]?.contrato_id;
  return {
    linhas: achados.length,
    historico: await contar('contratos_historico', { contrato_id: contrato ?? 0 }),
    rede: await contar('rede_pedidos', { contrato_id: contrato ?? 0, acao: 'liberar' }),
    ativo: await contar('contratos', { id: contrato ?? 0, situacao: 'ativo' }),
    ...(await acaoDe(contrato, 'contrato.desbloqueado')),
  };
}

const todos = (t: ExecutionContext, e: Escrita, contagens: Record<string, number>, quantos: number): boolean =>
  t.deepEqual(new Set(Object.values(contagens)), new Set([quantos]), `${e.texto}: ${JSON.stringify(contagens)}`);

/** Two real processes of the service, and an agent for many requests at once. */
async function doisServicos(t: ExecutionContext): Promise<{ servicos: Servico[]; agent: Agent }> {
  const servicos = [await servir(ambiente()), await servir(ambiente())];
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  t.teardown(async () => {
    agent.destroy();
    for (const servico of servicos) await servico.parar();
  });
  return { servicos, agent };
}

test.serial(
  `kill -9 do serviço a meio das escritas, ${MORTES} vezes: o que foi respondido está lá, uma vez e inteiro`,
  async (t) => {
    t.timeout(20 * 60_000);
    const respondidas: { escrita: Escrita; resposta: Respondida }[] = [];
    const mudas: Escrita[] = [];
    const chamados: number[] = [];

    /** Writes one after another until nobody answers. */
    async function escreverAteMorrer(servico: Servico, mao: number, aoResponder: () => void): Promise<void> {
      const agent = new Agent({ keepAlive: true });
      for (let n = 0; ; n += 1) {
        const chamado = chamados[(n * MAOS + mao) % Math.max(1, chamados.length)];
        const escrita =
          n % 3 === 0 && chamado !== undefined
            ? comentario(mao, chamado)
            : n % 3 === 1
              ? desbloqueio(mao, await contratoBloqueado())
              : abertura(mao);
        const resposta = await pedir(servico.porta, agent, escrita);
        if (resposta === null) {
          mudas.push(escrita);
          break;
        }
        if (resposta.status === 201 && escrita.texto.startsWith('abertura')) chamados.push(resposta.corpo.dados.id);
        respondidas.push({ escrita, resposta });
        aoResponder();
      }
      agent.destroy();
    }

    for (let morte = 0; morte < MORTES; morte += 1) {
      const servico = await servir(ambiente());
      let respondeu = (): void => {};
      const primeira = new Promise<void>((resolve) => (respondeu = resolve));
      const maos = Array.from({ length: MAOS }, (_, mao) => escreverAteMorrer(servico, mao, respondeu));
      // Every second service has answered before it dies, however busy the machine is.
      if (morte % 2 === 0) await primeira;
      await sleep(Math.random() * MAIS_TARDE_MS);
      await servico.parar('SIGKILL');
      await Promise.all(maos);
    }

    for (const { escrita, resposta } of respondidas) {
      t.is(resposta.status, escrita.metodo === 'PATCH' ? 200 : 201);
      todos(t, escrita, await rastros(escrita), 1);
    }
    let feitasSemResposta = 0;
    for (const escrita of mudas) {
      const contagens = await rastros(escrita);
      todos(t, escrita, contagens, contagens['linhas'] === 0 ? 0 : 1);
      feitasSemResposta += contagens['linhas'] ?? 0;
    }

    // Whoever heard nothing asks again, under the same Idempotency-Key: now it is there, and once.
    const servico = await servir(ambiente());
    t.teardown(() => servico.parar());
    const agent = new Agent({ keepAlive: true });
    t.teardown(() => agent.destroy());
    for (const escrita of [...mudas, ...respondidas.slice(0, 100).map(({ escrita: feita }) => feita)]) {
      const resposta = await pedir(servico.porta, agent, escrita);
      t.is(resposta?.status, escrita.metodo === 'PATCH' ? 200 : 201, JSON.stringify(resposta));
      todos(t, escrita, await rastros(escrita), 1);
    }

    const { db } = api.container;
    const [{ n: comentarios } = { n: 0 }] = await db('chamados_historico')
      .where({ acao: 'comentario' })
      .count({ n: '*' });
    for (const [tabela, coluna] of [
      ['eventos', 'tipo'],
      ['auditoria', 'acao'],
    ] as const) {
      const [{ n } = { n: -1 }] = await db(tabela)
        .where({ [coluna]: 'chamado.atualizado' })
        .count({ n: '*' });
      t.is(n, comentarios, `um por comentário: ${tabela}`);
    }
    t.is((await db('requisicoes_idempotentes').whereNull('status')).length, 0);
    t.log(
      `${respondidas.length} respondidas, ${mudas.length} sem resposta, das quais ${feitasSemResposta} estavam feitas`,
    );
    t.true(respondidas.length >= MORTES / 2);
  },
);

test.serial(
  '200 desbloqueios simultâneos de um contrato em dois processos de verdade: um 201, os outros 409',
  async (t) => {
    const { servicos, agent } = await doisServicos(t);
    const contrato = await contratoBloqueado();
    const escritas = Array.from({ length: 200 }, (_, n) => desbloqueio(n % MAOS, contrato));
    const respostas = await Promise.all(escritas.map(async (e, n) => pedir(servicos[n % 2]!.porta, agent, e)));
    const feita = respostas.findIndex((resposta) => resposta?.status === 201);
    t.is(respostas.filter((resposta) => resposta?.status === 201).length, 1);
    t.is(respostas.filter((resposta) => resposta?.corpo.erro?.codigo === 'desbloqueio_ativo').length, 199);
    todos(t, escritas[feita]!, await rastros(escritas[feita]!), 1);
  },
);

test.serial(
  '200 vezes o mesmo pedido em dois processos de verdade: um chamado, e a mesma resposta ou 409',
  async (t) => {
    const { servicos, agent } = await doisServicos(t);
    const escrita = abertura(0);
    const respostas = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => pedir(servicos[n % 2]!.porta, agent, escrita)),
    );
    const feitas = respostas.filter((resposta) => resposta?.status === 201);
    t.is(new Set(feitas.map((resposta) => JSON.stringify(resposta?.corpo))).size, 1);
    for (const resposta of respostas.filter((outra) => outra?.status !== 201)) {
      t.is(resposta?.corpo.erro?.codigo, 'requisicao_em_andamento');
    }
    todos(t, escrita, await rastros(escrita), 1);
  },
);
