import test from 'ava';
import { TERMINAL } from '../../../../src/domain/actor.ts';
import { CamposInvalidos } from '../../../../src/domain/erros.ts';
import { criarApi } from '../../../support/api.ts';
import type { Api } from '../../../support/api.ts';
import { criarFabrica } from '../../../support/fabrica.ts';
import { relogioEm } from '../../../support/relogio.ts';

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());

const faltasDe = (error: unknown): string[] => (error as CamposInvalidos).faltas.map(({ campo }) => campo);

test.serial('o que a forma grava ela lê de volta, e o que lê pode ser mandado de novo sem mudar nada', async (t) => {
  const { configuracao } = api.container;
  const id = await criarFabrica(api.dono).provedor();
  const identidade = { nome: 'Serra', cor: '164A8A', cep: '37550-000', uf: 'mg', telefone: '' };
  t.deepEqual((await configuracao.configurarIdentidade(TERMINAL, id, identidade)).mudados.toSorted(), [
    'cep',
    'cor',
    'nome',
    'uf',
  ]);
  const cobranca = {
    multa: '2',
    carencia: 3,
    desbloqueio: true,
    desbloqueio_dias: '5',
    pix_chave: '',
    pix_nome: 'SERRA X',
  };
  const feito = await configuracao.configurarCobranca(TERMINAL, id, cobranca);
  t.true(feito.mudados.includes('carencia') && feito.mudados.includes('pix_nome'));
  t.true(feito.pixFalta.includes('pix_chave'));
  const { campos, temLogo } = (await configuracao.lerConfiguracao(id))!;
  t.like(campos, { nome: 'Serra', cor: '#164a8a', uf: 'MG', multa: '2,00', carencia: '3', desbloqueio: 'sim' });
  t.false(temLogo);
  const { nome, fuso, cor, multa, juros, carencia, desbloqueio, pix_nome } = campos;
  t.deepEqual((await configuracao.configurarIdentidade(TERMINAL, id, { nome, fuso, cor })).mudados, []);
  const mesma = { multa, juros, carencia, desbloqueio, pix_nome };
  t.deepEqual((await configuracao.configurarCobranca(TERMINAL, id, mesma)).mudados, []);
  t.is(await configuracao.lerConfiguracao(id + 1000), null);
});

test.serial('cada campo recusado é dito, e nada se grava', async (t) => {
  const { configuracao } = api.container;
  const id = await criarFabrica(api.dono).provedor();
  const antes = await configuracao.lerConfiguracao(id);
  const identidade = { nome: '', cor: 'azul', uf: 'XX', logo: Buffer.from('GIF89a'), site: 'exemplo.com.br' };
  t.deepEqual(faltasDe(await t.throwsAsync(configuracao.configurarIdentidade(TERMINAL, id, identidade))).toSorted(), [
    'cor',
    'logo',
    'nome',
    'uf',
  ]);
  const cobranca = { multa: '2,01', carencia: '-1', banco: '8', nome: 'x' };
  t.deepEqual(faltasDe(await t.throwsAsync(configuracao.configurarCobranca(TERMINAL, id, cobranca))).toSorted(), [
    'banco',
    'carencia',
    'multa',
    'nome',
  ]);
  t.deepEqual(await configuracao.lerConfiguracao(id), antes);
});

test.serial('juros acima de 1 % pedem confirmação uma vez, e não quando ficam como estavam', async (t) => {
  const { configuracao } = api.container;
  const id = await criarFabrica(api.dono).provedor();
  const error = await t.throwsAsync(configuracao.configurarCobranca(TERMINAL, id, { juros: '1,50' }), {
    instanceOf: CamposInvalidos,
  });
  t.deepEqual(faltasDe(error), ['confirmar_juros']);
  const sim = { juros: '1,50', confirmar_juros: true };
  t.deepEqual((await configuracao.configurarCobranca(TERMINAL, id, sim)).mudados, ['juros']);
  t.deepEqual((await configuracao.configurarCobranca(TERMINAL, id, { juros: '1,5', carencia: '1' })).mudados, [
    'carencia',
  ]);
});

test.serial('a forma que ninguém gravou ainda diz as regras por que se calcula, com as que não muda', async (t) => {
  const { configuracao } = api.container;
  const id = await criarFabrica(api.dono).provedor();
  await configuracao.configurarCobranca(TERMINAL, id, { multa: '2', juros: '1', carencia: '4' });
  t.deepEqual(await configuracao.regrasDaForma(id, { juros: '1,5', desbloqueio: 'nao' }), {
    multaPercentual: 200,
    jurosMensalPercentual: 150,
    carenciaDias: 4,
  });
  const error = await t.throwsAsync(configuracao.regrasDaForma(id, { multa: '3', carencia: 'x' }));
  t.deepEqual(faltasDe(error).toSorted(), ['carencia', 'multa']);
});
