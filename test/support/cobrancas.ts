import { enviar } from './api.ts';
import type { Api, Resposta } from './api.ts';
import type { Fabrica } from './fabrica.ts';

let serie = 0;

export const BOLETO = {
  linha_digitavel: '23793381286008301352856000063307789840000009990',
  codigo_barras: '23797898400000099903381260083013528560000633',
};

/** Asks for a page as a browser does. */
export async function pedirPagina(
  api: Api,
  caminho: string,
  envio: { readonly metodo?: string; readonly headers?: Record<string, string>; readonly processo?: number } = {},
): Promise<Omit<Resposta, 'corpo'>> {
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
  const { segredo } = await api.container.receptores.criar(provedor, { nome: 'Banco de teste' });
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
