// Makes up what another system would have exported, in Malha's own columns: `node exportacao.mjs FOLDER` writes
// clientes.csv and faturas.csv there, and says the sums that an import of them should show.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [pasta = '.'] = process.argv.slice(2);
const NOMES = ['Ana', 'Bruno', 'Carla', 'Diego', 'Elisa', 'Fábio', 'Gabriela', 'Heitor', 'Isabel', 'Joaquim'];
const SOBRENOMES = ['Almeida', 'Barbosa', 'Cardoso', 'Dias', 'Esteves', 'Ferreira', 'Gomes', 'Horta', 'Lima', 'Jardim'];
const PLANOS = [
  { nome: 'Fibra 300', centavos: 9990 },
  { nome: 'Fibra 600', centavos: 12_990 },
];
const CONTRATOS = 1000;
/** The one who owes: blocked, with an invoice that is forty days late. */
const DEVEDOR = 7;
const UM_DIA_MS = 86_400_000;

/** A made-up CPF with the check digits that belong to it. */
function cpfDe(/** @type {number} */ n) {
  const digitos = Array.from(String(100_000_000 + n * 7919), Number);
  for (const peso of [10, 11]) {
    const resto = digitos.reduce((soma, digito, lugar) => soma + digito * (peso - lugar), 0) % 11;
    digitos.push(resto < 2 ? 0 : 11 - resto);
  }
  return digitos.join('');
}

const emDias = (/** @type {number} */ dias) => new Date(Date.now() + dias * UM_DIA_MS).toISOString().slice(0, 10);
const emReais = (/** @type {number} */ centavos) => (centavos / 100).toFixed(2);
const planoDe = (/** @type {number} */ n) => PLANOS[n % PLANOS.length] ?? { nome: '', centavos: 0 };
const contratos = Array.from({ length: CONTRATOS }, (_, n) => n + 1);
const nomeDe = (/** @type {number} */ n) => `${NOMES[n % 10]} ${SOBRENOMES[Math.floor(n / 10) % 10]}`;

const clientes = contratos.map((n) => {
  const situacao = n === DEVEDOR ? 'bloqueado' : 'ativo';
  const vencimento = 5 * (1 + (n % 4));
  return [n, nomeDe(n), cpfDe(n), 35_980_000_000 + n, planoDe(n).nome, vencimento, situacao, `casa${n}`, `senha-${n}`];
});
// Two that will be refused: check digits that do not match, and a plan that nobody has.
clientes.push(
  [1001, 'Documento Errado', '12345678900', 35_980_001_001, 'Fibra 300', 10, 'ativo', 'casa1001', 'senha-1001'],
  [1002, 'Plano Antigo', cpfDe(1002), 35_980_001_002, 'Rádio 5', 10, 'ativo', 'casa1002', 'senha-1002'],
);
const faturas = contratos.map((n) => [n, n, 'Mensalidade', emReais(planoDe(n).centavos), emDias(20), 'aberta']);
faturas.push([CONTRATOS + 1, DEVEDOR, 'Mensalidade', emReais(planoDe(DEVEDOR).centavos), emDias(-40), 'aberta']);

/** Writes a file of lines under their columns. */
function gravar(/** @type {string} */ nome, /** @type {string} */ colunas, /** @type {unknown[][]} */ linhas) {
  writeFileSync(join(pasta, nome), [colunas, ...linhas.map((linha) => linha.join(';'))].join('\r\n') + '\r\n');
}

gravar('clientes.csv', 'codigo;nome;cpf_cnpj;telefone1;plano;dia_vencimento;situacao;login;senha', clientes);
gravar('faturas.csv', 'codigo;codigo_contrato;descricao;valor;vencimento;situacao', faturas);

const porMes = contratos.reduce((soma, n) => soma + planoDe(n).centavos, 0);
process.stdout.write(
  `contratos: ${CONTRATOS - 1} ativos e 1 bloqueado, ${emReais(porMes)} por mês; 2 linhas com erro\n`,
);
process.stdout.write(`faturas: ${faturas.length} em aberto, ${emReais(porMes + planoDe(DEVEDOR).centavos)}\n`);
