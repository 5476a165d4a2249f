import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { PERMISSOES } from '../../src/domain/chaves/chaves.types.ts';
import { criarChavesDemo, gravarDemoJson, semearDemonstracao } from '../../seeds/demonstracao.ts';
import type { NovaChaveDemo, ProvedorDemo } from '../../seeds/demonstracao.ts';
import { codigoBarras, lerBoleto } from '../../src/brazil/boleto/boleto.ts';
import { contradiz, lerCampoLivre } from '../../src/brazil/boleto/campo-livre.ts';
import { cpfCnpjValido } from '../../src/brazil/pessoa/cpf-cnpj.ts';
import { hojeEm, lerData, somarDias } from '../../src/brazil/calendario/datas.ts';
import { lerDinheiro } from '../../src/brazil/dinheiro/dinheiro.ts';
import { criarCalendarioBancario } from '../../src/brazil/calendario/calendario-bancario.ts';
import { calcularEncargos } from '../../src/brazil/dinheiro/encargos.ts';
import { lerPix } from '../../src/brazil/pix/pix.ts';
import { telefoneValido } from '../../src/brazil/pessoa/telefone.ts';
import { arquivoDoBanco } from '../../src/domain/boletos/arquivo.ts';
import type { Db } from '../../src/platform/mysql/database.ts';
import { createTenantDb } from '../../src/platform/mysql/tenant.ts';
import { createAgregacao } from '../../src/domain/conexoes/agregacao.ts';
import { createThreads } from '../../src/platform/threads/threads.ts';
import { criarBanco } from '../support/banco.ts';
import type { Banco } from '../support/banco.ts';
import { relogioEm } from '../support/relogio.ts';

// It is the 3rd in UTC and still the 2nd for both providers, and February has fewer days than there are due days.
const relogio = relogioEm('2026-03-03T02:30:00.000Z');
const HOJE = lerData('2026-03-02')!;
const REGRAS = {
  multaPercentual: 200,
  jurosMensalPercentual: 100,
  carenciaDias: 0,
  calendario: criarCalendarioBancario(null),
};

let banco: Banco;
let outro: Banco;
let provedores: ProvedorDemo[];
const threads = createThreads({ maxThreads: 2 });
const linhasDeLog: string[] = [];

const semear = (db: Db): Promise<ProvedorDemo[]> =>
  semearDemonstracao({ db, relogio, threads, intervaloPadraoSegundos: 300, log: (line) => linhasDeLog.push(line) });

/** Reads one row. */
async function um(db: Db, sql: string, valores: (string | number)[] = []): Promise<Record<string, any>> {
  const [linhas] = await db.raw(sql, valores);
  return linhas[0];
}

test.before(async (t) => {
  t.timeout(240_000);
  banco = await criarBanco();
  outro = await criarBanco();
  provedores = await semear(banco.db);
});

test.after.always(async () => {
  await threads.close();
  await banco?.fechar();
  await outro?.fechar();
});

const TABELAS = (
  'provedores regras_cobranca usuarios planos clientes clientes_telefones contratos faturas contratos_historico ' +
  'desbloqueios_confianca chamados chamados_historico convites provedores_nas nas radacct radcheck radreply ' +
  'radusergroup conexoes quedas_diarias radacct_mudancas'
).split(' ');

async function contarTudo(db: Db): Promise<Record<string, number>> {
  const contagens: Record<string, number> = {};
  for (const tabela of TABELAS) contagens[tabela] = (await um(db, `SELECT COUNT(*) AS n FROM ${tabela}`))['n'];
  return contagens;
}

test.serial('semear de novo não grava nada e devolve o mesmo', async (t) => {
  const antes = await contarTudo(banco.db);
  t.deepEqual(await semear(banco.db), provedores);
  t.deepEqual(await contarTudo(banco.db), antes);
  t.is(linhasDeLog.length, 2);
  t.is(antes['radacct_mudancas'], 0);
  t.is(antes['clientes'], 4000);
});

test.serial('o que se pagou nos últimos trinta dias tem recebimento, de que o painel soma', async (t) => {
  const desde = '2026-02-01 02:30:00.000';
  for (const { id } of provedores) {
    const pagas = await um(
      banco.db,
      "SELECT COUNT(*) AS n, SUM(valor_pago) AS soma FROM faturas WHERE provedor_id = ? AND situacao = 'paga' AND pago_em >= ?",
      [id, desde],
    );
    const recebido = await um(
      banco.db,
      `SELECT COUNT(*) AS n, SUM(valor) + (
         SELECT COALESCE(SUM(valor), 0) FROM pix_recebidos WHERE provedor_id = ? AND fatura_id IS NOT NULL
       ) AS soma FROM recebimentos_manuais WHERE provedor_id = ? AND pago_em >= ?`,
      [id, id, desde],
    );
    t.true(pagas['n'] > 100);
    t.deepEqual(recebido, pagas);
  }
});

test.serial('dois processos que semeiam juntos gravam uma só vez', async (t) => {
  t.timeout(120_000);
  const [a, b] = await Promise.all([semear(outro.db), semear(outro.db)]);
  t.deepEqual(a, b);
  t.is((await um(outro.db, 'SELECT COUNT(*) AS n FROM provedores'))['n'], 2);
});

test.serial('quem está online na demonstração continua até dois dias depois, e cada início o renova', async (t) => {
  const online = async (): Promise<number> =>
    (await um(banco.db, "SELECT COUNT(*) AS n FROM conexoes WHERE ouvida_em = '2026-03-05 02:30:00'"))['n'];
  const antes = await online();
  t.true(antes > 1000);
  // As the version before wrote them.
  await banco.db('sessoes_ouvidas').delete();
  await banco.db('conexoes').update({ ouvida_em: null });
  await semear(banco.db);
  const agregacao = createAgregacao({ db: banco.db, relogio, intervaloPadraoSegundos: 300 });
  for (const { id } of provedores) await agregacao.agregarTudo(id);
  t.is(await online(), antes);
});

// Without ids: who comes first changes those, and not the content.
const CONTEUDO = [
  `SELECT p.nome AS p, c.nome, cpf_cnpj, situacao, cep, logradouro, c.criado_em, c.atualizado_em
     FROM clientes c JOIN provedores p ON p.id = c.provedor_id ORDER BY p.nome, c.id`,
  `SELECT p.nome AS p, login, situacao, ativado_em, bloqueado_em, c.atualizado_em
     FROM contratos c JOIN provedores p ON p.id = c.provedor_id ORDER BY p.nome, c.id`,
  `SELECT p.nome AS p, descricao, situacao, tipo, valor, valor_pago, vencimento, emitida_em, pago_em, pix_txid,
          pix_copia_cola, linha_digitavel, atualizado_em
     FROM faturas f JOIN provedores p ON p.id = f.provedor_id ORDER BY p.nome, f.id`,
  `SELECT acctuniqueid, username, nasipaddress, acctstarttime, acctupdatetime, acctstoptime, acctterminatecause
     FROM radacct ORDER BY acctuniqueid`,
];

async function conteudo(db: Db): Promise<unknown[]> {
  const textos: unknown[] = [];
  for (const consulta of CONTEUDO) textos.push((await db.raw(consulta))[0]);
  return textos;
}

test.serial('a mesma data dá os mesmos dados em outro banco, salvo os segredos', async (t) => {
  const [aqui, la] = [await conteudo(banco.db), await conteudo(outro.db)];
  // t.deepEqual of tens of thousands of lines takes minutes to fail.
  for (const [i, linhas] of aqui.entries())
    t.is(JSON.stringify(linhas) === JSON.stringify(la[i]), true, `consulta ${i}`);
  const tokens = 'SELECT MIN(token) AS menor FROM faturas';
  t.not((await um(banco.db, tokens))['menor'], (await um(outro.db, tokens))['menor']);
});

test('os documentos e os telefones são válidos', async (t) => {
  const [clientes] = await banco.db.raw('SELECT tipo, cpf_cnpj FROM clientes');
  t.true(clientes.every((c: { cpf_cnpj: string }) => cpfCnpjValido(c.cpf_cnpj)));
  t.true(clientes.every((c: { tipo: string; cpf_cnpj: string }) => (c.tipo === 'pf') === (c.cpf_cnpj.length === 11)));
  t.true(clientes.some((c: { cpf_cnpj: string }) => /[A-Z]/.test(c.cpf_cnpj)));
  const [telefones] = await banco.db.raw('SELECT numero FROM clientes_telefones');
  t.true(telefones.every((f: { numero: string }) => telefoneValido(f.numero)));
  const [hosts] = await banco.db.raw('SELECT cnpj, pix_nome, pix_cidade FROM provedores');
  t.true(hosts.every((p: { cnpj: string }) => cpfCnpjValido(p.cnpj)));
});

test('há de cada situação, e nada aconteceu depois de agora', async (t) => {
  for (const { id } of provedores) {
    const situacoes = async (tabela: string): Promise<number> =>
      (await um(banco.db, `SELECT COUNT(DISTINCT situacao) AS n FROM ${tabela} WHERE provedor_id = ?`, [id]))['n'];
    t.is(await situacoes('clientes'), 6);
    t.is(await situacoes('contratos'), 6);
    t.is(await situacoes('faturas'), 6);
    t.is(await situacoes('chamados'), 7);
    const tempos = await um(
      banco.db,
      `SELECT GREATEST(
         (SELECT MAX(emitida_em) FROM faturas WHERE provedor_id = :id), (SELECT MAX(pago_em) FROM faturas WHERE provedor_id = :id),
         (SELECT MAX(atualizado_em) FROM faturas WHERE provedor_id = :id), (SELECT MAX(aberto_em) FROM chamados WHERE provedor_id = :id),
         (SELECT MAX(ocorrido_em) FROM chamados_historico WHERE provedor_id = :id), (SELECT MAX(bloqueado_em) FROM contratos WHERE provedor_id = :id),
         (SELECT MAX(ocorrido_em) FROM contratos_historico WHERE provedor_id = :id), (SELECT MAX(acctupdatetime) FROM radacct)) AS ultimo`.replaceAll(
        ':id',
        String(id),
      ),
    );
    t.true(tempos['ultimo'] <= '2026-03-03 02:30:00.000', tempos['ultimo']);
  }
});

test('os instantes que ordenam as listas não se repetem no provedor', async (t) => {
  for (const [tabela, coluna] of [
    ['faturas', 'emitida_em'],
    ['chamados', 'aberto_em'],
  ]) {
    const { n } = await um(banco.db, `SELECT COUNT(*) - COUNT(DISTINCT provedor_id, ${coluna}) AS n FROM ${tabela}`);
    t.is(n, 0, tabela);
  }
});

test('clientes, contratos e faturas não se contradizem', async (t) => {
  const nenhuma = async (sql: string): Promise<void> =>
    void t.is((await um(banco.db, `SELECT COUNT(*) AS n FROM ${sql}`))['n'], 0, sql);
  await nenhuma("contratos WHERE (situacao = 'bloqueado') <> (bloqueado_em IS NOT NULL)");
  await nenhuma("contratos WHERE (situacao = 'bloqueado') <> (bloqueio_origem IS NOT NULL)");
  await nenhuma(
    "contratos k JOIN clientes c ON c.provedor_id = k.provedor_id AND c.id = k.cliente_id WHERE (k.situacao = 'bloqueado') <> (c.situacao = 'bloqueado')",
  );
  await nenhuma(
    "contratos k JOIN clientes c ON c.provedor_id = k.provedor_id AND c.id = k.cliente_id WHERE c.situacao = 'pre_cadastro'",
  );
  await nenhuma("faturas WHERE (situacao IN ('paga','estornada')) <> (pago_em IS NOT NULL AND valor_pago >= valor)");
  await nenhuma(
    `faturas WHERE situacao = 'vencida' AND vencimento >= '${HOJE}' OR situacao = 'pendente' AND vencimento < '${HOJE}'`,
  );
  await nenhuma(
    'faturas f JOIN contratos k ON k.provedor_id = f.provedor_id AND k.id = f.contrato_id WHERE k.cliente_id <> f.cliente_id',
  );
  await nenhuma(
    'chamados f JOIN contratos k ON k.provedor_id = f.provedor_id AND k.id = f.contrato_id WHERE k.cliente_id <> f.cliente_id',
  );
  await nenhuma('chamados WHERE em_aberto = (fechado_em IS NOT NULL)');
  await nenhuma(
    'radacct r LEFT JOIN provedores_nas n ON n.nasipaddress = r.nasipaddress LEFT JOIN contratos k ON k.provedor_id = n.provedor_id AND k.login = r.username WHERE k.id IS NULL',
  );
  // Each login of a live contract is in the group that the network's job would put it in, as it is written there.
  await nenhuma(
    `contratos c JOIN planos p ON p.provedor_id = c.provedor_id AND p.id = c.plano_id
       LEFT JOIN radusergroup u ON u.username = c.login
      WHERE c.login IS NOT NULL AND c.situacao IN ('ativo', 'bloqueado')
        AND NOT EXISTS (SELECT 1 FROM contratos o WHERE o.login = c.login AND o.provedor_id <> c.provedor_id)
        AND NOT COALESCE(u.groupname = IF(c.situacao = 'bloqueado', 'bloqueado', p.grupo_radius)
                         AND u.priority = IF(c.situacao = 'bloqueado', 0, 1), FALSE)`,
  );
  await nenhuma('(SELECT username FROM radusergroup GROUP BY username HAVING COUNT(*) > 1) repetidos');
  t.like(await banco.db('radgroupcheck').orderBy('groupname'), [
    { groupname: 'bloqueado', attribute: 'Auth-Type', value: 'Reject' },
    { groupname: 'retirado', attribute: 'Auth-Type', value: 'Reject' },
  ]);
  await nenhuma('radacct WHERE acctstoptime < acctstarttime OR acctupdatetime < acctstarttime');
  const { n } = await um(
    banco.db,
    'SELECT COUNT(*) AS n FROM contratos a JOIN contratos b ON b.login = a.login AND b.provedor_id > a.provedor_id',
  );
  t.is(n, 12);
});

test('o último passo do histórico de um chamado é a situação dele', async (t) => {
  const [linhas] = await banco.db.raw(`
    SELECT c.situacao, (SELECT h.descricao FROM chamados_historico h
       WHERE h.provedor_id = c.provedor_id AND h.chamado_id = c.id AND h.acao = 'situacao'
       ORDER BY h.ocorrido_em DESC, h.id DESC LIMIT 1) AS passo FROM chamados c`);
  for (const { situacao, passo } of linhas) {
    if (situacao === 'aberto') t.is(passo, null);
    else t.true(passo.endsWith(` para ${situacao}`), `${situacao}: ${passo}`);
  }
});

test('os códigos de PIX e de boleto são os da fatura', async (t) => {
  const [faturas] = await banco.db.raw(
    "SELECT * FROM faturas WHERE MOD(id, 17) = 0 AND (pix_txid IS NOT NULL OR tipo IN ('boleto','carne'))",
  );
  t.true(faturas.length > 1000);
  const [linhas] = await banco.db.raw('SELECT * FROM provedores_identidade');
  const identidades = new Map<number, any>(linhas.map((linha: any) => [linha.provedor_id, linha]));
  for (const fatura of faturas) {
    const valor = lerDinheiro(fatura.valor);
    if (fatura.pix_txid !== null) {
      const pix = lerPix(fatura.pix_copia_cola);
      t.is(pix?.txid, fatura.pix_txid);
      t.true(pix?.valor === valor || (fatura.situacao === 'vencida' && pix!.valor! > valor));
    }
    const semRegistro = ['a_registrar', 'rejeitado'].includes(fatura.boleto_situacao);
    if (semRegistro) {
      t.is(fatura.linha_digitavel, null);
    } else if (fatura.tipo === 'boleto' || fatura.tipo === 'carne') {
      t.is(codigoBarras(fatura.linha_digitavel), fatura.codigo_barras);
      t.like(lerBoleto(fatura.linha_digitavel, HOJE), { vencimento: fatura.vencimento, valor });
      const campo = lerCampoLivre(fatura.codigo_barras);
      const { boleto_agencia_codigo: agenciaCodigo, boleto_carteira: carteira } = identidades.get(fatura.provedor_id)!;
      t.is(campo && contradiz(campo, { agenciaCodigo, carteira, nossoNumero: fatura.nosso_numero }), null);
      t.not(campo, null);
    }
  }
});

test('o arquivo que está com o banco tem o que se diz dele', async (t) => {
  const remessas = await banco.db('remessas');
  t.is(remessas.length, 1);
  const [{ id, nome, entradas, provedor_id: provedorId }] = remessas;
  t.regex(nome, /^756-\d+-000001\.REM$/);
  const arquivo = await arquivoDoBanco(createTenantDb(banco.db, provedorId), 'remessa_id', id);
  const linhas = arquivo!.toString('latin1').split('\r\n');
  const boletos = await banco.db('boletos').where({ remessa_id: id }).orderBy('id');
  t.is(boletos.length, entradas);
  const numeros = linhas.filter((linha) => linha.slice(13, 14) === 'P').map((linha) => linha.slice(37, 57));
  t.is(numeros.length, entradas);
  for (const [n, { numero }] of boletos.entries()) t.true(numeros[n]!.includes(numero), numeros[n]);
});

test('cada cenário é o que o nome diz', async (t) => {
  t.is(provedores.length, 2);
  const habilitados: number[] = [];
  for (const { id, panel_host, cenarios } of provedores) {
    const linha = (sql: string, valor: string | number | null): Promise<Record<string, any>> =>
      um(banco.db, sql, [id, valor!]);
    const provedor = await linha(
      'SELECT p.*, r.* FROM provedores p JOIN regras_cobranca r ON r.provedor_id = p.id WHERE p.id = ? AND p.id <> ?',
      0,
    );
    t.is(provedor['panel_host'], panel_host);
    t.is(hojeEm(provedor['fuso_horario'], relogio.agora()), HOJE);
    habilitados.push(provedor['desbloqueio_habilitado']);

    const porDocumento = 'SELECT tipo, situacao FROM clientes WHERE provedor_id = ? AND cpf_cnpj = ?';
    t.deepEqual({ ...(await linha(porDocumento, cenarios.cliente_cpf)) }, { tipo: 'pf', situacao: 'ativo' });
    t.deepEqual({ ...(await linha(porDocumento, cenarios.cliente_cnpj)) }, { tipo: 'pj', situacao: 'ativo' });
    t.is(
      (
        await linha(
          'SELECT COUNT(*) AS n FROM clientes_telefones WHERE provedor_id = ? AND ultimos_oito = RIGHT(?, 8)',
          cenarios.telefone,
        )
      )['n'],
      1,
    );

    const fatura = (numero: number | null) => linha('SELECT * FROM faturas WHERE provedor_id = ? AND id = ?', numero);
    const vencida = await fatura(cenarios.fatura_vencida);
    for (let dias = 0; dias < 30; dias += 1) {
      const valor = lerDinheiro(vencida['valor']);
      const regras = { ...REGRAS, carenciaDias: provedor['carencia_dias'] };
      const { total } = calcularEncargos({
        valor,
        vencimento: vencida['vencimento'],
        hoje: somarDias(HOJE, dias),
        regras,
      });
      t.true(total > valor);
    }
    t.is(vencida['grupo'], 'aberta');
    t.like(await fatura(cenarios.fatura_paga), { situacao: 'paga' });
    t.like(await fatura(cenarios.fatura_pix), { tipo: 'pix', grupo: 'aberta' });
    t.like(await fatura(cenarios.fatura_boleto), { tipo: 'boleto', grupo: 'aberta' });
    t.like(await linha('SELECT * FROM chamados WHERE provedor_id = ? AND id = ?', cenarios.chamado_aberto), {
      situacao: 'aberto',
    });
    t.like(await linha('SELECT * FROM chamados WHERE provedor_id = ? AND id = ?', cenarios.chamado_fechado), {
      situacao: 'solucionado',
    });

    const contrato = (numero: number | null) =>
      linha(
        `SELECT situacao, bloqueado_em, bloqueio_origem,
           (SELECT COUNT(*) FROM faturas f WHERE f.provedor_id = k.provedor_id AND f.contrato_id = k.id AND f.grupo = 'aberta' AND f.vencimento < '${HOJE}') AS vencidas,
           (SELECT COUNT(*) FROM desbloqueios_confianca d WHERE d.provedor_id = k.provedor_id AND d.contrato_id = k.id) AS usos,
           (SELECT MAX(d.ate) FROM desbloqueios_confianca d WHERE d.provedor_id = k.provedor_id AND d.contrato_id = k.id AND d.encerrado_em IS NULL) AS ate,
           (SELECT f.grupo FROM desbloqueios_confianca d JOIN faturas f ON f.provedor_id = d.provedor_id AND f.id = d.fatura_causa_id
             WHERE d.provedor_id = k.provedor_id AND d.contrato_id = k.id LIMIT 1) AS causa
         FROM contratos k WHERE provedor_id = ? AND id = ?`,
        numero,
      );
    const { desbloqueio } = cenarios;
    const permitido = await contrato(desbloqueio.permitido);
    t.like(permitido, { situacao: 'bloqueado', bloqueio_origem: 'financeiro', usos: 0 });
    t.true(permitido['vencidas'] > 0);
    t.like(await contrato(desbloqueio.manual), { situacao: 'bloqueado', bloqueio_origem: 'manual' });
    t.like(await contrato(desbloqueio.nao_bloqueado), { situacao: 'ativo', bloqueado_em: null, usos: 0 });
    const anterior = { situacao: 'bloqueado', bloqueio_origem: 'financeiro', usos: 1, ate: null, causa: 'aberta' };
    t.like(await contrato(desbloqueio.fatura_anterior), anterior);
    const ativo = await contrato(desbloqueio.ativo);
    t.like(ativo, { situacao: 'ativo', bloqueado_em: null, bloqueio_origem: null, causa: 'aberta' });
    const fim = new Date(`${ativo['ate'].replace(' ', 'T')}Z`);
    t.is(
      new Intl.DateTimeFormat('pt-BR', { timeZone: provedor['fuso_horario'], timeStyle: 'medium' }).format(fim),
      '23:59:59',
    );
    t.is(fim.getMilliseconds(), 999);
    t.true(fim > new Date('2026-03-06T00:00:00Z'));
  }
  t.deepEqual(habilitados, [1, 0]);
});

test('há uma chave para cada resposta da autenticação', async (t) => {
  const pedidas: NovaChaveDemo[] = [];
  const criar = async (nova: NovaChaveDemo): Promise<string> => `malha_${pedidas.push(nova)}`;
  const chaves = await criarChavesDemo(provedores[0]!, criar, relogio.agora());
  const nomes = ['completa', 'so_planos', 'expirada', 'revogada', 'ip_restrito', 'limite_5'];
  t.deepEqual(Object.keys(chaves), [...nomes, 'mascarada', 'somente_busca', 'chatbot']);
  t.is(new Set(Object.values(chaves)).size, 9);
  const [completa, planos, expirada, revogada, ip, limite, mascarada, busca, chatbot] = pedidas;
  t.deepEqual(mascarada?.restricoes, ['dados_mascarados']);
  t.deepEqual(busca?.restricoes, ['somente_busca']);
  t.deepEqual(chatbot?.restricoes, ['somente_busca', 'dados_mascarados']);
  t.like(completa, { provedorId: provedores[0]!.id, limitePorMinuto: 1200, ipsPermitidos: null, expiraEm: null });
  t.deepEqual(completa?.permissoes, [...PERMISSOES]);
  t.deepEqual(planos?.permissoes, ['planos:leitura']);
  t.true(expirada!.expiraEm! < relogio.agora());
  t.true(revogada!.revogadaEm! < relogio.agora());
  t.deepEqual(ip?.ipsPermitidos, ['203.0.113.7']);
  t.is(limite?.limitePorMinuto, 5);
});

test('o documento tem a forma combinada e só o dono o lê', async (t) => {
  const pasta = await mkdtemp(join(tmpdir(), 'malha-demo-'));
  try {
    const arquivo = join(pasta, 'demo.json');
    const chaves = await criarChavesDemo(provedores[0]!, async ({ nome }) => nome, relogio.agora());
    const documento = {
      url: 'http://127.0.0.1:3000',
      base_url: 'http://127.0.0.1:3000/api/v1',
      provedores: provedores.map((provedor) => ({
        ...provedor,
        chaves,
        webhook_pix: 'http://127.0.0.1:3000/webhooks/pix/s',
        usuarios: [],
      })),
    };
    await gravarDemoJson(arquivo, documento);
    await gravarDemoJson(arquivo, documento);
    t.deepEqual(JSON.parse(await readFile(arquivo, 'utf8')), documento);
    t.is((await stat(arquivo)).mode & 0o777, 0o600);
    const { cenarios } = documento.provedores[0]!;
    const valores = Object.values({ ...cenarios, ...cenarios.desbloqueio, desbloqueio: 0 });
    t.true(valores.every((valor) => valor !== null && valor !== undefined));
    t.deepEqual(Object.keys(documento.provedores[0]!).toSorted(), [
      'cenarios',
      'chaves',
      'id',
      'nome',
      'panel_host',
      'usuarios',
      'webhook_pix',
    ]);
  } finally {
    await rm(pasta, { recursive: true });
  }
});
