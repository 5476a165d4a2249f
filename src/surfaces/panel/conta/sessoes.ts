import type { Data } from '../../../brazil/calendario/datas.ts';
import type { Sessao as SessaoDoApp } from '../../../domain/acessos/sessoes/sessoes.types.ts';
import type { Sessao as SessaoAberta } from '../../../domain/usuarios/sessoes/sessoes.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { etiqueta } from '../componentes/cartao.ts';
import { escreverData, ha, instante } from '../componentes/escrita.ts';
import { tabela, vazio } from '../componentes/tabela.ts';
import { botao } from '../formulario/formulario.ts';
import { aparelhoDe } from './aparelho.ts';

/** Where somebody is signed in to the app. */
export const tabelaDoApp = (sessoes: readonly SessaoDoApp[], fuso: string): Html =>
  tabela({
    legenda: 'Sessões do app',
    linhas: sessoes,
    vazia: vazio('device-mobile', 'Nenhuma sessão no app', 'Quem entra no app com o seu CPF aparece aqui até sair.'),
    colunas: [
      { titulo: 'Aparelho', principal: true, celula: ({ aparelho }) => aparelho ?? 'Aparelho desconhecido' },
      { titulo: 'Rede', celula: ({ rede }) => rede },
      { titulo: 'Desde', celula: ({ criadaEm }) => instante(fuso, criadaEm) },
      { titulo: 'Último uso', celula: ({ usadaEm }) => escreverData(usadaEm as Data) },
      {
        titulo: 'Ações',
        celula: ({ id }) =>
          html`<div class="acoes">
            ${botao({ para: `/conta/sessoes-do-app/${id}/encerrar`, texto: 'Encerrar', classe: 'btn btn-sm' })}
          </div>`,
      },
    ],
  });

interface DasSessoes {
  readonly sessoes: readonly SessaoAberta[];
  readonly fuso: string;
  readonly agora: Date;
  /** The session of whoever looks; null where they are another's. */
  readonly esta: number | null;
  /** Where a session is ended, below `/painel`; null where none is ended by itself. */
  readonly encerrar: ((sessao: SessaoAberta) => string) | null;
}

/** Where somebody is signed in. */
export const tabelaDeSessoes = ({ sessoes, fuso, agora, esta, encerrar }: DasSessoes): Html =>
  tabela({
    legenda: 'Sessões abertas',
    linhas: sessoes,
    vazia: vazio('device-mobile', 'Nenhuma sessão aberta', 'Quem entra no painel aparece aqui até sair.'),
    colunas: [
      {
        titulo: 'Aparelho',
        principal: true,
        celula: ({ id, agente }) =>
          html`${aparelhoDe(agente)} ${id === esta ? etiqueta('esta sessão', 'green') : null}`,
      },
      { titulo: 'Endereço', celula: ({ ip }) => ip },
      { titulo: 'Desde', celula: ({ criadaEm }) => instante(fuso, criadaEm) },
      { titulo: 'Último uso', celula: ({ vistaEm }) => ha(agora, vistaEm) },
      ...(encerrar === null
        ? []
        : [
            {
              titulo: 'Ações',
              celula: (sessao: SessaoAberta) =>
                html`<div class="acoes">
                  ${sessao.id === esta ? null : botao({ para: encerrar(sessao), texto: 'Encerrar', classe: 'btn btn-sm' })}
                </div>`,
            },
          ]),
    ],
  });
