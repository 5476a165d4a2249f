import type { Sessao as SessaoAberta } from '../../../domain/usuarios/sessoes/sessoes.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { etiqueta } from '../componentes/cartao.ts';
import { ha, instante } from '../componentes/escrita.ts';
import { tabela, vazio } from '../componentes/tabela.ts';
import { botao } from '../formulario/formulario.ts';
import { aparelhoDe } from './aparelho.ts';

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
