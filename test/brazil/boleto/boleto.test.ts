import test from 'ava';
import { getBoletoInfo, isValidBoleto } from '@brazilian-utils/brazilian-utils';
import {
  codigoBarras,
  fatorVencimento,
  gerarCodigoBarras,
  lerBoleto,
  linhaDigitavel,
} from '../../../src/brazil/boleto/boleto.ts';
import { somarDias } from '../../../src/brazil/calendario/datas.ts';
import { centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { data, DIGITOS, emCemMilCasos, type Sorteio } from '../_apoio.ts';

const VETORES: [string, string][] = [
  ['23793381286000782713695000063305975520000370000', '23799755200003700003381260007827139500006330'],
  ['34191570729677774065340871130007961980000023076', '34199619800000230761570796777740654087113000'],
  ['836200000005667800481000180975657313001589636081', '83620000000667800481001809756573100158963608'],
  ['848900000002404201622015806051904292586034111220', '84890000000404201622018060519042958603411122'],
  ['23792949096000000000403000658009514940000009990', '23795149400000099902949060000000000300065800'],
];

test('o fator conta os dias desde 1997-10-07 e recomeça em 1000', (t) => {
  const vetores: [string, number][] = [
    ['1997-10-08', 1],
    ['2000-07-03', 1000],
    ['2025-02-21', 9999],
    ['2025-02-22', 1000],
    ['2026-07-01', 1494],
    ['2049-10-13', 9999],
    ['2049-10-14', 1000],
  ];
  for (const [dia, fator] of vetores) t.is(fatorVencimento(data(dia)), fator, dia);
  t.throws(() => fatorVencimento(data('1997-10-07')), { instanceOf: RangeError });
});

test('linha digitável e código de barras conhecidos se convertem um no outro', (t) => {
  for (const [linha, barras] of VETORES) {
    t.is(codigoBarras(linha), barras);
    t.is(linhaDigitavel(barras), linha);
    t.true(isValidBoleto(linha));
  }
});

test('a linha pode vir com pontos, hífens e espaços', (t) => {
  t.is(codigoBarras('23792.94909 60000.000004 03000.658009 5 14940000009990'), VETORES[4]![1]);
  t.is(codigoBarras('83620000000-5 66780048100-0 18097565731-3 00158963608-1'), VETORES[2]![1]);
});

test('gera o código de barras conhecido de 99.90 com vencimento em 2026-07-01', (t) => {
  const campoLivre = '2949060000000000300065800';
  const entrada = { banco: '237', vencimento: data('2026-07-01'), valor: centavos(9990), campoLivre };
  t.is(gerarCodigoBarras(entrada), VETORES[4]![1]);
});

test('qualquer dígito trocado invalida a linha conhecida e o código de barras', (t) => {
  for (const [linha, barras] of VETORES) {
    for (let i = 0; i < linha.length; i++) {
      const outro = String((Number(linha[i]) + 1) % 10);
      t.is(codigoBarras(linha.slice(0, i) + outro + linha.slice(i + 1)), null, `${linha} ${i}`);
    }
    const trocado = String((Number(barras[43]) + 1) % 10);
    t.throws(() => linhaDigitavel(barras.slice(0, 43) + trocado), { instanceOf: RangeError });
  }
});

test('textos de outra forma não são boleto', (t) => {
  for (const ruim of ['', '123', VETORES[0]![0] + '0', 'a'.repeat(47), VETORES[2]![0].slice(0, 47)]) {
    t.is(codigoBarras(ruim), null);
    t.is(lerBoleto(ruim, data('2026-07-01')), null);
    t.throws(() => linhaDigitavel(ruim), { instanceOf: RangeError });
  }
});

test('recusa banco, valor e campo livre que não cabem', (t) => {
  const bom = { banco: '237', vencimento: data('2026-07-01'), valor: centavos(1), campoLivre: '0'.repeat(25) };
  const ruins = [
    { banco: '23' },
    { banco: '836' },
    { banco: '2a7' },
    { campoLivre: '0' },
    { campoLivre: 'a'.repeat(25) },
  ];
  for (const ruim of [...ruins, { valor: centavos(-1) }, { valor: centavos(10_000_000_000) }]) {
    t.throws(() => gerarCodigoBarras({ ...bom, ...ruim }), { instanceOf: RangeError }, JSON.stringify(ruim));
  }
});

test('lê banco, vencimento e valor, da linha ou do código de barras', (t) => {
  const esperado = { banco: '237', vencimento: data('2026-07-01'), valor: centavos(9990) };
  for (const codigo of VETORES[4]!) t.deepEqual(lerBoleto(codigo, data('2026-11-20')), esperado);
  t.is(lerBoleto(VETORES[2]![0], data('2026-11-20')), null);
});

test('o mesmo fator é o vencimento mais próximo da referência', (t) => {
  const linha = VETORES[4]![0];
  t.is(lerBoleto(linha, data('2002-01-01'))?.vencimento, data('2001-11-09'));
  t.is(lerBoleto(linha, data('2030-01-01'))?.vencimento, data('2026-07-01'));
  t.is(lerBoleto(linha, data('2050-01-01'))?.vencimento, data('2051-02-20'));
});

test('fator zero é boleto sem vencimento', (t) => {
  // With the factor the check digit changes, too: the one that fits is sought.
  const [, barras] = VETORES[4]!;
  const lidos = Array.from(DIGITOS, (dv) => `2379${dv}0000${barras.slice(9)}`)
    .map((codigo) => lerBoleto(codigo, data('2026-11-20')))
    .filter((lido) => lido !== null);
  t.deepEqual(lidos, [{ banco: '237', vencimento: null, valor: centavos(9990) }]);
});

/** A second implementation, by each digit's place in the line; weights from left to right. */
function m10(digitos: string): number {
  let soma = 0;
  for (let i = 0; i < digitos.length; i++) {
    const dobra = (digitos.length - i) % 2 === 1;
    for (const algarismo of String(Number(digitos[i]) * (dobra ? 2 : 1))) soma += Number(algarismo);
  }
  return Math.ceil(soma / 10) * 10 - soma;
}

const PESOS = '4329876543298765432987654329876543298765432'.split('').map(Number);

/** The weighted sum modulo 11, 0 to 10. */
function m11(digitos: string): number {
  let soma = 0;
  for (let i = 0; i < digitos.length; i++) soma += PESOS[PESOS.length - digitos.length + i]! * Number(digitos[i]);
  return soma % 11;
}

function dvCobranca(quarentaETres: string): number {
  const resto = m11(quarentaETres);
  return resto < 2 ? 1 : 11 - resto;
}

function linhaDe(b: string): string {
  const campos = [b.slice(0, 4) + b.slice(19, 24), b.slice(24, 34), b.slice(34, 44)];
  return `${campos.map((campo) => campo + m10(campo)).join('')}${b[4]}${b.slice(5, 19)}`;
}

/** The factor of each day, counted one by one from 1997-10-08: after 9999 comes 1000. */
const FATORES = [0];
for (let dia = 1; dia < 25_000; dia++) FATORES.push(FATORES[dia - 1] === 9999 ? 1000 : FATORES[dia - 1]! + 1);

function sortearBoleto(s: Sorteio) {
  const dias = s.inteiro(1000, FATORES.length - 1);
  return {
    dias,
    fator: String(FATORES[dias]).padStart(4, '0'),
    banco: s.um('012345679') + s.texto(DIGITOS, 2),
    valor: s.inteiro(0, s.um([100, 100_000, 9_999_999_999])),
    campoLivre: s.texto(DIGITOS, 25),
    // From reference to due date: as far as we and the library are in the same cycle.
    distancia: s.inteiro(-4499, 3000),
    posicao: s.inteiro(0, 46),
    soma: s.inteiro(1, 9),
  };
}

/** The line with one digit changed. */
function trocar(linha: string, posicao: number, soma: number): string {
  return linha.slice(0, posicao) + ((Number(linha[posicao]) + soma) % 10) + linha.slice(posicao + 1);
}

test('em 100 mil boletos, código de barras e linha são os de uma segunda implementação, na ida e na volta', (t) => {
  const conferir = () =>
    emCemMilCasos(sortearBoleto, ({ dias, fator, banco, valor, campoLivre, distancia }) => {
      const resto = fator + String(valor).padStart(10, '0') + campoLivre;
      const esperado = `${banco}9${dvCobranca(`${banco}9${resto}`)}${resto}`;
      const vencimento = somarDias(data('1997-10-07'), dias);
      const barras = gerarCodigoBarras({ banco, vencimento, valor: centavos(valor), campoLivre });
      const linha = linhaDigitavel(barras);
      const lido = lerBoleto(linha, somarDias(vencimento, Math.max(1 - dias, distancia)));
      return (
        barras === esperado &&
        linha === linhaDe(esperado) &&
        codigoBarras(linha) === esperado &&
        lido?.banco === banco &&
        lido.vencimento === vencimento &&
        lido.valor === valor
      );
    });
  t.notThrows(conferir);
});

test('em 100 mil boletos a biblioteca lê o mesmo, e com um dígito trocado recusa os que recusamos', (t) => {
  const conferir = () =>
    emCemMilCasos(sortearBoleto, ({ dias, banco, valor, campoLivre, distancia, posicao, soma }) => {
      const vencimento = somarDias(data('1997-10-07'), dias);
      const linha = linhaDigitavel(gerarCodigoBarras({ banco, vencimento, valor: centavos(valor), campoLivre }));
      const [ano = 0, mes = 0, dia = 0] = vencimento.split('-').map(Number);
      const lido = getBoletoInfo(linha, { referenceDate: new Date(ano, mes - 1, dia + distancia) });
      const trocada = trocar(linha, posicao, soma);
      return (
        lido?.bankCode === banco &&
        lido.amount === valor &&
        lido.expirationDate?.getTime() === new Date(ano, mes - 1, dia).getTime() &&
        isValidBoleto(trocada) === (codigoBarras(trocada) !== null)
      );
    });
  t.notThrows(conferir);
});

test('em 100 mil contas de arrecadação, a linha é a de uma segunda implementação e a biblioteca a aceita', (t) => {
  const sortear = (s: Sorteio) => ({
    inicio: `8${s.um('12345679')}${s.um('6789')}`,
    resto: s.texto(DIGITOS, 40),
    posicao: s.inteiro(0, 47),
    soma: s.inteiro(1, 9),
  });
  const conferir = () =>
    emCemMilCasos(sortear, ({ inicio, resto, posicao, soma }) => {
      const dv = (digitos: string) =>
        inicio[2]! < '8' ? m10(digitos) : [0, 0, 9, 8, 7, 6, 5, 4, 3, 2, 1][m11(digitos)]!;
      const barras = `${inicio}${dv(inicio + resto)}${resto}`;
      let esperada = '';
      for (let i = 0; i < 44; i += 11) esperada += `${barras.slice(i, i + 11)}${dv(barras.slice(i, i + 11))}`;
      const trocada = trocar(esperada, posicao, soma);
      return (
        linhaDigitavel(barras) === esperada &&
        codigoBarras(esperada) === barras &&
        isValidBoleto(barras) &&
        isValidBoleto(esperada) &&
        // The library refuses the segments 0 and 8, which do not exist; here the sum is what counts.
        (isValidBoleto(trocada) === (codigoBarras(trocada) !== null) || /^8[08]/.test(trocada))
      );
    });
  t.notThrows(conferir);
});
