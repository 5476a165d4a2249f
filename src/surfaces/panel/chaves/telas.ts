import type { ChaveDaEquipe } from '../../../domain/chaves/uso/leitura.service.ts';
import type { Perfil } from '../../../domain/usuarios/perfis/perfis.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao } from '../componentes/cartao.ts';
import { dia, inteiro, quantos } from '../componentes/escrita.ts';
import { icone } from '../componentes/icone.ts';
import { tabela, vazio } from '../componentes/tabela.ts';
import { cartaoDePermissoes } from '../perfis/cartao-de-permissoes.ts';
import type { DoCartao } from '../perfis/cartao-de-permissoes.ts';
import type { Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';
import { deOnde, estadoDaChave, validade } from './palavras.ts';

export const CAMINHO = '/configuracoes/api';
export const CAMINHO_DOS_LIMITES = `${CAMINHO}/limites`;

export const CARTAO_DAS_CHAVES: DoCartao = {
  gerir: 'chaves.gerir',
  ver: 'chaves.ver',
  para: `${CAMINHO}/permissoes`,
  oQue: 'as chaves',
  gere: 'Cria e revoga',
  rodape: 'Ninguém dá a uma chave o que ele mesmo não pode.',
};

/** Where a screen of one key stands. */
export const migalhasDaChave = [['API pública', CAMINHO]] as const;

const botaoDeNova = html`<a class="btn" href="${BASE}${CAMINHO}/nova?para=chatbot">${icone('plus')} Chave de chatbot</a>
  <a class="btn btn-primary" href="${BASE}${CAMINHO}/nova">${icone('plus')} Nova chave</a>`;

/** The keys, who may make them, and where their documentation is. */
export function telaDasChaves(sessao: Sessao, chaves: readonly ChaveDaEquipe[], perfis: readonly Perfil[]): Tela {
  const ativas = chaves.filter(({ estado }) => estado === 'ativa');
  const encerradas = chaves.filter(({ estado }) => estado !== 'ativa');
  const gere = pode(sessao, 'chaves.gerir');
  const semChaves = vazio(
    'key',
    'Nenhuma chave em uso',
    'Um chatbot, uma URA ou um ERP usa a API com uma chave do provedor.',
    gere ? botaoDeNova : null,
  );
  return {
    titulo: 'API pública',
    menu: 'api',
    acoes: html`<a class="btn" href="/api/v1/docs">${icone('file-text')} Documentação</a>
      ${gere ? html`<a class="btn" href="${BASE}${CAMINHO_DOS_LIMITES}">Limites de busca</a> ${botaoDeNova}` : null}`,
    corpo: html`${cartao('Chaves', tabelaDeChaves(sessao, ativas, semChaves), { rente: true })}
    ${
      encerradas.length === 0
        ? null
        : html`<details class="mb-3">
            <summary class="mb-2">
              ${quantos(encerradas.length, 'chave que já não vale', 'chaves que já não valem')}
            </summary>
            ${cartao(null, tabelaDeChaves(sessao, encerradas, html``), { rente: true })}
          </details>`
    }
    ${cartaoDePermissoes(sessao, perfis, CARTAO_DAS_CHAVES)}`,
  };
}

function tabelaDeChaves({ provedor }: Sessao, linhas: readonly ChaveDaEquipe[], vazia: Html): Html {
  const fuso = provedor.fusoHorario;
  return tabela<ChaveDaEquipe>({
    legenda: 'Chaves da API',
    vazia,
    linhas,
    colunas: [
      {
        titulo: 'Sistema',
        principal: true,
        celula: ({ id, nome, inicio }) =>
          html`<a href="${BASE}${CAMINHO}/${id}">${nome}</a><br /><code>${inicio}…</code>`,
      },
      { titulo: 'Estado', celula: (uma) => estadoDaChave(fuso, uma) },
      { titulo: 'Permissões', direita: true, celula: ({ permissoes }) => permissoes.length },
      { titulo: 'Restrições', direita: true, celula: ({ restricoes }) => restricoes.length },
      { titulo: 'De onde', celula: ({ ipsPermitidos }) => deOnde(ipsPermitidos) },
      { titulo: 'Por minuto', direita: true, celula: ({ limitePorMinuto }) => inteiro(limitePorMinuto) },
      { titulo: 'Vale até', celula: ({ expiraEm }) => validade(fuso, expiraEm) },
      {
        titulo: 'Último uso',
        celula: ({ ultimoUsoEm }) => (ultimoUsoEm === null ? 'nunca usada' : dia(fuso, ultimoUsoEm)),
      },
      { titulo: 'Pedidos em 30 dias', direita: true, celula: ({ pedidos30Dias }) => inteiro(pedidos30Dias) },
    ],
  });
}

interface Recente {
  readonly texto: string;
  readonly nome: string;
  readonly origem: string;
  /** What there is to be said of it besides. */
  readonly mais?: string;
}

/** The one page on which the text of a key stands. It is the answer to the form, so no address leads to it. */
export function telaDaChaveNova({ texto, nome, origem, mais }: Recente): Tela {
  const curl = `curl -H 'Authorization: Bearer ${texto}' ${origem}/api/v1/status`;
  return {
    titulo: `Chave de ${nome}`,
    menu: 'api',
    migalhas: [...migalhasDaChave],
    corpo: html`<div class="largura-leitura">
      ${aviso('warning', html`<strong>Copie agora.</strong> Esta chave não será mostrada outra vez. ${mais ?? ''}`)}
      ${cartao(
        'A chave',
        html`<p><code id="chave-nova" class="segredo">${texto}</code></p>
          <button class="btn btn-primary" type="button" data-copia="chave-nova">
            ${icone('copy')} Copiar a chave
          </button>`,
      )}
      ${cartao(
        'Experimente',
        html`<p>Num terminal, este pedido responde o nome do provedor e o que a chave pode:</p>
          <p><code id="curl-da-chave" class="segredo">${curl}</code></p>
          <button class="btn" type="button" data-copia="curl-da-chave">${icone('copy')} Copiar o pedido</button>`,
      )}
      <p class="acoes">
        <a class="btn" href="${BASE}${CAMINHO}">Já copiei: voltar às chaves</a>
        <a class="btn" href="/api/v1/docs">Documentação da API</a>
      </p>
    </div>`,
  };
}
