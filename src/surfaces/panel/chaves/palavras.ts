import type { Permissao, Restricao } from '../../../domain/chaves/chaves.types.ts';
import type { ChaveDaEquipe } from '../../../domain/chaves/uso/leitura.service.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { etiqueta } from '../componentes/cartao.ts';
import { dia } from '../componentes/escrita.ts';

/** Headings of the permissions: the last is of what programs do at `/v1`. */
export const GRUPOS_DE_PERMISSOES = ['Consultar', 'Fazer', 'Integrações'] as const;

interface DaPermissao {
  readonly grupo: (typeof GRUPOS_DE_PERMISSOES)[number];
  readonly texto: string;
}

/** What a key may do, as people say it. */
export const PERMISSOES_DITAS: Readonly<Record<Permissao, DaPermissao>> = {
  'clientes:leitura': { grupo: 'Consultar', texto: 'clientes, contratos e conexões' },
  'financeiro:leitura': { grupo: 'Consultar', texto: 'faturas, PIX, boletos e segunda via' },
  'chamados:leitura': { grupo: 'Consultar', texto: 'chamados' },
  'planos:leitura': { grupo: 'Consultar', texto: 'planos à venda' },
  'extratos:leitura': { grupo: 'Consultar', texto: 'extratos diários de todos os dados' },
  'contratos:desbloqueio': { grupo: 'Fazer', texto: 'desbloquear em confiança' },
  'contratos:conexao': { grupo: 'Fazer', texto: 'encerrar a sessão, para que a linha reconecte' },
  'chamados:escrita': { grupo: 'Fazer', texto: 'abrir chamados' },
  'pre_cadastro:escrita': { grupo: 'Fazer', texto: 'fazer convites de pré-cadastro' },
  'clientes:escrita': { grupo: 'Integrações', texto: 'cadastrar, alterar e cancelar clientes' },
  'rede:leitura': { grupo: 'Integrações', texto: 'estado e tráfego da rede' },
  'webhooks:leitura': { grupo: 'Integrações', texto: 'ver webhooks e as suas entregas' },
  'webhooks:escrita': { grupo: 'Integrações', texto: 'criar, mudar e testar webhooks' },
  'acesso:escrita': { grupo: 'Integrações', texto: 'gerar códigos de acesso ao app' },
  'push:escrita': { grupo: 'Integrações', texto: 'enviar mensagens ao app' },
};

/** What a key is kept from, as people say it. */
export const RESTRICOES_DITAS: Readonly<Record<Restricao, string>> = {
  somente_busca: 'só encontra quem procura: nenhuma lista sem CPF, telefone, protocolo, cliente ou contrato',
  dados_mascarados: 'vê os dados pessoais mascarados',
};

/** The state of a key in a word or two. */
export function estadoDaChave(fuso: string, { estado, renovadaPor, expiraEm }: ChaveDaEquipe): Html {
  if (estado === 'revogada') return etiqueta('revogada', 'red');
  if (estado === 'expirada') return etiqueta(renovadaPor === null ? 'expirada' : 'substituída', 'secondary');
  if (renovadaPor !== null && expiraEm !== null) return etiqueta(`ativa até ${dia(fuso, expiraEm)}`, 'orange');
  return html`<span class="ponto on" aria-hidden="true"></span>ativa`;
}

/** Until when a key is good. */
export const validade = (fuso: string, expiraEm: Date | null): string =>
  expiraEm === null ? 'sem fim' : dia(fuso, expiraEm);

/** Where a key may be used from. */
export const deOnde = (ips: readonly string[] | null): string => {
  if (ips === null) return 'qualquer endereço';
  const [primeiro = '', ...demais] = ips;
  return demais.length === 0 ? primeiro : `${primeiro} e mais ${demais.length}`;
};
