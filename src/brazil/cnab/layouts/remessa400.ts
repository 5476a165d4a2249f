/**
 * CNAB 400, as the public programs laravel-boleto and BoletoNetCore agree on it. Fields as in `cnab240.ts`; d is here DDMMAA where six
 * positions are.
 */
export const REMESSA_400: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '033': {
    header: `
      tipoRegistro 1-1 n | fixo2 2-2 n=1 | fixo3 3-9 a=REMESSA | fixo10 10-11 n=01 | fixo12 12-26 a=COBRANCA |
      codigoTransmissao 27-46 n | nomeEmpresa 47-76 a | banco 77-79 n | fixo80 80-94 a=SANTANDER |
      dataGeracao 95-100 d | fixo101 101-116 n | reservado117 117-391 a | fixo392 392-394 n |
      sequencialRegistro 395-400 n`,
    detalhe: `
      tipoRegistro 1-1 n=1 | tipoInscricaoEmpresa 2-3 n | inscricaoEmpresa 4-17 n | codigoTransmissao 18-37 n |
      usoEmpresa 38-62 a | nossoNumero 63-70 a | fixo71 71-76 n | reservado77 77-77 a | codigoMulta 78-78 n |
      multa 79-82 n | fixo83 83-84 n | fixo85 85-97 n | reservado98 98-101 a | dataMulta 102-107 d |
      carteira 108-108 n | ocorrencia 109-110 n | numeroDocumento 111-120 a | vencimento 121-126 d | valor 127-139 n |
      banco 140-142 n | fixo143 143-147 n | especie 148-149 n | aceite 150-150 a | emissao 151-156 d |
      instrucao 157-158 n | instrucao159 159-160 n | jurosDia 161-173 n | dataDesconto 174-179 d |
      desconto 180-192 n | fixo193 193-205 n | fixo206 206-218 n | tipoInscricaoPagador 219-220 n |
      inscricaoPagador 221-234 n | nomePagador 235-274 a | endereco 275-314 a | bairro 315-326 a | cep 327-334 n |
      cidade 335-349 a | uf 350-351 a | sacadorAvalista 352-381 a | reservado382 382-382 a | fixo383 383-383 a=I |
      complemento 384-385 a | reservado386 386-391 a | diasProtesto 392-393 n | reservado394 394-394 a |
      sequencialRegistro 395-400 n`,
    pix: `
      tipoRegistro 1-1 n=8 | tipoPagamento 2-3 n | quantidadePagamentos 4-5 n=01 | tipoValor 6-6 n=2 |
      valorMaximo 7-19 n | percentualMaximo 20-24 n=10000 | valorMinimo 25-37 n | percentualMinimo 38-42 n=10000 |
      tipoChavePix 43-43 n | chavePix 44-120 a | txid 121-155 a | reservado156 156-394 a |
      sequencialRegistro 395-400 n`,
    trailer: `
      tipoRegistro 1-1 n=9 | quantidade 2-7 n | valorTotal 8-20 n | fixo21 21-394 n | sequencialRegistro 395-400 n`,
  },
  '077': {
    header: `
      tipoRegistro 1-1 n | fixo2 2-2 n=1 | fixo3 3-9 a=REMESSA | fixo10 10-11 n=01 | fixo12 12-26 a=COBRANCA |
      reservado27 27-46 a | nomeEmpresa 47-76 a | banco 77-79 n | fixo80 80-94 a=INTER | dataGeracao 95-100 d |
      reservado101 101-108 a | fixo109 109-110 a=MX | numeroRemessa 111-117 n | reservado118 118-394 a |
      sequencialRegistro 395-400 n`,
    detalhe: `
      tipoRegistro 1-1 n=1 | reservado2 2-20 a | conta 21-37 n | usoEmpresa 38-62 a | fixo63 63-65 n |
      codigoMulta 66-66 n | fixo67 67-79 n | multa 80-83 n | dataMulta 84-89 d | nossoNumero 90-100 n |
      reservado101 101-108 a | ocorrencia 109-110 n | numeroDocumento 111-120 a | vencimento 121-126 d |
      valor 127-139 n | diasPagavel 140-141 n | reservado142 142-147 a | especie 148-149 n | fixo150 150-150 a=N |
      emissao 151-156 d | reservado157 157-159 a | codigoJuros 160-160 n | fixo161 161-173 n | juros 174-177 n |
      dataJuros 178-183 d | codigoDesconto 184-184 n | desconto 185-197 n | fixo198 198-201 n |
      dataDesconto 202-207 d | fixo208 208-220 n | tipoInscricaoPagador 221-222 n | inscricaoPagador 223-236 n |
      nomePagador 237-276 a | endereco 277-316 a | cep 317-324 n | reservado325 325-394 a |
      sequencialRegistro 395-400 n`,
    trailer: `
      tipoRegistro 1-1 n=9 | reservado2 2-394 a | sequencialRegistro 395-400 n`,
  },
  '237': {
    header: `
      tipoRegistro 1-1 n | fixo2 2-2 n=1 | fixo3 3-9 a=REMESSA | fixo10 10-11 n=01 | fixo12 12-26 a=COBRANCA |
      codigoCliente 27-46 n | nomeEmpresa 47-76 a | banco 77-79 n | fixo80 80-94 a=BRADESCO | dataGeracao 95-100 d |
      reservado101 101-108 a | fixo109 109-110 a=MX | numeroRemessa 111-117 n | reservado118 118-394 a |
      sequencialRegistro 395-400 n`,
    detalhe: `
      tipoRegistro 1-1 n=1 | reservado2 2-6 a | reservado7 7-7 a | reservado8 8-12 a | reservado13 13-19 a |
      reservado20 20-20 a | fixo21 21-21 n | carteira 22-24 n | agencia 25-29 n | conta 30-36 n | contaDv 37-37 a |
      usoEmpresa 38-62 a | fixo63 63-65 n | codigoMulta 66-66 n | multa 67-70 n | nossoNumero 71-82 a |
      fixo83 83-92 n | fixo93 93-93 n=2 | reservado94 94-94 a | reservado95 95-104 a | reservado105 105-105 a |
      fixo106 106-106 n=2 | reservado107 107-108 a | ocorrencia 109-110 n | numeroDocumento 111-120 a |
      vencimento 121-126 d | valor 127-139 n | fixo140 140-142 n | fixo143 143-147 n | especie 148-149 n |
      fixo150 150-150 a=N | emissao 151-156 d | instrucao 157-158 n | instrucao159 159-160 n | jurosDia 161-173 n |
      dataDesconto 174-179 d | desconto 180-192 n | fixo193 193-205 n | fixo206 206-218 n |
      tipoInscricaoPagador 219-220 n | inscricaoPagador 221-234 n | nomePagador 235-274 a | endereco 275-314 a |
      bairro 315-326 a | cep 327-334 n | sacadorAvalista 335-394 a | sequencialRegistro 395-400 n`,
    trailer: `
      tipoRegistro 1-1 n=9 | reservado2 2-394 a | sequencialRegistro 395-400 n`,
  },
  '341': {
    header: `
      tipoRegistro 1-1 n | fixo2 2-2 n=1 | fixo3 3-9 a=REMESSA | fixo10 10-11 n=01 | fixo12 12-26 a=COBRANCA |
      agencia 27-30 n | fixo31 31-32 n | conta 33-37 n | contaDv 38-38 a | reservado39 39-46 a | nomeEmpresa 47-76 a |
      banco 77-79 n | fixo80 80-94 a=BANCO ITAU SA | dataGeracao 95-100 d | reservado101 101-394 a |
      sequencialRegistro 395-400 n`,
    detalhe: `
      tipoRegistro 1-1 n=1 | tipoInscricaoEmpresa 2-3 n | inscricaoEmpresa 4-17 n | agencia 18-21 n | fixo22 22-23 n |
      conta 24-28 n | contaDv 29-29 a | reservado30 30-33 a | fixo34 34-37 n | usoEmpresa 38-62 a |
      nossoNumero 63-70 a | fixo71 71-83 n | carteira 84-86 n | reservado87 87-107 a | fixo108 108-108 a=I |
      ocorrencia 109-110 n | numeroDocumento 111-120 a | vencimento 121-126 d | valor 127-139 n | banco 140-142 n |
      fixo143 143-147 n | especie 148-149 n | aceite 150-150 a | emissao 151-156 d | instrucao 157-158 n |
      instrucao159 159-160 n | jurosDia 161-173 n | dataDesconto 174-179 d | desconto 180-192 n | fixo193 193-205 n |
      fixo206 206-218 n | tipoInscricaoPagador 219-220 n | inscricaoPagador 221-234 n | nomePagador 235-264 a |
      reservado265 265-274 a | endereco 275-314 a | bairro 315-326 a | cep 327-334 n | cidade 335-349 a |
      uf 350-351 a | sacadorAvalista 352-381 a | reservado382 382-385 a | dataJuros 386-391 d | dias 392-393 n |
      reservado394 394-394 a | sequencialRegistro 395-400 n`,
    multa: `
      tipoRegistro 1-1 n=2 | codigoMulta 2-2 n=2 | dataMulta 3-10 d | multa 11-23 n | reservado24 24-394 a |
      sequencialRegistro 395-400 n`,
    pix: `
      tipoRegistro 1-1 n=3 | chavePix 2-78 a | txid 79-142 a | reservado143 143-394 a | sequencialRegistro 395-400 n`,
    trailer: `
      tipoRegistro 1-1 n=9 | reservado2 2-394 a | sequencialRegistro 395-400 n`,
  },
};
