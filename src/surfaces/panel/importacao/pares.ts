import type { Importacao, Mapa } from '../../../domain/importacoes/importacoes.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { quantos } from '../componentes/escrita.ts';
import { conjunto, opcao } from '../formulario/campos.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';

export const ROTULO_DOS_PARES = 'Planos do arquivo que não existem aqui';

/** The name of a plan may be anything, too: what is chosen for it stands before the first colon, and is empty for none. */
export const escolhidoPara = (nome: string, plano: number | string): string => `${plano}:${nome}`;

function parDe(escolhido: string): [nome: string, plano: string] {
  const fim = escolhido.indexOf(':');
  return [escolhido.slice(fim + 1), escolhido.slice(0, Math.max(0, fim))];
}

/** Names of plans to be decided on: those of the last dry run, and those that somebody has decided on. */
function aDecidir(
  { planosSemPar }: Importacao,
  decididos: readonly string[],
): readonly { readonly nome: string; readonly linhas: number | null }[] {
  return [
    ...planosSemPar.filter(({ nome }) => !decididos.includes(nome)),
    ...decididos.map((nome) => ({ nome, linhas: planosSemPar.find((um) => um.nome === nome)?.linhas ?? null })),
  ];
}

/** The plans of a map after its form was sent: a name without a choice is not in the map, and one that the form did not ask for stays. */
export function planosEscolhidos({ planos }: Mapa, escolhidos: readonly string[]): Readonly<Record<string, unknown>> {
  const todos: Readonly<Record<string, unknown>> = { ...planos, ...Object.fromEntries(escolhidos.map(parDe)) };
  return Object.fromEntries(Object.entries(todos).filter(([, plano]) => plano !== ''));
}

/** Asks which plan is meant by each name that no plan has. */
export function paresDePlanos(
  importacao: Importacao,
  planos: readonly { readonly id: number; readonly nome: string }[],
  estado: EstadoDoFormulario,
): Html | null {
  const escolhidos = new Map((estado.digitado.get('planos') ?? []).map(parDe));
  const nomes = aDecidir(importacao, [...escolhidos.keys()]);
  if (nomes.length === 0) return null;
  const dica = html`Escolha o daqui que é o mesmo, ou <a href="${BASE}/planos/novo">cadastre o plano</a> e volte. Os que
    ficarem sem escolha seguem o que se diz abaixo.`;
  return conjunto(
    estado,
    { nome: 'planos', rotulo: ROTULO_DOS_PARES, dica },
    html`<div class="grade">
      ${nomes.map(({ nome, linhas }, n) => {
        const atual = escolhidoPara(nome, escolhidos.get(nome) ?? '');
        return html`<div class="campo">
          <label class="form-label" for="plano-${n}"
            >${nome}${linhas === null ? null : html` <span class="text-secondary fw-normal">${quantos(linhas, 'linha', 'linhas')}</span>`}</label
          >
          <select class="form-select" id="plano-${n}" name="planos">
            ${opcao({ valor: escolhidoPara(nome, ''), texto: 'sem escolha' }, atual)}
            ${planos.map((plano) => opcao({ valor: escolhidoPara(nome, plano.id), texto: plano.nome }, atual))}
          </select>
        </div>`;
      })}
    </div>`,
  );
}
