import boletoUtils from '@mrmgomes/boleto-utils';
import test from 'ava';
import { gerarCodigoBarras, linhaDigitavel } from '../../../src/brazil/boleto/boleto.ts';
import { contradiz, lerCampoLivre } from '../../../src/brazil/boleto/campo-livre.ts';
import { BANCOS_COM_CNAB, type BancoComCnab, type Convenio } from '../../../src/brazil/cnab/convenio.types.ts';
import { campoLivre, nossoNumero, sequenciaMaxima } from '../../../src/brazil/cnab/nosso-numero.ts';
import { centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { quanto } from '../../support/prova.ts';
import { data, Sorteio } from '../_apoio.ts';
import { convenioDe } from './_convenios.ts';
import { lerTexto } from './_leitor.ts';

interface Vetor {
  banco: BancoComCnab;
  entrada: Record<string, string>;
  valorCentavos: number;
  vencimento: string;
  nossoNumero: string;
  campoLivre: string;
  codigoBarras: string;
  linhaDigitavel: string;
}

const { vetores, digitosDeBorda } = JSON.parse(lerTexto('vetores.json')) as {
  vetores: Vetor[];
  digitosDeBorda: {
    casos: { banco: BancoComCnab; numero: number; dv: string; nossoNumero: string; campoLivre: string }[];
  };
};

const semSinais = (numero: string): string => numero.replaceAll('-', '');

/** The sequence of a vector: of BB, Sicredi and Caixa it is what comes after what the agreement says. */
const sequenciaDe = ({ banco, entrada }: Vetor): number =>
  Number((banco === '748' ? entrada['sequencial'] : entrada['numero']) ?? '');

test('nosso número, campo livre, código de barras e linha digitável são os dos vetores de cada banco', (t) => {
  t.is(vetores.length, BANCOS_COM_CNAB.length);
  for (const vetor of vetores) {
    // The number of Itaú's is 8 digits, of Caixa's 15: all are sequences here. That of Santander has 12 places, of which CNAB 400 has 7.
    const convenio = convenioDe(vetor.banco);
    const { nossoNumero: numero, dv } = nossoNumero(convenio, sequenciaDe(vetor), 2026);
    t.is(
      vetor.banco === '756' || vetor.banco === '748' ? numero + dv : (numero + dv).padStart(1),
      semSinais(vetor.nossoNumero),
      vetor.banco,
    );
    const livre = campoLivre(convenio, numero);
    t.is(livre, vetor.campoLivre, vetor.banco);
    const codigo = gerarCodigoBarras({
      banco: vetor.banco,
      vencimento: data(vetor.vencimento),
      valor: centavos(vetor.valorCentavos),
      campoLivre: livre,
    });
    t.is(codigo, vetor.codigoBarras);
    t.is(linhaDigitavel(codigo), vetor.linhaDigitavel);
  }
});

test('o dígito é 0, 1 ou P onde o banco o quer', (t) => {
  for (const caso of digitosDeBorda.casos) {
    const convenio = convenioDe(caso.banco);
    const { nossoNumero: numero, dv } = nossoNumero(convenio, caso.numero, 2026);
    t.is(dv, caso.dv, `${caso.banco} ${caso.numero}`);
    t.is(numero + dv, semSinais(caso.nossoNumero));
    t.is(campoLivre(convenio, numero), caso.campoLivre);
  }
});

// Written by the package gerar-boletos 1.4.5, which knows these seven banks; Inter it does not.
const outraBiblioteca = JSON.parse(lerTexto('gerar-boletos.json')) as {
  banco: BancoComCnab;
  convenio: Partial<Convenio>;
  nossoNumero: string;
  campoLivre: string;
}[];

test('os campos livres são os de outra biblioteca, nos bancos que ela conhece', (t) => {
  t.is(new Set(outraBiblioteca.map(({ banco }) => banco)).size, 7);
  for (const caso of outraBiblioteca) {
    t.is(campoLivre(convenioDe(caso.banco, caso.convenio), caso.nossoNumero), caso.campoLivre, JSON.stringify(caso));
  }
});

test('toda linha digitável é aceita por outra biblioteca, e o campo livre lê-se de volta', (t) => {
  const sorteio = new Sorteio(23);
  for (const banco of BANCOS_COM_CNAB) {
    const convenio = convenioDe(banco);
    for (let n = 0; n < quanto(60, 10_000); n += 1) {
      const sequencia = sorteio.inteiro(1, sequenciaMaxima(convenio));
      const { nossoNumero: numero, dv } = nossoNumero(convenio, sequencia, 2026);
      const livre = campoLivre(convenio, numero);
      const valor = sorteio.inteiro(1, 9_999_999);
      const codigo = gerarCodigoBarras({
        banco,
        vencimento: data('2027-01-10'),
        valor: centavos(valor),
        campoLivre: livre,
      });
      const linha = linhaDigitavel(codigo);
      const lida = boletoUtils.validarBoleto(linha);
      if (!lida.sucesso || lida.codigoBarras !== codigo || Math.round(lida.valor * 100) !== valor) {
        t.fail(`${banco} ${sequencia}: ${JSON.stringify(lida)}`);
        return;
      }
      const campo = lerCampoLivre(codigo);
      if (
        campo === null ||
        contradiz(campo, { agenciaCodigo: null, carteira: null, nossoNumero: numero + dv.replace('P', '0') })
      ) {
        t.fail(`${banco} ${sequencia}: ${livre} não se lê de volta`);
        return;
      }
    }
  }
  t.pass();
});

test('sequências esgotadas e convênios de outra forma são recusados', (t) => {
  for (const banco of BANCOS_COM_CNAB) {
    const convenio = convenioDe(banco);
    t.notThrows(() => nossoNumero(convenio, sequenciaMaxima(convenio), 2026), banco);
    for (const sequencia of [0, -1, 1.5, sequenciaMaxima(convenio) + 1]) {
      t.throws(() => nossoNumero(convenio, sequencia, 2026), { instanceOf: RangeError }, `${banco} ${sequencia}`);
    }
    t.throws(() => campoLivre(convenio, '12'), { instanceOf: RangeError }, banco);
  }
  t.throws(() => nossoNumero(convenioDe('756', { convenio: 'AB' }), 1, 2026), { instanceOf: RangeError });
});
