import test from 'ava';
import { contradiz, lerCampoLivre } from '../../../src/brazil/boleto/campo-livre.ts';

// Vectors of another implementation (brcobranca): branch, account and number of each, and the bar code that they gave.
const BANCOS: readonly (readonly [
  banco: string,
  barras: string,
  lido: ReturnType<typeof lerCampoLivre>,
  agenciaCodigo: string,
  carteira: string,
  nossosNumeros: readonly string[],
])[] = [
  [
    'Sicoob',
    '75697168700000099901306901082819000512020001',
    { agencia: '3069', codigo: '0828190', carteira: '1', numero: '0051202' },
    '3069 / 828190',
    '1/01',
    ['51202-0', '00512020', '51202'],
  ],
  [
    'Sicredi',
    '74891168700000099901126200003201650200623104',
    { agencia: '0165', codigo: '00623', carteira: '1', numero: '26200003' },
    '0165.02.00623',
    '1',
    ['26/200003-2', '262000032'],
  ],
  [
    'Banco do Brasil',
    '00194168700000099900000001238798000000777717',
    { agencia: null, codigo: null, carteira: '17', numero: '0000007777' },
    '1234-5 / 99999-9',
    '17-019',
    ['12387980000007777', '7777'],
  ],
  [
    'Itaú',
    '34194168700000099901099871234500057123457000',
    { agencia: '0057', codigo: '12345', carteira: '109', numero: '98712345' },
    '0057/12345-7',
    '109',
    ['109/98712345-0', '987123450'],
  ],
  [
    'Bradesco',
    '23799168700000099901172090000000052504030050',
    { agencia: '1172', codigo: '0403005', carteira: '09', numero: '00000000525' },
    '1172-0 / 0403005-2',
    '9',
    ['09/00000000525-P', '525'],
  ],
  [
    'Santander',
    '03396168700000099909189977500000900027250101',
    { agencia: null, codigo: '1899775', carteira: '101', numero: '000009000272' },
    '0123 / 1899775',
    'COBRANÇA SIMPLES RCR',
    ['000009000272-5', '9000272'],
  ],
  [
    'Caixa',
    '10491168700000099901000004123145647891234564',
    { agencia: null, codigo: '100000', carteira: null, numero: '123456789123456' },
    '0123/100000-4',
    'RG',
    ['14/123456789123456-3', '14123456789123456'],
  ],
  [
    'Inter',
    '07798168700000099900001112123456700000001232',
    { agencia: '0001', codigo: null, carteira: '112', numero: '0000000123' },
    '0001 / 12345678-9',
    '112',
    ['00000001232', '123'],
  ],
];

const nada = { agenciaCodigo: null, carteira: null, nossoNumero: null };

for (const [banco, barras, lido, agenciaCodigo, carteira, nossosNumeros] of BANCOS) {
  test(`${banco}: lê o que o banco põe no campo livre, e aceita o que se imprime dele`, (t) => {
    t.deepEqual(lerCampoLivre(barras), lido);
    for (const nossoNumero of nossosNumeros) t.is(contradiz(lido!, { agenciaCodigo, carteira, nossoNumero }), null);
    t.is(contradiz(lido!, nada), null);
  });

  test(`${banco}: os dados de cada outro banco que o campo pode negar são negados`, (t) => {
    for (const [outro, , , agencia, carteiraDele, [numero = '']] of BANCOS) {
      if (outro === banco) continue;
      t.is(contradiz(lido!, { ...nada, nossoNumero: numero }), 'nossoNumero', outro);
      if (lido!.codigo !== null) t.is(contradiz(lido!, { ...nada, agenciaCodigo: agencia }), 'agenciaCodigo', outro);
      const [deles] = /\d+/.exec(carteiraDele) ?? [];
      const igual = deles === undefined || lido!.carteira === null || Number(deles) === Number(lido!.carteira);
      t.is(contradiz(lido!, { ...nada, carteira: carteiraDele }), igual ? null : 'carteira', outro);
    }
  });
}

/** Numbers whose check digit is 0, 1 or P. */
const DE_BORDA: readonly (readonly [banco: string, campo: string, numero: string])[] = [
  ['237', '1172090000000000204030050', '00000000002'],
  ['756', '1306901082819000000020001', '0000002'],
  ['756', '1306901082819000000091001', '0000009'],
  ['104', '1000004000100040000000039', '000000000000003'],
  ['104', '1000004000100040000000080', '000000000000008'],
  ['748', '1126200004001650200623100', '26200004'],
  ['748', '1126200009101650200623107', '26200009'],
  ['341', '1090000000400057123457000', '00000004'],
  ['341', '1090000000810057123457000', '00000008'],
  ['033', '9189977500000000000510101', '000000000005'],
  ['033', '9189977500000000000600101', '000000000006'],
];

for (const [banco, campo, numero] of DE_BORDA) {
  test(`campo livre ${banco} ${campo}: os dígitos que dão 0, 1 ou P fecham`, (t) => {
    t.is(lerCampoLivre(`${banco}9116870000009990${campo}`.slice(0, 19) + campo)?.numero, numero);
  });
}

test('o campo de outro banco, ou de dígito que não fecha, não se conhece', (t) => {
  t.is(lerCampoLivre('08591168700000099901306901082819000512020001'), null);
  const comDigitos = ['756', '748', '341', '033', '104'];
  for (const [, barras] of BANCOS.filter(([, codigo]) => comDigitos.includes(codigo.slice(0, 3)))) {
    // The title's number: with another, its check digit is wrong.
    const onde =
      barras.startsWith('748') || barras.startsWith('104')
        ? 43
        : { '756': 38, '341': 29, '033': 38 }[barras.slice(0, 3)]!;
    const trocado = `${barras.slice(0, onde)}${(Number(barras[onde]) + 1) % 10}${barras.slice(onde + 1)}`;
    t.is(lerCampoLivre(trocado), null, barras);
  }
});
