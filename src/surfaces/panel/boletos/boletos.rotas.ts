import { comVersao } from '../formulario/versao.ts';
import { readFile } from 'node:fs/promises';
import { exigido, lerCampos, opcional } from '../../../domain/campos/campos.ts';
import { escolha, id as umId, inteiro, texto } from '../../../domain/campos/leitores.ts';
import { Recusa, faltaEm, recusarSeNao } from '../../../domain/erros.ts';
import { provaRecente } from '../../../domain/usuarios/sessoes/sessoes.regras.ts';
import type { ResultadoDaLinha } from '../../../domain/boletos/retornos/retornos.types.ts';
import { MAIOR_RETORNO } from '../../../domain/boletos/retornos/recebimento.service.ts';
import { EM_BRANCO, preenchido } from '../formulario/estado.ts';
import { acao, pagina } from '../rota.ts';
import type { Rota } from '../rota.ts';
import {
  CAMPOS_DO_FORMULARIO,
  CONVENIOS_EM,
  telaDoConvenio,
  telaDoNovoConvenio,
  telaDosConvenios,
  valoresDoConvenio,
} from './convenios.ts';
import { RESULTADOS } from './palavras.ts';
import { telaDaRemessa } from './remessa.ts';
import { BOLETOS_EM, REJEITADOS_EM, telaDosRejeitados } from './rejeitados.ts';
import { telaDaPrevia, telaDosBoletos } from './remessas.ts';
import { telaDoRetorno } from './retorno.ts';

const CONFIGURAR = 'cobranca.editar';
const USAR = 'cobranca.faturar';
const resultados = Object.keys(RESULTADOS) as ResultadoDaLinha[];
const TIPO = 'application/octet-stream';
const DO_MOTIVO = { motivo: exigido(texto(16, 16)) } as const;
/** So many writes at a press: what is left is still listed, and is pressed for again. */
const VEZES_POR_PEDIDO = 20;

/** What is not typed of a new agreement is what its bank has by itself; a number that is not typed stays. */
const semVazios = (dados: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(dados).filter(
      ([nome, valor]) => valor !== '' || !['proximo_nsa', 'proximo_numero', 'juros_ao_mes', 'multa'].includes(nome),
    ),
  );

/** Agreements with banks, what is sent to them and what they answer. */
export const BOLETOS: readonly Rota[] = [
  pagina(CONVENIOS_EM, {
    permissao: CONFIGURAR,
    mostrar: async (chamada) => ({ tela: await telaDosConvenios(chamada) }),
  }),
  pagina(`${CONVENIOS_EM}/novo`, {
    permissao: CONFIGURAR,
    mostrar: async (chamada) => ({ tela: await telaDoNovoConvenio(chamada, EM_BRANCO) }),
  }),
  acao(`${CONVENIOS_EM}/novo`, {
    permissao: CONFIGURAR,
    prova: true,
    campos: { ...CAMPOS_DO_FORMULARIO, banco: 'texto', cobrador_id: 'texto' },
    formulario: telaDoNovoConvenio,
    async fazer({ dados, mudar }) {
      const id = await mudar(async (_dominio, { convenios }) => convenios.criar(semVazios(dados)));
      return { ir: `${CONVENIOS_EM}/${id}`, feito: 'criado' };
    },
  }),
  pagina(`${CONVENIOS_EM}/{id}`, {
    permissao: CONFIGURAR,
    async mostrar(chamada) {
      const convenio = await chamada.dominio.boletos.convenio(chamada.parametros.id);
      return { tela: await telaDoConvenio(chamada, preenchido(valoresDoConvenio(convenio))) };
    },
  }),
  acao(`${CONVENIOS_EM}/{id}`, {
    permissao: CONFIGURAR,
    prova: true,
    campos: { ...CAMPOS_DO_FORMULARIO, versao: 'texto' },
    formulario: telaDoConvenio,
    async fazer({ parametros: { id }, dados: enviados, mudar }) {
      const { dados, lida } = comVersao(enviados);
      await mudar(async (_dominio, { convenios }) => convenios.alterar(id, semVazios(dados), lida));
      return { ir: `${CONVENIOS_EM}/${id}`, feito: 'salvo' };
    },
  }),
  acao(`${CONVENIOS_EM}/{id}/ativar`, {
    permissao: CONFIGURAR,
    prova: true,
    async fazer({ parametros: { id }, mudar }) {
      await mudar(async (_dominio, { convenios }) => convenios.ativar(id));
      return { ir: `${CONVENIOS_EM}/${id}`, feito: 'salvo' };
    },
  }),
  acao(`${CONVENIOS_EM}/{id}/desativar`, {
    permissao: CONFIGURAR,
    prova: true,
    async fazer({ parametros: { id }, mudar }) {
      await mudar(async (_dominio, { convenios }) => convenios.desativar(id));
      return { ir: `${CONVENIOS_EM}/${id}`, feito: 'salvo' };
    },
  }),

  pagina(BOLETOS_EM, { permissao: USAR, mostrar: async (chamada) => ({ tela: await telaDosBoletos(chamada) }) }),
  acao(`${BOLETOS_EM}/confirmar`, { permissao: USAR, prova: true, fazer: async () => ({ ir: BOLETOS_EM }) }),
  acao(`${BOLETOS_EM}/retornos`, {
    permissao: USAR,
    // No bank signs its file: who sends it vouches for payments, as who registers one.
    tambem: ['faturas.baixar'],
    campos: { convenio: 'texto' },
    arquivo: { campo: 'arquivo', maximo: MAIOR_RETORNO },
    formulario: telaDosBoletos,
    async fazer({ agora, arquivo, ator, dados, servicos, sessao: { provedor, sessao } }) {
      if (!provaRecente(sessao, agora)) throw new Recusa('prova_exigida');
      if (arquivo === null) faltaEm('arquivo', 'escolha o arquivo do banco');
      const { convenio = null } = lerCampos({ convenio: opcional(umId) }, dados['convenio'] === '' ? {} : dados);
      const bytes = await readFile(arquivo.path);
      const nome = arquivo.name || 'retorno';
      const { id } = await servicos.arquivosDeRetorno.receber(ator, provedor.id, bytes, nome, convenio);
      return { ir: `${BOLETOS_EM}/retornos/${id}` };
    },
  }),
  pagina(`${BOLETOS_EM}/retornos/{id}`, {
    permissao: USAR,
    consulta: { resultado: opcional(escolha(resultados)), depois: opcional(inteiro(0, 99_999_999)) },
    mostrar: async (chamada) => ({ tela: await telaDoRetorno(chamada) }),
  }),
  acao(`${BOLETOS_EM}/retornos/{id}/tentar`, {
    permissao: USAR,
    async fazer({ parametros: { id }, mudar }) {
      await mudar(async (_dominio, { tentativasDeRetorno }) => tentativasDeRetorno.tentar(id));
      return { ir: `${BOLETOS_EM}/retornos/${id}`, feito: 'salvo' };
    },
  }),
  acao(`${BOLETOS_EM}/retornos/{id}/baixar`, {
    permissao: USAR,
    tambem: ['clientes.documentos'],
    prova: true,
    async fazer({ parametros: { id }, ler, sessao: { usuario } }) {
      const arquivo = await ler(async ({ retornos, acessos }) => {
        const achado = await retornos.arquivo(id);
        recusarSeNao(achado, 'nao_encontrado');
        await acessos.anotarAcesso({ usuarioId: usuario.id, clienteId: null, oQue: 'csv' });
        return achado;
      });
      return { arquivo: { nome: arquivo.nome, tipo: TIPO, corpo: arquivo.conteudo } };
    },
  }),
  pagina(`${BOLETOS_EM}/convenios/{id}`, {
    permissao: USAR,
    mostrar: async (chamada) => ({ tela: await telaDaPrevia(chamada) }),
  }),
  acao(`${BOLETOS_EM}/convenios/{id}`, {
    permissao: USAR,
    async fazer({ parametros: { id }, mudar }) {
      const feita = await mudar(async (_dominio, { remessas }) => remessas.gerar(id));
      return { ir: feita.id === null ? BOLETOS_EM : `${BOLETOS_EM}/remessas/${feita.id}` };
    },
  }),
  pagina(`${BOLETOS_EM}/remessas/{id}`, {
    permissao: USAR,
    mostrar: async (chamada) => ({ tela: await telaDaRemessa(chamada) }),
  }),
  acao(`${BOLETOS_EM}/remessas/{id}/baixar`, {
    permissao: USAR,
    tambem: ['clientes.documentos'],
    prova: true,
    async fazer({ parametros: { id }, ler, mudar, sessao: { usuario } }) {
      const { nome, conteudo } = await mudar(async (_dominio, { remessas }) => remessas.baixar(id));
      await ler(async ({ acessos }) => acessos.anotarAcesso({ usuarioId: usuario.id, clienteId: null, oQue: 'csv' }));
      return { arquivo: { nome, tipo: TIPO, corpo: conteudo } };
    },
  }),
  acao(`${BOLETOS_EM}/remessas/{id}/enviada`, {
    permissao: USAR,
    async fazer({ parametros: { id }, mudar }) {
      await mudar(async (_dominio, { remessas }) => remessas.marcarEnviada(id));
      return { ir: `${BOLETOS_EM}/remessas/${id}`, feito: 'salvo' };
    },
  }),
  acao(`${BOLETOS_EM}/remessas/{id}/desfazer`, {
    permissao: USAR,
    async fazer({ parametros: { id }, mudar }) {
      await mudar(async (_dominio, { remessas }) => remessas.desfazer(id));
      return { ir: `${BOLETOS_EM}/remessas/${id}`, feito: 'desfeito' };
    },
  }),
  acao(`${BOLETOS_EM}/remessas/{id}/recusada`, {
    permissao: USAR,
    prova: true,
    async fazer({ parametros: { id }, mudar }) {
      await mudar(async (_dominio, { remessas }) => remessas.recusadaPeloBanco(id));
      return { ir: `${BOLETOS_EM}/remessas/${id}`, feito: 'salvo' };
    },
  }),
  pagina(REJEITADOS_EM, {
    permissao: USAR,
    consulta: { motivo: opcional(texto(16, 16)), depois: opcional(umId) },
    mostrar: async (chamada) => ({ tela: await telaDosRejeitados(chamada) }),
  }),
  acao(REJEITADOS_EM, {
    permissao: USAR,
    campos: { motivo: 'texto' },
    async fazer({ dados, mudar }) {
      const { motivo } = lerCampos(DO_MOTIVO, dados);
      for (let vez = 0; vez < VEZES_POR_PEDIDO; vez += 1) {
        if ((await mudar(async (_dominio, { remessas }) => remessas.reenviarRejeitados(motivo))) === 0) break;
      }
      return { ir: BOLETOS_EM, feito: 'salvo' };
    },
  }),
  acao(`${BOLETOS_EM}/faturas/{id}/reenviar`, {
    permissao: USAR,
    campos: { volta: 'texto' },
    async fazer({ parametros: { id }, dados, mudar }) {
      await mudar(async (_dominio, { remessas }) => remessas.reenviar(id));
      return { ir: dados['volta'] === 'fatura' ? `/faturas/${id}` : BOLETOS_EM, feito: 'salvo' };
    },
  }),
];
