import type { MotivoDoCertificado } from '../../../brazil/nfcom/assinatura/certificado.ts';
import type { MotivoDoPfx } from '../../../../workers/threads/certificado-a1/contract.ts';

/** Why a certificate does not sign a provider's notes, in words for people. */
export const FALTAS_DO_CERTIFICADO: Readonly<Record<MotivoDoCertificado, string>> = {
  vencido: 'o certificado venceu',
  ainda_nao_vale: 'o certificado ainda não vale',
  sem_cnpj: 'o certificado não é de uma empresa',
  de_outra_empresa: 'o certificado é de outro CNPJ que o do provedor',
};

/** Codes of the authority for certificates that it does not take: no note would pass. */
export const CERTIFICADO_NAO_ACEITO = ['213', '280', '281', '282', '283', '284', '285', '286'] as const;
/** Why a queue stands that goes on with another certificate. */
export const PARADAS_PELO_CERTIFICADO: readonly string[] = [
  ...CERTIFICADO_NAO_ACEITO,
  'sem_certificado',
  'certificado_invalido',
];

/** Why a file is no certificate; `demorado`: it was not opened in time, by its own fault or because the machine was busy. */
export const FALTAS_DO_ARQUIVO: Readonly<Record<MotivoDoPfx | 'demorado', string>> = {
  arquivo_invalido: 'não é um arquivo PFX de certificado A1',
  senha_errada: 'a senha não abre o certificado',
  sem_chave: 'o arquivo não tem a chave do certificado',
  demorado: 'não foi possível abrir o certificado a tempo; tente de novo',
};
