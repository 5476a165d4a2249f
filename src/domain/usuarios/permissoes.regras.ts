import type { Permissao } from '../chaves/chaves.types.ts';

/** The profiles that every provider begins with, by the names that its staff reads. */
export const PERFIS_DE_FABRICA = {
  administrador: 'Administrador',
  financeiro: 'Financeiro',
  atendimento: 'Atendimento',
  tecnico: 'Técnico',
} as const;
export type PerfilDeFabrica = keyof typeof PERFIS_DE_FABRICA;

interface PermissaoDoPainel {
  /** Under which heading people look for it. */
  readonly grupo: string;
  /** What whoever has it may do, as a sentence that begins with "Pode". */
  readonly descricao: string;
  /** Which of the profiles that come made have it, besides the administrator's, which has all. */
  readonly de: readonly Exclude<PerfilDeFabrica, 'administrador'>[];
  /** Whether nobody may have it who has no second factor. */
  readonly exigeFator?: boolean;
}

const TODOS = ['financeiro', 'atendimento', 'tecnico'] as const;

/** What a user of the panel may do, by his profile; the permissions of API keys are others. */
export const PERMISSOES_DO_PAINEL = {
  'inicio.ver': { grupo: 'Início', descricao: 'ver os números do dia', de: TODOS },
  'clientes.ver': { grupo: 'Clientes', descricao: 'procurar e ver clientes', de: TODOS },
  'clientes.documentos': { grupo: 'Clientes', descricao: 'ver CPF e CNPJ inteiros', de: ['financeiro', 'atendimento'] },
  'clientes.editar': {
    grupo: 'Clientes',
    descricao: 'cadastrar e alterar clientes',
    de: ['financeiro', 'atendimento'],
  },
  'clientes.cancelar': { grupo: 'Clientes', descricao: 'cancelar clientes', de: [] },
  'clientes.apagar': {
    grupo: 'Clientes',
    descricao: 'apagar os dados de um titular (LGPD)',
    de: [],
    exigeFator: true,
  },
  'acesso.gerar': {
    grupo: 'Clientes',
    descricao: 'gerar o código de acesso ao app e encerrar sessões dele',
    de: ['atendimento'],
    exigeFator: true,
  },
  'contratos.bloquear': { grupo: 'Contratos', descricao: 'bloquear e liberar à mão', de: ['financeiro'] },
  'contratos.desbloquear_confianca': {
    grupo: 'Contratos',
    descricao: 'desbloquear em confiança e anotar promessas de pagamento',
    de: ['financeiro', 'atendimento'],
  },
  'contratos.editar': {
    grupo: 'Contratos',
    descricao: 'criar contratos e mudar plano, vencimento e login',
    de: ['atendimento'],
  },
  'contratos.ativar': { grupo: 'Contratos', descricao: 'ativar contratos', de: ['atendimento', 'tecnico'] },
  'contratos.cancelar': { grupo: 'Contratos', descricao: 'cancelar contratos', de: [] },
  'faturas.ver': { grupo: 'Faturas', descricao: 'ver faturas e a segunda via', de: ['financeiro', 'atendimento'] },
  'faturas.criar': { grupo: 'Faturas', descricao: 'criar faturas avulsas e mudar vencimentos', de: ['financeiro'] },
  'faturas.cancelar': { grupo: 'Faturas', descricao: 'cancelar faturas', de: ['financeiro'] },
  'faturas.baixar': { grupo: 'Faturas', descricao: 'registrar e desfazer recebimentos', de: ['financeiro'] },
  'faturas.desconto': { grupo: 'Faturas', descricao: 'dar desconto e dispensar encargos', de: ['financeiro'] },
  'conciliacao.ver': { grupo: 'Conciliação', descricao: 'ver o que se recebeu e onde está', de: ['financeiro'] },
  'conciliacao.aplicar': {
    grupo: 'Conciliação',
    descricao: 'dizer de que fatura é o dinheiro que chegou sem uma',
    de: ['financeiro'],
  },
  'recebimentos.devolver': {
    grupo: 'Conciliação',
    descricao: 'devolver dinheiro recebido',
    de: [],
    exigeFator: true,
  },
  'nfcom.ver': { grupo: 'Notas fiscais', descricao: 'ver notas fiscais', de: ['financeiro', 'atendimento'] },
  'nfcom.emitir': {
    grupo: 'Notas fiscais',
    descricao: 'emitir, cancelar e substituir notas fiscais',
    de: ['financeiro'],
  },
  'nfcom.configurar': {
    grupo: 'Notas fiscais',
    descricao: 'mudar dados fiscais, certificado, serviços e tributos',
    de: [],
    exigeFator: true,
  },
  'chamados.ver': { grupo: 'Chamados', descricao: 'ver chamados', de: TODOS },
  'chamados.atender': { grupo: 'Chamados', descricao: 'abrir, responder e solucionar chamados', de: TODOS },
  'chamados.atribuir': { grupo: 'Chamados', descricao: 'dizer quem atende', de: ['atendimento'] },
  'chamados.agendar': { grupo: 'Chamados', descricao: 'marcar e desmarcar visitas', de: ['atendimento'] },
  'planos.gerir': { grupo: 'Planos', descricao: 'criar e alterar planos', de: [] },
  'convites.gerir': { grupo: 'Convites', descricao: 'fazer e revogar convites', de: ['atendimento'] },
  'conexao.ver': { grupo: 'Rede', descricao: 'ver sessões, quedas e consumo', de: ['atendimento', 'tecnico'] },
  'conexao.desconectar': {
    grupo: 'Rede',
    descricao: 'encerrar a sessão de um contrato',
    de: ['atendimento', 'tecnico'],
  },
  'rede.ver': { grupo: 'Rede', descricao: 'ver servidores, POPs e avisos', de: ['atendimento', 'tecnico'] },
  'rede.gerir': { grupo: 'Rede', descricao: 'mudar servidores, POPs e avisos', de: ['tecnico'] },
  'cobranca.faturar': {
    grupo: 'Cobrança',
    descricao: 'faturar o mês, desfazer um faturamento, fazer carnês, pôr adicionais e descontos em contratos',
    de: ['financeiro'],
  },
  'cobranca.editar': {
    grupo: 'Cobrança',
    descricao: 'mudar multa, juros, desbloqueio e quem recebe',
    de: [],
    exigeFator: true,
  },
  'chaves.ver': { grupo: 'API pública', descricao: 'ver chaves', de: [] },
  'chaves.gerir': { grupo: 'API pública', descricao: 'criar e revogar chaves', de: [], exigeFator: true },
  'webhooks.ver': { grupo: 'Webhooks', descricao: 'ver webhooks', de: [] },
  'webhooks.gerir': { grupo: 'Webhooks', descricao: 'criar e mudar webhooks', de: [], exigeFator: true },
  'usuarios.gerir': { grupo: 'Equipe', descricao: 'convidar e mudar usuários e perfis', de: [], exigeFator: true },
  'configuracoes.editar': {
    grupo: 'Configurações',
    descricao: 'mudar a identidade do provedor, o app e o push',
    de: [],
    exigeFator: true,
  },
  'auditoria.ver': { grupo: 'Configurações', descricao: 'ver quem fez o quê', de: [] },
  'importacao.usar': { grupo: 'Configurações', descricao: 'importar dados', de: [] },
  exportar: { grupo: 'Configurações', descricao: 'baixar listas e extratos', de: [] },
  'tarefas.ver': { grupo: 'Tarefas', descricao: 'ver as tarefas do dia', de: ['financeiro'] },
  'tarefas.rodar': { grupo: 'Tarefas', descricao: 'rodar tarefas de novo', de: [] },
} as const satisfies Readonly<Record<string, PermissaoDoPainel>>;

export type PermissaoPainel = keyof typeof PERMISSOES_DO_PAINEL;

export const NOMES_DE_PERMISSAO = Object.keys(PERMISSOES_DO_PAINEL) as readonly PermissaoPainel[];

/** What a profile that comes made may do until the provider changes it. The administrator's cannot be changed. */
export const permissoesDeFabrica = (perfil: PerfilDeFabrica): readonly PermissaoPainel[] =>
  NOMES_DE_PERMISSAO.filter((nome) => {
    const { de }: PermissaoDoPainel = PERMISSOES_DO_PAINEL[nome];
    return perfil === 'administrador' || de.includes(perfil);
  });

/** Whether whoever has these has to have a second factor. */
export const exigemFator = (permissoes: readonly PermissaoPainel[]): boolean =>
  permissoes.some((nome) => {
    const { exigeFator = false }: PermissaoDoPainel = PERMISSOES_DO_PAINEL[nome];
    return exigeFator;
  });

/** What a user must be able to do himself before he can give it to an API key. */
export const PERMISSOES_PARA_DAR: Readonly<Record<Permissao, readonly PermissaoPainel[]>> = {
  'clientes:leitura': ['clientes.documentos'],
  'financeiro:leitura': ['faturas.ver'],
  'contratos:desbloqueio': ['contratos.desbloquear_confianca'],
  'contratos:conexao': ['conexao.ver', 'conexao.desconectar'],
  'chamados:leitura': ['chamados.ver'],
  'chamados:escrita': ['chamados.atender'],
  'planos:leitura': ['clientes.ver'],
  'pre_cadastro:escrita': ['convites.gerir'],
  // Whole documents, invoices and tickets of all clients.
  'extratos:leitura': ['exportar', 'clientes.documentos', 'faturas.ver', 'chamados.ver'],
  // It registers, changes and cancels, and answers with the whole client.
  'clientes:escrita': ['clientes.editar', 'clientes.cancelar', 'clientes.documentos'],
  'rede:leitura': ['rede.ver'],
  'webhooks:leitura': ['webhooks.ver'],
  'webhooks:escrita': ['webhooks.gerir'],
  'acesso:escrita': ['acesso.gerar'],
  'push:escrita': ['configuracoes.editar'],
};
