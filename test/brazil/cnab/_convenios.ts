import type { BancoComCnab, Convenio } from '../../../src/brazil/cnab/convenio.types.ts';
import { formatoDoBanco } from '../../../src/brazil/cnab/ajustes.ts';

const COMUM = {
  agencia: '',
  agenciaDv: '',
  conta: '',
  contaDv: '',
  carteira: '',
  variacao: '',
  convenio: '',
  codigoTransmissao: '',
  posto: '',
  cnpj: '11222333000181',
  nome: 'Provedor Exemplo Ltda',
  teste: false,
  jurosAoMes: 100,
  multa: 200,
  baixaEmDias: null,
  ajustes: {},
};

/** Agreements as those of the vectors. */
const DO_BANCO: Record<BancoComCnab, Partial<Convenio>> = {
  '001': {
    agencia: '1234',
    agenciaDv: '3',
    conta: '12345',
    contaDv: 'X',
    carteira: '17',
    variacao: '019',
    convenio: '1238798',
    baixaEmDias: 30,
  },
  '033': {
    agencia: '1777',
    conta: '13002862',
    contaDv: '5',
    carteira: '101',
    convenio: '1899775',
    codigoTransmissao: '17777751042700080112',
  },
  '077': { agencia: '0001', conta: '12345678', contaDv: '9', carteira: '112', convenio: '1234567', baixaEmDias: 30 },
  '104': { agencia: '1234', agenciaDv: '0', carteira: '14', convenio: '100000', baixaEmDias: 120 },
  '237': { agencia: '1172', conta: '0403005', contaDv: '2', carteira: '09', convenio: '4540691' },
  '341': { agencia: '0057', conta: '12345', contaDv: '7', carteira: '109', baixaEmDias: 60 },
  '748': { agencia: '0165', posto: '02', carteira: '1', convenio: '00623', contaDv: '8', baixaEmDias: 60 },
  '756': { agencia: '3069', agenciaDv: '4', conta: '12345678', contaDv: '9', carteira: '1', convenio: '828190' },
};

export const convenioDe = (banco: BancoComCnab, mudado: Partial<Convenio> = {}): Convenio => ({
  banco,
  formato: formatoDoBanco(banco),
  ...COMUM,
  ...DO_BANCO[banco],
  ...mudado,
});
