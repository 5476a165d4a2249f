import type { Contrato } from '../../../../domain/contratos/contratos.types.ts';
import type { LinhaDoContrato } from '../../../../domain/contratos/ficha/linhas.queries.ts';
import type { RedeDoDesbloqueio } from '../../../../domain/desbloqueios/rede.regras.ts';
import { RECUSAS } from '../../../../domain/erros.ts';
import type { Promessa } from '../../../../domain/promessas/promessas.types.ts';
import type { Aviso } from '../../../../domain/rede/avisos/avisos.types.ts';
import type { SessaoDaLinha } from '../../../../domain/rede/linha/linha.types.ts';
import { escreverEndereco } from '../../../../brazil/dinheiro/escrita.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { BASE } from '../../ativos/ativos.ts';
import { aviso, cartao, ficha } from '../../componentes/cartao.ts';
import { escreverData, escreverReais, ha, instante } from '../../componentes/escrita.ts';
import { vazio } from '../../componentes/tabela.ts';
import { NA_REDE } from '../../contratos/palavras.ts';
import { pode } from '../../sessao.ts';
import type { Sessao } from '../../sessao.ts';
import { conexao, situacaoDoContrato } from '../palavras.ts';
import type { Cabeca, LinhasDoCliente } from './leitura.ts';
import { fimDito } from './linha.ts';

interface DoContrato {
  readonly sessao: Sessao;
  readonly agora: Date;
  readonly contrato: Contrato;
  readonly linha: LinhaDoContrato | undefined;
  readonly avisos: readonly Aviso[];
  /** What the network made of the trust unblock in force. */
  readonly rede: RedeDoDesbloqueio | null;
  /** The open promise of payment. */
  readonly promessa?: Promessa | null;
  /** Whether something of it, or of its client and of no contract, is overdue. */
  readonly deve?: boolean;
  /** The newest session of its line, where it was looked for: it says since when and why the line is offline. */
  readonly ultima?: SessaoDaLinha | null;
}

function comoEsta({ agora, contrato, linha, ultima = null }: DoContrato): Html {
  const servidor = linha?.servidor ?? linha?.nas ?? null;
  const caiu = contrato.conexao === 'offline' && ultima !== null && ultima.fim !== null ? ultima : null;
  const desde = contrato.conexao === 'online' ? (linha?.sessaoDesde ?? null) : (caiu?.fim ?? null);
  return html`${conexao(contrato.conexao)}
  ${ha(agora, desde)}${servidor === null ? null : ` · ${servidor}`}${caiu === null ? null : ` · ${fimDito(caiu)}`}`;
}

/** Whether and why nothing passes, in words. */
function bloqueio({ sessao, contrato, linha, rede }: DoContrato): Html | string {
  const { fusoHorario: fuso } = sessao.provedor;
  const porque = linha?.motivo ?? null;
  const motivo = porque === null ? null : html` Motivo: ${porque}`;
  if (contrato.situacao === 'bloqueado') {
    const origem = linha?.bloqueioOrigem === 'manual' ? 'à mão' : 'por falta de pagamento';
    return html`Sim, ${origem}, desde ${instante(fuso, contrato.bloqueadoEm) ?? 'data desconhecida'}.${motivo}`;
  }
  if (contrato.situacao === 'inativo') {
    return html`Suspenso a pedido, desde ${instante(fuso, linha?.suspensoEm ?? null) ?? 'data desconhecida'}.${motivo}`;
  }
  if (contrato.desbloqueadoAte !== null) {
    const ate = instante(fuso, contrato.desbloqueadoAte);
    if (rede === null) return html`Não: liberado em confiança até ${ate}.`;
    return html`${rede.situacao === 'aplicada' ? 'Não: liberado' : 'Liberado'} em confiança até ${ate}.
    ${NA_REDE[rede.situacao]}.`;
  }
  return 'Não';
}

function acoes({ sessao, contrato, linha, promessa = null, deve = false }: DoContrato): Html {
  const { id, situacao, conexao: estado } = contrato;
  const botao = (para: string, texto: string): Html =>
    html`<a class="btn" href="${BASE}/contratos/${id}/${para}">${texto}</a>`;
  const bloqueado = situacao === 'bloqueado';
  const confia = bloqueado && pode(sessao, 'contratos.desbloquear_confianca');
  const { desbloqueioDias, promessaDias } = sessao.provedor.regras;
  const promete = deve && promessa === null && promessaDias > 0 && pode(sessao, 'contratos.desbloquear_confianca');
  const naoConfia = linha?.porQueNaoEmConfianca ?? null;
  return html`<div class="acoes mt-3">
      ${bloqueado && pode(sessao, 'contratos.bloquear') ? botao('liberar', 'Liberar') : null}
      ${confia && naoConfia === null ? botao('confianca', `Confiança: ${desbloqueioDias} ${desbloqueioDias === 1 ? 'dia' : 'dias'}`) : null}
      ${promete ? botao('promessa', 'Anotar promessa') : null}
      ${situacao === 'ativo' && pode(sessao, 'contratos.bloquear') ? html`${botao('bloquear-por-debito', 'Bloquear por débito')}${botao('bloquear', 'Bloquear')}` : null}
      ${estado === 'online' && pode(sessao, 'conexao.desconectar') ? botao('desconectar', 'Encerrar sessão') : null}
      <a class="btn" href="${BASE}/contratos/${id}">Abrir contrato</a>
    </div>
    ${confia && naoConfia !== null ? html`<p class="text-secondary mt-2 mb-0">Sem desbloqueio de confiança: ${RECUSAS[naoConfia]}.</p>` : null}`;
}

/** A notice of the network that covers a contract, as the staff reads it. */
export function avisoDaRede(sessao: Sessao, { id, titulo, texto, previsao, situacao, origem }: Aviso): Html {
  const { fusoHorario: fuso } = sessao.provedor;
  const nome = pode(sessao, 'rede.ver') ? html`<a href="${BASE}/rede/avisos/${id}">${titulo}</a>` : html`${titulo}`;
  return aviso(
    situacao === 'agendado' ? 'info' : 'warning',
    html`<strong>${nome}</strong
      >${situacao === 'agendado' ? ' (agendado)' : ''}${origem === 'detectado' ? ' (detectado na rede)' : ''}<br />${texto}
      ${previsao === null ? null : html`<br />Previsão: ${instante(fuso, previsao)}`}`,
  );
}

export function cartaoDoContrato(dele: DoContrato, inteiro = false): Html {
  const { sessao, contrato, avisos, linha, promessa = null, ultima = null } = dele;
  const { id, plano, login, mac, ip } = contrato;
  return cartao(
    `Contrato ${id} · ${plano.nome}`,
    html`${avisos.map((um) => avisoDaRede(sessao, um))}
    ${ficha([
      ['Conexão', comoEsta(dele)],
      ['Bloqueado', bloqueio(dele)],
      ['Promessa', promessa === null ? null : `pagar até ${escreverData(promessa.data)}`],
      ['Vencimento', `dia ${contrato.diaVencimento} · ${escreverReais(contrato.valor)}`],
      ['Login', login],
      ['IP', ultima?.fim === null ? (ultima.ip ?? ip) : ip],
      ['MAC', inteiro ? mac : null],
      ['Velocidade', inteiro ? `${plano.downloadMbps}/${plano.uploadMbps} Mb/s` : null],
      ['Instalação', inteiro ? escreverEndereco(contrato.enderecoInstalacao) : null],
      ['Cancelado em', inteiro ? instante(sessao.provedor.fusoHorario, linha?.canceladoEm ?? null) : null],
    ])}
    ${acoes(dele)}`,
    { acoes: situacaoDoContrato(contrato.situacao) },
  );
}

/** How a line is at this moment, for who looks at what it did: why nothing passes now stands above why it dropped before. */
export const linhaAgora = (dele: DoContrato): Html =>
  html`${dele.avisos.map((um) => avisoDaRede(dele.sessao, um))}
  ${ficha([
    ['Conexão', comoEsta(dele)],
    ['Bloqueado', bloqueio(dele)],
  ])}
  ${acoes(dele)}`;

/** What was read of a contract's line. */
export const daLinha = (
  { linhas, avisos, desbloqueios }: LinhasDoCliente,
  { id }: Pick<Contrato, 'id'>,
): Pick<DoContrato, 'linha' | 'avisos' | 'rede'> => ({
  linha: linhas.get(id),
  avisos: avisos.get(id) ?? [],
  rede: desbloqueios.get(id)?.rede ?? null,
});

/** All contracts of a client. */
export function contratosDoCliente({ sessao, agora, cliente }: Cabeca, lidas: LinhasDoCliente): Html {
  if (cliente.contratos.length === 0) return semContratos({ sessao, cliente });
  return html`<div class="colunas">
    ${cliente.contratos.map((contrato) => cartaoDoContrato({ sessao, agora, contrato, ...daLinha(lidas, contrato) }, true))}
  </div>`;
}

export function semContratos({ sessao, cliente }: Pick<Cabeca, 'sessao' | 'cliente'>): Html {
  const novo = pode(sessao, 'contratos.editar') && cliente.apagadoEm === null && cliente.situacao !== 'cancelado';
  return vazio(
    'router',
    'Nenhum contrato',
    'O contrato diz o plano, o login e o dia de vencimento deste cliente.',
    novo ? html`<a class="btn" href="${BASE}/contratos/novo?cliente=${cliente.id}">Novo contrato</a>` : null,
  );
}
