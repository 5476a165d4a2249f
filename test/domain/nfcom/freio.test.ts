import test from 'ava';
import type { Dominio } from '../../../src/domain/dominio.ts';
import type { FiltroDeNotas } from '../../../src/domain/nfcom/lista/lista.types.ts';
import { situacaoDasFilas } from '../../../src/domain/nfcom/envio/fila.queries.ts';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { abrirAutoridade } from '../../../seeds/autoridade/autoridade.ts';
import type { Autoridade, Humor, Operacao } from '../../../seeds/autoridade/autoridade.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { cartorio, enviarTudo, escrever, provedorFiscal } from '../../support/fiscal.ts';
import type { ProvedorFiscal } from '../../support/fiscal.ts';
import { relogioEm } from '../../support/relogio.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const MINUTO = 60_000;
const relogio = relogioEm(AGORA);
let api: Api;
let autoridade: Autoridade;
let humor: (operacao: Operacao, chave: string | null) => Humor = () => ({});

test.before(async () => {
  api = await criarApi({ relogio, env: { MALHA_REDES_PERMITIDAS: '127.0.0.1/32' } });
  autoridade = await abrirAutoridade({
    cartorio,
    agora: () => relogio.agora(),
    humor: (...pedido) => humor(...pedido),
    esquema: async () => Promise.resolve(null),
  });
});
test.after.always(async () => {
  await autoridade.fechar();
  await api.fechar();
});
test.beforeEach(() => {
  relogio.definir(AGORA);
  humor = () => ({});
});

const enviar = async () => enviarTudo(api.container);
const um = async (id: number) => api.dono('nfcom').where('id', id).first();
const pedir = async (p: ProvedorFiscal) => p.pedir((await p.fatura()).fatura);
async function ler<T>(p: ProvedorFiscal, fazer: (dominio: Dominio) => Promise<T>): Promise<T> {
  const provedor = await api.container.provedores.exigirPorId(p.provedor);
  return api.container.changeTenant(TERMINAL, provedor, async (dominio) => fazer(dominio));
}
const pausar = async (p: ProvedorFiscal) =>
  escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.pausar({ porque: 'alíquota errada' }));
const continuar = async (p: ProvedorFiscal) =>
  escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.continuar());
const quantas = async (p: ProvedorFiscal, filtro: FiltroDeNotas = {}) =>
  ler(p, async ({ notas }) => notas.quantasPorSair(filtro));
const descartar = async (p: ProvedorFiscal, filtro: FiltroDeNotas, ultima: number) =>
  escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.descartarQueEsperam(filtro, ultima));
const acoes = async (p: ProvedorFiscal): Promise<string[]> =>
  api.dono('auditoria').where({ provedor_id: p.provedor }).orderBy('id').pluck<string[]>('acao');

test.serial(
  'pausado, nada se monta nem se envia; do que já foi enviado pergunta-se, e cancelamentos saem',
  async (t) => {
    const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 1 } });
    const outro = await provedorFiscal(api, autoridade);
    const boa = await pedir(p);
    await enviar();
    const perdida = await pedir(p);
    humor = (operacao) => (operacao === 'recepcao' ? { perder: 'depois' } : {});
    await enviar();
    t.like(await um(perdida), { situacao: 'processando', etapa: 'consultar' });
    humor = () => ({});
    const espera = await pedir(p);
    const doOutro = await pedir(outro);
    await pausar(p);
    t.like(await ler(p, async ({ configuracaoNfcom }) => configuracaoNfcom.fila()), {
      pausa: { desde: relogio.agora(), porque: 'alíquota errada' },
    });
    await t.throwsAsync(pausar(p), { message: /já está pausado/ });
    await escrever(api.container, p.provedor, async ({ nfcom }) =>
      nfcom.cancelar(boa, { justificativa: 'emitida em duplicidade' }),
    );
    relogio.avancar(30 * MINUTO);
    await enviar();
    t.is((await um(perdida)).situacao, 'autorizada');
    t.is((await um(boa)).situacao, 'cancelada');
    t.like(await um(espera), { situacao: 'pendente', etapa: 'montar', numero: null });
    t.is((await um(doOutro)).situacao, 'autorizada');
    // What waits on purpose is not late.
    t.like(await situacaoDasFilas(api.container.db, relogio.agora()), { esperam: 1, atrasoMs: null, paradas: 1 });

    await continuar(p);
    await t.throwsAsync(continuar(p), { message: /não está pausado/ });
    await enviar();
    t.like(await um(espera), { situacao: 'autorizada', numero: 3 });
    const ditas = await acoes(p);
    t.deepEqual(
      ditas.filter((acao) => /pausada|continuada/.test(acao)),
      ['nfcom.fila_pausada', 'nfcom.fila_continuada'],
    );
  },
);

test.serial('em contingência a pausa vale também para o que se emitiria offline', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  await escrever(api.container, p.provedor, async ({ configuracaoNfcom }) =>
    configuracaoNfcom.entrarEmContingencia({ justificativa: 'a autoridade está fora do ar' }),
  );
  const id = await pedir(p);
  await pausar(p);
  await enviar();
  t.like(await um(id), { situacao: 'pendente', numero: null });
});

test.serial(
  'desiste-se junto do que espera e está no filtro; números ficam para as próximas, e o que foi enviado pergunta-se antes',
  async (t) => {
    const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 1 } });
    const autorizada = await pedir(p);
    await enviar();
    // Rejected once, and asked for again: the authority may have it by its key.
    const devolvida = await pedir(p);
    humor = (operacao) => (operacao === 'recepcao' ? { cStat: '402' } : {});
    await enviar();
    t.like(await um(devolvida), { situacao: 'rejeitada', numero: 2 });
    // Signed, and not sent: the authority does not answer when the first of three is sent.
    humor = (operacao) => (operacao === 'recepcao' ? { cStat: '108' } : {});
    const assinadas = [await pedir(p), await pedir(p), await pedir(p)];
    await enviar();
    const [tentada = 0, ...outras] = assinadas;
    t.like(await um(tentada), { etapa: 'enviar', numero: 3, tentativas: 1 });
    for (const id of outras) t.like(await um(id), { etapa: 'enviar', tentativas: 0 });
    await pausar(p);
    humor = () => ({});
    await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.reemitir(devolvida));
    relogio.avancar(30 * MINUTO);
    await enviar();
    t.like(await um(devolvida), { etapa: 'montar', numero: 2 });
    const nova = await pedir(p);
    const { cliente, fatura } = await p.fatura();
    const doCliente = await p.pedir(fatura);
    const contada = await quantas(p);
    const depois = await pedir(p);
    t.deepEqual(contada, { notas: 6, ultima: doCliente });
    t.deepEqual(await quantas(p, { clienteId: cliente }), { notas: 1, ultima: doCliente });
    t.is((await quantas(p, { situacao: 'rejeitada' })).notas, 0);

    t.deepEqual(await descartar(p, { clienteId: cliente }, doCliente), { notas: 1, mais: false });
    t.like(await um(doCliente), { situacao: 'rejeitada', motivo_codigo: 'descartada', etapa: null });
    t.is((await um(nova)).situacao, 'pendente');

    t.deepEqual(await descartar(p, {}, contada.ultima), { notas: 5, mais: false });
    const DESCARTADA = { situacao: 'rejeitada', motivo_codigo: 'descartada', etapa: null, numero: null };
    for (const id of [...outras, nova]) t.like(await um(id), DESCARTADA);
    // Two may be with the authority: they are given up once it says that they are not.
    for (const id of [devolvida, tentada]) t.like(await um(id), { situacao: 'pendente', etapa: 'conferir' });
    t.like(await um(autorizada), { situacao: 'autorizada' });
    t.like(await um(depois), { situacao: 'pendente', etapa: 'montar' });
    await enviar();
    for (const id of [devolvida, tentada]) t.like(await um(id), DESCARTADA);

    await continuar(p);
    const mais = [await pedir(p), await pedir(p), await pedir(p), await pedir(p)];
    await enviar();
    const feitas = await Promise.all([depois, ...mais].map(um));
    t.deepEqual(
      feitas.map(({ situacao, numero }) => [situacao, numero]),
      [2, 3, 4, 5, 6].map((numero) => ['autorizada', numero]),
    );
  },
);
