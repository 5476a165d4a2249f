// Generated from the OpenAPI document by `npm run client`; not edited by hand.

export type NewLogin = {
  /** CPF ou CNPJ, com ou sem pontuação. */
  cpf_cnpj: string;
  senha: string;
  /** Como quem se entra. */
  as?: 'cliente' | 'equipe';
  /** Da equipe: o segundo fator. */
  codigo?: string;
  /** Nome do aparelho, para a lista de sessões. */
  device?: string;
  /** De um login anterior deste aparelho. */
  device_token?: string;
};

export type User = {
  kind: 'cliente' | 'equipe';
  /** Do cliente ou do usuário da equipe. */
  id: number;
  name: string;
};

export type Login = {
  /** Vai em Authorization: Bearer <token>. */
  access_token: string;
  token_type: 'Bearer';
  /** Segundos até que o token de acesso se renove. */
  expires_in: number;
  /** Serve uma vez, em POST /auth/refresh. */
  refresh_token: string;
  /** Segundos até que se tenha de entrar de novo. */
  refresh_expires_in: number;
  /** Se nada se faz antes de PUT /auth/password. */
  must_change_password: boolean;
  /** Envie-o no próximo login deste aparelho: as tentativas de outros não o atrasam. Nulo: vale o de antes. */
  device_token: string | null;
  user: User;
};

export type Refresh = { refresh_token: string };

export type Tokens = {
  /** Vai em Authorization: Bearer <token>. */
  access_token: string;
  token_type: 'Bearer';
  /** Segundos até que o token de acesso se renove. */
  expires_in: number;
  /** Serve uma vez, em POST /auth/refresh. */
  refresh_token: string;
  /** Segundos até que se tenha de entrar de novo. */
  refresh_expires_in: number;
  /** Se nada se faz antes de PUT /auth/password. */
  must_change_password: boolean;
  /** Envie-o no próximo login deste aparelho: as tentativas de outros não o atrasam. Nulo: vale o de antes. */
  device_token: string | null;
};

export type FirstAccessRequest = {
  /** CPF ou CNPJ, com ou sem pontuação. */
  cpf_cnpj: string;
};

export type FirstAccess = {
  /** Texto para uma pessoa. */
  message: string;
};

export type NewPassword = {
  /** CPF ou CNPJ, com ou sem pontuação. */
  cpf_cnpj: string;
  /** Os 8 dígitos recebidos. */
  codigo: string;
  /** De 8 a 128 caracteres. */
  senha: string;
  /** Nome do aparelho, para a lista de sessões. */
  device?: string;
};

export type PasswordChange = {
  senha_atual: string;
  /** De 8 a 128 caracteres. */
  senha_nova: string;
};

export type Ended = {
  /** Sessões que estavam abertas e terminaram. */
  ended: number;
};

export type Check = {
  valid: boolean;
  kind: 'cliente' | 'equipe';
  /** Do cliente ou do usuário da equipe. */
  user_id: number;
  session_id: number;
  /** Até quando vale o token de acesso. */
  expires_at: string;
  /** Da equipe, as do perfil. */
  permissions: Array<string>;
  must_change_password: boolean;
};

export type Logout = {
  /** Todas as sessões de quem pede, e não só esta. */
  all?: boolean;
};

export type Session = {
  id: number;
  device: string | null;
  created_at: string;
  /** Dia (UTC) do último uso. */
  last_used_at: string;
  /** De onde se entrou: o endereço, ou em IPv6 a sua rede /64. */
  ip_network: string;
  /** Se é a que pergunta. */
  current: boolean;
};

export type Address = {
  /** CEP, 8 dígitos. */
  zip_code: string | null;
  street: string | null;
  number: string | null;
  complement: string | null;
  district: string | null;
  city: string | null;
  state: string | null;
};

export type Contract = {
  id: number;
  client_id: number;
  status: 'pendente' | 'ativo' | 'bloqueado' | 'inativo' | 'cancelado' | 'cancelado_definitivo';
  /** online: há sessão aberta e recente; desconhecido: sem login ou nunca conectou. */
  connection: 'online' | 'offline' | 'desconhecido';
  connection_type: string;
  login: string | null;
  billing_type: 'pos_pago' | 'pre_pago' | 'isento';
  due_day: number;
  /** Reais, sempre com duas casas decimais. */
  amount: number;
  activated_at: string | null;
  blocked_at: string | null;
  plan: { id: number; name: string; download_mbps: number; upload_mbps: number };
  installation_address: Address;
  trust_unblock: {
    /** Se há um desbloqueio de confiança em vigor. */
    active: boolean;
    /** O fim do que está em vigor. */
    until: string | null;
    /** Se um desbloqueio seria feito agora. */
    available: boolean;
    /** O código com que seria recusado; nulo se seria feito. */
    reason:
      | 'desbloqueio_desabilitado'
      | 'desbloqueio_ativo'
      | 'contrato_nao_bloqueado'
      | 'bloqueio_manual'
      | 'fatura_anterior_em_aberto'
      | null;
    /** Quantos dias dura, pelas regras do provedor. */
    days: number;
  };
};

export type Client = {
  id: number;
  name: string;
  trade_name: string | null;
  type: 'pf' | 'pj';
  cpf_cnpj: string;
  email: string | null;
  phones: Array<string>;
  status: 'ativo' | 'bloqueado' | 'cancelado' | 'inativo' | 'observacao' | 'pre_cadastro';
  birth_date: string | null;
  created_at: string;
  address: Address;
  /** De todos os cadastros do documento. */
  contracts: Array<Contract>;
  /** Os cadastros do documento; o mais novo que não está cancelado é o cliente. */
  registrations: Array<{
    id: number;
    status: 'ativo' | 'bloqueado' | 'cancelado' | 'inativo' | 'observacao' | 'pre_cadastro';
  }>;
};

export type ClientChange = {
  /** Nulo o apaga. */
  email?: string | null;
  /** De 1 a 5, de 10 a 13 dígitos, com DDD; os repetidos contam uma vez. */
  phones?: Array<string>;
  /** O que falta fica como está; nulo apaga. */
  address?: {
    zip_code?: string | null;
    street?: string | null;
    number?: string | null;
    complement?: string | null;
    district?: string | null;
    city?: string | null;
    state?: string | null;
  };
  /** Nome fantasia, só de pessoa jurídica. */
  trade_name?: string | null;
  /** Obrigatória com email ou phones. */
  senha?: string;
};

export type Notice = {
  id: number;
  title: string;
  /** O que dizer ao assinante. */
  text: string;
  kind: 'interrupcao' | 'degradacao' | 'manutencao' | 'informativo';
  /** No futuro, se está agendado. */
  started_at: string;
  expected_end_at: string | null;
  /** Nulo enquanto está aberto. */
  ended_at: string | null;
  /** Os contratos de quem pergunta que ele toca; nulo para a equipe e para chaves. */
  contract_ids: Array<number> | null;
};

export type Connection = {
  contract_id: number;
  /** online: há sessão aberta e recente; desconhecido: sem login ou nunca conectou. */
  connection: 'online' | 'offline' | 'desconhecido';
  /** De onde vem o estado. */
  source: 'radius' | 'desconhecida';
  drops_7_days: number;
  drops_30_days: number;
  /** O servidor da sessão mais nova; nulo se não se sabe. */
  server: { name: string | null } | null;
  /** O aviso da rede em vigor para este contrato; de vários, o que começou por último. */
  notice: Notice | null;
  /** Sessões dos últimos 30 dias, da mais nova para a mais antiga. */
  sessions: Array<{
    started_at: string | null;
    ended_at: string | null;
    duration_seconds: number;
    /** Causa do fim (RFC 2866), sem_resposta se a sessão parou de dar sinal, nula se está aberta. */
    cause: string | null;
  }>;
};

export type Usage = {
  /** AAAA-MM. */
  month: string;
  /** O que os assinantes baixaram. */
  download_bytes: number;
  /** O que os assinantes enviaram. */
  upload_bytes: number;
  /** Os dias do mês até hoje, também os sem tráfego; os de mais de 400 dias atrás não se guardam. */
  days: Array<{
    date: string;
    /** O que os assinantes baixaram. */
    download_bytes: number;
    /** O que os assinantes enviaram. */
    upload_bytes: number;
  }>;
};

export type TrustUnblockRequest = {
  /** Texto livre, que fica no histórico do contrato. Em branco, é como não enviar. */
  reason?: string;
};

export type TrustUnblock = {
  contract_id: number;
  /** Quantos dias dura, pelas regras do provedor. */
  days: number;
  /** Último instante do desbloqueio. */
  until: string;
};

export type Endereco = {
  /** CEP, 8 dígitos. */
  cep: string | null;
  logradouro: string | null;
  numero: string | null;
  complemento: string | null;
  bairro: string | null;
  cidade: string | null;
  uf: string | null;
};

export type Aviso = {
  id: number;
  tipo: 'interrupcao' | 'degradacao' | 'manutencao' | 'informativo';
  titulo: string;
  /** O que dizer ao assinante. */
  texto: string;
  inicio: string;
  /** Quando se espera que termine. */
  previsao: string | null;
  /** Nulo enquanto está aberto. */
  fim: string | null;
  /** detectado: aberto sozinho, porque muitas sessões de um servidor caíram juntas. */
  origem: 'equipe' | 'detectado';
};

export type Contrato = {
  id: number;
  cliente_id: number;
  situacao: 'pendente' | 'ativo' | 'bloqueado' | 'inativo' | 'cancelado' | 'cancelado_definitivo';
  /** online: há sessão aberta e recente; desconhecido: sem login ou nunca conectou. */
  conexao: 'online' | 'offline' | 'desconhecido';
  tipo_conexao: string;
  login: string | null;
  mac: string | null;
  ip: string | null;
  tipo_cobranca: 'pos_pago' | 'pre_pago' | 'isento';
  dia_vencimento: number;
  /** Reais, sempre com duas casas decimais. */
  valor: number;
  ativado_em: string | null;
  bloqueado_em: string | null;
  desbloqueio_confianca: {
    ativo: boolean;
    /** Fim do desbloqueio em vigor. */
    ate: string | null;
  };
  plano: { id: number; nome: string; download_mbps: number; upload_mbps: number };
  endereco_instalacao: Endereco;
  /** Avisos de rede em vigor que cobrem o contrato: os informativos depois dos outros, e o que começou por último primeiro. */
  avisos: Array<Aviso>;
};

export type Cliente = {
  id: number;
  nome: string;
  nome_fantasia: string | null;
  tipo: 'pf' | 'pj';
  /** CPF (11 dígitos) ou CNPJ (14 posições, que podem ter letras). */
  cpf_cnpj: string;
  email: string | null;
  telefones: Array<string>;
  situacao: 'ativo' | 'bloqueado' | 'cancelado' | 'inativo' | 'observacao' | 'pre_cadastro';
  data_nascimento: string | null;
  criado_em: string;
  endereco: Endereco;
  contratos: Array<Contrato>;
};

/** Onde a resposta está na lista. */
export type Meta = {
  limit: number;
  /** Registros que atendem aos filtros, em todas as partes. */
  total: number;
  /** O cursor da parte seguinte; nulo no fim da lista. */
  next_cursor: string | null;
};

export type NovoCliente = {
  /** Nome da pessoa, ou razão social. */
  nome: string;
  /** CPF ou CNPJ, que pode ter letras; com ou sem pontuação. Os dígitos verificadores são conferidos. */
  cpf_cnpj: string;
  /** Segue do documento; se vier, tem de concordar. */
  tipo?: 'pf' | 'pj';
  /** Só de pessoa jurídica. */
  nome_fantasia?: string | null;
  /** E-mail. */
  email?: string | null;
  /** Até 5, de 10 a 13 dígitos, com DDD; os repetidos contam uma vez. */
  telefones?: Array<string>;
  /** Só de pessoa física; nem no futuro, nem antes de 1900. */
  data_nascimento?: string | null;
  /** O que falta dele não se conhece, ou fica como está. */
  endereco?: {
    cep?: string | null;
    logradouro?: string | null;
    numero?: string | null;
    complemento?: string | null;
    bairro?: string | null;
    cidade?: string | null;
    uf?: string | null;
  };
  /** Sem ela, ativo. */
  situacao?: 'ativo' | 'inativo' | 'observacao' | 'pre_cadastro';
};

export type MudancaDeCliente = {
  /** Nome da pessoa, ou razão social. */
  nome?: string;
  /** CPF ou CNPJ, que pode ter letras; com ou sem pontuação. Os dígitos verificadores são conferidos. */
  cpf_cnpj?: string;
  /** Segue do documento; se vier, tem de concordar. */
  tipo?: 'pf' | 'pj';
  /** Só de pessoa jurídica. */
  nome_fantasia?: string | null;
  /** E-mail. */
  email?: string | null;
  /** Até 5, de 10 a 13 dígitos, com DDD; os repetidos contam uma vez. */
  telefones?: Array<string>;
  /** Só de pessoa física; nem no futuro, nem antes de 1900. */
  data_nascimento?: string | null;
  /** O que falta dele não se conhece, ou fica como está. */
  endereco?: {
    cep?: string | null;
    logradouro?: string | null;
    numero?: string | null;
    complemento?: string | null;
    bairro?: string | null;
    cidade?: string | null;
    uf?: string | null;
  };
  /** ativo, inativo, observacao ou pre_cadastro; de cancelado só se volta a ativo. As outras são recusadas. */
  situacao?: 'ativo' | 'bloqueado' | 'cancelado' | 'inativo' | 'observacao' | 'pre_cadastro';
};

export type PedidoDeCodigo = {
  /** Por onde o código vai ao cliente, sem algarismos; fica na auditoria. Quem envia é quem pede. */
  canal?: string;
};

export type CodigoDeAcesso = {
  /** Oito dígitos, que servem uma vez. Não estão em mais lugar nenhum. */
  codigo: string;
  expira_em: string;
  /** Os do cadastro; a uma chave, do que vale. Só a eles se diz o código. */
  telefones: Array<string>;
};

export type NovoChamado = {
  /** Cliente de quem é o chamado. */
  cliente_id: number;
  /** Contrato de que se trata, do mesmo cliente. */
  contrato_id?: number | null;
  /** O problema em poucas palavras. */
  assunto: string;
  /** O problema por extenso. */
  descricao: string;
  /** Urgência do atendimento. */
  prioridade?: 'baixa' | 'normal' | 'alta' | 'urgente';
  /** Área que atende. */
  categoria?: 'TECNICO' | 'FINANCEIRO' | 'COMERCIAL' | 'INSTALACAO' | 'CANCELAMENTO' | 'OUTRO';
  /** Quando é a visita; nulo a desmarca. */
  agendado_para?: string | null;
};

export type Chamado = {
  id: number;
  /** Número que se dá ao assinante: AAAAMMDD e 6 dígitos; nulo nos chamados mais antigos que os protocolos. */
  protocolo: string | null;
  cliente_id: number;
  contrato_id: number | null;
  situacao: 'aberto' | 'pendente' | 'pendente_terceiro' | 'em_andamento' | 'reaberto' | 'solucionado' | 'cancelado';
  prioridade: 'baixa' | 'normal' | 'alta' | 'urgente';
  categoria: 'TECNICO' | 'FINANCEIRO' | 'COMERCIAL' | 'INSTALACAO' | 'CANCELAMENTO' | 'OUTRO' | null;
  assunto: string;
  descricao: string;
  solucao: string | null;
  aberto_em: string;
  fechado_em: string | null;
  agendado_para: string | null;
};

export type MudancaDeChamado = {
  /** Situação para a qual o chamado vai. Um chamado fechado só pode ser reaberto. */
  situacao?: 'em_andamento' | 'pendente' | 'pendente_terceiro' | 'reaberto' | 'solucionado' | 'cancelado';
  /** O que resolveu o problema. */
  solucao?: string;
  /** Urgência do atendimento. */
  prioridade?: 'baixa' | 'normal' | 'alta' | 'urgente';
  /** Texto livre, que fica no histórico do chamado. */
  comentario?: string;
  /** Quando é a visita; nulo a desmarca. */
  agendado_para?: string | null;
  /** Usuário do painel que atende; nulo para ninguém. */
  responsavel_id?: number | null;
};

/** Como pagar. Cada campo é nulo quando a fatura não tem aquele meio. */
export type SecondCopy = {
  payment_link: string | null;
  /** Do boleto; nulo, como os códigos dele, no que já foi pago em parte; nulo sozinho onde não há papel que confira com a linha. */
  pdf: string | null;
  /** Página do PIX; o QR code é refeito a cada abertura e o link não vence. */
  pix_page: string | null;
  /** Do que falta pagar hoje; refeito a cada leitura. O de uma cobrança do PSP (txid de 26 a 35) é o que ele deu: em geral não leva valor, e quem o mostra é o aplicativo do banco. */
  pix_code: string | null;
  /** Só dígitos. O valor e o vencimento que ela leva são os da fatura; o que mudou depois a retira. */
  digitable_line: string | null;
  /** 44 dígitos. */
  barcode: string | null;
};

export type Invoice = {
  id: number;
  client_id: number;
  contract_id: number | null;
  description: string | null;
  /** vencida a partir do dia seguinte ao vencimento, na data local do provedor. */
  status: 'pendente' | 'vencida' | 'paga' | 'cancelada' | 'estornada' | 'processando';
  type: 'boleto' | 'pix' | 'carne' | 'carteira' | null;
  /** Reais, sempre com duas casas decimais. */
  amount: number;
  /** Quanto falta pagar hoje, com multa e juros e sem o que já foi pago; nulo se é o próprio valor. */
  updated_amount: number | null;
  /** Tudo o que foi pago e não devolvido, também de uma fatura ainda em aberto. */
  paid_amount: number;
  due_date: string;
  issued_at: string;
  paid_at: string | null;
  /** Do boleto que o provedor registra no banco; só o `registrado` pode ser pago, e até lá linha, código de barras e PDF são nulos. Nulo: o boleto, se há, não é registrado por aqui (como o que foi importado). */
  boleto_situacao: 'a_registrar' | 'enviado' | 'registrado' | 'rejeitado' | 'baixado' | null;
  /** Preenchida só enquanto a fatura está pendente ou vencida. */
  second_copy: SecondCopy | null;
  /** A nota fiscal desta fatura; de várias, a que vale. */
  nfcom: {
    id: number;
    status: 'pendente' | 'processando' | 'autorizada' | 'rejeitada' | 'cancelada' | 'substituida';
  } | null;
};

export type SecondCopyOfToday = {
  payment_link: string | null;
  /** Do boleto; nulo, como os códigos dele, no que já foi pago em parte; nulo sozinho onde não há papel que confira com a linha. */
  pdf: string | null;
  /** Página do PIX; o QR code é refeito a cada abertura e o link não vence. */
  pix_page: string | null;
  /** Do que falta pagar hoje; refeito a cada leitura. O de uma cobrança do PSP (txid de 26 a 35) é o que ele deu: em geral não leva valor, e quem o mostra é o aplicativo do banco. */
  pix_code: string | null;
  /** Só dígitos. O valor e o vencimento que ela leva são os da fatura; o que mudou depois a retira. */
  digitable_line: string | null;
  /** 44 dígitos. */
  barcode: string | null;
  /** O que falta pagar hoje, com multa e juros e sem o que já foi pago. */
  amount_today: number;
  /** De que dia é o valor, na data local do provedor. */
  valid_on: string;
};

export type NFCom = {
  id: number;
  invoice_id: number;
  /** Nota Fiscal Fatura de Serviços de Comunicação Eletrônica. */
  model: '62';
  number: number | null;
  series: number | null;
  /** 44 dígitos. */
  access_key: string | null;
  status: 'pendente' | 'processando' | 'autorizada' | 'rejeitada' | 'cancelada' | 'substituida';
  environment: 'producao' | 'homologacao';
  protocol: string | null;
  /** Reais, sempre com duas casas decimais. */
  amount: number;
  issued_at: string | null;
  authorized_at: string | null;
  canceled_at: string | null;
  /** O que a Fazenda disse; nulo, salvo na rejeitada. */
  rejection: { code: string | null; reason: string | null } | null;
  /** O endereço que o QR code da nota leva. */
  qr_code: string | null;
  /** Em que formatos a nota pode ser baixada agora. */
  formats: Array<'pdf' | 'xml'>;
};

export type Ticket = {
  id: number;
  /** Número que se dá ao assinante: AAAAMMDD e 6 dígitos; nulo nos chamados mais antigos que os protocolos. */
  protocol: string | null;
  contract_id: number | null;
  status: 'aberto' | 'pendente' | 'pendente_terceiro' | 'em_andamento' | 'reaberto' | 'solucionado' | 'cancelado';
  priority: 'baixa' | 'normal' | 'alta' | 'urgente';
  category: 'TECNICO' | 'FINANCEIRO' | 'COMERCIAL' | 'INSTALACAO' | 'CANCELAMENTO' | 'OUTRO' | null;
  subject: string;
  description: string;
  solution: string | null;
  opened_at: string;
  closed_at: string | null;
  scheduled_for: string | null;
  /** Só para a equipe. */
  client?: {
    id: number;
    name: string;
    phones: Array<string>;
    /** Onde se atende: o endereço do contrato ou, sem contrato, o do cliente. */
    address: {
      zip_code: string | null;
      street: string | null;
      number: string | null;
      complement: string | null;
      district: string | null;
      city: string | null;
      state: string | null;
    } | null;
  };
  /** Quem atende. Só para a equipe. */
  assignee?: { id: number; name: string } | null;
};

export type NewTicket = {
  /** O problema em poucas palavras. */
  subject: string;
  /** O problema por extenso. */
  description: string;
  /** De que contrato se trata; exigido de quem tem mais de um que não está cancelado. */
  contract_id?: number | null;
  /** Área que atende. */
  category?: 'TECNICO' | 'FINANCEIRO' | 'COMERCIAL' | 'INSTALACAO' | 'CANCELAMENTO' | 'OUTRO';
};

export type TicketEntry = {
  id: number;
  /** As notas da equipe são nota e responsavel, e só ela as vê. */
  action: string;
  description: string | null;
  /** sistema é um programa do provedor. */
  author_kind: 'cliente' | 'equipe' | 'sistema';
  /** O primeiro nome de quem é da equipe; nulo nos outros. */
  author: string | null;
  occurred_at: string;
};

export type TicketDetail = {
  id: number;
  /** Número que se dá ao assinante: AAAAMMDD e 6 dígitos; nulo nos chamados mais antigos que os protocolos. */
  protocol: string | null;
  contract_id: number | null;
  status: 'aberto' | 'pendente' | 'pendente_terceiro' | 'em_andamento' | 'reaberto' | 'solucionado' | 'cancelado';
  priority: 'baixa' | 'normal' | 'alta' | 'urgente';
  category: 'TECNICO' | 'FINANCEIRO' | 'COMERCIAL' | 'INSTALACAO' | 'CANCELAMENTO' | 'OUTRO' | null;
  subject: string;
  description: string;
  solution: string | null;
  opened_at: string;
  closed_at: string | null;
  scheduled_for: string | null;
  /** Só para a equipe. */
  client?: {
    id: number;
    name: string;
    phones: Array<string>;
    /** Onde se atende: o endereço do contrato ou, sem contrato, o do cliente. */
    address: {
      zip_code: string | null;
      street: string | null;
      number: string | null;
      complement: string | null;
      district: string | null;
      city: string | null;
      state: string | null;
    } | null;
  };
  /** Quem atende. Só para a equipe. */
  assignee?: { id: number; name: string } | null;
  /** Da entrada mais antiga para a mais nova. */
  history: Array<TicketEntry>;
};

export type NewTicketComment = {
  /** Texto livre, que todos leem. */
  comment: string;
  /** Reabre o chamado fechado, até 30 dias depois de fechado; do que está aberto não diz nada. Sem ele, não. */
  reopen?: boolean;
};

export type NetworkOverview = {
  contracts: { active: number; blocked: number; pending: number };
  /** Dos contratos ativos e bloqueados. */
  connections: { online: number; offline: number; unknown: number };
  drops: { last_hour: number; today: number; last_7_days: number };
  servers: { total: number; active: number; silent: number };
  traffic_today: {
    /** O que os assinantes baixaram. */
    download_bytes: number;
    /** O que os assinantes enviaram. */
    upload_bytes: number;
  };
  notices: Array<Notice>;
  /** De quando é a resposta, que se guarda por até 10 segundos. */
  as_of: string;
};

export type SubscriberOverview = {
  contracts: Array<{
    id: number;
    /** online: há sessão aberta e recente; desconhecido: sem login ou nunca conectou. */
    connection: 'online' | 'offline' | 'desconhecido';
    /** O servidor da sessão mais nova; nulo se não se sabe. */
    server: { name: string | null } | null;
    drops_7_days: number;
  }>;
  notices: Array<Notice>;
  /** De quando é a resposta, que se guarda por até 10 segundos. */
  as_of: string;
};

export type Server = {
  address: string;
  name: string | null;
  pop: { id: number; name: string } | null;
  /** silencioso: já teve sessão, e de nenhuma se ouve há dois intervalos, ou encerrou todas de uma vez e nenhuma começou depois; sem_dados: nunca teve sessão. */
  status: 'ativo' | 'silencioso' | 'sem_dados';
  sessions_online: number;
  /** Cuja sessão mais nova foi ali, aberta ou não. */
  contracts: number;
  /** Linhas cuja última queda foi ali, na última hora. */
  drops_last_hour: number;
  drops_today: number;
  last_heard_at: string | null;
  coa_port: number;
  traffic_today: {
    /** O que os assinantes baixaram. */
    download_bytes: number;
    /** O que os assinantes enviaram. */
    upload_bytes: number;
  };
};

export type Topology = {
  nodes: Array<{
    id: string;
    kind: 'provedor' | 'pop' | 'servidor';
    name: string | null;
    /** silencioso: já teve sessão, e de nenhuma se ouve há dois intervalos, ou encerrou todas de uma vez e nenhuma começou depois; sem_dados: nunca teve sessão. */
    status: 'ativo' | 'silencioso' | 'sem_dados';
    online: number;
    contracts: number;
    city: string | null;
    state: string | null;
    latitude: number | null;
    longitude: number | null;
  }>;
  links: Array<{ from: string; to: string }>;
  /** De quando é a resposta, que se guarda por até 10 segundos. */
  as_of: string;
};

export type Traffic = {
  interval: 'hour' | 'day';
  totals: {
    /** O que os assinantes baixaram. */
    download_bytes: number;
    /** O que os assinantes enviaram. */
    upload_bytes: number;
  };
  /** Todas as horas ou dias, também os sem tráfego; do que ainda corre, o que houve até agora. */
  series: Array<{
    /** O início da hora ou do dia. */
    at: string;
    /** O que os assinantes baixaram. */
    download_bytes: number;
    /** O que os assinantes enviaram. */
    upload_bytes: number;
    /** A média do intervalo, com duas casas. */
    download_mbps: number;
    /** A média do intervalo, com duas casas. */
    upload_mbps: number;
  }>;
  /** De quando é a resposta, que se guarda por até 10 segundos. */
  as_of: string;
};

export type Webhook = {
  id: number;
  url: string;
  description: string | null;
  events: Array<string>;
  status: 'ativo' | 'pausado' | 'desativado';
  disabled_reason: 'falhas' | 'gone' | null;
  failing_since: string | null;
  /** Os últimos 4 caracteres do segredo. */
  secret_hint: string;
  /** Até quando o segredo anterior assina também. */
  previous_secret_until: string | null;
  pending: number;
  last_delivery_at: string | null;
  last_success_at: string | null;
  created_at: string;
  updated_at: string;
};

export type EventoDeWebhook = {
  type: string;
  description: string;
  /** JSON Schema de data. */
  schema: Record<string, unknown>;
  /** Um exemplo de data. */
  example: Record<string, unknown>;
};

export type NovoWebhook = {
  /** https, de um endereço público. */
  url: string;
  /** Nomes de eventos, `fatura.*`, ou `*`. */
  events: Array<string>;
  /** Para que serve. */
  description?: string | null;
  /** Pausado, nada entra na fila; ativo traz de volta o pausado ou desativado e esquece as suas falhas. */
  status?: 'ativo' | 'pausado';
};

export type WebhookNovo = {
  id: number;
  url: string;
  description: string | null;
  events: Array<string>;
  status: 'ativo' | 'pausado' | 'desativado';
  disabled_reason: 'falhas' | 'gone' | null;
  failing_since: string | null;
  /** Os últimos 4 caracteres do segredo. */
  secret_hint: string;
  /** Até quando o segredo anterior assina também. */
  previous_secret_until: string | null;
  pending: number;
  last_delivery_at: string | null;
  last_success_at: string | null;
  created_at: string;
  updated_at: string;
  /** Mostrado só nesta resposta. */
  secret: string;
};

export type MudancaDeWebhook = {
  /** https, de um endereço público. */
  url?: string;
  /** Nomes de eventos, `fatura.*`, ou `*`. */
  events?: Array<string>;
  /** Para que serve. */
  description?: string | null;
  /** Pausado, nada entra na fila; ativo traz de volta o pausado ou desativado e esquece as suas falhas. */
  status?: 'ativo' | 'pausado';
};

export type WebhookRemovido = { id: number };

export type TrocaDeSegredo = {
  /** Por quantas horas o anterior assina também; sem dizer, 24. */
  keep_old_hours?: number;
};

export type SegredoDeWebhook = {
  /** Mostrado só nesta resposta. */
  secret: string;
  previous_secret_until: string | null;
};

export type TesteDeWebhook = {
  /** Sem dizer, teste.ping. */
  type?: string;
};

export type ResultadoDoTeste = {
  delivery_id: number;
  at: string;
  status_code: number | null;
  error: string | null;
  duration_ms: number;
  response_body: string | null;
};

export type Delivery = {
  id: number;
  message_id: string;
  type: string;
  status: 'pendente' | 'entregue' | 'esgotada' | 'cancelada';
  attempts: number;
  next_attempt_at: string | null;
  created_at: string;
  delivered_at: string | null;
  last: { status_code: number | null; error: string | null; duration_ms: number } | null;
};

export type DeliveryWithBody = {
  id: number;
  message_id: string;
  type: string;
  status: 'pendente' | 'entregue' | 'esgotada' | 'cancelada';
  attempts: number;
  next_attempt_at: string | null;
  created_at: string;
  delivered_at: string | null;
  last: { status_code: number | null; error: string | null; duration_ms: number } | null;
  /** O texto exato que é enviado e assinado. */
  body: string;
  attempts_log: Array<{
    n: number;
    at: string;
    status_code: number | null;
    error: string | null;
    duration_ms: number;
    response_body: string | null;
  }>;
};

export type Reenviados = { queued: number };

export type ReenvioDeEntregas = {
  /** De até 30 dias atrás em diante. */
  from: string;
  /** Sem dizer, até agora. */
  to?: string;
  /** Sem dizer, sim; não envia também o que nunca virou entrega. */
  only_failed?: boolean;
};

export type PushConfig = {
  /** applicationServerKey do Web Push; null onde não há. */
  vapid_public_key: string | null;
  /** Se o provedor envia pelo FCM. */
  fcm: boolean;
};

export type Device = {
  id: number;
  kind: 'fcm' | 'webpush';
  platform: 'android' | 'ios' | 'web';
  app_version: string | null;
  /** Espécies de aviso que não chegam a ele. */
  muted: Array<string>;
  /** Se é da sessão que pergunta. */
  current: boolean;
  /** Quando o app o registrou ou alterou pela última vez; passados 270 dias, sai. */
  seen_at: string;
  created_at: string;
};

export type DeviceRegistration = {
  kind: 'fcm' | 'webpush';
  platform: 'android' | 'ios' | 'web';
  /** Do FCM; só de kind fcm. */
  token?: string;
  /** Da inscrição do navegador; só de kind webpush. */
  endpoint?: string;
  /** Da inscrição do navegador, em base64url. */
  keys?: { p256dh: string; auth: string };
  app_version?: string | null;
  /** Espécies de aviso que não se querem. `fatura_disponivel`: fatura nova; `fatura_a_vencer`: fatura que vence em poucos dias; `fatura_vencida`: fatura vencida; `pagamento_confirmado`: pagamento confirmado; `nfcom_disponivel`: nota fiscal disponível; `contrato_bloqueado`: contrato bloqueado; `contrato_liberado`: contrato liberado; `desbloqueio_terminando`: último dia do desbloqueio de confiança; `chamado_respondido`: resposta num chamado; `chamado_agendado`: visita marcada; `chamado_solucionado`: chamado solucionado; `aviso_de_rede`: aviso da rede; `mensagem`: mensagem do provedor; `chamado_atribuido`: chamado que passou a ser seu; `chamado_proximo`: visita daqui a uma hora; `chamado_urgente`: chamado urgente; `servidor_silencioso`: servidor que silenciou; `chamado_novo`: chamado aberto pelo app ou pela API; `pre_cadastro_novo`: pré-cadastro recebido; `pagamento_a_mais`: pagamento a mais; `estorno`: pagamento estornado; `quedas_em_massa`: quedas em massa; `webhook_falhando`: webhook que falha; `webhook_desativado`: webhook desativado; `chave_expirando`: chave da API que expira em 7 dias; `certificado_expirando`: certificado A1 perto do fim; `faturamento_falhou`: pedido do faturamento que falha; `envio_pausado`: envio de notas fiscais pausado há mais de um dia; `tarefa_falhou`: tarefa do dia que falhou. `seguranca` não se silencia. */
  muted?: Array<string>;
};

export type DeviceChange = {
  /** Do FCM; só de kind fcm. */
  token?: string;
  /** Da inscrição do navegador; só de kind webpush. */
  endpoint?: string;
  /** Da inscrição do navegador, em base64url. */
  keys?: { p256dh: string; auth: string };
  app_version?: string | null;
  /** Espécies de aviso que não se querem. `fatura_disponivel`: fatura nova; `fatura_a_vencer`: fatura que vence em poucos dias; `fatura_vencida`: fatura vencida; `pagamento_confirmado`: pagamento confirmado; `nfcom_disponivel`: nota fiscal disponível; `contrato_bloqueado`: contrato bloqueado; `contrato_liberado`: contrato liberado; `desbloqueio_terminando`: último dia do desbloqueio de confiança; `chamado_respondido`: resposta num chamado; `chamado_agendado`: visita marcada; `chamado_solucionado`: chamado solucionado; `aviso_de_rede`: aviso da rede; `mensagem`: mensagem do provedor; `chamado_atribuido`: chamado que passou a ser seu; `chamado_proximo`: visita daqui a uma hora; `chamado_urgente`: chamado urgente; `servidor_silencioso`: servidor que silenciou; `chamado_novo`: chamado aberto pelo app ou pela API; `pre_cadastro_novo`: pré-cadastro recebido; `pagamento_a_mais`: pagamento a mais; `estorno`: pagamento estornado; `quedas_em_massa`: quedas em massa; `webhook_falhando`: webhook que falha; `webhook_desativado`: webhook desativado; `chave_expirando`: chave da API que expira em 7 dias; `certificado_expirando`: certificado A1 perto do fim; `faturamento_falhou`: pedido do faturamento que falha; `envio_pausado`: envio de notas fiscais pausado há mais de um dia; `tarefa_falhou`: tarefa do dia que falhou. `seguranca` não se silencia. */
  muted?: Array<string>;
};

export type DeviceRemoved = { id: number };

export type PushMessage = {
  /** Até 500. Ou estes, ou contrato_ids. */
  cliente_ids?: Array<number>;
  /** Até 500: a mensagem vai aos seus clientes. */
  contrato_ids?: Array<number>;
  /** Até 80 caracteres. */
  titulo: string;
  /** Até 240 caracteres. */
  texto: string;
  /** Caminho do app que a mensagem abre. */
  link?: string;
};

export type QueuedMessages = {
  /** Em quantos aparelhos a mensagem chegará. */
  queued: number;
};

export type Erro = {
  success: false;
  /** Texto para uma pessoa. */
  message: string;
  /** Tudo o que está errado; o primeiro código decide o que fazer. */
  errors: Array<{
    /** Código estável, para programas. */
    code:
      | 'parametro_invalido'
      | 'id_invalido'
      | 'cpf_cnpj_invalido'
      | 'telefone_invalido'
      | 'cursor_invalido'
      | 'credencial_ausente'
      | 'token_invalido'
      | 'token_expirado'
      | 'sessao_encerrada'
      | 'chave_invalida'
      | 'chave_revogada'
      | 'chave_expirada'
      | 'credenciais_incorretas'
      | 'codigo_incorreto'
      | 'segundo_fator_exigido'
      | 'ip_nao_autorizado'
      | 'permissao_insuficiente'
      | 'busca_exigida'
      | 'troca_de_senha_exigida'
      | 'segundo_fator_ausente'
      | 'nao_encontrado'
      | 'rota_inexistente'
      | 'provedor_desconhecido'
      | 'nfcom_inexistente'
      | 'cliente_duplicado'
      | 'desbloqueio_ativo'
      | 'requisicao_em_andamento'
      | 'intervalo_invalido'
      | 'versao_divergente'
      | 'desbloqueio_desabilitado'
      | 'contrato_nao_bloqueado'
      | 'bloqueio_manual'
      | 'fatura_anterior_em_aberto'
      | 'plano_indisponivel'
      | 'chave_idempotencia_reutilizada'
      | 'senha_fraca'
      | 'senha_repetida'
      | 'fatura_nao_aberta'
      | 'nfcom_nao_autorizada'
      | 'formato_indisponivel'
      | 'contrato_invalido'
      | 'acesso_indisponivel'
      | 'cliente_cancelado'
      | 'transicao_invalida'
      | 'limite_de_chamados'
      | 'limite_de_webhooks'
      | 'url_nao_permitida'
      | 'evento_desconhecido'
      | 'webhook_desativado'
      | 'transicao_de_cliente_invalida'
      | 'limite_excedido'
      | 'tentativas_excedidas'
      | 'limite_de_testes'
      | 'erro_interno'
      | 'provedor_em_mudanca'
      | 'ocupado';
    /** O campo; os de dentro de outro vêm depois de um ponto. */
    field: string | null;
    message: string;
    /** O registro que impede, para quem pode lê-lo. */
    resource_id: number | null;
  }>;
};

/** Every operation, by method and path: what it is asked with, and what it answers. */
export interface Operations {
  /** Entra */
  'POST /auth/login': { request: { body: NewLogin }; data: Login; list: false };

  /** Renova os tokens de uma sessão */
  'POST /auth/refresh': { request: { body: Refresh }; data: Tokens; list: false };

  /** Pede um código, no primeiro acesso ou por ter esquecido a senha */
  'POST /auth/first-access': { request: { body: FirstAccessRequest }; data: FirstAccess; list: false };

  /** Escolhe a senha por um código, e entra */
  'POST /auth/password': { request: { body: NewPassword }; data: Login; list: false };

  /** Troca a senha */
  'PUT /auth/password': { request: { body: PasswordChange }; data: Ended; list: false };

  /** Diz de quem é a sessão */
  'GET /auth/check': { request: {}; data: Check; list: false };

  /** Encerra a sessão, ou todas */
  'POST /auth/logout': { request: { body?: Logout }; data: Ended; list: false };

  /** Lista as sessões abertas de quem pergunta */
  'GET /auth/sessions': { request: {}; data: Array<Session>; list: false };

  /** Encerra uma sessão de quem pede */
  'DELETE /auth/sessions/{id}': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
    };
    data: Ended;
    list: false;
  };

  /** Lê o cadastro e os contratos de quem pergunta */
  'GET /client': { request: {}; data: Client; list: false };

  /** Muda os contatos e o endereço de quem pede */
  'PUT /client': { request: { body: ClientChange }; data: Client; list: false };

  /** Lista os avisos da rede que tocam quem pergunta */
  'GET /notices': { request: {}; data: Array<Notice>; list: false };

  /** Lê a conexão e as quedas de um contrato */
  'GET /contracts/{id}/connection': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
    };
    data: Connection;
    list: false;
  };

  /** Lê quanto um contrato baixou e enviou num mês */
  'GET /contracts/{id}/usage': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
      query?: {
        /** AAAA-MM; este mês, se faltar, e até 13 meses atrás. */
        month?: string;
      };
    };
    data: Usage;
    list: false;
  };

  /** Aplica o desbloqueio de confiança */
  'POST /contracts/{id}/trust-unblock': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
      body?: TrustUnblockRequest;
    };
    data: TrustUnblock;
    list: false;
  };

  /** Lista ou procura clientes */
  'GET /clientes': {
    request: {
      query?: {
        /** CPF (11 dígitos) ou CNPJ (14 posições), com ou sem pontuação. */
        cpf_cnpj?: string;
        /** Telefone com DDD; a comparação é feita pelos últimos 8 dígitos. */
        telefone?: string;
        /** sim: o telefone tem de ser o mesmo, com o DDD; o 55 e o nono dígito do celular podem faltar. Oito dígitos se repetem entre DDDs. */
        telefone_exato?: 'sim' | 'nao';
        /** Situação do cliente. */
        situacao?: 'ativo' | 'bloqueado' | 'cancelado' | 'inativo' | 'observacao' | 'pre_cadastro';
        /** Só o que mudou desde este instante. Quem passa o início da sua leitura anterior não perde nenhuma mudança; o que mudou até 5 minutos antes pode vir de novo. O que deixou de existir está na lista dos removidos. */
        atualizado_desde?: string;
        /** Itens por resposta. */
        limit?: number;
        /** next_cursor da resposta anterior, com os mesmos filtros; vale uma hora. */
        cursor?: string;
      };
    };
    data: Array<Cliente>;
    list: true;
  };

  /** Cadastra um cliente */
  'POST /clientes': { request: { body: NovoCliente }; data: Cliente; list: false };

  /** Lê um cliente */
  'GET /clientes/{id}': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
    };
    data: Cliente;
    list: false;
  };

  /** Altera um cliente */
  'PUT /clientes/{id}': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
      body: MudancaDeCliente;
    };
    data: Cliente;
    list: false;
  };

  /** Cancela um cliente */
  'DELETE /clientes/{id}': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
      query?: {
        /** Texto livre, que fica no histórico dos contratos. */
        motivo?: string;
        /** O que se faz das faturas abertas que vencem depois de hoje. */
        faturas_futuras?: 'manter' | 'cancelar';
      };
    };
    data: Cliente;
    list: false;
  };

  /** Gera um código de acesso ao app */
  'POST /clientes/{id}/acesso': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
      body?: PedidoDeCodigo;
    };
    data: CodigoDeAcesso;
    list: false;
  };

  /** Abre um chamado */
  'POST /chamados': { request: { body: NovoChamado }; data: Chamado; list: false };

  /** Atualiza, comenta, agenda, atribui ou soluciona um chamado */
  'PUT /chamados/{id}': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
      body: MudancaDeChamado;
    };
    data: Chamado;
    list: false;
  };

  /** Lista as faturas de quem pergunta */
  'GET /invoices': {
    request: {
      query?: {
        /** aberta é pendente mais vencida. */
        status?: 'aberta' | 'pendente' | 'vencida' | 'paga' | 'cancelada' | 'estornada' | 'todas' | 'processando';
        /** Só as faturas deste contrato. */
        contract_id?: number;
        /** Itens por resposta. */
        limit?: number;
        /** next_cursor da resposta anterior, com os mesmos filtros; vale uma hora. */
        cursor?: string;
      };
    };
    data: Array<Invoice>;
    list: true;
  };

  /** Lê uma fatura */
  'GET /invoices/{id}': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
    };
    data: Invoice;
    list: false;
  };

  /** Diz como pagar uma fatura aberta, e quanto hoje */
  'GET /invoices/{id}/second-copy': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
    };
    data: SecondCopyOfToday;
    list: false;
  };

  /** Lê a nota fiscal de uma fatura */
  'GET /invoices/{id}/nfcom': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
      query?: {
        /** A nota deste contrato, de uma fatura que é de vários. */
        contract_id?: number;
      };
    };
    data: NFCom;
    list: false;
  };

  /** Baixa a nota fiscal de uma fatura */
  'GET /invoices/{id}/nfcom/download': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
      query?: {
        /** A nota deste contrato, de uma fatura que é de vários. */
        contract_id?: number;
        /** Um dos que formats da nota diz. */
        format?: 'pdf' | 'xml';
      };
    };
    file: true;
  };

  /** Lista chamados */
  'GET /tickets': {
    request: {
      query?: {
        /** em_aberto é todo chamado que não foi solucionado nem cancelado. */
        status?:
          | 'aberto'
          | 'pendente'
          | 'pendente_terceiro'
          | 'em_andamento'
          | 'reaberto'
          | 'solucionado'
          | 'cancelado'
          | 'em_aberto';
        /** Só os chamados deste contrato. */
        contract_id?: number;
        /** Só os chamados deste cliente. Só da equipe. */
        client_id?: number;
        /** Os de quem pergunta, os de ninguém ou todos; sem ele, me. Só da equipe. */
        assigned?: 'me' | 'none' | 'all';
        /** Itens por resposta. */
        limit?: number;
        /** next_cursor da resposta anterior, com os mesmos filtros; vale uma hora. */
        cursor?: string;
      };
    };
    data: Array<Ticket>;
    list: true;
  };

  /** Abre um chamado de quem pede */
  'POST /tickets': { request: { body: NewTicket }; data: Ticket; list: false };

  /** Lê um chamado, com o que aconteceu nele */
  'GET /tickets/{id}': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
    };
    data: TicketDetail;
    list: false;
  };

  /** Comenta um chamado, ou o reabre */
  'POST /tickets/{id}/comments': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
      body: NewTicketComment;
    };
    data: TicketEntry;
    list: false;
  };

  /** Lê o estado da rede em números */
  'GET /network/overview': { request: {}; data: NetworkOverview | SubscriberOverview; list: false };

  /** Lista os servidores, por nome */
  'GET /network/servers': {
    request: {
      query?: {
        /** Só os deste POP. */
        pop_id?: number;
        /** Só os que estão assim. */
        status?: 'ativo' | 'silencioso' | 'sem_dados';
        /** Itens por resposta. */
        limit?: number;
        /** next_cursor da resposta anterior, com os mesmos filtros; vale uma hora. */
        cursor?: string;
      };
    };
    data: Array<Server>;
    list: true;
  };

  /** Lê a árvore da rede */
  'GET /network/topology': { request: {}; data: Topology; list: false };

  /** Lê quanto passou pela rede, por um servidor ou por um contrato */
  'GET /network/traffic': {
    request: {
      query?: {
        /** Desde quando; 24 horas antes de to, se faltar. */
        from?: string;
        /** Até antes de quando; agora, se faltar ou for depois. */
        to?: string;
        /** Por hora, até 31 dias; por dia, no fuso do provedor, até 400. Se faltar, hour, e com contract_id, day. */
        interval?: 'hour' | 'day';
        /** Endereço de um servidor. */
        server?: string;
        /** Um contrato, só por dia; não com server. */
        contract_id?: number;
      };
    };
    data: Traffic;
    list: false;
  };

  /** Lista os webhooks */
  'GET /webhooks': {
    request: {
      query?: {
        /** Itens por resposta. */
        limit?: number;
        /** next_cursor da resposta anterior, com os mesmos filtros; vale uma hora. */
        cursor?: string;
      };
    };
    data: Array<Webhook>;
    list: true;
  };

  /** Cria um webhook */
  'POST /webhooks': { request: { body: NovoWebhook }; data: WebhookNovo; list: false };

  /** O catálogo de eventos */
  'GET /webhooks/events': { request: {}; data: Array<EventoDeWebhook>; list: false };

  /** Lê um webhook */
  'GET /webhooks/{id}': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
    };
    data: Webhook;
    list: false;
  };

  /** Altera um webhook */
  'PUT /webhooks/{id}': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
      body: MudancaDeWebhook;
    };
    data: Webhook;
    list: false;
  };

  /** Remove um webhook */
  'DELETE /webhooks/{id}': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
    };
    data: WebhookRemovido;
    list: false;
  };

  /** Troca o segredo */
  'POST /webhooks/{id}/secret': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
      body?: TrocaDeSegredo;
    };
    data: SegredoDeWebhook;
    list: false;
  };

  /** Envia um exemplo na hora */
  'POST /webhooks/{id}/test': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
      body?: TesteDeWebhook;
    };
    data: ResultadoDoTeste;
    list: false;
  };

  /** Lista as entregas, as mais novas primeiro */
  'GET /webhooks/{id}/logs': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
      query?: {
        /** Só as deste estado. */
        status?: 'pendente' | 'entregue' | 'esgotada' | 'cancelada';
        /** Só as deste evento. */
        event?: string;
        /** Criadas deste instante em diante. */
        from?: string;
        /** Criadas até este instante. */
        to?: string;
        /** Itens por resposta. */
        limit?: number;
        /** next_cursor da resposta anterior, com os mesmos filtros; vale uma hora. */
        cursor?: string;
      };
    };
    data: Array<Delivery>;
    list: true;
  };

  /** Lê uma entrega, com o que se enviou e o que se respondeu */
  'GET /webhooks/{id}/logs/{delivery_id}': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
        /** Identificador da entrega. */
        delivery_id: number;
      };
    };
    data: DeliveryWithBody;
    list: false;
  };

  /** Tenta uma entrega de novo, agora */
  'POST /webhooks/{id}/logs/{delivery_id}/replay': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
        /** Identificador da entrega. */
        delivery_id: number;
      };
    };
    data: Reenviados;
    list: false;
  };

  /** Envia de novo o que não foi entregue num período */
  'POST /webhooks/{id}/replay': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
      body: ReenvioDeEntregas;
    };
    data: Reenviados;
    list: false;
  };

  /** O que o app precisa saber para registrar um aparelho */
  'GET /push/config': { request: {}; data: PushConfig; list: false };

  /** Lista os aparelhos de quem pergunta */
  'GET /push/devices': { request: {}; data: Array<Device>; list: false };

  /** Registra o aparelho da sessão */
  'POST /push/devices': { request: { body: DeviceRegistration }; data: Device; list: false };

  /** Altera um aparelho de quem pede */
  'PUT /push/devices/{id}': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
      body: DeviceChange;
    };
    data: Device;
    list: false;
  };

  /** Remove um aparelho de quem pede */
  'DELETE /push/devices/{id}': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
    };
    data: DeviceRemoved;
    list: false;
  };

  /** Envia uma mensagem aos aparelhos de clientes */
  'POST /push/messages': { request: { body: PushMessage }; data: QueuedMessages; list: false };
}
/** The operations that take an Idempotency-Key. */
export const REPEATABLE: readonly string[] = [
  'PUT /auth/password',
  'POST /auth/logout',
  'DELETE /auth/sessions/{id}',
  'PUT /client',
  'POST /contracts/{id}/trust-unblock',
  'POST /clientes',
  'PUT /clientes/{id}',
  'DELETE /clientes/{id}',
  'POST /clientes/{id}/acesso',
  'POST /chamados',
  'PUT /chamados/{id}',
  'POST /tickets',
  'POST /tickets/{id}/comments',
  'POST /webhooks',
  'PUT /webhooks/{id}',
  'DELETE /webhooks/{id}',
  'POST /webhooks/{id}/secret',
  'POST /webhooks/{id}/test',
  'POST /webhooks/{id}/logs/{delivery_id}/replay',
  'POST /webhooks/{id}/replay',
  'POST /push/devices',
  'PUT /push/devices/{id}',
  'DELETE /push/devices/{id}',
  'POST /push/messages',
];
/** What a webhook is sent, by the name of the event. */
export interface Events {
  /** Um cliente foi cadastrado pela equipe, pela API ou por uma importação. */
  'cliente.criado': {
    type: 'cliente.criado';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      situacao: 'ativo' | 'bloqueado' | 'cancelado' | 'inativo' | 'observacao' | 'pre_cadastro';
      origem: 'painel' | 'api' | 'importacao';
    };
  };

  /** Alguém se cadastrou pelo link de um convite. */
  'cliente.pre_cadastrado': {
    type: 'cliente.pre_cadastrado';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: { cliente_id: number; contrato_id: number; convite_id: number; plano_id: number };
  };

  /** Mudou o cadastro de um cliente; `campos` diz quais. */
  'cliente.atualizado': {
    type: 'cliente.atualizado';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: { cliente_id: number; campos: Array<string> };
  };

  /** Um cliente foi cancelado. */
  'cliente.cancelado': {
    type: 'cliente.cancelado';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: { cliente_id: number };
  };

  /** Dados de um cliente foram apagados a seu pedido (LGPD): apague também os seus. */
  'cliente.apagado': {
    type: 'cliente.apagado';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: { cliente_id: number; apagados: Array<string>; guardados: Array<string> };
  };

  /** Alguém pediu um código para entrar no app; o código não vai aqui. */
  'cliente.acesso_solicitado': {
    type: 'cliente.acesso_solicitado';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: { cliente_id: number; solicitacao_id: number; expira_em: string };
  };

  /** Um contrato foi criado. */
  'cliente.contrato_criado': {
    type: 'cliente.contrato_criado';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      contrato_id: number;
      plano_id: number;
      situacao: 'pendente' | 'ativo' | 'bloqueado' | 'inativo' | 'cancelado' | 'cancelado_definitivo';
    };
  };

  /** Um contrato pendente, inativo ou cancelado passou a ativo. */
  'cliente.contrato_ativado': {
    type: 'cliente.contrato_ativado';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      contrato_id: number;
      de: 'pendente' | 'ativo' | 'bloqueado' | 'inativo' | 'cancelado' | 'cancelado_definitivo';
    };
  };

  /** Um contrato foi bloqueado, por débito, pela equipe ou pelo fim de um desbloqueio de confiança. */
  'cliente.contrato_bloqueado': {
    type: 'cliente.contrato_bloqueado';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: { cliente_id: number; contrato_id: number; origem: 'financeiro' | 'manual'; fatura_id: number | null };
  };

  /** Um contrato bloqueado foi liberado, por pagamento ou pela equipe. */
  'cliente.contrato_liberado': {
    type: 'cliente.contrato_liberado';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: { cliente_id: number; contrato_id: number; por: 'pagamento' | 'manual'; fatura_id: number | null };
  };

  /** Um contrato teve desbloqueio de confiança, até um instante. */
  'cliente.desbloqueio_confianca': {
    type: 'cliente.desbloqueio_confianca';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: { cliente_id: number; contrato_id: number; dias: number; ate: string; fatura_id: number | null };
  };

  /** Acabou um desbloqueio de confiança sem que o contrato voltasse a ser bloqueado. */
  'cliente.desbloqueio_encerrado': {
    type: 'cliente.desbloqueio_encerrado';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: { cliente_id: number; contrato_id: number };
  };

  /** Quem está bloqueado por débito foi avisado de que o contrato pode ser rescindido a partir de um dia. */
  'cliente.contrato_rescisao_avisada': {
    type: 'cliente.contrato_rescisao_avisada';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: { cliente_id: number; contrato_id: number; a_pagar: number; rescisao_desde: string };
  };

  /** Passou o prazo de um contrato bloqueado por débito, e a equipe decide se o rescinde. */
  'cliente.contrato_rescisao_devida': {
    type: 'cliente.contrato_rescisao_devida';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: { cliente_id: number; contrato_id: number; a_pagar: number };
  };

  /** Um contrato foi suspenso a pedido do cliente. */
  'cliente.contrato_inativado': {
    type: 'cliente.contrato_inativado';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: { cliente_id: number; contrato_id: number };
  };

  /** Um contrato foi cancelado; em definitivo, quando já não pode voltar. */
  'cliente.contrato_cancelado': {
    type: 'cliente.contrato_cancelado';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: { cliente_id: number; contrato_id: number; definitivo: boolean };
  };

  /** Um assinante prometeu pagar o que um contrato deve até um dia; nada foi liberado por isso. */
  'cliente.promessa_registrada': {
    type: 'cliente.promessa_registrada';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: { cliente_id: number; contrato_id: number; data: string };
  };

  /** Passou o dia de uma promessa de pagamento, e ainda se deve. */
  'cliente.promessa_quebrada': {
    type: 'cliente.promessa_quebrada';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: { cliente_id: number; contrato_id: number; data: string };
  };

  /** Um contrato passou a outro plano; `valor` é o que ele tem desde então. */
  'cliente.plano_alterado': {
    type: 'cliente.plano_alterado';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: { cliente_id: number; contrato_id: number; plano_anterior_id: number; plano_id: number; valor: number };
  };

  /** Uma fatura foi emitida, ou importada em aberto. */
  'fatura.criada': {
    type: 'fatura.criada';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      fatura_id: number;
      contrato_id: number | null;
      situacao: 'pendente' | 'vencida' | 'paga' | 'cancelada' | 'estornada' | 'processando';
      tipo: 'boleto' | 'pix' | 'carne' | 'carteira' | null;
      valor: number;
      valor_pago: number;
      vencimento: string;
      pago_em: string | null;
    };
  };

  /** Pediram que a segunda via de uma fatura chegue ao cliente: mande-a pelo seu canal. */
  'fatura.segunda_via_pedida': {
    type: 'fatura.segunda_via_pedida';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      fatura_id: number;
      contrato_id: number | null;
      situacao: 'pendente' | 'vencida' | 'paga' | 'cancelada' | 'estornada' | 'processando';
      tipo: 'boleto' | 'pix' | 'carne' | 'carteira' | null;
      valor: number;
      valor_pago: number;
      vencimento: string;
      pago_em: string | null;
      canal: 'evento';
    };
  };

  /** Mudou o valor, o vencimento ou a forma de pagar de uma fatura; `campos` diz o quê. */
  'fatura.alterada': {
    type: 'fatura.alterada';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      fatura_id: number;
      contrato_id: number | null;
      situacao: 'pendente' | 'vencida' | 'paga' | 'cancelada' | 'estornada' | 'processando';
      tipo: 'boleto' | 'pix' | 'carne' | 'carteira' | null;
      valor: number;
      valor_pago: number;
      vencimento: string;
      pago_em: string | null;
      campos: Array<string>;
    };
  };

  /** Faltam poucos dias para o vencimento de uma fatura; quantos, o provedor configura. */
  'fatura.a_vencer': {
    type: 'fatura.a_vencer';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      fatura_id: number;
      contrato_id: number | null;
      situacao: 'pendente' | 'vencida' | 'paga' | 'cancelada' | 'estornada' | 'processando';
      tipo: 'boleto' | 'pix' | 'carne' | 'carteira' | null;
      valor: number;
      valor_pago: number;
      vencimento: string;
      pago_em: string | null;
    };
  };

  /** Começou o dia seguinte ao vencimento de uma fatura, e ela continua em aberto. */
  'fatura.vencida': {
    type: 'fatura.vencida';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      fatura_id: number;
      contrato_id: number | null;
      situacao: 'pendente' | 'vencida' | 'paga' | 'cancelada' | 'estornada' | 'processando';
      tipo: 'boleto' | 'pix' | 'carne' | 'carteira' | null;
      valor: number;
      valor_pago: number;
      vencimento: string;
      pago_em: string | null;
      valor_atualizado: number | null;
    };
  };

  /** A régua de cobrança disse algo de uma fatura a quem a deve: um lembrete, ou o aviso de débito, que diz desde que dia pode haver bloqueio. */
  'fatura.cobrada': {
    type: 'fatura.cobrada';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      fatura_id: number;
      contrato_id: number | null;
      situacao: 'pendente' | 'vencida' | 'paga' | 'cancelada' | 'estornada' | 'processando';
      tipo: 'boleto' | 'pix' | 'carne' | 'carteira' | null;
      valor: number;
      valor_pago: number;
      vencimento: string;
      pago_em: string | null;
      passo: 'lembrete' | 'vencimento' | 'aviso';
      a_pagar: number;
      bloqueio_desde: string | null;
    };
  };

  /** Uma fatura ficou paga. */
  'fatura.paga': {
    type: 'fatura.paga';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      fatura_id: number;
      contrato_id: number | null;
      situacao: 'pendente' | 'vencida' | 'paga' | 'cancelada' | 'estornada' | 'processando';
      tipo: 'boleto' | 'pix' | 'carne' | 'carteira' | null;
      valor: number;
      valor_pago: number;
      vencimento: string;
      pago_em: string | null;
      recebimento_id: number | null;
      falta: number | null;
      excedente: number | null;
    };
  };

  /** Uma fatura recebeu um pagamento, e ainda falta algo. */
  'fatura.paga_em_parte': {
    type: 'fatura.paga_em_parte';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      fatura_id: number;
      contrato_id: number | null;
      situacao: 'pendente' | 'vencida' | 'paga' | 'cancelada' | 'estornada' | 'processando';
      tipo: 'boleto' | 'pix' | 'carne' | 'carteira' | null;
      valor: number;
      valor_pago: number;
      vencimento: string;
      pago_em: string | null;
      recebimento_id: number | null;
      falta: number | null;
      excedente: number | null;
    };
  };

  /** Uma fatura recebeu mais do que se devia dela. */
  'fatura.paga_a_mais': {
    type: 'fatura.paga_a_mais';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      fatura_id: number;
      contrato_id: number | null;
      situacao: 'pendente' | 'vencida' | 'paga' | 'cancelada' | 'estornada' | 'processando';
      tipo: 'boleto' | 'pix' | 'carne' | 'carteira' | null;
      valor: number;
      valor_pago: number;
      vencimento: string;
      pago_em: string | null;
      recebimento_id: number | null;
      falta: number | null;
      excedente: number | null;
    };
  };

  /** Foi devolvido tudo o que se pagou de uma fatura. */
  'fatura.estornada': {
    type: 'fatura.estornada';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      fatura_id: number;
      contrato_id: number | null;
      situacao: 'pendente' | 'vencida' | 'paga' | 'cancelada' | 'estornada' | 'processando';
      tipo: 'boleto' | 'pix' | 'carne' | 'carteira' | null;
      valor: number;
      valor_pago: number;
      vencimento: string;
      pago_em: string | null;
      devolvido: number | null;
    };
  };

  /** Foi devolvida parte do que se pagou de uma fatura. */
  'fatura.devolvida_em_parte': {
    type: 'fatura.devolvida_em_parte';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      fatura_id: number;
      contrato_id: number | null;
      situacao: 'pendente' | 'vencida' | 'paga' | 'cancelada' | 'estornada' | 'processando';
      tipo: 'boleto' | 'pix' | 'carne' | 'carteira' | null;
      valor: number;
      valor_pago: number;
      vencimento: string;
      pago_em: string | null;
      devolvido: number | null;
    };
  };

  /** Voltou a ser devida uma fatura que estava paga ou estornada. */
  'fatura.reaberta': {
    type: 'fatura.reaberta';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      fatura_id: number;
      contrato_id: number | null;
      situacao: 'pendente' | 'vencida' | 'paga' | 'cancelada' | 'estornada' | 'processando';
      tipo: 'boleto' | 'pix' | 'carne' | 'carteira' | null;
      valor: number;
      valor_pago: number;
      vencimento: string;
      pago_em: string | null;
      falta: number | null;
    };
  };

  /** Uma fatura foi cancelada. */
  'fatura.cancelada': {
    type: 'fatura.cancelada';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      fatura_id: number;
      contrato_id: number | null;
      situacao: 'pendente' | 'vencida' | 'paga' | 'cancelada' | 'estornada' | 'processando';
      tipo: 'boleto' | 'pix' | 'carne' | 'carteira' | null;
      valor: number;
      valor_pago: number;
      vencimento: string;
      pago_em: string | null;
      motivo_codigo: 'a_pedido' | 'erro' | 'renegociacao' | 'cancelamento' | 'outro';
    };
  };

  /** A autoridade fiscal autorizou a nota fiscal (NFCom) de uma fatura. Em `homologacao` é um ensaio, sem valor fiscal. */
  'nfcom.autorizada': {
    type: 'nfcom.autorizada';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      nfcom_id: number;
      fatura_id: number;
      contrato_id: number | null;
      numero: number | null;
      serie: number | null;
      chave: string | null;
      valor: number;
      ambiente: 'producao' | 'homologacao' | null;
      finalidade: 'normal' | 'substituicao' | 'ajuste' | null;
    };
  };

  /** A nota fiscal de uma fatura foi rejeitada; `codigo` é o da autoridade, ou um nome, quando a recusa veio antes dela. */
  'nfcom.rejeitada': {
    type: 'nfcom.rejeitada';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      nfcom_id: number;
      fatura_id: number;
      contrato_id: number | null;
      numero: number | null;
      serie: number | null;
      chave: string | null;
      valor: number;
      ambiente: 'producao' | 'homologacao' | null;
      finalidade: 'normal' | 'substituicao' | 'ajuste' | null;
      codigo: string;
    };
  };

  /** A nota fiscal de uma fatura foi cancelada. */
  'nfcom.cancelada': {
    type: 'nfcom.cancelada';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      nfcom_id: number;
      fatura_id: number;
      contrato_id: number | null;
      numero: number | null;
      serie: number | null;
      chave: string | null;
      valor: number;
      ambiente: 'producao' | 'homologacao' | null;
      finalidade: 'normal' | 'substituicao' | 'ajuste' | null;
    };
  };

  /** A nota fiscal de uma fatura foi substituída por outra. */
  'nfcom.substituida': {
    type: 'nfcom.substituida';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      nfcom_id: number;
      fatura_id: number;
      contrato_id: number | null;
      numero: number | null;
      serie: number | null;
      chave: string | null;
      valor: number;
      ambiente: 'producao' | 'homologacao' | null;
      finalidade: 'normal' | 'substituicao' | 'ajuste' | null;
      substituta_id: number;
    };
  };

  /** Um chamado foi aberto. */
  'chamado.aberto': {
    type: 'chamado.aberto';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      chamado_id: number;
      contrato_id: number | null;
      situacao: 'aberto' | 'pendente' | 'pendente_terceiro' | 'em_andamento' | 'reaberto' | 'solucionado' | 'cancelado';
      prioridade: 'baixa' | 'normal' | 'alta' | 'urgente';
      categoria: 'TECNICO' | 'FINANCEIRO' | 'COMERCIAL' | 'INSTALACAO' | 'CANCELAMENTO' | 'OUTRO' | null;
      origem: string;
    };
  };

  /** Mudou a prioridade, a categoria ou a solução de um chamado, ou ele passou a outra situação em aberto. */
  'chamado.atualizado': {
    type: 'chamado.atualizado';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      chamado_id: number;
      contrato_id: number | null;
      situacao: 'aberto' | 'pendente' | 'pendente_terceiro' | 'em_andamento' | 'reaberto' | 'solucionado' | 'cancelado';
      prioridade: 'baixa' | 'normal' | 'alta' | 'urgente';
      categoria: 'TECNICO' | 'FINANCEIRO' | 'COMERCIAL' | 'INSTALACAO' | 'CANCELAMENTO' | 'OUTRO' | null;
      de: 'aberto' | 'pendente' | 'pendente_terceiro' | 'em_andamento' | 'reaberto' | 'solucionado' | 'cancelado';
      campos: Array<string>;
    };
  };

  /** Um chamado foi comentado, e mais nada mudou nele. */
  'chamado.comentado': {
    type: 'chamado.comentado';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      chamado_id: number;
      contrato_id: number | null;
      situacao: 'aberto' | 'pendente' | 'pendente_terceiro' | 'em_andamento' | 'reaberto' | 'solucionado' | 'cancelado';
      prioridade: 'baixa' | 'normal' | 'alta' | 'urgente';
      categoria: 'TECNICO' | 'FINANCEIRO' | 'COMERCIAL' | 'INSTALACAO' | 'CANCELAMENTO' | 'OUTRO' | null;
      entrada_id: number | null;
      por: 'cliente' | 'equipe' | 'api' | null;
    };
  };

  /** A visita de um chamado foi marcada, mudada ou desmarcada. */
  'chamado.agendado': {
    type: 'chamado.agendado';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      chamado_id: number;
      contrato_id: number | null;
      situacao: 'aberto' | 'pendente' | 'pendente_terceiro' | 'em_andamento' | 'reaberto' | 'solucionado' | 'cancelado';
      prioridade: 'baixa' | 'normal' | 'alta' | 'urgente';
      categoria: 'TECNICO' | 'FINANCEIRO' | 'COMERCIAL' | 'INSTALACAO' | 'CANCELAMENTO' | 'OUTRO' | null;
      agendado_para: string | null;
    };
  };

  /** Mudou quem da equipe atende um chamado. */
  'chamado.atribuido': {
    type: 'chamado.atribuido';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      chamado_id: number;
      contrato_id: number | null;
      situacao: 'aberto' | 'pendente' | 'pendente_terceiro' | 'em_andamento' | 'reaberto' | 'solucionado' | 'cancelado';
      prioridade: 'baixa' | 'normal' | 'alta' | 'urgente';
      categoria: 'TECNICO' | 'FINANCEIRO' | 'COMERCIAL' | 'INSTALACAO' | 'CANCELAMENTO' | 'OUTRO' | null;
      responsavel_id: number | null;
    };
  };

  /** Um chamado foi solucionado. */
  'chamado.solucionado': {
    type: 'chamado.solucionado';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      chamado_id: number;
      contrato_id: number | null;
      situacao: 'aberto' | 'pendente' | 'pendente_terceiro' | 'em_andamento' | 'reaberto' | 'solucionado' | 'cancelado';
      prioridade: 'baixa' | 'normal' | 'alta' | 'urgente';
      categoria: 'TECNICO' | 'FINANCEIRO' | 'COMERCIAL' | 'INSTALACAO' | 'CANCELAMENTO' | 'OUTRO' | null;
      de: 'aberto' | 'pendente' | 'pendente_terceiro' | 'em_andamento' | 'reaberto' | 'solucionado' | 'cancelado';
      campos: Array<string>;
    };
  };

  /** Um chamado foi cancelado. */
  'chamado.cancelado': {
    type: 'chamado.cancelado';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      chamado_id: number;
      contrato_id: number | null;
      situacao: 'aberto' | 'pendente' | 'pendente_terceiro' | 'em_andamento' | 'reaberto' | 'solucionado' | 'cancelado';
      prioridade: 'baixa' | 'normal' | 'alta' | 'urgente';
      categoria: 'TECNICO' | 'FINANCEIRO' | 'COMERCIAL' | 'INSTALACAO' | 'CANCELAMENTO' | 'OUTRO' | null;
      de: 'aberto' | 'pendente' | 'pendente_terceiro' | 'em_andamento' | 'reaberto' | 'solucionado' | 'cancelado';
      campos: Array<string>;
    };
  };

  /** Um chamado fechado foi reaberto. */
  'chamado.reaberto': {
    type: 'chamado.reaberto';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: number;
      chamado_id: number;
      contrato_id: number | null;
      situacao: 'aberto' | 'pendente' | 'pendente_terceiro' | 'em_andamento' | 'reaberto' | 'solucionado' | 'cancelado';
      prioridade: 'baixa' | 'normal' | 'alta' | 'urgente';
      categoria: 'TECNICO' | 'FINANCEIRO' | 'COMERCIAL' | 'INSTALACAO' | 'CANCELAMENTO' | 'OUTRO' | null;
      de: 'aberto' | 'pendente' | 'pendente_terceiro' | 'em_andamento' | 'reaberto' | 'solucionado' | 'cancelado';
      campos: Array<string>;
    };
  };

  /** Um aviso da rede foi aberto; `contratos` é quantos ele cobre. */
  'rede.aviso_aberto': {
    type: 'rede.aviso_aberto';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: null;
      aviso_id: number;
      tipo: 'interrupcao' | 'degradacao' | 'manutencao' | 'informativo';
      origem: 'equipe' | 'detectado';
      contratos: number;
    };
  };

  /** Mudou um aviso da rede que está aberto; `campos` diz o quê. */
  'rede.aviso_alterado': {
    type: 'rede.aviso_alterado';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: { cliente_id: null; aviso_id: number; campos: Array<string> };
  };

  /** Um aviso da rede foi encerrado. */
  'rede.aviso_encerrado': {
    type: 'rede.aviso_encerrado';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: {
      cliente_id: null;
      aviso_id: number;
      tipo: 'interrupcao' | 'degradacao' | 'manutencao' | 'informativo';
      origem: 'equipe' | 'detectado';
      contratos: number;
    };
  };

  /** Alguém pediu um teste do webhook. */
  'teste.ping': {
    type: 'teste.ping';
    timestamp: string;
    provedor: string;
    /** Só em testes, verdadeiro. */
    test?: boolean;
    data: { cliente_id: null; mensagem: string };
  };
}
