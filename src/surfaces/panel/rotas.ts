import { APLICATIVO } from './aplicativo/aplicativo.rotas.ts';
import { AO_VIVO } from './ao-vivo/ao-vivo.rotas.ts';
import { AUDITORIA } from './auditoria/auditoria.rotas.ts';
import { BUSCA } from './busca/busca.rotas.ts';
import { CHAMADOS } from './chamados/chamados.rotas.ts';
import { CHAVES } from './chaves/chaves.rotas.ts';
import { CLIENTES } from './clientes/clientes.rotas.ts';
import { COBRANCA } from './cobranca/cobranca.rotas.ts';
import { PSP } from './psp/psp.rotas.ts';
import { AVISOS } from './conta/avisos.rotas.ts';
import { CONCILIACAO } from './conciliacao/conciliacao.rotas.ts';
import { CONTA } from './conta/conta.rotas.ts';
import { CONTRATOS } from './contratos/contratos.rotas.ts';
import { CONVITES } from './convites/convites.rotas.ts';
import { ENTRADA } from './entrada/entrada.rotas.ts';
import { FATOR } from './entrada/fator.rotas.ts';
import { SENHA } from './entrada/senha.rotas.ts';
import { FATURAS } from './faturas/faturas.rotas.ts';
import { IMPORTACAO } from './importacao/importacao.rotas.ts';
import { INICIO } from './inicio/inicio.rotas.ts';
import { FATURAMENTO } from './faturamento/faturamento.rotas.ts';
import { BOLETOS } from './boletos/boletos.rotas.ts';
import { NFCOM } from './nfcom/nfcom.rotas.ts';
import { NOTIFICACOES } from './notificacoes/notificacoes.rotas.ts';
import { PERFIS } from './perfis/perfis.rotas.ts';
import { PLANOS } from './planos/planos.rotas.ts';
import { PROVEDOR } from './provedor/provedor.rotas.ts';
import { REDE } from './rede/rede.rotas.ts';
import { REGUA } from './regua/regua.rotas.ts';
import { RENEGOCIACOES } from './renegociacoes/renegociacoes.rotas.ts';
import { TAREFAS } from './tarefas/tarefas.rotas.ts';
import { USUARIOS } from './usuarios/usuarios.rotas.ts';
import { WEBHOOKS } from './webhooks/webhooks.rotas.ts';
import type { Rota } from './rota.ts';

/** Every address of the panel; a test holds that each names its permission. */
export const ROTAS: readonly Rota[] = [
  ...ENTRADA,
  ...FATOR,
  ...SENHA,
  ...INICIO,
  ...CONTA,
  ...AVISOS,
  ...USUARIOS,
  ...PERFIS,
  ...BUSCA,
  ...CLIENTES,
  ...CONTRATOS,
  ...PLANOS,
  ...CONVITES,
  ...FATURAS,
  ...FATURAMENTO,
  ...BOLETOS,
  ...NFCOM,
  ...CONCILIACAO,
  ...RENEGOCIACOES,
  ...COBRANCA,
  ...REGUA,
  ...PSP,
  ...CHAMADOS,
  ...AO_VIVO,
  ...NOTIFICACOES,
  ...REDE,
  ...TAREFAS,
  ...CHAVES,
  ...WEBHOOKS,
  ...PROVEDOR,
  ...APLICATIVO,
  ...IMPORTACAO,
  ...AUDITORIA,
];
