import type { Autorizador, Enderecos, EnderecosDoAmbiente } from './autorizador.types.ts';

/**
 * Who authorises the notes of each UF, as published by the authorities until 2026. Addresses move: a provider's settings may name others,
 * and those hold.
 */

const NOMES = {
  recepcao: 'NFComRecepcao',
  consulta: 'NFComConsulta',
  status: 'NFComStatusServico',
  evento: 'NFComRecepcaoEvento',
} as const;

const enderecos = (dizer: (servico: string) => string): Enderecos => ({
  recepcao: dizer(NOMES.recepcao),
  consulta: dizer(NOMES.consulta),
  status: dizer(NOMES.status),
  evento: dizer(NOMES.evento),
});

const ambiente = (dizer: (servico: string) => string, qr: string, publica: string): EnderecosDoAmbiente => ({
  ...enderecos(dizer),
  qr,
  publica,
});

const QR_SVRS = 'https://dfe-portal.svrs.rs.gov.br/NFCom/QRCode';
const PUBLICA_SVRS = 'https://dfe-portal.svrs.rs.gov.br/NFCom/consulta';

const SVRS: Autorizador = {
  nome: 'SVRS',
  site: 0,
  producao: ambiente((s) => `https://nfcom.svrs.rs.gov.br/WS/${s}/${s}.asmx`, QR_SVRS, PUBLICA_SVRS),
  homologacao: ambiente((s) => `https://nfcom-homologacao.svrs.rs.gov.br/WS/${s}/${s}.asmx`, QR_SVRS, PUBLICA_SVRS),
};

const QR_MG = 'https://portalnfcom.fazenda.mg.gov.br/qrcode';
const PUBLICA_MG = 'https://portalnfcom.fazenda.mg.gov.br';

const MG: Autorizador = {
  nome: 'SEFAZ MG',
  site: 0,
  producao: ambiente((s) => `https://nfcom.fazenda.mg.gov.br/nfcom/services/${s}`, QR_MG, PUBLICA_MG),
  homologacao: ambiente((s) => `https://hnfcom.fazenda.mg.gov.br/nfcom/services/${s}`, QR_MG, PUBLICA_MG),
};

const QR_MS = 'https://www.dfe.ms.gov.br/nfcom/qrcode';
const PUBLICA_MS = 'https://www.dfe.ms.gov.br/nfcom/consulta';

const MS: Autorizador = {
  nome: 'SEFAZ MS',
  site: 0,
  producao: ambiente((s) => `https://nfcom.sefaz.ms.gov.br/ws/${s}`, QR_MS, PUBLICA_MS),
  homologacao: ambiente((s) => `https://hom.nfcom.sefaz.ms.gov.br/ws/${s}`, QR_MS, PUBLICA_MS),
};

const MT: Autorizador = {
  nome: 'SEFAZ MT',
  site: 0,
  producao: ambiente(
    (s) => `https://www.sefaz.mt.gov.br/nfcom/services/${s}`,
    'https://www.sefaz.mt.gov.br/nfcom-ext-fe/qrcode',
    'https://www.sefaz.mt.gov.br/nfcom-ext-fe/consulta',
  ),
  homologacao: ambiente(
    (s) => `https://homologacao.sefaz.mt.gov.br/nfcom/services/${s}`,
    'https://homologacao.sefaz.mt.gov.br/nfcom-ext-fe/qrcode',
    'https://homologacao.sefaz.mt.gov.br/nfcom-ext-fe/consulta',
  ),
};

const DA_UF: Readonly<Record<string, Autorizador>> = { MG, MS, MT };

/** The authoriser of a UF: its own, or the one that the states share. */
export const autorizadorDaUf = (uf: string): Autorizador => DA_UF[uf] ?? SVRS;
