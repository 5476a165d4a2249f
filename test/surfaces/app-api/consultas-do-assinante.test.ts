import test from 'ava';
import type { Knex } from 'knex';
import { createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { pedirAoApp } from '../../support/app-api.ts';
import type { PedirAoApp } from '../../support/app-api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { criarAssinante } from '../../domain/acessos/apoio.ts';

const relogio = relogioEm('2026-11-20T15:00:00Z');
let api: Api;
let pedir: PedirAoApp;
let um: Povoado;
let muitos: Povoado;
let milhares: Povoado;

const TABELAS =
  'planos clientes clientes_telefones contratos conexoes quedas_diarias desbloqueios_confianca avisos_de_rede avisos_de_rede_alvos provedores_nas rede_horas trafego_diario trafego_horario radacct'.split(
    ' ',
  );

test.before(async () => {
  api = await criarApi({ relogio });
  pedir = pedirAoApp(api);
  um = await povoar(1);
  muitos = await povoar(60);
  // The optimizer must choose one person's rows among those of others.
  milhares = await povoar(60, 3000);
  for (const tabela of TABELAS) await api.dono.raw('ANALYZE TABLE ??', [tabela]);
});
test.after.always(() => api.fechar());

interface Povoado {
  readonly chave: string;
  readonly token: string;
  readonly host: string;
  readonly contrato: number;
  readonly nas: string;
}

let redes = 0;

/**
 * A subscriber with `n` registrations and `n` contracts, each at a server of its own, with days of drops and of traffic, an unblock and a
 * notice each; and as many other subscribers as is said, with one contract each.
 */
async function povoar(n: number, outros = 0): Promise<Povoado> {
  const c = await criarAssinante(api);
  const { access: token } = await c.entrar();
  const { id: provedor, panelHost: host } = c.provedor;
  const tenant = createTenantWriter(api.dono, provedor);
  const gravar = async (tabela: string, linhas: readonly object[]): Promise<number[]> => {
    for (let i = 0; i < linhas.length; i += 1000) await tenant.insert(tabela, linhas.slice(i, i + 1000));
    const colunas = (await api.dono(tabela).columnInfo()) as object;
    if (!('id' in colunas)) return [];
    return api.dono(tabela).where('provedor_id', provedor).orderBy('id').pluck('id');
  };
  const cada = Array.from({ length: n }, (_, i) => i);
  const dele = await api.dono('clientes').where({ id: c.cliente }).first('cpf_cnpj');
  const clientes = await gravar('clientes', [
    ...cada.slice(1).map((i) => ({ nome: `Eu ${i}`, tipo: 'pf', situacao: 'cancelado', ...dele })),
    ...Array.from({ length: outros }, (_, i) => ({
      nome: `C${i}`,
      tipo: 'pf',
      situacao: 'ativo',
      cpf_cnpj: String(10_000_000_000 + i),
    })),
  ]);
  await gravar(
    'clientes_telefones',
    clientes.map((cliente_id, i) => ({ cliente_id, numero: `359${String(90_000_000 + i)}` })),
  );
  // Where a table has few rows, MySQL reads it whole with good reason.
  const planos = await gravar(
    'planos',
    [...cada, ...Array.from({ length: outros }, (_, i) => i)].map((_, i) => ({
      nome: `P${i}`,
      download_mbps: 1,
      upload_mbps: 1,
      valor: '1.00',
      ativo: 1,
    })),
  );
  const contratos = await gravar(
    'contratos',
    clientes.map((cliente_id, i) => ({
      cliente_id,
      plano_id: planos[i],
      situacao: 'ativo',
      login: `login${i}`,
      tipo_cobranca: 'pos_pago',
      dia_vencimento: 10,
      valor: '1.00',
      cidade: 'Alfenas',
    })),
  );
  const rede = (redes += 1);
  const enderecos = cada.map((i) => `10.${rede}.0.${i}`);
  await gravar(
    'provedores_nas',
    enderecos.map((nasipaddress) => ({ nasipaddress })),
  );
  await api.dono('nas').insert(enderecos.map((nasname) => ({ nasname, shortname: nasname, secret: 'x' })));
  await gravar(
    'conexoes',
    contratos.map((contrato_id, i) => ({ contrato_id, nas: enderecos[i % n], ouvida_em: '2026-11-20 14:59:00' })),
  );
  const desde = Array.from({ length: 30 }, (_, i) => new Date(relogio.agora().getTime() - i * 3_600_000).toISOString());
  const dias = Array.from({ length: 30 }, (_, i) => `2026-11-${String(i + 1).padStart(2, '0')}`);
  const porDia = contratos.flatMap((contrato_id) => dias.map((dia) => ({ contrato_id, dia })));
  await gravar(
    'quedas_diarias',
    porDia.map((chave) => ({ ...chave, quedas: 1 })),
  );
  const bytes = { download_bytes: 1, upload_bytes: 1 };
  await gravar(
    'trafego_diario',
    porDia.map((chave) => ({ ...chave, ...bytes })),
  );
  const porHora = enderecos.flatMap((nas) =>
    desde.map((em) => ({ nas, hora: `${em.slice(0, 13).replace('T', ' ')}:00:00` })),
  );
  await gravar(
    'trafego_horario',
    porHora.map((chave) => ({ ...chave, ...bytes })),
  );
  await gravar(
    'rede_horas',
    porHora.map((chave) => ({ ...chave, quedas: 1 })),
  );
  await gravar(
    'desbloqueios_confianca',
    contratos.map((contrato_id) => ({
      contrato_id,
      dias: 3,
      aplicado_em: '2026-11-01',
      ate: '2026-11-04',
      encerrado_em: '2026-11-04',
    })),
  );
  const avisos = await gravar(
    'avisos_de_rede',
    [...cada, ...Array.from({ length: outros }, (_, i) => i)].map((_, i) => ({
      tipo: 'interrupcao',
      titulo: `A${i}`,
      texto: 'x',
      inicio: '2026-11-01 00:00:00',
      fim: i < n ? null : '2026-11-02 00:00:00',
      criado_em: '2026-11-01 00:00:00',
      atualizado_em: '2026-11-01 00:00:00',
    })),
  );
  await gravar(
    'avisos_de_rede_alvos',
    avisos.map((aviso_id) => ({ aviso_id, tipo: 'cidade', texto: 'Alfenas' })),
  );
  for (const nasipaddress of enderecos) {
    await c.fabrica.sessao({ username: 'login0', nasipaddress, acctstarttime: '2026-11-20 10:00:00' });
  }
  const { texto: chave } = await api.criarChave(provedor);
  return { chave, token, host, contrato: contratos[0] ?? 0, nas: enderecos[0] ?? '' };
}

interface Comando {
  readonly sql: string;
  readonly bindings: readonly Knex.RawBinding[];
}

type Credencial = 'token' | 'chave';

/** What a request asks of the database that nobody kept the answer of. Tests that use it are serial, for the pool is one. */
async function comandosDe(de: Povoado, caminho: string, com: Credencial): Promise<{ comandos: Comando[]; corpo: any }> {
  const ler = async (alvo: string) =>
    pedir(
      'GET',
      alvo,
      com === 'chave'
        ? { chave: de.chave, headers: { host: de.host } }
        : { headers: { host: de.host, authorization: `Bearer ${de.token}` } },
    );
  // With the record of the credential in memory, the door asks nothing of the database.
  await ler(com === 'chave' ? '/network/topology' : '/auth/check');
  relogio.avancar(10_001);
  await ler(com === 'chave' ? '/network/topology' : '/auth/check');
  const comandos: Comando[] = [];
  const anotar = (comando: Comando): void => {
    comandos.push(comando);
  };
  api.container.db.on('query', anotar);
  try {
    const { status, corpo, texto } = await ler(caminho);
    if (status !== 200) throw new Error(texto);
    return { comandos, corpo };
  } finally {
    api.container.db.removeListener('query', anotar);
  }
}

const LEITURAS: readonly (readonly [rota: string, com: Credencial, quantos: (dados: any) => number])[] = [
  ['/client?', 'token', (dados) => dados.contracts.length + dados.registrations.length],
  ['/contracts/{contrato}/connection?', 'token', (dados) => dados.sessions.length],
  ['/contracts/{contrato}/usage?', 'token', () => 1],
  ['/notices?', 'token', (dados) => dados.length],
  ['/network/overview?', 'token', (dados) => dados.contracts.length],
  ['/network/overview?', 'chave', (dados) => dados.servers.total],
  ['/network/servers?limit=100', 'chave', (dados) => dados.length],
  ['/network/topology?', 'chave', (dados) => dados.nodes.length],
  ['/network/traffic?', 'chave', () => 1],
  ['/network/traffic?server={nas}', 'chave', () => 1],
  ['/network/traffic?contract_id={contrato}', 'chave', () => 1],
];

const alvo = (rota: string, { contrato, nas }: Povoado): string =>
  rota.replace('{contrato}', String(contrato)).replace('{nas}', nas);

interface Acesso {
  /** Null where MariaDB read no table. */
  readonly table: string | null;
  readonly type: string | null;
  readonly key: string | null;
}

for (const [rota, com, quantos] of LEITURAS) {
  test.serial(
    `GET ${rota} (${com}): tantos comandos SQL com muitas linhas como com uma, cada um por um índice`,
    async (t) => {
      const [pouco, muito] = [
        await comandosDe(um, alvo(rota, um), com),
        await comandosDe(muitos, alvo(rota, muitos), com),
      ];
      if (quantos(muito.corpo.data) !== 1) t.true(quantos(muito.corpo.data) >= 20 * quantos(pouco.corpo.data));
      t.true(pouco.comandos.length > 0);
      t.is(muito.comandos.length, pouco.comandos.length, muito.comandos.map(({ sql }) => sql).join('\n'));
      t.log(`${pouco.comandos.length} comandos`);
      const { comandos } = await comandosDe(milhares, alvo(rota, milhares), com);
      for (const { sql, bindings } of comandos) {
        const [linhas = []] = await api.container.db.raw<Acesso[][]>(`EXPLAIN FORMAT=TRADITIONAL ${sql}`, bindings);
        for (const { table, type, key } of linhas) {
          if (table === null || table.startsWith('<')) continue;
          t.false(type === 'ALL' || type === 'index' || key === null, `${table} ${type} ${key}: ${sql}`);
        }
      }
    },
  );
}
