import { codigoBarras } from '../boleto/boleto.ts';
import { escreverDinheiro, type Centavos } from '../dinheiro/dinheiro.ts';
import { cpfCnpjValido } from '../pessoa/cpf-cnpj.ts';
import type { Conferencia } from './base/conferencia.ts';
import { email, telefone } from './endereco.ts';
import type { DadosDaNota, FaturaDaNota, ResponsavelTecnico } from './base/nota.types.ts';
import { textoDaNota } from './base/texto.ts';
import type { TotaisDaNota } from './itens/totais.ts';
import { escapar, tag, tagOpcional } from './base/xml.ts';

export function escreverTotais(totais: TotaisDaNota): string {
  const { retido, ibsCbs } = totais;
  return tag(
    'total',
    dinheiro('vProd', totais.produtos) +
      tag(
        'ICMSTot',
        dinheiro('vBC', totais.baseDoIcms) +
          dinheiro('vICMS', totais.icms) +
          dinheiro('vICMSDeson', totais.icmsDesonerado) +
          dinheiro('vFCP', totais.fcp),
      ) +
      dinheiro('vCOFINS', totais.cofins) +
      dinheiro('vPIS', totais.pis) +
      dinheiro('vFUNTTEL', totais.funttel) +
      dinheiro('vFUST', totais.fust) +
      tag(
        'vRetTribTot',
        dinheiro('vRetPIS', retido.pis) +
          dinheiro('vRetCofins', retido.cofins) +
          dinheiro('vRetCSLL', retido.csll) +
          dinheiro('vIRRF', retido.irrf),
      ) +
      dinheiro('vDesc', totais.desconto) +
      dinheiro('vOutro', totais.acrescimo) +
      dinheiro('vNF', totais.nota) +
      (ibsCbs === null ? '' : escreverTotalIbsCbs(ibsCbs)),
  );
}

/** Nothing is deferred or given back here, so those totals are zero. */
function escreverTotalIbsCbs(ibsCbs: NonNullable<TotaisDaNota['ibsCbs']>): string {
  const parte = (nome: string, valor: Centavos): string =>
    tag('vDif', '0.00') + tag('vDevTrib', '0.00') + dinheiro(nome, valor);
  const total =
    dinheiro('vBCIBSCBS', ibsCbs.base) +
    tag(
      'gIBS',
      tag('gIBSUF', parte('vIBSUF', ibsCbs.ibsUf)) +
        tag('gIBSMun', parte('vIBSMun', ibsCbs.ibsMunicipio)) +
        dinheiro('vIBS', ibsCbs.ibs),
    ) +
    tag('gCBS', parte('vCBS', ibsCbs.cbs));
  return tag('IBSCBSTot', total) + dinheiro('vTotDFe', ibsCbs.documento);
}

/** gFat: the bill. An ajuste has none, and every other note has one (270, 273). */
export function escreverFatura(c: Conferencia, { fatura, finalidade }: DadosDaNota): string {
  if (finalidade.tipo === 'ajuste') {
    c.conferir(fatura === null, 'finalidade_incoerente', 'fatura', 'Uma nota de ajuste não cobra.');
    return '';
  }
  if (fatura === null) {
    c.recusar('finalidade_incoerente', 'fatura', 'Falta a cobrança da nota.');
    return '';
  }
  const { competencia, vencimento, periodo, debitoAutomatico: debito } = fatura;
  const errada = (certo: boolean, campo: string, mensagem: string): boolean =>
    c.conferir(certo, 'identificacao_invalida', `fatura.${campo}`, mensagem);
  errada(/^20\d{2}(?:0[1-9]|1[0-2])$/.test(competencia), 'competencia', 'A competência é um ano e um mês.');
  errada(periodo === null || periodo.inicio <= periodo.fim, 'periodo', 'O período de uso acaba antes de começar.');
  errada(
    debito === null || /^\d{1,20}$/.test(debito),
    'debitoAutomatico',
    'O código do débito automático tem até 20 algarismos.',
  );
  return tag(
    'gFat',
    tag('CompetFat', competencia) +
      tag('dVencFat', vencimento) +
      (periodo === null ? '' : tag('dPerUsoIni', periodo.inicio) + tag('dPerUsoFim', periodo.fim)) +
      tag('codBarras', linhaDe(c, fatura)) +
      tagOpcional('codDebAuto', debito) +
      escreverPix(c, fatura.pix),
  );
}

/** The digits of the typeable line, whose check digits are right. */
function linhaDe(c: Conferencia, { linhaDigitavel }: FaturaDaNota): string {
  const campo = 'fatura.linhaDigitavel';
  if (linhaDigitavel === null || linhaDigitavel === '') {
    c.recusar('sem_linha_digitavel', campo, 'A fatura não tem boleto, e a nota leva a sua linha digitável.');
    return '';
  }
  const certa = codigoBarras(linhaDigitavel) !== null;
  c.conferir(certa, 'linha_digitavel_invalida', campo, 'A linha digitável da fatura não é válida.');
  return linhaDigitavel.replace(/[-. ]/g, '');
}

/** A PIX text has a check sum over its characters, so that it is written as it is or not at all. */
function escreverPix(c: Conferencia, pix: string | null): string {
  if (pix === null) return '';
  const certo = textoDaNota(pix) === pix && pix.length >= 2 && pix.length <= 2000;
  c.conferir(certo, 'caractere_invalido', 'fatura.pix', 'O código PIX tem o que a nota não aceita.');
  return tag('gPIX', tag('urlQRCodePIX', escapar(pix)));
}

/** autXML, infAdic and gRespTec. `resumir` is SHA-1 in Base64, of what proves the technical responsible. */
export function escreverFinal(
  c: Conferencia,
  dados: DadosDaNota,
  chave: string,
  resumir: (texto: string) => string,
): string {
  const { autorizados, responsavelTecnico } = dados;
  c.conferir(
    autorizados.length <= 10 && autorizados.every(cpfCnpjValido),
    'documento_invalido',
    'autorizados',
    'Quem pode baixar a nota são até 10 CPF ou CNPJ válidos.',
  );
  return (
    autorizados.map((um) => tag('autXML', tag(um.length === 11 ? 'CPF' : 'CNPJ', um))).join('') +
    escreverInformacoes(c, dados) +
    (responsavelTecnico === null ? '' : escreverResponsavel(c, responsavelTecnico, chave, resumir))
  );
}

function escreverInformacoes(c: Conferencia, dados: DadosDaNota): string {
  const complementares = dados.informacoesComplementares;
  c.conferir(
    complementares.length <= 5,
    'texto_longo',
    'informacoesComplementares',
    'A nota leva até 5 informações complementares.',
  );
  const fisco = c.textoOpcional(dados.informacoesAoFisco, {
    campo: 'informacoesAoFisco',
    rotulo: 'A informação ao fisco',
    maximo: 2000,
    inteiro: true,
  });
  const textos = complementares.map((texto, n) =>
    c.textoOpcional(texto, {
      campo: `informacoesComplementares[${n}]`,
      rotulo: 'A informação complementar',
      maximo: 3000,
      inteiro: true,
    }),
  );
  const dentro = tagOpcional('infAdFisco', fisco) + textos.map((texto) => tagOpcional('infCpl', texto)).join('');
  return dentro === '' ? '' : tag('infAdic', dentro);
}

function escreverResponsavel(
  c: Conferencia,
  { cnpj, contato, csrt, ...meios }: ResponsavelTecnico,
  chave: string,
  resumir: (texto: string) => string,
): string {
  const campo = 'responsavelTecnico';
  const certo = cnpj.length === 14 && cpfCnpjValido(cnpj);
  c.conferir(certo, 'documento_invalido', `${campo}.cnpj`, 'O CNPJ do responsável técnico não é válido.');
  const nome = c.texto(contato, {
    campo: `${campo}.contato`,
    rotulo: 'O contato do responsável técnico',
    minimo: 2,
    maximo: 60,
  });
  const fone = telefone(meios.telefone);
  const correio = email(meios.email);
  c.conferir(
    fone !== null && correio !== null,
    'texto_curto',
    `${campo}.telefone`,
    'O responsável técnico precisa de telefone e e-mail.',
  );
  if (csrt !== null) {
    const certos = /^\d{3}$/.test(csrt.id) && csrt.codigo !== '';
    c.conferir(certos, 'identificacao_invalida', `${campo}.csrt`, 'O CSRT tem um número de 3 algarismos e um código.');
  }
  return tag(
    'gRespTec',
    tag('CNPJ', cnpj) +
      tag('xContato', escapar(nome)) +
      tag('email', escapar(correio ?? '')) +
      tag('fone', fone ?? '') +
      (csrt === null ? '' : tag('idCSRT', csrt.id) + tag('hashCSRT', resumir(csrt.codigo + chave))),
  );
}

const dinheiro = (nome: string, valor: Centavos): string => tag(nome, escreverDinheiro(valor));
