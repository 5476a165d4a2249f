import { documentoInteiro } from '../../../domain/busca/reconhecimento.regras.ts';
import type { OpcoesDaBusca, ResultadoDaBusca } from '../../../domain/busca/busca.types.ts';
import type { Chamada } from '../rota.ts';
import { pode } from '../sessao.ts';

export interface Procurado extends ResultadoDaBusca {
  /** Somebody who may not see documents whole has looked for too many that are nobody's: this one was not looked for. */
  readonly semDocumentos: boolean;
}

/**
 * Searches as who asks may. Who sees documents masked finds a client by the whole of a valid one alone, and is not told of any number of
 * them: otherwise what the mask hides could be tried out.
 */
export async function procurar(
  { dominio, servicos, sessao }: Pick<Chamada, 'dominio' | 'servicos' | 'sessao'>,
  texto: string,
  opcoes: Omit<OpcoesDaBusca, 'documentos'>,
): Promise<Procurado> {
  const buscar = async (documentos: NonNullable<OpcoesDaBusca['documentos']>): Promise<ResultadoDaBusca> =>
    dominio.busca.buscar(texto, { ...opcoes, documentos });
  if (pode(sessao, 'clientes.documentos')) return { ...(await buscar('partes')), semDocumentos: false };
  if (documentoInteiro(texto) === null) return { ...(await buscar('nenhum')), semDocumentos: false };
  const achado = await servicos.tentativas.lookUp(
    sessao.provedor.id,
    sessao.usuario.id,
    async () => buscar('inteiros'),
    ({ clientes }) => clientes.some(({ por }) => por === 'documento'),
  );
  return achado === null ? { ...(await buscar('nenhum')), semDocumentos: true } : { ...achado, semDocumentos: false };
}
