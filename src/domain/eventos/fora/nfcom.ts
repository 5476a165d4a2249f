import type { TipoDeFora } from './dito.ts';
import { dados, dinheiro, id, texto } from './dito.ts';

const inteiroOuNulo = { type: ['integer', 'null'] } as const;
const textoOuNulo = { type: ['string', 'null'] } as const;
/** Null of what happened before these were told: nobody knows then whether it is a trial's. */
const ambienteOuNulo = { enum: ['producao', 'homologacao', null] } as const;
const finalidadeOuNula = { enum: ['normal', 'substituicao', 'ajuste', null] } as const;

/** What every event of a note says; one that was refused before it was built has neither number nor key. */
const N = {
  nfcom_id: id,
  fatura_id: id,
  contrato_id: inteiroOuNulo,
  numero: inteiroOuNulo,
  serie: inteiroOuNulo,
  chave: textoOuNulo,
  valor: dinheiro,
  ambiente: ambienteOuNulo,
  finalidade: finalidadeOuNula,
} as const;

const EXEMPLO_N = {
  cliente_id: 1042,
  nfcom_id: 311,
  fatura_id: 9001,
  contrato_id: 2077,
  numero: 1042,
  serie: 1,
  chave: '35260822570047000123620010000000021012345671',
  valor: 99.9,
  ambiente: 'producao',
  finalidade: 'normal',
} as const;

/** What those outside hear of fiscal notes. */
export const DE_FORA_DAS_NOTAS = {
  'nfcom.autorizada': {
    descricao:
      'A autoridade fiscal autorizou a nota fiscal (NFCom) de uma fatura. Em `homologacao` é um ensaio, sem valor fiscal.',
    dados: dados(N),
    exemplo: EXEMPLO_N,
  },
  'nfcom.rejeitada': {
    descricao:
      'A nota fiscal de uma fatura foi rejeitada; `codigo` é o da autoridade, ou um nome, quando a recusa veio antes dela.',
    dados: dados({ ...N, codigo: texto }),
    exemplo: { ...EXEMPLO_N, codigo: '427' },
  },
  'nfcom.cancelada': {
    descricao: 'A nota fiscal de uma fatura foi cancelada.',
    dados: dados(N),
    exemplo: EXEMPLO_N,
  },
  'nfcom.substituida': {
    descricao: 'A nota fiscal de uma fatura foi substituída por outra.',
    dados: dados({ ...N, substituta_id: id }),
    exemplo: { ...EXEMPLO_N, substituta_id: 312 },
  },
} as const satisfies Readonly<Record<string, TipoDeFora>>;
