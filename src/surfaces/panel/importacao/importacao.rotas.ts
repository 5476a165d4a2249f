import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { opcional } from '../../../domain/campos/campos.ts';
import { id as umId } from '../../../domain/campos/leitores.ts';
import { faltaEm } from '../../../domain/erros.ts';
import { modelosPara } from '../../../domain/importacoes/modelos.regras.ts';
import type { Acao, Importacao } from '../../../domain/importacoes/importacoes.types.ts';
import { EM_BRANCO } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { acao, pagina } from '../rota.ts';
import type { Chamada, ChamadaDeAcao, Desfecho, Rota, Tela } from '../rota.ts';
import { telaDaImportacao } from './detalhe.ts';
import { CAMPOS_DO_MAPA, doFormulario, formaDoMapa, telaDoMapa } from './mapa.ts';
import { telaDeAplicar, telaDeDesfazer, telaDeExecutar } from './passos.ts';
import { CAMINHO, MAIOR_ARQUIVO, telaDasImportacoes, telaDeNova } from './telas.ts';

type Uma = { readonly id: number };
type DeUma = Pick<Chamada<Uma>, 'servicos' | 'parametros' | 'sessao'>;

const MAIS_NA_LISTA = 200;

/** @throws Recusa `nao_encontrado` */
const exigir = async ({ servicos, parametros: { id }, sessao }: DeUma): Promise<Importacao> =>
  servicos.importacoes.exigir(sessao.provedor.id, id);

const telaDeExecutarUma = async (chamada: DeUma, estado: EstadoDoFormulario): Promise<Tela> =>
  telaDeExecutar(await exigir(chamada), estado);

const telaDeDesfazerUma = async (chamada: DeUma, estado: EstadoDoFormulario): Promise<Tela> =>
  telaDeDesfazer(await exigir(chamada), estado);

async function telaDeAplicarUma(chamada: DeUma, estado: EstadoDoFormulario): Promise<Tela> {
  const {
    servicos,
    parametros: { id },
    sessao,
  } = chamada;
  const importacao = await exigir(chamada);
  return telaDeAplicar(importacao, await servicos.importacoes.previstoNaRede(sessao.provedor.id, id), estado);
}

/** `modelo`: the import whose map the form begins with, where it can. */
async function telaDoMapaDeUma(
  chamada: DeUma & Pick<Chamada, 'dominio'>,
  { estado, modelo }: { readonly estado?: EstadoDoFormulario; readonly modelo?: number | undefined },
): Promise<Tela> {
  const importacao = await exigir(chamada);
  const { dominio, servicos, sessao } = chamada;
  const [planos, cobradores, outras] = await Promise.all([
    dominio.planos.listarTodos(),
    dominio.cobradores.listar(),
    servicos.importacoes.listar(sessao.provedor.id, MAIS_NA_LISTA),
  ]);
  const modelos = modelosPara(importacao, outras);
  const { mapa } = modelos.find(({ id }) => id === modelo) ?? importacao;
  return telaDoMapa({
    importacao,
    planos,
    cobradores,
    modelos,
    fuso: sessao.provedor.fusoHorario,
    estado: estado ?? formaDoMapa(importacao, mapa),
  });
}

/** Asks for an action, which the worker then does; the page of the import shows how far it is. */
async function pedir(
  { ator, parametros: { id }, servicos, sessao: { provedor } }: ChamadaDeAcao<Uma>,
  qual: Acao,
  opcoes: { avisar?: boolean; semSenha?: boolean } = {},
): Promise<Desfecho> {
  await servicos.importacoes.pedir(ator, provedor.id, id, qual, opcoes);
  return { ir: `${CAMINHO}/${id}` };
}

/**
 * A file of lines, which are written while they are read. That it was taken is noted, and how many lines were when it ends, also where
 * whoever asked went away in the middle.
 */
async function baixar(
  chamada: ChamadaDeAcao<Uma>,
  nome: string,
  linhas: (provedorId: number, id: number) => AsyncIterable<string>,
): Promise<Desfecho> {
  const {
    ler,
    mudar,
    parametros: { id },
    sessao,
  } = chamada;
  await exigir(chamada);
  const usuarioId = sessao.usuario.id;
  await ler(async ({ acessos }) => acessos.anotarAcesso({ usuarioId, clienteId: null, oQue: 'csv' }));
  async function* contadas(): AsyncGenerator<string> {
    // The first one names the columns.
    let escritas = -1;
    try {
      for await (const linha of linhas(sessao.provedor.id, id)) {
        escritas += 1;
        yield linha;
      }
    } finally {
      const total = Math.max(0, escritas);
      await mudar(async (_dominio, { exportacoes }) => exportacoes.anotar('importacao', total));
    }
  }
  const corpo = Readable.from(contadas(), { objectMode: false });
  return { arquivo: { nome: `importacao-${id}-${nome}.csv`, tipo: 'text/csv; charset=utf-8', corpo } };
}

const permissao = 'importacao.usar';

/** Files from other systems: taken in, mapped, tried, written, undone. */
export const IMPORTACAO: readonly Rota[] = [
  pagina(CAMINHO, {
    permissao,
    async mostrar({ servicos, sessao: { provedor } }) {
      const todas = await servicos.importacoes.listar(provedor.id, MAIS_NA_LISTA);
      return { tela: telaDasImportacoes(provedor.fusoHorario, todas) };
    },
  }),

  pagina(`${CAMINHO}/nova`, { permissao, mostrar: async () => ({ tela: telaDeNova(EM_BRANCO) }) }),

  acao(`${CAMINHO}/nova`, {
    permissao,
    campos: { formato: 'texto', tipo: 'texto', codificacao: 'texto', separador: 'texto' },
    arquivo: { campo: 'arquivo', maximo: MAIOR_ARQUIVO },
    formulario: async (_chamada, estado) => telaDeNova(estado),
    async fazer({ arquivo, ator, dados, servicos, sessao: { provedor } }) {
      if (arquivo === null) faltaEm('arquivo', 'escolha um arquivo CSV');
      const ditos = {
        ...dados,
        ...(dados['separador'] === 'tab' ? { separador: '\t' } : {}),
        ...(arquivo.name === '' ? {} : { arquivo: arquivo.name.slice(-255) }),
      };
      const { id } = await servicos.importacoes.criar(ator, provedor.id, createReadStream(arquivo.path), ditos);
      return { ir: `${CAMINHO}/${id}` };
    },
  }),

  pagina(`${CAMINHO}/{id}`, {
    permissao,
    async mostrar(chamada) {
      const { agora, sessao } = chamada;
      return { tela: telaDaImportacao(sessao, agora, await exigir(chamada)) };
    },
  }),

  pagina(`${CAMINHO}/{id}/colunas`, {
    permissao,
    consulta: { modelo: opcional(umId) },
    mostrar: async (chamada) => ({ tela: await telaDoMapaDeUma(chamada, { modelo: chamada.consulta.modelo }) }),
  }),

  acao(`${CAMINHO}/{id}/colunas`, {
    permissao,
    campos: CAMPOS_DO_MAPA,
    formulario: async (chamada, estado) => telaDoMapaDeUma(chamada, { estado }),
    async fazer(chamada) {
      const {
        ator,
        dados,
        parametros: { id },
        servicos,
        sessao,
      } = chamada;
      const mapa = doFormulario(await exigir(chamada), dados);
      await servicos.importacoes.mapear(ator, sessao.provedor.id, id, mapa);
      return { ir: `${CAMINHO}/${id}`, feito: 'salvo' };
    },
  }),

  acao(`${CAMINHO}/{id}/simular`, { permissao, fazer: async (chamada) => pedir(chamada, 'simular') }),

  pagina(`${CAMINHO}/{id}/executar`, {
    permissao,
    mostrar: async (chamada) => ({ tela: await telaDeExecutarUma(chamada, EM_BRANCO) }),
  }),

  acao(`${CAMINHO}/{id}/executar`, {
    permissao,
    prova: true,
    campos: { avisar: 'caixa' },
    formulario: telaDeExecutarUma,
    fazer: async (chamada) => pedir(chamada, 'executar', { avisar: chamada.dados['avisar'] === true }),
  }),

  pagina(`${CAMINHO}/{id}/desfazer`, {
    permissao,
    mostrar: async (chamada) => ({ tela: await telaDeDesfazerUma(chamada, EM_BRANCO) }),
  }),

  acao(`${CAMINHO}/{id}/desfazer`, {
    permissao,
    prova: true,
    formulario: telaDeDesfazerUma,
    fazer: async (chamada) => pedir(chamada, 'desfazer'),
  }),

  pagina(`${CAMINHO}/{id}/rede`, {
    permissao,
    mostrar: async (chamada) => ({ tela: await telaDeAplicarUma(chamada, EM_BRANCO) }),
  }),

  acao(`${CAMINHO}/{id}/rede`, {
    permissao,
    prova: true,
    campos: { sem_senha: 'caixa' },
    formulario: telaDeAplicarUma,
    fazer: async (chamada) => pedir(chamada, 'aplicar_rede', { semSenha: chamada.dados['sem_senha'] === true }),
  }),

  acao(`${CAMINHO}/{id}/recusadas`, {
    permissao,
    tambem: ['clientes.documentos'],
    prova: true,
    fazer: async (chamada) =>
      baixar(chamada, 'recusadas', (provedorId, id) => chamada.servicos.importacoes.recusadas(provedorId, id)),
  }),

  acao(`${CAMINHO}/{id}/detalhes`, {
    permissao,
    tambem: ['clientes.documentos'],
    prova: true,
    fazer: async (chamada) =>
      baixar(chamada, 'detalhes', (provedorId, id) => chamada.servicos.importacoes.detalhes(provedorId, id)),
  }),
];
