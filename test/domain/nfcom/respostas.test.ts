import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { createAnotacao } from '../../../src/domain/nfcom/envio/anotacao/anotacao.ts';
import type { Feita, Tomada } from '../../../src/domain/nfcom/envio/envio.types.ts';
import { createFilaQueries } from '../../../src/domain/nfcom/envio/fila.queries.ts';
import { abrirAutoridade } from '../../../seeds/autoridade/autoridade.ts';
import type { Autoridade, Humor, Operacao } from '../../../seeds/autoridade/autoridade.ts';
import { evento } from '../../../seeds/autoridade/respostas.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { ate } from '../../support/espera.ts';
import { cartorio, enviarTudo, escrever, passarTempo, provedorFiscal } from '../../support/fiscal.ts';
import type { ProvedorFiscal } from '../../support/fiscal.ts';
import { relogioEm } from '../../support/relogio.ts';
import { criarTomada } from '../../support/tomada.ts';

// What an authority says too late, in contradiction to itself, or as nonsense.

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

const um = async (id: number) => api.dono('nfcom').where('id', id).first();
const enviar = async () => enviarTudo(api.container);
const pedir = async (p: ProvedorFiscal) => p.pedir((await p.fatura()).fatura);
const cancelar = async (p: ProvedorFiscal, id: number) =>
  escrever(api.container, p.provedor, async ({ nfcom }) =>
    nfcom.cancelar(id, { justificativa: 'emitida em duplicidade' }),
  );
const livres = async (p: ProvedorFiscal) =>
  api.dono('nfcom_numeros_livres').where('provedor_id', p.provedor).pluck('numero');
const passar = async (quanto: number, passo: number) =>
  passarTempo({ container: api.container, relogio }, quanto, passo);

/** A note that the authority has, and says that it does not have until it was given up. */
async function desistidaQueChegou(
  p: ProvedorFiscal,
  fatura: number,
  como = async () => p.pedir(fatura),
): Promise<{ id: number; chave: string }> {
  const id = await como();
  humor = (operacao) => (operacao === 'recepcao' ? { perder: 'depois' } : { cStat: '217' });
  await enviar();
  const { chave } = await um(id);
  await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.pausar({}));
  relogio.avancar(5 * MINUTO);
  await enviar();
  const contada = await p.ler(async ({ notas }) => notas.quantasPorSair({}));
  await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.descartarQueEsperam({}, contada));
  await enviar();
  humor = () => ({});
  await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.continuar());
  return { id, chave: String(chave) };
}

test.serial('a nota de que se desistiu e que chegou: a outra da mesma fatura é ela, e não há duas', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const { fatura } = await p.fatura();
  const { id, chave } = await desistidaQueChegou(p, fatura);
  t.like(await um(id), { situacao: 'rejeitada', motivo_codigo: 'descartada', chave: null });
  const outra = await p.pedir(fatura);
  await enviar();
  t.like(await um(outra), { situacao: 'autorizada', numero: 1, chave });
  t.like(await um(id), { situacao: 'rejeitada', motivo_codigo: 'descartada', chave: null });
  t.is([...autoridade.notas.values()].filter((nota) => nota.chave.slice(6, 25) === chave.slice(6, 25)).length, 1);
  const seguinte = await pedir(p);
  await enviar();
  t.like(await um(seguinte), { situacao: 'autorizada', numero: 2 });
  t.deepEqual(await livres(p), []);
});

test.serial('a nota de que se desistiu e que chegou tem o seu número de volta, se o levou outra fatura', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const { fatura } = await p.fatura();
  const { id, chave } = await desistidaQueChegou(p, fatura);
  const outra = await pedir(p);
  await enviar();
  t.like(await um(id), { situacao: 'autorizada', numero: 1, chave });
  t.like(await um(outra), { situacao: 'autorizada', numero: 2 });
});

test.serial(
  'a que chegou com o número que levou outra fatura é a que espera no seu lugar, e não há duas',
  async (t) => {
    const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 1 } });
    const { fatura } = await p.fatura();
    const { id, chave } = await desistidaQueChegou(p, fatura);
    const alheia = await pedir(p);
    const outra = await p.pedir(fatura);
    await enviar();
    t.like(await um(outra), { situacao: 'autorizada', numero: 1, chave });
    t.like(await um(id), { situacao: 'rejeitada', motivo_codigo: 'descartada', chave: null });
    t.like(await um(alheia), { situacao: 'autorizada', numero: 2 });
    t.deepEqual(await livres(p), []);
  },
);

test.serial(
  'quem tem presa uma nota já feita da fatura não faz esperar a que espera no lugar da que chegou',
  async (t) => {
    const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 1 } });
    const { fatura } = await p.fatura();
    const feita = await p.pedir(fatura);
    await enviar();
    await cancelar(p, feita);
    await enviar();
    const { chave } = await desistidaQueChegou(p, fatura);
    await pedir(p);
    const outra = await p.pedir(fatura);
    const presa = await api.dono.transaction();
    t.teardown(async () => presa.rollback());
    await presa('nfcom').where('id', feita).forUpdate().first();
    await enviar();
    t.like(await um(outra), { situacao: 'autorizada', numero: 2, chave });
  },
);

test.serial(
  'o ajuste de que se desistiu e que chegou não é o outro, que devolve outra parte da mesma nota',
  async (t) => {
    const p = await provedorFiscal(api, autoridade);
    const { fatura } = await p.fatura();
    const nota = await p.pedir(fatura);
    await enviar();
    const ajustar = async (valor: string) =>
      escrever(api.container, p.provedor, async ({ nfcom }) =>
        nfcom.ajustar(nota, { itens: [{ item: 1, valor }], motivo: 'dias sem serviço' }),
      );
    const { id, chave } = await desistidaQueChegou(p, fatura, async () => ajustar('10.00'));
    const outro = await ajustar('20.00');
    await enviar();
    t.like(await um(id), { situacao: 'autorizada', numero: 2, chave, valor: '10.00' });
    t.like(await um(outro), { situacao: 'autorizada', numero: 3, valor: '20.00' });
  },
);

test.serial(
  'um 539 com a chave de outro número não traz de volta a nota que o teve, e vinte param a fila',
  async (t) => {
    const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 8 } });
    const { fatura } = await p.fatura();
    const { id, chave } = await desistidaQueChegou(p, fatura);
    const primeira = await pedir(p);
    humor = (operacao) => (operacao === 'recepcao' ? { perder: 'antes' } : {});
    await enviar();
    t.like(await um(primeira), { numero: 1 });
    let ditas = 0;
    humor = (operacao) => {
      // It would go on and on.
      if (operacao !== 'recepcao' || ditas >= 100) return {};
      ditas += 1;
      return {
        cStat: '539',
        mudar: (resposta) => resposta.replaceAll('Rejeicao: por pedido do teste', `Duplicidade [chNFCom:${chave}]`),
      };
    };
    for (let n = 0; n < 30; n += 1) await pedir(p);
    // The number of the first one is the key's own, and that note has it back.
    await passar(30 * MINUTO, 5 * MINUTO);
    t.like(await um(id), { situacao: 'autorizada', numero: 1, chave });
    t.like(await api.dono('nfcom_filas').where('provedor_id', p.provedor).first(), { codigo: 'numeros_de_outro' });
    t.true(ditas <= 21, String(ditas));
  },
);

test.serial('a resposta que se estraga no caminho não diz que a nota não chegou: pergunta-se por ela', async (t) => {
  const via = await criarTomada({ host: '127.0.0.1', port: autoridade.porta });
  t.teardown(async () => via.fechar());
  const pelaOutra = JSON.stringify(autoridade.autorizador).replaceAll(`:${autoridade.porta}`, `:${via.porta}`);
  const p = await provedorFiscal(api, { autorizador: JSON.parse(pelaOutra) as Autoridade['autorizador'] });
  const { fatura } = await p.fatura();
  const id = await p.pedir(fatura);
  humor = (operacao) => {
    if (operacao === 'recepcao') via.estragar();
    return {};
  };
  await enviar();
  await via.voltar();
  t.like(await um(id), { situacao: 'processando', etapa: 'consultar', numero: 1 });
  await api.dono('faturas').where('id', fatura).update({ situacao: 'cancelada' });
  relogio.avancar(5 * MINUTO);
  await enviar();
  t.like(await um(id), { situacao: 'autorizada', numero: 1 });
  t.deepEqual(await livres(p), []);
});

for (const [nome, como] of Object.entries<Humor>({
  'não responde': { perder: 'antes' },
  'recusa o pedido': { cStat: '243' },
})) {
  test.serial(`o serviço da situação ${nome}: depois de um 108 uma nota descobre se a autoridade voltou`, async (t) => {
    const p = await provedorFiscal(api, autoridade);
    const id = await pedir(p);
    humor = (operacao) => (operacao === 'recepcao' ? { cStat: '108' } : {});
    await enviar();
    humor = (operacao) => (operacao === 'status' ? como : {});
    relogio.avancar(3.5 * MINUTO);
    await enviar();
    t.like(await um(id), { situacao: 'processando', etapa: 'enviar' });
    relogio.avancar(3.5 * MINUTO);
    await enviar();
    t.is((await um(id)).situacao, 'autorizada');
  });
}

test.serial('a consulta recusada não diz do cancelamento: ele é perguntado de novo, dez vezes', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const ids = [await pedir(p), await pedir(p)];
  await enviar();
  for (const id of ids) await cancelar(p, id);
  humor = (operacao) => (operacao === 'evento' ? { perder: 'depois' } : { cStat: '252' });
  await enviar();
  await passar(10 * MINUTO, 5 * MINUTO);
  const eventoDe = async (id: number) => api.dono('nfcom_eventos').where('nfcom_id', id).first();
  for (const id of ids) {
    t.like(await um(id), { situacao: 'autorizada', etapa: 'conferir_cancelamento' });
    t.is((await eventoDe(id)).estado, 'pendente');
  }
  const [ouvida = 0, calada = 0] = ids;
  const { chave } = await um(calada);
  humor = (_operacao, dela) => (dela === chave ? { cStat: '252' } : {});
  await passar(150 * MINUTO, 10 * MINUTO);
  t.is((await um(ouvida)).situacao, 'cancelada');
  t.like(await um(calada), { situacao: 'autorizada', etapa: null });
  t.like(await eventoDe(calada), { estado: 'recusado', codigo: '252' });
  const feitas = api.dono('nfcom_tentativas').where({ nfcom_id: calada, codigo: '252' });
  t.is((await feitas).length, 10);
});

test.serial('o cancelamento de outra nota, na resposta à consulta desta, não a cancela', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const id = await pedir(p);
  await enviar();
  await cancelar(p, id);
  const deOutra = evento({
    ambiente: '2',
    cStat: '135',
    motivo: 'Evento registrado',
    chave: '35260822570047000123620010000000021012345671',
    protocolo: '3432600000000017',
    em: '2026-11-20T12:00:00-03:00',
  });
  const comEla = (resposta: string): string =>
    resposta.replace('</retConsSitNFCom>', `<procEventoNFCom>${deOutra}</procEventoNFCom></retConsSitNFCom>`);
  humor = (operacao) => (operacao === 'evento' ? { perder: 'antes' } : { mudar: comEla });
  await enviar();
  await passar(10 * MINUTO, 5 * MINUTO);
  t.is((await um(id)).situacao, 'autorizada');
  humor = () => ({ mudar: comEla });
  await passar(30 * MINUTO, 10 * MINUTO);
  t.is((await um(id)).situacao, 'cancelada');
  t.is(autoridade.notas.get((await um(id)).chave)?.situacao, '101');
});

/** A note as a process has it that took it and came back late. */
async function tomada(id: number, etapa: Tomada['etapa']): Promise<Tomada> {
  const { chave, ambiente, protocolo, xml_assinado: xml, digest } = await um(id);
  return { id, etapa, chave, ambiente, protocolo, xml, digest };
}
const anotar = async (p: ProvedorFiscal, feita: Feita) =>
  api.container.write(TERMINAL, p.provedor, async (w) => {
    const fila = await createFilaQueries(w).travar();
    await createAnotacao(w, fila, 'homologacao', relogio.agora()).anotar(feita);
  });

test.serial('o processo que perdeu a vez e nada perguntou não muda a nota que outro já terminou', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const id = await pedir(p);
  await enviar();
  const nota = await tomada(id, 'enviar');
  const nada = { fez: 'nada', nota, codigo: 'certificado_invalido', motivo: 'venceu' } as const;
  await anotar(p, nada);
  t.like(await um(id), { situacao: 'autorizada', etapa: null, proxima_em: null });
  // It still is this process's: it is to be sent.
  const dela = { situacao: 'processando', etapa: 'consultar', proxima_em: '2026-11-20 15:00:40.000' };
  await api.dono('nfcom').where('id', id).update(dela);
  await anotar(p, nada);
  t.like(await um(id), { etapa: 'enviar' });
  // Where the program failed, it may have been sent.
  await api.dono('nfcom').where('id', id).update(dela);
  await anotar(p, { ...nada, codigo: 'falha_interna' });
  t.like(await um(id), { etapa: 'consultar' });
});

test.serial('o que se responde tarde ao que se assinou antes não vale do que se assinou depois', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const id = await pedir(p);
  humor = (operacao) => (operacao === 'recepcao' ? { cStat: '427' } : {});
  await enviar();
  const antes = await tomada(id, 'conferir');
  relogio.avancar(MINUTO);
  await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.reemitir(id));
  humor = (operacao) => (operacao === 'recepcao' ? { perder: 'antes' } : {});
  await enviar();
  const depois = await um(id);
  t.like(depois, { situacao: 'processando', etapa: 'consultar', chave: antes.chave });
  t.not(depois.digest, antes.digest);
  await anotar(p, { fez: 'nota', nota: antes, desfecho: { tipo: 'nao_consta' }, duracaoMs: 1 });
  t.like(await um(id), { situacao: 'processando', etapa: 'consultar', digest: depois.digest });
});

/** Where it cannot be written what the authority said, that is tried over and over. */
async function autoriza(id: number): Promise<void> {
  await api.container.envioNfcom.entregar();
  await ate(async () => (await um(id)).situacao === 'autorizada');
}

test.serial('a nota sem documento que a autoridade não tem é montada de novo, e não prende as outras', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const id = await pedir(p);
  humor = (operacao) => (operacao === 'recepcao' ? { perder: 'antes' } : {});
  await enviar();
  humor = () => ({});
  await api.dono('nfcom').where('id', id).update({ xml_assinado: null, digest: null });
  relogio.avancar(5 * MINUTO);
  await autoriza(id);
  t.like(await um(id), { situacao: 'autorizada', numero: 1 });
});

for (const [nome, mudar] of Object.entries<(resposta: string) => string>({
  'um protocolo de trinta algarismos': (resposta) => resposta.replaceAll(/<nProt>[^<]*/g, `<nProt>${'9'.repeat(30)}`),
  'um protocolo que não é número': (resposta) => resposta.replaceAll(/<nProt>[^<]*/g, '<nProt>três'),
})) {
  test.serial(`${nome} não é nenhum: pergunta-se de novo, e as outras notas saem`, async (t) => {
    const p = await provedorFiscal(api, autoridade);
    const id = await pedir(p);
    humor = () => ({ mudar });
    await api.container.envioNfcom.entregar();
    await ate(async () => (await api.dono('nfcom_tentativas').where('nfcom_id', id)).length > 0);
    await api.container.envioNfcom.terminar();
    humor = () => ({});
    const outra = await pedir(p);
    await passar(20 * MINUTO, 5 * MINUTO);
    for (const uma of [id, outra]) t.is((await um(uma)).situacao, 'autorizada');
  });
}

test.serial('a hora que não pode ser vale como se não viesse', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const horas = ['+275760-09-13T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T00:00:00Z', 'ontem', ''];
  for (const hora of horas) {
    humor = () => ({ mudar: (resposta) => resposta.replaceAll(/<(dhRecbto|dhRegEvento)>[^<]*/g, `<$1>${hora}`) });
    const id = await pedir(p);
    await autoriza(id);
    t.like(await um(id), { situacao: 'autorizada', autorizada_em: '2026-11-20 15:00:00.000' }, hora);
    await cancelar(p, id);
    await enviar();
    t.like(await um(id), { situacao: 'cancelada', cancelada_em: '2026-11-20 15:00:00.000' }, hora);
  }
});
