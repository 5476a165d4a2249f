import { digitosCpf } from '../../src/brazil/pessoa/cpf-cnpj.ts';
import { palavrasDe } from '../../src/domain/clientes/palavras/palavras.regras.ts';

/** Part of the names of databases: another number where rows change, so that no old data is taken for new. */
export const ROWS_VERSION = 2;

const NOMES = ['Ana', 'Bruno', 'Carla', 'Diego', 'Elisa', 'Fábio', 'Gabriela', 'Heitor', 'Inês', 'João', 'Karina'];
const SOBRENOMES = ['da Silva', 'dos Santos', 'Oliveira', 'Souza', 'Rodrigues', 'Ferreira', 'Alves', 'Pereira', 'Lima'];
const RUAS = ['Rua das Acácias', 'Rua Sete de Setembro', 'Avenida Brasil', 'Rua São José', 'Travessa da Paz'];
const BAIRROS = ['Centro', 'Jardim América', 'Vila Nova', 'São Benedito', 'Boa Vista'];

export const PLANOS = [100, 300, 500, 700, 1000].map((mbps, i) => ({
  id: i + 1,
  nome: `Fibra ${mbps} Mega`,
  download_mbps: mbps,
  upload_mbps: mbps / 2,
  valor: `${79 + 20 * i}.90`,
}));

export type Row = Readonly<Record<string, string | number | null>>;

/** Client `i` (from 1) has a valid CPF that no other has, in an order that says nothing of its id. */
export function cpfOf(i: number): string {
  const base = String((i * 716_151_937) % 1_000_000_000).padStart(9, '0');
  return base + digitosCpf(base);
}

function address(i: number): Row {
  return {
    cep: String(30_000_000 + (i % 9_000_000)),
    logradouro: pick(RUAS, i),
    numero: String(1 + (i % 1999)),
    complemento: i % 4 === 0 ? `Apto ${1 + (i % 40)}` : null,
    bairro: pick(BAIRROS, i),
    cidade: 'Varginha',
    uf: 'MG',
  };
}

/** The name of client `i`. */
export function nameOf(i: number): string {
  return `${pick(NOMES, i)} ${pick(SOBRENOMES, i * 7)} ${pick(SOBRENOMES, i * 3 + 1)}`;
}

/** Tables that hold a row or more a client, in the order of their foreign keys, with the rows of client `i`. */
export const TABLES: readonly { readonly table: string; readonly rowsOf: (i: number) => Row[] }[] = [
  {
    table: 'clientes',
    rowsOf: (i) => [
      {
        id: i,
        nome: nameOf(i),
        tipo: 'pf',
        cpf_cnpj: cpfOf(i),
        email: `cliente${i}@example.com`,
        situacao: i % 20 === 0 ? 'bloqueado' : 'ativo',
        data_nascimento: `${1950 + (i % 55)}-${two(1 + (i % 12))}-${two(1 + (i % 28))}`,
        ...address(i),
        criado_em: `2024-${two(1 + (i % 12))}-${two(1 + (i % 28))} 12:00:00.000`,
      },
    ],
  },
  {
    table: 'clientes_palavras',
    rowsOf: (i) => palavrasDe(nameOf(i)).map((palavra) => ({ palavra, cliente_id: i })),
  },
  {
    table: 'clientes_telefones',
    rowsOf: (i) =>
      Array.from({ length: 1 + (i % 2) }, (_, n) => ({
        cliente_id: i,
        numero: `35${900_000_000 + n * 50_000_000 + i}`,
      })),
  },
  {
    table: 'contratos',
    rowsOf: (i) => [
      {
        id: i,
        cliente_id: i,
        plano_id: 1 + (i % PLANOS.length),
        situacao: i % 20 === 0 ? 'bloqueado' : 'ativo',
        tipo_conexao: 'pppoe',
        login: `cliente${i}`,
        mac: `02:00:00:${two(i % 90)}:${two((i >> 3) % 90)}:${two((i >> 6) % 90)}`,
        ip: `100.64.${(i >> 8) % 256}.${i % 256}`,
        tipo_cobranca: 'pos_pago',
        dia_vencimento: 5 * (1 + (i % 5)),
        valor: pick(PLANOS, i).valor,
        ativado_em: '2024-02-01',
        bloqueado_em: i % 20 === 0 ? '2026-10-15 03:00:00.000' : null,
        bloqueio_origem: i % 20 === 0 ? 'financeiro' : null,
        ...address(i),
      },
    ],
  },
  {
    table: 'conexoes',
    // Of long ago, so that no answer changes by itself while it is measured.
    rowsOf: (i) => [
      { contrato_id: i, ouvida_em: i % 3 === 0 ? null : '2025-11-01 08:00:00.000', intervalo_segundos: 300 },
    ],
  },
];

const two = (n: number): string => String(n).padStart(2, '0');

function pick<T>(list: readonly T[], i: number): T {
  const item = list[i % list.length];
  if (item === undefined) throw new RangeError('an empty list');
  return item;
}
