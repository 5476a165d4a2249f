import type { PermissaoPainel } from '../usuarios/permissoes.regras.ts';

interface TipoDePush {
  /** What the notice tells, for who chooses what to be told. */
  readonly dito: string;
  /** Whether subscribers are told. */
  readonly cliente?: true;
  /** Of the staff, who is told: whoever may do this, or one person whom the event names. */
  readonly equipe?: PermissaoPainel | 'pessoa';
  /** Whether it comes at night too, and beyond the most of a day. */
  readonly sempre?: true;
  /** Whether it goes on for who has cancelled, and may still pay. */
  readonly deFatura?: true;
}

/** Every kind of notice. Who is told of the staff follows from what he may do, and not from his profile's name. */
const TIPOS_DE_PUSH = {
  fatura_disponivel: { dito: 'fatura nova', cliente: true, deFatura: true },
  fatura_a_vencer: { dito: 'fatura que vence em poucos dias', cliente: true, deFatura: true },
  fatura_vencida: { dito: 'fatura vencida', cliente: true, deFatura: true },
  pagamento_confirmado: { dito: 'pagamento confirmado', cliente: true, deFatura: true, sempre: true },
  nfcom_disponivel: { dito: 'nota fiscal disponível', cliente: true, deFatura: true },
  contrato_bloqueado: { dito: 'contrato bloqueado', cliente: true },
  contrato_liberado: { dito: 'contrato liberado', cliente: true, sempre: true },
  desbloqueio_terminando: { dito: 'último dia do desbloqueio de confiança', cliente: true },
  chamado_respondido: { dito: 'resposta num chamado', cliente: true },
  chamado_agendado: { dito: 'visita marcada', cliente: true, equipe: 'pessoa' },
  chamado_solucionado: { dito: 'chamado solucionado', cliente: true },
  aviso_de_rede: { dito: 'aviso da rede', cliente: true },
  seguranca: { dito: 'segurança do acesso', cliente: true, equipe: 'usuarios.gerir', sempre: true },
  mensagem: { dito: 'mensagem do provedor', cliente: true },

  chamado_atribuido: { dito: 'chamado que passou a ser seu', equipe: 'pessoa' },
  chamado_proximo: { dito: 'visita daqui a uma hora', equipe: 'pessoa' },
  chamado_urgente: { dito: 'chamado urgente', equipe: 'chamados.atender' },
  servidor_silencioso: { dito: 'servidor que silenciou', equipe: 'rede.ver' },

  chamado_novo: { dito: 'chamado aberto pelo app ou pela API', equipe: 'chamados.atribuir' },
  pre_cadastro_novo: { dito: 'pré-cadastro recebido', equipe: 'clientes.editar' },
  pagamento_a_mais: { dito: 'pagamento a mais', equipe: 'faturas.baixar' },
  estorno: { dito: 'pagamento estornado', equipe: 'faturas.baixar' },
  quedas_em_massa: { dito: 'quedas em massa', equipe: 'rede.ver' },
  webhook_falhando: { dito: 'webhook que falha', equipe: 'webhooks.gerir' },
  webhook_desativado: { dito: 'webhook desativado', equipe: 'webhooks.gerir' },
  chave_expirando: { dito: 'chave da API que expira em 7 dias', equipe: 'chaves.gerir' },
  certificado_expirando: { dito: 'certificado A1 perto do fim', equipe: 'nfcom.configurar' },
  faturamento_falhou: { dito: 'pedido do faturamento que falha', equipe: 'cobranca.faturar' },
  envio_pausado: { dito: 'envio de notas fiscais pausado há mais de um dia', equipe: 'nfcom.emitir' },
  tarefa_falhou: { dito: 'tarefa do dia que falhou', equipe: 'tarefas.ver' },
} as const satisfies Readonly<Record<string, TipoDePush>>;

export type NomeDePush = keyof typeof TIPOS_DE_PUSH;

export const regraDoTipo = (nome: NomeDePush): TipoDePush => TIPOS_DE_PUSH[nome];

const NOMES_DE_PUSH = Object.keys(TIPOS_DE_PUSH) as readonly NomeDePush[];

/** Kinds that a device may be silent about. */
export const SILENCIAVEIS = NOMES_DE_PUSH.filter((nome) => nome !== 'seguranca');

/** What somebody of the staff may be told, or may be silent about, by what he may do. */
export const tiposDaEquipe = (permissoes: readonly PermissaoPainel[]): { nome: NomeDePush; dito: string }[] =>
  SILENCIAVEIS.flatMap((nome) => {
    const { dito, equipe } = regraDoTipo(nome);
    if (equipe === undefined) return [];
    return equipe === 'pessoa' || permissoes.includes(equipe) ? [{ nome, dito }] : [];
  });

/** Kinds that neither the night nor the most of a day holds back. */
export const SEMPRE = NOMES_DE_PUSH.filter((nome) => regraDoTipo(nome).sempre === true);

const HORA_MS = 3_600_000;

/** For how long a notice is of use, in milliseconds. */
export const duracaoDo = (nome: NomeDePush): number => (nome.startsWith('chamado_') ? 4 : 24) * HORA_MS;
