import { opcional } from '../../../domain/campos/campos.ts';
import type { ValoresDe } from '../../../domain/campos/campos.ts';
import { data, escolha, id, inteiro as numeroInteiro, texto } from '../../../domain/campos/leitores.ts';
import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { DIAS_CONTADOS } from '../../../domain/nfcom/lista/lista.service.ts';
import type { NotaDaLista } from '../../../domain/nfcom/lista/lista.types.ts';
import { SITUACOES_DE_NFCOM } from '../../../domain/nfcom/nfcom.types.ts';
import type { SituacaoNfcom } from '../../../domain/nfcom/nfcom.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao, etiqueta, numero } from '../componentes/cartao.ts';
import { escreverReais, inteiro, instante, quantos } from '../componentes/escrita.ts';
import { icone } from '../componentes/icone.ts';
import { comConsulta, paginas, tabela, vazio } from '../componentes/tabela.ts';
import { entrada, escolha as campoDeEscolha } from '../formulario/campos.ts';
import { preenchido } from '../formulario/estado.ts';
import type { Chamada, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';
import { avisosDasNotas } from './avisos.ts';
import { FINALIDADES, SITUACOES, numeroDaNota, remedioDe, situacaoDaNota } from './palavras.ts';

export const CONSULTA_DA_LISTA = {
  situacao: opcional(escolha(SITUACOES_DE_NFCOM)),
  cliente: opcional(id),
  de: opcional(data),
  ate: opcional(data),
  depois: opcional(texto(1, 200)),
  /** How many notes were put into the queue just now. */
  na_fila: opcional(numeroInteiro(0, 100_000_000)),
  /** Of how many notes it was asked just now that they be cancelled, of how many that were counted. */
  canceladas: opcional(numeroInteiro(0, 100_000_000)),
  contadas: opcional(numeroInteiro(0, 100_000_000)),
} as const;

export type Consulta = ValoresDe<typeof CONSULTA_DA_LISTA>;

/** The notes of the provider, with how many there are in each state. */
export async function telaDaLista({ consulta, dominio, sessao, agora }: Chamada<unknown, Consulta>): Promise<Tela> {
  const { depois = null, na_fila: naFila, canceladas, contadas: deQuantas, ...semLugar } = consulta;
  const { situacao, cliente: clienteId, de, ate } = consulta;
  const filtro = { situacao, clienteId, de, ate };
  const emite = pode(sessao, 'nfcom.emitir');
  const [{ itens, proxima }, contadas, avisos, fila, porSair] = await Promise.all([
    dominio.notas.listar(filtro, depois),
    dominio.notas.porSituacao({ clienteId, de, ate }, hojeEm(sessao.provedor.fusoHorario, agora)),
    avisosDasNotas(dominio, sessao),
    dominio.configuracaoNfcom.fila(),
    emite ? dominio.notas.quantasPorSair(filtro) : { notas: 0 },
  ]);
  const filtrada = Object.values(semLugar).some((valor) => valor !== undefined);
  return {
    titulo: 'Notas fiscais',
    menu: 'nfcom',
    acoes: acoes(sessao, fila.pausa === null),
    corpo: html`${naFila === undefined ? null : aviso('success', ditoDaFila(naFila))}
    ${canceladas === undefined || deQuantas === undefined ? null : aviso('success', ditoDasCanceladas(canceladas, deQuantas))}
    ${avisos} ${numeros(contadas, consulta)} ${filtros(consulta)}
    ${situacao === 'rejeitada' && contadas.rejeitada > 0 && emite ? todasDeNovo(consulta) : null}
    ${situacao === 'autorizada' && contadas.autorizada > 0 && emite ? cancelarTodas(consulta) : null}
    ${porSair.notas > 0 ? desistirDaFila(porSair.notas, { situacao, cliente: clienteId, de, ate }) : null}
    ${cartao(
      null,
      html`${tabelaDeNotas(itens, sessao, filtrada)}
      ${paginas({
        total: null,
        anterior: depois === null ? null : comConsulta('/nfcom', semLugar),
        proxima: proxima === null ? null : comConsulta('/nfcom', { ...semLugar, depois: proxima }),
      })}`,
      { rente: true },
    )}`,
  };
}

function acoes(sessao: Sessao, seguindo: boolean): Html {
  return html`${
    pode(sessao, 'nfcom.emitir')
      ? html`<a class="btn btn-primary" href="${BASE}/nfcom/emitir">${icone('plus')} Emitir notas</a>`
      : null
  }
  ${
    seguindo && pode(sessao, 'nfcom.emitir', 'nfcom.configurar')
      ? html`<a class="btn" href="${BASE}/nfcom/pausar">Pausar o envio</a>`
      : null
  }
  ${
    pode(sessao, 'exportar')
      ? html`<a class="btn" href="${BASE}/nfcom/mes">${icone('download')} Arquivo do mês</a>`
      : null
  }
  ${
    pode(sessao, 'nfcom.configurar')
      ? html`<a class="btn" href="${BASE}/configuracoes/nfcom">${icone('settings')} Configurar</a>`
      : null
  }`;
}

const numeros = (contadas: Readonly<Record<SituacaoNfcom, number>>, { cliente, de, ate }: Consulta): Html =>
  html`<div class="numeros seis">
      ${SITUACOES_DE_NFCOM.map((uma) =>
        numero(inteiro(contadas[uma]), SITUACOES[uma][0], comConsulta('/nfcom', { situacao: uma, cliente, de, ate })),
      )}
    </div>
    ${
      de === undefined && ate === undefined
        ? html`<p class="form-hint">
            Autorizadas, canceladas e substituídas: dos últimos ${DIAS_CONTADOS} dias. Para outro período, filtre.
          </p>`
        : null
    }`;

function filtros(consulta: Consulta): Html {
  const estado = preenchido(consulta);
  return html`<form class="filtros" method="get" action="${BASE}/nfcom" aria-label="Filtros">
    ${consulta.cliente === undefined ? null : html`<input type="hidden" name="cliente" value="${consulta.cliente}" />`}
    ${campoDeEscolha(estado, {
      nome: 'situacao',
      rotulo: 'Situação',
      vazia: 'Todas',
      opcoes: SITUACOES_DE_NFCOM.map((valor) => ({ valor, texto: SITUACOES[valor][0] })),
    })}
    ${entrada(estado, { nome: 'de', rotulo: 'Emitidas de', tipo: 'date' })}
    ${entrada(estado, { nome: 'ate', rotulo: 'até', tipo: 'date' })}
    <div class="campo"><button class="btn">${icone('filter')} Filtrar</button></div>
  </form>`;
}

const ditoDaFila = (quantas: number): string =>
  quantas === 0
    ? 'Nenhuma nota foi para a fila: já não há o que emitir de novo com estes filtros.'
    : `Na fila: ${quantos(quantas, 'nota sai', 'notas saem')} de novo.`;

const ditoDasCanceladas = (quantas: number, de: number): string =>
  `Foi pedido à autoridade o cancelamento de ${inteiro(quantas)} de ${quantos(de, 'nota', 'notas')}: as respostas vêm aos poucos.${
    quantas === de ? '' : ' As outras mudaram nesse meio-tempo, e ficaram.'
  }`;

/** How many were given up together the next page counts: of all that ever were that takes long. */
const todasDeNovo = ({ cliente, de, ate }: Consulta): Html =>
  html`<div class="acoes mb-3">
    <a class="btn" href="${BASE}${comConsulta('/nfcom/reemitir', { cliente, de, ate })}"
      >${icone('refresh')} Emitir de novo estas rejeitadas</a
    >
    <a class="btn" href="${BASE}${comConsulta('/nfcom/desistidas', { cliente, de, ate })}"
      >Emitir as de que se desistiu junto</a
    >
  </div>`;

const cancelarTodas = ({ cliente, de, ate }: Consulta): Html =>
  html`<div class="acoes mb-3">
    <a class="btn" href="${BASE}${comConsulta('/nfcom/cancelar', { cliente, de, ate })}">Cancelar estas notas</a>
  </div>`;

const desistirDaFila = (quantas: number, filtro: Pick<Consulta, 'situacao' | 'cliente' | 'de' | 'ate'>): Html =>
  html`<div class="acoes mb-3">
    <a class="btn" href="${BASE}${comConsulta('/nfcom/desistir', filtro)}">
      Desistir ${quantas === 1 ? 'da nota que espera' : `das ${inteiro(quantas)} notas que esperam`} na fila
    </a>
  </div>`;

/** Notes in rows; those that were rejected say why, and where that is mended. */
function tabelaDeNotas(itens: readonly NotaDaLista[], sessao: Sessao, filtrada: boolean): Html {
  return tabela<NotaDaLista>({
    legenda: 'Notas fiscais',
    linhas: itens,
    vazia: filtrada
      ? vazio('file-text', 'Nenhuma nota com estes filtros', 'Mude a situação ou o período para ver outras.')
      : vazio(
          'file-text',
          'Nenhuma nota fiscal',
          'As notas das faturas aparecem aqui, cada uma com o que a autoridade disse dela.',
          pode(sessao, 'nfcom.emitir')
            ? html`<a class="btn btn-primary" href="${BASE}/nfcom/emitir">Emitir notas</a>`
            : null,
        ),
    colunas: [
      {
        titulo: 'Nota',
        principal: true,
        celula: (nota) =>
          html`<a href="${BASE}/nfcom/${nota.id}">${numeroDaNota(nota)}</a> ${
              nota.ambiente === 'homologacao' ? etiqueta('homologação', 'secondary') : null
            }
            ${nota.finalidade === 'normal' ? null : etiqueta(FINALIDADES[nota.finalidade] ?? '', 'azure')}`,
      },
      {
        titulo: 'Cliente',
        celula: ({ clienteId, clienteNome }) =>
          pode(sessao, 'clientes.ver') ? html`<a href="${BASE}/clientes/${clienteId}">${clienteNome}</a>` : clienteNome,
      },
      { titulo: 'Fatura', celula: ({ faturaId }) => html`<a href="${BASE}/faturas/${faturaId}">${faturaId}</a>` },
      { titulo: 'Emitida em', celula: ({ em }) => instante(sessao.provedor.fusoHorario, em) },
      { titulo: 'Valor', direita: true, celula: ({ valor }) => escreverReais(valor) },
      {
        titulo: 'Situação',
        celula: (nota) =>
          html`<div>
            ${situacaoDaNota(nota.situacao)} ${nota.situacao === 'rejeitada' ? porque(nota, sessao) : null}
          </div>`,
      },
    ],
  });
}

function porque(nota: NotaDaLista, sessao: Sessao): Html {
  const { motivoCodigo: codigo, motivo } = nota;
  const remedio = remedioDe(codigo ?? '', nota);
  return html`<div class="text-secondary">${motivo ?? codigo ?? 'sem motivo'}</div>
    ${
      remedio === null || !pode(sessao, remedio.permissao)
        ? null
        : html`<a href="${BASE}${remedio.para}">${remedio.texto}</a>`
    }`;
}
