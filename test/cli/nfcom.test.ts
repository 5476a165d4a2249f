import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { TERMINAL, autoria } from '../../src/domain/actor.ts';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { criarFabrica } from '../support/fabrica.ts';
import { pfxDeTeste } from '../support/nfcom/certificados.ts';
import { criarTerminal } from '../support/terminal.ts';
import type { Terminal } from '../support/terminal.ts';

let api: Api;
let terminal: Terminal;
const pasta = mkdtempSync(join(tmpdir(), 'malha-nfcom-'));
test.before(async () => {
  api = await criarApi();
  terminal = criarTerminal(api);
});
test.after.always(async () => {
  await api.fechar();
  terminal.fechar();
  rmSync(pasta, { recursive: true, force: true });
});

async function povoar() {
  const f = criarFabrica(api.dono);
  const provedor = await f.provedor({ cnpj: '11222333000181' });
  await api.dono('provedores_identidade').insert({
    provedor_id: provedor,
    razao_social: 'Serra Fibra Ltda',
    cep: '37701000',
    logradouro: 'Rua das Fibras',
    numero: '100',
    bairro: 'Centro',
    cidade: 'Poços de Caldas',
    uf: 'MG',
  });
  const cliente = await f.cliente(provedor, { cpf_cnpj: '52998224725' });
  const plano = await f.plano(provedor);
  const contrato = await f.contrato(provedor, { cliente_id: cliente, plano_id: plano });
  const fatura = await f.fatura(provedor, { cliente_id: cliente, contrato_id: contrato });
  const nfcom = (...argumentos: readonly (string | number)[]): string[] =>
    ['nfcom', ...argumentos, '--provedor', provedor].map(String);
  return { provedor, cliente, plano, fatura, nfcom };
}

test('as notas configuram-se no terminal: começo, certificado, serviços e repartição; a auditoria diz que foi ele', async (t) => {
  const { provedor, plano, nfcom } = await povoar();
  t.regex((await terminal.malha(nfcom('configurar'))).stdout, /Falta: diga a inscrição estadual/);
  const comeco = await terminal.malha(
    nfcom('comecar', '--inscricao-estadual', '062.307.904/0081', '--sva-percentual', '30'),
  );
  t.is(comeco.codigo, 0, comeco.stderr);
  const errada = await terminal.malha(nfcom('configurar', '--serie', '1000'));
  t.not(errada.codigo, 0);
  t.regex(errada.stderr, /serie/);
  t.deepEqual(await terminal.json(nfcom('configurar', '--serie', '2', '--informacoes', 'ANATEL: 1331.')), {
    campos: ['serie', 'informacoes'],
  });
  t.like(await api.dono('nfcom_configuracoes').where({ provedor_id: provedor }).first(), {
    serie: 2,
    inscricao_estadual: '0623079040081',
    informacoes: 'ANATEL: 1331.',
  });

  const [pfx, senha] = [join(pasta, 'a1.pfx'), join(pasta, 'senha')];
  writeFileSync(pfx, pfxDeTeste({ senha: 'segredo do pfx' }));
  writeFileSync(senha, 'outra\n');
  const naoAbre = await terminal.malha(nfcom('certificado', pfx, '--senha', senha));
  t.regex(naoAbre.stderr, /a senha não abre o certificado/);
  writeFileSync(senha, 'segredo do pfx\n');
  const guardado = await terminal.malha(nfcom('certificado', pfx, '--senha', senha));
  t.regex(guardado.stdout, /PROVEDOR TESTE LTDA.* dias\./, guardado.stderr);

  const { servicos } = await terminal.json<{ servicos: { id: number }[] }>(nfcom('servicos', 'listar'));
  const [internet, sva] = servicos as [{ id: number }, { id: number }];
  const repartido = await terminal.malha(
    nfcom('servicos', 'repartir', `${internet.id}`, `${sva.id}=19.90`, '--plano', plano),
  );
  t.is(repartido.codigo, 0, repartido.stderr);
  t.is((await api.dono('nfcom_partes').where({ provedor_id: provedor, plano_id: plano })).length, 2);
  const doAluguel = await terminal.malha(nfcom('servicos', 'repartir', `${sva.id}`, '--adicional', 'recorrente'));
  t.is(doAluguel.codigo, 0, doAluguel.stderr);
  t.is((await api.dono('nfcom_partes').where({ provedor_id: provedor, dono: 'recorrente' })).length, 1);
  t.regex((await terminal.malha(nfcom('autorizadores'))).stdout, /SEFAZ MG, homologacao/);

  const linhas = await api.dono('auditoria').where({ provedor_id: provedor }).where('acao', 'like', 'nfcom.%');
  t.true(linhas.length >= 4);
  t.deepEqual([...new Set(linhas.map(({ autor }: { autor: string }) => autor))], [autoria(TERMINAL).name]);
});

test('as notas se pedem com prévia, listam, consultam, reemitem e cancelam no terminal', async (t) => {
  const { provedor, fatura, nfcom } = await povoar();
  await terminal.malha(
    nfcom('comecar', '--inscricao-estadual', '0623079040081', '--serie', '3', '--proximo-numero', '101'),
  );
  const numeracao = await api.dono('nfcom_numeracao').where({ provedor_id: provedor }).orderBy('ambiente');
  t.deepEqual(
    numeracao.map(({ ambiente, serie, proximo }) => `${ambiente} ${serie} ${proximo}`),
    ['producao 3 101', 'homologacao 3 101'],
  );
  const previa = await terminal.json<{ notas: number; recusadasAoTodo: number }>(
    nfcom('emitir', '--previa', '--emitidas-de', '2020-01-01'),
  );
  const semRecorte = await terminal.malha(nfcom('emitir', '--uf', 'MG'));
  t.not(semRecorte.codigo, 0);
  t.regex(semRecorte.stderr, /diga desde que dia/);
  t.is(previa.notas + previa.recusadasAoTodo, 1);
  t.is((await api.dono('nfcom').where({ provedor_id: provedor })).length, 0);
  t.deepEqual(await terminal.json(nfcom('emitir', '--faturas', fatura)), { notas: 1 });
  t.deepEqual(await terminal.json(nfcom('emitir', '--emitidas-de', '2020-01-01')), { notas: 0 });
  const [nota] = await terminal.json<{ id: number }[]>(nfcom('listar', '--situacao', 'pendente'));
  t.like(nota, { fatura_id: fatura, situacao: 'pendente', valor: '99.90' });
  t.regex((await terminal.malha(nfcom('consultar', nota!.id))).stdout, /pendente/);
  const cedo = await terminal.malha(nfcom('cancelar', nota!.id, '--justificativa', 'Cobrança feita por engano.'));
  t.not(cedo.codigo, 0);
  t.regex(cedo.stderr, /não está autorizada/);
  await api.dono('nfcom').where({ id: nota!.id }).update({ situacao: 'rejeitada', motivo: 'Rejeição', etapa: null });
  t.regex((await terminal.malha(nfcom('reemitir', nota!.id))).stdout, /na fila/);
  t.regex((await terminal.malha(nfcom('descartar', nota!.id))).stdout, /descartada/);
  t.like(await api.dono('nfcom').where({ provedor_id: provedor }).first(), {
    motivo_codigo: 'descartada',
    numero: null,
  });
  t.deepEqual(await terminal.json(nfcom('emitir', '--faturas', fatura)), { notas: 0 });
  const outra = await terminal.json<{ id: number }>(nfcom('emitir', '--fatura', fatura));
  t.true(outra.id > nota!.id);
  t.regex((await terminal.malha(nfcom('emitir', '--fatura', fatura))).stderr, /já tem nota/);
  t.regex((await terminal.malha(nfcom('listar', '--situacao', 'x'))).stderr, /situacao: deve ser/);
});

test('o envio pausa-se e continua no terminal, e desiste-se das notas da fila depois de se ver quantas são', async (t) => {
  const { provedor, fatura, nfcom } = await povoar();
  await terminal.malha(nfcom('comecar', '--inscricao-estadual', '0623079040081'));
  await terminal.json(nfcom('emitir', '--faturas', fatura));
  t.is((await terminal.malha(nfcom('pausar', '--porque', 'alíquota errada'))).codigo, 0);
  t.regex((await terminal.malha(nfcom('pausar'))).stderr, /já está pausado/);
  t.regex((await terminal.malha(nfcom('autorizadores'))).stdout, /Pausado desde .*: alíquota errada/);
  t.deepEqual(await terminal.json(nfcom('descartar-fila', '--de', '2020-01-01')), { esperam: 1, descartadas: 0 });
  t.is((await api.dono('nfcom').where({ provedor_id: provedor }).first()).situacao, 'pendente');
  t.deepEqual(await terminal.json(nfcom('descartar-fila', '--situacao', 'processando', '--confirmar')), {
    esperam: 0,
    descartadas: 0,
  });
  t.deepEqual(await terminal.json(nfcom('descartar-fila', '--confirmar')), { esperam: 1, descartadas: 1 });
  t.like(await api.dono('nfcom').where({ provedor_id: provedor }).first(), {
    motivo_codigo: 'descartada',
    etapa: null,
  });
  t.is((await terminal.malha(nfcom('continuar'))).codigo, 0);
  const acoes = await api.dono('auditoria').where({ provedor_id: provedor }).orderBy('id').pluck<string[]>('acao');
  t.deepEqual(acoes.slice(-3), ['nfcom.fila_pausada', 'nfcom.descartadas', 'nfcom.fila_continuada']);
});
