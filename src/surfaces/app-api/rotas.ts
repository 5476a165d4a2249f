import { rotasDeAcesso } from './auth/acesso.rotas.ts';
import { rotasDeEntrada } from './auth/entrada.rotas.ts';
import { rotasDeSenha } from './auth/senha.rotas.ts';
import { rotasDeSessoes } from './auth/sessoes.rotas.ts';
import { rotasDeChamados } from './chamados/chamados.rotas.ts';
import { rotasDeClientes } from './clientes/clientes.rotas.ts';
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
  ...rotasDeClientes,
  ...rotasDeAcesso,
  ...rotasDeChamados,
  ...rotasDeWebhooks,
  ...rotasDoRegistro,
  ...rotasDeAparelhos,
  ...rotasDeMensagens,
];
