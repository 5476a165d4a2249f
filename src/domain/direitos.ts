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
  // Locked while somebody registers a person.
  app_documentos: ALTERAR,
  auditoria: ACRESCENTAR,
  carnes: LER,
  chamados: ALTERAR,
  chamados_historico: ACRESCENTAR,
  chaves_api: ALTERAR,
  // Locked to be shared while a ticket is opened.
  clientes: ALTERAR,
  // Written by triggers.
  clientes_alteracoes: LER,
  clientes_telefones: REFAZER,
  // One that is used no more stays, for what was issued by it.
  cobradores: ALTERAR,
  conexoes: ALTERAR,
  conexoes_pendentes: REFAZER,
  contratos: ALTERAR,
  contratos_historico: ACRESCENTAR,
  convites: ALTERAR,
  desbloqueios_confianca: ALTERAR,
  eventos: TUDO,
  eventos_pendentes: REFAZER,
  extratos: TUDO,
  faturas: ALTERAR,
  faturas_lancamentos: ALTERAR,
  // Whether the schema is that of the program.
  migracoes: LER,
  migracoes_lock: NADA,
  nas: TUDO,
  nasreload: NADA,
  notificacoes: ACRESCENTAR,
  pix_devolucoes: ALTERAR,
  pix_recebidos: ALTERAR,
  pix_recusados: REFAZER,
  planos: ALTERAR,
  provedores: ALTERAR,
  provedores_feriados: TUDO,
  provedores_identidade: ALTERAR,
  provedores_nas: TUDO,
  quedas_diarias: TUDO,
  // FreeRADIUS writes it.
  radacct: LER,
  // Written by triggers.
  radacct_mudancas: ESVAZIAR,
  // Passwords and addresses of logins: not ours to know.
  radcheck: NADA,
  radgroupcheck: REFAZER,
  radgroupreply: REFAZER,
  radpostauth: NADA,
  radreply: NADA,
  radusergroup: REFAZER,
  receptores_pix: ALTERAR,
  rede_desconexoes: ALTERAR,
  rede_pedidos: TUDO,
  // Written by triggers; what nobody said had ended is ended here.
  registros_conexao: ['SELECT', 'UPDATE', 'DELETE'],
  // Written by FreeRADIUS, and ended by triggers.
  registros_portas: ['SELECT', 'UPDATE', 'DELETE'],
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
