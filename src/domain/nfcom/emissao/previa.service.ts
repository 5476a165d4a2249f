import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { centavos, lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { montarNota } from '../../../brazil/nfcom/nota.ts';
import type { TotaisDaNota } from '../../../brazil/nfcom/itens/totais.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { ownIteration } from '../../../platform/timing/iteration.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { lerConfiguracaoNfcom } from '../configuracao/leitura.service.ts';
import { lerContexto } from '../nota/contexto.ts';
import { montarDados } from '../nota/montagem.regras.ts';
import { createEmissaoNfcomQueries } from './emissao.queries.ts';
import { notasDe } from './linhas.ts';
import { semMesesAVir } from './emissao.types.ts';
import type { FaturaRecusada, FiltroDeEmissao, PreviaDaEmissao, TotaisSomados } from './emissao.types.ts';

export type PreviaNfcomService = ReturnType<typeof createPreviaNfcomService>;

/** Invoices of which a page shows what their notes amount to by tax, where nothing is said, and how many are looked at at a time. */
const MAIOR_PREVIA = 1000;
const POR_VEZ = 250;
const MAIS_RECUSADAS = 200;
/** Notes that are built in one go: others are answered between two of them. */
const SEM_CEDER = 25;

/** What would be issued. Notes are built as they would be, and neither numbered nor signed. */
export function createPreviaNfcomService({
  tenant,
  provedor,
  relogio,
  maior = MAIOR_PREVIA,
}: {
  readonly tenant: TenantDb;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
  /** Invoices that it looks at, at most. */
  readonly maior?: number;
}) {
  const queries = createEmissaoNfcomQueries(tenant, provedor.fusoHorario);
  return {
    /**
     * Count and amount of all invoices, and the notes of as many of them as a page waits for. Who waits longer asks part by part, and joins them
     * ({@link juntarPrevias}).
     *
     * @param aPartirDe id of the invoice after which this part begins; 0 at first
     */
    async previa(pedido: FiltroDeEmissao, aPartirDe = 0): Promise<PreviaDaEmissao> {
      const configuracao = await lerConfiguracaoNfcom(tenant);
      const agora = relogio.agora();
      const filtro = semMesesAVir(pedido, hojeEm(provedor.fusoHorario, agora));
      let totais = NADA;
      let notas = 0;
      let recusadasAoTodo = 0;
      const recusadas: FaturaRecusada[] = [];
      const esperam = await queries.quantas({ ...filtro, esperando: true });
      const { faturas, valor } = await queries.somadas(filtro);
      let depoisDe = aPartirDe;
      let vistas = 0;
      let montadas = 0;
      for (;;) {
        const lote = await queries.candidatas(filtro, depoisDe, Math.min(POR_VEZ, maior));
        const ultima = lote.at(-1);
        const valorDasFaturas = lerDinheiro(valor);
        const ditas = { notas, totais, recusadas, recusadasAoTodo, esperam, faturas, valorDasFaturas };
        if (ultima === undefined) return { ...ditas, cortada: null, proxima: null };
        if (vistas >= maior) return { ...ditas, cortada: vistas, proxima: depoisDe };
        depoisDe = ultima.id;
        vistas += lote.length;
        const ids = lote.map(({ id }) => id);
        const contexto = await lerContexto(tenant, provedor, configuracao, ids, agora);
        for (const { fatura_id: faturaId, cliente_id: clienteId, contrato_id: contratoId } of await notasDe(
          tenant,
          lote,
        )) {
          if (montadas % SEM_CEDER === 0) await ownIteration();
          montadas += 1;
          const montada = montarDados(provedor, contexto, { ...DE_PROVA, faturaId, contratoId, emitidaEm: agora });
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

/** What two parts of a preview say together; count and amount of the invoices are those of all in either of them. */
export function juntarPrevias(antes: PreviaDaEmissao, parte: PreviaDaEmissao): PreviaDaEmissao {
  const { proxima } = parte;
  return {
    ...antes,
    notas: antes.notas + parte.notas,
    totais: somarTotais(antes.totais, parte.totais),
    recusadas: [...antes.recusadas, ...parte.recusadas].slice(0, MAIS_RECUSADAS),
    recusadasAoTodo: antes.recusadasAoTodo + parte.recusadasAoTodo,
    cortada: proxima === null ? null : (antes.cortada ?? 0) + (parte.cortada ?? 0),
    proxima,
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
  return somarTotais(antes, { ...totais, ibs: ibsCbs?.ibs ?? ZERO, cbs: ibsCbs?.cbs ?? ZERO });
}

function somarTotais(antes: TotaisSomados, mais: TotaisSomados): TotaisSomados {
  const nomes = Object.keys(antes) as (keyof TotaisSomados)[];
  return Object.fromEntries(
    nomes.map((nome) => [nome, centavos(antes[nome] + mais[nome])]),
  ) as unknown as TotaisSomados;
}
