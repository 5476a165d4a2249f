import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { EntradaInvalida } from '../../domain/erros.ts';
import type { Sessao } from '../sessao.ts';

/** A file as it is read, or what comes by standard input. @throws EntradaInvalida where there is none to be read */
export async function abrirArquivo(arquivo: string, { entrada }: Sessao): Promise<AsyncIterable<Uint8Array | string>> {
  if (arquivo === '-') {
    const fonte = entrada();
    if (fonte.isTTY === true) throw new EntradaInvalida('arquivo: diga um arquivo, ou mande-o pela entrada padrão');
    return fonte;
  }
  const aberto = await open(arquivo, 'r').catch(() => null);
  const ehArquivo = (await aberto?.stat())?.isFile() === true;
  await aberto?.close();
  if (!ehArquivo) throw new EntradaInvalida(`arquivo: não foi possível ler ${arquivo}`);
  return createReadStream(arquivo);
}

interface DoMapa {
  readonly mapa?: string;
  readonly planoPadrao?: number;
  readonly cobrador?: number;
  readonly criarPlanos?: boolean;
  readonly tolerar?: string[];
}

/** What is to be changed of a map, of a file and of options; null where nothing is. */
export async function lerMapa({ mapa, planoPadrao, cobrador, criarPlanos, tolerar }: DoMapa): Promise<object | null> {
  const dito = {
    ...(planoPadrao === undefined ? {} : { plano_padrao: planoPadrao }),
    ...(cobrador === undefined ? {} : { cobrador }),
    ...(criarPlanos === undefined ? {} : { criar_planos: criarPlanos }),
    ...(tolerar === undefined ? {} : { tolerar }),
  };
  if (mapa === undefined) return Object.keys(dito).length === 0 ? null : dito;
  const texto = await readFile(mapa, 'utf8').catch(() => {
    throw new EntradaInvalida(`mapa: não foi possível ler ${mapa}`);
  });
  const lido = emJson(texto);
  if (typeof lido !== 'object' || lido === null || Array.isArray(lido)) {
    throw new EntradaInvalida('mapa: deve ser um objeto JSON');
  }
  return { ...lido, ...dito };
}

function emJson(texto: string): unknown {
  try {
    return JSON.parse(texto);
  } catch {
    throw new EntradaInvalida('mapa: não é um JSON');
  }
}
