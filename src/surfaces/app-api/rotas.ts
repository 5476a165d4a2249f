import { rotasDeAcesso } from './auth/acesso.rotas.ts';
import { rotasDeEntrada } from './auth/entrada.rotas.ts';
import { rotasDeSenha } from './auth/senha.rotas.ts';
import { rotasDeSessoes } from './auth/sessoes.rotas.ts';
import { rotasDeChamados } from './chamados/chamados.rotas.ts';
import { rotasDoAssinante } from './client/client.rotas.ts';
import { rotasDosContratosDoAssinante } from './client/contracts.rotas.ts';
import { rotasDeClientes } from './clientes/clientes.rotas.ts';
import { rotasDeInvoices } from './invoices/invoices.rotas.ts';
import { rotasDeNfcom } from './invoices/nfcom.rotas.ts';
import { rotasDeTickets } from './tickets/tickets.rotas.ts';
import { rotasDaRede } from './network/network.rotas.ts';
import { rotasDoTrafego } from './network/traffic.rotas.ts';
import { rotasDeAparelhos } from './push/aparelhos.rotas.ts';
import { rotasDeMensagens } from './push/mensagens.rotas.ts';
import { rotasDoRegistro } from './webhooks/registro.rotas.ts';
import { rotasDeWebhooks } from './webhooks/webhooks.rotas.ts';
import type { Rota } from './rota.ts';

/** The route table of `/v1`. */
export const ROTAS: readonly Rota[] = [
  ...rotasDeEntrada,
  ...rotasDeSenha,
  ...rotasDeSessoes,
  ...rotasDoAssinante,
  ...rotasDosContratosDoAssinante,
  ...rotasDeClientes,
  ...rotasDeAcesso,
  ...rotasDeChamados,
  ...rotasDeInvoices,
  ...rotasDeNfcom,
  ...rotasDeTickets,
  ...rotasDaRede,
  ...rotasDoTrafego,
  ...rotasDeWebhooks,
  ...rotasDoRegistro,
  ...rotasDeAparelhos,
  ...rotasDeMensagens,
];
