import { secao } from './secao.ts';
import type { Secao } from './exportacao.types.ts';
import { DO_APP } from './secoes/app.ts';
import { DA_AUDITORIA } from './secoes/auditoria.ts';
import { DO_DINHEIRO } from './secoes/dinheiro.ts';
import { DA_REDE } from './secoes/rede.ts';

const ENDERECO = ['cep', 'logradouro', 'numero', 'complemento', 'bairro', 'cidade', 'uf'];

/** No password, no token, no key is in any of them, nor the name of who works at the provider. */
const DO_CADASTRO: readonly Secao[] = [
  secao({
    nome: 'cadastros',
    tabela: 'clientes',
    campos: [
      'id',
      'nome',
      'nome_fantasia',
      'tipo',
      'cpf_cnpj',
      'email',
      'situacao',
      'data_nascimento',
      ...ENDERECO,
      'codigo_externo',
      'guardado_ate',
    ],
    instantes: ['criado_em', 'atualizado_em', 'apagado_em'],
    de: (q, { clientes }) => q.whereIn('clientes.id', clientes),
  }),
  secao({
    nome: 'telefones',
    tabela: 'clientes_telefones',
    campos: ['id', 'cliente_id', 'numero'],
    de: (q, { clientes }) => q.whereIn('cliente_id', clientes),
  }),
  secao({
    nome: 'convites',
    tabela: 'convites',
    campos: ['id', 'cliente_id', 'plano_id', 'dia_vencimento', 'situacao'],
    instantes: ['criado_em', 'usado_em', 'expira_em'],
    de: (q, { clientes }) => q.whereIn('cliente_id', clientes),
  }),
];

const DOS_CONTRATOS: readonly Secao[] = [
  secao({
    nome: 'contratos',
    tabela: 'contratos',
    campos: [
      'id',
      'cliente_id',
      'plano_id',
      'situacao',
      'tipo_conexao',
      'login',
      'mac',
      'ip',
      'ipv6_prefixo',
      'tipo_cobranca',
      'dia_vencimento',
      'valor',
      'ativado_em',
      'bloqueio_origem',
      'motivo',
      ...ENDERECO,
      'codigo_externo',
    ],
    instantes: ['bloqueado_em', 'suspenso_em', 'cancelado_em', 'criado_em', 'atualizado_em'],
    de: (q, { contratos }) => q.whereIn('contratos.id', contratos),
  }),
  secao({
    nome: 'planos',
    tabela: 'planos',
    campos: ['id', 'nome', 'download_mbps', 'upload_mbps', 'valor', 'tecnologia'],
    de: (q, { tenant, contratos }) =>
      q.whereIn('planos.id', tenant.from('contratos').whereIn('id', contratos).select('plano_id')),
  }),
  secao({
    nome: 'historico_de_contratos',
    tabela: 'contratos_historico',
    campos: ['id', 'contrato_id', 'acao', 'descricao'],
    instantes: ['ocorrido_em'],
    de: (q, { contratos }) => q.whereIn('contrato_id', contratos),
  }),
  secao({
    nome: 'desbloqueios_de_confianca',
    tabela: 'desbloqueios_confianca',
    campos: ['id', 'protocolo', 'contrato_id', 'fatura_causa_id', 'dias', 'motivo'],
    instantes: ['aplicado_em', 'ate', 'encerrado_em'],
    de: (q, { contratos }) => q.whereIn('contrato_id', contratos),
  }),
  secao({
    nome: 'promessas_de_pagamento',
    tabela: 'promessas_pagamento',
    campos: ['id', 'contrato_id', 'data', 'situacao'],
    instantes: ['registrada_em', 'encerrada_em'],
    de: (q, { clientes }) => q.whereIn('cliente_id', clientes),
  }),
  secao({
    nome: 'mensagens_da_cobranca',
    tabela: 'regua_passos',
    campos: [
      'id',
      'passo',
      'contrato_id',
      'fatura_id',
      'dia',
      'valor',
      'prazo',
      'titulo',
      'texto',
      'canal',
      'entrega_como',
    ],
    instantes: ['entregue_em', 'criado_em'],
    de: (q, { clientes }) => q.whereIn('cliente_id', clientes),
  }),
  secao({
    nome: 'emails',
    tabela: 'correio_pedidos',
    campos: ['id', 'para', 'assunto', 'texto', 'estado'],
    instantes: ['criado_em', 'entregue_em'],
    de: (q, { clientes }) => q.whereIn('cliente_id', clientes),
  }),
  secao({
    nome: 'pausas_da_cobranca',
    tabela: 'regua_pausas',
    campos: ['id', 'contrato_id', 'so_bloqueio', 'ate', 'motivo'],
    instantes: ['criada_em', 'encerrada_em'],
    de: (q, { clientes }) => q.whereIn('cliente_id', clientes),
  }),
];

const DOS_CHAMADOS: readonly Secao[] = [
  secao({
    nome: 'chamados',
    tabela: 'chamados',
    campos: [
      'id',
      'protocolo',
      'cliente_id',
      'contrato_id',
      'situacao',
      'prioridade',
      'categoria',
      'origem',
      'assunto',
      'descricao',
      'solucao',
    ],
    instantes: ['aberto_em', 'fechado_em', 'agendado_para', 'atualizado_em'],
    de: (q, { chamados }) => q.whereIn('chamados.id', chamados),
  }),
  secao({
    nome: 'historico_de_chamados',
    tabela: 'chamados_historico',
    campos: ['id', 'chamado_id', 'acao', 'descricao'],
    instantes: ['ocorrido_em'],
    de: (q, { chamados }) => q.whereIn('chamado_id', chamados),
  }),
  secao({
    nome: 'atendimentos',
    tabela: 'atendimentos',
    campos: ['id', 'protocolo', 'tipo', 'canal', 'cliente_id', 'contrato_id', 'chamado_id', 'assunto', 'resumo'],
    instantes: ['aberto_em'],
    de: (q, { clientes }) => q.whereIn('cliente_id', clientes),
  }),
];

/** When the provider's staff looked at the person's data; who of them is not the person's. */
const DOS_ACESSOS: readonly Secao[] = [
  secao({
    nome: 'acessos_a_dados',
    tabela: 'acessos_a_dados',
    campos: ['id', 'cliente_id', 'o_que'],
    instantes: ['ocorrido_em'],
    de: (q, { clientes }) => q.whereIn('cliente_id', clientes),
  }),
];

/** The sections of the file, in their order. A new subject adds its own, or its tables below; a test holds it. */
export const SECOES: readonly Secao[] = [
  ...DO_CADASTRO,
  ...DOS_CONTRATOS,
  ...DO_DINHEIRO,
  ...DOS_CHAMADOS,
  ...DA_REDE,
  ...DA_AUDITORIA,
  ...DO_APP,
  ...DOS_ACESSOS,
];

/** Tables that point to a person's rows and are not in the file: why. */
export const FORA_DA_EXPORTACAO: Readonly<Record<string, string>> = {
  app_tokens: 'são os segredos das sessões do app, que estão no arquivo',
  chamados_notas: 'é o que a equipe anota para si, como quem atende; o que se disse ao titular está no histórico',
  clientes_palavras: 'são as palavras do nome, que está no arquivo',
  conexoes_pendentes: 'é uma fila de recálculo, que só tem ids',
  importacao_arquivos:
    'está cifrado, tem os dados de todos, e sai em 7 dias; o que dele entrou está nas outras tabelas',
  importacao_linhas: 'só tem ids, impressões e o que faltou em cada linha, sem os valores',
  importacao_senhas: 'é a senha da linha',
  nfcom_partes: 'só diz como o preço de um contrato se reparte em serviços',
  psp_cobrancas: 'são códigos e valores de cobranças, que estão nas faturas',
  radacct_mudancas: 'é uma fila de recálculo',
  radcheck: 'é a senha da linha',
  radpostauth: 'é do FreeRADIUS, que Malha não lê: pode ter senhas digitadas',
  radreply: 'é o que se diz ao concentrador, e está no contrato',
  radusergroup: 'é o grupo do plano ou do bloqueio, e está no contrato',
  requisicoes_idempotentes: 'é a resposta que já se deu a um pedido, e sai em 24 horas',
  retornos_linhas: 'é o que um banco disse de cada boleto, que está no arquivo',
  sessoes_encerradas: 'é uma fila, que sai em 35 dias; as sessões estão no arquivo',
  trafego_mudancas: 'é uma fila',
};
