import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import type { Browser, Locator, Page } from 'playwright-core';
import { ate } from '../../support/espera.ts';
import { abrirNavegador } from '../../support/navegador.ts';
import { executar } from '../../support/processo.ts';
import type { Processo } from '../../support/processo.ts';

/** Where screenshots of the way are put, for people to look at; nowhere otherwise. */
const FOTOS = process.env['MALHA_TEST_FOTOS'];

const pasta = mkdtempSync(path.join(tmpdir(), 'malha-caminho-'));
let servico: Processo | undefined;
let navegador: Browser;
test.before(async () => {
  // As `npm start` does it, with the servers and the demonstration that it brings.
  servico = await executar('start', { MALHA_DEMO: 'sim', MALHA_DATA_DIR: pasta }, /(curl)/);
  navegador = await abrirNavegador();
});
test.after.always(async () => {
  await navegador?.close();
  await servico?.parar();
  rmSync(pasta, { recursive: true, force: true });
});

interface Passo {
  readonly nome: string;
  cliques: number;
  campos: number;
}

/** Somebody with a mouse and a keyboard, who is told where to begin and nothing else: each click and each field is counted. */
class Pessoa {
  readonly passos: Passo[] = [];
  readonly #pagina: Page;
  readonly #nome: string;

  constructor(pagina: Page, nome: string) {
    this.#pagina = pagina;
    this.#nome = nome;
  }

  passo(nome: string): void {
    this.passos.push({ nome, cliques: 0, campos: 0 });
  }

  get #atual(): Passo {
    const atual = this.passos.at(-1);
    if (atual === undefined) throw new Error('fora de qualquer passo');
    return atual;
  }

  /** What is not in sight cannot be clicked: scrolling is allowed, menus that have to be opened first are not. */
  async clicar(alvo: Locator): Promise<void> {
    await alvo.click();
    this.#atual.cliques += 1;
  }

  async botao(name: string): Promise<void> {
    await this.clicar(this.#pagina.getByRole('button', { name, exact: true }));
  }

  /** Of several that are called so, as of each contract, the first. */
  async link(name: string): Promise<void> {
    await this.clicar(this.#pagina.getByRole('main').getByRole('link', { name, exact: true }).first());
  }

  async digitar(rotulo: string, texto: string): Promise<void> {
    // What need not be filled in says so after its name.
    const campo = this.#pagina.getByLabel(new RegExp(`^${rotulo}(?: \\(opcional\\))?$`)).first();
    await campo.click();
    await campo.pressSequentially(texto);
    this.#atual.campos += 1;
  }

  async olhar(nome: string): Promise<void> {
    if (FOTOS === undefined) return;
    await this.#pagina.screenshot({ path: path.join(FOTOS, `${this.#nome}-${nome}.png`), fullPage: true });
  }
}

/** Whether something is wholly within what the screen shows, and under nothing. */
async function naTela(pagina: Page, alvo: Locator): Promise<boolean> {
  const caixa = await alvo.boundingBox();
  const { height } = pagina.viewportSize() ?? { height: 0 };
  const topo = await pagina.locator('.topo').boundingBox();
  return caixa !== null && caixa.y >= (topo?.y ?? 0) + (topo?.height ?? 0) && caixa.y + caixa.height <= height;
}

/** What each step takes: clicks, and fields that are typed into. Fewer are better; more are for a reason. */
const ESPERADO = [
  ['entrar', 1, 2],
  ['achar o cliente pelo fim do telefone', 1, 1],
  ['ver por que a linha caiu', 0, 0],
  ['desbloquear', 2, 1],
  ['abrir um chamado', 2, 2],
  ['solucionar o chamado', 2, 1],
  ['fazer uma chave', 4, 1],
  ['chamar a API com ela', 1, 0],
] as const;

interface ProvedorDaDemonstracao {
  readonly panel_host: string;
  readonly chaves: { readonly completa: string };
}

/** Clients of the demonstration who are blocked, each with the end of a phone that he may be found by. */
async function bloqueados(): Promise<{ readonly nome: string; readonly fim: string }[]> {
  const demo = JSON.parse(readFileSync(path.join(pasta, 'demo.json'), 'utf8')) as {
    readonly base_url: string;
    readonly provedores: readonly ProvedorDaDemonstracao[];
  };
  const [provedor] = demo.provedores;
  const headers = { authorization: `Bearer ${provedor?.chaves.completa ?? ''}` };
  const resposta = await fetch(`${demo.base_url}/clientes?por_pagina=100&situacao=bloqueado`, { headers });
  const { dados } = (await resposta.json()) as {
    readonly dados: readonly { readonly nome: string; readonly telefones: readonly string[] }[];
  };
  return dados.flatMap(({ nome, telefones: [telefone] }) =>
    telefone === undefined ? [] : [{ nome, fim: telefone.slice(-4) }],
  );
}

const VISTAS = [
  ['1280', { viewport: { width: 1280, height: 800 } }],
  ['390', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
] as const;

/** The address and the words to sign in with, as `npm start` says them. */
function dito(t: ExecutionContext): { readonly endereco: string; readonly email: string; readonly senha: string } {
  const linhas = servico?.linhas.join('\n') ?? '';
  const [endereco = ''] = /http:\/\/\S+\/painel/.exec(linhas) ?? [];
  const [, email = '', senha = ''] = /entre com (\S+@\S+) e a senha (\S+)/.exec(linhas) ?? [];
  t.not(endereco, '');
  t.not(senha, '');
  return { endereco, email, senha };
}

for (const [n, [largura, como]] of VISTAS.entries()) {
  test.serial(`quem chega novo faz o dia inteiro sem ler nada, a ${largura} pontos`, async (t) => {
    t.timeout(120_000);
    const { endereco, email, senha } = dito(t);
    const cliente = (await bloqueados())[n];
    if (cliente === undefined) throw new Error('a demonstração não tem cliente bloqueado com telefone');
    const contexto = await navegador.newContext({ locale: 'pt-BR', ...como });
    const pagina = await contexto.newPage();
    pagina.setDefaultTimeout(10_000);
    const pessoa = new Pessoa(pagina, largura);
    const titulo = pagina.getByRole('heading', { level: 1 });

    pessoa.passo('entrar');
    await pagina.goto(endereco);
    await pessoa.olhar('entrar');
    await pessoa.digitar('E-mail', email);
    await pessoa.digitar('Senha', senha);
    await pessoa.botao('Entrar');
    await titulo.getByText('Início').waitFor();
    await pessoa.olhar('inicio');

    pessoa.passo('achar o cliente pelo fim do telefone');
    await pessoa.digitar('Buscar cliente, contrato, fatura, login, MAC ou IP', cliente.fim);
    await pagina.locator('#achados').getByText(cliente.nome).waitFor();
    await pessoa.olhar('busca');
    await pessoa.clicar(pagina.locator('#achados').getByRole('link').filter({ hasText: cliente.nome }));
    await titulo.getByText(cliente.nome).waitFor();

    pessoa.passo('ver por que a linha caiu');
    const principal = pagina.getByRole('main');
    await principal
      .getByText(/^\s*Sim, (?:à mão|por falta de pagamento), desde/)
      .first()
      .waitFor();
    // How many there were depends on when the demonstration's day has it blocked.
    await principal
      .getByText(/queda.* em (?:7|30) dias/)
      .first()
      .waitFor();
    await pessoa.olhar('cliente');

    pessoa.passo('desbloquear');
    await pessoa.link('Liberar');
    await pessoa.olhar('liberar');
    await pessoa.digitar('Motivo', 'Pagou: mandou o comprovante.');
    await pessoa.botao('Liberar');
    await pagina.getByText('Contrato liberado.').waitFor();
    await pessoa.olhar('liberado');

    pessoa.passo('abrir um chamado');
    await pessoa.link('Novo chamado');
    await pessoa.digitar('Assunto', 'Sem conexão');
    await pessoa.digitar('Descrição', 'Diz que a luz da ONU está vermelha.');
    await pessoa.olhar('novo-chamado');
    await pessoa.botao('Abrir chamado');
    await titulo.getByText('Sem conexão').waitFor();
    await pessoa.olhar('chamado');

    pessoa.passo('solucionar o chamado');
    await pessoa.link('Solucionar');
    await pessoa.digitar('Solução', 'Religada a ONU: voltou.');
    await pessoa.botao('Solucionar');
    await principal.getByText('De aberto para solucionado.').waitFor();
    await pessoa.olhar('solucionado');

    pessoa.passo('fazer uma chave');
    const menu = pagina.locator('summary').filter({ hasText: 'Menu' });
    if (await menu.isVisible()) await pessoa.clicar(menu);
    await pessoa.olhar('menu');
    await pessoa.clicar(pagina.getByRole('link', { name: 'API pública', exact: true }).filter({ visible: true }));
    await pessoa.link('Nova chave');
    await pessoa.digitar('Nome do sistema', 'URA');
    await pessoa.clicar(pagina.getByText('clientes, contratos e conexões', { exact: true }));
    await pessoa.botao('Criar chave');
    const chave = pagina.locator('#chave-nova');
    await chave.waitFor();
    // It is shown once: whoever made it must not have to look for it.
    await ate(async () => naTela(pagina, chave));
    await pessoa.olhar('chave');

    pessoa.passo('chamar a API com ela');
    await contexto.grantPermissions(['clipboard-read', 'clipboard-write']);
    await pessoa.botao('Copiar o pedido');
    await pagina.getByText('Copiado.').waitFor();
    const pedido = await pagina.evaluate<string>('navigator.clipboard.readText()');
    // `*.localhost` is this machine to a browser; to curl, where it asks no resolver for it.
    const { stdout } = await promisify(execFile)('sh', ['-c', `${pedido} --silent`]);
    t.like(JSON.parse(stdout), { sucesso: true, dados: { chave: 'URA', permissoes: ['clientes:leitura'] } });

    for (const { nome, cliques, campos } of pessoa.passos) t.log(`${nome}: ${cliques} cliques, ${campos} campos`);
    // On a phone the menu has to be opened first.
    const doMenu = (nome: string): number => (largura === '390' && nome === 'fazer uma chave' ? 1 : 0);
    t.deepEqual(
      pessoa.passos.map(({ nome, cliques, campos }) => [nome, cliques, campos]),
      ESPERADO.map(([nome, cliques, campos]) => [nome, cliques + doMenu(nome), campos]),
    );
    await contexto.close();
  });
}
