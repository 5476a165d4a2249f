import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { comProva, entrarNoPainel } from '../../support/painel.ts';
import type { PessoaNoPainel } from '../../support/painel.ts';

const API = '/configuracoes/api';

let api: Api;
let provedorId: number;
let admin: PessoaNoPainel;
test.before(async () => {
  api = await criarApi({ processos: 2 });
  provedorId = await criarFabrica(api.dono).provedor();
  admin = await entrarNoPainel(api, provedorId);
});
test.after.always(async () => api.fechar());

const NOVA = {
  nome: 'Chatbot <WhatsApp>',
  permissoes: ['clientes:leitura', 'planos:leitura'],
  ips: '127.0.0.1\n203.0.113.0/24',
  limite: '90',
  expira: '',
};

const chaveEm = (texto: string): string => /malha_\w+_\w{38}/.exec(texto)?.[0] ?? '';
const status = async (chave: string, processo = 0): Promise<number> =>
  (await api.get('/status', { chave, processo })).status;

/** MariaDB gives text, MySQL gives the object. */
const emJson = (valor: unknown): any => (typeof valor === 'string' ? JSON.parse(valor) : valor);

async function criar(mais: Partial<typeof NOVA> = {}): Promise<{ id: number; texto: string }> {
  const { texto } = await comProva(admin, `${API}/nova`, { ...NOVA, ...mais });
  const { id } = (await api.dono('chaves_api').where({ provedor_id: provedorId }).max('id as id').first()) as {
    id: number;
  };
  return { id, texto: chaveEm(texto) };
}

test.serial('uma chave nova pede prova, é mostrada uma vez, e vale logo', async (t) => {
  await api.dono('painel_sessoes').where({ provedor_id: provedorId }).update({ provada_em: null });
  const pergunta = await admin.post(`${API}/nova`, NOVA);
  t.is(pergunta.status, 200);
  t.regex(pergunta.texto, /Confirme que é você/);
  const feita = await comProva(admin, `${API}/nova`, NOVA);
  t.is(feita.status, 200);
  t.is(feita.headers['cache-control'], 'no-store');
  const chave = chaveEm(feita.texto);
  t.regex(feita.texto, new RegExp(`curl -H &#39;Authorization: Bearer ${chave}&#39; http://[^/]+/api/v1/status`));
  t.deepEqual([await status(chave, 0), await status(chave, 1)], [200, 200]);
  const lista = await admin.get(API);
  t.regex(lista.texto, /Chatbot &lt;WhatsApp&gt;/);
  t.false(lista.texto.includes(chave));
});

test.serial('o texto de uma chave não está em nenhuma tabela', async (t) => {
  const { texto } = await criar();
  t.is(texto.length > 40, true);
  const segredo = texto.split('_')[2] ?? '';
  const [tabelas] = (await api.dono.raw(
    "SELECT TABLE_NAME AS nome FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'BASE TABLE'",
  )) as [{ nome: string }[]];
  for (const { nome } of tabelas) t.false(JSON.stringify(await api.dono(nome)).includes(segredo), nome);
});

test.serial('revogada, uma chave é recusada no pedido seguinte por todos os processos', async (t) => {
  const { id, texto } = await criar();
  t.deepEqual([await status(texto, 0), await status(texto, 1)], [200, 200]);
  t.regex((await admin.get(`${API}/${id}/revogar`)).texto, /não volta/);
  t.is((await comProva(admin, `${API}/${id}/revogar`)).status, 303);
  t.deepEqual([await status(texto, 0), await status(texto, 1)], [401, 401]);
  const linha = await api.dono('auditoria').where({ provedor_id: provedorId, acao: 'chave.revogada', recurso_id: id });
  t.is(linha[0]?.usuario_id, admin.usuarioId);
});

test.serial('renovada, a nova vale e a de antes vale até o dia que se disse', async (t) => {
  const antes = await criar();
  const feita = await comProva(admin, `${API}/${antes.id}/renovar`, { dias: '3' });
  const nova = chaveEm(feita.texto);
  t.not(nova, antes.texto);
  t.deepEqual([await status(nova), await status(antes.texto)], [200, 200]);
  t.regex(feita.texto, /A anterior vale até \d\d\/\d\d\/\d{4}/);
  const outra = await criar();
  await comProva(admin, `${API}/${outra.id}/renovar`, { dias: '0' });
  t.is(await status(outra.texto, 1), 401);
});

test.serial('uma chave só perde permissões; quem mudou antes é avisado', async (t) => {
  const { id, texto } = await criar();
  const versao = /name="atualizado_em" value="([^"]+)"/.exec((await admin.get(`${API}/${id}`)).texto)?.[1] ?? '';
  const campos = { ...NOVA, atualizado_em: versao, ips: '', expira: '2099-01-31' };
  const demais = await comProva(admin, `${API}/${id}`, {
    ...campos,
    permissoes: ['planos:leitura', 'chamados:escrita'],
  });
  t.is(demais.status, 422);
  t.regex(demais.texto, /só perde permissões/);
  t.is((await comProva(admin, `${API}/${id}`, { ...campos, permissoes: ['planos:leitura'] })).status, 303);
  const { corpo } = await api.get('/status', { chave: texto });
  t.deepEqual(corpo.dados.permissoes, ['planos:leitura']);
  t.regex((await admin.get(`${API}/${id}`)).texto, /31\/01\/2099/);
  t.is(
    (await comProva(admin, `${API}/${id}`, { ...campos, permissoes: ['planos:leitura'], nome: 'Outro' })).status,
    409,
  );
});

test.serial('o que não se aceita é dito junto do campo, e o que se digitou fica', async (t) => {
  const recusada = await comProva(admin, `${API}/nova`, {
    ...NOVA,
    ips: 'casa da ana',
    limite: '9999',
    permissoes: [],
  });
  t.is(recusada.status, 422);
  t.regex(recusada.texto, /IPs permitidos: deve ser um endereço ou uma faixa/);
  t.regex(recusada.texto, /Pedidos por minuto: deve ser de 1 a 1200/);
  t.regex(recusada.texto, /casa da ana/);
  t.regex((await comProva(admin, `${API}/nova`, { ...NOVA, expira: '2026-02-31' })).texto, /Vale até: deve ser um dia/);
});

test.serial('ninguém dá a uma chave o que ele mesmo não pode', async (t) => {
  const tecnico = await entrarNoPainel(api, provedorId, 'tecnico');
  t.is((await tecnico.get(API)).status, 403);
  const perfis = await api.container.perfis.listar(provedorId);
  const perfil = perfis.find(({ deFabrica }) => deFabrica === 'tecnico');
  const mudada = await comProva(admin, `${API}/permissoes`, { gerir: [String(perfil?.id)] });
  t.is(mudada.status, 303);
  // His profile changed, so he signs in again.
  t.is((await tecnico.get(API)).status, 303);
  const depois = (await api.container.perfis.listar(provedorId)).find(({ id }) => id === perfil?.id);
  t.true(depois?.permissoes.includes('chaves.gerir'));
  t.true(depois?.permissoes.includes('rede.gerir'));
  const deNovo = await entrarNoPainel(api, provedorId, 'tecnico');
  const pagina = await deNovo.get(`${API}/nova`);
  t.false(pagina.texto.includes('value="financeiro:leitura"'));
  t.true(pagina.texto.includes('value="chamados:leitura"'));
  const recusada = await comProva(deNovo, `${API}/nova`, { ...NOVA, permissoes: ['financeiro:leitura'] });
  t.is(recusada.status, 422);
  t.regex(recusada.texto, /só quem também pode/);
  const auditada = await api.dono('auditoria').where({ provedor_id: provedorId, acao: 'perfil.alterado' });
  t.deepEqual(emJson(auditada[0]?.dados).acrescentadas, ['chaves.gerir']);
});

test.serial('alargar uma chave é dar o que ela pode; estreitá-la qualquer um que as gere pode', async (t) => {
  const { id } = await criar({ permissoes: ['financeiro:leitura'], expira: '2099-01-31' });
  const tecnico = await entrarNoPainel(api, provedorId, 'tecnico');
  const mudar = async (mais: Partial<typeof NOVA>) =>
    comProva(tecnico, `${API}/${id}`, {
      ...NOVA,
      permissoes: ['financeiro:leitura'],
      expira: '2099-01-31',
      ...mais,
    });
  for (const [mais, campo] of [
    [{ ips: '' }, 'ips'],
    [{ ips: '203.0.112.0/23' }, 'ips'],
    [{ ips: '198.51.100.1' }, 'ips'],
    [{ ips: '::/0' }, 'ips'],
    [{ limite: '91' }, 'limite'],
    [{ expira: '' }, 'expira'],
    [{ expira: '2099-02-01' }, 'expira'],
  ] as const) {
    const feita = await mudar(mais);
    t.is(feita.status, 422, JSON.stringify(mais));
    t.regex(feita.texto, new RegExp(`campo-${campo}-falta[^<]*>[^<]*só quem também pode`), JSON.stringify(mais));
  }
  t.is((await mudar({ ips: '203.0.113.128/25', limite: '10', expira: '2098-01-31', nome: 'Menos' })).status, 303);
  t.is((await comProva(admin, `${API}/${id}`, { ...NOVA, permissoes: ['financeiro:leitura'], ips: '' })).status, 303);
});

test.serial('a chave de outro provedor não existe', async (t) => {
  const { id } = await criar();
  const outro = await entrarNoPainel(api, await criarFabrica(api.dono).provedor());
  t.is((await outro.get(`${API}/${id}`)).status, 404);
  t.is((await comProva(outro, `${API}/${id}/revogar`)).status, 404);
  t.is((await comProva(outro, `${API}/${id}`, NOVA)).status, 404);
});

test.serial('a página de uma chave nova oferece a de chatbot, com as duas restrições marcadas', async (t) => {
  const oferta = `href="/painel${API}/nova?para=chatbot"`;
  for (const pagina of [API, `${API}/nova`]) t.true((await admin.get(pagina)).texto.includes(oferta), pagina);
  const { texto } = await admin.get(`${API}/nova?para=chatbot`);
  for (const restricao of ['somente_busca', 'dados_mascarados']) {
    t.regex(texto, new RegExp(`value="${restricao}"\\s+checked`), restricao);
  }
  t.false(texto.includes(oferta));
});

test.serial(
  'quanto uma chave com restrições descobre por hora se muda com prova, e vale no pedido seguinte',
  async (t) => {
    const { texto: chave } = await api.criarChave(provedorId, {
      permissoes: ['clientes:leitura'],
      restricoes: ['somente_busca'],
    });
    const emVao = async (processo: number) => (await api.get('/clientes/999999', { chave, processo })).status;
    t.deepEqual([await emVao(0), await emVao(1)], [404, 404]);
    const limites = `${API}/limites`;
    t.true((await admin.get(API)).texto.includes(`href="/painel${limites}"`));
    await api.dono('painel_sessoes').where({ provedor_id: provedorId }).update({ provada_em: null });
    const lidos = async () => {
      const { texto } = await admin.get(limites);
      const versao = /name="versao" value="([^"]+)"/.exec(texto)?.[1] ?? '';
      return { versao, buscas_em_vao_por_hora: '', clientes_por_hora: '' };
    };
    const antes = await lidos();
    t.regex((await admin.post(limites, { ...antes, buscas_em_vao_por_hora: '3' })).texto, /Confirme que é você/);
    t.is((await comProva(admin, limites, { ...antes, buscas_em_vao_por_hora: '3' })).status, 303);
    t.deepEqual([await emVao(1), await emVao(0)], [404, 429]);
    t.is((await comProva(admin, limites, { ...antes, buscas_em_vao_por_hora: '9' })).status, 409);
    for (const errado of ['0', '100001', 'muitos']) {
      const recusada = await comProva(admin, limites, { ...(await lidos()), clientes_por_hora: errado });
      t.is(recusada.status, 422, errado);
      t.regex(recusada.texto, /Clientes diferentes por hora: deve ser um número inteiro de 1 a 100000/);
    }
    t.is((await comProva(admin, limites, await lidos())).status, 303);
    t.is(await emVao(0), 404);
    const linhas = await api
      .dono('auditoria')
      .where({ provedor_id: provedorId, acao: 'provedor.configurado' })
      .orderBy('id');
    t.deepEqual(
      linhas.map(({ dados }) => emJson(dados).campos),
      [['buscas_em_vao_por_hora'], ['buscas_em_vao_por_hora']],
    );
    t.is(linhas[0]?.usuario_id, admin.usuarioId);
  },
);
