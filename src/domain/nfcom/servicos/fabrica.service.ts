import type { TributosDoItem } from '../../../brazil/nfcom/base/tributos.types.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import { createServicosQueries } from './servicos.queries.ts';

interface Comeco {
  readonly crt: number;
  /** How much of a price is SVA, in ten-thousandths of a percent. */
  readonly sva: number;
  /** ICMS of the UF, of who is not in the Simples. */
  readonly icms: number;
}

const NADA = { icmsForaDaBase: false, fust: null, funttel: null } as const;

/** PIS 0.65 % and COFINS 3 % cumulative, FUST 1 % (Lei 9.998/2000) and FUNTTEL 0.5 % (Lei 10.052/2000): telecommunications of the normal regime. */
const doNormal = (icms: number): TributosDoItem => ({
  icms: { cst: '00', aliquota: icms, fcp: null },
  pis: { cst: '01', aliquota: 6500 },
  cofins: { cst: '01', aliquota: 30_000 },
  icmsForaDaBase: false,
  fust: 10_000,
  funttel: 5000,
});

const DO_SIMPLES: TributosDoItem = { icms: { cst: 'simples' }, pis: null, cofins: null, ...NADA };
const FORA_DO_SIMPLES: TributosDoItem = { icms: { cst: 'fora' }, pis: null, cofins: null, ...NADA };
const FORA_DO_NORMAL: TributosDoItem = {
  icms: { cst: 'fora' },
  pis: { cst: '01', aliquota: 6500 },
  cofins: { cst: '01', aliquota: 30_000 },
  ...NADA,
};

/** The ordinary service. */
const IBS_CBS = { cst: '000', classe: '000001', tributado: true };

/**
 * Services, taxes and the split that a provider begins with, where it has none: access to the internet (cClass 0400401, CFOP 5307) and,
 * where a part of its prices is that, value-added services (0600601, outside ICMS).
 */
export async function criarServicosDeFabrica(w: Write, { crt, sva, icms }: Comeco, agora: Date): Promise<void> {
  if ((await createServicosQueries(w).servicos()).length > 0) return;
  const atualizado_em = toDatabaseTime(agora);
  const simples = crt !== 3;
  const grupo = async (nome: string, tributos: TributosDoItem): Promise<number> =>
    w.insert('nfcom_grupos', {
      nome,
      tributos: JSON.stringify(tributos),
      ibs_cbs: JSON.stringify(IBS_CBS),
      atualizado_em,
    });

  const daInternet = await w.insert('nfcom_servicos', {
    codigo: 'INTERNET',
    descricao: 'Acesso à internet',
    classe: '0400401',
    cfop: '5307',
    unidade: 4,
    grupo_id: await grupo('Comunicação', simples ? DO_SIMPLES : doNormal(icms)),
    atualizado_em,
  });
  const parte = { dono: 'provedor', descricao: null };
  if (sva === 0) {
    await w.insert('nfcom_partes', { ...parte, servico_id: daInternet, ordem: 0 });
    return;
  }
  const doSva = await w.insert('nfcom_servicos', {
    codigo: 'SVA',
    descricao: 'Serviço de valor adicionado',
    classe: '0600601',
    cfop: null,
    unidade: 4,
    grupo_id: await grupo('Fora do ICMS', simples ? FORA_DO_SIMPLES : FORA_DO_NORMAL),
    atualizado_em,
  });
  await w.insert('nfcom_partes', [
    { ...parte, servico_id: daInternet, ordem: 0, percentual: null },
    { ...parte, servico_id: doSva, ordem: 1, percentual: (sva / 10_000).toFixed(4) },
  ]);
}
