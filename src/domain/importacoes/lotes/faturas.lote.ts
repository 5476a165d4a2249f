import { createHash } from 'node:crypto';
import { escreverDinheiro, somarDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Write } from '../../escrita.ts';
import { FATURAS_TAG, clienteTag, faturaTag } from '../../tags.ts';
import { emPalavra } from '../formatos/valores.regras.ts';
import type { Erro } from '../importacoes.types.ts';
import { lerFaturaImportada } from '../linhas/faturas.leitura.ts';
import type { FaturaLida } from '../linhas/faturas.leitura.ts';
import { linhaDaFatura } from './faturas.gravar.ts';
import type { Dono, FaturaNova, Nova } from './faturas.gravar.ts';
import { clientesPor, contratosPor, idsPorCodigo } from './lote.queries.ts';
import type { ContratoAchado } from './lote.queries.ts';
import type { Assunto, Feita, Recusada } from './lote.types.ts';

/** Invoices: those open, and paid or cancelled ones as history. */
export const faturas: Assunto<FaturaLida, FaturaNova> = {
  ler: lerFaturaImportada,

  marcar(marcas, { codigo }, registro) {
    const antes = marcas.marcar(`codigo:${codigo}`, registro.linha);
    if (antes !== null) registro.errar('codigo', `repete a linha ${antes}`);
  },

  async julgar(leitor, lidas, { travar }) {
    const valores = lidas.map(({ valor }) => valor);
    const textos = (dizer: (lida: FaturaLida) => string | null | undefined): string[] =>
      valores.flatMap((lida) => dizer(lida) ?? []);
    // Clients before their contracts, as all do who lock both.
    const donosPorCodigo = await clientesPor(
      leitor,
      'codigo_externo',
      textos(({ codigoCliente }) => codigoCliente),
      travar,
    );
    const donosPorDocumento = await clientesPor(
      leitor,
      'cpf_cnpj',
      textos(({ fatura }) => fatura.cpf_cnpj),
      travar,
    );
    const contratosPorCodigo = await contratosPor(
      leitor,
      'codigo_externo',
      textos(({ codigoContrato }) => codigoContrato),
    );
    const contratosPorLogin = await contratosPor(
      leitor,
      'login',
      textos(({ fatura }) => fatura.login),
    );
    const jaTem = await idsPorCodigo(
      leitor,
      'faturas',
      textos(({ codigo }) => codigo),
    );

    const doContrato = ({ id, cliente_id, cobrador_id }: ContratoAchado): Dono => ({
      clienteId: cliente_id,
      contratoId: id,
      cobradorId: cobrador_id,
    });
    const doCliente = ({ id }: { id: number }): Dono => ({ clienteId: id, contratoId: null, cobradorId: null });
    const porCodigo = new Map(contratosPorCodigo.map((um) => [um.codigo_externo, doContrato(um)]));
    const porLogin = new Map(contratosPorLogin.map((um) => [emPalavra(um.login ?? ''), doContrato(um)]));
    const clientePorCodigo = new Map(donosPorCodigo.map((um) => [um.codigo_externo, doCliente(um)]));
    const porDocumento = new Map(donosPorDocumento.toReversed().map((um) => [um.cpf_cnpj, doCliente(um)]));

    function donoDe({ codigoContrato, codigoCliente, fatura }: FaturaLida): Dono | Omit<Erro, 'coluna'> {
      // An invoice of a contract that did not come in is its client's all the same.
      const dono =
        porCodigo.get(codigoContrato ?? '') ??
        porLogin.get(emPalavra(fatura.login ?? '')) ??
        clientePorCodigo.get(codigoCliente ?? '') ??
        porDocumento.get(fatura.cpf_cnpj ?? '');
      if (dono !== undefined) return dono;
      if (codigoContrato !== null) return { campo: 'codigo_contrato', mensagem: 'não há contrato com este código' };
      if (typeof fatura.login === 'string') return { campo: 'login', mensagem: 'não há contrato com este login' };
      if (codigoCliente !== null) return { campo: 'codigo_cliente', mensagem: 'não há cliente com este código' };
      return { campo: 'cpf_cnpj', mensagem: 'não há cliente com este CPF ou CNPJ' };
    }

    const novas: Nova[] = [];
    const jaEstavam: Pick<Recusada, 'linha' | 'resumo'>[] = [];
    const recusadas: Recusada[] = [];
    for (const { linha, resumo, valor: lida } of lidas) {
      if (jaTem.has(lida.codigo)) {
        jaEstavam.push({ linha, resumo });
        continue;
      }
      const dono = donoDe(lida);
      if ('mensagem' in dono) recusadas.push({ linha, resumo, erros: [{ coluna: null, ...dono }] });
      else novas.push({ linha, resumo, lida, dono });
    }
    return { novas, jaEstavam, recusadas };
  },

  prever: (novas) => contar(novas),

  async gravar(w, novas, gravacao) {
    const linhas = novas.map((nova) => linhaDaFatura(nova, gravacao));
    if (linhas.length > 0) await w.insert('faturas', linhas, { soughtBefore: true });
    const ids = await idsPorCodigo(
      w,
      'faturas',
      novas.map(({ lida }) => lida.codigo),
    );
    const idDe = ({ lida }: Nova): number => ids.get(lida.codigo) ?? 0;
    w.touch(FATURAS_TAG, ...novas.map((nova) => faturaTag(idDe(nova))));
    w.touch(...novas.map(({ dono }) => clienteTag(dono.clienteId)));
    if (gravacao.avisar) avisarDe(w, novas, idDe);
    const feitas = novas.map((nova, n): Feita => {
      const linha = linhas[n];
      return {
        linha: nova.linha,
        resumo: nova.resumo,
        cliente_id: nova.dono.clienteId,
        fatura_id: idDe(nova),
        impressao: linha === undefined ? null : impressaoDaFatura(linha),
      };
    });
    return { feitas, contagens: contar(novas) };
  },
};

const contar = (novas: readonly Nova[]) => ({
  faturas: novas.length,
  valor: escreverDinheiro(somarDinheiro(...novas.map(({ lida }) => lida.fatura.valor))),
});

/** What an invoice says that no night changes. */
export interface Impressa {
  readonly cliente_id: number;
  readonly contrato_id: number | null;
  readonly situacao: string;
  readonly valor: string;
  readonly valor_pago: string;
  readonly vencimento: string;
}

/** Sixteen bytes of what an invoice says, by which is told whether anybody but the night has touched it. */
export function impressaoDaFatura({
  cliente_id,
  contrato_id,
  situacao,
  valor,
  valor_pago,
  vencimento,
}: Impressa): Buffer {
  const grupo = situacao === 'vencida' ? 'pendente' : situacao;
  const dito = JSON.stringify([cliente_id, contrato_id, grupo, valor, valor_pago, vencimento]);
  return createHash('sha256').update(dito).digest().subarray(0, 16);
}

function avisarDe(w: Write, novas: readonly Nova[], idDe: (nova: Nova) => number): void {
  for (const nova of novas) {
    const { fatura, situacao } = nova.lida;
    // Told of those that are to be paid; the others are history.
    if (situacao !== 'aberta') continue;
    w.emit('fatura.criada', idDe(nova), {
      cliente: nova.dono.clienteId,
      contrato: nova.dono.contratoId,
      valor: escreverDinheiro(fatura.valor),
    });
  }
}
