import type {
  AdicionalDoPreco,
  DonoDoPreco,
  ParteDoPreco,
  ServicoNfcom,
} from '../../../../domain/nfcom/servicos/servicos.types.ts';
import type { Dominio } from '../../../../domain/dominio.ts';
import { escreverValor } from '../../../../brazil/dinheiro/escrita.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { BASE } from '../../ativos/ativos.ts';
import { aviso, cartao } from '../../componentes/cartao.ts';
import { entrada, escolha } from '../../formulario/campos.ts';
import { comFaltasEm, faltaDe, preenchido, valorDe } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { formulario } from '../../formulario/formulario.ts';
import type { TipoDeCampo } from '../../formulario/leitura.ts';
import { naoEncontrado } from '../../recusas.ts';
import { acao, pagina } from '../../rota.ts';
import type { Rota, Tela } from '../../rota.ts';
import { CAMINHO } from './configuracao.ts';
import { emPorCento } from './porcento.ts';

/** Parts that the form has room for. */
const LINHAS = [1, 2, 3, 4, 5, 6] as const;

const CAMPOS: Readonly<Record<string, TipoDeCampo>> = Object.fromEntries(
  LINHAS.flatMap((n): [string, TipoDeCampo][] => [
    [`servico_${n}`, 'texto'],
    [`percentual_${n}`, 'decimal'],
    [`valor_${n}`, 'dinheiro'],
    [`descricao_${n}`, 'texto'],
  ]),
);

const DA_LINHA = { servico: 'Serviço', percentual: 'Percentual', valor: 'Valor fixo', descricao: 'Descrição na nota' };
const NOMES_DA_LINHA = Object.keys(DA_LINHA);

const ROTULOS = {
  partes: 'Partes',
  ...Object.fromEntries(
    LINHAS.flatMap((n) => Object.entries(DA_LINHA).map(([nome, dito]) => [`${nome}_${n}`, `Parte ${n}, ${dito}`])),
  ),
};

/** What is wrong with the n-th of the parts that were sent is wrong with the fields of its line. */
function porCampo(estado: EstadoDoFormulario): EstadoDoFormulario {
  const enviadas = LINHAS.filter((n) => NOMES_DA_LINHA.some((nome) => valorDe(estado, `${nome}_${n}`).trim() !== ''));
  return comFaltasEm(estado, (campo) => {
    const [, parte = '', nome = ''] = /^partes\.(\d+)\.([a-z]+)/.exec(campo) ?? [];
    const linhaDela = parte === '' ? undefined : enviadas[Number(parte)];
    return linhaDela === undefined || !NOMES_DA_LINHA.includes(nome) ? campo : `${nome}_${linhaDela}`;
  });
}

/** The parts that were typed, as the domain reads them: a line in which nothing stands is none. */
const partesDe = (dados: Readonly<Record<string, unknown>>): readonly object[] =>
  LINHAS.flatMap((n) =>
    NOMES_DA_LINHA.every((nome) => dados[`${nome}_${n}`] === undefined)
      ? []
      : [
          {
            servico_id: dados[`servico_${n}`],
            percentual: dados[`percentual_${n}`] ?? null,
            valor: dados[`valor_${n}`] ?? null,
            descricao: dados[`descricao_${n}`] ?? null,
          },
        ],
  );

const comoEsta = (partes: readonly ParteDoPreco[]): EstadoDoFormulario =>
  preenchido(
    Object.fromEntries(
      partes.flatMap(({ servicoId, percentual, valor, descricao }, i): [string, string | number | null][] => [
        [`servico_${i + 1}`, servicoId],
        [`percentual_${i + 1}`, emPorCento(percentual)],
        [`valor_${i + 1}`, valor === null ? null : escreverValor(valor).replaceAll('.', '')],
        [`descricao_${i + 1}`, descricao],
      ]),
    ),
  );

interface Dono {
  readonly dono: DonoDoPreco;
  readonly nome: string;
  /** Where its form is, below `/painel`. */
  readonly aqui: string;
  readonly volta: string;
  readonly menu: string;
  readonly migalhas: NonNullable<Tela['migalhas']>;
  /** What holds while it has no split of its own. */
  readonly senao: string;
}

const DO_PROVEDOR: Dono = {
  dono: { de: 'provedor' },
  nome: 'Repartição do preço',
  aqui: `${CAMINHO}/composicao`,
  volta: CAMINHO,
  menu: 'configuracao-nfcom',
  migalhas: [['Notas fiscais', CAMINHO]],
  senao: 'Sem nenhuma parte, nada pode ser emitido, salvo de planos e contratos que tenham a sua.',
};

/** Additional items of a kind, as a contract has them beside its price. */
const doAdicional = (de: AdicionalDoPreco, quais: string, caminho: string): Dono => ({
  ...DO_PROVEDOR,
  dono: { de },
  nome: `Itens adicionais que se cobram ${quais}`,
  aqui: `${CAMINHO}/composicao/${caminho}`,
  migalhas: [
    ['Notas fiscais', CAMINHO],
    ['Repartição do preço', DO_PROVEDOR.aqui],
  ],
  volta: DO_PROVEDOR.aqui,
  senao: 'Sem nenhuma parte, estes itens entram na nota com o preço do plano, e se repartem como ele.',
});

const DOS_ADICIONAIS = [
  doAdicional('unico', 'uma vez', 'unicos'),
  doAdicional('recorrente', 'todo mês', 'recorrentes'),
];

async function doPlano(dominio: Dominio, id: number): Promise<Dono> {
  const plano = await dominio.planos.buscarDaEquipe(id);
  if (plano === null) throw naoEncontrado();
  return {
    dono: { de: 'plano', id },
    nome: `Notas do plano ${plano.nome}`,
    aqui: `/planos/${id}/nfcom`,
    volta: '/planos',
    menu: 'planos',
    migalhas: [['Planos', '/planos']],
    senao: 'Sem nenhuma parte, vale a repartição do provedor.',
  };
}

async function doContrato(dominio: Dominio, id: number): Promise<Dono> {
  const contrato = await dominio.fichas.buscar(id);
  if (contrato === null) throw naoEncontrado();
  return {
    dono: { de: 'contrato', id },
    nome: `Notas do contrato ${id}`,
    aqui: `/contratos/${id}/nfcom`,
    volta: `/contratos/${id}`,
    menu: 'contratos',
    migalhas: [
      ['Contratos', '/contratos'],
      [`Contrato ${id}`, `/contratos/${id}`],
    ],
    senao: 'Sem nenhuma parte, vale a repartição do plano.',
  };
}

const ATALHOS = html`<p>
  Itens adicionais dos contratos, como a instalação ou um roteador alugado, podem ter serviços seus:
  ${DOS_ADICIONAIS.map(({ aqui, nome }, n) => html`${n === 0 ? '' : ', '}<a href="${BASE}${aqui}">${nome}</a>`)}.
</p>`;

async function tela(dominio: Dominio, dono: Dono, dado: EstadoDoFormulario | null): Promise<Tela> {
  const [servicos, partes] = await Promise.all([
    dominio.servicosNfcom.servicos(),
    dominio.servicosNfcom.partes(dono.dono),
  ]);
  const estado = dado === null ? comoEsta(partes) : porCampo(dado);
  return {
    titulo: dono.nome,
    menu: dono.menu,
    migalhas: dono.migalhas,
    corpo: html`<div class="largura-leitura">
      ${cartao(
        null,
        servicos.length === 0
          ? aviso('info', html`Ainda não há serviços. <a href="${BASE}${CAMINHO}">Comece pelas configurações.</a>`)
          : html`<p>
                Cada parte do preço é um item da nota. Uma parte tem um percentual ou um valor fixo; a que não tem
                nenhum dos dois fica com o que sobra. Um valor fixo é o de um preço inteiro: de um mês em parte, é em
                parte. ${dono.senao}
              </p>
              ${dono === DO_PROVEDOR ? ATALHOS : null}
              ${formulario({
                para: dono.aqui,
                estado,
                rotulos: ROTULOS,
                enviar: 'Salvar',
                volta: dono.volta,
                corpo: html`${falta(estado)} ${LINHAS.map((n) => linha(estado, n, servicos))}`,
              })}`,
      )}
    </div>`,
  };
}

const falta = (estado: EstadoDoFormulario): Html | null => {
  const dita = faltaDe(estado, 'partes');
  return html`<div id="campo-partes" tabindex="-1">${dita === null ? null : aviso('danger', `${dita}.`)}</div>`;
};

function linha(estado: EstadoDoFormulario, n: number, servicos: readonly ServicoNfcom[]): Html {
  return html`<fieldset>
    <legend>Parte ${n}</legend>
    <div class="grade">
      ${escolha(estado, {
        nome: `servico_${n}`,
        rotulo: DA_LINHA.servico,
        vazia: 'Nenhum',
        opcoes: servicos.map(({ id, descricao }) => ({ valor: String(id), texto: descricao })),
      })}
      ${entrada(estado, { nome: `percentual_${n}`, rotulo: DA_LINHA.percentual, teclado: 'decimal', maximo: 8 })}
      ${entrada(estado, { nome: `valor_${n}`, rotulo: DA_LINHA.valor, teclado: 'decimal', maximo: 16 })}
      ${entrada(estado, { nome: `descricao_${n}`, rotulo: DA_LINHA.descricao, maximo: 120 })}
    </div>
  </fieldset>`;
}

const permissao = 'nfcom.configurar';

/** How prices split into the items of notes: of the provider, of additional items, of a plan, of a contract. */
export const COMPOSICAO: readonly Rota[] = [
  ...[DO_PROVEDOR, ...DOS_ADICIONAIS].flatMap((dono) => [
    pagina(dono.aqui, { permissao, mostrar: async ({ dominio }) => ({ tela: await tela(dominio, dono, null) }) }),
    acao(dono.aqui, {
      permissao,
      campos: CAMPOS,
      formulario: async ({ dominio }, estado) => tela(dominio, dono, estado),
      async fazer({ dados, mudar }) {
        await mudar(async (_dominio, { servicosNfcom }) =>
          servicosNfcom.compor(dono.dono, { partes: partesDe(dados) }),
        );
        return { ir: dono.aqui, feito: 'salvo' };
      },
    }),
  ]),
  pagina('/planos/{id}/nfcom', {
    permissao,
    mostrar: async ({ dominio, parametros: { id } }) => ({
      tela: await tela(dominio, await doPlano(dominio, id), null),
    }),
  }),
  acao('/planos/{id}/nfcom', {
    permissao,
    campos: CAMPOS,
    formulario: async ({ dominio, parametros: { id } }, estado) => tela(dominio, await doPlano(dominio, id), estado),
    async fazer({ dados, parametros: { id }, mudar }) {
      await mudar(async (_dominio, { servicosNfcom }) =>
        servicosNfcom.compor({ de: 'plano', id }, { partes: partesDe(dados) }),
      );
      return { ir: `/planos/${id}/nfcom`, feito: 'salvo' };
    },
  }),
  pagina('/contratos/{id}/nfcom', {
    permissao,
    mostrar: async ({ dominio, parametros: { id } }) => ({
      tela: await tela(dominio, await doContrato(dominio, id), null),
    }),
  }),
  acao('/contratos/{id}/nfcom', {
    permissao,
    campos: CAMPOS,
    formulario: async ({ dominio, parametros: { id } }, estado) => tela(dominio, await doContrato(dominio, id), estado),
    async fazer({ dados, parametros: { id }, mudar }) {
      await mudar(async (_dominio, { servicosNfcom }) =>
        servicosNfcom.compor({ de: 'contrato', id }, { partes: partesDe(dados) }),
      );
      return { ir: `/contratos/${id}/nfcom`, feito: 'salvo' };
    },
  }),
];
