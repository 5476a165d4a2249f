import test from 'ava';
import { TERMINAL } from '../../../../src/domain/actor.ts';
import { createConfiguracaoService } from '../../../../src/domain/provedores/configuracao/configuracao.service.ts';
import type { Mudancas } from '../../../../src/domain/provedores/configuracao/configuracao.regras.ts';
import { createEscrita } from '../../../../src/domain/escrita.ts';
import { criarBanco } from '../../../support/banco.ts';
import type { Banco } from '../../../support/banco.ts';
import { criarFabrica } from '../../../support/fabrica.ts';
import { jpegDe, pngDe } from '../../../support/imagens.ts';

let banco: Banco;
test.before(async () => {
  banco = await criarBanco();
});
test.after.always(() => banco.fechar());

async function montar() {
  const marcadas: string[] = [];
  const gate = { bump: async (_slot: string, tags: readonly string[]) => void marcadas.push(...tags) };
  const write = createEscrita({ db: banco.db, gate, onUnconfirmed: () => {} });
  const configuracao = createConfiguracaoService({ db: banco.db, write });
  const id = await criarFabrica(banco.db).provedor({ pix_chave: null, pix_nome: null, pix_cidade: null });
  return { configuracao, id, marcadas };
}

/** All that is stored of a provider, without its ids. */
async function linhasDe(id: number): Promise<Record<string, unknown>> {
  const [provedor] = await banco.db('provedores').where({ id });
  const [regras] = await banco.db('regras_cobranca').where('provedor_id', id);
  const [identidade] = await banco.db('provedores_identidade').where('provedor_id', id);
  return { ...provedor, ...regras, ...identidade };
}
const auditoriaDe = async (id: number): Promise<Record<string, any>[]> =>
  (await banco.db('auditoria').where('provedor_id', id).orderBy('id')).map((linha) => ({
    ...linha,
    dados: typeof linha.dados === 'string' ? JSON.parse(linha.dados) : linha.dados,
  }));

const CHAVE = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906';
const ACEITAS: readonly (readonly [mudanca: Mudancas, colunas: Record<string, unknown>])[] = [
  [{ nome: '  Serra\u200e  Fibra ' }, { nome: 'Serra Fibra' }],
  [{ nome: 'ç'.repeat(120) }, { nome: 'ç'.repeat(120) }],
  [{ fuso: 'America/Manaus' }, { fuso_horario: 'America/Manaus' }],
  [{ cnpj: '11.222.333/0001-81' }, { cnpj: '11222333000181' }],
  [{ cnpj: '12.abc.345/01de-35' }, { cnpj: '12ABC34501DE35' }],
  [{ pixChave: CHAVE.toUpperCase() }, { pix_chave: CHAVE }],
  [{ pixChave: '+55 (35) 99999-0001' }, { pix_chave: '+5535999990001' }],
  [{ pixChave: '11.222.333/0001-81' }, { pix_chave: '11222333000181' }],
  [{ pixChave: 'Caixa@Serra.test' }, { pix_chave: 'caixa@serra.test' }],
  [{ pixNome: 'São João Telecomunicações' }, { pix_nome: 'Sao Joao Telecomunicacoes' }],
  [{ pixCidade: 'São João Rei MG' }, { pix_cidade: 'Sao Joao Rei MG' }],
  [{ multa: '1' }, { multa_percentual: '1.00' }],
  [{ multa: '1,5' }, { multa_percentual: '1.50' }],
  [{ multa: '1.07' }, { multa_percentual: '1.07' }],
  [{ multa: '0' }, { multa_percentual: '0.00' }],
  [{ juros: '0' }, { juros_mensal_percentual: '0.00' }],
  [{ juros: '0.29' }, { juros_mensal_percentual: '0.29' }],
  [{ carencia: '365' }, { carencia_dias: 365 }],
  [{ desbloqueio: 'SIM' }, { desbloqueio_habilitado: 1 }],
  [{ desbloqueioDias: '1' }, { desbloqueio_dias: 1 }],
  [{ desbloqueioDias: '90' }, { desbloqueio_dias: 90 }],
  [{ razaoSocial: 'Serra Fibra Ltda' }, { razao_social: 'Serra Fibra Ltda' }],
  [{ cep: '37.550-000' }, { cep: '37550000' }],
  [
    { logradouro: 'Rua A', numero: 'S/N', complemento: 'Sala 3', bairro: 'Centro', cidade: 'Itajubá', uf: 'mg' },
    { logradouro: 'Rua A', numero: 'S/N', complemento: 'Sala 3', bairro: 'Centro', cidade: 'Itajubá', uf: 'MG' },
  ],
  [{ cor: '#16Aa8F' }, { cor: '#16aa8f' }],
  [{ cor: '16AA8F' }, { cor: '#16aa8f' }],
  [{ telefone: '+55 (35) 3421-0199' }, { telefone: '3534210199' }],
  [{ whatsapp: '035 99999-0199' }, { whatsapp: '35999990199' }],
  [{ email: 'Ola@Serra.test' }, { email: 'Ola@Serra.test' }],
  [{ site: 'https://Serra.TEST/Ajuda/' }, { site: 'serra.test/Ajuda' }],
  [{ site: 'serra.test' }, { site: 'serra.test' }],
  [{ banco: ' 085 ' }, { boleto_banco: '085' }],
  [{ agenciaCodigo: '3187/46250-0' }, { boleto_agencia_codigo: '3187/46250-0' }],
  [{ carteira: '109' }, { boleto_carteira: '109' }],
];

for (const [mudanca, colunas] of ACEITAS) {
  test(`${JSON.stringify(mudanca).slice(0, 100)} muda isso e nada mais`, async (t) => {
    const { configuracao, id } = await montar();
    const antes = await linhasDe(id);
    const { mudados } = await configuracao.configurar(TERMINAL, id, mudanca);
    t.deepEqual([...mudados], Object.keys(mudanca));
    const depois = await linhasDe(id);
    t.like(depois, colunas);
    for (const [coluna, valor] of Object.entries(depois)) {
      // When something changed, which is what this does.
      if (coluna !== 'atualizado_em' && !(coluna in colunas))
        t.deepEqual(valor ?? null, coluna === 'provedor_id' ? id : (antes[coluna] ?? null), coluna);
    }
  });
}

const RECUSADAS: readonly (readonly [mudanca: Mudancas, dito: RegExp])[] = [
  [{ nome: ' ' }, /^nome: de 1 a 120 caracteres$/],
  [{ nome: 'x'.repeat(121) }, /^nome: /],
  [{ nome: 'a\u0007b' }, /^nome: /],
  [{ fuso: '' }, /^fuso: um fuso IANA/],
  [{ fuso: 'Lua/Mar' }, /^fuso: /],
  [{ cnpj: '11.222.333/0001-80' }, /^cnpj: .*verificadores/],
  [{ cnpj: '12.ABC.345/01DE-36' }, /^cnpj: /],
  [{ cnpj: '529.982.247-25' }, /^cnpj: /],
  [{ pixChave: '35999990001' }, /^pix-chave: .*celular, que precisa do \+55/],
  [{ pixChave: '(35) 99999-0001' }, /^pix-chave: /],
  [{ pixChave: 'caixa' }, /^pix-chave: /],
  [{ pixNome: 'Serra Azul Telecomunicações' }, /^pix-nome: até 25/],
  [{ pixNome: '電話' }, /^pix-nome: /],
  [{ pixCidade: 'São José do Vale' }, /^pix-cidade: até 15/],
  [{ multa: '2,01' }, /^multa: um percentual de 0 a 2,00/],
  [{ multa: '' }, /^multa: /],
  [{ multa: '-1' }, /^multa: /],
  [{ multa: '1,234' }, /^multa: /],
  [{ multa: '1e0' }, /^multa: /],
  [{ juros: '1,01' }, /^juros: acima de 1,00 % ao mês .*CTN.* --confirmar-juros.*Lei da Usura/],
  [{ juros: '2,00', confirmarJuros: false }, /^juros: acima de 1,00 % ao mês/],
  [
    { juros: '2,01', confirmarJuros: true },
    /^juros: um percentual ao mês de 0 a 1,00, ou até 2,00 com --confirmar-juros/,
  ],
  [{ juros: '999,99' }, /^juros: um percentual ao mês/],
  [{ juros: '1000' }, /^juros: um percentual ao mês/],
  [{ juros: '1.000,00' }, /^juros: /],
  [{ carencia: '366' }, /^carencia: um número inteiro de 0 a 365$/],
  [{ carencia: '1.5' }, /^carencia: /],
  [{ desbloqueio: 'talvez' }, /^desbloqueio: sim ou nao$/],
  [{ desbloqueioDias: '0' }, /^desbloqueio-dias: um número inteiro de 1 a 90$/],
  [{ desbloqueioDias: '91' }, /^desbloqueio-dias: /],
  [{ razaoSocial: 'x'.repeat(121) }, /^razao-social: até 120/],
  [{ cep: '3755-000' }, /^cep: 8 dígitos/],
  [{ logradouro: 'x'.repeat(151) }, /^logradouro: até 150/],
  [{ numero: 'x'.repeat(21) }, /^numero: até 20/],
  [{ complemento: 'x'.repeat(101) }, /^complemento: até 100/],
  [{ bairro: 'x'.repeat(101) }, /^bairro: até 100/],
  [{ cidade: 'x'.repeat(101) }, /^cidade: até 100/],
  [{ uf: 'XX' }, /^uf: a sigla/],
  [{ cor: 'azul' }, /^cor: seis dígitos/],
  [{ cor: '#fff' }, /^cor: /],
  [{ cor: '##ff00ff' }, /^cor: /],
  [{ telefone: '3421-0199' }, /^telefone: DDD e número/],
  [{ whatsapp: '20 99999-0199' }, /^whatsapp: DDD e número/],
  [{ email: 'ola@serra' }, /^email: um e-mail/],
  [{ email: `${'a'.repeat(64)}@${'b.'.repeat(95)}test` }, /^email: /],
  [{ site: 'serra' }, /^site: um host/],
  [{ site: 'ftp://serra.test' }, /^site: /],
  [{ site: 'https://serra.test/"><script>' }, /^site: /],
  [{ site: 'serra.test:8080' }, /^site: /],
  [{ site: `serra.test/${'a'.repeat(243)}` }, /^site: /],
  [{ banco: '75' }, /^banco: os três dígitos do banco/],
  [{ banco: '836' }, /^banco: /],
  [{ agenciaCodigo: 'x'.repeat(25) }, /^agencia-codigo: até 24/],
  [{ carteira: '123456789' }, /^carteira: até 8/],
  [{ logo: Buffer.alloc(0) }, /^logo: um arquivo PNG ou JPEG$/],
  [{ logo: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') }, /^logo: um arquivo PNG ou JPEG$/],
  [{ logo: Buffer.concat([pngDe(), Buffer.alloc(32 * 1024)]) }, /^logo: no máximo 32 KiB$/],
  [{ logo: pngDe({ entrelacado: true }) }, /^logo: um PNG sem entrelaçamento$/],
  [{ logo: pngDe({ largura: 1025, altura: 1 }) }, /^logo: no máximo 1024 × 1024 pixels$/],
  [{ logo: pngDe({ altura: 1025, largura: 1 }) }, /^logo: no máximo 1024/],
  [{ logo: pngDe({ largura: 0 }) }, /^logo: o arquivo está incompleto/],
  [{ logo: pngDe({ bits: 3 }) }, /^logo: o arquivo está incompleto/],
  [{ logo: pngDe({ cor: 3 }) }, /^logo: o arquivo está incompleto/],
  [{ logo: pngDe({ pixels: Buffer.from('nada') }) }, /^logo: o arquivo está incompleto/],
  [{ logo: pngDe().subarray(0, -13) }, /^logo: o arquivo está incompleto/],
  [{ logo: pngDe().subarray(0, 20) }, /^logo: o arquivo está incompleto/],
  [{ logo: jpegDe(1025, 10) }, /^logo: no máximo 1024/],
  [{ logo: jpegDe(10, 0) }, /^logo: o arquivo está incompleto/],
  [{ logo: jpegDe(10, 10).subarray(0, 12) }, /^logo: o arquivo está incompleto/],
  [{}, /^nada a mudar/],
  [{ confirmarJuros: true }, /^nada a mudar/],
];

for (const [n, [mudanca, dito]] of RECUSADAS.entries()) {
  const valor = mudanca.logo === undefined ? JSON.stringify(mudanca).slice(0, 70) : 'um logo';
  test(`${valor} é recusado com ${dito.source} (${n}), e nada do que veio junto é gravado`, async (t) => {
    const { configuracao, id, marcadas } = await montar();
    const antes = await linhasDe(id);
    const junto = dito.source.startsWith('^nada') ? {} : { razaoSocial: 'Junto Ltda', cor: '#000000', juros: '0,5' };
    await t.throwsAsync(configuracao.configurar(TERMINAL, id, { ...junto, ...mudanca }), { message: dito });
    t.deepEqual(await linhasDe(id), antes);
    t.deepEqual(await auditoriaDe(id), []);
    t.deepEqual(marcadas, []);
  });
}

for (const [nome, logo, tipo] of [
  ['PNG de 1024 de lado', pngDe({ largura: 1024, altura: 1024 }), 'image/png'],
  ['PNG com transparência', pngDe({ cor: 6 }), 'image/png'],
  ['JPEG', jpegDe(1024, 1), 'image/jpeg'],
] as const) {
  test(`um ${nome} é um logo, e null o apaga`, async (t) => {
    const { configuracao, id } = await montar();
    t.deepEqual((await configuracao.configurar(TERMINAL, id, { logo })).mudados, ['logo']);
    t.deepEqual((await configuracao.buscar(id))!.identidade.logo, { tipo, bytes: logo });
    t.deepEqual((await configuracao.configurar(TERMINAL, id, { logo })).mudados, []);
    t.deepEqual((await configuracao.configurar(TERMINAL, id, { logo: null })).mudados, ['logo']);
    t.like(await linhasDe(id), { logo: null, logo_tipo: null });
  });
}

test('um valor vazio apaga o que pode faltar', async (t) => {
  const { configuracao, id } = await montar();
  await configuracao.configurar(TERMINAL, id, {
    cnpj: '11222333000181',
    pixChave: CHAVE,
    cor: '#164a8a',
    site: 'serra.test',
  });
  const { mudados } = await configuracao.configurar(TERMINAL, id, { cnpj: '', pixChave: ' ', cor: '', site: '' });
  t.deepEqual([...mudados], ['cnpj', 'pixChave', 'cor', 'site']);
  t.like(await linhasDe(id), { cnpj: null, pix_chave: null, cor: null, site: null });
});

test('o PIX só há com chave, nome e cidade, e o que falta é dito', async (t) => {
  const { configuracao, id } = await montar();
  const recebedor = async () => (await configuracao.buscar(id))!.conta.recebedor;
  t.deepEqual((await configuracao.configurar(TERMINAL, id, { cor: '#000000' })).pixFalta, []);
  t.deepEqual((await configuracao.configurar(TERMINAL, id, { pixChave: CHAVE })).pixFalta, ['pixNome', 'pixCidade']);
  t.deepEqual((await configuracao.configurar(TERMINAL, id, { pixNome: 'SERRA' })).pixFalta, ['pixCidade']);
  t.is(await recebedor(), null);
  t.deepEqual((await configuracao.configurar(TERMINAL, id, { pixCidade: 'ITAJUBA' })).pixFalta, []);
  t.deepEqual(await recebedor(), { chave: CHAVE, nome: 'SERRA', cidade: 'ITAJUBA' });
  t.deepEqual((await configuracao.configurar(TERMINAL, id, { pixNome: '' })).pixFalta, ['pixNome']);
  t.is(await recebedor(), null);
});

test('uma configuração é uma linha de auditoria, com o nome do que mudou e nenhum valor, e marca a etiqueta do provedor', async (t) => {
  const { configuracao, id, marcadas } = await montar();
  const mudancas = { nome: 'Outro Nome', multa: '2,00', pixChave: CHAVE, whatsapp: '35999990199', logo: pngDe() };
  t.deepEqual((await configuracao.configurar(TERMINAL, id, mudancas)).mudados, [
    'nome',
    'pixChave',
    'whatsapp',
    'logo',
  ]);
  const [linha, ...mais] = await auditoriaDe(id);
  t.deepEqual(mais, []);
  t.like(linha, {
    acao: 'provedor.configurado',
    recurso: 'provedor',
    recurso_id: id,
    autor: 'linha de comando',
    chave_id: null,
    ip: null,
  });
  t.deepEqual(linha!['dados'], { campos: ['nome', 'pix_chave', 'whatsapp', 'logo'] });
  t.deepEqual(marcadas, ['provedor']);

  // The fine was what it is, and now so is all the rest.
  t.deepEqual((await configuracao.configurar(TERMINAL, id, mudancas)).mudados, []);
  t.is((await auditoriaDe(id)).length, 1);
  // Who is told that it is so already reads nothing older: what waits in the outbox is bumped again.
  t.deepEqual(marcadas, ['provedor', 'provedor']);
});

test('juros de 1,01 a 2,00 % ao mês entram confirmados, e a auditoria diz quais; até 1,00 não há o que confirmar', async (t) => {
  const { configuracao, id } = await montar();
  for (const [juros, gravado] of [
    ['1,01', '1.01'],
    ['2', '2.00'],
  ] as const) {
    t.deepEqual((await configuracao.configurar(TERMINAL, id, { juros, confirmarJuros: true })).mudados, ['juros']);
    t.like(await linhasDe(id), { juros_mensal_percentual: gravado });
    t.deepEqual((await auditoriaDe(id)).at(-1)!['dados'], {
      campos: ['juros_mensal_percentual'],
      juros_confirmados: gravado,
    });
  }
  await configuracao.configurar(TERMINAL, id, { juros: '0,99', confirmarJuros: true });
  t.deepEqual((await auditoriaDe(id)).at(-1)!['dados'], { campos: ['juros_mensal_percentual'] });
});

test('juros acima do teto que já estavam ficam enquanto ninguém os muda, e não impedem outra configuração', async (t) => {
  const { configuracao, id } = await montar();
  await banco.db('regras_cobranca').where('provedor_id', id).update({ juros_mensal_percentual: '15.00' });
  t.deepEqual((await configuracao.configurar(TERMINAL, id, { multa: '1', cor: '#123abc' })).mudados, ['multa', 'cor']);
  t.like(await linhasDe(id), { juros_mensal_percentual: '15.00', multa_percentual: '1.00' });
  for (const confirmarJuros of [false, true]) {
    await t.throwsAsync(configuracao.configurar(TERMINAL, id, { juros: '15', confirmarJuros }), {
      message: /^juros: um percentual/,
    });
  }
  t.deepEqual((await configuracao.configurar(TERMINAL, id, { juros: '1' })).mudados, ['juros']);
});

test('um provedor que não existe não se configura nem se mostra, e outro não muda', async (t) => {
  const { configuracao, id } = await montar();
  const antes = await linhasDe(id);
  await t.throwsAsync(configuracao.configurar(TERMINAL, 999_999, { cor: '#000000' }), {
    message: 'provedor 999999 não existe',
  });
  t.is(await configuracao.buscar(999_999), null);
  const { id: outro } = await montar();
  await configuracao.configurar(TERMINAL, outro, { nome: 'Outro', multa: '1', cor: '#000000' });
  t.deepEqual(await linhasDe(id), antes);
});

test('de mudanças simultâneas de um provedor nenhuma se perde', async (t) => {
  const { configuracao, id } = await montar();
  const mudancas: Mudancas[] = [{ cor: '#164a8a' }, { cep: '37550000' }, { uf: 'MG' }, { multa: '1' }, { numero: '7' }];
  await Promise.all(mudancas.map((mudanca) => configuracao.configurar(TERMINAL, id, mudanca)));
  t.like(await linhasDe(id), { cor: '#164a8a', cep: '37550000', uf: 'MG', multa_percentual: '1.00', numero: '7' });
  t.is((await auditoriaDe(id)).length, mudancas.length);
});
