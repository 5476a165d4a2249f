import type { Contrato } from '../../../domain/contratos/contratos.types.ts';
import type { FichaDeContrato } from '../../../domain/contratos/ficha/ficha.service.ts';
import type { PedidoDoContrato } from '../../../domain/contratos/ficha/rede.queries.ts';
import type { SessaoDaLinha } from '../../../domain/rede/linha/linha.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { cartao, ficha } from '../componentes/cartao.ts';
import { bytes, ha, instante, login as escreverLogin } from '../componentes/escrita.ts';
import { tabela, vazio } from '../componentes/tabela.ts';
import { conexao } from '../clientes/palavras.ts';
import type { Sessao } from '../sessao.ts';
import { CONEXOES, oDesfecho, oPedido, oResultado } from './palavras.ts';

interface DaRede {
  readonly contrato: FichaDeContrato;
  readonly ligado: Contrato;
  /** Null where none is open, or the user may not see sessions. */
  readonly sessaoAberta: SessaoDaLinha | null;
  readonly veConexao: boolean;
  readonly sessao: Sessao;
  readonly agora: Date;
}

const semSenha = html`guardada; não é mostrada`;

/** How the line is told apart, and what it does now. A password is never shown. */
export function cartaoDaRede({ contrato, ligado, sessaoAberta: aberta, veConexao, sessao, agora }: DaRede): Html {
  const { tipo_conexao, login, mac, ip, ipv6_prefixo } = contrato;
  const { fusoHorario } = sessao.provedor;
  const agoraDita = html`${conexao(ligado.conexao)}
  ${aberta?.inicio === null || aberta === null ? null : html`${ha(agora, aberta.inicio)}`}`;
  return cartao(
    'Rede',
    ficha([
      ['Agora', agoraDita],
      ['Desde', aberta === null ? null : instante(fusoHorario, aberta.inicio)],
      ['Servidor', aberta?.nas ?? null],
      ['IP da sessão', aberta?.ip ?? null],
      ['MAC da sessão', aberta?.mac ?? null],
      [
        'Nesta sessão',
        aberta === null || aberta.download === null
          ? null
          : `${bytes(aberta.download)} recebidos, ${bytes(aberta.upload ?? 0)} enviados`,
      ],
      ['Sessões', veConexao ? null : 'Seu perfil não vê sessões'],
      ['Tipo', CONEXOES.find(({ valor }) => valor === tipo_conexao)?.texto ?? tipo_conexao],
      ['Login', login === null ? 'ainda sem login' : escreverLogin(login)],
      ['Senha', login === null || tipo_conexao === 'ipoe' ? null : semSenha],
      ['MAC no cadastro', mac],
      ['IP fixo', ip],
      ['Prefixo IPv6', ipv6_prefixo],
    ]),
  );
}

/** What the network was asked of the contract, and what became of it. */
export function cartaoDosPedidos(pedidos: readonly PedidoDoContrato[], sessao: Sessao): Html {
  const { fusoHorario } = sessao.provedor;
  return cartao(
    'Pedidos à rede',
    tabela({
      legenda: 'Pedidos à rede',
      linhas: pedidos,
      vazia: vazio(
        'network',
        'Nenhum pedido à rede',
        'Ao ativar, bloquear, liberar ou trocar o plano, o pedido e o desfecho aparecem aqui.',
      ),
      colunas: [
        { titulo: 'Pedido', principal: true, celula: oPedido },
        { titulo: 'Desfecho', celula: oResultado },
        {
          titulo: 'Sessões',
          celula: ({ desconexoes }) =>
            desconexoes.length === 0
              ? null
              : html`<ul class="list-unstyled mb-0">
                  ${desconexoes.map((uma) => html`<li>${oDesfecho(uma)}</li>`)}
                </ul>`,
        },
        { titulo: 'Pedido em', celula: ({ pedido_em }) => instante(fusoHorario, pedido_em) },
        { titulo: 'Feito em', celula: ({ aplicado_em }) => instante(fusoHorario, aplicado_em) },
      ],
    }),
    { rente: true },
  );
}
