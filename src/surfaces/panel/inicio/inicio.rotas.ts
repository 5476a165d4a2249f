import { opcional } from '../../../domain/campos/campos.ts';
import { texto } from '../../../domain/campos/leitores.ts';
import { html } from '../../../kit/html/html.ts';
import { abas } from '../componentes/cartao.ts';
import { vazio } from '../componentes/tabela.ts';
import { pagina } from '../rota.ts';
import type { Rota } from '../rota.ts';
import { abasDe } from './abas.ts';

export const INICIO: readonly Rota[] = [
  pagina('', {
    permissao: null,
    consulta: { aba: opcional(texto(1, 20)) },
    async mostrar(chamada) {
      const { sessao, consulta } = chamada;
      const vistas = abasDe(sessao);
      const atual = vistas.find(({ nome }) => nome === consulta.aba) ?? vistas[0];
      const base = { titulo: 'Início', menu: 'inicio' } as const;
      if (atual === undefined) {
        const ola = vazio('home', `Olá, ${sessao.usuario.nome}`, 'Escolha no menu o que quer fazer.');
        return { tela: { ...base, corpo: ola } };
      }
      const nomes = vistas.map((uma) => ({
        texto: uma.texto,
        para: uma === vistas[0] ? '' : `?aba=${uma.nome}`,
        atual: uma === atual,
      }));
      return {
        tela: {
          ...base,
          ...(atual.nome === 'rede' ? { scripts: ['uplot'] as const } : {}),
          corpo: html`${vistas.length < 2 ? null : abas('Visões do início', nomes)} ${await atual.corpo(chamada)}`,
        },
      };
    },
  }),
];
