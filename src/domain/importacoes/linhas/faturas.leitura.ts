import { exigido, opcional } from '../../campos/campos.ts';
import type { ValoresDe } from '../../campos/campos.ts';
import { dinheiro, documento, escolha, ouNulo, texto } from '../../campos/leitores.ts';
import { lerSituacaoDaFatura } from '../formatos/situacoes.regras.ts';
import type { SituacaoDaFaturaLida } from '../formatos/situacoes.regras.ts';
import { emData, emDinheiro, emDocumento, emPalavra } from '../formatos/valores.regras.ts';
import { loginImportado } from './acesso.leitura.ts';
import { lerCobranca } from './cobranca.leitura.ts';
import type { CobrancaLida } from './cobranca.leitura.ts';
import { codigoDe } from './codigo.regras.ts';
import { dataImportada } from './datas.leitura.ts';
import type { Contexto, Registro } from './registro.ts';
import { lerPelaForma } from './registro.ts';

const FORMA = {
  valor: exigido(dinheiro()),
  vencimento: exigido(dataImportada),
  emitida_em: opcional(ouNulo(dataImportada)),
  descricao: opcional(ouNulo(texto(1, 255))),
  tipo: opcional(escolha(['boleto', 'pix', 'carne', 'carteira'])),
  valor_pago: opcional(dinheiro({ zero: true })),
  pago_em: opcional(ouNulo(dataImportada)),
  login: opcional(ouNulo(loginImportado)),
  cpf_cnpj: opcional(ouNulo(documento)),
} as const;

export interface FaturaLida {
  readonly codigo: string;
  readonly situacao: SituacaoDaFaturaLida;
  readonly fatura: ValoresDe<typeof FORMA>;
  /** By which of these its contract or client is found, the first that the file has. */
  readonly codigoContrato: string | null;
  readonly codigoCliente: string | null;
  /** The charging account as the file names it. */
  readonly cobrador: string | null;
  /** Null unless it is open. */
  readonly cobranca: CobrancaLida | null;
}

/** Reads a line as an invoice; null where it cannot be, with what is wrong in `erros`. */
export function lerFaturaImportada(registro: Registro, { formato, mapa }: Contexto): FaturaLida | null {
  const codigo = codigoDe(registro, formato, 'codigo');
  const codigoContrato = codigoDe(registro, formato, 'codigo_contrato', null);
  const codigoCliente = codigoDe(registro, formato, 'codigo_cliente', null);
  const escrita = registro.texto('situacao');
  const situacao = lerSituacaoDaFatura(escrita === undefined ? undefined : emPalavra(escrita));
  if (situacao === undefined) registro.errar('situacao', 'não se conhece este estado');
  const dados = {
    valor: registro.convertido('valor', emDinheiro),
    vencimento: registro.convertido('vencimento', emData),
    emitida_em: registro.convertido('emitida_em', emData),
    descricao: registro.texto('descricao'),
    tipo: registro.convertido('tipo', emPalavra),
    valor_pago: registro.convertido('valor_pago', emDinheiro),
    pago_em: registro.convertido('pago_em', emData),
    login: registro.texto('login'),
    cpf_cnpj: registro.convertido('cpf_cnpj', emDocumento),
  };
  const presentes = Object.fromEntries(Object.entries(dados).filter(([, valor]) => valor !== undefined));
  const fatura = lerPelaForma(registro, FORMA, presentes, { tolerar: mapa.tolerar ?? [] });
  if (fatura !== null) {
    const semDono = codigoContrato ?? codigoCliente ?? fatura.login ?? fatura.cpf_cnpj;
    if (semDono === null || semDono === undefined)
      registro.errar('codigo_contrato', 'não diz de que contrato ou cliente é');
    if (situacao === 'aberta' && (fatura.valor_pago ?? 0) >= fatura.valor) {
      registro.errar('valor_pago', 'uma fatura aberta não pode estar toda paga');
    }
  }
  if (registro.erros.length > 0 || fatura === null || codigo === null || situacao === undefined) return null;
  const cobranca = situacao === 'aberta' ? lerCobranca(registro, fatura) : null;
  const cobrador = registro.texto('cobrador') ?? null;
  return { codigo, situacao, fatura, codigoContrato, codigoCliente, cobrador, cobranca };
}
