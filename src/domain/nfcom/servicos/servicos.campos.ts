import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Icms, TributosDoItem } from '../../../brazil/nfcom/base/tributos.types.ts';
import { bem, exigido, grupo, mal, malEm, opcional } from '../../campos/campos.ts';
import type { Leitor } from '../../campos/campos.ts';
import { dinheiro, escolha, id, inteiro, ouNulo, simOuNao, texto } from '../../campos/leitores.ts';
import { versaoDe } from '../../campos/versao.ts';
import { codigoDeMunicipio, inscricaoEstadual, taxa } from '../configuracao/configuracao.campos.ts';
import type { ClienteFiscal } from './servicos.types.ts';

const digitos =
  (quantos: number): Leitor<string> =>
  (valor) => {
    const limpo = typeof valor === 'string' ? valor.replace(/\D/g, '') : '';
    return limpo.length === quantos ? bem(limpo) : mal(`deve ter ${quantos} dígitos`);
  };

/** CFOPs that a note may have (MOC 7.6); else the authority answers 433. */
const CFOP = /^(?:1205|5933|[56]30[1-7]|7301)$/;
const cfop: Leitor<string> = (valor) => {
  const limpo = typeof valor === 'string' ? valor.replace(/\D/g, '') : '';
  return CFOP.test(limpo) ? bem(limpo) : mal('deve ser um CFOP de comunicação, como 5307');
};

export const CAMPOS_DO_SERVICO = {
  codigo: exigido(texto(1, 60)),
  descricao: exigido(texto(1, 120)),
  classe: exigido(digitos(7)),
  cfop: opcional(ouNulo(cfop)),
  unidade: opcional(inteiro(1, 4)),
  grupo_id: exigido(id),
} as const;

const CST_DO_ICMS = ['fora', 'simples', '00', '20', '40', '41', '51', '90'] as const;
const CST_DE_CONTRIBUICAO = ['01', '02', '06', '07', '08', '09', '49'] as const;

/** A tax group as it is typed: rates in percent, what is missing is none. */
export const CAMPOS_DO_GRUPO = {
  nome: exigido(texto(1, 80)),
  icms: exigido(escolha(CST_DO_ICMS)),
  icms_aliquota: opcional(ouNulo(taxa)),
  icms_reducao: opcional(ouNulo(taxa)),
  fcp: opcional(ouNulo(taxa)),
  beneficio: opcional(ouNulo(texto(1, 10))),
  beneficio_aliquota: opcional(ouNulo(taxa)),
  pis_cst: opcional(ouNulo(escolha(CST_DE_CONTRIBUICAO))),
  pis: opcional(ouNulo(taxa)),
  cofins_cst: opcional(ouNulo(escolha(CST_DE_CONTRIBUICAO))),
  cofins: opcional(ouNulo(taxa)),
  icms_fora_da_base: opcional(simOuNao),
  fust: opcional(ouNulo(taxa)),
  funttel: opcional(ouNulo(taxa)),
  ibs_cbs_cst: opcional(ouNulo(digitos(3))),
  ibs_cbs_classe: opcional(ouNulo(digitos(6))),
} as const;

interface GrupoDigitado {
  readonly icms: (typeof CST_DO_ICMS)[number];
  readonly icms_aliquota?: number | null | undefined;
  readonly icms_reducao?: number | null | undefined;
  readonly fcp?: number | null | undefined;
  readonly beneficio?: string | null | undefined;
  readonly beneficio_aliquota?: number | null | undefined;
  readonly pis_cst?: (typeof CST_DE_CONTRIBUICAO)[number] | null | undefined;
  readonly pis?: number | null | undefined;
  readonly cofins_cst?: (typeof CST_DE_CONTRIBUICAO)[number] | null | undefined;
  readonly cofins?: number | null | undefined;
  readonly icms_fora_da_base?: boolean | undefined;
  readonly fust?: number | null | undefined;
  readonly funttel?: number | null | undefined;
}

/** The taxes that a group's form says. */
export function tributosDe(lidos: GrupoDigitado): TributosDoItem {
  const contribuicao = (cst: (typeof CST_DE_CONTRIBUICAO)[number] | null = null, aliquota: number | null = 0) =>
    cst === null ? null : { cst, aliquota: aliquota ?? 0 };
  return {
    icms: icmsDe(lidos),
    pis: contribuicao(lidos.pis_cst, lidos.pis),
    cofins: contribuicao(lidos.cofins_cst, lidos.cofins),
    icmsForaDaBase: lidos.icms_fora_da_base ?? false,
    fust: lidos.fust ?? null,
    funttel: lidos.funttel ?? null,
  };
}

function icmsDe({
  icms: cst,
  icms_aliquota,
  icms_reducao,
  fcp = null,
  beneficio: codigo,
  beneficio_aliquota,
}: GrupoDigitado): Icms {
  const beneficio = codigo === null || codigo === undefined ? null : { codigo, aliquotaCheia: beneficio_aliquota ?? 0 };
  if (cst === 'fora' || cst === 'simples') return { cst };
  if (cst === '00') return { cst, aliquota: icms_aliquota ?? 0, fcp };
  if (cst === '20') return { cst, aliquota: icms_aliquota ?? 0, reducao: icms_reducao ?? 0, fcp, beneficio };
  if (cst === '90') return { cst, aliquota: icms_aliquota ?? null, fcp, beneficio };
  return { cst, beneficio };
}

const parte = grupo({
  servico_id: exigido(id),
  descricao: opcional(ouNulo(texto(1, 120))),
  percentual: opcional(ouNulo(taxa)),
  valor: opcional(ouNulo(dinheiro())),
});

const MAIS_PARTES = 20;

const partes: Leitor<
  readonly {
    servico_id: number;
    descricao?: string | null | undefined;
    percentual?: number | null | undefined;
    valor?: Centavos | null | undefined;
  }[]
> = (valor) => {
  if (!Array.isArray(valor) || valor.length > MAIS_PARTES)
    return mal(`deve ser uma lista de até ${MAIS_PARTES} partes`);
  const lidas = [];
  for (const [n, dado] of valor.entries()) {
    const lida = parte(dado);
    if ('faltas' in lida) return malEm(String(n), lida.faltas);
    lidas.push(lida.valor);
  }
  if (lidas.length === 0) return bem([]);
  if (lidas.some(({ percentual, valor: fixo }) => (percentual ?? null) !== null && (fixo ?? null) !== null)) {
    return mal('cada parte tem um percentual ou um valor, e não os dois');
  }
  const restos = lidas.filter(
    ({ percentual, valor: fixo }) => (percentual ?? null) === null && (fixo ?? null) === null,
  ).length;
  if (restos > 1) return mal('só uma parte fica com o que sobra');
  const soma = lidas.reduce((total, { percentual }) => total + (percentual ?? 0), 0);
  if (soma > 1_000_000) return mal('os percentuais passam de 100');
  if (restos === 0 && (soma !== 1_000_000 || lidas.some(({ valor: fixo }) => (fixo ?? null) !== null))) {
    return mal('os percentuais devem somar 100, ou uma parte ficar com o que sobra');
  }
  return bem(lidas);
};

/** None: the owner has no split of its own any more. */
export const CAMPOS_DA_COMPOSICAO = { partes: exigido(partes) } as const;

const retencoes = grupo({ pis: exigido(taxa), cofins: exigido(taxa), csll: exigido(taxa), irrf: exigido(taxa) });

export const CAMPOS_DO_CLIENTE_FISCAL = {
  indicador_ie: opcional(inteiro(1, 9)),
  inscricao_estadual: opcional(ouNulo(inscricaoEstadual)),
  inscricao_municipal: opcional(ouNulo(texto(1, 15))),
  tipo_assinante: opcional(ouNulo(inteiro(1, 99))),
  municipio_codigo: opcional(ouNulo(codigoDeMunicipio)),
  retencoes: opcional(ouNulo(retencoes)),
} as const;

export const CAMPOS_DO_MUNICIPIO = {
  cidade: exigido(texto(1, 100)),
  uf: exigido(texto(2, 2)),
  codigo: exigido(ouNulo(codigoDeMunicipio)),
} as const;

/** What a client's form was read with; see `versaoDe`. */
export const versaoDoClienteFiscal = ({ retencoes: retidas, ...campos }: ClienteFiscal): string =>
  versaoDe({
    ...campos,
    retencoes: retidas === null ? null : [retidas.pis, retidas.cofins, retidas.csll, retidas.irrf].join(' '),
  });
