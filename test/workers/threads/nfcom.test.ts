import { createHash } from 'node:crypto';
import test from 'ava';
import { SignedXml } from 'xml-crypto';
import { assinar as assinarElemento } from '../../../src/brazil/nfcom/assinatura/assinatura.ts';
import { IBS_CBS_PADRAO } from '../../../src/brazil/nfcom/itens/ibs-cbs.ts';
import type { Recusa } from '../../../src/brazil/nfcom/base/recusas.ts';
import type { DadosDaNota } from '../../../src/brazil/nfcom/base/nota.types.ts';
import { montarProcessado } from '../../../src/brazil/nfcom/autoridade/processado.ts';
import { lerRecepcao } from '../../../src/brazil/nfcom/autoridade/respostas.ts';
import { createThreads } from '../../../src/platform/threads/threads.ts';
import type { ArquivoPfx, CertificadoLido } from '../../../workers/threads/certificado-a1/contract.ts';
import type {
  ChaveQueAssina,
  DocumentoAssinado,
  DocumentoParaAssinar,
  EsquemaDaNota,
  LoteDeNotas,
  NotasParaConferir,
} from '../../../workers/threads/nfcom/contract.ts';
import { judge } from '../../../workers/threads/nfcom/schema.ts';
import { diferencas } from '../../support/nfcom/conta.ts';
import { xmllint, xmlsec1 } from '../../support/nfcom/juizes.ts';
import {
  amostra,
  DO_NORMAL,
  itemDeExemplo,
  notaDeExemplo,
  SENHA_DA_AMOSTRA,
  svaDeExemplo,
} from '../../support/nfcom/notas.ts';
import { notaSorteada } from '../../support/nfcom/sorteadas.ts';
import { quanto } from '../../support/prova.ts';
import { sorteio } from '../../support/sorteio.ts';

// Notes are judged by programs that are not ours: xmllint with both packages of schemas, xmlsec1, xml-crypto, and a
// second calculation.

const NOTAS = quanto(150, 10_000);
const LOTE = 250;
const MUTANTES = quanto(60, 1000);

const threads = createThreads({ maxThreads: 1 });

test.after.always(() => threads.close());

const ler = (pfx: Uint8Array, senha = SENHA_DA_AMOSTRA): Promise<CertificadoLido> =>
  threads.run<ArquivoPfx, CertificadoLido>('certificado-a1', { pfx, senha });

async function chaveDaAmostra(): Promise<ChaveQueAssina> {
  const lido = await ler(amostra('test-a1.pfx'));
  if (!lido.certo) throw new Error(lido.motivo);
  return lido.certificado;
}

async function assinar(
  documentos: readonly DocumentoParaAssinar[],
  esquema: EsquemaDaNota = 'NT2025.001',
): Promise<DocumentoAssinado[]> {
  const { chavePem, certificadoPem } = await chaveDaAmostra();
  const chave = { chavePem, certificadoPem };
  return threads.run<LoteDeNotas, DocumentoAssinado[]>('nfcom', { chave, esquema, documentos });
}

const assinarNotas = (dados: readonly DadosDaNota[], esquema?: EsquemaDaNota): Promise<DocumentoAssinado[]> =>
  assinar(
    dados.map((uma) => ({ tipo: 'nota', dados: uma })),
    esquema,
  );

/** The samples write an empty element as one tag. */
const comoNaAmostra = (xml: string): string =>
  xml.replace(
    /<(\w+)((?: \w+="[^"]*")*)><\/\1>/g,
    (_todo, nome: string, atributos: string) => `<${nome}${atributos}/>`,
  );

function xmlDe(documento: DocumentoAssinado | undefined): string {
  if (documento?.certo !== true) throw new Error(JSON.stringify(documento));
  return documento.xml;
}

const CANCELAMENTO: DocumentoParaAssinar = {
  tipo: 'cancelamento',
  dados: {
    ambiente: 2,
    cnpj: '11222333000181',
    chave: '35261111222333000181620010000001011031415922',
    protocolo: '3352600000000001',
    quando: '2026-11-21T08:00:00-03:00',
    justificativa: 'COBRANCA EMITIDA EM DUPLICIDADE',
  },
};

const NORMAL = { ...notaDeExemplo().emitente, crt: 3 } as const;

test('as notas de exemplo saem iguais, da chave à assinatura: Simples, regime normal, contingência e cancelamento', async (t) => {
  const { pis, cofins } = DO_NORMAL;
  const [fatura] = [notaDeExemplo().fatura!];
  const lote = await assinar([
    { tipo: 'nota', dados: notaDeExemplo() },
    {
      tipo: 'nota',
      dados: notaDeExemplo({
        numero: 102,
        codigoNumerico: '2718281',
        emitente: NORMAL,
        itens: [itemDeExemplo({ tributos: DO_NORMAL }), svaDeExemplo({ pis, cofins })],
        informacoesComplementares: [],
      }),
    },
    {
      tipo: 'nota',
      dados: notaDeExemplo({
        numero: 103,
        codigoNumerico: '1618033',
        contingencia: {
          desde: '2026-11-20T09:55:00-03:00',
          justificativa: 'FALHA DE COMUNICACAO COM O AMBIENTE AUTORIZADOR',
        },
        itens: [itemDeExemplo()],
        fatura: { ...fatura, linhaDigitavel: '00190000090123456700400000101170816560000009990' },
        informacoesComplementares: [],
      }),
    },
    CANCELAMENTO,
  ]);
  const nomes = [
    '02-simples-residencial',
    '03-regime-normal-ibscbs',
    '04-contingencia-offline',
    '07-evento-cancelamento',
  ];
  for (const [n, nome] of nomes.entries()) {
    t.is(comoNaAmostra(xmlDe(lote[n])), amostra(`${nome}.xml`).toString().trim(), nome);
  }
  t.is(await xmlsec1([xmlDe(lote[3])], 'infEvento'), null);
  t.is(await xmllint([xmlDe(lote[3])], 'NT2026.002', 'eventoNFCom'), null);
});

test('de notas que outro assinou diz-se o que o esquema tem contra cada uma', async (t) => {
  const certa = xmlDe((await assinarNotas([notaDeExemplo()]))[0]);
  const xmls = [certa, certa.replace(/<xBairro>[^<]*/, '<xBairro>')];
  for (const esquema of ['NT2025.001', 'NT2026.002'] as const) {
    const ditas = await threads.run<NotasParaConferir, Recusa[][]>('nfcom', { esquema, xmls });
    t.deepEqual(
      ditas.map((recusas) => recusas[0]?.campo),
      [undefined, 'xBairro'],
    );
  }
});

test('cada nota sorteada é válida nos dois esquemas, tem assinatura certa e totais que outra conta confirma', async (t) => {
  t.timeout(1_800_000);
  const chave = await chaveDaAmostra();
  const esquemas = ['NT2025.001', 'NT2026.002'] as const;
  for (let primeira = 0; primeira < NOTAS; primeira += LOTE) {
    const dados = Array.from({ length: Math.min(LOTE, NOTAS - primeira) }, (_, n) => notaSorteada(primeira + n));
    const assinadas = await assinarNotas(dados, esquemas[(primeira / LOTE) % 2]);
    const recusadas = assinadas.flatMap((uma, n) => (uma.certo ? [] : [[primeira + n, uma.recusas]]));
    t.deepEqual(recusadas, []);
    const xmls = assinadas.map(xmlDe);
    for (const esquema of esquemas) t.is(await xmllint(xmls, esquema), null);
    t.is(await xmlsec1(xmls), null);
    for (const [n, xml] of xmls.entries()) {
      t.deepEqual(diferencas(dados[n]!, xml), [], `semente ${primeira + n}`);
      t.deepEqual(doXml(xml), porOutraBiblioteca(xml, chave), `semente ${primeira + n}`);
      t.regex(xml, /<infNFCom Id="NFCom(\d{6}[A-Z0-9]{12}\d{26})" versao="1\.00">.*\?chNFCom=\1&amp;tpAmb=[12]/s);
      const { totais, digest } = assinadas[n] as Extract<DocumentoAssinado, { certo: true }>;
      t.true(xml.includes(`<DigestValue>${digest}</DigestValue>`));
      t.is(BigInt(totais?.nota ?? 0), BigInt(/<vNF>(\d+)\.(\d\d)<\/vNF>/.exec(xml)!.slice(1).join('')));
    }
  }
  t.log(`${NOTAS} notas: xmllint com ${esquemas.join(' e ')}, xmlsec1, xml-crypto e a segunda conta, 0 diferenças`);
});

/** DigestValue and SignatureValue of a signed note. */
const doXml = (xml: string): (string | undefined)[] => [
  /<DigestValue>(.*?)<\/DigestValue>/.exec(xml)?.[1],
  /<SignatureValue>(.*?)<\/SignatureValue>/.exec(xml)?.[1],
];

/** What xml-crypto, which makes canonical XML of its own, writes for them. */
function porOutraBiblioteca(xml: string, { chavePem, certificadoPem }: ChaveQueAssina): (string | undefined)[] {
  const c14n = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
  const dsig = 'http://www.w3.org/2000/09/xmldsig#';
  const outra = new SignedXml({
    privateKey: chavePem,
    publicCert: certificadoPem,
    idAttribute: 'Id',
    canonicalizationAlgorithm: c14n,
    signatureAlgorithm: `${dsig}rsa-sha1`,
  });
  outra.addReference({
    xpath: "//*[local-name()='infNFCom']",
    digestAlgorithm: `${dsig}sha1`,
    transforms: [`${dsig}enveloped-signature`, c14n],
  });
  outra.computeSignature(xml.replace(/<Signature .*<\/Signature>/s, ''));
  return doXml(outra.getSignedXml());
}

test('o resumo de uma nota que um emitente mandou ao SVRS se refaz do seu conteúdo', (t) => {
  const xml = amostra('01-svrs-homologacao-resigned.xml').toString();
  const [, id = '', conteudo = ''] = /<infNFCom Id="(\w+)" versao="1\.00">(.*)<\/infNFCom>/s.exec(xml) ?? [];
  const sha1 = (texto: string): string => createHash('sha1').update(texto).digest('base64');
  const assinador = { resumir: sha1, assinar: () => '', certificado: '' };
  const { digest } = assinarElemento('infNFCom', ` Id="${id}" versao="1.00"`, conteudo, id, assinador);
  t.is(digest, '72fyGeEyfTYK1quWqFVnUyWJm6w=');
});

test('o que o esquema em processo aceita ou recusa, o xmllint aceita ou recusa', async (t) => {
  const s = sorteio(62);
  const [assinada] = await assinarNotas([
    notaDeExemplo({ emitente: NORMAL, itens: [itemDeExemplo({ tributos: DO_NORMAL })], ibsCbs: IBS_CBS_PADRAO }),
  ]);
  const xml = xmlDe(assinada);
  const fim = xml.indexOf('<Signature ');
  let recusadas = 0;
  const divergem: string[] = [];
  for (let n = 0; n < MUTANTES; n += 1) {
    const mutante = mutar(xml, fim, s);
    const nosso = judge('NT2025.001', 'nfcom', mutante).length === 0;
    if (((await xmllint([mutante], 'NT2025.001')) === null) !== nosso) divergem.push(mutante.slice(0, fim));
    if (!nosso) recusadas += 1;
  }
  t.deepEqual(divergem, []);
  t.true(recusadas > MUTANTES / 2 && recusadas < MUTANTES, `${recusadas} de ${MUTANTES}`);
});

/** Changes one text or one tag of the signed part. */
function mutar(xml: string, fim: number, s: ReturnType<typeof sorteio>): string {
  const folhas = [...xml.slice(0, fim).matchAll(/<(\w+)>([^<]+)<\/\1>/g)];
  const { index, 0: inteira, 1: nome, 2: texto } = s.um(folhas);
  const outra = s.um([
    '',
    inteira + inteira,
    `<${nome}></${nome}>`,
    `<${nome}>${texto}0</${nome}>`,
    `<${nome}>${texto!.slice(1)}</${nome}>`,
    `<${nome}> ${texto}</${nome}>`,
    `<${nome}>–</${nome}>`,
    `<outra>${texto}</outra>`,
    `<${nome}>${texto!.replace(/\d/, '7')}</${nome}>`,
    `<${nome}>${texto!.replace(/\d/, '1')}</${nome}>`,
  ]);
  return xml.slice(0, index) + outra + xml.slice(index + inteira.length);
}

test('uma nota recusada diz tudo o que tem de errado, e as outras do lote seguem', async (t) => {
  const { destinatario } = notaDeExemplo();
  const [antes, errada, depois] = await assinarNotas([
    notaDeExemplo(),
    notaDeExemplo({
      destinatario: {
        ...destinatario,
        nome: 'Zé 🚀',
        documento: null,
        endereco: { ...destinatario.endereco, codigoDoMunicipio: null },
      },
      itens: [itemDeExemplo({ valorUnitario: 0 as DadosDaNota['itens'][number]['valorUnitario'] })],
    }),
    notaDeExemplo({ numero: 102 }),
  ]);
  t.true(antes?.certo === true && depois?.certo === true);
  t.deepEqual(errada, {
    certo: false,
    recusas: [
      {
        codigo: 'caractere_invalido',
        campo: 'destinatario.nome',
        mensagem: 'O nome do cliente tem o que a nota não aceita: 🚀.',
      },
      { codigo: 'sem_documento', campo: 'destinatario.documento', mensagem: 'O cliente não tem CPF nem CNPJ.' },
      {
        codigo: 'sem_municipio',
        campo: 'destinatario.endereco.codigoDoMunicipio',
        mensagem: 'Falta o código do IBGE do município do endereço do cliente.',
      },
      { codigo: 'valor_zero', campo: 'itens[0].valorUnitario', mensagem: 'O item 1 não tem valor.' },
    ],
  });
});

test('o que só o esquema novo tem é recusado pelo de antes, sem repetir o que a nota diz', async (t) => {
  const chave = '35261111222333000181620010000001011031415922';
  const nota = notaDeExemplo({ finalidade: { tipo: 'substituicao', chave, motivo: '06' } });
  const [velho] = await assinarNotas([nota], 'NT2025.001');
  t.like(velho, { certo: false, recusas: [{ codigo: 'esquema', campo: 'motSub' }] });
  const [novo] = await assinarNotas([nota], 'NT2026.002');
  t.is(await xmllint([xmlDe(novo)], 'NT2026.002'), null);
  const recusas = judge('NT2025.001', 'nfcom', xmlDe(novo).replace('<CPF>52998224725', '<CPF>5299822472X'));
  t.true(recusas.some(({ campo }) => campo === 'CPF'));
  t.false(JSON.stringify(recusas).includes('5299822472X'));
});

test('o documento guardado é a nota como foi enviada, byte a byte, com o protocolo que veio', async (t) => {
  const [assinada] = await assinarNotas([notaDeExemplo()]);
  const xml = xmlDe(assinada);
  const resposta = amostra('05-ret-simulado.xml').toString();
  const protocolo = lerRecepcao(resposta)?.protocolo;
  if (protocolo === null || protocolo === undefined) throw new Error('sem protocolo');
  t.is(protocolo.digest, assinada?.certo === true ? assinada.digest : null);
  // Prefixed, and with the service's own namespace: a protocol of MG.
  const comPrefixo = resposta.replace(/<(\/?)(?!\?)/g, '<$1ns2:').replace('xmlns=', 'xmlns:ns2=');
  for (const dada of [resposta, comPrefixo]) {
    const processado = montarProcessado(xml, dada, protocolo);
    t.true(processado.includes(xml.slice(xml.indexOf('<NFCom'))));
    t.is(await xmllint([processado], 'NT2025.001', 'procNFCom'), null);
    t.is(await xmlsec1([processado]), null);
    const semEspaco = comoNaAmostra(processado).replace(
      '<NFCom xmlns="http://www.portalfiscal.inf.br/nfcom">',
      '<NFCom>',
    );
    t.is(semEspaco, amostra('06-proc-simulado.xml').toString().trim());
  }
});
