import test from 'ava';
import { abrirAutoridade } from '../../../seeds/autoridade/autoridade.ts';
import { situacaoDasFilas } from '../../../src/domain/nfcom/envio/fila.queries.ts';
import type { Autoridade, Humor, Operacao } from '../../../seeds/autoridade/autoridade.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { ate } from '../../support/espera.ts';
import { SENHA, cartorio, enviarTudo, escrever, guardarPfx, provedorFiscal } from '../../support/fiscal.ts';
import type { ProvedorFiscal } from '../../support/fiscal.ts';
import { textoDoPdf } from '../../support/leitores.ts';
import { xmlsec1 } from '../../support/nfcom/juizes.ts';
import { programa } from '../../support/programas.ts';
import { relogioEm } from '../../support/relogio.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const MINUTO = 60_000;
const relogio = relogioEm(AGORA);
let api: Api;
let autoridade: Autoridade;
let humor: (operacao: Operacao, chave: string | null) => Humor = () => ({});
/** A second judge of signatures. */
let aoConferir: (xml: string) => Promise<boolean> = async () => Promise.resolve(true);
/** What each note waits for before it is judged. */
let aoReceber: (xml: string) => Promise<void> = async () => Promise.resolve();

test.before(async () => {
  // Where it has to be installed first, that takes longer than a note waits for the authority.
  await programa('xmlsec1');
  api = await criarApi({ relogio, processos: 2, env: { MALHA_REDES_PERMITIDAS: '127.0.0.1/32' } });
  autoridade = await abrirAutoridade({
    cartorio,
    agora: () => relogio.agora(),
    humor: (...pedido) => humor(...pedido),
    esquema: async (xml) => {
      await aoReceber(xml);
      return null;
    },
    assinatura: async (xml) => aoConferir(xml),
  });
});
test.after.always(async () => {
  await autoridade.fechar();
  await api.fechar();
});
test.beforeEach(() => {
  relogio.definir(AGORA);
  humor = () => ({});
  aoReceber = async () => Promise.resolve();
  aoConferir = async () => Promise.resolve(true);
});

const um = async (id: number) => api.dono('nfcom').where('id', id).first();
const enviar = async () => enviarTudo(api.container);
const fila = async (p: ProvedorFiscal) => api.dono('nfcom_filas').where('provedor_id', p.provedor).first();
const situacoes = async (p: ProvedorFiscal) => (await p.notas()).map(({ situacao }) => situacao);
async function pedirNotas(p: ProvedorFiscal, quantas: number): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < quantas; n += 1) ids.push(await p.pedir((await p.fatura()).fatura));
  return ids;
}
/** Lets notes wait at the authority until so many are there together; resolves to the most that ever were. */
function juntar(quantas: number): () => number {
  let agora = 0;
  let maior = 0;
  let soltar = (): void => {};
  const juntas = new Promise<void>((pronto) => (soltar = pronto));
  aoReceber = async () => {
    agora += 1;
    maior = Math.max(maior, agora);
    if (agora >= quantas) soltar();
    await juntas;
    agora -= 1;
  };
  return () => maior;
}

test.serial('a nota cuja montagem falha é rejeitada com o motivo, e as outras seguem', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const [antes = 0, ruim = 0, depois = 0] = await pedirNotas(p, 3);
  // No list of items: what reads it throws.
  await api.dono('nfcom').where('id', ruim).update({ finalidade: 'ajuste', pedido: '{"itens": 5}' });
  await enviar();
  t.like(await um(ruim), { situacao: 'rejeitada', motivo_codigo: 'falha_na_montagem', numero: null });
  t.regex((await um(ruim)).motivo, /não conseguiu montar/);
  t.deepEqual([(await um(antes)).numero, (await um(depois)).numero], [1, 2]);
  t.like(await fila(p), { codigo: null, parada_ate: null });

  // Alone, it may be the program's fault and not the note's: it is tried three times, a minute between them.
  await api
    .dono('nfcom')
    .where('id', ruim)
    .update({ situacao: 'pendente', etapa: 'montar', proxima_em: '2026-11-20 15:00:00' });
  for (const vez of [1, 2, 3]) {
    await enviar();
    t.is((await um(ruim)).situacao, vez === 3 ? 'rejeitada' : 'pendente', String(vez));
    relogio.avancar(2 * MINUTO);
  }
  const [seguinte = 0] = await pedirNotas(p, 1);
  await enviar();
  t.like(await um(seguinte), { situacao: 'autorizada', numero: 3 });
});

test.serial(
  'várias notas de um provedor vão ao mesmo tempo, até quantas se configurou, com os números na ordem',
  async (t) => {
    const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 4 } });
    const ids = await pedirNotas(p, 12);
    const maior = juntar(4);
    await enviar();
    t.is(maior(), 4);
    t.deepEqual(
      (await p.notas()).map(({ id, numero, situacao }) => [id, numero, situacao]),
      ids.map((id, n) => [id, n + 1, 'autorizada']),
    );
    t.like(await fila(p), { posse_ate: null });

    const q = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 1 } });
    await pedirNotas(q, 3);
    const sozinha = juntar(1);
    await enviar();
    t.is(sozinha(), 1);
  },
);

test.serial('enquanto um processo tem notas na autoridade, outro não começa outras do mesmo provedor', async (t) => {
  const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 2 } });
  await pedirNotas(p, 6);
  const [primeiro = api.container, segundo = api.container] = api.containers;
  let outras = 0;
  const maior = juntar(2);
  const juntas = aoReceber;
  aoReceber = async (xml) => {
    outras += await segundo.envioNfcom.entregar();
    await juntas(xml);
  };
  await enviarTudo(primeiro);
  await segundo.envioNfcom.terminar();
  t.deepEqual([maior(), outras], [2, 0]);
  t.true((await situacoes(p)).every((uma) => uma === 'autorizada'));
});

test.serial('o que para a fila vale, ainda que notas enviadas antes sejam autorizadas depois', async (t) => {
  const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 4 } });
  await pedirNotas(p, 8);
  let vezes = 0;
  humor = (operacao) => (operacao === 'recepcao' && (vezes += 1) === 1 ? { cStat: '678' } : {});
  // Three of the four wait until the queue was stopped.
  aoReceber = async () => {
    await ate(async () => (await fila(p)).codigo === '678');
  };
  await enviar();
  t.like(await fila(p), { codigo: '678', falhas: 1 });
  t.is((await situacoes(p)).filter((uma) => uma === 'autorizada').length, 3);
  relogio.avancar(59 * MINUTO);
  await enviar();
  t.is((await situacoes(p)).filter((uma) => uma === 'autorizada').length, 3);
  relogio.avancar(2 * MINUTO);
  aoReceber = async () => Promise.resolve();
  await enviar();
  t.true((await situacoes(p)).every((uma) => uma === 'autorizada'));
});

test.serial('sem resposta a várias ao mesmo tempo é uma falha só, e depois dela vai uma nota sozinha', async (t) => {
  const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 4 } });
  await pedirNotas(p, 4);
  humor = () => ({ perder: 'antes' });
  await enviar();
  t.like(await fila(p), { codigo: 'sem_resposta', falhas: 1 });
  relogio.avancar(MINUTO);
  const antes = await api.dono('nfcom_tentativas').where('provedor_id', p.provedor);
  await enviar();
  const depois = await api.dono('nfcom_tentativas').where('provedor_id', p.provedor);
  t.deepEqual([antes.length, depois.length], [4, 5]);
  t.like(await fila(p), { falhas: 2 });
});

test.serial(
  'vinte rejeições iguais param a fila; uma hora depois vai uma só, e quem corrigiu pode mandar seguir',
  async (t) => {
    const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 8 } });
    await pedirNotas(p, 30);
    humor = (operacao) => (operacao === 'recepcao' ? { cStat: '427' } : {});
    await enviar();
    const rejeitadas = async () => (await situacoes(p)).filter((uma) => uma === 'rejeitada').length;
    t.is(await rejeitadas(), 20);
    t.like(await fila(p), { codigo: 'rejeicoes_iguais' });
    relogio.avancar(61 * MINUTO);
    await enviar();
    t.is(await rejeitadas(), 21);
    t.like(await fila(p), { codigo: 'rejeicoes_iguais' });
    humor = () => ({});
    await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.retomar());
    t.like(await fila(p), { codigo: null, parada_ate: null, rejeicoes: 0 });
    await enviar();
    t.is((await situacoes(p)).filter((uma) => uma === 'autorizada').length, 9);
    await t.throwsAsync(
      escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.retomar()),
      { message: /não está parado/ },
    );
    // What the authority itself stopped goes on when it says so.
    await api
      .dono('nfcom_filas')
      .where('provedor_id', p.provedor)
      .update({ codigo: '678', parada_ate: '2026-11-20 20:00:00' });
    await t.throwsAsync(
      escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.retomar()),
      { message: /autoridade/ },
    );
  },
);

/** Providers of a test share a CNPJ: what one of them issues in a series is another program's to the next. */
async function serieUsada(quantas: number): Promise<number> {
  const outroPrograma = await provedorFiscal(api, autoridade);
  await pedirNotas(outroPrograma, quantas);
  await enviar();
  return Number((await outroPrograma.notas())[0].serie);
}

test.serial(
  'a série que outro programa já usou para a fila com a cura no motivo, e segue do número que se disser',
  async (t) => {
    const serie = await serieUsada(40);
    const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 8, serie } });
    const ids = await pedirNotas(p, 12);
    const enviadas = async () => {
      const todas = await api.dono('nfcom_tentativas').where({ provedor_id: p.provedor, operacao: 'envio' });
      return todas.map(({ codigo }) => String(codigo));
    };
    await enviar();
    t.deepEqual(
      await enviadas(),
      Array.from({ length: 20 }, () => '539'),
    );
    t.like(await fila(p), { codigo: 'numeros_de_outro' });
    t.regex((await fila(p)).motivo, new RegExp(`a série ${serie} já tem notas de outro programa`));

    // Nobody has mended it: one note finds that out.
    await escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.retomar());
    await enviar();
    t.is((await enviadas()).length, 21);
    t.like(await fila(p), { codigo: 'numeros_de_outro' });

    await escrever(api.container, p.provedor, async (e) => e.configuracaoNfcom.configurar({ proximo_numero: 41 }));
    await enviar();
    const notas = await p.notas();
    t.true(notas.every(({ situacao }) => situacao === 'autorizada'));
    t.deepEqual(
      notas.map(({ numero }) => Number(numero)).toSorted((a, b) => a - b),
      ids.map((_, n) => 41 + n),
    );
    t.is((await enviadas()).filter((codigo) => codigo === '539').length, 21);
    t.like(await fila(p), { codigo: null, parada_ate: null, rejeicoes: 0 });
  },
);

test.serial(
  'a série que outro programa já usou: com outra série, as notas que esperam são montadas nela',
  async (t) => {
    const serie = await serieUsada(40);
    const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 8, serie } });
    await pedirNotas(p, 10);
    await enviar();
    t.like(await fila(p), { codigo: 'numeros_de_outro' });
    await escrever(api.container, p.provedor, async (e) => e.configuracaoNfcom.configurar({ serie: 900 }));
    await enviar();
    const notas = await p.notas();
    t.true(notas.every((nota) => nota.situacao === 'autorizada' && nota.serie === 900));
    t.deepEqual(
      notas.map(({ numero }) => Number(numero)).toSorted((a, b) => a - b),
      notas.map((_, n) => n + 1),
    );
  },
);

test.serial('quem opera vê quantas notas esperam, há quanto tempo, e quantas filas estão paradas', async (t) => {
  const ver = async () => situacaoDasFilas(api.dono, relogio.agora());
  const antes = await ver();
  const p = await provedorFiscal(api, autoridade);
  humor = () => ({ cStat: '678' });
  const [id = 0] = await pedirNotas(p, 2);
  // Everything that other tests left was due later.
  await api.dono('nfcom').where('id', id).update({ proxima_em: '2026-11-20 14:00:00.000' });
  t.deepEqual(await ver(), { esperam: antes.esperam + 2, atrasoMs: 60 * MINUTO, paradas: antes.paradas });
  await enviar();
  t.like(await ver(), { esperam: antes.esperam + 2, paradas: antes.paradas + 1 });
});

test.serial('resposta que fala de outra chave não vale: pergunta-se pela chave enviada', async (t) => {
  const p = await provedorFiscal(api, autoridade);
  const [id = 0] = await pedirNotas(p, 1);
  const outra = '35260822570047000123620010000000021012345671';
  humor = () => ({ outraChave: outra });
  await enviar();
  t.like(await um(id), { situacao: 'processando', etapa: 'consultar', protocolo: null });
  relogio.avancar(5 * MINUTO);
  await enviar();
  t.like(await um(id), { situacao: 'processando', etapa: 'consultar' });
  humor = () => ({});
  relogio.avancar(11 * MINUTO);
  await enviar();
  t.is((await um(id)).situacao, 'autorizada');
  await escrever(api.container, p.provedor, async ({ nfcom }) =>
    nfcom.cancelar(id, { justificativa: 'emitida em duplicidade' }),
  );
  humor = () => ({ outraChave: outra });
  await enviar();
  t.is((await um(id)).situacao, 'autorizada');
  humor = () => ({});
  relogio.avancar(11 * MINUTO);
  await enviar();
  t.is((await um(id)).situacao, 'cancelada');
});

/** Requests of a kind that reach the authority in an hour. */
async function naHora(contada: Operacao, como: typeof humor): Promise<number> {
  let vezes = 0;
  humor = (operacao, chave) => {
    if (operacao === contada) vezes += 1;
    // Round and round it would never end.
    if (vezes > 100) throw new Error(`${contada}: mais de cem vezes`);
    return como(operacao, chave);
  };
  const fim = relogio.agora().getTime() + 60 * MINUTO;
  while (relogio.agora().getTime() < fim) {
    await enviar();
    relogio.avancar(2000);
  }
  return vezes;
}

for (const [quando, como] of Object.entries<typeof humor>({
  'sem resposta': (operacao) =>
    operacao === 'recepcao' ? { perder: 'depois' } : { outraChave: '35260822570047000123620010000000021012345671' },
  'que a autoridade diz que tem e que não tem': (operacao) => ({ cStat: operacao === 'recepcao' ? '204' : '217' }),
})) {
  test.serial(`de uma chave ${quando} pergunta-se no máximo dez vezes por hora`, async (t) => {
    const p = await provedorFiscal(api, autoridade);
    await pedirNotas(p, 1);
    const consultas = await naHora('consulta', como);
    t.true(consultas >= 5 && consultas <= 10, String(consultas));
  });
}

for (const [quando, como] of Object.entries<typeof humor>({
  'sem resposta': (operacao) => ({ perder: operacao === 'evento' ? 'depois' : 'antes' }),
  'que a autoridade diz que tem e que não tem': (operacao) => ({ cStat: operacao === 'evento' ? '631' : '100' }),
})) {
  test.serial(`de um cancelamento ${quando} pergunta-se no máximo dez vezes por hora`, async (t) => {
    const p = await provedorFiscal(api, autoridade);
    const [id = 0] = await pedirNotas(p, 1);
    await enviar();
    await escrever(api.container, p.provedor, async ({ nfcom }) =>
      nfcom.cancelar(id, { justificativa: 'emitida em duplicidade' }),
    );
    const consultas = await naHora('consulta', como);
    t.true(consultas >= 4 && consultas <= 10, String(consultas));
    t.is((await um(id)).situacao, 'autorizada');
  });
}

test.serial(
  'em contingência a nota é emitida offline, o prazo é o primeiro dia útil, e ela vai quando a autoridade responde',
  async (t) => {
    const p = await provedorFiscal(api, autoridade);
    await escrever(api.container, p.provedor, async (e) =>
      e.configuracaoNfcom.entrarEmContingencia({ justificativa: 'a autoridade não responde desde cedo' }),
    );
    const [id = 0] = await pedirNotas(p, 1);
    humor = () => ({ perder: 'antes' });
    await enviar();
    const nota = await um(id);
    t.like(nota, { situacao: 'processando', tipo_emissao: 2 });
    t.is(String(nota.chave)[34], '2');
    const xml = nota.xml_assinado.toString();
    for (const tem of [
      '<tpEmis>2</tpEmis>',
      '<dhCont>',
      '<xJust>a autoridade não responde desde cedo</xJust>',
      '&amp;sign=',
    ]) {
      t.true(xml.includes(tem), tem);
    }
    // A Friday that is a holiday.
    const pendente = async () => p.ler(async ({ configuracaoNfcom }) => configuracaoNfcom.contingenciaPendente());
    t.deepEqual(await pendente(), { notas: 1, prazo: '2026-11-23' });
    humor = () => ({});
    const disseram: (string | null)[] = [];
    aoConferir = async (recebida) => {
      disseram.push(await xmlsec1([recebida], 'infNFCom', cartorio.caPem));
      return disseram.at(-1) === null;
    };
    relogio.avancar(10 * MINUTO);
    await enviar();
    t.deepEqual(disseram, [null]);
    t.is((await um(id)).situacao, 'autorizada');
    t.is(await pendente(), null);
    const substituta = await escrever(api.container, p.provedor, async ({ nfcom }) =>
      nfcom.substituir(id, { motivo: '02' }),
    );
    await escrever(api.container, p.provedor, async (e) => e.configuracaoNfcom.sairDaContingencia());
    const [normal = 0] = await pedirNotas(p, 1);
    await enviar();
    for (const uma of [substituta, normal]) t.like(await um(uma), { situacao: 'autorizada', tipo_emissao: 1 });
  },
);

test.serial(
  'em contingência, com a autoridade parada, as notas são emitidas, têm DANFE e prazo, e vão quando ela volta',
  async (t) => {
    const p = await provedorFiscal(api, autoridade);
    const [antes = 0] = await pedirNotas(p, 1);
    humor = () => ({ cStat: '109' });
    await enviar();
    t.like(await fila(p), { codigo: '109' });
    const pedidas = await pedirNotas(p, 25);
    await enviar();
    t.is((await um(pedidas[0] ?? 0)).situacao, 'pendente');

    await escrever(api.container, p.provedor, async (e) =>
      e.configuracaoNfcom.entrarEmContingencia({ justificativa: 'a autoridade não responde desde cedo' }),
    );
    await enviar();
    const emitidas = (await p.notas()).filter(({ id }) => id !== antes);
    t.deepEqual(
      emitidas.map((nota) => [nota.situacao, nota.tipo_emissao, nota.numero]),
      pedidas.map((_, n) => ['processando', 2, n + 2]),
    );
    t.is((await api.dono('nfcom_tentativas').where('provedor_id', p.provedor)).length, 1);
    t.deepEqual(await p.ler(async (d) => d.configuracaoNfcom.contingenciaPendente()), {
      notas: 25,
      prazo: '2026-11-23',
    });
    const danfe = await p.ler(async (d) => d.danfe.pdf(pedidas[0] ?? 0));
    t.regex(await textoDoPdf(await danfe!.fazer()), /EMITIDA EM CONTINGÊNCIA/);
    t.is(await p.ler(async (d) => d.danfe.pdf(antes)), null);

    // Without a certificate nothing is issued, and it is not tried over and over.
    await escrever(api.container, p.provedor, async ({ certificadoNfcom }) => certificadoNfcom.remover());
    const [sem = 0] = await pedirNotas(p, 1);
    await enviar();
    t.like(await fila(p), { codigo: 'sem_certificado' });
    t.is((await um(sem)).situacao, 'pendente');
    await guardarPfx(api.container, p.provedor, cartorio.a1('11222333000181', 'SERRA AZUL', SENHA));

    humor = () => ({});
    relogio.avancar(4 * MINUTO);
    await enviar();
    t.deepEqual(new Set(await situacoes(p)), new Set(['autorizada']));
    t.is(await p.ler(async (d) => d.configuracaoNfcom.contingenciaPendente()), null);
  },
);

test.serial('em contingência, notas assinadas que não saem não impedem que outras sejam emitidas', async (t) => {
  const p = await provedorFiscal(api, autoridade, { configuracao: { simultaneas: 1 } });
  await escrever(api.container, p.provedor, async (e) =>
    e.configuracaoNfcom.entrarEmContingencia({ justificativa: 'a autoridade não responde desde cedo' }),
  );
  humor = () => ({ perder: 'antes' });
  await pedirNotas(p, 3);
  await enviar();
  relogio.avancar(MINUTO);
  await pedirNotas(p, 3);
  await enviar();
  t.deepEqual(
    (await p.notas()).map((nota) => [nota.situacao, nota.numero]),
    [1, 2, 3, 4, 5, 6].map((numero) => ['processando', numero]),
  );
});

test.serial('o ajuste é dos serviços que a nota disse, e não dos que o preço tem hoje', async (t) => {
  const p = await provedorFiscal(api, autoridade, { sva: '30' });
  const [id = 0] = await pedirNotas(p, 1);
  await enviar();
  // The split has changed since: all of it is one service now.
  const partes = await api.dono('nfcom_partes').where('provedor_id', p.provedor).orderBy('ordem');
  await api.dono('nfcom_partes').where('id', partes[0].id).delete();
  const ajustar = async (itens: object[]) =>
    escrever(api.container, p.provedor, async ({ nfcom }) => nfcom.ajustar(id, { itens, motivo: 'dias sem serviço' }));
  await t.throwsAsync(ajustar([{ item: 3, valor: '1.00' }]), { message: /não tem o item 3/ });
  await t.throwsAsync(ajustar([{ item: 2, valor: '29.98' }]), { message: /passa do valor do item 2/ });
  const ajuste = await ajustar([
    { item: 1, valor: '10.00' },
    { item: 2, valor: '5.00' },
  ]);
  await enviar();
  t.like(await um(ajuste), { situacao: 'autorizada', valor: '15.00' });
  const classes = (nota: { xml_assinado: Buffer }) =>
    nota.xml_assinado.toString().match(/<(?:cProd|cClass|CFOP)>[^<]+/g);
  t.deepEqual(classes(await um(ajuste)), classes(await um(id)));
});

test.serial('os ajustes devolvem cada item inteiro e não mais, também de quem retém tributos', async (t) => {
  const p = await provedorFiscal(api, autoridade, { sva: '30' });
  const { fatura, cliente } = await p.fatura();
  const retencoes = JSON.stringify({ pis: 6500, cofins: 30_000, csll: 10_000, irrf: 48_000 });
  await api.dono('nfcom_clientes').insert({ provedor_id: p.provedor, cliente_id: cliente, retencoes });
  const id = await p.pedir(fatura);
  await enviar();
  // 99.90 less what the client retains.
  t.like(await um(id), { situacao: 'autorizada', valor: '90.46' });
  const ajustar = async (...itens: [item: number, valor: string][]) =>
    escrever(api.container, p.provedor, async ({ nfcom }) =>
      nfcom.ajustar(id, { itens: itens.map(([item, valor]) => ({ item, valor })), motivo: 'dias sem serviço' }),
    );
  await ajustar([2, '20.00']);
  await t.throwsAsync(ajustar([2, '9.98']), { message: /passa do valor do item 2/ });
  await t.throwsAsync(ajustar([2, '5.00'], [2, '5.00']), { message: /passa do valor do item 2/ });
  await ajustar([1, '69.93'], [2, '9.97']);
  await t.throwsAsync(ajustar([1, '0.01']), { message: /passa do valor do item 1/ });
  await enviar();
  t.deepEqual(new Set(await situacoes(p)), new Set(['autorizada']));
});
