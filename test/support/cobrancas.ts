import { TERMINAL } from '../../src/domain/actor.ts';
import { gerarCodigoBarras, linhaDigitavel } from '../../src/brazil/boleto/boleto.ts';
import type { Data } from '../../src/brazil/calendario/datas.ts';
import { centavos } from '../../src/brazil/dinheiro/dinheiro.ts';
import { crc16 } from '../../src/brazil/pix/pix.ts';
import { enviar } from './api.ts';
import type { Api, Recebido } from './api.ts';
import type { Fabrica } from './fabrica.ts';

let serie = 0;

/** What is stored of a boleto: of 99.90 due on the 10th of November, and of a free field that no bank's form is, unless told otherwise. */
export function boletoDe(boleto: { vencimento?: string; valor?: number; banco?: string; campoLivre?: string } = {}): {
  linha_digitavel: string;
  codigo_barras: string;
} {
  const { vencimento = '2026-11-10', valor = 9990, banco = '237', campoLivre = '3381260083013528560000633' } = boleto;
  const barras = gerarCodigoBarras({ banco, vencimento: vencimento as Data, valor: centavos(valor), campoLivre });
  return { linha_digitavel: linhaDigitavel(barras), codigo_barras: barras };
}

export const BOLETO = boletoDe();

/** A code that a PSP made, without an amount unless told; a charge's txid is the PSP's own. */
export const TXID_DO_PSP = '7978c0c97ea847e78e8849634473c1f1';
export function pixDoPsp({ valor = '', txid = '***', nome = 'BARBARA PELE' } = {}): string {
  const campo = (id: string, texto: string): string => id + String(texto.length).padStart(2, '0') + texto;
  const corpo =
    '00020126740014br.gov.bcb.pix2552payload.psp.com/3ec9d2f9-5f03-4e0e-820d-63a81e769e87520400005303986' +
    `${valor && campo('54', valor)}5802BR${campo('59', nome)}6015SAO MIGUEL DO O${campo('62', campo('05', txid))}6304`;
  return corpo + crc16(corpo);
}

/** Asks for a page as a browser does. */
export async function pedirPagina(
  api: Api,
  caminho: string,
  envio: { readonly metodo?: string; readonly headers?: Record<string, string>; readonly processo?: number } = {},
): Promise<Recebido> {
  const { metodo = 'GET', headers = {}, processo = 0 } = envio;
  return enviar({
    host: '127.0.0.1',
    port: api.portas[processo]!,
    method: metodo,
    path: caminho,
    headers,
    agent: false,
  });
}

/** A provider with a client who has invoices, and a receiver. */
export async function criarCobrado(api: Api, fabrica: Fabrica, doProvedor: Record<string, unknown> = {}) {
  const provedor = await fabrica.provedor({ cnpj: '11222333000181', ...doProvedor });
  const plano = await fabrica.plano(provedor);
  const cliente = await fabrica.cliente(provedor, { nome: 'Maria José da Conceição' });
  const contrato = await fabrica.contrato(provedor, { cliente_id: cliente, plano_id: plano });
  const { texto: chave } = await api.criarChave(provedor);
  const { segredo } = await api.container.receptores.criar(TERMINAL, provedor, { nome: 'Banco de teste' });
  const ler = async (id: number): Promise<any> => (await api.get(`/faturas/${id}`, { chave })).corpo.dados;
  return {
    provedor,
    cliente,
    chave,
    segredo,
    ler,
    /** An invoice of 99.90 due on the 10th of November, with PIX; its links as the API gives them. */
    async fatura(linha: Record<string, unknown> = {}) {
      serie += 1;
      const txid = `TXDEPAGINA${serie}`;
      const id = await fabrica.fatura(provedor, {
        cliente_id: cliente,
        contrato_id: contrato,
        descricao: 'Mensalidade 11/2026',
        pix_txid: txid,
        ...linha,
      });
      const { token } = await api.container.db('faturas').where({ provedor_id: provedor, id }).first('token');
      return { id, txid, token: token as string };
    },
  };
}
