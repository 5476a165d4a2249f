import type { Importacao } from '../../../domain/importacoes/importacoes.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { PEDE_POR_SI } from '../ao-vivo/partes.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao, ficha } from '../componentes/cartao.ts';
import { bytes, instante, inteiro, quantos } from '../componentes/escrita.ts';
import { icone } from '../componentes/icone.ts';
import { botao } from '../formulario/formulario.ts';
import type { Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';
import {
  CODIFICACOES_DITAS,
  FAZENDO,
  FORMATOS_DITOS,
  TIPOS_DITOS,
  contagensDitas,
  feitasDe,
  separadorDito,
  situacaoDita,
} from './palavras.ts';
import { CAMINHO, MIGALHAS } from './telas.ts';

const DIA_MS = 86_400_000;

/** One import: what it is, how far it has come, and what can be done next. */
export function telaDaImportacao(sessao: Sessao, agora: Date, importacao: Importacao): Tela {
  const fuso = sessao.provedor.fusoHorario;
  const { id, acao, leitura } = importacao;
  const endereco = `${BASE}${CAMINHO}/${id}`;
  const vivo =
    acao === null
      ? null
      : html`hx-get="${endereco}" hx-select="#importacao" hx-target="#importacao" hx-swap="outerMorph" hx-trigger="every
        2s, importacao from:body" ${PEDE_POR_SI}`;
  return {
    titulo: importacao.arquivo,
    menu: 'importacao',
    migalhas: [...MIGALHAS],
    corpo: html`<div id="importacao" ${vivo}>
      ${andamento(importacao)}
      <div class="colunas mb-3">
        ${cartao('Próximo passo', passos(agora, importacao))}
        ${cartao(
          'Reconhecido',
          ficha([
            ['Situação', situacaoDita(importacao)],
            ['O que traz', TIPOS_DITOS[importacao.tipo]],
            ['De que sistema', FORMATOS_DITOS[importacao.formato]],
            ['Codificação', CODIFICACOES_DITAS[leitura.codificacao]],
            ['Separador', separadorDito(leitura.separador)],
            ['Primeira linha', leitura.cabecalho ? 'nomes das colunas' : 'já é de dados'],
            ['Tamanho', `${quantos(importacao.linhas, 'linha', 'linhas')}, ${bytes(importacao.bytes)}`],
            ['Recebida', html`${instante(fuso, importacao.criadoEm)}, por ${importacao.autor}`],
            ['Gravada desde', instante(fuso, importacao.iniciadaEm)],
          ]),
        )}
      </div>
      ${relatorio(importacao, pode(sessao, 'clientes.documentos'))} ${colunas(importacao)}
    </div>`,
  };
}

function andamento(importacao: Importacao): Html | null {
  const { id, acao, linhas, motivo } = importacao;
  if (acao === null) return motivo === null ? null : aviso('danger', html`<strong>Parou.</strong> ${motivo}.`);
  const feitas = feitasDe(importacao);
  const total = Math.max(linhas, feitas, 1);
  return aviso(
    'info',
    html`<p class="mb-1">
        ${FAZENDO[acao]}: ${inteiro(feitas)} de ${inteiro(total)}. Pode sair desta página, que continua.
      </p>
      <progress class="progresso" max="${total}" value="${feitas}">${inteiro(feitas)} de ${inteiro(total)}</progress>
      <noscript><a href="${BASE}${CAMINHO}/${id}">Atualizar</a></noscript>`,
  );
}

/** What can be done by now, what comes next first. */
function passos(agora: Date, importacao: Importacao): Html {
  const { id, acao, situacao, simulacao, iniciadaEm, contagens, planosSemPar } = importacao;
  if (acao !== null) return html`<p class="m-0">Espere terminar.</p>`;
  const base = `${CAMINHO}/${id}`;
  const link = (para: string, texto: string, classe = 'btn'): Html =>
    html`<a class="${classe}" href="${BASE}${base}/${para}">${texto}</a>`;
  const simular = (classe: string): Html =>
    botao({ para: `${base}/simular`, texto: simulacao === null ? 'Simular' : 'Simular de novo', classe });
  if (situacao === 'nova') {
    return html`<p>Confira o que cada coluna é, e simule: lê tudo, não grava nada, e diz o que entraria.</p>
      <div class="acoes">${simular('btn btn-primary')} ${link('colunas', 'Mudar colunas')}</div>`;
  }
  if (situacao === 'simulada') {
    const boas = simulacao?.gravadas ?? 0;
    return html`<p>
        ${
          boas === 0
            ? 'Nenhuma linha entraria. Veja as recusadas e mude as colunas.'
            : `${quantos(boas, 'linha entraria', 'linhas entrariam')}. As recusadas ficam de fora; baixe-as, corrija e importe depois.`
        }
      </p>
      ${
        planosSemPar.length === 0
          ? null
          : html`<p>
              ${quantos(planosSemPar.length, 'plano do arquivo não existe', 'planos do arquivo não existem')} aqui:
              ${link('colunas#campo-planos', 'Escolher quais são', '')}
            </p>`
      }
      <div class="acoes">
        ${boas === 0 ? null : link('executar', 'Gravar…', 'btn btn-primary')} ${link('colunas', 'Mudar colunas')}
        ${simular('btn')}
      </div>`;
  }
  const noPrazo = iniciadaEm !== null && agora.getTime() - iniciadaEm.getTime() <= DIA_MS;
  return html`<p>
      ${
        situacao === 'em_execucao'
          ? 'A gravação parou no meio: continue, ou desfaça o que já entrou.'
          : situacao === 'desfeita'
            ? `Desfeita: ${quantos(contagens.ficaram, 'linha ficou', 'linhas ficaram')}, porque alguém já as tinha tocado.`
            : 'O cadastro está feito, e a rede ainda não sabe dele: aplique os logins quando quiser que passem a valer aqui.'
      }
    </p>
    <div class="acoes">
      ${situacao === 'em_execucao' ? link('executar', 'Continuar a gravar…', 'btn btn-primary') : null}
      ${situacao === 'executada' ? link('rede', 'Aplicar à rede…', 'btn btn-primary') : null}
      ${noPrazo && situacao !== 'desfeita' ? link('desfazer', 'Desfazer…', 'btn btn-outline-danger') : null}
    </div>
    ${noPrazo || situacao === 'desfeita' ? null : html`<p class="text-secondary mt-2 mb-0">Passaram 24 horas: já não se desfaz.</p>`}`;
}

/** What was read, and the files that say line by line what is to be said of it. */
function relatorio(importacao: Importacao, baixa: boolean): Html | null {
  const { id, situacao, simulacao, contagens } = importacao;
  const foi = situacao !== 'nova' && situacao !== 'simulada';
  const ditas = foi ? contagens : simulacao;
  if (ditas === null || ditas.lidas === 0) return null;
  const baixar = (para: string, texto: string): Html =>
    html`<form method="post" action="${BASE}${CAMINHO}/${id}/${para}">
      <button class="btn">${icone('download')} ${texto}</button>
    </form>`;
  return cartao(
    foi ? 'O que entrou' : 'O que entraria',
    html`${ficha(contagensDitas(ditas))}
    ${
      baixa
        ? html`<div class="acoes mt-3">
            ${ditas.recusadas === 0 ? null : baixar('recusadas', 'Linhas recusadas, com o erro')}
            ${baixar('detalhes', 'Tudo o que há a dizer, por linha e coluna')}
          </div>`
        : null
    }`,
  );
}

function colunas({ id, leitura, mapa, situacao, acao }: Importacao): Html {
  const muda = acao === null && (situacao === 'nova' || situacao === 'simulada');
  return cartao(
    'Colunas',
    ficha(
      leitura.colunas.map((coluna) => [
        coluna,
        mapa.colunas[coluna] ?? html`<span class="text-secondary">de fora</span>`,
      ]),
    ),
    { acoes: muda ? html`<a class="btn" href="${BASE}${CAMINHO}/${id}/colunas">${icone('edit')} Mudar</a>` : null },
  );
}
