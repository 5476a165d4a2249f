import test from 'ava';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { urlDoDono } from '../../support/banco.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

let api: Api;
let fabrica: ReturnType<typeof criarFabrica>;
// MySQL says by its own clock when a row changed; the service's tells the day.
const relogio = relogioEm(new Date().toISOString());
test.before(async () => {
  api = await criarApi({ relogio });
  fabrica = criarFabrica(api.dono);
});
test.beforeEach(() => relogio.definir(new Date().toISOString()));
test.after.always(() => api.fechar());

const MINUTO = 60_000;
const ANTIGO = '2026-01-01 00:00:00.000';
const haMinutos = (minutos: number): string => new Date(Date.now() - minutos * MINUTO).toISOString();

async function cenario() {
  const provedor = await fabrica.provedor();
  const plano = await fabrica.plano(provedor);
  const cliente = await fabrica.cliente(provedor);
  const telefone = await fabrica.telefone(provedor, { cliente_id: cliente });
  const contrato = await fabrica.contrato(provedor, { cliente_id: cliente, plano_id: plano });
  const emDia = { cliente_id: cliente, contrato_id: contrato, vencimento: '2030-01-10' };
  const fatura = await fabrica.fatura(provedor, { ...emDia, atualizado_em: ANTIGO });
  const chamado = await fabrica.chamado(provedor, { cliente_id: cliente, atualizado_em: ANTIGO });
  await api.dono('clientes_alteracoes').where({ provedor_id: provedor }).update({ alterado_em: ANTIGO });
  await api.dono('regras_cobranca').where({ provedor_id: provedor }).update({ atualizado_em: ANTIGO });
  const { texto: chave } = await api.criarChave(provedor);
  return { provedor, plano, cliente, telefone, contrato, fatura, chamado, chave };
}
type Cenario = Awaited<ReturnType<typeof cenario>>;

let pedidos = 0;
/** Ids that a list gives of what changed since; asked for as nobody asked before, so that no answer is an older one. */
async function mudados({ chave }: Cenario, lista: string, desde: string, filtro = ''): Promise<number[]> {
  pedidos += 1;
  const { corpo } = await api.get(`/${lista}?atualizado_desde=${desde}${filtro}${'&'.repeat(pedidos)}`, { chave });
  const ids = corpo.dados.map(({ id }: { id: number }) => id);
  if (corpo.paginacao.total !== ids.length) throw new Error(JSON.stringify(corpo.paginacao));
  return ids;
}

/** What makes a client's answer another, by whoever writes it. */
const MUDANCAS: Readonly<Record<string, (c: Cenario) => Promise<unknown>>> = {
  'o cadastro': ({ cliente }) => api.dono('clientes').where('id', cliente).update({ email: 'novo@example.com' }),
  'um telefone a mais': ({ provedor, cliente }) => fabrica.telefone(provedor, { cliente_id: cliente }),
  'um telefone outro': ({ telefone }) =>
    api.dono('clientes_telefones').where('id', telefone).update({ numero: '35988880000' }),
  'um telefone a menos': ({ telefone }) => api.dono('clientes_telefones').where('id', telefone).delete(),
  'um contrato a mais': ({ provedor, cliente, plano }) =>
    fabrica.contrato(provedor, { cliente_id: cliente, plano_id: plano }),
  'um contrato bloqueado': ({ contrato }) =>
    api.dono('contratos').where('id', contrato).update({ situacao: 'bloqueado' }),
  'o plano': ({ plano }) => api.dono('planos').where('id', plano).update({ nome: 'Outro nome' }),
  'um desbloqueio': ({ provedor, contrato }) =>
    fabrica.desbloqueio(provedor, { contrato_id: contrato, ate: '2030-01-01 00:00:00.000' }),
};

for (const [nome, mudar] of Object.entries(MUDANCAS)) {
  test.serial(`/clientes: muda com ${nome}`, async (t) => {
    const dados = await cenario();
    const outro = await fabrica.cliente(dados.provedor);
    await api.dono('clientes_alteracoes').where({ id: outro }).update({ alterado_em: ANTIGO });
    t.deepEqual(await mudados(dados, 'clientes', haMinutos(0)), []);
    await mudar(dados);
    t.deepEqual(await mudados(dados, 'clientes', haMinutos(0)), [dados.cliente]);
    t.deepEqual(await mudados(dados, 'clientes', haMinutos(0), '&situacao=ativo'), [dados.cliente]);
    t.deepEqual(await mudados(dados, 'clientes', haMinutos(0), '&situacao=cancelado'), []);
    t.deepEqual(await mudados(dados, 'clientes', haMinutos(0), '&cpf_cnpj=52998224725'), [dados.cliente]);
  });
}

test.serial('/clientes: o estado da conexão sozinho não conta', async (t) => {
  const dados = await cenario();
  await fabrica.conexao(dados.provedor, { contrato_id: dados.contrato, ouvida_em: '2026-11-20 10:00:00.000' });
  t.deepEqual(await mudados(dados, 'clientes', haMinutos(0)), []);
});

test.serial('/faturas e /chamados: mudam com o que se grava nelas, com qualquer filtro', async (t) => {
  const dados = await cenario();
  const { fatura, chamado, cliente } = dados;
  for (const lista of ['faturas', 'chamados']) t.deepEqual(await mudados(dados, lista, haMinutos(0)), []);
  await api.dono('faturas').where('id', fatura).update({ valor_pago: '1.00' });
  await api.dono('chamados').where('id', chamado).update({ prioridade: 'alta' });
  for (const filtro of ['', '&situacao=aberta', '&vencimento_de=2030-01-01', `&cliente_id=${cliente}`]) {
    t.deepEqual(await mudados(dados, 'faturas', haMinutos(0), filtro), [fatura], filtro);
  }
  for (const filtro of ['', '&situacao=em_aberto', `&cliente_id=${cliente}`]) {
    t.deepEqual(await mudados(dados, 'chamados', haMinutos(0), filtro), [chamado], filtro);
  }
  t.deepEqual(await mudados(dados, 'faturas', haMinutos(0), '&situacao=paga'), []);
});

test.serial('o que mudou até cinco minutos antes vem de novo, e o que mudou antes não', async (t) => {
  const dados = await cenario();
  const ha = (minutos: number): string => haMinutos(minutos).slice(0, 23).replace('T', ' ');
  for (const [minutos, vem] of [
    [4, true],
    [6, false],
  ] as const) {
    await api
      .dono('faturas')
      .where('id', dados.fatura)
      .update({ atualizado_em: ha(minutos) });
    await api
      .dono('clientes_alteracoes')
      .where('id', dados.cliente)
      .update({ alterado_em: ha(minutos) });
    t.deepEqual(await mudados(dados, 'faturas', haMinutos(0)), vem ? [dados.fatura] : []);
    t.deepEqual(await mudados(dados, 'clientes', haMinutos(0)), vem ? [dados.cliente] : []);
  }
});

for (const fuso_horario of ['America/Sao_Paulo', 'America/Noronha', 'America/Rio_Branco', 'America/Manaus']) {
  test.serial(`/faturas: a que venceu muda a cada meia-noite local (${fuso_horario})`, async (t) => {
    const dados = await cenario();
    await api.dono('provedores').where('id', dados.provedor).update({ fuso_horario });
    await api.dono('regras_cobranca').where({ provedor_id: dados.provedor }).update({ atualizado_em: ANTIGO });
    await api.dono('faturas').where('id', dados.fatura).update({ vencimento: '2026-11-10', atualizado_em: ANTIGO });
    const meiaNoite = { Sao_Paulo: '03', Noronha: '02', Rio_Branco: '05', Manaus: '04' }[fuso_horario.slice(8)]!;
    const as = (dia: number, hora: string): string => `2026-11-${dia}T${hora}:00.000Z`;
    const antes = as(11, `${String(Number(meiaNoite) - 1).padStart(2, '0')}:30`);
    const depois = as(11, `${meiaNoite}:30`);
    // Still the due date, by the provider's clock.
    relogio.definir(as(11, `${String(Number(meiaNoite) - 1).padStart(2, '0')}:59`));
    t.deepEqual(await mudados(dados, 'faturas', antes), []);
    relogio.definir(as(11, `${meiaNoite}:01`));
    t.deepEqual(await mudados(dados, 'faturas', antes), [dados.fatura]);
    t.deepEqual(await mudados(dados, 'faturas', antes, '&situacao=vencida'), [dados.fatura]);
    t.deepEqual(await mudados(dados, 'faturas', antes, '&situacao=pendente'), []);
    relogio.definir(as(11, '23:00'));
    t.deepEqual(await mudados(dados, 'faturas', depois), []);
    relogio.definir(as(12, `${meiaNoite}:01`));
    t.deepEqual(await mudados(dados, 'faturas', depois), [dados.fatura]);
  });
}

test.serial('/faturas: o que o provedor diz de si muda todas as abertas', async (t) => {
  for (const mudar of [
    async (id: number) =>
      api.dono('regras_cobranca').where('provedor_id', id).update({ juros_mensal_percentual: '3.00' }),
    async (id: number) =>
      api
        .dono('provedores')
        .where('id', id)
        .update({ panel_host: `novo${id}.malha.test` }),
    async (id: number) => api.dono('provedores_identidade').insert({ provedor_id: id, uf: 'SP' }),
    async (id: number) =>
      api.dono('provedores_feriados').insert({ provedor_id: id, dia: '03-19', nome: 'Aniversário' }),
  ]) {
    const dados = await cenario();
    await fabrica.fatura(dados.provedor, {
      cliente_id: dados.cliente,
      situacao: 'paga',
      atualizado_em: ANTIGO,
    });
    await mudar(dados.provedor);
    t.deepEqual(await mudados(dados, 'faturas', haMinutos(0)), [dados.fatura]);
  }
});

test.serial('o que deixou de existir está na lista dos removidos, do seu provedor', async (t) => {
  const [dados, alheio] = [await cenario(), await cenario()];
  const so = await fabrica.cliente(dados.provedor);
  await api.dono('faturas').where('id', dados.fatura).delete();
  await api.dono('chamados').where('id', dados.chamado).delete();
  await api.dono('clientes').where('id', so).delete();
  await api.dono('faturas').where('id', alheio.fatura).delete();
  for (const [lista, id] of Object.entries({ faturas: dados.fatura, chamados: dados.chamado, clientes: so })) {
    t.deepEqual(await mudados(dados, `${lista}/removidos`, haMinutos(0)), [id]);
    const depois = new Date(Date.now() + 10 * MINUTO).toISOString();
    t.deepEqual(await mudados(dados, `${lista}/removidos`, depois), []);
  }
  const { corpo } = await api.get('/clientes', { chave: dados.chave });
  t.is(corpo.paginacao.total, 1);
});

test.serial('o que estava gravado e não confirmado quando a leitura começou vem na seguinte', async (t) => {
  const dados = await cenario();
  const trx = await api.dono.transaction();
  await trx('faturas').where('id', dados.fatura).update({ descricao: 'em curso' });
  await trx('clientes').where('id', dados.cliente).update({ email: 'em@curso.com' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  const inicio = haMinutos(0);
  t.deepEqual(await mudados(dados, 'faturas', inicio), []);
  await trx.commit();
  t.deepEqual(await mudados(dados, 'faturas', inicio), [dados.fatura]);
  t.deepEqual(await mudados(dados, 'clientes', inicio), [dados.cliente]);
});

test.serial('instantes extremos são respondidos, e o que não é um instante é recusado', async (t) => {
  const dados = await cenario();
  for (const desde of [
    '1900-01-01T00:00:00+23:59',
    '9999-12-31T23:59:59.999-23:59',
    '2026-11-20T10:00:00.123456789Z',
  ]) {
    for (const lista of ['clientes', 'faturas', 'chamados', 'clientes/removidos']) {
      const { status } = await api.get(`/${lista}?atualizado_desde=${encodeURIComponent(desde)}`, {
        chave: dados.chave,
      });
      t.is(status, 200, `${lista} ${desde}`);
    }
  }
  const { status, corpo } = await api.get('/faturas?atualizado_desde=ontem', { chave: dados.chave });
  t.is(status, 400);
  t.regex(corpo.erro.mensagem, /atualizado_desde/);
});

const ESCRITORES = 50;
const ESCRITAS = 20;

test.serial(`com ${ESCRITORES} escritores, quem lê tudo e depois o que mudou tem o que o banco tem`, async (t) => {
  t.timeout(120_000);
  const dados = await cenario();
  const { provedor, cliente, contrato } = dados;
  const quantos = Array.from({ length: 400 }, (_, n) => n);
  const clientes: number[] = [];
  const faturas: number[] = [];
  const chamados: number[] = [];
  for (const n of quantos) {
    clientes.push(await fabrica.cliente(provedor, { nome: `Cliente ${n}` }));
    faturas.push(
      await fabrica.fatura(provedor, { cliente_id: cliente, contrato_id: contrato, vencimento: '2030-01-10' }),
    );
    chamados.push(await fabrica.chamado(provedor, { cliente_id: cliente }));
  }
  const db = createDatabase({ url: urlDoDono(api.databaseUrl), pool: ESCRITORES });
  t.teardown(() => db.destroy());
  const outra = criarFabrica(db);
  const um = <T>(de: readonly T[]): T => de[Math.floor(Math.random() * de.length)]!;

  async function escrever(quem: number): Promise<void> {
    for (let n = 0; n < ESCRITAS; n += 1) {
      const valor = `${quem}-${n}`;
      await um([
        async () => db('clientes').where('id', um(clientes)).update({ nome: valor }),
        async () =>
          db('clientes_telefones').insert({ provedor_id: provedor, cliente_id: um(clientes), numero: '35999990002' }),
        async () =>
          db('faturas')
            .where('id', um(faturas))
            .update({ situacao: um(['paga', 'pendente', 'cancelada']), descricao: valor }),
        async () =>
          db('chamados')
            .where('id', um(chamados))
            .update({ situacao: um(['aberto', 'solucionado']), solucao: valor }),
        async () => outra.fatura(provedor, { cliente_id: cliente, emitida_em: '2026-11-02 09:00:00.000' }),
        async () => outra.cliente(provedor, { nome: valor }),
        async () => db('faturas').where('id', um(faturas)).delete(),
        async () =>
          db.transaction(async (trx) => {
            await trx('faturas')
              .where('id', um(faturas))
              .update({ descricao: `devagar ${valor}` });
            await new Promise((resolve) => setTimeout(resolve, Math.random() * 50));
          }),
      ])();
    }
  }

  type Linha = { id: number };
  async function lerTudo(chave: string, lista: string, filtro = ''): Promise<Linha[]> {
    const linhas: Linha[] = [];
    for (let pagina = 1; ; pagina += 1) {
      const { corpo } = await api.get(`/${lista}?por_pagina=50&pagina=${pagina}${filtro}`, { chave });
      linhas.push(...corpo.dados);
      if (corpo.dados.length < 50) return linhas;
    }
  }
  const porId = (linhas: readonly Linha[]) => new Map(linhas.map((linha) => [linha.id, linha]));
  const LISTAS = ['clientes', 'faturas', 'chamados'] as const;

  const inicio = new Date().toISOString();
  const copia = new Map<string, Map<number, Linha>>();
  await Promise.all([
    ...Array.from({ length: ESCRITORES }, (_, quem) => escrever(quem)),
    (async () => {
      for (const lista of LISTAS) copia.set(lista, porId(await lerTudo(dados.chave, lista)));
    })(),
  ]);
  for (const lista of LISTAS) {
    const minha = copia.get(lista)!;
    for (const linha of await lerTudo(dados.chave, lista, `&atualizado_desde=${inicio}`)) minha.set(linha.id, linha);
    for (const { id } of await lerTudo(dados.chave, `${lista}/removidos`, `&atualizado_desde=${inicio}`))
      minha.delete(id);
    const { texto: outraChave } = await api.criarChave(provedor);
    const agora = porId(await lerTudo(outraChave, lista));
    t.true(agora.size > 300);
    t.deepEqual(
      [...minha.values()].toSorted((a, b) => a.id - b.id),
      [...agora.values()].toSorted((a, b) => a.id - b.id),
    );
  }
});
