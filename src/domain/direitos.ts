import type { Right } from '../platform/mysql/grants.ts';

const LER: readonly Right[] = ['SELECT'];
const ACRESCENTAR: readonly Right[] = ['SELECT', 'INSERT'];
const ALTERAR: readonly Right[] = ['SELECT', 'INSERT', 'UPDATE'];
const ESVAZIAR: readonly Right[] = ['SELECT', 'DELETE'];
const REFAZER: readonly Right[] = ['SELECT', 'INSERT', 'DELETE'];
const TUDO: readonly Right[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
const NADA: readonly Right[] = [];

/**
 * What the service's database user may do with each table: what the code does, and no more. What triggers write, they write as the
 * schema's owner, and a foreign key asks for no right. `SELECT … FOR UPDATE` asks for one to change or to delete; so does `FOR SHARE`
 * before MySQL 8.0.22. A right that goes must not be used by the release before, whose processes may still run.
 */
export const DIREITOS: Readonly<Record<string, readonly Right[]>> = {
  // Locked while somebody registers a person; goes with the last registration of one that an import undoes.
  app_documentos: TUDO,
  auditoria: ACRESCENTAR,
  carnes: LER,
  chamados: ALTERAR,
  chamados_historico: ACRESCENTAR,
  chaves_api: ALTERAR,
  // Deleted by the undoing of an import alone, as contracts, their history, invoices and plans are; see docs/adr/0032.
  clientes: TUDO,
  // Written by triggers.
  clientes_alteracoes: LER,
  clientes_telefones: REFAZER,
  conexoes: TUDO,
  conexoes_pendentes: REFAZER,
  contratos: TUDO,
  contratos_historico: REFAZER,
  convites: ALTERAR,
  desbloqueios_confianca: TUDO,
  eventos: TUDO,
  eventos_pendentes: REFAZER,
  extratos: TUDO,
  faturas: TUDO,
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
  notificacoes: ACRESCENTAR,
  pix_devolucoes: ALTERAR,
  pix_recebidos: ALTERAR,
  pix_recusados: REFAZER,
  planos: TUDO,
  provedores: ALTERAR,
  provedores_feriados: TUDO,
  provedores_identidade: ALTERAR,
  provedores_nas: TUDO,
  quedas_diarias: TUDO,
  // FreeRADIUS writes it.
  radacct: LER,
  // Written by triggers.
  radacct_mudancas: ESVAZIAR,
  // Passwords of logins.
  radcheck: REFAZER,
  radgroupcheck: REFAZER,
  radgroupreply: REFAZER,
  radpostauth: NADA,
  radreply: NADA,
  radusergroup: REFAZER,
  receptores_pix: ALTERAR,
  rede_desconexoes: ALTERAR,
  rede_pedidos: TUDO,
  // Written by triggers.
  registros_removidos: ESVAZIAR,
  regras_cobranca: ALTERAR,
  replica_batimento: ALTERAR,
  requisicoes_idempotentes: TUDO,
  // Written by triggers.
  sessoes_encerradas: ESVAZIAR,
  sessoes_ouvidas: ESVAZIAR,
  tarefas_diarias: TUDO,
  // Nobody signs in yet.
  usuarios: NADA,
};
