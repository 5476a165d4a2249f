import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import { criarMudar } from '../../domain/clientes/apoio.ts';

let api: Api;
let fabrica: Fabrica;
const mudar = criarMudar(() => api);
test.before(async () => {
  api = await criarApi();
  fabrica = criarFabrica(api.dono);
});
test.after.always(async () => api.fechar());

const POR_HTMX = { 'HX-Request': 'true', 'HX-Target': 'div#achados' };

async function cenario() {
  const provedor = await fabrica.provedor();
  const plano = await fabrica.plano(provedor);
  const cliente = await mudar(provedor, async ({ clientes }) =>
    clientes.criar({ nome: 'João Conceição <b>', cpf_cnpj: '52998224725', telefones: ['35999991234'] }),
  );
  const contrato = await fabrica.contrato(provedor, {
    cliente_id: cliente,
    plano_id: plano,
    login: `joao.${provedor}`,
  });
  const fatura = await fabrica.fatura(provedor, { cliente_id: cliente, contrato_id: contrato });
  const chamado = await fabrica.chamado(provedor, { cliente_id: cliente });
  return { provedor, cliente, contrato, fatura, chamado };
}

const busca = (texto: string): string => `/busca?q=${encodeURIComponent(texto)}`;

test('enquanto se digita, o que se acha vem sob o nome do que é, sem a moldura e escapado', async (t) => {
  const { provedor, cliente } = await cenario();
  const pessoa = await entrarNoPainel(api, provedor);
  for (const texto of ['conce', 'joao conc', '1234', '35 99999-1234', '529.982.247-25']) {
    const { status, texto: corpo } = await pessoa.get(busca(texto), POR_HTMX);
    t.is(status, 200, texto);
    t.regex(corpo, /<h3>Clientes<\/h3>/, texto);
    t.true(corpo.includes(`href="/painel/clientes/${cliente}"`), texto);
    t.true(corpo.includes('João Conceição &lt;b&gt;'), texto);
    t.false(corpo.includes('<html'), texto);
  }
  const nada = await pessoa.get(busca('zzzz'), POR_HTMX);
  t.regex(nada.texto, /Nada com “zzzz”/);
  t.is((await pessoa.get(busca(''), POR_HTMX)).texto.trim(), '');
});

test('sem htmx a busca é uma página, e o que só pode ser um abre logo', async (t) => {
  const { provedor, cliente, contrato } = await cenario();
  const pessoa = await entrarNoPainel(api, provedor);
  const lista = await pessoa.get(busca('conce'));
  t.is(lista.status, 200);
  t.regex(lista.texto, /<h1>Busca por “conce”<\/h1>/);
  t.true(lista.texto.includes(`href="/painel/clientes/${cliente}"`));
  const documento = await pessoa.get(busca('529.982.247-25'));
  t.is(documento.status, 303);
  t.is(documento.headers['location'], `/painel/clientes/${cliente}`);
  const login = await pessoa.get(busca(`joao.${provedor}`));
  t.is(login.headers['location'], `/painel/contratos/${contrato}`);
});

test('o que o perfil não vê não se procura, e o documento vem mascarado', async (t) => {
  const { provedor, fatura, chamado } = await cenario();
  const tecnico = await entrarNoPainel(api, provedor, 'tecnico');
  const administrador = await entrarNoPainel(api, provedor);
  t.true((await administrador.get(busca(String(fatura)), POR_HTMX)).texto.includes(`/painel/faturas/${fatura}"`));
  t.false((await tecnico.get(busca(String(fatura)), POR_HTMX)).texto.includes('/painel/faturas/'));
  t.true((await tecnico.get(busca(String(chamado)), POR_HTMX)).texto.includes(`/painel/chamados/${chamado}"`));
  const porNome = await tecnico.get(busca('conce'), POR_HTMX);
  t.false(porNome.texto.includes('529.982.247-25'));
  t.true(porNome.texto.includes('***.982.247-**'));
  t.true((await administrador.get(busca('conce'), POR_HTMX)).texto.includes('529.982.247-25'));
});

test('um protocolo abre o chamado que é dele, ou o cliente de um contato sem chamado', async (t) => {
  const { provedor, cliente } = await cenario();
  const pessoa = await entrarNoPainel(api, provedor);
  const [doChamado, doContato] = await mudar(provedor, async ({ chamados, atendimentos }) => {
    const novo = {
      clienteId: cliente,
      contratoId: null,
      assunto: 'Caiu',
      descricao: 'Caiu.',
      categoria: null,
    } as const;
    const id = await chamados.abrir({ ...novo, prioridade: 'normal' });
    const contato = { clienteId: cliente, contratoId: null, canal: 'loja', assunto: 'Dúvida', resumo: null } as const;
    return [id, await atendimentos.registrar(contato)] as const;
  });
  const { protocolo } = await api.dono('chamados').where({ id: doChamado }).first();
  const achado = await pessoa.get(busca(protocolo as string));
  t.is(achado.headers['location'], `/painel/chamados/${doChamado}`);
  t.true((await pessoa.get(`/chamados/${doChamado}`)).texto.includes(protocolo as string));
  t.is((await pessoa.get(busca(doContato))).headers['location'], `/painel/clientes/${cliente}`);
  const outro = await entrarNoPainel(api, await fabrica.provedor());
  t.is((await outro.get(busca(protocolo as string))).status, 200);
});

test('o cliente de outro provedor não se acha', async (t) => {
  const { cliente } = await cenario();
  const outro = await entrarNoPainel(api, await fabrica.provedor());
  t.false((await outro.get(busca('conce'), POR_HTMX)).texto.includes('Conceição'));
  t.is((await outro.get(busca(`#${cliente}`))).status, 200);
});
