import test from 'ava';
import { recusasSeguidas } from '../../../src/domain/nfcom/envio/turnos/turnos.regras.ts';
import { situacaoDasFilas } from '../../../src/domain/nfcom/envio/fila.queries.ts';
import { evento } from '../../../seeds/autoridade/respostas.ts';
import type { NotaAutorizada } from '../../../seeds/autoridade/respostas.ts';
import { abrirAutoridade } from '../../../seeds/autoridade/autoridade.ts';
import type { Autoridade, Humor, Operacao } from '../../../seeds/autoridade/autoridade.ts';
import { criarApi } from '../../support/api.ts';
import { toDatabaseTime } from '../../../src/platform/mysql/database.ts';
import type { Api } from '../../support/api.ts';
import { cartorio, enviarTudo, escrever, passarTempo, provedorFiscal } from '../../support/fiscal.ts';
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

const um = async (id: number) => api.dono('nfcom').where('id', id).first();
const enviar = async () => enviarTudo(api.container);
const fila = async (p: ProvedorFiscal) => api.dono('nfcom_filas').where('provedor_id', p.provedor).first();
const consultas = async (id: number) => api.dono('nfcom_tentativas').where({ nfcom_id: id, operacao: 'consulta' });
const pedirNota = async (p: ProvedorFiscal) => p.pedir((await p.fatura()).fatura);

const porEnviar = async (p: ProvedorFiscal): Promise<number> =>
  (await api.dono('nfcom').where('provedor_id', p.provedor).whereIn('etapa', ['montar', 'enviar'])).length;
const perguntas = async (p: ProvedorFiscal): Promise<number> => {
  const delas = { provedor_id: p.provedor, ambiente: 'homologacao', operacao: 'consulta' };
  return (await api.dono('nfcom_tentativas').where(delas)).length;
};

/** Twenty-six notes, of each of which the answer is lost after it was taken. */
async function perderTodas(p: ProvedorFiscal): Promise<number[]> {
  const perdidas: number[] = [];
  humor = () => ({ perder: 'depois' });
  for (const vez of [13, 13]) {
    for (let n = 0; n < vez; n += 1) perdidas.push(await pedirNota(p));
    await enviar();
    // As if the authority had answered something since: the next ones go together again.
    await api
      .dono('nfcom_filas')
      .where('provedor_id', p.provedor)
      .update({ parada_ate: null, codigo: null, falhas: 0 });
  }
  return perdidas;
}

/** As if much had been sent, and much asked of the authority of real notes. */
async function fazerMuito(p: ProvedorFiscal, nfcom_id: number): Promise<void> {
  const uma = { provedor_id: p.provedor, nfcom_id, duracao_ms: 1, em: toDatabaseTime(relogio.agora()) };
  const envios = Array.from({ length: 250 }, () => ({
    ...uma,
    ambiente: 'homologacao',
    operacao: 'envio',
    codigo: '100',
  }));
  const deVerdade = envios.map((envio) => ({ ...envio, ambiente: 'producao', operacao: 'consulta', codigo: '217' }));
  await api.dono('nfcom_tentativas').insert([...envios, ...deVerdade]);
}

const estadoDaFila = async (p: ProvedorFiscal) => p.ler(async ({ configuracaoNfcom }) => configuracaoNfcom.fila());

const passar = async (quanto: number, passo: number) =>
  passarTempo({ container: api.container, relogio }, quanto, passo);

test.serial(
  'a nota cuja consulta se recusa para sempre não para a fila, e fica para uma pessoa, que reemite sem arriscar',
  async (t) => {
    const p = await provedorFiscal(api, autoridade);
    const presa = await pedirNota(p);
    humor = () => ({ perder: 'depois' });
    await enviar();
    const { chave, numero } = await um(presa);
    humor = (operacao, qual) => (operacao === 'consulta' && qual === chave ? { cStat: '252' } : {});
    await passar(5 * 60 * MINUTO, MINUTO);
    t.like(await um(presa), { situacao: 'rejeitada', motivo_codigo: 'consulta_recusada', etapa: null, chave, numero });
    t.regex((await um(presa)).motivo, /recusou a consulta 10 vezes \(252\)/);
    t.is((await consultas(presa)).length, 10);
    const outra = await pedirNota(p);
    await enviar();
    t.is((await um(outra)).situacao, 'autorizada');

    // Whoever gives it up, or has it issued anew, has the authority asked first; it may have the note, and does.
    await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.descartar(presa));
    await enviar();
    t.like(await um(presa), { situacao: 'rejeitada', motivo_codigo: '252', chave, numero });
    humor = () => ({});
    await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.reemitir(presa));
    await enviar();
    t.like(await um(presa), { situacao: 'autorizada', chave, numero });
    t.is(autoridade.recebidas.filter((uma) => uma.chave === chave).length, 1);
  },
);

test.serial(
  'da nota emitida em contingência cuja consulta se recusa o prazo continua dito, até que se saiba dela',
  async (t) => {
    const p = await provedorFiscal(api, autoridade);
    await escrever(api.container, p.provedor, async (e) =>
      e.configuracaoNfcom.entrarEmContingencia({ justificativa: 'a autoridade não responde desde cedo' }),
    );
    const pendente = async () => p.ler(async ({ configuracaoNfcom }) => configuracaoNfcom.contingenciaPendente());
    const presa = await pedirNota(p);
    humor = () => ({ perder: 'depois' });
    await enviar();
    humor = (operacao) => (operacao === 'consulta' ? { cStat: '252' } : {});
    await passar(5 * 60 * MINUTO, MINUTO);
    t.like(await um(presa), { situacao: 'rejeitada', motivo_codigo: 'consulta_recusada', tipo_emissao: 2 });
    const dita = { notas: 1, prazo: '2026-11-23' };
    t.deepEqual(await pendente(), dita);
    // Asked about again, and refused again: nothing more is known of it.
    await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.reemitir(presa));
    t.deepEqual(await pendente(), dita);
    await enviar();
    t.like(await um(presa), { situacao: 'rejeitada', motivo_codigo: '252' });
    t.deepEqual(await pendente(), dita);
    humor = () => ({});
    await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.reemitir(presa));
    await enviar();
    t.is((await um(presa)).situacao, 'autorizada');
    t.is(await pendente(), null);

    // One that was given up is to be with the authority no more.
    await api.dono('nfcom').where('id', presa).update({ situacao: 'rejeitada', motivo_codigo: 'descartada' });
    t.is(await pendente(), null);
  },
);

test.serial(
  'recusas de consulta de muitas notas seguram as consultas, e não a fila: o que está por enviar sai',
  async (t) => {
    const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 16 } });
    await perderTodas(p);
    humor = (operacao) => (operacao === 'consulta' ? { cStat: '252' } : {});
    await passar(30 * MINUTO, MINUTO);
    t.like(await fila(p), { codigo: null, rejeicao: null, rejeicoes: 0 });
    const segurada = (await fila(p)).sem_perguntar_ate;
    t.true(segurada > '2026-11-20 15:30:00.000');
    const recusas = async () =>
      (await api.dono('nfcom_tentativas').where({ provedor_id: p.provedor, operacao: 'consulta', codigo: '252' }))
        .length;
    t.is(await recusas(), 20);
    const nova = await pedirNota(p);
    await enviar();
    t.is((await um(nova)).situacao, 'autorizada');

    // However much is sent meanwhile, after an hour one question finds out, and another hour begins.
    await fazerMuito(p, nova);
    await passar(61 * MINUTO, MINUTO);
    t.is(await recusas(), 21);
    t.true((await fila(p)).sem_perguntar_ate > segurada);

    // Whoever mended what it was has it asked at once; it is still one question that finds out.
    await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.retomar());
    await enviar();
    t.is(await recusas(), 22);
    humor = () => ({});
    await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.retomar());
    await enviar();
    t.like(await fila(p), { sem_perguntar_ate: null, codigo: null });
    t.is(await porEnviar(p), 0);
  },
);

test.serial(
  'as recusas contam-se ainda que entre uma e outra se envie muito, ou se pergunte muito à outra autoridade',
  async (t) => {
    const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 16 } });
    const autorizada = await pedirNota(p);
    await enviar();
    for (let n = 0; n < 5; n += 1) await pedirNota(p);
    humor = () => ({ perder: 'depois' });
    await enviar();
    humor = (operacao) => (operacao === 'consulta' ? { cStat: '252' } : {});
    const deAntes = await perguntas(p);
    for (let vez = 0; vez < 90; vez += 1) {
      await fazerMuito(p, autorizada);
      relogio.avancar(MINUTO);
      await enviar();
    }
    // Twenty in less than half an hour, then one an hour.
    t.is((await perguntas(p)) - deAntes, 21);
    t.truthy((await fila(p)).sem_perguntar_ate);
  },
);

test.serial(
  'de poucas notas também não se recusam mais de vinte perguntas seguidas; sem nenhuma por perguntar nada se diz segurado',
  async (t) => {
    const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 16 } });
    const perdidas = await Promise.all(Array.from({ length: 5 }, async () => pedirNota(p)));
    humor = () => ({ perder: 'depois' });
    await enviar();
    humor = (operacao) => (operacao === 'consulta' ? { cStat: '252' } : {});
    const deAntes = await perguntas(p);
    await passar(90 * MINUTO, MINUTO);
    // Twenty in less than half an hour, then one an hour.
    t.is((await perguntas(p)) - deAntes, 21);
    t.truthy((await estadoDaFila(p)).semPerguntarAte);
    const daFila = async () => situacaoDasFilas(api.container.db, relogio.agora());
    const { paradas } = await daFila();

    // Left to people, or given up: what waits besides is not held.
    await api.dono('nfcom').whereIn('id', perdidas).update({ situacao: 'rejeitada', etapa: null });
    await pedirNota(p);
    t.is((await daFila()).paradas, paradas - 1);
    t.is((await estadoDaFila(p)).semPerguntarAte, null);
    await enviar();
  },
);

test.serial(
  'depois de uma queda em que só a Consulta não volta, as notas por enviar saem, e pergunta-se por uma de cada vez',
  async (t) => {
    const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 8 } });
    const perdidas = await Promise.all(Array.from({ length: 8 }, async () => pedirNota(p)));
    humor = () => ({ perder: 'depois' });
    await enviar();
    for (const id of perdidas) t.is((await um(id)).etapa, 'consultar');
    t.like(await fila(p), { codigo: 'sem_resposta' });

    humor = (operacao) => (operacao === 'consulta' ? { perder: 'antes' } : {});
    const novas: number[] = [];
    for (let n = 0; n < 5; n += 1) novas.push(await pedirNota(p));
    await passar(3 * MINUTO, 2000);
    for (const id of novas) t.is((await um(id)).situacao, 'autorizada');
    for (const id of perdidas) t.is((await um(id)).etapa, 'consultar');
    t.like(await fila(p), { codigo: null, parada_ate: null });

    humor = () => ({});
    await passar(15 * MINUTO, MINUTO);
    for (const id of perdidas) t.is((await um(id)).situacao, 'autorizada');
  },
);

test.serial(
  'quem manda emitir de novo muitas vezes não faz perguntar por uma chave mais de dez vezes por hora',
  async (t) => {
    const p = await provedorFiscal(api, autoridade);
    const id = await pedirNota(p);
    humor = (operacao) => (operacao === 'recepcao' ? { cStat: '427' } : {});
    await enviar();
    const deNovo = async () => {
      relogio.avancar(MINUTO);
      await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.reemitir(id));
      await enviar();
    };
    for (let vez = 1; vez <= 10; vez += 1) {
      await deNovo();
      t.is((await um(id)).situacao, 'rejeitada', String(vez));
    }
    humor = () => ({});
    await deNovo();
    // Ten minutes after the first of them, it waits until that is an hour ago; others do not.
    t.like(await um(id), { situacao: 'pendente', etapa: 'conferir', proxima_em: '2026-11-20 16:01:00.000' });
    const outra = await pedirNota(p);
    await enviar();
    t.is((await um(outra)).situacao, 'autorizada');
    relogio.avancar(48 * MINUTO);
    await enviar();
    t.is((await consultas(id)).length, 10);
    relogio.avancar(2 * MINUTO);
    await enviar();
    t.is((await um(id)).situacao, 'autorizada');
    t.is((await consultas(id)).length, 11);
  },
);

test('de uma consulta a que se responde só que a fila pare não se conta nada da nota', (t) => {
  const recusa = (codigo: string | null) => ({
    nfcom_id: 1,
    operacao: 'consulta' as const,
    codigo,
    erro: null,
    em: '',
  });
  const ultimas = ['252', '678', '252', null, '108', '252', '217', '252'].map(recusa);
  t.is(recusasSeguidas(ultimas), 3);
});

test.serial(
  'a autoridade que recusa toda pergunta, e recebe notas, é perguntada de novo por uma nota de hora em hora',
  async (t) => {
    const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 16 } });
    const perdidas = await perderTodas(p);
    t.is(await porEnviar(p), 0);
    humor = (operacao) => (operacao === 'consulta' ? { cStat: '252' } : {});
    const deAntes = await perguntas(p);
    const feitas = async (): Promise<number> => (await perguntas(p)) - deAntes;
    // Notes that are taken all the while leave no row of equal rejections to stop the queue.
    const horas = async (quantas: number) => {
      for (let vez = 0; vez < quantas * 12; vez += 1) {
        await pedirNota(p);
        relogio.avancar(5 * MINUTO);
        await enviar();
      }
    };
    await horas(2);
    const ateAqui = await feitas();
    t.true(ateAqui <= 40, String(ateAqui));
    t.is((await fila(p)).parada_ate, null);
    await horas(4);
    const deHoraEmHora = (await feitas()) - ateAqui;
    t.true(deHoraEmHora >= 3 && deHoraEmHora <= 5, String(deHoraEmHora));
    // One after the other, the one that was asked about longest ago first; and nothing is written of those that wait.
    const ultimas = await api
      .dono('nfcom_tentativas')
      .where({ provedor_id: p.provedor, operacao: 'consulta' })
      .orderBy('id', 'desc')
      .limit(deHoraEmHora)
      .pluck('nfcom_id');
    t.is(new Set(ultimas).size, deHoraEmHora);
    const esperam = await api.dono('nfcom').where({ provedor_id: p.provedor, etapa: 'consultar' }).pluck('proxima_em');
    t.true(new Set(esperam).size > 1);
    humor = () => ({});
    await horas(2);
    for (const id of perdidas) t.like(await um(id), { situacao: 'autorizada' });
  },
);

test.serial('de quantas chaves se tenha perguntado dez vezes na hora, adiam-se em poucos comandos', async (t) => {
  const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 16 } });
  const ids: number[] = [];
  for (let n = 0; n < 12; n += 1) ids.push(await pedirNota(p));
  const em = '2026-11-20 14:30:00.000';
  const enviada = { etapa: 'consultar', situacao: 'processando', proxima_em: em };
  for (const id of ids) {
    const chave = `31${String(id).padStart(42, '0')}`;
    await api
      .dono('nfcom')
      .where('id', id)
      .update({ ...enviada, chave });
  }
  const uma = { provedor_id: p.provedor, operacao: 'consulta', codigo: '217', duracao_ms: 1, em };
  const dez = ids.flatMap((nfcom_id) => Array.from({ length: 10 }, () => ({ ...uma, nfcom_id })));
  await api.dono('nfcom_tentativas').insert(dez);
  let comandos = 0;
  const ouvir = ({ sql }: { readonly sql: string }): void => {
    if (/^\s*update\b[^]*\bnfcom\b[^]*proxima_em/i.test(sql)) comandos += 1;
  };
  api.container.db.on('query', ouvir);
  await enviar();
  api.container.db.off('query', ouvir);
  for (const id of ids) t.like(await um(id), { etapa: 'consultar', proxima_em: '2026-11-20 15:30:00.000' });
  t.is(comandos, 1);
  // Nobody has signed them: once they are due, whoever sends would find that out again and again.
  await api.dono('nfcom').whereIn('id', ids).update({ etapa: null });
});

test.serial(
  'a nota que outro programa cancelou é do dia em que a autoridade o registrou, com o documento que ela dá',
  async (t) => {
    const p = await provedorFiscal(api, autoridade);
    const [comEvento, semEvento] = [await pedirNota(p), await pedirNota(p)];
    humor = () => ({ perder: 'depois' });
    await enviar();
    for (const id of [comEvento, semEvento]) t.is((await um(id)).etapa, 'consultar');
    const cancelar = async (id: number, eventos: (chave: string) => string[]): Promise<void> => {
      const { chave } = await um(id);
      const notas = autoridade.notas as Map<string, NotaAutorizada>;
      const nota = notas.get(chave);
      if (nota === undefined) throw new Error(`a autoridade não tem a nota ${id}`);
      notas.set(chave, { ...nota, situacao: '101', eventos: eventos(chave) });
    };
    const em = '2026-11-30T23:30:00-03:00';
    const registro = { ambiente: '2', cStat: '136', motivo: 'Evento registrado', protocolo: '3310000000000077', em };
    await cancelar(comEvento, (chave) => [
      `<eventoNFCom versao="1.00"><infEvento><tpEvento>110111</tpEvento></infEvento></eventoNFCom>${evento({ ...registro, chave })}`,
    ]);
    await cancelar(semEvento, () => []);
    humor = () => ({});
    relogio.definir('2026-12-02T15:00:00.000Z');
    await enviar();

    t.like(await um(comEvento), { situacao: 'cancelada', etapa: null, cancelada_em: '2026-12-01 02:30:00.000' });
    const [guardado, outro] = await api.dono('nfcom_eventos').where('nfcom_id', comEvento);
    t.is(outro, undefined);
    t.like(guardado, { estado: 'registrado', codigo: '136', registrado_em: '2026-12-01 02:30:00.000' });
    const documento = async (id: number) => p.ler(async ({ notas }) => notas.cancelamento(id));
    t.regex(String(await documento(comEvento)), /<procEventoNFCom[^]*<eventoNFCom[^]*<nProt>3310000000000077</);

    // Of one whose event the authority does not give, nobody knows more than that it is cancelled.
    t.like(await um(semEvento), { situacao: 'cancelada', cancelada_em: '2026-12-02 15:00:00.000' });
    t.is(await documento(semEvento), null);
  },
);
