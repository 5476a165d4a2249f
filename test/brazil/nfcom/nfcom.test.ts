import { gunzipSync, gzipSync } from 'node:zlib';
import test from 'ava';
import * as fc from 'fast-check';
import { centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { aliquotasEm } from '../../../src/brazil/nfcom/itens/calculo.ts';
import { montarCancelamento } from '../../../src/brazil/nfcom/autoridade/cancelamento.ts';
import {
  chaveEmGrupos,
  chaveValida,
  digitoDaChave,
  lerChave,
  montarChave,
} from '../../../src/brazil/nfcom/base/chave.ts';
import { dataDe, dataHoraEm } from '../../../src/brazil/nfcom/base/data-hora.ts';
import { aplicarTaxa, escreverTaxa2a4, vezesQuantidade } from '../../../src/brazil/nfcom/itens/decimais.ts';
import { IBS_CBS_PADRAO } from '../../../src/brazil/nfcom/itens/ibs-cbs.ts';
import { montarNota } from '../../../src/brazil/nfcom/nota.ts';
import type { DadosDaNota, ItemDaNota } from '../../../src/brazil/nfcom/base/nota.types.ts';
import { digestDaNota } from '../../../src/brazil/nfcom/autoridade/processado.ts';
import { qrCodeDaNota } from '../../../src/brazil/nfcom/assinatura/qr-code.ts';
import {
  lerConsulta,
  lerRecepcao,
  lerRecepcaoDeEvento,
  lerStatus,
} from '../../../src/brazil/nfcom/autoridade/respostas.ts';
import {
  pedidoDeConsulta,
  pedidoDeEvento,
  pedidoDeRecepcao,
  pedidoDeStatus,
} from '../../../src/brazil/nfcom/autoridade/soap.ts';
import { textoDaNota } from '../../../src/brazil/nfcom/base/texto.ts';
import { amostra, DO_NORMAL, itemDeExemplo, notaDeExemplo, svaDeExemplo } from '../../support/nfcom/notas.ts';
import { notaSorteada } from '../../support/nfcom/sorteadas.ts';
import { data } from '../_apoio.ts';

const CHAVES = [
  '26260107159053000107620010000081661049503004',
  '29251214583041000162620900000006241077499128',
  '29260714583041000162620900000047771083122558',
  '35251120843290000142620010000000031002292974',
  '35260822570047000123620010000000021012345671',
  '41250306117473000150620010000001231012345675',
  '35260812ABC34501DE35620010000000021012345677',
  '35261111222333000181620010000001011031415922',
];

test('as chaves que se conhecem têm o seu dígito e se montam das suas partes; as erradas não valem', (t) => {
  for (const chave of CHAVES) {
    t.is(digitoDaChave(chave.slice(0, 43)), chave.charAt(43), chave);
    const partes = lerChave(chave);
    t.truthy(partes, chave);
    t.is(montarChave(partes!), chave);
  }
  t.is(digitoDaChave('4308180846711500010062001075724573100000001'), '5');
  t.is(digitoDaChave('3525112060974300041362000100000014110282729'), '0');
  t.is(chaveEmGrupos(CHAVES[0]!), '2626 0107 1590 5300 0107 6200 1000 0081 6610 4950 3004');
  for (const errada of [
    '',
    CHAVES[0]!.slice(1),
    // The check digit of a printed example, and of a public test.
    '43081808467115000100620010757245731000000010',
    '35251120609743000413620010000001411028272913',
    // Another model, another UF, another month.
    '35260822570047000123550010000000021012345671',
    '10260822570047000123620010000000021012345671',
    '35261322570047000123620010000000021012345671',
  ]) {
    t.false(chaveValida(errada), errada);
  }
});

test('um algarismo trocado na chave se descobre', (t) => {
  fc.assert(
    fc.property(fc.constantFrom(...CHAVES), fc.nat(43), fc.integer({ min: 1, max: 9 }), (chave, onde, mais) => {
      const antes = chave.charCodeAt(onde) - 48;
      if (antes > 9) return;
      const trocada = chave.slice(0, onde) + String((antes + mais) % 10) + chave.slice(onde + 1);
      // A remainder of 0 or of 1 makes the same digit, so that some exchanges stay hidden.
      t.true(!chaveValida(trocada) || digitoDaChave(trocada.slice(0, 43)) === trocada.charAt(43));
    }),
  );
});

test('cada conta arredonda ao centavo, meio para cima, também onde um inteiro não cabe', (t) => {
  const valor = fc.integer({ min: 0, max: 999_999_999_999 });
  fc.assert(
    fc.property(valor, fc.integer({ min: 0, max: 1_000_000 }), (base, taxa) => {
      const certo = (2n * BigInt(base) * BigInt(taxa) + 1_000_000n) / 2_000_000n;
      t.is(BigInt(aplicarTaxa(centavos(base), taxa)), certo);
      const vezes = (2n * BigInt(base) * BigInt(taxa) + 10_000n) / 20_000n;
      if (vezes <= 9_007_199_254_740_991n) t.is(BigInt(vezesQuantidade(centavos(base), taxa)), vezes);
    }),
  );
  t.is(aplicarTaxa(centavos(100), 5000), centavos(1));
  t.is(aplicarTaxa(centavos(100), 4999), centavos(0));
  t.deepEqual([6500, 180_000, 6512, 0].map(escreverTaxa2a4), ['0.65', '18.00', '0.6512', '0.00']);
});

test('um texto da nota fica em uma linha de Latin-1, e o que não tem como não fica', (t) => {
  const fica: readonly (readonly [string, string])[] = [
    ['Ação & Reação – “Ltda” ‘1’ … € ™', `Ação & Reação - "Ltda" '1' ... EUR TM`],
    ['  a \t b\r\nc d  ', 'a b c d'],
    ['Łódź Žižek Őry œuf ﬁbra', 'Lódz Zizek Ory oeuf fibra'],
    ['e\u0301 zero\u200bwidth soft\u00adhyphen \u0007sino \u0096', 'é zerowidth softhyphen sino'],
    ['½ ª º ÿ', '½ ª º ÿ'],
    ['   ', ''],
  ];
  for (const [antes, depois] of fica) t.is(textoDaNota(antes), depois);
  for (const nada of ['Zé 🚀', '1️⃣', '❤', 'Ω', 'Иван', '漢字', '\ud800']) t.is(textoDaNota(nada), null, nada);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (texto) => {
      const dobrado = textoDaNota(texto);
      if (dobrado === null) return;
      t.regex(dobrado, /^(?:[!-~¡-ÿ](?:[ -~¡-ÿ]*[!-~¡-ÿ])?)?$/);
      t.is(textoDaNota(dobrado), dobrado);
    }),
  );
});

test('a hora da nota é a do fuso, sem frações, com a diferença para Greenwich', (t) => {
  const instante = new Date('2026-11-20T13:00:00.999Z');
  t.is(dataHoraEm('America/Sao_Paulo', instante), '2026-11-20T10:00:00-03:00');
  t.is(dataHoraEm('America/Rio_Branco', instante), '2026-11-20T08:00:00-05:00');
  t.is(dataHoraEm('America/Noronha', instante), '2026-11-20T11:00:00-02:00');
  t.is(dataHoraEm('America/Sao_Paulo', new Date('2027-01-01T01:30:00Z')), '2026-12-31T22:30:00-03:00');
  t.is(dataDe('2026-12-31T22:30:00-03:00'), data('2026-12-31'));
  for (const errada of ['2026-02-30T10:00:00-03:00', '2026-11-20T10:00:00Z', '2026-11-20T10:00:00.5-03:00', '']) {
    t.is(dataDe(errada), null, errada);
  }
});

test('o QR code leva a chave e o ambiente, e em contingência a assinatura da chave, como está', (t) => {
  const assinador = { assinar: (texto: string) => `a+/=${texto.length}` };
  const nota = { ...notaDeExemplo(), enderecoDoQr: 'https://a.br/qr', ambiente: 1 } as const;
  t.is(qrCodeDaNota(nota, CHAVES[0]!, assinador), `https://a.br/qr?chNFCom=${CHAVES[0]}&tpAmb=1`);
  const contingencia = { desde: nota.emissao, justificativa: 'sem rede no escritorio' };
  t.is(
    qrCodeDaNota({ ...nota, contingencia }, CHAVES[0]!, assinador),
    `https://a.br/qr?chNFCom=${CHAVES[0]}&tpAmb=1&sign=a+/=44`,
  );
});

const NORMAL = { ...notaDeExemplo().emitente, crt: 3 } as const;
const resumir = (): string => '';

/** Codes and fields of what is refused; nothing of a note that is built. */
function recusas(mudada: Partial<DadosDaNota>): string[] {
  const montada = montarNota(notaDeExemplo(mudada), resumir);
  return montada.certo ? [] : montada.recusas.map(({ codigo, campo }) => `${codigo} ${campo}`);
}

const comItem = (mudado: Partial<ItemDaNota>): Partial<DadosDaNota> => ({ itens: [itemDeExemplo(mudado)] });

function comDestinatario(mudado: Partial<DadosDaNota['destinatario']>): Partial<DadosDaNota> {
  return { destinatario: { ...notaDeExemplo().destinatario, ...mudado } };
}

function comEndereco(mudado: Partial<DadosDaNota['destinatario']['endereco']>): Partial<DadosDaNota> {
  const { destinatario } = notaDeExemplo();
  return { destinatario: { ...destinatario, endereco: { ...destinatario.endereco, ...mudado } } };
}

function comFatura(mudada: Partial<NonNullable<DadosDaNota['fatura']>>): Partial<DadosDaNota> {
  return { fatura: { ...notaDeExemplo().fatura!, ...mudada } };
}

test('o que falta ou não serve em uma nota é recusado pelo seu nome, antes de qualquer envio', (t) => {
  const casos: readonly (readonly [Partial<DadosDaNota>, ...string[]])[] = [
    [{}],
    [comDestinatario({ documento: null }), 'sem_documento destinatario.documento'],
    [comDestinatario({ documento: '52998224726' }), 'documento_invalido destinatario.documento'],
    [comDestinatario({ nome: 'Zé 🚀' }), 'caractere_invalido destinatario.nome'],
    [comDestinatario({ nome: ' ' }), 'texto_curto destinatario.nome'],
    [comDestinatario({ indicadorIe: 1 }), 'inscricao_estadual_invalida destinatario.inscricaoEstadual'],
    [comDestinatario({ inscricaoEstadual: '123' }), 'inscricao_estadual_invalida destinatario.inscricaoEstadual'],
    [comEndereco({ codigoDoMunicipio: null }), 'sem_municipio destinatario.endereco.codigoDoMunicipio'],
    [comEndereco({ codigoDoMunicipio: '3304557' }), 'municipio_de_outra_uf destinatario.endereco.codigoDoMunicipio'],
    [comEndereco({ cep: '1302000' }), 'endereco_incompleto destinatario.endereco.cep'],
    [comEndereco({ uf: '' }), 'endereco_incompleto destinatario.endereco.uf'],
    [comEndereco({ bairro: 'X' }), 'texto_curto destinatario.endereco.bairro'],
    [{ municipioDoServico: null }, 'sem_municipio municipioDoServico'],
    [{ itens: [] }, 'quantidade_de_itens itens'],
    [{ itens: Array.from({ length: 991 }, () => itemDeExemplo()) }, 'quantidade_de_itens itens'],
    [comItem({ valorUnitario: centavos(0) }), 'valor_zero itens[0].valorUnitario'],
    [comItem({ valorUnitario: centavos(-1) }), 'valor_invalido itens[0].valorUnitario'],
    [comItem({ quantidade: 0 }), 'valor_invalido itens[0].quantidade'],
    [comItem({ quantidade: 999_999_999_999_999 }), 'valor_invalido itens[0]'],
    [comItem({ desconto: centavos(9991) }), 'valor_invalido itens[0]'],
    [comItem({ desconto: centavos(9990) }), 'valor_zero itens'],
    [comItem({ descricao: '' }), 'texto_curto itens[0].descricao'],
    [comItem({ codigo: 'x'.repeat(61) }), 'texto_longo itens[0].codigo'],
    [comItem({ classe: '04004' }), 'tributacao_incoerente itens[0].classe'],
    [comItem({ cfop: null }), 'tributacao_incoerente itens[0].cfop'],
    [comItem({ cfop: '5102' }), 'tributacao_incoerente itens[0].cfop'],
    [{ itens: [{ ...svaDeExemplo(), cfop: '5307' }] }, 'tributacao_incoerente itens[0].cfop'],
    [
      comItem({ tributos: DO_NORMAL }),
      'tributacao_incoerente itens[0].tributos.icms',
      'tributacao_incoerente itens[0].tributos.pis',
    ],
    [{ emitente: NORMAL }, 'tributacao_incoerente itens[0].tributos.icms'],
    [
      {
        emitente: NORMAL,
        ...comItem({ tributos: { ...DO_NORMAL, icms: { cst: '00', aliquota: 180_001, fcp: null } } }),
      },
      'valor_invalido itens[0].tributos',
    ],
    [{ emitente: NORMAL, ...comItem({ tributos: DO_NORMAL, ibsCbs: null }) }, 'ibs_cbs_ausente itens[0].ibsCbs'],
    [comItem({ ibsCbs: { cst: '0', classe: '1', tributado: true } }), 'tributacao_incoerente itens[0].ibsCbs'],
    [
      { itens: [itemDeExemplo(), itemDeExemplo({ classe: '5900501', valorUnitario: centavos(9991) })] },
      'valor_invalido itens',
    ],
    [comFatura({ linhaDigitavel: null }), 'sem_linha_digitavel fatura.linhaDigitavel'],
    [
      comFatura({ linhaDigitavel: '00190000090123456700400000101170516560000011991' }),
      'linha_digitavel_invalida fatura.linhaDigitavel',
    ],
    [comFatura({ competencia: '202613' }), 'identificacao_invalida fatura.competencia'],
    [comFatura({ pix: 'código – com travessão' }), 'caractere_invalido fatura.pix'],
    [{ fatura: null }, 'finalidade_incoerente fatura'],
    [{ numero: 0 }, 'identificacao_invalida numero'],
    [{ serie: 1000 }, 'identificacao_invalida serie'],
    [{ codigoNumerico: '123' }, 'identificacao_invalida codigoNumerico'],
    [{ emissao: '2026-11-20' }, 'identificacao_invalida emissao'],
    [{ enderecoDoQr: 'https://a.br/qr?x=1' }, 'identificacao_invalida enderecoDoQr'],
    [
      { finalidade: { tipo: 'substituicao', chave: CHAVES[0]!.replace('1', '2'), motivo: '01' } },
      'finalidade_incoerente finalidade.chave',
    ],
    [
      { finalidade: { tipo: 'ajuste', entrada: false } },
      'finalidade_incoerente itens[0].anterior',
      'finalidade_incoerente itens[1].anterior',
      'finalidade_incoerente fatura',
    ],
    [comItem({ anterior: { chave: CHAVES[0]!, item: 1 } }), 'finalidade_incoerente itens[0].anterior'],
    [
      { contingencia: { desde: notaDeExemplo().emissao, justificativa: 'curta' } },
      'texto_curto contingencia.justificativa',
    ],
    [{ autorizados: ['123'] }, 'documento_invalido autorizados'],
    [{ informacoesComplementares: ['x'.repeat(3001)] }, 'texto_longo informacoesComplementares[0]'],
    [{ retencoes: { pis: -1, cofins: 0, csll: 0, irrf: 0 } }, 'valor_invalido retencoes.pis'],
  ];
  for (const [mudada, ...certas] of casos) t.deepEqual(recusas(mudada), certas, JSON.stringify(mudada).slice(0, 200));
});

test('nenhuma recusa repete o documento, o nome ou o endereço de quem a nota é', (t) => {
  const { destinatario } = notaDeExemplo();
  const montada = montarNota(
    notaDeExemplo({
      destinatario: {
        ...destinatario,
        documento: '52998224726',
        nome: 'Fulana 🚀 de Tal',
        endereco: { ...destinatario.endereco, logradouro: 'Rua das 漢字', cep: '9' },
      },
    }),
    resumir,
  );
  if (montada.certo) throw new Error('montou');
  const dito = JSON.stringify(montada.recusas);
  for (const segredo of ['52998224726', 'Fulana', 'Rua das']) t.false(dito.includes(segredo), segredo);
  t.true(dito.includes('🚀') && dito.includes('漢 字'));
});

test('IBS e CBS seguem a data e o regime das configurações, e só se somam a partir da data delas', (t) => {
  const alíquotas = (crt: 1 | 2 | 3, dia: string): boolean => aliquotasEm(IBS_CBS_PADRAO, crt, data(dia)) !== null;
  t.false(alíquotas(3, '2025-12-31'));
  t.true(alíquotas(3, '2026-01-01'));
  t.false(alíquotas(1, '2026-12-31') || alíquotas(2, '2026-12-31'));
  t.true(alíquotas(1, '2027-01-01'));
  const totais = (emissao: string): unknown => {
    const nota = notaDeExemplo({
      emissao,
      emitente: NORMAL,
      itens: [itemDeExemplo({ tributos: DO_NORMAL }), svaDeExemplo({ pis: DO_NORMAL.pis, cofins: DO_NORMAL.cofins })],
    });
    const montada = montarNota(nota, resumir);
    return montada.certo ? montada.nota.totais.ibsCbs : montada.recusas;
  };
  const de2026 = { base: 9820, ibsUf: 10, ibsMunicipio: 0, ibs: 10, cbs: 88 };
  t.is(totais('2025-12-31T10:00:00-03:00'), null);
  t.deepEqual(totais('2026-11-20T10:00:00-03:00'), { ...de2026, documento: 11_990 });
  t.deepEqual(totais('2027-01-01T00:00:00-03:00'), { ...de2026, documento: 12_088 });
});

test('em homologação o nome do cliente não vai na nota; em produção vai, cortado em 60', (t) => {
  const nome = 'Associação dos Moradores do Conjunto Habitacional Governador José Richa';
  const com = (ambiente: 1 | 2): string => {
    const montada = montarNota(notaDeExemplo({ ambiente, ...comDestinatario({ nome }) }), resumir);
    return montada.certo ? (/<dest><xNome>(.*?)</.exec(montada.nota.conteudo)?.[1] ?? '') : '';
  };
  t.is(com(2), 'NFCom EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL');
  t.is(com(1), 'Associação dos Moradores do Conjunto Habitacional Governador');
});

test('um cancelamento sem justificativa, sem protocolo ou de chave errada é recusado', (t) => {
  const montado = montarCancelamento({
    ambiente: 2,
    cnpj: '11222333000180',
    chave: CHAVES[7]!.replace(/.$/, '0'),
    protocolo: '12',
    quando: 'ontem',
    justificativa: 'porque sim',
  });
  t.deepEqual(montado.certo ? [] : montado.recusas.map(({ campo }) => campo), [
    'chave',
    'protocolo',
    'quando',
    'cnpj',
    'justificativa',
  ]);
});

test('os envelopes são os dos quatro serviços; só o da recepção vai comprimido', (t) => {
  const nota = amostra('02-simples-residencial.xml');
  const recepcao = amostra('08-soap-recepcao.xml').toString();
  const base64 = /wsdl\/NFComRecepcao">([^<]+)</.exec(recepcao)?.[1] ?? '';
  t.is(pedidoDeRecepcao(base64).corpo, recepcao.trim());
  t.deepEqual(gunzipSync(Buffer.from(base64, 'base64')).toString().trim(), nota.toString().trim());
  t.deepEqual(gunzipSync(gzipSync(nota)), nota);
  t.is(pedidoDeStatus(2).corpo, amostra('09-soap-status.xml').toString().trim());
  t.is(pedidoDeConsulta(2, CHAVES[7]!).corpo, amostra('10-soap-consulta.xml').toString().trim());
  const evento = pedidoDeEvento(amostra('07-evento-cancelamento.xml').toString().trim());
  t.is(evento.corpo.split('<?xml').length, 2);
  t.is(
    evento.contentType,
    'application/soap+xml;charset=UTF-8;' +
      'action="http://www.portalfiscal.inf.br/nfcom/wsdl/NFComRecepcaoEvento/nfcomRecepcaoEvento"',
  );
});

/** An answer in an envelope of the authority's, with prefixes of its own. */
const envelopar = (xml: string): string =>
  `<env:Envelope xmlns:env="http://www.w3.org/2003/05/soap-envelope"><env:Body><ns2:nfcomResultMsg xmlns:ns2="x">` +
  `${xml}</ns2:nfcomResultMsg></env:Body></env:Envelope>`;

test('uma resposta se lê com e sem prefixos, e nenhum número dela perde algarismos', (t) => {
  const simples = amostra('05-ret-simulado.xml')
    .toString()
    .replace(/<\?.*?\?>/, '')
    .trim();
  const comPrefixo = simples.replace(/<(\/?)/g, '<$1ns9:').replace('xmlns=', 'xmlns:ns9=');
  for (const xml of [simples, envelopar(simples), envelopar(comPrefixo)]) {
    t.deepEqual(lerRecepcao(xml), {
      cStat: '100',
      motivo: 'Autorizado o uso da NFCom',
      protocolo: {
        cStat: '100',
        motivo: 'Autorizado o uso da NFCom',
        chave: CHAVES[7]!,
        ambiente: '2',
        aplicativo: 'SIMULADO',
        recebidaEm: '2026-11-20T10:00:05-03:00',
        numero: '3352600000000001',
        digest: digestDaNota(amostra('02-simples-residencial.xml').toString()),
        fisco: null,
      },
    });
  }
  const rejeitada = lerRecepcao(
    '<retNFCom><cStat>1234</cStat><xMotivo>Rejeição: &lt;CFOP&gt; &amp; classe</xMotivo></retNFCom>',
  );
  t.deepEqual(rejeitada, { cStat: '1234', motivo: 'Rejeição: <CFOP> & classe', protocolo: null });
});

test('o que não é resposta da autoridade não se lê como se fosse', (t) => {
  for (const xml of [
    '',
    'Bad Gateway',
    '<html><body>503</body></html>',
    '<retNFCom><cStat>abc</cStat></retNFCom>',
    '<retNFCom><cStat>100</cStat>',
    '<!DOCTYPE x [<!ENTITY a "b">]><retNFCom><cStat>100</cStat></retNFCom>',
  ]) {
    t.is(lerRecepcao(xml)?.protocolo ?? null, null, xml);
    t.is(lerStatus(xml), null, xml);
    t.is(lerConsulta(xml), null, xml);
    t.is(lerRecepcaoDeEvento(xml), null, xml);
  }
});

test('consulta, status e evento se leem', (t) => {
  t.deepEqual(
    lerStatus(
      envelopar('<retConsStatServNFCom><cStat>107</cStat><xMotivo>Em operação</xMotivo></retConsStatServNFCom>'),
    ),
    {
      cStat: '107',
      motivo: 'Em operação',
    },
  );
  const doEvento =
    `<retEventoNFCom><infEvento><cStat>135</cStat><xMotivo>Registrado</xMotivo><chNFCom>${CHAVES[7]}</chNFCom>` +
    '<tpEvento>110111</tpEvento><nSeqEvento>1</nSeqEvento><dhRegEvento>2026-11-21T08:00:05-03:00</dhRegEvento>' +
    '<nProt>3352600000000002</nProt></infEvento></retEventoNFCom>';
  const evento = {
    cStat: '135',
    motivo: 'Registrado',
    chave: CHAVES[7]!,
    tipo: '110111',
    sequencia: 1,
    protocolo: '3352600000000002',
    registradoEm: '2026-11-21T08:00:05-03:00',
  };
  t.deepEqual(lerRecepcaoDeEvento(envelopar(doEvento)), evento);
  const prot = `<infProt><chNFCom>${CHAVES[7]}</chNFCom><cStat>101</cStat><xMotivo>Cancelada</xMotivo></infProt>`;
  // The schema lets anything stand in a query's protocol: some put another protNFCom there.
  for (const protocolo of [`<protNFCom>${prot}</protNFCom>`, `<protNFCom><protNFCom>${prot}</protNFCom></protNFCom>`]) {
    const lida = lerConsulta(
      `<retConsSitNFCom><cStat>101</cStat><xMotivo>Cancelada</xMotivo>${protocolo}<procEventoNFCom><eventoNFCom>` +
        `</eventoNFCom>${doEvento}</procEventoNFCom></retConsSitNFCom>`,
    );
    t.is(lida?.protocolo?.cStat, '101');
    t.deepEqual(lida?.eventos, [evento]);
  }
});

test('os mesmos dados dão sempre o mesmo texto', (t) => {
  for (let semente = 0; semente < 50; semente += 1) {
    t.deepEqual(montarNota(notaSorteada(semente), resumir), montarNota(notaSorteada(semente), resumir));
  }
});
