import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { comProva, entrarNoPainel } from '../../support/painel.ts';
import { relogioEm } from '../../support/relogio.ts';
import { AGORA, criarBanco } from '../../domain/boletos/apoio.ts';
import { retornoDe } from '../../domain/boletos/banco.ts';

const relogio = relogioEm(AGORA);
let api: Api;
const { cena, faturaDe, faturar, gerar, resposta } = criarBanco(() => api);

test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(async () => api.fechar());

const semProva = async (provedor: number): Promise<unknown> =>
  api.dono('painel_sessoes').where('provedor_id', provedor).update({ provada_em: null, fator_em: null });

test('o retorno só se envia depois de provar quem é; o que não se consegue aplicar tem um botão para tentar', async (t) => {
  const c = await cena('756');
  const quem = await entrarNoPainel(api, c.provedor);
  await semProva(c.provedor);
  const fatura = await faturar(c);
  await gerar(c);
  const texto = retornoDe('756', [await resposta(fatura, { movimento: '06', pago: 9990 })]);
  const arquivo = { campo: 'arquivo', nome: 'banco.ret', conteudo: Buffer.from(texto, 'latin1') };
  const antes = await quem.get('/boletos');
  t.regex(antes.texto, /Confirmar e continuar/);
  t.notRegex(antes.texto, /type="file"/);
  t.is((await quem.enviar('/boletos/retornos', arquivo)).status, 403);
  t.is((await api.dono('retornos').where('provedor_id', c.provedor)).length, 0);
  t.is((await quem.post('/boletos/confirmar')).status, 200, 'pergunta');
  t.is((await comProva(quem, '/boletos/confirmar')).status, 303);
  t.regex((await quem.get('/boletos')).texto, /type="file"/);
  t.is((await quem.enviar('/boletos/retornos', arquivo)).status, 303);

  const [{ id }] = await api.dono('retornos').where('provedor_id', c.provedor);
  const em = `/boletos/retornos/${id}`;
  t.notRegex((await quem.get(em)).texto, /Tentar agora/);
  t.is((await quem.post(`${em}/tentar`)).status, 422);
  await api.container.arquivosDeRetorno.anotarFalha({ tipo: 'tarefa', nome: 'x' } as never, c.provedor, Number(id));
  t.regex((await quem.get(em)).texto, /Não se consegue aplicar[\s\S]*Tentar agora/);
  t.regex((await quem.get('/boletos')).texto, /Não se consegue aplicar/);
  t.is((await quem.post(`${em}/tentar`)).status, 303);
  t.is((await api.dono('retornos').where('id', id).first()).falhas, 0);
  t.is((await faturaDe(fatura)).situacao, 'pendente');
});

test('quem fatura e não registra recebimentos vê os arquivos do banco, e não os envia', async (t) => {
  const c = await cena('756');
  const { perfis } = api.container;
  const perfil = (await perfis.listar(c.provedor)).find(({ deFabrica }) => deFabrica === 'financeiro');
  await perfis.alterar(TERMINAL, c.provedor, perfil?.id ?? 0, {
    permissoes: perfil?.permissoes.filter((uma) => uma !== 'faturas.baixar'),
  });
  const quem = await entrarNoPainel(api, c.provedor, 'financeiro');
  const fatura = await faturar(c);
  await gerar(c);
  const texto = retornoDe('756', [await resposta(fatura, { movimento: '06', pago: 9990 })]);
  const pagina = await quem.get('/boletos');
  t.is(pagina.status, 200);
  t.notRegex(pagina.texto, /Receber retorno/);
  const arquivo = { campo: 'arquivo', nome: 'banco.ret', conteudo: Buffer.from(texto, 'latin1') };
  t.is((await quem.enviar('/boletos/retornos', arquivo)).status, 403);
  t.is((await api.dono('retornos').where('provedor_id', c.provedor)).length, 0);
});

test('desistir de uma devolução pede prova, como pedi-la', async (t) => {
  const provedor = await criarFabrica(api.dono).provedor();
  const quem = await entrarNoPainel(api, provedor);
  const [pix] = await api.dono('pix_recebidos').insert({
    provedor_id: provedor,
    end_to_end_id: 'E00416968202612011500000000desis'.slice(0, 32),
    valor: '10.00',
    pago_em: '2026-12-01 15:00:00.000',
    criado_em: '2026-12-01 15:00:00.000',
  });
  const [id] = await api.dono('devolucoes_pedidas').insert({
    provedor_id: provedor,
    meio: 'pix',
    pix_id: pix,
    devolucao: 'f'.repeat(32),
    valor: '10.00',
    situacao: 'pedida',
    autor: 'Bia',
    pedida_em: '2026-12-01 15:00:00.000',
  });
  await semProva(provedor);
  t.is((await quem.post(`/conciliacao/devolucoes/${id}/desistir`)).status, 200, 'pergunta');
  t.is((await api.dono('devolucoes_pedidas').where('id', id).first()).situacao, 'pedida');
});

test('do que espera por uma fatura e do que se devolveu veem-se todas as páginas, e não só a primeira', async (t) => {
  const provedor = await criarFabrica(api.dono).provedor();
  const quem = await entrarNoPainel(api, provedor);
  const seguinte = (texto: string, qual: string): string =>
    new RegExp(`href="/painel([^"]*[?;&]${qual}=[^"]*)"[^>]*>Próximos`).exec(texto)?.[1]?.replaceAll('&amp;', '&') ??
    '';
  const quantas = (texto: string, de: string): number => texto.split(`href="/painel/conciliacao/${de}/`).length - 1;
  const dia = '2026-12-01 15:00:00.000';
  const dele = (n: number) => ({ provedor_id: provedor, valor: '10.00', pago_em: dia, criado_em: dia, n });
  const linhas = Array.from({ length: 60 }, (_, n) => dele(n));
  await api.dono('pix_recebidos').insert(
    linhas.map(({ n, ...linha }) => ({
      ...linha,
      end_to_end_id: `E00416968202612011500000pag${100 + n}`.padEnd(32, '0'),
    })),
  );
  const pix: number[] = await api.dono('pix_recebidos').where('provedor_id', provedor).orderBy('id').pluck('id');
  const soltos = (await quem.get('/conciliacao/sem-fatura')).texto;
  t.is(quantas(soltos, 'pix'), 50);
  const resto = await quem.get(seguinte(soltos, 'depois_pix'));
  t.is(quantas(resto.texto, 'pix'), 10);
  t.regex(resto.texto, new RegExp(`/conciliacao/pix/${pix[0]}"`));
  t.regex(resto.texto, />Anteriores</);
  t.is(seguinte(resto.texto, 'depois_pix'), '');

  const devolucoes = pix.map((pix_id, n) => ({
    provedor_id: provedor,
    meio: 'pix',
    pix_id,
    devolucao: `pag${100 + n}`.padEnd(32, '0'),
    valor: '1.00',
    situacao: 'pedida',
    autor: 'Bia',
    pedida_em: dia,
  }));
  await api.dono('devolucoes_pedidas').insert(devolucoes.slice(0, 50));
  const cheia = (await quem.get('/conciliacao/devolucoes')).texto;
  t.is(quantas(cheia, 'pix'), 50);
  t.is(seguinte(cheia, 'depois'), '', 'depois de exatamente 50 não há outra página');
  await api.dono('devolucoes_pedidas').insert(devolucoes.slice(50));
  const novas = (await quem.get('/conciliacao/devolucoes')).texto;
  t.is(quantas(novas, 'pix'), 50);
  t.is(quantas((await quem.get(seguinte(novas, 'depois'))).texto, 'pix'), 10);
});

test('a remessa que o banco recusou se diz recusada na página dela, com prova, e a lista mostra as sem resposta', async (t) => {
  const c = await cena('756');
  const quem = await entrarNoPainel(api, c.provedor);
  await semProva(c.provedor);
  const fatura = await faturar(c);
  const { id } = await gerar(c);
  const em = `/boletos/remessas/${id}`;
  t.notRegex((await quem.get(em)).texto, /O banco recusou o arquivo/);
  t.is((await comProva(quem, `${em}/baixar`)).status, 200);
  await semProva(c.provedor);
  t.regex((await quem.get(em)).texto, /O banco recusou o arquivo/);
  await api.dono('remessas').where('id', Number(id)).update({ dia: '2026-11-20' });
  t.regex((await quem.get('/boletos')).texto, /não responde a/);
  t.is((await quem.post(`${em}/recusada`)).status, 200, 'pergunta');
  t.is((await faturaDe(fatura)).boleto_situacao, 'enviado');
  t.is((await comProva(quem, `${em}/recusada`)).status, 303);
  t.is((await faturaDe(fatura)).boleto_situacao, 'a_registrar');
  t.regex((await quem.get(em)).texto, /Recusada pelo banco/);
  t.notRegex((await quem.get('/boletos')).texto, /não responde a/);
});

test('da remessa de que o banco já respondeu não se oferece dizer que ele a recusou', async (t) => {
  const c = await cena('756');
  const quem = await entrarNoPainel(api, c.provedor);
  const fatura = await faturar(c);
  const { id } = await gerar(c);
  const em = `/boletos/remessas/${id}`;
  t.is((await comProva(quem, `${em}/baixar`)).status, 200);
  t.regex((await quem.get(em)).texto, /recusada"/);
  const conteudo = Buffer.from(retornoDe('756', [await resposta(fatura, { movimento: '02' })]), 'latin1');
  const { arquivosDeRetorno } = api.container;
  const retorno = await arquivosDeRetorno.receber(TERMINAL, c.provedor, conteudo, 'banco.ret');
  await arquivosDeRetorno.processar(TERMINAL, c.provedor, retorno.id, { signal: new AbortController().signal });
  t.notRegex((await quem.get(em)).texto, /recusada"/);

  // Said all the same, as from a page that was open before: the refusal leads back to it.
  const { panelHost } = await api.container.provedores.exigirPorId(c.provedor);
  const deOnde = async (referer: string): Promise<string> => {
    const recusa = await quem.post(`${em}/recusada`, {}, { referer });
    t.is(recusa.status, 422);
    return /href="([^"]*)">Voltar/.exec(recusa.texto)?.[1] ?? 'nada';
  };
  t.is(await deOnde(`http://${panelHost}/painel${em}?feito=salvo`), `/painel${em}`);
  t.is(await deOnde(`http://outro.example/painel${em}`), 'nada');
});

test('as linhas de um retorno vão de duzentas em duzentas, e depois da última página não se oferece outra', async (t) => {
  const c = await cena('756');
  const quem = await entrarNoPainel(api, c.provedor);
  const fatura = await faturar(c);
  await gerar(c);
  const conteudo = Buffer.from(retornoDe('756', [await resposta(fatura, { movimento: '02' })]), 'latin1');
  const { arquivosDeRetorno } = api.container;
  const { id } = await arquivosDeRetorno.receber(TERMINAL, c.provedor, conteudo, 'banco.ret');
  await arquivosDeRetorno.processar(TERMINAL, c.provedor, id, { signal: new AbortController().signal });
  const [{ id: _, ...modelo }] = await api.dono('retornos_linhas').where('retorno_id', id);
  const encher = async (linhas: number): Promise<void> => {
    await api.dono('retornos_linhas').where('retorno_id', id).delete();
    await api.dono('retornos_linhas').insert(Array.from({ length: linhas }, (__, n) => ({ ...modelo, linha: n + 1 })));
  };
  const outraPagina = async (caminho = `/boletos/retornos/${id}`): Promise<string | undefined> =>
    /href="\/painel([^"]*depois=[^"]*)"/.exec((await quem.get(caminho)).texto)?.[1];
  await encher(200);
  t.is(await outraPagina(), undefined, 'cabem todas');
  await encher(201);
  const ultima = await outraPagina();
  t.is(ultima, `/boletos/retornos/${id}?depois=200`);
  t.is(await outraPagina(ultima), undefined);
});

test('rejeitados se mandam de novo todos os de um motivo, e um só pela página da fatura', async (t) => {
  const c = await cena('756');
  const quem = await entrarNoPainel(api, c.provedor);
  const faturas = [await faturar(c), await faturar(c), await faturar(c)];
  await gerar(c);
  const rejeitadas = await Promise.all(
    faturas.map(async (fatura, n) => resposta(fatura, { movimento: '03', motivos: n === 0 ? '46' : '05' })),
  );
  const conteudo = Buffer.from(retornoDe('756', rejeitadas), 'latin1');
  const { arquivosDeRetorno } = api.container;
  const { id } = await arquivosDeRetorno.receber(TERMINAL, c.provedor, conteudo, 'banco.ret');
  await arquivosDeRetorno.processar(TERMINAL, c.provedor, id, { signal: new AbortController().signal });
  const retorno = (await quem.get(`/boletos/retornos/${id}`)).texto;
  t.notRegex(retorno, /Próximos|Seguintes/, 'as linhas cabem na página');
  const tela = (await quem.get('/boletos')).texto;
  t.regex(tela, /Rejeitados pelo banco \(3\)/);
  const chave = /boletos\/rejeitados\?motivo=([0-9a-f]{16})/.exec(tela)?.[1] ?? '';
  const rejeitados = (await quem.get(`/boletos/rejeitados?motivo=${chave}`)).texto;
  t.regex(rejeitados, new RegExp(`Fatura ${faturas[1]}`));
  t.true(rejeitados.includes(`href="/painel/clientes/${(await faturaDe(faturas[1]!)).cliente_id}/editar"`));
  t.is((await quem.post('/boletos/rejeitados', { motivo: chave })).status, 303);
  t.is((await faturaDe(faturas[2]!)).boleto_situacao, 'a_registrar');
  t.regex((await quem.get(`/faturas/${faturas[0]}`)).texto, /Registrar outro boleto no banco/);
  const um = await quem.post(`/boletos/faturas/${faturas[0]}/reenviar`, { volta: 'fatura' });
  t.regex(String(um.headers['location']), new RegExp(`/faturas/${faturas[0]}`));
  t.is((await faturaDe(faturas[0]!)).boleto_situacao, 'a_registrar');
});
