import { centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { montarNota } from '../../../brazil/nfcom/nota.ts';
import type { TotaisDaNota } from '../../../brazil/nfcom/itens/totais.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { lerConfiguracaoNfcom } from '../configuracao/leitura.service.ts';
import { lerContexto } from '../nota/contexto.ts';
import { montarDados } from '../nota/montagem.regras.ts';
import { createEmissaoNfcomQueries } from './emissao.queries.ts';
import type { FaturaRecusada, FiltroDeEmissao, PreviaDaEmissao, TotaisSomados } from './emissao.types.ts';

export type PreviaNfcomService = ReturnType<typeof createPreviaNfcomService>;

/** Invoices that a preview looks at, and how many at a time. */
const MAIOR_PREVIA = 2000;
const POR_VEZ = 250;
const MAIS_RECUSADAS = 200;

/** What would be issued. Notes are built as they would be, and neither numbered nor signed. */
export function createPreviaNfcomService({
  tenant,
  provedor,
  relogio,
}: {
  readonly tenant: TenantDb;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}) {
  const queries = createEmissaoNfcomQueries(tenant, provedor.fusoHorario);
  return {
    async previa(filtro: FiltroDeEmissao): Promise<PreviaDaEmissao> {
      const configuracao = await lerConfiguracaoNfcom(tenant);
      const agora = relogio.agora();
      let totais = NADA;
      let notas = 0;
      let recusadasAoTodo = 0;
      const recusadas: FaturaRecusada[] = [];
      let depoisDe = 0;
      let vistas = 0;
      for (;;) {
        const lote = await queries.candidatas(filtro, depoisDe, POR_VEZ);
        const ultima = lote.at(-1);
        if (ultima === undefined) return { notas, totais, recusadas, recusadasAoTodo, cortada: false };
        if (vistas >= MAIOR_PREVIA) return { notas, totais, recusadas, recusadasAoTodo, cortada: true };
        depoisDe = ultima.id;
        vistas += lote.length;
        const ids = lote.map(({ id }) => id);
        const contexto = await lerContexto(tenant, provedor, configuracao, ids, agora);
        for (const { id: faturaId, cliente_id: clienteId } of lote) {
          const montada = montarDados(provedor, contexto, { ...DE_PROVA, faturaId, emitidaEm: agora });
          const feita = montada.certo ? montarNota(montada.dados, () => '') : null;
          if (feita?.certo === true) {
            notas += 1;
            totais = somar(totais, feita.nota.totais);
            continue;
          }
          recusadasAoTodo += 1;
          const motivos = montada.certo
            ? (feita?.recusas ?? []).map(({ codigo, mensagem }) => ({ codigo, mensagem }))
            : montada.motivos;
          if (recusadas.length < MAIS_RECUSADAS) recusadas.push({ faturaId, clienteId, motivos });
        }
      }
    },
  };
}

/** A number that no note has is as good as the one that it will have. */
const DE_PROVA = {
  serie: 1,
  numero: 1,
  codigoNumerico: '0000001',
  finalidade: { tipo: 'normal' },
  ajuste: null,
  emContingencia: false,
  csrt: null,
} as const;

const ZERO = centavos(0);
const NADA: TotaisSomados = {
  produtos: ZERO,
  desconto: ZERO,
  baseDoIcms: ZERO,
  icms: ZERO,
  fcp: ZERO,
  pis: ZERO,
  cofins: ZERO,
  fust: ZERO,
  funttel: ZERO,
  nota: ZERO,
  ibs: ZERO,
  cbs: ZERO,
};

function somar(antes: TotaisSomados, { ibsCbs, ...totais }: TotaisDaNota): TotaisSomados {
  const mais = { ...totais, ibs: ibsCbs?.ibs ?? ZERO, cbs: ibsCbs?.cbs ?? ZERO };
  const nomes = Object.keys(antes) as (keyof TotaisSomados)[];
  return Object.fromEntries(
    nomes.map((nome) => [nome, centavos(antes[nome] + mais[nome])]),
  ) as unknown as TotaisSomados;
}
