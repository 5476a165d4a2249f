import { html } from '../../../kit/html/html.ts';
import { vazio } from '../componentes/tabela.ts';
import { pagina } from '../rota.ts';
import type { Rota } from '../rota.ts';

export const INICIO: readonly Rota[] = [
  pagina('', {
    permissao: null,
    async mostrar({ sessao }) {
      return {
        tela: {
          titulo: 'Início',
          menu: 'inicio',
          corpo: html`${vazio('home', `Olá, ${sessao.usuario.nome}`, 'Escolha no menu o que quer fazer.')}`,
        },
      };
    },
  }),
];
