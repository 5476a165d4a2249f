/** How a tool is called, and what a client may tell its user of it. */
export interface Ferramenta {
  readonly nome: string;
  /** Of tools that write: whether they change or end what is there, and not only add to it. */
  readonly altera?: boolean;
  /** Of tools that write: whether a second call with the same arguments changes nothing more. */
  readonly repetivel?: boolean;
}

/** Why a route is no tool. */
interface ForaDaqui {
  readonly fora: string;
}

/** Each route of the public API, by method and path: the tool that it is, or why it is none. */
export const FERRAMENTAS: Readonly<Record<string, Ferramenta | ForaDaqui>> = {
  'GET /status': { nome: 'conferir_chave' },
  'GET /clientes': { nome: 'listar_clientes' },
  'GET /clientes/removidos': { nome: 'listar_clientes_removidos' },
  'GET /clientes/{id}': { nome: 'buscar_cliente' },
  'POST /clientes/{id}/conferir': { nome: 'conferir_cliente', altera: false, repetivel: false },
  'GET /contratos/{id}': { nome: 'buscar_contrato' },
  'GET /contratos/{id}/conexao': { nome: 'buscar_conexao' },
  'GET /contratos/{id}/desbloqueio-confianca': { nome: 'buscar_desbloqueio' },
  'POST /contratos/{id}/desbloqueio-confianca': { nome: 'desbloquear_em_confianca', altera: true, repetivel: true },
  'POST /contratos/{id}/desconectar': { nome: 'reconectar_contrato', altera: true, repetivel: false },
  'GET /faturas': { nome: 'listar_faturas' },
  'GET /faturas/removidos': { nome: 'listar_faturas_removidas' },
  'GET /faturas/{id}': { nome: 'buscar_fatura' },
  'GET /chamados': { nome: 'listar_chamados' },
  'POST /chamados': { nome: 'abrir_chamado', altera: false, repetivel: false },
  'GET /chamados/removidos': { nome: 'listar_chamados_removidos' },
  'GET /chamados/{id}': { nome: 'buscar_chamado' },
  'PATCH /chamados/{id}': { nome: 'atualizar_chamado', altera: true, repetivel: false },
  'GET /chamados/{id}/historico': { nome: 'listar_historico_do_chamado' },
  'POST /atendimentos': { nome: 'registrar_atendimento', altera: false, repetivel: false },
  'GET /atendimentos/{protocolo}': { nome: 'buscar_atendimento' },
  'GET /clientes/{id}/atendimentos': { nome: 'listar_atendimentos_do_cliente' },
  'POST /faturas/{id}/enviar': { nome: 'enviar_segunda_via', altera: false, repetivel: false },
  'POST /contratos/{id}/promessa-pagamento': { nome: 'registrar_promessa', altera: false, repetivel: false },
  'GET /resumo': { nome: 'resumir_atendimento' },
  'GET /avisos': { nome: 'listar_avisos_de_rede' },
  'GET /planos': { nome: 'listar_planos' },
  'POST /pre-cadastros/convites': { nome: 'criar_convite', altera: false, repetivel: false },
  'GET /extratos': { nome: 'listar_extratos' },
  'GET /extratos/{id}/{arquivo}': { fora: 'Responde com os bytes de um arquivo, e não com JSON.' },
};
