import test from 'ava';
import { generateSync } from 'otplib';
import { digitosCpf } from '../../../src/brazil/pessoa/cpf-cnpj.ts';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { ROTAS } from '../../../src/surfaces/panel/rotas.ts';
import { criarMudar } from '../../domain/clientes/apoio.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { ate } from '../../support/espera.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { SENHA_DO_PAINEL as SENHA, entrarNoPainel } from '../../support/painel.ts';
import type { PessoaNoPainel } from '../../support/painel.ts';
import { relogioEm } from '../../support/relogio.ts';

const relogio = relogioEm('2026-11-23T12:00:00Z');
let api: Api;
const mudar = criarMudar(() => api);
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(async () => api.fechar());

const provedor = async (): Promise<number> => criarFabrica(api.dono).provedor();
const codigoDe = (segredo: string): string =>
  generateSync({ secret: segredo, epoch: relogio.agora().getTime() / 1000 });

test.serial('quem tem segundo fator só acrescenta ou remove um depois de o mostrar: a senha não basta', async (t) => {
  const eu = await entrarNoPainel(api, await provedor());
  const app = await eu.post('/conta/novo-fator/app', { nome: 'Celular' });
  const de = (nome: string): string => new RegExp(`name="${nome}" value="([^"]*)"`).exec(app.texto)?.[1] ?? '';
  const campos = { fator_id: de('fator_id'), segredo: de('segredo') };
  const feito = await eu.post('/conta/novo-fator/codigo', { ...campos, codigo: codigoDe(campos.segredo) });
  const [codigo = ''] = /[0-9a-z]{4}(?:-[0-9a-z]{4}){3}/.exec(feito.texto) ?? [];
  relogio.avancar(11 * 60_000);
  const remover = `/conta/fatores/${campos.fator_id}/remover`;
  for (const caminho of ['/conta/novo-fator', '/conta/novo-fator/app', '/conta/codigos', remover]) {
    const pergunta = await eu.post(caminho, { nome: 'Outro' });
    t.regex(pergunta.texto, /Confirme que é você/, caminho);
    t.notRegex(pergunta.texto, /type="password"/, caminho);
    t.regex((await eu.post(caminho, { _senha: SENHA })).texto, /Confirme que é você/, caminho);
  }
  // The password proves all else, and still not this.
  t.is((await eu.post('/configuracoes/usuarios/politica', { ocioso_minutos: '60', _senha: SENHA })).status, 303);
  t.regex((await eu.post(remover)).texto, /Confirme que é você/);
  t.regex((await eu.post('/conta/novo-fator', { _codigo: codigoDe(campos.segredo) })).texto, /Aplicativo de códigos/);
  relogio.avancar(11 * 60_000);
  t.is((await eu.post(remover, { _codigo: codigo })).status, 303);
  t.regex((await eu.get('/conta')).texto, /Nenhum segundo fator/);
});

test.serial('uma recusa traz o número do pedido, na página e no aviso que o htmx mostra', async (t) => {
  const id = await provedor();
  const tecnico = await entrarNoPainel(api, id, 'tecnico');
  const numero = { 'x-request-id': 'pedido-318' };
  const porHtmx = { ...numero, 'HX-Request': 'true', 'HX-Target': 'main#conteudo' };
  for (const [status, quem] of [
    [404, await tecnico.get('/nada', numero)],
    [403, await tecnico.get('/configuracoes/auditoria', numero)],
    [403, await tecnico.post('/planos/novo', {}, porHtmx)],
    [404, await tecnico.post('/chamados/999999/comentar', { texto: 'Oi.' }, porHtmx)],
  ] as const) {
    t.is(quem.status, status, quem.texto);
    t.is(quem.headers['x-request-id'], 'pedido-318');
    t.regex(quem.texto, /diga ao suporte este número: <code>pedido-318<\/code>/);
  }
});

test.serial('um arquivo de muitos dados só se baixa depois de confirmar quem se é', async (t) => {
  const eu = await entrarNoPainel(api, await provedor());
  relogio.avancar(11 * 60_000);
  const arquivos = ROTAS.filter(({ caminho }) =>
    /\/(?:exportar|recusadas|detalhes)$|\/extratos\/|\/(?:remessas|retornos)\/\{id\}\/baixar$/.test(caminho),
  );
  t.true(arquivos.length >= 7);
  for (const { metodo, caminho } of arquivos) {
    t.is(metodo, 'POST', caminho);
    const { texto } = await eu.post(caminho.replaceAll(/\{\w+\}/g, '1'));
    t.regex(texto, /Confirme que é você/, caminho);
  }
});

test.serial('o que traz documentos inteiros não se baixa sem os poder ver, nem a auditoria sem exportar', async (t) => {
  const id = await provedor();
  const { perfis, usuarios } = api.container;
  const tecnico = (await perfis.listar(id)).find(({ deFabrica }) => deFabrica === 'tecnico')?.id ?? 0;
  const perfil_id = await perfis.criar(TERMINAL, id, { nome: 'Meio', de_id: tecnico });
  const permissoes = ['inicio.ver', 'exportar', 'importacao.usar', 'tarefas.ver'];
  await perfis.alterar(TERMINAL, id, perfil_id, { permissoes });
  const eu = await entrarNoPainel(api, id, 'tecnico');
  await usuarios.alterar(TERMINAL, id, eu.usuarioId, { perfil_id });
  const entrar = async () => eu.post('/entrar', { email: eu.email, senha: SENHA });
  await entrar();
  for (const caminho of ['/tarefas/extratos/1/x', '/configuracoes/importacao/1/recusadas']) {
    const { status, texto } = await eu.post(caminho);
    t.is(status, 403, caminho);
    t.regex(texto, /ver CPF e CNPJ inteiros/);
  }
  await perfis.alterar(TERMINAL, id, perfil_id, { permissoes: [...permissoes, 'clientes.documentos'] });
  await entrar();
  const semFaturas = await eu.post('/tarefas/extratos/1/x');
  t.is(semFaturas.status, 403);
  t.regex(semFaturas.texto, /faturas/);
  await perfis.alterar(TERMINAL, id, perfil_id, { permissoes: ['inicio.ver', 'exportar', 'clientes.ver'] });
  await entrar();
  const comClientes = await eu.post('/clientes/exportar');
  t.is(comClientes.status, 200);
  t.notRegex(comClientes.texto, /Fatura vencida/);
  // Who may not open one client takes none of them away.
  await perfis.alterar(TERMINAL, id, perfil_id, { permissoes: ['inicio.ver', 'exportar', 'nfcom.ver'] });
  await entrar();
  t.is((await eu.post('/clientes/exportar')).status, 403);
  await perfis.alterar(TERMINAL, id, perfil_id, { permissoes: ['inicio.ver', 'auditoria.ver'] });
  await entrar();
  t.is((await eu.post('/configuracoes/auditoria/exportar')).status, 403);
});

test.serial('quem vê o documento mascarado não o completa pela busca', async (t) => {
  const id = await provedor();
  const cliente = await mudar(id, async ({ clientes }) =>
    clientes.criar({ nome: 'Maria de Souza', cpf_cnpj: '52998224725', telefones: ['35999991234'] }),
  );
  const tecnico = await entrarNoPainel(api, id, 'tecnico');
  const busca = (q: string): string => `/busca?q=${encodeURIComponent(q)}`;
  const acha = async (q: string): Promise<boolean> =>
    (await tecnico.get(busca(q), { 'HX-Request': 'true', 'HX-Target': 'div#achados' })).texto.includes(
      `/painel/clientes/${cliente}"`,
    );
  t.false(await acha('5299'));
  t.false(await acha('529982247'));
  t.true(await acha('529.982.247-25'));
  t.is((await tecnico.get(busca('52998224725'))).headers['location'], `/painel/clientes/${cliente}`);
  const meio = '982247';
  for (let n = 0; n < 20; n += 1) {
    const base = `${String(n).padStart(3, '0')}${meio}`;
    t.false(await acha(base + digitosCpf(base)));
  }
  t.false(await acha('52998224725'), 'depois de tantos, nem o certo');
  t.regex((await tecnico.get(`/chamados/novo?q=52998224725`)).texto, /CPF ou CNPJ demais/);
  t.true(await acha('Maria'), 'pelo nome acha como antes');
  t.true(await acha('99999-1234'));
  const atendente = await entrarNoPainel(api, id, 'atendimento');
  t.is((await atendente.get(busca('52998224725'))).status, 303);
});

test.serial('o tema escolhido numa página que só se envia leva a uma que se abre', async (t) => {
  const eu = await entrarNoPainel(api, await provedor());
  const voltaEm = (texto: string): string | undefined => /name="volta" value="([^"]*)"/.exec(texto)?.[1];
  t.is(voltaEm((await eu.get('/clientes?situacao=ativo')).texto), '/clientes?situacao=ativo');
  t.is(voltaEm((await eu.post('/conta/codigos')).texto), '');
  t.is(voltaEm((await eu.post('/conta/nome', { nome: '' })).texto), '');
  t.is(voltaEm((await eu.post('/configuracoes/perfis/novo', { nome: '' })).texto), '/configuracoes/perfis/novo');
});

test.serial('uma página que só ouve novidades não deixa a sessão em uso', async (t) => {
  const eu = await entrarNoPainel(api, await provedor());
  const vista = async (): Promise<string> =>
    String((await api.dono('painel_sessoes').where({ usuario_id: eu.usuarioId }).first())?.vista_em);
  const antes = await vista();
  relogio.avancar(5 * 60_000);
  await ouvir(eu);
  await ouvir(eu);
  t.is(await vista(), antes);
  await eu.get('/conta');
  await ate(async () => (await vista()) !== antes);
  t.not(await vista(), antes);
});

/** Connects to the news until the first has come. */
async function ouvir({ cookie }: Pick<PessoaNoPainel, 'cookie'>): Promise<void> {
  const res = await fetch(`http://127.0.0.1:${api.porta}/painel/eventos`, { headers: { cookie: cookie ?? '' } });
  if (res.status !== 200) throw new Error(`${res.status}`);
  const leitor = res.body?.getReader();
  await leitor?.read();
  await leitor?.cancel();
}
