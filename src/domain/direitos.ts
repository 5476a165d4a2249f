import type { Right } from '../platform/mysql/grants.ts';

const LER: readonly Right[] = ['SELECT'];
const ACRESCENTAR: readonly Right[] = ['SELECT', 'INSERT'];
const ALTERAR: readonly Right[] = ['SELECT', 'INSERT', 'UPDATE'];
const ESVAZIAR: readonly Right[] = ['SELECT', 'DELETE'];
const REFAZER: readonly Right[] = ['SELECT', 'INSERT', 'DELETE'];
const TUDO: readonly Right[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
/** Rows that are there to be locked, or that others have written. */
const TRANCAR: readonly Right[] = ['SELECT', 'UPDATE'];
const NADA: readonly Right[] = [];

/**
 * What the service's database user may do with each table: what the code does, and no more. What triggers write, they write as the
 * schema's owner, and a foreign key asks for no right. `SELECT … FOR UPDATE` asks for one to change or to delete; so does `FOR SHARE`
 * before MySQL 8.0.22. A right that goes must not be used by the release before, whose processes may still run.
 */
export const DIREITOS: Readonly<Record<string, readonly Right[]>> = {
  // Only added to; what is a year old goes.
  acessos_a_dados: ['SELECT', 'INSERT', 'DELETE'],
  // These of a person are deleted with the last of that person's data.
  app_acessos: TUDO,
  app_codigos: TUDO,
  // Locked while somebody registers a person; deleted with the last of that person's data, or with an import that is undone.
  app_documentos: TUDO,
  app_sessoes: TUDO,
  app_tokens: TUDO,
  // Deleted once they are old.
  arquivos_bancarios: REFAZER,
  // The schema's owner migrates and loads the demonstration.
  arrendamentos: NADA,
  // Changed where a person's data are erased.
  atendimentos: ALTERAR,
  auditoria: ACRESCENTAR,
  avisos_de_rede: ALTERAR,
  avisos_de_rede_alvos: REFAZER,
  carnes: ACRESCENTAR,
  // What a bank undid keeps its row.
  boletos_recebidos: ALTERAR,
  // Go with the invoice that an undone import brought; their files stay.
  boletos: ALTERAR,
  boletos_instrucoes: ALTERAR,
  boletos_tarifas: ACRESCENTAR,
  chamados: ALTERAR,
  // Changed where a person's data are erased, and nowhere else; so are the contracts' entries.
  chamados_historico: ALTERAR,
  chamados_notas: ALTERAR,
  chaves_api: ALTERAR,
  chaves_uso: TUDO,
  // Deleted by the undoing of an import alone, as contracts, their history, invoices and plans are; see docs/adr/0032.
  clientes: TUDO,
  // Written by triggers.
  clientes_alteracoes: LER,
  clientes_emails_anteriores: REFAZER,
  clientes_palavras: REFAZER,
  clientes_telefones: REFAZER,
  // One that is used no more stays, for what was issued by it.
  cobradores: ALTERAR,
  conexoes: TUDO,
  conexoes_pendentes: REFAZER,
  contratos: TUDO,
  contratos_historico: TUDO,
  contratos_itens: ALTERAR,
  // Deleted once they are old, and with a client whose import is undone.
  correio_pedidos: TUDO,
  convenios_bancarios: ALTERAR,
  convenios_sequencias: ALTERAR,
  convites: ALTERAR,
  desbloqueios_confianca: TUDO,
  devolucoes_pedidas: ALTERAR,
  eventos: TUDO,
  eventos_pendentes: REFAZER,
  extratos: TUDO,
  // Deleted where a run is undone, and with what an import brought.
  faturamento_cobrancas: TUDO,
  faturamento_configuracoes: ALTERAR,
  // What was asked for goes once it is old.
  faturamento_pedidos: TUDO,
  faturamentos: ALTERAR,
  faturas: TUDO,
  faturas_ajustes: ALTERAR,
  faturas_lancamentos: ALTERAR,
  importacao_arquivos: REFAZER,
  importacao_linhas: ALTERAR,
  importacao_senhas: REFAZER,
  importacoes: TUDO,
  // Whether the schema is that of the program.
  migracoes: LER,
  migracoes_lock: NADA,
  nas: TUDO,
  nasreload: NADA,
  // Erased with a person's data once the law lets them go.
  nfcom: ALTERAR,
  nfcom_certificados: ALTERAR,
  nfcom_clientes: TUDO,
  nfcom_configuracoes: ALTERAR,
  nfcom_eventos: ALTERAR,
  nfcom_filas: ALTERAR,
  nfcom_grupos: ALTERAR,
  nfcom_municipios: REFAZER,
  nfcom_numeracao: ALTERAR,
  nfcom_numeros_livres: TUDO,
  nfcom_partes: REFAZER,
  nfcom_servicos: ALTERAR,
  nfcom_tentativas: ['SELECT', 'INSERT', 'DELETE'],
  nfcom_versoes: ALTERAR,
  notificacoes: ACRESCENTAR,
  notificacoes_lidas: ALTERAR,
  painel_sessoes: TUDO,
  perfis: TUDO,
  pix_devolucoes: ALTERAR,
  pix_recebidos: ALTERAR,
  pix_recusados: REFAZER,
  planos: TUDO,
  planos_alteracoes: TUDO,
  pops: TUDO,
  protocolos_dias: TUDO,
  promessas_pagamento: ALTERAR,
  provedores: ALTERAR,
  provedores_feriados: TUDO,
  provedores_identidade: ALTERAR,
  provedores_nas: TUDO,
  provedores_rede: ALTERAR,
  // Devices take with them what was sent to them, by their foreign key.
  push_dispositivos: TUDO,
  push_envios: TUDO,
  push_lembretes: REFAZER,
  // One that ended stays, for what was charged by it.
  psp_cobrancas: ALTERAR,
  psp_convenios: ALTERAR,
  push_vapid: ACRESCENTAR,
  quedas_diarias: TUDO,
  // FreeRADIUS writes it.
  radacct: LER,
  // Written by triggers.
  radacct_mudancas: ESVAZIAR,
  // Passwords of logins are written with their contracts, and copied when a login changes its name; nobody is shown one.
  radcheck: REFAZER,
  radgroupcheck: REFAZER,
  radgroupreply: REFAZER,
  radpostauth: NADA,
  radreply: REFAZER,
  radusergroup: REFAZER,
  recebimentos_manuais: ALTERAR,
  receptores_pix: ALTERAR,
  rede_desconexoes: ALTERAR,
  rede_escuta: ALTERAR,
  rede_horas: TUDO,
  rede_pedidos: TUDO,
  rede_quedas: TUDO,
  // Locked while somebody asks for a login; its rows never change.
  rede_travas_de_login: TRANCAR,
  // Written by triggers; what nobody said had ended is ended here, and what is open goes on as another holder's.
  registros_conexao: TUDO,
  // Written by FreeRADIUS, and ended by triggers.
  registros_portas: ['SELECT', 'UPDATE', 'DELETE'],
  // Written by triggers.
  registros_removidos: ESVAZIAR,
  regras_cobranca: ALTERAR,
  // Texts in them are erased with a person's data.
  regua_passos: ALTERAR,
  regua_pausas: ALTERAR,
  reguas: ALTERAR,
  remessas: ALTERAR,
  renegociacoes: ALTERAR,
  renegociacoes_faturas: ACRESCENTAR,
  replica_batimento: ALTERAR,
  requisicoes_idempotentes: TUDO,
  retornos: ALTERAR,
  retornos_linhas: REFAZER,
  // Gone once they are done.
  retornos_partes: REFAZER,
  // Written by triggers.
  sessoes_encerradas: ESVAZIAR,
  sessoes_ouvidas: ESVAZIAR,
  somas_diarias: REFAZER,
  tarefas_diarias: TUDO,
  trafego_diario: TUDO,
  trafego_horario: TUDO,
  // Written by triggers.
  trafego_mudancas: ESVAZIAR,
  trafego_sessoes: ESVAZIAR,
  usuarios: ALTERAR,
  usuarios_codigos: TUDO,
  usuarios_convites: TUDO,
  usuarios_fatores: TUDO,
  // The messages take their deliveries and attempts with them.
  webhook_entregas: ALTERAR,
  webhook_mensagens: ['SELECT', 'INSERT', 'DELETE'],
  webhook_tentativas: ACRESCENTAR,
  // One that was removed goes once nothing was sent to it any more.
  webhooks: TUDO,
};
