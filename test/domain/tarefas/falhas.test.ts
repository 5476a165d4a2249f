import test from 'ava';
import { TERMINAL, atorDaTarefa } from '../../../src/domain/actor.ts';
import type { PerfilDeFabrica } from '../../../src/domain/usuarios/permissoes.regras.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import { relogioEm } from '../../support/relogio.ts';
import { carteiro, criarNavegador } from '../push/apoio.ts';

/** Noon in São Paulo. */
const AGORA = '2026-11-20T15:00:00Z';
const TAREFA = atorDaTarefa('faturas.vencer');

const relogio = relogioEm(AGORA);
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
});
test.after.always(async () => api.fechar());

let serie = 0;

async function cenario() {
  const provedorId = await criarFabrica(api.dono).provedor();
  const provedor = await api.container.provedores.exigirPorId(provedorId);
  const pessoa = async (perfil: PerfilDeFabrica) => {
    const quem = await entrarNoPainel(api, provedorId, perfil);
    const { dispositivo } = criarNavegador(`https://fcm.googleapis.com/fcm/send/falha${(serie += 1)}`);
    await api.container.changeTenant(TERMINAL, provedor, async (_d, { dispositivos }) =>
      dispositivos.registrar({ usuarioId: quem.usuarioId, sessaoId: null }, dispositivo),
    );
    return quem;
  };
  const falhar = async (dia = '2026-11-20') =>
    Promise.all(
      api.containers.map(async ({ tarefas }) =>
        tarefas.dizerQueFalhou(TAREFA, { tarefa: 'faturas.vencer', provedorId, dia }),
      ),
    );
  const ditas = async () => {
    await carteiro(api.container).consumir();
    return api
      .dono('push_envios as e')
      .join('push_dispositivos as d', 'd.id', 'e.dispositivo_id')
      .where({ 'e.provedor_id': provedorId, 'e.tipo': 'tarefa_falhou' })
      .orderBy(['e.id'])
      .select('d.usuario_id', 'e.titulo', 'e.texto');
  };
  const toques = async () => api.dono('notificacoes').where({ provedor_id: provedorId, tipo: 'tarefa.falhou' });
  return { provedorId, pessoa, falhar, ditas, toques };
}

test.serial('da tarefa que falha ouve uma vez por dia quem vê as tarefas, por mais que ela falhe', async (t) => {
  const c = await cenario();
  const chefe = await c.pessoa('administrador');
  const tecnico = await c.pessoa('tecnico');
  for (let vez = 0; vez < 10; vez += 1) {
    await c.falhar();
    relogio.avancar(60_000);
  }
  const texto = '“Vencer faturas”, de 20/11/2026: será tentada de novo.';
  const dita = { usuario_id: chefe.usuarioId, titulo: 'Uma tarefa do dia falhou', texto };
  t.deepEqual(
    (await c.ditas()).map((um) => ({ ...um })),
    [dita],
  );
  t.is((await c.toques()).length, 1);
  const sino = (await chefe.get('/notificacoes')).texto;
  t.true(sino.includes('href="/painel/tarefas?dia=2026-11-20">Tarefa que falhou: trabalho de 20/11/2026<'));
  t.notRegex((await tecnico.get('/notificacoes')).texto, /Tarefa que falhou/);

  relogio.definir('2026-11-21T15:00:00Z');
  await c.falhar('2026-11-21');
  t.is((await c.ditas()).length, 2);
});

test.serial('a tela das tarefas diz que falhou, até que se faça', async (t) => {
  relogio.definir(AGORA);
  const c = await cenario();
  const chefe = await c.pessoa('administrador');
  const estado = async (): Promise<string | undefined> =>
    /Vencer faturas[\s\S]*?<span class="badge[^>]*>([^<]*)</.exec(
      (await chefe.get('/tarefas?dia=2026-11-20')).texto,
    )?.[1];
  t.is(await estado(), 'pendente');
  await c.falhar();
  t.regex((await estado()) ?? '', /^falhou/);
  const execucao = { signal: new AbortController().signal, aoAvancar: () => {} };
  const qual = { tarefa: 'faturas.vencer', provedorId: c.provedorId, dia: '2026-11-20' } as const;
  await api.container.tarefas.executar(TAREFA, qual, execucao);
  t.is(await estado(), 'concluída');
  // Reopened, it has not failed again; if it does, it is told again.
  const provedor = await api.container.provedores.exigirPorId(c.provedorId);
  const { tarefa, dia } = qual;
  await api.container.changeTenant(TERMINAL, provedor, async (_d, { tarefas }) => tarefas.reabrir({ tarefa, dia }));
  t.is(await estado(), 'em andamento');
  await c.falhar();
  t.regex((await estado()) ?? '', /^falhou/);
  t.is((await c.toques()).length, 2);
  // A run that comes to its end late says nothing of a day that another has done.
  const outro = await cenario();
  await api.container.tarefas.executar(TAREFA, { ...qual, provedorId: outro.provedorId }, execucao);
  await outro.falhar();
  t.is((await outro.toques()).length, 0);
});
