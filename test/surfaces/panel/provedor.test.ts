import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import type { PessoaNoPainel } from '../../support/painel.ts';
import { PERFIS } from '../../../seeds/perfis.ts';

const PROVEDOR = '/configuracoes/provedor';
const LOGO = Buffer.from(PERFIS[0]!.identidade.logo, 'base64');

let api: Api;
let provedorId: number;
let admin: PessoaNoPainel;
test.before(async () => {
  api = await criarApi();
  provedorId = await criarFabrica(api.dono).provedor();
  admin = await entrarNoPainel(api, provedorId);
});
test.after.always(async () => api.fechar());

const CAMPOS = {
  nome: 'Serra <Azul>',
  cor: '#F2B705',
  razao_social: '',
  cnpj: '',
  fuso: 'America/Sao_Paulo',
  telefone: '(35) 3421-0199',
  whatsapp: '',
  email: '',
  site: '',
  cep: '',
  logradouro: '',
  numero: '',
  complemento: '',
  bairro: '',
  cidade: '',
  uf: 'MG',
};
const identidade = async () => (await api.container.configuracao.buscar(provedorId))!.identidade;

test.serial('a identidade muda, e a página fica logo na cor nova', async (t) => {
  t.is((await admin.post(PROVEDOR, CAMPOS)).status, 303);
  t.like(await identidade(), { cor: '#f2b705', suporte: { telefone: '3534210199' } });
  const { texto } = await admin.get(PROVEDOR);
  t.regex(texto, /value="\(35\) 3421-0199"/);
  t.regex(texto, /ativos\/cor\/f2b705\.css/);
  t.regex(texto, /Serra &lt;Azul&gt;/);
  const [linha] = await api.dono('auditoria').where({ provedor_id: provedorId, acao: 'provedor.configurado' });
  t.is(linha?.usuario_id, admin.usuarioId);
});

test.serial('o que não se aceita é dito junto do campo, e nada muda', async (t) => {
  const { status, texto } = await admin.post(PROVEDOR, { ...CAMPOS, nome: '', cnpj: '123', email: 'nao-e-email' });
  t.is(status, 422);
  t.regex(texto, /Nome: deve ser de 1 a 120 caracteres/);
  t.regex(texto, /E-mail: deve ser um e-mail/);
  t.regex(texto, /value="nao-e-email"/);
  t.is((await api.container.provedores.exigirPorId(provedorId)).nome, 'Serra <Azul>');
});

test.serial('a prévia mostra o que se digita, sem gravar', async (t) => {
  const { texto } = await admin.get(`${PROVEDOR}/previa?nome=Outra&cor=%23123456&telefone=35`, {
    'HX-Request': 'true',
  });
  t.regex(texto, /fill="#123456"/);
  t.regex(texto, /Outra/);
  t.is((await identidade()).cor, '#f2b705');
});

const temporarios = (): string[] => readdirSync(tmpdir()).filter((nome) => /^[a-z0-9]{25}$/.test(nome));

test.serial('um logo enviado fica, um que não serve é recusado em palavras, e nenhum arquivo sobra', async (t) => {
  const antes = temporarios();
  const enviar = async (conteudo: Buffer, headers: Record<string, string> = {}) =>
    admin.enviar(`${PROVEDOR}/logo`, { campo: 'logo', nome: 'logo.png', conteudo }, {}, headers);
  t.is((await enviar(LOGO)).status, 303);
  t.true((await identidade()).logo?.bytes.equals(LOGO));
  const texto = await enviar(Buffer.from('não é imagem'));
  t.is(texto.status, 422);
  t.regex(texto.texto, /Arquivo: .*PNG ou JPEG/);
  const medio = await enviar(Buffer.concat([LOGO, Buffer.alloc(40 * 1024)]));
  t.is(medio.status, 422);
  t.regex(medio.texto, /32 KiB/);
  const grande = await enviar(Buffer.alloc(65 * 1024));
  t.is(grande.status, 413);
  t.regex(grande.texto, /até 64 KiB/);
  t.is((await enviar(Buffer.alloc(2 ** 20))).status, 413);
  t.is((await enviar(LOGO, { 'sec-fetch-site': 'cross-site' })).status, 403);
  t.is((await admin.enviar(`${PROVEDOR}/logo`, null)).status, 422);
  t.is((await admin.enviar(`${PROVEDOR}/logo`, null, { intruso: '1' })).status, 400);
  t.is((await admin.post(`${PROVEDOR}/logo`, { logo: 'x' })).status, 400);
  t.true((await identidade()).logo?.bytes.equals(LOGO));
  t.deepEqual(
    temporarios().filter((nome) => !antes.includes(nome)),
    [],
  );
  t.is((await admin.post(`${PROVEDOR}/logo/remover`)).status, 303);
  t.is((await identidade()).logo, null);
});

test.serial('quem não edita configurações não as vê', async (t) => {
  const atendente = await entrarNoPainel(api, provedorId, 'atendimento');
  t.is((await atendente.get(PROVEDOR)).status, 403);
  t.is((await atendente.post(PROVEDOR, CAMPOS)).status, 403);
});
