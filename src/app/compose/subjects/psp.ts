import { atorDaTarefa } from '../../../domain/actor.ts';
import { createClientePsp } from '../../../domain/psp/cliente/cliente.ts';
import { createAcompanhamentoDeCobrancasService } from '../../../domain/psp/cobrancas/acompanhamento.service.ts';
import { createAvisosDoPspService } from '../../../domain/psp/convenios/avisos.service.ts';
import { createConexaoPspService } from '../../../domain/psp/convenios/conexao.service.ts';
import { createConveniosPspService } from '../../../domain/psp/convenios/convenios.service.ts';
import { createDevolucoesAoPspService } from '../../../domain/psp/devolucoes/devolucoes.service.ts';
import { createEnvioAoPspService } from '../../../domain/psp/envio/envio.service.ts';
import type { ProvedoresService } from '../../../domain/provedores/provedores.service.ts';
import type { ReceptoresService } from '../../../domain/receptores/receptores.service.ts';
import { createDevolucoesPendentesService } from '../../../domain/recebimentos/devolucoes/pendentes.service.ts';
import type { RecebimentosService } from '../../../domain/recebimentos/recebimentos.service.ts';
import type { WriteFor } from '../../../domain/escrita.ts';
import type { Outbound } from '../../../platform/http/outbound/outbound.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Logger } from 'pino';

interface PspDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly secrets: Secrets;
  readonly outbound: Outbound;
  readonly logger: Pick<Logger, 'warn'>;
  readonly provedores: ProvedoresService;
  readonly receptores: ReceptoresService;
  readonly recebimentos: RecebimentosService;
}

/** What there is to do with PSPs: how they are spoken to, and what is charged by them. */
export function composePsp(deps: PspDeps) {
  const { db, relogio, write, secrets, outbound, logger, provedores, receptores, recebimentos } = deps;
  const cliente = createClientePsp({ saida: outbound, relogio });
  const comuns = { db, relogio, write, segredos: secrets, provedores };
  return {
    psp: {
      ...createConveniosPspService({ ...comuns, conferirUrl: (url) => outbound.check(url) }),
      ...createConexaoPspService({ ...comuns, cliente, receptores }),
    },
    cobrancasPix: createAcompanhamentoDeCobrancasService(comuns),
    avisosDoPsp: createAvisosDoPspService(comuns),
    devolucoesAoPsp: createDevolucoesAoPspService({
      ...comuns,
      cliente,
      pendentes: createDevolucoesPendentesService({ db }),
    }),
    envioAoPsp: createEnvioAoPspService({
      ...comuns,
      cliente,
      recebimentos,
      autor: atorDaTarefa('pix.psp'),
      aoFalhar: (alvo, error) => logger.warn({ ...alvo, err: error }, 'PSP por atender'),
    }),
  };
}
