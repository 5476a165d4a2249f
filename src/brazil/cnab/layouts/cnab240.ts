/**
 * FEBRABAN's layout of 240 positions, 09.1 (2015-10-19). Fields as `name from-to kind=constant`, from position 1; kinds: n digits
 * (zeros on the left), a text (blanks on the right), d date DDMMAAAA. What is not given is zeros or blanks.
 */
export const FEBRABAN_240 = {
  headerArquivo: `
    banco 1-3 n | lote 4-7 n | tipoRegistro 8-8 n | reservado9 9-17 a | tipoInscricaoEmpresa 18-18 n |
    inscricaoEmpresa 19-32 n | convenio 33-52 a | agencia 53-57 n | agenciaDv 58-58 a | conta 59-70 n |
    contaDv 71-71 a | agenciaContaDv 72-72 a | nomeEmpresa 73-102 a | nomeBanco 103-132 a | reservado133 133-142 a |
    remessaRetorno 143-143 n | dataGeracao 144-151 d | horaGeracao 152-157 n | nsa 158-163 n |
    versaoLayoutArquivo 164-166 n=091 | densidade 167-171 n | reservadoBanco 172-191 a |
    reservadoEmpresa 192-211 a | reservado212 212-240 a`,
  headerLote: `
    banco 1-3 n | lote 4-7 n | tipoRegistro 8-8 n=1 | tipoOperacao 9-9 a=R | tipoServico 10-11 n=01 |
    reservado12 12-13 a | versaoLayoutLote 14-16 n=048 | reservado17 17-17 a | tipoInscricaoEmpresa 18-18 n |
    inscricaoEmpresa 19-33 n | convenio 34-53 a | agencia 54-58 n | agenciaDv 59-59 a | conta 60-71 n |
    contaDv 72-72 a | agenciaContaDv 73-73 a | nomeEmpresa 74-103 a | mensagem1 104-143 a | mensagem2 144-183 a |
    numeroRemessaRetorno 184-191 n | dataGravacao 192-199 d | dataCredito 200-207 d | reservado208 208-240 a`,
  segmentoP: `
    banco 1-3 n | lote 4-7 n | tipoRegistro 8-8 n=3 | sequencialNoLote 9-13 n | segmento 14-14 a=P |
    reservado15 15-15 a | codigoMovimento 16-17 n | agencia 18-22 n | agenciaDv 23-23 a | conta 24-35 n |
    contaDv 36-36 a | agenciaContaDv 37-37 a | nossoNumero 38-57 a | carteira 58-58 n | formaCadastramento 59-59 n |
    tipoDocumento 60-60 a | emissaoBoleto 61-61 n | distribuicao 62-62 a | numeroDocumento 63-77 a |
    vencimento 78-85 d | valor 86-100 n | agenciaCobradora 101-105 n | agenciaCobradoraDv 106-106 a |
    especie 107-108 n | aceite 109-109 a=N | emissao 110-117 d | codigoJuros 118-118 n | dataJuros 119-126 d |
    juros 127-141 n | codigoDesconto1 142-142 n | dataDesconto1 143-150 d | desconto1 151-165 n | iof 166-180 n |
    abatimento 181-195 n | usoEmpresa 196-220 a | codigoProtesto 221-221 n | diasProtesto 222-223 n |
    codigoBaixa 224-224 n | diasBaixa 225-227 a | moeda 228-229 n=09 | contrato 230-239 n |
    pagamentoParcial 240-240 a`,
  segmentoQ: `
    banco 1-3 n | lote 4-7 n | tipoRegistro 8-8 n=3 | sequencialNoLote 9-13 n | segmento 14-14 a=Q |
    reservado15 15-15 a | codigoMovimento 16-17 n | tipoInscricaoPagador 18-18 n | inscricaoPagador 19-33 n |
    nomePagador 34-73 a | endereco 74-113 a | bairro 114-128 a | cep 129-133 n | cepSufixo 134-136 n |
    cidade 137-151 a | uf 152-153 a | tipoInscricaoSacador 154-154 n | inscricaoSacador 155-169 n |
    nomeSacador 170-209 a | bancoCorrespondente 210-212 n | nossoNumeroCorrespondente 213-232 a |
    reservado233 233-240 a`,
  segmentoR: `
    banco 1-3 n | lote 4-7 n | tipoRegistro 8-8 n=3 | sequencialNoLote 9-13 n | segmento 14-14 a=R |
    reservado15 15-15 a | codigoMovimento 16-17 n | codigoDesconto2 18-18 n | dataDesconto2 19-26 d |
    desconto2 27-41 n | codigoDesconto3 42-42 n | dataDesconto3 43-50 d | desconto3 51-65 n | codigoMulta 66-66 a |
    dataMulta 67-74 d | multa 75-89 n | informacaoPagador 90-99 a | mensagem3 100-139 a | mensagem4 140-179 a |
    reservado180 180-199 a | codigoOcorrenciaPagador 200-207 n | bancoDebito 208-210 n | agenciaDebito 211-215 n |
    agenciaDebitoDv 216-216 a | contaDebito 217-228 n | contaDebitoDv 229-229 a | agenciaContaDebitoDv 230-230 a |
    avisoDebito 231-231 n | reservado232 232-240 a`,
  segmentoT: `
    banco 1-3 n | lote 4-7 n | tipoRegistro 8-8 n=3 | sequencialNoLote 9-13 n | segmento 14-14 a=T |
    reservado15 15-15 a | codigoMovimento 16-17 n | agencia 18-22 n | agenciaDv 23-23 a | conta 24-35 n |
    contaDv 36-36 a | agenciaContaDv 37-37 a | nossoNumero 38-57 a | carteira 58-58 n | numeroDocumento 59-73 a |
    vencimento 74-81 d | valor 82-96 n | bancoRecebedor 97-99 n | agenciaRecebedora 100-104 n |
    agenciaRecebedoraDv 105-105 n | usoEmpresa 106-130 a | moeda 131-132 n | tipoInscricaoPagador 133-133 n |
    inscricaoPagador 134-148 n | nomePagador 149-188 a | contrato 189-198 n | tarifa 199-213 n | motivos 214-223 a |
    reservado224 224-240 a`,
  segmentoU: `
    banco 1-3 n | lote 4-7 n | tipoRegistro 8-8 n=3 | sequencialNoLote 9-13 n | segmento 14-14 a=U |
    reservado15 15-15 a | codigoMovimento 16-17 n | acrescimos 18-32 n | desconto 33-47 n | abatimento 48-62 n |
    iof 63-77 n | valorPago 78-92 n | valorLiquido 93-107 n | outrasDespesas 108-122 n | outrosCreditos 123-137 n |
    dataOcorrencia 138-145 d | dataCredito 146-153 d | codigoOcorrenciaPagador 154-157 a |
    dataOcorrenciaPagador 158-165 d | valorOcorrenciaPagador 166-180 n | complementoOcorrencia 181-210 a |
    bancoCorrespondente 211-213 n | nossoNumeroCorrespondente 214-233 n | reservado234 234-240 a`,
  trailerLote: `
    banco 1-3 n | lote 4-7 n | tipoRegistro 8-8 n=5 | reservado9 9-17 a | quantidadeRegistros 18-23 n |
    quantidadeSimples 24-29 n | valorSimples 30-46 n | quantidadeVinculada 47-52 n | valorVinculada 53-69 n |
    quantidadeCaucionada 70-75 n | valorCaucionada 76-92 n | quantidadeDescontada 93-98 n |
    valorDescontada 99-115 n | avisoLancamento 116-123 a | reservado124 124-240 a`,
  trailerArquivo: `
    banco 1-3 n | lote 4-7 n | tipoRegistro 8-8 n=9 | reservado9 9-17 a | quantidadeLotes 18-23 n |
    quantidadeRegistros 24-29 n | quantidadeContasConciliacao 30-35 n | reservado36 36-240 a`,
} as const;

/** What banks have otherwise: the fields replace those of the same positions. */
export const BANCOS_240: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '001': {
    headerArquivo: `
      convenio 33-41 n | cobrancaCedente 42-45 n=0014 | carteira 46-47 n | variacao 48-50 n |
      situacaoArquivo 51-52 a`,
    headerLote: `
      convenio 34-42 n | cobrancaCedente 43-46 n=0014 | carteira 47-48 n | variacao 49-51 n |
      situacaoArquivo 52-53 a`,
    trailerLote: `
      reservado24 24-240 a`,
  },
  '033': {
    headerArquivo: `
      reservado9 9-16 a | tipoInscricaoEmpresa 17-17 n | inscricaoEmpresa 18-32 n | codigoTransmissao 33-47 n |
      reservado48 48-72 a | reservado152 152-157 a | reservado167 167-240 a`,
    headerLote: `
      reservado34 34-53 a | codigoTransmissao 54-68 n | reservado69 69-73 a | reservado200 200-240 a`,
    trailerLote: `
      reservado24 24-240 a`,
    trailerArquivo: `
      reservado30 30-240 a`,
    segmentoT: `
      agencia 18-21 n | agenciaDv 22-22 a | conta 23-31 n | contaDv 32-32 a | reservado33 33-40 a |
      nossoNumero 41-53 n | tipoCobranca 54-54 n | numeroDocumento 55-69 a | vencimento 70-77 d | valor 78-92 n |
      bancoRecebedor 93-95 n | agenciaRecebedora 96-99 n | agenciaRecebedoraDv 100-100 n | usoEmpresa 101-125 a |
      moeda 126-127 n | tipoInscricaoPagador 128-128 n | inscricaoPagador 129-143 n | nomePagador 144-183 a |
      contaCobranca 184-193 n | tarifa 194-208 n | motivos 209-218 a | reservado219 219-240 a`,
  },
  '104': {
    headerArquivo: `
      zeros33 33-52 n | agencia 53-57 n | agenciaDv 58-58 a | codigoBeneficiario 59-64 n | zeros65 65-72 n |
      versaoAplicativo 212-215 a | reservado216 216-240 a`,
    headerLote: `
      codigoBeneficiario 34-39 n | zeros40 40-53 n | agencia 54-58 n | agenciaDv 59-59 a | codigoConvenio 60-65 n |
      modeloBoleto 66-72 n | zero73 73-73 n`,
    segmentoP: `
      codigoBeneficiario 24-29 n | zeros30 30-37 n | zeros38 38-39 n | zero40 40-40 n | nossoNumero 41-57 n |
      numeroDocumento 63-73 a | reservado74 74-77 a`,
    segmentoR: `
      emailPagador 180-229 a | reservado230 230-240 a`,
    segmentoT: `
      agencia 18-22 n | agenciaDv 23-23 a | codigoBeneficiario 24-29 n | zeros30 30-32 n |
      numeroBancoPagadores 33-35 n | reservado36 36-39 a | nossoNumero 40-56 n | nossoNumeroDv 57-57 n |
      carteira 58-58 n | numeroDocumento 59-69 a | reservado70 70-73 a`,
    trailerLote: `
      quantidadeCaucionada 70-75 n | valorCaucionada 76-92 n | reservado93 93-123 a`,
  },
  '748': {},
  '756': {
    segmentoP: `
      nossoNumero 38-47 n | parcela 48-49 n=01 | modalidade 50-51 n=01 | tipoFormulario 52-52 n=4 |
      reservado53 53-57 a`,
    segmentoT: `
      nossoNumero 38-47 n | parcela 48-49 n | modalidade 50-51 n | tipoFormulario 52-52 n | reservado53 53-57 a`,
  },
};

/** Caixa's records for a beneficiary of 7 digits, which takes one position more. */
export const CAIXA_DE_SETE: Readonly<Record<string, string>> = {
  headerArquivo: `
      zeros33 33-52 n | agencia 53-57 n | agenciaDv 58-58 a | codigoBeneficiario 59-65 n | zeros66 66-72 n |
      versaoAplicativo 212-215 a | reservado216 216-240 a`,
  headerLote: `
      codigoBeneficiario 34-40 n | zeros41 41-53 n | agencia 54-58 n | agenciaDv 59-59 a | codigoConvenio 60-65 n |
      modeloBoleto 66-72 n | zero73 73-73 n`,
  segmentoP: `
      codigoBeneficiario 24-30 n | zeros31 31-37 n | zeros38 38-39 n | zero40 40-40 n | nossoNumero 41-57 n |
      numeroDocumento 63-73 a | reservado74 74-77 a`,
};
