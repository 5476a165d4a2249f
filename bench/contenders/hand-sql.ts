import { createServer } from 'node:http';
import { createPool } from 'mysql2/promise';
import type { RowDataPacket } from 'mysql2';
import { listen } from '../../src/platform/http/server.ts';
import { answerMessages } from '../support/helper.ts';

export interface HandSqlOptions {
  readonly databaseUrl: string;
  readonly provedorId: number;
  readonly pool: number;
}

const PER_PAGE = 20;

const CLIENT = `SELECT id, nome, nome_fantasia, tipo, cpf_cnpj, email, situacao, data_nascimento, criado_em,
    cep, logradouro, numero, complemento, bairro, cidade, uf
  FROM clientes WHERE provedor_id = ? AND cpf_cnpj = ? ORDER BY id LIMIT ${PER_PAGE}`;

const PHONES = `SELECT cliente_id, numero FROM clientes_telefones
  WHERE provedor_id = ? AND cliente_id IN (?) ORDER BY cliente_id, id`;

const CONTRACTS = `SELECT c.id, c.cliente_id, c.situacao, c.tipo_conexao, c.login, c.mac, c.ip, c.tipo_cobranca,
    c.dia_vencimento, c.valor, c.ativado_em, c.bloqueado_em, c.plano_id,
    c.cep, c.logradouro, c.numero, c.complemento, c.bairro, c.cidade, c.uf,
    p.nome AS plano_nome, p.download_mbps, p.upload_mbps, x.contrato_id AS conexao, x.ouvida_em, x.intervalo_segundos,
    (SELECT MAX(d.ate) FROM desbloqueios_confianca d WHERE d.provedor_id = c.provedor_id AND d.contrato_id = c.id
      AND d.encerrado_em IS NULL AND d.ate >= UTC_TIMESTAMP(3)) AS desbloqueado_ate,
    EXISTS (SELECT 1 FROM avisos_de_rede a WHERE a.provedor_id = c.provedor_id AND a.fim IS NULL) AS ha_avisos
  FROM contratos c
  JOIN planos p ON p.provedor_id = c.provedor_id AND p.id = c.plano_id
  LEFT JOIN conexoes x ON x.provedor_id = c.provedor_id AND x.contrato_id = c.id
  WHERE c.provedor_id = ? AND c.cliente_id IN (?) ORDER BY c.cliente_id, c.id`;

/** The look-up as a person writes it in an afternoon: three statements, one `JSON.stringify`, no framework, no cache. */
answerMessages(async ({ databaseUrl, provedorId, pool: connectionLimit }: HandSqlOptions) => {
  const url = new URL(databaseUrl);
  const pool = createPool({
    socketPath: url.searchParams.get('socketPath') ?? '',
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: url.pathname.slice(1),
    connectionLimit,
    timezone: 'Z',
    dateStrings: true,
  });

  async function find(cpf: string): Promise<object> {
    const [clients] = await pool.query<RowDataPacket[]>(CLIENT, [provedorId, cpf]);
    const ids = clients.map((client) => client['id'] as number);
    const [[phones], [contracts]] = await Promise.all([
      pool.query<RowDataPacket[]>(PHONES, [provedorId, ids]),
      pool.query<RowDataPacket[]>(CONTRACTS, [provedorId, ids]),
    ]);
    const now = Date.now();
    const dados = clients.map((client) => ({
      id: client['id'],
      nome: client['nome'],
      nome_fantasia: client['nome_fantasia'],
      tipo: client['tipo'],
      cpf_cnpj: client['cpf_cnpj'],
      email: client['email'],
      telefones: phones.filter((phone) => phone['cliente_id'] === client['id']).map((phone) => String(phone['numero'])),
      situacao: client['situacao'],
      data_nascimento: client['data_nascimento'],
      criado_em: iso(client['criado_em']),
      endereco: address(client),
      contratos: contracts
        .filter((contract) => contract['cliente_id'] === client['id'])
        .map((contract) => presentContract(contract, now)),
    }));
    const paginacao = { pagina: 1, por_pagina: PER_PAGE, total: dados.length, total_paginas: 1 };
    return { sucesso: true, dados, paginacao };
  }

  const server = createServer((request, response) => {
    const cpf = /[?&]cpf_cnpj=(\d{11})(?:&|$)/.exec(request.url ?? '')?.[1] ?? '';
    find(cpf).then(
      (found) => {
        const body = Buffer.from(JSON.stringify(found));
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body);
      },
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  return { port: await listen(server, 0, '127.0.0.1') };
});

function presentContract(row: RowDataPacket, now: number): object {
  const heard = row['ouvida_em'] === null ? null : Date.parse(iso(row['ouvida_em']) ?? '');
  const online = heard !== null && now <= heard + 2000 * ((row['intervalo_segundos'] as number | null) ?? 300);
  return {
    id: row['id'],
    cliente_id: row['cliente_id'],
    situacao: row['situacao'],
    conexao: row['conexao'] === null ? 'desconhecido' : online ? 'online' : 'offline',
    tipo_conexao: row['tipo_conexao'],
    login: row['login'],
    mac: row['mac'],
    ip: row['ip'],
    tipo_cobranca: row['tipo_cobranca'],
    dia_vencimento: row['dia_vencimento'],
    valor: Number(row['valor']),
    ativado_em: row['ativado_em'],
    bloqueado_em: iso(row['bloqueado_em']),
    desbloqueio_confianca: { ativo: row['desbloqueado_ate'] !== null, ate: iso(row['desbloqueado_ate']) },
    plano: {
      id: row['plano_id'],
      nome: row['plano_nome'],
      download_mbps: row['download_mbps'],
      upload_mbps: row['upload_mbps'],
    },
    endereco_instalacao: address(row),
    // What a provider without notices answers; `ha_avisos` is where another would read on.
    avisos: [],
  };
}

function address({ cep, logradouro, numero, complemento, bairro, cidade, uf }: RowDataPacket): object {
  return { cep, logradouro, numero, complemento, bairro, cidade, uf };
}

function iso(text: unknown): string | null {
  return typeof text === 'string' ? new Date(`${text.replace(' ', 'T')}Z`).toISOString() : null;
}
