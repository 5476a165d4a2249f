import test from 'ava';
import { normalizarChavePix } from '../../../src/brazil/pix/chave-pix.ts';
import { cpfCnpjValido, digitosCnpj, digitosCpf } from '../../../src/brazil/pessoa/cpf-cnpj.ts';
import { DDDS } from '../../../src/brazil/pessoa/telefone.ts';
import { DIGITOS, emCemMilCasos, MAIUSCULAS, type Sorteio } from '../_apoio.ts';

test('a chave fica na forma do BR Code', (t) => {
  const vetores: [string, string][] = [
    ['529.982.247-25', '52998224725'],
    [' 52998224725 ', '52998224725'],
    // It would also be a mobile of Porto Alegre; eleven digits without +55 are a CPF.
    ['51998259765', '51998259765'],
    ['11.222.333/0001-81', '11222333000181'],
    ['00000000000191', '00000000000191'],
    ['12.abc.345/01de-35', '12ABC34501DE35'],
    ['Financeiro@Provedor.COM.br', 'financeiro@provedor.com.br'],
    [`${'a'.repeat(64)}@malha.com.br`, `${'a'.repeat(64)}@malha.com.br`],
    ['+55 (11) 98765-4321', '+5511987654321'],
    ['+5551998259765', '+5551998259765'],
    ['123E4567-E12B-12D1-A456-426655440000', '123e4567-e12b-12d1-a456-426655440000'],
  ];
  for (const [texto, chave] of vetores) t.is(normalizarChavePix(texto), chave, texto);
});

test('um CPF de dígitos errados não vira celular, e celular precisa do +55', (t) => {
  const ruins = ['119.876.543-21', '11987654321', '(11) 98765-4321', '5511987654321', '+11987654321', '+55987654321'];
  for (const ruim of [...ruins, '++5511987654321', '+551134567890', '+5511887654321', '+5520987654321']) {
    t.is(normalizarChavePix(ruim), null, ruim);
  }
});

test('o que não é chave é null', (t) => {
  const ruins = ['', ' ', 'abc', '52998224726', '11222333000182', 'a@b', 'joão@malha.com.br', 'a b@malha.com.br'];
  const outros = ['123e4567e12b12d1a456426655440000', `${'a'.repeat(65)}@malha.com.br`, '５2998224725', '11111111111'];
  for (const ruim of [...ruins, ...outros]) t.is(normalizarChavePix(ruim), null, ruim);
});

/** What the DICT keeps, without the library. */
const FORMA_DO_DICT =
  /^(?:\d{11}|[0-9A-Z]{12}\d{2}|\+55[1-9]\d9\d{8}|(?=.{3,77}$)[a-z0-9._+-]+@[a-z0-9.-]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

function sortear(s: Sorteio): string {
  const cpf = s.texto(DIGITOS, 9);
  const cnpj = s.texto(DIGITOS + MAIUSCULAS, 12);
  const hexa = (n: number) => s.texto('0123456789abcdef', n);
  return s.um([
    cpf + s.um([digitosCpf(cpf), s.texto(DIGITOS, 2)]),
    cnpj + s.um([digitosCnpj(cnpj), s.texto(DIGITOS, 2)]),
    s.um(['+55', '55', '']) + s.um(DDDS) + s.um(['9', '8', '']) + s.texto(DIGITOS, 8),
    `${s.texto('abcdefghij.0-_+', 1, 70)}@${s.texto('abcdefghij', 1, 20)}.com.br`,
    `${hexa(8)}-${hexa(4)}-${hexa(4)}-${hexa(4)}-${hexa(12)}`,
  ]);
}

test('em 100 mil textos, o que se aceita está na forma do DICT e não muda de novo', (t) => {
  const conferir = () =>
    emCemMilCasos(sortear, (texto) => {
      const chave = normalizarChavePix(texto);
      if (chave === null) return !/^[0-9a-f-]{36}$/.test(texto) && !(/^[0-9A-Z]+$/.test(texto) && cpfCnpjValido(texto));
      return chave === texto && FORMA_DO_DICT.test(chave) && normalizarChavePix(chave) === chave;
    });
  t.notThrows(conferir);
});
