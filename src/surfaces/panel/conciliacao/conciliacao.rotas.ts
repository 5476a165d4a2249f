import { lerCampos, exigido } from '../../../domain/campos/campos.ts';
import { id as leitorDeId } from '../../../domain/campos/leitores.ts';
import { MEIOS_DEVOLVIDOS } from '../../../domain/recebimentos/devolucoes/devolucoes.types.ts';
import { EM_BRANCO } from '../formulario/estado.ts';
import { acao, pagina } from '../rota.ts';
import type { Rota } from '../rota.ts';
import { csvDoLivro } from './csv.ts';
import { telaDaEntrada, telaDeDevolver } from './entrada.ts';
import {
  CONSULTA_DAS_DEVOLUCOES,
  CONSULTA_DA_LISTA,
  CONSULTA_SEM_FATURA,
  telaDaLista,
  telaDasDevolucoes,
  telaDosExcedentes,
  telaSemFatura,
} from './listas.ts';
import { CONSULTA_DO_RECORTE, recorteDe, telaDoLivro } from './livro.ts';

/** Putting money that came without an invoice to one, and taking it back. */
const VINCULOS: readonly Rota[] = (['pix', 'boleto'] as const).flatMap((meio) => [
  acao(`/conciliacao/${meio}/{id}/vincular`, {
    permissao: 'conciliacao.aplicar',
    campos: { fatura: 'texto' },
    formulario: async (chamada, estado) => telaDaEntrada(chamada, meio, estado),
    async fazer({ parametros: { id }, dados, mudar }) {
      const { fatura } = lerCampos({ fatura: exigido(leitorDeId) }, { fatura: Number(dados['fatura']) });
      await mudar(async (_dominio, { vinculos }) => vinculos.vincular(meio, id, fatura));
      return { ir: `/conciliacao/${meio}/${id}`, feito: 'salvo' };
    },
  }),
  acao(`/conciliacao/${meio}/{id}/desvincular`, {
    permissao: 'conciliacao.aplicar',
    async fazer({ parametros: { id }, mudar }) {
      await mudar(async (_dominio, { vinculos }) => vinculos.desvincular(meio, id));
      return { ir: `/conciliacao/${meio}/${id}`, feito: 'desfeito' };
    },
  }),
]);

/** What came in, by one means, and giving it back. */
const ENTRADAS: readonly Rota[] = MEIOS_DEVOLVIDOS.flatMap((meio) => [
  pagina(`/conciliacao/${meio}`, {
    permissao: 'conciliacao.ver',
    consulta: CONSULTA_DA_LISTA,
    mostrar: async (chamada) => ({ tela: await telaDaLista(chamada, meio) }),
  }),
  pagina(`/conciliacao/${meio}/{id}`, {
    permissao: 'conciliacao.ver',
    mostrar: async (chamada) => ({ tela: await telaDaEntrada(chamada, meio, EM_BRANCO) }),
  }),
  pagina(`/conciliacao/${meio}/{id}/devolver`, {
    permissao: 'recebimentos.devolver',
    mostrar: async (chamada) => ({ tela: await telaDeDevolver(chamada, meio, EM_BRANCO) }),
  }),
  acao(`/conciliacao/${meio}/{id}/devolver`, {
    permissao: 'recebimentos.devolver',
    prova: 'fator',
    campos: { valor: 'dinheiro', forma: 'texto', motivo: 'texto', ciente: 'caixa', chave: 'texto' },
    formulario: async (chamada, estado) => telaDeDevolver(chamada, meio, estado),
    async fazer({ parametros: { id }, dados, mudar }) {
      await mudar(async (_dominio, { devolucoes }) => devolucoes.devolver(meio, id, dados));
      return { ir: `/conciliacao/${meio}/${id}`, feito: 'salvo' };
    },
  }),
]);

/** The ledger of money received. */
export const CONCILIACAO: readonly Rota[] = [
  pagina('/conciliacao', {
    permissao: 'conciliacao.ver',
    consulta: CONSULTA_DO_RECORTE,
    mostrar: async (chamada) => ({ tela: await telaDoLivro(chamada) }),
  }),
  pagina('/conciliacao/sem-fatura', {
    permissao: 'conciliacao.ver',
    consulta: CONSULTA_SEM_FATURA,
    mostrar: async (chamada) => ({ tela: await telaSemFatura(chamada) }),
  }),
  pagina('/conciliacao/excedentes', {
    permissao: 'conciliacao.ver',
    mostrar: async (chamada) => ({ tela: await telaDosExcedentes(chamada) }),
  }),
  pagina('/conciliacao/devolucoes', {
    permissao: 'conciliacao.ver',
    consulta: CONSULTA_DAS_DEVOLUCOES,
    mostrar: async (chamada) => ({ tela: await telaDasDevolucoes(chamada) }),
  }),
  acao('/conciliacao/devolucoes/{id}/desistir', {
    permissao: 'recebimentos.devolver',
    prova: 'fator',
    async fazer({ parametros: { id }, mudar }) {
      await mudar(async (_dominio, { devolucoes }) => devolucoes.desistir(id));
      return { ir: '/conciliacao/devolucoes', feito: 'desfeito' };
    },
  }),
  acao('/conciliacao/exportar', {
    permissao: 'exportar',
    tambem: ['conciliacao.ver'],
    prova: true,
    campos: { de: 'data', ate: 'data', conta: 'texto' },
    async fazer(chamada) {
      const { agora, dados, sessao } = chamada;
      const { conta, ...dias } = dados;
      const lidos = lerCampos(CONSULTA_DO_RECORTE, conta === undefined ? dias : { ...dias, conta: Number(conta) });
      const recorte = recorteDe(lidos, sessao.provedor.fusoHorario, agora);
      const nome = `recebimentos-${recorte.de}-a-${recorte.ate}.csv`;
      return { arquivo: { nome, tipo: 'text/csv; charset=utf-8', corpo: csvDoLivro(chamada, recorte) } };
    },
  }),
  ...ENTRADAS,
  ...VINCULOS,
];
