import { createHash } from 'node:crypto';
import { centavos, escreverDinheiro, somarDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Write } from '../../escrita.ts';
import { RECUSAS } from '../../erros.ts';
import { FATURAS_TAG, tagsDaFatura } from '../../tags.ts';
import { lerFaturaImportada } from '../linhas/faturas.leitura.ts';
import type { FaturaLida } from '../linhas/faturas.leitura.ts';
import { acharDonos } from './faturas.donos.ts';
import { linhaDaFatura } from './faturas.gravar.ts';
import type { FaturaNova, Nova } from './faturas.gravar.ts';
import { escolherCobradores } from './cobradores.queries.ts';
import { diferencasDaFatura } from '../linhas/diferencas.ts';
import { apagadosDe, faturasPor, idsPorCodigo, txidsQueHa } from './lote.queries.ts';
import type { Assunto, Feita, JaEstava, Recusada } from './lote.types.ts';

const APAGADO = { campo: 'codigo_cliente', mensagem: RECUSAS.cliente_apagado };
const TXID_TOMADO = { campo: 'pix_txid', mensagem: 'é de outra fatura' };

/** Invoices: those open, and paid or cancelled ones as history. */
export const faturas: Assunto<FaturaLida, FaturaNova> = {
  ler: lerFaturaImportada,

  marcar(marcas, { codigo, cobranca }, registro) {
    const antes = marcas.marcar(`codigo:${codigo}`, registro.linha);
    if (antes !== null) registro.errar('codigo', `repete a linha ${antes}`);
    const txid = cobranca?.pix?.txid;
    const comTxid = txid === undefined ? null : marcas.marcar(`txid:${txid}`, registro.linha);
    if (comTxid !== null && antes === null) registro.errar('pix_txid', `a linha ${comTxid} tem o mesmo`);
  },

  async julgar(leitor, lidas, { contexto, w }) {
    const travar = w !== null;
    const valores = lidas.map(({ valor }) => valor);
    const donoDe = await acharDonos(leitor, valores, { formato: contexto.formato, travar });
    const cobradorDe = await escolherCobradores(leitor, contexto, travar);
    const txids = valores.flatMap(({ cobranca }) => cobranca?.pix?.txid ?? []);
    const txidsTomados = await txidsQueHa(leitor, txids);
    const jaTem = await faturasPor(
      leitor,
      valores.map(({ codigo }) => codigo),
    );

    const donos = lidas.map(({ valor }) => donoDe(valor));
    const apagados = await apagadosDe(
      leitor,
      donos.flatMap((dono) => ('mensagem' in dono ? [] : dono.clienteId)),
    );
    const novas: Nova[] = [];
    const jaEstavam: JaEstava[] = [];
    const recusadas: Recusada[] = [];
    for (const [n, { linha, resumo, valor: lida }] of lidas.entries()) {
      const ha = jaTem.get(lida.codigo);
      if (ha !== undefined) {
        jaEstavam.push({ linha, resumo, difere: diferencasDaFatura(lida, ha) });
        continue;
      }
      const dono = donos[n] ?? donoDe(lida);
      const cobrador = cobradorDe(lida.cobrador);
      const txidTomado = txidsTomados.has(lida.cobranca?.pix?.txid ?? '');
      const falta =
        'mensagem' in dono
          ? dono
          : apagados.has(dono.clienteId)
            ? APAGADO
            : 'mensagem' in cobrador
              ? cobrador
              : txidTomado
                ? TXID_TOMADO
                : null;
      if (falta !== null) recusadas.push({ linha, resumo, erros: [{ coluna: null, ...falta }] });
      else if (!('mensagem' in dono) && !('mensagem' in cobrador)) {
        novas.push({ linha, resumo, lida, dono: { ...dono, cobradorId: cobrador.id ?? dono.cobradorId } });
      }
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
    w.touch(FATURAS_TAG, ...novas.flatMap((nova) => tagsDaFatura(idDe(nova), nova.dono.clienteId)));
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
  /** Of one that is about to be written: nothing. */
  readonly abatido?: string;
  readonly vencimento: string;
  readonly descricao: string;
  readonly tipo: string | null;
  readonly linha_digitavel: string | null;
  readonly nosso_numero: string | null;
  readonly pix_txid: string | null;
  readonly codigo_externo: string | null;
  readonly cobrador_id: number | null;
}

const SEM_ABATIMENTO = escreverDinheiro(centavos(0));

const resumir = (dito: readonly unknown[]): Buffer =>
  createHash('sha256').update(JSON.stringify(dito)).digest().subarray(0, 16);

const doDevido = (fatura: Impressa): readonly unknown[] => {
  const { situacao, abatido = SEM_ABATIMENTO } = fatura;
  const grupo = situacao === 'vencida' ? 'pendente' : situacao;
  return [fatura.cliente_id, fatura.contrato_id, grupo, fatura.valor, fatura.valor_pago, fatura.vencimento, abatido];
};

/** Sixteen bytes of what an invoice says, by which is told whether anybody but the night has touched it. */
const impressaoDaFatura = (fatura: Impressa): Buffer =>
  resumir([
    ...doDevido(fatura),
    fatura.descricao,
    fatura.tipo,
    fatura.linha_digitavel,
    fatura.nosso_numero,
    fatura.pix_txid,
    fatura.codigo_externo,
    fatura.cobrador_id,
  ]);

/** Whether an invoice says what it said when it came in. Imports of before noted what is owed alone. */
export const mesmaImpressao = (fatura: Impressa, impressao: Buffer): boolean =>
  impressaoDaFatura(fatura).equals(impressao) || resumir(doDevido(fatura)).equals(impressao);

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
