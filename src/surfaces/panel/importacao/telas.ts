import { CODIFICACOES, FORMATOS, TIPOS } from '../../../domain/importacoes/importacoes.types.ts';
import type { Importacao } from '../../../domain/importacoes/importacoes.types.ts';
import { html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { cartao } from '../componentes/cartao.ts';
import { bytes, instante, inteiro } from '../componentes/escrita.ts';
import { icone } from '../componentes/icone.ts';
import { tabela, vazio } from '../componentes/tabela.ts';
import { arquivo, escolha } from '../formulario/campos.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { formulario } from '../formulario/formulario.ts';
import type { Tela } from '../rota.ts';
import { CODIFICACOES_DITAS, FORMATOS_DITOS, TIPOS_DITOS, separadorDito, situacaoDita } from './palavras.ts';

export const CAMINHO = '/configuracoes/importacao';
export const MIGALHAS = [['Importação', CAMINHO]] as const;

const nova = html`<a class="btn btn-primary" href="${BASE}${CAMINHO}/nova">${icone('upload')} Importar arquivo</a>`;

/** The files that were taken in. */
export function telaDasImportacoes(fuso: string, importacoes: readonly Importacao[]): Tela {
  const nenhuma = vazio(
    'file-import',
    'Nada importado ainda',
    'Traga planos, clientes com contratos e faturas de outro sistema, num arquivo CSV. Nada se grava antes de você conferir.',
    nova,
  );
  return {
    titulo: 'Importação',
    menu: 'importacao',
    acoes: nova,
    corpo: cartao(
      null,
      tabela<Importacao>({
        legenda: 'Importações',
        vazia: nenhuma,
        linhas: importacoes,
        colunas: [
          {
            titulo: 'Arquivo',
            principal: true,
            celula: ({ id, arquivo: nome }) => html`<a href="${BASE}${CAMINHO}/${id}">${nome}</a>`,
          },
          { titulo: 'O que traz', celula: ({ tipo }) => TIPOS_DITOS[tipo] },
          { titulo: 'De', celula: ({ formato }) => FORMATOS_DITOS[formato] },
          { titulo: 'Linhas', direita: true, celula: ({ linhas }) => inteiro(linhas) },
          { titulo: 'Situação', celula: situacaoDita },
          { titulo: 'Recebida', celula: ({ criadoEm, autor }) => html`${instante(fuso, criadoEm)}<br />${autor}` },
        ],
      }),
      { rente: true },
    ),
  };
}

const ROTULOS_DE_NOVA = {
  arquivo: 'Arquivo',
  formato: 'De que sistema',
  tipo: 'O que traz',
  codificacao: 'Codificação',
  separador: 'Separador',
} as const;

const emOpcoes = <T extends string>(valores: readonly T[], ditos: Readonly<Record<T, string>>) =>
  valores.map((valor) => ({ valor, texto: ditos[valor] }));

export const MAIOR_ARQUIVO = 32 * 1024 * 1024;

/** Asks for a file. */
export function telaDeNova(estado: EstadoDoFormulario): Tela {
  const reconhecer = 'reconhecer pelo arquivo';
  const form = formulario({
    para: `${CAMINHO}/nova`,
    estado,
    rotulos: ROTULOS_DE_NOVA,
    enviar: 'Enviar e reconhecer',
    volta: CAMINHO,
    comArquivo: true,
    corpo: html`${arquivo(estado, {
        nome: 'arquivo',
        rotulo: ROTULOS_DE_NOVA.arquivo,
        obrigatorio: true,
        aceita: '.csv,.txt,text/csv',
        dica: `CSV de até ${bytes(MAIOR_ARQUIVO)}. Fica cifrado por 7 dias, e depois só o relatório.`,
      })}
      <details class="mb-3" ${estado.faltas.length > 0 ? html`open` : null}>
        <summary class="mb-2">Dizer o que é, em vez de reconhecer</summary>
        <div class="grade">
          ${escolha(estado, {
            nome: 'formato',
            rotulo: ROTULOS_DE_NOVA.formato,
            vazia: reconhecer,
            opcoes: emOpcoes(FORMATOS, FORMATOS_DITOS),
          })}
          ${escolha(estado, {
            nome: 'tipo',
            rotulo: ROTULOS_DE_NOVA.tipo,
            vazia: reconhecer,
            opcoes: emOpcoes(TIPOS, TIPOS_DITOS),
          })}
          ${escolha(estado, {
            nome: 'codificacao',
            rotulo: ROTULOS_DE_NOVA.codificacao,
            vazia: reconhecer,
            opcoes: emOpcoes(CODIFICACOES, CODIFICACOES_DITAS),
          })}
          ${escolha(estado, {
            nome: 'separador',
            rotulo: ROTULOS_DE_NOVA.separador,
            vazia: reconhecer,
            opcoes: [';', ',', 'tab', '|'].map((um) => ({
              valor: um,
              texto: separadorDito(um === 'tab' ? '\t' : um),
            })),
          })}
        </div>
      </details>`,
  });
  return {
    titulo: 'Importar arquivo',
    menu: 'importacao',
    migalhas: [...MIGALHAS],
    corpo: html`<div class="largura-leitura">
      <p>
        Exporte do outro sistema os planos, depois os clientes com os contratos, e por fim as faturas, e traga-os nesta
        ordem. Enviar o arquivo não grava nada no cadastro: primeiro você confere as colunas e simula.
      </p>
      ${cartao(null, form)}
    </div>`,
  };
}
