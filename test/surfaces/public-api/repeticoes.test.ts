import test from 'ava';
import type { ExecutionContext } from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api, Resposta } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { criarPsp, novoFimAFim } from '../../support/recebimentos.ts';
import { TERMINAL } from '../../../src/domain/actor.ts';

/** Writes and cannot bump, as a process that dies between its commit and its bump. No relay runs here. */
let interrompido: Api;
let api: Api;
let fabrica: Fabrica;
test.before(async () => {
  api = await criarApi({ processos: 2 });
  interrompido = await criarApi({ bancoDe: api, redis: 'redis://127.0.0.1:1' });
  fabrica = criarFabrica(api.dono);
});
test.after.always(async () => {
  await interrompido.fechar();
  await api.fechar();
});

async function cenario() {
  const provedor = await fabrica.provedor({}, { desbloqueio_habilitado: 1, desbloqueio_dias: 3 });
  const plano = await fabrica.plano(provedor);
  const cliente = await fabrica.cliente(provedor);
  const contrato = await fabrica.contrato(provedor, {
    cliente_id: cliente,
    plano_id: plano,
    situacao: 'bloqueado',
    bloqueio_origem: 'financeiro',
  });
  const { texto: chave } = await api.criarChave(provedor);
  const chamado = await fabrica.chamado(provedor, { cliente_id: cliente, situacao: 'aberto' });
  // What came before must not be what is outstanding.
  while ((await api.container.publicacao.publicar()) > 0);

  const enviar = async (em: Api, metodo: string, caminho: string, corpo?: object, marca?: string): Promise<Resposta> =>
    em.pedir(metodo, caminho, {
      chave,
      processo: em === api ? 1 : 0,
      headers: { 'content-type': 'application/json', ...(marca === undefined ? {} : { 'idempotency-key': marca }) },
      ...(corpo === undefined ? {} : { corpo: JSON.stringify(corpo) }),
    });
  return {
    provedor,
    cliente,
    contrato,
    chamado,
    enviar,
    /** Through the process that writes nothing here. */
    ler: async (caminho: string): Promise<any> => (await api.get(caminho, { chave, processo: 0 })).corpo.dados,
  };
}

/** Does something where it cannot be bumped, and again where it changes nothing; the other process then reads. */
async function repetir(
  t: ExecutionContext,
  ler: () => Promise<unknown>,
  primeira: () => Promise<unknown>,
  segunda: () => Promise<unknown>,
  depois: unknown,
): Promise<void> {
  const antes = await ler();
  await primeira();
  t.deepEqual(await ler(), antes, 'o que se fez não foi marcado');
  await segunda();
  t.deepEqual(await ler(), depois);
}

test('um PATCH que nada muda é respondido depois de marcado o que outro gravou', async (t) => {
  const { chamado, enviar, ler } = await cenario();
  const caminho = `/chamados/${chamado}`;
  const mudar = async (em: Api): Promise<void> => {
    t.is((await enviar(em, 'PATCH', caminho, { prioridade: 'urgente' })).status, 200);
  };
  await repetir(
    t,
    async () => (await ler(caminho)).prioridade,
    async () => mudar(interrompido),
    async () => mudar(api),
    'urgente',
  );
});

test('uma repetição sob a mesma Idempotency-Key é respondida depois de marcado o que a primeira gravou', async (t) => {
  const { cliente, enviar, ler } = await cenario();
  const abrir = async (em: Api): Promise<void> => {
    const pedido = { cliente_id: cliente, assunto: 'Sem luz', descricao: 'Caiu às 8h.' };
    t.is((await enviar(em, 'POST', '/chamados', pedido, 'a')).status, 201);
  };
  await repetir(
    t,
    async () => (await ler(`/chamados?cliente_id=${cliente}`)).length,
    async () => abrir(interrompido),
    async () => abrir(api),
    2,
  );
});

test('a recusa que diz o que já vale é respondida depois de marcado: desbloqueio em vigor', async (t) => {
  const { contrato, enviar, ler } = await cenario();
  const caminho = `/contratos/${contrato}`;
  await repetir(
    t,
    async () => (await ler(caminho)).situacao,
    async () => t.is((await enviar(interrompido, 'POST', `${caminho}/desbloqueio-confianca`)).status, 201),
    async () => t.is((await enviar(api, 'POST', `${caminho}/desbloqueio-confianca`)).status, 409),
    'ativo',
  );
});

test('a recusa que diz o que já vale é respondida depois de marcado: chamado que já está fechado', async (t) => {
  const { chamado, enviar, ler } = await cenario();
  const caminho = `/chamados/${chamado}`;
  const mudar = async (em: Api, situacao: string): Promise<number> =>
    (await enviar(em, 'PATCH', caminho, { situacao })).status;
  await repetir(
    t,
    async () => (await ler(caminho)).situacao,
    async () => t.is(await mudar(interrompido, 'solucionado'), 200),
    async () => t.is(await mudar(api, 'cancelado'), 422),
    'solucionado',
  );
});

test('um PIX já conhecido é respondido depois de marcado o que a primeira vez gravou', async (t) => {
  const { provedor, cliente, ler } = await cenario();
  const fatura = await fabrica.fatura(provedor, { cliente_id: cliente, pix_txid: 'TXREPETIDO1', valor: '10.00' });
  const { segredo } = await api.container.receptores.criar(TERMINAL, provedor, { nome: 'Banco de teste' });
  const horario = new Date().toISOString();
  const pix = { endToEndId: novoFimAFim(), txid: 'TXREPETIDO1', valor: '99.00', horario };
  await repetir(
    t,
    async () => (await ler(`/faturas/${fatura}`)).situacao,
    async () => t.notDeepEqual(await criarPsp(interrompido).avisar(segredo, [pix]), ['repetida']),
    async () => t.deepEqual(await criarPsp(api).avisar(segredo, [pix], 1), ['repetida']),
    'paga',
  );
});

test('o que o terminal repete e já vale também é marcado', async (t) => {
  const { provedor, ler } = await cenario();
  const mudar = async ({ container }: Api): Promise<unknown> =>
    container.configuracao.configurar(TERMINAL, provedor, { nome: 'Nome novo' });
  await repetir(
    t,
    async () => (await ler('/status')).provedor,
    async () => mudar(interrompido),
    async () => mudar(api),
    'Nome novo',
  );
});
