import test from 'ava';
import { TERMINAL, atorDaTarefa } from '../../../src/domain/actor.ts';
import { createConsultaDeAvisosService } from '../../../src/domain/rede/avisos/consulta.service.ts';
import { createSilencioService } from '../../../src/domain/rede/deteccao/silencio.service.ts';
import { untracked } from '../../../src/platform/cache/trail.ts';
import type { PerfilDeFabrica } from '../../../src/domain/usuarios/permissoes.regras.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import { relogioEm } from '../../support/relogio.ts';
import { carteiro, criarNavegador } from '../push/apoio.ts';

/** Noon and a half in São Paulo. */
const AGORA = '2026-11-20T15:30:00.000Z';
const MINUTO = 60_000;
const HORA = 60 * MINUTO;
/** A server of no provider here, which goes on being heard of. */
const OUTRO = '10.78.0.1';
const TAREFA = atorDaTarefa('rede.medir');

const relogio = relogioEm(AGORA);
let api: Api;
let correio: ReturnType<typeof carteiro>;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
  correio = carteiro(api.container);
  await criarFabrica(api.dono).sessao({
    username: 'de-outro',
    nasipaddress: OUTRO,
    acctstarttime: '2026-11-20 10:00:00',
  });
});
test.after.always(async () => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

const texto = (quando: Date): string => quando.toISOString().replace('T', ' ').replace('Z', '');
const haMinutos = (minutos: number): string => texto(new Date(relogio.agora().getTime() - minutos * MINUTO));

/** Some other server of the cell is heard of. */
const ouvirOutro = async (quando: string): Promise<void> => {
  const radacctid: number = (await api.dono('radacct').where({ nasipaddress: OUTRO }).first('radacctid')).radacctid;
  await api.dono('sessoes_ouvidas').where({ radacctid }).update({ ouvida_em: quando });
};

/** The cell has been heard for so long, until now. */
const escutarHa = async (minutos: number): Promise<void> => {
  const linha = { id: 1, desde: haMinutos(minutos), ate: haMinutos(1) };
  await api.dono('rede_escuta').insert(linha).onConflict('id').merge();
};

let serie = 0;

/** A provider with servers of which something was heard now. */
async function cenario(servidores = 1) {
  const fabrica = criarFabrica(api.dono);
  const provedor = await fabrica.provedor();
  const n = (serie += 1);
  const enderecos = Array.from({ length: servidores }, (_, i) => `10.77.${n}.${i + 1}`);
  for (const [i, endereco] of enderecos.entries()) {
    await fabrica.nas(provedor, endereco);
    await api.dono('nas').where({ nasname: endereco }).delete();
    await api.dono('nas').insert({ nasname: endereco, shortname: `bng-${n}-${i + 1}`, secret: 'x' });
    await fabrica.sessao({
      username: `mudo-${n}-${i}`,
      nasipaddress: endereco,
      acctstarttime: '2026-11-20 10:00:00',
      acctupdatetime: '2026-11-20 15:29:00',
    });
  }
  /** Says when the servers were last heard of. */
  const ouvir = async (quais: readonly number[], quando: string): Promise<void> => {
    const sessoes = api.dono('radacct').whereIn(
      'nasipaddress',
      quais.map((i) => enderecos[i] ?? ''),
    );
    const ids: number[] = await sessoes.pluck('radacctid');
    const ouvidas = ids.map((radacctid) => ({ radacctid, dita_em: quando, recebida_em: quando, ouvida_em: quando }));
    await api.dono('sessoes_ouvidas').insert(ouvidas).onConflict('radacctid').merge();
  };
  await ouvir([...enderecos.keys()], haMinutos(1));
  const rodar = async (processos = 1, outroHa = 1, escutado = true): Promise<void> => {
    await ouvirOutro(haMinutos(outroHa));
    if (escutado) await escutarHa(24 * 60);
    const deCada = api.containers.slice(0, processos).map(({ db, write }) =>
      createSilencioService({
        db,
        relogio,
        write,
        intervaloPadraoSegundos: 300,
        avisosDe: (tenant) => createConsultaDeAvisosService({ tenant, relogio, trail: untracked }),
      }),
    );
    await Promise.all(
      deCada.map(async (silencio) => {
        if ((await silencio.provedores()).includes(provedor)) await silencio.avisar(TAREFA, provedor);
      }),
    );
  };
  const ditos = async (): Promise<any[]> =>
    (await api.dono('eventos').where({ provedor_id: provedor, tipo: 'nas.silenciaram' }).orderBy('id')).map(
      ({ dados }) => (typeof dados === 'string' ? JSON.parse(dados) : dados),
    );
  const nomes = async (): Promise<string[][]> => (await ditos()).map((um) => um.nomes);
  const pessoa = async (perfil: PerfilDeFabrica, silenciados: readonly string[] = []) => {
    const quem = await entrarNoPainel(api, provedor, perfil);
    const dele = await api.container.provedores.exigirPorId(provedor);
    const { dispositivo } = criarNavegador(`https://fcm.googleapis.com/fcm/send/mudo${(serie += 1)}`);
    await api.container.changeTenant(TERMINAL, dele, async (_d, { dispositivos }) =>
      dispositivos.registrar({ usuarioId: quem.usuarioId, sessaoId: null }, { ...dispositivo, silenciados }),
    );
    return quem;
  };
  return { provedor, enderecos, ouvir, rodar, ditos, nomes, pessoa, nome: (i: number) => `bng-${n}-${i + 1}` };
}

test.serial('de um servidor que silencia ouve uma vez quem vê a rede, no navegador e no sino', async (t) => {
  const c = await cenario(2);
  const tecnico = await c.pessoa('tecnico');
  const financeiro = await c.pessoa('financeiro');
  await c.pessoa('atendimento', ['servidor_silencioso']);
  await c.rodar();
  t.deepEqual(await c.nomes(), []);
  await c.ouvir([1], haMinutos(61));
  // Two workers at the same time say it once, and so do those after them.
  await c.rodar(2);
  await c.rodar(2);
  t.deepEqual(await c.ditos(), [
    {
      nas: [c.enderecos[1]],
      nomes: [c.nome(1)],
      desde: new Date(relogio.agora().getTime() - 61 * MINUTO).toISOString(),
    },
  ]);
  await correio.consumir();
  const envios = await api
    .dono('push_envios as e')
    .join('push_dispositivos as d', 'd.id', 'e.dispositivo_id')
    .where({ 'e.provedor_id': c.provedor, 'e.tipo': 'servidor_silencioso' })
    .select('d.usuario_id', 'e.titulo', 'e.texto', 'e.dados');
  t.deepEqual(
    envios.map(({ usuario_id, titulo, texto: dito }) => [usuario_id, titulo, dito]),
    [[tecnico.usuarioId, 'Servidor silencioso', `De ${c.nome(1)} não se ouve nada desde 20/11 às 11:29.`]],
  );
  t.regex(JSON.stringify(envios[0].dados), /\/painel\/rede/);
  const sino = (await tecnico.get('/notificacoes')).texto;
  t.true(
    sino.includes(`href="/painel/rede/servidores/${c.enderecos[1]}">Nada se ouve dele: servidor ${c.enderecos[1]}<`),
  );
  t.notRegex((await financeiro.get('/notificacoes')).texto, /Nada se ouve/);
});

test.serial('o servidor que vai e volta não é dito mais de uma vez em seis horas', async (t) => {
  const c = await cenario();
  for (let vez = 0; vez < 24; vez += 1) {
    // Every half hour it is heard of, and falls silent again.
    await c.ouvir([0], haMinutos(61));
    await c.rodar();
    relogio.avancar(HORA / 2);
  }
  t.is((await c.ditos()).length, 2);
  const toques = await api.dono('notificacoes').where({ provedor_id: c.provedor, tipo: 'nas.silenciou' });
  t.is(toques.length, 2);
});

test.serial('um silêncio que continua é dito uma vez, por mais que dure', async (t) => {
  const c = await cenario();
  await c.ouvir([0], haMinutos(61));
  for (let hora = 0; hora < 30; hora += 1) {
    await c.rodar();
    relogio.avancar(HORA);
  }
  t.is((await c.ditos()).length, 1);
});

test.serial('muitos que silenciam juntos são um só aviso, que os conta', async (t) => {
  const c = await cenario(8);
  const tecnico = await c.pessoa('tecnico');
  await c.ouvir([0, 1, 2, 3, 4, 5], haMinutos(70));
  await c.ouvir([6], haMinutos(71));
  await c.rodar();
  await correio.consumir();
  const envios = await api.dono('push_envios').where({ provedor_id: c.provedor, tipo: 'servidor_silencioso' });
  const cinco = [0, 1, 2, 3, 4].map((i) => c.nome(i)).join(', ');
  t.deepEqual(
    envios.map(({ titulo, texto: dito }) => [titulo, dito]),
    [['Servidores silenciosos', `Não se ouve nada de 7 servidores: ${cinco} e mais 2.`]],
  );
  const toques = await api.dono('notificacoes').where({ provedor_id: c.provedor });
  t.deepEqual(
    toques.map(({ tipo, recurso }) => [tipo, recurso]),
    [['nas.silenciaram', 'servidores']],
  );
  const sino = (await tecnico.get('/notificacoes')).texto;
  t.true(sino.includes(`href="/painel/rede">Nada se ouve deles: servidores ${c.enderecos[6]} e mais 6<`), sino);
});

test.serial(
  'do que um aviso aberto já diz, do que calou há mais de um dia e do que nunca falou não se avisa',
  async (t) => {
    const c = await cenario(4);
    const [coberto = '', , nunca = '', umaPorta = ''] = c.enderecos;
    const dele = await api.container.provedores.exigirPorId(c.provedor);
    const abrir = async (alvo: object) =>
      api.container.changeTenant(TERMINAL, dele, async (_d, { avisosDeRede }) =>
        avisosDeRede.abrir({ tipo: 'manutencao', titulo: 'Troca de equipamento', texto: 'Até 18 h.', alvos: [alvo] }),
      );
    await abrir({ tipo: 'nas', nas: coberto });
    // That is not the whole server.
    await abrir({ tipo: 'nas', nas: umaPorta, porta: '3' });
    await c.ouvir([0, 3], haMinutos(61));
    await c.ouvir([1], haMinutos(25 * 60));
    await api.dono('radacct').where({ nasipaddress: nunca }).delete();
    await c.rodar();
    t.deepEqual(await c.nomes(), [[c.nome(3)]]);
  },
);

test.serial('o que só informa, e o que passou da previsão há mais de uma hora, não cala o servidor mudo', async (t) => {
  const c = await cenario(4);
  const dele = await api.container.provedores.exigirPorId(c.provedor);
  const abrir = async (i: number, tipo: string, previsao: string | null = null) =>
    api.container.changeTenant(TERMINAL, dele, async (_d, { avisosDeRede }) =>
      avisosDeRede.abrir({
        tipo,
        titulo: 'Da equipe',
        texto: 'O que se diz.',
        previsao,
        alvos: [{ tipo: 'nas', nas: c.enderecos[i] }],
      }),
    );
  relogio.definir('2026-11-20T14:00:00.000Z');
  await abrir(0, 'informativo');
  await abrir(1, 'manutencao', '2026-11-20T14:29:00.000Z');
  await abrir(2, 'manutencao', '2026-11-20T14:31:00.000Z');
  await abrir(3, 'degradacao');
  relogio.definir(AGORA);
  await c.ouvir([0, 1, 2, 3], haMinutos(61));
  await c.rodar();
  t.deepEqual(await c.nomes(), [[c.nome(0), c.nome(1)]]);
});

test.serial('o que encerra todas as sessões tem cinco minutos para voltar', async (t) => {
  const c = await cenario();
  await c.ouvir([0], haMinutos(1));
  await api.dono('radacct').whereIn('nasipaddress', c.enderecos).update({
    acctstoptime: '2026-11-20 15:29:00',
    acctterminatecause: 'NAS-Reboot',
  });
  await c.ouvir([0], haMinutos(1));
  await c.rodar();
  t.deepEqual(await c.nomes(), []);
  relogio.avancar(5 * MINUTO);
  await c.rodar();
  t.deepEqual(await c.nomes(), [[c.nome(0)]]);
});

test.serial('os cinco minutos contam do reinício, e não do último sinal de vida', async (t) => {
  const c = await cenario();
  await c.ouvir([0], haMinutos(20));
  await api
    .dono('radacct')
    .whereIn('nasipaddress', c.enderecos)
    .update({ acctstoptime: haMinutos(1), acctterminatecause: 'NAS-Reboot' });
  await c.ouvir([0], haMinutos(20));
  await c.rodar();
  t.deepEqual(await c.nomes(), []);
  relogio.avancar(5 * MINUTO);
  await c.rodar();
  t.deepEqual(await c.nomes(), [[c.nome(0)]]);
});

test.serial('enquanto nada se ouve de ninguém, de nenhum servidor se diz que silenciou', async (t) => {
  const c = await cenario(2);
  await api.dono('sessoes_ouvidas').update({ ouvida_em: haMinutos(90) });
  await c.rodar(1, 90);
  await c.rodar(1, 11);
  t.deepEqual(await c.nomes(), []);
  await c.ouvir([1], haMinutos(9));
  await c.rodar(1, 90);
  t.deepEqual(await c.nomes(), [[c.nome(0)]]);
});

test.serial('de onde todos saíram, e de quem não manda atualizações, nada há que ouvir', async (t) => {
  const c = await cenario(3);
  const [saiu = '', mudo = ''] = c.enderecos;
  const sessoes = (nasipaddress: string) => api.dono('radacct').where({ nasipaddress });
  await sessoes(saiu).update({ acctstoptime: haMinutos(80), acctterminatecause: 'User-Request' });
  await sessoes(mudo).update({ acctupdatetime: '2026-11-20 10:00:00' });
  await c.ouvir([0, 1, 2], haMinutos(90));
  await c.rodar();
  t.deepEqual(await c.nomes(), [[c.nome(2)]]);
});

test.serial('depois de nada se ouvir na célula, cada servidor tem dois intervalos para voltar a falar', async (t) => {
  const c = await cenario(3);
  const [, , reiniciou = ''] = c.enderecos;
  await api
    .dono('radacct')
    .where({ nasipaddress: reiniciou })
    .update({ acctstoptime: haMinutos(1), acctterminatecause: 'NAS-Reboot' });
  await api.dono('sessoes_ouvidas').update({ ouvida_em: haMinutos(1) });
  await c.rodar();
  // FreeRADIUS is away. The first that is heard of afterwards is another server.
  relogio.avancar(90 * MINUTO);
  await c.rodar(1, 0, false);
  t.deepEqual(await c.nomes(), []);
  for (let vez = 0; vez < 12; vez += 1) {
    relogio.avancar(5 * MINUTO);
    await c.ouvir([0], haMinutos(1));
    await c.rodar(1, 1, false);
  }
  t.deepEqual(await c.nomes(), []);
  relogio.avancar(5 * MINUTO);
  await c.rodar(1, 1, false);
  t.deepEqual(await c.nomes(), [[c.nome(1), c.nome(2)]]);
});

test.serial('uma sessão que ficou aberta não faz mudo o servidor de onde os outros saíram', async (t) => {
  const c = await cenario(3);
  const fabrica = criarFabrica(api.dono);
  for (const [i, nasipaddress] of c.enderecos.entries()) {
    // The one of the scenario is left open: its Stop was lost, or it is of somebody who sends no updates.
    await c.ouvir([i], haMinutos(i === 1 ? 70 : 150));
    if (i === 1) await api.dono('radacct').where({ nasipaddress }).update({ acctupdatetime: '2026-11-20 10:00:00' });
    const username = `saiu-${nasipaddress}`;
    await fabrica.sessao({
      username,
      nasipaddress,
      acctstarttime: '2026-11-20 10:00:00',
      acctupdatetime: '2026-11-20 14:20:00',
    });
    const { radacctid } = await api.dono('radacct').where({ username }).first('radacctid');
    await api
      .dono('sessoes_ouvidas')
      .where({ radacctid })
      .update({ ouvida_em: haMinutos(70) });
    const fim = { acctstoptime: haMinutos(69), acctterminatecause: 'User-Request' };
    if (i < 2) await api.dono('radacct').where({ radacctid }).update(fim);
  }
  await c.rodar();
  t.deepEqual(await c.nomes(), [[c.nome(2)]]);
});

test.serial('de muitos servidores mudos se pergunta e se grava de uma vez', async (t) => {
  const c = await cenario(12);
  await c.ouvir([...c.enderecos.keys()], haMinutos(70));
  let comandos = 0;
  const contar = ({ sql }: { readonly sql: string }): void => {
    if (sql.includes('push_lembretes')) comandos += 1;
  };
  api.container.db.on('query', contar);
  try {
    await c.rodar();
  } finally {
    api.container.db.removeListener('query', contar);
  }
  t.is((await c.nomes())[0]?.length, 12);
  // What was said before, the same once more within the write, and what is said now.
  t.is(comandos, 3);
});
