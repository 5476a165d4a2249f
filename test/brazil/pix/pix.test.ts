import test from 'ava';
import { generatePixPayload, getPixPayloadInfo } from '@brazilian-utils/brazilian-utils';
import { centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { crc16, gerarPixEstatico, lerPix, lerRecebedor, txidEstaticoValido } from '../../../src/brazil/pix/pix.ts';
import { DIGITOS, emCemMilCasos, MAIUSCULAS, type Sorteio } from '../_apoio.ts';

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

/** The same code with a piece changed and the CRC made anew. */
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
  // 18 + 64 + 17 = 99: the last length that fits field 26.
  t.truthy(lerPix(gerarPixEstatico({ ...BASE, chave: 'a'.repeat(60), informacao: 'b'.repeat(13) })));
});

test('o recebedor vem como o código o leva, e null se com ele não se faz um código', (t) => {
  t.deepEqual(lerRecebedor('529.982.247-25', ' Conexão Rápida do Açaí Telecom', 'São Miguel do Oeste'), {
    chave: '52998224725',
    nome: 'Conexao Rapida do Acai Te',
    cidade: 'Sao Miguel do O',
  });
  const bom = ['52998224725', 'Provedor', 'Recife'] as const;
  for (const ruim of [null, '', ' ', '漢字', '🚀']) {
    t.is(lerRecebedor(ruim, bom[1], bom[2]), null);
    t.is(lerRecebedor(bom[0], ruim, bom[2]), null);
    t.is(lerRecebedor(bom[0], bom[1], ruim), null);
  }
  t.is(lerRecebedor('529.982.247-26', bom[1], bom[2]), null);
});

test('o maior recebedor e o maior txid cabem num código', (t) => {
  const chave = `${'a'.repeat(64)}@malha.com.br`;
  t.is(chave.length, 77);
  const recebedor = lerRecebedor(chave, 'N'.repeat(80), 'C'.repeat(80))!;
  const txid = 'Z'.repeat(25);
  const codigo = gerarPixEstatico({ ...recebedor, valor: centavos(999_999_999_999), txid });
  t.like(lerPix(codigo), { ...recebedor, txid });
});

test('o txid estático tem de 1 a 25 letras e dígitos', (t) => {
  for (const bom of ['A', '0', 'aZ9'.repeat(8), 'a'.repeat(25)]) t.true(txidEstaticoValido(bom), bom);
  for (const ruim of ['', '***', 'a-b', 'ç', 'a'.repeat(26), 'a\n']) t.false(txidEstaticoValido(ruim), ruim);
});

const FIM_DE_UUID = '-0000-4000-8000-000000000000';
const LETRAS = DIGITOS + MAIUSCULAS + MAIUSCULAS.toLowerCase();

function sortear(s: Sorteio) {
  const texto = (max: number) => s.texto(`${LETRAS} .-ãÇé`, 1, max);
  return {
    chave: s.um(['52998224725', 'a@malha.com.br', `+55119${s.texto(DIGITOS, 8)}`, `${s.texto('0a', 8)}${FIM_DE_UUID}`]),
    nome: `N${texto(40)}`,
    cidade: `C${texto(30)}`,
    valor: centavos(s.inteiro(1, s.um([100, 100_000, 999_999_999_999]))),
    txid: s.texto(LETRAS, 1, 25),
    informacao: `I${texto(36)}`,
    troca: s.inteiro(0, 99),
  };
}

test('em 100 mil casos a biblioteca gera o mesmo código e lê nele o mesmo que nós', (t) => {
  const conferir = () =>
    emCemMilCasos(sortear, (e) => {
      const codigo = gerarPixEstatico(e);
      const deles = generatePixPayload({
        key: e.chave,
        merchantName: e.nome,
        merchantCity: e.cidade,
        amount: e.valor / 100,
        txid: e.txid,
        description: e.informacao,
      });
      const nosso = lerPix(codigo);
      const lido = getPixPayloadInfo(codigo);
      const trocado = codigo.slice(0, e.troca) + (codigo[e.troca] === '7' ? '8' : '7') + codigo.slice(e.troca + 1);
      return (
        codigo === deles &&
        nosso?.chave === e.chave &&
        nosso.chave === lido?.key &&
        nosso.nome === lido.merchantName &&
        nosso.cidade === lido.merchantCity &&
        nosso.valor === e.valor &&
        nosso.valor === Math.round((lido.amount ?? 0) * 100) &&
        nosso.txid === e.txid &&
        nosso.txid === lido.txid &&
        nosso.url === null &&
        lerPix(trocado) === null &&
        getPixPayloadInfo(trocado) === null
      );
    });
  t.notThrows(conferir);
});

test('em 100 mil textos o CRC é o resto da divisão do polinômio', (t) => {
  const conferir = () =>
    emCemMilCasos(
      (s) => s.texto(`${LETRAS}ãé漢`, 0, 40),
      (texto) => {
        // Bit by bit, with the 16 zeros of the division, and not byte by byte with a table.
        let resto = 0x84cf;
        for (const byte of [...new TextEncoder().encode(texto), 0, 0]) {
          for (let bit = 7; bit >= 0; bit--) {
            resto = (resto << 1) | ((byte >> bit) & 1);
            if (resto & 0x10000) resto ^= 0x11021;
          }
        }
        return crc16(texto) === resto.toString(16).toUpperCase().padStart(4, '0');
      },
    );
  t.notThrows(conferir);
});
