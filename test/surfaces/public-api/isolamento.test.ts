import test from 'ava';
import { createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import { ROTAS } from '../../../src/surfaces/public-api/rotas.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { envioDeExemplo } from '../../support/exemplo.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';

let api: Api;
let chave: string;
let alheios: number[];
/** Of a contact of the other provider. */
const PROTOCOLO = '20261120000001';

/** One row of everything, every text of which names its owner. */
async function povoar(fabrica: Fabrica, provedor: number, dono: string): Promise<number[]> {
  const plano = await fabrica.plano(provedor, { nome: `plano ${dono}` });
  const cliente = await fabrica.cliente(provedor, { nome: `cliente ${dono}` });
  await fabrica.telefone(provedor, { cliente_id: cliente });
  const contrato = await fabrica.contrato(provedor, { cliente_id: cliente, plano_id: plano, login: 'mesmo.login' });
  const fatura = await fabrica.fatura(provedor, {
    cliente_id: cliente,
    contrato_id: contrato,
    descricao: `fatura ${dono}`,
  });
  const chamado = await fabrica.chamado(provedor, {
    cliente_id: cliente,
    contrato_id: contrato,
    assunto: `chamado ${dono}`,
  });
  const entrada = await fabrica.historico(provedor, { chamado_id: chamado, descricao: `historico ${dono}` });
  await createTenantWriter(api.dono, provedor).insert('atendimentos', {
    protocolo: dono === 'alheio' ? PROTOCOLO : '20261120000002',
    tipo: 'contato',
    cliente_id: cliente,
    assunto: `atendimento ${dono}`,
    aberto_em: '2026-11-01 09:00:00.000',
  });
  return [plano, cliente, contrato, fatura, chamado, entrada];
}

test.before(async () => {
  api = await criarApi();
  const fabrica = criarFabrica(api.dono);
  const [meu, outro] = [await fabrica.provedor(), await fabrica.provedor()];
  await povoar(fabrica, meu, 'meu');
  // The tables count for both tenants, so in every table the second id is the other's and we have only the first.
  alheios = await povoar(fabrica, outro, 'alheio');
  ({ texto: chave } = await api.criarChave(meu));
});
test.after.always(() => api.fechar());

for (const rota of ROTAS.filter(({ method }) => method === 'GET')) {
  const comId = rota.path.includes('{');
  test(`${rota.path}: ${comId ? 'id de outro provedor dá 404' : 'nenhuma linha de outro provedor'}`, async (t) => {
    if (comId) {
      for (const id of alheios) {
        const { status, corpo } = await api.get(
          rota.path.replace(/\{\w+\}/, (nome) => (nome === '{id}' ? String(id) : PROTOCOLO)),
          {
            chave,
          },
        );
        t.is(status, 404);
        t.is(corpo.erro.codigo, 'nao_encontrado');
      }
      return;
    }
    // Of a route that asks for a filter, the whole list is none of its answers.
    const exige = (rota.query?.minProperties ?? 0) > 0;
    const filtros = [...(exige ? [] : ['']), ...filtrosPorId(rota.query?.properties ?? {})];
    for (const filtro of filtros) {
      const { status, texto } = await api.get(`${rota.path}${filtro}`, { chave });
      t.is(status, 200);
      t.false(texto.includes('alheio'));
    }
  });
}

for (const rota of ROTAS.filter(({ method, path }) => method !== 'GET' && path.includes('{id}'))) {
  test(`${rota.method} ${rota.path}: id de outro provedor dá 404, e nada se escreve`, async (t) => {
    const { db } = api.container;
    const escritas = async () => Promise.all(['eventos', 'auditoria'].map(async (tabela) => db(tabela).count()));
    const antes = await escritas();
    // Once each: some routes bear few attempts an hour on one id.
    for (const id of new Set(alheios)) {
      const caminho = rota.path.replace('{id}', String(id));
      const { status, corpo } = await api.pedir(rota.method, caminho, { chave, ...envioDeExemplo(rota) });
      t.is(status, 404);
      t.is(corpo.erro.codigo, 'nao_encontrado');
    }
    t.deepEqual(await escritas(), antes);
  });
}

/** Every filter by an id of the route, asked with every foreign id. */
function filtrosPorId(parametros: Readonly<Record<string, unknown>>): string[] {
  const nomes = Object.keys(parametros).filter((nome) => nome.endsWith('_id'));
  const deles = nomes.flatMap((nome) => alheios.map((id) => `?${nome}=${id}`));
  return 'protocolo' in parametros ? [...deles, `?protocolo=${PROTOCOLO}`] : deles;
}
