import { lerData } from '../../../brazil/calendario/datas.ts';
import { escreverEndereco } from '../../../brazil/dinheiro/escrita.ts';
import type { Contrato } from '../../../domain/contratos/contratos.types.ts';
import type { FichaDeContrato, LinhaDoHistorico } from '../../../domain/contratos/ficha/ficha.service.ts';
import type { CreditoDeContrato } from '../../../domain/faturamento/creditos/creditos.queries.ts';
import type { DesbloqueioPossivel } from '../../../domain/desbloqueios/leitura.service.ts';
import { RECUSAS } from '../../../domain/erros.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao, ficha } from '../componentes/cartao.ts';
import { escreverData, escreverReais, instante, quemFez } from '../componentes/escrita.ts';
import { icone } from '../componentes/icone.ts';
import { comConsulta, tabela, vazio } from '../componentes/tabela.ts';
import { naoEncontrado } from '../recusas.ts';
import type { Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';
import { situacaoDoContrato } from '../clientes/palavras.ts';
import { acoesDoContrato } from './acoes.ts';
import { emReais, exigirContrato } from './apoio.ts';
import type { DoContrato } from './apoio.ts';
import { COBRANCAS, NA_REDE, aAcao } from './palavras.ts';
import { cartaoDaRede, cartaoDosPedidos } from './rede.ts';

function cartaoDaSituacao(contrato: FichaDeContrato, sessao: Sessao, conta: string | null): Html {
  const { fusoHorario } = sessao.provedor;
  const { situacao, bloqueio_origem, bloqueado_em, suspenso_em, cancelado_em, ativado_em } = contrato;
  const ativado = ativado_em === null ? null : lerData(ativado_em);
  const origem =
    situacao !== 'bloqueado' || bloqueio_origem === null
      ? null
      : bloqueio_origem === 'financeiro'
        ? 'Por débito: o pagamento libera'
        : 'Pela equipe: só a equipe libera';
  return cartao(
    'Situação',
    ficha([
      ['Situação', situacaoDoContrato(situacao)],
      ['Bloqueio', origem],
      ['Motivo', contrato.motivo],
      ['Bloqueado em', instante(fusoHorario, bloqueado_em)],
      ['Suspenso em', instante(fusoHorario, suspenso_em)],
      ['Cancelado em', instante(fusoHorario, cancelado_em)],
      ['Cliente', html`<a href="${BASE}/clientes/${contrato.cliente_id}">${contrato.cliente_nome}</a>`],
      ['Plano', contrato.plano_nome],
      ['Valor', `${emReais(contrato.valor)} por mês`],
      ['Vencimento', `dia ${contrato.dia_vencimento}`],
      ['Cobrança', COBRANCAS[contrato.tipo_cobranca]],
      ['Conta que recebe', conta],
      ['Ativado em', ativado === null ? null : escreverData(ativado)],
      ['Instalação', escreverEndereco(contrato.endereco)],
      ['Código externo', contrato.codigo_externo],
    ]),
  );
}

/** Whether a trust unblock may be applied now or, if not, why; null where the contract is not such that anybody would ask. */
function cartaoDaConfianca(
  contrato: FichaDeContrato,
  { impede, dias, ate, emVigorAte, rede }: DesbloqueioPossivel,
  sessao: Sessao,
): Html | null {
  const { fusoHorario } = sessao.provedor;
  if (emVigorAte !== null) {
    const corpo = html`<p>
        Em vigor até ${instante(fusoHorario, emVigorAte)}. Sem pagamento até lá, o contrato volta a ser bloqueado.
      </p>
      ${rede === null ? null : html`<p class="mb-0">${NA_REDE[rede.situacao]} (${instante(fusoHorario, rede.em)}).</p>`}`;
    return cartao('Desbloqueio de confiança', corpo);
  }
  if (contrato.situacao !== 'bloqueado') return null;
  if (impede !== null) {
    return cartao(
      'Desbloqueio de confiança',
      html`<p class="mb-0">${icone('circle-x')} Não disponível: ${RECUSAS[impede]}.</p>`,
    );
  }
  const prazo = dias === 1 ? '1 dia' : `${dias} dias`;
  return cartao(
    'Desbloqueio de confiança',
    html`<p>${icone('circle-check')} Disponível: libera por ${prazo}, até ${instante(fusoHorario, ate)}.</p>
      ${
        pode(sessao, 'contratos.desbloquear_confianca')
          ? html`<a class="btn" href="${BASE}/contratos/${contrato.id}/confianca">Desbloquear em confiança</a>`
          : null
      }`,
  );
}

function cartaoDoHistorico(historico: readonly LinhaDoHistorico[], sessao: Sessao): Html {
  const { fusoHorario } = sessao.provedor;
  return cartao(
    'Histórico',
    tabela({
      legenda: 'Histórico do contrato',
      linhas: historico.toReversed(),
      vazia: vazio('history', 'Nada aconteceu ainda', 'Cada mudança de situação, plano ou cadastro fica escrita aqui.'),
      colunas: [
        { titulo: 'O quê', principal: true, celula: ({ acao }) => aAcao(acao) },
        { titulo: 'Detalhe', celula: ({ descricao }) => descricao },
        { titulo: 'Quem', celula: ({ autor }) => (autor === null ? null : quemFez(autor)) },
        { titulo: 'Quando', celula: ({ ocorrido_em }) => instante(fusoHorario, ocorrido_em) },
      ],
    }),
    { rente: true },
  );
}

function ligacoes({ id, cliente_id }: FichaDeContrato, sessao: Sessao): Html {
  return html`<nav class="acoes mb-3" aria-label="Do mesmo contrato">
    <a class="btn" href="${BASE}/clientes/${cliente_id}">${icone('user')} Cliente</a>
    ${
      pode(sessao, 'faturas.ver')
        ? html`<a class="btn" href="${BASE}/clientes/${cliente_id}/regua">${icone('history')} Régua de cobrança</a>`
        : null
    }
    ${
      pode(sessao, 'faturas.ver')
        ? html`<a class="btn" href="${BASE}${comConsulta('/faturas', { contrato: id, situacao: 'todas' })}"
            >${icone('file-invoice')} Faturas</a
          >`
        : null
    }
    ${
      pode(sessao, 'cobranca.faturar')
        ? html`<a class="btn" href="${BASE}/contratos/${id}/itens">${icone('receipt')} Adicionais e descontos</a>`
        : null
    }
    ${
      pode(sessao, 'chamados.ver')
        ? html`<a class="btn" href="${BASE}${comConsulta('/chamados', { cliente: cliente_id })}"
            >${icone('ticket')} Chamados</a
          >`
        : null
    }
  </nav>`;
}

function alerta(
  { id, situacao }: FichaDeContrato,
  { conexao, credito }: { readonly conexao: Contrato; readonly credito: CreditoDeContrato | null },
): Html | null {
  if (credito !== null) {
    return aviso(
      'warning',
      html`O contrato acabou com crédito do cliente: ${escreverReais(credito.valor)}.
        <a href="${BASE}/contratos/${id}/credito">Acertar</a>`,
    );
  }
  if (situacao === 'pendente') {
    return aviso('info', 'O contrato ainda não foi ativado: o login não entra na rede até que seja.');
  }
  if (situacao === 'bloqueado' && conexao.conexao === 'online') {
    return aviso('warning', 'Bloqueado e ainda online: veja abaixo se a rede já atendeu o pedido de bloqueio.');
  }
  return null;
}

/** Everything of one contract. That a user opened it is noted, for it is a client's. */
export async function telaDoContrato(chamada: DoContrato): Promise<Tela> {
  const { dominio, sessao, agora } = chamada;
  const contrato = await exigirContrato(chamada);
  const { id, cliente_id, cliente_nome, cobrador_id } = contrato;
  const veConexao = pode(sessao, 'conexao.ver');
  const [ligado, historico, pedidos, desbloqueio, linha, contas, credito] = await Promise.all([
    dominio.contratos.buscarPorId(id),
    dominio.fichas.historico(id),
    dominio.fichas.rede(id, 10),
    dominio.desbloqueios.avaliar(id),
    veConexao ? dominio.linhas.historico(id) : null,
    cobrador_id === null ? [] : dominio.cobradores.listar(),
    pode(sessao, 'cobranca.faturar') ? dominio.creditosDeContratos.doContrato(id) : null,
  ]);
  if (ligado === null || desbloqueio === null) throw naoEncontrado();
  await dominio.acessos.anotarAcesso({ usuarioId: sessao.usuario.id, clienteId: cliente_id, oQue: 'cliente' });
  const conta = contas.find((uma) => uma.id === cobrador_id)?.nome ?? null;
  const daSessao = linha?.sessoes.find(({ estado }) => estado === 'aberta') ?? null;
  return {
    titulo: `Contrato ${id} · ${cliente_nome}`,
    menu: 'contratos',
    migalhas: [['Contratos', '/contratos']],
    acoes: acoesDoContrato(sessao, contrato),
    corpo: html`${alerta(contrato, { conexao: ligado, credito })} ${ligacoes(contrato, sessao)}
      <div class="colunas mb-3">
        ${cartaoDaSituacao(contrato, sessao, conta)}
        ${cartaoDaRede({ contrato, ligado, sessaoAberta: daSessao, veConexao, sessao, agora })}
        ${cartaoDaConfianca(contrato, desbloqueio, sessao)}
      </div>
      ${cartaoDosPedidos(pedidos, sessao)} ${cartaoDoHistorico(historico, sessao)}`,
  };
}
