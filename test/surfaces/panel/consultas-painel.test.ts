import test from 'ava';
import type { Knex } from 'knex';
import type { Forma, Leitor } from '../../../src/domain/campos/campos.ts';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import type { Rota } from '../../../src/surfaces/panel/rota.ts';
import { ROTAS } from '../../../src/surfaces/panel/rotas.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { lidas } from '../../support/leituras.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import type { PessoaNoPainel } from '../../support/painel.ts';
import { relogioEm } from '../../support/relogio.ts';
import { PEQUENAS, analisar, encher } from './encher.ts';
import { enderecoDe, existe, povoar } from './povoado.ts';
import type { Povoado } from './povoado.ts';

/** Rows of each table that grows with a provider, and how many of them are the first client's, contract's, invoice's and so on. */
const LINHAS = 600;
const DO_PRIMEIRO = 12;
/** The same of a small provider. */
const POUCAS = 6;
/** A page may ask once more where there is more to show; a statement for each row would be tens. */
const UM_DESVIO = 3;
/** Rows and entries of indexes that one statement may pass: a page with all that belongs to its rows, but no table of a provider. */
const LIDAS = 500;

/** Statements that pass many rows with good reason, which is the name of each. */
const EXCECOES: Readonly<Record<string, RegExp>> = {
  'o sino olha as últimas mil notificações, e mais nenhuma': /from `notificacoes` FORCE INDEX \(`PRIMARY`\)/,
  'quantos estão no ar, e quem, é de todos os contratos: lê-se um índice, e o número se guarda':
    /`conexoes_vivas`|SUM\(conexoes\.aberta = 1\)|from `conexoes` as `x` FORCE INDEX \(`PRIMARY`\)/,
  'quantos contratos tem cada plano é de todos: lê-se um índice, uma vez':
    /`contratos_do_plano`\).* group by `plano_id`/,
  'a mudança de valor de um plano conta, até um teto, os contratos dele':
    /`contratos`\.`plano_id` = \? and `contratos`\.`valor` = \?/,
  'uma lista conta até cem mil linhas, e guarda o número por um minuto':
    /COUNT\(DISTINCT t\.chave\)|CONCAT_WS|SUM\(IF\(t\.grupo/,
  'as linhas de uma página, pela chave de cada uma: entre tão poucas, o banco passa pelo trecho inteiro':
    /id` in \((?:\?, ){19}/,
  'o vencido é de todas as faturas vencidas em aberto: lê-se um índice, e o número se guarda': /JSON_TABLE/,
  'quem espera há mais tempo é procurado entre os chamados em aberto': /`chamados_em_aberto`\).*`chamados_historico`/s,
  'o livro confere todo o dinheiro de um período': /`?vindo`?\.`?veio/,
  'o que veio sem fatura fica numa lista que tem fim': /`(?:pix|boletos)_recebidos`\.`fatura_id` is null/,
  'a prévia de notas passa pelas faturas que ainda não têm uma, por partes': /from `faturas` as `f` FORCE INDEX/,
  'a saúde de um webhook é de todas as entregas de trinta dias: lê-se um índice': /`webhook_entregas_fila`/,
  'o registro de um webhook é dele inteiro, do mais novo em diante':
    /select `webhook_entregas`\.`id`.*`webhook_entregas`\.`webhook_id` = \?/,
  'um filtro que acha pouco é lido inteiro, até um teto, e posto em ordem': /select distinct `contratos`\.`cliente_id`/,
  'a auditoria de um período é achada pelos ids, que vão com o tempo': /from `auditoria` FORCE INDEX \(`PRIMARY`\)/,
  'as filas da rede são lidas inteiras: o que nelas espera é pouco': /`rede_(?:pedidos|desconexoes)_fila`/,
  'as linhas de uma importação são contadas todas, e comparadas com as senhas da rede': /from `importacao_linhas`/,
};

interface Comando {
  readonly sql: string;
  readonly bindings: readonly Knex.RawBinding[];
}

interface Lado {
  readonly povoado: Povoado;
  readonly pessoa: PessoaNoPainel;
}

let api: Api;
let poucos: Lado;
let muitos: Lado;
let sessao: Db;

test.before(async (t) => {
  t.timeout(600_000);
  const relogio = relogioEm('2026-11-20T15:00:00Z');
  api = await criarApi({ relogio });
  const encherUm = async (quantas: number): Promise<Povoado> => {
    const povoado = await povoar(api);
    await encher(api.dono, povoado.provedorId, quantas, Math.min(quantas, DO_PRIMEIRO));
    return povoado;
  };
  const abrir = async (quantas: number): Promise<Lado> => {
    const povoado = await encherUm(quantas);
    const { provedorId } = povoado;
    const pessoa = await entrarNoPainel(api, provedorId);
    const dela = { usuario_id: pessoa.usuarioId, acesso_id: null, sessao_id: null };
    await api.dono('push_dispositivos').where({ provedor_id: provedorId }).update(dela);
    const primeiro = async (tabela: string): Promise<number> => {
      const linha = await api.dono(tabela).where({ provedor_id: provedorId }).orderBy('id').first('id');
      return Number(linha.id);
    };
    const ids = {
      ...povoado.ids,
      'faturas/recebimentos': await primeiro('recebimentos_manuais'),
      'faturas/ajustes': await primeiro('faturas_ajustes'),
      'conta/avisos': await primeiro('push_dispositivos'),
      renegociacoes: await primeiro('renegociacoes'),
    };
    return { povoado: { ...povoado, ids }, pessoa };
  };
  poucos = await abrir(POUCAS);
  muitos = await abrir(LINHAS);
  // The optimizer must choose one provider's rows among those of another.
  await encherUm(LINHAS);
  await analisar(api.dono);
  sessao = createDatabase({ url: api.databaseUrl, pool: 1 });
});
test.after.always(async () => {
  await sessao?.destroy();
  await api.fechar();
});

/** What is typed into a parameter of an address, besides the words that it takes. */
const DIGITADOS: Readonly<Record<string, readonly string[]>> = {
  q: ['mar', '52998224725', '99990001', 'aa:bb:cc:00:11:22', '100.64.0.1', 'login-1', '42'],
  cidade: ['Alfenas'],
  acao: ['cliente.alterado'],
  recurso: ['cliente'],
  uf: ['MG'],
  evento: ['fatura.paga'],
  mes: ['2026-12'],
  requisicao: ['erp-42'],
};

/** Whose row a parameter names, by the words before the row in addresses. */
const DE_QUEM: Readonly<Record<string, string>> = {
  cliente: 'clientes',
  contrato: 'contratos',
  plano: 'planos',
  conta: 'configuracoes/cobranca/contas',
  usuario: 'configuracoes/usuarios',
  responsavel: 'configuracoes/usuarios',
  aviso: 'rede/avisos',
  servidor: 'rede/servidores',
  nas: 'rede/servidores',
  recurso_id: 'clientes',
};

/** The words that a reader takes, by what it says of any other. */
function palavrasDe(ler: Leitor<unknown>): string[] {
  const lido = ler('\u0001');
  const [falta] = 'faltas' in lido ? lido.faltas : [];
  return /deve ser um(?:a)? de:? (.+)$/.exec(falta?.mensagem ?? '')?.[1]?.split(/, | ou /) ?? [];
}

/** Each parameter of an address by itself, with each thing that may stand there. */
function consultasDe(forma: Forma, { ids }: Povoado): string[] {
  return Object.entries(forma).flatMap(([nome, { ler }]) => {
    const dono = ids[DE_QUEM[nome] ?? ''];
    const valores = [
      ...palavrasDe(ler),
      ...(DIGITADOS[nome] ?? []),
      ...(dono === undefined ? [] : [String(dono)]),
      ...('valor' in ler('2026-11-19') && !('valor' in ler('x')) ? ['2026-11-19'] : []),
    ];
    return valores.filter((valor) => 'valor' in ler(valor)).map((valor) => `?${nome}=${encodeURIComponent(valor)}`);
  });
}

/** Parameters that only together ask for something. */
const JUNTOS: Readonly<Record<string, readonly string[]>> = {
  '/nfcom/emitir': ['?ver=sim&emitidas_de=2020-01-01', '?ver=sim&vencimento_de=2020-01-01&uf=MG'],
  '/nfcom/emitir/tributos': ['?emitidas_de=2020-01-01'],
};

/** What an address cannot do without. */
function exigidaPor({ caminho, consulta }: Rota, povoado: Povoado): string {
  if (caminho === '/renegociacoes/nova') return `?cliente=${povoado.ids['clientes']}`;
  const exigidos = Object.entries(consulta).filter(([, { obrigatorio }]) => obrigatorio);
  return consultasDe(Object.fromEntries(exigidos), povoado)[0] ?? '';
}

/** Ways from a page to another view of itself, such as the next rows: one for each parameter that they have. */
function vistasDe(texto: string, endereco: string): string[] {
  const vistas = new Map<string, string>();
  for (const [, alvo = ''] of texto.matchAll(/(?:href|hx-get)="([^"#]+)"/g)) {
    const [caminho, consulta] = alvo.replaceAll('&amp;', '&').split('?');
    if (consulta === undefined || (caminho !== '' && caminho !== `/painel${endereco}`)) continue;
    for (const [nome, valor] of new URLSearchParams(consulta)) {
      vistas.set(/^\d|.{20}/.test(valor) ? nome : `${nome}=${valor}`, `?${consulta}`);
    }
  }
  return [...vistas.values()];
}

/** What a request asks of the database, one after the other. */
async function comandosDe({ pessoa }: Lado, endereco: string): Promise<{ comandos: Comando[]; texto: string }> {
  const comandos: Comando[] = [];
  const anotar = ({ sql, bindings }: Comando): void => {
    if (/^\s*(?:\(*\s*select|with|set statement)\b/i.test(sql)) comandos.push({ sql, bindings: bindings ?? [] });
  };
  api.container.db.on('query', anotar);
  try {
    const { status, texto } = await pessoa.get(endereco);
    if (status >= 400) throw new Error(`${endereco}: ${status}, depois de ${comandos.at(-1)?.sql}`);
    return { comandos, texto };
  } finally {
    api.container.db.removeListener('query', anotar);
  }
}

const TELAS = ROTAS.filter(({ metodo, caminho }) => metodo === 'GET' && caminho !== '/eventos');

/** Files that a thread draws, screens before the session, and one whose row would ask for a second factor on all others. */
const semNada = ({ acesso, caminho }: Rota): boolean =>
  caminho.endsWith('/baixar/pdf') || acesso !== 'completo' || caminho === '/conta/fatores/{id}/remover';

/** The tables that a statement reads, by their names in it. */
function tabelasDe(sql: string): Map<string, string> {
  const nomes = new Map<string, string>();
  for (const [, tabela = '', apelido] of sql.matchAll(
    /\b(?:from|join)\s+`?(\w+)`?(?:\s+(?:as\s+)?`?(?!(?:force|left|on|where|join|inner)\b)(\w+)`?)?/gi,
  )) {
    nomes.set(apelido ?? tabela, tabela);
  }
  return nomes;
}

/** What a statement reads whole that is not small, in words; nothing where it reads by indexes, and little. */
async function faltasDe({ sql, bindings }: Comando): Promise<string[]> {
  const [plano = []] = await sessao.raw<{ table: string | null; type: string | null; key: string | null }[][]>(
    `EXPLAIN FORMAT=TRADITIONAL ${sql}`,
    bindings,
  );
  const nomes = tabelasDe(sql);
  const faltas = plano.flatMap(({ table, type, key }) => {
    if (
      table === null ||
      table.startsWith('<') ||
      (type !== 'ALL' && type !== 'index' && (key !== null || type === 'const'))
    )
      return [];
    const tabela = nomes.get(table);
    // What is no table is a list that came with the statement.
    return tabela === undefined || PEQUENAS.includes(tabela) ? [] : [`${tabela} por inteiro (${type} ${key})`];
  });
  const passadas = await lidas(sessao, async () => sessao.raw(sql, bindings));
  return passadas > LIDAS ? [...faltas, `${passadas} linhas lidas`] : faltas;
}

/** Exceptions that were needed, and those of whose statements some was sent. */
const usadas = new Set<string>();
const existem = new Set<string>();

test('toda tela se abre aqui', (t) => {
  const fechadas = TELAS.filter((rota) => !semNada(rota) && !existe(rota, muitos.povoado));
  t.deepEqual(
    fechadas.map(({ caminho }) => caminho),
    [],
  );
});

for (const rota of TELAS.filter((uma) => !semNada(uma))) {
  test.serial(
    `GET /painel${rota.caminho}: cada consulta por um índice, e tantas com muitas linhas como com poucas`,
    async (t) => {
      t.timeout(120_000);
      const endereco = enderecoDe(rota, muitos.povoado);
      const aberta = ({ povoado }: Lado): string => `${enderecoDe(rota, povoado)}${exigidaPor(rota, povoado)}`;
      const pouco = await comandosDe(poucos, aberta(poucos));
      const muito = await comandosDe(muitos, aberta(muitos));
      const distintos = new Map(muito.comandos.map((comando) => [comando.sql, comando]));
      const vistas = new Set([
        ...vistasDe(muito.texto, endereco),
        ...consultasDe(rota.consulta, muitos.povoado),
        ...(JUNTOS[rota.caminho] ?? []),
      ]);
      for (const consulta of vistas) {
        for (const comando of (await comandosDe(muitos, `${endereco}${consulta}`)).comandos)
          distintos.set(comando.sql, comando);
      }
      const faltas: string[] = [];
      for (const comando of distintos.values()) {
        for (const [motivo, sql] of Object.entries(EXCECOES)) if (sql.test(comando.sql)) existem.add(motivo);
        for (const falta of await faltasDe(comando)) {
          const [motivo] = Object.entries(EXCECOES).find(([, sql]) => sql.test(comando.sql)) ?? [];
          if (motivo === undefined) faltas.push(`${falta}: ${comando.sql}`);
          else usadas.add(motivo);
        }
      }
      const aMais = muito.comandos.length - pouco.comandos.length;
      t.true(aMais <= UM_DESVIO, muito.comandos.map(({ sql }) => sql).join('\n'));
      t.log(`${distintos.size} comandos de ${vistas.size + 1} vistas`);
      t.deepEqual(faltas, []);
    },
  );
}

test.serial('cada exceção ainda é de uma consulta que existe', async (t) => {
  const [linhas] = await sessao.raw<{ versao: string }[][]>('SELECT VERSION() AS versao');
  // They are of MariaDB's plans: MySQL reads less of some.
  const valem = linhas?.[0]?.versao.includes('MariaDB') === true ? usadas : existem;
  t.deepEqual(
    Object.keys(EXCECOES).filter((motivo) => !valem.has(motivo)),
    [],
  );
});
