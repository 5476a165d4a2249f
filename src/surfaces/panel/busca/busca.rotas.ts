import type { TipoDaBusca } from '../../../domain/busca/busca.types.ts';
import { opcional } from '../../../domain/campos/campos.ts';
import { texto } from '../../../domain/campos/leitores.ts';
import type { PermissaoPainel } from '../../../domain/usuarios/permissoes.regras.ts';
import { html } from '../../../kit/html/html.ts';
import { cartao } from '../componentes/cartao.ts';
import { vazio } from '../componentes/tabela.ts';
import { pagina } from '../rota.ts';
import type { Rota } from '../rota.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';
import { procurar } from './procura.ts';
import { ENDERECO, ONDE_SE_PROCURA, caixaDeAchados, faltaNaBusca, grupos, listaDeAchados } from './achados.ts';

/** What a user may not see is not looked for. */
const PERMISSAO_DE = {
  clientes: 'clientes.ver',
  contratos: 'clientes.ver',
  faturas: 'faturas.ver',
  chamados: 'chamados.ver',
} as const satisfies Record<TipoDaBusca, PermissaoPainel>;

const TIPOS: readonly TipoDaBusca[] = ['clientes', 'contratos', 'faturas', 'chamados'];
const tiposDe = (sessao: Sessao): readonly TipoDaBusca[] => TIPOS.filter((tipo) => pode(sessao, PERMISSAO_DE[tipo]));

/** The part of the frame that results are put into while somebody types. */
const ACHADOS = 'achados';

/** One box for everything: what was typed decides what is looked for. */
export const BUSCA: readonly Rota[] = [
  pagina('/busca', {
    permissao: 'clientes.ver',
    consulta: { q: opcional(texto(0, 120)) },
    async mostrar(chamada) {
      const {
        consulta: { q = '' },
        sessao,
        parte,
      } = chamada;
      const achado = q === '' ? null : await procurar(chamada, q, { tipos: tiposDe(sessao) });
      const aindaFalta = faltaNaBusca(achado);
      const achados = achado === null ? [] : grupos(sessao, achado, q);
      if (parte === ACHADOS) return { parte: caixaDeAchados(achados, q, aindaFalta) };
      if (achado !== null && achado.exato !== null) return { ir: `${ENDERECO[achado.exato.tipo]}/${achado.exato.id}` };
      return {
        tela: {
          titulo: q === '' ? 'Buscar' : `Busca por “${q}”`,
          corpo:
            achados.length === 0
              ? vazio('search', q === '' ? 'O que você procura?' : `Nada com “${q}”`, aindaFalta ?? ONDE_SE_PROCURA)
              : html`${achados.map(({ titulo, achados: deles }) => cartao(titulo, listaDeAchados(deles), { rente: true }))}
                ${aindaFalta === null ? null : html`<p class="text-secondary">${aindaFalta}</p>`}`,
        },
      };
    },
  }),
];
