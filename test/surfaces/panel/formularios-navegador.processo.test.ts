import test from 'ava';
import type { Browser, Page } from 'playwright-core';
import { toDatabaseTime } from '../../../src/platform/mysql/database.ts';
import type { TipoDeCampo } from '../../../src/surfaces/panel/formulario/leitura.ts';
import type { Acao } from '../../../src/surfaces/panel/rota.ts';
import { ROTAS } from '../../../src/surfaces/panel/rotas.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { abrirNavegador } from '../../support/navegador.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import type { PessoaNoPainel, RespostaDoPainel } from '../../support/painel.ts';
import { enderecoDe, povoar } from './povoado.ts';
import type { Povoado } from './povoado.ts';

/** A session may send 600 things in a minute. */
const POR_SESSAO = 400;

/** No field takes it: it has a character that nobody types, and is no number, date, word of a list or document. */
const ERRADO = 'x\u0007x';

const ONTEM = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

/** What the route is asked about, where its query names it. */
const CONSULTAS: Readonly<Record<string, string>> = { '/tarefas/rodar': '?tarefa=pix.recalcular' };

/** Fields that are not told of beside themselves, each with the reason. */
const EXCECOES = new Map([
  ['/conta/senha senha', 'a senha de agora é conferida antes, e é outra'],
  ['/configuracoes/nfcom/certificado senha', 'é do arquivo, que é o que não se abre com ela'],
  ['/configuracoes/cobranca/psp/certificado senha', 'é do arquivo, que é o que não se abre com ela'],
  ['/configuracoes/cobranca/feriados nome', 'o dia é julgado antes'],
  ['/rede/avisos/novo tipo', 'primeiro se vê quem é atingido; as palavras são julgadas ao abrir'],
  ['/rede/avisos/novo titulo', 'primeiro se vê quem é atingido; as palavras são julgadas ao abrir'],
  ['/rede/avisos/novo texto', 'primeiro se vê quem é atingido; as palavras são julgadas ao abrir'],
  ['/rede/avisos/novo planos', 'um plano que não há não atinge ninguém, e a prévia o diz'],
  ['/configuracoes/webhooks/{id}/reenviar-desde tudo', 'é uma caixa só: marcada é marcada'],
  ['/configuracoes/importacao/{id}/colunas colunas', 'a coluna que não há no arquivo não é lida'],
  ['/entrar/novo-fator/passkey nome', 'o aparelho responde antes a um desafio, que é novo a cada vez'],
  ['/conta/novo-fator/passkey nome', 'o aparelho responde antes a um desafio, que é novo a cada vez'],
]);

const formas = ROTAS.filter((rota): rota is Acao => rota.metodo === 'POST' && rota.formulario !== null);

let api: Api;
let povoado: Povoado;
let navegador: Browser;
let leitor: Page;
test.before(async () => {
  api = await criarApi();
  povoado = await povoar(api);
  navegador = await abrirNavegador();
  leitor = await navegador.newPage();
});
test.after.always(async () => {
  await navegador?.close();
  await api.fechar();
});

interface Controle {
  readonly nome: string;
  /** `text`, `checkbox`, `hidden`, `select-one`, `textarea`… */
  readonly tipo: string;
  /** Which keys a phone shows for it. */
  readonly teclado: string;
  /** What the browser would send of it; null where that is nothing. */
  readonly enviado: string | null;
  /** What can be chosen. */
  readonly opcoes: readonly string[];
  readonly fixo: boolean;
  /** Whether what describes it, or the group that it is of, is there and says something wrong. */
  readonly falta: boolean;
}

interface Lida {
  readonly controles: readonly Controle[];
  /** Fields that the summary of faults leads to, by their names. */
  readonly acusados: readonly string[];
  /** Where the summary leads to that is not on the page. */
  readonly perdidos: readonly string[];
  readonly recusa: string | null;
}

/** Reads the form of an address out of a page, as a browser has it; null where the page has none. */
const LER = `(([pagina, action]) => {
  const doc = new DOMParser().parseFromString(pagina, 'text/html');
  const formas = [...doc.querySelectorAll('form[method=post]')].filter((um) => (um.getAttribute('action') ?? '').split('?')[0] === action);
  if (formas.length === 0) return null;
  const dos = formas.flatMap((forma) => [...forma.elements]).filter((um) => um.name && um.tagName !== 'BUTTON');
  const describe = (um) => um.getAttribute('aria-describedby')?.split(' ').map((id) => doc.getElementById(id)) ?? [];
  const dita = (um) => describe(um).some((dito) => dito?.classList.contains('invalid-feedback') && dito.textContent.trim() !== '');
  const links = [...doc.querySelectorAll('[data-faltas] a')].map((um) => um.getAttribute('href').slice(1));
  const grupos = (um) => {
    const acima = um.parentElement?.closest('fieldset') ?? null;
    return acima === null ? [] : [acima, ...grupos(acima)];
  };
  // Of a group, all that it has.
  const nomesDe = (id) => {
    const alvo = doc.getElementById(id);
    return alvo === null ? [] : [alvo, ...alvo.querySelectorAll('[name]')].map(({ name }) => name).filter(Boolean);
  };
  return {
    controles: dos.map((um) => ({
      nome: um.name,
      tipo: um.type,
      teclado: um.getAttribute('inputmode') ?? '',
      enviado: um.type === 'checkbox' || um.type === 'radio' ? (um.checked ? um.value : null) : um.value,
      opcoes: um.tagName === 'SELECT' ? [...um.options].map(({ value }) => value) : um.type === 'checkbox' || um.type === 'radio' ? [um.value] : [],
      fixo: um.disabled || um.readOnly === true,
      falta: dita(um) || grupos(um).some(dita),
    })),
    acusados: links.flatMap(nomesDe),
    perdidos: links.filter((id) => doc.getElementById(id) === null),
    recusa: doc.querySelector('[data-faltas] p')?.textContent.trim() ?? null,
  };
})`;

const ler = async (pagina: string, action: string): Promise<Lida | null> =>
  leitor.evaluate<Lida | null>(`${LER}(${JSON.stringify([pagina, action])})`);

type Campos = Record<string, string | readonly string[]>;

/** Something else than stands in a form, that a field may hold by its kind. */
function digitado(tipo: TipoDeCampo, nome: string, controles: readonly Controle[]): string | readonly string[] | null {
  const [um] = controles;
  if (um === undefined || um.fixo) return null;
  if (tipo === 'caixa') return um.tipo === 'hidden' ? null : 'sim';
  if (tipo === 'lista') {
    const opcoes = controles.filter(({ fixo }) => !fixo).flatMap((dele) => dele.opcoes);
    return opcoes.filter((valor) => valor !== '');
  }
  if (um.tipo === 'hidden') return um.enviado;
  if (um.tipo === 'select-one' || um.tipo === 'radio') return controles.flatMap((dele) => dele.opcoes).at(-1) ?? null;
  if (um.tipo === 'checkbox') return um.opcoes[0] ?? null;
  if (um.tipo === 'date') return ONTEM;
  if (um.tipo === 'datetime-local') return '2027-02-03T10:30';
  if (um.tipo === 'time') return '10:30';
  if (um.tipo === 'color') return '#123456';
  if (um.tipo === 'number' || um.teclado === 'numeric') return '7';
  if (tipo === 'dinheiro' || tipo === 'decimal' || um.teclado === 'decimal') return '12,34';
  return `digitado em ${nome}`;
}

/** What the browser would send of a field of a page that came back. */
const enviado = (controles: readonly Controle[]): readonly string[] =>
  controles.flatMap((um) => (um.enviado === null ? [] : [um.enviado.replaceAll('\r\n', '\n')]));

test('cada formulário diz o erro junto ao campo, e guarda o que se digitou nos outros', async (t) => {
  t.timeout(10 * 60_000);
  let enviados = 0;
  let quem: PessoaNoPainel;
  const entrar = async (): Promise<void> => {
    quem = await entrarNoPainel(api, povoado.provedorId);
    const agora = toDatabaseTime(new Date());
    await api
      .dono('painel_sessoes')
      .where({ usuario_id: quem.usuarioId })
      .update({ provada_em: agora, fator_em: agora });
  };
  const endereco = (rota: Acao): string => enderecoDe(rota, povoado) + (CONSULTAS[rota.caminho] ?? '');
  const enviar = async (rota: Acao, campos: Campos): Promise<RespostaDoPainel> => {
    if (enviados % POR_SESSAO === 0) await entrar();
    enviados += 1;
    if (rota.arquivo === null) return quem.post(endereco(rota), campos);
    const simples = Object.entries(campos).map(([nome, valor]): [string, string] => [nome, [valor].flat().join(',')]);
    const arquivo = { campo: rota.arquivo.campo, nome: 'clientes.csv', conteudo: Buffer.from('nome;cpf\nAna;1\n') };
    return quem.enviar(endereco(rota), arquivo, Object.fromEntries(simples));
  };
  const abrir = async (rota: Acao): Promise<RespostaDoPainel> => quem.get(endereco(rota));
  const faltas: string[] = [];
  const semFaltas: string[] = [];
  let vistos = 0;
  for (const rota of formas) {
    const action = `/painel${enderecoDe(rota, povoado)}`;
    const nomes = Object.keys(rota.campos);
    // All wrong at once: what comes back says which controls there are.
    const todos = Object.fromEntries(nomes.map((nome): [string, string] => [nome, ERRADO]));
    const primeira = await enviar(rota, todos);
    let forma = primeira.status === 422 || primeira.status === 409 ? await ler(primeira.texto, action) : null;
    // What goes along unseen is of the form's making: as its page has it, where it has one.
    const escondido = (nome: string): boolean =>
      forma?.controles.some((um) => um.nome === nome && um.tipo === 'hidden') ?? false;
    const inteira = await ler((await abrir(rota)).texto, action);
    const deVer = nomes.filter((nome) => !escondido(nome));
    if (deVer.length < nomes.length) {
      const segunda = await enviar(rota, Object.fromEntries(deVer.map((nome): [string, string] => [nome, ERRADO])));
      forma = await ler(segunda.texto, action);
    }
    if (forma === null) {
      semFaltas.push(`${rota.caminho}: ${primeira.status}`);
      continue;
    }
    const desta = forma;
    const doCampo = (nome: string, lida: Lida = desta): readonly Controle[] =>
      lida.controles.filter((um) => um.nome === nome);
    const certos: Campos = {};
    for (const nome of nomes) {
      const [deles] = inteira?.controles.filter((um) => um.nome === nome && um.tipo === 'hidden') ?? [];
      const valor = deles?.enviado ?? digitado(rota.campos[nome] ?? 'texto', nome, doCampo(nome));
      if (valor !== null) certos[nome] = valor;
    }
    for (const nome of nomes) {
      const tipo = rota.campos[nome] ?? 'texto';
      const [controle] = doCampo(nome);
      if (controle === undefined || controle.tipo === 'hidden' || controle.fixo) continue;
      // A box that is ticked is ticked, whatever it is called.
      if (tipo === 'caixa' || (controle.tipo === 'checkbox' && tipo !== 'lista')) continue;
      if (EXCECOES.has(`${rota.caminho} ${nome}`)) continue;
      const resposta = await enviar(rota, { ...certos, [nome]: tipo === 'lista' ? [ERRADO] : ERRADO });
      const lida = resposta.status === 422 || resposta.status === 409 ? await ler(resposta.texto, action) : null;
      const onde = `${rota.caminho} ${nome}`;
      if (lida === null) {
        faltas.push(`${onde}: ${resposta.status}`);
        continue;
      }
      vistos += 1;
      faltas.push(...lida.perdidos.map((id) => `${onde}: o resumo leva a #${id}, que não há`));
      if (!lida.acusados.includes(nome))
        faltas.push(`${onde}: não é acusado (${lida.recusa ?? ''} ${lida.acusados.join()})`);
      else if (!doCampo(nome, lida).some(({ falta }) => falta)) faltas.push(`${onde}: a falta não está junto ao campo`);
      for (const [outro, valor] of Object.entries(certos)) {
        if (rota.campos[outro] === 'segredo' || outro === 'versao' || outro === 'atualizado_em') continue;
        const veio = outro === nome ? null : enviado(doCampo(outro, lida));
        if (veio !== null && veio.join('|') !== [valor].flat().join('|'))
          faltas.push(`${onde}: ${outro} era “${[valor].flat().join('|')}”, voltou “${veio.join('|')}”`);
      }
      if (controle.tipo !== 'password' && tipo !== 'segredo' && tipo !== 'lista' && controle.opcoes.length === 0) {
        const veio = enviado(doCampo(nome, lida)).join('|');
        if (veio !== ERRADO && !/^(?:date|time|number|color|datetime-local)$/.test(controle.tipo))
          faltas.push(`${onde}: o próprio erro não voltou, mas “${veio}”`);
      }
    }
  }
  t.log(`${vistos} campos de ${formas.length - semFaltas.length} formulários, ${enviados} envios`);
  t.log(semFaltas);
  t.deepEqual(faltas, []);
});
