import test from 'ava';
import { lerPix } from '../../../src/brazil/pix/pix.ts';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { CamposInvalidos, EntradaInvalida, Recusa } from '../../../src/domain/erros.ts';
import type { Escritas } from '../../../src/domain/dominio.ts';
import { exigirCobrador } from '../../../src/domain/cobradores/cobradores.service.ts';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import { createCobrancasService } from '../../../src/domain/cobrancas/cobrancas.service.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { urlDoDono } from '../../support/banco.ts';
import { boletoDe, criarCobrado, pedirPagina } from '../../support/cobrancas.ts';
import { RECEBEDOR, criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';
import { sorteio } from '../../support/sorteio.ts';
import { criarTerminal, recusado } from '../../support/terminal.ts';
import type { Terminal } from '../../support/terminal.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const OUTRA = {
  nome: 'Filial Norte Ltda',
  cnpj: '12.ABC.345/01DE-35',
  pix_chave: 'norte@malha.test',
  pix_nome: 'FILIAL NORTE',
  pix_cidade: 'MANAUS',
  boleto_banco: '001',
  boleto_agencia_codigo: '1234-5/99',
  boleto_carteira: '17',
};

let api: Api;
let fabrica: Fabrica;
let terminal: Terminal;
/** Who writes with plain SQL, on a connection that is none of Malha's. */
let operador: Db;
test.before(async () => {
  api = await criarApi({ processos: 2, relogio: relogioEm(AGORA) });
  fabrica = criarFabrica(api.dono);
  terminal = criarTerminal(api);
  operador = createDatabase({ url: urlDoDono(api.databaseUrl), pool: 4 });
});
test.after.always(async () => {
  await operador.destroy();
  terminal.fechar();
  await api.fechar();
});

const cobrancas = () => createCobrancasService({ db: api.container.db, relogio: relogioEm(AGORA) });

async function mudar<T>(provedor: number, fazer: (cobradores: Escritas['cobradores']) => Promise<T>): Promise<T> {
  const dele = await api.container.provedores.exigirPorId(provedor);
  return api.container.changeTenant(TERMINAL, dele, async (_, { cobradores }) => fazer(cobradores));
}

const contas = async (provedor: number): Promise<Record<string, unknown>[]> =>
  api.dono('cobradores').where({ provedor_id: provedor }).orderBy('id');

/** A provider with a contract of each of its two accounts. */
async function doisCobradores() {
  const a = await criarCobrado(api, fabrica);
  await api.container.configuracao.configurar(TERMINAL, a.provedor, {
    banco: '237',
    agenciaCodigo: '3381-2/0135285',
    carteira: '26',
  });
  const [primeira] = await contas(a.provedor);
  const outra = await mudar(a.provedor, async (cobradores) => cobradores.criar(OUTRA));
  const plano_id = await fabrica.plano(a.provedor);
  const contrato = await fabrica.contrato(a.provedor, { cliente_id: a.cliente, plano_id, cobrador_id: outra });
  const daOutra = async (linha: Record<string, unknown> = {}) => a.fatura({ contrato_id: contrato, ...linha });
  return { ...a, primeira: primeira!['id'] as number, outra, contrato, daOutra };
}

const recebe = (fatura: { segunda_via: { pix_copia_cola: string | null } }) =>
  lerPix(fatura.segunda_via.pix_copia_cola ?? '')?.chave;

const motivo =
  (esperado: string) =>
  (error: unknown): boolean =>
    error instanceof Recusa && error.motivo === esperado;

test('um provedor nasce com um cobrador, que é o padrão e tem o PIX dele', async (t) => {
  const provedor = await fabrica.provedor();
  const [unico, ...outros] = await contas(provedor);
  t.deepEqual(outros, []);
  t.like(unico, { nome: 'Principal', padrao: 1, ativo: 1, cnpj: null, pix_chave: RECEBEDOR.chave });
});

test('a fatura de cada contrato paga-se ao cobrador dele: API, página, boleto e noite', async (t) => {
  const a = await doisCobradores();
  const boleto = { tipo: 'boleto', situacao: 'vencida' };
  const minha = await a.fatura({ ...boleto, ...boletoDe({ banco: '237' }) });
  const dela = await a.daOutra({ ...boleto, ...boletoDe({ banco: '001' }) });
  t.is(recebe(await a.ler(minha.id)), RECEBEDOR.chave);
  t.is(recebe(await a.ler(dela.id)), OUTRA.pix_chave);
  t.not((await a.ler(minha.id)).segunda_via.pdf, null);
  t.not((await a.ler(dela.id)).segunda_via.pdf, null);
  const pagina = await pedirPagina(api, `/pagar/${dela.token}`);
  t.true(pagina.texto.includes(OUTRA.pix_nome) || pagina.texto.includes(OUTRA.pix_chave));
  t.false(pagina.texto.includes(RECEBEDOR.chave));

  const impressa = (await cobrancas().imprimir(dela.token))!.boletos!;
  t.like(impressa.beneficiario, { nome: OUTRA.nome, documento: '12ABC34501DE35' });
  t.like(impressa.parcelas[0], { agenciaCodigo: '1234-5/99', carteira: '17' });
  t.is(lerPix(impressa.parcelas[0]!.pix!.codigo)!.chave, OUTRA.pix_chave);
  const doProvedor = (await cobrancas().imprimir(minha.token))!.boletos!;
  t.is(doProvedor.beneficiario.documento, '11222333000181');
  t.like(doProvedor.parcelas[0], { agenciaCodigo: '3381-2/0135285', carteira: '26' });

  // Of before there were several, beside the first account's own.
  const antiga = await a.fatura({ situacao: 'vencida' });
  await api.dono('faturas').where('id', antiga.id).update({ cobrador_id: null });
  const execucao = { signal: new AbortController().signal, aoAvancar: () => {} };
  const dia = { tarefa: 'pix.recalcular', provedorId: a.provedor, dia: '2026-11-20' } as const;
  t.is((await api.container.tarefas.executar(TERMINAL, dia, execucao)).desfecho, 'concluida');
  const guardadas: { id: number; pix_copia_cola: string }[] = await api
    .dono('faturas')
    .where({ provedor_id: a.provedor })
    .orderBy('id')
    .select('id', 'pix_copia_cola');
  t.deepEqual(
    guardadas.map(({ id, pix_copia_cola: codigo }) => [id, lerPix(codigo)!.chave]),
    [
      [minha.id, RECEBEDOR.chave],
      [dela.id, OUTRA.pix_chave],
      [antiga.id, RECEBEDOR.chave],
    ],
  );
  for (const { id } of guardadas)
    t.is((await a.ler(id)).segunda_via.pix_copia_cola, guardadas.find((g) => g.id === id)!.pix_copia_cola);
});

test('um boleto que é do banco de outro cobrador não se imprime, e conferir diz por quê', async (t) => {
  const a = await doisCobradores();
  const trocado = await a.daOutra({ tipo: 'boleto', ...boletoDe({ banco: '237' }) });
  const { segunda_via: via } = await a.ler(trocado.id);
  t.is(via.pdf, null);
  t.not(via.linha_digitavel, null);
  t.deepEqual(await terminal.json(['provedor', 'conferir', String(a.provedor)]), [
    { fatura_id: trocado.id, boleto: 'outro_banco', pix: null },
  ]);
});

test('de um carnê, num papel só vão as parcelas do mesmo cobrador', async (t) => {
  const a = await doisCobradores();
  const [carne_id = 0] = await api.dono('carnes').insert({
    provedor_id: a.provedor,
    cliente_id: a.cliente,
    parcelas: 3,
    emitido_em: AGORA.replace(/[TZ]/g, ' ').trim(),
  });
  const parcela = (n: number) => ({ tipo: 'carne', carne_id, parcela: n });
  await a.fatura({ ...parcela(1), ...boletoDe({ banco: '237' }) });
  const segunda = await a.daOutra({ ...parcela(2), ...boletoDe({ banco: '001' }) });
  const terceira = await a.fatura({ ...parcela(3), ...boletoDe({ banco: '237' }) });
  const numeros = async (token: string) =>
    (await cobrancas().imprimir(token))!.boletos!.parcelas.map((uma) => uma.parcela);
  t.deepEqual(await numeros(segunda.token), ['2/3']);
  t.deepEqual(await numeros(terceira.token), ['1/3', '3/3']);
});

test('o que foi emitido continua no seu cobrador, embora o contrato ou o padrão mudem; o novo sai pelo de agora', async (t) => {
  const a = await doisCobradores();
  const antes = await a.fatura();
  const antiga = await a.fatura();
  await api.dono('faturas').where('id', antiga.id).update({ cobrador_id: null });
  t.true(await mudar(a.provedor, async (cobradores) => cobradores.tornarPadrao(a.outra)));
  t.false(await mudar(a.provedor, async (cobradores) => cobradores.tornarPadrao(a.outra)));
  const depois = await a.fatura();
  for (const { id } of [antes, antiga]) t.is(recebe(await a.ler(id)), RECEBEDOR.chave);
  t.is(recebe(await a.ler(depois.id)), OUTRA.pix_chave);
  const daOutra = await a.daOutra();
  await api.dono('contratos').where('id', a.contrato).update({ cobrador_id: a.primeira });
  t.is(recebe(await a.ler(daOutra.id)), OUTRA.pix_chave);
  t.is(recebe(await a.ler((await a.daOutra()).id)), RECEBEDOR.chave);
});

test('uma conta mudada vale na hora, em todos os processos, para o que se emitiu por ela, e quem lê o que mudou o vê', async (t) => {
  const a = await doisCobradores();
  const { id } = await a.daOutra();
  const ler = async (processo: number) =>
    recebe((await api.get(`/faturas/${id}`, { chave: a.chave, processo })).corpo.dados);
  for (const processo of [0, 1, 0, 1]) t.is(await ler(processo), OUTRA.pix_chave);
  await api.dono('faturas').where({ id }).update({ atualizado_em: '2026-01-01' });
  await api.dono('regras_cobranca').where({ provedor_id: a.provedor }).update({ atualizado_em: '2026-01-01' });
  await mudar(a.provedor, async (cobradores) => cobradores.alterar(a.outra, { pix_chave: '52998224725' }));
  for (const processo of [0, 1]) t.is(await ler(processo), '52998224725');
  const mudadas = await api.get('/faturas?atualizado_desde=2026-11-20T00:00:00Z', { chave: a.chave });
  t.true(mudadas.corpo.dados.some((fatura: { id: number }) => fatura.id === id));
});

test('quem ainda escreve as colunas de antes muda o cobrador padrão, e só ele; o padrão que muda está nelas', async (t) => {
  const a = await doisCobradores();
  const colunas = async () => {
    const [provedor] = await operador('provedores')
      .where('id', a.provedor)
      .select('pix_chave', 'pix_nome', 'pix_cidade');
    const [identidade] = await operador('provedores_identidade')
      .where('provedor_id', a.provedor)
      .select('boleto_banco', 'boleto_agencia_codigo', 'boleto_carteira');
    return { ...provedor, ...identidade } as Record<string, unknown>;
  };
  const conta = async (id: number) => (await contas(a.provedor)).find((uma) => uma['id'] === id)!;
  await operador('provedores').where('id', a.provedor).update({ pix_nome: 'Outro Nome' });
  t.like(await conta(a.primeira), { pix_nome: 'Outro Nome', pix_chave: RECEBEDOR.chave });
  // Another by its letters alone.
  await operador('provedores').where('id', a.provedor).update({ pix_nome: 'OUTRO NOME' });
  t.is((await conta(a.primeira))['pix_nome'], 'OUTRO NOME');
  await operador('provedores_identidade').where('provedor_id', a.provedor).update({ boleto_carteira: '9' });
  t.like(await conta(a.primeira), { boleto_banco: '237', boleto_carteira: '9' });
  t.like(await conta(a.outra), { pix_nome: OUTRA.pix_nome, boleto_carteira: '17' });

  await operador('cobradores').where('id', a.primeira).update({ pix_cidade: 'ITAJUBA', boleto_banco: '756' });
  t.like(await colunas(), { pix_cidade: 'ITAJUBA', boleto_banco: '756', boleto_carteira: '9' });
  await operador('cobradores').where('id', a.outra).update({ pix_cidade: 'BELEM' });
  t.is((await colunas())['pix_cidade'], 'ITAJUBA');
  await mudar(a.provedor, async (cobradores) => cobradores.tornarPadrao(a.outra));
  t.deepEqual(await colunas(), {
    pix_chave: OUTRA.pix_chave,
    pix_nome: OUTRA.pix_nome,
    pix_cidade: 'BELEM',
    boleto_banco: '001',
    boleto_agencia_codigo: '1234-5/99',
    boleto_carteira: '17',
  });
  await operador('provedores').where('id', a.provedor).update({ pix_chave: null });
  t.like(await conta(a.outra), { pix_chave: null, pix_nome: OUTRA.pix_nome });
  t.is((await conta(a.primeira))['pix_chave'], RECEBEDOR.chave);
  // An identity that goes takes what it said of boletos, and one that comes brings it.
  await operador('provedores_identidade').where('provedor_id', a.provedor).delete();
  t.like(await conta(a.outra), { boleto_banco: null, boleto_agencia_codigo: null, boleto_carteira: null });
  await operador('provedores_identidade').insert({ provedor_id: a.provedor, boleto_banco: '341' });
  t.is((await conta(a.outra))['boleto_banco'], '341');
});

test('configurar o PIX do provedor muda o cobrador padrão', async (t) => {
  const a = await doisCobradores();
  await mudar(a.provedor, async (cobradores) => cobradores.tornarPadrao(a.outra));
  await api.container.configuracao.configurar(TERMINAL, a.provedor, { pixChave: 'nova@malha.test', carteira: '18' });
  const [primeira, outra] = await contas(a.provedor);
  t.like(primeira, { pix_chave: RECEBEDOR.chave, boleto_carteira: '26' });
  t.like(outra, { pix_chave: 'nova@malha.test', boleto_carteira: '18' });
  t.is((await api.container.configuracao.buscar(a.provedor))!.conta.pix.chave, 'nova@malha.test');
});

test('de vinte mudanças de padrão ao mesmo tempo, resta um só, e as colunas de antes são as dele', async (t) => {
  const provedor = await fabrica.provedor();
  const ids = [(await contas(provedor))[0]!['id'] as number];
  for (let n = 0; n < 4; n += 1) {
    ids.push(await mudar(provedor, async (c) => c.criar({ ...OUTRA, nome: `Conta ${n}`, pix_cidade: `CIDADE ${n}` })));
  }
  await Promise.all(
    Array.from({ length: 20 }, async (_, n) => mudar(provedor, async (c) => c.tornarPadrao(ids[n % ids.length]!))),
  );
  const padroes = (await contas(provedor)).filter(({ padrao }) => padrao === 1);
  t.is(padroes.length, 1);
  const [{ pix_cidade: cidade }] = (await api.dono('provedores').where('id', provedor)) as [{ pix_cidade: string }];
  t.is(cidade, padroes[0]!['pix_cidade'] as string);
  // By SQL there are no two of them either.
  await t.throwsAsync(operador('cobradores').where({ provedor_id: provedor }).update({ padrao: 1 }), {
    message: /Duplicate/,
  });
});

test('o padrão e o de um contrato não se desativam; desativado, não se escolhe, e o que emitiu continua a pagar-se a ele', async (t) => {
  const a = await doisCobradores();
  const { id } = await a.daOutra();
  await t.throwsAsync(
    mudar(a.provedor, async (c) => c.desativar(a.primeira)),
    { message: /padrão/ },
  );
  const emUso = await t.throwsAsync(
    mudar(a.provedor, async (c) => c.desativar(a.outra)),
    { instanceOf: Recusa },
  );
  t.true(motivo('cobrador_em_uso')(emUso));
  t.is(emUso.detalhe.registroId, a.contrato);
  await api.dono('contratos').where('id', a.contrato).update({ situacao: 'cancelado_definitivo' });
  t.true(await mudar(a.provedor, async (c) => c.desativar(a.outra)));
  t.false(await mudar(a.provedor, async (c) => c.desativar(a.outra)));
  t.is(recebe(await a.ler(id)), OUTRA.pix_chave);
  const escolher = async (provedor: number) =>
    api.container.write(TERMINAL, provedor, async (w) => exigirCobrador(w, a.outra));
  t.true(motivo('cobrador_indisponivel')(await t.throwsAsync(escolher(a.provedor))));
  t.true(motivo('cobrador_indisponivel')(await t.throwsAsync(mudar(a.provedor, async (c) => c.tornarPadrao(a.outra)))));
  t.true(await mudar(a.provedor, async (c) => c.reativar(a.outra)));
  t.is((await escolher(a.provedor)).id, a.outra);
  // Nor by another provider.
  const outro = await fabrica.provedor();
  t.true(motivo('cobrador_indisponivel')(await t.throwsAsync(escolher(outro))));
  t.true(motivo('nao_encontrado')(await t.throwsAsync(mudar(outro, async (c) => c.alterar(a.outra, { nome: 'x' })))));
});

test('a auditoria diz quem mudou que campos, e nenhum valor', async (t) => {
  const a = await doisCobradores();
  await mudar(a.provedor, async (c) => c.alterar(a.outra, { pix_nome: 'SEGREDO', nome: OUTRA.nome }));
  t.deepEqual(await mudar(a.provedor, async (c) => c.alterar(a.outra, { pix_nome: 'SEGREDO' })), []);
  const linhas: { acao: string; recurso_id: number; dados: string }[] = await api
    .dono('auditoria')
    .where({ provedor_id: a.provedor, recurso: 'cobrador' })
    .orderBy('id');
  t.deepEqual(
    linhas.map(({ acao, recurso_id: id }) => [acao, id]),
    [
      ['cobrador.criado', a.outra],
      ['cobrador.alterado', a.outra],
    ],
  );
  t.false(JSON.stringify(linhas).includes('SEGREDO'));
});

test('um código externo é de um cobrador só', async (t) => {
  const provedor = await fabrica.provedor();
  await mudar(provedor, async (c) => c.criar({ ...OUTRA, codigo_externo: 'ixc:1' }));
  t.true(
    motivo('codigo_externo_em_uso')(
      await t.throwsAsync(mudar(provedor, async (c) => c.criar({ ...OUTRA, codigo_externo: 'ixc:1' }))),
    ),
  );
});

const LIXO: readonly unknown[] = [
  null,
  '',
  'x',
  '\u0000',
  '\ud83d',
  'x'.repeat(300),
  -1,
  1.5,
  Number.NaN,
  true,
  [],
  {},
  ['x'],
  '11222333000181',
  '999',
  'ação & cia',
  Symbol.iterator,
  10n,
];

test('o que se manda de errado é dito pelo campo, e nada fica pela metade', async (t) => {
  const provedor = await fabrica.provedor();
  const antes = await contas(provedor);
  const campos = [...Object.keys(OUTRA), 'codigo_externo', 'padrao', '__proto__', 'inventado'];
  const { numero: sortear, um } = sorteio(20261124);
  let feitos = 0;
  for (let vez = 0; vez < 300; vez += 1) {
    const dados =
      sortear() < 0.05
        ? um(LIXO)
        : Object.fromEntries(campos.filter(() => sortear() < 0.4).map((campo) => [campo, um(LIXO)]));
    try {
      await mudar(provedor, async (c) =>
        vez % 2 === 0 ? c.criar(dados) : c.alterar(antes[0]!['id'] as number, dados),
      );
      feitos += 1;
    } catch (error) {
      t.true(
        error instanceof CamposInvalidos || error instanceof Recusa || error instanceof EntradaInvalida,
        String(error),
      );
    }
  }
  t.is((await contas(provedor)).filter(({ padrao }) => padrao === 1).length, 1);
  t.true(feitos < 300);
  const falta = await t.throwsAsync(
    mudar(provedor, async (c) => c.criar({ nome: 'x', cnpj: '1', pix_chave: '35999990000', boleto_banco: '8a' })),
    { instanceOf: CamposInvalidos },
  );
  t.deepEqual(
    falta.faltas.map(({ campo }) => campo),
    ['cnpj', 'pix_chave', 'boleto_banco'],
  );
});

test('no terminal: criar, alterar, padrao, desativar, reativar e listar', async (t) => {
  const provedor = String(await fabrica.provedor());
  const cobrador = async <T>(...args: string[]) => terminal.json<T>(['cobrador', ...args, '--provedor', provedor]);
  const opcoes = ['--nome', 'Norte', '--pix-chave', 'norte@malha.test', '--pix-nome', 'Norte', '--pix-cidade', 'Belém'];
  const { id } = await cobrador<{ id: number }>('criar', ...opcoes, '--boleto-banco', '756');
  const nele = String(id);
  t.deepEqual(await cobrador('alterar', nele, '--boleto-banco', '', '--codigo-externo', 'ixc:7'), {
    id,
    provedor_id: Number(provedor),
    mudados: ['boleto_banco', 'codigo_externo'],
  });
  t.like(await cobrador('padrao', nele), { mudou: true });
  t.like(await cobrador('padrao', nele), { mudou: false });
  const [primeiro, segundo] = await cobrador<[{ id: number }, object]>('listar');
  t.like(segundo, {
    id,
    nome: 'Norte',
    pix_cidade: 'Belem',
    padrao: true,
    boleto_banco: null,
    codigo_externo: 'ixc:7',
  });
  t.like(await cobrador('desativar', String(primeiro.id)), { mudou: true });
  t.like(await cobrador('reativar', String(primeiro.id)), { mudou: true });
  const { stdout } = await terminal.malha(['cobrador', 'listar', '--provedor', provedor]);
  t.regex(stdout, /padrão {1,}Norte/);
  const dizer = async (...args: string[]) => terminal.malha(['cobrador', ...args, '--provedor', provedor]);
  recusado(t, await dizer('desativar', nele), /padrão/);
  recusado(t, await dizer('criar', '--nome', 'x', '--pix-chave', '1'), /pix_chave/);
  recusado(t, await dizer('alterar', nele), /ao menos um/);
  recusado(t, await dizer('alterar', '999999', '--nome', 'x'), /não existe/);
  recusado(t, await terminal.malha(['cobrador', 'listar', '--provedor', '999999']), /provedor 999999/);
});
