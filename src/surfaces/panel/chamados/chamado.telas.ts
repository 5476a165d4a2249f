import type { Cliente } from '../../../domain/clientes/clientes.types.ts';
import type { Aviso } from '../../../domain/rede/avisos/avisos.types.ts';
import type { DetalheDoChamado, EntradaDaEquipe } from '../../../domain/chamados/fila/fila.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { avisoDaRede } from '../clientes/ficha/contrato.ts';
import { cartao, etiqueta, ficha } from '../componentes/cartao.ts';
import { ha, instante, telefone } from '../componentes/escrita.ts';
import { vazio } from '../componentes/tabela.ts';
import type { Chamada } from '../rota.ts';
import { pode } from '../sessao.ts';
import { lugar } from './lugar.ts';
import { CATEGORIAS, conexao, doHistorico, origem, prioridade, situacao } from './palavras.ts';

/** Entries that somebody said, and not that something changed. */
const FALAS = new Set(['comentario', 'solucao', 'nota']);

/** What was said, the oldest first: what the client may read and what the staff alone reads look apart, and say which they are. */
export function conversa({ sessao, agora }: Chamada, chamado: DetalheDoChamado): Html {
  const { fusoHorario } = sessao.provedor;
  const falas = chamado.historico.filter(({ acao, descricao }) => FALAS.has(acao) && descricao !== null);
  const cabeca = (quem: string | null, quando: Date, oque: Html | null): Html =>
    html`<p class="m-0 mb-1 text-secondary">
      <strong>${quem ?? 'sem autor'}</strong> · ${instante(fusoHorario, quando)} (${ha(agora, quando)}) ${oque}
    </p>`;
  const etiquetaDe = ({ acao, interno }: EntradaDaEquipe): Html | null => {
    if (interno) return etiqueta('nota interna: só a equipe vê', 'orange');
    return acao === 'solucao' ? etiqueta('solução', 'green') : null;
  };
  return cartao(
    'Conversa',
    html`<div class="conversa">
      <article class="fala">
        ${cabeca(chamado.clienteNome, chamado.abertoEm, etiqueta('pedido', 'blue'))}
        <div class="dito">${chamado.descricao}</div>
      </article>
      ${falas.map(
        (fala) =>
          html`<article class="fala ${fala.interno ? 'interna' : ''}">
            ${cabeca(fala.autor, fala.ocorridoEm, etiquetaDe(fala))}
            <div class="dito">${fala.descricao ?? ''}</div>
          </article>`,
      )}
    </div>`,
  );
}

/** What changed, the newest first. */
export function mudancas({ sessao }: Chamada, { historico }: DetalheDoChamado): Html {
  const feitas = historico.filter(({ acao }) => !FALAS.has(acao)).toReversed();
  if (feitas.length === 0)
    return cartao('Histórico', vazio('history', 'Nada mudou ainda', 'Cada mudança fica escrita aqui.'));
  return cartao(
    'Histórico',
    html`<ul class="list-unstyled m-0">
      ${feitas.map(
        ({ descricao, autor, ocorridoEm, acao }) =>
          html`<li class="mb-2">
            ${doHistorico(descricao ?? (acao === 'aberto' ? 'Chamado aberto.' : acao))}
            <div class="text-secondary">
              ${instante(sessao.provedor.fusoHorario, ocorridoEm)}, ${autor ?? 'sem autor'}
            </div>
          </li>`,
      )}
    </ul>`,
  );
}

/** What the ticket is now. */
export function fatos({ sessao, agora }: Chamada, chamado: DetalheDoChamado): Html {
  const { fusoHorario } = sessao.provedor;
  const { categoria, responsavel, agendadoPara, duracaoMinutos, abertoPor } = chamado;
  return cartao(
    'Chamado',
    ficha([
      ['Protocolo', chamado.protocolo],
      ['Situação', situacao(chamado.situacao)],
      ['Prioridade', prioridade(chamado.prioridade)],
      ['Categoria', categoria === null ? 'nenhuma' : CATEGORIAS[categoria]],
      ['Responsável', responsavel?.nome ?? 'ninguém'],
      [
        'Visita',
        agendadoPara === null ? null : html`${instante(fusoHorario, agendadoPara)}, ${duracaoMinutos ?? 60} min`,
      ],
      ['Origem', html`${origem(chamado.origem)} ${abertoPor === null ? null : html`por ${abertoPor.nome}`}`],
      ['Aberto', html`${instante(fusoHorario, chamado.abertoEm)} (${ha(agora, chamado.abertoEm)})`],
      ['Fechado', instante(fusoHorario, chamado.fechadoEm)],
      ['Vez de', chamado.fechadoEm === null ? (chamado.esperaEquipe ? 'a equipe responder' : 'o cliente') : null],
    ]),
  );
}

/** Whom it is about, whether the line is up, and where to go from here. */
export function doCliente(
  { sessao }: Chamada,
  chamado: DetalheDoChamado,
  cliente: Cliente | null,
  avisos: ReadonlyMap<number, readonly Aviso[]>,
): Html {
  const contrato =
    cliente?.contratos.find(({ id }) => id === chamado.contratoId) ??
    cliente?.contratos.find(({ situacao: qual }) => !qual.startsWith('cancelado'));
  const verCliente = pode(sessao, 'clientes.ver');
  const nome = verCliente
    ? html`<a href="${BASE}/clientes/${chamado.clienteId}">${chamado.clienteNome}</a>`
    : chamado.clienteNome;
  return cartao(
    'Cliente',
    html`${(avisos.get(contrato?.id ?? 0) ?? []).map((um) => avisoDaRede(sessao, um))}
    ${ficha([
      ['Nome', nome],
      ['Conexão agora', conexao(chamado.conexao)],
      [
        'Telefones',
        cliente === null || cliente.telefones.length === 0
          ? null
          : html`${cliente.telefones.map((um) => html`<div>${telefone(um)}</div>`)}`,
      ],
      [
        'Contrato',
        contrato === undefined
          ? null
          : verCliente
            ? html`<a href="${BASE}/contratos/${contrato.id}">${contrato.id} · ${contrato.plano.nome}</a>`
            : `${contrato.id} · ${contrato.plano.nome}`,
      ],
      ['Login', contrato?.login ?? null],
      ['Instalação', contrato === undefined ? null : lugar(contrato.enderecoInstalacao)],
    ])}`,
  );
}
