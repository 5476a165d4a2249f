import type { Cobrador } from '../../../domain/cobradores/leitura.service.ts';
import { CAMPOS, VARIAS } from '../../../domain/importacoes/formatos/colunas.regras.ts';
import type { Importacao, Mapa } from '../../../domain/importacoes/importacoes.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { cartao } from '../componentes/cartao.ts';
import { instante } from '../componentes/escrita.ts';
import { caixa, caixas, conjunto, escolha, opcao } from '../formulario/campos.ts';
import { faltaDe, preenchido } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { formulario } from '../formulario/formulario.ts';
import type { TipoDeCampo } from '../formulario/leitura.ts';
import type { Tela } from '../rota.ts';
import { ROTULO_DOS_PARES, escolhidoPara, paresDePlanos, planosEscolhidos } from './pares.ts';
import { CAMINHO, MIGALHAS } from './telas.ts';

export const CAMPOS_DO_MAPA: Readonly<Record<string, TipoDeCampo>> = {
  colunas: 'lista',
  planos: 'lista',
  plano_padrao: 'apagavel',
  cobrador: 'apagavel',
  criar_planos: 'caixa',
  tolerar: 'lista',
};

const ROTULOS = {
  colunas: 'Colunas',
  planos: ROTULO_DOS_PARES,
  plano_padrao: 'Plano das linhas cujo plano não existe aqui',
  cobrador: 'Conta que cobra as linhas que não dizem qual',
  criar_planos: 'Criar os planos que não existem, pelo nome e pelo valor da linha',
  tolerar: 'Deixar de fora, em vez de recusar a linha, quando não se lê',
} as const;

/** Fields without which a line is still of use. */
const TOLERAVEIS = ['telefones', 'email', 'data_nascimento', 'mac', 'ip', 'cep'] as const;

/** The name of a column may be anything, so what is chosen of it says its place: `3:cpf_cnpj`. */
const escolhido = (n: number, campo: string | null): string => `${n}:${campo ?? ''}`;

const textos = (valores: unknown): string[] => (Array.isArray(valores) ? valores.map(String) : []);

/** The map as its form sends it, in the words of the domain. */
export function doFormulario({ leitura, mapa }: Importacao, dados: Readonly<Record<string, unknown>>): object {
  const { colunas: escolhidas, planos: pares, ...resto } = dados;
  const { plano_padrao = null, cobrador = null, criar_planos = false, tolerar = [] } = resto;
  const ditas = textos(escolhidas).flatMap((uma): [string, string | null][] => {
    const [, n = '', campo = ''] = /^(\d{1,3}):(\w{0,64})$/.exec(uma) ?? [];
    const coluna = leitura.colunas[n === '' ? -1 : Number(n)];
    return coluna === undefined ? [] : [[coluna, campo === '' ? null : campo]];
  });
  return {
    colunas: Object.fromEntries(ditas),
    planos: planosEscolhidos(mapa, textos(pares)),
    plano_padrao,
    cobrador,
    criar_planos,
    tolerar,
  };
}

/** The form as it begins: with the map that the import has, or with that of an earlier one. */
export const formaDoMapa = ({ leitura }: Importacao, mapa: Mapa): EstadoDoFormulario =>
  preenchido({
    colunas: leitura.colunas.map((coluna, n) => escolhido(n, mapa.colunas[coluna] ?? null)),
    planos: Object.entries(mapa.planos ?? {}).map(([nome, plano]) => escolhidoPara(nome, plano)),
    plano_padrao: mapa.plano_padrao,
    cobrador: mapa.cobrador,
    criar_planos: mapa.criar_planos,
    tolerar: mapa.tolerar,
  });

interface DoMapa {
  readonly importacao: Importacao;
  readonly planos: readonly { readonly id: number; readonly nome: string }[];
  readonly cobradores: readonly Pick<Cobrador, 'id' | 'nome' | 'ativo'>[];
  /** Earlier imports whose map may be taken; see modelos.regras.ts. */
  readonly modelos: readonly Importacao[];
  readonly fuso: string;
  readonly estado: EstadoDoFormulario;
}

/** Asks what each column is. */
export function telaDoMapa({ importacao, planos, cobradores, modelos, fuso, estado }: DoMapa): Tela {
  const { id, tipo, arquivo } = importacao;
  const doTipo = TOLERAVEIS.filter((campo) => CAMPOS[tipo].includes(campo));
  const form = formulario({
    para: `${CAMINHO}/${id}/colunas`,
    estado,
    rotulos: ROTULOS,
    enviar: 'Salvar',
    volta: `${CAMINHO}/${id}`,
    corpo: html`${colunas(importacao, estado)}
    ${
      tipo === 'clientes'
        ? html`${paresDePlanos(importacao, planos, estado)}
          ${escolha(estado, {
            nome: 'plano_padrao',
            rotulo: ROTULOS.plano_padrao,
            vazia: 'nenhum: a linha é recusada',
            opcoes: planos.map((plano) => ({ valor: String(plano.id), texto: plano.nome })),
          })}
          ${caixa(estado, { nome: 'criar_planos', rotulo: ROTULOS.criar_planos })}`
        : null
    }
    ${
      tipo === 'faturas'
        ? html`<p class="text-secondary">
            O que o outro sistema recebeu fica em cada fatura: a situação, o valor e o dia do pagamento. Não conta em
            “Recebido” da primeira página, que soma o PIX e as baixas registrados aqui.
          </p>`
        : null
    }
    ${
      tipo === 'planos' || cobradores.length === 0
        ? null
        : escolha(estado, {
            nome: 'cobrador',
            rotulo: ROTULOS.cobrador,
            vazia: 'a conta padrão do provedor',
            opcoes: cobradores
              .filter(({ ativo }) => ativo)
              .map((conta) => ({ valor: String(conta.id), texto: conta.nome })),
          })
    }
    ${
      doTipo.length === 0
        ? null
        : caixas(estado, {
            nome: 'tolerar',
            rotulo: ROTULOS.tolerar,
            opcoes: doTipo.map((campo) => ({ valor: campo, texto: campo })),
          })
    }`,
  });
  return {
    titulo: 'O que cada coluna é',
    menu: 'importacao',
    migalhas: [...MIGALHAS, [arquivo, `${CAMINHO}/${id}`]],
    corpo: html`<div class="largura-leitura">${deOutra(id, modelos, fuso)} ${cartao(null, form)}</div>`,
  };
}

/** Maps of before, to begin with; nothing is kept until the form is sent. */
function deOutra(id: number, modelos: readonly Importacao[], fuso: string): Html | null {
  if (modelos.length === 0) return null;
  return cartao(
    'Usar o mapa de outra importação',
    html`<ul class="linhas">
      ${modelos.map(
        (outra) =>
          html`<li>
            <a href="${BASE}${CAMINHO}/${id}/colunas?modelo=${outra.id}">${outra.arquivo}</a>
            <span class="text-secondary">${instante(fuso, outra.criadoEm)}</span>
          </li>`,
      )}
    </ul>`,
  );
}

function colunas({ leitura, tipo }: Importacao, estado: EstadoDoFormulario): Html {
  const escolhidos = estado.digitado.get('colunas') ?? [];
  const campos = [
    { valor: '', texto: 'fica de fora' },
    ...CAMPOS[tipo].map((campo) => ({ valor: campo, texto: campo })),
  ];
  const dica = `À esquerda, o nome no arquivo; só ${VARIAS.join(', ')} podem vir de várias colunas.`;
  return conjunto(
    estado,
    { nome: 'colunas', rotulo: ROTULOS.colunas, dica },
    html`<div class="grade">
      ${leitura.colunas.map((coluna, n) => {
        const atual = escolhidos.find((um) => um.startsWith(`${n}:`))?.slice(String(n).length + 1) ?? '';
        const falta = faltaDe(estado, `colunas.${coluna}`);
        return html`<div class="campo">
          <label class="form-label" for="coluna-${n}">${coluna}</label>
          <select
            class="form-select ${falta === null ? '' : 'is-invalid'}"
            id="coluna-${n}"
            name="colunas"
            ${falta === null ? null : html`aria-invalid="true" aria-describedby="coluna-${n}-falta"`}
          >
            ${campos.map(({ valor, texto }) => opcao({ valor: escolhido(n, valor), texto }, escolhido(n, atual)))}
          </select>
          ${falta === null ? null : html`<div class="invalid-feedback" id="coluna-${n}-falta">${falta}.</div>`}
        </div>`;
      })}
    </div>`,
  );
}
