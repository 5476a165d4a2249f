import { DIAS_GUARDADOS } from '../trafego/periodos.regras.ts';
import type { Guarda } from './guarda.types.ts';
import { GUARDAS_DE_PEDIDOS } from './pedidos.ts';

const DIA = 24;
const PROVEDOR = { nome: 'provedor_id', tipo: 'id' } as const;
const ID = { nome: 'id', tipo: 'id' } as const;

/**
 * What is deleted, and after how long. What is in no line here stays: above all the audit log, to which the service's database user
 * can only add.
 */
export const GUARDAS: readonly Guarda[] = [
  {
    // Longer than anyone who reads what changed stays away.
    tabela: 'registros_removidos',
    coluna: 'removido_em',
    indice: 'registros_removidos_idade',
    chave: [PROVEDOR, ID],
    horas: DIAS_GUARDADOS * DIA,
  },
  {
    // An Idempotency-Key holds for 24 hours.
    tabela: 'requisicoes_idempotentes',
    coluna: 'criado_em',
    indice: 'requisicoes_idempotentes_idade',
    chave: [PROVEDOR, ID],
    horas: DIA,
  },
  {
    // Those published; what nobody has published yet is kept for ever.
    tabela: 'eventos',
    coluna: 'publicado_em',
    indice: 'eventos_a_publicar',
    chave: [PROVEDOR, ID],
    horas: 30 * DIA,
  },
  {
    // Their files went long before: MALHA_EXTRATOS_DIAS is a year at most.
    tabela: 'extratos',
    coluna: 'criado_em',
    indice: 'extratos_idade',
    chave: [PROVEDOR, ID],
    horas: DIAS_GUARDADOS * DIA,
  },
  {
    // What was told of a PIX and could not be read: for whoever reconciles a year's payments, with a month more.
    tabela: 'pix_recusados',
    coluna: 'criado_em',
    indice: 'pix_recusados_idade',
    chave: [PROVEDOR, ID],
    horas: 400 * DIA,
  },
  {
    // The file of an import: time enough to mend what was refused and to compare; what became of each line stays.
    tabela: 'importacao_arquivos',
    coluna: 'criado_em',
    indice: 'importacao_arquivos_idade',
    chave: [PROVEDOR, { nome: 'importacao_id', tipo: 'id' }, { nome: 'parte', tipo: 'id' }],
    horas: 7 * DIA,
  },
  {
    // Files to banks and from them, which name people: time enough to compare them. What each title and line did stays.
    tabela: 'arquivos_bancarios',
    coluna: 'criado_em',
    indice: 'arquivos_bancarios_idade',
    chave: [PROVEDOR, ID],
    horas: 180 * DIA,
  },
  {
    // Passwords that nobody has applied to the network by then: the provider runs on another system still.
    tabela: 'importacao_senhas',
    coluna: 'criado_em',
    indice: 'importacao_senhas_idade',
    chave: [PROVEDOR, { nome: 'contrato_id', tipo: 'id' }],
    horas: 90 * DIA,
  },
  {
    tabela: 'somas_diarias',
    coluna: 'dia',
    indice: 'somas_diarias_idade',
    chave: [PROVEDOR, { nome: 'nome', tipo: 'nome' }, { nome: 'dia', tipo: 'data' }],
    horas: 90 * DIA,
  },
  {
    // A day whose numbers are all given, in every time zone.
    tabela: 'protocolos_dias',
    coluna: 'dia',
    indice: 'protocolos_dias_idade',
    chave: [PROVEDOR, { nome: 'dia', tipo: 'data' }],
    horas: 30 * DIA,
  },
  {
    // Who looked at whose data: a year, and the day that a leap year has more.
    tabela: 'acessos_a_dados',
    coluna: 'ocorrido_em',
    indice: 'acessos_a_dados_idade',
    chave: [PROVEDOR, ID],
    horas: 366 * DIA,
  },
  {
    tabela: 'tarefas_diarias',
    coluna: 'dia',
    indice: 'tarefas_diarias_idade',
    chave: [PROVEDOR, { nome: 'tarefa', tipo: 'nome' }, { nome: 'dia', tipo: 'data' }],
    horas: 90 * DIA,
  },
  {
    // The longest look back that anybody takes is a year, with its month.
    tabela: 'trafego_diario',
    coluna: 'dia',
    indice: 'trafego_diario_idade',
    chave: [PROVEDOR, { nome: 'contrato_id', tipo: 'id' }, { nome: 'dia', tipo: 'data' }],
    horas: 400 * DIA,
  },
  {
    tabela: 'trafego_horario',
    coluna: 'hora',
    indice: 'trafego_horario_idade',
    chave: [PROVEDOR, { nome: 'hora', tipo: 'instante' }, { nome: 'nas', tipo: 'nome' }],
    horas: 400 * DIA,
  },
  {
    // Of sessions that told nothing more.
    tabela: 'trafego_sessoes',
    coluna: 'criado_em',
    indice: 'trafego_sessoes_idade',
    chave: [{ nome: 'radacctid', tipo: 'id' }],
    horas: 35 * DIA,
  },
  {
    // Longer than any chart of servers goes back.
    tabela: 'rede_horas',
    coluna: 'hora',
    indice: 'rede_horas_idade',
    chave: [PROVEDOR, { nome: 'hora', tipo: 'instante' }, { nome: 'nas', tipo: 'nome' }],
    horas: 90 * DIA,
  },
  {
    // Looked at within seconds; kept as neighbours of the minutes that come.
    tabela: 'rede_quedas',
    coluna: 'vista_em',
    indice: 'rede_quedas_idade',
    chave: [PROVEDOR, { nome: 'nas', tipo: 'nome' }, { nome: 'minuto', tipo: 'instante' }],
    horas: DIA,
  },
  {
    // Those carried out, and with each the sessions that it ended (`rede_desconexoes`, by its foreign key).
    tabela: 'rede_pedidos',
    coluna: 'aplicado_em',
    indice: 'rede_pedidos_fila',
    chave: [PROVEDOR, ID],
    horas: 90 * DIA,
  },
  {
    // As long as what they count as a drop is recomputed, and some days more.
    tabela: 'sessoes_encerradas',
    coluna: 'criado_em',
    indice: 'sessoes_encerradas_idade',
    chave: [ID],
    horas: 35 * DIA,
  },
  {
    // Of sessions that have ended, or whose row is gone; connections are read for 30 days at most.
    tabela: 'sessoes_ouvidas',
    coluna: 'ouvida_em',
    indice: 'sessoes_ouvidas_idade',
    chave: [{ nome: 'radacctid', tipo: 'id' }],
    horas: 35 * DIA,
  },
  {
    // A year after their end (Lei 12.965/2014, art. 13), and the day that a leap year has more.
    tabela: 'registros_conexao',
    coluna: 'fim',
    indice: 'registros_conexao_idade',
    chave: [PROVEDOR, ID],
    horas: 366 * DIA,
  },
  {
    tabela: 'registros_portas',
    coluna: 'fim',
    indice: 'registros_portas_idade',
    chave: [PROVEDOR, ID],
    horas: 366 * DIA,
  },
  {
    // The longest look back that anybody takes is a year, with its month.
    tabela: 'quedas_diarias',
    coluna: 'dia',
    indice: 'quedas_diarias_idade',
    chave: [PROVEDOR, { nome: 'contrato_id', tipo: 'id' }, { nome: 'dia', tipo: 'data' }],
    horas: 400 * DIA,
  },
  {
    // How much a key was used: of a year, with its month.
    tabela: 'chaves_uso',
    coluna: 'dia',
    indice: 'chaves_uso_idade',
    chave: [PROVEDOR, { nome: 'chave_id', tipo: 'id' }, { nome: 'dia', tipo: 'data' }],
    horas: 400 * DIA,
  },
  {
    // No session lasts longer than twelve hours; for a month a person sees where he was signed in.
    tabela: 'painel_sessoes',
    coluna: 'criada_em',
    indice: 'painel_sessoes_idade',
    chave: [PROVEDOR, ID],
    horas: 30 * DIA,
  },
  {
    // Of the app: since they were ended, or would have been; their tokens go with them, by their foreign key.
    tabela: 'app_sessoes',
    coluna: 'vale_ate',
    indice: 'app_sessoes_idade',
    chave: [PROVEDOR, ID],
    horas: 30 * DIA,
  },
  {
    // Of sessions that go on: who shows one of these now is told that the session is not his, or none.
    tabela: 'app_tokens',
    coluna: 'refresh_ate',
    indice: 'app_tokens_idade',
    chave: [PROVEDOR, ID],
    horas: 30 * DIA,
  },
  {
    tabela: 'app_codigos',
    coluna: 'expira_em',
    indice: 'app_codigos_idade',
    chave: [PROVEDOR, ID],
    horas: 30 * DIA,
  },
  {
    // As long as codes for the app go to the address before, too.
    tabela: 'clientes_emails_anteriores',
    coluna: 'trocado_em',
    indice: 'clientes_emails_anteriores_idade',
    chave: [PROVEDOR, ID],
    horas: DIA,
  },
  {
    // Used or not: it leads nowhere any more.
    tabela: 'usuarios_convites',
    coluna: 'expira_em',
    indice: 'usuarios_convites_idade',
    chave: [PROVEDOR, ID],
    horas: 30 * DIA,
  },
  {
    // As long as the events themselves; each with its deliveries and their attempts, by their foreign keys.
    tabela: 'webhook_mensagens',
    coluna: 'criada_em',
    indice: 'webhook_mensagens_idade',
    chave: [PROVEDOR, ID],
    horas: 30 * DIA,
  },
  {
    // Of which the app said nothing for so long; with what was sent to them, by its foreign key.
    tabela: 'push_dispositivos',
    coluna: 'visto_em',
    indice: 'push_dispositivos_idade',
    chave: [PROVEDOR, ID],
    horas: 270 * DIA,
  },
  {
    tabela: 'push_envios',
    coluna: 'criado_em',
    indice: 'push_envios_idade',
    chave: [PROVEDOR, ID],
    horas: 7 * DIA,
  },
  ...GUARDAS_DE_PEDIDOS,
  {
    // Longer than what was said is ahead.
    tabela: 'push_lembretes',
    coluna: 'criado_em',
    indice: 'push_lembretes_idade',
    chave: [PROVEDOR, ID],
    horas: 30 * DIA,
  },
  {
    // What the authority was asked of notes; what it said of them stays with them.
    tabela: 'nfcom_tentativas',
    coluna: 'em',
    indice: 'nfcom_tentativas_idade',
    chave: [PROVEDOR, ID],
    horas: 90 * DIA,
  },
  {
    // Those removed, once all that was sent to them has gone.
    tabela: 'webhooks',
    coluna: 'removido_em',
    indice: 'webhooks_idade',
    chave: [PROVEDOR, ID],
    horas: 35 * DIA,
  },
];
