import type { PedidoDoContrato } from '../../../domain/contratos/ficha/rede.queries.ts';
import type { TipoCobranca } from '../../../domain/contratos/contratos.types.ts';
import type { SituacaoNaRede } from '../../../domain/desbloqueios/rede.regras.ts';
import type { EstadoDaDesconexao, ResultadoDoPedido } from '../../../domain/rede/rede.types.ts';
import type { Html } from '../../../kit/html/html.ts';
import { etiqueta } from '../componentes/cartao.ts';
import { quantos } from '../componentes/escrita.ts';
import type { Opcao } from '../formulario/campos.ts';

export const COBRANCAS = {
  pos_pago: 'Pós-pago',
  pre_pago: 'Pré-pago',
  isento: 'Isento: não se cobra',
} as const satisfies Record<TipoCobranca, string>;

/** What people should know before they cancel invoices that are not due yet. */
export const DO_MES_JA_USADO = 'A de quem paga depois é de um mês já usado: cancelada, esse mês não se cobra mais.';

export const CONEXOES: readonly Opcao[] = [
  { valor: 'pppoe', texto: 'PPPoE: login e senha' },
  { valor: 'ipoe', texto: 'IPoE: MAC ou circuit-id' },
];

const RESULTADOS = {
  aplicado: 'Feito',
  aplicado_por_nas: 'Feito nos servidores do provedor',
  superado: 'Dispensado: veio outro depois',
  sem_login: 'Sem efeito: o contrato não tem login',
  sem_nas: 'Sem efeito: nenhum servidor cadastrado',
} as const satisfies Record<ResultadoDoPedido, string>;

/** What was asked of the network. */
export function oPedido({ acao, sessoes }: Pick<PedidoDoContrato, 'acao' | 'sessoes'>): string {
  if (sessoes === 'encerrar') return 'Encerrar a sessão';
  if (sessoes === 'alterar') return 'Atualizar o plano na rede';
  return acao === 'liberar' ? 'Liberar o acesso' : 'Barrar o acesso';
}

/** What became of it; the word comes first, so that colour only helps. */
export function oResultado({ resultado }: Pick<PedidoDoContrato, 'resultado'>): Html {
  if (resultado === null) return etiqueta('Na fila da rede', 'blue');
  const bom = resultado === 'aplicado' || resultado === 'aplicado_por_nas';
  return etiqueta(RESULTADOS[resultado], bom ? 'green' : resultado === 'superado' ? 'secondary' : 'orange');
}

const DESFECHOS = {
  pendente: 'aguarda o servidor',
  aceita: 'feito pelo servidor',
  encerrada: 'já tinha terminado',
  recusada: 'o servidor recusou',
  sem_resposta: 'o servidor não respondeu',
  sem_segredo: 'falta o segredo do servidor no FreeRADIUS',
  sem_nas: 'o servidor não é mais do provedor',
  superada: 'dispensado: veio outro pedido depois',
} as const satisfies Record<EstadoDaDesconexao, string>;

/** What became of a session that a request changes or ends, in words. */
export function oDesfecho({
  nasipaddress,
  alterar_para,
  estado,
  tentativas,
  causa_erro,
}: PedidoDoContrato['desconexoes'][number]): string {
  const oque = alterar_para === null ? 'Encerrar' : 'Alterar';
  const causa = causa_erro === null ? '' : ` (erro ${causa_erro})`;
  const vezes = tentativas > 1 ? `, em ${quantos(tentativas, 'tentativa', 'tentativas')}` : '';
  return `${oque} em ${nasipaddress}: ${DESFECHOS[estado]}${causa}${vezes}`;
}

/** What the network made of a trust unblock: nobody is told that he is released before it is so. */
export const NA_REDE: Readonly<Record<SituacaoNaRede, string>> = {
  pendente: 'A rede ainda não respondeu à liberação',
  aplicada: 'Liberado na rede',
  sem_resposta: 'O servidor não respondeu à liberação: a sessão segue como estava',
  sem_efeito: 'A liberação não teve efeito na rede: veja os pedidos à rede',
};

const ACOES: Readonly<Record<string, string>> = {
  criacao: 'Criação',
  ativacao: 'Ativação',
  bloqueio: 'Bloqueio',
  liberacao: 'Liberação',
  desbloqueio_confianca: 'Confiança',
  suspensao: 'Suspensão',
  reativacao: 'Reativação',
  cancelamento: 'Cancelamento',
  encerramento: 'Encerramento',
  troca_de_titular: 'Troca de titular',
  troca_de_plano: 'Troca de plano',
  alteracao: 'Alteração',
  credito_acertado: 'Crédito acertado',
  regua_lembrete: 'Lembrete',
  regua_vencimento: 'Lembrete',
  regua_aviso: 'Aviso de débito',
  regua_segundo_aviso: 'Aviso de rescisão',
  regua_rescisao: 'Rescisão',
};

export const aAcao = (acao: string): string => ACOES[acao] ?? acao.replaceAll('_', ' ');

/** A due day that is typed: 1 to 31; in shorter months it is the last day. */
export const DIAS: readonly Opcao[] = Array.from({ length: 31 }, (_, n) => ({
  valor: String(n + 1),
  texto: `Dia ${n + 1}`,
}));
