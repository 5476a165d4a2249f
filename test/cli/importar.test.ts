import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { pino } from 'pino';
import { startWorker } from '../../src/app/compose/worker.ts';
import { emCsv, emWindows1252, faturaDoIxc, linhaDoIxc, numeros } from '../support/importacao.ts';
import { INGLES, criarTerminal, recusado } from '../support/terminal.ts';
import type { Terminal } from '../support/terminal.ts';
import { depsDoTrabalhador } from '../support/trabalhador.ts';
import { CHAVE_MESTRA, criarCenario } from '../domain/importacoes/apoio.ts';
import type { Cenario } from '../domain/importacoes/apoio.ts';

let c: Cenario;
let terminal: Terminal;
let provedor: number;
let worker: { stop(): Promise<void> };
test.before(async () => {
  // Commands have the system's clock, and an import is taken back within a day.
  c = await criarCenario(new Date().toISOString());
  terminal = criarTerminal(c.api, { MALHA_CHAVE_MESTRA: CHAVE_MESTRA });
  provedor = await c.fabrica.provedor();
  const { write, execucaoDeImportacoes, logger } = c.api.container;
  worker = startWorker(
    depsDoTrabalhador(c.api.container.db, c.api.redisUrl, {
      write,
      execucaoDeImportacoes,
      logger: logger ?? pino({ level: 'silent' }),
    }),
  );
});
test.after.always(async () => {
  await worker?.stop();
  terminal.fechar();
  await c.api.fechar();
});

function arquivo(nome: string, conteudo: string | Buffer): string {
  const onde = path.join(terminal.pasta, nome);
  writeFileSync(onde, conteudo);
  return onde;
}

const doProvedor = (): string[] => ['--provedor', String(provedor)];

test.serial('do arquivo à rede, pelo terminal: novo, simular, executar, relatório, conferir, desfazer', async (t) => {
  const linhas = [
    ...numeros(30).map((n) => linhaDoIxc(n)),
    linhaDoIxc(31, { cnpj_cpf: '1', razao: '=HYPERLINK("x")' }),
  ];
  const csv = arquivo('clientes.csv', emWindows1252(emCsv(linhas)));
  const nova = await terminal.json<any>([
    'importar',
    'novo',
    csv,
    ...doProvedor(),
    '--criar-planos',
    '--tolerar',
    'email,telefones',
  ]);
  t.like(nova, { arquivo: 'clientes.csv', formato: 'ixc', tipo: 'clientes', situacao: 'nova', linhas: 31 });
  t.like(nova.mapa, { criar_planos: true, tolerar: ['email', 'telefones'] });
  const id = String(nova.id);

  const simulada = await terminal.malha(['importar', 'simular', id, ...doProvedor()]);
  t.is(simulada.codigo, 0, simulada.stderr);
  t.regex(
    simulada.stdout,
    /^Importação \d+ simulada; nada se gravou\.\nLinhas: 31 lidas, 30 boas, 0 que já estavam, 1 recusada;/,
  );
  t.regex(simulada.stderr, /^importar simular: \d+%/);
  t.notRegex(simulada.stdout, INGLES);

  const executada = await terminal.json<any>(['importar', 'executar', id, ...doProvedor()]);
  t.like(executada, { situacao: 'executada', acao: null, motivo: null });
  t.like(executada.contagens, { gravadas: 30, recusadas: 1, clientes: 30, planos: 3, senhas: 30 });

  const relatorio = await terminal.malha(['importar', 'relatorio', id, ...doProvedor()]);
  t.is(relatorio.stdout.trimEnd().split('\n').length, 2);
  t.regex(relatorio.stdout, /;"?'=HYPERLINK/);
  t.regex(relatorio.stdout, /cnpj_cpf: informe um CPF/);
  t.notRegex(relatorio.stdout, /Segredo#/);
  const saida = path.join(terminal.pasta, 'recusadas.csv');
  t.like(await terminal.json(['importar', 'relatorio', id, ...doProvedor(), '--saida', saida]), { linhas: 1 });
  t.is(statSync(saida).mode & 0o777, 0o600);
  t.is(readFileSync(saida, 'utf8').replaceAll('\r', ''), relatorio.stdout);
  recusado(
    t,
    await terminal.malha(['importar', 'relatorio', id, ...doProvedor(), '--saida', saida]),
    /saida: não foi possível criar/,
  );

  const faturas = await terminal.json<any>([
    'importar',
    'novo',
    arquivo('faturas.csv', emCsv(numeros(20).map((n) => faturaDoIxc(n)))),
    ...doProvedor(),
  ]);
  const feitas = await terminal.json<any>(['importar', 'executar', String(faturas.id), ...doProvedor()]);
  t.like(feitas.contagens, { faturas: 20, valor: '1998.00' });
  const somas = await terminal.json<any>(['importar', 'conferir', ...doProvedor()]);
  t.like(somas, {
    planos: 3,
    logins: 30,
    senhas_por_aplicar: 30,
    faturas: [{ situacao: 'pendente', quantos: 20, valor: '1998.00', pago: '0.00' }],
  });
  const emTabela = await terminal.malha(['importar', 'conferir', ...doProvedor()]);
  t.regex(emTabela.stdout, /^contratos +ativo +29 +2897\.10$/m);

  const previsto = await terminal.malha(['importar', 'aplicar-rede', id, ...doProvedor()]);
  t.regex(previsto.stdout, /^Iriam à rede 30 logins: 29 liberados e 1 bloqueado; 30 com senha do arquivo\.\n/);
  t.notRegex(previsto.stdout, /Já têm senha/);
  t.is((await c.api.dono('radcheck')).length, 0);
  const [alguem] = await terminal.json<any[]>([
    'contrato',
    'listar',
    '--situacao',
    'ativo',
    '--limite',
    '1',
    ...doProvedor(),
  ]);
  const linha = { username: alguem.login, attribute: 'Cleartext-Password', op: ':=', value: 'de outro' };
  await c.api.dono('radcheck').insert(linha);
  const comUm = await terminal.malha(['importar', 'aplicar-rede', id, ...doProvedor()]);
  t.regex(
    comUm.stdout,
    new RegExp(`^Já têm senha no FreeRADIUS, que a do arquivo substitui: 1 contrato: ${alguem.id}\\. `, 'm'),
  );
  await c.api.dono('radcheck').delete();
  const desfeitas = await terminal.json<any>(['importar', 'desfazer', String(faturas.id), ...doProvedor()]);
  t.like(desfeitas, { situacao: 'desfeita' });
  const rede = await terminal.json<any>(['importar', 'aplicar-rede', id, ...doProvedor(), '--sim']);
  t.is(rede.contagens.acessos, 30);
  t.is((await c.api.dono('radcheck')).length, 30);

  const lista = await terminal.malha(['importar', 'listar', ...doProvedor()]);
  t.regex(lista.stdout, /^\d+ +ixc\/faturas +desfeita .*\n\d+ +ixc\/clientes +executada +30 de 31 +clientes\.csv\n$/);
  const estado = await terminal.malha(['importar', 'estado', id, ...doProvedor()]);
  t.regex(estado.stdout, /windows-1252, separador ;\.\nSituação: executada\./);
});

test.serial('o mapa vem de um arquivo, e o que não pode ser se diz numa linha', async (t) => {
  const csv = arquivo('qualquer.csv', 'Fulano;Doc;Dia;Pacote\nMaria Silva;52998224725;10;Fibra\n');
  const nova = await terminal.json<any>([
    'importar',
    'novo',
    csv,
    ...doProvedor(),
    '--formato',
    'malha',
    '--tipo',
    'clientes',
  ]);
  const id = String(nova.id);
  recusado(t, await terminal.malha(['importar', 'executar', id, ...doProvedor()]), /nome: nenhuma coluna o dá/);
  const mapa = arquivo(
    'mapa.json',
    JSON.stringify({ colunas: { fulano: 'nome', doc: 'cpf_cnpj', dia: 'dia_vencimento', pacote: 'plano' } }),
  );
  const mapeada = await terminal.json<any>(['importar', 'mapear', id, ...doProvedor(), '--mapa', mapa]);
  t.is(mapeada.mapa.colunas.fulano, 'nome');
  recusado(
    t,
    await terminal.malha(['importar', 'mapear', id, ...doProvedor(), '--mapa', arquivo('ruim.json', '{')]),
    /mapa: não é um JSON/,
  );
  recusado(
    t,
    await terminal.malha(['importar', 'mapear', id, ...doProvedor(), '--mapa', '/nao/ha']),
    /mapa: não foi possível ler/,
  );
  recusado(
    t,
    await terminal.malha(['importar', 'mapear', id, ...doProvedor()]),
    /corpo: diga ao menos um de: colunas, planos/,
  );
});

test.serial('erros dizem o que é: arquivo, importação, provedor', async (t) => {
  recusado(
    t,
    await terminal.malha(['importar', 'novo', '/nao/ha.csv', ...doProvedor()]),
    /arquivo: não foi possível ler/,
  );
  recusado(
    t,
    await terminal.malha(['importar', 'novo', terminal.pasta, ...doProvedor()]),
    /arquivo: não foi possível ler/,
  );
  recusado(
    t,
    await terminal.malha(['importar', 'novo', arquivo('x.csv', 'a;b\n1;2\n'), ...doProvedor()]),
    /formato: não se reconhece/,
  );
  recusado(
    t,
    await terminal.malha([
      'importar',
      'novo',
      arquivo('y.csv', emCsv([linhaDoIxc(1)])),
      ...doProvedor(),
      '--formato',
      'hubsoft',
    ]),
    /formato: deve ser um de: malha, ixc, mkauth, sgp/,
  );
  recusado(
    t,
    await terminal.malha(['importar', 'estado', '999999', ...doProvedor()]),
    /importacao: o registro não existe/,
  );
  recusado(t, await terminal.malha(['importar', 'desfazer', '1', '--provedor', '999999']), /provedor/);
  const { codigo, stderr } = await terminal.malha(['importar', 'listar']);
  t.is(codigo, 1);
  t.regex(stderr, /falta a opção '--provedor <id>'/);
  t.false(existsSync(path.join(terminal.pasta, 'chave-mestra')));
});

test.serial('pela entrada padrão também', async (t) => {
  const { codigo, stdout } = await terminal.malha(
    ['importar', 'novo', '-', ...doProvedor(), '--json'],
    {},
    emCsv([linhaDoIxc(90)]),
  );
  t.is(codigo, 0);
  t.like(JSON.parse(stdout), { arquivo: 'arquivo.csv', formato: 'ixc' });
});
