import { centavos } from '../../../../brazil/dinheiro/dinheiro.ts';
import { opcional } from '../../../../domain/campos/campos.ts';
import type { ValoresDe } from '../../../../domain/campos/campos.ts';
import { id, texto } from '../../../../domain/campos/leitores.ts';
import type { PreviaDaEmissao, TotaisSomados } from '../../../../domain/nfcom/emissao/emissao.types.ts';
import { juntarPrevias } from '../../../../domain/nfcom/emissao/previa.service.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { PEDE_POR_SI } from '../../ao-vivo/partes.ts';
import { BASE } from '../../ativos/ativos.ts';
import { aviso, cartao, numero } from '../../componentes/cartao.ts';
import { escreverReais, inteiro, quantos } from '../../componentes/escrita.ts';
import { comConsulta } from '../../componentes/tabela.ts';
import { pagina } from '../../rota.ts';
import type { Chamada, Rota, Tela } from '../../rota.ts';
import { CONSULTA_DA_EMISSAO, doEndereco, tributos } from '../emitir.ts';

/** The filter of the batch, after which invoice the next part begins, and what those before it come to. */
const CONSULTA = { ...CONSULTA_DA_EMISSAO, depois: opcional(id), somado: opcional(texto(1, 400)) } as const;
type Consulta = ValoresDe<typeof CONSULTA>;

type Somado = Pick<PreviaDaEmissao, 'notas' | 'recusadasAoTodo' | 'totais'> & { readonly vistas: number };

const TRIBUTOS = [
  'produtos',
  'desconto',
  'baseDoIcms',
  'icms',
  'fcp',
  'pis',
  'cofins',
  'fust',
  'funttel',
  'nota',
  'ibs',
  'cbs',
] as const satisfies readonly (keyof TotaisSomados)[];

/** What the parts so far come to, as an address carries it: nothing is kept between them. */
export const escreverSomado = ({ notas, recusadasAoTodo, vistas, totais }: Somado): string =>
  [notas, recusadasAoTodo, vistas, ...TRIBUTOS.map((qual) => totais[qual])].join('.');

/** Null where it is none. */
export function lerSomado(escrito: string): Somado | null {
  if (!/^\d{1,15}(?:\.\d{1,15}){14}$/.test(escrito)) return null;
  const [notas = 0, recusadasAoTodo = 0, vistas = 0, ...valores] = escrito.split('.').map(Number);
  const totais = Object.fromEntries(TRIBUTOS.map((qual, n) => [qual, centavos(valores[n] ?? 0)]));
  return { notas, recusadasAoTodo, vistas, totais: totais as unknown as TotaisSomados };
}

/** The parts so far with the next one. Without what was before, it begins anew. */
async function somar(
  { dominio }: Pick<Chamada, 'dominio'>,
  { filtro, depois, somado }: ParteDaSoma,
): Promise<PreviaDaEmissao> {
  const antes = depois === undefined || somado === undefined ? null : lerSomado(somado);
  if (antes === null) return dominio.previaNfcom.previa(filtro);
  const parte = await dominio.previaNfcom.previa(filtro, depois);
  return juntarPrevias({ ...parte, ...antes, recusadas: [], cortada: antes.vistas }, parte);
}

interface ParteDaSoma extends Pick<Consulta, 'depois' | 'somado'> {
  readonly filtro: NonNullable<ReturnType<typeof doEndereco>['filtro']>;
}

/** What the notes of a whole batch come to by tax: each part asks for the next one, as long as somebody looks at it. */
async function telaDaSoma(chamada: Chamada<unknown, Consulta>): Promise<Tela> {
  const { depois, somado, ...doFiltro } = chamada.consulta;
  const { filtro, falta } = doEndereco(doFiltro);
  const soma = filtro === null ? null : await somar(chamada, { filtro, depois, somado });
  return {
    titulo: 'Tributos da emissão',
    menu: 'nfcom',
    migalhas: [
      ['Notas fiscais', '/nfcom'],
      ['Emitir notas', comConsulta('/nfcom/emitir', doFiltro)],
    ],
    corpo: soma === null ? html`${aviso('danger', falta ?? '')}` : ateAqui(soma, doFiltro),
  };
}

function ateAqui(soma: PreviaDaEmissao, doFiltro: Omit<Consulta, 'depois' | 'somado'>): Html {
  const { notas, totais, recusadasAoTodo, faturas, cortada, proxima } = soma;
  const vistas = cortada ?? faturas;
  const escrita = escreverSomado({ notas, recusadasAoTodo, vistas, totais });
  const seguinte =
    proxima === null
      ? null
      : `${BASE}${comConsulta('/nfcom/emitir/tributos', { ...doFiltro, depois: proxima, somado: escrita })}`;
  const pede =
    seguinte === null
      ? null
      : html`hx-get="${seguinte}" hx-trigger="load" hx-select="#soma" hx-target="#soma" hx-swap="outerHTML"
        ${PEDE_POR_SI}`;
  return html`<div id="soma" ${pede}>
    ${
      seguinte === null
        ? aviso('success', `Somadas todas: ${quantos(faturas, 'fatura', 'faturas')}.`)
        : aviso(
            'info',
            html`Somadas ${inteiro(vistas)} de ${quantos(faturas, 'fatura', 'faturas')}; a soma segue sozinha.
              <a href="${seguinte}">Somar as próximas</a>`,
          )
    }
    <div class="numeros">
      ${numero(inteiro(notas), notas === 1 ? 'nota' : 'notas', null)}
      ${numero(escreverReais(totais.nota), 'valor das notas', null)}
      ${numero(inteiro(recusadasAoTodo), 'não podem ser emitidas', null)}
    </div>
    ${cartao('Tributos', tributos(totais))}
  </div>`;
}

export const SOMA: readonly Rota[] = [
  pagina('/nfcom/emitir/tributos', {
    permissao: 'nfcom.emitir',
    consulta: CONSULTA,
    mostrar: async (chamada) => ({ tela: await telaDaSoma(chamada) }),
  }),
];
