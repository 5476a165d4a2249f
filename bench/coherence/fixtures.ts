import { digitosCpf } from '../../src/brazil/pessoa/cpf-cnpj.ts';
import { gerarChave, inicioDaChave, lerChave } from '../../src/domain/chaves/chave.ts';
import type { Db } from '../../src/platform/mysql/database.ts';
import { createTenantWriter } from '../../src/platform/mysql/tenant.ts';
import { criarFabrica } from '../../test/support/fabrica.ts';
import type { Client } from './messages.ts';

const CLIENTS = 8;

/** Clients whose counters stand at zero. */
export async function createClients(db: Db, provedorId: number): Promise<Client[]> {
  const fabrica = criarFabrica(db);
  const plano_id = await fabrica.plano(provedorId);
  const clients: Client[] = [];
  for (let i = 0; i < CLIENTS; i += 1) {
    const base = String(100_000_000 + i);
    const cpf = base + digitosCpf(base);
    const cliente_id = await fabrica.cliente(provedorId, { nome: 'C 0', cpf_cnpj: cpf });
    const contrato_id = await fabrica.contrato(provedorId, { cliente_id, plano_id, valor: '0.00' });
    const fatura = { cliente_id, contrato_id, valor: '0.00', vencimento: '2099-01-10' };
    clients.push({
      id: cliente_id,
      cpf,
      contrato: contrato_id,
      fatura: await fabrica.fatura(provedorId, fatura),
    });
  }
  return clients;
}

/** Keys that read, straight into the table: making ten thousand one by one takes a minute. */
export async function createKeys(
  db: Db,
  provedorId: number,
  count: number,
  limit: number,
): Promise<{ id: number; texto: string }[]> {
  const texts = Array.from({ length: count }, () => gerarChave(provedorId));
  const ids: number[] = [];
  for (let from = 0; from < count; from += 1000) {
    const rows = texts.slice(from, from + 1000).map((texto) => ({
      nome: 'bancada',
      inicio: inicioDaChave(texto),
      hash: Buffer.from(lerChave(texto)?.hash ?? '', 'hex'),
      permissoes: JSON.stringify(['clientes:leitura', 'financeiro:leitura']),
      limite_por_minuto: limit,
    }));
    const first = await createTenantWriter(db, provedorId).insert('chaves_api', rows);
    // Rows of one simple INSERT have consecutive ids.
    for (const i of rows.keys()) ids.push(first + i);
  }
  return texts.map((texto, i) => ({ id: ids[i] ?? 0, texto }));
}
