import { InvalidArgumentError } from 'commander';
import { TIPOS_DE_BLOQUEIO, bloqueioValido } from '../../domain/rede/configuracao/configuracao.regras.ts';
import type { Bloqueio } from '../../domain/rede/rede.types.ts';

/** `recusa`, `grupo`, `pool:bloqueados` or `lista:bloqueados`. */
export function lerBloqueio(texto: string): Bloqueio {
  const [escrito = '', ...resto] = texto.split(':');
  const tipo = TIPOS_DE_BLOQUEIO.find((um) => um === escrito);
  if (tipo === undefined) {
    throw new InvalidArgumentError('deve ser grupo, recusa, pool:<nome> ou lista:<nome>.');
  }
  const bloqueio = { tipo, nome: resto.length === 0 ? null : resto.join(':') };
  const falta = bloqueioValido(bloqueio);
  if (falta !== null) throw new InvalidArgumentError(`${falta}.`);
  return bloqueio;
}

export const bloqueioEmTexto = ({ tipo, nome }: Bloqueio): string => (nome === null ? tipo : `${tipo}:${nome}`);
