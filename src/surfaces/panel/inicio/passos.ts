import type { PrimeirosPassos } from '../../../domain/indicadores/passos.service.ts';
import type { PermissaoPainel } from '../../../domain/usuarios/permissoes.regras.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { cartao } from '../componentes/cartao.ts';
import { iconeQueDiz } from '../componentes/icone.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';

interface Passo {
  readonly nome: keyof PrimeirosPassos;
  readonly texto: string;
  readonly porque: string;
  readonly para: string;
  readonly de: PermissaoPainel;
}

const PASSOS: readonly Passo[] = [
  {
    nome: 'identidade',
    texto: 'Dizer quem é o provedor',
    porque: 'Nome, endereço, cor e logo das páginas e dos boletos.',
    para: '/configuracoes/provedor',
    de: 'configuracoes.editar',
  },
  {
    nome: 'pix',
    texto: 'Dizer quem recebe o PIX',
    porque: 'Sem isto as faturas não têm PIX.',
    para: '/configuracoes/cobranca',
    de: 'cobranca.editar',
  },
  {
    nome: 'nas',
    texto: 'Cadastrar os servidores de acesso',
    porque: 'Para saber quem está online, bloquear e liberar.',
    para: '/rede',
    de: 'rede.gerir',
  },
  {
    nome: 'planos',
    texto: 'Criar os planos',
    porque: 'O que se vende, por quanto e com que velocidade.',
    para: '/planos',
    de: 'planos.gerir',
  },
  {
    nome: 'clientes',
    texto: 'Importar os clientes',
    porque: 'De outro sistema ou de uma planilha, com um ensaio antes.',
    para: '/configuracoes/importacao',
    de: 'importacao.usar',
  },
  {
    nome: 'chave',
    texto: 'Criar uma chave da API',
    porque: 'Para o chatbot, a URA ou outro sistema que consulta clientes.',
    para: '/configuracoes/api',
    de: 'chaves.gerir',
  },
  {
    nome: 'usuarios',
    texto: 'Convidar a equipe',
    porque: 'Cada pessoa com o seu perfil.',
    para: '/configuracoes/usuarios',
    de: 'usuarios.gerir',
  },
];

/** What a provider without clients does first, with what is done already; null once it has some, or for who may do none of it. */
export function passos(feitos: PrimeirosPassos | null, sessao: Sessao): Html | null {
  const vistos = PASSOS.filter(({ de }) => pode(sessao, de));
  if (feitos === null || vistos.length === 0) return null;
  return cartao(
    'Primeiros passos',
    html`<ol class="passos">
      ${vistos.map(
        ({ nome, texto, porque, para }) =>
          html`<li>
            ${feitos[nome] ? iconeQueDiz('circle-check', 'Feito: ') : iconeQueDiz('arrow-right', 'A fazer: ')}
            <div><a href="${BASE}${para}">${texto}</a><br /><span class="text-secondary">${porque}</span></div>
          </li>`,
      )}
    </ol>`,
  );
}
