import test from 'ava';
import { criarDevedor } from '../../domain/faturas/apoio.ts';
import { pix } from '../../domain/recebimentos/assinante.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import { relogioEm } from '../../support/relogio.ts';

// Of 150.00 with 2 % and 1 % a month, five centavos a day: on the 20th, ten days late, 153.50 are owed.

let api: Api;
test.before(async () => {
  api = await criarApi({ relogio: relogioEm('2026-11-20T15:00:00.000Z') });
});
test.after.always(async () => api.fechar());

async function cenario(perfil: Parameters<typeof entrarNoPainel>[2] = 'financeiro') {
  const a = await criarDevedor(api);
  const pessoa = await entrarNoPainel(api, a.provedor, perfil);
  return { a, pessoa };
}

/** What people read, without tags and runs of spaces. */
const lido = (texto: string): string =>
  texto
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('\u00A0', ' ')
    .replace(/\s+/g, ' ');

test('a lista soma o que o filtro acha, e leva de página em página sem repetir nem pular', async (t) => {
  const { a, pessoa } = await cenario();
  const { id } = await a.fatura();
  await a.fatura({ vencimento: '2026-12-10' });
  await a.fatura({ situacao: 'paga', valor_pago: '150.00', pago_em: '2026-11-09 12:00:00.000' });
  const abertas = lido((await pessoa.get('/faturas')).texto);
  t.regex(abertas, /R\$ 300,00 em aberto/);
  t.regex(abertas, /R\$ 150,00 vencido/);
  t.regex(abertas, /2 faturas/);
  const vencidas = await pessoa.get('/faturas?situacao=vencida');
  t.regex(vencidas.texto, new RegExp(`/painel/faturas/${id}"`));
  t.regex(lido(vencidas.texto), /R\$ 153,50/);
  t.regex(lido((await pessoa.get('/faturas?pago_de=2026-11-09&pago_ate=2026-11-09')).texto), /R\$ 150,00 recebido/);
  t.regex((await pessoa.get('/faturas?situacao=cancelada')).texto, /Nenhuma fatura com estes filtros/);

  for (let n = 0; n < 60; n += 1) await a.fatura({ emitida_em: '2026-10-01 09:00:00.000' });
  const vistas: string[] = [];
  for (let endereco: string | undefined = '/faturas?situacao=todas'; endereco !== undefined;) {
    const { texto } = await pessoa.get(endereco);
    vistas.push(...[...texto.matchAll(/href="\/painel\/faturas\/(\d+)"/g)].map(([, um = '']) => um));
    endereco = /href="\/painel([^"]*)">Próximos</.exec(texto)?.[1]?.replaceAll('&amp;', '&');
  }
  t.is(vistas.length, 63);
  t.is(new Set(vistas).size, 63);
});

test('a fatura mostra linha por linha como se chega ao que se deve, e por onde se paga', async (t) => {
  const { a, pessoa } = await cenario();
  const { id, txid } = await a.fatura();
  await a.avisar(pix(txid, '50.00'));
  const { texto } = await pessoa.get(`/faturas/${id}`);
  t.regex(
    lido(texto),
    /Valor da fatura R\$ 150,00 Multa R\$ 3,00 Juros até hoje R\$ 0,50 Pago por PIX em 20\/11\/2026 − R\$ 50,00 A pagar hoje R\$ 103,50/,
  );
  t.regex(texto, /<svg[^>]*aria-label="QR code do PIX"/);
  t.regex(texto, /data-copia="pix"/);
  t.regex(texto, /https:\/\/painel[^"]*\/pagar\//);
  t.regex(texto, /href="\/pagar\/[^"]+" target="_blank"/);
  t.regex(lido(texto), /Paga em parte/);
  t.is((await pessoa.get('/faturas/999999')).status, 404);
  const outro = await cenario();
  t.is((await outro.pessoa.get(`/faturas/${id}`)).status, 404);
  t.is((await outro.pessoa.post(`/faturas/${id}/cancelar`, { motivo: 'x', motivo_codigo: 'erro' })).status, 404);
});

test('registrar um recebimento quita, duas vezes o mesmo formulário é uma, e desfazer reabre', async (t) => {
  const { a, pessoa } = await cenario();
  const { id } = await a.fatura();
  const formulario = await pessoa.get(`/faturas/${id}/receber`);
  const chave = /name="chave" value="([^"]+)"/.exec(formulario.texto)?.[1] ?? '';
  t.regex(formulario.texto, /value="153,50"/);
  const errada = { forma: 'dinheiro', valor: 'dez', pago_em: '2026-11-25', observacao: 'Recibo 7', chave };
  const recusada = await pessoa.post(`/faturas/${id}/receber`, errada);
  t.is(recusada.status, 422);
  t.regex(recusada.texto, /id="campo-valor-falta"/);
  t.regex(recusada.texto, /value="Recibo 7"/);
  t.true(recusada.texto.includes(chave));
  t.is((await a.linhas('recebimentos_manuais')).length, 0);

  const certa = { forma: 'dinheiro', valor: '153,50', pago_em: '2026-11-20', chave };
  for (let n = 0; n < 2; n += 1) {
    const feita = await pessoa.post(`/faturas/${id}/receber`, certa);
    t.is(feita.status, 303);
    t.is(feita.headers['location'], `/painel/faturas/${id}?feito=salvo`);
  }
  const [baixa, ...outras] = await a.linhas('recebimentos_manuais');
  t.deepEqual(outras, []);
  t.is((await a.linhaDe(id)).situacao, 'paga');
  const outra = await a.fatura();
  const aqui = await pessoa.post(`/faturas/${outra.id}/recebimentos/${baixa.id}/desfazer`, { motivo: 'engano' });
  t.is(aqui.status, 404);
  t.is((await a.linhaDe(id)).situacao, 'paga');
  const desfazer = `/faturas/${id}/recebimentos/${baixa.id}/desfazer`;
  t.is((await pessoa.post(desfazer, {})).status, 422);
  t.is((await pessoa.post(desfazer, { motivo: 'engano' })).status, 303);
  t.is((await a.linhaDe(id)).situacao, 'vencida');
  t.regex(lido((await pessoa.get(`/faturas/${id}`)).texto), /Desfeito. engano/);
});

test('o recebimento com desconto quita o que falta; um desconto a mais é dito ao lado do campo e nada fica', async (t) => {
  const { a, pessoa } = await cenario();
  const { id } = await a.fatura();
  const base = { forma: 'cartao', valor: '150,00', pago_em: '2026-11-20', chave: 'a' };
  const demais = await pessoa.post(`/faturas/${id}/receber`, { ...base, desconto: '3,51' });
  t.is(demais.status, 422);
  t.regex(lido(demais.texto), /Desconto: é mais do que falta: deve R\$ 3,50/);
  t.is((await a.linhas('recebimentos_manuais')).length, 0);
  t.is((await pessoa.post(`/faturas/${id}/receber`, { ...base, desconto: '3,50' })).status, 303);
  t.like(await a.linhaDe(id), { situacao: 'paga', valor_pago: '150.00', abatido: '3.50' });
});

test('dispensar os encargos traz o desconto preenchido; o desconto se desfaz', async (t) => {
  const { a, pessoa } = await cenario();
  const { id } = await a.fatura();
  t.regex((await pessoa.get(`/faturas/${id}`)).texto, /desconto\?encargos=sim/);
  t.regex((await pessoa.get(`/faturas/${id}/desconto?encargos=sim`)).texto, /value="3,50"/);
  const dado = await pessoa.post(`/faturas/${id}/desconto`, { valor: '3,50', motivo: 'Dispensa' });
  t.is(dado.status, 303);
  t.is(await a.deve(id), 15_000);
  const [ajuste] = await a.linhas('faturas_ajustes');
  t.is((await pessoa.get(`/faturas/${id}/ajustes/${ajuste.id}/desfazer`)).status, 200);
  await pessoa.post(`/faturas/${id}/ajustes/${ajuste.id}/desfazer`, { motivo: 'engano' });
  t.is(await a.deve(id), 15_350);
});

test('uma fatura avulsa nasce do formulário, que diz o que falta e guarda o que se digitou', async (t) => {
  const { a, pessoa } = await cenario();
  t.regex((await pessoa.get('/faturas/nova')).texto, /De quem é a fatura\?/);
  t.regex((await pessoa.get(`/faturas/nova?cliente=${a.cliente}`)).texto, /Maria da Silva/);
  const dados = { cliente_id: String(a.cliente), descricao: 'Visita <b>técnica</b>', vencimento: '2026-11-01' };
  const recusada = await pessoa.post('/faturas/nova', { ...dados, valor: '1.080,00', tipo: 'boleto' });
  t.is(recusada.status, 422);
  t.regex(recusada.texto, /value="Visita &lt;b&gt;técnica&lt;\/b&gt;"/);
  t.regex(lido(recusada.texto), /Vencimento: não pode ser antes de hoje/);
  const sem = { ...dados, valor: '1.080,00', vencimento: '2026-11-30' };
  const semLinha = await pessoa.post('/faturas/nova', { ...sem, tipo: 'boleto' });
  t.regex(lido(semLinha.texto), /Linha digitável: é obrigatória/);
  const criada = await pessoa.post('/faturas/nova', { ...sem, tipo: 'pix' });
  t.is(criada.status, 303);
  const [fatura] = await a.linhas('faturas');
  t.like(fatura, { valor: '1080.00', tipo: 'pix', cliente_id: a.cliente, vencimento: '2026-11-30' });
  t.is((await pessoa.get('/faturas/nova?cliente=999999')).status, 404);
});

test('mudar o vencimento e cancelar; a que já não está aberta diz por que não', async (t) => {
  const { a, pessoa } = await cenario();
  const { id } = await a.fatura();
  await pessoa.post(`/faturas/${id}/vencimento`, { vencimento: '2026-12-05' });
  t.is((await a.linhaDe(id)).vencimento, '2026-12-05');
  t.is((await pessoa.post(`/faturas/${id}/cancelar`, { motivo_codigo: 'erro' })).status, 422);
  t.is((await pessoa.post(`/faturas/${id}/cancelar`, { motivo_codigo: 'erro', motivo: 'Em dobro' })).status, 303);
  t.is((await a.linhaDe(id)).situacao, 'cancelada');
  t.regex(lido((await pessoa.get(`/faturas/${id}`)).texto), /Cancelada: Emitida por engano. Em dobro/);
  const deNovo = await pessoa.post(`/faturas/${id}/cancelar`, { motivo_codigo: 'erro', motivo: 'Em dobro' });
  t.is(deNovo.status, 422);
  t.regex(deNovo.texto, /A fatura não está aberta/);
});

test('faturas vencidas viram parcelas, e o acordo quebrado as traz de volta', async (t) => {
  const { a, pessoa } = await cenario();
  const [uma, outra] = [await a.fatura(), await a.fatura()];
  const formulario = await pessoa.get(`/renegociacoes/nova?cliente=${a.cliente}`);
  t.regex(lido(formulario.texto), /deve hoje R\$ 307,00/);
  const dados = { cliente_id: String(a.cliente), parcelas: '2', primeiro_vencimento: '2026-12-20', liberar: 'sim' };
  const nenhuma = await pessoa.post('/renegociacoes/nova', dados);
  t.is(nenhuma.status, 422);
  t.regex(lido(nenhuma.texto), /Faturas vencidas: deve ter no mínimo 1/);
  const feito = await pessoa.post('/renegociacoes/nova', { ...dados, faturas: [String(uma.id), String(outra.id)] });
  const lugar = /^\/painel(\/renegociacoes\/\d+)\?/.exec(String(feito.headers['location']))?.[1] ?? '';
  const acordo = await pessoa.get(lugar);
  t.regex(lido(acordo.texto), /Em andamento/);
  t.is([...acordo.texto.matchAll(/Parcela \d, nº/g)].length, 2);
  t.regex(lido((await pessoa.get(`/faturas/${uma.id}`)).texto), /deu lugar às parcelas/);
  t.is((await pessoa.post(`${lugar}/quebrar`, { motivo: 'Não pagou' })).status, 303);
  t.regex(lido((await pessoa.get(lugar)).texto), /Quebrada.*Não pagou/);
  t.is((await a.linhaDe(uma.id)).situacao, 'vencida');
  const alheio = await cenario();
  t.is((await alheio.pessoa.get(lugar)).status, 404);
});

test('quem só vê não muda, e os botões não aparecem; o técnico nem vê', async (t) => {
  const { a, pessoa } = await cenario('atendimento');
  const { id } = await a.fatura();
  const { texto } = await pessoa.get(`/faturas/${id}`);
  for (const acao of ['receber', 'cancelar', 'vencimento', 'desconto']) {
    t.false(texto.includes(`/faturas/${id}/${acao}`), acao);
    t.is((await pessoa.get(`/faturas/${id}/${acao}`)).status, 403, acao);
    t.is((await pessoa.post(`/faturas/${id}/${acao}`)).status, 403, acao);
  }
  t.is((await pessoa.post('/faturas/nova')).status, 403);
  const tecnico = await entrarNoPainel(api, a.provedor, 'tecnico');
  t.is((await tecnico.get(`/faturas/${id}`)).status, 403);
  t.is((await tecnico.get('/faturas')).status, 403);
});

test('o que foi pago a mais aparece na fatura e no cliente, e abate outra fatura até o que sobrou', async (t) => {
  const { a, pessoa } = await cenario();
  const { id, txid } = await a.fatura();
  await a.avisar(pix(txid, '200.00'));
  const paga = await pessoa.get(`/faturas/${id}`);
  t.regex(lido(paga.texto), /Sobraram R\$ 46,50 do que foi pago/);
  t.regex(lido(paga.texto), /Nenhuma outra fatura dele está em aberto/);
  const { id: outra } = await a.fatura({ vencimento: '2026-12-10' });
  t.true((await pessoa.get(`/faturas/${id}`)).texto.includes(`href="/painel/faturas/${outra}/credito?de=${id}"`));
  const doCliente = await pessoa.get(`/clientes/${a.cliente}`);
  t.regex(lido(doCliente.texto), /Pago a mais R\$ 46,50/);
  t.true(doCliente.texto.includes(`href="/painel/faturas/${id}"`));

  t.true((await pessoa.get(`/faturas/${outra}`)).texto.includes(`href="/painel/faturas/${outra}/credito"`));
  const formulario = await pessoa.get(`/faturas/${outra}/credito?de=${id}`);
  t.regex(formulario.texto, new RegExp(`<option value="${id}"[^>]*selected`));
  t.regex(lido(formulario.texto), /Fatura \d+: sobraram R\$ 46,50/);
  const demais = await pessoa.post(`/faturas/${outra}/credito`, { origem: String(id), valor: '46,51' });
  t.is(demais.status, 422);
  t.regex(lido(demais.texto), /sobraram R\$ 46,50/);
  t.is((await pessoa.post(`/faturas/${outra}/credito`, { valor: '10,00', motivo: 'x' })).status, 422);
  t.is((await pessoa.post(`/faturas/${outra}/credito`, { origem: String(id) })).status, 303);
  t.is(await a.deve(outra), 10_350);
  t.regex(lido((await pessoa.get(`/faturas/${id}`)).texto), /R\$ 46,50, dos quais R\$ 46,50 viraram crédito/);
  t.notRegex(lido((await pessoa.get(`/faturas/${id}`)).texto), /Sobraram/);
  t.notRegex(lido((await pessoa.get(`/clientes/${a.cliente}`)).texto), /Pago a mais/);
});

test('o histórico de uma fatura vai de página em página', async (t) => {
  const { a, pessoa } = await cenario();
  const { id } = await a.fatura();
  const linha = { provedor_id: a.provedor, acao: 'fatura.alterada', recurso: 'fatura', recurso_id: id };
  await api.dono('auditoria').insert(
    Array.from({ length: 70 }, (_, n) => ({
      ...linha,
      autor: `Gente ${n}.`,
      ocorrido_em: '2026-11-19 12:00:00.000',
    })),
  );
  const primeira = await pessoa.get(`/faturas/${id}`);
  t.regex(primeira.texto, /Gente 69\./);
  t.notRegex(primeira.texto, /Gente 0\./);
  const proxima =
    /href="\/painel([^"]*)"[^>]*>\s*Próximos\s*</.exec(primeira.texto)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const segunda = await pessoa.get(proxima);
  t.regex(segunda.texto, /Gente 0\./);
  t.notRegex(segunda.texto, /Gente 69\./);
  t.notRegex(segunda.texto, /Próximos/);
});
