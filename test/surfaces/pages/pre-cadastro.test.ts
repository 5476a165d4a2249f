import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { toText } from '../../../src/platform/metrics/snapshot.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { enviarCru } from '../../support/cru.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { lerMedidas } from '../../support/metricas.ts';
import { CADASTRO_CERTO, criarPagina, faltasDe, marcaDe } from '../../support/pre-cadastro.ts';
import { relogioEm } from '../../support/relogio.ts';

const DIA_MS = 86_400_000;
const FORMULARIO = { 'content-type': 'application/x-www-form-urlencoded' };

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
let pagina: ReturnType<typeof criarPagina>;
let fabrica: Fabrica;
let provedor: number;
let plano: number;
let barato: number;
let chave: string;
let registrado = '';

test.before(async () => {
  const destinoDoLog = new Writable({
    write(parte: Buffer, _codificacao, feito) {
      registrado += parte.toString();
      feito();
    },
  });
  api = await criarApi({
    relogio,
    processos: 2,
    proxies: 1,
    destinoDoLog,
    env: { MALHA_LOG: 'info', MALHA_LOG_REQUISICOES: 'sim' },
  });
  pagina = criarPagina(api);
  fabrica = criarFabrica(api.dono);
  provedor = await fabrica.provedor({ nome: 'Serra & Mar <Fibra>', panel_host: 'painel.serra.test' });
  plano = await fabrica.plano(provedor, { nome: 'Fibra 500', valor: '129.90' });
  barato = await fabrica.plano(provedor, { nome: 'Fibra 100', valor: '59.90' });
  ({ texto: chave } = await api.criarChave(provedor));
});
test.after.always(() => api.fechar());

let serie = 0;
/** An address that no other request of this file comes from: the limit is by network. */
const deAlguem = (): Record<string, string> => {
  serie += 1;
  return { 'x-forwarded-for': `198.51.${Math.floor(serie / 250)}.${(serie % 250) + 1}` };
};

async function novo(corpo: object = { plano_id: plano, dia_vencimento: 10 }) {
  const headers = deAlguem();
  const caminho = await pagina.convidar(chave, corpo);
  return { ...(await pagina.abrir(caminho, { headers })), headers };
}

/** A new invite's form, open for long enough. */
async function aberto(corpo?: object) {
  const formulario = await novo(corpo);
  relogio.avancar(60_000);
  return formulario;
}

async function conviteDe(caminho: string): Promise<any> {
  const resumo = createHash('sha256').update(caminho.slice('/pre-cadastro/'.length)).digest();
  const [linha] = await api.container.db('convites').where('token_hash', resumo);
  return linha;
}

const TABELAS = ['clientes', 'clientes_telefones', 'contratos', 'eventos', 'auditoria', 'notificacoes'];
async function contar(): Promise<Record<string, number>> {
  const contadas = await Promise.all(
    TABELAS.map(async (tabela) => {
      const [linha] = await api.container.db(tabela).where('provedor_id', provedor).count({ n: '*' });
      return [tabela, Number(linha!['n'])] as const;
    }),
  );
  return Object.fromEntries(contadas);
}

/** Holds that nothing is written meanwhile. */
async function semEscrever<T>(t: ExecutionContext, caminho: string, fazer: () => Promise<T>): Promise<T> {
  const antes = [await contar(), await conviteDe(caminho)];
  const feito = await fazer();
  t.deepEqual([await contar(), await conviteDe(caminho)], antes);
  return feito;
}

const porDocumento = async (documento: string, processo = 0): Promise<any> => {
  const { status, corpo } = await api.get(`/clientes?cpf_cnpj=${encodeURIComponent(documento)}`, { chave, processo });
  if (status !== 200) throw new Error(JSON.stringify(corpo));
  return corpo.dados;
};

test.serial('o formulário vem com os cabeçalhos que o guardam, e nada de outro host', async (t) => {
  const { resposta, cookie } = await novo();
  t.is(resposta.status, 200);
  t.like(resposta.headers, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex, nofollow',
  });
  t.truthy(resposta.headers['x-request-id']);
  const politica = String(resposta.headers['content-security-policy']).split('; ');
  for (const regra of ["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"]) {
    t.true(politica.includes(regra), regra);
  }
  t.false(
    politica.some((regra) => /unsafe|\*|https?:/.test(regra)),
    politica.join(),
  );
  for (const elemento of ['style', 'script']) {
    const conteudo = new RegExp(`<${elemento}>([^]*?)</${elemento}>`).exec(resposta.texto)![1]!;
    const resumo = createHash('sha256').update(conteudo).digest('base64');
    t.true(politica.includes(`${elemento}-src 'sha256-${resumo}'`), elemento);
  }
  t.notRegex(resposta.texto, /(?:src|href|action)="(?:https?:|\/\/)/);
  t.notRegex(resposta.texto, / on\w+=| style=/);
  t.regex(cookie, /^malha-formulario=[\w-]{22}$/);
  t.is(String(resposta.headers['set-cookie']), `${cookie}; Path=/; HttpOnly; SameSite=Strict`);
  t.true(resposta.texto.includes('<title>Pré-cadastro · Serra &amp; Mar &lt;Fibra&gt;</title>'));
  t.false(resposta.texto.includes('<Fibra>'));
});

test.serial(
  'um cadastro certo vira um cliente em pré-cadastro, com telefones, endereço e o plano desejado',
  async (t) => {
    const formulario = await aberto({ plano_id: plano, dia_vencimento: 30 });
    const { headers } = formulario;
    const campos = {
      ...CADASTRO_CERTO,
      nome: '  Maria   José da\tSilva ',
      telefone2: '+55 (35) 3299-0001',
      complemento: 'Casa 2',
      // The invite carries both: what is sent is ignored, as are fields that the form does not have.
      plano: String(barato),
      vencimento: '3',
      situacao: 'ativo',
    };
    t.deepEqual(await porDocumento('52998224725', 1), []);
    const resposta = await pagina.postar(formulario, campos, { headers });
    t.is(resposta.status, 303);
    t.is(resposta.headers.location, formulario.caminho);
    t.is(resposta.texto, '');

    // The other process knows at once.
    const [cliente, ...outros] = await porDocumento('529.982.247-25', 1);
    t.deepEqual(outros, []);
    const endereco = {
      cep: '37130001',
      logradouro: 'Rua das Acácias',
      numero: '120',
      complemento: 'Casa 2',
      bairro: 'Centro',
      cidade: 'Alfenas',
      uf: 'MG',
    };
    t.like(cliente, {
      nome: 'Maria José da Silva',
      nome_fantasia: null,
      tipo: 'pf',
      cpf_cnpj: '52998224725',
      email: 'maria@exemplo.com.br',
      telefones: ['35999990001', '3532990001'],
      situacao: 'pre_cadastro',
      data_nascimento: '1990-12-31',
      criado_em: relogio.agora().toISOString(),
      endereco,
    });
    t.is(cliente.contratos.length, 1);
    t.like(cliente.contratos[0], {
      situacao: 'pendente',
      conexao: 'desconhecido',
      login: null,
      tipo_cobranca: 'pos_pago',
      dia_vencimento: 30,
      valor: 129.9,
      ativado_em: null,
      plano: { id: plano, nome: 'Fibra 500', download_mbps: 500, upload_mbps: 250 },
      endereco_instalacao: endereco,
    });
    t.is((await api.get(`/contratos/${cliente.contratos[0].id}`, { chave })).status, 200);

    const convite = await conviteDe(formulario.caminho);
    t.like(convite, { situacao: 'usado', cliente_id: cliente.id });
    t.is(convite.usado_em, relogio.agora().toISOString().slice(0, 23).replace('T', ' '));
    const onde = { provedor_id: provedor, recurso_id: cliente.id };
    const eventos = await api.container.db('eventos').where({ ...onde, tipo: 'cliente.pre_cadastrado' });
    t.is(eventos.length, 1);
    const auditoria = await api.container.db('auditoria').where({ ...onde, acao: 'cliente.pre_cadastrado' });
    t.is(auditoria.length, 1);
    const ip = headers['x-forwarded-for'];
    t.like(auditoria[0], { recurso: 'cliente', autor: 'pré-cadastro', chave_id: null, ip });
    for (const { dados } of [eventos[0], auditoria[0]]) {
      t.deepEqual(typeof dados === 'string' ? JSON.parse(dados) : dados, {
        convite: convite.id,
        contrato: cliente.contratos[0].id,
        plano,
      });
    }
    const avisos = await api.container.db('notificacoes').where(onde);
    t.is(avisos.length, 1);
    t.like(avisos[0], { tipo: 'cliente.pre_cadastrado', origem: 'pagina', recurso: 'cliente', lida_em: null });

    const depois = await pagina.pedir(formulario.caminho, { headers });
    t.is(depois.status, 200);
    t.true(depois.texto.includes('Cadastro recebido'));
    for (const pessoal of ['Maria', '52998224725', 'Acácias', '99999', 'maria@']) {
      t.false(depois.texto.includes(pessoal), pessoal);
    }
  },
);

test.serial(
  'sem plano nem dia no convite, quem se cadastra escolhe; uma empresa de CNPJ alfanumérico também',
  async (t) => {
    const inativo = await fabrica.plano(provedor, { nome: 'Antigo', ativo: 0 });
    const formulario = await aberto({});
    const { headers } = formulario;
    t.true(formulario.resposta.texto.includes('Fibra 100') && !formulario.resposta.texto.includes('Antigo'));
    const campos = {
      ...CADASTRO_CERTO,
      nome: 'Serra Ltda.',
      documento: '12.abc.345/01de-35',
      email: '',
      nascimento: 'x',
    };
    const alheio = await fabrica.plano(await fabrica.provedor());
    for (const escolha of ['', String(inativo), String(alheio), '0', ` ${barato}x`, `0${barato}`]) {
      const { status, texto } = await pagina.postar(
        formulario,
        { ...campos, plano: escolha, vencimento: '29' },
        { headers },
      );
      t.is(status, 422);
      t.deepEqual(Object.keys(faltasDe(texto)), ['plano', 'vencimento'], escolha);
    }
    const escolhido = { ...campos, plano: String(barato), vencimento: '28' };
    t.is((await pagina.postar(formulario, escolhido, { headers })).status, 303);
    const [cliente] = await porDocumento('12.ABC.345/01DE-35');
    t.like(cliente, { tipo: 'pj', cpf_cnpj: '12ABC34501DE35', data_nascimento: null, email: null });
    t.deepEqual(cliente.telefones, ['35999990001']);
    t.like(cliente.contratos[0], { dia_vencimento: 28, valor: 59.9 });
    t.is(cliente.contratos[0].plano.id, barato);
  },
);

const RUINS: Readonly<Record<string, readonly string[]>> = {
  nome: ['', '  ', 'Zé', '123', 'M'.repeat(161), 'Ana\u0007Maria', '\u200b\u200b\u200b\u200b', '\u3164\u3164\u3164'],
  documento: ['', '529.982.247-26', '111.111.111-11', '5299822472', '12ABC34501DE36', '1234567890123A', 'ABCDEFGHIJK'],
  nascimento: ['31/02/2000', '20/11/2026', '21/11/2026', '31/12/1890', '1990', 'ontem', '31/12/90', '1990-13-01'],
  telefone: [
    '',
    '999990001',
    '(20) 99999-0001',
    '(35) 89999-0001',
    '(35) 1299-0001',
    '+1 212 555 0100',
    'liga pro vizinho',
  ],
  telefone2: ['3599999', '00 0000-0000'],
  email: [
    'maria',
    'maria@',
    '@exemplo.com',
    'maria@exemplo',
    'ma ria@exemplo.com',
    'a@b..com',
    `${'a'.repeat(250)}@b.co`,
  ],
  cep: ['', '3713000', '371300011', '00000-000', 'abcde-fgh'],
  logradouro: ['', 'R'.repeat(161)],
  numero: ['', '1'.repeat(21)],
  complemento: ['C'.repeat(81)],
  bairro: ['', 'B'.repeat(81)],
  cidade: ['', 'C'.repeat(81)],
  uf: ['', 'XX', 'mg', 'Minas Gerais'],
  consentimento: ['', 'nao', 'on'],
};
test.serial('cada campo errado é nomeado, só ele; o que se digitou fica, e nada é escrito', async (t) => {
  const formulario = await aberto();
  await semEscrever(t, formulario.caminho, async () => {
    for (const [campo, ruins] of Object.entries(RUINS)) {
      for (const ruim of ruins) {
        const headers = deAlguem();
        const resposta = await pagina.postar(formulario, { ...CADASTRO_CERTO, [campo]: ruim }, { headers });
        const onde = `${campo}: ${ruim}`;
        t.is(resposta.status, 422, onde);
        t.deepEqual(Object.keys(faltasDe(resposta.texto)), [campo], onde);
        t.true(resposta.texto.includes(`<a href="#${campo}">`), onde);
        t.regex(resposta.texto, new RegExp(`id="${campo}"[^>]*aria-invalid="true"`), onde);
        t.true(resposta.texto.includes('<title>Erro: '), onde);
        t.is(marcaDe(resposta.texto), formulario.marca, 'a marca, e o tempo desde ela, continuam');
        for (const [outro, valor] of Object.entries(CADASTRO_CERTO)) {
          if (['uf', 'consentimento', campo].includes(outro)) continue;
          t.true(resposta.texto.includes(`name="${outro}"`) && resposta.texto.includes(`value="${valor}"`), onde);
        }
      }
    }
  });
  const tudo = await pagina.postar(formulario, {}, { headers: deAlguem() });
  const obrigatorios = Object.entries(RUINS).filter(([, ruins]) => ruins.includes(''));
  t.deepEqual(Object.keys(faltasDe(tudo.texto)).toSorted(), obrigatorios.map(([campo]) => campo).toSorted());
});

const BONS: readonly (readonly [campos: Record<string, string>, esperado: object])[] = [
  [{ documento: '11.222.333/0001-81' }, { tipo: 'pj', cpf_cnpj: '11222333000181', data_nascimento: null }],
  [
    { documento: ' 123 456 789 09 ', nascimento: '' },
    { cpf_cnpj: '12345678909', data_nascimento: null },
  ],
  [{ nascimento: '1/2/1980' }, { data_nascimento: '1980-02-01' }],
  [{ nascimento: '01021980' }, { data_nascimento: '1980-02-01' }],
  [{ nascimento: '1980-02-01' }, { data_nascimento: '1980-02-01' }],
  [{ nascimento: '19/11/2026' }, { data_nascimento: '2026-11-19' }],
  [{ telefone: '\u202a+55 35 99999-0001\u202c' }, { telefones: ['35999990001'] }],
  [{ telefone: '0 (35) 99999-0001', telefone2: '35 99999 0001' }, { telefones: ['35999990001'] }],
  [{ telefone: '55 99999-0001' }, { telefones: ['55999990001'] }],
  [{ nome: 'ç'.repeat(160) }, { nome: 'ç'.repeat(160) }],
  [{ nome: `c\u0327`.repeat(160) }, { nome: 'ç'.repeat(160) }],
  [{ nome: '👩‍🚒 Zoé D’Ávila' }, { nome: '👩🚒 Zoé D’Ávila' }],
  [{ numero: 'S/N', complemento: '' }, { endereco: { ...ENDERECO(), numero: 'S/N' } }],
];
function ENDERECO() {
  const { logradouro, bairro, cidade, uf } = CADASTRO_CERTO;
  return { cep: '37130001', logradouro, numero: '120', complemento: null, bairro, cidade, uf };
}
test.serial('o que se escreve de outro jeito, e está certo, é aceito', async (t) => {
  for (const [campos, esperado] of BONS) {
    const formulario = await aberto();
    const onde = JSON.stringify(campos);
    const { headers } = formulario;
    t.is((await pagina.postar(formulario, { ...CADASTRO_CERTO, ...campos }, { headers })).status, 303, onde);
    const { cliente_id: id } = await conviteDe(formulario.caminho);
    t.like((await api.get(`/clientes/${id}`, { chave })).corpo.dados, esperado, onde);
  }
});

test.serial('quem já é cliente se cadastra de novo: a equipe decide', async (t) => {
  const cpf_cnpj = '39053344705';
  await fabrica.cliente(provedor, { cpf_cnpj });
  t.is((await porDocumento(cpf_cnpj)).length, 1);
  const formulario = await aberto();
  const { headers } = formulario;
  t.is((await pagina.postar(formulario, { ...CADASTRO_CERTO, documento: cpf_cnpj }, { headers })).status, 303);
  t.deepEqual(
    (await porDocumento(cpf_cnpj)).map(({ situacao }: any) => situacao),
    ['ativo', 'pre_cadastro'],
  );
});

const ATAQUES = [
  '"><script>alert(1)</script>',
  "' onfocus='alert(1)' autofocus='",
  '</textarea></select><img src=x onerror=alert(1)>',
  '{{constructor.constructor("alert(1)")()}}${7*7}<%= 7*7 %>',
];
test.serial('o que se digita volta como texto, nunca como HTML', async (t) => {
  const formulario = await aberto({});
  for (const ataque of ATAQUES) {
    const campos = Object.fromEntries(
      [...Object.keys(CADASTRO_CERTO), 'plano', 'vencimento', 'marca', 'pagina_pessoal'].map((campo) => [
        campo,
        ataque,
      ]),
    );
    for (const marca of [formulario.marca, ataque]) {
      const { status, texto } = await pagina.postar(
        formulario,
        { ...campos, marca, pagina_pessoal: '' },
        { headers: deAlguem() },
      );
      t.is(status, marca === ataque ? 403 : 422);
      t.false(texto.includes(ataque));
      t.is(texto.split('<script>').length, 2, 'só o nosso');
      t.false(texto.includes('<img'));
      t.true(
        texto.includes(
          ataque
            .replaceAll('&', '&amp;')
            .replaceAll('<', '&lt;')
            .replaceAll('>', '&gt;')
            .replaceAll('"', '&quot;')
            .replaceAll("'", '&#39;'),
        ),
      );
    }
  }
});

test.serial('um envio de outro site é recusado, e não mostra o que trouxe', async (t) => {
  const formulario = await aberto();
  const deFora: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'null' },
    { origin: 'https://outro.test' },
    { origin: 'https://painel.serra.test.outro.test' },
    { origin: 'http://[::1]:3000' },
    { origin: 'qualquer coisa' },
    { 'sec-fetch-site': 'same-origin', origin: 'https://outro.test' },
  ];
  await semEscrever(t, formulario.caminho, async () => {
    for (const extra of deFora) {
      const headers = { ...deAlguem(), host: 'painel.serra.test', ...extra };
      const { status, texto } = await pagina.postar(formulario, CADASTRO_CERTO, { headers });
      t.is(status, 403, JSON.stringify(extra));
      t.false(texto.includes('Maria'));
      t.true(texto.includes(`<a href="${formulario.caminho}">`));
    }
  });
});

test.serial('um envio da própria página é aceito, com o que cada navegador diz dele', async (t) => {
  const daqui: Record<string, string>[] = [
    // Ours, which sends no Referer.
    { 'sec-fetch-site': 'same-origin', origin: 'null' },
    { 'sec-fetch-site': 'same-origin', origin: 'https://painel.serra.test' },
    { origin: 'https://painel.serra.test:8443' },
    { origin: 'HTTPS://PAINEL.SERRA.TEST' },
    { origin: 'null' },
    {},
  ];
  for (const extra of daqui) {
    const formulario = await aberto();
    const headers = { ...formulario.headers, host: 'painel.serra.test', ...extra };
    t.is((await pagina.postar(formulario, CADASTRO_CERTO, { headers })).status, 303, JSON.stringify(extra));
  }
});

test.serial('sem a marca e o cookie do mesmo navegador e do mesmo link, nada é aceito e nada se perde', async (t) => {
  const formulario = await aberto();
  const outro = await novo();
  const trocas: Record<string, Partial<typeof formulario>> = {
    'sem cookie': { cookie: '' },
    'cookie de outro navegador': { cookie: outro.cookie },
    'cookie malformado': { cookie: 'malha-formulario=x' },
    'sem marca': { marca: '' },
    'marca de outro link': { marca: outro.marca, cookie: outro.cookie },
    'marca com outra hora': { marca: formulario.marca.replace(/^\d+/, '1000000000000') },
    'marca cortada': { marca: formulario.marca.slice(0, -1) },
    'outro cookie além do prefixo': { cookie: formulario.cookie.replace('malha', '__Host-malha') },
  };
  relogio.avancar(60_000);
  for (const [caso, troca] of Object.entries(trocas)) {
    const headers = deAlguem();
    const resposta = await semEscrever(t, formulario.caminho, async () =>
      pagina.postar({ ...formulario, ...troca }, CADASTRO_CERTO, { headers }),
    );
    t.is(resposta.status, 403, caso);
    t.true(resposta.texto.includes('value="Maria José da Silva"'), caso);
    t.true(resposta.texto.includes('permita cookies'), caso);
  }
  const semCookie = await pagina.postar({ ...formulario, cookie: '' }, CADASTRO_CERTO, { headers: deAlguem() });
  const refeito = {
    ...formulario,
    marca: marcaDe(semCookie.texto),
    cookie: String(semCookie.headers['set-cookie']).split(';')[0]!,
  };
  relogio.avancar(3000);
  t.is((await pagina.postar(refeito, CADASTRO_CERTO, { headers: deAlguem() })).status, 303, 'a marca nova serve');
});

test.serial('dois formulários abertos no mesmo navegador valem os dois', async (t) => {
  const primeiro = await novo();
  const caminho = await pagina.convidar(chave, { plano_id: plano, dia_vencimento: 1 });
  const segundo = await pagina.abrir(caminho, { headers: { ...deAlguem(), cookie: primeiro.cookie } });
  t.is(segundo.cookie, primeiro.cookie);
  relogio.avancar(60_000);
  for (const formulario of [primeiro, segundo]) {
    t.is((await pagina.postar(formulario, CADASTRO_CERTO, { headers: deAlguem() })).status, 303);
  }
});

test.serial('por TLS, dito pelo proxy, o cookie é __Host- e Secure', async (t) => {
  const caminho = await pagina.convidar(chave, { plano_id: plano, dia_vencimento: 1 });
  const tls = { ...deAlguem(), 'x-forwarded-proto': 'https' };
  const formulario = await pagina.abrir(caminho, { headers: tls });
  t.regex(
    String(formulario.resposta.headers['set-cookie']),
    /^__Host-malha-formulario=[\w-]{22}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  );
  relogio.avancar(60_000);
  t.is(
    (await pagina.postar(formulario, CADASTRO_CERTO, { headers: { ...deAlguem() } })).status,
    403,
    'sem TLS não é lido',
  );
  t.is((await pagina.postar(formulario, CADASTRO_CERTO, { headers: tls })).status, 303);
});

test.serial('o campo que só robôs preenchem: o formulário volta com o que se digitou, e nada é escrito', async (t) => {
  const formulario = await aberto();
  const { headers } = formulario;
  const campos = { ...CADASTRO_CERTO, pagina_pessoal: 'https://spam.test' };
  const resposta = await semEscrever(t, formulario.caminho, async () => pagina.postar(formulario, campos, { headers }));
  t.is(resposta.status, 422);
  t.true(resposta.texto.includes('value="Maria José da Silva"'));
  t.false(resposta.texto.includes('spam.test'));
  t.is((await pagina.postar(formulario, CADASTRO_CERTO, { headers })).status, 303);
});

test.serial('depressa demais: o formulário volta com o que se digitou, e em 3 s o mesmo envio é aceito', async (t) => {
  const formulario = await novo();
  const { headers } = formulario;
  relogio.avancar(2999);
  const resposta = await semEscrever(t, formulario.caminho, async () =>
    pagina.postar(formulario, CADASTRO_CERTO, { headers }),
  );
  t.is(resposta.status, 422);
  t.true(resposta.texto.includes('depressa demais'));
  t.true(resposta.texto.includes('value="Maria José da Silva"'));
  t.is(marcaDe(resposta.texto), formulario.marca);
  relogio.avancar(1);
  t.is((await pagina.postar(formulario, CADASTRO_CERTO, { headers })).status, 303);
});

test.serial('um convite vencido o diz, desde o seu último instante, e não aceita cadastro', async (t) => {
  const formulario = await aberto({ plano_id: plano, dia_vencimento: 10, validade_dias: 1 });
  const { caminho, headers } = formulario;
  relogio.avancar(DIA_MS - 60_000 - 1);
  t.is((await pagina.pedir(caminho, { headers })).status, 200);
  relogio.avancar(1);
  for (const processo of [0, 1]) {
    const resposta = await pagina.pedir(caminho, { headers, processo });
    t.is(resposta.status, 410);
    t.true(resposta.texto.includes('Este link venceu'));
  }
  const envio = await semEscrever(t, caminho, async () => pagina.postar(formulario, CADASTRO_CERTO, { headers }));
  t.is(envio.status, 410);

  const marcado = await aberto();
  await api.container
    .db('convites')
    .where('id', (await conviteDe(marcado.caminho)).id)
    .update({ situacao: 'expirado' });
  t.is((await pagina.pedir(marcado.caminho, { headers })).status, 410);
});

test.serial('um convite usado o diz a quem volta, e não aceita outro cadastro', async (t) => {
  const formulario = await aberto();
  const { caminho, headers } = formulario;
  t.is((await pagina.postar(formulario, CADASTRO_CERTO, { headers })).status, 303);
  const depois = await semEscrever(t, caminho, async () => pagina.postar(formulario, CADASTRO_CERTO, { headers }));
  t.is(depois.status, 409);
  t.true(depois.texto.includes('Cadastro recebido'));
  relogio.avancar(30 * DIA_MS);
  t.is((await pagina.pedir(caminho, { headers })).status, 200, 'o prazo não muda o que já foi recebido');
});

test.serial(
  'de 50 envios simultâneos em dois processos, um é recebido e os outros sabem que o convite foi usado',
  async (t) => {
    const formulario = await aberto();
    const antes = await contar();
    const estados = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const campos = { ...CADASTRO_CERTO, nome: `Pessoa ${'ab'[i % 2]}`, telefone2: '(35) 3299-0001' };
        return (await pagina.postar(formulario, campos, { headers: deAlguem(), processo: i % 2 })).status;
      }),
    );
    t.deepEqual(
      estados.toSorted((a, b) => a - b),
      [303, ...Array.from({ length: 49 }, () => 409)],
    );
    const depois = await contar();
    t.deepEqual(Object.fromEntries(TABELAS.map((tabela) => [tabela, depois[tabela]! - antes[tabela]!])), {
      clientes: 1,
      clientes_telefones: 2,
      contratos: 1,
      eventos: 1,
      auditoria: 1,
      notificacoes: 1,
    });
  },
);

test.serial('um link desconhecido, ou aberto no host de outro provedor, é 404', async (t) => {
  await fabrica.provedor({ panel_host: 'painel.outro.test' });
  const formulario = await aberto();
  const { caminho, headers } = formulario;
  const certo = caminho.slice('/pre-cadastro/'.length);
  const outroFim = certo.endsWith('A') ? 'E' : 'A';
  for (const errado of [
    '/pre-cadastro',
    '/pre-cadastro/',
    '/pre-cadastro/x',
    `/pre-cadastro/${certo.slice(0, -1)}${outroFim}`,
    `/pre-cadastro/${certo.toLowerCase().toUpperCase()}`,
    `${caminho}/`,
    `${caminho}/x`,
    `${caminho}%00`,
    '/pre-cadastro/%ff%fe',
    `/pre-cadastro/${'a'.repeat(5000)}`,
    "/pre-cadastro/'%20OR%201=1",
  ]) {
    const resposta = await pagina.pedir(errado, { headers });
    t.is(resposta.status, 404, errado);
    t.true(resposta.texto.includes('Link não encontrado'), errado);
  }
  const alheio = { ...headers, host: 'painel.outro.test' };
  t.is((await pagina.pedir(caminho, { headers: alheio })).status, 404);
  t.is(
    (await semEscrever(t, caminho, async () => pagina.postar(formulario, CADASTRO_CERTO, { headers: alheio }))).status,
    404,
  );
  for (const host of ['painel.serra.test', 'PAINEL.serra.test:443', 'localhost:3000', '10.0.0.1', 'de-ninguem.test']) {
    t.is((await pagina.pedir(caminho, { headers: { ...headers, host } })).status, 200, host);
  }
  t.is((await pagina.pedir(`${caminho}?utm_source=whatsapp`, { headers })).status, 200);
  t.is((await pagina.pedir('/pre-cadastros', { headers: deAlguem() })).status, 401, 'o que não é página é da API');
});

test.serial('HEAD responde como GET sem corpo, e outros métodos são 405', async (t) => {
  const { caminho, headers } = await novo();
  const cabeca = await pagina.pedir(caminho, { metodo: 'HEAD', headers });
  t.is(cabeca.status, 200);
  t.is(cabeca.texto, '');
  for (const metodo of ['PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE']) {
    const resposta = await pagina.pedir(caminho, { metodo, headers });
    t.is(resposta.status, 405, metodo);
    t.is(resposta.headers['allow'], 'GET, HEAD, POST');
  }
});

test.serial('um corpo que não é um formulário é 400, e nada é escrito', async (t) => {
  const formulario = await aberto();
  const certo = new URLSearchParams({ marca: formulario.marca, ...CADASTRO_CERTO }).toString();
  const casos: Record<string, [tipo: string | null, corpo: string | Buffer, extra?: Record<string, string>]> = {
    'sem tipo': [null, certo],
    JSON: ['application/json', JSON.stringify(CADASTRO_CERTO)],
    texto: ['text/plain', certo],
    'várias partes': [
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="nome"\r\n\r\nA\r\n--x--',
    ],
    'outro conjunto de caracteres': ['application/x-www-form-urlencoded; charset=iso-8859-1', certo],
    comprimido: [FORMULARIO['content-type'], certo, { 'content-encoding': 'gzip' }],
    'escape cortado': [FORMULARIO['content-type'], `${certo}&x=%4`],
    'escape que não é hexadecimal': [FORMULARIO['content-type'], `${certo}&x=%zz`],
    'bytes que não são UTF-8': [FORMULARIO['content-type'], Buffer.from(`${certo}&x=\xff`, 'latin1')],
    'escape que não é UTF-8': [FORMULARIO['content-type'], `${certo}&x=%ff%fe`],
    'substituto solto': [FORMULARIO['content-type'], `${certo}&x=%ED%A0%80`],
    'caractere nulo': [FORMULARIO['content-type'], `${certo}&x=a%00b`],
    'campo repetido': [FORMULARIO['content-type'], `${certo}&nome=Outro`],
    'mais de 64 KiB': [FORMULARIO['content-type'], `${certo}&x=${'a'.repeat(65_536)}`],
    vazio: [null, ''],
  };
  for (const [caso, [tipo, corpo, extra = {}]] of Object.entries(casos)) {
    const headers = {
      ...deAlguem(),
      cookie: formulario.cookie,
      ...(tipo === null ? {} : { 'content-type': tipo }),
      ...extra,
    };
    const resposta = await semEscrever(t, formulario.caminho, async () =>
      pagina.pedir(formulario.caminho, { metodo: 'POST', headers, corpo }),
    );
    t.is(resposta.status, 400, caso);
    t.true(resposta.texto.includes(`<a href="${formulario.caminho}">`), caso);
  }
  const quaseGrande = `${certo}&x=${'a'.repeat(65_536 - certo.length - 3)}`;
  const headers = { ...deAlguem(), cookie: formulario.cookie, ...FORMULARIO };
  t.is((await pagina.pedir(formulario.caminho, { metodo: 'POST', headers, corpo: quaseGrande })).status, 303);
});

test.serial('sem Host não há página, e um alvo absoluto é do host do alvo', async (t) => {
  const { caminho } = await novo();
  const cru = async (inicio: string): Promise<number | undefined> =>
    (await enviarCru(api.porta, Buffer.from(`${inicio}\r\nx-forwarded-for: 203.0.113.9\r\nconnection: close\r\n\r\n`)))
      ?.status;
  t.is(await cru(`GET ${caminho} HTTP/1.1`), 400);
  t.is(await cru(`GET ${caminho} HTTP/1.0`), 200);
  t.is(await cru(`GET http://painel.serra.test${caminho} HTTP/1.1\r\nhost: painel.outro.test`), 200);
  t.is(await cru(`GET http://painel.outro.test${caminho} HTTP/1.1\r\nhost: painel.serra.test`), 404);
});

test.serial('depois de 60 pedidos por minuto de uma rede, 429 com Retry-After; as outras seguem', async (t) => {
  const { caminho } = await novo();
  const headers = deAlguem();
  const pedir = async (processo: number) => pagina.pedir(caminho, { headers, processo });
  const respostas = await Promise.all(Array.from({ length: 70 }, async (_, i) => pedir(i % 2)));
  t.is(respostas.filter(({ status }) => status === 200).length, 60);
  const [recusada] = respostas.filter(({ status }) => status === 429);
  t.regex(String(recusada!.headers['retry-after']), /^\d+$/);
  t.true(recusada!.texto.includes('Muitas tentativas'));
  t.is((await pagina.pedir(caminho, { headers: deAlguem() })).status, 200);
  // What the page counts is not what the API counts.
  t.is((await api.get('/planos', { chave, headers })).status, 200);
});

test.serial('um plano que saiu de venda: o do convite é honrado; o escolhido na página, não', async (t) => {
  const prometido = await fabrica.plano(provedor, { nome: 'Prometido', valor: '10.00' });
  const comPlano = await aberto({ plano_id: prometido, dia_vencimento: 10 });
  const semPlano = await aberto({ dia_vencimento: 10 });
  await api.dono('planos').where('id', prometido).update({ ativo: 0 });
  const escolha = { ...CADASTRO_CERTO, plano: String(prometido) };
  const { texto } = await pagina.postar(semPlano, escolha, { headers: semPlano.headers });
  t.deepEqual(Object.keys(faltasDe(texto)), ['plano']);
  t.is((await pagina.postar(comPlano, CADASTRO_CERTO, { headers: comPlano.headers })).status, 303);
  const { cliente_id: id } = await conviteDe(comPlano.caminho);
  t.is((await api.get(`/clientes/${id}`, { chave })).corpo.dados.contratos[0].plano.nome, 'Prometido');
});

test.serial('sem plano à venda, a página diz com quem falar', async (t) => {
  const vazio = await fabrica.provedor({ nome: 'Sem Planos' });
  const { texto } = await api.criarChave(vazio);
  const caminho = await pagina.convidar(texto);
  const resposta = await pagina.pedir(caminho, { headers: deAlguem() });
  t.is(resposta.status, 200);
  t.true(resposta.texto.includes('Não há planos para escolher'));
  t.is((await pagina.pedir(caminho, { metodo: 'POST', headers: deAlguem() })).status, 409);
});

test.serial(
  'uma falha ao gravar devolve o que se digitou; nem ela nem nada do que passou pela página está no log',
  async (t) => {
    const formulario = await aberto();
    const { headers } = formulario;
    await api.dono.raw('RENAME TABLE notificacoes TO notificacoes_fora');
    const resposta = await pagina.postar(formulario, CADASTRO_CERTO, {
      headers: { ...headers, 'x-request-id': 'falha-1' },
    });
    await api.dono.raw('RENAME TABLE notificacoes_fora TO notificacoes');
    t.is(resposta.status, 500);
    t.is(resposta.headers['x-request-id'], 'falha-1');
    t.true(resposta.texto.includes('value="Maria José da Silva"'));
    t.is((await conviteDe(formulario.caminho)).situacao, 'aberto');
    t.is((await pagina.postar(formulario, CADASTRO_CERTO, { headers })).status, 303);

    await api.dono.raw('RENAME TABLE convites TO convites_fora');
    const quebrada = await pagina.pedir(formulario.caminho, { headers: { ...headers, 'x-request-id': 'falha-2' } });
    await api.dono.raw('RENAME TABLE convites_fora TO convites');
    t.is(quebrada.status, 500);
    t.true(quebrada.texto.includes('Algo deu errado do nosso lado'));
    t.notRegex(quebrada.texto, /convites_fora|ER_|select /i);

    t.true(registrado.includes('falha-1') && registrado.includes('falha-2'));
    t.true(registrado.includes('"rota":"POST /pre-cadastro/{token}","status":303'));
    const token = formulario.caminho.slice('/pre-cadastro/'.length);
    for (const pessoal of [token, 'Maria', '52998224725', '529.982', '99999', '198.51.', 'maria@']) {
      t.false(registrado.includes(pessoal), pessoal);
    }
  },
);

test.serial('as métricas contam a página pelo padrão da rota', async (t) => {
  const medidas = lerMedidas(await toText(await api.container.metrics.snapshot()));
  const contagem = (rota: string, status: number): number =>
    medidas.get(`malha_http_request_duration_seconds_count{route="${rota}",status="${status}"}`) ?? 0;
  t.true(contagem('GET /pre-cadastro/{token}', 200) > 0);
  t.true(contagem('POST /pre-cadastro/{token}', 303) > 0);
  t.true(contagem('POST /pre-cadastro/{token}', 422) > 0);
  t.false([...medidas.keys()].some((nome) => /pre-cadastro\/[\w-]{20}/.test(nome)));
});
