import test, { type ExecutionContext } from 'ava';
import {
  RetornoRecusado,
  type BancoComCnab,
  type ClasseDeRetorno,
  type Convenio,
  type Retorno,
} from '../../../src/brazil/cnab/convenio.types.ts';
import { classeDoMovimento, movimentoQueConta } from '../../../src/brazil/cnab/retorno/classes.ts';
import { contradicao, lerRetorno } from '../../../src/brazil/cnab/retorno/retorno.ts';
import { quanto } from '../../support/prova.ts';
import { Sorteio } from '../_apoio.ts';
import { convenioDe } from './_convenios.ts';
import { lerTexto } from './_leitor.ts';

const linhasDe = (texto: string): string[] => texto.split('\r\n').filter((linha) => linha !== '');
const arquivo = (linhas: readonly string[]): string => linhas.map((linha) => `${linha}\r\n`).join('');
const trocar = (linha: string, de: number, novo: string): string =>
  linha.slice(0, de - 1) + novo + linha.slice(de - 1 + novo.length);

/**
 * A sample. Who gathered them cut two in the middle, and lost 17 blanks after the name in the headers of Sicoob's: here their counts and
 * columns are put right.
 */
function amostra(nome: string): string[] {
  const linhas = linhasDe(lerTexto(`amostras/${nome}`));
  if (nome === 'retorno-240-756.ret') {
    for (const n of [0, 1])
      linhas[n] = (linhas[n]!.slice(0, 104) + ' '.repeat(17) + linhas[n]!.slice(104)).slice(0, 240);
  }
  if (nome === 'retorno-240-001.ret') {
    linhas[10] = trocar(linhas[10]!, 18, '000010');
    linhas[11] = trocar(linhas[11]!, 24, '000012');
  }
  if (nome === 'retorno-400-341.ret') linhas[11] = trocar(linhas[11]!, 395, '000012');
  return linhas;
}

const AMOSTRAS = [
  'retorno-240-756.ret',
  'retorno-240-748.crt',
  'retorno-240-001.ret',
  'retorno-240-033.ret',
  'retorno-400-341.ret',
  'retorno-400-237.ret',
  'retorno-400-077.ret',
  'retorno-400-033-pix.ret',
  'retorno-400-748.ret',
];

const resumo = ({ ocorrencias }: Retorno): string[] =>
  ocorrencias.map((o) =>
    [
      o.linha,
      o.movimento,
      o.classe,
      o.nossoNumero,
      o.valorTitulo,
      o.valorPago,
      o.tarifa,
      o.pagoEm,
      o.creditadoEm,
      o.motivos.map(({ codigo }) => codigo).join(),
    ].join(' '),
  );

test('as amostras de retorno leem-se como o banco as fez', (t) => {
  const ler = (nome: string): Retorno => lerRetorno(arquivo(amostra(nome)));
  t.deepEqual(resumo(ler('retorno-240-756.ret')), [
    '3 06 liquidado 0000008 200 200 170 2015-08-10 2015-08-10 03',
    '5 06 liquidado 0000011 200 200 170 2015-08-10 2015-08-10 03',
    '7 06 liquidado 0000012 200 200 170 2015-08-10 2015-08-10 03',
  ]);
  t.deepEqual(resumo(ler('retorno-240-748.crt')), [
    '3 02 registrado 17200059 995 0 0 2017-04-06  A4',
    '5 28 tarifa 17200059 995 0 380 2017-04-06 2017-04-06 05',
  ]);
  t.deepEqual(resumo(ler('retorno-240-001.ret')), [
    '3 17 liquidado 14499570000020673 34400 34400 103 2011-12-29 2012-01-02 03',
    '5 17 liquidado 14499570000020807 32117 32117 103 2011-12-29 2012-01-02 03',
    '7 17 liquidado 14499570000020821 75147 75147 103 2011-12-29 2012-01-02 03',
    '9 17 liquidado 14499570000020823 86618 86618 103 2011-12-29 2012-01-02 03',
  ]);
  // A 02 of Santander carries a paid amount, which is no money.
  t.deepEqual(
    resumo(ler('retorno-240-033.ret')).map((linha) => linha.split(' ').slice(1, 6).join(' ')),
    ['02 registrado 000000000140 1000 0', '06 liquidado 000000000140 1000 1000'],
  );
  const itau = ler('retorno-400-341.ret');
  t.is(itau.sequencial, 25);
  t.is(itau.cnpj, '11222333000181');
  // Itaú tells what it has credited: 37.90, after a fee of 2.10.
  t.is(resumo(itau)[0], '2 06 liquidado 00000011 4000 4000 210 2013-05-20 2013-05-21 ');
  t.is(itau.ocorrencias.length, 10);
  const bradesco = ler('retorno-400-237.ret');
  t.deepEqual(resumo(bradesco).slice(-2), [
    '6 02 registrado 51350000011 18000 0 160 2015-05-15  ',
    '7 10 baixado 50980000002 20000 0 0 2015-05-15  ',
  ]);
  t.is(bradesco.convenio, '00000000000004540691');
  t.is(bradesco.sequencial, 405);
  t.is(ler('retorno-400-077.ret').ocorrencias[0]?.classe, 'registrado');
  const [santander] = ler('retorno-400-033-pix.ret').ocorrencias;
  t.deepEqual(santander?.pix, {
    location: '39a1178e-db6b-4407-bc7b-b674390acf5f',
    txid: 'id-da-transcao-pix',
    copiaECola: '',
  });
  t.is(ler('retorno-400-748.ret').ocorrencias[0]?.classe, 'registrado');
});

test('cada banco tem as suas próprias palavras para o mesmo código', (t) => {
  const casos: [BancoComCnab, '240' | '400', string, ClasseDeRetorno][] = [
    ['104', '240', '44', 'desfeito'],
    ['104', '240', '47', 'desfeito'],
    ['104', '240', '46', 'liquidado'],
    ['756', '240', '44', 'outra'],
    ['756', '240', '46', 'outra'],
    ['756', '240', '17', 'liquidado'],
    ['756', '240', '50', 'outra'],
    ['748', '240', '36', 'recusada'],
    ['341', '400', '17', 'recusada'],
    ['341', '400', '07', 'liquidado'],
    ['341', '400', '10', 'baixado'],
    ['237', '400', '17', 'liquidado'],
    ['237', '400', '22', 'desfeito'],
    ['237', '400', '40', 'desfeito'],
    ['237', '400', '27', 'recusada'],
    ['033', '400', '08', 'liquidado'],
    ['077', '400', '07', 'baixado'],
    ['077', '400', '17', 'outra'],
  ];
  for (const [banco, formato, codigo, classe] of casos)
    t.is(classeDoMovimento(banco, formato, codigo), classe, `${banco} ${codigo}`);
});

test('o PIX de um boleto vem no registro que o banco tem para ele', (t) => {
  const [bradesco, itau] = [amostra('retorno-400-237.ret'), amostra('retorno-400-341.ret')];
  const tipo4 = trocar(trocar(trocar('4'.padEnd(400), 29, 'qr.exemplo/v2/abc'), 106, 'TXID1'), 395, '000003');
  const comPix = [...bradesco.slice(0, 2), tipo4, ...bradesco.slice(2)].map((l, n) =>
    trocar(l, 395, String(n + 1).padStart(6, '0')),
  );
  t.deepEqual(lerRetorno(arquivo(comPix)).ocorrencias[0]?.pix, {
    location: 'qr.exemplo/v2/abc',
    txid: 'TXID1',
    copiaECola: '',
  });
  const tipo3 = trocar('3'.padEnd(400), 2, '00020126BR.GOV.BCB.PIX');
  const doItau = [...itau.slice(0, 2), tipo3, ...itau.slice(2)].map((l, n) =>
    trocar(l, 395, String(n + 1).padStart(6, '0')),
  );
  t.is(lerRetorno(arquivo(doItau)).ocorrencias[0]?.pix?.copiaECola, '00020126BR.GOV.BCB.PIX');
});

test('fins de linha, bytes, o sinal de fim do DOS e linhas vazias no fim não fazem diferença', (t) => {
  for (const nome of AMOSTRAS) {
    const texto = arquivo(amostra(nome));
    const esperado = lerRetorno(texto);
    const formas = [
      texto.replaceAll('\r\n', '\n'),
      texto.slice(0, -2),
      `${texto}\x1a`,
      `${texto}\x1a\r\n`,
      `${texto.slice(0, -2)}\x1a`,
      `${texto}\r\n  \r\n\n`,
      `${texto}\r\n\x1a`,
    ];
    for (const forma of formas) {
      t.deepEqual(lerRetorno(forma), esperado, nome);
      t.deepEqual(lerRetorno(Buffer.from(forma, 'latin1')), esperado, nome);
    }
  }
  const comAcento = amostra('retorno-240-756.ret');
  comAcento[2] = trocar(comAcento[2]!, 149, 'JOÃO');
  t.is(lerRetorno(Buffer.from(arquivo(comAcento), 'latin1')).ocorrencias.length, 3);
});

const contra = (linhas: readonly string[], convenio: Convenio): string | null =>
  contradicao(lerRetorno(arquivo(linhas)), convenio);

function recusado(t: ExecutionContext, linhas: readonly string[], linha: number, porque: string): void {
  const erro = t.throws(() => lerRetorno(arquivo(linhas)), { instanceOf: RetornoRecusado }, porque);
  t.is(erro?.linha, linha, `${porque}: ${erro?.motivo}`);
}

test('um arquivo rasgado ou alheio é recusado inteiro, com a linha errada', (t) => {
  for (const nome of AMOSTRAS) {
    const boas = amostra(nome);
    const fim = boas.length;
    const meio = nome.includes('240') ? 3 : 2;
    const sem = (n: number): string[] => boas.filter((_, i) => i !== n - 1);
    recusado(t, sem(meio), meio, `${nome}: falta uma linha`);
    recusado(t, sem(fim), fim - 1, `${nome}: falta o fim`);
    recusado(t, [...boas.slice(0, meio), ...boas.slice(meio - 1)], meio + 1, `${nome}: linha dobrada`);
    if (fim > 4) {
      const trocadas = [...boas.slice(0, meio - 1), boas[meio]!, boas[meio - 1]!, ...boas.slice(meio + 1)];
      recusado(t, trocadas, meio, `${nome}: linhas trocadas`);
    }
    recusado(
      t,
      boas.map((l, n) => (n === meio - 1 ? l.slice(1) : l)),
      meio,
      `${nome}: linha curta`,
    );
    recusado(t, [...boas, ...boas], nome.includes('240') ? fim : fim, `${nome}: dois arquivos num só`);
    recusado(t, [trocar(boas[0]!, nome.includes('240') ? 1 : 77, '999'), ...boas.slice(1)], 1, `${nome}: outro banco`);
  }
  recusado(t, linhasDe(lerTexto('amostras/retorno-240-001.ret')), 11, 'cortado: o trailer do lote conta outras linhas');
  recusado(t, linhasDe(lerTexto('amostras/retorno-400-341.ret')), 12, 'cortado: a sequência do trailer é outra');
  for (const remessa of ['remessa-240-756.rem', 'remessa-400-341.rem'])
    recusado(t, linhasDe(lerTexto(`amostras/${remessa}`)), 1, remessa);
  const sicoob = amostra('retorno-240-756.ret');
  recusado(
    t,
    sicoob.map((l, n) => (n === 3 ? trocar(l, 78, '0000000O0000200') : l)),
    4,
    'letra num valor',
  );
  recusado(
    t,
    sicoob.map((l, n) => (n === 3 ? trocar(l, 16, '09') : l)),
    4,
    'movimento do U',
  );
  for (const lixo of ['', '\x1a', 'PK\x03\x04', 'a'.repeat(239), `${'a'.repeat(240)}\r\n`]) {
    t.throws(() => lerRetorno(lixo), { instanceOf: RetornoRecusado });
  }
});

test('um valor ou um dia que não pode ser tira da conta a sua linha, com o porquê, e as outras contam', (t) => {
  const sicoob = amostra('retorno-240-756.ret');
  const casos: readonly (readonly [de: number, texto: string, motivo: RegExp])[] = [
    [138, '32082015', /dataOcorrencia não é uma data/],
    [138, '99999999', /dataOcorrencia não é uma data/],
    [138, '01011900', /dataOcorrencia é de antes de 2000/],
    [138, '00000000', /não tem dia/],
    [78, '999999999999999', /valorPago é maior do que/],
    [78, '000000000000000', /o pagamento é de zero/],
  ];
  for (const [de, texto, motivo] of casos) {
    const { ocorrencias } = lerRetorno(arquivo(sicoob.map((l, n) => (n === 3 ? trocar(l, de, texto) : l))));
    t.deepEqual(
      ocorrencias.map(({ classe }) => classe),
      ['ilegivel', 'liquidado', 'liquidado'],
      texto,
    );
    const [primeira] = ocorrencias;
    t.deepEqual([primeira?.linha, primeira?.nossoNumero, primeira?.valorPago], [3, '0000008', 0]);
    t.regex(primeira?.motivos[0]?.texto ?? '', motivo);
  }
  for (const [n, de] of [
    [2, 74],
    [3, 146],
  ] as const) {
    // The due date of what was paid, and the day of the credit, decide nothing.
    const lido = lerRetorno(arquivo(sicoob.map((l, k) => (k === n ? trocar(l, de, '99999999') : l))));
    t.is(lido.ocorrencias[0]?.classe, 'liquidado');
  }
  const itau = amostra('retorno-400-341.ret').map((l, n) => (n === 1 ? trocar(l, 254, '9999999999999') : l));
  const doItau = lerRetorno(arquivo(itau)).ocorrencias;
  t.deepEqual([doItau[0]?.classe, doItau.filter(({ classe }) => classe === 'ilegivel').length], ['ilegivel', 1]);
});

test('linhas iguais de um arquivo são numeradas, e por dois movimentos do mesmo pagamento não', (t) => {
  const sicoob = amostra('retorno-240-756.ret');
  const igual = (n: number): string => trocar(sicoob[n]!, 38, sicoob[2]!.slice(37, 57));
  const repetida = sicoob.map((l, n) => (n === 4 ? trocar(igual(4), 9, l.slice(8, 13)) : l));
  t.deepEqual(
    lerRetorno(arquivo(repetida)).ocorrencias.map(({ vez }) => vez),
    [1, 2, 1],
  );
  t.deepEqual(
    lerRetorno(arquivo(sicoob)).ocorrencias.map(({ vez }) => vez),
    [1, 1, 1],
  );
  const daCaixa = ['06', '46', '44', '47', '02'].map((movimento) => movimentoQueConta('104', movimento));
  t.deepEqual(daCaixa, ['06', '06', '44', '44', '02']);
  t.is(movimentoQueConta('756', '46'), '46');
});

test('o arquivo de outro convênio é recusado', (t) => {
  const sicoob = amostra('retorno-240-756.ret');
  const dono = convenioDe('756', { agencia: '3039', conta: '48981', contaDv: '6' });
  t.is(contra(sicoob, dono), null);
  t.is(contra(sicoob, { ...dono, agencia: '3069' }), 'a agência não é a do convênio');
  t.is(contra(sicoob, { ...dono, conta: '48982' }), 'a conta não é a do convênio');
  t.is(contra(sicoob, { ...dono, cnpj: '12345678909' }), 'o CNPJ não é o do convênio');
  t.is(contra(sicoob, convenioDe('748')), 'é do banco 756, e o convênio é do 748');
  const bradesco = amostra('retorno-400-237.ret');
  t.is(contra(bradesco, convenioDe('237', { convenio: '1' })), 'o código não é o do convênio');
  t.is(contra(bradesco, convenioDe('237')), null);
  const itau = amostra('retorno-400-341.ret');
  t.is(contra(itau, convenioDe('341', { agencia: '0730', conta: '99999' })), 'a conta não é a do convênio');
  t.is(contra(itau, convenioDe('341', { agencia: '0730', conta: '03511' })), null);
});

test('do Santander, o fim do código de transmissão diz a conta de cobrança, e o arquivo de outra é recusado', (t) => {
  const linhas = amostra('retorno-400-033-pix.ret');
  const daConta = linhas.map((linha, n) => (n === 0 ? trocar(linha, 27, '17777751042700080112') : linha));
  const semCnpj = convenioDe('033', { cnpj: '' });
  t.is(contra(daConta, semCnpj), null);
  t.is(contra(daConta, { ...semCnpj, codigoTransmissao: '17777751042700080113' }), 'a conta não é a do convênio');
  const semConta = linhas.map((l, n) => (n === 0 ? trocar(l, 39, '00000000') : l));
  t.is(contra(semConta, semCnpj), null);
});

test('de um arquivo estragado sai tudo ou nada, e nunca outra falha', (t) => {
  const sorteio = new Sorteio(741);
  const boas = AMOSTRAS.map((nome) => amostra(nome));
  const titulos = new Map(boas.map((linhas) => [linhas, lerRetorno(arquivo(linhas)).ocorrencias.length]));
  let recusados = 0;
  for (let i = 0; i < quanto(1500, 10_000); i += 1) {
    const original = sorteio.um(boas);
    let linhas = [...original];
    const n = sorteio.inteiro(0, linhas.length - 1);
    const como = sorteio.inteiro(0, 5);
    const onde = sorteio.inteiro(1, linhas[n]!.length);
    if (como <= 1) linhas[n] = trocar(linhas[n]!, onde, sorteio.um('0123456789 AZ\n\r\x1a\xc3/'));
    if (como === 2) linhas.splice(n, 1);
    if (como === 3) linhas.splice(n, 0, linhas[n]!);
    if (como === 4) [linhas[n], linhas[0]] = [linhas[0]!, linhas[n]!];
    if (como === 5) linhas = linhas.slice(0, n);
    const texto = arquivo(linhas);
    try {
      const lido = lerRetorno(sorteio.inteiro(0, 1) === 0 ? texto : Buffer.from(texto, 'latin1'));
      if (lido.ocorrencias.length !== titulos.get(original)) {
        // Only the type of a record, or the segment's letter, can change how many titles there are, and no such change is taken.
        t.fail(`caso ${i}: ${lido.ocorrencias.length} títulos de ${titulos.get(original)}`);
        return;
      }
    } catch (erro) {
      if (!(erro instanceof RetornoRecusado) || erro.linha < 1 || erro.linha > linhas.length + 2) {
        t.fail(`caso ${i}: ${String(erro)}`);
        return;
      }
      recusados += 1;
    }
  }
  t.true(recusados > 100);
});
