import { createContainer } from '../../src/app/compose/container.ts';
import type { Container } from '../../src/app/compose/container.ts';
import { TERMINAL } from '../../src/domain/actor.ts';
import type { Escritas } from '../../src/domain/dominio.ts';
import { loadConfig } from '../../src/platform/config.ts';
import type { Db } from '../../src/platform/mysql/database.ts';
import { ROTAS } from '../../src/surfaces/public-api/rotas.ts';
import { cpfDe } from './importacao.ts';
import { relogioEm } from './relogio.ts';

// What staff do for one client from the first day to the last, a write a step: each chain has a client of its own, and finds
// what it made before by its codes, so that another process can go on with it.

/** Invoices are made on the first day, and overdue on the second. */
const DIAS = ['2026-11-20T15:00:00.000Z', '2027-01-15T15:00:00.000Z'] as const;

interface Escritor {
  readonly db: Db;
  readonly provedor: number;
  readonly plano: number;
  readonly outroPlano: number;
}

interface Passo {
  readonly nome: string;
  readonly dia: 0 | 1;
  readonly fazer: (e: Escritas, cadeia: Achados) => Promise<unknown>;
}

/** What there is of a chain; 0 is what is not there yet. */
interface Achados extends Escritor {
  readonly n: number;
  readonly cliente: number;
  readonly novoTitular: number;
  readonly contrato: number;
  readonly faturas: readonly [number, number];
  readonly baixa: number;
  readonly renegociacao: number;
}

const MOTIVO = { motivo: 'a pedido' };
const novoCliente = (n: number, papel: 'titular' | 'novo') => ({
  nome: `Cadeia ${n} ${papel}`,
  cpf_cnpj: cpfDe(papel === 'titular' ? n : 500_000 + n),
  telefones: ['35999990001'],
  codigo_externo: `${papel}-${n}`,
});
const novaFatura = (c: Achados, qual: number) => ({
  cliente_id: c.cliente,
  contrato_id: c.contrato,
  descricao: 'Mensalidade',
  valor: '100.00',
  vencimento: '2026-12-10',
  codigo_externo: `fatura-${c.n}-${qual}`,
});

export const PASSOS: readonly Passo[] = [
  { nome: 'cliente', dia: 0, fazer: async (e, c) => e.clientes.criar(novoCliente(c.n, 'titular')) },
  {
    nome: 'contrato',
    dia: 0,
    fazer: async (e, c) =>
      e.contratos.criar({
        cliente_id: c.cliente,
        plano_id: c.plano,
        dia_vencimento: 10,
        login: `cadeia${c.n}`,
        codigo_externo: `contrato-${c.n}`,
      }),
  },
  { nome: 'ativar', dia: 0, fazer: async (e, c) => e.movimentos.ativar(c.contrato, {}) },
  { nome: 'fatura', dia: 0, fazer: async (e, c) => e.faturas.criar(novaFatura(c, 0)) },
  {
    nome: 'desconto',
    dia: 0,
    fazer: async (e, c) => e.ajustes.darDesconto(c.faturas[0], { valor: '10.00', ...MOTIVO }),
  },
  {
    nome: 'baixa',
    dia: 0,
    fazer: async (e, c) =>
      e.baixas.registrar(c.faturas[0], { forma: 'dinheiro', valor: '90.00', chave: `baixa-${c.n}` }),
  },
  { nome: 'desfazer a baixa', dia: 0, fazer: async (e, c) => e.baixas.desfazer(c.baixa, MOTIVO) },
  { nome: 'outra fatura', dia: 0, fazer: async (e, c) => e.faturas.criar(novaFatura(c, 1)) },
  { nome: 'bloquear', dia: 0, fazer: async (e, c) => e.movimentos.bloquear(c.contrato, MOTIVO) },
  { nome: 'liberar', dia: 0, fazer: async (e, c) => e.movimentos.liberar(c.contrato, MOTIVO) },
  {
    nome: 'trocar de plano',
    dia: 0,
    fazer: async (e, c) => e.contratos.trocarPlano(c.contrato, { plano_id: c.outroPlano }),
  },
  { nome: 'suspender', dia: 0, fazer: async (e, c) => e.movimentos.suspender(c.contrato, MOTIVO) },
  { nome: 'reativar', dia: 0, fazer: async (e, c) => e.movimentos.reativar(c.contrato, MOTIVO) },
  {
    nome: 'renegociar',
    dia: 1,
    fazer: async (e, c) =>
      e.renegociacoes.criar({
        cliente_id: c.cliente,
        faturas: [...c.faturas],
        parcelas: 2,
        primeiro_vencimento: '2027-01-25',
      }),
  },
  { nome: 'quebrar', dia: 1, fazer: async (e, c) => e.renegociacoes.quebrar(c.renegociacao, MOTIVO) },
  {
    nome: 'cancelar uma fatura',
    dia: 1,
    fazer: async (e, c) => e.faturas.cancelar(c.faturas[1], { motivo_codigo: 'erro', ...MOTIVO }),
  },
  { nome: 'novo titular', dia: 1, fazer: async (e, c) => e.clientes.criar(novoCliente(c.n, 'novo')) },
  {
    nome: 'trocar o titular',
    dia: 1,
    fazer: async (e, c) =>
      e.contratos.trocarTitular(c.contrato, { cliente_id: c.novoTitular, faturas_futuras: 'manter' }),
  },
  {
    nome: 'cancelar o novo titular',
    dia: 1,
    fazer: async (e, c) => e.clientes.cancelar(c.novoTitular, { faturas_futuras: 'cancelar' }),
  },
];

const CANDIDATOS = ['cliente', 'contrato', 'fatura', 'renegociacao'];

/** Writes chains in this process, as a person at the terminal does. */
export async function criarEscritor(urls: { databaseUrl: string; redisUrl: string }, escritor: Escritor) {
  const config = loadConfig({ NODE_ENV: 'test', MALHA_LOG: 'fatal' });
  const containers: Container[] = [];
  for (const dia of DIAS) {
    const container = createContainer({ ...urls, config, relogio: relogioEm(dia), routes: ROTAS });
    await container.redisReady();
    containers.push(container);
  }
  const quem = (await containers[0]!.provedores.buscarPorId(escritor.provedor))!;
  return {
    async dar(n: number, passo: Passo): Promise<void> {
      const cadeia = await achar(escritor, n);
      await containers[passo.dia]!.changeTenant(TERMINAL, quem, async (_dominio, escritas) =>
        passo.fazer(escritas, cadeia),
      );
    },
    async fechar(): Promise<void> {
      for (const container of containers) await container.close();
    },
  };
}

async function achar(escritor: Escritor, n: number): Promise<Achados> {
  const { db, provedor } = escritor;
  const id = async (tabela: string, onde: object): Promise<number> =>
    (
      await db(tabela)
        .where({ provedor_id: provedor, ...onde })
        .first<{ id: number } | undefined>('id')
    )?.id ?? 0;
  const porCodigo = async (tabela: string, codigo_externo: string) => id(tabela, { codigo_externo });
  const cliente = await porCodigo('clientes', `titular-${n}`);
  return {
    ...escritor,
    n,
    cliente,
    novoTitular: await porCodigo('clientes', `novo-${n}`),
    contrato: await porCodigo('contratos', `contrato-${n}`),
    faturas: [await porCodigo('faturas', `fatura-${n}-0`), await porCodigo('faturas', `fatura-${n}-1`)],
    baixa: await id('recebimentos_manuais', { chave: `baixa-${n}` }),
    renegociacao: await id('renegociacoes', { cliente_id: cliente }),
  };
}

/** All that a chain has left, without what differs between two that went as far: a line for each row, in the order of being written. */
export async function rastroDaCadeia(escritor: Escritor, n: number): Promise<Record<string, unknown>> {
  const { db, provedor } = escritor;
  const achados = await achar(escritor, n);
  const ler = async (tabela: string, colunas: string[], coluna: string, ids: readonly unknown[]) =>
    (
      await db(tabela)
        .where({ provedor_id: provedor })
        .whereIn(coluna, ids as number[])
        .orderBy('id')
        .select<Record<string, unknown>[]>(colunas)
    ).map((linha) => Object.values(linha).join(' '));
  const idsDe = async (tabela: string, coluna: string, ids: readonly number[]): Promise<number[]> =>
    (
      await db(tabela)
        .where({ provedor_id: provedor })
        .whereIn(coluna, [...ids])
        .select<{ id: number }[]>('id')
    ).map(({ id }) => id);
  const clientes = [achados.cliente, achados.novoTitular];
  const contratos = await idsDe('contratos', 'cliente_id', clientes);
  const faturas = await idsDe('faturas', 'cliente_id', clientes);
  const de: Record<string, readonly number[]> = {
    cliente: clientes,
    contrato: contratos,
    fatura: faturas,
    renegociacao: [achados.renegociacao],
  };
  const ditos = async (tabela: string, coluna: string): Promise<string[]> => {
    const linhas: { nome: string; recurso_id: number }[] = await db(tabela)
      .where({ provedor_id: provedor })
      .orderBy('id')
      .select({ nome: coluna, recurso_id: 'recurso_id' });
    return linhas
      .filter(({ nome, recurso_id }) =>
        CANDIDATOS.some((tipo) => nome.startsWith(tipo) && de[tipo]!.includes(recurso_id)),
      )
      .map(({ nome }) => nome);
  };
  const login = `cadeia${n}`;
  const doLogin = async (tabela: string, colunas: string[]) =>
    (await db(tabela).where({ username: login }).orderBy('id').select<Record<string, unknown>[]>(colunas)).map(
      (linha) => Object.values(linha).join(' '),
    );
  return {
    clientes: await ler('clientes', ['situacao'], 'id', clientes),
    telefones: await ler('clientes_telefones', ['numero'], 'cliente_id', clientes),
    contratos: await ler('contratos', ['situacao', 'dia_vencimento', 'valor'], 'id', contratos),
    comLogin: await db('contratos').where({ login }).select('situacao'),
    historico: await ler('contratos_historico', ['acao'], 'contrato_id', contratos),
    rede: await ler('rede_pedidos', ['acao'], 'contrato_id', contratos),
    radcheck: await doLogin('radcheck', ['attribute']),
    radreply: await doLogin('radreply', ['attribute', 'value']),
    radusergroup: (
      await db('radusergroup')
        .where({ username: login })
        .orderBy('groupname')
        .select<{ groupname: string }[]>('groupname')
    ).map(({ groupname }) => groupname),
    faturas: await ler('faturas', ['situacao', 'valor', 'vencimento'], 'id', faturas),
    ajustes: await ler('faturas_ajustes', ['tipo', 'valor', 'desfeito_em'], 'fatura_id', faturas),
    baixas: await ler('recebimentos_manuais', ['valor', 'forma', 'desfeito_em'], 'fatura_id', faturas),
    renegociacoes: await ler('renegociacoes', ['devido', 'quebrada_em'], 'cliente_id', clientes),
    auditoria: await ditos('auditoria', 'acao'),
    eventos: await ditos('eventos', 'tipo'),
  };
}
