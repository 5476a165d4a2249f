import test from 'ava';
import * as fc from 'fast-check';
import { toDatabaseTime } from '../../../src/platform/mysql/database.ts';
import type { TipoDeCampo } from '../../../src/surfaces/panel/formulario/leitura.ts';
import type { Acao } from '../../../src/surfaces/panel/rota.ts';
import { ROTAS } from '../../../src/surfaces/panel/rotas.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import type { PessoaNoPainel } from '../../support/painel.ts';
import { quanto } from '../../support/prova.ts';
import { enderecoDe, povoar } from './povoado.ts';
import type { Povoado } from './povoado.ts';

/** Posts of all forms together; a session may send 600 in a minute. */
const ENVIOS = quanto(400, 10_000);
const POR_SESSAO = 500;

/** What a form may be answered; 303 goes on, 200 asks for proof or shows what was made. */
const DOCUMENTADOS = [200, 303, 400, 403, 404, 409, 413, 422];

/** Left out: what ends the session that posts, and the way in, whose tries are limited. */
const FORA = /^\/(?:sair$|entrar|esqueci|senha\/|convite\/|conta\/senha|conta\/sessoes)/;

const formas = ROTAS.filter((rota): rota is Acao => rota.metodo === 'POST' && !FORA.test(rota.caminho));

const ESTRANHOS = [
  '',
  ' ',
  '0',
  '-1',
  '1e9',
  '9'.repeat(40),
  '<b>x</b>',
  "' OR 1=1 --",
  '\u0001',
  '🙂',
  'á'.repeat(6000),
  '2026-02-30',
];
const PLAUSIVEIS = [
  '1',
  '99,90',
  '1.234,56',
  '2026-12-10',
  'Maria da Silva',
  '35999990001',
  'sim',
  '529.982.247-25',
  'maria@exemplo.com.br',
];

const texto = fc.oneof(
  fc.constantFrom(...ESTRANHOS),
  fc.constantFrom(...PLAUSIVEIS),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.integer().map(String),
);

const valorDe = (tipo: TipoDeCampo): fc.Arbitrary<string | readonly string[]> =>
  tipo === 'lista' ? fc.array(texto, { maxLength: 4 }) : texto;

const envio = fc.constantFrom(...formas).chain((rota) =>
  fc.record({
    rota: fc.constant(rota),
    campos: fc.record(Object.fromEntries(Object.entries(rota.campos).map(([nome, tipo]) => [nome, valorDe(tipo)])), {
      requiredKeys: [],
    }),
    // Seldom: a field that the form has not is refused before all others are read.
    estranho: fc.oneof({ weight: 19, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: texto }),
  }),
);

let api: Api;
let povoado: Povoado;
test.before(async () => {
  api = await criarApi();
  povoado = await povoar(api);
});
test.after.always(async () => api.fechar());

/** What changes whatever is answered: when a session was last seen, and what somebody was shown. */
const DE_QUALQUER_PEDIDO = ['painel_sessoes', 'acessos_a_dados'];

/** What is in each table, in one number. */
async function retrato(): Promise<ReadonlyMap<string, string>> {
  const [tabelas = []] = await api.dono.raw<{ nome: string }[][]>(
    "SELECT TABLE_NAME AS nome FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'BASE TABLE'",
  );
  const nomes = tabelas.map(({ nome }) => nome).filter((nome) => !DE_QUALQUER_PEDIDO.includes(nome));
  const [somas = []] = await api.dono.raw<{ Table: string; Checksum: string | number | null }[][]>(
    `CHECKSUM TABLE ${nomes.map(() => '??').join(', ')}`,
    nomes,
  );
  return new Map(somas.map(({ Table, Checksum }) => [Table.slice(Table.indexOf('.') + 1), String(Checksum)]));
}

test('qualquer formulário é respondido como está escrito, e o que é recusado não deixa nada', async (t) => {
  t.timeout(30 * 60_000);
  let enviados = 0;
  const entrar = async (): Promise<PessoaNoPainel> => {
    const pessoa = await entrarNoPainel(api, povoado.provedorId);
    // As somebody who has just proved who he is; otherwise each form that asks for it would only ask.
    const agora = toDatabaseTime(new Date());
    await api.dono('painel_sessoes').where({ usuario_id: pessoa.usuarioId }).update({ provada_em: agora });
    return pessoa;
  };
  let quem = await entrar();
  // The house's key of pushes is made when somebody first sees his account, also as the answer to a refused form.
  await quem.get('/conta');
  let antes = await retrato();
  const vistos = new Map<number, number>();
  const property = fc.asyncProperty(envio, async ({ rota, campos, estranho }) => {
    if (enviados % POR_SESSAO === POR_SESSAO - 1) {
      quem = await entrar();
      antes = await retrato();
    }
    enviados += 1;
    const ditos = Object.entries({ ...campos, ...(estranho === null ? {} : { estranho }) });
    const dados = Object.fromEntries(ditos.flatMap(([nome, valor]) => (valor === undefined ? [] : [[nome, valor]])));
    const { status, texto: pagina } = await quem.post(enderecoDe(rota, povoado), dados);
    vistos.set(status, (vistos.get(status) ?? 0) + 1);
    if (!DOCUMENTADOS.includes(status)) throw new Error(`${rota.caminho}: ${status} ${pagina.slice(0, 400)}`);
    const depois = await retrato();
    const mudadas = [...depois].filter(([tabela, soma]) => antes.get(tabela) !== soma).map(([tabela]) => tabela);
    antes = depois;
    const recusado = status >= 400 || pagina.includes('Confirme que é você');
    if (recusado && mudadas.length > 0)
      throw new Error(`${rota.caminho}: ${status}, and it wrote ${mudadas.join(', ')}`);
  });
  await fc.assert(property, { numRuns: ENVIOS, endOnFailure: true, includeErrorInReport: true });
  t.log(Object.fromEntries(vistos));
  t.true((vistos.get(303) ?? 0) > 0);
});
