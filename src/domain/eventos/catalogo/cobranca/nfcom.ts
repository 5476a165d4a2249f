import { campos, data, dinheiro, evento, id, idOuNulo, instante, nomes, quantos, semDados } from '../evento.ts';

const textoOuNulo = { type: ['string', 'null'] } as const;
const inteiroOuNulo = { type: ['integer', 'null'] } as const;

/**
 * What every event of a note says; one that was refused before it was built has neither number nor key, and one of a single contract may not
 * name it until then.
 */
const N = {
  cliente: id,
  fatura: id,
  contrato: idOuNulo,
  numero: inteiroOuNulo,
  serie: inteiroOuNulo,
  chave: textoOuNulo,
  valor: dinheiro,
  ambiente: { enum: ['producao', 'homologacao'] },
  finalidade: { enum: ['normal', 'substituicao', 'ajuste'] },
} as const;

const EXEMPLO_N = {
  cliente: 12,
  fatura: 55,
  contrato: 31,
  numero: 1042,
  serie: 1,
  chave: '35260822570047000123620010000000021012345671',
  valor: '99.90',
  ambiente: 'producao',
  finalidade: 'normal',
} as const;

/** What happens with fiscal notes. */
export const DAS_NOTAS = {
  'nfcom.autorizada': evento({
    descricao: 'A autoridade fiscal autorizou uma NFCom.',
    sai: true,
    dados: campos(N),
    exemplo: EXEMPLO_N,
  }),
  'nfcom.rejeitada': evento({
    descricao: 'A autoridade fiscal, ou Malha antes dela, rejeitou uma NFCom.',
    sai: true,
    dados: campos({ ...N, codigo: { type: 'string' } }),
    exemplo: { ...EXEMPLO_N, codigo: '427' },
  }),
  'nfcom.cancelada': evento({
    descricao: 'A autoridade fiscal registrou o cancelamento de uma NFCom.',
    sai: true,
    dados: campos(N),
    exemplo: EXEMPLO_N,
  }),
  'nfcom.substituida': evento({
    descricao: 'Outra NFCom autorizada substituiu esta.',
    sai: true,
    dados: campos({ ...N, substituta: id }),
    exemplo: { ...EXEMPLO_N, substituta: 78 },
  }),
  'nfcom.pedidas': evento({
    descricao: 'Pediu-se a emissão de NFCom de faturas.',
    sai: false,
    dados: campos({ notas: quantos, fatura: idOuNulo }),
    exemplo: { notas: 310, fatura: null },
  }),
  'nfcom.reemissao_pedida': semDados(false, 'Pediu-se que uma NFCom rejeitada fosse montada e enviada de novo.'),
  'nfcom.fila_retomada': semDados(false, 'Mandou-se seguir o envio de NFCom, que estava parado.'),
  'nfcom.fila_pausada': semDados(false, 'Mandou-se pausar o envio de NFCom.'),
  'nfcom.fila_continuada': semDados(false, 'Mandou-se continuar o envio de NFCom, que se tinha pausado.'),
  'nfcom.fila_esquecida': evento({
    descricao: 'Há mais de um dia o envio de NFCom está pausado, e notas esperam por isso; dito uma vez de cada pausa.',
    sai: false,
    dados: campos({ notas: quantos, desde: instante }),
    exemplo: { notas: 310, desde: '2026-11-24T12:00:00.000Z' },
  }),
  'nfcom.sem_volta': evento({
    descricao: 'NFCom rejeitadas de faturas canceladas, ou de clientes apagados, devolvem os seus números.',
    sai: false,
    dados: campos({ notas: quantos }),
    exemplo: { notas: 2 },
  }),
  'nfcom.cancelamento_pedido': semDados(false, 'Pediu-se o cancelamento de uma NFCom.'),
  'nfcom.cancelamento_recusado': evento({
    descricao: 'A autoridade fiscal não aceitou o cancelamento de uma NFCom.',
    sai: false,
    dados: campos({ codigo: { type: 'string' } }),
    exemplo: { codigo: '220' },
  }),
  'nfcom.descartada': semDados(false, 'Uma NFCom que não chegou a ser autorizada deixou de ser emitida.'),
  'nfcom.descartadas': evento({
    descricao: 'NFCom que esperavam na fila deixaram de ser emitidas.',
    sai: false,
    dados: campos({ notas: quantos }),
    exemplo: { notas: 310 },
  }),
  'nfcom.configurada': evento({
    descricao: 'Mudaram configurações das notas fiscais do provedor.',
    sai: false,
    dados: campos({ campos: nomes }),
    exemplo: { campos: ['serie'] },
  }),
  'nfcom.servicos_alterados': evento({
    descricao: 'Mudaram serviços, tributos, a repartição de preços ou municípios das notas fiscais.',
    sai: false,
    dados: campos({ oque: { enum: ['servico', 'grupo', 'composicao', 'municipio'] } }),
    exemplo: { oque: 'servico' },
  }),
  'nfcom.cliente_alterado': evento({
    descricao: 'Mudaram dados fiscais de um cliente.',
    sai: false,
    dados: campos({ cliente: id, campos: nomes }),
    exemplo: { cliente: 12, campos: ['inscricao_estadual'] },
  }),
  'nfcom.certificado_guardado': evento({
    descricao: 'Guardou-se o certificado A1 do provedor.',
    sai: false,
    dados: campos({ valido_ate: instante }),
    exemplo: { valido_ate: '2027-11-24T12:00:00.000Z' },
  }),
  'nfcom.certificado_removido': semDados(false, 'Removeu-se o certificado A1 do provedor.'),
  'nfcom.certificado_expirando': evento({
    descricao: 'O certificado A1 do provedor acaba em poucos dias.',
    sai: false,
    dados: campos({ dias: quantos, valido_ate: instante }),
    exemplo: { dias: 30, valido_ate: '2027-11-24T12:00:00.000Z' },
  }),
  'notas.pedidas': evento({
    descricao: 'Acabou de se pedir, num dia, a NFCom das faturas novas.',
    sai: false,
    dados: campos({ dia: data, linhas: quantos }),
    exemplo: { dia: '2026-11-24', linhas: 310 },
  }),
} as const;
