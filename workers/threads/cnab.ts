import { gzipSync } from 'node:zlib';
import { nomeDaRemessa } from '../../src/brazil/cnab/remessa/arquivo.ts';
import { RemessaInvalida, RetornoRecusado } from '../../src/brazil/cnab/convenio.types.ts';
import type { Convenio, Retorno } from '../../src/brazil/cnab/convenio.types.ts';
import { escreverRemessa } from '../../src/brazil/cnab/remessa/remessa.ts';
import { contradicao, lerRetorno } from '../../src/brazil/cnab/retorno/retorno.ts';
import type { Conferidos, Escrita, Lida, PedidoDeCnab } from './cnab/contract.ts';

/** Of gzip: its default, level 6, takes a third longer, for files that are hardly smaller. */
const NIVEL = 4;

/** Bank files, away from whoever answers requests: a file of 100,000 titles takes some seconds. */
export default function cnab(pedido: PedidoDeCnab): Conferidos | Escrita | Lida {
  if (pedido.o === 'conferir') return conferir(pedido);
  return pedido.o === 'ler' ? ler(pedido) : escrever(pedido);
}

function escrever({ remessa, doDia }: Extract<PedidoDeCnab, { o: 'escrever' }>): Escrita {
  const texto = escreverRemessa(remessa);
  return {
    nome: nomeDaRemessa(remessa.convenio, remessa.nsa, remessa.hoje, doDia),
    conteudo: gzipSync(Buffer.from(texto, 'latin1'), { level: NIVEL }),
  };
}

/** Each title is judged in a file of its own: what a whole file says is of the first one that is wrong. */
function conferir({ convenio, hoje, titulos }: Extract<PedidoDeCnab, { o: 'conferir' }>): Conferidos {
  return titulos.flatMap((titulo, indice) => {
    try {
      escreverRemessa({ convenio, nsa: 1, hoje, hora: '000000', titulos: [titulo] });
      return [];
    } catch (error) {
      if (!(error instanceof RemessaInvalida) || error.indice === null) throw error;
      return [{ indice, campo: error.campo, motivo: error.motivo }];
    }
  });
}

function ler({ arquivo, convenios, porParte }: Extract<PedidoDeCnab, { o: 'ler' }>): Lida {
  const lido = lerDeUmDeles(arquivo, convenios);
  if ('motivo' in lido) return { certa: false, ...lido };
  const { ocorrencias, gravadoEm } = lido.retorno;
  const partes: Uint8Array[] = [];
  for (let n = 0; n < ocorrencias.length; n += porParte) {
    partes.push(gzipSync(JSON.stringify(ocorrencias.slice(n, n + porParte)), { level: NIVEL }));
  }
  return {
    certa: true,
    convenios: lido.indices,
    gravadoEm,
    ocorrencias: ocorrencias.length,
    partes,
    conteudo: gzipSync(arquivo, { level: NIVEL }),
  };
}

type Achado =
  | { readonly retorno: Retorno; readonly indices: readonly number[] }
  | { readonly linha: number; readonly motivo: string };

/** The file, read once, and which of the agreements nothing in it contradicts. Of why not, what an agreement of its bank has against it. */
function lerDeUmDeles(arquivo: Uint8Array, convenios: readonly Convenio[]): Achado {
  if (convenios.length === 0) return { linha: 1, motivo: 'não há convênio bancário deste arquivo' };
  try {
    const retorno = lerRetorno(arquivo);
    const ditas = convenios.map((convenio) => ({ porque: contradicao(retorno, convenio), banco: convenio.banco }));
    const indices = ditas.flatMap(({ porque }, indice) => (porque === null ? [indice] : []));
    if (indices.length > 0) return { retorno, indices };
    const dele = ditas.find(({ banco }) => banco === retorno.banco) ?? ditas[0];
    return { linha: 1, motivo: dele?.porque ?? '' };
  } catch (error) {
    if (!(error instanceof RetornoRecusado)) throw error;
    const { linha, motivo } = error;
    return { linha, motivo };
  }
}
