import type { FichaDeContrato } from '../../../domain/contratos/ficha/ficha.service.ts';
import { admite } from '../../../domain/contratos/movimentos/movimentos.regras.ts';
import { VIGENTES } from '../../../domain/contratos/cadastro/troca-de-plano.service.ts';
import type { PermissaoPainel } from '../../../domain/usuarios/permissoes.regras.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { icone } from '../componentes/icone.ts';
import { comConsulta } from '../componentes/tabela.ts';
import type { Icone } from '../ativos/icones.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';

interface Acao {
  /** Below the contract's address. */
  readonly caminho: string;
  readonly texto: string;
  readonly icone: Icone;
  readonly permissao: PermissaoPainel;
  readonly cabe: (contrato: FichaDeContrato, regras: Sessao['provedor']['regras']) => boolean;
}

const vige = ({ situacao }: FichaDeContrato): boolean => VIGENTES.includes(situacao);
const existe = ({ situacao }: FichaDeContrato): boolean => situacao !== 'cancelado_definitivo';

/** What people come for stands beside the heading, the most likely first. */
const PRINCIPAIS: readonly Acao[] = [
  {
    caminho: 'ativar',
    texto: 'Ativar',
    icone: 'circle-check',
    permissao: 'contratos.ativar',
    cabe: ({ situacao }) => admite('ativar', situacao),
  },
  {
    caminho: 'confianca',
    texto: 'Desbloquear em confiança',
    icone: 'clock',
    permissao: 'contratos.desbloquear_confianca',
    cabe: ({ situacao, bloqueio_origem }) => situacao === 'bloqueado' && bloqueio_origem === 'financeiro',
  },
  {
    caminho: 'liberar',
    texto: 'Liberar',
    icone: 'lock-open',
    permissao: 'contratos.bloquear',
    cabe: ({ situacao }) => admite('liberar', situacao),
  },
  {
    caminho: 'bloquear-por-debito',
    texto: 'Bloquear por débito',
    icone: 'lock',
    permissao: 'contratos.bloquear',
    cabe: ({ situacao }) => admite('bloquear_por_debito', situacao),
  },
  {
    caminho: 'bloquear',
    texto: 'Bloquear',
    icone: 'lock',
    permissao: 'contratos.bloquear',
    cabe: ({ situacao }) => admite('bloquear', situacao),
  },
  {
    caminho: 'reativar',
    texto: 'Reativar',
    icone: 'refresh',
    permissao: 'contratos.editar',
    cabe: ({ situacao }) => admite('reativar', situacao),
  },
  {
    caminho: 'desconectar',
    texto: 'Encerrar sessão',
    icone: 'plug-connected-x',
    permissao: 'conexao.desconectar',
    cabe: (contrato) => contrato.login !== null && contrato.situacao !== 'pendente' && existe(contrato),
  },
];

const OUTRAS: readonly Acao[] = [
  {
    caminho: 'promessa',
    texto: 'Anotar promessa de pagamento',
    icone: 'calendar',
    permissao: 'contratos.desbloquear_confianca',
    cabe: (_contrato, { promessaDias }) => promessaDias > 0,
  },
  { caminho: 'plano', texto: 'Trocar plano', icone: 'package', permissao: 'contratos.editar', cabe: vige },
  {
    caminho: 'vencimento',
    texto: 'Vencimento e cobrança',
    icone: 'calendar',
    permissao: 'contratos.editar',
    cabe: existe,
  },
  { caminho: 'rede', texto: 'Login, senha, MAC e IP', icone: 'network', permissao: 'contratos.editar', cabe: existe },
  {
    caminho: 'endereco',
    texto: 'Endereço de instalação',
    icone: 'map-pin',
    permissao: 'contratos.editar',
    cabe: existe,
  },
  {
    caminho: 'nfcom',
    texto: 'Itens das notas fiscais',
    icone: 'file-text',
    permissao: 'nfcom.configurar',
    cabe: existe,
  },
  { caminho: 'titular', texto: 'Trocar titular', icone: 'users', permissao: 'contratos.editar', cabe: vige },
  {
    caminho: 'suspender',
    texto: 'Suspender a pedido',
    icone: 'clock',
    permissao: 'contratos.editar',
    cabe: ({ situacao }) => admite('suspender', situacao),
  },
  {
    caminho: 'cancelar',
    texto: 'Cancelar contrato',
    icone: 'circle-x',
    permissao: 'contratos.cancelar',
    cabe: ({ situacao }) => admite('cancelar', situacao),
  },
  {
    caminho: 'encerrar',
    texto: 'Cancelar em definitivo',
    icone: 'trash',
    permissao: 'contratos.cancelar',
    cabe: ({ situacao }) => admite('encerrar', situacao),
  },
];

const quePode = (acoes: readonly Acao[], sessao: Sessao, contrato: FichaDeContrato): readonly Acao[] =>
  acoes.filter(({ permissao, cabe }) => pode(sessao, permissao) && cabe(contrato, sessao.provedor.regras));

/** What this user may do with a contract now. All lead to a page that says what will happen. */
export function acoesDoContrato(sessao: Sessao, contrato: FichaDeContrato): Html | null {
  const principais = quePode(PRINCIPAIS, sessao, contrato);
  const outras = quePode(OUTRAS, sessao, contrato);
  const para = ({ caminho }: Acao): string => `${BASE}/contratos/${contrato.id}/${caminho}`;
  // After most of these somebody writes down why.
  const chamado =
    pode(sessao, 'chamados.atender') && pode(sessao, 'clientes.ver')
      ? html`<a
          class="btn"
          href="${BASE}${comConsulta('/chamados/novo', { cliente: contrato.cliente_id, contrato: contrato.id })}"
          >${icone('plus')} Novo chamado</a
        >`
      : null;
  return html`${principais.map((uma) => html`<a class="btn" href="${para(uma)}">${icone(uma.icone)} ${uma.texto}</a>`)}
  ${chamado}
  ${
    outras.length === 0
      ? null
      : html`<details class="mais-acoes">
          <summary class="btn">${icone('dots')} Mais</summary>
          <div class="suspenso">
            ${outras.map((uma) => html`<a href="${para(uma)}">${icone(uma.icone)} ${uma.texto}</a>`)}
          </div>
        </details>`
  }`;
}
