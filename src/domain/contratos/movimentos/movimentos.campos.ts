import { exigido, opcional } from '../../campos/campos.ts';
import { escolha, ouNulo, simOuNao, texto } from '../../campos/leitores.ts';
import { versao } from '../../campos/versao.ts';

const motivo = texto(1, 500);
const daVersao = { atualizado_em: opcional(versao) } as const;

/** What happens to invoices that are not due yet when their contract ends; asked, because both are common. */
export const FATURAS_FUTURAS = ['manter', 'cancelar'] as const;

export const CAMPOS_DO_MOVIMENTO = daVersao;
/** Of what may make a client of a pre-registration: e-mail and phones were confirmed with the person. */
export const confirmado = opcional(simOuNao);
export const CAMPOS_DA_ATIVACAO = { ...daVersao, confirmado } as const;
export const COM_MOTIVO = { ...daVersao, motivo: exigido(motivo) } as const;
export const CAMPOS_DA_REATIVACAO = { ...CAMPOS_DA_ATIVACAO, motivo: opcional(ouNulo(motivo)) } as const;
export const COM_MOTIVO_OU_SEM = { ...daVersao, motivo: opcional(ouNulo(motivo)) } as const;
export const CAMPOS_DO_CANCELAMENTO = {
  ...COM_MOTIVO_OU_SEM,
  faturas_futuras: exigido(escolha(FATURAS_FUTURAS)),
} as const;
