import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { entrarNoPainel } from '../../support/painel.ts';

let api: Api;
let f: Fabrica;
test.before(async () => {
  api = await criarApi();
  f = criarFabrica(api.dono);
});
test.after.always(async () => api.fechar());

async function cenario(regras: object = {}, linha: object = {}) {
  const provedor = await f.provedor({}, { ...regras });
  const plano = await f.plano(provedor, { nome: 'Fibra Serra' });
  const cliente = await f.cliente(provedor, { nome: 'Ana Prado' });
  const contrato = await f.contrato(provedor, { cliente_id: cliente, plano_id: plano, ...linha });
  return { provedor, plano, cliente, contrato };
}

const situacaoDe = async (id: number): Promise<string> =>
  (await api.dono('contratos').where({ id }).first('situacao'))?.situacao as string;
const titulo = (texto: string): string => /<h1>([^<]*)/.exec(texto)?.[1] ?? '';

test('a lista estreita por situação, plano, cidade, servidor, dia e conexão, e soma o que achou', async (t) => {
  const { provedor, plano, cliente, contrato } = await cenario({}, { cidade: 'Alfenas', dia_vencimento: 5 });
  const outro = await f.contrato(provedor, { cliente_id: cliente, plano_id: plano, situacao: 'bloqueado' });
  await f.nas(provedor, '10.9.0.1');
  await f.conexao(provedor, { contrato_id: contrato, nas: '10.9.0.1', ouvida_em: '2026-11-01 09:00:00.000' });
  const pessoa = await entrarNoPainel(api, provedor);
  const achados = async (consulta: string): Promise<number[]> => {
    const { status, texto } = await pessoa.get(`/contratos${consulta}`);
    t.is(status, 200, consulta);
    return [contrato, outro].filter((id) => texto.includes(`href="/painel/contratos/${id}"`));
  };
  t.deepEqual(await achados(''), [contrato, outro]);
  t.deepEqual(await achados('?situacao=bloqueado'), [outro]);
  t.deepEqual(await achados('?cidade=Alfenas'), [contrato]);
  t.deepEqual(await achados('?servidor=10.9.0.1'), [contrato]);
  t.deepEqual(await achados('?servidor=10.9.0.1&situacao=bloqueado'), []);
  t.deepEqual(await achados('?dia=5'), [contrato]);
  t.deepEqual(await achados(`?plano=${plano}&conexao=online`), []);
  const { texto } = await pessoa.get('/contratos');
  t.regex(texto, /2 contratos/);
  t.regex(texto, /Fibra Serra/);
  t.is((await pessoa.get('/contratos?dia=40')).status, 400);
});

test('a lista vai de página em página sem repetir', async (t) => {
  const { provedor, plano, cliente } = await cenario();
  for (let n = 0; n < 55; n += 1) await f.contrato(provedor, { cliente_id: cliente, plano_id: plano });
  const pessoa = await entrarNoPainel(api, provedor);
  const vistos: string[] = [];
  let endereco: string | undefined = '/contratos';
  for (let n = 0; endereco !== undefined && n < 5; n += 1) {
    const { texto } = await pessoa.get(endereco);
    vistos.push(...[...texto.matchAll(/href="\/painel\/contratos\/(\d+)"/g)].map(([, id]) => id ?? ''));
    endereco = /href="\/painel(\/contratos\?[^"]*)">Próximos/.exec(texto)?.[1]?.replaceAll('&amp;', '&');
  }
  t.is(vistos.length, 56);
  t.is(new Set(vistos).size, 56);
});

test('o contrato mostra o que é, a rede, o histórico e os pedidos, e anota quem o abriu', async (t) => {
  const { provedor, contrato, cliente } = await cenario(
    { desbloqueio_habilitado: 1 },
    { mac: '00:1a:2b:3c:4d:5e', ip: '100.64.3.9' },
  );
  const pessoa = await entrarNoPainel(api, provedor);
  await pessoa.post(`/contratos/${contrato}/bloquear`, { motivo: 'equipamento não devolvido' });
  const { status, texto } = await pessoa.get(`/contratos/${contrato}`);
  t.is(status, 200);
  t.is(titulo(texto), `Contrato ${contrato} · Ana Prado`);
  for (const dito of [
    /Bloqueado/,
    /Pela equipe/,
    /00:1a:2b:3c:4d:5e/,
    /100\.64\.3\.9/,
    /Barrar o acesso/,
    /Na fila da rede/,
  ]) {
    t.regex(texto, dito);
  }
  t.regex(texto, /equipamento não devolvido/);
  t.regex(texto, /Não disponível: o bloqueio foi feito manualmente/);
  const acessos = await api.dono('acessos_a_dados').where({ provedor_id: provedor, usuario_id: pessoa.usuarioId });
  t.deepEqual(
    acessos.map(({ cliente_id }: { cliente_id: number }) => cliente_id),
    [cliente],
  );
});

test('bloquear diz antes o que acontece, pede o motivo ao lado do campo e guarda o que se digitou', async (t) => {
  const { provedor, contrato } = await cenario();
  const pessoa = await entrarNoPainel(api, provedor);
  const antes = await pessoa.get(`/contratos/${contrato}/bloquear`);
  t.regex(antes.texto, /só a equipe libera/);
  const recusada = await pessoa.post(`/contratos/${contrato}/bloquear`, {});
  t.is(recusada.status, 422);
  t.regex(recusada.texto, /Motivo: é obrigatório/);
  t.is(await situacaoDe(contrato), 'ativo');
  const longo = 'x'.repeat(501);
  t.true((await pessoa.post(`/contratos/${contrato}/bloquear`, { motivo: longo })).texto.includes(longo));
  const feita = await pessoa.post(`/contratos/${contrato}/bloquear`, { motivo: 'a pedido do juiz' });
  t.is(feita.headers['location'], `/painel/contratos/${contrato}?feito=bloqueado`);
  t.is(await situacaoDe(contrato), 'bloqueado');
  t.regex((await pessoa.get(`/contratos/${contrato}/bloquear`)).texto, /está bloqueado/);
});

test('bloquear por débito diz alto que não houve aviso, e sem nada em atraso é recusado', async (t) => {
  const { provedor, contrato } = await cenario();
  const pessoa = await entrarNoPainel(api, provedor);
  const em = `/contratos/${contrato}/bloquear-por-debito`;
  t.regex((await pessoa.get(em)).texto, /Não há aviso de débito entregue/);
  const recusada = await pessoa.post(em, { motivo: 'não pagou' });
  t.regex(recusada.texto, /Nada está em atraso/);
  t.is(await situacaoDe(contrato), 'ativo');
});

test('quem abriu o contrato antes de outro o mudar não o muda sem ver', async (t) => {
  const { provedor, contrato } = await cenario();
  const pessoa = await entrarNoPainel(api, provedor);
  const velha = { atualizado_em: '2020-01-01T00:00:00.000Z' };
  const recusada = await pessoa.post(`/contratos/${contrato}/suspender`, velha);
  t.is(recusada.status, 409);
  t.regex(recusada.texto, /alguém o alterou/);
  t.false(recusada.texto.includes('2020-01-01T00'));
  t.is(await situacaoDe(contrato), 'ativo');
});

test('liberar o que se bloqueou por débito pede o motivo', async (t) => {
  const { provedor, contrato } = await cenario({}, { situacao: 'bloqueado', bloqueio_origem: 'financeiro' });
  const pessoa = await entrarNoPainel(api, provedor, 'financeiro');
  t.is((await pessoa.post(`/contratos/${contrato}/liberar`)).status, 422);
  t.is((await pessoa.post(`/contratos/${contrato}/liberar`, { motivo: 'pagou no balcão' })).status, 303);
  t.is(await situacaoDe(contrato), 'ativo');
});

test('o desbloqueio de confiança diz até quando ou por que não, e só uma vez por dívida', async (t) => {
  const regras = { desbloqueio_habilitado: 1, desbloqueio_dias: 3 };
  const { provedor, contrato } = await cenario(regras, { situacao: 'bloqueado', bloqueio_origem: 'financeiro' });
  const pessoa = await entrarNoPainel(api, provedor, 'atendimento');
  t.regex((await pessoa.get(`/contratos/${contrato}`)).texto, /Disponível: libera por 3 dias/);
  t.regex((await pessoa.get(`/contratos/${contrato}/confianca`)).texto, /por 3 dias, até/);
  t.is((await pessoa.post(`/contratos/${contrato}/confianca`)).status, 303);
  t.is(await situacaoDe(contrato), 'ativo');
  t.regex((await pessoa.get(`/contratos/${contrato}`)).texto, /Em vigor até/);
  t.is((await pessoa.post(`/contratos/${contrato}/confianca`)).status, 422);
  t.regex((await pessoa.get(`/contratos/${contrato}/confianca`)).texto, /já tem um desbloqueio de confiança em vigor/);
});

test('suspender, reativar, cancelar e cancelar em definitivo, um depois do outro', async (t) => {
  const { provedor, cliente, contrato } = await cenario();
  const fatura = await f.fatura(provedor, { cliente_id: cliente, contrato_id: contrato, vencimento: '2099-01-10' });
  const pessoa = await entrarNoPainel(api, provedor);
  const fazer = async (oque: string, campos = {}) =>
    (await pessoa.post(`/contratos/${contrato}/${oque}`, campos)).status;
  t.is(await fazer('suspender'), 303);
  t.is(await situacaoDe(contrato), 'inativo');
  t.is(await fazer('reativar'), 303);
  t.is(await situacaoDe(contrato), 'ativo');
  t.is(await fazer('cancelar'), 422, 'pergunta o que fazer das faturas');
  t.regex((await pessoa.get(`/contratos/${contrato}/cancelar`)).texto, /cancelada, esse mês não se cobra mais/);
  t.is(await fazer('cancelar', { faturas_futuras: 'cancelar' }), 303);
  t.is(await situacaoDe(contrato), 'cancelado');
  t.is((await api.dono('faturas').where({ id: fatura }).first('situacao'))?.situacao, 'cancelada');
  t.regex((await pessoa.get(`/contratos/${contrato}/encerrar`)).texto, /Não há volta/);
  t.is(await fazer('encerrar'), 303);
  t.is(await situacaoDe(contrato), 'cancelado_definitivo');
});

test('um contrato novo nasce pendente com o endereço do cliente, a senha é mostrada uma vez, e ativar o liga', async (t) => {
  const { provedor, plano, cliente } = await cenario();
  await api
    .dono('clientes')
    .where({ id: cliente })
    .update({ logradouro: 'Rua das Acácias', cidade: 'Alfenas', uf: 'MG' });
  const pessoa = await entrarNoPainel(api, provedor, 'atendimento');
  t.regex((await pessoa.get('/contratos/novo')).texto, /De quem é o contrato/);
  const formulario = await pessoa.get(`/contratos/novo?cliente=${cliente}`);
  t.regex(formulario.texto, /value="Rua das Acácias"/);
  t.notRegex(formulario.texto, /name="valor"/, 'atendimento não dá desconto');
  const campos = { cliente_id: String(cliente), plano_id: String(plano), dia_vencimento: '12', tipo_conexao: 'pppoe' };
  const errada = await pessoa.post('/contratos/novo', { ...campos, mac: 'zz', 'endereco_instalacao.cep': '1' });
  t.is(errada.status, 422);
  t.regex(errada.texto, /MAC: deve ser um MAC/);
  t.regex(errada.texto, /CEP: deve ter 8 dígitos/);
  t.regex(errada.texto, /value="zz"/);
  t.is((await pessoa.post('/contratos/novo', { ...campos, valor: '1,00' })).status, 403);
  const criado = await pessoa.post('/contratos/novo', {
    ...campos,
    login: 'ana.prado',
    'endereco_instalacao.cidade': 'Alfenas',
  });
  t.is(criado.status, 200);
  const senha = /id="senha-nova">([^<]+)/.exec(criado.texto)?.[1] ?? '';
  t.regex(senha, /^\w{10}$/);
  const { id } = await api.dono('contratos').where({ provedor_id: provedor, login: 'ana.prado' }).first('id');
  t.is(await situacaoDe(id), 'pendente');
  t.false((await pessoa.get(`/contratos/${id}`)).texto.includes(senha));
  t.false((await pessoa.get(`/contratos/${id}/rede`)).texto.includes(senha));
  t.is((await pessoa.post(`/contratos/${id}/ativar`)).status, 303);
  t.is(await situacaoDe(id), 'ativo');
});

test('trocar plano, vencimento, rede e endereço muda o que diz, e nada mais', async (t) => {
  const { provedor, contrato } = await cenario({}, { login: 'bia', mac: '00:1a:2b:3c:4d:5e' });
  const outro = await f.plano(provedor, { nome: 'Fibra 800', valor: '149.90' });
  const pessoa = await entrarNoPainel(api, provedor);
  t.is((await pessoa.post(`/contratos/${contrato}/plano`, { plano_id: String(outro) })).status, 303);
  t.is(
    (await pessoa.post(`/contratos/${contrato}/vencimento`, { dia_vencimento: '20', valor: '1.120,50' })).status,
    303,
  );
  t.is(
    (await pessoa.post(`/contratos/${contrato}/rede`, { login: 'bia.nova', mac: '', senha: 'outra-senha' })).status,
    303,
  );
  t.is(
    (await pessoa.post(`/contratos/${contrato}/endereco`, { 'endereco_instalacao.cidade': 'Varginha' })).status,
    303,
  );
  const row = await api.dono('contratos').where({ id: contrato }).first();
  t.like(row, {
    plano_id: outro,
    dia_vencimento: 20,
    valor: '1120.50',
    login: 'bia.nova',
    mac: null,
    cidade: 'Varginha',
  });
  const refeita = await pessoa.post(`/contratos/${contrato}/rede`, { login: 'com espaço', senha: 'segredo-digitado' });
  t.is(refeita.status, 422);
  t.regex(refeita.texto, /value="com espaço"/);
  t.false(refeita.texto.includes('segredo-digitado'));
});

test('trocar o titular faz outro contrato com o mesmo login', async (t) => {
  const { provedor, contrato } = await cenario({}, { login: 'casa7' });
  const novo = await f.cliente(provedor, { nome: 'Caio', cpf_cnpj: '11144477735' });
  const pessoa = await entrarNoPainel(api, provedor);
  const pergunta = await pessoa.get(`/contratos/${contrato}/titular?cliente=${novo}`);
  t.regex(pergunta.texto, /cancelada, esse mês não se cobra mais/);
  const feita = await pessoa.post(`/contratos/${contrato}/titular`, {
    cliente_id: String(novo),
    faturas_futuras: 'manter',
  });
  t.is(feita.status, 303);
  t.is(await situacaoDe(contrato), 'cancelado_definitivo');
  const id = Number(/contratos\/(\d+)/.exec(String(feita.headers['location']))?.[1]);
  t.like(await api.dono('contratos').where({ id }).first(), { cliente_id: novo, login: 'casa7', situacao: 'ativo' });
});

test('o novo titular se acha por nome ou documento, e só depois se confirma', async (t) => {
  const { provedor, contrato } = await cenario({}, { login: 'casa8' });
  const novo = await f.cliente(provedor, { nome: 'Caio Prado', cpf_cnpj: '11144477735' });
  const xara = await f.cliente(provedor, { nome: 'Caio Nunes', cpf_cnpj: '52998224725' });
  await api.dono('clientes_palavras').insert([
    { provedor_id: provedor, palavra: 'caio', cliente_id: novo },
    { provedor_id: provedor, palavra: 'caio', cliente_id: xara },
  ]);
  const pessoa = await entrarNoPainel(api, provedor);
  const titular = `/contratos/${contrato}/titular`;
  const busca = await pessoa.get(titular);
  t.regex(busca.texto, /name="q"/);
  t.notRegex(busca.texto, /name="cliente_id"/);
  const achados = (await pessoa.get(`${titular}?q=caio`)).texto;
  for (const id of [novo, xara]) t.true(achados.includes(`href="/painel${titular}?cliente=${id}"`));
  const porDocumento = (await pessoa.get(`${titular}?q=111.444.777-35`)).texto;
  t.true(porDocumento.includes(`href="/painel${titular}?cliente=${novo}"`));
  t.false(porDocumento.includes(`?cliente=${xara}"`));
  t.regex((await pessoa.get(`${titular}?q=ninguem`)).texto, /Nada com/);
  const confirma = (await pessoa.get(`${titular}?cliente=${novo}`)).texto;
  t.regex(confirma, new RegExp(`name="cliente_id" value="${novo}"`));
  t.regex(confirma, /Caio Prado/);
  const semResposta = await pessoa.post(titular, { cliente_id: String(novo) });
  t.is(semResposta.status, 422);
  t.regex(semResposta.texto, new RegExp(`name="cliente_id" value="${novo}"`));
  const semNinguem = await pessoa.post(titular, { faturas_futuras: 'manter' });
  t.is(semNinguem.status, 422);
  t.regex(semNinguem.texto, /name="q"/);
  t.regex(semNinguem.texto, /Escolha antes o novo titular/);
  t.regex((await pessoa.get(`${titular}?cliente=999999`)).texto, /name="q"/);
});

test('encerrar a sessão de quem está offline diz por que não, e quem não pode nem vê o botão', async (t) => {
  const { provedor, contrato } = await cenario();
  const tecnico = await entrarNoPainel(api, provedor, 'tecnico');
  const recusada = await tecnico.post(`/contratos/${contrato}/desconectar`);
  t.is(recusada.status, 422);
  t.regex(recusada.texto, /não tem sessão aberta/);
  const daVista = (await tecnico.get(`/contratos/${contrato}`)).texto;
  t.regex(daVista, /\/desconectar"/);
  t.notRegex(daVista, /\/(?:bloquear|cancelar|plano|titular)"/);
  for (const oque of ['bloquear', 'cancelar', 'plano', 'rede', 'titular']) {
    t.is((await tecnico.get(`/contratos/${contrato}/${oque}`)).status, 403, oque);
    t.is((await tecnico.post(`/contratos/${contrato}/${oque}`)).status, 403, oque);
  }
});

test('o contrato de outro provedor não existe', async (t) => {
  const { contrato } = await cenario();
  const { provedor } = await cenario();
  const pessoa = await entrarNoPainel(api, provedor);
  t.is((await pessoa.get(`/contratos/${contrato}`)).status, 404);
  t.is((await pessoa.post(`/contratos/${contrato}/bloquear`, { motivo: 'x' })).status, 404);
  t.is(await situacaoDe(contrato), 'ativo');
});
