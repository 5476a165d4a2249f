import type { Knex } from 'knex';
import type { DoTitular, Secao } from '../exportacao.types.ts';
import { secao } from '../secao.ts';

const DO_DOCUMENTO = (q: Knex.QueryBuilder, { tenant, clientes }: DoTitular): Knex.QueryBuilder =>
  q.whereIn('cpf_cnpj', tenant.from('clientes').whereIn('id', clientes).select('cpf_cnpj'));
const DO_ACESSO = (q: Knex.QueryBuilder, titular: DoTitular): Knex.QueryBuilder =>
  q.whereIn('acesso_id', DO_DOCUMENTO(titular.tenant.from('app_acessos'), titular).select('id'));

/** How the person signs in to the app, and where. */
export const DO_APP: readonly Secao[] = [
  secao({
    nome: 'acesso_ao_app',
    tabela: 'app_acessos',
    campos: ['id', 'cpf_cnpj'],
    instantes: ['desativado_em', 'ultimo_em', 'criado_em'],
    de: DO_DOCUMENTO,
  }),
  secao({
    nome: 'codigos_do_app',
    tabela: 'app_codigos',
    campos: ['id', 'canal', 'tentativas'],
    instantes: ['criado_em', 'expira_em', 'usado_em'],
    de: DO_ACESSO,
  }),
  secao({
    nome: 'sessoes_do_app',
    tabela: 'app_sessoes',
    campos: ['id', 'aparelho', 'rede', 'usada_em', 'motivo'],
    instantes: ['criada_em', 'limite_em', 'encerrada_em'],
    de: DO_ACESSO,
  }),
  secao({
    nome: 'aparelhos_avisados',
    tabela: 'push_dispositivos',
    campos: ['id', 'tipo', 'plataforma', 'versao', 'silenciados'],
    instantes: ['visto_em', 'criado_em'],
    de: DO_ACESSO,
  }),
  secao({
    nome: 'avisos_enviados',
    tabela: 'push_envios',
    campos: ['id', 'dispositivo_id', 'tipo', 'titulo', 'texto', 'estado'],
    instantes: ['criado_em', 'entregue_em'],
    de: (q, titular) =>
      q.whereIn('dispositivo_id', DO_ACESSO(titular.tenant.from('push_dispositivos'), titular).select('id')),
  }),
  secao({
    nome: 'emails_anteriores',
    tabela: 'clientes_emails_anteriores',
    campos: ['id', 'cliente_id', 'email'],
    instantes: ['trocado_em'],
    de: (q, { clientes }) => q.whereIn('cliente_id', clientes),
  }),
];
