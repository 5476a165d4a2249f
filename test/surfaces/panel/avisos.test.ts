import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { criarNavegador } from '../../domain/push/apoio.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { SENHA_DO_PAINEL, comProva, entrarNoPainel } from '../../support/painel.ts';
import type { PessoaNoPainel } from '../../support/painel.ts';

const CHROME = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/131.0.0.0 Safari/537.36' };

let api: Api;
test.before(async () => {
  api = await criarApi();
});
test.after.always(async () => api.fechar());

let serie = 0;
const ligar = async (quem: PessoaNoPainel, endpoint?: string) => {
  serie += 1;
  const { keys, endpoint: onde } = criarNavegador(endpoint ?? `https://fcm.googleapis.com/fcm/send/${serie}`).inscricao;
  const campos = { endpoint: onde, 'chaves.p256dh': keys.p256dh, 'chaves.auth': keys.auth };
  return quem.post('/conta/avisos', campos, CHROME);
};
const aparelhos = async ({ usuarioId }: PessoaNoPainel): Promise<any[]> =>
  api.dono('push_dispositivos').where({ usuario_id: usuarioId }).orderBy('id');

async function comAparelho() {
  const provedor = await criarFabrica(api.dono).provedor();
  const chefe = await entrarNoPainel(api, provedor);
  const pessoa = await entrarNoPainel(api, provedor, 'tecnico');
  t0(await ligar(pessoa));
  const [{ id }] = await aparelhos(pessoa);
  return { provedor, chefe, pessoa, em: `/conta/avisos/${id}` };
}
const t0 = ({ status, texto }: { status: number; texto: string }): void => {
  if (status !== 303) throw new Error(`${status}: ${texto}`);
};

test('um navegador se liga, aparece em Minha conta, escolhe o que ouvir e sai sem JavaScript', async (t) => {
  const { pessoa, chefe, em } = await comAparelho();
  t.like((await aparelhos(pessoa))[0], {
    tipo: 'webpush',
    plataforma: 'web',
    sessao_id: null,
    versao: 'Chrome no Windows',
  });
  const { texto: conta } = await pessoa.get('/conta');
  t.regex(conta, /data-chave="[\w-]{87}"/);
  t.regex(conta, /Chrome no Windows/);
  t.true(conta.includes(`data-resumo="${(await aparelhos(pessoa))[0].token_hash.toString('hex')}"`));
  t.false((await chefe.get('/conta')).texto.includes('Chrome no Windows'));

  const { texto: escolhas } = await pessoa.get(em);
  t.regex(escolhas, /value="chamado_urgente"\s+checked/);
  t.notRegex(escolhas, /value="(?:pagamento_a_mais|seguranca|tarefa_falhou|fatura_vencida)"/);
  t.is((await pessoa.post(em, { avisar: ['chamado_atribuido', 'chamado_proximo', 'inventado'] })).status, 303);
  const [{ silenciados }] = await aparelhos(pessoa);
  t.deepEqual(silenciados.toSorted(), [
    'chamado_agendado',
    'chamado_urgente',
    'quedas_em_massa',
    'servidor_silencioso',
  ]);
  t.regex(
    (await pessoa.get('/conta')).texto,
    /visita marcada, chamado urgente, servidor que silenciou, quedas em massa/,
  );
  for (const caminho of [em, `${em}/remover`]) t.is((await chefe.post(caminho)).status, 404, caminho);
  t.is((await chefe.get(em)).status, 404);

  t.is((await pessoa.post(`${em}/remover`)).status, 303);
  t.deepEqual(await aparelhos(pessoa), []);
});

test('um aviso de teste vai ao aparelho que se escolhe, e ao de mais ninguém', async (t) => {
  const { pessoa, chefe, em } = await comAparelho();
  t0(await ligar(pessoa));
  const [{ id }] = await aparelhos(pessoa);
  const envios = async (): Promise<any[]> => api.dono('push_envios').where({ dispositivo_id: id });
  t.true((await pessoa.get('/conta')).texto.includes(`action="/painel${em}/testar"`));
  t.is((await chefe.post(`${em}/testar`)).status, 404);
  t.deepEqual(await envios(), []);
  t.is((await pessoa.post(`${em}/testar`)).status, 303);
  t.like((await envios())[0], { titulo: 'Aviso de teste', estado: 'pendente', evento_id: null });
  const dele = (await aparelhos(pessoa)).map((um) => um.id);
  t.is((await api.dono('push_envios').whereIn('dispositivo_id', dele)).length, 1);
});

test('o que não é de um serviço de navegadores não se liga', async (t) => {
  const { pessoa } = await comAparelho();
  for (const endereco of ['http://169.254.169.254/', 'https://fcm.googleapis.com.mau.example/', 'coisa']) {
    t.is((await ligar(pessoa, endereco)).status, 422, endereco);
  }
  t.is((await pessoa.post('/conta/avisos')).status, 422);
  t.is((await aparelhos(pessoa)).length, 1);
});

test('quem é desativado, perde o fator ou troca a senha não tem mais navegador que o avise', async (t) => {
  const { provedor, chefe, pessoa } = await comAparelho();
  const { usuarios } = api.container;
  t.is((await pessoa.post('/conta/senha', { atual: SENHA_DO_PAINEL, senha: 'outro jabuti na varanda' })).status, 303);
  t.deepEqual(await aparelhos(pessoa), []);
  t0(await ligar(pessoa));
  await usuarios.redefinirFator(TERMINAL, provedor, pessoa.usuarioId);
  t.deepEqual(await aparelhos(pessoa), []);

  const outra = await entrarNoPainel(api, provedor, 'tecnico');
  t0(await ligar(outra));
  t.is((await comProva(chefe, `/configuracoes/usuarios/${outra.usuarioId}/desativar`)).status, 303);
  t.deepEqual(await aparelhos(outra), []);
});

test('o serviço do navegador fica sempre no mesmo endereço, e se renova', async (t) => {
  const { pessoa } = await comAparelho();
  const { status, headers, texto } = await pessoa.get('/servico.js');
  t.is(status, 200);
  t.like(headers, { 'cache-control': 'no-cache', 'content-security-policy': "default-src 'none'" });
  t.regex(String(headers['content-type']), /^text\/javascript/);
  t.regex(texto, /notificationclick/);
});
