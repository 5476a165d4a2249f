// Generated from the OpenAPI document by `npm run client`; not edited by hand.

export type Status = {
  /** Nome do provedor. */
  provedor: string;
  /** Nome dado à chave. */
  chave: string;
  permissoes: Array<
    | 'clientes:leitura'
    | 'financeiro:leitura'
    | 'contratos:desbloqueio'
    | 'contratos:conexao'
    | 'chamados:leitura'
    | 'chamados:escrita'
    | 'planos:leitura'
    | 'pre_cadastro:escrita'
    | 'extratos:leitura'
    | 'clientes:escrita'
    | 'rede:leitura'
    | 'webhooks:leitura'
    | 'webhooks:escrita'
    | 'acesso:escrita'
    | 'push:escrita'
  >;
  /** O que a chave não alcança; vazia, nada além das permissões a limita. */
  restricoes: Array<'somente_busca' | 'dados_mascarados'>;
  versao: 'v1';
};

export type ClienteResumido = {
  id: number;
  nome: string;
  tipo: 'pf' | 'pj';
  /** CPF (11 dígitos) ou CNPJ (14 posições, que podem ter letras). */
  cpf_cnpj: string;
  situacao: 'ativo' | 'bloqueado' | 'cancelado' | 'inativo' | 'observacao' | 'pre_cadastro';
  telefones: Array<string>;
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

export type ConexaoDetalhe = {
  conexao: 'online' | 'offline' | 'desconhecido';
  /** De onde vem o estado. */
  fonte: 'radius' | 'desconhecida';
  /** Desde quando está assim: o início da sessão, ou o fim da última. Nulo se não se sabe. */
  desde: string | null;
  /** IPv4 da sessão; nulo se está sem sessão. */
  ip: string | null;
  /** Prefixo IPv6 da sessão, o delegado se houver; nulo se não há. */
  ipv6_prefixo: string | null;
  /** Do equipamento da última sessão, nulo se o NAS diz outra coisa. */
  mac: string | null;
  /** Nome do servidor (NAS) da última sessão. */
  servidor: string | null;
  /** A última queda; nula se não houve. */
  ultima_queda: {
    em: string;
    /** Causa do fim (RFC 2866), ou sem_resposta; nula se não foi dita. */
    causa: string | null;
  } | null;
  quedas_7_dias: number;
  quedas_30_dias: number;
};

/** O que a rede fez da liberação. Só diga "liberado" depois de aplicada. */
export type RedeDoDesbloqueio = {
  /** aplicada: o login está liberado e nenhuma sessão segue bloqueada; sem_resposta: o servidor não respondeu, e a sessão segue como estava; sem_efeito: o servidor recusou ou não pode ser avisado, ou o contrato não tem login. */
  situacao: 'pendente' | 'aplicada' | 'sem_resposta' | 'sem_efeito';
  /** Desde quando. */
  em: string;
};

export type DesbloqueioPossivel = {
  /** Se pode ser aplicado agora. */
  disponivel: boolean;
  /** O código com que o POST responderia agora; nulo se está disponível. */
  motivo:
    | 'desbloqueio_desabilitado'
    | 'desbloqueio_ativo'
    | 'contrato_nao_bloqueado'
    | 'bloqueio_manual'
    | 'fatura_anterior_em_aberto'
    | null;
  /** Dias de desbloqueio, das regras de cobrança do provedor. */
  dias: number;
  /** Fim do que está em vigor; sem ele, o fim de um aplicado agora. */
  ate: string;
  /** Se há um em vigor. */
  ativo: boolean;
  /** Do que está em vigor; nula sem ele. */
  rede: RedeDoDesbloqueio | null;
};

export type Promessa = {
  id: number;
  contrato_id: number;
  /** Até que dia se prometeu pagar. */
  data: string;
  registrada_em: string;
};

export type ContratoResumido = {
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
  conexao_detalhe: ConexaoDetalhe;
  desbloqueio: DesbloqueioPossivel;
  /** A promessa de pagamento em aberto; nula sem nenhuma. */
  promessa: Promessa | null;
};

/** Como pagar. Cada campo é nulo quando a fatura não tem aquele meio, ou o que está guardado não confere com ela. */
export type SegundaVia = {
  link_pagamento: string | null;
  /** Do boleto; nulo, como os códigos dele, no que já foi pago em parte; nulo sozinho onde não há papel que confira com a linha. */
  pdf: string | null;
  /** Página do PIX; o QR code é refeito a cada abertura e o link não vence. */
  pagina_pix: string | null;
  /** Do que falta pagar hoje; refeito a cada leitura. O de uma cobrança do PSP (txid de 26 a 35) é o que ele deu: em geral não leva valor, e quem o mostra é o aplicativo do banco. */
  pix_copia_cola: string | null;
  /** Só dígitos. O valor e o vencimento que ela leva são os da fatura; o que mudou depois a retira. */
  linha_digitavel: string | null;
  /** 44 dígitos. */
  codigo_barras: string | null;
};

export type Fatura = {
  id: number;
  cliente_id: number;
  contrato_id: number | null;
  descricao: string | null;
  /** vencida a partir do dia seguinte ao vencimento, na data local do provedor. */
  situacao: 'pendente' | 'vencida' | 'paga' | 'cancelada' | 'estornada' | 'processando';
  tipo: 'boleto' | 'pix' | 'carne' | 'carteira' | null;
  /** Reais, sempre com duas casas decimais. */
  valor: number;
  /** Quanto falta pagar hoje, com multa e juros e sem o que já foi pago; nulo se é o próprio valor. */
  valor_atualizado: number | null;
  /** Tudo o que foi pago e não devolvido, também de uma fatura ainda em aberto. */
  valor_pago: number;
  /** O que dizer a quem pergunta quanto deve: o que falta pagar hoje, com multa e juros e sem o que já foi pago. 0 no que não está em aberto. É o valor do pix_copia_cola, onde ele leva valor. */
  valor_a_pagar: number;
  /** A multa de hoje, paga ou não; 0 no que não está em aberto. */
  multa: number;
  /** Os juros até hoje, pagos ou não; 0 no que não está em aberto. */
  juros: number;
  /** Dias desde o dia útil do vencimento, pelas regras de cobrança; 0 até ele e no que não está em aberto. */
  dias_atraso: number;
  /** Se uma parte foi paga e outra ainda falta. */
  pago_parcialmente: boolean;
  vencimento: string;
  emitida_em: string;
  pago_em: string | null;
  /** Do boleto que o provedor registra no banco; só o `registrado` pode ser pago, e até lá linha, código de barras e PDF são nulos. Nulo: o boleto, se há, não é registrado por aqui (como o que foi importado). */
  boleto_situacao: 'a_registrar' | 'enviado' | 'registrado' | 'rejeitado' | 'baixado' | null;
  /** Preenchida só enquanto a fatura está pendente ou vencida. */
  segunda_via: SegundaVia | null;
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

export type Resumo = {
  cliente: ClienteResumido;
  /** Até 100: o pedido, depois os bloqueados, offline ou sob aviso, os outros e os cancelados, de cada grupo os mais novos. De quem tem mais, GET /clientes/{id} traz todos. */
  contratos: Array<ContratoResumido>;
  /** Da que venceu há mais tempo à que vence por último; nula se a chave não lê faturas. */
  faturas_abertas: Array<Fatura> | null;
  /** O que se deve hoje das faturas vencidas, também das que não couberam. */
  total_vencido: number | null;
  /** O que se deve hoje de todas as faturas em aberto. */
  total_aberto: number | null;
  /** Do mais novo para o mais antigo, até 100, o do protocolo pedido entre eles; nulos se a chave não lê chamados. */
  chamados_em_aberto: Array<Chamado> | null;
  /** O que mais provavelmente responde à ligação: o primeiro que couber, nesta ordem. O que a chave não lê não conta, nem o que é de contrato cancelado ou que não coube nos 100. */
  sugestao:
    | 'aviso_de_rede'
    | 'bloqueado_manual'
    | 'desbloqueio_disponivel'
    | 'bloqueado_por_fatura'
    | 'offline'
    | 'fatura_vencida'
    | 'chamado_em_andamento'
    | 'sem_pendencia';
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

/** Onde a página está na lista. */
export type Paginacao = {
  pagina: number;
  por_pagina: number;
  /** Registros que atendem aos filtros, em todas as páginas. */
  total: number;
  total_paginas: number;
};

/** O que deixou de existir em uma lista. */
export type Removido = { id: number; removido_em: string };

export type Conferencia = {
  /** CPF (11 dígitos) ou CNPJ (14 posições), com ou sem pontuação. */
  cpf_cnpj?: string;
  /** Só de pessoa física. */
  data_nascimento?: string;
  /** Com DDD; o 55 e o nono dígito do celular podem faltar. */
  telefone?: string;
  /** E-mail. */
  email?: string;
  /** O do cadastro, ou o de um contrato. */
  cep?: string;
};

export type Conferido = {
  confere: {
    /** Nulo se não foi perguntado. */
    cpf_cnpj: boolean | null;
    /** Nulo se não foi perguntado. */
    data_nascimento: boolean | null;
    /** Nulo se não foi perguntado. */
    telefone: boolean | null;
    /** Nulo se não foi perguntado. */
    email: boolean | null;
    /** Nulo se não foi perguntado. */
    cep: boolean | null;
  };
};

export type Conexao = {
  contrato_id: number;
  conexao: 'online' | 'offline' | 'desconhecido';
  /** De onde vem o estado. */
  fonte: 'radius' | 'desconhecida';
  /** Desde quando está assim: o início da sessão, ou o fim da última. Nulo se não se sabe. */
  desde: string | null;
  /** IPv4 da sessão; nulo se está sem sessão. */
  ip: string | null;
  /** Prefixo IPv6 da sessão, o delegado se houver; nulo se não há. */
  ipv6_prefixo: string | null;
  /** Do equipamento da última sessão, nulo se o NAS diz outra coisa. */
  mac: string | null;
  /** Nome do servidor (NAS) da última sessão. */
  servidor: string | null;
  /** A última queda; nula se não houve. */
  ultima_queda: {
    em: string;
    /** Causa do fim (RFC 2866), ou sem_resposta; nula se não foi dita. */
    causa: string | null;
  } | null;
  quedas_7_dias: number;
  quedas_30_dias: number;
  /** Avisos de rede em vigor que cobrem o contrato: os informativos depois dos outros, e o que começou por último primeiro. */
  avisos: Array<Aviso>;
  /** Sessões dos últimos 30 dias, da mais nova para a mais antiga. */
  sessoes: Array<{
    inicio: string | null;
    fim: string | null;
    duracao_segundos: number;
    /** Causa do fim (RFC 2866), sem_resposta se a sessão parou de dar sinal, nula se está aberta. */
    causa: string | null;
  }>;
};

export type PedidoDeDesbloqueio = {
  /** Texto livre, que fica no histórico do contrato. Em branco, é como não enviar. */
  motivo?: string;
};

export type DesbloqueioConfianca = {
  contrato_id: number;
  /** Dias de desbloqueio, das regras de cobrança do provedor. */
  dias: number;
  /** Último instante do desbloqueio. */
  ate: string;
  /** Número que se dá ao assinante. */
  protocolo: string;
  rede: RedeDoDesbloqueio;
};

export type NovaPromessa = {
  /** Até que dia se promete pagar; o provedor diz quantos dias à frente aceita. */
  data: string;
};

export type PedidoDeDesconexao = {
  /** Texto livre, que fica com o atendimento. Em branco, é como não enviar. */
  motivo?: string;
};

export type Desconexao = {
  /** O pedido à rede. */
  pedido_id: number;
  /** O NAS ainda vai ouvir o pedido; a conexão do contrato diz o que houve. */
  situacao: 'pendente';
  /** O que dizer ao assinante. */
  protocolo: string;
};

export type PedidoDeEnvio = {
  /** email: ao endereço do cadastro; evento: por quem o provedor tem para isso. */
  canal: 'email' | 'evento';
};

export type Envio = {
  fatura_id: number;
  /** email: ao endereço do cadastro; evento: por quem o provedor tem para isso. */
  canal: 'email' | 'evento';
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
};

export type EntradaHistorico = {
  id: number;
  acao: string;
  descricao: string | null;
  /** Nome da chave ou de quem atendeu. */
  autor: string | null;
  ocorrido_em: string;
};

export type NovoAtendimento = {
  /** De quem foi; sem ele, o titular do contrato. */
  cliente_id?: number | null;
  /** Contrato de que se tratou, do mesmo cliente. */
  contrato_id?: number | null;
  /** Por onde veio. */
  canal: 'chatbot' | 'ura' | 'app' | 'telefone' | 'loja' | 'outro';
  /** De que se tratou, em poucas palavras. */
  assunto: string;
  /** O que se disse e fez. Em branco, é como não enviar. */
  resumo?: string | null;
};

export type Atendimento = {
  /** Número que se dá ao assinante; nulo em chamados e desbloqueios mais antigos que os protocolos. */
  protocolo: string | null;
  /** contato é o que alguém anotou; os outros, o que se fez no contato. */
  tipo: 'contato' | 'chamado' | 'desbloqueio' | 'desconexao';
  /** Por onde veio; nulo se ninguém disse. */
  canal: 'chatbot' | 'ura' | 'app' | 'telefone' | 'loja' | 'outro' | null;
  /** Nulo de quem não se sabe quem é. */
  cliente_id: number | null;
  contrato_id: number | null;
  /** O chamado que se abriu. */
  chamado_id: number | null;
  assunto: string;
  resumo: string | null;
  /** Nome da chave ou de quem atendeu. */
  autor: string | null;
  aberto_em: string;
};

export type Plano = {
  id: number;
  nome: string;
  download_mbps: number;
  upload_mbps: number;
  /** Reais, sempre com duas casas decimais. */
  valor: number;
  tecnologia: string | null;
  descricao: string | null;
};

export type NovoConvite = {
  /** Plano ativo que o convite leva; sem ele, quem se cadastra escolhe. */
  plano_id?: number;
  /** Dia de vencimento que o convite leva; sem ele, quem se cadastra escolhe. */
  dia_vencimento?: number;
  /** Dias de 24 horas até o convite vencer. */
  validade_dias?: number;
};

export type Convite = {
  /** Página de pré-cadastro. Serve uma vez, e quem tem o link pode usá-lo; não é mostrado de novo. */
  link: string;
  expira_em: string | null;
  plano_id: number | null;
  dia_vencimento: number | null;
};

export type ArquivoDeExtrato = {
  /** Nome a pôr no endereço de GET /extratos/{id}/{arquivo}. */
  nome: string;
  formato: 'parquet' | 'ndjson' | 'json';
  /** Registros; nulo no manifesto. */
  linhas: number | null;
  bytes: number;
  /** Em hexadecimal; é também o ETag do arquivo. */
  sha256: string;
};

export type Extrato = {
  id: number;
  /** Dia local do provedor. */
  dia: string;
  situacao: 'gerando' | 'pronto' | 'falhou' | 'removido';
  /** Instante de todos os arquivos: o que foi gravado até ele está neles. */
  consistente_em: string | null;
  arquivos: Array<ArquivoDeExtrato>;
};

export type Erro = {
  sucesso: false;
  erro: {
    /** Código estável, para programas. */
    codigo:
      | 'parametro_invalido'
      | 'cpf_cnpj_invalido'
      | 'telefone_invalido'
      | 'id_invalido'
      | 'chave_ausente'
      | 'chave_invalida'
      | 'chave_revogada'
      | 'chave_expirada'
      | 'ip_nao_autorizado'
      | 'permissao_insuficiente'
      | 'busca_exigida'
      | 'nao_encontrado'
      | 'rota_inexistente'
      | 'desbloqueio_ativo'
      | 'promessa_ativa'
      | 'desconexao_recente'
      | 'requisicao_em_andamento'
      | 'intervalo_invalido'
      | 'desbloqueio_desabilitado'
      | 'contrato_nao_bloqueado'
      | 'bloqueio_manual'
      | 'fatura_anterior_em_aberto'
      | 'transicao_invalida'
      | 'contrato_invalido'
      | 'cliente_cancelado'
      | 'contrato_offline'
      | 'plano_indisponivel'
      | 'promessa_desabilitada'
      | 'promessa_fora_do_prazo'
      | 'nada_a_pagar'
      | 'fatura_nao_aberta'
      | 'email_indisponivel'
      | 'cliente_sem_email'
      | 'chave_idempotencia_reutilizada'
      | 'limite_excedido'
      | 'tentativas_excedidas'
      | 'erro_interno'
      | 'provedor_em_mudanca';
    /** Texto para quem integra; em parametro_invalido, nomeia o campo. */
    mensagem: string;
  };
};

/** Every operation, by method and path: what it is asked with, and what it answers. */
export interface Operations {
  /** Confere a chave */
  'GET /status': { request: {}; data: Status; list: false };

  /** Responde a uma ligação de uma vez */
  'GET /resumo': {
    request: {
      query?: {
        /** CPF (11 dígitos) ou CNPJ (14 posições), com ou sem pontuação. */
        cpf_cnpj?: string;
        /** Telefone com DDD; a comparação é feita pelos últimos 8 dígitos. */
        telefone?: string;
        /** sim: o telefone tem de ser o mesmo, com o DDD; o 55 e o nono dígito do celular podem faltar. Oito dígitos se repetem entre DDDs. */
        telefone_exato?: 'sim' | 'nao';
        /** De um contrato do cliente. */
        contrato_id?: number;
        /** De um contato com o cliente. */
        protocolo?: string;
      };
    };
    data: Array<Resumo>;
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
        /** Página, a partir de 1. Uma página além da última vem vazia. */
        pagina?: number;
        /** Itens por página. */
        por_pagina?: number;
      };
    };
    data: Array<Cliente>;
    list: true;
  };

  /** Lista o que deixou de existir em clientes */
  'GET /clientes/removidos': {
    request: {
      query?: {
        /** Só o que mudou desde este instante. Quem passa o início da sua leitura anterior não perde nenhuma mudança; o que mudou até 5 minutos antes pode vir de novo. O que deixou de existir está na lista dos removidos. */
        atualizado_desde?: string;
        /** Página, a partir de 1. Uma página além da última vem vazia. */
        pagina?: number;
        /** Itens por página. */
        por_pagina?: number;
      };
    };
    data: Array<Removido>;
    list: true;
  };

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

  /** Confere o que uma pessoa diz de si */
  'POST /clientes/{id}/conferir': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
      body: Conferencia;
    };
    data: Conferido;
    list: false;
  };

  /** Lê um contrato */
  'GET /contratos/{id}': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
    };
    data: Contrato;
    list: false;
  };

  /** Lê a conexão e as quedas de um contrato */
  'GET /contratos/{id}/conexao': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
    };
    data: Conexao;
    list: false;
  };

  /** Lê se o desbloqueio de confiança está disponível, e o que a rede fez do que está em vigor */
  'GET /contratos/{id}/desbloqueio-confianca': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
    };
    data: DesbloqueioPossivel;
    list: false;
  };

  /** Aplica o desbloqueio de confiança */
  'POST /contratos/{id}/desbloqueio-confianca': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
      body?: PedidoDeDesbloqueio;
    };
    data: DesbloqueioConfianca;
    list: false;
  };

  /** Anota uma promessa de pagamento */
  'POST /contratos/{id}/promessa-pagamento': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
      body: NovaPromessa;
    };
    data: Promessa;
    list: false;
  };

  /** Encerra a sessão, para que a linha reconecte */
  'POST /contratos/{id}/desconectar': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
      body?: PedidoDeDesconexao;
    };
    data: Desconexao;
    list: false;
  };

  /** Lista faturas */
  'GET /faturas': {
    request: {
      query?: {
        /** Só as faturas deste cliente. */
        cliente_id?: number;
        /** Só as faturas deste contrato. */
        contrato_id?: number;
        /** aberta é pendente mais vencida. */
        situacao?: 'aberta' | 'pendente' | 'vencida' | 'paga' | 'cancelada' | 'estornada' | 'todas';
        /** Vencimento a partir deste dia. */
        vencimento_de?: string;
        /** Vencimento até este dia. */
        vencimento_ate?: string;
        /** Só o que mudou desde este instante. Quem passa o início da sua leitura anterior não perde nenhuma mudança; o que mudou até 5 minutos antes pode vir de novo. O que deixou de existir está na lista dos removidos. */
        atualizado_desde?: string;
        /** Página, a partir de 1. Uma página além da última vem vazia. */
        pagina?: number;
        /** Itens por página. */
        por_pagina?: number;
      };
    };
    data: Array<Fatura>;
    list: true;
  };

  /** Lista o que deixou de existir em faturas */
  'GET /faturas/removidos': {
    request: {
      query?: {
        /** Só o que mudou desde este instante. Quem passa o início da sua leitura anterior não perde nenhuma mudança; o que mudou até 5 minutos antes pode vir de novo. O que deixou de existir está na lista dos removidos. */
        atualizado_desde?: string;
        /** Página, a partir de 1. Uma página além da última vem vazia. */
        pagina?: number;
        /** Itens por página. */
        por_pagina?: number;
      };
    };
    data: Array<Removido>;
    list: true;
  };

  /** Lê uma fatura */
  'GET /faturas/{id}': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
    };
    data: Fatura;
    list: false;
  };

  /** Envia a segunda via */
  'POST /faturas/{id}/enviar': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
      body: PedidoDeEnvio;
    };
    data: Envio;
    list: false;
  };

  /** Lista chamados */
  'GET /chamados': {
    request: {
      query?: {
        /** Só o chamado deste protocolo. */
        protocolo?: string;
        /** Só os chamados deste cliente. */
        cliente_id?: number;
        /** Só os chamados deste contrato. */
        contrato_id?: number;
        /** em_aberto é todo chamado que não foi solucionado nem cancelado. */
        situacao?:
          | 'aberto'
          | 'pendente'
          | 'pendente_terceiro'
          | 'em_andamento'
          | 'reaberto'
          | 'solucionado'
          | 'cancelado'
          | 'em_aberto';
        /** Só o que mudou desde este instante. Quem passa o início da sua leitura anterior não perde nenhuma mudança; o que mudou até 5 minutos antes pode vir de novo. O que deixou de existir está na lista dos removidos. */
        atualizado_desde?: string;
        /** Página, a partir de 1. Uma página além da última vem vazia. */
        pagina?: number;
        /** Itens por página. */
        por_pagina?: number;
      };
    };
    data: Array<Chamado>;
    list: true;
  };

  /** Abre um chamado */
  'POST /chamados': { request: { body: NovoChamado }; data: Chamado; list: false };

  /** Lista o que deixou de existir em chamados */
  'GET /chamados/removidos': {
    request: {
      query?: {
        /** Só o que mudou desde este instante. Quem passa o início da sua leitura anterior não perde nenhuma mudança; o que mudou até 5 minutos antes pode vir de novo. O que deixou de existir está na lista dos removidos. */
        atualizado_desde?: string;
        /** Página, a partir de 1. Uma página além da última vem vazia. */
        pagina?: number;
        /** Itens por página. */
        por_pagina?: number;
      };
    };
    data: Array<Removido>;
    list: true;
  };

  /** Lê um chamado */
  'GET /chamados/{id}': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
    };
    data: Chamado;
    list: false;
  };

  /** Atualiza, comenta ou soluciona um chamado */
  'PATCH /chamados/{id}': {
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

  /** Lê o histórico de um chamado */
  'GET /chamados/{id}/historico': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
    };
    data: Array<EntradaHistorico>;
    list: false;
  };

  /** Anota um contato e lhe dá um protocolo */
  'POST /atendimentos': { request: { body: NovoAtendimento }; data: Atendimento; list: false };

  /** Lê o contato de um protocolo */
  'GET /atendimentos/{protocolo}': {
    request: {
      path: {
        /** Número que se deu ao assinante: 14 dígitos. */
        protocolo: string;
      };
    };
    data: Atendimento;
    list: false;
  };

  /** Lista os contatos de um cliente */
  'GET /clientes/{id}/atendimentos': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
      };
      query?: {
        /** Página, a partir de 1. Uma página além da última vem vazia. */
        pagina?: number;
        /** Itens por página. */
        por_pagina?: number;
      };
    };
    data: Array<Atendimento>;
    list: true;
  };

  /** Lista os avisos de rede */
  'GET /avisos': {
    request: {
      query?: {
        /** abertos: os que não terminaram, também os que estão marcados para depois (veja inicio). */
        situacao?: 'abertos' | 'encerrados' | 'todos';
        /** Página, a partir de 1. Uma página além da última vem vazia. */
        pagina?: number;
        /** Itens por página. */
        por_pagina?: number;
      };
    };
    data: Array<Aviso>;
    list: true;
  };

  /** Lista os planos ativos */
  'GET /planos': { request: {}; data: Array<Plano>; list: false };

  /** Gera um link de pré-cadastro */
  'POST /pre-cadastros/convites': { request: { body?: NovoConvite }; data: Convite; list: false };

  /** Lista os extratos */
  'GET /extratos': {
    request: {
      query?: {
        /** Página, a partir de 1. Uma página além da última vem vazia. */
        pagina?: number;
        /** Itens por página. */
        por_pagina?: number;
      };
    };
    data: Array<Extrato>;
    list: true;
  };

  /** Baixa um arquivo de um extrato */
  'GET /extratos/{id}/{arquivo}': {
    request: {
      path: {
        /** Identificador do registro. */
        id: number;
        /** Nome de um dos arquivos do registro. */
        arquivo: string;
      };
    };
    file: true;
  };
}
/** The operations that take an Idempotency-Key. */
export const REPEATABLE: readonly string[] = [
  'POST /clientes/{id}/conferir',
  'POST /contratos/{id}/desbloqueio-confianca',
  'POST /contratos/{id}/promessa-pagamento',
  'POST /contratos/{id}/desconectar',
  'POST /faturas/{id}/enviar',
  'POST /chamados',
  'PATCH /chamados/{id}',
  'POST /atendimentos',
  'POST /pre-cadastros/convites',
];
