import { acharMunicipio, municipioDoCodigo, nomeComparado } from '../../../brazil/municipios/municipios.ts';
import type { EnderecoDaNota } from '../../../brazil/nfcom/base/nota.types.ts';
import type { EnderecoRow } from '../../enderecos/enderecos.types.ts';
import type { ContextoDaMontagem } from './contexto.ts';

/** Whether an address says enough to find its municipality. */
export const temEndereco = ({ cidade, uf }: EnderecoRow): boolean => cidade !== null && uf !== null;

/** By what the provider said of the city, else by its name. */
export function municipioDe(
  { cidade, uf }: EnderecoRow,
  { municipios }: Pick<ContextoDaMontagem, 'municipios'>,
  outro: string | null,
): string | null {
  const dito = cidade === null || uf === null ? undefined : municipios.get(`${uf}${nomeComparado(cidade)}`);
  return dito ?? acharMunicipio(cidade, uf)?.codigo ?? outro;
}

/** An address as a note has it: the name of its municipality is IBGE's, where its code is known. */
export function enderecoDe(
  endereco: Readonly<EnderecoRow>,
  codigo: string | null,
  telefone: string | null,
  email: string | null,
): EnderecoDaNota {
  return {
    logradouro: endereco.logradouro ?? '',
    numero: endereco.numero ?? '',
    complemento: endereco.complemento,
    bairro: endereco.bairro ?? '',
    codigoDoMunicipio: codigo,
    municipio: (codigo === null ? null : municipioDoCodigo(codigo)?.nome) ?? endereco.cidade ?? '',
    cep: endereco.cep ?? '',
    uf: endereco.uf ?? '',
    telefone,
    email,
  };
}
