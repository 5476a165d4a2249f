import { gerarCodigoBarras, linhaDigitavel } from '../../src/brazil/boleto/boleto.ts';
import type { Data } from '../../src/brazil/calendario/datas.ts';
import { lerDinheiro } from '../../src/brazil/dinheiro/dinheiro.ts';
import type { Container } from '../../src/app/compose/container.ts';
import { TERMINAL } from '../../src/domain/actor.ts';
import type { Dominio, Escritas } from '../../src/domain/dominio.ts';
import { abrirCartorio } from '../../seeds/autoridade/certificados.ts';
import type { Autoridade } from '../../seeds/autoridade/autoridade.ts';
import type { Db } from '../../src/platform/mysql/database.ts';
import { criarFabrica } from './fabrica.ts';
import type { RelogioDeTeste } from './relogio.ts';

const CNPJ = '11222333000181';
export const SENHA = 'teste123';

/** The provider's write as a request does it. */
export async function escrever<T>(
  container: Container,
  provedorId: number,
  fazer: (e: Escritas) => Promise<T>,
): Promise<T> {
  const provedor = await container.provedores.exigirPorId(provedorId);
  return container.changeTenant(TERMINAL, provedor, async (_d, e) => fazer(e));
}

let serie = 0;
let serieDaNota = 0;

/** A line whose amount and due date are the invoice's. */
function linhaDe(valor: string, vencimento: string): string {
  serie += 1;
  return linhaDigitavel(
    gerarCodigoBarras({
      banco: '237',
      vencimento: vencimento as Data,
      valor: lerDinheiro(valor),
      campoLivre: `2949600000000004030006${String(serie % 1000).padStart(3, '0')}`,
    }),
  );
}

const ENDERECO = {
  cep: '37130001',
  logradouro: 'Rua das Flores',
  numero: '100',
  bairro: 'Centro',
  cidade: 'Alfenas',
  uf: 'MG',
};

const cartorio = abrirCartorio(new Date('2026-01-01T00:00:00Z'));
export { cartorio };

/** The A1 of providers of whose certificate nothing is asked, by CNPJ: to make a key takes as long as several notes. */
const certificados = new Map<string, Buffer>();

function certificadoDe(cnpj: string): Buffer {
  const pfx = certificados.get(cnpj) ?? cartorio.a1(cnpj, 'SERRA AZUL TELECOM LTDA', SENHA);
  certificados.set(cnpj, pfx);
  return pfx;
}

/** A provider that may issue notes, and who makes clients and invoices of it. */
export async function provedorFiscal(
  { container, dono }: { readonly container: Container; readonly dono: Db },
  autoridade: Pick<Autoridade, 'autorizador'> | null,
  como: {
    readonly configuracao?: object;
    readonly crt?: 1 | 3;
    readonly sva?: string;
    readonly pfx?: Buffer;
    readonly cnpj?: string;
  } = {},
) {
  const fabrica = criarFabrica(dono);
  const cnpj = como.cnpj ?? CNPJ;
  const provedor = await fabrica.provedor({ cnpj });
  await dono('provedores_identidade').insert({
    provedor_id: provedor,
    razao_social: 'Serra Azul Telecom Ltda',
    ...ENDERECO,
  });
  await escrever(container, provedor, async ({ configuracaoNfcom }) => {
    await configuracaoNfcom.comecar({
      inscricao_estadual: '0012345678901',
      crt: como.crt ?? 1,
      ...(como.crt === 3 ? { icms: '18' } : {}),
      ...(como.sva === undefined ? {} : { sva_percentual: como.sva }),
    });
    await configuracaoNfcom.configurar({
      ...(autoridade === null ? {} : { autorizador: autoridade.autorizador, cas_extras: cartorio.caPem }),
      ambiente: 'homologacao',
      // Providers of a test share a CNPJ, and an authority.
      serie: (serieDaNota += 1),
      ...como.configuracao,
    });
  });
  await guardarPfx(container, provedor, como.pfx ?? certificadoDe(cnpj));
  const plano = await fabrica.plano(provedor);

  return {
    provedor,
    plano,
    fabrica,
    /** An invoice of a client and a contract of its own, with a boleto. */
    async fatura(mudar: { readonly cliente?: object; readonly contrato?: object; readonly fatura?: object } = {}) {
      const cliente = await fabrica.cliente(provedor, { ...ENDERECO, ...mudar.cliente });
      const contrato = await fabrica.contrato(provedor, {
        cliente_id: cliente,
        plano_id: plano,
        ativado_em: '2025-01-10',
        ...mudar.contrato,
      });
      const { valor = '99.90', vencimento = '2026-12-10', ...resto } = (mudar.fatura ?? {}) as Record<string, string>;
      const fatura = await fabrica.fatura(provedor, {
        cliente_id: cliente,
        contrato_id: contrato,
        tipo: 'boleto',
        valor,
        vencimento,
        emitida_em: '2026-11-20 12:00:00.000',
        linha_digitavel: Number(valor) > 0 ? linhaDe(valor, vencimento) : null,
        ...resto,
      });
      return { cliente, contrato, fatura };
    },
    pedir: async (fatura: number) => escrever(container, provedor, async ({ nfcom }) => nfcom.pedir(fatura)),
    /** What a request reads of the provider. */
    async ler<T>(fazer: (dominio: Dominio) => Promise<T>): Promise<T> {
      return container.changeTenant(TERMINAL, await container.provedores.exigirPorId(provedor), fazer);
    },
    notas: async () => dono('nfcom').where('provedor_id', provedor).orderBy('id'),
  };
}

export type ProvedorFiscal = Awaited<ReturnType<typeof provedorFiscal>>;

/** Keeps a certificate, as a form does. */
export async function guardarPfx(container: Container, provedor: number, pfx: Buffer, senha = SENHA): Promise<number> {
  const lido = await container.lerPfx(pfx, senha);
  return escrever(container, provedor, async ({ certificadoNfcom }) => certificadoNfcom.guardar({ pfx, senha, lido }));
}

/** Sends what is due until nothing is. */
export async function enviarTudo(container: Container): Promise<void> {
  while ((await container.envioNfcom.entregar()) > 0) await container.envioNfcom.terminar();
}

/** Lets time go by, in steps after each of which what is due is done. Both in milliseconds. */
export async function passarTempo(
  { container, relogio }: { readonly container: Container; readonly relogio: RelogioDeTeste },
  quanto: number,
  passo: number,
): Promise<void> {
  for (let passou = 0; passou < quanto; passou += passo) {
    relogio.avancar(passo);
    await enviarTudo(container);
  }
}
