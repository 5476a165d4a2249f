import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { LOGO_RIO_NEGRO, LOGO_SERRA_AZUL } from '../../../seeds/logos.ts';
import { lerPix } from '../../../src/brazil/pix/pix.ts';
import { criarApi, enviar } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { RECEBEDOR, criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { jpegDe, pngDe } from '../../support/imagens.ts';
import { relogioEm } from '../../support/relogio.ts';
import { criarTerminal, recusado } from '../../support/terminal.ts';
import type { Saida, Terminal } from '../../support/terminal.ts';

const CHAVE = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906';

let api: Api;
let terminal: Terminal;
let fabrica: Fabrica;
test.before(async () => {
  api = await criarApi({ processos: 2, relogio: relogioEm('2026-11-20T15:00:00Z') });
  terminal = criarTerminal(api);
  fabrica = criarFabrica(api.dono);
});
test.after.always(async () => {
  await api.fechar();
  terminal.fechar();
});

const configurar = (id: number, ...args: string[]): Promise<Saida> =>
  terminal.malha(['provedor', 'configurar', String(id), ...args]);
const mostrar = (id: number): Promise<Record<string, unknown>> => terminal.json(['provedor', 'mostrar', String(id)]);
const semPix = (): Promise<number> => fabrica.provedor({ pix_chave: null, pix_nome: null, pix_cidade: null });

function arquivo(nome: string, bytes: Buffer): string {
  const caminho = join(terminal.pasta, nome);
  writeFileSync(caminho, bytes);
  return caminho;
}

const TUDO = {
  nome: 'Serra Fibra',
  'razao-social': 'Serra Fibra Telecomunicações Ltda',
  cnpj: '12.ABC.345/01DE-35',
  fuso: 'America/Manaus',
  'pix-chave': CHAVE,
  'pix-nome': 'Serra Fibra Ltda',
  'pix-cidade': 'Itajubá',
  multa: '1,5',
  juros: '2',
  carencia: '3',
  'tolerancia-pix': '2',
  'aviso-dias': '5',
  desbloqueio: 'sim',
  'desbloqueio-dias': '5',
  'promessa-dias': '6',
  'buscas-em-vao-por-hora': '12',
  'clientes-por-hora': '1200',
  banco: '756',
  'agencia-codigo': '3187/46250-0',
  carteira: '1',
  cep: '37500-000',
  logradouro: 'Rua Nova',
  numero: '7',
  complemento: 'Sala 3',
  bairro: 'Centro',
  cidade: 'Itajubá',
  uf: 'mg',
  cor: '#164A8A',
  telefone: '(35) 3421-0199',
  whatsapp: '(35) 99999-0199',
  email: 'ola@serra.test',
  site: 'https://serra.test/',
};

test('cada opção de configurar chega ao seu lugar, e mostrar diz tudo', async (t) => {
  const id = await semPix();
  const logo = Buffer.from(LOGO_SERRA_AZUL, 'base64');
  const opcoes = { ...TUDO, logo: arquivo('serra.png', logo) };
  const args = [...Object.entries(opcoes).flatMap(([opcao, valor]) => [`--${opcao}`, valor]), '--confirmar-juros'];
  const feito = await configurar(id, ...args);
  t.is(feito.codigo, 0, feito.stderr);
  t.is(feito.stdout, `Provedor ${id} configurado: ${Object.keys(opcoes).join(', ')}.\n`);
  const valor = await mostrar(id);
  t.regex(String(valor['panel_host']), /malha\.test$/);
  delete valor['panel_host'];
  t.deepEqual(valor, {
    id,
    nome: 'Serra Fibra',
    razao_social: 'Serra Fibra Telecomunicações Ltda',
    cnpj: '12ABC34501DE35',
    fuso_horario: 'America/Manaus',
    pix: true,
    pix_chave: CHAVE,
    pix_nome: 'Serra Fibra Ltda',
    pix_cidade: 'Itajuba',
    multa_percentual: '1.50',
    juros_mensal_percentual: '2.00',
    carencia_dias: 3,
    tolerancia_pix_dias: 2,
    aviso_dias: 5,
    excedente_vira_credito: false,
    desbloqueio_habilitado: true,
    desbloqueio_dias: 5,
    promessa_dias: 6,
    buscas_em_vao_por_hora: 12,
    clientes_por_hora: 1200,
    boleto_banco: '756',
    boleto_agencia_codigo: '3187/46250-0',
    boleto_carteira: '1',
    cep: '37500000',
    logradouro: 'Rua Nova',
    numero: '7',
    complemento: 'Sala 3',
    bairro: 'Centro',
    cidade: 'Itajubá',
    uf: 'MG',
    cor: '#164a8a',
    logo: { tipo: 'image/png', bytes: logo.length },
    telefone: '3534210199',
    whatsapp: '35999990199',
    email: 'ola@serra.test',
    site: 'serra.test',
    avisos: [],
  });

  const { stdout } = await terminal.malha(['provedor', 'mostrar', String(id)]);
  t.is(stdout.trimEnd().split('\n').length, Object.keys(valor).length);
  t.regex(stdout, /^multa_percentual +1\.50$/m);
  t.regex(stdout, /^desbloqueio_habilitado +sim$/m);
  t.regex(stdout, new RegExp(`^logo +image/png, ${logo.length} bytes$`, 'm'));
  t.is((await configurar(id, ...args)).stdout, `Provedor ${id}: nada mudou.\n`);
});

test('um provedor de que nada se disse mostra traços, e um valor vazio volta a isso', async (t) => {
  const id = await semPix();
  const ler = async (): Promise<string> => (await terminal.malha(['provedor', 'mostrar', String(id)])).stdout;
  const antes = await ler();
  t.regex(antes, /^pix +nao$/m);
  t.regex(antes, /^logo +-$/m);
  t.regex(antes, /^buscas_em_vao_por_hora +30\nclientes_por_hora +300$/m);
  const logo = arquivo('rio.png', Buffer.from(LOGO_RIO_NEGRO, 'base64'));
  t.is(
    (await configurar(id, '--logo', logo, '--cor', '164a8a', '--cnpj', '11222333000181', '--clientes-por-hora', '5'))
      .codigo,
    0,
  );
  t.not(await ler(), antes);
  t.is(
    (await configurar(id, '--logo', '', '--cor=', '--cnpj', '', '--clientes-por-hora', '')).stdout,
    `Provedor ${id} configurado: cor, cnpj, clientes-por-hora, logo.\n`,
  );
  t.is(await ler(), antes);
});

test('enquanto falta parte do recebedor, o comando diz que o PIX fica desligado', async (t) => {
  const id = await semPix();
  const um = await configurar(id, '--pix-chave', '+55 35 99999-0001');
  t.is(
    um.stdout,
    `Provedor ${id} configurado: pix-chave.\nO PIX fica desligado enquanto faltar: pix-nome, pix-cidade.\n`,
  );
  const args = ['provedor', 'configurar', String(id), '--pix-nome', 'SERRA'];
  t.deepEqual(await terminal.json(args), { id, mudados: ['pix-nome'], pix_falta: ['pix-cidade'], avisos: [] });
  t.is((await configurar(id, '--pix-cidade', 'ITAJUBA')).stdout, `Provedor ${id} configurado: pix-cidade.\n`);
  t.like(await mostrar(id), { pix: true, pix_chave: '+5535999990001' });
});

test('uma configuração é uma linha de auditoria da linha de comando, sem valores', async (t) => {
  const id = await semPix();
  await configurar(id, '--pix-chave', CHAVE, '--email', 'ola@serra.test', '--multa', '1');
  const linhas = await api.dono('auditoria').where('provedor_id', id);
  t.is(linhas.length, 1);
  t.like(linhas[0], { acao: 'provedor.configurado', recurso_id: id, autor: 'linha de comando' });
  const { dados } = linhas[0];
  t.deepEqual(typeof dados === 'string' ? JSON.parse(dados) : dados, {
    campos: ['pix_chave', 'email', 'multa_percentual'],
  });
});

test('um serviço no ar segue a configuração assim que o comando responde, em todos os processos', async (t) => {
  const provedor = await fabrica.provedor();
  const cliente = await fabrica.cliente(provedor);
  const token = 'tokenDeUmaFaturaNoAr00';
  const fatura = await fabrica.fatura(provedor, { cliente_id: cliente, valor: '100.00', pix_txid: 'TX', token });
  const { texto: chave } = await api.criarChave(provedor);
  const { panel_host: host } = await api.dono('provedores').where('id', provedor).first('panel_host');
  const ler = async (processo: number) => {
    const { corpo } = await api.get(`/faturas/${fatura}`, { chave, processo });
    const { chave: recebe, nome } = lerPix(corpo.dados.segunda_via.pix_copia_cola)!;
    const alvo = { host: '127.0.0.1', port: api.portas[processo]!, path: `/pagar/${token}`, headers: { host } };
    const { texto: pagina } = await enviar(alvo);
    return { recebe, nome, valor: corpo.dados.valor_atualizado, cor: /--cor:(#\w+)/.exec(pagina)?.[1] };
  };
  // Twice each, so that the second answer is what the process has kept.
  for (const processo of [0, 1, 0, 1]) t.like(await ler(processo), { recebe: RECEBEDOR.chave, nome: RECEBEDOR.nome });
  const antes = await ler(0);
  t.true(Number(antes.valor) > 102);

  const args = ['--pix-chave', CHAVE, '--pix-nome', 'Serra', '--multa', '1', '--juros', '0', '--cor', '#123abc'];
  t.is((await configurar(provedor, ...args)).codigo, 0);
  for (const processo of [0, 1]) {
    const depois = await ler(processo);
    t.like(depois, { recebe: CHAVE, nome: 'Serra', cor: '#123abc' });
    t.is(Number(depois.valor), 101);
  }

  await configurar(provedor, '--pix-chave', '');
  for (const processo of [0, 1]) {
    const { corpo } = await api.get(`/faturas/${fatura}`, { chave, processo });
    t.is(corpo.dados.segunda_via.pix_copia_cola, null);
  }
});

test('regras que hoje não seriam aceitas são ditas por mostrar e por configurar, e ficam como estão', async (t) => {
  const id = await fabrica.provedor({}, { juros_mensal_percentual: '15.00', carencia_dias: 400 });
  const avisos = [
    'juros_mensal_percentual: 15,00 % passa de 2,00 %, o dobro da taxa legal, e fica até ser mudado',
    'carencia_dias: 400 passa de 365, e fica até ser mudado',
  ];
  t.deepEqual((await mostrar(id))['avisos'], avisos);
  const args = ['provedor', 'configurar', String(id), '--cor', '#123abc'];
  t.like(await terminal.json(args), { mudados: ['cor'], avisos });
  const { stdout } = await terminal.malha(['provedor', 'mostrar', String(id)]);
  t.true(stdout.endsWith(avisos.map((aviso) => `Aviso: ${aviso}.\n`).join('')), stdout);
  t.is(
    (await configurar(id, '--juros', '2', '--confirmar-juros', '--carencia', '0')).stdout,
    `Provedor ${id} configurado: juros, carencia.\n`,
  );
  t.deepEqual((await mostrar(id))['avisos'], []);
});

const ERRADOS: readonly (readonly [args: string[], dito: RegExp])[] = [
  [[], /nada a mudar: diga ao menos uma opção/],
  [['--cor', 'azul'], /cor: seis dígitos hexadecimais/],
  [['--cor'], /falta o valor da opção '--cor <cor>'/],
  [['--pix-chave', '35999990001'], /pix-chave: .*celular, que precisa do \+55/],
  [['--pix-nome', 'x'.repeat(26)], /pix-nome: até 25/],
  [['--pix-cidade', 'x'.repeat(16)], /pix-cidade: até 15/],
  [['--multa', '2,01'], /multa: um percentual de 0 a 2,00/],
  [['--juros', '1,5'], /juros: acima de 1,00 % ao mês .*--confirmar-juros/],
  [['--juros', '2,01', '--confirmar-juros'], /juros: um percentual ao mês de 0 a 1,00, ou até 2,00/],
  [['--desbloqueio', 'talvez'], /desbloqueio: sim ou nao/],
  [['--cnpj', '11222333000180'], /cnpj: /],
  [['--nome', ''], /nome: de 1 a 120 caracteres/],
  [['--logo', '/nao/existe.png'], /logo: não foi possível ler o arquivo \/nao\/existe\.png/],
  [['--logo', '/'], /logo: não foi possível ler o arquivo/],
  [['--logo', '/dev/zero'], /logo: um arquivo PNG ou JPEG/],
  [['--logo', 'GRANDE'], /logo: no máximo 32 KiB/],
  [['--logo', 'ENTRELACADO'], /logo: um PNG sem entrelaçamento/],
  [['--logo', 'LARGO'], /logo: no máximo 1024 × 1024 pixels/],
  [['--host', 'outro.test'], /opção desconhecida '--host'/],
  [['--provedor', '1'], /opção desconhecida '--provedor'/],
];
const ARQUIVOS: Readonly<Record<string, Buffer>> = {
  GRANDE: Buffer.concat([jpegDe(10, 10), Buffer.alloc(32 * 1024)]),
  ENTRELACADO: pngDe({ entrelacado: true }),
  LARGO: jpegDe(1025, 10),
};

for (const [args, dito] of ERRADOS) {
  test(`é recusado em uma linha, e nada é gravado: malha provedor configurar ${args.join(' ')}`, async (t) => {
    const id = await semPix();
    const antes = await mostrar(id);
    const ditos = args.map((arg) => (ARQUIVOS[arg] === undefined ? arg : arquivo(arg, ARQUIVOS[arg])));
    const junto = args.length === 0 ? [] : ['--uf', 'MG', '--juros', '0,5'];
    recusado(t, await configurar(id, ...junto, ...ditos), dito);
    t.deepEqual(await mostrar(id), antes);
    t.deepEqual(await api.dono('auditoria').where('provedor_id', id), []);
  });
}

test('um provedor que não existe não se configura nem se mostra', async (t) => {
  for (const args of [
    ['configurar', '999999', '--cor', '#000000'],
    ['mostrar', '999999'],
  ]) {
    const { codigo, stderr } = await terminal.malha(['provedor', ...args]);
    t.is(codigo, 1);
    t.is(stderr, 'erro: provedor 999999 não existe\n');
  }
});
