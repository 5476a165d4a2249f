import type { NotasParaConferir } from '../workers/threads/nfcom/contract.ts';
import type { Recusa } from '../src/brazil/nfcom/base/recusas.ts';
import type { LeitorDePfx } from '../src/domain/nfcom/certificado/leitor.ts';
import type { Escritas } from '../src/domain/dominio.ts';
import { ID, columns, rowsOf } from '../src/platform/mysql/columns.ts';
import type { Db } from '../src/platform/mysql/database.ts';
import { createTenantDb } from '../src/platform/mysql/tenant.ts';
import { createThreads } from '../src/platform/threads/threads.ts';
import type { Relogio } from '../src/platform/timing/relogio.ts';
import { abrirAutoridade } from './autoridade/autoridade.ts';
import { abrirCartorio } from './autoridade/certificados.ts';

/** Invoices of the demonstration that get a note at its first start. */
const NOTAS = 60;
const SENHA = 'demonstracao';

const DO_PROVEDOR = columns<{ id: number; cnpj: string; nome: string }>('provedores', {
  id: true,
  cnpj: true,
  nome: true,
});
const DA_CONFIGURACAO = columns<{ provedor_id: number }>('nfcom_configuracoes', { provedor_id: true });

interface NotasDemoDeps {
  /** The owner's connection. */
  readonly db: Db;
  readonly relogio: Relogio;
  readonly lerPfx: LeitorDePfx;
  /** Where the stand-in keeps what it authorised. */
  readonly arquivo: string;
  readonly permitir: (servidor: { readonly address: string; readonly port: number }) => void;
  readonly escrever: (provedorId: number, fazer: (e: Escritas) => Promise<unknown>) => Promise<unknown>;
}

/**
 * Opens a stand-in for the tax authority beside the service, and has the demonstration's first provider issue notes with it, in
 * homologação: none has fiscal value. Certificates are made anew at each start. Null where there is no such provider.
 */
export async function oferecerNotas(
  deps: NotasDemoDeps,
): Promise<{ readonly linha: string; fechar(): Promise<void> } | null> {
  const { db, relogio, lerPfx, escrever } = deps;
  const daDemonstracao = db('provedores').where('demonstracao', 1).whereNotNull('cnpj').orderBy('id').limit(1);
  const [provedor] = await rowsOf(daDemonstracao, DO_PROVEDOR);
  if (provedor === undefined) return null;
  const cartorio = abrirCartorio(relogio.agora());
  const threads = createThreads({ maxThreads: 1 });
  const autoridade = await abrirAutoridade({
    cartorio,
    agora: () => relogio.agora(),
    arquivo: deps.arquivo,
    // What came is judged, and not what was sent.
    async esquema(xml) {
      const notas = { esquema: 'NT2025.001', xmls: [xml] } as const;
      const [recusas = []] = await threads.run<NotasParaConferir, Recusa[][]>('nfcom', notas);
      return recusas[0]?.mensagem ?? null;
    },
  });
  deps.permitir({ address: '127.0.0.1', port: autoridade.porta });
  const pfx = cartorio.a1(provedor.cnpj, 'DEMONSTRACAO', SENHA);
  const lido = await lerPfx(pfx, SENHA);
  const tenant = createTenantDb(db, provedor.id);
  const configurada = tenant.from('nfcom_configuracoes').limit(1);
  const jaHa = (await rowsOf(configurada, DA_CONFIGURACAO)).length > 0;
  await escrever(provedor.id, async ({ configuracaoNfcom, certificadoNfcom, nfcom }) => {
    if (!jaHa) await configuracaoNfcom.comecar({ inscricao_estadual: '0012345678901', sva_percentual: '40' });
    await configuracaoNfcom.configurar({
      ambiente: 'homologacao',
      autorizador: autoridade.autorizador,
      cas_extras: cartorio.caPem,
    });
    await certificadoNfcom.guardar({ pfx, senha: SENHA, lido });
    if (jaHa) return;
    const recentes = tenant
      .from('faturas')
      .whereNotNull('linha_digitavel')
      .whereIn('situacao', ['pendente', 'vencida', 'paga'])
      .orderBy('emitida_em', 'desc')
      .limit(NOTAS);
    const faturaIds = (await rowsOf(recentes, ID)).map(({ id }) => id);
    if (faturaIds.length > 0) await nfcom.pedirLote({ faturaIds });
  });
  return {
    linha: `Notas fiscais (NFCom) de ${provedor.nome}: emitidas para uma autoridade de demonstração, sem valor fiscal.`,
    async fechar() {
      await autoridade.fechar();
      await threads.close();
    },
  };
}
