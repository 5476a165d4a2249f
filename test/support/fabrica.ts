import { randomBytes } from 'node:crypto';
import type { Db } from '../../src/platform/mysql/database.ts';
import { createTenantWriter } from '../../src/platform/mysql/tenant.ts';

/** Who receives the PIX of a provider that a test says nothing of. */
export const RECEBEDOR = { chave: 'financeiro@malha.test', nome: 'SERRA AZUL TELECOM', cidade: 'POUSO ALEGRE' };

type Linha = Record<string, unknown>;

let serie = 0;
const proximo = (): number => (serie += 1);

/** Writes rows with sensible values; what a test cares about, it says. Ids come back. */
export function criarFabrica(db: Db) {
  async function provedor(linha: Linha = {}, regras: Linha = {}): Promise<number> {
    const n = proximo();
    const [id = 0] = await db('provedores').insert({
      nome: `Provedor ${n}`,
      panel_host: `painel${n}.malha.test`,
      pix_chave: RECEBEDOR.chave,
      pix_nome: RECEBEDOR.nome,
      pix_cidade: RECEBEDOR.cidade,
      ...linha,
    });
    await createTenantWriter(db, id).insert('regras_cobranca', regras);
    return id;
  }
  const em =
    (tabela: string, base: () => Linha) =>
    async (provedorId: number, linha: Linha = {}) =>
      createTenantWriter(db, provedorId).insert(tabela, { ...base(), ...linha });
  return {
    provedor,
    plano: em('planos', () => ({ nome: `Fibra ${proximo()}`, download_mbps: 500, upload_mbps: 250, valor: '99.90' })),
    cliente: em('clientes', () => ({ nome: 'Maria da Silva', tipo: 'pf', cpf_cnpj: '52998224725', situacao: 'ativo' })),
    telefone: em('clientes_telefones', () => ({ numero: '35999990001' })),
    contrato: em('contratos', () => ({
      situacao: 'ativo',
      login: `login${proximo()}`,
      tipo_cobranca: 'pos_pago',
      dia_vencimento: 10,
      valor: '99.90',
    })),
    fatura: em('faturas', () => ({
      situacao: 'pendente',
      valor: '99.90',
      vencimento: '2026-11-10',
      emitida_em: '2026-11-01 09:00:00.000',
      token: randomBytes(16).toString('base64url'),
    })),
    chamado: em('chamados', () => ({
      assunto: 'Sem conexão',
      descricao: 'Caiu.',
      aberto_em: '2026-11-01 09:00:00.000',
    })),
    historico: em('chamados_historico', () => ({ acao: 'aberto', ocorrido_em: '2026-11-01 09:00:00.000' })),
    desbloqueio: em('desbloqueios_confianca', () => ({ dias: 3, aplicado_em: '2026-11-01 09:00:00.000' })),
    conexao: async (provedorId: number, linha: Linha) => createTenantWriter(db, provedorId).insert('conexoes', linha),
    quedas: async (provedorId: number, linha: Linha) =>
      createTenantWriter(db, provedorId).insert('quedas_diarias', linha),
    nas: async (provedorId: number, endereco: string) =>
      createTenantWriter(db, provedorId).insert('provedores_nas', { nasipaddress: endereco }),
    sessao: async (linha: Linha) => {
      const n = proximo();
      await db('radacct').insert({ acctsessionid: `s${n}`, acctuniqueid: `u${n}`, ...linha });
    },
  };
}

export type Fabrica = ReturnType<typeof criarFabrica>;
