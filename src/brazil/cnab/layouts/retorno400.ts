/** The fields of CNAB 400 that are read: `name from-to`, as in `remessa400.ts`. */
export const RETORNO_400: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '033': {
    header: `
      agencia 27-30 | conta 39-46 | data 95-100`,
    detalhe: `
      nossoNumero 63-70 | numeroDocumento 117-126 | usoEmpresa 38-62 | ocorrencia 109-110 |
      dataOcorrencia 111-116 | vencimento 147-152 | dataCredito 296-301 | valor 153-165 | tarifa 176-188 |
      valorRecebido 254-266`,
    pix: `
      location 3-79 | txid 80-114`,
  },
  '077': {
    header: `
      data 95-100`,
    detalhe: `
      agencia 24-27 | conta 28-36 | nossoNumero 71-81 | numeroDocumento 98-107 | usoEmpresa 38-62 |
      ocorrencia 90-91 | dataOcorrencia 92-97 | vencimento 119-124 | dataCredito 173-178 | valor 125-137 |
      valorRecebido 160-172`,
  },
  '237': {
    header: `
      codigoCliente 27-46 | data 95-100`,
    detalhe: `
      agencia 25-29 | conta 30-36 | nossoNumero 71-82 | numeroDocumento 117-126 | usoEmpresa 38-62 |
      ocorrencia 109-110 | dataOcorrencia 111-116 | vencimento 147-152 | dataCredito 296-301 | valor 153-165 |
      tarifa 176-188 | valorRecebido 254-266`,
    pix: `
      location 29-105 | txid 106-140`,
  },
  '341': {
    header: `
      agencia 27-30 | conta 33-37 | data 95-100`,
    detalhe: `
      nossoNumero 86-94 | numeroDocumento 117-126 | usoEmpresa 38-62 | ocorrencia 109-110 | dataOcorrencia 111-116 |
      vencimento 147-152 | dataCredito 296-301 | valor 153-165 | tarifa 176-188 | valorRecebido 254-266`,
    pix: `
      copiaECola 2-391`,
  },
  '748': {
    header: `
      conta 27-31 | codigoCliente 32-45 | data 95-102`,
    detalhe: `
      nossoNumero 48-62 | numeroDocumento 117-126 | ocorrencia 109-110 |
      dataOcorrencia 111-116 | vencimento 147-152 | valor 153-165 | tarifa 176-188 | valorRecebido 254-266 |
      dataCredito 329-336`,
  },
};
