import test from 'ava';
import { acompanharContratos } from '../../../src/domain/clientes/situacao.service.ts';
import { situacaoPelosContratos } from '../../../src/domain/clientes/situacao.regras.ts';
import { SITUACOES_DE_CLIENTE } from '../../../src/domain/clientes/clientes.types.ts';
import { createEncerramentoService } from '../../../src/domain/desbloqueios/encerramento.service.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { EM, criarCasa } from '../contratos/apoio.ts';
import type { Casa } from '../contratos/apoio.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const relogio = relogioEm(AGORA);
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

const bloquear = async (casa: Casa, id: number) =>
  casa.mudar(async ({ movimentos }) => movimentos.bloquear(id, { motivo: 'teste' }));
const liberar = async (casa: Casa, id: number) => casa.mudar(async ({ movimentos }) => movimentos.liberar(id, {}));

test('o cliente fica bloqueado quando o último contrato vigente o fica, e volta com o primeiro liberado', async (t) => {
  const casa = await criarCasa(api);
  const [um, outro] = [await casa.contrato(), await casa.contrato()];
  await casa.contrato(EM.cancelado);
  const chave = (await api.criarChave(casa.provedor)).texto;
  const lida = async (processo: number) =>
    (await api.get(`/clientes/${casa.cliente}`, { chave, processo })).corpo.dados.situacao;
  t.is(await lida(1), 'ativo');
  await bloquear(casa, um);
  t.is(await lida(1), 'ativo');
  await bloquear(casa, outro);
  for (const processo of [0, 1]) t.is(await lida(processo), 'bloqueado');
  await liberar(casa, um);
  for (const processo of [0, 1]) t.is(await lida(processo), 'ativo');
  const tipos = (await casa.eventos()).filter(({ tipo }) => tipo === 'cliente.atualizado');
  t.deepEqual(
    tipos.map(({ dados }) => dados),
    [1, 2].map(() => ({ cliente: casa.cliente, campos: ['situacao'] })),
  );
});

test('cancelar o que não estava bloqueado deixa o cliente bloqueado; cancelar o último, ativo', async (t) => {
  const casa = await criarCasa(api);
  const [bloqueado, ativo] = [await casa.contrato(EM.bloqueado), await casa.contrato()];
  const cancelar = async (id: number) =>
    casa.mudar(async ({ movimentos }) => movimentos.cancelar(id, { faturas_futuras: 'manter' }));
  await cancelar(ativo);
  t.is(await casa.situacaoDoCliente(), 'bloqueado');
  await cancelar(bloqueado);
  t.is(await casa.situacaoDoCliente(), 'ativo');
});

for (const situacao of SITUACOES_DE_CLIENTE.filter((uma) => uma !== 'ativo' && uma !== 'bloqueado')) {
  test(`um cliente ${situacao} fica ${situacao}, bloqueiem-se ou liberem-se os contratos dele`, async (t) => {
    const casa = await criarCasa(api, { cliente: { situacao } });
    const id = await casa.contrato();
    await bloquear(casa, id);
    t.is(await casa.situacaoDoCliente(), situacao);
    await liberar(casa, id);
    t.is(await casa.situacaoDoCliente(), situacao);
  });
}

test('o desbloqueio de confiança conta como liberado, e o fim dele bloqueia de novo quem deve', async (t) => {
  const casa = await criarCasa(api, { regras: { desbloqueio_habilitado: 1 }, cliente: { situacao: 'bloqueado' } });
  const id = await casa.contrato(EM.bloqueado);
  await casa.fabrica.fatura(casa.provedor, { cliente_id: casa.cliente, contrato_id: id, situacao: 'vencida' });
  await casa.mudar(async ({ desbloqueios }) => desbloqueios.aplicar(id, null));
  t.is(await casa.situacaoDoCliente(), 'ativo');
  relogio.avancar(4 * 86_400_000);
  const { db, write, provedores } = api.container;
  await createEncerramentoService({ db, write, provedores, relogio }).encerrar(AUTOR, casa.provedor);
  t.is(await casa.situacaoDoCliente(), 'bloqueado');
  t.is((await casa.ler(id))['situacao'], 'bloqueado');
});

test('quem foi suspenso durante o desbloqueio de confiança, e deve quando ele acaba, volta bloqueado', async (t) => {
  const casa = await criarCasa(api, { regras: { desbloqueio_habilitado: 1 } });
  const id = await casa.contrato(EM.bloqueado);
  await casa.fabrica.fatura(casa.provedor, { cliente_id: casa.cliente, contrato_id: id, situacao: 'vencida' });
  await casa.mudar(async ({ desbloqueios }) => desbloqueios.aplicar(id, null));
  await casa.mudar(async ({ movimentos }) => movimentos.suspender(id, {}));
  relogio.avancar(4 * 86_400_000);
  const { db, write, provedores } = api.container;
  await createEncerramentoService({ db, write, provedores, relogio }).encerrar(AUTOR, casa.provedor);
  t.like(await casa.ler(id), { situacao: 'inativo', bloqueio_origem: 'financeiro' });
  await casa.mudar(async ({ movimentos }) => movimentos.reativar(id, {}));
  t.like(await casa.ler(id), { situacao: 'bloqueado', bloqueio_origem: 'financeiro' });
});

test('a regra, caso a caso', (t) => {
  for (const [atual, vigentes, bloqueados, depois] of [
    ['ativo', 0, 0, 'ativo'],
    ['ativo', 2, 1, 'ativo'],
    ['ativo', 2, 2, 'bloqueado'],
    ['bloqueado', 2, 2, 'bloqueado'],
    ['bloqueado', 2, 1, 'ativo'],
    ['bloqueado', 0, 0, 'ativo'],
    ['observacao', 1, 1, 'observacao'],
  ] as const) {
    t.is(situacaoPelosContratos(atual, { vigentes, bloqueados }), depois);
  }
});

test.serial('muitos clientes acompanham os seus contratos em tantos comandos quantos poucos', async (t) => {
  const contar = async (quantos: number): Promise<number> => {
    const casa = await criarCasa(api);
    const clientes: number[] = [];
    for (let n = 0; n < quantos; n += 1) {
      const cliente_id = await casa.fabrica.cliente(casa.provedor, { situacao: n % 2 === 0 ? 'ativo' : 'bloqueado' });
      clientes.push(cliente_id);
      await casa.contrato({ cliente_id, ...(n % 2 === 0 ? EM.bloqueado : {}) });
    }
    let comandos = 0;
    const somar = (): void => void (comandos += 1);
    api.container.db.on('query', somar);
    await api.container.write(AUTOR, casa.provedor, async (w) => acompanharContratos(w, clientes));
    api.container.db.off('query', somar);
    t.is((await casa.linhas('clientes', { situacao: 'bloqueado' })).length, quantos / 2);
    return comandos;
  };
  t.is(await contar(40), await contar(2));
});
