import test from 'ava';
import { criarMudar } from '../../domain/clientes/apoio.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { SENHA_DO_PAINEL, entrarNoPainel } from '../../support/painel.ts';
import { relogioEm } from '../../support/relogio.ts';

const relogio = relogioEm('2026-11-20T15:00:00Z');
let api: Api;
let fabrica: Fabrica;
const mudar = criarMudar(() => api);
test.before(async () => {
  api = await criarApi({ relogio });
  fabrica = criarFabrica(api.dono);
});
test.after.always(async () => api.fechar());

const CPF = '52998224725';
const OUTRO_CPF = '11144477735';

const criar = async (provedor: number, dados: object = {}): Promise<number> =>
  mudar(provedor, async ({ clientes }) => clientes.criar({ nome: 'Maria de Souza', cpf_cnpj: CPF, ...dados }));

test.serial('a lista filtra, pagina e mostra as colunas que se escolhem', async (t) => {
  const provedor = await fabrica.provedor();
  await criar(provedor, { telefones: ['35999990001'], email: 'maria@exemplo.com.br', endereco: { cidade: 'Alfenas' } });
  await criar(provedor, { nome: 'Bruno Lima', cpf_cnpj: OUTRO_CPF, situacao: 'inativo' });
  for (let n = 0; n < 60; n += 1) await fabrica.cliente(provedor, { nome: `Zeca ${100 + n}`, cpf_cnpj: '' });
  const pessoa = await entrarNoPainel(api, provedor);
  const todos = (await pessoa.get('/clientes')).texto;
  t.regex(todos, /62 clientes/);
  t.true(todos.includes('529.982.247-25') && todos.includes('(35) 99999-0001'));
  t.false(todos.includes('maria@exemplo.com.br'));
  const proxima = /href="\/painel(\/clientes\?[^"]*pagina=[^"]*)">Próximos/.exec(todos)?.[1]?.replaceAll('&amp;', '&');
  const segunda = (await pessoa.get(proxima ?? '')).texto;
  t.true(segunda.includes('Zeca 159') && !segunda.includes('Bruno Lima'));

  const inativos = (await pessoa.get('/clientes?situacao=inativo')).texto;
  t.true(inativos.includes('Bruno Lima') && !inativos.includes('Maria de Souza'));
  t.true((await pessoa.get('/clientes?cidade=Alfenas&colunas=email')).texto.includes('maria@exemplo.com.br'));
  t.regex((await pessoa.get('/clientes?situacao=observacao')).texto, /Nenhum cliente com estes filtros/);
  t.is((await pessoa.get('/clientes?situacao=qualquer')).status, 400);
  const vazio = await entrarNoPainel(api, await fabrica.provedor());
  t.regex((await vazio.get('/clientes')).texto, /Ainda não há clientes/);
});

test.serial('o CSV pede prova, vem inteiro e sem fórmulas, e fica anotado', async (t) => {
  const provedor = await fabrica.provedor();
  await criar(provedor, { nome: '=SOMA(A1)', telefones: ['35999990001'] });
  await criar(provedor, { nome: 'Bruno Lima', cpf_cnpj: OUTRO_CPF, situacao: 'inativo' });
  const pessoa = await entrarNoPainel(api, provedor);
  relogio.avancar(11 * 60_000);
  t.regex((await pessoa.post('/clientes/exportar')).texto, /Confirme que é você/);
  const csv = await pessoa.post('/clientes/exportar', { _senha: SENHA_DO_PAINEL });
  t.is(csv.status, 200);
  t.is(csv.headers['content-type'], 'text/csv; charset=utf-8');
  t.regex(String(csv.headers['content-disposition']), /attachment; filename="clientes-\d{4}-\d\d-\d\d\.csv"/);
  const [cabecalho, primeira, segunda, ...resto] = csv.texto.split('\r\n');
  t.true(cabecalho?.startsWith('\uFEFFNúmero;Nome;'));
  t.regex(primeira ?? '', /^\d+;'=SOMA\(A1\);;529\.982\.247-25;Ativo;\(35\) 99999-0001;/);
  t.regex(segunda ?? '', /Bruno Lima/);
  t.deepEqual(resto, ['']);
  const soInativos = await pessoa.post('/clientes/exportar', { situacao: 'inativo' });
  t.false(soInativos.texto.includes('SOMA'));
  const anotadas = await api.dono('auditoria').where({ provedor_id: provedor, acao: 'exportacao.feita' }).orderBy('id');
  t.deepEqual(
    anotadas.map(({ dados }: { dados: string | object }) => (typeof dados === 'string' ? JSON.parse(dados) : dados)),
    [
      { o_que: 'clientes', cliente: null, linhas: 2 },
      { o_que: 'clientes', cliente: null, linhas: 1 },
    ],
  );
  t.is((await api.dono('acessos_a_dados').where({ provedor_id: provedor, o_que: 'csv' })).length, 2);
  t.is((await (await entrarNoPainel(api, provedor, 'atendimento')).post('/clientes/exportar')).status, 403);
});
