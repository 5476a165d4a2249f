import test from 'ava';
import { criarDevedor } from '../../domain/faturas/apoio.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { SENHA_DO_PAINEL, entrarNoPainel } from '../../support/painel.ts';
import { relogioEm } from '../../support/relogio.ts';

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.beforeEach(() => relogio.definir('2026-11-20T15:00:00.000Z'));
test.after.always(async () => api.fechar());

const lido = (texto: string): string =>
  texto
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('\u00A0', ' ')
    .replace(/\s+/g, ' ');
const EM = '/configuracoes/cobranca';
const REGRAS = {
  multa: '2,00',
  juros: '1,00',
  carencia: '0',
  tolerancia_pix: '1',
  aviso_dias: '3',
  desbloqueio: 'sim',
  desbloqueio_dias: '3',
};

async function cenario() {
  const a = await criarDevedor(api);
  const pessoa = await entrarNoPainel(api, a.provedor);
  const regras = async () => (await a.linhas('regras_cobranca').clearOrder())[0];
  return { a, pessoa, regras };
}

test('o exemplo segue o que se digita, e diz de quantas faturas muda o valor de hoje', async (t) => {
  const { a, pessoa, regras } = await cenario();
  await a.fatura();
  const antes = await regras();
  const pagina = await pessoa.get(EM);
  t.regex(lido(pagina.texto), /Multa R\$ 2,00 Juros R\$ 0,33 A pagar R\$ 102,23/);
  t.regex(lido(pagina.texto), /não muda o valor de hoje de nenhuma fatura/);
  const outras = await pessoa.get(`${EM}/efeito?multa=1,50&juros=0,5&carencia=0`, { 'HX-Request': 'true' });
  t.regex(lido(outras.texto), /Multa R\$ 1,50 Juros R\$ 0,17 A pagar R\$ 101,57/);
  t.regex(lido(outras.texto), /muda o valor de hoje de 1 fatura vencida/);
  t.notRegex(outras.texto, /<html/);
  t.regex((await pessoa.get(`${EM}/efeito?multa=50&juros=1&carencia=0`)).texto, /Preencha multa/);
  t.deepEqual(await regras(), antes);
});

test('nada é salvo antes de se dizer quantas faturas mudam; o que não vale é dito ao lado do campo', async (t) => {
  const { a, pessoa, regras } = await cenario();
  await a.fatura();
  const errada = await pessoa.post(EM, { ...REGRAS, multa: '2,01', carencia: '' });
  t.is(errada.status, 422);
  t.regex(errada.texto, /id="campo-multa-falta"/);
  t.regex(errada.texto, /id="campo-carencia-falta"/);
  t.regex(errada.texto, /value="2,01"/);
  const novas = { ...REGRAS, multa: '1,00' };
  const avisada = await pessoa.post(EM, novas);
  t.is(avisada.status, 200);
  t.regex(lido(avisada.texto), /Nada foi salvo ainda. Isto muda o valor de hoje de 1 fatura vencida/);
  t.is((await regras()).multa_percentual, '2.00');
  t.is((await pessoa.post(EM, { ...novas, visto: '1' })).status, 303);
  t.like(await regras(), { multa_percentual: '1.00', desbloqueio_habilitado: 1, desbloqueio_dias: 3 });
  const juros = await pessoa.post(EM, { ...novas, juros: '1,50', visto: '1' });
  t.is(juros.status, 422);
  t.regex(juros.texto, /id="campo-confirmar_juros-falta"/);
  const semDesbloqueio: Record<string, string> = { ...novas, juros: '1,50', confirmar_juros: 'sim', visto: '1' };
  delete semDesbloqueio['desbloqueio'];
  t.is((await pessoa.post(EM, semDesbloqueio)).status, 303);
  t.like(await regras(), { juros_mensal_percentual: '1.50', desbloqueio_habilitado: 0 });
});

test('quando a fatura se anuncia também se diz aqui, e não muda o valor de nenhuma', async (t) => {
  const { a, pessoa, regras } = await cenario();
  await a.fatura();
  t.regex((await pessoa.get(EM)).texto, /value="3"[^>]*name="aviso_dias"/);
  t.is((await pessoa.post(EM, { ...REGRAS, aviso_dias: '31' })).status, 422);
  t.is((await pessoa.post(EM, { ...REGRAS, aviso_dias: '7' })).status, 303);
  t.is((await regras()).aviso_dias, 7);
  const [linha] = await a.linhas('auditoria').where('acao', 'provedor.configurado');
  t.true(JSON.stringify(linha.dados).includes('aviso_dias'));
});

test('quem diz quem recebe prova antes que é ele; uma conta nasce, vira a padrão e é desativada', async (t) => {
  const { a, pessoa } = await cenario();
  const conta = {
    nome: 'Banco Dois',
    pix_chave: 'dois@malha.test',
    pix_nome: 'Serra Azul',
    pix_cidade: 'Pouso Alegre',
  };
  relogio.avancar(11 * 60_000);
  const pergunta = await pessoa.post(`${EM}/contas/nova`, conta);
  t.regex(pergunta.texto, /Confirme que é você/);
  t.is((await a.linhas('cobradores')).length, 1);
  const criada = await pessoa.post(`${EM}/contas/nova`, { ...conta, _senha: SENHA_DO_PAINEL });
  t.is(criada.status, 303);
  const [primeira, segunda] = await a.linhas('cobradores');
  t.like(segunda, { nome: 'Banco Dois', pix_chave: 'dois@malha.test', padrao: 0 });
  const errada = await pessoa.post(`${EM}/contas/${segunda.id}`, { ...conta, pix_chave: 'nada disso' });
  t.is(errada.status, 422);
  t.regex(errada.texto, /id="campo-pix_chave-falta"/);
  const recusada = await pessoa.post(`${EM}/contas/${primeira.id}/desativar`);
  t.is(recusada.status, 422);
  t.is((await pessoa.post(`${EM}/contas/${segunda.id}/padrao`)).status, 303);
  t.is((await pessoa.post(`${EM}/contas/${primeira.id}/desativar`)).status, 303);
  t.like(await api.dono('cobradores').where({ id: primeira.id }).first(), { ativo: 0, padrao: 0 });
  t.regex(lido((await pessoa.get(EM)).texto), /Banco Dois.*Padrão/);
  const alheia = await cenario();
  t.is((await alheia.pessoa.get(`${EM}/contas/${segunda.id}`)).status, 404);
  t.is((await alheia.pessoa.post(`${EM}/contas/${segunda.id}/padrao`)).status, 404);
});

test('um feriado do provedor entra e sai; um dia que não há é recusado ao lado do campo', async (t) => {
  const { a, pessoa } = await cenario();
  const errado = await pessoa.post(`${EM}/feriados`, { dia: '31/02', nome: 'Nada' });
  t.is(errado.status, 422);
  t.regex(errado.texto, /id="campo-dia-falta"/);
  t.is((await pessoa.post(`${EM}/feriados`, { dia: '19/03', nome: 'Aniversário' })).status, 303);
  t.regex(lido((await pessoa.get(`${EM}/feriados`)).texto), /19\/03, todo ano Aniversário/);
  t.is((await pessoa.post(`${EM}/feriados/remover`, { dia: '03-19' })).status, 303);
  t.deepEqual(await a.linhas('provedores_feriados').clearOrder(), []);
});

test('só quem pode mudar a cobrança abre estas telas', async (t) => {
  const { a } = await cenario();
  for (const perfil of ['financeiro', 'atendimento', 'tecnico'] as const) {
    const outro = await entrarNoPainel(api, a.provedor, perfil);
    for (const caminho of [EM, `${EM}/efeito`, `${EM}/contas/nova`, `${EM}/feriados`]) {
      t.is((await outro.get(caminho)).status, 403, `${perfil} ${caminho}`);
    }
    t.is((await outro.post(EM, REGRAS)).status, 403);
  }
});
