import test from 'ava';
import { centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { somarDias } from '../../../src/brazil/calendario/datas.ts';
import { conferirConvenio } from '../../../src/brazil/cnab/ajustes.ts';
import {
  BANCOS_COM_CNAB,
  RemessaInvalida,
  type BancoComCnab,
  type Convenio,
  type Titulo,
} from '../../../src/brazil/cnab/convenio.types.ts';
import { digitoDoNossoNumero, nossoNumero } from '../../../src/brazil/cnab/nosso-numero.ts';
import { nomeDaRemessa } from '../../../src/brazil/cnab/remessa/arquivo.ts';
import { linhas240 } from '../../../src/brazil/cnab/remessa/remessa-240.ts';
import { escreverRemessa } from '../../../src/brazil/cnab/remessa/remessa.ts';
import { cortarEndereco, cortarTexto, nomeQueCabe, textoDoBanco } from '../../../src/brazil/cnab/texto.ts';
import { quanto } from '../../support/prova.ts';
import { data, Sorteio } from '../_apoio.ts';
import { convenioDe } from './_convenios.ts';
import { lerRemessa240, lerRemessa400, lerTexto, type RemessaLida } from './_leitor.ts';

const HOJE = data('2026-12-01');

function titulo(mudado: Partial<Titulo> = {}): Titulo {
  return {
    movimento: 'entrada',
    nossoNumero: '',
    usoEmpresa: 'B1',
    numeroDocumento: '1',
    vencimento: data('2027-01-10'),
    emissao: HOJE,
    valor: centavos(9990),
    pagador: {
      nome: 'João Pagador',
      documento: '12345678909',
      logradouro: 'Rua das Acácias, 123, apto 45',
      bairro: 'Centro',
      cep: '01001000',
      cidade: 'São Paulo',
      uf: 'SP',
    },
    txid: null,
    ...mudado,
  };
}

const comNumero = (convenio: Convenio, sequencia: number, mudado: Partial<Titulo> = {}): Titulo =>
  titulo({ nossoNumero: nossoNumero(convenio, sequencia, 2026).nossoNumero, ...mudado });

const escrever = (convenio: Convenio, titulos: Titulo[], nsa = 7): string =>
  escreverRemessa({ convenio, nsa, hoje: HOJE, hora: '101112', titulos });

const ler = (texto: string, { banco, formato }: Convenio): RemessaLida =>
  formato === '240' ? lerRemessa240(texto, banco) : lerRemessa400(texto, banco);

const NOMES = [
  'João',
  'Maria da Conceição',
  "D'Ávila",
  'Œuvre & Filhos',
  'de Souza',
  'Ørsted',
  'Albuquerque',
  'Sant’Anna',
  'Peçanha',
];
const RUAS = [
  'Rua XV de Novembro, 1500, bloco 3',
  'Avenida Engenheiro Luís Carlos Berrini, 1376, conjunto 162, torre B',
  'BR-101 KM 205',
  'Praça 7',
];

function sortear(sorteio: Sorteio, convenio: Convenio, n: number): Titulo {
  const emissao = somarDias(HOJE, -sorteio.inteiro(0, 20));
  return comNumero(convenio, n, {
    movimento:
      convenio.banco === '077' ? 'entrada' : sorteio.um(['entrada', 'entrada', 'baixa', 'vencimento'] as const),
    usoEmpresa: sorteio.texto('ABCDEFGHJKMNPQRSTVWXYZ0123456789', 1, 25),
    numeroDocumento: sorteio.texto('0123456789', 1, 10),
    emissao,
    vencimento: somarDias(emissao, sorteio.inteiro(0, 900)),
    valor: centavos(sorteio.inteiro(1, 99_999_999)),
    pagador: {
      nome: Array.from({ length: sorteio.inteiro(1, 4) }, () => sorteio.um(NOMES)).join(' '),
      documento: sorteio.um(['12345678909', '11222333000181']),
      logradouro: sorteio.um(RUAS),
      bairro: sorteio.um(['Jardim São José do Rio Preto 2', '', 'Centro']),
      cep: sorteio.texto('0123456789', 8),
      cidade: sorteio.um(['Sant’Ana do Livramento', 'Pirenópolis']),
      uf: sorteio.um(['SP', 'GO', 'RS']),
    },
  });
}

const ddmmaa = (d: string, largura: number): string =>
  d.slice(8) + d.slice(5, 7) + (largura === 6 ? d.slice(2, 4) : d.slice(0, 4));

/** What of a title the independent reader does not find in its line; '' when all is there. */
function divergencia(convenio: Convenio, escrito: Titulo, { tipos, campos }: RemessaLida['titulos'][number]): string {
  const largura = convenio.formato === '240' ? 8 : 6;
  const digito = digitoDoNossoNumero(convenio, escrito.nossoNumero);
  const numeros: Partial<Record<BancoComCnab, string>> = {
    '756': `00${escrito.nossoNumero}${digito}`,
    '104': escrito.nossoNumero,
    '341': escrito.nossoNumero,
    '033': escrito.nossoNumero.slice(-7) + digito,
  };
  const codigos = { entrada: '01', baixa: '02', vencimento: '06', valor: '' };
  const esperado: Record<string, string> = {
    [convenio.formato === '240' ? 'codigoMovimento' : 'ocorrencia']: codigos[escrito.movimento],
    valor: String(escrito.valor).padStart(campos['valor']!.length, '0'),
    vencimento: ddmmaa(escrito.vencimento, largura),
    emissao: ddmmaa(escrito.emissao, largura),
    usoEmpresa: escrito.usoEmpresa.padEnd(25),
    inscricaoPagador: escrito.pagador.documento.padStart(campos['inscricaoPagador']!.length, '0'),
    numeroDocumento: escrito.numeroDocumento.padEnd(campos['numeroDocumento']!.length),
    cep: escrito.pagador.cep.slice(0, campos['cep']!.length),
  };
  if (convenio.banco === '077') esperado['fixo90'] = (escrito.nossoNumero + digito).padStart(11, '0');
  else
    esperado['nossoNumero'] = (numeros[convenio.banco] ?? escrito.nossoNumero + digito).padEnd(
      campos['nossoNumero']!.length,
    );
  const errado = Object.keys(esperado).find((nome) => campos[nome] !== esperado[nome]);
  if (errado !== undefined) return `${errado}: '${campos[errado]}' em vez de '${esperado[errado]}'`;
  const comMulta =
    escrito.movimento === 'entrada'
      ? { '240': 'PQR', '400': convenio.banco === '341' ? '12' : '1' }
      : { '240': 'PQ', '400': '1' };
  return tipos === comMulta[convenio.formato] ? '' : `registros ${tipos}`;
}

test('cada remessa lê-se de volta por outro leitor, com totais e sequência certos', (t) => {
  const sorteio = new Sorteio(400);
  const quantos = quanto(300, 10_000);
  for (const banco of BANCOS_COM_CNAB) {
    const convenio = convenioDe(banco);
    t.deepEqual(conferirConvenio(convenio), [], banco);
    const titulos = Array.from({ length: quantos }, (_, n) => sortear(sorteio, convenio, n + 1));
    const lida = ler(escrever(convenio, titulos), convenio);
    t.is(lida.titulos.length, quantos, banco);
    const erradas = titulos.map((escrito, n) => divergencia(convenio, escrito, lida.titulos[n]!)).filter(Boolean);
    t.deepEqual(erradas.slice(0, 3), [], banco);
    if (banco === '033')
      t.is(
        Number(lida.trailer['reservado8']),
        titulos.reduce((soma, { valor }) => soma + valor, 0),
      );
    const nsa = { '240': 'nsa', '400': 'numeroRemessa' }[convenio.formato];
    if (banco !== '341' && banco !== '033') t.is(Number(lida.header[nsa]), 7, banco);
  }
});

test('o que não cabe num lote vai em vários, porque a sequência do lote tem cinco algarismos', (t) => {
  const convenio = convenioDe('756');
  const titulos = Array.from({ length: 25 }, (_, n) => comNumero(convenio, n + 1));
  const linhas = linhas240({ convenio, nsa: 7, hoje: HOJE, hora: '101112', titulos }, 10);
  const lida = lerRemessa240(linhas.map((linha) => `${linha}\r\n`).join(''), '756');
  t.is(lida.trailer['quantidadeLotes'], '000003');
  t.is(lida.titulos.length, 25);
});

test('as posições são as das amostras de cada banco', (t) => {
  // What a sample has in these positions does not depend on its title, so ours must be the same.
  const iguais: Partial<Record<BancoComCnab, [string, [number, number, number][]]>> = {
    '756': [
      'remessa-240-756.rem',
      [
        [1, 8, 18],
        [1, 143, 143],
        [2, 1, 13],
        [3, 8, 17],
        [3, 50, 50],
        [3, 59, 62],
        [4, 8, 17],
        [7, 1, 29],
      ],
    ],
    '748': [
      'remessa-240-748.rem',
      [
        [1, 8, 32],
        [1, 164, 171],
        [2, 1, 17],
        [3, 59, 62],
        [3, 224, 229],
        [7, 1, 29],
      ],
    ],
    '001': [
      'remessa-240-001.rem',
      [
        [1, 8, 18],
        [1, 42, 50],
        [2, 1, 13],
        [2, 43, 51],
        [3, 8, 17],
        [4, 8, 17],
        [7, 1, 29],
      ],
    ],
    '104': [
      'remessa-240-104.rem',
      [
        [1, 8, 18],
        [1, 33, 52],
        [1, 192, 211],
        [2, 1, 13],
        [3, 30, 41],
        [3, 58, 62],
        [3, 224, 229],
        [7, 1, 29],
      ],
    ],
    '341': [
      'remessa-400-341.rem',
      [
        [1, 1, 26],
        [1, 77, 94],
        [2, 1, 3],
        [2, 22, 23],
        [2, 84, 86],
        [2, 108, 110],
        [2, 140, 147],
      ],
    ],
    '237': [
      'remessa-400-237.rem',
      [
        [1, 1, 26],
        [1, 77, 94],
        [1, 101, 110],
        [2, 1, 1],
        [2, 21, 24],
        [2, 93, 93],
        [2, 106, 110],
        [2, 140, 147],
      ],
    ],
    '033': [
      'remessa-400-033-pix.rem',
      [
        [1, 1, 46],
        [1, 77, 79],
        [2, 1, 3],
        [2, 18, 37],
        [2, 109, 110],
        [2, 140, 147],
        [2, 383, 383],
        [3, 1, 6],
        [3, 20, 24],
        [3, 38, 43],
      ],
    ],
  };
  for (const [banco, [amostra, partes]] of Object.entries(iguais)) {
    const hibrido = banco === '033';
    const convenio = convenioDe(banco as BancoComCnab, {
      teste: false,
      ajustes: hibrido ? { hibrido, chavePix: '12345678910', tipoChavePix: '1' } : {},
    });
    const nossas = escrever(convenio, [comNumero(convenio, 1)]).split('\r\n');
    const delas = lerTexto(`amostras/${amostra}`).split('\r\n');
    for (const [linha, de, ate] of partes) {
      t.is(
        nossas[linha - 1]!.slice(de - 1, ate),
        delas[linha - 1]!.slice(de - 1, ate),
        `${banco}: linha ${linha}, ${de}-${ate}`,
      );
    }
  }
});

test('juros, multa, baixa e teste vão onde o banco os tem', (t) => {
  const um = (banco: BancoComCnab, mudado: Partial<Convenio> = {}): RemessaLida => {
    const convenio = convenioDe(banco, mudado);
    return ler(escrever(convenio, [comNumero(convenio, 1)]), convenio);
  };
  const sicoob = um('756').titulos[0]!.campos;
  t.is(`${sicoob['codigoJuros']} ${sicoob['dataJuros']} ${sicoob['juros']}`, '2 11012027 000000000000100');
  t.is(`${sicoob['codigoMulta']} ${sicoob['dataMulta']} ${sicoob['multa']}`, '2 11012027 000000000000200');
  t.is(um('756', { jurosAoMes: 0 }).titulos[0]!.campos['codigoJuros'], '0');
  t.is(um('001', { jurosAoMes: 0 }).titulos[0]!.campos['codigoJuros'], '3');
  t.is(um('756', { ajustes: { segmentoR: false } }).titulos[0]!.tipos, 'PQ');
  const sicredi = um('748', { baixaEmDias: null }).titulos[0]!.campos;
  t.is(`${sicredi['codigoBaixa']}${sicredi['diasBaixa']}`, '1060');
  // 1 % of 99.90 a month is 3.33 centavos a day.
  t.is(um('237').titulos[0]!.campos['jurosDia'], '0000000000003');
  t.is(um('237').titulos[0]!.campos['multa'], '0200');
  t.is(um('341').titulos[0]!.campos['2multa'], '0000000000200');
  t.is(um('033').titulos[0]!.campos['codigoMulta'], '4');
  t.is(um('077').titulos[0]!.campos['fixo140'], '30');
  t.is(um('001', { teste: true }).header['situacaoArquivo'], 'TS');
  t.is(um('104', { teste: true }).header['reservadoEmpresa']?.trim(), 'REMESSA-TESTE');
  t.is(um('756', { ajustes: { versaoArquivo: '087', especie: '02' } }).header['versaoLayoutArquivo'], '087');
  const deSete = convenioDe('104', { convenio: '1234567' });
  t.is(escrever(deSete, [comNumero(deSete, 1)]).slice(58, 65), '1234567');
});

test('boletos com PIX levam a chave no Santander e no Itaú, e só na entrada', (t) => {
  const ajustes = { hibrido: true, chavePix: 'pix@provedor.com.br', tipoChavePix: '4' };
  for (const [banco, tipo, ocorrencia] of [
    ['033', '8', '01'],
    ['341', '3', '71'],
  ] as const) {
    const convenio = convenioDe(banco, { ajustes, multa: 0 });
    const txid = 'A1'.repeat(15);
    const titulos = [comNumero(convenio, 1, { txid }), comNumero(convenio, 1, { movimento: 'baixa' })];
    const [entrada, baixa] = lerRemessa400(escrever(convenio, titulos), banco).titulos;
    t.is(entrada!.tipos, `1${tipo}`);
    t.is(entrada!.campos['ocorrencia'], ocorrencia);
    t.is(entrada!.campos[`${tipo}chavePix`]!.trim(), 'pix@provedor.com.br');
    t.is(entrada!.campos[`${tipo}txid`]!.trim(), txid);
    t.is(baixa!.tipos, '1');
    t.is(baixa!.campos['ocorrencia'], '02');
  }
});

test('o que o banco recusaria é recusado com o título e o campo', (t) => {
  const convenio = convenioDe('756');
  const bom = comNumero(convenio, 1, { usoEmpresa: 'BOM' });
  const ruins: [string, Partial<Titulo>][] = [
    ['valor', { valor: centavos(0) }],
    ['valor', { valor: centavos(10_000_000_000) }],
    ['vencimento', { vencimento: data('2026-11-30') }],
    ['usoEmpresa', { usoEmpresa: 'A'.repeat(26) }],
    ['nossoNumero', { nossoNumero: '' }],
    ['nossoNumero', { nossoNumero: bom.nossoNumero }],
    ['movimento', { movimento: 'valor' }],
    ['pagador.documento', { pagador: { ...bom.pagador, documento: '12ABC34501DE35' } }],
    ['pagador.documento', { pagador: { ...bom.pagador, documento: '12345678900' } }],
    ['pagador.nome', { pagador: { ...bom.pagador, nome: '李小龍' } }],
    ['pagador.nome', { pagador: { ...bom.pagador, nome: 'Donaudampfschiffahrtsgesellschaftskapitaen Silva' } }],
    ['pagador.logradouro', { pagador: { ...bom.pagador, logradouro: ' ' } }],
    ['pagador.cep', { pagador: { ...bom.pagador, cep: '0100' } }],
    ['pagador.uf', { pagador: { ...bom.pagador, uf: 'XX' } }],
  ];
  for (const [campo, mudado] of ruins) {
    const erro = t.throws(() => escrever(convenio, [bom, comNumero(convenio, 2, { usoEmpresa: 'RUIM', ...mudado })]), {
      instanceOf: RemessaInvalida,
    });
    t.is(erro?.campo, campo);
    t.is(erro?.indice, 1, campo);
    t.false(/12345678900|12ABC|Donau/i.test(erro?.message ?? ''), 'sem dados de quem paga');
  }
  t.is(
    t.throws(() => escrever(convenioDe('756', { cnpj: '12ABC34501DE35' }), [bom]), { instanceOf: RemessaInvalida })
      ?.campo,
    'cnpj',
  );
  t.is(t.throws(() => escrever(convenio, []), { instanceOf: RemessaInvalida })?.campo, 'titulos');
  t.is(t.throws(() => escrever(convenio, [bom], 1_000_000), { instanceOf: RemessaInvalida })?.campo, 'nsa');
  // Inter numbers itself, and takes entries only.
  const inter = convenioDe('077');
  t.notThrows(() => escrever(inter, [titulo(), titulo({ usoEmpresa: 'B2' })]));
  t.is(
    t.throws(() => escrever(inter, [comNumero(inter, 1, { movimento: 'baixa' })]), { instanceOf: RemessaInvalida })
      ?.campo,
    'movimento',
  );
});

test('o convênio diz tudo o que lhe falta', (t) => {
  const campos = (banco: BancoComCnab, mudado: Partial<Convenio>): string[] =>
    conferirConvenio(convenioDe(banco, mudado)).map(({ campo }) => campo);
  t.deepEqual(campos('748', { posto: '2', ajustes: { byte: '1' } }), ['posto', 'ajustes.byte']);
  t.deepEqual(campos('341', { carteira: '198', baixaEmDias: 100 }), ['baixaEmDias', 'carteira']);
  t.deepEqual(campos('237', { baixaEmDias: 30 }), ['baixaEmDias']);
  t.deepEqual(campos('104', { baixaEmDias: null }), ['baixaEmDias']);
  t.deepEqual(campos('756', { ajustes: { hibrido: true } }), ['ajustes.hibrido', 'ajustes.chavePix']);
  t.deepEqual(campos('001', { formato: '400', nome: '', cnpj: '' }), ['formato', 'cnpj', 'nome']);
});

test('textos vão em maiúsculas sem acento, e o corte não parte um número', (t) => {
  t.is(textoDoBanco('  Açaí & Cia. – nº 12º/3 '), 'ACAI & CIA. NO 12O/3');
  t.is(cortarTexto('AVENIDA BRASIL 12345', 17), 'AVENIDA BRASIL');
  t.is(cortarTexto('AVENIDA BRASIL', 10), 'AVENIDA BR');
  const longa = 'Avenida Engenheiro Luís Carlos Berrini da Silva, 13760, conjunto 162, torre B';
  t.is(cortarEndereco(longa, 40), 'AVENIDA ENGENHEIRO LUIS CARLOS BER 13760');
  t.is(cortarEndereco('Rua XV de Novembro, 1500, bloco 3, apartamento 1204', 40), 'RUA XV DE NOVEMBRO 1500 BLOCO 3');
  t.is(cortarEndereco('Rua 25 de Março 1000', 40), 'RUA 25 DE MARCO 1000');
  t.is(nomeQueCabe('Maria Aparecida dos Santos Oliveira da Silva Pereira', 40), 'MARIA APARECIDA SANTOS O S PEREIRA');
  t.is(nomeQueCabe('Maria da Silva', 40), 'MARIA DA SILVA');
  t.is(nomeQueCabe('Maximiliana Ana Bela Clara Dora Evangelista Albuquerque', 30), 'MAXIMILIANA A B C ALBUQUERQUE');
});

test('o arquivo tem o nome que o banco quer', (t) => {
  const nome = (banco: BancoComCnab, dia: string, doDia = 1, mudado: Partial<Convenio> = {}): string =>
    nomeDaRemessa(convenioDe(banco, mudado), 12, data(dia), doDia);
  t.is(nome('748', '2026-12-05'), '00623D05.CRM');
  t.is(nome('748', '2026-10-31', 2), '00623O31.RM2');
  t.is(nome('748', '2026-03-01', 10), '00623301.RM0');
  t.throws(() => nome('748', '2026-03-01', 11), { instanceOf: RangeError });
  t.is(nome('237', '2026-03-01', 3), 'CB010303.REM');
  t.is(nome('237', '2026-03-01', 1, { teste: true }), 'CB010301.TST');
  t.is(nome('077', '2026-03-01'), 'CI400_001_0000012.REM');
  t.is(nome('756', '2026-03-01'), '756-828190-000012.REM');
  t.is(nome('341', '2026-03-01'), '341-12345-000012.REM');
});

test('a baixa de quem ficou sem endereço vai; a entrada não', (t) => {
  const convenio = convenioDe('756');
  const pagador = { ...comNumero(convenio, 1).pagador, logradouro: '', cep: '', cidade: '', uf: '' };
  t.notThrows(() => escrever(convenio, [comNumero(convenio, 1, { movimento: 'baixa', pagador })]));
  t.throws(() => escrever(convenio, [comNumero(convenio, 1, { pagador })]), { instanceOf: RemessaInvalida });
});
