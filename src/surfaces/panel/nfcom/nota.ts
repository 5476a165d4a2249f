import { ENSAIO_DEIXADO, abandonada, impedeOutra } from '../../../domain/nfcom/emissao/prazos.regras.ts';
import { CONSULTA_RECUSADA, palavrasDoErro } from '../../../domain/nfcom/envio/desfecho.regras.ts';
import type { NotaInteira } from '../../../domain/nfcom/lista/lista.types.ts';
import type { AmbienteNfcom } from '../../../domain/nfcom/nfcom.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao, ficha } from '../componentes/cartao.ts';
import { escreverReais, instante } from '../componentes/escrita.ts';
import { icone } from '../componentes/icone.ts';
import { tabela, vazio } from '../componentes/tabela.ts';
import { botao } from '../formulario/formulario.ts';
import { naoEncontrado } from '../recusas.ts';
import type { Chamada, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';
import { ETAPAS, FINALIDADES, OPERACOES, numeroDaNota, remedioDe, situacaoDaNota } from './palavras.ts';

const foiAbandonada = ({ motivoCodigo }: NotaInteira): boolean => abandonada({ motivo_codigo: motivoCodigo });

/** The code of a note that somebody gave up. */
const DESISTIDA = 'descartada';

export type DaNota = Chamada<{ readonly id: number }>;

/** The note of an address. @throws Recusado when the provider has none of that id */
export async function exigirNota({ dominio, parametros: { id } }: Pick<DaNota, 'dominio' | 'parametros'>) {
  const nota = await dominio.notas.buscar(id);
  if (nota === null) throw naoEncontrado();
  return nota;
}

/** A page with one form about a note. */
export function telaSobreNota(nota: NotaInteira, titulo: string, corpo: Html): Tela {
  return {
    titulo,
    menu: 'nfcom',
    migalhas: [
      ['Notas fiscais', '/nfcom'],
      [`Nota ${numeroDaNota(nota)}`, `/nfcom/${nota.id}`],
    ],
    corpo: html`<div class="card largura-leitura">
      <div class="card-body">
        <div class="mb-3">
          ${ficha([
            ['Nota', numeroDaNota(nota)],
            ['Cliente', nota.clienteNome],
            ['Valor', escreverReais(nota.valor)],
            ['Situação', situacaoDaNota(nota.situacao)],
          ])}
        </div>
        ${corpo}
      </div>
    </div>`,
  };
}

/** A note with what the authority said of it, and what can be done. */
export async function telaDaNota(chamada: DaNota): Promise<Tela> {
  const [nota, { ambiente }] = await Promise.all([exigirNota(chamada), chamada.dominio.configuracaoNfcom.buscar()]);
  const { sessao } = chamada;
  return {
    titulo: `Nota ${numeroDaNota(nota)}`,
    menu: 'nfcom',
    migalhas: [['Notas fiscais', '/nfcom']],
    acoes: acoes(nota, ambiente, sessao),
    corpo: html`${nota.situacao === 'rejeitada' ? rejeicao(nota, ambiente, sessao) : null}
      ${
        nota.etapa === null
          ? null
          : aviso(
              'info',
              html`${ETAPAS[nota.etapa] ?? nota.etapa}${
                nota.proximaEm === null
                  ? null
                  : html`, a partir de ${instante(sessao.provedor.fusoHorario, nota.proximaEm)}`
              }.`,
            )
      }
      <div class="colunas">
        <div>${cartao('Dados', dados(nota, sessao))}</div>
        <div>${cartao('Documentos', documentos(nota))} ${outras(nota)}</div>
      </div>
      ${tentativas(nota, sessao)} ${cancelamentos(nota, sessao)}`,
  };
}

/** @param ambiente in which notes are issued now: of one of the other nothing can be corrected */
function acoes(nota: NotaInteira, ambiente: AmbienteNfcom, sessao: Sessao): Html | null {
  if (!pode(sessao, 'nfcom.emitir')) return null;
  const { id, situacao, etapa, finalidade } = nota;
  const parada = situacao === 'rejeitada';
  const desistida = parada && foiAbandonada(nota);
  const podeOutra = parada && !impedeOutra({ ...nota, motivo_codigo: nota.motivoCodigo }, ambiente);
  const viva = situacao === 'autorizada' && etapa === null;
  return html`${
    podeOutra && finalidade === 'normal'
      ? botao({ para: `/faturas/${nota.faturaId}/nfcom`, texto: 'Emitir outra nota', icone: icone('file-text') })
      : null
  }
  ${
    parada && !desistida && nota.ambiente === ambiente
      ? botao({
          para: `/nfcom/${id}/reemitir`,
          texto: 'Emitir de novo',
          icone: icone('refresh'),
          classe: 'btn btn-primary',
        })
      : null
  }
  ${(parada && !desistida) || (situacao === 'pendente' && etapa === 'montar') ? html`<a class="btn" href="${BASE}/nfcom/${id}/descartar">Desistir da nota</a>` : null}
  ${viva && finalidade !== 'ajuste' && nota.ambiente === ambiente ? html`<a class="btn" href="${BASE}/nfcom/${id}/substituir">Substituir</a> <a class="btn" href="${BASE}/nfcom/${id}/ajustar">Ajustar</a>` : null}
  ${viva && finalidade !== 'substituicao' ? html`<a class="btn" href="${BASE}/nfcom/${id}/cancelar">Cancelar nota</a>` : null}`;
}

function rejeicao(nota: NotaInteira, ambiente: AmbienteNfcom, sessao: Sessao): Html {
  const motivos =
    nota.recusas.length > 0
      ? nota.recusas
      : [{ codigo: nota.motivoCodigo ?? '', mensagem: nota.motivo ?? 'A autoridade não disse por quê.' }];
  return aviso(
    'danger',
    html`<p class="fw-bold mb-1">${oQueHouve(nota)}</p>
      <ul class="mb-2">
        ${motivos.map(({ codigo, mensagem }) => {
          const remedio = remedioDe(codigo, nota);
          return html`<li>
            ${mensagem} ${codigo === '' ? null : html`<span class="text-secondary">(${codigo})</span>`}
            ${
              remedio === null || !pode(sessao, remedio.permissao)
                ? null
                : html`<a href="${BASE}${remedio.para}">${remedio.texto}</a>`
            }
          </li>`;
        })}
      </ul>
      <p class="mb-0">${oQueFazer(nota, ambiente)}</p>`,
  );
}

function oQueFazer(nota: NotaInteira, ambiente: AmbienteNfcom): string {
  if (nota.motivoCodigo === ENSAIO_DEIXADO.motivo_codigo && nota.deOutra === null) {
    return 'Foi um ensaio, e não vira nota de verdade: a fatura tem outra.';
  }
  if (foiAbandonada(nota)) return 'O número dela ficou para outra nota. Se a fatura ainda deve ter uma, emita outra.';
  if (nota.ambiente !== ambiente) {
    return nota.ambiente === 'homologacao'
      ? 'Foi um ensaio, e não vira nota de verdade. Se a fatura ainda deve ter uma, emita outra.'
      : 'É de produção, e o provedor emite em homologação agora: ela espera que ele volte.';
  }
  if (nota.motivoCodigo === CONSULTA_RECUSADA) {
    return 'Veja no portal da autoridade, pela chave, se ela tem a nota. “Emitir de novo” e “Desistir da nota” perguntam outra vez antes: nada se perde.';
  }
  return 'Depois de corrigir, use “Emitir de novo”: o número da nota é o mesmo.';
}

function oQueHouve({ recusas, motivoCodigo }: NotaInteira): string {
  if (motivoCodigo === CONSULTA_RECUSADA) return 'Não se sabe se a nota foi autorizada:';
  if (motivoCodigo === DESISTIDA) return 'Desistiu-se desta nota:';
  return recusas.length > 0 ? 'A nota não pôde ser montada:' : 'A nota foi rejeitada:';
}

function dados(nota: NotaInteira, sessao: Sessao): Html {
  const { fusoHorario: fuso } = sessao.provedor;
  return ficha([
    ['Situação', situacaoDaNota(nota.situacao)],
    [
      'Cliente',
      pode(sessao, 'clientes.ver')
        ? html`<a href="${BASE}/clientes/${nota.clienteId}">${nota.clienteNome}</a>`
        : nota.clienteNome,
    ],
    ['Fatura', html`<a href="${BASE}/faturas/${nota.faturaId}">Fatura ${nota.faturaId}</a>`],
    ['Valor', escreverReais(nota.valor)],
    ['Finalidade', FINALIDADES[nota.finalidade] ?? nota.finalidade],
    ['Ambiente', nota.ambiente === 'producao' ? 'Produção' : 'Homologação: sem valor fiscal'],
    ['Emissão', nota.emContingencia ? 'Em contingência' : null],
    ['Chave', nota.chave === null ? null : html`<code>${nota.chave}</code>`],
    ['Protocolo', nota.protocolo],
    ['Pedida em', instante(fuso, nota.pedidaEm)],
    ['Emitida em', instante(fuso, nota.emitidaEm)],
    ['Autorizada em', instante(fuso, nota.autorizadaEm)],
    [nota.situacao === 'substituida' ? 'Substituída em' : 'Cancelada em', instante(fuso, nota.canceladaEm)],
  ]);
}

function documentos({ id, temXml, situacao, emContingencia, cancelamentos: pedidos }: NotaInteira): Html {
  if (emContingencia && situacao === 'processando') {
    return html`<a class="btn" href="${BASE}/nfcom/${id}/baixar/pdf">${icone('printer')} DANFE-COM (PDF)</a>
      <p class="form-hint mt-2 mb-0">
        Emitida em contingência, ainda sem protocolo. O XML existe depois de autorizada.
      </p>`;
  }
  if (!temXml) return html`<p class="m-0 text-secondary">O DANFE-COM e o XML existem depois de autorizada.</p>`;
  return html`<div class="acoes">
    <a class="btn" href="${BASE}/nfcom/${id}/baixar/pdf">${icone('printer')} DANFE-COM (PDF)</a>
    <a class="btn" href="${BASE}/nfcom/${id}/baixar/xml">${icone('download')} XML</a>
    ${
      pedidos.some(({ estado }) => estado === 'registrado')
        ? html`<a class="btn" href="${BASE}/nfcom/${id}/baixar/cancelamento"
            >${icone('download')} XML do cancelamento</a
          >`
        : null
    }
  </div>`;
}

function outras({ deOutra, porOutras }: NotaInteira): Html | null {
  if (deOutra === null && porOutras.length === 0) return null;
  return cartao(
    'Notas ligadas a esta',
    html`<ul class="linhas">
      ${deOutra === null ? null : html`<li><a href="${BASE}/nfcom/${deOutra}">A nota que esta corrige</a></li>`}
      ${porOutras.map(
        ({ id, finalidade, situacao }) =>
          html`<li>
            <a href="${BASE}/nfcom/${id}">${FINALIDADES[finalidade] ?? finalidade}</a> ${situacaoDaNota(situacao)}
          </li>`,
      )}
    </ul>`,
  );
}

function tentativas(nota: NotaInteira, sessao: Sessao): Html {
  return cartao(
    'O que se perguntou à autoridade',
    tabela({
      legenda: 'O que se perguntou à autoridade',
      linhas: nota.tentativas,
      vazia: vazio('history', 'Nada ainda', 'Envios e consultas desta nota aparecem aqui, com a resposta.'),
      colunas: [
        { titulo: 'Quando', principal: true, celula: ({ em }) => instante(sessao.provedor.fusoHorario, em) },
        { titulo: 'O quê', celula: ({ operacao }) => OPERACOES[operacao] ?? operacao },
        {
          titulo: 'Resposta',
          celula: ({ codigo, erro }) => codigo ?? (erro === null ? 'sem resposta' : palavrasDoErro(erro)),
        },
      ],
    }),
    { rente: true },
  );
}

const ESTADOS: Readonly<Record<string, string>> = {
  pendente: 'Esperando resposta',
  registrado: 'Registrado',
  recusado: 'Recusado',
};

function cancelamentos(nota: NotaInteira, sessao: Sessao): Html | null {
  if (nota.cancelamentos.length === 0) return null;
  return cartao(
    'Cancelamento',
    tabela({
      legenda: 'Pedidos de cancelamento',
      linhas: nota.cancelamentos,
      vazia: html``,
      colunas: [
        {
          titulo: 'Pedido em',
          principal: true,
          celula: ({ pedidoEm }) => instante(sessao.provedor.fusoHorario, pedidoEm),
        },
        { titulo: 'Por quê', celula: ({ justificativa }) => justificativa },
        {
          titulo: 'Estado',
          celula: ({ estado, codigo, motivo }) =>
            `${ESTADOS[estado] ?? estado}${motivo === null ? '' : `: ${motivo}`}${codigo === null ? '' : ` (${codigo})`}`,
        },
      ],
    }),
    { rente: true },
  );
}
