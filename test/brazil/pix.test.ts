import test from 'ava';
import * as fc from 'fast-check';
import { getPixPayloadInfo } from '@brazilian-utils/brazilian-utils';
import { centavos } from '../../src/brazil/dinheiro.ts';
import { crc16, gerarPixEstatico, lerPix } from '../../src/brazil/pix.ts';
import { DIGITOS, MAIUSCULAS, textoDe } from './_apoio.ts';

const ESTATICO =
  '00020126510014br.gov.bcb.pix0115thalesog@me.com0210Pedido 123520400005303986540510.005802BR5914THALES OGLIARI' +
  '6015SAO MIGUEL DO O62070503***63040DC6';
const SAQUE =
  '00020126950014br.gov.bcb.pix01364004901d-bd85-4769-8e52-cb4c42c506dc0221Jornada pagador 43107030899999008' +
  '5204000053039865406577.575802BR5903Pix6008BRASILIA6229052599ed983ea570413d8d336301d630418B7';
const DINAMICO =
  '00020126740014br.gov.bcb.pix2552payload.psp.com/3ec9d2f9-5f03-4e0e-820d-63a81e769e875204000053039865802BR' +
  '5912BARBARA PELE6015SAO MIGUEL DO O62070503***63040433';

const BASE = { chave: 'thalesog@me.com', nome: 'THALES OGLIARI', cidade: 'SAO MIGUEL DO O', valor: centavos(1000) };

/** O mesmo código com um trecho trocado e o CRC refeito. */
function comTroca(codigo: string, de: string, para: string): string {
  const corpo = codigo.slice(0, -4).replace(de, para);
  return corpo + crc16(corpo);
}

test('o CRC é o CCITT-FALSE, com quatro dígitos maiúsculos', (t) => {
  t.is(crc16('123456789'), '29B1');
  t.is(crc16(''), 'FFFF');
  for (const codigo of [ESTATICO, SAQUE, DINAMICO]) t.is(crc16(codigo.slice(0, -4)), codigo.slice(-4));
});

test('gera o código conhecido, tirando acentos e cortando nome e cidade', (t) => {
  t.is(gerarPixEstatico({ ...BASE, informacao: 'Pedido 123' }), ESTATICO);
  t.is(
    gerarPixEstatico({ ...BASE, nome: ' THÁLES  OGLIARI', cidade: 'SÃO MIGUEL DO OESTE', informacao: 'Pedido 123' }),
    ESTATICO,
  );
  const longo = lerPix(
    gerarPixEstatico({ ...BASE, nome: 'Conexão Rápida do Açaí Telecomunicações 🚀', cidade: 'Vitória da C de X' }),
  );
  t.is(longo?.nome, 'Conexao Rapida do Acai Te');
  t.is(longo?.cidade, 'Vitoria da C de');
});

test('lê os códigos conhecidos', (t) => {
  t.deepEqual(lerPix(ESTATICO), { ...BASE, url: null, txid: null });
  t.deepEqual(lerPix(SAQUE), {
    chave: '4004901d-bd85-4769-8e52-cb4c42c506dc',
    url: null,
    nome: 'Pix',
    cidade: 'BRASILIA',
    valor: centavos(57_757),
    txid: '99ed983ea570413d8d336301d',
  });
  t.deepEqual(lerPix(DINAMICO), {
    chave: null,
    url: 'payload.psp.com/3ec9d2f9-5f03-4e0e-820d-63a81e769e87',
    nome: 'BARBARA PELE',
    cidade: 'SAO MIGUEL DO O',
    valor: null,
    txid: null,
  });
});

test('um caractere trocado ou faltando invalida o código', (t) => {
  for (const codigo of [ESTATICO, SAQUE, DINAMICO]) {
    for (let i = 0; i < codigo.length; i++) {
      t.is(lerPix(`${codigo.slice(0, i)}${codigo[i] === '7' ? '8' : '7'}${codigo.slice(i + 1)}`), null);
      t.is(lerPix(codigo.slice(0, i)), null);
    }
    t.is(lerPix(`${codigo} `), null);
  }
});

test('com o CRC certo, tamanhos e campos obrigatórios ainda são conferidos', (t) => {
  t.truthy(lerPix(comTroca(ESTATICO, '540510.00', '540599.90')));
  const trocas: [string, string][] = [
    ['000201', '000202'],
    ['000201', '00020100020'],
    ['2651', '2652'],
    ['0115thales', '0116thales'],
    ['5303986', '5303840'],
    ['5802BR', '5802US'],
    ['540510.00', '54051e100'],
    ['540510.00', '540510,00'],
    ['540510.00', '540510.00540510.00'],
    ['5914THALES OGLIARI', ''],
    ['62070503***', '62070509***'],
    ['br.gov.bcb.pix', 'br.gov.bcb.pxx'],
    ['0115thalesog@me.com', '0315thalesog@me.com'],
  ];
  for (const [de, para] of trocas) t.is(lerPix(comTroca(ESTATICO, de, para)), null, `${de} → ${para}`);
});

test('acha a conta PIX depois da de outro arranjo', (t) => {
  const outro = comTroca(ESTATICO, '2651', '26080004abcd2751');
  t.is(lerPix(outro)?.chave, 'thalesog@me.com');
});

test('recusa o que não cabe num PIX estático', (t) => {
  const ruins: Partial<Parameters<typeof gerarPixEstatico>[0]>[] = [
    { chave: '' },
    { chave: 'com espaço' },
    { chave: 'a'.repeat(78) },
    { chave: 'a'.repeat(60), informacao: 'b'.repeat(14) },
    { nome: '' },
    { nome: '漢字' },
    { cidade: ' ' },
    { valor: centavos(0) },
    { valor: centavos(-1) },
    { valor: centavos(1_000_000_000_000) },
    { txid: '' },
    { txid: 'a b' },
    { txid: 'a'.repeat(26) },
    { txid: 'ação' },
  ];
  for (const ruim of ruins) {
    t.throws(() => gerarPixEstatico({ ...BASE, ...ruim }), { instanceOf: RangeError }, JSON.stringify(ruim));
  }
  // 18 + 64 + 17 = 99: o último tamanho que cabe no campo 26.
  t.truthy(lerPix(gerarPixEstatico({ ...BASE, chave: 'a'.repeat(60), informacao: 'b'.repeat(13) })));
});

test('ler o que se gerou devolve a entrada, e a biblioteca lê o mesmo', (t) => {
  const letras = DIGITOS + MAIUSCULAS + MAIUSCULAS.toLowerCase();
  const semPontas = (max: number) => textoDe(`${letras} .-`, 1, max).map((s) => s.replace(/ +/g, ' ').trim() || 'X');
  const entrada = fc.record({
    chave: fc.oneof(
      fc.uuid({ version: 4 }),
      textoDe(DIGITOS, 8).map((n) => `+55119${n}`),
      fc.constant('52998224725'),
    ),
    nome: semPontas(25),
    cidade: semPontas(15),
    valor: fc.integer({ min: 1, max: 999_999_999_999 }).map(centavos),
    txid: textoDe(letras, 1, 25),
    informacao: semPontas(37),
  });
  const prop = fc.property(entrada, (e) => {
    const codigo = gerarPixEstatico(e);
    const { informacao, ...lido } = e;
    t.deepEqual(lerPix(codigo), { ...lido, url: null });
    const segunda = getPixPayloadInfo(codigo);
    t.is(segunda?.key, e.chave);
    t.is(segunda?.merchantName, e.nome);
    t.is(segunda?.merchantCity, e.cidade);
    t.is(segunda?.txid, e.txid);
    t.is(segunda?.description, informacao);
    t.is(Math.round((segunda?.amount ?? 0) * 100), Number(e.valor));
  });
  fc.assert(prop, { numRuns: 10_000 });
});
