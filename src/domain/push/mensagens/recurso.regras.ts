/** What a notice is about: how data name it, and where it is seen in the app and, below `/painel`, at the panel. */
interface Lugar {
  /** Null where an id would be of no use to the app. */
  readonly campo: string | null;
  readonly noApp: (id: number) => string;
  readonly noPainel: (id: number) => string;
}

const NO_INICIO = (): string => '';

const LUGARES = {
  fatura: { campo: 'invoice_id', noApp: (id) => `/invoices/${id}`, noPainel: (id) => `/faturas/${id}` },
  contrato: { campo: 'contract_id', noApp: (id) => `/contracts/${id}`, noPainel: NO_INICIO },
  chamado: { campo: 'ticket_id', noApp: (id) => `/tickets/${id}`, noPainel: (id) => `/chamados/${id}` },
  aviso: { campo: 'notice_id', noApp: () => '/notices', noPainel: NO_INICIO },
  acesso: { campo: null, noApp: () => '/sessions', noPainel: () => '/conta' },
  cliente: { campo: 'client_id', noApp: (id) => `/clients/${id}`, noPainel: (id) => `/clientes/${id}` },
  webhook: {
    campo: 'webhook_id',
    noApp: (id) => `/webhooks/${id}`,
    noPainel: (id) => `/configuracoes/webhooks/${id}`,
  },
  chave: { campo: 'key_id', noApp: (id) => `/keys/${id}`, noPainel: () => '/configuracoes/api' },
  certificado: { campo: null, noApp: () => '/', noPainel: () => '/configuracoes/nfcom' },
  servidor: { campo: null, noApp: () => '/network/servers', noPainel: () => '/rede' },
  tarefa: { campo: null, noApp: () => '/', noPainel: () => '/tarefas' },
  faturamento: { campo: null, noApp: () => '/', noPainel: () => '/faturamento' },
  notas: { campo: null, noApp: () => '/', noPainel: () => '/nfcom' },
  mensagem: { campo: null, noApp: () => '/', noPainel: NO_INICIO },
} as const satisfies Readonly<Record<string, Lugar>>;

export type NomeDoRecurso = keyof typeof LUGARES;

export interface Recurso {
  readonly nome: NomeDoRecurso;
  readonly id: number;
}

/** What the app is given to find a thing by: kind, id and path. @param link another path of the app's */
export function dadosDe(
  tipo: string,
  { nome, id }: Recurso,
  onde: 'app' | 'painel',
  link?: string,
): Readonly<Record<string, string | number>> {
  const { campo, noApp, noPainel }: Lugar = LUGARES[nome];
  const path = onde === 'app' ? (link ?? noApp(id)) : `/painel${noPainel(id)}`;
  return { kind: tipo, ...(campo === null ? {} : { [campo]: id }), path };
}
