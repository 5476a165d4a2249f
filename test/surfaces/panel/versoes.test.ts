import test from 'ava';
import type { Acao, Rota } from '../../../src/surfaces/panel/rota.ts';
import { ROTAS } from '../../../src/surfaces/panel/rotas.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import type { PessoaNoPainel } from '../../support/painel.ts';
import { enderecoDe, existe, povoar } from './povoado.ts';
import type { Povoado } from './povoado.ts';

const VERSOES = ['versao', 'atualizado_em'];

/**
 * Forms with something in them that change no row of others: what is one's own; what is added to a row and not put in its place, such as a
 * comment or a return of money; an import's columns, which only the one who brought the file maps.
 */
const SEM_VERSAO: readonly string[] = [
  '/chamados/varios',
  '/conta/nome',
  '/conta/aparencia',
  '/configuracoes/importacao/{id}/colunas',
  '/configuracoes/api/{id}/renovar',
  '/clientes/{id}/cancelar',
  '/contratos/{id}/desconectar',
  '/configuracoes/webhooks/{id}/segredo',
  '/conciliacao/pix/{id}/devolver',
  '/conciliacao/boleto/{id}/devolver',
  '/conciliacao/manual/{id}/devolver',
];

/** Asks first who the new holder is, whom no page can know. */
const TITULAR = '/contratos/{id}/titular';

const daquiADias = (dias: number): string => new Date(Date.now() + dias * 86_400_000).toISOString().slice(0, 10);

let api: Api;
let povoado: Povoado;
let eu: PessoaNoPainel;
test.before(async () => {
  api = await criarApi();
  povoado = await povoar(api);
  // One that a contract may change to.
  await criarFabrica(api.dono).plano(povoado.provedorId);
});
// A person may only ask so often in a minute, and each test opens all screens.
test.beforeEach(async () => {
  eu = await entrarNoPainel(api, povoado.provedorId);
});
test.after.always(async () => api.fechar());

interface Formulario {
  readonly rota: Acao;
  readonly campos: readonly (readonly [nome: string, valor: string])[];
  /** Whether something in it can be changed that came with the page. */
  readonly preenchido: boolean;
}

const limpo = (texto: string): string =>
  texto
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
const atributo = (tag: string, nome: string): string | null => {
  const achado = new RegExp(`\\s${nome}="([^"]*)"`).exec(tag)?.[1];
  return achado === undefined ? null : limpo(achado);
};

/** The fields of a form as a browser without script would send them. */
function camposDe(form: string): Pick<Formulario, 'campos' | 'preenchido'> {
  const campos: (readonly [string, string])[] = [];
  let preenchido = false;
  const por = (nome: string | null, valor: string, visivel: boolean): void => {
    if (nome === null) return;
    campos.push([nome, valor]);
    if (visivel && valor.trim() !== '') preenchido = true;
  };
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const tipo = atributo(tag, 'type') ?? 'text';
    if (/\sdisabled/.test(tag) || tipo === 'file') continue;
    const marcado = /\schecked/.test(tag);
    if ((tipo === 'checkbox' || tipo === 'radio') && !marcado) continue;
    por(atributo(tag, 'name'), atributo(tag, 'value') ?? '', tipo !== 'hidden');
  }
  for (const [tudo, abre = '', texto = ''] of form.matchAll(/<textarea([^>]*)>([\s\S]*?)<\/textarea>/g)) {
    if (tudo !== '') por(atributo(` ${abre}`, 'name'), limpo(texto.replace(/^\n/, '')), true);
  }
  for (const [, abre = '', dentro = ''] of form.matchAll(/<select([^>]*)>([\s\S]*?)<\/select>/g)) {
    const opcoes = [...dentro.matchAll(/<option[^>]*>/g)].map(([tag]) => tag);
    const escolhida = opcoes.find((tag) => /\sselected/.test(tag));
    // What has to be chosen is chosen; whether it was is another matter.
    const valores = [escolhida, ...opcoes].map((tag) => atributo(tag ?? '', 'value') ?? '');
    const valor = valores.find((um) => um !== '') ?? '';
    por(atributo(` ${abre}`, 'name'), valor, escolhida !== undefined);
  }
  return { campos, preenchido };
}

/** The pages on which a form may stand: its own address, and those that it is below. */
function paginasDe(rota: Acao): readonly Rota[] {
  const caminhos = [rota.caminho, rota.caminho.replace(/\/[^/]+$/, '')];
  return ROTAS.filter(({ metodo, caminho }) => metodo === 'GET' && caminhos.includes(caminho));
}

async function formularios(): Promise<readonly Formulario[]> {
  const achados: Formulario[] = [];
  const doQueHa = ROTAS.filter((rota): rota is Acao => rota.metodo === 'POST' && existe(rota, povoado));
  for (const rota of doQueHa) {
    const para = `/painel${enderecoDe(rota, povoado)}`;
    for (const pagina of paginasDe(rota)) {
      const { status, texto } = await eu.get(enderecoDe(pagina, povoado));
      if (status !== 200) continue;
      const forms = [...texto.matchAll(/<form[^>]*>[\s\S]*?<\/form>/g)].map(([form]) => form);
      const form = forms.find((um) => atributo(um.slice(0, um.indexOf('>') + 1), 'action') === para);
      if (form !== undefined) achados.push({ rota, ...camposDe(form) });
      if (form !== undefined) break;
    }
  }
  return achados;
}

/** Of what there is one row, and of what there is one a provider. */
const deUmaLinha = ({ rota: { caminho } }: Formulario): boolean =>
  !/\/(?:novo|nova)$/.test(caminho) && (caminho.includes('{') || caminho.startsWith('/configuracoes/'));

test.serial('todo formulário que mostra o que está gravado diz de que versão é', async (t) => {
  const com = (await formularios()).filter((form) => form.preenchido && deUmaLinha(form));
  const sem = com.filter(
    ({ campos, rota }) => !campos.some(([nome]) => VERSOES.includes(nome)) && !SEM_VERSAO.includes(rota.caminho),
  );
  t.deepEqual(
    sem.map(({ rota }) => rota.caminho),
    [],
  );
  t.true(com.length > 10, String(com.length));
});

test.serial('o que foi lido antes de outro mudar é recusado com 409, e nada se grava', async (t) => {
  const comVersao = (await formularios()).filter(
    ({ campos, rota }) => campos.some(([nome]) => VERSOES.includes(nome)) && rota.caminho !== TITULAR,
  );
  t.log(comVersao.map(({ rota }) => rota.caminho).join(' '));
  t.true(comVersao.length > 15, String(comVersao.length));
  const gravadas = async (): Promise<number> =>
    (await api.dono('auditoria').where({ provedor_id: povoado.provedorId })).length;
  const outros: string[] = [];
  for (const { rota, campos } of comVersao) {
    const dados: Record<string, string | string[]> = {};
    for (const [nome, valor] of campos) {
      const antigo = nome === 'versao' ? 'de-antes' : nome === 'atualizado_em' ? '2001-01-01T00:00:00.000Z' : valor;
      const ate = dados[nome];
      dados[nome] = ate === undefined ? antigo : [...[ate].flat(), antigo];
    }
    // What a form asks for and the page leaves empty.
    for (const nome of ['motivo', 'nome', 'texto', 'assunto'])
      if (dados[nome] === '') dados[nome] = 'Um motivo qualquer';
    const antes = await gravadas();
    if (dados['valor'] === '') dados['valor'] = '1,00';
    if (dados['vencimento'] !== undefined) dados['vencimento'] = daquiADias(10);
    const { status, texto, headers } = await eu.post(enderecoDe(rota, povoado), dados);
    if (status === 409 && (await gravadas()) === antes) continue;
    const dito = texto.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
    outros.push(`${rota.caminho}: ${status} ${String(headers['location'])} ${dito.slice(-900, -300)}`);
  }
  t.deepEqual(outros, []);
});

test.serial('mostra o que está gravado e o que se digitou, e só grava o que foi visto', async (t) => {
  const [, pop = ''] = /(\d+)/.exec(String(povoado.ids['rede/pops'])) ?? [];
  const caminho = `/rede/pops/${pop}`;
  const versaoEm = (texto: string): string => /name="versao" value="([^"]*)"/.exec(texto)?.[1] ?? '';
  const campos = { nome: 'Centro', cidade: 'Alfenas', uf: 'MG', versao: versaoEm((await eu.get(caminho)).texto) };
  t.is((await eu.post(caminho, { ...campos, cidade: 'Varginha' })).status, 303);
  const recusado = await eu.post(caminho, { ...campos, cidade: 'Machado' });
  t.is(recusado.status, 409);
  t.regex(recusado.texto, /Cidade: está gravado “Varginha”, você digitou “Machado”/);
  t.regex(recusado.texto, /value="Machado"/);
  t.is(
    (
      await api
        .dono('pops')
        .where({ id: Number(pop) })
        .first()
    )?.cidade,
    'Varginha',
  );
  const deNovo = await eu.post(caminho, { ...campos, cidade: 'Machado', versao: versaoEm(recusado.texto) });
  t.is(deNovo.status, 303);
  t.is(
    (
      await api
        .dono('pops')
        .where({ id: Number(pop) })
        .first()
    )?.cidade,
    'Machado',
  );
});
