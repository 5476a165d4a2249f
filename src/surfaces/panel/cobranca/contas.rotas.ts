import { camposDoCobrador } from '../../../domain/cobradores/cobradores.service.ts';
import { EM_BRANCO, preenchido } from '../formulario/estado.ts';
import { comVersao } from '../formulario/versao.ts';
import { acao, pagina } from '../rota.ts';
import type { Rota } from '../rota.ts';
import { NOVA, NO_CAMPO, exigirConta, telaDaConta, telaDaNovaConta } from './contas.ts';

const CAMPOS = {
  nome: 'texto',
  cnpj: 'apagavel',
  pix_chave: 'apagavel',
  pix_nome: 'apagavel',
  pix_cidade: 'apagavel',
  boleto_banco: 'apagavel',
  boleto_agencia_codigo: 'apagavel',
  boleto_carteira: 'apagavel',
} as const;

/** Charging accounts: whoever says to whom money goes proves first who he is. */
export const CONTAS: readonly Rota[] = [
  pagina(NOVA, {
    permissao: 'cobranca.editar',
    mostrar: async (chamada) => ({ tela: await telaDaNovaConta(chamada, EM_BRANCO) }),
  }),
  acao(NOVA, {
    permissao: 'cobranca.editar',
    prova: true,
    campos: CAMPOS,
    formulario: telaDaNovaConta,
    async fazer({ dados, mudar }) {
      const id = await mudar(async (_dominio, { cobradores }) => cobradores.criar(dados));
      return { ir: `/configuracoes/cobranca/contas/${id}`, feito: 'criado' };
    },
  }),
  pagina('/configuracoes/cobranca/contas/{id}', {
    permissao: 'cobranca.editar',
    async mostrar(chamada) {
      const campos = camposDoCobrador(await exigirConta(chamada));
      const estado = preenchido({ ...campos, cnpj: NO_CAMPO('cnpj', campos.cnpj ?? '') });
      return { tela: await telaDaConta(chamada, estado) };
    },
  }),
  acao('/configuracoes/cobranca/contas/{id}', {
    permissao: 'cobranca.editar',
    prova: true,
    campos: { ...CAMPOS, nome: 'apagavel', versao: 'texto' },
    formulario: telaDaConta,
    async fazer({ parametros: { id }, dados: digitados, mudar }) {
      const { dados, lida } = comVersao(digitados);
      await mudar(async (_dominio, { cobradores }) => cobradores.alterar(id, dados, lida));
      return { ir: `/configuracoes/cobranca/contas/${id}`, feito: 'salvo' };
    },
  }),
  acao('/configuracoes/cobranca/contas/{id}/padrao', {
    permissao: 'cobranca.editar',
    prova: true,
    async fazer({ parametros: { id }, mudar }) {
      await mudar(async (_dominio, { cobradores }) => cobradores.tornarPadrao(id));
      return { ir: `/configuracoes/cobranca/contas/${id}`, feito: 'salvo' };
    },
  }),
  acao('/configuracoes/cobranca/contas/{id}/desativar', {
    permissao: 'cobranca.editar',
    prova: true,
    async fazer({ parametros: { id }, mudar }) {
      await mudar(async (_dominio, { cobradores }) => cobradores.desativar(id));
      return { ir: `/configuracoes/cobranca/contas/${id}`, feito: 'salvo' };
    },
  }),
  acao('/configuracoes/cobranca/contas/{id}/reativar', {
    permissao: 'cobranca.editar',
    prova: true,
    async fazer({ parametros: { id }, mudar }) {
      await mudar(async (_dominio, { cobradores }) => cobradores.reativar(id));
      return { ir: `/configuracoes/cobranca/contas/${id}`, feito: 'salvo' };
    },
  }),
];
