import test from 'ava';
import type { Browser, Page } from 'playwright-core';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { toDatabaseTime } from '../../../src/platform/mysql/database.ts';
import type { TipoDeCampo } from '../../../src/surfaces/panel/formulario/leitura.ts';
import type { Acao } from '../../../src/surfaces/panel/rota.ts';
import { ROTAS } from '../../../src/surfaces/panel/rotas.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { abrirNavegador } from '../../support/navegador.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import type { PessoaNoPainel, RespostaDoPainel } from '../../support/painel.ts';
import { lerFormulario } from './formulario-lido.ts';
import type { Controle, Lida } from './formulario-lido.ts';
import { enderecoDe, povoar } from './povoado.ts';
import type { Povoado } from './povoado.ts';

/** A session may send 600 things in a minute. */
const POR_SESSAO = 400;

/** No field takes it: it has a character that nobody types, and is no number, date, word of a list or document. */
const ERRADO = 'x\u0007x';

// Two days, because of time zones: what is yesterday here may be today there.
const DIA_MS = 86_400_000;
const ANTEONTEM = new Date(Date.now() - 2 * DIA_MS).toISOString().slice(0, 10);
const EM_UM_MES = new Date(Date.now() + 30 * DIA_MS).toISOString().slice(0, 16);

/** The screen that a form stands on, where it is not at the form's own address; `titular` is another client. */
const TELAS: Readonly<Record<string, (ids: Povoado['ids'], titular: number) => string>> = {
  '/tarefas/rodar': () => '/tarefas/rodar?tarefa=pix.recalcular',
  '/contratos/novo': ({ clientes }) => `/contratos/novo?cliente=${clientes ?? ''}`,
  '/contratos/{id}/titular': ({ contratos }, titular) => `/contratos/${contratos ?? ''}/titular?cliente=${titular}`,
  '/faturas/nova': ({ clientes }) => `/faturas/nova?cliente=${clientes ?? ''}`,
  '/renegociacoes/nova': ({ clientes }) => `/renegociacoes/nova?cliente=${clientes ?? ''}`,
  '/regua/entregas': () => '/regua?dia=2026-11-20&passo=aviso&entrega=sem_confirmacao',
  '/chamados/novo': ({ clientes }) => `/chamados/novo?cliente=${clientes ?? ''}`,
  '/chamados/{id}/reabrir': ({ chamados }) => `/chamados/${chamados ?? ''}?fazer=reabrir`,
};

/** How a contract has to stand for a form to be shown, where that is not as it is anyway. */
const SITUACOES: Readonly<Record<string, string>> = {
  '/contratos/{id}/ativar': 'pendente',
  '/contratos/{id}/liberar': 'bloqueado',
  '/contratos/{id}/reativar': 'inativo',
  '/contratos/{id}/confianca': 'bloqueado',
  '/contratos/{id}/encerrar': 'cancelado',
  '/contratos/{id}/credito': 'cancelado',
};

/** Forms that nobody types in or chooses from have no field that could be wrong. */
const SO_BOTAO = 'é só um botão, ou uma caixa, com o que vai junto sem se ver';

/** Forms that are not looked at, each with the reason. */
const NAO_VISTOS = new Map([
  ['/faturamento/gerar', 'só um botão, que há onde um mês tem o que fazer'],
  ['/faturamento/previa/pedir', 'só um botão, que há onde uma prévia é grande'],
  ['/faturamento/{id}/desistir', 'só um botão, que há onde um desfazer falha'],
  ['/nfcom/emitir', 'só um botão; o filtro é outro formulário, que se lê do endereço'],
  ['/nfcom/desistidas', 'só um botão, que há onde se desistiu de notas junto'],
  ['/nfcom/desistir', 'só um botão, que há onde o envio está pausado e há notas que esperam'],
]);

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
  ['/conta/novo-fator/codigo codigo', 'é o de quem entra, e quem erra tantas vezes espera'],
  ['/rede/avisos/novo nas', 'um servidor que não há não atinge ninguém, e a prévia o diz'],
  ['/rede/avisos/novo pops', 'um POP que não há não atinge ninguém, e a prévia o diz'],
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
/** What links open, by the addresses of their forms. */
let tokens: Readonly<Record<string, string>>;
/** A client who has no contract yet. */
let outroCliente: number;
test.before(async () => {
  api = await criarApi();
  povoado = await povoar(api, {}, { desbloqueio_habilitado: 1 });
  const { usuarios, provedores } = api.container;
  const provedor = await provedores.exigirPorId(povoado.provedorId);
  const { id: perfil_id } = await api.dono('perfis').where('provedor_id', provedor.id).first('id');
  const { token } = await usuarios.convidar(TERMINAL, provedor, { email: 'rita@malha.test', nome: 'Rita', perfil_id });
  const { usuarioId } = await entrarNoPainel(api, provedor.id);
  const { token: daSenha } = await usuarios.redefinirSenha(TERMINAL, provedor, usuarioId);
  tokens = { '/convite/{token}': token, '/senha/{token}': daSenha };
  outroCliente = await criarFabrica(api.dono).cliente(povoado.provedorId, { nome: 'Rita Alves' });
  navegador = await abrirNavegador();
  leitor = await navegador.newPage();
});
test.after.always(async () => {
  await navegador?.close();
  await api.fechar();
});

const ler = async (pagina: string, action: string): Promise<Lida | null> => lerFormulario(leitor, pagina, action);

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
  if (um.tipo === 'date') return ANTEONTEM;
  if (um.tipo === 'datetime-local') return EM_UM_MES;
  if (um.tipo === 'time') return '10:30';
  if (um.tipo === 'color') return '#123456';
  if (um.tipo === 'number' || um.teclado === 'numeric') return '7';
  if (tipo === 'dinheiro' || tipo === 'decimal' || um.teclado === 'decimal') return '12,34';
  return `digitado em ${nome}`;
}

/** What the browser would send of a field of a page that came back. */
const enviado = (controles: readonly Controle[]): readonly string[] =>
  controles.flatMap((um) => (um.enviado === null ? [] : [um.enviado.replaceAll('\r\n', '\n')]));

/** Brings what a form is about to where the form is shown. */
async function preparar({ caminho }: Acao): Promise<void> {
  const { provedorId, ids } = povoado;
  const { clientes = 0, contratos = 0, faturas = 0, chamados = 0 } = ids;
  const agora = toDatabaseTime(new Date());
  const daqui = { provedor_id: provedorId };
  const situacao = SITUACOES[caminho] ?? 'ativo';
  const bloqueio = situacao === 'bloqueado' ? { bloqueio_origem: 'financeiro' } : { bloqueio_origem: null };
  await api
    .dono('contratos')
    .where({ ...daqui, id: contratos })
    .update({ situacao, ...bloqueio });
  if (caminho === '/renegociacoes/nova')
    await api
      .dono('faturas')
      .where({ ...daqui, id: faturas })
      .update({ situacao: 'vencida' });
  const fechado = caminho === '/chamados/{id}/reabrir';
  await api
    .dono('chamados')
    .where({ ...daqui, id: chamados })
    .update({ situacao: fechado ? 'solucionado' : 'aberto', fechado_em: fechado ? agora : null });
  // What another invoice was paid too much is what is used here.
  if (caminho === '/faturas/{id}/credito') {
    const paga = { cliente_id: clientes, situacao: 'paga', pago_em: agora };
    const fatura_id = await criarFabrica(api.dono).fatura(provedorId, paga);
    const sobra = { tipo: 'excedente', valor: '30.00', criado_em: agora };
    await api.dono('faturas_lancamentos').insert({ ...daqui, fatura_id, ...sobra });
  }
  // Its last charge has left something.
  if (caminho === '/contratos/{id}/credito') {
    const [faturamento_id] = await api.dono('faturamentos').where(daqui).pluck('id');
    const dela = { contrato_id: contratos, competencia: '2030-01-01', tipo: 'mensalidade', faturamento_id };
    const deNada = { vencimento: '2030-02-10', valor: '-17.00', dias: 0, itens: '[]' };
    await api.dono('faturamento_cobrancas').insert({ ...daqui, ...dela, ...deNada });
  }
  // It asks for the first few things, and for all of them once those are there.
  if (caminho === '/configuracoes/nfcom')
    await api.dono('nfcom_configuracoes').insert({ ...daqui, atualizado_em: agora });
  if (caminho === '/configuracoes/nfcom/comecar') await api.dono('nfcom_configuracoes').where(daqui).delete();
}

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
  const daRota = (rota: Acao): string =>
    enderecoDe(rota, povoado).replace(/\/nenhum-token[^/]*/, `/${tokens[rota.caminho] ?? 'nenhum'}`);
  const daTela = (rota: Acao): string => TELAS[rota.caminho]?.(povoado.ids, outroCliente) ?? daRota(rota);
  // What a form is sent to has a query only where the route reads one.
  const endereco = (rota: Acao): string => {
    const [, consulta] = Object.keys(rota.consulta).length === 0 ? [] : daTela(rota).split('?');
    return daRota(rota) + (consulta === undefined ? '' : `?${consulta}`);
  };
  const enviar = async (rota: Acao, campos: Campos): Promise<RespostaDoPainel> => {
    if (enviados % POR_SESSAO === 0) await entrar();
    enviados += 1;
    if (rota.arquivo === null) return quem.post(endereco(rota), campos);
    const simples = Object.entries(campos).map(([nome, valor]): [string, string] => [nome, [valor].flat().join(',')]);
    const arquivo = { campo: rota.arquivo.campo, nome: 'clientes.csv', conteudo: Buffer.from('nome;cpf\nAna;1\n') };
    return quem.enviar(endereco(rota), arquivo, Object.fromEntries(simples));
  };
  const abrir = async (rota: Acao): Promise<RespostaDoPainel> =>
    // Where a secret was made for it, which goes along.
    rota.caminho.endsWith('/novo-fator/codigo')
      ? quem.post(rota.caminho.replace('/codigo', '/app'), { nome: 'Celular' })
      : quem.get(daTela(rota));
  const faltas: string[] = [];
  const semFaltas: string[] = [];
  const semCampos: string[] = [];
  const naoVistos = new Set<string>();
  const excecoes = new Set<string>();
  let vistos = 0;
  for (const rota of formas) {
    const action = `/painel${daRota(rota)}`;
    const nomes = Object.keys(rota.campos);
    await preparar(rota);
    if (enviados % POR_SESSAO === 0) await entrar();
    // What goes along unseen is of the form's making: as its page has it, where it has one.
    const inteira = await ler((await abrir(rota)).texto, action);
    const escondidos = new Map(
      (inteira?.controles ?? []).flatMap(({ nome, tipo, enviado: valor }): [string, string][] =>
        tipo === 'hidden' && nomes.includes(nome) && valor !== null ? [[nome, valor]] : [],
      ),
    );
    const nadaSeDigita = nomes.every((nome) => escondidos.has(nome) || rota.campos[nome] === 'caixa');
    if (rota.arquivo === null && nadaSeDigita) {
      semCampos.push(rota.caminho);
      continue;
    }
    // All wrong at once: what comes back says which controls there are.
    const todos = Object.fromEntries(nomes.map((nome): [string, string] => [nome, escondidos.get(nome) ?? ERRADO]));
    const primeira = await enviar(rota, todos);
    let forma = primeira.status === 422 || primeira.status === 409 ? await ler(primeira.texto, action) : null;
    const escondido = (nome: string): boolean =>
      forma?.controles.some((um) => um.nome === nome && um.tipo === 'hidden') ?? false;
    const deVer = nomes.filter((nome) => escondidos.has(nome) || !escondido(nome));
    if (deVer.length < nomes.length) {
      const segunda = await enviar(
        rota,
        Object.fromEntries(deVer.map((nome): [string, string] => [nome, escondidos.get(nome) ?? ERRADO])),
      );
      forma = await ler(segunda.texto, action);
    }
    if (forma === null) {
      if (NAO_VISTOS.has(rota.caminho)) naoVistos.add(rota.caminho);
      else semFaltas.push(`${rota.caminho}: ${primeira.status}`);
      continue;
    }
    const desta = forma;
    const doCampo = (nome: string, lida: Lida = desta): readonly Controle[] =>
      lida.controles.filter((um) => um.nome === nome);
    const certos: Campos = {};
    for (const nome of nomes) {
      const valor = escondidos.get(nome) ?? digitado(rota.campos[nome] ?? 'texto', nome, doCampo(nome));
      if (valor !== null) certos[nome] = valor;
    }
    for (const nome of nomes) {
      const tipo = rota.campos[nome] ?? 'texto';
      const [controle] = doCampo(nome);
      if (controle === undefined || controle.tipo === 'hidden' || controle.fixo) continue;
      // A box that is ticked is ticked, whatever it is called.
      if (tipo === 'caixa' || (controle.tipo === 'checkbox' && tipo !== 'lista')) continue;
      const onde = `${rota.caminho} ${nome}`;
      if (EXCECOES.has(onde)) {
        excecoes.add(onde);
        continue;
      }
      const resposta = await enviar(rota, { ...certos, [nome]: tipo === 'lista' ? [ERRADO] : ERRADO });
      const lida = resposta.status === 422 || resposta.status === 409 ? await ler(resposta.texto, action) : null;
      if (lida === null) {
        faltas.push(`${onde}: ${resposta.status}`);
        continue;
      }
      vistos += 1;
      faltas.push(...lida.perdidos.map((id) => `${onde}: o resumo leva a #${id}, que não há`));
      faltas.push(...lida.trocados.map((dito) => `${onde}: ${dito.replaceAll(/\s+/g, ' ')}`));
      if (!lida.acusados.includes(nome))
        faltas.push(`${onde}: não é acusado (${lida.recusa ?? ''} ${lida.acusados.join()})`);
      else if (!doCampo(nome, lida).some(({ falta }) => falta)) faltas.push(`${onde}: a falta não está junto ao campo`);
      for (const [outro, valor] of Object.entries(certos)) {
        if (rota.campos[outro] === 'segredo' || outro === 'versao' || outro === 'atualizado_em') continue;
        const veio = outro === nome ? null : enviado(doCampo(outro, lida));
        if (veio !== null && veio.join('|') !== [valor].flat().join('|'))
          faltas.push(`${onde}: ${outro} era “${[valor].flat().join('|')}”, voltou “${veio.join('|')}”`);
      }
      // A code serves once, and is typed anew.
      const umaVez = nome === 'codigo' && rota.acesso === 'sem_fator';
      if (
        !umaVez &&
        controle.tipo !== 'password' &&
        tipo !== 'segredo' &&
        tipo !== 'lista' &&
        controle.opcoes.length === 0
      ) {
        const veio = enviado(doCampo(nome, lida)).join('|');
        if (veio !== ERRADO && !/^(?:date|time|number|color|datetime-local)$/.test(controle.tipo))
          faltas.push(`${onde}: o próprio erro não voltou, mas “${veio}”`);
      }
    }
  }
  t.log(`${vistos} campos de ${formas.length - semFaltas.length - semCampos.length} formulários, ${enviados} envios`);
  t.log(`${semCampos.length} outros: cada um ${SO_BOTAO}`, semCampos);
  t.deepEqual(semFaltas, []);
  t.deepEqual(faltas, []);
  // What is no longer there needs no exception.
  t.deepEqual([...naoVistos].toSorted(), [...NAO_VISTOS.keys()].toSorted());
  t.deepEqual([...excecoes].toSorted(), [...EXCECOES.keys()].toSorted());
});
